"""What an impulse activates, and its groups (S2)."""

import pytest

from tests.rules.asking import codes, unit
from tests.rules.squad.table import begin, decision, event, no, play, refuses, where, yes

MAP = "......../......../........"
THREE = """
us
    a us164 0102
    b us164 0102
    c us164 0102
    e us164 0202
    l lt    0102
de
    x squad-de 0602 shaken
    y squad-de 0802 shaken
"""


@pytest.mark.rule("S2.1")
def test_some_of_a_hex_act_and_the_others_stay_free():
    game = begin(MAP, THREE)
    play(game, "move a 0201", "done", "end", "end")
    yes(game, "move b 0101", "move c 0103")


@pytest.mark.rule("S2.1")
@pytest.mark.refusal("S2.1")
def test_a_hex_is_activated_and_no_other():
    game = begin(MAP, THREE)
    play(game, "move a 0101", "done")
    refuses(game, "move e 0302", "S2.1", "not-active")
    assert no(game, "move x 0502").code == "not-yours"
    assert no(game, "fire x 0102").code == "not-yours"
    assert no(game, "rally a").code == "wrong-decision"


@pytest.mark.rule("S2.2")
def test_a_leader_reaches_his_neighbours():
    game = begin(MAP, THREE)
    play(game, "activate l")
    yes(game, "move a 0101", "move e 0302")


@pytest.mark.refusal("S2.2")
@pytest.mark.rule("S2.2")
def test_who_leads_nobody():
    wounded = begin(MAP, THREE.replace("l lt    0102", "l lt 0102 wounded"))
    refuses(wounded, "activate l", "S2.2", "leader-wounded")
    yes(wounded, "move a,l 0101")
    assert no(begin(MAP, THREE), "activate a").code == "no-leader"
    alone = begin(MAP, THREE.replace("e us164 0202", "e us164 0302"))
    assert no(alone, "activate l").code == "leader-range"
    acted = begin(MAP, THREE)
    play(acted, "move a 0101", "done")
    assert no(acted, "activate l").code == "led-already"
    shaken = begin(MAP, THREE.replace("l lt    0102", "l lt 0102 shaken"))
    assert no(shaken, "activate l").rule == "S11.6"


@pytest.mark.rule("S2.2")
def test_a_scenario_sets_another_range():
    game = begin(MAP, THREE.replace("e us164 0202", "e us164 0302"), options={"leader_range": 2})
    play(game, "activate l")
    yes(game, "move e 0401")


@pytest.mark.rule("S2.2")
def test_a_leader_who_was_reached_does_not_spread_it_further():
    game = begin(MAP, THREE.replace("e us164 0202", "e us164 0302\n    m lt 0202"))
    play(game, "activate l")
    yes(game, "move m 0302")
    assert no(game, "activate m").code == "led-already"
    refuses(game, "move e 0402", "S2.2", "not-active")


@pytest.mark.rule("S2.3")
def test_neighbours_go_their_own_way():
    game = begin(MAP, THREE)
    play(game, "activate l", "fire a 0602 [1 6]")
    yes(game, "move e 0302", "fire e 0602")
    play(game, "move e 0302", "done")
    assert where(game, "e") == "0302"


@pytest.mark.rule("S2.4")
@pytest.mark.refusal("S2.4")
def test_one_move_group_and_one_target_a_hex():
    game = begin(MAP, THREE.replace("c us164", "c squad-us"))
    play(game, "move a 0101", "done")
    refuses(game, "move b 0202", "S2.4", "group-must-move-together")
    yes(game, "fire b,c 0602")
    play(game, "fire b 0602 [1 6]")
    assert no(game, "fire c 0602").code == "one-target-per-hex"
    assert no(begin(MAP, THREE), "move a,e 0101").code == "different-places"


@pytest.mark.rule("S2.4")
def test_ordnance_fires_at_a_target_of_its_own():
    forces = THREE.replace("y squad-de 0802", "y squad-de 0402").replace("de\n", "    z bazooka in c\nde\n")
    game = begin(MAP, forces)
    play(game, "fire a,b 0602 [1 6]")
    yes(game, "fire c 0402 with z")
    assert no(game, "fire c 0402").code == "one-target-per-hex"


LINE = "........."
ASSAULT = """
us
    a para-us 0501
    b para-us 0501
    z bazooka in b
    k para-us 0501
de
    x squad-de 0301 shaken
    y squad-de 0901 shaken
"""


@pytest.mark.rule("S2.4", "S6.5")
@pytest.mark.refusal("S2.4")
def test_who_has_moved_on_by_assault_fires_at_the_target_of_the_hex():
    game = begin(LINE, ASSAULT)
    play(game, "fire k 0301 [1 6]", "move a 0601 assault")
    refuses(game, "fire a 0901", "S2.4", "one-target-per-hex")
    play(game, "done")
    refuses(game, "fire a 0901", "S2.4", "one-target-per-hex")
    yes(game, "fire a 0301")
    play(game, "fire a 0301 [1 6]")
    assert no(game, "fire b 0301").code == "one-target-per-hex", "those who stand have fired, too"


@pytest.mark.rule("S2.4", "S6.5")
@pytest.mark.refusal("S2.4")
def test_who_stays_fires_at_the_target_of_those_who_moved_on():
    game = begin(LINE, ASSAULT)
    play(game, "move a 0601 assault", "fire a 0901 [1 6]")
    refuses(game, "fire b 0301", "S2.4", "one-target-per-hex")
    yes(game, "fire b 0301 with z", "fire b,k 0901")
    game = begin(LINE, ASSAULT)
    play(game, "move a,k 0601 assault", "fire a 0901 [1 6]")
    assert no(game, "fire k 0901").code == "one-target-per-hex", "who stands together fires once"


@pytest.mark.rule("S2.3", "S2.4")
def test_groups_of_two_hexes_that_meet_keep_their_targets():
    """One of them has fired before: those with it may join in at its target only, others are free."""
    forces = """
    us
        l leader-us 0501
        a para-us   0501
        c para-us   0501
        b para-us   0601
    de
        x squad-de 0301 shaken
        y squad-de 0901 shaken
    """
    game = begin(LINE, forces)
    play(game, "activate l", "fire c 0301 [1 6]", "move a 0601 assault", "done")
    yes(game, "fire a 0301", "fire b 0901", "fire b 0301", "fire a,b 0301")
    refuses(game, "fire a,b 0901", "S2.4", "one-target-per-hex")
    play(game, "fire a,b 0301 [1 6]")
    assert unit(game, "a")["markers"] == ["assault-move", "fired"] and unit(game, "b")["markers"] == ["fired"]


@pytest.mark.rule("S2.4", "S6.5", "S14.4")
def test_ordnance_of_a_mate_fires_after_the_fire_of_an_assault():
    game = begin(LINE, ASSAULT)
    play(game, "move a,b 0601 assault", "fire a 0901 [1 6]")
    yes(game, "fire b 0301 with z")
    assert no(game, "fire b 0901").code == "one-target-per-hex"


@pytest.mark.rule("S6.5", "S7.16")
@pytest.mark.parametrize(("kind", "mode"), [("para-us", "assault"), ("us653", "stealth")])
def test_who_has_ended_its_move_may_still_fire_in_the_impulse(kind, mode):
    game = begin(
        LINE, f"us\n a {kind} 0501\n k squad-us 0501\nde\n x squad-de 0301 shaken\n y squad-de 0901 shaken"
    )
    play(game, f"move a 0601 {mode}", "done")
    assert decision(game) == ("us", "operations")
    yes(game, "fire a 0901", "fire a 0301")
    play(game, "fire k 0901 [1 6]")
    assert decision(game) == ("us", "operations"), "the impulse does not end before that fire"
    play(game, "fire a 0901 [1 6]")
    assert "fired" in unit(game, "a")["markers"]


@pytest.mark.rule("S2.1", "S8.4")
def test_passengers_of_a_vehicle_that_has_moved_may_still_fire():
    forces = "us\n t truck 0301 facing=0401\n a us454 in t\nde\n y squad-de 0801 shaken"
    game = begin(LINE, forces)
    play(game, "move t 0401", "done")
    yes(game, "fire a 0801")


@pytest.mark.refusal("S2.4")
def test_a_group_on_the_move_takes_nobody_along():
    game = begin(MAP, THREE)
    play(game, "move a 0202")
    assert no(game, "move a,e 0302").code == "group-must-move-together"


@pytest.mark.rule("S2.4")
def test_the_slowest_member_counts():
    game = begin(MAP, "us\n a us164 0102\n t hmg-us 0102\nde\n x squad-de 0802 shaken")
    assert event(play(game, "move a,t 0202"), "move").facts["left"] == 1


WATCHED = """
us
    a us164 0102
    b us164 0102
    c us164 0102
de
    x us454 0501
"""


@pytest.mark.rule("S2.5", "S9.8")
@pytest.mark.refusal("S2.5")
def test_who_is_shaken_stays_and_the_others_go_on():
    """Three squads with MF 4 have spent 2 when fire makes one Shaken: b and c have 2 left."""
    game = begin(MAP, WATCHED)
    play(game, "move a,b,c 0202", "pass", "move a,b,c 0302")
    # 4 and a die of 3, and 1 for moving, against a die of 6: ahead by 2. a checks 4 + 2, b and c less.
    play(game, "fire x 0302 [3 6 4 1 2]")
    assert unit(game, "a")["status"] == ["shaken"] and unit(game, "a")["markers"] == ["moved"]
    assert decision(game) == ("us", "group")
    assert no(game, "move a,b,c 0402").code == "stopped"
    moved = event(play(game, "move b,c 0303"), "move")
    assert moved.facts["left"] == 1 and where(game, "a") == "0302"


@pytest.mark.refusal("S2.5")
def test_a_group_does_not_split_by_choice():
    game = begin(MAP, THREE)
    play(game, "move a,b 0202")
    assert no(game, "move a 0302").code == "no-split"


@pytest.mark.rule("S2.5")
def test_a_wounded_hero_goes_on_with_his_new_mf():
    game = begin(MAP, "us\n h hero-us 0102\nde\n x us454 0502")
    play(game, "move h 0202")
    play(game, "fire x 0202 [4 4 4]")
    assert unit(game, "h")["status"] == ["wounded"]
    assert event(play(game, "move h 0201"), "move").facts["left"] == 1, (
        "MF 3 less the 1 spent before and 1 now"
    )


@pytest.mark.rule("S2.6")
@pytest.mark.refusal("S2.6")
def test_one_action_after_the_other():
    """Fire first, then the move past the enemy that it shook; nothing else while a group moves."""
    game = begin(MAP, THREE.replace("x squad-de 0602 shaken", "x squad-de 0402"))
    play(game, "activate l", "fire a,b,c 0402 [1 1 3]")
    assert unit(game, "x")["status"] == ["shaken"]
    play(game, "move e 0302")
    assert decision(game) == ("us", "group"), "nobody is left to react"
    assert no(game, "fire a 0402").code == "group-open"
    assert no(game, "end").code == "group-open"


@pytest.mark.rule("S2.7")
def test_who_only_leads_is_ops_complete():
    game = begin(MAP, THREE)
    play(game, "activate l", "move e 0302", "done", "end")
    assert unit(game, "l")["markers"] == ["ops-complete"]
    game = begin(MAP, THREE)
    play(game, "activate l", "move l 0202", "done", "end")
    assert unit(game, "l")["markers"] == ["moved"]


@pytest.mark.rule("S2.8")
@pytest.mark.refusal("S2.8")
def test_ops_complete_acts_no_more_and_still_reacts():
    game = begin(
        MAP, THREE.replace("a us164 0102", "a us164 0102 ops-complete").replace("0802 shaken", "0302")
    )
    assert (no(game, "move a 0202").rule, no(game, "fire a 0302").rule) == ("S2.8", "S2.8")
    play(game, "end", "move y 0402")
    yes(game, "fire a 0402")
    play(game, "fire a 0402 [1 6]")
    assert unit(game, "a")["markers"] == ["fired", "ops-complete"]


@pytest.mark.rule("S2.8")
def test_failed_smoke_is_ops_complete():
    game = begin(MAP, THREE.replace("a us164", "a squad-us"))
    assert "smoke-failed" in codes(play(game, "smoke a 0202 [3]"))
    assert no(game, "move a 0202").code == "ops-complete"
