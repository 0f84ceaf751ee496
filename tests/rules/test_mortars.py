"""Mortars on the map (P12.5): direct and indirect fire, and their nearest range."""

import pytest

from tests.rules.asking import facts, marks
from tests.rules.table import allows, begin, play, refuse

# A wall of woods in column 4: the mortar in 0103 sees nothing beyond it, the HQ in 0501 does.
WOODS = "\n".join(["...w........"] * 5)
FORCES = """
blue A
    m mortar-120 0103
    hq hq-us 0501
    a m1 0501
red B
    i inf-su 0903 ops-complete
    t t-72 0903 ops-complete
    n inf-su 0303 ops-complete
    x inf-su 0104 ops-complete
"""


def at(forces=FORCES, active="A", terrain=WOODS, **rest):
    return begin(terrain, forces, active=active, **rest)


def shot(game, order):
    """To-hit, and the parts of it beside the printed number."""
    fired = facts(play(game, order), "fire")
    return fired["to_hit"], {part.code: part.value for part in fired["parts"] if part.code != "printed"}


class TestIndirect:
    @pytest.mark.rule("P12.5", "P12.2")
    def test_at_what_an_observer_sees(self):
        game = at()
        assert shot(game, "fire m i [1 1 1]") == (6, {"indirect": 1})

    @pytest.mark.rule("P12.5")
    def test_direct_at_what_it_sees_itself(self):
        game = at()
        assert shot(game, "fire m n [1 1 1]") == (5, {})

    @pytest.mark.rule("P12.5", "P4.1")
    def test_it_has_acted_then(self):
        game = at()
        play(game, "fire m i [6 1 1]", "end")
        assert "ops-complete" in marks(game, "m")
        assert "disrupted" in marks(game, "i")

    @pytest.mark.rule("P12.5", "P12.2")
    @pytest.mark.refusal("P12.2")
    def test_somebody_must_observe(self):
        game = at(FORCES.replace("0501", "0105"))
        refusal = refuse(game, "fire m i", "P12.2", "not-observed")
        assert str(refusal.alternative) == "fire m n"

    @pytest.mark.rule("P12.5", "P12.2")
    def test_a_reconnaissance_unit_does_too(self):
        forces = FORCES.replace("hq hq-us 0501", "s scimitar 0501")
        assert allows(at(forces), "fire m i")
        assert not allows(at(forces.replace("scimitar 0501", "scimitar 0501 disrupted")), "fire m i")

    @pytest.mark.rule("P12.5")
    def test_at_soft_targets_only(self):
        assert not allows(at(), "fire m t"), "a mortar has no AP"

    @pytest.mark.rule("P12.5", "P10.1")
    @pytest.mark.refusal("P10.1")
    def test_nobody_else_fires_so(self):
        game = at(FORCES.replace("m mortar-120 0103", "m m1 0103"))
        refuse(game, "fire m i", "P10.1", "no-line-of-sight")

    @pytest.mark.rule("P12.5", "P8.1")
    def test_opportunity_fire_is_direct(self):
        forces = FORCES.replace("a m1 0501", "a m1 0501 ops-complete").replace(
            "i inf-su 0903 ops-complete", "i inf-su 0903"
        )
        game = at(forces, active="B")
        play(game, "move i 0902")
        assert game.decision.kind != "reaction"

    @pytest.mark.rule("P12.5")
    def test_a_mortar_alone_in_its_hex_is_offered_nothing_else_to_see(self):
        forces = (
            "blue A\n m mortar-120 0103\n hq hq-us 0501\n a m1 0501\nred B\n i inf-su 0903 ops-complete\n"
        )
        game = at(forces)
        assert game.position.hex[0] in game.decision.actors()
        assert allows(game, "fire m i")

    @pytest.mark.rule("P12.5", "P11.4")
    def test_wrecks_hide_targets_from_it_as_from_others(self):
        column = "\n".join("." * 9)
        forces = (
            "blue A\n m mortar-120 0101\n hq hq-us 0106\n a m1 0106\nred B\n i inf-su 0109 ops-complete\n"
        )
        game = at(forces, terrain=column, on_map={"wrecks": ["0103", "0105"]})
        assert shot(game, "fire m i [1 1 1]") == (6, {"indirect": 1})

    @pytest.mark.rule("P12.5", "P12.4")
    def test_smoke_counts_on_the_line_that_is_seen_along(self):
        # Along the HQ's line there is one smoke hex; the other lies before the mortar alone.
        game = at(on_map={"smoke": {"0903": 2, "0203": 2}})
        fired = facts(play(game, "fire m i [1 1]"), "fire")
        assert (fired["dice"], fired["to_hit"]) == (2, 6)

    @pytest.mark.rule("P12.5", "P12.4")
    def test_the_observer_with_the_least_smoke_before_him(self):
        forces = FORCES + "blue A2\n z m1 0105\n"
        forces = forces.replace("a m1 0501", "a m1 0501\n    s scimitar 0504")
        game = at(forces, on_map={"smoke": {"0501": 2}})
        assert shot(game, "fire m i [1 1 1]") == (6, {"indirect": 1})


class TestMinimumRange:
    @pytest.mark.rule("P12.5")
    @pytest.mark.refusal("P12.5")
    def test_nothing_nearer_adjacent_targets_included(self):
        game = at()
        refuse(game, "fire m x", "P12.5", "too-near")
        assert allows(game, "fire m n")

    @pytest.mark.rule("P12.5", "P6.2")
    @pytest.mark.refusal("P6.2")
    def test_its_range_is_a_limit(self):
        row = "\n".join(["." * 24] * 3)
        forces = "blue A\n m mortar-120 0102\n a m1 0102\nred B\n i inf-su 2102\n j inf-su 2202\n"
        game = at(forces, terrain=row)
        assert allows(game, "fire m i")
        refuse(game, "fire m j", "P6.2", "out-of-range")
