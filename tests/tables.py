"""Tables for tests: any ruleset with any options and players, and games played some way into."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

import rulekit
from rulekit.game.notation import element
from rulekit.program.program import OptionDef
from rulekit.program.types import Card, Int

RULESETS = Path(__file__).parent.parent / "rulesets"


def whole_games() -> list[str]:
    """The shipped rulesets that are whole games, and the two variants that change most.

    For tests that take long: the other variants have theirs in `test_shipped_variants.py`.
    """
    texts = {path.stem: path.read_text(encoding="utf-8") for path in RULESETS.glob("*.yaml")}
    extending = {name for name, text in texts.items() if "\nextends:" in text}
    return sorted({*texts} - extending | {"hucklebuck-bid", "schnapsen"})


@cache
def rulesets() -> tuple[str, ...]:
    """The shipped games. One that does not load is left out: other tests say so."""
    return tuple(name for name in whole_games() if _loads(name))


def _loads(name: str) -> bool:
    try:
        return load(name) is not None
    except rulekit.RulesetError:
        return False


@cache
def load(name: str) -> rulekit.Ruleset:
    """A shipped ruleset, loaded once."""
    return rulekit.load(name)


def play_on(game: rulekit.Game, picks: list[int]) -> list[str]:
    """Plays on until the picks are used up or the game is over; returns the texts of the moves made."""
    made = []
    for pick in picks:
        moves = game.legal_moves()
        if not moves:
            break
        made.append(moves[pick % len(moves)].text)
        game.play(made[-1])
    return made


def picks(most: int = 60) -> st.SearchStrategy[list[int]]:
    """Numbers that choose among legal moves, whatever these are."""
    return st.lists(st.integers(0, 10_000), max_size=most)


@st.composite
def tables(draw: st.DrawFn, names: Sequence[str] | None = None) -> rulekit.Game:
    """A new game of any ruleset, with any options that go together and any number of players."""
    rules = load(draw(st.sampled_from(names or rulesets())))
    options = {
        name: draw(values(option)) for name, option in rules.program.options.items() if not option.fixed
    }
    players = draw(st.integers(*rules.players))
    seed = draw(st.integers(0, 2**64 - 1))
    try:
        return rules.with_options(
            {k: rules.program.options[k].format(v) for k, v in options.items()}
        ).new_game(players, seed)
    except rulekit.SettingError:
        return rules.new_game(players, seed)


def values(option: OptionDef) -> st.SearchStrategy[int | bool]:
    """Any value of an option; its default more often than others."""
    if option.words:
        return st.one_of(st.just(option.start), st.integers(0, len(option.words) - 1))
    if option.values:
        return st.sampled_from(option.values)
    if isinstance(option.type, Int):
        return st.one_of(st.just(option.start), st.integers(option.type.low, option.type.high))
    return st.booleans()


@st.composite
def games(draw: st.DrawFn, most: int = 60, names: Sequence[str] | None = None) -> rulekit.Game:
    """A game played some way into."""
    game = draw(tables(names))
    play_on(game, draw(picks(most)))
    return game


def with_cards_exchanged(game: rulekit.Game, one: int, other: int) -> rulekit.Game:
    """The same game with two cards lying each where the other lay, all else being equal."""
    machine, state = game._machine, game._state.copy()

    def now(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(sorted(now(item) for item in value))  # type: ignore[type-var]
        return {one: other, other: one}.get(value, value)  # type: ignore[call-overload]

    for number, cards in enumerate(state.zones):
        renamed = [{one: other, other: one}.get(card, card) for card in cards]
        state.zones[number] = tuple(renamed if machine.layout.is_pile[number] else sorted(renamed))
    for facts in (state.place, state.up, state.mover, state.shown):
        facts[one], facts[other] = facts[other], facts[one]  # type: ignore[index]
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
