"""Batches: the same results whoever plays them, in the order of games, as programs read them."""

from __future__ import annotations

import io
import json
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_all_start_methods, get_context

import pytest

import hexengine as hx
from hexengine import lab
from hexengine.core.errors import BrokenPlayer, HexEngineError, UnknownPlayer
from hexengine.lab.batches import batch
from hexengine.lab.errors import GamesFailed, LabError
from hexengine.lab.play import play_game
from hexengine.lab.progress import Progress, ProgressLines
from hexengine.lab.seeds import game_seed
from tests.lab.helpers import child, document, small, tiny
from tests.toy.rules import Operations

RANDOM = ("random", "random")
METHODS = [method for method in ("spawn", "fork") if method in get_all_start_methods()]


@pytest.fixture(scope="module")
def here():
    """Twelve games played in this process."""
    return batch(small(), RANDOM, 12, seed=1)


def test_the_top_level_name_takes_scenarios_and_their_names():
    assert lab.batch is batch
    wanted = {"players": ("officer", "random"), "games": 2, "seed": 1}
    loaded, named = hx.batch(hx.load("cup-1"), **wanted), hx.batch("cup-1", **wanted)
    assert loaded.games == named.games == 2
    assert loaded.results == named.results


# -- the same results -------------------------------------------------------------------------------


def test_every_game_is_the_one_of_its_seed(here):
    assert [result.number for result in here.results] == list(range(1, 13))
    for number, result in enumerate(here.results):
        seats = {"red": "random", "blue": "random"}
        alone = play_game(small(), seats, game_seed(1, number))
        assert result == alone._replace(number=number + 1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("workers", [2, 3])
def test_worker_processes_play_the_same_games(here, method, workers):
    assert document(batch(small(), RANDOM, 12, seed=1, workers=workers, start_method=method)) == document(
        here
    )


def test_any_executor_plays_the_same_games(here):
    with ThreadPoolExecutor(2) as executor:
        assert document(batch(small(), RANDOM, 12, seed=1, workers=2, executor=executor)) == document(here)
        assert executor.submit(int, "7").result() == 7, "it is not shut down"
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        assert document(batch(small(), RANDOM, 12, seed=1, executor=executor)) == document(here)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_shipped_scenario_on_worker_processes(method, tmp_path):
    """Boards are not sent along: workers make them from the scenario's text."""
    results = []
    for workers in (1, 2):
        folder = tmp_path / f"{workers}"
        arguments = {"seed": 5, "swap": True, "workers": workers, "start_method": method, "logs": folder}
        results.append(document(batch(hx.load("bench"), ("officer", "random"), 3, **arguments)))
    assert results[0] == results[1]
    assert logs(tmp_path / "1") == logs(tmp_path / "2")
    path = tmp_path / "1" / "game-000001.jsonl"
    assert hx.replay(path, verify=True).digest == results[0]["results"][0]["digest"]


@pytest.mark.slow
def test_logs_are_equal_byte_for_byte_in_every_process(tmp_path):
    """With three hash seeds, one worker and two, spawned and forked."""
    runs = []
    for number, hash_seed in enumerate(("0", "1", "random")):
        method = METHODS[number % len(METHODS)]
        arguments = {"scenario": "bench", "players": RANDOM, "games": 4, "seed": 9, "start_method": method}
        folder = str(tmp_path / str(number))
        runs.append(child(hash_seed, workers=1 + number % 2, logs=folder, **arguments))
    documents = []
    for run in runs:
        out, err = run.communicate(timeout=120)
        assert run.returncode == 0, err
        documents.append(out.splitlines()[-1])
    assert len(set(documents)) == 1
    first = logs(tmp_path / "0")
    assert sorted(first) == [f"game-{number:06}.jsonl" for number in (1, 2, 3, 4)]
    assert first == logs(tmp_path / "1") == logs(tmp_path / "2")


def logs(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# -- what is in a result ----------------------------------------------------------------------------


def test_the_json_is_as_programs_read_it(here):
    found = json.loads(json.dumps(here.as_json()))
    assert list(found) == [
        "scenario",
        "games",
        "seed",
        "players",
        "wins",
        "wins_by_player",
        "draws",
        "orders",
        "turns",
        "seconds",
        "results",
    ]
    assert found["scenario"] == "small"
    assert found["games"] == len(found["results"]) == 12
    assert found["seed"] == 1
    assert found["players"] == ["random", "random"]
    assert set(found["wins"]) == {"red", "blue"}
    assert sum(found["wins"].values()) + found["draws"] == 12
    assert found["orders"] == sum(result["orders"] for result in found["results"])
    assert found["turns"] == sum(result["turns"] for result in found["results"]) / 12
    assert found["seconds"] > 0
    for result in found["results"]:
        assert list(result) == ["seed", "players", "winner", "score", "turns", "orders", "digest"]
        assert result["winner"] in ("red", "blue", None)


def test_sides_are_swapped():
    result = batch(small(), ("officer", "random"), 7, seed=1, swap=True)
    seats = [(one.players["red"], one.players["blue"]) for one in result.results]
    assert seats == [("officer", "random"), ("random", "officer")] * 3 + [("officer", "random")]
    seeds = [one.seed for one in result.results]
    assert seeds == [game_seed(1, number // 2) for number in range(7)]
    won = [one.players[one.winner] for one in result.results if one.winner]
    assert result.wins_by_player == {name: won.count(name) for name in ("officer", "random")}
    assert result.wins == {
        side: sum(one.winner == side for one in result.results) for side in ("red", "blue")
    }
    straight = batch(small(), ("officer", "random"), 4, seed=1)
    assert [one.digest for one in straight.results] == [one.digest for one in result.results[::2]]


def test_a_player_against_itself_wins_what_is_decided(here):
    assert here.wins_by_player == {"random": sum(here.wins.values())}
    assert here.players == RANDOM


def test_a_fresh_seed_is_told_and_gives_the_same_again():
    first = batch(tiny(), RANDOM, 3)
    assert batch(tiny(), RANDOM, 3).seed != first.seed
    assert document(batch(tiny(), RANDOM, 3, seed=first.seed)) == document(first)


def test_failed_players_are_told():
    result = batch(small(), ("random", "raises"), 6, seed=2)
    assert result.faulty
    for one, told in zip(result.results, result.as_json()["results"], strict=True):
        assert ("faults" in told) == bool(one.faults)


# -- logs -------------------------------------------------------------------------------------------


def test_logs_do_not_mix(tmp_path):
    batch(tiny(), RANDOM, 2, seed=1, logs=tmp_path / "deep" / "logs")
    before = logs(tmp_path / "deep" / "logs")
    assert sorted(before) == ["game-000001.jsonl", "game-000002.jsonl"]
    with pytest.raises(LabError, match="there are logs of games in this folder already: game-00000"):
        batch(tiny(), RANDOM, 2, seed=2, logs=tmp_path / "deep" / "logs")
    assert logs(tmp_path / "deep" / "logs") == before


def test_logs_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(LabError, match="file: the logs cannot be written: "):
        batch(tiny(), RANDOM, 2, seed=1, logs=tmp_path / "file")


def test_missing_logs_are_played_again(tmp_path):
    out, folder = tmp_path / "games.db", tmp_path / "logs"
    batch(tiny(), RANDOM, 3, seed=1, out=out, logs=folder)
    whole = logs(folder)
    (folder / "game-000002.jsonl").unlink()
    (folder / "game-000001.part").write_text("half")
    batch(tiny(), RANDOM, 3, seed=1, out=out, logs=folder, resume=True)
    assert logs(folder) == whole


def test_a_log_of_another_game_is_not_overwritten(tmp_path):
    out, folder = tmp_path / "games.db", tmp_path / "logs"
    folder.mkdir()
    (folder / "game-000001.jsonl").write_text("precious")
    with pytest.raises(LabError, match="another game"):
        batch(tiny(), RANDOM, 3, seed=1, out=out, logs=folder, resume=True)
    assert (folder / "game-000001.jsonl").read_text() == "precious"


# -- what cannot be ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"games": 0}, "0 games cannot be"),
        ({"games": 10**30}, "so many games cannot be: 1,000,000,000 are the most"),
        ({"max_orders": 10**30}, "so many orders cannot be"),
        ({"workers": 0}, "0 workers cannot be"),
        ({"max_orders": -1}, "-1 orders cannot be"),
        ({"start_method": "conjure"}, "'conjure'; there are: "),
        ({"players": ("random",)}, r"2 players are wanted \(red, blue\), not random"),
        ({"players": ()}, "not none"),
        ({"players": "ab"}, "not ab"),
        ({"scenario": "small"}, "as load"),
        ({"resume": True}, "must be named"),
    ],
)
def test_what_cannot_be_played_is_refused_at_once(change, text):
    arguments = {"scenario": small(), "players": RANDOM, "games": 3, "seed": 1, **change}
    with pytest.raises(LabError, match=text):
        batch(**arguments)


def test_unknown_players_are_refused_at_once():
    with pytest.raises(UnknownPlayer, match="did you mean officer"):
        batch(small(), ("offcer", "random"), 3)


def test_players_that_cannot_be_made_are_refused_at_once():
    with pytest.raises(BrokenPlayer, match="the model is missing"):
        batch(small(), ("random", "cannot"), 3)


def test_a_scenario_without_an_origin_stays_in_this_process():
    orphan = replace(small(), remake=None)
    assert batch(orphan, RANDOM, 2, seed=1).games == 2
    with pytest.raises(HexEngineError, match="small: nothing says how"):
        batch(orphan, RANDOM, 2, seed=1, workers=2)


def test_changed_data_are_noticed_by_workers():
    """What arrives must be what was sent."""
    changed = replace(small(), digest="0123456789abcdef")
    with pytest.raises(HexEngineError, match="the data files have changed"):
        batch(changed, RANDOM, 2, seed=1, workers=2, start_method=METHODS[-1])


def test_games_that_break_do_not_stop_the_others(monkeypatch):
    play = Operations.play

    def sometimes(self, pos, order, dice, emit):
        if pos.streams[0] == 6:
            raise ZeroDivisionError
        play(self, pos, order, dice, emit)

    monkeypatch.setattr(Operations, "play", sometimes)
    with pytest.raises(GamesFailed) as caught:
        batch(small(), RANDOM, 12, seed=1)
    broken = [failure.number for failure in caught.value.failures]
    good = [result.number for result in caught.value.result.results]
    assert broken
    assert good
    assert sorted(broken + good) == list(range(1, 13))
    assert f"{len(broken)} game" in str(caught.value)
    assert f"game {broken[0]}: small, seed {game_seed(1, broken[0] - 1)}, " in str(caught.value)


def test_a_batch_that_breaks_everywhere_is_given_up(monkeypatch):
    monkeypatch.setattr(Operations, "actors", None)
    with pytest.raises(GamesFailed, match="20 games of 500 could not be played") as caught:
        batch(small(), RANDOM, 500, seed=1)
    assert "and 15 more" in str(caught.value)


# -- progress ---------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_into_a_file_is_a_few_lines():
    """No carriage returns, at most a few dozen lines, whatever the number of games."""
    out = io.StringIO()
    lines = ProgressLines(out)
    batch(tiny(), RANDOM, 200, seed=1, progress=lines)
    lines.end()
    text = out.getvalue()
    assert "\r" not in text
    assert 10 <= text.count("\n") <= 24
    assert text.splitlines()[0].startswith("10 of 200 games, random ")
    assert text.splitlines()[-1].startswith("200 of 200 games, random ")


def test_progress_on_a_terminal_is_one_line():
    out = Terminal()
    lines = ProgressLines(out)
    batch(tiny(), RANDOM, 20, seed=1, progress=lines)
    lines.end()
    text = out.getvalue()
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert text.rpartition("\r")[2].startswith("20 of 20 games")
    assert max(map(len, text.split("\r"))) < 80


def test_progress_is_told_after_each_game():
    seen: list[Progress] = []
    result = batch(small(), ("officer", "random"), 6, seed=1, swap=True, progress=seen.append)
    assert [one.done for one in seen] == [1, 2, 3, 4, 5, 6]
    assert {one.games for one in seen} == {6}
    assert seen[-1].wins == result.wins_by_player
    assert seen[-1].draws == result.draws


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (Progress(0, 10, 0, {"a": 0}, 0, 0.0), "0 of 10 games, a 0"),
        (
            Progress(5, 10, 5, {"a": 2, "b": 1}, 2, 2.0),
            "5 of 10 games, a 2, b 1, draws 2; 2.5 a second, 0:02 to go",
        ),
        (Progress(50, 100, 10, {"a": 50}, 0, 10.0), "50 of 100 games, a 50; 1 a second, 0:50 to go"),
        (Progress(10, 20_000, 10, {"a": 10}, 0, 10.0), "10 of 20000 games, a 10; 1 a second, 5:33:10 to go"),
    ],
)
def test_progress_in_words(progress, text):
    assert str(progress) == text
