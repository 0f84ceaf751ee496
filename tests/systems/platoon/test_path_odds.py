"""Chances of a whole way with its opportunity fire, held against all faces of all dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, islice
from random import Random
from time import perf_counter

import pytest

from hexengine.core.dice import EnumeratingDice
from hexengine.core.errors import IllegalOrder, InvalidOrder
from hexengine.core.game import Game
from hexengine.core.path_odds import BestShots, TooMany, path_ends, path_odds
from hexengine.lab.statistics import wilson
from hexengine.testing.faces import FaceDice
from tests.long import often
from tests.rules.table import begin

HALF = Fraction(1, 2)
TYPES = """
[[type]]
id = "truck"
kind = "hard"
mobility = "wheeled"
ma = 4
armour = "0/6"
[[type]]
id = "tank"
kind = "hard"
mobility = "tracked"
ma = 4
armour = "1/5"
reduced = { armour = 1 }
[[type]]
id = "squad"
kind = "soft"
mobility = "leg"
ma = 4
armour = "0/6"
flags = ["infantry"]
reduced = { armour = 0 }
[[type]]
id = "gun"
kind = "soft"
mobility = "leg"
ma = 0
ap = "6u/1/4"
he = "6u/1/5"
armour = "0/5"
[[type]]
id = "cannon"
kind = "soft"
mobility = "leg"
ma = 0
ap = "5u/2/3"
he = "4u/2/5"
armour = "0/5"
[[type]]
id = "chief"
kind = "hq"
leadership = 1
radius = 3
[[victory]]
kind = "steps"
side = "red"
points = 3
"""


class FirstShot:
    """A side that always takes the shot that is listed first."""

    def __call__(self, pos):
        frame = pos.frames[-1]
        return frame.orders(pos, frame.actors(pos)[0])[0]


def row(*lines: str, **rest) -> Game:
    """A strip of open ground on which A goes from 0101 towards what stands at its other end."""
    a = "\n".join(line for line in lines if line.startswith(("a", "h")))
    b = "\n".join(line for line in lines if line.startswith("b"))
    return begin("......", f"blue A\n{a}\nred B\n{b}", active="A", more=TYPES, **rest)


def along(units: str, last: int) -> list[str]:
    return [f"move {units} 0{column}01" for column in range(2, last + 1)]


def fates(found, unit):
    """By hex and whether it is whole: how likely."""
    return {(fate.hex, fate.whole): fate.probability for fate in found.fates[unit]}


@pytest.mark.rule("P8.4", "P4.6")
class TestByHand:
    """Each gun has one die that hits on 4 and nothing saves: one half.  A hit disrupts and stops."""

    def test_one_gun_shoots_once(self):
        found = path_odds(row("a1 truck 0101", "b1 gun 0601"), along("a1", 4), FirstShot())
        assert fates(found, "a1") == {("0201", False): HALF, ("0401", True): HALF}
        assert (found.whole, found.lost, found.samples) == (HALF, 0, 0)

    def test_two_guns_shoot_one_after_the_other(self):
        """Only one may shoot at the truck in a hex, so the other waits for the next."""
        game = row("a1 truck 0101", "b1 gun 0601", "b2 gun 0601")
        found = path_odds(game, along("a1", 4), FirstShot())
        quarter = Fraction(1, 4)
        assert fates(found, "a1") == {
            ("0201", False): HALF, ("0301", False): quarter, ("0401", True): quarter,
        }  # fmt: skip
        assert sum(outcome.probability for outcome in found.outcomes) == 1

    def test_who_is_hit_stays_and_the_other_goes_on(self):
        game = row("a1 truck 0101", "a2 truck 0101", "b1 gun 0601")
        found = path_odds(game, along("a1,a2", 4), FirstShot())
        assert fates(found, "a1") == {("0201", False): HALF, ("0401", True): HALF}
        assert fates(found, "a2") == {("0401", True): Fraction(1)}
        assert found.whole == HALF

    def test_who_was_hit_before_is_lost(self):
        """A truck has one step: Disrupted before, it is eliminated by a hit."""
        game = row("a1 truck 0101 disrupted", "b1 gun 0601")
        assert game.why_not("move a1 0201") is not None, "it may not come nearer to who sees it"
        game = begin("......", "blue A\na1 truck 0201 disrupted\nred B\nb1 gun 0301", active="A", more=TYPES)
        found = path_odds(game, ["move a1 0101"], FirstShot())
        assert (found.whole, found.lost) == (HALF, HALF)
        assert fates(found, "a1") == {("0101", True): HALF, (None, False): HALF}

    def test_no_hq_is_left_alone(self):
        """P9.1: the HQ goes with a unit; if that is hit the HQ cannot go on alone, and the way ends."""
        game = row("ha chief 0101", "a1 truck 0101", "b1 gun 0601")
        found = path_odds(game, along("a1,ha", 3), FirstShot())
        assert fates(found, "a1") == {("0201", False): HALF, ("0301", True): HALF}
        hq = fates(found, "ha")
        assert hq.pop(("0301", True)) == HALF
        assert set(hq) <= {("0201", False), (None, False)}, "the hit may reach it as well (P9.3)"

    @pytest.mark.rule("P11.2")
    def test_known_mines_count(self):
        """Two dice, two faces of six hit: none of both with 4/9."""
        game = row("a1 truck 0101", "b1 gun 0601 ops-complete", on_map={"mines": ["0201"]})
        found = path_odds(game, along("a1", 3), FirstShot())
        assert found.whole == Fraction(4, 9)


@pytest.mark.rule("P11.2")
def test_what_the_enemy_may_still_lay_stays_hidden():
    forces = ("a1 truck 0101", "b1 gun 0601")
    told = [
        path_odds(
            row(*forces, head={"mines": {"red": number}} if number else {}), along("a1", 4), FirstShot()
        )
        for number in (0, 1, 3)
    ]
    assert told[1].outcomes == told[2].outcomes
    assert told[0].fates == told[1].fates == told[2].fates


def test_a_pool_does_not_show_in_the_answers():
    """Nor in what they are told with: results hold nothing of the other side's pool."""
    found = path_odds(row("a1 truck 0101", "b1 gun 0601", head={"mines": {"red": 2}}), along("a1", 3))
    assert "mines" not in str(found.outcomes)


# -- all faces of all dice ----------------------------------------------------------------------


def random_game(rng: Random) -> Game:
    """A group before a few guns on a small broken map."""
    signs = "....rwft"
    rows = ["".join(rng.choice(signs) for _ in range(6)) for _ in range(3)]
    terrain = "\n".join((rows[0], "." + rows[1][1:], rows[2]))
    kinds = ["truck", "tank", "squad"]
    lines = ["blue A"]
    for number in range(rng.choice((1, 2, 2))):
        reduced = rng.random() < 0.3
        kind = rng.choice(kinds)
        state = " disrupted" if rng.random() < 0.1 else ""
        lines.append(f"a{number} {kind} 0102" + (" reduced" if reduced and kind != "truck" else "") + state)
    if rng.random() < 0.3:
        lines.append("ha chief 0102")
    lines.append("red B")
    for number in range(rng.choice((1, 2, 2))):
        place = f"0{rng.choice((3, 4, 5, 6))}0{rng.randint(1, 3)}"
        lines.append(f"b{number} {rng.choice(('gun', 'gun', 'cannon'))} {place}")
    if rng.random() < 0.2:
        lines.append(f"hb chief {place}")
    labels = [f"0{column}0{line}" for column in range(2, 4) for line in range(1, 4)]
    mines = [label for label in labels if rng.random() < 0.1]
    held = {line.split()[2] for line in lines if " 0" in line}
    on_map = {"mines": [label for label in mines if label not in held]}
    return begin(terrain, "\n".join(lines), active="A", more=TYPES, on_map=on_map)


def random_way(game: Game, rng: Random):
    """A way of a random part of the group: two to four steps; None if there is none."""
    names = [name for name, facts in game.state()["units"].items() if facts["hex"] == "0102"]
    part = sorted(rng.sample(range(len(names)), rng.randint(1, len(names))))
    tactics = game.system.tactics(game.board)
    goals = sorted(place for place, cost in tactics.reach(game.position, part).items() if cost)
    if not goals:
        return None
    route = tactics.route(game.position, part, rng.choice(goals))
    return list(route.orders) if 2 <= len(route.orders) <= 4 else None


def brute_force(game: Game, orders, policy, limit: int, dice: type[EnumeratingDice] = FaceDice):
    """The whole script again for every face of every die: digest, who is left behind, whether it ended.

    Nothing is merged on the way, and what may be ordered is looked up in the lists.  With it the number of
    runs; None beyond ``limit``.
    """
    dice = dice()
    found: dict[object, Fraction] = {}
    asked: dict[object, object] = {}  # what is listed and answered in a position is always the same
    side = game.position.frames[-1].decider(game.position)
    for run in range(limit):
        pos = game.position.copy()
        dice.streams = pos.streams
        going = str(orders[0]).split()[1].split(",")
        complete = True
        for order in orders:
            key = (pos.digest(), tuple(going), order)
            if key not in asked:
                asked[key] = listed(pos, side, going, str(order).split()[2])
            chosen = asked[key]
            if chosen is None:
                complete = False
                break
            going = str(chosen).split()[1].split(",")
            perform(pos, chosen, dice)
            while pos.frames and pos.frames[-1].kind == "reaction" and pos.frames[-1].decider(pos) != side:
                answer = pos.digest()
                if answer not in asked:
                    asked[answer] = policy(pos)
                perform(pos, asked[answer], dice)
        key = (pos.digest(), tuple(going), complete)
        found[key] = found.get(key, Fraction(0)) + dice.weight
        if not dice.advance():
            return found, run + 1
    return None


def listed(pos, side, going, goal):
    """The move to a hex of as many of the units as there is one for, those first in order."""
    frame = pos.frames[-1] if pos.frames else None
    if frame is None or frame.decider(pos) != side:
        return None
    legal = {str(order): order for actor in frame.actors(pos) for order in frame.orders(pos, actor)}
    for size in range(len(going), 0, -1):
        for part in combinations(going, size):
            order = legal.get(f"move {','.join(part)} {goal}")
            if order is not None:
                return order
    return None


def perform(pos, order, dice):
    pos.frames[-1].play(pos, order, dice, None)
    while pos.frames and pos.frames[-1].advance(pos, dice, None):
        pass


LIMIT = often(450, 2_000)


def random_ways(seed: int):
    """Games, ways and policies, for ever; mostly under fire."""
    rng = Random(seed)
    while True:
        game = random_game(rng)
        orders = random_way(game, rng)
        if orders is None or game.why_not(orders[0]) is not None:
            continue
        policy = FirstShot() if rng.random() < 0.4 else BestShots(game.system, game.board)
        if len(path_ends(game, orders, policy)) > 1 or rng.random() < 0.1:
            yield game, orders, policy


@pytest.mark.rule("P8.1", "P8.3", "P8.4", "P4.6")
@pytest.mark.parametrize("seed", range(4))
def test_chances_equal_all_faces_to_the_last_fraction(seed):
    """40 random ways in all, 200 in a long run."""
    shots = stopped = 0
    ways = random_ways(seed)
    checked = 0
    while checked < often(10, 50):
        game, orders, policy = next(ways)
        tried = brute_force(game, orders, policy, LIMIT)
        if tried is None:
            continue
        expected, checked = tried[0], checked + 1
        named = str(orders[0]).split()[1].split(",")
        ends = path_ends(game, orders, policy)
        found = {
            (
                end.position.digest(),
                tuple([name for name in named if name not in end.left]),
                end.complete,
            ): end.probability
            for end in ends
        }
        assert found == expected, [str(order) for order in orders]
        assert sum(found.values()) == 1
        told = path_odds(game, orders, policy)
        assert sum(outcome.probability for outcome in told.outcomes) == 1
        for unit in named:
            assert sum(fate.probability for fate in told.fates[unit]) == 1
        shots += len(found) > 1
        stopped += any(left for _, left, _ in found if len(left) < len(named))
    assert shots >= 7, "most of the ways lead through fire"
    assert stopped >= 1, "some go on without others"


def test_equal_positions_are_run_once():
    """Two tanks pass three guns: fewer single orders are run than there are whole scripts of answers."""
    game = row("a1 tank 0101", "a2 tank 0101", "b1 cannon 0601", "b2 cannon 0601", "b3 gun 0501")
    orders = [game.parse(text) for text in along("a1,a2", 4)]
    ends, scripts = brute_force(game, orders, FirstShot(), LIMIT, EnumeratingDice)
    assert len(ends) == len(path_ends(game, orders, FirstShot())) < scripts
    assert path_odds(game, orders, FirstShot()).runs < scripts


# -- sampled ------------------------------------------------------------------------------------


def test_samples_are_as_sure_as_they_say():
    """Of many chances most lie in their 95 % intervals, and all in those of 4 deviations.

    Those of one way hang together, so that not quite 95 of 100 need do so.
    """
    inside = wide = total = 0
    for number, (game, orders, policy) in enumerate(islice(random_ways(5), 16)):
        exact = path_odds(game, orders, policy)
        sampled = path_odds(game, orders, policy, limit=1, samples=400, seed=number)
        if exact.runs < 2:
            continue
        assert (exact.samples, sampled.samples) == (0, 400)
        pairs = [(exact.whole, sampled.whole), (exact.lost, sampled.lost)]
        for unit, fates_ in exact.fates.items():
            shares = {fate[1:]: fate.probability for fate in sampled.fates[unit]}
            pairs += [(fate.probability, shares.get(fate[1:], Fraction(0))) for fate in fates_]
        for true, share in pairs:
            low, high = wilson(int(share * 400), 400)
            inside += low - 1e-9 <= true <= high + 1e-9
            low, high = wilson(int(share * 400), 400, 4)
            wide += low - 1e-9 <= true <= high + 1e-9
            total += 1
    assert total > 40
    assert inside >= 0.85 * total
    assert wide == total


def test_samples_are_the_same_each_time():
    game = row("a1 tank 0101", "b1 cannon 0601", "b2 gun 0601")
    once = [path_odds(game, along("a1", 4), limit=1, samples=50, seed=seed) for seed in (1, 1, 2)]
    assert once[0] == once[1]
    assert once[0] != once[2]
    with pytest.raises(TooMany):
        path_odds(game, along("a1", 4), limit=1, samples=0)


# -- the rest -----------------------------------------------------------------------------------


def test_what_cannot_be_ordered():
    game = row("a1 truck 0101", "b1 gun 0601")
    with pytest.raises(IllegalOrder):
        path_odds(game, ["move a1 0301"])
    with pytest.raises(InvalidOrder):
        path_odds(game, ["walk a1 0301"])
    with pytest.raises(ValueError, match="at least one order"):
        path_odds(game, [])


def test_a_step_that_is_no_more_legal_ends_the_way():
    """The second step leads nowhere: the way ends after the first, for certain."""
    game = row("a1 truck 0101", "b1 gun 0601 ops-complete")
    found = path_odds(game, ["move a1 0201", "move a1 0501", "move a1 0301"])
    assert fates(found, "a1") == {("0201", False): Fraction(1)}
    assert found.whole == 0


def test_asking_changes_nothing():
    game = row("a1 truck 0101", "b1 gun 0601")
    before = (game.digest, list(game.position.streams))
    path_odds(game, along("a1", 4))
    assert (game.digest, game.position.streams) == before


def test_a_prompt_does_not_wait():
    """As much as may be asked for at the prompt takes well under a second, here and on slow machines."""
    game = row("a1 tank 0101", "a2 tank 0101", "b1 cannon 0601", "b2 cannon 0601", "b3 gun 0501")
    begun = perf_counter()
    for _ in range(3):
        path_odds(game, along("a1,a2", 4), FirstShot(), results=False)
    assert perf_counter() - begun < 1.5
