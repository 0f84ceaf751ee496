"""Counters as they are printed (``[[type]]``): what each kind must have, and what is of no use to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hexengine.core.system import Report
from hexengine.systems.platoon.scenario.format import ReducedSide, UnitType

ON_THE_GROUND = ("transport", "amphibious", "infantry", "team", "engineer", "recon", "indirect")
"""Flags that mean nothing for helicopters: they carry nobody, nor are they carried (P13.1)."""

FIGHTERS = ("hard", "soft", "air")
BLOCKS = ("ap", "he", "aa")
PAIRS = ("armour", "assault")
OF_HQS = ("leadership", "radius", "pictured")
USELESS: Mapping[str, tuple[str, ...]] = {
    "hq": ("mobility", "ma", *BLOCKS, "minimum", *PAIRS),
    "sw": ("mobility", "ma", *PAIRS, *OF_HQS),
    **dict.fromkeys(FIGHTERS, OF_HQS),
}
"""Keys that mean nothing for a kind: an HQ and a support weapon go with others (P3.1)."""

CALLED = {
    "hard": "a hard unit",
    "soft": "a soft unit",
    "air": "an air unit",
    "hq": "an HQ",
    "sw": "a support weapon",
}
MOST_DICE = 20
LONGEST_RANGE = 99


def check_types(types: Iterable[UnitType], report: Report) -> None:
    """Report all that is wrong with the types of a file."""
    for number, kind in enumerate(types):
        TypeChecker(kind, number, report).check()


class TypeChecker:
    """Checks one type, the ``number``-th of a file."""

    def __init__(self, kind: UnitType, number: int, report: Report) -> None:
        self.kind = kind
        self.path = ("type", number)
        self._report = report

    def check(self) -> None:
        """Report all that is wrong with it."""
        kind = self.kind
        self._mobility()
        if kind.kind in FIGHTERS and kind.armour is None:
            self._fault((), "kind armour", f"{CALLED[kind.kind]} needs armour", 'such as armour = "0/5"')
        for key in USELESS[kind.kind]:
            if getattr(kind, key) not in (None, 0, []) and (key != "mobility" or kind.mobility != "air"):
                self._fault((key,), "kind", f"{CALLED[kind.kind]} has no {key}", "leave it out")
        self._numbers()
        if kind.he is None and "indirect" in kind.flags:
            text = "indirect fire is that of an he block, and there is none"
            self._fault(("flags",), "he", text, "add he, or leave indirect out", "P12.5")
        if kind.he is None and kind.minimum and kind.kind != "hq":
            text = "minimum is about the he block, and there is none"
            self._fault(("minimum",), "he", text, "add he, or leave minimum out", "P12.5")
        if kind.reduced is not None:
            self._reduced(kind.reduced)

    def _fault(
        self,
        below: tuple[str | int, ...],
        rests_on: str,
        text: str,
        advice: str | None = None,
        rule: str | None = None,
    ) -> None:
        """Report a fault at a key; ``rests_on`` names the others that it follows from."""
        others = [(*self.path, key) for key in rests_on.split()]
        told = f"{self.kind.id}: {text}" if self.kind.id else text
        self._report((*self.path, *below), told, advice, rule=rule, rests_on=others)

    def _mobility(self) -> None:
        kind = self.kind
        if kind.kind == "air":
            if kind.mobility != "air":
                below = () if kind.mobility is None else ("mobility",)
                self._fault(below, "kind mobility", "an air unit flies", 'mobility = "air"', "P13.1")
            grounded = [flag for flag in kind.flags if flag in ON_THE_GROUND]
            if grounded:
                self._fault(("flags",), "kind", f"an air unit cannot be {grounded[0]}", None, "P13.1")
        elif kind.mobility == "air":
            self._fault(("mobility",), "kind", "only air units fly", "leg, tracked or wheeled", "P13.1")
        elif kind.kind in FIGHTERS and kind.mobility is None:
            text = f"{CALLED[kind.kind]} needs a mobility"
            self._fault((), "kind mobility", text, "leg, tracked or wheeled")

    def _numbers(self) -> None:
        """Dice and ranges are such as a table can use."""
        for key in BLOCKS + PAIRS:
            written = getattr(self.kind, key)
            if written is None:
                continue
            if int(written.split("/")[-2]) > MOST_DICE:
                self._fault((key,), "", f"{key} has too many dice", f"{MOST_DICE} at most")
            if key in BLOCKS and not 1 <= _range(written) <= LONGEST_RANGE:
                self._fault((key,), "", f"the range of {key} must be from 1 to {LONGEST_RANGE}")

    def _reduced(self, reduced: ReducedSide) -> None:
        """The reduced side has no more of anything than the full one (P3.3)."""
        for key in ReducedSide.__struct_fields__:
            fewer = getattr(reduced, key)
            if fewer is None:
                continue
            full = getattr(self.kind, key)
            if full is None or (full == 0 and fewer):
                text = f"{key} is reduced, but the full side has none"
                self._fault(("reduced", key), f"kind {key}", text, "leave it out", "P3.3")
                continue
            most = full if isinstance(full, int) else int(full.split("/")[-2])
            if fewer > most:
                text = f"the reduced side has more {key} ({fewer}) than the full one ({most})"
                self._fault(("reduced", key), key, text, rule="P3.3")


def _range(block: str) -> int:
    return int(block.split("/")[0].rstrip("um"))
