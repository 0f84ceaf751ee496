"""The Shooting Step (C12): platoons shoot or bombard, and aircraft strike, until the side is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.firing import artillery
from hexengine.systems.company.firing.shots import AIR, able, can_shoot, refuse_shot, shots
from hexengine.systems.company.firing.volley import Volley, open_fire
from hexengine.systems.company.orders import END, Bombard, End, Shoot, Strike
from hexengine.systems.company.position import CompanyPosition

ENDING: Actor = -1


class Shooting(NamedTuple):
    """A side's Shooting Step."""

    side: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "shooting"

    def decider(self, pos: CompanyPosition) -> int:
        """The side whose turn it is."""
        return self.side

    def enemies(self, pos: CompanyPosition) -> list[int]:
        """The enemy platoons on the map."""
        return [one for one in hexes(pos.board.side_platoons[1 - self.side]) if pos.alive(one)]

    def _platoons(self, pos: CompanyPosition) -> list[tuple[int, int]]:
        """The platoons with teams that may still shoot, with these."""
        board, mask = pos.board, able(pos, self.side)
        return [
            (platoon, board.members[platoon] & mask)
            for platoon in hexes(board.side_platoons[self.side])
            if board.members[platoon] & mask
        ]

    def actors(self, pos: CompanyPosition) -> list[Actor]:
        """Platoons that can shoot or bombard, aircraft as the number after the last platoon, and ``end``."""
        found = [platoon for platoon, mask in self._platoons(pos) if self._acts(pos, platoon, mask)]
        if pos.flights[self.side] and self.enemies(pos):
            found.append(len(pos.board.platoons))
        return [*found, ENDING]

    def _acts(self, pos: CompanyPosition, platoon: int, mask: int) -> bool:
        """Whether some teams of a platoon, or its guns together, have something to shoot at."""
        if can_shoot(pos, mask, pos.stands(1 - self.side), False):
            return True
        return bool(artillery.bombardments(pos, platoon))

    def orders(self, pos: CompanyPosition, actor: Actor) -> list[Order]:
        """The orders of one of them."""
        board = pos.board
        if actor == ENDING:
            return [END]
        enemies = self.enemies(pos)
        if actor == len(board.platoons):
            return [board.orders.once(Strike, one) for one in enemies] if pos.flights[self.side] else []
        found = shots(pos, board.members[actor] & able(pos, self.side), enemies, False)
        return found + artillery.bombardments(pos, actor)

    def sample(self, pos: CompanyPosition, below: Callable[[int], int]) -> Order:
        """One order of one actor, each as likely: actors without an order are drawn again."""
        wanting = [platoon for platoon, _ in self._platoons(pos)]
        if pos.flights[self.side]:
            wanting.append(len(pos.board.platoons))
        wanting.append(ENDING)
        while True:
            actor = wanting[below(len(wanting))]
            if actor == ENDING:
                return END
            orders = self.orders(pos, actor)
            if orders:
                return orders[below(len(orders))]
            wanting.remove(actor)

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """The only judge of legality in the Shooting Step."""
        match order:
            case End():
                return None
            case Shoot():
                return refuse_shot(pos, self.side, order, self.enemies(pos), False)
            case Bombard():
                return artillery.check(pos, self.side, order)
            case Strike(platoon=platoon):
                facts = {"platoon": pos.board.platoons[platoon].id}
                if not pos.flights[self.side]:
                    return Refusal("C13.7", "no-aircraft", facts)
                return None if platoon in self.enemies(pos) else Refusal("C13.7", "no-target", facts)
        return Refusal("C10.1", "wrong-step", {"order": str(order)})

    def play(self, pos: CompanyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Carry out a legal order."""
        match order:
            case Shoot():
                open_fire(pos, self.side, order, False)
            case Bombard():
                artillery.bombard(pos, self.side, order, dice, emit)
            case Strike(platoon=platoon):
                pos.flights[self.side] -= 1
                pos.frames.append(Volley(self.side, 0, platoon, AIR, -1))
            case _:
                pos.frames.pop()

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """With nothing left to choose the step ends by itself."""
        if any(self._acts(pos, platoon, mask) for platoon, mask in self._platoons(pos)):
            return False
        if pos.flights[self.side] and self.enemies(pos):
            return False
        pos.frames.pop()
        return True
