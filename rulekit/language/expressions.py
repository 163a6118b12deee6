"""Expressions: from syntax to typed program. Names are in `lookup`, functions in `functions`."""

from __future__ import annotations

from rulekit.cards import Face
from rulekit.diagnostics import Span, nearest
from rulekit.language import syntax as s
from rulekit.language.arithmetic import Arithmetic
from rulekit.language.chains import balanced, spine
from rulekit.language.coerce import (
    as_cards,
    as_collection,
    as_pile,
    element,
    fit,
    is_collection,
    join,
    orderable,
    require,
    same_kind,
    strip,
)
from rulekit.language.combinations import Combinations
from rulekit.language.functions import Functions
from rulekit.language.known import present_if
from rulekit.language.lookup import Lookup
from rulekit.language.one_form import one_form
from rulekit.language.spans import shortened, word_span
from rulekit.language.world import UNKNOWN, It, Scope, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import types as t


class Expressions(Lookup, Functions, Combinations, Arithmetic):
    """Checks expressions of one file."""

    def __init__(self, world: World) -> None:
        self.world = world

    # ------------------------------------------------------------ entry points

    def expr(self, node: s.Expr, scope: Scope, want: t.Type | None = None) -> e.Expr:
        """The typed expression. ``want`` says which words and literals are meant; it is not enforced."""
        match node:
            case s.Name():
                found = self.name(node, scope, want)
            case s.Literals():
                found = self.literals(node, scope, want)
            case s.Nothing():
                found = e.Constant(None, type=t.NOTHING, span=node.span)
            case s.Truth(value):
                found = e.Constant(value, type=t.BOOL, span=node.span)
            case s.Of():
                found = self.of(node, scope, want)
            case s.Call():
                found = self.call(node, scope, want)
            case s.By():
                found = self.misplaced(node, "`by` stands only in `highest(X by KEY)` and its like")
            case s.Key():
                found = self.key(node, scope)
            case s.Negate(operand):
                found = self.negate(operand, node.span, scope)
            case s.Not(operand):
                inner = self.condition(operand, scope)
                found = e.Not(inner, type=t.BOOL, span=node.span)
            case s.Logic():
                found = self.logic(node, scope)
            case s.Compare():
                found = self.compare(node, scope)
            case s.In():
                found = self.contains(node, scope)
            case s.Arith():
                found = self.arithmetic(node, scope, want)
            case s.Clip():
                found = self.clip(node, scope)
            case s.Range():
                found = self.range(node, scope)
            case s.From():
                found = self.selection(node, scope)
            case s.Starting():
                found = self.rounds(node, scope)
            case s.Where():
                found = self.where(node, scope, want)
            case s.Cond():
                found = self.cond(node, scope, want)
            case s.Is() | s.Beats() | s.Qualified() | s.Outside() | s.Inside():
                found = self.relation(node, scope)
            case _:
                found = self.misplaced(node, "this cannot stand here")
        if isinstance(found.type, t.Optional) and scope.present and one_form(found) in scope.present:
            from rulekit.language.coerce import retyped

            found = retyped(found, found.type.of)
        self.world.note(node.span, found.type)
        return found

    def condition(self, node: s.Expr, scope: Scope) -> e.Expr:
        """An expression that is true or false."""
        found = self.expr(node, scope, t.BOOL)
        if isinstance(found.type, (t.Bool, Unknown)):
            return found
        help = None
        if is_collection(found.type):
            help = "to ask whether there is any, write `any(...)`"
        elif isinstance(strip(found.type), t.Int):
            help = "compare the number: `... > 0`"
        elif isinstance(found.type, t.Optional):
            help = "to ask whether there is one, write `... != none`"
        elif not isinstance(found.type, t.Nothing):
            help = f"compare it: `{shortened(node.span)} == ...`"
        self.world.findings.error(
            "RK503", f"here stands {found.type}, where a condition is needed", node.span,
            expected="something true or false", help=help,
        )  # fmt: skip
        return self.world.unknown(node.span)

    def value(self, node: s.Expr, scope: Scope, want: t.Type, what: str | None = None) -> e.Expr:
        """An expression of the wanted type, or a finding."""
        return require(self.expr(node, scope, want), want, self.world, node.span, what)

    def number(self, node: s.Expr, scope: Scope) -> e.Expr:
        """A number that is surely there."""
        return self.as_number(self.expr(node, scope, t.Int()), node)

    def as_number(self, found: e.Expr, node: s.Expr) -> e.Expr:
        """The expression, if it is surely a number."""
        if isinstance(found.type, (t.Int, Unknown)):
            return found
        if isinstance(found.type, t.Optional) and isinstance(found.type.of, t.Int):
            self.may_be_none(node)
        else:
            self.world.findings.error(
                "RK504", f"here stands {found.type}, where a number is needed", node.span, expected="a number"
            )
        return self.world.unknown(node.span)

    def may_be_none(self, node: s.Expr) -> None:
        """Report a number that is reckoned with and may be none."""
        help = f"guard it: `if {shortened(node.span)} != none then ... else ...`"
        match node:
            case s.Call(s.Name("sum"), (s.Of(name, s.Name() as several),)):
                picked = f"sum({name.id} of ({several.id} where {name.id} != none))"
                help = f"leave out what has none: `{picked}`"
        self.world.findings.error(
            "RK506", f"`{shortened(node.span)}` may be none", node.span, expected="a number", help=help
        )  # fmt: skip

    def cards(self, node: s.Expr, scope: Scope) -> e.Expr:
        """The cards an expression stands for."""
        found = self.expr(node, scope, t.CARDS)
        cards = as_cards(found, self.world)
        if cards is not None:
            return cards
        self.world.findings.error(
            "RK505", f"here stands {found.type}, where cards are needed", node.span, expected="cards"
        )
        return self.world.unknown(node.span)

    def collection(self, node: s.Expr, scope: Scope, want: t.Type | None = None) -> e.Expr:
        """A set, sequence, bag or domain of selections."""
        found = self.expr(node, scope, want)
        several = as_collection(found, self.world)
        if several is not None:
            return several
        self.world.findings.error(
            "RK513", f"here stands {found.type}, where several things are needed", node.span,
            expected="a set of cards, players, numbers ...",
            help=f"for numbers write a range: `1..{shortened(node.span)}`" if isinstance(found.type, t.Int)
            else None,
        )  # fmt: skip
        return self.world.unknown(node.span)

    def misplaced(self, node: s.Expr, why: str) -> e.Expr:
        self.world.findings.error("RK517", why, node.span)
        return self.world.unknown(node.span)

    # ------------------------------------------------------------ literals

    def literals(self, node: s.Literals, scope: Scope, want: t.Type | None) -> e.Expr:
        """Cards, ranks, a number, or in examples a seat."""
        words = node.words
        if scope.seats and len(words) == 1 and words[0][0] == "P" and words[0][1:].isdigit():
            if not 1 <= int(words[0][1:4]) <= scope.seats or len(words[0]) > 3:
                self.no_seat(words[0], node.span, scope)
                return self.world.unknown(node.span)
            return e.Constant(int(words[0][1:]) - 1, type=t.PLAYER, span=node.span)
        wanted = strip(want) if want is not None else None
        if isinstance(wanted, t.Collection):
            wanted = element(wanted)
        plain = self.world.ranks[: self.world.plain_ranks]
        as_ranks = all(word in plain or word == "T" for word in words)  # an extra card is a card first
        if isinstance(wanted, t.Rank) or (
            as_ranks and not isinstance(wanted, t.Int) and (len(words) > 1 or not words[0].isdigit())
        ):
            ranks = [self.rank(word) for word in words]
            if all(rank is not None for rank in ranks):
                places = tuple(sorted({rank for rank in ranks if rank is not None}))
                if len(places) == 1 and len(words) == 1:
                    return e.Constant(places[0], type=t.RANK, span=node.span)
                return e.Constant(places, type=t.SetOf(t.RANK), span=node.span)
        if isinstance(wanted, t.Rank) and all(self.world.face(word) is None for word in words):
            self.unknown_literal(node, next(word for word in words if self.rank(word) is None))
            return self.world.unknown(node.span)
        if len(words) == 1 and words[0].isdigit():
            if len(words[0]) > 10 or int(words[0]) > t.LIMIT:
                if not self.world.reported(node.span):
                    self.world.findings.error(
                        "RK519", f"`{words[0]}` is too large a number", node.span,
                        expected=f"at most {t.LIMIT}",
                    )  # fmt: skip
                return self.world.unknown(node.span)
            number = int(words[0])
            return e.Constant(number, type=t.Int(number, number), span=node.span)
        if isinstance(wanted, t.Int) and all(word.isdigit() for word in words):
            several = isinstance(want, t.Collection)
            self.world.findings.error(
                "RK513", f"`{node.span.text}` is no {'set of numbers' if several else 'number'}", node.span,
                expected="a range: `3..5`" if several else "one number",
                help="name the numbers one by one: `n == 3 or n == 5`" if several else None,
            )  # fmt: skip
            return self.world.unknown(node.span)
        if isinstance(wanted, t.Suit) and len(words) == 1 and self.world.face(words[0]) is None:
            suit = next((suit.name for suit in self.world.suits if suit.letter == words[0]), None)
            self.world.findings.error(
                "RK405", f"`{words[0]}` is not a suit", node.span,
                expected=" or ".join(f"`{name}`" for name in self.world.suit_names()),
                help=f"did you mean `{suit}`?" if suit else None, suggestion=suit,
            )  # fmt: skip
            return self.world.unknown(node.span)
        faces: list[Face] = []
        for word in words:
            face = self.world.face(word)
            if face is None:
                self.unknown_literal(node, word)
                return self.world.unknown(node.span)
            faces.append(face)
        single = len(faces) == 1 and not self.world.many_copies
        return e.Cards(tuple(faces), type=t.CARD if single else t.CARDS, span=node.span)

    def no_seat(self, seat: str, span: Span, scope: Scope) -> None:
        """Report a seat that the example has not."""
        fits = seat[1:].isdigit() and 0 < int(seat[1:4]) <= self.world.tree.players[1]
        self.world.findings.error(
            "RK824", f"there is no seat {seat} among {scope.seats} players", span,
            expected="`P1`" if scope.seats == 1 else f"`P1` to `P{scope.seats}`",
            help="say `players:` in the example" if fits else None,
        )  # fmt: skip

    def rank(self, word: str) -> int | None:
        """The place of a rank, `T` meaning 10."""
        if word == "T" and "T" not in self.world.ranks:
            word = "10"
        return self.world.ranks.index(word) if word in self.world.ranks else None

    def unknown_literal(self, node: s.Literals, word: str) -> None:
        """Report a card or rank that the pack's notation has not, at its own place."""
        if self.world.notation_broken or self.world.said_often("RK408", word):
            return
        span = word_span(node.span, node.words, word)
        letters = [suit.letter for suit in self.world.suits]
        faces = [rank + letter for rank in self.world.ranks[: self.world.plain_ranks] for letter in letters]
        near = nearest(word, self.world.ranks if word.isdigit() else [*self.world.ranks, *faces], cutoff=0.5)
        help = f"did you mean `{near}`?" if near else None
        if word[0] == "P" and word[1:].isdigit():
            near, help = None, "seats have names only in examples: name the player, as in `left of dealer`"
        elif word[:-1] in self.world.ranks and word[-1].isalpha() and word[-1] not in letters:
            near, help = None, f"the suits are {', '.join(f'`{letter}`' for letter in letters)}"
        self.world.findings.error(
            "RK408", f"the pack has no `{word}`", span,
            expected=f"a rank ({' '.join(self.world.ranks)}), a card like `{[*faces, 'QS'][0]}`, or a number",
            help=help, suggestion=near,
        )  # fmt: skip

    # ------------------------------------------------------------ operators

    def key(self, node: s.Key, scope: Scope) -> e.Expr:
        parts = []
        for part in node.parts:
            found = self.expr(part, scope)
            if not orderable(strip(found.type)):
                self.world.findings.error(
                    "RK511", f"`{part.span.text}` is {found.type}, which has no order", part.span,
                    expected="a number, condition, rank, suit or word",
                )  # fmt: skip
            parts.append(found)
        return e.KeyOf(tuple(parts), type=t.Key(tuple(p.type for p in parts)), span=node.span)

    def negate(self, operand: s.Expr, span: Span, scope: Scope) -> e.Expr:
        inner = self.number(operand, scope)
        if isinstance(inner.type, t.Int):
            if isinstance(inner, e.Constant) and isinstance(inner.value, int):
                return e.Constant(-inner.value, type=t.Int(-inner.value, -inner.value), span=span)
            return e.Negative(inner, type=t.Int(-inner.type.high, -inner.type.low), span=span)
        return self.world.unknown(span)

    def logic(self, node: s.Logic, scope: Scope) -> e.Expr:
        """A chain of one operator; each term may rely on what those before it have told."""
        terms = spine(node)
        found: list[e.Expr] = []
        for term in terms:
            found.append(self.condition(term, scope))
            scope = scope.knowing(present_if(found[-1], node.op == "and"))
        kind = e.And if node.op == "and" else e.Or
        return balanced(found, lambda a, b: kind(a, b, type=t.BOOL, span=node.span))

    def cond(self, node: s.Cond, scope: Scope, want: t.Type | None) -> e.Expr:
        condition = self.condition(node.condition, scope)
        yes = self.expr(node.yes, scope.knowing(present_if(condition, True)), want)
        no = self.expr(node.no, scope.knowing(present_if(condition, False)), want)
        of, yes, no = self.joined(yes, no, node.span)
        return e.If(condition, yes, no, type=of, span=node.span)

    def joined(self, a: e.Expr, b: e.Expr, span: Span) -> tuple[t.Type, e.Expr, e.Expr]:
        """The common type of two values, each brought to it."""
        of = join(a.type, b.type)
        if of is None and (is_collection(a.type) or is_collection(b.type)):
            several, other = (a, b) if is_collection(a.type) else (b, a)
            fitted = fit(other, several.type, self.world)
            if fitted is not None:
                of = join(several.type, fitted.type)
                a, b = (a, fitted) if several is a else (fitted, b)
        if of is None:
            self.world.findings.error(
                "RK507", f"one branch is {a.type}, the other {b.type}", b.span or span,
                expected="both branches of one type",
            )  # fmt: skip
            of = UNKNOWN
        return of, a, b

    def pair(self, left: s.Expr, right: s.Expr, scope: Scope) -> tuple[e.Expr, e.Expr]:
        """Both sides of a relation; the side whose words have a type of their own is read first."""
        if self.is_open(left, scope) and not self.is_open(right, scope):
            b = self.expr(right, scope)
            return self.expr(left, scope, strip(b.type)), b
        a = self.expr(left, scope)
        return a, self.expr(right, scope, strip(a.type))

    def is_open(self, node: s.Expr, scope: Scope) -> bool:
        """A word or literal whose meaning depends on what is expected."""
        if isinstance(node, s.Literals):
            return True
        return isinstance(node, s.Name) and not self.is_declared(node.id, scope)

    def compare(self, node: s.Compare, scope: Scope) -> e.Expr:
        a, b = self.pair(node.left, node.right, scope)
        if node.op in ("==", "!="):
            same = self.same(a, b, node, scope)
            return same if node.op == "==" else e.Not(same, type=t.BOOL, span=node.span)
        for side, at in ((a, node.left), (b, node.right)):
            if not orderable(strip(side.type)):
                self.world.findings.error(
                    "RK511", f"`{at.span.text}` is {side.type}, which has no order", at.span,
                    expected="a number, rank, suit, word or key",
                    help="count it: `count(...)`" if is_collection(side.type) else None,
                )  # fmt: skip
                return self.world.unknown(node.span)
        if not same_kind(a.type, b.type):
            self.different(a, b, node.span)
            return self.world.unknown(node.span)
        swap = node.op in (">", ">=")
        if swap:
            a, b = b, a
        return e.Less(a, b, node.op in ("<=", ">="), type=t.BOOL, span=node.span)

    def same(self, a: e.Expr, b: e.Expr, node: s.Compare, scope: Scope) -> e.Expr:
        if is_collection(a.type) != is_collection(b.type) and not isinstance(a.type, t.Nothing):
            several, single, at = (a, b, node.right) if is_collection(a.type) else (b, a, node.left)
            face = several if isinstance(several, e.Cards) else None
            if face is not None and isinstance(strip(single.type), t.Card):
                self.world.findings.error(
                    "RK510", f"the pack may hold more than one `{face.span.text if face.span else ''}`",
                    node.span, expected="`in` for a face with several copies", help="write `X in FACE`",
                )  # fmt: skip
                return self.world.unknown(node.span)
            fitted = fit(single, several.type, self.world)
            if fitted is None:
                self.different(a, b, at.span)
                return self.world.unknown(node.span)
            a, b = (a, fitted) if several is a else (fitted, b)
        if not same_kind(a.type, b.type):
            pile_a, pile_b = as_pile(a), as_pile(b)
            if pile_a is None or pile_b is None:
                self.different(a, b, node.span, self.outer_it(node, a, b, scope))
                return self.world.unknown(node.span)
            a, b = pile_a, pile_b
        return e.Same(a, b, type=t.BOOL, span=node.span)

    def different(self, a: e.Expr, b: e.Expr, span: Span, help: str | None = None) -> None:
        for several, single in ((a, b), (b, a)):
            if help is None and is_collection(several.type) and isinstance(strip(single.type), t.Int):
                shown = several.span.text if several.span is not None else "..."
                help = f"count it: `count({shown})`"
        self.world.findings.error(
            "RK502", f"{a.type} is compared with {b.type}", span, expected="two things of one kind", help=help
        )

    def outer_it(self, node: s.Compare, a: e.Expr, b: e.Expr, scope: Scope) -> str | None:
        """What to do where `it` should be that of an outer condition."""
        for side, other in ((node.left, b), (node.right, a)):
            outer = any(same_kind(it.type, other.type) for it in scope.its[:-1])
            if isinstance(side, s.Name) and side.id == "it" and outer:
                return f"`it` is {scope.its[-1].type} here: hand the outer one to a define"
        return None

    def contains(self, node: s.In, scope: Scope) -> e.Expr:
        if self.is_open(node.left, scope) and not self.is_open(node.right, scope):
            whole = self.collection(node.right, scope)
            part = self.expr(node.left, scope, element(whole.type))
        else:
            part = self.expr(node.left, scope)
            of = element(part.type) if is_collection(part.type) else strip(part.type)
            whole = self.collection(node.right, scope, t.SetOf(of))
        found: e.Expr
        if isinstance(element(whole.type), t.Pile):
            pile = as_pile(part)
            part = pile if pile is not None else part
        elif isinstance(strip(part.type), t.Pile):
            part = as_cards(part, self.world) or part
        if isinstance(strip(part.type), t.Team) and isinstance(element(whole.type), t.Player):
            part = e.TeamPlayers(part, type=t.PLAYERS, span=part.span)
        if is_collection(part.type):
            if not same_kind(element(part.type), element(whole.type)):
                self.different(part, whole, node.span)
                return self.world.unknown(node.span)
            found = e.Subset(part, whole, type=t.BOOL, span=node.span)
        else:
            if not same_kind(part.type, element(whole.type)):
                self.world.findings.error(
                    "RK502", f"{part.type} cannot be in {whole.type}", node.span,
                    expected="an element and a set of its kind",
                )  # fmt: skip
                return self.world.unknown(node.span)
            found = e.Contains(part, whole, type=t.BOOL, span=node.span)
        return e.Not(found, type=t.BOOL, span=node.span) if node.negated else found

    def selection(self, node: s.From, scope: Scope) -> e.Expr:
        head = node.left.name if isinstance(node.left, s.Call) else node.left
        if isinstance(head, s.Name) and head.id in self.world.patterns:
            return self.instances(node, scope)
        high: e.Expr | None
        if isinstance(node.left, s.Range):
            low = self.number(node.left.low, scope)
            high = self.number(node.left.high, scope) if node.left.high is not None else None
        else:
            low = high = self.number(node.left, scope)
        if isinstance(low.type, t.Int) and high is not None and isinstance(high.type, t.Int) and (
            high.type.high < low.type.low
        ):  # fmt: skip
            self.world.findings.error(
                "RK425", f"the range `{shortened(node.left.span)}` is empty", node.left.span,
                expected="the smaller number first",
            )  # fmt: skip
        if isinstance(low.type, t.Int) and low.type.high < 0:
            self.world.findings.error(
                "RK425", f"{shortened(node.left.span)} of something cannot be chosen", node.left.span,
                expected="a number from 0",
            )  # fmt: skip
        source = self.collection(node.right, scope, t.CARDS)
        if isinstance(source.type, Unknown):
            return source
        of = element(source.type)
        return e.Selections(low, high, source, type=t.SelectionsOf(of), span=node.span)

    def rounds(self, node: s.Starting, scope: Scope) -> e.Expr:
        players = self.value(node.left, scope, t.PLAYERS)
        start = self.value(node.right, scope, t.PLAYER)
        return e.Rounds(players, start, type=t.SeqOf(t.PLAYER), span=node.span)

    def where(self, node: s.Where, scope: Scope, want: t.Type | None) -> e.Expr:
        domain = self.collection(node.domain, scope, want)
        of = element(domain.type)
        local = self.world.new_local("it", of, lasting=False)
        condition = self.condition(node.condition, scope.with_it(It(local, of)))
        return e.Filter(domain, local, condition, type=domain.type, span=node.span)

    # ------------------------------------------------------------ over many

    def over(self, domain: e.Expr, each: e.Expr, local: int, span: Span) -> e.Expr:
        """`each` for every element of a domain: a bag of numbers, conditions and keys, else a set."""
        of = each.type
        if isinstance(of, Unknown):
            return self.world.unknown(span)
        if is_collection(of):
            return e.Collect(domain, local, each, flatten=True, type=t.SetOf(element(of)), span=span)
        if isinstance(strip(of), (t.Int, t.Bool, t.Key)):
            return e.Collect(domain, local, each, type=t.BagOf(of), span=span)
        return e.Collect(domain, local, each, type=t.SetOf(strip(of)), span=span)
