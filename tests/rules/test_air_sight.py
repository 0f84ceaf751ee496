"""Sight from and to the air (P10.6)."""

from random import Random

import pytest

from hexengine.content.loader import loads
from hexengine.systems.platoon.sight.air import sees
from hexengine.testing import generators
from tests.rules.asking import facts
from tests.rules.table import allows, begin, play, refuse, scenario


def sight(column, here, there, other="t-72", levels=None):
    """Whether a helicopter and another unit see each other, over two rows of a map one hex wide."""
    rows = "\n".join(column)
    on_map = {"levels": "\\n".join(levels)} if levels else {}
    forces = f"blue A\n h1 mi-24 01{here:02}\nred B\n x9 {other} 01{there:02}\n"
    game = begin(rows, forces, active="A", on_map=on_map)
    pos = game.position
    assert sees(pos, 0, 1) == sees(pos, 1, 0)
    return sees(pos, 0, 1)


@pytest.mark.rule("P10.6")
@pytest.mark.parametrize(
    ("column", "levels", "level"),
    [(".", "0", 1), (".", "1", 2), ("w", "0", 2), ("t", "0", 2), ("c", "0", 2), ("w", "1", 3), ("r", "0", 1)],
)
def test_levels(column, levels, level):
    forces = "blue A\n t1 inf-us 0101\nred B\n t9 t-72 0201\n"
    game = begin(column + ".", forces, on_map={"levels": levels + "0"})
    assert game.board.air_sight.levels[0] == level


@pytest.mark.rule("P10.6")
@pytest.mark.parametrize(
    ("column", "seen"),
    [
        ("......", True),
        ("..w...", True),
        ("....w.", False),
        ("....F.", False),
        ("....t.", False),
        ("...t..", False),
        ("..t...", True),
        ("...c..", False),
        ("..u...", True),
        ("....r.", True),
        ("..rrr.", True),
        (".www..", True),
        ("w....w", True),
    ],
)
def test_woods_hide_what_is_right_behind_and_houses_two_hexes(column, seen):
    assert sight(column, 1, 6) == seen


@pytest.mark.rule("P10.6")
def test_adjacent_ones_are_seen_also_behind_woods():
    assert sight("w.", 1, 2)
    assert sight(".w", 1, 2)


@pytest.mark.rule("P10.6")
@pytest.mark.parametrize(
    ("column", "levels", "seen"),
    [
        ("......", "000000", True),
        ("......", "000100", False),  # level 1, a hill between
        ("......", "010000", False),
        ("w.....", "000100", True),  # level 2
        ("......", "100100", True),
        ("w..w..", "000100", False),  # a wooded hill, level 2
        ("w..w..", "100100", True),  # level 3
        ("......", "100200", False),
        ("w.....", "100200", True),
        ("......", "000101", True),  # the ground unit on a hill of the same height
        ("......", "000201", False),
    ],
)
def test_hills_block_those_who_are_no_higher(column, levels, seen):
    assert sight(column, 1, 6, levels=levels) == seen


@pytest.mark.rule("P10.6")
@pytest.mark.parametrize(
    ("column", "levels", "seen"),
    [
        ("....w.", "000000", True),
        ("....t.", "000000", True),
        ("......", "000100", True),  # both level with the open top
        ("...w..", "000100", False),
        ("w..w..", "000100", False),  # the higher one at level 2
        ("w..w..", "100100", True),  # at level 3
        ("......", "000200", False),
    ],
)
def test_between_two_in_the_air(column, levels, seen):
    assert sight(column, 1, 6, "mi-24", levels) == seen


@pytest.mark.rule("P10.6", "P10.5")
def test_along_a_hexside_both_sides_must_block():
    """0101 and 0301 lie on a line along the side of 0200 (off the map: open) and 0201."""
    forces = "blue A\n h1 mi-24 0102\nred B\n t9 t-72 0302\n"
    for upper, lower, seen in (("w", "w", False), ("w", ".", True), (".", "w", True)):
        game = begin(f".{upper}.\n.{lower}.\n...", forces, active="A")
        assert allows(game, "fire h1 t9") == seen


@pytest.mark.rule("P10.6", "P11.4")
def test_wrecks_are_no_obstacle_to_the_air():
    forces = "blue A\n h1 mi-24 0101\nred B\n t9 t-72 0106\n"
    game = begin("\n".join("......"), forces, active="A", on_map={"wrecks": ["0103", "0104", "0105"]})
    assert allows(game, "fire h1 t9")


@pytest.mark.rule("P10.6")
@pytest.mark.refusal("P10.6")
def test_who_is_not_seen_cannot_be_fired_at():
    forces = "blue A\n h1 mi-24 0101\nred B\n t9 t-72 0106\n"
    game = begin("\n".join("....w."), forces, active="A")
    refuse(game, "fire h1 t9", "P10.6", "no-line-of-sight")
    game = begin("\n".join("....w."), forces, active="B")
    assert game.why_not("fire t9 h1") is not None
    play(game, "move t9 0105")
    assert game.decision.kind == "reaction", "on the near side of the woods it is seen"
    assert facts(play(game, "fire h1 t9 [1 1 1 1]"), "fire")["distance"] == 4


def rough_country(seed):
    """A map with everything on it, and a helicopter and a tank of each side somewhere."""
    random = Random(seed)
    terrain = generators.letters(random, 9, 8, ".wtrcF", 2).rstrip()
    levels = generators.letters(random, 9, 8, "00123", 2).rstrip()
    forces = (
        "blue A\n h1 mi-24 0101\nblue C\n t1 inf-us 0102\nred B\n h9 mi-24 0908\nred D\n t9 inf-su 0907\n"
    )
    text = scenario(terrain, forces, on_map={"levels": levels.replace("\n", "\\n")})
    return loads(text, "test").board


@pytest.mark.rule("P10.6", "P10.1")
@pytest.mark.parametrize("seed", range(6))
def test_sight_is_symmetric_for_all_pairs_in_the_air_and_on_the_ground(seed):
    board = rough_country(seed)
    air = board.air_sight
    whole = (1 << board.size) - 1
    for a in range(board.size):
        # Views of some hexes are asked for before single lines, of others after them.
        views = {
            (above, there): air.in_view(a, whole, above, there)
            for above, there in ((True, True), (True, False), (False, True))
        }
        for b in range(board.size):
            for above, there in views:
                seen = air.sees(a, b, above, there)
                assert seen == air.sees(b, a, there, above)
                assert seen == bool(views[above, there] >> b & 1)
                assert seen == air.facts(a, b, above, there).clear
                assert air.facts(a, b, above, there).clear == air.facts(b, a, there, above).clear
