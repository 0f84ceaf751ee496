"""The program as a page shows it: on a terminal of 80 columns without colour.

What is installed in the folder where it runs (see :mod:`tests.docs.packages`) it finds.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]

_PROGRAM = "import sys; sys.argv[0] = 'hexengine'; from hexengine.app import main; main()"


def run(command, typed=(), folder=None):
    """What the command prints when these lines are typed; in a folder of its own unless one is given."""
    if folder is None:
        with TemporaryDirectory() as fresh:
            return run(command, typed, fresh)
    return python(("-c", _PROGRAM, *command.split()), typed, folder)


def python(arguments, typed, folder):
    """What Python prints with these arguments."""
    done = subprocess.run(
        [sys.executable, *arguments],
        input="".join(f"{line}\n" for line in typed).encode(),
        capture_output=True,
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}",
            "PYTHONUTF8": "1",
            "COLUMNS": "80",
            "LANG": "C.UTF-8",
        },
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    return done.stdout.decode()
