"""The referee at a game: what may be ordered, what follows from an order, and whether the engine agrees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.systems.company.referee.books import Team
from tests.systems.company.referee.judging import SAME, Told, agree
from tests.systems.company.referee.states import state_of
from tests.systems.company.referee.turns import Turns

OUT_OF_TURN = {
    "movement": "C10.1",
    "shooting": "C10.1",
    "assault": "C10.1",
    "ambush": "C10.2",
    "hits": "C12.3",
    "charge": "C13.1",
    "defensive-fire": "C13.2",
    "answer": "C13.4",
    "break-off": "C13.5",
    "consolidation": "C13.5",
    "positions": "C5.5",
}
"""By what is decided, the rule that refuses orders of other kinds."""
VERBS = {
    "movement": {"move", "double", "climb", "face", "touch", "enter", "dig", "end"},
    "shooting": {"shoot", "bombard", "strike", "end"},
    "assault": {"charge", "end"},
    "ambush": {"reveal", "done"},
    "hits": {"take"},
    "charge": {"charge", "done"},
    "defensive-fire": {"shoot", "done"},
    "answer": {"counter", "break-off"},
    "break-off": {"withdraw"},
    "consolidation": {"consolidate", "done"},
    "positions": {"occupy"},
}
"""By what is decided, the kinds of orders that belong there."""


class Referee(Turns):
    """Watches a game: ``look`` at the start, ``watch`` after each order."""

    def __init__(self, text: str, dice: Sequence[int | str]) -> None:
        super().__init__(text)
        self.asked: tuple[str, str] | None = None
        self.course = self.play()
        self._go_on(None, dice, ())

    def _go_on(self, order: str | None, dice: Sequence[int | str], events: Sequence[Told]) -> None:
        self.dice, self.told, self.events = list(map(int, dice)), [], events
        try:
            self.asked = self.course.send(order) if order is not None else next(self.course)
        except StopIteration:
            self.asked = None

    def watch(self, order: str, dice: Sequence[int | str], events: Sequence[Any]) -> None:
        """An order was played with some dice: its events must be those that follow from the rules."""
        told = [(event.rule, event.code, _plain(event.facts)) for event in events]
        self._go_on(order, dice, told)
        for mine, engine in zip(self.told, told, strict=False):
            agree(mine == engine, f"{order}: the referee tells {mine}, the engine {engine}")
        rest = self.told[len(told) :], told[len(self.told) :]
        agree(not any(rest), f"{order}: left over are, of the referee {rest[0]}, of the engine {rest[1]}")
        agree(not self.dice, f"{order}: the engine threw more dice: {self.dice}")

    def look(self, state: dict[str, Any]) -> None:
        """Compare a state of the engine with the books; it tells which of several ways was gone."""
        for team in self.teams:
            heading = state["units"][team.id].get("direction")
            if heading in team.headings:
                team.facing = heading
            team.headings = set()
        mine = state_of(self)
        side, kind = self.asked or (None, None)
        mine["decision"] = {"side": side, "kind": kind} if self.asked else None
        mine["active"] = self.active if self.asked else None
        mine["phase"] = state["phase"] if self.asked else "over"
        for key in {*mine, *state}:
            if mine.get(key) != state.get(key):
                for name, value in (mine[key] or {}).items() if isinstance(mine.get(key), dict) else ():
                    other = (state[key] or {}).get(name)
                    agree(value == other, f"{key} of {name}: the referee has {value}, the engine {other}")
                agree(False, f"{key}: the referee has {mine.get(key)}, the engine {state.get(key)}")

    # -- what may be ordered -----------------------------------------------------------------------------

    def orders(self) -> Iterator[str]:
        """All orders of now; of shots, those of single teams."""
        assert self.asked is not None
        side, kind = self.asked
        if kind == "movement":
            yield from self.movement_orders(side)
        elif kind == "shooting":
            yield from self.shooting_orders(side)
        elif kind == "ambush":
            yield from self.reveals(side)
        elif kind in ("assault", "charge"):
            yield from self.charges(self.of(side), first=kind == "assault")
        elif kind == "defensive-fire":
            yield from self.defensive()
        elif kind == "consolidation":
            yield from self.consolidations(side)
        else:
            yield from self._choices(kind, side)
        yield from VERBS[kind] & {"end", "done"}

    def _choices(self, kind: str, side: str) -> Iterator[str]:
        if kind == "hits":
            yield from (f"take {team.id}" for team in self.taking)
        elif kind == "answer":
            yield from (f"{verb} {one.id}" for one in self.answering for verb in ("counter", "break-off"))
        elif kind == "break-off":
            labels = self.sheet.labels
            for team in self.going(side):
                yield from (f"withdraw {team.id} {labels[h]}" for h in self.refuges(team))
        else:
            yield from (f"occupy {team.id}" for team in self.claims()[0])

    def refused_by(self, text: str) -> str | None:
        """The rule that refuses an order whatever else holds: it is for another time or another side."""
        assert self.asked is not None
        side, kind = self.asked
        verb, *words = text.split()
        if verb not in VERBS[kind]:
            return OUT_OF_TURN[kind]
        if kind in ("movement", "assault", "shooting") and words and verb not in ("shoot", "strike"):
            name = words[0].split(",")[0]
            owner = self.team[name].side if name in self.team else self.platoon[name].side
            first = {"dig": "C3.1", "bombard": "C13.6", "charge": "C13.1"}.get(verb, "C10.1")
            if owner != side:
                return first
        return None

    def allows(self, text: str, waived: frozenset[str] = frozenset(), only: str | None = None) -> bool:
        """Whether an order is legal now, with some rules waived, or with one rule only."""
        if self.refused_by(text) is not None:
            return False
        self.waived, self.only = waived, only
        try:
            return self._allows(text)
        finally:
            self.waived, self.only = frozenset(), None

    def _allows(self, text: str) -> bool:
        assert self.asked is not None
        side, kind = self.asked
        verb, *words = text.split()
        if verb in ("end", "done"):
            return True
        if verb in ("shoot", "bombard", "strike", "dig", "counter", "break-off", "take", "occupy"):
            return self._allows_group(verb, words, side, kind)
        team, (label, _, floor) = self.team[words[0]], words[1].partition("/")
        path = [self.sheet.number[one] for one in label.split("-")]
        h = path[-1]
        if verb in ("enter", "reveal"):
            comes = team.due if verb == "enter" else team.coming == "ambush" and team.side == side
            may = self.may_come if verb == "enter" else self.may_reveal
            return not self.bars("C10.2", not comes or not may(team, h))
        if team.hex < 0:
            return False
        if verb == "climb":
            return (h, int(floor)) in self.climbs(team)
        if verb in ("withdraw", "consolidate"):
            goes = team in self.going(side) and h in self.refuges(team) if verb == "withdraw" else (
                team.side == side and self.may_consolidate(team, h)
            )  # fmt: skip
            return not self.bars("C13.5", not goes)
        if verb == "charge":
            return team.side == side and (self.may_begin if kind == "assault" else self.may_join)(team, h)
        if verb in ("move", "double"):
            return (self.may_move if verb == "move" else self.may_double)(team, path)
        return (self.may_face if verb == "face" else self.may_touch)(team, h)

    def _allows_group(self, verb: str, words: Sequence[str], side: str, kind: str) -> bool:
        if verb in ("take", "occupy"):
            rule, able = ("C12.3", self.taking) if verb == "take" else ("C5.5", self.claims()[0])
            return not self.bars(rule, self.team[words[0]] not in able)
        if verb in ("counter", "break-off"):
            return not self.bars("C13.4", self.platoon[words[0]] not in self.answering)
        if verb == "dig":
            platoon = self.platoon[words[0]]
            return not self.bars("C3.1", not platoon.there) and self.may_dig(platoon)
        if verb == "strike":
            target = self.platoon[words[0]]
            return not self.bars("C13.7", not self.flying[side] or target.side == side or not target.there)
        if verb == "bombard":
            return self.may_bombard(self.platoon[words[0]], self.sheet.number[words[1]], "smoke" in words)
        teams = sorted([self.team[name] for name in words[0].split(",")], key=lambda team: team.number)
        if self.bars("C12.1", any(team.side != side for team in teams)):
            return False
        target, mg, aimed = self.platoon[words[1]], "mg" in words, "doubled" in words
        if kind == "defensive-fire":
            return self.may_defend(teams, target, mg, aimed)
        return self.may_shoot(teams, target, mg, aimed)

    def agrees(self, text: str, rule: str, facts: Mapping[str, Any]) -> bool:
        """Whether a rule is a reason to refuse an order.

        It is if alone it forbids the order, if without it the order would be legal, or if it bars the step on
        the straight way that the refusal names.
        """
        bound = self.refused_by(text)
        if bound is not None:
            return rule == bound
        rule = SAME.get(rule, rule)
        texts = [text]
        if text.startswith("shoot ") and "unit" in facts:
            texts.append(" ".join(["shoot", facts["unit"], *text.split()[2:]]))
        if any(
            not self.allows(one, only=rule) or self.allows(one, waived=frozenset({rule})) for one in texts
        ):
            return True
        verb, name, *_ = text.split()
        if verb not in ("move", "double", "climb") or "hex" not in facts:
            return False
        return self._bars_step(verb, self.team[name], rule, facts)

    def _bars_step(self, verb: str, team: Team, rule: str, facts: Mapping[str, Any]) -> bool:
        h = self.sheet.number[facts["hex"]]
        before = [self.sheet.number[facts["from"]]] if "from" in facts else self.sheet.beside[h]
        mover = self.mover(team)
        if rule == "C1.5" and "allowance" in facts:
            # Too far: the numbers that it tells must be true.
            ground = ("road", "cross-country", "difficult").index(facts["ground"])
            return bool(
                mover.allowance[ground]
                == facts["allowance"]
                < max(facts["steps"], self.sheet.far[team.hex][h])
            )
        makes = self.stride if verb == "double" else self.step
        self.only = rule
        try:
            return any(not makes(mover, a, h) for a in before if a in self.sheet.beside[h])
        finally:
            self.only = None


def _plain(facts: Any) -> dict[str, Any]:
    """The facts of an event with parts of scores as plain tuples."""
    return {
        name: [tuple(part) for part in value] if name == "parts" else value
        for name, value in dict(facts).items()
    }
