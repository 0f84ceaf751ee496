"""An HQ is kept company by units of its own formation (P9.1, P9.3)."""

import pytest

from tests.rules.asking import codes, unit
from tests.rules.table import begin, play


@pytest.mark.rule("P9.1", "P9.3")
def test_units_of_another_formation_are_no_company():
    """B's HQ loses its last unit beside a unit of C: it is lost too, and C's unit does not lead it about."""
    game = begin(
        "........",
        """
        blue A
            a1 m1 0101
        red B
            hq hq-su 0601
            b1 t-72 0601 disrupted steps=1
            b2 t-72 0801
        red C
            c1 t-72 0601
        """,
        active="A",
    )
    events = play(game, "fire a1 b1 [4 4 4 1  1 1]")
    assert codes(events).count("eliminated") == 2
    assert unit(game, "hq")["hex"] is None
    assert unit(game, "c1")["hex"] == "0601"
