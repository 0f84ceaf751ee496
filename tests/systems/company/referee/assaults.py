"""Assaults, round by round (C13.3 to C13.5), and the positions of defenders (C5.3 to C5.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tests.systems.company.referee.books import Platoon, Team
from tests.systems.company.referee.charges import Charges
from tests.systems.company.referee.fire import Asking
from tests.systems.company.referee.moves import COLUMNS, GO, Mover


class Assaults(Charges):
    """One assault after another."""

    fleeing: list[Platoon]
    answering: list[Platoon]

    def assault_step(self, side: str) -> Asking:
        """Platoon after platoon charges."""
        while any(True for _ in self.charges(self.of(side), first=True)):
            word = yield side, "assault"
            if word == "end":
                return
            team, h = self.named(word)
            for platoon in self.platoons:
                platoon.fighting = platoon is team.platoon
                platoon.answered = False
            for one in self.teams:
                one.engaged = one.stirred = False
            team.platoon.charged = True
            self.run_in(team, h)
            yield from self.charging(side)
            yield from self.defence(team.platoon)
            yield from self._clash()
            for one in self.teams:
                if one.engaged and one.hex >= 0 and one.contact < 0:
                    self.touch(one)
                one.engaged = one.stirred = False
                one.origin = (-1, 0)
            for platoon in self.platoons:
                platoon.fighting = platoon.answered = False

    def _stopped(self) -> bool:
        """C13.2: chargers of a platoon that was pinned go back; so it is where none is left."""
        mine = [platoon for platoon in self.platoons if platoon.fighting]
        running = [team for team in self.teams if team.engaged and team.hex >= 0]
        if mine and running and not mine[0].pinned:
            return False
        for team in running:
            h, floor = team.origin
            self.shift(team, h)
            team.floor = floor
            self.touch(team)
        if mine:
            self.tell("C13.2", "charge-stopped", platoon=mine[0].id)
        return True

    # -- the fight (C13.3, C13.4) -------------------------------------------------------------------------

    def foes(self, side: str) -> list[Team]:
        """Whom a side strikes and breaks off from."""
        enemies = self.of(self.other(side))
        return enemies if side == self.active else [team for team in enemies if team.platoon.fighting]

    def around(self, h: int, steps: int) -> set[int]:
        """The hexes within some steps around walls."""
        found = {h}
        for _ in range(steps):
            found |= {to for one in found for to in self.sheet.beside[one] if not self.sheet.walled(one, to)}
        return found

    def strikes_at(self, team: Team) -> tuple[set[int], set[int]]:
        """C13.3: the hexes within reach, and those through the opening that is touched."""
        reach = self.reach["contact"]
        near, through = self.around(team.hex, reach), set()
        if team.contact >= 0:
            one = self.sheet.openings[team.contact]
            through = self.around(one.inside if team.hex == one.outside else one.outside, reach - 1)
        return near, through - near

    def striking(self, side: str) -> tuple[list[Team], list[Team]]:
        """The teams that strike, and those that are struck."""
        able = [t for t in self.fighters(side) if not t.bailed and not (side == self.active and t.doubled)]
        room = {number: one.width for number, one in enumerate(self.sheet.openings)}
        for team in able:
            if team.engaged and team.contact >= 0 and self.sheet.openings[team.contact].inside == team.hex:
                room[team.contact] -= 1
        striking, struck = [], []
        for team in able:
            near, through = self.strikes_at(team)
            mine = [enemy for enemy in self.foes(side) if enemy.hex in near | through]
            if mine and not any(enemy.hex in near for enemy in mine):
                if room[team.contact] <= 0:
                    continue
                room[team.contact] -= 1
            if mine:
                striking.append(team)
                struck += [enemy for enemy in mine if enemy not in struck]
        return striking, struck

    def pressed(self, side: str) -> list[Platoon]:
        """C13.4: the platoons of a side with enemies near enough to go on."""
        near, foes = self.reach["breakoff"], self.foes(side)
        return [
            platoon
            for platoon in self.platoons
            if platoon.side == side
            and (platoon.fighting or side != self.active)
            and any(self.sheet.far[team.hex][foe.hex] <= near for team in platoon.there for foe in foes)
        ]

    def _clash(self) -> Asking:
        if self._stopped():
            return
        striker = self.active
        for rounds in range(self.tables["assault"]["rounds"] + 1):
            other = self.other(striker)
            striking, struck = self.striking(striker)
            if not striking:
                # C13.4: a side that strikes nobody breaks off.
                yield from self._flight(striker, self.pressed(striker))
                striker = other
                break
            hits = self._strike(striking)
            yield from self.share(struck, hits)
            self._losses(striker)
            candidates = self.pressed(other)
            if not candidates:
                break
            countering = yield from self._answer(other, candidates, hits, rounds)
            if not countering:
                break
            for platoon in countering:
                platoon.fighting = True
            for team in self.teams:
                team.stirred = False
            yield from self.charging(other)
            striker = other
        for team in self.teams:
            team.stirred = False
        self.tell("C13.5", "assault-won", side=striker)
        yield from self._consolidation(striker)

    def _strike(self, striking: Sequence[Team]) -> int:
        hits = 0
        for need in sorted({team.skill for team in striking}):
            mine = [team for team in striking if team.skill == need]
            got, faces = self.reach_of(len(mine), need)
            hits += got
            self.tell("C13.3", "strike", units=[team.id for team in mine], need=need, hits=got, faces=faces)
        return hits

    def _losses(self, striker: str) -> None:
        """C13.3: no saves; armoured teams are struck at their top armour by the best anti-tank strength."""
        armoured = [team for team in self.teams if team.hits and team.armour]
        best = max([team.assault_at for team in self.striking(striker)[0]], default=0) if armoured else 0
        for team in self.teams:
            if team.hits and not team.armour:
                self.destroy(team, "C13.3")
        if armoured:
            self.resolve(best, self.tables["assault"]["firepower"], [])

    def _answer(self, side: str, candidates: Sequence[Platoon], hits: int, rounds: int) -> Asking:
        """C13.4: who may go on, and who does; the others break off. Gives those that counter-attack."""
        may = [
            platoon
            for platoon in candidates
            if not platoon.alone and any(not team.vehicle or team.armour for team in platoon.there)
        ]
        if rounds >= self.tables["assault"]["rounds"]:
            may = []
        if may and hits:
            may = self._counter_test(may)
        fleeing = [platoon for platoon in candidates if platoon not in may]
        countering: list[Platoon] = []
        self.answering = list(may)
        while self.answering:
            verb, name = (yield side, "answer").split()
            platoon = self.platoon[name]
            self.answering.remove(platoon)
            (countering if verb == "counter" else fleeing).append(platoon)
            self.tell("C13.4", "counter-attacks" if verb == "counter" else "breaks-off", platoon=name)
        yield from self._flight(side, fleeing)
        return countering

    def _counter_test(self, may: Sequence[Platoon]) -> list[Platoon]:
        """One die for all, each by its own Motivation."""
        needs = [self.worst(platoon.there, "motivation") for platoon in may]
        faces = self.roll(1)
        passed = [platoon for platoon, need in zip(may, needs, strict=True) if faces[0] >= need]
        failed = [platoon.id for platoon in may if platoon not in passed]
        self.tell(
            "C13.4", "counter-test", faces=faces, passed=[platoon.id for platoon in passed], failed=failed
        )
        return passed

    # -- after it (C13.5, C5) ------------------------------------------------------------------------------

    def going(self, side: str) -> list[Team]:
        """The teams of platoons that break off which are too near to the enemy still."""
        near, foes = self.reach["breakoff"], self.foes(side)
        teams = [team for platoon in self.fleeing for team in platoon.there]
        return [team for team in teams if any(self.sheet.far[team.hex][foe.hex] <= near for foe in foes)]

    def refuges(self, team: Team) -> set[int]:
        """Where a team that breaks off may go: at up to double distance, away from the enemy."""
        if not team.mobile or team.bailed or team.bogged:
            return set()
        near, foes = self.reach["breakoff"], self.foes(team.side)
        ends = self.driven(self.retreating(team))
        return {h for h in ends if all(self.sheet.far[h][foe.hex] > near for foe in foes)}

    def retreating(self, team: Team) -> Mover:
        """A team that breaks off, at the double on whatever ground."""
        road, cross, difficult = [self.tables["double"]["distance"] * steps for steps in team.allowance]
        return self.mover(team, (road, cross, difficult))

    def advancing(self, team: Team) -> Mover:
        """A team that consolidates."""
        steps = self.reach["charge"]
        return self.mover(team, (steps, steps, steps))

    def driven(self, mover: Mover) -> set[int]:
        """Where a team comes in an assault."""
        ends = {h for h, (number, how) in self.ways(mover).items() if number and how == GO}
        return {h for h in ends if self.room(mover.team, h)}

    def drive(self, mover: Mover, h: int) -> None:
        """A team goes there: it faces the way it went, by a shortest way."""
        length = self.ways(mover)[h][0]
        ways = []
        for column in COLUMNS:
            search = self.search(mover, mover.start, column, min(length, mover.allowance[column]))
            if search.get(h, (0, GO))[0] == length:
                last = [a for a in self.sheet.beside[h] if search.get(a, (-1, GO))[0] == length - 1]
                ways += [a for a in last if self.step(mover, a, h) and self.sheet.column(a, h) <= column]
        team = mover.team
        self.shift(team, h)
        self.turn_to(team, [self.sheet.heading(a, h) for a in ways])
        team.moved = True
        self.touch(team)

    def _flight(self, side: str, platoons: Collection[Platoon]) -> Asking:
        self.fleeing = sorted(platoons, key=self.platoons.index)
        while going := sorted(self.going(side), key=lambda team: team.number):
            lost = next((team for team in going if not self.refuges(team)), None)
            if lost is not None:
                self.destroy(lost, "C13.5")
                continue
            team, h = self.named((yield side, "break-off"))
            self.drive(self.retreating(team), h)
            self.tell("C13.5", "withdraws", unit=team.id, hex=self.sheet.labels[h])
        for platoon in self.fleeing:
            self.pin(platoon, "C13.5")
            platoon.fighting = False
        self.fleeing = []

    def may_consolidate(self, team: Team, h: int) -> bool:
        """C13.5, C2.8: a team of the winner, once."""
        bound = team.stirred or (team.doubled and team.side == self.active)
        if not team.fights or not team.platoon.fighting or bound:
            return False
        return h in self.driven(self.advancing(team))

    def consolidations(self, side: str) -> Iterator[str]:
        """The orders to consolidate."""
        for team in self.fighters(side):
            for h in self.sheet.within(team.hex, self.reach["charge"]):
                if self.may_consolidate(team, h):
                    yield f"consolidate {team.id} {self.sheet.labels[h]}"

    def _consolidation(self, side: str) -> Asking:
        while any(True for _ in self.consolidations(side)):
            word = yield side, "consolidation"
            if word == "done":
                return
            team, h = self.named(word)
            team.stirred = True
            self.drive(self.advancing(team), h)
            self.tell("C13.5", "consolidates", unit=team.id, hex=self.sheet.labels[h])

    def claims(self) -> tuple[list[Team], int]:
        """C5.4, C5.5: the first teams on marked positions of their platoon, and how many these are."""
        for platoon in self.platoons:
            for h in sorted({team.hole for team in platoon.teams} - {-1}):
                wanting = [team for team in platoon.there if team.digs and not team.dug and team.hex == h]
                if wanting:
                    return wanting, sum(team.hole == h for team in platoon.teams)
        return [], 0

    def regain(self, side: str) -> Asking:
        """C5.3 to C5.5: at the end of the Assault Step teams on marked positions are dug in again."""
        while True:
            wanting, number = self.claims()
            if not wanting:
                break
            if len(wanting) > number and len(self.alike(wanting)) > 1:
                word = yield side, "positions"
                taking = [self.team[word.split()[1]]]
            else:
                taking = wanting[:number]
            for team in taking:
                next(one for one in team.platoon.teams if one.hole == team.hex).hole = -1
                team.dug = True
                self.tell("C5.3", "position-retaken", unit=team.id, hex=self.sheet.labels[team.hex])
        for team in self.teams:
            team.hole = -1
