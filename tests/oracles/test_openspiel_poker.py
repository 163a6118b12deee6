"""Kuhn and Leduc poker against OpenSpiel: the whole trees side by side, and the values of the games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from openspiel import rules, theirs
from solve import Payoffs, value

from rulekit.game import tree

KUHN = {"pass": "Pass", "fold": "Pass", "bet": "Bet", "call": "Bet"}
LEDUC = {"fold": "Fold", "check": "Call", "call": "Call", "raise": "Raise"}
RANKS = "JQKA"


@dataclass
class Trees:
    """What was found in both trees: how many nodes, and what each seat is told, ours beside theirs."""

    chance: int = 0
    decisions: int = 0
    ends: int = 0
    told: dict[tuple[int, str], int] = field(default_factory=dict)
    back: dict[tuple[int, int], str] = field(default_factory=dict)
    payoffs: Payoffs = field(default_factory=Payoffs)


def compare(
    players: int, node: tree.Node, other: Any, card: Callable[[str], int], names: dict[str, str]
) -> Trees:
    """Walks through both trees at once; they must agree in every node, probability and payoff."""
    found = Trees()

    def walk(node: tree.Node, other: Any, chance: float, sequences: tuple[int, ...]) -> None:
        if node.kind == "end":
            found.ends += 1
            assert other.is_terminal()
            assert list(node.payoffs) == other.returns()
            if players == 2:
                one, two = sequences
                found.payoffs.end(one, two, chance * node.payoffs[0])
            return
        assert not other.is_terminal()
        branches = list(tree.children(node))
        if node.kind == "chance":
            found.chance += 1
            outcomes = dict(other.chance_outcomes())
            assert len(outcomes) == len(branches)
            for branch in branches:
                action = card(branch.text)
                assert branch.probability is not None
                assert outcomes[action] == pytest.approx(float(branch.probability))
                walk(branch.node, other.child(action), chance * float(branch.probability), sequences)
            return
        found.decisions += 1
        assert node.seat is not None
        assert node.seat == other.current_player()
        actions = {other.action_to_string(node.seat, action): action for action in other.legal_actions()}
        assert {names[branch.text] for branch in branches} == set(actions)
        assert len(branches) == len(actions)
        for seat in range(
            players
        ):  # what is the same to a seat there is the same here, and the other way round
            told, text = node.information(seat), other.information_state_string(seat)
            if seat == node.seat:
                assert found.told.setdefault((seat, text), told) == told
                assert found.back.setdefault((seat, told), text) == text
        after = [sequences] * len(branches)
        if players == 2:
            mine = found.payoffs.seats[node.seat]
            moves = mine.moves(node.information(node.seat), sequences[node.seat], len(branches))
            after = [tuple(m if s == node.seat else b for s, b in enumerate(sequences)) for m in moves]
        for branch, following in zip(branches, after, strict=True):
            walk(branch.node, other.child(actions[names[branch.text]]), chance, following)

    walk(node, other.new_initial_state(), 1.0, (0,) * players)
    return found


def our_root(name: str, players: int) -> tree.Node:
    """One hand, in which the first seat acts first."""
    return tree.root(rules(name), players, phase="round", draws=[f"P{players}"])


@cache
def kuhn(players: int) -> Trees:
    game = theirs("kuhn_poker", players=players)
    return compare(players, our_root("kuhn-poker", players), game, lambda text: RANKS.index(text[0]), KUHN)


@cache
def leduc() -> Trees:
    def card(text: str) -> int:
        return 2 * RANKS.index(text[0]) + "HS".index(text[1])

    return compare(2, our_root("leduc-poker", 2), theirs("leduc_poker"), card, LEDUC)


def test_kuhn_poker_is_the_same_tree() -> None:
    found = kuhn(2)
    assert (found.chance, found.decisions, found.ends) == (4, 24, 30)
    assert len(found.told) == 12


def test_kuhn_poker_for_three_is_the_same_tree() -> None:
    found = kuhn(3)
    assert (found.chance, found.decisions, found.ends) == (17, 288, 312)
    assert len(found.told) == 48


def test_leduc_poker_is_the_same_tree() -> None:
    found = leduc()
    assert (found.chance, found.decisions, found.ends) == (157, 3_780, 5_520)
    assert found.chance + found.decisions + found.ends == 9_457
    assert len(found.told) == 936


def test_the_trees_count_themselves_alike() -> None:
    found = tree.count(our_root("kuhn-poker", 2))
    assert (found.chance, found.decisions, found.ends, found.information) == (4, 24, 30, (6, 6))


def test_kuhn_poker_is_worth_an_eighteenth_to_the_second_player() -> None:
    assert value(kuhn(2).payoffs) == pytest.approx(-1 / 18, abs=1e-9)


def test_leduc_poker_is_worth_what_is_known() -> None:
    # Known to four places: -0.0856 (M. Lanctot and others, OpenSpiel, 2019, and earlier papers).
    assert value(leduc().payoffs) == pytest.approx(-0.0856, abs=5e-5)
