"""``balance``: how even a scenario is, where it is decided, and what it costs."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from hexengine.app import options
from hexengine.app.exits import DONE, FAILED
from hexengine.app.goals import goal_cells
from hexengine.app.words import said

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.lab.balance import Balance
    from hexengine.lab.decisive import Decisive, HexRow, TurnRow
    from hexengine.lab.gains import Arrival, Gain, Yield

PICTURES = (".svg", ".html", ".htm")
MOST_HEXES = 12
"""Rows of the table of hexes; --json and the picture have all."""

BAR = 40
"""Cells of the longest bar."""

_RANGE = re.compile(r"\s*([0-9.]+)\s*(%?)\s*\.\.\s*([0-9.]+)\s*(%?)\s*")


class Wanted(NamedTuple):
    """The shares within which the first side's must lie."""

    low: float
    high: float


def _wanted(_: click.Context, __: click.Parameter, value: str | None) -> Wanted | None:
    """``0.4..0.6`` or ``40%..60%``."""
    if value is None:
        return None
    found = _RANGE.fullmatch(value)
    try:
        assert found is not None
        low = float(found[1]) / (100 if found[2] else 1)
        high = float(found[3]) / (100 if found[4] else 1)
        assert 0 <= low < high <= 1
    except (AssertionError, ValueError):
        message = "{value!r} is no range of shares: LOW..HIGH within 0 to 1, as 0.4..0.6 or 40%..60%"
        raise click.BadParameter(said(message, value=value[:40])) from None
    return Wanted(low, high)


def _picture(_: click.Context, __: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and value.suffix.lower() not in PICTURES:
        raise click.BadParameter(said("a picture is FILE.svg or FILE.html, not {name}", name=value.name))
    if value is not None and not value.absolute().parent.is_dir():
        raise click.BadParameter(said("there is no folder {folder}", folder=value.absolute().parent))
    return value


@click.command()
@click.argument("scenario")
@click.option(
    "--players",
    nargs=2,
    default=("officer", "officer"),
    metavar="A B",
    help="Who plays; by default officer against itself.",
)
@click.option(
    "--target",
    type=float,
    default=0.5,
    metavar="SHARE",
    help="What the share is compared with; by default 0.5.",
)
@click.option(
    "--margin",
    type=float,
    default=0.05,
    metavar="M",
    help="How well it is to be known: SHARE ± M at 95 %; by default 0.05.",
)
@click.option(
    "--games-limit",
    "limit",
    type=click.IntRange(2),
    default=2000,
    metavar="N",
    help="Games at most; by default 2000.",
)
@click.option("--seed", type=int, metavar="N", help="The seed of all games; by default a fresh one.")
@click.option("--workers", type=click.IntRange(1), metavar="W", help="Processes that play; by default 1.")
@options.cluster
@click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.db",
    help="Keep the games, and go on with those it has.",
)
@click.option(
    "--assert",
    "wanted",
    callback=_wanted,
    metavar="LOW..HIGH",
    help="End with 1 unless the first side's share lies within.",
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_picture,
    metavar="FILE",
    help="Draw it, as FILE.svg or FILE.html.",
)
@options.budget
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def balance(
    scenario: str,
    players: tuple[str, str],
    target: float,
    margin: float,
    limit: int,
    seed: int | None,
    workers: int | None,
    cluster: str | None,
    db: Path | None,
    wanted: Wanted | None,
    picture: Path | None,
    budget: float | None,
    as_json: bool,
) -> int:
    """Measure how even a SCENARIO is.

    Games are played until the first side's share of the wins, draws as halves, is known to the margin.
    Different players play each seed twice, sides swapped.  With --assert it is a test for use in CI.
    """
    from hexengine.app.sources import scenario as load
    from hexengine.app.terminal import load_theme, print_json
    from hexengine.lab.balance import balance as measure
    from hexengine.lab.decisive import decisive
    from hexengine.lab.findings import balance_document
    from hexengine.lab.gains import yielded
    from hexengine.lab.progress import ProgressLines

    progress = ProgressLines(sys.stderr)
    try:
        with options.crew(workers, cluster) as crew:
            found = measure(
                load(scenario),
                players,
                target=target,
                margin=margin,
                seed=seed,
                limit=limit,
                db=db,
                progress=progress,
                budget=budget,
                **crew,
            )
    finally:
        progress.end()
    facts = decisive(found.scenario, found.results)
    gained = yielded(found.scenario, found.results)
    if picture is not None:
        from hexengine.app.balance_picture import write

        write(picture, found, facts, load_theme())
    holds = wanted is None or wanted.low <= found.share.share <= wanted.high
    if as_json:
        document = balance_document(found, facts, gained)
        if wanted is not None:
            document["assert"] = {"low": wanted.low, "high": wanted.high, "holds": holds}
        print_json(document)
    else:
        _tell(found, facts, gained, picture)
    if wanted is not None:
        click.echo(_judged(found, wanted, holds), err=not holds or as_json)
    return DONE if holds else FAILED


def _judged(found: Balance, wanted: Wanted, holds: bool) -> str:
    """What became of ``--assert``, in one line."""
    share = found.share
    facts = {
        "name": found.scenario.name,
        "side": found.scenario.sides[0],
        "share": share.share,
        "low": wanted.low,
        "high": wanted.high,
        "games": found.games,
    }
    if not holds:
        message = "{name}: {side} wins {share:.1%} of {games} games, not within {low:.0%} to {high:.0%}"
    elif wanted.low <= share.low and share.high <= wanted.high:
        message = "{name}: {side} wins {share:.1%} of {games} games, within {low:.0%} to {high:.0%}"
    else:
        message = (
            "{name}: {side} wins {share:.1%} of {games} games, within {low:.0%} to {high:.0%}; "
            "but its interval reaches beyond"
        )
    return said(message, **facts)


# -- for people ---------------------------------------------------------------------------------------


def _tell(found: Balance, facts: Decisive, gained: Yield, picture: Path | None) -> None:
    from hexengine.app.terminal import Terminal

    terminal = Terminal()
    _tell_share(terminal, found)
    _tell_ends(terminal, found, gained)
    _tell_gains(terminal, gained)
    _tell_arrivals(terminal, gained)
    _tell_lead(terminal, found, facts)
    _tell_losses(terminal, facts)
    _tell_turns(terminal, facts)
    _tell_hexes(terminal, found, facts)
    if picture is not None:
        terminal.say_whole(said("picture:"), str(picture))


def _tell_share(terminal: Terminal, found: Balance) -> None:
    from hexengine.lab.findings import player_shares

    share, sides = found.share, found.scenario.sides
    against = f" {said('against')} ".join(found.players)
    names = {"title": found.scenario.title, "name": found.scenario.name, "players": against}
    terminal.say(said("{title} ({name}): {players}", **names), "bold")
    facts = {"games": found.games, "seed": found.seed, "seconds": found.seconds}
    terminal.say(said("{games} games, seed {seed}, in {seconds:.1f} s", **facts))
    message = "{side} wins {share:.1%} of them, draws as halves; 95 % interval {low:.1%} to {high:.1%}"
    terminal.say(said(message, side=sides[0], **share._asdict()), "bold")
    message = {
        "even": "even: {target:.0%} lies within the interval",
        "first": "it favours {first}: the interval lies above {target:.0%}",
        "second": "it favours {second}: the interval lies below {target:.0%}",
    }[found.verdict]
    terminal.say(said(message, target=found.target, first=sides[0], second=sides[1]))
    if not found.reached:
        message = "the games ran out before the margin of {margin:.1%} was reached: more with --games-limit"
        terminal.say(said(message, margin=found.margin), "yellow")
    shares = player_shares(found)
    if shares:
        terminal.say(said("share of wins by player:"))
        head = ("", *sides, said("both"))
        rows = [(name, *[f"{one:.1%}" for one in by_side.values()]) for name, by_side in shares.items()]
        terminal.table([head, *rows], frozenset({1, 2}))
    faulty = sum(bool(game.faults) for game in found.results)
    if faulty:
        message = "in {games} games a player failed, and random played on for it"
        terminal.say(said(message, games=faulty), "red")


def _tell_ends(terminal: Terminal, found: Balance, gained: Yield) -> None:
    from hexengine.lab.gains import in_words

    draws = sum(game.winner is None for game in found.results)
    facts = {"draws": draws, "share": draws / found.games, "ends": in_words(gained.ends)}
    terminal.say(said("draws {draws} ({share:.1%}); ends: {ends}", **facts))


def _tell_lead(terminal: Terminal, found: Balance, facts: Decisive) -> None:
    from hexengine.lab.decisive import in_bins, span_of

    lead = facts.lead
    message = "victory margin: {side} leads by {mean:+.1f} on average, standard deviation {deviation:.1f}"
    first = found.scenario.sides[0]
    terminal.say(said(message, side=first, mean=lead.mean, deviation=lead.deviation), "bold")
    bins = in_bins(lead.games, 16)
    most = max(games for _, _, games in bins)
    sign = "█" if terminal.unicode else "#"
    rows = [
        (
            span_of(low, high, " .. "),
            str(games),
            sign * round(games / most * BAR) or ("|" if games else ""),
        )
        for low, high, games in bins
    ]
    terminal.table(rows, frozenset({0, 1}))


def _tell_gains(terminal: Terminal, gained: Yield) -> None:
    if not gained.gains:
        return
    terminal.say(said("what brings the points, in a game on average:"), "bold")
    heads = ("side", "condition", "worth", "points", "in games")
    rows = [_gain_row(row) for row in gained.gains]
    terminal.table([tuple(map(said, heads)), *rows], frozenset({3, 4}))


def _gain_row(row: Gain) -> tuple[str, ...]:
    return (row.side, *goal_cells(row), f"{row.points:.2f}", f"{row.share:.0%}")


def _tell_arrivals(terminal: Terminal, gained: Yield) -> None:
    if not gained.arrivals:
        return
    terminal.say(said("who is not there from the start, and in which turn it came:"), "bold")
    heads = ("side", "unit", "counter", "came", "mean turn", "games by turn")
    rows = [_arrival_row(row) for row in gained.arrivals]
    terminal.table([tuple(map(said, heads)), *rows], frozenset({3, 4}))


def _arrival_row(row: Arrival) -> tuple[str, ...]:
    turns = ", ".join(f"{turn}: {games}" for turn, games in row.turns.items())
    return (row.side, row.unit, row.name, f"{row.share:.0%}", _part(row.turn, ".1f"), turns)


def _tell_losses(terminal: Terminal, facts: Decisive) -> None:
    terminal.say(said("losses in a game, on average:"), "bold")
    heads = ("side", "counter", "units", "eliminated", "", "steps lost", "")
    rows = [
        (
            row.side,
            row.name,
            str(row.fielded),
            f"{row.units:.2f}",
            f"{row.units / row.fielded:.0%}",
            f"{row.steps:.2f}",
            f"{row.steps / max(1, row.all_steps):.0%}",
        )
        for row in facts.losses
    ]
    terminal.table([tuple(said(head) if head else "" for head in heads), *rows], frozenset({2, 3, 4, 5}))


def _tell_turns(terminal: Terminal, facts: Decisive) -> None:
    terminal.say(said("which turns decide, seen from the end of each:"), "bold")
    heads = ("turn", "games", "mean lead", "correlation", "leader wins", "lead changes", "decided")
    terminal.table([tuple(map(said, heads)), *map(_turn_row, facts.turns)], frozenset(range(6)))


def _turn_row(row: TurnRow) -> tuple[str, ...]:
    return (
        str(row.turn),
        str(row.games),
        f"{row.lead:+.1f}",
        _part(row.correlation, "+.2f"),
        _part(row.leader_wins, ".0%"),
        f"{row.changes:.0%}",
        _part(row.decided, ".0%"),
    )


def _part(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _tell_hexes(terminal: Terminal, found: Balance, facts: Decisive) -> None:
    if not facts.hexes:
        message = "no hex stands out: none has a correlation of {threshold:.2f} with the result"
        terminal.say(said(message, threshold=facts.threshold), "bold")
        return
    message = "which hexes decide: share of wins of {side} when it held the hex, less that when {other} did"
    first, second = found.scenario.sides
    terminal.say(said(message, side=first, other=second), "bold")
    heads = ("hex", "turn", "correlation", "swing", "95 % interval", "held by")
    rows = [_hex_row(row) for row in facts.hexes[:MOST_HEXES]]
    terminal.table([tuple(map(said, heads)), *rows], frozenset({1, 2, 3, 4}))
    if len(facts.hexes) > MOST_HEXES:
        message = "and {count} more with a correlation of at least {threshold:.2f}"
        terminal.say(said(message, count=len(facts.hexes) - MOST_HEXES, threshold=facts.threshold), indent=2)


def _hex_row(row: HexRow) -> tuple[str, ...]:
    interval = f"{row.low:+.0%} .. {row.high:+.0%}"
    held = f"{row.held[0]} / {row.held[1]}"
    return (row.hex, str(row.turn), f"{row.correlation:+.2f}", f"{row.swing:+.0%}", interval, held)
