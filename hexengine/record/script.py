"""Scripts: the readable form of a game, a few head lines and then one order a line.

    scenario crossroads
    seed 1985
    players officer random        # in the scenario's order of sides
    reactions pass                # windows that no line answers are passed
    sandbox                       # undo knows no fence

    draw [62mrr 4 3 6 1]          # what chance decided stands in brackets, or is left out
    move t72-1 0304

All head lines may be missing but the first, and that too where the scenario is known already.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from hexengine.core.errors import ChanceError, ContentError, HexEngineError, IllegalOrder, Problem
from hexengine.core.events import Event
from hexengine.core.orders import UNDO, split_chance
from hexengine.record import files
from hexengine.record.formats import HIGHEST_SEED, LOWEST_SEED, Find, RecordError, Replaced, Wanted
from hexengine.record.game import Game
from hexengine.record.log import Log

HEAD = ("scenario", "seed", "players", "reactions", "sandbox")

LARGEST_SCRIPT = 4_000_000
"""Bytes that a script may have.  It is read whole before its first order is judged, and the script of the
longest game takes less than a tenth of that."""

CALLING = "missions"
"""The kind of decision in which support is called."""
WINDOW, PASS = "reaction", "pass"
"""The kind of decision that ``reactions pass`` answers, and the answer."""

CLOSES = {"done": ("group", CALLING), "end": ("group", "operations", CALLING), PASS: (WINDOW,)}
"""Orders that close something, and the kinds of decision in which it is open."""

_COMMENT = re.compile(r"(^|\s)#.*")
_SEED = re.compile(r"[+-]?[0-9]{1,19}")


class Line(NamedTuple):
    """An order of a script and its place; numbers and columns count from 1."""

    number: int
    column: int
    text: str


@dataclass(slots=True)
class Script:
    """A script as read; its orders are judged when they are played.

    ``name`` is what messages call it, ``places`` the lines of its head by word.
    """

    name: str
    folder: Path = field(default_factory=Path)
    scenario: str | None = None
    seed: int | None = None
    players: tuple[str, ...] = ()
    reactions_pass: bool = False
    sandbox: bool = False
    lines: list[Line] = field(default_factory=list)
    places: dict[str, Line] = field(default_factory=dict)


class Played(NamedTuple):
    """An entry that a script made: from which line, the order, its number, and what happened."""

    line: Line | None
    order: str
    entry: int
    events: list[Event]


class ScriptError(HexEngineError):
    """A line of a script that cannot be played: ``problem`` says where and why, ``cause`` is the
    InvalidOrder, IllegalOrder or ChanceError behind it."""

    def __init__(self, problem: Problem, cause: HexEngineError) -> None:
        self.problem = problem
        self.cause = cause
        super().__init__(str(problem))


# -- reading ----------------------------------------------------------------------------------


def parse_script(data: bytes | str, path: str | Path) -> Script:
    """Read a script; raises ContentError with every fault of its head."""
    path = Path(path)
    script = Script(files.label(path), path.parent)
    if len(data) > LARGEST_SCRIPT:
        large = f"the script is too large: more than {LARGEST_SCRIPT:,} bytes"
        raise ContentError([Problem(script.name, 1, 1, large)])
    text = data if isinstance(data, str) else _text(data, script.name)
    problems: list[Problem] = []
    for number, raw in enumerate(text.split("\n"), 1):
        body = _COMMENT.sub("", raw)
        words = body.strip()
        if not words:
            continue
        line = Line(number, len(body) - len(body.lstrip()) + 1, words)
        key = words.split(None, 1)[0]
        if key in HEAD or (not script.lines and _meant(key)):
            fault = _head(script, key, line)
            if fault is not None:
                problems.append(Problem(script.name, number, line.column, *fault))
        else:
            script.lines.append(line)
    if problems:
        raise ContentError(problems)
    return script


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise ContentError([Problem(name, line, column, "this is not text in UTF-8")]) from None


def _meant(key: str) -> str | None:
    """The head word that a first order was perhaps meant to be."""
    near = difflib.get_close_matches(key[:40], HEAD, n=1, cutoff=0.8)
    return near[0] if near else None


def _head(script: Script, key: str, line: Line) -> tuple[str, str | None] | None:
    """Take a head line; or what is wrong with it, and what would be right."""
    if key not in HEAD:
        return f"there is no head line {key!r}", f"did you mean {_meant(key)!r}?"
    if script.lines:
        return f"{key!r} stands behind the first order", "head lines come first"
    if key in script.places:
        return f"{key!r} stands twice", f"it stands in line {script.places[key].number} already"
    script.places[key] = line
    rest = line.text[len(key) :].strip()
    fault: tuple[str, str | None] | None = None
    match key:
        case "scenario":
            script.scenario = rest
            fault = None if rest else ("a name is missing", "scenario NAME, or the path of a file")
        case "seed":
            seed = int(rest) if _SEED.fullmatch(rest) else None
            script.seed = seed
            if seed is None or not LOWEST_SEED <= seed <= HIGHEST_SEED:
                fault = (f"{rest!r} is no seed", "seed N, a whole number of 64 bits")
        case "players":
            script.players = tuple(rest.split())
            fault = None if rest else ("names are missing", "players A B, in the scenario's order of sides")
        case "reactions":
            script.reactions_pass = True
            fault = None if rest == PASS else (f"{rest!r} is no way to react", "reactions pass")
        case _:
            script.sandbox = True
            fault = (f"{rest!r} behind 'sandbox' means nothing", "sandbox") if rest else None
    return fault


# -- playing ----------------------------------------------------------------------------------


def start(script: Script, find: Find) -> Game:
    """The game that a script's head asks for; raises ContentError, and what ``find`` raises."""
    if script.scenario is None:
        text = "the script does not say which scenario it is for"
        first = script.lines[0] if script.lines else Line(1, 1, "")
        advice = "begin with a line: scenario NAME"
        raise ContentError([Problem(script.name, first.number, first.column, text, advice)])
    try:
        scenario = find(Wanted(script.scenario, None, None, None, script.folder))
    except ContentError as error:
        raise _without_scenario(script, error) from None
    try:
        return Game(scenario, script.seed, players=script.players, sandbox=script.sandbox)
    except RecordError as error:
        place = script.places["players"]
        raise ContentError([Problem(script.name, place.number, place.column, str(error))]) from None


def _without_scenario(script: Script, error: ContentError) -> ContentError:
    """The error of a script whose scenario cannot be had: at its line of the script, unless the faults have
    places of their own in the scenario's file."""
    place = script.places.get("scenario")
    if place is None or any(problem.line for problem in error.problems):
        return error
    return ContentError(
        Problem(
            script.name, place.number, place.column, f"{problem.file}: {problem.text}", problem.suggestion
        )
        for problem in error.problems
    )


def run_script(game: Game, script: Script) -> None:
    """Play all lines of a script; raises ScriptError at the first that cannot be played."""
    for _ in play_script(game, script):
        pass


def play_script(game: Game, script: Script) -> Iterator[Played]:
    """Play a script line by line; yields every entry that it makes.

    A line ``done``, ``end`` or ``pass`` that finds nothing open is skipped.  With ``reactions
    pass`` in the head, windows that the next line does not answer are passed, at the end too.
    Raises ScriptError at the first line that cannot be played; the game stays as it was there.
    """
    for line in script.lines:
        try:
            text, chance = split_chance(line.text)
            order = game.parse(text)
            while script.reactions_pass and _window(game) and (order is UNDO or game.why_not(order)):
                yield Played(None, PASS, game.entry + 1, game.play(PASS))
            if _finds_nothing(game, str(order)):
                continue
            entry = game.entry + 1
            events = game.play(order, chance)
        except (HexEngineError, RecursionError) as error:
            raise _refused(game, script, line, error) from None
        yield Played(line, str(order), entry, events)
    while script.reactions_pass and _window(game):
        yield Played(None, PASS, game.entry + 1, game.play(PASS))


def _window(game: Game) -> bool:
    """Whether a reaction is asked for that can be passed."""
    decision = game.decision
    return decision is not None and decision.kind == WINDOW and game.why_not(PASS) is None


def _finds_nothing(game: Game, order: str) -> bool:
    """Whether an order would close what is not open."""
    if order not in CLOSES:
        return False
    decision = game.decision
    if decision is None:
        return True
    return decision.kind != WINDOW and decision.kind not in CLOSES[order] and game.why_not(order) is not None


def _refused(game: Game, script: Script, line: Line, error: Exception) -> ScriptError:
    column, suggestion, decision = line.column, None, game.decision
    if isinstance(error, ChanceError) and "[" in line.text:
        column += line.text.index("[")
    if isinstance(error, IllegalOrder) and decision is not None and decision.kind == WINDOW:
        suggestion = (
            f"{decision.side} may react: answer, {PASS!r} at least, or put 'reactions pass' in the head"
        )
    cause = error if isinstance(error, HexEngineError) else HexEngineError(str(error))
    return ScriptError(Problem(script.name, line.number, column, str(error), suggestion), cause)


# -- writing ----------------------------------------------------------------------------------


def to_script(log: Log, scenario: str | None = None) -> str:
    """A log as a script that plays the same game.

    ``scenario`` is the name or path to put into its head; by default the log's own, which is
    found where the scenario comes with the program, or where its file lies beside the script.
    """
    header = log.header
    lines = [f"scenario {scenario or header.scenario}", f"seed {header.seed}"]
    if isinstance(header.source, str) and scenario is None:
        lines.insert(
            0, "# This scenario is not a shipped one: its file lies beside this one, or give its path."
        )
    if header.players:
        lines.append(f"players {' '.join(header.players.values())}")
    if header.sandbox:
        lines.append("sandbox")
    lines.append("")
    for entry in log.entries:
        if isinstance(entry.replaced, Replaced):
            lines.append(f"# {files.label(str(entry.replaced))}")
        chance = f" [{' '.join(map(str, entry.chance))}]" if entry.chance else ""
        lines.append(entry.order + chance)
    return "\n".join(lines) + "\n"
