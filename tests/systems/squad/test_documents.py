"""docs/squad.md, the data and the words of the squad system say what its code does."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hexengine.content.data import data_file
from hexengine.content.loader import check, loads
from hexengine.core.errors import ContentError, InvalidOrder
from hexengine.core.game import Game
from hexengine.systems.squad.orders import USAGE, VERBS
from hexengine.systems.squad.scenario import format as files
from hexengine.testing.playing import chooser, steps
from hexengine.view.scenes import scene
from tests.rules.squad.table import begin, text_of

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "squad.md").read_text(encoding="utf-8")
SOURCES = [
    path
    for folder in ("systems/squad", "mechanics")
    for path in sorted((ROOT / "hexengine" / folder).rglob("*.py"))
]
EXAMPLE = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1]
DEFAULTS = {field.name: field.default for field in msgspec.structs.fields(files.Options)}
OTHERS = {
    "leader_range": 2, "squads_a_hex": 4, "singles_a_hex": 3, "vehicles_a_hex": 1,
    "shaken_move": "out_of_los", "shaken_twice": "nothing", "ops_complete_of": "minus1",
}  # fmt: skip


def test_the_example_can_be_played():
    game = Game(loads(EXAMPLE, "ford"), 1)
    for _ in steps(game, chooser(1)):
        game.system.invariants(game.position)
    assert game.result is not None


def test_every_option_stands_in_the_table_with_its_default():
    table = PAGE.partition("## Options\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", table, re.MULTILINE))
    assert rows == {name: msgspec.json.encode(value).decode() for name, value in DEFAULTS.items()}


@pytest.mark.parametrize("name", DEFAULTS)
def test_every_option_is_read(name):
    other = not DEFAULTS[name] if isinstance(DEFAULTS[name], bool) else OTHERS[name]
    forces = "us\n a squad-us 0101\nde\n x squad-de 0301"
    assert getattr(begin("...", forces, options={name: other}).board.options, name) == other
    assert getattr(begin("...", forces).board.options, name) == DEFAULTS[name]


@pytest.mark.parametrize(
    "kind",
    [files.Unit, files.Mines, files.Mission, files.EventMarker, files.Victory, files.Start, files.UnitType],
)
def test_every_key_is_described(kind):
    missing = [field.name for field in msgspec.structs.fields(kind) if f"`{field.name}`" not in PAGE]
    assert not [name for name in missing if name not in ("id", "name", "kind", "side")]


def test_every_order_is_described():
    assert [verb for verb in VERBS if f"`{verb}" not in PAGE] == []
    assert f"`{USAGE['move'][0]}`" in PAGE and f"`{USAGE['fire'][0]}`" in PAGE


# -- words ------------------------------------------------------------------------------------------


def codes(call: str) -> Iterator[str]:
    """The codes of all refusals, or events, in the sources: literals behind the rule, and those of tables."""
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        for found in re.findall(rf'\b{call}\(\s*(?:"S[\d.]+"[^,]*|\w+\[?\w*\]?),\s*([^,]+),', text):
            yield from re.findall(r'"([a-z0-9-]+)"', found)


def test_every_refusal_and_event_has_words_and_nothing_else_has():
    from hexengine.systems.squad.firing.damage import RESULTS
    from hexengine.systems.squad.firing.fire import FIRE_BARS
    from hexengine.systems.squad.moving.steps import BARS

    words = data_file("squad", "words").value
    refusals = {*codes("Refusal"), *FIRE_BARS, *BARS}
    assert refusals <= set(words.refusal), refusals - set(words.refusal)
    unused = {code for code in words.refusal if not any(f'"{code}"' in p.read_text() for p in SOURCES)}
    assert not unused
    assert set(codes("Event")) <= set(words.event)
    assert not {code for code in words.event if not any(f'"{code}"' in p.read_text() for p in SOURCES)}
    assert set(RESULTS) <= set(words.value["result"]) and set(VERBS) == set(words.value["help"])


def test_words_and_parts_of_numbers():
    words = data_file("squad", "words").value
    used = set()
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        for found in re.findall(r"Contribution\([^()]*?,\s*([^()]*?),", text):
            used |= set(re.findall(r'"([a-z-]+)"', found)) - {"S6.5"}
    assert used - {"S"} <= set(words.contribution)


# -- faults -----------------------------------------------------------------------------------------

FORCES = "us\n a squad-us 0101\nde\n x squad-de 0301"
FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"terrain": "..~"}, "", "nobody may be in 0301"),
    ({"forces": "us\n a squad-us 0101/1\nde\n x squad-de 0301"}, "", "0101 has no floor"),
    ({"forces": "us\n a squad-us 0101\n b mg-us in x9\nde\n x squad-de 0301"}, "", "there is no unit 'x9'"),
    ({"forces": "us\n a squad-us 0101\n b squad-us in a\nde\n x squad-de 0301"}, "", "is no weapon"),
    ({"forces": "us\n" + "".join(f" a{n} squad-us 0101\n" for n in range(4)) + "de\n x squad-de 0301"}, "",
     "more units of a side"),
    ({"tables": [("mines", {"hex": "0201", "side": "de"})], "terrain": ".s."}, "", "mines do not lie in"),
    ({"tables": [("victory", {"kind": "hold", "side": "us"})]}, "", "hold needs a hex"),
    ({"tables": [("victory", {"kind": "losses", "side": "us", "wins": True})]}, "", "losses has only"),
    ({"head": {"initiative": "fr"}}, "", "there is no side 'fr'"),
    ({"head": {"foxholes": ["0901"]}}, "", "there is no column 09"),
    ({"forces": "us\n a squad-us 0101 wounded\nde\n x squad-de 0301"}, "", "only single men are wounded"),
    ({"tables": [("mission", {"side": "us", "fp": 2})] * 2}, "", "has its fire"),
    ({"tables": [("terrain", {"id": "woods", "leg": 0})]}, "", "costs at least one MP"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "_", "said"), FAULTS, ids=[said for *_, said in FAULTS])
def test_faults_are_told_with_their_place(changes, _, said):
    given = {"terrain": "...", "forces": FORCES, **changes}
    text = text_of(given.pop("terrain"), given.pop("forces"), **given)
    with pytest.raises(ContentError) as caught:
        loads(text, "faulty")
    assert said in str(caught.value)
    assert all(problem.line > 0 for problem in caught.value.problems)


@pytest.mark.parametrize(
    "text", ["move a 0101/1", "move a 0101/b", "move a 01/", "move a 9999/1", "spot a /1"]
)
def test_places_that_are_not_there_are_no_orders(text):
    with pytest.raises(InvalidOrder):
        begin("...", FORCES).parse(text)


def test_the_shipped_files_have_no_faults():
    assert check([*sorted((ROOT / "data" / "squad").glob("*.toml"))]) == []


def test_what_a_counter_and_a_list_show():
    """Readout, morale and LM; a floor; a letter for the weightiest state; a half-squad as a lost step."""
    forces = "us\n a squad-us 0101/1 half shaken\n l leader-us 0201\n m mg-us in l\nde\n x squad-de 0301"
    game = begin("t..", forces)
    outlook = game.system.view(game.position)
    pieces = {piece.unit: piece for piece in outlook.pieces}
    assert (pieces["a"].readout, pieces["l"].readout, pieces["m"].readout) == (
        "0-6-4/5",
        "0-1-6/6 LM1",
        "2-8-0",
    )
    assert {"shaken", "half", "floor-1"} <= set(pieces["a"].states)
    counters = {counter.hex: counter for counter in scene(outlook).counters}
    there = counters[game.board.grid.index("0101")]
    assert there.marks == "S" and there.reduced and there.strength == "064"
