"""Line of sight (P10): the examples, every clause, and the whole rule written again with exact fractions.

In a column of hexes the line runs through every hex, from centre to centre.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

import pytest

from hexengine.content.loader import loads
from tests.rules.asking import codes, facts
from tests.rules.table import LEGEND, allows, begin, play, refuse, scenario

# -- asking ---------------------------------------------------------------------------------------


def column(terrain, levels="", a="inf-us", b="inf-su", **on_map):
    """A game on a column of hexes 0101, 0102 ...; with levels 0 where they are not given."""
    rows = len(terrain)
    levels = levels.ljust(rows, "0")
    forces = f"blue A\n a {a} 0101\nred B\n b {b} 01{rows:02} ops-complete\n"
    return begin("\n".join(terrain), forces, active="A", on_map={"levels": "\\n".join(levels), **on_map})


def sees(game, a, b, wrecks=()):
    """Whether two hexes see each other, asked both ways."""
    board = game.board
    one, other = board.grid.index(a), board.grid.index(b)
    mask = sum(1 << board.grid.index(label) for label in wrecks) | game.position.wrecks
    there, back = board.sight.sees(one, other, mask), board.sight.sees(other, one, mask)
    assert there == back, "sight is mutual"
    assert there == board.sight.facts(one, other, mask).clear
    return there


def ends(terrain, levels="", **on_map):
    """Whether the first and the last hex of a column see each other."""
    return sees(column(terrain, levels, **on_map), "0101", f"01{len(terrain):02}")


class TestExamples:
    @pytest.mark.rule("P10.3")
    @pytest.mark.parametrize("terrain", "wFtcu")
    def test_one_hex_of_woods_or_houses_between_blocks(self, terrain):
        assert not ends(f"..{terrain}..")
        assert not ends(f".{terrain}...")

    @pytest.mark.rule("P10.3", "P11.4")
    def test_rough_and_a_wreck_between_block(self):
        assert not ends("..r..", wrecks=["0104"])

    @pytest.mark.rule("P10.3")
    @pytest.mark.parametrize("terrain", "rb")
    def test_one_rough_or_burnt_hex_between_does_not(self, terrain):
        assert ends(f"..{terrain}..")

    @pytest.mark.rule("P10.1", "P6.4")
    def test_a_target_in_woods_is_seen_and_has_a_die_more(self):
        game = column("....w", a="m1", b="t-72")
        assert allows(game, "fire a b")
        assert facts(play(game, "fire a b [4 4 4 4 1 1 1 1]"), "save")["dice"] == 4

    @pytest.mark.rule("P10.4")
    def test_two_hexes_back_from_the_crest_nobody_far_off_is_seen(self):
        # Hill hexes 0101 to 0103, the crest below 0103.
        assert not ends("." * 9, "111")

    @pytest.mark.rule("P10.4")
    def test_on_the_crest_he_is(self):
        assert ends("." * 9, "1")
        assert sees(column("." * 9, "111"), "0103", "0109")


class TestGround:
    @pytest.mark.rule("P10.1")
    @pytest.mark.parametrize("terrain", ["ww", "tt", "ct", "uF", "rw"])
    def test_adjacent_hexes_always_see_each_other(self, terrain):
        assert ends(terrain)
        assert ends(terrain, "01")

    @pytest.mark.rule("P10.1")
    def test_the_end_hexes_never_block(self):
        for terrain in "wFtcurb":
            assert ends(f"{terrain}..{terrain}")

    @pytest.mark.rule("P10.3", "P10.2")
    def test_a_hill_between_two_ground_hexes_blocks(self):
        assert not ends("." * 5, "00100")

    @pytest.mark.rule("P10.3")
    @pytest.mark.parametrize("terrain", ["rr", "rb", "br", "bb", "r.r", "b..r"])
    def test_two_partial_hexes_block_in_any_mix(self, terrain):
        assert not ends(f".{terrain}.")

    @pytest.mark.rule("P10.3", "P11.4")
    def test_rough_with_a_wreck_in_it_is_one(self):
        assert ends("..r..", wrecks=["0103"])
        assert not ends("..r.r.", wrecks=["0103"])

    @pytest.mark.rule("P10.3", "P11.4")
    def test_wrecks_count_where_nothing_else_hinders(self):
        assert ends("." * 6, wrecks=["0103"])
        assert not ends("." * 6, wrecks=["0103", "0104"])
        assert ends("." * 6, wrecks=["0101", "0106", "0103"]), "those at the ends do not count"

    @pytest.mark.rule("P10.3", "D1")
    @pytest.mark.parametrize("terrain", ".fmls")
    def test_what_does_not_hinder(self, terrain):
        assert ends("." + terrain * 4 + ".")

    @pytest.mark.rule("P10.4")
    def test_a_drawn_crest_means_nothing_on_the_ground(self):
        assert ends("." * 6, crests=["0103/0104"])


class TestHills:
    @pytest.mark.rule("P10.4")
    def test_both_on_one_height_the_crests_between_do_not_block(self):
        assert ends("." * 7, "1100011")
        assert ends("." * 5, "11111")

    @pytest.mark.rule("P10.4")
    def test_the_crest_may_touch_the_one_below_instead(self):
        # The ground hex lies right under the crest: firer or target next to it.
        assert ends("." * 4, "1110")
        assert not ends("." * 5, "1110")

    @pytest.mark.rule("P10.4")
    def test_each_crest_between_must_touch_one_of_them(self):
        # Another hill between the firer's crest and the target: two more crests.
        assert not ends("." * 6, "100100")
        assert ends("." * 3, "101")

    @pytest.mark.rule("P10.4")
    def test_drawn_crests_count_like_the_others(self):
        # On the hill itself, behind the level's own crest or in front of it.
        game = column("." * 6, "111", crests=["0102/0103"])
        assert not sees(game, "0102", "0106"), "the level's own crest, below 0103, touches neither"
        game = column("." * 6, "11", crests=["0101/0102"])
        assert sees(game, "0102", "0106")
        assert not sees(game, "0101", "0106")

    @pytest.mark.rule("P10.4", "P10.2")
    @pytest.mark.parametrize("terrain", "wtcu")
    def test_woods_and_houses_on_the_height_block(self, terrain):
        assert not ends(f"..{terrain}..", "11111")
        assert not ends(f".{terrain}....", "11")

    @pytest.mark.rule("P10.4")
    @pytest.mark.parametrize("terrain", "wtcuF")
    def test_those_on_the_ground_block_only_right_in_front_of_the_lower_hex(self, terrain):
        assert not ends(f"....{terrain}.", "1")
        assert ends(f"...{terrain}..", "1")
        assert ends(f".{terrain}....", "1")

    @pytest.mark.rule("P10.4")
    def test_nor_between_two_heights(self):
        assert ends(".www.", "10001")
        assert ends(".w.", "101")

    @pytest.mark.rule("P10.3", "P10.4")
    def test_partial_obstacles_count_only_between_ground_and_ground(self):
        assert ends(".rrbr.", "1", wrecks=["0102", "0103", "0104"])
        assert ends(".rrr.", "11111", wrecks=["0102", "0103", "0104"])

    @pytest.mark.rule("P10.4", "P10.2")
    def test_greater_heights_follow_the_same_words(self):
        assert ends("." * 5, "22222")
        assert ends("." * 5, "21111"), "the one crest touches the firer"
        assert not ends("." * 5, "22111")
        assert not ends("." * 5, "11211")
        assert ends("." * 5, "21012"), "both at or above every crest between"

    @pytest.mark.rule("P10.1")
    @pytest.mark.refusal("P10.1")
    def test_what_is_not_seen_is_not_shot_at(self):
        refusal = refuse(column("." * 9, "111", a="m1"), "fire a b", "P10.1", "no-line-of-sight")
        assert (refusal.facts["from"], refusal.facts["to"]) == ("0101", "0109")


class TestAlongHexsides:
    """From 0102 to 0302 the line runs between 0201 and 0202; from 0101 along the edge of the map."""

    def view(self, upper, lower, a="0102", b="0302", **on_map):
        rows = [f".{upper}...", f".{lower}...", ".....", "....."]
        game = begin("\n".join(rows), "blue A\n a m1 0104\nred B\n b t-72 0504\n", active="A", on_map=on_map)
        return sees(game, a, b)

    @pytest.mark.rule("P10.5")
    @pytest.mark.parametrize(
        ("upper", "lower", "clear"),
        [
            ("w", "w", False),
            ("w", ".", True),
            (".", "w", True),
            ("w", "r", True),
            ("r", "t", True),
            ("t", "w", False),
        ],
    )
    def test_the_lesser_obstacle_of_the_two_counts(self, upper, lower, clear):
        assert self.view(upper, lower) == clear

    @pytest.mark.rule("P10.5")
    @pytest.mark.parametrize(
        ("upper", "lower", "clear"),
        [("r", "r", False), ("r", "w", False), ("w", "r", False), ("r", ".", True)],
    )
    def test_two_partial_ones_make_a_partial_one(self, upper, lower, clear):
        # A wreck further on, inside 0302, is the other.
        assert self.view(upper, lower, b="0502", wrecks=["0302"]) == clear

    @pytest.mark.rule("P10.5", "P11.4")
    def test_a_wreck_on_one_side_only_does_not_hinder(self):
        assert self.view(".", ".", b="0502", wrecks=["0302", "0202"])
        assert not self.view(".", "r", b="0502", wrecks=["0302", "0201"])

    @pytest.mark.rule("P10.5")
    def test_beyond_the_edge_of_the_map_is_open(self):
        assert self.view("w", "w", "0101", "0301")

    @pytest.mark.rule("P10.5", "P10.4")
    @pytest.mark.parametrize(("levels", "clear"), [("11", False), ("10", True), ("01", True), ("00", True)])
    def test_crests_of_both_sides_are_weighed_as_well(self, levels, clear):
        # From the hill 0102 to the ground 0502: 0201 and 0202 on the way lie on its height, or one, or none.
        # Where both do, the crest behind them touches neither firer nor target.
        rows = f"0{levels[0]}000", f"1{levels[1]}000"
        assert self.view(".", ".", b="0502", levels="\\n".join([*rows, "00000", "00000"])) == clear

    @pytest.mark.rule("P10.1")
    @pytest.mark.parametrize(
        ("woods", "clear"), [("0201", True), ("0203", True), ("0102", False), ("0202", False)]
    )
    def test_a_hex_touched_in_one_corner_is_not_between(self, woods, clear):
        # From 0101 to 0203 the line runs through 0102 and 0202 and meets no other hex but in corners.
        lines = [["."] * 3 for _ in range(4)]
        lines[int(woods[2:]) - 1][int(woods[:2]) - 1] = "w"
        rows = "\n".join(map("".join, lines))
        game = begin(rows, "blue A\n a m1 0301\nred B\n b t-72 0304\n", active="A")
        assert sees(game, "0101", "0203") == clear


class TestUnitsAndWrecks:
    @pytest.mark.rule("P10.7")
    def test_units_never_block(self):
        forces = (
            "blue A\n a m1 0101\n c m1 0103\n d m1 0103\nred B\n b t-72 0106\n e t-72 0105\n f t-72 0105\n"
        )
        game = begin("\n".join("......"), forces, active="A")
        assert allows(game, "fire a b")

    @pytest.mark.rule("P10.8", "P10.3", "P11.4")
    @pytest.mark.refusal("P10.1")
    def test_a_wreck_that_appears_in_play_may_block(self):
        forces = "blue A\n a m1 0101\n c m1 0103\nred B\n b t-72 0108\n d t-72 0104 disrupted reduced\n"
        game = begin("\n".join("..r....."), forces, active="A")
        assert allows(game, "fire a b")
        assert "wreck" in codes(play(game, "fire c d [6 1 1 1 1 1]"))
        refuse(game, "fire a b", "P10.1", "no-line-of-sight")


# -- the whole rule again ---------------------------------------------------------------------------

PARTIAL = {"rough", "burnt-woods"}
BLOCKING = {"woods", "forest", "town", "city", "ruins"}
WIDE, HIGH = 7, 6


def _centre(column, row):
    """On a sheet pressed flat so that all centres and corners are whole: corners lie at (2, 0), (1, 1) ..."""
    return 3 * column, 2 * row + (1 if column % 2 == 0 else 0)


def _inside(hex_, start, end):
    """The part of a segment, from 0 to 1, that lies in a hex or on its edge; and whether in its inside."""
    x, y = _centre(*hex_)
    low, high, inside = Fraction(0), Fraction(1), True
    for a, b, limit in ((0, 1, 1), (0, -1, 1), (1, 1, 2), (-1, -1, 2), (1, -1, 2), (-1, 1, 2)):
        at = a * (start[0] - x) + b * (start[1] - y)
        grows = a * (end[0] - start[0]) + b * (end[1] - start[1])
        if grows == 0:
            if at > limit:
                return None
            inside = inside and at < limit
        elif grows > 0:
            high = min(high, Fraction(limit - at, grows))
        else:
            low = max(low, Fraction(limit - at, grows))
    return (low, high, inside) if low < high else None


@cache
def _between(a, b):
    """What lies between two hexes, in order: hexes, or pairs along a side with None beyond the edge."""
    start, end = _centre(*a), _centre(*b)
    found = []
    for column, row in ((c, r) for c in range(WIDE + 2) for r in range(HIGH + 2)):
        part = _inside((column, row), start, end)
        if part and (column, row) not in (a, b):
            found.append((part[0], part[1], part[2], (column, row)))
    pieces = {}
    for low, high, inside, hex_ in found:
        there = hex_ if 1 <= hex_[0] <= WIDE and 1 <= hex_[1] <= HIGH else None
        if inside:
            pieces[low, high] = (there,)
        else:
            pieces[low, high] = (*pieces.get((low, high), ()), there)
    return [pieces[key] for key in sorted(pieces)]


def _apart(a, b):
    """Hexes between centres, by the way of columns and half rows."""
    dx, dy = (abs(p - q) for p, q in zip(_centre(*a), _centre(*b), strict=True))
    across = dx // 3
    return across + max(0, (dy - across) // 2)


class Again:
    """P10 in its own words, for maps of levels 0 and 1."""

    def __init__(self, terrain, levels, crests, wrecks):
        self.terrain, self.levels, self.crests, self.wrecks = terrain, levels, crests, wrecks

    def sees(self, a, b):
        if _apart(a, b) <= 1:
            return True
        weights = []
        way = [(a,), *_between(a, b), (b,)]
        for at, piece in enumerate(way):
            if len(piece) == 2:
                before, after = way[at - 1][0], way[at + 1][0]
                weights.append(min(self._side(before, side, after, a, b) for side in piece))
            else:
                if 0 < at < len(way) - 1:
                    weights.append(self._hex(piece[0], a, b))
                if at and len(way[at - 1]) == 1:
                    weights.append(self._crest(way[at - 1][0], piece[0], a, b))
        return 2 not in weights and weights.count(1) < 2

    def _side(self, before, there, after, a, b):
        if there is None:
            return 0
        crests = self._crest(before, there, a, b), self._crest(there, after, a, b)
        return max(*crests, self._hex(there, a, b))

    def _hex(self, there, a, b):
        terrain, level = self.terrain[there], self.levels[there]
        if not self.levels[a] and not self.levels[b]:
            if level or terrain in BLOCKING:
                return 2
            return 1 if terrain in PARTIAL or there in self.wrecks else 0
        if terrain not in BLOCKING:
            return 0
        if level:
            return 2
        lower = [end for end in (a, b) if not self.levels[end]]
        return 2 if any(_apart(end, there) == 1 for end in lower) else 0

    def _crest(self, one, other, a, b):
        if not self.levels[a] and not self.levels[b]:
            return 0
        if self.levels[one] == self.levels[other] and frozenset((one, other)) not in self.crests:
            return 0
        upper = max(self.levels[one], self.levels[other])
        if self.levels[a] >= upper and self.levels[b] >= upper:
            return 0
        return 0 if {one, other} & {a, b} else 2


def _grid(signs, end):
    return end.join("".join(signs[c, r] for c in range(1, WIDE + 1)) for r in range(1, HIGH + 1))


def _made_up(seed):
    """A random map as scenario text, and the same map for the second way."""
    random = Random(seed)
    hexes = [(c, r) for c in range(1, WIDE + 1) for r in range(1, HIGH + 1)]
    open_ = 0.4 + random.random() * 0.5
    terrain = {h: "." if random.random() < open_ else random.choice("wtrbFcufr") for h in hexes}
    hilly = random.choice((0.0, 0.15, 0.4, 0.7))
    levels = {h: int(random.random() < hilly) for h in hexes}
    neighbours = [pair for pair in combinations(hexes, 2) if _apart(*pair) == 1]
    crests = random.sample(neighbours, random.choice((0, 6)))
    wrecks = random.sample(hexes, random.choice((0, 5)))
    label = "{0[0]:02}{0[1]:02}".format
    on_map = {
        "levels": _grid({h: str(level) for h, level in levels.items()}, "\\n"),
        "crests": [f"{label(a)}/{label(b)}" for a, b in crests],
        "wrecks": [label(h) for h in wrecks],
    }
    rows = _grid(terrain, "\n")
    named = {h: LEGEND[sign] for h, sign in terrain.items()}
    return rows, on_map, Again(named, levels, {frozenset(pair) for pair in crests}, set(wrecks))


@pytest.mark.rule("P10.1", "P10.2", "P10.3", "P10.4", "P10.5", "P10.8")
@pytest.mark.parametrize("seed", range(16))
def test_every_line_of_made_up_maps_against_the_rule_written_again(seed):
    rows, on_map, again = _made_up(seed)
    forces = "blue A\n a inf-su 0101\nred B\n b inf-su 0706\n"
    board = loads(scenario(rows, forces, on_map=on_map), "made-up").board
    wrecks = sum(1 << board.grid.hex_at(*h) for h in again.wrecks)
    hexes = list(again.terrain)
    clear = 0
    for a, b in combinations(hexes, 2):
        one, other = board.grid.hex_at(*a), board.grid.hex_at(*b)
        expected = again.sees(a, b)
        clear += expected
        assert board.sight.sees(one, other, wrecks) == expected, (a, b)
        assert board.sight.sees(other, one, wrecks) == expected, (b, a)
        assert board.sight.facts(one, other, wrecks).clear == expected
    assert 0 < clear < len(hexes) * (len(hexes) - 1) // 2


@pytest.mark.rule("P10.5", "P10.1", "P10.4")
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("stagger", ["even", "odd"])
def test_sight_is_symmetric_with_all_heights_crests_and_wrecks(orientation, stagger):
    for seed in range(4):
        random = Random(f"{orientation}{stagger}{seed}")
        rows, made, _ = _made_up(seed + 100)
        levels = "\\n".join("".join(random.choice("0000123") for _ in range(WIDE)) for _ in range(HIGH))
        on_map = {"levels": levels, "orientation": orientation, "stagger": stagger, "wrecks": made["wrecks"]}
        forces = "blue A\n a inf-su 0101\nred B\n b inf-su 0706\n"
        board = loads(scenario(rows, forces, on_map=on_map), "made-up").board
        sight = board.sight
        for wrecks in (0, random.getrandbits(board.size)):
            for a, b in combinations(range(board.size), 2):
                there, back = sight.facts(a, b, wrecks), sight.facts(b, a, wrecks)
                assert there.clear == back.clear == sight.sees(a, b, wrecks) == sight.sees(b, a, wrecks)
                weights = [sorted(one.weight for one in facts.obstacles) for facts in (there, back)]
                assert weights[0] == weights[1]
        for a in range(board.size):
            seen = sight.in_view(a, (1 << board.size) - 1)
            assert seen == sum(1 << b for b in range(board.size) if sight.sees(a, b))
