"""The theme file, and that its colours can be read and told apart, with colour-blind eyes too."""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path

import pytest

from hexengine.view.colour import blend, contrast, linear, luminance, readable
from hexengine.view.theme import Theme, ThemeError
from tests.view import scenes

ROOT = Path(__file__).parents[2]

IDS = (
    "clear fields rough woods forest burnt-woods town city ruins hill wooded-hill marsh lake sand"
    " brush light-building stone-building tall-building bunker cave ford building",
    "stream river ford slope ridge cliff wall hedge house-wall door window breach bridge blown-bridge",
    "road trail railway",
    "wreck smoke thin-smoke position foxhole mines melee spotted shelling event",
)
# Signs that every monospace font has: those of the Windows Glyph List 4 that are used here.
COMMON = set(" ○×Ø●Λ/■∞♣♠▲⌂≈≡∩Ψ┴∙Π⌐†▓▒░□#¤=≠~^´¦►◄▼♦◦◘◙☼♥♂¬!X*")

# Machado, Oliveira and Fernandes 2009, severity 1: what is left of linear red, green and blue.
BLIND = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "full sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}


def lab(colour: int, eyes: str) -> tuple[float, float, float]:
    """CIE L*a*b* of a colour as those eyes see it."""
    light = linear(colour)
    r, g, b = (min(1.0, max(0.0, sum(m * c for m, c in zip(row, light, strict=True)))) for row in BLIND[eyes])
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def apart(one: int, other: int, eyes: str) -> float:
    return sum((a - b) ** 2 for a, b in zip(lab(one, eyes), lab(other, eyes), strict=True)) ** 0.5


@pytest.mark.parametrize("eyes", BLIND)
def test_sides_are_told_apart_by_all_eyes(eyes: str) -> None:
    """At least 25 in CIE L*a*b* where 2 is just visible, also between counters dimmed for Ops Complete."""
    papers = [seat.paper for seat in scenes.theme().seats]
    assert len(papers) >= 4
    dimmed = [blend(paper, 0x6A6A6A, 0.45) for paper in papers]
    for one, other in combinations(papers, 2):
        assert apart(one, other, eyes) > 25
    for one, other in combinations(dimmed, 2):
        assert apart(one, other, eyes) > 12


def test_the_first_two_sides_differ_in_brightness() -> None:
    first, second = (luminance(seat.paper) for seat in scenes.theme().seats[:2])
    assert abs(first - second) > 0.03
    assert max(first, second) / min(first, second) > 1.4


def test_counters_can_be_read_and_stand_out_from_every_ground() -> None:
    theme = scenes.theme()
    for seat in theme.seats:
        assert contrast(seat.paper, seat.ink) >= 4.5
        for look in theme.terrains.values():
            for eyes in BLIND:
                assert apart(seat.paper, look.fill, eyes) > 15, (look.name, eyes)


def test_labels_and_signs_can_be_read_on_every_ground() -> None:
    theme = scenes.theme()
    for look in theme.terrains.values():
        assert contrast(readable(look.fill, 3.2), look.fill) >= 3.2
        assert contrast(readable(look.fill, 7), look.fill) >= 4.5
    for marker in theme.markers.values():
        assert contrast(marker.ink, marker.paper) >= 3.5


def test_water_and_roads_stand_out_from_every_dry_ground() -> None:
    theme = scenes.theme()
    for name, look in theme.terrains.items():
        for eyes in BLIND:
            assert apart(theme.lines["road"].colour, look.fill, eyes) > 14, (name, eyes)
            if name != "lake":
                assert apart(theme.sides["river"].colour, look.fill, eyes) > 25, (name, eyes)


def test_grounds_differ_in_colour_or_in_sign() -> None:
    looks = list(scenes.theme().terrains.values())
    for one, other in combinations(looks, 2):
        for eyes in BLIND:
            assert one.sign != other.sign or apart(one.fill, other.fill, eyes) > 7
        assert one.plain != other.plain or {one.name, other.name} == {"woods", "wooded hill"}


@pytest.mark.parametrize("system", ["platoon", "squad", "company"])
def test_without_colour_signs_of_one_system_differ(system: str) -> None:
    """Woods on a hill have the sign of woods, and their height beside it; hedges stand between hexes."""
    theme = scenes.theme()
    chart = tomllib.loads((ROOT / "data" / system / "terrain.toml").read_text(encoding="utf-8"))
    grounds = [theme.terrains[row["id"]] for row in chart["terrain"] if row["id"] != "wooded-hill"]
    sides = [theme.sides[row["id"]] for row in chart["side"]]
    for signs in (
        [look.sign for look in grounds]
        + [look.edge for look in sides if look.edge and look.edge not in "≈~^♣"],
        [look.plain for look in grounds],
    ):
        assert len(signs) == len(set(signs))


def test_the_theme_knows_every_id_of_the_charts() -> None:
    theme = scenes.theme()
    for ids, known in zip(IDS, (theme.terrains, theme.sides, theme.lines, theme.markers), strict=True):
        assert set(ids.split()) == set(known)


def test_only_common_signs_are_used() -> None:
    theme = scenes.theme()
    signs = {look.sign for look in theme.terrains.values()} | {look.sign for look in theme.markers.values()}
    signs |= {sign for look in theme.sides.values() for sign in (look.sign, look.edge) if sign}
    signs |= {seat.flag for seat in theme.seats}
    assert signs <= COMMON


def test_clear_and_woods_read_as_hills_on_a_height() -> None:
    theme = scenes.theme()
    assert theme.terrain("clear", 1) is theme.terrains["hill"]
    assert theme.terrain("woods", 2) is theme.terrains["wooded-hill"]
    assert theme.terrain("town", 1) is theme.terrains["town"]
    assert theme.terrain("clear", 0) is theme.terrains["clear"]


def test_what_a_theme_does_not_know_is_shown_in_the_unknown_colour() -> None:
    theme = Theme.from_toml('[board]\nunknown = "#123456"')
    assert theme.terrain("lava").fill == 0x123456 and theme.terrain("lava").sign == "?"
    assert theme.side("fence").colour == 0x123456
    assert theme.line("canal").colour == 0x123456
    assert theme.marker("flag").paper == 0x123456
    assert theme.seat(0) == theme.seat(2)


def test_names_come_in_the_language_asked_for() -> None:
    text = '[terrain.clear]\nname = { en = "clear", ru = "открытая" }\nfill = "#000000"'
    assert Theme.from_toml(text).terrain("clear").name == "clear"
    assert Theme.from_toml(text, "ru").terrain("clear").name == "открытая"
    assert Theme.from_toml(text, "de").terrain("clear").name == "clear"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[terrain", "not TOML"),
        ("[terain]", "unknown key 'terain'"),
        ('terrain = "x"', "terrain: must be a table"),
        ("[terrain]\nclear = 3", "terrain.clear: must be a table"),
        ("[terrain.clear]", "missing fill"),
        ('[terrain.clear]\nfill = "green"', "terrain.clear.fill: 'green' is not a colour"),
        ("[terrain.clear]\nfill = 7", "terrain.clear.fill: must be a text"),
        ('[terrain.clear]\nfill = "#000000"\nsign = "ab"', "one character one cell wide"),
        ('[terrain.clear]\nfill = "#000000"\nsign = "漢"', "one character one cell wide"),
        ('[terrain.clear]\nfill = "#000000"\nplain = "≈"', "ASCII"),
        ('[terrain.clear]\nfill = "#000000"\nname = 4', "name: must be a text"),
        ('[terrain.clear]\nfill = "#000000"\ncolour = "#000000"', "unknown key 'colour'"),
        ('[sides.river]\ncolour = "#000000"\nwidth = 9', "sides.river.width: must be 0, 1 or 2"),
        ('[sides.river]\ncolour = "#000000"\ndashed = 1', "true or false"),
        ("[board]\nrelief = 4", "a number from 0 to 1"),
        ("[side]\n", "side: must be a list"),
        ('[[side]]\npaper = "#000000"\nink = "#ffffff"\nbrackets = "["\nflag = "x"', "two ASCII characters"),
        ('[[side]]\npaper = "#000000"', "side 1: missing"),
    ],
)
def test_a_faulty_theme_is_refused_with_the_place_and_the_reason(text: str, said: str) -> None:
    with pytest.raises(ThemeError) as caught:
        Theme.from_toml(text)
    assert said in str(caught.value)
