"""Trees counted from a model of a game in place of its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from hexengine.core.game import Game
from hexengine.testing.perft import perft
from tests.perft.loading import load

State = TypeVar("State", bound=Hashable)
Answers = Callable[[State], Iterable[State]]


def count(begin: State, answers: Answers[State], over: State, depth: int) -> tuple[int, int]:
    """Leaves and ends of the tree: each state with what may come of it, as often as it may."""
    ends, layer = 0, Counter({begin: 1})
    for _ in range(depth):
        deeper: Counter[State] = Counter()
        for one, ways in layer.items():
            for after in answers(one):
                deeper[after] += ways
        ends += deeper.pop(over, 0)
        layer = deeper
    return ends + layer.total(), ends


def agree(name: str, begin: State, answers: Answers[State], over: State, whole: tuple[int, int]) -> None:
    """The model and the rules count alike at every depth; ``whole``: that of the last end, and all games."""
    depth, leaves = whole
    assert count(begin, answers, over, depth) == (leaves, leaves)
    assert count(begin, answers, over, depth - 1)[1] < leaves
    for plies in range(depth + 1):
        got = perft(Game(load(name)), plies)
        assert (got.leaves, got.ends) == count(begin, answers, over, plies), plies
