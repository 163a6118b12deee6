"""Sealed choices: what one player chose must still lie there when the choices of all are carried out."""

from __future__ import annotations

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings, Note
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program.origins import target_zones
from rulekit.program.program import Choice, MoveDef
from rulekit.program.walk import walk_expressions


def check(study: Study, findings: Findings) -> None:
    """Cards that several may choose at the same time, and of which only one can have them."""
    told: set[tuple[str, str]] = set()
    for unit in study.units:
        for stmt in study.statements(unit):
            if isinstance(stmt, s.Ask) and stmt.together:
                _check_ask(study, stmt, told, findings)


def _check_ask(study: Study, ask: s.Ask, told: set[tuple[str, str]], findings: Findings) -> None:
    moves = [study.program.moves[name] for name in ask.moves if name in study.program.moves]
    taken: set[str] = set()
    for move in moves:
        taken |= _taken(study, move)
    for move in moves:
        for choice in move.choices:
            for zone in sorted(_shared(study, choice) & taken):
                key = move.name, choice.name
                place = next((x.span for x in choice.entries if x.span is not None), None)
                place = place or move.span or ask.span
                if key in told or not study.own(place):
                    continue
                told.add(key)
                findings.warning(
                    "RK643",
                    f"several may choose the same of `{zone}` for `{choice.name}` at the same time, and each "
                    "takes it away",
                    place,
                    help="ask one after the other (`for p in players: [ask p: ...]`), or let each choose "
                    "from a zone of his own",
                    notes=[Note("asked here, together", ask.span)] if ask.span is not None else [],
                )


def _shared(study: Study, choice: Choice) -> set[str]:
    """The zones from which cards or piles are chosen that are not those of the player asked alone."""
    found: set[str] = set()
    for entry in choice.entries:
        origins = study.uses.origins.of(entry.domain)
        if origins is None:
            continue
        own: set[str] = set()
        others: set[str] = set()
        for part in walk_expressions(entry.domain):
            match part:
                case e.ZoneCards(zone, e.Me()) | e.ZonePile(zone, e.Me()) | e.ZonePiles(zone, e.Me()):
                    own.add(zone)
                case e.ZoneCards(zone) | e.ZonePile(zone) | e.ZonePiles(zone) | e.FamilyCards(zone):
                    others.add(zone)
        found |= {zone for zone in origins & study.program.zones.keys() if zone in others or zone not in own}
    return found


def _taken(study: Study, move: MoveDef) -> set[str]:
    """The zones out of which the move's effect moves cards."""
    found: set[str] = set()
    for stmt in study.inside(*move.body):
        match stmt:
            case s.Move(cards) | s.Shuffle(_, cards) if cards is not None:
                found |= study.uses.origins.of(cards) or set()
            case s.Swap(one, other):
                found |= (study.uses.origins.of(one) or set()) | (study.uses.origins.of(other) or set())
            case s.Deal(_, _, source):
                found |= target_zones(source, study.program)
    return found
