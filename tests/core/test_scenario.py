"""Scenarios between processes: pickled as their text, and made anew where they arrive."""

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from hexengine.core.errors import HexEngineError
from tests import toy


def test_a_scenario_is_made_anew_from_its_text():
    """With where its file lies, which the text does not tell."""
    scenario = replace(toy.scenario(), path=Path("somewhere.toml"), shipped=True)
    again = pickle.loads(pickle.dumps(scenario))
    assert again == scenario
    assert again.board is not scenario.board


def test_other_data_make_another_scenario():
    """A process that reads other data files must not play on as if nothing were the matter."""
    scenario = replace(toy.scenario(), digest="of other files")
    with pytest.raises(HexEngineError, match="toy: the data files have changed"):
        pickle.loads(pickle.dumps(scenario))


def test_a_scenario_that_nobody_can_make():
    with pytest.raises(HexEngineError, match="toy: nothing says how"):
        pickle.dumps(replace(toy.scenario(), remake=None))
