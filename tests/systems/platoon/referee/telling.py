"""The engine's events, taken one after the other: what the referee expects must be what is told next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.systems.platoon.referee.paper import Difference


def plain(value: Any) -> Any:
    """A fact in a form in which facts are compared."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        return value
    return [str(one) for one in value]


class Told:
    """One event as far as the referee could foresee it; what the dice decide is compared afterwards."""

    def __init__(self, code: str, facts: Mapping[str, Any]) -> None:
        self.code = code
        self.facts = facts

    def faces(self, number: int) -> list[int]:
        """The dice of the event, of which there must be so many."""
        faces = list(self.facts["faces"])
        if len(faces) != number or not all(1 <= face <= 6 for face in faces):
            raise Difference(f"{number} dice are thrown for {self.code}, not {faces}")
        return faces

    def agrees(self, code: str = "", **facts: Any) -> None:
        """What followed from the dice is what the referee makes of them."""
        if code and code != self.code:
            raise Difference(f"{self.code} was told where the dice say {code}: {dict(self.facts)}")
        for name, value in facts.items():
            if plain(self.facts.get(name)) != plain(value):
                raise Difference(f"{self.code}: {name} is {value!r}, not {self.facts.get(name)!r}")


class Telling:
    """The events of one order.  Before the first order nothing is told, and nothing is left to dice."""

    def __init__(self) -> None:
        self._events: Sequence[Any] = ()
        self._at = 0
        self.aloud = False

    def hear(self, events: Sequence[Any]) -> None:
        """The events of the next order."""
        self._events, self._at, self.aloud = events, 0, True

    def expect(self, codes: str | Sequence[str], **facts: Any) -> Told:
        """The next event is one of these codes, with these facts."""
        known = (codes,) if isinstance(codes, str) else codes
        if not self.aloud:
            return Told(known[0], facts)
        expected = f"{' or '.join(known)} {facts}"
        if self._at == len(self._events):
            raise Difference(f"{expected} should have happened and was not told")
        event = self._events[self._at]
        self._at += 1
        if event.code not in known:
            raise Difference(f"{expected} should have happened, told was {event.code} {dict(event.facts)}")
        told = Told(event.code, event.facts)
        told.agrees(**facts)
        return told

    def next_is(self, code: str) -> bool:
        """Whether an event of a code comes next."""
        return self._at < len(self._events) and self._events[self._at].code == code

    def end(self) -> None:
        """Nothing more may be told."""
        if self._at < len(self._events):
            event = self._events[self._at]
            raise Difference(f"{event.code} {dict(event.facts)} was told and should not have happened")
