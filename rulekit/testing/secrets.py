"""Does a seat learn what it may not see? Cards that it cannot see change places, and it is asked again."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.game.errors import InvalidMove
from rulekit.game.game import Game
from rulekit.game.notation import element
from rulekit.program.types import Card


def told(game: Game, seat: int) -> list[object]:
    """All that a seat is told: its view, prompt and log, and of each move it might think of why it is legal
    or refused."""
    said: list[object] = [game.view(seat).as_json(), game.log(seat), str(game.prompt(seat))]
    prompt = game.prompt(seat)
    if prompt is None:
        return said
    said += [(str(move), game.why(move).message) for move in game.legal_moves()]
    pack = game._machine.setup.pack
    cards = pack.format_cards(range(len(pack))).split()
    for offer in prompt.offers:
        for card in cards if game.rules.moves[offer.name].choices else [""]:
            try:
                said.append(game.why(f"{offer.name} {card}"))
            except InvalidMove as error:
                said.append(str(error))
    return said


def unseen(game: Game, seat: int) -> Sequence[int]:
    """The cards, by their places in the pack, that a seat does not see."""
    seen = {
        card
        for places in game._machine.view(game._state, seat).zones.values()
        for place in places
        for card in place.cards
    }
    return [card for card in range(len(game._machine.setup.pack)) if card not in seen]


def with_cards_exchanged(game: Game, one: int, other: int) -> Game:
    """The same game with two cards lying each where the other lay, all else being equal."""
    machine, state = game._machine, game._state.copy()
    exchanged = {one: other, other: one}

    def now(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(sorted(now(item) for item in value))  # type: ignore[type-var]
        return exchanged.get(value, value)  # type: ignore[call-overload]

    for number, cards in enumerate(state.zones):
        renamed = [exchanged.get(card, card) for card in cards]
        state.zones[number] = tuple(renamed if machine.layout.is_pile[number] else sorted(renamed))
    facts: Sequence[list[object]] = (state.place, state.up, state.mover, state.shown)  # type: ignore[assignment]
    for fact in facts:
        fact[one], fact[other] = fact[other], fact[one]
    for family in machine.layout.states.values():
        if isinstance(element(family.type), Card):
            for cell in family.cells:
                state.cells[cell] = now(state.cells[cell])
    for number, slot in machine._scope.lasting.items():
        if isinstance(element(game.rules.program.locals[number].type), Card):
            state.locals[slot] = now(state.locals[slot])
    copy = game.copy()
    copy._state = machine.load(state.dump())
    return copy
