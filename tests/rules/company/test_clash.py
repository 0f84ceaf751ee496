"""C13.3 to C13.5: who takes part in an assault, what counter-attacks do, and how one leaves it."""

import pytest

from tests.rules.asking import facts, marks, where
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


ROUNDS = "p veteran fearless\n  a rifle 0404\n  e rifle 0405\n  {}"
STRUCK = "q trained fearless\n  x rifle 0406 moved\n  y rifle 0506 moved\n  w rifle 0407 moved"
BACK = ("charge a 0406", "done", "done [6 1]", "take x [6]", "counter q", "charge y 0405", "done [6 1]")


@pytest.mark.rule("C2.8", "C10.3", "C12.1")
@pytest.mark.refusal("C2.8", "C10.3")
@pytest.mark.parametrize(
    ("mark", "rule", "code"),
    [("doubled", "C2.8", "doubled"), ("out-of-command", "C10.3", "stray-charge")],
)
def test_what_bars_from_charging_bars_in_each_round(mark, rule, code):
    """When the attacker counter-attacks, his team d still may not run in."""
    game = clash(ROUNDS.format(f"d rifle 0403 {mark}"), STRUCK)
    refuse(game, "charge d 0406", rule, code)
    play(game, *BACK, "take e [6]", "counter p")
    assert game.decision.kind == "charge"
    refuse(game, "charge d 0405", rule, code)


@pytest.mark.rule("C2.8")
def test_a_defender_that_doubled_counter_attacks():
    game = clash("p trained\n  a rifle 0404", "q trained fearless\n  y rifle 0406\n  z rifle 0505 doubled")
    play(game, "charge a 0406", "done [1]", "counter q")
    assert allows(game, "charge z 0406")


@pytest.mark.rule("C5.2", "C5.3")
def test_the_attacker_has_no_foxhole_back():
    game = clash(ROUNDS.format("b rifle 0403 dug-in"), STRUCK)
    play(game, *BACK, "take e [6]", "counter p", "charge b 0405")
    assert "positions" not in game.state()["hexes"].get("0403", {})
    play(game, "charge a 0407 [6 6]", "consolidate b 0403", "done")
    assert "dug-in" not in marks(game, "b")


@pytest.mark.rule("C13.3")
def test_the_strength_against_armour_is_that_of_the_strikers():
    """The platoon's rocket launcher stands far off: only the rifles' 2 counts."""
    red = "p veteran fearless\n  a rifle 0404\n  l rocket-launcher {}"
    for launcher, at in (("1101", 2), ("0405", 5)):
        game = clash(red.format(launcher), "q trained fearless\n  z medium-tank 0406\n  y medium-tank 1110")
        play(game, "charge a 0406", *["charge l 0506"] * (launcher == "0405"))
        events = play(game, "done [6 3 3]" if launcher == "1101" else "done [6 1 3 3]")
        assert facts(events, "armour")["at"] == at


@pytest.mark.rule("C13.5")
@pytest.mark.refusal("C13.5")
@pytest.mark.parametrize(
    ("kind", "ground", "limit"), [("light-tank", ".", 16), ("light-tank", "w", 8), ("medium-tank", ".", 12)]
)
def test_vehicles_break_off_at_up_to_double_distance(kind, ground, limit):
    """Twice as far as they go on the ground that they touch."""
    text = "red\n p trained fearless\n  a rifle 0802\n  s rifle 0104\ngrey\n q trained\n"
    text += f"  t {kind} 0602 moved\n r trained\n  w rifle 3004\n"
    game = begin("\n".join([ground * 30] * 4), text, step="assault")
    play(game, "charge a 0602", "done [1]", "break-off q")
    grid, labels = game.board.grid, game.board.labels
    start = labels.index("0602")
    ways = [grid.distance(start, labels.index(order.split()[-1])) for order in offered(game, "withdraw")]
    assert max(ways) == limit
    refuse(game, f"withdraw t {6 + limit + 1:02}02", "C13.5", "no-refuge")
