"""``odds`` and ``perft``."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

import hexengine as hx
from hexengine.app import chances as chances_app
from hexengine.app import way_odds
from hexengine.app.terminal import Terminal
from hexengine.core.odds import Outcome
from hexengine.core.path_odds import path_odds
from hexengine.view.style import Facts
from tests.app.conftest import SKIRMISH, Run


def test_odds_sum_to_one_and_name_what_changes(run: Run, script):
    result = run("odds", script, "--at", 6, "--json", "fire", "m1-2", "t72-2")
    document = json.loads(result.stdout)
    assert result.exit_code == 0
    assert document["order"] == "fire m1-2 t72-2"
    assert sum(Fraction(row["p"]) for row in document["outcomes"]) == 1
    assert any(
        "disrupted" in row["result"]["units"].get("t72-2", {}).get("status", ())
        for row in document["outcomes"]
    )


def test_odds_for_people_merge_what_reads_alike(run: Run, script):
    lines = run("odds", script, "--at", 6, "fire m1-2 t72-2").stdout.splitlines()
    assert lines[0] == "fire m1-2 t72-2"
    assert lines[1] == "  in any case: m1-2 finished"
    shares = [float(line.split("%")[0]) for line in lines[2:]]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(100, abs=0.1)
    assert any("t72-2 disrupted" in line for line in lines)


def test_chances_of_what_reads_alike_are_added_up(capsys):
    """Of outcomes that differ in what nobody is told; a fraction too long to mean anything is left out."""
    game = hx.Game(hx.loads(SKIRMISH, "skirmish"), 1)
    alike = [Outcome(Fraction(1, 4), {"units": {}, "phase": phase}) for phase in "abc"]
    turn = Outcome(Fraction(1, 4), {"units": {}, "turn": 2})
    chances_app._tell(Terminal(), game, "an order", [*alike, turn])
    assert capsys.readouterr().out.splitlines() == [
        "an order",
        "  75.00%  3/4  nothing more",
        "  25.00%  1/4  turn 2",
    ]
    assert [chances_app.short(Fraction(1, 10**zeros)) for zeros in (2, 8, 9)] == ["1/100", "1/100000000", ""]


def test_odds_of_the_cup(run: Run, skirmish):
    shown = run("odds", skirmish, "draw").stdout
    assert "50.00%  1/2  " in shown
    assert "25.00%  1/4  draws blues" in shown


def test_odds_of_an_assault_that_may_be_fired_at_first(run: Run):
    """Its window opens for certain; if nobody answers it, the fight comes, one case in four a victory."""
    document = json.loads(run("odds", "fire-first", "assault a1 0102", "--json").stdout)
    assert [row["p"] for row in document["outcomes"]] == ["1"]
    assert document["outcomes"][0]["result"]["decision"] == {"side": "red", "kind": "reaction"}
    assert [row["p"] for row in document["unanswered"]] == ["1/4"] * 4
    shown = run("odds", "fire-first", "assault a1 0102").stdout
    assert "if nobody answers it" in shown
    assert shown.partition("if every shot is taken")[0].count("25.00%") == 4


def test_odds_of_an_order_that_is_fired_at_also_tell_what_comes_of_the_fire(run: Run):
    document = json.loads(run("odds", "fire-first", "assault a1 0102", "--json").stdout)
    answered = document["answered"]
    assert answered["samples"] == 0
    assert [row["p"] for row in answered["outcomes"]] == ["5/8", "1/8", "1/8", "1/8"]
    assert "if every shot is taken" in run("odds", "fire-first", "assault a1 0102").stdout


def test_odds_of_a_whole_way(run: Run, skirmish, tmp_path):
    """A lone tank under the guns of two: who is hit is stopped where it was hit."""
    log = tmp_path / "way.jsonl"
    game = hx.Game(hx.loads(skirmish.read_text(encoding="utf-8"), "skirmish"), 1)
    game.play("draw [blues]")
    game.log.save(log)
    document = json.loads(run("odds", log, "move m1-1 0504", "--json").stdout)
    assert document["order"] == "move m1-1 0504"
    assert document["way"][0] == "move m1-1 0202"
    assert document["way"][-1] == "move m1-1 0504"
    assert set(document) == {"order", "way", "samples", "runs", "whole", "lost", "units", "outcomes"}
    fates = document["units"]["m1-1"]
    assert sum(Fraction(fate["p"]) for fate in fates) == 1
    assert sum(Fraction(one["p"]) for one in document["outcomes"]) == 1
    assert [fate["p"] for fate in fates if fate["whole"]] == [document["whole"]["p"]]
    assert [fate["p"] for fate in fates if "eliminated" in fate["status"]] == [document["lost"]["p"]]
    shown = run("odds", log, "move m1-1 0504").stdout.splitlines()
    assert shown[0] == "move m1-1 0504: 0102 0202 0302 0402 0503 0504, 4 MP"
    assert shown[2].split("%")[0].strip() == f"{float(Fraction(document['whole']['p'])):.2%}"[:-1]
    assert any(line.endswith("0202, disrupted") for line in shown)
    assert any(line.endswith("0504, unhurt") for line in shown)


def test_sampled_odds_say_how_sure_they_are(capsys):
    game = hx.Game(hx.loads(SKIRMISH, "skirmish"), 1)
    game.play("draw [blues]")
    way = ["move m1-1 0202", "move m1-1 0302"]
    found = path_odds(game, way, limit=1, samples=100)
    way_odds.tell(Terminal(), game, "away", found)
    shown = capsys.readouterr().out
    assert "(of 100 games tried out)" in shown
    assert re.search(r"\d\.00%  +\d+\.\d%-\d+\.\d%  +all arrive unhurt", shown)
    document = way_odds.document(game.parse("move m1-1 0302"), found)
    chance = document["whole"]
    assert chance["low"] < Fraction(chance["p"]) < chance["high"]


@pytest.mark.parametrize("order", ["move m1-1 0801", "move m1-1,m1-2 0504", "fire m1-1 t72-1"])
def test_odds_where_no_way_leads(run: Run, skirmish, order):
    """Too far, for units that stand apart, or no move: refused as ever."""
    result = run("odds", skirmish, order)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.strip()


@pytest.mark.parametrize(("order", "code"), [("move m1-1 0201", 1), ("shoot m1-1", 2), ("undo", 2)])
def test_odds_of_what_cannot_be_ordered(run: Run, skirmish, order, code):
    result = run("odds", skirmish, order)
    assert result.exit_code == code
    assert result.stderr.strip()
    assert not result.stdout


def test_perft_as_json(run: Run):
    document = json.loads(run("perft", "cup-2", "--depth", 2, "--divide", "--json").stdout)
    assert document["mass"] == "1"
    assert set(document) == {"depth", "leaves", "ends", "hits", "expect", "digest", "mass", "divide"}
    assert sum(row["leaves"] for row in document["divide"]) == document["leaves"]


@pytest.mark.parametrize("depth", [0, 3])
def test_perft_for_people(run: Run, depth):
    result = run("perft", "cup-1", "--depth", depth)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"depth {depth}: ")


@pytest.mark.parametrize("arguments", [["cup-1"], ["cup-1", "--depth", "-1"], ["cup-1", "--depth", "x"]])
def test_perft_used_wrongly(run: Run, arguments):
    assert run("perft", *arguments).exit_code == 2


@pytest.mark.parametrize(("is_terminal", "shown"), [(True, 11), (False, 20)])
def test_a_screen_shows_the_likeliest_of_many_outcomes(capsys, is_terminal, shown):
    terminal = Terminal()
    terminal.facts = Facts(is_terminal=is_terminal, colours=0)
    game = hx.Game(hx.load("crossroads"), 1)
    chances = [Fraction(number, 210) for number in range(1, 21)]
    outcomes = [Outcome(chance, {"units": {}, "turn": at}) for at, chance in enumerate(chances, 2)]
    chances_app._tell(terminal, game, "a title", outcomes)
    title, *rows = capsys.readouterr().out.splitlines()
    assert title == "a title"
    assert [row.split()[-2:] for row in rows[:shown]] == [["turn", str(21 - at)] for at in range(shown)]
    rest = [row.split(None, 2) for row in rows[shown:]]
    assert rest == ([["21.43%", "3/14", "9 more, each less likely"]] if is_terminal else [])
