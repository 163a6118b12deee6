"""Why a move is legal or not, in words: the rule that decides, the cards that bind, the place in the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulekit.diagnostics import Span
from rulekit.game.notation import Notation, Reading, Value, element, is_wide
from rulekit.game.wording import listed
from rulekit.program.program import Choice
from rulekit.program.texts import told
from rulekit.program.types import Card

if TYPE_CHECKING:
    from rulekit.engine import Decision, Machine, Refusal, State


@dataclass(frozen=True)
class Explanation:
    """What the rules say about one move in one position, for the player who is asked.

    ``rule`` is the label of the duty or condition that decides (None: no named rule), ``cards`` those that
    it leaves, ``text`` what the rules say about the move, ``span`` the place of the rule in its file.
    ``kind`` is `legal`, `over` (the game is), `not asked` (the move is not among those asked for),
    `condition`, `choice` (the value is not one the rule leaves) or `dead end` (nothing can be chosen then).
    """

    move: str
    legal: bool
    kind: str
    message: str
    rule: str | None = None
    cards: tuple[str, ...] = ()
    text: str | None = None
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def place(self) -> str | None:
        """Where the rule stands: `rulesets/hucklebuck.yaml:88:11`."""
        return str(self.span) if self.span else None

    def __str__(self) -> str:
        return self.message


def own_cards(machine: Machine, state: State, decision: Decision | None) -> Callable[[int], bool]:
    """Tells which cards the player has that the move would be made for, and may see (not his won tricks)."""
    layout = machine.layout
    whom = None if decision is None else decision.whom

    def holds(card: int) -> bool:
        place = state.place[card]
        if whom is None or layout.owner[place] != whom:
            return False
        return bool((layout.sees[place] | state.shown[card]) >> whom & 1)

    return holds


def own_copies(notation: Notation, reading: Reading, holds: Callable[[int], bool]) -> tuple[Value, ...]:
    """The values of a move as read, with equal cards exchanged for those that the player holds."""
    pack = notation.pack
    choices = notation.program.moves[reading.move].choices
    found: list[Value] = []
    for choice, value in zip(choices, reading.values or (), strict=True):
        if isinstance(element(choice.type), Card) and len(pack) > len(pack.by_face) and value is not None:
            used: list[int] = []
            for card in value if isinstance(value, tuple) else (value,):
                copies = [c for c in pack.by_face[pack.cards[card or 0]] if c not in used]
                used.append(min(copies, key=lambda c: not holds(c)))
            value = tuple(sorted(used)) if isinstance(value, tuple) else used[0]
        found.append(value)
    return tuple(found)


def explain_legal(notation: Notation, move: str, text: str) -> Explanation:
    """A move that may be made."""
    definition = notation.program.moves[move]
    prose = told(definition.text, notation.setup)
    return Explanation(text, True, "legal", f"`{text}` is legal", text=prose, span=definition.span)


def explain_refusal(
    notation: Notation,
    refusal: Refusal,
    text: str,
    decision: Decision | None,
    holds: Callable[[int], bool],
) -> Explanation:
    """Why a move is refused. ``holds`` tells which cards are the player's own, for whom it would be made."""
    definition = notation.program.moves[refusal.move]
    span = refusal.span or definition.span
    cards: tuple[str, ...] = ()
    match refusal.kind:
        case "condition":
            message = f"`{text}` is allowed only if {refusal.label}"
        case "dead end":
            message = f"after `{text}` nothing could be chosen for `{refusal.choice}`"
        case "choice" if decision is not None:
            choice = next(c for c in definition.choices if c.name == refusal.choice)
            words = "you hold", "you do not hold"
            if decision.actor != decision.whom:
                words = f"P{decision.whom + 1} holds", f"P{decision.whom + 1} does not hold"
            message, cards = _outside(notation, choice, refusal, holds, words)
        case "not asked" if decision is not None:
            message = (
                f"`{refusal.move}` is not asked for now: P{decision.actor + 1} may {listed(decision.moves)}"
            )
        case "over":
            message, span = "the game is over", None
        case _:
            message = f"`{text}` is not legal"
    return Explanation(
        text, False, refusal.kind, message, refusal.label, cards, told(definition.text, notation.setup), span
    )


def _outside(
    notation: Notation,
    choice: Choice,
    refusal: Refusal,
    holds: Callable[[int], bool],
    words: tuple[str, str],
) -> tuple[str, tuple[str, ...]]:
    """Message and binding cards for a value that is none of those a rule leaves."""
    rule = refusal.label or f"for `{choice.name}`"
    if not isinstance(element(choice.type), Card):
        left = [notation.value(choice.type, value) for value in refusal.binding]
        return f"{rule}: only {listed(left[:8], empty='nothing')} may be chosen", ()
    binding = _cards(refusal.binding)
    cards = tuple(dict.fromkeys(notation.cards(binding)))
    own = bool(binding) and all(holds(card) for card in binding)
    left_over = f"{words[0]} {' '.join(cards)}" if own else f"there is only {' '.join(cards)}"
    if not binding:
        left_over = "there is nothing to choose"
    missing = [card for card in _cards((refusal.value,)) if card not in binding and not holds(card)]
    if missing and own:
        names = " ".join(dict.fromkeys(notation.cards(missing)))
        rule = f"; {refusal.label}" if refusal.label else ""
        return f"{words[1]} {names}{rule}: {left_over}", cards
    if is_wide(choice) and not missing:
        sizes = sorted({len(value) for value in refusal.binding if isinstance(value, tuple)})
        if sizes and sizes[0] == sizes[-1]:
            left_over = f"{sizes[0]} of {' '.join(cards)}"
        elif sizes:
            left_over = f"{sizes[0]} to {sizes[-1]} of {' '.join(cards) or 'no cards'}"
    return f"{rule}: {left_over}", cards


def _cards(values: Sequence[Any]) -> tuple[int, ...]:
    """All cards among values that are cards or selections of cards, in deck order."""
    found: set[int] = set()
    for value in values:
        if isinstance(value, tuple):
            found.update(value)
        elif value is not None:
            found.add(int(value))
    return tuple(sorted(found))
