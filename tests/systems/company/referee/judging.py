"""What all parts of the referee do: throw dice, tell events, and weigh rules that forbid something."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from tests.systems.company.referee.books import Books, Platoon, Team

SAME = {"C8.7": "C1.5", "C8.9": "C2.4", "C7.5": "C1.3"}
"""Rules that forbid the same thing, in a building and out of it."""

Told = tuple[str, str, dict[str, Any]]


class Disagreement(AssertionError):
    """The engine and the referee differ."""


def agree(holds: object, said: str) -> None:
    """Raise Disagreement unless something holds."""
    if not holds:
        raise Disagreement(said)


class Judge(Books):
    """Books with dice and events."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.dice: list[int] = []
        self.told: list[Told] = []
        self.events: Sequence[Told] = ()
        """What the engine told of the order that is looked at."""
        self.waived: frozenset[str] = frozenset()
        """Rules that do not count for the moment."""
        self.only: str | None = None
        """The one rule that counts for the moment, if not None."""

    # -- dice and events -------------------------------------------------------------------------------

    def roll(self, number: int) -> list[int]:
        """The next dice that were thrown."""
        agree(len(self.dice) >= number, f"{number} more dice are thrown than the engine threw")
        faces, self.dice = self.dice[:number], self.dice[number:]
        return faces

    def reach_of(self, number: int, need: int) -> tuple[int, list[int]]:
        """How many of some dice reach a number, and the dice."""
        faces = self.roll(max(0, number))
        return sum(face >= need for face in faces), faces

    def twice(self, number: int, need: int, again: int) -> tuple[int, list[int]]:
        """Dice that must reach a number, and each then another one, thrown at once."""
        hits, shown = 0, []
        for _ in range(number):
            shown += self.roll(1)
            if shown[-1] >= need:
                shown += self.roll(1)
                hits += shown[-1] >= again
        return hits, shown

    def tell(self, rule: str, code: str, **facts: Any) -> None:
        """An event that must have been told; ``from_`` stands for ``from``."""
        self.told.append((rule, code, {name.rstrip("_"): value for name, value in facts.items()}))

    # -- rules -------------------------------------------------------------------------------------------

    def bars(self, rule: str, forbidden: object) -> bool:
        """Whether a rule forbids something, as long as it counts."""
        if not forbidden:
            return False
        rule = SAME.get(rule, rule)
        return rule == self.only if self.only is not None else rule not in self.waived

    def counts(self, rule: str) -> bool:
        """Whether a rule counts for the moment."""
        return self.bars(rule, True)

    # -- tests --------------------------------------------------------------------------------------------

    @staticmethod
    def worst(teams: Iterable[Team], what: str) -> int:
        """C11.1: the number that the worst of some teams needs."""
        return max(int(getattr(team, what)) for team in teams)

    def joined(self, platoon: Platoon) -> bool:
        """C11.1: whether a company command team has joined a platoon."""
        if any("company" in team.flags for team in platoon.there):
            return True
        leader = platoon.leader
        if leader is None:
            return False
        companies = [team for team in self.of(platoon.side) if "company" in team.flags]
        return any(self.sheet.far[leader.hex][team.hex] <= self.reach["joined"] for team in companies)

    def motivated(self, platoon: Platoon, rule: str, testing: Collection[Team]) -> bool:
        """A Motivation test, taken again once where a company command team has joined (C11.1)."""
        need = self.worst(testing, "motivation")
        passed, faces = self.reach_of(1, need)
        if not passed and self.joined(platoon):
            passed, more = self.reach_of(1, need)
            faces += more
        code = "motivation-passed" if passed else "motivation-failed"
        self.tell(rule, code, platoon=platoon.id, need=need, faces=faces)
        return bool(passed)

    def pin(self, platoon: Platoon, rule: str) -> None:
        """C11.2: a platoon of infantry or guns is pinned down, armoured teams are not."""
        if platoon.pinned or all(team.armour for team in platoon.there):
            return
        platoon.pinned = True
        self.tell(rule, "pinned", platoon=platoon.id)

    def destroy(self, team: Team, rule: str) -> None:
        """A team is lost where it stands."""
        self.tell(rule, "destroyed", unit=team.id, hex=self.sheet.labels[team.hex])
        self.lose(team)

    def sees(self, team: Team, other: Team) -> bool:
        """Whether a team sees another one."""
        return self.sheet.sees(team.hex, team.floor, other.hex, other.floor)
