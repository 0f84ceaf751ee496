"""Stacking, costs, prohibitions, Shaken movers, what happens in each hex (S3 to S5)."""

import pytest

from hexengine.core.errors import InvalidOrder
from tests.rules.asking import codes, unit
from tests.rules.squad.table import begin, close, decision, event, no, play, refuses, where, yes

NEAR = {"extended_range": False}
NOBODY = "de\n z de144 0101 shaken hidden\n"


def walk(terrain, units, enemy="z de144 0101 shaken", **rest):
    """A map with the enemy out of the way in its first hex."""
    return begin(terrain, f"us\n{units}\nde\n {enemy}", **rest)


@pytest.mark.rule("S4.1")
@pytest.mark.parametrize("modes", ["double double", "assault double assault", "quickly"])
def test_a_way_to_move_is_named_once(modes):
    game = walk("......", "a us164 0501")
    with pytest.raises(InvalidOrder, match="is no way to move, or is said twice"):
        game.parse(f"move a 0401 {modes}")
    assert str(game.parse("move a 0401 DOUBLE assault")) == "move a 0401 assault double"


# -- stacking ---------------------------------------------------------------------------------------


@pytest.mark.rule("S3.1")
@pytest.mark.refusal("S3.2")
@pytest.mark.parametrize(("standing", "mover", "room"), [
    (["us164"] * 3, "us164 half", False),
    (["us164", "us164", "us164 half"], "us164 half", True),
    (["us164", "us164"], "hmg-us", True),
    (["us164", "us164", "hmg-us"], "hmg-us", False),
    (["lt", "lt"], "lt", False),
    (["us164", "us164", "us164", "lt"], "lt", True),
])  # fmt: skip
def test_how_many_stand_in_a_hex(standing, mover, room):
    kind, _, status = mover.partition(" ")
    units = [f"s{n} {one.partition(' ')[0]} 0501 {one.partition(' ')[2]}" for n, one in enumerate(standing)]
    game = walk("......", "\n".join([*units, f"m {kind} 0601 {status}"]))
    if room:
        yes(game, "move m 0501")
    else:
        refuses(game, "move m 0501", "S3.2", "stacking")


@pytest.mark.rule("S3.1")
def test_a_scenario_sets_other_limits():
    units = "\n".join(f"s{n} us164 0501" for n in range(3)) + "\nm us164 0601"
    yes(walk("......", units, options={"squads_a_hex": 4}), "move m 0501")
    heroes = "\n".join(f"s{n} lt 0501" for n in range(2)) + "\nm lt 0601"
    yes(walk("......", heroes, options={"singles_a_hex": 3}), "move m 0501")


@pytest.mark.rule("S3.2")
def test_the_limit_holds_for_those_who_pass():
    """Two stand in K: two cannot cross it, one can."""
    units = "a us164 0401\nb us164 0401\nc us164 0601\nd us164 0601"
    near = walk("......", units.replace("0601", "0501"))
    assert no(near, "move c,d 0401").code == "stacking"
    play(near, "move c 0401", "move c 0301")
    assert where(near, "c") == "0301"


@pytest.mark.rule("S3.3")
def test_distance_is_counted_in_hexes():
    places = walk("t../.../...", "a us164 0301").board.places
    assert places.distance(places.index("0101"), places.index("0302")) == 2
    assert places.distance(places.index("0101/1"), places.index("0101")) == 0
    assert places.grid.distance(places.grid.at_axial(0, 0), places.grid.at_axial(2, -1)) == 2


# -- costs ------------------------------------------------------------------------------------------


@pytest.mark.rule("S4.1")
def test_each_hex_is_paid():
    """MF 4 through clear, light woods, clear: 3, 1, 0 are left."""
    game = walk("....w.", "a us164 0301")
    left = [event(play(game, f"move a {to}"), "move").facts["left"] for to in ("0401", "0501", "0601")]
    assert left == [3, 1, 0]
    assert decision(game) != ("us", "group")


@pytest.mark.refusal("S4.1")
def test_what_is_too_far_or_too_dear():
    game = walk("....wwF", "a us164 0401")
    assert no(game, "move a 0601").code == "not-adjacent"
    game = walk(".....F..", "a us164 0201")
    play(game, "move a 0301", "move a 0401", "move a 0501")
    refused = no(game, "move a 0601")
    assert refused.code == "too-few-mp" and refused.facts["left"] == 1


@pytest.mark.rule("S4.2")
def test_what_is_left_is_lost():
    """Moved 2 of 4 MP and stopped: a later impulse brings nothing more."""
    game = walk("......", "a us164 0301\nb us164 0601")
    play(game, "move a 0401", "move a 0501")
    close(game)
    assert no(game, "move a 0401").code == "already-activated"


@pytest.mark.rule("S4.3")
@pytest.mark.refusal("S4.3")
def test_the_minimum_move():
    """A team with MF 1 may enter heavy woods (3), and nothing is left; MF 0 may not."""
    game = walk("...F..", "t slow 0501\nq us164 0601")
    assert event(play(game, "move t 0401"), "move").facts["left"] == 0
    assert where(game, "t") == "0401" and unit(game, "t")["spent"] == 2
    gun = no(walk("...F..", "t gun 0501"), "move t 0401")
    assert (gun.rule, gun.code) == ("S4.3", "no-mf")


@pytest.mark.rule("S4.3")
def test_the_minimum_move_is_the_only_step():
    game = walk("..F...", "t hmg-us 0501")
    play(game, "move t 0401")
    assert no(game, "move t 0301").code == "too-few-mp"
    again = walk("...F..", "t hmg-us 0501")
    play(again, "move t 0401")
    assert decision(again) != ("us", "group")


@pytest.mark.rule("S4.3", "S10.5")
def test_the_minimum_move_changes_a_level():
    game = walk("..t...", "t slow 0301")
    play(game, "move t 0301/1")
    assert where(game, "t") == "0301/1"


SEEN = "......../......../........"


@pytest.mark.rule("S4.4")
@pytest.mark.refusal("S4.4")
def test_shaken_units_do_not_close_in():
    """At distance 4 from an enemy it sees: not to 3, but to 4 or 5."""
    game = begin(SEEN, "us\n a us164 0502 shaken\n b us164 0801\nde\n x de144 0102")
    refuses(game, "move a 0402", "S4.4", "shaken-closer")
    yes(game, "move a 0503", "move a 0602")


@pytest.mark.rule("S4.4")
def test_out_of_sight_they_may():
    game = begin("........", "us\n a us164 0501 shaken\n b us164 0701\nde\n x de144 0101")
    assert no(game, "move a 0401")
    walls = begin("./F/./././.", "us\n a us164 0105 shaken\nde\n x de144 0101")
    yes(walls, "move a 0104")


@pytest.mark.rule("S4.4")
def test_unspotted_enemies_do_not_count_and_shaken_ones_do():
    hidden = begin("w/././././.", "us\n a us164 0105 shaken\nde\n x de144 0101")
    yes(hidden, "move a 0104")
    seen = begin("./././././.", "us\n a us164 0105 shaken\n b us164 0106\nde\n x de144 0101 shaken")
    assert no(seen, "move a 0104").code == "shaken-closer"


@pytest.mark.rule("S4.4")
def test_the_option_keeps_them_out_of_sight():
    game = begin(
        SEEN,
        "us\n a us164 0502 shaken\n b us164 0801\nde\n x de144 0102",
        options={"shaken_move": "out_of_los"},
    )
    assert no(game, "move a 0602").code == "shaken-closer"


@pytest.mark.rule("S4.5")
@pytest.mark.refusal("S4.5")
def test_all_mf_hexes_bar_assault_and_crawl():
    game = walk("...=..", "a para-us 0501")
    assert (no(game, "move a 0401 crawl").rule, no(game, "move a 0401 assault").rule) == ("S4.5", "S4.5")
    yes(game, "move a 0401")


@pytest.mark.rule("S4.6")
def test_entering_a_hex_of_the_enemy_is_melee():
    """With 3 MP left into an enemy's hex at cost 1: the move ends, 2 MP are lost."""
    game = begin(".....", "us\n a us164 0301\nde\n x de144 0101 shaken")
    play(game, "move a 0201")
    events = play(game, "move a 0101")
    assert event(events, "move").facts["left"] == 2
    assert decision(game) == ("us", "melee")
    assert game.state()["hexes"]["0101"]["melee"]
    play(game, "strike x [1 1]")
    assert "melee" in unit(game, "a")["status"]


@pytest.mark.rule("S4.7")
def test_a_leader_with_a_weapon_is_slower():
    game = walk("......", "l lt 0301\nw mg-us in l")
    assert event(play(game, "move l 0401"), "move").facts["left"] == 3
    squad = walk("......", "a us164 0301\nw mg-us in a")
    assert event(play(squad, "move a 0401"), "move").facts["left"] == 3


@pytest.mark.rule("S4.7", "S8.11")
def test_a_weapon_goes_with_its_carrier():
    game = walk("......", "l lt 0301\nw mg-us in l")
    play(game, "move l 0401")
    assert where(game, "w") == "0401"


@pytest.mark.rule("S4.8")
@pytest.mark.parametrize(
    ("mode", "marker"), [("", "moved"), (" assault", "assault-move"), (" crawl", "low-crawl")]
)
def test_markers_of_movement(mode, marker):
    game = walk("......", "a para-us 0301")
    play(game, f"move a 0401{mode}")
    assert unit(game, "a")["markers"] == [marker]


@pytest.mark.rule("S4.9")
@pytest.mark.parametrize(
    ("marker", "value"), [("moved", 1), ("assault-move", 1), ("low-crawl", 0), ("stealth", 0)]
)
def test_moving_targets(marker, value):
    game = begin("...", f"us\n a us164 0101\n q us164 0101\nde\n x scout-de 0301 {marker}")
    attack = event(play(game, "fire a 0301 [1 6]"), "attack")
    assert len(attack.facts["moving"]) == value


@pytest.mark.rule("S4.9")
def test_the_mover_only():
    """One attack on a mover and a stander: level for the stander, ahead by one for the mover."""
    game = begin("...", "us\n a us164 0101\nde\n x de144 0301 moved\n y de144 0301")
    events = play(game, "fire a 0301 [2 3 6]")
    assert event(events, "damage-check").facts["unit"] == "x"


@pytest.mark.rule("S4.10")
@pytest.mark.refusal("S4.10")
def test_the_chart():
    """A hedge into light woods costs 1 + 2; water and cliffs are prohibited; a bunker costs 1."""
    game = walk("....w~.", "a us164 0401", map_keys={"walls": ["0401/0501"], "cliffs": ["0301/0401"]})
    assert event(play(game, "move a 0501"), "move").facts["left"] == 1
    refuses(game, "move a 0601", "S4.10", "prohibited")
    cliff = walk("....w~.", "a us164 0401", map_keys={"cliffs": ["0301/0401"]})
    assert no(cliff, "move a 0301").code == "prohibited"
    bunker = walk("....B.", "a us164 0501")
    assert event(play(bunker, "move a 0501/b"), "move").facts["left"] == 3


@pytest.mark.rule("S4.10")
def test_all_cover_together_is_four_at_most():
    game = begin("....s.", "us\n a us164 0301\n q us164 0301\nde\n x de144 0501 fired",
                 head={"foxholes": ["0501"]}, map_keys={"walls": ["0401/0501"]})  # fmt: skip
    attack = event(play(game, "fire a 0501 [1 6]"), "attack")
    assert attack.facts["defence"] == 4


# -- the five steps ---------------------------------------------------------------------------------

HAZARDS = [
    ("mines", {"hex": "0301", "side": "de", "fp": 1}),
    ("event", {"id": "e1", "hex": "0301", "side": "us", "text": "A shot rings out.", "points": 1}),
]


@pytest.mark.rule("S5.1")
def test_the_order_of_what_happens():
    """A mine, an event and an enemy in view: enter, mine, event, fire, go on."""
    game = begin(".....", "us\n a us164 0401\nde\n x de154 0101", tables=HAZARDS)
    events = play(game, "move a 0301 [1 6]")
    assert codes(events) == ["move", "attack", "event"]
    assert decision(game) == ("de", "reaction")
    play(game, "pass")
    assert decision(game) == ("us", "group")


@pytest.mark.rule("S5.1")
def test_shells_come_before_mines():
    game = begin(
        ".....",
        "us\n a us164 0401\nde\n x de154 0101 shaken",
        tables=[*HAZARDS, ("ffe", {"hex": "0301", "fp": 2})],
    )
    attacks = [one.rule for one in play(game, "move a 0301 [1 6 1 6]") if one.code == "attack"]
    assert attacks == ["S13.3", "S13.1"]


@pytest.mark.rule("S5.2")
def test_a_mine_shakes_the_squad_and_the_event_comes_all_the_same():
    game = begin(".....", "us\n a us164 0401\nde\n x de154 0101", tables=HAZARDS)
    events = play(game, "move a 0301 [5 3 3]")
    assert unit(game, "a")["status"] == ["shaken"] and "event" in codes(events)
    assert decision(game) == ("de", "reaction"), "it spent MP in view"
    play(game, "pass")
    assert decision(game) != ("us", "group"), "and goes no further"


@pytest.mark.rule("S5.2")
def test_who_is_killed_by_a_mine_sets_nothing_off():
    game = begin(".....", "us\n a medic-us 0401 wounded\n b us164 0501\nde\n x de154 0101", tables=HAZARDS)
    events = play(game, "move a 0301 [6 1 6]")
    assert "eliminated" in codes(events) and "event" not in codes(events)
    assert game.state()["hexes"]["0301"]["events"] == ["e1"]


@pytest.mark.rule("S5.3")
def test_after_the_fire_an_assault_fires_on():
    """An AM squad in good order with 1 MP left chooses to fire now."""
    game = begin("......", "us\n a para-us 0501\nde\n x de154 0101")
    play(game, "move a 0401 assault", "pass")
    yes(game, "move a 0301", "fire a 0101")
    events = play(game, "fire a 0101 [1 6]")
    assert "attack" in codes(events) and unit(game, "a")["markers"] == ["assault-move", "fired"]
    assert decision(game) != ("us", "group")


@pytest.mark.rule("S5.4")
def test_a_shaken_unit_spots_nothing():
    """Hidden in woods, it fires at the squad that comes next to it and makes it Shaken."""
    game = begin("w....", "us\n a us164 0301\n b us164 0501\nde\n x de154 0101")
    assert no(game, "fire b 0101").code == "not-spotted"
    play(game, "move a 0201")
    play(game, "fire x 0201 [6 6 5]")
    from hexengine.systems.squad.sight.spotting import spotted

    pos = game.position
    assert unit(game, "a")["status"] == ["shaken"]
    pos.fired = 0
    assert not spotted(pos, 0) & 1, "by itself it is not seen"
    pos.fired = 1 << game.board.ids.index("x")
    assert spotted(pos, 0) & 1, "its fire has given it away"


@pytest.mark.rule("S5.5")
def test_who_was_shaken_goes_on_after_a_miss():
    game = begin("......", "us\n a us164 0201 shaken\nde\n x de154 0101")
    play(game, "move a 0301")
    play(game, "fire x 0301 [1 6]")
    assert decision(game) == ("us", "group")
    yes(game, "move a 0401")


@pytest.mark.rule("S5.5", "S8.6")
def test_a_loss_stops_him():
    game = begin("......", "us\n a us164 0201 shaken\n q us164 0601\nde\n x us454 0101")
    play(game, "move a 0301")
    play(game, "fire x 0301 [3 3 1]")
    assert unit(game, "a")["steps"] == 1 and decision(game) != ("us", "group")


@pytest.mark.rule("S5.6")
def test_what_is_seen_later_helps_later():
    """J has acted before H's squad steps next to the enemy in woods; K has not and may fire at it now."""
    far = begin(
        "w...../....../......",
        """
        us
            h us164 0301
            l lt    0301
            j us164 0401
        de
            x de144 0101 shaken
        """,
    )
    play(far, "activate l")
    assert no(far, "fire j 0101").code == "not-spotted"
    play(far, "move h 0201", "done")
    yes(far, "fire j 0101")
