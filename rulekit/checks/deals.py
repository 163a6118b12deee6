"""Deals fit the pack, for every player count and every option that matters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rulekit.checks.study import Study
from rulekit.checks.tables import STEPS, combinations
from rulekit.checks.watching import Outrun, Watching
from rulekit.diagnostics import Findings
from rulekit.program import Setup
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program.bounds import Range, Table, closed_table
from rulekit.program.constants import NotConstant, constant_value
from rulekit.program.flow import Flow, follow
from rulekit.program.walk import lists, walk_statements

MOST = 96  #: tables for which the deals are followed one by one


def check(study: Study, findings: Findings) -> None:
    """Packs that are empty; deals that surely outrun their source; tops of piles that are empty."""
    if packs(study, findings):
        deals(study, findings)
        tops(study, findings)


# ---------------------------------------------------------------- the pack


def packs(study: Study, findings: Findings) -> bool:
    """Is there a pack that is not empty, for all players and options?"""
    for setup, chosen in setups(study, pack_options(study)):
        try:
            cards = len(setup.pack)
        except NotConstant:
            continue
        if cards == 0:
            findings.error(
                "RK631",
                f"the pack is empty{told(study, setup, chosen)}",
                study.key("deck"),
                help="see what `without` and `copies` leave",
            )
            return False
    return True


def pack_options(study: Study) -> set[str]:
    """The options that decide which cards are in the pack."""
    deck = study.program.deck
    found = set() if deck.copies is None else set(study.uses.reads(deck.copies).options)
    for condition, _ in deck.without:
        if condition is not None:
            found |= study.uses.reads(condition).options
    return found


def setups(study: Study, options: set[str]) -> Iterator[tuple[Setup, dict[str, int | bool]]]:
    """Every player count with every combination of these options, and what was chosen."""
    program = study.program
    usual = {name: option.start for name, option in program.options.items()}
    low, high = program.players
    for players in range(low, high + 1):
        for chosen in combinations(program, options):
            values = {**usual, **chosen}
            if program.requires is not None and not _holds(study, values, players):
                continue
            yield Setup(program, players, values), chosen


def _holds(study: Study, values: dict[str, int | bool], players: int) -> bool:
    assert study.program.requires is not None
    try:
        return bool(constant_value(study.program.requires, values, players))
    except NotConstant:
        return True


def told(study: Study, setup: Setup, chosen: dict[str, int | bool]) -> str:
    """For a message: the players if they may vary, options that are not at their default."""
    program = study.program
    parts = [f"{setup.players} players"] if program.players[0] != program.players[1] else []
    for name, value in chosen.items():
        if value != program.options[name].start:
            parts.append(f"`{name}: {program.options[name].format(value)}`")
    if not parts:
        return ""
    return " with " + (", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else parts[0])


# ---------------------------------------------------------------- deals


def deals(study: Study, findings: Findings) -> None:
    """Follows the program at each table at which a deal of known size might not fit."""
    program, uses = study.program, study.uses
    flow, watching = study.flow, study.watching
    if flow.gave_up:
        return
    found: dict[int, tuple[Outrun, str]] = {}
    told_locals = _told_locals(study)
    doubtful: list[s.Deal] = []
    options = pack_options(study)
    for deal in watching.doubtful.values():
        deciding = _deciding(study, deal, told_locals)
        if deciding is not None:
            doubtful.append(deal)
            options |= deciding
    for stmt in study.inside(*program.play):
        if isinstance(stmt, s.If) and any(isinstance(x, s.Move | s.Deal) for x in walk_statements(stmt)):
            for condition, _ in stmt.branches:
                options |= uses.reads(condition).options
    varies = program.players[0] != program.players[1] or bool(options)
    if doubtful and varies:
        most = min(MOST, STEPS // max(1, flow.steps_taken))
        befores = [_up_to(deal, study) for deal in watching.doubtful.values()]
        for setup, chosen in islice(setups(study, options), most):
            if all(id(deal) in found for deal in doubtful):
                break
            table = _table(flow.table, setup, options)
            here = Watching(program, table)
            if all(_surely_fits(before, table, study) for before in befores):
                continue
            follow(program, table, uses, here)
            for key, outrun in here.outrun.items():
                found.setdefault(key, (outrun, told(study, setup, chosen)))
    for key, outrun in watching.outrun.items():
        found.setdefault(key, (outrun, ""))
    for outrun, where in found.values():
        _report(study, findings, outrun, where)


def _up_to(deal: s.Deal, study: Study) -> tuple[s.Stmt, ...]:
    """The list of statements in which a deal stands, as far as to the deal."""
    whole = (body for unit in study.units for body in study.bodies(unit))
    for body in (inner for outer in whole for inner in lists(outer)):
        for number, stmt in enumerate(body):
            if stmt is deal:
                return body[: number + 1]
    return (deal,)


def _surely_fits(before: tuple[s.Stmt, ...], table: Table, study: Study) -> bool:
    """Does the last of these statements fit whatever the game has come to before the first of them?

    As a rule the pack is shuffled just before it is dealt from: then what a whole game does need not be
    followed at each table.
    """
    here = Watching(study.program, table)
    flow = Flow(study.program, table, study.uses, here).follow_from_anywhere(before)
    return not flow.gave_up and id(before[-1]) not in here.doubtful


def _deciding(study: Study, stmt: s.Deal, told: dict[int, frozenset[str]]) -> frozenset[str] | None:
    """The options on which the number dealt depends; None: it depends on more than options and loops."""
    if stmt.count is None:
        return None
    reads = study.uses.reads(stmt.count)
    if reads.states or reads.zones or reads.fields or reads.provenance or reads.me:
        return None
    found = reads.options
    for number in reads.locals:
        if number not in told:
            return None
        found |= told[number]
    return found


def _told_locals(study: Study) -> dict[int, frozenset[str]]:
    """Variables of loops over numbers, and parameters of phases, with the options that give them."""
    found: dict[int, frozenset[str]] = {}
    phases = study.program.phases
    for unit in study.units:
        for stmt in study.statements(unit):
            match stmt:
                case s.For(local, e.Numbers() as domain):
                    found[local] = study.uses.reads(domain).options
                case s.Call(name, arguments) if name in phases:
                    for number, argument in zip(phases[name].parameters, arguments, strict=False):
                        found[number] = found.get(number, frozenset()) | study.uses.reads(argument).options
    return found


def _table(open_table: Table, setup: Setup, options: set[str]) -> Table:
    """The table of a setup, options that do not matter left open."""
    closed = closed_table(setup)
    chosen = {
        name: closed.options[name] if name in options else value for name, value in open_table.options.items()
    }
    return Table(closed.players, closed.teams, closed.cards, chosen)


def _report(study: Study, findings: Findings, outrun: Outrun, where: str) -> None:
    each, players = outrun.each, outrun.players
    source = outrun.stmt.source
    zone = source.zone if isinstance(source, s.ZonePlace) else "the pile"
    if players is not None and players.low == players.high:
        cards = "card" if each.high == 1 else "cards"
        dealt = f"{players.low} players x {_amount(each)} {cards} = {outrun.total.low}"
    elif outrun.total.low == outrun.total.high:
        dealt = f"{outrun.total.low} card{'s' * (outrun.total.low != 1)}"
    else:
        dealt = f"at least {outrun.total.low} cards"
    left = outrun.have.high
    held = f"the pack has {left}" if left == outrun.pack else f"`{zone}` has {left or 'none'}"
    findings.error(
        "RK630",
        f"this deal outruns `{zone}`{where}: {dealt}, {held}",
        outrun.stmt.span,
        help="deal fewer, allow fewer players, or write `deal ... at most count(...)`",
    )


def _amount(each: Range) -> str:
    return str(each.low) if each.low == each.high else f"at least {each.low}"


def tops(study: Study, findings: Findings) -> None:
    """`move top of X` where nothing can lie in X."""
    if study.flow.gave_up:
        return
    for stmt in study.watching.empty.values():
        if stmt is not None:
            findings.warning(
                "RK633",
                f"`{_shown(stmt)}` moves nothing: the pile is always empty here",
                stmt.span,
                help="move the card before the pile is emptied, or leave the statement out",
            )


def _shown(stmt: s.Move) -> str:
    return stmt.span.text if stmt.span is not None else "move top of ..."
