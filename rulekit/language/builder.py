"""Builds the syntax tree while the text is parsed: one method for each rule of `grammar.lark`.

A method gets what its rule consists of and gives the node; a name after the rule is its alias there.
"""

from __future__ import annotations

import threading
from typing import Any

from lark import Token

from rulekit.diagnostics import Span
from rulekit.language import syntax as s
from rulekit.language.building import MAX_DEPTH, Part, TooDeep, chain, rule, whole
from rulekit.source.document import Scalar


class Builder(threading.local):
    """The rules. ``scalar`` is the text being parsed in this thread."""

    scalar: Scalar

    def _at(self, token: Token) -> Span:
        return self.scalar.at(token.start_pos or 0, token.end_pos or 0)

    def _name(self, token: Token) -> s.Name:
        return s.Name(str(token), span=self._at(token))

    def _optional_name(self, token: Token | None) -> s.Name | None:
        return None if token is None else self._name(token)

    # ------------------------------------------------------------ expressions

    @rule
    def name(self, span: Span, word: Token) -> s.Name:
        return s.Name(str(word), span=span)

    @rule
    def literals(self, span: Span, *words: Token) -> s.Literals:
        return s.Literals(tuple(map(str, words)), span=span)

    @rule
    def nothing(self, span: Span, word: Token) -> s.Nothing:
        return s.Nothing(span=span)

    @rule
    def truth(self, span: Span, word: Token) -> s.Truth:
        return s.Truth(word == "true", span=span)

    def parenthesised(self, children: list[Any]) -> Part:
        opening, inner, closing = children
        if inner.parentheses >= MAX_DEPTH:
            raise TooDeep(opening.start_pos, closing.end_pos)
        return Part(inner.node, opening.start_pos, closing.end_pos, inner.depth, inner.parentheses + 1)

    @rule
    def look_up(self, span: Span, word: Token, of: Token, target: s.Expr) -> s.Of:
        return s.Of(self._name(word), target, span=span)

    @rule
    def arguments(self, span: Span, *items: Any) -> tuple[s.Expr, ...]:
        return items[::2]

    @rule
    def call(self, span: Span, word: Token, opening: Token, args: Any, closing: Token) -> s.Call:
        return s.Call(self._name(word), args or (), span=span)

    @rule
    def by(self, span: Span, domain: s.Expr, word: Token, key: s.Expr) -> s.By:
        return s.By(domain, key, span=span)

    @rule
    def sort_key(self, span: Span, *items: Any) -> s.Expr:
        parts: tuple[s.Expr, ...] = items[::2]
        return s.Key(parts, span=span) if len(parts) > 1 else parts[0]

    @rule
    def minus(self, span: Span, sign: Token, operand: s.Expr) -> s.Negate:
        return s.Negate(operand, span=span)

    @rule
    def negated(self, span: Span, word: Token, operand: s.Expr) -> s.Not:
        return s.Not(operand, span=span)

    @chain
    def logic(self, span: Span, left: s.Expr, op: Token, right: s.Expr) -> s.Logic:
        return s.Logic(str(op), left, right, span=span)

    @rule
    def compare(self, span: Span, left: s.Expr, op: Token, right: s.Expr) -> s.Compare:
        return s.Compare(str(op), left, right, span=span)

    @rule
    def contained(self, span: Span, left: s.Expr, word: Token, right: s.Expr) -> s.In:
        return s.In(left, right, span=span)

    @rule
    def not_contained(self, span: Span, left: s.Expr, no: Token, word: Token, right: s.Expr) -> s.In:
        return s.In(left, right, negated=True, span=span)

    @chain
    def arithmetic(self, span: Span, left: s.Expr, op: Token, right: s.Expr) -> s.Arith:
        return s.Arith(str(op), left, right, span=span)

    @chain
    def clipped(self, span: Span, left: s.Expr, op: Token, right: s.Expr) -> s.Clip:
        return s.Clip("at most" if op.type == "AT_MOST" else "at least", left, right, span=span)

    @rule
    def closed_range(self, span: Span, low: s.Expr, dots: Token, high: s.Expr) -> s.Range:
        return s.Range(low, high, span=span)

    @rule
    def open_range(self, span: Span, low: s.Expr, dots: Token) -> s.Range:
        return s.Range(low, None, span=span)

    @rule
    def selected(self, span: Span, left: s.Expr, word: Token, right: s.Expr) -> s.From:
        return s.From(left, right, span=span)

    @rule
    def starting(self, span: Span, left: s.Expr, word: Token, right: s.Expr) -> s.Starting:
        return s.Starting(left, right, span=span)

    @rule
    def where(self, span: Span, domain: s.Expr, word: Token, condition: s.Expr) -> s.Where:
        return s.Where(domain, condition, span=span)

    @rule
    def conditional(
        self, span: Span, w1: Token, condition: s.Expr, w2: Token, yes: s.Expr, w3: Token, no: s.Expr
    ) -> s.Cond:
        return s.Cond(condition, yes, no, span=span)

    @rule
    def pattern_name(
        self, span: Span, word: Token, opening: Token | None, args: Any, closing: Token | None
    ) -> s.PatternRef:
        return s.PatternRef(self._name(word), args or (), span=span)

    @rule
    def fits(self, span: Span, left: s.Expr, word: Token, pattern: s.PatternRef) -> s.Is:
        return s.Is(left, pattern, span=span)

    @rule
    def beats(
        self, span: Span, left: s.Expr, w1: Token, right: s.Expr, w2: Token, pattern: s.PatternRef
    ) -> s.Beats:
        return s.Beats(left, right, pattern, span=span)

    @rule
    def qualified(
        self, span: Span, word: Token, pattern: s.PatternRef, w1: Token, source: s.Expr
    ) -> s.Qualified:
        return s.Qualified(str(word), pattern, source, span=span)

    @rule
    def outside(self, span: Span, left: s.Expr, word: Token, pattern: s.PatternRef) -> s.Outside:
        return s.Outside(left, pattern, span=span)

    @rule
    def inside(self, span: Span, left: s.Expr, word: Token, pattern: s.PatternRef) -> s.Inside:
        return s.Inside(left, pattern, span=span)

    # ------------------------------------------------------------ statements

    @rule
    def place(self, span: Span, word: Token, of: Token | None, target: s.Expr | None) -> s.Place:
        return s.Place(self._name(word), target, span=span)

    @rule
    def because(
        self, span: Span, word: Token, reason: Token, w1: Token | None, cards: s.Expr | None
    ) -> s.Because:
        return s.Because(self._name(reason), cards, span=span)

    @rule
    def assign(
        self, span: Span, place: s.Place, op: Token, value: s.Expr, because: s.Because | None
    ) -> s.Assign:
        return s.Assign(place, str(op), value, because, span=span)

    @rule
    def let(self, span: Span, word: Token, name: Token, equals: Token, value: s.Expr) -> s.Let:
        return s.Let(self._name(name), value, span=span)

    @rule
    def let_new(
        self, span: Span, word: Token, name: Token, equals: Token, new: Token, place: s.Place
    ) -> s.LetNew:
        return s.LetNew(self._name(name), place, span=span)

    @rule
    def move(self, span: Span, word: Token, cards: s.Expr, w1: Token, to: s.Expr) -> s.Move:
        return s.Move(cards, to, span=span)

    @rule
    def move_new(self, span: Span, word: Token, cards: s.Expr, w1: Token, new: Token, to: s.Place) -> s.Move:
        return s.Move(cards, to, new=True, span=span)

    @rule
    def deal(
        self,
        span: Span,
        word: Token,
        count: s.Expr,
        w1: Token,
        to: s.Place,
        w2: Token | None,
        source: s.Place | None,
        w3: Token | None,
        starting: s.Expr | None,
    ) -> s.Deal:
        everything = isinstance(count, s.Name) and count.id == "all"
        return s.Deal(None if everything else count, to, source, starting, span=span)

    @rule
    def shuffle(
        self, span: Span, word: Token, cards: s.Expr, w1: Token | None, into: s.Place | None
    ) -> s.Shuffle:
        return s.Shuffle(cards, into, span=span)

    @rule
    def swap(self, span: Span, word: Token, left: s.Expr, w1: Token, right: s.Expr) -> s.Swap:
        return s.Swap(left, right, span=span)

    @rule
    def flip(self, span: Span, word: Token, cards: s.Expr, side: Token) -> s.Flip:
        return s.Flip(cards, side == "up", span=span)

    @rule
    def reveal(self, span: Span, word: Token, what: s.Expr, w1: Token, to: s.Expr) -> s.Reveal:
        return s.Reveal(what, to, span=span)

    @rule
    def run(
        self, span: Span, word: Token, name: Token, opening: Token | None, args: Any, closing: Token | None
    ) -> s.Do:
        return s.Do(self._name(name), args or (), span=span)

    @rule
    def stop(self, span: Span, word: Token, name: Token) -> s.Stop:
        return s.Stop(self._name(name), span=span)

    # ------------------------------------------------------------ heads

    @rule
    def if_head(self, span: Span, word: Token, condition: s.Expr) -> s.IfHead:
        return s.IfHead(condition, span=span)

    @rule
    def else_if_head(self, span: Span, word: Token, w1: Token, condition: s.Expr) -> s.ElseIfHead:
        return s.ElseIfHead(condition, span=span)

    @rule
    def else_head(self, span: Span, word: Token) -> s.ElseHead:
        return s.ElseHead(span=span)

    @rule
    def for_head(self, span: Span, word: Token, name: Token, w1: Token, domain: s.Expr) -> s.ForHead:
        return s.ForHead(self._name(name), domain, span=span)

    @rule
    def repeat_head(self, span: Span, word: Token, times: s.Expr, w1: Token) -> s.RepeatHead:
        return s.RepeatHead(times, span=span)

    @rule
    def until_head(self, span: Span, word: Token, condition: s.Expr) -> s.UntilHead:
        return s.UntilHead(condition, span=span)

    @rule
    def ask_head(
        self, span: Span, word: Token, who: s.Expr, w1: Token | None, whom: s.Expr | None
    ) -> s.AskHead:
        return s.AskHead(who, whom, span=span)

    @rule
    def together_head(self, span: Span, word: Token, who: s.Expr, w1: Token) -> s.AskHead:
        return s.AskHead(who, together=True, span=span)

    @rule
    def offer_head(self, span: Span, word: Token, who: s.Expr) -> s.OfferHead:
        return s.OfferHead(who, span=span)

    @rule
    def use_head(self, span: Span, word: Token) -> s.UseHead:
        return s.UseHead(self._name(word), span=span)

    # ------------------------------------------------------------ declarations

    @rule
    def declaration(
        self,
        span: Span,
        type: s.TypeRef,
        w1: Token | None,
        per: Token | None,
        w2: Token | None,
        w3: Token | None,
        seen_by: Token | None,
        equals: Token | None,
        start: s.Expr | None,
    ) -> s.Declaration:
        return s.Declaration(type, self._optional_name(per), self._optional_name(seen_by), start, span=span)

    @rule
    def slot(
        self,
        span: Span,
        type: s.NamedType,
        w1: Token | None,
        per: Token | None,
        equals: Token | None,
        default: s.Expr | None,
    ) -> s.SlotDeclaration:
        return s.SlotDeclaration(type, self._optional_name(per), default, span=span)

    @rule
    def named_type(self, span: Span, word: Token, question: Token | None) -> s.NamedType:
        return s.NamedType(self._name(word), optional=question is not None, span=span)

    @rule
    def set_type(self, span: Span, word: Token, of: Token, element: Token) -> s.SetType:
        return s.SetType(self._name(element), span=span)

    @rule
    def bound(self, span: Span, sign: Token | None, number: Token) -> Token:
        """A literal with its sign, as one token."""
        return number if sign is None else Token.new_borrow_pos("LITERAL", f"-{number}", sign)

    @rule
    def range_type(
        self, span: Span, low: Token, dots: Token, high: Token, question: Token | None
    ) -> s.RangeType:
        return s.RangeType(whole(low), whole(high), optional=question is not None, span=span)

    @rule
    def words_type(self, span: Span, *items: Token | None) -> s.WordsType:
        *words, question = items
        return s.WordsType(tuple(map(str, words[::2])), optional=question is not None, span=span)

    @rule
    def pile(self, span: Span, word: Token) -> tuple[str, int | None]:
        return "pile", None

    @rule
    def set_zone(self, span: Span, word: Token) -> tuple[str, int | None]:
        return "set", None

    @rule
    def piles(self, span: Span, number: Token, word: Token) -> tuple[str, int | None]:
        return "piles", whole(number)

    @rule
    def slots(self, span: Span, up_to: Token, number: Token, word: Token) -> tuple[str, int | None]:
        return "slots", whole(number)

    @rule
    def zone(
        self,
        span: Span,
        kind: tuple[str, int | None],
        w1: Token | None,
        per: Token | None,
        w2: Token,
        w3: Token,
        seen_by: Token,
    ) -> s.ZoneDeclaration:
        return s.ZoneDeclaration(*kind, self._optional_name(per), self._name(seen_by), span=span)

    @rule
    def parameter(self, span: Span, type: s.NamedType, name: Token) -> s.Parameter:
        return s.Parameter(type, self._name(name), span=span)

    @rule
    def signature(self, span: Span, name: Token, opening: Token | None, *rest: Any) -> s.Signature:
        return s.Signature(self._name(name), rest[:-1:2] if opening else (), span=span)

    @rule
    def ranking(self, span: Span, word: Token, key: s.Expr) -> s.Ranking:
        return s.Ranking(word == "highest", key, span=span)

    @rule
    def running(
        self, span: Span, name: Token, opening: Token | None, args: Any, closing: Token | None
    ) -> s.Do:
        return s.Do(self._name(name), args or (), span=span)

    # ------------------------------------------------------------ patterns

    @rule
    def count(self, span: Span, low: Token, dots: Token | None, high: Token | None) -> s.Count:
        least = whole(low)
        if dots is None:
            return s.Count(least, least, span=span)
        return s.Count(least, None if high is None else whole(high), span=span)

    @rule
    def fact_constraint(self, span: Span, word: Token, fact: Token) -> s.Constraint:
        return s.Constraint(str(word), fact=self._name(fact), span=span)

    @rule
    def condition_constraint(self, span: Span, word: Token, condition: s.Expr) -> s.Constraint:
        return s.Constraint(str(word), condition=condition, span=span)

    @rule
    def cards(
        self, span: Span, maximal: Token | None, count: s.Count, word: Token, *constraints: s.Constraint
    ) -> s.CardsPattern:
        return s.CardsPattern(count, constraints, maximal=maximal is not None, span=span)

    @rule
    def repeated(
        self, span: Span, count: s.Count, pattern: s.PatternRef, *constraints: s.Constraint
    ) -> s.RepeatedPattern:
        return s.RepeatedPattern(count, pattern, constraints, span=span)

    @rule
    def named(self, span: Span, pattern: s.PatternRef) -> s.NamedPattern:
        return s.NamedPattern(pattern, span=span)

    @rule
    def joined(self, span: Span, *items: Any) -> s.WithPattern:
        return s.WithPattern(items[::2], span=span)

    @rule
    def alternatives(self, span: Span, *items: Any) -> s.OrPattern:
        return s.OrPattern(items[::2], span=span)
