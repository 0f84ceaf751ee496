"""Melee (S12)."""

import pytest

from hexengine.systems.squad.melee import firepower, odds_of
from hexengine.systems.squad.orders import END
from hexengine.systems.squad.sight.spotting import spotted
from tests.rules.asking import codes, unit
from tests.rules.squad.table import begin, decision, event, no, play, refuses, where, yes

IDLE = "q squad-us 0801"


def fight(ours, theirs, terrain="........", **rest):
    """Units of us next to units of de in 0101, who are in good order."""
    return begin(terrain, f"us\n{ours}\n{IDLE}\nde\n{theirs}", **rest)


@pytest.mark.rule("S12.1")
@pytest.mark.refusal("S12.1")
def test_who_is_in_it_is_locked():
    game = fight("a us164 0101\nb us164 0201", "x de144 0101\ny de144 0301")
    refuses(game, "move a 0201", "S12.1", "locked")
    assert no(game, "fire a 0301").code == "locked" and no(game, "fire b 0101").code == "melee-target"
    assert no(game, "melee 0301").code == "no-melee"


@pytest.mark.refusal("S12.1")
def test_shaken_units_do_not_enter():
    game = fight("a us164 0201 shaken", "x de144 0101")
    assert no(game, "move a 0101").code == "shaken-melee"


@pytest.mark.rule("S10.4", "S12.1")
def test_who_fights_in_a_place_is_seen_there():
    """Though no marker says so, and nobody stands where he could look in."""
    game = fight("a us164 0101", "x de144 0101 stealth", terrain="w.......")
    assert spotted(game.position, 0) == 1 << game.board.places.index("0101")
    assert game.position.spotted_0 == 0


@pytest.mark.rule("S12.2")
@pytest.mark.refusal("S12.2")
def test_one_round_a_turn():
    game = fight("a us164 0201", "x de144 0101\ny squad-de 0501")
    play(game, "move a 0101", "strike x [1 1]", "strike a [1 1]")
    assert game.state()["hexes"]["0101"]["melee"]
    if decision(game)[0] == "de":
        play(game, "end")
    refuses(game, "melee 0101", "S12.2", "fought-already")


@pytest.mark.rule("S12.2")
def test_later_turns():
    """A melee from before: fought as an impulse, or else in the Admin Phase by who has the initiative."""
    game = fight("a us164 0101\nb us164 0101", "x de144 0101\ny de144 0101\nz squad-de 0601")
    yes(game, "melee 0101")
    play(game, "melee 0101", "strike x [1 1]", "strike a [1 1]")
    assert decision(game) == ("de", "operations")
    admin = fight("a us164 0101", "x de144 0101", passes=2, head={"initiative": "de"})
    play(admin, "end")
    assert decision(admin) == ("de", "melee")
    play(admin, "strike a [1 1]")
    play(admin, "strike x [1 1 5 1]")
    assert admin.state()["turn"] == 2 and admin.state()["initiative"] == "us"


@pytest.mark.rule("S12.2")
def test_a_melee_is_the_whole_impulse():
    game = fight("a us164 0101", "x de144 0101\ny de144 0601")
    play(game, "fire q 0601 [1 6]") if game.why_not("fire q 0601") is None else play(game, "move q 0701")
    if decision(game)[1] == "reaction":
        play(game, "pass")
    if decision(game) == ("us", "group"):
        assert no(game, "melee 0101")


@pytest.mark.rule("S12.2")
@pytest.mark.refusal("S12.2")
def test_who_has_won_a_round_does_no_more_in_that_impulse():
    game = begin(
        ".......", "us\n a us254 0101\n b us254 0101\n q squad-us 0701\nde\n x de144 0101\n z squad-de 0401"
    )
    events = play(game, "melee 0101", "strike x [6 6]", "strike a [1 1]")
    assert "melee-ends" in codes(events)
    assert decision(game) == ("de", "operations"), "the round was the whole impulse"
    game = begin(".......", "us\n a us254 0101\n q squad-us 0701\nde\n x de144 0101\n z squad-de 0401")
    play(game, "melee 0101")
    refused = game.position.frames[0].check(game.position, END)
    assert refused is not None and refused.rule == "S12.2"


@pytest.mark.rule("S12.3")
def test_the_example():
    """2-5-4 twice against 1-4-4 and a squad with FP 1: 4-1, needs 4, 8: dead; 1-1, needs 8, 7: nothing."""
    game = fight("a us254 0201\nb us254 0201", "x de144 0101\ny squad-de 0101\nz squad-de 0601")
    play(game, "move a,b 0101")
    assert decision(game) == ("us", "melee")
    killed = event(play(game, "strike x [4 4]"), "strike-kills")
    assert (killed.facts["own"], killed.facts["target"], killed.facts["number"]) == (4, 1, 4)
    assert decision(game) == ("de", "melee") and unit(game, "x")["hex"] == "0101", "it still strikes"
    failed = event(play(game, "strike a [3 4]"), "strike-fails")
    assert (failed.facts["own"], failed.facts["number"]) == (2, 8)
    assert unit(game, "x")["status"] == ["eliminated"] and "melee" in unit(game, "y")["status"]


@pytest.mark.rule("S12.3")
@pytest.mark.parametrize(("own", "target", "odds"), [
    (4, 1, (4, 1)), (3, 2, (1, 1)), (2, 3, (1, 2)), (1, 4, (1, 4)), (1, 5, (0, 0)), (9, 1, (5, 1)),
    (0, 1, (0, 0)), (2, 5, (1, 3)),
])  # fmt: skip
def test_odds_favour_the_target(own, target, odds):
    assert odds_of(own, target) == odds


@pytest.mark.rule("S12.3")
@pytest.mark.refusal("S12.3")
def test_whom_to_strike():
    game = fight("a us164 0201", "x us454 0101\ny squad-de 0101\nz squad-de 0601")
    play(game, "move a 0101")
    assert no(game, "strike x,y").code == "odds-too-low" and no(game, "strike z").code == "no-melee-target"
    refuses(game, "end", "S12.3", "strike-first")
    yes(game, "strike y", "strike x")


@pytest.mark.rule("S12.5", "S12.3")
@pytest.mark.parametrize(("state", "fp"), [("", 4 + 2), (" shaken", 2 + 2)])
def test_a_weapon_that_is_carried_strikes_too(state, fp):
    """Its firepower is added whole: that of its crew alone is halved."""
    game = fight(f"a us454 0101{state}\nw mg-us in a", "x de144 0101")
    assert firepower(game.position, game.board.ids.index("a")) == fp


@pytest.mark.rule("S12.3")
def test_a_leader_helps():
    game = fight("a us164 0201\nl lt 0201", "x de144 0101\nz squad-de 0601")
    play(game, "move a,l 0101")
    assert event(play(game, "strike x [3 4]"), "strike-kills").facts["number"] == 7


@pytest.mark.rule("S12.4")
def test_units_without_firepower():
    game = fight("a us164 0201", "m medic-de 0101\nz squad-de 0601")
    play(game, "move a 0101")
    failed = event(play(game, "strike m [1 1]"), "strike-fails")
    assert failed.facts["target"] == 1
    assert decision(game)[1] != "melee", "and he does not strike"


@pytest.mark.rule("S12.4")
def test_ambush():
    """Defenders whom nobody had spotted strike first, and whom they kill does not strike back."""
    game = begin("w....", "us\n a us164 0201\n q squad-us 0501\nde\n s us653 0101 stealth")
    events = play(game, "move a 0101")
    assert "melee-ambush" in codes(events) and decision(game) == ("de", "melee")
    play(game, "strike a [6 6]")
    assert unit(game, "a")["status"] == ["eliminated"] and "melee" not in unit(game, "s")["status"]


@pytest.mark.rule("S12.4")
def test_stealth_strikes_first_and_alone():
    game = begin("ww...", "us\n s us653 0201\n q squad-us 0501\nde\n x de144 0101\n y squad-de 0401")
    play(game, "move s 0101 stealth")
    assert decision(game) == ("us", "melee")
    play(game, "strike x [6 6]")
    assert unit(game, "x")["status"] == ["eliminated"] and unit(game, "s")["status"] == []


@pytest.mark.rule("S12.5")
def test_an_assault_marker_costs_nothing_in_melee():
    game = fight("h hero-us 0101 assault-move", "x de144 0101")
    assert firepower(game.position, game.board.ids.index("h")) == 1


@pytest.mark.rule("S12.6")
def test_reinforcing():
    """A second squad enters later: it is locked, and counts from the next round."""
    game = fight("a us164 0201\nb us164 0301", "x de144 0101\ny squad-de 0601")
    play(game, "move a 0101", "strike x [1 1]", "strike a [1 1]")
    if decision(game) == ("de", "operations"):
        play(game, "end")
    play(game, "move b 0201")
    while decision(game)[1] == "reaction":
        play(game, "pass")
    play(game, "move b 0101")
    assert decision(game)[1] != "melee" and "melee" in unit(game, "b")["status"]
    assert where(game, "b") == "0101"


@pytest.mark.rule("S12.4", "S12.6")
def test_who_joins_a_melee_that_goes_on_ambushes_nobody_and_waits_for_the_next_round():
    game = begin(
        "www....",
        "us\n a us164 0101\n s scout-us 0201\n q squad-us 0701\nde\n x de144 0101\n z squad-de 0401",
    )
    assert "melee-ambush" not in codes(play(game, "move s 0101 stealth"))
    assert "melee" in unit(game, "s")["status"] and decision(game)[1] != "melee"
    play(game, "end")
    yes(game, "melee 0101")
    play(game, "melee 0101", "strike x [1 1]")
    assert decision(game) == ("de", "melee"), "it strikes back"


@pytest.mark.rule("S11.6")
def test_shaken_defenders_fight_at_half():
    """A Shaken squad with FP 2 counts 1."""
    game = fight("a us254 0201", "x para-us 0101 shaken\nz squad-de 0601")
    play(game, "move a 0101")
    assert event(play(game, "strike x [1 1]"), "strike-fails").facts["target"] == 1
