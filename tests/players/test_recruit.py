"""The beginner: weaker than the officer, better than chance, and it says what it sees."""

from __future__ import annotations

import hexengine
from hexengine.core.game import Game
from hexengine.core.tactics import Standing
from hexengine.players import player
from hexengine.players.officer import Officer
from hexengine.players.recruit import OVERLOOKED, Recruit


def won(one, other, games, scenario):
    """Games won by the first of two players, which change sides each game."""
    count = 0
    for seed in range(games):
        side = scenario.sides[seed % 2]
        seats = {each: player(one if each == side else other, seed=seed) for each in scenario.sides}
        game = Game(scenario, seed, events=False)
        while (decision := game.decision) is not None:
            game.play(seats[decision.side].choose(game))
        count += game.result["winner"] == side
    return count


def test_it_beats_random_play_and_loses_to_the_officer():
    """In a few games of the smallest scenario; the README has the measured shares."""
    scenario = hexengine.load("crossroads")
    assert won("recruit", "random", 8, scenario) >= 6
    assert won("officer", "recruit", 16, scenario) >= 9


def test_it_makes_the_same_of_everything_whether_ahead_or_behind():
    recruit = Recruit()
    assert recruit.weights(Standing(5, 1, 8)) == recruit.weights(Standing(-5, 8, 8))
    assert recruit.weights(Standing(0, 1, 8)).risk == 0


def test_it_overlooks_some_of_what_the_officer_sees():
    """Of all candidates about the share that it is meant to, never all; other seeds overlook others."""
    game = Game(hexengine.load("crossroads"), seed=1, events=False)
    officer, recruits = Officer(), [Recruit(seed) for seed in range(8)]
    seen = there = 0
    while game.entry < 60:
        choices = [recruit.choose(game, explain=True) for recruit in recruits]
        candidates = game.system.tactics(game.board).candidates(
            game.position, recruits[0].weights(Standing(0, 1, 1)), True
        )
        if len(candidates) > 2:
            there += len(candidates) * len(choices)
            seen += sum(len(choice.candidates) for choice in choices)
            for choice in choices:
                assert {candidate.order for candidate in choice.candidates} <= {
                    candidate.order for candidate in candidates
                }
        game.play(officer.choose(game))
    assert there > 300
    assert abs(seen / there - (8 - OVERLOOKED) / 8) < 0.08
