"""From whatever goes wrong to one readable message and an exit code."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TextIO

import click

from hexengine.app.exits import DONE, FAILED, INTERRUPTED, WRONG
from hexengine.core.errors import why

PLAIN = {"½": ".5", "…": "...", "→": "->", "–": "-", "—": "-", "•": "*", "▪": "*", "▫": "-", "·": "."}
"""What stands in for signs that the encoding of a stream lacks; all others become question marks."""

ERRORS = "hexengine-plain"


def plain(error: UnicodeError) -> tuple[str, int]:
    """The stand-ins for what cannot be encoded, as codecs want them."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join([PLAIN.get(sign, "?") for sign in missing]), error.end


def prepare(*streams: TextIO) -> None:
    """Make streams write whatever they are given, in the signs that they have."""
    codecs.register_error(ERRORS, plain)
    for stream in streams:
        with suppress(AttributeError, ValueError, OSError):
            stream.reconfigure(errors=ERRORS)  # type: ignore[attr-defined]


def guarded(action: Callable[[], Any]) -> int:
    """Run an action and return its exit code; every failure that is foreseen has been told by then."""
    prepare(sys.stdout, sys.stderr)
    code = _outcome(action)
    try:
        sys.stdout.flush()  # what waits in the buffer may fail, too
    except BrokenPipeError:
        code = _nobody_listens(sys.stdout)
    except OSError as error:
        tell(why(error))
        code = _nobody_listens(sys.stdout)
    try:
        sys.stderr.flush()
    except OSError:
        _nobody_listens(sys.stderr)
    return code


def in_words(error: Exception) -> str:
    """What went wrong, without the numbers and quotes of the system's errors."""
    if not isinstance(error, OSError):
        return str(error)
    return ": ".join(str(part) for part in (error.filename, why(error)) if part)


def _outcome(action: Callable[[], Any]) -> int:
    try:
        result = action()
    except BrokenPipeError:
        return _nobody_listens(sys.stdout)
    except (KeyboardInterrupt, click.Abort):
        tell("interrupted")
        return INTERRUPTED
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        return WRONG if error.exit_code == 1 else error.exit_code
    except OSError as error:
        tell(in_words(error))
        return FAILED
    except Exception as error:
        code = code_of(error)
        if code is None:
            raise
        tell(str(error))
        return code
    return result if isinstance(result, int) else DONE


def code_of(error: Exception) -> int | None:
    """The exit code of an error: 1 for what the game refuses or a record does not hold, 2 for others that
    are foreseen, None for a fault of the program."""
    from hexengine.core.errors import ChanceError, HexEngineError, IllegalOrder, ReplayDivergence
    from hexengine.record.script import ScriptError

    if isinstance(error, IllegalOrder | ChanceError | ReplayDivergence | ScriptError):
        return FAILED
    return WRONG if isinstance(error, HexEngineError) else None


def tell(message: str) -> None:
    """A message for people, where it does not disturb what is written for programs."""
    with suppress(OSError, ValueError):
        click.echo(message, err=True)


def _nobody_listens(stream: TextIO) -> int:
    """The reader of an output has gone: what is left is written nowhere."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
    return FAILED
