"""Tables that are kept agree with what they stand for."""

import random
from fractions import Fraction

import pytest

import hexengine as hx
from hexengine.core.game import Game
from hexengine.mechanics.masks import mask_of, units
from hexengine.systems.squad.moving.movement import Group
from hexengine.systems.squad.moving.steps import step_bar
from hexengine.systems.squad.orders import ASSAULT, CRAWL, DOUBLE, NORMAL, STEALTH
from hexengine.systems.squad.sight.lines import crossing
from hexengine.systems.squad.sight.spotting import spotted
from hexengine.systems.squad.tactics.reach import search, stride_of
from hexengine.systems.squad.tactics.view import Tables
from tests.rules.squad.table import begin

ROWS = [".wF.t.", "b..f..", ".tf.B.", "F...w.", "..bt.."]
LEVELS = ["001200", "012000", "000100", "200010", "000000"]


def hills():
    """The board of a small map with levels, floors and a bunker."""
    return begin("/".join(ROWS), "us\n a us164 0101\nde\n x de144 0503", levels="/".join(LEVELS)).board


@pytest.mark.rule("S8.12")
@pytest.mark.parametrize("seed", range(4))
def test_smoke_on_lines_that_are_kept_is_what_a_fresh_look_finds(seed):
    board = hills()
    smoke = mask_of(random.Random(seed).sample(range(board.size), 9))
    for a in range(board.places.count):
        view = 0
        for b in range(board.places.count):
            facts = board.sight.facts(a, b, smoke)
            assert board.sight.hindrance(a, b, smoke) == (facts.degrading if facts.clear else -1)
            view |= facts.clear << b
        assert board.sight.in_view(a, -1 % (1 << board.places.count), smoke) == view


@pytest.mark.rule("S10.3")
@pytest.mark.parametrize(("toward", "hex_at", "part"), [
    ((2, 0), (1, 0), Fraction(1, 2)), ((4, 0), (1, 0), Fraction(1, 4)), ((1, 1), (1, 0), Fraction(1, 2)),
    ((3, 1), (1, 0), Fraction(19, 70)), ((-4, 0), (-3, 0), Fraction(3, 4)),
])  # fmt: skip
def test_where_a_line_crosses_a_hex(toward, hex_at, part):
    """To (3, 1) it comes in at 1/7 and leaves at 2/5, by the first of two sides (the other: 3/7)."""
    assert Fraction(*crossing(toward, hex_at)) == part


def seen(pos, side):
    """What a side has spotted, read from S10.4, S7.8 and S7.13 unit by unit."""
    board, found = pos.board, 0
    near = board.places.near
    mine = list(units(pos.placed & board.side_units[side]))
    good = [unit for unit in mine if not pos.shaken >> unit & 1]
    for unit in units(pos.placed & board.side_units[1 - side]):
        place, bit = pos.place[unit], 1 << unit
        markers = (pos.spotted_0 if side else pos.spotted_1) | pos.melee
        marked = (pos.moved | pos.assault | pos.fired) & bit or markers >> place & 1
        close = any(near[pos.place[other]] >> place & 1 for other in good) and not pos.stealth & bit
        crawling = pos.crawl & bit and any(near[pos.place[other]] >> place & 1 for other in mine)
        plain = board.places.open >> place & 1 and any(
            board.sight.sees(pos.place[other], place, pos.smoke()) for other in good
        )
        if marked or close or crawling or plain:
            found |= 1 << place
    return found


@pytest.mark.rule("S10.4")
@pytest.mark.parametrize("name", ["village", "stealthy-approach"])
def test_what_is_spotted_place_by_place_is_what_the_rule_says_unit_by_unit(name):
    scenario = hx.load(name)
    game = Game(scenario, 3, events=False)
    player = hx.player("random", seed=3)
    while game.decision is not None:
        for side in (0, 1):
            assert spotted(game.position, side) == seen(game.position, side)
        game.play(player.choose(game))


def test_places_within_reach_and_those_nearer():
    places = hills().places
    everywhere = range(places.count)
    for a in (0, 7, places.count - 1):
        for reach in (0, 1, 3):
            near = [place for place in everywhere if places.distance(a, place) <= reach]
            assert list(units(places.within(a, reach))) == near
        closer = [place for place in everywhere if places.distance(8, place) < places.distance(a, place)]
        assert list(units(places.nearer(a, 8))) == closer


def plain_search(pos, mask, mode):
    """What :func:`search` finds, with every step judged by the rules."""
    stride = stride_of(pos, mask, mode)
    start, budget = stride.origin, stride.left
    costs, again = {start: 0}, True
    while again:
        again = False
        for place, spent in list(costs.items()):
            entered = place != start
            if entered and (pos.taken(1 - stride.side) >> place & 1 or mode & CRAWL):
                continue
            stride.origin, stride.left, stride.began = place, budget - spent, entered
            for to, cost in pos.board.places.steps[place]:
                paid = spent + (cost if entered else min(cost, stride.left))
                if paid < costs.get(to, 999) and not step_bar(pos, stride, to, cost):
                    costs[to], again = paid, True
    return costs


@pytest.mark.parametrize("seed", [1, 2])
def test_a_search_with_its_short_cuts_finds_what_the_rules_allow(seed):
    game = Game(hx.load("village"), seed, events=False)
    player, pos = hx.player("random", seed=seed), game.position
    while game.decision is not None:
        if game.entry % 60 == 7 and not isinstance(pos.frames[-1], Group):
            for side in (0, 1):
                for place in units(pos.taken(side) & ~pos.melee):
                    mask = pos.at(place, side)
                    for part in {mask, mask & ~pos.shaken, mask & pos.shaken, mask & -mask} - {0}:
                        for mode in (NORMAL, ASSAULT, DOUBLE, CRAWL, STEALTH):
                            assert search(pos, part, mode).costs == plain_search(pos, part, mode)
        game.play(player.choose(game))


def test_what_places_are_worth_is_the_best_of_the_objectives():
    board = hx.load("village").board
    tables = Tables(board)
    goals = board.goals[0].hexes
    row = tables.pull([(goals[0], 100.0, 400.0), (goals[1], 300.0, -1.0)])
    for place in range(board.places.count):
        first = 400.0 if board.places.hex_of[place] == goals[0] else 100.0 * tables.closeness(goals[0])[place]
        assert row[place] == max(first, 300.0 * tables.closeness(goals[1])[place])
