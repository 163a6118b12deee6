"""Statements: from syntax to typed program. Blocks are expanded where they are used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulekit.language import syntax as s
from rulekit.language.blocks import Blocks
from rulekit.language.coerce import element, fit, in_range, is_collection, require, strip
from rulekit.language.dealing import Dealing
from rulekit.language.definitions import Definitions
from rulekit.language.known import changed_by, present_if, still_present
from rulekit.language.tree import Table
from rulekit.language.world import UNKNOWN, LocalRef, Scope, Unknown, World, nearest_local
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program import types as t
from rulekit.records import field_names

KINDS = {
    "for": "the variable of a `for`",
    "choice": "what a player has chosen",
    "parameter": "a parameter",
    "let": "a local",
}


class Statements(Dealing):
    """Checks lists of statements."""

    def __init__(self, world: World, expressions: Definitions, blocks: Blocks) -> None:
        self.world = world
        self.x = expressions
        self.blocks = blocks
        blocks.statements = self

    def body(self, nodes: Iterable[s.Stmt], scope: Scope) -> tuple[st.Stmt, ...]:
        """A list of statements; a `let` is seen by those that follow it."""
        nodes = tuple(nodes)
        found: list[st.Stmt] = []
        if reads_answered(nodes):
            cell = self.world.new_local("answer", t.Optional(t.Int(0, 999)), lasting=True)
            scope = replace(scope, answers=(*scope.answers, cell))
            nothing = e.Constant(None, type=t.NOTHING)
            found.append(st.Assign(st.LocalPlace(cell), "=", nothing))
        for node in nodes:
            made, scope = self.statement(node, scope)
            found += made
            scope = self.after([node], scope)
        return tuple(found)

    def after(self, nodes: Iterable[s.Stmt], scope: Scope) -> Scope:
        """The scope once these statements may have run: what they change is not known any more."""
        if not scope.present:
            return scope
        present = still_present(scope.present, changed_by(nodes), self.world.locals)
        return replace(scope, present=present)

    def statement(self, node: s.Stmt, scope: Scope) -> tuple[list[st.Stmt], Scope]:
        """What a statement becomes, and the scope of the statements after it."""
        match node:
            case s.Let():
                return self.let(node, scope)
            case s.LetNew():
                return self.let_new(node, scope)
            case s.If():
                return [self.if_(node, scope)], scope
            case s.For():
                return [self.for_(node, scope)], scope
            case s.Repeat(times, body):
                count = self.x.number(times, scope)
                if isinstance(count.type, t.Int) and count.type.high < 1:
                    self.world.findings.error(
                        "RK425", f"nothing is done {times.span.text} times", times.span,
                        expected="a number from 1",
                    )  # fmt: skip
                inner = self.after(body, scope)
                return [st.Repeat(count, self.body(body, inner), span=node.span)], scope
            case s.Until(condition, body):
                inner = self.after(body, scope)
                done = self.x.condition(condition, inner)
                inner = inner.knowing(present_if(done, False))
                return [st.Until(done, self.body(body, inner), span=node.span)], scope
            case s.Ask():
                return self.ask(node, scope), scope
            case s.Use():
                return self.blocks.use(node, scope), scope
            case s.Do():
                return self.do(node, scope), scope
            case _:
                made = self.leaf(node, scope)
                return ([made] if made is not None else []), scope

    # ------------------------------------------------------------ locals

    def bind(
        self, node: s.Name, of: t.Type, kind: str, scope: Scope, *, check: bool = True
    ) -> tuple[int, Scope]:
        """A new local, and the scope that sees it."""
        if check:
            self.x.check_local(node, scope)
        number = self.world.new_local(node.id, of, lasting=True)
        self.world.note(node.span, of)
        return number, scope.with_names({node.id: LocalRef(number, of, kind, node.span)})

    def let(self, node: s.Let, scope: Scope) -> tuple[list[st.Stmt], Scope]:
        value = self.assigned(node.value, scope, None)
        of = value.type
        if isinstance(of, t.SelectionsOf):
            self.world.findings.error(
                "RK501", "a selection is chosen from, not kept", node.value.span,
                expected="a value", help="write it in `choose`",
            )  # fmt: skip
        elif isinstance(of, t.Nothing) or (is_collection(of) and isinstance(element(of), Unknown)):
            self.world.findings.error(
                "RK501", f"`{node.value.span.text}` does not tell what `{node.name.id}` will be",
                node.value.span, expected="a value of some kind",
                help=f"declare `{node.name.id}` under `state`, or begin with its first value",
            )  # fmt: skip
            of = UNKNOWN
        old = scope.names.get(node.name.id)
        if old is not None and old.kind == "let":
            self.world.findings.error(
                "RK411", f"`{node.name.id}` is already a local here", node.name.span,
                help=f"to change it, write `{node.name.id} = ...`",
            )  # fmt: skip
            return [st.Assign(st.LocalPlace(old.number), "=", value, span=node.span)], scope
        if isinstance(of, t.Int):  # may be assigned again: its range is not that of its first value
            of = t.Int(-1_000_000, 1_000_000) if abs(of.low) < 1_000_000 and of.high <= 1_000_000 else of
        number, inner = self.bind(node.name, of, "let", scope)
        return [st.Assign(st.LocalPlace(number), "=", value, span=node.span)], inner

    def let_new(self, node: s.LetNew, scope: Scope) -> tuple[list[st.Stmt], Scope]:
        place = self.zone_place(node.place.name, node.place.target, node.place.span, scope, slots=True)
        zone = place.zone if isinstance(place, st.ZonePlace) else ""
        number, inner = self.bind(node.name, t.Pile(zone or None), "let", scope)
        if not isinstance(place, st.ZonePlace):
            return [], inner
        if not self.check_slots(place, node.place):
            return [], inner
        return [st.Claim(number, zone, place.index, span=node.span)], inner

    def assigned(self, node: s.Expr, scope: Scope, want: t.Type | None) -> e.Expr:
        """The right side of an assignment, the one place where `random(X)` may stand."""
        if isinstance(node, s.Call) and node.name.id == "random":
            if len(node.args) != 1 or isinstance(node.args[0], s.By):
                return self.x.wrong_count(node, 1)
            domain = self.x.collection(node.args[0], scope)
            return e.Random(domain, type=element(domain.type), span=node.span)
        return self.x.expr(node, scope, want)

    # ------------------------------------------------------------ compound statements

    def if_(self, node: s.If, scope: Scope) -> st.Stmt:
        branches: list[tuple[e.Expr, tuple[st.Stmt, ...]]] = []
        otherwise: tuple[st.Stmt, ...] = ()
        for branch in node.branches:
            if branch.condition is None:
                otherwise = self.body(branch.body, scope)
                continue
            condition = self.x.condition(branch.condition, scope)
            inner = scope.knowing(present_if(condition, True))
            branches.append((condition, self.body(branch.body, inner)))
            scope = scope.knowing(present_if(condition, False))
        return st.If(tuple(branches), otherwise, span=node.span)

    def for_(self, node: s.For, scope: Scope) -> st.Stmt:
        domain = self.x.collection(node.domain, scope)
        number, inner = self.bind(node.name, element(domain.type), "for", self.after(node.body, scope))
        return st.For(number, domain, self.body(node.body, inner), span=node.span)

    def ask(self, node: s.Ask, scope: Scope) -> list[st.Stmt]:
        moves: dict[str, None] = {}
        for name in node.moves:
            for move in self.x.move_names(name, scope):
                if move in moves and move == name.id and scope.use is None:
                    self.world.findings.error(
                        "RK402", f"`{move}` stands twice in the list", name.span, expected="each move once"
                    )
                moves[move] = None
        self.world.asked_moves.update(moves)
        self.world.asked_cells.update(scope.answers)
        who = self.asked(node, scope)
        whom = self.x.value(node.whom, scope, t.PLAYER) if node.whom is not None else None
        if not moves:
            return []
        return [st.Ask(who, tuple(moves), whom, node.together, scope.answers, span=node.span)]

    def asked(self, node: s.Ask, scope: Scope) -> e.Expr:
        """Who is asked: one player, or with `together` several."""
        if node.together:
            return self.x.value(node.who, scope, t.PLAYERS)
        who = self.x.expr(node.who, scope, t.PLAYER)
        if is_collection(who.type) and isinstance(element(who.type), t.Player):
            text = node.who.span.text
            self.world.findings.error(
                "RK501", f"`{text}` is {who.type}, and one is asked at a time", node.who.span,
                expected=str(t.PLAYER),
                help=f"write `ask {text} together`, or `for p in {text}: [ask p: ...]`",
            )  # fmt: skip
            return self.world.unknown(node.who.span)
        return require(who, t.PLAYER, self.world, node.who.span)

    def do(self, node: s.Do, scope: Scope) -> list[st.Stmt]:
        """`do PHASE(args)`, or in a block `do SLOT`."""
        name, use = node.name.id, scope.use
        if use is not None and name in use.slots:
            slot = use.slots[name]
            if slot.declaration.type.name.id == "statements":
                if slot.value is None or slot.value.body is None or slot.scope is None:
                    return []
                made = self.body(slot.value.body, replace(slot.scope, running=scope.running))
                return [replace(x, slot=e.InSlot(use.told, name)) for x in made]
        arguments = self.x.phase_arguments(node.name, node.args, scope)
        return [] if arguments is None else [st.Call(name, arguments, span=node.span)]

    # ------------------------------------------------------------ leaf statements

    def leaf(self, node: s.Stmt, scope: Scope) -> st.Stmt | None:
        match node:
            case s.Assign():
                return self.assign(node, scope)
            case s.Move():
                return self.move(node, scope)
            case s.Deal():
                return self.deal(node, scope)
            case s.Shuffle():
                return self.shuffle(node, scope)
            case s.Swap(left, right):
                a, b = self.x.cards(left, scope), self.x.cards(right, scope)
                return st.Swap(a, b, span=node.span)
            case s.Flip(cards, up):
                return self.flip(cards, up, node, scope)
            case s.Reveal():
                return self.reveal(node, scope)
            case s.Stop(name):
                if name.id not in self.world.phase_trees:
                    self.x.no_phase(name, scope)
                    return None
                return st.Stop(name.id, span=node.span)
        return None

    def value_place(self, place: s.Place, scope: Scope) -> tuple[st.ValuePlace, t.Type] | None:
        """What an assignment changes, and its type."""
        name, world = place.name.id, self.world
        if place.target is None and name in scope.names:
            ref = scope.names[name]
            if ref.kind != "let":
                world.findings.error(
                    "RK414", f"`{name}` is {KINDS[ref.kind]} and cannot be changed", place.span,
                    expected="a state variable or a `let`",
                )  # fmt: skip
                return None
            return st.LocalPlace(ref.number), ref.type
        if name in world.state:
            state = world.state[name]
            if place.target is None:
                found = self.x.name(place.name, scope, None)
                index = found.index if isinstance(found, e.StateOf) else None
                return (st.StatePlace(name, index), state.type) if isinstance(found, e.StateOf) else None
            of = self.x.of(s.Of(place.name, place.target, span=place.span), scope, None)
            if isinstance(of, e.StateOf):
                return st.StatePlace(name, of.index), state.type
            if not isinstance(of.type, Unknown):
                self.several(place)
            return None
        if place.target is not None:
            field = self.x.field_of(s.Of(place.name, place.target, span=place.span), scope)
            if isinstance(field, e.PileField):
                return st.FieldPlace(field.zone, field.field, field.pile), field.type
            if field is not None:
                if not isinstance(field.type, Unknown):
                    self.several(place)
                return None
        if name in world.refused or name in world.tree.broken:
            return None
        declared = self.x.is_declared(name, scope)
        if declared:
            world.findings.error(
                "RK414", f"`{name}` cannot be assigned", place.span, expected="a state variable or a `let`",
                help="an option is fixed for a match" if name in world.options
                else "cards change their place by `move ... to ...`" if name in world.zones else None,
            )  # fmt: skip
        else:
            lets = [n for n, ref in scope.names.items() if ref.kind == "let"]
            near = nearest_local(name, lets) or world.near(name, [*world.state, *lets, *world.field_names])
            world.findings.error(
                "RK401", f"nothing is called `{name}` here", place.name.span, expected="a state variable",
                help=f"did you mean `{near}`?" if near else "declare it under `state`", suggestion=near,
            )  # fmt: skip
        return None

    def several(self, place: s.Place) -> None:
        self.world.findings.error(
            "RK501", f"`{place.span.text}` is several things, and only one can be changed at a time",
            place.span, expected="one place", help=f"write `for x in ...: [{place.name.id} of x = ...]`",
        )  # fmt: skip

    def assign(self, node: s.Assign, scope: Scope) -> st.Stmt | None:
        place = self.value_place(node.place, scope)
        because = self.because(node.because, scope)
        if place is None:
            self.assigned(node.value, scope, None)
            return None
        target, of = place
        value = self.assigned(node.value, scope, of)
        if is_collection(of) or isinstance(of, Unknown) or node.op == "=":
            fitted = fit(value, of, self.world)
        elif isinstance(of, t.Int):
            fitted = value if isinstance(value.type, (t.Int, Unknown)) else None
        else:
            self.world.findings.error(
                "RK504", f"`{node.place.span.text}` is {of}, and `{node.op}` is for numbers and sets",
                node.place.span, expected="a number or a set", help=f"write `{node.place.span.text} = ...`",
            )  # fmt: skip
            return None
        if fitted is None and isinstance(strip(value.type), t.Int) and isinstance(of, t.Int):
            self.x.may_be_none(node.value)
            return None
        if fitted is None:
            self.world.findings.error(
                "RK501", f"`{node.place.span.text}` is {of}, and is given {value.type}", node.value.span,
                expected=str(of),
            )  # fmt: skip
            return None
        if node.op == "=" and isinstance(fitted, e.Constant) and not in_range(fitted, of):
            self.world.findings.error(
                "RK425", f"`{node.place.span.text}` cannot be {node.value.span.text}", node.value.span,
                expected=f"a number {span_of(of)}",
            )  # fmt: skip
        if node.because is not None and not isinstance(of, (t.Int, Unknown)):
            self.world.findings.error(
                "RK504", f"`{node.place.span.text}` is {of}, and only numbers leave receipts",
                node.because.reason.span, expected="a number",
                help=f"leave out `for {node.because.reason.id}`",
            )  # fmt: skip
        return st.Assign(target, node.op, fitted, because, span=node.span)

    def because(self, node: s.Because | None, scope: Scope) -> st.Because | None:
        if node is None:
            return None
        self.world.reasons[node.reason.id] = None
        cards = self.x.cards(node.cards, scope) if node.cards is not None else None
        return st.Because(node.reason.id, cards)


def span_of(of: t.Type) -> str:
    """A range in words."""
    inner = strip(of)
    return f"from {inner.low} to {inner.high}" if isinstance(inner, t.Int) else "in range"


def reads_answered(nodes: object) -> bool:
    """Does `answered` stand anywhere in this syntax, other than in what a block is given?"""
    todo: list[object] = [nodes]
    while todo:
        node = todo.pop()
        if isinstance(node, s.Call) and node.name.id == "answered":
            return True
        if isinstance(node, tuple):
            todo += node
        elif isinstance(node, s.Syntax) and not isinstance(node, s.Use):
            todo += [getattr(node, name) for name in field_names(type(node)) if name != "span"]
    return False


__all__ = ["Statements", "Table", "reads_answered"]
