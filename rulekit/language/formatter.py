"""Syntax trees back to text: one blank between words, parentheses only where they are needed.

Parsing the text of a tree gives the tree again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulekit.language import syntax as s

# How tightly an expression binds, loosest first: the entries of `grammar.lark`.
_LOOSE, _OR, _AND, _NOT, _COMPARISON, _SELECTION, _INTERVAL, _SUM, _PRODUCT, _UNARY, _ATOM = range(11)

_TRAPS = re.compile(r"(up|down|times|together)\b")
"""Words that end a sentence after an open range: as the upper bound they stand in parentheses."""


def format_expression(expression: s.Expr) -> str:
    """`count(hand of p) > 0 and not open`"""
    return _text(expression, _LOOSE)


def format_key(key: s.Expr) -> str:
    """An expression, or `suit == trump then rank`."""
    if isinstance(key, s.Key):
        return " then ".join(_text(part, _OR) for part in key.parts)
    return format_expression(key)


def format_place(place: s.Place) -> str:
    """`hand`, `hand of p`"""
    return place.name.id if place.target is None else f"{place.name.id} of {_text(place.target, _ATOM)}"


def format_statement(statement: s.Stmt) -> str:
    """A sentence: `deal 5 to hand from stock starting left of dealer`.

    Compound statements are mappings in YAML: theirs is `format_head`.
    """
    match statement:
        case s.Assign(place=place, op=op, value=value, because=because):
            reason = "" if because is None else f" {_because(because)}"
            return f"{format_place(place)} {op} {format_expression(value)}{reason}"
        case s.Let(name=name, value=value):
            return f"let {name.id} = {format_expression(value)}"
        case s.LetNew(name=name, place=place):
            return f"let {name.id} = new {format_place(place)}"
        case s.Move(cards=cards, to=to):
            return f"move {format_expression(cards)} to {_target(to)}"
        case s.Deal():
            return _deal(statement)
        case s.Shuffle(cards=cards, into=into):
            inward = "" if into is None else f" into {format_place(into)}"
            return f"shuffle {format_expression(cards)}{inward}"
        case s.Swap(left=left, right=right):
            return f"swap {format_expression(left)} with {format_expression(right)}"
        case s.Flip(cards=cards, up=up):
            return f"flip {format_expression(cards)} {'up' if up else 'down'}"
        case s.Reveal(what=what, to=who):
            return f"reveal {format_expression(what)} to {format_expression(who)}"
        case s.Do():
            return f"do {format_call(statement)}"
        case s.Stop(name=name):
            return f"stop {name.id}"
    raise TypeError(f"{type(statement).__name__} is not a sentence")


def _because(because: s.Because) -> str:
    cards = "" if because.cards is None else f" with {format_expression(because.cards)}"
    return f"for {because.reason.id}{cards}"


def _target(to: s.Expr | s.Place) -> str:
    return f"new {format_place(to)}" if isinstance(to, s.Place) else format_expression(to)


def _deal(deal: s.Deal) -> str:
    count = "all" if deal.count is None else format_expression(deal.count)
    source = "" if deal.source is None else f" from {format_place(deal.source)}"
    starting = "" if deal.starting is None else f" starting {format_expression(deal.starting)}"
    return f"deal {count} to {format_place(deal.to)}{source}{starting}"


def format_call(call: s.Do) -> str:
    """A phase and its arguments: `show(P1; 5C 5D)`."""
    return f"{call.name.id}{_arguments(call.args)}"


def format_head(head: s.Head) -> str:
    """The key of a compound statement: `for p in players`."""
    match head:
        case s.IfHead(condition=condition):
            return f"if {format_expression(condition)}"
        case s.ElseIfHead(condition=condition):
            return f"else if {format_expression(condition)}"
        case s.ElseHead():
            return "else"
        case s.ForHead(name=name, domain=domain):
            return f"for {name.id} in {format_expression(domain)}"
        case s.RepeatHead(times=times):
            return f"repeat {format_expression(times)} times"
        case s.UntilHead(condition=condition):
            return f"until {format_expression(condition)}"
        case s.AskHead(who=who, whom=whom, together=together):
            end = " together" if together else "" if whom is None else f" for {format_expression(whom)}"
            return f"ask {format_expression(who)}{end}"
        case s.OfferHead(who=who):
            return f"offer {format_expression(who)}"
        case s.UseHead(name=name):
            return name.id
    raise TypeError(f"{type(head).__name__} is not a head")


# ---------------------------------------------------------------- declarations


def format_type(type: s.TypeRef) -> str:
    """`0..99`, `player?`, `red | black`"""
    match type:
        case s.NamedType(name=name, optional=optional):
            text = name.id
        case s.SetType(element=element):
            return f"set of {element.id}"
        case s.RangeType(low=low, high=high, optional=optional):
            text = f"{low}..{high}"
        case s.WordsType(words=words, optional=optional):
            text = " | ".join(words)
        case _:
            raise TypeError(f"{type.__class__.__name__} is not a type")
    return f"{text}?" if optional else text


def format_declaration(declaration: s.Declaration) -> str:
    """`0..99 per player seen by owner = 0`"""
    return (
        format_type(declaration.type)
        + _per(declaration.per)
        + ("" if declaration.seen_by is None else f" seen by {declaration.seen_by.id}")
        + _start(declaration.start)
    )


def format_slot(slot: s.SlotDeclaration) -> str:
    """`player per player = it`"""
    return format_type(slot.type) + _per(slot.per) + _start(slot.default)


def format_zone(zone: s.ZoneDeclaration) -> str:
    """`up to 6 piles per player seen by everyone`"""
    kinds = {"piles": f"{zone.count} piles", "slots": f"up to {zone.count} piles"}
    return f"{kinds.get(zone.kind, zone.kind)}{_per(zone.per)} seen by {zone.seen_by.id}"


def _per(per: s.Name | None) -> str:
    return "" if per is None else f" per {per.id}"


def _start(start: s.Expr | None) -> str:
    return "" if start is None else f" = {format_expression(start)}"


def format_signature(signature: s.Signature) -> str:
    """`cost(player p; int n)`"""
    if not signature.parameters:
        return signature.name.id
    parameters = (f"{format_type(part.type)} {part.name.id}" for part in signature.parameters)
    return f"{signature.name.id}({'; '.join(parameters)})"


def format_ranking(ranking: s.Ranking) -> str:
    """`highest score then tricks`"""
    return f"{'highest' if ranking.highest else 'lowest'} {format_key(ranking.key)}"


# ---------------------------------------------------------------- patterns


def format_pattern(pattern: s.Pattern) -> str:
    """`3.. cards same suit consecutive rank or pair with pair`"""
    match pattern:
        case s.OrPattern(parts=parts):
            return " or ".join(map(format_pattern, parts))
        case s.WithPattern(parts=parts):
            return " with ".join(map(format_pattern, parts))
        case s.NamedPattern(pattern=name):
            return _pattern_name(name)
        case s.CardsPattern(count=count, constraints=constraints, maximal=maximal):
            cards = "card" if (count.low, count.high) == (1, 1) else "cards"
            most = "maximal " if maximal else ""
            return f"{most}{_count(count)} {cards}{_constraints(constraints)}"
        case s.RepeatedPattern(count=count, pattern=name, constraints=constraints):
            return f"{_count(count)} {_pattern_name(name)}{_constraints(constraints)}"
    raise TypeError(f"{type(pattern).__name__} is not a pattern")


def _count(count: s.Count) -> str:
    if count.high is None:
        return f"{count.low}.."
    return f"{count.low}" if count.low == count.high else f"{count.low}..{count.high}"


def _constraints(constraints: Sequence[s.Constraint]) -> str:
    return "".join(f" {constraint.kind} {_constrained(constraint)}" for constraint in constraints)


def _constrained(constraint: s.Constraint) -> str:
    if constraint.condition is not None:
        return _text(constraint.condition, _COMPARISON)
    return constraint.fact.id if constraint.fact else ""


# ---------------------------------------------------------------- expressions


def _level(node: s.Expr) -> int:
    """How tightly a node binds."""
    match node:
        case s.Logic(op=op):
            return _OR if op == "or" else _AND
        case s.Not():
            return _NOT
        case s.Compare() | s.In() | s.Is() | s.Beats():
            return _COMPARISON
        case s.From() | s.Starting() | s.Outside() | s.Inside() | s.Qualified():
            return _SELECTION
        case s.Range():
            return _INTERVAL
        case s.Clip():
            return _SUM
        case s.Arith(op=op):
            return _PRODUCT if op in ("*", "//", "%") else _SUM
        case s.Negate():
            return _UNARY
        case s.Cond() | s.Where() | s.Key() | s.By():
            return _LOOSE
    return _ATOM


def _text(node: s.Expr, level: int) -> str:
    """The text of a node where something of that level is due."""
    if isinstance(node, s.Logic | s.Arith | s.Clip):
        text = _chain(node)
    else:
        text = _bare(node)
    return f"({text})" if _level(node) < level else text


def _chain(node: s.Expr) -> str:
    """`a + b + c`, which may be long: along the left side without recursion."""
    pieces: list[str] = []
    while isinstance(node, s.Logic | s.Arith | s.Clip):
        level = _level(node)
        pieces.append(f" {node.op} {_text(node.right, level + 1)}")
        node = node.left
        if _level(node) != level:
            pieces.append(_text(node, level))
            break
    return "".join(reversed(pieces))


def _bare(node: s.Expr) -> str:
    """The text of a node without parentheses round it."""
    match node:
        case s.Name(id=id):
            return id
        case s.Literals(words=words):
            return " ".join(words)
        case s.Nothing():
            return "none"
        case s.Truth(value=value):
            return "true" if value else "false"
        case s.Of(name=name, target=target):
            return f"{name.id} of {_text(target, _ATOM)}"
        case s.Call(name=name, args=args):
            return f"{name.id}({'; '.join(map(_argument, args))})"
        case s.Negate(operand=operand):
            return f"-{_text(operand, _UNARY)}"
        case s.Not(operand=operand):
            return f"not {_text(operand, _NOT)}"
        case s.Compare(op=op, left=left, right=right):
            return f"{_text(left, _SELECTION)} {op} {_text(right, _SELECTION)}"
        case s.In(left=left, right=right, negated=negated):
            word = "not in" if negated else "in"
            return f"{_text(left, _SELECTION)} {word} {_text(right, _SELECTION)}"
        case s.Range(low=low, high=high):
            return f"{_text(low, _SUM)}..{_upper(high)}"
        case s.From(left=left, right=right):
            return f"{_text(left, _INTERVAL)} from {_text(right, _INTERVAL)}"
        case s.Starting(left=left, right=right):
            return f"{_text(left, _INTERVAL)} starting {_text(right, _INTERVAL)}"
        case s.Where(domain=domain, condition=condition):
            return f"{_text(domain, _OR)} where {_text(condition, _OR)}"
        case s.Cond(condition=condition, yes=yes, no=no):
            parts = (_text(part, _LOOSE) for part in (condition, yes, no))
            return "if {} then {} else {}".format(*parts)
        case s.Key() | s.By():
            return _argument(node)
    return _about_pattern(node)


def _about_pattern(node: s.Expr) -> str:
    """The text of an expression that names a pattern."""
    match node:
        case s.Is(left=left, pattern=pattern):
            return f"{_text(left, _SELECTION)} is {_pattern_name(pattern)}"
        case s.Beats(left=left, right=right, pattern=pattern):
            sides = f"{_text(left, _SELECTION)} beats {_text(right, _SELECTION)}"
            return f"{sides} as {_pattern_name(pattern)}"
        case s.Qualified(qualifier=qualifier, pattern=pattern, source=source):
            return f"{qualifier} {_pattern_name(pattern)} from {_text(source, _INTERVAL)}"
        case s.Outside(left=left, pattern=pattern):
            return f"{_text(left, _INTERVAL)} outside {_pattern_name(pattern)}"
        case s.Inside(left=left, pattern=pattern):
            return f"{_text(left, _INTERVAL)} inside {_pattern_name(pattern)}"
    raise TypeError(f"{type(node).__name__} is not an expression")


def _argument(node: s.Expr) -> str:
    """An argument of a call, where `X where C by KEY` may stand."""
    match node:
        case s.By(domain=domain, key=key):
            where = isinstance(domain, s.Where)
            parts = key.parts if isinstance(key, s.Key) else (key,)
            keys = " then ".join(_text(part, _OR) for part in parts)
            return f"{_text(domain, _LOOSE if where else _OR)} by {keys}"
        case s.Key():
            return format_key(node)
    return _text(node, _LOOSE)


def _arguments(args: Sequence[s.Expr]) -> str:
    return f"({'; '.join(map(_argument, args))})" if args else ""


def _pattern_name(pattern: s.PatternRef) -> str:
    return f"{pattern.name.id}{_arguments(pattern.args)}"


def _upper(high: s.Expr | None) -> str:
    """The upper bound of a range."""
    if high is None:
        return ""
    text = _text(high, _SUM)
    return f"({text})" if _TRAPS.match(text) else text
