"""Workers of a dask cluster: the same games, on other machines.

The extra ``cluster`` brings what this needs.  Every worker of the cluster must have this version of the
program and of its data; each plays one game at a time.  When a worker dies, the scheduler gives what it had
in hand to others, so nothing is lost but time.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future
from time import monotonic
from typing import Any, Self

from hexengine import __version__
from hexengine.lab.errors import LabError
from hexengine.players.driver import in_words

CONNECT_SECONDS = 10.0
"""How long a scheduler may take to answer."""

NO_WORKERS_SECONDS = 60.0
"""How long a cluster may be without a worker before games on it are given up."""


def _version() -> str:
    return __version__


class Cluster(Executor):
    """A dask cluster at an address such as ``tcp://host:8786``; use it in a ``with`` statement.

    Raises LabError where dask is not installed, nobody answers, there is no worker, or a worker has not this
    version of the program.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client, KilledWorker
        except ImportError:
            raise LabError(
                "games on a cluster need dask: install hexengine with the extra cluster, "
                'python -m pip install "hexengine[cluster]"'
            ) from None
        self.address = address
        self.killed: type[Exception] = KilledWorker
        """What is raised for work whose workers have died again and again."""
        self._seen = monotonic()
        # What the client has to say of lost connections is said by the errors raised here.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        fault = ""
        try:
            self._client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            fault = f"no cluster answers at {address!r}: {in_words(error)}"
        if fault:
            # What is left of the client closes itself when it is collected.  In the middle of making another
            # client that would wait for ever, for a lock that the latter holds.
            gc.collect()
            raise LabError(fault)
        try:
            self._ask_versions()
            self._pool: Any = self._client.get_executor(pure=False)
        except BaseException:
            self._client.close()
            raise

    def _ask_versions(self) -> None:
        if not self._client.nthreads():
            raise LabError(f"the cluster at {self.address} has no workers: start some first")
        answers = self._client.run(_version, on_error="return")
        for worker, answer in answers.items():
            if isinstance(answer, BaseException):
                text = f"{worker}: {in_words(answer)}"
                raise LabError(f"a worker of the cluster cannot play: {text}; is hexengine installed there?")
            if answer != __version__:
                raise LabError(f"{worker} has version {answer} of hexengine, and this is {__version__}")

    def workers(self) -> int:
        """How many workers there are now; LabError if there have been none for a minute, or no cluster."""
        if self._client.status != "running":
            raise LabError(f"the cluster at {self.address} is gone")
        try:
            count = len(self._client.nthreads())
        except Exception as error:
            raise LabError(f"the cluster at {self.address} is gone: {in_words(error)}") from None
        now = monotonic()
        if count:
            self._seen = now
        elif now - self._seen > NO_WORKERS_SECONDS:
            raise LabError(f"the cluster at {self.address} has no workers any more")
        return max(1, count)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a function called by one of the workers."""
        future: Future[Any] = self._pool.submit(fn, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the cluster, which goes on by itself."""
        self._client.close()

    def __enter__(self) -> Self:
        return self
