"""Terrain rows as a scenario changes them."""

import msgspec

from hexengine.mechanics.terrain import changed_rows


class Row(msgspec.Struct, frozen=True):
    id: str
    cost: int
    height: int = 0


class Change(msgspec.Struct, frozen=True):
    id: str
    cost: int | None = None
    height: int | None = None


def no_report(*_, **__):
    raise AssertionError("there is nothing to report")


ROWS = [Row("clear", 1), Row("wood", 2, 1)]


def test_what_a_change_gives_is_changed_and_nothing_else():
    rows = changed_rows(ROWS, [Change("wood", height=3, cost=0)], no_report)
    assert rows == {"clear": Row("clear", 1), "wood": Row("wood", 0, 3)}
    assert ROWS[1] == Row("wood", 2, 1)


def test_what_a_change_leaves_out_stays():
    assert changed_rows(ROWS, [Change("wood", cost=4)], no_report)["wood"] == Row("wood", 4, 1)


def test_a_change_of_nothing_that_there_is_is_reported():
    faults = []
    rows = changed_rows(
        ROWS, [Change("clear", 4), Change("sea", 9)], lambda *fault, **_: faults.append(fault)
    )
    assert faults == [
        (("terrain", 1, "id"), "there is no terrain 'sea' to change", "terrains are clear, wood")
    ]
    assert list(rows) == ["clear", "wood"]


def test_a_row_is_changed_once():
    faults = []
    changes = [Change("wood", height=3), Change("clear", 2), Change("wood", cost=0)]
    changed_rows(ROWS, changes, lambda *fault, **_: faults.append(fault))
    assert [(path, text) for path, text, *_ in faults] == [
        (("terrain", 2, "id"), "the terrain 'wood' is changed twice")
    ]
