"""Lines of sight, spotting, levels (S10)."""

import pytest

from hexengine.systems.squad.sight.spotting import number_to_spot, spotted
from tests.rules.asking import codes, unit
from tests.rules.squad.table import begin, event, no, play, refuses, where, yes

COUPLE = "us\n a us164 0101\n q squad-us 0101\nde\n x de144 {}"


def column(rows, levels=""):
    """The lines of sight of one column of hexes, from the top down."""
    game = begin("/".join(rows), f"us\n a us164 0101\nde\n x de144 01{len(rows):02}", levels="/".join(levels))
    return game.board.sight, game.board.places


@pytest.mark.rule("S10.1")
def test_sight_is_the_same_both_ways():
    rows = [".wF.t", "b..f.", ".tf..", "F...w", "..bt."]
    levels = ["00120", "01200", "00010", "20001", "00000"]
    game = begin("/".join(rows), "us\n a us164 0101\nde\n x de144 0503", levels="/".join(levels))
    sight, count = game.board.sight, game.board.places.count
    smoke = 1 << 7 | 1 << 12
    for a in range(count):
        for b in range(count):
            assert sight.facts(a, b, smoke).clear == sight.facts(b, a, smoke).clear
            assert sight.hindrance(a, b) == sight.hindrance(b, a)
            facts = sight.facts(a, b)
            assert sight.hindrance(a, b) == (facts.degrading if facts.clear else -1)


@pytest.mark.refusal("S10.1")
def test_what_is_not_seen_is_not_fired_at():
    game = begin("./F/.", COUPLE.format("0103 fired"))
    refuses(game, "fire a 0103", "S10.1", "no-line-of-sight")


@pytest.mark.rule("S10.2")
@pytest.mark.parametrize(("between", "hindrance"), [
    (".", 0), ("f", 1), ("ff", 2), ("fff", -1), ("F", -1), ("w", 1), ("fw", 2), ("b", -1), ("r", 0),
])  # fmt: skip
def test_blocking_and_degrading(between, hindrance):
    """Two degrading hexes: -2; three: no line. The ends do not count."""
    sight, places = column(["f", *between, "F"])
    assert sight.hindrance(0, places.index(f"01{len(between) + 2:02}")) == hindrance


@pytest.mark.rule("S10.2")
@pytest.mark.parametrize(("first", "second", "hindrance"), [
    ("F", "F", -1), ("F", ".", 1), (".", "F", 1), ("f", ".", 1), ("f", "w", 1), (".", ".", 0), ("F", "f", 1),
])  # fmt: skip
def test_along_a_hexside(first, second, hindrance):
    """Both must block; one that obstructs hinders."""
    rows = [["."] * 3 for _ in range(4)]
    game = begin("/".join("".join(row) for row in rows), "us\n a us164 0102\nde\n x de144 0302")
    grid = game.board.grid
    a, b = grid.index("0102"), grid.index("0302")
    ((one, other),) = game.board.sight.facts(a, b).stretches
    assert one != other
    for place, letter in ((one, first), (other, second)):
        across, down = divmod(place, grid.rows)
        rows[down][across] = letter
    game = begin("/".join("".join(row) for row in rows), "us\n a us164 0102\nde\n x de144 0302")
    assert game.board.sight.hindrance(a, b) == game.board.sight.hindrance(b, a) == hindrance


@pytest.mark.rule("S10.3")
@pytest.mark.parametrize(("rows", "levels", "clear"), [
    ("..F..", "20000", False),
    (".F...", "20000", True),
    ("...F.", "20000", False),
    ("..f..", "20000", True),
    (".....", "00100", False),
    (".....", "10100", False),
    (".....", "20100", True),
    (".....", "20200", False),
    ("..F..", "22122", False),
    ("..F..", "22022", True),
])  # fmt: skip
def test_heights(rows, levels, clear):
    """From level 2 to 0 over four hexes the line is at 1 halfway: woods of height 1 reach it, and block."""
    sight, _ = column(list(rows), list(levels))
    assert sight.sees(0, 4) == clear == sight.sees(4, 0)


@pytest.mark.rule("S10.3")
def test_floors_see_out_and_not_within():
    game = begin("tt./...", "us\n a us164 0101/1\n q squad-us 0301\nde\n x de144 0302 fired")
    sight, place = game.board.sight, game.board.places.index
    assert not sight.sees(place("0101"), place("0101/1"))
    assert sight.sees(place("0101/1"), place("0201/1")) and not sight.sees(place("0101/1"), place("0201"))
    assert sight.sees(place("0101/1"), place("0102")), "a window sees the street"
    bunker = begin("B..", "us\n a us164 0101/b\n q squad-us 0101\nde\n x de144 0301")
    sight, place = bunker.board.sight, bunker.board.places.index
    assert sight.sees(place("0101/b"), place("0301")) and not sight.sees(place("0101/b"), place("0101"))


@pytest.mark.rule("S10.3")
def test_a_floor_looks_over_what_is_low():
    game = begin("t/F/./.", "us\n a us164 0101/1\n q squad-us 0101\nde\n x de144 0104 fired")
    sight, place = game.board.sight, game.board.places.index
    assert not sight.sees(place("0101"), place("0104"))
    assert not sight.sees(place("0101/1"), place("0103")), "the line is at 1/2 over the woods"


@pytest.mark.rule("S10.4")
def test_open_ground_in_sight_needs_no_roll():
    game = begin(".......", "us\n a us164 0101\n q squad-us 0101\nde\n x de144 0701")
    yes(game, "fire a 0701")
    assert no(
        begin(".......", "us\n a us164 0101 shaken\n q squad-us 0101\nde\n x de144 0701"), "fire a 0701"
    )


@pytest.mark.rule("S10.4")
@pytest.mark.parametrize(("terrain", "enemy", "seen"), [
    ("..w", "0301", False), ("..w", "0301 moved", True), ("..w", "0301 fired", True),
    ("..w", "0301 assault-move", True), (".w.", "0201", True), ("..r", "0301", False), ("..f", "0301", False),
])  # fmt: skip
def test_automatic_spotting(terrain, enemy, seen):
    game = begin(terrain, COUPLE.format(enemy))
    assert bool(spotted(game.position, 0)) == seen


@pytest.mark.rule("S10.4")
def test_hidden_units_are_seen_when_an_enemy_is_next_to_them():
    game = begin("w....", "us\n a us164 0401\n q squad-us 0501\nde\n x de144 0101 hidden")
    assert "hidden" in unit(game, "x")["status"]
    play(game, "move a 0301", "pass", "move a 0201")
    assert unit(game, "x")["status"] == []


@pytest.mark.rule("S10.4", "S8.10")
def test_hidden_units_are_seen_when_they_fire():
    game = begin("w....", "us\n a us164 0401\n q squad-us 0501\nde\n x us454 0101 hidden")
    play(game, "move a 0301")
    events = play(game, "fire x 0301 [1 6]")
    assert unit(game, "x")["status"] == [] and "attack" in codes(events)


@pytest.mark.rule("S10.5")
def test_changing_a_level_costs_two():
    """MF 4 from level 0 to 1 and back: 4 spent."""
    game = begin("t....", "us\n a us164 0101\n q squad-us 0501\nde\n x de144 0401 shaken")
    assert event(play(game, "move a 0101/1"), "move").facts["left"] == 2
    assert event(play(game, "move a 0101"), "move").facts["left"] == 0


@pytest.mark.rule("S10.5", "S3.1")
def test_levels_are_places_of_their_own():
    forces = "\n".join(f"s{n} us164 0101" for n in range(3))
    game = begin("t....", f"us\n{forces}\n a us164 0101/1\nde\n x de144 0401 shaken")
    assert no(game, "move a 0101").code == "stacking"
    both = begin("t....", "us\n a us164 0101/1\n q squad-us 0501\nde\n x de144 0101")
    assert "melee" not in unit(both, "a")["status"] and where(both, "a") == "0101/1"


@pytest.mark.rule("S10.6")
@pytest.mark.parametrize(("terrain", "spotter", "number"), [
    ("./f/w", "lt", 4), ("./f/w", "us164", 3), ("./f/w", "scout-us", 4), ("././w", "us164", 4),
    ("././F", "us164", 3), ("././F", "lt", 4), ("././w", "lt", 5),
])  # fmt: skip
def test_the_number_to_spot(terrain, spotter, number):
    """Leader LM 1 spots woods two hexes away behind one degrading hex: 4 - 1 + 1."""
    game = begin(terrain, f"us\n a {spotter} 0101\n q squad-us 0101\nde\n x de144 0103")
    assert number_to_spot(game.position, 0, 2) == number


@pytest.mark.rule("S10.6", "S12.1")
@pytest.mark.parametrize(("dice", "left"), [("[6 6]", False), ("[1 1]", True)])
def test_a_marker_is_on_the_units_of_a_side(dice, left):
    """It goes with those who were spotted, and does not pass to who has beaten them in melee."""
    ours = "us\n a us254 0201\n b us254 0201\n k us254 0301"
    game = begin("w.w..", f"{ours}\nde\n x squad-de 0101\n z squad-de 0501 shaken")
    game.position.spotted_1 = 1
    play(game, "move a,b 0101", f"strike x {dice}", "strike a,b [1 1]")
    assert ("spotted" in game.state()["hexes"].get("0101", {})) == left


@pytest.mark.rule("S10.6", "S2.8")
@pytest.mark.refusal("S10.6")
def test_a_spotting_attempt():
    game = begin("./f/w", "us\n l lt 0101\n a us164 0101\n q squad-us 0101\nde\n x de144 0103")
    assert no(game, "fire a 0103").code == "not-spotted"
    assert no(game, "spot a 0102").code == "nothing-to-spot"
    play(game, "spot l 0103 [4]")
    assert unit(game, "l")["markers"] == ["ops-complete"]
    yes(game, "fire a 0103")
    refuses(game, "spot a 0103", "S10.6", "looked")


@pytest.mark.rule("S10.6")
def test_a_six_always_fails():
    game = begin("././w", "us\n l lt 0101\n a us164 0101\nde\n x de144 0103")
    assert "not-spotted" in codes(play(game, "spot l 0103 [6]"))


@pytest.mark.rule("S10.6")
def test_the_marker_goes_with_the_last_unit():
    game = begin("././w/.", "us\n l lt 0101\n a us164 0101\nde\n x de144 0103\n y squad-de 0104")
    play(game, "spot l 0103 [1]")
    assert game.state()["hexes"]["0103"]["spotted"]
    play(game, "end", "move x 0104")
    assert "0103" not in game.state()["hexes"]
