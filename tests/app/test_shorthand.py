"""Shortened words at the prompt."""

from __future__ import annotations

from dataclasses import replace

import pytest

import hexengine as hx
from hexengine.app.shorthand import Shorthand, choose, slots_of
from hexengine.core.outlook import OFF_MAP
from tests.app.conftest import SKIRMISH
from tests.rules.squad.table import begin


@pytest.fixture
def short():
    game = hx.Game(hx.loads(SKIRMISH, "skirmish"), 1)
    game.play("draw [blues]")
    return Shorthand(game)


def test_patterns_come_apart():
    assert slots_of("fire UNIT TARGET [with WEAPON] [lead]") == [
        ("UNIT",), ("TARGET",), ("[", "with", "WEAPON"), ("[", "lead"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("m m1-1 0201", "move m1-1 0201"),
        ("MOVE m2 Corner", "move m2 0101"),
        ("f m1-2 t72-2 l", "fire m1-2 t72-2 lead"),
        ("f m1-2 t72-2 w m2", "fire m1-2 t72-2 with m2"),
        ("fire m1-2 0705", "fire m1-2 t72-2"),
        ("unl m2", "unload m2"),
        ("unl m2 i", "unload m2 inf"),
        ("move 0202 0101", "move m2 0101"),
        ("move m1-1,m2 0201", "move m1-1,m2 0201"),
        ("do", "done"),
        ("move zzz 0201", "move zzz 0201"),
        ("move m1-1 0201 more words", "move m1-1 0201 more words"),
        ("draw", "draw"),
    ],
)
def test_what_is_meant(short, typed, meant):
    assert short.expand(typed) == meant


@pytest.mark.parametrize(
    ("typed", "choices"),
    [
        ("e", ("end", "enter", "exit")),
        ("move m1 0201", ("m1-1", "m1-2")),
        ("fire m1-1 t", ("t72-1", "t72-2")),
        ("move m2 030", ("0301", "0302", "0303", "0304", "0305")),
    ],
)
def test_what_may_be_meant(short, typed, choices):
    with pytest.raises(hx.AmbiguousOrder) as caught:
        short.expand(typed)
    assert caught.value.choices == choices


def test_verbs_that_stand_alone_are_told_apart_by_what_is_legal(short):
    assert Shorthand(hx.Game(hx.loads(SKIRMISH, "skirmish"), 1)).expand("d") == "draw"


def test_a_hex_stands_for_those_in_it_that_can_act(short):
    """Where some can: of two tanks in 0104 only one that is ready; where none can, both are meant."""
    outlook = short.outlook
    place = outlook.ground.map.grid.index("0104")

    def ready(*names):
        pieces = [
            replace(piece, hex=place, ready=piece.unit in names) if piece.unit.startswith("m1") else piece
            for piece in outlook.pieces
        ]
        short.outlook = replace(outlook, pieces=tuple(pieces))
        return short.expand("move 0104 0204")

    assert ready("m1-1") == "move m1-1 0204"
    assert ready("m1-1", "m1-2") == ready() == "move m1-1,m1-2 0204"


def test_who_is_nowhere_to_be_seen_is_not_told(short):
    """A beginning becomes the id of an enemy on the map, and not of one that may be hidden or lost."""
    outlook = short.outlook
    assert short.unit("los", "", "t72-2") == "t72-2"
    gone = [replace(one, hex=OFF_MAP) if one.unit == "t72-2" else one for one in outlook.pieces]
    short.outlook = replace(outlook, pieces=tuple(gone))
    assert short.unit("los", "", "t7") == short.unit("fire", "TARGET", "t7") == "t72-1"
    gone = [replace(one, hex=OFF_MAP) if one.unit.startswith("t72") else one for one in outlook.pieces]
    short.outlook = replace(outlook, pieces=tuple(gone))
    assert short.unit("los", "", "t7") == short.unit("fire", "TARGET", "t7") == "t7"


def test_an_unknown_verb_gets_a_suggestion(short):
    with pytest.raises(hx.InvalidOrder, match="did you mean move"):
        short.expand("mvoe m1-1 0201")


SUPPORTED = SKIRMISH.replace('id = "blues"', 'id = "blues"\nmissions = { he = 1, smoke = 1 }').replace(
    'id = "m1-1"\ntype = "m1"', 'id = "m1-1"\ntype = "scimitar"'
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("mi h 0703", "mission he 0703"),
        ("m smo 0703", "mission smoke 0703"),
        ("mission he ford", "mission he 0503"),
        ("mission gas 0703", "mission gas 0703"),
    ],
)
def test_missions(typed, meant):
    game = hx.Game(hx.loads(SUPPORTED, "skirmish"), 1)
    game.play("draw [blues]")
    assert game.decision.kind == "missions"
    short = Shorthand(game)
    assert short.expand(typed) == meant
    assert short.completions("mission ", "", {}) == ["he", "smoke"]
    assert short.completions("mission he 07", "07", {})[:2] == ["0701", "0702"]


def test_support_is_no_word_where_there_is_none():
    game = hx.Game(hx.loads(SKIRMISH, "skirmish"), 1)
    assert not {"mission", "strike", "intercept"} & Shorthand(game).usage.keys()


def test_a_whole_word_wins_over_a_longer_one():
    assert choose("x", "los", ["los", "loss"]) == "los"


COMMANDS = {
    "help": "[VERB]", "log": "[N]", "los": "HEX HEX", "odds": "ORDER", "quit": "", "save": "FILE",
    "show": "[HEX | UNITS [MODE]]", "why": "ORDER",
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "word", "offers"),
    [
        ("mo", "mo", ["move"]),
        ("move m1", "m1", ["m1-1", "m1-2"]),
        ("move m1-1,m", "m", ["m1-1", "m1-2", "m2"]),
        ("move m1-1 080", "080", ["0801", "0802", "0803", "0804", "0805"]),
        ("fire m1-1 ", "", ["t72-1", "t72-2"]),
        ("fire m1-1 t72-1 w", "w", ["with"]),
        ("move m1-1 Fo", "Fo", ["Ford"]),
        ("l", "l", ["land", "load", "log", "los"]),
        ("show F", "F", ["Ford"]),
        ("show t", "t", ["t72-1", "t72-2"]),
        ("los m1-1 050", "050", ["0501", "0502", "0503", "0504", "0505"]),
        ("help mo", "mo", ["move"]),
        ("help move m", "m", []),
        ("odds mo", "mo", ["move"]),
        ("why fire m1-1 ", "", ["t72-1", "t72-2"]),
        ("save m", "m", []),
        ("quit m", "m", []),
    ],
)
def test_completion(short, line, word, offers):
    assert short.completions(line, word, COMMANDS) == offers


def test_what_a_word_becomes_tells_nothing_of_who_is_hidden():
    """The enemy in hiding has an id like any other: it is not what the beginning of it is completed to."""
    forces = "us\n    a squad-us 0101\nde\n    lurk-1 squad-de 0301 hidden\n    open-1 squad-de 0401\n"
    short = Shorthand(begin("..w.", forces).seen_by(0))
    assert short.unit("", "TARGET", "op") == "open-1"
    assert short.unit("", "TARGET", "lu") == "lu"
    assert short.unit("", "", "lu") == "lu"


def test_a_hex_that_is_fired_at_means_its_fighters():
    """Who leads them is hit with them, and is no target of his own."""
    forces = "us\n    a squad-us 0101\nde\n    k squad-de 0201\n    boss leader-de 0201\n"
    assert Shorthand(begin("....", forces)).unit("", "TARGET", "0201") == "k"
