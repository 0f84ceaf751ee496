"""Charges and the defensive fire that meets them (C13.1, C13.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.systems.company.referee.books import Platoon, Team
from tests.systems.company.referee.fire import Asking, Fire
from tests.systems.company.referee.moves import Mover
from tests.systems.company.referee.sheet import CLOSED


class Charges(Fire):
    """Who runs in, and who shoots at him; ``active`` is the side whose turn it is."""

    active: str
    target: Platoon | None

    # -- charges (C13.1) ---------------------------------------------------------------------------------

    def fighters(self, side: str) -> list[Team]:
        """The teams on the map of a side's platoons in the assault."""
        return [team for team in self.of(side) if team.platoon.fighting]

    def run(self, team: Team) -> list[set[int]]:
        """The hexes to which a charge comes first with each number of steps; it ends in those of enemies."""
        mover = self.mover(team)
        layers = [{team.hex}]
        seen = {team.hex}
        for _ in range(self.reach["charge"] - team.floor if self.counts("C13.1") else self.sheet.size):
            from_ = [a for a in layers[-1] if a not in mover.enemies or a == team.hex]
            layer = {
                b for a in from_ for b in self.sheet.beside[a] if b not in seen and self.runs(mover, a, b)
            }
            if not layer:
                break
            layers.append(layer)
            seen |= layer
        return layers

    def runs(self, mover: Mover, a: int, b: int) -> bool:
        """Whether a charge goes from a hex to the next, on any ground but no closed one."""
        sheet, team = self.sheet, mover.team
        if (sheet.house[a] >= 0 or sheet.house[b] >= 0) and not team.foot:
            return False
        if sheet.column(a, b) == CLOSED:
            return False
        if not sheet.walled(a, b):
            return True
        number = sheet.opening(a, b)
        if number < 0 or sheet.openings[number].outside == b:
            return number >= 0
        if b not in mover.enemies:
            return not self.tested(team, number)
        inside = [one for one in self.at(b, team.side) if one.engaged and one.contact == number]
        return len(inside) < sheet.openings[number].width

    def goals(self, team: Team) -> tuple[set[int], set[int]]:
        """Where a team may charge: enemies' hexes, and hexes next to such."""
        enemies = self.of(self.other(team.side))
        targets = {one.hex for one in enemies}
        if team.side != self.active:
            # C13.4: a counter-attack goes against the attacker's platoons in the assault alone.
            targets = {one.hex for one in enemies if one.platoon.fighting}
        found = set().union(*self.run(team)) - {team.hex}
        found = {h for h in found if not self.bars("C13.1", not self.room(team, h))}
        near = self.reach["contact"]
        beside = {h for h in found if any(self.sheet.far[h][one] <= near for one in targets)}
        return found & targets, beside - {one.hex for one in enemies}

    def barred(self, team: Team) -> bool:
        """What bars a team from charging in its own turn, in each round (C2.8, C10.3, C12.1)."""
        return (
            self.bars("C2.8", team.doubled) or self.bars("C10.3", team.stray) or self.bars("C12.1", team.full)
        )

    def may_begin(self, team: Team, h: int) -> bool:
        """Whether a team may be the first of its platoon to charge."""
        if not team.fights or self.barred(team) or self.bars("C13.1", team.platoon.charged):
            return False
        guns = any(one.armour is None for one in team.platoon.teams)
        if self.bars("C11.2", team.platoon.pinned and guns):
            return False
        return h in self.goals(team)[0]

    def may_join(self, team: Team, h: int) -> bool:
        """Whether a team may charge after another."""
        if not team.fights or not team.platoon.fighting or team.stirred:
            return False
        if team.side == self.active and self.barred(team):
            return False
        enemies, beside = self.goals(team)
        return h in enemies or h in beside

    def charges(self, teams: Sequence[Team], *, first: bool) -> Iterator[str]:
        """The orders to charge."""
        for team in teams:
            if not team.fights or not (first or team.platoon.fighting):
                continue
            may = self.may_begin if first else self.may_join
            near, enemies = self.reach["contact"], self.of(self.other(team.side))
            ends = {h for one in enemies for h in self.sheet.within(one.hex, near)}
            reach = self.sheet.within(team.hex, self.reach["charge"])
            yield from (
                f"charge {team.id} {self.sheet.labels[h]}" for h in reach if h in ends and may(team, h)
            )

    def run_in(self, team: Team, h: int) -> None:
        """C5.2, C13.1: a team charges, and faces the way it went; it comes by the opening on its way."""
        mover, start = self.mover(team), team.hex
        layers = self.run(team)
        number = next(number for number, layer in enumerate(layers) if h in layer)
        passing = [a for a in sorted(layers[number - 1]) if a not in mover.enemies or a == start]
        ways = [a for a in passing if h in self.sheet.beside[a] and self.runs(mover, a, h)]
        before = ways[0]
        opening = (
            self.sheet.opening(before, h) if self.sheet.walled(before, h) and self.sheet.house[h] >= 0 else -1
        )
        team.origin = (start, team.floor)
        self.shift(team, h)
        team.stirred = team.engaged = team.moved = True
        self.turn_to(team, [self.sheet.heading(a, h) for a in ways])
        team.contact = opening
        if opening < 0 and team.foot:
            outside = [n for n in self.sheet.touching[h] if self.sheet.openings[n].outside == h]
            held = [n for n in outside if self.sheet.openings[n].inside in mover.enemies]
            team.contact = (held or outside or [-1])[0]
        labels = self.sheet.labels
        self.tell("C13.1", "charges", unit=team.id, from_=labels[start], hex=labels[h])

    def named(self, word: str) -> tuple[Team, int]:
        """The team and the hex of an order."""
        _, team, label = word.split()
        return self.team[team], self.sheet.number[label]

    def charging(self, side: str) -> Asking:
        while any(True for _ in self.charges(self.of(side), first=False)):
            word = yield side, "charge"
            if word == "done":
                return
            team, h = self.named(word)
            if side == self.active:
                self.run_in(team, h)
                continue
            # C5.3: a dug-in defender's position is marked as he leaves it.
            team.hole = team.hex if team.dug else team.hole
            self.run_in(team, h)
            for enemy in self.at(h, self.active):
                enemy.platoon.fighting = True

    # -- defensive fire (C13.2) --------------------------------------------------------------------------

    def defenders(self) -> list[list[Team]]:
        """By platoon that may fire at the chargers, its teams."""
        running = [team for team in self.teams if team.engaged and team.hex >= 0]
        found = []
        for platoon in self.platoons:
            near = any(
                self.sheet.far[team.hex][one.hex] <= self.reach["defence"]
                for team in platoon.there
                for one in running
            )
            if platoon.side != self.active and near and not platoon.answered:
                found.append(platoon.there)
        return found

    def may_defend(self, teams: Sequence[Team], target: Platoon, mg: bool, aimed: bool) -> bool:
        """Whether teams may fire at the chargers."""
        if target is not self.target:
            return False
        ready = [team for mine in self.defenders() for team in mine]
        if self.bars("C13.2", any(team not in ready for team in teams)):
            return False
        return self.may_shoot(teams, target, mg, aimed, True)

    def defensive(self) -> Iterator[str]:
        """The shots of single teams at the chargers."""
        target = self.target
        for mine in self.defenders() if target is not None else ():
            yield from self.shots(mine, [target] if target else [], True)

    def defence(self, target: Platoon) -> Asking:
        self.target = target
        while target.fighting and not target.pinned and any(team.engaged for team in target.there):
            if not any(True for _ in self.defensive()):
                return
            word = yield self.other(self.active), "defensive-fire"
            if word == "done":
                return
            names, _, *rest = word.split()[1:]
            teams = sorted([self.team[name] for name in names.split(",")], key=lambda team: team.number)
            teams[0].platoon.answered = True
            yield from self.volley(teams, target, "mg" in rest, "doubled" in rest, True)
