"""The maps of the shipped scenarios: real ground, drawn whole, on which everything can be reached."""

import networkx
import pytest

from hexengine.core.game import Game
from hexengine.hexes import HexMap
from hexengine.systems.platoon.board import CLASSES
from hexengine.view.board import compose
from hexengine.view.scenes import scene
from hexengine.view.theme import Theme
from tests.scenarios.shipped import NAMES, scenario

pytestmark = pytest.mark.parametrize("name", NAMES)


def on_the_edge(grid, place):
    return any(there < 0 for there in grid.neighbours[place])


def begins(start, unit):
    """The hexes in which a unit begins, or may enter; a passenger's are those of its carrier."""
    while start.carrier[unit] >= 0:
        unit = start.carrier[unit]
    return start.board.counters[unit].entry or [start.hex[unit]]


def roads_of(plan):
    """The network of all roads, trails and railways."""
    graph = networkx.Graph()
    graph.add_edges_from(plan.lines)
    return graph


def test_sight_is_symmetric_on_every_pair_of_hexes(name):
    """The facts of both directions are worked out anew: nothing is remembered between them."""
    sight = scenario(name).board.sight
    size = scenario(name).board.size
    wrong = [
        (a, b)
        for a in range(size)
        for b in range(a + 1, size)
        if sight.facts(a, b).clear != sight.facts(b, a).clear
    ]
    assert not wrong


def test_every_objective_can_be_reached_by_every_unit_of_the_side_that_wants_it(name):
    board = scenario(name).board
    start = Game(scenario(name)).position
    for goal in board.goals:
        if goal.kind not in ("hold", "exit"):
            continue
        for unit, counter in enumerate(board.counters):
            if counter.side != goal.side or counter.mobility < 0:
                continue
            graph = board.map.graph(CLASSES[counter.mobility])
            for begin in begins(start, unit):
                within = networkx.descendants(graph, begin) | {begin}
                assert within >= set(goal.hexes), f"{counter.id} from {board.labels[begin]}"


def test_both_sides_can_reach_each_other(name):
    """From where one side starts a tracked vehicle can drive to where the other does."""
    board = scenario(name).board
    pos = Game(scenario(name)).position
    graph = board.map.graph("tracked")
    starts = [
        {begin for u, c in enumerate(board.counters) if c.side == s for begin in begins(pos, u)}
        for s in (0, 1)
    ]
    assert all(networkx.has_path(graph, a, b) for a in starts[0] for b in starts[1])


def test_every_hex_is_drawn_in_every_style(name):
    """Each label is on the whole board of the large styles, where no counter covers it."""
    game = Game(scenario(name))
    shown = scene(game.system.view(game.position))
    covered = {counter.hex for counter in shown.counters}
    for style in ("hex", "outline"):
        text = "\n".join(compose(shown, Theme(), style).lines())
        labels = game.board.labels
        missing = [labels[place] for place in range(game.board.size) if labels[place] not in text]
        assert set(missing) <= {labels[place] for place in covered}, style


def test_every_road_leads_somewhere(name):
    """A road ends at the map's edge, in a place with a name, or at another road."""
    board = scenario(name).board
    roads = roads_of(board.map)
    blown = {place for side in board.blown for place in side}
    for place in [node for node, degree in roads.degree if degree == 1]:
        assert on_the_edge(board.map.grid, place) or place in board.names or place in blown, (
            f"a road stops at {board.labels[place]}"
        )


def test_every_objective_has_a_name_and_every_town_a_road(name):
    board = scenario(name).board
    roads = roads_of(board.map)
    wanted = {place for goal in board.goals if goal.kind == "hold" for place in goal.hexes}
    assert wanted <= set(board.names)
    towns = [
        place for place, row in enumerate(board.map.terrain) if board.map.chart.terrains[row].id == "town"
    ]
    assert towns
    for place in towns:
        near = {place, *(there for there in board.map.grid.neighbours[place] if there in towns)}
        assert near & set(roads), f"no road leads to {board.labels[place]}"


def test_a_river_parts_the_map_and_is_crossed_by_bridges_and_fords_alone(name):
    """Without them a tracked vehicle stays on its bank: no side of the river was forgotten."""
    plan = scenario(name).board.map
    wet = {side: features for side, features in plan.sides.items() if "river" in features}
    if not wet:
        pytest.skip("there is no river")
    dry = HexMap(
        plan.grid,
        plan.chart,
        plan.terrain,
        plan.levels,
        {side: {"river"} if side in wet else features for side, features in plan.sides.items()},
        {side: lines for side, lines in plan.lines.items() if side not in wet},
    )
    parted = list(networkx.weakly_connected_components(dry.graph("tracked")))
    assert len([bank for bank in parted if len(bank) > 10]) == 2
    crossings = [side for side in wet if plan.step_cost(*side, "tracked") is not None]
    assert len(crossings) >= 2


def test_hills_stand_on_the_plain(name):
    """Levels rise by one at a time: a crest is drawn where the ground really rises."""
    plan = scenario(name).board.map
    for place, around in enumerate(plan.grid.neighbours):
        for there in around:
            assert there < 0 or abs(plan.levels[place] - plan.levels[there]) <= 1
