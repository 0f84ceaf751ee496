"""Assault and overrun (P7): who may, the dice of both sides, the hits, and who leaves the hex."""

from __future__ import annotations

from typing import NamedTuple

from tests.systems.platoon.referee.books import STACKING_LIMIT, Books, Fight
from tests.systems.platoon.referee.crowding import settle
from tests.systems.platoon.referee.fieldworks import strike
from tests.systems.platoon.referee.gunnery import leader
from tests.systems.platoon.referee.losses import DEAD, eliminate, hurt, shake_hq
from tests.systems.platoon.referee.paper import Unit
from tests.systems.platoon.referee.walking import (
    crowd_elsewhere,
    leaves_hq,
    pay,
    room,
    step_bars,
    step_cost,
    together_bars,
)

OVERRUN_COST = 2
DISRUPTED_TO_HIT = 6
LOWEST_TO_HIT = 2


class Arm(NamedTuple):
    """What a unit brings into a fight; those whose numbers and changes are the same roll together."""

    unit: Unit
    dice: int
    to_hit: int
    printed: int
    changes: tuple[int, ...]
    lead: int


# -- going in ---------------------------------------------------------------------------------------


def overruns(books: Books, units: list[Unit], to: str) -> bool:
    """Whether entering a hex would be an overrun by who enters what (P7.1)."""
    fighters = [one for one in units if one.kind != "hq"]
    foes = books.counted(to, books.foe(units[0].side))
    vehicles = all(one.kind == "hard" for one in fighters) and all(one.kind == "soft" for one in foes)
    return bool(books.ground.row[to].get("overrun")) and vehicles


def gets_through(books: Books, units: list[Unit], to: str) -> bool:
    """Whether vehicles have the MP to leave the far side of a hex, and room there (P7.4)."""
    place = units[0].hex
    assert place is not None
    fighters = [one for one in units if one.kind != "hq"]
    beyond = books.ground.beyond(place, to)
    if beyond is None or len(books.counted(beyond, units[0].side)) + len(fighters) > STACKING_LIMIT:
        return False
    for unit in fighters:
        first = step_cost(books, unit, to)
        onward = books.ground.cost(to, beyond, unit.mobility)
        if onward is None and "amphibious" in unit.flags and books.ground.swims(to, beyond, unit.mobility):
            onward = unit.allowance
        if first is None or onward is None or first + OVERRUN_COST + onward > room(unit):
            return False
    return True


def attack_bars(books: Books, verb: str, units: list[Unit], to: str) -> set[str]:
    """Why able units may not enter a hex by assault or overrun (P7.1, P7.2, P7.4); empty if they may."""
    bars = together_bars(books, units) | crowd_elsewhere(books, units)
    place, fighters = units[0].hex, [one for one in units if one.kind != "hq"]
    assert place is not None
    if units[0].kind == "air":
        return {"P13.2"}
    if to not in books.ground.neighbours[place]:
        return bars | {"P4.2"}
    if len({one.hex for one in units}) > 1 or not fighters:
        return bars
    if not books.counted(to, books.foe(units[0].side)):
        return bars | {"P7.2"}
    if any(one.disrupted for one in fighters):
        bars.add("P7.2")
    for unit in fighters:
        bars |= step_bars(books, unit, to)
    if bars - {"P3.4"}:
        return bars
    over, through = overruns(books, units, to), gets_through(books, units, to)
    if verb == "overrun":
        bars |= set() if over else {"P7.1"}
        bars |= set() if through else {"P7.4"}
    elif over and through:
        bars.add("P7.1")
    if not any(one.value("he" if verb == "overrun" else "assault") for one in fighters):
        bars.add("P7.2")
    if leaves_hq(books, units):
        bars.add("P9.1")
    return bars


def enter(books: Books, verb: str, units: list[Unit], to: str) -> None:
    """The cost is paid and the hex entered; the fight awaits the fire at those who did (P7.5)."""
    origin = units[0].hex
    assert origin is not None
    cost = step_cost(books, next(one for one in units if one.kind != "hq"), to)
    assert cost is not None
    extra = OVERRUN_COST if verb == "overrun" else 0
    books.open_group(units)
    pay(books, units, to, extra)
    books.telling.expect(verb, units=units, hex=to, cost=(cost + extra) / 2, **{"from": origin})
    books.fight = Fight(units[0].side, to, origin, verb == "overrun")


def turn_back(books: Books, stopped: list[Unit]) -> None:
    """Units stopped in an enemy hex return to the hex they left, with an HQ that would be alone (P7.5)."""
    fight = books.fight
    assert fight is not None
    back = [one for one in stopped if one.carrier is None and books.on_map(one) and one.hex == fight.hex]
    for unit in back:
        books.move_to(unit, fight.origin)
    hq = books.hq_at(fight.hex, fight.side)
    if hq is not None and not books.company(hq):
        books.move_to(hq, fight.origin)
        back.append(hq)
    if back:
        names = sorted(back, key=lambda one: one.number)
        books.telling.expect("turned-back", units=names, hex=fight.origin, **{"from": fight.hex})


# -- the fight --------------------------------------------------------------------------------------


def _arms(books: Books, mine: list[Unit], foes: list[Unit], fight: Fight, attacking: bool) -> list[Arm]:
    """P7.3.1 to P7.3.4, P7.4: what one side brings."""
    city = bool(books.ground.row[fight.hex].get("streets"))
    found = []
    for unit in mine:
        if fight.overrun and attacking:
            block = unit.block("he")
            dice, printed = (block.dice, block.to_hit) if block else (0, 6)
        else:
            dice, printed = unit.value("assault"), unit.reaches("assault")
        changes: tuple[int, ...] = ()
        if unit.disrupted:
            changes = (DISRUPTED_TO_HIT - printed,)
        elif fight.overrun:
            changes = (-1,) if attacking else ()
        elif "infantry" in unit.flags and foes and all(foe.kind == "hard" for foe in foes):
            changes = (-1, -1) if city else (-1,)
        found.append(Arm(unit, dice, max(LOWEST_TO_HIT, printed + sum(changes)), printed, changes, 0))
    led = [arm for arm in found if arm.dice and not arm.unit.ops and leader(books, arm.unit, set())]
    if led:
        best = min(led, key=lambda arm: (arm.to_hit, arm.unit.number))
        hq = leader(books, best.unit, set())
        assert hq is not None
        lead = hq.value("leadership")
        found[found.index(best)] = best._replace(dice=best.dice + lead, lead=lead)
    return found


def _roll(books: Books, arms: list[Arm]) -> int:
    """The hits of one side: who hits alike, one below the other, rolls together."""
    hits = 0
    rows: list[list[Arm]] = []
    for arm in arms:
        if rows and rows[-1][-1][2:5] == arm[2:5]:
            rows[-1].append(arm)
        else:
            rows.append([arm])
    for row in rows:
        dice = sum(arm.dice for arm in row)
        if not dice:
            continue
        to_hit = row[0].to_hit
        names = [arm.unit.id for arm in row]
        told = books.telling.expect("close-combat-dice", units=names, dice=dice, to_hit=to_hit)
        made = sum(face >= to_hit for face in told.faces(dice))
        told.agrees(hits=made)
        hits += made
        for arm in row:
            if arm.lead:
                hq = leader(books, arm.unit, set())
                assert hq is not None
                books.telling.expect("leadership", hq=hq.id, unit=arm.unit.id, dice=arm.lead)
    return hits


def _share_out(books: Books, units: list[Unit], hits: int) -> list[int]:
    """P7.3.6: equal shares, and what is left over to one chosen by a die, if any can suffer more."""
    share, left = divmod(hits, len(units))
    found = [share] * len(units)
    if left and any(share < one.steps + (not one.disrupted) for one in units):
        told = books.telling.expect("hit-left-over")
        chosen = 0 if told.faces(1)[0] <= 3 else 1
        told.agrees(unit=units[chosen].id)
        found[chosen] += 1
    return found


def _losses(books: Books, units: list[Unit], hits: list[int]) -> tuple[list[Unit], int]:
    struck, worst = [], 0
    for unit, number in zip(units, hits, strict=True):
        if number:
            struck.append(unit)
            worst = max(worst, hurt(books, unit, number)[0])
    return struck, worst


def resolve(books: Books) -> None:
    """The fight, if anybody is left to attack (P7.3)."""
    fight = books.fight
    assert fight is not None
    books.fight = None
    mine, foes = books.counted(fight.hex, fight.side), books.counted(fight.hex, books.foe(fight.side))
    if not mine:
        return
    made = _roll(books, _arms(books, mine, foes, fight, True))
    taken = _roll(books, _arms(books, foes, mine, fight, False))
    if made and fight.hex in books.positions:
        made -= 1
        books.telling.expect("position-helps", hex=fight.hex)
    on_foes, on_mine = _share_out(books, foes, made), _share_out(books, mine, taken)
    struck, worst = _losses(books, mine, on_mine)
    _, worst_of_foes = _losses(books, foes, on_foes)
    if worst:
        shake_hq(books, fight.side, fight.hex, worst == DEAD)
    if worst_of_foes:
        shake_hq(books, books.foe(fight.side), fight.hex, worst_of_foes == DEAD)
    attackers, defenders = (
        books.counted(fight.hex, fight.side),
        books.counted(fight.hex, books.foe(fight.side)),
    )
    won = bool(attackers) and (not defenders or made > taken)
    code = "assault-won" if won else "assault-lost" if attackers or defenders else "nobody-left"
    books.telling.expect(code, side=fight.side, hex=fight.hex, made=made, taken=taken)
    going_on = [one for one in mine if one not in struck] if fight.overrun and won else []
    for unit in books.standing(fight.hex, fight.side):
        unit.struck = True
        unit.acted |= not (going_on and (unit in going_on or unit.kind == "hq"))
    settle(books, _win(books, fight) if won else _lose(books, fight))


def _win(books: Books, fight: Fight) -> list[Unit]:
    """The defenders retreat straight on or are lost (P7.3.8); the hex is the attackers' (P16.1)."""
    side, beyond = books.foe(fight.side), books.ground.beyond(fight.origin, fight.hex)
    went: list[Unit] = []
    for unit in books.counted(fight.hex, side):
        if _can_retreat(books, unit, beyond):
            _retreat(books, unit, beyond)
            went.append(unit)
        else:
            eliminate(books, unit)
    hq = books.hq_at(fight.hex, side)
    if hq is not None:
        if any(one.formation == hq.formation for one in went) and books.hq_at(beyond, side) is None:
            _retreat(books, hq, beyond)
        else:
            eliminate(books, hq)
    if went:
        assert beyond is not None
        books.control[beyond] = side
        if beyond in books.mines:
            strike(books, went, beyond)
    winners = books.standing(fight.hex, fight.side)
    for unit in winners:
        unit.left = fight.origin
    if any(one.ground for one in winners):
        books.control[fight.hex] = fight.side
    return winners


def _can_retreat(books: Books, unit: Unit, beyond: str | None) -> bool:
    assert unit.hex is not None
    return (
        beyond is not None
        and books.ground.cost(unit.hex, beyond, unit.mobility) is not None
        and not books.held_by(beyond, books.foe(unit.side))
        and len(books.counted(beyond, unit.side)) < STACKING_LIMIT
    )


def _retreat(books: Books, unit: Unit, beyond: str | None) -> None:
    here = unit.hex
    books.move_to(unit, beyond)
    books.telling.expect("retreat", unit=unit.id, hex=beyond, **{"from": here})


def _lose(books: Books, fight: Fight) -> list[Unit]:
    """The attackers go back to the hex they came from."""
    beaten = books.standing(fight.hex, fight.side)
    for unit in beaten:
        books.move_to(unit, fight.origin)
    if beaten:
        books.telling.expect("thrown-back", units=beaten, hex=fight.origin, **{"from": fight.hex})
    return beaten
