"""Names, values and guesses as problems tell of them."""

import datetime

import pytest

from hexengine.content.words import WIDTH, did_you_mean, key_name, listed, nearest, place_name, quoted, shown

KEYS = ["id", "type", "formation", "name", "hex", "carrier", "hexes", "steps", "status", "orientation"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("typ", "type"),
        ("Type", "type"),
        ("tpye", "type"),
        ("hx", "hex"),
        ("hxe", "hex"),
        ("hey", "hex"),
        ("hexs", "hexes"),
        ("statuss", "status"),
        ("formaton", "formation"),
        ("carier", "carrier"),
        ("side", None),
        ("colour", None),
        ("", None),
        ("x" * 100_000, None),
    ],
)
def test_the_nearest_name_is_what_was_meant(word: str, meant: str | None) -> None:
    """Slips of the finger are seen through; another word is not taken for one."""
    assert nearest(word, KEYS) == meant


def test_other_words_are_no_slips() -> None:
    assert nearest("formation", ["orientation", "stagger"]) is None
    assert nearest("side", ["id", "ridges"]) is None
    assert nearest("ap", ["aa", "he"]) is None


def test_suggestions() -> None:
    assert did_you_mean("tpe", ["type", "id"]) == 'did you mean "type"?'
    assert did_you_mean("zzz", ["type", "id"]) == "known here: type, id"
    assert did_you_mean("zzz", [str(i) for i in range(17)]) is None
    assert did_you_mean("zzz", []) is None


@pytest.mark.parametrize(("number", "end"), [(10, "i and j"), (11, "i and one of 2 more")])
def test_long_lists_are_cut(number: int, end: str) -> None:
    """Ten names are all given; of more the first nine."""
    assert listed("abcdefghijk"[:number], "and").endswith(f"h, {end}")


def test_lists() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"], "or") == "a, b or c"
    assert listed([str(i) for i in range(12)]) == "0, 1, 2, 3, 4, 5, 6, 7, 8 and one of 3 more"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("eight", '"eight"'),
        ('a"b\\', '"a\\"b\\\\"'),
        ("a\nb\x1b", '"a\\nb\\x1b"'),
        ("\u202e", '"\\u202e"'),
        ("א", '"א"'),
        ("x" * 41, '"' + "x" * WIDTH + '…"'),
        (True, "true"),
        (7, "7"),
        (2**63, "a number of more than 64 bits"),
        pytest.param(16**9000, "a number of more than 64 bits", id="more digits than Python writes"),
        (-0.5, "-0.5"),
        (float("nan"), "nan"),
        ([], "an empty list"),
        ([1], "a list"),
        ({}, "an empty table"),
        ({"a": 1}, "a table"),
        (datetime.datetime(1985, 8, 14), "a date and time"),
        (datetime.date(1985, 8, 14), "a date"),
        (datetime.time(6), "a time"),
        (None, "nothing"),
    ],
)
def test_values_are_shown_short_and_printable(value: object, words: str) -> None:
    assert shown(value) == words
    assert shown(value).isprintable()


def test_places_are_named_as_they_are_written() -> None:
    assert place_name(()) == "the file"
    assert place_name(("unit", 2, "hex")) == "hex"
    assert place_name(("unit", 2, "hexes", 0)) == "item 1 of hexes"
    assert place_name(("map", "names", "x y")) == '"x y"'
    assert key_name("0601") == "0601"
    assert key_name("") == '""'
    assert quoted("") == '""'
