"""Perft numbers in files."""

from pathlib import Path

import pytest

from hexengine.core.errors import ContentError
from hexengine.testing.suite import check_suite, read_suite, regenerate
from tests.perft.loading import load

SUITE = Path(__file__).parents[1] / "perft" / "toy.perft"

RIGHT = """\
# a comment
id cup-1
scenario toy-cup-1
why counted by hand
perft 3 3 3 fe4ac8ce3ef7a6ef   # behind a line, too
hits T1.1 7
expect T1.1 8/3
"""


def written(tmp_path, text):
    path = tmp_path / "some.perft"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_toys_numbers():
    assert check_suite(SUITE, load) == []


def test_every_entry_says_where_its_numbers_come_from():
    entries = read_suite(SUITE)
    assert len(entries) >= 7
    assert [entry.id for entry in entries if not entry.derived] == ["toy"]


def test_what_is_right_is_accepted(tmp_path):
    assert check_suite(written(tmp_path, RIGHT), load) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "3 3 3 f",
            "3 4 3 f",
            "perft 3 4 3 fe4ac8ce3ef7a6ef was expected, 3 3 3 fe4ac8ce3ef7a6ef was counted",
        ),
        ("3 3 3 f", "3 3 2 f", "perft 3 3 2"),
        ("fe4ac", "fe4ad", "perft 3 3 3 fe4ad"),
        ("T1.1 7", "T1.1 8", "hits T1.1 8 was expected, T1.1 7 was counted"),
        ("hits T1.1 7", "hits T9.1 7", "hits T9.1 7 was expected, T9.1 0 was counted"),
        ("8/3", "3", "expect T1.1 3 was expected, T1.1 8/3 was counted"),
        ("3 3 3 f", "3 ? 3 f", "perft 3 ? 3"),
    ],
)
def test_each_number_is_checked(tmp_path, old, new, said):
    (difference,) = check_suite(written(tmp_path, RIGHT.replace(old, new)), load)
    assert said in difference
    assert difference.startswith("some.perft:")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("scenario toy\n", 1, "must begin with its id"),
        ("id a\nscenario toy\nwhy x\nperft 1 2\n", 4, "perft has 2 values (perft DEPTH LEAVES ENDS DIGEST)"),
        ("id a\nscenario toy\nwhy x\nperft -1 2 3 x\n", 4, "whole numbers"),
        ("id a\nscenario toy\nwhy x\nperft ? 2 3 x\n", 4, "whole numbers"),
        ("id a\nscenario toy\nwhy x\nperft ² 2 3 x\n", 4, "whole numbers"),
        ("id a\nscenario toy\nwhy x\nhits T1 2\nperft 1 1 1 x\n", 4, "must stand below"),
        ("id a\nscenario toy\nwhy x\nperft 1 1 1 x\nhits T1 two\n", 5, "'two' is no number for hits"),
        ("id a\nscenario toy\nwhy x\nperft 1 1 1 x\nexpect T1 1/0\n", 5, "'1/0' is no number for expect"),
        ("id a\nscenario toy\nwhy x\nperft 1 1 1 x\nexpect T1 1/2/3\n", 5, "is no number"),
        (
            "id a\nscenario toy\nwhy x\nperft 1 1 1 x\nid a\nscenario toy\nwhy x\nperft 1 1 1 x\n",
            5,
            "two entries 'a'",
        ),
        ("id a\nscenario toy\nwhy x\nleaves 1\nperft 1 1 1 x\n", 4, "no line begins with 'leaves'"),
        ("\nid a\nscenario toy\nperft 1 1 1 x\n", 2, "the entry a has no line 'why'"),
        ("id a\nwhy x\nperft 1 1 1 x\n", 1, "has no line 'scenario'"),
        ("id a\nwhy x\nscenario toy\n", 1, "has no line 'perft'"),
    ],
)
def test_faults_are_located(tmp_path, text, line, said):
    with pytest.raises(ContentError) as caught:
        read_suite(written(tmp_path, text))
    (problem,) = caught.value.problems
    assert problem.line == line
    assert said in str(problem)


def test_all_faults_are_found_in_one_run(tmp_path):
    with pytest.raises(ContentError) as caught:
        read_suite(written(tmp_path, "id a\nlong 1\nperft x\nhits 2\n"))
    assert [problem.line for problem in caught.value.problems] == [2, 3, 4, 1, 1]


class TestRegenerating:
    def test_numbers_that_are_only_counted_are_replaced(self, tmp_path):
        text = (
            RIGHT.replace("counted by hand", "regression only")
            .replace("T1.1 7", "T1.1 9")
            .replace("3 3 3", "3 4 5")
        )
        path = written(tmp_path, text)
        assert regenerate(path, load) == []
        new = path.read_text()
        assert new.replace("ef  #", "ef   #") == RIGHT.replace("counted by hand", "regression only")
        assert check_suite(path, load) == []

    def test_derived_numbers_are_kept_and_reported(self, tmp_path):
        path = written(tmp_path, RIGHT.replace("T1.1 7", "T1.1 9").replace("3 3 3", "3 4 3"))
        before = path.read_text()
        left = regenerate(path, load)
        assert [line.split(": ", 2)[2] for line in left] == [
            "perft 3 3 3 fe4ac8ce3ef7a6ef was counted",
            "hits T1.1 7 was counted",
        ]
        assert path.read_text() == before

    def test_derived_entries_get_their_digest(self, tmp_path):
        path = written(tmp_path, RIGHT.replace("fe4ac8ce3ef7a6ef", "?"))
        assert regenerate(path, load) == []
        assert check_suite(path, load) == []

    def test_an_empty_entry_is_filled_in(self, tmp_path):
        path = written(
            tmp_path, "id toy\nscenario toy\nwhy regression only\nperft 1 ? ? ?\nhits T1.1 ?\nperft 2 ? ? ?\n"
        )
        assert regenerate(path, load) == []
        assert path.read_text().splitlines()[3:7] == [
            "perft 1 3 0 0d513e30732851a5",
            "hits T1.1 3",
            "expect T1.1 1",
            "perft 2 50 0 4c46aeb3da8503bc",
        ]
        assert check_suite(path, load) == []

    def test_what_is_right_stays_byte_for_byte(self, tmp_path):
        path = written(tmp_path, SUITE.read_text(encoding="utf-8"))
        assert regenerate(path, load) == []
        assert path.read_text(encoding="utf-8") == SUITE.read_text(encoding="utf-8")
