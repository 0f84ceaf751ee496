"""Fire combat (P6): who fires, range, to hit, saves, fire on the move, depletion."""

from itertools import product
from pathlib import Path

import msgspec
import pytest

from hexengine.core.errors import ChanceError
from hexengine.systems.platoon.firing.fire import save_dice, strength
from hexengine.systems.platoon.scenario.format import UnitsFile
from tests.rules.asking import codes, every, facts, marks, where
from tests.rules.table import allows, begin, play, refuse

ROW = "." * 24
FAR = " t9 t-72 2402 ops-complete\n"
UNITS = msgspec.toml.decode(
    (Path(__file__).parents[2] / "data" / "platoon" / "units.toml").read_bytes(), type=UnitsFile
)


def duel(
    firer, target, distance, dice="", *, row=ROW, order="fire a b", forces="", enemies="", markers=1, **rest
):
    """``a`` in 0101 fires at ``b`` so many hexes away; the game and the events."""
    text = f"blue A markers {markers}\n a {firer.format(place='0101')}\n{forces}"
    text += f"red B\n b {target.format(place=f'{1 + distance:02}01')}\n{enemies}{FAR}"
    game = begin(f"{row}\n{ROW}", text, active="A", **rest)
    return game, play(game, f"{order} [{dice}]") if dice else []


def gun(ap, ma=5, flags="[]"):
    """A counter of that AP block."""
    head = f'[[type]]\nid = "gun"\nkind = "hard"\nmobility = "tracked"\nma = {ma}\n'
    return head + f'ap = "{ap}"\narmour = "1/6"\nflags = {flags}\n'


class TestExamples:
    """The worked examples. Abrams: AP 10/4/4; T-72: 3 save dice at 5."""

    @pytest.mark.rule("P6.3", "P6.4", "P6.6")
    def test_abrams_at_six_hexes(self):
        game, events = duel("m1 {place}", "t-72 {place}", 6, "2 4 5 6 1 5 3")
        shot, save = facts(events, "fire"), facts(events, "save")
        assert (shot["dice"], shot["to_hit"], shot["hits"]) == (4, 4, 3)
        assert (save["dice"], save["save"], save["saves"], save["net"]) == (3, 5, 1, 2)
        assert marks(game, "b") == {"disrupted", "reduced"}

    @pytest.mark.rule("P6.2", "P6.6", "P11.4")
    def test_abrams_at_half_range(self):
        game, events = duel("m1 {place}", "t-72 {place}", 5, "2 3 4 6 1 2 4")
        assert (facts(events, "fire")["to_hit"], facts(events, "save")["net"]) == (3, 3)
        assert marks(game, "b") == {"eliminated"}
        assert game.state()["hexes"] == {"0601": {"wreck": True}}

    @pytest.mark.rule("P6.2", "P6.4")
    def test_abrams_at_extended_range(self):
        game, events = duel("m1 {place}", "t-72 {place}", 14, "2 4 5 6 5 5 1")
        assert (facts(events, "fire")["to_hit"], facts(events, "fire")["hits"]) == (5, 2)
        assert facts(events, "save")["net"] == 0
        assert marks(game, "b") == set()

    @pytest.mark.rule("P6.4", "P11.1", "P11.4")
    def test_woods_a_wreck_and_an_improved_position(self):
        game, events = duel(
            "m1 {place}", "t-72 {place}", 6, "4 5 5 6 5 6 1 2 3",
            row="......w".ljust(24, "."), on_map={"wrecks": ["0701"], "positions": ["0701"]},
        )  # fmt: skip
        save = facts(events, "save")
        assert (save["dice"], save["saves"], save["net"]) == (5, 2, 1)
        assert marks(game, "b") == {"disrupted"}

    @pytest.mark.rule("P6.3", "P6.5")
    def test_what_is_over_six_takes_dice(self):
        # To hit 5, extended +1, moved +1: 7, so 6 with one die fewer.
        more = gun("4/4/5", ma=8, flags='["fire-on-move"]')
        game, _ = duel("gun {place}", "t-72 {place} ops-complete", 7, more=more)
        play(game, "move a 0201")
        shot = facts(play(game, "fire a b [6 6 6 6 6 6]"), "fire")
        assert (shot["dice"], shot["to_hit"], shot["hits"]) == (3, 6, 3)
        assert [tuple(part) for part in shot["parts"]] == [
            ("P3.2", "printed", 5),
            ("P6.2", "extended-range", 1),
            ("P6.5", "moved", 1),
        ]

    @pytest.mark.rule("P6.9", "P1.7")
    @pytest.mark.refusal("P6.9")
    def test_a_missile_block_that_hits_nothing_is_depleted_for_two_turns(self):
        # BMP-2, 4 dice on 4: 1, 3, 3, 2. It may shoot them again in the second turn after this one.
        game, events = duel("bmp-2 {place}", "t-72 {place}", 6, "1 3 3 2", turns=9)
        assert facts(events, "depleted") == {"unit": "a"}
        assert marks(game, "a") == {"depleted-2", "ops-complete"}
        play(game, "draw [B]", "end", "draw [eot]", "draw [eot]")
        assert marks(game, "a") == {"depleted-1"}
        play(game, "draw [A]")
        refuse(game, "fire a b", "P6.9", "depleted")
        play(game, "end", "draw [B]", "end", "draw [eot]", "draw [eot]")
        assert marks(game, "a") == set()
        play(game, "draw [A]")
        assert allows(game, "fire a b")

    @pytest.mark.rule("P6.2", "P6.5", "P6.6")
    def test_three_hits_on_the_move_at_short_range(self):
        # 3 dice on 4, short -1, moved +1; all saves fail: Disrupted, step, eliminated.
        more = gun("8/3/4", ma=8, flags='["fire-on-move"]')
        game, _ = duel("gun {place}", "t-72 {place} ops-complete", 4, more=more)
        play(game, "move a 0201")
        events = play(game, "fire a b [4 4 4 1 1 1]")
        assert facts(events, "fire")["to_hit"] == 4
        assert codes(events)[2:5] == ["disrupted", "step-lost", "eliminated"]


class TestWho:
    @pytest.mark.rule("P6.1")
    @pytest.mark.refusal("P6.6", "P4.1", "P2.2.4")
    @pytest.mark.parametrize(
        ("status", "rule", "code"),
        [
            ("disrupted", "P6.6", "disrupted-fire"),
            ("ops-complete", "P4.1", "ops-complete"),
            ("out-of-command", "P2.2.4", "out-of-command"),
        ],
    )
    def test_in_good_order_in_command_and_unmarked(self, status, rule, code):
        game, _ = duel("m1 {place} " + status, "t-72 {place}", 6, forces=" z m1 0102\n")
        refuse(game, "fire a b", rule, code)

    @pytest.mark.rule("P6.1")
    @pytest.mark.refusal("P4.3")
    def test_one_attack_and_then_it_is_finished(self):
        game, _ = duel("m1 {place}", "t-72 {place}", 6, "1 1 1 1", forces=" z m1 0102\n")
        assert marks(game, "a") == {"finished"}
        refuse(game, "fire a b", "P2.5", "finished")
        refuse(game, "move a 0201", "P2.5", "finished")
        play(game, "end")
        assert marks(game, "a") == {"ops-complete"}

    @pytest.mark.rule("P6.1")
    def test_several_may_attack_one_target_each_on_its_own(self):
        game, events = duel("m1 {place}", "t-72 {place}", 6, "4 4 1 1 5 1 1", forces=" z m1 0101\n")
        assert facts(events, "fire")["dice"] == 4
        events = play(game, "fire z b [4 4 1 1 5 1 1]")
        assert facts(events, "fire")["dice"] == 4
        assert marks(game, "b") == {"disrupted", "reduced"}

    @pytest.mark.rule("P6.1")
    def test_the_firer_chooses_within_the_stack(self):
        for name in ("b", "c"):
            game, _ = duel("m1 {place}", "t-72 {place}", 6, enemies=" c bmp-2 0701\n")
            play(game, f"fire a {name} [4 1 1 1 1 1 1]" if name == "b" else f"fire a {name} [4 1 1 1 1]")
            assert marks(game, name) == {"disrupted"}
            assert marks(game, "c" if name == "b" else "b") == set()

    @pytest.mark.rule("P6.7")
    def test_an_attack_strikes_nobody_else_in_the_hex(self):
        game, _ = duel("m1 {place}", "t-72 {place}", 5, "6 6 6 6 1 1 1", enemies=" c t-72 0601\n")
        assert marks(game, "b") == {"eliminated"}
        assert marks(game, "c") == set()

    @pytest.mark.rule("P6.1")
    @pytest.mark.refusal("P6.1")
    def test_what_is_no_target(self):
        game, _ = duel("m1 {place}", "t-72 {place}", 6, forces=" z m1 0201\n",
                       enemies=" hq hq-su 0701\n r t-72 due 2 2401\n")  # fmt: skip
        assert str(refuse(game, "fire a z", "P6.1", "own-target").alternative) == "fire a b"
        refuse(game, "fire a hq", "P6.1", "not-a-unit")
        refuse(game, "fire a r", "P6.1", "target-off-map")

    @pytest.mark.rule("P6.1", "P10.1")
    @pytest.mark.refusal("P10.1")
    def test_the_target_must_be_in_sight(self):
        text = "blue A\n a m1 0101\n z m1 0106\nred B\n b t-72 0104\n"
        game = begin("\n".join("..w..."), text, active="A")
        assert str(refuse(game, "fire a b", "P10.1", "no-line-of-sight").alternative) == "fire z b"

    @pytest.mark.rule("P6.1", "P4.6")
    @pytest.mark.refusal("P4.6")
    def test_who_was_hit_on_the_move_does_not_fire(self):
        game, _ = duel("m1 {place}", "t-72 {place}", 6, forces=" z m1 0102\n", enemies=" c t-72 0801\n")
        play(game, "move a 0201", "fire c a [6 1 1 1 1 1 1]")
        refuse(game, "fire a b", "P4.6", "finished")


class TestRange:
    """P6.2: bands of a printed range, and of a block for which it is the limit."""

    @pytest.mark.rule("P6.2")
    @pytest.mark.parametrize(
        ("distance", "to_hit"),
        [(1, 3), (4, 3), (5, 3), (6, 4), (9, 4), (10, 4), (11, 5), (19, 5), (20, 5)],
    )
    def test_bands_of_ten_hexes(self, distance, to_hit):
        _, events = duel("m1 {place}", "t-72 {place}", distance, "1 1 1 1")
        assert facts(events, "fire")["to_hit"] == to_hit
        assert facts(events, "fire")["distance"] == distance

    @pytest.mark.rule("P6.2")
    @pytest.mark.refusal("P6.2")
    def test_beyond_twice_the_range(self):
        game, _ = duel("m1 {place}", "t-72 {place}", 21)
        refusal = refuse(game, "fire a b", "P6.2", "out-of-range")
        assert (refusal.facts["distance"], refusal.facts["reach"]) == (21, 20)

    @pytest.mark.rule("P6.2")
    @pytest.mark.parametrize(("distance", "to_hit"), [(1, 4), (2, 4), (5, 4), (10, 4)])
    def test_a_limit_has_neither_bonus_nor_extension(self, distance, to_hit):
        _, events = duel("bmp-2 {place}", "t-72 {place}", distance, "6 1 1 1 6 6 6")
        assert facts(events, "fire")["to_hit"] == to_hit
        assert [part.code for part in facts(events, "fire")["parts"]] == ["printed"]

    @pytest.mark.rule("P6.2")
    @pytest.mark.refusal("P6.2")
    def test_a_limit_ends_at_its_range(self):
        game, _ = duel("bmp-2 {place}", "t-72 {place}", 11)
        refuse(game, "fire a b", "P6.2", "out-of-range")

    @pytest.mark.rule("P6.2")
    @pytest.mark.parametrize(("printed", "distance", "to_hit"), [
        (1, 1, 3), (1, 2, 5), (2, 1, 3), (2, 2, 4), (3, 1, 3), (3, 2, 4), (3, 3, 4), (3, 4, 5), (3, 6, 5),
    ])  # fmt: skip
    def test_half_is_rounded_down_and_at_least_one(self, printed, distance, to_hit):
        more = gun(f"{printed}/1/4", ma=5)
        _, events = duel("gun {place}", "t-72 {place}", distance, "1", more=more)
        assert facts(events, "fire")["to_hit"] == to_hit

    @pytest.mark.rule("P6.2", "P10.1")
    def test_adjacent_targets_whatever_the_sight(self):
        text = "blue A\n a m1 0101\nred B\n b t-72 0102\n"
        game = begin("w\nw\n", text, active="A", on_map={"levels": "1\\n0"})
        assert allows(game, "fire a b")

    @pytest.mark.rule("P6.2", "P12.5")
    @pytest.mark.refusal("P12.5")
    def test_a_minimum_range_holds_for_adjacent_targets_too(self):
        game, _ = duel("mortar-120 {place}", "inf-su {place}", 1)
        refusal = refuse(game, "fire a b", "P12.5", "too-near")
        assert refusal.facts["minimum"] == 2
        game, _ = duel("mortar-120 {place}", "inf-su {place}", 2)
        assert allows(game, "fire a b")


class TestToHit:
    @pytest.mark.rule("P6.3")
    def test_a_one_always_misses(self):
        # To hit 2 with 1 off for short range stays 2.
        more = gun("4/2/2", ma=5)
        _, events = duel("gun {place}", "t-72 {place}", 1, "1 2 1 1 1", more=more)
        assert (facts(events, "fire")["to_hit"], facts(events, "fire")["hits"]) == (2, 1)

    @pytest.mark.rule("P6.3")
    @pytest.mark.refusal("P6.3")
    def test_no_block_no_attack(self):
        game, _ = duel("btr-70 {place}", "t-72 {place}", 2)
        refuse(game, "fire a b", "P6.3", "no-block")
        game, _ = duel("brdm-2-at-5 {place}", "inf-su {place}", 2)
        refuse(game, "fire a b", "P6.3", "no-block")

    @pytest.mark.rule("P6.3", "P3.3")
    @pytest.mark.refusal("P6.3")
    def test_a_reduced_side_without_dice_has_no_attack(self):
        more = gun("4/1/4", ma=5)
        more += "reduced = { ap = 0 }\n"
        game, _ = duel("gun {place} reduced", "t-72 {place}", 2, more=more)
        refuse(game, "fire a b", "P6.3", "no-block")

    @pytest.mark.rule("P6.3", "P6.5")
    @pytest.mark.refusal("P6.3")
    def test_no_attack_when_no_die_is_left(self):
        more = gun("4/1/5", ma=8, flags='["fire-on-move"]')
        game, _ = duel("gun {place}", "t-72 {place} ops-complete", 7, more=more)
        assert allows(game, "fire a b")
        play(game, "move a 0201")
        refuse(game, "fire a b", "P6.3", "no-dice-left")

    @pytest.mark.rule("P6.3", "P9.4")
    def test_leadership_adds_dice_before_any_are_taken(self):
        more = gun("4/1/5", ma=8, flags='["fire-on-move"]')
        game, _ = duel("gun {place}", "t-72 {place} ops-complete", 7, more=more, forces=" hq hq-us 0101\n")
        play(game, "move a,hq 0201")
        assert facts(play(game, "fire a b lead [6 6 1 1 1]"), "fire")["dice"] == 2

    @pytest.mark.rule("P6.3")
    @pytest.mark.parametrize("dice", ["4 4 4", "4 4 4 4 1 1 1 1", "4 4 4 4 1 1"])
    def test_neither_fewer_nor_more_dice_are_thrown(self, dice):
        game, _ = duel("m1 {place}", "t-72 {place}", 6)
        before = game.digest
        with pytest.raises(ChanceError):
            play(game, f"fire a b [{dice}]")
        assert game.digest == before

    @pytest.mark.rule("P6.3", "P8.3")
    def test_opportunity_fire_has_no_modifier_of_its_own(self):
        text = "blue A\n a t-72 0101\nred B\n b t-72 0901\n"
        game = begin(f"{ROW}\n{ROW}", text, active="A")
        play(game, "move a 0201")
        shot = facts(play(game, "fire b a [1 1 1]"), "fire")
        assert (shot["to_hit"], [part.code for part in shot["parts"]]) == (4, ["printed"])

    @pytest.mark.rule("P6.2", "P6.3", "P6.5", "P9.4")
    def test_every_counter_at_every_range_against_the_rule_written_again(self):
        # Dice and to-hit from the printed texts alone.
        types = [kind for kind in UNITS.type if kind.kind in ("hard", "soft")]
        units = "".join(f" u{n} {kind.id} {1 + n // 2:02}02\n" for n, kind in enumerate(types))
        text = f"blue A\n{units}red B\n h t-72 2401\n s inf-su 2401\n"
        game = begin(f"{ROW}\n{ROW}", text, active="A")
        pos, ids = game.position, game.board.ids
        targets = {"ap": ids.index("h"), "he": ids.index("s")}
        seen = 0
        for n, kind in enumerate(types):
            firer = ids.index(f"u{n}")
            for block, steps, moved, lead in product(("ap", "he"), (1, 2), (0, 1), (0, 2)):
                pos.steps[firer] = steps
                pos.moved = moved << firer
                for distance in range(1, 42):
                    expected = _attack(kind, block, steps, moved, lead, distance)
                    got = strength(pos, firer, firer, targets[block], distance, lead)
                    assert (tuple(got) if got else None) == expected, (kind.id, block, distance)
                    seen += expected is not None
        assert seen > 2000


def _attack(kind, block, steps, moved, lead, distance):
    """P6.2 and P6.3 from a counter's text: dice and to-hit, or None."""
    text = getattr(kind, block)
    if text is None or (block == "he" and distance < kind.minimum):
        return None
    reach, dice, to_hit = text.split("/")
    number, need = int(dice), int(to_hit)
    if steps == 1 and kind.reduced is not None:
        reduced = getattr(kind.reduced, block)
        number = number if reduced is None else reduced
    if not number:
        return None
    printed = int("".join(letter for letter in reach if letter.isdigit()))
    if "u" in reach:
        if distance > printed:
            return None
    elif distance > 2 * printed:
        return None
    elif distance > printed:
        need += 1
    elif distance <= printed // 2 or distance == 1:
        need -= 1
    need += moved
    number += lead
    while need > 6:
        need -= 1
        number -= 1
    return (number, max(need, 2)) if number > 0 else None


class TestSaves:
    """P6.4: M1 at 6 hexes; the target's hex is the seventh."""

    @pytest.mark.rule("P6.4", "D1")
    @pytest.mark.parametrize(
        ("terrain", "hard", "soft"),
        [(".", 0, 0), ("f", 0, 1), ("r", 1, 1), ("w", 1, 2), ("F", 2, 2), ("b", 1, 1), ("t", 1, 2),
         ("c", 2, 3), ("u", 2, 3), ("m", 0, 1), ("s", 0, 0)],
    )  # fmt: skip
    @pytest.mark.parametrize("wreck", [0, 1])
    def test_bonus_dice_of_every_terrain(self, terrain, hard, soft, wreck):
        text = "blue A\n a m1 0101\nred B\n b t-72 0601\n i inf-su 0601\n"
        roads = {"roads": ["0501-0601"]} if terrain in "Fm" else {}
        game = begin(f".....{terrain}".ljust(8, "."), text, active="A",
                     on_map={"wrecks": ["0601"] if wreck else [], **roads})  # fmt: skip
        place = game.board.grid.index("0601")
        ids = game.board.ids
        assert save_dice(game.position, ids.index("b"), place) == 3 + min(2, hard + wreck)
        assert save_dice(game.position, ids.index("i"), place) == soft + wreck

    @pytest.mark.rule("P6.4", "P10.2")
    @pytest.mark.parametrize(
        ("terrain", "hard", "soft"), [(".", 0, 0), ("w", 1, 2), ("c", 2, 3), ("r", 1, 1)]
    )
    def test_bonus_dice_on_a_hill(self, terrain, hard, soft):
        text = "blue A\n a m1 0101\nred B\n b t-72 0301\n i inf-su 0301\n"
        game = begin(f"..{terrain}.", text, active="A", on_map={"levels": "0010"})
        place = game.board.grid.index("0301")
        assert save_dice(game.position, game.board.ids.index("b"), place) == 3 + hard
        assert save_dice(game.position, game.board.ids.index("i"), place) == soft

    @pytest.mark.rule("P6.4")
    def test_soft_targets_have_the_armour_that_is_printed(self):
        # A30: none by default.
        more = '[[type]]\nid = "bunker"\nkind = "soft"\nmobility = "leg"\nma = 1\narmour = "2/4"\n'
        _, events = duel("m1 {place}", "bunker {place}", 6, "5 1 1 4 1", more=more)
        assert (facts(events, "save")["dice"], facts(events, "save")["saves"]) == (2, 1)
        _, events = duel("m1 {place}", "inf-su {place}", 6, "5 1 1")
        assert facts(events, "save")["dice"] == 0

    @pytest.mark.rule("P6.4", "P3.3")
    def test_a_reduced_target_has_the_armour_of_its_reduced_side(self):
        _, events = duel("m1 {place}", "t-72 {place} reduced", 6, "4 1 1 1 1 1")
        assert facts(events, "save")["dice"] == 2

    @pytest.mark.rule("P6.4", "P0.3")
    def test_no_hit_no_saves(self):
        _, events = duel("m1 {place}", "t-72 {place}", 6, "3 3 3 3")
        assert "save" not in codes(events)

    @pytest.mark.rule("P6.4", "P0.3")
    def test_with_a_hit_all_saves_are_thrown_even_if_the_first_cancels_it(self):
        _, events = duel("m1 {place}", "t-72 {place}", 6, "4 1 1 1 6 6 6")
        assert (facts(events, "save")["faces"], facts(events, "save")["net"]) == ([6, 6, 6], 0)

    @pytest.mark.rule("P6.4")
    @pytest.mark.parametrize("hits", range(5))
    @pytest.mark.parametrize("saves", range(4))
    def test_net_hits_are_never_negative(self, hits, saves):
        dice = [6] * hits + [1] * (4 - hits) + ([6] * saves + [1] * (3 - saves) if hits else [])
        game, events = duel("m1 {place}", "t-72 {place}", 6, " ".join(map(str, dice)))
        net = max(0, hits - saves)
        if hits:
            assert facts(events, "save")["net"] == net
        states = [set(), {"disrupted"}, {"disrupted", "reduced"}, {"eliminated"}, {"eliminated"}]
        assert marks(game, "b") == states[net]


class TestFireOnTheMove:
    @pytest.mark.rule("P6.5")
    @pytest.mark.refusal("P6.5")
    def test_up_to_half_the_allowance_and_plus_one(self):
        game, _ = duel("m1 {place}", "t-72 {place} ops-complete", 12)
        play(game, *[f"move a {column:02}01" for column in range(2, 6)])
        shot = facts(play(game.copy(), "fire a b [1 1 1 1]"), "fire")
        assert (shot["distance"], shot["to_hit"]) == (8, 5)
        play(game, "move a 0601")
        refusal = refuse(game, "fire a b", "P6.5", "moved-too-far-to-fire")
        assert (refusal.facts["spent"], refusal.facts["half"]) == (5, 4)

    @pytest.mark.rule("P6.5", "P0.4")
    def test_half_of_seven_is_four(self):
        game, _ = duel("challenger {place}", "t-72 {place} ops-complete", 12)
        play(game, *[f"move a {column:02}01" for column in range(2, 6)])
        assert allows(game, "fire a b")
        play(game, "move a 0601")
        assert not allows(game, "fire a b")

    @pytest.mark.rule("P6.5", "P4.1")
    @pytest.mark.refusal("P4.1")
    def test_only_who_is_rated_for_it(self):
        game, _ = duel("t-72 {place}", "t-72 {place} ops-complete", 6)
        play(game, "move a 0201")
        refuse(game, "fire a b", "P4.1", "moved-fire")

    @pytest.mark.rule("P6.5")
    @pytest.mark.refusal("P4.3")
    def test_never_fire_and_then_move(self):
        game, _ = duel("m1 {place}", "t-72 {place} ops-complete", 6, forces=" z m1 0101\n")
        play(game, "move a,z 0201", "fire a b [1 1 1 1]")
        assert game.decision.kind == "group"
        refuse(game, "move a 0301", "P2.5", "finished")
        play(game, "move z 0301", "fire z b [1 1 1 1]")
        assert game.decision.kind == "draw", "nobody has anything left to do"

    @pytest.mark.rule("P6.5")
    def test_what_counts_is_mp_and_not_hexes(self):
        roads = {"roads": ["-".join(f"{c:02}01" for c in range(1, 12))]}
        game, _ = duel("m1 {place}", "t-72 {place} ops-complete", 12, on_map=roads)
        play(game, *[f"move a {column:02}01" for column in range(2, 10)])
        assert allows(game, "fire a b"), "8 road hexes are 4 MP"

    @pytest.mark.rule("P6.5", "P4.1")
    @pytest.mark.refusal("P6.5")
    def test_the_penalty_ends_with_the_activation(self):
        game, _ = duel("m1 {place}", "t-72 {place} ops-complete", 8, start={"cup": ["A", "eot", "eot", "B"]},
                       markers=2)  # fmt: skip
        play(game, "move a 0201", "done", "draw [A]")
        assert facts(play(game, "fire a b [1 1 1 1]"), "fire")["to_hit"] == 4

    @pytest.mark.rule("P6.5", "P9.4")
    def test_leadership_goes_with_it(self):
        game, _ = duel("m1 {place}", "t-72 {place} ops-complete", 6, forces=" hq hq-us 0101\n")
        play(game, "move a,hq 0201")
        shot = facts(play(game, "fire a b lead [1 1 1 1 1 1]"), "fire")
        assert (shot["dice"], shot["to_hit"]) == (6, 4)


class TestDepletion:
    @pytest.mark.rule("P6.9")
    def test_hits_that_are_all_saved_deplete_nothing(self):
        game, events = duel("bmp-2 {place}", "t-72 {place}", 6, "4 1 1 1 6 6 6")
        assert facts(events, "save")["net"] == 0
        assert "depleted-2" not in marks(game, "a")

    @pytest.mark.rule("P6.9")
    def test_only_missiles(self):
        for firer, dice in (("m1", "1 1 1 1"), ("inf-su", "1 1")):
            game, events = duel(firer + " {place}", "t-72 {place}", 2, dice)
            assert "depleted" not in codes(events)
            assert not {"depleted-1", "depleted-2"} & marks(game, "a")

    @pytest.mark.rule("P6.9")
    def test_only_the_ap_block(self):
        game, events = duel("bmp-2 {place}", "inf-su {place}", 4, "1 1 1")
        assert "depleted" not in codes(events)
        game, _ = duel("bmp-2 {place} depleted-2", "inf-su {place}", 4)
        assert allows(game, "fire a b"), "its HE block is no missile"

    @pytest.mark.rule("P6.9")
    @pytest.mark.refusal("P6.9")
    @pytest.mark.parametrize("marker", ["depleted-1", "depleted-2"])
    def test_while_marked_it_may_not_use_that_block(self, marker):
        game, _ = duel("bmp-2 {place} " + marker, "t-72 {place}", 4)
        refuse(game, "fire a b", "P6.9", "depleted")

    @pytest.mark.rule("P6.9", "P3.5")
    @pytest.mark.refusal("P6.9")
    def test_a_support_weapon_has_a_marker_of_its_own(self):
        game, _ = duel("inf-us {place}", "t-72 {place}", 2, forces=" s dragon in a\n z m1 0102\n",
                       markers=2, start={"cup": ["A", "eot", "eot", "B"]})  # fmt: skip
        events = play(game, "fire a b with s [1 1]")
        assert facts(events, "depleted") == {"unit": "s"}
        assert "depleted-2" in marks(game, "s")
        assert "depleted-2" not in marks(game, "a")
        play(game, "end", "draw [A]")
        refuse(game, "fire a b with s", "P6.9", "depleted")
        assert allows(game, "fire a b")

    @pytest.mark.rule("P6.9", "P3.5")
    def test_the_infantrys_own_shot_does_not_deplete_its_weapon(self):
        game, events = duel("inf-us {place}", "t-72 {place}", 2, "1 1", forces=" s dragon in a\n")
        assert "depleted" not in codes(events)
        assert not {"depleted-1", "depleted-2"} & marks(game, "s")

    @pytest.mark.rule("P6.9", "P3.5")
    def test_a_recoilless_gun_is_no_missile(self):
        _, events = duel("inf-su {place}", "t-72 {place}", 2, "1 1", forces=" s spg-9 in a\n",
                         order="fire a b with s")  # fmt: skip
        assert "depleted" not in codes(events)

    @pytest.mark.rule("P6.9", "P8.3")
    @pytest.mark.refusal("P6.9")
    def test_opportunity_fire_depletes_too(self):
        text = "blue A\n a t-72 0101\n z t-72 0102\nred B\n b bmp-2 0901\n c t-72 0902\n"
        game = begin(f"{ROW}\n{ROW}", text, active="A")
        play(game, "move a 0201")
        events = play(game, "fire b a [1 1 1 1]")
        assert facts(events, "depleted") == {"unit": "b"}
        text = text.replace("bmp-2 0901", "bmp-2 0901 depleted-2")
        game = begin(f"{ROW}\n{ROW}", text, active="A")
        play(game, "move a 0201")
        refuse(game, "fire b a", "P6.9", "depleted")

    @pytest.mark.rule("P6.9", "P6.5")
    def test_the_marker_is_renewed(self):
        game, _ = duel("bmp-2 {place}", "t-72 {place}", 6, "1 1 1 1", turns=9)
        for _ in range(2):
            play(game, "draw [B]", "end", "draw [eot]", "draw [eot]", "draw [A]")
            play(game, "fire a b [1 1 1 1]" if allows(game, "fire a b") else "end")
        assert "depleted-2" in marks(game, "a")

    @pytest.mark.rule("P6.9", "P6.6")
    @pytest.mark.parametrize("marker", ["depleted-1", "depleted-2", "ops-complete"])
    def test_who_is_lost_leaves_no_marker(self, marker):
        game, _ = duel("m1 {place}", "bmp-2 {place} reduced disrupted " + marker, 2, "6 1 1 1 1")
        assert (where(game, "b"), marks(game, "b")) == (None, {"eliminated"})

    @pytest.mark.rule("P6.8", "P9.3")
    def test_hits_on_a_unit_may_cost_the_hq_in_its_hex(self):
        game, events = duel("m1 {place}", "t-72 {place}", 6, "4 1 1 1 1 1 1 1", enemies=" hq hq-su 0701\n")
        assert facts(events, "hq-hit")["limit"] == 1
        assert every(events, "step-lost")[-1] == {"unit": "hq"}
        assert "reduced" in marks(game, "hq")
