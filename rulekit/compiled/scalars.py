"""Single values: constants, arithmetic, conditions, choices between values."""

from __future__ import annotations

from typing import Any

from rulekit.compiled import fold, lir
from rulekit.compiled.builder import Unsupported, is_something
from rulekit.compiled.collections import BitsColl, Coll, EmptyColl, ValuesColl
from rulekit.compiled.context import Lower, lowers
from rulekit.compiled.domains import Domain
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.keys import Key
from rulekit.compiled.lir import NONE, Expr, Int
from rulekit.compiled.lists import ListColl
from rulekit.compiled.ranges import TRUTH, Span, join
from rulekit.compiled.speculation import harmless
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.faults import DIVIDE_BY_ZERO, TOO_LARGE


@lowers(e.Constant)
def _constant(lower: Lower, x: e.Constant) -> Any:
    if isinstance(x.type, t.Collection):
        values = x.value if isinstance(x.value, tuple) else ()
        if not values:
            try:
                return EmptyColl(lower.domain(x.type.of))
            except Unsupported:
                return EmptyColl()
        if isinstance(x.type, t.BagOf):
            return ValuesColl([Int(int(v)) for v in values], None)
        domain = lower.domain(x.type.of)
        if isinstance(x.type, t.SeqOf):
            return ValuesColl([Int(int(v)) for v in values], domain)
        return BitsColl(lir.Set(sum(1 << (int(v) - domain.first) for v in values), domain.kind), domain)
    return Int(NONE) if x.value is None else Int(int(x.value))  # type: ignore[arg-type]


@lowers(e.Option)
def _option(lower: Lower, x: e.Option) -> Any:
    return Int(int(lower.setup.options[x.name]))


@lowers(e.Cards)
def _cards(lower: Lower, x: e.Cards) -> Any:
    cards = sorted(card for face in x.faces for card in lower.pack.by_face.get(face, ()))
    if isinstance(x.type, t.Collection):
        domain = lower.domain(t.CARD)
        return BitsColl(lir.Set(sum(1 << card for card in cards), domain.kind), domain)
    return Int(cards[0]) if cards else Int(NONE)


@lowers(e.Me)
def _me(lower: Lower, x: e.Me) -> Any:
    return lower.me


@lowers(e.Local)
def _local(lower: Lower, x: e.Local) -> Any:
    if x.number in lower.env:
        return lower.env[x.number]
    return lower.places.local(x.number)


@lowers(e.StateOf)
def _state_of(lower: Lower, x: e.StateOf) -> Any:
    return lower.places.state(x)


# ---------------------------------------------------------------- arithmetic


def defined(lower: Lower, operands: list[Expr], result: Any) -> Expr:
    """``result`` of the operands, none if one of them is none."""
    atoms = []
    guard: Expr = TRUE
    for operand in operands:
        if lower.b.ranges.of(operand).none:
            operand = lower.b.still(operand)
            guard = fold.both(guard, is_something(operand))
        atoms.append(operand)
    if guard == TRUE:
        made: Expr = result(*atoms)
        return made
    with lower.b.collect() as stmts:
        made = result(*atoms)
    if not stmts:
        return fold.choose(guard, made, Int(NONE))
    span = lower.b.ranges.of(made)
    var = lower.b.var(span=Span(span.low, span.high, True))
    lower.b.set(var, Int(NONE))
    lower.b.if_(guard, [*stmts, lir.Let(var, made)])
    return lir.Get(var)


@lowers(e.Arithmetic)
def _arithmetic(lower: Lower, x: e.Arithmetic) -> Any:
    left, right = lower.num(x.left), lower.num(x.right)
    return defined(lower, [left, right], lambda a, b: calculated(lower, x, a, b))


def calculated(lower: Lower, x: e.Arithmetic, left: Expr, right: Expr) -> Expr:
    b = lower.b
    if x.op in ("//", "%"):
        span = b.ranges.of(right)
        if span.low <= 0 <= span.high:
            right = b.atom(right)
            b.if_(fold.equal(right, FALSE), [b.trap(DIVIDE_BY_ZERO, "division by 0", x.span)])
    return narrowed(lower, x.op, left, right, x.span)


def narrowed(lower: Lower, op: str, left: Expr, right: Expr, place: Any) -> Expr:
    """The result of an operation, a fault if it is beyond 32 bits."""
    b = lower.b
    made = fold.binary(op, left, right)
    if isinstance(made, Int) or b.ranges.of(made).fits:
        return made
    if op not in ("+", "-", "*"):
        return made
    # Told before it is worked out: what overflows cannot be looked at afterwards.
    left, right = b.atom(left), b.atom(right)
    limit = Int(2**31 - 1)
    trap = b.trap(TOO_LARGE, "a number is beyond 32 bits", place)
    if op == "*":
        # |a| > limit // |b| for b other than 0
        size = b.let(fold.binary("max", right, fold.binary("-", FALSE, right)))
        mine = fold.binary("max", left, fold.binary("-", FALSE, left))
        b.if_(
            fold.both(fold.binary("!=", size, FALSE), fold.binary(">", mine, lir.Binary("//", limit, size))),
            [trap],
        )
    elif op == "+":
        up = fold.both(fold.binary(">", right, FALSE), fold.binary(">", left, fold.binary("-", limit, right)))
        down = fold.both(
            fold.binary("<", right, FALSE), fold.binary("<", left, fold.binary("-", Int(-(2**31 - 1)), right))
        )
        b.if_(fold.either(up, down), [trap])
    else:
        up = fold.both(fold.binary("<", right, FALSE), fold.binary(">", left, fold.binary("+", limit, right)))
        down = fold.both(
            fold.binary(">", right, FALSE), fold.binary("<", left, fold.binary("+", Int(-(2**31 - 1)), right))
        )
        b.if_(fold.either(up, down), [trap])
    var = b.var(span=clip(b.ranges.of(made)))
    b.set(var, made)
    return lir.Get(var)


def clip(span: Span) -> Span:
    limit = 2**31 - 1
    return Span(max(span.low, -limit), min(span.high, limit), span.none)


@lowers(e.Minimum)
def _minimum(lower: Lower, x: e.Minimum) -> Any:
    operands = [lower.num(x.left), lower.num(x.right)]
    return defined(lower, operands, lambda a, b: fold.binary("min", a, b))


@lowers(e.Maximum)
def _maximum(lower: Lower, x: e.Maximum) -> Any:
    operands = [lower.num(x.left), lower.num(x.right)]
    return defined(lower, operands, lambda a, b: fold.binary("max", a, b))


@lowers(e.Negative)
def _negative(lower: Lower, x: e.Negative) -> Any:
    return defined(lower, [lower.num(x.operand)], lambda a: fold.binary("-", FALSE, a))


# ---------------------------------------------------------------- conditions


@lowers(e.Not)
def _not(lower: Lower, x: e.Not) -> Any:
    return fold.negate(lower.condition(x.operand))


@lowers(e.And)
def _and(lower: Lower, x: e.And) -> Any:
    return lazily(lower, lower.condition(x.left), lambda: lower.condition(x.right), stop=False)


@lowers(e.Or)
def _or(lower: Lower, x: e.Or) -> Any:
    return lazily(lower, lower.condition(x.left), lambda: lower.condition(x.right), stop=True)


def lazily(lower: Lower, left: Expr, right: Any, *, stop: bool) -> Expr:
    """`and` (``stop`` false) or `or`: the right side happens only where the left does not settle it."""
    b = lower.b
    if isinstance(left, Int):
        return Int(int(bool(left.value))) if bool(left.value) == stop else right()
    with b.collect() as stmts:
        other = right()
    if lower.speculates and harmless(b.ranges, stmts, other):
        b.emit(*stmts)
        stmts = []
    if not stmts:
        return fold.either(left, other) if stop else fold.both(left, other)
    result = b.var(span=Span(0, 1))
    b.set(result, Int(int(stop)))
    done = [*stmts, lir.Let(result, other)]
    b.if_(fold.negate(left) if stop else left, done)
    return lir.Get(result)


def chosen(lower: Lower, condition: Expr, yes: Any, no: Any) -> Any:
    """The value of one of two branches, each written only where it holds."""
    b = lower.b
    if isinstance(condition, Int):
        return yes() if condition.value else no()
    with b.collect() as first:
        one = yes()
    with b.collect() as second:
        other = no()
    if isinstance(one, Coll) or isinstance(other, Coll):
        domain = domain_of_both(one, other)
        with b.collect() as more:
            one_bits = as_bits(lower, one, domain)
        first += more
        with b.collect() as more:
            other_bits = as_bits(lower, other, domain)
        second += more
        return BitsColl(settled(lower, condition, (one_bits,), (other_bits,), first, second)[0], domain)
    if isinstance(one, Key) or isinstance(other, Key):
        one_parts, other_parts = keyed(one), keyed(other)
        most = max(len(one_parts), len(other_parts))
        one_parts += (Int(NONE),) * (most - len(one_parts))
        other_parts += (Int(NONE),) * (most - len(other_parts))
        return Key(tuple(settled(lower, condition, one_parts, other_parts, first, second)))
    return settled(lower, condition, (one,), (other,), first, second)[0]


def keyed(value: Any) -> tuple[Expr, ...]:
    return value.parts if isinstance(value, Key) else (value,)


def domain_of_both(one: Coll, other: Coll) -> Domain:
    """That of the set that is one of two; an empty one has that of the other."""
    known = []
    for coll in (one, other):
        if isinstance(coll, EmptyColl):
            known += [] if coll.domain is None else [coll.domain]
            continue
        if coll.ordered:
            raise Unsupported("a choice between sequences")
        if coll.domain is None:
            raise Unsupported("a choice between collections that are no sets")
        known.append(coll.domain)
    if not known:
        raise Unsupported("a choice between collections that are no sets")
    first = min(domain.first for domain in known)
    return Domain(max(domain.first + domain.width for domain in known) - first, first)


def as_bits(lower: Lower, coll: Coll, domain: Domain) -> Expr:
    """A collection as bits of a domain."""
    from rulekit.compiled.gather import aligned

    return lower.b.atom(aligned(lower, coll, domain))


def settled(
    lower: Lower,
    condition: Expr,
    yes: tuple[Expr, ...],
    no: tuple[Expr, ...],
    first: list[lir.Stmt],
    second: list[lir.Stmt],
) -> list[Expr]:
    """The values of one branch or the other, after its statements."""
    b = lower.b
    if lower.speculates and harmless(b.ranges, [*first, *second], *yes, *no):
        b.emit(*first, *second)
        first, second = [], []
    if not first and not second:
        if len(yes) > 1:
            condition = b.atom(condition)
        return [fold.choose(condition, one, other) for one, other in zip(yes, no, strict=True)]
    found: list[Expr] = []
    for one, other in zip(yes, no, strict=True):
        span = join(b.ranges.of(one), b.ranges.of(other)) if isinstance(one.kind, lir.Number) else Span(0, 0)
        var = b.var(one.kind, span)
        first.append(lir.Let(var, one))
        second.append(lir.Let(var, other))
        found.append(lir.Get(var))
    b.if_(condition, first, second)
    return found


@lowers(e.If)
def _if(lower: Lower, x: e.If) -> Any:
    return chosen(lower, lower.condition(x.condition), lambda: lower.value(x.yes), lambda: lower.value(x.no))


@lowers(e.Choose)
def _choose(lower: Lower, x: e.Choose) -> Any:
    subject = lower.b.still(lower.num(x.subject))
    seen: set[Any] = set()
    rows: list[tuple[list[int], e.Expr]] = []
    for keys, result in x.rows:
        fresh = [NONE if key is None else int(key) for key in keys]
        fresh = [key for key in fresh if key not in seen]
        seen |= set(fresh)
        if fresh:
            rows.append((fresh, result))

    def from_row(number: int) -> Any:
        if number == len(rows):
            return Int(NONE) if x.default is None else lower.value(x.default)
        keys, result = rows[number]
        if number + 1 == len(rows) and x.default is None:
            return lower.value(result)
        fits: Expr = FALSE
        for key in keys:
            fits = fold.either(fits, fold.equal(subject, Int(key)))
        return chosen(lower, fits, lambda: lower.value(result), lambda: from_row(number + 1))

    return from_row(0)


@lowers(e.Same)
def _same(lower: Lower, x: e.Same) -> Any:
    left, right = lower.value(x.left), lower.value(x.right)
    if isinstance(left, Coll) and isinstance(right, Coll):
        if isinstance(right, EmptyColl):
            return fold.negate(left.some(lower))
        if isinstance(left, EmptyColl):
            return fold.negate(right.some(lower))
        return same_members(lower, left, right, x)
    if isinstance(left, Key) or isinstance(right, Key):
        one, other = keyed(left), keyed(right)
        if len(one) != len(other):  # one is `none`, written as that
            shorter, one = sorted((one, other), key=len)
            assert shorter == (Int(NONE),), "keys that are compared have as many parts"
            other = (Int(NONE),) * len(one)
        return Key(one).same(Key(other))
    return fold.equal(left, right)


def same_members(lower: Lower, left: Coll, right: Coll, x: e.Same) -> Expr:
    from rulekit.compiled.gather import aligned, common_domain

    if left.domain is not None and right.domain is not None:
        domain = common_domain(lower, left, right, x.left)
        return fold.same_bits(aligned(lower, left, domain), aligned(lower, right, domain))
    if left.sets is not None or right.sets is not None:
        raise Unsupported("whether collections of sets are the same", x.span)
    b = lower.b
    same = b.var(span=TRUTH)
    b.set(same, TRUE)
    for one, other in ((left, right), (right, left)):

        def look(value: Expr, other: Coll = other) -> None:
            b.if_(fold.negate(other.contains(lower, value)), [lir.Let(same, FALSE)])

        one.loop(lower, look)
    return lir.Get(same)


@lowers(e.Less)
def _less(lower: Lower, x: e.Less) -> Any:
    left, right = lower.value(x.left), lower.value(x.right)
    if isinstance(left, Key) or isinstance(right, Key):
        if Int(NONE) in (left, right):
            return FALSE
        one, other = (Key(tuple(lower.b.still(part) for part in keyed(side))) for side in (left, right))
        less = other.above(one)
        found = fold.either(less, one.same(other)) if x.or_equal else less
        for side, key in ((x.left, one), (x.right, other)):
            if isinstance(side.type, t.Optional):
                found = fold.both(key.there(), found)
        return found
    op = "<=" if x.or_equal else "<"
    guard: Expr = TRUE
    if lower.b.ranges.of(left).none:
        left = lower.b.still(left)
        guard = is_something(left)
    if lower.b.ranges.of(right).none:
        right = lower.b.still(right)
        guard = fold.both(guard, is_something(right))
    return fold.both(guard, fold.binary(op, left, right))


@lowers(e.KeyOf)
def _key_of(lower: Lower, x: e.KeyOf) -> Any:
    parts: tuple[Expr, ...] = ()
    for part in x.parts:
        parts += lower.key(part).parts
    return Key(parts)


# ---------------------------------------------------------------- defines


@lowers(e.CallDefine)
def _call_define(lower: Lower, x: e.CallDefine) -> Any:
    define = lower.program.defines[x.define]
    values = [argument(lower, a) for a in x.arguments]
    missing = object()
    outer = {number: lower.env.get(number, missing) for number in define.parameters}
    lower.env.update(zip(define.parameters, values, strict=True))
    try:
        return lower.value(define.body)
    finally:
        for number, value in outer.items():
            if value is missing:
                del lower.env[number]
            else:
                lower.env[number] = value


def argument(lower: Lower, x: e.Expr) -> Any:
    """The value of an argument, in a form that may be said several times."""
    value = lower.value(x)
    if isinstance(value, Expr):
        return lower.b.still(value)
    if isinstance(value, BitsColl):
        assert value.domain is not None
        return BitsColl(lower.b.atom(value.expr), value.domain)
    if isinstance(value, EmptyColl | ListColl):
        return value
    if isinstance(value, Coll) and value.domain is not None and not value.ordered and value.distinct:
        return BitsColl(lower.b.atom(value.bits(lower)), value.domain)
    return value


@lowers(e.Answered)
def _answered(lower: Lower, x: e.Answered) -> Any:
    order = list(lower.program.moves)
    answer = lower.b.still(_local(lower, e.Local(x.local, type=t.NOTHING)))
    found: Expr = FALSE
    for move in x.moves:
        found = fold.either(found, fold.equal(answer, Int(order.index(move))))
    return found
