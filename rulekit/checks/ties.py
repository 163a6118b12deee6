"""`highest` and `lowest` among players or cards: a tie would be broken by their order, silently."""

from __future__ import annotations

from rulekit.cards import Face
from rulekit.checks.faces import FaceEstimator
from rulekit.checks.study import Study
from rulekit.diagnostics import Findings
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.bounds import FALSE, Known, Range
from rulekit.program.walk import operands, walk_expressions


def check(study: Study, findings: Findings) -> None:
    """One player, team or card picked from a set by a key that two of them may share."""
    program = study.program
    blank = Known(options=study.flow.table.options)
    faces = Faces(study)
    roots: list[object] = [program.play, program.end]
    for parts in (program.defines, program.facts, program.phases, program.moves, program.state):
        roots += parts.values()
    for root in roots:
        looked_at: set[int] = set()  # where only what the key tells is taken from the card
        for expr in walk_expressions(root):
            match expr:
                case e.CardFact(fact, e.Extreme() as picked) | e.FactOf(fact, e.Extreme() as picked):
                    if faces.tells(picked.key, fact):
                        looked_at.add(id(picked))
                case e.Extreme("highest" | "lowest", domain) if isinstance(domain.type, t.SetOf):
                    of = domain.type.of
                    if study.flow.estimator.size(domain, blank).high <= 1 or id(expr) in looked_at:
                        continue
                    if isinstance(of, t.Player | t.Team) and not _tells_apart(expr.key, expr.local):
                        _of_players(expr, "team" if isinstance(of, t.Team) else "player", findings)
                    elif isinstance(of, t.Card) and not faces.apart(expr):
                        _of_cards(expr, findings)


def _of_players(expr: e.Extreme, who: str, findings: Findings) -> None:
    kind = expr.kind
    findings.warning(
        "RK675",
        f"of {who}s that tie, `{kind}` takes the one whose seat comes first",
        expr.span,
        expected="a rule for ties",
        help=f"write `all_{kind}(...)` for all that tie, `only(all_{kind}(...))` for none if "
        f"they tie, or `{kind}(players starting ... by ...)` to say whose turn decides",
    )


def _of_cards(expr: e.Extreme, findings: Findings) -> None:
    kind = expr.kind
    findings.warning(
        "RK676",
        f"of cards that tie, `{kind}` takes the one that comes first in the order of the pack",
        expr.span,
        expected="a key that tells any two cards apart",
        help="add what decides between equals (`by rank then suit`), or write "
        f"`all_{kind}(...)` for all that tie",
    )


class Faces:
    """Keys of cards, worked out face by face."""

    def __init__(self, study: Study) -> None:
        self.program = study.program
        self.estimator = FaceEstimator(study.program, study.flow.table, study.uses)
        self.blank = Known(options=study.flow.table.options)

    def apart(self, expr: e.Extreme) -> bool:
        """Have any two cards that may be compared different keys?"""
        if self.estimator.copies > 1:
            return False
        fixed, domain = [], expr.domain
        conditions: list[tuple[int, e.Expr]] = []
        while isinstance(domain, e.Filter):
            for condition in (
                operands(domain.condition) if isinstance(domain.condition, e.And) else [domain.condition]
            ):
                conditions.append((domain.local, condition))
                fixed += self._fixed(condition, domain.local)
            domain = domain.domain
        seen: set[tuple[object, ...]] = set()
        for face in self.estimator.all_faces():
            if any(self.estimator.at(n, face, condition, self.blank) == FALSE for n, condition in conditions):
                continue
            key = (*(getattr(face, fact) for fact in fixed), *self._key(expr.key, expr.local, face))
            if key in seen:
                return False
            seen.add(key)
        return True

    def tells(self, key: e.Expr, fact: str) -> bool:
        """Is the fact a part of the key, so that cards that tie have it in common?"""
        parts = key.parts if isinstance(key, e.KeyOf) else (key,)
        return any(isinstance(part, e.CardFact | e.FactOf) and part.fact == fact for part in parts)

    def _fixed(self, condition: e.Expr, local: int) -> list[str]:
        """`suit == trump`: all cards that are left have one suit."""
        match condition:
            case e.Same(e.CardFact("suit" | "rank" as fact, e.Local(number)), other) if number == local:
                if not any(isinstance(p, e.Local) and p.number == local for p in walk_expressions(other)):
                    return [fact]
        return []

    def _key(self, key: e.Expr, local: int, face: Face) -> list[object]:
        """The parts of the key that the face tells."""
        match key:
            case e.KeyOf(parts):
                return [value for part in parts for value in self._key(part, local, face)]
            case e.FactOf(fact, e.Local(number)) if number == local:
                declared = self.program.facts[fact]
                return self._key(declared.body, declared.local, face)
            case e.CallDefine(name, (e.Local(number),)) if number == local:
                define = self.program.defines[name]
                return self._key(define.body, define.parameters[0], face)
        found = self.estimator.at(local, face, key, self.blank)
        return [found.low] if isinstance(found, Range) and found.certain else [None]


def _tells_apart(key: e.Expr, local: int) -> bool:
    """Can no two have the same key: is the player himself, or a seat of his, a part of it?"""
    parts = key.parts if isinstance(key, e.KeyOf) else (key,)
    for part in parts:
        inner = part
        while isinstance(inner, e.Seat):
            inner = inner.player
        if isinstance(inner, e.Local) and inner.number == local:
            return True
    return False
