"""The turn, initiative, impulses, the Admin Phase, victory (S1), and the markers' table (S15)."""

import pytest

from tests.rules.asking import codes, unit
from tests.rules.squad.table import begin, close, decision, event, no, play, refuses, where

FAR = "........./........."
FORCES = """
us
    a squad-us 0101
    b squad-us 0102
de
    x squad-de 0901 shaken
    y squad-de 0902
"""
NEAR = {"extended_range": False}
QUIET = FORCES.replace("squad-us", "para-us")


def passes(game, number):
    """The sides end so many impulses without doing anything."""
    return play(game, *["end"] * number)


@pytest.mark.rule("S1.1")
def test_a_turn_is_rally_operations_admin():
    """Operations of turn 2 end, Admin runs, turn 3 begins with its Rally Phase."""
    game = begin(FAR, FORCES.replace("0902", "0902 fired"), turn=2, passes=2)
    events = play(game, "end [4 4]")
    assert codes(events) == ["impulse-passed", "turn-ends", "turn-begins"]
    assert game.state()["turn"] == 3 and unit(game, "y")["markers"] == []
    game = begin(
        FAR, FORCES.replace("0901 shaken", "0901 shaken").replace("x squad-de", "x hmg-de"), turn=2, passes=2
    )
    play(game, "end [4 4]")
    assert decision(game) == ("de", "rally")


@pytest.mark.refusal("S1.1")
def test_nobody_moves_in_the_rally_phase():
    game = begin(FAR, FORCES.replace("x squad-de", "x hmg-de"), phase="rally")
    assert decision(game) == ("de", "rally")
    assert no(game, "move y 0802").rule == "S1.1"
    assert no(game, "move y 0802").code == "rally-phase"


@pytest.mark.rule("S1.2")
@pytest.mark.parametrize(("dice", "holder"), [("4 4", "de"), ("5 4", "us"), ("4 5", "de")])
def test_initiative(dice, holder):
    """The higher die has it; a tie leaves it: given Germans held it, 4 and 4, they keep it."""
    game = begin(FAR, FORCES, passes=2, head={"initiative": "de"})
    play(game, f"end [{dice}]")
    assert game.state()["initiative"] == holder
    assert decision(game) == (holder, "operations")


@pytest.mark.rule("S1.2")
def test_no_dice_in_the_first_turn():
    game = begin(FAR, FORCES, phase="rally", head={"initiative": "de"})
    assert decision(game) == ("de", "operations")
    assert game.entry == 0 and game.position.streams == [0, 0, 0]


@pytest.mark.rule("S1.2")
@pytest.mark.refusal("S1.2")
def test_the_side_with_the_initiative_rallies_first():
    forces = FORCES.replace("a squad-us 0101", "a hmg-us 0101 shaken").replace("x squad-de", "x hmg-de")
    game = begin(FAR, forces, phase="rally", head={"initiative": "de"})
    assert decision(game) == ("de", "rally")
    assert no(game, "rally a").code == "not-yours-to-rally"
    play(game, "rally x [6 6]")
    assert decision(game) == ("us", "rally")
    play(game, "rally a [1 1]")
    assert decision(game) == ("de", "operations")


@pytest.mark.rule("S1.3")
def test_three_passes_in_a_row_end_the_phase():
    """pass(US), pass(GE), pass(US): the phase ends at once."""
    game = begin(FAR, FORCES)
    passes(game, 2)
    assert decision(game) == ("us", "operations")
    assert "turn-ends" in codes(play(game, "end [1 1]"))


@pytest.mark.rule("S1.3")
def test_an_action_begins_the_count_again():
    game = begin(FAR, QUIET, options=NEAR)
    play(game, "end", "move y 0901")
    close(game)
    assert decision(game) == ("us", "operations")
    passes(game, 2)
    assert game.state()["turn"] == 1
    passes(game, 1)
    assert game.state()["turn"] == 2


@pytest.mark.rule("S1.3")
def test_who_has_nothing_left_passes_by_itself():
    game = begin(FAR, QUIET.replace("0901 shaken", "0901 shaken moved"), options=NEAR)
    play(game, "end", "move y 0901")
    close(game)
    play(game, "move a 0201")
    passed = close(game)
    assert decision(game) == ("us", "operations"), "the other side had nothing to activate"
    assert codes(passed) == ["group-closed", "impulse-ends", "impulse-passed"]
    play(game, "move b 0202 crawl [1 1]")
    assert game.state()["turn"] == 2, "three passes in a row, none of them ordered"


@pytest.mark.rule("S1.4")
@pytest.mark.refusal("S1.4")
def test_one_activation_a_turn():
    game = begin(FAR, QUIET, options=NEAR)
    play(game, "move a 0201")
    close(game)
    play(game, "end")
    assert no(game, "move a 0301").code == "already-activated"
    refuses(game, "fire a 0902", "S1.4", "moved-fire")


@pytest.mark.rule("S1.5")
def test_markers_that_come_off_and_those_that_stay():
    """AM and Fired and a Spotted marker on woods: none is left, and the hex needs spotting again."""
    game = begin(
        "w......../.........",
        """
        us
            a para-us  0101 assault-move fired
            b scout-us 0102 wounded
        de
            x squad-de 0901 shaken low-crawl
            y squad-de 0902 ops-complete
        """,
        passes=2,
    )
    game.position.spotted_0 = 1
    play(game, "end [1 1]")
    assert unit(game, "a")["markers"] == unit(game, "x")["markers"] == unit(game, "y")["markers"] == []
    assert unit(game, "x")["status"] == ["shaken"] and unit(game, "b")["status"] == ["wounded"]
    assert "spotted" not in game.state()["hexes"].get("0101", {})
    play(game, *(["end"] if decision(game)[0] == "us" else []))
    assert no(game, "fire y 0101").code == "not-spotted"


@pytest.mark.rule("S1.5", "S13.3")
def test_smoke_thins_and_shells_stop_after_a_turn():
    game = begin(FAR, FORCES, passes=2, tables=[("ffe", {"hex": "0501", "fp": 3})])
    game.position.smoke_1 = 1 << game.board.grid.index("0301")
    play(game, "end [1 1]")
    assert game.state()["hexes"] == {"0301": {"thin-smoke": True}, "0501": {"ffe": 3}}
    play(game, "end", "end", "end [1 1]")
    assert game.state()["hexes"] == {}


@pytest.mark.refusal("S1.5")
def test_nothing_is_ordered_in_the_admin_phase():
    """It runs by itself: its frame would refuse whatever came."""
    from hexengine.systems.squad.orders import END
    from hexengine.systems.squad.turn import Admin

    game = begin(FAR, FORCES)
    refused = Admin(1).check(game.position, END)
    assert refused is not None and refused.rule == "S1.5"


HOLD = [("victory", {"kind": "hold", "side": "de", "hex": "0401", "points": 2})]


@pytest.mark.rule("S1.6")
def test_the_last_to_pass_controls():
    """An objective last left by a German squad and now empty is German."""
    game = begin(
        FAR, FORCES.replace("y squad-de 0902", "y squad-de 0501"), impulse="de", tables=HOLD, turns=1
    )
    play(game, "move y 0401", "pass", "move y 0501", "pass", "done")
    assert game.state()["control"]["0401"] == "de" and game.state()["score"] == {"us": 0, "de": 2}
    play(game, "end")
    while game.decision:
        play(game, "end")
    assert game.result == {"winner": "de", "margin": 2, "reason": "points"}


@pytest.mark.rule("S1.6")
def test_neither_shaken_nor_leaders_take_control():
    game = begin(
        FAR,
        """
        us
            a squad-us  0101 shaken
            l leader-us 0301
        de
            y squad-de  0902 shaken
        """,
    )
    play(game, "move l 0401")
    close(game)
    play(game, "end", "move a 0102")
    close(game)
    assert "0401" not in game.state()["control"]
    assert "0102" not in game.state()["control"]


MINE = [("victory", {"kind": "hold", "side": "us", "hex": "0101", "points": 5})]
ALONE = "....."


@pytest.mark.rule("S1.6")
def test_who_wins_a_melee_controls_its_hex():
    """Two squads are alone in the hex at the end: it is theirs, without a step into it."""
    game = begin(
        ALONE,
        "us\n a us254 0201\n b us254 0201\nde\n x de144 0101\n z squad-de 0501 shaken",
        turns=1,
        tables=MINE,
    )
    assert game.state()["control"]["0101"] == "de"
    play(game, "move a,b 0101")
    assert game.state()["control"]["0101"] == "de", "both are there: it stays as it was"
    play(game, "strike x [6 6]", "strike a [1 1]")
    assert game.state()["control"]["0101"] == "us" and game.state()["score"]["us"] == 5


@pytest.mark.rule("S1.6")
def test_who_is_left_alone_in_a_house_controls_it():
    """A squad upstairs is in the hex: once the enemy has left its ground floor, it is theirs again."""
    game = begin(".t...", "us\n a us254 0101\n q squad-us 0501\nde\n x de144 0201/1\n z squad-de 0401 shaken")
    play(game, "move a 0201")
    assert game.state()["control"]["0201"] == "us", "the last to pass"
    play(game, "move a 0101")
    assert game.state()["control"]["0201"] == "de"


@pytest.mark.rule("S1.6")
def test_who_kills_each_other_leaves_control_as_it_was():
    game = begin(ALONE, "us\n a us254 0201\n q squad-us 0501\nde\n x us254 0101\n z squad-de 0301 shaken")
    play(game, "move a 0101", "strike x [6 6]", "strike a [6 6]")
    assert game.state()["control"]["0101"] == "de"


@pytest.mark.rule("S1.6")
def test_units_in_good_order_control_a_hex_that_shaken_ones_defend():
    game = begin(ALONE, "us\n a us254 0201\nde\n x de144 0101 shaken", map_keys={"control": {"0101": "de"}})
    play(game, "move a 0101")
    assert game.state()["control"]["0101"] == "us"


@pytest.mark.rule("S1.6")
def test_what_a_scenario_says_of_control_is_for_hexes_that_nobody_holds():
    forces = "us\n a us254 0101\n b us254 0201 shaken\nde\n x de144 0501"
    game = begin(ALONE, forces, map_keys={"control": {"0101": "de", "0201": "de", "0301": "de"}})
    assert game.state()["control"] == {"0101": "us", "0201": "de", "0301": "de", "0501": "de"}


@pytest.mark.rule("S1.6")
def test_who_rides_or_gets_out_controls():
    forces = "us\n t truck 0301 facing=0201\n a us254 in t\nde\n z squad-de 0501 shaken"
    game = begin(ALONE, forces, map_keys={"control": {"0201": "de"}})
    play(game, "move t 0201")
    assert game.state()["control"]["0201"] == "us"


@pytest.mark.rule("S1.6", "S11.1", "S11.2")
def test_who_rallies_on_the_objective_controls_it():
    """By a leader or by a medic; a squad that begins Shaken does not hold the hex that it is in."""
    forces = """
    us
        a squad-us  0101 shaken
        l leader-us 0101
        b squad-us  0301 shaken
        m medic-us  0301
    de
        z squad-de  0501 shaken
    """
    game = begin(ALONE, forces, phase="rally", map_keys={"control": {"0101": "de"}})
    assert game.state()["control"] == {"0101": "de"}
    play(game, "rally a [1 1]", "treat m b [1]")
    assert game.state()["control"] == {"0101": "us", "0301": "us"}


@pytest.mark.rule("S1.6", "S13.4")
def test_a_squad_that_comes_by_an_event_controls():
    event_ = {"id": "e", "hex": "0201", "side": "de", "text": "Relief."}
    forces = "us\n a us254 0501\n r us254 0101 event=e\nde\n z squad-de 0301\n y squad-de 0501/1"
    game = begin(
        "....t",
        forces.replace("0501\n r", "0401\n r"),
        impulse="de",
        tables=[("event", event_)],
        map_keys={"control": {"0101": "de"}},
    )
    play(game, "move z 0201")
    assert game.state()["control"]["0101"] == "us"


@pytest.mark.rule("S1.6")
def test_who_is_left_alone_on_the_levels_of_a_hex_controls_it():
    """Upstairs they came last and are shot: those on the ground hold the building."""
    forces = (
        "us\n a us254 0101\n b us454 0301\n c us454 0301\nde\n x de144 0101/1 fired\n z squad-de 0501 shaken"
    )
    game = begin("t....", forces, map_keys={"control": {"0101": "de"}})
    assert game.state()["control"]["0101"] == "de"
    play(game, "fire b,c 0101/1 [6 1 6]")
    assert "shaken" in unit(game, "x")["status"]
    assert game.state()["control"]["0101"] == "us"


@pytest.mark.rule("S1.6")
def test_a_side_without_units_loses_at_once():
    game = begin(FAR, "us\n a squad-us 0101\nde\n x medic-de 0201 wounded")
    events = play(game, "fire a 0201 [6 1 6]")
    assert event(events, "eliminated").facts["unit"] == "x"
    assert game.decision is None, "at once"
    assert game.result is not None and game.result["winner"] == "us" and game.result["reason"] == "last-units"


LAST = {
    "in an impulse": (
        "us\n a us454 0101\n b us454 0201\nde\n x squad-de 0401 shaken half",
        ["fire a 0401 [6 1 6]"],
    ),
    "in reaction": ("us\n a squad-us 0101\nde\n x us454 0401", ["move a 0201", "fire x 0201 [6 1 6]"]),
    "on the move": (
        "us\n p para-us 0101\n b us454 0102\nde\n x squad-de 0401 shaken half",
        ["move p 0201 assault", "fire p 0401 [6 1 6]"],
    ),
    "of a leader": (
        "us\n l leader-us 0101\n a us454 0101\n b us454 0102\nde\n x squad-de 0401 shaken half",
        ["activate l", "fire a 0401 [6 1 6]"],
    ),
    "in an ambush": ("us\n a us164 0201\nde\n s us653 0101 stealth", ["move a 0101", "strike a [6 6]"]),
}


@pytest.mark.rule("S1.6")
@pytest.mark.parametrize("when", LAST)
def test_it_loses_whatever_is_going_on(when):
    forces, orders = LAST[when]
    ground = "w...." if when == "in an ambush" else "....."
    game = begin(f"{ground}/.....", forces)
    events = play(game, *orders)
    assert game.decision is None and game.result is not None and game.result["reason"] == "last-units"
    assert event(events, "game-over").facts["reason"] == "last-units"
    assert game.state()["active"] is None


TABLE = {
    "moved": (False, True, True),
    "assault-move": (True, True, True),
    "low-crawl": (False, False, False),
    "fired": (False, False, True),
    "ops-complete": (False, False, False),
}
"""By marker: may be activated again (to fire), is a moving target, is spotted by itself in woods."""


@pytest.mark.rule("S15")
@pytest.mark.parametrize("marker", TABLE)
def test_what_a_marker_means(marker):
    fires, moving, spotted = TABLE[marker]
    game = begin(
        "......w",
        f"""
        us
            a para-us  0701 {marker}
            c squad-us 0601
        de
            y squad-de 0401
            z squad-de 0101
        """,
    )
    from hexengine.systems.squad.firing.damage import in_motion
    from hexengine.systems.squad.firing.fire import ready

    pos = game.position
    assert (game.why_not("fire a 0401") is None) == fires
    assert no(game, "move a 0601")
    assert bool(in_motion(pos, 1)) == moving
    from hexengine.systems.squad.sight.spotting import spotted as seen

    assert bool(seen(pos, 1) >> pos.place[0] & 1) == spotted
    assert bool(ready(pos, 0, True) & 1) == (marker in ("assault-move", "ops-complete"))


@pytest.mark.rule("S15")
@pytest.mark.parametrize(("before", "order", "after"), [
    ("", "move a 0201", ["moved"]),
    ("", "move a 0201 crawl", ["low-crawl"]),
    ("", "move a 0201 assault", ["assault-move"]),
    ("", "fire a 0401", ["fired"]),
    ("assault-move", "fire a 0401", ["assault-move", "fired"]),
])  # fmt: skip
def test_legal_changes_of_markers(before, order, after):
    game = begin(
        ".....", f"us\n a para-us 0101 {before}\nde\n y squad-de 0401 shaken\n z squad-de 0501 shaken"
    )
    play(game, order)
    assert unit(game, "a")["markers"] == after
    assert where(game, "y") in ("0401", None)
