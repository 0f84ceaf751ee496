"""The rest of the Movement Step: floors, facing, openings, reserves, digging in (C1.4, C3, C6, C10.2)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.systems.company.referee.books import Platoon, Team
from tests.systems.company.referee.doubling import Doubling
from tests.systems.company.referee.judging import agree
from tests.systems.company.referee.moves import Mover
from tests.systems.company.referee.sheet import DIFFICULT


class Movement(Doubling):
    """What teams and platoons do in the Movement Step beside moving."""

    # -- floors (C6.6) ------------------------------------------------------------------------------------

    def indoors(self, mover: Mover) -> dict[int, int]:
        """The rooms of a team's own building with the least steps that do not leave it."""
        sheet = self.sheet
        found = {mover.start: 0}
        if sheet.house[mover.start] < 0:
            return found
        layer = [mover.start]
        while layer:
            following = []
            for a in layer:
                for b in sheet.beside[a]:
                    if b not in found and sheet.house[b] == sheet.house[a] and self.step(mover, a, b) == "go":
                        found[b] = found[a] + 1
                        following.append(b)
            layer = following
        return found

    def climbs(self, team: Team) -> dict[tuple[int, int], int]:
        """Where a team climbs to: hex and floor, with the hexes of movement that it takes."""
        if not self.rested(team) or self.bars("C6.5", not team.foot):
            return {}
        mover = self.mover(team)
        above = self.indoors(mover) if team.floor else {team.hex: 0}
        below = {h: team.floor + steps for h, (steps, how) in self.ways(mover).items() if how == "go"}
        below[team.hex] = team.floor
        found = {}
        for h in {*above, *below}:
            if (
                self.sheet.house[h] < 0
                or not self.sheet.top[self.sheet.house[h]]
                or not self.stays(mover, h, "go")
            ):
                continue
            for floor in range(self.sheet.top[self.sheet.house[h]] + 1):
                ways = [steps + abs(floor - team.floor) for room, steps in above.items() if room == h]
                ways += [below[h] + floor] if h in below and h != team.hex else []
                costs = not self.bars("C6.6", min(ways) > team.allowance[DIFFICULT])
                if costs and (floor or h == team.hex) and (h, floor) != (team.hex, team.floor):
                    found[h, floor] = min(ways)
        return found

    def climb(self, team: Team, h: int, floor: int) -> None:
        """A team goes to a floor; it may be stopped at an opening on its way."""
        mover = self.mover(team)
        if h != team.hex:
            inside = self.indoors(mover).get(h) if team.floor else None
            over = None if inside is None else inside + abs(floor - team.floor)
            if over is not None and over <= team.allowance[DIFFICULT] and len(self.gone()) == inside:
                path = self._inside(mover, h, inside or 0)
            else:
                path = self.shortest(mover, h, self.ways(mover)[h][0], mover.allowance)
            self.walk(mover, path)
        if team.hex == h:
            team.floor = floor
            self.touch(team)
            code = "climbs" if floor else "comes-down"
            self.tell("C6.6", code, unit=team.id, hex=self.sheet.labels[h], floor=floor)
        team.moved = True

    def _inside(self, mover: Mover, h: int, length: int) -> list[int]:
        way = self.gone()
        steps = zip([mover.start, *way], way, strict=False)
        house = self.sheet.house
        inside = all(house[b] == house[mover.start] and self.step(mover, a, b) for a, b in steps)
        agree(way[-1] == h and len(way) == length and inside, "no such way over the floors")
        return way

    # -- facing, openings, coming ------------------------------------------------------------------------

    def may_face(self, team: Team, h: int) -> bool:
        """C1.4, C2.7: once a step, towards a hex next to it."""
        if (
            self.bars("C1.4", not team.faces)
            or self.bars("C2.7", team.doubled)
            or self.bars("C12.4", team.bailed)
        ):
            return False
        there = h in self.sheet.beside[team.hex] and self.sheet.heading(team.hex, h) != team.facing
        return not self.bars("C1.4", team.turned or not there)

    def face(self, team: Team, h: int) -> None:
        """A team turns in place."""
        team.facing = self.sheet.heading(team.hex, h)
        team.turned = True
        self.tell("C1.4", "turned", unit=team.id, hex=self.sheet.labels[h])

    def may_touch(self, team: Team, h: int) -> bool:
        """C6.4: a team that has moved chooses among several openings, once."""
        if self.bars("C6.5", not team.foot):
            return False
        openings = self.sheet.touching[team.hex]
        chooses = (team.moved or team.doubled) and not team.touched and not team.blocker and not team.floor
        number = self.sheet.opening(team.hex, h) if h in self.sheet.beside[team.hex] else -1
        other = number >= 0 and number != team.contact
        return not self.bars("C6.4", not chooses or len(openings) < 2 or not other)

    def choose(self, team: Team, h: int) -> None:
        """A team touches another opening."""
        team.contact = self.sheet.opening(team.hex, h)
        team.touched = True
        self.tell("C6.4", "touches", unit=team.id, hex=self.sheet.labels[h])

    def may_come(self, team: Team, h: int) -> bool:
        """C10.2: a hex of its platoon, with room and no enemy."""
        if h not in team.platoon.hexes or self.at(h, self.other(team.side)) or not self.room(team, h):
            return False
        return team.foot or self.sheet.house[h] < 0

    def may_reveal(self, team: Team, h: int) -> bool:
        """C10.2: an ambush shows itself beyond a distance of the enemy."""
        enemies = self.held(self.other(team.side))
        near = any(self.sheet.far[h][enemy] <= self.reach["ambush"] for enemy in enemies)
        return team.coming == "ambush" and not near and self.may_come(team, h)

    def come(self, team: Team, h: int) -> None:
        """A team comes onto the map: of the reserves by moving, out of an ambush not."""
        reserve, team.coming, team.due = team.coming == "reserve", "", False
        self.stand(team, h)
        self.touch(team)
        team.moved = reserve
        self.tell("C10.2", "enters" if reserve else "revealed", unit=team.id, hex=self.sheet.labels[h])

    # -- digging in (C3) -----------------------------------------------------------------------------------

    def sheltered(self, team: Team) -> bool:
        """C3.6: whether a team is in bulletproof cover already, behind a wall on one side too."""
        lined = any(self.sheet.edge(team.hex, h).bulletproof for h in self.sheet.beside[team.hex])
        return team.dug or lined or bool(self.sheet.rows[team.hex].get("bulletproof"))

    def wet(self, team: Team) -> bool:
        """C3.10: whether nobody digs in where a team stands."""
        row = self.sheet.rows[team.hex]
        return bool(row.get("water")) or row["id"] in self.sheet.options.get("no_dig", ())

    def digging(self, platoon: Platoon) -> list[Team]:
        """The teams that have to try."""
        return [
            team for team in platoon.there if team.digs and not self.sheltered(team) and not self.wet(team)
        ]

    def may_dig(self, platoon: Platoon) -> bool:
        """C3.1: before any team that must dig has moved, and once."""
        trying = self.digging(platoon)
        dry = [team for team in platoon.there if team.digs and not self.wet(team)]
        if self.bars("C3.10", any(team.digs for team in platoon.there) and not dry):
            return False
        if self.bars("C3.6", not trying):
            return False
        return not self.bars("C3.1", any(team.moved or team.doubled or team.tried for team in trying))

    def dig(self, platoon: Platoon) -> None:
        """One Skill test, taken again with pioneer supply (C3.9)."""
        trying = self.digging(platoon)
        need = self.worst(trying, "skill")
        passed, faces = self.reach_of(1, need)
        if not passed and self._supplied(platoon):
            passed, more = self.reach_of(1, need)
            faces += more
        for team in trying:
            team.tried = True
            team.dug = team.dug or bool(passed)
        rule, code = ("C3.4", "dug-in") if passed else ("C3.5", "dig-failed")
        self.tell(rule, code, platoon=platoon.id, need=need, faces=faces, units=[team.id for team in trying])

    def _supplied(self, platoon: Platoon) -> bool:
        base = platoon.there[0] if platoon.alone else platoon.leader
        if base is None:
            return False
        vehicles = [team for team in self.of(platoon.side) if "pioneer-supply" in team.flags]
        ready = [team for team in vehicles if not (team.bogged or team.bailed)]
        return any(self.sheet.far[base.hex][team.hex] <= self.reach["supply"] for team in ready)

    # -- everything that may be ordered ---------------------------------------------------------------------

    def movement_orders(self, side: str) -> Iterator[str]:
        """The orders of a Movement Step but for ``end``."""
        labels = self.sheet.labels
        for platoon in self.platoons:
            if platoon.side == side and platoon.there and self.may_dig(platoon):
                yield f"dig {platoon.id}"
        for team in self.teams:
            if team.side != side:
                continue
            if team.due:
                yield from (
                    f"enter {team.id} {labels[h]}" for h in team.platoon.hexes if self.may_come(team, h)
                )
            if team.hex < 0:
                continue
            for h in self.sheet.beside[team.hex]:
                if self.may_face(team, h):
                    yield f"face {team.id} {labels[h]}"
                if self.may_touch(team, h):
                    yield f"touch {team.id} {labels[h]}"
            yield from self.move_ends(team)
            yield from self.double_ends(team)
            yield from (f"climb {team.id} {labels[h]}/{floor}" for h, floor in self.climbs(team))
