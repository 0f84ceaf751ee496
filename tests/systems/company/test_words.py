"""Every refusal and event of the company system has words, and nothing else has."""

from __future__ import annotations

import re
from pathlib import Path

import hexengine.systems.company
from hexengine.content.data import data_file
from hexengine.systems.company.orders import VERBS

SYSTEMS = Path(hexengine.systems.company.__file__).parents[1]
SOURCES = sorted([*(SYSTEMS / "company").rglob("*.py"), *SYSTEMS.with_name("mechanics").glob("*.py")])
TEXTS = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
WORDS = data_file("company", "words").value


def codes(call: str) -> set[str]:
    """Codes written behind a rule in a call; two of them where a condition chooses."""
    found: set[str] = set()
    for after in re.findall(rf'\b{call}\(\s*(?:"C[\d.]+"[^,]*|\w+),\s*([^,]+),', TEXTS):
        found.update(re.findall(r'"([a-z0-9-]+)"', after))
    return found


def test_refusals() -> None:
    assert len(codes("Refusal")) > 50
    assert codes("Refusal") <= set(WORDS.refusal), codes("Refusal") - set(WORDS.refusal)
    assert not {code for code in WORDS.refusal if f'"{code}"' not in TEXTS}


def test_events() -> None:
    assert len(codes("Event")) > 30
    assert codes("Event") <= set(WORDS.event), codes("Event") - set(WORDS.event)
    assert not {code for code in WORDS.event if f'"{code}"' not in TEXTS}


def test_orders() -> None:
    assert set(WORDS.value["help"]) == set(VERBS)
    page = (Path(__file__).parents[3] / "docs" / "company.md").read_text(encoding="utf-8")
    missing = [verb for verb in VERBS if f"`{verb}" not in page]
    assert not missing
