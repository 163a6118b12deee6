"""`rulekit play --language`: the table speaks the language, moves stay as they are typed."""

from __future__ import annotations

import io
import random
import sys

import pytest

import rulekit
from rulekit.cli.main import run
from rulekit.cli.words import Words
from rulekit.diagnostics import Findings, SourceFile
from rulekit.game.errors import MoveError
from rulekit.game.languages import languages, read
from rulekit.game.speech import REPLIES, SAYINGS, Speech, _replies, in_pieces, is_rtl, width
from rulekit.rulebook.catalogue import labels, normal
from rulekit.source.load import data_folder

LANGUAGES = ["be", "et", "hi", "ur"]
ISOLATES, END = "\u2066\u2067", "\u2069"


def played(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *arguments: str,
    lines: tuple[str, ...] = (),
) -> str:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(line + "\n" for line in lines)))
    capsys.readouterr()
    assert run(["play", *arguments]) == 0
    return capsys.readouterr().out


EVERYTHING = (
    "help",
    "hint",
    "scores",
    "undo",
    "1",
    "why",
    "why 1",
    "why lead 2C",
    "99",
    "",
    "undo",
    "show",
    "quit",
)


def test_a_game_in_urdu(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    said = played(capsys, monkeypatch, "sixty-six", "--seed", "3", "--language", "ur", lines=EVERYTHING)
    assert "\u2067چھیاسٹھ\u2069: P1 \u2067آپ\u2069" in said
    assert "\u2067\u2066P1\u2069 کی باری\u2069" in said
    assert "جب تک گڈی کھلی ہو کوئی بھی پتا کھیلیں، پھر رنگ دیں۔" in said
    assert "1) follow 9♣" in said  # as it is typed
    assert "to move" not in said
    assert "is legal" not in said


def test_a_line_from_right_to_left_says_so_and_ends_what_it_begins(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = played(capsys, monkeypatch, "sixty-six", "--seed", "3", "--language", "ur", lines=EVERYTHING)
    assert sum(map(is_rtl, said.split("\n"))) > 30
    for line in said.split("\n"):
        depth = 0
        for character in line:
            depth += (character in ISOLATES) - (character == END)
            assert depth >= 0
            # Nothing of the other direction stands outside a stretch that is marked as such.
            assert depth > 0 or not is_rtl(character), line
        assert depth == 0, line


def test_no_marks_where_they_are_not_needed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for language in ("en", "hi"):
        said = played(capsys, monkeypatch, "hockey", "--seed", "3", "--language", language, lines=EVERYTHING)
        assert not set(ISOLATES + END) & set(said)
    assert "ढेर पर कोई भी एक पत्ता खेलें" in said
    assert "P1 की बारी" in said


def test_a_whole_game_is_told_to_its_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = played(capsys, monkeypatch, "hockey", "--watch", "--seed", "3", "--language", "et")
    assert "võidab." in said or "Mäng jäi viiki." in said
    assert "punkte" in said
    assert " wins" not in said


def test_the_language_must_be_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "hockey", "--language", "hu"]) == 2
    err = capsys.readouterr().err
    assert "`hockey` is not translated into `hu`: there is `en`, `be`, `et`, `hi`" in err
    assert run(["play", "whist", "--language", "fr"]) == 2
    assert "there is `en`" in capsys.readouterr().err


# ---------------------------------------------------------------- what is said, and in how many languages


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_the_terminal_says_is_in_the_catalogues(language: str) -> None:
    path = data_folder("rulesets") / "locale" / language / "common.yaml"
    catalogue = read(SourceFile(path.name, path.read_text("utf-8")), Findings())
    assert catalogue is not None
    assert [text for text in (*SAYINGS, *REPLIES) if normal(text) not in catalogue.sentences] == []


def test_all_that_the_terminal_says_is_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: set[str] = set()
    before = Words.say

    def heard(words: Words, sentence: str, *values: str) -> str:
        said.add(sentence)
        return before(words, sentence, *values)

    monkeypatch.setattr(Words, "say", heard)
    played(capsys, monkeypatch, "hockey", "--seed", "3", lines=EVERYTHING)
    played(capsys, monkeypatch, "sixty-six", "--seed", "3", "--seats", "all", lines=("", *EVERYTHING))
    played(capsys, monkeypatch, "hucklebuck", "--seed", "3", "--watch")
    assert len(said) > 25
    assert said <= set(SAYINGS)


@pytest.mark.parametrize("name", ["hockey", "hucklebuck", "sixty-six"])
def test_every_reply_about_a_move_is_one_of_those_listed(name: str) -> None:
    rules = rulekit.load(name)
    choose = random.Random(5)
    heard: set[str] = set()
    for seed in range(3):
        game = rules.new_game(seed=seed)
        for _ in range(25):
            if game.is_over:
                break
            for move in [
                *rules.moves,
                *(f"{one} {card}" for one in rules.moves for card in ("AS", "9C", "JH")),
            ]:
                try:
                    message = game.why(move).message
                except MoveError:
                    continue  # not a move at all: that is told with what was typed
                heard.add(message)
            game.play(choose.choice(game.legal_moves()))
    assert len(heard) > 20
    for message in heard:
        assert any(pattern.fullmatch(message) for _, pattern in _replies()), message


@pytest.mark.parametrize(("name", "language"), [("sixty-six", "ur"), ("hucklebuck", "hi")])
def test_the_names_of_duties_are_translated(name: str, language: str) -> None:
    rules = rulekit.load(name)
    speech = Speech(rules.machine(rules.players[0]).setup, language)
    assert language in languages(rules.program)
    for label in labels(rules.program):
        assert speech.duty(label) != label


def test_a_reply_has_its_parts_in_the_language() -> None:
    rules = rulekit.load("sixty-six")
    speech = Speech(rules.machine(2).setup, "ur")
    said = speech.reply("follow suit: you hold QC 9C")
    assert said == "\u2067رنگ دینا: آپ کے پاس \u2066QC 9C\u2069 ہے\u2069"
    assert speech.reply("nobody has ever said this") == "nobody has ever said this"


def test_marks_take_no_columns() -> None:
    assert width("\u2067ab\u2069") == 2
    assert width("ढेर") == 2
    assert in_pieces("a\u2066b\u2069") == ["a", "\u2066", "b", "\u2069", ""]
