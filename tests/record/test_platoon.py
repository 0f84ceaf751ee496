"""The record under real rules: groups on the move, windows, and games to the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexengine.content.loader import loads
from hexengine.core.errors import IllegalOrder
from hexengine.core.scenario import Scenario
from hexengine.record.formats import Wanted
from hexengine.record.game import Game
from hexengine.record.replay import replay
from hexengine.record.script import ScriptError, parse_script, run_script, start, to_script
from hexengine.record.session import resume
from tests.record.helpers import choose, play_out, shipped

TEXT = """\
format = 1
system = "platoon"
title = "Two hills"
turns = 3
sides = ["nato", "wp"]

[map]
terrain = '''
........
...w....
....w...
........
........
'''
legend = { "." = "clear", w = "woods" }

[[formation]]
id = "one"
side = "nato"
markers = 1
morale = 7

[[formation]]
id = "two"
side = "wp"
markers = 1
morale = 7

[[unit]]
id = "m1-1"
type = "m1"
formation = "one"
hex = "0102"

[[unit]]
id = "m1-2"
type = "m1"
formation = "one"
hex = "0103"

[[unit]]
id = "t72-1"
type = "t-72"
formation = "two"
hex = "0802"

[[unit]]
id = "t72-2"
type = "t-72"
formation = "two"
hex = "0803"
"""

FAR = TEXT.replace('"0802"', '"2802"').replace('"0803"', '"2803"').replace("........", "." * 28)


def hills(text: str = TEXT) -> Scenario:
    for line in ("...w....", "....w..."):
        text = text.replace(line, line.ljust(28, ".")) if "." * 28 in text else text
    return shipped(loads(text, "hills"))


def find(wanted: Wanted) -> Scenario:
    return hills()


def played_script(text: str, found: Scenario) -> Game:
    script = parse_script(f"scenario hills\nseed 3\n{text}", "game.txt")
    game = start(script, lambda _: found)
    run_script(game, script)
    return game


class TestClosing:
    """Lines that close something, under a system with groups."""

    def test_done_closes_the_group_and_is_skipped_without_one(self) -> None:
        game = played_script("draw [one]\ndone\nmove m1-1 0202\ndone\ndone\nmove m1-2 0203\n", hills(FAR))
        orders = [entry.order for entry in game.log.entries]
        assert orders == ["draw", "move m1-1 0202", "done", "move m1-2 0203"]

    def test_end_while_a_group_is_open_is_refused(self) -> None:
        with pytest.raises(ScriptError) as caught:
            played_script("draw [one]\nmove m1-1 0202\nend\n", hills(FAR))
        assert isinstance(caught.value.cause, IllegalOrder)
        assert caught.value.problem.line == 5

    def test_end_without_an_activation_is_skipped(self) -> None:
        game = played_script("end\npass\ndraw [one]\nend\nend\ndraw [two]\n", hills(FAR))
        assert [entry.order for entry in game.log.entries] == ["draw", "end", "draw"]

    def test_undo_in_a_group_and_behind_it(self) -> None:
        game = played_script("draw [one]\nmove m1-1 0202\ndone\n", hills(FAR))
        digests = [entry.digest for entry in game.log.entries]
        game.undo()
        assert game.digest == digests[1]
        game.undo()
        assert game.digest == digests[0]
        assert game.why_not("undo") is not None


@pytest.mark.parametrize("seed", range(6))
def test_games_are_told_alike_by_log_script_and_resumed_game(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "game.jsonl"
    game = Game(hills(), seed)
    game.record(path, durable=False)
    play_out(game).close()
    data = path.read_bytes()
    assert game.decision is None and game.log.to_bytes() == data
    again = replay(path, find, verify=True)
    assert (again.digest, again.position.streams) == (game.digest, game.position.streams)
    script = tmp_path / "game.txt"
    script.write_text(to_script(again.log), encoding="utf-8")
    assert replay(script, find, verify=True).log.to_bytes() == data
    lines = data.splitlines(keepends=True)
    for number in range(1, len(lines), 7):
        path.write_bytes(b"".join(lines[:number]))
        resumed = resume(path, find, durable=False)
        play_out(resumed).close()
        assert path.read_bytes() == data


@pytest.mark.parametrize("seed", range(4))
def test_a_sandbox_goes_back_to_the_start_of_any_game(seed: int) -> None:
    game = Game(hills(), seed, sandbox=True)
    behind = []
    while game.decision is not None:
        behind.append((game.by, game.state(), list(game.position.streams)))
        game.play(choose(game))
    while game.why_not("undo") is None:
        by = game.by
        game.undo()
        own = [number for number, (side, _, _) in enumerate(behind) if side == by]
        del behind[(own[-1] if own else len(behind) - 1) + 1 :]
        _, state, streams = behind.pop()
        assert (game.state(), game.position.streams) == (state, streams)
    assert not behind
