"""The course of a game (C10): turns, their steps, morale, command and victory."""

from __future__ import annotations

from collections.abc import Iterator

from tests.systems.company.referee.assaults import Assaults
from tests.systems.company.referee.fire import Asking

STEPS = ("starting", "movement", "shooting", "assault")


class Over(Exception):
    """The game is over."""


class Turns(Assaults):
    """Everything that happens by itself, and who is asked when."""

    def play(self) -> Asking:
        """A whole game, from where the scenario starts it."""
        start = self.scenario.get("start", {})
        self.turn = start.get("turn", 1)
        self.active = start.get("active", self.sides[0])
        first = STEPS.index(start.get("step", "starting"))
        self.look_round()
        try:
            while True:
                yield from self._turn(first)
                first = 0
        except Over:
            return

    def _turn(self, first: int) -> Asking:
        side = self.active
        if first == 0:
            yield from self._starting(side)
        if first <= 1:
            yield from self._step(side, "movement", first < 1)
            self._stray(side)
        if first <= 2:
            yield from self._step(side, "shooting", first < 2)
            self._platoon_morale()
            self._annihilated()
        yield from self._step(side, "assault", first < 3)
        yield from self.regain(self.other(side))
        self._platoon_morale()
        self._annihilated()
        if side == self.sides[1]:
            if self.turn >= self.scenario["turns"]:
                self._by_points()
            self.turn += 1
        self.active = self.other(side)

    def _step(self, side: str, name: str, begins: bool) -> Asking:
        """What holds for one step is over as the next begins (C7.4, C8.6, C11.2)."""
        if begins:
            for team in self.teams:
                team.blocker = team.turned = team.touched = False
            for platoon in self.platoons:
                platoon.struck, platoon.bled = 0, False
            self.look_round()
            self.tell("C10.1", "step-begins", side=side, step=name)
        if name == "movement":
            yield from self._movement(side)
        elif name == "shooting":
            yield from self._shooting(side)
        else:
            yield from self.assault_step(side)

    # -- the Starting Step (C10.2) -------------------------------------------------------------------------

    def _starting(self, side: str) -> Asking:
        for team in self.teams:
            if team.side == side:
                team.moved = team.doubled = team.tried = team.shot = team.full = False
        for platoon in self.platoons:
            platoon.charged = platoon.charged and platoon.side != side
            platoon.bled = False
        self.flying[side] = False
        self.tell("C10.1", "turn-begins", side=side, turn=self.turn)
        self._lone_infantry(side)
        self._annihilated()
        self._company_morale(side)
        for goal in self.scenario.get("victory", ()):
            due = goal.get("wins") and goal["side"] == side and self.turn >= goal.get("from_turn", 1)
            if due and all(self.control.get(h) == side for h in self.goal(goal)):
                self._finish("objective", side)
        while any(True for _ in self.reveals(side)):
            word = yield side, "ambush"
            if word == "done":
                break
            self.come(*self.named(word))
        self._aircraft(side)
        self._reserves(side)
        for platoon in self.platoons:
            if platoon.side == side and platoon.pinned and platoon.there:
                platoon.pinned = not self.motivated(platoon, "C11.2", platoon.there)
        for team in self.of(side):
            if team.bailed:
                team.bailed = not self.motivated(team.platoon, "C10.2", [team])
        for team in self.of(side):
            if team.bogged and not team.bailed:
                freed, faces = self.reach_of(1, team.skill)
                team.bogged = not freed
                code = "freed" if freed else "stays-bogged"
                self.tell("C10.2", code, unit=team.id, need=team.skill, faces=faces)
        self.smoke[side] = set()

    def reveals(self, side: str) -> Iterator[str]:
        """The orders to reveal an ambush."""
        for team in self.teams:
            if team.side == side and team.coming == "ambush":
                for h in team.platoon.hexes:
                    if self.may_reveal(team, h):
                        yield f"reveal {team.id} {self.sheet.labels[h]}"

    def _aircraft(self, side: str) -> None:
        if not self.calls.get(side):
            return
        self.calls[side] -= 1
        need = self.air[side]["need"]
        came, faces = self.reach_of(1, need)
        self.flying[side] = bool(came)
        self.tell("C13.7", "aircraft-come" if came else "aircraft-stay", side=side, need=need, faces=faces)

    def _reserves(self, side: str) -> None:
        held = [
            team for team in self.teams if team.side == side and team.coming == "reserve" and not team.due
        ]
        if not held:
            return
        came, faces = self.reach_of(self.turn, self.tables["reserves"])
        if not came:
            self.tell("C10.2", "no-reserves", side=side, faces=faces)
            return
        for team in held[0].platoon.left:
            team.due = True
        self.tell("C10.2", "reserves", platoon=held[0].platoon.id, faces=faces)

    # -- morale (C10.2 to C10.5) -----------------------------------------------------------------------------

    def _lone_infantry(self, side: str) -> None:
        for platoon in self.platoons:
            left = platoon.left
            lone = len(left) == 1 < len(platoon.teams) and left[0].hex >= 0 and left[0].kind == "infantry"
            if platoon.side == side and lone and not self.motivated(platoon, "C10.2", left):
                self._gone(platoon.id, "C10.2")

    def _gone(self, name: str, rule: str) -> None:
        self.tell(rule, "platoon-gone", platoon=name)
        for team in self.platoon[name].left:
            self.lose(team)

    def _company_morale(self, side: str) -> None:
        mine = [platoon for platoon in self.platoons if platoon.side == side and not platoon.alone]
        gone = sum(not platoon.left for platoon in mine)
        there = self.of(side)
        if not mine or 100 * gone < self.tables["company_losses"] * len(mine) or not there:
            return
        need = self.worst([team for team in there if "company" in team.flags] or there, "motivation")
        passed, faces = self.reach_of(1, need)
        self.tell("C10.4", "company-stays" if passed else "company-breaks", side=side, need=need, faces=faces)
        if not passed:
            self._finish("company-morale", self.other(side))

    def _platoon_morale(self) -> None:
        """C10.5: with losses in this step, and more teams lost than left."""
        for platoon in self.platoons:
            left = platoon.left
            tests = platoon.bled and left and not platoon.alone and len(platoon.teams) - len(left) > len(left)
            if tests and not self.motivated(platoon, "C10.5", left):
                self._gone(platoon.id, "C10.5")
        for platoon in self.platoons:
            platoon.bled = False

    def _stray(self, side: str) -> None:
        """C10.3: who is out of command at the end of movement."""
        for platoon in self.platoons:
            leader = platoon.leader
            for team in platoon.teams if platoon.side == side else ():
                far = leader is not None and team.hex >= 0 and team is not leader
                team.stray = bool(far and leader and self.sheet.far[team.hex][leader.hex] > platoon.command)
                team.stray = team.stray and not platoon.alone

    # -- the end (C10.1) -------------------------------------------------------------------------------------

    def _annihilated(self) -> None:
        alive = [
            side for side in self.sides if any(not team.lost for team in self.teams if team.side == side)
        ]
        if len(alive) < 2:
            self._finish("last-units", alive[0] if alive else None)

    def _by_points(self) -> None:
        points = self.score()
        first, second = self.sides
        winner = None if points[first] == points[second] else max(self.sides, key=lambda side: points[side])
        self._finish("points", winner)

    def _finish(self, reason: str, winner: str | None) -> None:
        points = list(self.score().values())
        margin = abs(points[0] - points[1])
        self.result = {"winner": winner, "margin": margin, "reason": reason}
        self.tell("C10.1", "game-over", winner=winner, reason=reason, margin=margin)
        raise Over

    # -- the steps of a side ------------------------------------------------------------------------------

    def _movement(self, side: str) -> Asking:
        while any(True for _ in self.movement_orders(side)):
            word = yield side, "movement"
            if word == "end":
                return
            verb, name, *rest = word.split()
            if verb == "dig":
                self.dig(self.platoon[name])
                continue
            team, (label, _, floor) = self.team[name], rest[0].partition("/")
            path = [self.sheet.number[one] for one in label.split("-")]
            if verb == "climb":
                self.climb(team, path[0], int(floor))
            elif verb in ("move", "double"):
                {"move": self.move, "double": self.double}[verb](team, path)
            else:
                {"face": self.face, "touch": self.choose, "enter": self.come}[verb](team, path[0])

    def shooting_orders(self, side: str) -> Iterator[str]:
        """The orders of a Shooting Step but for ``end``; of shots those of single teams."""
        targets = [platoon for platoon in self.platoons if platoon.side != side and platoon.there]
        for platoon in self.platoons:
            if platoon.side == side:
                yield from self.shots(platoon.there, targets, False)
                yield from self.bombardments(platoon)
        if self.flying[side]:
            yield from (f"strike {target.id}" for target in targets)

    def _shooting(self, side: str) -> Asking:
        while any(True for _ in self.shooting_orders(side)):
            word = yield side, "shooting"
            if word == "end":
                return
            verb, name, *rest = word.split()
            if verb == "strike":
                yield from self.strike(side, self.platoon[name])
            elif verb == "bombard":
                self.bombard(self.platoon[name], self.sheet.number[rest[0]], "smoke" in rest)
            else:
                teams = sorted([self.team[one] for one in name.split(",")], key=lambda team: team.number)
                yield from self.volley(teams, self.platoon[rest[0]], "mg" in rest, "doubled" in rest, False)
