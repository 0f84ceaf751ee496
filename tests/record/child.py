"""Games in a process of their own: ``python -m tests.record.child WORK ARGS``.

    play FILE SEED     begin a game in FILE and play it to its end
    go-on FILE         go on with the game in FILE to its end
    go-on-all FOLDER   the same for every log in a folder

The first two print the number of every order as soon as it is done.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hexengine.record.game import Game
from hexengine.record.session import resume
from tests.record.helpers import choose, find, long_scenario, play_out


def main(work: str, file: str, seed: str = "0") -> None:
    if work == "go-on-all":
        for path in sorted(Path(file).iterdir()):
            play_out(resume(path, find, durable=False)).close()
        return
    if work == "play":
        game = Game(long_scenario(), int(seed), players=("one", "two"))
        game.record(file)
    else:
        game = resume(file, find)
    print("ready", flush=True)
    while game.decision is not None:
        game.play(choose(game))
        print(game.entry, flush=True)
    game.close()
    print("end", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
