"""A game in kernel form: no block is left, and it plays exactly like the game with blocks."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping as Map
from textwrap import dedent, indent

import pytest
from tables import whole_games

from rulekit.diagnostics import Findings, SourceFile
from rulekit.engine import Machine
from rulekit.engine.record import unchain
from rulekit.game.loading import Blocks, open_rules, validate
from rulekit.language import compile_ruleset
from rulekit.language.answers import everything_in
from rulekit.language.expand import expand
from rulekit.language.reader import read_block, read_ruleset
from rulekit.language.syntax import Use
from rulekit.language.tree import BlockTree, RulesetTree
from rulekit.program import Program, prepare
from rulekit.source.document import Mapping, Scalar
from rulekit.source.load import Shelf, shipped_rulesets
from rulekit.source.schema import check_structure
from rulekit.source.variants import load_document
from rulekit.source.write import to_yaml
from rulekit.source.yaml import read_document


class Shelves:
    """The shipped blocks, and blocks given as text, which come first."""

    def __init__(self, texts: Map[str, str], findings: Findings) -> None:
        self.texts = texts
        self.findings = findings
        self.shipped = Blocks(Shelf(), findings)
        self.read: dict[str, BlockTree | None] = {}

    def __call__(self, name: str) -> BlockTree | None:
        if name not in self.texts:
            return self.shipped(name)
        if name not in self.read:
            self.read[name] = None
            document = read_document(SourceFile(f"{name}.yaml", self.texts[name]), self.findings)
            assert isinstance(document, Mapping)
            check_structure(document, self.findings, "block")
            self.read[name] = read_block(document, self.findings, self)
        return self.read[name]


def document_of(name: str) -> Mapping:
    """The whole document of a ruleset by name or text."""
    findings = Findings()
    opened = open_rules(name, findings)
    assert opened is not None, findings.items
    document = load_document(opened, findings)
    assert document is not None
    assert findings.items == []
    return document


def program_of(document: Mapping, blocks: Map[str, str] | None = None) -> tuple[RulesetTree, Program]:
    """The tree and the program of a document; None for ``blocks``: there are none, not even shipped ones."""
    findings = Findings()
    find = (lambda name: None) if blocks is None else Shelves(blocks, findings)
    tree = read_ruleset(document, findings, find)
    assert tree is not None
    program = compile_ruleset(tree, findings, find)
    assert [str(item) for item in findings.sorted()] == []
    assert program is not None
    return tree, program


def expanded(document: Mapping, blocks: Map[str, str] | None = None) -> Mapping:
    """The document in kernel form, by way of its text."""
    findings = Findings()
    whole = expand(document, findings, Shelves(blocks or {}, findings))
    assert findings.items == []
    text = to_yaml(whole)
    again = read_document(SourceFile("expanded.yaml", text), findings)
    assert isinstance(again, Mapping)
    check_structure(again, findings, blocks=())
    assert findings.items == [], text
    return again


def games(program: Program, players: int, count: int, limit: int = 300) -> list[object]:
    """What happens in some games of random moves: who is asked, what is legal, what is done, how it ends."""
    machine = Machine(prepare(program, players))
    found: list[object] = []
    for seed in range(count):
        chooser = random.Random(seed)
        state = machine.start(seed)
        while (decision := machine.decision(state)) is not None and state.decisions < limit:
            legal = machine.legal(state)
            found.append((decision, legal))
            machine.apply(state, chooser.choice(legal))
        assert state.ending is None or state.ending.fault is None
        found += [machine.outcome(state), unchain(state.history), unchain(state.receipts)]
    return found


BASE = {
    "": 'rulekit: "1"\nname: tiny\ntitle: Tiny\nplayers: 3\ndeck: standard\n',
    "zones": """\
        stock: pile seen by nobody
        hand: set per player seen by owner
        heap: pile seen by everyone
        trick: pile seen by everyone
        won: set per player seen by everyone
        """,
    "state": """\
        score: 0..999 per player
        dealer: player
        """,
    "define": "",
    "play": """\
        - dealer = random(players)
        - shuffle deck into stock
        - deal 4 to hand from stock
        """,
    "phases": "",
    "moves": """\
        lay: {text: Lay a card., choose: {card: hand}, do: [move card to heap]}
        put: {text: Play to the trick., choose: {card: hand}, do: [move card to trick]}
        skip: {text: Skip., do: [score of me += 1]}
        """,
    "end": "ranking: highest score\n",
}
"""A small game for three, chapter by chapter."""

TRICK = "trick: {leader: dealer, lead: [put], follow: [put], winner: rank, won_to: won}"


def game(more: str) -> str:
    """The small game with more in some of its chapters; `play` alone may be given without its name."""
    more = dedent(more).strip() + "\n"
    if more.startswith("- "):
        more = f"play:\n{indent(more, '  ')}"
    chapters = {key: dedent(text) for key, text in BASE.items()}
    for part in re.split(r"^(?=[a-z]+:$)", more, flags=re.MULTILINE)[1:]:
        key, _, lines = part.partition(":\n")
        chapters[key] += dedent(lines)
    start = chapters.pop("")
    return start + "".join(f"{key}:\n{indent(text, '  ')}" for key, text in chapters.items() if text)


def block_files(*texts: str) -> dict[str, str]:
    """Blocks by name, each given without its `text`."""
    files = {}
    for text in texts:
        first, _, rest = dedent(text).lstrip("\n").partition("\n")
        files[first.removeprefix("block: ")] = f"{first}\ntext: For a test.\n{rest}"
    return files


def same_game(more: str, *blocks: str) -> str:
    """Assert that the small game with ``more`` plays the same in kernel form, and give that form's text."""
    document, files = document_of(game(more)), block_files(*blocks)
    whole = expanded(document, files)
    tree, program = program_of(whole)
    assert uses(tree) == []
    _, original = program_of(document, files)
    assert games(program, 3, 5) == games(original, 3, 5)
    return to_yaml(whole)


def uses(tree: RulesetTree) -> list[str]:
    """Names of the blocks used in a game."""
    bodies = [tree.play, *(x.body for x in tree.phases), *(x.after for x in tree.phases)]
    bodies += [move.body for move in tree.moves]
    return [node.name.id for body in bodies for node in everything_in(body) if isinstance(node, Use)]


# ---------------------------------------------------------------- the shipped rulesets


def tables() -> list[tuple[str, int]]:
    """Every shipped ruleset with every number of players."""
    found = []
    for name in whole_games():
        players = document_of(name).get("players")
        assert isinstance(players, Scalar)
        low, _, high = players.text.partition("..")
        found += [(name, number) for number in range(int(low), int(high or low) + 1)]
    return found


@pytest.mark.parametrize("name", shipped_rulesets())
def test_the_kernel_form_of_a_shipped_ruleset_has_no_mistakes(name: str) -> None:
    found = validate(to_yaml(expanded(document_of(name))))
    # What text a move has is the business of the block that brings it; so is a define that only a move
    # which this game does not use would read.
    assert [str(item) for item in found if item.code not in ("RK650", "RK651", "RK653", "RK662")] == []


@pytest.mark.parametrize(("name", "players"), tables(), ids=str)
def test_a_shipped_ruleset_plays_the_same_without_blocks(name: str, players: int) -> None:
    document = document_of(name)
    whole = expanded(document)
    tree, program = program_of(whole)
    assert uses(tree) == []
    _, original = program_of(document, {})
    assert list(program.moves) == list(original.moves), "moves are numbered in the same order"
    assert games(program, players, 30) == games(original, players, 30)


def test_a_game_without_blocks_stays_as_it_is() -> None:
    document = document_of(game("- score of dealer += 1"))
    assert expand(document, Findings(), Shelves({}, Findings())) is document


def test_a_ruleset_in_kernel_form_expands_to_itself() -> None:
    once = expanded(document_of("sixty-six"))
    assert expand(once, Findings(), Shelves({}, Findings())) is once


# ---------------------------------------------------------------- what stands in slots


def test_a_slot_about_each_player_is_written_about_the_one_at_hand() -> None:
    text = same_game(
        """
        - repeat 4 times:
            - trick:
                leader: dealer
                chooser: if score > 2 then left else it
                lead: [put]
                follow: [put, skip]
                winner: rank then suit
                won_to: won
            - score of taker += 1
        """
    )
    assert "ask if score of p > 2 then left of p else p for p: [put, skip]" in text
    assert "taker = player of highest(trick by rank then suit)" in text
    assert "move trick to won of taker" in text


def test_a_name_that_the_block_would_claim_is_given_its_owner() -> None:
    text = same_game(
        """
        play:
          - for p in players: [ask p: [skip, count_up]]
          - do elsewhere
        phases:
          elsewhere:
            - poll: {wealth: score of dealer, some: players where score > 0, from_them: hand}
        moves:
          count_up:
            text: Count.
            do:
              - poll: {wealth: score + 1, some: players where score <= 1, from_them: hand}
        """,
        """
        block: poll
        slots: {wealth: int, some: players, from_them: cards}
        state: {polled: 0..99}
        do:
          - polled = count(players where score < wealth)
          - for p in players where it in some: [score of p += polled]
          - polled = count(players where any(from_them where rank > 7))
        """,
    )
    assert "polled = count(players where score < score of me + 1)" in text, "the score of who is asked"
    assert "polled = count(players where any(hand of me where rank > 7))" in text
    assert "polled = count(players where any(hand of players where rank > 7))" in text, "all hands"
    assert "for p in players where it in (players where score <= 1)" in text, "its own `it` stays"


def test_an_expression_about_an_element_is_written_about_another_one() -> None:
    text = same_game(
        """
        - rate:
            good: any(hand where number > 9 and score == 0)
            value: if suit == hearts then number else 1
        - for p in players: [ask p: [skip]]
        - score of dealer += rated
        """,
        """
        block: rate
        slots: {good: bool per player, value: int per card}
        state: {rated: 0..999}
        do:
          - rated = count(players where good)
          - for p in players:
              - if good of left of p: [rated += 1]
              - for c in hand of p: [rated += value of c]
        """,
    )
    assert "rated = count(players where any(hand where number > 9 and score == 0))" in text
    assert "if any(hand of left of p where number > 9 and score of left of p == 0)" in text
    assert "rated += if suit of c == hearts then number of c else 1" in text


def test_the_locals_of_a_block_are_renamed_where_they_would_clash() -> None:
    text = same_game(
        """
        - for p in players:
            - round_of: {who: players where it != p, each: [ask p: [skip]]}
            - round_of: {who: players, each: [let first_one = left of p, score of first_one += 1]}
        - let first_one = dealer
        - score of first_one += 1
        """,
        """
        block: round_of
        slots: {who: players, each: statements}
        do:
          - let first_one = first of (who starting dealer)
          - for p in who:
              - ask p: [skip]
              - do each
          - score of first_one += 1
        """,
    )
    assert "for round_of_p in players where it != p" in text
    assert "ask round_of_p: [skip]" in text
    assert "let round_of_first_one = first of ((players where it != p) starting dealer)" in text
    assert "let round_of_first_one_2 = first of (players starting dealer)" in text


def test_a_block_used_twice_in_a_list_keeps_its_locals_apart() -> None:
    text = same_game(
        """
        - climb: {leader: dealer, lead: [lay, skip], follow: [lay], table: heap, gone: stock}
        - climb: {leader: dealer, lead: [lay, skip], follow: [lay], table: heap, gone: stock}
        """
    )
    assert text.count("let p = left of dealer") == 1
    assert text.count("let climb_p = left of dealer") == 1
    assert "until climb_p == taker" in text


def test_an_ask_of_no_moves_disappears_and_what_it_leaves_empty() -> None:
    text = same_game(
        """
        - go: {asked: [skip, lay]}
        - ask dealer: [skip]
        """,
        """
        block: go
        slots: {asked: moves, extra: moves = none, done: statements = none}
        do:
          - ask dealer: [asked]
          - if score of dealer > 0: [ask dealer: [extra]]
          - if answered(extra): [score of dealer += 5]
          - for p in players: [do done]
          - if score of dealer > 1: [ask dealer: [extra]]
            else: [score of dealer += 2]
        """,
    )
    assert "ask dealer: [skip, lay]" in text
    assert "if score of dealer > 0" not in text
    assert "score of dealer += 5" not in text, "none of no moves has been answered"
    assert "for p in players" not in text
    assert "if score of dealer > 1: []" in text, "a branch before others stays"


def test_moves_of_a_slot_are_spliced_into_what_asks_about_them() -> None:
    text = same_game(
        """
        play:
          - repeat 3 times:
              - auction: {leader: left of dealer, bid: [lay, skip], pass: [enough, rest]}
        moves:
          enough: {text: Stop., do: []}
          rest: {text: Rest., do: [score of me += 1]}
        """
    )
    assert "ask p: [lay, skip, enough, rest]" in text
    assert "if answered(enough; rest)" in text


# ---------------------------------------------------------------- blocks in blocks


def test_blocks_inside_blocks_come_out_too() -> None:
    text = same_game(
        """
        - repeat 2 times:
            - one_trick:
                caller: dealer
                wins: suit == spades then rank
                done:
                  - score of dealer += count(trick)
                  - offer left of dealer: [skip]
        """,
        """
        block: one_trick
        slots:
          caller: player
          wins: key per card
          next_one: player per player = left of it
          done: statements
        do:
          - trick:
              leader: next_one of caller
              chooser: next_one
              lead: [put]
              follow: [put]
              winner: wins
              taken:
                - do done
                - offer players - caller: [skip]
              won_to: won
        """,
    )
    assert "for trick_p in players starting left of dealer" in text
    assert "ask left of trick_p for trick_p: [put]" in text
    assert "highest(trick by suit == spades then rank)" in text
    assert "for p in left of dealer" in text
    assert "for p in players - dealer" in text


def test_defines_phases_and_moves_of_a_block_join_those_of_the_game() -> None:
    text = same_game(
        """
        play:
          - repeat 3 times: [do round]
        phases:
          round:
            - stake: {pot: 1, among: players where it != dealer}
            - stake: {pot: 1, among: players where it != dealer}
            - score of dealer += sum(paid_in of players)
        moves:
          last_of_the_game: {text: Not asked., do: []}
        """,
        """
        block: stake
        slots: {pot: int, among: players}
        state: {paid_in: 0..99 per player, calls: 0..9 = 1}
        define:
          rich(player who): who in among and score of who > pot
          level: {by: calls, 1: pot, else: pot + 1}
        do:
          - for p in among: [do pay(p; level)]
          - calls += 1
        phases:
          pay(player p; int n):
            - paid_in of p += n
            - if rich(p): [ask p: [double]]
              else: [ask p: [skip]]
        moves:
          double:
            text: Double.
            choose: {times: 1..3 where it <= 2}
            if: {you are rich: rich(me)}
            do: [score of me += times + pot]
            again: score < 9
        """,
    )
    assert "rich(player who): who in (players where it != dealer) and score of who > 1" in text
    assert "level: {by: calls, 1: 1, else: 1 + 1}" in text
    assert text.index("last_of_the_game:") < text.index("double:"), "moves of blocks come after the game's"


def test_what_the_game_declares_serves_instead() -> None:
    text = same_game(
        """
        state:
          accepted: player?
        play:
          - offer players: [skip]
          - if accepted != none: [score of dealer += 3]
        moves:
          pass: {text: I pass., do: [score of me += 2]}
        """
    )
    assert text.count("accepted: player?") == 1
    assert text.count("pass:") == 1
    assert "I pass." in text


# ---------------------------------------------------------------- state of blocks


def test_state_goes_to_the_one_phase_that_holds_the_uses() -> None:
    text = same_game(
        f"""
        play:
          - repeat 2 times: [do round]
        phases:
          round:
            - {TRICK}
            - {TRICK}
            - score of taker += trick_number + count(players where tricks > 0)
        """
    )
    assert "round:\n    state: {taker: player?, tricks: 0..999 per player, trick_number: 1..999 = 1}" in text


def test_state_of_the_play_is_state_of_the_match() -> None:
    text = same_game(
        f"""
        - {TRICK}
        - score of taker += trick_number + count(players where tricks > 0)
        """
    )
    assert "dealer: player\n  taker: player?\n  tricks: 0..999 per player\n" in text


def test_state_used_in_several_places_starts_afresh_in_each() -> None:
    tally = """
        block: tally
        slots: {moves: moves}
        state: {count_of: 0..99 per player = 2, seen: cards, mood: calm | wild, low: rank, top_one: player?}
        do:
          - for p in players:
              - ask p: [moves]
              - count_of of p += 1
              - score of p += count_of of p
          - if low == 2: [low = 3]
          - mood = wild
          - top_one = dealer
          - seen = heap
        """
    text = same_game(
        """
        play:
          - repeat 2 times:
              - do one
              - do two(dealer)
          - tally: {moves: [twice]}
        phases:
          one:
            - tally: {moves: [skip]}
            - tally: {moves: [skip]}
          two(player p):
            do:
              - score of p += count(seen)
              - tally: {moves: [lay, skip]}
              - if mood == wild and top_one != none: [score of top_one += 1]
        moves:
          twice:
            text: Twice.
            do:
              - if mood == calm: [score of me += 1]
              - second: {moves: [skip]}
        """,
        tally,
        tally.replace("block: tally", "block: second"),
    )
    assert "for p in players: [count_of of p = 2]" in text
    assert "for player_1 in players: [count_of of player_1 = 2]" in text, "`p` is a parameter there"
    for start in ("seen = empty", "mood = calm", "low = 2", "top_one = none"):
        assert text.count(f"- {start}\n") == 2, "once in each phase, and nowhere else"


def test_state_that_a_game_does_not_need_is_left_out() -> None:
    text = to_yaml(expanded(document_of("sixty-six")))
    assert "taker" in text
    assert "trick_number" not in text, "nobody asks how many tricks there were"
    assert "onward(player p): first of (players starting left of p)" in to_yaml(
        expanded(document_of("hockey"))
    ), "the direction never changes"


def test_state_that_an_example_gives_is_kept() -> None:
    text = to_yaml(expanded(document_of("hucklebuck-bid")))
    assert "trick_number: 1..999 = 1" in text
    assert "given: {high_bid: 2, bidder: P4, bidding: P1 P4, up_next: P4}" in text


def test_a_slot_of_a_zone_may_be_read_too() -> None:
    text = same_game(
        """
        - for p in players: [ask p: [lay]]
        - sweep: {place: heap}
        - score of dealer += count(stock)
        """,
        """
        block: sweep
        slots: {place: zone}
        do:
          - if count(place) > 1: [move place to stock]
        """,
    )
    assert "if count(heap) > 1: [move heap to stock]" in text


def test_a_move_may_be_called_like_the_part_that_uses_a_block() -> None:
    same_game(
        """
        play:
          - turns: {leader: dealer, moves: [play], end: every(players where count(hand) == 0)}
        moves:
          play: {text: Play., choose: {card: hand}, do: [move card to heap]}
        """
    )


# ---------------------------------------------------------------- what cannot be written out


def refused(more: str, *blocks: str) -> list[str]:
    """The findings of an expansion that cannot be; the document comes back as it was."""
    document, files, findings = document_of(game(more)), block_files(*blocks), Findings()
    program_of(document, files)
    assert expand(document, findings, Shelves(files, findings)) is document
    return [f"{item.code} {item.message}" for item in findings.items]


def test_an_answer_that_would_be_another_one_is_reported() -> None:
    found = refused(
        f"""
        - ask dealer: [skip, lay]
        - {TRICK}
        - if answered(skip): [score of dealer += 1]
        """
    )
    assert found == [
        "RK707 this use of a block cannot be written out: `answered` would see the asks of a block that is "
        "used in the same list"
    ]


def test_an_answer_remembered_in_time_is_no_obstacle() -> None:
    same_game(
        f"""
        - ask dealer: [skip, lay]
        - let skipped = answered(skip)
        - {TRICK}
        - if skipped: [score of dealer += 1]
        """
    )


FAVOUR = """
    block: favour
    slots: {whom: players}
    define:
      rich: whom where score > 1
    do:
      - for p in rich: [score of p += 1]
      - for p in players: [ask p: [skip]]
    """


def test_a_local_of_the_use_is_out_of_reach_of_a_define_of_the_block() -> None:
    found = refused(
        """
        - let others = players - dealer
        - favour: {whom: others}
        """,
        FAVOUR,
    )
    assert found == [
        "RK707 this use of a block cannot be written out: `whom` of `favour` reads a local, and is read "
        "outside the list that the local belongs to"
    ]
    assert "rich: players - dealer where score > 1" in same_game("- favour: {whom: players - dealer}", FAVOUR)


def test_a_very_long_condition_in_a_slot_is_written_out() -> None:
    long = " or ".join(["score of dealer > 90"] * 2000 + ["every(players where count(hand) == 0)"])
    document = document_of(game("- " + "turns: {leader: dealer, moves: [lay], end: " + long + "}"))
    whole = expand(document, Findings(), Shelves({}, Findings()))
    assert f"until {long}" in str(whole)
