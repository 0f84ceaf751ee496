"""The quick verdict on a line of sight and the facts that explain it are one."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from hexengine.hexes import Grid
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.moving import movement
from hexengine.systems.platoon.moving.stacking import place_at
from hexengine.systems.platoon.sight.ground import BLOCKING, OPEN, PARTIAL, Sight
from tests.systems.platoon import made_up


class Ground(NamedTuple):
    """As much of a map as sight asks for."""

    grid: Grid
    levels: list[int]


@pytest.mark.rule("P10.3")
@pytest.mark.parametrize("seed", range(6))
def test_a_line_is_judged_as_its_facts_are(seed):
    """All pairs of hexes of made-up maps, hilly ones among them, without wrecks and with a few."""
    sight, size = made_up.scenario(seed).board.sight, made_up.scenario(seed).board.size
    some = sum(1 << place for place in range(0, size, 5))
    for wrecks in (0, some):
        for a in range(size):
            for b in range(size):
                assert sight.sees(a, b, wrecks) == sight.facts(a, b, wrecks).clear, (a, b)
                assert sight.sees(a, b, wrecks) == sight.sees(b, a, wrecks)


@pytest.mark.rule("P10.4")
@pytest.mark.parametrize("seed", range(8))
def test_so_it_is_among_hills_of_several_levels(seed):
    """Levels 0 to 3, woods, hedges and drawn crests on all sides: the quick verdict is that of the facts."""
    random = Random(f"levels/{seed}")
    grid = Grid(9, 8, random.choice(("flat", "pointy")), random.choice(("even", "odd")))
    levels = [random.choice((0, 0, 0, 1, 1, 2, 3)) for _ in range(grid.size)]
    weights = [random.choice((OPEN, OPEN, OPEN, PARTIAL, BLOCKING)) for _ in range(grid.size)]
    crests = {
        (place, there)
        for place in range(grid.size)
        for there in grid.neighbours[place]
        if there > place and random.random() < 0.1
    }
    sight = Sight(Ground(grid, levels), weights, crests)
    clear = 0
    for wrecks in (0, random.getrandbits(grid.size) & random.getrandbits(grid.size)):
        for a in range(grid.size):
            for b in range(grid.size):
                facts = sight.facts(a, b, wrecks)
                assert sight.sees(a, b, wrecks) == facts.clear, (a, b)
                clear += facts.clear
    assert grid.size < clear < 2 * grid.size**2


@pytest.mark.rule("P6.6")
def test_disrupted_units_are_seen_from_where_they_would_be_not_from_where_they_are():
    """The ways out of another hex are those that they have when they stand there, whoever flies about."""
    compared = 0
    for air in (0, 1):
        for game in made_up.positions(3, 6, every=20, air=air):
            pos, board = game.position, game.board
            for unit in units(pos.placed & board.counted & ~(pos.carried | pos.shuttled)):
                pos.disrupted |= 1 << unit
                for place in range(board.size):
                    there = pos.copy()
                    place_at(there, unit, place)
                    ways = movement.ways(there, unit, place)
                    assert movement.ways(pos, unit, place) == ways, (board.ids[unit], board.labels[place])
                    compared += ways > 0
    assert compared > 1000
