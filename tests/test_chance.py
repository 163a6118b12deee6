"""Chance: the numbers are part of the rules of every seed, so they are pinned."""

from __future__ import annotations

import math
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from rulekit.engine import chance

seeds = st.integers(min_value=-(2**70), max_value=2**70)


def test_draws_are_those_of_splitmix64_published_for_seed_0() -> None:
    state, drawn = 0, []
    for _ in range(3):
        state, bits = chance.draw(state)
        drawn.append(f"{bits:016X}")
    assert drawn == ["E220A8397B1DCDAF", "6E789E6AA1B965F4", "06C45D188009454F"]
    assert f"{chance.mix(0):016X}" == drawn[0]


def test_streams_of_a_game_are_pinned() -> None:
    assert [f"{start:016X}" for start in chance.streams(7, 0)] == ["B8B4C2977EABCE45", "27E8AC81E7BC3B89"]
    assert chance.streams(7) == chance.streams(7, 0)
    assert chance.streams(7 + 2**64) == chance.streams(7)


def test_a_shuffle_is_pinned() -> None:
    assert chance.shuffle(0, range(8)) == (4 * chance.GAMMA & chance.MASK, [4, 5, 1, 0, 6, 2, 3, 7])


def test_a_shuffle_takes_two_places_from_each_draw() -> None:
    for n in range(20):
        assert chance.shuffle(0, range(n))[0] == math.ceil(max(n - 1, 0) / 2) * chance.GAMMA & chance.MASK


@given(seeds, st.integers(0, 1000))
def test_chance_and_players_draw_from_different_streams(seed: int, game: int) -> None:
    deal, players = chance.streams(seed, game)
    assert deal != players
    assert chance.streams(seed, game + 1) != (deal, players)


@given(st.integers(0, chance.MASK), st.integers(1, 1000))
def test_below_stays_below(state: int, n: int) -> None:
    assert 0 <= chance.below(state, n)[1] < n


@given(st.integers(0, chance.MASK), st.lists(st.integers(), max_size=60))
def test_a_shuffle_loses_nothing(state: int, items: list[int]) -> None:
    assert sorted(chance.shuffle(state, items)[1]) == sorted(items)


def test_every_order_of_four_comes_up_about_equally_often() -> None:
    state, counts = 1, Counter[tuple[int, ...]]()
    for _ in range(24_000):
        state, order = chance.shuffle(state, range(4))
        counts[tuple(order)] += 1
    assert len(counts) == 24
    # 1000 expected each; six standard deviations are about 186.
    assert all(abs(count - 1000) < 186 for count in counts.values())


def test_rng_06_all_orders_of_three_cards_are_equally_likely() -> None:
    """Chi-square over 60,000 shuffles: below 20.5, the value exceeded by chance once in a thousand."""
    counts: dict[tuple[int, ...], int] = {}
    state = chance.streams(6)[0]
    for _ in range(60_000):
        state, order = chance.shuffle(state, range(3))
        counts[tuple(order)] = counts.get(tuple(order), 0) + 1
    assert len(counts) == 6
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 20.5


def test_rng_06_every_card_lies_in_every_place_equally_often() -> None:
    """Chi-square of the 52 x 52 matrix, 51 x 51 free cells: within four standard deviations of its mean."""
    shuffles = 5_200
    matrix = [[0] * 52 for _ in range(52)]
    state = chance.streams(61)[0]
    for _ in range(shuffles):
        state, order = chance.shuffle(state, range(52))
        for place, card in enumerate(order):
            matrix[place][card] += 1
    expected = shuffles / 52
    square = sum((count - expected) ** 2 / expected for row in matrix for count in row)
    free = 51 * 51
    assert abs(square - free) < 4 * (2 * free) ** 0.5
