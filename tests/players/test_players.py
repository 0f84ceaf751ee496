"""The registry of players, and what each of them promises whatever it thinks."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

import hexengine
from hexengine import players
from hexengine.core.errors import BrokenPlayer, UnknownPlayer
from hexengine.core.game import Game
from hexengine.players.chance import Chance
from hexengine.players.random import Random

SCENARIOS = ("crossroads", "meeting", "river-crossing", "bench")
NAMES = ("random", "recruit", "officer", "veteran")
OPTIONS = {"veteran": {"nodes": 40}}
"""A veteran that thinks for a moment only."""


def made(name, seed):
    """A player of that name, quick enough for tests."""
    return players.player(name, seed=seed, **OPTIONS.get(name, {}))


@pytest.fixture(scope="module")
def crossroads():
    return hexengine.load("crossroads")


def play(scenario, name, seed, *, entries=100_000, game=None):
    """A game of a player against itself, and the texts of its orders from where it begins."""
    game = game or hexengine.Game(scenario, seed=seed, events=False)
    seats = {side: made(name, seed) for side in scenario.sides}
    orders = []
    while (decision := game.decision) is not None and game.entry < entries:
        order = seats[decision.side].choose(game)
        orders.append(str(order))
        game.play(order)
    return game, orders


# -- the registry -------------------------------------------------------------------------------


def test_the_built_in_players_are_known():
    assert set(NAMES) <= set(players.names())
    for name in NAMES:
        assert players.player(name, seed=3).name == name
    assert hexengine.player("random").name == "random"


def test_a_mistyped_name_is_told_what_was_perhaps_meant():
    with pytest.raises(UnknownPlayer, match=r"did you mean officer\?") as caught:
        players.player("oficer")
    assert set(NAMES) <= set(caught.value.known)


def test_a_name_like_no_other_gets_the_list_alone():
    with pytest.raises(UnknownPlayer, match="there are: ") as caught:
        players.player("zzz")
    assert "did you mean" not in str(caught.value)


def test_a_player_of_ones_own_can_be_registered(monkeypatch):
    class Mine:
        name = "mine"

        def __init__(self, seed, depth=1):
            self.seed, self.depth = seed, depth

    monkeypatch.setattr(players, "_registered", {})
    players.register("mine", Mine)
    found = players.player("mine", seed=7, depth=3)
    assert (found.seed, found.depth) == (7, 3)
    assert "mine" in players.names()


def test_players_of_other_packages_are_found_by_their_entry_points(monkeypatch):
    class Point:
        name = "guest"

        def load(self):
            return Random

    def entry_points(group):
        assert group == "hexengine.players"
        return [Point()]

    monkeypatch.setattr(players, "entry_points", entry_points)
    players._registry.cache_clear()
    try:
        assert "guest" in players.names()
        assert isinstance(players.player("guest", seed=1), Random)
    finally:
        players._registry.cache_clear()


def test_a_player_that_cannot_be_made_is_an_error_in_words(monkeypatch):
    monkeypatch.setattr(players, "_registered", {"mine": object})
    with pytest.raises(BrokenPlayer, match=r"the player 'mine' cannot be made: TypeError: .*"):
        players.player("mine")


def test_players_whose_name_is_taken_are_told_of(monkeypatch):
    class Point:
        def __init__(self, name, value):
            self.name, self.value = name, value

    points = [Point("officer", "guest:Officer"), Point("guest", "guest:One"), Point("guest", "guest:Two")]
    monkeypatch.setattr(players, "entry_points", lambda group: points)
    assert players.shadowed() == ["officer = guest:Officer", "guest = guest:Two"]


def test_importing_players_loads_no_system():
    code = (
        "import sys, hexengine.players, hexengine.players.officer, hexengine.players.random;"
        "import hexengine.players.recruit, hexengine.players.veteran;"
        "print([name for name in sys.modules if name.startswith(('hexengine.systems', 'rich', 'numpy'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# -- chance -------------------------------------------------------------------------------------


def test_numbers_depend_on_seed_side_and_entry_alone():
    one = Chance(5, "red")
    forwards = [one.word(entry) for entry in range(40)]
    again = Chance(5, "red")
    assert [again.word(entry) for entry in reversed(range(40))] == forwards[::-1]
    assert len(set(forwards)) == 40
    assert [Chance(6, "red").word(entry) for entry in range(40)] != forwards
    assert [Chance(5, "blue").word(entry) for entry in range(40)] != forwards


def test_known_answers():
    """The same numbers in every version and on every platform."""
    assert {entry: Chance(1985, "nato").word(entry) for entry in KNOWN} == KNOWN


KNOWN = {
    0: 13607352319264648573,
    1: 6939281854943105059,
    7: 5781706323981617988,
    8: 11178692030384115985,
    1000: 5512459054489484635,
}


def test_numbers_are_uniform():
    """A thousand draws from six: each face within four standard deviations."""
    chance = Chance(1, "x")
    counts = Counter(chance.word(entry) % 6 for entry in range(6000))
    assert all(abs(count - 1000) < 4 * (6000 * 5 / 36) ** 0.5 for count in counts.values())


def test_random_chooses_an_actor_then_an_order(crossroads):
    """Over many seeds each actor is taken about equally often, however many orders it has."""
    game = Game(crossroads, seed=4, events=False)
    while game.decision.kind != "operations":
        game.play(game.orders()[0])
    actors = game.decision.actors()
    of = {str(order): actor for actor in actors for order in game.decision.orders(actor)}
    counts = Counter(of[str(Random(seed).choose(game))] for seed in range(3000))
    share = 3000 / len(actors)
    assert set(counts) == set(actors)
    assert all(abs(count - share) < 5 * share**0.5 for count in counts.values())


# -- what every player promises -----------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_plays_the_same_game(crossroads, name):
    assert play(crossroads, name, 3)[1] == play(crossroads, name, 3)[1]


def test_another_seed_plays_another_game(crossroads):
    assert play(crossroads, "random", 3)[1] != play(crossroads, "random", 4)[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_resumed_game_goes_on_alike(crossroads, name):
    """Begun anew at any point by players that have seen nothing of it: the rest is the same."""
    whole = play(crossroads, name, 8)[1]
    for entries in (40, len(whole) - 5) if name == "veteran" else (1, 17, 40, len(whole) - 5):
        game, begun = play(crossroads, name, 8, entries=entries)
        assert begun + play(crossroads, name, 8, game=game.copy())[1] == whole


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("name", NAMES)
def test_the_game_is_left_as_it_was_and_the_order_is_legal(scenario, name):
    """Digest, dice counters and entry are the same after choosing; the order is one of those offered."""
    scenario = hexengine.load(scenario)
    game = Game(scenario, seed=11, events=False)
    seats = {side: made(name, 2) for side in scenario.sides}
    while (decision := game.decision) is not None and game.entry < (60 if name == "veteran" else 250):
        before = (game.digest, list(game.position.streams), game.entry, list(game.dice.used))
        order = seats[decision.side].choose(game)
        assert (game.digest, list(game.position.streams), game.entry, list(game.dice.used)) == before
        assert order in decision.all()
        game.play(order)


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_seen_makes_no_difference(crossroads, name):
    """The seed of the game and the dice to come, in other words the future, are hidden."""
    game, _ = play(crossroads, name, 5, entries=30)
    for _ in range(25):
        other = game.copy(seed=game.seed + 1000)
        other.position.streams[:] = [7, 77, 777]
        order = made(name, 1).choose(game)
        assert str(made(name, 1).choose(other)) == str(order)
        game.play(order)


class Sealed:
    """A game that shows what a side may see, and lets nothing else be touched."""

    SHOWN = frozenset(
        {"decision", "position", "board", "system", "scenario", "entry", "imagined", "notes", "earlier"}
    )

    def __init__(self, game):
        object.__setattr__(self, "_game", game)

    def __getattribute__(self, name):
        if name not in Sealed.SHOWN:
            raise AssertionError(f"a player looked at {name}")
        return getattr(object.__getattribute__(self, "_game"), name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("explain", [False, True])
def test_nothing_hidden_is_even_looked_at(crossroads, name, explain):
    game = Game(crossroads, seed=6, events=False)
    seats = {side: made(name, 9) for side in crossroads.sides}
    while (decision := game.decision) is not None and game.entry < 60:
        choice = seats[decision.side].choose(Sealed(game), explain=explain)
        game.play(choice.order if explain else choice)


@pytest.mark.parametrize("name", NAMES)
def test_an_explained_choice_is_the_same_choice(crossroads, name):
    """And its candidates are legal, the chosen one among them, each with what its score is made of."""
    game = Game(crossroads, seed=12, events=False)
    seats = {side: made(name, 9) for side in crossroads.sides}
    while (decision := game.decision) is not None:
        player = seats[decision.side]
        choice = player.choose(game, explain=True)
        assert choice.order == player.choose(game)
        assert choice.order in [candidate.order for candidate in choice.candidates]
        assert choice.reason
        for candidate in choice.candidates:
            assert game.why_not(candidate.order) is None
            assert str(candidate)
        scores = [candidate.score for candidate in choice.candidates]
        assert scores == sorted(scores, reverse=True)
        game.play(choice.order)
