"""The engines agree: the same zones, values, legal moves, chance and outcome after every decision.

The reference engine is the meaning; generated Python and WebAssembly come from one lowering of the program.
"""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from lockstep import Lockstep
from programs import program
from random_programs import rule_files
from rich_programs import Writer
from tables import load, rulesets

from rulekit.compiled.builder import Unsupported
from rulekit.compiled.lowering import lower
from rulekit.diagnostics import codes
from rulekit.engine.chance import streams
from rulekit.playtest.options import covering
from rulekit.program import prepare
from rulekit.source.load import shipped_rulesets

SLOW = {"tichu": 120, "canasta": 250, "cassino": 150, "gin-rummy": 250, "rummy-500": 250}
MOST = 400  #: decisions of a game that are compared in the usual run


@pytest.mark.parametrize("name", rulesets())
def test_every_ruleset_runs_alike_in_every_engine(name: str) -> None:
    made = load(name).program
    low, high = made.players
    for players in sorted({low, min(high, 4)}):
        Lockstep(made, players).play(seed=11, most=SLOW.get(name, MOST))


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_table_of_any_ruleset_runs_alike(data: st.DataObject) -> None:
    """Any options that go together, any number of players, any seed (WebAssembly: see the long run)."""
    name = data.draw(st.sampled_from(rulesets()))
    table = data.draw(st.sampled_from(covering(load(name).program)))
    seed = data.draw(st.integers(0, 2**64 - 1))
    Lockstep(load(name).program, table.players, table.options, wasm=False).play(
        seed, most=SLOW.get(name, MOST)
    )


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(rule_files(), st.integers(0, 2**32))
def test_random_programs_run_alike(text: str, seed: int) -> None:
    agree_if_right(text, seed)


@pytest.mark.parametrize("first", range(0, 48, 6))
def test_programs_of_many_forms_run_alike(first: int) -> None:
    assert sum(of_many_forms(seed) for seed in range(first, first + 6)) > 1


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 4000, 100))
def test_many_programs_of_many_forms_run_alike(first: int) -> None:
    assert sum(of_many_forms(seed) for seed in range(first, first + 100)) > 50


def of_many_forms(seed: int) -> bool:
    """Such a program is compared; not if the checker or the compiled engines refuse it."""
    try:
        made = program(Writer(seed).file())
    except AssertionError:
        return False
    try:
        lock = Lockstep(made)
    except Unsupported:
        return False
    for game in range(2):
        lock.play(seed, game, most=40)
    return True


FAULTS = [page for page in codes.all_pages() if page.area == "faults" and page.bad]


@pytest.mark.parametrize("page", FAULTS, ids=lambda page: page.code)
def test_faults_are_the_same_in_every_engine(page: codes.Page) -> None:
    """An empty legal set, a number out of range, a deal that outruns the pack ..."""
    lock = Lockstep(program(page.bad))
    lock.play()
    assert lock.endings == ["beyond" if page.code == "RK912" else "fault"]
    lock = Lockstep(program(page.good))
    lock.play()
    assert lock.endings == ["played out"]


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    lock = Lockstep(load("hearts").program, 4)
    chance, policy = streams(1)
    flat = lock.python.start(chance, policy)
    assert lock.wasm is not None
    for game in (0, 1):
        lock.wasm.begin(game, chance, policy)
    before = list(flat)
    for place in (-1, lock.python.load(flat, "choices"), 10**6):
        with pytest.raises(IndexError):
            lock.python.apply(flat, place)
        with pytest.raises(IndexError):
            lock.wasm.step(0, place)
    assert flat == before == lock.wasm.read(0) == lock.wasm.read(1)


def laying(choose: str, do: str) -> str:
    """Each player lays a card of two, from such a choice and to such an effect."""
    return f"""
players: 2
deck: standard
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  heap: pile seen by everyone
  spot: set seen by everyone
play:
  - shuffle deck into stock
  - deal 2 to hand from stock
  - for p in players: [ask p: [lay]]
moves:
  lay: {{text: Lay a card., choose: {{card: {choose}}}, do: [{do}]}}
end: {{ranking: highest count(hand)}}
"""


def test_a_member_that_is_surely_none_is_in_no_set() -> None:
    """Found by random programs: `only(deck)` of many cards is none, whatever happens."""
    one = "[the only one: hand where only(deck) == it, any card: hand]"
    agree_on(laying(one, "move card to heap"), 1)


def test_all_of_a_pile_moved_as_a_set_leaves_the_pile_empty() -> None:
    """Found by random programs: what is joined to nothing is the pile's cards, no longer in its order."""
    agree_on(laying("hand", "move (spot - deck) | stock to spot, move card to stock"), 1)


@pytest.mark.parametrize(
    ("compare", "other"),
    [
        *product(
            ["<", "<=", ">", ">=", "==", "!="], ["best kind from heap", "best kind from hand of opponent"]
        ),
        ("==", "none"),
        ("!=", "none"),
    ],
)
def test_a_strength_that_is_none_is_above_and_below_nothing(compare: str, other: str) -> None:
    """Found by random programs: nothing lies in the heap, so there is no best of it."""
    text = laying("hand", f"if best kind from hand {compare} {other}: [move card to heap]")
    kind = "patterns:\n  kind:\n    - one: 1 cards\n    - two: 2 cards same rank\nzones:"
    text = text.replace("zones:", kind).replace("deal 2", "deal 3")
    text = text.replace("opponent", "opponent of me")
    for swapped in (
        text,
        text.replace("  - for p", "  - move hand of lowest(players by 0) to spot\n  - for p"),
    ):
        agree_on(swapped.replace("ask p: [lay]", "if any(hand of p): [ask p: [lay]]"), 4)


@pytest.mark.parametrize(
    "condition",
    [
        "number of hand == worth of hand",
        "number of hand != pip of heap",
        "(1..3) == number of hand",
        "(1..300) == number of deck",
        "(1..400) == (1..n + 398)",
        "(if n == 1 then (1..3) else (5..9)) == number of hand",
    ],
)
def test_numbers_of_different_ranges_are_compared_as_numbers(condition: str) -> None:
    """Found by random programs: the first bit of their sets stands for another number."""
    text = laying("hand", f"if {condition}: [n += 1], move card to heap")
    text = text.replace(
        "deck: standard", "deck: {ranks: 2 3 4, suits: hearts spades}\ncard: {worth: {2: -5, else: number}}"
    )
    text = (
        text.replace("play:", "state: {n: 1..99}\nplay:")
        .replace("do: [if", "do: [{if")
        .replace("1], move", "1]}, move")
    )
    for seed in range(3):
        agree_on(text, seed)


@pytest.mark.parametrize(
    "body",
    [
        "let k = 2..3, {if n > 1: [k = 5..9]}, n = count(k)",
        "let k = number of hand, k = worth of heap, n = 1 + count(k) + sum(k) % 5",
        "let k = number of hand, {for j in k: [n = (n + j) % 90 + 1]}",
        "let k = 1..300, k = 2..3, n = count(k)",
    ],
)
def test_numbers_kept_in_a_local_all_count(body: str) -> None:
    """Found by looking on: equal numbers were kept once, others than those of the first value not at all."""
    text = laying("hand", f"{body}, move card to heap").replace("play:", "state: {n: 1..99}\nplay:")
    text = text.replace(
        "deck: standard",
        "deck: {ranks: 2 3 4, suits: hearts spades, copies: 2}\ncard: {worth: {2: -5, else: number}}",
    )
    agree_on(text.replace("    for p", "").replace("[ask p: [lay]]", "[ask p: [lay], ask p: [lay]]"), 1)


@pytest.mark.parametrize("cards", ["top of stock", "stock", "hand"])
def test_cards_that_are_swapped_with_themselves_stay(cards: str) -> None:
    """Found by random programs."""
    agree_on(laying("hand", f"swap {cards} with {cards}, move card to heap"), 2)


SUMS = {
    "alone or more": "1.. cards where sum(worth of it) == 6",
    "three or more": "3.. cards where sum(worth of it) == 9",
    "two or three": "2..3 cards where sum(worth of it) == 9",
    "one at most": "1..1 cards where sum(worth of it) == 6",
    "some in no set": "2.. cards where sum(pip of it) == 11",
    "of a suit": "2.. cards same suit where sum(worth of it) == 10",
    "nothing": "2..3 cards where sum(worth of it) == 0",
}


@pytest.mark.parametrize("worth", ["{K Q J: 0, else: pip}", "{K Q J: 10, else: pip}"])
@pytest.mark.parametrize("pattern", SUMS.values(), ids=SUMS)
def test_sets_that_add_up_are_the_same(pattern: str, worth: str) -> None:
    """Cards that weigh nothing, sets of so many and no more: compiled engines search by the last card."""
    text = f"""
players: 1
deck: standard
card: {{worth: {worth}}}
patterns: {{fit: {pattern}}}
zones: {{stock: pile seen by nobody, hand: set per player seen by owner}}
state: {{many: 0..9999, size: 0..9999}}
play:
  - repeat 6 times:
      - shuffle deck into stock
      - deal 9 to hand from stock
      - for p in players: [ask p: [look]]
moves:
  look:
    text: Look.
    do:
      - many = count(fit from hand)
      - for some in fit from hand: [size = (3 * size + count(some)) % 1000]
end: {{ranking: highest size}}
"""
    agree_on(text, 3)


VISITED = {
    "more than a byte counts": "for some in 2 from hand: [size += count(some)]",
    "those with a condition": "for some in pair from hand where sum(number of it) > 12: [size += 3]",
    "of many only some": "for some in 1..3 from hand where sum(number of it) % 5 == 1: [size += count(some)]",
    "as it was before the first round": (
        "for some in 2 from hand where count(hand) > 20: [size += 1, move lowest(some by number) to heap]"
    ),
    "inside others": "for some in pair from hand: [for more in pair from hand where it != some: [size += 1]]",
    "of the best cover": "for some in hand inside pair where sum(number of it) < 10: [size += count(some)]",
    "thousands": "for some in 3 from hand where size == 0: [steps += 1]",
}


@pytest.mark.parametrize("visit", VISITED.values(), ids=VISITED)
def test_loops_over_many_sets_visit_the_same(visit: str) -> None:
    agree_on(
        f"""
players: 1
deck: standard
patterns: {{pair: 2 cards same rank}}
zones: {{stock: pile seen by nobody, hand: set per player seen by owner, heap: pile seen by everyone}}
state: {{size: 0..99999, steps: 0..99999}}
play:
  - shuffle deck into stock
  - deal 24 to hand from stock
  - for p in players: [ask p: [look]]
moves:
  look: {{text: Look., do: [{visit}]}}
end: {{ranking: highest size}}
""",
        3,
    )


COUNTED = {
    "a sum of two or more": "2.. cards where sum(worth of it) == 15",
    "a sum of any": "1.. cards where sum(worth of it) == 9",
    "a sum of three at most": "1..3 cards where sum(worth of it) == 9",
    "a sum of five at most": "2..5 cards where sum(worth of it) == 15",
    "a sum of three or more": "3.. cards where sum(worth of it) == 15",
    "a low sum": "2.. cards where sum(worth of it) == 7",
    "a sum as high as the heaviest": "2.. cards where sum(worth of it) == 10",
    "a sum of equal ones": "2.. cards where sum(five of it) == 15",
    "a sum of some": "2.. cards each color == red where sum(worth of it) == 15",
    "a sum of those that have it": "2.. cards where sum(pip of it) == 15",
    "a sum of a suit": "2.. cards same suit where sum(worth of it) == 15",
    "a sum and more": "2.. cards where sum(worth of it) == 15 where count(it) != 3",
    "a sum of different ones": "2.. cards different rank where sum(worth of it) == 15",
    "two alike": "2 cards same rank",
    "any alike": "1.. cards same rank",
    "three or more alike": "3.. cards same rank",
    "two or three of a suit": "2..3 cards same suit",
    "one or two of a suit": "1..2 cards same suit",
    "more of a suit than could be listed": "2.. cards same suit",
    "alike in two things": "2.. cards same rank same color",
    "some alike": "1..2 cards same rank each color == red",
    "alike but for one thing": "2.. cards same rank different color",
    "alike under a condition": "2.. cards same rank where count(it) != 2",
    "alike in a row": "2..3 cards same suit consecutive rank",
    "all that are alike": "maximal 2.. cards same rank",
    "the longest rows": "maximal 3.. cards consecutive rank",
    "either": "2 cards same rank or 3 cards same suit",
}


@pytest.mark.parametrize("pattern", COUNTED.values(), ids=COUNTED)
def test_sets_that_are_only_counted_are_as_many(pattern: str) -> None:
    """A loop that looks at no set, but for its receipts, goes through none: a count tells how often it runs.
    Few cards and many are counted in two ways; a phase is left under way."""
    text = f"""
players: 1
deck: {{ranks: A 2 3 4 5 6 7 8 9 10 J Q K, suits: clubs diamonds hearts spades, extra: JOKER JOKER}}
card: {{worth: {{JOKER: 3, J Q K: 10, else: pip}}, five: "5"}}
patterns: {{fit: {pattern}}}
zones: {{stock: pile seen by nobody, hand: set per player seen by owner}}
state: {{many: 0..99999, steps: 0..99999, few: 0..99999, size: 0..99999}}
play:
  - repeat 3 times: [do sizes]
phases:
  sizes:
    - do look(4)
    - do look(5)
    - do look(6)
    - do look(7)
    - do look(8)
    - do look(0)
  look(int n):
    - shuffle deck into stock
    - deal n to hand from stock
    - many += count(fit from hand)
    - do visit
    - do begin
    - if any(fit from hand): [many += 100]
    - for p in players: [ask p: [go_on]]
  visit:
    - for one in fit from hand:
        - steps += 1 for found with one
        - for again in fit from hand: [size += 1]
        - for again in fit from hand where count(it) > count(one): [size += 2]
    - for one in fit from hand:
        - for again in fit from hand: [steps += 1 for found with one]
    - for one in fit from hand:
        - if steps % 2 == 0: [size += count(one)]
          else: [steps += 1]
  begin:
    stop when: few % 4 == 3
    do:
      - few += 1
      - for one in fit from hand: [few += 1 for found with one]
moves:
  go_on: {{text: Go on., do: [many += 1]}}
end: {{ranking: highest size}}
"""
    agree_on(text, 3)


def test_what_is_only_counted_is_not_listed() -> None:
    """Fifteens are, where there are too many cards to count them in a word; pairs never."""
    module = lower(prepare(load("cribbage").program, 2, {})).module
    listing = {
        function.name.split("_")[1] for function in module.functions if function.name.endswith("_find")
    }
    assert listing == {"fifteen", "run"}


#: Statements about numbers of a wide range, which compiled engines keep in no bit set.
WIDE = {
    "drawn": "n = random(0..500)",
    "drawn from below 0": "n = random(-300..count(stock))",
    "drawn among some": "n = random(0..500 where it % 7 == 3)",
    "the highest": "n = highest(0..500 by it % 77)",
    "the lowest of some": "n = lowest(0..500 where it % 7 == 3 by (it - 200) * (it - 200))",
    "the only one": "n = if only(0..500 where it == 300) == 300 then 1 else 2",
    "the only one of a bag": "n = if only(number of (hand where rank == 3)) == none then 1 else 2",
    "each": "for k in 0..600: [n = (n + k) % 1000]",
    "each of some": "for k in (0..600 where it % 2 == 0): [n = (n + k) % 1000]",
    "each up to the last": "for k in 2147483600..2147483647: [n = (n + k % 10) % 1000]",
    "each from what changes": "for k in n..700: [n = (n + k) % 1000]",
    "asked for each": "for k in 290..600: [n = k, if k % 100 == 0: [for p in players: [ask p: [lay]]]]",
    "asked for some": "for k in (0..600 where it % 150 == 3): [n = k, ask lowest(players by 0): [lay]]",
}


@pytest.mark.parametrize("statement", WIDE.values(), ids=WIDE)
def test_wide_ranges_are_the_same(statement: str) -> None:
    text = laying("hand", "move card to heap, n += 1").replace("deal 2", "deal 9")
    text = text.replace("play:", "state: {n: -9999..9999}\nplay:").replace(
        "  - for p", f"  - {statement}\n  - for p"
    )
    lock = Lockstep(program(text))
    for game in range(2):
        lock.play(3, game)
    assert lock.endings == ["played out"] * 2


@pytest.mark.parametrize(
    ("done", "named"),
    [
        ("move card to (if n > 2 then bottom of heap else stock)", "a choice between top and bottom"),
        ("n = count(if n > 2 then (1 from hand) else (2 from hand))", "a choice between collections"),
        ("n = number of first of (if n > 2 then heap else stock)", "a choice between sequences"),
        ("n = count(all_highest(2 from hand by sum(number of it)))", "the extreme of a collection of sets"),
    ],
)
def test_what_is_not_supported_is_named_with_its_place(done: str, named: str) -> None:
    text = laying("hand", done).replace("play:", "state: {n: -9999..9999}\nplay:")
    with pytest.raises(Unsupported) as found:
        Lockstep(program(text))
    assert found.value.construct.startswith(named)
    assert re.fullmatch(r"<text>:\d+:\d+", str(found.value.span))


@pytest.mark.parametrize("what", ["1.. from hand", "n from hand", "0..n from hand", "n.. from hand"])
@pytest.mark.parametrize("number", [3, 13])
def test_selections_nobody_could_go_through_are_the_same_fault(what: str, number: int) -> None:
    """2 ** 26 subsets are too many, and so are those of 13; those of 3 or fewer are few."""
    lock = Lockstep(
        program(f"""
deck: standard
zones: {{stock: pile seen by nobody, hand: set per player seen by owner}}
state: {{total: 0..999, n: 0..26}}
play:
  - n = {number}
  - shuffle deck into stock
  - deal 26 to hand from stock
  - total = count({what.replace("hand", "hand of lowest(players by 0)")}) % 1000
""")
    )
    lock.play()
    few = number == 3 and what in ("n from hand", "0..n from hand")
    assert lock.endings == ["played out" if few else "fault"]


@pytest.mark.parametrize(("cards", "what"), [(15, "1.."), (21, "1.."), (26, "13")])
def test_a_choice_of_many_sets_is_the_same(cards: int, what: str) -> None:
    """Sets are counted, not listed: 32,767 may be chosen from, and 2,097,151 are too many."""
    choose = f"{what} from hand"
    lock = Lockstep(program(laying(choose, "move card to heap").replace("deal 2", f"deal {cards}")))
    lock.play(seed=3)
    assert lock.endings == ["played out" if cards == 15 else "fault"]


def test_eight_packs_are_numbered_by_more_than_a_byte() -> None:
    """416 cards in piles: found by the run of all tables."""
    lock = Lockstep(load("blackjack").program, options={"packs": 8})
    for game in range(3):
        lock.play(3, game, most=80)
    assert lock.endings == ["played out"] * 3


@pytest.mark.long
@settings(max_examples=3000, deadline=None, suppress_health_check=list(HealthCheck))
@given(rule_files(), st.integers(0, 2**32))
def test_many_random_programs_run_alike(text: str, seed: int) -> None:
    agree_if_right(text, seed)


def agree_on(text: str, seed: int) -> None:
    lock = Lockstep(program(text))
    for game in range(3):
        lock.play(seed, game, most=60)


def agree_if_right(text: str, seed: int) -> None:
    """What the checker refuses is not what is tried here."""
    try:
        program(text)
    except AssertionError:
        assume(False)
    agree_on(text, seed)


@pytest.mark.long
@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_table_of_every_ruleset_runs_alike(name: str) -> None:
    """All pairs of options, all numbers of players, three games of each table up to 500 decisions."""
    made = load(name).program
    tables = covering(made)
    for number, table in enumerate(tables):
        lock = Lockstep(made, table.players, table.options)
        for game in range(3):
            lock.play(number, game, most=SLOW.get(name, 500))


#: Hashes of one whole game each: what a seed means does not change by itself.
GOLDEN: dict[str, str] = {
    "beggar-my-neighbour": "16d522c189ae52a7",
    "bicycle-fish": "b9e72b19e9adfb2c",
    "big-leduc": "78044ff1c91c78e1",
    "big-two": "356b66858674b875",
    "black-maria": "2d13da43bfb9f8fd",
    "blackjack": "24a30b3f4f361973",
    "bridge": "14e4cf083eccd6b8",
    "briscola": "6007e17056d9b159",
    "briscola-scoperta": "6007e17056d9b159",
    "british-cheat": "4541a9c6c573b33d",
    "camicia": "d9c5b0dfcb00e3e9",
    "canadian-euchre": "39e17f885fa2d131",
    "canasta": "57a7bb8f83e90e34",
    "canasta-for-two": "5feabb53411d42b5",
    "cassino": "9ee77ec9e05d792a",
    "cheat": "0dc95adf5cb2396f",
    "chicago-bridge": "14e4cf083eccd6b8",
    "crazy-eights": "685a9825904bcd25",
    "cribbage": "4dc584aa3a2d1fa6",
    "doppelkopf": "140f6bbcb531c860",
    "durak": "254dcb8bfabcfbb6",
    "euchre": "39e17f885fa2d131",
    "european-blackjack": "3e792e1b310d66cd",
    "five-card-cribbage": "f5d2422fea9c4d7a",
    "gin-rummy": "c2b1998fd6085f6e",
    "go-fish": "b9e72b19e9adfb2c",
    "hearts": "9f22a71e209e1daf",
    "hockey": "77693200d9e7babd",
    "hockey-1961": "4b31872e9f079966",
    "hockey-shots": "77693200d9e7babd",
    "hucklebuck": "3d3910b0f62859d2",
    "hucklebuck-bid": "b2ba511f85e78610",
    "hucklebuck-bourre": "dcd0302c69b8edca",
    "klondike": "95f2c38246c6754e",
    "klondike-draw-one": "91171dade73bf4ac",
    "klondike-vegas": "77e497db68d36c2f",
    "kuhn-poker": "4eb98778a05fda3c",
    "leduc-poker": "fc10624df4c9b4c7",
    "limit-holdem": "ac9cbd0e62728fc9",
    "long-whist": "16583ae5173bb4dd",
    "mau-mau": "e5ad3c499cc5f263",
    "oh-hell": "33af119a5a12ff45",
    "oklahoma-gin": "c2b1998fd6085f6e",
    "omnibus-hearts": "35db6e3a456ee3bf",
    "one-card-poker": "61a29f46fd5f4390",
    "perevodnoy-durak": "afefd1cb43b2afad",
    "pinochle": "b6bf37613e0a338b",
    "podkidnoy-durak": "254dcb8bfabcfbb6",
    "pot-limit-holdem": "e08e8364a3383023",
    "pusoy-dos": "356b66858674b875",
    "racehorse-pinochle": "6ffcea5c732889bd",
    "royal-cassino": "9af462d77b9f2884",
    "rummy-500": "7c4b07032b3f8c9d",
    "rummy-500-jokers": "d43194e9e450854d",
    "santase": "fc6a66a60ffcd669",
    "schnapsen": "d3d6ecf70940c360",
    "short-doppelkopf": "6a3a08bdd76f0a84",
    "sixty-six": "2389f83adbc86cf0",
    "sixty-six-bicycle": "0bb9442545ce3e97",
    "sixty-six-pagat": "bbbc736ec5f09207",
    "texas-holdem": "0b952f8068db839a",
    "tichu": "f52708471a03d77b",
    "tichu-in-turn": "59b806c17f7ee26c",
    "up-and-down": "dbd8a7bad7bba451",
    "whist": "16583ae5173bb4dd",
}


@pytest.mark.parametrize("name", shipped_rulesets())
def test_seeds_mean_what_they_meant(name: str) -> None:
    assert Lockstep(load(name).program, wasm=False).play(seed=7, most=60)[:16] == GOLDEN[name]
