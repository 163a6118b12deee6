"""Positions, deals and draws that somebody wants to have: read from text, and laid on the table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from rulekit.cards import Face
from rulekit.diagnostics import nearest
from rulekit.engine import Machine, State, chance
from rulekit.game.errors import SettingError
from rulekit.game.notation import Notation, NotationError, Value, element
from rulekit.game.wording import described, listed, quoted, whole_number
from rulekit.program import Program
from rulekit.program import expressions as e
from rulekit.program.types import Bool, Card, Collection, Int, Optional, Player, Team, Type

_GIVEN = re.compile(r"\s*([a-z][a-z0-9_]*)(?:\s+of\s+(\S.*?))?\s*")

Deal = Sequence[str | Sequence[str]]  #: for each shuffle its cards, as one text or as a list
Draws = Sequence[int | str]


class PositionError(ValueError):
    """The cards or values given cannot lie on this table."""


@dataclass
class Position:
    """What is to lie where: faces for a place (bottom first, face up or not said), values for state."""

    cards: dict[int, tuple[tuple[Face, bool | None], ...]] = field(default_factory=dict)
    values: dict[tuple[str, int | None], Value] = field(default_factory=dict)


# ---------------------------------------------------------------- laying


def lay(machine: Machine, notation: Notation, state: State, position: Position, asked: int) -> None:
    """Lays a position over a state; then `Machine.resume`.

    A given place holds exactly the given cards. Places that lose a card to it get one of the cards set free
    instead, at random, where the lost one lay; if too few were set free, from the box, then from the
    largest other zone that nobody sees; what then lacks stays short. What is left over goes to the box.
    Cards given to a pile count as played one each by the players before ``asked``. Chance is the state's own.

    Raises PositionError if a card is given to two places or is not in the pack.
    """
    given = _given_cards(machine, notation, position)
    taken = {card for cards in given.values() for card in cards}
    places = machine.setup.places
    movers = dict(enumerate(state.mover))
    free = [card for place in given for card in state.zones[place] if card not in taken]
    short = [
        place for place, cards in enumerate(state.zones) if place not in (0, *given) and taken & {*cards}
    ]
    lacking = sum(len(taken & {*state.zones[place]}) for place in short)
    box = [card for card in state.zones[0] if card not in taken]
    drained: int | None = None
    state.chance, free = chance.shuffle(state.chance, free)
    if lacking > len(free):
        state.chance, box = chance.shuffle(state.chance, box)
        moved, box = box[: lacking - len(free)], box[lacking - len(free) :]
        free += moved
    if lacking > len(free):
        drained = _largest_unseen(machine, state, (*given, *short))
    rest: list[int] = []
    if drained is not None:
        rest = list(state.zones[drained])
        count = min(lacking - len(free), len(rest))
        free += rest[len(rest) - count :]
        rest = rest[: len(rest) - count]
    zones: dict[int, tuple[int, ...]] = dict(given)
    up: dict[int, bool] = {}
    for place, faces in position.cards.items():
        up |= {card: bool(u) for card, (_, u) in zip(given[place], faces, strict=True)}
    pool = iter(free)
    for place in short:
        filled: list[int] = []
        for card in state.zones[place]:
            new = next(pool, None) if card in taken else card
            if new is None:
                continue
            filled.append(new)
            up[new] = state.up[card]
            if new != card:
                movers[new] = None
        zones[place] = tuple(filled)
    if drained is not None:
        zones[drained] = tuple(rest)
        up |= {card: state.up[card] for card in rest}
    zones[0] = (*box, *pool)
    for place, cards in given.items():
        for number, card in enumerate(cards):
            movers[card] = None
            if places[place].kind == "pile":
                movers[card] = (asked - len(cards) + number) % machine.setup.players
    moved_to = {card for cards in zones.values() for card in cards}
    for card in zones[0]:
        movers[card] = None
    machine.lay(state, zones, up, position.values, {card: movers[card] for card in moved_to})


def _given_cards(machine: Machine, notation: Notation, position: Position) -> dict[int, tuple[int, ...]]:
    """The cards for each place, equal faces being different copies."""
    pack = machine.setup.pack
    where: dict[Face, list[int]] = {}
    found: dict[int, tuple[int, ...]] = {}
    for place, faces in position.cards.items():
        cards = []
        for face, _ in faces:
            copies = pack.by_face.get(face, ())
            if not copies:
                raise PositionError(f"there is no {pack.face_text(face)} in this pack")
            used = where.setdefault(face, [])
            if len(used) == len(copies):
                spots = listed(dict.fromkeys(notation.place(spot) for spot in (*used, place)))
                raise PositionError(
                    f"{pack.face_text(face)} cannot lie in {spots.replace(', ', ' and ')} at once"
                )
            cards.append(copies[len(used)])
            used.append(place)
        found[place] = tuple(cards)
    return found


def _largest_unseen(machine: Machine, state: State, but: Sequence[int]) -> int | None:
    """The place with most cards among those that nobody sees."""
    unseen = [p.number for p in machine.setup.places[1:] if p.seen_by == "nobody" and p.number not in but]
    return max(unseen, key=lambda place: len(state.zones[place]), default=None)


# ---------------------------------------------------------------- reading


def read_position(notation: Notation, given: Mapping[str, str]) -> Position:
    """A position from texts as in a rule file's examples: `{"hand of P2": "4C QC", "trump": "hearts"}`.

    Raises SettingError (RK928) for a place or state that does not exist, or a value it cannot have.
    """
    position = Position()
    if not isinstance(given, Mapping):
        what = "a position is given by place, as in `{'hand of P1': '4S KH'}`"
        raise SettingError("RK928", f"{what}, not as {described(given)}")
    for name, text in given.items():
        try:
            _read_given(notation, str(name), str(text), position)
        except (NotationError, PositionError) as error:
            raise SettingError(
                "RK928", f"{quoted(str(name))} cannot be given {quoted(str(text))}: {error}"
            ) from None
    return position


def _read_given(notation: Notation, name: str, text: str, position: Position) -> None:
    program = notation.program
    match = _GIVEN.fullmatch(name)
    known = [*program.zones, *program.state]
    if match is None or match[1] not in known:
        close = nearest(match[1] if match else name, known)
        raise PositionError(
            "there is no such zone or state" + (f", did you mean `{close}`?" if close else "")
        )
    base, target = match[1], match[2]
    words = text.split()
    if base in program.zones:
        place, *others = _places(notation, base, target)
        if place in position.cards:
            raise PositionError("it is given twice")
        cards = _faces(notation, words, program.zones[base].seen_by == "face")
        position.cards |= {place: cards, **dict.fromkeys(others, ())}
        return
    definition = program.state[base]
    member = None
    if definition.per is not None:
        member = _member(notation, definition.per, target)
    elif target is not None:
        raise PositionError("it is one thing, not one of each")
    position.values[base, member] = read_words(notation, definition.type, words)


def _places(notation: Notation, zone: str, target: str | None) -> Sequence[int]:
    """The place that is given; then the other piles of the same player or team, which are empty."""
    definition = notation.program.zones[zone]
    groups = notation.setup.zone_places[zone]
    if definition.per is not None:
        return groups[_member(notation, definition.per, target)]
    slots = groups[0]
    if definition.kind in ("set", "pile"):
        if target is not None:
            raise PositionError("it is one thing, not one of each")
        return slots
    number = whole_number(target or "")
    if number is None or not 1 <= number <= len(slots):
        raise PositionError(f"say which one, 1 to {len(slots)}")
    return slots[number - 1 : number]


def _member(notation: Notation, per: str, target: str | None) -> int:
    """The member of a family: `P2`, `hearts` ..."""
    names = [notation.member(per, number) for number in range(notation.setup.extent(per))]
    for number, name in enumerate(names):
        if target is not None and name.casefold() == target.casefold():
            return number
    raise PositionError(f"say whose: there are {listed(names)}")


def _faces(notation: Notation, words: Sequence[str], faced: bool) -> tuple[tuple[Face, bool | None], ...]:
    if [word.casefold() for word in words] == ["empty"]:
        return ()
    found: list[tuple[Face, bool | None]] = []
    for word in words:
        if found and faced and word.casefold() in ("up", "down"):
            found[-1] = (found[-1][0], word.casefold() == "up")
        else:
            found.append((notation.faces(word)[0], None))
    return tuple(found)


def read_words(notation: Notation, of: Type, words: Sequence[str]) -> Value:
    """A value of a type from words: one, or several for a collection (`empty` or no words: none of them)."""
    if isinstance(of, Collection):
        if [word.casefold() for word in words] == ["empty"]:
            return ()
        if isinstance(element(of), Card):
            return tuple(sorted(notation.deal_out(notation.faces(" ".join(words)))))
        return tuple(
            sorted({int(v) for word in words if (v := notation.read(element(of), word)) is not None})
        )
    if len(words) != 1:
        raise NotationError(f"it takes {of}")
    return notation.read(of, words[0])


def read_python(notation: Notation, of: Type, value: object) -> Value:
    """A value of a type from a Python value: text, or a number, seat or condition as it is."""
    inner = of.of if isinstance(of, Optional) else of
    if value is None and isinstance(of, Optional):
        return None
    if isinstance(value, str):
        return read_words(notation, of, value.split())
    if isinstance(value, list | tuple) and isinstance(of, Collection):
        texts = [one if isinstance(one, str) else notation.value(element(of), one) for one in value]
        return read_words(notation, of, [word for text in texts for word in text.split()])
    if isinstance(value, bool) and isinstance(inner, Bool):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and isinstance(inner, Int | Player | Team):
        return notation.read(inner, notation.value(inner, value))
    raise NotationError(f"it takes {of}")


def read_deal(notation: Notation, deal: str | Deal | None) -> tuple[tuple[int, ...], ...]:
    """Forced shuffles: for each the cards in the order in which they leave, as `Machine.start` takes them.

    One text is one shuffle. Raises SettingError (RK928) for what is no card, or stands too often.
    """
    if deal is not None and not isinstance(deal, Sequence):
        message = f"a deal is a text of cards, or a list of shuffles, not {described(deal)}"
        raise SettingError("RK928", message)
    shuffles = [deal] if isinstance(deal, str) else list(deal or ())
    found = []
    for number, cards in enumerate(shuffles, 1):
        try:
            text = cards if isinstance(cards, str) else " ".join(str(card) for card in cards)
            found.append(notation.deal_out(notation.faces(text)))
        except (NotationError, TypeError) as error:
            why = error if isinstance(error, NotationError) else "it is not a list of cards"
            raise SettingError("RK928", f"shuffle {number} of the deal: {why}") from None
    return tuple(found)


def read_draws(notation: Notation, draws: Draws | None) -> tuple[int, ...]:
    """Forced results of `random(...)`: numbers as the engine has them (seats from 0), or text like `P2`.

    Raises SettingError (RK928) for a text that no `random(...)` of the rules can give.
    """
    if isinstance(draws, str) or (draws is not None and not isinstance(draws, Sequence)):
        raise SettingError("RK928", f"draws are a list of results, as in `['P2']`, not {described(draws)}")
    if not draws:
        return ()
    kinds = random_types(notation.program)
    found = []
    for draw in draws:
        if isinstance(draw, str):
            values = set()
            for kind in kinds:
                try:
                    values.add(notation.read(kind, draw))
                except NotationError:
                    continue
            if len(values) != 1:
                raise SettingError("RK928", f"{quoted(draw)} is no result of a random draw in these rules")
            value = values.pop()
        else:
            value = draw
        if not isinstance(value, int) or abs(value) > 2**31:
            raise SettingError("RK928", "the result of a draw is a number, or a text like `P2`")
        found.append(int(value))
    return tuple(found)


def random_types(program: Program) -> list[Type]:
    """The types of all that `random(...)` draws in a program, each once."""
    found: dict[Type, None] = {}

    def walk(node: Any) -> None:
        if isinstance(node, e.Random):
            found[element(node.domain.type)] = None
        if isinstance(node, tuple):
            for item in node:
                walk(item)
        elif isinstance(node, Mapping):
            for item in node.values():
                walk(item)
        elif hasattr(node, "__dataclass_fields__"):
            for part in fields(node):
                if part.name not in ("type", "span"):
                    walk(getattr(node, part.name))

    walk((program.play, program.phases, program.moves))
    return list(found)
