"""What refusals and events say: every code has words, and the words use only facts that are there."""

import ast
import random
import re
from collections import defaultdict
from pathlib import Path

import msgspec
import pytest

import hexengine.systems.platoon
from hexengine.core.rulebook import WordsFile
from hexengine.mechanics import wording
from hexengine.mechanics.victory import REASONS
from hexengine.systems.platoon.board import AIR, END_OF_TURN, KINDS
from hexengine.systems.platoon.candidates import candidates
from hexengine.systems.platoon.orders.book import USAGE
from hexengine.systems.platoon.orders.support import SHELLS
from tests.long import often
from tests.rules.table import begin
from tests.systems.platoon import close_quarters

SYSTEM = Path(hexengine.systems.platoon.__file__).parent
SOURCES = [*sorted(SYSTEM.rglob("*.py")), *sorted((SYSTEM.parents[1] / "mechanics").glob("*.py"))]
WORDS = msgspec.toml.decode(
    (Path(__file__).parents[3] / "data" / "platoon" / "words.toml").read_bytes(), type=WordsFile
)


# -- what the sources emit ----------------------------------------------------------------------


class Site:
    """One place of the sources that refuses or emits: the codes it may have and its facts' names."""

    def __init__(self, where: str, codes: set[str], facts: set[str]) -> None:
        self.where = where
        self.codes = codes
        self.facts = facts


def texts(node: ast.AST) -> set[str]:
    return {
        one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)
    }


class Reader:
    """Finds the sites of one module, following names to what is assigned to them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.tables = {
            target.id: {key.value for key in node.value.keys if isinstance(key, ast.Constant)}
            for node in self.tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
            for target in node.targets
            if isinstance(target, ast.Name)
        }

    def sites(self, kind: str) -> list[Site]:
        found = []
        for function in ast.walk(self.tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == kind:
                    where = f"{self.path.name}:{node.lineno}"
                    codes, facts = self.codes(function, node), self.facts(function, node.args[2])
                    found.append(Site(where, codes, facts))
        return found

    def assigned(self, function: ast.FunctionDef, name: str) -> list[ast.expr]:
        values: list[ast.expr] = []
        for node in ast.walk(function):
            if isinstance(node, ast.AnnAssign) and node.value is not None:
                pairs = [(node.target, node.value)]
            elif isinstance(node, ast.Assign):
                (target,) = node.targets
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=True))
                else:
                    pairs = [(target, node.value)]
            else:
                continue
            values += [value for target, value in pairs if isinstance(target, ast.Name) and target.id == name]
        return values

    def codes(self, function: ast.FunctionDef, call: ast.Call) -> set[str]:
        code = call.args[1]
        if isinstance(code, ast.IfExp):
            return texts(code.body) | texts(code.orelse)
        if not isinstance(code, ast.Name):
            return texts(code)
        rule = call.args[0]
        if isinstance(rule, ast.Subscript) and isinstance(rule.value, ast.Name):
            return self.tables[rule.value.id]
        return set().union(*[self.values(value) for value in self.assigned(function, code.id)])

    def values(self, value: ast.expr) -> set[str]:
        """The texts that an expression may be: its own, or those that a function of the module returns."""
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            for function in self.tree.body:
                if isinstance(function, ast.FunctionDef) and function.name == value.func.id:
                    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
                    return set().union(*[texts(one) for one in returned if one is not None]) - {""}
        return texts(value)

    def facts(self, function: ast.FunctionDef, node: ast.expr) -> set[str]:
        """Names that are there for certain: where several dicts are possible, those of all."""
        if isinstance(node, ast.Name):
            choices = self.assigned(function, node.id)
            assert choices, f"{self.path.name}: where do {node.id} come from?"
            return set.intersection(*[self.facts(function, value) for value in choices])
        assert isinstance(node, ast.Dict), f"{self.path.name}:{node.lineno}: facts are written as a dict"
        names: set[str] = set()
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                names |= self.facts(function, value)
            else:
                names |= texts(key)
        return names


def collect(kind: str) -> dict[str, list[Site]]:
    found: dict[str, list[Site]] = defaultdict(list)
    for path in SOURCES:
        for site in Reader(path).sites(kind):
            assert site.codes, f"{site.where}: no code is found"
            for code in site.codes:
                found[code].append(site)
    return found


SITES = {"refusal": collect("Refusal"), "event": collect("Event")}


def test_the_sources_are_found():
    assert len(SITES["refusal"]) > 60
    assert len(SITES["event"]) > 30


@pytest.mark.parametrize("kind", ["refusal", "event"])
def test_every_code_has_a_template_and_every_template_a_code(kind):
    assert set(getattr(WORDS, kind)) == set(SITES[kind])


@pytest.mark.parametrize("kind", ["refusal", "event"])
def test_templates_use_facts_that_every_site_gives(kind):
    for code, template in getattr(WORDS, kind).items():
        named = {name for name, _ in wording.FIELD.findall(template)}
        for site in SITES[kind][code]:
            assert named <= site.facts, f"{kind} {code}: {site.where} gives no {named - site.facts}"


@pytest.mark.parametrize("kind", ["refusal", "event"])
def test_templates_are_well_formed(kind):
    for code, template in getattr(WORDS, kind).items():
        rest = wording.OPTIONAL.sub(r"\1", template)
        rest = wording.FIELD.sub("", rest)
        assert not re.search(r"[\[\]{}]", rest), f"{kind} {code}: {template}"
        assert "  " not in template
        if kind == "refusal":
            assert template, f"a refusal says what is wrong: {code}"
            assert not template.endswith("."), f"the rule's id follows: {code}"
        elif template:
            assert template.endswith((".", ".]")), f"an event is a sentence: {code}"


@pytest.mark.parametrize("function", ["fire_bar", "load_bar", "unload_bar"])
def test_codes_that_a_predicate_returns_have_a_rule(function):
    # Who is not free to load is refused for its own reason.
    tables = {"fire_bar": "_BARS", "load_bar": "_LOAD_RULES", "unload_bar": "_UNLOAD_RULES"}
    for path in SOURCES:
        reader = Reader(path)
        for node in ast.walk(reader.tree):
            if isinstance(node, ast.FunctionDef) and node.name == function:
                returned = {
                    code
                    for one in ast.walk(node)
                    if isinstance(one, ast.Return)
                    for code in texts(one)
                    if code
                }
                assert returned - {"not-free"} == reader.tables[tables[function]]
                return
    raise AssertionError(f"there is no {function}")


def test_contributions_have_words():
    codes = {
        code
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Contribution"
        for code in texts(node.args[1])
    }
    assert codes == set(WORDS.contribution)


def test_values_that_are_codes_have_words():
    obstacles = {
        texts(node.args[2]).pop()
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Obstacle"
    }
    # Smoke is no obstacle to sight, but told along with what lies between.
    assert set(WORDS.value["sight"]) == obstacles | {"smoke"}
    for template in WORDS.value["sight"].values():
        assert {name for name, _ in wording.FIELD.findall(template)} <= {"hex", "terrain"}
    assert set(WORDS.value["help"]) == set(USAGE)
    assert set(WORDS.value["kind"]) == set(KINDS[: AIR + 1])
    assert set(WORDS.value["reason"]) == set(REASONS) - {""}
    assert set(WORDS.value["marker"]) == {END_OF_TURN}
    assert set(WORDS.value["shell"]) == set(SHELLS)


# -- games --------------------------------------------------------------------------------------

FORCES = """
blue A markers 2 he 2 smoke 2
    ahq hq-us 0102
    a1 m1 0102
    a2 m2 0103
    a3 inf-us in a2
    asw dragon in a3
    a4 inf-us 0104
    a5 m1 due 2 0101 0104
blue C
    c1 m113 0201
    c2 inf-us 0201
red B morale 6
    bhq hq-su 0602
    b6 zsu-23-4 0601
    b1 t-72 0602
    b2 btr-70 0603
    b3 inf-su in b2
    b4 bmp-2 0604
    b5 t-72 due 3 0601 arrival=4
red D markers 2
    d1 t-80 0503
    d2 inf-su 0503
    dsw at-4 in d2
red E markers 2
    e1 mi-24 0604 landed
"""
MORE = """
[[victory]]
kind = "hold"
side = "red"
hex = "0302"
points = 3
[[victory]]
kind = "exit"
side = "blue"
hexes = ["0101", "0601"]
[[victory]]
kind = "steps"
side = "blue"
[[victory]]
kind = "steps"
side = "red"
"""
LEFTOVER = re.compile(r"[{}\[\]=_]|None|True|False|  |'| \.| ,")


def game(seed):
    terrain = ".w..l.\n..r...\n..t.r.\n......\n"
    on_map = {"positions": ["0302"], "roads": ["0102-0202-0302-0402"]}
    on_map |= {"rivers": ["0201/0301"], "mines": ["0402"]}
    head = {"strikes": {"blue": 3}, "mines": {"blue": 2, "red": 2}}
    options = {"dig_in": True}
    return begin(terrain, FORCES, turns=4, seed=seed, more=MORE, on_map=on_map, head=head, options=options)


def check(text, code):
    assert not LEFTOVER.search(text), f"{code}: {text}"
    assert code not in text or "-" not in code, f"{code}: {text}"


@pytest.mark.slow
def test_random_games_are_told_without_a_rest():
    told, silent = set(), set()
    for seed in range(often(80, 400)):
        one = game(seed)
        rng = random.Random(seed)
        while one.decision is not None:
            actor = rng.choice(one.decision.actors())
            for event in one.play(rng.choice(one.decision.orders(actor))):
                text = one.system.narrate(one.board, event)
                check(text, event.code)
                (told if text else silent).add(event.code)
    for seed in range(often(15, 100)):
        one, rng = close_quarters.begin(seed), random.Random(seed)
        while one.decision is not None:
            for event in one.play(close_quarters.choose(one, rng)):
                text = one.system.narrate(one.board, event)
                check(text, event.code)
                (told if text else silent).add(event.code)
    assert silent == {code for code, template in WORDS.event.items() if not template}
    assert set(WORDS.event) - told - silent <= {
        "goes-back",
        "hq-gone",
        "swims",
        "not-intercepted",
        "nobody-left",
    }


def test_refusals_are_told_without_a_rest():
    seen, number = set(), 0
    for seed in range(10):
        one = game(seed)
        rng = random.Random(seed)
        while one.decision is not None:
            every = list(candidates(one.position))
            for order in rng.sample(every, min(20, len(every))):
                refusal = one.why_not(order)
                if refusal is not None:
                    number += 1
                    seen.add(refusal.code)
                    check(refusal.text, refusal.code)
            one.play(rng.choice(one.decision.orders(rng.choice(one.decision.actors()))))
    assert number > 5000
    assert len(seen) > 42, sorted(set(WORDS.refusal) - seen)
