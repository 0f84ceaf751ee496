"""The quick verdict on a line of sight and the facts that explain it are one."""

from __future__ import annotations

import pytest

from tests.systems.platoon import made_up


@pytest.mark.rule("P10.3")
@pytest.mark.parametrize("seed", range(6))
def test_a_line_is_judged_as_its_facts_are(seed):
    """All pairs of hexes of made-up maps, hilly ones among them, without wrecks and with a few."""
    sight, size = made_up.scenario(seed).board.sight, made_up.scenario(seed).board.size
    some = sum(1 << place for place in range(0, size, 5))
    for wrecks in (0, some):
        for a in range(size):
            for b in range(size):
                assert sight.sees(a, b, wrecks) == sight.facts(a, b, wrecks).clear, (a, b)
                assert sight.sees(a, b, wrecks) == sight.sees(b, a, wrecks)
