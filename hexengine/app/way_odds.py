"""What a whole way may bring, told unit by unit and written as JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hexengine.app.words import said
from hexengine.core.path_odds import HARMLESS, Fate, PathOdds
from hexengine.lab.statistics import wilson

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.core.orders import Order
    from hexengine.record.game import Game

UNTOLD = HARMLESS | {"reduced", "eliminated"}
"""States that follow from what else is said of a unit."""


def supposing(found: PathOdds) -> str:
    """What is taken for granted of the other side, and how sure the numbers are."""
    text = said("if every shot is taken, the best first")
    if not found.samples:
        return text
    return said("{text} (of {samples} games tried out)", text=text, samples=found.samples)


def tell(terminal: Terminal, game: Game, title: str, found: PathOdds) -> None:
    """How likely the whole group arrives, and what may become of each of its units, and where."""
    terminal.say(title, "bold")
    terminal.say(supposing(found), indent=2)
    before = game.state()["units"]
    rows = [_row(found, found.whole, said("all arrive unhurt"))]
    rows.append(_row(found, found.lost, said("one or more are lost")))
    terminal.table(rows, frozenset({0, 1}))
    for unit, fates in found.fates.items():
        terminal.say(unit, "bold", indent=2)
        merged: dict[str, Fraction] = {}
        for fate in fates:
            text = _fate(before[unit], fate)
            merged[text] = merged.get(text, Fraction(0)) + fate.probability
        told = sorted(merged.items(), key=lambda row: -row[1])
        terminal.table([_row(found, chance, text) for text, chance in told], frozenset({0, 1}), indent=4)


def _row(found: PathOdds, chance: Fraction, text: str) -> tuple[str, str, str]:
    """A chance, as a fraction if it is exact and short, else with its 95 % interval."""
    if found.samples:
        low, high = wilson(round(chance * found.samples), found.samples)
        sure = f"{low:.1%}-{high:.1%}"
    else:
        sure = str(chance) if len(str(chance)) <= 11 else ""
    return f"{float(chance):.2%}", sure, text


def _fate(before: dict[str, Any], fate: Fate) -> str:
    """What becomes of a unit, in words."""
    from hexengine.view.scenes import state_word

    if "eliminated" in fate.status:
        return said("lost")
    place = fate.hex or said("off the map")
    if fate.whole:
        return said("{hex}, unhurt", hex=place)
    lost = before["steps"] - fate.steps
    parts = [said("loses {lost} of {steps} steps", lost=lost, steps=before["steps"])] if lost > 0 else []
    parts += [state_word(one) for one in fate.status if one not in UNTOLD and one not in before["status"]]
    return said("{hex}, {what}", hex=place, what=", ".join(parts) or said("goes no further"))


# -- as JSON ------------------------------------------------------------------------------------


def document(order: Order, found: PathOdds) -> dict[str, Any]:
    """All that is known, as docs/formats.md describes it."""
    return {
        "order": str(order),
        "way": [str(step) for step in found.orders],
        **answered(found),
        "whole": _chance(found, found.whole),
        "lost": _chance(found, found.lost),
        "units": {
            unit: [
                {
                    **_chance(found, fate.probability),
                    "hex": fate.hex,
                    "steps": fate.steps,
                    "status": list(fate.status),
                    "whole": fate.whole,
                }
                for fate in fates
            ]
            for unit, fates in found.fates.items()
        },
    }


def answered(found: PathOdds) -> dict[str, Any]:
    """How it was worked out, and the results."""
    return {
        "samples": found.samples,
        "runs": found.runs,
        "outcomes": [{**_chance(found, one.probability), "result": one.result} for one in found.outcomes],
    }


def _chance(found: PathOdds, chance: Fraction) -> dict[str, Any]:
    """A chance; a sampled one with its 95 % interval."""
    if not found.samples:
        return {"p": str(chance)}
    low, high = wilson(round(chance * found.samples), found.samples)
    return {"p": str(chance), "low": low, "high": high}
