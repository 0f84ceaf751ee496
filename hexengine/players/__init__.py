"""Players: whoever answers a decision with an order; docs/writing-players.md shows how to make one.

``random`` chooses uniformly and is the yardstick; ``officer`` plays by rules of thumb and exact odds,
``recruit`` by fewer of them, and ``veteran`` looks ahead.  Others are found through the entry-point
group ``hexengine.players``: a name, and what makes a player from ``seed`` and options::

    [project.entry-points."hexengine.players"]
    cautious = "my_package.players:Cautious"

A player looks at the game it is handed and never changes it.  What it tries out it tries on
``game.imagined(seed)`` with a seed of its own, so that it learns nothing about the real dice.
Whatever it leaves to chance is a function of (seed, side, ``game.entry``), and it remembers
nothing that the position and the way to it do not tell: so a game that is resumed goes on alike.
What it keeps for its next order it keeps in ``game.notes``, and where that is empty it looks back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, overload

from hexengine.core.errors import BrokenPlayer, HexEngineError, UnknownPlayer
from hexengine.core.tactics import Candidate, Reason

if TYPE_CHECKING:
    from hexengine.core.game import Game
    from hexengine.core.orders import Order

BUILT_IN = {
    "officer": ("hexengine.players.officer", "Officer"),
    "random": ("hexengine.players.random", "Random"),
    "recruit": ("hexengine.players.recruit", "Recruit"),
    "veteran": ("hexengine.players.veteran", "Veteran"),
}
"""Players of this package: name, module and class."""

ENTRY_POINTS = "hexengine.players"

Factory = Callable[..., "Player"]
"""Makes a player; called with ``seed`` and the options by name."""


class Choice(NamedTuple):
    """What a player chose and why: ``candidates`` best first, ``reason`` a code."""

    order: Order
    candidates: tuple[Candidate, ...]
    reason: str


class Player(Protocol):
    """Answers the decisions of a game, for either side."""

    @property
    def name(self) -> str:
        """The name under which it is registered."""
        ...

    @overload
    def choose(self, game: Game, *, explain: Literal[False] = False) -> Order: ...
    @overload
    def choose(self, game: Game, *, explain: Literal[True]) -> Choice: ...
    def choose(self, game: Game, *, explain: bool = False) -> Order | Choice:
        """A legal order for the decision that is open; with ``explain`` also why.

        The game is not changed.  Raises GameOver if it is over.
        """
        ...


_registered: dict[str, Factory] = {}


def register(name: str, factory: Factory) -> None:
    """Make a player known to this process, as tests and notebooks need it."""
    _registered[name] = factory


def _built_in(module: str, attribute: str) -> Callable[[], Factory]:
    def load() -> Factory:
        factory: Factory = getattr(import_module(module), attribute)
        return factory

    return load


@cache
def _registry() -> dict[str, Callable[[], Factory]]:
    found = {name: _built_in(*place) for name, place in BUILT_IN.items()}
    for point in entry_points(group=ENTRY_POINTS):
        found.setdefault(point.name, point.load)
    return found


def shadowed() -> list[str]:
    """Players of other packages, as ``name = module:attribute``, that cannot be had: the name is taken."""
    taken = {name: ":".join(place) for name, place in BUILT_IN.items()}
    return [
        f"{point.name} = {point.value}"
        for point in entry_points(group=ENTRY_POINTS)
        if taken.setdefault(point.name, point.value) != point.value
    ]


def names() -> list[str]:
    """The names of all players, sorted."""
    return sorted({*_registered, *_registry()})


def player(name: str, seed: int = 0, **options: Any) -> Player:
    """The player of that name; raises UnknownPlayer, or BrokenPlayer where it does not load or begin."""
    try:
        return _factory(name)(seed=seed, **options)
    except HexEngineError:
        raise
    except Exception as error:
        raise BrokenPlayer(name, f"{type(error).__name__}: {error}") from error


def _factory(name: str) -> Factory:
    if name in _registered:
        return _registered[name]
    load = _registry().get(name)
    if load is None:
        raise UnknownPlayer(name, names())
    return load()


def ask(player: Player, game: Game) -> Order:
    """What a player orders in a game that is being played.

    It is handed what the side that decides may see of it.  A player that is not of this package gets
    a copy in any case, whose coming dice are others: what it tries out must not tell it the real ones,
    and nothing it plays there changes the real game.  (The board itself all games share.)
    """
    side = game.position.frames[-1].decider(game.position)
    if type(player).__module__.startswith(__name__):
        return player.choose(game.seen_by(side))
    imagined = blake2b(f"imagined/{game.seed}/{game.entry}".encode(), digest_size=7).digest()
    return player.choose(game.seen_by(side, int.from_bytes(imagined, "little")))


__all__ = ["Candidate", "Choice", "Player", "Reason", "ask", "names", "player", "register", "shadowed"]
