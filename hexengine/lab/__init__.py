"""Many games between players: batches, their results, and what these say.

``batch`` plays games by the hundred, here or in worker processes; each result depends on the scenario, the
players and its seed alone.  ``report`` tells what a file of results says.
"""

from hexengine.lab.batches import BatchResult, batch
from hexengine.lab.errors import GameFailed, GamesFailed, LabError, StoreError
from hexengine.lab.play import GameResult, play_game
from hexengine.lab.progress import Progress, ProgressLines
from hexengine.lab.reports import Report, report
from hexengine.lab.statistics import wilson

__all__ = [
    "BatchResult",
    "GameFailed",
    "GameResult",
    "GamesFailed",
    "LabError",
    "Progress",
    "ProgressLines",
    "Report",
    "StoreError",
    "batch",
    "play_game",
    "report",
    "wilson",
]
