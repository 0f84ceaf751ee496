"""C6 to C9: walls, openings, cleared and contested buildings, entering and leaving."""

import random
from collections import deque

import pytest

from hexengine.systems.company.moving.reach import Walker
from tests.rules.asking import codes, facts, marks, unit, where
from tests.rules.company.table import allows, begin, offered, play, refuse

# A building of the rooms 0403, 0404 and 0405; to its west stand 0303 to 0305, to its north 0402.
ROWS = ["........", "........", "...b....", "...b....", "...b....", "........", "........", "........"]
MAP = "\n".join(ROWS)
DOOR = {"side": "0304/0403", "kind": "door"}
WINDOW = {"side": "0305/0404", "kind": "window"}
NORTH = {"side": "0402/0403", "kind": "door"}
EAST = {"side": "0504/0403", "kind": "door"}


def house(red, grey="z rifle 0801", openings=(DOOR,), skill="trained", **rest):
    text = f"red\n p {skill} confident\n  {red}\n  spare rifle 0108\ngrey\n q trained confident\n  {grey}\n"
    return begin(MAP, text, opening=list(openings), **rest)


@pytest.mark.rule("C6.1", "C6.3")
def test_the_only_way_in_crosses_the_opening():
    game = house("a rifle 0303\n  b rifle 0304 touches 0403")
    board = game.board
    room = board.labels.index("0403")
    entered = {
        board.labels[place]
        for place, rooms in enumerate(board.ground.doors)
        if any(board.ground.building[one] == board.ground.building[room] for one in rooms)
    }
    assert entered == {"0304"}
    assert board.ground.building[board.labels.index("0405")] == board.ground.building[room]


@pytest.mark.rule("C6.2")
@pytest.mark.refusal("C6.2")
def test_walls_stop():
    refuse(house("a rifle 0303", openings=(EAST,)), "move a 0403", "C6.2", "wall")
    game = house("a rifle 0303")
    sees = game.board.sight.sees
    at = game.board.labels.index
    assert not sees(at("0303"), at("0403"))
    assert sees(at("0304"), at("0403")), "through the door"
    assert sees(at("0403"), at("0405")), "inside it is open"


@pytest.mark.rule("C6.1")
@pytest.mark.refusal("C6.2")
def test_inner_walls():
    game = house("a rifle 0403", inner_walls=["0403/0404"])
    refuse(game, "move a 0404", "C6.2", "wall")


@pytest.mark.rule("C6.4")
@pytest.mark.refusal("C6.4")
def test_a_team_touches_one_opening():
    both = ({"side": "0304/0403"}, {"side": "0304/0404", "kind": "window"})
    game = house("a rifle 0301", openings=both)
    play(game, "move a 0304")
    assert unit(game, "a")["touching"] == "0403"
    refuse(game, "touch a 0403", "C6.4", "no-opening")
    play(game, "touch a 0404")
    assert unit(game, "a")["touching"] == "0404"
    refuse(game, "touch a 0403", "C6.4", "no-choice-of-openings")
    refuse(game, "touch spare 0107", "C6.4", "no-choice-of-openings")


@pytest.mark.rule("C6.5")
@pytest.mark.refusal("C6.5")
def test_infantry_and_man_packed_guns_use_buildings():
    game = house("g at-37 0304\n  m machine-gun 0304 touches 0403\n  t truck 0308")
    refuse(game, "move g 0403", "C6.5", "team-class")
    refuse(game, "touch g 0403", "C6.5", "team-class")
    assert allows(game, "move m 0403")


@pytest.mark.rule("C6.6")
@pytest.mark.refusal("C6.6")
def test_an_opening_upstairs_is_for_shooting():
    upstairs = {"side": "0304/0403", "kind": "window", "floor": 1}
    grey = "z rifle 0403 floor {}\n  y rifle 0801"
    game = house("a rifle 0304", grey=grey.format(1), openings=(upstairs,))
    refuse(game, "move a 0403", "C6.6", "upper-floor")
    play(game, "end")
    assert allows(game, "shoot a q")
    game = house("a rifle 0304", grey=grey.format(0), openings=(upstairs,))
    play(game, "end")
    assert game.decision.side == "grey", "nobody is to be seen, so that the Shooting Step is over"


@pytest.mark.rule("C6.7", "C4.4")
def test_cover_inside():
    inside = "z rifle 0403 shot veteran"
    game = house("a rifle 0401", grey=inside, openings=(NORTH,), step="shooting")
    events = play(game, "shoot a q [5 2 5]")
    assert facts(events, "volley")["need"] == 5
    assert facts(events, "firepower")["need"] == 6
    assert where(game, "z") == "0403"


@pytest.mark.rule("C7.1", "C8.1", "C8.3", "C8.6")
def test_a_cleared_building_is_entered_without_a_test():
    game = house("a rifle 0304 touches 0403\n  b rifle 0302")
    assert game.state()["hexes"]["0403"]["cleared"] == ["red"]
    assert "entry-passed" not in codes(play(game, "move b 0303-0304-0403"))
    assert where(game, "b") == "0403"
    assert "entry-passed" not in codes(play(game, "move a 0403"))


@pytest.mark.rule("C7.1", "C8.1")
def test_a_friend_who_has_come_inside_clears_it():
    """Reserves enter a room of the building; then team a needs no test at the door."""
    text = "red\n p trained\n  a rifle 0303\n r trained reserve 0404\n  u rifle\n"
    text += "grey\n q trained\n  z rifle 0801\n"
    game = begin(MAP, text, active="grey", opening=[DOOR], turn=6, turns=8)
    while game.decision.side == "grey" or "due" not in marks(game, "u"):
        play(game, "end")
    assert "cleared" not in game.state()["hexes"].get("0403", {})
    play(game, "enter u 0404")
    assert game.state()["hexes"]["0403"]["cleared"] == ["red"]
    assert "entry-passed" not in codes(play(game, "move a 0403"))
    assert where(game, "a") == "0403"


@pytest.mark.rule("C7.1", "C13.5")
def test_a_charger_inside_clears_it_for_those_who_consolidate():
    red = "a rifle 0302\n  b rifle 0306"
    openings = (NORTH, {"side": "0305/0404"})
    game = house(
        red, grey="z rifle 0403 moved\n r trained\n  w rifle 0808", openings=openings, step="assault"
    )
    play(game, "charge a 0403", "done", "done [6]")
    assert (game.decision.kind, where(game, "a")) == ("consolidation", "0403")
    assert allows(game, "consolidate b 0404")


@pytest.mark.rule("C7.2")
def test_even_with_the_enemy_inside():
    game = house("a rifle 0304 touches 0403\n  b rifle 0302", grey="z rifle 0405")
    assert "entry-passed" not in codes(play(game, "move b 0403"))


@pytest.mark.rule("C7.3", "C8.2")
def test_an_empty_building_nobody_touches_is_contested():
    game = house("a rifle 0302\n  b rifle 0302")
    assert "cleared" not in game.state()["hexes"].get("0403", {})
    assert "entry-passed" in codes(play(game, "move a 0403 [4]"))
    assert where(game, "a") == "0403"
    assert "entry-passed" not in codes(play(game, "move b 0403")), "the others follow"


@pytest.mark.rule("C7.4")
def test_success_clears_it_for_the_rest_of_the_step():
    game = house("a rifle 0302", openings=(DOOR, EAST))
    play(game, "move a 0403 [4]")
    assert game.state()["hexes"]["0404"]["cleared"] == ["red"]
    game = house("a rifle 0303", openings=(DOOR, EAST))
    play(game, "move a 0304-0403-0504 [4]", "end")
    assert where(game, "a") == "0504"
    empty = house("a rifle 0302\n  b rifle 0303")
    play(empty, "move a 0403 [3]")
    assert "cleared" not in empty.state()["hexes"].get("0403", {})


@pytest.mark.rule("C7.5", "C8.2")
@pytest.mark.refusal("C7.5")
def test_a_room_with_an_enemy_is_entered_by_assault():
    game = house("a rifle 0302\n  b rifle 0302", grey="z rifle 0403")
    play(game, "move a 0403 [4]")
    assert (where(game, "a"), unit(game, "a")["touching"]) == ("0304", "0403")
    assert "blocker" not in marks(game, "a")
    refuse(game, "move b 0303-0304-0403", "C7.5", "enemy-there")


@pytest.mark.rule("C8.2", "C8.4", "C11.1")
@pytest.mark.refusal("C8.4")
def test_a_team_that_fails_blocks_the_opening():
    game = house("a rifle 0302\n  b rifle 0302\n  c rifle 0303", openings=(DOOR, WINDOW), skill="conscript")
    play(game, "move a 0303-0304-0403 [4]")
    assert (where(game, "a"), unit(game, "a")["touching"]) == ("0304", "0403")
    assert "blocker" in marks(game, "a")
    refuse(game, "move b 0303-0304-0403", "C8.4", "opening-blocked")
    play(game, "move c 0304-0305-0404 [5]")
    assert where(game, "c") == "0404"
    refuse(game, "move b 0303-0304-0403", "C8.4", "opening-blocked")


@pytest.mark.refusal("C8.4")
def test_no_test_where_a_team_could_not_stay():
    game = house("a rifle 0303\n  b at-37 0304\n  c at-37 0304\n  d at-37 0304")
    refuse(game, "move a 0304-0403", "C8.4", "no-room-to-stop")


@pytest.mark.rule("C8.5")
def test_a_wide_opening_is_blocked_base_by_base():
    breach = {"side": "0304/0403", "kind": "breach", "width": 2}
    game = house("a rifle 0302\n  b rifle 0302\n  c rifle 0302", openings=(breach,))
    play(game, "move a 0403 [3]")
    assert allows(game, "move b 0403")
    play(game, "move b 0403 [3]")
    refuse(game, "move c 0303-0304-0403", "C8.4", "opening-blocked")


@pytest.mark.rule("C8.6", "C7.1", "C8.3")
def test_the_block_lasts_until_the_step_ends():
    game = house("a rifle 0302\n  b rifle 0301")
    play(game, "move a 0403 [3]", "end")
    assert "blocker" not in marks(game, "a")
    while game.decision.side == "red":
        play(game, "end")
    while game.decision.side == "grey":
        play(game, "end")
    assert "entry-passed" not in codes(play(game, "move a 0403")), "it touches the opening now"
    assert where(game, "a") == "0403"


@pytest.mark.rule("C8.7", "C8.8")
@pytest.mark.refusal("C8.7")
def test_what_does_not_bring_it_fully_inside_does_not_count():
    game = house("a rifle 0301\n  b rifle 0302")
    refuse(game, "move a 0302-0303-0304-0403", "C8.7", "too-short")
    refuse(game, "move b 0303-0304-0403-0404", "C1.5", "out-of-reach")
    assert "move b 0404" not in offered(game, "move"), "a large building is not crossed beyond the distance"


@pytest.mark.rule("C8.9")
@pytest.mark.refusal("C8.9")
def test_nobody_doubles_through_a_building():
    game = house("a rifle 0304 touches 0403", grey="z rifle 0808")
    refuse(game, "double a 0403", "C8.9", "difficult-ground")


@pytest.mark.rule("C9.1", "C9.2")
def test_through_a_building_and_out():
    game = house("a rifle 0404", openings=(DOOR, EAST))
    play(game, "move a 0403-0504-0604")
    assert where(game, "a") == "0604"


@pytest.mark.rule("C9.3")
def test_in_and_out_in_one_move():
    game = house("a rifle 0304 touches 0403", openings=(DOOR, EAST))
    play(game, "move a 0403-0504")
    assert where(game, "a") == "0504"


@pytest.mark.rule("C9.4")
def test_a_blocked_opening_does_not_bar_leaving():
    game = house("a rifle 0304 touches 0403 blocker\n  b rifle 0403\n  c rifle 0303")
    play(game, "move b 0303")
    assert where(game, "b") == "0303"


# -- entry against a search of all states --------------------------------------------------------------


def reachable(game, name):
    """Every hex that some path of legal steps reaches, by plain search over hex, steps and tests taken."""
    board, pos = game.board, game.position
    number = board.ids.index(name)
    ground, side = board.ground, board.side[number]
    start = pos.place[number]
    enemies = {place for place in range(board.size) if pos.taken(1 - side) >> place & 1}
    limit = board.counters[number].allowance[2]

    def room(place):
        mine = [unit for unit in range(board.count) if pos.place[unit] == place and board.side[unit] == side]
        return place == start or len(mine) < 3

    cleared = {n for n in range(len(ground.built)) if pos.cleared(side) >> n & 1}
    ends, seen = set(), set()
    todo = deque([(start, 0, frozenset(cleared))])
    while todo:
        place, steps, known = todo.popleft()
        for to in board.grid.neighbours[place]:
            if to < 0 or steps == limit or ground.column[to] > 2:
                continue
            inside, outside = ground.building[to], ground.building[place]
            attempt, now = False, known
            if inside != outside:
                opening = ground.opening_at(place, to)
                if opening < 0 or ground.openings[opening].floor:
                    continue
                if inside >= 0:
                    at_it = [
                        u for u in range(board.count) if pos.blockers >> u & 1 and pos.contact[u] == opening
                    ]
                    if len(at_it) >= ground.openings[opening].width:
                        continue
                    if inside not in known and pos.contact[number] != opening:
                        if not room(place):
                            continue
                        attempt, now = True, known | {inside}
            if to in enemies:
                if attempt:
                    ends.add(to)
                continue
            if to != start and room(to):
                ends.add(to)
            state = (to, steps + 1, now)
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return ends


def random_house(seed):
    """A random map with rooms, openings, friends, blockers and an enemy."""
    rng = random.Random(seed)
    rows = ["".join("b" if rng.random() < 0.3 else "." for _ in range(5)) for _ in range(5)]
    rows[2] = rows[2][:2] + "." + rows[2][3:]
    probe = begin(
        "\n".join(rows),
        "red\n p trained confident\n  a rifle 0303\ngrey\n q trained confident\n  z rifle 0101\n",
    )
    board, grid = probe.board, probe.board.grid
    walls = [
        (a, b) for a in range(board.size) for b in grid.neighbours[a]
        if b > a and board.ground.walled(a, b)
    ]  # fmt: skip
    openings = []
    for a, b in walls:
        if rng.random() < 0.45:
            floor, width = rng.choice([0, 0, 0, 1]), rng.choice([1, 1, 2])
            openings.append({"side": f"{grid.labels[a]}/{grid.labels[b]}", "floor": floor, "width": width})
    free = [label for label in grid.labels if label != "0303"]
    spots = rng.sample(free, 7)
    lines = [f"f{n} rifle {spot}" for n, spot in enumerate(spots[:3])]
    lines += [f"g{n} rifle {spots[3]}" for n in range(rng.choice([1, 2, 3]))]
    enemies = "\n".join(f"  z{n} rifle {spot}" for n, spot in enumerate(spots[4 : 4 + rng.choice([1, 2, 3])]))
    text = "red\n p trained confident\n  a rifle 0303\n  " + "\n  ".join(lines)
    text += f"\ngrey\n q trained confident\n{enemies}\n"
    return begin("\n".join(rows), text, opening=openings)


def compare(seed):
    game = random_house(seed)
    number = game.board.ids.index("a")
    for unit_number in units_touching(game):
        if random.Random(seed + unit_number).random() < 0.4:
            game.position.blockers |= 1 << unit_number
    walker = Walker(game.position, number)
    ends = {place for place in range(game.board.size) if walker.ends() >> place & 1}
    assert ends == reachable(game, "a"), seed
    for place in ends:
        way = walker.path(place)
        assert way[-1] == place
        named = "-".join(game.board.labels[one] for one in way)
        assert allows(game, f"move a {named}"), (seed, named)


def units_touching(game):
    """Own teams outside at an opening, the mover aside."""
    pos, board = game.position, game.board
    return [
        unit for unit in range(board.count)
        if board.side[unit] == 0 and board.ids[unit] != "a" and pos.contact[unit] >= 0
        and pos.place[unit] == board.ground.openings[pos.contact[unit]].outside
    ]  # fmt: skip


@pytest.mark.rule("C8.1", "C8.2", "C8.4", "C8.7")
@pytest.mark.parametrize("seed", range(20))
def test_where_a_team_may_go_against_a_search_of_all_states(seed):
    compare(seed)


@pytest.mark.rule("C1.5", "C6.3")
@pytest.mark.parametrize("feature", ["rivers", "cliffs"])
def test_an_opening_behind_what_nobody_crosses_is_no_way_in(feature):
    """Neither by moving nor by charging: a window over the river is for shooting alone."""
    game = house("a rifle 0304 touches 0403", map={feature: ["0304/0403"]})
    refuse(game, "move a 0403", "C1.5", "impassable")
    assert "move a 0403" not in offered(game, "move")
    game = house("a rifle 0304 touches 0403", "z rifle 0403", map={feature: ["0304/0403"]}, step="assault")
    assert not offered(game, "charge")


@pytest.mark.rule("C1.5", "C8.1")
def test_one_goes_into_rooms_of_open_going_as_over_open_ground():
    """With going of its own a room costs what its ground costs, whoever comes in by the door."""
    cart = 'kind = "infantry"\nmobility = "half-track"\n[[terrain]]\nid = "building"\ngoing = "open"'
    more = f'[[type]]\nid = "cart"\nname = "Cart"\n{cart}'
    game = house("a cart 0103\n  b rifle 0304 touches 0403", tables=more)
    assert allows(game, "move a 0403"), "three hexes of open ground"
    assert allows(game, "move a 0405"), "and two more: six are allowed, on difficult ground two"


@pytest.mark.rule("C1.5", "C8.2")
def test_of_ways_as_short_one_without_a_test_is_gone():
    """From 0505 to 0402 one comes by 0503, and as fast by the room 0403, which asks for a Skill test."""
    game = house("a rifle 0505", openings=(EAST, NORTH))
    walker = Walker(game.position, game.board.ids.index("a"))
    ways = [walker.path(game.board.labels.index(end)) for end in ("0402", "0404")]
    named = [[game.board.labels[one] for one in way] for way in ways]
    assert named == [["0504", "0503", "0402"], ["0504", "0403", "0404"]], (
        "into the house there is one way alone"
    )
    assert codes(play(game, "move a 0402 []")) == ["moved"]
