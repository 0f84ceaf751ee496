"""Batches in a process of their own: ``python -m tests.lab.child JSON``.

The JSON object holds the arguments of ``batch``, with ``scenario`` the name of a function of helpers, or
of a shipped scenario.  Every game that is committed is told by its count on standard output; at the end the
result is printed as JSON, without the seconds.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import hexengine as hx
from hexengine.lab.progress import Progress
from tests.lab import helpers


def tell(progress: Progress) -> None:
    print(progress.done, flush=True)


def main(text: str) -> None:
    arguments: dict[str, Any] = json.loads(text)
    name = arguments.pop("scenario")
    scenario = getattr(helpers, name)() if hasattr(helpers, name) else hx.load(name)
    result = hx.batch(scenario, progress=tell, **arguments)
    print(json.dumps(helpers.document(result)))


if __name__ == "__main__":
    main(sys.argv[1])
