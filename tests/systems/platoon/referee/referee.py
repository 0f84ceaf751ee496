"""The referee: it follows a game order by order, and compares its books with the engine's state."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.systems.platoon.referee import arriving, calls, fieldworks, fights, gunnery, orders, riding, turn
from tests.systems.platoon.referee.books import Books, Window
from tests.systems.platoon.referee.crowding import settle
from tests.systems.platoon.referee.ground import Ground
from tests.systems.platoon.referee.losses import stop
from tests.systems.platoon.referee.paper import Difference, Unit
from tests.systems.platoon.referee.sight import Sight
from tests.systems.platoon.referee.walking import step_cost, walk


@cache
def land(text: str) -> tuple[Ground, Sight]:
    """The map of a scenario, and the lines of sight that any game on it has asked for."""
    ground = Ground(tomllib.loads(text))
    return ground, Sight(ground)


class Referee:
    """The books of one game, from the text of its scenario."""

    def __init__(self, text: str) -> None:
        self.allowed: set[str] = set()
        self.books = Books(tomllib.loads(text), *land(text))
        turn.begin(self.books)
        self._settle()

    def follow(self, text: str, events: Sequence[Any]) -> None:
        """Carry out an order; raises Difference if the rules forbid it or other things are told of it."""
        bars = orders.bars_of(self.books, text)
        if bars:
            raise Difference(f"{text!r} was played and is against {sorted(bars)}")
        self.books.telling.hear(events)
        self._play(text.split())
        self._settle()
        self.books.telling.end()

    # -- orders -------------------------------------------------------------------------------------

    def _play(self, words: list[str]) -> None:
        books, verb = self.books, words[0]
        if verb == "draw":
            turn.draw(books)
        elif verb in ("done", "end", "pass"):
            self._close(verb)
        elif verb == "mine":
            self._lay()
        elif verb == "fire":
            self._fire(orders.read_shot(books, words))
        elif verb == "intercept":
            weapon = books.by_id[words[words.index("with") + 1]] if "with" in words else None
            calls.intercept(books, books.by_id[words[1]], weapon, words[-1] == "lead")
        elif verb == "mission":
            calls.call(books, words[1], words[2])
        elif verb == "strike":
            calls.send(books, books.by_id[words[1]])
        elif verb in ("load", "unload"):
            self._transport(verb, words)
        else:
            units = sorted((books.by_id[name] for name in words[1].split(",")), key=lambda unit: unit.number)
            self._act(verb, units, words)

    def _act(self, verb: str, units: list[Unit], words: list[str]) -> None:
        books = self.books
        if verb == "move":
            self._move(units, words[2])
        elif verb in ("assault", "overrun"):
            fights.enter(books, verb, units, words[2])
            self._met(units, words[2])
        elif verb == "enter":
            arriving.enter(books, units, words[2])
            self._met(units, words[2])
        elif verb == "exit":
            arriving.leave(books, units)
        elif verb == "land":
            arriving.land(books, units[0])
        elif verb == "rise":
            arriving.rise(books, units)
        elif verb == "clear":
            fieldworks.clear(books, units[0], words[2])
        else:
            fieldworks.dig(books, units[0])

    def _move(self, units: list[Unit], to: str) -> None:
        books = self.books
        first = next(unit for unit in units if unit.kind != "hq")
        origin, cost = first.hex, step_cost(books, first, to)
        assert origin is not None and cost is not None
        swum = first.ground and books.ground.cost(origin, to, first.mobility) is None
        books.open_group(units)
        walk(books, units, to)
        if first.ground:
            books.control[to] = first.side
        books.telling.expect(
            "move", units=units, hex=to, cost=cost / 2, spent=first.spent / 2, **{"from": origin}
        )
        if swum:
            books.telling.expect("swims", units=units, hex=to)
        self._met(units, to)

    def _met(self, units: list[Unit], label: str) -> None:
        """Units have entered a hex: mines, then what the enemy may do (P4.5)."""
        books = self.books
        if label in books.mines:
            self._halt(fieldworks.strike_and_stop(books, units, label))
        elif fieldworks.may_lay(books, units, label):
            books.laying = label, units
        fighters = [unit for unit in units if unit.fights]
        books.window = Window(books.foe(books.mover()), label, fighters, fighters)

    def _halt(self, stopped: list[Unit]) -> None:
        """Units were stopped: out of an enemy hex they go back (P7.5), and so does who is over the limit."""
        if stopped:
            if self.books.fight:
                fights.turn_back(self.books, stopped)
            settle(self.books, stopped)

    def _lay(self) -> None:
        books = self.books
        assert books.laying is not None
        label, units = books.laying
        books.laying = None
        fieldworks.lay(books, label)
        self._halt(fieldworks.strike_and_stop(books, units, label))

    def _fire(self, shot: gunnery.Shot) -> None:
        books, window = self.books, self.books.window
        if window is None:
            shot.firer.acted = shot.firer.struck = True
            gunnery.attack(books, shot, books.led)
            return
        books.window = window._replace(left=[one for one in window.left if one is not shot.target])
        books.telling.expect("opportunity-fire", unit=shot.firer.id, target=shot.target.id)
        net, out = gunnery.attack(books, shot, books.led_reaction)
        shot.firer.ops = True
        if net:
            stopped = [one for one in [shot.target, *out] if books.on_map(one)]
            stop(books, stopped)
            if books.on_map(shot.target):
                books.telling.expect("stopped", unit=shot.target.id, hex=shot.target.hex)
            self._halt(stopped)

    def _transport(self, verb: str, words: list[str]) -> None:
        books, carrier = self.books, self.books.by_id[words[1]]
        named = (
            [books.by_id[name] for name in words[2].split(",")] if len(words) > 2 else books.aboard(carrier)
        )
        riders = sorted([one for one in named if one.kind != "sw"], key=lambda unit: unit.number)
        if verb == "load":
            riding.board(books, carrier, riders[0])
            books.telling.expect("load", carrier=carrier.id, unit=riders[0].id, hex=carrier.hex)
        else:
            riding.get_off(books, carrier, riders)
            books.telling.expect("unload", carrier=carrier.id, units=riders, hex=carrier.hex)

    # -- what follows of itself -----------------------------------------------------------------------

    def _close(self, verb: str) -> None:
        """An order that ends a decision."""
        books = self.books
        if verb == "end":
            turn.end_activation(books)
        elif verb == "done" and books.group is None:
            books.calling = None
        elif verb == "done":
            self._close_group()
        elif books.laying:
            books.telling.expect("no-mines-laid", side=books.foe(books.mover()), hex=books.laying[0])
            books.laying = None
        elif books.window:
            books.telling.expect("pass", side=books.window.side, hex=books.window.hex)
            books.window = None
        else:
            assert books.strike is not None
            books.telling.expect("strike-passed", side=books.strike.side, hex=books.strike.hex)
            calls.strike_home(books)

    def _close_group(self) -> None:
        books = self.books
        assert books.group is not None
        members = sorted([one for one in books.group if books.on_map(one)], key=lambda unit: unit.number)
        for unit in members:
            unit.acted = True
        settle(books, members, closed=True)
        books.group = None
        books.telling.expect("group-closed", units=members)

    def _settle(self) -> None:
        """Go on as long as nobody has anything to decide; ``allowed`` is then what may be ordered."""
        books = self.books
        while books.result is None:
            kind = orders.kind_of(books)
            if kind == "operations":
                turn.sudden(books)
            waits = books.laying or books.window or books.strike
            if books.result is None and (waits or not books.fight):
                self.allowed = orders.legal(books)
                if not self._goes_on_alone(kind):
                    return
            elif books.fight:
                fights.resolve(books)
        self.allowed = set()

    def _goes_on_alone(self, kind: str) -> bool:
        """Leave a decision that offers nothing; whether it did."""
        books = self.books
        if kind == "draw":
            if any(books.cup.values()):
                return False
            turn.end_turn(books)
        elif self.allowed != {orders.CLOSING[kind]}:
            return False
        elif books.window:
            books.window = None
        elif books.strike:
            calls.strike_home(books)
        else:
            self._close(orders.CLOSING[kind])
        return True

    # -- comparing ------------------------------------------------------------------------------------

    def compare(self, state: dict[str, Any]) -> None:
        """Raise Difference if the engine's state is not what the books say."""
        found = self.state()
        if state["result"] is not None:
            state["result"].pop("level", None)
        for key, value in found.items():
            if state.get(key) != value:
                if isinstance(value, dict) and isinstance(state.get(key), dict):
                    differ = {one for one in {*value, *state[key]} if value.get(one) != state[key].get(one)}
                    mine = {one: value.get(one) for one in sorted(differ)}
                    raise Difference(
                        f"{key}: {mine}, not { {one: state[key].get(one) for one in sorted(differ)} }"
                    )
                raise Difference(f"{key}: {value}, not {state.get(key)}")

    def state(self) -> dict[str, Any]:
        """The books in the form of ``game.state()`` (docs/formats.md)."""
        books = self.books
        over = books.result is not None
        side = None if over else orders.decider(books)
        found: dict[str, Any] = {
            "turn": books.turn,
            "active": books.active,
            "decision": None if over else {"side": side, "kind": orders.kind_of(books)},
            "units": {unit.id: self._unit(unit) for unit in books.units},
            "hexes": self._hexes(),
            "cup": {
                "in": {marker: number for marker, number in books.cup.items() if number},
                "drawn": {marker: number for marker, number in books.drawn.items() if number},
                "held": [side for side in books.sides if side in books.held],
                "waiting": [name for name in books.formations if name in books.waiting],
                "draws": books.draws,
            },
            "control": books.control,
            "score": turn.score(books),
            "result": books.result,
        }
        if side and books.scenario.get("mines", {}).get(side):
            found["mines"] = {side: books.pool[side]}
        given = books.scenario.get("strikes", {})
        supported = [one.get("missions", {}).values() for one in books.formations.values()]
        if any(given.values()) or any(map(any, supported)):
            found["strikes"] = {name: books.strikes[name] for name in books.sides if given.get(name)}
            found["missions"] = {
                name: left
                for name, left in books.missions.items()
                if any(books.formations[name].get("missions", {}).values())
            }
        return found

    def _hexes(self) -> dict[str, dict[str, Any]]:
        books = self.books
        found: dict[str, dict[str, Any]] = {}
        for name, hexes in (("wreck", books.wrecks), ("position", books.positions), ("mines", books.mines)):
            for label in hexes:
                found.setdefault(label, {})[name] = True
        for label, left in books.smoke.items():
            found.setdefault(label, {})["smoke"] = left
        return found

    def _unit(self, unit: Unit) -> dict[str, Any]:
        books = self.books
        bearer = unit.carrier if unit.kind == "sw" and unit.carrier is not None else unit
        placed = books.on_map(bearer) and not unit.lost
        above = bearer.carrier
        status = (
            ("disrupted", bearer.disrupted),
            ("reduced", unit.steps == 1 and unit.two_sided),
            ("fresh", bearer.fresh),
            ("landed", bearer.landed),
            ("carried", placed if unit.kind == "sw" else above is not None),
            ("finished", bearer.acted or bool(above and above.acted)),
            ("due", bearer.due),
            ("eliminated", unit.lost),
        )
        markers = (
            ("ops-complete", bearer.ops),
            ("out-of-command", bearer.ooc),
            (f"depleted-{unit.depleted}", unit.depleted),
        )
        aboard = books.aboard(unit)
        weapons = [books.weapon(one) for one in (unit, *aboard)]
        return {
            "hex": bearer.hex if placed else None,
            "steps": unit.steps,
            "status": [name for name, true in status if true],
            "markers": [name for name, true in markers if true],
            "carrier": None if unit.lost or unit.carrier is None else unit.carrier.id,
            "passengers": [one.id for one in [*aboard, *filter(None, weapons)]],
            "spent": unit.spent,
        }
