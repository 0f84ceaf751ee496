"""C6.6: floors; teams climb for movement, and see and shoot from where they are."""

from __future__ import annotations

import random
from collections import deque

import pytest

from hexengine.core.errors import ContentError, InvalidOrder
from hexengine.core.game import Game
from hexengine.systems.company.moving.climbing import climbs
from hexengine.systems.company.moving.reach import Walker
from hexengine.systems.company.position import MARKS, take_off
from tests.rules.asking import codes, marks, unit, where
from tests.rules.company.table import allows, begin, offered, play, refuse

# A building of the rooms 0403, 0404 and 0405, with a window on floor 2: so it has two upper floors.
MAP = "........\n........\n...b....\n...b....\n...b....\n........\n........\n........"
DOOR = {"side": "0304/0403", "kind": "door"}
HIGH = {"side": "0305/0404", "kind": "window", "floor": 2}
LOW = {"side": "0504/0403", "kind": "window", "floor": 1}


def house(red: str, grey: str = "z rifle 0801", openings=(DOOR, HIGH, LOW), more: str = "", **rest) -> Game:
    text = f"red\n p trained{more}\n  {red}\n  spare rifle 0108\ngrey\n q trained\n  {grey}\n"
    return begin(MAP, text, opening=list(openings), **rest)


@pytest.mark.rule("C6.6")
@pytest.mark.refusal("C6.6")
def test_each_floor_costs_a_hex_of_movement():
    """Through the door is one hex, floor 1 the second, floor 2 the third."""
    game = house("a rifle 0304 touches 0403")
    events = play(game, "climb a 0403/2")
    assert codes(events)[:2] == ["moved", "climbs"]
    assert unit(game, "a")["hex"] == "0403"
    assert unit(game, "a")["floor"] == 2
    assert "touching" not in unit(game, "a")
    refuse(game, "climb a 0403/1", "C1.5", "moved-already")
    far = house("a rifle 0303\n  b rifle 0304 touches 0403")
    refuse(far, "climb a 0403/2", "C6.6", "too-high")
    assert allows(far, "climb a 0403/1")


@pytest.mark.rule("C6.6", "C9.2")
def test_coming_down_costs_as_much():
    game = house("a rifle 0403 floor 1")
    assert allows(game, "move a 0303"), "down, out, and a hex on"
    refuse(game, "move a 0304-0303-0302", "C1.5", "out-of-reach")
    events = play(game, "climb a 0403/0")
    assert codes(events)[0] == "comes-down"
    assert "floor" not in unit(game, "a")
    assert unit(game, "a")["touching"] == "0304"
    assert marks(game, "a") == {"moved"}


@pytest.mark.rule("C6.6")
def test_indoors_one_goes_from_room_to_room_upstairs():
    game = house("a rifle 0403 floor 2")
    assert offered(game, "climb") == {
        "climb a 0403/0", "climb a 0403/1", "climb a 0404/1", "climb a 0404/2", "climb a 0405/1",
        "climb a 0405/2",
    }  # fmt: skip
    play(game, "climb a 0405/1")
    assert (where(game, "a"), unit(game, "a")["floor"]) == ("0405", 1)


@pytest.mark.refusal("C6.6", "C6.5", "C1.3")
def test_where_nobody_climbs():
    game = house("a rifle 0403\n  t truck 0304\n  b rifle 0404\n  c rifle 0404\n  d rifle 0404")
    refuse(game, "climb a 0403/3", "C6.6", "no-such-floor")
    refuse(game, "climb a 0402/1", "C6.6", "no-such-floor")
    refuse(game, "climb a 0403/0", "C6.6", "on-that-floor")
    refuse(game, "climb a 0405/0", "C6.6", "moves-there")
    refuse(game, "climb t 0403/1", "C6.5", "team-class")
    refuse(game, "climb a 0404/1", "C1.3", "crowded")
    refuse(game, "climb z 0403/1", "C10.1", "not-yours")
    for text in ("climb a 0403", "climb a 0403/x", "climb a 0403/-1", "climb a /1", "climb a 0403/12"):
        with pytest.raises(InvalidOrder):
            game.parse(text)


@pytest.mark.rule("C8.2", "C6.6")
def test_who_fails_at_the_door_stays_below():
    game = house("a rifle 0303")
    play(game, "climb a 0403/1 [3]")
    assert where(game, "a") == "0304"
    assert marks(game, "a") == {"moved", "blocker"}
    game = house("a rifle 0303")
    play(game, "climb a 0403/1 [4]")
    assert unit(game, "a")["floor"] == 1


@pytest.mark.rule("C6.6", "C6.3", "C12.1")
def test_shots_go_through_the_openings_of_the_floor():
    """The window on floor 1 looks east, the door below west."""
    grey = "y rifle 0504\n  z rifle 0204"
    for floor, seen in ((0, "z"), (1, "y"), (2, "")):
        game = house(f"a rifle 0403 floor {floor}", grey, step="shooting")
        sees = game.board.sight.sees
        spot = game.position.spot(0)
        for name in "yz":
            there = game.position.place[game.board.ids.index(name)]
            assert sees(spot, there) is sees(there, spot) is (name == seen)
        assert allows(game, "shoot a q") is bool(seen)
        if not seen:
            refuse(game, "shoot a q", "C12.1", "no-line-of-sight")


@pytest.mark.rule("C6.6", "C12.1")
def test_from_upstairs_one_sees_over_what_is_low():
    rows = MAP.split("\n")
    rows[3] = "...bw..."
    text = "red\n p trained\n  a rifle 0403 floor 2\n  b rifle 0404\ngrey\n q trained\n  z rifle 0804\n"
    window = {"side": "0403/0504", "kind": "window", "floor": 2}
    game = begin("\n".join(rows), text, opening=[window], step="shooting")
    pos, sees = game.position, game.board.sight.sees
    target = pos.place[game.board.ids.index("z")]
    assert game.board.grid.distance(pos.place[0], target) == 4
    open_window = begin("\n".join(rows), text.replace(" floor 2", ""), opening=[{**window, "floor": 0}, HIGH])
    low = open_window.board.sight.sees
    assert sees(pos.spot(0), target) or not low(pos.place[0], target)
    assert not low(pos.place[0], target), "the woods hide it from the ground"
    assert sees(pos.spot(0), target), "from floor 2 the line passes above them"


@pytest.mark.rule("C6.6", "C13.6")
def test_observers_and_pinned_teams_look_from_their_floor():
    red = "a mortar-81 0108\n  o observer 0403 floor {}"
    for floor, seen in ((1, True), (0, False)):
        game = house(red.format(floor), "z rifle 0504", step="shooting")
        assert allows(game, "bombard p 0504") is seen
    pinned = house("a rifle 0403 floor 1\n  b rifle 0405", "z rifle 0804", more=" pinned")
    assert Walker(pinned.position, 0).watched
    assert not Walker(house("a rifle 0403", "z rifle 0804", more=" pinned").position, 0).watched


@pytest.mark.rule("C6.6", "C13.3")
def test_an_assault_is_fought_on_all_floors_of_a_room():
    grey = "z rifle 0403 floor 1 shot\n  y rifle 0403 floor 2 shot"
    game = house("a rifle 0304 touches 0403\n  b rifle 0303", grey, step="assault")
    play(game, "charge a 0403", "charge b 0304")
    while game.decision.kind in ("charge", "defensive-fire"):
        game.play("done")
    assert game.position.aloft.bit_count() == 2 or where(game, "z") is None or where(game, "y") is None
    assert not game.position.floor[0]


@pytest.mark.rule("C12.3")
def test_teams_on_different_floors_are_not_alike():
    grey = "z rifle 0403 floor 1\n  y rifle 0403 floor 1"
    game = house("a rifle-mg 0504\n  b rifle-mg 0504", grey, step="shooting")
    play(game, "shoot a,b q [6 1 1 1 6]")
    assert where(game, "y") == "0403"


@pytest.mark.rule("C6.3", "C6.6")
def test_faults_of_files():
    with pytest.raises(ContentError, match=r"0403 has no floor 3 .* highest floor is 2"):
        house("a rifle 0403 floor 3")
    with pytest.raises(ContentError, match="0101 has no floor 1"):
        house("a rifle 0101 floor 1")
    with pytest.raises(ContentError, match="an opening on floor 1 already"):
        house("a rifle 0101", openings=(LOW, {**LOW, "kind": "breach"}))
    with pytest.raises(ContentError, match="can touch no opening"):
        house("a rifle 0403 floor 1 touches 0304")
    both = house("a rifle 0403", openings=(LOW, {**LOW, "floor": 0}, {**LOW, "floor": 2}))
    assert both.state()["hexes"]["0404"]["floors"] == 2
    piece = next(one for one in house("a rifle 0403 floor 1").system.view(
        house("a rifle 0403 floor 1").position).pieces if one.unit == "a")  # fmt: skip
    assert "floor-1" in piece.states


# -- against a search of all states ------------------------------------------------------------------------


def reachable(game: Game) -> set[tuple[int, int]]:
    """Every hex and floor that the first team comes to by single steps, where all buildings are cleared."""
    board, pos = game.board, game.position
    ground = board.ground
    enemies = {place for place in range(board.size) if pos.taken(1) >> place & 1}
    start = (pos.place[0], pos.floor[0])
    found = {start: 0}
    todo = deque([start])
    while todo:
        place, floor = todo.popleft()
        if found[place, floor] == 3:
            continue
        number = ground.building[place]
        steps = [(place, floor + 1), (place, floor - 1)] if number >= 0 else []
        for to in board.grid.neighbours[place]:
            if to < 0:
                continue
            inside = ground.building[to] == number and not ground.walled(place, to)
            if inside or (floor == 0 and ground.opening_at(place, to) >= 0):
                steps.append((to, floor))
        for to, level in steps:
            top = ground.top[ground.building[to]] if ground.building[to] >= 0 else 0
            if 0 <= level <= top and to not in enemies and (to, level) not in found:
                found[to, level] = found[place, floor] + 1
                todo.append((to, level))
    mine = [pos.place[unit] for unit in range(1, board.count) if board.side[unit] == 0]
    return {spot for spot in found if spot != start and mine.count(spot[0]) < 3}


def compare(seed: int) -> None:
    rng = random.Random(seed)
    rows = [["b" if rng.random() < 0.5 else "." for _ in range(5)] for _ in range(5)]
    rows[2][2] = "b"
    plan = "\n".join("".join(row) for row in rows)
    rooms = [f"{x + 1:02}{y + 1:02}" for y in range(5) for x in range(5) if rows[y][x] == "b"]
    # A friend in each room clears it; three of them, and an enemy, are in the way.
    crowd = rng.choice(rooms[1:] or rooms)
    friends = [*rooms, *([crowd] * 2 if crowd != "0303" else [])]
    outside = [f"{x + 1:02}{y + 1:02}" for y in range(5) for x in range(5) if rows[y][x] == "."] or ["0101"]
    red = "\n".join(f"  f{number} rifle {spot}" for number, spot in enumerate(friends) if spot != "0303")
    text = f"red\n p trained\n  a rifle 0303{{}}\n{red}\ngrey\n q trained\n  z rifle {outside[0]}\n"
    probe = begin(plan, text.format(""))
    grid, ground = probe.board.grid, probe.board.ground
    openings = []
    for a in range(probe.board.size):
        for b in grid.neighbours[a]:
            if b > a and ground.building[a] != ground.building[b]:
                for floor in (0, 1, 2):
                    if rng.random() < 0.3:
                        openings.append({"side": f"{grid.labels[a]}/{grid.labels[b]}", "floor": floor})
    top = max([one["floor"] for one in openings], default=0)
    game = begin(plan, text.format(""), opening=openings)
    highest = game.board.ground.top[game.board.ground.building[game.position.place[0]]]
    assert highest <= top
    floor = rng.randint(0, highest)
    game = begin(plan, text.format(f" floor {floor}" if floor else ""), opening=openings)
    board, pos = game.board, game.position
    wanted = reachable(game)
    moves = {(place, 0) for place in range(board.size) if Walker(pos, 0).ends() >> place & 1}
    spots = climbs(Walker(pos, 0)) if board.ground.floors else 0
    climbed = {
        (board.ground.hex_of[spot], board.ground.floor_of[spot])
        for spot in range(len(board.ground.hex_of))
        if spots >> spot & 1
    }
    assert moves | climbed == wanted, seed
    assert not moves & climbed, seed
    for place, level in sorted(climbed)[:4]:
        order = f"climb a {board.labels[place]}/{level}"
        trial = begin(plan, text.format(f" floor {floor}" if floor else ""), opening=openings)
        play(trial, order)
        assert (trial.position.place[0], trial.position.floor[0]) == (place, level), (seed, order)
        trial.system.invariants(trial.position)


@pytest.mark.rule("C6.6")
@pytest.mark.parametrize("part", range(4))
def test_climbing_against_a_search_of_all_states(part: int):
    for seed in range(part * 10, part * 10 + 10):
        compare(seed)


@pytest.mark.rule("C6.2", "C12.1")
@pytest.mark.parametrize(("level", "sees"), [(2, True), (1, True), (0, False)])
@pytest.mark.parametrize("letter", ["b", "w"])
def test_from_hills_one_looks_over_a_low_house_as_over_woods(letter, level, sees):
    field = ["........"] * 3 + [f"...{letter}...."] + ["........"] * 3
    levels = ["00000000"] * 3 + [f"0{level}0000{level}0"] + ["00000000"] * 3
    text = "red\n p trained\n  a rifle 0204\ngrey\n q trained\n  z rifle 0704\n"
    game = begin("\n".join(field), text, map={"levels": "\\n".join(levels)})
    at = game.board.labels.index
    assert game.board.sight.sees(at("0204"), at("0704")) is sees


@pytest.mark.rule("C6.6", "C12.1")
@pytest.mark.parametrize(("tall", "floor", "sees"), [(0, 2, True), (0, 1, False), (2, 2, False)])
def test_from_upstairs_one_looks_over_a_lower_house(tall, floor, sees):
    """The house 0404 has a ground floor alone, or as many floors as the one with the team."""
    field = "\n".join(["........"] * 3 + ["b..b...."] + ["........"] * 3)
    openings = [{"side": "0104/0204", "floor": floor}]
    openings += [{"side": "0404/0405", "floor": tall}] * bool(tall)
    text = f"red\n p trained\n  a rifle 0104 floor {floor}\ngrey\n q trained\n  z rifle 0804\n"
    game = begin(field, text, opening=openings)
    assert game.board.sight.sees(game.position.spot(0), game.board.labels.index("0804")) is sees


@pytest.mark.rule("C6.6")
def test_who_is_lost_upstairs_is_upstairs_no_more():
    """Nothing that is marked on a team stays behind when it is taken off."""
    game = house("a rifle 0403 floor 2")
    pos, team = game.position, game.board.ids.index("a")
    assert pos.aloft >> team & 1
    take_off(pos, team)
    assert [name for name in MARKS if getattr(pos, name) >> team & 1] == []
    assert pos.aloft == 0
    assert unit(game, "a")["hex"] is None
    assert marks(game, "a") == {"eliminated"}


@pytest.mark.rule("C6.6")
def test_who_has_no_movement_left_on_the_ground_still_climbs():
    """From floor 3 infantry comes down with all its three hexes, or to any floor between."""
    game = house("a rifle 0404 floor 3", openings=(DOOR, {"side": "0305/0404", "kind": "window", "floor": 3}))
    assert offered(game, "move") & {f"move a {label}" for label in game.board.labels} == set()
    floors = {"climb a 0404/0", "climb a 0404/1", "climb a 0404/2", "climb a 0403/1", "climb a 0405/2"}
    assert floors <= offered(game, "climb")
    play(game, "climb a 0404/0")
    assert "floor" not in unit(game, "a")


@pytest.mark.rule("C6.6", "C7.5")
@pytest.mark.refusal("C7.5")
def test_nobody_climbs_in_a_room_that_can_only_be_tried():
    """Who moves there takes the test and stays outside."""
    game = house("a rifle 0303", "z rifle 0403", openings=(DOOR, HIGH))
    assert allows(game, "move a 0403")
    refuse(game, "climb a 0403/1", "C7.5", "enemy-there")
