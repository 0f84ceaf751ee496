"""Made-up maps and damaged texts, from a seed alone, for tests and benchmarks.

Everything takes a :class:`random.Random` and is a function of its state, so a failure is told by
a seed.  Nothing here needs a testing library.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random

from hexengine.hexes.grid import Grid

ODD_WORDS = (
    *("", "-1", "0", "1", "7", "99999999999999999999", "1e9", "0.5", "nan", "true", "''", '""', "[]", "{}"),
    *(
        "[",
        "]",
        "=",
        "#",
        "\\",
        "\x00",
        "\ufeff",
        "\r",
        "\t",
        "\u202e",
        "é",
        "漢字",
        "🚜",
        "[b]",
        "{0}",
        "%s",
    ),
    *("../..", "x" * 300, "9" * 5000),
)
"""Words that programs stumble over."""


# -- maps -------------------------------------------------------------------------------------------


def grid(random: Random, largest: int = 12) -> Grid:
    """A sheet of 1 to ``largest`` columns and rows, of either orientation and stagger."""
    columns, rows = random.randint(1, largest), random.randint(1, largest)
    return Grid(columns, rows, random.choice(("flat", "pointy")), random.choice(("even", "odd")))


def letters(random: Random, columns: int, rows: int, choices: str, patches: int = 3) -> str:
    """A map in letters, a line a printed row, with patches of the later ``choices`` on the first."""
    rowwise = [[choices[0]] * columns for _ in range(rows)]
    for letter in choices[1:]:
        for _ in range(patches):
            column, row, size = random.randrange(columns), random.randrange(rows), random.randint(0, 2)
            for y in range(max(0, row - size), min(rows, row + size + 1)):
                for x in range(max(0, column - size), min(columns, column + size + 1)):
                    if random.random() < 0.7:
                        rowwise[y][x] = letter
    return "\n".join("".join(row) for row in rowwise) + "\n"


def chain(random: Random, sheet: Grid, length: int) -> list[int]:
    """A line of adjacent hexes, as roads take: at most ``length`` steps, none of them straight back."""
    here = random.randrange(sheet.size)
    hexes = [here]
    for _ in range(length):
        before = hexes[-2] if len(hexes) > 1 else -1
        ways = [there for there in sheet.neighbours[here] if there >= 0 and there != before]
        if not ways:
            break
        here = random.choice(ways)
        hexes.append(here)
    return hexes


def hexsides(random: Random, sheet: Grid, number: int) -> list[tuple[int, int]]:
    """Different pairs of adjacent hexes, the lower first: at most ``number`` of all there are."""
    pairs = [(a, b) for a in range(sheet.size) for b in sheet.neighbours[a] if b > a]
    return sorted(random.sample(pairs, min(number, len(pairs))))


# -- damaged texts ----------------------------------------------------------------------------------


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True) or [""]


def drop_line(random: Random, text: str) -> str:
    """One line less."""
    lines = _lines(text)
    del lines[random.randrange(len(lines))]
    return "".join(lines)


def double_line(random: Random, text: str) -> str:
    """One line twice."""
    lines = _lines(text)
    at = random.randrange(len(lines))
    return "".join([*lines[: at + 1], *lines[at:]])


def swap_lines(random: Random, text: str) -> str:
    """Two lines changed over."""
    lines = _lines(text)
    a, b = random.randrange(len(lines)), random.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "".join(lines)


def cut(random: Random, text: str) -> str:
    """The beginning alone."""
    return text[: random.randrange(len(text) + 1)]


def change_character(random: Random, text: str) -> str:
    """One character replaced, by one of the text or a strange one."""
    at = random.randrange(len(text) + 1)
    new: str = random.choice([random.choice(text or " "), *'\x00\ufeff"[]{}=,#\n\u202e☃'])
    return text[:at] + new + text[at + 1 :]


def insert_word(random: Random, text: str) -> str:
    """A strange word somewhere."""
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(ODD_WORDS) + text[at:]


def change_word(random: Random, text: str) -> str:
    """A word replaced by another one of the text, or by a strange one."""
    words = text.split(" ")
    at = random.randrange(len(words))
    words[at] = random.choice(words) if random.random() < 0.5 else random.choice(ODD_WORDS)
    return " ".join(words)


def change_number(random: Random, text: str) -> str:
    """A digit replaced by some number."""
    digits = [at for at, character in enumerate(text) if character.isdigit()]
    if not digits:
        return insert_word(random, text)
    at = random.choice(digits)
    return text[:at] + str(random.choice((0, 1, 6, 7, 99, -5, 10**20, 0.5))) + text[at + 1 :]


TEXT_MUTATORS: tuple[Callable[[Random, str], str], ...] = (
    drop_line,
    double_line,
    swap_lines,
    cut,
    change_character,
    insert_word,
    change_word,
    change_number,
)


def mutate(random: Random, text: str, most: int = 3) -> str:
    """A text damaged once to ``most`` times."""
    for _ in range(random.randint(1, most)):
        text = random.choice(TEXT_MUTATORS)(random, text)
    return text


def mutants(text: str, number: int, seed: int) -> Iterator[str]:
    """``number`` damaged texts; the one with index i depends on the text, the seed and i alone."""
    for index in range(number):
        yield mutate(Random(f"{seed}/{index}"), text)  # noqa: S311 - damage, not secrets


def mutate_bytes(random: Random, data: bytes) -> bytes:
    """Bytes with one of them changed, taken out or put in; always different from ``data``."""
    at = random.randrange(len(data) + 1)
    kind = random.randrange(3) if at < len(data) else 2
    if kind == 0:
        return data[:at] + bytes([data[at] ^ random.randint(1, 255)]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[at + 1 :]
    return data[:at] + bytes([random.randrange(256)]) + data[at:]


# -- damaged logs: files of one JSON object a line ------------------------------------------------------


def change_value(random: Random, text: str) -> str:
    """A value of one line's object replaced, or one of its keys taken out or added."""
    lines = _lines(text)
    at = random.randrange(len(lines))
    try:
        entry = json.loads(lines[at])
    except ValueError:
        return mutate(random, text, 1)
    if not isinstance(entry, dict) or not entry:
        return mutate(random, text, 1)
    key = random.choice(list(entry))
    strange: Sequence[object] = (
        None,
        True,
        -1,
        10**30,
        1.5,
        "",
        "x" * 1000,
        [],
        [[[]]],
        {},
        {"a": 1},
        "\x00",
    )
    kind = random.randrange(3)
    if kind == 0:
        entry[key] = random.choice(strange)
    elif kind == 1:
        del entry[key]
    else:
        entry[random.choice(ODD_WORDS)] = random.choice(strange)
    lines[at] = json.dumps(entry, separators=(",", ":"), ensure_ascii=random.random() < 0.5) + "\n"
    return "".join(lines)


def mutate_log(random: Random, text: str) -> str:
    """A damaged log: half of the time well-formed JSON with wrong facts."""
    return change_value(random, text) if random.random() < 0.5 else mutate(random, text)


def log_mutants(text: str, number: int, seed: int) -> Iterator[str]:
    """``number`` damaged logs; the one with index i depends on the text, the seed and i alone."""
    for index in range(number):
        yield mutate_log(Random(f"{seed}/{index}"), text)  # noqa: S311
