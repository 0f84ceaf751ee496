"""Which commands there are, and the help that lists them.

Scripts and people ask for it again and again, so it is shown without the libraries that commands need:
loading them takes longer than everything else.
"""

from __future__ import annotations

import os
import sys

HELP_WIDEST, HELP_NARROWEST = 80, 24
"""Cells that help may take."""

PURPOSE = "Hex-and-counter wargames by the book: play, replay, and batches overnight."

COMMANDS = {
    "list": ("listing", "list_", "Scenarios and rule systems."),
    "play": ("play", "play", "Play a scenario at the terminal, or go on with a saved game."),
    "watch": ("watch", "watch", "Let two players play on the board."),
    "replay": ("replay", "replay", "Replay a log or a script, step by step or at once."),
    "batch": ("batch", "batch", "Play many games and store their results."),
    "report": ("batch", "report", "What a batch has shown."),
    "balance": ("balance", "balance", "Measure how even a scenario is, and what decides it."),
    "arena": ("arena", "arena", "Rate players, or find out whether one is better than another."),
    "show": ("show", "show", "The board of a scenario, or of a log at any entry."),
    "los": ("show", "los", "A line of sight, explained."),
    "odds": ("chances", "odds", "Exact chances of what an order may bring."),
    "check": ("check", "check", "Check scenarios, data, logs and scripts for faults."),
    "rules": ("rules", "rules", "The rules that are played, and what stands behind them."),
    "perft": ("chances", "perft", "Exact counts of everything that can happen."),
    "schema": ("listing", "schema", "The JSON Schema of a file format."),
}
"""By name: the module of each command, what it is called there, and what the list of commands says of it."""


def help_width() -> int:
    """Cells from edge to edge for help: those of the terminal, within bounds."""
    try:
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size(1).columns)
    except (ValueError, OSError):
        columns = HELP_WIDEST
    return max(HELP_NARROWEST, min(HELP_WIDEST, columns))


def overview() -> str:
    """The help of the program as a whole, for terminals of full width."""
    rows = "".join(f"  {name:<7}  {text}\n" for name, (_, _, text) in COMMANDS.items())
    return (
        f"Usage: {os.path.basename(sys.argv[0])} [OPTIONS] COMMAND [ARGS]...\n\n"  # noqa: PTH119  pathlib loads long
        f"  {PURPOSE}\n\n"
        "Options:\n"
        "  --version   Show the version and exit.\n"
        "  -h, --help  Show this message and exit.\n\n"
        f"Commands:\n{rows}"
    )
