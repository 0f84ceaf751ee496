"""A game with its history: what undo takes back and what it may not, and what a failed order leaves."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec import UNSET

from hexengine.core.dice import SeededDice
from hexengine.core.errors import ChanceError, GameOver, IllegalOrder, InvalidOrder
from hexengine.record.formats import RecordError, Replaced
from hexengine.record.game import STRIDE, UNDO, Game
from tests.record.helpers import choose, far_scenario, long_scenario, play_out, played
from tests.toy import scenario


def drawn(marker: str = "reds", **options: Any) -> Game:
    """A game far from the enemy in which a formation acts."""
    game = Game(far_scenario(), 3, **options)
    game.play(f"draw [{marker}]")
    return game


def refused(game: Game) -> str:
    """The code with which undo is refused; nothing may have changed."""
    before = (game.digest, game.entry, list(game.position.streams))
    with pytest.raises(IllegalOrder) as caught:
        game.undo()
    assert (game.digest, game.entry, game.position.streams) == before
    assert game.why_not("undo") == caught.value.refusal
    assert caught.value.refusal.text
    return caught.value.refusal.code


class TestUndo:
    def test_takes_back_a_move_and_restores_everything(self) -> None:
        game = drawn()
        digest, state, streams = game.digest, game.state(), list(game.position.streams)
        game.play("move r1 0201")
        assert game.digest != digest
        game.undo()
        assert (game.digest, game.state(), game.position.streams) == (digest, state, streams)

    def test_is_an_entry_of_the_log(self) -> None:
        game = drawn()
        digest = game.digest
        game.play("move r1 0201")
        assert game.play("undo") == []
        last = game.log.entries[-1]
        assert (last.n, last.by, last.order, last.chance, last.digest) == (3, "red", "undo", [], digest)
        assert game.entry == 3

    def test_nothing_to_take_back(self) -> None:
        assert refused(Game(far_scenario(), 1)) == "undo-nothing"

    def test_stops_at_a_draw(self) -> None:
        game = drawn()
        assert refused(game) == "undo-drew"
        game.play("move r1 0201")
        game.undo()
        assert refused(game) == "undo-drew"

    def test_stops_at_a_roll(self) -> None:
        game = Game(scenario("near", scenario().source.replace('"0401"', '"0303"')), 1)
        game.play("draw [reds]")
        game.play("fire r2 b1 [1 1]")
        assert game.decision is not None and game.decision.side == "red"
        assert refused(game) == "undo-rolled"

    def test_stops_at_what_the_other_side_chose(self) -> None:
        game = Game(scenario("near", scenario().source.replace('"0401"', '"0303"')), 1)
        game.play("draw [reds]")
        game.play("move r1 0201")
        assert game.decision is not None and game.decision.kind == "reaction"
        assert refused(game) == "undo-other-side"  # blue is asked and has ordered nothing
        game.play("pass")
        assert game.decision.side == "red"
        assert refused(game) == "undo-other-side"

    def test_stops_at_what_was_shown(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """An order after which other things are hidden than before has told something, without a die."""
        monkeypatch.setattr(
            type(Game(far_scenario()).system), "secrets", lambda _, pos: pos.hex[0], raising=False
        )
        game = drawn()
        game.play("move r2 0401")
        game.undo()
        game.play("move r1 0201")
        assert refused(game) == "undo-revealed"

    def test_leaves_no_dice_behind(self) -> None:
        """What chance decided for the order that was taken back belongs to no entry any more."""
        game = Game(far_scenario(), 3, sandbox=True)
        game.play("draw")
        assert game.dice.used
        game.undo()
        assert game.dice.used == []

    def test_several_in_a_row_then_forward_again(self) -> None:
        game = drawn()
        digests = [game.digest]
        for order in ("move r1 0201", "move r2 0401", "move r2 0501"):
            game.play(order)
            digests.append(game.digest)
        for digest in reversed(digests[:-1]):
            game.undo()
            assert game.digest == digest
        assert refused(game) == "undo-drew"
        for order, digest in zip(("move r1 0201", "move r2 0401"), digests[1:], strict=False):
            game.play(order)
            assert game.digest == digest

    def test_is_never_offered_but_can_be_asked_about(self) -> None:
        game = drawn()
        game.play("move r1 0201")
        assert UNDO not in game.orders()
        assert game.parse(" undo ") is UNDO
        assert game.why_not("undo") is None
        game.play(UNDO)
        assert game.why_not(UNDO) is not None

    def test_takes_no_dice_and_has_no_odds(self) -> None:
        game = drawn()
        game.play("move r1 0201")
        with pytest.raises(ChanceError):
            game.play("undo [3]")
        with pytest.raises(InvalidOrder):
            game.odds("undo")
        assert game.entry == 2
        assert sum(outcome.probability for outcome in game.odds("end")) == 1

    def test_at_the_end_of_the_game(self) -> None:
        game = played(long_scenario(), 4)
        assert game.decision is None
        assert refused(game) == "undo-drew"
        with pytest.raises(GameOver):
            game.play("end")


def test_who_was_replaced_stands_at_one_entry() -> None:
    """That of the next order, and not at those behind it."""
    game = drawn()
    game.replaced("one", "random", "it raised an error")
    for order in ("move r1 0201", "move r2 0401"):
        game.play(order)
    replaced = [entry.replaced for entry in game.log.entries]
    assert replaced == [UNSET, Replaced("one", "random", "it raised an error"), UNSET]
    assert game.stand_ins == {"red": replaced[1]}


def test_what_a_side_may_see_has_no_history_that_would_tell_more(monkeypatch: pytest.MonkeyPatch) -> None:
    game = drawn()
    game.play("move r1 0201")
    kind = type(game.system)
    monkeypatch.setattr(kind, "observed", lambda _, pos, side: pos.copy() if side else None, raising=False)
    assert game.seen_by(0) is game
    seen = game.seen_by(1)
    assert seen.digest == game.digest
    assert seen.log.entries == []
    assert refused(seen) == "undo-nothing"


class TestSandbox:
    def test_lifts_the_fence_and_the_same_dice_fall_again(self) -> None:
        game = Game(long_scenario(), 11, sandbox=True)
        game.play("draw")
        first = game.log.entries[0]
        digest = game.digest
        game.undo()
        assert game.position.streams == [0, 0, 0]
        game.play("draw")
        assert game.digest == digest
        assert game.log.entries[2].chance == first.chance
        assert game.log.header.sandbox

    def test_takes_back_all_since_the_own_last_order(self) -> None:
        game = Game(scenario("near", scenario().source.replace('"0401"', '"0303"')), 1, sandbox=True)
        game.play("draw [reds]")
        digest = game.digest
        game.play("move r1 0201")
        game.play("fire b1 r1 [1 1]")
        assert game.decision is not None and game.decision.side == "red"
        game.undo()
        assert game.digest == digest

    def test_goes_back_over_the_whole_game(self) -> None:
        start = Game(long_scenario(), 2).digest
        game = play_out(Game(long_scenario(), 2, sandbox=True))
        assert game.decision is None
        while game.why_not("undo") is None:
            game.undo()
        assert refused(game) == "undo-nothing"
        assert game.digest == start
        assert game.position.streams == [0, 0, 0]
        assert game.log.entries[-1].order == "undo"


@pytest.mark.parametrize("seed", range(20))
def test_orders_and_undos_by_chance_agree_with_kept_copies(seed: int) -> None:
    """Undo is compared with copies of every position, over many strides of kept positions."""
    dice = random.Random(seed)
    game = Game(far_scenario() if seed % 2 else long_scenario(), seed, sandbox=seed % 4 < 2)
    behind = [(game.digest, list(game.position.streams), "")]
    for _ in range(150):
        if game.why_not("undo") is None and dice.random() < (0.6 if game.decision is None else 0.3):
            by = game.by
            game.undo()
            own = [n for n in range(1, len(behind)) if behind[n][2] == by]
            del behind[own[-1] if own else len(behind) - 1 :]
        elif game.decision is not None:
            by = game.by
            game.play(choose(game))
            behind.append((game.digest, list(game.position.streams), by))
        assert (game.digest, game.position.streams) == behind[-1][:2]
    assert len(game.log.entries) == game.entry > STRIDE


class TestFailedOrders:
    @pytest.mark.parametrize(
        ("order", "error"),
        [
            ("no such order", InvalidOrder),
            ("move r1 [", InvalidOrder),
            ("move r1 3001", IllegalOrder),
            ("move r1 0201 [6]", ChanceError),
            ("undo", IllegalOrder),
        ],
    )
    def test_leave_nothing(self, order: str, error: type[Exception]) -> None:
        game = drawn()
        before = (game.digest, game.entry, game.log.to_bytes())
        with pytest.raises(error):
            game.play(order)
        assert (game.digest, game.entry, game.log.to_bytes()) == before
        game.play("move r1 0201")
        assert game.entry == 2

    def test_an_interrupted_order_is_taken_back(self) -> None:
        class Interrupted(SeededDice):
            def roll(self, stream: int, number: int) -> list[int]:
                super().roll(stream, number)
                if broken:
                    raise KeyboardInterrupt
                return self.used[-number:]  # type: ignore[return-value]

        broken = False
        game = Game(scenario("near", scenario().source.replace('"0401"', '"0303"')), 1, dice=Interrupted(1))
        game.play("draw [reds]")
        before = (game.digest, list(game.position.streams), game.entry)
        broken = True
        with pytest.raises(KeyboardInterrupt):
            game.play("fire r2 b1")
        assert (game.digest, game.position.streams, game.entry) == before
        broken = False
        game.play("fire r2 b1")
        assert game.entry == 2


class TestGame:
    def test_without_a_seed_takes_a_fresh_one_and_keeps_it(self) -> None:
        games = [Game(scenario()) for _ in range(3)]
        assert len({game.seed for game in games}) == 3
        assert [game.log.header.seed for game in games] == [game.seed for game in games]

    @pytest.mark.parametrize("seed", [2**63, -(2**63) - 1])
    def test_seeds_that_no_log_could_hold_are_refused(self, seed: int) -> None:
        with pytest.raises(RecordError):
            Game(scenario(), seed)

    def test_players_by_side_or_in_order(self) -> None:
        for players in ({"blue": "b", "red": "a"}, ["a", "b"]):
            assert list(Game(scenario(), 1, players=players).log.header.players.items()) == [
                ("red", "a"),
                ("blue", "b"),
            ]
        assert Game(scenario(), 1).log.header.players == {}

    @pytest.mark.parametrize(
        "players", [["a"], {"red": "a"}, {"red": "a", "green": "b"}, ["a b", "c"], ["a#", "c"], ["", "c"]]
    )
    def test_players_that_fit_no_head_line_are_refused(self, players: Any) -> None:
        with pytest.raises(RecordError):
            Game(scenario(), 1, players=players)

    def test_copies_go_their_own_way(self) -> None:
        game = played(long_scenario(), 5, 30)
        log, other = game.log.to_bytes(), game.copy(seed=99)
        play_out(other)
        assert game.log.to_bytes() == log
        assert [entry.order for entry in other.log.entries[:30]] == [
            entry.order for entry in game.log.entries
        ]
        assert other.recording is None
        assert play_out(game.copy()).log.to_bytes() == played(long_scenario(), 5).log.to_bytes()

    def test_counts_entries_with_undo_among_them(self) -> None:
        game = drawn()
        game.play("move r1 0201")
        game.undo()
        assert [entry.n for entry in game.log.entries] == [1, 2, 3]
        assert game.entry == 3

    def test_digests_are_the_same_taken_early_or_late(self) -> None:
        early, late = Game(long_scenario(), 8), Game(long_scenario(), 8)
        while early.decision is not None:
            order = choose(early)
            early.play(order)
            late.play(order)
            assert early.log.entries[-1].digest == early.digest
        assert early.log.to_bytes() == late.log.to_bytes()


class TestEarlier:
    """The way to a point once more, for players that look back."""

    def test_tells_every_order_that_stands_from_where_it_is_early_enough(self) -> None:
        game = Game(long_scenario(), 3)
        chosen = random.Random(1).choice
        while game.decision is not None and game.entry < 3 * STRIDE + 5:
            game.play(chosen(game.orders()))
        digests = ["", *[entry.digest for entry in game.log.entries]]
        told = [(again.entry, again.digest, again.events) for again in game.earlier(lambda _: True)]
        assert [entry for entry, _, _ in told] == list(range(3 * STRIDE, game.entry))
        assert [digest for _, digest, _ in told] == digests[3 * STRIDE : -1]
        assert {events for _, _, events in told} == {False}
        whole = [again.entry for again in game.earlier(lambda _: False)]
        assert whole == list(range(game.entry))

    def test_leaves_out_what_was_taken_back_and_the_game_as_it_is(self) -> None:
        game = drawn(sandbox=True)
        game.play("move r1 0201")
        game.undo()
        before = (game.digest, game.entry, list(game.position.streams), len(game.log.entries))
        told = [again.decision.kind for again in game.earlier(lambda _: False) if again.decision is not None]
        assert told == ["draw"]
        redone = game.copy()
        redone.play("move r1 0201")
        assert [again.entry for again in redone.earlier(lambda _: False)] == [0, 3]
        assert (game.digest, game.entry, list(game.position.streams), len(game.log.entries)) == before

    def test_says_nothing_where_no_history_is_kept(self) -> None:
        assert not list(drawn().imagined(5).earlier(lambda _: False))

    def test_says_nothing_in_a_copy_with_other_dice(self) -> None:
        game = drawn()
        assert list(game.copy().earlier(lambda _: False))
        assert not list(game.copy(5).earlier(lambda _: False))
        assert not list(game.copy(5).copy().earlier(lambda _: False))
