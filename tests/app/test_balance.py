"""``balance``: what it says, draws and returns."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from tests.app.conftest import Run

QUICK = ("--players", "random", "random", "--margin", "0.1", "--seed", 3)


def test_what_it_tells(run: Run):
    result = run("balance", "mirrored", *QUICK)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "In the mirror (mirrored): random against random"
    for begin in (
        "blue wins ",
        "even: 50% lies",
        "draws ",
        "what brings the points",
        "victory margin: ",
        "losses in a game",
        "which turns decide",
    ):
        assert sum(line.startswith(begin) for line in lines) == 1, begin
    assert not any("not there from the start" in line for line in lines)
    ends = next(line for line in lines if line.startswith("draws "))
    assert re.fullmatch(r"draws \d+ \(\d+\.\d%\); ends: last-units \d+, points \d+", ends)


def test_who_comes_later_is_listed(run: Run):
    quick = ("--players", "random", "random", "--games-limit", 10, "--seed", 3)
    lines = run("balance", "river-crossing", *quick).stdout.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("who is not there"))
    assert lines[place + 1].split()[:4] == ["side", "unit", "counter", "came"]
    assert any(line.split()[:2] == ["wp", "bmp-1"] for line in lines[place:])


def test_its_json(run: Run, tmp_path):
    result = run("balance", "mirrored", *QUICK, "--json", "--db", tmp_path / "g.db", "--assert", "0.3..0.7")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["verdict"] == "even"
    assert document["reached"] is True
    assert document["games"] == sum(document["wins"].values()) + document["draws"]
    assert document["share"]["high"] - document["share"]["low"] <= 0.2
    assert document["assert"] == {"low": 0.3, "high": 0.7, "holds": True}
    assert sum(document["lead"]["games"].values()) == document["games"]
    assert sum(document["ends"].values()) == document["games"]
    assert document["arrivals"] == []
    brought = dict.fromkeys(document["sides"], 0.0)
    for row in document["conditions"]:
        brought[row["side"]] += row["points"]
    first, second = brought.values()
    assert first - second == pytest.approx(document["lead"]["mean"])
    assert [row["turn"] for row in document["turns"]] == [1, 2, 3, 4]
    again = run("balance", "mirrored", *QUICK, "--json", "--db", tmp_path / "g.db")
    del document["assert"]
    assert {**json.loads(again.stdout), "seconds": 0} == {**document, "seconds": 0}


def test_different_players_swap_sides_and_are_told_apart(run: Run):
    result = run("balance", "mirrored", "--players", "random", "officer", "--games-limit", 60, "--seed", 1)
    assert "share of wins by player:" in result.stdout
    assert "officer" in result.stdout


def test_an_assertion_that_does_not_hold_ends_with_1_and_says_why(run: Run):
    result = run("balance", "mirrored", *QUICK, "--assert", "80%..100%")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith("mirrored: blue wins ")
    assert "not within 80% to 100%" in result.stderr


def test_an_assertion_that_holds_says_how_surely(run: Run):
    assert (
        "but its interval reaches beyond"
        in run("balance", "mirrored", *QUICK, "--assert", "0.45..0.6").stdout
    )
    sure = run("balance", "mirrored", *QUICK, "--assert", "0..1").stdout.splitlines()[-1]
    assert sure.endswith("within 0% to 100%")


@pytest.mark.parametrize("name", ["picture.svg", "picture.html"])
def test_pictures_stand_by_themselves(run: Run, skirmish, tmp_path, name):
    path = tmp_path / name
    result = run("balance", skirmish, *QUICK, "--picture", path)
    assert result.exit_code == 0
    text = path.read_text(encoding="utf-8")
    svg = text[text.index("<svg") : text.index("</svg>") + 6]
    ElementTree.fromstring(svg)
    assert text.startswith("<svg" if name.endswith("svg") else "<!doctype html>")
    assert "Skirmish at [Ford]" in text
    assert "The [bold]Blues[/]" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_a_name_is_no_markup(run: Run, skirmish, tmp_path):
    text = skirmish.read_text(encoding="utf-8").replace("Skirmish at", "<script>&")
    skirmish.write_text(text, encoding="utf-8")
    path = tmp_path / "picture.html"
    assert run("balance", skirmish, *QUICK, "--picture", path).exit_code == 0
    assert "<script>" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--assert", "0.6..0.4"], "is no range of shares"),
        (["--assert", "40-60"], "LOW..HIGH within 0 to 1, as 0.4..0.6 or 40%..60%"),
        (["--assert", "1.2.3..4"], "is no range of shares"),
        (["--margin", "0"], "a margin is 0.005 to less than 0.5"),
        (["--margin", "nan"], "a margin is 0.005 to less than 0.5"),
        (["--target", "2"], "a target is a share"),
        (["--games-limit", "3"], "games are played in pairs"),
        (["--picture", "picture.png"], "a picture is FILE.svg or FILE.html, not picture.png"),
        (["--picture", "nowhere/at/all.svg"], "there is no folder"),
        (["--players", "random", "randon"], "did you mean random?"),
    ],
)
def test_used_wrongly(run: Run, options, message):
    result = run("balance", "mirrored", *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "command", [("balance", "mirrored"), ("batch", "mirrored", *QUICK[:3], "--games", 2)]
)
def test_a_cluster_has_its_own_workers(run: Run, command):
    result = run(*command, "--cluster", "tcp://127.0.0.1:9", "--workers", 2)
    assert result.exit_code == 2
    assert "--cluster has its own" in result.stderr
