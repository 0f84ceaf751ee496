"""Tables that are kept agree with what they stand for."""

import random
from fractions import Fraction

import pytest

import hexengine as hx
from hexengine.core.game import Game
from hexengine.mechanics.masks import mask_of, units
from hexengine.systems.squad.sight import crossing
from hexengine.systems.squad.spotting import spotted
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
        marked = (pos.moved | pos.assault | pos.fired) & bit or (pos.spotted | pos.melee) >> place & 1
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
