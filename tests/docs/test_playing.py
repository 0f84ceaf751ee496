"""docs/playing.md: the game that it walks through is the game that is played."""

import re

from hexengine.app.verbs import ARGUMENTS, COMMANDS, OTHERS
from tests.docs.recording import PAGE, blocks_of_the_game, recorded


def test_the_walk_shows_what_the_program_shows():
    """Its orders, played with its seed, give its pages, letter by letter."""
    page = PAGE.read_text(encoding="utf-8")
    assert recorded(page) == page


def test_the_walk_shows_everything_that_a_first_game_needs():
    text = "".join(block[1] for block in blocks_of_the_game(PAGE.read_text(encoding="utf-8")))
    for sign in (
        "draw [eot]",
        "odds ",
        "los ",
        "unload ",
        "refused: ",
        "undo",
        "Opportunity fire",
        "Turn 2 begins",
    ):
        assert sign in text


def test_every_command_is_listed_with_its_arguments():
    listed = re.findall(r"^\| (`[^|]+`) \|", PAGE.read_text(encoding="utf-8"), re.M)
    named = {re.findall(r"\w+", row)[0]: set(re.findall(r"[A-Z]+", row)) for row in listed}
    known = {name: set(re.findall(r"[A-Z]+", ARGUMENTS.get(name, ""))) for name in (*COMMANDS, *OTHERS)}
    del known["board"]  # the same as show
    assert named == known
