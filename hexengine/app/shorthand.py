"""Shortened words at the prompt: verbs, ids, hexes and places by unique prefix, stacks by their hex."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from hexengine.app.words import said
from hexengine.core.errors import AmbiguousOrder, InvalidOrder

if TYPE_CHECKING:
    from hexengine.core.outlook import Outlook, Piece
    from hexengine.record.game import Game

HEX, TARGET = "HEX", "TARGET"
GROUP, ENEMY = "GROUP", "ENEMY"
"""A formation of the orderer's own, and one of the enemy's, by the names that boards show."""
MOST_CHOICES = 12


def choose(text: str, word: str, names: Iterable[str]) -> str:
    """The one name that a word is or begins; raises AmbiguousOrder or InvalidOrder about ``text``."""
    known = list(names)
    wanted = word.lower()
    if wanted in known:
        return wanted
    found = [name for name in known if name.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        raise AmbiguousOrder(text, word[:40], found)
    near = get_close_matches(wanted[:40], known, 1)
    advice = said("did you mean {word}?", word=near[0]) if near else said("help lists what can be typed")
    raise InvalidOrder(text[:80], said("there is no order or command {word!r}", word=word[:40]), advice)


def slots_of(pattern: str) -> list[tuple[str, ...]]:
    """What follows the verb in a pattern of usage: ``("UNIT",)``, ``("[", "with", "WEAPON")``."""
    parts: list[tuple[str, ...]] = []
    optional: list[str] | None = None
    for piece in pattern.replace("[", " [ ").replace("]", " ] ").split()[1:]:
        if piece == "[":
            optional = ["["]
        elif piece == "]" and optional is not None:
            parts.append(tuple(optional))
            optional = None
        elif optional is not None:
            optional.append(piece)
        else:
            parts.append((piece,))
    return parts


def without_gaps(text: str) -> str:
    """A line in which no spaces stand around commas: units are listed so, and typed so."""
    return re.sub(r"\s*,\s*", ",", text)


def _is_there(piece: Piece) -> bool:
    """Whether a unit is on the map, or may come onto it."""
    return piece.hex >= 0 or "due" in piece.states


def _letters(name: str) -> str:
    """Letters and digits of a name, in which people type it."""
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _begun(literal: str, word: str) -> list[str]:
    """Of the words ``a|b`` in a pattern, those that a typed word is or begins."""
    return [one for one in literal.split("|") if one.startswith(word.lower())]


class Shorthand:
    """What words may stand for, in one position of a game."""

    def __init__(self, game: Game) -> None:
        self.usage = game.system.usage(game.board)
        self.outlook: Outlook = game.system.view(game.position)
        self.labels: Sequence[str] = self.outlook.ground.map.grid.labels
        self._legal = {order.verb for order in game.orders()}
        decision = game.decision
        self.side = list(game.scenario.sides).index(decision.side) if decision is not None else 0

    # -- orders -------------------------------------------------------------------------------

    def expand(self, text: str) -> str:
        """The full text of a shortened order; raises AmbiguousOrder, or InvalidOrder for an unknown verb.

        A word that stands for nothing is left as it is, for those to judge who read orders.
        """
        words = without_gaps(text).split()
        if not words:
            raise InvalidOrder(text, said("it is empty"))
        verb = self.verb(text, words[0])
        return " ".join([verb, *self._arguments(text, verb, words[1:])])

    def verb(self, text: str, word: str, commands: Iterable[str] = ()) -> str:
        """The verb or command that a word is or begins.  Where all or none stand alone, the legal one is."""
        names = sorted({*self.usage, *commands})
        found = [name for name in names if name.startswith(word.lower())]
        alone = {name in self.usage and self.usage[name].pattern == name for name in found}
        alike = len(alone) == 1 and self.usage.keys() >= set(found)
        legal = [name for name in found if name in self._legal] if alike else []
        return legal[0] if len(legal) == 1 else choose(text, word, names)

    def _arguments(self, text: str, verb: str, words: list[str]) -> list[str]:
        """The words behind a verb, each as what its place calls for."""
        found: list[str] = []
        left = list(words)
        for part in slots_of(self.usage[verb].pattern):
            kinds = part[1:] if part[0] == "[" else part
            if not left:
                break
            if kinds[0].islower() and not _begun(kinds[0], left[0]):
                continue
            for kind in kinds:
                if left:
                    word = left.pop(0)
                    found.append(
                        (_begun(kind, word) or [word])[0] if kind.islower() else self.named(text, kind, word)
                    )
        return found + left

    def named(self, text: str, kind: str, word: str) -> str:
        """What a word stands for where a unit, units or a hex are called for."""
        if kind.startswith(HEX):
            whole = self.place(text, word)
            if whole in self.labels or "/" not in word:
                return whole
            # A floor, or a bunker.
            place, slash, rest = word.partition("/")
            return self.place(text, place) + slash + rest
        if kind in (GROUP, ENEMY):
            return self.group(text, kind, word)
        if not word.strip(","):
            return word
        return ",".join(self.unit(text, kind, part) for part in word.split(",") if part)

    # -- units and hexes ----------------------------------------------------------------------

    def place(self, text: str, word: str) -> str:
        """A hex by its label, the beginning of one, or the beginning of a place's name."""
        if word in self.labels:
            return word
        if word.isdigit():
            found = [label for label in self.labels if label.startswith(word)]
        else:
            wanted = _letters(word)
            found = [
                self.labels[place]
                for place, name in self.outlook.ground.names.items()
                if wanted and _letters(name).startswith(wanted)
            ]
        return self._one(text, word, found)

    def unit(self, text: str, kind: str, word: str) -> str:
        """A unit by its id or the beginning of one; or all units of a hex that can act, by the hex."""
        pieces = self.outlook.pieces
        if any(piece.unit == word for piece in pieces):
            return word
        theirs = kind == TARGET
        mine = [piece for piece in pieces if (piece.side != self.side) == theirs]
        if word in self.labels:
            return self._units_in(text, kind, word, mine)
        there = [piece for piece in mine if _is_there(piece)]
        # Who of the others is nowhere to be seen is not told either by what a word is completed to.
        seen = [piece for piece in pieces if piece.side == self.side or _is_there(piece)]
        for group in (there, [piece for piece in mine if piece in seen], seen):
            found = [piece.unit for piece in group if piece.unit.lower().startswith(word.lower())]
            if found:
                return self._one(text, word, found)
        return word

    def group(self, text: str, kind: str, word: str) -> str:
        """A formation by its name or the beginning of one, by one of its units, or the hex it has alone.

        Raises AmbiguousOrder, or InvalidOrder for a hex that none is in.
        """
        pieces = [piece for piece in self.outlook.pieces if (piece.side != self.side) == (kind == ENEMY)]
        names = list(dict.fromkeys(piece.group for piece in pieces))
        if word in names:
            return word
        if word in self.labels:
            place = self.labels.index(word)
            there = list(dict.fromkeys(piece.group for piece in pieces if piece.hex == place))
            if not there:
                raise self._nobody(text, kind == ENEMY, word)
            return self._one(text, word, there)
        found = [name for name in names if name.lower().startswith(word.lower())]
        return self._one(text, word, found or [piece.group for piece in pieces if piece.unit == word])

    def _units_in(self, text: str, kind: str, label: str, mine: Sequence[Piece]) -> str:
        place = self.labels.index(label)
        here = [piece for piece in mine if piece.hex == place and not (piece.attached or piece.carrier)]
        theirs = kind == TARGET
        if theirs:
            here = [piece for piece in here if not piece.leader]
        else:
            here = [piece for piece in here if piece.ready] or here
        if not here and kind in (TARGET, "UNIT", "UNITS"):
            raise self._nobody(text, theirs, label)
        if kind == "UNITS" and here:
            return ",".join(piece.unit for piece in here)
        return self._one(text, label, [piece.unit for piece in here])

    @staticmethod
    def _nobody(text: str, theirs: bool, label: str) -> InvalidOrder:
        """A hex was named for the units in it, and none is there that could be meant."""
        message = "no enemy unit stands in {hex}" if theirs else "none of your units that can act is in {hex}"
        return InvalidOrder(text, said(message, hex=label))

    def _one(self, text: str, word: str, found: Sequence[str]) -> str:
        if len(found) > 1:
            shown = [*found[:MOST_CHOICES], *(["..."] if len(found) > MOST_CHOICES else [])]
            raise AmbiguousOrder(text, word, shown)
        return found[0] if found else word

    # -- completion ---------------------------------------------------------------------------

    def completions(self, line: str, word: str, commands: Mapping[str, str]) -> list[str]:
        """What the last word of a line may become; ``word`` is that word as far as it is typed.

        ``commands`` may stand in place of an order, each with what may follow it.
        """
        before = line[: len(line) - len(word)].replace(",", ", ").split()
        if not before:
            names: Iterable[str] = sorted({*self.usage, *commands})
        elif self._begins(before[0], self.usage) or not self._begins(before[0], commands):
            names = self._at(self._kind_at(before), word)
        else:
            follows = commands[self._begins(before[0], commands)[0]]
            if "ORDER" in follows:
                return self.completions(line.lstrip().partition(" ")[2].lstrip(), word, {})
            if "VERB" in follows:
                names = sorted({*self.usage, *commands}) if len(before) == 1 else ()
            elif HEX in follows:
                names = [*self._at("", word), *self._at(HEX, word)]
            else:
                names = ()
        return [name for name in names if name.lower().startswith(word.lower())]

    @staticmethod
    def _begins(word: str, names: Iterable[str]) -> list[str]:
        """Those names that a word is, or if none that it begins."""
        found = [name for name in names if name.startswith(word.lower())]
        return [word.lower()] if word.lower() in found else found

    def _at(self, kind: str, word: str) -> Iterable[str]:
        """What may stand where a kind of word is called for; hexes only where one is begun."""
        if kind.startswith(HEX):
            names = self.outlook.ground.names.values()
            places = ["".join(sign for sign in name if sign.isalnum()) for name in names]
            floors = self.outlook.floors if "/" in word else ()
            return [*self.labels, *floors, *dict.fromkeys(places)] if word else ()
        if kind.islower():
            return kind.split("|")
        if kind in (GROUP, ENEMY):
            theirs = kind == ENEMY
            groups = [piece.group for piece in self.outlook.pieces if (piece.side != self.side) == theirs]
            return dict.fromkeys(groups)
        return [
            piece.unit
            for piece in self.outlook.pieces
            if _is_there(piece) and (kind == "" or (piece.side != self.side) == (kind == TARGET))
        ]

    def _kind_at(self, before: list[str]) -> str:
        """What is called for behind these words; "" if anything may be."""
        verbs = [verb for verb in self.usage if verb.startswith(before[0].lower())]
        if len(verbs) != 1:
            return ""
        flat = [kind for part in slots_of(self.usage[verbs[0]].pattern) for kind in part if kind != "["]
        number = len([word for word in before[1:] if not word.endswith(",")])
        return flat[number] if number < len(flat) else ""
