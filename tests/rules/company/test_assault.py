"""C13: charges, defensive fire, strikes, counter-attacks, breaking off; artillery and aircraft."""

import pytest

from tests.rules.asking import codes, every, facts, marks, where
from tests.rules.company.table import allows, begin, offered, play, refuse

FIELD = "\n".join(["..........."] * 12)


PLAIN = "trained confident"


def fight(red, grey, red_rating=PLAIN, grey_rating=PLAIN, step="assault", **rest):
    text = f"red\n p {red_rating}\n  {red}\n o trained confident\n  spare rifle 1101\n"
    text += f"grey\n q {grey_rating}\n  {grey}\n r trained confident\n  far rifle 1112\n"
    return begin(FIELD, text, step=step, **rest)


@pytest.mark.rule("C13.1")
@pytest.mark.refusal("C13.1")
def test_a_charge_reaches_two_hexes():
    game = fight("a rifle 0404\n  b rifle 0403", "z rifle 0406 moved")
    refuse(game, "charge b 0406", "C13.1", "out-of-charge")
    refuse(game, "charge a 0405", "C13.1", "out-of-charge")
    refuse(game, "charge z 0404", "C13.1", "not-yours")
    play(game, "charge a 0406")
    assert (game.decision.kind, where(game, "a")) == ("charge", "0406")
    assert offered(game, "charge") == {"charge b 0405"}
    refuse(game, "end", "C13.1", "charge-first")


@pytest.mark.rule("C13.1", "C12.1")
@pytest.mark.refusal("C12.1", "C13.1")
def test_who_shot_in_full_or_cannot_charge():
    red = "a rifle-mg 0404\n  b rifle-mg 0405\n  g machine-gun 0505"
    game = fight(red, "z rifle 0406 moved\n  y rifle 0506 moved", step="shooting")
    play(game, "shoot a q [1 1]", "end")
    refuse(game, "charge a 0406", "C12.1", "shot-in-full")
    refuse(game, "charge g 0506", "C13.1", "cannot-charge")


@pytest.mark.rule("C13.2", "C12.3")
@pytest.mark.refusal("C13.2")
def test_defensive_fire_of_five_hits_stops_the_charge():
    game = fight(
        "a rifle 0404\n  b rifle 0404\n  c rifle 0404", "z machine-gun 0406 moved\n  y rifle 0506 moved"
    )
    play(game, "charge a 0406", "charge b 0405", "done")
    assert (game.decision.kind, game.decision.side) == ("defensive-fire", "grey")
    refuse(game, "charge z 0404", "C13.2", "defensive-fire-only")
    play(game, "shoot z p [3 3 3 3 3 1]")
    while game.decision.kind == "hits":
        order = sorted(map(str, game.orders()))[0]
        game.play(order)
    assert where(game, "a") in ("0404", None)
    assert "pinned" in {mark for name in "abc" for mark in marks(game, name)}
    assert game.decision.side == "grey", "the step is over: nobody else can charge"


@pytest.mark.refusal("C13.2")
def test_a_platoon_fires_once_at_a_charge():
    game = fight("a rifle 0404\n  b rifle 0404", "z rifle 0406 moved\n  y rifle 0506 moved")
    play(game, "charge a 0406", "done")
    play(game, "shoot z p [1 1]")
    assert game.decision.kind == "answer"
    game = fight("a rifle 0404\n  b rifle 0404", "z rifle 0406 moved\n  y rifle 0506 moved")
    play(game, "charge a 0406", "done")
    assert not allows(game, "shoot far p")


@pytest.mark.rule("C13.3", "C13.5")
def test_strikes_of_veterans():
    """Four veteran teams: 3, 1, 5, 2 are two hits, and two defending teams are lost."""
    red = "a rifle 0404\n  b rifle 0404\n  c rifle 0404\n  d rifle 0504"
    game = fight(
        red, "x rifle 0406 moved\n  y rifle 0406 moved\n  z rifle 0406 moved", red_rating="veteran confident"
    )
    play(game, "charge a 0406", "charge b 0406", "charge c 0406", "charge d 0506")
    events = play(game, "done [3 1 5 2 4]")
    strike = facts(events, "strike")
    assert (strike["need"], strike["hits"]) == (3, 2)
    assert len(every(events, "destroyed")) == 2


@pytest.mark.rule("C13.3")
def test_armour_is_struck_at_its_top():
    game = fight("a pioneer 0404", "z medium-tank 0406 moved\n  y medium-tank 1108")
    play(game, "charge a 0406")
    assert game.decision.kind == "defensive-fire"
    events = play(game, "done [4 2 3]")
    assert facts(events, "armour")["armour"] == 1
    assert where(game, "z") is None


@pytest.mark.rule("C13.4", "C11.1")
@pytest.mark.refusal("C13.4")
@pytest.mark.parametrize(("motivation", "may"), [("confident", True), ("reluctant", False)])
def test_who_may_counter_attack(motivation, may):
    """The die shows 4: a confident platoon may choose, a reluctant one must break off."""
    game = fight("a rifle 0404\n  b rifle 0403", "y rifle 0406 moved\n  z rifle 0407 moved",
                 grey_rating=f"trained {motivation}")  # fmt: skip
    play(game, "charge a 0406", "done", "done [4]")
    play(game, "take y [4]")
    assert (game.decision.kind == "answer") is may
    if may:
        refuse(game, "end", "C13.4", "answer-first")
        refuse(game, "counter r", "C13.4", "no-choice")
    else:
        assert game.decision.kind == "break-off"


@pytest.mark.rule("C13.4")
def test_without_a_hit_no_test_is_needed():
    game = fight("a rifle 0404", "z rifle 0406 moved")
    play(game, "charge a 0406")
    events = play(game, "done [1]")
    assert "counter-test" not in codes(events)
    assert game.decision.kind == "answer"


@pytest.mark.rule("C13.4")
def test_independent_teams_break_off():
    text = "red\n p trained\n  a rifle 0404\n  s rifle 1101\n"
    text += "grey\n alone z observer 0406 trained fearless moved\n"
    game = begin(FIELD, text + " r trained confident\n  far rifle 1112\n", step="assault")
    play(game, "charge a 0406", "done [1]")
    assert game.decision.kind == "break-off"


@pytest.mark.rule("C13.5", "C11.2")
@pytest.mark.refusal("C13.5")
def test_breaking_off():
    game = fight("a rifle 0404", "z rifle 0406 moved")
    play(game, "charge a 0406", "done [1]", "break-off q")
    refuse(game, "withdraw z 0407", "C13.5", "no-refuge")
    refuse(game, "end", "C13.5", "break-off-first")
    refuse(game, "withdraw far 1111", "C13.5", "stays-put")
    play(game, "withdraw z 0409")
    assert marks(game, "z") == {"moved", "pinned"}
    assert game.decision.kind == "consolidation"
    refuse(game, "end", "C13.5", "consolidate-first")
    refuse(game, "consolidate a 0403", "C13.5", "out-of-charge")
    play(game, "consolidate a 0405")
    assert where(game, "a") == "0405"


@pytest.mark.rule("C13.5")
def test_teams_that_cannot_get_away_are_lost():
    game = fight("a rifle 0404", "z aa-88 0406 moved\n  y rifle 1110")
    play(game, "charge a 0406", "done [1]", "break-off q")
    assert where(game, "z") is None


def at_the_door():
    """Teams a and b before the door of a house with team z in it."""
    rows = FIELD.split("\n")
    rows[5] = "...b......."
    text = "red\n p trained confident\n  a rifle 0404\n  b rifle 0404\n  s rifle 1101\n"
    text += "grey\n q trained confident\n  z rifle 0406 shot\n r trained confident\n  far rifle 1112\n"
    return begin("\n".join(rows), text, step="assault", opening=[{"side": "0405/0406", "width": 1}])


@pytest.mark.rule("C13.3")
def test_through_an_opening_strike_as_many_as_it_is_wide():
    game = at_the_door()
    play(game, "charge a 0406", "charge b 0405")
    events = play(game, "done [6]")
    assert facts(events, "strike")["units"] == ["a"], "b finds the door taken"


OUT_AGAIN = ("charge a 0406", "done", "done [1]", "counter q", "done [1]", "counter p", "charge a 0405")
"""Team a goes in and strikes in vain, is struck in vain, and goes out to strike from the door."""


@pytest.mark.rule("C13.1", "C13.3")
def test_who_is_outside_a_door_again_leaves_it_to_others():
    game = at_the_door()
    play(game, *OUT_AGAIN)
    assert allows(game, "charge b 0406")
    events = play(game, "charge b 0406 [1]")
    assert facts(events, "strike")["units"] == ["b"], "a strikes no more through it"


@pytest.mark.rule("C13.1", "C13.3")
def test_who_is_outside_a_door_again_may_come_in_again():
    game = at_the_door()
    play(game, *OUT_AGAIN, "done [1]", "counter q", "done [1]", "counter p")
    assert allows(game, "charge a 0406")


# -- artillery and aircraft ------------------------------------------------------------------------------

GUNS = """
red
    p trained confident
        a mortar-81 0111
        b mortar-81 0111
        c mortar-81 0111
        d mortar-81 0112
    alone o observer 0408 trained confident
    s trained confident
        spare rifle 0409
grey
    q veteran confident
        u rifle 0404 dug-in shot
        v rifle 0404 dug-in shot
        w rifle 0404 dug-in shot
        x rifle 0403 dug-in shot
        y rifle 0403 dug-in shot
        z rifle 0403 dug-in shot
"""


@pytest.mark.rule("C13.6", "C11.2", "C2.10")
def test_a_battery_ranges_in_and_the_template_falls():
    """Veterans, concealed and not gone to ground: 5 is needed; then a die of the battery's Skill each."""
    game = begin(FIELD, GUNS, step="shooting")
    events = play(game, "bombard p 0404 [3 5 4 4 1 4 1 1 2 3 2 5 6]")
    ranged = facts(events, "ranged-in")
    assert (ranged["need"], ranged["faces"], ranged["guns"]) == (5, [3, 5], 4)
    under = every(events, "under-the-template")
    assert sum(len(one["units"]) for one in under) == 6
    assert {one["need"] for one in under} == {4}
    assert len(every(events, "destroyed")) == 1
    assert "pinned" in marks(game, "u")


@pytest.mark.rule("C3.7", "C13.6")
def test_a_battery_that_tried_to_dig_in_bombards():
    game = begin(FIELD, GUNS)
    play(game, "dig p [1]", "end")
    assert allows(game, "bombard p 0404")
    assert "tried-to-dig" in marks(game, "a")
    game = begin(FIELD, GUNS.replace("mortar-81 0112", "mortar-81 0112 moved"), step="shooting")
    assert facts(play(game, "bombard p 0404 [1 1 1]"), "ranging-failed")["guns"] == 3, "who moved does not"


@pytest.mark.rule("C13.6")
@pytest.mark.refusal("C13.6")
def test_what_cannot_be_bombarded():
    game = begin(FIELD, GUNS, step="shooting")
    refuse(game, "bombard p 0405", "C13.6", "nothing-to-aim-at")
    refuse(game, "bombard s 0404", "C13.6", "no-battery")
    refuse(game, "bombard q 0404", "C13.6", "not-yours")
    blind = begin(FIELD, GUNS.replace("    alone o observer 0408 trained confident\n", ""), step="shooting")
    refuse(blind, "bombard p 0404", "C13.6", "no-observer")
    short = [{"id": "popgun", "name": "Popgun", "kind": "gun", "size": "man-packed", "mobility": "infantry",
              "bombardment": {"range": "8 in", "at": 1, "firepower": 6}}]  # fmt: skip
    game = begin(FIELD, GUNS.replace("mortar-81", "popgun"), step="shooting", type=short)
    refuse(game, "bombard p 0404", "C13.6", "guns-do-not-bear")


@pytest.mark.rule("C13.6")
def test_three_tries_and_then_nothing():
    game = begin(FIELD, GUNS, step="shooting")
    events = play(game, "bombard p 0404 [4 4 4]")
    assert "ranging-failed" in codes(events)
    assert "under-the-template" not in codes(events)


@pytest.mark.rule("C13.6", "C10.2")
def test_smoke_conceals_until_the_own_next_turn():
    game = begin(FIELD, GUNS.replace(" dug-in shot", " moved"), step="shooting")
    play(game, "bombard p 0404 smoke [4]")
    assert game.state()["hexes"]["0404"]["smoke"] is True
    assert facts(play(game, "shoot spare q [1]"), "volley")["need"] == 5
    while game.decision.side != "grey":
        play(game, "end")
    while game.decision.side == "grey":
        play(game, "end")
    assert "smoke" not in game.state()["hexes"].get("0404", {})


@pytest.mark.rule("C13.6")
@pytest.mark.parametrize(("guns", "radius"), [(1, 1), (3, 1), (6, 2), (9, 3), (14, 3)])
def test_templates_are_discs(guns, radius):
    from hexengine.systems.company.firing.artillery import template

    game = begin(FIELD, GUNS, step="shooting")
    assert template(game.position, guns).radius == radius


AIR = [{"side": "red", "calls": 2, "need": 5, "rof": 3, "at": 8, "firepower": 3}]


@pytest.mark.rule("C13.7", "C2.10")
@pytest.mark.refusal("C13.7")
def test_aircraft():
    grey = "grey\n q trained confident\n  z medium-tank 0106 doubled\n  y truck 1112\n"
    text = f"red\n p trained confident\n  a rifle 0112\n{grey}"
    game = begin(FIELD, text, step="shooting", air=AIR)
    refuse(game, "strike q", "C13.7", "no-aircraft")
    rest = {"step": "movement", "active": "grey", "air": AIR}
    game = begin(FIELD, text, **rest)
    play(game, "end [5]")
    assert (game.position.calls[0], game.position.flights[0]) == (1, 1)
    play(game, "end")
    events = play(game, "strike q [3 3 1 6 6]")
    assert facts(events, "volley")["dice"] == 3, "no more against teams that doubled"
    game = begin(FIELD, text, **rest)
    play(game, "end [4]")
    assert game.position.flights[0] == 0


@pytest.mark.rule("C11.2", "C13.1")
@pytest.mark.refusal("C13.1")
def test_armour_is_refused_a_second_charge_for_that_alone():
    """A platoon of armour that is marked as pinned charges all the same, once."""
    red = "red\n p trained pinned\n  a medium-tank 0101\n  b medium-tank 0103\n s trained\n  c rifle 0501\n"
    grey = "grey\n q trained\n  x rifle 0201\n r trained\n  y rifle 0701"
    game = begin(".......\n.......\n.......", red + grey, step="assault")
    play(game, "charge a 0201")
    while game.decision.kind != "assault":
        play(game, str(game.orders()[-1]))
    refuse(game, "charge b 0201", "C13.1", "cannot-charge")


@pytest.mark.rule("C1.4", "C13.6")
def test_a_battery_that_faces_all_ways_bombards_all_ways():
    """What turns its turret need not be turned."""
    howitzer = (
        'size = "light"\nmobility = "light-gun"\nbombardment = { range = "20 in", at = 2, firepower = 5 }'
    )
    gun = f'[[type]]\nid = "howitzer"\nname = "Howitzer"\nkind = "gun"\n{howitzer}\n'
    forces = (
        "red\n p trained\n  a howitzer 0102 faces 0101\n  b observer 0104\ngrey\n q trained\n  z rifle 0108"
    )
    for flags, bears in ('flags = ["turret"]', True), ("", False):
        game = begin("\n".join([".."] * 8), forces, step="shooting", tables=gun + flags)
        assert allows(game, "bombard p 0108") is bears
