"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from hexengine.app.words import said

Command = TypeVar("Command", bound=Callable[..., Any])

LEAST_BUDGET, LARGEST_BUDGET = 0.001, 86_400.0


def _budget(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    """A time to think, from a millisecond to a day."""
    if value is not None and not LEAST_BUDGET <= value <= LARGEST_BUDGET:  # also what is not a number at all
        message = "a budget is {least:g} to {most:g} seconds, not {value}"
        raise click.BadParameter(said(message, least=LEAST_BUDGET, most=LARGEST_BUDGET, value=value))
    return value


def cluster(command: Command) -> Command:
    """The option ``--cluster``: who plays the games."""
    option = click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Let the workers of a dask cluster play, as tcp://host:8786.",
    )
    return option(command)


@contextmanager
def crew(workers: int | None, address: str | None) -> Iterator[dict[str, Any]]:
    """Who plays, as the laboratory wants it: processes of this machine, or a cluster's workers.

    Raises UsageError if both are asked for, and LabError where there is no such cluster.
    """
    if address is None:
        yield {"workers": workers or 1}
        return
    if workers is not None:
        raise click.UsageError(said("--workers are processes of this machine; --cluster has its own"))
    from hexengine.lab.cluster import Cluster

    with Cluster(address) as executor:
        yield {"workers": executor.workers(), "executor": executor}


def budget(command: Command) -> Command:
    """The option ``--budget``: how long players may think about an order."""
    option = click.option(
        "--budget",
        type=float,
        callback=_budget,
        metavar="S",
        help="Seconds a player has for an order; who takes longer is replaced by random.",
    )
    return option(command)
