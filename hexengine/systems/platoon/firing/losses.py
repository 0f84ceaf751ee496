"""What hits do (P6.6), to passengers (P5.12) and HQs (P6.8, P9.3), and how units leave the map."""

from __future__ import annotations

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.events import Emit, Event
from hexengine.mechanics.masks import lowest
from hexengine.systems.platoon.position import PlatoonPosition, stand

NOTHING, DISRUPTED, STEP_LOST, ELIMINATED = range(4)
HQ_LOSS_ROLL = 1
HQ_LOSS_ROLL_UNIT_DIED = 3


def suffer(pos: PlatoonPosition, target: int, hits: int, dice: Dice, emit: Emit) -> None:
    """Apply the uncancelled hits of one attack to a unit, its passengers and its HQ, in that order (P0.3)."""
    side, place = pos.board.side[target], pos.hex[target]
    worst = hurt(pos, target, hits, dice, emit)
    if not pos.board.air >> target & 1:
        shake_hq(pos, side, place, worst == ELIMINATED, dice, emit)


def hurt(pos: PlatoonPosition, target: int, hits: int, dice: Dice, emit: Emit) -> int:
    """Apply the uncancelled hits of an attack to a unit and its passengers; the worst of the unit."""
    passengers = pos.passengers(target)
    came_from = pos.left[target]
    worst = _take_hits(pos, target, hits, emit)
    if worst == ELIMINATED:
        for passenger in passengers:
            _bail_out(pos, passenger, came_from, dice, emit)
    else:
        for passenger in passengers:
            _share(pos, passenger, worst, dice, emit)
    return worst


def shake_hq(pos: PlatoonPosition, side: int, place: int, died: bool, dice: Dice, emit: Emit) -> None:
    """P9.3: what one attack that hurt units of a hex does to an HQ there; ``died``: one was eliminated."""
    hq = pos.at(place, side) & pos.board.hqs
    if hq:
        _hq_suffers(pos, lowest(hq), place, died, dice, emit)


def _take_hits(pos: PlatoonPosition, unit: int, hits: int, emit: Emit) -> int:
    """The ladder of P6.6, hit by hit; the worst that happened.  Passengers of a lost carrier get off."""
    bit = 1 << unit
    worst = NOTHING
    for _ in range(hits):
        if not pos.disrupted & bit:
            disrupt(pos, unit, emit)
            worst = DISRUPTED
        elif pos.steps[unit] > 1:
            lose_step(pos, unit, "P6.6", emit)
            worst = STEP_LOST
        else:
            for passenger in pos.passengers(unit):
                set_down(pos, passenger)
            eliminate(pos, unit, "P6.6", emit)
            return ELIMINATED
    return worst


def set_down(pos: PlatoonPosition, passenger: int) -> None:
    """A passenger stands in its carrier's hex from now on."""
    board = pos.board
    pos.carried &= ~(1 << passenger)
    pos.carrier[passenger] = -1
    stand(pos, board.side[passenger], pos.hex[passenger], 1)


def disrupt(pos: PlatoonPosition, unit: int, emit: Emit) -> None:
    """A unit becomes Disrupted."""
    pos.disrupted |= 1 << unit
    if emit:
        emit(Event("P6.6", "disrupted", {"unit": pos.board.ids[unit]}))


def lose_step(pos: PlatoonPosition, unit: int, rule: str, emit: Emit) -> None:
    """A unit flips to its reduced side."""
    pos.steps[unit] = 1
    if emit:
        emit(Event(rule, "step-lost", {"unit": pos.board.ids[unit]}))


def eliminate(pos: PlatoonPosition, unit: int, rule: str, emit: Emit) -> None:
    """Take a unit out of the game, with its support weapon and with passengers still linked to it.

    A hard unit leaves a wreck (P11.4), a helicopter none; a formation without units
    leaves the cup.
    """
    board = pos.board
    place = pos.hex[unit]
    if emit:
        emit(Event(rule, "eliminated", {"unit": board.ids[unit], "hex": board.labels[place]}))
    if board.hard >> unit & 1 and not pos.wrecks >> place & 1:
        pos.wrecks |= 1 << place
        if emit:
            emit(Event("P11.4", "wreck", {"hex": board.labels[place]}))
    for passenger in pos.passengers(unit):
        eliminate(pos, passenger, rule, emit)
    remove(pos, unit)
    pos.lost |= 1 << unit
    pos.steps[unit] = 0
    if board.hqs >> unit & 1:
        pos.fallen |= 1 << unit
        pos.hqs_lost[board.side[unit]] += 1
    weapon = board.weapon_of[unit]
    if weapon >= 0:
        pos.lost |= 1 << weapon
        pos.steps[weapon] = 0
    retire_if_gone(pos, board.formation[unit], emit)


def alone(pos: PlatoonPosition, hq: int) -> bool:
    """Whether no unit of its own formation is in an HQ's hex (P9.1); units of others are no company."""
    board = pos.board
    return not pos.at(pos.hex[hq], board.side[hq]) & board.formations[board.formation[hq]].fighters


def remove(pos: PlatoonPosition, unit: int) -> None:
    """Take a unit off the map and clear everything that is marked on it."""
    board = pos.board
    place = pos.hex[unit]
    bit = 1 << unit
    if not pos.carried & bit:
        stand(pos, board.side[unit], place, -board.weight[unit])
    pos.hex[unit] = -1
    pos.carrier[unit] = -1
    pos.spent[unit] = 0
    pos.left[unit] = -1
    weapon = board.weapon_of[unit]
    if weapon >= 0:
        bit |= 1 << weapon
        pos.hex[weapon] = -1
    keep = ~bit
    pos.placed &= keep
    pos.disrupted &= keep
    pos.ops &= keep
    pos.ooc &= keep
    pos.fresh &= keep
    pos.carried &= keep
    pos.depleted_1 &= keep
    pos.depleted_2 &= keep
    pos.landed &= keep
    pos.finished &= keep
    pos.fired &= keep
    pos.moved &= keep
    pos.shuttled &= keep
    pos.dismounted &= keep
    pos.halted &= keep
    pos.locked &= keep


def retire_if_gone(pos: PlatoonPosition, formation: int, emit: Emit) -> None:
    """Take a formation's markers out of the cup when it has no unit left and none due (P1.6)."""
    if (pos.placed | pos.due) & pos.board.formations[formation].fighters:
        return
    pos.cup[formation] = 0
    pos.waiting &= ~(1 << formation)
    release(pos, emit)


def release(pos: PlatoonPosition, emit: Emit) -> None:
    """Put a held End of Turn marker back once its side waits for no formation any more (P1.5)."""
    board = pos.board
    for side in (0, 1):
        if pos.held >> side & 1 and not pos.waiting & board.side_formations[side]:
            pos.held &= ~(1 << side)
            pos.cup[board.eot] += 1
            if emit:
                emit(Event("P1.6", "marker-returned", {"side": board.sides[side]}))


def _share(pos: PlatoonPosition, passenger: int, worst: int, dice: Dice, emit: Emit) -> None:
    """P5.12: a passenger is Disrupted with its carrier, and may lose a step with it."""
    if not pos.disrupted >> passenger & 1:
        disrupt(pos, passenger, emit)
    if worst == STEP_LOST and _passenger_die(pos, passenger, dice, emit):
        if pos.steps[passenger] > 1:
            lose_step(pos, passenger, "P5.12", emit)
        else:
            eliminate(pos, passenger, "P5.12", emit)


def _bail_out(pos: PlatoonPosition, passenger: int, came_from: int, dice: Dice, emit: Emit) -> None:
    """P5.12: a passenger whose carrier is lost; one that is reduced already is lost on any die."""
    board = pos.board
    if pos.steps[passenger] == 1 or _passenger_die(pos, passenger, dice, emit):
        eliminate(pos, passenger, "P5.12", emit)
        return
    if not pos.disrupted >> passenger & 1:
        disrupt(pos, passenger, emit)
    lose_step(pos, passenger, "P5.12", emit)
    pos.left[passenger] = came_from
    if pos.active >= 0 and board.partners[pos.active] >> passenger & 1:
        pos.finished |= 1 << passenger
        pos.fired |= 1 << passenger


def _passenger_die(pos: PlatoonPosition, passenger: int, dice: Dice, emit: Emit) -> bool:
    """P5.12: whether a passenger shares its carrier's loss: on an even die."""
    even = dice.even(COMBAT)
    if emit:
        emit(
            Event(
                "P5.12",
                "passenger-hit" if even else "passenger-safe",
                {"unit": pos.board.ids[passenger], "faces": dice.faces},
            )
        )
    return even


def _hq_suffers(pos: PlatoonPosition, hq: int, place: int, died: bool, dice: Dice, emit: Emit) -> None:
    """P9.3: an HQ without a unit of its formation is lost; else a die decides whether it is reduced."""
    board = pos.board
    if alone(pos, hq):
        eliminate(pos, hq, "P9.3", emit)
        return
    limit = HQ_LOSS_ROLL_UNIT_DIED if died else HQ_LOSS_ROLL
    safe = dice.at_least(COMBAT, 1, limit + 1)
    if emit:
        emit(
            Event(
                "P9.3",
                "hq-safe" if safe else "hq-hit",
                {"hq": board.ids[hq], "hex": board.labels[place], "faces": dice.faces, "limit": limit},
            )
        )
    if safe:
        return
    if pos.steps[hq] > 1:
        lose_step(pos, hq, "P9.3", emit)
    else:
        eliminate(pos, hq, "P9.3", emit)
