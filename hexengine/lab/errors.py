"""What goes wrong in the laboratory: settings that cannot be, files that are no results, games that fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexengine.core.errors import HexEngineError

if TYPE_CHECKING:
    from hexengine.lab.batches import BatchResult
    from hexengine.lab.workers import Failure


class LabError(HexEngineError):
    """A batch cannot be played as asked; the message says what is wrong and what would do."""


class StoreError(LabError):
    """A file of results cannot be read, written or gone on with."""


class GameFailed(LabError):
    """A game broke in its rules: the message has scenario, seed, players, entry and order."""


class GamesFailed(LabError):
    """Some games of a batch broke; all others were played.

    ``failures`` says which and why; ``result`` holds the games that were played.
    """

    def __init__(self, failures: Sequence[Failure], result: BatchResult) -> None:
        self.failures = tuple(failures)
        self.result = result
        shown = "".join(f"\n  game {one.number}: {one.text}" for one in self.failures[:5])
        more = f"\n  and {len(self.failures) - 5} more" if len(self.failures) > 5 else ""
        games = "1 game" if len(self.failures) == 1 else f"{len(self.failures)} games"
        super().__init__(f"{games} of {result.planned} could not be played:{shown}{more}")
