"""What a player may do must follow from what that player may see.

For each move, a label is carried through every domain, condition and `again`: is the value known to the
player asked? How many cards lie in a zone is known, which cards only if the zone shows them. A legality that
needs more would tell secrets by what it refuses; such a rule is an act of the rules, to be written in `do`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings, Span
from rulekit.program import Program
from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program import types as t
from rulekit.program.walk import parts
from rulekit.records import field_names


@dataclass(frozen=True)
class Label:
    """What of a value is secret: None, or the words that name it.

    ``value``: the value itself, or which elements a collection has; ``size``: how many it has; ``place``:
    where the cards meant lie, though it may be known which they are.
    """

    value: str | None = None
    size: str | None = None
    span: Span | None = None
    place: str | None = None

    def __or__(self, other: Label) -> Label:
        size, place = self.size or other.size, self.place or other.place
        if self.value is None and other.value is not None:
            return Label(other.value, size, other.span, place)
        return Label(self.value or other.value, size, self.span or other.span, place)

    def as_value(self) -> Label:
        """A value that tells all of this."""
        return Label(self.value or self.size, self.value or self.size, self.span)

    def as_size(self) -> Label:
        """A value that tells how many there are."""
        return Label(self.size, self.size, self.span)


KNOWN = Label()
SOMEWHERE = "where a hidden card lies"
Names = Mapping[int, Label]


def check(study: Study, findings: Findings) -> None:
    """Reports legality that reads what the player asked may not see."""
    program = study.program
    if program.players == (1, 1):
        return
    labels = Labels(program)
    for move in program.moves.values():
        names: dict[int, Label] = {}
        parts: list[tuple[str, e.Expr]] = []
        for choice in move.choices:
            for entry in choice.entries:
                parts.append((f"what `{choice.name}` may be", entry.domain))
            names[choice.local] = KNOWN
        parts += [(f"the condition `{c.label}`", c.condition) for c in move.conditions]
        if move.again is not None:
            parts.append(("`again`", move.again))
        for what, expr in parts:
            found = labels.of(expr, names)
            secret = found.value
            if secret is not None:
                findings.error(
                    "RK687",
                    f"{what} in move `{move.name}` depends on {secret}",
                    found.span or expr.span or move.span,
                    expected="only what the player asked may see",
                    help="let everybody make the move, and say in `do` what comes of it",
                )


class Labels:
    """Labels of a program's expressions, for the player asked."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._defines: dict[tuple[str, tuple[Label, ...]], Label] = {}

    def of(self, x: e.Expr, names: Names) -> Label:
        """What of the value is secret."""
        match x:
            case e.Local(number):
                return names.get(number, KNOWN)
            case e.Deck() | e.Cards():
                return Label(span=x.span, place=SOMEWHERE)
            case e.Stacked(card):
                about = self.of(card, names)
                return Label(about.place, about.place, x.span) | about.as_value()
            case e.StateOf(name, index):
                return self.state(x, name, index, names)
            case e.ZoneCards(zone, index) | e.ZonePile(zone, index) | e.ZonePiles(zone, index):
                return self.zone(x, zone, index, names)
            case e.FamilyCards(zone):
                seen = self.seen_by(zone)
                return KNOWN if seen == "everyone" else Label(f"the cards in `{zone}`", None, x.span)
            case e.PileCards(pile):
                family = pile.type.zone if isinstance(pile.type, t.Pile) else None
                inner = self.of(pile, names)
                return inner if family is None else inner | self.zone(x, family, None, names)
            case e.CardFact(fact, card):
                return self.card_fact(x, fact, card, names)
            case e.FactOf(fact, card):
                declared = self.program.facts[fact]
                inner = self.of(card, names)
                return (self.of(declared.body, {**names, declared.local: inner}) | inner).as_value()
            case e.Count(of) | e.AnyOf(of) if not isinstance(getattr(of.type, "of", None), t.Bool):
                return self.of(of, names).as_size()
            case e.Filter(domain, local, condition):
                return self.filter(domain, local, condition, names)
            case e.Collect(domain, local, value) | e.Every(domain, local, value):
                return self.each(domain, local, value, names)
            case e.Extreme(_, domain, local, key):
                return self.each(domain, local, key, names)
            case e.If(condition, yes, no):
                return self.of(condition, names).as_value() | self.of(yes, names) | self.of(no, names)
            case e.Choose(subject, rows, default):
                found = self.of(subject, names).as_value()
                for _, value in rows:
                    found |= self.of(value, names)
                return found if default is None else found | self.of(default, names)
            case e.CallDefine(name, arguments):
                return self.call(name, arguments, names)
            case e.Union(left, right) | e.Intersection(left, right) | e.Difference(left, right):
                a, b = self.of(left, names), self.of(right, names)
                both = a | b
                if isinstance(x, e.Intersection) and not (a.place and b.place):
                    both = replace(both, place=None)  # they lie where the other side says
                if isinstance(x, e.Union) and disjoint(left, right):
                    return Label(both.value, both.size, both.span)
                return both if both.value is None else both.as_value()
            case e.One(of):
                about = self.of(of, names)
                return Label(about.value, None, x.span, about.place)
            case p.Matches() | p.Instances() | p.BestInstance() | p.Tail() | p.Inside() | p.Beats():
                return self.all(self.children(x), names).as_value()
        return self.all(self.children(x), names).as_value()

    def each(self, domain: e.Expr, local: int, value: e.Expr, names: Names) -> Label:
        """A value for every element of a domain."""
        whole = self.of(domain, names)
        return (whole | self.of(value, {**names, local: self.element(whole)})).as_value()

    def all(self, parts: Iterator[e.Expr], names: Names) -> Label:
        found = KNOWN
        for part in parts:
            found |= self.of(part, names)
        return found

    def children(self, x: e.Expr) -> Iterator[e.Expr]:
        return (part for part in parts(x) if isinstance(part, e.Expr))

    def element(self, whole: Label) -> Label:
        """One of the elements."""
        return Label(whole.value, whole.value, whole.span, whole.place)

    # ------------------------------------------------------------ who sees what

    def seen_by(self, zone: str) -> str:
        found = self.program.zones.get(zone)
        return found.seen_by if found is not None else "nobody"

    def zone(self, x: e.Expr, zone: str, index: e.Expr | None, names: Names) -> Label:
        inner = self.of(index, names).as_value() if index is not None else KNOWN
        if self.sees(self.seen_by(zone), index):
            return inner
        secret = "face-down cards" if self.seen_by(zone) == "face" else "the cards"
        return inner | Label(f"{secret} in `{zone}`", None, x.span)

    def state(self, x: e.Expr, name: str, index: e.Expr | None, names: Names) -> Label:
        found = self.program.state[name]
        inner = self.of(index, names).as_value() if index is not None else KNOWN
        if self.sees(found.seen_by, index):
            return inner
        return inner | Label(f"`{name}`, which is hidden", f"`{name}`, which is hidden", x.span)

    def sees(self, viewer: str, index: e.Expr | None) -> bool:
        """The player asked sees what this viewer sees, of this member."""
        mine = isinstance(index, e.Me)
        match viewer:
            case "everyone":
                return True
            case "owner":
                return mine
            case "others":
                return index is not None and not mine and is_other(index)
            case "team":
                return mine or (isinstance(index, e.TeamOf) and isinstance(index.player, e.Me))
        return False

    # ------------------------------------------------------------ cards

    def card_fact(self, x: e.Expr, fact: str, card: e.Expr, names: Names) -> Label:
        """What is printed is as secret as the card; who moved it and how it lies is known of any place."""
        inner = self.of(card, names)
        if fact not in ("face", "player", "owner", "pile"):
            return inner.as_value()
        if inner.place is not None:
            return Label(SOMEWHERE, SOMEWHERE, x.span)
        return KNOWN if placed(card) else inner.as_value()

    def filter(self, domain: e.Expr, local: int, condition: e.Expr, names: Names) -> Label:
        """Which elements remain; their number is secret only if the condition looks at something secret."""
        whole = self.of(domain, names)
        shown = is_face_up(condition, local)
        if shown and isinstance(domain, (e.ZoneCards, e.PileCards)):
            return Label(None, whole.size, whole.span, whole.place)  # cards that lie face up are seen
        tested = self.of(condition, {**names, local: self.element(whole)})
        span = whole.span if whole.value else tested.span
        return Label(whole.value or tested.value, whole.size or tested.value, span, whole.place)

    def call(self, name: str, arguments: tuple[e.Expr, ...], names: Names) -> Label:
        define = self.program.defines[name]
        # A parameter that is the player asked stays recognisable only by what is substituted for it.
        given = tuple(self.of(argument, names) for argument in arguments)
        mine = {
            number: argument
            for number, argument in zip(define.parameters, arguments, strict=True)
            if isinstance(argument, e.Me)
        }
        if mine:
            body = substituted(define.body, mine)
            rest = {n: label for n, label in zip(define.parameters, given, strict=True) if n not in mine}
            return self.of(body, rest)
        key = (name, given)
        if key not in self._defines:
            self._defines[key] = self.of(define.body, dict(zip(define.parameters, given, strict=True)))
        return self._defines[key]


def is_other(index: e.Expr) -> bool:
    """Surely another player than the one asked."""
    return isinstance(index, e.Seat) and index.kind in ("left", "right", "opponent", "partner", "across")


def disjoint(left: e.Expr, right: e.Expr) -> bool:
    """Two different zones hold no card in common."""
    return isinstance(left, e.ZoneCards) and isinstance(right, e.ZoneCards) and left.zone != right.zone


def placed(card: e.Expr) -> bool:
    """The card is named by where it lies: its place is known, though perhaps not its face."""
    match card:
        case e.End(of):
            return placed(of)
        case e.ZoneCards() | e.PileCards() | e.FamilyCards():
            return True
        case e.Local():
            return True
    return False


def is_face_up(condition: e.Expr, local: int) -> bool:
    """The condition says that the element lies face up (perhaps among other things)."""
    match condition:
        case e.And(left, right):
            return is_face_up(left, local) or is_face_up(right, local)
        case e.Same(e.CardFact("face", e.Local(number)), e.Constant(value=1)):
            return number == local
    return False


def substituted(x: e.Expr, values: Mapping[int, e.Expr]) -> e.Expr:
    """The expression with locals replaced."""
    if isinstance(x, e.Local):
        return values.get(x.number, x)
    changes: dict[str, object] = {}
    for name in field_names(type(x)):
        if name in ("type", "span"):
            continue
        old = getattr(x, name)
        new = substituted_in(old, values)
        if new is not old:
            changes[name] = new
    return replace(x, **changes) if changes else x  # type: ignore[arg-type]


def substituted_in(value: object, values: Mapping[int, e.Expr]) -> object:
    if isinstance(value, e.Expr):
        return substituted(value, values)
    if isinstance(value, tuple):
        new = tuple(substituted_in(item, values) for item in value)
        return new if any(a is not b for a, b in zip(new, value, strict=True)) else value
    return value
