"""Blocks written out: the statements a use of a block stands for, as syntax.

What stands in a slot is put into each place where the slot is read, and means there what it means at the
use: a name that something around the place would claim is given its owner (`hand of me`), and the block's
own locals are renamed where they would clash. The few things that cannot be said this way are reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from rulekit.diagnostics import Findings, Span
from rulekit.language import syntax as s
from rulekit.language.answers import everything_in, stray_answer
from rulekit.language.belonging import Belonging, kind_of_name
from rulekit.language.tree import BlockTree
from rulekit.language.unneeded import Unneeded, decided, folded

Kinds = tuple[str | None, ...]


@dataclass(frozen=True)
class Site:
    """Where a use of a block stands.

    ``owner``  the part of the game: "play", "phase round", "move play"
    ``me``  somebody is being asked there
    ``locals``  the locals in sight, and the kinds of what they hold
    ``elsewhere``  words in the rest of that part of the game
    """

    owner: str
    me: bool
    locals: Mapping[str, str | None]
    elsewhere: frozenset[str] = frozenset()

    def with_local(self, name: str, kind: str | None = None) -> Site:
        return replace(self, locals={**self.locals, name: kind})


@dataclass(frozen=True)
class Given:
    """What stands in a slot: syntax of the place ``site``, or a default, which is syntax of the block."""

    declaration: s.SlotDeclaration
    value: s.SlotValue
    site: Site
    is_default: bool = False

    @property
    def type(self) -> str:
        return self.declaration.type.name.id


@dataclass(frozen=True)
class Frame:
    """One use of a block being written out.

    ``names``  the block's locals in sight, and what they are called in the game
    ``part``  it is a define, phase or move of the block, which stands elsewhere than the use
    """

    block: BlockTree
    slots: Mapping[str, Given]
    site: Site
    names: Mapping[str, str] = field(default_factory=dict)
    part: bool = False

    def bind(self, name: str, new: str, kind: str | None) -> Frame:
        return replace(self, names={**self.names, name: new}, site=self.site.with_local(new, kind))

    def reads(self, name: str) -> Given | None:
        """What stands in the slot of that name, unless a local hides it."""
        return None if name in self.names else self.slots.get(name)


class Substitution:
    """Writes out the uses of blocks in one game.

    ``frames``  the first use of each block, in the order met: what its defines, phases and moves mean
    ``owners``  for each block the parts of the game that hold a use of it
    """

    def __init__(
        self,
        belonging: Belonging,
        blocks: Callable[[str], BlockTree | None],
        findings: Findings,
        unneeded: Unneeded,
    ) -> None:
        self.belonging = belonging
        self.blocks = blocks
        self.findings = findings
        self.unneeded = unneeded
        self.frames: dict[str, Frame] = {}
        self.owners: dict[str, dict[str, None]] = {}
        self._open: list[str] = []
        self._lets: dict[str, set[str]] = {}  # part of the game → locals that blocks brought into it

    # ------------------------------------------------------------ uses

    def use(self, node: s.Use, site: Site) -> tuple[s.Stmt, ...]:
        """The statements that a use stands for; its slots hold syntax of the place where it stands."""
        name = node.name.id
        block = self.blocks(name)
        if block is None or name in self._open:
            code, what = ("RK701", "there is no block") if block is None else ("RK705", "used inside itself:")
            self.findings.error(code, f"{what} `{name}`", node.span)
            return ()
        given = {slot.name.id: slot for slot in node.slots}
        slots: dict[str, Given] = {}
        for slot, declaration in block.slots:
            if slot.id in given:
                slots[slot.id] = Given(declaration, given[slot.id], site)
            elif declaration.default is not None:
                value = _default(slot, declaration.type.name.id, declaration.default)
                slots[slot.id] = Given(declaration, value, site, is_default=True)
            else:
                self.findings.error("RK703", f"block `{name}` is not told its `{slot.id}`", node.span)
                return ()
        frame = Frame(block, slots, site)
        self.frames.setdefault(name, frame)
        self.owners.setdefault(name, {})[site.owner] = None
        call = stray_answer(block.body, lambda x: self._runs_asks(x, frame), joined=True)
        if call is not None:
            self.impossible("`answered` would see the asks of another list", node.span)
        self._open.append(name)
        found = self.statements(block.body, frame, joined=True)
        self._open.pop()
        return found

    def own_lists(self, nodes: Iterable[s.Stmt]) -> None:
        """Report an `answered` of the game itself that would see asks of a block."""
        call = stray_answer(nodes, self._use_asks, joined=False)
        if call is not None:
            self.impossible(
                "`answered` would see the asks of a block that is used in the same list", call.span,
                help="remember the answer right after the ask: `let accepted_it = answered(...)`",
            )  # fmt: skip

    def _use_asks(self, node: s.Stmt) -> bool:
        block = self.blocks(node.name.id) if isinstance(node, s.Use) else None
        return block is not None and any(
            isinstance(inner, s.Ask | s.Use) for inner in everything_in(block.body)
        )

    def _runs_asks(self, node: s.Stmt, frame: Frame) -> bool:
        given = frame.reads(node.name.id) if isinstance(node, s.Do) else None
        if given is not None and given.value.body is not None:
            return any(isinstance(inner, s.Ask | s.Use) for inner in everything_in(given.value.body))
        return self._use_asks(node)

    def impossible(self, why: str, span: Span, help: str | None = None) -> None:
        self.findings.error("RK707", f"this use of a block cannot be written out: {why}", span, help=help)

    # ------------------------------------------------------------ statements

    def statements(
        self, nodes: Iterable[s.Stmt], frame: Frame, *, joined: bool = False
    ) -> tuple[s.Stmt, ...]:
        """A list of statements of a block. ``joined``: it becomes part of a list of the game."""
        found: list[s.Stmt] = []
        for node in nodes:
            match node:
                case s.Let(name, value) | s.LetNew(name, value):
                    new = self.new_name(name.id, frame, joined)
                    kind: str | None = "pile"
                    made: s.Expr | s.Place
                    if isinstance(value, s.Place):
                        made = self.place(value, frame)
                    else:
                        made = self.expr(value, frame)
                        kind = self.belonging.kind(made, frame.site.locals)
                    found.append(type(node)(replace(name, id=new), made, span=node.span))  # type: ignore[arg-type]
                    frame = frame.bind(name.id, new, kind)
                case s.Assign(place) if place.name.id in self.unneeded.unread:
                    continue
                case _:
                    spliced = self._statement(node, frame)
                    found += spliced
                    for local in locals_of(spliced):
                        frame = replace(frame, site=frame.site.with_local(local))
        return tuple(found)

    def new_name(self, name: str, frame: Frame, joined: bool = False) -> str:
        """What a local of the block is called in the game: its own name if nothing else is called so."""
        taken = self.belonging.taken | set(frame.site.locals)
        for given in frame.slots.values():
            taken |= names_in(given.value)
        lets = self._lets.setdefault(frame.site.owner, set())
        if joined:
            taken |= frame.site.elsewhere | lets
        new, number = name, 1
        while new in taken:
            new = f"{frame.block.name.id}_{name}" + (f"_{number}" if number > 1 else "")
            number += 1
            taken |= names_in(frame.block.body)
        if joined:
            lets.add(new)
        return new

    def _statement(self, node: s.Stmt, frame: Frame) -> tuple[s.Stmt, ...]:
        match node:
            case s.If(branches):
                return self._if(node, branches, frame)
            case s.For(name, domain, body):
                domain = self.expr(domain, frame)
                new = self.new_name(name.id, frame, joined=False)
                inner = frame.bind(name.id, new, self.belonging.kind(domain, frame.site.locals))
                body = self.statements(body, inner)
                return (replace(node, name=replace(name, id=new), domain=domain, body=body),) if body else ()
            case s.Repeat(times, body):
                body = self.statements(body, frame)
                return (replace(node, times=self.expr(times, frame), body=body),) if body else ()
            case s.Until(condition, body):
                condition = self.expr(condition, frame)
                return (replace(node, condition=condition, body=self.statements(body, frame)),)
            case s.Ask(who, moves, whom):
                moves = self.moves(moves, frame)
                whom = None if whom is None else self.expr(whom, frame)
                who = self.expr(who, frame)
                whom = None if whom == who else whom
                return (replace(node, who=who, moves=moves, whom=whom),) if moves else ()
            case s.Use(_, slots):
                inner_use = replace(node, slots=tuple(self._inner_slot(node, x, frame) for x in slots))
                elsewhere = frame.site.elsewhere | names_in(frame.block.body)
                return self.use(inner_use, replace(frame.site, elsewhere=elsewhere))
            case s.Do(name, args):
                given = frame.reads(name.id)
                if given is not None and given.type == "statements":
                    return self._slot_statements(given, frame)
                return (replace(node, args=tuple(self.expr(x, frame) for x in args)),)
        return (self._leaf(node, frame),)

    def _if(self, node: s.If, branches: tuple[s.Branch, ...], frame: Frame) -> tuple[s.Stmt, ...]:
        """Branches that came out empty are left out, as far as the others then mean the same."""
        found = []
        for branch in branches:
            condition = None if branch.condition is None else self.expr(branch.condition, frame)
            found.append(replace(branch, condition=condition, body=self.statements(branch.body, frame)))
        found = list(decided(found))
        while found and not found[-1].body:
            found.pop()
        if len(found) == 1 and found[0].condition is None and not locals_of(found[0].body):
            return found[0].body
        if found and found[0].condition is None:
            found[0] = replace(found[0], condition=s.Truth(True, span=node.span))
        return (replace(node, branches=tuple(found)),) if found else ()

    def _slot_statements(self, given: Given, frame: Frame) -> tuple[s.Stmt, ...]:
        """`do taken`: what stands in the slot is syntax of the game already."""
        self._check_part(given, frame)
        in_sight = {**frame.site.locals, **given.site.locals}
        plain = Frame(frame.block, {}, replace(given.site, locals=in_sight))
        return self.statements(given.value.body or (), plain, joined=True)

    def _leaf(self, node: s.Stmt, frame: Frame) -> s.Stmt:
        """A sentence: every expression and place in it."""
        changed: dict[str, Any] = {}
        for part in fields(node):
            value = getattr(node, part.name)
            if isinstance(value, s.Place):
                changed[part.name] = self.place(value, frame)
            elif isinstance(value, s.Because):
                cards = None if value.cards is None else self.expr(value.cards, frame)
                changed[part.name] = replace(value, cards=cards)
            elif isinstance(value, s.Expr) and not isinstance(node, s.Stop):
                changed[part.name] = self.expr(value, frame)
        return replace(node, **changed)

    def place(self, node: s.Place, frame: Frame) -> s.Place:
        """`won_to of taker`, where `won_to` may be a slot."""
        target = None if node.target is None else self.expr(node.target, frame)
        given = frame.reads(node.name.id)
        if given is not None and given.value.place is not None:
            self._check_part(given, frame)
            put = given.value.place
            return put if target is None or put.target is not None else replace(put, target=target)
        new = frame.names.get(node.name.id, node.name.id)
        return replace(node, name=replace(node.name, id=new), target=target)

    def moves(self, moves: Iterable[s.Name], frame: Frame) -> tuple[s.Name, ...]:
        """Names of moves, those in slots of moves spliced in."""
        found: dict[str, s.Name] = {}
        for name in moves:
            given = frame.reads(name.id)
            several = given.value.moves if given is not None and given.type == "moves" else None
            found.update((x.id, x) for x in (several if several is not None else (name,)))
        return tuple(found.values())

    def _inner_slot(self, use: s.Use, slot: s.SlotValue, frame: Frame) -> s.SlotValue:
        """A slot of a block used in a block, as syntax of the game."""
        block = self.blocks(use.name.id)
        declared = {name.id: x for name, x in block.slots}.get(slot.name.id) if block else None
        kinds: Kinds = (declared.per.id,) if declared is not None and declared.per is not None else ()
        return replace(
            slot,
            value=None if slot.value is None else self.expr(slot.value, frame, kinds),
            moves=None if slot.moves is None else self.moves(slot.moves, frame),
            body=None if slot.body is None else self.statements(slot.body, frame),
            place=None if slot.place is None else self.place(slot.place, frame),
        )

    # ------------------------------------------------------------ expressions

    def expr(self, node: s.Expr, frame: Frame, around: Kinds = ()) -> s.Expr:
        """An expression of a block as one of the game; ``around`` are the elements it is about."""
        match node:
            case s.Name(id):
                given = frame.reads(id)
                if given is not None:
                    return self._put(given, frame, around, None, node.span)
                if id in self.unneeded.fixed and id not in frame.names:
                    return self.unneeded.fixed[id]
                return replace(node, id=frame.names.get(id, id))
            case s.Of(name, target):
                target = self.expr(target, frame, around)
                given = frame.reads(name.id)
                if given is not None and given.value.place is not None:
                    put = self.place(s.Place(name, None, span=name.span), frame)
                    return s.Of(put.name, put.target or target, span=node.span)
                if given is not None and given.declaration.per is not None:
                    return self._put(given, frame, around, target, node.span)
                return replace(node, target=target)
            case s.Call(s.Name("answered"), args):
                moves = self.moves([x for x in args if isinstance(x, s.Name)], frame)
                return replace(node, args=moves) if moves else s.Truth(False, span=node.span)
            case s.Where(domain, condition):
                domain = self.expr(domain, frame, around)
                inner = (*around, self.belonging.kind(domain, frame.site.locals))
                return replace(node, domain=domain, condition=self.expr(condition, frame, inner))
            case s.By(domain, key):
                domain = self.expr(domain, frame, around)
                inner = (*around, self.belonging.kind(domain, frame.site.locals))
                return replace(node, domain=domain, key=self.expr(key, frame, inner))
        made = rebuilt(node, lambda x: self.expr(x, frame, around))
        return folded(made, self.belonging.all_words)

    def _put(self, given: Given, frame: Frame, around: Kinds, target: s.Expr | None, span: Span) -> s.Expr:
        """What stands in a slot, in a place of the block where the slot is read."""
        self._check_part(given, frame)
        value = given.value.value
        if given.value.place is not None:
            put = given.value.place
            value = put.name if put.target is None else s.Of(put.name, put.target, span=put.span)
        if value is None:
            return s.Nothing(span=span)
        per = given.declaration.per.id if given.declaration.per is not None else None
        if given.is_default:
            value = self.expr(value, replace(frame, names={}), (per,) if per else ())
        return _Seat(self, given.site, per, target, around, span).seated(value)

    def about(self, value: s.Expr, per: str, target: s.Expr, me: bool) -> s.Expr:
        """An expression about each of something, as one about ``target``."""
        return _Seat(self, Site("", me, {}), per, target, (), target.span).seated(value)

    def _check_part(self, given: Given, frame: Frame) -> None:
        """A define, phase or move of a block cannot read the locals of the use."""
        if frame.part and not given.is_default and names_in(given.value) & set(given.site.locals):
            self.impossible(
                f"`{given.value.name.id}` of `{frame.block.name.id}` reads a local, and is read outside "
                "the list that the local belongs to", given.value.span,
                help="put a state variable or a define into the slot",
            )  # fmt: skip


@dataclass(frozen=True)
class _Seat:
    """Puts an expression of the use into a place of the block.

    ``per``  what the expression is about, if it is about each of something
    ``target``  the one it is about there; None: the element at hand
    ``around``  the kinds of elements that surround the place
    """

    outer: Substitution
    site: Site
    per: str | None
    target: s.Expr | None
    around: Kinds
    span: Span

    def seated(self, value: s.Expr) -> s.Expr:
        if isinstance(self.target, s.Name) and self.target.id == "it":
            return replace(self, target=None)._put(value, ())
        return self._put(value, ())

    def _put(self, node: s.Expr, own: Kinds) -> s.Expr:
        """``own``: the kinds of elements that the expression itself is about here."""
        belonging = self.outer.belonging
        match node:
            case s.Name("it") if not own and self.per is not None:
                if self.target is not None:
                    return self.target
                if self.around and self.around[-1] not in (None, self._kind):
                    self.outer.impossible(f"`it` would be a {self.around[-1]}", self.span)
                return node
            case s.Name(id):
                return self._name(node, id, own)
            case s.Of(_, target):
                return replace(node, target=self._put(target, own))
            case s.Where(domain, condition):
                inner = (*own, belonging.kind(domain, self.site.locals))
                return replace(node, domain=self._put(domain, own), condition=self._put(condition, inner))
            case s.By(domain, key):
                inner = (*own, belonging.kind(domain, self.site.locals))
                return replace(node, domain=self._put(domain, own), key=self._put(key, inner))
            case s.Call(s.Name("answered"), _):
                return node
        return rebuilt(node, lambda x: self._put(x, own))

    @property
    def _kind(self) -> str | None:
        return None if self.per is None else kind_of_name(self.per)

    def _name(self, node: s.Name, id: str, own: Kinds) -> s.Expr:
        """A bare name: whose is it at the use, and whose would it be here?"""
        homes = frozenset() if id in self.site.locals else self.outer.belonging.homes(id)
        if not homes or any(kind is None or kind in homes for kind in own):
            return node
        if self._kind in homes:
            if self.target is None:
                return node
            if own and names_in(self.target) & {"it"}:
                self.outer.impossible("`it` would be another element there", self.span)
            return s.Of(node, self.target, span=node.span)
        if all(kind is not None and kind not in homes for kind in self.around):
            return node
        if self.site.me and "player" in homes:
            return s.Of(node, s.Name("me", span=node.span), span=node.span)
        whole = self.outer.belonging.whole(id)
        return node if whole is None else s.Of(node, s.Name(whole, span=node.span), span=node.span)


def _default(slot: s.Name, type: str, default: s.Expr) -> s.SlotValue:
    """A default as if it had been put into the slot."""
    match type:
        case "moves":
            moves = (default,) if isinstance(default, s.Name) else ()
            return s.SlotValue(slot, moves=moves, span=default.span)
        case "statements":
            return s.SlotValue(slot, body=(), span=default.span)
        case "zone" if isinstance(default, s.Name):
            return s.SlotValue(slot, place=s.Place(default, span=default.span), span=default.span)
    return s.SlotValue(slot, value=default, span=default.span)


def locals_of(nodes: Iterable[s.Stmt]) -> list[str]:
    """The locals that a list declares for what follows it."""
    return [node.name.id for node in nodes if isinstance(node, s.Let | s.LetNew)]


def rebuilt(node: s.Expr, change: Callable[[s.Expr], s.Expr]) -> s.Expr:
    """The same expression with its parts changed (names of functions and patterns are no parts)."""
    if isinstance(node, s.Logic | s.Arith | s.Clip):  # may be a long chain: along its left without recursion
        links = []
        first: s.Expr = node
        while isinstance(first, s.Logic | s.Arith | s.Clip):
            links.append(first)
            first = first.left
        made = change(first)
        for link in reversed(links):
            made = replace(link, left=made, right=change(link.right))
        return made
    changed: dict[str, Any] = {}
    for part in fields(node):
        value = getattr(node, part.name)
        if isinstance(value, s.Expr) and part.name != "name":
            changed[part.name] = change(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], s.Expr):
            changed[part.name] = tuple(change(x) for x in value)
        elif isinstance(value, s.PatternRef):
            changed[part.name] = replace(value, args=tuple(change(x) for x in value.args))
    return replace(node, **changed) if changed else node


def names_in(node: object) -> frozenset[str]:
    """Every name that stands in some syntax, whatever it names."""
    found: set[str] = set()
    pending: list[object] = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, s.Name):
            found.add(node.id)
        elif isinstance(node, tuple):
            pending.extend(node)
        elif is_dataclass(node) and not isinstance(node, type | Span):
            pending.extend(getattr(node, part.name) for part in fields(node) if part.name != "span")
    return frozenset(found)


__all__ = ["Frame", "Given", "Site", "Substitution", "locals_of", "names_in"]
