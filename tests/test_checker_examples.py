"""Examples in rule files: every seat, name, card and value is looked at before anything is played."""

from __future__ import annotations

import pytest
from checking import Broken, also, check, game, program

from rulekit.program import expressions as e
from rulekit.program import types as t

#: The keys of an example beside its title; code, underlined text, message, suggestion.
EXAMPLES = (
    ("players: 3, then: [n == 0]", "RK824", "3", "an example with 3 players"),
    (
        "options: {opt: y_wrd}, then: [n == 0]",
        "RK405",
        "y_wrd",
        "`y_wrd` is not a value of `opt`",
        "y_word",
    ),
    (
        "options: {op: y_word}, then: [n == 0]",
        "RK401",
        "op",
        "there is no option `op`",
        "opt",
    ),
    (
        "options: {num: 9}, then: [n == 0]",
        "RK405",
        "9",
        "`9` is not a value of `num`",
    ),
    (
        "options: {yes_no: yes}, then: [n == 0]",
        "RK405",
        "yes",
        "`yes` is not a value of `yes_no`",
        "true",
    ),
    (
        "given: {hand of P3: 4C}, then: [n == 0]",
        "RK824",
        "P3",
        "there is no seat P3 among 2 players",
    ),
    (
        "given: {hand of P0: 4C}, then: [n == 0]",
        "RK824",
        "P0",
        "there is no seat P0 among 2 players",
    ),
    ("given: {hand: 4C}, then: [n == 0]", "RK404", "hand", "whose `hand`?"),
    (
        "given: {hand of dealer: 4C}, then: [n == 0]",
        "RK501",
        "dealer",
        "`hand` is per player, and `dealer` cannot stand here",
    ),
    (
        "given: {hand of left of P1: 4C}, then: [n == 0]",
        "RK501",
        "left of P1",
        "`hand` is per player, and `left of P1` cannot stand here",
    ),
    (
        "given: {hand of hearts: 4C}, then: [n == 0]",
        "RK501",
        "hearts",
        "`hand` is per player, and `hearts` cannot stand here",
    ),
    (
        "given: {hand of P1: 4X}, then: [n == 0]",
        "RK408",
        "4X",
        "the pack has no card `4X`",
    ),
    (
        "given: {hand of P1: 4}, then: [n == 0]",
        "RK408",
        "4",
        "the pack has no card `4`",
        "4S",
    ),
    (
        "given: {hand of P1: none}, then: [n == 0]",
        "RK408",
        "none",
        "the pack has no card `none`",
    ),
    (
        "given: {hand of P1: 4C empty}, then: [n == 0]",
        "RK408",
        "empty",
        "the pack has no card `empty`",
    ),
    (
        "given: {hand of P1: 4C 4C}, then: [n == 0]",
        "RK828",
        "4C",
        "`4C` lies in `hand of P1`, twice",
    ),
    (
        "given: {hand of P1: 4C, hand of P2: 4C}, then: [n == 0]",
        "RK828",
        "4C",
        "`4C` lies in `hand of P1` and `hand of P2`",
    ),
    (
        "given: {hnd of P1: 4C}, then: [n == 0]",
        "RK401",
        "hnd",
        "there is no zone or state `hnd`",
        "hand",
    ),
    (
        "given: {trick: 4C up}, then: [n == 0]",
        "RK826",
        "up",
        "cards in `trick` lie neither up nor down",
    ),
    (
        "given: {column of 9: 4C}, then: [n == 0]",
        "RK501",
        "9",
        "`column` is per number, and `9` cannot stand here",
    ),
    ("given: {column: 4C}, then: [n == 0]", "RK404", "column", "whose `column`?"),
    (
        "given: {foundation: AH}, then: [n == 0]",
        "RK404",
        "foundation",
        "whose `foundation`?",
    ),
    (
        "given: {foundation of P1: AH}, then: [n == 0]",
        "RK501",
        "P1",
        "`foundation` is per suit, and `P1` cannot stand here",
    ),
    (
        "given: {stock of P1: 4C}, then: [n == 0]",
        "RK418",
        "P1",
        "`stock` is one thing, not one of each",
    ),
    (
        "given: {box: 4C}, then: [n == 0]",
        "RK401",
        "box",
        "there is no zone or state `box`",
    ),
    (
        "given: {points: 3}, then: [n == 0]",
        "RK401",
        "points",
        "there is no zone or state `points`",
    ),
    (
        "given: {opt: y_word}, then: [n == 0]",
        "RK401",
        "opt",
        "there is no zone or state `opt`",
    ),
    ("given: {n: 300}, then: [n == 0]", "RK425", "300", "`n` cannot be 300"),
    ("given: {n: -1}, then: [n == 0]", "RK425", "-1", "`n` cannot be -1"),
    ("given: {n: x}, then: [n == 0]", "RK401", "x", "nothing is called `x` here"),
    (
        "given: {n: true}, then: [n == 0]",
        "RK501",
        "true",
        "`n` is a number, and is given a condition",
    ),
    ("given: {n: 3 4}, then: [n == 0]", "RK827", "3 4", "`n` is given 2 values"),
    (
        "given: {flag: yes}, then: [n == 0]",
        "RK401",
        "yes",
        "nothing is called `yes` here",
        "true",
    ),
    (
        "given: {dealer: P3}, then: [n == 0]",
        "RK824",
        "P3",
        "there is no seat P3 among 2 players",
    ),
    (
        "given: {dealer: none}, then: [n == 0]",
        "RK501",
        "none",
        "`dealer` is a player, and is given none",
    ),
    (
        "given: {trump: heart}, then: [n == 0]",
        "RK401",
        "heart",
        "nothing is called `heart` here",
        "hearts",
    ),
    (
        "given: {trump: H}, then: [n == 0]",
        "RK405",
        "H",
        "`H` is not a suit",
        "hearts",
    ),
    (
        "given: {word: c_word}, then: [n == 0]",
        "RK405",
        "c_word",
        "`c_word` is not a word of `word`",
        "b_word",
    ),
    (
        "given: {word: x_word}, then: [n == 0]",
        "RK501",
        "x_word",
        "`word` is a word of `word`, and is given a word of `opt`",
    ),
    (
        "given: {who: P3}, then: [n == 0]",
        "RK824",
        "P3",
        "there is no seat P3 among 2 players",
    ),
    (
        "given: {seen: Q}, then: [n == 0]",
        "RK501",
        "Q",
        "`seen` is a set of cards, and is given a rank",
    ),
    (
        "given: {best_card: QS KS}, then: [n == 0]",
        "RK827",
        "QS KS",
        "`best_card` is given 2 values",
    ),
    ("given: {score: 3}, then: [n == 0]", "RK404", "score", "whose `score`?"),
    (
        "given: {n of P1: 3}, then: [n == 0]",
        "RK418",
        "P1",
        "`n` is one thing, not one of each",
    ),
    ("when: [P1 laed 4C]", "RK406", "laed", "there is no move `laed`", "lead"),
    ("when: [P3 lead 4C]", "RK824", "P3", "there is no seat P3 among 2 players"),
    ("when: [P1 plain]", "RK406", "plain", "there is no move `plain`"),
    ("when: [P1 lead 4X]", "RK408", "4X", "the pack has no card `4X`"),
    ("when: [P1 lead]", "RK829", "P1 lead", "move `lead` is given no values"),
    ("when: [P1 lead 4C 5C]", "RK829", "5C", "move `lead` is given 2 values"),
    ("when: [P1 lead hearts]", "RK408", "hearts", "the pack has no card `hearts`"),
    ("when: [P1 leave 4C]", "RK829", "4C", "move `leave` is given 1 value"),
    ("allowed: {P1 laed: 4C}", "RK406", "laed", "there is no move `laed`", "lead"),
    ("allowed: {P1 lead: 4X}", "RK408", "4X", "the pack has no card `4X`"),
    (
        "allowed: {P3 lead: 4C}",
        "RK824",
        "P3",
        "there is no seat P3 among 2 players",
    ),
    ("allowed: {P1 leave: 4C}", "RK829", "P1 leave", "move `leave` has no choices"),
    (
        "refused: {P1 follow 4C: it is opn}",
        "RK825",
        "it is opn",
        "move `follow` has no rule `it is opn`",
        "it is open",
    ),
    ("refused: {P1 lead 4C: no}", "RK825", "no", "move `lead` has no rule `no`"),
    (
        "refused: {P1 folow 4C: it is open}",
        "RK406",
        "folow",
        "there is no move `folow`",
        "follow",
    ),
    (
        "refused: {P1 follow 4X: it is open}",
        "RK408",
        "4X",
        "the pack has no card `4X`",
    ),
    (
        "then: [n]",
        "RK503",
        "n",
        "here stands a number, where a condition is needed",
    ),
    ("then: [score == 1]", "RK404", "score", "whose `score`?"),
    (
        "then: [score of P3 == 1]",
        "RK824",
        "P3",
        "there is no seat P3 among 2 players",
    ),
    ("then: [me == dealer]", "RK410", "me", "`me` is read where nobody is asked"),
    (
        "then: [P11 == dealer]",
        "RK824",
        "P11",
        "there is no seat P11 among 2 players",
    ),
    (
        "run: rond(P1; 3), then: [n == 0]",
        "RK407",
        "rond",
        "there is no phase `rond`",
        "round",
    ),
    (
        "run: round, then: [n == 0]",
        "RK421",
        "round",
        "phase `round` is given no things",
    ),
    (
        "run: round(P3; 3), then: [n == 0]",
        "RK824",
        "P3",
        "there is no seat P3 among 2 players",
    ),
    ("run: lead, then: [n == 0]", "RK407", "lead", "there is no phase `lead`"),
    (
        "run: round(3; 3), then: [n == 0]",
        "RK501",
        "3",
        "`p` is a number, where a player is needed",
    ),
    ("given: {n: 3}", "RK823", "T", "the example says nothing that must hold"),
)


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: f"{row[1]}-{row[0]}"[:60])
def test_an_example_that_cannot_hold_is_blamed_at_the_word(row: tuple[str, ...]) -> None:
    text, *rest = row
    Broken("examples", f"[{{title: T, {text}}}]", *rest).verify()


# ------------------------------------------------------------ CON-06


def test_con_06_a_card_lies_in_one_place() -> None:
    row = "[{title: T, given: {hand of P1: AC 2C, hand of P2: AC}, then: [n == 0]}]"
    Broken("examples", row, "RK828", "AC", "`AC` lies in `hand of P1` and `hand of P2`").verify()
    _, found = check(game(examples=row))
    assert [d.expected for d in found] == ["each card in one place"]


def test_con_06_with_copies_a_card_may_lie_in_as_many_places() -> None:
    pack = {"deck": "{ranks: 8 10 A, suits: clubs hearts, copies: 2}"}
    twice = "[{title: T, given: {hand of P1: AC AC}, then: [n == 0]}]"
    assert program(examples=twice, **pack).examples
    message = "`AC` lies in `hand of P1` and `trick`"
    thrice = "[{title: T, given: {hand of P1: AC AC, trick: AC}, then: [n == 0]}]"
    Broken("examples", thrice, "RK828", "AC", message).verify(**pack)


def test_con_06_a_card_that_is_left_out_of_the_pack_is_not_there() -> None:
    pack = {"deck": "{ranks: 8 10 A, suits: clubs hearts, without: AC}"}
    row = "[{title: T, given: {hand of P1: AC}, then: [n == 0]}]"
    Broken("examples", row, "RK408", "AC", "the pack has no card `AC`").verify(**pack)


def test_con_06_an_unknown_card_is_named() -> None:
    row = "[{title: T, given: {hand of P1: 1X}, then: [n == 0]}]"
    Broken("examples", row, "RK408", "1X", "the pack has no card `1X`").verify()


# ------------------------------------------------------------ what is allowed


def test_everything_an_example_may_say() -> None:
    made = program(
        players="2..4",
        teams="",
        examples="""
            - title: All of it
              players: 3
              options: {opt: y_word, num: 5, yes_no: true}
              given:
                hand of P1: 4C QC 10H
                hand of P3: empty
                column of 3: 9H up 8H down
                foundation of hearts: AH
                melds of P2: 2S 3S
                trump: hearts
                led: none
                n: 7
                d: -3
                flag: true
                dealer: P2
                anyone: none
                who: P1 P3
                seen: QS KS
                best_card: AC
                word: b_word
                maybe: none
                score of P2: 12
                place: stock
                here: 3
              when: [P1 lead 4C, P2 leave]
              then: [score of P2 == 12, count(hand of P1) == 2, P1 != dealer, here == 3]
              allowed: {P1 follow: 4C QC}
              refused: {P1 follow 4C: it is open, P1 follow QC: follow suit}
            - {title: A phase alone, run: round(P2; 3), then: [n == 0]}
            """,
    ).examples
    first, second = made
    assert first.players == 3
    assert first.options == (("opt", 1), ("num", 5), ("yes_no", True))
    assert [len(place.cards) for place in first.given if place.cards is not None] == [3, 0, 2, 1, 2]
    assert first.given[2].cards is not None
    assert [up for _, up in first.given[2].cards] == [True, False]
    assert first.events[0].words == ("4C",)
    assert second.run == ("round", (e.Constant(1, type=t.PLAYER), e.Constant(3, type=t.Int())))


def test_teams_are_named_by_a_player() -> None:
    made = program(
        players="4",
        teams="across",
        zones="""
            stock: pile seen by nobody
            hand: set per player seen by owner
            trick: pile seen by everyone
            won: set per team seen by nobody""",
        examples="[{title: T, given: {won of team of P1: 4C, won of P2: 5C}, then: [any(won of P1)]}]",
    )
    assert [type(place.index).__name__ for place in made.examples[0].given] == ["TeamOf", "TeamOf"]


def test_several_cards_are_as_many_values_as_are_chosen() -> None:
    moves = also(
        "moves",
        "give: {text: x, choose: {gift: 0..3 from hand, whom: players}, do: []}",
        "name_it: {text: x, choose: {named: suits}, do: []}",
    )
    ok = "[{title: T, when: [P1 give P2, P1 give 4C 5C P2, P1 name_it hearts]}]"
    assert program(moves=moves, examples=ok).examples
    row = "[{title: T, when: [P1 name_it heart]}]"
    Broken("examples", row, "RK829", "heart", "`heart` is not a suit", "hearts").verify(moves=moves)
    row = "[{title: T, when: [P1 give]}]"
    Broken("examples", row, "RK829", "P1 give", "move `give` is given no values").verify(moves=moves)


def test_a_seat_beyond_the_players_of_the_example_is_found_everywhere() -> None:
    for text in (
        "players: 2, then: [score of P3 == 0]",
        "players: 2, given: {hand of P3: 4C}, then: [n == 0]",
        "players: 2, given: {dealer: P3}, then: [n == 0]",
        "players: 2, when: [P3 leave]",
        "players: 2, run: round(P3; 1), then: [n == 0]",
    ):
        _, found = check(game(players="2..4", examples=f"[{{title: T, {text}}}]"))
        assert [(d.code, d.span and d.span.text, d.help) for d in found] == [
            ("RK824", "P3", "say `players:` in the example")
        ]
