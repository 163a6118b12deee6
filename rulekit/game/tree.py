"""The tree of a game, with chance laid open: to search or to solve small games exactly.

Where cards are shuffled the tree does not branch. It branches where a card comes to be looked at, most often
as it is dealt: there each face that may lie in that place is an outcome with its probability, and so is each
result of `random(...)`. What nobody ever looks at is not in the tree.

    >>> import rulekit
    >>> from rulekit.game import tree
    >>> node = tree.root(rulekit.load("kuhn-poker"), phase="round", draws=["P2"])
    >>> [(branch.text, branch.probability) for branch in tree.children(node)]
    [('JS', Fraction(1, 3)), ('QS', Fraction(1, 3)), ('KS', Fraction(1, 3))]
    >>> tree.count(node)
    Census(chance=4, decisions=24, ends=30, information=(6, 6))

A node is one history of the game. Nodes that a seat cannot tell apart have equal `Node.information`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from rulekit.engine import Action, Ending, State
from rulekit.engine.chance import Undecided
from rulekit.engine.explicit import OpenMachine
from rulekit.game.moves import Move, describe_move
from rulekit.game.notation import Notation
from rulekit.game.position import Deal, Draws, read_deal, read_draws
from rulekit.program import prepare

if TYPE_CHECKING:
    from rulekit.game.ruleset import Ruleset


class Decided(NamedTuple):
    """What chance has decided on the way from one decision to the next."""

    cards: tuple[int, ...] = ()
    draws: tuple[Any, ...] = ()


@dataclass
class Tables:
    """What all nodes of a tree share."""

    machine: OpenMachine
    notation: Notation
    deal: Sequence[Sequence[int]]
    draws: tuple[Any, ...]
    known: dict[object, int] = field(default_factory=dict)  # what seats have been told, by number

    def number(self, told: object) -> int:
        """Equal numbers for equal things."""
        return self.known.setdefault(told, len(self.known))


class Node:
    """One history of a game: where somebody decides, chance does, or the game is over.

    ``kind``  "decision", "chance" or "end"; ``seat`` who decides, None elsewhere
    ``parent``  the node before; None for the root
    """

    def __init__(
        self,
        tables: Tables,
        parent: Node | None,
        before: Node | None = None,
        action: Action | None = None,
        decided: Decided = Decided(),  # noqa: B008  (a tuple)
    ) -> None:
        self.parent = parent
        self.kind: Literal["decision", "chance", "end"] = "chance"
        self.seat: int | None = None
        self._tables = tables
        self._before = before  # the last decision
        self._action = action
        self._decided = decided
        self._state: State | None = None
        self._undecided: Undecided | None = None
        self._information: dict[int, int] = {}
        machine = tables.machine
        state = None if before is None else before._state
        draws = (*tables.draws, *decided.draws) if before is None else decided.draws
        try:
            self._state = machine.run(state, action, decided.cards, draws, tables.deal)
        except Undecided as undecided:
            self._undecided = undecided
            return
        self.kind = "end" if self._state.ending is not None else "decision"
        decision = machine.decision(self._state)
        self.seat = None if decision is None else decision.actor

    @property
    def payoffs(self) -> tuple[float, ...]:
        """The payoff of each seat, at an end; ValueError elsewhere."""
        if self.kind != "end" or self._state is None:
            raise ValueError("the game is not over here")
        return self._tables.machine.outcome(self._state).payoffs

    @property
    def ending(self) -> Ending | None:
        """How the game ended, at an end."""
        return None if self._state is None else self._state.ending

    def information(self, seat: int) -> int:
        """A number for all that a seat has been told up to here: equal where it cannot tell nodes apart.

        It remembers everything: what it saw at each decision, its own or another's, on the way.
        """
        if seat not in self._information:
            earlier = self._before.information(seat) if self._before is not None else -1
            told: object = None
            if self._state is not None:
                view = self._tables.machine.view(self._state, seat)
                decision = view.decision
                told = (
                    tuple(view.zones.items()),
                    tuple(view.state.items()),
                    view.events,
                    view.receipts,
                    None if decision is None else (decision.actor, decision.whom, decision.moves),
                    view.legal,
                    view.ending,
                )
                self._information[seat] = self._tables.number((seat, earlier, told))
            else:
                self._information[seat] = earlier
        return self._information[seat]

    def __repr__(self) -> str:
        who = f", P{self.seat + 1} to move" if self.seat is not None else ""
        return f"<Node: {self.kind}{who}>"


@dataclass(frozen=True)
class Branch:
    """A way on from a node: a move, or an outcome of chance and how probable it is.

    ``text``  the move or the outcome as text; ``move`` and ``probability``: one of them is None
    """

    text: str
    node: Node
    probability: Fraction | None = None
    move: Move | None = None


def root(
    rules: Ruleset,
    players: int | None = None,
    *,
    phase: str | None = None,
    deal: str | Deal | None = None,
    draws: Draws | None = None,
) -> Node:
    """The start of the game as a tree.

    ``players``, ``phase``, ``deal`` and ``draws`` are as in `Ruleset.new_game`: what is forced there is no
    outcome of chance here. Raises SettingError for what the rules do not allow.
    """
    number = rules.players[0] if players is None else players
    setup = rules.engines(number, phase).setup
    machine = OpenMachine(prepare(setup.program, number, rules.chosen), phase)
    notation = Notation(machine.setup)
    return Node(Tables(machine, notation, read_deal(notation, deal), read_draws(notation, draws)), None)


def children(node: Node) -> Iterator[Branch]:
    """The ways on from a node, in the order of moves, cards or results; none at an end.

    Each is worked out when it is asked for, and nothing is kept: a tree is as large as one walks through it.
    """
    tables = node._tables
    notation = tables.notation
    if node._undecided is not None:
        kind, decided = node._undecided.kind, node._decided
        for value, probability in node._undecided.outcomes.items():
            if kind is None:
                text = notation.card(value)
                further = decided._replace(cards=(*decided.cards, value))
            else:
                text = notation.value(kind, value)
                further = decided._replace(draws=(*decided.draws, value))
            yield Branch(text, Node(tables, node, node._before, node._action, further), probability)
    elif node._state is not None:
        for action in tables.machine.legal(node._state):
            move = describe_move(notation, action.move, action.values)
            yield Branch(move.text, Node(tables, node, node, action), move=move)


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, each before those below it."""
    waiting: list[Iterator[Node]] = [iter((node,))]
    while waiting:
        found = next(waiting[-1], None)
        if found is None:
            waiting.pop()
        else:
            yield found
            waiting.append(branch.node for branch in children(found))


@dataclass(frozen=True)
class Census:
    """How large a tree is: nodes of each kind, and for each seat its different decisions."""

    chance: int
    decisions: int
    ends: int
    information: tuple[int, ...]


def count(node: Node) -> Census:
    """Walks through the whole tree below a node and counts."""
    kinds = {"chance": 0, "decision": 0, "end": 0}
    told: list[set[int]] = [set() for _ in range(node._tables.machine.setup.players)]
    for found in walk(node):
        kinds[found.kind] += 1
        if found.seat is not None:
            told[found.seat].add(found.information(found.seat))
    return Census(kinds["chance"], kinds["decision"], kinds["end"], tuple(len(seen) for seen in told))


__all__ = ["Branch", "Census", "Node", "children", "count", "root", "walk"]
