"""What ``balance --json`` prints; docs/formats.md describes it."""

from __future__ import annotations

from itertools import chain
from statistics import fmean
from typing import Any

from hexengine.lab.balance import Balance
from hexengine.lab.decisive import Decisive
from hexengine.lab.gains import Yield
from hexengine.lab.play import score_of
from hexengine.lab.statistics import Share


def balance_document(found: Balance, decisive: Decisive, gained: Yield) -> dict[str, Any]:
    """Everything that was found, as plain JSON values; shares are in 0 to 1."""
    scenario, results = found.scenario, found.results
    first, second = scenario.sides
    return {
        "scenario": scenario.name,
        "sides": list(scenario.sides),
        "players": list(found.players),
        "seed": found.seed,
        "swap": found.swap,
        "target": found.target,
        "margin": found.margin,
        "games": found.games,
        "limit": found.limit,
        "looks": found.looks,
        "reached": found.reached,
        "verdict": {"even": "even", "first": first, "second": second}[found.verdict],
        "share": {"side": first, **_share(found.share)},
        "wins": {side: sum(game.winner == side for game in results) for side in scenario.sides},
        "draws": sum(game.winner is None for game in results),
        "ends": gained.ends,
        "faulty": sum(bool(game.faults) for game in results),
        "by_player": player_shares(found),
        "lead": {
            "mean": decisive.lead.mean,
            "deviation": decisive.lead.deviation,
            "games": {str(lead): games for lead, games in decisive.lead.games.items()},
        },
        "conditions": [row._asdict() for row in gained.gains],
        "arrivals": [
            {**row._asdict(), "turns": {str(turn): games for turn, games in row.turns.items()}}
            for row in gained.arrivals
        ],
        "losses": [row._asdict() for row in decisive.losses],
        "turns": [row._asdict() for row in decisive.turns],
        "hexes": [row._asdict() for row in decisive.hexes],
        "threshold": decisive.threshold,
        "map": decisive.map,
        "seconds": found.seconds,
    }


def _share(share: Share) -> dict[str, float]:
    return share._asdict()


def player_shares(found: Balance) -> dict[str, dict[str, float]]:
    """By player its share of the wins on each side, and over all its games; empty for one against itself."""
    if not found.swap:
        return {}
    shares: dict[str, dict[str, float]] = {}
    for name in found.players:
        scores = {
            side: [score_of(game, side) for game in found.results if game.players[side] == name]
            for side in found.scenario.sides
        }
        by_side = {side: fmean(some) for side, some in scores.items()}
        shares[name] = {**by_side, "all": fmean(chain(*scores.values()))}
    return shares
