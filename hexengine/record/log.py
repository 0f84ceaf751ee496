"""Game logs: reading one, saving one, and appending to one while a game goes on."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from hexengine.core.errors import ContentError, Problem
from hexengine.record import files
from hexengine.record.formats import FORMAT, BrokenLine, Entry, Header, new_chain, seal, unseal


class Fault(NamedTuple):
    """A complete line of a log that is wrong: the log is good up to the entry before.

    ``entry`` 0 is the header.
    """

    entry: int
    line: int
    expected: str
    got: str
    reason: str


@dataclass(slots=True)
class Log:
    """A game as it is written down.

    Of a log that was read, ``path`` is its file, ``end`` the length of its good part in bytes,
    ``torn`` that of a last line without its newline, and ``fault`` the first wrong line.
    """

    header: Header
    entries: Sequence[Entry]
    path: Path | None = None
    end: int = 0
    torn: int = 0
    fault: Fault | None = None
    chain: blake2b = field(default_factory=new_chain, repr=False)

    def to_bytes(self) -> bytes:
        """The log as a file holds it."""
        return self._write()[0]

    def _write(self) -> tuple[bytes, blake2b]:
        chain = new_chain()
        lines = [seal(chain, self.header)]
        lines += [seal(chain, entry) for entry in self.entries]
        return b"".join(lines), chain

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the log to a file and sync it.

        Raises RecordError if the file exists (unless ``overwrite``, or unless it holds only a
        beginning of this log, which loses nothing), if it is the log of an open game, or if it
        cannot be written.
        """
        files.save_bytes(Path(path), self.to_bytes(), overwrite=overwrite)


def read_log(path: str | Path) -> Log:
    """Read a log as far as it is good.

    Raises ContentError if the file cannot be read or has no header that could be used.
    """
    path = Path(path)
    return parse_log(files.read_record(path), path)


def parse_log(data: bytes, path: Path) -> Log:
    """The log that a file's bytes hold, as :func:`read_log` gives it."""
    lines = data.split(b"\n")
    torn = len(lines.pop())
    name = files.label(path)
    if not lines:
        text = "the header is not complete" if torn else "the file is empty"
        raise ContentError([Problem(name, 1, 1, text, "nothing was played yet; start the game anew")])
    log = Log(_header(lines[0], name), [], path, torn=torn)
    entries: list[Entry] = []
    for number, line in enumerate(lines):
        try:
            unseal(log.chain, line)
            if number:
                entries.append(_entry(line, number))
        except BrokenLine as error:
            log.fault = _fault(name, number, error)
            break
        log.end += len(line) + 1
    log.entries = entries
    return log


_decode_header = msgspec.json.Decoder(Header).decode
_decode_entry = msgspec.json.Decoder(Entry).decode
_decode_any = msgspec.json.Decoder().decode
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def _header(line: bytes, name: str) -> Header:
    try:
        return _decode_header(line)
    except _UNREADABLE as error:
        text = f"this is no header of a log: {_fault_of(line, error)}"
        raise ContentError([Problem(name, 1, 1, text)]) from None


def _fault_of(line: bytes, error: Exception) -> str:
    """What is wrong with a header, in words."""
    with contextlib.suppress(*_UNREADABLE):
        document = _decode_any(line)
        number = document.get("format") if isinstance(document, dict) else None
        if isinstance(number, int) and number != FORMAT:
            return f"its format is {number}, and format {FORMAT} can be read"
    return str(error)


def _entry(line: bytes, number: int) -> Entry:
    try:
        entry = _decode_entry(line)
    except _UNREADABLE as error:
        raise BrokenLine("an entry", str(error)) from None
    if entry.n != number:
        raise BrokenLine(f"entry {number}", f"entry {entry.n}")
    return entry


def _fault(name: str, number: int, error: BrokenLine) -> Fault:
    reason = f"{name}:{number + 1}: the line is not as it was written"
    return Fault(number, number + 1, error.expected, error.got, reason)


class LogWriter:
    """A log that grows with its game.

    Every entry is handed to the operating system by :meth:`append`, so it outlives the process;
    :meth:`sync` puts everything on disk.  ``durable=False`` leaves that to the system, as
    batches want it.  The file is locked until :meth:`close`.
    """

    __slots__ = ("_before", "_descriptor", "_now", "_torn", "durable", "path")

    def __init__(self, path: Path, descriptor: int, log: Log, *, durable: bool) -> None:
        self.path = path
        self.durable = durable
        self._descriptor = descriptor
        self._torn = False
        self._now = self._before = (len(log.entries), log.end, log.chain)
        """Entries, bytes and checksum of the file's good part; one tuple, so that no interrupt parts them."""

    @classmethod
    def create(cls, path: str | Path, log: Log, *, overwrite: bool = False, durable: bool = True) -> Self:
        """A new file that holds a log so far.

        Raises RecordError if the file exists (unless ``overwrite``, or unless it holds only a
        beginning of this log), is the log of an open game or cannot be written.
        """
        path = Path(path)
        data, chain = log._write()
        log = Log(log.header, log.entries, end=len(data), chain=chain)
        exists = files.begins(path, data) or (overwrite and path.exists())
        descriptor = files.open_again(path) if exists else files.open_new(path)
        writer = cls(path, descriptor, log, durable=durable)
        try:
            os.ftruncate(descriptor, 0)
            files.write_all(descriptor, data)
            writer.sync()
            if durable:
                files.sync_folder(path)
        except BaseException as error:
            writer.close()
            if not exists:
                path.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise files.cannot_write(path, error) from None
            raise
        return writer

    @classmethod
    def reopen(cls, path: str | Path, *, durable: bool = True) -> tuple[Self, Log]:
        """Go on with a log: what it holds, and its writer behind the good part.

        A torn last line stays until :meth:`keep` cuts it off.  Raises ContentError or RecordError.
        """
        path = Path(path)
        descriptor = files.open_again(path)
        try:
            log = read_log(path)
        except BaseException:
            os.close(descriptor)
            raise
        return cls(path, descriptor, log, durable=durable), log

    def append(self, entry: Entry) -> None:
        """Write one entry; RecordError if it cannot be written.

        Whatever is raised, :meth:`keep` must follow before anything else is appended.
        """
        entries, size, chain = self._now
        # What could not be written leaves no trace: the checksum that stands is not touched.
        chain = chain.copy()
        line = seal(chain, entry)
        try:
            if self._torn:
                self._cut()
            files.write_all(self._descriptor, line)
        except OSError as error:
            raise files.cannot_write(self.path, error) from None
        self._before, self._now = self._now, (entries + 1, size + len(line), chain)

    def keep(self, entries: int) -> None:
        """Cut off what stands behind so many entries: a torn line, and at most one entry.

        If the file cannot be cut now, it is before anything else is appended.
        """
        if self._now[0] > entries:
            self._now = self._before
        self._torn = True
        with contextlib.suppress(OSError):
            self._cut()

    def _cut(self) -> None:
        os.ftruncate(self._descriptor, self._now[1])
        self._torn = False

    def sync(self) -> None:
        """Put everything on disk; RecordError if that fails."""
        if self.durable:
            try:
                os.fsync(self._descriptor)
            except OSError as error:
                raise files.cannot_write(self.path, error) from None

    def close(self) -> None:
        """Let go of the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __del__(self) -> None:
        self.close()
