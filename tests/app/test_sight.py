"""Lines of sight from floors, bunkers and units upstairs: what ``los`` says is what fire goes by."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from hexengine.app.look import in_sight, line_of_sight, spot
from hexengine.content.loader import load
from hexengine.core.game import Game
from hexengine.mechanics.masks import units
from hexengine.systems.company.moving.climbing import settle
from hexengine.systems.company.orders import Shoot
from hexengine.systems.company.position import shift as shift_team
from hexengine.systems.squad.position import shift as shift_unit
from hexengine.testing.playing import steps
from tests.app.conftest import Run
from tests.rules.company.table import begin as begin_company
from tests.rules.squad.table import begin as begin_squad

MAP = ".......\n..b....\n......."
WINDOW = {"side": "0302/0402", "kind": "window", "floor": 1}
DOOR = {"side": "0302/0202", "kind": "door"}


def upstairs() -> Game:
    """A team on floor 1 behind a window, with an enemy in the street."""
    text = "red\n p trained\n  r rifle 0302 floor 1\ngrey\n q trained\n  g rifle 0602\n"
    return begin_company(MAP, text, opening=[WINDOW, DOOR], step="shooting")


def clear(game: Game, a: str, b: str) -> bool:
    outlook = game.system.view(game.position)
    return line_of_sight(game, spot(outlook, a), spot(outlook, b)).clear


def seen(game: Game, name: str) -> set[str]:
    outlook = game.system.view(game.position)
    labels = outlook.ground.map.grid.labels
    return {labels[place] for place in in_sight(game, outlook, spot(outlook, name))}


@pytest.mark.rule("C6.6")
def test_a_team_upstairs_sees_through_the_window_of_its_floor():
    game = upstairs()
    assert game.why_not("shoot r q") is None
    assert clear(game, "r", "g")
    assert clear(game, "g", "r")
    assert clear(game, "0302/1", "0602")
    assert not clear(game, "0302", "g"), "the ground floor has a door to the west only"
    assert not clear(game, "0302/0", "g")
    assert {"0402", "0602"} <= seen(game, "r")
    assert "0102" not in seen(game, "r")
    assert {"0102"} <= seen(game, "0302") and "0402" not in seen(game, "0302")
    assert "0302" in seen(game, "g"), "not its ground, but its floor is seen"


@pytest.mark.rule("S10.3")
def test_a_squad_upstairs_sees_up_the_hill():
    game = begin_squad(
        "." * 2 + "t" + "." * 6, "us\n s squad-us 0301/1\nde\n d squad-de 0901\n", levels="000111111"
    )
    assert game.why_not("fire s 0901") is None
    assert clear(game, "s", "d")
    assert clear(game, "d", "0301/1")
    assert not clear(game, "0301", "0901")
    assert not clear(game, "0301", "0301/1"), "levels of a hex do not see each other"
    assert "0901" in seen(game, "s")
    assert "0901" not in seen(game, "0301")


@pytest.mark.parametrize("scenario", ["first-orders", "open-ground", "block", "winding-road"])
def test_the_company_shoots_at_what_it_sees(scenario: str):
    """Each team at each platoon, after random orders, with teams on random floors."""
    random = Random(f"sight/{scenario}")
    asked = {"": 0, "no-line-of-sight": 0}
    aloft = 0
    for look in _shooting(scenario, random):
        pos: Any = look.position
        rooms = [place for place, floor in look.board.ground.spot if floor == 1]
        for unit in units(pos.placed & look.board.foot) if rooms else ():
            if random.random() < 0.4:
                room = random.choice(rooms)
                if not pos.taken(1 - look.board.side[unit]) >> room & 1:
                    shift_team(pos, unit, room)
                    settle(pos, unit, room, random.choice([0, 1]), None)
        aloft += pos.aloft != 0
        _company_agrees(look, asked)
        if asked[""] > 150 and asked["no-line-of-sight"] > 150:
            break
    assert min(asked.values()) > 0 or scenario == "first-orders", asked
    assert aloft or scenario != "block"


def _shooting(scenario: str, random: Random) -> Iterator[Game]:
    """Copies of some random games, at every third decision of a Shooting Step."""
    for seed in range(3, 8):
        game, number = Game(load(scenario), seed), 0
        for _ in steps(game, random):
            if game.decision is not None and game.decision.kind == "shooting":
                number += 1
                if number % 3 == 1:
                    yield game.copy()


def _company_agrees(game: Game, asked: dict[str, int]) -> None:
    pos: Any = game.position
    board, frame = game.board, pos.frames[-1]
    outlook = game.system.view(pos)
    for unit in units(pos.placed & board.side_units[frame.side] & ~pos.hiding):
        weapons = board.weapons[unit]
        for platoon in frame.enemies(pos):
            refusal = frame.check(pos, board.orders.once(Shoot, 1 << unit, platoon, False, False))
            code = refusal.code if refusal is not None else ""
            if code not in ("", "no-line-of-sight", "out-of-arc"):
                continue
            here = spot(outlook, board.ids[unit])
            near = [
                line_of_sight(game, here, spot(outlook, board.ids[enemy])).clear
                for enemy in units(pos.alive(platoon))
                if board.grid.distance(pos.place[unit], pos.place[enemy]) <= weapons[0].range
            ]
            asked[code] = asked.get(code, 0) + 1
            assert any(near) == (code != "no-line-of-sight"), (board.ids[unit], platoon, code)


@pytest.mark.parametrize("scenario", ["introduction", "village", "bunker-line", "crossing-at-selne"])
def test_the_squad_fires_at_what_it_sees(scenario: str):
    """Each unit at each place with enemies, after random orders, with units on floors and in bunkers."""
    game = Game(load(scenario), 3)
    random = Random(f"sight/{scenario}")
    asked = {"": 0, "no-line-of-sight": 0}
    board = game.board
    above = list(range(board.size, board.places.count))
    for number, _ in enumerate(steps(game, random)):
        if game.decision is None or game.decision.kind != "operations" or number % 5:
            continue
        look = game.copy()
        pos: Any = look.position
        walking = pos.placed & board.units & ~(board.vehicles | pos.aboard)
        for unit in units(walking) if above else ():
            place = random.choice(above)
            if random.random() < 0.4 and not pos.taken(1 - board.side[unit]) >> place & 1:
                shift_unit(pos, 1 << unit, place)
        _squad_agrees(look, asked)
        if min(asked.values()) > 150:
            break
    assert min(asked.values()) > 0, asked


def _squad_agrees(game: Game, asked: dict[str, int]) -> None:
    pos: Any = game.position
    board, frame = game.board, pos.frames[-1]
    outlook = game.system.view(pos)
    mine = units(pos.placed & board.units & board.side_units[frame.side])
    for unit, place in product(mine, units(pos.taken(1 - frame.side))):
        refusal = frame.check(pos, board.orders.fire(1 << unit, place))
        code = refusal.code if refusal is not None else ""
        if code in asked:
            asked[code] += 1
            look = line_of_sight(game, spot(outlook, board.ids[unit]), spot(outlook, board.labels[place]))
            assert look.clear == (not code), (board.ids[unit], board.labels[place], code)


def test_the_commands_take_floors(run: Run, tmp_path):
    path = tmp_path / "fl.toml"
    path.write_text(
        'format = 1\nsystem = "squad"\ntitle = "floors"\nturns = 2\nsides = ["us", "de"]\n'
        '[map]\nterrain = """\n..t......\n"""\nlegend = { "." = "clear", t = "tall-building" }\n'
        'levels = """\n000111111\n"""\nnames = { 0301 = "Tower" }\n'
        '[[unit]]\nid = "a"\ntype = "squad-us"\nside = "us"\nhex = "0301/1"\n'
        '[[unit]]\nid = "b"\ntype = "squad-de"\nside = "de"\nhex = "0901"\n'
        '[start]\nphase = "operations"\nimpulse = "us"\n',
        encoding="utf-8",
    )
    assert "0301/1 to 0901: clear, 6 hexes" in run("los", path, "a", "b").stdout
    assert "0301/1 to 0901: clear" in run("los", path, "0301/1", "0901").stdout
    assert "0301 to 0901: blocked" in run("los", path, "0301", "b").stdout
    shown = [
        run("show", path, "--sight", name, "--style", "outline").stdout for name in ("a", "0301/1", "0301")
    ]
    assert shown[0] == shown[1]
    assert shown[0].count("•") > shown[2].count("•")
    for name, told in (("0301/2", "0301 has 0301/1"), ("0401/1", "0401 has no floors"), ("99/1", "'99/1'")):
        result = run("los", path, name, "b")
        assert result.exit_code == 2
        assert told in result.stderr
    told = run("play", path, "--opponent", "none", typed="los tow/1 b\nlos a 0901\nshow tower/1\n").stdout
    assert told.count("0301/1 to 0901: clear") == 2
    assert told.count("•") == shown[0].count("•")
