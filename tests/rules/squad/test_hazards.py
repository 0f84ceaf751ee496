"""Mines, fire for effect, events (S13)."""

import pytest

from tests.rules.asking import codes, unit
from tests.rules.squad.table import begin, decision, event, no, play, refuses, where

FORCES = "us\n a us164 0201\n q squad-us 0801\nde\n x de144 0602 shaken\n y squad-de 0602 shaken"
MAP = "......../........"


def field(*tables, terrain=MAP, forces=FORCES, **rest):
    return begin(terrain, forces, tables=tables, **rest)


@pytest.mark.rule("S13.1")
def test_a_mine_attacks_who_enters():
    """FP 1 and a die of 5 against 3: ahead by 3; a die of 3: 6, Shaken. No TM, no +1 for moving."""
    game = field(("mines", {"hex": "0301", "side": "de", "fp": 1}), terrain="..w...../........")
    events = play(game, "move a 0301 [5 3 3]")
    assert event(events, "attack").facts["difference"] == 3 and event(events, "attack").facts["cover"] == []
    assert unit(game, "a")["status"] == ["shaken"]


@pytest.mark.rule("S13.1")
def test_two_markers_attack_each_for_itself():
    mine = {"hex": "0301", "side": "de", "fp": 1}
    game = field(("mines", mine), ("mines", {**mine, "fp": 2}))
    events = play(game, "move a 0301 [1 6 1 6]")
    assert [one.facts["attack"] for one in events if one.code == "attack"] == [1, 2]


@pytest.mark.rule("S13.1")
def test_own_mines_do_nothing():
    game = field(("mines", {"hex": "0301", "side": "us", "fp": 3}))
    assert "attack" not in codes(play(game, "move a 0301"))


@pytest.mark.rule("S13.2")
def test_mines_stay_and_leaving_is_free():
    game = field(("mines", {"hex": "0301", "side": "de", "fp": 1}))
    play(game, "move a 0301 [1 6]", "move a 0401")
    assert "attack" in codes(play(game, "move a 0301 [1 6]"))
    assert game.state()["hexes"]["0301"]["mines"] == {"de": [1]}


@pytest.mark.rule("S13.3", "S5.1")
def test_fire_for_effect_attacks_who_enters():
    """FP 4, 2 + 4 against 5, nothing for moving: ahead by 1, Shaken by a die of 5, before events."""
    game = field(
        ("ffe", {"hex": "0301", "fp": 4}),
        ("event", {"id": "e", "hex": "0301", "side": "us", "text": "Noise."}),
    )
    events = play(game, "move a 0301 [2 5 5]")
    assert codes(events)[:5] == ["move", "attack", "damage-check", "shaken", "event"]
    assert event(events, "attack").facts["difference"] == 1 and event(events, "attack").facts["moving"] == []


MISSION = ("mission", {"side": "us", "fp": 4, "rounds": 1})
CALLER = "us\n l lt 0201\n q squad-us 0801\nde\n x de144 0602 shaken\n y squad-de 0602"


@pytest.mark.rule("S13.3")
@pytest.mark.refusal("S13.3")
def test_a_mission_drifts_and_attacks():
    """A direction, and a die less his LM: 1 - 1 is on the spot."""
    game = field(MISSION, forces=CALLER)
    refuses(game, "call q 0602", "S13.3", "no-caller")
    events = play(game, "call l 0602 [3 1 1 5]")
    assert event(events, "mission").facts["lands"] == "0602"
    assert unit(game, "l")["markers"] == ["ops-complete"] and game.state()["hexes"]["0602"]["ffe"] == 4
    assert game.state()["missions"] == {"us": 0, "de": 0}


@pytest.mark.rule("S13.3")
@pytest.mark.refusal("S13.3")
def test_the_last_round_is_the_last():
    game = field(MISSION, forces=CALLER)
    game.position.rounds[0] = 0
    assert no(game, "call l 0602").code == "no-missions"
    assert no(field(MISSION, forces=CALLER), "call l 0201").rule == "S10.1"


@pytest.mark.rule("S13.3")
def test_it_may_fall_off_the_map():
    game = field(MISSION, forces=CALLER)
    grid = game.board.grid
    direction = next(d for d, there in enumerate(grid.neighbours[grid.index("0101")]) if there < 0)
    events = play(game, f"call l 0101 [{direction + 1} 6]")
    assert "mission-lost" in codes(events)


@pytest.mark.rule("S13.4")
def test_an_event_brings_units_before_the_fire():
    """Two squads appear; they may fire at once; and it happens once only."""
    tables = [("event", {"id": "ambush", "hex": "0301", "side": "us", "text": "An ambush!", "points": -1})]
    forces = FORCES + "\n v us454 0402 event=ambush\n w us454 0402 event=ambush"
    game = field(*tables, forces=forces)
    assert unit(game, "v")["status"] == ["due"] and unit(game, "v")["hex"] is None
    events = play(game, "move a 0301")
    assert codes(events)[:4] == ["move", "event", "arrives", "arrives"]
    assert decision(game) == ("de", "reaction") and where(game, "v") == "0402"
    assert game.state()["score"]["us"] == -1
    play(game, "pass")
    assert game.state()["hexes"].get("0301") is None


@pytest.mark.rule("S13.4")
def test_an_event_may_attack():
    game = field(("event", {"id": "trap", "hex": "0301", "side": "us", "text": "A trap!", "attack": 3}))
    assert event(play(game, "move a 0301 [1 6]"), "attack").rule == "S13.4"


@pytest.mark.rule("S13.4")
def test_the_other_side_does_not_set_it_off():
    game = field(("event", {"id": "trap", "hex": "0301", "side": "de", "text": "A trap!", "attack": 3}))
    assert "event" not in codes(play(game, "move a 0301"))
