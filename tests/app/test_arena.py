"""``arena``: what it says and returns."""

from __future__ import annotations

import json

import pytest

from tests.app.conftest import Run

HERE = ("--scenarios", "mirrored,lopsided", "--seed", 1)


def test_ratings_are_told(run: Run):
    result = run("arena", "officer", "random", *HERE, "--games", 6)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("12 games, seed 1, in ")
    ranked = [line.split() for line in lines if line.startswith(("  1 ", "  2 "))]
    assert [row[1] for row in ranked] == ["officer", "random"]
    assert any(line.split()[:3] == ["lopsided", "officer", "random"] for line in lines)


def test_their_json(run: Run):
    document = json.loads(run("arena", "officer", "random", *HERE, "--games", 4, "--json").stdout)
    assert document["games"] == 8
    assert set(document["players"]) == {"officer", "random"}
    assert document["players"]["officer"]["elo"] > 0
    assert [one["scenario"] for one in document["pairings"]] == ["mirrored", "lopsided"]
    assert {"share", "low", "high"} == set(document["pairings"][0]["share"])


def test_a_question_is_answered(run: Run):
    result = run("arena", "--sprt", "random", "officer", *HERE, "--share1", "0.7")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "officer is better than random"
    assert "weighed: a share of 70.0% (+147 Elo) against 50.0% (+0 Elo)" in result.stdout
    back = run("arena", "--sprt", "officer", "random", *HERE, "--json", "--elo1", 100)
    document = json.loads(back.stdout)
    assert (document["accepted"], document["a"], document["b"]) == (0, "officer", "random")
    assert document["ratio"] <= document["lower"]


def test_a_question_that_stays_open_ends_with_1(run: Run):
    result = run("arena", "--sprt", "random", "officer", *HERE, "--games", 4)
    assert result.exit_code == 1
    assert result.stdout.startswith("it is not known whether officer is better than random")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "two different players or more are wanted"),
        (["officer"], "two different players or more are wanted"),
        (["officer", "randon"], "did you mean random?"),
        (["officer", "random", "--sprt", "a", "b"], "--sprt A B names its two players itself"),
        (["officer", "random", "--elo0", "3"], "go with --sprt A B"),
        (
            ["--sprt", "officer", "random", "--elo1", "3", "--share1", "0.6"],
            "--elo1 and --share1 say the same",
        ),
        (["--sprt", "officer", "random", "--elo1", "nan"], "a lead in Elo points is -2000 to 2000"),
        (["--sprt", "officer", "random", "--share1", "0.4"], "the second share must be larger"),
        (["--sprt", "officer", "random", "--share1", "nan"], "the second share must be larger"),
        (["--sprt", "officer", "random", "--alpha", "0"], "chance of error between 0 and 0.5"),
        (["--sprt", "officer", "officer"], "officer cannot be better than itself"),
        (["officer", "random", "--games", "5"], "games are played in pairs"),
        (["officer", "random", "--scenarios", "mirored"], "mirrored"),
        (["officer", "random", "--cluster", "x", "--workers", "3"], "--cluster has its own"),
    ],
)
def test_used_wrongly(run: Run, words, message):
    where = [] if "--scenarios" in words else HERE
    result = run("arena", *words, *where)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_a_rating_of_nought_has_no_minus():
    from hexengine.app.arena import _points
    from hexengine.lab.ratings import Rating

    assert _points(Rating(-0.3, 17.2)) == ("+0", "± 17")
    assert _points(Rating(-524.6, 17.2)) == ("-525", "± 17")
