"""A fixed piece of plain Python, so that figures of different machines and days compare.

It is run between whatever is measured, in the same process; figures are then given as they would be where
the loop takes 4 ms: on a core of 2023 with nothing else to do.
"""

from __future__ import annotations

from time import process_time

REST = 0.004
"""Seconds of the loop on a machine at rest."""


def calibrate() -> float:
    """Seconds of processor time that the loop takes now: arithmetic, look-ups, a list that grows."""
    began = process_time()
    table = {number: number * 7 % 1009 for number in range(2000)}
    found: list[int] = []
    total = 0
    for turn in range(24):
        for number in range(2000):
            value = table[number]
            if value & 1:
                total += value ^ turn
            else:
                total -= value
        found.append(total)
    assert len(found) == 24
    return process_time() - began
