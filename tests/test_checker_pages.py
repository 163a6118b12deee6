"""Every code of the checker has a page; what is bad there yields the code, what is good yields nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulekit.diagnostics import codes
from rulekit.game.loading import validate

LANGUAGE = Path(codes.__file__).parent.parent / "language"
#: The files of the checker.
ROOMS = (
    *("before_play", "blocks", "calls", "coerce", "compile", "dealing", "deck", "declarations"),
    *(
        "arithmetic",
        "definitions",
        "effort",
        "ending",
        "expressions",
        "functions",
        "hosts",
        "known",
        "lookup",
        "names",
    ),
    *("reading_prose", "rulings", "statements", "vocabulary", "world"),
)
AREAS = ("names", "types", "blocks", "rulings")
PAGES = [page for page in codes.all_pages() if page.area in AREAS]
#: An example would be longer than any rule that a person writes.
WITHOUT_EXAMPLE = {"RK520", "RK521", "RK709"}
#: A missing key, which is told with the structure of the file unless the checker is used alone.
ELSEWHERE = {"RK202"}
LAYOUTS = {"RK453"}  # on the pages of layouts


def raised() -> set[str]:
    found: set[str] = set()
    for room in ROOMS:
        found |= set(re.findall(r'"(RK\d{3})"', (LANGUAGE / f"{room}.py").read_text(encoding="utf-8")))
    return found


def test_every_code_that_the_checker_raises_has_a_page_and_every_page_is_raised() -> None:
    assert raised() - ELSEWHERE - LAYOUTS == {page.code for page in PAGES}


def test_the_rooms_of_the_checker_are_all_looked_at() -> None:
    assert all((LANGUAGE / f"{room}.py").is_file() for room in ROOMS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.code)
def test_the_bad_example_yields_just_its_code_and_the_good_one_nothing(page: codes.Page) -> None:
    assert bool(page.bad) == bool(page.good) == (page.code not in WITHOUT_EXAMPLE)
    if page.bad:
        found = validate(page.bad)
        assert [(item.code, item.severity.value) for item in found] == [(page.code, page.severity)]
        assert [str(item) for item in validate(page.good)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.code)
def test_a_page_is_written_for_people(page: codes.Page) -> None:
    assert page.title[0] == page.title[0].lower()
    assert not page.title.endswith(".")
    assert page.what.endswith(".")
    assert page.why.endswith(".")
    assert not re.search(r"\b(?:None|tuple|dict|Exception|parser token)\b", page.what + page.why)
