"""Commands as processes of their own: pipes, interrupts, kills, terminals and encodings of every kind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.app.conftest import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and pseudo-terminals")

SOON = 20
"""Seconds in which a process that ought to end does."""


def ended(process: subprocess.Popen[bytes], typed: bytes = b"") -> tuple[int, str, str]:
    """Its exit code, output and messages."""
    out, err = process.communicate(typed, timeout=SOON)
    assert b"Traceback" not in err
    return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def logged(out: str) -> list[dict]:
    """The entries of the log that a game names."""
    path = Path(re.search(r"^log:\s+(.+?)\r?$", out, re.M)[1])
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][1:]


def test_an_empty_input_ends_a_game_at_once(start, skirmish):
    began = time.monotonic()
    code, _, err = ended(start("play", skirmish))
    assert code == 1
    assert err.count("\n") == 1
    assert time.monotonic() - began < 5


def test_the_installed_script_and_the_runner_name_themselves(start, skirmish):
    assert "python cli.py play --resume" in ended(start("play", skirmish))[2]


def test_the_package_runs_as_a_module_and_names_itself_so(tmp_path):
    command = [sys.executable, "-m", "hexengine", "play", "crossroads", "--log", str(tmp_path / "a.jsonl")]
    done = subprocess.run(command, input=b"quit\n", capture_output=True, cwd=ROOT, check=False, timeout=60)
    assert done.returncode == 0
    assert b"python -m hexengine play --resume" in done.stdout


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"TERM": "xterm-256color"}])
def test_no_escape_in_a_pipe(start, skirmish, environment):
    _, out, err = ended(start("play", skirmish, "--opponent", "none", **environment), b"draw\nhelp\n")
    assert "\x1b" not in out + err


def test_json_stays_json_in_ascii(start):
    code, out, _ = ended(start("list", "--json", PYTHONIOENCODING="ascii"))
    assert code == 0
    assert json.loads(out)["systems"]


def test_whatever_bytes_are_typed(start, skirmish):
    code, out, _ = ended(start("play", skirmish, "--opponent", "none"), b"\xff\xfe\n\x00\ndraw [blues]\n\x80")
    assert code == 1
    assert len(logged(out)) == 1


@pytest.mark.parametrize(
    "arguments", [["show", "bench"], ["rules"], ["list", "--json"], ["perft", "cup-3", "--depth", "3"]]
)
def test_a_reader_that_goes_away_is_no_fault(start, arguments):
    process = start(*arguments)
    process.stdout.close()
    process.stdin.close()
    assert process.wait(timeout=SOON) in (0, 1)
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.parametrize("buffered", [True, False])
def test_a_full_disk_is_told(buffered):
    if not Path("/dev/full").exists():
        pytest.skip("no such device")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, *([] if buffered else ["-u"]), str(ROOT / "cli.py"), "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", ["--version", "--help", "list", "play crossroads --opponent none"])
def test_streams_may_be_closed(arguments, closed, tmp_path):
    done = subprocess.run(
        ["sh", "-c", f'"$0" "$1" {arguments} {closed}', sys.executable, str(ROOT / "cli.py")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
    )
    assert done.returncode == (1 if arguments.startswith("play") else 0), "the input of a game has ended"
    assert "Traceback" not in done.stderr


def wait_for(process: subprocess.Popen[bytes], text: bytes) -> bytes:
    """What a process writes until a text comes."""
    os.set_blocking(process.stdout.fileno(), False)
    seen, until = b"", time.monotonic() + SOON
    while text not in seen:
        assert time.monotonic() < until, seen
        seen += process.stdout.read() or b""
        time.sleep(0.01)
    return seen


def interrupt(process: subprocess.Popen[bytes]) -> None:
    """Press Ctrl-C until the process has ended.

    Python forgets an interrupt that comes just before it begins to wait for input until there is some.
    """
    for _ in range(SOON):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=2)
            return


def test_an_interrupt_leaves_the_game_whole(start, skirmish):
    process = start("play", skirmish, "--opponent", "none")
    process.stdin.write(b"draw [blues]\n")
    process.stdin.flush()
    seen = wait_for(process, b"[2] blue")
    interrupt(process)
    err = process.stderr.read().decode()
    assert process.wait(timeout=SOON) == 130
    assert "go on with: " in err
    assert "Traceback" not in err
    assert [entry["order"] for entry in logged(seen.decode())] == ["draw"]
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


def test_an_interrupt_of_what_does_not_end(start):
    process = start("perft", "bench", "--depth", "40")
    time.sleep(1.0)
    interrupt(process)
    code, _, err = ended(process)
    assert code == 130
    assert err.strip() == "interrupted"


@pytest.mark.parametrize("number", range(3))
def test_what_was_shown_outlives_a_kill(start, skirmish, number):
    process = start("play", skirmish, "--opponent", "none", "--seed", number)
    process.stdin.write(b"draw [blues]\nmove m1-2 0204\npass\nmove m1-2 0304\npass\n")
    process.stdin.flush()
    seen = wait_for(process, (b"red: pass", b"blue: move m1-2 0204", b"blue: draw")[number])
    process.kill()
    process.wait(timeout=SOON)
    shown = re.findall(r"^(?:blue|red): ([^\[\n]+?)(?: \[.*\])?$", seen.decode(), re.M)
    assert [entry["order"] for entry in logged(seen.decode())][: len(shown)] == shown
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


def at_terminal(arguments, keys, columns=100, rows=30, **environment) -> tuple[int, str]:
    """A command at a pseudo-terminal: its exit code and everything that came on the screen."""
    import fcntl
    import pty
    import select
    import struct
    import termios

    pid, terminal = pty.fork()
    if not pid:
        # What readline has set behind Python's back, the size of another terminal, must not be handed on.
        known = {
            name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")
        }
        known.update({"TERM": "xterm-256color", "COLORTERM": "truecolor", **environment})
        os.execve(sys.executable, [sys.executable, str(ROOT / "cli.py"), *map(str, arguments)], known)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    seen, waiting, until = b"", list(keys), time.monotonic() + 2 * SOON
    quiet = 0
    while time.monotonic() < until:
        if not select.select([terminal], [], [], 0.05)[0]:
            quiet += 1
            # Python forgets an interrupt that comes between readline's prompt and its wait for a key
            # until the next key comes: as somebody at the keyboard would, press it again.
            if quiet % 20 == 0 and not waiting and keys and keys[-1][1] == b"\x03":
                os.write(terminal, b"\x03")
            continue
        quiet = 0
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
        if waiting and seen.rstrip(b"\x1b[?2004h").endswith(waiting[0][0]):
            os.write(terminal, waiting.pop(0)[1])
            seen += b"\n"
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), seen.decode("utf-8", "replace")


@pytest.mark.parametrize(("rows", "folded"), [(30, True), (300, False)])
def test_more_orders_than_a_screen_holds_are_folded(tmp_path, rows, folded):
    keys = [
        (b"movement> ", b"\n"),
        (b"movement> ", b"orders f7\n"),
        (b"movement> ", b"112\n"),
        (b"> ", b"quit\n"),
    ]
    log = tmp_path / "game.jsonl"
    arguments = ["play", "first-orders", "--opponent", "none", "--seed", "1", "--log", log]
    code, seen = at_terminal(arguments, keys, rows=rows)
    assert ("112-128  move f7 HEX    0102 0106" in seen) is folded
    assert ("866 orders; those of one unit are numbered one by one by: orders f1" in seen) is folded
    assert ("  2 move f1 0102" in seen) is not folded
    assert "113 move f7 0106" in seen, "those of one unit one by one"
    assert code == 0
    assert [entry["order"] for entry in logged(f"log: {log}")] == ["move f7 0102"], (
        "numbers are the same in both"
    )


def test_a_game_at_a_terminal(skirmish, tmp_path):
    keys = [
        (b"draw> ", b"draw [blues]\n"),
        (b"operations> ", b"move m1-2 0304\n"),
        (b"go? [Y/n] ", b"\n"),
        (b"reaction> ", b"2\n"),
        (b"0304? [Y/n] ", b"n\n"),
        (b"group> ", b"\x03"),
    ]
    code, seen = at_terminal(
        ["play", skirmish, "--opponent", "none"], keys, XDG_STATE_HOME=str(tmp_path / "state")
    )
    assert code == 130
    assert "▀" in seen, "true hexagons"
    assert "\x1b[" in seen
    assert [entry["order"] for entry in logged(seen)] == ["draw", "move m1-2 0203", "pass"]


def test_a_question_waits_for_yes_or_no(skirmish, tmp_path):
    """An order typed there is not taken for a no, and lost."""
    keys = [
        (b"draw> ", b"draw [blues]\n"),
        (b"operations> ", b"move m1-2 0304\n"),
        (b"go? [Y/n] ", b"fire m1-2 t72-2\n"),
        (b"go? [Y/n] ", b"ja\n"),
        (b"go? [Y/n] ", b"YES\n"),
        (b"reaction> ", b"pass\n"),
        (b"0304? [Y/n] ", b"fire\n"),
        (b"0304? [Y/n] ", b"no\n"),
        (b"group> ", b"quit\n"),
    ]
    code, seen = at_terminal(
        ["play", skirmish, "--opponent", "none"], keys, XDG_STATE_HOME=str(tmp_path / "state")
    )
    assert code == 0
    assert seen.count("y for yes, n for no") == 3
    assert [entry["order"] for entry in logged(seen)] == ["draw", "move m1-2 0203", "pass"]


def test_the_end_of_the_input_at_a_terminal(skirmish, tmp_path):
    code, seen = at_terminal(
        ["play", skirmish], [(b"draw> ", b"\x04")], XDG_STATE_HOME=str(tmp_path / "state")
    )
    assert code == 1
    assert "the input ended" in seen


def test_words_are_completed_at_a_terminal(skirmish, tmp_path):
    keys = [(b"draw> ", b"draw [blues]\n"), (b"operations> ", b"unl\tm2\n"), (b"group> ", b"quit\n")]
    code, seen = at_terminal(
        ["play", skirmish, "--opponent", "none"], keys, XDG_STATE_HOME=str(tmp_path / "state")
    )
    assert code == 0
    assert [entry["order"] for entry in logged(seen)] == ["draw", "unload m2"]


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"NO_COLOR": "1"}])
def test_no_colours_where_nobody_wants_them(skirmish, environment):
    code, seen = at_terminal(["show", skirmish], [], **environment)
    assert code == 0
    assert "\x1b" not in seen
    assert "M1" in seen


def test_the_size_of_a_dumb_terminal_is_its_own():
    """Not that of all of them: whole maps have room on wide ones."""
    for environment in ({"TERM": "dumb"}, {"NO_COLOR": "1"}):
        _, seen = at_terminal(["show", "bench"], [], columns=200, rows=60, **environment)
        assert re.search(r" 23 +24\b", seen)


def test_without_colour_a_low_terminal_still_shows_most_of_the_map():
    keys = [(b"draw> ", b"quit\n")]
    _, seen = at_terminal(["play", "meeting", "--opponent", "none"], keys, columns=80, rows=24, NO_COLOR="1")
    heading = next(line for line in seen.splitlines() if re.search(r"\b0[1-9]  ", line))
    assert len(re.findall(r"\b[0-9][0-9]\b", heading)) >= 11


@pytest.mark.parametrize("columns", [1, 8, 20, 40])
def test_narrow_terminals(skirmish, columns, tmp_path):
    code, seen = at_terminal(
        ["play", skirmish, "--opponent", "none"],
        [(b"draw> ", b"help\n"), (b"draw> ", b"units\n"), (b"draw> ", b"quit\n")],
        columns=columns,
        XDG_STATE_HOME=str(tmp_path / "state"),
    )
    assert code == 0
    assert "Traceback" not in seen


def test_players_are_watched_at_a_terminal(skirmish):
    code, seen = at_terminal(
        ["watch", skirmish, "--players", "random", "random", "--seed", 3, "--delay", 0], []
    )
    assert code == 0
    assert "game over after" in seen
