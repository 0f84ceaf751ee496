"""A game that keeps its history: it can be undone, saved, replayed and written down as it goes on."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from msgspec import UNSET

from hexengine.core import game as core
from hexengine.core.dice import Dice, ScriptedDice
from hexengine.core.errors import ChanceError, GameOver, IllegalOrder, InvalidOrder, Refusal
from hexengine.core.events import Event
from hexengine.core.orders import UNDO, Chance, Order, split_chance
from hexengine.record.formats import (
    FORMAT,
    HIGHEST_SEED,
    LOWEST_SEED,
    Entry,
    Header,
    Notice,
    RecordError,
    Replaced,
)
from hexengine.record.log import Log, LogWriter

if TYPE_CHECKING:
    from hexengine.core.odds import Outcome, Reckoned
    from hexengine.core.position import Position
    from hexengine.core.scenario import Scenario

STRIDE = 16
"""Orders between two kept positions; what lies between is played again when it is needed."""


def _within_bounds(seed: int) -> int:
    """A seed that a log can hold; raises RecordError."""
    seed = core.seed_of(seed)
    if not LOWEST_SEED <= seed <= HIGHEST_SEED:
        raise RecordError(f"the seed {seed} is too large: seeds have 64 bits, with the sign")
    return seed


class Past:
    """One entry of a game, tied to what was before it; shared by all copies of the game.

    ``before`` is the entry before.  ``line`` is the last order that then still stood: of an
    order the one before it on the line, of an undo the one that it went back to.  ``number``
    counts the orders on the line; every STRIDE of them the position is ``kept``.  ``revealed``: the
    order has shown something hidden.  The first of all is no entry: it keeps the start.
    """

    __slots__ = (
        "before", "by", "chance", "digest", "kept", "line", "n", "number", "order", "replaced", "revealed",
    )  # fmt: skip

    def __init__(
        self,
        before: Past | None,
        line: Past | None,
        by: str,
        order: Order,
        chance: list[Chance],
        replaced: Replaced | None = None,
    ) -> None:
        self.before = before
        self.line = line
        self.n: int = before.n + 1 if before is not None else 0
        self.number: int = line.number + 1 if line is not None else 0
        self.by = by
        self.order = order
        self.chance = chance
        self.digest = ""
        self.kept: Position | None = None
        self.replaced = replaced
        self.revealed = False

    def entry(self) -> Entry:
        """As the log holds it."""
        replaced = self.replaced if self.replaced is not None else UNSET
        return Entry(self.n, self.by, str(self.order), self.chance[:], self.digest, replaced)


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
        seed = secrets.randbits(32) if seed is None else _within_bounds(seed)
        super().__init__(scenario, seed, events=events, dice=dice)
        self.players = _seats(players, scenario.sides)
        self.sandbox = sandbox
        self.notices: list[Notice] = []
        self._past = self._line = Past(None, None, scenario.sides[0], UNDO, [])
        self._past.kept = self.position.copy()
        self._replaced: Replaced | None = None
        self._writer: LogWriter | None = None
        self._other_dice = False

    # -- asking -------------------------------------------------------------------------------

    @property
    def by(self) -> str:
        """The side that decides; after the end of the game the side that gave the last order."""
        decision = self.decision
        return decision.side if decision is not None else self._line.by

    def parse(self, text: str) -> Order:
        """Read an order's text (without brackets), ``undo`` too; raises InvalidOrder."""
        return UNDO if text.strip() == UNDO.verb else super().parse(text)

    def why_not(self, order: Order | str) -> Refusal | None:
        """Why an order is not legal now, in words; None if it is legal."""
        order = self.read(order)
        return self._why_no_undo() if order is UNDO else super().why_not(order)

    def odds(self, order: Order | str) -> list[Outcome]:
        """The exact chances of what an order may bring; see :func:`hexengine.core.odds.odds`."""
        return super().odds(self._with_chances(order))

    def reckoned(self, order: Order | str) -> Reckoned:
        """The same, also if nobody answers the order; see :func:`hexengine.core.odds.reckoned`."""
        return super().reckoned(self._with_chances(order))

    def _with_chances(self, order: Order | str) -> Order:
        """An order that has chances at all; raises InvalidOrder."""
        order = self.read(order)
        if order is UNDO:
            raise InvalidOrder(UNDO.verb, "it leaves nothing to chance")
        return order

    @property
    def digest(self) -> str:
        """16 hexadecimal digits over the position without its dice counters."""
        self._past.digest = digest = self.position.digest()
        return digest

    @property
    def log(self) -> Log:
        """The game as it is written down, up to now."""
        history = self._history()
        if not all(past.digest for past in history):
            self._fill_digests(history)
        return Log(self._header(), [past.entry() for past in history])

    @property
    def stand_ins(self) -> dict[str, Replaced]:
        """By side who was replaced, by whom and why; the last time counts."""
        return {past.by: past.replaced for past in self._history() if past.replaced is not None}

    def _history(self) -> list[Past]:
        """All entries from the first on."""
        history: list[Past] = []
        past = self._past
        while past.before is not None:
            history.append(past)
            past = past.before
        history.reverse()
        return history

    def _fill_digests(self, history: list[Past]) -> None:
        """Digests are taken when somebody wants them: all positions once more, from the start."""
        again = self.copy()
        again.events = False
        while again._past.before is not None:
            again._past = again._past.before
        again._go_to(again._past)
        for past in history:
            again.play(past.order, past.chance)
            past.digest = again.position.digest()

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
        before, line, side = self._past, self._line, decision.side
        secrets_of = getattr(self.system, "secrets", None)
        hidden = secrets_of(self.position) if secrets_of is not None else None
        try:
            events = super().play(order, chance)
            past = Past(before, line, side, order, self.dice.used, self._replaced)
            past.revealed = secrets_of is not None and secrets_of(self.position) != hidden
            self._past = self._line = past
            self._replaced = None
            if not past.number % STRIDE:
                past.kept = self.position.copy()
            if self._writer is not None:
                self._write(past)
        except IllegalOrder:
            raise
        except BaseException:
            self._cancel(before, line)
            raise
        return events

    def replaced(self, player: str, by: str, reason: str) -> None:
        """From the next order on ``by`` plays for the side that decides; that entry of the log says so."""
        self._replaced = Replaced(player, by, reason)

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
        before, line, by = self._past, self._line, self.by
        try:
            back = self._last_own(by).line
            assert back is not None
            self._go_to(back)
            self._past = past = Past(before, back, by, UNDO, [])
            self.entry = past.n
            self.dice.used = []
            if self._writer is not None:
                self._write(past)
        except BaseException:
            self._cancel(before, line)
            raise

    def _why_no_undo(self) -> Refusal | None:
        last = self._line
        if last.line is None:
            return Refusal("", "undo-nothing", {}, None, "there is nothing to take back")
        if self.sandbox:
            return None
        facts = {"entry": last.n, "by": last.by, "order": str(last.order), "chance": last.chance}
        if last.by != self.by:
            text = f"{last.by} has decided since: {last.order}"
            return Refusal("", "undo-other-side", facts, None, text)
        if last.revealed:
            return Refusal("", "undo-revealed", facts, None, f"{last.order} has shown something hidden")
        if not last.chance:
            return None
        chance = " ".join(map(str, last.chance))
        if any(isinstance(value, str) for value in last.chance):
            return Refusal("", "undo-drew", facts, None, f"{last.order} has drawn {chance}")
        return Refusal("", "undo-rolled", facts, None, f"{last.order} has rolled {chance}")

    def _last_own(self, by: str) -> Past:
        """The last order of a side that stands, or of either if it has none."""
        past = self._line
        while past.line is not None:
            if past.by == by:
                return past
            past = past.line
        return self._line

    def _go_to(self, line: Past) -> None:
        """Restore the position behind an order: the last one kept before it, and the rest again."""
        again: list[Past] = []
        past = line
        while past.kept is None:
            again.append(past)
            assert past.line is not None
            past = past.line
        self.restore(past.kept.copy())
        events, self.events = self.events, False
        try:
            for past in reversed(again):
                self._carry_out(past.order, ScriptedDice(past.chance, self.position.streams))
        finally:
            self.events = events
        self._line = line

    def _cancel(self, before: Past, line: Past) -> None:
        """Back to where an order that failed half-way was given."""
        if self._writer is not None:
            self._writer.keep(before.n)
        self._past = before
        self._go_to(line)
        self.entry = before.n

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
        writer = self._writer
        assert writer is not None
        past.digest = self.position.digest()
        writer.append(past.entry())
        if len(self.position.frames) < 2:  # back at the bottom: an activation has ended, or the game
            writer.sync()

    # -- copies -------------------------------------------------------------------------------

    def _begin_here(self) -> None:
        self._past = self._line = Past(None, None, self.by, UNDO, [])
        self._past.kept = self.position.copy()

    def earlier(self, enough: Callable[[Position], bool]) -> Iterator[core.Game]:
        """The way to this point once more, from a kept position on; what was taken back is left out.

        See :meth:`hexengine.core.game.Game.earlier`.  Nothing comes in a copy with other dice: whoever
        tries things out in one decides alike whether a history is kept or not.
        """
        if self._other_dice:
            return
        played: list[Past] = []
        past = self._line
        while past.kept is None or not (past.line is None or enough(past.kept)):
            played.append(past)
            assert past.line is not None
            past = past.line
        again = self._at_this_point(core.Game.__new__(core.Game), self.seed)
        again.events = False
        again.restore(past.kept.copy())
        for past in reversed(played):
            again.entry = past.n - 1
            yield again
            again._carry_out(past.order, ScriptedDice(past.chance, again.position.streams))

    def copy(self, seed: int | None = None) -> Self:
        """An independent game at the same point, with the same history; it is not written down.

        With ``seed`` the copy's coming dice are those of another game: what a player tries out
        in its head must not tell it the real dice.  In such a copy nobody looks back by :meth:`earlier`.
        """
        new = super().copy(seed if seed is None else _within_bounds(seed))
        new.players = self.players
        new.sandbox = self.sandbox
        new.notices = self.notices[:]
        new._past = self._past
        new._line = self._line
        new._replaced = None
        new._writer = None
        new._other_dice = self._other_dice or seed is not None
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
