"""Kinds of values: what fits where, what is turned into what, and what is said if it does not fit."""

from __future__ import annotations

import time

import pytest
from checking import Broken, also, check, expressions, game, is_known, kind, nodes, program, typed

from rulekit.program import expressions as e
from rulekit.program import types as t

# ------------------------------------------------------------ faults

#: An expression; code, underlined text, message, suggestion.
EXPRESSIONS = (
    ("n // 0", "RK518", "0", "`0` is 0, which divides nothing"),
    ("n // d", "RK518", "d", "`d` may be 0, which divides nothing"),
    ("n % num", "RK518", "num", "`num` may be 0, which divides nothing"),
    ("maybe + 1", "RK506", "maybe", "`maybe` may be none"),
    ("true + 1", "RK504", "true", "here stands a condition, where a number is needed"),
    ("count(deck) + who", "RK504", "who", "here stands a set of players, where a number is needed"),
    ("deck + 1", "RK504", "deck", "here stands a set of cards, where a number is needed"),
    ("deck - 1", "RK504", "deck", "here stands a set of cards, where a number is needed"),
    ("deck - dealer", "RK502", "deck - dealer", "`-` between a set of cards and a set of players"),
    ("deck | n", "RK513", "n", "`n` is a number, and `|` here joins sets"),
    ("deck | 3", "RK513", "3", "`3` is a number, and `|` here joins sets"),
    ("n | 3", "RK513", "n", "`n` is a number, and `|` here joins sets"),
    ("not n", "RK503", "n", "here stands a number, where a condition is needed"),
    ("not deck", "RK503", "deck", "here stands a set of cards, where a condition is needed"),
    ("flag and n", "RK503", "n", "here stands a number, where a condition is needed"),
    ("n or flag", "RK503", "n", "here stands a number, where a condition is needed"),
    ("dealer and flag", "RK503", "dealer", "here stands a player, where a condition is needed"),
    ("if n then 1 else 2", "RK503", "n", "here stands a number, where a condition is needed"),
    ("if flag then 1 else dealer", "RK507", "dealer", "one branch is a number, the other a player"),
    ("if flag then deck else dealer", "RK507", "dealer", "one branch is a set of cards, the other a player"),
    (
        "if flag then x_word else a_word",
        "RK507",
        "a_word",
        "one branch is a word of `opt`, the other a word of `word`",
    ),
    ("hand of deck", "RK501", "deck", "`hand` is per player, and `deck` is a set of cards"),
    ("hand of QS", "RK501", "QS", "`hand` is per player, and `QS` is a card"),
    ("hand of n", "RK501", "n", "`hand` is per player, and `n` is a number"),
    ("hand of none", "RK501", "none", "`hand of` looks at a player, and here stands none"),
    ("foundation of dealer", "RK501", "dealer", "`foundation` is per suit, and `dealer` is a player"),
    ("foundation of A", "RK501", "A", "`foundation` is per suit, and `A` is a rank"),
    ("column of dealer", "RK501", "dealer", "here stands a player, where a number is needed"),
    ("column of 9", "RK425", "9", "`column` has no pile 9"),
    ("column of 0", "RK425", "0", "`column` has no pile 0"),
    ("score of deck", "RK501", "deck", "`score` is per player, and `deck` is a set of cards"),
    ("points of dealer", "RK501", "dealer", "`points of` looks at a card, and here stands a player"),
    ("total of QS", "RK501", "QS", "`total of` looks at a pile, and here stands a card"),
    ("color of dealer", "RK501", "dealer", "`color of` looks at a card, and here stands a player"),
    ("owner of dealer", "RK501", "dealer", "`owner of` looks at a card, and here stands a player"),
    ("index of stock", "RK501", "stock", "`stock` stands alone, and has no index"),
    ("index of foundation", "RK501", "foundation", "`foundation` is a set of cards, and has no index"),
    ("cards of 3", "RK505", "3", "here stands a number, where cards are needed"),
    ("top of hand of dealer", "RK512", "hand of dealer", "`hand of dealer` has no top: it is a set of cards"),
    ("first of players", "RK512", "players", "`players` has no first: it is a set of players"),
    ("top of dealer", "RK505", "dealer", "here stands a player, where cards are needed"),
    ("stacked of deck", "RK501", "deck", "here stands a set of cards, where a card is needed"),
    ("left of deck", "RK501", "deck", "`left of` looks at a player, and here stands a set of cards"),
    ("next of trump", "RK501", "trump", "`next of` cannot look at a suit"),
    ("next of n", "RK501", "n", "`next of` cannot look at a number"),
    ("other of dealer", "RK501", "dealer", "`other of` cannot look at a player"),
    ("other of trump", "RK501", "trump", "`other of` cannot look at a suit"),
    ("players of dealer", "RK501", "dealer", "here stands a player, where a team is needed"),
    ("deck where trump", "RK503", "trump", "here stands a suit, where a condition is needed"),
    ("deck where suit", "RK503", "suit", "here stands a suit, where a condition is needed"),
    ("deck where points", "RK503", "points", "here stands a number, where a condition is needed"),
    ("deck where it", "RK503", "it", "here stands a card, where a condition is needed"),
    ("n where it > 3", "RK513", "n", "here stands a number, where several things are needed"),
    ("players where hand", "RK503", "hand", "here stands a set of cards, where a condition is needed"),
    ("deck where owner", "RK503", "owner", "here stands a player or none, where a condition is needed"),
    (
        "lowest(suits by count(deck where suit == it))",
        "RK502",
        "suit == it",
        "a suit is compared with a card",
    ),
    ("count(n)", "RK513", "n", "here stands a number, where several things are needed"),
    ("sum(deck)", "RK504", "deck", "`deck` is a set of cards, which cannot be added up"),
    (
        "sum(rank of deck)",
        "RK504",
        "rank of deck",
        "`rank of deck` is a set of ranks, which cannot be added up",
    ),
    ("max(deck)", "RK511", "deck", "`deck` is a set of cards, of which none is the largest"),
    ("any(n)", "RK513", "n", "here stands a number, where several things are needed"),
    ("every(deck)", "RK503", "deck", "`every` is given a set of cards"),
    ("every(flag)", "RK513", "flag", "here stands a condition, where several things are needed"),
    ("only(n)", "RK513", "n", "here stands a number, where several things are needed"),
    ("highest(deck)", "RK515", "highest(deck)", "`highest` does not say by what"),
    ("highest(deck by who)", "RK511", "who", "`who` is a set of players, which has no order"),
    ("highest(deck by owner)", "RK511", "owner", "`owner` is a player or none, which has no order"),
    (
        "count(deck by rank)",
        "RK517",
        "deck by rank",
        "`by` goes with `highest`, `lowest`, `all_highest`, `all_lowest`",
    ),
    (
        "random(players)",
        "RK517",
        "random(players)",
        "`random(...)` stands only as the whole right side of an assignment",
    ),
    ("deck == n", "RK502", "n", "a set of cards is compared with a number"),
    ("deck > deck", "RK511", "deck", "`deck` is a set of cards, which has no order"),
    ("deck < 3", "RK511", "deck", "`deck` is a set of cards, which has no order"),
    ("QS > KS", "RK511", "QS", "`QS` is a card, which has no order"),
    ("rank of QS > suit of QS", "RK502", "rank of QS > suit of QS", "a rank is compared with a suit"),
    ("trump == a_word", "RK502", "trump == a_word", "a suit is compared with a word of `word`"),
    ("word == x_word", "RK502", "word == x_word", "a word of `word` is compared with a word of `opt`"),
    ("word == opt", "RK502", "word == opt", "a word of `word` is compared with a word of `opt`"),
    ("opt == 3", "RK502", "opt == 3", "a word of `opt` is compared with a number"),
    ("flag == 1", "RK502", "flag == 1", "a condition is compared with a number"),
    ("rank of QS > '9'", "RK304", "'9'", "'9' stands in quotes", "9"),
    ("'5' == 5", "RK304", "'5'", "'5' stands in quotes", "5"),
    ("rank of QS == suit of QS", "RK502", "rank of QS == suit of QS", "a rank is compared with a suit"),
    ("n in 3", "RK513", "3", "here stands a number, where several things are needed"),
    ("n in 3 4", "RK513", "3 4", "`3 4` is no set of numbers"),
    ("deck in n", "RK513", "n", "here stands a number, where several things are needed"),
    ("dealer in deck", "RK502", "dealer in deck", "a player cannot be in a set of cards"),
    ("1..", "RK517", "1..", "an open range stands only before `from`: `1.. from hand`"),
    ("2 from n", "RK513", "n", "here stands a number, where several things are needed"),
    ("flag from deck", "RK504", "flag", "here stands a condition, where a number is needed"),
    ("-1 from deck", "RK425", "-1", "-1 of something cannot be chosen"),
    ("5..2 from deck", "RK425", "5..2", "the range `5..2` is empty"),
    ("5..1", "RK425", "5..1", "the range `5..1` is empty"),
    ("deck starting dealer", "RK501", "deck", "here stands a set of cards, where a set of players is needed"),
    ("players starting deck", "RK501", "deck", "here stands a set of cards, where a player is needed"),
    ("n at most deck", "RK504", "deck", "here stands a set of cards, where a number is needed"),
    ("QS at least n", "RK504", "QS", "here stands a card, where a number is needed"),
    ("n then deck", "RK511", "deck", "`deck` is a set of cards, which has no order"),
    ("2147483647 + 1", "RK519", "2147483647 + 1", "`2147483647 + 1` is at least 2 147 483 648"),
    ("99999 * 99999", "RK519", "99999 * 99999", "`99999 * 99999` is at least 9 999 800 001"),
    ("count(0.. from deck)", "RK522", "0.. from deck", "this may take more than 1,000,000,000 steps"),
    ("count(1..2000000000)", "RK522", "1..2000000000", "this may take more than 1,000,000,000 steps"),
    ("'a' | 'b'", "RK304", "'a'", "'a' stands in quotes", "a"),
    ("if flag then deck else 3", "RK507", "3", "one branch is a set of cards, the other a number"),
)

#: A part of the file (`+` adds a line to the usual one); code, underlined text, message, suggestion.
DECLARATIONS = (
    ("+state", "a: number", "RK415", "number", "there is no type `number`"),
    ("+state", "a: int", "RK415", "int", "there is no type `int`"),
    ("+state", "a: 9..0", "RK425", "9..0", "the range `9..0` is empty", "0..9"),
    (
        "+state",
        "a: 0..99999999999",
        "RK519",
        "0..99999999999",
        "`0..99999999999` has numbers that are too large",
    ),
    ("+state", "a: 0..9 per plyer", "RK415", "plyer", "there can be nothing per `plyer`", "player"),
    ("+state", "a: 0..9 per card", "RK415", "card", "there can be nothing per `card`"),
    ("+state", "a: 0..9 per team", "RK419", "team", "this game has no teams"),
    ("+state", "a: 0..9 seen by owner", "RK426", "owner", "`seen by owner` needs somebody whose it is"),
    ("+state", "a: 0..9 per player seen by face", "RK426", "face", "`face` is nobody who could see it"),
    (
        "+state",
        "a: 0..9 per player seen by onwer",
        "RK426",
        "onwer",
        "`onwer` is nobody who could see it",
        "owner",
    ),
    ("+state", "a: 0..9 per player seen by team", "RK419", "team", "this game has no teams"),
    ("+state", "a: 0..9 = 10", "RK425", "10", "`10` is out of range"),
    (
        "+state",
        "a: 0..9 = true",
        "RK501",
        "true",
        "the start of `a` is a condition, where a number is needed",
    ),
    ("+state", "a: bool = 1", "RK501", "1", "the start of `a` is a number, where a condition is needed"),
    ("+state", "a: player = none", "RK501", "none", "the start of `a` is none, where a player is needed"),
    ("+state", "a: set of set", "RK415", "set", "there is no type `set`"),
    ("+state", "a: set of bool", "RK415", "bool", "there can be no set of `bool`"),
    ("+state", "a: set of cards", "RK415", "cards", "there can be no set of `cards`"),
    ("+state", "a: red | red", "RK402", "red", "`red` stands twice among the words of `a`"),
    ("+state", "a: 1 | red", "RK415", "1 | red", "`1 | red` mixes words and numbers"),
    ("+state", "a: 1 | 1", "RK402", "1", "`1` stands twice"),
    ("+state", "a: hand | other_word", "RK402", "hand", "`hand`, a word of `a`, is also declared as a name"),
    ("+state", "a: 0..9 = b\nb: 0..9", "RK431", "b", "the start of `a` reads `b`, which starts later"),
    ("+state", "a: 0..9 = a", "RK431", "a", "the start of `a` reads itself"),
    ("+state", "a: 0..9 = me", "RK410", "me", "`me` is read where nobody is asked"),
    (
        "+state",
        "a: players = random(players)",
        "RK517",
        "random(players)",
        "`random(...)` stands only as the whole right side of an assignment",
    ),
    (
        "+state",
        "a: player per player = hand",
        "RK501",
        "hand",
        "the start of `a` is a set of cards, where a player is needed",
    ),
    ("+zones", "x: pile seen by owner", "RK426", "owner", "`seen by owner` needs somebody whose it is"),
    ("+zones", "x: pile seen by me", "RK426", "me", "`me` is nobody who could see it"),
    ("+zones", "x: 0 piles seen by everyone", "RK425", "0", "`0` piles are out of range"),
    ("+zones", "x: 600 piles seen by everyone", "RK425", "600", "`600` piles are out of range"),
    (
        "+zones",
        "x: 7 piles per plyer seen by everyone",
        "RK415",
        "plyer",
        "there can be nothing per `plyer`",
        "player",
    ),
    (
        "+zones",
        "x: {is: pile seen by everyone, has: {a: 0..9}}",
        "RK427",
        "a",
        "`x` has no slots that could have fields",
    ),
    (
        "+zones",
        "x: {is: 3 piles seen by everyone, has: {rank: 0..9}}",
        "RK403",
        "rank",
        "a field cannot be called `rank`, a word of the language",
    ),
    (
        "+zones",
        "x: {is: 3 piles seen by everyone, has: {score: 0..9}}",
        "RK402",
        "score",
        "`score` is declared twice",
    ),
    (
        "+zones",
        "x: {is: 3 piles seen by everyone, has: {a: 0..9 per player}}",
        "RK427",
        "player",
        "a field cannot be `per player`",
    ),
    (
        "+zones",
        "x: {is: 3 piles seen by everyone, has: {a: 0..9 = 12}}",
        "RK425",
        "12",
        "`12` is out of range",
    ),
    (
        "define",
        "{t: {by: opt, x_word: 1}}",
        "RK508",
        "{by: opt, x_word: 1}",
        "the table has no row for `y_word`",
    ),
    (
        "define",
        "{t: {by: opt, x_word: 1, y_wrd: 2}}",
        "RK405",
        "y_wrd",
        "`y_wrd` is not a word of `opt`",
        "y_word",
    ),
    (
        "define",
        "{t: {by: opt, x_word: 1, y_word: hearts}}",
        "RK507",
        "hearts",
        "this row gives a suit, an earlier one a number",
    ),
    ("define", "{t: {by: num, 0 1: 1, 1 2: 2, else: 3}}", "RK509", "1 2", "`1` stands twice in the table"),
    (
        "define",
        "{t: {x_word: 1, y_word: 2}}",
        "RK508",
        "{x_word: 1, y_word: 2}",
        "the table does not say by what",
    ),
    ("define", "{t: {by: n, n: 1, else: 2}}", "RK509", "n", "`n` is not a fixed value"),
    (
        "define",
        "{t: {by: flag, true: 1}}",
        "RK508",
        "{by: flag, true: 1}",
        "the table has no row for `false`",
    ),
    (
        "define",
        "{t: {by: led, clubs: 1, diamonds: 1, hearts: 1, spades: 1}}",
        "RK508",
        "{by: led, clubs: 1, diamonds: 1, hearts: 1, spades: 1}",
        "the table has no row for `none`",
    ),
    (
        "card",
        "{points: {A: 1}, strength: rank, wild: true}",
        "RK508",
        "{A: 1}",
        "the table has no row for `2`, `3`, `4`, `5`, `6`, `7` ...",
    ),
    (
        "card",
        "{points: {A: 1, B: 2, else: 0}, strength: rank, wild: true}",
        "RK408",
        "B",
        "the pack has no `B`",
    ),
    (
        "card",
        "{points: {A: 1, K: hearts, else: 2}, strength: rank, wild: true}",
        "RK507",
        "hearts",
        "this row gives a suit, an earlier one a number",
    ),
    (
        "card",
        "{points: 1, strength: trump then hand, wild: true}",
        "RK511",
        "hand",
        "`hand` is a set of cards, which has no order",
    ),
    ("end", "{ranking: highest hand}", "RK511", "hand", "`hand` is a set of cards, which has no order"),
    (
        "end",
        "{ranking: highest score, payoff: hand}",
        "RK504",
        "hand",
        "here stands a set of cards, where a number is needed",
    ),
    (
        "end",
        "{ranking: highest score, score: max(rank of hand)}",
        "RK504",
        "max(rank of hand)",
        "here stands a rank or none, where a number is needed",
    ),
    (
        "end",
        "{ranking: highest score, payoff: max(pip of hand)}",
        "RK506",
        "max(pip of hand)",
        "`max(pip of hand)` may be none",
    ),
)


@pytest.mark.parametrize("broken", expressions(EXPRESSIONS), ids=str)
def test_a_value_of_the_wrong_kind_is_told_with_both_kinds(broken: Broken) -> None:
    broken.verify()


@pytest.mark.parametrize("row", DECLARATIONS, ids=lambda row: f"{row[2]}-{row[1]}"[:60])
def test_a_declaration_that_makes_no_sense_is_refused(row: tuple[str, ...]) -> None:
    part, text, *rest = row
    broken = Broken(part[1:], also(part[1:], text), *rest) if part[0] == "+" else Broken(part, text, *rest)
    broken.verify()


def test_a_card_is_not_equal_to_all_of_its_face() -> None:
    row = ("best_card == QS", "RK510", "best_card == QS", "the pack may hold more than one `QS`")
    packs = "{ranks: 8 10 Q A, suits: spades hearts, copies: 2}"
    expressions([row])[0].verify(deck=packs)
    assert kind("best_card in QS", deck=packs) == "a condition"
    assert kind("best_card == QS") == "a condition"


@pytest.mark.parametrize(
    ("expression", "help"),
    [
        ("deck where trump", "compare it: `trump == ...`"),
        ("not deck", "to ask whether there is any, write `any(...)`"),
        ("not n", "compare the number: `... > 0`"),
        ("not anyone", "to ask whether there is one, write `... != none`"),
        ("maybe + 1", "guard it: `if maybe != none then ... else ...`"),
        ("n // d", "write `(d at least 1)`"),
        ("count(n)", "for numbers write a range: `1..n`"),
        ("min(n; 3)", "write `n at most 3`"),
        ("hand(dealer)", "write `hand of ...`"),
        ("n(3)", "write `n` without parentheses"),
        ("count of deck", "write `count(deck)`"),
        ("first of players", "say where to begin: `players starting left of dealer`"),
        ("sum(deck)", "write `sum(FACT of deck)`, or `count(deck)`"),
    ],
)
def test_the_help_says_what_to_write(expression: str, help: str) -> None:
    _, found = check(game(define=f'\nvalue: "{expression}"\n'))
    assert [d.help for d in found] == [help]


# ------------------------------------------------------------ EXP-08


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("rank of best_card > '9'", "RK304"),
        ("'5' == 5", "RK304"),
        ("count(deck) and flag", "RK503"),
        ("suit of best_card == rank of best_card", "RK502"),
        ("if count(deck) then 1 else 2", "RK503"),
        ("true + 1", "RK504"),
        ("flag == 1", "RK502"),
    ],
)
def test_exp_08_nothing_is_turned_into_something_else_without_a_word(expression: str, code: str) -> None:
    _, found = check(game(define=f'\nvalue: "{expression}"\n'))
    assert [d.code for d in found] == [code]


def test_exp_08_ranks_compare_by_the_order_of_the_pack_and_numbers_as_numbers() -> None:
    pack = {"deck": "{ranks: 7 8 9 J Q K 10 A, suits: hearts spades}"}
    found = typed("rank of best_card > 9", **pack)
    assert nodes(found, e.Constant) == [e.Constant(2, type=t.RANK)]
    assert typed("10 < 9") == e.Less(
        e.Constant(10, type=t.Int()), e.Constant(9, type=t.Int()), False, type=t.BOOL
    )


# ------------------------------------------------------------ EXP-01, EXP-03


@pytest.mark.parametrize(
    "payload",
    [
        "__import__('os')",
        "deck.__class__",
        "n.__class__.__mro__",
        "count.__globals__",
        "__builtins__",
        "gi_frame of deck",
        "__reduce__ of deck",
        "getattr(deck; n)",
        "eval(n)",
        "exec(n)",
        "open(n)",
        "globals()",
        "vars(deck)",
        "type(deck)",
        "lambda(n)",
        "deck[0]",
        "deck where __class__",
        "count(deck).real",
        "(1).__class__",
        "self",
        "cls",
        "_",
        "__dict__ of n",
        "f'{n}'",
        "{0}",
        "n if flag else n",
        "[x for x in deck]",
        "deck | getattr",
        "it.__class__",
        "random.__self__",
        "import os",
        "n; n",
        "n := 3",
        "@n",
        "$n",
        "`n`",
        "n\\x00",
    ],
)
def test_exp_01_no_payload_means_anything(payload: str) -> None:
    made, found = check(game(define="\nvalue: '" + payload.replace("'", "''") + "'\n"))
    assert made is None
    assert found


@pytest.mark.parametrize(
    ("defines", "code"),
    [
        ("value: 9 * 9 * 9 * 9 * 9 * 9 * 9 * 9 * 9 * 9 * 9 * 9", "RK519"),
        ("value: (((9 * 9 * 9 * 9) * 99999) * 99999) * 99999", "RK519"),
        ("value: 99999999999", "RK127"),
        ("value: count(1..2000000000)", "RK522"),
        ("value: sum(1..2000000000)", "RK522"),
        ("value: count(0.. from deck)", "RK522"),
        ("value: count(26 from deck)", "RK522"),
        ("a: 1000\nb: a * a\nc: b * b\nvalue: c * c", "RK519"),
        ("a0: n\n" + "\n".join(f"a{i}: a{i - 1} at most a{i - 1}" for i in range(1, 40)), "RK522"),
        ("value: " + "count(deck where " * 9 + "wild" + ") > 0" * 8 + ")", "RK522"),
    ],
)
def test_exp_03_what_would_not_end_is_refused_before_it_runs(defines: str, code: str) -> None:
    program()  # the parser is built once
    started = time.perf_counter()
    _, found = check(game(define=f"\n{defines}\n"))
    assert {d.code for d in found} <= {code, "RK127"}
    assert code in {d.code for d in found}
    assert time.perf_counter() - started < 2


def test_exp_03_there_are_no_powers_and_no_shifts() -> None:
    for text in ("9 ** 9", "1 << 9", "9 ^ 9"):
        assert check(game(define=f'\nvalue: "{text}"\n'))[0] is None


def test_exp_03_statements_within_statements_are_counted_too() -> None:
    loops = "\n".join("  " * i + f"- for c{i} in deck:" for i in range(8)) + "\n" + "  " * 8 + "- n = 1"
    _, found = check(game(play=f"\n{loops}\n"))
    assert [(d.code, d.span and d.span.text) for d in found] == [("RK522", "for c2 in deck")]
    phases = "\n".join(f"p{i}: [do p{i + 1}, do p{i + 1}]" for i in range(40)) + "\np40: [n = 1]\n"
    assert {d.code for d in check(game(play="[do p0]", phases=f"\n{phases}"))[1]} == {"RK522"}


@pytest.mark.parametrize(
    "joint", [" or ", " and ", " + ", " | ", " & ", " - ", " * ", " at most ", " + 1 - "]
)
@pytest.mark.parametrize("many", [500, 4000])
def test_exp_04_long_rows_are_checked_or_refused_and_never_too_deep(joint: str, many: int) -> None:
    term = {" or ": "flag", " and ": "flag", " | ": "deck", " & ": "deck"}.get(joint, "n")
    made, found = check(game(define="\nvalue: " + joint.join([term] * many) + "\n"))
    assert made is not None or [d.code for d in found] in (["RK520"], ["RK301"], ["RK519"])
    if many == 500 and joint in (" or ", " and ", " + "):
        assert made is not None


def test_exp_04_a_chain_of_definitions_is_checked_or_refused_and_never_too_deep() -> None:
    for kind_of in ("define", "card"):
        usual = "points: 1\nstrength: rank\nwild: true\n" if kind_of == "card" else ""
        last = "number" if kind_of == "card" else "n"
        short = "\n".join(f"f{i}: f{i + 1} + 1" for i in range(50)) + f"\nf50: {last}\n"
        assert check(game(**{kind_of: f"\n{usual}{short}"}))[1] == []
        long = "\n".join(f"f{i}: f{i + 1} + 1" for i in range(600)) + f"\nf600: {last}\n"
        _, found = check(game(**{kind_of: f"\n{usual}{long}"}))
        assert {d.code for d in found} == {"RK521"}


# ------------------------------------------------------------ what the language allows


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        # of one thing one value, of several one each
        ("hand of dealer", "a set of cards"),
        ("hand of players", "a set of cards"),
        ("won of who", "a set of cards"),
        ("score of dealer", "a number"),
        ("score of players", "numbers, one each"),
        ("score of anyone", "a number or none"),
        ("points of QS", "a number"),
        ("points of trick", "numbers, one each"),
        ("points of best_card", "a number or none"),
        ("strength of trick", "keys, one each"),
        ("wild of trick", "conditions, one each"),
        ("suit of trick", "a set of suits"),
        ("rank of column", "a set of ranks"),
        ("rank of melds of dealer", "a set of ranks"),
        ("owner of trick", "a set of players"),
        ("owner of QS", "a player or none"),
        ("pile of QS", "a pile or none"),
        ("pip of QS", "a number or none"),
        ("color of QS", "a word of `color`"),
        ("color of trump", "a word of `color` or none"),
        ("color of led", "a word of `color` or none"),
        ("face of top of stock", "a word of `face` or none"),
        ("left of players", "a set of players"),
        ("left of anyone", "a player or none"),
        ("foundation of trump", "cards in order"),
        ("foundation of suits", "a set of cards"),
        ("foundation of led", "cards in order"),
        ("column of 3", "a pile"),
        ("index of column of 3", "a number"),
        ("index of foundation of hearts", "a suit"),
        ("total of column", "numbers, one each"),
        ("total of column of 3", "a number"),
        ("cards of column", "a set of cards"),
        ("next of rank of QS", "a rank"),
        ("next of word", "a word of `word`"),
        ("other of word", "a word of `word`"),
        # order is kept where there is one
        ("trick", "cards in order"),
        ("trick where suit == trump", "cards in order"),
        ("trick - QS", "cards in order"),
        ("trick | QS", "a set of cards"),
        ("players starting left of dealer", "players in order"),
        ("top of (trick where wild)", "a card or none"),
        ("first of (players starting dealer)", "a player"),
        ("all_highest(trick by strength)", "cards in order"),
        ("all_highest(players by score)", "a set of players"),
        ("highest(players by score then count(hand))", "a player"),
        ("highest(trick by strength)", "a card or none"),
        # one thing where several are needed
        ("dealer | anyone", "a set of players"),
        ("QS | KS", "a set of cards"),
        ("hearts | spades", "a set of suits"),
        ("count(anyone)", "a number"),
        ("dealer in who", "a condition"),
        ("anyone in who", "a condition"),
        ("deck == QS", "a condition"),
        ("dealer == who", "a condition"),
        ("if flag then QS else deck", "a set of cards"),
        ("if flag then empty else deck", "a set of cards"),
        ("if flag then hearts else none", "a suit or none"),
        ("if flag then 1 else none", "a number or none"),
        ("pile of QS == trick", "a condition"),
        ("pile of QS in column", "a condition"),
        ("place == stock", "a condition"),
        ("dealer where true", "a set of players"),
        # none
        ("maybe == none", "a condition"),
        ("none == maybe", "a condition"),
        ("maybe > 3", "a condition"),
        ("if maybe != none then maybe + 1 else 0", "a number"),
        ("if none != maybe then maybe + 1 else 0", "a number"),
        ("if maybe == none then 0 else maybe + 1", "a number"),
        ("if not maybe == none then maybe + 1 else 0", "a number"),
        ("maybe != none and maybe + 1 == 4", "a condition"),
        ("maybe == none or maybe + 1 == 4", "a condition"),
        ("maybe != none and flag and n > 3 and maybe + 1 == 4", "a condition"),
        ("if maybe == 3 then maybe + 1 else 0", "a number"),
        ("if maybe > 2 then maybe + 1 else 0", "a number"),
        ("if maybe in 1..3 then maybe + 1 else 0", "a number"),
        ("if any(trick) then points of top of trick + 1 else 0", "a number"),
        ("if count(trick) > 0 then points of top of trick + 1 else 0", "a number"),
        ("if count(trick) == 0 then 0 else points of top of trick + 1", "a number"),
        ("if count(trick) >= 1 then points of first of trick + 1 else 0", "a number"),
        ("if count(trick) == 3 then points of first of trick + 1 else 0", "a number"),
        # numbers
        ("sum(points of trick)", "a number"),
        ("sum(pip of trick)", "a number or none"),
        ("max(points of deck)", "a number"),
        ("max(points of trick)", "a number or none"),
        ("n // 3 + n % 7 - -n", "a number"),
        ("n at most count(deck)", "a number"),
        ("count(1..n)", "a number"),
        ("n then trump then flag", "a key"),
        # selections and ranges
        ("2 from deck", "selections of cards"),
        ("0.. from trick", "selections of cards"),
        ("1..n from trick", "selections of cards"),
        ("1..5 where it % 2 == 0", "a set of numbers"),
        ("every(players where count(hand) == 0)", "a condition"),
        ("every(wild of trick)", "a condition"),
        ("only(trick)", "a card or none"),
    ],
)
def test_an_expression_has_this_kind(expression: str, expected: str) -> None:
    assert kind(expression) == expected


@pytest.mark.parametrize(
    "expression",
    [
        "if count(trick) >= 0 then points of top of trick + 1 else 0",
        "if maybe != none or flag then maybe + 1 else 0",
        "flag and maybe + 1 == 4",
        "if maybe == none then maybe + 1 else 0",
        "if maybe != 3 then maybe + 1 else 0",
        "if any(stock) then points of top of trick + 1 else 0",
    ],
)
def test_what_is_not_shown_may_still_be_none(expression: str) -> None:
    _, found = check(game(define=f'\nvalue: "{expression}"\n'))
    assert [d.code for d in found] == ["RK506"]


def test_teams_are_their_players_where_players_are_needed() -> None:
    teams = {"players": "4", "teams": "across", "state": also("state", "bid: 0..9 per team")}
    assert kind("players of team of dealer", **teams) == "a set of players"
    assert kind("hand of team of dealer", **teams) == "a set of cards"
    assert kind("dealer in team of dealer", **teams) == "a condition"
    assert kind("bid of dealer", **teams) == "a number"
    assert kind("bid of teams", **teams) == "numbers, one each"
    assert kind("other of team of dealer", **teams) == "a team"


def test_the_first_row_of_a_card_table_that_fits_counts() -> None:
    made = program(card="{points: {QS: 13, hearts: 1, red: 2, else: 0}, strength: rank, wild: true}")
    body = made.facts["points"].body
    assert isinstance(body, e.If)
    assert [str(x.condition) is not None for x in nodes(body, e.If) if isinstance(x, e.If)] == [True] * 3


def test_a_card_table_is_total_if_its_rows_cover_the_pack() -> None:
    made = program(card="{points: {red: 1, clubs: 2, spades: 3}, strength: rank, wild: true}")
    assert str(made.facts["points"].type) == "a number"


def test_a_table_goes_by_anything_that_has_values() -> None:
    rows = "\none: {by: opt, x_word: 1, y_word: 2}\ntwo: {by: num, 0 1 2: 1, else: 2}\n"
    rows += "three: {by: led, hearts: 1, none: 0, else: 2}\nfour: {by: flag, true: 1, false: 0}\n"
    rows += "five: {by: rank of QS, A: 1, K Q: 2, else: 3}\nsix: {by: count(players), 2: 7, else: 5}\n"
    assert {str(x.type) for x in program(define=rows).defines.values()} == {"a number"}


def test_the_pack_may_read_options_and_the_player_count_through_defines() -> None:
    made = program(
        players="2..6",
        deck="{ranks: 8 10 A, suits: clubs hearts, copies: packs, without: if many then 8 else empty}",
        define="\npacks: {by: count(players), 2 3: 1, else: 2}\nmany: count(players) in 5..6 or num > 3\n",
        requires="not many or num < 5",
    )
    assert made.deck.copies is not None
    assert not nodes(made.deck.copies, e.CallDefine)


def test_every_part_of_a_program_has_a_kind() -> None:
    rows = "\none: if flag then empty else deck\ntwo: three\nthree: {by: flag, true: deck, false: empty}\n"
    made = program(define=rows)
    for define in made.defines.values():
        assert all(is_known(x.type) for x in nodes(define.body, e.Expr) if not isinstance(x, e.Constant))


BIDS = also("state", "bid: 0..9? per player")


@pytest.mark.parametrize(
    "expression",
    [
        "sum(bid of (players where bid != none))",
        "sum(bid of (players where it != dealer and none != bid))",
        "sum(bid of ((players where bid > 2) starting dealer))",
        "sum(bid of ((players where bid != none) where it != dealer))",
        "sum(pip of (hand where pip > 3)) + 1",
        "sum(pip of (deck where not (pip == none or suit == hearts))) - 3",
    ],
)
def test_what_is_picked_for_having_a_value_has_one(expression: str) -> None:
    assert kind(expression, state=BIDS) == "a number"


@pytest.mark.parametrize(
    "expression",
    [
        "1 + sum(bid of players)",
        "1 + sum(bid of (players where bid == none))",
        "1 + sum(bid of (players where bid != none or flag))",
        "1 + sum(bid of (players where bid of left of it != none))",
        "1 + sum(pip of (deck where rank != A))",
    ],
)
def test_what_is_not_picked_for_having_a_value_may_have_none(expression: str) -> None:
    _, found = check(game(state=BIDS, define=f'\nvalue: "{expression}"\n'))
    assert [d.code for d in found] == ["RK506"]


def test_the_sum_of_what_some_do_not_have_is_repaired_as_told() -> None:
    _, found = check(game(state=BIDS, define="\nvalue: 1 + sum(bid of players)\n"))
    assert found[0].help == "leave out what has none: `sum(bid of (players where bid != none))`"
