"""Perft: the columns against closed forms, brute force, and what they must catch."""

from fractions import Fraction
from itertools import product
from math import factorial

import pytest

from hexengine.core.game import Game
from hexengine.core.odds import branches
from hexengine.testing.perft import by_brute_force, divide, legal, perft
from tests import toy
from tests.toy import rules


def plain(pos, depth):
    """The columns by plain recursion: no merging, no layers, every sequence walked alone."""
    if depth == 0 or not pos.frames:
        return 1, int(not pos.frames), {}, {}, int(pos.digest(), 16), Fraction(1)
    leaves, ends, digest, mass, hits, expect = 0, 0, 0, Fraction(0), {}, {}
    orders = legal(pos)
    for order in orders:
        for branch in branches(pos, order, events=True):
            share = branch.probability / len(orders)
            below = plain(branch.position, depth - 1)
            leaves, ends, digest = leaves + below[0], ends + below[1], digest + below[4]
            mass += share * below[5]
            for event in branch.events:
                hits[event.rule] = hits.get(event.rule, 0) + 1
                expect[event.rule] = expect.get(event.rule, 0) + share
            for rule in below[2]:
                hits[rule] = hits.get(rule, 0) + below[2][rule]
                expect[rule] = expect.get(rule, 0) + share * below[3][rule]
    return leaves, ends, hits, expect, digest, mass


@pytest.fixture
def game():
    return Game(toy.scenario())


@pytest.mark.parametrize("depth", range(5))
def test_merging_changes_no_number(game, depth):
    leaves, ends, hits, expect, digest, mass = plain(game.position, depth)
    got = perft(game, depth)
    assert got[1:] == (leaves, ends, hits, expect, f"{digest % 2**64:016x}", mass)
    assert got.mass == 1


@pytest.mark.parametrize(("formations", "sequences"), list(enumerate((1, 3, 11, 49, 261, 1631, 11743))))
def test_draws_of_a_cup(formations, sequences):
    """n formations, two like End of Turn markers, the second ends the turn.

    With j formations out before it there are n!/(n-j)! orders of them and j+1 places for the first
    End of Turn marker.  A formation comes out with probability 2/3.
    """
    n = formations
    assert sequences == sum((j + 1) * factorial(n) // factorial(n - j) for j in range(n + 1))
    got = perft(Game(toy.cup(n)), n + 2)
    assert (got.leaves, got.ends, got.mass) == (sequences, sequences, 1)
    assert got.expect["T1.1"] == 2 + Fraction(2 * n, 3)
    assert got.hits["T1.2"] == got.hits["T5.1"] == sequences


@pytest.mark.parametrize(("formations", "ends"), list(product((1, 3, 5), (1, 2, 3, 4))))
def test_a_formation_comes_out_before_the_last_of_k_end_markers(formations, ends):
    """With probability k/(k+1): it stands before the last of them in k of k+1 places."""
    got = perft(Game(toy.cup(formations, ends)), formations + ends)
    assert got.expect["T1.1"] == ends + Fraction(ends * formations, ends + 1)


def test_one_unit_walks(game):
    """A lone unit in the corner 0101 of the sheet, two steps at most, stopping after each.

    0101 has 2 neighbours (0102, 0201) and these have 4 and 5 with 0101 among them."""
    text = (
        toy.TEXT[: toy.TEXT.index("unit = [")] + 'unit = [{ id = "r1", formation = "reds", hex = "0101" }]\n'
    )
    alone = Game(toy.scenario("alone", text))
    grid = alone.board.grid
    assert [
        len([h for h in grid.neighbours[grid.index(label)] if h >= 0]) for label in ("0101", "0102", "0201")
    ] == [2, 4, 5]
    alone.play("draw [reds]")
    assert perft(alone, 1).leaves == 2 + 1
    assert perft(alone, 1).hits == {"T2.2": 2}
    # A step and another (which ends the activation), or a step and the end, or the end and one of two draws.
    assert perft(alone, 2).leaves == (4 + 1) + (5 + 1) + 2


def test_depth_nothing(game):
    got = perft(game, 0)
    assert got.json() == {
        "depth": 0,
        "leaves": 1,
        "ends": 0,
        "hits": {},
        "expect": {},
        "digest": game.digest,
        "mass": "1",
    }


def test_finished_games_are_leaves_however_deep_one_asks():
    shallow, deep = perft(Game(toy.cup(2)), 4), perft(Game(toy.cup(2)), 10_000)
    assert shallow._replace(depth=0) == deep._replace(depth=0)


@pytest.mark.parametrize("depth", [-1, -100])
def test_no_such_depth(game, depth):
    with pytest.raises(ValueError, match="0 or more"):
        perft(game, depth)
    with pytest.raises(ValueError, match="1 or more"):
        divide(game, depth + 1)


def test_the_form_for_scripts(game):
    got = perft(game, 2).json()
    assert list(got) == ["depth", "leaves", "ends", "hits", "expect", "digest", "mass"]
    assert got["expect"]["T1.1"] == "3/2"
    assert got["mass"] == "1"
    assert list(got["hits"]) == sorted(got["hits"])


def test_counting_leaves_the_game_alone(game):
    before = (game.digest, list(game.position.streams), game.entry)
    perft(game, 3)
    divide(game, 2)
    assert (game.digest, game.position.streams, game.entry) == before


def test_dice_counters_do_not_matter(game):
    """Trees of equal positions are equal, however many dice were rolled on the way."""
    other = Game(toy.scenario(), seed=9)
    other.position.streams[1] = 40
    assert perft(game, 3) == perft(other, 3)


class TestDivide:
    @pytest.mark.parametrize("depth", [1, 2, 3])
    def test_rows_add_up_to_the_whole(self, game, depth):
        whole, rows = perft(game, depth), [row for _, row in divide(game, depth)]
        assert sum(row.leaves for row in rows) == whole.leaves
        assert sum(row.ends for row in rows) == whole.ends
        assert sum(row.mass for row in rows) == 1
        assert f"{sum(int(row.digest, 16) for row in rows) % 2**64:016x}" == whole.digest
        for rule in whole.hits:
            assert sum(row.hits.get(rule, 0) for row in rows) == whole.hits[rule]
            assert sum(row.expect.get(rule, 0) for row in rows) == whole.expect[rule]

    def test_rows_name_the_order_and_its_chance(self, game):
        assert [text for text, _ in divide(game, 1)] == ["draw [reds]", "draw [blues]", "draw [eot]"]
        for order in ("draw [reds]", "end", "draw [blues]", "move b1 0302"):
            game.play(order)
        texts = [text for text, _ in divide(game, 1)]
        assert len(set(texts)) == len(texts)
        assert "fire r2 b1 [1 of 2 at 4+, 0 of 1 at 5+, sum 7 or less]" in texts
        assert texts[-1] == "pass"

    def test_a_finished_game_has_no_rows(self):
        game = Game(toy.cup(0))
        game.play("draw")
        game.play("draw")
        assert divide(game, 3) == []
        assert perft(game, 3).leaves == perft(game, 3).ends == 1


class TestBruteForce:
    @pytest.mark.parametrize("depth", [1, 2, 3, 4])
    def test_the_judge_alone_gives_the_same_tree(self, game, depth):
        assert perft(game, depth, orders=by_brute_force(game)) == perft(game, depth)

    def test_a_generator_that_forgets_an_order_is_found(self, game, monkeypatch):
        right = perft(game, 3)
        real = rules.Operations.possible
        monkeypatch.setattr(rules.Operations, "possible", lambda self, pos, unit: real(self, pos, unit)[:-1])
        assert perft(game, 3) != perft(game, 3, orders=by_brute_force(game))
        assert perft(game, 3) != right

    def test_a_system_must_say_what_could_be_ordered(self, game, monkeypatch):
        monkeypatch.delattr(toy.Toy, "candidates")
        with pytest.raises(NotImplementedError, match="'toy' offers no candidates"):
            perft(game, 1, orders=by_brute_force(game))


class TestWhatIsCaught:
    """Each column exists because it alone sees some fault."""

    @pytest.fixture
    def before(self, game):
        for order in ("draw [reds]", "end", "draw [blues]"):
            game.play(order)
        return game, perft(game, 3)

    def changed(self, before):
        game, old = before
        new = perft(game, 3)
        return {
            name
            for name in ("leaves", "ends", "hits", "expect", "digest")
            if getattr(old, name) != getattr(new, name)
        }

    def test_other_odds_are_seen_in_expect_alone(self, before, monkeypatch):
        """A test within 8 in place of 7: the same answers, weighted otherwise."""
        from hexengine.core.dice import EnumeratingDice

        within = EnumeratingDice.within
        monkeypatch.setattr(
            EnumeratingDice, "within", lambda self, stream, n, limit: within(self, stream, n, limit + 1)
        )
        assert self.changed(before) == {"expect"}

    def test_a_rule_of_another_name_is_seen_in_hits(self, before, monkeypatch):
        event = rules.Event
        monkeypatch.setattr(
            rules, "Event", lambda rule, code, facts: event("T9" if rule == "T3.2" else rule, code, facts)
        )
        assert self.changed(before) == {"hits", "expect"}

    def test_a_longer_range_is_seen_in_all(self, before, monkeypatch):
        def cannot_fire(pos, unit, target):
            if pos.hex[target] >= 0 and pos.board.side[target] != pos.board.side[unit]:
                return None
            return real(pos, unit, target)

        real = rules.cannot_fire
        monkeypatch.setattr(rules, "cannot_fire", cannot_fire)
        assert self.changed(before) >= {"leaves", "hits", "expect", "digest"}

    def test_what_is_left_in_the_position_is_seen_in_the_digest_alone(self, before, monkeypatch):
        real = rules.Operations.play

        def play(self, pos, order, dice, emit):
            real(self, pos, order, dice, emit)
            pos.control[0] = 0

        monkeypatch.setattr(rules.Operations, "play", play)
        assert self.changed(before) == {"digest"}
