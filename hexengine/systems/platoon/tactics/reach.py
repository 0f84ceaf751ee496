"""Where units may go and by which way: the very steps that the rules accept (P4, P5, P6.6, P3.4, P9.1).

A search over what each class of the group has spent.  It asks ``movement.ways`` for every step and
``steps.check_step`` wherever stacking might forbid one, so there is no second judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from hexengine.mechanics.masks import lowest, mask_of, units
from hexengine.systems.platoon.moving import helicopters
from hexengine.systems.platoon.moving.helicopters import check_group
from hexengine.systems.platoon.moving.movement import ways
from hexengine.systems.platoon.moving.stacking import counted, crowded, place_at
from hexengine.systems.platoon.moving.steps import check_step
from hexengine.systems.platoon.operations import Group, Operations
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition
from hexengine.systems.platoon.scenario.chart import AIR_COST

Spent = tuple[int, ...]
"""Half MP that a way costs, for each movement class of a group."""


class Ways(NamedTuple):
    """What a search found.

    ``costs``: for each hex where the group may stay, what the member that pays most has paid;
    ``before``: for each label of the search its hex and the label before it, -1 for the start;
    ``labels``: for each hex of ``costs`` the label that reached it.
    """

    costs: dict[int, int]
    labels: dict[int, int]
    before: list[tuple[int, int]]

    def hexes(self, place: int) -> list[int]:
        """The way to a hex of ``costs``, from the start on."""
        found = []
        label = self.labels[place]
        while label >= 0:
            here, label = self.before[label]
            found.append(here)
        found.reverse()
        return found


NOWHERE = Ways({}, {}, [])


class _Party(NamedTuple):
    """A group on its way: masks, and the movement classes that its members pay by."""

    mine: int
    hq: int
    fighters: tuple[int, ...]
    classes: tuple[int, ...]
    start: int
    formation: int
    side: int
    members: int
    """The able units of the open group; 0 if none is open."""


def _party(pos: PlatoonPosition, chosen: Sequence[int]) -> _Party | None:
    """The group, or None if these units cannot take a step together."""
    board = pos.board
    mine = mask_of(chosen)
    if not mine or mine & ~board.movers or mine & ~pos.placed or mine & pos.carried:
        return None
    start = pos.hex[lowest(mine)]
    formation = board.formation[lowest(mine)]
    if any(pos.hex[unit] != start or board.formation[unit] != formation for unit in units(mine)):
        return None
    fighters = units(mine & ~board.hqs)
    if not fighters:
        return None
    members = 0
    frame = next((f for f in reversed(pos.frames) if isinstance(f, (Operations, Group))), None)
    if frame is not None and frame.formation == formation:
        if mine & ~frame.able(pos):
            return None
        if isinstance(frame, Group):
            members = frame.able(pos)
            over = crowded(pos, members)
            if over and start not in {pos.hex[unit] for unit in units(over)}:
                return None
    classes = tuple(sorted({board.mobility[unit] for unit in fighters}))
    return _Party(
        mine, mine & board.hqs, fighters, classes, start, formation, board.side[fighters[0]], members
    )


def search(pos: PlatoonPosition, chosen: Sequence[int], limit: int = 1 << 30) -> Ways:
    """Every hex where units that stand together may go together and stay, for at most ``limit`` half MP."""
    party = _party(pos, chosen)
    if party is None:
        return NOWHERE
    if party.mine & pos.board.air:
        return _flight(pos, party, limit)
    trial = pos.copy()
    costs: dict[int, int] = {}
    labels: dict[int, int] = {}
    before: list[tuple[int, int]] = []
    seen: dict[int, list[Spent]] = {}
    room = STACKING_LIMIT - len(party.fighters)
    here = pos.here
    base = party.side * pos.board.size
    stuck = _others_first(pos, party)
    queue: list[tuple[int, Spent, int, int, int, int]] = [
        (0, (0,) * len(party.classes), 0, party.start, -1, -1)
    ]
    while queue:
        cost, spent, steps, place, _, label = heappop(queue)
        known = seen.setdefault(place, [])
        if any(all(a <= b for a, b in zip(other, spent, strict=True)) for other in known):
            continue
        known.append(spent)
        before.append((place, label))
        number = len(before) - 1
        if place not in costs and (place == party.start or here[base + place] & 15 <= room):
            costs[place] = cost
            labels[place] = number
        if steps == 1:
            _set_off(trial, party)
        if steps and stuck and here[base + place] & 15 <= room:
            continue
        for target, paid in _steps(pos, trial, party, place, spent, steps):
            dearest = max(paid)
            if dearest <= limit:
                heappush(queue, (dearest, paid, steps + 1, target, place, number))
    return Ways(costs, labels, before)


def _flight(pos: PlatoonPosition, party: _Party, limit: int) -> Ways:
    """The same for helicopters: every hex costs the same, and nobody is in the way (P13.1)."""
    costs = {party.start: 0}
    labels: dict[int, int] = {party.start: 0}
    before = [(party.start, -1)]
    if check_group(pos, party.mine) is not None:
        return Ways(costs, labels, before)
    trial = pos.copy()
    queue = [party.start]
    for place in queue:
        paid = costs[place] + AIR_COST
        directions = 63
        for unit in party.fighters:
            trial.spent[unit] = pos.spent[unit] + costs[place]
            directions &= helicopters.ways(trial, unit, place)
        for direction in units(directions if paid <= limit else 0):
            there = pos.board.neighbours[place][direction]
            if there not in costs:
                costs[there] = paid
                labels[there] = len(before)
                before.append((there, labels[place]))
                queue.append(there)
    return Ways(costs, labels, before)


def _others_first(pos: PlatoonPosition, party: _Party) -> bool:
    """Whether others of the open group are over the limit, here or elsewhere, once this group has set off."""
    if counted(pos, party.side, party.start) - len(party.fighters) > STACKING_LIMIT:
        return True
    others = crowded(pos, party.members & ~party.mine)
    return any(pos.hex[unit] != party.start for unit in units(others))


def _set_off(trial: PlatoonPosition, party: _Party) -> None:
    """The first step is taken: what only a first step may do is over."""
    trial.moved |= party.mine
    trial.halted |= trial.dismounted & party.mine
    trial.dismounted &= ~party.mine


def _steps(
    pos: PlatoonPosition, trial: PlatoonPosition, party: _Party, place: int, spent: Spent, steps: int
) -> list[tuple[int, Spent]]:
    """The legal next steps of a group: the hex, and what it will have spent."""
    board = pos.board
    paid = dict(zip(party.classes, spent, strict=True))
    directions = 63
    for unit in party.fighters:
        trial.spent[unit] = pos.spent[unit] + paid[board.mobility[unit]]
        directions &= ways(trial, unit, place)
    number = len(party.fighters)
    own, enemy = party.side * board.size, (1 - party.side) * board.size
    found: list[tuple[int, Spent]] = []
    for direction in units(directions):
        target = board.neighbours[place][direction]
        if pos.here[enemy + target]:
            continue
        present = pos.here[own + target]
        if place != party.start and target == party.start:
            present -= number + (16 if party.hq else 0)
        if party.hq and present >= 16:
            continue
        crowd = (present & 15) + number > STACKING_LIMIT or pos.here[own + place] & 15 > STACKING_LIMIT
        if (crowd or not steps) and not _legal(pos, trial, party, place, target, steps):
            continue
        found.append(
            (
                target,
                tuple(
                    [paid[mobility] + board.costs[mobility][place][direction] for mobility in party.classes]
                ),
            )
        )
    return found


def _legal(
    pos: PlatoonPosition, trial: PlatoonPosition, party: _Party, place: int, target: int, steps: int
) -> bool:
    """What the rules say to a step, asked with the group really standing where it has come to."""
    if not steps:
        return check_step(pos, party.formation, party.mine, party.members, target) is None
    there = trial.copy()
    for unit in units(party.mine):
        place_at(there, unit, place)
    members = party.members or party.mine
    return check_step(there, party.formation, party.mine, members, target) is None
