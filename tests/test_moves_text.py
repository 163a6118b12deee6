"""Moves as text: what is printed is read back as the same move, and what is no move is said to be none."""

from __future__ import annotations

from itertools import combinations

import pytest

from rulekit.cards import STANDARD_RANKS, STANDARD_SUITS, usual_suit
from rulekit.game.notation import Notation, NotationError
from rulekit.program import Program, prepare
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import Choice, DeckDef, EndDef, MoveDef, ZoneDef

SUITS = tuple(suit for name in STANDARD_SUITS if (suit := usual_suit(name)))


def choice(name: str, of: t.Type, local: int = 0) -> Choice:
    return Choice(name=name, local=local, type=of, entries=())


def notation(*choices: Choice, copies: int = 1, extra: tuple[str, ...] = (), players: int = 3) -> Notation:
    """The notation of a game with the one move `act` that has these choices."""
    move = MoveDef(name="act", choices=choices)
    zones = {
        "stock": ZoneDef(name="stock", kind="pile"),
        "hand": ZoneDef(name="hand", kind="set", per="player"),
        "column": ZoneDef(name="column", kind="piles", count=7),
        "melds": ZoneDef(name="melds", kind="slots", count=2, per="player"),
        "home": ZoneDef(name="home", kind="pile", per="suit"),
    }
    number = e.Constant(copies, type=t.Int(1, 4))
    program = Program(
        name="test",
        title="Test",
        family=None,
        text=None,
        sources=(),
        players=(1, 5),
        teams=None,
        options={},
        requires=None,
        deck=DeckDef(STANDARD_RANKS, SUITS, copies=number, extra=extra),
        words={"strain": ("clubs", "notrump")},
        orders={},
        zones=zones,
        state={},
        locals=(),
        facts={},
        defines={},
        play=(),
        play_state=(),
        phases={},
        moves={"act": move, "pass": MoveDef(name="pass")},
        end=EndDef(),
        examples=(),
    )
    return Notation(prepare(program, players))


def card(table: Notation, text: str) -> int:
    return table.pack.by_face[table.faces(text)[0]][0]


def test_a_card_is_written_rank_then_suit_and_read_in_either_case() -> None:
    table = notation(choice("card", t.CARD))
    ten = card(table, "10H")
    assert table.move("act", (ten,)) == "act 10H"
    for text in ("act 10H", "act TH", "act th", "ACT 10h", "  act   10H  "):
        assert table.read_move(text).text == "act 10H"
        assert table.read_move(text).values == (ten,)


@pytest.mark.parametrize(
    ("of", "value", "text"),
    [
        (t.PLAYER, 1, "P2"),
        (t.SUIT, 2, "hearts"),
        (t.RANK, 8, "10"),
        (t.Word("strain"), 1, "notrump"),
        (t.Int(-3, 12), -3, "-3"),
        (t.BOOL, True, "true"),
        (t.BOOL, False, "false"),
        (t.PILE, 1, "stock"),
        (t.Optional(t.PLAYER), None, "none"),
    ],
)
def test_every_kind_of_value_has_one_text(of: t.Type, value: int | bool | None, text: str) -> None:
    table = notation(choice("x", of))
    assert table.move("act", (value,)) == f"act {text}"
    for written in (text, text.upper(), text.lower()):
        assert table.read_move(f"act {written}").values == (value,)


def test_every_pile_has_a_name_of_its_own() -> None:
    table = notation(choice("target", t.PILE))
    piles = [place for place in table.setup.places if place.kind == "pile"]
    names = [table.place(place.number) for place in piles]
    assert len(set(names)) == len(names)
    assert {"stock", "column-3", "melds-P2-1", "home-hearts"} <= set(names)
    for place, name in zip(piles, names, strict=True):
        assert table.read_move(f"act {name}").values == (place.number,)


def test_several_cards_are_written_in_deck_order_and_none_as_nothing() -> None:
    table = notation(choice("cards", t.CARDS))
    assert table.read_move("act KS 2C 10H").text == "act 2C 10H KS"
    assert table.read_move("act (KS 2C)").text == "act 2C KS"
    assert table.read_move("act").values == ((),)
    assert table.read_move("act ()").text == "act"


def test_values_around_several_cards_are_told_apart_by_their_place() -> None:
    table = notation(choice("to", t.PLAYER), choice("cards", t.CARDS), choice("open", t.BOOL))
    assert table.read_move("act P2 4C 5C true").values == (1, (2, 3), True)
    assert table.read_move("act P2 no").values == (1, (), False)
    assert table.read_move("act P2 (5C 4C) yes").text == "act P2 4C 5C true"


def test_two_choices_of_several_cards_stand_in_parentheses() -> None:
    table = notation(choice("first", t.CARDS), choice("second", t.CARDS))
    seven = range(7)
    halves = [half for size in range(4) for half in combinations(seven, size)]
    texts = {table.move("act", (a, b)): (a, b) for a in halves for b in halves}
    assert len(texts) == len(halves) ** 2
    for text, values in texts.items():
        assert table.read_move(text).values == values
        assert table.read_move(text.lower()).text == text
    loose = table.read_move("act 2c th")
    assert loose.values is None
    assert loose.words == ("2C", "10H")


def test_equal_cards_are_one_text_and_two_copies_are_two_cards() -> None:
    table = notation(choice("cards", t.CARDS), copies=2)
    assert table.read_move("act 6C 6C").values == ((8, 9),)
    with pytest.raises(NotationError, match="6C stands more than 2 times"):
        table.read_move("act 6C 6C 6C")


def test_con_02_the_same_card_twice_is_refused_where_there_is_one() -> None:
    table = notation(choice("cards", t.CARDS))
    with pytest.raises(NotationError, match="6C stands twice, but there is only one in the pack"):
        table.read_move("act 6C 6C")
    with pytest.raises(NotationError):
        table.read_move("act " + "6C " * 1000)


def test_an_extra_card_is_its_rank_alone() -> None:
    table = notation(choice("card", t.CARD), extra=("JOKER",))
    assert table.move("act", (52,)) == "act JOKER"
    assert table.read_move("act joker").values == (52,)


def test_a_hidden_card_prints_as_question_marks() -> None:
    table = notation(choice("to", t.PLAYER), choice("cards", t.CARDS))
    assert table.move("act", (0, (3, None, None))) == "act P1 5C ?? ??"
    with pytest.raises(NotationError, match="`\\?\\?` is no card"):
        table.read_move("act P1 ??")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no move in an empty text"),
        ("   ", "there is no move in an empty text"),
        ("atc KS", "`atc` is no move of this game: did you mean `act`?"),
        ("KS", "a move begins with its name, not with a card: `KS`"),
        ("frobnicate", "`frobnicate` is no move of this game: the moves are `act`, `pass`"),
        ("act", "`act` takes 1: `card` (a card)"),
        ("act KS QS", "`act` takes 1: `card` (a card)"),
        ("act 1X", "`1X` is no card"),
        ("act 0H", "`0H` is no card"),
        ("act (KS QS)", "`act` takes a single value for `card`"),
        ("act ((KS))", "a parenthesis inside a parenthesis"),
        ("act (KS", "`(` without `)`"),
        ("act KS)", "`)` without `(`"),
        ("pass KS", "`pass` takes no values"),
        ("act KS\x1b[31m", "`KS\\x1b[31m` is no card"),
        ("act " + "9" * 5000, "the text is too long for a move"),
    ],
)
def test_what_is_no_move_is_said_in_plain_words(text: str, message: str) -> None:
    table = notation(choice("card", t.CARD))
    with pytest.raises(NotationError) as caught:
        table.read_move(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("of", "word", "message"),
    [
        (t.PLAYER, "P9", "`P9` is not a player: there are `P1`, `P2`, `P3`"),
        (t.SUIT, "heart", "`heart` is not a suit: did you mean `hearts`?"),
        (t.Int(0, 5), "9", "`9` is no number from 0 to 5"),
        (t.Int(0, 5), "99999999999999999999", "`99999999999999999999` is no number from 0 to 5"),
        (t.Int(0, 5), "٣", "`٣` is no number from 0 to 5"),
        (t.BOOL, "maybe", "`maybe` is neither `true` nor `false`"),
    ],
)
def test_a_wrong_value_names_what_would_do(of: t.Type, word: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        notation(choice("x", of)).read_move(f"act {word}")
    assert str(caught.value) == message
