"""C1: scale, stacking, facing, allowances, going checks."""

import pytest

from hexengine.content.loader import loads
from hexengine.core.errors import ContentError, InvalidOrder
from hexengine.systems.company.scenario.scale import Scale
from tests.rules.asking import codes, marks, unit, where
from tests.rules.company.table import allows, begin, offered, play, refuse, scenario, section, text_of

FIELD = "\n".join(["........"] * 8)
ONE = """
red
    p trained confident
        a rifle-mg 0404
        s rifle-mg 0108
grey
    q trained confident
        z rifle-mg 0801
"""


def enemy(at="0808"):
    return f"\ngrey\n    q trained confident\n        z rifle-mg {at}\n"


@pytest.mark.rule("C1.1")
def test_printed_inches_become_whole_hexes():
    faults = []
    scale = Scale(2, lambda *args, **more: faults.append((args, more)))
    for hexes in (scale.hexes, lambda text: scale.own(("x",), text)):
        assert [hexes(text) for text in ("12 in", "2 in", "0 in")] == [6, 1, 0]
    assert not faults
    assert scale.own(("x",), "5 in") == 2
    assert faults[0][1]["rule"] == "C1.1"


@pytest.mark.rule("C1.1")
def test_distances_that_do_not_come_out_whole_are_told_where_the_size_of_hexes_is_given():
    with pytest.raises(ContentError) as caught:
        scenario(FIELD, ONE, options={"hex_inches": 4})
    (problem,) = caught.value.problems
    assert (problem.line, problem.column, problem.rule) == (6, 26, "C1.1")
    assert "hexes of 4 in" in problem.text and problem.suggestion == "hex_inches may be 1 or 2"


@pytest.mark.rule("C1.1")
def test_a_distance_of_the_scenario_that_does_not_come_out_whole():
    weapon = {"id": "club", "range": "3 in", "rof": 1, "at": 1, "firepower": 6}
    with pytest.raises(ContentError) as caught:
        loads(text_of(FIELD, ONE) + "\n" + section("weapon", weapon), "test")
    assert "3 in are not whole hexes of 2 in" in str(caught.value)


@pytest.mark.rule("C1.2")
@pytest.mark.parametrize(("at", "legal"), [("0406", True), ("0405", False)])
def test_closer_than_eight_inches_is_up_to_three_hexes(at, legal):
    game = begin(FIELD, "red\n p trained confident\n  a rifle 0408\n" + enemy("0402"))
    assert allows(game, f"double a {at}") is legal


@pytest.mark.rule("C1.3")
@pytest.mark.refusal("C1.3")
def test_a_hex_holds_three_teams():
    game = begin(
        FIELD, ONE.replace("a rifle-mg 0404", "a rifle-mg 0404\n b rifle 0403\n c rifle 0403\n d rifle 0403")
    )
    refuse(game, "move a 0403", "C1.3", "crowded")
    assert allows(game, "move a 0402"), "teams pass through friends"


@pytest.mark.rule("C1.3")
@pytest.mark.parametrize(
    ("there", "comes", "legal"),
    [
        ("t truck 0403", "truck", True),
        ("t truck 0403\n u truck 0403", "truck", False),
        ("t truck 0403\n u truck 0403", "rifle", False),
        ("t truck 0403\n u rifle 0403\n v rifle 0403", "rifle", False),
        ("t truck 0403\n u rifle 0403", "rifle", True),
        ("t rifle 0403\n u rifle 0403", "truck", True),
        ("t rifle 0403\n u rifle 0403\n v rifle 0403", "truck", False),
    ],
)
def test_vehicles_take_more_room(there, comes, legal):
    game = begin(FIELD, f"red\n p trained confident\n  a {comes} 0404\n  {there}\n" + enemy())
    assert allows(game, "move a 0403") is legal


@pytest.mark.refusal("C1.3")
def test_the_sides_share_no_hex():
    game = begin(FIELD, "red\n p trained confident\n  a rifle 0404\n" + enemy("0403"))
    refuse(game, "move a 0403", "C1.3", "enemy-there")


@pytest.mark.rule("C1.4")
@pytest.mark.refusal("C1.4")
def test_a_gun_shoots_into_the_half_circle_ahead():
    forces = "red\n p trained confident\n  g at-37 0404 faces 0403\n  s rifle 0707\n" + enemy("{at}")
    for at in ("0402", "0304", "0504"):
        assert allows(begin(FIELD, forces.format(at=at), step="shooting"), "shoot g q"), at
    refuse(begin(FIELD, forces.format(at="0406"), step="shooting"), "shoot g q", "C1.4", "out-of-arc")
    assert allows(begin(FIELD, forces.replace("at-37", "rifle").replace(" faces 0403", "").format(at="0406"),
                        step="shooting"), "shoot g q")  # fmt: skip


@pytest.mark.rule("C1.4")
@pytest.mark.refusal("C1.4")
def test_turning_in_place_is_no_move():
    game = begin(
        FIELD, "red\n p trained confident\n  g at-37 0404 dug-in faces 0403\n  a rifle 0101\n" + enemy()
    )
    play(game, "face g 0504")
    assert unit(game, "g")["facing"] == "0504"
    assert marks(game, "g") == {"dug-in"}
    refuse(game, "face g 0403", "C1.4", "turned-already")
    refuse(game, "face a 0102", "C1.4", "no-facing")


@pytest.mark.rule("C1.5")
@pytest.mark.refusal("C1.5")
def test_infantry_goes_three_hexes_whatever_the_ground():
    game = begin("\n".join(["...w....", *["........"] * 7]), ONE)
    assert allows(game, "move a 0401")
    refuse(game, "move a 0407-0408", "C1.5", "not-adjacent")
    refuse(game, "move a 0408", "C1.5", "out-of-reach")
    play(game, "move a 0403-0402-0401")
    assert where(game, "a") == "0401"
    refuse(game, "move a 0402", "C1.5", "moved-already")


@pytest.mark.rule("C1.5")
def test_ground_whose_allowance_is_used_up_is_not_entered():
    """After four hexes cross-country a tank has used up what it has in a wood: it stops before it."""
    rows = ["........"] * 4 + ["...w....", *["........"] * 5]
    game = begin(
        "\n".join(rows), "red\n p trained confident\n  t medium-tank 0409\n  s rifle 0110\n" + enemy("0801")
    )
    assert allows(game, "move t 0408-0407-0406-0405")
    refuse(game, "move t 0509-0508-0507-0506-0405", "C1.5", "out-of-reach")
    assert allows(game, "move t 0404"), "round the wood it goes six"


@pytest.mark.rule("C1.5")
def test_a_road_is_road_whatever_the_terrain():
    rows = "wwwwwwwwww\n.........."
    road = {"roads": ["-".join(f"{column:02}01" for column in range(1, 11))]}
    forces = "red\n p trained confident\n  t wheeled-x 0101\n"
    own = [{"id": "wheeled-x", "name": "Lorry", "kind": "vehicle", "mobility": "wheeled"}]
    game = begin(rows, forces + enemy("1002"), map=road, type=own)
    assert allows(game, "move t 0901"), "eight hexes on the road"
    assert not allows(game, "move t 0502")
    assert codes(play(game, "move t 0901")) == ["moved"], "no going checks on the road"


@pytest.mark.rule("C1.6")
@pytest.mark.refusal("C1.6")
def test_vehicles_bog_down_in_a_wood_on_a_one():
    rows = "........\n...w....\n........\n........"
    forces = "red\n p trained confident\n  t medium-tank 0404\n" + enemy("0801")
    game = begin(rows, forces)
    events = play(game, "move t 0403-0402-0401 [1]")
    assert where(game, "t") == "0402"
    assert "bogged" in marks(game, "t")
    assert codes(events) == ["bogged", "moved"]
    game = begin(rows, forces)
    play(game, "move t 0403-0402-0401 [2]")
    assert where(game, "t") == "0401"
    stuck = begin(rows, forces.replace("0404", "0404 bogged"))
    refuse(stuck, "move t 0403", "C1.6", "bogged-down")


@pytest.mark.rule("C1.6")
@pytest.mark.parametrize(("die", "through"), [(3, False), (4, True)])
def test_very_difficult_ground_asks_for_a_skill_test(die, through):
    rows = "........\n...m....\n........\n........"
    game = begin(rows, "red\n p trained confident\n  t medium-tank 0404\n" + enemy("0801"))
    play(game, f"move t 0403-0402-0401 [{die}]")
    assert where(game, "t") == ("0401" if through else "0402")


@pytest.mark.rule("C1.6")
def test_infantry_never_bogs_down_and_fields_ask_nothing():
    rows = "........\n...m....\n...f....\n........"
    game = begin(rows, "red\n p trained confident\n  a rifle 0404\n  t medium-tank 0304\n" + enemy("0801"))
    play(game, "move a 0401")
    assert codes(play(game, "move t 0404-0403")) == ["moved"]


def test_the_offered_hexes_are_those_that_any_path_reaches():
    """Every offered hex is accepted; hexes and paths that go too far are not."""
    game = begin(FIELD, ONE)
    assert len([order for order in offered(game, "move") if " a " in order]) == 36, (
        "37 hexes within three, less the own"
    )


@pytest.mark.rule("C1.5")
def test_a_way_that_no_team_could_go_is_not_read():
    """However long the text is: what is said of it is short."""
    game = begin("...", "red\n p trained\n  a rifle 0101\ngrey\n q trained\n  z rifle 0301\n")
    assert str(game.parse("move a " + "-".join(["0101", "0201"] * 30))).startswith("move a 0101-0201-")
    with pytest.raises(InvalidOrder, match="a way of 61 hexes is longer than any can be"):
        game.parse("move a " + "-".join(["0101"] * 61))


@pytest.mark.rule("C1.6")
def test_of_ways_as_short_one_with_the_fewest_checks_is_gone():
    """A slow tank goes as far on difficult ground as on any other, and still goes around the wood."""
    game = begin(
        ".w....\n......\n......\n......",
        "red\n p trained\n  t heavy-tank 0102\ngrey\n q trained\n  z rifle 0604",
    )
    assert [event.code for event in play(game, "move t 0302")][:1] == ["moved"], "no check"
    assert marks(game, "t") == {"moved"}


@pytest.mark.rule("C1.6")
def test_infantry_never_checks_whatever_carries_it():
    """The class of movement of a type of the scenario's own makes no vehicle of infantry."""
    cart = '[[type]]\nid = "cart"\nname = "Cart"\nkind = "infantry"\nmobility = "half-track"'
    game = begin(
        ".w..\n.w..", "red\n p trained\n  a cart 0101\ngrey\n q trained\n  z rifle 0402", tables=cart
    )
    assert [event.code for event in play(game, "move a 0201 []")][:1] == ["moved"]


@pytest.mark.rule("C1.5")
@pytest.mark.refusal("C1.5")
def test_a_ford_crosses_the_river_and_no_cliff():
    sides = {"rivers": ["0103/0203"], "fords": ["0103/0203"]}
    around = ["0103/0102", "0103/0104"]
    forces = "red\n p trained\n  a rifle 0103\ngrey\n q trained\n  z rifle 0202"
    game, barred = [
        begin("..\n..\n..\n..", forces, map={**sides, "cliffs": cliffs})
        for cliffs in (around, [*around, "0103/0203"])
    ]
    assert allows(game, "move a 0203")
    refuse(barred, "move a 0203", "C1.5", "impassable")
