"""`rulekit diff`: what differs between two rulesets, in prose and by id."""

from __future__ import annotations

import json
from functools import cache

import pytest
from click.testing import CliRunner
from test_shipped_variants import BASES, document

from rulekit.cli.main import cli
from rulekit.diagnostics import Findings, RulesetError
from rulekit.difference import as_data, as_text, compare
from rulekit.difference.compare import between
from rulekit.difference.side import Side, read_side
from rulekit.source.document import Mapping, Scalar, Sequence
from rulekit.source.paths import base_name


@cache
def side(name: str) -> Side:
    found = read_side(name, Findings())
    assert found is not None
    return found


def patched(variant: str) -> set[str]:
    """The ids that a variant file names."""
    node = document(variant)
    options, fix, remove = node.get("options"), node.get("fix"), node.get("remove")
    named = {f"options.{key}" for key in options.keys()} if isinstance(options, Mapping) else set()  # noqa: SIM118
    for part, front in ((fix, "options."), (remove, "")):
        if isinstance(part, Sequence):
            named |= {front + item.text for item in part if isinstance(item, Scalar)}
    for key in ("change", "add"):
        part = node.get(key)
        if isinstance(part, Mapping):
            named |= {base_name(entry.key.text) for entry in part}
    return named


def related(one: str, other: str) -> bool:
    """Is one id the other, or does it lie inside it?"""
    return one == other or one.startswith(other + ".") or other.startswith(one + ".")


@pytest.mark.parametrize("name", BASES)
def test_a_variant_differs_from_its_base_in_what_it_names_and_nowhere_else(name):
    difference = between(side(BASES[name]), side(name))
    ids = {change.id for change in difference.changes}
    named = patched(name)
    assert not [found for found in ids if not any(related(found, path) for path in named)]
    assert not [path for path in named if not any(related(found, path) for found in ids)]
    text = as_text(difference)
    assert all(found in text for found in ids)
    assert not difference.same


@pytest.mark.parametrize("name", BASES)
def test_a_ruleset_and_itself_are_the_same(name):
    difference = between(side(name), side(name))
    assert difference.same
    assert as_text(difference).endswith("the same rules")


@pytest.mark.parametrize("name", ["mau-mau", "hucklebuck-bid", "canadian-euchre", "five-card-cribbage"])
def test_the_way_back_names_the_same_parts(name):
    there, back = (between(side(a), side(b)) for a, b in ((BASES[name], name), (name, BASES[name])))
    opposite = {"added": "removed", "removed": "added", "fixed": "freed", "freed": "fixed"}
    assert {(c.id, opposite.get(c.kind, c.kind)) for c in back.changes} == {
        (c.id, c.kind) for c in there.changes
    }
    assert (back.lost_reasons, back.new_reasons) == (there.new_reasons, there.lost_reasons)


# ---------------------------------------------------------------- small rulesets

GAME = """\
rulekit: "1"
name: one
title: One
players: 2
options:
  goal: {is: 1..9 = 3, text: Points.}
  short: bool
deck: standard
card:
  worth: {A: 4, else: 0}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  trick: pile seen by everyone
state:
  dealer: player
  score: 0..99 per player
define:
  size(player p): if short then 3 else 5
play:
  - dealer = random(players)
  - until any(players where score >= goal): [do round]
phases:
  round:
    - shuffle deck into stock
    - for p in players: [deal size(p) to hand of p]
    - ask dealer: [lead, other_move]
    - score of dealer += 1 for trick
moves:
  lead:
    text: Lead a card.
    choose:
      card:
        - an ace if you can: hand where rank == A
        - any card: hand
    do: [move card to trick]
  other_move: {text: Do nothing., do: []}
end: {ranking: highest score}
"""


def changes(old: str, new: str) -> list[tuple[str, str]]:
    assert old in GAME
    return [(c.id, c.kind) for c in compare(GAME, GAME.replace(old, new, 1)).changes]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("= 3, text", "= 4, text", [("options.goal", "changed")]),
        ("text: Points.", "text: Marks.", [("options.goal.text", "changed")]),
        ("players: 2", "players: 2..3", [("players", "changed")]),
        ("{A: 4, else: 0}", "{A: 4, K: 3, else: 0}", [("card.worth", "changed")]),
        ("set per player seen by owner", "set per player seen by others", [("zones.hand", "changed")]),
        ("then 3 else 5", "then 3 else 6", [("define.size", "changed")]),
        ("size(player p)", "size(player q)", [("define.size", "changed")]),
        ("+= 1 for trick", "+= 1 for lead", [("phases.round.do", "changed")]),
        ("    - shuffle", "    # first of all\n    - shuffle", []),
        ("score >= goal", "score>=goal", []),
        ("  score: 0..99 per player", "  score: {is: 0..99 per player}", []),
        (
            "  score: 0..99 per player",
            "  score: {is: 0..99 per player, text: Points.}",
            [("state.score.text", "added")],
        ),
        ("rank == A", "rank == K", [("moves.lead.choose.card.an ace if you can", "changed")]),
        (
            "        - an ace if you can: hand where rank == A\n        - any card: hand\n",
            "        - any card: hand\n        - an ace if you can: hand where rank == A\n",
            [("moves.lead.choose.card", "reordered")],
        ),
        ("highest score", "lowest score", [("end.ranking", "changed")]),
        ("name: one\ntitle: One", "name: two\ntitle: Two", []),
    ],
)  # fmt: skip
def test_what_is_a_difference(old, new, found):
    assert changes(old, new) == found


def test_moves_in_another_order_are_legal_moves_in_another_order():
    head, _, tail = GAME.partition("moves:\n")
    lead, _, rest = tail.partition("  other_move")
    other, _, end = rest.partition("end:")
    turned = f"{head}moves:\n  other_move{other}{lead}end:{end}"
    assert [(c.id, c.kind) for c in compare(GAME, turned).changes] == [("moves", "reordered")]


def test_the_same_rules_under_another_name():
    difference = compare(GAME, GAME.replace("name: one\ntitle: One", "name: two\ntitle: Two"))
    assert as_text(difference) == "Two (two) has the same rules as One (one)"


def test_reasons_of_the_score_sheet_are_compared():
    difference = compare(GAME, GAME.replace("for trick", "for first_lead"))
    assert (difference.lost_reasons, difference.new_reasons) == (("trick",), ("first_lead",))
    assert "new in the score sheet: first lead" in as_text(difference)


def test_a_block_of_ones_own_is_compared(tmp_path):
    block = "block: twice\ntext: Twice the same.\nslots: {what: statements}\ndo:\n  - do what\n  - do what\n"
    use = GAME.replace("    - score of dealer += 1 for trick", "    - twice: {what: [shuffle stock]}")
    for folder, text in (("a", block), ("b", block + "  - do what\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "twice.yaml").write_text(text, encoding="utf-8")
        (tmp_path / folder / "one.yaml").write_text(use, encoding="utf-8")
    paths = [tmp_path / folder / "one.yaml" for folder in "ab"]
    assert [(c.id, c.kind) for c in compare(*paths).changes] == [("block twice", "changed")]
    assert compare(paths[0], paths[0]).same


def test_two_games_that_have_nothing_to_do_with_each_other():
    difference = compare("kuhn-poker", "camicia")
    assert {"moves.bet", "zones.heap", "card.price"} <= {change.id for change in difference.changes}
    assert "moves.bet is gone: Bet." in as_text(difference)


def test_a_broken_ruleset_is_not_compared():
    with pytest.raises(RulesetError):
        compare(GAME, GAME.replace("deck: standard", "dekc: standard"))


# ---------------------------------------------------------------- the command


def diff(*arguments: str):
    return CliRunner().invoke(cli, ["diff", *arguments], standalone_mode=False)


def test_diff_of_a_variant_in_prose():
    result = diff("euchre", "canadian-euchre")
    assert result.return_value == 1
    assert result.stdout == (
        "Euchre (the Canadian loner) (canadian-euchre) differs from Euchre (euchre) in 1 place.\n\n"
        "Options\n  options.partner_alone has the default `true`, not `false`\n"
    )


def test_diff_as_json():
    result = diff("kuhn-poker", "one-card-poker", "--format", "json")
    data = json.loads(result.stdout)
    assert result.return_value == 1
    assert (data["before"]["name"], data["after"]["name"], data["same"]) == (
        "kuhn-poker",
        "one-card-poker",
        False,
    )
    assert data["changes"][0] == {"id": "players", "kind": "changed", "before": "2..3", "after": "2"}
    assert data["reasons"] == {"gone": [], "new": []}
    assert data == as_data(compare("kuhn-poker", "one-card-poker"))


def test_exit_codes_of_diff(tmp_path):
    assert diff("kuhn-poker", "kuhn-poker").return_value == 0
    assert diff("kuhn-poker", "camicia").return_value == 1
    assert diff("kuhn-poker", "no-such-game").return_value == 2
    broken = tmp_path / "broken.yaml"
    broken.write_text(GAME.replace("deck: standard", "dekc: standard"), encoding="utf-8")
    result = diff("kuhn-poker", str(broken))
    assert result.return_value == 2
    assert "did you mean `deck`" in result.stderr
