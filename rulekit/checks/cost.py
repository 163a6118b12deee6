"""What rules cost to play: sets of cards looked at for one decision, and how many actions there are."""

from __future__ import annotations

from math import comb, prod

from rulekit.checks.searches import Asked, Search, Searches
from rulekit.checks.study import Study
from rulekit.diagnostics import Findings
from rulekit.program import Setup
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.actions import STAGED, ActionSpace, Domain, sizes
from rulekit.program.program import Choice, MoveDef

MANY = 1_000_000  #: sets beyond which one look takes seconds in the slowest engine
ENDLESS = 1_000_000_000  #: sets that nobody waits for in any engine
ACTIONS = 1_000_000  #: numbers of actions beyond which masks and policies become unwieldy


def check(study: Study, findings: Findings) -> None:
    """Searches that take too long among the cards that are surely there; moves with too many choices."""
    if study.flow.gave_up:
        return
    for search in Searches(study).found(most=MANY):
        if search.sets > MANY and study.own(search.expr.span):
            _report(search, findings)
    _actions(study, findings)


def _report(search: Search, findings: Findings) -> None:
    expr = search.expr
    shown = expr.span.text if expr.span is not None else "this"
    endless = search.sets > ENDLESS
    least = "more than " if endless else ""
    sets = f"{least}{min(search.sets, ENDLESS):,}"
    (findings.error if endless else findings.warning)(
        "RK522" if endless else "RK691",
        f"`{shown}` may look at {sets} sets of cards: {_arithmetic(expr, search.cards)}",
        expr.span,
        expected=f"at most {MANY:,}",
        help=_advice(expr),
    )


def _arithmetic(expr: Asked, cards: int) -> str:
    match expr:
        case e.Selections(low, high):
            fewest = low.type.low if isinstance(low.type, t.Int) else 0
            most = cards if high is None or not isinstance(high.type, t.Int) else min(high.type.high, cards)
            sizes = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            return f"all that have {sizes} of {cards}"
    return f"those that may be `{expr.pattern}` among {cards}"


def _advice(expr: Asked) -> str:
    if isinstance(expr, e.Selections):
        return (
            "bound how many are taken (`1..4 from hand`), narrow them first (`from (hand where ...)`), "
            "or let them be taken one by one (`again`)"
        )
    return (
        "let the pattern say more of its cards (`same`, `consecutive`, how many), or look among fewer cards"
    )


# ---------------------------------------------------------------- actions


def _actions(study: Study, findings: Findings) -> None:
    """A move that makes the actions too many to be numbered at one go."""
    program = study.program
    moves = program.moves.values()
    if all(prod(_at_most(study, choice) for choice in move.choices) <= ACTIONS for move in moves):
        return
    usual = {name: option.start for name, option in program.options.items()}
    space = ActionSpace(Setup(program, program.players[1], usual))
    for move in moves:
        domains = space.moves[move.name].domains
        count = prod(domain.size for domain in domains if domain.size)
        if count > ACTIONS and study.own(move.span):
            findings.warning(
                "RK692",
                f"`{move.name}` alone has {count:,} actions: {_product(move, domains)}",
                move.span,
                expected=f"at most {ACTIONS:,}",
                help="let the choices be made one after the other, each in a move of its own (`again`, or an "
                "ask in `do`); several of one kind are one set: `2 from hand`",
            )


def _product(move: MoveDef, domains: tuple[Domain, ...]) -> str:
    return " x ".join(
        f"{domain.size:,} for `{choice.name}`"
        for choice, domain in zip(move.choices, domains, strict=True)
        if domain.size
    )


def _at_most(study: Study, choice: Choice) -> int:
    """No fewer values than a choice has; 1 for one that is staged."""
    program = study.program
    of = choice.type.of if isinstance(choice.type, t.Optional) else choice.type
    match of:
        case t.Card():
            return study.flow.table.cards.high
        case t.Int(low, high):
            return high - low + 1 if high - low < STAGED else 1
        case t.SetOf(t.Card()):
            fewest, cards = study.flow.table.cards.low, study.flow.table.cards.high
            low, high = sizes(choice, cards)
            faces = min(fewest, len(program.deck.ranks) * len(program.deck.suits))
            if any(comb(faces, size) > STAGED for size in range(low, min(high, faces) + 1)):
                return 1
            return min(STAGED, sum(comb(cards, size) for size in range(low, high + 1)))
        case t.SetOf():
            return STAGED
        case t.Pile():
            return max(1, sum(zone.count for zone in program.zones.values()) * max(program.players[1], 4))
        case t.Bool():
            return 2
        case t.Player():
            return program.players[1]
    return 30  # suits, ranks, words, teams


# ---------------------------------------------------------------- what `rulekit show` tells


def searches(study: Study) -> list[tuple[Search, int]]:
    """Each search of the ruleset, the longest first, and from how many cards on it is too long."""
    every = Searches(study)
    found = [search for search in every.found() if study.own(search.expr.span) and search.sets > 1]
    cards = study.flow.table.cards.high
    told: dict[str, tuple[Search, int]] = {}
    for search in sorted(found, key=lambda one: -one.sets):
        shown = search.expr.span.text if search.expr.span is not None else ""
        limit = next((n for n in range(1, cards + 1) if every.sets(search.expr, n) > MANY), cards + 1)
        told.setdefault(shown, (search, limit))
    return list(told.values())


__all__ = ["ACTIONS", "MANY", "check", "searches"]
