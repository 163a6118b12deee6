"""Collects the examples of rule files as tests of pytest.

It does nothing unless asked to, so that other projects' YAML is left alone. Examples are collected from

- files that match a pattern in the setting `rulekit_rulesets`
- every rule file that pytest comes across, with `--rulekit`
- rule files that are named on the command line

and only from files that declare the language, `rulekit: "1"`, and are no blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rulekit.diagnostics import Diagnostic
    from rulekit.game.examples import ExampleRunner
    from rulekit.program.program import ExampleDef

SUFFIXES = (".yaml", ".yml")
SETTING = "rulekit_rulesets"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Our options and our one setting."""
    group = parser.getgroup("rulekit", "rulekit: examples of rule files")
    group.addoption("--rulekit", action="store_true", help="collect the examples of all rule files")
    group.addoption(
        "--rulekit-deals", type=int, default=20, metavar="N", help="deals in which an example must hold (20)"
    )
    parser.addini(SETTING, "rule files whose examples are tests: patterns such as `games/*.yaml`", "args")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> RuleFile | None:
    """A collector for a rule file that is wanted."""
    if file_path.suffix not in SUFFIXES or not _wanted(file_path, parent) or not declares_rules(file_path):
        return None
    return RuleFile.from_parent(parent, path=file_path)


def _wanted(path: Path, parent: pytest.Collector) -> bool:
    config = parent.config
    if config.getoption("--rulekit") or parent.session.isinitpath(path):
        return True
    try:
        relative = path.relative_to(config.rootpath)
    except ValueError:
        return False
    return any(relative.match(pattern) for pattern in config.getini(SETTING))


def declares_rules(path: Path) -> bool:
    """Is this a rule file of ours, and no block (which has no games of its own)?"""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return bool(re.search(r"^rulekit\s*:", text, re.M)) and not re.search(r"^block\s*:", text, re.M)


class RuleFile(pytest.File):
    """A rule file; its examples are the tests in it."""

    def collect(self) -> Iterable[ExampleItem]:
        """One test for each example; the findings, where the file has errors."""
        from rulekit.diagnostics import RulesetError
        from rulekit.game.examples import ExampleRunner
        from rulekit.game.ruleset import load

        try:
            rules = load(self.path)
        except RulesetError as error:
            raise self.CollectError(_shown(error.diagnostics)) from None
        runner = ExampleRunner(rules, self.config.getoption("--rulekit-deals"))
        for example in rules.program.examples:
            yield ExampleItem.from_parent(self, name=example.title, runner=runner, example=example)


class ExampleItem(pytest.Item):
    """One example."""

    def __init__(self, *, runner: ExampleRunner, example: ExampleDef, **rest: Any) -> None:
        super().__init__(**rest)
        self.runner = runner
        self.example = example
        self.funcargs: dict[str, Any] = {}  # no fixtures; some plugins look for them in every item

    def runtest(self) -> None:
        """Runs it; raises ExampleFailed."""
        result = self.runner.run(self.example)
        if not result.passed:
            raise ExampleFailed(result.diagnostics)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """A finding instead of a traceback."""
        if isinstance(excinfo.value, ExampleFailed):
            return _shown(excinfo.value.diagnostics)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the example stands; pytest counts lines from 0."""
        span = self.example.span
        return self.path, span.line - 1 if span else None, self.name


class ExampleFailed(AssertionError):
    """An example does not hold. ``diagnostics`` says why."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(found) for found in self.diagnostics))


def _shown(found: Iterable[Diagnostic]) -> str:
    from rulekit.diagnostics.render import render_text

    return render_text(found)
