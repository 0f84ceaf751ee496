"""The commands of hexengine; ``main`` is what the ``hexengine`` script runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that the arguments name (default: those of the process), and exit with its code.

    Exit codes: 0 done; 1 what was asked failed; 2 wrong usage or a file with faults; 130 interrupted.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words == ["--version"]:  # asked by scripts again and again, and needs no command at all
        from hexengine import __version__

        sys.stdout.write(f"hexengine {__version__}\n")
        return
    try:
        from hexengine.app.commands import commands

        commands.main(arguments)
    except KeyboardInterrupt:
        sys.exit(130)
