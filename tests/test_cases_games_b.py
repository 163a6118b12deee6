"""Cases from bug reports of other engines, told with Gin Rummy, Cribbage, Hold'em, Klondike and Durak.

Each test bears the id of its case: LEG legality, STK stock, CON conservation, SCO scoring, END ends and
turns, TRM termination. Many more are examples in the rule files themselves, under the same ids.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tables import load, play_on

import rulekit
from rulekit.engine import Action, Machine, State, chance


def game(name: str, players: int | None = None, **given: Any) -> rulekit.Game:
    """A game of a shipped ruleset from a position."""
    return load(name).new_game(players, **given)


def texts(g: rulekit.Game, move: str = "") -> list[str]:
    """The legal moves, or those of one name."""
    return [m.text for m in g.legal_moves() if m.name == move or not move]


def state(m: Machine, s: State, name: str, member: int = 0) -> Any:
    return s.cells[m.layout.states[name].first + member]


def zone(m: Machine, s: State, name: str, member: int = 0) -> tuple[int, ...]:
    return s.zones[m.setup.zone_places[name][member][0]]


def receipts_of(s: State) -> list[Any]:
    """All receipts so far, the first one first."""
    found, chain = [], s.receipts
    while chain is not None:
        chain, receipt = chain
        found.append(receipt)
    return found[::-1]


# ---------------------------------------------------------------- LEG


def test_leg_08_no_count_passes_31() -> None:
    """10,000 plays: a card is offered if and only if it fits, and nobody is asked who has none that does."""
    m = load("cribbage").machine(2)
    plays = number = 0
    while plays < 10_000:
        s = m.start(8, number)
        stream = chance.streams(8, number)[1]
        number += 1
        while s.ending is None:
            legal = m.legal(s)
            decision = m.decision(s)
            assert decision is not None
            if decision.moves == ("play",):
                total = sum(min(card % 13 + 1, 10) for card in zone(m, s, "row"))
                hand = zone(m, s, "hand", decision.actor)
                fitting = [card for card in hand if total + min(card % 13 + 1, 10) <= 31]
                assert fitting == [action.values[0] for action in legal]
                assert fitting
                plays += 1
            stream, pick = chance.below(stream, len(legal))
            m.apply(s, legal[pick])


# ---------------------------------------------------------------- STK


def test_stk_02_the_turned_up_card_may_be_dealt_out() -> None:
    """Six players with six of 36 cards: the last card dealt shows trump and goes to the dealer."""
    for seed in range(20):
        g = game("durak", 6, seed=seed)
        m, s = g._machine, g._state
        assert zone(m, s, "stock") == ()
        dealer = state(m, s, "dealer")
        assert state(m, s, "trump") in {card // 9 for card in zone(m, s, "hand", dealer)}
        assert {len(zone(m, s, "hand", seat)) for seat in range(6)} == {6}
        play_on(g, [Random(seed).randrange(1000) for _ in range(2000)])


def test_stk_02_the_pack_must_be_enough_for_all() -> None:
    rules = load("durak").with_options(pack=24)
    assert rules.new_game(4).to_move is not None
    with pytest.raises(rulekit.SettingError, match="do not go together"):
        rules.new_game(5)


# ---------------------------------------------------------------- CON


@pytest.mark.parametrize("players", range(2, 8))
def test_con_08_chips_are_neither_made_nor_lost(players: int) -> None:
    """Random all-ins and folds with unequal stacks: stacks and payments keep their sum, and somebody wins."""
    m = load("texas-holdem").machine(players, "round")
    random = Random(players)
    for _ in range(60):
        s = m.blank(random.randrange(2**32))
        stacks: dict[tuple[str, int | None], Any] = {}
        for seat in range(players):
            stacks["stack", seat] = random.randint(1, 40)
        whole = sum(stacks.values())
        m.lay(s, states={**stacks, ("button", None): random.randrange(players)})
        m.run_phase(s, "round")
        while s.ending is None:
            assert sum(state(m, s, "stack", p) + state(m, s, "paid", p) for p in range(players)) == whole
            legal = m.legal(s)
            m.apply(s, random.choice([legal[0], legal[-1], legal[-1], *legal[:2]]))
        assert s.ending.reason == "played out"
        assert sum(state(m, s, "stack", p) for p in range(players)) == whole
        assert all(state(m, s, "paid", p) == 0 for p in range(players))


@pytest.mark.parametrize(("name", "players", "games"), [("crazy-eights", 5, 6), ("hucklebuck", 7, 40)])
def test_con_03_only_cards_thrown_away_come_back(name: str, players: int, games: int) -> None:
    """However often the stock is made afresh: no card is there twice, and nobody else's hand is touched."""
    options: dict[str, Any] = {"hucklebuck": {"when_short": "discards", "dropping": "free"}}.get(name, {})
    m = load(name).with_options(options).machine(players, "round")
    refilled = 0
    for number in range(games):
        s = m.start(3, number)
        random = Random(number)
        for _ in range(400):
            decision = m.decision(s)
            if decision is None:
                break
            assert sorted(card for cards in s.zones for card in cards) == list(range(52))
            others = [p for p in range(players) if p != decision.actor]
            hands, stock = [zone(m, s, "hand", p) for p in others], zone(m, s, "stock")
            m.apply(s, greedy_for_cards(m.legal(s), random))
            if s.ending is None:
                assert [zone(m, s, "hand", p) for p in others] == hands
            refilled += not set(zone(m, s, "stock")) <= set(stock)
    assert refilled >= games


def greedy_for_cards(legal: list[Action], random: Random) -> Action:
    """Draws, stays in and exchanges as much as it may, mostly: the stock is used up soon."""
    eager = [action for action in legal if action.move in ("draw", "stay")]
    if legal[0].move == "exchange":
        return max(legal, key=lambda action: len(action.values[0]))
    return random.choice(eager if eager and random.random() < 0.8 else legal)


# ---------------------------------------------------------------- SCO


@pytest.mark.parametrize(
    ("play", "points"),
    [
        (["P1 play 4C", "P2 play 6D", "P1 play 5C"], {"fifteen": 2, "run": 3}),
        (["P1 play KC", "P2 play KD", "P1 play 8C", "P2 play AD", "P1 play 2H"], {"thirty_one": 2}),
    ],
)
def test_sco_03_each_score_has_its_own_line(play: list[str], points: dict[str, int]) -> None:
    hands = {"hand of P1": "4C 5C KC 8C", "hand of P2": "6D KD AD 9D"}
    if "P1 play 2H" in play:
        hands = {"hand of P1": "KC 8C 2H 3S", "hand of P2": "KD AD 9D 9H"}
    g = game("cribbage", draws=["P2"], given={"dealer": "P2"})
    g = at_first_play(g, hands)
    for text in play:
        g.play(text.split(" ", 1)[1])
    assert {r.reason: r.amount for r in g.receipts if r.member == 0 and r.counter == "peg"} == points


def at_first_play(g: rulekit.Game, hands: dict[str, str]) -> rulekit.Game:
    """The same game at its first card of the play, with these hands."""
    m, s = g._machine, g._state.copy()
    while (decision := m.decision(s)) is not None and decision.moves != ("play",):
        m.apply(s, m.legal(s)[0])
    pack, places = m.setup.pack, m.setup.zone_places
    laid = {}
    for text, cards in hands.items():
        faces = [pack.by_face[pack.parse_face(word)][0] for word in cards.split()]  # type: ignore[index]
        laid[places["hand"][int(text[-1]) - 1][0]] = tuple(faces)
    used = {card for cards in laid.values() for card in cards}
    (stock,) = places["stock"][0]
    rest = tuple(card for card in range(52) if card not in used)
    empty: dict[int, tuple[int, ...]] = dict.fromkeys(range(len(s.zones)), ())
    m.lay(s, {**empty, **laid, stock: rest}, states={("peg", 0): 0, ("peg", 1): 0})
    m.resume(s)
    other = g.copy()
    other._state = m.load(s.dump())
    return other


def test_sco_05_every_end_of_a_hand_of_gin_is_scored() -> None:
    """Knock, gin, undercut and big gin."""
    m = load("gin-rummy").with_options(big_gin_bonus=31).machine(2, "showdown", (0, 1))
    pack = m.setup.pack

    def points(mine: str, theirs: str) -> list[int]:
        s = m.blank()
        hands = [tuple(pack.by_face[pack.parse_face(w)][0] for w in text.split()) for text in (mine, theirs)]  # type: ignore[index]
        places = m.setup.zone_places["hand"]
        rest = tuple(card for card in range(52) if card not in (*hands[0], *hands[1]))
        empty: dict[int, tuple[int, ...]] = dict.fromkeys(range(len(s.zones)), ())
        m.lay(s, {**empty, 0: rest, places[0][0]: hands[0], places[1][0]: hands[1]})
        m.run_phase(s, "showdown", (0, 1))
        while s.ending is None:
            action = next(a for a in m.legal(s) if a.move in ("arrange", "pass"))
            m.apply(s, action)
        assert s.ending.reason == "played out"
        return [state(m, s, "score", 0), state(m, s, "score", 1)]

    low, high = "9C 9D 9H 10S JS QS AC AD AS 4H", "9C 9D 9H 10C JC AS AD 4H 8S QS"
    assert points("2C 3C 4C 7D 7H 7S KC KD KH 5D", high) == [37, 0]  # knock: 42 - 5
    assert points("2C 3C 4C 7D 7H 7S KC KD KH KS", high) == [42 + 25, 0]  # gin
    assert points("2C 3C 4C 7D 7H 7S KC KD KH KS 5C", high) == [42 + 31, 0]  # big gin
    assert points("2C 3C 4C 7D 7H 7S KC KD KH 5D", low) == [0, 1 + 25]  # undercut
    assert points("2C 3C 4C 7D 7H 7S KC KD KH 4D", low) == [0, 25]  # undercut, deadwood being equal


def test_sco_05_a_hand_that_nobody_ends_is_void() -> None:
    m = load("gin-rummy").machine(2, "round")
    void = 0
    for number in range(40):
        s = m.start(5, number)
        while s.ending is None:
            legal = [a for a in m.legal(s) if a.move not in ("knock", "take_discard")] or m.legal(s)
            m.apply(s, legal[0])
        assert s.ending.reason == "played out"
        assert [state(m, s, "score", seat) for seat in (0, 1)] == [0, 0]
        assert len(zone(m, s, "stock")) == 2
        void += 1
    assert void == 40


# ---------------------------------------------------------------- END


def test_end_03_the_game_is_over_before_the_opponent_counts() -> None:
    """In every match nothing is scored after somebody has reached 121."""
    m = load("cribbage").machine(2)
    for number in range(60):
        s = m.start(3, number)
        stream = chance.streams(3, number)[1]
        while s.ending is None:
            legal = m.legal(s)
            stream, pick = chance.below(stream, len(legal))
            m.apply(s, legal[pick])
        ended = [0, 0]
        for last in receipts_of(s):
            ended[last.member] += last.amount
        pegs = [state(m, s, "peg", seat) for seat in (0, 1)]
        assert ended == pegs
        assert max(pegs) >= 121
        assert pegs[last.member] - last.amount < 121
        assert pegs[1 - last.member] < 121


def test_end_04_cards_are_drawn_before_a_hand_counts_as_empty() -> None:
    """While the stock lasts nobody is out."""
    m = load("durak").machine(2)
    for number in range(60):
        s = m.start(4, number)
        stream = chance.streams(4, number)[1]
        while s.ending is None:
            if zone(m, s, "stock"):
                assert len(state(m, s, "active")) == 2
            legal = m.legal(s)
            stream, pick = chance.below(stream, len(legal))
            m.apply(s, legal[pick])


def test_end_06_all_players_may_be_out_at_once() -> None:
    """A draw is an end like any other: all share the first place."""
    hands = {"hand of P1": "9S", "hand of P2": "10S", "stock": "empty", "pairs of 1": "empty"}
    g = game("durak", 2, given={**hands, "attacker": "P1", "defender": "P2", "trump": "hearts"})
    for move in ("attack 9S", "beat pairs-1 10S"):
        g.play(move)
    assert g.is_over
    assert g.outcome is not None
    assert g.outcome.ranking == ((0, 1),)
    assert g.outcome.payoffs == (0, 0)


def test_end_07_the_button_goes_to_the_next_who_still_has_chips() -> None:
    """Five players who go broke one after another, or two at once, also across the last seat."""
    m = load("texas-holdem").with_options(chips=12, hands=200).machine(5)
    across = both = 0
    for number in range(40):
        s = m.start(5, number)
        random = Random(number)
        button, seated, hands, last = state(m, s, "button"), set(range(5)), 1, None
        while s.ending is None:
            decision = m.decision(s)
            assert decision is not None
            dealt = sum(receipt.reason == "forced_bet" for receipt in receipts_of(s)) // 2
            here = {p for p in range(5) if state(m, s, "stack", p) + state(m, s, "paid", p) > 0}
            street = (dealt, len(zone(m, s, "board")))
            if dealt == hands + 1:
                expected = next(p % 5 for p in range(button + 1, button + 6) if p % 5 in here)
                assert state(m, s, "button") == expected
                across += expected < button and (button + 1) % 5 != expected
                both += len(seated) - len(here) == 2
            if dealt > hands:
                button, seated, hands = state(m, s, "button"), here, dealt
            assert state(m, s, "button") == button
            assert decision.actor in here
            assert (street, decision.actor) != last
            last = (street, decision.actor)
            legal = m.legal(s)
            m.apply(s, random.choice([legal[0], legal[-1], legal[-1], *legal[:3]]))
    assert across > 5
    assert both > 5


# ---------------------------------------------------------------- TRM


def test_trm_01_players_who_only_pick_up_come_to_the_limit() -> None:
    """Where nobody ever beats a card a game need not end by itself: it ends unfinished, and says so."""
    m = load("durak").with_options(throw_ins="attacker_only").machine(3)
    reasons = set()
    for number in range(12):
        s = m.start(1, number)
        stream = chance.streams(1, number)[1]
        while s.ending is None:
            legal = [a for a in m.legal(s) if a.move == "give_up"] or m.legal(s)
            stream, pick = chance.below(stream, len(legal))
            m.apply(s, legal[pick])
        assert s.decisions <= 5000
        reasons.add(s.ending.reason)
        if s.ending.reason == "limit":
            assert m.outcome(s).reason == "limit"
            assert m.outcome(s).ranking == ((0, 1, 2),)
            assert m.outcome(s).payoffs == (0, 0, 0)
    assert reasons == {"played out", "limit"}
