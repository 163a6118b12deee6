"""Moves and legality: obligations, conditions, equal copies, order of actions, and why a move is refused."""

from __future__ import annotations

from programs import cards, machine, play, state, texts

from rulekit.engine import Action, Machine, State

DUTY = """
zones: {stock: pile seen by nobody, hand: set per player seen by owner, trick: pile seen by everyone}
deck: {ranks: 2 3 4 5, suits: clubs hearts spades}
define: {led: suit of first of trick, one: lowest(players by 0)}
play:
  - shuffle deck into stock
  - deal 3 to hand from stock
  - ask one: [lead]
  - ask left of one: [follow, fold]
moves:
  fold: {if: {one spade is held: any(hand where suit == spades)}, do: []}
  lead: {choose: {card: hand}, do: [move card to trick]}
  follow:
    choose:
      card:
        - follow suit: hand where suit == led
        - trump: hand where suit == hearts
        - any card: hand
    do: [move card to trick]
"""


def dealt(first: str, second: str, rules: str = DUTY) -> tuple[Machine, State]:
    """A game in which the two hands are these."""
    m = machine(rules)
    mixed = [word for pair in zip(first.split(), second.split(), strict=True) for word in pair]
    return m, m.start(deal=[cards(m, " ".join(mixed))])


def refused(m: Machine, s: State, text: str) -> tuple[str, str | None, str]:
    """Kind, label and binding cards of the refusal of a move with a card."""
    move, *names = text.split()
    refusal = m.refusal(s, move, cards(m, " ".join(names)))
    assert refusal is not None
    return refusal.kind, refusal.label, m.setup.pack.format_cards(refusal.binding)


def test_the_first_obligation_that_can_be_met_binds() -> None:
    m, s = dealt("2C 3C 4C", "5C 2H 2S")
    assert texts(m, s) == ["lead 2C", "lead 3C", "lead 4C"]
    play(m, s, "lead 2C")
    # Moves in the order of the file, whatever the order of the ask.
    assert texts(m, s) == ["fold", "follow 5C"]
    assert refused(m, s, "follow 2H") == ("choice", "follow suit", "5C")
    m, s = dealt("2C 3C 4C", "3S 2H 2S")
    play(m, s, "lead 2C")
    assert texts(m, s) == ["fold", "follow 2H"]
    assert refused(m, s, "follow 2S") == ("choice", "trump", "2H")
    m, s = dealt("2C 3C 4C", "3S 4S 2S")
    play(m, s, "lead 2C")
    assert texts(m, s) == ["fold", "follow 2S", "follow 3S", "follow 4S"]
    assert refused(m, s, "follow 5S") == ("choice", "any card", "2S 3S 4S")


def test_a_condition_that_reads_no_choice_explains_the_whole_move() -> None:
    m, s = dealt("2C 3C 4C", "5C 2H 3H")
    play(m, s, "lead 2C")
    refusal = m.refusal(s, "fold")
    assert refusal is not None
    assert (refusal.kind, refusal.label) == ("condition", "one spade is held")
    assert refusal.span is not None
    assert refusal.span.text == "one spade is held"


def test_a_move_that_is_not_asked_and_a_game_that_is_over_are_said() -> None:
    m, s = dealt("2C 3C 4C", "5C 2H 2S")
    assert refused(m, s, "fold")[0] == "not asked"
    assert refused(m, s, "sing")[0] == "not asked"
    play(m, s, "lead 2C", "fold")
    assert refused(m, s, "fold")[0] == "over"


def test_values_too_few_or_too_many_are_told() -> None:
    m, s = dealt("2C 3C 4C", "5C 2H 2S")
    assert refused(m, s, "lead 2C 3C")[0] == "values"
    assert refused(m, s, "lead")[0] == "values"


def test_looking_leaves_no_trace() -> None:
    m, s = dealt("2C 3C 4C", "5C 2H 2S")
    before = s.dump()
    m.legal(s)
    m.refusal(s, "lead", cards(m, "5S"))
    m.refusal(s, "lead", cards(m, "2C"))
    m.view(s, 1)
    assert s.dump() == before


CHOICES = """
zones: {stock: pile seen by nobody, hand: set per player seen by owner, row: pile seen by everyone}
deck: {ranks: 2 3 4, suits: clubs hearts}
state: {log: 0..9999999}
define: {one: lowest(players by 0)}
play: [shuffle deck into stock, deal 3 to hand from stock, ask one: [pair_up]]
moves:
  pair_up:
    choose:
      n: 1..3
      cards: n from (hand where number > 1)
      last_one: (hand - cards) where suit == hearts
    if: {it adds up: n + number of last_one == 4}
    do: [log = n]
"""


def test_a_choice_is_legal_only_if_it_can_be_completed() -> None:
    m, s = dealt("3C 4C 3H", "2C 2H 4H", CHOICES)
    # With two cards the 3H must be left; with one the condition asks for number 3; with three none is left.
    assert texts(m, s) == ["pair_up 2 3C 4C 3H"]
    refusal = m.refusal(s, "pair_up", (3,))
    assert refusal is not None
    assert (refusal.kind, refusal.choice) == ("dead end", "cards")
    refusal = m.refusal(s, "pair_up", (1, cards(m, "3C"), cards(m, "3H")[0]))
    assert refusal is not None
    assert (refusal.kind, refusal.label) == ("condition", "it adds up")


COPIES = """
zones: {stock: pile seen by nobody, hand: set per player seen by owner, row: pile seen by everyone}
deck: {ranks: 2 3, suits: clubs hearts, copies: 2}
state: {taken: card?}
define: {one: lowest(players by 0)}
play:
  - shuffle deck into stock
  - deal 4 to hand from stock
  - ask one: [lay]
  - ask one: [give]
moves:
  lay: {choose: {card: hand where it != taken}, do: [taken = lowest(hand by 0)]}
  give: {choose: {cards: 2 from (hand where it != taken)}, do: [move cards to row]}
"""


def test_of_equal_copies_the_first_is_offered() -> None:
    m = machine(COPIES)
    # Cards 0 and 1 are the 2C, 2 and 3 the 3C.
    s = m.start(deal=[(1, 4, 0, 5, 2, 6, 3, 7)])
    assert m.legal(s) == [Action("lay", (0,)), Action("lay", (2,))]
    refusal = m.refusal(s, "lay", (1,))
    assert refusal is not None
    assert refusal.kind == "copy"
    m.apply(s, m.legal(s)[0])
    # The first 2C may not be given now, so the second stands for its face; each pair of faces once.
    assert state(m, s, "taken") == 0
    assert [action.values for action in m.legal(s)] == [((1, 2),), ((2, 3),)]


def test_the_order_of_actions_is_that_of_values_not_of_the_domain() -> None:
    rules = """
zones: {stock: pile seen by nobody, row: pile seen by everyone}
deck: {ranks: 2 3 4, suits: clubs hearts}
define: {one: lowest(players by 0)}
play: [shuffle deck into stock, deal all to row, ask left of one: [take, name_one]]
moves:
  take: {choose: {card: row}, do: []}
  name_one: {choose: {p: players starting me, sure: bool}, do: []}
"""
    m = machine(rules)
    s = m.start(deal=[cards(m, "4H 2C 3H 4C 2H 3C")])
    assert texts(m, s) == [
        *(f"take {card}" for card in ("2C", "3C", "4C", "2H", "3H", "4H")),
        *("name_one 0 false", "name_one 0 true", "name_one 1 false", "name_one 1 true"),
    ]
