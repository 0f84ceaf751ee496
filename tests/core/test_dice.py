"""Dice: the streams are fixed for ever, fair, and enumerated exactly."""

from collections import Counter
from fractions import Fraction
from hashlib import blake2b
from itertools import product

import pytest

from hexengine.core.dice import (
    COMBAT,
    CUP,
    MORALE,
    STREAMS,
    Dice,
    EnumeratingDice,
    ScriptedDice,
    SeededDice,
    uniform_below,
)
from hexengine.core.errors import ChanceError
from hexengine.testing.faces import FaceDice

KNOWN = {
    (0, CUP): "53644224651464646346652554666446251553454143561145324142652633324616631625166334",
    (0, COMBAT): "56453355335453565624254463161155232555413663325134145422262243143436445244345635",
    (0, MORALE): "45144635334145326546653162654124411646646441614261466662122122626255231661364135",
    (1985, CUP): "54466326521614246221164513135212544334664512513146624524156425261542442243123416",
    (1985, COMBAT): "42545412641122262265454422641352344244634556424256164415264253124221322235164561",
    (1985, MORALE): "13351443631163233226514434156243125262212462322331326325325141142431564665656112",
    (2**64, COMBAT): "53262132115513141312655455542554643254333515245214412162424353654314252114551123",
}
"""The first 80 dice of some streams.  They may never change: every log depends on them."""


def enumerate_all(ask, dice=None):
    """Every run of ``ask(dice)``: a list of (answer, weight)."""
    dice = dice or EnumeratingDice()
    runs = []
    while True:
        runs.append((ask(dice), dice.weight))
        if not dice.advance():
            return runs


def merged(runs):
    total = {}
    for answer, weight in runs:
        total[answer] = total.get(answer, 0) + weight
    return total


class TestStreams:
    @pytest.mark.parametrize(("seed", "stream"), KNOWN)
    def test_known_dice(self, seed, stream):
        rolled = SeededDice(seed).roll(stream, 80)
        assert "".join(map(str, rolled)) == KNOWN[seed, stream]

    def test_known_draws(self):
        dice = SeededDice(1985)
        drawn = [dice.draw(CUP, [2, 0, 1, 3], ["a", "b", "c", "d"]) for _ in range(20)]
        assert drawn == [2, 3, 3, 2, 3, 3, 2, 3, 3, 2, 3, 3, 2, 3, 3, 0, 0, 3, 0, 0]

    def test_dice_by_another_way(self):
        """Bytes of keyed blocks below 252, modulo 6: reckoned here once more from the description."""
        key = blake2b(b"77/morale", digest_size=32).digest()
        expected = []
        for block in range(3):
            faces = []
            for part in range(3):
                message = block.to_bytes(8, "little") + part.to_bytes(4, "little")
                faces += [byte % 6 + 1 for byte in blake2b(message, key=key).digest() if byte < 252]
            expected += faces[:64]
        assert SeededDice(77).roll(MORALE, 192) == expected

    def test_a_die_depends_on_its_number_alone(self):
        """However dice are grouped into rolls, and wherever one begins, die k is die k."""
        row = SeededDice(3).roll(COMBAT, 400)
        one_by_one = SeededDice(3)
        assert [one_by_one.roll(COMBAT, 1)[0] for _ in range(400)] == row
        uneven = SeededDice(3)
        assert [face for number in range(28) for face in uneven.roll(COMBAT, number)] == row[:378]
        for start in (0, 1, 63, 64, 65, 200):
            later = SeededDice(3)
            later.streams[COMBAT] = start
            assert later.roll(COMBAT, 150) == row[start : start + 150]

    def test_going_back_gives_the_same_dice(self):
        dice = SeededDice(4)
        first = dice.roll(COMBAT, 70)
        dice.streams[COMBAT] = 0
        assert dice.roll(COMBAT, 70) == first

    def test_streams_do_not_touch_each_other(self):
        alone, mixed = SeededDice(5), SeededDice(5)
        expected = [alone.roll(COMBAT, 3) for _ in range(50)]
        got = []
        for _ in range(50):
            mixed.roll(MORALE, 2)
            mixed.draw(CUP, [1, 1], ["a", "b"])
            got.append(mixed.roll(COMBAT, 3))
        assert got == expected
        assert mixed.streams == [50, 150, 100]

    def test_streams_and_seeds_differ(self):
        rows = {tuple(SeededDice(seed).roll(stream, 40)) for seed in range(30) for stream in range(3)}
        assert len(rows) == 90

    def test_draws_and_dice_of_a_stream_have_nothing_in_common(self):
        """Draw k of six markers is not die 64 k, which would stand in the same block."""
        dice, draws = SeededDice(6), SeededDice(6)
        same = 0
        for block in range(300):
            dice.streams[CUP] = 64 * block
            same += dice.roll(CUP, 1)[0] == draws.draw(CUP, [1] * 6, "abcdef") + 1
        assert 25 <= same <= 80

    def test_used_collects_what_chance_decided(self):
        dice = SeededDice(1985)
        dice.at_least(COMBAT, 3, 4)
        dice.within(MORALE, 2, 7)
        dice.draw(CUP, [0, 1], ["a", "b"])
        dice.even(COMBAT)
        assert dice.used == [4, 2, 5, 1, 3, "b", 4]
        assert dice.streams == [1, 4, 2]


class TestFairness:
    def test_parts_of_a_die(self):
        """Two, three and six parts: by faces dictated in turn, and enumerated with their names."""
        for parts, expected in ((2, [0, 0, 0, 1, 1, 1]), (3, [0, 0, 1, 1, 2, 2]), (6, [0, 1, 2, 3, 4, 5])):
            dice = ScriptedDice([1, 2, 3, 4, 5, 6], [0] * len(STREAMS))
            assert [dice.part(COMBAT, parts) for _ in range(6)] == expected
            assert dice.streams[COMBAT] == 6
            exact = enumerate_all(lambda dice, parts=parts: dice.part(COMBAT, parts))
            assert exact == [(part, Fraction(1, parts)) for part in range(parts)]
            faces = enumerate_all(lambda dice, parts=parts: dice.part(COMBAT, parts), FaceDice())
            assert merged(faces) == dict(exact)

    @pytest.mark.parametrize("stream", range(len(STREAMS)))
    def test_faces_are_equally_likely(self, stream):
        """Chi-square of 60,000 dice: 20.5 is passed by one fair stream in a thousand."""
        counts = Counter(SeededDice(11).roll(stream, 60_000))
        assert sum((counts[face] - 10_000) ** 2 / 10_000 for face in range(1, 7)) < 20.5

    def test_pairs_are_equally_likely(self):
        """Chi-square of 36,000 pairs of neighbours over 36 cells: 66.6 at one in a thousand."""
        row = SeededDice(12).roll(COMBAT, 72_000)
        counts = Counter(zip(row[::2], row[1::2], strict=True))
        assert sum((counts[pair] - 1000) ** 2 / 1000 for pair in product(range(1, 7), repeat=2)) < 66.6

    def test_games_side_by_side_are_independent(self):
        """The first dice of 36,000 seeds are as fair as the dice of one: batches count up their seeds."""
        counts = Counter(tuple(SeededDice(seed).roll(COMBAT, 2)) for seed in range(3_600))
        assert sum((counts[pair] - 100) ** 2 / 100 for pair in product(range(1, 7), repeat=2)) < 66.6

    def test_markers_are_equally_likely(self):
        """A kind comes as often as it has markers; 4 degrees of freedom, 18.5 at one in a thousand."""
        dice, counts = SeededDice(13), Counter()
        cup = [1, 2, 3, 0, 1]
        for _ in range(7_000):
            counts[dice.draw(CUP, cup, "abcde")] += 1
        assert counts[3] == 0
        assert sum((counts[k] - 1000 * n) ** 2 / (1000 * n) for k, n in enumerate(cup) if n) < 18.5

    def test_uniform_below_rejects_what_would_be_biased(self):
        """With a limit just above 2**63 nearly half of all words must be thrown away."""
        key, limit = b"k" * 32, 2**63 + 1
        rejected = 0
        for counter in range(200):
            words = []
            for part in range(8):
                message = counter.to_bytes(8, "little") + part.to_bytes(4, "little")
                block = blake2b(message, key=key, person=b"draw").digest()
                words += [int.from_bytes(block[at : at + 8], "little") for at in range(0, 64, 8)]
            expected = next(word for word in words if word < limit)
            rejected += words[0] >= limit
            assert uniform_below(key, counter, limit) == expected
        assert 70 < rejected < 130

    @pytest.mark.parametrize("limit", [1, 2, 3, 7, 1000, 2**64])
    def test_uniform_below_stays_below(self, limit):
        assert all(0 <= uniform_below(b"x" * 32, counter, limit) < limit for counter in range(300))


class TestCertainAnswers:
    """What is certain rolls nothing, so no die is spent on it."""

    @pytest.mark.parametrize(
        ("limit", "answer"), [(12, True), (13, True), (1, False), (0, False), (-3, False)]
    )
    def test_sums(self, limit, answer):
        dice = SeededDice(0)
        assert dice.within(MORALE, 2, limit) is answer
        assert dice.used == [] == dice.faces
        assert dice.streams == [0, 0, 0]
        assert enumerate_all(lambda dice: dice.within(MORALE, 2, limit)) == [(answer, 1)]

    @pytest.mark.parametrize(("dictated", "answer"), [([1, 1], True), ([1, 2], False)])
    def test_the_lowest_sum_is_not_certain(self, dictated, answer):
        """Two dice may come to 2, and mostly do not."""
        dice = ScriptedDice(dictated, [0, 0, 0])
        assert dice.within(MORALE, 2, 2) is answer
        assert dice.used == dictated

    @pytest.mark.parametrize("number", [0, -2])
    def test_no_dice(self, number):
        dice = SeededDice(0)
        assert dice.at_least(COMBAT, number, 4) == 0
        assert dice.used == []
        assert enumerate_all(lambda dice: dice.at_least(COMBAT, number, 4)) == [(0, 1)]

    def test_a_count_is_rolled_even_if_it_is_certain(self):
        """To hit on 7 or on 1 the dice are thrown all the same, as at the table."""
        dice = SeededDice(0)
        assert (dice.at_least(COMBAT, 3, 7), dice.at_least(COMBAT, 3, 1)) == (0, 3)
        assert dice.streams[COMBAT] == 6


class TestEnumeration:
    @pytest.mark.parametrize("number", range(1, 6))
    @pytest.mark.parametrize("need", range(-1, 9))
    def test_counts(self, number, need):
        """n+1 weighted answers at most, and the weights are those of all 6^n faces."""
        faces = Counter(sum(face >= need for face in roll) for roll in product(range(1, 7), repeat=number))
        runs = enumerate_all(lambda dice: dice.at_least(COMBAT, number, need))
        assert len(runs) == len(faces) <= number + 1
        assert merged(runs) == {count: Fraction(ways, 6**number) for count, ways in faces.items()}

    @pytest.mark.parametrize("number", range(1, 5))
    def test_sums(self, number):
        for limit in range(-1, 6 * number + 3):
            good = sum(sum(roll) <= limit for roll in product(range(1, 7), repeat=number))
            runs = enumerate_all(lambda dice, limit=limit: dice.within(MORALE, number, limit))
            assert merged(runs).get(True, 0) == Fraction(good, 6**number)
            assert len(runs) == (2 if 0 < good < 6**number else 1)

    def test_two_dice_within_six_is_fifteen_in_thirty_six(self):
        assert merged(enumerate_all(lambda dice: dice.within(MORALE, 2, 6)))[True] == Fraction(15, 36)

    def test_parity(self):
        assert enumerate_all(lambda dice: dice.even(COMBAT)) == [
            (True, Fraction(1, 2)),
            (False, Fraction(1, 2)),
        ]

    def test_markers(self):
        runs = enumerate_all(lambda dice: dice.draw(CUP, [2, 0, 1], ["a", "b", "c"]))
        assert runs == [(0, Fraction(2, 3)), (2, Fraction(1, 3))]

    def test_questions_that_depend_on_answers(self):
        """Hits, then saves only with hits, then a test for each loss: against all faces of all dice."""

        def shot(dice):
            hits = dice.at_least(COMBAT, 2, 5)
            saves = dice.at_least(COMBAT, 2, 4) if hits else 0
            tests = [dice.within(MORALE, 1, 3) for _ in range(hits - saves)]
            return hits, saves, tuple(tests), dice.even(COMBAT)

        quick, slow = enumerate_all(shot), enumerate_all(shot, FaceDice())
        assert merged(quick) == merged(slow)
        assert sum(weight for _, weight in quick) == 1
        assert len(quick) < 50 < 1000 < len(slow)

    def test_two_enumerations_side_by_side(self):
        """The shared tables of weights are not used up or changed by a run."""
        first, second = EnumeratingDice(), EnumeratingDice()
        got = []
        while True:
            got.append((first.at_least(COMBAT, 2, 4), second.at_least(COMBAT, 2, 4)))
            if not (first.advance() & second.advance()):
                break
        assert got == [(0, 0), (1, 1), (2, 2)]

    def test_answers_are_named(self):
        dice = EnumeratingDice()
        dice.at_least(COMBAT, 3, 5)
        dice.within(MORALE, 2, 7)
        dice.even(COMBAT)
        dice.draw(CUP, [0, 4], ["a", "eot"])
        assert dice.answers == ["0 of 3 at 5+", "sum 7 or less", "even", "eot"]

    def test_faces_cannot_be_asked_for(self):
        with pytest.raises(ChanceError, match="not for faces"):
            EnumeratingDice().roll(COMBAT, 1)


class TestScripts:
    def dice(self, *values):
        return ScriptedDice(values, [0, 0, 0])

    def test_dictated_values_are_taken_in_order_and_advance_their_streams(self):
        dice = self.dice(1, 6, 5, "b", 2)
        assert dice.at_least(COMBAT, 3, 5) == 2
        assert dice.faces == [1, 6, 5]
        assert dice.draw(CUP, [1, 1], ["a", "b"]) == 1
        assert dice.even(MORALE)
        dice.finish()
        assert dice.streams == [1, 3, 1]
        assert dice.used == [1, 6, 5, "b", 2]

    def test_too_few(self):
        with pytest.raises(ChanceError, match=r"too few .*\(1 2\): a die is wanted next"):
            self.dice(1, 2).roll(COMBAT, 3)
        with pytest.raises(ChanceError, match=r"too few .*\(none\): a marker \(a, eot\) is wanted"):
            self.dice().draw(CUP, [1, 0, 2], ["a", "b", "eot"])

    def test_too_many(self):
        dice = self.dice(1, 2, 3)
        dice.roll(COMBAT, 1)
        with pytest.raises(ChanceError, match=r"too many .*: 2 3 left over"):
            dice.finish()

    @pytest.mark.parametrize("value", [0, 7, -1, True, "a", "3", 2.0, None, [1]])
    def test_no_face(self, value):
        with pytest.raises(ChanceError, match="is no face of a die: 1 to 6 are"):
            self.dice(value).roll(COMBAT, 1)

    @pytest.mark.parametrize("value", ["b", "d", "", "A", 1])
    def test_no_marker_that_is_there(self, value):
        with pytest.raises(ChanceError, match=r"can be drawn: the cup holds a, c$"):
            self.dice(value).draw(CUP, [1, 0, 1], ["a", "b", "c"])

    def test_a_message_does_not_repeat_thousands_of_values(self):
        many = self.dice(*[6] * 50_000)
        with pytest.raises(ChanceError, match=r"too many .*6 6 ?\.\.\. left over$") as told:
            many.finish()
        assert len(str(told.value)) < 400
        for value in ("x" * 50_000, [1] * 50_000):
            with pytest.raises(ChanceError, match="is no face") as told:
                self.dice(value).roll(COMBAT, 1)
            assert len(str(told.value)) < 400
        with pytest.raises(ChanceError, match="can be drawn") as told:
            self.dice("x" * 50_000).draw(CUP, [1, 1], ["a", "b"])
        assert len(str(told.value)) < 400

    def test_a_marker_may_have_a_number_for_its_name(self):
        """Scripts give single digits as numbers."""
        assert self.dice(6).draw(CUP, [1, 1], ["5", "6"]) == 1
        assert self.dice("44").draw(CUP, [1, 1], ["5", "44"]) == 1


def test_the_base_class_rolls_nothing():
    with pytest.raises(NotImplementedError):
        Dice().roll(COMBAT, 1)
    with pytest.raises(NotImplementedError):
        Dice().draw(CUP, [1], ["a"])


class TestSumsAndDuels:
    """Questions about sums and differences: by faces dictated in turn, by all faces, and enumerated."""

    @pytest.mark.parametrize(
        ("number", "limits"), [(1, (2, 5)), (1, (3, 3, 7)), (2, (6, 10, 11)), (2, (1, 12))]
    )
    def test_bands(self, number, limits):
        expected = {}
        for faces in product(range(1, 7), repeat=number):
            reached = sum(sum(faces) >= limit for limit in limits)
            expected[reached] = expected.get(reached, 0) + Fraction(1, 6**number)
            dice = ScriptedDice(list(faces), [0] * len(STREAMS))
            assert dice.band(COMBAT, number, limits) == reached
            dice.finish()
        for kind in (EnumeratingDice, FaceDice):
            assert merged(enumerate_all(lambda dice: dice.band(COMBAT, number, limits), kind())) == expected

    def test_certain_bands_roll_nothing(self):
        dice = ScriptedDice([], [0] * len(STREAMS))
        assert dice.band(COMBAT, 1, (0, 1, 7)) == 2
        assert dice.band(COMBAT, 2, (13,)) == 0
        assert enumerate_all(lambda dice: dice.band(COMBAT, 1, (-3, 9))) == [(1, 1)]

    @pytest.mark.parametrize(("least", "most"), [(-5, 5), (0, 5), (-1, 1), (3, 4)])
    def test_duels(self, least, most):
        expected = {}
        for first, second in product(range(1, 7), repeat=2):
            cut = min(most, max(least, first - second))
            expected[cut] = expected.get(cut, 0) + Fraction(1, 36)
            assert ScriptedDice([first, second], [0] * len(STREAMS)).duel(COMBAT, least, most) == cut
        for kind in (EnumeratingDice, FaceDice):
            assert merged(enumerate_all(lambda dice: dice.duel(COMBAT, least, most), kind())) == expected

    def test_certain_duels_roll_nothing(self):
        dice = ScriptedDice([], [0] * len(STREAMS))
        assert dice.duel(COMBAT, 7) == 7
        assert dice.duel(COMBAT, -5, -6) == -6
        assert enumerate_all(lambda dice: dice.duel(COMBAT, 5)) == [(5, 1)]
