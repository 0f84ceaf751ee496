"""Reading a file as text: bounded, UTF-8, one form of line ends."""

import stat
from pathlib import Path
from typing import NoReturn

from hexengine.content.words import printable
from hexengine.core.errors import ContentError, Problem, why

LARGEST_FILE = 1_000_000
"""Bytes that a file of content may have."""

_OTHER_ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def label(path: Path | str) -> str:
    """A path as problems show it: seen from the current folder if the file lies in it, always printable."""
    shown = Path(path)
    if shown.is_absolute():
        try:
            shown = shown.relative_to(Path.cwd())
        except (ValueError, OSError):
            shown = Path(path)
    return printable(str(shown).encode("utf-8", "backslashreplace").decode("utf-8"), 400)


def read_bytes(path: Path) -> bytes:
    """The bytes of a plain file of at most LARGEST_FILE; ContentError says why it cannot be had."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            _refuse(path, "this is a folder, not a file")
        if not stat.S_ISREG(mode):
            # opening a pipe or a device might wait for ever
            _refuse(path, "this is not a plain file")
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        _refuse(path, "there is no such file")
    except PermissionError:
        _refuse(path, "the file may not be read: permission denied")
    except (OSError, ValueError) as error:
        _refuse(path, f"the file cannot be read: {why(error)}")
    if len(data) > LARGEST_FILE:
        text = f"the file is too large: more than {LARGEST_FILE:,} bytes"
        raise ContentError([Problem(label(path), 1, 1, text)])
    return data


def _refuse(path: Path, text: str) -> NoReturn:
    raise ContentError([Problem(label(path), 0, 0, text)]) from None


def decode(data: bytes, file: str) -> str:
    """Bytes as normalised text; ContentError with the place of what is not text in UTF-8."""
    encoding = _OTHER_ENCODINGS.get(data[:2]) or _wide(data)
    if encoding is not None:
        raise ContentError([Problem(file, 1, 1, f"the file is written in {encoding}", "save it as UTF-8")])
    zero = data.find(b"\0")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.start + 3 * data.startswith(b"\xef\xbb\xbf")
        if not 0 <= zero < at:
            said = f"byte 0x{data[at]:02x} is not UTF-8 text"
            raise ContentError([Problem(file, *_place(data, at), said, "save the file as UTF-8")]) from None
    if zero >= 0:
        raise ContentError([Problem(file, *_place(data, zero), "a zero byte: this is not a text file")])
    return normalise(text)


def _wide(data: bytes) -> str | None:
    """UTF-16 where every other byte of a beginning is zero, as of Latin letters in that encoding."""
    start = data[:64]
    for zeros, letters in ((start[::2], start[1::2]), (start[1::2], start[::2])):
        if len(letters) > 3 and not any(zeros) and all(letters):
            return "UTF-16"
    return None


def _place(data: bytes, offset: int) -> tuple[int, int]:
    line_start = data.rfind(b"\n", 0, offset) + 1
    before = data[line_start:offset].decode("utf-8-sig", "replace")
    return data.count(b"\n", 0, offset) + 1, len(before) + 1


def normalise(text: str) -> str:
    """Text without byte-order mark, with LF line ends: the form that is parsed, located and digested."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")
