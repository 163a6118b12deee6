"""One game being played: whose turn, legal moves, playing, why, views, undo, record."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulekit.engine import Action, Machine, Outcome, State
from rulekit.game.errors import AmbiguousMove, IllegalMove, InvalidMove, RecordError
from rulekit.game.explain import Explanation, explain_legal, explain_refusal, own_cards, own_copies
from rulekit.game.moves import Move, describe_move
from rulekit.game.notation import Notation, NotationError, Reading
from rulekit.game.prompt import Prompt, make_prompt
from rulekit.game.record import Record
from rulekit.game.snapshot import Kept, pack, state_hash
from rulekit.game.view import Played, Receipt, View, describe_event, describe_receipt, describe_view

if TYPE_CHECKING:
    from rulekit.game.ruleset import Ruleset

EVERY = 16  #: so many decisions apart positions are kept for undo, besides the last so many
MOST_NEAR = 3  #: so many legal moves like a refused text are named


@dataclass(frozen=True)
class Beginning:
    """How a game was set up: all that its record says besides the moves, and how to do it again."""

    record: Record
    start: Callable[[], State]


class Game:
    """A game of one ruleset, made by `Ruleset.new_game`.

    Seats are numbers from 0; texts call them P1, P2 ... Nothing here depends on anything but the rules, the
    seed and the moves. A game is not to be used by two threads at once.
    """

    def __init__(self, rules: Ruleset, machine: Machine, beginning: Beginning) -> None:
        self.rules = rules
        self.remarks: tuple[str, ...] = ()  #: what a replay that was told to go on had to overlook
        self._machine = machine
        self._notation = Notation(machine.setup)
        self._beginning = beginning
        self._made: list[tuple[int, Action]] = []  # seat and action, also those that were undone
        self._at = 0
        self._kept: dict[int, State] = {}  # positions by number of moves; none of them is ever changed
        self._state = self._begin()
        self._texts: tuple[State, dict[str, list[Action]]] | None = None  # of the position they belong to

    # ------------------------------------------------------------ what is the case

    @property
    def players(self) -> int:
        """How many play."""
        return self._machine.setup.players

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
        decision = self._machine.decision(self._state)
        return None if decision is None else decision.actor

    @property
    def is_over(self) -> bool:
        return self._state.ending is not None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on.

        ``ranking`` lists groups of seats that share a place, first place first; ``scores`` and ``payoffs``
        go by seat; ``reason`` is `played out`, `limit`, `loop` or `fault` (then ``fault`` says of what).
        """
        return self._machine.outcome(self._state) if self.is_over else None

    @property
    def scores(self) -> tuple[int | None, ...]:
        """The score of each seat as things stand; None where the rules name none."""
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
        notation = self._notation
        return [describe_move(notation, action.move, action.values) for action in self._state.legal]

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
        action = self._find(str(move))
        if isinstance(action, Explanation):
            raise IllegalMove(action)
        seat = self._machine.decision(self._state)
        assert seat is not None, "a legal action is an answer to an ask"
        del self._made[self._at :]
        self._made.append((seat.actor, action))
        self._step()
        return Played(
            self._at, seat.actor, seat.whom, describe_move(self._notation, action.move, action.values)
        )

    def why(self, move: Move | str) -> Explanation:
        """Whether a move is legal now, or which rule refuses it and which cards bind, without playing it.

        Raises InvalidMove for a text that is no move of this game, AmbiguousMove for one that fits several.
        """
        found = self._find(str(move))
        if isinstance(found, Explanation):
            return found
        return explain_legal(self._notation, found.move, self._text(found))

    def _find(self, text: str) -> Action | Explanation:
        """The legal action a text names, or why it is not legal."""
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
            texts = tuple(dict.fromkeys(self._text(action) for action in fitting))
            near = " or ".join(f"`{one}`" for one in texts[:MOST_NEAR])
            raise AmbiguousMove(f"`{text}` fits several moves: write {near}", texts)
        return fitting[0]

    @property
    def _legal_texts(self) -> dict[str, list[Action]]:
        """The legal actions by their text."""
        if self._texts is None or self._texts[0] is not self._state:
            found: dict[str, list[Action]] = {}
            for action in self._state.legal:
                found.setdefault(self._text(action), []).append(action)
            self._texts = self._state, found
        return self._texts[1]

    def _text(self, action: Action) -> str:
        return self._notation.move(action.move, action.values)

    def _loosely(self, reading: Reading) -> list[Action]:
        """Legal actions of two or more selections with these words, wherever the parentheses stand."""
        plain = str.maketrans("()", "  ")
        return [
            action
            for text, actions in self._legal_texts.items()
            for action in actions
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
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {seat}: seats are 0 to {self.players - 1}")
        return seat

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
        self._made, self._at = list(kept.made), len(kept.made)
        self._kept[self._at] = self._state = state
        return self

    def _begin(self) -> State:
        if 0 not in self._kept:
            self._kept[0] = self._beginning.start()
        return self._kept[0]

    def _step(self) -> None:
        """The next of the moves made is made (again)."""
        state = self._state.copy()
        self._machine.apply(state, self._made[self._at][1])
        self._at += 1
        self._keep(state)

    def _keep(self, state: State) -> None:
        self._state = self._kept[self._at] = state
        past = self._at - EVERY
        if past % EVERY:
            self._kept.pop(past, None)

    def _go_to(self, number: int) -> None:
        """The position after so many of the moves made."""
        self._begin()
        nearest = max(kept for kept in self._kept if kept <= number)
        for later in [kept for kept in self._kept if kept > number]:
            del self._kept[later]
        self._at, self._state = nearest, self._kept[nearest]
        while self._at < number:
            self._step()

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
        self._go_to(self._at - 1)
        return self._described(self._at)

    def redo(self) -> Move | None:
        """Make the move again that was taken back last, with the same cards; returns it, or None."""
        if not self.can_redo:
            return None
        self._step()
        return self._described(self._at - 1)

    def restart(self) -> None:
        """Back to the first decision of the same deal. The moves can be made again with `redo`."""
        self._go_to(0)

    def _described(self, number: int) -> Move:
        action = self._made[number][1]
        return describe_move(self._notation, action.move, action.values)

    def copy(self) -> Game:
        """A game that goes its own way from here, with the same past."""
        other = Game.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._made = self._made[:]
        other._kept = dict(self._kept)
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
        moves = tuple(f"P{seat + 1} {self._text(action)}" for seat, action in self._made[: self._at])
        parts = {name: getattr(begun, name) for name in begun.__dataclass_fields__}
        return Record(**(parts | {"moves": moves, "result": result, "state": self.fingerprint}))

    def snapshot(self) -> bytes:
        """The game at this decision as bytes, for `Ruleset.restore`; equal games give equal bytes."""
        return pack(Kept(self.record(), tuple(self._made[: self._at]), self._state.dump()))

    def __reduce__(self) -> tuple[Callable[[Ruleset, bytes], Game], tuple[Ruleset, bytes]]:
        """Pickled as rules and snapshot: the past is kept, moves that were undone are not."""
        return _restored, (self.rules, self.snapshot())

    def __repr__(self) -> str:
        where = "over" if self.is_over else f"P{(self.to_move or 0) + 1} to move"
        return f"<Game of {self.rules.name}, seed {self.seed}, after {self._at} moves, {where}>"


def _restored(rules: Ruleset, data: bytes) -> Game:
    return rules.restore(data)


def _places(ranking: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
    """Groups by place, with an empty one for each place that is left out after a shared one."""
    found: list[tuple[int, ...]] = []
    for group in ranking:
        found += [group, *[()] * (len(group) - 1)]
    return found
