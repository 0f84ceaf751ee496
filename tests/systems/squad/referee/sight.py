"""Lines of sight and who is spotted (S10, S7.8, S7.13)."""

from __future__ import annotations

from fractions import Fraction

from tests.systems.squad.referee.forces import Unit
from tests.systems.squad.referee.ground import below, crossed, floor_of, hex_of
from tests.systems.squad.referee.ledger import Ledger


class Sight(Ledger):
    """What is seen of what."""

    def hindrance(self, a: str, b: str) -> int | None:
        """Degrading hexes between two places; None where there is no line of sight (S10.1 to S10.3)."""
        key = (a, b)
        if key not in self.lines:
            self.lines[key] = self._line(a, b)
        line = self.lines[key]
        if line is None:
            return None
        count = sum(hinders or not self.smoke.keys().isdisjoint(hexes) for hinders, hexes in line)
        return count if count <= 2 else None

    def _line(self, a: str, b: str) -> list[tuple[bool, list[str]]] | None:
        """The stretches between two places: whether each hinders, and its hexes in which smoke would.

        None if the line is blocked.
        """
        ground = self.ground
        one, two = hex_of(a), hex_of(b)
        if one == two:
            return [] if a == b else None
        if ground.distance(one, two) == 1 and not self._side_by_side(a, b):
            return None
        low, high = ground.level[one] + floor_of(a), ground.level[two] + floor_of(b)
        found = []
        for cells, along in crossed(ground.cell[one], ground.cell[two]):
            height = low + (high - low) * along
            names = [ground.name[cell] for cell in cells if cell in ground.name]
            effects = [self._obstacle(name, height) for name in names]
            if len(names) == len(cells) and all(effect is None for effect in effects):
                return None
            # Smoke is one level high.
            veiled = [name for name in names if ground.level[name] + 1 >= height]
            found.append((any(effect is None or effect for effect in effects), veiled))
        return found

    def _obstacle(self, name: str, height: Fraction) -> bool | None:
        """Whether a hex hinders a line at this height; None if it blocks it."""
        row = self.ground.row[name]
        bare = self.ground.level[name]
        if bare > height:
            return None
        top = bare + row.get("height", 0)
        kind = row.get("los", "open")
        if kind == "blocking" and top >= height:
            return None
        return bool(kind == "degrading" and top >= height)

    def _side_by_side(self, a: str, b: str) -> bool:
        """Adjacent buildings see each other on the same level only; a window sees the street."""
        rows = [self.ground.row[hex_of(place)] for place in (a, b)]
        if all(row.get("building") for row in rows):
            return floor_of(a) == floor_of(b)
        return True

    def adjacent(self, a: str, b: str) -> bool:
        """Whether units in two places are next to each other."""
        return self.ground.distance(a, b) == 1 and self._side_by_side(a, b)

    def open_ground(self, place: str) -> bool:
        """Ground without cover on which nothing stands in the way of sight (S10.4)."""
        if place != hex_of(place):
            return False
        row = self.ground.row[place]
        return row.get("los", "open") == "open" and not row.get("tm", 0)

    def seen_from(self, place: str, watchers: list[Unit]) -> bool:
        return any(self.hindrance(place, str(w.place)) is not None for w in watchers)

    def is_spotted(self, place: str, side: str | None) -> bool:
        """Whether the units of a side in a place are spotted by the enemy (S10.4)."""
        if (place, side) in self.spotted or place in self.melees:
            return True
        key = (place, side)
        if self.memo is not None and key in self.memo:
            return self.memo[key]
        found = any(self._gives_away(unit, place) for unit in self.at(place, side))
        if self.memo is not None:
            self.memo[key] = found
        return found

    def _gives_away(self, unit: Unit, place: str) -> bool:
        markers = unit.markers
        if "fired" in markers:
            return True
        quiet = markers & {"low-crawl", "stealth"}
        if not quiet and (markers & {"moved", "assault-move"}):
            return True
        foes = self.on_map(self.foe(unit.side))
        ready = [foe for foe in foes if foe.able]
        if self.open_ground(place) and self.seen_from(place, ready):
            return True
        if "stealth" in markers:
            return False
        near = ready
        if "low-crawl" in markers and not self.options["lc_adjacent_needs_go"]:
            near = foes
        return any(self.adjacent(place, str(foe.place)) for foe in near)

    def reveal(self) -> None:
        """Hidden units are shown once they are spotted, or an enemy is next to them (S10.4)."""
        for unit in self.on_map():
            if unit.hidden and self._met(unit):
                unit.hidden = False
                self.tell("revealed", unit=unit.id, hex=unit.place)

    def _met(self, unit: Unit) -> bool:
        place = str(unit.place)
        foes = self.on_map(self.foe(unit.side))
        beside = {place, *self.ground.steps(place)}
        return self.is_spotted(place, unit.side) or any(
            foe.place in beside or self.adjacent(place, str(foe.place)) for foe in foes
        )

    def cover_against(self, place: str, start: str | None) -> list[tuple[str, int]]:
        """What a place adds to the defender's die, by code, against fire from a place or shells (S4.10)."""
        name = hex_of(place)
        terrain, works = self.ground.cover(place)
        if start is not None and not below(place) and floor_of(place) == 0:
            walls = [
                "wall" in self.ground.sides.get(pair, ())
                for pair in self.ground.last_sides(hex_of(start), name)
            ]
            works += int(any(walls))
        terrain = min(terrain, 4)
        works = min(works, 4 - terrain)
        return [
            (code, value)
            for code, value in (
                ("terrain", terrain),
                ("works", works),
                ("smoke", int(bool(self.smoke.get(name)))),
            )
            if value
        ]
