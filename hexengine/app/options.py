"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
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
