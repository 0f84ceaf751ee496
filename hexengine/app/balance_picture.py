"""The picture of a balance: how even a scenario is, at a glance."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import NamedTuple

from hexengine.app.pictures import write_picture
from hexengine.app.words import said
from hexengine.core.outlook import Outlook
from hexengine.core.system import get_system
from hexengine.lab.balance import Balance
from hexengine.lab.decisive import Decisive, Lost, in_bins, span_of
from hexengine.view.charts import FAINT, INK, LINE, Chart, HexPlan, colour, mix
from hexengine.view.theme import Theme

WIDTH, EDGE, GAP = 1120.0, 36.0, 40.0
HALF = (WIDTH - 2 * EDGE - GAP) / 2
RIGHT = EDGE + HALF + GAP
HEAT, COLD = 0x4C1D95, 0xF3EDFD
GROUND, CHANGES, GOAL = "#f1efe8", "#c9ced6", "#e8930c"


class Curve(NamedTuple):
    """A line of the picture of turns: a field of their rows, what it is called, and how it is drawn."""

    field: str
    words: str
    stroke: str
    dash: str = ""


CURVES = (
    Curve("decided", "decided: the winner leads from here on", "#0f766e"),
    Curve("leader_wins", "who leads here wins", "#c2710c"),
    Curve("correlation", "correlation of lead and result", INK, "5 4"),
)

FORMS = {".svg": "svg", ".html": "html", ".htm": "html"}
"""What a picture's file may end with."""


class BalancePicture:
    """Draws one balance."""

    def __init__(self, found: Balance, decisive: Decisive, theme: Theme) -> None:
        self.found = found
        self.decisive = decisive
        self.scenario = found.scenario
        self.seats = [colour(seat.paper) for seat in theme.seats[:2]]
        self.papers = [seat.paper for seat in theme.seats[:2]]
        self.theme = theme
        self.chart = Chart(WIDTH)
        start = _start(found)
        self.ground = start.ground
        self.goals = set(start.objectives)
        self.names = self.ground.sides or found.scenario.sides

    def svg(self) -> str:
        """The picture."""
        self._head()
        below = max(self._leads(EDGE, 250), self._turns(RIGHT, 250))
        end = max(self._map(EDGE, below + 46), self._losses(RIGHT, below + 46))
        return self.chart.svg(end + EDGE, f"{self.scenario.title}: {said('balance')}")

    # -- the head -----------------------------------------------------------------------------

    def _head(self) -> None:
        chart, found, share = self.chart, self.found, self.found.share
        chart.text(EDGE, 52, self.scenario.title, size=28, bold=True)
        against = f" {said('against')} ".join(found.players)
        facts = said("{games} games, seed {seed}", games=found.games, seed=found.seed)
        chart.text(EDGE, 78, f"{self.scenario.name} · {against} · {facts}", size=14, fill=FAINT)
        chart.text(WIDTH - EDGE, 52, verdict(found), size=18, bold=True, anchor="end")
        left, right, top, height = EDGE, WIDTH - EDGE, 128.0, 46.0
        span = right - left
        split = left + span * share.share
        chart.rect(left, top, split - left, height, self.seats[0], corner=4)
        chart.rect(split, top, right - split, height, self.seats[1], corner=4)
        for x, anchor, side, part in (
            (left, "start", 0, share.share),
            (right, "end", 1, 1 - share.share),
        ):
            name, fill = self.names[side], self.seats[side]
            chart.text(x, top - 10, name, size=15, bold=True, fill=fill, anchor=anchor)
            inside = x + 14 if anchor == "start" else x - 14
            if part > 0.12:
                chart.text(inside, top + 31, f"{part:.1%}", size=22, bold=True, fill="#ffffff", anchor=anchor)
        low, high = left + span * share.low, left + span * share.high
        y = top + height + 14
        chart.line([(low, y), (high, y)], INK, 2)
        for x in (low, high):
            chart.line([(x, y - 6), (x, y + 6)], INK, 2)
        chart.dot(split, y, 4, INK)
        target = left + span * found.target
        chart.line([(target, top - 6), (target, y + 12)], INK, 1.5, dash="4 3")
        said_of = said("95 % interval {low:.1%} to {high:.1%}; draws count as halves", **share._asdict())
        middle = min(max((low + high) / 2, left + 160), right - 160)
        chart.text(middle, y + 26, said_of, size=13, fill=FAINT, anchor="middle")

    def _title(self, x: float, y: float, title: str, note: str) -> float:
        self.chart.text(x, y, title, size=17, bold=True)
        self.chart.text(x, y + 19, note, size=12, fill=FAINT)
        return y + 34

    # -- margins of victory -------------------------------------------------------------------

    def _leads(self, x: float, y: float) -> float:
        chart, lead = self.chart, self.decisive.lead
        note = said("games by the lead in points at the end; {side} on the right", side=self.names[0])
        top = self._title(x, y, said("Victory margin"), note)
        height, base = 220.0, top + 220.0
        bins = in_bins(lead.games | {-1: lead.games.get(-1, 0), 1: lead.games.get(1, 0)}, 31)
        wide = HALF / len(bins)
        tallest = max(games for _, _, games in bins)
        zero = next(number for number, (low, high, _) in enumerate(bins) if low == high == 0)
        every = max(1, len(bins) // 8)
        for number, (low, high, games) in enumerate(bins):
            fill = self.seats[0] if low > 0 else self.seats[1] if high < 0 else FAINT
            tall = games / tallest * (height - 18)
            left = x + number * wide
            span = span_of(low, high, " … ")
            tip = said("lead {span}: {games} games", span=span, games=games)
            chart.rect(left + wide * 0.08, base - tall, wide * 0.84, tall, fill, tip=tip, corner=2)
            if (number - zero) % every == 0:
                near = min(low, high, key=abs)
                text = span_of(near, near, "")
                chart.text(left + wide / 2, base + 16, text, size=11, fill=FAINT, anchor="middle")
        chart.line([(x, base), (x + HALF, base)], FAINT)
        inside = next(number for number, (_, high, _) in enumerate(bins) if lead.mean < high + 1)
        mean = x + (inside + 0.5) * wide
        chart.line([(mean, top + 4), (mean, base)], INK, 1.5, dash="4 3")
        facts = {"mean": lead.mean, "deviation": lead.deviation}
        text = said("mean {mean:+.1f}, standard deviation {deviation:.1f}", **facts)
        left_half = mean < x + HALF / 2
        anchor = "start" if left_half else "end"
        chart.text(mean + (6 if left_half else -6), top + 10, text, size=12, anchor=anchor)
        return base + 24

    # -- turns --------------------------------------------------------------------------------

    def _turns(self, x: float, y: float) -> float:
        chart, rows = self.chart, self.decisive.turns
        top = self._title(x, y, said("Which turns decide"), said("at the end of each turn, over all games"))
        left, height = x + 40, 220.0
        base, span = top + height, HALF - 40
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            at = base - share * height
            chart.line([(left, at), (left + span, at)], LINE)
            chart.text(left - 8, at + 4, f"{share:.0%}", size=11, fill=FAINT, anchor="end")
        step = span / max(1, len(rows))
        places = {row.turn: left + step * (number + 0.5) for number, row in enumerate(rows)}
        message = "turn {turn}: the lead changes in {share:.1%} of games"
        for row in rows:
            place, tall = places[row.turn], row.changes * height
            chart.text(place, base + 16, str(row.turn), size=11, fill=FAINT, anchor="middle")
            tip = said(message, turn=row.turn, share=row.changes)
            chart.rect(place - step * 0.3, base - tall, step * 0.6, tall, CHANGES, tip=tip, corner=2)
        key = base + 38
        for curve in CURVES:
            points = []
            for row in rows:
                value: float | None = getattr(row, curve.field)
                if value is not None:
                    points.append((places[row.turn], base - max(0.0, value) * height))
                    tip = f"{said(curve.words)}; {said('turn')} {row.turn}: {value:.2f}"
                    chart.dot(*points[-1], 4, curve.stroke, tip=tip)
            chart.line(points, curve.stroke, 2.5, dash=curve.dash)
            key = self._key(x + 40, key, curve.stroke, said(curve.words))
        return self._key(x + 40, key, CHANGES, said("games in which the lead changes")) - 12

    def _key(self, x: float, y: float, fill: str, text: str) -> float:
        self.chart.rect(x, y - 9, 14, 10, fill, corner=2)
        self.chart.text(x + 22, y, text, size=12)
        return y + 18

    # -- hexes --------------------------------------------------------------------------------

    def _map(self, x: float, y: float) -> float:
        chart = self.chart
        note = said("correlation of who holds a hex with the result, at its strongest turn")
        top = self._title(x, y, said("Which hexes decide"), note)
        plan = HexPlan(self.ground.map.grid, x, top, HALF, 420)
        self._hexes(plan)
        end = top + plan.height + 14
        for number in range(60):
            chart.rect(x + number * 3, end, 3.2, 10, _heat(number / 59))
        chart.text(x, end + 24, "0", size=11, fill=FAINT)
        chart.text(x + 180, end + 24, "1", size=11, fill=FAINT, anchor="end")
        key = said("outlined: objectives; grey: seldom or never changed hands")
        chart.text(x + 200, end + 10, key, size=12, fill=FAINT)
        return end + 30

    def _hexes(self, plan: HexPlan) -> None:
        chart, strengths = self.chart, self.decisive.map
        clear = {row.hex: row for row in self.decisive.hexes}
        named = {row.hex for row in self.decisive.hexes[:8]}
        for h, label in enumerate(plan.grid.labels):
            strength, tip, fill = strengths.get(label), label, GROUND
            if strength is not None:
                fill, tip = _heat(abs(strength)), f"{label}: {strength:+.2f}"
            if label in clear:
                row = clear[label]
                tip = said("{tip}, turn {turn}, swing {swing:+.0%}", tip=tip, turn=row.turn, swing=row.swing)
            chart.polygon(plan.corners(h), fill, "#c4bfb2", 0.8, tip=tip)
        for h in sorted(self.goals):
            chart.polygon(plan.corners(h, 1.5), "none", GOAL, 2.5)
        size = max(7.0, min(12.0, plan.radius * 0.55))
        for h, label in enumerate(plan.grid.labels):
            if label in named or h in self.goals:
                x, y = plan.centre(h)
                ink = "#ffffff" if abs(strengths.get(label, 0.0)) > 0.45 else INK
                chart.text(x, y + size * 0.35, label, size=size, anchor="middle", fill=ink)

    # -- losses -------------------------------------------------------------------------------

    def _losses(self, x: float, y: float) -> float:
        note = said("of the units of each kind: eliminated (dark), steps lost (light), on average")
        top = self._title(x, y, said("Losses"), note)
        for side, name in enumerate(self.scenario.sides):
            self.chart.text(x, top + 14, self.names[side], size=14, bold=True, fill=self.seats[side])
            top += 26
            for row in sorted(
                (row for row in self.decisive.losses if row.side == name),
                key=lambda row: -row.units / row.fielded,
            ):
                top = self._loss(x, top, row, side)
            top += 12
        return top

    def _loss(self, x: float, y: float, row: Lost, side: int) -> float:
        chart, start, span = self.chart, x + 150, HALF - 150 - 96
        steps, units = row.steps / max(1, row.all_steps), row.units / row.fielded
        chart.text(start - 10, y + 12, f"{row.fielded} × {row.name}", size=12, anchor="end")
        chart.rect(start, y + 2, span, 12, "#eef0f3", corner=2)
        tip = said("{steps:.2f} steps and {units:.2f} units a game", steps=row.steps, units=row.units)
        chart.rect(start, y + 2, span * steps, 12, mix(0xFFFFFF, self.papers[side], 0.4), tip=tip, corner=2)
        chart.rect(start, y + 2, span * units, 12, self.seats[side], tip=tip, corner=2)
        chart.text(start + span + 8, y + 12, f"{units:.0%} / {steps:.0%}", size=12, fill=FAINT)
        return y + 20


def _heat(strength: float) -> str:
    return mix(COLD, HEAT, strength**0.8)


def _start(found: Balance) -> Outlook:
    """The scenario's first position."""
    system = get_system(found.scenario.system)
    return system.view(system.start(found.scenario.board))


def verdict(found: Balance) -> str:
    """What the interval says of the target, in words."""
    first, second = found.scenario.sides
    if found.verdict == "even":
        return said("even: {target:.0%} lies within the interval", target=found.target)
    side = first if found.verdict == "first" else second
    return said("favours {side}", side=side)


def write(path: Path, found: Balance, decisive: Decisive, theme: Theme) -> None:
    """Write the picture: an SVG, or an HTML page around it; neither needs any other file."""
    svg = BalancePicture(found, decisive, theme).svg()
    if FORMS[path.suffix.lower()] == "html":
        title = escape(f"{found.scenario.title}: {said('balance')}")
        svg = (
            f'<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
            "<style>body{margin:0;background:#eceef1}svg{display:block;margin:24px auto;max-width:96vw;"
            f"height:auto;box-shadow:0 1px 6px #0003}}</style>\n</head>\n<body>\n{svg}</body>\n</html>\n"
        )
    write_picture(path, svg)
