"""Checks that go on where a map is not wholly known, or not there at all."""

from types import SimpleNamespace

import pytest

from hexengine.core.formats import MapSection
from hexengine.mechanics.surveying import Surveyor


@pytest.fixture
def told():
    """Where faults were reported."""
    return []


@pytest.fixture
def survey(told):
    """What surveys a map of the given keys."""

    def surveyed(terrain="...\n...", unused=(), **keys):
        section = MapSection(terrain=terrain, legend={".": "clear"}, **keys)
        document = SimpleNamespace(map=section, system="trial")
        surveyor = Surveyor(document, {}, lambda path, *_, **__: told.append(tuple(path)))
        surveyor.survey(["clear"], dict.fromkeys(unused, ""))
        return surveyor

    return surveyed


def test_a_faulty_road_leaves_the_terrain_known(survey, told):
    """Who stands where is certain; where one can go is not."""
    found = survey(roads=["0101-0102", "0201-0203"])
    assert told == [("map", "roads", 1)]
    assert found.unsure and not found.unknown
    assert found.ground(found.unsure, "roads") == [("map", "roads")]


def test_a_faulty_letter_leaves_its_hex_unknown(survey, told):
    found = survey(".x.\n...")
    assert told == [("map", "terrain")]
    assert found.unsure == found.unknown == {2}
    assert found.ground({2}) == [("map", "terrain"), ("map", "legend")]
    assert found.ground({0, 1}) == []


def test_without_a_map_no_place_is_wrong(survey, told):
    """A map without hexes is one fault, and labels on it are no further ones."""
    found = survey("\n")
    assert told == [("map", "terrain")]
    assert found.located(("unit", 0, "hex"), "0909", lambda label: int("x")) is None
    assert told == [("map", "terrain")]


def test_keys_that_mean_nothing(survey, told):
    survey(unused=["walls", "ridges"], walls=["0101/0102"])
    assert told == [("map", "walls")]
