"""A game that keeps its history: it can be undone, saved, replayed and written down as it goes on."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from msgspec import UNSET

from hexengine.core import game as core
from hexengine.core.dice import Dice, ScriptedDice
from hexengine.core.errors import ChanceError, GameOver, IllegalOrder, InvalidOrder, Refusal
from hexengine.core.events import Event
from hexengine.core.orders import Chance, Order, split_chance
from hexengine.record.formats import FORMAT, HIGHEST_SEED, LOWEST_SEED, Entry, Header, Notice, RecordError
from hexengine.record.log import Log, LogWriter

if TYPE_CHECKING:
    from hexengine.core.position import Position
    from hexengine.core.scenario import Scenario

STRIDE = 16
"""Orders between two kept positions; what lies between is played again when it is needed."""


class Undo(Order):
    """Takes back an order; part of every system, and never among the orders offered."""

    __slots__ = ()
    verb = "undo"


UNDO = Undo()


class Past(NamedTuple):
    """An order that was given: the number of its entry, by whom, what, and what chance decided."""

    n: int
    by: str
    order: Order
    chance: list[Chance]


class Game(core.Game):
    """A game with its history.

    ``seed`` from -2**63 to 2**63 - 1; None takes a fresh one, which the log keeps.  ``players``
    names who plays which side: a mapping, or names in the scenario's order of sides.
    ``sandbox`` lets :meth:`undo` take back what was rolled, drawn or decided by the other side.
    ``dice`` answers in place of the seeded dice.  ``entry`` counts the entries of the log, undo
    among them; ``notices`` is what people should know about the record a game came from.
    """

    def __init__(
        self,
        scenario: Scenario,
        seed: int | None = None,
        *,
        players: Mapping[str, str] | Sequence[str] | None = None,
        sandbox: bool = False,
        events: bool = True,
        dice: Dice | None = None,
    ) -> None:
        if seed is None:
            seed = secrets.randbits(32)
        elif not LOWEST_SEED <= seed <= HIGHEST_SEED:
            raise RecordError(f"the seed {seed} is too large: seeds have 64 bits, with the sign")
        super().__init__(scenario, seed, events=events, dice=dice)
        self.players = _seats(players, scenario.sides)
        self.sandbox = sandbox
        self.notices: list[Notice] = []
        self._past: list[Past] = []
        self._line: list[Past] = []
        """What was not taken back."""
        self._kept: list[Position] = [self.position.copy()]
        """The positions behind every STRIDE orders of the line."""
        self._digests: list[str] = []
        self._writer: LogWriter | None = None

    # -- asking -------------------------------------------------------------------------------

    @property
    def by(self) -> str:
        """The side that decides; after the end of the game the side that gave the last order."""
        decision = self.decision
        if decision is not None:
            return decision.side
        return self._line[-1].by if self._line else self.scenario.sides[0]

    def parse(self, text: str) -> Order:
        """Read an order's text (without brackets), ``undo`` too; raises InvalidOrder."""
        return UNDO if text.strip() == UNDO.verb else super().parse(text)

    def why_not(self, order: Order | str) -> Refusal | None:
        """Why an order is not legal now, in words; None if it is legal."""
        if isinstance(order, str):
            order = self.parse(split_chance(order)[0])
        return self._why_no_undo() if order is UNDO else super().why_not(order)

    def odds(self, order: Order | str) -> list[Any]:
        """The exact chances of what an order may bring; see :func:`hexengine.core.odds.odds`."""
        if order is UNDO or (isinstance(order, str) and self.parse(split_chance(order)[0]) is UNDO):
            raise InvalidOrder(UNDO.verb, "it leaves nothing to chance")
        return super().odds(order)

    @property
    def digest(self) -> str:
        """16 hexadecimal digits over the position without its dice counters."""
        digest = self.position.digest()
        if len(self._digests) == len(self._past) - 1:
            self._digests.append(digest)
        return digest

    @property
    def log(self) -> Log:
        """The game as it is written down, up to now."""
        self._fill_digests()
        entries = [
            Entry(past.n, past.by, str(past.order), past.chance, digest, "")
            for past, digest in zip(self._past, self._digests, strict=True)
        ]
        return Log(self._header(), entries)

    def _header(self) -> Header:
        scenario = self.scenario
        return Header(
            format=FORMAT,
            system=scenario.system,
            rules=self.system.rules_version,
            scenario=scenario.name,
            content=scenario.digest,
            seed=self.seed,
            players=self.players,
            sandbox=self.sandbox,
            source=UNSET if scenario.shipped else scenario.source,
            sum="",
        )

    def _fill_digests(self) -> None:
        """Digests are taken when somebody wants them; only the last one can be had without a replay."""
        if self.digest and len(self._digests) < len(self._past):
            again = self.copy()
            again.events = False
            again._rewind(0)
            again.entry, again._past, again._digests = 0, [], []
            for past in self._past:
                again.play(past.order, past.chance)
                again._digests.append(again.digest)
            self._digests = again._digests

    # -- doing --------------------------------------------------------------------------------

    def play(self, order: Order | str, chance: Sequence[Chance] | None = None) -> list[Event]:
        """Carry out an order and everything that follows by itself; returns the events.

        ``chance`` dictates dice and markers; a text may carry them in brackets.  The order
        ``undo`` does what :meth:`undo` does.  A game that is written down has the order in its
        file when this returns.  Raises InvalidOrder, IllegalOrder, ChanceError or RecordError,
        and then nothing has changed; nothing has changed either if it is interrupted.
        """
        if isinstance(order, str):
            text, dictated = split_chance(order)
            order = self.parse(text)
            chance = dictated if chance is None else chance
        if order is UNDO:
            if chance:
                raise ChanceError(f"undo takes no dice or markers: {' '.join(map(str, chance))} left over")
            self.undo()
            return []
        decision = self.decision
        if decision is None:
            raise GameOver(order)
        entries = len(self._past)
        try:
            events = super().play(order, chance)
            line = self._line
            past = Past(entries + 1, decision.side, order, self.dice.used)
            line.append(past)
            self._past.append(past)
            if not len(line) % STRIDE:
                self._kept.append(self.position.copy())
            if self._writer is not None:
                self._write(past)
        except IllegalOrder:
            raise
        except BaseException:
            self._cancel(entries)
            raise
        return events

    def undo(self) -> None:
        """Take back the deciding side's own last order, as an entry of its own.

        Raises IllegalOrder if there is none, or if that order or anything since rolled, drew or
        was the other side's choice.  A sandbox takes all that back as well, and where the
        deciding side has given no order yet, the last order.  The dice counters are restored
        with the rest: the same order rolls the same dice again.
        """
        refusal = self._why_no_undo()
        if refusal is not None:
            raise IllegalOrder(UNDO, refusal)
        entries, line, kept = len(self._past), self._line[:], self._kept[:]
        past = Past(entries + 1, self.by, UNDO, [])
        try:
            self._rewind(self._last_own())
            self._past.append(past)
            self.entry = past.n
            self.dice.used = []
            if self._writer is not None:
                self._write(past)
        except BaseException:
            self._line, self._kept = line, kept
            self._cancel(entries)
            raise

    def _why_no_undo(self) -> Refusal | None:
        by = self.by
        if not self._line:
            return Refusal("", "undo-nothing", {}, None, "there is nothing to take back")
        last = self._line[-1]
        if self.sandbox:
            return None
        facts = {"entry": last.n, "by": last.by, "order": str(last.order), "chance": last.chance}
        if last.by != by:
            text = f"{last.by} has decided since: {last.order}"
            return Refusal("", "undo-other-side", facts, None, text)
        if not last.chance:
            return None
        chance = " ".join(map(str, last.chance))
        if any(isinstance(value, str) for value in last.chance):
            return Refusal("", "undo-drew", facts, None, f"{last.order} has drawn {chance}")
        return Refusal("", "undo-rolled", facts, None, f"{last.order} has rolled {chance}")

    def _last_own(self) -> int:
        """How much of the line stays when the deciding side takes its last order back."""
        by = self.by
        for number in range(len(self._line) - 1, -1, -1):
            if self._line[number].by == by:
                return number
        return len(self._line) - 1

    def _rewind(self, orders: int) -> None:
        """Go back to where the line had so many orders: a kept position, and the rest again."""
        kept = orders // STRIDE
        self.restore(self._kept[kept].copy())
        events, self.events = self.events, False
        try:
            for past in self._line[kept * STRIDE : orders]:
                self._carry_out(past.order, ScriptedDice(past.chance, self.position.streams))
        finally:
            self.events = events
        del self._line[orders:]
        del self._kept[kept + 1 :]

    def _cancel(self, entries: int) -> None:
        """Back to so many entries, after an order that failed half-way."""
        if self._writer is not None:
            self._writer.keep(entries)
        del self._past[entries:]
        del self._digests[entries:]
        line = self._line
        while line and line[-1].n > entries:
            line.pop()
        self._rewind(len(line))
        self.entry = entries

    # -- writing down -------------------------------------------------------------------------

    def record(self, path: str | Path, *, overwrite: bool = False, durable: bool = True) -> None:
        """Write the game down from now on, in a new file that begins with what was played so far.

        Every order is in the file before :meth:`play` returns; with ``durable`` the file is put
        on disk whenever an activation ends.  Raises RecordError if the file exists (unless
        ``overwrite``), cannot be written, or the game is written down already.
        """
        if self._writer is not None:
            raise RecordError(f"this game is written down already, in {self._writer.path}")
        self.write_to(LogWriter.create(path, self.log, overwrite=overwrite, durable=durable))

    def write_to(self, writer: LogWriter) -> None:
        """Go on writing into a log that holds this game so far."""
        self._writer = writer

    @property
    def recording(self) -> Path | None:
        """The file that the game is written into, or None."""
        return self._writer.path if self._writer is not None else None

    def close(self) -> None:
        """Stop writing the game down: put the file on disk and let go of it."""
        writer, self._writer = self._writer, None
        if writer is not None:
            try:
                writer.sync()
            finally:
                writer.close()

    def _write(self, past: Past) -> None:
        writer, digest = self._writer, self.digest
        assert writer is not None
        writer.append(Entry(past.n, past.by, str(past.order), past.chance, digest, ""))
        if len(self.position.frames) < 2:  # back at the bottom: an activation has ended, or the game
            writer.sync()

    # -- copies -------------------------------------------------------------------------------

    def copy(self, seed: int | None = None) -> Self:
        """An independent game at the same point, with the same history; it is not written down.

        With ``seed`` the copy's coming dice are those of another game: what a player tries out
        in its head must not tell it the real dice.
        """
        new = super().copy(seed)
        new.players = self.players
        new.sandbox = self.sandbox
        new.notices = self.notices[:]
        new._past = self._past[:]
        new._line = self._line[:]
        new._kept = self._kept[:]
        new._digests = self._digests[:]
        new._writer = None
        return new


def _seats(players: Mapping[str, str] | Sequence[str] | None, sides: Sequence[str]) -> dict[str, str]:
    """Who plays which side, in the order of sides."""
    if not players:
        return {}
    if isinstance(players, Mapping):
        seats = dict(players)
    elif len(players) == len(sides):
        seats = dict(zip(sides, players, strict=True))
    else:
        raise RecordError(f"{len(sides)} players are wanted ({', '.join(sides)}), not {len(players)}")
    if set(seats) != set(sides):
        raise RecordError(f"every side wants a player ({', '.join(sides)}), not {', '.join(seats)}")
    for name in seats.values():
        if not name or not name.isprintable() or " " in name or "#" in name:
            raise RecordError(f"{name!r} cannot be a player's name: no spaces or # may stand in it")
    return {side: seats[side] for side in sides}
