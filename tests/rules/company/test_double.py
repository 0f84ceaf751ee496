"""C2: at the double. The straightest path is held against a brute force over all paths."""

import random
from itertools import pairwise

import pytest

from hexengine.systems.company.ground import CROSS, ROAD
from hexengine.systems.company.moving.double import Doubler
from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.company.table import allows, begin, offered, play, refuse

FIELD = "\n".join(["..........."] * 12)
FAR = "\ngrey\n    q trained confident\n        z rifle-mg 1101\n"


def forces(first, enemy="z rifle-mg 1101", status=""):
    return f"red\n p trained confident {status}\n  {first}\ngrey\n q trained confident\n  {enemy}\n"


@pytest.mark.rule("C2.1")
@pytest.mark.refusal("C2.1")
@pytest.mark.parametrize(("kind", "hexes"), [("heavy-tank", 8), ("medium-tank", 12), ("rifle", 6)])
def test_twice_the_allowance(kind, hexes):
    rows = "\n".join(["."] * 18)
    side = f"red\n p trained confident\n  t {kind} 0118\ngrey\n q trained confident\n  z rifle 0101\n"
    game = begin(rows, side)
    assert allows(game, f"double t 01{18 - hexes:02}")
    refuse(game, f"double t 01{18 - hexes - 1:02}", "C2.1", "too-far")


@pytest.mark.rule("C2.2", "C2.8")
def test_each_team_chooses_for_itself():
    game = begin(FIELD, forces("a rifle 0312\n  b rifle 0412\n  c rifle 0512", enemy="z rifle-mg 0404"))
    play(game, "double a 0308", "move b 0410", "end")
    assert marks(game, "a") == {"doubled"}
    assert marks(game, "b") == {"moved"}
    assert allows(game, "shoot b,c q")


@pytest.mark.rule("C2.3")
@pytest.mark.refusal("C2.3")
def test_pinned_teams_do_not():
    game = begin(FIELD, forces("a rifle 0312", status="pinned"))
    refuse(game, "double a 0310", "C2.3", "pinned")


@pytest.mark.rule("C2.4")
@pytest.mark.refusal("C2.4")
def test_no_difficult_ground():
    rows = FIELD.split("\n")
    rows[9] = "..w........"
    game = begin("\n".join(rows), forces("a rifle 0312\n  b rifle 0310"))
    refuse(game, "double a 0310", "C2.4", "difficult-ground")
    refuse(game, "double a 0311-0310-0309", "C2.4", "difficult-ground")
    refuse(game, "double b 0309", "C2.4", "difficult-ground")


@pytest.mark.rule("C2.4")
def test_a_road_through_a_wood_is_road():
    rows = FIELD.split("\n")
    rows[9] = "wwwwwwwwwww"
    road = {"roads": ["0312-0311-0310-0309-0308"], "streams": ["0308/0309"]}
    game = begin("\n".join(rows), forces("a rifle 0312\n  b rifle 0310"), map=road)
    assert allows(game, "double a 0311-0310-0309-0308")
    assert allows(game, "double a 0310"), "it may end there"
    assert allows(game, "double b 0308"), "and begin there"


@pytest.mark.rule("C2.5", "C1.2")
@pytest.mark.refusal("C2.5")
def test_the_stand_off():
    game = begin(FIELD, forces("a rifle 0412\n  b rifle 0406", enemy="z rifle 0404"))
    assert allows(game, "double a 0408")
    refuse(game, "double a 0407", "C2.5", "standoff")
    assert allows(game, "double b 0409"), "who is close may move off"
    refuse(game, "double b 0405", "C2.5", "standoff")
    strict = begin(
        FIELD, forces("b rifle 0406", enemy="z rifle 0404"), options={"double_may_leave_standoff": False}
    )
    refuse(strict, "double b 0409", "C2.5", "standoff")


@pytest.mark.rule("C2.6")
@pytest.mark.refusal("C2.6")
def test_both_zigzags_of_a_line_are_straight_and_a_detour_is_not():
    game = begin(FIELD, forces("a rifle 0112"))
    # To 0312 the line runs along the side of 0211 and 0212.
    assert allows(game, "double a 0211-0312")
    assert allows(game, "double a 0212-0312")
    refuse(game, "double a 0111-0211-0311-0312", "C2.6", "not-straightest")
    refuse(game, "double a 0111-0112", "C2.6", "comes-back")
    refuse(game, "double a 0111-0110-0111-0211", "C2.6", "hex-twice")


@pytest.mark.rule("C2.6")
def test_a_wood_on_the_only_line_is_a_reason_to_turn():
    rows = FIELD.split("\n")
    rows[8] = "...w......."
    wood = begin("\n".join(rows), forces("a rifle 0412"))
    assert not allows(wood, "double a 0406"), "seven hexes are beyond six"
    assert len(facts(play(wood, "double a 0407"), "moved")["hexes"]) == 6
    open_ground = begin(FIELD, forces("a rifle 0412"))
    refuse(open_ground, "double a 0411-0511-0510-0409-0408", "C2.6", "not-straightest")


@pytest.mark.rule("C2.6")
def test_a_road_with_a_bend_may_be_longer():
    road = {"roads": ["0212-0211-0210-0209-0208-0308-0408-0508-0608-0708-0709-0710"]}
    game = begin(FIELD, forces("t medium-tank 0212", enemy="z rifle 1101"), map=road)
    bend = "0211-0210-0209-0208-0308-0408-0508-0608-0708-0709-0710"
    assert allows(game, f"double t {bend}")
    assert allows(game, "double t 0710"), "or straight across"
    bare = begin(FIELD, forces("t medium-tank 0212", enemy="z rifle 1101"))
    refuse(bare, f"double t {bend}", "C2.6", "not-straightest")


@pytest.mark.rule("C2.6")
def test_the_enemy_is_a_reason_to_turn():
    game = begin("\n".join(["." * 12] * 14), forces("t medium-tank 0108", enemy="z rifle 0606"))
    events = play(game, "double t 1108")
    path = [game.board.labels.index(label) for label in facts(events, "moved")["hexes"]]
    enemy = game.board.labels.index("0606")
    assert min(game.board.grid.distance(place, enemy) for place in path) == 4
    line = game.board.sight.between(game.board.labels.index("0108"), path[-1])
    assert any(not line >> place & 1 for place in path[:-1]), "it has left the straight line"


@pytest.mark.rule("C2.7")
@pytest.mark.refusal("C2.7")
def test_it_faces_the_way_it_went():
    game = begin(FIELD, forces("t medium-tank 0412 faces 0512\n  a rifle 0112"))
    play(game, "double t 0407")
    assert unit(game, "t")["facing"] == "0406"
    refuse(game, "face t 0507", "C2.7", "faces-its-way")


@pytest.mark.rule("C2.8")
@pytest.mark.refusal("C2.8")
def test_nothing_else_in_that_turn():
    game = begin(FIELD, forces("a rifle 0412 doubled\n  b rifle 0112", enemy="z rifle 0411"), step="movement")
    refuse(game, "move a 0312", "C2.8", "doubled-already")
    play(game, "end")
    refuse(game, "shoot a q", "C2.8", "doubled")
    charging = begin(
        FIELD, forces("a rifle 0412 doubled\n  b rifle 0410", enemy="z rifle 0411"), step="assault"
    )
    refuse(charging, "charge a 0411", "C2.8", "doubled")


@pytest.mark.rule("C2.8", "C13.2")
def test_who_doubled_still_defends_itself():
    game = begin(FIELD, forces("a rifle-mg 0412", enemy="z rifle-mg 0411 doubled"), step="assault")
    play(game, "charge a 0411")
    assert allows(game, "shoot z p")


@pytest.mark.rule("C2.9")
def test_double_dice_against_it():
    rows = forces("a rifle-mg 0412\n  b rifle-mg 0412", enemy="z rifle 0408 doubled veteran")
    game = begin(FIELD, rows, step="shooting")
    events = play(game, "shoot a,b q [4 1 5 2 6 3 4 1 3 3 3 3]")
    volley = facts(events, "volley")
    assert (volley["dice"], volley["need"], volley["hits"]) == (8, 4, 4)


@pytest.mark.rule("C2.10")
def test_not_for_bombardments():
    rows = """
red
    p trained confident
        a mortar-81 0112
        b mortar-81 0112
        c mortar-81 0112
    alone o observer 0411 trained confident
grey
    q veteran confident
        z rifle 0404 doubled
"""
    game = begin(FIELD, rows, step="shooting")
    events = play(game, "bombard p 0404 [4 4 3]")
    assert len(facts(events, "under-the-template")["faces"]) == 1


@pytest.mark.rule("C2.11")
def test_the_mark_lasts_until_the_next_own_turn():
    game = begin(FIELD, forces("a rifle 0312"))
    play(game, "double a 0308")
    while game.decision.side == "red":
        play(game, "end")
    assert "doubled" in marks(game, "a"), "in the enemy's turn"
    while game.decision.side == "grey":
        play(game, "end")
    assert "doubled" not in marks(game, "a")


@pytest.mark.rule("C2.12")
@pytest.mark.refusal("C2.12")
def test_mixed_platoons():
    rows = """
red
    p trained confident
        a rifle-mg 0412
        b rifle-mg 0412
        c rifle-mg 0412
        s rifle-mg 0411
grey
    q trained confident
        y rifle 0408 doubled
        x rifle 0308 moved
        w rifle 0508 moved
        v rifle 0407 moved
"""
    game = begin(FIELD, rows, step="shooting")
    events = play(game, "shoot a,b,c q doubled [5 5 5 5 5 1 1 1 1 1 1 1 6 6 6 6 6]")
    assert facts(events, "volley")["dice"] == 12
    assert facts(events, "saves")["units"] == ["y"], "all five hits go to the doubled team"
    plain = begin(FIELD, rows, step="shooting")
    events = play(plain, "shoot a,b,c q [5 5 5 5 1 1 6 6 6 6]")
    assert facts(events, "volley")["dice"] == 6
    assert sorted(name for one in every(events, "saves") for name in one["units"]) == ["v", "w", "x", "y"]
    others = begin(FIELD, rows.replace(" doubled", " moved"), step="shooting")
    refuse(others, "shoot a q doubled", "C2.12", "not-mixed")


@pytest.mark.rule("C2.13")
@pytest.mark.parametrize(("negates", "need"), [(False, 5), (True, 4)])
def test_cover_still_counts(negates, need):
    rows = FIELD.split("\n")
    rows[7] = "...f......."
    side = (
        "red\n p trained confident\n  a rifle-mg 0412\ngrey\n q veteran confident\n  z rifle 0408 doubled\n"
    )
    game = begin("\n".join(rows), side, step="shooting", options={"double_negates_concealment": negates})
    assert facts(play(game, "shoot a q [1 1 1 1]"), "volley")["need"] == need


# -- the definition against all paths ------------------------------------------------------------------


def all_paths(doubler, most):
    """Every path without a repeated hex whose steps may be made, by its end."""
    found = {}
    stack = [(doubler.start,)]
    while stack:
        path = stack.pop()
        if len(path) > 1:
            found.setdefault(path[-1], []).append(path)
        if len(path) <= most:
            steps = doubler.free(path[-1])
            stack += [(*path, to) for to in range(steps.bit_length()) if steps >> to & 1 and to not in path]
    return found


def has_reasons(doubler, path, roads):
    """C2.6 word for word: is there any way to cut the path into straight legs with reasons?"""
    board = doubler.pos.board

    def touched(a, b):
        return {one for stretch in board.sight.line(a, b) for one in stretch} | {a, b}

    def lines(a, b):
        """All shortest chains of touched hexes, walkable or not."""
        inside, length = touched(a, b), board.grid.distance(a, b)
        chains = [[a]]
        for _ in range(length):
            chains = [[*chain, to] for chain in chains for to in board.grid.neighbours[chain[-1]]
                      if to in inside and board.grid.distance(to, b) == length - len(chain)]  # fmt: skip
        return chains

    def barred(a, b):
        return not any(all(doubler.free(x) >> y & 1 for x, y in pairwise(chain)) for chain in lines(a, b))

    def straight(i, j):
        return list(path[i : j + 1]) in lines(path[i], path[j])

    def cut(i, j):
        if j == len(path) - 1:
            return True
        for k in range(j + 1, len(path)):
            if straight(j, k) and (roads[j - 1] or roads[j] or barred(path[i], path[k])) and cut(j, k):
                return True
        return False

    return any(straight(0, j) and cut(0, j) for j in range(1, len(path)))


def legal_paths(doubler, most):
    """By end hex, the paths that the definition allows."""
    ground = doubler.ground
    legal = {}
    for end, paths in all_paths(doubler, most).items():
        good = []
        for path in paths:
            roads = [ground.is_road(a, b) for a, b in pairwise(path)]
            good.append((path, all(roads), has_reasons(doubler, path, roads)))
        least = min((len(path) for path, _, reasons in good if reasons), default=0)
        least_road = min((len(path) for path, road, _ in good if road), default=0)
        chosen = [
            path for path, road, reasons in good
            if (reasons and len(path) == least) or (road and len(path) == least_road)
        ]  # fmt: skip
        if chosen:
            legal[end] = chosen
    return legal


def small_map(seed):
    """A random map of 5 by 5 with woods, a road and an enemy somewhere off the corner."""
    rng = random.Random(seed)
    rows = ["".join("w" if rng.random() < 0.22 else "." for _ in range(5)) for _ in range(5)]
    rows[2] = rows[2][:2] + "." + rows[2][3:]
    spots = [f"{column:02}{row:02}" for column in (1, 5) for row in (1, 5)]
    road = "0303-0302-0402-0503" if rng.random() < 0.4 else "0303-0304-0204"
    side = forces("a rifle 0303", enemy=f"z rifle {rng.choice(spots)}")
    extra = {"roads": [road]} if rng.random() < 0.6 else {}
    return begin("\n".join(rows), side, map=extra)


@pytest.mark.rule("C2.6", "C2.1")
@pytest.mark.parametrize("seed", range(12))
def test_the_straightest_path_against_all_paths(seed):
    """The hexes offered are those of the definition, every path is judged as it says, the offered one is
    legal.
    """
    compare(seed)


def compare(seed, most=4):
    game = small_map(seed)
    unit_number = game.board.ids.index("a")
    doubler = Doubler(game.position, unit_number)
    doubler.limit = lambda column: most  # type: ignore[method-assign]
    legal = legal_paths(doubler, most)
    ends = {place for place in range(game.board.size) if doubler.ends() >> place & 1}
    assert ends == set(legal), seed
    for end, paths in all_paths(doubler, most).items():
        for path in paths:
            assert doubler.straightest(path[1:]) == (path in legal.get(end, ())), (seed, path)
    for end in ends:
        assert (doubler.start, *doubler.path(end)) in legal[end], (seed, end)


def test_every_offered_hex_has_an_accepted_path_and_the_reverse():
    game = begin(
        FIELD.replace("...........\n", "....w......\n", 3), forces("a rifle 0608", enemy="z rifle 0201")
    )
    number = game.board.ids.index("a")
    for order in sorted(offered(game, "double")):
        place = game.board.labels.index(order.split()[2])
        path = Doubler(game.position, number).path(place)
        named = "-".join(game.board.labels[one] for one in path)
        assert allows(game, f"double a {named}"), (order, named)
    assert where(game, "a") == "0608"
    assert (CROSS, ROAD) == (1, 0)
    assert codes(play(game, sorted(offered(game, "double"))[0]))[0] == "at-the-double"


@pytest.mark.rule("C2.1", "C2.6")
@pytest.mark.refusal("C2.1", "C2.4")
def test_a_hex_behind_difficult_ground_is_too_far_by_its_least_path():
    """The way around the wood 0409 is of 7 hexes, and infantry goes 6: the wood bars only its own hex."""
    rows = ["..........."] * 12
    rows[8] = "...w......."
    text = "red\n p trained\n  a rifle 0412\n  s rifle 0112\ngrey\n q trained\n  z rifle 1101\n"
    game = begin("\n".join(rows), text)
    why = refuse(game, "double a 0406", "C2.1", "too-far")
    assert why.facts["steps"] == 7
    refuse(game, "double a 0409", "C2.4", "difficult-ground")
    assert allows(game, "double a 0407")
