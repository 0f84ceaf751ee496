"""A side whose last units have left the map by an exit has not lost them (P16.2, P4.8)."""

import pytest

from tests.rules.asking import where
from tests.rules.table import begin, play

GAME = """
blue A
    a1 m1 0101
    a2 m1 0101
red B
    b1 t-72 0801
"""
EXIT = '[[victory]]\nkind = "exit"\nside = "blue"\nhex = "0101"\npoints = 3\n'


@pytest.mark.rule("P16.2", "P4.8")
def test_who_marches_off_is_not_beaten_and_points_decide():
    game = begin("........", GAME, active="A", more=EXIT, turns=2)
    play(game, "exit a1,a2")
    assert where(game, "a1") is None
    play(game, "draw [eot]", "draw [eot]")
    assert game.result is None, "the game goes on to its last turn"
    play(game, "draw [eot]", "draw [B]", "end", "draw [eot]")
    assert game.result == {"winner": "blue", "margin": 6, "reason": "points"}
