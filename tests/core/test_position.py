"""Positions: copies are whole and independent, digests see everything but the dice."""

from hashlib import blake2b
from random import Random
from typing import NamedTuple

import pytest

from hexengine.core.position import Position
from hexengine.testing.positions import check_position


class Step(NamedTuple):
    hex: int


class Shot(NamedTuple):
    hex: int


class Many(Position):
    COLUMNS = ("hex", "steps")
    BYTES = ("smoke", "control")
    INTS = ("turn", "alive")
    __slots__ = ("board", *COLUMNS, *BYTES, *INTS)

    def __init__(self):
        super().__init__(3)
        self.board = "board"
        self.hex, self.steps = [5, -1, 300], [2, 0, 1]
        self.smoke, self.control = bytearray(4), bytearray(4)
        self.turn, self.alive = 1, 0b101
        self.frames = [Step(1), Step(2)]


class One(Position):
    COLUMNS = ("hex",)
    INTS = ("turn",)
    __slots__ = ("board", "hex", "turn")

    def __init__(self):
        super().__init__(1)
        self.board = "board"
        self.hex, self.turn = [1, 2], 1


class Bare(Position):
    BYTES = ("smoke",)
    __slots__ = ("board", "smoke")

    def __init__(self):
        super().__init__(0)
        self.board = "board"
        self.smoke = bytearray(b"ab")


class Helped(Position):
    """One that keeps beside its columns what follows from them, and what a decision has worked out."""

    COLUMNS = ("hex", "here")
    INTS = ("turn", "taken")
    DERIVED = ("here", "taken")
    SCRATCH = ("found",)
    __slots__ = ("board", "found", "here", "hex", "taken", "turn")

    def __init__(self):
        super().__init__(1)
        self.board = "board"
        self.hex, self.here, self.turn, self.taken = [1, 2], [0, 1], 1, 6
        self.found = "worked out"


class Nothing(Position):
    __slots__ = ("board",)

    def __init__(self):
        super().__init__(2)
        self.board = "board"


@pytest.mark.parametrize("make", [Many, One, Bare, Nothing])
def test_whatever_a_system_names_is_copied_and_digested(make):
    """Many columns, one, or none at all."""
    check_position(make(), Random(1))


def test_known_digest():
    """Logs and perft files hold digests: the way to one may not change."""
    text = b'[[5,-1,300],[2,0,1],"AAAAAA==","AAAAAA==",1,5,"/Step(1,)/Step(2,)"]'
    assert Many().digest() == blake2b(text, digest_size=8).hexdigest() == "afbe7f1e421f2eaa"
    assert One().digest() == blake2b(b'[[1,2],1,""]', digest_size=8).hexdigest() == "303b48c8438e9097"


def test_no_number_is_too_large_for_a_digest():
    pos = Many()
    pos.hex[0], pos.alive = -(2**40), 2**4000 + 1
    before = pos.digest()
    pos.alive -= 1
    assert pos.digest() != before


def test_a_copy_is_independent():
    pos = Many()
    copy = pos.copy()
    copy.hex[0] = 9
    copy.smoke[0] = 1
    copy.turn = 2
    copy.frames.append(Step(3))
    copy.streams[0] = 8
    assert (pos.hex[0], pos.smoke[0], pos.turn, len(pos.frames), pos.streams[0]) == (5, 0, 1, 2, 0)
    assert copy.board is pos.board


def test_digests_leave_the_dice_counters_out():
    pos = Many()
    before = pos.digest()
    pos.streams[1] = 77
    assert pos.digest() == before


def test_digests_leave_out_what_follows_from_the_rest():
    """It is copied all the same; what was worked out for one decision is not."""
    pos = Helped()
    before = pos.digest()
    pos.here[0], pos.taken, pos.found = 7, 1, "something else"
    assert pos.digest() == before
    copy = pos.copy()
    assert (copy.here, copy.taken, copy.found) == ([7, 1], 1, None)
    pos.hex[0] = 9
    assert pos.digest() != before


def test_frames_count_with_their_type():
    """NamedTuples of two types with the same fields are equal; the decisions they stand for are not."""
    one, other = Many(), Many()
    one.frames, other.frames = [Step(1)], [Shot(1)]
    assert one.frames == other.frames
    assert one.digest() != other.digest()


def test_values_that_move_from_column_to_column_are_seen():
    one, other = Many(), Many()
    one.hex, one.steps = [1, 2, 3], [4, 5, 6]
    other.hex, other.steps = [4, 5, 6], [1, 2, 3]
    assert one.digest() != other.digest()


def test_positions_are_found_by_the_kit_when_they_forget_something():
    class Forgets(Many):
        __slots__ = ("secret",)

    class Loose(Many):
        pass

    forgets, loose = Forgets(), Loose()
    forgets.secret = 1
    loose.secret = 1
    with pytest.raises(AssertionError, match="secret must be slots, and in COLUMNS, BYTES, INTS or SCRATCH"):
        check_position(forgets, Random(1))
    with pytest.raises(AssertionError, match="keeps secret outside its slots"):
        check_position(loose, Random(1))
