"""One game between players: a pure function of the scenario, the players and the seed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, NamedTuple

from hexengine.core import game as core
from hexengine.lab.course import CounterLosses, Course, Witness, losses
from hexengine.lab.errors import GameFailed
from hexengine.players import Player, player
from hexengine.players.driver import Driver, Fault, in_words
from hexengine.record.game import Game

if TYPE_CHECKING:
    from hexengine.core.scenario import Scenario

MAX_ORDERS = 20_000
"""Orders after which a game is broken off as a draw; real games end long before."""

STALEMATE = "stalemate"
"""The reason of a game that was broken off."""


class Losses(NamedTuple):
    """What a side lost in a game, over all counters of the scenario: steps, and units wholly."""

    steps: int
    units: int


class GameResult(NamedTuple):
    """How a game ended.

    ``winner`` is a side, or None for a draw; ``reason`` a code of the rule system, or ``stalemate``.
    ``margin`` is the lead in points.  ``score`` and ``losses`` are by side; ``digest`` is that of the last
    position; ``log`` the game's log as a file holds it and ``course`` how it went, if these were wanted.
    ``number`` is that of the game in its batch, 0 outside of one.
    """

    number: int
    seed: int
    players: dict[str, str]
    swapped: bool
    winner: str | None
    reason: str
    margin: int
    score: dict[str, int]
    turns: int
    orders: int
    digest: str
    losses: dict[str, Losses]
    faults: tuple[Fault, ...] = ()
    log: bytes | None = None
    course: Course | None = None

    def as_json(self) -> dict[str, Any]:
        """The result as ``batch --json`` gives it; ``faults`` is there only if a player failed."""
        document: dict[str, Any] = {
            "seed": self.seed,
            "players": self.players,
            "winner": self.winner,
            "score": self.score,
            "turns": self.turns,
            "orders": self.orders,
            "digest": self.digest,
        }
        if self.faults:
            document["faults"] = [fault._asdict() for fault in self.faults]
        return document


def score_of(result: GameResult, side: str) -> float:
    """1 for a game that the side won, a half for a draw, 0 for a loss."""
    return 0.5 if result.winner is None else float(result.winner == side)


def play_game(
    scenario: Scenario,
    players: Mapping[str, str],
    seed: int,
    max_orders: int = MAX_ORDERS,
    *,
    log: bool = False,
    budget: float | None = None,
    course: bool = False,
) -> GameResult:
    """Play a game to its end, or for ``max_orders`` orders, after which it is a draw by stalemate.

    ``players`` names who plays which side.  A player that raises an error, gives what is no legal order or
    thinks longer than ``budget`` seconds for one (None: no limit) is replaced by ``random`` from there on,
    and the result has a :class:`Fault`.  With ``course`` the result says how the game went, turn by turn.

    Raises UnknownPlayer or BrokenPlayer where a player cannot be made, and GameFailed where the rules
    themselves break.
    """
    seats = {side: player(players[side], seed) for side in scenario.sides}
    game: core.Game
    if log:
        game = Game(scenario, seed, players=dict(players), events=False)
    else:
        game = core.Game(scenario, seed, events=False)
    table = _Table(game, dict(players), seats, budget)
    witness = Witness(game) if course else None
    try:
        table.run(max_orders, witness, digests=log)
        result = table.result(seed)
        return result if witness is None else result._replace(course=witness.course())
    except Exception as error:
        raise GameFailed(table.broken(seed, error)) from error


def _together(lost: Collection[CounterLosses]) -> Losses:
    return Losses(sum(one.steps for one in lost), sum(one.units for one in lost))


class _Table:
    """A game and who sits around it."""

    __slots__ = ("driver", "game", "players")

    def __init__(
        self, game: core.Game, players: dict[str, str], seats: dict[str, Player], budget: float | None
    ) -> None:
        self.game = game
        self.players = players
        self.driver = Driver(game, seats, players, budget=budget)

    def run(self, max_orders: int, witness: Witness | None, *, digests: bool) -> None:
        game, play = self.game, self.driver.play
        while game.decision is not None and game.entry < max_orders:
            play()
            if witness is not None:
                witness.look()
            if digests:
                game.digest  # noqa: B018 - the log keeps it: now it costs one digest, later a replay

    def result(self, seed: int) -> GameResult:
        game = self.game
        state = game.state()
        end = state["result"]
        score: dict[str, int] = state["score"]
        return GameResult(
            number=0,
            seed=seed,
            players=self.players,
            swapped=False,
            winner=end["winner"] if end else None,
            reason=end["reason"] if end else STALEMATE,
            margin=end["margin"] if end else max(score.values()) - min(score.values()),
            score=score,
            turns=state["turn"],
            orders=game.entry,
            digest=game.digest,
            losses={side: _together(by_name.values()) for side, by_name in losses(game).items()},
            faults=tuple(self.driver.faults),
            log=game.log.to_bytes() if isinstance(game, Game) else None,
        )

    def broken(self, seed: int, error: Exception) -> str:
        """What to know to see a failure again."""
        game = self.game
        place = extract_tb(error.__traceback__)[-1]
        order = f" with {self.driver.order}" if self.driver.order is not None else ""
        names = ", ".join(self.players.values())
        where = f"{Path(place.filename).name}:{place.lineno}"
        return (
            f"{game.scenario.name}, seed {seed}, players {names}: entry {game.entry + 1}{order} broke at "
            f"{where}: {in_words(error)}"
        )
