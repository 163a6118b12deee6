"""The machine: runs games of one setup from decision to decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from rulekit.engine import chance as streams
from rulekit.engine import facts, gather  # noqa: F401  (they register kinds of expressions)
from rulekit.engine.asks import Site, choose, decision, legal_actions
from rulekit.engine.coverage import Coverage
from rulekit.engine.evaluate import Fn, Scope
from rulekit.engine.fault import FaultError
from rulekit.engine.flow import Flow
from rulekit.engine.layout import Layout
from rulekit.engine.outcome import Outcomes
from rulekit.engine.patterns import Patterns  # noqa: F401  (registers the expressions about patterns)
from rulekit.engine.record import Action, Decision, Ending, IllegalAction, Outcome, Refusal
from rulekit.engine.rounds import finish
from rulekit.engine.state import State, undump
from rulekit.engine.statements import Effects
from rulekit.engine.stops import Stops
from rulekit.engine.table import Table
from rulekit.engine.view import View, Views
from rulekit.program import Setup
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program import types as t


class Machine:
    """Plays the games of one setup; or, with ``phase``, that phase alone as a whole game.

    A phase alone starts with the state of the match at START; players without START, such as the dealer, are
    drawn from chance first. A machine holds scratch space: use one in each thread. States hold none of it.

    ``on_statement``  called with the state after each leaf statement, if not None
    ``coverage``  notes what was reached, if not None
    ``statements``  the leaf statement or ask that each number in `Coverage.statements` stands for
    """

    table_class: ClassVar[type[Table]] = Table
    scope_class: ClassVar[type[Scope]] = Scope

    def __init__(self, setup: Setup, phase: str | None = None, arguments: tuple[Any, ...] = ()) -> None:
        if phase is not None and phase not in setup.program.phases:
            raise ValueError(f"`{setup.program.name}` has no phase `{phase}`")
        self.setup = setup
        self.phase = phase
        self.arguments = arguments
        self.layout = Layout(setup)
        self._scope = self.scope_class(self.layout)
        effects = Effects(self._scope, self.table_class)
        self._table = effects.table
        self._stops = Stops(self._scope, effects)
        self._flow = Flow(self._scope, effects, self._stops)
        owned = {name for names in self.layout.owners.values() for name in names}
        states = setup.program.state.values()
        self._starts = [effects.start(state) for state in states if state.name not in owned]
        self._inner_starts = [effects.start(state) for state in states if state.name in owned]
        self._names = tuple(setup.program.moves)
        self._numbers = {name: number for number, name in enumerate(self._names)}
        self._compiled: dict[int, tuple[e.Expr, Fn]] = {}
        self._outcomes = Outcomes(self._scope)
        self._views = Views(self._scope, effects.table)
        self.statements: Mapping[int, st.Stmt] = self._flow.statements
        self.on_statement: Callable[[State], None] | None = None
        self._coverage: Coverage | None = None

    @property
    def coverage(self) -> Coverage | None:
        return self._coverage

    @coverage.setter
    def coverage(self, coverage: Coverage | None) -> None:
        self._coverage = coverage
        for legality in self._flow.legality:
            legality.coverage = coverage

    # ------------------------------------------------------------ a game

    def start(
        self,
        seed: int = 0,
        game: int = 0,
        deal: Sequence[Sequence[int]] | None = None,
        draws: Sequence[Any] | None = None,
    ) -> State:
        """The first decision of a game.

        ``deal`` lists for each shuffle, in order, the cards as they leave, top first; cards not listed lie
        shuffled beneath. ``draws`` are results of `random`, in order. Once they are used up chance goes on.
        """
        s = self.blank(seed, game, deal, draws)
        if self.phase is not None:
            self.run_phase(s, self.phase, self.arguments)
        else:
            self._run(s, self._flow.start)
        return s

    def blank(
        self,
        seed: int = 0,
        game: int = 0,
        deal: Sequence[Sequence[int]] | None = None,
        draws: Sequence[Any] | None = None,
    ) -> State:
        """A game before its first statement: all cards in the box, all state at START.

        State of phases is at START too, as far as that can be told before they begin; it starts afresh then.
        """
        layout, program = self.layout, self.setup.program
        cards, cells = len(self.setup.pack), len(layout.cell_names)
        s = State.__new__(State)
        s.zones = [()] * len(layout.places)
        s.zones[0] = tuple(range(cards))
        s.place = [0] * cards
        s.up = [False] * cards
        s.mover = [None] * cards
        s.shown = [0] * cards
        s.used = [place.always for place in layout.places]
        s.cells = [None] * cells
        s.cells_shown = [0] * cells
        s.locals = [None] * len(self._scope.lasting)
        s.marks = [None] * self._flow.marks
        s.stage = [0] * len(program.phases)
        s.running = ()
        s.armed = s.depth = s.dirty = s.decisions = 0
        s.me = 0 if self.setup.players == 1 else None
        s.pc = -1
        s.chance = self._stream(seed, game)
        s.origin = None if deal or draws or s.chance == streams.OPEN else s.chance
        s.deal = tuple(tuple(cards) for cards in deal or ())
        s.draws = tuple(draws or ())
        s.lives = [0] * len(layout.owners)
        s.opened = ()
        s.receipts = s.history = s.ending = None
        s.legal = ()
        try:
            for start in self._starts:
                start(s)
            if self.phase is not None:
                self._draw_players(s)
        except FaultError as error:
            finish(s, Ending("fault", fault=error.fault))
            return s
        for start in self._inner_starts:
            try:
                start(s)
            except FaultError:
                continue  # it reads what is known only when the phase begins
        for place in layout.places:
            for cell, value in self._table.fields.get(place.number, ()):
                s.cells[cell] = value(s)
        return s

    def _stream(self, seed: int, game: int) -> int:
        """Where the stream of chance starts."""
        return streams.streams(seed, game)[0]

    def _draw_players(self, s: State) -> None:
        draw = self._scope.compile(e.Random(e.Players(type=t.PLAYERS), type=t.PLAYER))
        for state in self.setup.program.state.values():
            if state.scope is None and state.start is None and isinstance(state.type, t.Player):
                family = self.layout.states[state.name]
                for cell in family.cells:
                    s.cells[cell] = draw(s)

    def run_phase(self, s: State, name: str, arguments: Sequence[Any] = ()) -> None:
        """Runs a phase from the start of the play to its first decision; when it ends the game is over.

        The state of the phase itself may still be read then.
        """
        if s.ending is not None:
            return
        number = self._stops.number[name]
        phase = self._stops.phases[number]
        if len(arguments) != len(phase.parameters):
            raise ValueError(f"`{name}` takes {len(phase.parameters)} values, not {len(arguments)}")
        for parameter, value in zip(phase.parameters, arguments, strict=True):
            self._scope.setter(parameter)(s, value)
        s.marks[self._stops.back[number]] = self._flow.end
        self._run(s, self._stops.entries[number])

    def _run(self, s: State, pc: int) -> None:
        """Follows the instructions to the next decision, or to the end."""
        code = self._flow.code
        self._flow.rounds.decided()
        if self.on_statement is not None or self.coverage is not None:
            code = self._watched_code
        try:
            while pc >= 0:
                at = pc
                pc = code[pc](s)
        except FaultError as error:
            fault = error.fault
            if fault.span is None and at in self.statements:
                fault = type(fault)(fault.code, fault.message, self.statements[at].span, fault.hints)
            finish(s, Ending("fault", fault=fault))

    @cached_property
    def _watched_code(self) -> list[Callable[[State], int]]:
        """The instructions, each leaf statement followed by `on_statement` and noted in `coverage`."""
        return [self._watched(number, op) for number, op in enumerate(self._flow.code)]

    def _watched(self, number: int, op: Callable[[State], int]) -> Callable[[State], int]:
        stmt = self.statements.get(number)
        if stmt is None:
            return op

        def watched(s: State) -> int:
            receipts = s.receipts
            following = op(s)
            if self._coverage is not None:
                self._coverage.statements.add(number)
                if s.receipts is not receipts and s.receipts is not None:
                    self._coverage.reasons.add(s.receipts[1].reason)
            if self.on_statement is not None:
                self.on_statement(s)
            return following

        return watched

    # ------------------------------------------------------------ decisions

    def decision(self, s: State) -> Decision | None:
        """Who must choose, and among which moves; None when the game is over."""
        site = self._site(s)
        return None if site is None else decision(s, site, self._names)

    def _site(self, s: State) -> Site | None:
        return self._flow.sites.get(s.pc) if s.ending is None else None

    def legal(self, s: State) -> list[Action]:
        """The legal actions, in the order of their numbers; none when the game is over."""
        return list(s.legal)

    def apply(self, s: State, action: Action) -> None:
        """The actor makes a legal action; the game goes on to the next decision, in place.

        Raises IllegalAction, and leaves the state unchanged, if the action is not legal.
        """
        try:
            # The action as listed: what the caller holds may equal it and be of other types.
            action = s.legal[s.legal.index(action)]
        except ValueError:
            refusal = self.refusal(s, action.move, action.values)
            assert refusal is not None, "an action that is not legal is refused for a reason"
            raise IllegalAction(action, refusal) from None
        site = self._flow.sites[s.pc]
        if self.coverage is not None:
            self.coverage.moves.add(action.move)
        self._run(s, choose(self._flow, s, site, self._numbers[action.move], action.values))

    def refusal(self, s: State, move: str, values: Sequence[Any] = ()) -> Refusal | None:
        """Why the actor may not make this move with these values; None if he may.

        With fewer values than the move has choices: why those given cannot be completed.
        """
        site = self._site(s)
        if site is None:
            return Refusal("over", move)
        number = self._numbers.get(move)
        if number is None or number not in site.moves:
            return Refusal("not asked", move)
        outer, s.me = s.me, s.marks[site.whom]
        try:
            refusal = self._flow.legality[number].refusal(s, tuple(values))
        except FaultError:
            # Values out of any domain may lead a condition astray; no legal value does.
            refusal = Refusal("values", move)
        finally:
            s.me = outer
        if refusal is None and Action(move, tuple(values)) not in s.legal:
            return Refusal("copy", move)
        return refusal

    # ------------------------------------------------------------ looking

    def outcome(self, s: State) -> Outcome:
        """Ranking, scores and payoffs; the reason is "unfinished" while the game goes on."""
        return self._outcomes.outcome(s)

    def view(self, s: State, seat: int) -> View:
        """All that a seat may see."""
        return self._views.view(s, seat, self.decision(s))

    def evaluate(self, s: State, expr: e.Expr, me: int | None = None) -> Any:
        """The value of an expression in a position, ``me`` being the player asked (None: as it is).

        Raises FaultError if it has none.
        """
        known = self._compiled.get(id(expr))
        if known is None:
            known = self._compiled[id(expr)] = (expr, self._scope.compile(expr))
        outer = s.me
        if me is not None:
            s.me = me
        try:
            return known[1](s)
        finally:
            s.me = outer

    # ------------------------------------------------------------ laying a position

    def lay(
        self,
        s: State,
        zones: Mapping[int, Iterable[int]] | None = None,
        faces: Mapping[int, bool] | None = None,
        states: Mapping[tuple[str, int | None], Any] | None = None,
        movers: Mapping[int, int | None] | None = None,
    ) -> None:
        """Lays a position over a state; then `resume`.

        ``zones``  for each number of a place exactly the cards that lie there (a pile bottom first); together
        with the places not named every card must lie in one place
        ``faces``  for cards in zones seen by face: up; a card that is moved and not named lies down
        ``states``  values by name and member (None or 0 for a state that is no family)
        ``movers``  who last moved a card by a move of his own
        """
        s.origin = None
        laid = {place: tuple(cards) for place, cards in (zones or {}).items()}
        after = [laid.get(place, cards) for place, cards in enumerate(s.zones)]
        if sorted(card for cards in after for card in cards) != list(range(len(s.place))):
            raise ValueError("every card must lie in exactly one place")
        for place, cards in laid.items():
            s.zones[place] = cards if self.layout.is_pile[place] else tuple(sorted(cards))
            if not self.layout.places[place].always:
                if bool(cards) and not s.used[place]:
                    self._table.claim(s, (place,), None)
                elif not cards and s.used[place]:
                    self._table.release(s, place)
            for card in cards:
                s.place[card], s.up[card], s.shown[card], s.mover[card] = place, False, 0, None
        for card, up in (faces or {}).items():
            s.up[card] = up and self.layout.faced[s.place[card]]
        for (name, member), value in (states or {}).items():
            family = self.layout.states[name]
            s.cells[family.first + (member or 0)] = value
            s.cells_shown[family.first + (member or 0)] = 0
        for card, seat in (movers or {}).items():
            s.mover[card] = seat

    def resume(self, s: State) -> None:
        """Asks again what was asked, after a position was laid: who is asked and what is legal may differ."""
        site = self._site(s)
        if site is not None:
            self._run(s, site.asking)

    # ------------------------------------------------------------ saving

    def load(self, data: dict[str, Any]) -> State:
        """The state that `State.dump` made, of this machine or one of an equal setup."""
        s = undump(data)
        site = self._site(s)
        if site is not None:
            s.legal = legal_actions(s, site, tuple(self._flow.legality[number] for number in site.moves))
        return s
