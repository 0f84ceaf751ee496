"""Cover (C4): who is concealed, who has gone to ground, who is in bulletproof cover, and the scores of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.systems.company.referee.books import Team
from tests.systems.company.referee.movement import Movement
from tests.systems.company.referee.sheet import Edge

Part = tuple[str, str, int]
"""A part of a score: rule, name, number."""


def total(parts: Collection[Part]) -> int:
    """The score that parts make."""
    return sum(value for _, _, value in parts)


def middle(scores: Sequence[list[Part]]) -> list[Part]:
    """C4.4: of the scores against teams the one that half or more of them have, or a higher one."""
    return sorted(scores, key=total)[len(scores) // 2]


class Cover(Movement):
    """How hard teams are to hit."""

    def smoked(self, h: int) -> bool:
        """Whether smoke lies in a hex."""
        return any(h in smoke for smoke in self.smoke.values())

    def last_edges(self, origin: int, h: int) -> list[Edge]:
        """The hexsides over which a shot comes into a hex."""
        line = self.sheet.line(origin, h)
        return [self.sheet.edge(one, h) for one in (line[-1] if line else (origin,))]

    def concealed(self, team: Team, origin: int | None) -> bool:
        """C4.1, C4.2, C6.7, C13.6: from shots out of a hex, or from above."""
        if team.doubled and self.sheet.options.get("double_negates_concealment", False):
            return False
        if self.sheet.rows[team.hex].get("conceals") or self.smoked(team.hex):
            return True
        light = team.size in ("light", "medium") and "aa" not in team.flags
        if team.dug and (team.foot or light):
            return True
        if team.foot and not (team.moved or team.doubled):
            return True
        if origin is None or origin == team.hex:
            return False
        if any(edge.conceals for edge in self.last_edges(origin, team.hex)):
            return True
        return any(self.smoked(h) for together in self.sheet.line(origin, team.hex) for h in together)

    def bulletproof(self, team: Team, origins: Collection[int]) -> bool:
        """C4.1, C4.4, C6.7: infantry and guns in bulletproof cover, against shots out of some hexes."""
        if not team.digs:
            return False
        if team.dug or self.sheet.rows[team.hex].get("bulletproof"):
            return True
        return bool(origins) and all(
            origin != team.hex and any(edge.bulletproof for edge in self.last_edges(origin, team.hex))
            for origin in origins
        )

    def protection(self, team: Team, origin: int | None, rule: str, cover: str) -> list[Part]:
        """The parts of a score by Skill, concealment and going to ground (C4.4, C12.2)."""
        more = self.tables["more_to_hit"]
        parts: list[Part] = [(rule, "skill", team.to_hit)]
        if self.concealed(team, origin):
            parts.append((cover, "concealed", more["concealed"]))
            if team.digs and not (team.moved or team.doubled or team.shot):
                parts.append((cover, "gone-to-ground", more["gone_to_ground"]))
        return parts
