"""Around the map: the header line, and on wide terminals the panel with units, log, objectives and legend."""

from __future__ import annotations

from collections.abc import Iterator

from hexengine.view.canvas import BOLD, DEFAULT, Canvas, Run
from hexengine.view.colour import lighter
from hexengine.view.counters import ascii_name, mark_of, steps_text
from hexengine.view.legend import entries_of, flow
from hexengine.view.scene import Header, Scene, UnitRow
from hexengine.view.text import fit, pad, width_of, wrap
from hexengine.view.theme import Theme
from hexengine.view.words import word, words

PANEL_WIDTH = 43
PANEL_WIDEST = 60
_STRENGTH = (2, 5)
"""The least and the most columns of a unit's strength."""
_LOG_ROWS = 9
_NOTICE = 0xFFE14D


def header_row(header: Header, theme: Theme, width: int, unicode: bool) -> Canvas:
    """Turn, phase, active formation and what is left in the cup, in one row of ``width`` cells."""
    canvas = Canvas(width, 1)
    board = theme.board
    turn = word("Turn {turn}/{turns}").format(turn=header.turn, turns=header.turns)
    column = canvas.put(0, 0, f" {turn} ", 0x22201A | BOLD, board.header)
    if header.phase:
        phase = fit(ascii_name(header.phase, unicode), 24)
        column = canvas.put(0, column, f" {phase} ", 0xFFFFFF | BOLD, board.phase)
    if header.active:
        active = fit(ascii_name(header.active, unicode), 28, "…" if unicode else "")
        if header.active_side is None:
            column = canvas.put(0, column, f" {active} ", board.ink | BOLD)
        else:
            seat = theme.seat(header.active_side)
            text = f"{seat.brackets[0]}{active}{seat.brackets[1]}"
            column = canvas.put(0, column, text, seat.ink | BOLD, seat.paper)
    if header.cup:
        _cup(canvas, column + 2, header.cup, theme, unicode)
    return canvas


def _cup(
    canvas: Canvas, column: int, cup: tuple[tuple[int | None, int], ...], theme: Theme, unicode: bool
) -> None:
    """Markers as dots in their side's brackets, or as numbers where dots would not fit or cannot be shown."""
    left = sum(count for _, count in cup)
    rest = words("({count} left)", "({count} left)", left).format(count=left)
    most = [True, False] if unicode and left <= 14 else [False]
    for dots, tail in [(dots, tail) for dots in most for tail in (rest, "")]:
        runs = [*_markers(cup, theme, dots=dots), (tail, theme.board.faint)]
        if column + width_of(" ".join([word("cup"), *(text for text, _ in runs if text)])) <= canvas.width:
            break
    column = canvas.put(0, column, word("cup") + " ", theme.board.faint)
    for text, ink in runs:
        column = canvas.put(0, column, text, ink) + 1


def _markers(
    cup: tuple[tuple[int | None, int], ...], theme: Theme, *, dots: bool
) -> Iterator[tuple[str, int]]:
    """What is in the cup, each with its ink."""
    for side, count in cup:
        if count < 1:
            continue
        if side is None:
            yield ("○" * count if dots else f"{count}") + " " + word("end of turn"), theme.board.ink
        else:
            seat = theme.seat(side)
            body = "●" * count if dots else str(count)
            yield f"{seat.brackets[0]}{body}{seat.brackets[1]}", lighter(seat.paper, 0.35) | BOLD


class Panel:
    """Boxes below one another, ``width`` cells wide."""

    def __init__(self, scene: Scene, theme: Theme, width: int, unicode: bool, outlined: bool) -> None:
        self.scene = scene
        self.theme = theme
        self.width = width
        self.inner = width - 4
        self.unicode = unicode
        self.outlined = outlined

    def canvas(self, height: int | None) -> Canvas:
        """The panel; with a height, the units are cut short so that log and legend have their place."""
        tail = self._log() + self._objectives() + self._legend()
        room = None if height is None else max(4, height - len(tail))
        rows = self._units(room) + tail
        canvas = Canvas(self.width, len(rows) if height is None else height)
        for index, row in enumerate(rows):
            canvas.put_runs(index, 0, row)
        return canvas

    def _box(self, title: str, body: list[list[Run]]) -> list[list[Run]]:
        """A titled frame around rows, with one cell of air at both sides; nothing around nothing."""
        if not body:
            return []
        rule = self.theme.board.rule
        corners = "┌┐└┘─│" if self.unicode else "++++-|"
        line, upright = corners[4], corners[5]
        head = f" {title} "
        spare = self.width - 2 - width_of(head)
        rows: list[list[Run]] = [
            [
                (corners[0] + line * (spare // 2), rule, DEFAULT),
                (head, self.theme.board.faint, DEFAULT),
                (line * (spare - spare // 2) + corners[1], rule, DEFAULT),
            ]
        ]
        for row in body:
            fill = " " * max(0, self.inner - sum(width_of(text) for text, _, _ in row))
            rows.append([(f"{upright} ", rule, DEFAULT), *row, (f"{fill} {upright}", rule, DEFAULT)])
        rows.append([(corners[2] + line * (self.width - 2) + corners[3], rule, DEFAULT)])
        return rows

    def _units(self, room: int | None) -> list[list[Run]]:
        units = self.scene.units
        strengths = [width_of(ascii_name(unit.strength, self.unicode)) for unit in units]
        widest = min(max(strengths, default=0), _STRENGTH[1])
        body = [self._unit(unit, max(widest, _STRENGTH[0])) for unit in units]
        if room is not None and len(body) + 2 > room:
            shown = max(1, room - 3)
            hidden = len(body) - shown
            more = words("{count} more", "{count} more", hidden).format(count=hidden)
            body = [*body[:shown], [(f"    {more}", self.theme.board.faint, DEFAULT)]]
        return self._box(word("units"), body)

    def _unit(self, unit: UnitRow, room: int) -> list[Run]:
        seat, board, unicode = self.theme.seat(unit.side), self.theme.board, self.unicode
        more = "…" if unicode else ""
        badge = f"{seat.brackets[0]}{mark_of(unit, unicode)}{seat.brackets[1]}"
        name = pad(ascii_name(unit.name, unicode), 9 + (self.inner - 38) // 3, "<", more)
        place = pad(ascii_name(unit.place, unicode), 4 if self.scene.land.grid.digits < 3 else 6)
        strength = pad(ascii_name(unit.strength, unicode), room, ">")
        steps = pad(steps_text(unit.steps, unit.reduced, unicode), 2)
        known = f" {name} {place} {strength} {steps} "
        state = fit(ascii_name(unit.state, unicode), self.inner - 3 - width_of(known), more)
        return [(badge, seat.ink | BOLD, seat.paper), (known, board.ink, DEFAULT), (state, _NOTICE, DEFAULT)]

    def _log(self) -> list[list[Run]]:
        rows: list[list[Run]] = []
        for line in self.scene.log[-_LOG_ROWS:]:
            for number, part in enumerate(wrap(ascii_name(line, self.unicode), self.inner - 2)):
                rows.append([(f"  {part}" if number else part, self.theme.board.ink, DEFAULT)])
        return self._box(word("log"), rows[-_LOG_ROWS:])

    def _objectives(self) -> list[list[Run]]:
        rows: list[list[Run]] = []
        land, board, unicode = self.scene.land, self.theme.board, self.unicode
        for h, holder in sorted(self.scene.objectives.items()):
            if not 0 <= h < land.grid.size:
                continue
            if holder is None:
                flag, who = (" ◊ " if unicode else "|*|", 0x1A1A1A | BOLD, board.neutral), "-"
            else:
                seat = self.theme.seat(holder)
                sign = seat.flag if unicode else "*"
                flag = (f"{seat.brackets[0]}{sign}{seat.brackets[1]}", seat.ink | BOLD, seat.paper)
                who = self.scene.sides[holder] if holder < len(self.scene.sides) else str(holder + 1)
            label = land.grid.label(h)
            name = pad(ascii_name(land.cells[h].name or "", unicode), self.inner - 17 - len(label))
            rows.append([flag, (f" {label} {name} {fit(ascii_name(who, unicode), 12)}", board.ink, DEFAULT)])
        return self._box(word("objectives"), rows)

    def _legend(self) -> list[list[Run]]:
        entries = entries_of(self.scene, self.theme, self.unicode, self.outlined)
        rows = flow(entries, self.inner, self.theme.board.ink)
        for note in self.scene.notes:
            for part in wrap(ascii_name(note, self.unicode), self.inner):
                rows.append([(part, self.theme.board.faint, DEFAULT)])
        return self._box(word("legend"), rows)
