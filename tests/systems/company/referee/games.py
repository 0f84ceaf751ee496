"""Games under the eyes of the referee: what is offered, what is refused, and what comes of every order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from hexengine.core.errors import InvalidOrder
from hexengine.core.game import Game
from hexengine.core.scenario import Scenario
from tests.systems.company.referee.books import Team
from tests.systems.company.referee.judging import Disagreement, agree
from tests.systems.company.referee.watching import VERBS, Referee

MOST_ORDERS = 400
"""Longer games, of teams that do nothing but turn, are given up."""
LEAST_LIKED = ("end", "done", "face", "dig", "double")
"""Verbs that keep the sides apart."""

Seen = Counter[str]
"""What was looked at: ``orders``, ``offers``, ``refusals``, and events and refusals by rule."""
Player = Callable[[Game], Any]


class Watched:
    """One game with its referee."""

    def __init__(self, scenario: Scenario, text: str, seed: int, seen: Seen) -> None:
        self.random = Random(seed)
        self.game = Game(scenario, seed)
        self.referee = Referee(text, self.game.dice.used)
        self.seen = seen
        self.where = f"{scenario.name}, seed {seed}, order {{}}: "

    def play(
        self,
        player: Player | None = None,
        *,
        offers: float = 0.15,
        questions: int = 2,
        most: int = MOST_ORDERS,
    ) -> None:
        """Play the game, at random or with a player, to its end or for so many orders; raises Disagreement.

        ``offers`` is how often all that the engine offers is compared, ``questions`` how many orders made up
        at random it is asked about each time.
        """
        try:
            self.referee.look(self.game.state())
            while self.game.decision and self.game.entry < most:
                asked = [order for _ in range(questions) if (order := self._ask())]
                if self.random.random() < offers:
                    self._compare_offers()
                if player is not None:
                    order = str(player(self.game))
                else:
                    order = (
                        self.random.choice(asked) if asked and self.random.random() < 0.5 else self._choose()
                    )
                agree(self.referee.allows(order), f"the referee forbids {order}")
                events = self.game.play(order)
                self.seen.update(["orders", *[event.rule for event in events]])
                self.referee.watch(order, self.game.dice.used, events)
                self.referee.look(self.game.state())
        except Disagreement as error:
            raise Disagreement(self.where.format(self.game.entry) + str(error)) from error

    def _choose(self) -> str:
        """An order at random, rather of those that bring the sides together."""
        assert self.game.decision is not None
        order = ""
        for _ in range(5):
            order = str(self.game.decision.sample(self.random.randrange))
            if order.split()[0] not in LEAST_LIKED or self.random.random() < 0.15:
                break
        return order

    def _compare_offers(self) -> None:
        """The engine offers what the referee allows; of shots he counts those of single teams up."""
        offered = {str(order) for order in self.game.orders()}
        together = {order for order in offered if order.startswith("shoot") and "," in order}
        mine = set(self.referee.orders())
        alone = offered - together
        self.seen["offers"] += len(offered)
        agree(mine == alone, f"offered alone {sorted(alone - mine)}, allowed alone {sorted(mine - alone)}")
        for order in together:
            agree(self.referee.allows(order), f"the referee forbids {order}")

    def _ask(self) -> str | None:
        """Ask about an order that is perhaps not offered; the order if it is legal."""
        text = Questions(self.referee, self.random).text()
        try:
            refusal = self.game.why_not(text)
        except InvalidOrder:
            return None
        allowed = self.referee.allows(text)
        told = "" if refusal is None else f"{refusal.rule} {refusal.code} {dict(refusal.facts)}"
        agree(
            allowed == (refusal is None), f"{text}: the referee says {allowed}, the engine {told or 'legal'}"
        )
        if refusal is None:
            return text
        self.seen.update(["refusals", f"not {refusal.rule}"])
        agree(self.referee.agrees(text, refusal.rule, refusal.facts), f"{text} is not refused by {told}")
        return None


class Questions:
    """Orders made up at random, most of them for the side and the step of now."""

    def __init__(self, referee: Referee, random: Random) -> None:
        self.referee = referee
        self.random = random
        assert referee.asked is not None
        self.side, self.kind = referee.asked

    def text(self) -> str:
        """One order."""
        random = self.random
        verbs = VERBS[self.kind] if random.random() < 0.93 else set().union(*VERBS.values())
        verb = random.choice(sorted(verbs))
        if verb in ("end", "done"):
            return verb
        if verb in ("dig", "counter", "break-off", "strike"):
            return f"{verb} {self._platoon(mine=verb != 'strike')}"
        if verb in ("take", "occupy"):
            return f"{verb} {self._team().id}"
        if verb == "shoot":
            return self._shot()
        if verb == "bombard":
            place = self._near(random.choice(self.referee.teams), 1)
            return f"bombard {self._platoon(mine=True)} {place}{random.choice(('', '', ' smoke'))}"
        team = self._team()
        if verb == "climb":
            return f"climb {team.id} {self._near(team, 3)}/{random.randint(0, 2)}"
        if verb in ("move", "double") and team.hex >= 0 and random.random() < 0.5:
            return f"{verb} {team.id} {self._way(team)}"
        return f"{verb} {team.id} {self._near(team, 8 if verb == 'double' else 4)}"

    def _team(self) -> Team:
        teams = [team for team in self.referee.teams if team.side == self.side or self.random.random() < 0.05]
        return self.random.choice(teams or self.referee.teams)

    def _platoon(self, *, mine: bool) -> str:
        platoons = [one for one in self.referee.platoons if (one.side == self.side) == mine]
        likely = platoons and self.random.random() < 0.95
        return self.random.choice(platoons if likely else self.referee.platoons).id

    def _near(self, team: Team, distance: int) -> str:
        sheet = self.referee.sheet
        if team.hex < 0:
            return self.random.choice(sheet.labels)
        return sheet.labels[
            self.random.choice(list(sheet.within(team.hex, self.random.randint(1, distance))))
        ]

    def _way(self, team: Team) -> str:
        sheet, way = self.referee.sheet, [team.hex]
        for _ in range(self.random.randint(2, 6)):
            way.append(self.random.choice(sheet.beside[way[-1]] or way))
        return "-".join(sheet.labels[h] for h in way[1:])

    def _shot(self) -> str:
        random, first = self.random, self._team()
        others = [random.choice(first.platoon.teams) for _ in range(random.choice((0, 0, 1, 2)))]
        names = sorted({team.id for team in [first, *others]})
        more = "".join(word for word in (" mg", " doubled") if random.random() < 0.2)
        return f"shoot {','.join(names)} {self._platoon(mine=False)}{more}"
