"""What the rule-based player asks of the platoon system: each answer held against the rules themselves."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hexengine
from hexengine.core.dice import EnumeratingDice
from hexengine.core.game import Game
from hexengine.core.tactics import Weights
from hexengine.mechanics.masks import mask_of, units
from hexengine.players.officer import Officer
from hexengine.systems.platoon.firing.fire import save_dice, strength
from hexengine.systems.platoon.moving.stacking import counted
from hexengine.systems.platoon.orders.book import PASS, Fire, Move
from hexengine.systems.platoon.position import STACKING_LIMIT
from hexengine.systems.platoon.tactics.foe import Foe
from hexengine.systems.platoon.tactics.odds import net_hits, outcome
from hexengine.systems.platoon.tactics.rows import Rows
from hexengine.systems.platoon.tactics.view import SCALE, Tables, View
from hexengine.systems.platoon.tactics.worth import HIT
from tests.systems.platoon import made_up


def tactics(game):
    return game.system.tactics(game.board)


def groups(game):
    """Every set of able units that stand together, the HQ with or without, as masks."""
    decision, pos, board = game.decision, game.position, game.board
    if decision.kind not in ("operations", "group"):
        return []
    able = pos.frames[-1].able(pos)
    found = []
    for place in sorted({pos.hex[unit] for unit in units(able)}):
        here = [unit for unit in units(able) if pos.hex[unit] == place]
        for number in range(1, len(here) + 1):
            found += [mask_of(group) for group in combinations(here, number)]
    return [group for group in found if group & ~board.hqs]


def declined(game):
    """The game after all opportunity fire is declined."""
    while game.decision is not None and game.decision.kind == "reaction":
        game.play(PASS)
    return game


def walked(game, mine):
    """All hexes that moves of just these units lead to and where they may stay, with the dearest cost."""
    board = game.board
    fighters = units(mine & ~board.hqs)
    side, first = board.side[fighters[0]], units(mine)[0]
    start = game.position.hex[first]
    cheapest, seen = {}, set()
    todo = [(game.copy(), (0,) * len(fighters))]
    while todo:
        here, paid = todo.pop()
        place = here.position.hex[first]
        if (place, paid) in seen:
            continue
        seen.add((place, paid))
        if place == start or counted(here.position, side, place) <= STACKING_LIMIT:
            cheapest[place] = min(cheapest.get(place, 1000), max(paid))
        decision = here.decision
        if decision is None or decision.kind == "draw" or place not in decision.actors():
            continue
        for order in decision.orders(place):
            if type(order) is Move and order.units == mine:
                there = here.copy()
                there.play(order)
                declined(there)
                if any(there.position.hex[unit] != order.hex for unit in units(mine)):
                    continue
                direction = board.neighbours[place].index(order.hex)
                costs = [board.costs[board.mobility[unit]][place][direction] for unit in fighters]
                todo.append((there, tuple([a + b for a, b in zip(paid, costs, strict=True)])))
    return cheapest


CROWDED = {"columns": 6, "rows": 4}


@pytest.mark.rule("P4.2")
@pytest.mark.rule("P4.3")
@pytest.mark.rule("P6.6")
@pytest.mark.parametrize(
    ("seed", "shape", "options"),
    [
        (1, {}, ""),
        (2, CROWDED, ""),
        (3, CROWDED, ""),
        (4, {}, "minimum_move = true"),
        (5, CROWDED, 'load_lock = "turn"'),
    ],
)
def test_reach_is_what_moves_reach(seed, shape, options):
    """Groups of one to three, mixed classes, Disrupted, loaded, just unloaded, in full hexes."""
    asked = 0
    for game in made_up.positions(seed, 40, every=4, options=options, **shape):
        for mine in groups(game):
            start = game.position.hex[units(mine)[0]]
            found, expected = tactics(game).reach(game.position, units(mine)), walked(game, mine)
            if set(found) | set(expected) != {start}:
                asked += 1
                assert found == expected, (game.scenario.name, game.entry, game.board.orders.names(mine))
    assert asked > 40


@pytest.mark.parametrize("seed", range(3))
def test_a_way_that_is_shown_is_a_way_that_is_accepted(seed):
    """Every route to every hex within reach, played step by step with opportunity fire declined."""
    played = 0
    for game in made_up.positions(seed, 12, every=5):
        for mine in groups(game):
            chosen = units(mine)
            for goal, cost in tactics(game).reach(game.position, chosen).items():
                route = tactics(game).route(game.position, chosen, goal)
                assert route.cost == cost
                assert route.hexes[0] == game.position.hex[chosen[0]]
                assert route.hexes[-1] == goal
                assert len(route.orders) == len(route.risk) == len(route.hexes) - 1
                other = game.copy()
                for order, place in zip(route.orders, route.hexes[1:], strict=True):
                    other.play(order)
                    declined(other)
                    assert {other.position.hex[unit] for unit in chosen} == {place}
                played += len(route.orders)
    assert played > 300


def test_there_is_no_way_where_there_is_none():
    game = Game(hexengine.load("crossroads"), seed=1)
    board, pos, asked = game.board, game.position, tactics(game)
    tank, other, hq = (board.ids.index(name) for name in ("m60-1", "m60-2", "hq-cav"))
    far = board.grid.index("1008")
    assert asked.route(pos, (tank,), far) is None
    assert asked.reach(pos, (hq,)) == {}, "an HQ does not move alone"
    if pos.hex[tank] != pos.hex[other]:
        assert asked.reach(pos, (tank, other)) == {}, "units of two hexes are no group"
    assert asked.reach(pos, ()) == {}
    passenger = units(pos.carried)[0]
    assert asked.reach(pos, (passenger,)) == {}


def test_asking_changes_nothing():
    for game in made_up.positions(3, 20, every=4):
        before = game.digest, list(game.position.streams)
        for mine in groups(game):
            for goal in tactics(game).reach(game.position, units(mine)):
                tactics(game).route(game.position, units(mine), goal)
        tactics(game).candidates(game.position, Weights(), True)
        assert (game.digest, list(game.position.streams)) == before


# -- odds ---------------------------------------------------------------------------------------


def enumerated(game, order):
    """What the shot itself does to the target, by the real rules: the four chances.

    Nothing that follows is run: the last shot before an assault lets the assault begin.
    """
    pos, target = game.position, order.target
    found = [Fraction(0)] * 4
    dice = EnumeratingDice()
    while True:
        branch = pos.copy()
        dice.streams = branch.streams
        branch.frames[-1].play(branch, order, dice, None)
        if not branch.steps[target]:
            found[3] += dice.weight
        elif branch.steps[target] < pos.steps[target]:
            found[2] += dice.weight
        elif (branch.disrupted & ~pos.disrupted) >> target & 1:
            found[1] += dice.weight
        else:
            found[0] += dice.weight
        if not dice.advance():
            return tuple(found)


@pytest.mark.rule("P6.3")
@pytest.mark.rule("P6.4")
@pytest.mark.rule("P11.1")
def test_chances_of_a_shot_are_exact():
    """Over 200 positions, in operations and as opportunity fire: equal to the enumeration of the rules."""
    asked = 0
    for game in made_up.positions(9, 200, every=3):
        shots = [order for order in game.orders() if type(order) is Fire]
        for order in shots[:: max(1, len(shots) // 3)]:
            found = tactics(game).chances(game.position, order)
            assert tuple(found) == enumerated(game, order), (game.scenario.name, game.entry, order)
            assert sum(found) == 1
            asked += 1
    assert asked > 150


@given(st.integers(1, 6), st.integers(2, 6), st.integers(0, 5), st.integers(2, 6), st.integers(0, 1))
def test_net_hits_are_a_distribution(dice, to_hit, saves, save, cancelled):
    found = net_hits(dice, to_hit, saves, save, cancelled)
    assert sum(found) == 1
    assert min(found) >= 0
    assert found[0] >= net_hits(dice, to_hit, 0, save, 0)[0]


@given(st.integers(1, 6), st.integers(2, 6), st.integers(0, 5), st.integers(2, 6))
def test_a_disrupted_unit_is_one_hit_nearer_to_its_end(dice, to_hit, saves, save):
    whole = outcome(dice, to_hit, saves, save, 0, 2, False)
    shaken = outcome(dice, to_hit, saves, save, 0, 2, True)
    assert shaken.disrupted == 0
    assert shaken.nothing == whole.nothing
    assert shaken.step == whole.disrupted
    assert shaken.eliminated == whole.step + whole.eliminated


@pytest.mark.rule("P8.4")
def test_the_risk_of_a_way_is_that_of_its_windows():
    """Alone and with one shooter: at each hex the chance that the best shot there hits, or eliminates."""
    asked = 0
    for game in made_up.positions(21, 60, every=3):
        board = game.board
        for mine in groups(game):
            if mine & (mine - 1):
                continue
            unit = units(mine)[0]
            for goal in list(tactics(game).reach(game.position, (unit,)))[1:4]:
                route = tactics(game).route(game.position, (unit,), goal)
                other = game.copy()
                for order, risk in zip(route.orders, route.risk, strict=True):
                    other.play(order)
                    assert risk.hex == board.labels[order.hex]
                    shots = [
                        shot
                        for shot in (
                            other.orders() if other.decision and other.decision.kind == "reaction" else []
                        )
                        if type(shot) is Fire
                    ]
                    assert set(risk.shooters) == {board.ids[shot.firer] for shot in shots}
                    best = max(
                        (1 - tactics(other).chances(other.position, shot).nothing for shot in shots),
                        default=0,
                    )
                    assert risk.hit == pytest.approx(float(best))
                    assert 0 <= risk.lost <= risk.hit
                    asked += bool(shots)
                    declined(other)
    assert asked > 20


# -- rows ---------------------------------------------------------------------------------------

numbers = st.lists(st.integers(0, (1 << 31) - 1), min_size=9, max_size=9)


@given(numbers, numbers)
def test_rows_take_the_larger_of_each(a, b):
    rows = Rows(9)
    found = rows.larger(rows.pack(a), rows.pack(b))
    assert list(rows.numbers(found)) == [max(pair) for pair in zip(a, b, strict=True)]
    assert [rows.at(found, place) for place in range(9)] == list(rows.numbers(found))


@given(st.lists(st.integers(0, 8000), min_size=9, max_size=9), st.integers(1, 1 << 17), st.integers(0, 8))
def test_rows_are_scaled_each_for_itself(a, by, shift):
    rows = Rows(9)
    assert list(rows.numbers(rows.scaled(rows.pack(a), by, 1 << shift))) == [x * by >> shift for x in a]


@given(numbers, st.integers(0, 8))
def test_rows_are_added_each_for_itself(a, place):
    rows = Rows(9)
    halves = [x // 2 for x in a]
    expected = [x + 3 for x in halves]
    expected[place] += 4
    assert list(rows.numbers(rows.pack(halves) + rows.ones * 3 + rows.single(place, 4))) == expected


@given(st.binary(min_size=9, max_size=9))
def test_rows_are_made_of_bytes(a):
    assert list(Rows(9).numbers(Rows(9).widened(a))) == list(a)


# -- what fire is expected to bring ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["crossroads", "river-crossing"])
def test_fields_of_fire_are_the_shots_that_there_would_be(name):
    """For every enemy and one of our units moved to each hex: the hits expected, as the rules count them."""
    game = Game(hexengine.load(name), seed=1, events=False)
    board, pos = game.board, game.position.copy()
    pos.wrecks = 0
    tables = Tables(board)
    target = next(unit for unit in units(pos.placed & board.fighters & ~pos.carried) if board.side[unit] == 0)
    foe = tables.foe(pos, 1)
    assert isinstance(foe, Foe)
    for enemy in foe.enemies:
        thing = tables.worth.target(pos, target)
        row = tables.rows.numbers(tables.fields.fire_from(enemy.shooter, enemy.hex, thing.defence))
        for place in range(0, board.size, 3):
            distance = board.grid.distance(enemy.hex, place)
            best = 0
            for weapon in (enemy.unit, board.weapon_of[enemy.unit]):
                if weapon < 0 or not distance or not (distance == 1 or board.sight.sees(enemy.hex, place)):
                    continue
                power = strength(pos, enemy.unit, weapon, target, distance, 0)
                if power is not None:
                    chances = net_hits(
                        *power,
                        save_dice(pos, target, place),
                        board.save[target],
                        board.positions >> place & 1,
                    )
                    best = max(best, round(HIT * (chances[1] + 2 * chances[2] + 3 * chances[3])))
            assert row[place] == best, (board.ids[enemy.unit], board.labels[place])


@pytest.mark.parametrize("name", ["crossroads", "gunships"])
def test_what_a_shot_brings_from_each_hex_is_what_it_hits_there(name):
    """Seen from the target's hex or from the shooter's, in the air or on the ground: the same hits."""
    game = Game(hexengine.load(name), seed=1, events=False)
    tables, pos = Tables(game.board), game.position
    fields, rows = tables.fields, tables.rows
    shooters = {tables.worth.shooter(pos, unit) for unit in units(pos.placed & game.board.fighters)}
    targets = {tables.worth.target(pos, unit) for unit in units(pos.placed & game.board.fighters)}
    place, some = game.board.size // 2, 0
    for shooter, target in product(sorted(shooters, key=repr), sorted(targets, key=repr)):
        row = rows.numbers(fields.fire_at(shooter, place, target.defence, target.a_hit))
        for from_where in range(0, game.board.size, 7):
            hits = rows.at(fields.fire_from(shooter, from_where, target.defence), place)
            assert row[from_where] == hits * target.a_hit // HIT
            some += hits > 0
    assert some > 100


def test_rows_that_were_not_asked_for_lately_are_worked_out_again(monkeypatch):
    """What is kept has a limit, and whatever is forgotten comes out as before."""
    game = Game(hexengine.load("crossroads"), seed=1, events=False)
    board, pos = game.board, game.position
    fighters = units(pos.placed & board.fighters)
    asked = [(unit, place) for place in range(0, board.size, 9) for unit in fighters]
    asked += reversed(asked)

    def answers():
        tables = Tables(board)
        fields, worth = tables.fields, tables.worth
        found = []
        for unit, place in asked:
            shooter, defence = worth.shooter(pos, unit), worth.target(pos, unit).defence
            found.append(
                (fields.fire_from(shooter, place, defence), fields.fire_at(shooter, place, defence, 9))
            )
        return found, len(fields._kept) + len(fields._earlier), len(fields._seen)

    all_kept, rows, seen = answers()
    monkeypatch.setattr("hexengine.systems.platoon.tactics.foe.ROWS_KEPT", 10 * board.size)
    monkeypatch.setattr("hexengine.systems.platoon.tactics.foe.SEEN_KEPT", 3 * board.size)
    some_forgotten, fewer_rows, fewer_seen = answers()
    assert some_forgotten == all_kept
    assert fewer_rows <= 10 < rows and fewer_seen <= 3 < seen


def test_losses_are_chances_times_worth():
    """A shot at a full unit in the open: what it is expected to cost, in hundredths of a point."""
    board = hexengine.load("crossroads").board
    worth = Tables(board).worth
    pos = board.start
    target = worth.target(pos, board.ids.index("m60-1"))
    chances = outcome(4, 4, target.defence.armour + 1, target.defence.save, 0, target.steps, target.disrupted)
    expected = sum(p * w for p, w in zip(chances[1:], target.worth, strict=True))
    assert worth.loss(target, 4, 4, 1, 0) == round(expected)


def test_steps_that_score_are_worth_their_points():
    """A counter's worth falls by at least the point that its step brings the enemy."""
    board = hexengine.load("crossroads").board
    worth = Tables(board).worth
    for unit in units(board.fighters):
        table = worth.values[unit]
        for steps in range(1, len(table)):
            assert table[steps][0] - table[steps - 1][0] >= 100
            assert table[steps][1] <= table[steps][0]


@pytest.mark.rule("P2.3")
def test_a_disrupted_unit_is_drawn_to_an_hq_that_leads():
    """By what its leadership adds to the chance of rallying: the hex of the HQ is cheaper by just that."""
    game = Game(hexengine.load("crossroads"), seed=1, events=False)
    board, pos = game.board, game.position
    unit, hq = board.ids.index("m60-1"), board.ids.index("hq-cav")
    pos.disrupted |= 1 << unit
    view = View(Tables(board), pos, 0, Weights())
    row = view.tables.rows.numbers(view._rally_row(unit))
    good, shaken = view.tables.worth.values[unit][2]
    lead, morale = board.counters[hq].leadership[0], board.formations[board.formation[unit]].morale
    rolls = [a + b for a in range(1, 7) for b in range(1, 7)]
    better = sum(morale < roll <= morale + lead for roll in rolls)
    assert lead
    assert row[pos.hex[hq]] == 0
    assert {row[place] for place in range(board.size) if place != pos.hex[hq]} == {
        (good - shaken) * better * SCALE // 36
    }


# -- candidates -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["crossroads", "meeting", "river-crossing", "bench"])
def test_what_is_remembered_is_what_would_be_found_again(name):
    """An officer that has thought at each decision, one that forgets, and a new one all think alike."""
    scenario = hexengine.load(name)
    old, forgetful = Officer(), Officer()
    game = Game(scenario, seed=4, events=False)
    number = 0
    while game.decision is not None and number < 320:
        order = old.think(game)[0].order
        if number % 20 == 0:
            assert Officer().think(game.copy())[0].order == order
        if number % 2 == 0:
            if forgetful._known is not None:
                forgetful._known = (
                    (game.board, game.system.tactics(game.board)) if number % 40 == 0 else forget(forgetful)
                )
            assert forgetful.think(game)[0].order == order
        game.play(order)
        number += 1


@pytest.mark.parametrize("name", ["crossroads", "meeting", "river-crossing", "bench", "ulster"])
@pytest.mark.parametrize("who", ["officer", "random"])
def test_missions_that_are_followed_are_those_that_would_be_given(name, who):
    """Where units only move, missions are not given out anew: they come out the same."""
    scenario = hexengine.load(name)
    game = Game(scenario, seed=11, events=False)
    machine = hexengine.player(who, seed=11)
    goals = game.system.tactics(game.board)._tables_for(game.position).goals
    followed = 0
    while game.decision is not None and game.entry < 400:
        pos = game.position
        for side in (0, 1):
            before = goals._known[side]
            orders = goals.orders(pos, side)
            followed += before is not None and orders.cuts is before[1].cuts and goals._known[side] != before
            goals._known[side], kept = None, goals._known[side]
            assert goals.orders(pos, side).missions == orders.missions
            goals._known[side] = kept
        game.play(machine.choose(game))
    assert followed > 20


def forget(officer):
    """The same tactics without anything that depends on a position."""
    board, known = officer._known
    tables = known._tables
    if tables is not None:
        tables._foes = [{}, {}]
        tables._outlooks = [{}, {}]
        tables.goals._known = [None, None]
        tables.goals._lists.clear()
    known._owners = []
    return board, known


@pytest.mark.parametrize(
    ("seed", "entry", "counts"),
    [
        (446, 20, (0, 150, 92, 1, 0, 0, 166)),
        (467, 5, (33, 45, 1, 5, 1, 35, 1)),
        (326, 32, (0, 0, 0, 0, 0, 85, 1)),
    ],
)
def test_a_hex_over_the_limit_is_left_before_any_fight_is_begun_in_haste_too(seed, entry, counts):
    game = next(game for game in made_up.positions(seed, 4, every=6) if game.entry == entry)
    assert game.position.over
    found = tactics(game).candidates(game.position, Weights(*counts), True)
    assert found[0].order.verb == "move"
    assert "assault" in {candidate.order.verb for candidate in found}
    assert tactics(game).candidates(game.position, Weights(*counts))[0].order == found[0].order


@pytest.mark.parametrize(
    ("seed", "entry", "counts"), [(227, 7, (1, 0, 0, 173, 1, 1, 0)), (203, 30, (8, 0, 0, 177, 0, 0, 0))]
)
def test_fights_come_before_moves_whatever_those_gain(seed, entry, counts):
    game = next(game for game in made_up.positions(seed, 4, every=6) if game.entry == entry)
    found = tactics(game).candidates(game.position, Weights(*counts), True)
    assert found[0].order.verb == "assault"
    assert tactics(game).candidates(game.position, Weights(*counts))[0].order == found[0].order


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.builds(Weights, *[st.integers(0, 200)] * 7))
def test_candidates_are_legal_whatever_counts(seed, weights):
    """With any weights: never empty, all legal, the best first; and the first is what is found in haste."""
    for game in made_up.positions(seed % 1000, 4, every=6):
        asked = tactics(game)
        found = asked.candidates(game.position, weights, True)
        assert found
        assert all(game.why_not(candidate.order) is None for candidate in found)
        assert [c.score for c in found] == sorted([c.score for c in found], reverse=True)
        assert asked.candidates(game.position, weights)[0].order == found[0].order
