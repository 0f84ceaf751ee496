"""From what a position shows to the scene of a board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexengine.core.outlook import Ground, Outlook, Piece, SightLook
from hexengine.hexes import Chart, Grid, HexMap, LineRow, SideRow, TerrainRow
from hexengine.view.board import lines
from hexengine.view.counters import letters
from hexengine.view.panels import header_row
from hexengine.view.scenes import (
    SIGNS,
    Extras,
    half_points,
    landscape,
    line_of,
    marks_of,
    phase_word,
    scene,
    seen_from,
    state_word,
    unit_rows,
)
from tests.view.scenes import theme


def ground() -> Ground:
    """Four by three hexes with a road over a river, and a place."""
    chart = Chart(
        [TerrainRow("clear", {"leg": 2}), TerrainRow("woods", {"leg": 4})],
        [SideRow("river", {"leg": 4}), SideRow("bridge", {"leg": 0}, overrides=("river",))],
        [LineRow("road", {"leg": 1}, ("river",))],
        ["leg"],
    )
    grid = Grid(4, 3)
    crossing = (grid.index("0201"), grid.index("0301"))
    beyond = (grid.index("0202"), grid.index("0302"))
    terrain = [0] * 12
    terrain[grid.index("0403")] = 1
    plan = HexMap(grid, chart, terrain, None, {crossing: ["river"], beyond: ["river"]}, {crossing: ["road"]})
    return Ground(plan, {grid.index("0403"): "Ried"}, {beyond: ("blown-bridge",)}, ("Blue", "Red"), 5)


@pytest.fixture
def outlook() -> Outlook:
    at = Grid(4, 3).index
    return Outlook(
        ground(),
        2,
        "operations",
        "1st",
        0,
        ((0, 1), (1, 0), (None, 2)),
        (
            Piece("a-hq", "HQ", 0, "hq", "1st", at("0101"), leader=True, strength="2"),
            Piece("a-1", "M1", 0, "armour", "1st", at("0101"), "", "4", 1, 2, ("disrupted",), ready=True),
            Piece("a-2", "M2", 0, "mechanised", "1st", at("0101"), "", "3", 2, 2, ("ops-complete",)),
            Piece("a-3", "Inf", 0, "infantry", "1st", at("0101"), "a-2", "2", 2, 2, ("carried",)),
            Piece("a-w", "Dragon", 0, "anti-tank", "1st", at("0101"), "a-3", "3", attached=True),
            Piece("b-1", "T-72", 1, "armour", "2nd", at("0403"), "", "3", 2, 2, ("out-of-command",)),
            Piece("b-2", "T-72", 1, "armour", "2nd", states=("eliminated",), steps=0),
            Piece("b-3", "T-72", 1, "armour", "2nd", states=("due",)),
            Piece("b-4", "T-72", 1, "armour", "2nd"),
        ),
        {at("0403"): ("wreck",)},
        {at("0403"): 1, at("0101"): None},
        (3, 0),
    )


def test_the_top_of_a_stack_stands_for_it(outlook):
    first, second = scene(outlook).counters
    assert (first.name, first.mark, first.stack, first.hq) == ("M1", "○", 3, True)
    assert (first.steps, first.reduced, first.disrupted, first.ops_complete) == (1, True, True, False)
    assert (second.name, second.side, second.out_of_command, second.stack) == ("T-72", 1, True, 1)


def test_a_leader_is_drawn_where_nobody_else_stands(outlook):
    alone = replace(outlook, pieces=outlook.pieces[:1])
    assert [(one.mark, one.stack, one.hq) for one in scene(alone).counters] == [("■", 1, True)]


def test_who_flies_over_others_is_a_sign_on_their_counter(outlook):
    """Over friend or enemy alike; alone in a hex a helicopter has a counter of its own."""
    at = Grid(4, 3).index
    flying = [
        Piece("h-1", "Mi-24", 1, "helicopter", "3rd", at("0101"), "", "4", 2, 2, flies=True),
        Piece("h-2", "Mi-24", 1, "helicopter", "3rd", at("0303"), "", "4", 2, 2, flies=True),
        Piece("h-3", "AH-1", 0, "helicopter", "4th", at("0303"), "", "4", 2, 2, flies=True),
    ]
    counters = {one.hex: one for one in scene(replace(outlook, pieces=(*flying, *outlook.pieces))).counters}
    below, alone = counters[at("0101")], counters[at("0303")]
    assert (below.name, below.side, below.stack, below.hq, below.above) == ("M1", 0, 3, True, True)
    assert (alone.name, alone.side, alone.stack, alone.above) == ("Mi-24", 1, 1, True)
    assert letters(below, True)[-1] == "∞"
    assert letters(below, False)[-1] == "8"
    drawn = "\n".join(lines(scene(replace(outlook, pieces=(*flying, *outlook.pieces))), theme(), "outline"))
    assert "helicopters above" in drawn


def test_the_list_has_who_can_act_first_and_nobody_who_is_gone(outlook):
    rows = unit_rows(outlook)
    assert [row.name for row in rows] == ["a-1", "a-hq", "a-2", "a-3", "a-w", "b-1", "b-3"]
    by_name = {row.name: row for row in rows}
    assert by_name["a-1"].state == "disrupted"
    assert by_name["a-3"].state == "with a-2"
    assert (by_name["b-3"].place, by_name["b-3"].state) == ("-", "may enter")
    assert by_name["b-1"].place == "0403"


def test_the_active_side_comes_first_where_nobody_is_to_act(outlook):
    waiting = replace(
        outlook,
        active_side=1,
        active="2nd",
        pieces=tuple(replace(one, ready=False) for one in outlook.pieces),
    )
    assert [row.name for row in unit_rows(waiting)][:2] == ["b-1", "b-3"]


def test_the_map_as_printed(outlook):
    land = landscape(outlook.ground)
    at = land.grid.index
    assert land.cells[at("0403")].terrain == "woods"
    assert land.cells[at("0403")].name == "Ried"
    assert land.sides[at("0201"), at("0301")] == ("river", "bridge"), "a road over a river is a bridge"
    assert land.sides[at("0202"), at("0302")] == ("river", "blown-bridge")
    assert land.lines[at("0201"), at("0301")] == ("road",)
    assert landscape(outlook.ground) is land, "drawings are kept by it"


def test_the_header_and_what_lies_about(outlook):
    drawing = scene(outlook, Extras(log=("x",), notes=("y",)))
    header = drawing.header
    assert (header.turn, header.turns, header.phase, header.active) == (2, 5, "Operations", "1st")
    assert header.cup == outlook.cup
    assert drawing.marks == outlook.marks
    assert drawing.objectives == outlook.objectives
    assert drawing.log == ("x",)
    assert drawing.notes == ("score: Blue 3, Red 0", "y")


def test_a_narrow_top_line_leaves_out_what_is_dear_and_cuts_nothing(outlook):
    drawing = scene(replace(outlook, cup=((0, 3), (1, 7), (None, 2)), active="", active_side=None))
    shown = {}
    for width in (80, 62, 50):
        (row,) = header_row(drawing.header, theme(), width, True).lines()
        shown[width] = row.partition("cup ")[2].rstrip()
    assert shown == {
        80: "[●●●] <●●●●●●●> ○○ end of turn (12 left)",
        62: "[●●●] <●●●●●●●> ○○ end of turn",
        50: "[3] <7> 2 end of turn",
    }


def test_leaders_are_called_what_they_are(outlook):
    shown = "\n".join(lines(scene(outlook), theme(), "outline"))
    assert "H with headquarters" in shown
    shown = "\n".join(lines(scene(replace(outlook, leaders="leader")), theme(), "outline"))
    assert "H with a leader" in shown


def test_it_can_be_drawn(outlook):
    shown = "\n".join(lines(scene(outlook), theme(), "outline"))
    assert "M1" in shown
    assert "≠" in shown


@pytest.mark.parametrize(("halves", "text"), [(0, "0"), (1, "½"), (2, "1"), (7, "3½")])
def test_halves_of_points(halves, text):
    assert half_points(halves) == text


def test_known_signs_have_two_marks_and_unknown_ones_a_letter():
    assert all(len(mark) == len(plain) == 1 and plain.isascii() for mark, plain in SIGNS.values())
    assert len({plain for _, plain in SIGNS.values()}) == len(SIGNS)
    assert marks_of("cavalry") == ("C", "C")
    assert marks_of("") == ("?", "?")
    assert marks_of("Ж") == ("?", "?")


def test_codes_without_words_are_shown_as_they_are():
    assert state_word("pinned-down") == "pinned down"
    assert phase_word("mutual-fire") == "Mutual fire"


def test_sight_for_a_board():
    seen = seen_from(3, [3, 4, 5], 8)
    assert (seen.origin, seen.visible, seen.blocked) == (3, frozenset({3, 4, 5}), frozenset({0, 1, 2, 6, 7}))
    line = line_of(SightLook(0, 2, 2, False, "X1", (0, 1, 2), (), 1))
    assert (line.origin, line.target, line.line, line.stop) == (0, 2, (0, 1, 2), 1)
