"""`rulekit fmt`: canonical order and spacing, and nothing else changes."""

from __future__ import annotations

import random
import re
import textwrap
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syntax_strategies import TREES
from tables import whole_games

from rulekit.cli.main import cli
from rulekit.diagnostics import Findings, RulesetError, SourceFile
from rulekit.formatting import format_source
from rulekit.formatting.edits import Edit, apply, growth
from rulekit.formatting.source import laid_out
from rulekit.game.loading import Blocks, read_program
from rulekit.language import formatter, read_block, read_ruleset
from rulekit.language.heard import WORDS, listening
from rulekit.language.spacing import gaps, spaced
from rulekit.source.document import Mapping
from rulekit.source.load import Opened, Shelf, shipped_blocks
from rulekit.source.paths import same_texts
from rulekit.source.variants import load_document
from rulekit.source.yaml import read_document

RULESETS = Path(__file__).parent.parent / "rulesets"
FILES = sorted(RULESETS.rglob("*.yaml"))
NAMES = [str(path.relative_to(RULESETS)) for path in FILES]
BLOCKS = [name for name in NAMES if name.startswith("blocks")]


def read(name: str) -> str:
    return (RULESETS / name).read_text(encoding="utf-8")


def tree_of(text: str):
    """The syntax tree of a rule file, compared without its places; and all its texts of the language."""
    opened = Opened(SourceFile("rules.yaml", text), Shelf(RULESETS / "blocks"))
    findings = Findings()
    blocks = Blocks(opened.shelf, findings)
    with listening() as heard:
        if text.partition("\n")[0].startswith("block:") or "\nblock:" in text:
            node = read_document(opened.source, findings)
            tree = read_block(node, findings, blocks, shipped_blocks())
        else:
            document = load_document(opened, findings)
            assert isinstance(document, Mapping), [str(found) for found in findings.items]
            tree = read_ruleset(document, findings, blocks, shipped_blocks())
    assert not findings.has_errors, [str(found) for found in findings.items]
    return re.sub(r"Span\([^()]*\)", "", repr(tree)), [
        one for one in heard if one.scalar.span.source is opened.source
    ]


def loose(text: str) -> str:
    """A text whose blanks, except those of indentation, are one each: columns of comments may move."""
    return re.sub(r"(?<=\S) +", " ", text)


# ---------------------------------------------------------------- the shipped files


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_files_are_formatted(name):
    text = read(name)
    assert format_source(text, name, Shelf(RULESETS)) == text


def disturbed(text: str, seed: int) -> str:
    """The file with other blanks: in its expressions, behind colons, at ends of lines, deeper indented."""
    chance = random.Random(seed)
    _, heard = tree_of(text)
    edits: set[Edit] = set()
    for form, scalar in heard:
        places = scalar.offsets
        if not all(b - a == 1 for a, b in pairwise(places)):
            continue
        for gap in gaps(form, scalar.text)[1:-1]:
            if scalar.text[: gap.start] == "-":
                continue  # would begin a list in YAML
            if chance.random() < 0.2 and (gap.end > gap.start or (not gap.wanted and form != WORDS)):
                start = places[gap.start]
                edits.add(Edit(start, places[gap.end], " " * chance.randint(1, 3)))
    lines = apply(text, edits).split("\n")
    wider = chance.choice((1, 2, 3))
    changed = []
    for line, following in pairwise([*lines, ""]):
        margin = len(line) - len(line.lstrip(" "))
        line = " " * (margin * wider) + re.sub("^- ", f"-{' ' * (2 * wider - 1)}", line.lstrip(" "))
        line = re.sub(r"^( *[a-z_]+:) (?=\S)", rf"\1{' ' * chance.randint(1, 2)}", line)
        changed.append(line + " " * (chance.random() < 0.1))
        if chance.random() < 0.3 and following[:1].isalpha():
            changed += ["", ""]
    return "\n".join(changed)


@pytest.mark.parametrize("name", [*(f"{game}.yaml" for game in whole_games()), *BLOCKS])
def test_other_blanks_are_mended_and_mean_the_same(name):
    text = read(name)
    other = disturbed(text, 1)
    assert other != text
    formatted = format_source(other, name, Shelf(RULESETS))
    assert format_source(formatted, name, Shelf(RULESETS)) == formatted
    assert loose(formatted.replace("\n\n", "\n")) == loose(text.replace("\n\n", "\n"))
    assert tree_of(formatted)[0] == tree_of(text)[0]


@pytest.mark.parametrize("name", ["hockey.yaml", "klondike.yaml", "hucklebuck-bid.yaml", "kuhn-poker.yaml"])
def test_the_program_is_the_same_before_and_after(name):
    other = disturbed(read(name), 3)
    programs = []
    for text in (other, format_source(other, name, Shelf(RULESETS))):
        findings = Findings()
        program = read_program(Opened(SourceFile(name, text), Shelf(RULESETS)), findings)
        assert program is not None, [str(found) for found in findings.items]
        programs.append(program.fingerprint())
    assert programs[0] == programs[1]


# ---------------------------------------------------------------- texts of the language

SPACED = [
    ("expression", "count( hand  of p )>0 and not open", "count(hand of p) > 0 and not open"),
    ("expression", "sum (points of hand)", "sum(points of hand)"),
    ("expression", "a+ -b*- 2", "a + -b * -2"),
    ("expression", "3 - -2", "3 - -2"),
    ("expression", "(a)-(b)", "(a) - (b)"),
    ("expression", "1 .. from hand", "1.. from hand"),
    ("expression", "low .. high + 1", "low..high + 1"),
    ("expression", "0 .. - 3", "0..-3"),
    ("expression", "( 1 .. ) from hand", "(1..) from hand"),
    ("expression", "answered(m ;n )", "answered(m; n)"),
    ("expression", "x   at   most 5", "x at most 5"),
    ("expression", "QS  10H-KC", "QS 10H - KC"),
    ("expression", "best  hand_of_three from ( a|b )", "best hand_of_three from (a | b)"),
    ("expression", "if ( a ) then ( b ) else ( c )", "if (a) then (b) else (c)"),
    ("ranking", "highest( a + b )", "highest (a + b)"),
    ("key", "highest( hand by rank ) then suit", "highest(hand by rank) then suit"),
    ("declaration", "0 .. 99  per player= 3", "0..99 per player = 3"),
    ("declaration", "suit ?", "suit?"),
    ("declaration", "red|black", "red | black"),
    ("declaration", "2|4|8=4", "2 | 4 | 8 = 4"),
    ("zone", "up   to 6 piles  seen by nobody", "up to 6 piles seen by nobody"),
    ("signature", "worth ( player  p ;int n )", "worth(player p; int n)"),
    ("statement", "score of p+=2 for fifteen", "score of p += 2 for fifteen"),
    ("statement", "do count_up ( 1 )", "do count_up(1)"),
    ("statement", "move cards to(if a then b else c)", "move cards to (if a then b else c)"),
    ("head", "until(a)", "until (a)"),
    ("head", "else   if a", "else if a"),
    ("pattern", "3 .. cards same  rank", "3.. cards same rank"),
    ("pattern", "2 ..4 pair consecutive rank", "2..4 pair consecutive rank"),
    ("pattern", "3..pair", "3.. pair"),
    ("pattern", "1 card each number in 2 .. n with pair", "1 card each number in 2..n with pair"),
    ("pattern", "3.. cards where(count(it)in 1 ..n)", "3.. cards where (count(it) in 1..n)"),
    ("place", "hand  of p", "hand of p"),
    (WORDS, "  4C   QC ", "4C QC"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "text", "wanted"), SPACED)
def test_how_words_stand_apart(form, text, wanted):
    assert spaced(form, text) == wanted
    assert spaced(form, wanted) == wanted


@pytest.mark.parametrize("kind", TREES)
def test_what_the_formatter_of_trees_writes_is_spaced_like_that(kind):
    form = {"call": "running"}.get(kind, kind)

    @given(TREES[kind], st.randoms())
    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    def check(tree, chance):
        text = getattr(formatter, f"format_{kind}")(tree)
        assert spaced(form, text) == text
        wide = re.sub(" ", lambda _: " " * chance.randint(1, 3), text)
        assert spaced(form, wide) == text

    check()


# ---------------------------------------------------------------- lines and columns


def game(rest: str, front: str = "") -> str:
    """A small game; ``rest`` is what stands in front of its moves."""
    return (
        f'{front}rulekit: "1"\nname: tiny\ntitle: Tiny\nplayers: 2\ndeck: standard\nzones:\n'
        "  stock: pile seen by nobody\n  hand: set per player seen by owner\n  trick: pile seen by everyone\n"
        + textwrap.dedent(rest)
    )


TAIL = """\
moves:
  lead: {text: Lead a card., choose: {card: hand}, do: [move card to trick]}
end: {ranking: highest count(hand)}
"""
PLAY = """\
play:
  - shuffle deck into stock
  - deal 5 to hand
  - ask P1: [lead]
"""


def formatted(rest: str) -> str:
    """What becomes of the part of a game from its state on."""
    text = game(rest.replace("P1", "first of players"))
    result = format_source(text)
    assert format_source(result) == result
    return result[len(game("")) :].replace("first of players", "P1")


def test_lists_are_indented_below_their_keys():
    flat = "play:\n- shuffle deck into stock\n- deal 5 to hand\n- ask P1: [lead]\n"
    assert formatted(flat + TAIL) == PLAY + TAIL


def test_indentation_is_two_for_each_level_and_comments_go_along():
    wide = """\
play:
      # first
      - shuffle deck into stock
      - until count(hand of P1) == 5:
            # dealing
            -   deal 1 to hand        # one each
            # all dealt
      - ask P1: [lead]
      # the end
"""
    assert formatted(wide + TAIL) == (
        """\
play:
  # first
  - shuffle deck into stock
  - until count(hand of P1) == 5:
      # dealing
      - deal 1 to hand                # one each
      # all dealt
  - ask P1: [lead]
  # the end
"""
        + TAIL
    )


def test_brackets_and_colons():
    assert formatted("state: { a :   0..3 , b: {is: 0..4,text: Some. } }\n" + PLAY + TAIL).startswith(
        "state: {a: 0..3, b: {is: 0..4, text: Some.}}\n"
    )


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("a:    0..3\nlong: 0..4\nb:    0..5", "a:    0..3\nlong: 0..4\nb:    0..5"),
        ("a:     0..3\nlong:  0..4", "a:    0..3\nlong: 0..4"),
        ("a:    0..3\nlong: 0..4\nvery_long: 0..5", "a:    0..3\nlong: 0..4\nvery_long: 0..5"),
        ("a:    0..3\nlong: 0..4\nb: 0..5", "a:    0..3\nlong: 0..4\nb:    0..5"),
        ("a:   0..3\nlong: 0..4", "a: 0..3\nlong: 0..4"),
        ("a:    0..3\n\nlong: 0..4", "a: 0..3\n\nlong: 0..4"),
    ],
    ids=[
        "kept",
        "drawn together",
        "longer keys stick out",
        "a shorter one joins",
        "alone",
        "a blank line parts",
    ],
)
def test_columns_of_values(given, wanted):
    state = "state:\n" + textwrap.indent(given, "  ") + "\n"
    result = formatted(state + PLAY + TAIL)
    assert result.partition("play:")[0] == "state:\n" + textwrap.indent(wanted, "  ") + "\n"


def test_blank_lines_ends_of_lines_and_the_end_of_the_file():
    text = game(PLAY.replace("P1", "first of players") + TAIL)
    untidy = "\n\n" + text.replace("\nplay:", "\n\n\n\nplay:").replace("\n", "  \r\n") + "\r\n\r\n"
    assert format_source(untidy) == text.replace("\nplay:", "\n\nplay:")
    assert format_source(text.rstrip("\n")) == text


def test_comments_keep_their_column_if_there_is_room():
    state = "state:\n  a:   0..3     # one\n  bcd: 0..4 # two\n  x: 0 .. 5         # three\n  #four\n"
    result = formatted(state + PLAY + TAIL).partition("play:")[0]
    assert result == state.replace("0..4 #", "0..4  #").replace("x: 0 .. 5 ", "x:   0..5 ")


def test_texts_of_several_lines_go_along_and_keep_their_letters():
    state = """\
state:
      a:
          is: 0..3
          text: >
             Folded
             and long.
      b:
          is: 0..4
          text: |2
              kept
            as  it is
      c: {is: 0..5, text: "quoted
          over lines"}
"""
    result = formatted(state + PLAY + TAIL)
    assert result.startswith(
        """\
state:
  a:
    is: 0..3
    text: >
       Folded
       and long.
  b:
    is: 0..4
    text: |2
        kept
      as  it is
  c: {is: 0..5, text: "quoted
    over lines"}
"""
    )


def test_prose_and_labels_are_left_alone():
    tail = TAIL.replace("Lead a card.", '"Two  blanks ; and ( more )"')
    assert formatted(PLAY + tail) == PLAY + tail


def test_a_file_of_comments_takes_no_longer_than_any_other():
    many = "".join(f"{' ' * (number % 5)}# {number}\n" for number in range(60_000))
    text = game(PLAY.replace("P1", "first of players") + many + TAIL)
    begun = process_time()
    result = format_source(text)
    assert process_time() - begun < 10
    assert result.count("# ") == 60_000


# ---------------------------------------------------------------- order


def test_keys_of_the_file_change_places_with_the_comments_above_them():
    text = game(PLAY.replace("P1", "first of players") + TAIL, front="# the file\n")
    deck = "# all of them\ndeck: standard   # fifty-two\n"
    text = text.replace("deck: standard\n", "")
    turned = text.replace("zones:\n", "# where cards lie\nzones:\n").replace("play:\n", f"{deck}\nplay:\n")
    assert format_source(turned) == text.replace("play:", "\nplay:").replace(
        "zones:\n", f"{deck}# where cards lie\nzones:\n"
    )


def test_keys_of_moves_phases_and_examples_have_an_order():
    turned = """\
play: [do it]
phases:
  it:
    do:
      - shuffle deck into stock
      - deal 5 to hand
      - ask P1: [lead]
    # what it is about
    text: All of it.
moves:
  lead: {do: [move card to trick], choose: {card: hand}, text: Lead a card.}
end: {ranking: highest count(hand)}
examples:
  - then: [count(stock) == 52]
    # not much
    given: {stock: 4C}
    title: One card
"""
    result = formatted(turned)
    assert "  it:\n    # what it is about\n    text: All of it.\n    do:\n" in result
    assert "lead: {text: Lead a card., choose: {card: hand}, do: [move card to trick]}" in result
    assert result.endswith(
        "  - title: One card\n    # not much\n    given: {stock: 4C}\n    then: [count(stock) == 52]\n"
    )


def test_an_anchor_stays_in_front_of_its_alias():
    """Changing their order would break the file, so it is left as it was."""
    text = game(
        "play: [do it]\nphases:\n  it:\n    do:\n      - shuffle deck into stock\n      - deal 5 to hand\n"
        "      - ask first of players: [lead]\n    after: []\n    text: &words It.\n"
        "moves:\n  lead: {do: [move card to trick], choose: {card: hand}, text: *words}\n"
        "end: {ranking: highest count(hand)}\n"
    )
    result = format_source(text)
    assert "lead: {text: *words, choose: {card: hand}, do: [move card to trick]}" in result
    assert "    text: &words It.\n    do:" in result


def test_what_differs_in_a_variant_is_told_in_the_order_of_its_author():
    text = (
        'rulekit: "1"\nname: quick\ntitle: Quick\nextends: hockey\n'
        "remove: [options.first_dealer, moves.choose_dealer]\n"
        "change:\n  play:\n    - dealer = random(players)\n    - do match\n"
    )
    mixed = text.replace("title: Quick\nextends: hockey\n", "extends: hockey\ntitle: Quick\n")
    assert format_source(mixed) == text


def test_parts_that_a_variant_changes_or_adds_have_their_order():
    text = (
        'rulekit: "1"\nname: quick\ntitle: Quick\nextends: hockey\nadd:\n'
        "  moves.rest: {do: [], text: Do nothing., after: play}\n"
        "  state.rests: {text: Rests., is: 0..9}\n"
        "  phases.pause:\n    after: []\n    do: []\n"
    )
    assert format_source(text).partition("add:\n")[2] == (
        "  moves.rest: {after: play, text: Do nothing., do: []}\n"
        "  state.rests: {is: 0..9, text: Rests.}\n"
        "  phases.pause:\n    do: []\n    after: []\n"
    )


# ---------------------------------------------------------------- files that cannot be formatted


def test_a_broken_file_is_refused_with_its_mistakes_at_their_own_places():
    text = game(PLAY.replace("P1", "first of players").replace("deal 5", "dael 5") + TAIL)
    turned = text.replace("players: 2\n", "").replace("play:\n", "players: 2\nplay:\n")
    with pytest.raises(RulesetError) as caught:
        format_source(turned, "tiny.yaml")
    codes = {found.code: found.span.line for found in caught.value.diagnostics}
    assert codes["RK203"] == 9
    assert any(line == 12 for line in codes.values())


def test_mistakes_of_names_and_types_do_not_hinder():
    text = game(PLAY.replace("P1", "first of players").replace("5", "nothing_known") + TAIL)
    assert format_source(text.replace("nothing_known to", "nothing_known   to")) == text


def test_a_variant_needs_its_base():
    text = 'rulekit: "1"\nname: odd\ntitle: Odd\nextends: no-such-game\n'
    with pytest.raises(RulesetError) as caught:
        format_source(text)
    assert [found.code for found in caught.value.diagnostics] == ["RK129"]


# ---------------------------------------------------------------- the command


GOOD = game(PLAY.replace("P1", "first of players") + TAIL)
BAD = GOOD.replace("deal 5 to", "deal  5 to")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("good.yaml").write_text(GOOD, encoding="utf-8")
    Path("bad.yaml").write_text(BAD, encoding="utf-8")
    return tmp_path


def fmt(*arguments: str, input: str | None = None):
    return CliRunner().invoke(cli, ["fmt", *arguments], input=input, standalone_mode=False)


def test_fmt_writes_files_in_place(folder):
    result = fmt(".")
    assert (result.return_value, result.stdout) == (0, "formatted ./bad.yaml\n")
    assert Path("bad.yaml").read_text(encoding="utf-8") == GOOD
    assert fmt("bad.yaml", "good.yaml").stderr == "2 files: all formatted already\n"


def test_fmt_check_writes_nothing_and_lists(folder):
    result = fmt("--check", "good.yaml", "bad.yaml")
    assert (result.return_value, result.stdout) == (1, "would format bad.yaml\n")
    assert Path("bad.yaml").read_text(encoding="utf-8") == BAD
    assert fmt("--check", "good.yaml").return_value == 0


def test_fmt_diff_shows_the_lines(folder):
    result = fmt("--diff", "bad.yaml")
    assert result.return_value == 1
    assert "-  - deal  5 to hand\n+  - deal 5 to hand\n" in result.stdout
    assert Path("bad.yaml").read_text(encoding="utf-8") == BAD


def test_fmt_of_standard_input(folder):
    result = fmt("-", input=BAD)
    assert (result.return_value, result.stdout, result.stderr) == (0, GOOD, "")
    assert fmt("-", "--check", input=BAD).return_value == 1
    assert fmt("-", "--check", "--stdin-filename", "x/y.yaml", input=BAD).stdout == "would format x/y.yaml\n"


def test_fmt_leaves_broken_files_alone(folder):
    broken = BAD.replace("shuffle deck", "shufle deck")
    Path("broken.yaml").write_text(broken, encoding="utf-8")
    result = fmt("broken.yaml", "bad.yaml")
    assert result.return_value == 1
    assert "broken.yaml:11" in result.stderr
    assert "did you mean `shuffle`" in result.stderr
    assert Path("broken.yaml").read_text(encoding="utf-8") == broken
    assert Path("bad.yaml").read_text(encoding="utf-8") == GOOD


def test_fmt_of_what_cannot_be_read_or_must_not_be_written(folder):
    assert fmt("absent.yaml").return_value == 2
    assert fmt("hearts").exit_code != 0


# ---------------------------------------------------------------- edits


def test_edits_are_applied_once_and_counted():
    edits = [Edit(0, 1, "xy"), Edit(2, 4, ""), Edit(2, 4, "")]
    assert apply("abcdef", edits) == "xybef"
    assert growth(sorted(set(edits)), 0, 2) == 1
    assert growth(sorted(set(edits)), 2, 6) == -2


# ---------------------------------------------------------------- any YAML

WORDS_OF_YAML = [
    *("a", "hand of p", "x: y", "  lead", "trail  ", "# no", "q'uote", 'd"q', "-x", "1", "", "é", "{b", "*z"),
    *("multi\nline text\n\nhere\n", "long " * 40, "a\n b\n", "a\n\n\nb"),
]


def some_yaml(chance: random.Random) -> str:
    """A document as another program might write it: wide or narrow, in block or flow style, with aliases."""
    shared = ["s", "t"]

    def node(depth: int) -> object:
        kind = chance.random()
        if depth <= 0 or kind < 0.45:
            return chance.choice(WORDS_OF_YAML)
        if kind < 0.5:
            return shared
        if kind < 0.75:
            return [node(depth - 1) for _ in range(chance.randint(0, 3))]
        return {f"k{number}": node(depth - 1) for number in range(chance.randint(0, 4))}

    return yaml.safe_dump(
        {f"top{number}": node(4) for number in range(chance.randint(1, 4))},
        default_flow_style=chance.choice([None, False, True]),
        default_style=chance.choice([None, None, "|", ">", "'", '"']),
        indent=chance.choice([2, 3, 4, 7]),
        width=chance.choice([20, 60, 1000]),
        allow_unicode=True,
    )


@pytest.mark.parametrize("seed", range(150))
def test_the_layout_of_any_yaml_keeps_its_texts_to_the_letter(seed):
    source = SourceFile("any.yaml", some_yaml(random.Random(seed)))
    before = read_document(source, Findings())
    if before is None:
        return  # what PyYAML writes and rule files do not have
    once = laid_out(source, [])
    after = read_document(SourceFile("any.yaml", once), Findings())
    assert after is not None
    assert same_texts(before, after)
    assert laid_out(SourceFile("any.yaml", once), []) == once
