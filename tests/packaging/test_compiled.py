"""The compiled build plays the same games.  It takes minutes and a C compiler: only with HEXENGINE_LONG=1."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder

from tests.long import LONG

ROOT = Path(__file__).parents[2]
GAMES = """
import hexengine as hx
from hexengine.players import player

for name, seat, seeds in (("bench", "random", 20), ("ulster", "random", 5), ("duel", "officer", 3),
                          ("village", "random", 5), ("first-orders", "random", 5)):
    scenario = hx.load(name)
    for seed in range(seeds):
        game = hx.Game(scenario, seed, events=seed % 2 == 0)
        players = {side: player(seat, seed=seed) for side in scenario.sides}
        heard = 0
        while game.decision is not None:
            heard += len(game.play(players[game.decision.side].choose(game)))
        print(name, seed, game.entry, heard, game.digest, game.copy().digest)
"""


@pytest.mark.skipif(not LONG, reason="takes minutes: set HEXENGINE_LONG=1")
def test_the_same_games(tmp_path: Path) -> None:
    packed = next(SdistBuilder(str(ROOT)).build(directory=str(tmp_path)))
    venv.create(tmp_path / "venv", with_pip=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    building = {**os.environ, "HATCH_BUILD_HOOK_ENABLE_MYPYC": "1"}
    subprocess.run([python, "-m", "pip", "install", "-q", packed], check=True, env=building)
    apart = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    where = "import hexengine.core.position as module; print(module.__file__)"

    def told(program: str, script: str, **beside: str) -> str:
        done = subprocess.run(
            [program, "-c", script],
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
            env={**apart, **beside},
        )
        return done.stdout

    assert told(python, where).strip().endswith((".so", ".pyd"))
    assert told(python, GAMES) == told(sys.executable, GAMES, PYTHONPATH=str(ROOT))
