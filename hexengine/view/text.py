"""Texts measured in terminal cells, shown as they are: no markup, no control characters."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.cells import cell_len

_JOINER = "\u200d"
# Embedding, override and isolate signs would turn the rest of the row around, not only the name.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def literal(text: str) -> str:
    """The text without what would move the cursor or turn the row: such characters become ``?`` or vanish."""
    if text.isascii() and text.isprintable():
        return text
    kept = []
    for sign in text:
        if sign in _TURNING:
            continue
        kept.append("?" if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") else sign)
    return "".join(kept)


@lru_cache(maxsize=4096)
def clusters(text: str) -> tuple[tuple[str, int], ...]:
    """The text in pieces that share their cells, each with its width (1 or 2), after ``literal``.

    Marks without a width of their own and whatever a joiner ties on belong to the piece before them; flags
    are pairs.
    """
    text = literal(text)
    if text.isascii():
        return tuple((sign, 1) for sign in text)
    pieces: list[str] = []
    for sign in text:
        flag = "\U0001f1e6" <= sign <= "\U0001f1ff"
        if pieces and (
            sign == _JOINER
            or pieces[-1].endswith(_JOINER)
            or "\U0001f3fb" <= sign <= "\U0001f3ff"
            or cell_len(sign) == 0
            or (flag and len(pieces[-1]) == 1 and "\U0001f1e6" <= pieces[-1] <= "\U0001f1ff")
        ):
            pieces[-1] += sign
        elif cell_len(sign):
            pieces.append(sign)
    # A rich that knows no joined signs adds up their widths; it gets the first of them only.
    measured = (piece if cell_len(piece) <= 2 else piece[0] for piece in pieces)
    return tuple((piece, cell_len(piece)) for piece in measured)


def width_of(text: str) -> int:
    """Cells the text takes."""
    return sum(width for _, width in clusters(text))


def fit(text: str, width: int, more: str = "") -> str:
    """The text cut to ``width`` cells; a text that is cut ends in ``more`` where there is room for it."""
    if width <= 0:
        return ""
    pieces = clusters(text)
    if sum(size for _, size in pieces) <= width:
        return "".join(piece for piece, _ in pieces)
    room = width - len(more)
    if room < 1:
        room, more = width, ""
    kept, used = [], 0
    for piece, size in pieces:
        if used + size > room:
            break
        kept.append(piece)
        used += size
    return "".join(kept) + more


def pad(text: str, width: int, align: str = "<", more: str = "") -> str:
    """The text cut or filled with spaces to exactly ``width`` cells; align ``<``, ``^`` or ``>``."""
    text = fit(text, width, more)
    room = width - width_of(text)
    left = 0 if align == "<" else room if align == ">" else room // 2
    return " " * left + text + " " * (room - left)


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most ``width`` cells, broken at spaces, else inside words too long."""
    rows: list[str] = []
    row = ""
    for part in "".join(piece for piece, _ in clusters(text)).split():
        while True:
            joined = f"{row} {part}" if row else part
            if width_of(joined) <= width:
                row = joined
                break
            if row:
                rows.append(row)
                row = ""
                continue
            head = fit(part, width) or clusters(part)[0][0]
            rows.append(head)
            part = part[len(head) :]
            if not part:
                break
    return [*rows, row] if row or not rows else rows
