"""The perft files: every number counted again, and the trees walked a second way."""

import pytest

from hexengine.core.game import Game
from hexengine.testing.perft import by_brute_force, perft
from hexengine.testing.suite import check_suite, read_suite
from tests.perft.loading import SUITES, load

ENTRIES = [pytest.param(entry, id=f"{path.stem}-{entry.id}") for path in SUITES for entry in read_suite(path)]


@pytest.mark.parametrize("path", SUITES, ids=[path.stem for path in SUITES])
def test_numbers_are_as_written(path):
    assert not check_suite(path, load)


@pytest.mark.parametrize("entry", ENTRIES)
def test_listed_orders_are_those_that_the_judge_accepts(entry):
    """The same tree from all orders there can be, filtered by ``check``: needs no stored number."""
    game = Game(load(entry.scenario))
    depth = min(2, *(count.depth for count in entry.counts))
    assert perft(game, depth, orders=by_brute_force(game)) == perft(game, depth)


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_whole_tree_has_probability_one(entry):
    game = Game(load(entry.scenario))
    assert perft(game, min(count.depth for count in entry.counts)).mass == 1
