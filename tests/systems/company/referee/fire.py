"""Shooting and its losses (C12), artillery and aircraft (C13.6, C13.7)."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from typing import Any

from tests.systems.company.referee.books import Barrage, Platoon, Team, Weapon
from tests.systems.company.referee.cover import Cover, Part, middle, total

Asking = Generator[tuple[str, str], str, Any]
"""Something that goes on by itself until it asks a side for a kind of order."""
DICE = range(1, 7)


class Fire(Cover):
    """Shots and shells."""

    # -- who may shoot (C12.1) ----------------------------------------------------------------------------

    def rate(self, team: Team, weapon: Weapon, defensive: bool, mg: bool) -> int:
        """C3.7, C12.1: the dice of a team."""
        dice = weapon.rof if defensive or not (team.moved or team.tried) else weapon.moved
        if team.platoon.pinned and not (mg and team.vehicle):
            dice = min(dice, self.tables["pinned_rof"])
        return dice

    def aims(self, team: Team, weapon: Weapon, pool: Collection[Team]) -> list[Team]:
        """Of some teams those in range, sight and arc of another."""
        return [
            one
            for one in pool
            if not self.bars(
                "C12.1", self.sheet.far[team.hex][one.hex] > weapon.range or not self.sees(team, one)
            )
            and not self.bars("C1.4", team.arc and not self.sheet.ahead(team.hex, team.facing, one.hex))
        ]

    @staticmethod
    def mixed(platoon: Platoon) -> bool:
        """C2.12: whether some of a platoon doubled and some did not."""
        return len({team.doubled for team in platoon.there}) == 2

    def may_shoot(
        self, teams: Sequence[Team], target: Platoon, mg: bool, aimed: bool, defensive: bool = False
    ) -> bool:
        """Whether teams may shoot at a platoon together."""
        side, first = teams[0].side, teams[0].platoon
        if target.side == side or not target.there or any(team.hex < 0 for team in teams):
            return False
        if self.bars("C12.1", any(team.platoon is not first for team in teams)):
            return False
        if self.bars("C2.12", aimed and not self.mixed(target)):
            return False
        pool = [team for team in target.there if team.doubled or not aimed]
        for team in teams:
            if self.bars("C12.4", team.bailed) or self.bars("C2.8", team.doubled and not defensive):
                return False
            if len(team.weapons) <= mg or self.bars("C12.1", team.shot and not defensive):
                return False
            weapon = team.weapons[mg]
            if self.bars("C12.1", not self.rate(team, weapon, defensive, mg)) or not self.aims(
                team, weapon, pool
            ):
                return False
        return True

    def shots(self, teams: Sequence[Team], targets: Sequence[Platoon], defensive: bool) -> Iterator[str]:
        """The shots of single teams."""
        for team in teams:
            for target in targets:
                for mg in (False, True):
                    for aimed in (False, True):
                        if self.may_shoot([team], target, mg, aimed, defensive):
                            yield f"shoot {team.id} {target.id}{' mg' * mg}{' doubled' * aimed}"

    # -- volleys ------------------------------------------------------------------------------------------

    def volley(
        self, teams: Sequence[Team], target: Platoon, mg: bool, aimed: bool, defensive: bool
    ) -> Asking:
        """C12.1 to C12.4: one type of weapon after another, each with its hits shared, saved and suffered."""
        if not defensive:
            for team in teams:
                team.full = team.full or self.rate(team, team.weapons[mg], False, mg) > team.weapons[mg].moved
                team.shot = True
        for weapon in sorted({team.weapons[mg] for team in teams}):
            if not target.there:
                break
            pool = [team for team in target.there if team.doubled or not aimed]
            armed = [team for team in teams if team.weapons[mg] is weapon]
            shooting = [team for team in armed if self.aims(team, weapon, pool)]
            times = self.tables["double"]["dice"] if all(team.doubled for team in pool) else 1
            thrown: dict[int, tuple[int, list[Part]]] = {}
            hit: list[Team] = []
            for team in shooting:
                seen = self.aims(team, weapon, pool)
                hit += [one for one in seen if one not in hit]
                parts = middle([self._against(team, one) for one in seen])
                number, first = thrown.get(total(parts), (0, parts))
                thrown[total(parts)] = number + times * self.rate(team, weapon, defensive, mg), first
            hits = self._throw("C12.1", shooting, weapon, target, thrown)
            yield from self.share(hit, hits)
            self.resolve(weapon.at, weapon.firepower, sorted({team.hex for team in shooting}))
        self._pinned_by_fire(target)

    def _against(self, team: Team, one: Team) -> list[Part]:
        parts = self.protection(one, team.hex, "C12.2", "C4.4")
        if self.sheet.far[team.hex][one.hex] > self.reach["long_range"]:
            parts.append(("C12.2", "long-range", self.tables["more_to_hit"]["long_range"]))
        return parts

    def _throw(
        self,
        rule: str,
        shooting: Sequence[Team],
        weapon: Weapon,
        target: Platoon,
        thrown: dict[int, tuple[int, list[Part]]],
    ) -> int:
        hits = 0
        for need, (number, parts) in sorted(thrown.items()):
            got, faces = self.to_hit(number, need)
            hits += got
            self.tell(
                rule, "volley", units=[team.id for team in shooting], weapon=weapon.id, platoon=target.id,
                dice=number, need=need, parts=parts, faces=faces, hits=got, side=self.other(target.side),
            )  # fmt: skip
        target.struck += hits
        return hits

    def to_hit(self, number: int, need: int) -> tuple[int, list[int]]:
        """C12.2: 7 is a 6 and then 5 or more, 8 a 6 and then a 6; more is impossible."""
        if need > 8:
            return 0, []
        return self.twice(number, 6, need - 2) if need > 6 else self.reach_of(number, need)

    def _pinned_by_fire(self, target: Platoon) -> None:
        if target.struck >= self.tables["pinning_hits"] and target.there:
            self.pin(target, "C11.2")

    # -- hits (C12.3) --------------------------------------------------------------------------------------

    def share(self, pool: Sequence[Team], hits: int) -> Asking:
        """Hits are shared out evenly; the owner says who takes those that are left over."""
        pool = sorted(pool, key=lambda team: team.number)
        if not hits:
            return
        each, left = divmod(hits, len(pool))
        for team in pool:
            team.hits = each
        while 0 < left < len(pool) and len({team.like() for team in pool}) > 1:
            self.taking = pool
            word = yield pool[0].side, "hits"
            team = self.team[word.split()[1]]
            team.hits += 1
            self.tell("C12.3", "takes-hit", unit=team.id)
            pool = [one for one in pool if one is not team]
            left -= 1
        for team in pool[len(pool) - left :]:
            team.hits += 1

    def alike(self, teams: Sequence[Team]) -> list[list[Team]]:
        """Teams that differ in nothing but their names together."""
        found: dict[Any, list[Team]] = {}
        for team in sorted(teams, key=lambda one: one.number):
            found.setdefault(team.like(), []).append(team)
        return list(found.values())

    def resolve(self, at: int, firepower: int, origins: Collection[int]) -> None:
        """C12.4, C4.4: all saves, then what comes through; no ``origins``: from above."""
        through: list[tuple[list[Team], int, str]] = []
        groups = self.alike([team for team in self.teams if team.hits])
        for group in groups:
            number = group[0].hits
            if group[0].armour is not None:
                through += [
                    ([team], 1, self._armour(team, at, origins)) for team in group for _ in range(number)
                ]
            elif number == 1:
                through.append((group, self._fail(group, len(group)), ""))
            else:
                through += [([team], self._fail([team], number), "") for team in group]
        for team in self.teams:
            team.hits = 0
        for group, failed, result in through:
            if failed and group[0].hex >= 0 and result != "bounced":
                self._suffer(group, failed, result, firepower, origins)

    def _fail(self, group: Sequence[Team], number: int) -> int:
        need = group[0].save
        saved, faces = self.reach_of(number, need)
        names = [team.id for team in group]
        self.tell("C12.4", "saves", units=names, need=need, faces=faces, saved=saved, hits=number)
        return number - saved

    def _armour(self, team: Team, at: int, origins: Collection[int]) -> str:
        front, flank, top = team.armour or (0, 0, 0)
        ahead = any(self.sheet.ahead(team.hex, team.facing, origin) for origin in origins)
        armour = (front if ahead else flank) if origins else top
        results = [
            "bounced" if armour + die > at else "glanced" if armour + die == at else "penetrated"
            for die in DICE
        ]
        # A die whose result is certain is not thrown.
        faces = self.roll(1) if len(set(results)) > 1 else []
        result = results[faces[0] - 1 if faces else 0]
        self.tell("C12.4", "armour", unit=team.id, armour=armour, at=at, faces=faces, result=result)
        return result

    def _suffer(
        self, group: Sequence[Team], failed: int, result: str, firepower: int, origins: Collection[int]
    ) -> None:
        armoured = group[0].armour is not None
        lost = failed
        if armoured or self.bulletproof(group[0], origins):
            lost, faces = self.reach_of(failed, firepower)
            rule = "C12.4" if armoured else "C4.4"
            self.tell(rule, "firepower", units=[team.id for team in group], need=firepower, faces=faces)
        if armoured and not (lost and result == "penetrated"):
            if lost or result == "penetrated":
                group[0].bailed = True
                self.tell("C12.4", "bailed-out", unit=group[0].id)
            return
        for team in group[-min(lost, len(group)) :] if lost else []:
            self.destroy(team, "C12.4")

    # -- aircraft (C13.7) and artillery (C13.6) -----------------------------------------------------------

    def strike(self, side: str, target: Platoon) -> Asking:
        """Aircraft attack, like shooting from above."""
        self.flying[side] = False
        row, pool = self.air[side], target.there
        parts = middle([self.protection(team, None, "C13.6", "C13.6") for team in pool])
        weapon = Weapon(len(self.weapons), "air", 99, row["rof"], row["rof"], row["at"], row["firepower"])
        hits = self._throw("C13.7", [], weapon, target, {total(parts): (row["rof"], parts)})
        yield from self.share(pool, hits)
        self.resolve(row["at"], row["firepower"], [])
        self._pinned_by_fire(target)

    def battery(self, platoon: Platoon) -> list[Team]:
        """The guns of a platoon that may bombard."""
        guns = [team for team in platoon.there if team.barrage]
        return [gun for gun in guns if not (gun.shot or gun.moved or gun.doubled or gun.bailed)]

    def bearing(self, platoon: Platoon, h: int, smoke: bool) -> list[tuple[Team, Barrage]]:
        """Of these guns those that reach a hex."""
        found = []
        for gun in self.battery(platoon):
            ahead = not gun.arc or self.sheet.ahead(gun.hex, gun.facing, h)
            barrage = gun.barrage
            if (
                barrage
                and ahead
                and self.sheet.far[gun.hex][h] <= barrage.range
                and (barrage.smoke or not smoke)
            ):
                found.append((gun, barrage))
        return found

    def observer(self, platoon: Platoon, h: int) -> Team | None:
        """Who observes a hex: an observer, the Command team; a company commander if nobody else."""
        eyes = []
        for team in self.of(platoon.side):
            leads = "command" in team.flags and (team.platoon is platoon or "company" in team.flags)
            sees = any(self.sees(team, enemy) for enemy in self.at(h, self.other(platoon.side)))
            able = not (team.doubled or team.bailed)
            if able and sees and (leads or ("observer" in team.flags and "command" not in team.flags)):
                eyes.append(team)
        return min(eyes, key=lambda team: ("company" in team.flags, team.number), default=None)

    def may_bombard(self, platoon: Platoon, h: int, smoke: bool) -> bool:
        """C13.6: at enemies that an observer sees."""
        enemy = self.at(h, self.other(platoon.side))
        allowed = enemy and self.bearing(platoon, h, smoke) and self.observer(platoon, h) is not None
        return not self.bars("C13.6", not allowed)

    def bombardments(self, platoon: Platoon) -> Iterator[str]:
        """What a platoon may bombard."""
        for h in sorted(self.held(self.other(platoon.side))) if self.battery(platoon) else ():
            for smoke in (False, True):
                if self.may_bombard(platoon, h, smoke):
                    yield f"bombard {platoon.id} {self.sheet.labels[h]}{' smoke' * smoke}"

    def bombard(self, platoon: Platoon, h: int, smoke: bool) -> None:
        """Up to three tries to range in; then a die for each team under the template, or smoke."""
        guns, eye = self.bearing(platoon, h, smoke), self.observer(platoon, h)
        assert eye is not None
        under = self.at(h, self.other(platoon.side))
        parts = max([self.protection(team, eye.hex, "C13.6", "C13.6") for team in under], key=total)
        if "company" in eye.flags:
            parts.append(("C13.6", "company-observer", self.tables["more_to_hit"]["company_observer"]))
        for gun, _ in guns:
            gun.shot = gun.full = True
        found, faces = 0, []
        for _ in range(self.tables["ranging_tries"] if total(parts) <= 8 else 0):
            found, shown = self.to_hit(1, total(parts))
            faces += shown
            if found:
                break
        code, label = "ranged-in" if found else "ranging-failed", self.sheet.labels[h]
        self.tell(
            "C13.6",
            code,
            platoon=platoon.id,
            hex=label,
            need=total(parts),
            parts=parts,
            faces=faces,
            guns=len(guns),
        )
        if not found:
            return
        shape = [row for row in self.tables["template"] if row["guns"] <= len(guns)][-1]
        disc = set(self.sheet.within(h, shape["radius"]))
        if smoke:
            self.smoke[platoon.side] |= disc
        else:
            self._fall(guns, disc, shape.get("again", ""))

    def _fall(self, guns: Sequence[tuple[Team, Barrage]], disc: Collection[int], again: str) -> None:
        need = self.worst([gun for gun, _ in guns], "skill")
        hit: set[str] = set()
        for group in self.alike([team for team in self.teams if team.hex in disc]):
            if again == "hits":
                hits, faces = self.twice(len(group), need, need)
            else:
                hits, faces = self.reach_of(len(group), need)
            if again == "misses":
                more, shown = self.reach_of(len(group) - hits, need)
                hits, faces = hits + more, faces + shown
            for team in group[len(group) - hits :]:
                team.hits = 1
                hit.add(team.platoon.id)
            names = [team.id for team in group]
            self.tell("C13.6", "under-the-template", units=names, need=need, faces=faces, hits=hits)
        self.resolve(guns[0][1].at, guns[0][1].firepower, [])
        for platoon in self.platoons:
            if platoon.id in hit and platoon.there:
                self.pin(platoon, "C11.2")
