"""Stacking (P3.4) where it is tight: passing through, going back, survivors (P5.13), all ways on."""

from random import Random

import pytest

from hexengine.mechanics.masks import mask_of, units
from hexengine.systems.platoon.candidates import candidates, invariants
from hexengine.systems.platoon.orders.book import Exit, Load, Move
from tests.long import often
from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.table import allows, begin, play, refuse

TYPES = """
[[type]]
id = "slow"
kind = "hard"
mobility = "tracked"
ma = {}
armour = "1/6"

[[type]]
id = "box"
kind = "hard"
mobility = "wheeled"
ma = 4
armour = "1/6"
flags = ["transport"]
"""


def at(row, forces, enemies="red B\n x t-72 {last} ops-complete\n", **rest):
    """A's operations on a row of hexes; whatever is not said is water, and the enemy sits beyond it."""
    row = row.ljust(9, "l") + "."
    return begin(row, forces + enemies.format(last=f"{len(row):02}01"), active="A", **rest)


def full(*places):
    """Another formation, two units in each place."""
    lines = [f" f{n}{m} m1 {place}\n" for n, place in enumerate(places) for m in (1, 2)]
    return "blue F\n" + "".join(lines)


class TestPassingThrough:
    @pytest.mark.rule("P3.4")
    def test_as_many_full_hexes_as_the_mp_last(self):
        # From 0101 through 0201 and 0301 to 0401: 3 MP are needed.
        for ma, legal in ((2, False), (3, True)):
            game = at("....", "blue A\n a slow 0101\n" + full("0201", "0301"), more=TYPES.format(ma))
            assert allows(game, "move a 0201") or ma == 2
            if legal:
                play(game, "move a 0201", "move a 0301", "move a 0401")
                assert where(game, "a") == "0401"

    @pytest.mark.rule("P3.4")
    def test_going_back_is_a_way_on_too(self):
        game = at("..", "blue A\n a slow 0101\n z m1 0101\n" + full("0201"), more=TYPES.format(2))
        play(game, "move a 0201")
        assert [str(order) for order in game.orders()] == ["move a 0101"]

    @pytest.mark.rule("P3.4")
    @pytest.mark.refusal("P3.4")
    def test_but_not_without_the_mp_for_it(self):
        game = at("..", "blue A\n a slow 0101\n z m1 0101\n" + full("0201"), more=TYPES.format(1))
        refusal = refuse(game, "move a 0201", "P3.4", "hex-full")
        assert refusal.facts["limit"] == 2

    @pytest.mark.rule("P3.4")
    @pytest.mark.refusal("P3.4")
    def test_two_need_room_for_two(self):
        # Beyond the full hex 0201 there is room for one in 0301; with 2 MP nobody gets further.
        forces = "blue A\n a slow 0101\n b slow 0101\nblue C\n c m1 0301\n" + full("0201")
        game = at("...", forces, more=TYPES.format(2))
        play(game, "move a,b 0201")
        assert {str(order) for order in game.orders()} == {
            "move a 0101", "move b 0101", "move a,b 0101", "move a 0301", "move b 0301",
        }  # fmt: skip
        refuse(game, "move a,b 0301", "P3.4", "hex-full")
        play(game, "move a 0301")
        assert [str(order) for order in game.orders()] == ["move b 0101"]

    @pytest.mark.rule("P3.4")
    @pytest.mark.refusal("P3.4")
    def test_nobody_follows_into_a_hex_that_is_over_the_limit_without_room_for_all(self):
        # Three stand in 0301 when b would come after a: its own way on to 0401 is room for one of the two.
        forces = "blue A\n a slow 0101\n b slow 0101\nblue C\n c m1 0401\n" + full("0201", "0301")
        game = at("....", forces, more=TYPES.format(3))
        play(game, "move a,b 0201", "move a 0301")
        refuse(game, "move b 0301", "P3.4", "hex-full")
        play(game, "move a 0401", "move b 0101")
        assert (where(game, "a"), where(game, "b")) == ("0401", "0101")

    @pytest.mark.rule("P3.4")
    @pytest.mark.refusal("P3.4")
    @pytest.mark.parametrize(("ma", "legal"), [(3, True), (2, False)])
    def test_one_may_go_further_so_that_both_find_room(self, ma, legal):
        # Behind them woods; in 0301 there is room for one, and beyond it in 0401 for more.
        forces = "blue A\n a slow 0101\n b slow 0101\nblue C\n c m1 0301\n" + full("0201")
        game = at("w...", forces, more=TYPES.format(ma))
        if not legal:
            refuse(game, "move a,b 0201", "P3.4", "hex-full")
            return
        play(game, "move a,b 0201", "move a,b 0301", "move a 0401")
        assert (where(game, "a"), where(game, "b")) == ("0401", "0301")

    @pytest.mark.rule("P3.4", "P9.1")
    @pytest.mark.refusal("P3.4")
    def test_an_hq_needs_a_way_on_as_well(self):
        # Among strangers a does not leave its HQ alone; beyond them is another HQ, behind them are woods.
        forces = "blue A\n a slow 0101\n hq hq-us 0101\n z m1 0101\n"
        forces += "blue C\n c m1 0301\n hq2 hq-us 0301\n" + full("0201")
        game = at("w..", forces, more=TYPES.format(3))
        refuse(game, "move a,hq 0201", "P3.4", "hex-full")
        assert allows(game, "move a 0201"), "z keeps the HQ company"
        game = at("w..", forces.replace(" hq2 hq-us 0301\n", ""), more=TYPES.format(3))
        play(game, "move a,hq 0201")
        assert [str(order) for order in game.orders()] == ["move a,hq 0301"]

    @pytest.mark.rule("P3.4", "P6.6")
    @pytest.mark.refusal("P3.4")
    def test_a_disrupted_unit_needs_a_way_that_it_may_go(self):
        # In a column: from the woods 0102 into the woods 0103, full of friends and in view of the enemy.
        # One MP is left then, which leads on to 0104 only, and that is nearer to him.
        forces = "blue A\n z m1 0101\n a slow 0102{}\n" + full("0103") + "red B\n x t-72 0107 ops-complete\n"
        column = "\n".join(".ww....")
        game = begin(column, forces.format(" disrupted"), active="A", more=TYPES.format(4))
        refuse(game, "move a 0103", "P3.4", "hex-full")
        game = begin(column, forces.format(""), active="A", more=TYPES.format(4))
        assert allows(game, "move a 0103")
        hidden = "\n".join(".ww..w.")
        game = begin(hidden, forces.format(" disrupted"), active="A", more=TYPES.format(4))
        play(game, "move a 0103")
        assert [str(order) for order in game.orders()] == ["move a 0104"]

    @pytest.mark.rule("P3.4", "P5.3")
    def test_getting_aboard_is_a_way_on(self):
        # The hex is full with a carrier and another; infantry comes in and boards.
        forces = "blue A\n c btr-70 0201\n i inf-su 0101\n z m1 0101\nblue C\n d m1 0201\n"
        game = at("..", forces)
        play(game, "move i 0201")
        assert {str(order) for order in game.orders()} == {"move i 0101", "load c i"}
        play(game, "load c i")
        assert unit(game, "i")["carrier"] == "c"

    @pytest.mark.rule("P3.4", "P5.3")
    @pytest.mark.refusal("P3.4")
    def test_a_carrier_does_not_take_somebody_aboard_and_leave_as_well(self):
        # Four would stand in 0101. The carrier can go back, or load i after its approach and stay: one fewer.
        forces = "blue A\n a m1 0101\n i inf-su 0101\n d box 0201\n j inf-su in d\n"
        game = at("..", forces, more=TYPES.format(1))
        play(game, "unload d")
        refuse(game, "move d,j 0101", "P3.4", "hex-full")
        play(game, "move d 0101")
        assert {str(order) for order in game.orders()} == {"move d 0201", "load d i"}

    @pytest.mark.rule("P3.4", "P4.3")
    @pytest.mark.refusal("P3.4")
    def test_while_one_hex_is_over_the_limit_nobody_else_of_the_group_acts(self):
        forces = "blue A\n a m1 0101\n b m1 0101\n" + full("0301")
        game = at("....", forces, enemies="red B\n x t-72 {last} ops-complete\n")
        play(game, "move a,b 0201", "move a 0301")
        refuse(game, "move b 0101", "P3.4", "over-the-limit")
        refuse(game, "done", "P3.4", "over-the-limit")
        play(game, "move a 0401", "move b 0101")
        assert where(game, "b") == "0101"


class TestUnloadingWhereItIsTight:
    @pytest.mark.rule("P3.4", "P5.5")
    def test_into_a_full_hex_with_a_way_on(self):
        # The carrier and another fill 0301; who gets off walks on.
        game = at("....", "blue A\n c btr-70 0201\n i inf-su in c\nblue C\n d m1 0301\n")
        play(game, "move c 0301", "unload c")
        assert {str(order) for order in game.orders()} == {"move i 0201", "move i 0401"}
        play(game, "move i 0401")
        assert where(game, "i") == "0401"

    @pytest.mark.rule("P3.4", "P5.5")
    @pytest.mark.refusal("P3.4")
    def test_not_without_one(self):
        forces = "blue A\n c btr-70 0201\n i inf-su in c\nblue C\n d m1 0301\n" + full("0401")
        game = at("....", forces)
        play(game, "move c 0301")
        assert allows(game, "unload c"), "0201 behind it is free"
        forces = "blue A\n c btr-70 0301\n i inf-su in c\n z m1 0101\nblue C\n d m1 0301\n e m1 0101\n"
        refuse(at("....", forces + full("0201", "0401")), "unload c", "P3.4", "hex-full")

    @pytest.mark.rule("P3.4", "P5.6")
    def test_the_carrier_that_has_not_moved_may_be_the_one_that_makes_room(self):
        # The infantry's ways are full; the carrier still has half its MP and drives through to 0401.
        forces = "blue A\n c btr-70 0201\n i inf-su in c\nblue C\n d m1 0201\n" + full("0101", "0301")
        game = at("....", forces)
        play(game, "unload c")
        assert {str(order) for order in game.orders()} == {"move c 0101", "move c 0301"}
        play(game, "move c 0301", "move c 0401")
        assert (where(game, "c"), where(game, "i")) == ("0401", "0201")

    @pytest.mark.rule("P3.4", "P5.6")
    @pytest.mark.refusal("P3.4")
    def test_the_one_hex_leads_through_nothing(self):
        # What the carrier may, infantry with its one hex may not: enter a full hex to pass through it.
        forces = "blue A\n c btr-70 0201\n i inf-su in c\n" + full("0301")
        game = at("....", forces)
        play(game, "unload c")
        refuse(game, "move i 0301", "P3.4", "hex-full")


class TestGoingBack:
    """Red drives under the guns of M1s in 0901, AP 4 dice; T-72s have 3 save dice."""

    GUNS = "blue G\n g m1 0901\n h m1 0901\n"

    def game(self, forces, row="." * 9, more="", **rest):
        return begin(f"{row}\n{'.' * 9}", self.GUNS + forces, active="B", more=more, **rest)

    def friends(self, *places):
        return "red C\n" + "".join(
            f" f{n}{m} t-72 {p} ops-complete\n" for n, p in enumerate(places) for m in (1, 2)
        )

    @pytest.mark.rule("P3.4", "P4.6")
    def test_to_the_hex_left_last_not_to_where_the_move_began(self):
        game = self.game("red B\n a t-72 0101\n" + self.friends("0301"))
        play(game, "move a 0201", "pass", "move a 0301")
        events = play(game, "fire g a [6 1 1 1 1 1 1]")
        assert facts(events, "goes-back") == {"unit": "a", "from": "0301", "hex": "0201"}
        assert marks(game, "a") == {"disrupted", "ops-complete"}
        assert game.decision.kind == "draw", "it was the only one, and it was finished"

    @pytest.mark.rule("P3.4", "P8.1")
    def test_going_back_opens_no_window(self):
        game = self.game("red B\n a t-72 0101\n z t-72 0102\n" + self.friends("0201"))
        play(game, "move a 0201")
        events = play(game, "fire g a [6 1 1 1 1 1 1]")
        assert "goes-back" in codes(events)
        assert game.decision.kind == "operations"

    @pytest.mark.rule("P3.4", "P16.1")
    def test_who_went_back_has_been_in_the_hex(self):
        game = self.game(
            "red B\n a t-72 0101\n z t-72 0102\n" + self.friends("0201"),
            on_map={"control": {'"0201"': "blue"}},
        )
        assert game.state()["control"]["0201"] == "red", "friends stand there"
        play(game, "move a 0201", "fire g a [6 1 1 1 1 1 1]")
        assert game.state()["control"]["0201"] == game.state()["control"]["0101"] == "red"

    @pytest.mark.rule("P3.4", "P5.12")
    def test_a_carrier_goes_back_with_all_aboard(self):
        game = self.game(
            "red B\n c btr-70 0101\n i inf-su in c\n s spg-9 in i\n z t-72 0102\n" + self.friends("0201")
        )
        play(game, "move c 0201", "fire g c [6 1 1 1 1]")
        assert [where(game, name) for name in "cis"] == ["0101", "0101", "0101"]
        assert "disrupted" in marks(game, "c") & marks(game, "i") & marks(game, "s")

    @pytest.mark.rule("P3.4", "P9.1")
    def test_the_hq_of_its_formation_goes_along_with_the_last_of_its_units(self):
        game = self.game("red B\n a t-72 0101\n hq hq-su 0101\n z t-72 0102\n" + self.friends("0201"))
        events = play(game, "move a,hq 0201", "fire g a [6 1 1 1 1 1 1 6]")
        assert where(game, "hq") == where(game, "a") == "0101"
        assert [told["unit"] for told in every(events, "goes-back")] == ["a", "hq"], "each change is an event"

    @pytest.mark.rule("P3.4", "P9.1")
    def test_it_stays_with_another_unit_of_its_formation_that_goes_on(self):
        game = self.game("red B\n a t-72 0101\n b t-72 0101\n hq hq-su 0101\n" + self.friends("0201"))
        play(game, "move a,b,hq 0201", "fire g a [6 1 1 1 1 1 1 6]", "pass")
        assert (where(game, "a"), where(game, "b"), where(game, "hq")) == ("0101", "0201", "0201")
        play(game, "move b,hq 0301", "pass", "done")
        assert where(game, "hq") == "0301"

    @pytest.mark.rule("P3.4", "P4.6")
    def test_members_that_can_go_on_do_not_count_where_it_goes_back_to(self):
        # In 0101 c leaves i, who may still walk, and d: two, of whom one need not stay.
        game = self.game("red B\n c btr-70 0101\n i inf-su in c\n d btr-70 0101\n" + self.friends("0201"))
        play(game, "unload c", "move c 0201")
        events = play(game, "fire g c [6 1 1 1 1]")
        assert facts(events, "goes-back")["hex"] == "0101"
        assert {str(order) for order in game.orders()} == {"move i 0102"}

    @pytest.mark.rule("P3.4", "P4.6")
    def test_the_one_that_was_stopped_goes_back_where_nobody_else_can_go_on(self):
        """Infantry that has walked its one hex stays: it is its carrier that was stopped over the limit."""
        forces = "blue A\n c m113 0304\n i inf-us in c\n t1 m1 0303\nred B\n e t-72 0801\n"
        game = begin("\n".join(["." * 8] * 6), forces, active="A")
        events = play(game, "unload c", "move c,i 0303", "fire e c [6 1 1 1]")
        assert facts(events, "goes-back") == {"unit": "c", "from": "0303", "hex": "0304"}
        assert (where(game, "c"), where(game, "i")) == ("0304", "0303")

    @pytest.mark.rule("P3.4", "P4.6")
    def test_a_tank_without_movement_points_cannot_go_on_either(self):
        forces = "blue A\n a m1 0308\n b chieftain 0308\n t1 m1 0302\nred B\n e t-72 0902\n"
        game = begin("\n".join(["." * 10] * 9), forces, active="A")
        for place in ("0307", "0306", "0305", "0304", "0303"):
            play(game, f"move a,b {place}")
            if game.decision.kind == "reaction":
                play(game, "pass")
        play(game, "move a,b 0302", "fire e a [6 1 1 1 1 1 1]")
        assert (where(game, "a"), where(game, "b")) == ("0303", "0302")

    @pytest.mark.rule("P3.4", "P7.3.8")
    def test_a_beaten_attacker_goes_on_back_where_nobody_else_can_leave(self):
        forces = "blue A\n c m113 0304\n i inf-us in c\n t1 m1 0303\nred B\n e t-72 0302 ops-complete\n"
        game = begin("\n".join(["." * 8] * 6), forces, active="A")
        play(game, "unload c", "move c,i 0303", "assault c 0302 [1 6 1 1]")
        assert (where(game, "c"), where(game, "i")) == ("0304", "0303")

    @pytest.mark.rule("P3.4")
    def test_two_stopped_in_one_window_go_back_to_one_hex(self):
        game = self.game("red B\n a t-72 0101\n b t-72 0101\n z t-72 0102\n" + self.friends("0201"))
        play(game, "move a,b 0201", "fire g a [6 1 1 1 1 1 1]", "fire h b [6 1 1 1 1 1 1]")
        assert where(game, "a") == where(game, "b") == "0101"

    @pytest.mark.rule("P5.13", "P3.4", "P5.12")
    def test_survivors_that_fit_stay_where_the_carrier_died(self):
        game = self.game(
            "red B\n c btr-70 0101\n i inf-su in c\n z t-72 0102\nred C\n f t-72 0201 ops-complete\n"
        )
        play(game, "move c 0201", "fire g c [6 6 6 1 1 1]")
        assert where(game, "i") == "0201"

    @pytest.mark.rule("P5.13", "P3.4")
    def test_a_survivor_does_not_count_against_members_that_go_on(self):
        # Two carriers drive into a hex with one friend; the first dies, the other still has its way on.
        forces = "red B\n c btr-70 0101\n i inf-su in c\n d btr-70 0101\nred C\n f t-72 0201 ops-complete\n"
        game = self.game(forces)
        play(game, "move c,d 0201", "fire g c [6 6 6 1 1 1]", "pass")
        assert where(game, "i") == "0201"
        assert {str(order).split()[0] for order in game.orders()} == {"move"}, "d must go on"
        play(game, "move d 0301", "pass")
        assert allows(game, "done")


# -- every way on, found by trying everything ---------------------------------------------------------


FULL = ("hex-full", "leaves-hex-full")


def _crowd(pos):
    """The units that stand in hexes over the limit."""
    standing = pos.placed & pos.board.movers & ~pos.carried
    return mask_of(unit for unit in units(standing) if pos.over >> pos.hex[unit] & 1)


def _settles(game, crowd, seen):
    """Whether any orders of the units in the crowd, stacking left aside, bring every hex within the limit."""
    pos = game.position
    if not pos.over:
        return True
    if game.digest in seen or pos.frames[-1].kind != "group":
        return False
    seen.add(game.digest)
    for order in candidates(pos):
        if type(order) not in (Move, Load, Exit) or order.units & pos.board.movers & ~crowd:
            continue
        refusal = pos.frames[-1].check(pos.copy(), order)
        if refusal is not None and refusal.code not in FULL:
            continue
        trial = game.copy()
        trial.position.frames[-1].play(trial.position, order, trial.dice, None)
        if _settles(trial, crowd, seen):
            return True
    return False


def _crowded_game(seed):
    """A tiny map so full that most steps lead over the limit."""
    random = Random(f"crowd/{seed}")
    wide, high = random.choice(((4, 1), (3, 2), (5, 1), (2, 3)))
    labels = [f"{c:02}{r:02}" for c in range(1, wide + 1) for r in range(1, high + 1)]
    terrain = ["".join(random.choice("...rw") for _ in range(wide)) for _ in range(high)]
    lines = ["blue A"]
    spots = [label for label in labels for _ in range(2)]
    random.shuffle(spots)
    names = ["a slow", "b slow", "c box", "i inf-su", "d box"][: random.choice((3, 4, 5))]
    hq = ""
    for name in names:
        lines.append(f" {name} {spots.pop()}{random.choice(('', '', '', ' disrupted'))}")
        if name == "a slow" and random.random() < 0.5:
            hq = lines[-1].split()[2]
            lines.append(f" hq hq-us {hq}")
    if len(names) == 5 and random.random() < 0.5:
        lines.append(" j inf-su in d")
    lines.append("blue F")
    for number in range(random.randrange(1, len(spots) + 1)):
        lines.append(f" f{number} m1 {spots.pop()} ops-complete")
        if number == 0 and random.random() < 0.5 and lines[-1].split()[2] != hq:
            lines.append(f" hf hq-us {lines[-1].split()[2]}")
    lines.append("red B\n x slow 0907 ops-complete")
    rows = [row.ljust(9, "l") for row in terrain] + ["l" * 9] * (6 - high) + ["l" * 8 + "."]
    more = TYPES.format(random.choice((1, 2, 3)))
    if random.random() < 0.4:
        more += f'[[victory]]\nkind = "exit"\nside = "blue"\nhex = "{random.choice(labels)}"\n'
    return begin("\n".join(rows), "\n".join(lines) + "\n", active="A", more=more), random


@pytest.mark.rule("P3.4")
@pytest.mark.refusal("P3.4")
@pytest.mark.parametrize("chunk", range(often(4, 16)))
def test_a_full_hex_may_be_entered_exactly_if_some_way_on_is_left(chunk):
    asked = {True: 0, False: 0}
    for seed in range(chunk * 10, chunk * 10 + 10):
        game, random = _crowded_game(seed)
        for _ in range(12):
            if game.decision is None or game.decision.kind not in ("operations", "group"):
                break
            invariants(game.position)
            for order in candidates(game.position):
                if type(order) is not Move:
                    continue
                refusal = game.position.frames[-1].check(game.position.copy(), order)
                if refusal is not None and refusal.code not in FULL:
                    continue
                trial = game.copy()
                trial.position.frames[-1].play(trial.position, order, trial.dice, None)
                if not trial.position.over:
                    assert refusal is None, f"{order} fills nothing, seed {seed}"
                    continue
                possible = _settles(trial, _crowd(trial.position), set())
                assert (refusal is None) == possible, f"{order}, seed {seed}"
                asked[possible] += 1
            game.play(random.choice(game.orders()))
    assert asked[True] > 5
    assert asked[False] > 5


@pytest.mark.rule("P3.4", "P4.3")
@pytest.mark.parametrize("chunk", range(4))
def test_while_a_hex_is_over_the_limit_there_is_always_an_order_that_leads_out(chunk):
    crowds = 0
    for seed in range(1000 + chunk * 40, 1000 + chunk * 40 + 40):
        game, random = _crowded_game(seed)
        while game.decision is not None and game.decision.kind in ("operations", "group"):
            orders = game.orders()
            if game.position.over:
                crowds += 1
                assert {type(order) for order in orders} <= {Move, Load, Exit}, seed
            events = game.play(random.choice(orders))
            assert not every(events, "goes-back"), "nobody is sent back who was not stopped"
            assert not [e for e in events if e.code == "eliminated"], seed
            invariants(game.position)
    assert crowds > 10
