"""How phases begin and end, and `stop when`, as functions of the low-level form."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiled import fold, lir
from rulekit.compiled.context import Lower
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import NUMBER, Expr, Int
from rulekit.compiled.ranges import Span
from rulekit.compiled.table import Table
from rulekit.program import statements as st
from rulekit.program.walk import walk

# How far a phase is (the field `stage`).
OFF, RUNNING, STOPPED, AFTER, CUT = 0, 1, 2, 3, 4

GO_ON = -9  #: what `test_stops` gives when no phase is to be left


class Stops:
    """``needed``: some phase can be left early. Else phases are no more than a return address each."""

    def __init__(self, lower: Lower, table: Table) -> None:
        self.lower, self.table, self.b = lower, table, lower.b
        self.phases = tuple(lower.program.phases.values())
        self.number = {phase.name: number for number, phase in enumerate(self.phases)}
        roots = [lower.program.play, *lower.program.phases.values(), *lower.program.moves.values()]
        self.needed = bool(table.watched) or any(
            isinstance(node, st.Stop) for root in roots for node in walk(root)
        )
        count = max(1, len(self.phases))
        self.b.field("back", count=count, start=-1)
        if self.needed:
            self.b.field("running", count=count, small=True, span=Span(0, count - 1))
            self.b.field("running_count", span=Span(0, count))
            self.b.field("stage", count=count, small=True, span=Span(0, 4))

    def functions(self, afters: list[int], forget: Callable[[int], None]) -> None:
        """Writes `onward`, `stop` and `test_stops`. ``forget`` writes what is given up with a phase."""
        if not self.needed:
            return
        b, load, store = self.b, self.b.load, self.b.store
        to = b.var()
        with b.collect() as body:
            with b.collect() as rounds:
                top = b.let(fold.add(load("running_count"), -1))
                number = b.let(load("running", top))
                stage = b.let(load("stage", number))
                with b.when(fold.equal(stage, Int(STOPPED))):
                    b.emit(lir.Return(b.lookup(afters, number)))
                b.if_(fold.binary("!=", stage, Int(CUT)), [lir.Break()])
                b.set(to, load("back", number))
                self._pop(number, top)
                self._forgotten(number, forget)
            b.emit(lir.While(fold.binary(">", load("running_count"), FALSE), tuple(rounds)))
            b.emit(lir.Return(lir.Get(to)))
        b.function("onward", [to], NUMBER, body)

        number_var = b.var(span=Span(0, len(self.phases) - 1))
        number = lir.Get(number_var)
        with b.collect() as body:
            if self.table.watched:
                store("dirty", fold.empty(self.table.kind))
            found, at = b.var(span=Span(0, 1)), b.var(span=Span(0, len(self.phases)))
            b.set(found, FALSE)
            with b.collect() as each:
                inner = b.let(load("running", lir.Get(at)))
                b.if_(fold.equal(inner, number), [lir.Let(found, TRUE)])
                with b.when(lir.Get(found)):
                    stage = b.let(load("stage", inner))
                    with b.collect() as cut, b.when(fold.equal(stage, Int(AFTER))):
                        store("stage", CUT, inner)
                    b.if_(fold.equal(stage, Int(RUNNING)), [lir.Store("stage", inner, Int(STOPPED))], cut)
            b.emit(lir.ForRange(at, FALSE, load("running_count"), tuple(each)))
            b.emit(lir.Return(b.call("onward", [load("back", number)], NUMBER)))
        b.function("stop", [number_var], NUMBER, body)
        if self.table.watched:
            self._test()

    def _test(self) -> None:
        """After a statement: the outermost phase whose condition reads what was assigned, and holds, is
        left.
        """
        b, load = self.b, self.b.load
        with b.collect() as body:
            dirty = b.let(load("dirty"))
            b.store("dirty", fold.empty(self.table.kind))
            if len(self.table.watched) == 1:
                ((watched, _),) = self.table.watched
                runs = fold.equal(load("stage", watched), Int(RUNNING))
                self._left_if(fold.both(fold.has(dirty, FALSE), runs), watched)
            else:
                at = b.var(span=Span(0, len(self.phases)))
                with b.collect() as each:
                    number = b.let(load("running", lir.Get(at)))
                    runs = b.let(fold.equal(load("stage", number), Int(RUNNING)))
                    for place, (watched, _) in enumerate(self.table.watched):
                        here = fold.both(fold.equal(number, Int(watched)), fold.has(dirty, Int(place)))
                        self._left_if(fold.both(runs, here), watched)
                with b.when(fold.some(dirty)):
                    b.emit(lir.ForRange(at, FALSE, load("running_count"), tuple(each)))
            b.emit(lir.Return(Int(GO_ON)))
        b.function("test_stops", [], NUMBER, body)

    def _left_if(self, watches: Expr, phase: int) -> None:
        """The phase is left, if it watches now and its condition holds."""
        b = self.b
        condition = self.phases[phase].stop_when
        assert condition is not None
        with b.when(watches), b.when(self.lower.condition(condition)):
            b.emit(lir.Return(b.call("stop", [Int(phase)], NUMBER)))

    def _pop(self, number: Expr, top: Expr) -> None:
        self.b.store("running_count", top)
        self.b.store("stage", OFF, number)

    def _forgotten(self, number: Expr, forget: Callable[[int], None]) -> None:
        for phase in range(len(self.phases)):
            with self.b.collect() as stmts:
                forget(phase)
            if stmts:
                self.b.if_(fold.equal(number, Int(phase)), stmts)

    # ------------------------------------------------------------ in blocks

    def entered(self, number: int) -> None:
        """The phase runs."""
        if self.needed:
            top = self.b.atom(self.b.load("running_count"))
            self.b.store("running", number, top)
            self.b.store("running_count", fold.add(top, 1))
            self.b.store("stage", RUNNING, number)

    def closing(self, number: int) -> None:
        if self.needed:
            self.b.store("stage", AFTER, number)

    def left(self, number: int, end: int, forget: Callable[[int], None]) -> None:
        """The phase is over: writes where the game goes on."""
        b = self.b
        if not self.needed:
            to: Expr = b.atom(b.load("back", number))
            forget(number)
            b.emit(lir.Goto(to))
            return
        to = b.atom(b.load("back", number))
        self._pop(Int(number), b.atom(fold.add(b.load("running_count"), -1)))
        forget(number)
        b.if_(fold.equal(to, Int(end)), [lir.Goto(to)])
        b.emit(lir.Goto(b.call("onward", [to], NUMBER)))
