"""What is kept of a decision: good for that decision alone, and nobody's to change."""

from __future__ import annotations

from random import Random

import pytest

import hexengine as hx
from hexengine.core.errors import IllegalOrder
from hexengine.core.game import Game
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.acting import CLOSING, ENTERING
from hexengine.systems.platoon.choices import unload_crowds
from hexengine.systems.platoon.moving import passing, transport
from hexengine.systems.platoon.moving.steps import steps, steps_alone
from tests.rules.table import begin, play, refuse
from tests.rules.test_stacking import TYPES, _crowded_game


def _games(names: tuple[str, ...] = ("crossroads", "river-crossing"), orders: int = 60) -> list[Game]:
    """Games in the middle of an activation."""
    found = []
    for number, name in enumerate(names):
        random = Random(number)
        game = Game(hx.load(name), number, events=False)
        while game.entry < orders or (game.decision is not None and game.decision.kind != "group"):
            game.play(random.choice(game.orders()))
        found.append(game)
    return found


def _illegal(game: Game) -> hx.Order:
    """A move that is not legal now."""
    frame, book = game.position.frames[-1], game.board.orders
    for unit in range(game.board.count):
        order = book.move(1 << unit, game.board.size - 1)
        if frame.check(game.position.copy(), order) is not None:
            return order
    raise AssertionError("every move is legal")


def test_lists_that_were_handed_out_can_be_changed_without_effect():
    for game in _games():
        decision = game.decision
        assert decision is not None
        orders, illegal = game.orders(), _illegal(game)
        for found in (
            game.orders(),
            decision.all(),
            *[decision.orders(actor) for actor in decision.actors()],
        ):
            found.append(illegal)
            found.reverse()
        assert game.orders() == orders
        with pytest.raises(IllegalOrder):
            game.play(illegal)
        assert game.why_not(illegal) is not None


def test_what_was_offered_before_is_no_permission_later():
    """After each order all those offered before it are judged anew."""
    refused = 0
    for game in _games(("bench", "dornfeld"), 20):
        random = Random(7)
        for _ in range(80):
            if game.decision is None:
                break
            before = game.orders()
            game.play(random.choice(before))
            if game.decision is None:
                break
            frame, bare = game.position.frames[-1], game.position.copy()
            for order in before:
                now = frame.check(game.position, order)
                assert (now is None) == (frame.check(bare, order) is None), order
                refused += now is not None
    assert refused > 300


def test_copies_begin_without_and_offer_the_same():
    for game in _games():
        game.orders()
        assert game.position.offer is not None
        copy = game.copy()
        assert copy.position.offer is None
        assert copy.orders() == game.orders()
        for _ in range(30):
            order = Random(copy.entry).choice(copy.orders())
            copy.play(order)
        assert game.orders() == game.copy().orders()


def test_asking_for_those_who_are_no_actors_makes_nothing_legal():
    """Who waits off the map while a group is open; ``done`` while a hex is over the limit; empty hexes."""
    enemy = "red B\n x t-72 0401 ops-complete\n"
    forces = "blue A\n a slow 0101\n r m1 due 1 0101\n"
    game = begin("....", forces + enemy, active="A", more=TYPES.format(3))
    play(game, "move a 0201")
    decision = game.decision
    assert decision is not None
    assert [str(order) for order in decision.orders(ENTERING)] == ["enter r 0101"]
    refuse(game, "enter r 0101", "P4.3", "group-open")
    full = "blue A\n a slow 0101\n b slow 0101\nblue F\n f m1 0201\n g m1 0201\n"
    game = begin("....", full + enemy, active="A", more=TYPES.format(3))
    play(game, "move a 0201")
    decision = game.decision
    assert decision is not None
    assert CLOSING not in decision.actors()
    assert [str(order) for order in decision.orders(CLOSING)] == ["done"]
    refuse(game, "done", "P3.4", "over-the-limit")
    listed = game.orders()
    for place in range(game.board.size):
        decision.orders(place)
    assert game.orders() == listed == game.copy().orders()


@pytest.mark.rule("P3.4", "P5.10")
def test_letting_off_at_a_glance_is_letting_off_by_the_long_way():
    """Where the quick look finds room for one who gets off, the search finds it too."""
    asked = {True: 0, False: 0}
    for seed in range(400):
        game, random = _crowded_game(seed)
        for _ in range(8):
            if game.decision is None or game.decision.kind not in ("operations", "group"):
                break
            pos, board = game.position, game.board
            group = pos.frames[-1].group(pos)
            for carrier in range(board.count):
                riders = sum(1 << rider for rider in pos.passengers(carrier))
                if not riders or any(
                    transport.unload_bar(pos, carrier, rider) for rider in pos.passengers(carrier)
                ):
                    continue
                trial = pos.copy()
                transport.unload(trial, carrier, riders, None)
                members = max(group, 0)
                long_way = passing.can_thin(
                    trial, board.side[carrier], (pos.hex[carrier],), members | riders | 1 << carrier
                )
                assert (unload_crowds(pos, carrier, riders, members) is None) == long_way, seed
                asked[long_way] += 1
            game.play(random.choice(game.orders()))
    assert asked[True] > 20
    assert asked[False] > 5


def test_the_short_way_of_a_unit_alone_finds_what_the_long_way_finds():
    """Random games on the tight maps and on a large one: the same moves, in the same order."""
    asked = 0
    for game in [_crowded_game(seed)[0] for seed in range(60)] + _games(("bench", "meeting"), 30):
        random = Random(3)
        for _ in range(60):
            decision = game.decision
            if decision is None:
                break
            pos, board = game.position, game.board
            for unit in units(pos.placed & board.counted & ~pos.carried & ~board.air):
                formation, place = board.formation[unit], pos.hex[unit]
                own_base = board.base[formation]
                if pos.here[own_base + place] == 1:
                    near = board.around[place] & (pos.taken_0 | pos.taken_1)
                    found = steps(pos, formation, place, 1 << unit, 1 << unit, near)
                    assert steps_alone(pos, own_base, place, 1 << unit, 1 << unit, near) == found
                    asked += 1
            game.play(random.choice(game.orders()))
    assert asked > 2000
