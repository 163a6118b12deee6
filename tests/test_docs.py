"""The documentation is true: rule files in it are checked, examples run, transcripts replayed."""

from __future__ import annotations

import doctest
import importlib.util
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

import rulekit
from rulekit.diagnostics import Findings, SourceFile
from rulekit.engine import chance
from rulekit.source.document import Entry, Mapping
from rulekit.source.order import RULESET_KEYS
from rulekit.source.write import to_yaml
from rulekit.source.yaml import read_document

DOCS = Path(__file__).parent.parent / "docs"
PAGES = ["language.md", "tutorial.md", "library.md", "variants.md", "testing.md", "learning.md"]


@dataclass(frozen=True)
class Fence:
    """A fenced part of a page: what stands after the three ticks, its text, and the line it begins in."""

    page: str
    line: int
    info: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def fences(*languages: str) -> list[Fence]:
    """The fenced parts of all pages in some languages."""
    found = []
    for page in PAGES:
        text = (DOCS / page).read_text(encoding="utf-8")
        for match in re.finditer(r"^```(\S.*)\n((?:(?!```).*\n)*)```$", text, re.MULTILINE):
            info = tuple(match[1].split())
            if info[0] in languages:
                found.append(Fence(page, text.count("\n", 0, match.start()) + 1, info, match[2]))
    return found


YAML = fences("yaml")
WHOLE = {m[1]: x for x in YAML if len(x.info) == 1 and (m := re.search(r"^name: (\S+)$", x.text, re.M))}


def document(text: str, name: str) -> Mapping:
    findings = Findings()
    node = read_document(SourceFile(name, text), findings)
    assert [str(item) for item in findings.items] == []
    assert isinstance(node, Mapping)
    return node


def joined(fragment: Fence) -> str:
    """The game that a fragment names (the first one on the page, if none), with its parts laid over it."""
    own = [x for x in WHOLE.values() if x.page == fragment.page]
    base = document((WHOLE[fragment.info[2]] if len(fragment.info) > 2 else own[0]).text, "base")
    parts = {entry.key.text: entry for entry in base if entry.key.text != "examples"}
    for entry in document(fragment.text, str(fragment)):
        old = parts.get(entry.key.text)
        if old is not None and isinstance(old.value, Mapping) and isinstance(entry.value, Mapping):
            parts[entry.key.text] = Entry(old.key, laid_over(old.value, entry.value))
        else:
            parts[entry.key.text] = entry
    ordered = sorted(parts.values(), key=lambda entry: RULESET_KEYS.index(entry.key.text))
    return to_yaml(Mapping(tuple(ordered), base.span))


def laid_over(base: Mapping, more: Mapping) -> Mapping:
    entries = {entry.key.text.partition("(")[0]: entry for entry in (*base, *more)}
    return Mapping(tuple(entries.values()), base.span)


def test_every_fence_says_what_it_is() -> None:
    for fence in YAML:
        word = fence.info[1] if len(fence.info) > 1 else "fragment"
        assert word in ("fragment", "broken") or word.endswith(".yaml"), fence


@pytest.mark.parametrize("fence", [x for x in YAML if len(x.info) == 1], ids=str)
def test_a_whole_rule_file_has_no_mistakes(fence: Fence) -> None:
    assert re.match(r"(# .*\n)*(rulekit|block): ", fence.text), "a whole file, or mark it as a fragment"
    assert [str(item) for item in rulekit.validate(fence.text)] == []


@pytest.mark.parametrize("fence", [x for x in YAML if x.info[1:2] == ("fragment",)], ids=str)
def test_a_fragment_fits_its_game(fence: Fence) -> None:
    found = [str(item) for item in rulekit.validate(joined(fence)) if item.severity.value == "error"]
    assert found == [], joined(fence)


@pytest.mark.parametrize("fence", [x for x in YAML if x.info[1:2] == ("broken",)], ids=str)
def test_a_broken_fragment_gives_the_code_it_names(fence: Fence) -> None:
    code, *game = fence.info[2:]
    fragment = Fence(fence.page, fence.line, ("yaml", "fragment", *game), fence.text)
    assert code in {item.code for item in rulekit.validate(joined(fragment))}


def with_examples() -> list[Fence]:
    return [x for x in YAML if re.search(r"^examples:", x.text, re.M) and x.info[1:2] in ((), ("fragment",))]


@pytest.mark.parametrize("fence", with_examples(), ids=str)
def test_the_examples_hold(fence: Fence) -> None:
    text = fence.text if len(fence.info) == 1 else joined(fence)
    results = rulekit.load(text).play_examples()
    assert results
    assert [str(item) for result in results for item in result.diagnostics] == []


# ---------------------------------------------------------------- transcripts and sessions


def script(name: str) -> ModuleType:
    """A script of the folder `docs`."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tutorial_shows_what_the_commands_print() -> None:
    page = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    # How many tables and decisions a check takes is no promise.
    old, new = (
        re.sub(r"\d+ random games at \d+ tables, [\d,]+ decisions", "random games", text)
        for text in (page, script("replay").replayed(page))
    )
    assert new == old, "run `python docs/replay.py docs/tutorial.md`"


def slips() -> list[tuple[Fence, Fence]]:
    """The changes of the tutorial that do not stay, each with its transcript, as far as it is `validate`."""
    parts = [x for x in fences("diff", "console") if x.page == "tutorial.md"]
    pairs = [(a, b) for a, b in pairwise(parts) if a.info[0] == "diff"]
    return [(a, b) for a, b in pairs if a.info[2:] == () and b.text.startswith("$ rulekit validate")]


def test_the_tutorial_has_five_slips() -> None:
    assert len(slips()) == 5


@pytest.mark.parametrize(("diff", "shown"), slips(), ids=str)
def test_a_slip_of_the_tutorial_gives_this_code_in_this_line(diff: Fence, shown: Fence) -> None:
    whole = next(x for x in YAML if x.info[1:] == diff.info[1:])
    found = rulekit.validate(script("replay").changed(whole.text, diff.text))
    told = re.findall(r"error\[(RK\d+)\].*\n *--> pond-hockey\.yaml:(\d+):", shown.text)
    assert [(item.code, item.span.line) for item in found if item.span] == [
        (code, int(line)) for code, line in told
    ]


def test_the_library_page_is_a_session() -> None:
    names: dict[str, object] = {}
    for fence in fences("python"):
        test = doctest.DocTestParser().get_doctest(fence.text, names, str(fence), fence.page, fence.line)
        failed, tried = doctest.DocTestRunner(verbose=False).run(test, clear_globs=False)
        names = test.globs
        assert tried
        assert failed == 0, fence


# ---------------------------------------------------------------- what is said in passing

# For codes that the reference names in passing: a change to its first game that gives the code.
CASES = {
    "RK402": "define: {led: 3}\nstate: {led: 0..9}",
    "RK403": "state: {top: 0..9}",
    "RK410": "play: [ask me: [lead]]",
    "RK411": "moves:\n  lead: {choose: {score: hand}, do: [move score to trick]}",
    "RK416": "words: {a_type: one two, b_type: two three}\ndefine: {x: two}",
    "RK423": "define: {x: y, y: x}",
    "RK423 phases": "phases:\n  one_deal: [do other]\n  other: [do one_deal]",
    "RK430": "deck: {ranks: 7 8 9, suits: clubs hearts, copies: count(hand)}",
    "RK431": "state: {aa: 0..9 = bb, bb: 0..9 = 3}",
    "RK434": "moves:\n  lead: {choose: {card: hand}, do: [move card to trick, stop one_deal]}",
    "RK435": "moves:\n  lead: {choose: {card: hand}, do: [move card to trick, do short]}\n"
    "phases:\n  short: {stop when: any(trick), do: [shuffle trick into stock]}",
    "RK437": "define: {x: trump == hearts}\nplay: [dealer = random(players), do one_deal, if x: []]",
    "RK506": "define: {x: pip of KC + 1}",
    "RK508": "define: {x: {by: count(players where score > 0), 1: 2}}",
    "RK508 card": "card: {points: {A: 1, K: 2}}",
    "RK510": "deck: {ranks: J Q K A, suits: clubs hearts spades diamonds, copies: 2}\n"
    "define: {x: deck where it == QC}",
    "RK518": "define: {x: 3 // count(hand of players)}",
    "RK519": "define: {x: 2000000000 * 2}",
    "RK612": "play: [do one_deal]",
    "RK620": "play:\n  - dealer = random(players)\n  - do one_deal\n"
    "  - until score of team of dealer > 3: [dealer = left of dealer]",
    "RK661": "options: {zz: 1..3 = 2}",
    "RK675": "play: [dealer = highest(players by score)]",
    "RK690": "play: [dealer = random(players), shuffle deck into stock, deal 7 to hand]",
}


@pytest.mark.parametrize("case", CASES)
def test_a_code_named_in_passing_is_given_there(case: str) -> None:
    fragment = Fence("language.md", 0, ("yaml", "fragment"), CASES[case] + "\n")
    found = rulekit.validate(joined(fragment))
    assert case.split()[0] in {item.code for item in found}


# ---------------------------------------------------------------- what is said in tables


def test_the_test_vectors_of_chance_are_those_of_the_engine() -> None:
    page = (DOCS / "language.md").read_text(encoding="utf-8")
    state, draws = 0, []
    for _ in range(3):
        state, bits = chance.draw(state)
        draws.append(f"{bits:016X}")
    assert f"| the first draws from state 0 | {', '.join(draws)} |" in page
    assert f"| mix(0) | {chance.mix(0):016X} |" in page
    begins = ", ".join(f"{start:016X}" for start in chance.streams(7, 0))
    assert f"| where the streams of seed 7, game 0 begin | {begins} |" in page
    shuffled = " ".join(map(str, chance.shuffle(0, range(8))[1]))
    assert f"| 0 to 7, shuffled from state 0 | {shuffled} |" in page


def test_every_code_named_is_one_that_is_raised() -> None:
    sources = (Path(rulekit.__file__).parent).rglob("*.py")
    raised = {code for path in sources for code in re.findall(r"RK\d{3}", path.read_text(encoding="utf-8"))}
    for page in [*PAGES, "decisions.md"]:
        named = set(re.findall(r"RK\d{3}", (DOCS / page).read_text(encoding="utf-8")))
        assert named <= raised, page


def test_the_error_codes_are_those_of_the_pages() -> None:
    text = (DOCS / "error-codes.md").read_text(encoding="utf-8")
    assert text == script("generate_error_codes").document(), "run `python docs/generate_error_codes.py`"


def test_the_page_of_games_is_up_to_date() -> None:
    """But for the speeds, which are another matter on every machine."""
    generate = script("generate_games")
    text = (DOCS / "games.md").read_text(encoding="utf-8")
    assert text == generate.page(generate.speeds(text).get), "run `python docs/generate_games.py`"
    assert all(re.fullmatch(r"-|\d[\d ]*", speed) for speed in generate.speeds(text).values())


def test_the_page_of_scores_names_no_ruleset_that_its_examples_do_not_protect() -> None:
    """Scores themselves take too long to work out here; each row names the state it was made from."""
    rows = script("generate_scores").rows((DOCS / "scores.md").read_text(encoding="utf-8"))
    assert list(rows) == [name for name in rulekit.shipped_rulesets() if name in rows]
    assert len(rows) > 50
    for name, row in rows.items():
        noticed, mistakes = map(int, row.split("|")[2].split("/"))
        assert mistakes < 20 or noticed / mistakes >= 0.8, name


def test_links_between_pages_lead_somewhere() -> None:
    for path in DOCS.glob("*.md"):
        text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target, anchor in re.findall(r"\]\(([a-z-]+\.md)?(?:#([^)]*))?\)", text):
            other = DOCS / target if target else path
            assert other.exists(), f"{path.name}: {target}"
            headings = re.findall(r"^#+ (.*)$", other.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {
                re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings
            }
            assert not anchor or anchor in anchors, f"{path.name}: #{anchor}"
