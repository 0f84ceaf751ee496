"""Charts: hexagons that fit where they are to be, and texts that are no markup."""

from __future__ import annotations

from itertools import pairwise
from math import dist
from xml.etree import ElementTree

import pytest

from hexengine.hexes.grid import Grid
from hexengine.view.charts import Chart, HexPlan, mix


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("stagger", ["even", "odd"])
@pytest.mark.parametrize("size", [(7, 5), (4, 9), (1, 1), (24, 16)])
def test_a_plan_fits_and_neighbours_touch(orientation, stagger, size):
    grid = Grid(*size, orientation, stagger)
    plan = HexPlan(grid, 10, 20, 300, 200)
    for h in range(grid.size):
        for x, y in plan.corners(h):
            assert 10 - 1e-6 <= x <= 310 + 1e-6
            assert 20 - 1e-6 <= y <= 220 + 1e-6
        for other in grid.neighbours[h]:
            if other >= 0:
                assert dist(plan.centre(h), plan.centre(other)) == pytest.approx(plan.radius * 3**0.5)
    sides = plan.corners(0)
    assert all(dist(a, b) == pytest.approx(plan.radius) for a, b in pairwise(sides))


def test_texts_and_tips_are_escaped():
    chart = Chart(100)
    chart.text(1, 2, "<b>&\x1b[1m")
    chart.rect(1, 2, -3, 4, "#fff", tip="</rect>")
    root = ElementTree.fromstring(chart.svg(50, 'a"<c>'))
    assert [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")] == ["<b>&?[1m"]
    assert "</rect>" in [node.text for node in root.iter("{http://www.w3.org/2000/svg}title")]


def test_colours():
    assert mix(0x000000, 0xFFFFFF, 2) == "#ffffff"
    assert mix(0x102030, 0xFFFFFF, 0) == "#102030"
