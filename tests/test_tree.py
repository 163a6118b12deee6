"""The game tree with chance laid open: the same games, as probable as over all orders of the cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import factorial

import pytest
from programs import program, whole

import rulekit
from rulekit.engine import Machine, State
from rulekit.engine.table import Table
from rulekit.game import tree
from rulekit.program import prepare

#: Small games in which what chance decides is looked at in different ways.
GAMES = {
    "dealt from the top": """
  - deal 1 to hand from stock
  - ask chosen: [take, leave]
  - move hand to seen
""",
    "looked at without being moved": """
  - if suit of top of stock == hearts: [deal 2 to seen from stock]
    else:
      - ask chosen: [take, leave]
  - move top of stock to seen
""",
    "turned up at the bottom": """
  - deal 1 to seen from stock
  - if rank of bottom of stock == 3: [move bottom of stock to seen]
  - ask chosen: [take, leave]
  - move top of stock to seen
""",
    "shuffled again": """
  - move top of stock to seen
  - shuffle seen into stock
  - move top of stock to seen
  - ask chosen: [take, leave]
  - move bottom of stock to seen
""",
    "put on top and below": """
  - move top of stock to hand of chosen
  - move hand to bottom of stock
  - ask chosen: [take, leave]
  - move top of stock to hand of chosen
  - move hand to stock
  - move top of stock to seen
  - move bottom of stock to seen
""",
    "searched through": """
  - move top of (stock where suit == spades) to seen
  - ask chosen: [take, leave]
  - move top of stock to seen
""",
    "taken out of the middle": """
  - move stock where it in 2H to seen
  - move top of stock to seen
  - ask chosen: [take, leave]
""",
    "taken out from under a card that is known": """
  - if suit of bottom of stock == hearts: [move stock where it in 3S to seen]
  - ask chosen: [take, leave]
  - move top of stock to seen
""",
    "swapped": """
  - deal 1 to hand from stock
  - swap hand of chosen with bottom of stock
  - ask chosen: [take, leave]
  - move hand to seen
  - move bottom of stock to seen
""",
    "shuffled in sight of everyone": """
  - shuffle deck into seen
  - ask chosen: [take, leave]
""",
    "held in hand": """
  - deal all to hand from stock
  - ask chosen: [take, leave]
  - if any(hand of chosen where rank == 2): [shuffle hand of chosen into stock, move top of stock to seen]
""",
}
REST = """
deck: {ranks: 2 3, suits: hearts spades}
zones:
  stock: pile seen by nobody
  seen: pile seen by everyone
  hand: set per player seen by owner
state: {score: 0..9 per player, chosen: player}
moves:
  take: {text: Take., do: [score of me += count(hand) + count(seen where suit == hearts)]}
  leave: {text: Leave., do: [score of me += 1]}
end: {ranking: highest score, payoff: score}
"""
COPIES = REST.replace("suits: hearts spades", "suits: hearts, copies: 2").replace(
    "suit == hearts", "rank == 3"
)


def rules_of(game: str, rest: str = REST) -> str:
    play = f"play:\n  - chosen = random(players)\n  - shuffle deck into stock{GAMES[game]}"
    return whole(rest + play)


Courses = dict[str, Fraction]


def told(m: Machine, s: State) -> str:
    """The moves made, the faces everyone sees at the end, and the payoffs."""
    assert s.ending is not None
    assert s.ending.reason == "played out", s.ending
    moves = " ".join(f"P{event.seat} {event.move}" for event in s.events())
    seen = m.setup.pack.format_cards(s.zones[m.setup.zone_places["seen"][0][0]])
    return f"{moves}; {seen}; {m.outcome(s).payoffs}"


# ---------------------------------------------------------------- by all orders of the cards


class MoreOrders(Exception):
    """Another pile is shuffled."""


class AllOrders(Table):
    """A table where shuffled cards come to lie as it is told."""

    orders: Sequence[tuple[int, ...]] = ()

    def _shuffled(self, s: State, cards: Sequence[int], above: tuple[int, ...]) -> tuple[int, ...]:
        if not self.orders:
            raise MoreOrders(tuple(cards))
        order, *self.orders = self.orders
        return (*order, *above)


class AllOrdersMachine(Machine):
    table_class = AllOrders


def by_all_orders(text: str) -> Courses:
    """How probable each course of the game is, if every move is as likely as another."""
    m = AllOrdersMachine(prepare(program(text), 2))
    found: Courses = defaultdict(Fraction)

    def follow(run: Callable[[], State], share: Fraction, orders: tuple[tuple[int, ...], ...] = ()) -> None:
        m._table.orders = orders  # type: ignore[attr-defined]
        try:
            s = run()
        except MoreOrders as more:
            (cards,) = more.args
            for order in permutations(cards):
                follow(run, share / factorial(len(cards)), (*orders, order))
            return
        if s.ending is not None:
            found[told(m, s)] += share
        for action in m.legal(s):
            follow(lambda s=s, action=action: after(s, action), share / len(m.legal(s)))  # type: ignore[misc]

    def after(s: State, action: object) -> State:
        s = s.copy()
        m.apply(s, action)  # type: ignore[arg-type]
        return s

    for seat in range(2):
        follow(lambda seat=seat: m.start(draws=[seat]), Fraction(1, 2))  # type: ignore[misc]
    return dict(found)


# ---------------------------------------------------------------- by the tree


def by_tree(text: str) -> Courses:
    """The same by walking through the tree."""
    found: Courses = defaultdict(Fraction)

    def follow(node: tree.Node, share: Fraction) -> None:
        branches = list(tree.children(node))
        if node.kind == "end":
            assert branches == []
            found[told(node._tables.machine, node._state)] += share  # type: ignore[arg-type]
        elif node.kind == "chance":
            assert sum(branch.probability or 0 for branch in branches) == 1
        for branch in branches:
            follow(branch.node, share * (branch.probability or Fraction(1, len(branches))))

    follow(tree.root(rulekit.load(text)), Fraction(1))
    return dict(found)


@pytest.mark.parametrize("game", GAMES)
def test_a_tree_is_the_game_over_all_orders_of_the_cards(game: str) -> None:
    assert by_tree(rules_of(game)) == by_all_orders(rules_of(game))


@pytest.mark.parametrize(
    "game", [game for game in GAMES if "2H" not in GAMES[game] and "3S" not in GAMES[game]]
)
def test_equal_cards_are_one_outcome(game: str) -> None:
    text = (
        rules_of(game, COPIES).replace("suit == hearts", "rank == 3").replace("suit == spades", "rank == 2")
    )
    assert by_tree(text) == by_all_orders(text)
    first = tree.root(rulekit.load(text), draws=["P1"])
    outcomes = [(branch.text, branch.probability) for branch in tree.children(first) if branch.probability]
    assert outcomes in ([("2H", Fraction(1, 2)), ("3H", Fraction(1, 2))], [])


# ---------------------------------------------------------------- nodes


def nodes(text: str, **forced: object) -> Iterator[tree.Node]:
    return tree.walk(tree.root(rulekit.load(text), **forced))  # type: ignore[arg-type]


def test_what_nobody_looks_at_is_not_decided() -> None:
    text = rules_of("dealt from the top")
    assert tree.count(tree.root(rulekit.load(text))).chance == 1 + 2 * (1 + 4)
    shuffled = whole(f"{REST}play:\n  - chosen = random(players)\n  - shuffle deck into stock\n")
    assert tree.count(tree.root(rulekit.load(shuffled))).chance == 1


def test_a_seat_cannot_tell_apart_what_it_has_not_seen() -> None:
    decisions = [
        node for node in nodes(rules_of("dealt from the top"), draws=["P1"]) if node.kind == "decision"
    ]
    assert len(decisions) == 4 * 3
    for seat in range(2):
        assert len({node.information(seat) for node in decisions}) == 4  # its own card
    assert len({(node.information(0), node.information(1)) for node in decisions}) == 4 * 3


def test_what_a_seat_saw_before_is_remembered() -> None:
    play = """
play:
  - shuffle deck into stock
  - deal 1 to hand from stock
  - for p in players: [ask p: [leave]]
  - shuffle deck into stock
  - for p in players: [ask p: [leave]]
"""
    last = [node for node in nodes(whole(REST.replace(", chosen: player", "") + play)) if is_last(node)]
    assert len({node.information(1) for node in last}) == 4  # the card that it held in the first deal
    assert len({(node.information(0), node.information(1)) for node in last}) == 4 * 3


def is_last(node: tree.Node) -> bool:
    """The last decision of a game."""
    return node.kind == "decision" and all(branch.node.kind == "end" for branch in tree.children(node))


def test_forced_deals_and_draws_are_no_outcomes() -> None:
    text = rules_of("dealt from the top")
    found = list(nodes(text, deal="2H 3S", draws=["P2"]))
    assert [node.kind for node in found] == ["decision", "end", "end"]
    assert found[0].seat == 1


def test_a_node_that_is_no_end_has_no_payoffs() -> None:
    first = tree.root(rulekit.load(rules_of("dealt from the top")))
    assert repr(first) == "<Node: chance>"
    with pytest.raises(ValueError, match="not over"):
        _ = first.payoffs


def test_a_view_does_not_settle_what_lies_hidden() -> None:
    (node,) = [x for x in nodes(rules_of("put on top and below"), draws=["P1"]) if x.kind == "decision"][:1]
    before = tree.count(node)
    node.information(0), node.information(1)
    assert tree.count(node) == before
