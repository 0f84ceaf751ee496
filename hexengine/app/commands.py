"""The command line: which commands there are, each loaded when it is called, and how it ends.

Nothing here loads a game, a board or a table, so that help and usage errors come at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from hexengine import __version__

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: done; what was asked failed; wrong usage or a file with faults; interrupted."""


HELP_WIDEST, HELP_NARROWEST = 80, 24

COMMANDS = {
    "list": ("listing", "list_", "Scenarios and rule systems."),
    "play": ("play", "play", "Play a scenario at the terminal, or go on with a saved game."),
    "watch": ("watch", "watch", "Let two players play on the board."),
    "replay": ("replay", "replay", "Replay a log or a script, step by step or at once."),
    "batch": ("batch", "batch", "Play many games and store their results."),
    "report": ("batch", "report", "What a batch has shown."),
    "show": ("show", "show", "The board of a scenario, or of a log at any entry."),
    "los": ("show", "los", "A line of sight, explained."),
    "odds": ("chances", "odds", "Exact chances of what an order may bring."),
    "check": ("check", "check", "Check scenarios, data, logs and scripts for faults."),
    "rules": ("rules", "rules", "The rules that are played, and what stands behind them."),
    "perft": ("chances", "perft", "Exact counts of everything that can happen."),
    "schema": ("listing", "schema", "The JSON Schema of a file format."),
}
"""By name: the module of each command, what it is called there, and what the list of commands says of it."""


class Commands(click.Group):
    """The group of all commands; it turns every failure into a message and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command, with the module it is in."""
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"hexengine.app.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As the group does, with a suggestion for a word that is no command."""
        word = args[0]
        if word not in COMMANDS and not word.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(word[:40], COMMANDS, 1)
            advice = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(COMMANDS)}"
            ctx.fail(f"there is no command {word[:40]!r}; {advice}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in COMMANDS.items()])

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Run, and exit with a code; see hexengine.app.main."""
        from hexengine.app import failures

        extra["standalone_mode"] = False
        extra.setdefault("terminal_width", _help_width())
        sys.exit(failures.guarded(lambda: super(Commands, self).main(args, prog_name, **extra)))


def _help_width() -> int:
    """Cells for help; found out here because the library that click asks takes long to load."""
    try:
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size(1).columns)
    except (ValueError, OSError):
        columns = HELP_WIDEST
    return max(HELP_NARROWEST, min(HELP_WIDEST, columns)) - 2


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hexengine", message="%(prog)s %(version)s")
def commands() -> None:
    """Hex-and-counter wargames by the book: play, replay, and batches overnight."""
