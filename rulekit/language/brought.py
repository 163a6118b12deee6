"""What blocks bring into a game: defines, phases, moves and state, as parts of the game.

Each exists once, under its own name, unless the game declares one of that name, which then serves instead.
What reads slots means the first use of the block; the checker sees to it that all uses then agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulekit.cards import STANDARD_RANKS
from rulekit.diagnostics import Span
from rulekit.language import syntax as s
from rulekit.language import tree as t
from rulekit.language.answers import everything_in
from rulekit.language.belonging import FAMILIES, kind_of_name
from rulekit.language.substitute import Frame, Site, Substitution


class Brought:
    """What the used blocks bring.

    ``defines``, ``phases``, ``moves``  written out by `bring`, in the order of the blocks
    ``state``  of blocks, by the phase it goes into ("" for the match), found by `bring_state`
    ``starts``  what a phase or move begins by assigning, by its owner: "phase round", "move close"
    """

    def __init__(self, tree: t.RulesetTree, used: dict[str, t.BlockTree], substitution: Substitution) -> None:
        self.tree = tree
        self.used = used
        self.substitution = substitution
        self.belonging = substitution.belonging
        self.asked_phases = _phases_of_moves(tree, used)
        self.defines: list[t.DefineTree] = []
        self.phases: dict[str, t.PhaseTree] = {}
        self.moves: dict[str, t.MoveTree] = {}
        self.state: dict[str, list[t.StateTree]] = {"": []}
        self.starts: dict[str, list[s.Stmt]] = {}
        self.locals: dict[str, set[str]] = {}  # parameters and choices of phases and moves

    def site(self, owner: str, locals: dict[str, str | None]) -> Site:
        """Where the statements of the play, of a phase or of a move stand."""
        kind, _, name = owner.partition(" ")
        me = kind == "move" or name in self.asked_phases or self.tree.players == (1, 1)
        self.locals[owner] = set(locals)
        return Site(owner, me, locals)

    def bring(self) -> None:
        """Phases and moves of the used blocks, written out; they may use other blocks."""
        done: set[str] = set()
        while ready := [x for x in self.used if x in self.substitution.frames and x not in done]:
            for name in ready:
                done.add(name)
                self._bring_from(self.used[name], self.substitution.frames[name])
        order = {name: number for number, name in enumerate(self._part_names())}
        self.phases = dict(sorted(self.phases.items(), key=lambda x: order[f"phase {x[0]}"]))
        self.moves = dict(sorted(self.moves.items(), key=lambda x: order[f"move {x[0]}"]))
        self.defines.sort(key=lambda x: order[f"define {x.signature.name.id}"])

    def _part_names(self) -> Iterable[str]:
        for block in self.used.values():
            yield from (f"phase {phase.signature.name.id}" for phase in block.phases)
            yield from (f"move {move.name.id}" for move in block.moves)
            yield from (f"define {define.signature.name.id}" for define in block.defines)

    def _bring_from(self, block: t.BlockTree, first: Frame) -> None:
        own_phases = {phase.signature.name.id for phase in self.tree.phases}
        own_moves = {move.name.id for move in self.tree.moves}
        for define in block.defines:
            name = define.signature.name.id
            brought = {x.signature.name.id for x in self.defines}
            if name not in self.belonging.game_names and name not in brought:
                self.defines.append(self._define(define, self._part(first, f"define {name}", me=True)))
        for phase in block.phases:
            name = phase.signature.name.id
            if name not in own_phases and name not in self.phases:
                me = name in self.asked_phases or self.tree.players == (1, 1)
                self.phases[name] = phase  # a phase that calls itself is met but once
                self.phases[name] = self._block_phase(phase, self._part(first, f"phase {name}", me=me))
        for move in block.moves:
            if move.name.id not in own_moves and move.name.id not in self.moves:
                frame = self._part(first, f"move {move.name.id}", me=True)
                self.moves[move.name.id] = self._block_move(move, frame)

    def _part(self, first: Frame, owner: str, *, me: bool) -> Frame:
        """The frame of a define, phase or move of a block: slots as in its first use, no locals."""
        return Frame(first.block, first.slots, Site(owner, me, {}), part=True)

    def _signature(self, signature: s.Signature, frame: Frame) -> tuple[s.Signature, Frame]:
        """A signature, and the frame in which its parameters are known."""
        parameters = []
        for parameter in signature.parameters:
            new = self.substitution.new_name(parameter.name.id, frame)
            frame = frame.bind(parameter.name.id, new, kind_of_name(parameter.type.name.id))
            parameters.append(replace(parameter, name=replace(parameter.name, id=new)))
        self.locals[frame.site.owner] = set(frame.site.locals)
        return replace(signature, parameters=tuple(parameters)), frame

    def _define(self, tree: t.DefineTree, frame: Frame) -> t.DefineTree:
        signature, frame = self._signature(tree.signature, frame)
        body = tree.body
        change = self.substitution.expr
        if isinstance(body, t.Table):
            rows = tuple(replace(row, value=change(row.value, frame)) for row in body.rows)
            by = None if body.by is None else change(body.by, frame)
            return replace(tree, signature=signature, body=replace(body, by=by, rows=rows))
        return replace(tree, signature=signature, body=change(body, frame))

    def _block_phase(self, tree: t.PhaseTree, frame: Frame) -> t.PhaseTree:
        signature, frame = self._signature(tree.signature, frame)
        stop = None if tree.stop_when is None else self.substitution.expr(tree.stop_when, frame)
        return replace(
            tree,
            signature=signature,
            state=tuple(
                self._state(state, frame)
                for state in tree.state
                if state.name.id not in self.belonging.game_names
                and state.name.id not in self.substitution.unneeded
            ),
            stop_when=stop,
            body=self.substitution.statements(tree.body, frame),
            after=self.substitution.statements(tree.after, frame),
        )

    def _block_move(self, tree: t.MoveTree, frame: Frame) -> t.MoveTree:
        change = self.substitution.expr
        choices = []
        for choice in tree.choices:
            entries = tuple(replace(x, domain=change(x.domain, frame)) for x in choice.entries)
            new = self.substitution.new_name(choice.name.id, frame)
            kind = self.belonging.kind(entries[0].domain, frame.site.locals)
            frame = frame.bind(choice.name.id, new, kind)
            choices.append(replace(choice, name=replace(choice.name, id=new), entries=entries))
        self.locals[frame.site.owner] = set(frame.site.locals)
        return replace(
            tree,
            choices=tuple(choices),
            conditions=tuple(replace(x, condition=change(x.condition, frame)) for x in tree.conditions),
            body=self.substitution.statements(tree.body, frame),
            again=None if tree.again is None else change(tree.again, frame),
        )

    # ------------------------------------------------------------ state of blocks

    def all_state(self) -> Iterable[t.StateTree]:
        """The state that is brought, wherever it is put."""
        yield from (tree for several in self.state.values() for tree in several)
        yield from (tree for phase in self.phases.values() for tree in phase.state)

    def _state(self, tree: t.StateTree, frame: Frame) -> t.StateTree:
        """A declaration whose START may read slots."""
        declaration = tree.declaration
        if declaration.start is None:
            return tree
        around = (declaration.per.id,) if declaration.per is not None else ()
        start = self.substitution.expr(declaration.start, frame, around)
        return replace(tree, declaration=replace(declaration, start=start))

    def bring_state(self) -> None:
        """State of the used blocks: where it belongs, and where it starts afresh."""
        seen: set[str] = set()
        for name, block in self.used.items():
            first = self.substitution.frames.get(name)
            owners = list(self.substitution.owners.get(name, ()))
            for tree in block.state:
                own = tree.name.id
                if first is None or own in self.belonging.game_names or own in seen:
                    continue
                if own in self.substitution.unneeded:
                    continue
                seen.add(own)
                tree = self._state(tree, replace(first, part=True, names={}))
                kind, _, phase = (owners[0] if len(owners) == 1 else "").partition(" ")
                self.state.setdefault(phase if kind == "phase" else "", []).append(tree)
                for owner in owners if kind != "phase" else ():
                    if owner != "play":
                        self.starts.setdefault(owner, []).extend(self._start(tree, owner))

    def _start(self, tree: t.StateTree, owner: str) -> list[s.Stmt]:
        """The statements that assign a state variable its START; none if it has none."""
        declaration, span = tree.declaration, tree.span
        start = declaration.start or self._usual_start(declaration.type)
        if start is None:
            return []
        if declaration.per is None:
            return [s.Assign(s.Place(tree.name, span=span), "=", start, span=span)]
        per, taken = declaration.per, self.belonging.taken | self.locals.get(owner, set())
        name = next(x for x in (per.id[0], *(f"{per.id}_{n}" for n in range(1, 99))) if x not in taken)
        each = s.Name(name, span=span)
        value = self.substitution.about(start, per.id, each, me=owner.startswith("move"))
        body = s.Assign(s.Place(tree.name, each, span=span), "=", value, span=span)
        return [s.For(each, s.Name(FAMILIES.get(per.id, per.id), span=span), (body,), span=span)]

    def _usual_start(self, type: s.TypeRef) -> s.Expr | None:
        """The START of a type where none is written: a player, suit, card, team or pile has none."""
        span = type.span
        if getattr(type, "optional", False):
            return s.Nothing(span=span)
        match type:
            case s.RangeType(low, high):
                return _number(max(low, min(0, high)), span)
            case s.WordsType(words):
                if all(word.lstrip("-").isdigit() for word in words):
                    numbers = [int(word) for word in words]
                    return _number(max(min(numbers), min(0, max(numbers))), span)
                return s.Name(words[0], span=span)
            case s.SetType():
                return s.Name("empty", span=span)
            case s.NamedType(name):
                if name.id == "bool":
                    return s.Truth(False, span=span)
                if name.id in ("players", "cards"):
                    return s.Name("empty", span=span)
                if name.id in self.belonging.words:
                    return s.Name(self.belonging.words[name.id][0], span=span)
                if name.id == "rank":
                    return s.Literals(((self.tree.deck.ranks or STANDARD_RANKS)[0],), span=span)
        return None


def _number(number: int, span: Span) -> s.Expr:
    literal = s.Literals((str(abs(number)),), span=span)
    return s.Negate(literal, span=span) if number < 0 else literal


def _phases_of_moves(tree: t.RulesetTree, used: dict[str, t.BlockTree]) -> frozenset[str]:
    """Phases that only moves call: there, somebody is being asked."""
    phases = [*tree.phases, *(phase for block in used.values() for phase in block.phases)]
    moves = [*tree.moves, *(move for block in used.values() for move in block.moves)]
    calls: dict[str, set[str]] = {}
    for phase in phases:
        calls.setdefault(phase.signature.name.id, _called([*phase.body, *phase.after], used))

    def reached(start: Iterable[str]) -> set[str]:
        found: set[str] = set()
        pending = list(start)
        while pending:
            name = pending.pop()
            if name not in found and name in calls:
                found.add(name)
                pending += calls[name]
        return found

    asked = {name for move in moves for name in _called(move.body, used)}
    return frozenset(reached(asked) - reached(_called(tree.play, used)))


def _called(body: Iterable[s.Stmt], used: dict[str, t.BlockTree]) -> set[str]:
    """Phases called in a list, also by the blocks used there."""
    found: set[str] = set()
    for node in everything_in(body):
        if isinstance(node, s.Do):
            found.add(node.name.id)
        elif isinstance(node, s.Use) and node.name.id in used:
            found |= _called(used[node.name.id].body, used)
    return found
