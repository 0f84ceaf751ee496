"""Runs hexengine from a checkout: ``python cli.py …``."""

import sys
from importlib.util import find_spec

NEEDED = (
    "click",
    "msgspec",
    "mypy_extensions",
    "networkx",
    "numpy",
    "rich",
    "tree_sitter",
    "tree_sitter_toml",
)

if __name__ == "__main__":
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        sys.exit(f"hexengine needs {', '.join(missing)}: python -m pip install -e . installs what is missing")
    from hexengine.app import main

    main()
