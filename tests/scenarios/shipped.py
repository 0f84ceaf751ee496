"""The scenarios that people play, for the tests beside this file."""

from functools import cache

from hexengine.content.loader import load
from hexengine.content.resources import shipped_scenarios

ALL = [shipped.name for shipped in shipped_scenarios() if not shipped.tiny]

# Every one of them is loaded once: a frozen scenario can be shared.
scenario = cache(load)


def of(system):
    """The names of those of one system."""
    return [name for name in ALL if scenario(name).system == system]


NAMES = of("platoon")
