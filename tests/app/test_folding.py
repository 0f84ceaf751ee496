"""Long lists of orders in few rows."""

from __future__ import annotations

from hexengine.app.folding import folded

LABELS = ["0101", "0102", "0103", "0104", "0105"]


def test_orders_that_differ_in_a_hex_alone_share_a_row():
    orders = ["move a 0101", "move a 0102", "move a 0101 crawl", "move a 0102/1 crawl", "move b 0101", "end"]
    assert folded(orders, LABELS, 40) == [
        ("1-2", "move a HEX", "0101 0102"),
        ("3-4", "move a HEX crawl", "0101 0102/1"),
        ("5", "move b 0101", ""),
        ("6", "end", ""),
    ]


def test_hexes_for_which_there_is_no_room_are_left_out_in_the_middle():
    orders = [f"move a {label}" for label in LABELS]
    assert folded(orders, LABELS, 24) == [("1-5", "move a HEX", "0101 0102 0103 0104 0105")]
    assert folded(orders, LABELS, 23) == [("1-5", "move a HEX", "0101 0102 ... 0104 0105")]
    assert folded(orders, LABELS, 1) == [("1-5", "move a HEX", "0101 ... 0105")]
