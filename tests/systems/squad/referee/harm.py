"""What attacks do: damage checks, losses, armour and crews (S8.2, S8.5 to S8.8, S11.5, S14.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.systems.squad.referee.forces import Unit
from tests.systems.squad.referee.ground import hex_of
from tests.systems.squad.referee.ledger import Wrong
from tests.systems.squad.referee.sight import Sight

RESULTS = {
    "squad": ("shaken", "halved", "eliminated"),
    "half-squad": ("shaken", "eliminated", "eliminated"),
    "team": ("shaken", "eliminated", "eliminated"),
    "hero": ("wounded", "wounded", "eliminated"),
    "vehicle": ("shaken", "eliminated", "eliminated"),
    "single": ("shaken", "stunned", "eliminated"),
}
"""Results above the morale, at twice and at three times it (S8.5)."""


class Harm(Sight):
    """Attacks by the opposed roll, and what becomes of those who are hit."""

    def attack(
        self,
        units: Sequence[Unit],
        parts: dict[str, int],
        *,
        start: str | None = None,
        covered: bool = True,
        movers: bool = True,
    ) -> None:
        """An opposed roll against units of one place, and their damage checks (S8.2, S4.9, S8.4)."""
        units = [u for u in units if u.here]
        if not units:
            return
        place = str(units[0].place)
        cover = self.cover_against(place, start) if covered else []
        attack, defence = sum(parts.values()), sum(value for _, value in cover)
        bonus = {u.id: self._bonus(u, movers) for u in units}
        most = attack - defence + max(bonus.values())
        faces = self.roll(2, 5 + most > 0)
        ahead = attack - defence + (faces[0] - faces[1] if faces else -5)
        self.tell(
            "attack",
            hex=place,
            units=[u.id for u in units],
            attack=attack,
            defence=defence,
            parts=parts,
            cover=dict(cover),
            moving=[u.id for u in units if not u.vehicle and bonus[u.id]],
            armoured=[f"{u.id} {bonus[u.id]}" for u in units if u.vehicle],
            faces=faces,
            difference=max(0, ahead + max(bonus.values())),
        )
        self.damage(units, {u.id: ahead + bonus[u.id] for u in units})

    def _bonus(self, unit: Unit, movers: bool) -> int:
        """What the state of a target adds to the attack: it moves, or it has armour."""
        moving = movers and self.in_motion(unit)
        if unit.vehicle:
            return -unit.thinnest - int(moving)
        return int(moving)

    def in_motion(self, unit: Unit) -> bool:
        """Moving, or marked Moved or Assault Move, and neither crawling nor stealthy (S4.9)."""
        return bool(unit.markers & {"moved", "assault-move"})

    def damage(self, units: Sequence[Unit], margins: dict[str, int]) -> None:
        """Damage checks: leaders first, without their own LM (S8.5)."""
        order = [u for u in units if u.kind == "leader"] + [u for u in units if u.kind != "leader"]
        for unit in order:
            if margins[unit.id] > 0 and unit.here:
                self.check(unit, margins[unit.id])

    def check(self, unit: Unit, margin: int) -> None:
        """One damage check."""
        place = str(unit.place)
        lm = 0 if unit.kind == "leader" else self.leaders_here(place, unit.side)
        morale = unit.morale
        levels = [self._level(face + margin - lm, morale) for face in range(1, 7)]
        heroic = unit.squads and self.spare_hero(unit) is not None
        faces = self.roll(1, heroic or len(set(levels)) > 1)
        result = self._result(unit, levels[faces[0] - 1 if faces else 0])
        self.tell(
            "damage-check", unit=unit.id, faces=faces, margin=margin, lm=lm, morale=morale, result=result
        )
        aboard = self.passengers(unit)
        self.suffer(unit, self._effect(unit, result))
        if aboard and not unit.here:
            self.step_down(aboard)
            self.mined(aboard, place)
        if heroic and faces == [1]:
            self._hero(unit, place)

    def _level(self, total: int, morale: int) -> int:
        """Whether a check is above the morale, at twice, or at three times it."""
        if total <= morale:
            return 0
        return 3 if total >= 3 * morale else 2 if total >= 2 * morale else 1

    def _result(self, unit: Unit, level: int) -> str:
        if not level:
            return "no-effect"
        if unit.vehicle and unit.thinnest:
            return "shaken"
        return RESULTS["single" if unit.single and unit.kind != "hero" else unit.kind][level - 1]

    def _effect(self, unit: Unit, result: str) -> str:
        """What a result comes to for a unit that is Shaken or wounded already (S8.6, S8.7), or has armour."""
        if result in ("wounded", "stunned") and unit.wounded:
            return "eliminated"
        if result != "shaken" or not unit.shaken:
            return result
        if self.options["shaken_twice"] == "nothing" or unit.single or unit.vehicle:
            return "no-effect"
        return "halved" if unit.kind == "squad" else "eliminated"

    def suffer(self, unit: Unit, result: str) -> None:
        """What a result does to a unit."""
        if result == "no-effect":
            return
        if result == "eliminated":
            self.remove(unit)
            return
        self.tell(result, unit=unit.id)
        if result == "halved":
            unit.reduced = True
            self.lost[str(unit.side)] += 1
        if result in ("wounded", "stunned"):
            unit.wounded = True
        if result != "wounded":
            unit.shaken = True
            self.stopped.add(unit.id)

    def spare_hero(self, unit: Unit) -> Unit | None:
        """The hero that may rise among the men of a unit (S8.8)."""
        if self.options["hero_creation"]:
            for hero in self.units.values():
                mine = hero.side == unit.side and hero.family == unit.family
                if hero.spare and hero.kind == "hero" and mine:
                    return hero if self.room(str(unit.place), unit.side, [hero]) else None
        return None

    def _hero(self, unit: Unit, place: str) -> None:
        """A natural 1 makes a hero if the next die, which is told only then, is even (S8.8)."""
        hero = self.spare_hero(unit)
        if not unit.here or hero is None or self.next_event != "hero":
            return
        face = self.die()
        if face % 2:
            raise Wrong(f"a hero rises in {place} on a {face}")
        hero.spare, hero.place = False, place
        self.tell("hero", unit=hero.id, hex=place, faces=[face])

    def pierced(self, unit: Unit, penetration: int, armour: int) -> None:
        """A die and the penetration against a die and the armour (S14.2); the crew checks its morale."""
        base = penetration - armour
        faces = self.roll(2, self._piercing_matters(unit, base))
        margin = base + (faces[0] - faces[1] if faces else 5 if base > 0 else -5)
        destroyed = margin > 0
        self.tell(
            "penetration",
            unit=unit.id,
            penetration=penetration,
            armour=armour,
            faces=faces,
            result="destroyed" if destroyed else "holds",
            **({"margin": margin} if faces else {}),
        )
        if not destroyed:
            self.morale_check(unit, margin)
            return
        aboard = self.passengers(unit)
        place = str(unit.place)
        self.remove(unit)
        self.bail_out(aboard, place, margin)

    def _piercing_matters(self, unit: Unit, base: int) -> bool:
        """Nobody rolls where all sums come to the same: destroyed with nobody aboard, or a check passed."""
        outcomes = set()
        for margin in range(base - 5, base + 6):
            if margin > 0:
                outcomes.add(margin if self.passengers(unit) else 1)
            else:
                outcomes.add(-99 if unit.shaken or 12 + margin <= unit.morale else margin)
        return len(outcomes) > 1

    def bail_out(self, aboard: Sequence[Unit], place: str, margin: int) -> None:
        """Passengers of a destroyed vehicle are on the ground, and take a damage check."""
        self.step_down(aboard)
        self.damage(aboard, dict.fromkeys([u.id for u in aboard], margin))
        self.mined([u for u in aboard if u.here], place)

    def step_down(self, aboard: Sequence[Unit]) -> None:
        for unit in aboard:
            unit.carrier = None

    def morale_check(self, unit: Unit, modifier: int) -> None:
        """Two dice and a modifier within the morale, or Shaken (S11.5)."""
        if unit.shaken or not unit.here:
            return
        sure = 12 + modifier <= unit.morale
        faces = self.roll(2, not sure)
        failed = not sure and sum(faces) + modifier > unit.morale
        self.tell(
            "morale-check",
            unit=unit.id,
            modifier=modifier,
            morale=unit.morale,
            faces=faces,
            result="shaken" if failed else "no-effect",
        )
        if failed:
            unit.shaken = True
            self.stopped.add(unit.id)

    # -- mines, fire for effect, events -------------------------------------------------------

    def mined(self, units: Sequence[Unit], place: str) -> None:
        """Mines attack who enters their hex on the ground (S13.1)."""
        if not units or place != hex_of(place) or self.ground.row[place].get("building"):
            return
        side = units[0].side
        for mine in self.mines:
            if mine["hex"] != place or mine["side"] == side:
                continue
            mine["hidden"] = False
            fp = mine.get("fp", 1)
            for unit in [u for u in units if u.here and u.vehicle]:
                self.pierced(unit, fp, unit.thinnest)
            men = [u for u in units if u.here and not u.vehicle and u.carrier is None]
            self.attack(men, {"mine": fp}, covered=False, movers=False)

    def shelled(self, units: Sequence[Unit]) -> None:
        """Fire for effect in the hex attacks who enters (S13.3)."""
        living = [u for u in units if u.here]
        if living and hex_of(str(living[0].place)) in self.shells:
            fp = self.shells[hex_of(str(living[0].place))][0]
            aboard = [p for u in living for p in self.passengers(u)]
            self.attack([*living, *aboard], {"shell": fp}, movers=False)

    def happens(self, units: Sequence[Unit], place: str) -> None:
        """The first unit of the stated side sets an event off, once (S13.4)."""
        living = [u for u in units if u.here]
        for event in [one for one in self.events.values() if one["hex"] == hex_of(place)]:
            if living and event["side"] == living[0].side:
                self._event(event, living)

    def _event(self, event: dict[str, Any], units: list[Unit]) -> None:
        del self.events[event["id"]]
        points = event.get("points", 0)
        self.points[event["side"]] += points
        self.tell("event", event=event["id"], hex=event["hex"], points=points)
        for unit in self.units.values():
            if unit.event == event["id"] and not unit.weapon and not unit.carrier:
                self._arrives(unit)
        if event.get("attack"):
            self.attack(units, {"event": event["attack"]}, movers=False)
        if "check" in event:
            for unit in units:
                self.morale_check(unit, event["check"])

    def _arrives(self, unit: Unit) -> None:
        """A unit appears in its place, beside it if that is full, or never."""
        place = str(unit.place)
        choices = [place, *self.ground.around(hex_of(place))]
        for choice in choices:
            if self._can_appear(unit, choice):
                unit.event = None
                self.tell("arrives", unit=unit.id, hex=choice)
                for other in self.units.values():
                    if other.carrier == unit.id:
                        other.event = None
                self.move_to(unit, choice)
                return
        unit.event, unit.dead, unit.place = None, True, None

    def _can_appear(self, unit: Unit, place: str) -> bool:
        column = "vehicle" if unit.vehicle else "leg"
        return (
            self.room(place, unit.side, [unit])
            and not self.at(place, self.foe(unit.side))
            and self.ground.row[hex_of(place)][column] != "no"
        )
