"""The rulebook says what the program does, for the options and players at this table."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser

import pytest
from tables import whole_games

import rulekit
from rulekit.cli.main import run
from rulekit.program.program import OptionDef
from rulekit.program.texts import filled
from rulekit.rulebook import rulebook, to_html, to_markdown
from rulekit.rulebook.chapters import Writer
from rulekit.rulebook.document import Box, CardRow, texts
from rulekit.rulebook.markup import literal, plain, runs


def other_value(option: OptionDef) -> str | None:
    """Another value of an option, as text."""
    if option.fixed:
        return None
    if option.words:
        return option.words[(int(option.start) + 1) % len(option.words)]
    if isinstance(option.start, bool):
        return str(not option.start).lower()
    for value in option.values or (option.start + 1, option.start - 1):
        if value != option.start and option.accepts(value):
            return str(value)
    return None


def rules_told(rules: rulekit.Ruleset, players: int) -> tuple[str, ...]:
    """The chapters that tell what happens, and the words they use: no table of options, no examples."""
    writer = Writer(filled(rules.machine(players).setup))
    return tuple(texts((*writer.before.pack(), *writer.ruling(), *writer.glossary.chapter())))


@pytest.mark.parametrize("name", whole_games())
def test_sim_03_every_option_changes_a_sentence(name: str) -> None:
    """Some count only together with another: then with that one changed too."""
    rules = rulekit.load(name)
    values = {option.name: other_value(option) for option in rules.program.options.values()}

    @cache
    def told(players: int, *changed: str) -> tuple[str, ...]:
        return rules_told(rules.with_options({name: values[name] for name in changed}), players)

    def changes(option: str, *others: str) -> bool:
        try:
            return any(told(n, *others) != told(n, *others, option) for n in dict.fromkeys(rules.players))
        except ValueError:
            return False  # these options do not go together

    for option, value in values.items():
        if value is not None and not changes(option):
            assert any(changes(option, other) for other in values if other != option and values[other]), (
                option
            )


def test_sim_03_numbers_in_the_text_are_those_of_the_engine() -> None:
    rules = rulekit.load("hucklebuck")
    for target in (7, 15):
        book = rules.with_options(target=target, no_trick_costs=2).rulebook(4)
        assert f"First to {target} wins." in book
        assert f"whose score is at least {target}" in book
        assert "no trick at all costs 2" in book
    assert "Deal 5 cards to each player" in rulekit.load("schnapsen").rulebook()


@pytest.mark.parametrize("name", whole_games())
def test_sim_03_the_pack_and_its_values_are_those_of_the_engine(name: str) -> None:
    rules = rulekit.load(name)
    for players in dict.fromkeys(rules.players):
        setup = rules.machine(players).setup
        told = " ".join(texts(tuple(Writer(setup).before.pack())))
        assert f"{len(setup.pack)} cards" in told
        there = {face.rank for face in setup.pack.by_face if face.suit is not None}
        assert f"{' '.join(setup.pack.ranks[rank] for rank in sorted(there))}." in plain(told)


def test_values_of_cards_stand_in_a_table() -> None:
    book = rulekit.load("sixty-six").rulebook()
    for row in ("| jack | 2 |", "| 10 | 10 |", "| ace | 11 |"):
        assert row in book
    assert "| hearts | 1 |\n| Q♠ | 13 |\n| all other cards | 0 |" in rulekit.load("hearts").rulebook(4)
    assert "| 2 to 9 | the number on the card |" in rulekit.load("gin-rummy").rulebook()


def test_rul_01_the_text_says_whether_marriages_count_once_the_stock_is_gone() -> None:
    rules = rulekit.load("sixty-six")
    usual, without = rules.rulebook(), rules.with_options(marriage_late=False).rulebook()
    assert "| Marriages once the stock is closed or gone | yes | no |" in usual
    assert "| Marriages once the stock is closed or gone | no (usually yes) | yes |" in without
    marry = [book.partition("### Marry")[2].partition("\n### ")[0] for book in (usual, without)]
    assert "the stock is open" not in marry[0]
    assert "the stock is open" in marry[1]


def test_rul_02_the_text_says_when_the_nine_may_be_exchanged() -> None:
    rules = rulekit.load("sixty-six")
    told = [
        rules.with_options(exchanging="optional", **changes).rulebook()
        for changes in (
            {},
            {"exchange_needs_trick": False},
            {"exchange_needs_lead": False},
            {"exchange_min_stock": 4},
        )
    ]
    assert len(set(told)) == 4
    assert all("### Exchange" in book for book in told)
    assert "the stock has at least 4 cards" in told[3]


def test_aut_03_every_shipped_ruleset_has_a_rulebook_with_all_chapters() -> None:
    for name in rulekit.shipped_rulesets():
        book = rulekit.load(name).rulebook()
        for chapter in ("Players", "Cards", "The game", "Who wins", "Sources"):
            assert f"\n## {chapter}\n" in book, (name, chapter)


def test_what_options_rule_out_is_not_told() -> None:
    rules = rulekit.load("sixty-six")
    assert "### Claim" not in rules.rulebook()
    assert "*claim*" not in rules.rulebook()
    assert "### Claim" in rules.with_options(claims="required").rulebook()


def test_what_the_options_change_is_told_sentence_by_sentence() -> None:
    rules = rulekit.load("hearts")
    assert "What differs" not in rules.rulebook(4)
    book = rules.with_options(passing=False, target=50).rulebook(4)
    assert "### What differs from the usual rules" in book
    assert "   - Usually: If the way of passing is not hold, all players must *pass cards*" in book
    assert "   - Here: Until some player's score is at least 50, repeat:" in book
    assert "| The match ends when somebody has so many points | 50 (usually 100) |" in book


@pytest.mark.parametrize("name", whole_games())
def test_it_reads_as_english_and_not_as_code(name: str) -> None:
    rules = rulekit.load(name)
    book = rules.rulebook()
    told, _, _ = book.partition("\n## Sources")
    for slip in (
        " the the ",
        "you is",
        "You is",
        "each of all",
        " it it ",
        "  ,",
        " ,",
        "\x00",
        "==",
        "None",
        "{",
    ):
        assert slip not in told, slip
    names = {*rules.program.zones, *rules.program.state, *rules.program.defines, *rules.program.moves}
    for name in names:
        if "_" in name:
            assert name not in told.replace("\\_", "_"), name


@pytest.mark.parametrize("name", ["tichu", "texas-holdem", "cribbage", "gin-rummy", "big-two"])
def test_combinations_are_told(name: str) -> None:
    rules = rulekit.load(name)
    told = rules.rulebook().partition("## Combinations")[2].partition("\n## ")[0].lower()
    for pattern in rules.program.patterns:
        assert pattern.replace("_", " ") in told


def test_a_block_is_told_in_its_own_words_with_what_the_game_says() -> None:
    book = rulekit.load("sixty-six").rulebook()
    assert "The leader leads. In turn, each player plays one card to the trick" in book
    assert "the first may *lead*, *marry* or *close*, the others *follow*" in book
    assert "up next" not in rulekit.load("hockey").rulebook()


def test_examples_are_drawn_with_their_cards() -> None:
    book = rulebook(rulekit.load("hockey").machine(2).setup)
    boxes = [block for block in book.blocks if isinstance(block, Box)]
    goal = next(box for box in boxes if box.title == "A goal comes on the very next turn")
    assert [block.cards for block in goal.blocks if isinstance(block, CardRow)] == [
        ("4S", "KH"),
        ("4D", "KS"),
    ]
    assert "P2's goals are 1" in to_markdown(book)
    assert not any(re.match(r"[A-Z]{1,3}\d", box.title) for box in boxes)


def test_examples_tell_how_the_game_ended() -> None:
    assert "The game is over; the score is 52." in rulekit.load("klondike").rulebook()
    text = rulekit.load("hearts").rulebook(4)
    assert "The game is over: P4 is first (20), then P3 (39), then P2 (53), then P1 (100)." in text
    assert (
        "The game is over: P1 and P3 are first (10), then P2 and P4 (7)."
        in rulekit.load("euchre", options={"alone": False}).rulebook()
    )


# ---------------------------------------------------------------- what authors write


SLY = """rulekit: "1"
name: sly
title: "<b>Sly</b> {0.__class__} & $(x)"
text: "<script>alert(1)</script> *not a term* [[QS]] [link](http://x) {{7*7}} %s `code` # | _x_"
sources: ["<img src=x onerror=alert(1)>"]
players: 2
options: {size: {is: 1..3 = 1, text: "</td><script>x</script>"}}
deck: standard
zones: {stock: pile seen by nobody, hand: {is: set per player seen by owner, text: "<i>hand</i>"}}
play: [shuffle deck into stock, deal size to hand from stock]
end: {ranking: highest count(hand)}
examples: [{title: "\\"><script>1</script> ends", given: {hand of P1: QS}, then: [count(hand of P1) == 1]}]
"""


def test_exp_02_texts_are_printed_as_they_stand() -> None:
    page = rulekit.load(SLY).rulebook(form="html")
    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")
    assert "<h1>&lt;b&gt;Sly&lt;/b&gt; {0.__class__} &amp; $(x)</h1>" in page
    for tag in ("<script", "<b>", "<i>", "<img", "onerror=alert(1)>"):
        assert tag not in page.replace("&lt;", "")
    assert "*not a term* [[QS]] [link](http://x) {{7*7}} %s" in page
    book = rulekit.load(SLY).rulebook()
    assert "<" not in book.replace("&lt;", "")
    assert r"\*not a term\* \[\[QS\]\] \[link\]" in book


def test_a_value_in_a_text_is_the_options() -> None:
    text = SLY.replace('title: "<b>Sly</b> {0.__class__} & $(x)"', "title: Sly")
    text = re.sub(r"^text: .*$", 'text: "{size} of {sizes} and {{size}}"', text, flags=re.M)
    found = rulekit.validate(text)
    assert [(item.code, item.suggestion) for item in found] == [("RK664", "size")]
    rules = rulekit.load(text)
    assert "2 of {sizes} and {{size}}" in rules.with_options(size=2).rulebook()


def test_markup_gives_back_what_went_in() -> None:
    said = r"a *b* [[c]] \d `e` [f] \*"
    assert plain(literal(said)) == said
    assert [run.kind for run in runs(literal(said))] == ["plain"]
    assert [run.kind for run in runs("x *y z* [[QS]]")] == ["plain", "term", "plain", "card"]


# ---------------------------------------------------------------- the page


class Reading(HTMLParser):
    """Notes what an accessible page must have."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.uses: list[str] = []
        self.headings: list[int] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag not in ("meta", "rect", "use", "path"):
            self.open.append(tag)
        if "id" in found:
            self.ids.append(found["id"] or "")
        if tag == "a":
            self.links.append((found["href"] or "").removeprefix("#"))
        if tag == "use":
            self.uses.append((found["href"] or "").removeprefix("#"))
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "use", "path"):
            assert self.open.pop() == tag


@pytest.mark.parametrize("name", ["hockey", "tichu", "briscola", "klondike", "canasta"])
def test_the_page_is_accessible_and_needs_nothing_else(name: str) -> None:
    page = rulekit.load(name).rulebook(form="html")
    read = Reading()
    read.feed(page)
    assert not read.open
    assert len(read.ids) == len(set(read.ids))
    assert set(read.links) <= set(read.ids)
    assert set(read.uses) <= set(read.ids)
    assert read.headings[0] == 1
    assert all(b - a <= 1 for a, b in zip(read.headings, read.headings[1:], strict=False))
    for tag, found in read.tags:
        if tag == "th":
            assert found.get("scope") in ("col", "row")
        if tag == "svg" and found.get("class") == "card":
            assert found["role"] == "img"
            assert re.search(r"[a-z]", found["aria-label"] or "")
        assert not {"src", "onload", "onclick"} & set(found)
    assert "http" not in page.replace("http://", "").split("</style>")[0]
    assert "@import" not in page
    assert "url(" not in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page


def test_cards_of_other_packs_have_their_own_signs() -> None:
    page = to_html(rulebook(rulekit.load("briscola").machine(2).setup))
    for shape in ("coins", "cups", "swords", "batons"):
        assert f'<symbol id="suit-{shape}"' in page
    assert 'aria-label="ace of swords"' in page


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulebook", "hockey", "--set", "target=3"]) == 2
    assert run(["rulebook", "hockey"]) == 0
    assert "# Hockey" in capsys.readouterr().out


def test_how_much_may_be_raised_is_told_where_it_is_limited() -> None:
    limit, pot, leduc = (
        rulekit.load(n).rulebook() for n in ("limit-holdem", "pot-limit-holdem", "leduc-poker")
    )
    most, raises = (
        "The most that a player may have paid after a raise:",
        "The most bets and raises in a round:",
    )
    assert f"{most} the price plus the step." in limit
    assert f"{raises} 4 if the board is not empty, otherwise 3." in limit
    assert f"{most} the price plus the total paid of both players plus the price minus" in pot
    assert raises not in pot  # 1000, as much as no limit, is what the block would hold anyway
    assert most not in leduc


def test_the_glossary_says_what_a_letter_stands_for() -> None:
    told = rulekit.load("doppelkopf").rulebook()
    assert "| Bound | Depending on that call: 90 for no 90" in told
    assert "| Members | The players whose party is that side. |" in told


@pytest.mark.parametrize(
    ("loop", "told"),
    [
        ("for r in ranks: [n = amount(r)]", "For each rank: "),
        (
            "for r in ranks where amount(it) > 3: [n = 1]",
            "For each rank whose *amount* is more than 3: ",
        ),
        ("for s in suits where it != hearts: [n = 1]", "For each suit other than hearts: "),
        (
            "for p in players where it != dealer and count(hand) > 0: [n = count(hand of p)]",
            "For each player whose hand is not empty, other than the dealer: ",
        ),
    ],
)
def test_each_of_all_ranks_or_of_the_others_reads_as_english(loop: str, told: str) -> None:
    book = rulekit.load(f"""
rulekit: "1"
name: loops
title: Loops
players: 3
deck: standard
zones: {{stock: pile seen by nobody, hand: set per player seen by owner}}
state: {{dealer: player, n: 0..99}}
define: {{amount(rank r): count(deck where rank == r)}}
play:
  - dealer = random(players)
  - shuffle deck into stock
  - deal 5 to hand
  - {loop}
end: {{ranking: highest count(hand)}}
""").rulebook(3)
    assert told in book
    assert "of any" not in book
