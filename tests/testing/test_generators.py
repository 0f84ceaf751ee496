"""Made-up maps and damaged texts: the same for a seed, different between seeds, and well-formed maps."""

import json
from itertools import pairwise
from random import Random

import pytest

from hexengine.testing import generators

TEXT = 'title = "x"\n[map]\nterrain = """\n..w\n"""\nturns = 12\n'
LOG = '{"format":1,"seed":7}\n{"n":1,"by":"red","order":"draw","chance":["reds"]}\n'


class TestMaps:
    def test_sheets(self):
        sheets = [generators.grid(Random(seed)) for seed in range(60)]
        assert {(sheet.orientation, sheet.stagger) for sheet in sheets} == {
            (orientation, stagger) for orientation in ("flat", "pointy") for stagger in ("even", "odd")
        }
        assert all(1 <= sheet.columns <= 12 and 1 <= sheet.rows <= 12 for sheet in sheets)
        assert min(sheet.size for sheet in sheets) < 10 < 60 < max(sheet.size for sheet in sheets)

    def test_letters(self):
        text = generators.letters(Random(1), 9, 5, ".wt")
        assert [len(row) for row in text.splitlines()] == [9] * 5
        assert set(text) == {".", "w", "t", "\n"}

    def test_chains_are_of_adjacent_hexes(self):
        for seed in range(60):
            random = Random(seed)
            sheet = generators.grid(random)
            line = generators.chain(random, sheet, 10)
            assert 1 <= len(line) <= 11
            assert all(there in sheet.neighbours[here] for here, there in pairwise(line))
            assert all(a != c for a, c in zip(line, line[2:], strict=False))

    def test_hexsides(self):
        for seed in range(30):
            random = Random(seed)
            sheet = generators.grid(random)
            pairs = generators.hexsides(random, sheet, 7)
            assert len(pairs) == len(set(pairs)) <= 7
            assert all(a < b and b in sheet.neighbours[a] for a, b in pairs)


class TestDamage:
    @pytest.mark.parametrize("mutator", generators.TEXT_MUTATORS)
    @pytest.mark.parametrize("text", ["", "\n", "a", "1", TEXT, "\ufeffé\r\n\r\n"])
    def test_any_text_can_be_damaged(self, mutator, text):
        for seed in range(30):
            mutator(Random(seed), text).encode("utf-8")

    @pytest.mark.parametrize("mutator", generators.TEXT_MUTATORS)
    def test_each_way_does_something(self, mutator):
        results = {mutator(Random(seed), TEXT) for seed in range(30)}
        assert len(results) > 3
        assert any(result != TEXT for result in results)

    def test_mutants_depend_on_their_number_alone(self):
        many = list(generators.mutants(TEXT, 40, seed=3))
        assert list(generators.mutants(TEXT, 10, seed=3)) == many[:10]
        assert list(generators.mutants(TEXT, 40, seed=4)) != many
        assert len(set(many)) > 30

    def test_known_mutant(self):
        """A failure that is told by its seed must be found again on another machine."""
        assert generators.drop_line(Random("1/0"), "a\nb\nc\nd\n") == "a\nb\nc\n"
        assert list(generators.mutants("fire a b", 3, seed=1)) == [
            "fire a bfire a bfire a bfire a b",
            "fire[ a bfire a b",
            "fire a b",
        ]

    def test_bytes_are_always_changed(self):
        for data in (b"", b"a", b"aaaa", LOG.encode()):
            for seed in range(200):
                assert generators.mutate_bytes(Random(seed), data) != data

    def test_logs(self):
        damaged = list(generators.log_mutants(LOG, 200, seed=1))
        assert list(generators.log_mutants(LOG, 5, seed=1)) == damaged[:5]
        readable = 0
        for text in damaged:
            try:
                [json.loads(line) for line in text.splitlines()]
                readable += text != LOG
            except ValueError:
                pass
        assert 60 < readable < 180

    @pytest.mark.parametrize("text", ["", "\n", "no json\n", "[]\n", "{}\n", "7\n"])
    def test_logs_that_are_none(self, text):
        for seed in range(30):
            generators.mutate_log(Random(seed), text)
