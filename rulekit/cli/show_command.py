"""`rulekit show`: what a ruleset offers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from rulekit.cli.loading import open_ruleset
from rulekit.cli.output import clean, echo, players_text, strong, table

if TYPE_CHECKING:
    from rulekit.game.engines import Engines, Support
    from rulekit.program import Program

SEEN = {
    "everyone": "everyone",
    "owner": "its owner",
    "nobody": "nobody",
    "others": "all but its owner",
    "team": "its team",
    "face": "everyone, cards face up",
}


@click.command("show")
@click.argument("name")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output form.",
)
def command(name: str, form: str) -> None:
    """Show what the ruleset NAME (or a file) offers: players, options, moves, zones, phases, sources."""
    ruleset = open_ruleset(name)
    program = ruleset.program
    table_of_fewest = ruleset.engines(ruleset.players[0])
    engines, size = table_of_fewest.support(), state_size(table_of_fewest)
    if form == "json":
        costs = {"actions": actions(program), "searches": searches(program)}
        played = {"state_bytes": size, "engines": {one.engine: one.why for one in engines}}
        data = describe(program) | costs | played
        echo(json.dumps(data, indent=2))
        return
    for line in (*lines(with_values(program)), "", *cost_lines(program, size), *engine_lines(engines)):
        echo(line)


def with_values(program: Program) -> Program:
    """The program with the usual values of its options in its texts."""
    from rulekit.program.setup import prepare
    from rulekit.program.texts import filled

    return filled(prepare(program, program.players[0])).program


def engine_lines(engines: Iterable[Support]) -> Iterator[str]:
    """Which engines can play the ruleset, for the fewest players; why not the others."""
    from rulekit.game.engines import TITLES

    yield "engines: " + ", ".join(TITLES[one.engine] for one in engines if one.can)
    for one in engines:
        if one.why is not None:
            yield f"  not {TITLES[one.engine]}: {clean(one.why)}"


def actions(program: Program) -> dict[str, Any]:
    """How many action numbers there are for the most players, and which choices are made step by step."""
    from rulekit.program.actions import ActionSpace
    from rulekit.program.setup import prepare

    setup = prepare(program, program.players[1])
    space = ActionSpace(setup)
    staged = [
        f"{move.name} {choice.name}"
        for move in program.moves.values()
        for choice, domain in zip(move.choices, space.moves[move.name].domains, strict=True)
        if domain.size == 0
    ]
    return {"players": setup.players, "numbers": space.size, "staged": staged}


def searches(program: Program) -> list[dict[str, Any]]:
    """What the rules search for among sets of cards.

    The text, among how many cards, sets looked at, at worst, and the number of cards from which on that is
    more than a million; None for none.
    """
    from rulekit.checks import cost
    from rulekit.checks.study import Study

    study = Study(program)
    most = study.flow.table.cards.high
    return [
        {
            "text": search.expr.span.text if search.expr.span is not None else "",
            "cards": search.cards,
            "sets": search.sets,
            "too_long_from": limit if limit <= most else None,
        }
        for search, limit in cost.searches(study)
    ]


def state_size(engines: Engines) -> int | None:
    """Bytes of a game's state in the compiled engines; None if they cannot play it."""
    from rulekit.compiled.wat_layout import MemoryLayout

    return MemoryLayout(engines.lowered.module).size if engines.why_not("python") is None else None


def cost_lines(program: Program, size: int | None) -> Iterator[str]:
    """What the rules cost to play, in words."""
    found = actions(program)
    people = "1 player" if found["players"] == 1 else f"{found['players']} players"
    yield f"actions: {found['numbers']:,} numbers for {people}"
    if found["staged"]:
        yield "  chosen step by step: " + ", ".join(clean(one) for one in found["staged"])
    rows = [
        (clean(one["text"]), one["cards"], f"{one['sets']:,}", one["too_long_from"] or "never")
        for one in searches(program)
    ]
    if size is not None:
        yield f"state: {size:,} bytes"
    if rows:
        yield table(rows, ("search among sets", "cards", "sets at most", "a million from"), right=(1, 2, 3))


def describe(program: Program) -> dict[str, Any]:
    """The ruleset as plain data."""
    from rulekit.game.options import describe_option

    hashed, program = program.fingerprint(), with_values(program)
    options = [describe_option(option) for option in program.options.values()]
    return {
        "kind": "ruleset",
        "version": 1,
        "name": program.name,
        "title": program.title,
        "family": program.family,
        "text": program.text,
        "hash": hashed,
        "players": list(program.players),
        "teams": program.teams,
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "values": None if option.values is None else list(option.values),
                "low": option.low,
                "high": option.high,
                "fixed": option.fixed,
                "text": option.text,
            }
            for option in options
        ],
        "moves": [
            {
                "name": move.name,
                "choices": [choice.name for choice in move.choices],
                "conditions": [condition.label for condition in move.conditions],
                "block": move.block,
                "text": move.text,
            }
            for move in program.moves.values()
        ],
        "zones": [
            {
                "name": zone.name,
                "kind": zone.kind,
                "count": zone.count,
                "per": zone.per,
                "seen_by": zone.seen_by,
                "text": zone.text,
            }
            for zone in program.zones.values()
        ],
        "phases": [
            {"name": phase.name, "block": phase.block, "text": phase.text}
            for phase in program.phases.values()
        ],
        "reasons": list(program.reasons),
        "examples": [example.title for example in program.examples],
        "sources": list(program.sources),
    }


def lines(program: Program) -> Iterator[str]:
    """The ruleset as text for people."""
    from rulekit.game.options import describe_option, option_text

    yield strong(clean(program.title)) + (f"  ({clean(program.family)})" if program.family else "")
    if program.text:
        yield clean(program.text, keep_lines=True).strip()
    yield ""
    yield f"players: {players_text(program.players)}{_teams(program.teams)}"
    if program.options:
        yield ""
        yield strong("Options")
        options = [describe_option(option) for option in program.options.values()]
        yield table(
            [
                (
                    option.name,
                    "fixed" if option.fixed else option.allowed(),
                    option_text(option.default),
                    option.text or "",
                )
                for option in options
            ],
            ("option", "values", "default", "meaning"),
        )
    yield ""
    yield strong("Moves")
    yield table(
        [
            (" ".join([move.name, *(choice.name.upper() for choice in move.choices)]), move.text or "")
            for move in program.moves.values()
        ],
        ("move", "meaning"),
    )
    yield ""
    yield strong("Zones")
    yield table(
        [
            (z.name, _zone_kind(z.kind, z.count, z.per), SEEN.get(z.seen_by, z.seen_by), z.text or "")
            for z in program.zones.values()
        ],
        ("zone", "kind", "seen by", "meaning"),
    )
    own = [phase for phase in program.phases.values() if phase.block is None]
    if own:
        yield ""
        yield strong("Phases")
        yield table([(phase.name, phase.text or "") for phase in own], ("phase", "meaning"))
    if program.reasons:
        yield ""
        yield "points are made for: " + ", ".join(
            clean(reason).replace("_", " ") for reason in program.reasons
        )
    if program.examples:
        yield f"examples in the file: {len(program.examples)}"
    if program.sources:
        yield ""
        yield strong("Sources")
        for source in program.sources:
            yield f"  {clean(source)}"


def _teams(teams: str | int | None) -> str:
    if teams is None:
        return ""
    return ", partners sit opposite" if teams == "across" else f", in {teams} teams"


def _zone_kind(kind: str, count: int, per: str | None) -> str:
    what = {"piles": f"{count} piles", "slots": f"up to {count} piles"}.get(kind, kind)
    return f"{what} per {per}" if per else what
