"""Assault movement, double time, low crawl, stealth (S6, S7)."""

import pytest

from hexengine.systems.squad.firing.fire import parts
from hexengine.systems.squad.moving.steps import allowance, cap_of
from hexengine.systems.squad.orders import ASSAULT, DOUBLE
from tests.rules.asking import codes, unit
from tests.rules.squad.table import begin, close, decision, event, no, play, refuses, where, yes

LINE = "........"


def walk(units, enemy="z de144 0101 shaken", terrain=LINE, **rest):
    return begin(terrain, f"us\n{units}\nde\n {enemy}", **rest)


def total(game, names, target):
    """What the units' attack on a place adds up to, without dice."""
    board = game.board
    mask = sum(1 << board.ids.index(name) for name in names)
    return sum(part.value for part in parts(game.position, mask, board.places.index(target), False))


def mp(game, names, mode):
    """MP that a group may spend."""
    mask = sum(1 << game.board.ids.index(name) for name in names)
    return allowance(game.position, mask, mode, cap_of(game.position, mask, mode)) / 2


# -- assault ----------------------------------------------------------------------------------------


@pytest.mark.rule("S6.1")
@pytest.mark.refusal("S6.1")
def test_who_assaults():
    game = walk("a us164 0501\nh hero-us 0501\np para-us 0501")
    refuses(game, "move a 0601 assault", "S6.1", "not-am-capable")
    yes(game, "move h 0601 assault", "move p 0601 assault")


@pytest.mark.rule("S6.2")
@pytest.mark.refusal("S6.2")
def test_leaders_go_with_their_family():
    game = walk("l lt 0501\nk lt-uk 0501\np para-us 0501")
    yes(game, "move l,p 0601 assault")
    refuses(game, "move k,p 0601 assault", "S6.2", "leader-without-am")
    yes(walk("l lt 0501\nh hero-us 0501"), "move l,h 0601 assault")


@pytest.mark.rule("S6.3")
@pytest.mark.refusal("S6.3")
def test_the_marker_is_placed_at_once():
    game = walk("p para-us 0501", enemy="x us454 0101")
    play(game, "move p 0401 assault")
    assert unit(game, "p")["markers"] == ["assault-move"]
    attack = event(play(game, "fire x 0401 [1 6]"), "attack")
    assert attack.facts["moving"] == ["p"]
    assert no(game, "move p 0501 assault").code == "declared-already"


@pytest.mark.rule("S6.4")
@pytest.mark.refusal("S6.4")
@pytest.mark.parametrize(("units", "mode", "points"), [
    ("p para-us 0501", ASSAULT, 2),
    ("p us653 0501", ASSAULT, 3),
    ("p para-us 0501\nl lt 0501", ASSAULT | DOUBLE, 3),
    ("p para-us 0501\nl lt5 0501", ASSAULT | DOUBLE, 3),
])  # fmt: skip
def test_half_the_mf(units, mode, points):
    """4: 2. 5: 3. 4 at the double with leader 6: 3. With leader 5: 3."""
    game = walk(units)
    names = [line.split()[0] for line in units.splitlines()]
    assert mp(game, names, mode) == points
    words = "assault" + (" double" if mode & DOUBLE else "")
    group = ",".join(names)
    assert event(play(game, f"move {group} 0601 {words}"), "move").facts["left"] == points - 1


@pytest.mark.refusal("S6.4")
def test_not_beyond_half():
    game = walk("p para-us 0501", terrain="......w.")
    play(game, "move p 0601 assault")
    refuses(game, "move p 0701", "S6.4", "too-few-mp-assault")


@pytest.mark.rule("S6.5", "S6.6", "S8.3")
def test_the_example_and_its_arithmetic():
    """Two 2-5-4 fire with 2 + 1 - 2 = 1; two 3-5-4 with 3 + 2 - 2 = 3; one 1-6-4 with 1 - 2 = -1."""
    pair = walk("a us254 0501 assault-move\nb us254 0501 assault-move", "x de144 0801")
    assert total(pair, ["a", "b"], "0801") == 1
    strong = walk("a para3 0501 assault-move\nb para3 0501 assault-move", "x de144 0801")
    assert total(strong, ["a", "b"], "0801") == 3
    weak = walk("a us164 0501 assault-move", "x de144 0801")
    assert total(weak, ["a"], "0801") == -1


@pytest.mark.rule("S6.5")
def test_the_two_is_taken_once_and_by_whoever_has_to():
    mixed = walk("a us254 0501 assault-move\nb us254 0501", "x de144 0801")
    assert total(mixed, ["a", "b"], "0801") == 1
    assert total(mixed, ["b"], "0801") == 2


@pytest.mark.rule("S6.7", "S1.5")
@pytest.mark.refusal("S6.7")
def test_both_markers_stay():
    game = walk("p para-us 0501 assault-move\nq us164 0701", "x de144 0301")
    play(game, "fire p 0301 [1 6]")
    assert unit(game, "p")["markers"] == ["assault-move", "fired"]
    play(game, "end") if decision(game) == ("us", "operations") else None
    play(game, "end") if decision(game) == ("de", "operations") else None
    refuses(game, "fire p 0301", "S6.7", "fired-assault")


@pytest.mark.rule("S6.8")
def test_it_may_hold_its_fire():
    game = walk("p para-us 0501\nq us164 0801", "x us454 0201")
    play(game, "move p 0601 assault", "pass")
    close(game)
    assert decision(game) == ("de", "operations")
    play(game, "move x 0301")
    yes(game, "fire p 0301")
    attack = event(play(game, "fire p 0301 [1 6]"), "attack")
    assert ("after-moving", -2) in [(part.code, part.value) for part in attack.facts["parts"]]


@pytest.mark.rule("S6.8")
def test_a_later_impulse_lets_it_fire():
    game = walk("p para-us 0501 assault-move\nq us164 0801", "x us454 0201")
    yes(game, "fire p 0201")


@pytest.mark.rule("S6.9")
def test_it_moves_first():
    """It is declared with the first step; after fire nothing can be declared, nor is there a minimum move."""
    game = walk("p para-us 0501\nq us164 0501\nr squad-us 0501", "x de144 0301")
    play(game, "fire p 0301 [1 6]")
    assert no(game, "move p 0601 assault").code == "already-activated"
    ford = walk("p para-us 0501", terrain=".....F..")
    assert no(ford, "move p 0601 assault").code == "too-few-mp-assault"


@pytest.mark.rule("S6.10", "S14.1")
def test_a_bazooka_after_it():
    """Needing 8: 4 and 4, +1, is a miss; without the move it is a hit."""
    for marker, code in (("assault-move", "ordnance-misses"), ("", "ordnance-hits")):
        game = walk(f"a us164 0501 {marker}\nb bazooka in a", "x de144 0301")
        dice = "[4 4]" if marker else "[4 4 1 6]"
        assert code in codes(play(game, f"fire a 0301 with b {dice}"))


@pytest.mark.rule("S6.11")
@pytest.mark.refusal("S6.11")
def test_not_into_a_melee():
    forces = ("p para-us 0501", "x de144 0401 shaken")
    refuses(walk(*forces), "move p 0401 assault", "S6.11", "am-melee")
    yes(walk(*forces, options={"am_may_enter_melee": True}), "move p 0401 assault")


# -- double time ------------------------------------------------------------------------------------


@pytest.mark.rule("S7.1")
@pytest.mark.refusal("S7.1")
def test_double_time():
    game = walk("a us164 0201\nl lt 0201")
    assert mp(game, "al", DOUBLE) == 6
    for to in ("0301", "0401", "0501", "0601", "0701"):
        play(game, f"move a,l {to}" + (" double" if to == "0301" else ""))
    assert event(play(game, "move a,l 0801"), "move").facts["left"] == 0
    refuses(walk("a us164 0201"), "move a 0301 double", "S7.1", "no-leader-along")
    assert no(walk("a us164 0201\nl lt 0201 shaken"), "move a,l 0301 double").code == "no-leader-along"
    assert mp(walk("a us164 0201\nl lt-uk 0201"), "al", DOUBLE) == 4, "of another family"


@pytest.mark.rule("S7.2")
def test_the_cap():
    assert mp(walk("a us164 0201\nl lt5 0201"), "al", DOUBLE) == 5
    assert mp(walk("a us164 0201\nl lt 0201\nw mg-us in l"), "al", DOUBLE) == 4


@pytest.mark.rule("S7.3")
def test_losing_the_leader():
    """3 MP spent with the leader, who is Shaken then: 4 - 3 = 1 left."""
    game = walk("a us164 0301\nl lt 0301", "x us454 0101")
    play(game, "move a,l 0401 double", "pass", "move a,l 0501", "pass", "move a,l 0601")
    # At 5 hexes: 4 and the die, +1 for moving; the leader checks first.
    play(game, "fire x 0601 [1 3 5 1]")
    assert unit(game, "l")["status"] == ["shaken"] and unit(game, "a")["status"] == []
    assert event(play(game, "move a 0701"), "move").facts["left"] == 0
    assert decision(game) != ("us", "group")


@pytest.mark.rule("S7.4")
def test_weapon_teams_have_no_bonus():
    assert mp(walk("t hmg-us 0201\nl lt 0201"), "tl", DOUBLE) == 2
    yes(walk("t hmg-us 0201\nl lt 0201"), "move t,l 0301 double")


@pytest.mark.rule("S7.5")
def test_shaken_units_have_it():
    game = begin(LINE, "us\n a us164 0201 shaken\n l lt 0201\nde\n x de144 0101 shaken")
    assert mp(game, "al", DOUBLE) == 6
    yes(game, "move a,l 0301 double")


@pytest.mark.rule("S7.6")
@pytest.mark.refusal("S7.6")
def test_not_with_crawl_or_stealth():
    game = walk("s scout-us 0501\nl lt 0501")
    assert no(game, "move s,l 0601 double stealth").rule == "S7.6"
    assert no(game, "move s,l 0601 double crawl").rule == "S7.6"


# -- low crawl --------------------------------------------------------------------------------------


@pytest.mark.rule("S7.7")
@pytest.mark.refusal("S7.7")
def test_low_crawl_is_one_hex_and_all():
    game = walk("a us164 0501\nq us164 0701", terrain="....ww..", enemy="x de144 0201")
    play(game, "move a 0601 crawl")
    assert unit(game, "a")["markers"] == ["low-crawl"] and unit(game, "a")["spent"] == 4
    while decision(game) != ("us", "operations"):
        play(game, "end")
    assert no(game, "fire a 0201").code == "crawled"
    assert no(game, "move a 0501").code == "already-activated"


@pytest.mark.rule("S7.8")
@pytest.mark.parametrize(("terrain", "crawler", "enemy", "seen"), [
    ("w......", "0101", "0301", False),
    ("w......", "0101", "0201", True),
    ("w......", "0101", "0201 shaken", True),
    (".......", "0101", "0301", True),
])  # fmt: skip
def test_low_crawl_and_spotting(terrain, crawler, enemy, seen):
    """In woods two hexes from an enemy: not spotted; next to one, Shaken or not, or in the open: spotted."""
    from hexengine.systems.squad.sight.spotting import spotted

    game = begin(terrain, f"us\n a us164 {crawler} low-crawl\n b us164 0701\nde\n x de144 {enemy}")
    assert bool(spotted(game.position, 1) & 1) == seen


@pytest.mark.rule("S7.8")
def test_the_option_needs_good_order():
    from hexengine.systems.squad.sight.spotting import spotted

    game = begin("w......", "us\n a us164 0101 low-crawl\n b us164 0701\nde\n x de144 0201 shaken",
                 options={"lc_adjacent_needs_go": True})  # fmt: skip
    assert not spotted(game.position, 1) & 1


@pytest.mark.rule("S7.9")
def test_low_crawl_is_no_moving_target():
    """FP 3 at a low crawling squad in light woods, dice 4 and 2: 7 against 3."""
    game = begin("..w", "us\n a para3 0101\n q us164 0101\nde\n x de144 0301 low-crawl\n y de144 0301 fired")
    attack = event(play(game, "fire a 0301 [4 2 1 1]"), "attack")
    assert attack.facts["attack"] + 4 == 7 and attack.facts["defence"] + 2 == 3
    assert attack.facts["moving"] == [] and attack.facts["difference"] == 4


@pytest.mark.rule("S7.10")
@pytest.mark.refusal("S7.10")
def test_low_crawl_within_a_hex():
    game = walk("a us164 0501", terrain="....ttB.")
    yes(game, "move a 0501/1 crawl")
    assert no(game, "move a 0601/1 crawl").code == "not-adjacent"
    yes(walk("a us164 0701", terrain="....ttB."), "move a 0701/b crawl")


@pytest.mark.rule("S2.4")
@pytest.mark.refusal("S2.4")
@pytest.mark.parametrize("ways", ["crawl stealth", "assault crawl", "assault stealth"])
def test_a_group_uses_one_way_to_move(ways):
    refuses(walk("s us653 0501"), f"move s 0601 {ways}", "S2.4", "two-ways")


@pytest.mark.rule("S7.11")
@pytest.mark.refusal("S7.11")
def test_weapon_teams_do_not_crawl():
    game = walk("t hmg-us 0501\na us164 0501")
    refuses(game, "move a,t 0601 crawl", "S7.11", "team-crawls")
    yes(game, "move a 0601 crawl")


# -- stealth ----------------------------------------------------------------------------------------


@pytest.mark.rule("S7.12")
@pytest.mark.refusal("S7.12")
def test_who_moves_stealthily():
    game = walk("s scout-us 0501\nl lt 0501\nh hero-us 0701")
    yes(game, "move s 0601 stealth")
    refuses(game, "move l,s 0601 stealth", "S7.12", "no-stealth")
    assert no(game, "move h 0801 stealth").code == "no-stealth"


@pytest.mark.rule("S7.13")
def test_stealth_is_not_seen_by_itself():
    """In woods next to an enemy: unspotted. It steps into the open in view: spotted."""
    from hexengine.systems.squad.sight.spotting import spotted

    game = begin("www..", "us\n s us653 0301\n q us164 0501\nde\n x de144 0101")
    play(game, "move s 0201 stealth")
    assert decision(game) == ("us", "group"), "no window, though it is next to the enemy"
    assert not spotted(game.position, 1) & 1 << game.board.grid.index("0201")
    open_ = begin("w....", "us\n s us653 0401\n q us164 0501\nde\n x de144 0101")
    play(open_, "move s 0301 stealth")
    assert decision(open_) == ("de", "reaction")


@pytest.mark.rule("S7.14")
def test_stealth_into_melee():
    game = begin("www..", "us\n s scout-us 0201\nde\n x de144 0101 shaken")
    play(game, "move s 0101 stealth")
    assert decision(game) == ("us", "melee")


@pytest.mark.rule("S7.15")
def test_stealth_is_no_moving_target():
    game = begin("w..", "us\n s us653 0101 stealth\nde\n x de154 0301", impulse="de")
    game.position.spotted_0 = 1
    assert event(play(game, "fire x 0101 [1 6]"), "attack").facts["moving"] == []


@pytest.mark.rule("S7.16")
@pytest.mark.refusal("S7.16")
def test_half_of_it_and_then_fire():
    """MF 5: 3 MP, then fire; not after 4."""
    game = walk("s us653 0301\nq us164 0801", "x de144 0201 shaken")
    for to in ("0401", "0501", "0601"):
        play(game, f"move s {to}" + (" stealth" if to == "0401" else ""))
    yes(game, "fire s 0201")
    play(game, "move s 0701")
    refuses(game, "fire s 0201", "S7.16", "stealth-too-far")


@pytest.mark.rule("S7.16", "S8.7")
@pytest.mark.refusal("S7.16")
def test_half_of_what_a_wound_leaves():
    """A scout with MF 5 has 3 after a wound: it fires after 2 MP, not after 3."""
    game = walk("s scout-us 0301 wounded\nk us164 0301", "x de144 0201 shaken")
    play(game, "move s 0401 stealth", "move s 0501")
    yes(game, "fire s 0201")
    play(game, "move s 0601")
    refuses(game, "fire s 0201", "S7.16", "stealth-too-far")


@pytest.mark.rule("S7.17")
def test_its_fire():
    """A squad with FP 1 fires with -1 after it, a scout with all it has."""
    squad = walk("s us653 0501 stealth", "x de144 0301")
    assert total(squad, ["s"], "0301") == -1
    scout = walk("s scout-us 0501 stealth", "x de144 0301")
    assert total(scout, ["s"], "0301") == 1


@pytest.mark.rule("S7.17")
def test_its_ordnance():
    game = walk("s us653 0501 stealth\nb bazooka in s", "x de144 0301")
    assert "ordnance-misses" in codes(play(game, "fire s 0301 with b [4 4]"))


@pytest.mark.rule("S7.18")
@pytest.mark.refusal("S7.18")
def test_a_weapon_team_just_moves():
    game = walk("t hmg-us 0501")
    assert (no(game, "move t 0601 assault").rule, no(game, "move t 0601 stealth").rule) == ("S7.18", "S7.12")
    yes(game, "move t 0601")
    assert where(game, "t") == "0501"
