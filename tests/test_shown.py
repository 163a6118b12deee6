"""HID-06: what moves show to a seat about hidden cards. It is found out by asking the rules, so it is never
false, whatever the game; and in Go Fish, which is all about it, it is everything that can be told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from test_search import worlds_at

import rulekit
from rulekit.engine import Decision, Machine, State
from rulekit.players import Draws
from rulekit.players.past import bits
from rulekit.players.worlds import Worlds

#: Games, and whether random play of them shows something about single cards (else: that one of some is held).
SHOWN = {
    "go-fish": True,
    "bicycle-fish": True,
    "whist": True,
    "sixty-six": True,
    "hucklebuck": True,
    "euchre": True,
    "doppelkopf": True,
    "oh-hell": True,
    "cheat": False,
}


def positions(table: Machine, games: int, most: int) -> Iterator[tuple[State, Decision]]:
    """All positions of random games, as far as they go in so many decisions each."""
    for game in range(games):
        state, draws = table.start(5, game), Draws.for_game(5, game)
        for _ in range(most):
            if (decision := table.decision(state)) is None:
                break
            yield state, decision
            table.apply(state, state.legal[draws.below(len(state.legal))])


def lying(worlds: Worlds, flat: list[Any], zone: str, player: int) -> int:
    """The cards in a player's zone, as bits."""
    (place,) = worlds.machine.setup.zone_places[zone][player]
    return int(flat[worlds.slots.zm + place])


@pytest.mark.parametrize("name", SHOWN)
def test_what_moves_show_is_true(name: str) -> None:
    """No card lies where it is said that it cannot, and one of those needed lies wherever one is needed."""
    lacking, needed = told_truly(name)
    assert lacking if SHOWN[name] else needed


@pytest.mark.long
@pytest.mark.parametrize("name", rulekit.shipped_rulesets())
def test_what_moves_show_is_true_in_every_ruleset(name: str) -> None:
    if rulekit.load(name).moves:
        told_truly(name)


def told_truly(name: str) -> tuple[int, int]:
    """How often moves of random games tell that cards are not there, and that one of some is."""
    rules = rulekit.load(name)
    table = rules.machine(max(rules.players[0], min(3, rules.players[1])))
    lacking = needed = 0
    for state, decision in positions(table, 3, 70):
        worlds = worlds_at(table, state, decision)
        for token, lacks in zip(worlds.tokens, worlds.lacking, strict=True):
            assert not lacks >> token & 1, f"{token} lies where it was said not to"
            lacking += lacks != 0
        assert not worlds._unmet(worlds.tokens)
        needed += len(worlds.needed)
    return lacking, needed


@pytest.mark.parametrize("players", [3, 5])
def test_who_asks_for_a_rank_holds_one_and_who_gave_nothing_has_none(players: int) -> None:
    """Told by the rules alone, in worlds as they are drawn, of the last demand."""
    table = rulekit.load("go-fish", options={"turn_passes": "to_the_left"}).machine(players)
    asked = gave_nothing = 0
    for state, decision in positions(table, 2, 40):
        worlds = worlds_at(table, state, decision)
        past = worlds.past
        if not past.moves or worlds.first == len(past.moves):
            continue
        did = past.moves[-1]
        whom, rank = did.values
        of_rank = sum(1 << card for card, face in enumerate(table.setup.pack.cards) if face.rank == rank)
        fished = not lying(worlds, did.before, "hand", whom) & of_rank
        world = worlds.draw(Draws(1))
        assert world is not None
        if whom != worlds.seat and fished:
            assert not lying(worlds, world, "hand", whom) & of_rank
            gave_nothing += 1
        laid_down = lying(worlds, past.now, "book", did.seat) & of_rank
        if did.seat != worlds.seat and not laid_down:
            assert lying(worlds, world, "hand", did.seat) & of_rank
            asked += 1
    assert asked > 10 < gave_nothing


def test_a_card_of_the_asked_rank_given_and_seen_stays_known() -> None:
    """Cards that went over openly are known where they went."""
    table, seen = rulekit.load("go-fish").machine(3), 0
    for state, decision in positions(table, 2, 40):
        worlds = worlds_at(table, state, decision)
        for at, did in enumerate(worlds.past.moves[worlds.first :], worlds.first):
            after = worlds.past.positions()[at + 1]
            asked = did.values[0]
            given = lying(worlds, did.before, "hand", asked) & ~lying(worlds, after, "hand", asked)
            for card in bits(given):
                assert worlds.known >> card & 1
                seen += 1
    assert seen > 20
