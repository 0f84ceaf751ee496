"""A game at the terminal: people type orders, players answer for the other sides, everything is told."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from hexengine.app import paths
from hexengine.app.exits import DONE, FAILED, INTERRUPTED
from hexengine.app.narration import outcome, tell_fault, tell_order
from hexengine.app.prompt import Prompt
from hexengine.app.shorthand import Shorthand
from hexengine.app.words import said
from hexengine.core.errors import HexEngineError, IllegalOrder, InvalidOrder, Refusal
from hexengine.core.orders import split_chance
from hexengine.record.formats import RecordError
from hexengine.record.script import CALLING, WINDOW
from hexengine.view.scenes import Extras, scene, support_lines
from hexengine.view.words import words

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.core.events import Event
    from hexengine.core.orders import Chance, Order
    from hexengine.core.outlook import Outlook
    from hexengine.players import Player
    from hexengine.record.game import Game

UNDO = "undo"
TOLD_LINES = 12
"""Lines of what happened that a board's panel has room for."""


class Way(NamedTuple):
    """Steps still to be taken, by which side, and whether somebody has come between."""

    side: str
    steps: tuple[Order, ...]
    interrupted: bool = False


class Session:
    """One game and those who play it.  ``machines`` answer for their sides, people for all others."""

    def __init__(
        self,
        game: Game,
        terminal: Terminal,
        machines: Mapping[str, Player],
        resume: str,
        budget: float | None = None,
    ) -> None:
        from hexengine.app.verbs import ARGUMENTS, COMMANDS
        from hexengine.players.driver import Driver

        self.game = game
        self.terminal = terminal
        self.machines = machines
        names = {side: machine.name for side, machine in machines.items()}
        self.driver = Driver(game, machines, names, budget=budget, tell=partial(tell_fault, terminal))
        self.resume = resume
        """What to type to go on with this game."""
        self.commands = COMMANDS
        self.arguments = ARGUMENTS
        self.prompt = Prompt(self._complete)
        self.told: list[str] = []
        self.listed: list[Order] = []
        self.way: Way | None = None
        self.leaving = False
        self._stale = True
        self._hinted = -1

    # -- the loop -----------------------------------------------------------------------------

    def run(self) -> int:
        """Play until the game is over, the input ends or somebody leaves; returns the exit code."""
        if not self.prompt.interactive:
            self.show()
        try:
            while not self.leaving:
                decision = self.game.decision
                if decision is None:
                    self.show()
                    self.terminal.say(outcome(self.game), "bold")
                    return DONE
                if decision.side in self.machines:
                    self._told(decision.side, self.driver.play())
                elif self.way is not None and decision.side == self.way.side:
                    self._go_on(self.way)
                elif not self._person_plays():
                    return self._input_ended()
        except KeyboardInterrupt:
            click.echo("\n" + said("interrupted; go on with: {command}", command=self.resume), err=True)
            return INTERRUPTED
        except RecordError as error:
            message = "{error}; the game is kept as far as it was written: {command}"
            click.echo(said(message, error=error, command=self.resume), err=True)
            return FAILED
        self.terminal.say_whole(said("go on with:"), self.resume)
        return DONE

    def _person_plays(self) -> bool:
        """Read a line and do what it says; False at the end of the input."""
        game, decision = self.game, self.game.decision
        assert decision is not None
        if self.prompt.interactive and self._stale:
            self.show()
        if self._hinted != game.entry:
            self._hinted = game.entry
            self._hint()
        line = self.prompt.read(f"[{game.entry + 1}] {decision.side} {decision.kind}> ")
        if line is None:
            return False
        try:
            self.obey(line.strip())
        except IllegalOrder as error:
            self.refuse(error.refusal, error.order)
        except RecordError:
            raise
        except (HexEngineError, click.ClickException) as error:
            text = error.format_message() if isinstance(error, click.ClickException) else str(error)
            self.terminal.say(text, "red")
        return True

    def _input_ended(self) -> int:
        message = "the input ended before the game did ({outcome}); go on with: {command}"
        click.echo(said(message, outcome=outcome(self.game), command=self.resume), err=True)
        return FAILED

    def seen(self) -> Game:
        """The game as it may be seen here: by the only person who plays, or else by the side that decides."""
        sides = self.game.scenario.sides
        people = [number for number, side in enumerate(sides) if side not in self.machines]
        decision = self.game.decision
        if decision is None:
            return self.game
        return self.game.seen_by(people[0] if len(people) == 1 else sides.index(decision.side))

    def outlook(self) -> Outlook:
        """What of it boards and lists show."""
        return self.game.system.view(self.seen().position)

    def shorthand(self) -> Shorthand:
        """What shortened words may stand for."""
        return Shorthand(self.seen())

    def _hint(self) -> None:
        """Who may act, before the first line of a decision is read."""
        decision = self.game.decision
        assert decision is not None
        places: dict[str, list[str]] = {}
        outlook = self.outlook()
        for piece in outlook.pieces:
            if piece.ready:
                label = outlook.ground.map.grid.labels[piece.hex] if piece.hex >= 0 else "-"
                places.setdefault(label, []).append(piece.unit)
        if places:
            groups = "; ".join(f"{label} {', '.join(units)}" for label, units in places.items())
            self.terminal.say(said("can act: {units}", units=groups), "dim")
        if decision.kind == CALLING:
            for line in support_lines(outlook):
                self.terminal.say(line, "dim")
        if decision.kind == WINDOW:
            self.commands["orders"](self, "")

    def _complete(self, line: str, word: str) -> list[str]:
        follows = {name: self.arguments.get(name, "") for name in (UNDO, *self.commands)}
        return self.shorthand().completions(line, word, follows)

    # -- what is typed ------------------------------------------------------------------------

    def obey(self, line: str) -> None:
        """Carry out one line: a command, the number of a listed order, or an order."""
        if line.startswith("#"):
            return
        word, _, rest = line.partition(" ")
        if not line:
            self.commands["orders"](self, "")
        elif word.isascii() and word.isdigit():
            self._pick(line)
        elif word.startswith("["):
            self.order(line)  # dice without an order: whoever reads orders says so
        else:
            verb = self.shorthand().verb(line, word.partition("[")[0], [UNDO, *self.commands])
            if verb in self.commands:
                self._command(verb, rest.strip())
            elif verb == UNDO:
                self._undo(line, rest.strip())
            else:
                self.order(line)

    def _command(self, verb: str, rest: str) -> None:
        """Commands change nothing, so one that takes too long may be broken off."""
        try:
            self.commands[verb](self, rest)
        except KeyboardInterrupt:
            self.terminal.say("\n" + said("{command} was broken off", command=verb))

    def _pick(self, line: str) -> None:
        """A number stands for an order of the list that was shown last, or would be shown now."""
        word, chance = split_chance(line)
        if not word.isdigit():
            raise InvalidOrder(line[:80], said("a number stands alone, or with dice in brackets"))
        self.play(self._numbered(word), chance)

    def _numbered(self, word: str) -> Order:
        """The order that a number stands for; raises UsageError if there are not so many."""
        orders = self.listed or self.game.orders()
        number = int(word) if len(word) < 6 else 0
        if not 1 <= number <= len(orders):
            message = words(
                "there is {count} legal order: an empty line shows it",
                "there are {count} legal orders: an empty line lists them",
                len(orders),
            )
            raise click.UsageError(message.format(count=len(orders)))
        return orders[number - 1]

    def read(self, text: str) -> tuple[Order, list[Chance] | None]:
        """An order from its shortened text or its number, and its dictated dice; raises InvalidOrder, or
        UsageError for a number that no order has.
        """
        body, chance = split_chance(text)
        if body.isascii() and body.isdigit():
            return self._numbered(body), chance
        if body.split() == [UNDO]:
            return self.game.parse(UNDO), chance
        if not body and chance:
            raise InvalidOrder(text[:80], said("dice and markers stand behind an order"))
        return self.game.parse(self.shorthand().expand(body)), chance

    def order(self, text: str) -> None:
        """Play an order; one to a far hex goes step by step, if somebody agrees to the way."""
        order, chance = self.read(text)
        refusal = self.game.why_not(order)
        if refusal is None:
            self.play(order, chance)
            return
        way = paths.answer(self.game, order, refusal) if chance is None else refusal
        if isinstance(way, Refusal):
            self.refuse(way, order)
            return
        paths.tell(self.terminal, self.game, way)
        decision = self.game.decision
        assert decision is not None
        if self.prompt.agree(said("go?")):
            self._go_on(Way(decision.side, way.orders))

    def _go_on(self, way: Way) -> None:
        """Take the steps of a way until somebody comes between."""
        self.way = None
        if way.interrupted and not self.prompt.agree(said("go on with {order}?", order=way.steps[0])):
            return
        steps = way.steps
        while steps:
            refusal = self.game.why_not(steps[0])
            if refusal is not None:
                self.terminal.say(said("the way ends here"), "bold")
                self.refuse(refusal, steps[0])
                return
            self.play(steps[0])
            steps = steps[1:]
            decision = self.game.decision
            if decision is None or not steps:
                return
            if decision.side != way.side:
                self.way = Way(way.side, steps, True)
                return

    def _undo(self, line: str, rest: str) -> None:
        if rest:
            raise InvalidOrder(line[:80], said("undo takes back one order, and nothing stands behind it"))
        self.game.undo()
        self.terminal.say(f"{self.game.by}: undo", "bold")
        self.listed = []
        self._stale = True

    # -- what is told -------------------------------------------------------------------------

    def play(self, order: Order, chance: list[Chance] | None = None) -> None:
        """Play a legal order and tell what came of it; raises as Game.play does."""
        by = self.game.by
        self._told(by, self.game.play(order, chance), order)

    def _told(self, by: str, events: list[Event], order: Order | None = None) -> None:
        """Tell an order that was played; by default the driver's."""
        text, game = str(order or self.driver.order), self.game
        self.told += tell_order(self.terminal, game, by, text, game.dice.used, events)
        del self.told[:-TOLD_LINES]
        self.listed = []
        self._stale = True

    def refuse(self, refusal: Refusal, order: Order) -> None:
        """Say why an order is not legal, by which rule, and what is legal instead."""
        from hexengine.app.rules import tell_shortly

        rule = f" [{refusal.rule}]" if refusal.rule else ""
        self.terminal.say(said("refused: {reason}", reason=refusal.text) + rule, "red")
        if refusal.rule:
            tell_shortly(self.terminal, self.game.scenario.system, refusal.rule)
        instead = refusal.alternative
        if instead is None and str(order) == order.verb != UNDO:
            # Who passes, or is done, where another word says so.
            words_alone = [one for one in self.game.orders() if str(one) == one.verb]
            instead = words_alone[0] if len(words_alone) == 1 else None
        if instead is not None:
            self.terminal.say(said("legal: {order}", order=instead), indent=2)

    def show(self, extras: Extras | None = None, centre: int | None = None) -> None:
        """Draw the board."""
        outlook = self.outlook()
        if centre is None:
            ready = [piece.hex for piece in outlook.pieces if piece.ready and piece.hex >= 0]
            centre = ready[0] if ready else None
        drawing = scene(outlook, (extras or Extras())._replace(log=tuple(self.told)))
        self.terminal.board(drawing, centre=centre, fit=self.prompt.interactive)
        self._stale = False
