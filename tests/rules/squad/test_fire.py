"""Direct fire, damage checks, smoke, opportunity fire, ordnance (S8, S9, S14)."""

import pytest

from hexengine.core.errors import InvalidOrder
from hexengine.systems.squad.victory import losses
from tests.rules.asking import codes, unit
from tests.rules.squad.table import begin, close, decision, event, no, parts, play, refuses, where, yes

IDLE = "q squad-us 0801"


def duel(firers, target, terrain="........", **rest):
    """Units of us against units of de; somebody idle keeps the turn going."""
    return begin(terrain, f"us\n{firers}\n{IDLE}\nde\n{target}", **rest)


def attack(game, order):
    """The facts of the attack that an order makes."""
    return event(play(game, order), "attack").facts


# -- conditions and procedure -------------------------------------------------------------------------


@pytest.mark.rule("S8.1")
@pytest.mark.refusal("S8.1")
def test_the_target_must_be_spotted():
    game = duel("a us164 0101", "x de144 0301", "..w.....")
    refuses(game, "fire a 0301", "S8.1", "not-spotted")
    yes(duel("a us164 0101", "x de144 0301 fired", "..w....."), "fire a 0301")
    assert no(game, "fire a 0501").code == "not-spotted"


@pytest.mark.rule("S8.1")
def test_beyond_the_printed_range_there_is_only_extended_range():
    game = duel("a us164 0101", "x de144 0801".replace("0801", "0701"))
    assert no(duel("a us254 0101", "x de144 0701", options={"extended_range": False}), "fire a 0701")
    assert ("lead", 1) in parts(attack(game, "fire a 0701 [1 6]"))


@pytest.mark.rule("S8.2")
def test_the_opposed_roll():
    """FP 4, LM 1, adjacent 2 and a die of 3 are 10; light woods and a die of 4 are 5; ahead by 5."""
    game = duel("a us454 0101\nl lt 0101", "x de144 0201", ".w......")
    facts = attack(game, "fire a 0201 [3 4 1]")
    assert facts["attack"] + 3 == 10 and facts["defence"] + 4 == 5 and facts["difference"] == 5


@pytest.mark.rule("S8.2")
def test_no_effect():
    """A die of 1 and FP 2 against a die of 6: nothing happens."""
    game = duel("a us254 0101", "x de144 0401")
    events = play(game, "fire a 0401 [1 6]")
    assert event(events, "attack").facts["difference"] == 0 and "damage-check" not in codes(events)


@pytest.mark.rule("S8.3")
@pytest.mark.refusal("S8.3")
def test_combining():
    """Three 1-6-4 and an MG of 2: 5. 2-5-4 and 1-4-4: 3. Who has no firepower takes no part."""
    from hexengine.systems.squad.firing.fire import parts as parts_of

    game = duel("a us164 0101\nb us164 0101\nc us164 0101\nm mg-us in c", "x de144 0401")
    assert (
        sum(part.value for part in parts_of(game.position, 0b111, game.board.places.index("0401"), False))
        == 5
    )
    game = duel("a us254 0101\nb half-us 0101\nl lt 0101", "x de144 0401")
    assert (
        sum(part.value for part in parts_of(game.position, 0b11, game.board.places.index("0401"), False)) == 4
    )
    refuses(game, "fire a,l 0401", "S8.3", "no-firepower")
    assert no(game, "fire a,q 0401").code == "different-places"


@pytest.mark.rule("S8.4")
def test_modifiers():
    """Two squads and a leader through one degrading hex at a Moved squad: 2 + 1 - 1, and 1 for moving."""
    game = begin(
        "./f/./.", "us\n a de154 0101\n b de154 0101\n l lt 0101\n q squad-us 0102\nde\n x de144 0104 moved"
    )
    facts = attack(game, "fire a,b 0104 [1 6]")
    assert parts(facts) == {("lead", 1), ("joins", 1), ("leader", 1), ("degrading", -1)}
    assert facts["moving"] == ["x"] and facts["attack"] == 2


@pytest.mark.rule("S8.4")
def test_adjacent_and_out_of_smoke():
    game = duel("a us164 0101", "x de144 0201")
    game.position.smoke_1 = 1
    assert {("adjacent", 2), ("out-of-smoke", -1)} <= parts(attack(game, "fire a 0201 [1 6]"))


@pytest.mark.rule("S8.4")
@pytest.mark.parametrize(("place", "lit", "dark"), [("0401", [], 1), ("0401", ["0401"], 0), ("0301", [], 0)])
def test_night(place, lit, dark):
    """Beyond two hexes, and not lit."""
    game = duel("a us454 0101", f"x de144 {place}", options={"night": True}, head={"lit": lit})
    assert (("night", -3) in parts(attack(game, f"fire a {place} [1 6]"))) == bool(dark)


@pytest.mark.rule("S8.4", "S10.5")
def test_floors_of_two_buildings_are_not_adjacent():
    game = begin("tt.", "us\n a us164 0101/1\n q squad-us 0301\nde\n x de144 0201 fired")
    assert no(game, "fire a 0201").rule == "S10.1"
    level = begin("tt.", "us\n a us164 0101/1\n q squad-us 0301\nde\n x de144 0201/1 fired")
    assert ("adjacent", 2) in parts(attack(level, "fire a 0201/1 [1 6]"))


# -- damage -------------------------------------------------------------------------------------------


@pytest.mark.rule("S8.5")
@pytest.mark.parametrize(
    ("die", "status", "steps"), [(1, [], 2), (2, ["shaken"], 2), (6, ["shaken", "half"], 1)]
)
def test_the_damage_check(die, status, steps):
    """Ahead by 5, LM 1, morale 5: 1 is 5, nothing; 2 is 6, Shaken; 6 is 10, a half-squad."""
    game = duel("a us454 0101", "x de144 0201\nl lt-de 0201", ".w......")
    # 4 + 2 - 1 and dice of 5 and 5: ahead by 5. The leader checks first: 1 + 5 is within 6.
    play(game, f"fire a 0201 [5 5 1 {die}]")
    assert unit(game, "x")["status"] == status and unit(game, "x")["steps"] == steps


@pytest.mark.rule("S8.5")
def test_a_leader_who_is_shaken_gives_no_lm():
    game = duel("a us454 0101", "x de144 0201\nl lt-de 0201", ".w......")
    events = play(game, "fire a 0201 [5 5 2 1]")
    checks = [one.facts for one in events if one.code == "damage-check"]
    assert [one["unit"] for one in checks] == ["l", "x"] and [one["lm"] for one in checks] == [0, 0]


TABLE = [
    ("x de144 0401", 6, ["shaken"], 2), ("x de144 0401", 10, ["shaken", "half"], 1),
    ("x de144 0401", 15, None, 0),
    ("x half-de 0401", 6, ["shaken"], 1), ("x half-de 0401", 10, None, 0),
    ("x hmg-de 0401", 6, ["shaken"], 1), ("x hmg-de 0401", 10, None, 0),
    ("x hero-de 0401", 7, ["wounded"], 1), ("x hero-de 0401", 12, ["wounded"], 1),
    ("x hero-de 0401", 18, None, 0), ("x lt-de 0401", 18, None, 0),
    ("x lt-de 0401", 7, ["shaken"], 1), ("x lt-de 0401", 12, ["shaken", "wounded"], 1),
    ("x medic-de 0401", 10, ["shaken", "wounded"], 1), ("x scout-de 0401", 12, ["shaken", "wounded"], 1),
]  # fmt: skip
"""Unit, the sum of its check, and what becomes of it."""


@pytest.mark.rule("S8.5", "S8.7")
@pytest.mark.parametrize(("target", "total", "status", "steps"), TABLE)
def test_every_column_of_the_damage_table(target, total, status, steps):
    from hexengine.core.dice import ScriptedDice
    from hexengine.systems.squad.firing.damage import check

    game = duel("a us454 0101", target)
    pos, x = game.position, game.board.ids.index("x")
    check(pos, x, total - 3, 0, ScriptedDice([3], pos.streams), None)
    assert unit(game, "x")["steps"] == steps
    if status is not None:
        assert unit(game, "x")["status"] == status
    else:
        assert unit(game, "x")["status"] == ["eliminated"]


@pytest.mark.rule("S8.6")
def test_shaken_twice():
    """A Shaken squad that is Shaken again is a Shaken half-squad; with the option nothing more happens."""
    for option, steps in (("casualty", 1), ("nothing", 2)):
        game = duel("a us454 0101", "x de144 0401 shaken", options={"shaken_twice": option})
        play(game, "fire a 0401 [1 3 4]")
        assert unit(game, "x")["steps"] == steps


@pytest.mark.rule("S8.6")
@pytest.mark.parametrize(("target", "dice", "steps"), [("hmg-de", "1 3 4", 0), ("lt-de", "1 3 5", 1)])
def test_shaken_twice_for_teams_and_men(target, dice, steps):
    game = duel("a us454 0101", f"x {target} 0401 shaken\nz de144 0701")
    play(game, f"fire a 0401 [{dice}]")
    assert unit(game, "x")["steps"] == steps


@pytest.mark.rule("S8.6")
def test_the_shaken_morale_counts():
    kind = {"id": "frail", "kind": "squad", "values": "1-5-4", "morale": 6, "shaken_morale": 3, "half": {}}
    game = duel("a us454 0101", "x frail 0401 shaken", tables=[("type", kind)])
    assert event(play(game, "fire a 0401 [1 3 1]"), "damage-check").facts["morale"] == 3


@pytest.mark.rule("S8.7")
def test_wounds():
    """Leader MF 6 wounded: MF 4, range 0; wounded again: eliminated."""
    from hexengine.systems.squad.position import mf

    game = begin("........", "us\n l lt 0101 wounded\n a us164 0201\nde\n x us454 0501", impulse="de")
    assert mf(game.position, 0) == 4
    play(game, "fire x 0101 [6 2 5]")
    assert unit(game, "l")["status"] == ["eliminated"]


@pytest.mark.rule("S8.1")
@pytest.mark.parametrize("tail", ["with", "at", "with w at", "at x with w", "quickly"])
def test_what_may_stand_behind_a_shot(tail):
    game = duel("a us454 0101\nw mg-us in a", "x squad-de 0401")
    with pytest.raises(InvalidOrder):
        game.parse(f"fire a 0401 {tail}")
    assert str(game.parse("fire a 0401 WITH w AT x")) == "fire a 0401 with w at x"


@pytest.mark.rule("S8.8")
def test_a_natural_one_may_make_a_hero():
    game = duel("a us454 0101", "x squad-de 0401", options={"hero_creation": True})
    events = play(game, "fire a 0401 [1 3 1 4]")
    assert event(events, "hero").facts["hex"] == "0401" and unit(game, "hero-de-1")["hex"] == "0401"
    lost, pos = game.board.ids.index("x"), game.position
    pos.steps[lost] = 0
    assert losses(pos, game.board.side[lost]) == 2, "who was not there at the start makes up for nobody"
    odd = duel("a us454 0101", "x squad-de 0401", options={"hero_creation": True})
    assert "hero" not in codes(play(odd, "fire a 0401 [1 3 1 3]"))
    off = duel("a us454 0101", "x squad-de 0401")
    assert "hero" not in codes(play(off, "fire a 0401 [1 3 1]"))


@pytest.mark.rule("S8.9")
@pytest.mark.refusal("S8.9")
def test_extended_range():
    """1-6-4 at range 8 has FP 1, half of 2 is 1; twice the range is the end."""
    game = duel("a us164 0101\nb us254 0101", "x de144 0701")
    assert ("lead", 1) in parts(attack(game, "fire a 0701 [1 6]"))
    two = duel("a us254 0101", "x de144 0701")
    assert ("lead", 1) in parts(attack(two, "fire a 0701 [1 6]"))
    far = begin("." * 14, "us\n a us164 0101\n q squad-us 0201\nde\n x de144 1401")
    refuses(far, "fire a 1401", "S8.9", "out-of-range")
    off = duel("a us254 0101", "x de144 0701", options={"extended_range": False})
    assert no(off, "fire a 0701").code == "out-of-range"


@pytest.mark.rule("S8.9")
def test_halvings_in_their_order():
    """The unit's own first, then combining, then range, each up: 3 joins with 2, of which range leaves 1."""
    game = duel("a para3 0101\nb para3 0101", "x de144 0701")
    assert sorted(part.value for part in attack(game, "fire a,b 0701 [1 6]")["parts"]) == [1, 2]


@pytest.mark.rule("S8.10")
@pytest.mark.refusal("S8.10")
def test_fire_marks():
    game = begin(
        "w.......", "us\n a us164 0101\n b us164 0101\n q squad-us 0801\nde\n x de144 0401\n y squad-de 0701"
    )
    from hexengine.systems.squad.sight.spotting import spotted

    assert not spotted(game.position, 1) & 1
    play(game, "fire a 0401 [1 6]")
    assert unit(game, "a")["markers"] == ["fired"] and spotted(game.position, 1) & 1
    refuses(game, "fire a 0401", "S8.10", "fired")


@pytest.mark.rule("S8.11", "S11.4")
def test_a_weapon_survives_and_is_taken_up():
    """A squad with an MG is eliminated: the MG lies there, and a squad takes it in the next Rally Phase."""
    game = duel("a us454 0101", "x half-de 0401\nm mg-de in x\ny squad-de 0401")
    events = play(game, "fire a 0401 [1 1 6 1]")
    assert event(events, "dropped").facts["hex"] == "0401" and unit(game, "m")["carrier"] is None
    while game.state()["phase"] != "rally":
        play(game, "end")
    while decision(game)[0] != "de":
        play(game, "done")
    play(game, "take y m")
    assert unit(game, "m")["carrier"] == "y"


# -- smoke --------------------------------------------------------------------------------------------


@pytest.mark.rule("S8.12")
@pytest.mark.refusal("S8.12")
def test_smoke():
    """Smoke value 2 and a die of 2: it is placed, and the squad has MF 3; it fires no more."""
    game = duel("a squad-us 0101\nt hmg-us 0101\nl lt 0101", "x de144 0701")
    play(game, "smoke a 0201 [2]")
    assert game.state()["hexes"]["0201"] == {"smoke": True}
    assert event(play(game, "move a 0201"), "move").facts["left"] == 2
    close(game)
    game = duel("a squad-us 0101\nb squad-us 0101\nt hmg-us 0101\nl lt 0101", "x de144 0701")
    play(game, "smoke a 0201 [1]")
    refuses(game, "fire a 0701", "S8.12", "smoked-fire")
    assert no(game, "smoke a 0101").code == "smoked-already"
    assert no(game, "smoke t 0101").code == "no-smoke"
    assert no(game, "smoke b 0201").code == "smoke-there" and no(game, "smoke b 0401").code == "smoke-there"
    play(game, "end")
    assert unit(game, "a")["markers"] == ["ops-complete"]
    play(game, "end")
    refuses(game, "fire a 0701", "S2.8", "ops-complete")


@pytest.mark.rule("S8.12", "S2.8", "S9.2")
@pytest.mark.refusal("S8.12")
def test_who_placed_smoke_only_moves_and_reacts_later():
    """It neither spots nor fires in that impulse; Ops Complete, it may react, as after a failure."""
    game = begin(".....w", "us\n a squad-us 0101\n b squad-us 0101\nde\n x de144 0501\n y squad-de 0601")
    play(game, "smoke a 0101 [1]")
    refuses(game, "spot a 0601", "S8.12", "smoked-acts")
    assert not [order for order in game.orders() if str(order).startswith("spot a")]
    yes(game, "spot b 0601")
    play(game, "end", "move x 0401")
    yes(game, "fire a 0401")


@pytest.mark.rule("S8.12", "S6.5")
def test_who_placed_smoke_and_assaults_fires():
    game = begin("......", "us\n a para-us 0101\n b squad-us 0101\nde\n x de144 0601 shaken")
    play(game, "smoke a 0101 [1]")
    assert no(game, "fire a 0601").code == "smoked-fire"
    play(game, "move a 0201 assault")
    yes(game, "fire a 0601")
    game = begin("......", "us\n a para-us 0101\n b squad-us 0101\nde\n x de144 0601")
    play(game, "smoke a 0101 [1]", "move a 0201 assault", "pass", "done", "end", "move x 0501")
    yes(game, "fire a 0501")


@pytest.mark.rule("S8.12")
def test_what_smoke_does():
    """In the target's hex +1 to TM; crossed it hinders."""
    game = begin("./././.", "us\n a us164 0101\n q squad-us 0102\nde\n x de144 0104")
    pos = game.position
    pos.smoke_1, pos.smoke_2 = 1 << 3, 1 << 2
    facts = attack(game, "fire a 0104 [1 6]")
    assert ("degrading", -1) in parts(facts) and facts["defence"] == 1


# -- opportunity fire ---------------------------------------------------------------------------------


@pytest.mark.rule("S9.1")
@pytest.mark.refusal("S9.1")
def test_a_window_at_each_step():
    game = begin("........", "us\n a us164 0701\nde\n x us454 0301\n y de144 0101")
    play(game, "move a 0601")
    assert decision(game) == ("de", "reaction")
    refuses(game, "end", "S9.1", "reaction-open")
    assert no(game, "fire x 0701").code == "not-the-mover"
    play(game, "pass")
    assert decision(game) == ("us", "group")
    play(game, "move a 0501")
    assert decision(game) == ("de", "reaction")


@pytest.mark.rule("S9.1")
def test_a_change_of_level_opens_one_too():
    game = begin("....t...", "us\n a us164 0501 \nde\n x us454 0101")
    play(game, "move a 0501/1")
    assert decision(game) == ("de", "reaction")


@pytest.mark.rule("S9.2", "S6.8")
def test_who_may_react():
    """One Moved, one AM, one unactivated: the second (with 2 less) and the third are offered."""
    game = begin(
        "........", "us\n a us164 0701\nde\n x us454 0101 moved\n y para3 0201 assault-move\n z us454 0301"
    )
    play(game, "move a 0601")
    listed = {str(order) for order in game.orders()}
    assert listed == {"fire y 0601", "fire z 0601", "pass"}
    assert no(game, "fire x 0601").code == "moved-fire"
    facts = attack(game, "fire y 0601 [1 6]")
    assert ("after-moving", -2) in parts(facts)


@pytest.mark.rule("S9.3")
def test_who_crawls_into_unspotted_woods_is_not_fired_at():
    game = begin("...w....", "us\n a us164 0501\n q squad-us 0801\nde\n x us454 0101")
    play(game, "move a 0401 crawl")
    assert decision(game)[1] != "reaction"
    game = begin("........", "us\n a us164 0501\n q squad-us 0801\nde\n x us454 0101")
    play(game, "move a 0401 crawl")
    assert decision(game) == ("de", "reaction")


@pytest.mark.rule("S9.4")
def test_it_uses_the_firer_up_and_no_impulse():
    game = begin("........", "us\n a us164 0701\n q squad-us 0801\nde\n x us454 0301\n y squad-de 0101")
    play(game, "move a 0601", "fire x 0601 [1 6]")
    assert unit(game, "x")["markers"] == ["fired"]
    close(game)
    assert decision(game) == ("de", "operations")
    yes(game, "move y 0201")


@pytest.mark.rule("S9.5")
@pytest.mark.refusal("S9.5")
def test_several_hexes_fire_one_after_another():
    game = begin("........", "us\n a us164 0701\nde\n x us454 0301\n w us454 0301\n y us454 0101")
    play(game, "move a 0601", "fire x 0601 [1 6]")
    refuses(game, "fire w 0601", "S9.5", "fired-in-window")
    yes(game, "fire y 0601", "pass")
    both = begin("........", "us\n a us164 0701\nde\n x us454 0301\n w us454 0301\n y us454 0101")
    play(both, "move a 0601")
    yes(both, "fire x,w 0601")
    play(both, "fire x,w 0601 [3 6 4]")
    assert unit(both, "a")["status"] == ["shaken"]
    yes(both, "fire y 0601", "pass")


@pytest.mark.rule("S9.6")
@pytest.mark.parametrize(("option", "value"), [("half", 2), ("minus1", 3)])
def test_ops_complete_fires_weaker(option, value):
    game = begin("........", "us\n a us164 0701\nde\n x us454 0301 ops-complete",
                 options={"ops_complete_of": option})  # fmt: skip
    play(game, "move a 0601")
    assert ("lead", value) in parts(attack(game, "fire x 0601 [1 6]"))


@pytest.mark.rule("S9.6")
def test_a_weapon_in_reaction():
    kind = {"id": "mg3", "kind": "weapon", "values": "3-8-0"}
    game = begin("........", "us\n a us164 0701\nde\n x us454 0301\n m mg3 in x", tables=[("type", kind)])
    play(game, "move a 0601")
    assert ("weapon", 2) in parts(attack(game, "fire x 0601 [1 6 1]"))


@pytest.mark.rule("S9.7")
def test_no_window_at_the_step_into_melee():
    game = begin("........", "us\n a us164 0501\nde\n x de144 0301\n y us454 0101")
    play(game, "move a 0401")
    assert decision(game) == ("de", "reaction")
    play(game, "pass", "move a 0301")
    assert decision(game)[1] == "melee"


@pytest.mark.rule("S9.8")
def test_the_first_goes_on_alone():
    """Two move; dice of 1 and 6, ahead by 2, morale 5: 3 is nothing, 8 is Shaken."""
    game = begin("........", "us\n a us164 0701\n b us164 0701\nde\n x us454 0301")
    play(game, "move a,b 0601", "fire x 0601 [3 6 1 6]")
    assert unit(game, "b")["status"] == ["shaken"]
    play(game, "move a 0501")
    assert (where(game, "a"), where(game, "b")) == ("0501", "0601")


# -- ordnance -----------------------------------------------------------------------------------------


@pytest.mark.rule("S14.1")
@pytest.mark.refusal("S14.1")
def test_to_hit():
    """Needs 8, one degrading hex, in reaction: 2 and 3, +1 and +2, hit; 6 and 6 never."""
    column = "./f/././."
    game = begin(column, "us\n a us164 0105\n q squad-us 0105\nde\n g gun 0101")
    play(game, "move a 0104")
    assert "ordnance-hits" in codes(play(game, "fire g 0104 [2 3 1 6]"))
    game = begin(column, "us\n a us164 0105\n q squad-us 0105\nde\n g gun 0101")
    play(game, "move a 0104")
    events = play(game, "fire g 0104 [3 3]")
    assert event(events, "ordnance-misses").facts["number"] == 8
    mortar = duel("m mortar-us 0101", "x de144 0201\ny de144 0601")
    refuses(mortar, "fire m 0201", "S14.1", "out-of-ordnance-range")
    assert "ordnance-misses" in codes(play(mortar, "fire m 0601 [6 6]"))


@pytest.mark.rule("S14.1")
def test_two_always_hits():
    game = begin("./f/f/././.", "us\n g gun 0101 assault-move\n q squad-us 0101\nde\n x de144 0106 moved")
    game.board.ordnance[0] = game.board.ordnance[0]._replace(bands=((20, 3),))
    events = play(game, "fire g 0106 [1 1 1 6]")
    hit = event(events, "ordnance-hits")
    assert sum(part.value for part in hit.facts["parts"]) == 4


@pytest.mark.rule("S14.3")
def test_a_hit_attacks_with_its_shell():
    """Bazooka HE 2 hits woods: a die and 2 against a die and 1."""
    game = duel("a us164 0101\nb bazooka in a", "x de144 0301 fired", "..w.....")
    facts = attack(game, "fire a 0301 with b [2 2 1 6]")
    assert (facts["attack"], facts["defence"]) == (2, 1)


@pytest.mark.rule("S14.4")
@pytest.mark.refusal("S14.4")
def test_ordnance_fires_alone():
    """Two weapons of a hex fire in one impulse, each by itself and at its own target."""
    game = duel("a us164 0101\nb bazooka in a\nc us164 0101\nd bazooka in c", "x de144 0301\ny de144 0401")
    refuses(game, "fire a,c 0301 with b", "S14.4", "ordnance-alone")
    assert no(game, "fire a 0301 with d").code == "not-its-ordnance"
    play(game, "fire a 0301 with b [6 6]", "fire c 0401 with d [6 6]")
    assert unit(game, "a")["markers"] == unit(game, "c")["markers"] == ["fired"]
