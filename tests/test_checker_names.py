"""Names: what is declared, what a name means where it stands, and what is said if it means nothing."""

from __future__ import annotations

import pytest
from checking import Broken, also, check, expressions, game, kind, nodes, program, typed

import rulekit
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program import types as t

# ------------------------------------------------------------ faults

#: An expression; code, underlined text, message, suggestion.
EXPRESSIONS = (
    ("xyz", "RK401", "xyz", "nothing is called `xyz` here"),
    ("scoer of dealer", "RK401", "scoer", "nothing is called `scoer` here", "score"),
    ("diamond", "RK401", "diamond", "nothing is called `diamond` here", "diamonds"),
    ("hand of dealr", "RK401", "dealr", "nothing is called `dealr` here", "dealer"),
    ("count(hnd of dealer)", "RK401", "hnd", "nothing is called `hnd` here", "hand"),
    ("lead", "RK401", "lead", "`lead` is a move, and no value", "led"),
    ("plain", "RK401", "plain", "`plain` is a phase, and no value"),
    ("player", "RK404", "player", "whose `player`?"),
    ("f(3)", "RK401", "f", "there is no function `f`"),
    ("hand(dealer)", "RK401", "hand", "there is no function `hand`"),
    ("n(3)", "RK401", "n", "there is no function `n`"),
    ("rank(best_card)", "RK401", "rank", "there is no function `rank`"),
    ("cuont(deck)", "RK401", "cuont", "there is no function `cuont`", "count"),
    ("points", "RK404", "points", "whose `points`?"),
    ("total", "RK404", "total", "whose `total`?"),
    ("rank of rank", "RK404", "rank", "whose `rank`?"),
    ("suit == hearts", "RK404", "suit", "whose `suit`?"),
    ("players where rank == A", "RK404", "rank", "whose `rank`?"),
    ("it", "RK409", "it", "`it` means nothing here"),
    ("everyone", "RK417", "everyone", "`everyone` means nothing here"),
    ("nobody", "RK417", "nobody", "`nobody` means nothing here"),
    ("all", "RK417", "all", "`all` means nothing here"),
    ("count", "RK417", "count", "`count` needs something to work on"),
    ("top", "RK417", "top", "`top` needs something to look at"),
    ("count of deck", "RK417", "count", "`count` looks at what stands in parentheses"),
    ("n of dealer", "RK418", "n", "`n` is one thing, not one of each"),
    ("stock of dealer", "RK418", "stock", "`stock` is one thing, not one of each"),
    ("team of dealer", "RK419", "team", "this game has no teams"),
    ("partner of dealer", "RK419", "partner", "this game has no teams"),
    ("teams", "RK419", "teams", "this game has no teams"),
    ("QX", "RK408", "QX", "the pack has no `QX`"),
    ("1H", "RK408", "1H", "the pack has no `1H`", "10H"),
    ("JOKER", "RK408", "JOKER", "the pack has no `JOKER`"),
    ("QS QX", "RK408", "QX", "the pack has no `QX`"),
    ("rank of best_card == 99", "RK408", "99", "the pack has no `99`", "9"),
    ("count()", "RK421", "count()", "`count` is given no things"),
    ("count(deck; deck)", "RK421", "count(deck; deck)", "`count` is given 2 things"),
    ("min(n; 3)", "RK421", "min(n; 3)", "`min` is given 2 things"),
    ("max(n; 3)", "RK421", "max(n; 3)", "`max` is given 2 things"),
    ("answered(lead)", "RK422", "answered(lead)", "nothing has been asked in this list of statements"),
    ("word == c_word", "RK405", "c_word", "`c_word` is not a word of `word`", "b_word"),
    ("opt == y_wrd", "RK405", "y_wrd", "`y_wrd` is not a word of `opt`", "y_word"),
)

#: A part of the file (`+` adds a line to the usual one); code, underlined text, message, suggestion.
DECLARATIONS = (
    ("+state", "hand: bool", "RK402", "hand", "`hand` is declared twice"),
    (
        "+state",
        "deck: bool",
        "RK403",
        "deck",
        "a state variable cannot be called `deck`, a word of the language",
    ),
    (
        "+state",
        "hearts: bool",
        "RK403",
        "hearts",
        "a state variable cannot be called `hearts`, the name of a suit",
    ),
    (
        "+zones",
        "box: pile seen by nobody",
        "RK403",
        "box",
        "a zone cannot be called `box`, the zone where all cards start",
    ),
    (
        "define",
        "{double(player p; player p): n}",
        "RK411",
        "p",
        "a local cannot be called `p`: it is already a local here",
    ),
    (
        "define",
        "{double(player hand): n}",
        "RK411",
        "hand",
        "a local cannot be called `hand`: it is declared in this file",
    ),
    (
        "define",
        "{double(player me): n}",
        "RK411",
        "me",
        "a local cannot be called `me`: it is a word of the language",
    ),
    (
        "define",
        "{double(player hearts): n}",
        "RK411",
        "hearts",
        "a local cannot be called `hearts`: it is a suit",
    ),
    (
        "define",
        "{double(plyer p): n}",
        "RK415",
        "plyer",
        "there is no type `plyer` for a parameter",
        "player",
    ),
    ("define", "{double(zone z): n}", "RK415", "zone", "there is no type `zone` for a parameter"),
    ("define", "{half: n, half(player p): n}", "RK402", "half", "`half` is declared twice"),
    ("define", "{one: two, two: one}", "RK423", "two", "`two` is defined by itself, through `one`"),
    ("define", "{one: one}", "RK423", "one", "`one` is defined by itself"),
    ("define", '{"one(int k)": "one(k - 1)"}', "RK423", "one(k - 1)", "`one` is defined by itself"),
    (
        "card",
        "{points: points, strength: rank, wild: rank == 8}",
        "RK423",
        "points",
        "`points` is defined by itself",
    ),
    (
        "card",
        "{points: strength, strength: points, wild: rank == 8}",
        "RK423",
        "strength",
        "`strength` is defined by itself, through `points`",
    ),
    (
        "card",
        "{points: me, strength: rank, wild: rank == 8}",
        "RK410",
        "me",
        "`me` is read where nobody is asked",
    ),
    ("card", "{points: score, strength: rank, wild: rank == 8}", "RK404", "score", "whose `score`?"),
    (
        "words",
        "{strain: clubs notrump clubs}",
        "RK402",
        "clubs",
        "`clubs` stands twice among the words of `strain`",
    ),
    (
        "words",
        "{strain: hand notrump}",
        "RK402",
        "hand",
        "`hand`, a word of `strain`, is also declared as a name",
    ),
    ("words", "{strain: Big small}", "RK424", "Big", "`Big` cannot be a word"),
    (
        "words",
        "{strain: none some}",
        "RK403",
        "none",
        "a word cannot be called `none`, a word of the language",
    ),
    (
        "words",
        "{strain: left rite}",
        "RK403",
        "left",
        "a word cannot be called `left`, a word of the language",
    ),
    (
        "words",
        "{other: a b}",
        "RK403",
        "other",
        "a word type cannot be called `other`, a word of the language",
    ),
    ("orders", "{row: A 2 X}", "RK408", "X", "the pack has no rank `X`"),
    ("orders", "{row: A 2 2 3}", "RK402", "2", "`2` stands twice in the order"),
    ("orders", "{rank: A 2}", "RK403", "rank", "an order cannot be called `rank`, a word of the language"),
    ("deck", "piquet", "RK424", "piquet", "no deck is called `piquet`"),
    ("deck", "{ranks: A A K, suits: clubs hearts}", "RK402", "A", "rank `A` stands twice in the pack"),
    ("deck", "{ranks: a B, suits: clubs hearts}", "RK424", "a", "`a` cannot be a rank"),
    ("deck", "{ranks: 2..9 J, suits: clubs}", "RK424", "2..9", "`2..9` cannot be a rank"),
    ("deck", "{ranks: A P1, suits: clubs}", "RK424", "P1", "`P1` cannot be a rank: in examples it is a seat"),
    ("deck", "{ranks: A K, suits: coins}", "RK424", "coins", "suit `coins` has no letter"),
    (
        "deck",
        "{ranks: A K, suits: {coins: C, cups: C}}",
        "RK402",
        "cups",
        "letter `C` stands twice in the pack",
    ),
    (
        "deck",
        "{ranks: A K, suits: hearts hearts}",
        "RK402",
        "hearts",
        "suit `hearts` stands twice in the pack",
    ),
    ("deck", "{ranks: A AC, suits: clubs}", "RK424", "AC", "`AC` is also the `A` of clubs"),
    ("deck", "{ranks: A K, suits: clubs, extra: K}", "RK424", "K", "`K` is a rank of the pack already"),
    ("deck", "{ranks: A K, suits: clubs, extra: AC}", "RK424", "AC", "`AC` is a card of the pack already"),
    (
        "deck",
        "{ranks: A K, suits: clubs, extra: joker}",
        "RK424",
        "joker",
        "`joker` cannot be the name of a card",
    ),
    (
        "deck",
        "{ranks: A K, suits: {player: P, cups: C}}",
        "RK403",
        "player",
        "a suit cannot be called `player`, a word of the language",
    ),
    ("deck", "{ranks: A K, suits: clubs, copies: 0}", "RK425", "0", "the number of copies is 0"),
    ("deck", "{ranks: A K, suits: clubs, copies: 600}", "RK425", "600", "the pack may have 1,200 cards"),
    (
        "deck",
        "{ranks: A K, suits: clubs, copies: count(stock)}",
        "RK430",
        "count(stock)",
        "the pack cannot depend on `count(stock)`",
    ),
    (
        "deck",
        "{ranks: A K, suits: clubs hearts, without: hearts}",
        "RK505",
        "hearts",
        "`hearts` does not say which cards",
    ),
    ("deck", "{ranks: A K 3, suits: clubs, without: 3 4}", "RK408", "4", "the pack has no `4`"),
    ("players", "11", "RK425", "11", "`11` players"),
    ("players", "5..3", "RK425", "5..3", "`5..3` players"),
    ("requires", "count(stock) > 3", "RK430", "count(stock)", "`requires` cannot depend on `count(stock)`"),
    ("requires", "num", "RK503", "num", "here stands a number, where a condition is needed"),
    ("+options", "o: player", "RK427", "player", "an option cannot be a player"),
    ("+options", "o: 0..9 per player", "RK427", "player", "an option cannot be `per player`"),
    ("+options", "o: 0..9 seen by nobody", "RK427", "nobody", "an option cannot be `seen by nobody`"),
    ("+options", "o: 0..9 = 12", "RK425", "12", "`12` is out of range"),
    ("+options", "o: 3 | 5 = 4", "RK425", "4", "`4` is out of range"),
    ("+options", "o: 0..9 = 2 + 3", "RK427", "2 + 3", "`2 + 3` is not a fixed value"),
    ("+options", "o: bool = yes", "RK401", "yes", "nothing is called `yes` here", "true"),
    ("+options", "o: up | down = upp", "RK405", "upp", "`upp` is not a word of `o`", "up"),
    ("end", "{ranking: highest count(stock)}", "RK432", "count(stock)", "`count(stock)` is the same for all"),
    ("end", "{ranking: highest 3}", "RK432", "3", "`3` is the same for all"),
    ("end", "{ranking: highest me}", "RK410", "me", "`me` is read where nobody is asked"),
    ("end", "{ranking: highest scoer}", "RK401", "scoer", "nothing is called `scoer` here", "score"),
    (
        "end",
        "{ranking: highest score then here}",
        "RK437",
        "here",
        "`here` is state of phase `round`, which may not run here",
    ),
)

#: A pack without tens needs facts that do not speak of tens.
ANY_PACK = "{points: 1, strength: rank, wild: true}"


@pytest.mark.parametrize("broken", expressions(EXPRESSIONS), ids=str)
def test_a_name_that_cannot_stand_there_is_told_by_itself(broken: Broken) -> None:
    broken.verify()


@pytest.mark.parametrize("row", DECLARATIONS, ids=lambda row: f"{row[2]}-{row[1]}"[:60])
def test_a_declaration_is_blamed_at_the_word_that_is_wrong(row: tuple[str, ...]) -> None:
    part, text, *rest = row
    broken = Broken(part[1:], also(part[1:], text), *rest) if part[0] == "+" else Broken(part, text, *rest)
    broken.verify(**({"card": ANY_PACK} if part == "deck" else {}))


def test_partners_are_for_teams_of_two() -> None:
    Broken(
        "define", "\nvalue: partner of dealer\n", "RK420", "partner", "`partner` is for teams of two"
    ).verify(players="6", teams="2")
    assert kind("partner of dealer", players="6", teams="across") == "a player"
    assert kind("partner of dealer", players="4", teams="2") == "a player"


def test_an_opponent_is_for_two_players() -> None:
    row = ("opponent of dealer", "RK420", "opponent", "`opponent` is for games of two players")
    expressions([row])[0].verify(players="3")
    assert kind("opponent of dealer") == "a player"


@pytest.mark.parametrize(
    ("players", "teams", "underlined"),
    [("3", "across", "across"), ("2", "across", "across"), ("4..5", "2", "2"), ("4", "3", "3")],
)
def test_teams_must_be_of_one_size(players: str, teams: str, underlined: str) -> None:
    _, found = check(game(players=players, teams=teams))
    assert [(d.code, d.span and d.span.text) for d in found] == [("RK425", underlined)]


def test_a_word_of_several_types_needs_one_of_them_beside_it() -> None:
    both = also("options", "one: high | low", "two: high | low")
    row = ("low", "RK416", "low", "`low` is a word of `one` and of `two`")
    expressions([row])[0].verify(options=both)
    assert kind("one == low and low == two", options=both) == "a condition"


def test_a_slip_in_a_declaration_is_one_finding_however_often_the_name_is_used() -> None:
    state = also("state", "bids: 0..9 per plyer")
    _, found = check(
        game(state=state, play="[bids of dealer = 3, n = bids of dealer, n = count(bids of players)]")
    )
    assert [d.code for d in found] == ["RK415"]


def test_a_pack_that_cannot_be_read_is_one_finding_however_often_its_cards_are_used() -> None:
    _, found = check(game(deck="{ranks: A K Q J ten, suits: clubs hearts}"))
    assert [(d.code, d.span and d.span.text) for d in found] == [("RK424", "ten")]


def test_all_of_many_wrong_names_are_told_and_the_first_hundreds_with_the_nearest() -> None:
    """A file of thousands of faults takes a time that grows with it, no faster."""
    wrong = [f"scoer{number}" for number in range(2500)]
    _, found = check(game(play=f"[{', '.join(f'n = {name}' for name in wrong)}]"))
    assert [d.span and d.span.text for d in found] == wrong
    assert found[0].suggestion == "score"
    assert found[-1].suggestion is None


def test_a_circle_is_told_once() -> None:
    _, found = check(game(define="\none: two + two\ntwo: one * one\nthree: one + two\n"))
    assert [d.code for d in found] == ["RK423"]


def test_the_two_places_of_a_name_declared_twice_are_shown_in_the_order_of_the_file() -> None:
    _, found = check(game(options=also("options", "trick: bool")))
    assert [(d.code, d.span and d.span.line, d.notes[0].span.line) for d in found] == [("RK402", 18, 9)]


# ------------------------------------------------------------ whose?


def test_in_a_condition_a_bare_name_is_the_elements() -> None:
    found = typed("players where count(hand) > score")
    assert isinstance(found, e.Filter)
    it = e.Local(found.local, type=t.PLAYER)
    assert nodes(found, e.ZoneCards) == [e.ZoneCards("hand", it, type=t.CARDS)]
    assert nodes(found, e.StateOf) == [e.StateOf("score", it, type=t.Int())]


def test_the_nearest_element_that_has_it_counts() -> None:
    found = typed("players where any(hand where suit == trump)")
    assert isinstance(found, e.Filter)
    hand, suit = nodes(found, e.ZoneCards)[0], nodes(found, e.CardFact)[0]
    assert isinstance(hand, e.ZoneCards)
    assert hand.index == e.Local(found.local, type=t.PLAYER)  # the card has no hand: the player's is meant
    assert isinstance(suit, e.CardFact)
    assert suit.card != hand.index


def test_in_a_move_a_bare_name_is_that_of_the_player_asked() -> None:
    made = program(moves="{m: {text: x, choose: {card: hand}, do: [score += 1]}}")
    move = made.moves["m"]
    assert move.choices[0].entries[0].domain == e.ZoneCards("hand", e.Me(type=t.PLAYER), type=t.CARDS)
    assert isinstance(move.body[0], st.Assign)
    assert move.body[0].place == st.StatePlace("score", e.Me(type=t.PLAYER))


def test_in_the_flow_a_zone_per_player_is_everybodys() -> None:
    made = program(play="[move hand to trick]")
    assert made.play == (st.Move(e.FamilyCards("hand", type=t.CARDS), st.ZonePlace("trick")),)


def test_with_one_player_he_is_meant_everywhere() -> None:
    made = program(
        players="1", play="[score = 3, move QS to hand]", moves="", phases="", define="\ntwice: score * 2\n"
    )
    assert isinstance(made.play[0], st.Assign)
    assert made.play[0].place == st.StatePlace("score", e.Me(type=t.PLAYER))
    assert not made.defines["twice"].reads_me


def test_a_define_that_reads_me_is_for_moves_and_may_not_be_used_in_the_flow() -> None:
    made = program(
        define="\nleft_over: count(hand)\n", moves="{m: {text: x, if: {a: left_over > 0}, do: [n = 1]}}"
    )
    assert made.defines["left_over"].reads_me
    _, found = check(game(define="\nleft_over: count(hand)\n", play="[n = left_over]"))
    assert [(d.code, d.message) for d in found] == [
        ("RK410", "`left_over` is about the player asked, and nobody is asked here")
    ]


def test_a_phase_that_only_moves_call_may_read_me() -> None:
    phases, moves = also("phases", "draw: [n = score]"), also("moves", "m: {text: x, do: [do draw]}")
    assert program(phases=phases, moves=moves, play="[{ask dealer: [m]}]").phases["draw"].reads_me
    _, found = check(game(phases=phases, moves=moves, play="[{ask dealer: [m]}, do draw]"))
    assert [d.code for d in found] == ["RK404"]


def test_a_field_is_the_piles() -> None:
    found = typed("column where total > 3")
    assert [x.field for x in nodes(found, e.PileField) if isinstance(x, e.PileField)] == ["total"]


def test_an_outer_element_is_reached_through_a_define() -> None:
    found = typed("lowest(suits by holding(it))", define="holding(suit s): count(deck where suit == s)")
    assert len(nodes(found, e.CallDefine)) == 1
    _, faults = check(game(define='\nvalue: "lowest(suits by count(deck where suit == it))"\n'))
    assert faults[0].help == "`it` is a card here: hand the outer one to a define"


def test_a_team_is_found_through_its_player() -> None:
    teams = {"players": "4", "teams": "across", "state": also("state", "bid: 0..9 per team")}
    found = typed("players where bid > 3", **teams)
    assert isinstance(found, e.Filter)
    assert nodes(found, e.TeamOf) == [e.TeamOf(e.Local(found.local, type=t.PLAYER), type=t.TEAM)]


# ------------------------------------------------------------ words


def test_a_word_is_of_the_type_on_the_other_side() -> None:
    for text in ("word == b_word", "b_word == word"):
        found = typed(text)
        assert isinstance(found, e.Same)
        assert {str(found.left.type), str(found.right.type)} == {"a word of `word`"}


def test_a_word_may_belong_to_several_types_and_suits_may_be_words() -> None:
    found = program(
        words="{strain: clubs hearts notrump}",
        state=also("state", "called: strain", "bid: pass_word | clubs"),
        define="\none: called == clubs\ntwo: trump == clubs\nthree: bid == clubs\n",
    ).defines
    kinds = [
        [str(x.type) for x in nodes(define.body, e.Constant)]
        for define in (found["one"], found["two"], found["three"])
    ]
    assert kinds == [["a word of `strain`"], ["a suit"], ["a word of `bid`"]]


def test_the_name_of_a_word_type_is_the_set_of_its_words_in_order() -> None:
    found = typed("strain where it > hearts", words="{strain: clubs hearts notrump}")
    assert isinstance(found, e.Filter)
    assert found.domain == e.Constant((0, 1, 2), type=t.SetOf(t.Word("strain")))


def test_ten_may_be_written_with_a_t_unless_that_is_a_rank() -> None:
    assert typed("TH == 10H") == typed("10H == 10H")
    assert (
        kind("T", deck="{ranks: 9 T 10, suits: clubs}", card="{points: 1, strength: rank, wild: true}")
        == "a rank"
    )


def test_a_number_is_a_rank_where_a_rank_is_expected() -> None:
    assert kind("8") == "a number"
    assert kind("8 9") == "a set of ranks"
    found = typed("rank of best_card == 8")
    assert str(nodes(found, e.Constant)[0].type) == "a rank"


# ------------------------------------------------------------ name spaces


def test_moves_and_phases_have_name_spaces_of_their_own() -> None:
    made = program(
        phases=also("phases", "hand: [n = 1]", "count: [n = 1]"),
        moves=also("moves", "stock: {text: x, do: [do hand]}", "score: {text: x, do: [do count]}"),
        play="[{ask dealer: [stock, score]}]",
    )
    assert set(made.phases) > {"hand", "count"}


@pytest.mark.parametrize("name", ["card", "cards", "pile", "player"])
def test_these_locals_hide_the_fact_of_their_name(name: str) -> None:
    choices = {"card": "hand", "cards": "2 from hand", "pile": "column", "player": "players"}
    made = program(moves=f"{{m: {{text: x, choose: {{{name}: {choices[name]}}}, do: [let kept = {name}]}}}}")
    assign = made.moves["m"].body[0]
    assert isinstance(assign, st.Assign)
    assert assign.value == e.Local(made.moves["m"].choices[0].local, type=assign.value.type)


def test_a_local_ends_with_its_list_and_may_then_be_used_again() -> None:
    made = program(play="\n- for p in players: [let x = score of p]\n- for p in suits: [let x = p]\n")
    assert len(made.play) == 2


def test_what_a_block_brings_may_be_read_once_the_block_is_used() -> None:
    offer = "- offer players: [leave]\n"
    assert (
        program(play=f"\n{offer}- if accepted != none: [dealer = accepted]\n").state["accepted"].block
        == "offer"
    )
    _, found = check(game(play="[dealer = accepted]"))
    assert [d.code for d in found] == ["RK401"]


@pytest.mark.parametrize(
    ("state", "wrong"),
    [("stakee: 0..9\n  stakes: 0..9", "stakee"), ("stakes: 0..9\n  sqake: 0..9", "sqake")],
)
def test_of_two_near_names_the_one_that_nothing_mentions_is_suggested(state: str, wrong: str) -> None:
    _, found = check(game(state=also("state", *state.split("\n  ")), play="[n = stake, n = stakes]"))
    assert [(d.code, d.suggestion) for d in found] == [("RK401", wrong)]


def test_names_of_patterns_are_suggested_where_they_may_stand() -> None:
    trio = "\ntrio: 3 cards same rank"
    for line, told in (
        ("n = count(troi(hand of dealer))", ("RK401", "troi", "trio")),
        ("if hand of dealer is tiro: [n = 1]", ("RK450", "tiro", "trio")),
    ):
        _, found = check(game(patterns=trio, play=f"\n- {line}\n"))
        assert [(d.code, d.span and d.span.text, d.suggestion) for d in found] == [told]


def test_what_is_said_of_something_unknown_is_said_once() -> None:
    _, found = check(game(play="[n = count(haand where rank == A and points > 0)]"))
    assert [(d.code, d.suggestion) for d in found] == [("RK401", "hand")]


LOCALS = """
rulekit: "1"
name: a-game
title: A Game
players: 2
deck: standard
zones: {stock: pile seen by nobody, hand: set per player seen by owner}
state: {score: 0..99 per player}
define: {twice(int n): 2 * n, other_one: OTHER}
play: [shuffle deck into stock, do deal_out(3)]
phases:
  deal_out(int size):
    - let half = size // 2
    - deal size to hand
    - ask lowest(players by 0): [pick]
moves:
  pick: {text: Pick one., choose: {card: hand, many: MANY}, do: [score of me = half at most 9]}
end: {ranking: highest score}
"""


def test_a_name_that_is_known_elsewhere_is_told_with_its_home() -> None:
    found = rulekit.validate(LOCALS.replace("OTHER", "many + n").replace("MANY", "0..size"))
    told = {one.span.text: one for one in found if one.code == "RK401" and one.span is not None}
    assert set(told) == {"many", "n", "size", "half"}
    assert "a choice of the move `pick`" in str(told["many"].help)
    assert "a parameter of `twice`" in str(told["n"].help)
    assert "the parameter `size` is known in the phase `deal_out` alone" in str(told["size"].help)
    assert "a local of a list of the phase `deal_out`" in str(told["half"].help)
    assert [note.span.line for note in told["size"].notes if note.span] == [12]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("OTHER", "1"),
        ("let half = size // 2", "for p in players where p != lowest(players by 0): [score of p = 1]"),
        ("card: hand,", "card: hand where suit of card == hearts,"),
    ],
)
def test_the_element_is_it_also_where_it_is_given_a_name(old: str, new: str) -> None:
    text = LOCALS.replace("half at", "1 at").replace("MANY", "0..9").replace(old, new).replace("OTHER", "1")
    found = [one for one in rulekit.validate(text) if one.code == "RK401"]
    assert len(found) == (old != "OTHER")
    for one in found:
        assert one.help == "inside `where` the element is `it`"
        assert one.suggestion == "it"
