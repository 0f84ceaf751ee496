"""Each side sees only its own view: hidden units, mines and events of the enemy are not in it."""

from random import Random

import pytest

from hexengine.content.loader import loads
from hexengine.core.errors import IllegalOrder
from hexengine.players import ask, player
from hexengine.record.game import Game
from hexengine.systems.squad.position import shift
from hexengine.systems.squad.sight.observing import observed
from hexengine.testing.positions import check_position
from tests.rules.squad.table import begin, text_of

MAP = "........w.../..f..w.w..../....w..w.f../........w..."
FORCES = """
us
    a squad-us 0101
    b squad-us 0203
    l leader-us 0101
de
    h squad-de 0901 hidden
    k squad-de 0803 hidden
    m mg-de in k
    o squad-de 1204
    e squad-de 1003 event=trap
"""
TABLES = [
    ("mines", {"hex": "0502", "side": "de", "fp": 2}),
    ("event", {"id": "trap", "hex": "0602", "side": "us", "text": "A trap!"}),
]


def hidden_game(**rest):
    return begin(MAP, FORCES, tables=TABLES, **rest)


def test_the_enemy_sees_nothing_of_it():
    game = hidden_game()
    seen = game.seen_by(0).state()
    assert seen["units"]["h"]["hex"] is None and seen["units"]["m"]["hex"] is None
    assert "0502" not in seen["hexes"] and "0602" not in seen["hexes"]
    assert seen["score"] == game.state()["score"]
    pieces = {piece.unit: piece for piece in game.system.view(game.seen_by(0).position).pieces}
    assert pieces["h"].hex < 0 and pieces["h"].states == pieces["e"].states == ("unseen",)
    check_position(game.seen_by(0).position, Random(1))
    game.system.invariants(game.seen_by(0).position)


def test_its_own_side_sees_all_but_what_waits_for_it():
    game = hidden_game()
    assert observed(game.position, 1) is None
    pieces = {piece.unit: piece for piece in game.system.view(game.position).pieces}
    assert "hidden" in pieces["h"].states and "due" in pieces["e"].states


def shuffled(game, number):
    """The game with hidden units, mines and events of de elsewhere, where nobody has met them."""
    other = game.copy()
    pos = other.position
    grid = other.board.grid
    spots = [grid.index(label) for label in ("0901", "0803", "0802", "0904")]
    for unit, place in zip((3, 4), Random(number).sample(spots, 2), strict=True):
        shift(pos, 1 << unit, place)
    pos.mines_1[grid.index("0502")] = 0
    pos.mines_1[grid.index(("0604", "0404", "0704")[number % 3])] = 2
    return other


@pytest.mark.parametrize("name", ["officer", "random"])
def test_no_choice_depends_on_what_is_hidden(name):
    """Along the first part of a game, wherever the hidden things are."""
    game = hidden_game()
    for _ in range(6):
        if game.decision is None or game.decision.side != "us":
            break
        orders = {str(ask(player(name, 3), shuffled(game, number))) for number in range(4)}
        assert orders == {str(ask(player(name, 3), game))}
        game.play(orders.pop())


def test_refusals_and_lists_do_not_tell():
    """What is legal is the same wherever hidden units are."""
    game = hidden_game()
    lists = {tuple(map(str, shuffled(game, number).orders())) for number in range(4)}
    assert len(lists) == 1
    for order in ("spot a 0901", "spot a 0802", "fire a 0901", "fire a 0803"):
        whys = {(w.rule, w.code) for number in range(4) if (w := shuffled(game, number).why_not(order))}
        assert len(whys) == 1


def test_unspotted_is_said():
    game = begin("w....", "us\n a squad-us 0101\nde\n o squad-de 0501")
    pieces = {piece.unit: piece for piece in game.system.view(game.position).pieces}
    assert "unspotted" in pieces["a"].states
    assert "unspotted" not in pieces["o"].states, "it stands in the open"


def test_what_was_revealed_is_not_taken_back():
    """Without a die: a unit that steps next to a hidden one has seen it; before that a step may be undone."""
    text = text_of("w.....", "us\n a squad-us 0501\n q squad-us 0601\nde\n x squad-de 0101 hidden shaken")
    game = Game(loads(text, "undo"), 1)
    game.play("move a 0401")
    game.undo()
    game.play("move a 0401")
    game.play("move a 0301")
    game.play("move a 0201")
    assert game.state()["units"]["x"]["status"] == ["shaken"]
    with pytest.raises(IllegalOrder) as caught:
        game.undo()
    assert caught.value.refusal.code == "undo-revealed"
