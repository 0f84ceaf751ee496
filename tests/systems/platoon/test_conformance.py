"""The conformance kit on small battles with what the shipped scenarios leave out."""

import pytest

from hexengine.content.loader import loads
from hexengine.testing import conformance
from tests.rules.table import scenario

FORCES = """
    blue A morale 7 markers 2
        hq hq-us 0101
        i1 engineers 0101
        c1 m113 0202
        i2 inf-us in c1
    red B morale 7
        i8 inf-su 0502
        c9 btr-70 0601
        i9 inf-su in c9
        h9 hq-su 0502
"""


def found(seed, **rest):
    text = scenario("..w...\n......\n...t..", FORCES, turns=2, **rest)
    return conformance.run(loads(text, "small"), 3, seed, share=0.15, faces=200)


@pytest.mark.parametrize("seed", range(2))
def test_digging_and_walls(seed):
    findings = found(seed, options={"dig_in": True, "wall_cover": True}, on_map={"walls": ["0401/0501"]})
    assert findings.events["P11.1"] and findings.refused["P11.1"]


def test_cross_loading():
    forces = """
    blue A
        hq hq-us 0101
        i1 inf-us 0101
        c1 m113 0201
    blue C
        c2 m113 0101
        i2 inf-us 0201
        i3 inf-us in c2
    red B
        i8 inf-su 0602
    """
    text = scenario("..w...\n......\n...t..", forces, turns=3, options={"cross_loading": True})
    findings = conformance.run(loads(text, "small"), 4, 1, share=0.15, faces=200)
    assert sum(findings.events[rule] for rule in ("P5.2", "P5.3", "P5.5", "P5.6"))


@pytest.mark.parametrize("seed", range(2))
def test_mines(seed):
    head = {"mines": {"blue": 2, "red": 1}}
    findings = found(seed, head=head, on_map={"mines": ["0301", "0402"]})
    assert findings.events["P11.2"] and findings.refused["P11.3"]


def test_swimmers():
    findings = found(1, on_map={"rivers": ["0201/0301", "0201/0302", "0202/0302", "0202/0303", "0203/0303"]})
    assert findings.events["P14.3"]
