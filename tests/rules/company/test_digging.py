"""C3 to C5: digging in, what foxholes do, leaving and taking them again."""

import pytest

from tests.rules.asking import codes, facts, marks, where
from tests.rules.company.table import allows, begin, play, refuse

FIELD = "\n".join(["..........."] * 12)


def forces(red, grey="q trained confident\n  z rifle-mg 1101", skill="trained", more=""):
    return f"red\n p {skill} confident {more}\n  {red}\n s trained\n  spare rifle 1112\ngrey\n {grey}\n"


@pytest.mark.rule("C3.1")
@pytest.mark.refusal("C3.1")
def test_instead_of_moving():
    game = begin(FIELD, forces("a rifle 0101\n  b rifle 0102"))
    play(game, "move a 0103")
    refuse(game, "dig p", "C3.1", "moved-already")
    game = begin(FIELD, forces("a rifle 0101\n  b rifle 0102"))
    play(game, "dig p [1]")
    refuse(game, "move a 0103", "C3.1", "digs-instead")
    refuse(game, "dig p", "C3.1", "tried-already")


@pytest.mark.rule("C3.2")
def test_a_pinned_platoon_may():
    game = begin(FIELD, forces("a rifle 0101", more="pinned"))
    play(game, "dig p [4]")
    assert marks(game, "a") == {"pinned", "dug-in", "tried-to-dig"}


@pytest.mark.rule("C3.3", "C3.4", "C3.5", "C11.1")
@pytest.mark.parametrize(
    ("skill", "own", "die", "passed"),
    [
        ("veteran", "", 3, True),
        ("veteran", "", 2, False),
        ("trained", "", 4, True),
        ("trained", "", 3, False),
        ("conscript", "", 5, True),
        ("conscript", "", 4, False),
        ("veteran", "conscript", 4, False),
    ],
)
def test_one_skill_test_of_the_worst_skill(skill, own, die, passed):
    game = begin(FIELD, forces(f"a rifle 0101\n  b rifle 0102 {own}", skill=skill))
    play(game, f"dig p [{die}]")
    assert {name: "dug-in" in marks(game, name) for name in "ab"} == {"a": passed, "b": passed}


@pytest.mark.rule("C3.5")
def test_it_may_try_again_in_a_later_turn():
    game = begin(FIELD, forces("a rifle 0101"))
    play(game, "dig p [1]")
    while game.decision.side == "red":
        play(game, "end")
    while game.decision.side == "grey":
        play(game, "end")
    assert allows(game, "dig p")


@pytest.mark.rule("C3.6", "C3.4")
@pytest.mark.refusal("C3.6")
def test_who_is_in_cover_does_not_dig():
    walls = {"walls": ["0301/0302"]}
    game = begin(FIELD, forces("a rifle 0101\n  b rifle 0102\n  c rifle 0302\n  t truck 0105"), map=walls)
    assert facts(play(game, "dig p [4]"), "dug-in")["units"] == ["a", "b"]
    assert allows(game, "move t 0106"), "vehicles act as usual"
    assert allows(game, "move c 0303")
    game = begin(FIELD, forces("t truck 0105\n  a rifle 0302"), map=walls)
    refuse(game, "dig p", "C3.6", "nobody-digs")


@pytest.mark.rule("C3.7", "C12.1")
def test_it_counts_as_moved_for_the_rate_of_fire_alone():
    game = begin(FIELD, forces("a machine-gun 0601\n  b machine-gun 0602"))
    play(game, "dig p [1]", "end")
    assert facts(play(game, "shoot a q [1 1]"), "volley")["dice"] == 2
    assert "moved" not in marks(game, "b")


@pytest.mark.rule("C3.8")
def test_foxholes_are_kept_by_team():
    teams = "\n  ".join(f"a{n} rifle 01{n:02}" for n in range(1, 7))
    game = begin(FIELD, forces(teams))
    play(game, "dig p [6]")
    assert sum("dug-in" in marks(game, f"a{n}") for n in range(1, 7)) == 6
    assert game.state()["hexes"]["0101"]["foxholes"] == 1


@pytest.mark.rule("C3.9", "C1.2")
@pytest.mark.parametrize(("at", "again"), [("0102", True), ("0101", True), ("0103", False)])
def test_a_pioneer_supply_vehicle_gives_a_second_test(at, again):
    game = begin(FIELD, forces(f"a command-rifle 0101\n  b rifle 0201\n  t supply-truck {at}"))
    play(game, "dig p [3 4]" if again else "dig p [3]")
    assert ("dug-in" in marks(game, "b")) is again


@pytest.mark.rule("C3.9")
def test_without_a_command_team_there_is_none():
    game = begin(FIELD, forces("a rifle 0101\n  t supply-truck 0102"))
    play(game, "dig p [3]")
    assert "dug-in" not in marks(game, "a")


@pytest.mark.rule("C3.10")
@pytest.mark.refusal("C3.10")
def test_not_in_water():
    rows = FIELD.split("\n")
    rows[0] = "m.........."
    game = begin("\n".join(rows), forces("a rifle 0101\n  b rifle 0103"))
    assert facts(play(game, "dig p [4]"), "dug-in")["units"] == ["b"]
    assert allows(game, "move a 0102")
    game = begin("\n".join(rows), forces("a rifle 0101"))
    refuse(game, "dig p", "C3.10", "no-digging-here")
    barred = begin(FIELD, forces("a rifle 0101"), options={"no_dig": ["clear"]})
    refuse(barred, "dig p", "C3.10", "no-digging-here")


@pytest.mark.rule("C3.11", "C3.9")
def test_an_independent_team_digs_by_itself():
    red = "red\n alone o observer 0101 veteran fearless\n s trained\n  spare rifle 1112\n"
    game = begin(FIELD, red + "grey\n q trained\n  z rifle 1101\n")
    play(game, "dig o [3]")
    assert "dug-in" in marks(game, "o")


# -- C4 ---------------------------------------------------------------------------------------------


def needed(kind, status="", row="...........", step="shooting"):
    rows = FIELD.split("\n")
    rows[5] = row
    red = "red\n p trained confident\n  a rifle-mg 0201\n  s rifle-mg 0301\n"
    game = begin("\n".join(rows), f"{red}grey\n q trained confident\n  z {kind} 0206 {status}\n", step=step)
    return facts(play(game, "shoot a q [1 1]"), "volley")["need"]


@pytest.mark.rule("C4.1")
@pytest.mark.parametrize(
    ("kind", "need"),
    [
        ("rifle dug-in moved", 4),
        ("machine-gun dug-in moved", 4),
        ("aa-machine-gun dug-in moved", 4),
        ("at-37 dug-in moved", 4),
        ("at-57 dug-in moved", 4),
        ("aa-37 dug-in moved", 3),
        ("aa-88 dug-in", 3),
        ("rifle moved", 3),
        ("at-37", 3),
    ],
)
def test_whom_a_foxhole_conceals(kind, need):
    """A trained target is hit on 3, and on 4 if it is concealed."""
    assert needed(kind) == need


@pytest.mark.rule("C4.1")
def test_a_wood_conceals_the_others_too():
    assert needed("aa-88 dug-in shot", row=".w.........") == 4


@pytest.mark.rule("C4.2", "C3.5")
def test_who_failed_is_concealed_in_the_open():
    assert needed("rifle tried-to-dig shot") == 4
    assert needed("at-37 tried-to-dig shot") == 3, "guns that are not man-packed are not"


@pytest.mark.rule("C4.3", "C11.3", "C4.4", "C3.7")
def test_going_to_ground():
    assert needed("rifle dug-in") == 5
    assert needed("rifle dug-in tried-to-dig") == 5
    assert needed("rifle dug-in shot") == 4
    assert needed("rifle dug-in moved") == 4


@pytest.mark.rule("C4.4", "C12.5", "C12.4")
@pytest.mark.parametrize(("die", "lost"), [(5, False), (6, True)])
def test_bulletproof_cover_needs_firepower(die, lost):
    red = "red\n p trained confident\n  a rifle 0201\n  s rifle 0301\n"
    grey = "grey\n q trained confident\n  z rifle 0206 dug-in shot\n r trained confident\n  y rifle 0307\n"
    game = begin(FIELD, red + grey, step="shooting")
    play(game, f"shoot a q [4 2 {die}]")
    assert (where(game, "z") is None) is lost


# -- C5 ---------------------------------------------------------------------------------------------


@pytest.mark.rule("C5.1")
def test_moving_loses_the_foxhole_and_turning_does_not():
    game = begin(FIELD, forces("a rifle 0101 dug-in\n  g at-37 0201 dug-in faces 0202\n  b rifle 0103"))
    play(game, "face g 0301")
    assert "dug-in" in marks(game, "g")
    play(game, "move a 0102-0101")
    assert where(game, "a") == "0101"
    assert "dug-in" not in marks(game, "a"), "out and back"
    play(game, "move b 0101")
    assert "dug-in" not in marks(game, "b"), "nobody else's either"


ASSAULT = """
red
    p trained confident
        a rifle 0403
        b rifle 0303
        c rifle 0503
grey
    q trained confident
        x rifle 0406 dug-in
        y rifle 0406 dug-in
        z rifle 0406 dug-in
        v rifle 0407 dug-in
    r trained confident
        w rifle 1012
"""


def clash(counter):
    """Red charges 0405, which grey's v holds alone; then grey counter-attacks."""
    text = ASSAULT.replace("v rifle 0407 dug-in", "v rifle 0405")
    game = begin(FIELD, text, step="assault")
    play(game, "charge a 0405", "done", "done [6]", "take v [4]", f"{counter} q")
    return game


@pytest.mark.rule("C5.2", "C5.1")
def test_charging_loses_it():
    game = begin(FIELD, ASSAULT.replace("a rifle 0403", "a rifle 0404 dug-in"), step="assault")
    play(game, "charge a 0406")
    assert "dug-in" not in marks(game, "a")
    assert "positions" not in game.state()["hexes"].get("0404", {}), "the attacker's is not marked"


@pytest.mark.rule("C5.3", "C5.4", "C5.5", "C5.6", "C13.4", "C13.5")
def test_defenders_take_their_positions_again():
    game = clash("counter")
    assert where(game, "v") is None
    assert game.decision.kind == "charge"
    play(game, "charge x 0405", "charge y 0405", "done [1 6 6]")
    # Red's charger is gone: grey consolidates, one of the two back to its position.
    assert game.decision.kind == "consolidation"
    assert game.state()["hexes"]["0406"]["positions"] == 2
    events = play(game, "consolidate x 0406", "done")
    while game.decision is not None and game.decision.side == "red":
        events += play(game, "end")
    assert "position-retaken" in codes(events)
    assert "dug-in" in marks(game, "x")
    assert "dug-in" not in marks(game, "y"), "it stays where it fought"
    assert "dug-in" in marks(game, "z"), "it never moved"
    assert "positions" not in game.state()["hexes"].get("0406", {})


@pytest.mark.rule("C5.4", "C5.5")
@pytest.mark.refusal("C5.5")
def test_more_teams_than_positions():
    """x leaves its hole to counter-attack and comes back; its commander joins it, one of them has room."""
    text = ASSAULT.replace("v rifle 0407 dug-in", "v rifle 0405\n        k command-rifle 0407")
    text = text.replace("        y rifle 0406 dug-in\n        z rifle 0406 dug-in\n", "")
    game = begin(FIELD, text, step="assault")
    play(game, "charge a 0405", "done", "done [6]", "take v [4]")
    play(game, "counter q", "charge x 0405", "done [6]")
    play(game, "consolidate x 0406", "consolidate k 0406")
    while game.decision.kind != "positions":
        play(game, "end")
    assert game.decision.side == "grey"
    refuse(game, "end", "C5.5", "positions-first")
    refuse(game, "occupy w", "C5.5", "no-position")
    play(game, "occupy k")
    assert ("dug-in" in marks(game, "k"), "dug-in" in marks(game, "x")) == (True, False)
