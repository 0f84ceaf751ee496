"""Games under the eyes of a referee that keeps its own books, and planted faults that it must find."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from hexengine.players import player
from hexengine.systems.platoon import acting, activation, arrival, cup, ending, operations
from hexengine.systems.platoon.assaults import close_combat, overrun, retreat
from hexengine.systems.platoon.fieldworks import mines
from hexengine.systems.platoon.firing import fire, losses, reaction
from hexengine.systems.platoon.moving import movement, stacking, steps, transport
from hexengine.systems.platoon.sight import air
from hexengine.systems.platoon.support import artillery, strikes
from tests.long import often
from tests.systems.platoon.referee.battles import battle, loaded
from tests.systems.platoon.referee.paper import Difference
from tests.systems.platoon.referee.watching import watch

SCENARIOS = Path(__file__).parents[3] / "scenarios"
SHIPPED = [
    path
    for folder in ("tiny", "platoon")
    for path in sorted((SCENARIOS / folder).glob("*.toml"))
    if 'system = "platoon"' in path.read_text(encoding="utf-8")
]
HAPPENS = (
    "activation", "activation-ends", "assault", "assault-lost", "assault-won", "bombarded",
    "close-combat-dice", "command-failed", "command-passed", "delayed", "depleted", "disrupted", "draw",
    "due", "dug-in", "eliminated", "enter", "exit", "fire", "goes-back", "group-closed", "hit-left-over",
    "hq-gone", "hq-hit", "hq-replaced", "hq-safe", "intercepted", "land", "leadership", "load",
    "marker-held", "marker-returned", "mines-choose", "mines-cleared", "mines-laid", "mines-stay",
    "mines-strike", "mission", "move", "no-mines-laid", "nobody-left", "not-dug-in", "not-intercepted",
    "not-rallied", "on-target", "opportunity-fire", "overrun", "pass", "passenger-hit", "passenger-safe",
    "position-cancels", "position-helps", "rallied", "retreat", "rise", "save", "scatters", "scatters-away",
    "smoke", "smoke-thins", "step-lost", "stopped", "strike", "strike-attacks", "strike-passed", "swims",
    "thrown-back", "turn-begins", "turn-ends", "turned-back", "unload", "wreck", "game-over",
)  # fmt: skip
"""Codes of events, all of which come up in enough games."""


# -- games ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("part", range(often(1, 10)))
def test_random_games_of_made_up_battles(part):
    seen: Counter[str] = Counter()
    games = often(5, 50)
    for number in range(part * games, (part + 1) * games):
        watch(battle(number), number, seen=seen, probes=often(3, 12))
    missed = [code for code in HAPPENS if not seen[code]]
    assert len(missed) <= often(30, 5), f"never happened: {missed}"


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=[path.stem for path in SHIPPED])
def test_random_games_of_the_shipped_scenarios(path):
    text = path.read_text(encoding="utf-8")
    for seed in range(often(1, 4)):
        watch(text, seed, bound=often(8, 100_000))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(often(1, 10)))
def test_games_of_officers(part):
    officer = player("officer", seed=part)

    def choose(game):
        return officer.choose(game.seen_by(game.scenario.sides.index(game.decision.side)))

    for number in range(4 * part, 4 * part + often(1, 4)):
        watch(battle(number), number, player=choose)
    if often(0, 1):
        watch(SHIPPED[-1 - part].read_text(encoding="utf-8"), part, player=choose)


# -- planted faults ---------------------------------------------------------------------------------

walk, leader_of, end_activation = movement.walk, fire.leader_of, ending.end_activation


def pays_half(pos, mine, place, target):
    """A step of which units pay only the half."""
    before = list(pos.spent)
    walk(pos, mine, place, target)
    pos.spent = [(old + new + 1) // 2 for old, new in zip(before, pos.spent, strict=True)]


def marks_nobody(pos, formation, emit):
    """An activation after which nobody is marked."""
    marked = pos.ops
    end_activation(pos, formation, emit)
    pos.ops = marked


def aboard_too(pos, side):
    """Whoever is unmarked reacts, Disrupted, carried or landed."""
    return pos.placed & pos.board.shooters[side] & ~pos.ops


def leads_again(pos, firer, used):
    """Leadership that is not used up."""
    return leader_of(pos, firer, 0)


def always(*_):
    """Whatever is asked."""
    return True


def never(*_):
    """Whatever is asked."""
    return 0


def anywhere(pos, unit, place, mask):
    """All ways are open."""
    return mask


def all_are_near(pos, formation):
    """Nobody is out of the radius."""
    return pos.placed


FAULTS = {
    "a step costs the half": (acting, "walk", pays_half, 0),
    "no window is opened": (arrival, "watched_from", never, 0),
    "smoke hinders nobody": (fire, "SMOKE_MODIFIER", 0, 3),
    "an HQ is hit on a 2": (losses, "HQ_LOSS_ROLL", 2, 6),
    "positions shelter nobody": (fire, "shelter", never, 2),
    "there is always a way on": (steps, "may_crowd", always, 1),
    "Disrupted units go anywhere": (movement, "shy_ways", anywhere, 0),
    "mines hit on a 4": (mines, "MINE_HIT", 4, 0),
    "Disrupted defenders hit on 5": (close_combat, "DISRUPTED_TO_HIT", 5, 7),
    "nobody was overlooked": (cup, "overlooked", never, 22),
    "missions scatter on a 4": (artillery, "SCATTER", 4, 5),
    "passengers react": (reaction, "eligible", aboard_too, 0),
    # What follows is looked for in long runs only.
    "fire on the move has no modifier": (fire, "MOVED_FIRE_MODIFIER", 0, 39),
    "an observer sees as well as a mortar": (fire, "INDIRECT_MODIFIER", 0, 1),
    "hard targets have three bonus dice": (fire, "HARD_BONUS_LIMIT", 3, 24),
    "helicopters save with cover": (fire, "AIR", -1, 10),
    "leadership is not used up": (fire, "leader_of", leads_again, 13),
    "passengers share odd dice": (losses, "_passenger_die", always, 0),
    "engineers have one die": (mines, "ENGINEER_DICE", 1, 0),
    "a hex holds three": (stacking, "STACKING_LIMIT", 3, 4),
    "infantry approaches by 2 MP": (transport, "LOAD_INFANTRY_LIMIT", 4, 58),
    "an overrun costs no more": (overrun, "EXTRA_COST", 0, 58),
    "city streets help nobody": (close_combat, "CITY", close_combat.CITY._replace(value=0), 31),
    "retreats go anywhere": (retreat, "can_retreat", always, 7),
    "nobody is out of the radius": (activation, "_covered", all_are_near, 0),
    "rally is as easy out of command": (activation, "RALLY_OOC_MODIFIER", 0, 50),
    "a strike hits on 3": (strikes, "STRIKE_TO_HIT", 3, 0),
    "landed helicopters are seen from afar": (air, "LANDED_SIGHT", 9, 52),
    "woods hide nobody from the air": (air, "WOODS_SHADOW", 0, 0),
    "HQs do not come back": (cup, "replace_hqs", never, 19),
    "Ops Complete falls on nobody": (operations, "end_activation", marks_nobody, 0),
}
"""By name: a module, what is replaced in it and by what, and the battle in which that soon comes up."""
SOME = list(FAULTS)[: often(12, len(FAULTS))]


@pytest.fixture
def fresh_boards():
    """Scenarios are read anew: boards remember what they have worked out, right or wrong."""
    loaded.cache_clear()
    yield
    loaded.cache_clear()


@pytest.mark.usefixtures("fresh_boards")
@pytest.mark.parametrize("name", SOME)
def test_the_referee_finds(name, monkeypatch):
    module, attribute, wrong, first = FAULTS[name]
    monkeypatch.setattr(module, attribute, wrong)
    with pytest.raises(Difference):
        for number in range(first, first + 100):
            watch(battle(number), number)


def test_the_referee_knows_nothing_of_the_engines_rules():
    """What it knows of games it has from files, orders and events."""
    modules = sorted((Path(__file__).parent / "referee").glob("*.py"))
    assert len(modules) > 15
    for module in modules:
        text = module.read_text(encoding="utf-8")
        assert not re.search(r"hexengine\.(systems|mechanics)", text), module.name
