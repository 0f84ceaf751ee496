"""The game that docs/playing.md walks through: played again, and written into the page.

The page holds one session in pieces. A ``console`` block with a command (``$ hexengine ...``) begins it and
shows what comes before the first prompt; the other ``console`` blocks are prompts with what was typed there,
and the answers. After a change that alters what is shown::

    python -m tests.docs.recording

plays the same orders again and rewrites the blocks, and so it does with what docs/writing-scenarios.md shows
(see measured.py). Read the pages afterwards: the words between the blocks may no longer fit.
"""

import re

from tests.docs import measured
from tests.docs.pages import DOCS
from tests.docs.program import run

PAGE = DOCS / "playing.md"

_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ hexengine (.*)$", re.MULTILINE)
_PROMPT = re.compile(r"^\[\d+\] [\w+.-]+ [\w-]+> ?(.*)$", re.MULTILINE)


def blocks_of_the_game(page):
    """Matches of the console blocks that belong to the session, the command first."""
    found = [
        block for block in _CONSOLE.finditer(page) if _COMMAND.match(block[1]) or _PROMPT.match(block[1])
    ]
    starts = [block for block in found if _COMMAND.match(block[1])]
    assert starts == found[:1], "one session, which begins with its command"
    return found


def recorded(page):
    """The page with the game played anew: every piece of it as the program shows it now."""
    found = blocks_of_the_game(page)
    command = _COMMAND.match(found[0][1])[1]
    typed = [prompt[1] for block in found[1:] for prompt in _PROMPT.finditer(block[1])]
    shown = run(command, typed)
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
    for page, anew in ((PAGE, recorded), (measured.PAGE, measured.recorded)):
        page.write_text(anew(page.read_text(encoding="utf-8")), encoding="utf-8")
