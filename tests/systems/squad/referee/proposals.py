"""Orders that somebody might write about a position, legal or not."""

from __future__ import annotations

from random import Random

from tests.systems.squad.referee.forces import Unit
from tests.systems.squad.referee.ground import hex_of
from tests.systems.squad.referee.hearing import MODES
from tests.systems.squad.referee.referee import Referee


def proposals(referee: Referee, chance: Random, count: int) -> list[str]:
    """So many texts of orders, made of the units, places and verbs of the decision that is open."""
    assert referee.decision is not None
    side, kind = referee.decision
    makers = {
        "rally": (_rally, _pair),
        "operations": (_move, _move, _fire, _fire, _single, _single, _pair),
        "group": (_move, _go_on, _go_on, _fire, _single),
        "reaction": (_fire, _react, _react),
        "melee": (_strike,),
    }[kind]
    return [chance.choice(makers)(referee, chance, side) for _ in range(count)]


def _unit(referee: Referee, chance: Random, side: str) -> Unit:
    return chance.choice(referee.on_map(side) or referee.fighters)


def _some(referee: Referee, chance: Random, side: str) -> list[Unit]:
    """Units of one place, mostly."""
    first = _unit(referee, chance, side)
    others = referee.at(str(first.place), side) if chance.random() < 0.95 else referee.on_map(side)
    return [u for u in others if u is first or chance.random() < 0.4] or [first]


def _names(units: list[Unit]) -> str:
    return ",".join(u.id for u in units)


def _near(referee: Referee, chance: Random, unit: Unit) -> str:
    """A place around a unit."""
    place = str(unit.place)
    around = [hex_of(place), *referee.ground.around(hex_of(place))]
    if chance.random() < 0.05:
        around = list(referee.ground.row)
    return chance.choice([p for name in around for p in referee.ground.places(name)])


def _far(referee: Referee, chance: Random, side: str) -> str:
    """A place, mostly one of the enemy."""
    foes = [str(u.place) for u in referee.on_map(referee.foe(side))]
    if foes and chance.random() < 0.9:
        return chance.choice(foes)
    return chance.choice(list(referee.ground.row))


def _move(referee: Referee, chance: Random, side: str) -> str:
    units = _some(referee, chance, side)
    modes = [mode for mode in MODES if chance.random() < 0.2]
    return " ".join(["move", _names(units), _near(referee, chance, units[0]), *modes])


def _go_on(referee: Referee, chance: Random, side: str) -> str:
    going = referee.going_on(referee.group) if referee.group else []
    if not going:
        return _move(referee, chance, side)
    return f"move {_names(going)} {_near(referee, chance, going[0])}"


def _fire(referee: Referee, chance: Random, side: str) -> str:
    return _at(referee, chance, _some(referee, chance, side), _far(referee, chance, side))


def _react(referee: Referee, chance: Random, side: str) -> str:
    assert referee.window is not None
    return _at(referee, chance, _some(referee, chance, side), referee.window.place)


def _at(referee: Referee, chance: Random, units: list[Unit], place: str) -> str:
    """Fire at a place, at times with ordnance and at a vehicle."""
    text = f"fire {_names(units)} {place}"
    guns = [gun for u in units for gun in (u, *referee.weapons(u)) if gun.ordnance]
    if guns and chance.random() < 0.5:
        text = f"fire {_names(units[:1])} {place} with {chance.choice(guns).id}"
    vehicles = [u for u in referee.fighters if u.vehicle]
    if " with " in text and vehicles and chance.random() < 0.5:
        text += f" at {chance.choice(vehicles).id}"
    return text


def _single(referee: Referee, chance: Random, side: str) -> str:
    unit = _unit(referee, chance, side)
    verb = chance.choice(("activate", "spot", "smoke", "call", "face", "unload", "melee"))
    if verb in ("activate", "unload"):
        return f"{verb} {unit.id}"
    if verb == "melee":
        return f"melee {chance.choice([str(unit.place), *referee.melees])}"
    place = _far(referee, chance, side) if verb in ("spot", "call") else hex_of(_near(referee, chance, unit))
    return f"{verb} {unit.id} {place}"


def _rally(referee: Referee, chance: Random, side: str) -> str:
    return f"{chance.choice(('rally', 'split'))} {_unit(referee, chance, side).id}"


def _pair(referee: Referee, chance: Random, side: str) -> str:
    unit = _unit(referee, chance, side)
    verb = chance.choice(("treat", "join", "take") if referee.phase == "rally" else ("load",))
    mates = referee.at(str(unit.place), side) if chance.random() < 0.8 else referee.on_map(side)
    if verb == "take":
        mates = referee.guns or mates
    if verb == "load":
        mates = [u for u in referee.on_map(side) if u.vehicle] or mates
    return f"{verb} {unit.id} {chance.choice(mates or [unit]).id}"


def _strike(referee: Referee, chance: Random, side: str) -> str:
    assert referee.brawl is not None
    place = referee.brawl.place
    foes = [u for u in referee.at(place, referee.foe(side)) if chance.random() < 0.6]
    foes = foes or referee.at(place) or referee.on_map()
    return f"strike {_names(foes)}"
