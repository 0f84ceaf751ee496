"""What a step costs and who may take it: allowances (S4, S6, S7), stacking (S3), Shaken units (S4.4)."""

from __future__ import annotations

from hexengine.core.errors import Refusal
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad.firing.fire import locked
from hexengine.systems.squad.moving.vehicles import ways
from hexengine.systems.squad.orders import ASSAULT, CRAWL, DOUBLE, MODES, NORMAL, STEALTH, Move
from hexengine.systems.squad.position import SquadPosition, mf, passengers
from hexengine.systems.squad.sight.spotting import spots, spotted

DOUBLE_TIME = 2
"""MF that double time adds (S7.1)."""
NO_CAP = 99
CHANGED = ASSAULT | DOUBLE
"""Ways to move with another MF than the own."""
CAREFUL = ASSAULT | CRAWL
"""Ways to move in which a step must cost less than the whole MF (S4.5)."""
NO_LIMIT = 1 << 30
NOWHERE = -1
"""Half MP that no step costs as little as."""


def free(pos: SquadPosition, side: int) -> int:
    """The units of a side that can still be activated (S1.4)."""
    done = pos.moved | pos.assault | pos.crawl | pos.stealth | pos.fired | pos.ops | pos.aboard
    mask = pos.placed & pos.board.side_units[side] & ~done
    return mask & ~locked(pos) if pos.melee else mask


def leaders_of(pos: SquadPosition, members: int) -> int:
    """The leaders in good order among some units."""
    return members & pos.board.leaders & ~pos.shaken


def hurried(pos: SquadPosition, unit: int, members: int) -> bool:
    """Whether a unit goes at the double with these others: a leader of its family is among them (S7.1).

    Leaders themselves have no bonus, nor have weapon teams (S7.2, S7.4); Shaken units do (S7.5).
    """
    board = pos.board
    if (board.leaders | board.teams) >> unit & 1:
        return False
    return any(board.family[leader] == board.family[unit] for leader in units(leaders_of(pos, members)))


def cap_of(pos: SquadPosition, members: int, mode: int) -> int:
    """The MF of the leaders in a group at the double, its limit also when they are lost (S7.2, S7.3)."""
    if not mode & DOUBLE:
        return NO_CAP
    return min([mf(pos, leader) for leader in units(leaders_of(pos, members))], default=NO_CAP)


def allowance(pos: SquadPosition, members: int, mode: int, cap: int) -> int:
    """Half MP that a group may spend: its slowest member's (S4.2, S6.4, S7.2)."""
    if not mode & CHANGED and not members & (members - 1):
        return 2 * mf(pos, lowest(members))
    least = NO_CAP
    for unit in units(members):
        own = mf(pos, unit)
        if mode & DOUBLE:
            if hurried(pos, unit, members):
                own += DOUBLE_TIME
            own = min(own, cap)
        if mode & ASSAULT:
            own = (own + 1) // 2
        if own < least:
            least = own
    return 2 * least


def least_whole(pos: SquadPosition, members: int, mode: int) -> int:
    """The whole MF, in half MP, of the member that has least."""
    return min([whole(pos, unit, members, mode) for unit in units(members)])


def whole(pos: SquadPosition, unit: int, members: int, mode: int) -> int:
    """A member's whole MF in half MP, with double time: a step of AM or LC must cost less (S4.5)."""
    bonus = DOUBLE_TIME if mode & DOUBLE and hurried(pos, unit, members) else 0
    return 2 * (pos.board.mf[unit][pos.steps[unit]] + bonus)


BARS = {
    "stacking": "S3.2",
    "shaken-melee": "S12.1",
    "am-melee": "S6.11",
    "vehicle-melee": "S12.1",
    "shaken-closer": "S4.4",
    "all-mf": "S4.5",
    "crawled-already": "S7.10",
    "too-few-mp-assault": "S6.4",
    "too-few-mp": "S4.1",
    "no-mf": "S4.3",
}
"""Why a step cannot be taken, and by which rule."""


# -- how units may move -----------------------------------------------------------------------------


def mode_bar(pos: SquadPosition, members: int, mode: int) -> Refusal | None:
    """Why units may not move in a way, or None."""
    board = pos.board
    if members & board.vehicles:
        if members & (members - 1):
            return Refusal("S2.4", "vehicle-alone", {"unit": board.ids[lowest(members & board.vehicles)]})
        if mode & CRAWL:
            return Refusal("S7.7", "vehicle-crawls", {"unit": board.ids[lowest(members)]})
    if mode not in MODES:
        if mode & DOUBLE and mode & CRAWL:
            return Refusal("S7.6", "double-crawl", {})
        if mode & DOUBLE and mode & STEALTH:
            return Refusal("S7.6", "double-stealth", {})
        return Refusal("S2.4", "two-ways", {})
    if mode & ASSAULT:
        refusal = _assault_bar(pos, members)
        if refusal is not None:
            return refusal
    if mode & DOUBLE and (not leaders_of(pos, members) or members == leaders_of(pos, members)):
        return Refusal("S7.1", "no-leader-along", {})
    if mode & CRAWL and members & board.teams:
        return Refusal("S7.11", "team-crawls", {"unit": board.ids[lowest(members & board.teams)]})
    if mode & STEALTH and members & ~board.can_stealth:
        return Refusal("S7.12", "no-stealth", {"unit": board.ids[lowest(members & ~board.can_stealth)]})
    return None


def _assault_bar(pos: SquadPosition, members: int) -> Refusal | None:
    """S6.1: the MF must be in a red box; S6.2: leaders may go with units of their family that have one."""
    board = pos.board
    for unit in units(members & ~board.can_assault):
        facts = {"unit": board.ids[unit]}
        if not board.leaders >> unit & 1:
            return Refusal("S7.18" if board.teams >> unit & 1 else "S6.1", "not-am-capable", facts)
        here = pos.at(pos.place[unit], board.side[unit]) & board.can_assault
        if not any(board.family[other] == board.family[unit] for other in units(here)):
            return Refusal("S6.2", "leader-without-am", facts)
    return None


def modes_of(pos: SquadPosition, members: int) -> list[int]:
    """The ways in which units may move: those without a bar, in their order."""
    board = pos.board
    if members & board.vehicles:
        return [mode for mode in MODES if mode_bar(pos, members, mode) is None]
    found = [NORMAL]
    assault = not members & ~(board.can_assault | board.leaders) and (
        not members & ~board.can_assault or _assault_bar(pos, members) is None
    )
    leaders = leaders_of(pos, members) if members & board.leaders else 0
    double = bool(leaders) and members != leaders
    if assault:
        found.append(ASSAULT)
    if double:
        found.append(DOUBLE)
        if assault:
            found.append(ASSAULT | DOUBLE)
    if not members & board.teams:
        found.append(CRAWL)
    if not members & ~board.can_stealth:
        found.append(STEALTH)
    return found


# -- one step ---------------------------------------------------------------------------------------


def room(pos: SquadPosition, side: int, mask: int, place: int) -> bool:
    """Whether a place has room for some units of a side, also while they pass (S3.1, S3.2)."""
    board = pos.board
    if mask & board.vehicles:
        if ((mask | pos.at(place, side)) & board.vehicles).bit_count() > board.limit_vehicles:
            return False
        mask |= passengers(pos, lowest(mask))
    here = pos.here[side * board.places.count + place]
    weights, steps = board.weights, pos.steps
    amount = 0
    for unit in units(mask):
        amount += weights[unit][steps[unit]]
    # Half-squads, and 16 for each single man (S3.1).
    men, singles = (here & 15) + (amount & 15), (here >> 4) + (amount >> 4)
    return men <= board.limit_men and singles <= board.limit_singles


def shaken_bar(pos: SquadPosition, side: int, origin: int, place: int) -> bool:
    """Whether a Shaken unit may not take a step for a spotted enemy that it sees (S4.4)."""
    board = pos.board
    enemies = pos.taken_0 if side else pos.taken_1
    sight, smoke = board.sight, pos.smoke_1 | pos.smoke_2
    if board.options.shaken_move == "out_of_los":
        return spotted(pos, side, sight.in_view(place, enemies, smoke)) != 0
    enemies &= board.places.nearer(origin, place)
    if not enemies:
        return False
    seen = sight.in_view(origin, enemies, smoke)
    for enemy in units(seen):
        if spots(pos, side, enemy):
            return True
    enemies &= ~seen
    for enemy in units(sight.in_view(place, enemies, smoke)) if enemies else ():
        if spots(pos, side, enemy):
            return True
    return False


def cost_of(pos: SquadPosition, members: int, origin: int, place: int) -> int:
    """Half MP of a step of some units, or -1 where there is none."""
    if members & pos.board.vehicles:
        return dict(ways(pos, members, origin)).get(place, -1)
    return pos.board.places.costs[origin].get(place, -1)


class Stride:
    """What is the same for all steps of some units: how they go, how far they can, whether they began."""

    __slots__ = (
        "base",
        "began",
        "left",
        "limit",
        "members",
        "mode",
        "origin",
        "plain",
        "shaken",
        "side",
    )

    def __init__(self, pos: SquadPosition, side: int, members: int, mode: int, cap: int, began: bool) -> None:
        self.side = side
        self.members = members
        self.mode = mode
        self.began = began
        board = pos.board
        first = lowest(members)
        self.origin = pos.place[first]
        alone = not members & (members - 1)
        left = 2 * mf(pos, first) if alone and not mode & CHANGED else allowance(pos, members, mode, cap)
        wheels = members & board.vehicles
        if began or wheels:
            left -= pos.spent[first] if alone else spent_by(pos, members)
        self.left = left
        self.shaken = members & pos.shaken
        self.plain = not (self.shaken | wheels | mode & CAREFUL)
        self.base = side * board.places.count
        self.limit = least_whole(pos, members, mode) if mode & CAREFUL else NO_LIMIT
        """What a step must cost less than."""

    def clear(self) -> int:
        """What a step into a place where nobody is may cost without any other question."""
        if self.plain:
            return self.left
        if self.shaken or not self.mode & CAREFUL or (self.began and self.mode & CRAWL):
            return NOWHERE
        return self.limit - 1 if self.mode & CRAWL else min(self.left, self.limit - 1)


def spent_by(pos: SquadPosition, members: int) -> int:
    """Half MP that a group on the move has spent."""
    if members & (members - 1):
        return max([pos.spent[unit] for unit in units(members)])
    return pos.spent[lowest(members)]


def step_bar(pos: SquadPosition, stride: Stride, place: int, cost: int) -> str:
    """Why units may not take a step that there is: a code of ``BARS``, or "" if they may."""
    if pos.stacks[stride.base + place] and not room(pos, stride.side, stride.members, place):
        return "stacking"
    if stride.plain and cost <= stride.left:
        return ""
    mode = stride.mode
    if (pos.taken_0 if stride.side else pos.taken_1) >> place & 1:
        board = pos.board
        if stride.members & board.vehicles:
            return "vehicle-melee"
        if stride.shaken:
            return "shaken-melee"
        if mode & ASSAULT and not board.options.am_may_enter_melee:
            return "am-melee"
        # A stealth move may (S7.14).
    if stride.shaken and shaken_bar(pos, stride.side, stride.origin, place):
        return "shaken-closer"
    if cost >= stride.limit:
        return "all-mf"
    if mode & CRAWL:
        return "crawled-already" if stride.began else ""
    if cost <= stride.left:
        return ""
    if mode & ASSAULT:
        return "too-few-mp-assault"
    if stride.began:
        return "too-few-mp"
    # S4.3: otherwise it is the minimum move of one hex.
    return "" if stride.left > 0 else "no-mf"


def surely_steps(pos: SquadPosition, side: int, unit: int) -> bool:
    """Whether a unit plainly has a step: in good order, into a place without its own side (S4.3)."""
    if pos.shaken >> unit & 1 or pos.board.vehicles >> unit & 1 or not mf(pos, unit):
        return False
    own = pos.taken_1 if side else pos.taken_0
    return pos.board.places.linked[pos.place[unit]] & ~own != 0


def any_step(pos: SquadPosition, stride: Stride) -> bool:
    """Whether units that may move so have a legal step at all."""
    left = stride.left if stride.plain else NOWHERE
    base, stacks = stride.base, pos.stacks
    for place, cost in ways(pos, stride.members, stride.origin):
        if (cost <= left and not stacks[base + place]) or not step_bar(pos, stride, place, cost):
            return True
    return False


def steps(pos: SquadPosition, stride: Stride, found: list[Order], named_mode: int) -> None:
    """Append the legal steps of units that stand together and may move so."""
    move, members = pos.board.orders.move, stride.members
    clear, taken = stride.clear(), pos.taken_0 | pos.taken_1
    for place, cost in ways(pos, members, stride.origin):
        if (cost <= clear and not taken >> place & 1) or not step_bar(pos, stride, place, cost):
            found.append(move(members, place, named_mode))


def check_step(pos: SquadPosition, stride: Stride, order: Move) -> Refusal | None:
    """Whether units that stand together and may move so may take this very step."""
    board = pos.board
    place = order.place
    cost = cost_of(pos, stride.members, stride.origin, place)
    bar = step_bar(pos, stride, place, cost) if cost >= 0 else ""
    if cost >= 0 and not bar:
        return None
    facts = {
        "units": [board.ids[unit] for unit in units(stride.members)],
        "from": board.labels[stride.origin],
        "hex": board.labels[place],
    }
    if cost < 0:
        adjacent = (
            place < board.size
            and stride.origin < board.size
            and place in board.grid.neighbours[stride.origin]
        )
        return Refusal("S4.10", "prohibited", facts) if adjacent else Refusal("S4.1", "not-adjacent", facts)
    return Refusal(BARS[bar], bar, {**facts, "cost": cost / 2, "left": max(0, stride.left) / 2})
