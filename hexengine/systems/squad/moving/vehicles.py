"""Vehicles on the move (S4.10): facing, what a step costs them, and who goes along.

A vehicle faces a hexside.  It turns to the hex that it enters, each hexside for a MP.  Passengers stand where
their vehicle does, and count there (S3.1).
"""

from __future__ import annotations

from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad.position import SquadPosition, passengers

TURN_COST = 2
"""Half MP to turn by one hexside."""


def turns(facing: int, direction: int) -> int:
    """By how many hexsides a vehicle turns to face a direction: 0 to 3."""
    around = (direction - facing) % 6
    return min(around, 6 - around)


def ways(pos: SquadPosition, members: int, origin: int) -> tuple[tuple[int, int], ...]:
    """The steps of some units from a place, each with its half MP; those of a vehicle with its turning."""
    places = pos.board.places
    if not members & pos.board.vehicles:
        return places.steps[origin]
    return heading_ways(pos, origin, pos.facing[lowest(members)])


def heading_ways(pos: SquadPosition, origin: int, facing: int) -> tuple[tuple[int, int], ...]:
    """The steps of a vehicle that faces so."""
    drive = pos.board.places.drive[origin]
    return tuple([(to, cost + TURN_COST * turns(facing, direction)) for to, cost, direction in drive])


def entering(pos: SquadPosition, members: int, origin: int, place: int) -> int:
    """A vehicle that goes one step, faced as it goes, with its passengers; others are by themselves."""
    if not members & pos.board.vehicles:
        return members
    vehicle = lowest(members)
    pos.facing[vehicle] = pos.board.grid.direction(origin, place)
    return members | passengers(pos, vehicle)


def underway(pos: SquadPosition, mask: int) -> int:
    """Of some units, the vehicles that move or have moved this turn (S8.4, S14.1)."""
    return mask & pos.board.vehicles & (pos.moved | pos.assault)


def taken_seats(pos: SquadPosition, vehicle: int) -> int:
    """The seats of a vehicle that are taken."""
    return sum([seats_of(pos, unit) for unit in units(passengers(pos, vehicle))])


def seats_of(pos: SquadPosition, unit: int) -> int:
    """The seats that a unit takes: a squad or team two, a half-squad or single man one."""
    board = pos.board
    if board.teams >> unit & 1:
        return 2
    return pos.steps[unit] if board.squads >> unit & 1 else 1
