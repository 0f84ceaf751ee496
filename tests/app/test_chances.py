"""``odds`` and ``perft``."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from tests.app.conftest import Run


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
    assert shown.count("25.00%") == 4


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
