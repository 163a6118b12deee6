"""Every fault is told once, at the right place, in the words asserted beside each file of `broken`.

The files and what is told of them are data: see `broken_files`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from broken_files import ELSEWHERE, FOLDER, OF_PLAY, as_text, broken_files, count_by_code, told

import rulekit
from rulekit.diagnostics import codes

FILES = broken_files()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_told_of(path: Path) -> None:
    found = told(path)
    assert [one.code for one in found] == [path.stem.partition("-")[0].upper()], "one fault, told once"
    assert "\n".join(map(as_text, found)) == path.with_suffix(".told").read_text(encoding="utf-8"), (
        "if the new words are better: python tests/broken_files.py"
    )


def test_there_are_two_files_for_every_code_and_a_hundred_and_fifty_in_all() -> None:
    lacking = {code: number for code, number in count_by_code().items() if number < 2}
    assert lacking == {}
    assert len(FILES) >= 150


def test_nothing_lies_in_the_folder_that_is_not_looked_at() -> None:
    pairs = {path.with_suffix("") for path in FILES}
    others = {path for path in FOLDER.rglob("*") if path.is_file()}
    assert {path.with_suffix("") for path in others} == pairs
    assert len(others) == 2 * len(pairs)


def test_codes_that_no_file_can_have_are_tested_where_it_is_said() -> None:
    tests = FOLDER.parent
    for code, where in ELSEWHERE.items():
        assert codes.page(code) is not None
        if "(" in where:
            files = [tests / f"{name.strip()}.py" for name in where.partition("(")[2].rstrip(")").split(",")]
            assert any(code in path.read_text(encoding="utf-8") for path in files), code
    texts = "".join(path.read_text(encoding="utf-8") for path in sorted(tests.glob("test_*.py")))
    for page in codes.all_pages():
        if page.code.startswith(OF_PLAY):
            assert page.code in texts, page.code


def test_a_variant_of_more_than_500_patches_is_refused() -> None:
    variant = 'rulekit: "1"\nname: my-hearts\ntitle: My Hearts\nextends: hearts\nadd:\n'
    patches = [f"  define.extra_{number}: {number}\n" for number in range(501)]
    (found,) = rulekit.validate(variant + "".join(patches))
    assert (found.code, found.message) == ("RK760", "more than 500 parts are changed, added and removed")
    assert "RK760" not in {one.code for one in rulekit.validate(variant + "".join(patches[:500]))}


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("lead 1S", "RK920", "`1S` is no card"),
        ("laed QS", "RK920", "`laed` is no move of this game: did you mean `lead`?"),
        ("lead QS", "RK921", "`lead` is not asked for now: P1 may `pass_cards`"),
        (
            "pass_cards 2C",
            "RK921",
            "you do not hold 2C: you hold 9C 10C 8D 9D AD 2H 6H 9H JH 3S 7S 8S 10S",
        ),
    ],
)
def test_what_is_told_of_a_move(text: str, code: str, message: str) -> None:
    game = rulekit.load("hearts").new_game(seed=1, phase="round", players=4)
    with pytest.raises(rulekit.MoveError) as caught:
        game.play(text)
    assert (caught.value.code, str(caught.value)) == (code, message)


@pytest.mark.parametrize(
    ("settings", "code", "message"),
    [
        ({"options": {"targt": 50}}, "RK925", "`hearts` has no option `targt`: did you mean `target`?"),
        (
            {"options": {"target": "many"}},
            "RK925",
            "option `target` cannot be `many`: it is a number from 25 to 200",
        ),
        ({"players": 9}, "RK926", "`hearts` is for 3 to 6 players, not 9"),
        ({"players": 2}, "RK926", "`hearts` is for 3 to 6 players, not 2"),
        ({"phase": "rond"}, "RK927", "`hearts` has no phase `rond`: did you mean `round`?"),
        ({"phase": "round", "arguments": [3]}, "RK927", "phase `round` takes 0 arguments, not 1"),
        ({"seed": -1}, "RK928", "the seed is a number from 0 to 2^64 - 1, not `-1`"),
        ({"deal": "ZZ"}, "RK928", "shuffle 1 of the deal: `ZZ` is no card"),
    ],
)
def test_what_is_told_of_a_setting(settings: dict[str, Any], code: str, message: str) -> None:
    with pytest.raises(rulekit.SettingError) as caught:
        rulekit.load("hearts", options=settings.pop("options", None)).new_game(**settings)
    assert (caught.value.code, str(caught.value)) == (code, message)
