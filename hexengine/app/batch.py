"""``batch`` and ``report``: many games overnight, and what they have shown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexengine.app import options
from hexengine.app.exits import DONE, FAILED
from hexengine.app.words import said

if TYPE_CHECKING:
    from hexengine.lab import BatchResult, Report


@click.command()
@click.argument("scenario")
@click.option("--players", nargs=2, required=True, metavar="A B", help="Who plays, in the order of sides.")
@click.option("--games", type=click.IntRange(1), required=True, metavar="N", help="How many games.")
@click.option("--seed", type=int, metavar="N", help="The seed of all of them; by default a fresh one.")
@click.option("--workers", type=click.IntRange(1), metavar="W", help="Processes that play; by default 1.")
@options.cluster
@click.option("--swap", is_flag=True, help="Play each seed twice, sides swapped; N counts games.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.db", help="Keep results."
)
@click.option("--resume", is_flag=True, help="Play only what FILE.db lacks.")
@click.option(
    "--logs", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Keep all logs."
)
@options.budget
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def batch(
    scenario: str,
    players: tuple[str, str],
    games: int,
    seed: int | None,
    workers: int | None,
    cluster: str | None,
    swap: bool,
    out: Path | None,
    resume: bool,
    logs: Path | None,
    budget: float | None,
    as_json: bool,
) -> int:
    """Play many games of a SCENARIO.

    The same seed gives the same games with any number of workers.  Every result is stored as it arrives;
    after a kill --resume plays only what is missing.
    """
    from hexengine import lab
    from hexengine.app.sources import scenario as load
    from hexengine.app.terminal import print_json

    if resume and out is None:
        raise click.UsageError(said("--resume goes on with the results of --out FILE.db"))
    if swap and players[0] == players[1]:
        click.echo(
            said("{player} against itself plays the same game twice with --swap", player=players[0]), err=True
        )
    progress = lab.ProgressLines(sys.stderr)
    code = DONE
    try:
        with options.crew(workers, cluster) as crew:
            result = lab.batch(
                load(scenario),
                players,
                games,
                seed,
                swap=swap,
                out=out,
                resume=resume,
                logs=logs,
                progress=progress,
                budget=budget,
                **crew,
            )
    except lab.GamesFailed as error:
        progress.end()
        click.echo(str(error), err=True)
        result, code = error.result, FAILED
    finally:
        progress.end()
    if as_json:
        print_json(result.as_json())
    else:
        _tell_batch(result, out)
    return code


def _tell_batch(result: BatchResult, out: Path | None) -> None:
    from hexengine.app.terminal import Terminal

    terminal = Terminal()
    games = result.games
    terminal.say(
        said(
            "{name}: {games} games in {seconds:.1f} s, seed {seed}",
            name=result.scenario,
            games=games,
            seconds=result.seconds,
            seed=result.seed,
        ),
        "bold",
    )
    for heading, wins in (
        (said("wins by side:"), result.wins),
        (said("wins by player:"), result.wins_by_player),
    ):
        terminal.say(heading)
        terminal.table(
            [(name, str(number), f"{number / games:.1%}" if games else "-") for name, number in wins.items()],
            frozenset({1}),
        )
    terminal.say(
        said(
            "draws {draws}, orders {orders}, turns {turns:.1f} on average",
            draws=result.draws,
            orders=result.orders,
            turns=result.turns,
        )
    )
    if result.faulty:
        message = "in {games} games a player failed, and random played on for it; the first: {fault}"
        fault = result.faulty[0].faults[0]
        text = f"{fault.player}, {fault.side}, seed {result.faulty[0].seed}: {fault.text}"
        terminal.say(said(message, games=len(result.faulty), fault=text), "red")
    if out is not None:
        terminal.say_whole(said("results:"), str(out))


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.db")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def report(file: Path, as_json: bool) -> None:
    """What a batch has shown: win shares with 95 % intervals, lengths and losses."""
    from hexengine import lab
    from hexengine.app.terminal import print_json

    found = lab.report(file)
    if as_json:
        print_json(found.as_json())
    else:
        _tell_report(found)


def _tell_report(found: Report) -> None:
    from hexengine.app.terminal import Terminal
    from hexengine.lab.gains import in_words

    terminal = Terminal()
    message = "{name}: {games} games, seed {seed}"
    if found.planned != found.games:
        message = "{name}: {games} of {planned} games, seed {seed}"
    facts = {"name": found.scenario, "games": found.games, "planned": found.planned, "seed": found.seed}
    terminal.say(said(message, **facts), "bold")
    if found.mean_turns is not None:
        terminal.say(
            said(
                "turns: {mean:.1f} on average, {least} to {most}",
                mean=found.mean_turns,
                least=found.shortest,
                most=found.longest,
            )
        )
    terminal.say(said("draws {draws}; ends: {ends}", draws=found.draws, ends=in_words(found.reasons)))
    if found.faulty:
        message = "in {games} games a player failed, and random played on for it"
        terminal.say(said(message, games=found.faulty), "red")
    heads = ("games", "wins", "share", "95 % interval", "steps lost", "units lost a game")
    head = [said(one) for one in heads]
    rows = [
        (said("by side"), *head),
        *found.side_rows(),
        (said("by player"), *head),
        *found.player_rows(),
    ]
    terminal.table(rows, frozenset({1, 2, 3, 4, 5}))
