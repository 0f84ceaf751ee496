"""Fire missions (P2.4, P12) and air strikes (P13.3)."""

from __future__ import annotations

from tests.systems.platoon.referee.books import Books
from tests.systems.platoon.referee.gunnery import after_saves, bounded, leader, range_modifier, target_bars
from tests.systems.platoon.referee.losses import DEAD, hurt, shake_hq, suffer
from tests.systems.platoon.referee.paper import Unit

SCATTERS = 5
HE_DICE = {"hard": 2, "soft": 4}
HE_TO_HIT = 5
SMOKE_TURNS = 2
STRIKE_DICE = STRIKE_TO_HIT = 4


def mission_bars(books: Books, shell: str, label: str) -> set[str]:
    """Why the active formation may not call a mission on a hex; empty if it may."""
    assert books.active is not None and books.calling is not None
    bars: set[str] = set()
    if not books.missions[books.active][shell]:
        bars.add("P12.1")
    if label in books.calling:
        bars.add("P2.4")
    if not books.observed(books.active, label):
        bars.add("P12.2")
    return bars


def strike_bars(books: Books, target: Unit) -> set[str]:
    """Why the active side may not call a strike on a unit; empty if it may."""
    assert books.active is not None
    side = books.mover()
    bars = target_bars(books, target, side)
    if not books.strikes[side] or target.kind == "air":
        bars.add("P13.3")
    if target.hex is not None and not books.observed(books.active, target.hex):
        bars.add("P12.2")
    return bars


def call(books: Books, shell: str, label: str) -> None:
    """A mission lands where its dice say (P12.3), and does what its shells do."""
    assert books.active is not None and books.calling is not None
    books.missions[books.active][shell] -= 1
    books.calling.add(label)
    books.telling.expect("mission", formation=books.active, shell=shell, hex=label)
    told = books.telling.expect(("on-target", "scatters", "scatters-away"), hex=label)
    there: str | None = label
    if told.facts["faces"][0] < SCATTERS:
        told.faces(1)
        told.agrees("on-target")
    else:
        there = books.ground.neighbours[label][told.faces(2)[1] - 1]
        told.agrees("scatters" if there else "scatters-away", to=there or "")
    if there is None:
        return
    if shell == "smoke":
        books.smoke[there] = SMOKE_TURNS
        books.telling.expect("smoke", hex=there, turns=SMOKE_TURNS)
        return
    for side in books.sides:
        _bombard(books, there, side)


def _bombard(books: Books, label: str, side: str) -> None:
    """High explosive at all units of a side in a hex, one by one; their HQ is shaken once."""
    worst = []
    for unit in books.counted(label, side):
        dice = HE_DICE[unit.kind]
        told = books.telling.expect("bombarded", target=unit.id, hex=label, dice=dice, to_hit=HE_TO_HIT)
        hits = sum(face >= HE_TO_HIT for face in told.faces(dice))
        told.agrees(hits=hits)
        net = after_saves(books, unit, hits)
        if net:
            worst.append(hurt(books, unit, net)[0])
    if worst:
        shake_hq(books, side, label, DEAD in worst)


# -- air strikes ------------------------------------------------------------------------------------


def send(books: Books, target: Unit) -> None:
    """A strike is on its way."""
    books.strikes[books.mover()] -= 1
    books.strike = target
    books.telling.expect("strike", formation=books.active, target=target.id, hex=target.hex)


def interception(books: Books, firer: Unit, weapon: Unit | None, lead: bool) -> tuple[int, int] | set[str]:
    """Dice and number of anti-aircraft fire at the strike, or the rules by which there is none."""
    assert books.strike is not None and books.strike.hex is not None and firer.hex is not None
    source = weapon or firer
    bars = set()
    if weapon is not None and weapon is not books.weapon(firer):
        bars.add("P3.5")
    hq = leader(books, firer, books.led_reaction) if lead else None
    if lead and hq is None:
        bars.add("P9.4")
    block = source.block("aa")
    modifier = (
        range_modifier(block, max(1, books.ground.distance(firer.hex, books.strike.hex))) if block else None
    )
    if block is None or not block.dice or modifier is None:
        return bars | {"P13.3"}
    dice, to_hit = bounded(block.dice + (hq.value("leadership") if hq else 0), block.to_hit + modifier)
    if dice <= 0:
        bars.add("P13.3")
    return bars or (dice, to_hit)


def intercept(books: Books, firer: Unit, weapon: Unit | None, lead: bool) -> None:
    """One shot at the strike; a hit turns it away."""
    power = interception(books, firer, weapon, lead)
    assert isinstance(power, tuple)
    if lead:
        hq = leader(books, firer, books.led_reaction)
        assert hq is not None
        books.led_reaction.add(hq)
    told = books.telling.expect(
        ("intercepted", "not-intercepted"), unit=firer.id, dice=power[0], to_hit=power[1],
        **{"with": weapon.id if weapon else ""},
    )  # fmt: skip
    hits = sum(face >= power[1] for face in told.faces(power[0]))
    told.agrees("intercepted" if hits else "not-intercepted", hits=hits)
    firer.ops = True
    if hits:
        books.strike = None


def strike_home(books: Books) -> None:
    """Nobody turned the strike away: four dice at its target (P13.3), with smoke and cover."""
    target = books.strike
    assert target is not None and target.hex is not None
    books.strike = None
    to_hit = STRIKE_TO_HIT + (target.hex in books.smoke)
    told = books.telling.expect(
        "strike-attacks", target=target.id, hex=target.hex, dice=STRIKE_DICE, to_hit=to_hit
    )
    hits = sum(face >= to_hit for face in told.faces(STRIKE_DICE))
    told.agrees(hits=hits)
    net = after_saves(books, target, hits)
    if net:
        suffer(books, target, net)
