"""Steps in masks, against the grid asked hex by hex."""

import random

import pytest

from hexengine.hexes import Grid
from hexengine.mechanics import masks
from hexengine.mechanics.masks import nth, units
from hexengine.mechanics.ways import Ways

GRIDS = [Grid(*size, orientation, stagger) for size in ((7, 5), (1, 6), (6, 1), (4, 9))
         for orientation in ("flat", "pointy") for stagger in ("odd", "even")]  # fmt: skip


def table_of(grid, rng=None):
    """By hex, its neighbours as a mask; with a generator only some of them."""
    return [
        sum(1 << to for to in around if to >= 0 and (rng is None or rng.random() < 0.6))
        for around in grid.neighbours
    ]


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_a_mask_takes_the_steps_of_all_its_hexes_and_no_others(grid):
    rng = random.Random(3)
    table = table_of(grid, rng)
    ways = Ways.of(table)
    for _ in range(20):
        places = rng.getrandbits(grid.size)
        expected = 0
        for place in units(places):
            expected |= table[place]
        assert ways.spread(places) == expected
    for a in range(grid.size):
        assert [b for b in range(grid.size) if ways.leads(a, b)] == list(units(table[a]))


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_steps_towards_a_hex_are_those_that_shorten_the_distance(grid):
    ways = Ways.of(table_of(grid))
    for goal in range(0, grid.size, 3):
        for within in (0, 2, 3, 99):
            closing = ways.towards(goal, within)
            for a, around in enumerate(grid.neighbours):
                for b in around:
                    if b >= 0:
                        closer = grid.distance(b, goal) < min(within, grid.distance(a, goal))
                        assert bool(closing[b - a] >> a & 1) == closer, (goal, within, a, b)


def test_steps_into_hexes_can_be_taken_away():
    grid = Grid(5, 5)
    ways = Ways.of(table_of(grid))
    wet = 1 << grid.index("0303") | 1 << grid.index("0101")
    dry = ways.without(ways.into(wet))
    whole = (1 << grid.size) - 1
    assert dry.spread(whole) == whole & ~wet
    assert ways.spread(whole) == whole


def test_the_unit_with_so_many_before_it():
    rng = random.Random(5)
    for _ in range(200):
        mask = rng.getrandbits(rng.choice([1, 7, 28, 200])) | 1 << rng.randrange(200)
        assert [nth(mask, number) for number in range(mask.bit_count())] == list(units(mask))


def test_masks_are_remembered_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(masks, "_MEMO_LIMIT", 3)
    known = masks._Units()
    for mask in range(20):
        assert known[mask] == tuple(bit for bit in range(5) if mask >> bit & 1)
        assert len(known) <= 3
