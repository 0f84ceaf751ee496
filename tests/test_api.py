"""What a program may hand to the engine by mistake: every time a text says what would be right."""

import ast
import copy
import inspect
from importlib import import_module

import numpy as np
import pytest

import hexengine as hx
from hexengine.core import game as core
from hexengine.core.dice import STREAMS, ScriptedDice
from hexengine.core.errors import HexEngineError
from hexengine.core.game import seed_of
from hexengine.lab.errors import LabError
from hexengine.players import BUILT_IN
from hexengine.record.formats import RecordError

SYSTEMS = [("platoon", "crossroads", "ulster"), ("squad", "village", "introduction"),
           ("company", "block", "first-orders")]  # fmt: skip


@pytest.fixture
def opened():
    game = hx.Game(hx.load("crossroads"), seed=28)
    game.play("draw [cavalry]")
    return game


@pytest.mark.parametrize("kind", [hx.Game, core.Game])
@pytest.mark.parametrize("thing", [None, 5, 1.5, ["end"], object(), b"end"])
def test_what_is_no_order_is_none(kind, thing):
    game = kind(hx.load("crossroads"), 28)
    for _ in range(3):
        game.play(game.orders()[0])
    entry, digest = game.entry, game.digest
    for ask in (game.play, game.why_not, game.odds):
        with pytest.raises(hx.InvalidOrder, match="an order is wanted"):
            ask(thing)
    assert (game.entry, game.digest) == (entry, digest)


@pytest.mark.parametrize(("system", "one", "other"), SYSTEMS, ids=[system for system, _, _ in SYSTEMS])
def test_an_order_of_another_battle_counts_by_its_text(system, one, other):
    """Its numbers would mean other units and hexes."""
    here, there = hx.Game(hx.load(one), 1), hx.Game(hx.load(other), 1)
    checked = 0
    for _ in range(60):
        if here.decision is None or there.decision is None:
            break
        texts = {str(order) for order in here.orders()}
        for order in there.orders():
            checked += 1
            try:
                legal = here.why_not(order) is None
            except hx.InvalidOrder:
                legal = False
            assert legal == (str(order) in texts), order
        here.play(here.orders()[checked % len(texts)])
        there.play(there.orders()[checked % len(there.orders())])
    assert checked > 60


def test_an_order_of_a_second_load_is_the_same_order(opened):
    again = hx.Game(hx.load("crossroads"), seed=28)
    again.play("draw [cavalry]")
    order = again.orders()[0]
    opened.play(order)
    assert opened.log.entries[-1].order == str(order)
    assert opened.copy().why_not(opened.orders()[0]) is None


def test_a_player_with_orders_of_another_battle_is_replaced():
    from hexengine.players.driver import Driver

    class Lost:
        name = "lost"

        def choose(self, game, *, explain=False):
            return hx.Game(hx.load("ulster"), 1).parse("fire t80-1 m1-2")

    game = hx.Game(hx.load("crossroads"), 28)
    driver = Driver(game, {side: Lost() for side in game.scenario.sides}, {"nato": "lost", "wp": "lost"})
    for _ in range(4):
        driver.play()
    assert {fault.player for fault in driver.faults} == {"lost"}


@pytest.mark.parametrize("seed", [3.0, 1.5, True, "x", None, [1]])
def test_a_seed_is_a_whole_number(seed):
    scenario = hx.load("crossroads")
    with pytest.raises(HexEngineError, match="a seed is a whole number"):
        core.Game(scenario, seed)
    if seed is None:
        return
    with pytest.raises(HexEngineError, match="a seed is a whole number"):
        hx.Game(scenario, seed)
    with pytest.raises(HexEngineError, match="a seed is a whole number"):
        hx.Game(scenario, 1).copy(seed)
    with pytest.raises(HexEngineError, match="a seed is a whole number"):
        hx.batch(scenario, ("random", "random"), 1, seed)


def test_a_whole_number_of_another_kind_is_as_good(tmp_path):
    scenario = hx.load("crossroads")
    assert type(seed_of(np.int64(7))) is int
    game = hx.Game(scenario, np.int64(7))
    game.play("draw")
    game.log.save(tmp_path / "game.jsonl")
    assert hx.replay(tmp_path / "game.jsonl").digest == game.digest == played(scenario, 7).digest


def played(scenario, seed):
    game = hx.Game(scenario, seed)
    game.play("draw")
    return game


def test_dictated_dice_may_be_numbers_of_any_kind():
    dice = ScriptedDice([np.int64(4), np.uint8(6)], [0] * len(STREAMS))
    assert dice.roll(0, 2) == [4, 6]
    assert {type(face) for face in dice.used} == {int}
    for wrong in (np.int64(7), np.float64(3.0), True, "3", 0, -1, 10**30):
        with pytest.raises(hx.ChanceError, match="is no face of a die"):
            ScriptedDice([wrong], [0] * len(STREAMS)).roll(0, 1)


def test_a_seed_that_no_log_can_hold_is_refused():
    game = hx.Game(hx.load("crossroads"), 1)
    for seed in (2**63, -(2**63) - 1, 2**70):
        with pytest.raises(RecordError, match="64 bits"):
            game.copy(seed)


def test_copies_by_the_standard_library_are_copies(opened):
    for make in (copy.copy, copy.deepcopy):
        other = make(opened)
        before = opened.digest, opened.entry
        other.play(other.orders()[-1])
        assert (opened.digest, opened.entry) == before
        assert len(opened.log.entries) == 1


def test_a_log_that_was_handed_out_cannot_change_the_game(opened, tmp_path):
    opened.log.entries[0].chance.clear()
    opened.log.save(tmp_path / "game.jsonl")
    assert hx.replay(tmp_path / "game.jsonl").entry == 1


@pytest.mark.parametrize("scenario", ["crossroads", None, 5])
def test_a_game_is_made_of_a_scenario(scenario):
    with pytest.raises(HexEngineError, match="a scenario that was loaded"):
        hx.Game(scenario)


@pytest.mark.parametrize("name", [None, 5, "ofcer"])
def test_unknown_players_are_named(name):
    with pytest.raises(HexEngineError, match="no player is called"):
        hx.player(name)


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_player_moves_after_the_end(name):
    game = hx.Game(hx.load("crossroads"), 1, events=False)
    machine = hx.player("random", seed=1)
    while game.decision:
        game.play(machine.choose(game))
    with pytest.raises(hx.GameOver):
        hx.player(name).choose(game)
    with pytest.raises(hx.GameOver):
        game.imagined(1)


@pytest.mark.parametrize("actor", [999_999, -(10**9), "m60-1", None, 2.5])
def test_an_actor_that_is_none_has_no_orders(opened, actor):
    try:
        assert opened.decision.orders(actor) == []
    except HexEngineError as error:
        assert "is no actor of this decision" in str(error)


def test_players_of_a_batch_may_be_named_by_side():
    scenario = hx.load("crossroads")
    found = hx.batch(scenario, {"wp": "random", "nato": "officer"}, 1, 1)
    assert found.players == ("officer", "random")


@pytest.mark.parametrize(
    ("players", "settings", "said"),
    [
        ({"nato": "random"}, {}, "and those there are nato, wp"),
        ({"random", "officer"}, {}, "2 players are wanted"),
        ((5, "random"), {}, "players go by their names"),
        (("random", "random"), {"budget": 0}, "more than 0"),
        (("random", "random"), {"budget": float("nan")}, "more than 0"),
        (("random", "random"), {"workers": 1.0}, "1.0 workers cannot be"),
    ],
)
def test_settings_of_a_batch_that_cannot_be_are_refused(players, settings, said):
    with pytest.raises(LabError, match=said):
        hx.batch(hx.load("crossroads"), players, 1, 1, **settings)


def test_games_are_counted_in_whole_numbers(tmp_path):
    with pytest.raises(LabError, match=r"2\.0 games cannot be"):
        hx.batch(hx.load("crossroads"), ("random", "random"), 2.0, 1, out=tmp_path / "x.db")
    assert not list(tmp_path.iterdir())
    with pytest.raises(LabError, match="cannot be written"):
        hx.batch(hx.load("crossroads"), ("random", "random"), 1, 1, out="a\0b")


def test_a_name_that_is_too_long_is_a_fault_of_the_record(opened):
    with pytest.raises(RecordError, match="cannot write"):
        opened.log.save("x" * 300, overwrite=True)


@pytest.mark.parametrize("kind", [GeneratorExit, type("Odd", (BaseException,), {})])
def test_whatever_a_player_raises_it_is_replaced(kind):
    from hexengine.players.driver import Driver

    class Bad:
        name = "bad"

        def choose(self, game, *, explain=False):
            raise kind("no")

    game = hx.Game(hx.load("crossroads"), 28)
    driver = Driver(game, {side: Bad() for side in game.scenario.sides}, {"nato": "bad", "wp": "bad"})
    driver.play()
    assert driver.faults[0].player == "bad"


def test_every_public_name_is_there_for_programs_and_for_type_checkers():
    """Loaded when it is used, from where the type checker is told that it comes from."""
    (only_typed,) = [one for one in ast.parse(inspect.getsource(hx)).body if isinstance(one, ast.If)]
    typed = {name.name: one.module for one in only_typed.body for name in one.names}
    assert sorted(typed) == sorted(set(hx.__all__) - {"__version__"})
    assert {"load", "Game", "replay", "resume"} <= set(dir(hx))
    for name, home in typed.items():
        assert getattr(hx, name) is getattr(import_module(home), name)


@pytest.mark.parametrize("name", ["crossroads", "introduction", "first-orders"])
@pytest.mark.parametrize(
    "text",
    [
        "{long}",
        "draw {long}",
        "draw [{long}]",
        "move {long} 0101",
        "move {unit} {long}",
        "fire {unit} {long}",
        "fire {unit} {unit} {long}",
        "mission {long} 0101",
    ],
)
def test_an_order_of_whatever_length_gets_a_message_of_a_few_lines(name: str, text: str) -> None:
    game = hx.Game(hx.load(name), seed=1)
    unit = next(iter(game.state()["units"]))
    for long in ("x" * 50_000, "x," * 25_000, "x " * 25_000):
        with pytest.raises(hx.HexEngineError) as told:
            game.play(text.format(long=long, unit=unit))
        assert len(str(told.value)) < 600
