"""C13.3 to C13.5: who takes part in an assault, what counter-attacks do, and how one leaves it."""

import pytest

from hexengine.systems.company.assaults.contact import in_reach
from tests.rules.asking import codes, facts, marks, unit, where
from tests.rules.company.table import allows, begin, offered, play, refuse

FIELD = "\n".join(["..........."] * 12)
REST = " s trained\n  spare rifle 1101\ngrey\n"
FAR = " r trained\n  far rifle 1112\n"


def clash(red, grey, field=FIELD, **rest):
    """An Assault Step: platoon p of red, platoon q of grey, and a team of each far off."""
    text = f"red\n {red}\n{REST} {grey}\n{FAR}"
    return begin(field, text, step="assault", **rest)


def check(game):
    """What holds after every order holds now."""
    game.system.invariants(game.position)


BYSTANDERS = "p trained fearless\n  a rifle 0404\n o trained\n  m rifle {}\n  n rifle 0604"
DEFENDERS = "q trained fearless\n  y rifle 0406 moved\n  z rifle 0505 moved"


@pytest.mark.rule("C13.4", "C1.3")
@pytest.mark.refusal("C13.4")
def test_a_counter_attack_goes_against_the_platoons_in_the_assault():
    game = clash(BYSTANDERS.format("0604"), DEFENDERS)
    play(game, "charge a 0406", "done [1]", "counter q")
    refuse(game, "charge z 0604", "C13.4", "not-in-assault")
    refuse(game, "charge z 0704", "C13.1", "out-of-charge")
    assert allows(game, "charge z 0406")
    events = play(game, "done [1]")
    assert facts(events, "strike")["units"] == ["y"], "z has only a stranger next to it"


@pytest.mark.rule("C13.4", "C1.3")
def test_who_shares_the_hex_of_a_counter_attack_is_in_the_assault():
    """Team m of platoon o stands where the counter-attack comes in: it answers too, and leaves."""
    game = clash("p trained fearless\n  a rifle 0404\n  b rifle 0604\n o trained\n  m rifle 0604", DEFENDERS)
    play(game, "charge a 0406", "done", "done [1 1]", "counter q", "charge z 0604", "done [1 1]")
    assert offered(game, "break-off") == {"break-off o", "break-off p"}
    play(game, "break-off o", "break-off p")
    while game.decision.kind == "break-off":
        game.play(game.orders()[0])
    assert game.decision.kind == "consolidation"
    play(game, "done", "end")
    check(game)


@pytest.mark.rule("C13.4", "C1.3")
def test_who_was_drawn_in_stays_in_when_the_charging_platoon_is_gone():
    game = clash("p trained fearless\n  a rifle 0404\n  b rifle 0604\n o trained\n  m rifle 0604", DEFENDERS)
    play(game, "charge a 0406", "done", "done [1 1]", "counter q", "charge z 0604", "done [6 6]")
    play(game, "take a", "take b [1]")
    assert (where(game, "m"), game.decision.kind) == ("0604", "break-off")
    play(game, "withdraw m 0904", "done", "end")
    check(game)


ROUNDS = "p veteran fearless\n  a rifle 0404\n  e rifle 0405\n  {}"
STRUCK = "q trained fearless\n  x rifle 0406 moved\n  y rifle 0506 moved\n  w rifle 0407 moved"
BACK = ("charge a 0406", "done", "done [6 1]", "take x [6]", "counter q", "charge y 0405", "done [6 1]")


@pytest.mark.rule("C2.8", "C10.3", "C12.1")
@pytest.mark.refusal("C2.8", "C10.3")
@pytest.mark.parametrize(
    ("mark", "rule", "code"),
    [("doubled", "C2.8", "doubled"), ("out-of-command", "C10.3", "stray-charge")],
)
def test_what_bars_from_charging_bars_in_each_round(mark, rule, code):
    """When the attacker counter-attacks, his team d still may not run in."""
    game = clash(ROUNDS.format(f"d rifle 0403 {mark}"), STRUCK)
    refuse(game, "charge d 0406", rule, code)
    play(game, *BACK, "take e [6]", "counter p")
    assert game.decision.kind == "charge"
    refuse(game, "charge d 0405", rule, code)


@pytest.mark.rule("C2.8")
def test_a_defender_that_doubled_counter_attacks():
    game = clash("p trained\n  a rifle 0404", "q trained fearless\n  y rifle 0406\n  z rifle 0505 doubled")
    play(game, "charge a 0406", "done [1]", "counter q")
    assert allows(game, "charge z 0406")


@pytest.mark.rule("C5.2", "C5.3")
def test_the_attacker_has_no_foxhole_back():
    game = clash(ROUNDS.format("b rifle 0403 dug-in"), STRUCK)
    play(game, *BACK, "take e [6]", "counter p", "charge b 0405")
    assert "positions" not in game.state()["hexes"].get("0403", {})
    play(game, "charge a 0407 [6 6]", "consolidate b 0403", "done")
    assert "dug-in" not in marks(game, "b")


@pytest.mark.rule("C13.3")
def test_the_strength_against_armour_is_that_of_the_strikers():
    """The platoon's rocket launcher stands far off: only the rifles' 2 counts."""
    red = "p veteran fearless\n  a rifle 0404\n  l rocket-launcher {}"
    for launcher, at in (("1101", 2), ("0405", 5)):
        game = clash(red.format(launcher), "q trained fearless\n  z medium-tank 0406\n  y medium-tank 1110")
        play(game, "charge a 0406", *["charge l 0506"] * (launcher == "0405"))
        events = play(game, "done [6 3 3]" if launcher == "1101" else "done [6 1 3 3]")
        assert facts(events, "armour")["at"] == at


@pytest.mark.rule("C13.5")
@pytest.mark.refusal("C13.5")
@pytest.mark.parametrize(
    ("kind", "ground", "limit"), [("light-tank", ".", 16), ("light-tank", "w", 8), ("medium-tank", ".", 12)]
)
def test_vehicles_break_off_at_up_to_double_distance(kind, ground, limit):
    """Twice as far as they go on the ground that they touch."""
    text = "red\n p trained fearless\n  a rifle 0802\n  s rifle 0104\ngrey\n q trained\n"
    text += f"  t {kind} 0602 moved\n r trained\n  w rifle 3004\n"
    game = begin("\n".join([ground * 30] * 4), text, step="assault")
    play(game, "charge a 0602", "done [1]", "break-off q")
    grid, labels = game.board.grid, game.board.labels
    start = labels.index("0602")
    ways = [grid.distance(start, labels.index(order.split()[-1])) for order in offered(game, "withdraw")]
    assert max(ways) == limit
    refuse(game, f"withdraw t {6 + limit + 1:02}02", "C13.5", "no-refuge")


# -- openings in an assault: the room 0403, a window to the west, a door to the east -------------------------

ROOM = "\n".join(["........", "........", "...b....", "........", *["........"] * 4])
WEST, EAST, NORTH = {"side": "0304/0403"}, {"side": "0403/0504"}, {"side": "0402/0403"}


def indoors(red, grey, field=ROOM, openings=(WEST,), **rest):
    text = f"red\n {red}\n s trained\n  spare rifle 0108\ngrey\n {grey}\n r trained\n  far rifle 0808\n"
    return begin(field, text, step="assault", opening=list(openings), **rest)


@pytest.mark.rule("C6.4", "C13.2", "C7.1")
def test_a_charge_that_is_stopped_touches_its_opening_again():
    game = indoors("p trained\n  a rifle 0304 touches 0403", "q trained\n  z machine-gun 0205 moved")
    events = play(game, "charge a 0205", "shoot z p [3 3 3 3 3 1 3 3 3 3 3]")
    assert "charge-stopped" in codes(events)
    assert (where(game, "a"), unit(game, "a")["touching"]) == ("0304", "0403")


@pytest.mark.rule("C6.4", "C13.5")
def test_who_consolidates_touches_an_opening():
    game = indoors("p veteran fearless\n  a rifle 0404", "q trained\n  z rifle 0305 moved")
    play(game, "charge a 0305", "done [6]", "consolidate a 0304")
    assert unit(game, "a")["touching"] == "0403"


@pytest.mark.rule("C6.4", "C13.5")
def test_who_breaks_off_touches_an_opening():
    game = indoors("p trained fearless\n  a rifle 0606", "q trained\n  z rifle 0605 moved")
    play(game, "charge a 0605", "done [1]", "break-off q", "withdraw z 0304")
    assert unit(game, "z")["touching"] == "0403"


@pytest.mark.rule("C6.4", "C13.1")
def test_who_charges_from_room_to_room_touches_an_opening_in_the_end():
    rooms = "\n".join(["........", "........", "...b....", "...b....", *["........"] * 4])
    game = indoors(
        "p veteran fearless\n  a rifle 0404", "q trained\n  z rifle 0403 moved", rooms, (WEST, NORTH)
    )
    play(game, "charge a 0403")
    assert "touching" not in unit(game, "a")
    play(game, "done [6]", "done")
    assert where(game, "a") == "0403"
    assert unit(game, "a")["touching"] == "0304"


@pytest.mark.rule("C8.2", "C13.1")
@pytest.mark.refusal("C13.1")
def test_no_charge_goes_through_an_empty_room_of_a_contested_building():
    red = "p trained\n  a rifle 0503\n  b rifle {}"
    game = indoors(red.format("0303"), "q trained\n  z rifle 0504 moved", openings=(WEST, EAST))
    play(game, "charge a 0504")
    refuse(game, "charge b 0403", "C13.1", "out-of-charge")
    game = indoors(red.format("0304"), "q trained\n  z rifle 0504 moved", openings=(WEST, EAST))
    play(game, "charge a 0504")
    assert allows(game, "charge b 0403"), "it touches the window, so that the building is cleared"


@pytest.mark.rule("C13.3")
@pytest.mark.parametrize(("ground", "west"), [(".", True), ("~", False)])
def test_a_charge_takes_the_opening_that_is_on_its_way(ground, west):
    """The window lies nearest, but with a lake before it the way leads through the door to the north."""
    field = ROOM.split("\n")
    field[3] = ".." + ground + "....."
    game = indoors(
        "p trained\n  a rifle 0303\n  b rifle 0303",
        "q trained\n  z rifle 0403 moved\n  y rifle 0403 moved",
        "\n".join(field), (WEST, NORTH),
    )  # fmt: skip
    play(game, "charge a 0403")
    assert unit(game, "a")["touching"] == ("0304" if west else "0402")
    assert allows(game, "charge b 0403") is west, "the other opening, as wide, is left to b"


@pytest.mark.rule("C13.2", "C6.6")
def test_a_charge_that_is_stopped_goes_back_to_its_floor():
    rooms = "\n".join(["........", "........", "...b....", "...b....", *["........"] * 4])
    upstairs = {"side": "0303/0403", "floor": 1}
    red, grey = "p trained\n  a rifle 0403 floor 1", "q trained\n  z machine-gun 0404 moved"
    game = indoors(red, grey, rooms, (WEST, upstairs))
    events = play(game, "charge a 0404", "shoot z p [4 4 4 4 4 1 6 6 6 6 6]")
    assert "charge-stopped" in codes(events)
    assert (where(game, "a"), unit(game, "a")["floor"]) == ("0403", 1)
    game.system.invariants(game.position)


@pytest.mark.rule("C1.4", "C13.1", "C13.5")
def test_after_a_charge_and_its_end_vehicles_face_the_way_they_went():
    red = "p trained fearless\n  a medium-tank 0404 faces 0403\n  b medium-tank 0101"
    game = clash(red, "q trained fearless\n  x medium-tank 0406 faces 0407\n  y rifle 0109")
    play(game, "charge a 0406")
    assert unit(game, "a")["facing"] == "0407"
    play(game, "done [1]", "break-off q", "withdraw x 0402")
    assert unit(game, "x")["direction"] == 0, "north"
    play(game, "consolidate a 0404")
    assert unit(game, "a")["direction"] == 0


@pytest.mark.rule("C2.8", "C13.5")
def test_a_defender_that_doubled_in_his_own_turn_consolidates():
    grey = "q trained fearless\n  x rifle 0406 moved\n  y rifle 0407 doubled"
    game = clash("p trained fearless\n  a rifle 0404\n  b rifle 1101", grey)
    play(game, "charge a 0406", "done [1]", "counter q", "charge y 0507", "done [6 6]")
    assert game.decision.kind == "consolidation"
    assert allows(game, "consolidate y 0508")


@pytest.mark.rule("C1.6", "C13.5")
def test_vehicles_consolidate_through_a_wood_in_which_they_could_not_stay():
    """They take no check there, so that nothing could stop them in a hex that is full."""
    red = "red\n p trained\n  a medium-tank 0301\n s trained\n  b medium-tank 0501\n  c medium-tank 0501\n"
    grey = "grey\n q trained\n  y rifle 0401\n r trained\n  far rifle 0801"
    game = begin("....w...", red + grey, step="assault")
    play(game, "charge a 0401", "done [4]")
    assert game.decision.kind == "consolidation"
    assert allows(game, "consolidate a 0601")


@pytest.mark.rule("C13.3")
def test_with_smaller_hexes_strikes_go_around_walls_and_not_through_them():
    """Two inches are two hexes here: by the opening that is touched they reach its room and the next one."""
    building = "........\n........\n...b....\n...b....\n...b....\n........"
    red = "red\n p trained\n  a rifle 0304 touches 0403\n  b rifle 0303\n"
    door = {"side": "0304/0403", "kind": "door"}
    game = begin(
        building, f"{red}grey\n q trained\n  z rifle 0801", opening=[door], options={"hex_inches": 1}
    )
    at = game.board.labels.index
    a, b = [in_reach(game.position, unit) for unit in (0, 1)]
    rooms = [1 << at(label) for label in ("0403", "0404", "0405")]
    assert [bool(a[1] & room) for room in rooms] == [True, True, False]
    assert not (a[0] | b[0] | b[1]) & sum(rooms)
    assert b[0] >> at("0402") & 1
