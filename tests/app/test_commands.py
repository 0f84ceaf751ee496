"""The command line as a whole: what is loaded, what help says, which codes failures end with."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress

import click
import pytest

from hexengine import __version__
from hexengine.app import failures, main
from hexengine.app.commands import COMMANDS, commands
from hexengine.core.errors import ChanceError, ContentError, HexEngineError, Problem, ReplayDivergence
from tests.app.conftest import ROOT, Run

HEAVY = ("numpy", "networkx", "rich", "msgspec", "readline", "sqlite3", "hexengine.record.game")


def modules_after(*arguments: str) -> set[str]:
    """The modules that a process has loaded when a command is done."""
    code = (
        "import sys\n"
        "from hexengine.app import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["nonsense"]])
def test_nothing_heavy_is_loaded_before_a_command_runs(arguments):
    assert not modules_after(*arguments) & set(HEAVY)


@pytest.mark.parametrize("question", ["--version", "--help", "-h"])
def test_version_and_help_need_no_command_at_all(question):
    assert "click" not in modules_after(question)


@pytest.mark.parametrize("columns", [None, "200", "80", "79", "30"])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_that_is_shown_at_once_is_that_of_the_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: str | None, option: str
):
    monkeypatch.setattr(sys, "argv", ["/somewhere/hexengine"])
    monkeypatch.setattr(sys.modules["__main__"], "__package__", "", raising=False)
    if columns is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", columns)
    with pytest.raises(SystemExit) as ended:
        commands.main([option])
    assert ended.value.code == 0
    expected = capsys.readouterr().out
    assert expected.startswith("Usage: hexengine ")
    with suppress(SystemExit):
        main([option])
    assert capsys.readouterr().out == expected


def test_a_board_is_drawn_without_graphs_and_arrays():
    assert not modules_after("show", "crossroads") & {"networkx", "numpy"}


def test_help_of_one_command_loads_no_other():
    assert not {"hexengine.app.play", "hexengine.lab"} & modules_after("show", "--help")


def test_the_version_is_that_of_the_package(run: Run):
    assert run("--version").stdout == f"hexengine {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_where_the_table_says_and_has_help(run: Run, name):
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    assert command.name == name
    result = run(name, "--help")
    assert result.exit_code == 0
    assert command.help.split("\n")[0].rstrip(".") in " ".join(result.stdout.split())


def test_help_lists_every_command_in_order(run: Run):
    shown = run("--help").stdout.partition("Commands:")[2]
    assert [line.split()[0] for line in shown.splitlines() if line[:3] == "  " + line[2:3].strip()] == list(
        COMMANDS
    )


def test_a_word_that_is_no_command_gets_a_suggestion(run: Run):
    result = run("shwo")
    assert result.exit_code == 2
    assert "did you mean 'show'?" in result.stderr


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ChanceError("dice"), 1),
        (ReplayDivergence(3, "a", "b", None), 1),
        (ContentError([Problem("x.toml", 1, 2, "bad")]), 2),
        (HexEngineError("other"), 2),
        (click.UsageError("wrong"), 2),
        (click.FileError("x", "gone"), 2),
        (OSError(28, "No space left on device"), 1),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
    ],
)
def test_failures_end_with_their_code_and_one_message(capsys, error, code):
    def fail():
        raise error

    assert failures.guarded(fail) == code
    assert capsys.readouterr().err.strip()


def test_a_fault_of_the_program_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        failures.guarded(lambda: 1 // 0)


@pytest.mark.parametrize(
    ("given", "shown"), [("3½ MP", "3.5 MP"), ("a→b …", "a->b ..."), ("Ж", "?"), ("½→Ж", ".5->?")]
)
def test_signs_that_an_encoding_lacks_have_stand_ins(given, shown):
    failures.prepare()
    assert given.encode("ascii", failures.ERRORS).decode() == shown


def test_help_says_what_options_are_by_default():
    options = [
        (name, option)
        for name in commands.list_commands(None)
        for option in commands.get_command(None, name).params
        if type(getattr(option, "default", None)) in (int, float)
    ]
    assert {name for name, _ in options} >= {"balance", "arena"}
    for name, option in options:
        assert f"by default {option.default}" in option.help, f"{name} {option.opts[-1]}"
