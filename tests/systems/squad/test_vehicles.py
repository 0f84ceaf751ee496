"""Vehicles beyond their rules: files and faults, what is shown and hidden, odds, the officer with them."""

from fractions import Fraction

import pytest

from hexengine.content.loader import loads
from hexengine.core.errors import ContentError, InvalidOrder
from hexengine.core.tactics import Weights
from hexengine.systems.squad.tactics import SquadTactics
from hexengine.systems.squad.tactics.armour import pierced
from tests.rules.asking import unit
from tests.rules.squad.table import begin, play, text_of

FIELD = "......../......../........"
IDLE = "z half-de 0803"


def field(ours, theirs, terrain=FIELD, **rest):
    return begin(terrain, f"us\n{ours}\nde\n{theirs}\n{IDLE}", **rest)


def best(game):
    """What the officer thinks of first."""
    found = SquadTactics(game.board).candidates(game.position, Weights(), True)
    assert all(game.why_not(candidate.order) is None for candidate in found)
    return str(found[0].order)


# -- files ------------------------------------------------------------------------------------------

GUN = {"id": "odd", "kind": "squad", "values": "1-1-1", "armour": {"hull": "1/1"}, "half": {}}
FAULTS = [
    ("b tank 0101 facing=0301", {}, "is not next to b"),
    ("b tank 0101 crawled", {}, "markers"),
    ("b tank 0101 low-crawl", {}, "a vehicle may be"),
    ("a squad-us 0101 facing=0201", {}, "faces nowhere"),
    ("b tank 0201", {"terrain": ".s....../......../........"}, "no vehicle may be in 0201"),
    ("h track 0101\na squad-us in h\nc squad-us in h", {}, "h has no seat for c"),
    ("t tank 0101\na squad-us in t", {}, "t has no seat for a"),
    ("h track 0101\nb tank in h", {}, "is not carried by a vehicle"),
    ("b tank 0101\nc tank 0101\nd tank 0101", {}, "more units of a side"),
    ("a odd 0101", {"tables": [("type", GUN)]}, "only vehicles have armour and seats"),
    ("b tank 0101", {"tables": [("terrain", {"id": "woods", "vehicle": 0})]}, "costs at least one MP"),
]


@pytest.mark.parametrize(("ours", "rest", "said"), FAULTS, ids=[said for *_, said in FAULTS])
def test_faults_are_told_with_their_place(ours, rest, said):
    given = {"terrain": FIELD, **rest}
    with pytest.raises(ContentError) as caught:
        loads(text_of(given.pop("terrain"), f"us\n{ours}\nde\n{IDLE}", **given), "faulty")
    assert said in str(caught.value)
    assert all(problem.line > 0 for problem in caught.value.problems)


@pytest.mark.parametrize(
    "text", ["fire a 0201 at", "fire a 0201 with a at", "fire a 0201 at a with a", "load a"]
)
def test_orders_that_cannot_be_read(text):
    with pytest.raises(InvalidOrder):
        field("a squad-us 0101", "t tank 0201").parse(text)


@pytest.mark.parametrize("text", ["fire b 0301 with b at t", "fire b 0301 at t", "face b 0201", "unload b"])
def test_orders_are_written_as_they_are_read(text):
    game = field("b tank 0101", "t tank 0301")
    assert str(game.parse(text)) == text and game.parse(text) is game.parse(text)


# -- what is shown ------------------------------------------------------------------------------------


def test_what_a_vehicle_shows():
    game = field("h track 0102 facing=0201\na squad-us in h", "t tank 0501 facing=0502")
    pieces = {piece.unit: piece for piece in game.system.view(game.position).pieces}
    assert pieces["t"].readout == "4-8-8/7 5/2 6/3" and pieces["t"].sign == "armour"
    assert "↓" in pieces["t"].states and "↗" in pieces["h"].states
    assert (pieces["a"].carrier, pieces["h"].sign) == ("h", "mechanised")
    assert unit(game, "t")["direction"] == 3 and unit(game, "a")["hex"] == "0102"


def test_a_wreck_is_marked_on_the_board():
    game = field("b tank 0101 facing=0201", "t tank 0301 facing=0201")
    play(game, "fire b 0301 with b at t [4 3 6 1]")
    assert "wreck" in game.system.view(game.position).marks[game.board.grid.index("0301")]


def test_a_hidden_vehicle_is_not_shown_with_whom_it_carries():
    game = field(
        "a squad-us 0101", "h half-track-de 0701 hidden\nd squad-de in h", "....f.w./......../........"
    )
    seen = game.system.observed(game.position, 0)
    assert seen is not None and seen.aboard == 0
    game.system.invariants(seen)
    state = game.system.state(seen)["units"]
    assert state["h"]["hex"] is None and state["d"]["hex"] is None


# -- odds -------------------------------------------------------------------------------------------


def test_the_odds_of_a_shot_at_armour():
    """9 or less is 30 of 36; the hull at 5 and the turret at 6 against 5: 15 and 10 of 36 destroy."""
    game = field("b tank 0201 facing=0301", "t tank 0501 facing=0401")
    hull = Fraction(1 + 2 + 4 + 6 + 4, 36)  # 2, 3, 5, 7 and 9
    turret = Fraction(3 + 5 + 5, 36)  # 4, 6 and 8
    destroyed = hull * Fraction(15, 36) + turret * Fraction(10, 36)
    gone = Fraction(0)
    for outcome in _outcomes(game, "fire b 0501 with b at t"):
        gone += outcome
    assert gone == destroyed


def _outcomes(game, order):
    """The chances of the ends of an order in which the tank is lost."""
    from hexengine.core.dice import EnumeratingDice

    dice = EnumeratingDice()
    parsed = game.parse(order)
    while True:
        dice.start()
        pos = game.position.copy()
        pos.frames[-1].play(pos, parsed, dice, None)
        if not pos.placed >> game.board.ids.index("t") & 1:
            yield dice.weight
        if not dice.advance():
            return


# -- the officer --------------------------------------------------------------------------------------


def test_chances_of_penetration():
    assert pierced(0, 7)[0] == pytest.approx(15 / 36)
    assert pierced(-20, 7) == (0.0, 0.0)
    assert pierced(6, 7) == (pytest.approx(1.0), 0.0)


def test_the_officer_shoots_at_armour_with_what_pierces_it():
    game = field("g at 0101", "t tank 0201 facing=0202")
    assert best(game) == "fire g 0201 at t"


def test_the_officer_turns_a_gun_without_a_turret():
    game = field("b tank6 0402 facing=0302", "t truck 0702 moved")
    found = SquadTactics(game.board).candidates(game.position, Weights(), True)
    assert any(candidate.order.verb == "face" for candidate in found)


def test_the_officer_sees_where_vehicles_can_go():
    """Every place that the search finds can be reached by its very steps."""
    game = field("b tank 0102 facing=0202", "d squad-de 0803 shaken", "..F...../.w....../s.......")
    tactics = SquadTactics(game.board)
    ids = game.board.ids
    costs = tactics.reach(game.position, [ids.index("b")])
    assert game.board.grid.index("0103") not in costs and len(costs) > 4
    for place, cost in costs.items():
        route = tactics.route(game.position, [ids.index("b")], place)
        assert route is not None
        copy = game.copy()
        for order in route.orders:
            while copy.decision.kind == "reaction":
                copy.play("pass")
            copy.play(order)
        assert unit(copy, "b")["spent"] == cost


def test_the_officer_gets_men_out_where_they_are_wanted():
    goal = ("victory", {"kind": "hold", "side": "us", "hex": "0401", "points": 5})
    forces = "us\n h track 0101 facing=0201\n a squad-us in h\nde\n d squad-de 0803 shaken"
    game = begin(FIELD, forces, tables=[goal])
    tactics = SquadTactics(game.board)
    for _ in range(6):
        if game.decision.side != "us":
            break
        game.play(tactics.candidates(game.position, Weights())[0].order)
    assert unit(game, "a")["hex"] == "0401" and unit(game, "a")["carrier"] is None
