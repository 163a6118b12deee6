"""Slips in the build of a text: what is missing, what is too much, and what the text should have been."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.language.keywords import HEADS, KEYWORDS, OPERATORS, SENTENCES
from rulekit.language.slips_declarations import declaration_form
from rulekit.language.spoken import rank_of
from rulekit.language.stopped import EXPECTED, Stopped, near_word
from rulekit.language.vocabulary import FUNCTIONS

_OTHER_HEADS = {
    "while": "until",
    "foreach": "for",
    "elif": "else if",
    "elseif": "else if",
    "loop": "repeat",
    "when": "if",
    "unless": "if not",
    "as long as": "until",
}
_OTHER_SENTENCES = {
    "set": "write `x = 3`",
    "put": "write `move CARDS to ZONE`",
    "place": "write `move CARDS to ZONE`",
    "give": "write `move CARDS to ZONE`",
    "take": "write `move CARDS to ZONE`",
    "draw": "write `move top of stock to hand`",
    "discard": "write `move CARDS to ZONE`",
    "call": "write `do PHASE`",
    "run": "write `do PHASE`",
    "play": "a phase is run by `do PHASE`; a move is asked for by `ask PLAYER: [MOVE]`",
    "execute": "write `do PHASE`",
    "start": "write `do PHASE`",
    "perform": "write `do PHASE`",
    "return": "a define has the value; a phase is left by `stop PHASE`",
    "break": "write `stop PHASE`",
    "exit": "write `stop PHASE`",
    "end": "write `stop PHASE`",
    "show": "write `reveal X to everyone`",
    "turn": "write `flip X up`",
    "exchange": "write `swap A with B`",
    "var": "write `let x = 3`",
    "const": "write `let x = 3`",
    "def": "write `let x = 3`",
    "increase": "write `score of p += 2`",
    "increment": "write `x += 1`",
    "decrease": "write `score of p -= 2`",
    "add": "write `score of p += 2`",
    "gain": "write `score of p += 2`",
    "award": "write `score of p += 2 for REASON`",
    "pass": "an empty list `[]` does nothing",
}
_UNIT_WORDS = ("card", "cards", "each", "more")
_STARTS = frozenset(HEADS) - {"else if"} | {"else"}


def head_alone(stopped: Stopped) -> bool:
    """`ask p` as a sentence: its list is missing."""
    word = stopped.word
    if stopped.form != "statement" or stopped.at != 0 or word is None or word.text not in _STARTS:
        return False
    example = {"ask": "[play]", "offer": "[play]"}.get(word.text, "[...]")
    whole = stopped.piece(0, len(stopped.words))
    return stopped.report(
        "RK325",
        f"`{word.text}` begins a statement that has a list",
        0,
        len(stopped.words) - 1,
        help=f"write a colon and the list: `- {whole}: {example}`",
    )


def sentence_as_head(stopped: Stopped) -> bool:
    """`move x to y:` with a list."""
    word = stopped.word
    if stopped.form != "head" or stopped.at != 0 or word is None or word.text not in SENTENCES:
        return False
    return stopped.report(
        "RK325",
        f"`{word.text}` is a sentence and has no list",
        help="leave out the colon, and write what follows as a list item of its own",
    )


def first_word(stopped: Stopped) -> bool:
    """`moev top of stock to hand`, `aks p`, `while x`: the sentence begins with no word of the language."""
    if stopped.form not in ("statement", "head") or stopped.at not in (1, 2) or not stopped.words:
        return False
    first = stopped.words[0]
    if first.kind != "name" or first.text in KEYWORDS or stopped.is_near(0, "(", "="):
        return False
    if stopped.at == 2 and stopped.words[1].text != "of":
        return False
    if stopped.at == 1 and stopped.at_end and first.text not in ("break", "exit", "return"):
        return False
    known = [*SENTENCES, *(head for head in HEADS if " " not in head)]
    if first.text in _OTHER_HEADS:
        near: str | None = _OTHER_HEADS[first.text]
    else:
        near = near_word(first.text, known)
    other = _OTHER_SENTENCES.get(first.text) if near is None or near not in known else None
    symbol = stopped.word is not None and stopped.word.kind == "symbol"
    if near is None and other is None and (symbol or stopped.form == "head"):
        return False
    return stopped.report(
        "RK320",
        f"no statement begins with `{first.text}`",
        0,
        expected="a sentence or a head of the language, or `NAME = VALUE`" if near is None else None,
        help=other or (f"did you mean `{near}`?" if near else None),
        suggestion=near if other is None else None,
    )


def no_effect(stopped: Stopped) -> bool:
    """An expression, or the name of a phase, as a statement."""
    if stopped.form != "statement" or not stopped.words or "EQUALS" not in stopped.accepted:
        return False
    first = stopped.words[0]
    if first.text in KEYWORDS or first.kind != "name":
        return False
    whole = stopped.piece(0, len(stopped.words))
    if first.text in FUNCTIONS and stopped.is_near(0, "("):
        return stopped.report("RK326", f"`{whole}` says nothing that happens", 0, len(stopped.words) - 1)
    if stopped.at == 1 and (stopped.at_end or stopped.is_near(0, "(")):
        return stopped.report(
            "RK326",
            f"`{whole}` says nothing that happens",
            0,
            len(stopped.words) - 1,
            help=f"a phase is run by `do {whole}`; a block is used with a colon: `- {first.text}: {{...}}`",
        )
    return stopped.report(
        "RK326",
        f"`{whole}` says nothing that happens" if stopped.at_end else "this is not a statement",
        0 if stopped.at_end else stopped.at,
        len(stopped.words) - 1 if stopped.at_end else stopped.at,
        expected="`=`, `+=` or `-=` and a value",
    )


def not_a_statement(stopped: Stopped) -> bool:
    """A statement or a head begins with a number, a card or a parenthesis."""
    if stopped.form not in ("statement", "head") or stopped.at != 0:
        return False
    return stopped.report(
        "RK326", f"no statement begins with `{stopped.words[0].text}`", expected=EXPECTED[stopped.form]
    )


def no_else(stopped: Stopped) -> bool:
    """`if a then b` without `else`."""
    if "ELSE" not in stopped.accepted or not (stopped.at_end or stopped.is_near(0, ")", ";", "for", "to")):
        return False
    return stopped.report(
        "RK334",
        "the `if` has no `else`",
        expected="`else` and the value that holds otherwise",
        help="an expression has a value in every case; a statement may do without: `- if C: [...]`"
        if stopped.form == "statement"
        else "an expression has a value in every case",
    )


def unclosed(stopped: Stopped) -> bool:
    """`(a + b`"""
    if not stopped.at_end or stopped.unclosed is None or "RPAR" not in stopped.accepted:
        return False
    index = stopped.words.index(stopped.unclosed)
    if stopped.at - 1 == index:
        return _unfinished(stopped)
    return stopped.report("RK317", "this `(` is not closed", index, help="a `)` is missing")


def unfinished(stopped: Stopped) -> bool:
    """`score(`, `a +`, `move x to`"""
    if not stopped.at_end:
        return False
    due = stopped.due
    if (
        due
        and not stopped.wants_operand
        and stopped.form in ("statement", "head")
        and stopped.words[0].text in _SHAPES
    ):
        return _word_missing(stopped, due)
    if stopped.form in _FORMS and not stopped.wants_operand:
        return False
    return _unfinished(stopped)


_FORMS = ("declaration", "slot", "zone", "signature", "ranking", "pattern")


def _unfinished(stopped: Stopped) -> bool:
    last = stopped.words[-1]
    first = len(stopped.words) - 1
    if last.text == "(" and first > 0 and stopped.words[first - 1].end == last.start:
        first -= 1
    said = stopped.piece(first, len(stopped.words))
    return stopped.report(
        "RK316",
        f"something is missing after `{said}`",
        first,
        len(stopped.words) - 1,
        expected=stopped.expected(),
    )


def _word_missing(stopped: Stopped, due: list[str]) -> bool:
    verb = stopped.words[0].text
    return stopped.report(
        "RK327",
        f"`{verb}` needs {' or '.join(due)}",
        help=f"write {_SHAPES[verb]}",
        expected=stopped.expected(),
    )


_SHAPES = {
    "let": "`let x = VALUE`",
    "move": "`move CARDS to ZONE`",
    "deal": "`deal N to ZONE from ZONE`",
    "shuffle": "`shuffle ZONE`, `shuffle CARDS into ZONE`",
    "swap": "`swap CARDS with CARDS`",
    "flip": "`flip CARDS up`, `flip CARDS down`",
    "reveal": "`reveal X to everyone`, `reveal X to PLAYERS`",
    "do": "`do PHASE`, `do PHASE(ARGUMENTS)`",
    "stop": "`stop PHASE`",
    "for": "`for NAME in X`",
    "repeat": "`repeat N times`",
    "ask": "`ask PLAYER`, `ask PLAYER for PLAYER`, `ask PLAYERS together`",
}


def closes_nothing(stopped: Stopped) -> bool:
    """`a + b)`"""
    if not stopped.is_near(0, ")") or stopped.unclosed is not None:
        return False
    return stopped.report(
        "RK318", "this `)` closes nothing", help="a `(` is missing before, or this one is too much"
    )


def operand_missing(stopped: Stopped) -> bool:
    """`a + or b`, `count()` of an operator, `(and b)`"""
    word = stopped.word
    if word is None or not (stopped.wants_operand or stopped.accepted & {"NAME", "LABEL"}):
        return False
    if stopped.form in _FORMS and not stopped.wants_operand:
        return False
    if word.text not in (*OPERATORS, "else", "to", "into", "with") and word.kind != "symbol":
        return False
    before = stopped.near(-1)
    place = f"between `{before.text}` and `{word.text}`" if before else f"before `{word.text}`"
    return stopped.report("RK329", f"something is missing {place}", expected=stopped.expected())


def side_by_side(stopped: Stopped) -> bool:
    """`a b`: no operator between two values."""
    word, before = stopped.word, stopped.near(-1)
    if word is None or before is None:
        return False
    due = stopped.due
    shaped = stopped.form in ("statement", "head") and stopped.words[0].text in _SHAPES
    later = {f"`{following.text}`" for following in stopped.words[stopped.at :]}
    if (
        due
        and shaped
        and stopped.unclosed is None
        and "$END" not in stopped.accepted
        and not later & set(due)
    ):
        return _word_missing(stopped, due)
    if not stopped.wants_operator:
        return False
    if word.text in KEYWORDS - {"not", "none", "true", "false", "best", "tail"} or word.kind == "symbol":
        return False
    unit = word.text in _UNIT_WORDS and (before.text.isdecimal() or before.text == "all")
    first, second = rank_of(before.text), rank_of(word.text)
    if first and second:
        return stopped.report(
            "RK328",
            f"nothing joins `{before.text}` and `{word.text}`",
            stopped.at,
            expected=stopped.expected(),
            help=f"ranks are written as the pack has them, side by side: `{first} {second}`",
        )
    if before.text in FUNCTIONS and word.kind in ("name", "literal"):
        return stopped.report(
            "RK328",
            f"`{before.text}` is followed by parentheses",
            stopped.at - 1,
            stopped.at,
            help=f"write `{before.text}({word.text})`",
            suggestion=f"{before.text}({word.text})",
        )
    return stopped.report(
        "RK328",
        f"nothing joins `{before.text}` and `{word.text}`",
        stopped.at,
        expected=stopped.expected(),
        help=f"leave out `{word.text}`" if unit else None,
        suggestion="" if unit else None,
    )


_USES = {
    "then": "`then` belongs to `if`, or joins the parts of a key, each compared after the one before",
    "else": "`else` belongs to `if ... then ...`",
    "to": "a range is written `1..7`",
    "of": "`of` follows a name: `suit of card`",
    "by": "`by` stands in a call: `highest(trick by strength)`",
    "as": "`as` belongs to `beats`: `x beats y as pair`",
}


def anything(stopped: Stopped) -> bool:
    """What none of the others knows."""
    if stopped.at_end:
        return _unfinished(stopped)
    word = stopped.words[stopped.at]
    help = _USES.get(word.text)
    first = stopped.words[0].text
    if stopped.form == "head" and word.text == "then":
        help = "what happens then is the list after the colon"
    elif stopped.form == "head" and first == "ask" and word.text == "to":
        help = "the moves stand in a list after the colon: `ask p: [play]`"
    elif stopped.form in ("statement", "head") and stopped.is_near(-2, "for") and first != "for":
        help = f"a reason is one word: `{stopped.words[stopped.at - 1].text}_{word.text}`"
    elif stopped.form in ("statement", "head") and stopped.at > 0 and first in _SHAPES:
        help = help or f"write {_SHAPES[first]}"
    return stopped.report(
        "RK330",
        f"`{word.text}` cannot stand here",
        help=help,
        expected=stopped.expected() or (EXPECTED[stopped.form] if stopped.at == 0 else None),
    )


RULES: tuple[Callable[[Stopped], bool], ...] = (
    head_alone,
    sentence_as_head,
    first_word,
    no_effect,
    not_a_statement,
    no_else,
    unclosed,
    unfinished,
    closes_nothing,
    operand_missing,
    declaration_form,
    side_by_side,
    anything,
)
