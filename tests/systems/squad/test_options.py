"""Games with every option of the rules turned the other way: they end, and keep what must hold."""

import msgspec
import pytest

from hexengine.content.loader import loads
from hexengine.core.game import Game
from hexengine.systems.squad.scenario.format import Options
from hexengine.testing.playing import chooser, steps
from tests.scenarios.shipped import scenario
from tests.systems.squad.test_documents import OTHERS

DEFAULTS = {field.name: field.default for field in msgspec.structs.fields(Options)}


def other(name):
    value = OTHERS.get(name, not DEFAULTS[name])
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize("names", [*([name] for name in DEFAULTS), list(DEFAULTS)], ids="-".join)
def test_random_games_end_and_keep_every_invariant(names):
    lines = "\n".join(f"{name} = {other(name)}" for name in names)
    text = scenario("bunker-line").source.replace("[map]", f"[options]\n{lines}\n\n[map]", 1)
    for seed in range(2):
        game = Game(loads(text, "options"), seed)
        for _ in steps(game, chooser(seed)):
            game.system.invariants(game.position)
        assert game.result is not None
