"""What holds in every game (P4, P5, P6, P8): asked at every step of random games on made-up maps."""

from random import Random

import pytest

from hexengine.core.game import Game
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.candidates import invariants
from hexengine.systems.platoon.firing.fire import check_shot
from hexengine.systems.platoon.firing.reaction import Reaction
from hexengine.systems.platoon.orders.book import Enter, Load, Move, Unload
from tests.systems.platoon.made_up import scenario


class Watched:
    """A random game; before and after every order it is asked what must hold."""

    def __init__(self, seed, **rest):
        self.game = Game(scenario(seed, **rest), seed=seed)
        self.random = Random(f"properties/{seed}")
        self.board = self.game.board
        self.counts = dict.fromkeys(
            ("steps", "windows", "shots", "saves", "shy", "walks", "loads", "unloads", "crowds"), 0
        )

    def play(self):
        while self.game.decision is not None:
            decision = self.game.decision
            pos = self.game.position
            if pos.active >= 0:
                self.disrupted_steps(pos)
            # Transport and steps are preferred where there are any: games of random fire alone show little.
            orders = decision.orders(self.random.choice(decision.actors()))
            for kinds in ((Load, Unload), (Move,)):
                chosen = [order for order in orders if type(order) in kinds]
                if chosen and self.random.random() < 0.5:
                    orders = chosen
                    break
            order = self.random.choice(orders)
            before = pos.copy()
            events = self.game.play(order)
            invariants(self.game.position)
            if type(order) in (Move, Enter):
                self.entered(before, order, events)
            self.budget(self.game.position)
            for event in events:
                self.event(event)
        return self.counts

    def budget(self, pos):
        """P4.1, P5.2, P5.5: nobody spends more than its allowance, or half of it with transport."""
        board = self.board
        self.counts["crowds"] += bool(pos.over)
        for unit in units(pos.placed & board.fighters):
            bit = 1 << unit
            if pos.shuttled & bit and board.infantry & bit:
                self.counts["walks"] += pos.moved >> unit & 1
                continue
            limit = board.half[unit] if pos.shuttled & bit else board.allowance[unit]
            assert pos.spent[unit] <= limit, board.ids[unit]

    def entered(self, before, order, events):
        """P4.4, P4.5: no enemy is there; a window is open exactly if a shot at those who entered is legal."""
        board = self.board
        pos = self.game.position
        side = board.side[units(order.units)[0]]
        assert not before.at(order.hex, 1 - side)
        self.counts["steps"] += 1
        trial = before.copy()
        frames = len(trial.frames)
        trial.frames[-1].play(trial, order, self.game.copy().dice, None)
        windows = [frame for frame in trial.frames if isinstance(frame, Reaction)]
        assert len(windows) <= 1
        expected = False
        for firer in units(
            trial.placed & board.shooters[1 - side] & ~(trial.ops | trial.disrupted | trial.carried)
        ):
            for target in units(order.units & board.fighters):
                for weapon in (-1, board.weapon_of[firer]):
                    for lead in (False, True):
                        shot = board.orders.fire(firer, target, weapon, lead)
                        expected |= check_shot(trial, shot, 1 - side, trial.led_reaction) is None
        assert bool(windows) == expected
        assert len(trial.frames) in (frames, frames + 1, frames + 2)
        if windows:
            self.counts["windows"] += 1
            assert self.game.decision.kind == "reaction"
            assert self.game.decision.side == board.sides[1 - side]
            assert windows[0].left == order.units & board.fighters
            assert pos.frames[-1] == windows[0]

    def event(self, event):
        """P6.3, P6.4: hits, saves and bonus dice stay within their bounds."""
        facts = event.facts
        if event.code == "fire":
            self.counts["shots"] += 1
            assert facts["dice"] >= 1
            assert 2 <= facts["to_hit"] <= 6
            assert facts["hits"] == sum(face >= facts["to_hit"] for face in facts["faces"]) <= facts["dice"]
            assert len(facts["faces"]) == facts["dice"]
        elif event.code == "save":
            self.counts["saves"] += 1
            target = self.board.ids.index(facts["target"])
            assert facts["saves"] <= facts["dice"] == len(facts["faces"])
            assert facts["net"] >= 0
            if self.board.hard >> target & 1:
                assert facts["dice"] <= max(self.board.armour[target]) + 2
        elif event.code in ("load", "unload"):
            self.counts[event.code + "s"] += 1

    def disrupted_steps(self, pos):
        """P6.6, said again: from enemies in sight or adjacent, no step nearer nor next to any of them."""
        board = self.board
        grid = board.grid
        orders = self.game.orders()
        for unit in units(pos.disrupted & pos.placed & ~pos.carried & board.fighters):
            steps = {
                order.hex for order in orders if type(order) is Move and order.units & ~board.hqs == 1 << unit
            }
            if not steps:
                continue
            here = pos.hex[unit]
            foes = [
                pos.hex[foe]
                for foe in units(
                    pos.placed & board.side_units[1 - board.side[unit]] & ~pos.carried & ~board.weapons
                )
                if grid.distance(pos.hex[foe], here) == 1
                or board.sight.facts(here, pos.hex[foe], pos.wrecks).clear
            ]
            for there in steps:
                self.counts["shy"] += bool(foes)
                for foe in foes:
                    assert grid.distance(there, foe) >= grid.distance(here, foe)
                    assert grid.distance(there, foe) > 1


@pytest.mark.rule("P4.1", "P4.2", "P4.4", "P4.5", "P5.2", "P5.5", "P6.3", "P6.4", "P6.6", "P8.1", "P3.4")
@pytest.mark.parametrize("chunk", range(4))
def test_random_games_keep_to_the_rules(chunk):
    total = {}
    for seed in range(chunk * 12, chunk * 12 + 12):
        for name, number in Watched(seed, columns=8, rows=6, turns=3).play().items():
            total[name] = total.get(name, 0) + number
    assert all(total.values()), f"something was never tried: {total}"
    assert total["steps"] > 100
    assert total["windows"] > 20


@pytest.mark.rule("P4.2", "P5.3")
@pytest.mark.parametrize(
    "options", ["minimum_move = true", 'load_lock = "turn"', "setup_units_fresh = true", "dig_in = true"]
)
def test_random_games_with_options(options):
    for seed in range(60, 63):
        game = Game(scenario(seed, columns=8, rows=6, turns=3, options=options), seed=seed)
        random = Random(f"options/{seed}")
        board = game.board
        beyond = 0
        while game.decision is not None:
            orders = game.decision.orders(random.choice(game.decision.actors()))
            game.play(random.choice(orders))
            invariants(game.position)
            pos = game.position
            for unit in units(pos.placed & board.fighters & ~pos.shuttled):
                if pos.spent[unit] > board.allowance[unit]:
                    beyond += 1
                    assert board.minimum_move
        assert not beyond or options.startswith("minimum")
