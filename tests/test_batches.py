"""Batches as programs ask for them: of a scenario that is loaded, named, or in a file."""

from __future__ import annotations

import inspect

import pytest

import hexengine as hx
from hexengine import lab


def test_a_batch_takes_a_scenario_its_name_or_its_file():
    scenario = hx.load("reaction")
    wanted = [hx.batch(one, ["random", "random"], 3, seed=5).results for one in (scenario, "reaction")]
    assert wanted[0] == wanted[1]
    assert scenario.path is not None
    assert hx.batch(scenario.path, ["random", "random"], games=3, seed=5).results == wanted[0]


def test_a_name_that_nobody_knows():
    with pytest.raises(hx.ContentError, match='did you mean "reaction"'):
        hx.batch("reactoin", ["random", "random"], 1)


def test_it_shows_what_can_be_set():
    assert inspect.signature(hx.batch) == inspect.signature(lab.batch)
