"""hexengine: hex-and-counter wargames by the book.

Everything that programs need is here; each name is loaded when it is first used, so that
``import hexengine`` costs next to nothing::

    import hexengine as hx

    scenario = hx.load("crossroads")
    game = hx.Game(scenario, seed=1985)
    officers = {side: hx.player("officer", seed=1985) for side in scenario.sides}
    while game.decision:
        game.play(officers[game.decision.side].choose(game))
    print(game.result, game.digest)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from hexengine.batches import batch
    from hexengine.content.loader import load, loads
    from hexengine.core.errors import (
        AmbiguousOrder,
        ChanceError,
        ContentError,
        GameOver,
        HexEngineError,
        IllegalOrder,
        InvalidOrder,
        Problem,
        Refusal,
        ReplayDivergence,
    )
    from hexengine.core.scenario import Scenario
    from hexengine.players import player
    from hexengine.record.game import Game
    from hexengine.saved import replay, resume
    from hexengine.testing.perft import perft

_HOMES = {
    "load": "hexengine.content.loader",
    "loads": "hexengine.content.loader",
    "replay": "hexengine.saved",
    "resume": "hexengine.saved",
    "Scenario": "hexengine.core.scenario",
    "Game": "hexengine.record.game",
    "player": "hexengine.players",
    "batch": "hexengine.batches",
    "perft": "hexengine.testing.perft",
    **dict.fromkeys(
        (
            "AmbiguousOrder",
            "ChanceError",
            "ContentError",
            "GameOver",
            "HexEngineError",
            "IllegalOrder",
            "InvalidOrder",
            "Problem",
            "Refusal",
            "ReplayDivergence",
        ),
        "hexengine.core.errors",
    ),
}

__all__ = [
    "AmbiguousOrder",
    "ChanceError",
    "ContentError",
    "Game",
    "GameOver",
    "HexEngineError",
    "IllegalOrder",
    "InvalidOrder",
    "Problem",
    "Refusal",
    "ReplayDivergence",
    "Scenario",
    "__version__",
    "batch",
    "load",
    "loads",
    "perft",
    "player",
    "replay",
    "resume",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
