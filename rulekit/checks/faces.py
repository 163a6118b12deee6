"""Bounds that know the pack: what the cards printed so are worth together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.cards import Face
from rulekit.program import Program
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.bounds import ANYTHING, FALSE, NONE, TRUE, Known, Range, Table, Value, clip
from rulekit.program.learn import Estimator
from rulekit.program.uses import Uses


class FaceEstimator(Estimator):
    """To it `sum(points of CARDS)` is at most what the dearest cards of the pack are worth together."""

    def __init__(self, program: Program, table: Table, uses: Uses) -> None:
        super().__init__(program, table)
        self._cards_of: dict[int, Face] = {}  # locals that are a card of this face
        self._uses = uses
        self._values: dict[tuple[int, ...], list[Range]] = {}  # by the expressions, where the faces tell them
        self.copies = 1  # the most there may be of a face
        self.vague = False  # a count has been met of which no more is known than that the pack has so many
        if program.deck.copies is not None:
            self.copies = max(1, self.number(program.deck.copies, Known(options=table.options)).high)

    def value(self, expr: e.Expr, known: Known) -> Value:
        """Bounds of the value."""
        before = self.vague
        rule = _RULES.get(type(expr))
        found = super().value(expr, known) if rule is None else rule(self, expr, known)
        if isinstance(expr.type, t.Bool):
            self.vague = before  # what a condition looks at does not make the numbers larger
        return found

    def _total(self, expr: e.Sum, known: Known) -> Value:
        plain = super().value(expr, known)
        match expr.of:
            case e.Collect(domain, local, worth) if _of_cards(domain):
                low, high = self._worth(domain, local, worth, known)
                if isinstance(plain, Range) and not plain.nothing:
                    return Range(max(plain.low, low), min(plain.high, high), plain.none)
        return plain

    def _counted(self, expr: e.Count, known: Known) -> Value:
        size = self.size(expr.of, known)
        if _of_cards(expr.of):
            self.vague = self.vague or size.high >= self.table.cards.high
        return Range(size.low, size.high)

    def _larger(self, expr: e.Maximum, known: Known) -> Value:
        found = super().value(expr, known)
        match expr:
            case e.Maximum(e.Arithmetic("-", a, b), e.Arithmetic("-", c, d)) if a == d and b == c:
                return Range(max(0, found.low), found.high, found.none) if isinstance(found, Range) else found
        return found

    def _card_fact(self, expr: e.CardFact, known: Known) -> Value:
        match expr:
            case e.CardFact(fact, e.Local(number)) if number in self._cards_of:
                return self._printed(fact, self._cards_of[number])
        return super().value(expr, known)

    def _own_fact(self, expr: e.FactOf, known: Known) -> Value:
        match expr:
            case e.FactOf(fact, e.Local(number)) if number in self._cards_of:
                declared = self.program.facts[fact]
                return self.at(declared.local, self._cards_of[number], declared.body, known)
        return super().value(expr, known)

    def _in(self, expr: e.Contains, known: Known) -> Value:
        match expr:
            case e.Contains(e.Local(number), e.Cards(faces)) if number in self._cards_of:
                return TRUE if self._cards_of[number] in faces else FALSE
        return super().value(expr, known)

    def at(self, local: int, face: Face, expr: e.Expr, known: Known) -> Value:
        """The value where ``local`` is a card of this face."""
        before = self._cards_of.get(local)
        self._cards_of[local] = face
        known.memo.clear()
        found = self.value(expr, known)
        known.memo.clear()
        if before is None:
            del self._cards_of[local]
        else:
            self._cards_of[local] = before
        return found

    def _worth(self, domain: e.Expr, local: int, worth: e.Expr, known: Known) -> tuple[int, int]:
        """The least and the most that some of the domain's cards can be worth together."""
        conditions: list[tuple[int, e.Expr]] = []
        within = domain
        while isinstance(within, e.Filter):
            conditions.append((within.local, within.condition))
            within = within.domain
        values = self._each_face(conditions, local, worth, known)
        most = self.size(domain, known).high
        dear = sorted((value.high for value in values if value.high > 0), reverse=True)[:most]
        cheap = sorted(value.low for value in values if value.low < 0)[:most]
        return clip(sum(cheap)), clip(sum(dear))

    def _each_face(
        self, conditions: list[tuple[int, e.Expr]], local: int, worth: e.Expr, known: Known
    ) -> list[Range]:
        """What the value may be for each card of the pack that may meet the conditions."""
        key = (id(worth), *(id(condition) for _, condition in conditions))
        if key in self._values:
            return self._values[key]
        values: list[Range] = []
        for face in self.all_faces():
            if any(self.at(inner, face, condition, known) == FALSE for inner, condition in conditions):
                continue
            found = self.at(local, face, worth, known)
            if isinstance(found, Range) and not found.nothing:
                values += [found] * (1 if face.suit is None else self.copies)
        of_faces = [(local, worth), *conditions]
        reads = [(number, self._uses.reads(expr)) for number, expr in of_faces]
        if all(not (r.states or r.zones or r.provenance or r.me or r.locals - {n}) for n, r in reads):
            self._values[key] = values
        return values

    def all_faces(self) -> list[Face]:
        """The faces of the pack; those that only some tables leave out are there."""
        deck = self.program.deck
        gone = {face for condition, some in deck.without if condition is None for face in some}
        faces = [Face(rank, suit) for suit in range(len(deck.suits)) for rank in range(len(deck.ranks))]
        extra = [Face(len(deck.ranks) + number, None) for number in range(len(deck.extra))]
        return [face for face in (*faces, *extra) if face not in gone]

    def _printed(self, fact: str, face: Face) -> Value:
        deck = self.program.deck
        match fact:
            case "rank":
                return Range(face.rank, face.rank)
            case "suit":
                return NONE if face.suit is None else Range(face.suit, face.suit)
            case "number":
                return NONE if face.suit is None else Range(face.rank + 1, face.rank + 1)
            case "pip":
                name = deck.ranks[face.rank] if face.suit is not None else ""
                pip = 1 if name == "A" else int(name) if name.isdigit() else None
                return NONE if pip is None else Range(pip, pip)
            case "color":
                color = None if face.suit is None else deck.suits[face.suit].color
                words = self.program.words.get("color", ())
                return Range(words.index(color), words.index(color)) if color in words else NONE
        return ANYTHING


#: How some kinds of expression are bounded otherwise than elsewhere.
_RULES: dict[type[e.Expr], Callable[[FaceEstimator, Any, Known], Value]] = {
    e.Sum: FaceEstimator._total,
    e.Count: FaceEstimator._counted,
    e.Maximum: FaceEstimator._larger,
    e.CardFact: FaceEstimator._card_fact,
    e.FactOf: FaceEstimator._own_fact,
    e.Contains: FaceEstimator._in,
}


def _of_cards(domain: e.Expr) -> bool:
    kind = domain.type
    return isinstance(kind, t.SetOf | t.SeqOf) and isinstance(kind.of, t.Card)
