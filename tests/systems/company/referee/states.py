"""What a state must say of a game (docs/formats.md), by the referee's books."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.systems.company.referee.books import MARKERS, Books, Team


def state_of(books: Books) -> dict[str, Any]:
    """The keys of a state that books can tell (docs/formats.md), but for who decides."""
    named = {label: books.control[h] for h, label in enumerate(books.sheet.labels) if h in books.control}
    return {
        "turn": books.turn,
        "units": {team.id: _team(books, team) for team in books.teams},
        "hexes": _hexes(books),
        "cup": {},
        "platoons": {
            one.id: {
                "teams": len(one.there),
                "of": len(one.teams),
                "status": ["pinned"] if one.pinned else [],
            }
            for one in books.platoons
        },
        "air": {side: books.calls[side] for side in books.sides if side in books.calls},
        "control": named,
        "score": books.score(),
        "result": books.result,
    }


def _team(books: Books, team: Team) -> dict[str, Any]:
    sheet, there = books.sheet, team.hex >= 0
    status = {
        "dug-in": team.dug,
        "pinned": there and team.platoon.pinned,
        "bailed-out": team.bailed,
        "bogged": team.bogged,
        "out-of-command": team.stray,
        "reserve": team.coming == "reserve" and not team.due,
        "due": team.due,
        "ambush": team.coming == "ambush",
        "eliminated": team.lost,
    }
    found: dict[str, Any] = {
        "hex": sheet.labels[team.hex] if there else None,
        "steps": int(not team.lost),
        "status": [name for name, true in status.items() if true],
        "markers": [name for name, mark in MARKERS.items() if getattr(team, mark)],
        "spent": 0,
        "carrier": None,
        "passengers": [],
        "platoon": team.platoon.id,
    }
    if there and team.faces:
        ahead = sheet.near[team.hex][team.facing]
        found["facing"] = sheet.labels[ahead] if ahead >= 0 else None
        found["direction"] = team.facing
    if team.floor:
        found["floor"] = team.floor
    if there and team.contact >= 0:
        one = sheet.openings[team.contact]
        found["touching"] = sheet.labels[one.inside if team.hex == one.outside else one.outside]
    return found


def _hexes(books: Books) -> dict[str, dict[str, Any]]:
    sheet = books.sheet
    found: dict[int, dict[str, Any]] = {}
    for h in sorted(set().union(*books.smoke.values())):
        found.setdefault(h, {})["smoke"] = True
    foxholes = Counter(team.hex for team in books.teams if team.dug)
    positions = Counter(team.hole for team in books.teams if team.hole >= 0)
    for name, holes in (("foxholes", foxholes), ("positions", positions)):
        for h, number in holes.items():
            found.setdefault(h, {})[name] = number
    cleared = [(side, books.cleared(side)) for side in books.sides]
    for number, rooms in enumerate(sheet.houses):
        for h in rooms:
            if sheet.top[number]:
                found.setdefault(h, {})["floors"] = sheet.top[number]
            sides = [side for side, houses in cleared if number in houses]
            if sides:
                found.setdefault(h, {})["cleared"] = sides
    return {sheet.labels[h]: found[h] for h in sorted(found)}
