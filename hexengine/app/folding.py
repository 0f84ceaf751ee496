"""Long lists of orders in few rows: those that differ in a hex alone stand together."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import groupby

from hexengine.view.text import width_of

HEX = "HEX"
"""What stands in a row for the hexes that are listed behind it."""


def folded(orders: Sequence[str], labels: Container[str], room: int) -> list[tuple[str, str, str]]:
    """The rows of a numbered list: from which number to which, the order, and its hexes in ``room`` cells.

    ``labels``: the names of hexes.  Hexes for which there is no room are left out in the middle.
    """
    rows = []
    parted = [(_parted(order, labels), number) for number, order in enumerate(orders, 1)]
    for (pattern, _), group in groupby(parted, key=lambda one: (one[0][0], not one[0][1])):
        found = list(group)
        first, last = found[0][1], found[-1][1]
        if len(found) == 1:
            rows.append((str(first), orders[first - 1], ""))
        else:
            numbers = f"{first}-{last}"
            rows.append((numbers, pattern, _fitted([place for (_, place), _ in found], room)))
    return rows


def _parted(order: str, labels: Container[str]) -> tuple[str, str]:
    """An order with HEX for the last hex that it names, and that hex; "" where it names none."""
    words = order.split(" ")
    for at in range(len(words) - 1, 0, -1):
        if words[at].partition("/")[0] in labels:
            return " ".join([*words[:at], HEX, *words[at + 1 :]]), words[at]
    return order, ""


def _fitted(places: list[str], room: int) -> str:
    """All places, or as many of the first and the last as there is room for."""
    left = len(places)
    text = " ".join(places)
    while width_of(text) > room and left > 2:
        left -= 1
        text = " ".join([*places[: left - left // 2], "...", *places[len(places) - left // 2 :]])
    return text
