"""Thousands of damaged logs and scripts: each is read as it is or refused with a place, never worse."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from hexengine.core.errors import ContentError, HexEngineError, ReplayDivergence
from hexengine.record.formats import RecordError, new_chain
from hexengine.record.log import read_log
from hexengine.record.replay import replay
from hexengine.record.script import ScriptError, to_script
from hexengine.record.session import resume
from tests.long import often
from tests.record.helpers import find, long_scenario, played, shipped

MUTATIONS = often(500, 2_000)


def bytes_changed(dice: random.Random, data: bytes) -> bytes:
    """Something happens to the bytes: a few are changed, cut out, doubled, put in, or swapped by line."""
    at = dice.randrange(len(data))
    to = min(len(data), at + dice.choice((1, 1, 2, 5, 40, 400)))
    lines = data.split(b"\n")
    match dice.randrange(7):
        case 0:
            return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]
        case 1:
            return data[:at] + data[to:]
        case 2:
            return data[:to] + data[at:]
        case 3:
            return data[:at] + dice.choice((b"\n", b"\0", b'"', b"{", b"\xff", b"9" * 50, b"[")) + data[at:]
        case 4:
            return data[:at]
        case 5:
            dice.shuffle(lines)
            return b"\n".join(lines)
        case _:
            lines.insert(dice.randrange(len(lines)), dice.choice(lines))
            return b"\n".join(lines)


STRANGE = (
    None,
    True,
    -1,
    0,
    7,
    2**70,
    1.5,
    "",
    "undo",
    "draw",
    "x" * 5000,
    "\u0000",
    [],
    ["reds"],
    [1, "a"],
    {},
    {"a": 1},
)


def facts_changed(dice: random.Random, data: bytes) -> bytes:
    """Facts are changed and the checksums made right again, as a forger would."""
    lines = [msgspec.json.decode(line) for line in data.splitlines()]
    for _ in range(dice.choice((1, 1, 1, 3))):
        line = dice.choice(lines[:1] + lines)
        key = dice.choice(list(line))
        match dice.randrange(4):
            case 0:
                line.pop(key)
            case 1:
                line[dice.choice((key, "more"))] = dice.choice(STRANGE)
            case 2:
                line[key] = dice.choice(lines).get(key)
            case _:
                lines.insert(dice.randrange(len(lines)), line)
    return sealed(lines)


def sealed(lines: list[dict[str, object]]) -> bytes:
    chain = new_chain()
    whole = b""
    for line in lines:
        part = msgspec.json.encode({key: value for key, value in line.items() if key != "sum"})[:-1] + b","
        chain.update(part)
        tail = b'"sum":"%b"}\n' % chain.hexdigest().encode()
        chain.update(tail)
        whole += part + tail
    return whole


def outcome(path: Path) -> str:
    """Read and replay; what is raised must say where."""
    try:
        game = replay(path, find, verify=True)
    except ContentError as error:
        assert error.problems
        assert all(problem.text for problem in error.problems)
        return "content"
    except ReplayDivergence as error:
        assert f"{path}:" in str(error)
        assert error.game is None or error.game.entry == error.entry - 1
        return "divergence"
    except ScriptError as error:
        assert str(error).startswith(f"{path}:{error.problem.line}:{error.problem.column}: ")
        return "script"
    assert game.entry >= 0
    return "good"


def test_sealing_in_tests_is_that_of_the_record() -> None:
    data = played(long_scenario(), 5).log.to_bytes()
    assert sealed([msgspec.json.decode(line) for line in data.splitlines()]) == data


@pytest.mark.slow
@pytest.mark.parametrize("ship", [False, True])
def test_logs(tmp_path: Path, ship: bool) -> None:
    found = long_scenario()
    path = tmp_path / "game.jsonl"
    data = played(shipped(found) if ship else found, 5, 25).log.to_bytes()
    dice = random.Random(ship)
    seen: dict[str, int] = {}
    for _ in range(MUTATIONS // 2):
        change = dice.choice((bytes_changed, facts_changed))
        mutated = change(dice, data)
        path.write_bytes(mutated)
        try:
            how = outcome(path)
        except HexEngineError:
            raise AssertionError(mutated) from None
        if change is bytes_changed and how == "good":
            assert data.startswith(mutated), "a change of bytes went unseen"
        seen[how] = seen.get(how, 0) + 1
        try:
            resume(path, find, durable=False).close()
        except (ContentError, ReplayDivergence, RecordError):
            assert path.read_bytes() == mutated
        else:
            assert read_log(path).fault is None
    assert set(seen) >= {"content", "divergence", "good"}, seen


@pytest.mark.slow
def test_scripts(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    data = to_script(played(shipped(long_scenario()), 5, 25).log).encode()
    dice = random.Random(3)
    seen: dict[str, int] = {}
    for _ in range(MUTATIONS // 2):
        path.write_bytes(bytes_changed(dice, data))
        how = outcome(path)
        seen[how] = seen.get(how, 0) + 1
    assert set(seen) == {"content", "script", "good"}, seen
