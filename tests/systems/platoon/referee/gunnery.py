"""Fire (P6): which block, at which range, with how many dice, and what saves."""

from __future__ import annotations

from typing import NamedTuple

from tests.systems.platoon.referee.books import Books
from tests.systems.platoon.referee.losses import suffer
from tests.systems.platoon.referee.paper import Block, Unit

LOWEST, HIGHEST = 2, 6
AIR_FIRE_LIMIT = 24
"""Half MP that a helicopter may have flown before it fires: 12 hexes (P6.5)."""


class Shot(NamedTuple):
    """An attack by fire, from an order's text: ``hex`` is where the target is shot at."""

    firer: Unit
    target: Unit
    weapon: Unit | None
    lead: bool


def bounded(dice: int, to_hit: int) -> tuple[int, int]:
    """Dice and number within its bounds: each point over 6 takes a die away (P6.3)."""
    return (dice - max(0, to_hit - HIGHEST), min(HIGHEST, max(LOWEST, to_hit)))


def leader(books: Books, unit: Unit, used: set[Unit]) -> Unit | None:
    """The HQ that may lend a unit its leadership (P9.4)."""
    hq = books.hq_of(unit.formation)
    if hq is None or not books.on_map(hq) or hq.hex != unit.hex or hq in used:
        return None
    return hq if hq.value("leadership") else None


def block_against(shot: Shot) -> tuple[Block | None, bool]:
    """The block that serves against a target, and whether it is HE in place of AA (P13.2)."""
    source = shot.weapon or shot.firer
    if shot.target.kind == "air":
        if source.block("aa"):
            return source.block("aa"), False
        return (None if "indirect" in source.flags else source.block("he")), True
    return source.block("ap" if shot.target.kind == "hard" else "he"), False


def range_modifier(block: Block, distance: int) -> int | None:
    """What the range adds to the number to hit (P6.2); None: too far."""
    if block.limit:
        return 0 if distance <= block.range else None
    if distance <= max(1, block.range // 2):
        return -1
    if distance <= block.range:
        return 0
    return 1 if distance <= 2 * block.range else None


def makeshift_modifier(block: Block, distance: int) -> int | None:
    """The same for HE in place of AA (P13.2)."""
    return 2 if distance <= block.range else None


def way_of(books: Books, shot: Shot) -> tuple[bool, int] | None:
    """Whether fire is indirect, and the smoke that it meets (P12.4, P12.5); None if nobody sees there."""
    firer, target = shot.firer, shot.target
    assert firer.hex is not None and target.hex is not None
    if books.sees(firer, target):
        return False, books.sight.smoke(firer.hex, target.hex, books.smoke)
    if "indirect" not in firer.flags or firer.formation != books.active:
        return None
    lines = [
        books.sight.smoke(eye, target.hex, books.smoke)
        for eye in books.observers(firer.formation)
        if books.sight.sees(eye, target.hex, books.wrecks)
    ]
    return (True, min(lines)) if lines else None


def strength(books: Books, shot: Shot, used: set[Unit]) -> tuple[int, int] | set[str]:
    """Dice and number to hit of a shot, or the rules by which it cannot be made."""
    firer, target, source = shot.firer, shot.target, shot.weapon or shot.firer
    assert firer.hex is not None and target.hex is not None
    bars: set[str] = set()
    block, makeshift = block_against(shot)
    distance = max(1, books.ground.distance(firer.hex, target.hex))
    hq = leader(books, firer, used) if shot.lead else None
    if shot.lead and hq is None:
        bars.add("P9.4")
    way = way_of(books, shot)
    if way is None:
        bars |= _unseen(books, shot, distance)
    if block is None or not block.dice:
        return bars | {"P6.3"}
    if block.missile and target.kind == "hard" and source.depleted:
        bars.add("P6.9")
    modifier = makeshift_modifier(block, distance) if makeshift else range_modifier(block, distance)
    if modifier is None:
        bars.add("P6.2")
    if block == source.block("he") and distance < source.type.get("minimum", 0):
        bars.add("P12.5")
    if bars:
        return bars
    assert modifier is not None and way is not None
    moved = firer.moved and firer.kind != "air"
    dice, to_hit = bounded(
        block.dice + (hq.value("leadership") if hq else 0), block.to_hit + modifier + moved + way[0] + way[1]
    )
    return (dice, to_hit) if dice > 0 else {"P6.3"}


def _unseen(books: Books, shot: Shot, distance: int) -> set[str]:
    if "indirect" in shot.firer.flags and shot.firer.formation == books.active:
        return {"P12.2"}
    if shot.target.landed and distance > 3:
        return {"P13.1"}
    in_the_air = any(one.kind == "air" and not one.landed for one in (shot.firer, shot.target))
    return {"P10.6"} if in_the_air else {"P10.1", "P13.1"} if shot.firer.landed else {"P10.1"}


def save_dice(books: Books, target: Unit, origin: str | None) -> int:
    """Armour and cover (P6.4); ``origin``: where direct fire comes from."""
    if target.kind == "air":
        return target.value("armour")
    label = target.hex
    assert label is not None
    bonus = books.ground.row[label].get(target.kind, 0) + (label in books.wrecks)
    if origin is not None and origin != label and books.options.get("wall_cover"):
        stretches = books.sight.between(origin, label)
        last = stretches[-1].hexes if stretches else (origin,)
        bonus += min(0 if one is None else books.ground.wall_dice(one, label) for one in last)
    return target.value("armour") + (min(bonus, 2) if target.kind == "hard" else bonus)


def after_saves(books: Books, target: Unit, hits: int, origin: str | None = None) -> int:
    """The hits that saves and an improved position leave (P6.4, P11.1)."""
    if not hits:
        return 0
    number, reach = save_dice(books, target, origin), target.reaches("armour")
    told = books.telling.expect("save", target=target.id, dice=number, **({"save": reach} if number else {}))
    saves = sum(face >= reach for face in told.faces(number))
    sheltered = (
        hits > saves
        and target.hex in books.positions
        and target.kind != "air"
        and not books.standing(target.hex, books.foe(target.side))
    )
    net = max(0, hits - saves - sheltered)
    told.agrees(saves=saves, net=net)
    if sheltered:
        books.telling.expect("position-cancels", target=target.id, hex=target.hex)
    return net


def attack(books: Books, shot: Shot, used: set[Unit]) -> tuple[int, list[Unit]]:
    """Resolve a legal shot: the hits that count, and passengers that bailed out."""
    firer, target, source = shot.firer, shot.target, shot.weapon or shot.firer
    assert firer.hex is not None and target.hex is not None
    power = strength(books, shot, used)
    assert isinstance(power, tuple)
    dice, to_hit = power
    hq = leader(books, firer, used) if shot.lead else None
    lead = hq.value("leadership") if hq else 0
    told = books.telling.expect(
        "fire", unit=firer.id, weapon=source.id, target=target.id, to=target.hex, dice=dice, to_hit=to_hit,
        lead=lead, distance=max(1, books.ground.distance(firer.hex, target.hex)), **{"from": firer.hex},
    )  # fmt: skip
    hits = sum(face >= to_hit for face in told.faces(dice))
    told.agrees(hits=hits)
    parts = sum(part.value for part in told.facts["parts"])
    told.agrees(to_hit=min(HIGHEST, max(LOWEST, parts)))
    if hq is not None:
        used.add(hq)
        books.telling.expect("leadership", hq=hq.id, unit=firer.id, dice=lead)
    net = after_saves(books, target, hits, firer.hex)
    block, _ = block_against(shot)
    if block is not None and block.missile and target.kind == "hard" and not hits:
        source.depleted = 2
        books.telling.expect("depleted", unit=source.id)
    return net, suffer(books, target, net) if net else []


def fire_bars(books: Books, unit: Unit) -> set[str]:
    """Why a unit that can act may not fire now (P6.1, P6.5); empty if it may."""
    bars: set[str] = set()
    if unit.kind == "hq":
        bars.add("P9.1")
    if unit.kind == "sw":
        bars.add("P3.5")
    if unit.disrupted:
        bars.add("P6.6")
    if unit.landed:
        bars.add("P13.1")
    if unit.rode and (unit.rider or books.aboard(unit)):
        bars.add("P5.7")
    if unit.moved:
        if unit.struck:
            bars.add("P6.1")
        if unit.kind != "air" and "fire-on-move" not in unit.flags:
            bars.add("P4.1")
        elif unit.spent > (AIR_FIRE_LIMIT if unit.kind == "air" else unit.half):
            bars.add("P6.5")
    return bars


def target_bars(books: Books, target: Unit, side: str) -> set[str]:
    """Why something is no target for a side; empty if it is one."""
    bars: set[str] = set()
    if target.side == side or not target.fights or not books.on_map(target):
        bars.add("P6.1")
    if target.carrier is not None and target.kind != "sw":
        bars.add("P5.12")
    return bars


def shot_bars(books: Books, shot: Shot, side: str, used: set[Unit]) -> set[str]:
    """Why a unit that may fire may not make this shot; empty if it may."""
    bars = target_bars(books, shot.target, side)
    if shot.weapon is not None and shot.weapon is not books.weapon(shot.firer):
        bars.add("P3.5")
    if bars or not books.on_map(shot.firer):
        return bars
    power = strength(books, shot, used)
    return power if isinstance(power, set) else set()


def shots(books: Books, firer: Unit, targets: list[Unit], side: str, used: set[Unit]) -> list[Shot]:
    """The legal shots of a unit that may fire."""
    weapon = books.weapon(firer)
    leads = (False, True) if leader(books, firer, used) else (False,)
    found = []
    for target in targets:
        for source in (None, weapon) if weapon else (None,):
            for lead in leads:
                shot = Shot(firer, target, source, lead)
                if not shot_bars(books, shot, side, used):
                    found.append(shot)
    return found
