"""The turn: phases, impulses, and what follows by itself (S1, S2, S12.2, S1.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.systems.squad.referee.forces import MOVING_MARKERS, Unit
from tests.systems.squad.referee.ground import hex_of
from tests.systems.squad.referee.hearing import Hearing
from tests.systems.squad.referee.ledger import Group, Window


class Turns(Hearing):
    """What happens between the orders."""

    def some(self, orders: Iterator[str]) -> bool:
        """Whether there is any; nothing changes while they are looked for."""
        self.memo = {}
        found = next(orders, None) is not None
        self.memo = None
        return found

    def settle(self) -> None:
        """Go on until somebody has something to decide, or the game is over."""
        while self.result is None and self._advance():
            pass

    def _advance(self) -> bool:
        self.hold_ground()
        surprised = self.brawl is not None and self.brawl.ambush
        if (self.brawl is None or surprised) and self._annihilated():
            return False
        if self.brawl is not None:
            return self.settle_brawl(self.brawl)
        if self.window is not None:
            gone = not any(self.units[name].here for name in self.window.units)
            if gone or not self.some(self._shots()):
                self.window = None
                return True
            return False
        if self.group is not None:
            if self._group_done(self.group):
                self.close_group()
                return True
            return False
        if self.phase == "rally":
            return self._advance_rally()
        return self._advance_operations()

    # -- opportunity fire and groups ----------------------------------------------------------

    def _shots(self) -> Iterator[str]:
        """Orders for opportunity fire that are legal, of single units."""
        window = self.window
        assert window is not None
        for unit in self.on_map(self.foe(window.side)):
            yield from self._fire_orders(unit, window.place)

    def _fire_orders(self, unit: Unit, place: str) -> Iterator[str]:
        texts = [f"fire {unit.id} {place}"]
        guns = [g for g in (unit, *self.weapons(unit)) if g.ordnance]
        for gun in guns:
            texts.append(f"fire {unit.id} {place} with {gun.id}")
            for aim in self.at(place, self.foe(unit.side)):
                if aim.vehicle:
                    texts.append(f"fire {unit.id} {place} with {gun.id} at {aim.id}")
        yield from (text for text in texts if self.legal(text))

    def open_window(self, came: Sequence[Unit], place: str) -> None:
        """A step in view may be answered (S9.1); nobody fires into a melee (S9.7)."""
        movers = [u.id for u in came if u.here and u.place == place]
        if movers and place not in self.melees:
            self.window = Window(movers, place, self.side)

    def _group_done(self, group: Group) -> bool:
        going = self.going_on(group)
        if not going:
            return True
        names = ",".join(u.id for u in going)
        place = str(going[0].place)
        if any(self.legal(f"move {names} {to}") for to in self.ground.steps(place)):
            return False
        if any(self.legal(f"unload {u.id}") for u in going):
            return False
        return not self.some(self._group_shots(group))

    def _group_shots(self, group: Group) -> Iterator[str]:
        for name in group.units:
            unit = self.units[name]
            if unit.able and unit.markers & {"assault-move", "stealth"}:
                for target in {str(u.place) for u in self.on_map(self.foe(unit.side))}:
                    yield from self._fire_orders(unit, target)

    def close_group(self) -> None:
        assert self.group is not None
        self.tell("group-closed", units=[name for name in self.group.units if self.units[name].here])
        self.group = None
        self.stopped.clear()

    # -- the Rally Phase ----------------------------------------------------------------------

    def _advance_rally(self) -> bool:
        if self.some(self._rally_orders()):
            return False
        self.end_rally()
        return True

    def _rally_orders(self) -> Iterator[str]:
        mine = self.on_map(self.side)
        weapons = [w for w in self.units.values() if w.weapon and not w.dead]
        for unit in mine:
            texts = [f"rally {unit.id}", f"split {unit.id}"]
            mates = [u for u in mine if u.place == unit.place]
            texts += [f"treat {unit.id} {u.id}" for u in mates if unit.kind == "medic"]
            texts += [f"join {unit.id} {u.id}" for u in mates]
            texts += [f"take {unit.id} {w.id}" for w in weapons]
            yield from (text for text in texts if self.legal(text))

    def end_rally(self) -> None:
        self.rallied_sides += 1
        self.side = self.foe(self.side)
        if self.rallied_sides == 2:
            self.phase, self.side, self.passes = "operations", self.initiative, 0
            self._fresh_impulse()

    # -- impulses -----------------------------------------------------------------------------

    def _fresh_impulse(self) -> None:
        self.active.clear()
        self.acted = self.looked = self.brawled = False
        self.led.clear()
        self.fired_at.clear()
        self.fired_from.clear()
        self.moved_from.clear()
        self.groups = []

    def _advance_operations(self) -> bool:
        if not self.brawled and self.some(self._acts()):
            return False
        self.end_impulse()
        return True

    def _acts(self) -> Iterator[str]:
        """Legal orders of an impulse; of moves and fire only those of single units."""
        mine = self.on_map(self.side)
        foes = {str(u.place) for u in self.on_map(self.foe(self.side))}
        for unit in mine:
            if next(self.against_acting(unit), None) is None:
                yield from (text for text in self._single_acts(unit, mine, foes) if self.legal(text))
            if next(self.against_firer(unit), None) is None:
                for foe in foes:
                    yield from self._fire_orders(unit, foe)
        yield from (t for t in (f"melee {place}" for place in self.melees) if self.legal(t))

    def _single_acts(self, unit: Unit, mine: Sequence[Unit], foes: set[str]) -> Iterator[str]:
        """What a unit might do by itself but fire."""
        place = str(unit.place)
        around = self.ground.around(hex_of(place))
        yield from (f"move {unit.id} {to}" for to in self.ground.steps(place))
        yield from (f"spot {unit.id} {foe}" for foe in foes)
        yield from (f"activate {unit.id}", f"unload {unit.id}")
        yield from (f"load {unit.id} {u.id}" for u in mine if u.vehicle and u is not unit)
        yield from (f"smoke {unit.id} {to}" for to in (hex_of(place), *around))
        yield from (f"face {unit.id} {to}" for to in around if unit.vehicle)
        if self.missions[self.side]:
            yield from (f"call {unit.id} {name}" for name in self.ground.row)

    def end_impulse(self) -> None:
        for unit in self.on_map(self.side):
            idle = not unit.markers & {*MOVING_MARKERS, "fired"}
            if idle and (unit.id in self.led or unit.smoked or unit.id in self.turning):
                self.mark(unit, "ops-complete")
            unit.smoked = False
        self.turning.clear()
        if self.acted:
            self.passes = 0
            self.tell("impulse-ends", side=self.side, passes=0)
        else:
            self.passes += 1
            self.tell("impulse-passed", side=self.side, passes=self.passes)
        self.side = self.foe(self.side)
        self._fresh_impulse()
        if self.passes == 3:
            self.begin_admin()

    turning: set[str]

    # -- Admin Phase and victory --------------------------------------------------------------

    def begin_admin(self) -> None:
        """Melees that had no round first; the rest follows when they are fought (S1.5, S12.2)."""
        self.phase = "admin"

    def _fight_on(self) -> bool:
        for place in sorted(self.melees - self.fought):
            self.begin_round(place, self.initiative, admin=True)
            return True
        return False

    def admin(self) -> bool:
        if self._fight_on():
            return True
        for unit in self.units.values():
            unit.markers.clear()
            unit.spent = 0
        self.spotted.clear()
        self.fought.clear()
        self.smoke = {name: smoke - 1 for name, smoke in self.smoke.items() if smoke > 1}
        self.shells = {name: shell for name, shell in self.shells.items() if shell[1] >= self.turn}
        self.tell("turn-ends", turn=self.turn)
        self._score_turn()
        if self.result is None and not self._objective() and self.turn == self.scenario["turns"]:
            self.game_over("points")
        if self.result is None:
            self._next_turn()
        return True

    def _next_turn(self) -> None:
        self.turn += 1
        faces = [self.die(), self.die()]
        if faces[0] != faces[1]:
            self.initiative = self.sides[0 if faces[0] > faces[1] else 1]
        self.side = self.initiative
        self.phase = "rally"
        self.rallied_sides = 0
        self.handled.clear()
        self.taken.clear()
        self.tell("turn-begins", turn=self.turn, side=self.side, faces=faces)

    def _conditions(self, kind: str) -> Iterator[dict[str, object]]:
        yield from (v for v in self.scenario.get("victory", ()) if v["kind"] == kind)

    def held(self, condition: dict[str, object]) -> int:
        hexes = condition.get("hexes") or [condition["hex"]]
        assert isinstance(hexes, Sequence)
        return sum(self.control.get(name) == condition["side"] for name in hexes)

    def _hold_points(self, condition: dict[str, object]) -> int:
        points = int(str(condition.get("points", 1)))
        if "at_least" in condition:
            return points if self.held(condition) >= int(str(condition["at_least"])) else 0
        return points * self.held(condition)

    def _score_turn(self) -> None:
        for condition in self._conditions("hold"):
            if condition.get("when") == "turn":
                self.points[str(condition["side"])] += self._hold_points(condition)

    def score(self) -> dict[str, int]:
        found = dict(self.points)
        for condition in self._conditions("hold"):
            if condition.get("when", "end") == "end":
                found[str(condition["side"])] += self._hold_points(condition)
        for condition in self._conditions("losses"):
            side = str(condition["side"])
            found[side] += int(str(condition.get("points", 1))) * self.lost[self.foe(side)]
        return found

    def _objective(self) -> bool:
        for condition in self._conditions("hold"):
            hexes = condition.get("hexes") or [condition["hex"]]
            assert isinstance(hexes, Sequence)
            if condition.get("wins") and self.held(condition) >= int(
                str(condition.get("at_least", len(hexes)))
            ):
                self.game_over("objective", str(condition["side"]))
                return True
        return False

    def _annihilated(self) -> bool:
        gone = [side for side in self.sides if not self._alive(side)]
        if gone:
            self.game_over("last-units", self.foe(gone[0]) if len(gone) == 1 else None)
        return bool(gone)

    def _alive(self, side: str) -> bool:
        return any(
            u.side == side and not u.dead and not u.spare and not u.weapon for u in self.units.values()
        )

    def game_over(self, reason: str, winner: str | None = None) -> None:
        score = self.score()
        one, two = self.sides
        margin = abs(score[one] - score[two])
        if reason == "points" and margin:
            winner = one if score[one] > score[two] else two
        self.result = {"winner": winner, "reason": reason, "margin": margin}
        self.phase = "over"
        self.tell("game-over", winner=winner, reason=reason, margin=margin)
