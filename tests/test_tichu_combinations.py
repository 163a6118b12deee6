"""Tichu's combinations against brute force: every subset of a hand, read without patterns."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from random import Random

import pytest
from tables import load

from rulekit.engine import Machine, State

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
VALUES: dict[str, int] = {rank: number for number, rank in enumerate(RANKS, 2)}
SINGLES: dict[str, float] = {"DOG": 0.0, "MAHJONG": 1.0, "PHOENIX": 20.0, "DRAGON": 30.0}
Cards = tuple[str, ...]
Strength = tuple[float, ...]


@cache
def table() -> Machine:
    return load("tichu").with_options(bombs="in_turn").machine(4, "play_out")


def lay(hands: list[Cards]) -> State:
    """These hands, P1 to lead."""
    m = table()
    numbers = {m.setup.pack.format_card(card): card for card in range(len(m.setup.pack))}
    s = m.blank()
    held = [[numbers[text] for text in hand] for hand in hands]
    zones = {m.setup.zone_places["hand"][seat][0]: cards for seat, cards in enumerate(held)}
    dealt = {card for cards in held for card in cards}
    m.lay(s, {**zones, 0: [card for card in range(len(m.setup.pack)) if card not in dealt]})
    s.cells[m.layout.states["leader"].first] = 0
    m.run_phase(s, "play_out")
    return s


def offered(s: State, move: str) -> set[Cards]:
    m = table()
    return {
        tuple(sorted(map(m.setup.pack.format_card, action.values[0])))
        for action in m.legal(s)
        if action.move == move
    }


def subsets(hand: Cards) -> list[Cards]:
    return [tuple(sorted(some)) for size in range(1, len(hand) + 1) for some in combinations(hand, size)]


# ---------------------------------------------------------------- the rules, told once more


def height(card: str) -> float:
    """Of a single card."""
    return SINGLES[card] if card in SINGLES else float(VALUES[card[:-1]])


@cache
def readings(cards: Cards) -> dict[str, Strength]:
    """Each kind of combination that the cards are, and how strong; bombs are `four` and `flush`."""
    if len(cards) == 1:
        return {"single": (height(cards[0]),)}
    if "DOG" in cards or "DRAGON" in cards:
        return {}
    plain = [card for card in cards if card not in SINGLES]
    found: dict[str, Strength] = {}
    for stand_in in range(2, 15) if "PHOENIX" in cards else [0]:
        values = [VALUES[card[:-1]] for card in plain] + [stand_in] * (stand_in > 0)
        for kind, strength in shapes(values, "MAHJONG" in cards):
            found[kind] = max(found.get(kind, strength), strength)
    if len(plain) == len(cards):
        values = sorted(VALUES[card[:-1]] for card in plain)
        if len(cards) == 4 and len(set(values)) == 1:
            found = {"four": (values[0],)}
        row = values == list(range(values[0], values[0] + len(values)))
        if len(cards) >= 5 and row and len({card[-1] for card in plain}) == 1:
            found = {"flush": (len(values), values[-1])}
    return found


def shapes(values: list[int], mahjong: bool) -> list[tuple[str, Strength]]:
    """What values make, besides bombs."""
    row = sorted([*values, 1] if mahjong else values)
    size = len(row)
    found: list[tuple[str, Strength]] = []
    if size >= 5 and row == list(range(row[0], row[0] + size)):
        found.append((f"straight of {size}", (float(row[-1]),)))
    if mahjong:
        return found
    counts = sorted(Counter(values).items(), key=lambda item: (item[1], item[0]), reverse=True)
    held = [count for _, count in counts]
    if held in ([2], [3]):
        found.append((f"{held[0]} equal", (counts[0][0],)))
    if held in ([3, 2], [5]):
        found.append(("full house", (counts[0][0], counts[-1][0])))
    tops = sorted(value for value, _ in counts)
    if set(held) == {2} and len(tops) >= 2 and tops == list(range(tops[0], tops[0] + len(tops))):
        found.append((f"stairs of {size}", (tops[-1],)))
    return found


def beats(cards: Cards, other: Cards) -> bool:
    mine, yours = readings(cards), readings(other)
    for bomb in ("flush", "four"):
        if bomb in mine or bomb in yours:
            return bomb in mine and (bomb not in yours or mine[bomb] > yours[bomb])
    if other == ("PHOENIX",):  # led, it is worth one and a half
        yours = {"single": (1.5,)}
    return any(kind in yours and mine[kind] > yours[kind] for kind in mine)


# ---------------------------------------------------------------- hands


def deal(random: Random, sizes: list[int]) -> list[Cards]:
    """Hands of few ranks and suits, so that much fits together."""
    low = random.randrange(6)
    ranks = RANKS[low : low + random.choice([3, 5, 8])]
    suits = random.choice(["CDHS", "CDHS", "CD"])
    pack = [rank + suit for rank in ranks for suit in suits] + [
        card for card in SINGLES if random.random() < 0.7
    ]
    random.shuffle(pack)
    hands = []
    for size in sizes:
        hands.append(tuple(sorted(pack[:size])))
        pack = pack[size:]
    return hands


def compare(deals: int, size: int, random: Random) -> None:
    answers = 0
    for _ in range(deals):
        first, second = deal(random, [size, size])
        others = [rank + "S" for rank in RANKS if rank + "S" not in first + second]
        s = lay([first, second, (others[0],), (others[1],)])
        leads = {cards for cards in subsets(first) if readings(cards)}
        assert offered(s, "lead") == leads, first
        lead = random.choice([action for action in table().legal(s) if action.move == "lead"])
        led = tuple(sorted(map(table().setup.pack.format_card, lead.values[0])))
        table().apply(s, lead)
        decision = table().decision(s)
        if decision is None or decision.actor != 1:
            continue  # the dog was led, or all is over, or a rank may be wished for
        wanted = {cards for cards in subsets(second) if readings(cards) and beats(cards, led)}
        assert offered(s, "beat") == wanted, (led, second)
        answers += 1
    assert answers > deals // 3


@pytest.mark.parametrize("size", [6, 8])
def test_what_may_be_led_and_what_beats_it(size: int) -> None:
    compare(60, size, Random(f"tichu {size}"))


@pytest.mark.long
@pytest.mark.parametrize("size", [7, 9, 11])
def test_what_may_be_led_and_what_beats_it_in_many_deals(size: int) -> None:
    compare(1500, size, Random(f"tichu at length {size}"))
