"""One game being played: whose turn, legal moves, playing, why, views, undo, record."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulekit.engine import Action, Machine, Outcome, State
from rulekit.engine.chance import streams
from rulekit.game.ended import outcome_of, scores_of
from rulekit.game.engines import Engines
from rulekit.game.errors import AmbiguousMove, IllegalMove, InvalidMove, RecordError
from rulekit.game.explain import Explanation, explain_legal, explain_refusal, own_cards, own_copies
from rulekit.game.moves import Move
from rulekit.game.notation import NotationError, Reading
from rulekit.game.prompt import Prompt, make_prompt
from rulekit.game.record import Record
from rulekit.game.snapshot import Kept, pack, state_hash
from rulekit.game.track import Made, Track
from rulekit.game.view import Played, Receipt, View, describe_event, describe_receipt, describe_view
from rulekit.game.wording import described, whole

if TYPE_CHECKING:
    from rulekit.compiled import PythonEngine
    from rulekit.compiled.pyengine import State as Flat
    from rulekit.game.ruleset import Ruleset

WARM = 1000  #: decisions at a table before Python is generated for it: it takes about as long as they do
MOST_NEAR = 3  #: so many legal moves like a refused text are named


@dataclass(frozen=True)
class Beginning:
    """How a game was set up: all that its record says besides the moves, and how to do it again."""

    record: Record
    start: Callable[[], State]

    @property
    def by_chance(self) -> bool:
        """Nothing was forced: the seed alone decides."""
        return self.record.deal is None and self.record.draws is None and self.record.given is None


class Game:
    """A game of one ruleset, made by `Ruleset.new_game`.

    Seats are numbers from 0; texts call them P1, P2 ... Nothing here depends on anything but the rules, the
    seed and the moves. A game is not to be used by two threads at once.
    """

    def __init__(
        self, rules: Ruleset, engines: Engines, beginning: Beginning, engine: str | None = None
    ) -> None:
        """``engine``  `reference`, `python`, or None: the generated Python once it is worth its while."""
        self.rules = rules
        self.remarks: tuple[str, ...] = ()  #: what a replay that was told to go on had to overlook
        self._engines = engines
        self._notation = engines.notation
        self._beginning = beginning
        self._wanted = engine if beginning.by_chance else "reference"
        self._made: list[Made] = []  # also those that were undone
        self._at = 0
        self._reference: Track[State] = Track(beginning.start, _ReferenceStep(engines))
        self._compiled: Track[Flat] | None = None
        self._known: tuple[object, Sequence[Action]] = None, ()  # legal actions of a position
        self._offered: tuple[object, list[Move]] = (
            None,
            [],
        )  # what was told of the legal actions of a position
        self._texts: tuple[object, dict[str, list[tuple[int, Action]]]] = None, {}

    # ------------------------------------------------------------ on which engine

    @property
    def engine(self) -> str:
        """The engine that finds legal moves and makes them: `reference` or `python`.

        What only the reference engine knows (views, reasons, receipts ...) it tells in any case: it plays the
        moves after when it is asked.
        """
        return "reference" if self._fast is None else "python"

    @property
    def _fast(self) -> PythonEngine | None:
        """The generated Python, if it is used."""
        if self._compiled is not None:
            return self._engines.python
        if self._wanted == "reference" or (self._wanted is None and self._engines.decisions < WARM):
            return None
        if self._wanted is None and self._engines.why_not("python") is not None:
            self._wanted = "reference"
            return None
        step, seed = _CompiledStep(self._engines.python), self.seed
        self._compiled = Track(lambda: step.start(seed), step)
        self._reach()
        return None if self._compiled is None else self._engines.python

    def _reach(self) -> None:
        """Goes to the position; the reference engine plays from now on if the other does not get there."""
        if self._compiled is not None:
            try:
                _ = self._flat
                return
            except _BeyondError:
                self._wanted, self._compiled = "reference", None
        _ = self._state

    @property
    def _machine(self) -> Machine:
        return self._engines.machine

    @property
    def _state(self) -> State:
        """The position in the reference engine."""
        return self._reference.at(self._at, self._made)

    @_state.setter
    def _state(self, state: State) -> None:
        """A position that the moves made need not lead to: from here on the reference engine plays."""
        self._reference.keep(self._at, state)
        self._wanted, self._compiled = "reference", None

    @property
    def _flat(self) -> Flat:
        """The position in the generated Python."""
        assert self._compiled is not None, "it is used"
        return self._compiled.at(self._at, self._made)

    @property
    def _legal(self) -> Sequence[Action]:
        """The legal actions."""
        engine = self._fast
        if engine is None:
            return self._state.legal
        flat = self._flat
        if self._known[0] is not flat:
            from rulekit.compiled import legal_actions

            self._known = flat, tuple([Action(*action) for action in legal_actions(engine, flat)])
        return self._known[1]

    # ------------------------------------------------------------ what is the case

    @property
    def players(self) -> int:
        """How many play."""
        return self._engines.setup.players

    @property
    def seed(self) -> int:
        """The seed of all chance. A player must not learn it while the game goes on."""
        return self._beginning.record.seed

    @property
    def options(self) -> dict[str, bool | int | str]:
        """The options of this game, by name."""
        return dict(self._beginning.record.options)

    @property
    def to_move(self) -> int | None:
        """The seat that is asked, None when the game is over."""
        engine = self._fast
        if engine is not None:
            flat = self._flat
            return engine.load(flat, "actor") if engine.load(flat, "choices") else None
        decision = self._machine.decision(self._state)
        return None if decision is None else decision.actor

    @property
    def is_over(self) -> bool:
        engine = self._fast
        return self._state.ending is not None if engine is None else not engine.load(self._flat, "choices")

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on.

        ``ranking`` lists groups of seats that share a place, first place first; ``scores`` and ``payoffs``
        go by seat; ``reason`` is `played out`, `limit`, `loop` or `fault` (then ``fault`` says of what).
        """
        if not self.is_over:
            return None
        engine = self._fast
        found = None if engine is None else outcome_of(engine, self._flat)
        return self._machine.outcome(self._state) if found is None else found

    @property
    def scores(self) -> tuple[int | None, ...]:
        """The score of each seat as things stand; None where the rules name none."""
        engine = self._fast
        if engine is not None:
            return scores_of(engine, self._flat)
        return self._machine.outcome(self._state).scores

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """The whole score sheet. What one seat may know of it is in its view."""
        return tuple(describe_receipt(self._notation, one) for one in self._state.receipt_list())

    @property
    def history(self) -> tuple[Played, ...]:
        """All moves made, hidden cards included; a sealed choice is told when all are in."""
        return tuple(describe_event(self._notation, event) for event in self._state.events())

    @property
    def fingerprint(self) -> str:
        """A hash of the position: equal positions have equal ones, on every machine."""
        return state_hash(self._state)

    def legal_moves(self, seat: int | None = None) -> list[Move]:
        """The legal moves in the order of their numbers. For a seat that is not asked the list is empty."""
        if seat is not None and seat != self.to_move:
            return []
        described, legal = self._engines.move, self._legal
        moves = [described(action) for action in legal]
        self._offered = legal, moves
        return moves[:]

    def view(self, seat: int) -> View:
        """What a seat may see; raises ValueError for a seat that is not at this table."""
        return describe_view(self._notation, self._machine.view(self._state, self._seat(seat)))

    def prompt(self, seat: int | None = None) -> Prompt | None:
        """What the seat is asked (None: whoever is asked), in words; None if the seat is not asked."""
        decision = self._machine.decision(self._state)
        if decision is None or (seat is not None and self._seat(seat) != decision.actor):
            return None
        return make_prompt(self._machine, self._notation, self._state, decision)

    def log(self, seat: int | None = None) -> list[str]:
        """The moves as lines, `P1 play 4S`; for a seat with `??` for each card it could not see."""
        played = self.history if seat is None else self.view(seat).history
        return [str(one) for one in played]

    # ------------------------------------------------------------ playing

    def play(self, move: Move | str) -> Played:
        """Make a move, given as a `Move` or as text, for the seat that is asked.

        Raises InvalidMove, IllegalMove or AmbiguousMove, all ValueErrors; the game is then as it was.
        """
        found = self._taken(move) or self._find(self._move_text(move))
        if isinstance(found, Explanation):
            raise IllegalMove(found)
        place, action = found
        seat, whom = self._asked()
        del self._made[self._at :]
        self._made.append(Made(seat, action, place))
        self._forget_after(self._at)
        self._at += 1
        self._engines.decisions += 1
        _ = self._fast
        self._reach()
        return Played(self._at, seat, whom, self._engines.move(action))

    def _taken(self, move: Move | str) -> tuple[int, Action] | None:
        """The legal action that a move from the list of this position stands for, and its place."""
        legal = self._legal
        if self._offered[0] is legal and isinstance(move, Move):
            for place, offered in enumerate(self._offered[1]):
                if offered is move:
                    return place, legal[place]
        return None

    def _asked(self) -> tuple[int, int]:
        """Who is asked, and whom he chooses for."""
        engine = self._fast
        if engine is not None:
            flat = self._flat
            site = engine.lowered.sites[engine.load(flat, "pc")]
            return engine.load(flat, "actor"), engine.load(flat, f"{site.name}_whom")
        decision = self._machine.decision(self._state)
        assert decision is not None, "a legal action is an answer to an ask"
        return decision.actor, decision.whom

    def why(self, move: Move | str) -> Explanation:
        """Whether a move is legal now, or which rule refuses it and which cards bind, without playing it.

        Raises InvalidMove for a text that is no move of this game, AmbiguousMove for one that fits several.
        """
        found = self._find(self._move_text(move))
        if isinstance(found, Explanation):
            return found
        return explain_legal(self._notation, found[1].move, self._text(found[1]))

    def _move_text(self, move: Move | str) -> str:
        if not isinstance(move, Move | str):
            raise self._invalid("", f"a move is a text, or one of `legal_moves()`, not {described(move)}")
        return str(move)

    def _find(self, text: str) -> tuple[int, Action] | Explanation:
        """The legal action a text names and its place among them, or why it is not legal."""
        legal = self._legal_texts
        fitting = legal.get(text)
        if fitting is None:
            try:
                reading = self._notation.read_move(text)
            except NotationError as error:
                raise self._invalid(text, str(error)) from None
            fitting = legal.get(reading.text) if reading.values is not None else self._loosely(reading)
            if not fitting:
                return self._refused(reading)
        if len(fitting) > 1:
            texts = tuple(dict.fromkeys(self._text(action) for _, action in fitting))
            near = " or ".join(f"`{one}`" for one in texts[:MOST_NEAR])
            raise AmbiguousMove(f"`{text}` fits several moves: write {near}", texts)
        return fitting[0]

    @property
    def _legal_texts(self) -> dict[str, list[tuple[int, Action]]]:
        """The legal actions by their text, with their places."""
        position = self._state if self._fast is None else self._flat
        if self._texts[0] is not position:
            found: dict[str, list[tuple[int, Action]]] = {}
            for place, action in enumerate(self._legal):
                found.setdefault(self._text(action), []).append((place, action))
            self._texts = position, found
        return self._texts[1]

    def _text(self, action: Action) -> str:
        return self._engines.move(action).text

    def _loosely(self, reading: Reading) -> list[tuple[int, Action]]:
        """Legal actions of two or more selections with these words, wherever the parentheses stand."""
        plain = str.maketrans("()", "  ")
        return [
            (place, action)
            for text, actions in self._legal_texts.items()
            for place, action in actions
            if action.move == reading.move and text.translate(plain).split()[1:] == list(reading.words)
        ]

    def _invalid(self, text: str, message: str) -> InvalidMove:
        folded = {legal.casefold(): legal for legal in self._legal_texts}
        close = difflib.get_close_matches(text.casefold()[:80], list(folded)[:500], n=MOST_NEAR, cutoff=0.5)
        near = tuple(folded[one] for one in close)
        if near and "did you mean" not in message:
            message += f"; did you mean `{near[0]}`?"
        return InvalidMove(message, near)

    def _refused(self, reading: Reading) -> Explanation:
        if reading.values is None:
            raise self._invalid(reading.text, "say with parentheses which cards go together")
        decision = self._machine.decision(self._state)
        holds = own_cards(self._machine, self._state, decision)
        values = own_copies(self._notation, reading, holds)
        refusal = self._machine.refusal(self._state, reading.move, values)
        assert refusal is not None, "what is not in the list of legal actions is refused"
        return explain_refusal(self._notation, refusal, reading.text, decision, holds)

    def _seat(self, seat: int) -> int:
        found = whole(seat, 0, self.players - 1)
        if found is None:
            raise ValueError(f"there is no seat {described(seat)}: seats are 0 to {self.players - 1}")
        return found

    # ------------------------------------------------------------ back and forth

    def resumed(self, kept: Kept) -> Game:
        """This game as it was when a snapshot was taken; raises RecordError (RK934) if it never was."""
        try:
            state = self._machine.load(kept.state)
            whole = sorted(card for cards in state.zones for card in cards) == list(range(len(state.place)))
            if not whole or state_hash(state) != kept.record.state:
                raise ValueError
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
            raise RecordError("RK934", "the snapshot is damaged") from None
        self._made, self._at = [Made(seat, action) for seat, action in kept.made], len(kept.made)
        self._state = state
        return self

    @property
    def can_undo(self) -> bool:
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        return self._at < len(self._made)

    def undo(self) -> Move | None:
        """Take back the last move, whoever made it; returns it, or None at the start.

        Cards lie as they lay, across tricks, deals and phases. It does not ask whether somebody has seen new
        cards since: who plays with people decides that.
        """
        if not self.can_undo:
            return None
        self._back_to(self._at - 1)
        return self._engines.move(self._made[self._at].action)

    def redo(self) -> Move | None:
        """Make the move again that was taken back last, with the same cards; returns it, or None."""
        if not self.can_redo:
            return None
        self._at += 1
        self._reach()
        return self._engines.move(self._made[self._at - 1].action)

    def restart(self) -> None:
        """Back to the first decision of the same deal. The moves can be made again with `redo`."""
        self._back_to(0)

    def _back_to(self, number: int) -> None:
        """The position after so many moves. Later ones are made again from it: they belong together."""
        self._at = number
        self._forget_after(number)

    def _forget_after(self, number: int) -> None:
        self._reference.forget_after(number)
        if self._compiled is not None:
            self._compiled.forget_after(number)

    def copy(self) -> Game:
        """A game that goes its own way from here, with the same past."""
        other = Game.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._made = self._made[:]
        other._reference = self._reference.copy()
        other._compiled = None if self._compiled is None else self._compiled.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    # ------------------------------------------------------------ keeping

    def record(self) -> Record:
        """All that is needed to play this game again: rules, options, deal and the moves made so far.

        It tells everything, so it is not for a player while the game goes on.
        """
        begun = self._beginning.record
        outcome = self.outcome
        result = None
        if outcome is not None:
            places = {s: n for n, group in enumerate(_places(outcome.ranking), 1) for s in group}
            result = {
                "reason": outcome.reason,
                "places": [places[seat] for seat in range(self.players)],
                "scores": list(outcome.scores),
                "payoffs": list(outcome.payoffs),
            }
        moves = tuple(f"P{seat + 1} {self._text(action)}" for seat, action, _ in self._made[: self._at])
        parts = {name: getattr(begun, name) for name in begun.__dataclass_fields__}
        return Record(**(parts | {"moves": moves, "result": result, "state": self.fingerprint}))

    def snapshot(self) -> bytes:
        """The game at this decision as bytes, for `Ruleset.restore`; equal games give equal bytes."""
        return pack(Kept(self.record(), tuple(m[:2] for m in self._made[: self._at]), self._state.dump()))

    def __reduce__(self) -> tuple[Callable[[Ruleset, bytes], Game], tuple[Ruleset, bytes]]:
        """Pickled as rules and snapshot: the past is kept, moves that were undone are not."""
        return _restored, (self.rules, self.snapshot())

    def __repr__(self) -> str:
        where = "over" if self.is_over else f"P{(self.to_move or 0) + 1} to move"
        return f"<Game of {self.rules.name}, seed {self.seed}, after {self._at} moves, {where}>"


class _ReferenceStep:
    """Makes a move on the reference engine."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    def __call__(self, state: State, made: Made) -> State:
        following = state.copy()
        self._engines.machine.apply(following, made.action)
        return following


class _BeyondError(Exception):
    """More than the generated Python holds, such as a long list of legal moves."""


class _CompiledStep:
    """Makes a move on the generated Python. Raises _BeyondError."""

    def __init__(self, engine: PythonEngine) -> None:
        self._engine = engine

    def start(self, seed: int) -> Flat:
        return self._within(self._engine.start(*streams(seed)))

    def __call__(self, flat: Flat, made: Made) -> Flat:
        following = flat[:]
        self._engine.apply(following, made.place)
        return self._within(following)

    def _within(self, flat: Flat) -> Flat:
        if self._engine.beyond(flat):
            raise _BeyondError
        return flat


def _restored(rules: Ruleset, data: bytes) -> Game:
    return rules.restore(data)


def _places(ranking: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
    """Groups by place, with an empty one for each place that is left out after a shared one."""
    found: list[tuple[int, ...]] = []
    for group in ranking:
        found += [group, *[()] * (len(group) - 1)]
    return found
