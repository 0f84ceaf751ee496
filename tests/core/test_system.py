"""The registry of rule systems."""

import subprocess
import sys

import msgspec
import pytest

from hexengine.core import system
from hexengine.core.errors import BrokenSystem, UnknownSystem
from hexengine.core.formats import in_language
from hexengine.core.rulebook import Rule, RulesFile
from hexengine.core.system import BUILT_IN, get_system, register, system_names
from tests import toy


def test_a_registered_system_is_found():
    assert get_system("toy") is toy.SYSTEM
    assert "toy" in system_names()


def test_registering_again_replaces():
    class Other(toy.Toy):
        name = "toy-again"

    first, second = Other(), Other()
    register(first)
    register(second)
    assert get_system("toy-again") is second


def test_an_unknown_system_names_those_that_are_known():
    with pytest.raises(UnknownSystem) as caught:
        get_system("toi")
    assert "toy" in caught.value.known
    assert set(BUILT_IN) <= set(caught.value.known)
    assert list(caught.value.known) == sorted(caught.value.known)


def test_names_are_listed_without_loading_any_system():
    code = (
        "import sys; from hexengine.core.system import system_names; names = list(system_names());"
        "print(bool(names), [name for name in sys.modules if name.startswith('hexengine.systems')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True []"


class Point:
    """An entry point as importlib.metadata gives them."""

    def __init__(self, name, load, value="guest:SYSTEM"):
        self.name, self.load, self.value = name, load, value


@pytest.fixture
def install(monkeypatch):
    """Gives the registry entry points, as other packages have them."""

    def install(*points):
        monkeypatch.setattr(system, "_entry_points", lambda: points)
        system._registry.cache_clear()

    yield install
    system._registry.cache_clear()


def raises():
    raise NameError("name 'gone' is not defined")


def test_a_system_of_another_package_is_found_by_its_entry_point(install):
    guest = type("Guest", (toy.Toy,), {"name": "guest"})()
    install(Point("guest", lambda: guest))
    assert get_system("guest") is guest and "guest" in system_names()
    assert system.shadowed() == []


@pytest.mark.parametrize(
    ("load", "said"),
    [
        (toy.Toy, "guest:SYSTEM has the name 'toy', its entry point 'guest'; they must be the same"),
        (object, "guest:SYSTEM: AttributeError: 'object' object has no attribute 'name'"),
        (raises, "guest:SYSTEM: NameError: name 'gone' is not defined"),
    ],
)
def test_a_system_that_cannot_be_used_says_why(install, load, said):
    """Under another name its scenarios would load, and no game of them could begin."""
    install(Point("guest", load))
    with pytest.raises(BrokenSystem) as caught:
        get_system("guest")
    assert caught.value.reason == said


def test_a_system_whose_name_is_taken_is_told_of(install):
    own = BUILT_IN["squad"] + ":SYSTEM"
    install(
        Point("platoon", toy.Toy, "guest:PLATOON"),
        Point("squad", toy.Toy, own),
        Point("guest", toy.Toy, "guest:ONE"),
        Point("guest", toy.Toy, "guest:TWO"),
    )
    assert system.shadowed() == ["platoon = guest:PLATOON", "guest = guest:TWO"]
    assert get_system("platoon").__class__.__module__.startswith("hexengine.")


@pytest.mark.parametrize("text", ["P4.2", "P2.2.1", "S6", "C8.4a"])
def test_rule_ids(text):
    rule = msgspec.convert({"id": text, "title": "t", "text": "x", "status": "done"}, Rule)
    assert (rule.id, rule.forbids) == (text, False)


@pytest.mark.parametrize("text", ["", "p4", "4.2", "P", "P4.", "P4..2", "P4.2ab", "PP4"])
def test_what_is_no_rule_id(text):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"id": text, "title": "t", "text": "x", "status": "done"}, Rule)


def test_a_rules_file():
    text = b'title = "Rules"\n[[rule]]\nid = "T1.1"\ntitle = "Draw"\ntext = "Draw."\nstatus = "partial"\n'
    assert msgspec.toml.decode(text, type=RulesFile).rule[0].status == "partial"
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.toml.decode(text + b"colour = 1\n", type=RulesFile)


def test_texts_in_languages():
    assert in_language("road") == "road"
    assert in_language({"en": "road", "ru": "дорога"}, "ru") == "дорога"
    assert in_language({"en": "road"}, "ru") == "road"
    assert in_language({"ru": "дорога"}) == "дорога"
