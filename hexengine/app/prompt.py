"""Lines that people type or pipe in: with completion at a terminal, bounded and echoed elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from hexengine.app.words import said

LONGEST_LINE = 4000

Completer = Callable[[str, str], list[str]]
"""From the line so far and its last word to what that word may become."""


class Prompt:
    """Reads one line after another; ``interactive`` says whether somebody types them."""

    def __init__(self, complete: Completer | None = None) -> None:
        self.interactive = bool(sys.stdin and sys.stdin.isatty() and sys.stdout.isatty())
        self._complete = complete
        self._found: list[str] = []
        with suppress(AttributeError, ValueError, OSError):
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
        if self.interactive and complete is not None:
            self._set_up()

    def _set_up(self) -> None:
        try:
            import readline
        except ImportError:  # not on every system
            return
        readline.set_completer_delims(" \t\n,")
        readline.set_completer(self._offer)
        editor = "bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete"
        readline.parse_and_bind(editor)

    def _offer(self, word: str, number: int) -> str | None:
        """What readline asks for, one offer after another."""
        if number == 0:
            import readline

            assert self._complete is not None
            found = self._complete(readline.get_line_buffer()[: readline.get_endidx()], word)
            self._found = [f"{name} " for name in found]
        return self._found[number] if number < len(self._found) else None

    def read(self, text: str) -> str | None:
        """The next line without its end, or None at the end of the input."""
        if self.interactive:
            try:
                return input(text)
            except EOFError:
                sys.stdout.write("\n")
                return None
        return self._piped(text)

    def _piped(self, text: str) -> str | None:
        sys.stdout.write(text)
        sys.stdout.flush()
        line = sys.stdin.readline(LONGEST_LINE) if sys.stdin else ""
        if not line:
            sys.stdout.write("\n")
            return None
        if not line.endswith("\n") and len(line) >= LONGEST_LINE:
            while (rest := sys.stdin.readline(LONGEST_LINE)) and not rest.endswith("\n"):
                pass
        line = line.rstrip("\r\n")
        sys.stdout.write("".join(c if c.isprintable() else "?" for c in line) + "\n")
        return line

    def agree(self, question: str) -> bool:
        """Whether somebody agrees; where nobody types, they do."""
        if not self.interactive:
            return True
        with _no_history():
            while (answer := self.read(f"{question} [Y/n] ")) is not None:
                word = answer.strip().lower()
                if word in ("", "y", "yes"):
                    return True
                if word in ("n", "no"):
                    return False
                sys.stdout.write(said("y for yes, n for no; an order comes after that") + "\n")
        return False


@contextmanager
def _no_history() -> Iterator[None]:
    """What is typed here is nothing to come back to with the arrow keys."""
    try:
        import readline
    except ImportError:  # not on every system
        yield
        return
    readline.set_auto_history(False)
    try:
        yield
    finally:
        readline.set_auto_history(True)
