"""Vehicles: stacking, driving, turning, passengers, armour, crews (S3.1, S4.10, S8.4, S11, S13.1, S14.2)."""

import pytest

from tests.rules.asking import codes, unit
from tests.rules.squad.table import begin, close, event, no, parts, play, refuses, where, yes

IDLE = "q squad-us 0803"
FIELD = "......../......../........"


def field(ours, theirs, terrain=FIELD, **rest):
    """Ours against theirs; somebody idle keeps the turn going."""
    return begin(terrain, f"us\n{ours}\n{IDLE}\nde\n{theirs}\n z half-de 0703 shaken", **rest)


# -- armour -------------------------------------------------------------------------------------------


@pytest.mark.rule("S14.2", "S11.5")
@pytest.mark.parametrize(("dice", "status"), [("5 6", ["shaken"]), ("3 4", [])])
def test_a_hit_that_does_not_penetrate(dice, status):
    """Needs 9, 4 + 3 hits the hull (7 is odd): 2 + 5 against 5 + 5, margin 3.

    Morale 7: 5 + 6 - 3 is 8, Shaken; 3 + 4 - 3 is 4.
    """
    game = field("a at 0101\nb tank 0201 facing=0101", "t tank 0501 facing=0401")
    events = play(game, f"fire b 0501 with b at t [4 3 2 5 {dice}]")
    assert event(events, "ordnance-hits").facts["number"] == 9
    facts = event(events, "penetration").facts
    assert (facts["penetration"], facts["armour"], facts["margin"]) == (5, 5, -3)
    assert event(events, "morale-check").facts["modifier"] == -3
    assert unit(game, "t")["status"] == status


@pytest.mark.rule("S14.2", "S11.5")
def test_a_check_that_is_passed_in_any_case_is_told_as_it_is():
    """1 + 5 against 6 + 6 on the turret: 6 is left of the armour, with which a crew of 7 needs no dice."""
    game = field("a at 0101\nb tank 0201 facing=0101", "t tank 0501 facing=0401")
    events = play(game, "fire b 0501 with b at t [3 3 1 6]")
    assert (
        event(events, "penetration").facts["margin"] == event(events, "morale-check").facts["modifier"] == -6
    )
    assert event(events, "morale-check").facts["faces"] == []


@pytest.mark.rule("S11.5")
@pytest.mark.parametrize(("dice", "status"), [("5 4", ["shaken"]), ("4 4", [])])
def test_the_crews_morale_check(dice, status):
    """Crew morale 6, margin 2: 5 + 4 - 2 is 7, Shaken; 4 + 4 - 2 is 6, passed."""
    game = field("a at 0101", "t tank6 0401 facing=0301")
    play(game, f"fire a 0401 at t [4 3 1 1 {dice}]")
    assert unit(game, "t")["status"] == status


@pytest.mark.rule("S14.2")
def test_equal_sums_are_a_check_without_help():
    game = field("b tank 0201 facing=0301", "t tank 0501 facing=0401")
    events = play(game, "fire b 0501 with b at t [4 3 3 3 4 4]")
    assert event(events, "morale-check").facts["modifier"] == 0 and unit(game, "t")["status"] == ["shaken"]


@pytest.mark.rule("S14.2")
def test_a_shaken_crew_checks_nothing():
    game = field("a at 0101", "t tank6 0401 facing=0301 shaken")
    assert "morale-check" not in codes(play(game, "fire a 0401 at t [4 3 1 1]"))


@pytest.mark.rule("S14.2")
@pytest.mark.parametrize(
    ("to_hit", "facing", "armour"),
    [
        ("4 3", "0401", 5),
        ("3 3", "0401", 6),
        ("1 1", "0401", 5),
        ("4 3", "0601", 2),
        ("3 3", "0601", 3),
        ("4 3", "0502", 5),
    ],
)
def test_hull_or_turret_ahead_or_to_the_side(to_hit, facing, armour):
    """Even above 2 is the turret; 2 itself the hull. Ahead is the half-circle that it faces."""
    game = field("b tank 0201 facing=0301", f"t tank 0501 facing={facing}")
    events = play(game, f"fire b 0501 with b at t [{to_hit} 6 1]")
    assert event(events, "penetration").facts["armour"] == armour


@pytest.mark.rule("S14.2")
def test_without_a_turret_every_hit_is_in_the_hull():
    game = field("b tank 0201 facing=0301", "t tank6 0501 facing=0401")
    assert event(play(game, "fire b 0501 with b at t [3 3 6 1]"), "penetration").facts["armour"] == 4


@pytest.mark.rule("S14.2", "S1.5")
def test_higher_penetration_destroys_and_leaves_a_wreck():
    game = field("b tank 0201 facing=0301", "t tank 0501 facing=0401")
    events = play(game, "fire b 0501 with b at t [4 3 4 3]")
    assert event(events, "penetration").facts["result"] == "destroyed"
    assert unit(game, "t")["status"] == ["eliminated"]
    assert game.state()["hexes"]["0501"]["wreck"]
    while game.state()["turn"] == 1:
        play(game, {"operations": "end", "rally": "done"}[game.decision.kind])
    assert game.state()["hexes"]["0501"]["wreck"]


@pytest.mark.rule("S14.2")
@pytest.mark.parametrize(
    ("place", "dice", "penetration"), [("0301", "1 6 1 1", 9), ("0501", "1 1 1 1", 2), ("0601", "2 1 1 1", 1)]
)
def test_penetration_goes_by_range_bands(place, dice, penetration):
    game = field("a at 0101", f"t tank {place}")
    facts = event(play(game, f"fire a {place} at t [4 3 {dice}]"), "penetration").facts
    assert facts["penetration"] == penetration


@pytest.mark.rule("S14.2")
@pytest.mark.refusal("S14.2")
def test_what_can_be_aimed_at():
    game = field("a at 0101\nm mortar-us 0101\nb tank6 0103 facing=0102", "t tank 0501\nd squad-de 0501")
    yes(game, "fire a 0501", "fire a 0501 at t", "fire m 0501", "fire b 0501")
    refuses(game, "fire a 0501 at d", "S14.2", "no-target-vehicle")
    refuses(game, "fire m 0501 at t", "S14.2", "no-penetration")
    refuses(game, "fire b 0501 at t", "S14.4", "not-its-ordnance")


@pytest.mark.rule("S14.2")
@pytest.mark.refusal("S14.2")
def test_a_gun_without_a_turret_fires_ahead():
    game = field("b tank6 0402 facing=0302\nc tank 0402 facing=0302", "t tank 0702")
    refuses(game, "fire b 0702 with b at t", "S14.2", "does-not-bear")
    yes(game, "fire b 0702", "fire c 0702 with c at t")
    play(game, "face b 0502")
    yes(game, "fire b 0702 with b at t")


@pytest.mark.rule("S14.1")
def test_a_moving_vehicle_is_harder_to_hit():
    game = field("a at 0101", "t tank 0401 moved")
    events = play(game, "fire a 0401 at t [4 3 3 3 1 1]")
    assert ("moving-target", 1) in parts(event(events, "ordnance-hits").facts)


@pytest.mark.rule("S14.3", "S8.5")
def test_a_shell_at_all_who_are_there():
    """HE 2 at a tank whose thinnest armour is 2: ahead by the dice; an armoured crew is Shaken at most."""
    game = field("a at 0101", "t tank 0401\nd de144 0401")
    # 6 against 1, ahead by 5 of the tank: 5 + 6 is beyond 7. Of the squad by 7: 7 + 6 is beyond twice 5.
    events = play(game, "fire a 0401 [4 3 6 1 6 6]")
    assert event(events, "attack").facts["armoured"] == ["t -2"]
    assert unit(game, "t")["status"] == ["shaken"] and unit(game, "d")["steps"] == 1


@pytest.mark.rule("S8.4", "S13.3", "S13.4")
def test_moving_helps_a_vehicle_against_aimed_fire_alone():
    """Its armour of 2, and 1 more as it moves; but shells and events strike all that is on the hex."""
    bang = ("event", {"id": "bang", "hex": "0201", "side": "us", "text": "A bang.", "attack": 2})
    shells = ("ffe", {"hex": "0201", "fp": 2})
    for table in (bang, shells):
        game = field("b tank6 0101 facing=0201", "x us454 0501", tables=[table])
        events = play(game, "move b 0201 [1 1]")
        assert event(events, "attack").facts["armoured"] == ["b -2"]
        assert event(play(game, "fire x 0201 [1 6]"), "attack").facts["armoured"] == ["b -3"]


@pytest.mark.rule("S8.5", "S8.6")
def test_fire_that_does_not_pierce():
    """An armoured crew is Shaken at most, then nothing more; a soft vehicle is lost at twice its morale."""
    hard = field("a us454 0101\nl lt 0101", "t track 0201 shaken")
    play(hard, "fire a 0201 [6 1 6]")
    assert unit(hard, "t")["status"] == ["shaken"]
    soft = field("a us454 0101", "t truck 0201")
    play(soft, "fire a 0201 [6 1 6]")
    assert unit(soft, "t")["status"] == ["eliminated"]


@pytest.mark.rule("S8.2")
def test_dice_that_cannot_matter_are_not_thrown():
    hard = field("a us164 0101", "t heavy 0401", tables=[("type", HEAVY)])
    assert "damage-check" not in codes(play(hard, "fire a 0401"))


HEAVY = {"id": "heavy", "kind": "vehicle", "values": "2-8-8", "morale": 6, "armour": {"hull": "9/8"}}


# -- modifiers ----------------------------------------------------------------------------------------


@pytest.mark.rule("S8.4", "S4.9")
@pytest.mark.parametrize(("markers", "difference"), [("", 3), ("moved", 2), ("assault-move", 2)])
def test_a_vehicle_on_the_move_is_harder_to_hit_not_easier(markers, difference):
    game = field("a us454 0101", f"t track 0401 {markers}")
    # 4 and dice of 3 and 3, armour 1.
    facts = event(play(game, "fire a 0401 [3 3 1]"), "damage-check").facts
    assert facts["margin"] == difference


@pytest.mark.rule("S8.4")
def test_passengers_fire_less_well():
    game = field("h track 0101\na us454 in h\ng track 0102 moved\nb us454 in g", "x de144 0401")
    assert ("passenger", -1) in parts(event(play(game, "fire a 0401 [1 6]"), "attack").facts)
    close(game)
    play(game, "end")
    assert ("passenger", -2) in parts(event(play(game, "fire b 0401 [1 6]"), "attack").facts)


@pytest.mark.rule("S8.4", "S2.8")
def test_machine_guns_after_turning_in_place():
    game = field("b tank 0402 facing=0302\nc tank 0401", "x de144 0702")
    play(game, "face b 0502")
    assert unit(game, "b")["facing"] == "0502" and unit(game, "b")["markers"] == ["turned"]
    assert ("turned", -1) in parts(event(play(game, "fire b 0702 [1 6]"), "attack").facts)
    idle = field("b tank 0402 facing=0302", "x de144 0702")
    play(idle, "face b 0502", "end")
    assert unit(idle, "b")["markers"] == ["ops-complete", "turned"]


@pytest.mark.rule("S8.3")
def test_its_machine_guns_combine():
    game = field("b tank 0101\na us454 0101", "x de144 0401")
    assert {("lead", 4), ("joins", 2)} <= parts(event(play(game, "fire a,b 0401 [1 6 1]"), "attack").facts)


# -- driving ------------------------------------------------------------------------------------------


@pytest.mark.rule("S3.1", "S3.2")
def test_two_vehicles_a_hex():
    game = field("b track 0101 facing=0201\nc tank 0201\nd tank 0201", "x de144 0803")
    assert no(game, "move b 0201").code == "stacking"
    fewer = field("b track 0101 facing=0201\nc tank 0201", "x de144 0803")
    yes(fewer, "move b 0201")
    many = field("b track 0101 facing=0201\nc tank 0201\nd tank 0201", "x de144 0803",
                 options={"vehicles_a_hex": 3})  # fmt: skip
    yes(many, "move b 0201")


@pytest.mark.rule("S4.10", "S4.1")
@pytest.mark.refusal("S4.10")
def test_what_steps_cost_a_vehicle():
    """Clear 2, woods 4, a hexside of turning 1; forest and houses are prohibited; it faces where it went."""
    game = field("b tank 0102 facing=0202", "x de144 0803", "......../.wF...../s.......")
    assert no(game, "move b 0103").code == "prohibited"
    events = play(game, "move b 0202")
    assert event(events, "move").facts["cost"] == 4 and unit(game, "b")["facing"] == "0303"
    assert no(game, "move b 0302").code == "prohibited"
    # 0203 lies a hexside to the right.
    events = play(game, "move b 0203")
    assert event(events, "move").facts["cost"] == 3 and event(events, "move").facts["left"] == 1


@pytest.mark.rule("S4.3")
def test_the_minimum_move_of_a_vehicle():
    slow = {"id": "slow-one", "kind": "vehicle", "values": "1-4-1", "morale": 6}
    game = field("b slow-one 0102 facing=0101", "x de144 0803", tables=[("type", slow)])
    yes(game, "move b 0202")


@pytest.mark.rule("S4.10")
@pytest.mark.refusal("S4.10")
def test_turning_in_place():
    game = field("b tank 0402 facing=0302\na squad-us 0402", "x de144 0803")
    refuses(game, "face a 0502", "S4.10", "no-vehicle")
    refuses(game, "face b 0302", "S4.10", "face-there")
    assert no(game, "face b 0702").code == "face-there"
    play(game, "face b 0401")
    refuses(game, "face b 0502", "S4.10", "turned-already")
    assert event(play(game, "move b 0401"), "move").facts["left"] == 8 - 1 - 2


@pytest.mark.rule("S4.10")
def test_what_is_lost_has_no_markers():
    mine = ("mines", {"hex": "0401", "side": "de", "fp": 9})
    game = field("b tank 0402 facing=0302", "x de144 0803", tables=[mine])
    play(game, "face b 0401", "move b 0401")
    assert unit(game, "b")["status"] == ["eliminated"] and unit(game, "b")["markers"] == []


@pytest.mark.rule("S2.4", "S7.7")
@pytest.mark.refusal("S2.4", "S7.7")
def test_a_vehicle_moves_by_itself():
    game = field("b tank 0402\na squad-us 0402\nl lt 0402", "x de144 0803")
    refuses(game, "move a,b 0401", "S2.4", "vehicle-alone")
    refuses(game, "move b 0401 crawl", "S7.7", "vehicle-crawls")
    assert no(game, "move b 0401 double").code == "no-leader-along"
    yes(game, "move a 0401", "move b 0401", "move b 0401 assault")


@pytest.mark.rule("S9.1", "S14.2")
def test_opportunity_fire_at_a_vehicle():
    game = field("b tank 0102 facing=0202", "g at 0502")
    play(game, "move b 0202")
    assert game.decision.kind == "reaction"
    # 9 less 2 in reaction; 9 is beyond it.
    assert "ordnance-misses" in codes(play(game, "fire g 0202 at b [4 4]"))


@pytest.mark.rule("S11.1", "S11.6")
def test_vehicles_rally_by_themselves():
    game = field("b tank 0402 shaken\na squad-us 0401 shaken", "x de144 0803", phase="rally")
    assert no(game, "rally a").code == "nobody-rallies"
    play(game, "rally b [3 4]")
    assert unit(game, "b")["status"] == []


@pytest.mark.rule("S12.1")
@pytest.mark.refusal("S12.1")
def test_vehicles_enter_no_hex_of_the_enemy():
    game = field("b tank 0101 facing=0201", "x de144 0201")
    refuses(game, "move b 0201", "S12.1", "vehicle-melee")


@pytest.mark.rule("S12.3")
def test_armour_in_melee():
    """FP 4 against 4 and an armour of 2: 1-2, 9 needed."""
    game = field("a us454 0301", "t tank 0401 facing=0301")
    events = play(game, "move a 0401", "strike t [4 4]")
    facts = event(events, "strike-fails").facts
    assert (facts["own"], facts["target"], facts["number"]) == (4, 6, 9)


# -- passengers ---------------------------------------------------------------------------------------


@pytest.mark.rule("S8.4")
def test_men_get_in_ride_and_get_out():
    game = field("h track 0101 facing=0201\na us454 0101\nm mg-us in a", "x de144 0803 shaken")
    play(game, "load a h")
    assert unit(game, "a")["carrier"] == "h" and unit(game, "a")["markers"] == ["moved"]
    assert unit(game, "h")["passengers"] == ["a"] and "aboard" in unit(game, "a")["status"]
    # 8 less 2 for loading.
    assert event(play(game, "move h 0201"), "move").facts["left"] == 4
    assert where(game, "a") == where(game, "m") == "0201"
    play(game, "unload h")
    assert unit(game, "a")["carrier"] is None and where(game, "a") == "0201"
    assert unit(game, "h")["markers"] == ["moved"]


@pytest.mark.rule("S8.4")
@pytest.mark.refusal("S8.4")
def test_who_cannot_get_in():
    game = field("h track 0101\na us454 0101\nb us454 0101\nl lt 0101\ng gun 0102\nk truck 0102\nt tank 0101",
                 "x de144 0803")  # fmt: skip
    refuses(game, "load a t", "S8.4", "no-transport")
    refuses(game, "load a k", "S8.4", "no-transport")
    refuses(game, "load g k", "S8.4", "not-carried")
    refuses(game, "unload h", "S8.4", "no-passengers")
    play(game, "load a h")
    refuses(game, "load b h", "S8.4", "no-seat")
    refuses(game, "move a 0201", "S8.4", "aboard")
    play(game, "load l h", "unload h")
    assert unit(game, "l")["markers"] == unit(game, "a")["markers"] == ["moved"]
    assert unit(game, "h")["markers"] == []


@pytest.mark.rule("S8.4", "S11.1", "S11.2")
@pytest.mark.refusal("S8.4")
def test_what_passengers_do_in_the_rally_phase():
    """They rally and are treated; who would split, join or take something gets out first: seats are few."""
    ours = """h track 0101
        a us254 in h half
        c us254 in h half
        w mg-us in c
        b us254 0101 half
        l lt 0101"""
    game = field(ours, "x de144 0803", phase="rally")
    for order in ("join c b", "join b c", "join a c"):
        refuses(game, order, "S8.4", "aboard")
    yes(game, "take b w")
    whole = field("h track 0101\na us454 in h\nl lt 0101\nb us454 0101", "x de144 0803", phase="rally")
    refuses(whole, "split a", "S8.4", "aboard")
    yes(whole, "split b")
    aid = field(
        "h track 0101\na us454 in h shaken\nn medic-us in h\nm medic-us 0101\nb us454 0101\ng mg-us in b",
        "x de144 0803",
        phase="rally",
    )
    refuses(aid, "treat n a", "S8.4", "aboard")
    refuses(aid, "take n g", "S8.4", "aboard")
    play(aid, "treat m a [4]")
    assert unit(aid, "a")["status"] == ["aboard"]
    yes(field("h track 0101\na us454 in h shaken\nl lt 0101", "x de144 0803", phase="rally"), "rally a")


@pytest.mark.rule("S3.1")
def test_passengers_count_in_their_hex():
    game = field(
        "h track 0101 facing=0201\na us454 in h\nb us454 0201\nc us454 0201\nd us454 0201", "x de144 0803"
    )
    assert no(game, "move h 0201").code == "stacking"


@pytest.mark.rule("S14.2", "S8.5")
def test_passengers_bail_out():
    """Penetration 2 and 4 against 1 and 1: ahead by 4; a die of 3 and 4 is beyond 5, Shaken."""
    forces = "us\n g at 0101\nde\n h track 0501\n d de144 in h\n e de144 0803\n"
    game = begin(FIELD, forces)
    events = play(game, "fire g 0501 at h [4 3 4 1 3]")
    assert event(events, "damage-check").facts["margin"] == 4
    assert unit(game, "h")["status"] == ["eliminated"]
    assert unit(game, "d")["status"] == ["shaken"] and unit(game, "d")["carrier"] is None


@pytest.mark.rule("S13.1")
def test_mines_against_armour():
    """FP 1 and a die against a die and the thinnest armour: 5 + 1 is above 2 + 3, 4 + 1 is not."""
    mine = ("mines", {"hex": "0201", "side": "de", "fp": 1})
    game = field("b tank 0101 facing=0201", "x de144 0803", tables=[mine])
    events = play(game, "move b 0201 [5 3]")
    assert event(events, "penetration").facts["result"] == "destroyed"
    assert event(events, "penetration").facts["margin"] == 5 + 1 - 3 - 2, (
        "by how much, though it is of no matter"
    )
    again = field("b tank 0101 facing=0201", "x de144 0803", tables=[mine])
    events = play(again, "move b 0201 [4 3 6 1]")
    assert event(events, "morale-check").facts["modifier"] == 0 and unit(again, "b")["status"] == []


@pytest.mark.rule("S13.1")
def test_mines_strike_who_gets_or_bails_out():
    mine = ("mines", {"hex": "0201", "side": "de", "fp": 1})
    game = field("h track 0101 facing=0201\na us454 in h", "x de144 0803", tables=[mine])
    events = play(game, "move h 0201 [1 6 1 1]", "unload h [6 1 6]")
    assert event(events, "attack").facts["units"] == ["a"] and unit(game, "a")["steps"] == 1
    bail = field("h track 0101 facing=0201\na us454 in h", "x de144 0803", tables=[mine])
    events = play(bail, "move h 0201 [6 1 1 1 6]")
    assert unit(bail, "h")["status"] == ["eliminated"] and unit(bail, "a")["status"] == ["shaken"]
    assert event(events, "attack").facts["units"] == ["a"]


@pytest.mark.rule("S11.5", "S13.4")
def test_an_event_may_ask_for_a_morale_check():
    """Two dice and 1 within 5."""
    scare = {"id": "scare", "hex": "0201", "side": "us", "text": "A siren.", "check": 1}
    for dice, status in (("2 2", []), ("3 2", ["shaken"])):
        game = field("a us454 0101", "x de144 0803 shaken", tables=[("event", scare)])
        events = play(game, f"move a 0201 [{dice}]")
        assert event(events, "morale-check").facts["modifier"] == 1
        assert unit(game, "a")["status"] == status
