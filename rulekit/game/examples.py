"""Runs the examples of a rule file: positions laid over random games, and what must come of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulekit.diagnostics import Diagnostic, Note, Span
from rulekit.engine import Action, FaultError, Machine, State, chance
from rulekit.game.explain import Explanation, explain_refusal, own_cards, own_copies
from rulekit.game.notation import Notation, NotationError, is_wide
from rulekit.game.position import Position, PositionError, lay, read_words
from rulekit.game.wording import described, whole
from rulekit.program import expressions as e
from rulekit.program import prepare
from rulekit.program.program import Allowed, EventDef, ExampleDef, Given, Placed, Refused, Then
from rulekit.program.types import Player

if TYPE_CHECKING:
    from rulekit.game.ruleset import Ruleset

DEALS = 20  #: each example must hold for so many deals
SEEDS = 1000  #: games played at random in search of the position an example begins with
PATIENCE = 200_000  #: decisions, and rounds of loops, in that search, after which it is given up
FORCED = 1000  #: decisions without a choice that are passed over between two events


@dataclass(frozen=True)
class ExampleResult:
    """How an example came out. ``diagnostics`` says what went wrong in the first deal that failed.

    ``deals`` is how many were tried, the failed one included.
    """

    title: str
    deals: int
    diagnostics: tuple[Diagnostic, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def passed(self) -> bool:
        return not self.diagnostics


class _Failure(Exception):
    """The example does not hold."""

    def __init__(self, code: str, message: str, span: Span | None, *notes: Note) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.notes = notes


def run_examples(rules: Ruleset, deals: int = DEALS) -> list[ExampleResult]:
    """Runs every example of a ruleset with so many deals; raises ValueError if that is no number from 1."""
    tried = whole(deals, 1)
    if tried is None:
        raise ValueError(f"the number of deals is a whole number from 1, not {described(deals)}")
    runner = ExampleRunner(rules, tried)
    return [runner.run(example) for example in rules.program.examples]


class ExampleRunner:
    """Runs examples of one ruleset one by one. What they share, such as the games played at random in
    search of where an example begins, is kept from one to the next."""

    def __init__(
        self,
        rules: Ruleset,
        deals: int = DEALS,
        patience: int = PATIENCE,
        machine: type[Machine] = Machine,
    ) -> None:
        self.rules = rules
        self.deals = deals
        self.patience = patience
        self.machine = machine
        self._tables: dict[tuple[Any, ...], _Table] = {}

    def run(self, example: ExampleDef, deals: int | None = None) -> ExampleResult:
        """How the example comes out; up to so many deals (`deals` of the runner), fewer if one fails.

        The search for where it begins is given up after `patience` decisions.
        """
        return _run(self, example, self.deals if deals is None else deals, self._tables)

    @property
    def machines(self) -> list[Machine]:
        """The machines of all tables that examples were run at."""
        return [table.machine for table in self._tables.values()]

    @property
    def searched(self) -> int:
        """The most decisions of games that were played in vain in search of where an example begins."""
        return max((table.searched for table in self._tables.values()), default=0)


def _run(
    runner: ExampleRunner, example: ExampleDef, deals: int, tables: dict[tuple[Any, ...], _Table]
) -> ExampleResult:
    rules = runner.rules
    program = rules.program
    chosen = rules.chosen | dict(example.options)
    players = example.players or _fewest(program.players, example)
    number = 0
    try:
        key = players, tuple(chosen.items())
        if key not in tables:
            try:
                tables[key] = _Table(runner.machine(prepare(program, players, chosen)), runner.patience)
            except ValueError as error:
                raise _Failure("RK809", f"this table cannot be: {error}", example.span) from None
        run = _Run(tables[key], example)
        for number, state in enumerate(run.starts(deals), 1):  # noqa: B007
            run.check(state)
    except _Failure as failure:
        found = Diagnostic(
            failure.code,
            f"example `{example.title}`: {failure.message}",
            failure.span or example.span,
            notes=failure.notes,
            help=f"it fails in deal {number} of {deals}" if number > 1 else None,
        )
        return ExampleResult(example.title, max(number, 1), (found,), example.span)
    return ExampleResult(example.title, number, (), example.span)


def _fewest(players: tuple[int, int], example: ExampleDef) -> int:
    """The fewest players among whom every seat of the example sits."""
    seats = [event.seat for event in example.events]
    seats += [allowed.seat for allowed in example.allowed]
    seats += [refused.event.seat for refused in example.refused]
    seats += [seat for placed in example.result for seat in placed.seats]
    for given in example.given:
        index = given.index
        if isinstance(index, e.Constant) and isinstance(index.type, Player) and isinstance(index.value, int):
            seats.append(index.value)
    return min(max([players[0], *(seat + 1 for seat in seats)]), players[1])


class _Table:
    """The engine for some examples, and the positions at which its random games first ask for a move."""

    def __init__(self, machine: Machine, patience: int = PATIENCE) -> None:
        self.machine = machine
        self.patience = patience
        self.notation = Notation(machine.setup)
        self._found: dict[tuple[int, str], list[State]] = {}
        self._next_seed: dict[tuple[int, str], int] = {}
        self._patience: dict[tuple[int, str], int] = {}

    @property
    def searched(self) -> int:
        """The most decisions of games in vain for one seat and move."""
        return max(self._patience.values(), default=0)

    def asking(self, seat: int, move: str, number: int) -> State | None:
        """The ``number``-th position (from 0) at which that seat is first asked for that move."""
        key = seat, move
        found = self._found.setdefault(key, [])
        while len(found) <= number:
            seed = self._next_seed.get(key, 0)
            if seed >= SEEDS or self._patience.get(key, 0) > self.patience:
                return None
            self._next_seed[key] = seed + 1
            state = self._search(key, seed)
            if state is not None:
                found.append(state)
        return found[number].copy()

    def _search(self, key: tuple[int, str], seed: int) -> State | None:
        machine = self.machine
        state = machine.start(seed)
        stream = chance.streams(seed)[1]
        while (decision := machine.decision(state)) is not None:
            if decision.actor == key[0] and key[1] in decision.moves:
                return state
            legal = state.legal
            stream, place = chance.below(stream, len(legal))
            machine.apply(state, legal[place])
        # Rounds of loops count as decisions do: rules that go round and round find no end otherwise.
        self._patience[key] = self._patience.get(key, 0) + state.decisions
        return None


class _Run:
    """One example at its table."""

    def __init__(self, table: _Table, example: ExampleDef) -> None:
        self.machine = table.machine
        self.notation = table.notation
        self.table = table
        self.example = example
        self.first: EventDef | Allowed | None = None
        for part in (example.events, example.allowed, [refused.event for refused in example.refused]):
            if part and self.first is None:
                self.first = part[0]

    # ------------------------------------------------------------ the beginning

    def starts(self, deals: int) -> Iterator[State]:
        """So many positions with the given laid over them."""
        for number in range(deals):
            state = self._start(number)
            self._lay(state)
            if self.example.run is not None:
                name, arguments = self.example.run
                self.machine.run_phase(state, name, [self._value(state, x) for x in arguments])
            elif self.first is not None:
                self.machine.resume(state)
            yield state

    def _start(self, number: int) -> State:
        """Where the example begins, in the deal of that number (from 0)."""
        first = self.first
        if self.example.run is not None or first is None:
            return self.machine.blank(number)
        state = self.table.asking(first.seat, first.move, number)
        if state is None:
            raise _Failure(
                "RK801",
                f"random games from the start never ask P{first.seat + 1} for `{first.move}`"
                if number == 0
                else f"random games ask P{first.seat + 1} for `{first.move}` too seldom",
                first.span,
            )
        return state

    def _lay(self, state: State) -> None:
        position = Position()
        for given in self.example.given:
            member = None if given.index is None else self._value(state, given.index)
            if given.cards is not None:
                first, *others = self._places(given, member)
                position.cards |= {first: given.cards, **dict.fromkeys(others, ())}
            else:
                assert given.value is not None, "a given is cards or a value"
                position.values[given.name, member] = self._value(state, given.value)
        decision = self.machine.decision(state)
        asked = decision.whom if decision is not None else self.first.seat if self.first else 0
        try:
            lay(self.machine, self.notation, state, position, asked)
        except PositionError as error:
            raise _Failure("RK807", str(error), self.example.span) from None

    def _places(self, given: Given, member: int | None) -> Sequence[int]:
        """Where the cards lie; then the other piles of the same player or team, which are empty."""
        zone = self.notation.program.zones[given.name]
        groups = self.notation.setup.zone_places[given.name]
        if zone.per is not None:
            return groups[member or 0]
        slots = groups[0]
        number = member or 1
        if not 1 <= number <= len(slots):
            raise _Failure("RK807", f"`{given.name}` has {len(slots)} piles, not {number}", given.span)
        return slots[number - 1 : number]

    def _value(self, state: State, expr: e.Expr) -> Any:
        try:
            return self.machine.evaluate(state, expr)
        except FaultError as error:
            raise _Failure("RK808", error.fault.message, expr.span) from None

    # ------------------------------------------------------------ what follows

    def check(self, state: State) -> None:
        """Raises _Failure if what should follow does not."""
        self._no_fault(state, self.example.span)
        for event in self.example.events:
            self._advance(state, event.seat, event.move, event.span)
            action = self._read(state, event)
            explanation = self._explain(state, action)
            if explanation is not None:
                raise _Failure(
                    "RK802",
                    f"`P{event.seat + 1} {explanation.move}` is refused: {explanation.message}",
                    event.span,
                    *_rule_note(explanation),
                )
            self.machine.apply(state, action)
            self._no_fault(state, event.span)
        for allowed in self.example.allowed:
            self._check_allowed(state.copy(), allowed)
        for refused in self.example.refused:
            self._check_refused(state.copy(), refused)
        for then in self.example.then:
            self._check_then(state, then)
        if self.example.result:
            self._check_result(state, self.example.result)

    def _no_fault(self, state: State, span: Span | None) -> None:
        ending = state.ending
        if ending is not None and ending.fault is not None:
            fault = ending.fault
            notes = (Note("the statement that breaks down", fault.span),) if fault.span else ()
            raise _Failure("RK808", f"the rules break down: {fault.message}", span, *notes)

    def _advance(self, state: State, seat: int, move: str, span: Span | None) -> None:
        """To the next ask of that seat. Asks of others are passed over if they leave no choice."""
        for _ in range(FORCED):
            decision = self.machine.decision(state)
            if decision is None:
                raise _Failure("RK803", f"the game is over before P{seat + 1} can {move}", span)
            if decision.actor == seat:
                return
            if len(state.legal) > 1:
                names = " or ".join(f"`{name}`" for name in dict.fromkeys(a.move for a in state.legal))
                raise _Failure(
                    "RK803", f"here P{decision.actor + 1} is asked for {names}, not P{seat + 1}", span
                )
            self.machine.apply(state, state.legal[0])
            self._no_fault(state, span)
        raise _Failure("RK803", f"P{seat + 1} is not asked for `{move}`", span)

    def _read(self, state: State, event: EventDef) -> Action:
        """The action that an event names: of equal cards the one that is offered, else the player's own."""
        try:
            reading = self.notation.read_move(" ".join((event.move, *event.words)))
            if reading.values is None:
                raise NotationError("say with parentheses which cards go together")
        except NotationError as error:
            raise _Failure("RK802", str(error), event.span) from None
        for action in state.legal:
            if action.move == reading.move and self.notation.move(*action) == reading.text:
                return action
        holds = own_cards(self.machine, state, self.machine.decision(state))
        return Action(reading.move, own_copies(self.notation, reading, holds))

    def _explain(self, state: State, action: Action) -> Explanation | None:
        """Why an action is refused; None if it is legal."""
        if action in state.legal:
            return None
        decision = self.machine.decision(state)
        refusal = self.machine.refusal(state, action.move, action.values)
        assert refusal is not None, "what is not in the list of legal actions is refused"
        holds = own_cards(self.machine, state, decision)
        text = self.notation.move(action.move, action.values)
        return explain_refusal(self.notation, refusal, text, decision, holds)

    def _check_allowed(self, state: State, allowed: Allowed) -> None:
        self._advance(state, allowed.seat, allowed.move, allowed.span)
        choices = self.notation.program.moves[allowed.move].choices
        if not choices:
            raise _Failure("RK804", f"`{allowed.move}` leaves nothing to choose", allowed.span)
        of = choices[0].type
        legal = [a.values[0] for a in state.legal if a.move == allowed.move]
        found = list(dict.fromkeys(self.notation.value(of, value) for value in legal))
        wanted = []
        for word in allowed.words:
            try:
                words = [] if word == "none" and is_wide(choices[0]) else word.split()
                wanted.append(self.notation.value(of, read_words(self.notation, of, words)))
            except NotationError as error:
                raise _Failure("RK804", str(error), allowed.span) from None
        if set(found) != set(wanted):
            missing = [text or "none" for text in wanted if text not in found]
            extra = [text or "none" for text in found if text not in wanted]
            parts = [f"{_listed(missing)} should be allowed"] if missing else []
            parts += [f"{_listed(extra)} should not be"] if extra else []
            raise _Failure(
                "RK804",
                f"P{allowed.seat + 1} may {allowed.move} {_listed(found) or 'nothing'}: {', '.join(parts)}",
                allowed.span,
            )

    def _check_refused(self, state: State, refused: Refused) -> None:
        event = refused.event
        self._advance(state, event.seat, event.move, refused.span)
        explanation = self._explain(state, self._read(state, event))
        wanted = f"it should be refused by `{refused.label}`"
        text = f"P{event.seat + 1} {' '.join((event.move, *event.words))}"
        if explanation is None:
            raise _Failure("RK805", f"`{text}` is legal: {wanted}", refused.span)
        if explanation.rule != refused.label:
            raise _Failure(
                "RK805",
                f"`{text}` is refused otherwise ({explanation.message}): {wanted}",
                refused.span,
                *_rule_note(explanation),
            )

    def _check_then(self, state: State, then: Then) -> None:
        try:
            if self.machine.evaluate(state, then.condition):
                return
        except FaultError as error:
            raise _Failure(
                "RK806", f"`{then.source}` has no value: {error.fault.message}", then.span
            ) from None
        instead = self._instead(state, then.condition)
        raise _Failure("RK806", f"`{then.source}` does not hold{instead}", then.span)

    def _check_result(self, state: State, result: Sequence[Placed]) -> None:
        """The game is over, and these share the first places."""
        while (decision := self.machine.decision(state)) is not None and len(state.legal) == 1:
            self.machine.apply(state, state.legal[0])
        if decision is not None:
            raise _Failure("RK810", f"the game is not over: P{decision.actor + 1} is to move", result[0].span)
        self._no_fault(state, result[0].span)
        outcome = self.machine.outcome(state)
        for number, placed in enumerate(result):
            found = outcome.ranking[number] if number < len(outcome.ranking) else ()
            if {*found} != {*placed.seats}:
                who = _seats(found) if found else "nobody"
                wanted = _seats(placed.seats)
                raise _Failure("RK810", f"place {number + 1} goes to {who}, not to {wanted}", placed.span)
            for seat in placed.seats if placed.score is not None else ():
                if outcome.scores[seat] != placed.score:
                    score = outcome.scores[seat]
                    raise _Failure(
                        "RK810",
                        f"the score of P{seat + 1} in the end is {score}, not {placed.score}",
                        placed.span,
                    )

    def _instead(self, state: State, condition: e.Expr) -> str:
        """`: score of P1 is 3`, where a comparison says what should be."""
        if not isinstance(condition, e.Same | e.Less) or condition.left.span is None:
            return ""
        left = condition.left
        try:
            value = self.machine.evaluate(state, left)
            text = self.notation.value(left.type, value)
        except (FaultError, LookupError, TypeError):
            return ""
        return f": `{condition.left.span.text}` is {text or 'empty'}"


def _rule_note(explanation: Explanation) -> tuple[Note, ...]:
    return (Note("the rule that refuses it", explanation.span),) if explanation.span else ()


def _seats(seats: Sequence[int]) -> str:
    """`P1 and P3`."""
    return " and ".join(f"P{seat + 1}" for seat in sorted(seats))


def _listed(texts: Sequence[str]) -> str:
    """`4C, QC`: a selection of several cards in parentheses."""
    return ", ".join(f"({text})" if " " in text else text for text in texts)
