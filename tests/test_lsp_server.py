"""The language server, driven over stdio by a real client."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from editor import CURSOR, Editor, offset
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

import rulekit
from rulekit.source.load import data_folder

GAME = """\
rulekit: "1"
name: plain-game
title: Plain Game
text: Take tricks. First to {target} wins.
players: 2..4
options:
  target: {is: 1..9 = 3, text: Tricks that win.}
deck: standard
words: {mood: glad sad}
card:
  strength: suit == led then rank
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  trick: pile seen by everyone
  won: set per player seen by nobody
state:
  leader: player
  humour: mood
  score: {is: 0..99 per player, text: Tricks taken.}
define:
  led: suit of first of trick
  best_of(player p): score of p
  size: 5
play:
  - leader = random(players)
  - until any(players where score >= target): [do one_deal]
phases:
  one_deal:
    text: A deal of five.
    do:
      - shuffle deck into stock
      - deal size to hand
      - repeat size times:
          - trick: {leader: leader, lead: [lead], follow: [follow], winner: strength, won_to: won}
          - leader = taker
          - if best_of(leader) > 0 and humour == glad: [humour = sad]
          - score of taker += 1 for trick_taken
    after:
      - shuffle deck into stock
moves:
  lead: {text: Lead any card., choose: {card: hand}, do: [move card to trick]}
  follow:
    text: Follow suit.
    choose:
      card:
        - follow suit: hand where suit == led
        - any card: hand
    do: [move card to trick]
end: {ranking: highest score}
examples:
  - title: Follow if you can
    given: {trick: KC, hand of P2: 4C QH, humour: sad}
    refused: {P2 follow QH: follow suit}
"""

VARIANT = """\
rulekit: "1"
name: quick-game
title: Quick Game
extends: plain-game
options: {target: 1}
change:
  define.best_of(player p): score of p + 1
  moves.follow.choose.card.follow suit: hand where suit == led or rank == A
"""

OWN_BLOCK = """\
block: one_each
text: Everybody in turn.
slots: {first: player, doing: moves}
do:
  - for p in players starting first: [ask p: [doing]]
"""

USER = """\
rulekit: "1"
name: block-user
title: Block User
text: Everybody throws.
players: 2
deck: standard
zones:
  hand: set per player seen by owner
  heap: pile seen by everyone
state: {dealer: player?}
play:
  - shuffle deck into heap
  - deal 3 to hand from heap
  - dealer = random(players)
  - repeat 3 times:
      - one_each: {first: dealer, doing: [throw]}
moves:
  throw: {text: Throw a card., choose: {card: hand}, do: [move card to heap]}
end: {ranking: highest count(hand)}
"""


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("games")
    (folder / "blocks").mkdir()
    for name, text in (
        ("plain-game.yaml", GAME),
        ("quick-game.yaml", VARIANT),
        ("block-user.yaml", USER),
        ("blocks/one_each.yaml", OWN_BLOCK),
    ):
        (folder / name).write_text(text, "utf-8")
    editor = Editor(folder)
    yield editor
    editor.quit()


@pytest.fixture
def game(editor: Editor) -> Iterator[str]:
    uri = editor.open("plain-game.yaml")
    yield uri
    editor.close(uri)


@pytest.fixture
def variant(editor: Editor) -> Iterator[str]:
    uri = editor.open("quick-game.yaml")
    yield uri
    editor.close(uri)


# ---------------------------------------------------------------- diagnostics


def test_the_games_of_these_tests_are_right(editor: Editor, game: str, variant: str) -> None:
    assert editor.diagnostics(game) == editor.diagnostics(variant) == []
    user = editor.open("block-user.yaml")
    block = editor.open("blocks/one_each.yaml")
    assert editor.diagnostics(user) == editor.diagnostics(block) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("where score >= target", "where scroe >= target"),
        ("players: 2..4", "players: 2..4\nplayer: 3"),
        ("hand where suit == led", "hand where suit = led"),
        ("hand: set per player", "hand: {set per player"),
        ("target: {is: 1..9 = 3, text: Tricks that win.}", "target: 1..9 = 3"),
        ("  size: 5", "  size: 15"),
        ("title: Plain Game", "title: Plain 🂡 Game 𝔊  # é\n# 🂡\nx: 1"),
    ],
)
def test_codes_and_places_are_those_of_the_command_line(
    editor: Editor, game: str, old: str, new: str
) -> None:
    text = GAME.replace(old, new)
    assert text != GAME
    path = editor.folder / "cli" / "plain-game.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    expected = [(d.code, d.span.start, d.message) for d in rulekit.validate(str(path)) if d.span is not None]
    editor.type(game, text)
    found = [
        (str(d.code), offset(text, d.range.start), d.message.split("\n")[0]) for d in editor.diagnostics(game)
    ]
    assert found == expected != []


def test_places_after_emoji_and_astral_characters(editor: Editor, game: str) -> None:
    text = GAME.replace("text: Take tricks. First to {target} wins.", 'text: "🂡🂱 𝔊 é tricks"').replace(
        "{is: 1..9 = 3, text: Tricks that win.}", '{text: "🂡🂡🂡 𝔊", is: 1..9 = trhee}'
    )
    editor.type(game, text)
    wrong = next(d for d in editor.diagnostics(game) if "trhee" in d.message)
    assert editor.covered(game, wrong.range) == "trhee"
    line = text.split("\n")[wrong.range.start.line]
    assert wrong.range.start.character == line.index("trhee") + 4  # each astral character counts twice


def test_the_last_of_many_changes_counts(editor: Editor, game: str) -> None:
    for n in range(12):
        editor.type(game, GAME.replace("deal size", f"dael {n}"))
    editor.type(game, GAME)
    assert editor.diagnostics(game) == []
    versions = {editor.published[game].version}
    assert versions == {editor.versions[game]}


def test_a_change_in_a_base_is_felt_in_its_variant(editor: Editor, game: str, variant: str) -> None:
    assert editor.diagnostics(variant) == []
    editor.published.clear()
    editor.type(game, GAME.replace("best_of(player p): score of p", "worst_of(player p): score of p"))
    found = editor.diagnostics(variant)
    missing = next(d for d in found if d.code == "RK753")
    assert editor.covered(variant, missing.range) == "best_of(player p)"


def test_other_yaml_files_are_left_alone(editor: Editor) -> None:
    uri = editor.open("compose.yaml", "name: shop\nservices:\n  web: {image: nginx, ports: [80]}\n")
    assert editor.diagnostics(uri) == []
    editor.type(uri, "rulekit: 1\nservices: 1\n")
    assert editor.diagnostics(uri)
    editor.close(uri)


def test_a_file_that_changes_on_the_disk_is_felt_too(editor: Editor) -> None:
    assert [wish.method for wish in editor.watched] == [lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES]
    for name, text in (("base-game", GAME), ("on-disk", VARIANT)):
        named = text.replace("plain-game", "base-game").replace("quick-game", "on-disk")
        (editor.folder / f"{name}.yaml").write_text(named, "utf-8")
    uri = editor.open("on-disk.yaml")
    assert editor.diagnostics(uri) == []
    editor.published.clear()
    base = editor.folder / "base-game.yaml"
    base.write_text(base.read_text("utf-8").replace("target:", "goal:").replace("target]", "goal]"), "utf-8")
    change = lsp.FileEvent(editor.uri("base-game.yaml"), lsp.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([change]))
    assert "RK758" in {d.code for d in editor.diagnostics(uri)}
    editor.close(uri)


def test_closing_a_file_takes_its_findings_away(editor: Editor) -> None:
    uri = editor.open("plain-game.yaml", GAME.replace("score >=", "scroe >="))
    assert editor.diagnostics(uri)
    editor.close(uri)
    with editor.news:
        assert editor.news.wait_for(lambda: not editor.published[uri].diagnostics, 10)


# ---------------------------------------------------------------- hover


@pytest.mark.parametrize(
    ("mark", "parts"),
    [
        ("where sco¦re >= target", ["score: 0..99 per player", "state", "a number", "Tricks taken."]),
        ("score >= tar¦get", ["target: 1..9 = 3", "option", "Tricks that win."]),
        ("strength: suit == le¦d", ["led: suit of first of trick", "define", "a suit or none"]),
        ("strength: su¦it ==", ["suit of CARD", "printed on a card"]),
        ("led: suit of fir¦st", ["first of SEQUENCE"]),
        ("do on¦e_deal", ["one_deal", "phase", "A deal of five."]),
        ("lead: [le¦ad]", ["lead(card)", "move", "Lead any card."]),
        ("humour == gl¦ad", ["mood: glad sad", "a word of `mood`"]),
        ("- tri¦ck: {leader", ["block"]),
        ("winn¦er: strength", ["winner: key per card", "slot", "block `trick`"]),
        ("sc¦ore of p", ["score: 0..99 per player"]),
        ("score of ¦p", ["player p", "parameter", "a player"]),
        ("leader = tak¦er", ["taker", "state", "block `trick`"]),
        ("zo¦nes:", ["The places where cards lie"]),
        ("play¦ers: 2..4", ["players"]),
        ("choo¦se:\n", ["What the player chooses"]),
        ("do: [mo¦ve card to trick]\nend", ["move CARDS to PLACE"]),
        ("{P2 follow QH: follow su¦it}", ["follow suit: hand where suit == led", "rule"]),
        ("suit ¦== led then", ["suit == led", "a condition"]),
    ],
)
def test_hover_tells_type_and_prose(editor: Editor, game: str, mark: str, parts: list[str]) -> None:
    told = editor.hover(game, mark)
    for part in parts:
        assert part in told


def test_there_is_nothing_to_tell_of_blanks_and_comments(editor: Editor, game: str) -> None:
    editor.type(game, GAME + "\n# score of p\n")
    assert editor.hover(game, "# sco¦re of p\n") == ""


# ---------------------------------------------------------------- completion


@pytest.mark.parametrize(
    ("old", "typed", "wanted", "unwanted"),
    [
        ("end: {ranking", "¦\nend: {ranking", ["teams", "patterns", "requires"], ["zones", "moves"]),
        ("  follow:\n", "  discard:\n    ¦\n  follow:\n", ["text", "choose", "do", "again"], ["score"]),
        ("  follow:\n", "  discard: {te¦\n  follow:\n", ["text", "choose", "do"], ["score"]),
        (
            "led: suit of first of trick",
            "led: suit of fir¦",
            ["first", "trick", "score"],
            ["lead", "one_deal"],
        ),
        ("led: suit of first of trick", "led: hand ¦", ["where", "from", "of"], ["score", "move"]),
        ("led: suit of first of trick", "led: count(hand where ¦", ["suit", "strength", "it"], ["one_deal"]),
        ("best_of(player p): score of p", "best_of(player p): score of ¦", ["p", "leader"], ["follow"]),
        ("      - deal size to hand", "      - de¦", ["deal", "if", "trick", "score"], ["plain-game"]),
        ("      - deal size to hand", "      - do ¦", ["one_deal"], ["score", "follow"]),
        ("      - deal size to hand", "      - ask leader: [¦", ["lead", "follow"], ["score", "one_deal"]),
        ("      - deal size to hand", "      - ask leader: [lead, ¦]", ["follow"], ["score"]),
        (
            "      - deal size to hand",
            "      - for q in players: [score of q += ¦",
            ["q", "target"],
            ["follow"],
        ),
        (
            "      - deal size to hand",
            "      - turns: {leader: leader, ¦",
            ["moves", "end", "among"],
            ["leader", "score"],
        ),
        (
            "      - deal size to hand",
            "      - turns:\n          moves: [¦]",
            ["lead", "follow"],
            ["score", "if"],
        ),
        ("  hand: set per player", "  hand: set per ¦", ["player", "suit", "mood"], ["score"]),
        ("  hand: set per player seen by owner", "  hand: set seen by ¦", ["face", "owner"], ["score"]),
        ("  leader: player", "  leader: pl¦", ["player", "mood"], ["score", "hand"]),
        ("and humour == glad", "and humour == ¦", ["glad", "sad"], ["follow"]),
        ("- follow suit: hand where suit == led", "- follow suit: ha¦", ["hand", "trick"], ["lead"]),
        ("First to {target} wins.", "First to {ta¦} wins.", ["target", "led"], ["score", "follow"]),
        ("given: {trick: KC,", "given: {tri¦", ["trick", "hand", "humour"], ["follow"]),
    ],
)
def test_completion(
    editor: Editor, game: str, old: str, typed: str, wanted: list[str], unwanted: list[str]
) -> None:
    assert GAME.count(old) == 1
    before, _, after = typed.partition(CURSOR)
    text = GAME.replace(old, before + after)
    editor.type(game, text)
    place = text.index(before + after) + len(before)
    start = max(0, place - 30)
    mark = text[start:place] + CURSOR + text[place : place + 30]
    labels = editor.labels(game, mark)
    assert set(wanted) <= set(labels)
    assert not set(unwanted) & set(labels)


def test_words_of_the_type_compared_with_come_first(editor: Editor, game: str) -> None:
    text = GAME.replace("and humour == glad:", "and humour == :")
    editor.type(game, text)
    items = sorted(editor.complete(game, "and humour == ¦:"), key=lambda item: item.sort_text or item.label)
    assert [item.label for item in items[:2]] == ["glad", "sad"]


def test_a_variant_is_offered_the_parts_of_its_base(editor: Editor, variant: str) -> None:
    editor.type(variant, VARIANT.replace("  define.best_of(player p): score of p + 1\n", "  ph\n"))
    assert {"phases.one_deal", "define.led", "moves.follow"} <= set(editor.labels(variant, "  ph¦\n"))
    editor.type(variant, VARIANT.replace("extends: plain-game", "extends: plain-g"))
    items = {item.label: item for item in editor.complete(variant, "extends: plain-g¦")}
    assert {"plain-game", "hearts", "block-user"} <= set(items)
    edit = items["plain-game"].text_edit
    assert isinstance(edit, lsp.TextEdit)
    assert "extends: plain-game\n" in editor.applied(variant, [edit])


# ---------------------------------------------------------------- definition, references


@pytest.mark.parametrize(
    ("mark", "file", "line"),
    [
        ("where sco¦re >= target", "plain-game.yaml", "score: {is: 0..99 per player, text: Tricks taken.}"),
        ("humour == gl¦ad", "plain-game.yaml", "words: {mood: glad sad}"),
        ("lead: [le¦ad]", "plain-game.yaml", "lead: {text: Lead any card., choose: {card: hand}"),
        ("score of ¦p", "plain-game.yaml", "best_of(player p): score of p"),
        ("- tri¦ck: {leader", "trick.yaml", "block: trick"),
        ("leader = tak¦er", "trick.yaml", "taker:"),
        ("winn¦er: strength", "trick.yaml", "winner:"),
        ("follow QH: follow su¦it}", "plain-game.yaml", "- follow suit: hand where suit == led"),
    ],
)  # fmt: skip
def test_definition(editor: Editor, game: str, mark: str, file: str, line: str) -> None:
    ((found, text),) = editor.definition(game, mark)
    assert found == file
    assert line in text


def test_definition_from_a_variant_leads_to_the_base(editor: Editor, variant: str) -> None:
    assert editor.definition(variant, "define.best¦_of")[0][0] == "quick-game.yaml"  # it is declared anew
    assert editor.definition(variant, "sco¦re of p + 1")[0][0] == "plain-game.yaml"
    assert editor.definition(variant, "tar¦get: 1")[0][1].startswith("target:")
    assert editor.definition(variant, "extends: pl¦ain-game") == [("plain-game.yaml", 'rulekit: "1"')]
    assert editor.definition(variant, "choose.card.foll¦ow suit")[0][1].startswith("- follow suit")


def test_references_across_files(editor: Editor, game: str, variant: str) -> None:
    found = editor.references(game, "best¦_of(player p): score of p")
    assert ("plain-game.yaml", 23) in found
    assert ("quick-game.yaml", 7) in found
    scores = editor.references(game, "where sco¦re >= target")
    assert [line for file, line in scores if file == "plain-game.yaml"] == [20, 23, 27, 38, 50]
    assert ("quick-game.yaml", 7) in scores
    assert editor.references(game, "where sco¦re >= target", declared=False)[0] == ("plain-game.yaml", 23)


def test_references_of_a_slot_are_in_the_block_and_its_users(editor: Editor) -> None:
    block = editor.open("blocks/one_each.yaml")
    assert editor.references(block, "starting fir¦st:") == [
        ("block-user.yaml", 16),
        ("one_each.yaml", 3),
        ("one_each.yaml", 5),
    ]
    user = editor.open("block-user.yaml")
    assert editor.definition(user, "do¦ing: [throw]") == [
        ("one_each.yaml", "slots: {first: player, doing: moves}")
    ]


# ---------------------------------------------------------------- rename


def test_rename_changes_every_mention_in_every_file(editor: Editor, game: str, variant: str) -> None:
    changed = editor.rename(game, "where sco¦re >= target", "points")
    assert set(changed) == {"plain-game.yaml", "quick-game.yaml"}
    assert changed["plain-game.yaml"] == GAME.replace("score", "points")
    assert changed["quick-game.yaml"] == VARIANT.replace("score", "points")


@pytest.mark.parametrize(
    ("mark", "new", "count"),
    [
        ("humour == gl¦ad", "happy", 2),
        ("score >= tar¦get", "goal", 3),
        ("lead: [le¦ad]", "begin", 2),
        ("do on¦e_deal", "round", 2),
        ("foll¦ow:\n", "respond", 3),
        ("score of ¦p", "who", 2),
        ("words: {mo¦od:", "temper", 2),
        ("+= 1 for trick_ta¦ken", "trick_won", 1),
        ("{trick: KC, hand of P2: 4C QH, hum¦our: sad}", "temper", 4),
    ],
)
def test_rename_of_each_kind(editor: Editor, game: str, mark: str, new: str, count: int) -> None:
    text = editor.rename(game, mark, new)["plain-game.yaml"]
    assert text.count(new) == count + GAME.count(new)
    path = editor.folder / "renamed" / "plain-game.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    assert rulekit.validate(str(path)) == []


@pytest.mark.parametrize(
    ("mark", "new", "why"),
    [
        ("where sco¦re >= target", "humour", "there is state `humour`"),
        ("where sco¦re >= target", "Points", "is not a name"),
        ("where sco¦re >= target", "count", "a word of the language"),
        ("where sco¦re >= target", "p", "a local cannot be called"),
        ("humour == gl¦ad", "sad", "there is word `sad`"),
        ("tr¦ick: KC", "heap", "comes with rulekit"),
        ("leader = tak¦er", "winner", "comes with rulekit"),
        ("suit of fir¦st of trick", "opening", "a word of the language"),
        ("- tri¦ck: {leader", "stitch", "rename the file"),
    ],
)
def test_rename_is_refused(editor: Editor, game: str, mark: str, new: str, why: str) -> None:
    with pytest.raises(JsonRpcException) as refusal:
        editor.rename(game, mark, new)
    assert why in str(refusal.value)


# ---------------------------------------------------------------- symbols, fixes, formatting


def test_the_outline(editor: Editor, game: str) -> None:
    found = {symbol.name: symbol for symbol in editor.symbols(game)}
    assert [child.name for child in found["moves"].children or ()] == ["lead", "follow"]
    assert [child.name for child in found["state"].children or ()] == ["leader", "humour", "score"]
    assert [child.name for child in found["examples"].children or ()] == ["Follow if you can"]
    follow = (found["moves"].children or ())[1]
    assert editor.covered(game, follow.selection_range) == "follow"
    assert "do: [move card to trick]" in editor.covered(game, follow.range)


def test_did_you_mean_is_a_fix(editor: Editor, game: str) -> None:
    editor.type(game, GAME.replace("where score >= target", "where scroe >= target"))
    (action,) = editor.actions(game, "where scr¦oe")
    assert action.title == "Change to `score`"
    assert action.diagnostics
    assert action.diagnostics[0].code == "RK401"
    assert action.edit
    assert editor.applied(game, list((action.edit.changes or {})[game])) == GAME


LEAD = "{choose: {card: hand}, if: {a: any(hand)},"
TEXT = "    text: Follow suit.\n"
DUTIES = "    choose:\n      card:\n        - follow suit: hand where suit == led\n        - any card: hand\n"


@pytest.mark.parametrize(
    ("old", "new", "mark"),
    [
        ("target: {is: 1..9 = 3, text: Tricks that win.}", "target: 1..9 = 3", "tar¦get: 1"),
        ("target: {is: 1..9 = 3, text: Tricks that win.}", "target: {is: 1..9 = 3}", "tar¦get: {"),
        ("target: {is: 1..9 = 3, text: Tricks that win.}", "target:\n    is: 1..9 = 3", "tar¦get:\n"),
        ("{text: Lead any card., choose: {card: hand},", LEAD, "  le¦ad: {choose"),
        (TEXT + DUTIES, DUTIES + "    if: {a: any(hand)}\n", "  foll¦ow:\n    choose"),
    ],
)
def test_a_missing_text_is_a_fix(editor: Editor, game: str, old: str, new: str, mark: str) -> None:
    text = GAME.replace(old, new)
    if "foll" in mark:
        text = text.replace("    if: {a: any(hand)}\n", "").replace(
            "    do: [move card to trick]\nend", "    if: {a: any(hand)}\n    do: [move card to trick]\nend"
        )
        mark = "  foll¦ow:\n    choose"
    editor.type(game, text)
    missing = {"RK661", "RK662"}
    assert missing & {str(d.code) for d in editor.diagnostics(game)}
    (action,) = [a for a in editor.actions(game, mark) if a.title == "Add a text"]
    assert action.edit
    mended = editor.applied(game, list((action.edit.changes or {})[game]))
    editor.type(game, mended)
    assert not missing & {str(d.code) for d in editor.diagnostics(game)}
    assert not [d for d in editor.diagnostics(game) if d.severity == lsp.DiagnosticSeverity.Error]


def test_formatting_is_that_of_the_command(editor: Editor, game: str) -> None:
    from rulekit.formatting import format_source

    untidy = GAME.replace("where score >= target", "where  score>=target").replace(
        "      - deal", "        - deal"
    )
    untidy = untidy.replace("        - deal", "      - deal")
    editor.type(game, untidy)
    params = lsp.DocumentFormattingParams(
        lsp.TextDocumentIdentifier(game), lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    )
    edits = editor.run(editor.client.text_document_formatting_async(params))
    assert len(edits) == 1
    assert editor.applied(game, list(edits)) == format_source(untidy)


# ---------------------------------------------------------------- half-written files


def broken_texts() -> list[str]:
    """The game with lines cut off in the middle, lines gone, brackets open, quotes open."""
    lines = GAME.split("\n")
    found = ["", "rulekit", "block: x", "- 1", "{", '"', "a: b: c", "\t", "🂡", "extends: plain-game"]
    for number in range(2, len(lines), 5):
        line = lines[number]
        for cut in (
            line[: len(line) // 2],
            line + " {",
            line + " '",
            line + " [",
            "  " + line,
            line.replace(":", ""),
        ):
            found.append("\n".join([*lines[:number], cut, *lines[number + 1 :]]))
        found.append("\n".join(lines[:number]))
    return found


def test_every_request_on_a_broken_file_is_answered(editor: Editor, game: str) -> None:
    for text in broken_texts():
        editor.type(game, text)
        spots = sorted({0, len(text) // 3, len(text) // 2, max(0, len(text) - 2), len(text)})
        document = lsp.TextDocumentIdentifier(game)
        for spot in spots[::2]:
            place = lsp.Position(text.count("\n", 0, spot), spot - (text.rfind("\n", 0, spot) + 1))
            client, run = editor.client, editor.run
            run(client.text_document_hover_async(lsp.HoverParams(document, place)))
            items = run(client.text_document_completion_async(lsp.CompletionParams(document, place)))
            assert items is not None
            run(client.text_document_definition_async(lsp.DefinitionParams(document, place)))
        editor.symbols(game)
    assert not editor.messages
    editor.type(game, GAME)
    assert editor.diagnostics(game) == []


def test_names_keep_their_meaning_while_a_line_is_broken(editor: Editor, game: str) -> None:
    editor.type(game, GAME.replace("  - leader = random(players)", "  - {leader = random(players)"))
    assert {str(d.code)[:3] for d in editor.diagnostics(game)} == {"RK1"}
    assert "Tricks taken." in editor.hover(game, "where sco¦re >= target")
    assert editor.definition(game, "where sco¦re >= target")
    assert [symbol.name for symbol in editor.symbols(game)][-1] == "examples"


def test_a_client_is_answered_by_the_address_it_uses(editor: Editor) -> None:
    (editor.folder / "a b-ç").mkdir(exist_ok=True)
    own = editor.uri("a b-ç/plain-game.yaml").replace("%C3%A7", "%c3%a7")
    item = lsp.TextDocumentItem(own, "yaml", 1, GAME.replace("score >=", "scroe >="))
    editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    with editor.news:
        assert editor.news.wait_for(lambda: own in editor.published, 20)
    editor.texts[own] = item.text
    edits = editor.run(
        editor.client.text_document_rename_async(
            lsp.RenameParams(
                lsp.TextDocumentIdentifier(own), editor.place(own, "best¦_of(leader)"), "most_of"
            )
        )
    )
    assert list(edits.changes) == [own]


def test_a_file_that_lies_nowhere_is_looked_at_too(editor: Editor) -> None:
    item = lsp.TextDocumentItem("untitled:Untitled-1", "yaml", 1, GAME.replace("score >=", "scroe >="))
    editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    with editor.news:
        assert editor.news.wait_for(lambda: "untitled:Untitled-1" in editor.published, 20)
    assert [str(d.code) for d in editor.published["untitled:Untitled-1"].diagnostics] == ["RK401"]


def test_columns_are_counted_as_the_client_wishes(tmp_path: Path) -> None:
    shutil.copy(data_folder("rulesets") / "whist.yaml", tmp_path / "whist.yaml")
    editor = Editor(tmp_path, ["utf-32"])
    try:
        assert editor.capabilities.position_encoding == "utf-32"
        text = GAME.replace("text: Tricks that win.", 'text: "🂡🂡 x"').replace(
            "{is: 1..9 = 3,", "{is: 1..9 = 3,"
        )
        text = text.replace(
            'target: {is: 1..9 = 3, text: "🂡🂡 x"}', 'target: {text: "🂡🂡 x", is: 1..9 = trhee}'
        )
        uri = editor.open("whist.yaml", text)
        wrong = next(d for d in editor.diagnostics(uri) if "trhee" in d.message)
        assert wrong.range.start.character == text.split("\n")[wrong.range.start.line].index("trhee")
    finally:
        editor.quit()
