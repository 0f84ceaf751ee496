"""The conformance kit on every shipped scenario, whatever its system."""

import pytest

import hexengine
from hexengine.content.data import data_file
from hexengine.content.resources import shipped_scenarios
from hexengine.testing import conformance
from hexengine.testing.playing import transcripts_elsewhere

SHIPPED = shipped_scenarios()


def everything():
    """All shipped scenarios."""
    return [hexengine.load(shipped.name) for shipped in SHIPPED]


def run(name, games, share, seed=1):
    scenario = hexengine.load(name)
    catalogue = {rule.id for rule in data_file(scenario.system, "rules").value.rule}
    return conformance.run(scenario, games=games, seed=seed, share=share, catalogue=catalogue)


@pytest.mark.parametrize("shipped", SHIPPED, ids=[shipped.name for shipped in SHIPPED])
def test_every_promise_is_kept(shipped):
    """One game of the large ones, several of the small ones; longer runs are for the night."""
    found = run(shipped.name, games=5 if shipped.tiny else 1, share=0.1 if shipped.tiny else 0.02)
    assert found.orders > 0


def test_games_are_the_same_whatever_the_hash_seed():
    """What ``factory`` asks of the kit, but with one process for all scenarios."""
    told = transcripts_elsewhere("tests.testing.test_shipped:everything")
    assert len(told[0].splitlines()) > 20 * len(SHIPPED)
    assert told[0] == told[1] == told[2]
