"""Pictures overwrite pictures, and nothing else."""

import pytest

from tests.app.conftest import Run


@pytest.mark.parametrize("name", ["board.svg", "board.png", "board"])
def test_a_picture_takes_the_place_of_a_picture(run: Run, tmp_path, name):
    for _ in range(2):
        assert run("show", "crossroads", "--svg", tmp_path / name).exit_code == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith("<svg")


def test_an_empty_file_is_nothing_to_lose(run: Run, tmp_path):
    (tmp_path / "board.svg").touch()
    assert run("show", "crossroads", "--svg", tmp_path / "board.svg").exit_code == 0


@pytest.mark.parametrize("content", ['{"format":2}\n', 'system = "platoon"\n', " <svg", "\x00\x01"])
def test_nothing_else_is_overwritten(run: Run, tmp_path, content):
    path = tmp_path / "game.jsonl"
    path.write_text(content, encoding="utf-8")
    result = run("show", "crossroads", "--svg", path)
    assert result.exit_code == 2
    assert "exists already and is no picture" in result.stderr
    assert path.read_text(encoding="utf-8") == content


def test_the_log_of_an_open_game_is_safe(run: Run, tmp_path):
    log = tmp_path / "game.jsonl"
    run("play", "crossroads", "--opponent", "none", "--log", log, typed="draw\n")
    before = log.read_bytes()
    assert run("show", log, "--svg", log).exit_code == 2
    assert log.read_bytes() == before
