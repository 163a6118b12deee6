"""Action numbers: fixed by file, options and players; every legal action has its own."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tables import whole_games

import rulekit
from rulekit.engine import chance
from rulekit.program.actions import STAGED


@pytest.mark.parametrize("name", whole_games())
def test_each_legal_action_has_a_row_of_numbers_of_its_own(name: str) -> None:
    rules = rulekit.load(name)
    players = rules.players[1] if name != "texas-holdem" else 4
    space, machine = rules.actions(players), rules.machine(players)
    state = machine.start(seed=3)
    stream = chance.streams(3)[1]
    for _ in range(25):
        legal = machine.legal(state)
        if not legal:
            break
        rows = [space.encode(action.move, action.values) for action in legal]
        assert len(set(rows)) == len(rows)
        assert all(0 <= number < space.size for row in rows for number in row)
        ordered = sorted(rows)
        for row, following in pairwise(ordered):
            assert following[: len(row)] != row, "no row is the beginning of another"
        plain = [row for action, row in zip(legal, rows, strict=True) if not space.is_staged(action.move)]
        assert plain == sorted(plain), "legal actions are listed in the order of their numbers"
        stream, pick = chance.below(stream, len(legal))
        machine.apply(state, legal[pick])


def test_a_choice_with_many_values_is_staged_one_card_at_a_time() -> None:
    space = rulekit.load("hucklebuck").actions(4)
    assert space.is_staged("exchange")
    row = space.encode("exchange", ((3, 7, 20),))
    assert len(row) == 1 + 3 + 1  # the move, the cards in deck order, done
    assert row[1:4] == tuple(sorted(row[1:4]))
    assert space.size < STAGED


def test_numbers_do_not_depend_on_the_deal() -> None:
    one, other = rulekit.load("hockey").actions(2), rulekit.load("hockey").actions(2)
    assert one.size == other.size
    assert [one.encode("play", (card,)) for card in range(52)] == [
        other.encode("play", (card,)) for card in range(52)
    ]
