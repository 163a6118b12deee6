"""The table as one seat sees it, drawn as lines of text from its view alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from rulekit.cli.output import counted, faint, seat_name, strong, table
from rulekit.cli.words import Words, place_label
from rulekit.game.moves import Move
from rulekit.game.notation import HIDDEN, Notation
from rulekit.game.prompt import Prompt
from rulekit.game.speech import width
from rulekit.game.view import View
from rulekit.program.program import StateDef
from rulekit.program.types import Int

LONG_PILE = 8  #: so many cards of a pile are shown from the top
WIDTH = 78  #: columns that lists of moves are laid out in
LONG_RANGE = 8  #: so many numbers in a row are told by the first and the last
MOST_MOVES = 60  #: so many moves are listed


def draw(view: View, words: Words) -> Iterator[str]:
    """Zones, then what is remembered."""
    yield from _zones(view, words)
    yield from _state(view, words)


def _zones(view: View, words: Words) -> Iterator[str]:
    notation, setup = Notation(words.setup), words.setup
    lines: list[tuple[str, str, bool]] = []
    for zone in setup.program.zones.values():
        places = [place for place in setup.places if place.zone == zone.name]
        for place in places:
            cards = view.zones.get(notation.place(place.number))
            if cards is None or (not cards and len(places) > 1 and zone.per != "player"):
                continue  # a slot out of use, or an empty one of many piles
            mine = zone.per == "player" and place.member == view.seat
            lines.append((place_label(notation, place, words), _cards(cards, place.kind, words), mine))
    column = max((width(label) for label, _, _ in lines), default=0)
    for label, cards_text, mine in lines:
        line = f"{label}{' ' * (column - width(label))}  {cards_text}"
        yield strong(line) if mine else line


def _cards(cards: Sequence[str], kind: str, words: Words) -> str:
    """Cards in a row: of a long pile the top, hidden ones by their number."""
    if not cards:
        return faint("-")
    if all(card == HIDDEN for card in cards):
        return words.say("{1} card" if len(cards) == 1 else "{1} cards", f"{len(cards):,}")
    if kind == "pile":
        return _pile(cards, words)
    seen = [words.text(card) for card in cards if card != HIDDEN]
    hidden = len(cards) - len(seen)
    return " ".join(seen) + (f" and {counted(hidden, 'hidden card')}" if hidden else "")


def _pile(cards: Sequence[str], words: Words) -> str:
    """A pile from the bottom: hidden cards by their number, of many open ones the top."""
    runs: list[list[str]] = []
    for card in cards:
        if runs and (runs[-1][0] == HIDDEN) == (card == HIDDEN):
            runs[-1].append(card)
        else:
            runs.append([card])
    told = []
    for run in runs:
        if run[0] == HIDDEN:
            told.append(f"({words.say('{1} hidden', str(len(run)))})")
            continue
        more = len(run) - LONG_PILE
        told += [f"({more} more)"] if more > 0 else []
        told += [words.text(card) for card in run[-LONG_PILE:]]
    return " ".join(told)


def _state(view: View, words: Words) -> Iterator[str]:
    """State of the game's own: single values in a line, values per player in a table."""
    single, tables = [], []
    for name, value in view.state.items():
        definition = words.setup.program.state[name]
        if not _worth_showing(definition) or value is None or value == HIDDEN:
            continue
        if isinstance(value, tuple) and value and all(one == HIDDEN for one in value):
            continue
        label = words.named(name, definition)
        if definition.per == "player" and isinstance(value, tuple):
            tables.append((label, *(words.value(definition.type, one) for one in value)))
        elif isinstance(value, Mapping):
            told = ", ".join(f"{key} {words.value(definition.type, one)}" for key, one in value.items())
            single.append(f"{label}: {told}")
        else:
            single.append(f"{label} {words.value(definition.type, value)}")
    yield from wrap(" | ".join(single), WIDTH) if words.speech is None else _packed(single)
    if tables and words.speech is not None:  # columns fit only letters that are one column wide
        for label, *values in tables:
            yield f"{label}: " + ", ".join(f"{seat_name(seat)} {value}" for seat, value in enumerate(values))
    elif tables:
        seats = [
            seat_name(seat) + (f" ({words.say('you')})" if seat == view.seat else "")
            for seat in range(words.setup.players)
        ]
        yield table(tables, ("", *seats), right=range(1, len(seats) + 1))


def _packed(parts: Sequence[str]) -> Iterator[str]:
    """As many parts in a line as there is room for, none of them broken."""
    line = ""
    for part in parts:
        if line and width(line) + width(part) + 3 > WIDTH:
            yield line
            line = ""
        line = f"{line} | {part}" if line else part
    if line:
        yield line


def _worth_showing(definition: StateDef) -> bool:
    """Of what blocks remember, only counts for each player are told: tricks, say."""
    return definition.block is None or (definition.per == "player" and isinstance(definition.type, Int))


def question(prompt: Prompt, words: Words) -> Iterator[str]:
    """What the seat is asked: the prose of each move that can be made, and the duty that binds."""
    seat = seat_name(prompt.seat)
    if prompt.whom == prompt.seat:
        yield strong(words.say("{1} to move", seat))
    else:
        yield strong(words.say("{1} to move, for {2}", seat, seat_name(prompt.whom)))
    if prompt.sealed:
        yield words.say("All choose at the same time; nobody sees a choice until all are made.")
    offers = [offer for offer in prompt.offers if offer.moves]
    for offer in offers:
        name = offer.name.replace("_", " ")
        told = words.told((offer.text or "").strip())
        if len(offers) > 1 and (told or offer.rule):
            told = f"{words.text(name)}: {told}" if told else words.text(name)
        if told or offer.rule:
            yield f"{told or words.text(name)}{f' ({words.duty(offer.rule)})' if offer.rule else ''}"


def numbered(moves: Sequence[Move], words: Words) -> Iterator[str]:
    """The legal moves with numbers, in columns; of a long range of numbers the first and the last."""
    shown: list[str] = []
    place = 0
    while place < len(moves) and len(shown) < MOST_MOVES:
        last = _range_end(moves, place, words)
        text = f"{place + 1}) {words.text(moves[place].text)}"
        if last > place:
            text += f" ... {last + 1}) {words.text(moves[last].text)}"
        shown.append(text)
        place = last + 1
    cell = max(map(len, shown)) + 2
    columns = max(1, WIDTH // cell)
    for first in range(0, len(shown), columns):
        yield "  " + "".join(text.ljust(cell) for text in shown[first : first + columns]).rstrip()
    if place < len(moves):
        like = f"`{words.text(moves[-1].text)}`"
        yield "  " + words.say("and {1} more, by their text, like {2}", f"{len(moves) - place:,}", like)


def _range_end(moves: Sequence[Move], first: int, words: Words) -> int:
    """The place of the last of many moves that only count up from the first; of few, the first's own."""
    last, move = first, moves[first]
    kinds = [choice.type for choice in words.setup.program.moves[move.name].choices]
    if len(kinds) != 1 or not isinstance(kinds[0], Int):
        return first
    start = move.choices[0][1]
    while last + 1 < len(moves) and moves[last + 1].name == move.name:
        if moves[last + 1].choices[0][1] != int(str(start)) + last + 1 - first:
            break
        last += 1
    return last if last - first >= LONG_RANGE else first
