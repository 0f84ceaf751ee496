"""C10: the turn, command, morale, reserves and ambushes."""

import pytest

from tests.rules.asking import codes, every, marks, unit, where
from tests.rules.company.table import allows, begin, offered, play, refuse

FIELD = "\n".join(["..........."] * 12)
BOTH = (
    "red\n p trained confident\n  a rifle 0101\n  b rifle 0102\ngrey\n q trained confident\n  z rifle 1112\n"
)


def pass_turn(game):
    """End all steps of the side whose turn it is."""
    side = game.decision.side
    events = []
    while game.decision is not None and game.decision.side == side:
        events += play(game, "end")
    return events


@pytest.mark.rule("C10.1")
@pytest.mark.refusal("C10.1")
def test_sides_take_turns_in_steps():
    near = BOTH.replace("1112", "0106")
    game = begin(FIELD, near, step="starting")
    assert (game.decision.side, game.decision.kind) == ("red", "movement")
    refuse(game, "shoot a q", "C10.1", "wrong-step")
    play(game, "end")
    assert game.decision.kind == "shooting"
    refuse(game, "move a 0103", "C10.1", "wrong-step")
    play(game, "end")
    assert (game.decision.side, game.decision.kind) == ("grey", "movement")
    refuse(game, "move a 0103", "C10.1", "not-yours")


@pytest.mark.rule("C10.1")
def test_after_the_last_turn_points_decide():
    goal = [{"kind": "hold", "side": "red", "hex": "0101"}]
    game = begin(FIELD, BOTH, turns=1, victory=goal)
    pass_turn(game)
    pass_turn(game)
    assert game.result == {"winner": "red", "margin": 1, "reason": "points"}


@pytest.mark.rule("C10.2")
def test_victory_is_looked_at_before_pinned_platoons_rally():
    goal = [{"kind": "hold", "side": "grey", "hex": "1112", "wins": True}]
    game = begin(FIELD, BOTH.replace("q trained confident", "q trained confident pinned"), victory=goal)
    events = pass_turn(game)
    assert game.result["reason"] == "objective"
    assert "motivation-passed" not in codes(events)
    assert "motivation-failed" not in codes(events)


@pytest.mark.rule("C10.2")
@pytest.mark.parametrize(("turn", "won"), [(2, False), (3, True)])
def test_an_objective_may_win_from_a_turn_on(turn, won):
    """The turn of the side that holds it must be that one at least."""
    goal = [{"kind": "hold", "side": "grey", "hex": "1112", "wins": True, "from_turn": 3}]
    game = begin(FIELD, BOTH, victory=goal, turn=turn)
    pass_turn(game)
    assert (game.result is not None) is won


@pytest.mark.rule("C10.2")
def test_crews_remount_and_bogged_vehicles_are_freed():
    text = "red\n p trained\n  a rifle 0101\ngrey\n q trained\n  x medium-tank 1112 bailed-out\n"
    text += "  y medium-tank 1110 bogged\n  z rifle 1101\n"
    game = begin(FIELD, text)
    play(game, "end [4 4]")
    assert marks(game, "x") == marks(game, "y") == set()
    game = begin(FIELD, text)
    play(game, "end [3 3]")
    assert (marks(game, "x"), marks(game, "y")) == ({"bailed-out"}, {"bogged"})


@pytest.mark.rule("C10.2")
@pytest.mark.refusal("C10.2")
def test_reserves():
    text = BOTH + " r trained confident reserve 1101 1102\n  u rifle\n  v rifle\n"
    game = begin(FIELD, text, turn=2)
    play(game, "end [2 5]")
    assert marks(game, "u") == {"due"}
    refuse(game, "enter u 0605", "C10.2", "no-entry")
    refuse(game, "enter z 1101", "C10.2", "not-due")
    play(game, "enter u 1101")
    assert where(game, "u") == "1101"
    assert marks(game, "u") == {"moved"}
    game = begin(FIELD, text, turn=2)
    play(game, "end [2 4]")
    assert marks(game, "u") == {"reserve"}


@pytest.mark.rule("C10.2", "C2.5")
@pytest.mark.refusal("C10.2")
def test_ambushes():
    text = BOTH + " r trained confident ambush 1101 0104 0106 0107\n  u rifle\n"
    game = begin(FIELD, text)
    assert unit(game, "u")["hex"] is None
    assert "double a 0107" in offered(game, "double"), "nobody knows of it"
    play(game, "end")
    assert game.decision.kind == "ambush"
    refuse(game, "reveal u 0106", "C10.2", "no-ambush")
    refuse(game, "reveal z 1101", "C10.2", "not-hidden")
    play(game, "reveal u 0107")
    assert where(game, "u") == "0107"


@pytest.mark.rule("C10.3")
@pytest.mark.refusal("C10.3")
@pytest.mark.parametrize(("at", "stray"), [("0104", True), ("0103", False)])
def test_command_distance(at, stray):
    text = f"red\n p trained\n  c command-rifle 0101\n  a rifle {at}\n  s rifle 0102\n"
    text += "grey\n q trained\n  z rifle 1112\n"
    game = begin(FIELD, text)
    pass_turn(game)
    assert ("out-of-command" in marks(game, "a")) is stray
    pass_turn(game)
    if stray:
        refuse(game, "move a 0105", "C10.3", "away-from-command")
        assert allows(game, "move a 0103")


@pytest.mark.rule("C10.3")
def test_who_has_come_back_to_the_command_is_in_it_again():
    text = "red\n p trained\n  c command-rifle 0101\n  a rifle 0103 out-of-command\n  s rifle 0102\n"
    game = begin(FIELD, text + "grey\n q trained\n  z rifle 1112\n")
    pass_turn(game)
    assert "out-of-command" not in marks(game, "a")


@pytest.mark.refusal("C10.3")
def test_who_is_out_of_command_does_not_charge():
    text = "red\n p trained confident\n  c command-rifle 0101\n  a rifle 0108 out-of-command\n"
    game = begin(FIELD, text + "  b rifle 0110\ngrey\n q trained confident\n  z rifle 0109\n", step="assault")
    refuse(game, "charge a 0109", "C10.3", "stray-charge")


@pytest.mark.rule("C10.4")
@pytest.mark.parametrize(("die", "over"), [(3, True), (4, False)])
def test_company_morale(die, over):
    """Of two platoons one is gone: half or more."""
    near = "red\n p trained confident\n  a machine-gun 0101\n  s rifle 0101\ngrey\n q trained confident\n"
    text = (
        near + "  z rifle 0104 moved\n r trained confident\n  y rifle 1112\n  x rifle 1112\n  w rifle 1111\n"
    )
    game = begin(FIELD, text, step="shooting")
    play(game, f"shoot a q [3 1 1 1 1 1 1 {die}]")
    assert (game.result is not None) is over
    if over:
        assert game.result["reason"] == "company-morale"


@pytest.mark.rule("C10.5")
@pytest.mark.parametrize(("die", "stays"), [(4, True), (3, False)])
def test_platoon_morale(die, stays):
    """Two of three lost in this step, one left."""
    text = "red\n p trained\n  a machine-gun 0101\n  b machine-gun 0101\n  s rifle 0102\n  t rifle 0103\n"
    text += "grey\n q trained confident\n  x rifle 0104 moved\n  y rifle 0104 moved\n  z rifle 0104 moved\n"
    text += " r trained confident\n  w rifle 0107\n o trained confident\n  v rifle 0107\n"
    game = begin(FIELD, text, step="shooting")
    play(game, "shoot a q [3 3 1 1 1 1 1 1]")
    assert where(game, "x") == "0104"
    assert where(game, "y") is None
    play(game, f"end [{die}]")
    assert (where(game, "x") is not None) is stays


SPREAD = {"w": "0105", "x": "0104", "y": "0104", "z": "0106"}


@pytest.mark.rule("C10.5")
def test_half_lost_is_not_more_lost_than_left():
    """Two of four: nobody tests."""
    text = "red\n p trained\n  a machine-gun 0101\n  b machine-gun 0101\n  s rifle 0102\n  t rifle 0103\n"
    text += "grey\n q trained confident\n" + "".join(
        f"  {name} rifle {at} moved\n" for name, at in SPREAD.items()
    )
    game = begin(FIELD, text, step="shooting")
    play(game, "shoot a q [3 3 1 1 1 1]", "take x", "take y [1 1]")
    assert [name for name in SPREAD if "eliminated" in marks(game, name)] == ["x", "y"]
    assert not {"motivation-passed", "motivation-failed"} & set(codes(play(game, "end")))


@pytest.mark.rule("C10.5")
def test_without_losses_in_the_step_there_is_no_test():
    game = begin(FIELD, BOTH.replace("1112", "0106"), step="shooting")
    assert "motivation-passed" not in codes(play(game, "end"))


HIDDEN = """
red
    p trained confident
        a machine-gun 0803
        b machine-gun 0803
grey
    q trained confident
        z rifle 0101
    r trained reluctant {} 0808 0807
        u rifle
        v rifle
        w rifle
        x rifle
        y rifle
"""
SQUARE = "\n".join(["........"] * 8)


@pytest.mark.rule("C10.2")
def test_teams_still_to_come_are_not_lost():
    """One team of five is on the map: it is no lone survivor."""
    game = begin(SQUARE, HIDDEN.format("ambush"), active="grey", step="starting")
    play(game, "reveal u 0808", "done")
    while game.decision.side == "grey":
        play(game, "end")
    assert "motivation-failed" not in codes(play(game, "end", "end"))
    assert where(game, "u") == "0808"
    assert "ambush" in marks(game, "v")


@pytest.mark.rule("C10.2")
def test_who_is_still_to_come_is_no_lone_survivor():
    """The team on the map is lost, and the other one of its platoon is in ambush: it does not test."""
    text = HIDDEN.format("ambush").replace("".join(f"        {one} rifle\n" for one in "wxy"), "")
    game = begin(SQUARE, text, active="grey", step="starting")
    play(game, "reveal u 0808", "done")
    while game.decision.side == "grey":
        play(game, "end")
    play(game, "end")
    events = play(game, "shoot a,b r [6 1 1 1 1 1 1 1 1 1 1 1 1]", "done")
    assert (marks(game, "u"), "ambush" in marks(game, "v")) == ({"eliminated"}, True)
    assert not {"motivation-passed", "motivation-failed"} & set(codes(events))
    assert "ambush" in marks(game, "v")


@pytest.mark.rule("C10.5")
def test_more_lost_than_left_counts_teams_still_to_come():
    """Two of three on the map are lost, and two more are in ambush: three are left."""
    game = begin(SQUARE, HIDDEN.format("ambush"), active="grey", step="starting")
    play(game, "reveal u 0808", "reveal v 0808", "reveal w 0808")
    while game.decision.side == "grey":
        play(game, "end")
    play(game, "end")
    volley = "[6 6 1 1 1 1 1 1 1 1 1 1 1 1]"
    events = play(game, f"shoot a,b r {volley}")
    assert len(every(events, "destroyed")) == 2
    assert not {"motivation-passed", "motivation-failed"} & set(codes(events))


@pytest.mark.rule("C10.2", "C10.5")
def test_a_platoon_that_is_gone_comes_no_more():
    """Two of three are lost, and the test of the one in ambush fails."""
    text = HIDDEN.format("ambush").replace("        x rifle\n        y rifle\n", "")
    game = begin(SQUARE, text, active="grey", step="starting")
    play(game, "reveal u 0808", "reveal v 0808", "done")
    while game.decision.side == "grey":
        play(game, "end")
    play(game, "end")
    events = play(game, "shoot a,b r [6 6 1 1 1 1 1 1 1 1 1 1 1 1 1 6]")
    assert "platoon-gone" in codes(events)
    assert "eliminated" in marks(game, "w")
    assert game.position.hiding == 0
    game.system.invariants(game.position)
