"""Tactics that weigh one decision at a time."""

from types import SimpleNamespace

from hexengine.core.tactics import Candidate, Standing
from hexengine.mechanics.tactics import BoardTactics, best_legal


def test_tables_are_made_once_and_standings_are_the_deciders():
    made = []
    board = SimpleNamespace(turns=6)
    tactics = BoardTactics(board, lambda of: made.append(of) or "tables", lambda pos: (3, 5))
    assert [tactics.tables(), tactics.tables()] == ["tables", "tables"] and made == [board]
    frame = SimpleNamespace(decider=lambda pos: 1)
    assert tactics.standing(SimpleNamespace(frames=[frame], turn=2)) == Standing(2, 2, 6)
    assert tactics.standing(SimpleNamespace(frames=[], turn=6)) == Standing(-2, 6, 6)
    assert tactics.forced(None) is None


def test_the_best_legal_orders():
    frame = SimpleNamespace(check=lambda pos, order: "no" if order == "bad" else None)
    found = [Candidate(*one) for one in (("low", 1.0), ("bad", 9.0), ("good", 5.0))]
    assert [one.order for one in best_legal(None, frame, found, True)] == ["good", "low"]
    assert [one.order for one in best_legal(None, frame, found, False)] == ["good"]
    assert best_legal(None, frame, [Candidate("bad", 1.0)], False) == []
