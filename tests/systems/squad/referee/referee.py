"""The referee: follows a game order by order, and says where the engine differs from its own books."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from tests.systems.squad.referee.comparing import compare_events, differences, same
from tests.systems.squad.referee.forces import Unit
from tests.systems.squad.referee.ground import below, hex_of
from tests.systems.squad.referee.ledger import Group, Wrong
from tests.systems.squad.referee.turns import Turns


class Referee(Turns):
    """Plays each order after the engine, with the dice that it told, in its own books."""

    def __init__(self, text: str) -> None:
        self.turning = set()
        super().__init__(tomllib.loads(text))
        self.reveal()
        self.settle()
        self.told.clear()

    # -- following ----------------------------------------------------------------------------

    def follow(self, text: str, events: Sequence[Any]) -> None:
        """Play an order and compare what the engine told of it; raises Wrong."""
        objections = self.against(text)
        if objections:
            raise Wrong(f"{text}: the referee refuses it by {sorted(objections)}")
        self.told.clear()
        self.memo = None
        self.heard = [(event.code, face) for event in events for face in event.facts.get("faces", ())]
        verb, *words = text.split()
        getattr(self, f"_do_{verb}")(words)
        if self.result is None:
            self.reveal()
        self.settle()
        self.memo = {}
        if self.heard:
            raise Wrong(f"{text}: dice {self.heard} were rolled that the rules do not ask for")
        compare_events(text, self.told, events)

    def _do_move(self, words: list[str]) -> None:
        if self.group is None:
            units, modes = self.named(words[0]), set(words[2:])
            origin = str(units[0].place)
            self._activate(origin)
            self.moved_from.add(origin)
            self.stopped.clear()
            aboard = {p.id for u in units for p in self.passengers(u)}
            self.group = Group([u.id for u in units], origin, modes, aboard, self.cap(units, modes))
            self.groups.append(self.group)
            if modes:
                self.tell("declared", units=self.group.units)
        self.step(self.group, words[1])

    def arrive(self, units: Sequence[Unit], place: str, *, seen: bool, caught: bool) -> None:
        came = [one for unit in units for one in (unit, *self.passengers(unit))]
        self.shelled(units)
        self.mined(units, place)
        self.happens(came, place)
        self.reveal()
        living = [u for u in came if u.here]
        if living and self.at(place, self.foe(self.side)):
            if place not in self.melees:
                sly = not seen and all("stealth" in u.markers for u in living)
                first = self.foe(self.side) if caught and not sly else self.side
                self.begin_round(place, first, ambush=sly != caught)
            self.stopped |= {u.id for u in living}
            return
        self.open_window(came, place)

    def _activate(self, place: str) -> None:
        if not self.active:
            self.active.add(place)
        self.acted = True

    def _do_fire(self, words: list[str]) -> None:
        units, place, weapon, target = self._fire_words(words)
        reacting = self.window is not None
        if self.group is not None and not reacting:
            self.close_group()
        said = {"units": [u.id for u in units], "from": str(units[0].place), "hex": place}
        self.tell("opportunity-fire" if reacting else "fire", **said)
        if self.window is not None:
            self.window.fired.add(str(units[0].place))
        else:
            self._activate(str(units[0].place))
            for key in {self.fire_key(unit) for unit in units}:
                if weapon is None:
                    self.fired_at.setdefault(key[0], place)
                    self.fired_from.add(key)
        for unit in units:
            unit.hidden = False
        if weapon is None:
            self.shoot(units, place, reacting=reacting)
        else:
            self.fire_ordnance(units[0], weapon, place, target, reacting=reacting)

    def _do_pass(self, words: list[str]) -> None:
        assert self.window is not None
        self.tell("pass", side=self.foe(self.window.side), hex=self.window.place)
        self.window = None

    def _do_done(self, words: list[str]) -> None:
        if self.group is not None:
            self.close_group()
        else:
            self.end_rally()

    def _do_end(self, words: list[str]) -> None:
        self.end_impulse()

    def _advance_operations(self) -> bool:
        return self.admin() if self.phase == "admin" else super()._advance_operations()

    # -- single acts --------------------------------------------------------------------------

    def _do_activate(self, words: list[str]) -> None:
        leader = self.units[words[0]]
        self.active = set(self.led_places(leader))
        self.acted = True
        self.led.add(leader.id)
        self.tell("activation", unit=leader.id, hexes=sorted(self.active))

    def _do_spot(self, words: list[str]) -> None:
        unit, place = self.units[words[0]], words[1]
        name = hex_of(place)
        hindered = self.hindrance(str(unit.place), place) or 0
        number = 3 if below(place) or self.ground.row[name].get("los", "open") == "blocking" else 4
        number += unit.lm if unit.kind == "leader" else int(unit.kind == "scout")
        number = min(5, number - hindered)
        faces = self.roll(1, number > 0)
        good = bool(faces) and faces[0] <= number
        self.mark(unit, "ops-complete")
        self.looked = True
        if good:
            self.spotted.add((place, self.foe(self.side)))
        self.tell("spotted" if good else "not-spotted", unit=unit.id, hex=place, number=number, faces=faces)

    def _do_smoke(self, words: list[str]) -> None:
        unit, place = self.units[words[0]], words[1]
        self._activate(str(unit.place))
        number = unit.type["smoke"]
        face = self.die()
        good = face <= number
        self.tell(
            "smoke-placed" if good else "smoke-failed", unit=unit.id, hex=place, number=number, faces=[face]
        )
        if good:
            self.smoke[place] = 2
            unit.smoked = True
        else:
            self.mark(unit, "ops-complete")

    def _do_call(self, words: list[str]) -> None:
        unit, place = self.units[words[0]], words[1]
        self._activate(str(unit.place))
        self.mark(unit, "ops-complete")
        self.missions[self.side] -= 1
        faces = [self.die(), self.die()]
        lands: str | None = hex_of(place)
        for _ in range(max(0, faces[1] - (unit.lm if unit.kind == "leader" else 0))):
            lands = self.ground.next_to(lands)[faces[0] - 1] if lands else None
        self.tell(
            "mission" if lands else "mission-lost", unit=unit.id, hex=place, faces=faces, lands=lands or ""
        )
        if lands is None:
            return
        fp = self.mission_fp[self.side]
        self.shells[lands] = [fp, self.turn]
        for spot in self.ground.places(lands):
            for side in self.sides:
                self.attack(self.at(spot, side), {"shell": fp}, movers=False)

    def _do_face(self, words: list[str]) -> None:
        vehicle, place = self.units[words[0]], words[1]
        self._activate(str(vehicle.place))
        direction = self.ground.direction(str(vehicle.place), place)
        vehicle.spent += self.turns(vehicle, direction)
        vehicle.facing = direction
        self.mark(vehicle, "turned")
        self.turning.add(vehicle.id)
        self.tell("faces", unit=vehicle.id, hex=place)

    def _do_load(self, words: list[str]) -> None:
        unit, vehicle = self.units[words[0]], self.units[words[1]]
        self._activate(str(unit.place))
        unit.carrier = vehicle.id
        self.mark(unit, "moved")
        vehicle.spent = min(self.mf(vehicle), vehicle.spent + 2)
        self.tell("loads", unit=unit.id, other=vehicle.id)

    def _do_unload(self, words: list[str]) -> None:
        vehicle = self.units[words[0]]
        aboard = self.passengers(vehicle)
        if self.group is not None:
            self.close_group()
        self._activate(str(vehicle.place))
        self.tell("unloads", unit=vehicle.id, units=[u.id for u in aboard], hex=vehicle.place)
        for unit in aboard:
            unit.carrier = None
            if not unit.markers & {"fired", "ops-complete"}:
                self.mark(unit, "moved")
        self.mined(aboard, str(vehicle.place))

    def _do_melee(self, words: list[str]) -> None:
        self.acted = self.brawled = True
        self.begin_round(words[0], self.side)

    def _do_strike(self, words: list[str]) -> None:
        assert self.brawl is not None
        self.strike(self.brawl, self.named(words[0]))

    def _do_rally(self, words: list[str]) -> None:
        self.rally(self.units[words[0]])

    def _do_treat(self, words: list[str]) -> None:
        self.treat(self.units[words[0]], self.units[words[1]])

    def _do_take(self, words: list[str]) -> None:
        self.take(self.units[words[0]], self.units[words[1]])

    def _do_split(self, words: list[str]) -> None:
        self.split(self.units[words[0]])

    def _do_join(self, words: list[str]) -> None:
        self.join(self.units[words[0]], self.units[words[1]])

    # -- comparing ----------------------------------------------------------------------------

    def compare(self, state: Mapping[str, Any]) -> None:
        """Compare the books with what the engine shows; raises Wrong."""
        for name, mine in self.facts().items():
            theirs = state[name]
            if not same(mine, theirs):
                raise Wrong(f"{name}: {differences(mine, theirs)}")

    def facts(self) -> dict[str, Any]:
        """What the engine's state should say."""
        decision = self.decision
        return {
            "turn": self.turn,
            "decision": {"side": decision[0], "kind": decision[1]} if decision else None,
            "units": {unit.id: self._facts(unit) for unit in self.units.values()},
            "hexes": self._hex_facts(),
            "control": self.control,
            "score": self.score(),
            "initiative": self.initiative,
            "missions": self.missions,
        }

    def _facts(self, unit: Unit) -> dict[str, Any]:
        here = unit.here and not unit.event and not unit.spare
        status = {
            "shaken": unit.shaken,
            "wounded": unit.wounded,
            "half": unit.reduced and here,
            "hidden": unit.hidden and here,
            "aboard": here and bool(unit.carrier) and not unit.weapon,
            "melee": here and unit.place in self.melees and not unit.weapon,
            "eliminated": unit.dead,
            "due": bool(unit.event) and not unit.dead,
        }
        return {
            "hex": hex_of(str(unit.place)) if here else None,
            "place": unit.place if here and unit.place != hex_of(str(unit.place)) else None,
            "steps": unit.steps,
            "status": {code for code, true in status.items() if true},
            "markers": set(unit.markers),
            "spent": 2 * unit.spent,
            "carrier": unit.carrier,
            "passengers": {u.id for u in self.units.values() if u.carrier == unit.id and not u.dead},
            "direction": unit.facing if unit.vehicle and here else None,
            "facing": self._faced(unit) if unit.vehicle and here else None,
        }

    def _faced(self, vehicle: Unit) -> str | None:
        return self.ground.next_to(hex_of(str(vehicle.place)))[vehicle.facing]

    def _hex_facts(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}

        def note(name: str, code: str, what: Any = True) -> None:
            found.setdefault(name, {})[code] = what

        for name, smoke in self.smoke.items():
            note(name, "smoke" if smoke == 2 else "thin-smoke")
        for name in self.wrecks:
            note(name, "wreck")
        for name in self.ground.foxholes:
            note(name, "foxhole")
        for place in self.melees:
            note(place, "melee")
        for place, _ in self.spotted:
            note(place, "spotted")
        for name, (fp, _) in self.shells.items():
            note(name, "ffe", fp)
        for event in self.events.values():
            note(event["hex"], "events", [])
            found[event["hex"]]["events"].append(event["id"])
        for mine in self.mines:
            note(mine["hex"], "mines", found.get(mine["hex"], {}).get("mines", {}))
            found[mine["hex"]]["mines"].setdefault(mine["side"], []).append(mine.get("fp", 1))
        return found
