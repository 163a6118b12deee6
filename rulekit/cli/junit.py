"""Results of examples as JUnit's XML, which build servers read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree as Xml

from rulekit.cli.output import clean
from rulekit.diagnostics import Diagnostic

if TYPE_CHECKING:
    from rulekit.cli.test_command import Tested


def junit(tested: Sequence[Tested]) -> str:
    """A suite for each file, a case for each example; a file with errors is one case that is an error.

    There are no times in it: the same rules give the same text.
    """
    root = Xml.Element("testsuites", name="rulekit test")
    for one in tested:
        cases = len(one.results) + bool(one.errors)
        suite = Xml.SubElement(
            root,
            "testsuite",
            name=clean(one.name),
            tests=str(cases),
            failures=str(len(one.failed)),
            errors=str(int(bool(one.errors))),
            skipped="0",
        )
        if one.errors:
            _problem(Xml.SubElement(suite, "testcase", classname=clean(one.name), name="rules"), one.errors)
        for result in one.results:
            case = Xml.SubElement(suite, "testcase", classname=clean(one.name), name=clean(result.title))
            if result.span is not None:
                case.set("file", clean(result.span.file))
                case.set("line", str(result.span.line))
            if not result.passed:
                _problem(case, result.diagnostics, "failure")
    for node, number in (("tests", "tests"), ("failures", "failures"), ("errors", "errors")):
        root.set(node, str(sum(int(suite.get(number, "0")) for suite in root)))
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, "unicode") + "\n"


def _problem(case: Xml.Element, found: Sequence[Diagnostic], kind: str = "error") -> None:
    from rulekit.diagnostics.render import render_text

    problem = Xml.SubElement(case, kind, type=found[0].code, message=clean(found[0].message))
    problem.text = render_text(found)
