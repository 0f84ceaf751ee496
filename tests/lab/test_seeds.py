"""Which games a batch consists of."""

from __future__ import annotations

import pytest

from hexengine.lab.seeds import SEED_BITS, Task, game_seed, task, tasks

PLAYERS = ("officer", "random")


@pytest.mark.parametrize(
    ("master", "number", "seed"),
    [
        (1985, 0, 110_752_146_817_686),
        (1985, 1, 148_222_491_578_211),
        (0, 0, 38_627_966_098_287),
        (-(2**63), 99_999, 261_668_267_835_256),
    ],
)
def test_seeds_never_move(master, number, seed):
    """Known answers: a batch of years ago can be played again."""
    assert game_seed(master, number) == seed


def test_seeds_fit_a_json_number_of_any_reader():
    seeds = [game_seed(7, number) for number in range(20_000)]
    assert len(set(seeds)) == len(seeds)
    assert 0 <= min(seeds) < max(seeds) < 2**SEED_BITS < 2**53
    assert min(seeds) < 2**36
    assert max(seeds) > 2**48 - 2**36


def test_a_game_is_the_same_however_many_are_wanted():
    few = list(tasks(3, range(1, 6), PLAYERS, swap=False))
    many = list(tasks(3, range(1, 100), PLAYERS, swap=False))
    assert many[:5] == few
    assert few[0] == Task(1, game_seed(3, 0), PLAYERS, False)
    assert list(tasks(3, [4, 2], PLAYERS, swap=False)) == [few[3], few[1]]


def test_with_swapped_sides_each_seed_is_played_twice():
    games = list(tasks(3, range(1, 9), PLAYERS, swap=True))
    assert [game.seed for game in games] == [game_seed(3, number // 2) for number in range(8)]
    assert [game.swapped for game in games] == [False, True] * 4
    assert {game.players for game in games[::2]} == {("officer", "random")}
    assert {game.players for game in games[1::2]} == {("random", "officer")}


def test_of_an_odd_number_the_last_seed_is_played_once():
    games = list(tasks(3, range(1, 6), PLAYERS, swap=True))
    seeds = [game.seed for game in games]
    assert [seeds.count(seed) for seed in dict.fromkeys(seeds)] == [2, 2, 1]
    assert games[-1].players == PLAYERS


def test_the_first_of_a_pair_is_a_game_of_the_batch_without_swapping():
    assert task(3, 5, PLAYERS, swap=True)[1:] == task(3, 3, PLAYERS, swap=False)[1:]
