"""The officer: it wins, takes what nobody defends, never stalls, and says why."""

from __future__ import annotations

import pytest

import hexengine
from hexengine.core.game import Game
from hexengine.core.tactics import Standing
from hexengine.players import ask, player
from hexengine.players.officer import Officer
from tests.systems.platoon import made_up

SCENARIOS = ("crossroads", "meeting", "river-crossing", "bench")
MOST_ORDERS = 3000
"""In the longest game; random games, which are longer, stay far below."""


class Sitter:
    """Ends whatever it may end: a side that neither moves nor shoots."""

    def choose(self, game):
        decision = game.decision
        return decision.orders(decision.actors()[-1])[-1]


def play(scenario, seats, seed):
    game = Game(scenario, seed=seed, events=False)
    while (decision := game.decision) is not None:
        game.play(seats[decision.side].choose(game))
        assert game.entry < MOST_ORDERS
    return game


def shares(name, side, games, first=0):
    """How many of some games the officer wins on a side against random play."""
    scenario = hexengine.load(name)
    won = 0
    for seed in range(first, first + games):
        seats = {
            other: player("officer" if other == side else "random", seed=seed) for other in scenario.sides
        }
        won += play(scenario, seats, seed).result["winner"] == side
    return won


@pytest.mark.slow
@pytest.mark.parametrize("side", ["nato", "wp"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_it_beats_random_play_on_each_side(name, side):
    """Ten games of each; benchmarks/officer.py plays the two hundred."""
    assert shares(name, side, 10) >= 9


@pytest.mark.parametrize("side", ["nato", "wp"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_it_takes_an_undefended_objective(name, side):
    """Against a side that never stirs it ends in control of all that stands open, and wins."""
    scenario = hexengine.load(name)
    board, number = scenario.board, scenario.sides.index(side)
    start = Game(scenario, seed=1).position
    enemies = [start.hex[unit] for unit in range(board.count) if board.side[unit] != number]
    wanted = {
        place for goal in board.goals if goal.kind == "hold" and goal.side == number for place in goal.hexes
    }
    open_ = [
        place
        for place in sorted(wanted)
        if all(board.grid.distance(place, there) > 3 for there in enemies if there >= 0)
    ]
    seats = {other: Officer() if other == side else Sitter() for other in scenario.sides}
    game = play(scenario, seats, 1)
    assert open_, "the scenario has an objective that is open at the start"
    assert [board.labels[place] for place in open_ if game.position.control[place] != number + 1] == []
    assert game.result["winner"] == side


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_unit_goes_back_and_forth(name):
    """In one activation nobody enters a hex a third time, and few enter one twice."""
    scenario = hexengine.load(name)
    officer = Officer()
    game = Game(scenario, seed=3, events=False)
    entered: dict[tuple[str, str], int] = {}
    steps = twice = 0
    while (decision := game.decision) is not None:
        if decision.kind == "draw":
            entered.clear()
        order = officer.choose(game)
        words = str(order).split()
        if words[0] == "move":
            steps += 1
            for unit in words[1].split(","):
                entered[unit, words[2]] = entered.get((unit, words[2]), 0) + 1
                twice += entered[unit, words[2]] == 2
                assert entered[unit, words[2]] < 3, (unit, words[2], game.position.turn)
        game.play(order)
    assert twice * 20 <= steps


@pytest.mark.parametrize("seed", range(12))
def test_it_copes_with_any_map(seed):
    """Crowded made-up scenarios with every kind of unit: no illegal order, no endless game."""
    scenario = made_up.scenario(seed, options="minimum_move = true" if seed % 3 == 0 else "")
    play(scenario, {"blue": Officer(), "red": Officer()}, seed)
    play(scenario, {"blue": Officer(), "red": player("random", seed=seed)}, seed)


def test_whoever_is_behind_dares_more():
    officer = Officer()
    ahead, behind = officer.weights(Standing(3, 6, 8)), officer.weights(Standing(-3, 6, 8))
    assert behind.exposure < ahead.exposure
    assert officer.weights(Standing(0, 8, 8)).objective > officer.weights(Standing(0, 1, 8)).objective


def test_a_more_cautious_officer_minds_losses_more():
    standing = Standing(0, 1, 8)
    assert Officer(caution=200).weights(standing).exposure == 2 * Officer().weights(standing).exposure
    assert player("officer", caution=150).caution == 150


def test_it_says_why():
    """A shot names its target and what it is worth, a move the hex it leads to and the mission."""
    scenario = hexengine.load("crossroads")
    officer = Officer()
    game = Game(scenario, seed=2, events=False)
    seen = {}
    while game.decision is not None:
        choice = officer.choose(game, explain=True)
        seen.setdefault(type(choice.order).__name__, choice.candidates[0])
        game.play(choice.order)
    fire = {reason.code: reason for reason in seen["Fire"].reasons}
    assert fire["damage"].value > 0
    assert dict(fire["damage"].facts)["target"] in str(seen["Fire"].order)
    move = {reason.code: reason for reason in seen["Move"].reasons}
    assert dict(move["position"].facts)["hex"] in scenario.board.labels
    assert "take" in move or "keep" in move or "attack" in move
    for candidate in seen.values():
        assert candidate.score == pytest.approx(sum(reason.value for reason in candidate.reasons))


def test_it_keeps_its_head_at_any_stakes():
    """A thousand points for everything, each turn, for 99 turns: no number of it runs over."""
    text = made_up.text(4, turns=99).replace("points = 3", 'points = 1000\nwhen = "turn"\nwins = true')
    text = text.replace('kind = "steps"', 'kind = "steps"\npoints = 1000')
    scenario = hexengine.loads(text, "high-stakes")
    officer = Officer(caution=300)
    game = Game(scenario, seed=1, events=False)
    while game.decision is not None and game.entry < 600:
        choice = officer.choose(game, explain=True)
        assert all(abs(candidate.score) < 1e9 for candidate in choice.candidates)
        game.play(choice.order)
    assert game.entry > 60


# -- going on with what was begun ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["crossroads", "river-crossing", "bench", "gunships"])
def test_whoever_takes_its_seat_goes_on_alike(name):
    """At every entry of a game a new officer, who knows its history alone, orders the same."""
    scenario = hexengine.load(name)
    game = hexengine.Game(scenario, 8, events=False)
    seats = {side: Officer() for side in scenario.sides}
    thought_otherwise = 0
    while (decision := game.decision) is not None and game.entry < 150:
        order = seats[decision.side].choose(game)
        assert Officer().choose(game.copy()) == order, game.entry
        thought_otherwise += Officer().think(game)[0].order != order
        game.play(order)
    assert thought_otherwise, "what was begun before makes a difference"


def test_one_officer_may_play_both_sides_and_games_in_turns():
    """What it has begun is a note of each game and side."""
    scenario = hexengine.load("bench")
    shared = Officer()
    games = [Game(scenario, seed, events=False) for seed in (3, 4)]
    alone = [play(scenario, {side: Officer() for side in scenario.sides}, seed).digest for seed in (3, 4)]
    while any(game.decision is not None for game in games):
        for game in games:
            if game.decision is not None:
                game.play(shared.choose(game))
    assert [game.digest for game in games] == alone


class Bold(Officer):
    """A player of another package that is an officer."""

    def __init__(self, seed=0):
        super().__init__(seed, caution=50)


@pytest.mark.parametrize("name", ["bench", "gunships"])
def test_an_officer_of_another_package_plays_alike_whether_a_history_is_kept_or_not(name):
    """It is handed a new copy each time, without notes: what it orders in a batch it orders in a log."""
    scenario = hexengine.load(name)
    games = [cls(scenario, 1, events=False) for cls in (Game, hexengine.Game)]
    seats = [{side: Bold() for side in scenario.sides} for _ in games]
    while games[0].decision is not None and games[0].entry < 150:
        asked = zip(games, seats, strict=True)
        first, second = [ask(seat[game.decision.side], game) for game, seat in asked]
        assert first == second, games[0].entry
        for game in games:
            game.play(first)


def test_whoever_is_interrupted_while_it_looks_back_looks_back_once_more(monkeypatch):
    game, _, choice = under_way("bench", 2, kind=hexengine.Game)
    game, officer, think = game.copy(), Officer(), Officer.think

    def interrupted(self, game, explain=False):
        raise KeyboardInterrupt

    monkeypatch.setattr(Officer, "think", interrupted)
    with pytest.raises(KeyboardInterrupt):
        officer.choose(game)
    monkeypatch.setattr(Officer, "think", think)
    assert officer.choose(game, explain=True).reason == "under-way"
    assert officer.choose(game) == choice.order


def under_way(name, seed, wanted=1, kind=Game):
    """A game in the middle of a way, its officer, and the order that this goes on with."""
    scenario = hexengine.load(name)
    game, officer = kind(scenario, seed, events=False), Officer()
    while game.decision is not None:
        choice = officer.choose(game, explain=True)
        if choice.reason == "under-way":
            wanted -= 1
            if not wanted:
                return game, officer, choice
        game.play(choice.order)
    raise AssertionError("nobody was under way")


@pytest.mark.parametrize("column", ["ops", "disrupted", "placed", "wrecks", "mines"])
@pytest.mark.parametrize("wanted", [1, 5, 20])
def test_it_thinks_anew_when_the_enemy_has_fired_or_changed(column, wanted):
    game, officer, _ = under_way("bench", 2, wanted)
    pos, board = game.position, game.board
    foes = pos.placed & board.fighters & board.side_units[1 - pos.frames[-1].decider(pos)] & ~pos.carried
    setattr(pos, column, getattr(pos, column) ^ (foes & -foes))
    assert officer.choose(game, explain=True).reason != "under-way"


def test_an_order_taken_back_takes_what_was_begun_with_it():
    scenario = hexengine.load("bench")
    game, officer = hexengine.Game(scenario, 2, sandbox=True, events=False), Officer()
    while (choice := officer.choose(game, explain=True)).reason != "under-way":
        game.play(choice.order)
    game.play(choice.order)
    assert game.notes
    game.undo()
    assert not game.notes
    assert officer.choose(game) == choice.order
