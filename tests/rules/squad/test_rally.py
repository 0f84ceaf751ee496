"""Rally, medics, half-squads, weapons that change hands, Shaken units (S11)."""

import pytest

from tests.rules.asking import codes, unit
from tests.rules.squad.table import begin, decision, event, no, play, refuses, yes


def rallying(units, terrain="........", **rest):
    return begin(terrain, f"us\n{units}\nde\n x de144 0801", phase="rally", **rest)


@pytest.mark.rule("S11.1")
@pytest.mark.parametrize(("dice", "good"), [("4 4", True), ("5 4", False)])
def test_rally(dice, good):
    """Morale 5, woods, leader LM 1: 4 and 4 are 8 - 2 - 1 = 5, rallied; 5 and 4 are not enough."""
    game = rallying("a us164 0101 shaken\nl lt 0101", "w.......")
    play(game, f"rally a [{dice}]")
    assert ("shaken" not in unit(game, "a")["status"]) == good


@pytest.mark.rule("S11.1")
@pytest.mark.refusal("S11.1")
def test_who_may_try():
    game = rallying("a us164 0101 shaken\nl lt 0201\nb us164 0101\nt hmg-us 0301 shaken")
    refuses(game, "rally a", "S11.1", "nobody-rallies")
    assert no(game, "rally b").code == "not-shaken"
    yes(game, "rally t")
    play(game, "rally t [6 6]")
    assert decision(game)[1] == "operations", "nobody else can"
    hero = rallying("a us164 0101 shaken\nh hero-us 0101")
    yes(hero, "rally a")


@pytest.mark.rule("S11.1")
def test_shaken_leaders_first_and_then_they_help():
    game = rallying("a us164 0101 shaken\nl lt 0101 shaken\nk lt 0101")
    assert no(game, "rally a").code == "leaders-first"
    play(game, "rally l [3 3]")
    assert event(play(game, "rally a [2 3]"), "rallied").facts["lm"] == 1


@pytest.mark.rule("S11.1")
def test_one_attempt():
    game = rallying("a us164 0101 shaken\nb us164 0101 shaken\nl lt 0101")
    play(game, "rally a [6 6]")
    assert no(game, "rally a").code == "handled"


@pytest.mark.rule("S11.2")
@pytest.mark.refusal("S11.2")
def test_a_medic():
    """A die of 4: the squad is in good order; a wounded leader loses his wound."""
    game = rallying("m medic-us 0101\na us164 0101 shaken\nl lt 0101 wounded\nb us164 0201\nc squad-us 0101")
    refuses(game, "treat m b", "S11.2", "not-there")
    assert no(game, "treat m c").code == "not-hurt" and no(game, "treat l a").code == "no-medic"
    assert no(game, "treat m m").code == "not-hurt"
    assert "treated" in codes(play(game, "treat m a [4]"))
    assert unit(game, "a")["status"] == []
    assert no(game, "treat m l").code == "handled"
    wounded = rallying("m medic-us 0101\nl lt 0101 wounded shaken")
    play(wounded, "treat m l [1]")
    assert unit(wounded, "l")["status"] == ["shaken"]
    assert "not-treated" in codes(play(rallying("m medic-us 0101\nl lt 0101 wounded"), "treat m l [5]"))


@pytest.mark.rule("S11.3")
@pytest.mark.refusal("S11.3")
def test_half_squads():
    """Two half-squads of a type and a leader: one squad; and a squad splits."""
    game = rallying("a us164 0101 half\nb us164 0101 half\nl lt 0101\nc us254 0101 half")
    assert no(game, "join a c").code == "no-halves" and no(game, "join a l").code == "no-halves"
    refuses(game, "split a", "S11.3", "no-squad")
    play(game, "join a b")
    assert unit(game, "a")["steps"] == 2 and unit(game, "b")["hex"] is None
    assert "eliminated" not in unit(game, "b")["status"] and game.state()["score"] == {"us": 0, "de": 0}
    whole = rallying("a us164 0101\nl lt 0101\nb us164 0201")
    assert no(whole, "split b").code == "no-leader-here"
    play(whole, "split a")
    assert (
        unit(whole, "a")["steps"] == unit(whole, "a-b")["steps"] == 1 and unit(whole, "a-b")["hex"] == "0101"
    )


@pytest.mark.rule("S11.3")
def test_the_half_of_a_whole_game():
    """Split, apart, together again: the same counters come back."""
    game = rallying("a us164 0101\nl lt 0101")
    play(game, "split a", "move a,a-b 0201")
    assert unit(game, "a-b")["markers"] == ["moved"]


@pytest.mark.rule("S11.3", "S8.11")
def test_the_weapon_of_a_half_that_joins_another_lies_there():
    game = rallying("a us164 0101 half\nb us164 0101 half\nm mg-us in b\nl lt 0101")
    assert event(play(game, "join a b"), "dropped").facts == {"weapon": "m", "hex": "0101"}
    assert unit(game, "m")["carrier"] is None and unit(game, "m")["hex"] == "0101"
    kept = rallying("a us164 0101 half\nb us164 0101 half\nm mg-us in b\nl lt 0101")
    assert "dropped" not in codes(play(kept, "join b a")) and unit(kept, "m")["carrier"] == "b"


@pytest.mark.rule("S11.4")
@pytest.mark.refusal("S11.4")
def test_weapons_change_hands():
    """a has an MG; b holds it after the Rally Phase."""
    game = rallying("a us164 0101\nm mg-us in a\nb us164 0101\nt hmg-us 0101\nc us164 0201")
    assert no(game, "take c m").code == "not-there" and no(game, "take t m").code == "hands-full"
    assert no(game, "take b a").code == "no-weapon" and no(game, "take a m").code == "hands-full"
    play(game, "take b m")
    assert unit(game, "m")["carrier"] == "b" and unit(game, "b")["passengers"] == ["m"]
    assert decision(game)[1] == "operations", "once a phase"
    held = rallying("a us164 0101 shaken\nm mg-us in a\nb us164 0101\nl lt 0101")
    refuses(held, "take b m", "S11.4", "held")


@pytest.mark.rule("S11.6")
@pytest.mark.refusal("S11.6")
def test_shaken_units_do_little():
    game = begin(".....", "us\n a squad-us 0101 shaken\n b us164 0101\nde\n x de144 0501\n y de144 0401")
    refuses(game, "fire a 0501", "S11.6", "shaken-fire")
    assert no(game, "smoke a 0101").code == "shaken-acts" and no(game, "spot a 0501").code == "shaken-spot"
    reacts = begin(".....", "us\n a us164 0101\nde\n x us454 0501 shaken\n y us454 0401")
    play(reacts, "move a 0201")
    assert no(reacts, "fire x 0201").code == "shaken-fire"
    rallies = rallying("a us164 0101 shaken\nl lt 0101\nloose\nm mg-us 0101")
    assert no(rallies, "take a m").code == "shaken-acts"
