"""Templates filled with facts: numbers and their words, names in place of ids, parts that are left out."""

import gettext
import struct

import pytest

from hexengine.core.events import Contribution
from hexengine.core.orders import Usage
from hexengine.core.rulebook import WordsFile
from hexengine.mechanics.wording import Wording, side_facts, translated

FORMATIONS = {"a": "First", "b": "Second"}
WORDS = Wording(
    WordsFile(
        {"full": "{hex} is full", "": "nothing"},
        {
            "hits": "{hits:hit|hits}",
            "three": "{hits:a|b|c}",
            "go": "{units:goes|go} for {cost} MP",
            "dice": "rolled[ {faces}][, led +{lead}].",
            "parts": "{parts}",
            "who": "{side}, {formation}, {marker}, {kind}, {winner}",
            "silent": "",
        },
        {"printed": "printed", "moved": "on the move"},
        {
            "marker": {"eot": "End of Turn"},
            "kind": {"hard": "tanks"},
            "winner": {"None": "nobody"},
            "help": {"go": "go there"},
            "sight": {"wood": "a wood in {hex}"},
        },
    ),
    {**side_facts(("nato", "wp"), ("NATO", "Pact")), "formation": FORMATIONS, "marker": FORMATIONS},
)


def told(code, **facts):
    return WORDS.event(code, facts)


@pytest.mark.parametrize(("hits", "said"), [(0, "0 hits"), (1, "1 hit"), (2, "2 hits")])
def test_one_and_many(hits, said):
    assert told("hits", hits=hits) == said


@pytest.mark.parametrize(
    ("hits", "form"),
    [
        *((number, "a") for number in (1, 21)),
        *((number, "b") for number in (2, 4, 22)),
        *((number, "c") for number in (0, 5, 11, 12, 14, 20)),
    ],
)
def test_languages_with_three_forms(hits, form):
    assert told("three", hits=hits) == f"{hits} {form}"


@pytest.mark.parametrize(
    ("cost", "said"), [(0.5, "½"), (1.0, "1"), (1.5, "1½"), (10.5, "10½"), (0.0, "0"), (2, "2")]
)
def test_halves_and_lists(cost, said):
    assert told("go", units=["m1"], cost=cost) == f"m1 goes for {said} MP"
    assert told("go", units=["m1", "m2"], cost=cost) == f"m1, m2 go for {said} MP"


def test_parts_without_facts_are_left_out():
    assert told("dice", faces=[1, 2], lead=2) == "rolled 1 2, led +2."
    assert told("dice", faces=[], lead=0) == "rolled."


def test_parts_of_a_number():
    parts = [
        Contribution("P3.2", "printed", 4),
        Contribution("P6.5", "moved", 1),
        Contribution("P0", "new", -1),
    ]
    assert told("parts", parts=parts) == "printed 4, on the move +1, new -1"


def test_names_and_words_in_place_of_ids():
    said = told("who", side="wp", formation="b", marker="eot", kind="hard", winner=None)
    assert said == "Pact, Second, End of Turn, tanks, nobody"


def test_silent_and_unknown_codes():
    assert told("silent", x=1) == ""
    assert told("news", x=1, y="z") == "news x=1 y=z"
    assert WORDS.refusal("full", {"hex": "0101"}) == "0101 is full"
    assert WORDS.refusal("odd", {}) == "odd"


def test_facts_are_not_read_as_templates():
    assert WORDS.refusal("full", {"hex": "{x}[y]"}) == "{x}[y] is full"


def test_obstacles_and_usage():
    assert WORDS.obstacle("wood", {"hex": "0101"}) == "a wood in 0101"
    assert WORDS.usage({"go": ("go HEX", "P1"), "stay": ("stay", "P2")}) == {
        "go": Usage("go HEX", "go there", "P1"),
        "stay": Usage("stay", "stay", "P2"),
    }


def compiled(pairs):
    """A gettext catalogue in its binary form."""
    pairs = sorted((original.encode(), text.encode()) for original, text in pairs.items())
    count = len(pairs)
    tables, texts = [], b""
    for column in (0, 1):
        for pair in pairs:
            tables.append(struct.pack("<2I", len(pair[column]), 28 + 16 * count + len(texts)))
            texts += pair[column] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, 0)
    return head + b"".join(tables) + texts


def test_words_are_those_of_the_catalogue_that_gettext_finds(tmp_path, monkeypatch):
    folder = tmp_path / "xx" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    header = "Content-Type: text/plain; charset=UTF-8\n"
    (folder / "hexengine.mo").write_bytes(compiled({"": header, "a {unit} moves": "{unit} идёт"}))
    assert translated("a {unit} moves") == "a {unit} moves"
    before = gettext.bindtextdomain("hexengine")
    monkeypatch.setenv("LANGUAGE", "xx")
    try:
        gettext.bindtextdomain("hexengine", str(tmp_path))
        assert (
            translated("a {unit} moves") == "{unit} идёт" == gettext.dgettext("hexengine", "a {unit} moves")
        )
        assert translated("unknown") == "unknown"
    finally:
        gettext.bindtextdomain("hexengine", before)
    assert translated("a {unit} moves") == "a {unit} moves"
