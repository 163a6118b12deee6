"""Checks made table by table: faults that show only for some number of players or some options together.

`run_checks` looks at all tables at once, with bounds that hold at each of them; what goes wrong at one of
them alone may stay within these bounds. Here the same checks look at single tables. What they find is told
with what it takes: options are put back to their defaults as long as the fault stays, and those named
without which it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from rulekit.checks import asks, cost, deals, loops, ranges, stop_when
from rulekit.checks.study import Study
from rulekit.checks.tables import values
from rulekit.diagnostics import Diagnostic, Findings, Span
from rulekit.program import Program, Setup
from rulekit.program.bounds import closed_table
from rulekit.program.constants import NotConstant, constant_value
from rulekit.program.uses import Uses

Options = Mapping[str, int | bool]
Table = tuple[int, Options]  #: players, and a value for every option
Key = tuple[str, Span | None]  #: a fault: its code and its place

#: Those that find more where more is known. What is unused or always true at one table alone is no fault.
PASSES: tuple[Callable[[Study, Findings], None], ...] = (
    loops.check,
    deals.check,
    asks.check,
    ranges.check_steps,
    stop_when.check,
    cost.check,
)
STATEMENTS = 400_000  #: followed at all tables together, after which no more tables are looked at
NAMED = 12  #: faults for which it is found out what they take


class Tables:
    """The tables of a program, each looked at when first asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.statements = 0
        self._uses = Uses(program)  # what is read where does not depend on the table
        self._found: dict[tuple[object, ...], dict[Key, Diagnostic]] = {}

    def found(self, table: Table) -> dict[Key, Diagnostic]:
        """What is wrong or doubtful at this table."""
        players, options = table
        key = (players, *options.values())
        if key not in self._found:
            settled = self._settled(players, options)
            study = Study(settled, closed_table(Setup(settled, players, options)), self._uses)
            findings = Findings()
            for check in PASSES:
                check(study, findings)
            self.statements += study.flow.steps_taken
            self._found[key] = {(one.code, one.span): one for one in reversed(findings.items)}
        return self._found[key]

    def _settled(self, players: int, options: Options) -> Program:
        """The program for this table alone."""
        fixed = {
            name: replace(option, start=options[name], fixed=True)
            for name, option in self.program.options.items()
        }
        return replace(self.program, players=(players, players), options=fixed)

    def _may_be(self, table: Table) -> bool:
        players, options = table
        if self.program.requires is None:
            return True
        try:
            return bool(constant_value(self.program.requires, options, players))
        except NotConstant:
            return False

    def takes(self, table: Table, fault: Key) -> str:
        """What it takes for a fault that this table has, as ` with 3 players and `floor: true``; or nothing.

        Named are the players and options without which, all else being alike, the fault is gone.
        """
        players, options = table[0], dict(table[1])
        for name, option in self.program.options.items():
            usual = {**options, name: option.start}
            if options[name] != option.start and self._has((players, usual), fault):
                options = usual
        low, high = self.program.players
        parts = []
        if not all(self._has((number, options), fault, unless=True) for number in range(low, high + 1)):
            parts.append("1 player" if players == 1 else f"{players} players")
        for name, option in self.program.options.items():
            others = [value for value in values(option) if value != options[name]]
            if not all(
                self._has((players, {**options, name: value}), fault, unless=True) for value in others
            ):
                parts.append(f"`{name}: {option.format(options[name])}`")
        if not parts:
            return ""
        return " with " + (", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else parts[0])

    def _has(self, table: Table, fault: Key, unless: bool = False) -> bool:
        """Has this table the fault? ``unless``: what to say of one that cannot be."""
        return fault in self.found(table) if self._may_be(table) else unless


def check_tables(
    program: Program, tables: Sequence[Table], known: Iterable[Diagnostic] = ()
) -> list[Diagnostic]:
    """What is wrong or doubtful at some of these tables, and not ``known`` from all of them at once.

    The message ends with the players and options that it takes. The order is that of the file.
    """
    told = {(found.code, found.span) for found in known}
    looked = Tables(program)
    first: dict[Key, tuple[Diagnostic, Table]] = {}
    for table in tables:
        if looked.statements > STATEMENTS:
            break
        for key, found in looked.found(table).items():
            if key not in told:
                first.setdefault(key, (found, table))
    named = Findings()
    for number, (key, (found, table)) in enumerate(first.items()):
        takes = looked.takes(table, key) if number < NAMED else ""
        named.extend([replace(found, message=f"{found.message}{takes}") if takes else found])
    return named.sorted()


__all__ = ["PASSES", "Tables", "check_tables"]
