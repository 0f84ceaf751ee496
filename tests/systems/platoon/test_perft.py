"""Exact counts of tiny positions against numbers derived by hand."""

from pathlib import Path

import pytest

from hexengine.content.loader import load
from hexengine.testing.suite import check_suite, read_suite

SUITE = Path(__file__).parents[2] / "perft" / "platoon.perft"
CLOSED_FORMS = {1: 3, 2: 11, 3: 49, 4: 261, 5: 1631, 6: 11743}


@pytest.mark.rule("P1.2", "P1.3")
def test_counted_and_derived_numbers_agree():
    assert check_suite(SUITE, load) == []


def test_the_cups_have_their_closed_forms():
    entries = {entry.id: entry for entry in read_suite(SUITE)}
    for number, leaves in CLOSED_FORMS.items():
        entry = entries[f"cup-{number}"]
        assert entry.derived
        assert [count.line.values[:3] for count in entry.counts] == [(str(number + 2), *[str(leaves)] * 2)]
