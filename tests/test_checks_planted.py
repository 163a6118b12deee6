"""Each check fires on its own fault planted into a shipped ruleset, at the right words, and never without."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import whole_games

from rulekit.diagnostics import codes
from rulekit.game.loading import validate
from rulekit.source.load import data_folder

RULESETS = Path(data_folder("rulesets"))

#: code, ruleset, what is replaced, by what, the text underlined
PLANTED = [
    (
        "RK603",
        "hucklebuck",
        "    after:\n      - do scoring\n",
        "    after:\n      - do scoring\n      - stop round\n",
        "stop round",
    ),
    (
        "RK603",
        "hucklebuck",
        "  scoring:\n    - for p in staying:\n",
        "  scoring:\n    - stop round\n    - for p in staying:\n",
        "stop round",
    ),
    (
        "RK610",
        "sixty-six",
        "  - if first_dealer == cut_winner_chooses: [ask dealer: [choose_dealer]]\n",
        "  - if first_dealer == cut_winner_chooses and accepted == none: [ask dealer: [choose_dealer]]\n",
        "accepted",
    ),
    ("RK612", "hucklebuck", "  - dealer = random(players)\n", "", "dealer"),
    (
        "RK612",
        "hucklebuck",
        "  - dealer = random(players)\n",
        "  - if floor: [dealer = random(players)]\n",
        "dealer",
    ),
    ("RK612", "hucklebuck", "      - leader = opener\n", "", "leader"),
    (
        "RK612",
        "sixty-six",
        "    - trump = suit of bottom of stock\n",
        "",
        "may_exchange(it)",
    ),
    (
        "RK620",
        "sixty-six",
        "  - until any(players where game >= target): [do round]\n",
        "  - until any(players where game >= target): [do round]\n"
        "  - until owed == 3: [dealer = opponent of dealer]\n",
        "until owed == 3",
    ),
    (
        "RK620",
        "hucklebuck",
        "      - for p in seated starting eldest:\n",
        "      - until any(discard):\n          - move stock to faceup\n          - move faceup to stock\n"
        "      - for p in seated starting eldest:\n",
        "until any(discard)",
    ),
    (
        "RK621",
        "beggar-my-neighbour",
        "end: {ranking: highest count(hand), limit: 50000}",
        "end: {ranking: highest count(hand)}",
        "until count(hand of turn) == 0",
    ),
    (
        "RK622",
        "crazy-eights",
        "  - until any(players where score >= target):\n",
        "  - until false:\n",
        "until false",
    ),
    (
        "RK630",
        "hucklebuck",
        "  hand_size: 5\n",
        "  hand_size: 8\n",
        "deal 1 to hand of (if turnup == dealers_card then seated - dealer else seated) from stock",
    ),
    ("RK630", "sixty-six", "  hand_size: 6\n", "  hand_size: 13\n", "deal hand_size to hand from stock"),
    (
        "RK630",
        "hockey",
        "          - deal deal_size to hand from stock\n",
        "          - deal usual_deal * 6 to hand from stock\n",
        "deal usual_deal * 6 to hand from stock",
    ),
    (
        "RK631",
        "hucklebuck",
        "deck: standard",
        "deck: {ranks: A, suits: hearts spades, without: AH AS}",
        "deck",
    ),
    (
        "RK632",
        "hearts",
        "      - shuffle deck into stock\n",
        "      - shuffle stock\n",
        "shuffle stock",
    ),
    (
        "RK633",
        "hucklebuck",
        "    - move top of stock to faceup\n",
        "    - move top of discard to faceup\n",
        "move top of discard to faceup",
    ),
    ("RK640", "hucklebuck", "        - any card: hand\n", "", "follow"),
    (
        "RK640",
        "hucklebuck",
        "  lead: {text: Lead any card., choose: {card: hand}",
        "  lead: {text: Lead any card., choose: {card: hand where suit != trump}",
        "lead",
    ),
    (
        "RK640",
        "hockey",
        "choose: {chosen: players}, do: [dealer = chosen]}",
        "if: {a period was played: period > 0}, choose: {chosen: players}, do: [dealer = chosen]}",
        "ask dealer",
    ),
    (
        "RK641",
        "hucklebuck",
        "        - any card: hand\n",
        "        - any card: hand\n        - a trump: hand where suit == trump\n",
        "a trump",
    ),
    (
        "RK642",
        "hucklebuck",
        "        - any card: hand\n",
        "        - any card: hand\n        - every card: hand\n",
        "every card",
    ),
    (
        "RK643",
        "cribbage",
        "choose: {cards: 2 from hand}",
        "choose: {cards: 2 from row}",
        "2 from row",
    ),
    (
        "RK650",
        "hucklebuck",
        "  no_trick_costs: {",
        "  colours: {is: 2 | 4 = 4, text: How many colours the backs have.}\n  no_trick_costs: {",
        "colours",
    ),
    (
        "RK651",
        "hucklebuck",
        "  dealer: player\n",
        "  dealer: player\n  rounds: 0..99\n",
        "rounds",
    ),
    (
        "RK652",
        "hockey",
        "      - period += 1\n",
        "",
        "period",
    ),
    ("RK653", "hockey", "define:\n", "define:\n  spare: 3\n", "spare"),
    ("RK654", "hucklebuck", "card:\n", "card:\n  is_court: rank >= J\n", "is_court"),
    ("RK655", "hockey", "  clear_ice:\n", "  pause:\n    - move ice to past\n  clear_ice:\n", "pause"),
    ("RK656", "hockey", "moves:\n", "moves:\n  wait: {text: Wait., do: []}\n", "wait"),
    ("RK657", "hockey", "zones:\n", "zones:\n  bench: pile seen by nobody\n", "bench"),
    ("RK658", "hucklebuck", "    - move top of stock to faceup\n", "", "faceup"),
    (
        "RK659",
        "hockey",
        "      - shuffle deck into stock\n",
        "      - move box to stock\n      - shuffle stock\n",
        "past",
    ),
    (
        "RK660",
        "hockey",
        "      - let shot =",
        "      - let height = count(ice)\n      - let shot =",
        "height",
    ),
    (
        "RK661",
        "hockey",
        '  jack_scores: {is: bool = false, text: "Two breakaways in a row are a goal, even with a jack."}\n',
        "  jack_scores: bool = false\n",
        "jack_scores",
    ),
    (
        "RK662",
        "sixty-six",
        "    text: Exchange the lowest trump for the turned-up trump.\n",
        "",
        "exchange",
    ),
    (
        "RK663",
        "hucklebuck",
        "zones:\n",
        "patterns:\n  couple: 2 cards same rank\nzones:\n",
        "couple",
    ),
    ("RK670", "hockey", "      - period += 1\n", "      - period += 60\n", "period += 60"),
    (
        "RK671",
        "euchre",
        "score:  {is: 0..30 per team",
        "score:  {is: 0..12 per team",
        "score of makers += (if loner then lone_points else 2) for march",
    ),
    (
        "RK671",
        "hucklebuck",
        "is: -9999..9999 per player",
        "is: -9999..12 per player",
        "score of p += tricks of p for tricks",
    ),
    ("RK671", "briscola", "deals_won: {is: 0..7", "deals_won: {is: 0..5", "deals_won of p += 1 for deal"),
    (
        "RK672",
        "hearts",
        "{is: -9999..9999 per player, text: Penalty points.}",
        "{is: -99..9999 per player, text: Penalty points.}",
        "until any(players where score >= target)",
    ),
    (
        "RK676",
        "durak",
        "lowest(hand of players where suit == trump by rank)",
        "lowest(hand of players by rank)",
        "lowest(hand of players by rank)",
    ),
    (
        "RK675",
        "hucklebuck",
        "  champion: only(tied)\n",
        "  champion: highest(tied by score)\n",
        "highest(tied by score)",
    ),
    (
        "RK681",
        "hockey",
        "    stop when: extra_time and overtime == first_goal and not level\n",
        "    stop when: overtime == first_goal and breakaway == none or breakaway == none\n",
        "overtime == first_goal and breakaway == none or breakaway == none",
    ),
    (
        "RK682",
        "hockey",
        "    stop when: extra_time and overtime == first_goal and not level\n",
        "    stop when: extra_time and overtime == first_goal\n",
        "extra_time and overtime == first_goal",
    ),
    (
        "RK683",
        "hucklebuck",
        "      - leader = opener\n",
        "      - stop round\n      - leader = opener\n",
        "leader = opener",
    ),
    (
        "RK684",
        "sixty-six",
        "    if: {the stock is open: open,",
        "    if: {it is another game: count(players) > 2, the stock is open: open,",
        "count(players) > 2",
    ),
    (
        "RK685",
        "sixty-six",
        "    if: {the stock is open: open,",
        "    if: {two play: count(players) == 2, the stock is open: open,",
        "count(players) == 2",
    ),
    (
        "RK684",
        "hockey",
        "      - if scores:\n",
        "      - if count(ice) == 0: [do clear_ice]\n      - if scores:\n",
        "count(ice) == 0",
    ),
    (
        "RK685",
        "hockey",
        "      - if scores:\n",
        "      - if any(ice): [do clear_ice]\n      - if scores:\n",
        "any(ice)",
    ),
    ("RK665", "whist", "card:\n", "words: {mood: glad sad}\ncard:\n", "mood"),
    (
        "RK677",
        "hucklebuck",
        "      - leader = opener\n",
        "      - leader = opener\n      - score of leader += 1\n",
        "score of leader += 1",
    ),
    ("RK664", "hucklebuck", "First to {target} wins.", "First to {tarket} wins.", "{tarket}"),
    ("RK690", "hockey", "deal deal_size to hand", "deal 4 to hand", "4"),
    (
        "RK691",
        "texas-holdem",
        "best poker_hand from hole of p | board",
        "best poker_hand from deck",
        "best poker_hand from deck",
    ),
    (
        "RK692",
        "hockey",
        "choose: {chosen: players}",
        "choose: {chosen: players, cut: deck, again: deck, third: deck, last_cut: deck}",
        "choose_dealer",
    ),
    (
        "RK695",
        "hockey",
        "end: {ranking: highest goals}",
        "end: {ranking: highest goals, limit: 1}",
        "limit",
    ),
]


@pytest.mark.parametrize(
    ("code", "name", "old", "new", "underlined"), PLANTED, ids=[f"{p[0]}-{p[1]}" for p in PLANTED]
)
def test_a_planted_fault_is_found_at_its_words(
    code: str, name: str, old: str, new: str, underlined: str
) -> None:
    text = (RULESETS / f"{name}.yaml").read_text(encoding="utf-8")
    assert old in text, "the ruleset has changed: plant the fault elsewhere"
    planted = text.replace(old, new, 1)
    if "deck" in old or code == "RK692":  # the examples name cards of the old pack, or have too few values
        planted = planted[: planted.index("\nexamples:") + 1]
    found = validate(planted)
    hits = [d for d in found if d.code == code]
    assert hits, [str(d) for d in found]
    assert underlined in [d.span.text for d in hits if d.span is not None]


@pytest.mark.parametrize("name", whole_games())
def test_no_shipped_ruleset_raises_an_alarm(name: str) -> None:
    assert [str(d) for d in validate(name) if d.code.startswith("RK6")] == []


def test_every_code_of_this_area_is_planted() -> None:
    planted = {code for code, *_ in PLANTED}
    assert {page.code for page in codes.all_pages() if page.area == "flow"} == planted


@pytest.mark.parametrize("page", [p for p in codes.all_pages() if p.area == "flow"], ids=lambda p: p.code)
def test_the_bad_example_of_a_page_yields_its_code_and_the_good_one_nothing(page: codes.Page) -> None:
    bad = validate(page.bad)
    assert [d.code for d in bad if d.code != page.code] == []
    assert [d.severity.value for d in bad if d.code == page.code][:1] == [page.severity]
    assert [str(d) for d in validate(page.good)] == []


def test_messages_keep_to_the_house_style() -> None:
    for page in (p for p in codes.all_pages() if p.area == "flow"):
        for found in validate(page.bad):
            assert found.message[:1] == found.message[:1].lower()
            assert not found.message.endswith(".")
            assert found.help
            assert found.span is not None
            assert found.span.text.strip()
