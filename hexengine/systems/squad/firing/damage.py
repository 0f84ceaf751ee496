"""Attacks on a place and the damage checks of who is in it (S8.2, S8.5 to S8.8)."""

from __future__ import annotations

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.events import Contribution, Emit, Event
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad import control
from hexengine.systems.squad.position import SquadPosition, passengers, put, stand, take_off

NONE, SHAKEN, WOUNDED, STUNNED, HALVED, ELIMINATED = range(6)
"""What a damage check may do; STUNNED is wounded and Shaken."""
RESULTS = ("no-effect", "shaken", "wounded", "stunned", "halved", "eliminated")

SQUAD_COLUMN = (SHAKEN, HALVED, ELIMINATED)
SMALL_COLUMN = (SHAKEN, ELIMINATED, ELIMINATED)
HERO_COLUMN = (WOUNDED, WOUNDED, ELIMINATED)
LEADER_COLUMN = (SHAKEN, STUNNED, ELIMINATED)
ARMOURED_COLUMN = (SHAKEN, SHAKEN, SHAKEN)
"""Results beyond the morale, at twice and at three times it (S8.5)."""


def column(pos: SquadPosition, unit: int) -> tuple[int, int, int]:
    """A unit's column of the damage table; medics, scouts and snipers use the leaders' (S8.5)."""
    board = pos.board
    if board.armoured >> unit & 1:
        return ARMOURED_COLUMN
    if board.heroes >> unit & 1:
        return HERO_COLUMN
    if board.singles >> unit & 1:
        return LEADER_COLUMN
    return SQUAD_COLUMN if board.squads >> unit & 1 and pos.steps[unit] == 2 else SMALL_COLUMN


def best_lm(pos: SquadPosition, side: int, place: int) -> int:
    """The highest LM of a leader in good order in a place (S8.2, S8.5)."""
    board = pos.board
    best = 0
    for unit in units(pos.at(place, side) & board.leaders & ~pos.shaken):
        if board.lm[unit] > best:
            best = board.lm[unit]
    return best


def in_motion(pos: SquadPosition, mask: int) -> int:
    """Of some units, those easier to hit for moving, or having moved (S4.9), but by S7.9 and S7.15."""
    return mask & (pos.moved | pos.assault) & ~(pos.crawl | pos.stealth | pos.board.vehicles)


def lead_over(pos: SquadPosition, unit: int, base: int, moving: int) -> int:
    """By how much an attack that is ahead by ``base`` is so of one unit, before the dice (S4.9, S8.4).

    ``moving`` are those whose moving counts: men are easier to hit for it, a vehicle harder.  A vehicle has
    its thinnest armour beside the cover.
    """
    data = pos.board.armour[unit]
    going = moving >> unit & 1
    return base + going if data is None else base - data.lowest - going


def strike(
    pos: SquadPosition,
    rule: str,
    place: int,
    targets: int,
    attack: list[Contribution],
    defence: list[Contribution],
    moving: int,
    dice: Dice,
    emit: Emit,
) -> None:
    """One attack on units of one side in a place: a die each and the sums; then damage checks (S8.2).

    ``moving`` are those of the targets whose moving counts: for the attack (S4.9), or against it (S8.4).
    """
    board = pos.board
    plus = sum([part.value for part in attack])
    minus = sum([part.value for part in defence])
    base = plus - minus
    top = base + 1 if moving else base
    vehicles = targets & board.vehicles
    if vehicles:
        top = max([lead_over(pos, unit, base, moving) for unit in units(targets)])
    duel = dice.duel(COMBAT, max(-5, -top))
    if emit:
        emit(
            Event(
                rule,
                "attack",
                {
                    "hex": board.labels[place],
                    "units": [board.ids[unit] for unit in units(targets)],
                    "attack": plus,
                    "defence": minus,
                    "parts": attack,
                    "cover": defence,
                    "moving": [board.ids[unit] for unit in units(moving & ~vehicles)],
                    "armoured": [
                        f"{board.ids[unit]} {lead_over(pos, unit, 0, moving)}" for unit in units(vehicles)
                    ],
                    "faces": dice.faces,
                    "difference": max(0, duel + top),
                },
            )
        )
    if duel + top <= 0:
        return
    side = board.side[lowest(targets)]
    for first in (board.leaders, ~board.leaders):
        for unit in units(targets & first):
            lead = lead_over(pos, unit, base, moving) if vehicles else base + (moving >> unit & 1)
            margin = duel + lead
            if margin > 0 and pos.placed >> unit & 1:
                lm = 0 if board.leaders >> unit & 1 else best_lm(pos, side, place)
                check(pos, unit, margin, lm, dice, emit)


def check(pos: SquadPosition, unit: int, margin: int, lm: int, dice: Dice, emit: Emit) -> None:
    """A unit's damage check: a die and the margin, less the LM of its leader (S8.5)."""
    board = pos.board
    bit = 1 << unit
    morale = (board.shaken_morale if pos.shaken & bit else board.morale)[unit][pos.steps[unit]]
    need = morale + 1, 2 * morale, 3 * morale
    limits = [limit - margin + lm for limit in need]
    heroic = board.options.hero_creation and board.men & bit and _spare_hero(pos, unit) >= 0
    if heroic:
        limits = sorted([*limits, 2])
    reached = dice.band(COMBAT, 1, limits)
    faces = dice.faces
    natural_one = heroic and reached == sum(limit <= 1 for limit in limits)
    if heroic and not natural_one:
        reached -= 1
    result = NONE if not reached else column(pos, unit)[reached - 1]
    if emit:
        facts = {
            "unit": board.ids[unit], "faces": faces, "margin": margin, "lm": lm, "morale": morale,
            "result": RESULTS[result],
        }  # fmt: skip
        emit(Event("S8.5", "damage-check", facts))
    if result:
        place, riders = pos.place[unit], passengers(pos, unit) if pos.aboard else 0
        suffer(pos, unit, result, emit)
        if riders and not pos.placed & bit:
            from hexengine.systems.squad.moving.hazards import mines

            mines(pos, riders, place, dice, emit)
    if natural_one:
        _make_hero(pos, unit, dice, emit)


def suffer(pos: SquadPosition, unit: int, result: int, emit: Emit) -> None:
    """A result takes effect; who loses good order, or has it no more and loses men, stops (S2.5, S5.5)."""
    board = pos.board
    bit = 1 << unit
    if result == SHAKEN and pos.shaken & bit:
        # S8.6: a second Shaken result.
        if (board.singles | board.vehicles) & bit or board.options.shaken_twice == "nothing":
            return
        result = HALVED if pos.steps[unit] == 2 else ELIMINATED
    elif result in (WOUNDED, STUNNED) and pos.wounded & bit:
        # S8.7: a second wound.
        result = ELIMINATED
    if result == ELIMINATED:
        eliminate(pos, unit, "S8.5", emit)
        return
    if result == HALVED:
        stand(pos, board.side[unit], pos.place[unit], -1)
        pos.steps[unit] = 1
    if result in (WOUNDED, STUNNED):
        pos.wounded |= bit
    if result != WOUNDED:
        pos.shaken |= bit
    if pos.shaken & bit:
        pos.stopped |= bit
        control.settle(pos, board.places.hex_of[pos.place[unit]])
    if emit:
        emit(Event("S8.5", RESULTS[result], {"unit": board.ids[unit]}))


def eliminate(pos: SquadPosition, unit: int, rule: str, emit: Emit) -> None:
    """Take a unit out of the game; its weapon lies where it fell (S8.11), and of a vehicle the wreck."""
    board = pos.board
    place = pos.place[unit]
    if emit:
        emit(Event(rule, "eliminated", {"unit": board.ids[unit], "hex": board.labels[place]}))
    tell_dropped(pos, unit, emit)
    take_off(pos, unit)
    pos.steps[unit] = 0
    if not board.spares >> unit & 1:
        pos.lost |= 1 << unit
    bit = 1 << place
    if board.vehicles >> unit & 1:
        pos.wrecks[board.places.hex_of[place]] = 1
    if pos.melee & bit and not pos.taken_0 & pos.taken_1 & bit:
        pos.melee &= ~bit
    control.settle(pos, board.places.hex_of[place])


def tell_dropped(pos: SquadPosition, unit: int, emit: Emit) -> None:
    """Tell that the weapon of a unit about to be taken off the map will lie where it stood (S8.11)."""
    weapon = pos.weapon(unit)
    if weapon >= 0 and emit:
        board = pos.board
        facts = {"weapon": board.ids[weapon], "hex": board.labels[pos.place[unit]]}
        emit(Event("S8.11", "dropped", facts))


def _spare_hero(pos: SquadPosition, unit: int) -> int:
    """A hero of the unit's side and family that can still be made where it stands, or -1."""
    board = pos.board
    side, place = board.side[unit], pos.place[unit]
    if pos.here[side * board.places.count + place] >> 4 >= board.limit_singles:
        return -1
    for hero in units(board.spares & board.heroes & ~pos.placed):
        if board.side[hero] == side and board.family[hero] == board.family[unit]:
            return hero
    return -1


def _make_hero(pos: SquadPosition, unit: int, dice: Dice, emit: Emit) -> None:
    """S8.8: a natural 1, and then an even die, make a hero."""
    board = pos.board
    board = pos.board
    hero, place = _spare_hero(pos, unit), pos.place[unit]
    if place < 0 or hero < 0 or not dice.even(COMBAT):
        return
    pos.steps[hero] = 1
    put(pos, hero, place)
    control.settle(pos, board.places.hex_of[place])
    if emit:
        emit(
            Event("S8.8", "hero", {"unit": board.ids[hero], "hex": board.labels[place], "faces": dice.faces})
        )
