"""Defines, facts about cards, and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulekit.cards import PIPS, USUAL_SUITS
from rulekit.diagnostics import Span, nearest
from rulekit.diagnostics.suggest import one_slip
from rulekit.language import syntax as s
from rulekit.language.coerce import element, fit, is_collection, join, optional, same_kind, strip
from rulekit.language.expressions import Expressions
from rulekit.language.known import names_in
from rulekit.language.tree import Table, TableRow
from rulekit.language.world import UNKNOWN, It, LocalRef, Scope, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import DefineDef, FactDef
from rulekit.program.walk import parts

#: An `int` parameter holds numbers of this range: wide enough for money, narrow enough to multiply.
PARAMETER_INT = t.Int(-1_000_000, 1_000_000)


MOST_OPEN = 40  #: definitions that may be begun while others wait for them
MOST_DEEP = 250  #: expressions inside each other, defines and facts written out


class Definitions(Expressions):
    """The expression checker, completed by what the file itself defines."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.open: list[str] = []  # being checked: meeting one again is recursion
        self.circles: set[frozenset[str]] = set()  # reported
        self.named: dict[str, list[str]] = {}  # the names that stand in a define or fact
        self.depths: dict[str, int] = {}  # of defines and facts, with all that they rest on

    def parameter_type(self, parameter: s.Parameter) -> t.Type:
        """The type of a parameter of a define or phase."""
        name = parameter.type.name.id
        simple: dict[str, t.Type] = {
            "bool": t.BOOL, "int": PARAMETER_INT, "player": t.PLAYER, "team": t.TEAM, "suit": t.SUIT,
            "rank": t.RANK, "card": t.CARD, "pile": t.PILE, "players": t.PLAYERS, "cards": t.CARDS,
        }  # fmt: skip
        of = simple.get(name) or (t.Word(name) if name in self.world.words else None)
        if of is None:
            near = nearest(name, [*simple, *self.world.words])
            self.world.findings.error(
                "RK415", f"there is no type `{name}` for a parameter", parameter.type.span,
                expected=", ".join(f"`{x}`" for x in simple),
                help=f"did you mean `{near}`?" if near else None, suggestion=near,
            )  # fmt: skip
            return UNKNOWN
        return optional(of) if parameter.type.optional else of

    # ------------------------------------------------------------ defines

    def define(self, name: str, span: Span) -> DefineDef | None:
        """The checked define; each is checked once, when first needed."""
        world = self.world
        if not self.open:
            self.check_first(name)
        if name in world.defines:
            return world.defines[name]
        if name in self.open:
            self.circle(name, name, span)
            return None
        if self.too_many_open(name, span):
            return None
        tree, use = world.define_trees[name]
        self.open.append(name)
        world.me_reads.append(False)
        numbers: list[int] = []
        scope = Scope(me=True, use=use, owner=name)
        for parameter in tree.signature.parameters:
            of = self.parameter_type(parameter)
            self.check_local(parameter.name, scope)
            number = world.new_local(parameter.name.id, of, lasting=False)
            world.note(parameter.name.span, of)
            numbers.append(number)
            ref = LocalRef(number, of, "parameter", parameter.name.span)
            scope = scope.with_names({parameter.name.id: ref})
        if isinstance(tree.body, Table):
            body = self.table(tree.body, scope)
        else:
            body = self.expr(tree.body, scope)
        reads_me = world.me_reads.pop()
        self.open.pop()
        body = self.measured(name, body, tree.signature.name)
        world.defines[name] = DefineDef(
            name, body.type, tuple(numbers), body,
            reads_me and world.tree.players != (1, 1), use.block.name.id if use else None,
            text=tree.text.text if tree.text else None, span=tree.signature.name.span,
        )  # fmt: skip
        return world.defines[name]

    # ------------------------------------------------------------ order and depth

    def check_first(self, key: str) -> None:
        """Check what a define or fact rests on before it, so that no chain of them is walked by recursion."""
        done: set[str] = set()
        stack: list[tuple[str, Iterator[str]]] = [(key, iter(self.rests_on(key)))]
        while stack:
            top, rest = stack[-1]
            other = next((x for x in rest if x not in done), None)
            if other is not None:
                done.add(other)
                stack.append((other, iter(self.rests_on(other))))
                continue
            stack.pop()
            if stack and top != key and not self.open:
                self.open.append("")  # what it rests on is checked already
                self.define_or_fact(top)
                self.open.remove("")

    def define_or_fact(self, key: str) -> None:
        world = self.world
        if key.startswith("card."):
            self.fact(key[5:], world.fact_trees[key[5:]].span)
        else:
            self.define(key, world.define_trees[key][0].span)

    def rests_on(self, key: str) -> list[str]:
        """Defines and facts that are not yet checked and whose names stand in a define or fact."""
        world = self.world
        if key.startswith("card."):
            body = world.fact_trees[key[5:]].body
        else:
            tree, use = world.define_trees[key]
            if use is not None:
                return []
            body = tree.body
        found: list[str] = []
        names = self.named.get(key)
        if names is None:
            names = self.named[key] = sorted(names_in(body))
        for name in names:
            if name in world.fact_trees and name not in world.facts:
                found.append(f"card.{name}")
            elif name in world.define_trees and name not in world.defines:
                found.append(name)
        return found

    def too_many_open(self, name: str, span: Span) -> bool:
        if len(self.open) < MOST_OPEN:
            return False
        self.too_deep(name, span)
        return True

    def too_deep(self, name: str, span: Span) -> None:
        self.world.findings.error(
            "RK521", f"`{name}` rests on too many other definitions, one upon the other", span,
            expected=f"at most {MOST_DEEP} expressions inside each other, all definitions written out",
            help="join some of them",
        )  # fmt: skip

    def measured(self, key: str, body: e.Expr, name: s.Name) -> e.Expr:
        """The body, unless with all that it rests on it is too deep to be evaluated."""
        deepest = 0
        todo: list[tuple[e.Expr, int]] = [(body, 1)]
        while todo:
            x, depth = todo.pop()
            if isinstance(x, e.CallDefine):
                deepest = max(deepest, depth + self.depths.get(x.define, 0))
            elif isinstance(x, e.FactOf):
                deepest = max(deepest, depth + self.depths.get(f"card.{x.fact}", 0))
            deepest = max(deepest, depth)
            todo += [(part, depth + 1) for part in parts(x) if isinstance(part, e.Expr)]
        self.depths[key] = deepest
        if deepest <= MOST_DEEP:
            return body
        self.too_deep(name.id, name.span)
        self.depths[key] = 0  # said once
        return self.world.unknown(name.span)

    def circle(self, key: str, name: str, span: Span) -> None:
        """Report what is being checked already when it is met again."""
        chain = [n.removeprefix("card.") for n in self.open[self.open.index(key) :]]
        if frozenset(chain) in self.circles:
            return
        self.circles.add(frozenset(chain))
        through = ", ".join(f"`{n}`" for n in chain[1:])
        self.world.findings.error(
            "RK423", f"`{name}` is defined by itself" + (f", through {through}" if through else ""), span,
            expected="a definition by other names", help="break the circle",
        )  # fmt: skip

    def define_type(self, name: str, span: Span) -> t.Type:
        found = self.define(name, span)
        return found.type if found is not None else UNKNOWN

    def call_define(self, name: str, node: s.Call | s.Name, scope: Scope) -> e.Expr:
        world, span = self.world, node.span
        tree, _ = world.define_trees[name]
        args = node.args if isinstance(node, s.Call) else ()
        parameters = tree.signature.parameters
        if len(args) != len(parameters):
            world.findings.error(
                "RK421", f"`{name}` is given {things(len(args))}", span,
                expected=things(len(parameters), parameters),
            )  # fmt: skip
            return world.unknown(span)
        given = [
            self.value(arg, scope, self.parameter_type(parameter), f"`{parameter.name.id}`")
            for arg, parameter in zip(args, parameters, strict=True)
        ]
        found = self.define(name, span)
        if found is None:
            return world.unknown(span)
        if found.reads_me:
            if not scope.me:
                world.findings.error(
                    "RK410", f"`{name}` is about the player asked, and nobody is asked here", span,
                    expected="a define that names its player",
                    help=f"give `{name}` a parameter: `{name}(player p)`",
                )  # fmt: skip
                return world.unknown(span)
            world.read_me()
        return e.CallDefine(name, tuple(given), type=found.type, span=span)

    # ------------------------------------------------------------ phases and moves by name

    def no_phase(self, name: s.Name, scope: Scope) -> None:
        """Report a name that should be a phase's."""
        world = self.world
        if name.id in world.tree.broken:
            return
        near = world.near(name.id, [*world.phase_trees, *(scope.use.slots if scope.use else ())])
        help = f"did you mean `{near}`?" if near else None
        if name.id in world.move_trees:
            help, near = f"`{name.id}` is a move: `ask ...: [{name.id}]`", None
        world.findings.error(
            "RK407", f"there is no phase `{name.id}`", name.span, expected="a phase declared under `phases`",
            help=help, suggestion=near,
        )  # fmt: skip

    def phase_arguments(
        self, name: s.Name, args: tuple[s.Expr, ...], scope: Scope
    ) -> tuple[e.Expr, ...] | None:
        """What a phase is given for its parameters; None if there is no such phase, or another number."""
        phase = self.world.phase_trees.get(name.id)
        if phase is None:
            self.no_phase(name, scope)
            return None
        parameters = phase[0].signature.parameters
        if len(parameters) != len(args):
            self.world.findings.error(
                "RK421", f"phase `{name.id}` is given {things(len(args))}", name.span,
                expected=things(len(parameters), parameters),
            )  # fmt: skip
            return None
        return tuple(
            self.value(arg, scope, self.parameter_type(parameter), f"`{parameter.name.id}`")
            for arg, parameter in zip(args, parameters, strict=True)
        )

    # ------------------------------------------------------------ facts

    def fact(self, name: str, span: Span) -> FactDef | None:
        world = self.world
        key = f"card.{name}"
        if not self.open:
            self.check_first(key)
        if name in world.facts:
            return world.facts[name]
        if key in self.open:
            self.circle(key, name, span)
            return None
        if self.too_many_open(name, span):
            return None
        tree = world.fact_trees[name]
        self.open.append(key)
        local = world.new_local("it", t.CARD, lasting=False)
        scope = Scope(its=(It(local, t.CARD),), owner=key)
        if isinstance(tree.body, Table) and tree.body.by is not None:
            body = self.table(tree.body, scope)
        elif isinstance(tree.body, Table):
            body = self.card_table(tree.body, local, scope)
        else:
            body = self.expr(tree.body, scope)
        self.open.pop()
        body = self.measured(key, body, tree.name)
        world.facts[name] = FactDef(
            name, body.type, local, body, text=tree.text.text if tree.text else None, span=tree.name.span
        )
        return world.facts[name]

    def fact_type(self, name: str, span: Span) -> t.Type:
        found = self.fact(name, span)
        return found.type if found is not None else UNKNOWN

    # ------------------------------------------------------------ tables

    def table(self, table: Table, scope: Scope) -> e.Expr:
        """`{by: X, ...}`: total, or with `else`."""
        if table.by is None:
            self.no_by(table)
            return self.world.unknown(table.span)
        table = self.else_meant(table)
        assert table.by is not None
        subject = self.expr(table.by, scope)
        seen: dict[int | bool | None, str] = {}
        values: list[e.Expr] = []
        keys: list[tuple[int | bool | None, ...]] = []
        for row in table.rows:
            values.append(self.expr(row.value, scope, values[0].type if values else None))
            keys.append(() if row.keys is None else self.table_keys(row, subject.type, scope, seen))
        values = self.alike(values)
        of = self.common_type(values, table.span)
        rows: list[tuple[tuple[int | bool | None, ...], e.Expr]] = []
        default: e.Expr | None = None
        for row, key, value in zip(table.rows, keys, values, strict=True):
            if row.keys is None:
                default = value
            elif key:
                rows.append((key, value))
        understood = all(len(key) == len(row.keys or ()) for row, key in zip(table.rows, keys, strict=True))
        if default is None and understood and not isinstance(subject.type, Unknown):
            self.check_total(subject, set(seen), table)
        return e.Choose(subject, tuple(rows), default, type=of, span=table.span)

    def no_by(self, table: Table) -> None:
        """Report a table that does not say what it goes by."""
        slip = next((row for row in table.rows if one_slip(row.span.text, "by")), None)
        self.world.findings.error(
            "RK508", "the table does not say by what", slip.span if slip else table.span,
            expected="`by`, and what the rows are told apart by",
            help="did you mean `by`?" if slip else "add `by: ...` as the first key",
            suggestion="by" if slip else None,
        )  # fmt: skip

    def else_meant(self, table: Table) -> Table:
        """The table, with a misspelt `else` mended."""
        rows = table.rows
        for place, row in enumerate(rows):
            key = row.keys[0] if row.keys is not None and len(row.keys) == 1 else None
            slip = isinstance(key, s.Name) and one_slip(key.id, "else")
            if slip and not any(other.keys is None for other in rows):
                self.world.findings.error(
                    "RK508", f"`{row.span.text}` is no value", row.span,
                    expected="a value that the table goes by, or `else`",
                    help="did you mean `else`?", suggestion="else",
                )  # fmt: skip
                return replace(table, rows=(*rows[:place], replace(row, keys=None), *rows[place + 1 :]))
        return table

    def table_keys(
        self, row: TableRow, of: t.Type, scope: Scope, seen: dict[int | bool | None, str]
    ) -> tuple[int | bool | None, ...]:
        """The constants of a row's key."""
        found: list[int | bool | None] = []
        for key in row.keys or ():
            if isinstance(key, s.Name):
                text = key.id
                node: s.Expr = (
                    s.Truth(key.id == "true", span=key.span) if key.id in ("true", "false")
                    else s.Nothing(span=key.span) if key.id == "none"
                    else key
                )  # fmt: skip
            else:
                text, node = key, s.Literals((key,), span=row.span)
                if key.startswith("-") and key[1:].isdigit():
                    node = s.Negate(s.Literals((key[1:],), span=row.span), span=row.span)
            typed = self.expr(node, scope, strip(of))
            if isinstance(typed.type, Unknown):
                continue
            if not isinstance(typed, e.Constant) or isinstance(typed.value, tuple):
                self.world.findings.error(
                    "RK509", f"`{text}` is not a fixed value", row.span, expected=f"values of {of}"
                )
                continue
            if not same_kind(typed.type, of):
                words = self.world.words[base.name] if isinstance(base := strip(of), t.Word) else ()
                near = nearest(text, words)
                self.world.findings.error(
                    "RK502", f"`{text}` is {typed.type}, and the table goes by {of}", row.span,
                    help=f"did you mean `{near}`?" if near else None, suggestion=near,
                )  # fmt: skip
                continue
            if typed.value in seen:
                self.world.findings.error("RK509", f"`{text}` stands twice in the table", row.span)
                continue
            seen[typed.value] = text
            found.append(typed.value)
        return tuple(found)

    def check_total(self, subject: e.Expr, seen: set[int | bool | None], table: Table) -> None:
        """Report a table that has no row for some value."""
        world, of = self.world, subject.type
        names: list[str] | None = None
        values: list[int | bool] = []
        match strip(of):
            case t.Bool():
                values, names = [False, True], ["false", "true"]
            case t.Word(word):
                names = list(world.words[word])
                values = list(range(len(names)))
            case t.Suit():
                names = list(world.suit_names())
                values = list(range(len(names)))
            case t.Rank():
                names = list(world.ranks)
                values = list(range(len(names)))
            case t.Int() if isinstance(subject, e.Option) and world.options[subject.name].values:
                values = list(world.options[subject.name].values)
                names = [str(v) for v in values]
            case t.Int(low, high) if high - low < 1000:
                values = list(range(low, high + 1))
                names = [str(v) for v in values]
        missing = [n for v, n in zip(values, names or [], strict=True) if v not in seen]
        if isinstance(of, t.Optional) and None not in seen:
            missing.append("none")
        if names is None or missing:
            listed = ", ".join(f"`{n}`" for n in missing[:5]) + (" ..." if len(missing) > 5 else "")
            world.findings.error(
                "RK508", f"the table has no row for {listed}" if missing else "the table may lack a row",
                table.span, expected="a row for every value, or `else`", help="add `else: ...`",
            )  # fmt: skip

    def card_table(self, table: Table, local: int, scope: Scope) -> e.Expr:
        """A table about cards: keys are cards, ranks, suits or colours; the first that fits."""
        table = self.else_meant(table)
        rows: list[tuple[e.Expr, e.Expr]] = []
        default: e.Expr | None = None
        values: list[e.Expr] = []
        for row in table.rows:
            inner = scope.knowing(self.printed(table, local)) if row.keys is None else scope
            value = self.expr(row.value, inner, values[0].type if values else None)
            values.append(value)
            if row.keys is None:
                default = value
                continue
            conditions = [c for key in row.keys if (c := self.card_key(key, local, row)) is not None]
            if conditions:
                test = conditions[0]
                for other in conditions[1:]:
                    test = e.Or(test, other, type=t.BOOL, span=row.span)
                rows.append((test, value))
        of = self.common_type(values, table.span)
        if default is None:
            self.check_cards_covered(table)
            default = e.Constant(None, type=t.NOTHING)
        result = default
        for test, value in reversed(rows):
            result = e.If(test, value, result, type=of, span=value.span)
        return result

    def printed(self, table: Table, local: int) -> list[e.Expr]:
        """Facts that all cards surely have for which a card table has only `else`."""
        keys = {self.rank(k.id if isinstance(k, s.Name) else k) for row in table.rows for k in row.keys or ()}
        rest = [rank for place, rank in enumerate(self.world.ranks) if place not in keys]
        card = e.Local(local, type=t.CARD)
        plain = self.world.ranks[: self.world.plain_ranks]
        found: list[e.Expr] = []
        if all(rank in PIPS and rank in plain for rank in rest):
            found.append(e.CardFact("pip", card, type=t.NOTHING))
        if all(rank in plain for rank in rest):
            found.append(e.CardFact("number", card, type=t.NOTHING))
        return found

    def card_key(self, key: s.Name | str, local: int, row: TableRow) -> e.Expr | None:
        """The condition that a key of a card table stands for."""
        world = self.world
        card = e.Local(local, type=t.CARD)
        text = key.id if isinstance(key, s.Name) else key
        if text in world.suit_names():
            suit = e.Constant(world.suit_names().index(text), type=t.SUIT)
            return e.Same(e.CardFact("suit", card, type=t.SUIT), suit, type=t.BOOL, span=row.span)
        if text in world.words["color"]:
            color = e.Constant(world.words["color"].index(text), type=t.COLOR)
            return e.Same(e.CardFact("color", card, type=t.COLOR), color, type=t.BOOL, span=row.span)
        rank = self.rank(text)
        if rank is not None:
            constant = e.Constant(rank, type=t.RANK)
            return e.Same(e.CardFact("rank", card, type=t.RANK), constant, type=t.BOOL, span=row.span)
        face = world.face(text)
        if face is not None:
            return e.Contains(card, e.Cards((face,), type=t.CARDS), type=t.BOOL, span=row.span)
        span = key.span if isinstance(key, s.Name) else row.span
        self.unknown_literal(s.Literals((text,), span=span), text)
        return None

    def check_cards_covered(self, table: Table) -> None:
        """Report ranks for which a card table has no row."""
        world = self.world
        keys = [k.id if isinstance(k, s.Name) else k for row in table.rows for k in row.keys or ()]
        colors = {suit.name: suit.color for suit in world.suits}
        missing = []
        for rank in world.ranks:
            for suit in world.suits:
                names = {rank, suit.name, str(colors[suit.name]), rank + suit.letter}
                if rank == "10":
                    names |= {"T", "T" + suit.letter}
                if not names & set(keys):
                    missing.append(rank)
        missing = list(dict.fromkeys(missing))
        if missing:
            listed = ", ".join(f"`{n}`" for n in missing[:6]) + (" ..." if len(missing) > 6 else "")
            world.findings.error(
                "RK508", f"the table has no row for {listed}", table.span,
                expected="a row for every card, or `else`", help="add `else: ...`",
            )  # fmt: skip

    def alike(self, values: list[e.Expr]) -> list[e.Expr]:
        """Where some rows give several things, a row that gives one of them gives a set of it."""
        several = next((v.type for v in values if is_collection(v.type) and element(v.type) != UNKNOWN), None)
        if several is None and any(is_collection(value.type) for value in values):
            several = next((t.SetOf(strip(v.type)) for v in values if not is_collection(v.type)), None)
        if several is None:
            return values
        fitted = [v if is_collection(v.type) else fit(v, several, self.world) for v in values]
        return [value if one is None else one for value, one in zip(values, fitted, strict=True)]

    def common_type(self, values: list[e.Expr], span: Span) -> t.Type:
        if not values:
            return UNKNOWN
        first = values[0]
        of = first.type
        for value in values[1:]:
            joined = join(of, value.type)
            if joined is None:
                self.world.findings.error(
                    "RK507", f"this row gives {value.type}, an earlier one {of}", value.span or span,
                    expected="rows of one type",
                )  # fmt: skip
                return UNKNOWN
            of = joined
        return of


def things(count: int, parameters: tuple[s.Parameter, ...] = ()) -> str:
    """A number of arguments, and what they should be."""
    listed = "; ".join(f"{p.type.name.id} {p.name.id}" for p in parameters)
    return f"{count or 'no'} thing{'s' * (count != 1)}" + (f": `{listed}`" if listed else "")


__all__ = ["PARAMETER_INT", "PIPS", "USUAL_SUITS", "Definitions"]
