"""The printed map that outlooks of all systems show."""

from __future__ import annotations

from hexengine.content.loader import loads
from hexengine.core.game import Game
from tests.rules.company.table import text_of

FORCES = "red\n p trained\n  a rifle 0101\ngrey\n q trained\n  z rifle 0301\n"


def game(name: str, turns: int) -> Game:
    text = text_of("...", FORCES, turns=turns)
    return Game(loads(text.replace("[map]\n", f'[map]\nnames = {{ 0101 = "{name}" }}\n'), "test.toml"), 0)


def test_equal_maps_keep_their_own_names():
    """Two scenarios on the same ground: each has its own names of places and its last turn."""
    games = [(game("Hof", 3), "Hof", 3), (game("Mill", 5), "Mill", 5)]
    assert games[0][0].board.map == games[1][0].board.map
    for one, name, turns in (*games, games[0]):
        ground = one.system.view(one.position).ground
        assert (dict(ground.names), ground.turns) == ({0: name}, turns)
        assert one.system.view(one.position).ground is ground, "drawings of it are kept"
