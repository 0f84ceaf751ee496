"""Transport (P5): loading and unloading, and what they leave of the MP."""

from __future__ import annotations

from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.platoon.firing.losses import set_down
from hexengine.systems.platoon.moving.movement import left_alone
from hexengine.systems.platoon.position import PlatoonPosition, stand

LOAD_INFANTRY_LIMIT = 2
"""Half MP that infantry may spend before it loads (P5.3)."""

_LOAD_RULES = {
    "not-a-carrier": "P5.1",
    "not-a-passenger": "P5.1",
    "different-formations": "P5.4",
    "not-in-hex": "P5.3",
    "disrupted-load": "P5.4",
    "shuttled-load": "P5.10",
    "full": "P5.1",
    "carrier-moved-too-far": "P5.3",
    "infantry-moved-too-far": "P5.3",
    "group-closed": "P4.3",
    "leaves-hq": "P9.1",
}


def load_bar(pos: PlatoonPosition, carrier: int, rider: int, group: int) -> str:
    """Why a carrier may not load a unit now (P5.2 to P5.4, P5.10): a code, or "" if it may.

    ``group`` is the mask of units of the open group that can still act, or -1 if none is open.
    Units whose group was closed after no more than an approach may still load.
    """
    board = pos.board
    both = 1 << carrier | 1 << rider
    if not board.transports >> carrier & 1:
        return "not-a-carrier"
    if not board.riders >> rider & 1:
        return "not-a-passenger"
    if not board.partners[board.formation[carrier]] >> rider & 1:
        return "different-formations"
    if pos.placed & both != both or pos.carried & both or pos.hex[carrier] != pos.hex[rider]:
        return "not-in-hex"
    if pos.disrupted & both:
        return "disrupted-load"
    if (pos.ops | pos.ooc | pos.fired | pos.finished & pos.shuttled) & both:
        return "not-free"
    if pos.shuttled >> rider & 1:
        return "shuttled-load"
    if pos.passengers(carrier):
        return "full"
    if pos.spent[carrier] > board.half[carrier]:
        return "carrier-moved-too-far"
    if pos.spent[rider] > LOAD_INFANTRY_LIMIT:
        return "infantry-moved-too-far"
    if group >= 0 and not group & both:
        return "group-closed"
    if board.formation[carrier] != board.formation[rider]:
        company = left_alone(pos, board.formation[rider], pos.hex[rider])
        if company >= 0 and not company & ~(1 << rider):
            return "leaves-hq"
    return ""


def check_load(pos: PlatoonPosition, carrier: int, mask: int, group: int) -> Refusal | None:
    """Whether an order to load is legal; the mask names one passenger and its support weapon."""
    board = pos.board
    riders = mask & ~board.weapons
    if not riders:
        return Refusal("P3.5", "weapon-alone", {"weapon": board.ids[lowest(mask)]})
    if riders.bit_count() != 1:
        return Refusal("P5.1", "one-passenger", {"carrier": board.ids[carrier]})
    rider = lowest(riders)
    weapon = board.weapon_of[rider]
    if mask & board.weapons & ~(1 << weapon if weapon >= 0 else 0):
        return Refusal("P3.5", "weapon-elsewhere", {"unit": board.ids[rider]})
    bar = load_bar(pos, carrier, rider, group)
    if not bar:
        return None
    if bar == "not-free":
        return _not_free(pos, 1 << carrier | 1 << rider)
    facts = {
        "carrier": board.ids[carrier],
        "unit": board.ids[rider],
        "spent": pos.spent[carrier] / 2,
        "half": board.half[carrier] / 2,
        "infantry_spent": pos.spent[rider] / 2,
    }
    return Refusal(_LOAD_RULES[bar], bar, facts)


def _not_free(pos: PlatoonPosition, both: int) -> Refusal:
    """Why one of some units cannot act any more."""
    ids = pos.board.ids
    if pos.ops & both:
        return Refusal("P4.1", "ops-complete", {"unit": ids[lowest(pos.ops & both)]})
    if pos.ooc & both:
        return Refusal("P2.2.4", "out-of-command", {"unit": ids[lowest(pos.ooc & both)]})
    finished = pos.fired | pos.finished & pos.shuttled
    return Refusal("P2.5", "finished", {"unit": ids[lowest(finished & both)]})


def idle_carriers(pos: PlatoonPosition) -> int:
    """The mask of carriers that did nothing but let their passengers off (P5.7)."""
    idle = pos.shuttled & pos.board.transports & ~(pos.moved | pos.fired)
    for carrier in units(idle):
        if pos.passengers(carrier):
            idle &= ~(1 << carrier)
    return idle


def approached(pos: PlatoonPosition, carrier: int, rider: int) -> bool:
    """Whether carrier or infantry did anything that keeps both from moving once they have loaded (P5.3)."""
    bits = 1 << carrier | 1 << rider
    return bool(pos.spent[carrier] or pos.spent[rider] or (pos.finished | pos.moved) & bits)


def load(pos: PlatoonPosition, carrier: int, rider: int, emit: Emit) -> None:
    """Load a passenger (P5.2, P5.3).  After any approach neither carrier nor passenger moves on."""
    board = pos.board
    bits = 1 << carrier | 1 << rider
    halts = approached(pos, carrier, rider)
    place = pos.hex[rider]
    stand(pos, board.side[rider], place, -1)
    pos.carried |= 1 << rider
    pos.carrier[rider] = carrier
    pos.shuttled |= bits
    pos.dismounted &= ~(1 << rider)
    if halts:
        pos.halted |= bits
        # "Then nobody moves": neither does whoever got off to make room (P5.10).
        for other in units(pos.dismounted):
            if pos.hex[other] == place:
                pos.dismounted &= ~(1 << other)
                pos.halted |= 1 << other
        if board.options.load_lock == "turn":
            pos.locked |= bits
    if emit:
        emit(
            Event(
                "P5.3" if halts else "P5.2",
                "load",
                {"carrier": board.ids[carrier], "unit": board.ids[rider], "hex": board.labels[place]},
            )
        )


def unload_bar(pos: PlatoonPosition, carrier: int, rider: int) -> str:
    """Why a carrier that can act may not unload a unit now: a code, or "" if it may.

    Disruption is no hindrance, neither the carrier's nor the passenger's (P5.8); a passenger's own marker
    is one (P2.5): it may be of another formation (option ``cross_loading``) or out of its HQ's plain radius.
    """
    if not pos.carried >> rider & 1 or pos.carrier[rider] != carrier:
        return "not-aboard"
    if (pos.ops | pos.ooc) >> rider & 1:
        return "not-free"
    if pos.shuttled >> rider & 1:
        return "shuttled-unload"
    if pos.board.water >> pos.hex[carrier] & 1:
        return "unload-water"
    if pos.spent[carrier] > pos.board.half[carrier]:
        return "unload-too-far"
    return ""


_UNLOAD_RULES = {
    "not-aboard": "P5.5",
    "shuttled-unload": "P5.10",
    "unload-too-far": "P5.5",
    "unload-water": "P14.3",
}


def check_unload(pos: PlatoonPosition, carrier: int, mask: int) -> Refusal | None:
    """Whether a carrier that can act may unload these passengers (0: all), stacking apart."""
    board = pos.board
    riders = unload_mask(pos, carrier, mask)
    if not riders:
        return Refusal("P5.5", "nobody-aboard", {"carrier": board.ids[carrier]})
    for rider in units(riders):
        bar = unload_bar(pos, carrier, rider)
        if bar == "not-free":
            return _not_free(pos, 1 << rider)
        if bar:
            facts = {
                "carrier": board.ids[carrier],
                "unit": board.ids[rider],
                "spent": pos.spent[carrier] / 2,
                "half": board.half[carrier] / 2,
            }
            return Refusal(_UNLOAD_RULES[bar], bar, facts)
    return None


def unload_mask(pos: PlatoonPosition, carrier: int, mask: int) -> int:
    """The passengers that an order to unload names."""
    if mask:
        return mask & ~pos.board.weapons
    result = 0
    for rider in pos.passengers(carrier):
        result |= 1 << rider
    return result


def unload(pos: PlatoonPosition, carrier: int, riders: int, emit: Emit) -> None:
    """Unload passengers (P5.5, P5.6).  A carrier that has moved stays; they may walk one hex."""
    board = pos.board
    place = pos.hex[carrier]
    for rider in units(riders):
        set_down(pos, rider)
        pos.spent[rider] = 0
        pos.left[rider] = pos.left[carrier]
    pos.shuttled |= riders | 1 << carrier
    pos.dismounted |= riders
    if pos.moved >> carrier & 1:
        pos.halted |= 1 << carrier
    if emit:
        emit(
            Event(
                "P5.5" if pos.moved >> carrier & 1 else "P5.6",
                "unload",
                {
                    "carrier": board.ids[carrier],
                    "units": [board.ids[rider] for rider in units(riders)],
                    "hex": board.labels[place],
                },
            )
        )
