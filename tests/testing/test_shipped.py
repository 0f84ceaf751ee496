"""The conformance kit on every shipped scenario, whatever its system."""

import os
import subprocess
import sys

import pytest

import hexengine
from hexengine.content.data import data_file
from hexengine.content.resources import shipped_scenarios
from hexengine.testing import conformance

SHIPPED = shipped_scenarios()

TRANSCRIPTS = """\
import hexengine as hx, sys
from hexengine.testing.playing import transcript
for name in sys.argv[1:]:
    sys.stdout.buffer.write("\\n".join([name, *transcript(hx.load(name)), ""]).encode("utf-8"))
"""
"""A random game of each scenario in words."""


def run(name, games, share, seed=1):
    scenario = hexengine.load(name)
    catalogue = {rule.id for rule in data_file(scenario.system, "rules").value.rule}
    return conformance.run(scenario, games=games, seed=seed, share=share, catalogue=catalogue)


@pytest.mark.parametrize("shipped", SHIPPED, ids=[shipped.name for shipped in SHIPPED])
def test_every_promise_is_kept(shipped):
    """One game of the large ones, several of the small ones; longer runs are for the night."""
    found = run(shipped.name, games=5 if shipped.tiny else 1, share=0.1 if shipped.tiny else 0.02)
    assert found.orders > 0


def test_games_are_the_same_whatever_the_hash_seed():
    """What ``factory`` asks of the kit, but with one process for all scenarios."""
    told = []
    for hash_seed in ("0", "1", "random"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", TRANSCRIPTS, *[shipped.name for shipped in SHIPPED]]
        told.append(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(told[0].splitlines()) > 20 * len(SHIPPED)
    assert told[0] == told[1] == told[2]
