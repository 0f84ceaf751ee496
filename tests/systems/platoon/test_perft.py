"""The cups of scenarios/tiny: their trees have closed forms."""

from pathlib import Path

import pytest

from hexengine.core.game import Game
from hexengine.testing.perft import perft
from hexengine.testing.suite import read_suite
from tests.perft.loading import load

SUITE = Path(__file__).parents[2] / "perft" / "platoon.perft"
CLOSED_FORMS = {1: 3, 2: 11, 3: 49, 4: 261, 5: 1631, 6: 11743}


@pytest.mark.rule("P1.2", "P1.3")
@pytest.mark.parametrize("number", CLOSED_FORMS)
def test_sequences_of_draws(number):
    counted = perft(Game(load(f"cup-{number}")), number + 2)
    assert (counted.leaves, counted.ends) == (CLOSED_FORMS[number],) * 2


def test_the_suite_derives_them():
    entries = {entry.id: entry for entry in read_suite(SUITE)}
    for number, leaves in CLOSED_FORMS.items():
        entry = entries[f"cup-{number}"]
        assert entry.derived
        assert [count.line.values[:3] for count in entry.counts] == [(str(number + 2), *[str(leaves)] * 2)]
