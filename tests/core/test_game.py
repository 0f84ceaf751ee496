"""Games: what may be ordered, carrying it out, and leaving everything as it was after an error."""

import pytest

import hexengine as hx
from hexengine.core.errors import ChanceError, GameOver, HexEngineError, IllegalOrder, InvalidOrder
from hexengine.core.game import Game
from tests import toy
from tests.toy.board import DRAW, END, PASS

OPENING = ["draw [reds]", "end", "draw [blues]", "move b1 0302"]
"""Blue steps next to red r2, which may shoot at it."""


def everything(game):
    """All of a game that an error must leave alone."""
    pos = game.position
    columns = [getattr(pos, name) for name in (*pos.COLUMNS, *pos.BYTES, *pos.INTS)]
    return repr((columns, pos.frames, pos.streams, game.entry, game.dice.streams))


@pytest.fixture
def game():
    game = Game(toy.scenario(), seed=1)
    for order in OPENING:
        game.play(order)
    return game


class TestDecisions:
    def test_who_decides_what(self, game):
        assert (game.decision.side, game.decision.kind) == ("red", "reaction")
        assert game.decision.actors() == [0, 1, -1]
        assert game.decision.orders(1) == [game.parse("fire r2 b1")]
        assert [str(order) for order in game.decision.all()] == ["fire r1 b1", "fire r2 b1", "pass"]
        assert game.orders() == game.decision.all()
        assert repr(game.decision) == "<decision of red: reaction>"

    def test_the_decision_moves_on_with_the_game(self, game):
        before = game.decision
        assert game.decision is before
        game.play("pass")
        assert (game.decision.side, game.decision.kind) == ("blue", "operations")

    def test_after_an_interrupt_the_frame_below_asks_again(self, game):
        """A hit stops the unit on the move: it is no longer offered, the other one is."""
        game.play("fire r2 b1 [4 4 1 1 1]")
        assert game.state()["units"]["b1"]["steps"] == 1
        assert {str(order).split()[1] for order in game.orders() if order != END} == {"b2"}

    def test_why_not(self, game):
        assert game.why_not("pass") is None
        assert game.why_not("pass [1 2]") is None
        refusal = game.why_not("move b1 0303")
        assert (refusal.rule, refusal.code) == ("T4.1", "no-decision")
        assert refusal.text == "that is not asked now"
        assert refusal.alternative == PASS
        with pytest.raises(InvalidOrder):
            game.why_not("move b9 0303")

    def test_odds_by_name(self, game):
        assert sum(outcome.probability for outcome in game.odds("fire r2 b1")) == 1
        with pytest.raises(IllegalOrder):
            game.odds("fire r1 r2")


class TestErrorsChangeNothing:
    @pytest.mark.parametrize(
        ("order", "error"),
        [
            ("", InvalidOrder),
            ("moove r2 0101", InvalidOrder),
            ("fire r2 b1 [4 4", InvalidOrder),
            ("fire r2 b1 [4 4] [1]", InvalidOrder),
            ("move r2 0101", IllegalOrder),
            ("fire b2 b1", IllegalOrder),
            ("draw", IllegalOrder),
            ("fire r2 b1 []", ChanceError),
            ("fire r2 b1 [4]", ChanceError),
            ("fire r2 b1 [4 4 1 1]", ChanceError),
            ("fire r2 b1 [4 4 1 1 1 1]", ChanceError),
            ("fire r2 b1 [4 4 1 1 7]", ChanceError),
            ("fire r2 b1 [4 4 1 1 0]", ChanceError),
            ("fire r2 b1 [4 4 1 1 reds]", ChanceError),
            ("fire r2 b1 [1 1 6]", ChanceError),
            ("pass [1]", ChanceError),
        ],
    )
    def test_text(self, game, order, error):
        before = everything(game)
        decision = game.orders()
        with pytest.raises(error) as caught:
            game.play(order)
        assert isinstance(caught.value, HexEngineError)
        assert everything(game) == before
        assert game.orders() == decision

    def test_and_the_game_goes_on_as_if_nothing_had_been(self, game):
        twin = game.copy()
        for order in ("fire r2 b1 [4 4 1 1]", "fire b2 b1", "what"):
            with pytest.raises(HexEngineError):
                game.play(order)
        assert game.play("fire r2 b1") == twin.play("fire r2 b1")
        assert everything(game) == everything(twin)

    def test_chance_by_argument(self, game):
        before = everything(game)
        with pytest.raises(ChanceError):
            game.play("fire r2 b1", [4, 4.0])
        assert everything(game) == before
        game.play("fire r2 b1 [6 6 6]", [1, 1])
        assert game.dice.used == [1, 1]

    def test_impossible_markers(self):
        game = Game(toy.scenario(), seed=1)
        game.play("draw [reds]")
        game.play("end")
        before = everything(game)
        for order in ("draw [reds]", "draw [greens]", "draw [3]", "draw []", "draw [eot eot]"):
            with pytest.raises(ChanceError):
                game.play(order)
            assert everything(game) == before

    def test_the_refusal_comes_with_the_error(self, game):
        with pytest.raises(IllegalOrder) as caught:
            game.play("fire b2 b1")
        refusal = caught.value.refusal
        assert (refusal.rule, refusal.facts) == ("T3.1", {"unit": "b2", "target": "b1"})
        assert str(caught.value) == "fire b2 b1: b2 cannot shoot at b1 [T3.1] (legal: fire r1 b1)"


class TestPlaying:
    def test_events_say_what_happened(self, game):
        events = game.play("fire r2 b1 [4 4 1 6 6]")
        assert [(event.rule, event.code) for event in events] == [
            ("T3.1", "shot"),
            ("T3.1", "loss"),
            ("T3.2", "morale"),
        ]
        assert events[0].facts["dice"] == [4, 4]
        assert [str(part.value) for part in events[0].facts["need"]] == ["4", "0"]

    def test_without_events_nothing_is_emitted(self):
        game = Game(toy.scenario(), seed=1, events=False)
        assert game.play("draw [reds]") == []

    def test_every_die_advances_its_stream_whatever_its_source(self, game):
        """A game goes on with the same dice whether earlier ones were rolled or dictated."""
        rolled = game.copy()
        rolled.play("fire r2 b1")
        game.play("fire r2 b1", rolled.dice.used)
        assert game.position.streams == rolled.position.streams
        for other in (game, rolled):
            other.play("end")
        assert [event.facts for event in game.play("draw")] == [event.facts for event in rolled.play("draw")]

    def test_dictated_and_rolled_games_have_the_same_digests(self, game):
        """Digests leave the counters out: dice that are typed in advance them all the same."""
        other = Game(toy.scenario(), seed=99)
        for order in OPENING:
            other.play(order)
        assert other.digest == game.digest

    def test_orders_are_counted(self, game):
        assert game.entry == 4
        game.play(PASS)
        assert game.entry == 5
        assert repr(game) == "<game of toy, seed 1, 5 orders, <decision of blue: operations>>"

    @pytest.mark.parametrize("seed", [1.5, "7", True, None])
    def test_a_seed_is_a_whole_number(self, game, seed):
        with pytest.raises(HexEngineError, match="a seed is a whole number, not"):
            Game(toy.scenario(), seed=seed)
        assert Game(toy.scenario(), seed=2**80).seed == 2**80

    def test_the_dice_of_an_order_are_its_own(self, game):
        """What was rolled before is gone, whether or not the order before was dictated."""
        game.play("fire r2 b1 [4 4 1 1 1]")
        assert game.dice.used == [4, 4, 1, 1, 1]
        game.play("end")
        assert game.dice.used == []
        game.play("draw")
        assert len(game.dice.used) == 1

    def test_own_dice(self):
        from hexengine.core.dice import SeededDice

        game = Game(toy.scenario(), seed=1, dice=SeededDice(2))
        other = Game(toy.scenario(), seed=2)
        assert [game.play("draw") for _ in range(1)] == [other.play("draw") for _ in range(1)]


class TestTheEnd:
    @pytest.fixture
    def over(self):
        game = Game(toy.cup(1), seed=3)
        for marker in ("eot", "f0", "eot"):
            assert game.result is None
            game.play(f"draw [{marker}]")
        return game

    def test_nothing_is_asked(self, over):
        assert over.decision is None
        assert over.orders() == []
        assert over.result == {"winner": None, "margin": 0, "reason": "turns"}
        assert repr(over).endswith("3 orders, None>")

    def test_nothing_is_taken(self, over):
        before = everything(over)
        for order in (DRAW, "draw", "draw [eot]"):
            with pytest.raises(GameOver, match="draw: the game is over"):
                over.play(order)
        assert everything(over) == before
        assert over.why_not("draw").text == "the game is over"
        with pytest.raises(IllegalOrder):
            over.odds("draw")


class TestCopies:
    def test_a_copy_goes_on_with_the_same_dice(self, game):
        twin = game.copy()
        assert twin.play("fire r2 b1") == game.play("fire r2 b1")
        assert twin.digest == game.digest

    def test_what_a_copy_does_does_not_touch_the_game(self, game):
        before = everything(game)
        twin = game.copy()
        twin.play("fire r2 b1 [6 6 1 6 6]")
        twin.play("end")
        assert everything(game) == before

    def test_a_copy_of_another_seed_does_not_tell_the_real_dice(self, game):
        real = [game.copy().play("fire r2 b1") for _ in range(3)]
        tried = [game.copy(seed=seed).play("fire r2 b1") for seed in range(40)]
        assert real[0] == real[1] == real[2]
        assert len({repr(events) for events in tried}) > 3

    def test_imagined_dice_are_those_of_the_seed_alone(self, game):
        """Neither the real seed nor how many dice have been rolled so far is told by them."""
        twin = game.copy(seed=5)
        twin.position.streams[:] = [7, 900, 41]
        assert game.imagined(3).dice.roll(1, 20) == twin.imagined(3).dice.roll(1, 20)
        assert game.imagined(3).dice.roll(1, 20) != game.imagined(4).dice.roll(1, 20)
        assert twin.position.streams == [7, 900, 41]

    def test_restore(self, game):
        """Back to a kept position, the counters too: the same order rolls the same dice again."""
        kept, before = game.position.copy(), everything(game)
        first = game.play("fire r2 b1")
        game.restore(kept)
        game.entry -= 1
        assert everything(game) == before
        assert game.decision.kind == "reaction"
        assert game.play("fire r2 b1") == first

    def test_two_games_of_one_scenario_share_the_board_and_nothing_else(self):
        scenario = toy.scenario()
        one, other = Game(scenario, 1), Game(scenario, 1)
        one.play("draw [reds]")
        assert one.board is other.board
        assert other.digest == Game(scenario, 5).digest


def test_an_order_of_another_board_is_taken_by_its_text():
    """Its numbers mean other units there: the same words must mean what they say here."""
    here, there = (Game(hx.load(name), seed=1) for name in ("crossroads", "river-crossing"))
    foreign = there.parse("clear hq-118 0101")
    with pytest.raises(InvalidOrder, match="'hq-118'"):
        here.play(foreign)
    twin = Game(hx.loads(hx.load("crossroads").source, "twin"), seed=1)
    for game in (here, twin):
        game.play("draw")
    same = twin.orders()[0]
    assert here.read(same) is here.parse(str(same)) is not same
    assert here.why_not(same) is None
    here.play(same)
