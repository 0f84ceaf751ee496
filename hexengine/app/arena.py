"""``arena``: how strong players are, and whether one is better than another."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from hexengine.app import options
from hexengine.app.exits import DONE, FAILED
from hexengine.app.words import said

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.core.scenario import Scenario
    from hexengine.lab.arena import Arena, Pairing, Verdict
    from hexengine.lab.ratings import Rating
    from hexengine.lab.sprt import Hypotheses

GAMES, LIMIT = 40, 4000
ELO0, ELO1 = 0.0, 40.0
LARGEST_ELO = 2000.0


def _elo(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    if value is not None and not -LARGEST_ELO <= value <= LARGEST_ELO:
        message = "a lead in Elo points is {least:g} to {most:g}, not {value}"
        raise click.BadParameter(said(message, least=-LARGEST_ELO, most=LARGEST_ELO, value=value))
    return value


@click.command()
@click.argument("players", nargs=-1, metavar="A B ...")
@click.option(
    "--scenarios",
    multiple=True,
    metavar="NAMES",
    help="Where they play, with commas between; by default in all that list shows but the tiny ones.",
)
@click.option(
    "--games",
    type=click.IntRange(2),
    metavar="N",
    help=f"Games of every two players in each scenario, else {GAMES}; with --sprt at most, else {LIMIT}.",
)
@click.option("--sprt", nargs=2, metavar="A B", help="Only find out whether B is better than A.")
@click.option("--elo0", type=float, callback=_elo, metavar="E", help="Not better: B leads by so much, or 0.")
@click.option("--elo1", type=float, callback=_elo, metavar="E", help="Better: B leads by so much, or 40.")
@click.option("--share0", type=float, metavar="S", help="As --elo0, as B's share of wins.")
@click.option("--share1", type=float, metavar="S", help="As --elo1, as B's share of wins.")
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    metavar="P",
    help="Chance to say better where it is not; by default 0.05.",
)
@click.option(
    "--beta",
    type=float,
    default=0.05,
    metavar="P",
    help="Chance to say not better where it is; by default 0.05.",
)
@click.option("--seed", type=int, metavar="N", help="The seed of all games; by default a fresh one.")
@click.option("--workers", type=click.IntRange(1), metavar="W", help="Processes that play; by default 1.")
@options.cluster
@options.budget
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def arena(
    players: tuple[str, ...],
    scenarios: tuple[str, ...],
    games: int | None,
    sprt: tuple[str, str] | None,
    elo0: float | None,
    elo1: float | None,
    share0: float | None,
    share1: float | None,
    alpha: float,
    beta: float,
    seed: int | None,
    workers: int | None,
    cluster: str | None,
    budget: float | None,
    as_json: bool,
) -> int:
    """Let players play each other, and rate them.

    All games are played in pairs with sides swapped.  Ratings are Elo points around the mean, with 95 %
    errors.  With --sprt A B games are played until it is known whether B is better than A, at the chances of
    error that are asked for.
    """
    from hexengine.lab import arena as lab
    from hexengine.lab.progress import ProgressLines
    from hexengine.lab.sequence import Crew

    if sprt and players:
        raise click.UsageError(said("--sprt A B names its two players itself"))
    if not sprt and any(one is not None for one in (elo0, elo1, share0, share1)):
        raise click.UsageError(said("--elo0, --elo1, --share0 and --share1 go with --sprt A B"))
    places = _scenarios(scenarios)
    progress = ProgressLines(sys.stderr)
    settings: dict[str, Any] = {"progress": progress, "budget": budget}
    found: Arena | Verdict
    try:
        with options.crew(workers, cluster) as crew:
            settings["crew"] = Crew(**crew)
            if sprt:
                hypotheses = _hypotheses((elo0, elo1), (share0, share1), alpha, beta)
                found = lab.better(places, *sprt, hypotheses, games or LIMIT, seed, **settings)
            else:
                found = lab.arena(places, players, games or GAMES, seed, **settings)
    finally:
        progress.end()
    _tell(found, as_json)
    return FAILED if isinstance(found, lab.Verdict) and found.accepted is None else DONE


def _hypotheses(
    elos: tuple[float | None, float | None],
    shares: tuple[float | None, float | None],
    alpha: float,
    beta: float,
) -> Hypotheses:
    """What is weighed, from leads or shares."""
    from hexengine.lab.sprt import Hypotheses, share_of_elo

    found = []
    for elo, share, otherwise, number in zip(elos, shares, (ELO0, ELO1), (0, 1), strict=True):
        if elo is not None and share is not None:
            message = "--elo{number} and --share{number} say the same: only one of them"
            raise click.UsageError(said(message, number=number))
        found.append(share if share is not None else share_of_elo(otherwise if elo is None else elo))
    return Hypotheses(found[0], found[1], alpha, beta)


def _scenarios(names: tuple[str, ...]) -> list[Scenario]:
    from hexengine.app.sources import scenario as load
    from hexengine.content.resources import shipped_scenarios

    chosen = [name for one in names for name in one.split(",") if name.strip()]
    if not chosen:
        chosen = [one.name for one in shipped_scenarios() if not one.tiny]
    return [load(name.strip()) for name in dict.fromkeys(chosen)]


# -- for people ---------------------------------------------------------------------------------------


def _tell(found: Arena | Verdict, as_json: bool) -> None:
    from hexengine.app.terminal import Terminal, print_json
    from hexengine.lab.arena import Arena

    if as_json:
        print_json(found.as_json())
        return
    terminal = Terminal()
    if isinstance(found, Arena):
        _tell_ratings(terminal, found)
    else:
        _tell_verdict(terminal, found)
    if found.faulty:
        message = "in {games} games a player failed, and random played on for it"
        terminal.say(said(message, games=found.faulty), "red")


def _tell_ratings(terminal: Terminal, found: Arena) -> None:
    facts = {"games": found.games, "seed": found.seed, "seconds": found.seconds}
    terminal.say(said("{games} games, seed {seed}, in {seconds:.1f} s", **facts), "bold")
    terminal.say(said("Elo points around the mean, with 95 % errors:"))
    ranked = sorted(found.players.items(), key=lambda item: -item[1].elo)
    rows = [(str(rank), name, *_points(rating)) for rank, (name, rating) in enumerate(ranked, 1)]
    terminal.table(rows, frozenset({0, 2}))
    terminal.say(said("share of wins of the first of each two, draws as halves:"))
    heads = ("scenario", "first", "second", "games", "wins", "losses", "draws", "share", "95 % interval")
    terminal.table([tuple(map(said, heads)), *map(_pairing_row, found.pairings)], frozenset({3, 4, 5, 6, 7}))
    terminal.say(said("advantage of the first side, in Elo points:"))
    terminal.table([(name, *_points(rating)) for name, rating in found.scenarios.items()], frozenset({1}))


def _pairing_row(one: Pairing) -> tuple[str, ...]:
    counts = (str(count) for count in (one.games, one.wins, one.losses, one.draws))
    share = one.share
    interval = f"{share.low:.1%} - {share.high:.1%}"
    return (one.scenario, one.first, one.second, *counts, f"{share.share:.1%}", interval)


def _points(rating: Rating) -> tuple[str, str]:
    return f"{round(rating.elo):+d}", f"± {rating.error:.0f}"


def _tell_verdict(terminal: Terminal, found: Verdict) -> None:
    from hexengine.lab.sprt import elo_of_share

    hypotheses = found.hypotheses
    facts = {
        "a": found.a,
        "b": found.b,
        "games": found.games,
        "seed": found.seed,
        "seconds": found.seconds,
        "ratio": found.ratio,
        "lower": hypotheses.lower,
        "upper": hypotheses.upper,
        "share0": hypotheses.share0,
        "share1": hypotheses.share1,
        "elo0": elo_of_share(hypotheses.share0),
        "elo1": elo_of_share(hypotheses.share1),
        **found.share._asdict(),
    }
    message = {
        1: "{b} is better than {a}",
        0: "{b} is not better than {a}",
        None: "it is not known whether {b} is better than {a}: the games ran out",
    }[found.accepted]
    terminal.say(said(message, **facts), "bold")
    message = "{games} games, seed {seed}, in {seconds:.1f} s; {b} has {share:.1%} of the wins"
    terminal.say(said(message, **facts))
    message = (
        "weighed: a share of {share1:.1%} ({elo1:+.0f} Elo) against {share0:.1%} ({elo0:+.0f} Elo); "
        "log likelihood ratio {ratio:+.2f}, bounds {lower:+.2f} and {upper:+.2f}"
    )
    terminal.say(said(message, **facts))
    pairs = ", ".join(f"{score:g}: {count}" for score, count in found.pairs.items())
    terminal.say(said("pairs by score: {pairs}", pairs=pairs))
