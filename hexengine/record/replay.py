"""Replays: a log or a script becomes the game that it tells, checked order by order."""

from __future__ import annotations

from pathlib import Path

from hexengine.core.errors import ContentError, HexEngineError, Problem, ReplayDivergence
from hexengine.core.events import Event
from hexengine.core.orders import UNDO
from hexengine.record import files
from hexengine.record.formats import Entry, Find, Notice, RecordError, Replaced, Wanted
from hexengine.record.game import Game
from hexengine.record.log import Log, parse_log
from hexengine.record.script import Script, parse_script, play_script, start


def is_log(path: str | Path, data: bytes) -> bool:
    """Whether a file is a log; other records are scripts."""
    return Path(path).suffix == ".jsonl" or data.lstrip().startswith(b"{")


def read(path: str | Path) -> Log | Script:
    """Read a log or a script; raises ContentError if it is neither."""
    path = Path(path)
    data = files.read_record(path)
    return parse_log(data, path) if is_log(path, data) else parse_script(data, path)


def replay(
    path: str | Path, find: Find, to: int | None = None, *, verify: bool = False, events: bool = True
) -> Game:
    """The game that a log or a script tells, at its end or behind entry number ``to``.

    Every order is judged by today's rules and every digest compared.  ``game.notices`` says if
    rules, scenario or data have changed since, and if the last line is torn; with ``verify`` a
    torn line is an error too.  ``events`` is how the game goes on, the replay itself has none.
    Raises ReplayDivergence at the first difference (its ``game`` is the valid part), ContentError
    for a file or scenario that cannot be read, RecordError for an entry that is not there, and
    ScriptError for a script's line.
    """
    record = read(path)
    if isinstance(record, Log):
        game = Replay(record, find).run(to, verify=verify)
    else:
        game = _replay_script(record, find, to, verify=verify)
    game.events = events
    return game


class Replay:
    """A log that is played again, entry by entry.

    ``game`` is as far as :meth:`step` has come.  Raises ReplayDivergence if the header was
    changed, and what ``find`` raises if there is no such scenario.
    """

    def __init__(self, log: Log, find: Find, *, events: bool = False) -> None:
        self.log = log
        self.name = files.label(log.path) if log.path is not None else "log"
        if log.fault is not None and log.fault.entry == 0:
            raise self._fault(None)
        header = log.header
        source = header.source if isinstance(header.source, str) else None
        folder = log.path.parent if log.path is not None else Path()
        self._scenario = find(Wanted(header.scenario, header.system, header.content, source, folder))
        self.game = self._start(events)

    def _start(self, events: bool) -> Game:
        header, scenario = self.log.header, self._scenario
        if header.system != scenario.system:
            text = f"the log is of the system {header.system}, the scenario of {scenario.system}"
            raise ContentError([Problem(self.name, 1, 1, text)])
        try:
            game = Game(scenario, header.seed, players=header.players, sandbox=header.sandbox, events=events)
        except RecordError as error:
            raise ContentError([Problem(self.name, 1, 1, str(error))]) from None
        rules = game.system.rules_version
        if header.rules != rules:
            text = f"the log was written under version {header.rules} of the rules, this is version {rules}"
            game.notices.append(Notice("rules", text))
        if header.content != scenario.digest:
            text = f"scenario or data have changed since the log ({header.content}, now {scenario.digest})"
            game.notices.append(Notice("content", text))
        if self.log.torn:
            text = f"the last line of {self.name} is torn and left out: its order was never shown as done"
            game.notices.append(Notice("torn", text))
        return game

    def step(self) -> list[Event] | None:
        """Play the next entry and return its events; None at the end of the log.  Raises ReplayDivergence."""
        game = self.game
        number = game.entry
        if number >= len(self.log.entries):
            if self.log.fault is not None:
                raise self._fault(game)
            return None
        entry = self.log.entries[number]
        if game.decision is None and entry.order != UNDO.verb:
            raise self._differs(entry, _told(entry), "the game is over")
        if entry.by != game.by:
            raise self._differs(entry, f"{entry.by} to decide", f"{game.by} decides")
        try:
            events = _play(game, entry)
        except HexEngineError as error:
            raise self._differs(entry, _told(entry), str(error)) from None
        digest = game.digest
        if digest != entry.digest:
            self.game = self._again(number)
            text = f"the position behind {entry.order!r} differs"
            raise self._differs(entry, f"digest {entry.digest}", f"digest {digest}", text)
        return events

    def run(self, to: int | None = None, *, verify: bool = False) -> Game:
        """Play to the end, or up to entry ``to``; returns the game.

        Raises RecordError for an entry that is not there, and ReplayDivergence; with ``verify`` a torn last
        line is one too, unless ``to`` is before it.
        """
        entries = self.log.entries
        if to is not None and (to < 0 or (to > len(entries) and self.log.fault is None)):
            raise RecordError(f"{self.name} ends with entry {len(entries)}: there is no entry {to}")
        while (to is None or self.game.entry < to) and self.step() is not None:
            pass
        if verify and self.log.torn and to is None:
            place = f"{self.name}:{len(entries) + 2}: the last line is torn"
            raise ReplayDivergence(
                len(entries) + 1, "a newline at its end", f"{self.log.torn} bytes", self.game, place
            )
        return self.game

    def _again(self, entries: int) -> Game:
        """A fresh game with the entries that are known to be good."""
        game = self._start(self.game.events)
        for entry in self.log.entries[:entries]:
            _play(game, entry)
        return game

    def _differs(
        self, entry: Entry, expected: str, got: str, text: str = "the log does not go on here"
    ) -> ReplayDivergence:
        notices = "".join(f"; {notice.text}" for notice in self.game.notices if notice.code != "torn")
        reason = f"{self.name}:{entry.n + 1}: {text}{notices}"
        return ReplayDivergence(entry.n, expected, got, self.game, reason)

    def _fault(self, game: Game | None) -> ReplayDivergence:
        fault = self.log.fault
        assert fault is not None
        return ReplayDivergence(fault.entry, fault.expected, fault.got, game, fault.reason)


def _play(game: Game, entry: Entry) -> list[Event]:
    """Play an entry, and keep what it says beside its order."""
    order = game.parse(entry.order)
    if isinstance(entry.replaced, Replaced):
        game.replaced(entry.replaced.player, entry.replaced.by, entry.replaced.reason)
    return game.play(order, entry.chance)


def _told(entry: Entry) -> str:
    chance = f" [{' '.join(map(str, entry.chance))}]" if entry.chance else ""
    return entry.order + chance


def _replay_script(script: Script, find: Find, to: int | None, *, verify: bool) -> Game:
    game = start(script, find)
    if to is not None and to < 0:
        raise RecordError(f"{script.name}: there is no entry {to}")
    game.events = False
    for _ in play_script(game, script) if to != 0 else ():
        if to is not None and game.entry >= to:
            break
    if to is not None and game.entry < to:
        raise RecordError(f"{script.name} ends with entry {game.entry}: there is no entry {to}")
    if verify:
        digest = Replay(game.log, lambda _: game.scenario).run().digest
        if digest != game.digest:
            reason = f"{script.name}: the script plays differently the second time"
            raise ReplayDivergence(game.entry, game.digest, digest, game, reason)
    return game
