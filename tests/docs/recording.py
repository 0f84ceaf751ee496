"""The game that docs/playing.md walks through: played again, and written into the page.

The page holds one session in pieces. A ``console`` block with a command (``$ hexengine ...``) begins it and
shows what comes before the first prompt; the other ``console`` blocks are prompts with what was typed there,
and the answers. After a change that alters what is shown::

    python -m tests.docs.recording

plays the same orders again and rewrites the blocks. Read the page afterwards: the words between them may no
longer fit.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.docs.pages import DOCS

ROOT = Path(__file__).parents[2]
PAGE = DOCS / "playing.md"

_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ hexengine (.*)$", re.MULTILINE)
_PROMPT = re.compile(r"^\[\d+\] [\w+.-]+ [\w-]+> ?(.*)$", re.MULTILINE)
_PROGRAM = "import sys; sys.argv[0] = 'hexengine'; from hexengine.app import main; main()"


def blocks_of_the_game(page):
    """Matches of the console blocks that belong to the session, the command first."""
    found = [
        block for block in _CONSOLE.finditer(page) if _COMMAND.match(block[1]) or _PROMPT.match(block[1])
    ]
    starts = [block for block in found if _COMMAND.match(block[1])]
    assert starts == found[:1], "one session, which begins with its command"
    return found


def play(command, typed):
    """What the command shows when these lines are typed, on a terminal of 80 columns without colour."""
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, *command.split()],
            input="".join(f"{line}\n" for line in typed).encode(),
            capture_output=True,
            cwd=folder,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "PYTHONUTF8": "1",
                "COLUMNS": "80",
                "LANG": "C.UTF-8",
            },
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def recorded(page):
    """The page with the game played anew: every piece of it as the program shows it now."""
    found = blocks_of_the_game(page)
    command = _COMMAND.match(found[0][1])[1]
    typed = [prompt[1] for block in found[1:] for prompt in _PROMPT.finditer(block[1])]
    shown = play(command, typed)
    starts = [prompt.start() for prompt in _PROMPT.finditer(shown)]
    pieces = [shown[a:b] for a, b in zip([0, *starts], [*starts, len(shown)], strict=True)]
    assert len(pieces) >= len(typed) + 1, "every line that was typed has its prompt"
    text, end, next_piece = "", 0, 1
    for block in found:
        number = len(_PROMPT.findall(block[1]))
        if number:
            body = "".join(pieces[next_piece : next_piece + number])
            next_piece += number
        else:
            body = f"$ hexengine {command}\n{pieces[0]}"
        text += page[end : block.start(1)] + "".join(f"{line.rstrip()}\n" for line in body.splitlines())
        end = block.end(1)
    return text + page[end:]


if __name__ == "__main__":
    PAGE.write_text(recorded(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
