"""The conformance kit: the toy passes it, and it finds whatever is broken in the toy."""

from dataclasses import replace
from random import Random

import pytest

from hexengine.core.errors import InvalidOrder, Refusal
from hexengine.core.game import Game
from hexengine.testing import conformance, decisions, hooks
from hexengine.testing.playing import chooser, steps, transcript, transcripts_elsewhere
from tests import toy
from tests.toy import board, rules


@pytest.fixture
def game():
    game = Game(toy.scenario(), seed=1)
    for order in ("draw [reds]", "end", "draw [blues]"):
        game.play(order)
    return game


def run(**changed):
    return conformance.run(toy.scenario(), **{"games": 8, "share": 0.5, "faces": 1_000, **changed})


class TestTheToy:
    def test_it_keeps_every_promise(self):
        found = conformance.run(
            toy.scenario(), games=20, share=0.3, faces=5_000, factory=("tests.toy:scenario", ())
        )
        assert found.games == 20
        assert found.orders > 200
        assert found.decisions > 40
        assert found.odds > 50
        assert found.refused.keys() >= {"T1.1", "T2.1", "T2.2", "T3.1", "T4.1"}
        assert found.events.keys() == toy.RULES.keys() - {"T2.1", "T2.3", "T2.4", "T4.1"}

    def test_a_run_is_a_function_of_its_seed(self):
        assert run(games=3) == run(games=3)
        assert run(games=3) != run(games=3, seed=2)

    @pytest.mark.parametrize("formations", [0, 1, 6])
    def test_drawing_alone(self, formations):
        assert conformance.run(toy.cup(formations), games=3, share=1.0).events["T1.2"] == 3

    def test_hash_seeds_by_arguments(self):
        first, *others = transcripts_elsewhere("tests.toy:scenario", ["by another name"], seed=7)
        assert others == [first, first]
        assert first.splitlines() == transcript(toy.scenario(), seed=7)


class TestWhatIsFound:
    """Each promise, broken on purpose."""

    def test_an_endless_game(self):
        with pytest.raises(AssertionError, match="not over after 5 orders") as caught:
            run(bound=5)
        assert caught.value.__notes__ == ["toy, seed 1, after entry 5"]

    def test_a_listed_order_that_is_refused(self, monkeypatch):
        monkeypatch.setattr(rules.Cup, "check", lambda self, pos, order: Refusal("T1.1", "draw-first", {}))
        with pytest.raises(AssertionError, match=r"draw is listed, but refused: draw-first \[T1\.1\]"):
            run(share=1.0)
        with pytest.raises(AssertionError, match="a listed order is refused: draw: a marker must be drawn"):
            run(share=0.0)

    def test_an_order_that_is_not_listed(self, monkeypatch):
        real = rules.Operations.possible
        monkeypatch.setattr(rules.Operations, "possible", lambda self, pos, unit: real(self, pos, unit)[1:])
        with pytest.raises(AssertionError, match="would be accepted, but is not listed"):
            run()

    def test_an_order_listed_twice(self, monkeypatch):
        monkeypatch.setattr(rules.Cup, "orders", lambda self, pos, actor: [board.DRAW, board.DRAW])
        with pytest.raises(AssertionError, match="listed twice: draw"):
            run()

    def test_an_order_list_that_changes(self, monkeypatch):
        real = rules.Operations.possible
        random = Random(1)

        def shuffled(self, pos, unit):
            orders = real(self, pos, unit)
            random.shuffle(orders)
            return orders

        monkeypatch.setattr(rules.Operations, "possible", shuffled)
        with pytest.raises(AssertionError, match=r"all\(\) is not the orders|come differently"):
            run()

    @pytest.mark.parametrize(
        ("actors", "orders", "said"),
        [
            ([], [board.DRAW], "a decision has no actors"),
            ([3], [], "the actor 3 has no orders"),
            ([3, 3], [board.DRAW], "actors are listed twice"),
        ],
    )
    def test_decisions_with_nothing_in_them(self, game, monkeypatch, actors, orders, said):
        monkeypatch.setattr(rules.Operations, "actors", lambda self, pos: actors)
        monkeypatch.setattr(rules.Operations, "orders", lambda self, pos, actor: orders)
        with pytest.raises(AssertionError, match=said):
            decisions.check_decision(game)

    def test_a_rule_that_is_not_in_the_catalogue(self, monkeypatch):
        monkeypatch.setattr(toy.Toy, "rule_ids", frozenset(toy.RULES) - {"T2.2"})
        with pytest.raises(AssertionError, match=r"'T2\.2', which is no rule of the catalogue"):
            run()

    def test_a_refusal_without_a_rule(self, game, monkeypatch):
        monkeypatch.setattr(rules, "cannot_move", lambda pos, unit, to: Refusal("", "occupied", {"hex": to}))
        with pytest.raises(AssertionError, match="is refused with ''"):
            decisions.check_decision(game)

    def test_a_refusal_without_words(self, game, monkeypatch):
        monkeypatch.setattr(toy.Toy, "describe", lambda self, board, refusal: "")
        with pytest.raises(AssertionError, match="refused without a word"):
            decisions.check_decision(game, toy.RULES)

    def test_an_alternative_that_is_illegal(self, game, monkeypatch):
        real = rules.Operations.check

        def check(self, pos, order):
            refusal = real(self, pos, order)
            return refusal and refusal._replace(alternative=board.DRAW)

        monkeypatch.setattr(rules.Operations, "check", check)
        with pytest.raises(AssertionError, match="the alternative is refused too"):
            decisions.check_decision(game)

    def test_a_text_that_cannot_be_read(self, monkeypatch):
        def parse(self, board, text):
            raise InvalidOrder(text, "no")

        monkeypatch.setattr(toy.Toy, "parse", parse)
        with pytest.raises(AssertionError, match="the text of a legal order cannot be read"):
            run()

    def test_a_text_that_is_read_as_another(self, game, monkeypatch):
        monkeypatch.setattr(toy.Toy, "parse", lambda self, board, text: toy.END)
        with pytest.raises(AssertionError, match=r"'move .*' is read as 'end'"):
            decisions.check_decision(game)

    def test_a_parser_that_breaks(self, game, monkeypatch):
        real = toy.Toy.parse
        monkeypatch.setattr(
            toy.Toy, "parse", lambda self, board, text: real(self, board, text) or text.split()[7]
        )
        decisions.check_reading(game, Random(1))
        monkeypatch.setattr(toy.Toy, "parse", lambda self, board, text: text.split()[2])
        with pytest.raises(AssertionError, match="fails: IndexError"):
            decisions.check_reading(game, Random(1))

    def test_questions_that_change_the_position(self, game, monkeypatch):
        real = rules.Operations.check

        def check(self, pos, order):
            pos.turn += 1
            return real(self, pos, order)

        monkeypatch.setattr(rules.Operations, "check", check)
        with pytest.raises(AssertionError, match="asking what is legal has changed the position"):
            decisions.check_decision(game)

    def test_an_invariant(self, monkeypatch):
        real = rules.cannot_move
        monkeypatch.setattr(
            rules,
            "cannot_move",
            lambda pos, u, to: (r := real(pos, u, to)) and (None if r.code == "occupied" else r),
        )
        with pytest.raises(AssertionError, match="two units in one hex"):
            run(share=0.0)

    def test_rules_that_ask_dice_for_faces_unevenly(self, monkeypatch):
        """Exact odds and faces must agree: here the enumerated test is another one."""
        from hexengine.core.dice import EnumeratingDice

        real = EnumeratingDice.at_least
        monkeypatch.setattr(EnumeratingDice, "at_least", lambda self, s, n, need: real(self, s, n, need + 1))
        with pytest.raises(AssertionError, match="by all faces the chances are"):
            run(faces=5_000)

    def test_state_that_is_kept_outside_the_position(self, monkeypatch):
        """A counter in the module: replays, copies and interleaved games differ."""
        real = rules.fire
        count = [0]

        def fire(pos, unit, target, dice, emit):
            count[0] += 1
            pos.control[0] = count[0] % 3
            return real(pos, unit, target, dice, emit)

        monkeypatch.setattr(rules, "fire", fire)
        for check in (conformance.check_replay, conformance.check_interleaved, conformance.check_copies):
            with pytest.raises(AssertionError):
                for seed in range(10):
                    check(toy.scenario(), seed)

    def test_rules_that_do_something_else_when_watched(self, monkeypatch):
        real = rules.fire

        def fire(pos, unit, target, dice, emit):
            if emit:
                dice.even(0)
            return real(pos, unit, target, dice, emit)

        monkeypatch.setattr(rules, "fire", fire)
        with pytest.raises(AssertionError, match="with events off"):
            for seed in range(10):
                conformance.check_events(toy.scenario(), seed)

    @pytest.mark.parametrize(
        "result", [{"winner": "red", "margin": 1}, {"winner": "", "margin": 1, "reason": "x"}]
    )
    def test_a_result_that_batches_cannot_read(self, game, monkeypatch, result):
        real = toy.Toy.state
        for _ in steps(game, chooser(1)):
            pass
        decisions.check_state(game)
        monkeypatch.setattr(toy.Toy, "state", lambda self, pos: {**real(self, pos), "result": result})
        with pytest.raises(AssertionError, match="it wants a winner"):
            decisions.check_state(game)

    def test_a_unit_in_the_view_that_is_not_in_the_state(self, game, monkeypatch):
        look = game.system.view(game.position)
        more = replace(look, pieces=(replace(look.pieces[0], unit="r7"), *look.pieces[1:]))
        monkeypatch.setattr(toy.Toy, "view", lambda self, pos: more)
        with pytest.raises(AssertionError, match="unit r7 is in the view, and not in the state"):
            decisions.check_state(game)

    def test_a_state_that_is_no_plain_json(self, game, monkeypatch):
        real = toy.Toy.state
        for wrong, said in (
            ({"turn": (1, 2)}, "a trip through JSON"),
            ({"control": {1: "red"}}, "a trip through JSON"),
            ({"phase": "over"}, "the phase is 'over'"),
            ({"result": {}}, "has a result when it is over"),
            ({"decision": None}, "the state says None is to decide"),
            ({"units": {"r1": {"hex": None}}}, "the state of unit r1 has no carrier, markers"),
        ):
            monkeypatch.setattr(toy.Toy, "state", lambda self, pos, wrong=wrong: {**real(self, pos), **wrong})
            with pytest.raises(AssertionError, match=said):
                decisions.check_state(game)
        wrong = {"score": {"red": 1}}
        monkeypatch.setattr(toy.Toy, "state", lambda self, pos: {**real(self, pos), **wrong})
        with pytest.raises(AssertionError, match="the score is of red, and must be of every side"):
            decisions.check_state(game)
        monkeypatch.setattr(toy.Toy, "state", lambda self, pos: {"turn": 1})
        with pytest.raises(AssertionError, match="the state has no active, control"):
            decisions.check_state(game)

    def test_events_without_words(self, monkeypatch):
        monkeypatch.setattr(toy.Toy, "narrate", lambda self, board, event: None)
        with pytest.raises(AssertionError, match="the event drawn cannot be told in words"):
            run(share=1.0)

    def test_an_event_of_no_rule(self, monkeypatch):
        monkeypatch.setattr(toy.Toy, "rule_ids", frozenset(toy.RULES) - {"T1.2"})
        with pytest.raises(AssertionError, match=r"the event turn-ends names 'T1\.2'"):
            run()

    def test_chance_that_is_not_all_used(self, game):
        game.play("move b1 0302")
        with pytest.raises(AssertionError, match="leads to another position"):
            conformance.check_chance(game, "fire r1 b1", [1, 1], "0" * 16)

    def test_hash_seeds(self, monkeypatch):
        monkeypatch.setattr(conformance, "transcripts_elsewhere", lambda *task: ["a\nb\n", "a\nc\n"])
        with pytest.raises(AssertionError, match="the game is another one: 'b' and 'c'"):
            conformance.check_hash_seeds("tests.toy:scenario")
        with pytest.raises(AssertionError, match="AttributeError"):
            transcripts_elsewhere("tests.toy:no_such_name", hash_seeds=["0"])


class TestHooks:
    def test_systems_may_offer_nothing(self, game):
        class Silent:
            name = "silent"

        assert hooks.candidates(Silent(), game.position) is None
        assert hooks.rule_ids(Silent()) is None
        hooks.invariants(Silent(), game.position)

    def test_the_kit_runs_without_them(self, monkeypatch):
        for name in ("candidates", "invariants", "rule_ids"):
            monkeypatch.delattr(toy.Toy, name)
        found = run(games=3)
        assert found.decisions > 5
        assert not found.refused


def test_random_games_are_functions_of_their_seed():
    one, same, other = (list(steps(Game(toy.scenario(), s), chooser(s))) for s in (1, 1, 2))
    assert one == same != other
