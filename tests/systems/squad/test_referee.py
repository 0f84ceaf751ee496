"""Games under the eyes of an independent referee, and proof that it sees faults."""

import ast
from pathlib import Path
from random import Random

import pytest

from hexengine.content.resources import shipped_scenarios
from hexengine.players import player
from hexengine.systems.squad import impulse, melee, places, rally
from hexengine.systems.squad.firing import damage, fire, ordnance
from hexengine.systems.squad.moving import steps, transport
from hexengine.systems.squad.sight import lines, spotting
from tests.long import LONG, often
from tests.systems.squad.referee.changing import changed
from tests.systems.squad.referee.ledger import Wrong
from tests.systems.squad.referee.watching import watch

REFEREE = Path(__file__).parent / "referee"
SOURCES = {shipped.name: shipped.path.read_text("utf-8") for shipped in shipped_scenarios()}
TINY = sorted(name for name, text in SOURCES.items() if 'system = "squad"' in text and "squad-" in name)
SHIPPED = sorted(name for name, text in SOURCES.items() if 'system = "squad"' in text and name not in TINY)


def test_the_referee_knows_nothing_of_the_engine():
    """It reads files, orders and events: only what plays the games for it has the engine at all."""
    for path in sorted(REFEREE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            allowed = ("hexengine.content.loader", "hexengine.core") if path.name == "watching.py" else ()
            wrong = [name for name in names if name.startswith("hexengine") and not name.startswith(allowed)]
            assert not wrong, f"{path.name} imports {wrong}"


@pytest.mark.parametrize("name", TINY)
def test_random_games_of_tiny_scenarios_go_by_the_rules(name):
    for seed in range(often(1, 200)):
        watch(SOURCES[name], seed)


@pytest.mark.parametrize("name", SHIPPED)
def test_random_games_go_by_the_rules(name):
    """The usual run breaks games off; a long one plays some to their end."""
    for seed in range(often(1, 30)):
        watch(SOURCES[name], seed, most=often(30, 2000))


@pytest.mark.parametrize("name", SHIPPED)
def test_random_games_with_other_options_and_maps_go_by_the_rules(name):
    for seed in range(often(1, 30)):
        watch(changed(SOURCES[name], Random(f"changed/{seed}")), seed, most=often(20, 2000))


@pytest.mark.skipif(not LONG, reason="officers think for a minute: set HEXENGINE_LONG=1")
@pytest.mark.parametrize("name", SHIPPED)
def test_games_of_officers_go_by_the_rules(name):
    for seed in range(10):
        officer = player("officer", seed=seed)
        watch(SOURCES[name], seed, choose=lambda game, officer=officer: str(officer.choose(game)))


FAULTS = [
    ("squad-levels", places, "FLOOR_COST", 2),
    ("bunker-line", places, "BUNKER_COST", 4),
    ("squad-group", steps, "DOUBLE_TIME", 0),
    ("squad-melee", fire, "ADJACENT", 1),
    ("squad-assault-move", fire, "MOVED_FIRE", -1),
    ("introduction", fire, "best_lm", lambda pos, side, place: 0),
    ("squad-vehicles", ordnance, "IN_REACTION", 1),
    ("squad-shot", damage, "SQUAD_COLUMN", (4, 4, 5)),
    ("introduction", lines, "MOST_DEGRADING", 3),
    ("squad-spotting", spotting, "EASY", 5),
    ("squad-melee", melee, "KILLS", {odds: number + 1 for odds, number in melee.KILLS.items()}),
    ("squad-aid", rally, "MEDIC", 3),
    ("squad-shot", impulse, "PASSES", 2),
    ("squad-vehicles", transport, "LOAD_COST", 2),
    ("introduction", places.Places, "nearer", lambda self, origin, place: 0),
]
"""Faults to plant: a scenario in which they show, and what is put where in the engine."""


@pytest.mark.parametrize(("name", "where", "what", "value"), FAULTS, ids=[what for _, _, what, _ in FAULTS])
def test_the_referee_sees_a_planted_fault(name, where, what, value, monkeypatch):
    """A wrong cost, a modifier left out, a table misprinted, a rule forgotten: some game differs."""
    monkeypatch.setattr(where, what, value)
    with pytest.raises(Wrong):
        for seed in range(40):
            watch(SOURCES[name], seed, most=400)
