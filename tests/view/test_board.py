"""What every board keeps: width, no escape bytes without colour, no wrapping, any size, any name, speed."""

from __future__ import annotations

import dataclasses
import io
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from hexengine.hexes.grid import Grid
from hexengine.view.board import compose, lines, map_width, render
from hexengine.view.canvas import Canvas
from hexengine.view.counters import label_text
from hexengine.view.panels import header_row
from hexengine.view.pixels import fill_of, printed
from hexengine.view.scene import Cell, Counter, Header, Landscape, Scene, Sight, UnitRow
from hexengine.view.shapes import hexagon
from hexengine.view.style import Facts, choose_style
from hexengine.view.theme import Theme
from tests.view import scenes

STYLES = ("hex", "compact", "outline")
SIZES = [(1, 1), (2, 2), (1, 3), (3, 1), (24, 16), (64, 64), (3, 101)]
NASTY = "[red]x[/] \x1b[31m漢字🚜‮مرحبا\n\t👨‍👩‍👧é"


def printed_text(scene: Scene, width: int, **arguments: object) -> str:
    console = Console(
        file=io.StringIO(), width=width, force_terminal=True, color_system="truecolor", legacy_windows=False
    )
    console.print(render(scene, scenes.theme(), width=width, **arguments), end="")  # type: ignore[arg-type]
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def named(name: str) -> Scene:
    """A battle in which every text that people can choose is this one."""
    scene = scenes.battle()
    land = scene.land
    cells = tuple(dataclasses.replace(cell, name=name) for cell in land.cells)
    return dataclasses.replace(
        scene,
        land=Landscape(land.grid, cells, land.sides, land.lines),
        sides=(name, name),
        counters=tuple(dataclasses.replace(counter, name=name, strength=name) for counter in scene.counters),
        chips=dict.fromkeys(scene.chips, name),
        header=Header(1, 2, name, name, 0, ((0, 1), (None, 2))),
        units=(UnitRow(0, name, name, name, name, name, 1, False, name),) * 3,
        log=(name,) * 3,
        notes=(name,),
    )


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("stagger", ["even", "odd"])
def test_every_style_draws_every_size(
    style: str, columns: int, rows: int, orientation: str, stagger: str
) -> None:
    """Each hex of the map shows its label or its counter, and a board never sticks out.

    Where labels have six digits the row alone may stand in the hex, its column above the map.
    """
    scene = scenes.blank(columns, rows, orientation, stagger)
    canvas = compose(scene, scenes.theme(), style)  # type: ignore[arg-type]
    text = "\n".join(canvas.lines())
    hexes = range(scene.land.grid.size)
    free = [h for h in hexes if h % 3] if style == "compact" else hexes
    assert all(label_text(scene.land.grid, h, 4) in text for h in free)
    assert text.count("T72" if style == "compact" else "T-72") == len(scene.counters)
    assert all(len(row) == canvas.width for row in canvas.signs)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("width", [1, 5, 40, 80, 119, 120, 200, 400])
@pytest.mark.parametrize("height", [None, 3, 24])
def test_no_row_is_wider_than_promised_and_none_is_wrapped(
    style: str, width: int, height: int | None
) -> None:
    scene = scenes.battle()
    canvas = compose(scene, scenes.theme(), style, width=width, height=height)  # type: ignore[arg-type]
    assert canvas.width == width
    assert height is None or canvas.height <= height
    rows = printed_text(scene, width, style=style, height=height).split("\n")
    assert len(rows) == canvas.height + 1 and rows[-1] == ""
    plain = lines(scene, scenes.theme(), style, width=width, height=height)  # type: ignore[arg-type]
    assert all(cell_len(row) <= width for row in plain)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("unicode", [True, False])
def test_no_escape_byte_without_colour(style: str, unicode: bool) -> None:
    text = printed_text(named(NASTY), 130, style=style, colour=False, unicode=unicode)
    assert "\x1b" not in text
    assert unicode or text.isascii()


@pytest.mark.parametrize("style", STYLES)
def test_names_are_shown_literally(style: str) -> None:
    """Markup brackets are letters like any others, and nothing is interpreted."""
    scene = dataclasses.replace(scenes.battle(), log=("[bold]go[/bold] :smile: [/]",))
    text = printed_text(scene, 200, style=style)
    assert "[bold]go[/bold] :smile: [/]" in text


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "name", ["漢字漢字漢字漢字", "🚜🚜🚜🚜", "مرحبا", "[x]", "é" * 9, NASTY, "", "👨‍👩‍👧‍👦" * 5]
)
def test_wide_and_strange_names_keep_the_columns(style: str, name: str) -> None:
    canvas = compose(named(name), scenes.theme(), style, width=140)  # type: ignore[arg-type]
    check_rows(canvas)
    plain = compose(named(name), scenes.theme(), style, width=140, colour=False)  # type: ignore[arg-type]
    check_rows(plain)


def check_rows(canvas: Canvas) -> None:
    for row in canvas.signs:
        assert len(row) == canvas.width
        assert sum(cell_len(sign) for sign in row) == canvas.width
        assert not set("".join(row)) & set("\x1b\n\t\r‮")


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=12), st.sampled_from(STYLES), st.booleans())
def test_any_text_keeps_the_columns(name: str, style: str, unicode: bool) -> None:
    check_rows(compose(named(name), scenes.theme(), style, width=125, height=40, unicode=unicode))  # type: ignore[arg-type]


def test_without_colour_half_blocks_are_not_used() -> None:
    for style in STYLES:
        assert "▀" not in "".join(lines(scenes.battle(), scenes.theme(), style))  # type: ignore[arg-type]


def test_the_height_under_a_counter_is_shown_in_triangles() -> None:
    for level, count in ((0, 0), (1, 1), (2, 2)):
        land = Landscape(scenes.blank(1, 1).land.grid, (Cell("town", level),))
        scene = Scene(land, counters=(Counter(0, 0, "○", "A", "M1", "9", 1),))
        text = "\n".join(compose(scene, scenes.theme(), "hex", legend=False).lines())
        assert text.count("▲") == count


def test_every_state_is_a_letter_as_well() -> None:
    """Disrupted, out of command, complete, with the headquarters, reduced, stacked: none is colour alone."""
    grid_scene = scenes.blank(1, 1)
    unit = Counter(0, 0, "○", "A", "M1", "9", 1)
    changes: dict[str, dict[str, object]] = {
        "D": {"disrupted": True},
        "O": {"out_of_command": True},
        "√": {"ops_complete": True},
        "H": {"hq": True},
        "▫": {"reduced": True},
        "3": {"stack": 3},
    }
    for style in STYLES:
        for sign, change in changes.items():
            counter = dataclasses.replace(unit, **change)  # type: ignore[arg-type]
            canvas = compose(
                dataclasses.replace(grid_scene, counters=(counter,), header=None),
                scenes.theme(),
                style,  # type: ignore[arg-type]
                legend=False,
            )
            assert sign in "\n".join(canvas.lines()), (style, sign)


@pytest.mark.parametrize("style", STYLES)
def test_sides_differ_without_colour(style: str) -> None:
    rows = lines(scenes.battle(), scenes.theme(), style, width=120)  # type: ignore[arg-type]
    text = "\n".join(rows)
    assert "[○M1" in text and "<○T" in text


def test_the_panel_stands_beside_the_map_from_120_columns_on() -> None:
    scene = dataclasses.replace(scenes.blank(9, 8), units=scenes.battle().units, log=("draw 11 ACR",))
    wide = "\n".join(lines(scene, scenes.theme(), width=120))
    narrow = "\n".join(lines(scene, scenes.theme(), width=119))
    assert "units" in wide and "draw 11 ACR" in wide
    assert "units" not in narrow and "draw 11 ACR" not in narrow


def test_high_ground_is_darker_up_to_a_limit() -> None:
    """Levels are digits: at the ninth a colour is still a colour, and what is written on it can be read."""
    cells = tuple(Cell("clear", level) for level in range(10))
    fills = [fill_of(scenes.theme(), Landscape(Grid(10, 1), cells, {}, {}), h) for h in range(10)]
    channels = [[fill >> shift & 255 for fill in fills[1:]] for shift in (16, 8, 0)]
    for channel in channels:
        assert channel == sorted(channel, reverse=True)
        assert channel[-1] >= channel[0] // 2
    assert all(0 <= fill <= 0xFFFFFF for fill in fills)


def test_the_log_keeps_its_rows_however_long_its_lines_are() -> None:
    """Lines that are broken push out the oldest: what stands below the log stays where it is."""
    last = "the last word"
    scene = dataclasses.replace(scenes.blank(9, 8), log=(*["a long line of the log " * 4] * 9, last))
    rows = lines(scene, scenes.theme(), width=120)
    assert sum("of the log" in row or "log a long" in row for row in rows) <= 9
    assert any(last in row for row in rows)


@pytest.mark.parametrize("columns", [10, 16, 24, 40])
@pytest.mark.parametrize("width", [100, 117, 119, 120, 140, 160, 165, 200])
def test_a_wider_terminal_never_shows_less_of_the_map(columns: int, width: int) -> None:
    """A panel takes no room from a map that is seen whole without it."""
    scene = dataclasses.replace(scenes.blank(columns, 8), units=scenes.battle().units, notes=("score: 1, 2",))

    def seen(width: int) -> int:
        style = choose_style(Facts(width=width), scene).style
        heading = compose(scene, scenes.theme(), style, width=width).lines()[1 if scene.header else 0]
        return len([word for word in heading.split() if word.isdigit()])

    assert seen(width) >= seen(width - 20)
    if map_width(scene, "compact") <= width:
        assert seen(width) == columns


@pytest.mark.parametrize(("width", "height"), [(80, None), (80, 24), (50, 12), (119, 40)])
def test_the_score_stands_on_every_board_of_a_terminal(width: int, height: int | None) -> None:
    scene = dataclasses.replace(scenes.blank(16, 12), notes=("score: Blue 3, Red 0",))
    for style in STYLES:
        rows = lines(scene, scenes.theme(), style, width=width, height=height)  # type: ignore[arg-type]
        assert any("score: Blue 3, Red 0" in row for row in rows)
        assert height is None or len(rows) <= height


def test_a_strength_of_any_length_stands_apart_from_the_hex() -> None:
    strengths = ("164", "1/2", "12345678", "5")
    units = map(
        lambda unit, strength: dataclasses.replace(unit, strength=strength), scenes.battle().units, strengths
    )
    scene = dataclasses.replace(scenes.battle(), units=tuple(units))
    panel = "\n".join(lines(scene, scenes.theme(), width=140, panel=True))
    assert (
        " 0304   164 " in panel
        and " 0404   1/2 " in panel
        and " 0502 1234" in panel
        and " 0206     5 " in panel
    )


def test_a_panel_cut_short_says_how_many_units_are_missing() -> None:
    scene = dataclasses.replace(scenes.battle(), units=scenes.battle().units * 6)
    rows = lines(scene, scenes.theme(), width=120, height=40, panel=True)
    shown = sum(row.count("<○]") + row.count("[○]") + row.count("<○>") for row in rows)
    assert 0 < shown < 18
    assert any(" more " in row for row in rows)
    assert any("legend" in row for row in rows)


def test_units_that_are_cut_off_leave_room_for_the_rest_of_the_panel() -> None:
    """Those shown and those counted are all of them, and the legend's frame is closed below."""
    units = tuple(UnitRow(0, "○", "A", f"unit{number:02}") for number in range(40))
    scene = dataclasses.replace(scenes.battle(), units=units)
    for height in (36, 40, 44):
        rows = lines(scene, scenes.theme(), width=130, height=height, panel=True)
        (more,) = [int(found[1]) for row in rows if (found := re.search(r" (\d+) more ", row))]
        assert sum("unit" in row and "units" not in row for row in rows) == 40 - more
        assert len(rows) == height
        assert rows[-1].endswith("┘")


@pytest.mark.parametrize(("left", "shown"), [(14, "●" * 13), (15, "14")])
def test_a_full_cup_is_told_in_numbers(left: int, shown: str) -> None:
    """Dots that would take too much of the line stand for no more than fourteen markers."""
    header = Header(1, 9, "Draw", cup=((0, left - 1), (None, 1)))
    (row,) = header_row(header, scenes.theme(), 120, True).lines()
    assert shown in row
    assert ("●" in row) is (left < 15)


def test_scrolling_shows_the_corner_or_the_centre_asked_for() -> None:
    scene = dataclasses.replace(scenes.blank(64, 64), counters=())
    theme = scenes.theme()
    for style in STYLES:
        text = "\n".join(compose(scene, theme, style, width=80, height=24, scroll=(30, 40)).lines())  # type: ignore[arg-type]
        assert "3040" in text and "2939" not in text
        middle = scene.land.grid.index("3030")
        text = "\n".join(compose(scene, theme, style, width=80, height=24, centre=middle).lines())  # type: ignore[arg-type]
        assert "3029" in text and "3031" in text and "0101" not in text
        text = "\n".join(compose(scene, theme, style, width=80, height=24, scroll=(999, 999)).lines())  # type: ignore[arg-type]
        assert "6463" in text or "6464" in text


def test_arrows_tell_where_the_map_goes_on() -> None:
    scene = dataclasses.replace(scenes.blank(64, 64), header=None)
    theme = scenes.theme()
    corners = {
        scroll: compose(scene, theme, "hex", width=80, height=24, scroll=scroll).lines()[0].split()[0]
        for scroll in ((1, 1), (30, 1), (64, 64), (30, 30))
    }
    assert corners == {(1, 1): "►▼", (30, 1): "↔▼", (64, 64): "◄▲", (30, 30): "↔↕"}
    assert compose(scene, theme, "hex").lines()[0].split()[0] == "01"


def test_the_pixels_of_a_map_are_painted_once() -> None:
    land = scenes.landscape()
    shape = hexagon(True, False)
    assert printed(land, scenes.theme(), shape) is printed(land, scenes.theme(), shape)
    before = list(printed(land, scenes.theme(), shape).pixels)
    compose(scenes.battle(), scenes.theme(), "hex")
    compose(scenes.looking(), scenes.theme(), "hex")
    assert printed(land, scenes.theme(), shape).pixels == before


def test_a_board_without_theme_entries_is_still_drawn() -> None:
    """Unknown ids are drawn in the colour for the unknown, and named in the legend."""
    scene = scenes.battle()
    for style in STYLES:
        text = "\n".join(compose(scene, Theme(), style, width=140).lines())  # type: ignore[arg-type]
        assert "burnt-woods" in text and "blown-bridge" in text
    canvas = compose(scene, Theme(), "hex")
    unknown = Theme().board.unknown
    assert sum(row.count(unknown) for row in canvas.papers) > 500


def test_hexes_off_the_map_are_left_out() -> None:
    scene = scenes.blank(2, 2)
    strange = dataclasses.replace(
        scene,
        counters=(Counter(99, 0, "○", "A", "X"), Counter(-1, 0, "○", "A", "X")),
        chips={77: "1", -3: "1"},
        marks={50: ("wreck",)},
        selected=frozenset({44, -2}),
        path=(0, 99, 1, -1),
        objectives={33: 0, -5: None},
        sight=Sight(99, frozenset({88}), frozenset({-4}), 77, (66,), 55),
    )
    for style in STYLES:
        assert compose(strange, scenes.theme(), style, width=130).height > 4  # type: ignore[arg-type]


def test_a_map_must_have_a_cell_for_every_hex() -> None:
    with pytest.raises(ValueError, match="6 hexes"):
        Landscape(scenes.blank(2, 3).land.grid, (Cell("clear"),) * 5)


def test_a_path_leads_through_the_centres_of_its_hexes() -> None:
    scene = scenes.blank(6, 4)
    at = scene.land.grid.index
    scene = dataclasses.replace(scene, counters=(), path=(at("0102"), at("0202"), at("0302")))
    path = scenes.theme().board.path
    canvas = compose(scene, scenes.theme(), "hex")
    painted = sum(row.count(path) for row in canvas.papers) + sum(row.count(path) for row in canvas.inks)
    assert 12 <= painted <= 15
    assert "·" in "\n".join(lines(scene, scenes.theme()))


def test_the_width_of_a_whole_map_is_told() -> None:
    scene = scenes.blank(10, 4)
    for style in STYLES:
        assert compose(scene, scenes.theme(), style, legend=False).width == map_width(scene, style)  # type: ignore[arg-type]


@pytest.mark.parametrize(("style", "limit"), [("hex", 0.1), ("compact", 0.1), ("outline", 0.1)])
def test_a_map_of_24_by_16_is_drawn_in_well_under_a_tenth_of_a_second(style: str, limit: float) -> None:
    scene = scenes.blank(24, 16)
    best = 1.0
    for _ in range(5):
        start = time.process_time()
        printed_text(scene, 200, style=style)
        best = min(best, time.process_time() - start)
    assert best < limit
