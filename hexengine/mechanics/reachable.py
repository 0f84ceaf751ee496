"""Whether anybody can ever come to the hexes that a scenario wants to be held."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence, Set
from typing import NamedTuple

from hexengine.mechanics.checking import Checker, Path
from hexengine.mechanics.maps import LAYOUT

ADVICE = "name a hex to which a way leads from where units begin or come in"


class Access(NamedTuple):
    """How the units of a scenario come about on its map, whosever they are."""

    neighbours: Sequence[Sequence[int]]
    """By hex the hexes around it, -1 beyond the edge."""
    begin: Set[int]
    """Where some unit begins or comes in, and where one might since not all is known of the scenario."""
    leads: Callable[[int, int], bool]
    """Whether some unit can step from a hex to the one next to it."""

    def cut_off(self, place: int) -> set[int]:
        """The hexes from which alone a hex can be come to, if nobody begins in any of them; or nothing."""
        seen, pending = {place}, [place]
        for here in pending:
            if here in self.begin:
                return set()
            for there in self.neighbours[here]:
                if there >= 0 and there not in seen and self.leads(there, here):
                    seen.add(there)
                    pending.append(there)
        return seen

    def border(self, places: Iterable[int]) -> set[int]:
        """Some hexes, and those around them."""
        return {there for here in places for there in (here, *self.neighbours[here]) if there >= 0}


def check_held(
    builder: Checker,
    access: Access,
    find: Callable[[str], int | None],
    held: Container[int],
    rule: Callable[[int], str],
    hidden: Callable[[Set[int]], Iterable[Path]],
) -> None:
    """Report hexes of ``hold`` that nobody in the game can ever come to, and nobody holds at the start.

    ``find`` knows hexes by their labels, ``held`` those that a side holds, ``rule`` the rule that closes a
    hex. ``hidden`` says where in the file somebody might be hidden who can come there, by the hexes that are
    cut off and those around them.
    """
    if not access.begin:
        return
    for number, goal in enumerate(builder.document.victory):
        if goal.kind != "hold":
            continue
        named = [(("hexes", item), label) for item, label in enumerate(goal.hexes)]
        for below, label in [(("hex",), goal.hex), *named] if goal.hex is not None else named:
            place = find(label)
            if place is None or place in held:
                continue
            around = access.cut_off(place)
            if around:
                text = f"no unit in the game can ever come to {label}"
                rests_on = [("victory", number, "kind"), *LAYOUT, *hidden(access.border(around))]
                path: Path = ("victory", number, *below)
                builder.report(path, text, ADVICE, rule=rule(place), rests_on=rests_on)
