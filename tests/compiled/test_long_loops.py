"""Loops over many numbers, cards or sets, kept over decisions or in a local: alike in all engines, and beyond
what the compiled ones hold the reference engine goes on."""

from __future__ import annotations

import pytest
from lockstep import Lockstep
from programs import program

import rulekit
from rulekit.compiled import partition
from rulekit.compiled.endings import PLAYED_OUT
from rulekit.engine import patterns
from rulekit.engine.chance import streams
from rulekit.game.engines import ENGINES, Engines
from rulekit.playtest.simulate import simulate
from rulekit.program import prepare

RULES = """
players: 1
deck: {{ranks: A 2 3 4 5 6 7 8 9 10 J Q K, suits: clubs diamonds hearts spades, copies: {copies}}}
patterns: {{one: 1 card}}
zones: {{stock: pile seen by nobody, hand: set per player seen by owner, heap: pile seen by everyone}}
state: {{size: 0..9999999, lot: 0..1000}}
play:
  - shuffle deck into stock
  - deal {deal} to hand from stock
  - for p in players: [do round(p)]
phases:
  round(player p):
    - ask p: [look]
{body}
moves:
  look: {{text: Look., do: [lot = 700]}}
  more: {{text: Look again., do: [size += 1]}}
end: {{ranking: highest size}}
"""

#: In a phase of a player `p`.
BODIES = {
    "numbers": "for i in 1..1000: [if i % 100 == 3: [ask p: [more]], size += i]",
    "numbers up to one that is looked up": "for i in 1..lot: [if i % 100 == 3: [ask p: [more]], size += i]",
    "numbers down to none": "for i in lot..5: [if i % 100 == 3: [ask p: [more]], size += i]",
    "the last number of all": "for i in 2147483640..2147483647: [ask p: [more], size += i % 3]",
    "some numbers": "for i in 1..1000 where it % 3 == 0: [if i % 100 == 3: [ask p: [more]], size += i]",
    "loops in loops": "for i in 1..lot: [for c in hand of p: [size += number of c % 2]]",
    "numbers in a local": "let some = 1..lot where it % 7 == 1",
    "drawn from many numbers": "size = random(1..lot)",
    "drawn from some": "size = random(1..lot where it % 5 == 0)",
    "the most of some": "size = max(1..lot where it % 97 == 5)",
    "sets in a local": "let parts = hand of p inside one",
    "sets, each with a decision": "for part in hand of p inside one: [ask p: [more], size += count(part)]",
    "a pile": "for c in heap: [if number of c == 3: [ask p: [more]], size = (size * 3 + number of c) % 99]",
}
AFTER = {
    "numbers in a local": ["ask p: [more]", "size = sum(some)"],
    "sets in a local": ["ask p: [more]", "size = count(parts)"],
}
BEFORE = {"a pile": ["move hand of p to heap"]}


def rules(name: str, copies: int, deal: int) -> str:
    lines = [*BEFORE.get(name, []), BODIES[name], *AFTER.get(name, [])]
    body = "\n".join(f"    - {line}" for line in lines)
    return RULES.format(copies=copies, deal=deal, body=body)


@pytest.mark.parametrize(("copies", "deal"), [(1, 24), (6, 300)])
@pytest.mark.parametrize("name", BODIES)
def test_many_are_gone_through_alike(name: str, copies: int, deal: int) -> None:
    lock = Lockstep(program(rules(name, copies, deal)))
    for game in range(2):
        lock.play(3, game, most=60)


def test_numbers_beyond_what_compiled_engines_keep_are_gone_through_by_the_reference_engine() -> None:
    head = 'rulekit: "1"\nname: far\ntitle: Far\ntext: Count.\nsources: [A test]'
    body = "    - for i in 1..20000 where it % 2 == 0: [if i % 5000 == 0: [ask p: [more]], size += i % 7]"
    far = rulekit.load(head + RULES.format(copies=1, deal=3, body=body))
    reports = [simulate(far, 2, seed=1, engine=engine, workers=1) for engine in ENGINES]
    assert {report.length.most for report in reports} == {5}
    assert "2 games were played again on the reference engine" in (reports[0].note or "")
    game = far.new_game(seed=1)
    while not game.is_over:
        game.play(game.legal_moves()[0])
    assert game.scores == (sum(i % 7 for i in range(2, 20001, 2)) + 4,)
    assert game.engine == "reference"


PARTED = """rulekit: "1"
name: parted
title: Parted
text: Cards that go together in many ways.
sources: [A test]
players: 1
deck: {ranks: A 2 3 4 5 6 7 8 9 10 J Q K, suits: clubs diamonds hearts spades, copies: 2}
patterns: {part: 2.. cards same suit}
zones: {stock: pile seen by nobody, hand: set per player seen by owner}
state: {size: 0..999}
play:
  - shuffle deck into stock
  - deal 9 to hand from stock
  - for p in players: [ask p: [look]]
moves:
  look: {text: Look., do: [size = count(hand inside part) * 10 + count(hand outside part)]}
end: {ranking: highest size}
"""


def test_cards_that_part_in_too_many_ways_are_a_fault_and_no_endless_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What one engine cannot search in the rounds it has the reference engine, which remembers, goes on with;
    and it has its own limit."""
    free = simulate(rulekit.load(PARTED), 5, seed=1, engine="reference", workers=1)
    assert not free.faults
    monkeypatch.setattr(partition, "MOST_ROUNDS", 20)
    for engine in ("python", "wasm"):
        tight = simulate(rulekit.load(PARTED), 5, seed=1, engine=engine, workers=1)
        assert (tight.seats, tight.length, tight.faults) == (free.seats, free.length, ())
        assert "games were played again on the reference engine" in (tight.note or "")
    monkeypatch.setattr(patterns, "MOST_TRIED", 30)
    report = simulate(rulekit.load(PARTED), 5, seed=1, engine="reference", workers=1)
    assert any("RK912" in fault.text and "too many ways to part" in fault.text for fault in report.faults)


def test_a_fault_in_what_comes_after_the_end_is_told_apart_from_one_in_play() -> None:
    """Where `end` cannot be worked out the row of a game says so by a negative number, and nothing else."""
    text = PARTED.replace("highest size", "highest (size - 1) * 1999999999")
    engines = Engines(prepare(rulekit.load(text).program, 1, {}))
    games = engines.wasm().games(1)
    games.begin(0, *streams(1))
    while games.load(0, "choices"):
        games.step(0, 0)
    ((ending, decisions, fault, *_),) = games.outcomes(count=1)
    assert (ending, decisions) == (PLAYED_OUT, 1)
    assert fault < 0
    assert engines.lowered.module.faults[-fault - 1].code == "RK910"
