"""Scripts: head lines, orders with dictated chance, what is skipped, and what is refused where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hexengine.core.errors import ChanceError, ContentError, HexEngineError, IllegalOrder, InvalidOrder
from hexengine.record.formats import RecordError
from hexengine.record.game import Game
from hexengine.record.replay import read, replay
from hexengine.record.script import (
    CLOSES,
    Script,
    ScriptError,
    parse_script,
    play_script,
    run_script,
    start,
    to_script,
)
from hexengine.saved import find as find_file
from tests.record.helpers import find, long_scenario, play_out, played, shipped

WINDOW = "scenario near\nseed 4\n{head}\ndraw [reds]\nmove r1 0201\n{line}\n"
"""r1 steps under the eyes of b1, so a reaction window of blue is open at the last line."""


@pytest.fixture(autouse=True)
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.record import helpers

    monkeypatch.setitem(helpers.KNOWN, "near", helpers.TEXT.replace('"0401"', '"0303"'))


def parse(text: str | bytes) -> Script:
    return parse_script(text, "game.txt")


def played_script(text: str) -> Game:
    script = parse(text)
    game = start(script, find)
    run_script(game, script)
    return game


def refused(text: str) -> ScriptError:
    with pytest.raises(ScriptError) as caught:
        played_script(text)
    return caught.value


class TestHead:
    def test_all_of_it(self) -> None:
        script = parse(
            "# a comment\n\n  scenario toy   # behind a line too\nseed -12\nplayers one two\n"
            "reactions pass\nsandbox\n\ndraw [reds]  # red it is\n\n\tmove r1 0201\n"
        )
        assert (script.scenario, script.seed, script.players) == ("toy", -12, ("one", "two"))
        assert script.reactions_pass and script.sandbox
        assert [tuple(line) for line in script.lines] == [(9, 1, "draw [reds]"), (11, 2, "move r1 0201")]
        game = start(script, find)
        assert (game.seed, game.sandbox, game.players) == (-12, True, {"red": "one", "blue": "two"})

    def test_none_of_it(self) -> None:
        script = parse("draw\n")
        assert (script.scenario, script.seed, script.players) == (None, None, ())
        assert not script.reactions_pass and not script.sandbox
        with pytest.raises(ContentError, match=r"game\.txt:1:1: .*scenario NAME"):
            start(script, find)

    def test_behind_the_first_order_nothing_is_taken_for_a_head_line(self) -> None:
        """A word that is almost one may be an order there; who plays it says whether it is."""
        assert [line.text for line in parse("draw\nseeds 5\n").lines] == ["draw", "seeds 5"]
        with pytest.raises(ContentError, match="did you mean 'seed'"):
            parse("seeds 5\ndraw\n")

    def test_files_of_other_systems(self) -> None:
        script = parse("\ufeffscenario toy\r\nseed 3\r\n\r\ndraw [reds]\r\n".encode())
        assert (script.scenario, script.seed) == ("toy", 3)
        assert script.lines[0].text == "draw [reds]"

    def test_without_a_seed_a_fresh_one(self) -> None:
        assert len({start(parse("scenario toy\n"), find).seed for _ in range(3)}) == 3

    def test_paths_are_seen_from_the_script(self, tmp_path: Path) -> None:
        asked: list[Any] = []

        def note(wanted: Any) -> Any:
            asked.append(wanted)
            return long_scenario()

        start(parse_script("scenario maps/my own.toml\n", tmp_path / "game.txt"), note)
        assert (asked[0].scenario, asked[0].folder, asked[0].source) == ("maps/my own.toml", tmp_path, None)

    @pytest.mark.parametrize(
        ("text", "place", "says"),
        [
            ("scenario\n", "1:1", "name is missing"),
            ("scenario a\nscenario b\n", "2:1", "stands twice"),
            ("  seed one\n", "1:3", "no seed"),
            ("seed 9223372036854775808\n", "1:1", "no seed"),
            ("seed " + "9" * 5000 + "\n", "1:1", "no seed"),
            ("seed ²\n", "1:1", "no seed"),
            ("players\n", "1:1", "names are missing"),
            ("reactions fire\n", "1:1", "reactions pass"),
            ("sandbox on\n", "1:1", "means nothing"),
            ("scenaro toy\n", "1:1", "did you mean 'scenario'?"),
            ("scenario toy\ndraw\nseed 3\n", "3:1", "head lines come first"),
        ],
    )
    def test_faults_are_located(self, text: str, place: str, says: str) -> None:
        with pytest.raises(ContentError) as caught:
            parse(text)
        assert str(caught.value).startswith(f"game.txt:{place}: ")
        assert says in str(caught.value)

    def test_all_faults_at_once(self) -> None:
        with pytest.raises(ContentError) as caught:
            parse("scenario\nseed x\nplayers\n")
        assert [problem.line for problem in caught.value.problems] == [1, 2, 3]

    def test_what_is_not_text(self) -> None:
        with pytest.raises(ContentError, match=r"game\.txt:2:6: .*UTF-8"):
            parse(b"scenario toy\nseed \xff\n")

    def test_more_than_a_script_can_be(self) -> None:
        """Millions of lines are refused at once: all would be read before the first is judged."""
        with pytest.raises(
            ContentError, match=r"^game\.txt:1:1: the script is too large: more than 4,000,000 "
        ):
            parse("scenario toy\n" + "draw\n" * 800_000)

    def test_a_scenario_that_there_is_not(self) -> None:
        with pytest.raises(ContentError, match=r"^game\.txt:2:3: nosuch: .*no scenario"):
            start(parse("# of what?\n  scenario nosuch\ndraw\n"), find_file)

    @pytest.mark.parametrize("text", ["turns = ", "format = 1\n"])
    def test_faults_of_the_scenario_keep_their_places(self, text: str, tmp_path: Path) -> None:
        (tmp_path / "own.toml").write_text(text, encoding="utf-8")
        with pytest.raises(ContentError, match=r"own\.toml:1:"):
            start(parse_script("scenario own\n", tmp_path / "game.txt"), find_file)

    @pytest.mark.parametrize("players", ["one", "one two three"])
    def test_players_that_do_not_fit_the_sides(self, players: str) -> None:
        with pytest.raises(ContentError, match=r"game\.txt:2:1: .*2 players"):
            start(parse(f"scenario toy\nplayers {players}\n"), find)


class TestLines:
    def test_dictated_chance_is_used(self) -> None:
        game = played_script("scenario near\ndraw [reds]\nfire r2 b1 [6 6 1 1 1]\n")
        assert [entry.chance for entry in game.log.entries] == [["reds"], [6, 6, 1, 1, 1]]
        assert game.state()["units"]["b1"]["steps"] == 1

    def test_left_out_the_seed_decides(self) -> None:
        one, two = (played_script("scenario toy\nseed 5\ndraw\ndraw\n") for _ in range(2))
        assert one.digest == two.digest

    @pytest.mark.parametrize(
        ("line", "place", "cause"),
        [
            ("dance", "4:1", InvalidOrder),
            ("  move r1 0104", "4:3", InvalidOrder),
            ("move r1 0401", "4:1", IllegalOrder),
            ("move r1 0201 [", "4:1", InvalidOrder),
            ("fire r2 b1 [6 6]", "4:12", ChanceError),
            ("fire r2 b1 [1 1 1]", "4:12", ChanceError),
            ("fire r2 b1 [7 1]", "4:12", ChanceError),
            ("undo", "4:1", IllegalOrder),
            ("draw", "4:1", IllegalOrder),
            ("x" * 10_000, "4:1", InvalidOrder),
            ("\0", "4:1", InvalidOrder),
        ],
    )
    def test_are_refused_where_they_stand(self, line: str, place: str, cause: type[HexEngineError]) -> None:
        script = parse(f"scenario near\nseed 5\ndraw [reds]\n{line}\n")
        game = start(script, find)
        with pytest.raises(ScriptError) as caught:
            run_script(game, script)
        assert str(caught.value).startswith(f"game.txt:{place}: ")
        assert isinstance(caught.value.cause, cause)
        assert game.entry == 1
        assert [entry.order for entry in game.log.entries] == ["draw"]

    def test_after_the_end_of_the_game(self) -> None:
        text = to_script(played(shipped(long_scenario()), 3).log)
        assert played_script(text + "end\npass\n").decision is None
        assert "game is over" in str(refused(text + "draw\n"))

    def test_undo(self) -> None:
        game = played_script("scenario far\ndraw [reds]\nmove r1 0201\nundo\nmove r1 0102\n")
        assert [entry.order for entry in game.log.entries] == ["draw", "move r1 0201", "undo", "move r1 0102"]

    def test_sandbox_lets_undo_take_back_a_draw(self) -> None:
        game = played_script("scenario far\nsandbox\ndraw [reds]\nundo\ndraw [blues]\n")
        assert game.state()["cup"]["drawn"] == {"blues": 1}


class TestNothingOpen:
    @pytest.mark.parametrize("line", ["pass", "end", "end # nothing to end"])
    def test_at_the_cup_is_skipped(self, line: str) -> None:
        assert played_script(f"scenario toy\nseed 5\n{line}\ndraw [reds]\n").entry == 1

    def test_pass_without_a_window_is_skipped(self) -> None:
        game = played_script("scenario far\ndraw [reds]\nmove r1 0201\npass\nmove r2 0401\n")
        assert [entry.order for entry in game.log.entries][1:] == ["move r1 0201", "move r2 0401"]

    def test_what_is_legal_is_played_whatever_is_open(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """In a rule system whose decisions have names of their own."""
        monkeypatch.setitem(CLOSES, "end", ("some other kind",))
        game = played_script("scenario far\ndraw [reds]\nend\nend\n")
        assert [entry.order for entry in game.log.entries] == ["draw", "end"]

    def test_end_of_what_is_open_is_played(self) -> None:
        game = played_script("scenario far\ndraw [reds]\nend\nend\n")
        assert [entry.order for entry in game.log.entries] == ["draw", "end"]


class TestWindows:
    @pytest.mark.parametrize("line", ["move r2 0302", "end", "draw", "undo"])
    def test_that_no_line_answers_are_refused_there(self, line: str) -> None:
        error = refused(WINDOW.format(head="", line=line))
        assert error.problem.line == 6
        assert isinstance(error.cause, IllegalOrder)
        assert "blue may react" in str(error)
        assert "reactions pass" in str(error)

    @pytest.mark.parametrize("line", ["pass", "fire b1 r1 [1 1]"])
    def test_are_answered_by_lines(self, line: str) -> None:
        game = played_script(WINDOW.format(head="", line=line))
        assert (game.log.entries[2].by, game.entry) == ("blue", 3)

    def test_may_stay_open_at_the_end(self) -> None:
        game = played_script(WINDOW.format(head="", line=""))
        assert game.decision is not None and game.decision.kind == "reaction"

    def test_are_passed_where_the_head_says_so(self) -> None:
        game = played_script(WINDOW.format(head="reactions pass", line="move r2 0302"))
        assert [(entry.by, entry.order) for entry in game.log.entries] == [
            ("red", "draw"),
            ("red", "move r1 0201"),
            ("blue", "pass"),
            ("red", "move r2 0302"),
            ("blue", "pass"),
        ]

    def test_are_still_answered_by_lines_then(self) -> None:
        game = played_script(WINDOW.format(head="reactions pass", line="fire b1 r1 [1 1]"))
        assert game.log.entries[2].order == "fire b1 r1"

    def test_in_a_sandbox_undo_is_that_of_the_side_that_moves(self) -> None:
        game = played_script(WINDOW.format(head="reactions pass\nsandbox", line="undo"))
        assert [entry.order for entry in game.log.entries][2:] == ["pass", "undo"]
        assert game.state()["units"]["r1"]["hex"] == "0101"

    def test_what_a_script_makes_is_told_entry_by_entry(self) -> None:
        script = parse(WINDOW.format(head="reactions pass", line="move r2 0302"))
        told = list(play_script(start(script, find), script))
        assert [(one.line.number if one.line else 0, one.order, one.entry) for one in told] == [
            (4, "draw", 1), (5, "move r1 0201", 2), (0, "pass", 3), (6, "move r2 0302", 4), (0, "pass", 5)
        ]  # fmt: skip
        assert all(one.events for one in told if one.order != "pass")


class TestRoundTrip:
    @pytest.mark.parametrize("seed", range(8))
    def test_log_to_script_to_log(self, seed: int) -> None:
        log = played(shipped(long_scenario()), seed).log
        text = to_script(log)
        game = played_script(text)
        assert game.log.to_bytes() == log.to_bytes()
        assert to_script(game.log) == text

    def test_with_undo_in_a_sandbox(self) -> None:
        game = Game(shipped(long_scenario()), 3, sandbox=True)
        for _ in range(10):
            play_out(game, 7)
            game.undo()
        assert played_script(to_script(game.log)).log.to_bytes() == game.log.to_bytes()

    def test_scenarios_that_are_not_shipped_need_a_path(self, tmp_path: Path) -> None:
        log = played(long_scenario(), 3).log
        assert to_script(log).startswith("# ")
        assert to_script(log, "maps/long.toml").startswith("scenario maps/long.toml\nseed 3\n")

    def test_replay_takes_scripts_too(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        log = played(shipped(long_scenario()), 3).log
        path.write_text(to_script(log), encoding="utf-8")
        assert isinstance(read(path), Script)
        game = replay(path, find, verify=True)
        assert game.log.to_bytes() == log.to_bytes()
        assert game.events
        assert replay(path, find, 5).entry == 5
        for to in (-1, 10_000):
            with pytest.raises(RecordError, match=f"no entry {to}"):
                replay(path, find, to)

    def test_stopping_at_an_entry_counts_passes_too(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        path.write_text(WINDOW.format(head="reactions pass", line="move r2 0302"), encoding="utf-8")
        for to in range(1, 6):
            assert replay(path, find, to).entry == to
