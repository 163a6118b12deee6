"""A table as it may be, for all that one seat can tell: what a bot thinks with instead of the state.

Every card that the seat does not see is taken up, all of them are shuffled and laid down again where such
cards lay; hidden state is at the START of its type, or drawn; chance is new, and forced results are
forgotten. Two positions that the seat cannot tell apart, but for the order in which hidden cards lie, give
the same table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulekit.engine import Action, Decision, Machine, State, chance
from rulekit.engine.layout import default
from rulekit.program import types as t

if TYPE_CHECKING:
    from rulekit.players.bot import Draws


class Imagined:
    """An imagined table, at which the moves of one turn can be tried."""

    def __init__(self, machine: Machine, state: State, decision: Decision, draws: Draws) -> None:
        self._machine = machine
        self._seat = decision.actor
        self._state = imagine(machine, state, decision, draws)

    def worth(self, place: int) -> float:
        """What the move at that place of the list brings at once.

        It is the sum of the seat's new receipts, less the mean of what others receive, as far as it sees
        the counters; the negative of that where the lowest score wins.
        """
        machine, before, seat = self._machine, self._state, self._seat
        after = before.copy()
        machine.apply(after, before.legal[place])
        setup = machine.setup
        mine = others = 0
        link = after.receipts
        while link is not before.receipts and link is not None:
            link, receipt = link
            if receipt.member is None or not receipt.seen >> seat & 1:
                continue
            per = setup.program.state[receipt.state].per
            if per == "player":
                own = (
                    setup.team_of(receipt.member) == setup.team_of(seat)
                    if setup.teams
                    else receipt.member == seat
                )
            elif per == "team":
                own = receipt.member == setup.team_of(seat)
            else:
                continue
            if own:
                mine += receipt.amount
            else:
                others += receipt.amount
        rivals = (setup.teams or setup.players) - 1
        gain = mine - others / rivals if rivals else float(mine)
        return gain if setup.program.end.highest else -gain


def imagine(machine: Machine, state: State, decision: Decision, draws: Draws) -> State:
    """A state that looks like this one to the seat that must decide."""
    found, seat = state.copy(), decision.actor
    places = machine.setup.places
    unseen = [
        card
        for card in range(len(state.place))
        if not sees(machine, state, seat, card)
        # Who chooses for another is shown the cards offered, as far as the other sees them.
        and not (
            decision.whom != seat
            and sees(machine, state, decision.whom, card)
            and offered(machine, state, card)
        )
    ]
    hidden = set(unseen)
    named = _hidden_names(machine, state, seat)
    # Where the unseen cards lie, in an order that does not depend on which they are: in a pile from the
    # bottom; in a set by what goes with the place of a card and not with its face.
    lying: list[int] = []
    for place, cards in zip(places, state.zones, strict=True):
        here = [card for card in cards if card in hidden]
        if place.kind != "pile":
            here.sort(key=lambda card: _apart(state, card, named))
        lying += here
    draws.state, order = chance.shuffle(draws.state, unseen)
    now = dict(zip(lying, order, strict=True))  # which card lies where this one lay
    for number, cards in enumerate(state.zones):
        changed = tuple([now.get(card, card) for card in cards])
        found.zones[number] = changed if machine.layout.is_pile[number] else tuple(sorted(changed))
    for old, new in now.items():
        found.place[new] = state.place[old]
        found.up[new] = state.up[old]
        found.mover[new] = state.mover[old]
        found.shown[new] = state.shown[old]
    for cell in hidden_cells(machine, state, seat):
        if found.cells[cell] is not None:
            found.cells[cell] = some_value(machine, cell_type(machine, cell), draws)
    _rename_locals(machine, found, now)
    found.legal = tuple(_renamed(machine, action, now) for action in state.legal)
    found.chance = chance.mix(draws.state)
    found.deal, found.draws, found.origin = (), (), None
    return found


def sees(machine: Machine, state: State, seat: int, card: int) -> bool:
    """Does the seat see the face of the card where it lies?"""
    place = state.place[card]
    if machine.layout.faced[place] and state.up[card]:
        return True
    return bool((machine.layout.sees[place] | state.shown[card]) >> seat & 1)


def offered(machine: Machine, state: State, card: int) -> bool:
    """Is the card named in a legal action?"""
    for action in state.legal:
        for value, choice in zip(
            action.values, machine.setup.program.moves[action.move].choices, strict=True
        ):
            if _of_cards(choice.type) and (card == value or (isinstance(value, tuple) and card in value)):
                return True
    return False


def _apart(state: State, card: int, named: dict[int, tuple[int, ...]]) -> tuple[int, int, tuple[int, ...]]:
    """What tells the place of a hidden card in a set from the others there."""
    mover = state.mover[card]
    return -1 if mover is None else mover, state.shown[card], named.get(card, ())


def hidden_cells(machine: Machine, state: State, seat: int) -> list[int]:
    """The cells whose value the seat may not see."""
    layout = machine.layout
    return [
        cell for cell, mask in enumerate(layout.cell_sees) if not (mask | state.cells_shown[cell]) >> seat & 1
    ]


def cell_type(machine: Machine, cell: int) -> t.Type:
    """The type of a cell; fields of slots are never hidden."""
    name, _ = machine.layout.cell_names[cell]
    return machine.layout.states[name].type


def some_value(machine: Machine, of: t.Type, draws: Draws) -> Any:
    """The START of a type; where it has none, any value: a player, a suit, a card ..."""
    setup = machine.setup
    sizes = {
        t.Player: setup.players,
        t.Team: setup.teams,
        t.Suit: len(setup.pack.suits),
        t.Card: len(setup.pack),
    }
    size = sizes.get(type(of), 0)
    return draws.below(size) if size else default(of)


def _card_locals(machine: Machine) -> list[int]:
    """The places in `State.locals` that hold a card or several."""
    program = machine.setup.program
    return [slot for number, slot in machine._scope.lasting.items() if _of_cards(program.locals[number].type)]


def _of_cards(of: t.Type) -> bool:
    while isinstance(of, t.Optional | t.Collection):
        of = of.of
    return isinstance(of, t.Card)


def _hidden_names(machine: Machine, state: State, seat: int) -> dict[int, tuple[int, ...]]:
    """For each card the locals that name it: they tell equal places apart."""
    found: dict[int, tuple[int, ...]] = {}
    for slot in _card_locals(machine):
        value = state.locals[slot]
        for card in value if isinstance(value, tuple) else (value,):
            if isinstance(card, int):
                found[card] = (*found.get(card, ()), slot)
    return found


def _rename_locals(machine: Machine, state: State, now: dict[int, int]) -> None:
    """Locals that name an unseen card name the one that lies there now."""
    for slot in _card_locals(machine):
        state.locals[slot] = _rename(state.locals[slot], now)


def _renamed(machine: Machine, action: Action, now: dict[int, int]) -> Action:
    """The action with the cards that lie there now, where it names unseen ones."""
    choices = machine.setup.program.moves[action.move].choices
    values = tuple(
        _rename(value, now) if _of_cards(choice.type) else value
        for value, choice in zip(action.values, choices, strict=True)
    )
    return Action(action.move, values)


def _rename(value: Any, now: dict[int, int]) -> Any:
    if isinstance(value, tuple):
        return tuple(sorted(_rename(one, now) for one in value))
    return now.get(value, value) if isinstance(value, int) else value
