"""Whether the sources can still be compiled: their way through mypyc, without the C compiler.

``python .ci/compilable.py`` from the checkout's root; needs mypy and hatchling.  Which sources are meant
stands in pyproject.toml, for the build hook ``mypyc``.
"""

import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from mypyc.build import mypycify
from pathspec import PathSpec

hook = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"][
    "hooks"
]["mypyc"]
wanted = PathSpec.from_lines("gitwildmatch", hook["include"])
left_out = PathSpec.from_lines("gitwildmatch", hook["exclude"])
sources = sorted(
    path
    for path in (each.as_posix() for each in Path("hexengine").rglob("*.py"))
    if wanted.match_file(path) and not left_out.match_file(path)
)
with TemporaryDirectory() as folder:
    made = mypycify([*hook["mypy-args"], *sources], target_dir=folder)
sys.stdout.write(f"{len(sources)} sources can be compiled\n")
sys.exit(not made)
