"""C11 and C12: tests, pinning, shooting, hits, saves and armour."""

import pytest

from hexengine.systems.company.firing.hits import FRONT, SIDE, TOP, alike, armour_of
from tests.rules.asking import codes, every, facts, marks, where
from tests.rules.company.table import begin, offered, play, refuse

FIELD = "\n".join(["..........."] * 14)
SPARE = "\n s trained confident\n  spare rifle-mg 0201\n"


def shot(
    shooters,
    target,
    red="trained confident",
    grey="trained confident",
    at="0107",
    more="",
    step="shooting",
    **rest,
):
    text = f"red\n p {red}\n  {shooters}\n{SPARE}grey\n q {grey}\n  {target.format(at=at)}\n{more}"
    return begin(FIELD, text, step=step, **rest)


@pytest.mark.rule("C12.1")
@pytest.mark.parametrize(
    ("team", "dice"),
    [("rifle-mg 0101", 2), ("rifle-mg 0101 moved", 1), ("rifle 0101", 1), ("machine-gun 0101 moved", 2)],
)
def test_the_rate_of_fire(team, dice):
    game = shot(f"a {team}", "z rifle {at} moved")
    assert facts(play(game, f"shoot a q [{' '.join(['1'] * dice)}]"), "volley")["dice"] == dice


@pytest.mark.rule("C12.1", "C11.2")
def test_pinned_teams_have_one_die_and_vehicle_machine_guns_do_not_mind():
    game = shot("a rifle-mg 0101", "z rifle {at} moved", red="trained confident pinned")
    assert facts(play(game, "shoot a q [1]"), "volley")["dice"] == 1
    tank = shot("t medium-tank 0101", "z rifle {at} moved", red="trained confident pinned")
    assert facts(play(tank, "shoot t q mg [1 1 1]"), "volley")["dice"] == 3


@pytest.mark.refusal("C12.1")
def test_who_may_shoot_at_whom():
    game = shot("a rifle-mg 0101", "z rifle {at}", at="0110", more=" r trained confident\n  y rifle 0103\n")
    refuse(game, "shoot a q", "C12.1", "out-of-range")
    refuse(game, "shoot a,spare r", "C12.1", "other-platoon")
    refuse(game, "shoot z p", "C12.1", "no-target")
    refuse(game, "shoot z r", "C12.1", "not-yours")
    refuse(game, "shoot a r mg", "C12.1", "no-weapon")
    play(game, "shoot a r [1 1]")
    refuse(game, "shoot a r", "C12.1", "shot-already")


@pytest.mark.refusal("C12.1")
@pytest.mark.rule("C12.1")
def test_woods_and_walls_block():
    rows = FIELD.split("\n")
    rows[3] = "w.........."
    text = (
        f"red\n p trained confident\n  a rifle-mg 0101\n{SPARE}grey\n q trained confident\n  z rifle 0107\n"
    )
    game = begin("\n".join(rows), text + " r trained confident\n  y rifle 0304\n", step="shooting")
    refuse(game, "shoot a q", "C12.1", "no-line-of-sight")
    look = game.system.sight(game.position, game.board.labels.index("0101"), game.board.labels.index("0107"))
    assert (look.clear, look.rule) == (False, "C12.1")


@pytest.mark.rule("C12.2", "C11.1")
@pytest.mark.parametrize(("skill", "need"), [("conscript", 2), ("trained", 3), ("veteran", 4)])
def test_the_score_is_by_the_skill_of_the_target(skill, need):
    game = shot("a rifle 0101", "z rifle {at} moved", grey=f"{skill} confident")
    assert facts(play(game, "shoot a q [1]"), "volley")["need"] == need


@pytest.mark.rule("C12.2")
def test_veterans_concealed_at_long_range_are_hit_on_six():
    game = shot("a machine-gun 0101", "z rifle {at} shot", grey="veteran confident", at="0110")
    volley = facts(play(game, "shoot a q [6 2 1 1 1 1 6]"), "volley")
    assert (volley["need"], volley["hits"]) == (6, 1)
    assert [part.code for part in volley["parts"]] == ["skill", "concealed", "long-range"]


@pytest.mark.rule("C12.2")
def test_seven_is_a_six_and_then_five():
    """The second die is rolled at once after each six."""
    game = shot("a machine-gun 0101", "z rifle {at}\n  y rifle {at}", grey="veteran confident", at="0110")
    volley = facts(play(game, "shoot a q [6 4 6 5 1 2 3 4 6]"), "volley")
    assert (volley["need"], volley["hits"]) == (7, 1)
    assert volley["faces"] == [6, 4, 6, 5, 1, 2, 3, 4]


@pytest.mark.rule("C12.3")
@pytest.mark.refusal("C12.3")
def test_hits_are_shared_evenly_and_the_owner_says_who_takes_what_is_left():
    game = shot("a machine-gun 0101", "x rifle 0107 moved\n  y rifle 0106 moved\n  z rifle 0206 moved")
    play(game, "shoot a q [3 3 3 3 1 1]")
    assert (game.decision.kind, game.decision.side) == ("hits", "grey")
    refuse(game, "shoot spare q", "C12.3", "share-hits-first")
    refuse(game, "take spare", "C12.3", "takes-none")
    events = play(game, "take y [6 6 6 6]")
    assert {one["units"][0]: one["hits"] for one in every(events, "saves")} == {"x": 1, "y": 2, "z": 1}


@pytest.mark.rule("C12.3")
def test_teams_that_are_alike_are_not_asked_about():
    game = shot("a machine-gun 0101", "x rifle 0107 moved\n  y rifle 0107 moved\n  z rifle 0107 moved")
    events = play(game, "shoot a q [3 3 3 3 1 1 6 6 6 6]")
    assert codes(events).count("saves") == 2
    shares = {tuple(one["units"]): one["hits"] for one in every(events, "saves")}
    assert shares == {("x", "y"): 2, ("z",): 2}, "the last of the scenario takes what is left over"


@pytest.mark.rule("C12.3")
def test_a_team_with_motivation_of_its_own_is_not_like_another():
    game = shot("a rifle 0101", "x rifle 0106 moved reluctant\n  y rifle 0106 moved")
    play(game, "shoot a q [3]")
    assert game.decision.kind == "hits"
    assert offered(game, "take") == {"take x", "take y"}


@pytest.mark.rule("C4.4")
@pytest.mark.parametrize(("kind", "covered"), [("rifle", True), ("at-57", True), ("truck", False)])
def test_bulletproof_cover_is_one_of_infantry_and_guns(kind, covered):
    """Behind a wall a truck that fails its save is lost without a Firepower test."""
    game = shot("a rifle 0104", f"x {kind} 0108 moved", map={"walls": ["0107/0108"]})
    events = play(game, "shoot a q [6 1 1]" if covered else "shoot a q [6 1]")
    assert ("firepower" in codes(events)) is covered
    assert (where(game, "x") is None) is not covered


@pytest.mark.rule("C12.4")
@pytest.mark.parametrize(
    ("kind", "need"), [("rifle", 3), ("at-37", 5), ("machine-gun", 3), ("truck", 5), ("cavalry", 5)]
)
def test_saves(kind, need):
    game = shot("a rifle 0101", f"z {kind} {{at}} moved\n  y rifle 1113")
    events = play(game, f"shoot a q [6 {need}]")
    assert facts(events, "saves")["need"] == need
    assert where(game, "z") == "0107"


@pytest.mark.rule("C12.4")
@pytest.mark.parametrize(
    ("dice", "result"),
    [
        ("6", set()),
        ("5 2", set()),
        ("5 3", {"bailed-out"}),
        ("4 2", {"bailed-out"}),
        ("4 3", {"eliminated"}),
    ],
)
def test_armour(dice, result):
    """Anti-tank 11 against front armour 6: a 6 saves, on a 5 Firepower (3) bails out, below it destroys."""
    text = f"red\n p trained confident\n  t medium-tank 0101 moved\n{SPARE}grey\n q trained confident\n"
    game = begin(
        FIELD, text + "  z medium-tank 0107 moved faces 0106\n  y medium-tank 1113\n", step="shooting"
    )
    play(game, f"shoot t q [4 {dice}]")
    assert marks(game, "z") - {"moved"} == result


@pytest.mark.rule("C12.4", "C1.4")
def test_side_armour_from_behind():
    text = f"red\n p trained confident\n  t medium-tank 0101 moved\n{SPARE}grey\n q trained confident\n"
    game = begin(
        FIELD, text + "  z medium-tank 0107 moved faces 0108\n  y medium-tank 1113\n", step="shooting"
    )
    assert facts(play(game, "shoot t q [4 1]"), "armour")["armour"] == 4


@pytest.mark.rule("C12.3")
@pytest.mark.parametrize("more", ["", "dug-in", "tried-to-dig", "out-of-command", "shot", "doubled"])
def test_teams_are_alike_that_differ_in_nothing_but_their_names(more):
    game = shot("a rifle 0101", f"x rifle 0106 moved {more}\n  y rifle 0106 moved")
    x, y = [game.board.ids.index(name) for name in "xy"]
    assert alike(game.position, x, y) is (not more)


@pytest.mark.rule("C12.4", "C1.4")
def test_which_armour_counts():
    """The front if any shot comes from ahead, else the side; the top against what comes from above."""
    game = shot("a rifle 0101", "z medium-tank 0107 faces 0106")
    tank, hexes = game.board.ids.index("z"), game.board.grid.index
    assert armour_of(game.position, tank, [hexes("0101"), hexes("0112")]) == FRONT
    assert armour_of(game.position, tank, [hexes("0112")]) == SIDE
    assert armour_of(game.position, tank, []) == TOP


@pytest.mark.refusal("C12.4")
def test_a_crew_that_has_bailed_out_does_nothing():
    game = shot("t medium-tank 0101 bailed-out", "z rifle {at}")
    refuse(game, "shoot t q", "C12.4", "bailed-out")


@pytest.mark.rule("C12.4", "C12.3", "C12.1", "C4.4")
def test_all_together():
    """Three rifle/MG teams at dug-in trained infantry that shot: six dice, three hits, one team lost."""
    team = "  {name} rifle-mg {at} dug-in shot\n"
    spots = [("u", "0107"), ("v", "0107"), ("w", "0107"), ("x", "0106")]
    text = f"red\n p trained confident\n  a rifle-mg 0101\n  b rifle-mg 0101\n  c rifle-mg 0101\n{SPARE}"
    text += "grey\n q trained confident\n" + "".join(team.format(name=n, at=at) for n, at in spots[:3])
    game = begin(FIELD, text, step="shooting")
    events = play(game, "shoot a,b,c q [5 4 2 6 1 3 2 4 1 6 3]")
    volley = facts(events, "volley")
    assert (volley["dice"], volley["need"], volley["hits"]) == (6, 4, 3)
    assert len(every(events, "destroyed")) == 1
    assert "pinned" not in marks(game, "u")


@pytest.mark.rule("C11.2")
@pytest.mark.parametrize(("faces", "pinned"), [("3 3 3 3 1 1", False), ("3 3 3 3 3 1", True)])
def test_five_hits_pin(faces, pinned):
    game = shot("a machine-gun 0101", "z rifle 0107 moved\n  y rifle 0107 moved")
    hits = 5 if pinned else 4
    play(game, f"shoot a q [{faces} {' '.join(['6'] * hits)}]")
    assert ("pinned" in marks(game, "z")) is pinned


@pytest.mark.rule("C11.2")
def test_hits_of_all_who_shoot_add_up_and_armour_is_not_pinned():
    game = shot("a machine-gun 0101\n  b machine-gun 0102", "z rifle 0107 moved\n  y rifle 0107 moved")
    play(game, "shoot a q [3 3 3 1 1 1 6 6 6]")
    assert "pinned" not in marks(game, "z")
    play(game, "shoot b q [3 3 1 1 1 1 6 6]")
    assert "pinned" in marks(game, "z")
    tanks = shot("a machine-gun 0101", "z medium-tank 0107 moved\n  y medium-tank 0107 moved")
    play(tanks, "shoot a q [3 3 3 3 3 1]")
    assert "pinned" not in marks(tanks, "z")


@pytest.mark.rule("C11.2")
@pytest.mark.refusal("C11.2")
def test_pinned_teams_come_no_closer_and_do_not_charge():
    game = shot("a rifle 0101", "z rifle 0104", red="trained confident pinned", step="movement")
    refuse(game, "move a 0102", "C11.2", "pinned-closer")
    close = shot("a rifle 0101", "z rifle 0102", red="trained confident pinned", step="assault")
    refuse(close, "charge a 0102", "C11.2", "pinned-charge")


@pytest.mark.rule("C11.2", "C11.1")
@pytest.mark.parametrize(("die", "rallied"), [(3, False), (4, True)])
def test_rallying_is_a_motivation_test(die, rallied):
    game = begin(FIELD, "red\n p trained\n  a rifle 0101\ngrey\n q trained pinned\n  z rifle 1112\n",
                 step="movement")  # fmt: skip
    play(game, f"end [{die}]")
    assert ("pinned" not in marks(game, "z")) is rallied


@pytest.mark.rule("C11.1")
@pytest.mark.parametrize("near", [True, False])
def test_a_joined_company_commander_gives_a_second_test(near):
    at = "1011" if near else "0101"
    grey = f"grey\n q trained pinned\n  z command-rifle 1112\n h trained\n  c company-command {at}\n"
    game = begin(FIELD, f"red\n p trained confident\n  a rifle 0110\n{grey}", step="movement")
    events = play(game, "end [3 4]" if near else "end [3]")
    assert codes(events).count("motivation-passed" if near else "motivation-failed") == 1


@pytest.mark.rule("C11.1")
def test_a_platoon_with_a_company_commander_of_its_own_tests_again():
    """Also if another company commander is far off."""
    grey = "grey\n q trained pinned\n  z company-command 1112\n h trained\n  c company-command 0101\n"
    game = begin(FIELD, f"red\n p trained confident\n  a rifle 0110\n{grey}", step="movement")
    assert codes(play(game, "end [3 4]")).count("motivation-passed") == 1


@pytest.mark.rule("C11.3")
def test_digging_is_no_move_for_going_to_ground():
    game = shot("a rifle 0101", "z rifle {at} tried-to-dig")
    assert facts(play(game, "shoot a q [1]"), "volley")["need"] == 5
    other = shot("a rifle 0101", "z rifle {at} tried-to-dig shot")
    assert facts(play(other, "shoot a q [1]"), "volley")["need"] == 4


@pytest.mark.rule("C12.3", "C1.4")
def test_the_way_by_which_infantry_came_makes_no_difference():
    """It faces all ways: two teams that came from two sides differ in nothing but their names."""
    red = "red\n p trained confident\n  a rifle 0601\n"
    grey = "grey\n q trained confident\n  x rifle 0407\n  y rifle 0807"
    game = begin(FIELD, red + grey, active="grey")
    play(game, "move x 0607", "move y 0607")
    while (game.decision.side, game.decision.kind) != ("red", "shooting"):
        play(game, "end")
    assert codes(play(game, "shoot a q [3 6]"))[:2] == ["volley", "saves"]


@pytest.mark.rule("C12.4", "C12.1")
def test_who_has_nobody_left_to_shoot_at_does_not_make_a_shot_come_from_ahead():
    """Gun d saw the rifle alone, which the gun of another type has hit: the tank is hit from behind."""
    red = "red\n p trained\n  a at-37 0501 faces 0502\n  c at-57 0701 faces 0702\n  d at-57 0116 faces 0115\n"
    grey = "grey\n q trained\n  x rifle 0108 moved\n  z medium-tank 0103 moved faces 0104"
    game = begin("\n".join(["..........."] * 16), red + grey, step="shooting")
    play(game, "shoot a,c,d q [6 1 1]")
    events = play(game, "take x [1 6 1 1 1 6]")
    assert [one["units"] for one in every(events, "volley")] == [["c"]]
    assert facts(events, "armour")["armour"] == 4


@pytest.mark.rule("C10.3")
def test_when_the_command_team_is_lost_nobody_is_out_of_command():
    grey = "x command-rifle 0107 moved\n  y rifle 0207 moved out-of-command"
    game = shot("a machine-gun 0101", grey)
    play(game, "shoot a q [6 1 1 1 1 1]")
    assert "out-of-command" in marks(game, "y")
    play(game, "take x [1]")
    assert "out-of-command" not in marks(game, "y")
