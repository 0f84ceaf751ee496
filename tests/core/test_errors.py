"""Errors say what is wrong, where, and what would be right."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from hexengine.core import errors
from hexengine.core.errors import (
    AmbiguousOrder,
    BrokenPlayer,
    BrokenSystem,
    ChanceError,
    ContentError,
    GameOver,
    HexEngineError,
    IllegalOrder,
    InvalidOrder,
    Problem,
    Refusal,
    ReplayDivergence,
    UnknownPlayer,
    UnknownSystem,
)
from tests.toy.board import DRAW, PASS

REFUSAL = Refusal("T1.1", "draw-first", {}, DRAW, "a marker must be drawn now")
SAMPLES = [
    (
        ContentError(
            [Problem("a.toml", 3, 7, "no hex 0999", "0101 to 0804", "P14"), Problem("a.toml", 0, 0, "empty")]
        ),
        "a.toml:3:7: no hex 0999 [P14] (0101 to 0804)\na.toml: empty",
    ),
    (UnknownSystem("toi", ["a", "b"]), "no rule system is called 'toi'; there are: a, b"),
    (UnknownPlayer("x", ["a"]), "no player is called 'x'; there are: a"),
    (BrokenSystem("toy", "it is old"), "the rule system 'toy' is installed but does not load: it is old"),
    (BrokenPlayer("toy", "it is old"), "the player 'toy' cannot be made: it is old"),
    (InvalidOrder("mov", "no verb", "move"), "cannot read the order 'mov': no verb (move)"),
    (InvalidOrder("mov", "no verb"), "cannot read the order 'mov': no verb"),
    (AmbiguousOrder("d", "d", ["draw", "done"]), "cannot read the order 'd': 'd' may be draw, done"),
    (IllegalOrder(PASS, REFUSAL), "pass: a marker must be drawn now [T1.1] (legal: draw)"),
    (IllegalOrder(PASS, Refusal("T1.1", "draw-first", {})), "pass: draw-first [T1.1]"),
    (GameOver(PASS), "pass: the game is over"),
    (ChanceError("too few"), "too few"),
    (
        ReplayDivergence(7, "abc", "abd", None),
        "entry 7: the replay differs: expected abc, got abd",
    ),
    (ReplayDivergence(7, "a", "b", None, "other rules"), "entry 7: other rules: expected a, got b"),
]


@pytest.mark.parametrize(("error", "text"), SAMPLES)
def test_texts(error, text):
    assert str(error) == text


@pytest.mark.parametrize("error", [error for error, _ in SAMPLES])
def test_errors_keep_their_facts_through_pickling(error):
    """An error of a worker process must arrive as what it is."""
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def _fail():
    raise UnknownSystem("toi", ["toy"])


def test_an_error_leaves_a_worker_process():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.raises(UnknownSystem, match="there are: toy"):
            pool.submit(_fail).result()
        assert pool.submit(len, "abc").result() == 3


def test_every_error_of_the_package_has_one_root():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert len(kinds) >= 10
    assert all(issubclass(kind, HexEngineError) for kind in kinds)
    assert issubclass(GameOver, IllegalOrder)
    assert issubclass(AmbiguousOrder, InvalidOrder)


def test_an_order_after_the_end_is_refused_without_a_rule():
    assert GameOver("draw").refusal == Refusal("", "game-over", {}, None, "the game is over")
    assert str(GameOver("draw").refusal) == "the game is over"


def test_a_message_repeats_no_more_than_the_start_of_a_long_order():
    told = str(InvalidOrder("move " + "x" * 10_000, "it has too few words"))
    assert told.startswith("cannot read the order 'move xxx") and told.endswith("x'...: it has too few words")
    assert len(told) < 300
    assert len(str(AmbiguousOrder("y" * 10_000, "y" * 10_000, ["a", "b"]))) < 600


@pytest.mark.parametrize(
    "error",
    [
        InvalidOrder("d" * 100_000, "no verb"),
        AmbiguousOrder("d" * 100_000, "d" * 100_000, ["draw", "done"]),
        GameOver("d" * 100_000),
        UnknownPlayer("d" * 100_000, ["random"]),
        UnknownSystem("d" * 100_000, ["toy"]),
    ],
)
def test_a_message_does_not_repeat_all_of_a_long_text(error):
    assert "ddd" in str(error)
    assert len(str(error)) < 700
