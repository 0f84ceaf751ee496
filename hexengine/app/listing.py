"""``list`` and ``schema``: what comes with the program, and what other packages add to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hexengine.app.words import said
from hexengine.core.errors import ContentError
from hexengine.view.words import words


@click.command("list")
@click.option(
    "--tiny", "with_tiny", is_flag=True, help="The tiny scenarios too, for exact counts and examples."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document, with the tiny scenarios.")
def list_(with_tiny: bool, as_json: bool) -> None:
    """Scenarios to be played, rule systems and players.

    Systems and players of other packages are named too; their scenarios go by path.
    """
    from hexengine import players
    from hexengine.app.terminal import Terminal, print_json
    from hexengine.content.resources import shipped_scenarios
    from hexengine.core import system

    shipped = shipped_scenarios()
    rows = [_facts(one.name, one.path, one.tiny) for one in shipped if with_tiny or as_json or not one.tiny]
    systems, shadowed = list(system.system_names()), system.shadowed() + players.shadowed()
    if as_json:
        found = {"systems": systems, "players": players.names(), "shadowed": shadowed}
        print_json({**found, "scenarios": rows})
        return
    terminal = Terminal()
    for tiny, heading in ((False, said("scenarios:")), (True, said("tiny scenarios:"))):
        chosen = [row for row in rows if row.get("tiny", False) == tiny]
        if chosen:
            terminal.say(heading, "bold")
            terminal.table([_row(row) for row in chosen], frozenset({1, 2, 3}))
    if not with_tiny:
        number = sum(one.tiny for one in shipped)
        terminal.say(said("tiny scenarios: {number}, which list --tiny shows", number=number))
    terminal.say(said("rule systems: {names}", names=", ".join(systems)))
    terminal.say(said("players: {names}", names=", ".join(players.names())))
    for entry in shadowed:
        terminal.say(said("! not used, since the name is taken: {entry}", entry=entry))


def _facts(name: str, path: Path, tiny: bool) -> dict[str, Any]:
    """What is told of a scenario; of one that does not load, why."""
    from hexengine.content.loader import loads
    from hexengine.content.text import decode, label, read_bytes
    from hexengine.core.system import get_system

    facts: dict[str, Any] = {"name": name}
    try:
        # By its text: to load a file by name or path is to look for it among all that are shipped.
        file = label(path)
        scenario = loads(decode(read_bytes(path), file), name, file)
    except ContentError as error:
        facts |= {"path": str(path), "fault": str(error.problems[0])}
    else:
        system = get_system(scenario.system)
        look = system.view(system.start(scenario.board))
        facts |= {
            "system": scenario.system,
            "title": scenario.title,
            "turns": scenario.turns,
            "sides": list(scenario.sides),
            "units": len(look.pieces),
            "columns": look.ground.map.grid.columns,
            "rows": look.ground.map.grid.rows,
            "path": str(path),
        }
    return facts | ({"tiny": True} if tiny else {})


def _row(facts: dict[str, Any]) -> tuple[str, ...]:
    if "fault" in facts:
        return facts["name"], "", "", "", f"! {facts['fault']}"
    return (
        facts["name"],
        words("{turns} turn", "{turns} turns", facts["turns"]).format(turns=facts["turns"]),
        f"{facts['columns']}x{facts['rows']}",
        words("{units} unit", "{units} units", facts["units"]).format(units=facts["units"]),
        f"{facts['title']} ({' - '.join(facts['sides'])}; {facts['system']})",
    )


@click.command()
@click.argument("name", required=False)
def schema(name: str | None) -> None:
    """The JSON Schema of a file format; without a NAME, which formats there are."""
    from hexengine.app.terminal import Terminal, print_json
    from hexengine.content.schema import formats, register
    from hexengine.record.formats import Entry, Header

    register("log-header", Header, "game log: header", "The first line of a log, which is JSON Lines.")
    register("log-entry", Entry, "game log: entry", "Each further line of a log: one order.")
    if name is not None:
        from hexengine.content.schema import schema as schema_of

        print_json(schema_of(name))
        return
    terminal = Terminal()
    terminal.table([(one.name, one.description) for one in formats()])
