"""Exact counts of everything that can happen: the sharpest test of rules there is.

A ply is one order with one distinct answer to what it asks of the dice or the cup.  From a
position every sequence of plies up to a depth is walked, and the tree is reported in five
columns; a changed rule moves at least one of them, and ``hits`` tells which rule it was.

Positions are merged where their digests agree, ply by ply, so the work grows with the distinct
positions and not with the sequences; nothing is recursive, and any depth is allowed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from hexengine.core.odds import Branch, branches
from hexengine.testing.hooks import candidates

if TYPE_CHECKING:
    from hexengine.core.game import Game
    from hexengine.core.orders import Order
    from hexengine.core.position import Position

Orders = Callable[["Position"], Iterable["Order"]]
"""How a walk gets the legal orders of a position."""

_WRAP = 1 << 64


class Perft(NamedTuple):
    """The columns of a tree.

    ``leaves``: sequences of plies, those that end earlier because the game does included;
    ``ends``: leaves that are finished games; ``hits``: how many events of each rule stand on all
    plies of the tree; ``expect``: how many of them a game meets on average where each legal order
    is equally likely and chance is as it is; ``digest``: the digests of all leaves added modulo
    2**64, in 16 hexadecimal digits, whatever their order; ``mass``: the probability of all leaves
    together, 1 for a whole tree.
    """

    depth: int
    leaves: int
    ends: int
    hits: dict[str, int]
    expect: dict[str, Fraction]
    digest: str
    mass: Fraction

    def json(self) -> dict[str, Any]:
        """The columns as JSON values; fractions are texts such as ``"8/3"``."""
        return {
            "depth": self.depth,
            "leaves": self.leaves,
            "ends": self.ends,
            "hits": self.hits,
            "expect": {rule: str(value) for rule, value in self.expect.items()},
            "digest": self.digest,
            "mass": str(self.mass),
        }


class _Node:
    """A position of one ply: how many sequences lead to it, and with what probability together."""

    __slots__ = ("mass", "position", "ways")

    def __init__(self, position: Position, ways: int, mass: Fraction) -> None:
        self.position = position
        self.ways = ways
        self.mass = mass


class _Tally:
    """The columns while they grow."""

    def __init__(self) -> None:
        self.leaves = 0
        self.ends = 0
        self.digest = 0
        self.mass = Fraction(0)
        self.hits: Counter[str] = Counter()
        self.expect: dict[str, Fraction] = {}

    def happened(self, branch: Branch, ways: int, mass: Fraction) -> None:
        """Count the events of one ply."""
        for rule, number in Counter(event.rule for event in branch.events).items():
            self.hits[rule] += ways * number
            self.expect[rule] = self.expect.get(rule, Fraction(0)) + mass * number

    def leaf(self, key: str, node: _Node) -> None:
        """Count a leaf."""
        self.leaves += node.ways
        self.digest += node.ways * int(key, 16)
        self.mass += node.mass
        if not node.position.frames:
            self.ends += node.ways

    def result(self, depth: int) -> Perft:
        return Perft(
            depth,
            self.leaves,
            self.ends,
            {rule: self.hits[rule] for rule in sorted(self.hits)},
            {rule: self.expect[rule] for rule in sorted(self.expect)},
            f"{self.digest % _WRAP:016x}",
            self.mass,
        )


def legal(pos: Position) -> list[Order]:
    """The legal orders of a position, as the rules list them."""
    frame = pos.frames[-1]
    return [order for actor in frame.actors(pos) for order in frame.orders(pos, actor)]


def by_brute_force(game: Game) -> Orders:
    """Legal orders by another way: all orders there can be, filtered by the judge.

    Raises NotImplementedError if the system offers no ``candidates``.
    """

    def orders(pos: Position) -> list[Order]:
        frame = pos.frames[-1]
        every = candidates(game.system, pos)
        if every is None:
            raise NotImplementedError(f"the system {game.system.name!r} offers no candidates")
        bare = pos.copy()  # with nothing that was worked out before: the judge judges for himself
        return [order for order in every if frame.check(bare, order) is None]

    return orders


def _merge(layer: dict[str, _Node], branch: Branch, ways: int, mass: Fraction) -> None:
    key = branch.position.digest()
    node = layer.get(key)
    if node is None:
        layer[key] = _Node(branch.position, ways, mass)
    else:
        node.ways += ways
        node.mass += mass


def _grow(layer: dict[str, _Node], tally: _Tally, orders: Orders) -> dict[str, _Node]:
    """The layer one ply deeper; finished games are counted and left behind."""
    deeper: dict[str, _Node] = {}
    for key, node in layer.items():
        if not node.position.frames:
            tally.leaf(key, node)
            continue
        choices = list(orders(node.position))
        share = node.mass / len(choices)
        for order in choices:
            for branch in branches(node.position, order, events=True):
                mass = share * branch.probability
                tally.happened(branch, node.ways, mass)
                _merge(deeper, branch, node.ways, mass)
    return deeper


def _walk(layer: dict[str, _Node], plies: int, tally: _Tally, orders: Orders) -> None:
    for _ in range(plies):
        if not layer:
            return
        layer = _grow(layer, tally, orders)
    for key, node in layer.items():
        tally.leaf(key, node)


def perft(game: Game, depth: int, *, orders: Orders = legal) -> Perft:
    """Count the tree below a game's position; the game itself is not touched.

    ``orders`` says where legal orders come from, see :func:`by_brute_force`.  Raises ValueError
    for a negative depth.
    """
    if depth < 0:
        raise ValueError(f"a depth is 0 or more, not {depth}")
    pos = game.position
    tally = _Tally()
    _walk({pos.digest(): _Node(pos, 1, Fraction(1))}, depth, tally, orders)
    return tally.result(depth)


def divide(game: Game, depth: int, *, orders: Orders = legal) -> list[tuple[str, Perft]]:
    """The tree split by its first ply: the order's text, with chance's answers in brackets.

    Every row is a share of the whole: leaves, ends, hits, expectations and probabilities add up
    to those of :func:`perft`, and so do the digests modulo 2**64.  Raises ValueError for a depth
    below 1.
    """
    if depth < 1:
        raise ValueError(f"a depth to divide is 1 or more, not {depth}")
    pos = game.position
    if not pos.frames:
        return []
    rows: list[tuple[str, Perft]] = []
    choices = list(orders(pos))
    for order in choices:
        for branch in branches(pos, order, events=True):
            mass = branch.probability / len(choices)
            tally = _Tally()
            tally.happened(branch, 1, mass)
            layer: dict[str, _Node] = {}
            _merge(layer, branch, 1, mass)
            _walk(layer, depth - 1, tally, orders)
            answers = f" [{', '.join(branch.answers)}]" if branch.answers else ""
            rows.append((f"{order}{answers}", tally.result(depth)))
    return rows
