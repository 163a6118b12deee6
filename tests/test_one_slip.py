"""One slip is told once, at its own place: not again by everything that follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.diagnostics import Diagnostic
from rulekit.source.load import data_folder

RULESETS = Path(data_folder("rulesets"))
SECTIONS = [
    "players",
    "options",
    "deck",
    "card",
    "zones",
    "state",
    "define",
    "play",
    "phases",
    "moves",
    "end",
]


def rules(name: str) -> str:
    """A shipped ruleset without its examples."""
    text = (RULESETS / f"{name}.yaml").read_text(encoding="utf-8")
    return text[: text.index("\nexamples:") + 1]


def slip(old: str, new: str, name: str = "whist") -> list[Diagnostic]:
    """What is found where the first ``old`` in a ruleset is written ``new``."""
    text = rules(name)
    assert old in text, "the ruleset has changed: make the slip elsewhere"
    return rulekit.validate(text.replace(old, new, 1))


def said(found: list[Diagnostic]) -> list[tuple[str, str | None]]:
    return [(one.code, one.span and one.span.text) for one in found]


# ---------------------------------------------------------------- keys


@pytest.mark.parametrize("name", ["whist", "gin-rummy", "texas-holdem", "klondike"])
@pytest.mark.parametrize("key", SECTIONS)
def test_a_misspelt_section_is_one_finding(name: str, key: str) -> None:
    if f"\n{key}:" not in rules(name):
        return
    wrong = f"{key}x"
    found = slip(f"\n{key}:", f"\n{wrong}:", name)
    assert said(found) == [("RK201", wrong)]
    assert found[0].suggestion == key


@pytest.mark.parametrize("name", ["hucklebuck", "gin-rummy", "texas-holdem", "klondike"])
@pytest.mark.parametrize("key", SECTIONS)
def test_a_section_called_something_else_is_one_finding(name: str, key: str) -> None:
    whole = (RULESETS / f"{name}.yaml").read_text(encoding="utf-8")  # with the examples, that name all
    if f"\n{key}:" in whole:
        assert said(rulekit.validate(whole.replace(f"\n{key}:", "\nstuff:", 1))) == [("RK201", "stuff")]


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("phases", "rounds"),
        ("moves", "actions"),
        ("state", "variables"),
        ("define", "functions"),
        ("zones", "piles"),
        ("deck", "cards"),
        ("options", "settings"),
        ("play", "game"),
        ("end", "winner"),
    ],
)
def test_a_section_in_the_words_of_another_language_is_understood(key: str, meant: str) -> None:
    found = slip(f"\n{key}:", f"\n{meant}:", "hucklebuck")
    assert said(found) == [("RK201", meant)]
    assert found[0].suggestion == key


@pytest.mark.parametrize("key", ["chose", "select", "stuff"])
def test_choices_under_another_key_are_one_finding(key: str) -> None:
    whole = (RULESETS / "hucklebuck.yaml").read_text(encoding="utf-8")
    assert said(rulekit.validate(whole.replace("    choose:", f"    {key}:", 1))) == [("RK201", key)]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("hucklebuck", "  dealer: player", "  1dealer: player"),
        ("hucklebuck", "  hand_size: 5", "  hand-size: 5"),
        ("hearts", "  total: {", "  Total: {"),
        ("hearts", "  won:   {", "  won cards: {"),
        ("hearts", "  target: {", "  target score: {"),
        ("hearts", "  round:", "  Round:"),
        ("hearts", "  follow:", "  follow suit:"),
    ],
)
def test_a_name_that_cannot_be_one_is_one_finding(name: str, old: str, new: str) -> None:
    whole = (RULESETS / f"{name}.yaml").read_text(encoding="utf-8")
    assert old in whole
    found = rulekit.validate(whole.replace(old, new, 1))
    assert said(found) == [("RK208", new.strip().rstrip(" {").partition(":")[0])]


def test_a_merge_key_is_one_finding_with_or_without_its_anchor() -> None:
    whole = (RULESETS / "hearts.yaml").read_text(encoding="utf-8")
    line = "  strength: suit == led then rank\n"
    assert line in whole
    assert said(rulekit.validate(whole.replace(line, "  <<: *base\n"))) == [("RK118", "<<")]
    zone = "  stock: pile seen by nobody\n"
    moved = whole.replace("zones:\n" + zone, "x-zones: &shared\n" + zone + "zones:\n  <<: *shared\n")
    assert said(rulekit.validate(moved)) == [("RK119", "x-zones"), ("RK118", "<<")]


@pytest.mark.parametrize("word", ["one", "ten"])
def test_a_number_in_words_is_told_to_be_written_in_digits(word: str) -> None:
    found = slip("hearts: 1,", f"hearts: {word},", "hearts")
    assert said(found) == [("RK401", word)]
    assert found[0].expected == "a number in digits"
    assert found[0].suggestion == {"one": "1", "ten": "10"}[word]


@pytest.mark.parametrize("key", ["language", "of", "texts"])
def test_a_catalogue_with_a_misspelt_key_is_still_read_as_one(key: str) -> None:
    text = (RULESETS / "locale" / "et" / "hockey.yaml").read_text(encoding="utf-8")
    found = rulekit.validate(text.replace(f"\n{key}:", f"\n{key}x:", 1))
    assert said(found)[0] == ("RK201", f"{key}x")
    assert found[0].message == f"unknown key `{key}x` in a catalogue of translations"
    assert {one.code for one in found} <= {"RK201", "RK202"}


@pytest.mark.parametrize(
    ("old", "new", "code", "underlined"),
    [
        ("- until over:", "- utnil over:", "RK205", "utnil"),
        ("- until count(hand", "- while count(hand", "RK205", "while"),
        ("leader) == 0:", "leader) = 0:", "RK308", "="),
        ("count(hand of leader) == 0", "count(hand of leader == 0", "RK317", "("),
        ("for t in teams: [score", "for t of teams: [score", "RK331", "of"),
        ("- trick: {", "- tirck: {", "RK320", "tirck"),
    ],
)
def test_a_broken_head_is_one_finding(old: str, new: str, code: str, underlined: str) -> None:
    assert said(slip(old, new)) == [(code, underlined)]


# ---------------------------------------------------------------- look-ups of other languages


@pytest.mark.parametrize(
    ("old", "new", "help"),
    [
        ("[score of t += sum", "[score[t] += sum", "write `score of t`"),
        (
            "- for t in teams: [score of t += sum(tricks of t) - book at least 0 for odd_tricks]",
            "- score[t] += 1",
            "write `score of t`",
        ),
        ("sum(tricks of t)", "sum(tricks[t])", "write `tricks of t`"),
        (
            "[score of t += sum(tricks of t) - book at least 0 for odd_tricks]",
            "[if score[t] > 3: [score of t = 0]]",
            "write `score of t`",
        ),
    ],
)  # fmt: skip
def test_brackets_for_a_look_up_are_told_as_such(old: str, new: str, help: str) -> None:
    found = slip(old, new)
    assert [(one.code, one.help) for one in found] == [("RK305", help)]


# ---------------------------------------------------------------- a set where one is meant


@pytest.mark.parametrize("name", ["whist", "hucklebuck"])
def test_a_dealer_declared_as_players_is_told_where_he_is_declared(name: str) -> None:
    text = rules(name)
    line = next(line for line in text.splitlines() if line.startswith("  dealer:"))
    found = rulekit.validate(text.replace(line, "  dealer: players", 1))
    assert said(found) == [("RK501", "dealer")]
    assert found[0].expected == "`dealer: player`"
    assert found[0].notes


def test_a_set_in_the_place_of_one_is_told_where_it_stands() -> None:
    found = slip("leader = opener", "leader = first of (players starting staying)", "hucklebuck")
    assert said(found) == [("RK501", "staying")]
    assert [note.span.text for note in found[0].notes if note.span] == ["staying"]


# ---------------------------------------------------------------- what is no slip

GAME = """rulekit: "1"
name: fits
title: Fits
players: 2..4
deck: standard
zones:
  stock: pile seen by nobody
  hand:  set per player seen by owner
  laid:  pile seen by everyone
state:
  dealer: player
  high: {is: 0..99, text: High.}
  score: 0..9999 per player
define:
  hand_size: 5
play:
  - dealer = random(players)
  - shuffle deck into stock
  - deal hand_size to hand from stock
  - USE
  - high = VALUE
moves:
  lay: {text: Lay a card., IF, choose: {card: CARD}, do: [move card to laid]}
  draw: {text: Draw a card., if: {there is no other way: ELSE}, do: [high = 0]}
end: {ranking: lowest count(hand) then high then score}
"""


def game(
    use: str, card: str = "hand", other: str = "true", needs: str = "true", value: str = "1"
) -> list[str]:
    text = GAME.replace("USE", use).replace("CARD", card).replace("ELSE", other).replace("VALUE", value)
    return [one.code for one in rulekit.validate(text.replace("IF", f"if: {{it may be: {needs}}}"))]


TURNS = "turns: {leader: dealer, moves: [lay, draw], end: any(players where count(hand) == 0)}"


@pytest.mark.parametrize("use", ["ask dealer: [lay, draw]", TURNS])
@pytest.mark.parametrize(
    ("card", "other"),
    [
        ("hand where suit == hearts", "not any(hand where suit == hearts)"),
        ("hand where suit == hearts", "every(hand where suit != hearts)"),
        ("hand where suit == hearts", "count(hand where suit == hearts) == 0"),
        ("hand where suit == hearts or rank == K", "not any(hand where suit == hearts or rank == K)"),
        ("hand where suit == hearts or high == 0", "high > 0 and not any(hand where suit == hearts)"),
    ],
)
def test_moves_that_cover_every_case_are_enough(use: str, card: str, other: str) -> None:
    assert "RK640" not in game(use, card, other)


def test_moves_that_leave_a_gap_are_told() -> None:
    assert "RK640" in game(TURNS, "hand where suit == hearts", "not any(hand where suit == spades)")
    assert "RK640" in game("for p in players: [ask p: [lay]]", needs="score > 3")


def test_what_is_known_of_those_visited_is_enough() -> None:
    assert "RK640" not in game("for p in players where score > 3: [ask p: [lay]]", needs="score > 3")


def test_what_those_asked_before_may_have_changed_is_not_known() -> None:
    assert "RK640" in game(
        "for p in players where count(laid) == 0: [ask p: [lay]]", needs="count(laid) == 0"
    )


@pytest.mark.parametrize(
    "value",
    [
        "1 + (if any(laid where suit == hearts) then max(number of (laid where suit == hearts)) else 0)",
        "1 + (if not any(laid where rank == K) then 0 else number of first of (laid where rank == K))",
        "1 + (if count(players where score > 3) > 0 then min(score of (players where score > 3)) else 0)",
    ],
)
def test_what_a_condition_shows_to_be_there_counts_as_there(value: str) -> None:
    assert "RK506" not in game("ask dealer: [lay, draw]", value=value)


def test_another_condition_shows_nothing() -> None:
    value = "1 + (if any(laid where suit == hearts) then max(number of (laid where suit == clubs)) else 0)"
    assert "RK506" in game("ask dealer: [lay, draw]", value=value)


# ---------------------------------------------------------------- the byte order mark


def test_a_byte_order_mark_says_nothing(tmp_path: Path) -> None:
    text = rules("whist")
    path = tmp_path / "whist.yaml"
    path.write_text(text, encoding="utf-8-sig")
    assert rulekit.validate(path) == []
    assert rulekit.validate("\ufeff" + text) == []
    assert rulekit.load(path).fingerprint == rulekit.load(text).fingerprint


def test_a_word_that_stands_many_times_is_told_of_three_times() -> None:
    """Thousands of the same would fill the screen, and take a minute to print."""
    twice = "words: {way: " + "one two " * 2000 + "}\norders: {row: " + "Q " * 2000 + "}\ncard:"
    found = [one for one in slip("\ncard:", "\n" + twice) if one.code == "RK402"]
    assert len(found) == 9
