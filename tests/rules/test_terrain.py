"""Terrain and hexsides (P14) and the chart (D1), which is written again here from the rule's table."""

from fractions import Fraction
from random import Random

import networkx
import pytest

from hexengine.content.loader import loads
from tests.rules.asking import facts, unit, where
from tests.rules.table import LEGEND, begin, play, refuse, scenario

HALF = Fraction(1, 2)
NO = None
CLASSES = ("leg", "tracked", "wheeled")
TYPES = {"leg": "inf-us", "tracked": "m1", "wheeled": "car"}

# Costs of leg, tracked and wheeled units, and the bonus save dice of hard and soft targets.
TERRAIN = {
    "clear": (1, 1, 1, 0, 0),
    "fields": (1, 1, 1, 0, 1),
    "rough": (1, 2, 3, 1, 1),
    "woods": (1, 3, 4, 1, 2),
    "forest": (2, NO, NO, 2, 2),
    "burnt-woods": (1, 2, 3, 1, 1),
    "town": (1, 2, 2, 1, 2),
    "city": (1, 2, 2, 2, 3),
    "ruins": (1, 3, NO, 2, 3),
    "hill": (1, 1, 1, 0, 0),
    "wooded-hill": (2, 4, NO, 1, 2),
    "marsh": (2, NO, NO, 0, 1),
    "lake": (NO, NO, NO, 0, 0),
    "sand": (1, 2, 3, 0, 0),
}
RAISED = {"clear": "hill", "woods": "wooded-hill"}
LINES = {"road": (1, HALF, HALF), "trail": (1, 1, 1), "railway": (1, 1, 1)}
SIDES = {
    "stream": (0, 1, 2),
    "river": (NO, NO, NO),
    "ford": (1, 1, 2),
    "slope": (0, 1, 1),
    "ridge": (1, 2, NO),
    "cliff": (NO, NO, NO),
    "wall": (0, 1, 1),
}


def cost(kind, terrain, level, raised_from, sides, lines):
    """P4.2, P14.1, P14.2, P14.4: MP for one step of a class, None where it is prohibited.

    ``terrain`` and ``level`` are those of the hex entered, ``raised_from`` is the level left.
    """
    at = CLASSES.index(kind)
    if "road" in lines:
        # A road replaces all else, and is a bridge over water.
        return Fraction(LINES["road"][at])
    present = set(sides)
    if "bridge" in present:
        return Fraction(LINES["road"][at])
    if "ford" in present:
        present.discard("river")
    if level > raised_from and "ridge" not in present:
        present.add("slope")
    added = {name: SIDES[name][at] for name in present}
    ways = []
    name = RAISED.get(terrain, terrain) if level else terrain
    for base, left_out in [(TERRAIN[name][at], set())] + [
        (LINES[line][at], {"slope", "ridge"}) for line in lines
    ]:
        parts = [base, *[extra for feature, extra in added.items() if feature not in left_out]]
        if None not in parts:
            ways.append(sum(map(Fraction, parts)))
    return min(ways) if ways else None


def step(kind, terrain=".", levels="00", reverse=False, **on_map):
    """MP paid by a unit for the step from 0101 to 0201, or None if it is refused as prohibited."""
    a, b = ("0201", "0101") if reverse else ("0101", "0201")
    rows = f".{terrain}.." if not reverse else f"{terrain}..."
    text = f"blue A\n a {TYPES[kind]} {a}\n z m1 0401\nred B\n x t-72 0402 ops-complete\n"
    more = '[[type]]\nid = "inf-us"\nkind = "soft"\nmobility = "leg"\nma = 9\narmour = "0/5"\n'
    more += '[[type]]\nid = "car"\nkind = "hard"\nmobility = "wheeled"\nma = 9\narmour = "1/6"\n'
    game = begin(
        f"{rows}\n....", text, active="A", on_map={"levels": f"{levels}00\\n0000", **on_map}, more=more
    )
    refusal = game.why_not(f"move a {b}")
    if refusal is not None:
        refuse(game, f"move a {b}", "P4.2", "prohibited")
        return None
    return Fraction(facts(play(game, f"move a {b}"), "move")["cost"])


class TestChart:
    @pytest.mark.rule("D1", "P4.2")
    @pytest.mark.parametrize("sign", LEGEND)
    def test_every_terrain_for_every_class(self, sign):
        name = LEGEND[sign]
        assert [step(kind, sign) for kind in CLASSES] == list(TERRAIN[name][:3])

    @pytest.mark.rule("D1", "P10.2")
    @pytest.mark.parametrize("sign", LEGEND)
    def test_every_terrain_on_a_hill(self, sign):
        # Clear and woods read as hill and wooded hill, all other terrain keeps its row. From the same level.
        name = RAISED.get(LEGEND[sign], LEGEND[sign])
        assert [step(kind, sign, "11") for kind in CLASSES] == list(TERRAIN[name][:3])

    @pytest.mark.rule("D1", "P6.4")
    def test_save_dice_of_every_row(self):
        names = [name for name in TERRAIN if name not in RAISED.values()]
        signs = {name: sign for sign, name in LEGEND.items()}
        row = "".join(signs[name] for name in names) + ".w."
        levels = "0" * len(names) + "110"
        game = begin(row, f"blue A\n a m1 0101\nred B\n x t-72 {len(row):02}01\n", on_map={"levels": levels})
        rows = [*names, "hill", "wooded-hill"]
        assert game.board.cover[: len(rows)] == [TERRAIN[name][3:] for name in rows]

    @pytest.mark.rule("D1")
    def test_a_scenario_may_change_a_row(self):
        more = '[[terrain]]\nid = "woods"\ntracked = 2.5\nleg = "no"\n'
        game = begin(
            ".w.", "blue A\n a m1 0101\n i inf-us 0101\nred B\n x t-72 0301\n", active="A", more=more
        )
        refuse(game, "move i 0201", "P4.2", "prohibited")
        play(game, "move a 0201")
        assert unit(game, "a")["spent"] == 5


class TestRoads:
    """P14.1 and its examples, for a tracked unit."""

    @pytest.mark.rule("P14.1")
    @pytest.mark.parametrize("terrain", "wFtmulc")
    def test_along_a_road_the_hex_and_the_hexside_do_not_matter(self, terrain):
        road = {"roads": ["0101-0201"]}
        assert step("tracked", terrain, **road) == HALF
        assert step("tracked", terrain, "01", streams=["0101/0201"], **road) == HALF
        assert step("wheeled", terrain, "01", ridges=["0101/0201"], walls=["0101/0201"], **road) == HALF
        assert step("leg", terrain, **road) == 1

    @pytest.mark.rule("P14.1")
    def test_off_the_road_hex_and_hexside_add_up(self):
        assert step("tracked", "w", streams=["0101/0201"]) == 4

    @pytest.mark.rule("P14.1")
    def test_a_road_in_both_hexes_that_does_not_cross_their_side_is_none(self):
        # Both hexes have a road, each its own: 0101-0102 and 0201-0202.
        assert step("tracked", "w", roads=["0101-0102", "0201-0202"]) == 3

    @pytest.mark.rule("P14.1", "P14.4")
    @pytest.mark.parametrize("line", ["trails", "railways"])
    def test_a_trail_or_a_railway_replaces_the_hex_but_not_water(self, line):
        along = {line: ["0101-0201"]}
        assert [step(kind, "w", **along) for kind in CLASSES] == [1, 1, 1]
        assert step("wheeled", "F", **along) == 1
        assert [step(kind, "w", streams=["0101/0201"], **along) for kind in CLASSES] == [1, 2, 3]
        assert step("tracked", "w", rivers=["0101/0201"], **along) is None
        assert step("tracked", "w", rivers=["0101/0201"], bridges=["0101/0201"], **along) == HALF
        assert step("tracked", "w", walls=["0101/0201"], **along) == 2
        assert step("tracked", "w", cliffs=["0101/0201"], **along) is None

    @pytest.mark.rule("P14.1")
    def test_the_cheapest_way_is_taken(self):
        # A trail costs no more than open ground, a road beside a trail is the road.
        assert step("tracked", ".", trails=["0101-0201"]) == 1
        assert step("tracked", ".", trails=["0101-0201"], roads=["0101-0201"]) == HALF


RIVER = {"rivers": ["0101/0201"]}
STREAM = {"streams": ["0101/0201"]}


class TestBridges:
    @pytest.mark.rule("P14.2")
    def test_a_road_across_water_is_a_bridge(self):
        for water in (RIVER, STREAM):
            assert [step(kind, "w", roads=["0101-0201"], **water) for kind in CLASSES] == [1, HALF, HALF]

    @pytest.mark.rule("P14.2")
    @pytest.mark.refusal("P4.2")
    def test_a_blown_bridge_is_no_crossing(self):
        blown = {"roads": ["0101-0201"], "blown": ["0101/0201"]}
        assert [step(kind, ".", **RIVER, **blown) for kind in CLASSES] == [None, None, None]
        # Of a stream the water's own cost is left.
        assert [step(kind, ".", **STREAM, **blown) for kind in CLASSES] == [1, 2, 3]

    @pytest.mark.rule("P14.2")
    def test_a_bridge_without_a_road(self):
        bridge = {"bridges": ["0101/0201"]}
        assert [step(kind, "w", **RIVER, **bridge) for kind in CLASSES] == [1, HALF, HALF]
        assert [step(kind, ".", **STREAM, **bridge) for kind in CLASSES] == [1, HALF, HALF]
        assert step("leg", ".", blown=["0101/0201"], **RIVER, **bridge) is None

    @pytest.mark.rule("P14.2")
    def test_a_ford_makes_a_river_passable(self):
        ford = {"fords": ["0101/0201"]}
        assert [step(kind, ".", **RIVER, **ford) for kind in CLASSES] == [2, 2, 3]

    @pytest.mark.rule("P14.2")
    @pytest.mark.refusal("P4.2")
    def test_a_river_is_not_crossed_otherwise(self):
        assert [step(kind, ".", **RIVER) for kind in CLASSES] == [None, None, None]

    @pytest.mark.rule("P14.2")
    def test_a_stream_costs_both_ways(self):
        for reverse in (False, True):
            assert [step(kind, ".", reverse=reverse, **STREAM) for kind in CLASSES] == [1, 2, 3]


class TestSlopes:
    @pytest.mark.rule("P14.4")
    def test_up_costs_and_down_is_free(self):
        # Ground to clear hill: infantry 1, tank 2.
        assert [step(kind, ".", "01") for kind in CLASSES] == [1, 2, 2]
        assert [step(kind, ".", "10") for kind in CLASSES] == [1, 1, 1]

    @pytest.mark.rule("P14.4")
    def test_a_slope_is_one_slope_however_high(self):
        assert [step(kind, ".", "03") for kind in CLASSES] == [1, 2, 2]

    @pytest.mark.rule("P14.4")
    def test_a_ridge_costs_both_ways_and_replaces_the_slope(self):
        ridge = {"ridges": ["0101/0201"]}
        assert [step(kind, ".", "01", **ridge) for kind in CLASSES] == [2, 3, None]
        assert [step(kind, ".", "10", **ridge) for kind in CLASSES] == [2, 3, None]
        assert [step(kind, ".", "00", **ridge) for kind in CLASSES] == [2, 3, None]

    @pytest.mark.rule("P14.4")
    @pytest.mark.parametrize("line", ["trails", "railways"])
    def test_a_trail_replaces_slope_and_ridge(self, line):
        along = {line: ["0101-0201"]}
        assert [step(kind, ".", "01", **along) for kind in CLASSES] == [1, 1, 1]
        assert [step(kind, ".", "01", ridges=["0101/0201"], **along) for kind in CLASSES] == [1, 1, 1]

    @pytest.mark.rule("P14.4", "D1")
    def test_walls_and_cliffs(self):
        assert [step(kind, ".", walls=["0101/0201"]) for kind in CLASSES] == [1, 2, 2]
        assert [step(kind, ".", cliffs=["0101/0201"]) for kind in CLASSES] == [None, None, None]

    @pytest.mark.rule("P14.4")
    def test_a_drawn_crest_between_hexes_of_one_level_costs_nothing(self):
        assert [step(kind, ".", "11", crests=["0101/0201"]) for kind in CLASSES] == [1, 1, 1]
        assert [step(kind, ".", "01", crests=["0101/0201"]) for kind in CLASSES] == [1, 2, 2]


# -- made-up maps, with the costs above and networkx for the paths -----------------------------------

WIDE, HIGH = 7, 6
FEATURES = {"streams": "stream", "rivers": "river", "fords": "ford", "ridges": "ridge", "walls": "wall",
            "bridges": "bridge", "cliffs": "cliff"}  # fmt: skip
ROADS = {"roads": "road", "trails": "trail", "railways": "railway"}


def adjacent(a, b):
    dx, dy = abs(a[0] - b[0]), abs((2 * a[1] + (a[0] % 2 == 0)) - (2 * b[1] + (b[0] % 2 == 0)))
    return (dx, dy) in ((0, 2), (1, 1))


class MadeUp:
    """A random map as scenario text, and its costs by the table above as a graph for each class."""

    def __init__(self, seed):
        random = Random(f"terrain/{seed}")
        self.random = random
        self.hexes = [(c, r) for c in range(1, WIDE + 1) for r in range(1, HIGH + 1)]
        self.terrain = {h: random.choice(".....fwwrbtcumslF") for h in self.hexes}
        self.levels = {h: random.choice((0, 0, 0, 1, 2)) for h in self.hexes}
        sides = [(a, b) for a in self.hexes for b in self.hexes if a < b and adjacent(a, b)]
        drawn = {key: random.sample(sides, random.choice((0, 3, 9))) for key in FEATURES}
        water = sorted({*drawn["rivers"], *drawn["streams"]})
        drawn["fords"] = random.sample(water, min(len(water), 4))
        self.features = {name: set(drawn[key]) for key, name in FEATURES.items()}
        lines = {key: random.sample(sides, 8) for key in ROADS}
        self.lines = {name: set(lines[key]) for key, name in ROADS.items()}
        blown = random.sample(sorted({*lines["roads"], *drawn["bridges"], *lines["trails"]}), 3)
        for names in (*self.lines.values(), self.features["bridge"]):
            names -= set(blown)
        levels = ["".join(str(self.levels[c, r]) for c in range(1, WIDE + 1)) for r in range(1, HIGH + 1)]
        self.on_map = {
            "levels": "\\n".join(levels),
            "blown": [f"{label(a)}/{label(b)}" for a, b in blown],
            **{key: [f"{label(a)}/{label(b)}" for a, b in pairs] for key, pairs in drawn.items()},
            **{key: [f"{label(a)}-{label(b)}" for a, b in pairs] for key, pairs in lines.items()},
        }

    def clear(self, *hexes):
        """Nobody begins in water or marsh: these hexes are clear."""
        self.terrain.update(dict.fromkeys(hexes, "."))

    def rows(self):
        """The printed terrain."""
        return "\n".join("".join(self.terrain[c, r] for c in range(1, WIDE + 1)) for r in range(1, HIGH + 1))

    def graph(self, kind):
        """The steps of a class with what they cost, in half MP."""
        graph = networkx.DiGraph()
        graph.add_nodes_from(self.hexes)
        for a in self.hexes:
            for b in self.hexes:
                if not adjacent(a, b):
                    continue
                side = (min(a, b), max(a, b))
                sides = {name for name, pairs in self.features.items() if side in pairs}
                lines = {name for name, pairs in self.lines.items() if side in pairs}
                price = cost(kind, LEGEND[self.terrain[b]], self.levels[b], self.levels[a], sides, lines)
                if price is not None:
                    graph.add_edge(a, b, weight=int(2 * price))
        return graph


def label(hex_):
    return f"{hex_[0]:02}{hex_[1]:02}"


@pytest.mark.rule("P4.2", "P14.1", "P14.2", "P14.4", "D1")
@pytest.mark.parametrize("seed", range(8))
def test_every_step_of_made_up_maps_costs_what_the_table_says(seed):
    made = MadeUp(seed)
    made.clear((1, 1), (1, 2), (7, 6))
    forces = "blue A\n a inf-us 0101\n b m1 0101\n c brdm-2 0102\nred B\n x t-72 0706\n"
    board = loads(scenario(made.rows(), forces, on_map=made.on_map), "made-up").board
    for kind in CLASSES:
        graph = made.graph(kind)
        for a in made.hexes:
            here = board.grid.hex_at(*a)
            for b in made.hexes:
                if adjacent(a, b):
                    there = board.grid.hex_at(*b)
                    expected = graph.edges[a, b]["weight"] if graph.has_edge(a, b) else None
                    assert board.map.step_cost(here, there, kind) == expected, (kind, a, b)


@pytest.mark.rule("P4.1", "P4.2", "P4.4")
@pytest.mark.parametrize("seed", range(9))
def test_where_a_unit_gets_by_legal_steps_is_where_the_shortest_paths_lead(seed):
    # Every sequence of legal moves of one unit, against Dijkstra over the table's costs without enemy hexes.
    made = MadeUp(seed)
    kind = CLASSES[seed % 3]
    start, *enemies = made.random.sample(made.hexes, 4)
    made.clear(start, *enemies)
    allowance = {"leg": 4, "tracked": 8, "wheeled": 9}[kind]
    more = "".join(
        f'[[type]]\nid = "{name}"\nkind = "soft"\nmobility = "{mobility}"\nma = {ma}\narmour = "0/5"\n'
        for name, mobility, ma in (("walker", kind, allowance), ("guard", "leg", 1))
    )
    foes = "".join(f" x{n} guard {label(h)} ops-complete\n" for n, h in enumerate(enemies))
    text = f"blue A\n a walker {label(start)}\nred B\n{foes}"
    game = begin(made.rows(), text, active="A", on_map=made.on_map, more=more)
    graph = made.graph(kind)
    graph.remove_nodes_from(enemies)
    expected = networkx.single_source_dijkstra_path_length(graph, start, cutoff=2 * allowance)
    assert _all_steps(game) == {label(h): price for h, price in expected.items()}


def _all_steps(game):
    """The least half MP with which the unit ``a`` gets to each hex, by playing every legal move there is."""
    best = {where(game, "a"): 0}
    todo = [game]
    while todo:
        here = todo.pop()
        for order in here.orders():
            text = str(order)
            if not text.startswith("move a "):
                continue
            there = here.copy()
            events = there.play(order)
            place = text.split()[2]
            price = int(2 * facts(events, "move")["spent"])
            if price < best.get(place, 1 << 30):
                best[place] = price
                todo.append(there)
    return best
