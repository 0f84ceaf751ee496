"""A budget of time for somebody who thinks: who overruns it is interrupted.

The thinking stays in its own thread, which a second one watches.  Code of the interpreter is interrupted
within a moment; a call into a library that does not return can only be found too late when it does.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

Answer = TypeVar("Answer")

AGAIN = 0.5
"""Seconds between two interrupts of somebody who does not listen to the first."""


class OverBudget(BaseException):
    """The time is over; no error that a player might catch along with its own."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else "its time is over"


def within(seconds: float, think: Callable[[], Answer]) -> Answer:
    """What ``think`` answers within so many seconds of real time; raises OverBudget if it takes longer."""
    watch = _Watch(seconds)
    late = False
    began = perf_counter()
    try:
        try:
            watch.thinking = True
            answer = think()
        finally:
            watch.end()
    except OverBudget:
        late = True
    while not watch.ended:  # the interrupt came while the watch was being ended
        try:
            watch.end()
        except OverBudget:
            late = True
    if late or perf_counter() - began > seconds:
        raise OverBudget(f"it thought longer than its budget of {seconds:g} s")
    return answer


class _Watch:
    """A thread that interrupts this one once the time is over, again and again until it is ended.

    It does so only while ``thinking`` is set, and under a lock: so nothing is interrupted before the thinking
    begins, which may take long on a busy machine, or once :meth:`end` has come through.
    """

    def __init__(self, seconds: float) -> None:
        self.thinking = False
        self.ended = False
        self._thinker = ctypes.c_ulong(threading.get_ident())
        self._lock = threading.Lock()
        self._stop = threading.Event()
        threading.Thread(target=self._watch, args=(seconds,), daemon=True).start()

    def _watch(self, seconds: float) -> None:
        while not self._stop.wait(seconds):
            with self._lock:
                if self.thinking:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thinker, ctypes.py_object(OverBudget))
            seconds = AGAIN

    def end(self) -> None:
        """Stop watching and take back an interrupt that has not come through; may be interrupted itself."""
        with self._lock:
            self.thinking = False
            ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thinker, None)
            self.ended = True
        self._stop.set()
