"""C13.3 to C13.5: who takes part in an assault, what counter-attacks do, and how one leaves it."""

import pytest

from tests.rules.asking import facts, where
from tests.rules.company.table import allows, begin, offered, play, refuse

FIELD = "\n".join(["..........."] * 12)
REST = " s trained\n  spare rifle 1101\ngrey\n"
FAR = " r trained\n  far rifle 1112\n"


def clash(red, grey, field=FIELD, **rest):
    """An Assault Step: platoon p of red, platoon q of grey, and a team of each far off."""
    text = f"red\n {red}\n{REST} {grey}\n{FAR}"
    return begin(field, text, step="assault", **rest)


def check(game):
    """What holds after every order holds now."""
    game.system.invariants(game.position)


BYSTANDERS = "p trained fearless\n  a rifle 0404\n o trained\n  m rifle {}\n  n rifle 0604"
DEFENDERS = "q trained fearless\n  y rifle 0406 moved\n  z rifle 0505 moved"


@pytest.mark.rule("C13.4", "C1.3")
@pytest.mark.refusal("C13.4")
def test_a_counter_attack_goes_against_the_platoons_in_the_assault():
    game = clash(BYSTANDERS.format("0604"), DEFENDERS)
    play(game, "charge a 0406", "done [1]", "counter q")
    refuse(game, "charge z 0604", "C13.4", "not-in-assault")
    refuse(game, "charge z 0704", "C13.1", "out-of-charge")
    assert allows(game, "charge z 0406")
    events = play(game, "done [1]")
    assert facts(events, "strike")["units"] == ["y"], "z has only a stranger next to it"


@pytest.mark.rule("C13.4", "C1.3")
def test_who_shares_the_hex_of_a_counter_attack_is_in_the_assault():
    """Team m of platoon o stands where the counter-attack comes in: it answers too, and leaves."""
    game = clash("p trained fearless\n  a rifle 0404\n  b rifle 0604\n o trained\n  m rifle 0604", DEFENDERS)
    play(game, "charge a 0406", "done", "done [1 1]", "counter q", "charge z 0604", "done [1 1]")
    assert offered(game, "break-off") == {"break-off o", "break-off p"}
    play(game, "break-off o", "break-off p")
    while game.decision.kind == "break-off":
        game.play(game.orders()[0])
    assert game.decision.kind == "consolidation"
    play(game, "done", "end")
    check(game)


@pytest.mark.rule("C13.4", "C1.3")
def test_who_was_drawn_in_stays_in_when_the_charging_platoon_is_gone():
    game = clash("p trained fearless\n  a rifle 0404\n  b rifle 0604\n o trained\n  m rifle 0604", DEFENDERS)
    play(game, "charge a 0406", "done", "done [1 1]", "counter q", "charge z 0604", "done [6 6]")
    play(game, "take a", "take b [1]")
    assert (where(game, "m"), game.decision.kind) == ("0604", "break-off")
    play(game, "withdraw m 0904", "done", "end")
    check(game)
