"""What a rule-based player asks of the squad system: ways, chances, candidates that are legal."""

import pytest

from hexengine.core.game import Game
from hexengine.core.tactics import Foresight, Weights
from hexengine.players import ask, player
from hexengine.systems.squad.tactics import SquadTactics
from hexengine.systems.squad.tactics.chances import bands, combined, sum_reached, sum_within
from hexengine.systems.squad.tactics.reach import search
from tests.rules.squad.table import begin, decision, play
from tests.scenarios.shipped import of, scenario

WIDE = "w..f.w../.ww..f../..F.w.../f....t.w"
FORCES = """
us
    a squad-us 0101
    b squad-us 0101
    l leader-us 0101
    h hero-us 0203
de
    x squad-de 0804
    y squad-de 0704 shaken
"""


def tactics(game):
    return SquadTactics(game.board)


@pytest.mark.parametrize("names", [("a",), ("a", "b"), ("a", "l"), ("h",)])
def test_reach_is_what_legal_moves_reach(names):
    """Every series of legal steps, all windows passed, against the search."""
    game = begin(WIDE, FORCES)
    ids = game.board.ids
    group = ",".join(names)
    found = {}
    todo = [(game, 0)]
    while todo:
        now, spent = todo.pop()
        place = now.state()["units"][names[0]]["hex"]
        if place in found and found[place] <= spent:
            continue
        found[place] = spent
        for order in now.orders():
            words = str(order).split()
            if words[:2] == ["move", group] and len(words) == 3 and "/" not in words[2]:
                copy = now.copy()
                copy.play(order)
                while copy.decision is not None and copy.decision.kind == "reaction":
                    copy.play("pass")
                if copy.decision is not None and copy.decision.kind == "melee":
                    continue
                unit = copy.state()["units"][names[0]]
                if copy.decision and copy.decision.kind == "group":
                    todo.append((copy, unit["spent"]))
                elif unit["hex"] not in found or found[unit["hex"]] > unit["spent"] > 0:
                    found[unit["hex"]] = unit["spent"]
    costs = tactics(game).reach(game.position, [ids.index(name) for name in names])
    labels = {game.board.labels[place]: cost for place, cost in costs.items()}
    labels.pop("0101", None), found.pop("0101", None)
    assert labels.keys() == found.keys()


def test_a_route_is_legal_step_by_step():
    game = begin(WIDE, FORCES)
    route = tactics(game).route(game.position, [0, 1], game.board.grid.index("0302"))
    assert route is not None and len(route.risk) == len(route.orders)
    for order in route.orders:
        play(game, str(order))
        while decision(game)[1] == "reaction":
            play(game, "pass")
    assert game.state()["units"]["a"]["hex"] == "0302"
    assert tactics(game).route(game.position, [0], game.board.grid.index("0804")) is None


def test_units_apart_go_nowhere_together():
    game = begin(WIDE, FORCES)
    assert tactics(game).reach(game.position, [0, 3]) == {}


def test_chances_are_those_of_the_dice():
    """Ahead by 4 before the dice, morale 5, no leader: counted by hand over all dice."""
    expected = [0, 0, 0]
    for first in range(1, 7):
        for second in range(1, 7):
            margin = first - second + 4
            for die in range(1, 7):
                total = die + margin
                if margin > 0 and total > 5:
                    expected[2 if total >= 15 else 1 if total >= 10 else 0] += 1
    assert bands(4, 5, 0) == pytest.approx([number / 216 for number in expected])
    assert sum_reached(8) == 15 / 36 and sum_within(7) == pytest.approx(21 / 36)
    assert combined([(2, 5), (1, 4)], 3) == 3 and combined([(2, 5), (1, 4)], 7) == 2
    assert combined([(1, 4)], 9) == -1


def test_searches_see_levels_and_melees():
    game = begin("t..", "us\n a squad-us 0101\nde\n x squad-de 0301")
    ways = search(game.position, 1)
    labels = {game.board.labels[place]: cost for place, cost in ways.costs.items()}
    assert labels == {"0101": 0, "0101/1": 4, "0201": 2, "0301": 4}


@pytest.mark.parametrize("name", of("squad"))
def test_candidates_are_legal_and_sorted(name):
    """Along a part of an officers' game every candidate is legal, and explained."""
    game = Game(scenario(name), 5)
    known = tactics(game)
    seats = {side: player("officer") for side in game.scenario.sides}
    for number in range(60):
        if game.decision is None:
            break
        if number % 6 == 0:
            found = known.candidates(game.position, Weights(), explain=True)
            assert found and all(game.why_not(one.order) is None for one in found)
            assert [one.score for one in found] == sorted([one.score for one in found], reverse=True)
            assert all(one.reasons for one in found)
        game.play(ask(seats[game.decision.side], game))


def test_how_a_position_stands():
    """What one side has more is what the other has less; who has lost men stands worse."""
    game = begin("....", "us\n a squad-us 0101\n b squad-us 0101\nde\n x squad-de 0201")
    known = tactics(game)
    before = known.value(game.position, 0)
    assert before == -known.value(game.position, 1) and isinstance(known, Foresight)
    game.play("fire a 0201 [6 1 6]")
    assert known.value(game.position, 0) > before


def test_the_officer_takes_what_is_offered():
    """It fires at an enemy in the open next to it, and rallies before anything else."""
    game = begin("....", "us\n a squad-us 0101\n b squad-us 0101\nde\n x squad-de 0201")
    assert str(player("officer").choose(game)).startswith("fire")
    rallies = begin(
        "....", "us\n a squad-us 0101 shaken\n l leader-us 0101\nde\n x squad-de 0401", phase="rally"
    )
    assert str(player("officer").choose(rallies)) == "rally a"
