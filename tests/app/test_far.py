"""Orders to far hexes, in each mode of movement, and what is said where units get nowhere."""

from __future__ import annotations

import pytest

from hexengine.app import paths
from hexengine.app.barred import tell_barred
from hexengine.app.session import Session
from hexengine.app.terminal import Terminal
from hexengine.core.errors import Refusal
from hexengine.core.game import Game
from hexengine.core.path_odds import TooMany
from hexengine.core.tactics import ReachLook, Route, StepRisk
from hexengine.record.game import Game as Recorded
from tests.app.conftest import Run
from tests.rules.squad.table import begin, play

FIELD = "\n".join(["..........", "......f...", ".........."])
FORCES = "us\n s squad-us 0102\n l leader-us 0102\nde\n d squad-de 1002\n"
SQUAD = """\
format = 1
system = "squad"
title = "far"
turns = 2
sides = ["us", "de"]
[map]
terrain = \"\"\"
.....F....
.....F....
.....F....
\"\"\"
legend = { "." = "clear", F = "forest" }
levels = \"\"\"
0000011110
0000011110
0000011110
\"\"\"
[[unit]]
id = "s"
type = "squad-us"
side = "us"
hex = "0102"
[[unit]]
id = "l"
type = "leader-us"
side = "us"
hex = "0102"
[[unit]]
id = "d"
type = "squad-de"
side = "de"
hex = "1002"
[start]
phase = "operations"
impulse = "us"
"""


@pytest.fixture
def squad(tmp_path):
    path = tmp_path / "squad.toml"
    path.write_text(SQUAD, encoding="utf-8")
    return path


def far(game: Game, text: str) -> list[str] | None:
    order = game.parse(text)
    route = paths.find(game, order)
    return [str(step) for step in route.orders] if route is not None else None


@pytest.mark.rule("S7.1")
def test_the_first_step_says_how_a_group_goes():
    game = begin(FIELD, FORCES)
    steps = far(game, "move s,l 0402 double")
    assert steps is not None
    assert steps[0].endswith(" double")
    assert not any(step.endswith("double") for step in steps[1:])
    for step in steps:
        play(game, step, *(["pass"] if game.why_not("pass") is None else []))
        while game.decision is not None and game.decision.side == "de":
            play(game, "pass")
    assert game.state()["units"]["s"]["hex"] == "0402"


@pytest.mark.rule("S7.1", "S7.10")
@pytest.mark.parametrize("mode", ["", " double", " assault", " crawl", " stealth"])
def test_a_far_move_reaches_what_is_in_reach_of_its_mode(mode: str):
    """Every far hex: a way whose first step is legal, or the reason that the mode gives."""
    game = begin(FIELD, FORCES)
    labels = game.board.grid.labels
    tactics, units = game.system.tactics(game.board), (0, 1)
    look = tactics.explain(game.position, units, mode.strip() or "move")
    for place, label in enumerate(labels):
        order = game.parse(f"move s,l {label}{mode}")
        if paths.far(game, order) is None:
            continue
        steps, refusal = far(game, str(order)), paths.barred(game, order)
        if place in look.costs:
            assert steps is not None, order
            assert game.why_not(steps[0]) is None
        else:
            expected = look.refusal or look.barred[place]
            assert steps is None, order
            if refusal is not None:
                assert (refusal.rule, refusal.code) == (expected.rule, expected.code)
            else:
                assert game.why_not(order).code == expected.code, "as to the next hex"


def test_a_group_on_the_move_goes_on_as_it_began():
    game = begin("..........\n.....F....\n.....F....", FORCES.replace("1002", "1003"))
    play(game, "move s,l 0201 double")
    while game.decision.side == "de":
        play(game, "pass")
    steps = far(game, "move s,l 0502")
    assert steps is not None
    assert not steps[0].endswith("double"), "it was said with the first step"
    assert far(game, "move s,l 0502 assault") is None
    assert game.why_not("move s,l 0502 assault").code == "declared-already"


def test_the_danger_of_a_way_grows_with_each_hex(capsys, monkeypatch):
    """Where it is too much to reckon: half the chance to be hit in each of two hexes is three quarters."""

    def too_many(*_, **__):
        raise TooMany

    monkeypatch.setattr(paths, "path_odds", too_many)
    risks = [StepRisk(place, ("d",), 0.5, 0.1) for place in ("0202", "0302")]
    paths.tell(Terminal(), begin(FIELD, FORCES), Route((), (0,), 4, tuple(risks)))
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  0202: fire from d (hit 50%, lost 10%)",
        "  0302: fire from d (hit 50%, lost 10%)",
        "  on the whole at worst: hit 75%, lost 19%",
    ]


def test_of_many_hexes_that_a_rule_bars_the_number_is_told(capsys):
    """Up to forty are listed, of more nobody reads the labels."""
    game = Recorded(begin("\n".join(["." * 50] * 2), FORCES).scenario, 1)
    near, far_off = Refusal("S4.1", "too-far", {"hex": "a"}), Refusal("S4.4", "crowded", {"hex": "b"})
    barred = {**dict.fromkeys(range(41), far_off), **dict.fromkeys(range(41, 81), near)}
    tell_barred(Terminal(), game, "s", "move", ReachLook({}, barred))
    shown = capsys.readouterr().out.splitlines()
    labels = game.board.grid.labels
    assert shown[1].endswith(":  " + " ".join(labels[41:81]))
    assert shown[2].endswith(":  41 hexes")


def test_who_was_interrupted_is_asked_whether_to_go_on(monkeypatch):
    """By whoever might have fired; not before each of the other steps."""
    game = Recorded(begin("..........", "us\n s us164 0101\nde\n d squad-de 0501\n").scenario, 1)
    session = Session(game, Terminal(), {}, "")
    asked = []
    monkeypatch.setattr(session.prompt, "agree", lambda question: asked.append(question) or len(asked) < 2)
    session.order("move s 0401")
    assert asked == ["go?"]
    assert (game.decision.side, session.way.interrupted) == ("de", True)
    session.play(game.parse("pass"))
    session._go_on(session.way)
    assert asked[1:] == ["go on with move s 0301?"]
    assert session.way is None


def test_fire_is_no_far_move(run: Run, squad):
    """Refused fire has its own reason, whatever hexes are out of reach."""
    told = run("play", squad, "--opponent", "none", typed="fire s 1002\nwhy fire s 1002\n").stdout
    assert told.count("refused: ") == 2
    assert "too far" not in told
    assert "[S4" not in told


def test_at_the_prompt(run: Run, squad):
    told = run("play", squad, "--opponent", "none", typed="move s,l 0403 double\nshow s\n").stdout
    assert "way: 0102 " in told
    assert "us: move s,l 0202 double" in told or "us: move s,l 0103 double" in told
    assert "to 0403: " in told
    told = run("play", squad, "--opponent", "none", typed="move s 0402 crawl\n").stdout
    assert "not adjacent" not in told
    assert "refused: " in told
    told = run("odds", squad, "move s,l 0403 double").stdout
    assert told.startswith("move s,l 0403 double: 0102 ")


def test_hexes_in_which_nobody_of_ones_own_stands(run: Run, squad):
    typed = "move 1002 0902\nmove 0303 0403\nfire 1002 0102\nactivate 1002\n"
    told = run("play", squad, "--opponent", "none", typed=typed).stdout
    assert told.count("none of your units that can act is in 1002") == 3
    assert "none of your units that can act is in 0303" in told
    assert "there is no unit" not in told
    told = run("play", "block", "--opponent", "none", typed="dig 1103\nshoot l1 0101\n").stdout
    assert "none of your units that can act is in 1103" in told
    assert "no enemy unit stands in 0101" in told


def test_why_units_can_go_nowhere(run: Run, squad, tmp_path):
    told = run("show", "crossroads", "--reach", "inf-1").stderr
    assert "inf-1 can go nowhere by itself\n  inf-1 is aboard a carrier" in told
    assert "[P5.11]" in told
    told = run("show", squad, "--reach", "s,d").stderr
    assert "s,d can go nowhere together\n  s, d " in told
    assert "[S2.4]" in told
    told = run(
        "play", "first-orders", "--opponent", "none", typed="move f2 0203\nshow f2\nshow f2 move\n"
    ).stdout
    assert "f2 can go nowhere by itself\n  f2 has moved in this step [C1.5]" in told
    assert "f2, move: not at all\n  f2 has moved in this step [C1.5]" in told
