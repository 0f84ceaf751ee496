"""The platoon system's data files: each fits its format, and what they say holds together."""

import re
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from hexengine.core.formats import MapSection, MarginLevel, Text, in_language
from hexengine.core.rulebook import Rule, RulesFile
from hexengine.record.formats import Entry, Header
from hexengine.systems.platoon.scenario.format import (
    Formation,
    LineRow,
    Options,
    ReducedSide,
    ScenarioFile,
    SideRow,
    Start,
    TerrainChange,
    TerrainFile,
    TerrainRow,
    Unit,
    UnitsFile,
    UnitType,
    Victory,
)

DATA = Path(__file__).parents[2] / "data" / "platoon"

TERRAIN = msgspec.toml.decode((DATA / "terrain.toml").read_bytes(), type=TerrainFile)
UNITS = msgspec.toml.decode((DATA / "units.toml").read_bytes(), type=UnitsFile)
RULES = msgspec.toml.decode((DATA / "rules.toml").read_bytes(), type=RulesFile).rule
COUNTERS = {counter.id: counter for counter in UNITS.type}
CLASSES = ("leg", "tracked", "wheeled")
BLOCKS = ("ap", "he", "aa")


def in_both_languages(text: Text) -> bool:
    return isinstance(text, dict) and all(in_language(text, language) for language in ("en", "ru"))


def ids(text: str) -> set[str]:
    return set(text.split())


def dice(block: str) -> int:
    """The dice of a block, an armour or an assault text: the last number but one."""
    return int(block.split("/")[-2])


@pytest.mark.rule("D1")
@pytest.mark.parametrize("table", ["terrain", "side", "line"])
def test_rows_of_the_chart_have_ids_and_names(table: str) -> None:
    rows = getattr(TERRAIN, table)
    names = [row.id for row in rows]
    assert len(set(names)) == len(names) > 2
    assert all(name == name.lower() and "_" not in name for name in names)
    assert all(in_both_languages(row.name) for row in rows)


@pytest.mark.rule("D1")
def test_costs_are_whole_half_points() -> None:
    for row in (*TERRAIN.terrain, *TERRAIN.side, *TERRAIN.line):
        for movement in CLASSES:
            cost = getattr(row, movement)
            assert cost == "no" or cost * 2 == int(cost * 2), (row.id, movement)
    assert all(getattr(row, movement) for row in TERRAIN.terrain for movement in CLASSES)


@pytest.mark.rule("D1")
def test_the_rows_that_a_scenario_may_name_are_there() -> None:
    assert {row.id for row in TERRAIN.terrain} == ids(
        "clear fields rough woods forest burnt-woods town city ruins hill wooded-hill marsh lake sand"
    )
    assert {row.id for row in TERRAIN.side} == ids("stream river ford slope ridge cliff wall")
    assert {row.id for row in TERRAIN.line} == {"road", "trail", "railway"}


@pytest.mark.rule("D1")
def test_the_flags_of_terrain() -> None:
    rows = {row.id: row for row in TERRAIN.terrain}
    assert {name for name, row in rows.items() if row.overrun} == {"clear", "hill", "sand"}
    assert {name for name, row in rows.items() if row.built} == {"town", "city", "ruins"}
    assert {name for name, row in rows.items() if row.water} == {"lake"}
    assert {name: row.raised for name, row in rows.items() if row.raised} == {
        "clear": "hill",
        "woods": "wooded-hill",
    }


@pytest.mark.rule("P14.4")
def test_sides_and_lines_name_sides_that_exist() -> None:
    known = {row.id for row in TERRAIN.side}
    overrides = {row.id: set(row.overrides) for row in TERRAIN.side if row.overrides}
    assert overrides == {"ford": {"river"}, "ridge": {"slope"}}
    assert [row.id for row in TERRAIN.side if row.uphill] == ["slope"]
    crosses = {row.id: set(row.crosses) for row in TERRAIN.line}
    assert crosses["road"] == {"*"}
    assert crosses["trail"] == crosses["railway"] == {"slope", "ridge"} <= known


@pytest.mark.rule("D2")
def test_there_are_counters_for_four_armies() -> None:
    assert len(COUNTERS) == len(UNITS.type) >= 25
    assert all(name == name.lower() and "_" not in name for name in COUNTERS)
    assert ids(
        "m1 m60a3 challenger chieftain leopard-2 t-55 t-72 t-80 m2 marder bmp-1 bmp-2 m113 fv432 btr-70 m901 "
        "brdm-2-at-5 scimitar brdm-2 zsu-23-4 inf-us inf-uk inf-frg inf-su engineers mortar-120 milan dragon "
        "spg-9 at-4 sa-7 ah-1 mi-24 hq-us hq-uk hq-frg hq-su"
    ) <= set(COUNTERS)


@pytest.mark.rule("D2")
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("m1", ("tracked", 8, "10/4/4", "6/3/5", "4/4", "4/4", ReducedSide(ap=3, he=2, armour=3, assault=2))),
        (
            "t-72",
            ("tracked", 7, "8/3/4", "5/3/5", "3/5", "3/4", ReducedSide(ap=2, he=2, armour=2, assault=2)),
        ),
        ("btr-70", ("wheeled", 8, None, "4/2/5", "1/6", "1/5", ReducedSide(he=1, armour=1, assault=1))),
        (
            "inf-su",
            ("leg", 2, "2u/2/5", "3u/3/5", "0/5", "4/5", ReducedSide(ap=1, he=2, armour=0, assault=2)),
        ),
        ("spg-9", (None, 0, "6u/2/5", "4u/2/5", None, None, None)),
        ("mi-24", ("air", 26, "12um/4/4", "5/4/4", "2/5", None, ReducedSide(ap=2, he=2, armour=1))),
    ],
)
def test_printed_values(name: str, values: tuple[object, ...]) -> None:
    c = COUNTERS[name]
    assert (c.mobility, c.ma, c.ap, c.he, c.armour, c.assault, c.reduced) == values


@pytest.mark.rule("P3.2")
@pytest.mark.parametrize("counter", UNITS.type, ids=lambda counter: counter.id)
def test_a_counter_holds_together(counter: UnitType) -> None:
    names = counter.name.values() if isinstance(counter.name, dict) else [counter.name]
    assert all(0 < len(name) <= 8 for name in names)
    if counter.kind in ("hard", "soft", "air"):
        assert counter.mobility
        assert counter.ma > 0
        assert counter.armour
    else:
        assert (counter.mobility, counter.ma, counter.armour, counter.assault) == (None, 0, None, None)
    assert (counter.radius > 0) == (counter.kind == "hq")
    assert (counter.kind == "sw") == (counter.reduced is None)
    assert counter.mark is not None


@pytest.mark.rule("P3.3")
@pytest.mark.parametrize("counter", [c for c in UNITS.type if c.reduced], ids=lambda counter: counter.id)
def test_the_reduced_side_is_no_better_than_the_full_one(counter: UnitType) -> None:
    for attribute in (*BLOCKS, "armour", "assault"):
        full, reduced = getattr(counter, attribute), getattr(counter.reduced, attribute)
        assert (full is None) == (reduced is None), attribute
        if full is not None:
            assert reduced <= dice(full), attribute
    for attribute in ("leadership", "radius"):
        reduced = getattr(counter.reduced, attribute)
        assert reduced is None or reduced < getattr(counter, attribute)


@pytest.mark.rule("P5.1")
def test_only_infantry_and_teams_ride_and_only_vehicles_carry() -> None:
    for counter in UNITS.type:
        if {"infantry", "team"} & set(counter.flags):
            assert (counter.kind, counter.mobility) == ("soft", "leg")
        if "transport" in counter.flags:
            assert counter.kind == "hard"
    assert {"btr-70", "fv432"} <= {c.id for c in UNITS.type if "transport" in c.flags}


@pytest.mark.rule("P6.9")
def test_guided_missiles_deplete_and_nothing_else_does() -> None:
    missiles = {c.id for c in UNITS.type for block in BLOCKS if "um/" in (getattr(c, block) or "")}
    assert missiles == ids("m2 m3 marder bmp-1 bmp-2 m901 brdm-2-at-5 milan dragon at-4 ah-1 mi-24")
    assert all("um/" not in (c.he or "") for c in UNITS.type)


@pytest.mark.rule("P12.5")
def test_indirect_weapons_have_a_minimum_range() -> None:
    assert {c.id: c.minimum for c in UNITS.type if c.minimum} == {"mortar-120": 2}
    assert [c.id for c in UNITS.type if "indirect" in c.flags] == ["mortar-120"]


# The headings of the founding text, each of which must have become a rule.
HEADINGS = [
    "opening passage",
    "Фаза действий",
    "Это важно",
    "Наведение порядка",
    "Управление",
    "Сбор (восстановление)",
    "Операции",
    "Передвижение",
    "Пачка подразделений",
    "5.2 Перевозка подразделений",
    "Погрузка",
    "Выгрузка",
]


def rule_order(rule: Rule) -> tuple[bool, list[int]]:
    return rule.id[0] != "P", [int(number) for number in rule.id[1:].split(".")]


def test_the_catalogue_is_in_order_and_each_rule_stands_once() -> None:
    assert all(rule_order(a) < rule_order(b) for a, b in pairwise(RULES))
    chapters = {rule.id.split(".")[0] for rule in RULES}
    assert chapters == {f"P{number}" for number in range(17)} | {"D1", "D2", "D3"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_short_and_complete(rule: Rule) -> None:
    assert 3 < len(rule.title) <= 40
    assert rule.text.endswith(".")
    assert 20 < len(rule.text) <= 360
    assert len(re.findall(r"[.](?= [A-Z]|$)", rule.text)) <= 3
    assert re.search("[А-Яа-я]", rule.term_ru)
    assert not rule.ruling or rule.ruling.endswith(".")
    kind, _, headings = rule.source.partition(": ")
    if kind == "founding text":
        assert set(headings.split(", ")) <= set(HEADINGS)
    else:
        assert re.fullmatch(r"proposed|table D[123]", rule.source)


def test_every_heading_of_the_founding_text_became_a_rule() -> None:
    sources = " ".join(rule.source for rule in RULES)
    assert [heading for heading in HEADINGS if heading not in sources] == []


def test_rulings_name_options_that_exist() -> None:
    named = {name for rule in RULES for name in re.findall(r"option (\w+)", f"{rule.text} {rule.ruling}")}
    assert named == set(Options.__struct_fields__)


def test_absent_rules_are_those_not_played_yet() -> None:
    absent = {rule.id for rule in RULES if rule.status == "absent"}
    later = ids("P2.4 P6.7 P9.5 P10.6 P11.2 P11.3 P14.3")
    assert absent <= later | {rule.id for rule in RULES if re.match(r"P(7|12|13)\.", rule.id)}


def documented_example() -> str:
    formats = (DATA.parents[1] / "docs" / "formats.md").read_text(encoding="utf-8")
    return formats.split("```toml\n")[1].split("```")[0]


def test_the_documented_scenario_fits_the_format() -> None:
    scenario = msgspec.toml.decode(documented_example(), type=ScenarioFile)
    known = {*COUNTERS, *(counter.id for counter in scenario.type)}
    assert {unit.type for unit in scenario.unit} <= known
    assert set(scenario.map.legend.values()) <= {row.id for row in TERRAIN.terrain}


@pytest.mark.parametrize(
    "table",
    [
        *(ScenarioFile, Options, MapSection, Formation, Unit, Victory, MarginLevel, Start),
        *(TerrainRow, TerrainChange, SideRow, LineRow, UnitType, ReducedSide, Rule),
        *(Header, Entry),
    ],
    ids=lambda table: table.__name__,
)
def test_every_key_is_documented(table: type[msgspec.Struct]) -> None:
    formats = (DATA.parents[1] / "docs" / "formats.md").read_text(encoding="utf-8")
    mentioned = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`\n]+)`", formats))))
    assert [key for key in table.__struct_fields__ if key not in mentioned] == []
