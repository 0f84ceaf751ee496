"""Melees (S12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.systems.squad.referee.forces import Unit, half
from tests.systems.squad.referee.ledger import Brawl
from tests.systems.squad.referee.rallying import Rallying

NEEDED = {-4: 11, -3: 10, -2: 9, 1: 8, 2: 6, 3: 5, 4: 4, 5: 3}
"""The sum of two dice that kills, by odds: 2 is 2-1, -2 is 1-2."""


class Brawling(Rallying):
    """Rounds of melees."""

    def strength(self, unit: Unit) -> int:
        """A unit's own firepower, half of it if Shaken, and that of its weapons (S11.6, S12.3)."""
        own = half(unit.fp) if unit.shaken else unit.fp
        return own + sum(weapon.fp for weapon in self.weapons(unit))

    def worth(self, unit: Unit) -> int:
        """What a unit counts as a target: 1 at least, and its thinnest armour (S12.3, S12.4)."""
        return max(1, self.strength(unit)) + (unit.thinnest if unit.vehicle else 0)

    def odds(self, own: int, target: int) -> int | None:
        """Odds as a number, 1-2 being -2; None below 1-4 (S12.3)."""
        if own >= target:
            return min(5, own // target)
        if own == 0:
            return None
        against = -(-target // own)
        return -against if against <= 4 else None

    def striker(self, brawl: Brawl) -> str:
        return brawl.first if not brawl.struck else self.foe(brawl.first)

    def own_strength(self, brawl: Brawl, side: str) -> int:
        fighters = self.at(brawl.place, side)
        if brawl.ambush:
            fighters = [u for u in fighters if u.id not in brawl.doomed]
        return sum(self.strength(u) for u in fighters)

    def against_striking(self, brawl: Brawl, targets: Sequence[Unit]) -> Iterator[str]:
        side = self.striker(brawl)
        if any(u.side != self.foe(side) or u.place != brawl.place for u in targets):
            yield "S12.3"
            return
        if self.odds(self.own_strength(brawl, side), sum(self.worth(u) for u in targets)) is None:
            yield "S12.3"

    def can_strike(self, brawl: Brawl) -> bool:
        """Whether the side whose strike it is can choose a target at all."""
        side = self.striker(brawl)
        return any(not list(self.against_striking(brawl, [u])) for u in self.at(brawl.place, self.foe(side)))

    def begin_round(self, place: str, first: str, *, ambush: bool = False, admin: bool = False) -> None:
        self.melees.add(place)
        self.fought.add(place)
        self.brawl = Brawl(place, first, ambush, admin)
        self.tell("melee-ambush" if ambush else "melee", hex=place, side=first)

    def strike(self, brawl: Brawl, targets: Sequence[Unit]) -> None:
        side = self.striker(brawl)
        own = self.own_strength(brawl, side)
        target = sum(self.worth(u) for u in targets)
        odds = self.odds(own, target)
        assert odds is not None
        lm = self.leaders_here(brawl.place, side)
        number = NEEDED[odds] - lm
        faces = self.roll(2, number > 2)
        kills = sum(faces) >= number or not faces
        self.tell(
            "strike-kills" if kills else "strike-fails",
            side=side,
            hex=brawl.place,
            own=own,
            target=target,
            units=[u.id for u in targets],
            number=number,
            lm=lm,
            faces=faces,
        )
        if kills:
            brawl.doomed += [u.id for u in targets]
            if brawl.ambush and not brawl.struck:
                for unit in targets:
                    self.remove(unit)
        brawl.struck.append(side)

    def settle_brawl(self, brawl: Brawl) -> bool:
        """Go on with a round as far as nobody is asked; True if something happened."""
        if len(brawl.struck) < 2 and self.can_strike(brawl):
            return False
        if len(brawl.struck) < 2:
            brawl.struck.append(self.striker(brawl))
            return True
        self.end_round(brawl)
        return True

    def end_round(self, brawl: Brawl) -> None:
        """Whoever was killed is gone; a melee with one side left is over (S12.3)."""
        for unit in self.at(brawl.place):
            if unit.id in brawl.doomed:
                self.remove(unit)
        self.brawl = None
        self.end_if_alone(brawl.place)

    def end_if_alone(self, place: str) -> None:
        if not all(self.at(place, side) for side in self.sides):
            self.melees.discard(place)
            self.tell("melee-ends", hex=place)
