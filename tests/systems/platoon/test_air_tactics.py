"""How the officer uses helicopters and air defence, and what it is told about them."""

from random import Random

import pytest

from hexengine.core.tactics import Weights
from hexengine.hexes import Grid
from hexengine.players import player
from hexengine.systems.platoon.tactics import PlatoonTactics
from hexengine.systems.platoon.tactics.goals import ATTACK
from hexengine.systems.platoon.tactics.view import Tables, View
from tests.rules.table import begin, play
from tests.systems.platoon import made_up

FIELD = "\n".join(["." * 16] * 6)
LIGHT = """
[[type]]
id = "light"
kind = "air"
mobility = "air"
ma = 3
armour = "0/6"
"""


def officer(game, seed=1):
    """What the officer orders now."""
    return str(player("officer", seed=seed).choose(game))


@pytest.mark.rule("P13.1")
def test_reach_of_helicopters_is_distance_over_anything():
    game = begin(
        "wlwlwl\nlwlwlw\nwlwlwl\n......\n",
        "blue A\n h1 light 0101\nred B\n t9 t-72 0304 ops-complete\n",
        active="A",
        more=LIGHT,
    )
    distances = Grid(6, 4).distances(0)
    found = PlatoonTactics(game.board).reach(game.position, [0])
    assert found == {place: 2 * distance for place, distance in enumerate(distances) if distance <= 3}


@pytest.mark.rule("P13.1")
def test_a_route_in_the_air_is_accepted_and_says_its_risk():
    game = begin(FIELD, "blue A\n h1 mi-24 0101\nred B\n z9 zsu-23-4 1601\n", active="A")
    board = game.board
    route = PlatoonTactics(board).route(game.position, [0], board.grid.index("0801"))
    assert route is not None
    assert len(route.orders) == 7
    assert [bool(step.shooters) for step in route.risk] == [True] * 7
    before = game.digest
    for order in route.orders:
        play(game, str(order))
        while game.decision.kind == "reaction":
            play(game, "pass")
    assert game.digest != before
    assert game.state()["units"]["h1"]["hex"] == "0801"


@pytest.mark.rule("P13.1")
def test_who_has_landed_reaches_nothing():
    game = begin(FIELD, "blue A\n h1 mi-24 0101 landed\nred B\n t9 t-72 1601\n", active="A")
    assert set(PlatoonTactics(game.board).reach(game.position, [0])) == {0}


@pytest.mark.rule("P13.1")
def test_it_rises_for_a_shot():
    game = begin(
        FIELD, "blue A\n h1 mi-24 0101 landed\nred B\n t9 t-72 1601 ops-complete\n", active="A", turns=2
    )
    assert officer(game) == "rise h1"


@pytest.mark.rule("P13.1")
def test_it_lands_when_it_is_short_of_missiles_and_has_aa_to_fear():
    forces = "blue A\n h1 mi-24 0102{}\nred B\n z9 zsu-23-4 1202 ops-complete\n"
    rows = "\n".join(["." * 12] * 3)
    assert officer(begin(rows, forces.format(""), active="A")) == "fire h1 z9"
    assert officer(begin(rows, forces.format(" depleted-2"), active="A")) == "land h1"


@pytest.mark.rule("P13.2")
def test_aa_is_kept_for_helicopters():
    """A ZSU does not fire at infantry far off while there is a helicopter to wait for."""
    forces = "blue A\n z1 zsu-23-4 0101\n{}red B\n i9 inf-su 0601 ops-complete\n"
    with_air = begin(FIELD, forces.format("") + "red C\n h9 mi-24 1606 landed\n", active="A")
    without = begin(FIELD, forces.format(""), active="A")
    assert officer(without).startswith("fire z1 i9")
    assert not officer(with_air).startswith("fire z1 i9")


@pytest.mark.rule("P13.2")
def test_aa_fires_at_the_helicopter_that_comes():
    game = begin(FIELD, "blue A\n h1 mi-24 0101\nred B\n z9 zsu-23-4 0701\n", active="A")
    play(game, "move h1 0201")
    assert officer(game) == "fire z9 h1"


@pytest.mark.rule("P13.2", "P16.1")
def test_helicopters_neither_take_nor_keep_objectives():
    more = '[[victory]]\nkind = "hold"\nside = "blue"\nhexes = ["0301", "0801"]\npoints = 5\n'
    forces = "blue A\n h1 mi-24 0201\nblue C\n t1 m1 0102\nred B\n t9 t-72 1606\n"
    game = begin(FIELD, forces, active="A", more=more)
    view = View(Tables(game.board, game.position.positions), game.position, 0, Weights())
    kinds = {game.board.ids[unit]: mission.kind for unit, mission in view.missions.items()}
    assert kinds["h1"] == ATTACK
    assert kinds["t1"] != ATTACK


@pytest.mark.rule("P10.6")
def test_shots_are_expected_where_the_air_sees():
    """Behind woods a tank is out of the helicopter's sight, from above the woods it is not."""
    forces = "blue A\n h1 mi-24 0101\nred B\n t9 t-72 0801\n"
    game = begin("." * 6 + "w" + "." * 9, forces, active="A")
    view = View(Tables(game.board, game.position.positions), game.position, 0, Weights())
    index = game.board.grid.index
    assert view.best_shot_from(0, index("0301")) == 0
    assert view.best_shot_from(0, index("0701")) > 0
    assert view.best_shot_from(0, index("1201")) > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_its_orders_are_legal_in_made_up_battles(seed):
    """Officer games on crowded maps with helicopters: what it chooses is played without a fault."""
    games = 0
    for game in made_up.positions(seed + 70, 6, every=25, air=2):
        one = game.copy()
        seats = {side: player("officer", seed=seed) for side in one.scenario.sides}
        for _ in range(60):
            if one.decision is None:
                break
            one.play(seats[one.decision.side].choose(one))
            one.system.invariants(one.position)
        games += 1
    assert games == 6


@pytest.mark.slow
def test_random_games_with_helicopters_keep_what_must_hold():
    random = Random(5)
    for seed in range(8):
        game = made_up.Game(made_up.scenario(seed + 300, air=3), seed=seed)
        while game.decision is not None:
            decision = game.decision
            game.play(random.choice(decision.orders(random.choice(decision.actors()))))
            game.system.invariants(game.position)
