"""What is hidden from a side: no player is given it, and none of this package asks for it."""

import json

import pytest

from hexengine import players
from hexengine.content.loader import loads
from hexengine.record.game import Game
from hexengine.testing.playing import choose, chooser
from tests.rules.table import scenario

FORCES = """
    blue A markers 2
        hq hq-us 0101
        t1 m1 0101
        t2 m1 0101
        c1 m113 0102
        i1 engineers in c1
    red B markers 2
        h9 hq-su 0901
        t9 t-72 0901
        t8 t-72 0902
        c9 btr-70 0903
        i9 inf-su in c9
"""
HOLD = '[[victory]]\nkind = "hold"\nside = "{}"\nhex = "{}"\n'
GOAL = HOLD.format("blue", "0902") + HOLD.format("red", "0102")
POOL = {"blue": 2, "red": 3}


def begin(seed=0):
    text = scenario("\n".join(["...w....."] * 3), FORCES, turns=4, head={"mines": POOL}, more=GOAL,
                    on_map={"mines": ["0402"]})  # fmt: skip
    return Game(loads(text, "mined"), seed)


def shuffled(game, side, number):
    """The same game in which the other side has so many minefields left."""
    other = game.copy()
    other.position.pool[1 - side] = number
    return other


def positions(seed, every=3):
    game, random = begin(seed), chooser(seed)
    while game.decision:
        if game.entry % every == 0:
            yield game, game.scenario.sides.index(game.decision.side)
        game.play(choose(game, random))


@pytest.mark.rule("P11.2")
@pytest.mark.parametrize("name", ["random", "recruit", "officer", "veteran"])
def test_what_the_enemy_may_still_lay_makes_no_difference_to_a_choice(name):
    """Asked directly, without anything taken away: these players do not look."""
    looked = 0
    options = {"nodes": 60} if name == "veteran" else {}
    for seed in range(4):
        for game, side in positions(seed):
            player = players.player(name, seed, **options)
            chosen = {str(player.choose(shuffled(game, side, number))) for number in (0, 1, 5)}
            assert len(chosen) == 1, chosen
            looked += 1
    assert looked > 60


@pytest.mark.rule("P11.2")
def test_nor_to_one_that_looks_ahead():
    """It tries out what may come, in games that it is handed without what is hidden."""
    looked = 0
    for game, side in positions(2, every=9):
        chosen = {
            str(players.ask(players.player("veteran", nodes=200), shuffled(game, side, number)))
            for number in (0, 4)
        }
        assert len(chosen) == 1, chosen
        looked += 1
    assert looked > 5


@pytest.mark.rule("P11.2")
def test_nor_to_anything_that_a_player_is_shown():
    for game, side in positions(7):
        shown = set()
        for number in (0, 1, 5):
            other = shuffled(game, side, number)
            state = json.dumps(other.state())
            shown.add((state, repr(other.system.view(other.position)), tuple(map(str, other.orders()))))
        assert len(shown) == 1


class Spy:
    """A player of another package, who looks wherever he can."""

    name = "spy"

    def __init__(self):
        self.seen = []

    def choose(self, game, *, explain=False):
        side = game.scenario.sides.index(game.decision.side)
        self.seen.append((game.position.pool[1 - side], game.position.pool[side]))
        past, told = game._past, 0
        while past is not None:
            told = max(told, past.kept.pool[1 - side] if past.kept is not None else 0)
            past = past.before
        assert told == 0, "the history tells nothing"
        return game.orders()[0]


@pytest.mark.rule("P11.2")
def test_a_player_is_handed_a_game_without_it():
    spy = Spy()
    asked = 0
    for game, side in positions(3):
        digest = game.digest
        order = players.ask(spy, game)
        assert game.why_not(order) is None
        assert spy.seen[-1] == (0, game.position.pool[side])
        assert game.digest == digest
        asked += 1
    assert asked > 15


def test_where_nothing_is_hidden_nothing_is_copied():
    game = begin()
    assert game.seen_by(0) is not game
    game.position.pool[1] = 0
    assert game.seen_by(0) is not game, "that nothing is left is hidden too"
    text = scenario("......", "blue A\n t1 m1 0101\nred B\n t9 m1 0601\n", head={"mines": {"blue": 1}})
    game = Game(loads(text, "one side"), 1)
    assert game.seen_by(0) is game
    assert game.seen_by(1) is not game
    assert game.seen_by(0, seed=9) is not game
    assert game.seen_by(0, seed=9).digest == game.digest


def test_a_game_of_officers_is_logged_and_replays_alike():
    import hexengine

    game = begin(5)
    seats = {side: players.player("officer") for side in game.scenario.sides}
    laid = 0
    while game.decision:
        order = players.ask(seats[game.decision.side], game)
        laid += str(order).startswith("mine")
        game.play(order)
    assert laid
    again = hexengine.Game(game.scenario, 6)
    for entry in game.log.entries:
        again.play(entry.order, entry.chance)
    assert again.digest == game.digest
