"""Finding what an argument means: rulesets, options, seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from rulekit.cli.output import clean, echo, in_colour
from rulekit.diagnostics import Diagnostic, RulesetError, nearest

if TYPE_CHECKING:
    from rulekit.game.game import Game
    from rulekit.game.ruleset import Ruleset

OK, FOUND, USAGE, BUG, INTERRUPTED = 0, 1, 2, 70, 130  #: exit codes
SEED = click.IntRange(0, 2**64 - 1)  #: what a seed may be
UNREADABLE = frozenset({"RK100", "RK129"})  #: codes of files that could not be opened at all


def unreadable(found: Iterable[Diagnostic]) -> bool:
    """Could a file not be read at all (a wrong argument rather than a wrong file)?"""
    return any(d.code in UNREADABLE and d.span is None for d in found)


class BrokenRuleset(click.ClickException):
    """A ruleset with mistakes, where one was needed to go on: the mistakes are printed."""

    def __init__(self, found: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(str(d) for d in found))
        self.found = found

    def show(self, file: Any = None) -> None:
        """Print the findings, on standard error."""
        from rulekit.diagnostics.render import render_text, summary

        echo(render_text(self.found, in_colour), err=True)
        if not unreadable(self.found):
            echo(f"this ruleset cannot be used: {summary(self.found)}", err=True)


def open_ruleset(name: str, options: Mapping[str, str] | None = None) -> Ruleset:
    """The ruleset of that name or path; raises BrokenRuleset with what is wrong with it."""
    from rulekit.game.ruleset import load

    try:
        return load(name, options=dict(options or {}))
    except RulesetError as error:
        raise BrokenRuleset(error.diagnostics) from None
    except ValueError as error:  # an option that does not exist, or a value that it does not take
        raise click.UsageError(clean(str(error))) from None


def check_language(rules: Ruleset, language: str) -> None:
    """Raises UsageError unless the rules are in that language, or in English."""
    if language not in rules.languages:
        close = nearest(language, rules.languages)
        known = ", ".join(f"`{x}`" for x in rules.languages)
        advice = f"did you mean `{close}`?" if close else f"there is {known}"
        raise click.UsageError(f"`{rules.name}` is not translated into `{clean(language)}`: {advice}")


def read_settings(settings: Sequence[str]) -> dict[str, str]:
    """`--set target=5` as a mapping; raises UsageError for what is not `option=value`, or is set twice."""
    chosen: dict[str, str] = {}
    for setting in settings:
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not equals or not name or not value:
            raise click.UsageError(f"`--set {clean(setting)}` must be written `--set option=value`")
        if name in chosen and chosen[name] != value:
            raise click.UsageError(
                f"`{clean(name)}` is set twice, to `{clean(chosen[name])}` and `{clean(value)}`"
            )
        chosen[name] = value
    return chosen


def bot_names(text: str | None, seats: int) -> tuple[str, ...]:
    """`random,search:200` as one bot for each of so many seats; one name serves all; raises UsageError."""
    from rulekit.players import BOTS

    names = [name.strip().lower() for name in (text or "random").split(",")]
    for name in names:
        if name not in BOTS:
            close = nearest(name, BOTS)
            advice = f"did you mean `{close}`?" if close else "there are " + ", ".join(f"`{b}`" for b in BOTS)
            raise click.UsageError(f"no bot `{clean(name)}`: {advice}")
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        raise click.UsageError(f"{len(names)} bots for {seats} seats: name one for all, or one for each")
    return tuple(names)


def player_count(ruleset: Ruleset, wanted: int | None) -> int:
    """The number of players asked for, or the fewest the game is for; raises UsageError."""
    low, high = ruleset.program.players
    if wanted is None:
        return low
    if not low <= wanted <= high:
        span = f"{low}" if low == high else f"{low} to {high}"
        raise click.UsageError(f"`{ruleset.program.name}` is for {span} players, not {wanted}")
    return wanted


def _goes_on(path: str, rules: Ruleset | None) -> bool:
    """Can the record be played if nobody minds that the rules are others?"""
    from rulekit.game.errors import RecordError
    from rulekit.game.ruleset import replay

    try:
        replay(path, rules, strict=False)
    except (RecordError, RulesetError):
        return False
    return True


def open_record(
    path: str, rules: Ruleset | None = None, *, strict: bool = True, advice: bool = False
) -> Game:
    """The game in a record file, up to its last move.

    ``advice``: the command has an option `--anyway`, which is named where it would help.

    Raises UsageError if the file cannot be read or is no record, ClickException if its game cannot be played.
    """
    from rulekit.game.errors import RecordError
    from rulekit.game.ruleset import replay

    try:
        return replay(path, rules, strict=strict)
    except RecordError as error:
        message = f"{clean(path)}: {clean(error.message)} [{error.code}]"
        if error.code == "RK930":
            raise click.UsageError(message) from None
        if advice and strict and error.code == "RK931" and _goes_on(path, rules):
            message += "; `--anyway` goes on regardless"
        raise click.ClickException(message) from None
    except RulesetError as error:
        raise BrokenRuleset(error.diagnostics) from None
