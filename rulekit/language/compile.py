"""From the tree of a file to the typed program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from rulekit.diagnostics import Findings, Span, nearest
from rulekit.language import syntax as s
from rulekit.language.before_play import settled
from rulekit.language.blocks import Blocks, alike, kinds_of, placeholder, statements_in
from rulekit.language.calls import Calls, Reads, check_calls, check_lifetimes
from rulekit.language.coerce import element, join, strip
from rulekit.language.combinations import class_trees
from rulekit.language.deck import Deck
from rulekit.language.declarations import Declarations
from rulekit.language.definitions import Definitions
from rulekit.language.effort import Effort
from rulekit.language.ending import Ending
from rulekit.language.layouts import Layouts
from rulekit.language.rulings import Rulings
from rulekit.language.statements import Statements
from rulekit.language.tree import (
    BlockTree,
    ChoiceTree,
    DefineTree,
    EntryTree,
    MoveTree,
    PhaseTree,
    RulesetTree,
    StateTree,
)
from rulekit.language.world import UNKNOWN, LocalRef, Scope, Unknown, Use, World
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import (
    Choice,
    Condition,
    Entry,
    MoveDef,
    PhaseDef,
    Program,
)
from rulekit.program.statements import Ask, Stmt
from rulekit.program.walk import walk, walk_expressions


def compile_ruleset(
    tree: RulesetTree, findings: Findings, blocks: Callable[[str], BlockTree | None] | None = None
) -> Program | None:
    """The typed program of a ruleset; None if anything is wrong with it (see ``findings``).

    ``blocks`` gives a block file by name, None if there is no such block.
    """
    return run(Compiler(tree, findings, blocks or (lambda name: None)))


def run(compiler: Compiler) -> Program | None:
    """What the compiler makes of its file; None if anything is wrong with it."""
    tree, findings = compiler.tree, compiler.world.findings
    try:
        return compiler.compile()
    except RecursionError:  # the limits on single texts and defines leave room; blocks may use it up
        findings.error(
            "RK521", "these rules are nested too deep", tree.name.span, expected="flatter rules",
            help="give the inner parts names of their own: defines and phases",
        )  # fmt: skip
        return None


class Compiler:
    """Compiles one file."""

    def __init__(
        self, tree: RulesetTree, findings: Findings, blocks: Callable[[str], BlockTree | None]
    ) -> None:
        self.tree = tree
        self.world = World(tree, findings)
        self.x = Definitions(self.world)
        self.blocks = Blocks(self.world, self.x, blocks)
        self.statements = Statements(self.world, self.x, self.blocks)
        self.declarations = Declarations(self.world, self.x)
        self.in_moves: set[str] = set()

    def compile(self) -> Program | None:
        tree, world = self.tree, self.world
        before = len([d for d in world.findings.items if d.severity.value == "error"])
        self.check_front()
        pack = Deck(self.world, self.x)
        deck = pack.notation()
        self.declare_all()
        deck = pack.details(deck)
        self.in_moves = self.phases_of_moves()
        self.check_definitions()
        requires = None
        if tree.requires is not None:
            requires = settled(self.x.condition(tree.requires, Scope(owner="requires")), world, "`requires`")
        self.blocks.check_needs()
        play = self.statements.body(tree.play, self.scope("play"))
        phases, moves = self.parts()
        end = Ending(world, self.x, self.scope("end")).end()
        rulings = Rulings(world, self.x, moves)
        examples = tuple(rulings.example(example) for example in tree.examples)
        for label in self.unused_definitions():
            self.x.define(label, world.define_trees[label][0].signature.span)
        phases, moves, play_state = self.reset_block_state(phases, moves)
        moves = asked_moves(play, phases, moves)
        calls = Calls(play, phases, moves)
        if check_calls(calls, world.findings):
            Effort(world, world.defines, world.facts, phases).check(play, moves.values())
            outside = (end.ranking, end.payoff, end.score)
            states = {name: state for name, state in world.state.items() if name not in world.doubled}
            reads = Reads(world.defines, world.facts)
            check_lifetimes(calls, states, reads, outside, world.findings)
        after = len([d for d in world.findings.items if d.severity.value == "error"])
        if after > before or world.findings.has_errors:
            return None
        return Program(
            name=tree.name.id,
            title=tree.title.text if tree.title else tree.name.id,
            family=tree.family,
            text=tree.text.text if tree.text else None,
            sources=tuple(source.text for source in tree.sources),
            players=tree.players,
            teams=tree.teams,
            options=world.options,
            requires=requires,
            deck=deck,
            words=world.words,
            orders=world.orders,
            zones=world.zones,
            state=world.state,
            locals=tuple(world.locals),
            facts={name: world.facts[name] for name in world.fact_trees if name in world.facts},
            defines={name: world.defines[name] for name in world.define_trees if name in world.defines},
            play=play,
            play_state=play_state,
            phases=phases,
            moves=moves,
            end=end,
            examples=examples,
            reasons=world.reasons,
            patterns={name: world.pattern_defs[name] for name in world.patterns},
            settled=tuple(name for name in world.settled if name in world.defines),
            span=tree.span,
        )

    # ------------------------------------------------------------ declarations

    def check_front(self) -> None:
        tree = self.tree
        low, high = tree.players
        if not 1 <= low <= high <= 10:
            self.at_front(tree.players_span, f"`{self.said(tree.players_span)}` players",
                          "1 to 10, the smaller number first: `2`, `3..7`")  # fmt: skip
        if tree.teams is None:
            return
        count = tree.teams if isinstance(tree.teams, int) else 2
        few = 4 if tree.teams == "across" else count
        odd = next((n for n in range(max(low, 1), min(high, 10) + 1) if n % count or n < few), None)
        if isinstance(tree.teams, int) and not 2 <= tree.teams <= 5:
            self.at_front(tree.teams_span, f"`{tree.teams}` teams", "2 to 5 teams")
        elif odd is not None and not self.world.reported(tree.players_span):
            how = "partners opposite each other" if tree.teams == "across" else f"{count} teams of equal size"
            self.at_front(tree.teams_span, f"{odd} player{'s' * (odd != 1)} cannot make {how}",
                          "`players` of which each number fits the teams")  # fmt: skip

    def at_front(self, span: Span | None, message: str, expected: str) -> None:
        """Report a number that is out of range, unless the structure of the file says so already."""
        if not self.world.reported(span):
            self.world.findings.error("RK425", message, span or self.tree.span, expected=expected)

    def said(self, span: Span | None) -> str:
        low, high = self.tree.players
        return span.text if span is not None else f"{low}..{high}"

    def declare_all(self) -> None:
        """Every name, before anything is looked at."""
        tree, world, declarations = self.tree, self.world, self.declarations
        declarations.words()
        for pattern in class_trees(tree.patterns):
            declarations.declare(pattern.signature.name, "a pattern")
            world.patterns[pattern.signature.name.id] = pattern
        for zone in tree.zones:
            declarations.zone(zone)
        for option in tree.options:
            declarations.option(option)
        for name in tree.fixed:
            if name.id not in world.options:
                near = nearest(name.id, world.options)
                world.findings.error(
                    "RK401", f"there is no option `{name.id}` to fix", name.span,
                    help=f"did you mean `{near}`?" if near else None, suggestion=near,
                )  # fmt: skip
        for state in tree.state:
            declarations.state(state, None, None)
        for phase in tree.phases:
            for state in phase.state:
                declarations.state(state, phase.signature.name.id, None)
        declarations.facts(tree.facts)
        for define in tree.defines:
            if declarations.declare(define.signature.name, "a define"):
                world.define_trees[define.signature.name.id] = (define, None)
        for phase in tree.phases:
            self.once(phase.signature.name, world.phase_trees, "phase")
            world.phase_trees[phase.signature.name.id] = (phase, None)
        for move in tree.moves:
            self.once(move.name, world.move_trees, "move")
            world.move_trees[move.name.id] = (move, None)
        self.declare_blocks()
        for zone in tree.zones:
            declarations.zone_fields(zone)
        declarations.check_words()

    def once(self, name: s.Name, table: Mapping[str, object], kind: str) -> None:
        if name.id in table:
            self.world.findings.error(
                "RK402", f"{kind} `{name.id}` is declared twice", name.span,
                help="give one of them another name",
            )  # fmt: skip

    def declare_blocks(self) -> None:
        """What the used blocks bring, unless the game declares one of that name, which then serves."""
        tree, world = self.tree, self.world
        bodies = [tree.play, *(p.body for p in tree.phases), *(p.after for p in tree.phases)]
        self.blocks.find([*bodies, *(m.body for m in tree.moves)])
        for block in self.blocks.used.values():
            use = placeholder(block)
            for state in block.state:
                self.block_state(block, state, None)
            for define in block.defines:
                self.block_define(block, define, use)
            for phase in block.phases:
                own = world.phase_trees.setdefault(phase.signature.name.id, (phase, use))[0]
                if kinds_of(own.signature) != kinds_of(phase.signature):
                    self.blocks.unfitting(block, phase.signature.name, "a phase")
                for state in phase.state:
                    self.block_state(block, state, phase.signature.name.id)
            for move in block.moves:
                world.move_trees.setdefault(move.name.id, (move, use))

    def block_state(self, block: BlockTree, state: StateTree, phase: str | None) -> None:
        """State of a block, unless the game has such a state, which then serves."""
        world, name = self.world, state.name
        if name.id not in world.declared_at:
            words = state.declaration.type.words if isinstance(state.declaration.type, s.WordsType) else ()
            taken = next((word for word in words if word in world.declared_at), None)
            self.declarations.state(state, phase, block.name.id)
            if taken is not None:
                self.blocks.unfitting(block, s.Name(taken, span=state.declaration.type.span), "a word")
            return
        serving = world.state.get(name.id)
        trees = [*self.tree.state, *(x for p in self.tree.phases for x in p.state)]
        trees += [x for other in self.blocks.used.values() for x in other.state]
        own = next((tree for tree in trees if serving and tree.name.span == serving.span), None)
        if own is None or not alike(own.declaration, state.declaration):
            self.blocks.unfitting(block, name, "a state")

    def block_define(self, block: BlockTree, define: DefineTree, use: Use) -> None:
        """A define of a block, unless the game has one, which then serves."""
        world, name = self.world, define.signature.name
        if name.id not in world.declared_at:
            world.declared_at[name.id] = define.signature.span
            world.define_trees[name.id] = (define, use)
            return
        own = world.define_trees.get(name.id)
        if own is None or kinds_of(own[0].signature) != kinds_of(define.signature):
            self.blocks.unfitting(block, name, "a define")

    def phases_of_moves(self) -> set[str]:
        """Phases that only moves call: there, somebody is being asked."""
        calls: dict[str, set[str]] = {}
        for name, (phase, _) in self.world.phase_trees.items():
            calls[name] = self.called([*phase.body, *phase.after])

        def reach(start: set[str]) -> set[str]:
            found: set[str] = set()
            todo = sorted(start)
            while todo:
                name = todo.pop()
                if name not in found and name in calls:
                    found.add(name)
                    todo += sorted(calls[name])
            return found

        moves: set[str] = set()
        for move, _ in self.world.move_trees.values():
            moves |= self.called(move.body)
        return reach(moves) - reach(self.called(self.tree.play))

    def called(self, body: Iterable[s.Stmt]) -> set[str]:
        """Phases called in a list, also by the blocks used there."""
        found: set[str] = set()
        seen: set[str] = set()
        todo = [tuple(body)]
        while todo:
            for node in statements_in(todo.pop()):
                if isinstance(node, s.Do):
                    found.add(node.name.id)
                elif isinstance(node, s.Use) and node.name.id in self.blocks.used.keys() - seen:
                    seen.add(node.name.id)
                    todo.append(self.blocks.used[node.name.id].body)
        return found

    def scope(self, owner: str, *, me: bool = False, use: Use | None = None) -> Scope:
        single = self.tree.players == (1, 1)
        return Scope(me=me or single, owner=owner, use=use)

    def check_definitions(self) -> None:
        """Facts, defines and starts, in file order."""
        world = self.world
        for name, tree in world.fact_trees.items():
            self.x.fact(name, tree.span)
        for name, pattern in world.patterns.items():
            self.x.pattern(name, pattern.span)
        for name, (define, use) in list(world.define_trees.items()):
            if use is None:
                self.x.define(name, define.span)
        for state in self.tree.state:
            self.declarations.state_start(state, self.scope("state"))

    def unused_definitions(self) -> list[str]:
        """Defines of blocks that nothing has needed, whose use is known by now."""
        return [
            name
            for name, (_, use) in self.world.define_trees.items()
            if name not in self.world.defines and (use is None or use.number >= 0)
        ]

    # ------------------------------------------------------------ phases and moves

    def parts(self) -> tuple[dict[str, PhaseDef], dict[str, MoveDef]]:
        """All phases and moves. Those of blocks come last: their slots are known once a use has been met."""
        world = self.world
        phases: dict[str, PhaseDef] = {}
        moves: dict[str, MoveDef] = {}
        for own in (True, False):
            more = True
            while more:
                more = False
                for name, (_, use) in list(world.phase_trees.items()):
                    if name not in phases and (use is None or (not own and use.number >= 0)):
                        phases[name] = self.phase(name)
                        more = True
                for name, (_, use) in list(world.move_trees.items()):
                    if name not in moves and (use is None or (not own and use.number >= 0)):
                        moves[name] = self.move(name)
                        more = True
        return (
            {name: phases[name] for name in world.phase_trees if name in phases},
            {name: moves[name] for name in world.move_trees if name in moves},
        )

    def phase(self, name: str) -> PhaseDef:
        tree, use = self.world.phase_trees[name]
        me = name in self.in_moves
        self.world.me_reads.append(False)
        scope, numbers = self.parameters(tree, self.scope(f"phase {name}", me=me, use=use))
        for state in tree.state:
            if self.is_own(state):
                self.declarations.state_start(state, scope)
        stop = self.x.condition(tree.stop_when, scope) if tree.stop_when is not None else None
        body = self.statements.body(tree.body, scope)
        after = self.statements.body(tree.after, scope)
        reads_me = self.world.me_reads.pop()
        own = tuple(state.name.id for state in tree.state if self.is_own(state))
        return PhaseDef(
            name, numbers, own, stop, body, after, reads_me, use.block.name.id if use else None,
            text=tree.text.text if tree.text else None, span=tree.signature.name.span,
        )  # fmt: skip

    def is_own(self, state: StateTree) -> bool:
        """The state is this phase's, not one that the game declares instead."""
        found = self.world.state.get(state.name.id)
        return found is not None and found.span == state.name.span

    def parameters(self, tree: PhaseTree, scope: Scope) -> tuple[Scope, tuple[int, ...]]:
        numbers = []
        for parameter in tree.signature.parameters:
            of = self.x.parameter_type(parameter)
            number, scope = self.statements.bind(parameter.name, of, "parameter", scope)
            numbers.append(number)
        return scope, tuple(numbers)

    def move(self, name: str) -> MoveDef:
        tree, use = self.world.move_trees[name]
        scope = self.scope(f"move {name}", me=True, use=use)
        choices: list[Choice] = []
        carried: tuple[Stmt, ...] = ()
        if tree.layout is not None:
            found_choices, carried, scope = Layouts(self.world, self.x).layout(tree, scope)
            choices += found_choices
        for choice in tree.choices:
            found, scope = self.choice(choice, scope)
            choices.append(found)
        conditions = tuple(self.conditions(tree, choices, scope))
        body = carried + self.statements.body(tree.body, scope)
        again = self.x.condition(tree.again, scope) if tree.again is not None else None
        return MoveDef(
            name, tuple(choices), conditions, body, again, (), use.block.name.id if use else None,
            text=tree.text.text if tree.text else None, span=tree.name.span,
        )  # fmt: skip

    def choice(self, tree: ChoiceTree, scope: Scope) -> tuple[Choice, Scope]:
        """A parameter of a move: its cascade, and the scope that sees it."""
        entries: list[Entry] = []
        of: t.Type | None = None
        labels: set[str] = set()
        for node in tree.entries:
            domain = self.x.collection(node.domain, scope)
            entries.append(Entry(node.label.text if node.label else None, domain, span=node.span))
            self.check_entry(domain, node, labels)
            here = element(domain.type)
            if isinstance(here, Unknown):
                continue
            joined = here if of is None else join(of, here)
            if joined is None:
                self.world.findings.error(
                    "RK507", f"this entry offers {domain.type}, an earlier one {of}", node.domain.span,
                    expected="entries of one kind",
                )  # fmt: skip
            else:
                of = joined
        if of is None:
            of = UNKNOWN
            if not self.world.findings.has_errors:
                self.world.findings.error(
                    "RK514", f"nobody can tell what `{tree.name.id}` is: there is never a choice",
                    tree.name.span, expected="a set to choose from",
                )  # fmt: skip
        of = strip(of)
        number, inner = self.statements.bind(tree.name, of, "choice", scope)
        text = tree.text.text if tree.text else None
        return Choice(tree.name.id, number, of, tuple(entries), text=text, span=tree.name.span), inner

    def check_entry(self, domain: e.Expr, node: EntryTree, labels: set[str]) -> None:
        """An entry is a set of things that have a name, under a label of its own."""
        world = self.world
        label = node.label.text if node.label else ""
        if label in labels and node.label is not None:
            world.findings.error(
                "RK402", f"label `{label}` stands twice", node.label.span, expected="a label for each entry"
            )
        labels.add(label)
        inner = element(domain.type)
        if isinstance(domain.type, t.BagOf) or isinstance(strip(inner), t.Key):
            world.findings.error(
                "RK514", f"`{node.domain.span.text}` is {domain.type}: nobody can choose from that",
                node.domain.span, expected="a set of cards, players, suits, ranks, words, piles or numbers",
                help="choose a card, and look at its value" if isinstance(node.domain, s.Of) else None,
            )  # fmt: skip

    def conditions(self, tree: MoveTree, choices: list[Choice], scope: Scope) -> Iterable[Condition]:
        numbers = {choice.local for choice in choices}
        for node in tree.conditions:
            found = self.x.condition(node.condition, scope)
            reads = sorted({x.number for x in walk_expressions(found) if isinstance(x, e.Local)} & numbers)
            yield Condition(node.label.text, found, tuple(reads), span=node.label.span)

    # ------------------------------------------------------------ block state

    def reset_block_state(
        self, phases: dict[str, PhaseDef], moves: dict[str, MoveDef]
    ) -> tuple[dict[str, PhaseDef], dict[str, MoveDef], tuple[str, ...]]:
        """Block state starts afresh with each phase, move or play that holds a use."""
        world = self.world
        play: list[str] = []
        for block, owners in self.blocks.owners.items():
            own = [
                state.name.id for state in self.blocks.used[block].state
                if state.name.id in world.state and world.state[state.name.id].block == block
            ]  # fmt: skip
            for state in self.blocks.used[block].state:
                if state.name.id in own:
                    use = self.blocks.uses[block][0]
                    self.declarations.state_start(state, Scope(use=use, owner=block))
            for owner in owners:
                kind, _, holder = owner.partition(" ")
                if kind == "phase":
                    phases[holder] = replace(phases[holder], state=(*phases[holder].state, *own))
                elif kind == "move":
                    moves[holder] = replace(moves[holder], state=(*moves[holder].state, *own))
                else:
                    play += own
            if len(owners) == 1 and (holder := next(iter(owners)).partition(" ")[2]):
                for name in own:  # what belongs to `play` lives as long as the match
                    world.state[name] = replace(world.state[name], scope=holder)
        return phases, moves, tuple(dict.fromkeys(play))


def asked_moves(
    play: tuple[Stmt, ...], phases: dict[str, PhaseDef], moves: dict[str, MoveDef]
) -> dict[str, MoveDef]:
    """The moves without those of blocks that nothing asks, as when a slot has other moves in their place."""
    bodies = (
        play,
        *((phase.body, phase.after) for phase in phases.values()),
        *(move.body for move in moves.values()),
    )
    asked: set[str] = set()
    for part in walk(bodies):
        match part:
            case Ask(moves=names) | e.Answered(moves=names):
                asked |= set(names)
    return {name: move for name, move in moves.items() if move.block is None or name in asked}


__all__ = ["Compiler", "LocalRef", "compile_ruleset"]
