"""Statements, phases and moves: what they become, and what is said if they cannot be."""

from __future__ import annotations

import pytest
from checking import Broken, also, check, game, program, statements

from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program import types as t

# ------------------------------------------------------------ faults

#: A statement, or a list of them; code, underlined text, message, suggestion.
STATEMENTS = (
    ("n = 200", "RK425", "200", "`n` cannot be 200"),
    ("n = dealer", "RK501", "dealer", "`n` is a number, and is given a player"),
    ("n = none", "RK501", "none", "`n` is a number, and is given none"),
    ("n = 1 2", "RK513", "1 2", "`1 2` is no number"),
    ("maybe += 1", "RK504", "maybe", "`maybe` is a number or none, and `+=` is for numbers and sets"),
    ("dealer += 1", "RK504", "dealer", "`dealer` is a player, and `+=` is for numbers and sets"),
    ("flag = n", "RK501", "n", "`flag` is a condition, and is given a number"),
    ("word = x_word", "RK501", "x_word", "`word` is a word of `word`, and is given a word of `opt`"),
    ("word = c_word", "RK405", "c_word", "`c_word` is not a word of `word`", "b_word"),
    ("trump = A", "RK501", "A", "`trump` is a suit, and is given a rank"),
    ("who -= deck", "RK501", "deck", "`who` is a set of players, and is given a set of cards"),
    ("seen -= 2", "RK501", "2", "`seen` is a set of cards, and is given a number"),
    (
        "best_card = hand of dealer",
        "RK501",
        "hand of dealer",
        "`best_card` is a card or none, and is given a set of cards",
    ),
    ("score = 3", "RK404", "score", "whose `score`?"),
    (
        "score of players = 3",
        "RK501",
        "score of players",
        "`score of players` is several things, and only one can be changed at a time",
    ),
    ("score of deck = 3", "RK501", "deck", "`score` is per player, and `deck` is a set of cards"),
    ("num = 3", "RK414", "num", "`num` cannot be assigned"),
    ("hand = QS", "RK414", "hand", "`hand` cannot be assigned"),
    ("points = 3", "RK414", "points", "`points` cannot be assigned"),
    (
        "total of column = 3",
        "RK501",
        "total of column",
        "`total of column` is several things, and only one can be changed at a time",
    ),
    ("total of QS = 3", "RK501", "QS", "`total of` looks at a pile, and here stands a card"),
    ("it = 3", "RK414", "it", "`it` cannot be assigned"),
    ("players = dealer", "RK414", "players", "`players` cannot be assigned"),
    ("xyz = 3", "RK401", "xyz", "nothing is called `xyz` here"),
    ("scroe of dealer = 1", "RK401", "scroe", "nothing is called `scroe` here", "score"),
    ("n = random(3)", "RK513", "3", "here stands a number, where several things are needed"),
    (
        "n = random(1..6) + 1",
        "RK517",
        "random(1..6)",
        "`random(...)` stands only as the whole right side of an assignment",
    ),
    ("n = random()", "RK421", "random()", "`random` is given no things"),
    ("n += max(pip of deck)", "RK506", "max(pip of deck)", "`max(pip of deck)` may be none"),
    ("n += 1 for goal with 3", "RK505", "3", "here stands a number, where cards are needed"),
    ("flag = true for goal", "RK504", "goal", "`flag` is a condition, and only numbers leave receipts"),
    ("trump = hearts for goal", "RK504", "goal", "`trump` is a suit, and only numbers leave receipts"),
    ("let hand = 3", "RK411", "hand", "a local cannot be called `hand`: it is declared in this file"),
    ("let hearts = 3", "RK411", "hearts", "a local cannot be called `hearts`: it is a suit"),
    ("let a_word = 3", "RK411", "a_word", "a local cannot be called `a_word`: it is a word"),
    ("let count = 3", "RK411", "count", "a local cannot be called `count`: it is a word of the language"),
    ("let x = 2 from deck", "RK501", "2 from deck", "a selection is chosen from, not kept"),
    ("let x = none", "RK501", "none", "`none` does not tell what `x` will be"),
    ("let x = empty", "RK501", "empty", "`empty` does not tell what `x` will be"),
    ("- let x = 3\n- let x = 4", "RK411", "x", "`x` is already a local here"),
    ("- let x = 3\n- x = dealer", "RK501", "dealer", "`x` is a number, and is given a player"),
    ("- if flag: [let x = 3]\n- n = x", "RK401", "x", "nothing is called `x` here"),
    (
        "- for p in players: [p = dealer]",
        "RK414",
        "p",
        "`p` is the variable of a `for` and cannot be changed",
    ),
    (
        "- for p in players: [for p in suits: [n = 1]]",
        "RK411",
        "p",
        "a local cannot be called `p`: it is already a local here",
    ),
    ("- for p in n: [n = 1]", "RK513", "n", "here stands a number, where several things are needed"),
    ("- repeat 0 times: [n = 1]", "RK425", "0", "nothing is done 0 times"),
    ("- repeat dealer times: [n = 1]", "RK504", "dealer", "here stands a player, where a number is needed"),
    ("- until n: [n = 1]", "RK503", "n", "here stands a number, where a condition is needed"),
    ("- if maybe != none:\n    - maybe = none\n    - n = maybe + 1", "RK506", "maybe", "`maybe` may be none"),
    (
        "- if maybe != none:\n    - repeat 2 times: [n = maybe + 1, maybe = none]",
        "RK506",
        "maybe",
        "`maybe` may be none",
    ),
    (
        "- if maybe != none:\n    - ask dealer: [leave]\n    - n = maybe + 1",
        "RK506",
        "maybe",
        "`maybe` may be none",
    ),
    ("move n to trick", "RK505", "n", "here stands a number, where cards are needed"),
    ("move Q to trick", "RK505", "Q", "here stands a rank, where cards are needed"),
    ("move QS to hand", "RK404", "hand", "whose `hand`?"),
    ("move QS to dealer", "RK413", "dealer", "`dealer` is a player, and cards cannot be put there"),
    ("move QS to nowhere", "RK413", "nowhere", "there is no zone `nowhere`"),
    ("move QS to stck", "RK413", "stck", "there is no zone `stck`", "stock"),
    (
        "move QS to top of stock",
        "RK413",
        "top of stock",
        "`top of stock` is a card, and cards cannot be put there",
    ),
    (
        "move QS to bottom of hand of dealer",
        "RK512",
        "hand of dealer",
        "`hand of dealer` is a set and has no bottom",
    ),
    ("move QS to box", "RK413", "box", "cards do not go back to the `box`"),
    ("move QS to column", "RK413", "column", "`column` is several piles, and cards go to one"),
    (
        "move QS to melds of dealer",
        "RK413",
        "melds of dealer",
        "`melds of dealer` is several piles, and cards go to one",
    ),
    ("move QS to hand of players", "RK501", "players", "`hand of players` is several places"),
    ("move QS to new column", "RK413", "column", "`column` has no slots to claim"),
    ("move QS to new trick", "RK413", "trick", "`trick` has no slots to claim"),
    ("let b = new nowhere", "RK413", "nowhere", "there is no zone `nowhere`"),
    ("deal dealer to hand", "RK504", "dealer", "here stands a player, where a number is needed"),
    ("deal -1 to hand", "RK425", "-1", "`-1` cards cannot be dealt"),
    ("deal 600 to hand", "RK425", "600", "`600` cards cannot be dealt"),
    ("deal 5 to trick from hand", "RK404", "hand", "whose `hand`?"),
    ("deal 5 to nowhere", "RK413", "nowhere", "there is no zone `nowhere`"),
    ("deal 5 to column", "RK413", "column", "`column` is several piles, and cards go to one"),
    (
        "deal 5 to trick starting dealer",
        "RK517",
        "dealer",
        "`starting` says who of several players is dealt to first",
    ),
    (
        "deal 5 to hand starting players",
        "RK501",
        "players",
        "here stands a set of players, where a player is needed",
    ),
    ("deal maybe to hand", "RK506", "maybe", "`maybe` may be none"),
    ("shuffle deck", "RK512", "deck", "`deck` is a set, and only a zone that is a pile is shuffled"),
    (
        "shuffle hand of dealer",
        "RK512",
        "hand of dealer",
        "`hand of dealer` is a set, and only a zone that is a pile is shuffled",
    ),
    (
        "shuffle column of 3",
        "RK512",
        "column of 3",
        "`column of 3` is one of several piles, and only a zone that is a pile is shuffled",
    ),
    ("shuffle deck into nowhere", "RK413", "nowhere", "there is no zone `nowhere`"),
    ("swap n with QS", "RK505", "n", "here stands a number, where cards are needed"),
    ("flip top of stock up", "RK436", "top of stock", "cards in `stock` lie neither up nor down"),
    ("flip n up", "RK505", "n", "here stands a number, where cards are needed"),
    ("reveal 3 to everyone", "RK505", "3", "here stands a number, where cards are needed"),
    ("reveal QS to hand", "RK501", "hand", "here stands a set of cards, where a set of players is needed"),
    ("reveal QS to nobody", "RK417", "nobody", "`nobody` means nothing here"),
    ("do plan", "RK407", "plan", "there is no phase `plan`", "plain"),
    ("do lead", "RK407", "lead", "there is no phase `lead`"),
    ("do round", "RK421", "round", "phase `round` is given no things"),
    ("do round(dealer)", "RK421", "round", "phase `round` is given 1 thing"),
    ("do round(3; 3)", "RK501", "3", "`p` is a number, where a player is needed"),
    ("do plain(3)", "RK421", "plain", "phase `plain` is given 1 thing"),
    ("stop plan", "RK407", "plan", "there is no phase `plan`", "plain"),
    ("stop plain", "RK434", "stop plain", "phase `plain` may not run here"),
    (
        "- ask players: [lead]",
        "RK501",
        "players",
        "`players` is a set of players, and one is asked at a time",
    ),
    ("- ask n: [lead]", "RK501", "n", "here stands a number, where a player is needed"),
    ("- ask dealer: [laed]", "RK406", "laed", "there is no move `laed`", "lead"),
    ("- ask dealer: [plain]", "RK406", "plain", "there is no move `plain`"),
    ("- ask dealer: [lead, lead]", "RK402", "lead", "`lead` stands twice in the list"),
    (
        "- ask dealer for players: [lead]",
        "RK501",
        "players",
        "here stands a set of players, where a player is needed",
    ),
    (
        "- ask dealer: [lead]\n- if answered(laed): [n = 1]",
        "RK406",
        "laed",
        "there is no move `laed`",
        "lead",
    ),
    (
        "- if answered(lead): [n = 1]",
        "RK422",
        "answered(lead)",
        "nothing has been asked in this list of statements",
    ),
    (
        "- ask dealer: [lead]\n- if answered(): [n = 1]",
        "RK421",
        "answered()",
        "`answered` is given no things",
    ),
    (
        "- ask dealer: [lead]\n- if answered: [n = 1]",
        "RK417",
        "answered",
        "`answered` needs something to work on",
    ),
)

#: A line more under phases or moves; code, underlined text, message, suggestion.
PARTS = (
    ("+phases", "again: [do again]", "RK423", "do again", "phase `again` leads to itself again"),
    (
        "+phases",
        "one: [do two]\ntwo: [do one]",
        "RK423",
        "do one",
        "phase `one` leads to itself again, through `two`",
    ),
    (
        "+phases",
        "one(player p; player p): [n = 1]",
        "RK411",
        "p",
        "a local cannot be called `p`: it is already a local here",
    ),
    (
        "+phases",
        "one(player hand): [n = 1]",
        "RK411",
        "hand",
        "a local cannot be called `hand`: it is declared in this file",
    ),
    ("+phases", "one(zone z): [n = 1]", "RK415", "zone", "there is no type `zone` for a parameter"),
    ("+phases", "one: {state: {hand: 0..9}, do: [n = 1]}", "RK402", "hand", "`hand` is declared twice"),
    (
        "+phases",
        "one: {stop when: n, do: [n = 1]}",
        "RK503",
        "n",
        "here stands a number, where a condition is needed",
    ),
    (
        "+phases",
        "one: {stop when: me == dealer, do: [n = 1]}",
        "RK410",
        "me",
        "`me` is read where nobody is asked",
    ),
    ("+phases", "plain(int k): [n = k]", "RK402", "plain", "phase `plain` is declared twice"),
    (
        "+moves",
        "m: {text: x, choose: {x: n}, do: [n = 1]}",
        "RK513",
        "n",
        "here stands a number, where several things are needed",
    ),
    (
        "+moves",
        "m: {text: x, choose: {x: points of hand}, do: [n = 1]}",
        "RK514",
        "points of hand",
        "`points of hand` is numbers, one each: nobody can choose from that",
    ),
    (
        "+moves",
        "m: {text: x, choose: {x: strength of hand}, do: [n = 1]}",
        "RK514",
        "strength of hand",
        "`strength of hand` is keys, one each: nobody can choose from that",
    ),
    (
        "+moves",
        "m: {text: x, choose: {x: empty}, do: [n = 1]}",
        "RK514",
        "x",
        "nobody can tell what `x` is: there is never a choice",
    ),
    (
        "+moves",
        "m: {text: x, choose: {hand: hand}, do: [n = 1]}",
        "RK411",
        "hand",
        "a local cannot be called `hand`: it is declared in this file",
    ),
    (
        "+moves",
        "m: {text: x, choose: {x: [{a: hand}, {b: players}]}, do: [n = 1]}",
        "RK507",
        "players",
        "this entry offers a set of players, an earlier one a card",
    ),
    (
        "+moves",
        "m: {text: x, choose: {x: [{a: hand}, {a: trick}]}, do: [n = 1]}",
        "RK402",
        "a",
        "label `a` stands twice",
    ),
    (
        "+moves",
        "m: {text: x, choose: {card: hand}, do: [card = QS]}",
        "RK414",
        "card",
        "`card` is what a player has chosen and cannot be changed",
    ),
    (
        "+moves",
        "m: {text: x, if: {it is late: n}, do: [n = 1]}",
        "RK503",
        "n",
        "here stands a number, where a condition is needed",
    ),
    (
        "+moves",
        "m: {text: x, do: [n = 1], again: n}",
        "RK503",
        "n",
        "here stands a number, where a condition is needed",
    ),
    ("+moves", "m: {text: x, do: [{ask me: [m]}]}", "RK423", "ask me", "move `m` leads to itself again"),
)


@pytest.mark.parametrize("broken", statements(STATEMENTS), ids=str)
def test_a_statement_that_cannot_be_carried_out_is_refused(broken: Broken) -> None:
    broken.verify()


@pytest.mark.parametrize("row", PARTS, ids=lambda row: f"{row[2]}-{row[1]}"[:60])
def test_a_phase_or_move_that_cannot_be_is_refused(row: tuple[str, ...]) -> None:
    part, text, *rest = row
    Broken(part[1:], also(part[1:], text), *rest).verify()


def test_state_of_a_phase_is_not_read_where_the_phase_does_not_run() -> None:
    phases = also("phases", "one: {state: {there: 0..9}, do: [n = there, do two]}", "two: [n = there]")
    assert program(phases=phases, play="[do one]")
    after = "`there` is state of phase `one`, which may not run here"
    Broken("play", "[do one, n = there]", "RK437", "there", after).verify(phases=phases)
    Broken("play", "[do one, do two]", "RK437", "there", after).verify(phases=phases)
    reads = {"define": "\nit_is_late: there > 3\n", "play": "[do one, if it_is_late: [n = 1]]"}
    reads["play"] = "\n- do one\n- if it_is_late: [n = 1]\n"
    _, found = check(game(phases=phases, **reads))
    assert [(d.code, d.span and d.span.text) for d in found] == [("RK437", "it_is_late")]
    Broken("end", "{ranking: highest score then there}", "RK437", "there", after).verify(
        phases=phases, play="[do one]"
    )


def test_a_move_asked_in_a_phase_may_read_its_state() -> None:
    phases = also("phases", "one: {state: {there: 0..9}, do: [{ask dealer: [m]}]}")
    moves = also("moves", "m: {text: x, if: {a: there > 0}, do: [there += 1]}")
    assert program(phases=phases, moves=moves, play="[do one]").state["there"].scope == "one"
    _, found = check(game(phases=phases, moves=moves, play="[do one, {ask dealer: [m]}]"))
    assert {d.code for d in found} == {"RK437"}


def test_a_phase_may_be_stopped_wherever_it_surely_runs() -> None:
    phases = also("phases", "one: [do two]", "two: [stop one]")
    assert program(phases=phases, play="[do one]")
    message = "phase `one` may not run here"
    Broken("play", "[do one, do two]", "RK434", "stop one", message).verify(phases=phases)


def test_end_09_a_move_cannot_end_a_phase_nor_run_one_that_may_end_in_the_middle() -> None:
    phases = also("phases", "one: [{ask dealer: [m]}]", "early: {stop when: n > 3, do: [n += 1]}")
    for body, code in (("stop one", "RK434"), ("do early", "RK435"), ("do one", "RK423")):
        moves = also("moves", f"m: {{text: x, do: [{body}]}}")
        _, found = check(game(phases=phases, moves=moves, play="[do one]"))
        assert [(d.code, d.span and d.span.text) for d in found] == [(code, body)]


def test_end_09_whose_turn_it_is_next_is_assigned_once_and_read_once() -> None:
    turns = "- turns: {leader: dealer, moves: [skip], end: flag}"
    made = program(
        play=f"\n{turns}\n", moves=also("moves", "skip: {text: x, do: [up_next = onward(up_next)]}")
    )
    loop = made.play[-1]
    assert isinstance(loop, st.Until)
    written = [x.place for x in loop.body if isinstance(x, st.Assign)]
    assert written == [st.StatePlace("up_next"), st.StatePlace("turn")]
    assert made.moves["skip"].body == (
        st.Assign(
            st.StatePlace("up_next"),
            "=",
            e.CallDefine("onward", (e.StateOf("up_next", type=t.PLAYER),), type=t.PLAYER),
        ),
    )


# ------------------------------------------------------------ what statements become


def test_cards_may_go_to_one_place_or_another() -> None:
    (move,) = program(play="\n- move QS to if flag then trick else bottom of stock\n").play
    assert isinstance(move, st.Move)
    flag = e.StateOf("flag", type=t.BOOL)
    assert move.to == st.EitherPlace(flag, st.ZonePlace("trick"), st.ZonePlace("stock", bottom=True))


def test_a_pile_by_its_number_its_value_or_its_card_is_a_place() -> None:
    made = program(
        play="[move QS to column of 3, move QS to place, move QS to pile of KS, move QS to trick]"
    ).play
    assert [type(x.to).__name__ for x in made if isinstance(x, st.Move)] == [
        "PilePlace",
        "PilePlace",
        "PilePlace",
        "ZonePlace",
    ]


def test_a_deal_goes_to_one_or_round_the_table_from_the_left_of_the_dealer() -> None:
    dealer = e.StateOf("dealer", type=t.PLAYER)
    left = e.Seat("left", dealer, type=t.PLAYER)
    everybody = e.Players(type=t.PLAYERS)
    made = program(
        play="[deal 2 to hand, deal 2 to hand of dealer, deal 1 to hand of who, deal all to trick, "
        "deal 1 to hand from trick starting dealer, deal 3 to column of 2]"
    ).play
    deals = [x for x in made if isinstance(x, st.Deal)]
    assert [deal.players for deal in deals] == [
        e.Rounds(everybody, left, type=t.PLAYERS),
        None,
        e.Rounds(e.StateOf("who", type=t.PLAYERS), left, type=t.PLAYERS),
        None,
        e.Rounds(everybody, dealer, type=t.PLAYERS),
        None,
    ]
    assert [deal.source for deal in deals][4] == st.ZonePlace("trick")
    assert deals[1].to == st.ZonePlace("hand", dealer)
    assert deals[3].count is None
    assert isinstance(deals[5].to, st.PilePlace)


def test_without_a_dealer_the_first_seat_is_dealt_to_first() -> None:
    (deal,) = program(
        state=also("state").replace("dealer: player", "lead_seat: player"), play="[deal 2 to hand]"
    ).play
    assert isinstance(deal, st.Deal)
    assert deal.players == e.Players(type=t.PLAYERS)


def test_in_a_move_the_hand_dealt_to_is_still_everybodys() -> None:
    made = program(moves="{m: {text: x, do: [deal 1 to hand, deal 1 to hand of me]}}").moves["m"].body
    assert [isinstance(x, st.Deal) and x.players is not None for x in made] == [True, False]


def test_asks_name_who_decides_and_for_whom() -> None:
    made = program(
        play="\n- ask dealer: [lead, leave]\n- ask dealer for left of dealer: [lead]\n"
        "- ask who together: [leave]\n"
    ).play
    asks = [x for x in made if isinstance(x, st.Ask)]
    assert [(x.moves, x.whom is not None, x.together) for x in asks] == [
        (("lead", "leave"), False, False),
        (("lead",), True, False),
        (("leave",), False, True),
    ]


def test_answered_looks_at_the_last_ask_of_its_own_list() -> None:
    made = program(play="\n- ask dealer: [lead, leave]\n- if answered(leave): [n = 1]\n").play
    cell, ask, test = made
    assert isinstance(cell, st.Assign)
    assert isinstance(ask, st.Ask)
    assert isinstance(test, st.If)
    assert isinstance(cell.place, st.LocalPlace)
    assert ask.answers == (cell.place.number,)
    assert test.branches[0][0] == e.Answered(cell.place.number, ("leave",), type=t.BOOL)


def test_answered_hears_of_asks_in_lists_inside_its_own() -> None:
    inside = "\n- if flag: [{ask dealer: [lead, leave]}]\n- if answered(leave; lead): [n = 1]\n"
    assert program(play=inside)
    _, found = check(game(play="\n- if answered(leave): [n = 1]\n- ask dealer: [lead, leave]\n"))
    assert [d.code for d in found] == ["RK422"]


def test_a_let_may_be_assigned_again_and_is_seen_below_it() -> None:
    made = program(play="\n- let x = n\n- if flag: [x += 1]\n- n = x\n").play
    assert isinstance(made[0], st.Assign)
    assert isinstance(made[0].place, st.LocalPlace)
    assert isinstance(made[2], st.Assign)
    assert made[2].value == e.Local(made[0].place.number, type=t.Int())


def test_a_slot_is_claimed_and_filled() -> None:
    made = program(
        play="[let meld = new melds of dealer, move QS to meld, move KS to new melds of dealer]"
    ).play
    dealer = e.StateOf("dealer", type=t.PLAYER)
    assert isinstance(made[0], st.Claim)
    assert (made[0].zone, made[0].index) == ("melds", dealer)
    assert isinstance(made[2], st.Move)
    assert made[2].to == st.ZonePlace("melds", dealer, new=True)
    mine = (
        program(moves="{m: {text: x, choose: {card: hand}, do: [move card to new melds]}}").moves["m"].body[0]
    )
    assert isinstance(mine, st.Move)
    assert mine.to == st.ZonePlace("melds", e.Me(type=t.PLAYER), new=True)


def test_a_field_of_a_pile_is_assigned_like_state() -> None:
    made = program(play="[total of column of 3 = 4, total of column of 3 += 1]").play
    assert all(isinstance(x, st.Assign) and isinstance(x.place, st.FieldPlace) for x in made)


def test_chance_is_the_whole_right_side() -> None:
    made = program(
        play="[n = random(1..6), trump = random(suits), let x = random(players), word = random(word)]"
    ).play
    assert all(isinstance(x, st.Assign) and isinstance(x.value, e.Random) for x in made)


def test_what_is_shown_holds_until_it_may_have_changed() -> None:
    assert program(
        play="\n- if maybe != none:\n    - n = maybe + 1\n    - n = maybe + 2\n    - maybe = none\n"
    )
    assert program(play="\n- if maybe == none: [n = 0]\n  else: [n = maybe + 1]\n")
    assert program(play="\n- until maybe == none: [n = maybe + 1, maybe = none]\n")
    assert program(play="\n- if maybe != none:\n    - for p in players: [n = maybe + 1]\n")
    assert program(play="\n- let x = maybe\n- if x != none:\n    - ask dealer: [leave]\n    - n = x + 1\n")
    changed = "\n- if any(trick):\n    - move trick to stock\n    - n = number of top of trick + 1\n"
    _, found = check(game(play=changed))
    assert [d.code for d in found] == ["RK506"]


def test_a_phase_starts_its_state_in_order_and_may_read_its_parameters() -> None:
    made = program(play="[do round(dealer; 3)]")
    round_ = made.phases["round"]
    assert round_.state == ("here", "mine")
    start = made.state["here"].start
    assert isinstance(start, e.Local)
    assert start.number == round_.parameters[1]
    assert made.play == (st.Call("round", (e.StateOf("dealer", type=t.PLAYER), e.Constant(3, type=t.Int()))),)


def test_numbers_of_a_list_start_at_the_one_nearest_to_nothing() -> None:
    made = program(state=also("state", "step: -3 | 2 | 7"), options=also("options", "pace: -5 | 4"))
    assert made.state["step"].start == e.Constant(2, type=t.Int())
    assert made.options["pace"].start == 4


def test_entries_of_a_choice_keep_their_labels_and_agree_in_kind() -> None:
    made = program(moves="{m: {text: x, choose: {card: [{first: hand where wild}, {rest: hand}]}, do: []}}")
    choice = made.moves["m"].choices[0]
    assert [entry.label for entry in choice.entries] == ["first", "rest"]
    assert str(choice.type) == "a card"


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        ("hand", "a card"),
        ("2 from hand", "a set of cards"),
        ("0.. from hand", "a set of cards"),
        ("players - me", "a player"),
        ("suits", "a suit"),
        ("ranks where it > 9", "a rank"),
        ("word", "a word of `word`"),
        ("bool", "a condition"),
        ("1..n", "a number"),
        ("column where total > 3", "a pile"),
        ("dealer", "a player"),
        ("QS KS", "a card"),
    ],
)
def test_what_can_be_chosen(domain: str, expected: str) -> None:
    made = program(moves=f"{{m: {{text: x, choose: {{value: {domain}}}, do: []}}}}")
    assert str(made.moves["m"].choices[0].type) == expected


def test_a_condition_knows_which_choices_it_reads() -> None:
    made = program(
        moves="{m: {text: x, choose: {card: hand, other_card: hand - card}, if: {early: n > 0, "
        "apart: rank of card != rank of other_card, one: wild of card}, do: []}}"
    )
    move = made.moves["m"]
    first, second = (choice.local for choice in move.choices)
    assert [condition.reads for condition in move.conditions] == [(), (first, second), (first,)]


def test_fifty_parameters_are_as_good_as_one() -> None:
    names = "; ".join(f"int p{i}" for i in range(50))
    given = "; ".join("1" * 50)
    made = program(phases=f"\nmany({names}): [n = p49 at most 9]\n", play=f"[do many({given})]")
    assert len(made.phases["many"].parameters) == 50


def test_a_hundred_branches_and_lists_as_deep_as_yaml_allows() -> None:
    branches = "- if n == 0: [n = 1]\n" + "\n".join(f"  else if n == {i}: [n = 1]" for i in range(1, 100))
    assert program(play=f"\n{branches}\n")
    for depth, fits in ((12, True), (200, False)):
        nested = "\n".join("  " * i + "- if flag:" for i in range(depth)) + "\n" + "  " * depth + "- n = 1"
        made, found = check(game(play=f"\n{nested}\n"))
        assert (made is not None) is fits
        assert {d.code for d in found} <= {"RK123"}


def test_a_misspelt_else_is_told() -> None:
    _, found = check(game(play="\n- if flag: [n = 1]\n  esle: [n = 2]\n"))
    assert [(d.code, d.span and d.span.text, d.suggestion) for d in found] == [("RK205", "esle", "else")]
