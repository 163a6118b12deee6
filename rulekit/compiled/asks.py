"""Asks: the blocks that find the legal actions and wait, and the function that takes one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulekit.compiled import fold, lir
from rulekit.compiled.collections import EmptyColl
from rulekit.compiled.endings import LIMIT
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.legality import Legal
from rulekit.compiled.lir import NUMBER, OVER, WAIT, Expr, Int
from rulekit.compiled.lists import listed
from rulekit.compiled.ranges import Span
from rulekit.compiled.stops import GO_ON
from rulekit.compiled.subsets import Subsets
from rulekit.program import statements as st
from rulekit.program import types as t
from rulekit.program.faults import NO_LEGAL_MOVE

if TYPE_CHECKING:
    from rulekit.compiled.flow import Flow


@dataclass(frozen=True)
class Site:
    """One ask. ``wait`` is the block that waits, ``done`` the one that follows a move; ``name`` begins the
    names of
    its fields."""

    stmt: st.Ask
    number: int
    moves: tuple[int, ...]
    asking: int
    wait: int
    done: int
    out: int
    name: str


class Asks:
    """Writes asks."""

    def __init__(self, flow: Flow) -> None:
        self.flow, self.lower, self.b = flow, flow.lower, flow.b
        self.sites: list[Site] = []
        self.legal: list[Legal] = flow.legality.moves

    def write(self, stmt: st.Ask) -> None:
        """An ask begins here; what follows it goes on in a new block."""
        b, flow = self.b, self.flow
        order = list(self.lower.program.moves)
        number = len(self.sites)
        moves = tuple(sorted({order.index(move) for move in stmt.moves}))
        site = Site(stmt, number, moves, b.block(), b.block(), b.block(), b.block(), f"ask{number}")
        self.sites.append(site)
        n = self.lower.setup.players
        seat = self.lower.span(t.PLAYER)
        b.field(f"{site.name}_actor", start=lir.NONE, span=seat)
        b.field(f"{site.name}_whom", start=lir.NONE, span=seat)
        b.field(f"{site.name}_me", start=lir.NONE, span=self.lower.span(t.PLAYER, True))
        b.field(f"{site.name}_current", start=-1)
        if not stmt.together:
            b.field(f"{site.name}_again", span=Span(0, 1))
        else:
            b.field(f"{site.name}_seats", count=n, small=True, span=seat)
            b.field(f"{site.name}_count", span=Span(0, n))
            b.field(f"{site.name}_at", span=Span(0, n))
            b.field(f"{site.name}_move", count=n, span=Span(0, len(order)))
            for move in moves:
                for at, choice in enumerate(self.legal[move].move.choices):
                    kind: lir.Kind = NUMBER
                    if isinstance(choice.type, t.Collection):
                        kind = self.lower.domain(choice.type.of).kind
                    b.field(f"{site.name}_{move}_{at}", kind, n)
                    if kind == NUMBER:
                        b.ranges.fields[f"{site.name}_{move}_{at}"] = self.lower.span(choice.type)
        flow.close(site.asking)
        deep = flow.table.deep
        flow.open(site.asking)
        if stmt.together:
            self.asking_all(site)
        else:
            self.asking_one(site)
        flow.open(site.wait)
        self.wait(site)
        flow.open(site.done)
        if stmt.together:
            self.next_effect(site)
        else:
            self.moved(site)
        flow.table.deep = deep
        flow.open(site.out)

    # ------------------------------------------------------------ waiting

    def asking_one(self, site: Site) -> None:
        b, lower, stmt = self.b, self.lower, site.stmt
        who = b.atom(lower.needed(stmt.who, "the player asked"))
        b.store(f"{site.name}_actor", who)
        whom = who
        if stmt.whom is not None:
            whom = lower.needed(stmt.whom, "the player asked for")
        b.store(f"{site.name}_whom", whom)
        b.store(f"{site.name}_again", 0)
        self.flow.close(site.wait)

    def asking_all(self, site: Site) -> None:
        b, lower = self.b, self.lower
        coll = lower.coll(site.stmt.who)
        if isinstance(coll, EmptyColl):
            self.flow.close(site.out)
            return
        seats = listed(lower, coll, most=lower.setup.players)
        b.if_(fold.equal(seats.length, FALSE), [lir.Goto(Int(site.out))])
        at = b.var(span=Span(0, lower.setup.players))
        with b.collect() as each:
            b.store(f"{site.name}_seats", b.load(seats.field, lir.Get(at)), lir.Get(at))
        b.emit(lir.ForRange(at, FALSE, seats.length, tuple(each)))
        b.store(f"{site.name}_count", seats.length)
        b.store(f"{site.name}_at", 0)
        first = b.atom(b.load(f"{site.name}_seats", 0))
        b.store(f"{site.name}_actor", first)
        b.store(f"{site.name}_whom", first)
        self.flow.close(site.wait)

    def wait(self, site: Site) -> None:
        b, flow = self.b, self.flow
        whom = b.atom(b.load(f"{site.name}_whom"))
        total: Expr = FALSE
        for move in site.moves:
            count = b.call(self.legal[move].function, [whom], NUMBER, Span(0, 1 << 20))
            total = fold.add(total, count)
        total = b.atom(total)
        b.store("choices", total)
        actor = b.atom(b.load(f"{site.name}_actor"))
        with b.when(fold.equal(total, FALSE)):
            if not site.stmt.together:
                with b.when(b.load(f"{site.name}_again")):
                    b.emit(lir.Goto(Int(site.out)))
            b.emit(b.trap(NO_LEGAL_MOVE, "P{0} has no legal move", site.stmt.span, fold.add(actor, 1)))
        full = fold.binary(">=", b.load("decisions"), Int(self.lower.program.end.limit))
        b.if_(full, [lir.Store("ending", None, Int(LIMIT)), lir.Goto(Int(OVER))])
        b.store("actor", actor)
        b.store("pc", site.wait)
        flow.close(WAIT)

    # ------------------------------------------------------------ taking an action

    def apply(self) -> None:
        """Writes the function `apply`."""
        b = self.b
        place, fresh = b.var(span=Span(0, 1 << 20)), b.var(span=Span(0, 1))
        with b.collect() as body:
            b.store("decisions", fold.add(b.load("decisions"), 1))
            self.flow.rounds.decided()
            self.dispatch(self.sites, place, fresh)
            b.emit(lir.Return(Int(OVER)))
        b.function("apply", [place, fresh], NUMBER, body)

    def dispatch(self, sites: list[Site], place: lir.Var, fresh: lir.Var) -> None:
        """Finds the ask that waits, by halves."""
        b = self.b
        if len(sites) > 1:
            ordered = sorted(sites, key=lambda site: site.wait)
            half = len(ordered) // 2
            with b.collect() as low:
                self.dispatch(ordered[:half], place, fresh)
            with b.collect() as high:
                self.dispatch(ordered[half:], place, fresh)
            b.if_(fold.binary("<", b.load("pc"), Int(ordered[half].wait)), low, high)
            return
        for site in sites:
            self.taken(site, place, fresh)

    def taken(self, site: Site, place: lir.Var, fresh: lir.Var) -> None:
        b = self.b
        for at, number in enumerate(site.moves):
            legal = self.legal[number]
            last = at + 1 == len(site.moves)
            name = f"legal_{number}"
            counted: Expr
            match legal.form:
                case "flag":
                    counted = b.load(name)
                case "mask":
                    counted = fold.count(b.load(name))
                case "interval":
                    low, high = (b.load(column) for column in legal.columns)
                    counted = fold.add(fold.binary("-", high, low), 1)
                case _:
                    counted = b.load(legal.count)
            with b.collect() as chosen:
                self.choose(site, legal, place, fresh)
            if last:
                b.emit(*chosen)
            else:
                counted = b.atom(counted)
                b.if_(fold.binary("<", lir.Get(place), counted), chosen)
                b.set(place, fold.binary("-", lir.Get(place), counted))

    def choose(self, site: Site, legal: Legal, place: lir.Var, fresh: lir.Var) -> None:
        b, lower, flow = self.b, self.lower, self.flow
        for local in site.stmt.answers:
            lower.places.set_local(local, Int(legal.number))
        values = self.values(site, legal, place, fresh)
        choices = legal.move.choices
        if not site.stmt.together:
            for choice, value in zip(choices, values, strict=True):
                lower.places.set_local(choice.local, lower.element(choice.local, value))
            self.begin(site, legal.number, b.load(f"{site.name}_whom"))
            b.store("depth", fold.add(b.load("depth"), 1))
            b.emit(lir.Return(Int(flow.move_entries[legal.number])))
            return
        at = b.atom(b.load(f"{site.name}_at"))
        b.store(f"{site.name}_move", legal.number, at)
        for number, value in enumerate(values):
            b.store(f"{site.name}_{legal.number}_{number}", value, at)
        following = b.atom(fold.add(at, 1))
        b.store(f"{site.name}_at", following)
        with b.when(fold.binary("<", following, b.load(f"{site.name}_count"))):
            seat = b.atom(b.load(f"{site.name}_seats", following))
            b.store(f"{site.name}_actor", seat)
            b.store(f"{site.name}_whom", seat)
            b.emit(lir.Return(Int(site.wait)))
        b.store(f"{site.name}_me", b.load("me"))
        b.store("depth", fold.add(b.load("depth"), 1))
        b.store(f"{site.name}_at", 0)
        b.store(f"{site.name}_current", -1)
        b.emit(lir.Return(Int(site.done)))

    def begin(self, site: Site, move: int, whom: Expr) -> None:
        """A move begins: whose it is, and where the game goes on after it."""
        b = self.b
        if not site.stmt.together:
            b.store(f"{site.name}_me", b.load("me"))
        b.store("me", whom)
        b.store(f"{site.name}_current", move)
        b.store("move_back", site.done, move)

    def values(self, site: Site, legal: Legal, place: lir.Var, fresh: lir.Var) -> list[Expr]:
        """The values of the action at a place among those of its move."""
        b = self.b
        at = lir.Get(place)
        match legal.form:
            case "flag":
                return []
            case "mask":
                assert legal.domain is not None
                return [legal.domain.value(b.let(lir.Nth(b.load(f"legal_{legal.number}"), at)))]
            case "subsets":
                assert legal.domain is not None
                low, high = (b.atom(b.load(column)) for column in legal.columns)
                if legal.exact is not None:
                    low = high = Int(legal.exact)
                items = b.atom(b.load(f"legal_{legal.number}"))
                return [Subsets(self.lower, legal.domain.width).nth(items, low, high, at)]
            case "interval":
                return [b.let(fold.binary("+", b.load(legal.columns[0]), at))]
        with b.when(fold.negate(lir.Get(fresh))):
            b.call(legal.function, [b.load(f"{site.name}_whom")], NUMBER)
        return [b.let(b.load(column, at)) for column in legal.columns]

    # ------------------------------------------------------------ after a move

    def moved(self, site: Site) -> None:
        """After a single move: `stop when` is tested, then `again`."""
        b, flow, lower = self.b, self.flow, self.lower
        b.store("depth", fold.binary("-", b.load("depth"), TRUE))
        whom = b.atom(b.load("me"))
        b.store("me", b.load(f"{site.name}_me"))
        moves = list(lower.program.moves.values())
        current = b.atom(b.load(f"{site.name}_current")) if len(site.moves) > 1 else Int(site.moves[0])

        def forget() -> None:
            for move in site.moves:
                with b.collect() as stmts:
                    flow.forget_move(move)
                if stmts:
                    b.if_(fold.equal(current, Int(move)), stmts)

        self.tested(forget)
        agains = [move for move in site.moves if moves[move].again is not None]
        if agains:
            again = b.var(span=Span(0, 1))
            b.set(again, FALSE)
            for move in agains:
                condition = moves[move].again
                assert condition is not None
                with b.when(fold.equal(current, Int(move))), lower.asked(whom):
                    # The condition is about the player who moved.
                    outer = b.atom(b.load("me"))
                    b.store("me", whom)
                    b.set(again, lower.condition(condition))
                    b.store("me", outer)
            forget()
            b.if_(lir.Get(again), [lir.Store(f"{site.name}_again", None, TRUE), lir.Goto(Int(site.wait))])
        else:
            forget()
        flow.close(site.out)

    def tested(self, forget: object) -> None:
        """After a move, if no other is under way."""
        b, table = self.b, self.flow.table
        if not table.watched:
            return
        with b.when(fold.both(fold.equal(b.load("depth"), FALSE), fold.some(b.load("dirty")))):
            to = b.call("test_stops", [], NUMBER)
            with b.when(fold.binary("!=", to, Int(GO_ON))):
                if callable(forget):
                    forget()
                b.emit(lir.Goto(to))

    def next_effect(self, site: Site) -> None:
        """After the last choice of a sealed ask, and after the effect of each: the next effect."""
        b, flow, lower = self.b, self.flow, self.lower
        current = b.atom(b.load(f"{site.name}_current"))
        for move in site.moves:
            with b.collect() as stmts:
                flow.forget_move(move)
            if stmts:
                b.if_(fold.equal(current, Int(move)), stmts)
        at = b.atom(b.load(f"{site.name}_at"))
        with b.when(fold.binary("<", at, b.load(f"{site.name}_count"))):
            b.store(f"{site.name}_at", fold.add(at, 1))
            chosen = b.atom(b.load(f"{site.name}_move", at))
            for move in site.moves:
                with b.when(fold.equal(chosen, Int(move))):
                    for number, choice in enumerate(self.legal[move].move.choices):
                        value = b.let(b.load(f"{site.name}_{move}_{number}", at))
                        lower.places.set_local(choice.local, lower.element(choice.local, value))
                    self.begin(site, move, b.load(f"{site.name}_seats", at))
                    b.emit(lir.Goto(Int(flow.move_entries[move])))
        b.store("depth", fold.binary("-", b.load("depth"), TRUE))
        b.store("me", b.load(f"{site.name}_me"))
        self.tested(None)
        flow.close(site.out)
