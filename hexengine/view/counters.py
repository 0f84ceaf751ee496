"""What stands on a counter, for every style: mark and name, strength, steps, letters for its state."""

from __future__ import annotations

from hexengine.hexes.grid import Grid
from hexengine.view.scene import Counter, UnitRow
from hexengine.view.text import fit, pad, width_of

HQ_MARK = "■"
DISRUPTED, OUT_OF_COMMAND, HEADQUARTERS = "D", "O", "H"
OPS_COMPLETE = ("√", "v")
"""The sign for Ops Complete, and its ASCII stand-in."""
ABOVE = ("∞", "8")
"""The sign for those who fly above, and its ASCII stand-in."""

_FULL = ("▪", "*")
_LOST = ("▫", "-")


def steps_text(steps: int, reduced: bool, unicode: bool) -> str:
    """``▪▪`` for two steps, ``▪▫`` for one left of two; more than three are counted: ``4▪``."""
    full, lost = (_FULL[0], _LOST[0]) if unicode else (_FULL[1], _LOST[1])
    shown = full * max(0, steps) if steps <= 3 else f"{steps}{full}"
    return shown + lost if reduced else shown


def letters(counter: Counter, unicode: bool) -> str:
    """The state in letters: a system's own, D disrupted, O out of command, √ Ops Complete, H with HQ,
    ∞ for others above."""
    found = counter.marks
    if counter.disrupted:
        found += DISRUPTED
    if counter.out_of_command:
        found += OUT_OF_COMMAND
    if counter.ops_complete:
        found += OPS_COMPLETE[0] if unicode else OPS_COMPLETE[1]
    if counter.hq and counter.mark != HQ_MARK:
        found += HEADQUARTERS
    if counter.above:
        found += ABOVE[0] if unicode else ABOVE[1]
    return found


def stack_text(counter: Counter) -> str:
    """The number of units where there is more than one, ``+`` beyond nine."""
    return "" if counter.stack < 2 else str(counter.stack) if counter.stack < 10 else "+"


def level_text(level: int, sign: str, unicode: bool = True) -> str:
    """A height: ``▲2``; nothing on the plain, nor at level 1 where the terrain's ``sign`` is a hill's."""
    if level < 1 or (level == 1 and sign == "▲"):
        return ""
    return f"{'▲' if unicode else '^'}{min(level, 9)}"


def label_text(grid: Grid, h: int, room: int) -> str:
    """The label of a hex, or its row alone where a large map's labels do not fit: the column stands above."""
    label = grid.label(h)
    return label if len(label) <= room else label[-grid.digits :]


def mark_of(counter: Counter | UnitRow, unicode: bool) -> str:
    """The mark, one cell wide."""
    return pad(counter.mark if unicode else counter.plain_mark, 1)


def top_row(counter: Counter, width: int, unicode: bool) -> str:
    """Mark and name in exactly ``width`` cells."""
    return mark_of(counter, unicode) + short_name(ascii_name(counter.name, unicode), width - 1)


def bottom_row(counter: Counter, tail: str, width: int, unicode: bool) -> tuple[str, str]:
    """Strength, steps and as much of ``tail`` as fits, in exactly ``width`` cells; and what did not fit."""
    strength = fit(ascii_name(counter.strength, unicode), width - 1)
    steps = steps_text(counter.steps, counter.reduced, unicode)
    room = width - width_of(strength) - width_of(steps)
    if room < 0 or (room == 0 and tail):
        steps = str(counter.steps) + ("-" if counter.reduced else "")
        steps = fit(steps, width - width_of(strength) - (1 if tail else 0))
        room = width - width_of(strength) - width_of(steps)
    return strength + steps + pad(tail[:room], room, ">"), tail[room:]


def ascii_name(text: str, unicode: bool) -> str:
    """The text, with ``.5`` for halves and ``?`` for what else ASCII lacks where only ASCII may be used."""
    if unicode or text.isascii():
        return text
    return text.replace("½", ".5").replace("…", "...").encode("ascii", "replace").decode("ascii")


def short_name(name: str, width: int) -> str:
    """The name cut to ``width`` cells; hyphens and spaces go first, so that ``BTR-70`` leaves ``BTR7``."""
    if width_of(name) > width:
        name = name.replace("-", "").replace(" ", "")
    return pad(name, width)
