"""Examples in rule files: how they begin, what is laid, what is compared, how they fail."""

from __future__ import annotations

import pytest

import rulekit
from rulekit.diagnostics import codes

RULES = """rulekit: "1"
name: examples
title: Examples
text: A game to run examples of.
sources: [A test]
players: 2..4
options:
  each: {is: 2..5 = 3, text: Cards each.}
  forced: {is: bool = false, text: Is a ten always beaten?}
deck: standard
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  trick: pile seen by everyone
  show: pile seen by face
  past: pile seen by nobody
state:
  dealer: player
  score: {is: 0..99 per player, text: Points.}
  called: suit?
define:
  led: suit of first of trick
play:
  - dealer = random(players)
  - do round
phases:
  round:
    state:
      leader: player = left of dealer
    do:
      - shuffle deck into stock
      - deal each to hand
      - move top of stock to show
      - flip show up
      - until count(hand of leader) == 0:
          - ask leader: [lead, call]
          - for p in players starting left of leader:
              - if p != leader: [ask p: [follow]]
          - leader = player of highest(trick by suit == led then rank)
          - score of leader += 1 for trick
          - move trick to past
  bonus(player p; int n):
    - score of p += n for bonus
moves:
  lead: {text: Lead a card., choose: {card: hand}, do: [move card to trick]}
  call:
    text: Call a suit, then lead.
    choose: {named: suits}
    if: {nobody has called: called == none}
    do: [called = named]
    again: any(hand)
  follow:
    text: Follow suit.
    choose:
      card:
        - follow suit: hand where suit == led
        - any card: hand
    do: [move card to trick]
end: {ranking: highest score}
examples:
"""


def run(text: str, deals: int = 20) -> rulekit.ExampleResult:
    """The result of one example, given as the keys of its mapping."""
    lines = "\n".join(f"    {line}" for line in text.strip().splitlines())
    rules = rulekit.load(f"{RULES}  - title: One\n{lines}\n")
    (result,) = rules.play_examples(deals)
    return result


def failure(text: str) -> str:
    """Code, message and underlined text of an example that fails."""
    result = run(text)
    (found,) = result.diagnostics
    where = found.span.text if found.span else ""
    assert not result.passed
    return f"{found.code} {found.message.removeprefix('example `One`: ')} [{where}]"


# ---------------------------------------------------------------- what holds


@pytest.mark.parametrize(
    "example",
    [
        # The first event's seat is asked for its move; the given is laid over that.
        "given: {hand of P1: 9C 2D, hand of P2: 10C 3D, score of P2: 0}\nwhen: [P1 lead 9C, P2 follow 10C]\n"
        "then: [score of P2 == 1, count(hand of P2) == 1]",
        # A given zone holds exactly the given; what is displaced is dealt to those that lack.
        "given: {hand of P2: empty, hand of P1: 9C, show: AS}\nallowed: {P1 lead: 9C}\n"
        "then: [count(hand of P2) == 0, count(hand of P1) == 1, count(show) == 1]",
        "given: {hand of P1: empty, hand of P2: AS KS}\nthen: [count(hand of P1) == 0, AS KS in hand of P2]",
        # Cards given to a pile count as played by the players before the one asked.
        "players: 4\ngiven: {trick: KC 2C, hand of P4: AC}\nallowed: {P4 follow: AC}\n"
        "then: [player of first of trick == P2, player of last of trick == P3]",
        # Only the first non-empty entry is allowed, and the label of it refuses.
        "given: {trick: KC, hand of P2: 4C QC AH}\nallowed: {P2 follow: 4C QC}\n"
        "refused: {P2 follow AH: follow suit}",
        "given: {called: hearts}\nrefused: {P1 call spades: nobody has called}",
        "given: {called: none}\nallowed: {P1 call: clubs diamonds hearts spades}",
        # With neither event nor call: at the start of play.
        "then: [sum(score of players) == 0, count(deck) == 52]",
        # A phase alone, with its arguments.
        "run: bonus(P2; 7)\nthen: [score of P2 == 7]",
        "run: bonus(P2; 7)\ngiven: {score of P2: 5}\nthen: [score of P2 == 12]",
        "run: round\ngiven: {dealer: P2}\noptions: {each: 5}\nthen: [count(hand of P1) == 5, leader == P1]",
        "run: round\ngiven: {dealer: P2}\nwhen: [P1 call hearts]\nthen: [called == hearts]",
        # An ask of another seat that leaves no choice is passed over.
        "players: 3\ngiven: {hand of P1: 9C 2D, hand of P2: 10C, hand of P3: JC 4D}\n"
        "when: [P1 lead 9C, P3 follow JC]\nthen: [score of P3 == 1]",
        # How it ends: places best first, with their scores if they matter; forced moves are made.
        "given: {hand of P1: 9C, hand of P2: 10C, score of P1: 0, score of P2: 0}\n"
        "when: [P1 lead 9C, P2 follow 10C]\nresult: [P2 1, P1 0]",
        "given: {hand of P1: 9C, hand of P2: 10C, score of P1: 0, score of P2: 1}\nwhen: [P1 lead 9C]\n"
        "result: [P2 2]",
        # Faces: down unless written up.
        "given: {show: 9H up 10H}\nthen: [face of bottom of show == up, face of top of show == down]",
    ],
)
def test_an_example_that_holds_passes_with_every_deal(example: str) -> None:
    result = run(example)
    assert result.diagnostics == ()
    assert result.passed
    assert result.deals == 20


def test_seats_of_the_example_decide_how_many_play() -> None:
    assert run("given: {hand of P3: 9C}\nthen: [count(players) == 3]").passed
    assert run("then: [count(players) == 2]").passed


def test_what_is_not_given_differs_from_deal_to_deal() -> None:
    result = run("given: {hand of P1: 9C 2D}\nallowed: {P1 lead: 9C 2D}\nthen: [KD in stock]")
    (found,) = result.diagnostics
    assert found.code == "RK806"
    assert 1 < result.deals < 20
    assert found.help == f"it fails in deal {result.deals} of 20"


def test_the_number_of_deals_can_be_chosen() -> None:
    assert run("then: [count(deck) == 52]", deals=3).deals == 3


# ---------------------------------------------------------------- what does not


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        (
            "when: [P2 follow 9C]\nthen: [score of P2 == 1]\ngiven: {hand of P2: 10C}",
            "RK802 `P2 follow 9C` is refused: you do not hold 9C; any card: you hold 10C [P2 follow 9C]",
        ),
        (
            "given: {trick: KC, hand of P2: 4C AH}\nwhen: [P2 follow AH]",
            "RK802 `P2 follow AH` is refused: follow suit: you hold 4C [P2 follow AH]",
        ),
        (
            "given: {hand of P1: 9C 2C, hand of P2: 10C 3C}\nwhen: [P1 lead 9C, P1 lead 2C]",
            "RK803 here P2 is asked for `follow`, not P1 [P1 lead 2C]",
        ),
        (
            "given: {hand of P1: 9C, hand of P2: 10C}\nwhen: [P1 lead 9C, P2 follow 10C, P1 lead 2C]",
            "RK803 the game is over before P1 can lead [P1 lead 2C]",
        ),
        (
            "given: {trick: KC, hand of P2: 4C QC AH}\nallowed: {P2 follow: 4C AH}",
            "RK804 P2 may follow 4C, QC: AH should be allowed, QC should not be [P2 follow]",
        ),
        (
            "given: {called: hearts}\nallowed: {P1 call: clubs}",
            "RK804 P1 may call nothing: clubs should be allowed [P1 call]",
        ),
        (
            "given: {trick: KC, hand of P2: 4C QC AH}\nrefused: {P2 follow 4C: follow suit}",
            "RK805 `P2 follow 4C` is legal: it should be refused by `follow suit` [P2 follow 4C]",
        ),
        (
            "given: {trick: KC, hand of P2: 4C QC AH}\nrefused: {P2 follow AH: any card}",
            "RK805 `P2 follow AH` is refused otherwise (follow suit: you hold 4C QC): "
            "it should be refused by `any card` [P2 follow AH]",
        ),
        (
            "run: bonus(P2; 7)\nthen: [score of P2 == 8]",
            "RK806 `score of P2 == 8` does not hold: `score of P2` is 7 [score of P2 == 8]",
        ),
        (
            "given: {hand of P1: 9C}\nthen: [hand of P1 == 10C]",
            "RK806 `hand of P1 == 10C` does not hold: `hand of P1` is 9C [hand of P1 == 10C]",
        ),
        (
            "given: {hand of P1: 9C 2C, hand of P2: 10C 3C}\nwhen: [P1 lead 9C, P2 follow 10C]\nresult: [P2]",
            "RK810 the game is not over: P2 is to move [P2]",
        ),
        (
            "given: {hand of P1: 9C, hand of P2: 10C, score of P1: 0, score of P2: 1}\n"
            "when: [P1 lead 9C, P2 follow 10C]\nresult: [P1]",
            "RK810 place 1 goes to P2, not to P1 [P1]",
        ),
        (
            "given: {hand of P1: 9C, hand of P2: 10C, score of P1: 0, score of P2: 0}\n"
            "when: [P1 lead 9C, P2 follow 10C]\n"
            "result: [P2 2, P1]",
            "RK810 the score of P2 in the end is 1, not 2 [P2 2]",
        ),
        (
            "run: bonus(P2; 98)\ngiven: {score of P2: 5}\nthen: [score of P2 == 0]",
            "RK808 the rules break down: ",
        ),
    ],
)
def test_an_example_that_does_not_hold_says_what_is_the_case(example: str, expected: str) -> None:
    assert failure(example).startswith(expected)


def test_a_fault_in_an_example_points_at_the_statement() -> None:
    (found,) = run("run: bonus(P2; 98)\ngiven: {score of P2: 5}\nthen: [score of P2 == 0]").diagnostics
    assert [note.span.text for note in found.notes] == ["score of p += n for bonus"]


def test_a_refused_event_points_at_the_rule() -> None:
    (found,) = run("given: {trick: KC, hand of P2: 4C AH}\nwhen: [P2 follow AH]").diagnostics
    (note,) = found.notes
    assert note.message == "the rule that refuses it"
    assert note.span.line == RULES[: RULES.index("follow suit: hand")].count("\n") + 1


def test_a_card_that_the_pack_lacks_at_this_table_cannot_be_given() -> None:
    deck = (
        "{ranks: 2 3 4 5 6 7 8 9 10 J Q K A, suits: clubs diamonds hearts spades, "
        "without: {by: forced, true: 2C, false: empty}}"
    )
    text = RULES.replace("deck: standard", f"deck: {deck}")
    text += "  - title: One\n    options: {forced: true}\n    given: {hand of P1: 2C}\n"
    ((found,),) = (
        result.diagnostics
        for result in rulekit.load(text + "    then: [count(deck) == 51]\n").play_examples()
    )
    assert (found.code, found.message) == ("RK807", "example `One`: there is no 2C in this pack")


@pytest.mark.parametrize(
    "page", [p for p in codes.all_pages() if p.area == "examples" and p.bad], ids=lambda p: p.code
)
def test_the_pages_of_examples_show_what_they_say(page: codes.Page) -> None:
    def found(text: str) -> list[str]:
        return [d.code for result in rulekit.load(text).play_examples() for d in result.diagnostics]

    assert found(page.bad) == [page.code]
    assert found(page.good) == []


@pytest.mark.parametrize("name", rulekit.shipped_rulesets())
def test_every_example_of_the_shipped_rulesets_holds(name: str) -> None:
    results = rulekit.load(name).play_examples()
    assert [str(d) for result in results for d in result.diagnostics] == []


TWINS = """rulekit: "1"
name: twins
title: Twins
text: A game with equal cards.
sources: [A test]
players: 1
deck: {ranks: 2 3, suits: hearts spades, copies: 2}
zones:
  hand: set per player seen by owner
  laid: pile seen by everyone
play:
  - for p in players:
      - move deck where rank == 2 to hand of p
      - repeat 2 times: [ask p: [lay]]
moves:
  lay: {text: Lay a card., choose: {card: [held: hand]}, do: [move card to laid]}
end: {ranking: lowest count(hand)}
examples:
  - title: One after the other
    when: [P1 lay 2H, P1 lay 2H]
    then: [every(hand of P1 where suit == spades), count(hand of P1) == 2]
  - title: A three is not there
    when: [P1 lay 2H]
    refused: {P1 lay 3H: held}
"""


def test_of_equal_cards_an_event_names_one_that_is_held() -> None:
    rules = rulekit.load(TWINS)
    for result in rules.play_examples(3):
        assert result.passed, result.diagnostics


PARTNERS = """rulekit: "1"
name: partners
title: Partners
text: A game of two sides.
sources: [A test]
players: 4
teams: across
deck: standard
zones:
  stock: pile seen by nobody
state:
  ahead: {is: team?, text: The side that leads.}
  points: {is: 0..9 per team, text: Points.}
play:
  - shuffle deck into stock
  - for p in players: [ask p: [score_one]]
moves:
  score_one: {text: Score., do: [ahead = team of me, points of me += 1 for one]}
end: {ranking: highest points}
examples:
  - title: A side by any of its players
    given: {ahead: VALUE, points of P2: 3}
    then: [ahead == team of P2, ahead == team of P4, points of P4 == 3]
"""


@pytest.mark.parametrize("value", ["team of P2", "P4", "team of P4"])
def test_a_side_is_given_by_a_player_of_it(value: str) -> None:
    rules = rulekit.load(PARTNERS.replace("VALUE", value))
    (result,) = rules.play_examples(2)
    assert result.passed, result.diagnostics


HEAPS = """rulekit: "1"
name: heaps
title: Heaps
text: A game with several piles for each player.
sources: [A test]
players: 2
deck: {ranks: 2 3 4, suits: hearts spades}
zones:
  hand: set per player seen by owner
  heaps: up to 3 piles per player seen by everyone
play:
  - for p in players:
      - let first_heap = new heaps of p
      - let second_heap = new heaps of p
      - move deck where rank == 2 to first_heap
      - move deck where rank == 3 to second_heap
      - ask p: [nod]
moves:
  nod: {text: Nod., choose: {heap: heaps of me}, do: []}
end: {ranking: lowest count(hand)}
examples:
  - title: One heap is given
    given: {heaps of P1: 2H 3H}
    allowed: {P1 nod: heaps-P1-1}
    then: [count(heaps of P1) == 1, count(cards of heaps of P1) == 2]
"""


def test_piles_of_a_player_that_are_not_given_are_empty() -> None:
    rules = rulekit.load(HEAPS)
    (result,) = rules.play_examples(2)
    assert result.passed, result.diagnostics
    game = rules.new_game(given={"heaps of P1": "4S"})
    assert [str(move) for move in game.legal_moves()] == ["nod heaps-P1-1"]
