"""Count the perft files anew: ``python -m tests.perft.regenerate [FILE...]``, all of them by default.

Only numbers marked ``regression only`` change, and digests.  Differences from derived numbers are
printed and left for a person to decide: either the rules are wrong, or the derivation is.
"""

import sys
from pathlib import Path

from hexengine.testing.suite import regenerate
from tests.perft.loading import SUITES, load

if __name__ == "__main__":
    left = [line for path in [*map(Path, sys.argv[1:])] or SUITES for line in regenerate(path, load)]
    print("\n".join(left) or "all derived numbers are met")
    sys.exit(bool(left))
