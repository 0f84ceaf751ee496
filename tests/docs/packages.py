"""Packages that pages build: installed into a folder, with programs and commands run beside them."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def install(folder, project):
    """What an installer writes of a package's ``pyproject.toml``, as far as entry points need it."""
    project = tomllib.loads(project)["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(about, encoding="utf-8")
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in points.items())
        for group, points in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("".join(groups), encoding="utf-8")


def run(folder, *words):
    """What a Python prints that is run in the folder, with everything in it installed."""
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}",
            "PYTHONUTF8": "1",
            "LANG": "C.UTF-8",
        },
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def hexengine(folder, command):
    """What a command of a page prints, ``hexengine`` in front."""
    program, *words = command.split()
    assert program == "hexengine"
    return run(folder, str(ROOT / "cli.py"), *words)
