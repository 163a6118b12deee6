"""Who calls whom: no circles, nothing stopped that does not run, and no phase state outside its phase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulekit.diagnostics import Findings, Span
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program.program import DefineDef, FactDef, MoveDef, PhaseDef, StateDef
from rulekit.program.walk import walk, walk_expressions, walk_statements

Part = tuple[str, str]  #: ("play", ""), ("phase", name) or ("move", name)
PLAY: Part = ("play", "")


@dataclass(frozen=True)
class Calls:
    """The parts of a game that run, and what each of them may start.

    ``running`` tells for each part that is ever reached the phases that surely run while it does.
    """

    play: tuple[st.Stmt, ...]
    phases: Mapping[str, PhaseDef]
    moves: Mapping[str, MoveDef]

    def parts(self) -> Iterator[tuple[Part, object]]:
        """Each part with all that stands in it."""
        yield PLAY, self.play
        for name, phase in self.phases.items():
            yield ("phase", name), (phase.stop_when, phase.body, phase.after)
        for name, move in self.moves.items():
            yield ("move", name), (move.choices, move.conditions, move.body, move.again)

    def started(self, content: object) -> Iterator[tuple[Part, Span | None]]:
        """What a part starts, and where."""
        for node in walk_statements(_flat(content)):
            for part in started_by(node):
                yield part, node.span

    def edges(self) -> dict[Part, dict[Part, Span | None]]:
        found: dict[Part, dict[Part, Span | None]] = {}
        for part, content in self.parts():
            found[part] = {}
            for other, span in self.started(content):
                found[part].setdefault(other, span)
        return found


def started_by(node: st.Stmt) -> list[Part]:
    """The phase or the moves that a statement itself starts."""
    if isinstance(node, st.Call):
        return [("phase", node.phase)]
    return [("move", move) for move in node.moves] if isinstance(node, st.Ask) else []


def _flat(content: object) -> object:
    """Parts without those that are absent."""
    return tuple(x for x in content if x is not None) if isinstance(content, tuple) else content


def check_calls(calls: Calls, findings: Findings) -> bool:
    """Report circles, and stops of what may not run. False if there are circles."""
    edges = calls.edges()
    if _circles(edges, findings):
        return False
    running = _running(edges)
    in_moves = reach((part for part in edges if part[0] == "move"), edges)
    for part, content in calls.parts():
        if part not in running:
            continue
        for node in walk_statements(_flat(content)):
            if isinstance(node, st.Stop):
                _check_stop(node, part, part in in_moves, running[part], findings)
            elif isinstance(node, st.Call) and part in in_moves and calls.phases[node.phase].stop_when:
                findings.error(
                    "RK435", f"phase `{node.phase}` has a `stop when`, and is called from a move", node.span,
                    expected="phases that run to their end: a move is never left half done",
                    help="call it from the flow, after the ask",
                )  # fmt: skip
    return True


def _check_stop(
    node: st.Stop, part: Part, in_move: bool, running: frozenset[str], findings: Findings
) -> None:
    if in_move:
        findings.error(
            "RK434", f"`stop {node.phase}` in a move", node.span, expected="`stop` in the flow of the game",
            help="a move is never left half done: test for it after the ask",
        )  # fmt: skip
    elif node.phase not in running:
        findings.error(
            "RK434", f"phase `{node.phase}` may not run here", node.span,
            expected="a phase that surely runs wherever this is reached",
        )  # fmt: skip


def _circles(edges: Mapping[Part, Mapping[Part, Span | None]], findings: Findings) -> bool:
    """Report each circle once, at the call that closes it."""
    done: set[Part] = set()
    found = False
    for root in edges:
        if root in done:
            continue
        path: dict[Part, Iterator[Part]] = {root: iter(edges[root])}
        while path:
            part = next(reversed(path))
            other = next(path[part], None)
            if other is None:
                del path[part]
                done.add(part)
            elif other in path:
                found = True
                names = [name for _, name in path]
                through = ", ".join(f"`{name}`" for name in names[list(path).index(other) + 1 :])
                kind, name = other
                findings.error(
                    "RK423",
                    f"{kind} `{name}` leads to itself again" + (f", through {through}" if through else ""),
                    edges[part][other], expected="phases and moves that do not come back to themselves",
                    help="write a loop: `until C: [...]`",
                )  # fmt: skip
            elif other not in done and other in edges:
                path[other] = iter(edges[other])
    return found


def reach(start: Iterable[Part], edges: Mapping[Part, Iterable[Part]]) -> set[Part]:
    """All that these parts start, themselves and others in turn."""
    found: set[Part] = set()
    todo = list(start)
    while todo:
        part = todo.pop()
        if part not in found and part in edges:
            found.add(part)
            todo += edges[part]
    return found


def _running(edges: Mapping[Part, Mapping[Part, Span | None]]) -> dict[Part, frozenset[str]]:
    """For each part that the play reaches, the phases that run on every way to it."""
    reached = reach([PLAY], edges)
    order: list[Part] = []
    waiting = dict.fromkeys(reached, 0)
    for part in reached:
        for other in edges[part]:
            if other in waiting:
                waiting[other] += 1
    ready = [PLAY]
    while ready:
        part = ready.pop()
        order.append(part)
        for other in edges[part]:
            if other in waiting:
                waiting[other] -= 1
                if not waiting[other]:
                    ready.append(other)
    callers: dict[Part, list[Part]] = {}
    for part in order:
        for other in edges[part]:
            callers.setdefault(other, []).append(part)
    found: dict[Part, frozenset[str]] = {}
    for part in order:
        ways = [found[caller] for caller in callers.get(part, ())]
        common = frozenset.intersection(*ways) if ways else frozenset()
        found[part] = common | {part[1]} if part[0] == "phase" else common
    return found


# ---------------------------------------------------------------- the life of phase state


def check_lifetimes(
    calls: Calls,
    states: Mapping[str, StateDef],
    reads: Reads,
    outside: Iterable[e.Expr | None],
    findings: Findings,
) -> None:
    """Report state of a phase that is read or changed where the phase may not run.

    ``outside`` is what is read when no phase runs at all: ranking, payoff and score.
    """
    own = {name: state.scope for name, state in states.items() if state.scope in calls.phases}
    if not own:
        return
    running = _running(calls.edges())
    for part, content in calls.parts():
        if part in running:
            _check_life(_flat(content), own, running[part], reads, findings)
    for state in states.values():
        if state.start is not None and (state.scope is None or ("phase", state.scope) in running):
            here = frozenset() if state.scope is None else running["phase", state.scope]
            _check_life((state.start,), own, here, reads, findings)
    for x in outside:
        if x is not None:
            _check_life((x,), own, frozenset(), reads, findings)


def _check_life(
    content: object, own: Mapping[str, str | None], running: frozenset[str], reads: Reads, findings: Findings
) -> None:
    for node in walk(content):
        names: Iterable[str] = ()
        span: Span | None = None
        if isinstance(node, st.Stmt):
            place = getattr(node, "place", None)
            names = (place.state,) if isinstance(place, st.StatePlace) else ()
            names = (node.state,) if isinstance(node, st.RevealState) else names
            span = node.span
        elif isinstance(node, e.Expr):
            names, span = reads.of(node), node.span
        for name in names:
            phase = own.get(name)
            if phase is not None and phase not in running:
                via = f", which `{node.define}` reads," if isinstance(node, e.CallDefine) else ""
                findings.error(
                    "RK437", f"`{name}`{via} is state of phase `{phase}`, which may not run here", span,
                    expected=f"`{name}` in phase `{phase}`, or in what is called and asked there",
                    help="declare it under the `state` of the game, or hand it over as a parameter",
                )  # fmt: skip


class Reads:
    """The state that an expression itself reads: directly, or by the define or fact that it names."""

    def __init__(self, defines: Mapping[str, DefineDef], facts: Mapping[str, FactDef]) -> None:
        self.defines = defines
        self.facts = facts
        self.known: dict[tuple[str, str], tuple[str, ...]] = {}

    def of(self, x: e.Expr) -> tuple[str, ...]:
        match x:
            case e.StateOf(name):
                return (name,)
            case e.CallDefine(name) if name in self.defines:
                return self.inside("define", name, self.defines[name].body)
            case e.FactOf(name) if name in self.facts:
                return self.inside("fact", name, self.facts[name].body)
        return ()

    def inside(self, kind: str, name: str, body: e.Expr) -> tuple[str, ...]:
        key = (kind, name)
        if key not in self.known:
            self.known[key] = ()
            found = (state for x in walk_expressions(body) for state in self.of(x))
            self.known[key] = tuple(dict.fromkeys(found))
        return self.known[key]


__all__ = ["Calls", "Reads", "check_calls", "check_lifetimes", "reach", "started_by"]
