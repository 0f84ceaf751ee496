"""The commands of hexengine; ``main`` is what the ``hexengine`` script runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that the arguments name (default: those of the process), and exit with its code.

    Exit codes: 0 done; 1 what was asked failed; 2 wrong usage or a file with faults; 130 interrupted.
    """
    _open_what_is_closed()
    words = sys.argv[1:] if arguments is None else list(arguments)
    shown = _at_once(words)
    if shown is not None:
        try:
            sys.stdout.write(shown)
            sys.stdout.flush()
        except OSError:  # whoever asked has gone
            os._exit(1)
        return
    try:
        from hexengine.app.commands import commands

        commands.main(arguments)
    except KeyboardInterrupt:
        sys.exit(130)


def _at_once(words: list[str]) -> str | None:
    """What is answered without loading any command; None if one is needed."""
    if words == ["--version"]:
        from hexengine import __version__

        return f"hexengine {__version__}\n"
    if words in (["--help"], ["-h"]):
        from hexengine.app.overview import HELP_WIDEST, help_width, overview

        return overview() if help_width() == HELP_WIDEST else None
    return None


def _open_what_is_closed() -> None:
    """A stream that the process was started without is one that holds nothing and takes everything."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123  kept to the end
