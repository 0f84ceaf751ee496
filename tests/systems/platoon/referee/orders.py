"""Orders by their texts: what is legal now, and by which rules anything else is not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from tests.systems.platoon.referee import arriving, calls, fieldworks, fights, gunnery, riding
from tests.systems.platoon.referee.books import STACKING_LIMIT, Books
from tests.systems.platoon.referee.crowding import full, has_way_on, may_step
from tests.systems.platoon.referee.gunnery import Shot
from tests.systems.platoon.referee.paper import Unit
from tests.systems.platoon.referee.walking import exit_bars, exit_hexes, move_bars, step_bars, subsets

CLOSING = {"draw": "draw", "missions": "done", "operations": "end", "group": "done", "reaction": "pass"}


def kind_of(books: Books) -> str:
    """Of which kind the decision is."""
    if books.laying or books.window or books.strike:
        return "reaction"
    if books.active is None:
        return "draw"
    if books.calling is not None:
        return "missions"
    return "operations" if books.group is None else "group"


def decider(books: Books) -> str:
    """Whose decision it is."""
    kind = kind_of(books)
    if kind == "draw":
        return books.draws
    return books.foe(books.mover()) if kind == "reaction" else books.mover()


def names(units: list[Unit]) -> str:
    """Some units as orders write them."""
    return ",".join(unit.id for unit in sorted(units, key=lambda one: one.number))


def written(verb: str, shot: Shot) -> str:
    """A shot, or with the verb ``intercept`` one at a strike."""
    target = f" {shot.target}" if verb == "fire" else ""
    weapon = f" with {shot.weapon}" if shot.weapon else ""
    return f"{verb} {shot.firer}{target}{weapon}{' lead' if shot.lead else ''}"


def read_shot(books: Books, words: list[str]) -> Shot:
    """The shot that an order ``fire`` describes."""
    weapon = books.by_id[words[words.index("with") + 1]] if "with" in words else None
    return Shot(books.by_id[words[1]], books.by_id[words[2]], weapon, words[-1] == "lead")


# -- what is legal ----------------------------------------------------------------------------------


def legal(books: Books) -> set[str]:
    """Every order that the rules allow now, in the engine's words."""
    if books.result is not None:
        return set()
    kind = kind_of(books)
    if kind == "draw":
        return {"draw"}
    if kind == "missions":
        return {*_calls(books), "done"}
    if kind == "reaction":
        return {*reactions(books), "pass"}
    found = set(acts(books))
    if kind == "group" and found and books.crowds():
        return found
    return found | {CLOSING[kind]}


def _calls(books: Books) -> Iterator[str]:
    for label in books.ground.hexes:
        for shell in ("he", "smoke"):
            if not calls.mission_bars(books, shell, label):
                yield f"mission {shell} {label}"
    for unit in books.enemies(books.mover()):
        if not calls.strike_bars(books, unit):
            yield f"strike {unit}"


def may_react(unit: Unit, books: Books, side: str) -> bool:
    """Whether a unit could make an opportunity shot at something (P8.2)."""
    fit = unit.fights and not (unit.ops or unit.disrupted or unit.landed) and unit.carrier is None
    return unit.side == side and fit and books.on_map(unit)


def reactions(books: Books) -> Iterator[str]:
    """What the side that does not move may do, passing apart."""
    side = books.foe(books.mover())
    if books.laying:
        yield f"mine {books.laying[0]}"
        return
    for firer in books.units:
        if not may_react(firer, books, side):
            continue
        if books.window:
            for shot in gunnery.shots(books, firer, targets(books), side, books.led_reaction):
                yield written("fire", shot)
        else:
            weapon = books.weapon(firer)
            for source in (None, weapon) if weapon else (None,):
                for lead in (False, True):
                    if not isinstance(calls.interception(books, firer, source, lead), set):
                        yield written("intercept", Shot(firer, firer, source, lead))


def targets(books: Books) -> list[Unit]:
    """Whom the open window may still be used against (P8.3, P8.4)."""
    window = books.window
    assert window is not None
    return [one for one in window.left if books.on_map(one) and one.hex == window.hex and one.carrier is None]


def acts(books: Books) -> Iterator[str]:
    """What the active formation may do, closing its group or its activation apart."""
    able = books.abled()
    for label in {str(unit.hex) for unit in able}:
        here = [unit for unit in able if unit.hex == label]
        yield from _together(books, label, here)
        for unit in here:
            yield from _alone(books, unit)
    for carrier in books.units:
        if "transport" in carrier.flags and carrier.formation == books.active and books.on_map(carrier):
            for rider in books.counted(carrier.hex, carrier.side):
                if rider.rider and not bars_of(books, f"load {carrier} {rider}"):
                    weapon = books.weapon(rider)
                    yield f"load {carrier} {names([rider, weapon] if weapon else [rider])}"
    if books.group is None:
        yield from _entries(books)


def _together(books: Books, label: str, here: list[Unit]) -> Iterator[str]:
    foe = books.foe(books.mover())
    attacked = [to for to in books.ground.neighbours[label] if to and books.held_by(to, foe)]
    leaves = label in exit_hexes(books, books.mover())
    open_to = {
        unit: {to for to in books.ground.neighbours[label] if to and not step_bars(books, unit, to)}
        for unit in here
    }
    for some in subsets(here):
        ways = set.intersection(*(open_to[unit] for unit in some))
        for to in sorted(ways):
            if not move_bars(books, some, to) and may_step(books, some, to):
                yield f"move {names(some)} {to}"
        for to in attacked:
            if to in ways:
                for verb in ("assault", "overrun"):
                    if not fights.attack_bars(books, verb, some, to):
                        yield f"{verb} {names(some)} {to}"
        if leaves and not exit_bars(books, some):
            yield f"exit {names(some)}"
        if books.group is None and not arriving.rise_bars(some):
            yield f"rise {names(some)}"


def _alone(books: Books, unit: Unit) -> Iterator[str]:
    if not gunnery.fire_bars(books, unit) and not books.crowds():
        enemies = [one for one in books.enemies(unit.side) if one.fights]
        for shot in gunnery.shots(books, unit, enemies, unit.side, books.led):
            yield written("fire", shot)
    candidates = []
    if books.aboard(unit):
        candidates.append(f"unload {unit}")
    if unit.kind == "air" and books.group is None:
        candidates.append(f"land {unit}")
    if unit.kind == "soft":
        candidates.append(f"dig {unit}")
    if unit.flags & {"infantry", "engineer"}:
        candidates += [
            f"clear {unit} {to}" for to in books.ground.neighbours[str(unit.hex)] if to in books.mines
        ]
    yield from (text for text in candidates if not bars_of(books, text))


def _entries(books: Books) -> Iterator[str]:
    due = [
        one
        for one in books.units
        if one.due and one.formation == books.active and one.kind != "sw" and one.carrier is None
    ]
    fighters = [one for one in due if one.kind != "hq"]
    hqs = [one for one in due if one.kind == "hq"]
    groups = [list(some) for number in range(STACKING_LIMIT + 1) for some in combinations(fighters, number)]
    for some in [*groups, *([*group, *hqs] for group in groups if hqs)]:
        if some:
            for label in sorted(set.intersection(*(set(unit.entry) for unit in some))):
                if not arriving.enter_bars(books, some, label):
                    yield f"enter {names(some)} {label}"


# -- what is not ------------------------------------------------------------------------------------


def bars_of(books: Books, text: str) -> set[str]:
    """The rules by any of which an order is refused now; empty: it is legal."""
    words = text.split()
    kind = kind_of(books)
    if words[0] == CLOSING[kind] and len(words) == 1:
        return {"P3.4"} if kind == "group" and books.crowds() and set(acts(books)) else set()
    if kind == "draw":
        return {"P1.2"}
    if kind == "missions":
        return _bars_of_calls(books, words)
    if kind == "reaction":
        return _bars_of_reactions(books, words)
    return _bars_of_acts(books, words)


def _bars_of_calls(books: Books, words: list[str]) -> set[str]:
    if words[0] == "mission":
        return calls.mission_bars(books, words[1], words[2])
    if words[0] == "strike":
        return calls.strike_bars(books, books.by_id[words[1]])
    return {"P2.4"}


def _bars_of_reactions(books: Books, words: list[str]) -> set[str]:
    if books.laying:
        return set() if words == ["mine", books.laying[0]] else {"P11.2"}
    side = books.foe(books.mover())
    verb = "fire" if books.window else "intercept"
    if words[0] != verb:
        return {"P8.5"} if books.window else {"P13.3"}
    firer = books.by_id[words[1]]
    bars: set[str] = set()
    if not may_react(firer, books, side):
        bars |= {"P8.2", "P13.1"} if firer.landed else {"P8.2"}
    if verb == "intercept":
        weapon = books.by_id[words[words.index("with") + 1]] if "with" in words else None
        if not books.on_map(firer):
            return bars
        power = calls.interception(books, firer, weapon, words[-1] == "lead")
        return bars | (power if isinstance(power, set) else set())
    shot = read_shot(books, words)
    assert books.window is not None
    if shot.target not in targets(books):
        bars.add("P8.4" if shot.target in books.window.entered else "P8.1")
    if bars:
        return bars
    return gunnery.shot_bars(books, shot, side, books.led_reaction)


def actor_bars(books: Books, unit: Unit) -> set[str]:
    """Why a unit can do nothing now (P2.5, P4.3); empty if it can."""
    if books.able(unit):
        return set()
    bars: set[str] = set()
    if unit.kind == "sw":
        bars.add("P3.5")
    if unit.formation != books.active:
        bars.add("P2.5")
    if unit.lost:
        bars.add("P6.6")
    elif not books.on_map(unit):
        bars.add("P15")
    if unit.carrier is not None and unit.kind != "sw":
        bars.add("P5.11")
    if unit.ops:
        bars.add("P4.1")
    if unit.ooc:
        bars.add("P2.2.4")
    if unit.acted:
        bars |= {"P2.5", "P4.6"} if unit.struck else {"P2.5"}
    return bars or {"P4.3"}


def _bars_of_acts(books: Books, words: list[str]) -> set[str]:
    verb = words[0]
    if verb in ("mission", "strike"):
        return {"P2.4"}
    if verb == "load":
        return _bars_of_loading(books, books.by_id[words[1]], _named(books, words[2]))
    if verb == "enter":
        return arriving.enter_bars(books, _named(books, words[1]), words[2])
    if verb not in ACTS:
        return {"P4.3", "P2.5"}
    units = _named(books, words[1])
    bars = set().union(*(actor_bars(books, unit) for unit in units))
    if bars:
        return bars
    found: set[str] = ACTS[verb](books, units, words)
    return found


def _named(books: Books, text: str) -> list[Unit]:
    return sorted((books.by_id[name] for name in text.split(",")), key=lambda unit: unit.number)


def _bars_of_moving(books: Books, units: list[Unit], words: list[str]) -> set[str]:
    bars = move_bars(books, units, words[2])
    return bars if bars or may_step(books, units, words[2]) else {"P3.4"}


def _crowd(books: Books) -> set[str]:
    return {"P3.4"} if books.crowds() else set()


def _bars_of_fire(books: Books, units: list[Unit], words: list[str]) -> set[str]:
    bars = gunnery.fire_bars(books, units[0]) | _crowd(books)
    return bars or gunnery.shot_bars(books, read_shot(books, words), books.mover(), books.led)


def _bars_of_loading(books: Books, carrier: Unit, named: list[Unit]) -> set[str]:
    riders = [one for one in named if one.kind != "sw"]
    bars: set[str] = set()
    if carrier.formation != books.active or not all(books.partners(carrier, one) for one in named):
        bars.add("P2.5")
    if not riders or any(one.kind == "sw" and one.carrier not in riders for one in named):
        bars.add("P3.5")
    if len(riders) > 1:
        bars.add("P5.1")
    for rider in riders:
        bars |= riding.load_bars(books, carrier, rider)
    crowds = books.crowds()
    if crowds and carrier.hex not in crowds:
        bars.add("P3.4")
    if not bars and len(books.counted(carrier.hex, carrier.side)) - 1 > STACKING_LIMIT:
        with books.trial():
            riding.board(books, carrier, riders[0])
            if not has_way_on(books, str(carrier.hex), carrier.side):
                bars.add("P3.4")
    return bars


def _bars_of_unloading(books: Books, units: list[Unit], words: list[str]) -> set[str]:
    carrier = units[0]
    named = _named(books, words[2]) if len(words) > 2 else books.aboard(carrier)
    riders = [one for one in named if one.kind != "sw"]
    bars = riding.unload_bars(books, carrier, riders) | _crowd(books)
    if not bars:
        with books.trial():
            riding.get_off(books, carrier, riders)
            if full(books, carrier.hex, carrier.side) and not has_way_on(
                books, str(carrier.hex), carrier.side
            ):
                bars.add("P3.4")
    return bars


ACTS: dict[str, Any] = {
    "move": _bars_of_moving,
    "fire": _bars_of_fire,
    "assault": lambda books, units, words: fights.attack_bars(books, words[0], units, words[2]),
    "overrun": lambda books, units, words: fights.attack_bars(books, words[0], units, words[2]),
    "exit": lambda books, units, words: exit_bars(books, units),
    "unload": _bars_of_unloading,
    "clear": lambda books, units, words: _crowd(books) | fieldworks.clear_bars(books, units[0], words[2]),
    "dig": lambda books, units, words: _crowd(books) | fieldworks.dig_bars(books, units[0]),
    "land": lambda books, units, words: arriving.land_bars(books, units[0]),
    "rise": lambda books, units, words: arriving.rise_bars(units),
}
"""By verb, why able units may not do it."""
