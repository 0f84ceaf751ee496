"""The turn: cup and draw (P1), start and end of activations (P2), marker removal, and who has won (P16)."""

from __future__ import annotations

from typing import Any

from tests.systems.platoon.referee.books import Books
from tests.systems.platoon.referee.losses import in_play, release
from tests.systems.platoon.referee.paper import Difference, Unit

EOT = "eot"
EOT_MARKERS = 2


def begin(books: Books) -> None:
    """The start of the game: its first turn's cup, or what ``[start]`` says."""
    start = books.scenario.get("start", {})
    books.turn = start.get("turn", 1)
    books.draws = start.get("draws", books.sides[0])
    for unit in books.units:
        if unit.turn is not None and unit.turn <= books.turn and not unit.arrival:
            unit.due = True
        if unit.hex is not None and unit.kind != "sw":
            unit.fresh |= bool(books.options.get("setup_units_fresh"))
            if unit.ground and unit.carrier is None:
                books.control[unit.hex] = unit.side
    fill(books, set(start.get("waiting", ())))
    books.active = start.get("active")
    if books.active is not None:
        books.waiting.discard(books.active)
        books.calling = set()
        if "cup" not in start:
            _take_out(books, books.active)
            release(books)
    if "cup" in start:
        _given_cup(books, start)


def _given_cup(books: Books, start: dict[str, Any]) -> None:
    books.held = set(start.get("held", ()))
    whole = {**books.cup, EOT: EOT_MARKERS - len(books.held)}
    books.cup = {}
    for marker in start["cup"]:
        books.cup[marker] = books.cup.get(marker, 0) + 1
    books.drawn = {marker: number - books.cup.get(marker, 0) for marker, number in whole.items()}


def _take_out(books: Books, marker: str) -> None:
    books.cup[marker] -= 1
    books.drawn[marker] = books.drawn.get(marker, 0) + 1


def fill(books: Books, overlooked: set[str]) -> None:
    """A new turn's cup (P1.1, P1.5)."""
    books.drawn = {}
    books.cup = {
        name: one.get("markers", 1) for name, one in books.formations.items() if in_play(books, name)
    }
    books.entered = set(books.cup)
    books.waiting = overlooked & books.entered
    books.held = set()
    for side in books.sides:
        waited_for = [
            name for name in books.formations if name in books.waiting and _side(books, name) == side
        ]
        if waited_for:
            books.held.add(side)
            books.telling.expect("marker-held", side=side, formations=waited_for)
    books.cup[EOT] = EOT_MARKERS - len(books.held)


def _side(books: Books, formation: str) -> str:
    return str(books.formations[formation]["side"])


def draw(books: Books) -> None:
    """A marker out of the cup (P1.2)."""
    told = books.telling.expect("draw", side=books.draws)
    marker = told.facts["marker"]
    if books.cup.get(marker, 0) < 1:
        raise Difference(f"{marker} was drawn and is not in the cup {books.cup}")
    first = books.scenario.get("first_draw")
    if first and books.turn == 1 and not any(books.drawn.values()) and books.cup.get(first):
        told.agrees(marker=first)
    books.draws = books.foe(books.draws)
    _take_out(books, marker)
    if marker != EOT:
        books.waiting.discard(marker)
        release(books)
        activate(books, marker)
    elif not books.cup[EOT] and not books.held:
        end_turn(books)


# -- activations ------------------------------------------------------------------------------------


def activate(books: Books, formation: str) -> None:
    """Housekeeping, command and rally; then operations begin with what may be called (P2)."""
    books.active = formation
    books.telling.expect("activation", formation=formation)
    members = [one for one in books.units if one.formation == formation and one.kind != "sw"]
    marked = [one.id for one in members if one.ops or one.ooc]
    for unit in members:
        unit.ops = unit.ooc = False
    if marked:
        books.telling.expect("housekeeping", units=marked)
    _command(books, formation)
    _rally(books, formation)
    books.calling = set()


def _within(books: Books, faces: list[int] | None, number: int) -> bool:
    """Whether two dice are within a number; None: no die is thrown where every face gives the same (P0.3)."""
    return number >= 12 if faces is None else sum(faces) <= number


def _in_radius(books: Books, hq: Unit, unit: Unit) -> bool:
    radius = hq.value("radius")
    if "recon" in unit.flags and books.options.get("recon_double_radius"):
        radius *= 2
    return books.on_map(hq) and books.ground.distance(hq.hex, unit.hex) <= radius


def _command(books: Books, formation: str) -> None:
    """Who is out of command (P2.2): one roll for each hex outside the radius."""
    hq, morale = books.hq_of(formation), books.formations[formation]["morale"]
    if hq is None:
        return
    outside: dict[str, list[Unit]] = {}
    for unit in books.units:
        if unit.formation != formation or not unit.fights or not books.on_map(unit) or unit.fresh:
            continue
        if not _in_radius(books, hq, unit):
            outside.setdefault(str(unit.hex), []).append(unit)
    for label in sorted(outside):
        names = [unit.id for unit in outside[label]]
        told = books.telling.expect(
            ("command-passed", "command-failed"), formation=formation, hex=label, units=names, morale=morale
        )
        passed = _within(books, told.faces(2) if 2 <= morale < 12 else None, morale)
        told.agrees("command-passed" if passed else "command-failed")
        if not passed:
            books.telling.expect("out-of-command", hex=label)
            for unit in outside[label]:
                unit.ooc = True


def _rally(books: Books, formation: str) -> None:
    """Every Disrupted unit tries once (P2.3); passengers rally with their carrier."""
    hq, morale = books.hq_of(formation), books.formations[formation]["morale"]
    for unit in books.units:
        if unit.formation != formation or not unit.fights or not unit.disrupted:
            continue
        if not books.on_map(unit) or unit.carrier is not None:
            continue
        lead = hq.value("leadership") if hq and books.on_map(hq) and hq.hex == unit.hex else 0
        need = morale - unit.ooc + lead
        told = books.telling.expect(
            ("rallied", "not-rallied"), unit=unit.id, morale=morale, ooc=int(unit.ooc), leadership=lead
        )
        rallied = _within(books, told.faces(2) if 2 <= need < 12 else None, need)
        told.agrees("rallied" if rallied else "not-rallied")
        if rallied:
            unit.disrupted = False
            for rider in books.aboard(unit):
                rider.disrupted = False


def has_acted(books: Books, unit: Unit) -> bool:
    """Whether a unit did anything that costs it Ops Complete (P4.1, P5.7): not the carrier that only let
    somebody off."""
    if not unit.acted:
        return False
    idle = unit.rode and "transport" in unit.flags and not (unit.moved or unit.struck or books.aboard(unit))
    return not idle


def end_activation(books: Books) -> None:
    """Ops Complete falls on all that acted, and on who is aboard of them (P4.1)."""
    formation = books.active
    assert formation is not None
    acted = {one for one in books.units if books.on_map(one) and one.kind != "sw" and has_acted(books, one)}
    acted |= {one for one in books.units if one.kind != "sw" and one.carrier in acted}
    for unit in books.units:
        unit.ops |= unit in acted
        if unit.formation == formation and books.on_map(unit):
            unit.fresh = False
    books.active = None
    books.forget()
    books.telling.expect(
        "activation-ends", formation=formation, acted=[unit.id for unit in books.units if unit in acted]
    )


# -- the end of a turn ------------------------------------------------------------------------------


def end_turn(books: Books) -> None:
    """The second End of Turn marker is out (P1.3): markers come off (P1.7), victory is checked, on we go."""
    literal = books.options.get("overlooked_rule") == "literal"
    overlooked = {
        name
        for name in books.entered
        if books.drawn.get(name, 0) < (books.formations[name].get("markers", 1) if literal else 1)
        and in_play(books, name)
    }
    books.telling.expect(
        "turn-ends", turn=books.turn, overlooked=[name for name in books.formations if name in overlooked]
    )
    _remove_markers(books)
    for goal in books.scenario.get("victory", ()):
        if goal.get("when") == "turn":
            books.points[goal["side"]] += worth(books, goal)
    _judge(books)
    if books.result is not None:
        return
    books.turn += 1
    _arrivals(books)
    fill(books, overlooked)
    books.telling.expect("turn-begins", turn=books.turn)


def _remove_markers(books: Books) -> None:
    if any(unit.depleted for unit in books.units):
        books.telling.expect("markers-removed")
    if books.smoke:
        books.telling.expect("smoke-thins")
    books.smoke = {label: left - 1 for label, left in books.smoke.items() if left > 1}
    for unit in books.units:
        unit.depleted = max(0, unit.depleted - 1)
        unit.locked = False
        if books.options.get("ops_complete_clears_at_turn_end", True):
            unit.ops = False
    for hq in sorted(books.fallen, key=lambda one: one.number):
        _replace(books, hq)


def _replace(books: Books, hq: Unit) -> None:
    """An HQ comes back with a unit of its formation and a type that it pictures (P9.5)."""
    company = [
        one
        for one in books.units
        if one.formation == hq.formation
        and one.ground
        and one.carrier is None
        and books.on_map(one)
        and (not hq.pictured or one.type["id"] in hq.pictured)
    ]
    if not company:
        books.fallen.remove(hq)
        books.telling.expect("hq-gone", hq=hq.id)
        return
    free = [one for one in company if books.hq_at(one.hex, one.side) is None]
    if free:
        host = min(free, key=lambda one: (one.disrupted, one.number))
        books.fallen.remove(hq)
        hq.lost, hq.steps, hq.hex, hq.fresh = False, 1, host.hex, True
        books.telling.expect("hq-replaced", hq=hq.id, unit=host.id, hex=host.hex)


def _arrivals(books: Books) -> None:
    """Who may enter from this turn on (P15)."""
    for unit in books.units:
        if (
            unit.turn is None
            or unit.turn > books.turn
            or unit.due
            or books.on_map(unit)
            or unit.lost
            or unit.gone
        ):
            continue
        told = books.telling.expect(("due", "delayed"), unit=unit.id, turn=books.turn, need=unit.arrival)
        unit.due = not unit.arrival or told.faces(1)[0] >= unit.arrival
        told.agrees("due" if unit.due else "delayed")


# -- victory ----------------------------------------------------------------------------------------


def hexes_of(goal: dict[str, Any]) -> list[str]:
    """The hexes of a victory condition."""
    return [*goal.get("hexes", ()), *([goal["hex"]] if "hex" in goal else ())]


def fulfilled(books: Books, goal: dict[str, Any]) -> bool:
    """Whether a side holds so many of a condition's hexes, or all (P16.1)."""
    hexes = set(hexes_of(goal))
    mine = sum(books.control.get(label) == goal["side"] for label in hexes)
    return mine >= goal.get("at_least", len(hexes))


def worth(books: Books, goal: dict[str, Any]) -> int:
    """The points that a condition gives now (P16.2)."""
    points, side, kind = goal.get("points", 1), goal["side"], goal["kind"]
    hexes = set(hexes_of(goal))
    if kind == "hold":
        if "at_least" in goal:
            return points if fulfilled(books, goal) else 0
        return points * sum(books.control.get(label) == side for label in hexes)
    if kind == "steps":
        return points * sum(
            one.steps_before - one.steps for one in books.units if one.side != side and one.fights
        )
    if kind == "hq":
        return points * books.hqs_lost[books.foe(side)]
    return points * sum(
        one.gone and one.side == side and one.fights and one.exit in hexes for one in books.units
    )


def score(books: Books) -> dict[str, int]:
    """The points of both sides now."""
    found = dict(books.points)
    for goal in books.scenario.get("victory", ()):
        if goal.get("when") != "turn":
            found[goal["side"]] += worth(books, goal)
    return found


def _winners(books: Books, key: str) -> set[str]:
    return {
        goal["side"]
        for goal in books.scenario.get("victory", ())
        if goal.get("wins") and goal.get(key) and fulfilled(books, goal)
    }


def _judge(books: Books) -> None:
    alive = [
        side
        for side in books.sides
        if any(
            one.side == side
            and one.fights
            and not one.lost
            and (one.hex or one.gone or one.due or one.turn or one.carrier)
            for one in books.units
        )
    ]
    winners = _winners(books, "wins")
    if len(alive) < len(books.sides):
        _finish(books, "last-units", alive[0] if alive else None)
    elif len(winners) == 1:
        _finish(books, "objective", winners.pop())
    elif books.turn >= books.scenario["turns"]:
        points = score(books)
        ahead = max(points.values())
        best = [side for side in books.sides if points[side] == ahead]
        _finish(books, "points", best[0] if len(best) == 1 else None)


def sudden(books: Books) -> None:
    """A condition that wins at once ends the game when nobody is on the move (P16.2)."""
    winners = _winners(books, "at_once")
    if len(winners) == 1:
        _finish(books, "objective", winners.pop())


def _finish(books: Books, reason: str, winner: str | None) -> None:
    first, second = (score(books)[side] for side in books.sides)
    books.result = {"winner": winner, "reason": reason, "margin": abs(first - second)}
    books.telling.expect("game-over", **books.result)
