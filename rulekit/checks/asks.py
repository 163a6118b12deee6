"""An ask has a legal move; no entry of a cascade is dead.

A whole zone offered as it is (`hand`) counts as a choice that can be made, and so does one but for a
single card (`hand where it != taken`): that it holds enough is for the author to see to. What is narrowed
otherwise, and what stands under a condition, needs a proof: from the conditions under which the ask
stands, from what the other moves cover, or from what is known there.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.checks.logic import (
    ALWAYS,
    NEVER,
    Atom,
    Every,
    Forms,
    Formula,
    No,
    Some,
    conditions_of,
    follows,
    sieve,
)
from rulekit.checks.study import Study
from rulekit.diagnostics import Findings, Note
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program.bounds import Known
from rulekit.program.program import Choice, MoveDef
from rulekit.program.walk import operands, walk_expressions

Fact = tuple[e.Expr, bool]  #: a condition, and whether it holds


def check(study: Study, findings: Findings) -> None:
    """Asks that may find no legal move, and entries that never count."""
    reported: set[tuple[str, ...]] = set()
    for unit in study.units:
        for body in study.bodies(unit):
            for ask, facts in asks_in(study, body, []):
                _check_ask(study, ask, facts, reported, findings)
    for move in study.program.moves.values():
        for choice in move.choices:
            _check_cascade(study, choice, findings)


# ---------------------------------------------------------------- what is known at an ask


def asks_in(study: Study, body: tuple[s.Stmt, ...], facts: list[Fact]) -> Iterator[tuple[s.Ask, list[Fact]]]:
    """The asks of a list, each with the conditions that hold there because of where it stands."""
    facts = list(facts)
    for stmt in body:
        match stmt:
            case s.Ask():
                yield stmt, facts
            case s.If(branches, otherwise):
                here = list(facts)
                for condition, inner in branches:
                    yield from asks_in(study, inner, [*here, (condition, True)])
                    here.append((condition, False))
                yield from asks_in(study, otherwise, here)
            case s.For(local, domain, inner):
                yield from asks_in(
                    study, inner, [*_lasting(study, facts, stmt), *_picked(study, stmt, domain, local)]
                )
            case s.Repeat(body=inner):
                yield from asks_in(study, inner, _lasting(study, facts, stmt))
            case s.Until(condition, inner):
                yield from asks_in(study, inner, [*_lasting(study, facts, stmt), (condition, False)])
        facts = _lasting(study, facts, stmt)


def _picked(study: Study, loop: s.For, domain: e.Expr, local: int) -> list[Fact]:
    """What is known of each one visited: `for p in players where score > 3`.

    It was so when the loop began. What is about the one visited is taken to be so still when he is asked;
    what is about something else only if the loop does not change it.
    """
    facts: list[Fact] = []
    forms = Forms(study.program)
    writes = study.uses.writes(loop)
    while isinstance(domain, e.Rounds | e.Filter):
        if isinstance(domain, e.Rounds):
            domain = domain.players
            continue
        visited = e.Local(local, type=study.program.locals[local].type)
        condition = domain.condition
        for part in operands(condition) if isinstance(condition, e.And) else [condition]:
            about = any(isinstance(x, e.Local) and x.number == domain.local for x in walk_expressions(part))
            if about or not writes.touches(study.uses.reads(part)):
                facts.append((forms.form(part, {domain.local: visited}), True))
        domain = domain.domain
    return facts


def _lasting(study: Study, facts: list[Fact], stmt: s.Stmt) -> list[Fact]:
    """The facts that the statement cannot have changed."""
    writes = study.uses.writes(stmt)
    return [fact for fact in facts if not writes.touches(study.uses.reads(fact[0]))]


# ---------------------------------------------------------------- a legal move


def _check_ask(
    study: Study, ask: s.Ask, facts: list[Fact], reported: set[tuple[str, ...]], findings: Findings
) -> None:
    moves = [study.program.moves[name] for name in ask.moves if name in study.program.moves]
    if not moves:
        if study.own(ask.span):
            findings.warning(
                "RK640",
                "this ask offers no moves, so nobody is asked",
                ask.span,
                help="name the moves: `ask ...: [play]`",
            )
        return
    known = study.flow.before.get(id(ask)) or Known(options=study.flow.table.options)
    player = ask.whom or (ask.who if not ask.together else None)
    forms = Forms(study.program, player)
    plain = Forms(study.program)
    wanted = {move.name: _legal(study, move, forms, known) for move in moves}
    given: list[Formula] = []
    for condition, holds in facts:
        formula = plain.formula(condition)
        given.append(formula if holds else No(formula))
    goal = Some(tuple(wanted.values()))
    for atom in dict.fromkeys(conditions_of(goal)):
        sure = study.flow.estimator.sure(atom, known)
        if sure is not None:
            given.append(Atom(atom) if sure else No(Atom(atom)))
    if follows(goal, given):
        return
    key = (*ask.moves, str(ask.span) if study.own(ask.span) else "")
    if key in reported:
        return
    reported.add(key)
    own = study.own(ask.span)
    names = " or ".join(f"`{move.name}`" for move in moves)
    findings.warning(
        "RK640",
        f"there may be no legal move here: nothing shows that {names} is always possible",
        ask.span if own else moves[0].span,
        expected="a move without conditions that ends in a whole zone, or moves that cover every case",
        help=_advice(moves),
        notes=[] if own or ask.span is None else [Note("asked here", ask.span)],
    )


def _legal(study: Study, move: MoveDef, forms: Forms, known: Known) -> Formula:
    """The condition that the move can be made."""
    parts: list[Formula] = []
    estimator = study.flow.estimator
    for condition in move.conditions:
        sure = estimator.sure(condition.condition, known)
        if sure is None:
            parts.append(forms.formula(condition.condition))
        elif not sure:
            return NEVER
    for choice in move.choices:
        entries: list[Formula] = []
        for entry in choice.entries:
            size = estimator.size(entry.domain, known)
            if size.low >= 1:
                entries.append(ALWAYS)
            elif size.high >= 1:
                entries.append(forms.choosable(entry.domain))
        parts.append(Some(tuple(entries)))
    return Every(tuple(parts))


def _advice(moves: list[MoveDef]) -> str:
    if any(move.conditions for move in moves):
        return "add a move that is always possible, such as a `pass`, or let the conditions cover every case"
    return "end the cascade with what is left when nothing fits, such as `any card: hand`"


# ---------------------------------------------------------------- cascades


def _check_cascade(study: Study, choice: Choice, findings: Findings) -> None:
    """Entries that an earlier one covers: where it is empty, so are they."""
    forms = Forms(study.program)
    blank = Known(options=study.flow.table.options)
    earlier: list[tuple[int, object]] = []
    for number, entry in enumerate(choice.entries):
        mine = sieve(forms.whole(entry.domain))
        label = f"`{entry.label}`" if entry.label else f"entry {number + 1}"
        for before, other in earlier:
            first = choice.entries[before]
            named = f"`{first.label}`" if first.label else f"entry {before + 1}"
            if mine == other:
                findings.warning(
                    "RK642",
                    f"{label} is the same as {named} above, so it never counts",
                    entry.span,
                    help="leave it out, or say what it is to offer",
                )
                break
            if sieve(forms.whole(first.domain)).covers(mine) or _never_empty(study, first.domain, blank):
                findings.warning(
                    "RK641",
                    f"{label} never counts: where it offers something, {named} above does too",
                    entry.span,
                    help="put the narrower entry first: the first that is not empty is the one that counts",
                )
                break
        earlier.append((number, mine))


def _never_empty(study: Study, domain: e.Expr, blank: Known) -> bool:
    return study.flow.estimator.size(domain, blank).low >= 1
