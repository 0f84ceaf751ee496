"""Files of records: read whole and bounded, made without overwriting, locked while they are written."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NoReturn

from hexengine.core.errors import ContentError, Problem, why
from hexengine.record.formats import RecordError

try:
    import fcntl
except ImportError:  # Windows, where an open file can be neither replaced nor removed
    fcntl = None  # type: ignore[assignment]

LARGEST_RECORD = 256_000_000
"""Bytes that a log or script may have; a long game takes less than one thousandth of that."""

_FLAGS = os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def label(path: Path | str) -> str:
    """A path as messages show it, always printable."""
    text = str(path).encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def read_record(path: Path) -> bytes:
    """The bytes of a plain file; ContentError says why they cannot be had."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            _refuse(path, "this is a folder, not a file")
        if not stat.S_ISREG(mode):
            _refuse(path, "this is not a plain file")  # opening a pipe or a device might wait for ever
        with path.open("rb") as file:
            data = file.read(LARGEST_RECORD + 1)
    except FileNotFoundError:
        _refuse(path, "there is no such file")
    except (OSError, ValueError) as error:
        _refuse(path, f"the file cannot be read: {why(error)}")
    if len(data) > LARGEST_RECORD:
        _refuse(path, f"the file is too large: more than {LARGEST_RECORD:,} bytes")
    return data


def _refuse(path: Path, text: str) -> NoReturn:
    raise ContentError([Problem(label(path), 0, 0, text)]) from None


def cannot_write(path: Path, error: Exception) -> RecordError:
    """The error of a file that cannot be written."""
    return RecordError(f"{label(path)}: cannot write the log: {why(error)}")


def begins(path: Path, data: bytes) -> bool:
    """Whether a plain file holds nothing but a beginning of ``data``, so that writing it loses nothing."""
    try:
        if not path.is_file():  # opening a pipe or a device might wait for ever
            return False
        with path.open("rb") as file:
            return data.startswith(file.read(len(data) + 1))
    except (OSError, ValueError):
        return False


def open_new(path: Path) -> int:
    """A new file open for appending, locked; RecordError where something of that name exists."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o666)
    except FileExistsError:
        raise RecordError(f"{label(path)} exists already and is not overwritten") from None
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None
    lock(descriptor, path)
    return descriptor


def open_again(path: Path) -> int:
    """A plain file open for appending, locked; ContentError or RecordError say why it cannot be."""
    try:
        if path.exists() and not path.is_file():
            _refuse(path, "this is not a plain file")
        descriptor = os.open(path, os.O_WRONLY | _FLAGS)
    except FileNotFoundError:
        _refuse(path, "there is no such file")
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None
    lock(descriptor, path)
    return descriptor


def lock(descriptor: int, path: Path) -> None:
    """Keep others from writing the file; closes it and raises RecordError if somebody does.

    The lock goes with the process, however that ends.
    """
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RecordError(f"{label(path)} is the log of a game that is still open") from None
    except OSError:
        pass  # a file system without locks


def write_all(descriptor: int, data: bytes) -> None:
    """Hand all of it to the operating system."""
    written = os.write(descriptor, data)
    while written < len(data):
        written += os.write(descriptor, data[written:])


def sync_folder(path: Path) -> None:
    """Put the name of a new file on disk, where the system can."""
    try:
        descriptor = os.open(path.parent, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def save_bytes(path: Path, data: bytes, *, overwrite: bool) -> None:
    """Write a whole file and sync it; the name never stands for half of it.

    Raises RecordError where the name is taken and ``overwrite`` is not set, or where it is the
    log of an open game.  A file that holds only a beginning of ``data`` is always written anew.
    """
    overwrite = overwrite or begins(path, data)
    try:
        exists = overwrite and path.exists()
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None
    if exists:
        os.close(open_again(path))
    target = path.with_name(f"{path.name}.{os.getpid()}.part") if overwrite else path
    descriptor = open_new(target)
    try:
        try:
            write_all(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if overwrite:
            target.replace(path)
        sync_folder(path)
    except OSError as error:
        target.unlink(missing_ok=True)
        raise cannot_write(path, error) from None
