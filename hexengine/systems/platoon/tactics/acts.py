"""What a formation may do in its operations: shots, moves, transport, entering and leaving the map."""

from __future__ import annotations

from typing import Any

from hexengine.core.orders import Order
from hexengine.core.tactics import Candidate, Reason
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.platoon.acting import ENTERING
from hexengine.systems.platoon.choices import by_place
from hexengine.systems.platoon.firing.fire import fire_bar
from hexengine.systems.platoon.moving.stacking import crowded
from hexengine.systems.platoon.moving.transport import load_bar, unload_bar
from hexengine.systems.platoon.operations import Group, Operations
from hexengine.systems.platoon.orders.book import Enter
from hexengine.systems.platoon.position import STACKING_LIMIT
from hexengine.systems.platoon.tactics.air import landing, rising
from hexengine.systems.platoon.tactics.assault import Fight, best_fights
from hexengine.systems.platoon.tactics.fire import Shot, best_shot
from hexengine.systems.platoon.tactics.goals import ATTACK, LEAVE, Mission
from hexengine.systems.platoon.tactics.moves import Plan, best_move, most_to_gain
from hexengine.systems.platoon.tactics.paths import FAR
from hexengine.systems.platoon.tactics.view import SCALE, View
from hexengine.systems.platoon.tactics.works import works

SHOTS_FIRST = 2_000_000
"""Added to shots: they may silence those who would shoot at whoever moves.  No move gains nearly as much,
whatever counts, but that out of a hex over the limit.
"""

ENTRY_FIRST = 4_000_000
"""Added to the entry of reinforcements: those who wait are of no use."""

FIGHTS_FIRST = 1_000_000
"""Added to assaults and overruns: they come when the others have fired, and before anybody moves."""

RIDE_WORTH = 1.0
"""Activations that infantry must save to be loaded."""


class Acts:
    """The candidates of one decision in operations."""

    def __init__(self, view: View, frame: Operations | Group, explain: bool) -> None:
        self.view = view
        self.frame = frame
        self.explain = explain
        self.opening = isinstance(frame, Operations)
        self.able = frame.able(view.pos)
        self.found: list[Candidate] = []
        self.fights: dict[int, Fight] = {}
        self.ways: list[tuple[Order, list[int]]] = []
        """Each order that begins a way, with the way that its units would go."""

    def candidates(self) -> list[Candidate]:
        """Everything worth a thought, the best first; closing scores nothing.

        Without ``explain`` no more is worked out than the best one needs.
        """
        pos, frame = self.view.pos, self.frame
        stacks = by_place(pos, self.able)
        # Leaving a hex over the limit comes before everything else, so then there is no end before the moves.
        every = self.explain or bool(crowded(pos, self.able))
        if self.opening and pos.due & self.view.board.formations[frame.formation].members:
            self._entries()
        for place, here in stacks:
            self.fights.update(best_fights(self.view, frame.formation, place, here))
        shots = self._shots(self.able & self.view.board.fighters)
        if shots and (every or not self.found):
            self._choose_shots(shots)
        if self.fights and (every or not self.found):
            self._choose_fights()
        if every or not self.found:
            for place, here in stacks:
                self._stack(place, here, shots)
        self._add(frame.closing, 0, ())
        if len(self.found) > 1:
            self.found.sort(key=_score)
        return self.found

    def _add(self, order: Order, score: float, reasons: tuple[Reason, ...]) -> None:
        self.found.append(Candidate(order, score, reasons if self.explain else ()))

    # -- one hex --------------------------------------------------------------------------------

    def _shots(self, able: int) -> dict[int, Shot]:
        """The best shots of the units that may fire, the best of all first."""
        view, pos = self.view, self.view.pos
        found = {}
        for unit in units(able):
            if fire_bar(pos, unit):
                continue
            # Nothing in sight without wrecks is nothing in sight, but for mortars.
            if view.board.indirect >> unit & 1 or view.best_shot_from(unit, pos.hex[unit]):
                shot = best_shot(view, unit, pos.led)
                if shot is not None:
                    found[unit] = shot
        return dict(sorted(found.items(), key=_by_gain)) if len(found) > 1 else found

    def _choose_shots(self, shots: dict[int, Shot]) -> None:
        """Shots that are better than the best move of whoever fires: they come before all moves."""
        view, board = self.view, self.view.board
        for unit, shot in shots.items():
            score = shot.gain * view.weights.damage / 100
            reasons = [Reason("damage", score, (("target", board.ids[shot.order.target]),))]
            if unit in self.fights and self.fights[unit].gain > score:
                if not self.explain:
                    continue
            elif self._rather_than_move(unit, score):
                score += SHOTS_FIRST
                reasons.append(Reason("shots-first", SHOTS_FIRST))
            elif not self.explain:
                continue
            self._add(shot.order, score, tuple(reasons))
            if not self.explain:
                return

    def _choose_fights(self) -> None:
        """Assaults and overruns: the best of those of each unit, before all moves."""
        view = self.view
        for fight in {fight.order: fight for fight in self.fights.values()}.values():
            self._add(fight.order, fight.gain + FIGHTS_FIRST,
                      (*fight.reasons(view), Reason("fights-first", FIGHTS_FIRST)))  # fmt: skip

    def _rather_than_move(self, unit: int, score: float) -> bool:
        """Whether a unit does better to fire than to make its best move."""
        view = self.view
        hqs, company = self._staff(view.pos.hex[unit], self.able)
        if self.opening and not view.pos.disrupted >> unit & 1:
            hq = lowest(hqs) if hqs and not company & ~(1 << unit) else -1
            if score * SCALE >= most_to_gain(view, unit, hq):
                return True
        plan = self._plan(1 << unit, hqs, company)
        return plan is None or score >= plan.gain / SCALE

    def _staff(self, place: int, able: int) -> tuple[int, int]:
        """The able HQ in a hex, and the formation's units that it may stay with; 0 and 0 if there is none."""
        view, pos, board = self.view, self.view.pos, self.view.board
        if pos.here[view.side * board.size + place] < 16 or not able & board.hqs:
            return 0, 0
        there = pos.at(place, view.side)
        return there & able & board.hqs, there & board.formations[self.frame.formation].fighters

    def _stack(self, place: int, here: int, shots: dict[int, Shot]) -> None:
        """Transport and moves of the able units in a hex."""
        view, pos, board = self.view, self.view.pos, self.view.board
        hqs, company = self._staff(place, here)
        fighters = here & ~board.hqs
        if fighters & (board.transports | board.riders):
            for unit in units(fighters):
                self._transport(unit, place)
        if board.has_works:
            for order, score, reason in works(view, fighters, place):
                self._add(order, score, (reason,))
        if board.exits[view.side]:
            for unit in units(fighters):
                self._exit(unit, place, hqs, company)
        if fighters & board.air:
            self._helicopters(fighters, place)
            return
        if not fighters & (fighters - 1):
            if fighters:
                self._move(fighters, hqs, company)
            return
        alike: dict[Any, int] = {}
        for unit in units(fighters):
            key = (unit,) if unit in shots else (
                view.kin(unit, -1), pos.spent[unit], (pos.dismounted | pos.moved) >> unit & 1
            )  # fmt: skip
            alike[key] = alike.get(key, 0) | 1 << unit
        for mine in alike.values():
            if not self._move(mine, hqs, company) and mine & (mine - 1):
                self._move(mine & -mine, hqs, company)

    def _helicopters(self, here: int, place: int) -> None:
        """Helicopters move one by one; in the opening they may also rise or land."""
        for unit in units(here):
            landed = self.view.pos.landed >> unit & 1
            if not landed:
                self._move(1 << unit, 0, 0)
            change = (rising if landed else landing)(self.view, unit, place) if self.opening else None
            if change is not None:
                order, score, reason = change
                self._add(order, score, (reason,))

    def _plan(self, mine: int, hqs: int, company: int) -> Plan | None:
        """The best move of units that are alike, with the HQ if nobody would stay with it."""
        hq = lowest(hqs) if hqs and not company & ~mine else -1
        return best_move(self.view, mine, lowest(mine), hq, self.opening)

    def _move(self, mine: int, hqs: int, company: int) -> bool:
        """Add the best move of units that are alike, if there is one worth it."""
        plan = self._plan(mine, hqs, company)
        if plan is None:
            return False
        group = mine | hqs if hqs and not company & ~mine else mine
        reasons = plan.reasons(self.view, lowest(mine)) if self.explain else ()
        order = self.view.board.orders.move(group, plan.step)
        self.ways.append((order, plan.way))
        self._add(order, plan.gain / SCALE, reasons)
        return True

    def _exit(self, unit: int, place: int, hqs: int, company: int) -> None:
        """Whoever is to leave the map leaves it where that scores."""
        view, board = self.view, self.view.board
        mission = view.missions.get(unit)
        if mission is not None and mission.kind == LEAVE and place in board.exits[view.side]:
            mine = 1 << unit
            order = board.orders.exit(mine | hqs if hqs and not company & ~mine else mine)
            self._add(order, mission.value, (Reason(LEAVE, mission.value, (("hex", board.labels[place]),)),))

    # -- transport ------------------------------------------------------------------------------

    def _transport(self, unit: int, place: int) -> None:
        view, pos, board = self.view, self.view.pos, self.view.board
        if board.transports >> unit & 1:
            for rider in pos.passengers(unit):
                self._unload(unit, rider, place)
        elif board.riders >> unit & 1:
            mission = view.missions.get(unit)
            if mission is not None and not pos.disrupted >> unit & 1:
                self._load(unit, place, mission)

    def _activations(self, unit: int, place: int, goal: int) -> float:
        """How many activations a unit needs from one hex to another."""
        board = self.view.board
        return self.view.tables.paths.towards(board.mobility[unit], goal)[place] / (
            board.allowance[unit] or 1
        )

    def _load(self, rider: int, place: int, mission: Mission) -> None:
        """Infantry that has far to go is taken along."""
        pos, board = self.view.pos, self.view.board
        on_foot = self._activations(rider, place, mission.hex)
        if on_foot <= (2 if mission.kind == ATTACK else 1):
            return
        group = -1 if self.opening else self.able
        mates = pos.placed & board.formations[self.frame.formation].fighters & board.transports & ~pos.carried
        for carrier in units(mates):
            if pos.hex[carrier] != place or load_bar(pos, carrier, rider, group):
                continue
            saved = on_foot - self._activations(carrier, place, mission.hex) - 1
            if saved >= RIDE_WORTH:
                weapon = board.weapon_of[rider]
                order = board.orders.load(carrier, 1 << rider | (1 << weapon if weapon >= 0 else 0))
                score = 30 + 10 * min(5.0, saved)
                self._add(order, score, (Reason("ride", score, (("hex", board.labels[mission.hex]),)),))

    def _unload(self, carrier: int, rider: int, place: int) -> None:
        """Passengers get off where they are to stay, and where they are better off outside."""
        view, pos, board = self.view, self.view.pos, self.view.board
        if unload_bar(pos, carrier, rider):
            return
        if pos.here[view.side * board.size + place] & 15 >= STACKING_LIMIT:
            # Somebody would have to go again at once.
            return
        mission = view.missions.get(carrier)
        score = 0.0
        if mission is not None and mission.kind != LEAVE:
            near = self._activations(rider, place, mission.hex)
            if mission.kind == ATTACK:
                score = self._safer(carrier, rider, place) if near <= 3 else 0.0
            elif place == mission.hex:
                score = 40 + self._safer(carrier, rider, place)
            elif near <= 1:
                score = self._safer(carrier, rider, place)
        if score > 0:
            self._add(
                board.orders.unload(carrier),
                score,
                (Reason("dismount", score, (("hex", board.labels[place]),)),),
            )

    def _safer(self, carrier: int, rider: int, place: int) -> float:
        """What getting off spares the passenger, and the shots it gains, in hundredths."""
        view, foe = self.view, self.view.foe
        worth = view.tables.worth
        pos = view.pos
        loaded = foe.at(worth.target(pos, carrier), place)
        empty = foe.at(worth.target(pos, carrier, False), place)
        outside = foe.at(worth.target(pos, rider), place)
        weights = view.weights
        spared = (loaded - empty - outside) * weights.exposure / 100
        return spared + view.best_shot_from(rider, place) * weights.outlook / 100

    # -- on and off the map ---------------------------------------------------------------------

    def _entries(self) -> None:
        """Reinforcements come on where they have least far to go, as many as may together."""
        view, pos, board = self.view, self.view.pos, self.view.board
        orders = self.frame.orders(pos, ENTERING)
        if not orders:
            return
        goal = self._main_effort()
        for order in orders:
            assert isinstance(order, Enter)
            fighters = order.units & ~board.hqs
            unit = lowest(fighters) if fighters else lowest(order.units)
            far = FAR
            if board.mobility[unit] >= 0 and goal >= 0:
                far = view.tables.paths.towards(board.mobility[unit], goal)[order.hex]
            score = ENTRY_FIRST + 20 * order.units.bit_count() - far / 4
            self._add(order, score, (Reason("enter", score, (("hex", board.labels[order.hex]),)),))

    def _main_effort(self) -> int:
        """The hex that reinforcements are needed at: the best task, else the nearest enemy."""
        view = self.view
        tasks = view.tables.goals.orders(view.pos, view.side).tasks
        if tasks:
            return tasks[0].task.hex
        return view.foe.enemies[0].hex if view.foe.enemies else -1


def _score(candidate: Candidate) -> float:
    return -candidate.score


def _by_gain(entry: tuple[int, Shot]) -> int:
    return -entry[1].gain
