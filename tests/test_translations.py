"""Translated rulebooks: whole, true to the options, right to left where it must be, and checked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import run
from rulekit.diagnostics import codes
from rulekit.rulebook import rulebook
from rulekit.rulebook.catalogue import normal, says_something, split
from rulekit.rulebook.document import Heading, Items, texts

LOCALE = Path(__file__).parent.parent / "rulesets" / "locale"
CATALOGUES = sorted(LOCALE.glob("*/*.yaml"))
PAGES = [page for page in codes.all_pages() if page.area == "translations"]
SHIPPED = [("hockey", "hi", 2), ("hockey", "et", 2), ("hockey", "be", 2), ("sixty-six", "ur", 2)]
SHIPPED += [("hucklebuck", "hi", players) for players in range(3, 8)]

#: Letters of each script; what else is in Latin letters is a card, a seat or a parameter.
SCRIPTS = {"hi": r"[\u0900-\u097f]", "ur": r"[\u0600-\u06ff]", "be": r"[\u0400-\u04ff]", "et": r"[a-zõäöüšž]"}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_shipped_catalogue_has_a_mistake(path: Path) -> None:
    assert [str(found) for found in rulekit.validate(path)] == []


@pytest.mark.parametrize(("name", "language", "players"), SHIPPED)
def test_a_shipped_translation_is_whole(name: str, language: str, players: int) -> None:
    done = rulekit.load(name).translation(language, players)
    assert done.missing == ()
    assert done.total > 80
    for block in done.book.blocks:
        if isinstance(block, Items) and block.kind == "sources":
            continue
        for text in texts((block,)):
            if says_something(text):
                assert re.search(SCRIPTS[language], text.lower()), text
                if language != "et":
                    assert not re.search(r"[a-z]{2,}", text), text


def test_numbers_are_those_of_the_options() -> None:
    rules = rulekit.load("hucklebuck")
    for target in (7, 15):
        book = rules.with_options(target=target).rulebook(4, language="hi")
        assert f"पहले {target} अंक पाने वाला जीतता है" in book
        assert f"जिनके अंक कम से कम {target} हैं" in book


def test_numbers_of_a_translation_are_those_of_the_english_book() -> None:
    """Sentence by sentence, wherever the number is not written as a word."""
    rules = rulekit.load("sixty-six")
    english = rulebook(rules.machine(2).setup)
    urdu = rules.translation("ur").book
    pairs = list(zip(texts(english.blocks), texts(urdu.blocks), strict=True))
    assert len(pairs) > 300
    for said, translated in pairs:
        assert sorted(re.findall(r"\d+", said)) == sorted(re.findall(r"\d+", translated)), said


def test_what_is_not_translated_is_counted_and_marked(capsys: pytest.CaptureFixture[str]) -> None:
    rules = rulekit.load("hockey", options={"overtime": "whole_period", "contest": "blocks"})
    done = rules.translation("et")
    assert 0 < len(done.missing) < 10
    page = rules.rulebook(language="et", form="html")
    assert f"{done.total} lõigust {len(done.missing)} ei ole veel selles keeles" in page
    shown = page.partition("</style>")[2]
    assert shown.count('lang="en" dir="ltr" class="foreign"') >= len(done.missing)
    assert run(["rulebook", "hockey", "--language", "et", "--set", "contest=blocks"]) == 0
    told = capsys.readouterr()
    assert "not translated" in told.err
    assert "--untranslated" in told.err


def test_a_catalogue_to_fill_in_is_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["rulebook", "klondike", "--untranslated"]) == 0
    text = capsys.readouterr().out
    assert '"Turn the top card of that pile face up."' in text or "turn the top card" in text
    filled = re.sub(r": ''$", ": x", text, flags=re.M).replace("language: en", "language: fr")
    assert [found.code for found in rulekit.validate(filled)] == []
    assert run(["rulebook", "hockey", "--language", "hi", "--untranslated"]) == 0
    assert capsys.readouterr().out == "# everything is translated\n"


def test_a_variant_inherits_the_translation_of_its_base(tmp_path: Path) -> None:
    text = 'rulekit: "1"\nname: pond\ntitle: Pond Hockey\nextends: hockey\noptions: {overtimes: 3}\n'
    (tmp_path / "pond.yaml").write_text(text)
    rules = rulekit.load(tmp_path / "pond.yaml")
    assert rules.languages == ("en", "be", "et", "hi")
    assert rules.translation("be").missing == ("Pond Hockey",)
    (tmp_path / "locale" / "be").mkdir(parents=True)
    own = tmp_path / "locale" / "be" / "pond.yaml"
    own.write_text(
        'rulekit: "1"\nlanguage: be\nof: pond\ntexts: {title: Хакей на сажалцы}\n', encoding="utf-8"
    )
    assert rulekit.validate(own) == []
    assert rules.rulebook(language="be").startswith("# Хакей на сажалцы\n")
    assert rules.translation("be").missing == ()


def test_an_unknown_language_is_told_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert rulekit.load("hearts").languages == ("en",)
    assert run(["rulebook", "hockey", "--language", "ih"]) == 2
    assert "did you mean `hi`?" in capsys.readouterr().err
    with pytest.raises(ValueError, match="not translated into `fr`"):
        rulekit.load("hockey").rulebook(language="fr")


# ---------------------------------------------------------------- right to left


def test_right_to_left_pages_say_so_and_keep_cards_as_they_are() -> None:
    rules = rulekit.load("sixty-six")
    page = rules.rulebook(language="ur", form="html")
    assert '<html lang="ur" dir="rtl">' in page
    assert "\u20669 J Q K 10 A\u2069" in page  # ranks from low to high, from left to right
    assert re.search(r'<bdi class="chip"[^>]*aria-label="حکم – بادشاہ">K<svg', page)
    assert "direction: ltr" in page.partition("</style>")[0]
    assert "margin-left" not in page
    assert "text-align: left" not in page
    book = rules.rulebook(language="ur")
    assert "\u2066K♠\u2069" in book


# ---------------------------------------------------------------- the catalogue


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.code)
def test_the_pages_show_their_codes(page: codes.Page) -> None:
    assert [found.code for found in rulekit.validate(page.bad)] == [page.code]
    assert rulekit.validate(page.bad)[0].severity.value == page.severity
    assert rulekit.validate(page.good) == []


def test_every_code_of_translations_has_a_page() -> None:
    source = Path(rulekit.__file__).parent / "game" / "languages.py"
    raised = set(re.findall(r'"(RK\d{3})"', source.read_text(encoding="utf-8")))
    assert raised == {page.code for page in PAGES}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('rulekit: "1"\nlanguage: hi\nof: hockey\ntekst: {title: x}\n', "RK201"),
        ('rulekit: "1"\nlanguage: hi\nof: hokey\ntexts: {title: x}\n', "RK129"),
        ('rulekit: "1"\nlanguage: Hindi\nof: hockey\n', "RK209"),
        ("language: hi\nof: hockey\ntexts: {title: x}\n", "RK202"),
        ('rulekit: "1"\nlanguage: hi\nof: hockey\ndirection: left\n', "RK209"),
        ('rulekit: "1"\nlanguage: hi\nof: hockey\ntexts: {title: [x]}\n', "RK204"),
    ],
)
def test_a_catalogue_that_is_none_is_told(text: str, code: str) -> None:
    found = rulekit.validate(text)
    assert code in [item.code for item in found], [str(item) for item in found]
    assert all(item.span is not None for item in found)


def test_exp_02_translations_are_printed_as_they_stand(tmp_path: Path) -> None:
    (tmp_path / "locale" / "fr").mkdir(parents=True)
    text = 'rulekit: "1"\nname: pond\ntitle: Pond\nextends: hockey\n'
    (tmp_path / "pond.yaml").write_text(text)
    own = tmp_path / "locale" / "fr" / "pond.yaml"
    own.write_text(
        'rulekit: "1"\nlanguage: fr\nof: pond\n'
        'texts: {title: "<script>x</script> {0.__class__}"}\n'
        'sentences: {"Players": "<b>Joueurs</b>"}\n'
    )
    page = rulekit.load(tmp_path / "pond.yaml").rulebook(language="fr", form="html")
    assert "<script" not in page
    assert "<b>" not in page
    assert "&lt;script&gt;x&lt;/script&gt; {0.__class__}" in page


def test_values_in_a_sentence_are_numbered_from_the_left() -> None:
    said = "P2's hand has 6 cards, [[QS]] [[KS]] and 1,000 more."
    assert split(said) == (
        "{1}'s hand has {2} cards, {3} and {4} more.",
        ["P2", "6", "[[QS]] [[KS]]", "1,000"],
    )
    assert normal("From low to high: 2 3 4 5 J.") == "From low to high: {1}."
    assert not says_something("7")
    assert not says_something("[[QS]], 1 – −3")
    assert says_something("a 7")


def test_headings_and_moves_are_named_alike() -> None:
    """A term leads to its heading in the other language too."""
    for name, language, _ in SHIPPED[:5]:
        rules = rulekit.load(name)
        page = rules.rulebook(language=language, form="html")
        assert page.count('<a href="#') > 20
        headings = [b for b in rules.translation(language).book.blocks if isinstance(b, Heading)]
        assert len(headings) > 8


def test_the_catalogue_in_the_documentation_has_no_mistake() -> None:
    page = (Path(__file__).parent.parent / "docs" / "rulebooks.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```yaml\n(rulekit: .*?)^```", page, flags=re.M | re.S)
    assert len(shown) == 1
    assert [str(found) for found in rulekit.validate(shown[0])] == []
