"""The command line: which commands there are, each loaded when it is called, and how it ends.

Nothing here loads a game, a board or a table, so that help and usage errors come at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from hexengine import __version__
from hexengine.app.overview import COMMANDS, PURPOSE, help_width


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
        extra.setdefault("terminal_width", help_width() - 2)
        sys.exit(failures.guarded(lambda: super(Commands, self).main(args, prog_name, **extra)))


@click.group(cls=Commands, help=PURPOSE, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hexengine", message="%(prog)s %(version)s")
def commands() -> None:
    """All commands together."""
