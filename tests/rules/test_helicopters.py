"""Helicopters (P13.1, P13.2): flying, landing, fire from them and at them."""

import pytest

from hexengine.core.errors import ContentError
from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.table import allows, begin, play, refuse, to_the_cup

FIELD = "\n".join(["." * 12] * 4)
LONG = "..wwlltt" + "." * 22
HIND = "blue A\n h1 mi-24 0101\n"
FAR = "red B\n t9 t-72 1204 ops-complete\n"


def aloft(forces=HIND, enemies=FAR, terrain=FIELD, **rest):
    """A's operations, with helicopters of its own."""
    return begin(terrain, forces + enemies, active="A", **rest)


def flight(name, first, last):
    """The orders of a flight along the first row of the map."""
    return [f"move {name} {column:02}01" for column in range(first, last + 1)]


# -- flying ---------------------------------------------------------------------------------------


@pytest.mark.rule("P13.1", "P6.5")
def test_a_hind_flies_twelve_hexes_over_anything_and_fires_without_penalty():
    levels = {"levels": "00000110" + "0" * 22}
    game = aloft(enemies="red B\n t9 m1 2301 ops-complete\n", terrain=LONG, on_map=levels)
    moves = every(play(game, *flight("h1", 2, 13)), "move")
    assert [move["cost"] for move in moves] == [1] * 12
    shot = facts(play(game, "fire h1 t9 [4 4 2 6 1 1 1 1]"), "fire")
    assert (shot["distance"], shot["dice"], shot["to_hit"], shot["hits"]) == (10, 4, 4, 3)
    assert [part.code for part in shot["parts"]] == ["printed"]


@pytest.mark.rule("P13.1", "P6.5")
@pytest.mark.refusal("P6.5")
def test_after_thirteen_hexes_it_does_not_fire():
    game = aloft(enemies="red B\n t9 m1 2301 ops-complete\n", terrain=LONG)
    play(game, *flight("h1", 2, 14))
    refuse(game, "fire h1 t9", "P6.5", "moved-too-far-to-fire")


@pytest.mark.rule("P13.1", "P4.2")
@pytest.mark.refusal("P4.2")
def test_its_allowance_is_its_range():
    game = aloft(terrain="." * 30, enemies="red B\n t9 t-72 3001 ops-complete\n")
    play(game, *flight("h1", 2, 27))
    assert unit(game, "h1")["spent"] in (0, 52)
    assert where(game, "h1") == "2701"


@pytest.mark.rule("P13.1")
def test_rivers_cliffs_and_slopes_cost_it_nothing():
    on_map = {"rivers": ["0101/0201"], "cliffs": ["0201/0301"], "levels": "000222", "roads": ["0401-0501"]}
    game = aloft(terrain="......", enemies="red B\n t9 t-72 0601 ops-complete\n", on_map=on_map)
    assert [move["cost"] for move in every(play(game, *flight("h1", 2, 5)), "move")] == [1] * 4


@pytest.mark.rule("P13.1", "P4.3")
def test_two_fly_as_one_group_and_may_part():
    game = aloft("blue A\n h1 mi-24 0101\n h2 mi-24 0101\n h3 mi-24 0101\n")
    play(game, "move h1,h2 0201", "move h1 0301", "move h2 0202", "move h1 0401", "done")
    assert (where(game, "h1"), where(game, "h2"), where(game, "h3")) == ("0401", "0202", "0101")
    assert allows(game, "move h3 0201")
    assert not allows(game, "move h1 0501")


@pytest.mark.rule("P13.1")
@pytest.mark.refusal("P13.1")
def test_more_than_two_do_not_fly_as_one():
    game = aloft("blue A\n h1 mi-24 0101\n h2 mi-24 0101\n h3 mi-24 0101\n")
    refuse(game, "move h1,h2,h3 0201", "P13.1", "too-many-together")


@pytest.mark.rule("P13.2", "P3.4")
def test_they_take_no_room_and_mind_nobody_below():
    """Five helicopters over a full stack of the enemy, and ground units go below helicopters."""
    five = "".join(f" h{number} mi-24 0202\n" for number in range(1, 6))
    game = aloft(f"blue A\n{five}", enemies="red B\n t8 t-72 0202 ops-complete\n t9 t-72 0202 ops-complete\n")
    play(game, "move h1 0201", "move h1 0202")
    to_the_cup(game)
    game = begin(
        FIELD,
        f"blue A\n{five}blue C\n t1 m1 0201\nred B\n t9 t-72 0301 ops-complete\n i9 t-72 0303\n",
        active="C",
    )
    play(game, "move t1 0202")
    assert where(game, "t1") == "0202"
    game = begin(FIELD, f"blue A\n{five}red B\n t9 t-72 0201\n", active="B")
    play(game, "move t9 0202")
    assert where(game, "t9") == "0202"


@pytest.mark.rule("P13.2", "P11.2")
def test_mines_do_not_strike_what_flies_over_them():
    game = aloft(on_map={"mines": ["0201"]})
    assert codes(play(game, "move h1 0201")) == ["move"]


@pytest.mark.rule("P13.2", "P16.1")
def test_a_helicopter_over_a_town_changes_nothing_about_its_control():
    game = aloft(on_map={"control": {"0201": "red"}})
    play(game, "move h1 0201")
    assert game.state()["control"]["0201"] == "red"
    assert "0101" not in game.state()["control"]


@pytest.mark.rule("P13.2")
@pytest.mark.refusal("P13.2")
@pytest.mark.parametrize("verb", ["assault", "overrun"])
def test_they_assault_nobody(verb):
    game = aloft(enemies="red B\n i9 inf-su 0201 ops-complete\n")
    refuse(game, f"{verb} h1 0201", "P13.2", "no-assault-from-the-air")
    refuse(game, f"{verb} i9 0101", "P2.5", "other-formation")


@pytest.mark.rule("P13.1", "P15")
def test_they_come_on_over_whoever_stands_there_and_pay_one_mp():
    forces = "blue A\n h1 mi-24 due 1 0101\n h2 mi-24 due 1 0101\n"
    game = aloft(forces, enemies="red B\n t8 t-72 0101 ops-complete\n t9 t-72 0101 ops-complete\n")
    assert allows(game, "enter h1,h2 0101")
    play(game, "enter h1 0101")
    assert unit(game, "h1")["spent"] == 2
    play(game, *flight("h1", 2, 12))
    assert allows(game, "fire h1 t9"), "entering is the first of twelve hexes"


@pytest.mark.rule("P13.1", "P4.8")
@pytest.mark.refusal("P4.8")
def test_they_leave_the_map_where_their_side_may():
    more = '[[victory]]\nkind = "exit"\nside = "blue"\nhexes = ["0101"]\n'
    game = aloft("blue A\n h1 mi-24 0101\n h2 mi-24 0201\n", more=more)
    refuse(game, "exit h2", "P4.8", "no-exit-hex")
    play(game, "exit h1")
    assert where(game, "h1") is None


# -- landing and rising ---------------------------------------------------------------------------


@pytest.mark.rule("P13.1")
@pytest.mark.refusal("P13.1")
def test_landing_is_instead_of_flying():
    game = aloft("blue A\n h1 mi-24 0101\n h2 mi-24 0201\n")
    assert codes(play(game, "land h1")) == ["land"]
    assert marks(game, "h1") == {"landed", "finished"}
    refuse(game, "land h1", "P2.5", "finished")
    play(game, "move h2 0301")
    refuse(game, "land h2", "P13.1", "flown")
    play(game, "done")
    to_the_cup(game)
    assert marks(game, "h1") == {"landed", "ops-complete"}


@pytest.mark.rule("P13.1")
@pytest.mark.refusal("P13.1")
def test_who_has_landed_neither_flies_nor_fires_until_it_rises():
    game = aloft("blue A\n h1 mi-24 0101 landed\n", enemies="red B\n t9 t-72 0301 ops-complete\n")
    refuse(game, "move h1 0201", "P13.1", "landed")
    refuse(game, "fire h1 t9", "P13.1", "landed")
    refuse(game, "land h1", "P13.1", "landed-already")
    assert codes(play(game, "rise h1")) == ["rise"]
    assert "landed" not in marks(game, "h1")
    refuse(game, "land h1", "P13.1", "flown")
    refuse(game, "rise h1", "P13.1", "flying-already")
    assert allows(game, "fire h1 t9")
    shot = facts(play(game, "move h1 0102", "fire h1 t9 [6 6 1 1 1 1 1]"), "fire")
    assert shot["to_hit"] == 4


@pytest.mark.rule("P13.1", "P8.6")
def test_two_rise_together_and_nobody_fires_at_that():
    game = aloft(
        "blue A\n h1 mi-24 0101 landed\n h2 mi-24 0101 landed\n h3 mi-24 0101 landed\n",
        enemies="red B\n z9 zsu-23-4 0104\n",
    )
    refuse(game, "rise h1,h2,h3", "P13.1", "too-many-together")
    play(game, "rise h1,h2")
    assert game.decision.kind == "group"
    play(game, "move h1,h2 0201")
    assert game.decision.kind == "reaction"


@pytest.mark.rule("P13.1")
@pytest.mark.refusal("P13.1")
def test_nobody_lands_among_the_enemy_and_only_helicopters_land():
    game = aloft(enemies="red B\n t9 t-72 0101 ops-complete\n")
    refuse(game, "land h1", "P13.1", "land-among-enemies")
    game = begin(FIELD, "blue A\n t1 m1 0101\n" + FAR, active="A")
    refuse(game, "land t1", "P13.1", "no-helicopter")
    refuse(game, "rise t1", "P13.1", "no-helicopter")


@pytest.mark.rule("P13.1")
@pytest.mark.refusal("P13.1")
@pytest.mark.parametrize(("place", "seen"), [("0104", True), ("0105", False)])
def test_who_has_landed_is_seen_within_three_hexes_only(place, seen):
    game = begin(
        "\n".join(["..."] * 6), f"blue A\n z1 zsu-23-4 0101\nred B\n h9 mi-24 {place} landed\n", active="A"
    )
    if seen:
        assert allows(game, "fire z1 h9")
    else:
        refuse(game, "fire z1 h9", "P13.1", "landed-unseen")


@pytest.mark.rule("P13.1", "P10.3")
def test_who_has_landed_is_on_the_ground_for_sight():
    """Behind two rough hexes it is hidden; risen it would be seen over them."""
    forces = "blue A\n z1 zsu-23-4 0101\nred B\n h9 mi-24 0104{}\n"
    assert not allows(begin(".\nr\nr\n.\n", forces.format(" landed"), active="A"), "fire z1 h9")
    assert allows(begin(".\nr\nr\n.\n", forces.format(""), active="A"), "fire z1 h9")


@pytest.mark.rule("P13.1", "P8.2")
@pytest.mark.refusal("P13.1")
def test_who_has_landed_makes_no_opportunity_shot():
    forces = "blue A\n t1 m1 0101\nred B\n h9 mi-24 0104 landed\nred C\n t9 t-72 0204\n"
    game = begin(FIELD, forces, active="A")
    play(game, "move t1 0102")
    assert game.decision.kind == "reaction"
    refuse(game, "fire h9 t1", "P13.1", "landed")


@pytest.mark.rule("P13.1", "P2.3")
def test_a_disrupted_helicopter_rallies_and_may_land():
    game = begin(FIELD, "blue A\n h1 mi-24 0101 disrupted\n" + FAR, cup=["A", "eot"])
    play(game, "draw [A 6 6]")
    assert allows(game, "land h1")
    play(game, "land h1")
    assert marks(game, "h1") >= {"disrupted", "landed"}


# -- fire at helicopters --------------------------------------------------------------------------


@pytest.mark.rule("P13.2", "P8.1", "P4.6")
def test_a_zsu_shoots_at_a_hind_that_flies_into_its_sight_and_stops_it():
    game = aloft(enemies="red B\n z9 zsu-23-4 0901\n")
    play(game, "move h1 0201")
    events = play(game, "pass", "move h1 0301", "fire z9 h1 [5 1 4 2 6 3]")
    shot = facts(events, "fire")
    assert (shot["distance"], shot["dice"], shot["to_hit"], shot["hits"]) == (6, 4, 4, 2)
    save = facts(events, "save")
    assert (save["dice"], save["save"], save["saves"], save["net"]) == (2, 5, 1, 1)
    assert marks(game, "h1") >= {"disrupted"}
    assert where(game, "h1") == "0301"
    assert not allows(game, "move h1 0401")
    assert "ops-complete" in marks(game, "z9")


@pytest.mark.rule("P13.2", "P6.2")
@pytest.mark.parametrize(("column", "to_hit"), [(5, 3), (6, 4), (9, 4), (10, 5)])
def test_aa_has_the_usual_bands_of_range(column, to_hit):
    game = begin("." * 16, f"blue A\n z1 zsu-23-4 0101\nred B\n h9 mi-24 {column:02}01\n", active="A")
    assert facts(play(game, "fire z1 h9 [1 1 1 1]"), "fire")["to_hit"] == to_hit


@pytest.mark.rule("P13.2")
@pytest.mark.parametrize("column", [2, 4, 7])
def test_he_at_helicopters_is_at_plus_two_without_range_modifiers(column):
    """An M1 has HE 6/3/5: 5 + 2 is 7, which is a 6 with one die less (P6.3)."""
    game = begin("." * 16, f"blue A\n t1 m1 0101\nred B\n h9 mi-24 {column:02}01\n", active="A")
    shot = facts(play(game, "fire t1 h9 [1 1]"), "fire")
    assert (shot["dice"], shot["to_hit"]) == (2, 6)
    assert [(part.code, part.value) for part in shot["parts"]] == [("printed", 5), ("no-anti-air", 2)]


@pytest.mark.rule("P13.2", "P6.2")
@pytest.mark.refusal("P6.2")
def test_he_reaches_helicopters_within_its_printed_range_only():
    game = begin("." * 16, "blue A\n t1 m1 0101\nred B\n h9 mi-24 0801\n", active="A")
    assert refuse(game, "fire t1 h9", "P6.2", "out-of-range").facts["reach"] == 6


@pytest.mark.rule("P13.2", "P6.3")
@pytest.mark.refusal("P6.3")
@pytest.mark.parametrize("kind", ["brdm-2-at-5", "mortar-120"])
def test_who_has_neither_aa_nor_direct_he_cannot_fire_at_helicopters(kind):
    game = begin("." * 16, f"blue A\n t1 {kind} 0101\nred B\n h9 mi-24 0401\n", active="A")
    refuse(game, "fire t1 h9", "P6.3", "no-block")


@pytest.mark.rule("P13.2", "P3.5")
def test_infantry_fires_its_missiles_at_helicopters():
    forces = "blue A\n i1 inf-us 0101\n s1 stinger in i1\nred B\n h9 mi-24 0901\n"
    shot = facts(play(begin("." * 16, forces, active="A"), "fire i1 h9 with s1 [4 3 1 1]"), "fire")
    assert (shot["dice"], shot["to_hit"], shot["hits"]) == (2, 4, 1)


@pytest.mark.rule("P13.2", "P6.4", "P11.1", "P11.4")
@pytest.mark.parametrize("landed", ["", " landed"])
def test_helicopters_save_with_armour_dice_alone(landed):
    """Over a town with a wreck and an improved position, in the air or on the ground."""
    on_map = {"positions": ["0301"], "wrecks": ["0301"]}
    forces = f"blue A\n z1 zsu-23-4 0101\nred B\n h9 mi-24 0301{landed}\n"
    game = begin("..t.", forces, active="A", on_map=on_map)
    events = play(game, "fire z1 h9 [6 1 1 1 1 1]")
    assert facts(events, "save")["dice"] == 2
    assert facts(events, "save")["net"] == 1
    assert "position-cancels" not in codes(events)


@pytest.mark.rule("P13.2", "P11.4")
def test_a_helicopter_that_is_lost_leaves_no_wreck():
    game = begin(
        "....", "blue A\n z1 zsu-23-4 0101\nred B\n h9 mi-24 0301 steps=1\nred C\n t9 t-72 0401\n", active="A"
    )
    events = play(game, "fire z1 h9 [6 6 1 1 1]")
    assert "eliminated" in codes(events)
    assert "wreck" not in codes(events)
    assert "0301" not in game.state()["hexes"]


@pytest.mark.rule("P13.2", "P9.3")
def test_a_helicopter_is_no_company_of_an_hq_below():
    """That one is hit over an HQ costs the HQ no die, and it does not keep the HQ from being alone."""
    forces = "blue A\n z1 zsu-23-4 0101\nred B\n q9 hq-su 0301\n t9 t-72 0301\nred C\n h9 mi-24 0301\n"
    events = play(begin("....", forces, active="A"), "fire z1 h9 [6 1 1 1 1 1]")
    assert "disrupted" in codes(events)
    assert not {"hq-safe", "hq-hit"} & set(codes(events))


@pytest.mark.rule("P13.2")
def test_in_one_hex_the_range_is_one():
    """A tank below and a helicopter above fire at each other as from the next hex."""
    forces = "blue A\n h1 mi-24 0201\nred B\n t9 t-72 0201\n"
    shot = facts(play(begin("...", forces, active="A"), "fire h1 t9 [1 1 1 1]"), "fire")
    assert (shot["distance"], shot["to_hit"]) == (1, 4)
    shot = facts(play(begin("...", forces, active="B"), "fire t9 h1 [1 1]"), "fire")
    assert (shot["dice"], shot["to_hit"]) == (2, 6)


@pytest.mark.rule("P13.2")
def test_helicopters_fire_at_helicopters_with_their_he():
    game = begin("....", "blue A\n h1 ah-1 0101\nred B\n h9 mi-24 0401\n", active="A")
    shot = facts(play(game, "fire h1 h9 [1 1 1]"), "fire")
    assert (shot["dice"], shot["to_hit"]) == (3, 6)


@pytest.mark.rule("P13.2", "P8.1", "P8.4")
def test_each_of_two_may_be_shot_at_once_in_each_hex():
    forces = "blue A\n h1 mi-24 0101\n h2 mi-24 0101\n"
    game = aloft(forces, enemies="red B\n z8 zsu-23-4 0501\n z9 gepard 0502\n")
    play(game, "move h1,h2 0201", "fire z8 h1 [1 1 1 1]")
    refuse(game, "fire z9 h1", "P8.4", "already-shot-at")
    assert allows(game, "fire z9 h2")


@pytest.mark.rule("P13.2", "P8.1", "P6.9")
def test_helicopters_make_opportunity_fire_and_run_short_of_missiles():
    game = begin(FIELD, "blue A\n t1 m1 0101\nred B\n h9 mi-24 1001\n", active="A")
    events = play(game, "move t1 0201", "fire h9 t1 [1 2 3 3]")
    assert "depleted" in codes(events)
    assert marks(game, "h9") >= {"ops-complete", "depleted-2"}


@pytest.mark.rule("P13.2", "P6.6")
@pytest.mark.refusal("P6.6")
def test_a_disrupted_helicopter_flies_away_from_the_enemy_only():
    game = aloft("blue A\n h1 mi-24 0502 disrupted\n", enemies="red B\n z9 zsu-23-4 0901 ops-complete\n")
    refuse(game, "move h1 0602", "P6.6", "disrupted-move")
    refuse(game, "fire h1 z9", "P6.6", "disrupted-fire")
    assert allows(game, "move h1 0402")


@pytest.mark.rule("P13.2", "P6.6")
@pytest.mark.refusal("P6.6")
def test_disrupted_ground_units_shy_at_helicopters_and_may_leave_from_below_one():
    game = begin(FIELD, "blue A\n t1 m1 0502 disrupted\nred B\n h9 mi-24 0901 ops-complete\n", active="A")
    refuse(game, "move t1 0602", "P6.6", "disrupted-move")
    game = begin(FIELD, "blue A\n t1 m1 0502 disrupted\nred B\n h9 mi-24 0502 ops-complete\n", active="A")
    assert allows(game, "move t1 0402")


# -- points and files -----------------------------------------------------------------------------


@pytest.mark.rule("P13.2", "P16.2")
def test_their_steps_count_and_they_keep_a_side_in_the_game():
    more = '[[victory]]\nkind = "steps"\nside = "blue"\npoints = 2\n'
    forces = "blue A\n z1 zsu-23-4 0101\nred B\n h8 mi-24 0301\nred C\n h9 mi-24 1204\n"
    game = begin(FIELD, forces, active="A", more=more, cup=["eot"])
    play(game, "fire z1 h8 [6 6 1 1 1 1]")
    assert game.state()["score"]["blue"] == 2
    to_the_cup(game)
    play(game, "draw [eot]")
    assert game.result is None


@pytest.mark.rule("P13.1")
@pytest.mark.parametrize(
    ("forces", "more", "complaint"),
    [
        ("blue A\n h1 mi-24 0101\n t1 m1 0102\n", "", "has helicopters and others"),
        ("blue A\n h1 mi-24 0101\n q1 hq-us 0102\n", "", "has helicopters and others"),
        ("blue A\n t1 m1 0101 landed\n", "", "no helicopter on the map"),
        ("blue A\n h1 mi-24 1204 landed\n", "", "among the enemy"),
        ("blue A\n x1 odd 0101\n", 'kind = "air"\nmobility = "leg"\narmour = "1/5"', "an air unit flies"),
        ("blue A\n x1 odd 0101\n", 'kind = "air"\nmobility = "air"', "needs armour"),
        ("blue A\n x1 odd 0101\n", 'kind = "hard"\nmobility = "air"\narmour = "1/5"', "only air units fly"),
        (
            "blue A\n x1 odd 0101\n",
            'kind = "air"\nmobility = "air"\narmour = "1/5"\nflags = ["transport"]',
            "an air unit cannot be transport",
        ),
    ],
)
def test_faults_of_files(forces, more, complaint):
    own = f'[[type]]\nid = "odd"\nma = 20\n{more}\n' if more else ""
    with pytest.raises(ContentError, match=complaint):
        begin(FIELD, forces + FAR, active="A", more=own)
