"""Cases from the field, by id, as far as they are told from the rule file alone."""

from __future__ import annotations

import time

import pytest
from programs import whole

from rulekit.diagnostics import Diagnostic
from rulekit.game.loading import validate
from rulekit.source.load import shipped_rulesets


def found(rules: str) -> list[Diagnostic]:
    """The findings of a ruleset, of which only what matters need be given."""
    return validate(whole(rules))


def one(rules: str, code: str) -> Diagnostic:
    """The one finding of that code."""
    hits = [d for d in found(rules) if d.code == code]
    assert len(hits) == 1, [str(d) for d in found(rules)]
    return hits[0]


def codes(rules: str) -> list[str]:
    return [d.code for d in found(rules)]


# ---------------------------------------------------------------- STK-03: deals that do not fit

GROWING = """
players: 2..8
deck: {ranks: 2 3 4 5 6 7 8 9 10 J Q K A X Y Z V, suits: clubs diamonds hearts spades, extra: J1 J2 J3}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  trick: set seen by everyone
state:
  score: 0..9999 per player
play:
  - for size in 1..10:
      - shuffle deck into stock
      - deal size to hand from stock
      - for p in players: [ask p: [lay]]
moves:
  lay: {text: Lay., choose: {card: hand}, do: [move card to trick, score of me += 1]}
end: {ranking: highest score}
"""


def test_stk_03_hands_that_grow_to_ten_do_not_fit_eight_players() -> None:
    deal = one(GROWING, "RK630")
    assert deal.message == (
        "this deal outruns `stock` with 8 players: 8 players x 10 cards = 80, the pack has 71"
    )
    assert deal.span is not None
    assert deal.span.text == "deal size to hand from stock"
    assert "RK630" not in codes(GROWING.replace("2..8", "2..7"))


def test_stk_03_six_players_six_cards_each_from_twenty() -> None:
    rules = GROWING.replace("deck: {ranks: 2 3 4 5 6 7 8 9 10 J Q K A X Y Z V,", "deck: {ranks: A K Q J 10,")
    rules = rules.replace(", extra: J1 J2 J3", "").replace("2..8", "2..6").replace("1..10", "6..6")
    assert one(rules, "RK630").message == (
        "this deal outruns `stock` with 4 players: 4 players x 6 cards = 24, the pack has 20"
    )


def test_stk_03_the_option_at_which_a_deal_fails_is_named() -> None:
    option = "options:\n  longest: {is: 5 | 7 | 9 = 5, text: Cards each.}\nstate:"
    rules = GROWING.replace("1..10", "longest..longest").replace("state:", option)
    assert one(rules, "RK630").message == (
        "this deal outruns `stock` with 8 players and `longest: 9`: 8 players x 9 cards = 72, the pack has 71"
    )


# ---------------------------------------------------------------- LEG: asks and cascades

TRICKS = """
deck: standard
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  trick: pile seen by everyone
state:
  broken: bool
  score: 0..52 per player
define:
  led: suit of first of trick
play:
  - shuffle deck into stock
  - deal 3 to hand from stock
  - for p in players: [ask p: [MOVES]]
moves:
  play:
    text: Play.
    choose:
      card: DOMAIN
    do: [move card to trick, score of me += 1, broken = true]
  other:
    text: Play anything.
    if: {nothing is led: CONDITION}
    choose: {card: hand}
    do: [move card to trick]
end: {ranking: highest score}
"""


def tricks(domain: str, moves: str = "play", condition: str = "not broken") -> list[Diagnostic]:
    rules = TRICKS.replace("DOMAIN", domain).replace("MOVES", moves).replace("CONDITION", condition)
    return [d for d in found(rules) if d.code in ("RK640", "RK641", "RK642")]


def entries(*domains: str) -> str:
    return "".join(f"\n        - {domain}" for domain in domains)


def test_leg_03_a_ban_without_a_fallback_is_warned_of() -> None:
    (ban,) = tricks("hand where suit != hearts or broken")
    assert ban.code == "RK640"
    assert ban.help is not None
    assert "any card: hand" in ban.help
    assert tricks(entries("no hearts: hand where suit != hearts or broken", "any card: hand")) == []


def test_leg_10_clauses_with_a_gap_are_reported() -> None:
    gap = entries("follow suit: hand where suit == led", "no heart: hand where suit != hearts")
    assert [d.code for d in tricks(gap)] == ["RK640"]


def test_leg_10_clauses_that_overlap_so_that_one_never_counts_are_reported() -> None:
    dead = entries(
        "follow suit: hand where suit == led",
        "a heart that follows: hand where suit == led and suit == hearts",
        "any card: hand",
    )
    assert [(d.code, d.span.text) for d in tricks(dead) if d.span] == [("RK641", "a heart that follows")]


def test_leg_10_moves_whose_conditions_cover_every_case_are_enough() -> None:
    broken = "hand where broken"
    assert tricks(broken, "play, other") == []
    assert [d.code for d in tricks(broken, "play, other", "broken")] == ["RK640"]


def test_leg_10_the_condition_under_which_an_ask_stands_is_enough() -> None:
    narrow = "hand where suit == hearts"
    asked = "for p in players: [ask p: [MOVES]]"
    guarded = "for p in players: [if any(hand of p where suit == hearts): [ask p: [MOVES]]]"
    rules = TRICKS.replace("DOMAIN", narrow).replace("CONDITION", "broken")
    assert "RK640" in codes(rules.replace("MOVES", "play"))
    assert "RK640" not in codes(rules.replace(asked, guarded).replace("MOVES", "play"))
    spoiled = guarded.replace("[ask", "[move hand of p to trick, ask")
    assert "RK640" in codes(rules.replace(asked, spoiled).replace("MOVES", "play"))


# ---------------------------------------------------------------- TRM: endless games

BEGGAR = """
deck: standard
zones:
  stock: pile seen by nobody
  pack: pile per player seen by nobody
  table: pile seen by everyone
state:
  seat: player
  owed: 0..4
define:
  half: 26
  tax(card c): if c == none then 0 else if rank of c == A then 4 else if rank of c == K then 3 else
    if rank of c == Q then 2 else if rank of c == J then 1 else 0
play:
  - seat = random(players)
  - shuffle deck into stock
  - deal half to pack from stock starting seat
  - until any(players where count(pack) == 0):
      - move top of pack of seat to table
      - if tax(top of table) > 0:
          - owed = tax(top of table)
          - seat = left of seat
        else if owed > 0:
          - owed -= 1
          - if owed == 0:
              - seat = left of seat
              - move table to bottom of pack of seat
        else:
          - seat = left of seat
end: {ranking: highest count(pack)}
"""


def test_trm_02_a_game_without_choices_may_not_end() -> None:
    endless = one(BEGGAR, "RK621")
    assert endless.message.startswith("a game without choices may not end")
    assert endless.span is not None
    assert endless.span.text == "until any(players where count(pack) == 0)"


def test_trm_02_unless_it_is_bounded() -> None:
    bounded = BEGGAR.replace("  owed: 0..4\n", "  owed: 0..4\n  cards: 0..9999\n").replace(
        "== 0):\n      - move", "== 0) or cards == most:\n      - cards += 1\n      - move"
    )
    bounded = bounded.replace("  half: 26\n", "  half: 26\n  most: 5000\n").replace("cards", "laid_cards")
    assert "RK621" not in codes(bounded)


@pytest.mark.parametrize("name", shipped_rulesets())
def test_trm_04_every_loop_of_a_shipped_ruleset_is_shown_to_end(name: str) -> None:
    assert [d for d in validate(name) if d.code in ("RK620", "RK621", "RK695")] == []


# ---------------------------------------------------------------- EXP-03: results without bound


@pytest.mark.parametrize(
    "product",
    [" * ".join(["9"] * 60), "(" * 20 + "9" + " * 999)" * 20, "count(deck) * 99999 * 99999"],
    ids=["long", "nested", "sum"],
)
def test_exp_03_huge_products_are_refused_before_they_are_worked_out(product: str) -> None:
    rules = BEGGAR.replace("half: 26", f"half: {product}")
    validate(whole(rules))
    start = time.perf_counter()
    assert "RK519" in codes(rules)
    assert time.perf_counter() - start < 5  # generous: it takes milliseconds


def test_exp_03_defines_that_double_each_other_are_refused_at_once() -> None:
    doubling = "".join(f"  d{n}: d{n - 1} or d{n - 1} and not d{n - 1}\n" for n in range(1, 40))
    rules = BEGGAR.replace("  half: 26\n", "  half: 26\n  d0: any(table)\n" + doubling)
    rules = rules.replace("count(pack) == 0):", "count(pack) == 0) or d39:")
    start = time.perf_counter()
    assert "RK522" in codes(rules)
    assert time.perf_counter() - start < 5


def test_exp_03_piles_count_as_many_as_the_zone_has() -> None:
    rules = BEGGAR.replace(
        "  half: 26\n", "  half: 26\n  busy: any(heaps where any(heaps where any(heaps where any(it))))\n"
    )
    rules = rules.replace("zones:\n", "zones:\n  heaps: 9 piles per player seen by everyone\n", 1)
    assert "heaps" in rules
    assert "RK522" not in codes(rules)
    assert "RK522" in codes(rules.replace("9 piles", "400 piles"))


# ---------------------------------------------------------------- END, SCO


def test_end_01_a_winner_picked_without_a_rule_for_ties_is_warned_of() -> None:
    rules = TRICKS.replace("DOMAIN", "hand").replace("MOVES", "play, other").replace("CONDITION", "broken")
    picks = rules.replace("[ask p: [play, other]]", "[ask p: [play, other]]\n  - score of WHO += 1")
    tie = picks.replace("WHO", "highest(players by score)")
    assert one(tie, "RK675").help is not None
    for said in ("all_highest(players by score)", "only(all_highest(players by score))"):
        assert "RK675" not in codes(
            picks.replace("- score of WHO += 1", f"- for p in {said}: [score of p += 1]")
        )


def test_end_09_leaving_a_phase_from_a_move_is_refused_when_the_file_is_read() -> None:
    rules = TRICKS.replace("DOMAIN", "hand").replace("MOVES", "play, other").replace("CONDITION", "broken")
    phase = rules.replace(
        "play:\n  - shuffle", "play:\n  - do round\nphases:\n  round:\n  - shuffle"
    ).replace("broken = true]", "broken = true, stop round]")
    assert "RK434" in codes(phase)


def test_sco_05_an_ending_without_a_score_rule_is_refused() -> None:
    rules = TRICKS.replace("DOMAIN", "hand").replace("MOVES", "play, other").replace("CONDITION", "broken")
    without = rules.replace("end: {ranking: highest score}", "end: {limit: 1000}")
    assert [d.severity.value for d in found(without) if d.code in ("RK202", "RK429")] == ["error"]


# ---------------------------------------------------------------- definite assignment, by options

CHOSEN = """
options:
  named: {is: bool = false, text: Is trump named?}
deck: standard
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  trick: pile seen by everyone
state:
  trump: suit
  score: 0..52 per player
play:
  - shuffle deck into stock
  - deal 3 to hand from stock
  - if named: [trump = random(suits)]
  - OTHERWISE
  - for p in players: [ask p: [lay]]
  - USE
moves:
  lay: {text: Lay., choose: {card: hand}, do: [move card to trick]}
end: {ranking: highest score}
"""


def test_what_options_decide_is_looked_at_option_by_option() -> None:
    use = "if any(trick where suit == trump): [shuffle trick]"
    always = CHOSEN.replace("OTHERWISE", "if not named: [trump = suit of top of stock]").replace("USE", use)
    assert "RK612" not in codes(always)
    guarded = CHOSEN.replace("OTHERWISE", "shuffle stock").replace("USE", f"if named: [{use}]")
    assert "RK612" not in codes(guarded)
    assert "RK612" in codes(CHOSEN.replace("OTHERWISE", "shuffle stock").replace("USE", use))


# ---------------------------------------------------------------- through patterns

PAIRS = """
deck: standard
patterns:
  match: 2 cards where every(it where suit == wanted)
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  trick: pile seen by everyone
state:
  score: 0..52 per player
play:
  - do round
  - AFTERWARDS
phases:
  round:
    state: {wanted: suit}
    do:
      - shuffle deck into stock
      - deal 3 to hand from stock
      - wanted = random(suits)
      - for p in players: [ask p: [lay]]
moves:
  lay:
    text: Lay.
    choose: {card: hand}
    do: [move card to trick, if any(match from trick): [score of me += 1]]
end: {ranking: highest score}
"""


def test_state_that_a_pattern_reads_lives_as_long_as_its_phase() -> None:
    assert codes(PAIRS.replace("  - AFTERWARDS\n", "")) == []
    outside = PAIRS.replace("AFTERWARDS", "if any(match from trick): [shuffle trick]")
    assert one(outside, "RK610").message.startswith(
        "`wanted`, which `match from trick` reads, exists only while"
    )


def test_state_that_a_pattern_reads_is_assigned_before() -> None:
    assert "RK612" in codes(
        PAIRS.replace("      - wanted = random(suits)\n", "").replace("  - AFTERWARDS\n", "")
    )
