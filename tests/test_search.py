"""The search bot: tables as they may be, what it may not know, that it plays better than others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import rulekit
from rulekit.compiled import PythonEngine
from rulekit.compiled.counting import counted
from rulekit.engine import Decision, Machine, State, chance
from rulekit.players import BOTS, Bot, Draws, SearchBot, choose
from rulekit.players.judge import renamed_value
from rulekit.players.past import Did, Past, bits
from rulekit.players.replies import SHARE, Ahead, Brought, Explorer, Move
from rulekit.players.rollouts import PythonRoller, WasmRoller, rollouts, tables
from rulekit.players.worlds import Worlds

GAMES = [
    "hearts",
    "whist",
    "gin-rummy",
    "cribbage",
    "sixty-six",
    "cheat",
    "hucklebuck",
    "big-two",
    "doppelkopf",
    "go-fish",
]


def machine(name: str, phase: str | None = None) -> Machine:
    rules = rulekit.load(name)
    return rules.machine(min(4, rules.players[1]), phase)


def positions(table: Machine, most: int, every: int, seed: int = 8) -> Iterator[tuple[State, Decision]]:
    """Some positions of a random game."""
    state, draws = table.start(seed), Draws.for_game(seed)
    for number in range(most):
        decision = table.decision(state)
        if decision is None:
            return
        if number % every == every - 1:
            yield state, decision
        table.apply(state, state.legal[draws.below(len(state.legal))])


def worlds_at(table: Machine, state: State, decision: Decision) -> Worlds:
    known = tables(table)
    assert known is not None
    past = known.past(state)
    assert past is not None, "the moves lead to the position"
    return Worlds(table, state, decision, past, known.lowered)


# ---------------------------------------------------------------- what a seat knows


def twin_of(worlds: Worlds, turned: int) -> Past:
    """The same past, cards that the seat does not know in each other's places, other hidden state."""
    past, face = worlds.past, list(range(worlds.slots.cards))
    tokens = sorted(worlds.tokens)
    for at, token in enumerate(tokens):
        face[token] = tokens[(at + turned) % len(tokens)]

    def changed(flat: list[Any]) -> list[Any]:
        other = worlds.relabelled(flat, face)
        for name, member, _ in worlds.hidden_cells:
            slot = worlds.engine.layout.slots[f"s_{name}"] + member
            if worlds.lowered.cells[name][2] is None and other[slot] in (0, 1):
                other[slot] = 1 - other[slot]
        return other

    twin = Past(past.slots, past.engine, past.origin)
    for number, did in enumerate(past.moves):
        if number < worlds.first:
            twin.moves.append(did)
            continue
        move = next(one for one in worlds.lowered.legal if one.move.name == did.move)
        values = tuple(
            renamed_value(value, choice.type, face)
            for value, choice in zip(did.values, move.move.choices, strict=True)
        )
        told = tuple((face[card], whom) for card, whom in did.told)
        twin.moves.append(Did(changed(did.before), did.seat, did.place, did.move, values, told))
    twin.now = changed(past.now)
    until = Past(past.slots, past.engine, past.origin)
    until.moves, until.now = past.moves[: worlds.first], past.positions()[worlds.first]
    twin._known[worlds.seat] = worlds.first, until.known(worlds.seat)[0], worlds.first
    return twin


@pytest.mark.parametrize("name", GAMES)
def test_hid_04_worlds_do_not_depend_on_what_is_hidden(name: str) -> None:
    table, compared = machine(name), 0
    for state, decision in positions(table, 60, 5):
        worlds = worlds_at(table, state, decision)
        if len(worlds.tokens) < 2:
            continue
        twin = twin_of(worlds, 1 + compared)
        slots, seat, first = worlds.slots, worlds.seat, worlds.first
        for mine, others in zip(worlds.past.positions()[first:], twin.positions()[first:], strict=True):
            seen = slots.seen(mine, seat)
            assert slots.seen(others, seat) == seen, "all that the seat has seen is the same"
            for card in bits(seen):
                assert mine[slots.place + card] == others[slots.place + card]
        other = Worlds(table, state, decision, twin, worlds.lowered)
        assert other.known == worlds.known
        for number in range(3):
            mine, others = worlds.draw(Draws(number)), other.draw(Draws(number))
            assert (mine is None) == (others is None)
            if mine is not None and others is not None:
                assert mine == others
                compared += 1
    assert compared > 6


@pytest.mark.parametrize("name", GAMES)
def test_a_world_keeps_what_the_seat_knows(name: str) -> None:
    table, drawn = machine(name), 0
    for state, decision in positions(table, 60, 4):
        worlds = worlds_at(table, state, decision)
        slots, now = worlds.slots, worlds.past.now
        world = worlds.draw(Draws(drawn))
        if world is None or worlds.before_me:
            continue
        drawn += 1
        assert world[slots.actor] == decision.actor
        assert world[slots.choices] == len(state.legal)
        for card in bits(worlds.known):
            assert world[slots.place + card] == now[slots.place + card]
        for place in slots.places:
            assert world[slots.zm + place].bit_count() == now[slots.zm + place].bit_count()
            if (pile := slots.pile_at.get(place)) is not None:
                assert sum(1 << card for card in world[pile]) == world[slots.zm + place]
        held = 0
        for place in slots.places:
            held |= world[slots.zm + place]
        assert held == slots.whole
    assert drawn > 5


def test_a_card_that_was_passed_is_known_to_be_where_it_went() -> None:
    """Seen in one's own hand, then in nobody's sight: the passer still knows who has it."""
    table = machine("hearts", "round")
    state = table.start(5)
    while (decision := table.decision(state)) is not None and decision.kind == "sealed":
        table.apply(state, state.legal[0])
    passed = [event for event in state.events() if event.move == "pass_cards"]
    assert len(passed) == 4
    while (decision := table.decision(state)) is not None:
        mine = next(event for event in passed if event.seat == decision.actor)
        worlds = worlds_at(table, state, decision)
        for card in mine.values[0]:
            assert worlds.known >> card & 1
        if len(state.events()) > 10:
            return
        table.apply(state, state.legal[-1])


@pytest.mark.parametrize("name", ["whist", "doppelkopf", "hucklebuck", "crazy-eights"])
def test_shown_voids_are_kept(name: str) -> None:
    """HID-06: who did not follow has none of that suit, in nearly every world; dealt blindly he often has."""
    table = machine(name)
    blind = mended = checked = 0
    for state, decision in positions(table, 60, 3, seed=12):
        worlds = worlds_at(table, state, decision)
        past, first, draws = worlds.past, worlds.first, Draws(1)
        single = [d for d in past.moves[first:] if worlds.judge.form(d).form in ("mask", "subsets")]
        others = [d for d in single if d.seat != worlds.seat]
        if len(others) < 4 or len(worlds.tokens) < 2:
            continue
        for _ in range(3):
            draws.state, faces = chance.shuffle(draws.state, worlds.faces)
            blind += sum(not worlds.legal_then(did, worlds._map(faces)) for did in others)
            worlds._place(faces, draws)
            worlds._mend(faces, draws)
            mended += sum(not worlds.legal_then(did, worlds._map(faces)) for did in others)
            checked += len(others)
    if name == "crazy-eights":  # any card that fits may be played, and one may draw with such a card
        assert blind == mended == 0 < checked
        return
    assert blind > 0.03 * checked
    assert mended < 0.02 * blind


def test_a_card_that_was_played_is_known_though_it_went_where_nobody_looks() -> None:
    """The last card of a trick goes to a hidden pile at once, and is never seen lying."""
    table, compared = machine("doppelkopf", "round"), 0
    for state, decision in positions(table, 50, 7):
        worlds, played = worlds_at(table, state, decision), set()
        for event in state.events():
            if event.move == "follow":
                played |= set(event.values)
        for card in played:
            assert worlds.known >> card & 1
            compared += 1
    assert compared > 50


# ---------------------------------------------------------------- roll-outs


@pytest.mark.parametrize("name", ["hearts", "cribbage", "kuhn-poker", "blackjack", "klondike", "euchre"])
def test_roll_outs_in_python_and_webassembly_bring_the_same(name: str) -> None:
    table = machine(name)
    known = tables(table)
    assert known is not None
    fast, slow = (
        WasmRoller(known.lowered, known.slots),
        PythonRoller(known.lowered, known.engine, known.slots),
    )
    compared = 0
    for state, decision in positions(table, 30, 3):
        world = worlds_at(table, state, decision).draw(Draws(3))
        if world is None:
            continue
        judge = worlds_at(table, state, decision).judge
        for roller in (fast, slow):
            assert roller.load(world, judge.functions(world), judge.whom(world)) == len(state.legal)
        for place in {0, len(state.legal) - 1}:
            for seed in (7, 2**64 - 5):
                assert fast.play(place, 4, seed) == slow.play(place, 4, seed)
                compared += 1
            ahead = fast.look(0, place)
            assert slow.look(0, place) == ahead
            if ahead is not None:
                for reply in {0, ahead[known.slots.choices] - 1}:
                    assert fast.play(reply, 3, 7, 2, 1) == slow.play(reply, 3, 7, 2, 1)
                    assert fast.look(1, reply) == slow.look(1, reply)
    assert compared > 3


def test_scores_count_what_receipts_tell_of_where_they_hardly_change() -> None:
    """Games won in whist change once in many deals; points, of which receipts tell, in each."""
    table = machine("whist")
    known = tables(table)
    assert known is not None
    lowered = counted(known.lowered)
    assert lowered is not None
    fast, slow = WasmRoller(lowered, known.slots), PythonRoller(lowered, PythonEngine(lowered), known.slots)
    state, decision = next(positions(table, 30, 20))
    worlds = worlds_at(table, state, decision)
    world = worlds.draw(Draws(3))
    assert world is not None
    told = set()
    for roller in (known.roller, fast, slow):
        roller.load(world, worlds.judge.functions(world), worlds.judge.whom(world))
    for seed in range(20):
        assert known.roller.play(0, 1, seed).scores == (0, 0, 0, 0)
        sums = fast.play(0, 1, seed)
        assert sums == slow.play(0, 1, seed)
        assert sums.scores[0] == sums.scores[2]
        assert sums.scores[1] == sums.scores[3]
        told.add(sums.scores)
    assert len(told) > 1
    hearts = tables(machine("hearts"))
    assert hearts is not None
    assert hearts.counting is None, "there is nothing more to count"


# ---------------------------------------------------------------- replies


def explored(replies: list[list[float]], ours: bool, times: int) -> Move:
    """A move after which somebody replies; each reply brings some numbers in turn."""
    move, made = Move(), [0]
    taken = [0] * len(replies)

    def look(place: int) -> Ahead | None:
        return Ahead(0 if ours else 1, "the only situation", len(replies)) if not made[0] else None

    def play(place: int, times: int) -> Brought:
        if not made[0]:
            every = [number for numbers in replies for number in numbers]
            return Brought(times, 0.0, times * sum(every) / len(every))
        taken[place] += 1
        return Brought(times, 0.0, times * replies[place][taken[place] % len(replies[place])])

    def enter() -> None:
        made[0] += 1

    def leave() -> None:
        made[0] -= 1

    explorer = Explorer((0,), look, enter, leave, play)
    for _ in range(times):
        explorer.explore(move, 0, 1)
    assert move.brought.count == times
    return move


def mean(brought: Brought) -> float:
    return brought.margin / brought.count


def test_the_best_reply_counts_once_all_are_tried_often_enough() -> None:
    replies = [[2.0], [-4.0], [5.0, 3.0]]
    assert explored(replies, True, 100).worth(mean) == pytest.approx(4.0, abs=0.1)
    rival = explored(replies, False, 100)
    played = mean(rival.brought)
    assert rival.worth(mean) == pytest.approx(played + SHARE * (-4.0 - played))
    few = explored(replies, True, 10)
    assert few.worth(mean) == pytest.approx(mean(few.brought)), "none has been tried often enough"


@pytest.mark.parametrize("seed", range(4))
def test_a_jack_is_not_bet_where_the_better_card_calls(seed: int) -> None:
    """In Kuhn poker one who plays on at random folds half of the kings; nobody else does."""
    table = rulekit.load("kuhn-poker").machine(2, "round")
    jack = next(g for g in range(50) if "JS" in hand(table, table.start(seed, g)))
    state = table.start(seed, jack)
    assert [action.move for action in state.legal] == ["bet", "pass"]
    assert choose(table, state, SearchBot(400), Draws(seed)).move == "pass"


def hand(table: Machine, state: State) -> str:
    """The cards of the one who is to move."""
    decision = table.decision(state)
    assert decision is not None
    places = enumerate(table.setup.places)
    at = next(n for n, place in places if (place.zone, place.member) == ("hand", decision.actor))
    return table.setup.pack.format_cards(state.zones[at])


def test_a_position_that_was_laid_is_searched_on_the_reference_engine() -> None:
    game = rulekit.load("hockey").new_game(seed=1, given={"hand of P1": "QS KH", "hand of P2": "QH 2C"})
    from rulekit.players.seats import position

    table, state = position(game)
    decision = table.decision(state)
    assert decision is not None
    found = rollouts(table, state, decision, Draws(0))
    assert found is not None
    assert found.engine == "reference"
    assert choose(table, state, SearchBot(40), Draws(0)) in state.legal
    fresh = table.start(1)
    decision = table.decision(fresh)
    assert decision is not None
    found = rollouts(table, fresh, decision, Draws(0))
    assert found is not None
    assert found.engine == "wasm"


def test_hid_04_on_the_reference_engine_too_hidden_cards_do_not_change_the_search() -> None:
    table, compared = machine("hockey"), 0
    for state, decision in positions(table, 30, 4):
        worlds, twin = worlds_at(table, state, decision), state.copy()
        one, other = worlds.tokens[0], worlds.tokens[-1]
        swap = {one: other, other: one}
        for number, cards in enumerate(state.zones):
            changed = [swap.get(card, card) for card in cards]
            twin.zones[number] = tuple(changed if table.layout.is_pile[number] else sorted(changed))
        for values in (twin.place, twin.up, twin.mover, twin.shown):
            values[one], values[other] = values[other], values[one]  # type: ignore[index]
        blind = state.copy()
        blind.origin = twin.origin = None
        first = choose(table, blind, SearchBot(60), Draws(compared))
        assert choose(table, twin, SearchBot(60), Draws(compared)) == first
        compared += 1
    assert compared > 3


def test_a_search_depends_on_its_draws_alone() -> None:
    table, twin = machine("hearts", "round"), machine("hearts", "round")
    for state, _ in positions(table, 30, 7):
        first = choose(table, state, SearchBot(60), Draws(4))
        choose(table, state, SearchBot(60), Draws(5))
        again = state.copy()
        assert choose(twin, again, SearchBot(60), Draws(4)) == first
        assert again == state, "nothing is changed"


def test_the_strength_of_a_search_is_part_of_its_name() -> None:
    bot = BOTS["search:50"]()
    assert isinstance(bot, SearchBot)
    assert bot.rollouts == 50
    for name in ("search:0", "search:", "search:x", "search:-1", "greedy:3", "search:99999999999"):
        assert name not in BOTS
    assert list(BOTS) == ["random", "greedy", "search"]
    with pytest.raises(ValueError, match="at least one"):
        SearchBot(0)


# ---------------------------------------------------------------- strength


def mean_payoff(table: Machine, games: int, against: str, rollouts: int) -> float:
    """What a searching side receives on average, in each seat in turn, against bots of another kind."""
    setup, total = table.setup, 0.0
    for game in range(games):
        state, draws, seat = table.start(21, game), Draws.for_game(21, game), game % table.setup.players
        side = setup.team_players(setup.team_of(seat)) if setup.teams else (seat,)
        bots: list[Bot] = [
            SearchBot(rollouts) if player in side else BOTS[against]() for player in range(setup.players)
        ]
        while (decision := table.decision(state)) is not None:
            table.apply(state, choose(table, state, bots[decision.actor], draws))
        total += table.outcome(state).payoffs[seat]
    return total / games


@pytest.mark.parametrize(
    ("name", "phase", "games", "against", "margin"),
    [
        ("hearts", "round", 6, "random", 0.3),
        ("hearts", "round", 8, "greedy", 0.2),
        ("sixty-six", None, 6, "random", 0.6),
        ("sixty-six", None, 6, "greedy", 0.6),
    ],
)
def test_search_beats_the_other_bots(
    name: str, phase: str | None, games: int, against: str, margin: float
) -> None:
    assert mean_payoff(machine(name, phase), games, against, 100) >= margin


LONG = {
    "euchre": None,
    "whist": None,
    "cribbage": None,
    "hockey": None,
    "hucklebuck": None,
    "briscola": None,
    "durak": None,
    "gin-rummy": "round",
    "bridge": "round",
    "pinochle": "round",
    "doppelkopf": "round",
    "canasta": "round",
    "tichu": "round",
    "rummy-500": "round",
    "big-two": "round",
    "cassino": "round",
    "crazy-eights": "round",
}


@pytest.mark.long
@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("against", ["random", "greedy"])
def test_search_beats_the_other_bots_in_long_runs(name: str, against: str) -> None:
    """A win brings +1, shared by a team: at the most 0.5 for each of two."""
    assert mean_payoff(machine(name, LONG[name]), 16, against, 200) >= 0.2


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "deals"), [("kuhn-poker", 400), ("one-card-poker", 400), ("leduc-poker", 100)]
)
@pytest.mark.parametrize("against", ["random", "greedy"])
def test_search_wins_at_poker_in_the_long_run(name: str, deals: int, against: str) -> None:
    """Chips: both sides of each deal are played by the one and by the other."""
    table, total = rulekit.load(name).machine(2, "round"), 0.0
    for deal in range(deals):
        for seat in range(2):
            state, draws = table.start(21, deal), Draws.for_game(21, deal)
            bots: list[Bot] = [BOTS[against](), BOTS[against]()]
            bots[seat] = SearchBot(200)
            while (decision := table.decision(state)) is not None:
                table.apply(state, choose(table, state, bots[decision.actor], draws))
            total += table.outcome(state).payoffs[seat]
    assert total > 0


@pytest.mark.parametrize("deal", range(3))
def test_a_search_that_has_come_back_goes_where_it_has_not_been(deal: int) -> None:
    """In this patience cards can be carried to and fro without end, and nothing is lost by it."""
    table = machine("klondike-vegas")
    state, draws = table.start(1, deal), Draws.for_game(1, deal)
    been: set[object] = set()
    again = count = 0
    while (decision := table.decision(state)) is not None and count < 400:
        known = tables(table)
        past = known and known.past(state)
        assert past is not None
        situation = past.slots.situation(past.now, decision.actor)
        again, count = again + (situation in been), count + 1
        been.add(situation)
        table.apply(state, choose(table, state, SearchBot(24), draws))
    assert table.decision(state) is None
    assert again <= count // 4
