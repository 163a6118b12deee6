"""What YAML refuses, in the words of somebody who writes rules.

PyYAML's messages speak of mapping values, block collections and tokens. The author wrote a colon
inside a sentence, or forgot a bracket; that is what he is told, at the place where he did it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from rulekit.diagnostics import SourceFile, Span
from rulekit.source.characters import describe, unseen

QUOTES = "put the whole text in quotes"

_INDICATORS = {
    "|": "begins a block of text",
    ">": "begins a folded block of text",
    "*": "refers to an anchor",
    "&": "names an anchor",
    "%": "begins a directive",
    "@": "is reserved",
    "`": "is reserved",
    "?": "begins a key",
    "-": "begins a list entry",
}


@dataclass(frozen=True)
class Slip:
    """One finding about the YAML itself."""

    code: str
    message: str
    span: Span
    expected: str | None = None
    help: str | None = None


def translate(
    error: yaml.YAMLError, source: SourceFile, last: tuple[int, int, str] | None, bracket: int | None = None
) -> Slip:
    """What to say about an error of the YAML parser. ``last`` is the start, end and quoting style of the
    scalar that was read last, ``bracket`` the place of the innermost bracket that is open."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        at = getattr(error, "position", None)
        place = at if isinstance(at, int) else 0
        return Slip("RK110", "the YAML cannot be read from here on", source.span(place, place + 1))
    problem, context = error.problem or "", error.context or ""
    at = error.problem_mark.index
    opened = error.context_mark.index if error.context_mark else at
    blank = _blank(source, at) or _blank(source, opened)
    if blank:
        return blank
    scanning = context.removeprefix("while scanning ")
    if "tab" in problem.lower() and "tag" not in problem:
        return tab(source, at)
    for words, told in _TOLD.items():
        if words in problem or words in context:
            code, message, expected, advice = told
            place = at if code == "RK123" else opened
            return Slip(code, message, source.span(place, place + 1), expected, advice)
    if "mapping values are not allowed" in problem:
        return _colon(source, at, last)
    if "block scalar" in scanning or "alias" in scanning or "anchor" in scanning:
        return _indicator(source, opened)
    if "cannot start any token" in problem or "sequence entries are not allowed" in problem:
        return _indicator(source, at)
    if "flow" in context or (bracket is not None and at >= len(source.text.rstrip())):
        if source.text[opened : opened + 1] not in ("{", "[") and bracket is not None:
            opened = bracket
        return _flow(source, at, opened, last)
    if "escape" in problem or "hexdecimal" in problem or "Unicode" in problem:
        return _escape(source, at)
    if "find expected ':'" in problem:
        return _no_colon(source, opened)
    if last and last[2] in ("'", '"') and source.text[last[1] : at].strip(" ") == "" and at > last[1]:
        return _after_quotes(source, last, at)
    return _stray(source, at)


_TOLD = {
    "tag": (
        "RK114",
        "`!` begins a tag in YAML, and rule files have no tags",
        None,
        f"{QUOTES}; to negate a condition write `not`",
    ),
    "directive": ("RK115", "a line that begins with `%` is a directive", None, "delete the line"),
    "incompatible YAML document": (
        "RK115",
        "a version of YAML that is not 1.2",
        "`%YAML 1.2`, or nothing",
        "delete the `%YAML` line",
    ),
    "end of stream": (
        "RK131",
        "the quote that opens here is never closed",
        None,
        "close it with the same quote",
    ),
    "document indicator": (
        "RK131",
        "the quote that opens here is not closed where the document ends",
        None,
        "close it with the same quote",
    ),
    "exceeded max": (
        "RK123",
        "too many brackets inside each other",
        None,
        "give the inner parts names of their own",
    ),
}


def tab(source: SourceFile, at: int) -> Slip:
    """A tab stands before the text of the line of ``at``, or at ``at``."""
    line, _ = source.line_column(at)
    start = source.line_starts[line - 1]
    blanks = re.match(r"[ ]*(\t+)", source.line(line))
    span = source.span(start + blanks.start(1), start + blanks.end(1)) if blanks else source.span(at, at + 1)
    return Slip("RK112", "a tab where YAML wants blanks", span, help="indent with two blanks a level")


def _blank(source: SourceFile, at: int) -> Slip | None:
    """The tab or the strange blank, in the line of ``at``, that is the true cause."""
    line, _ = source.line_column(at)
    text, start = source.line(line), source.line_starts[line - 1]
    if re.match(r"[ ]*\t[ \t]*\S", text):
        return tab(source, at)
    found = unseen(text)
    if found:
        span = source.span(start + found.start(), start + found.end())
        return Slip("RK106", f"a blank that YAML does not take for one: {describe(found.group())}", span,
                    help="replace it by a common blank")  # fmt: skip
    return None


def _rest(source: SourceFile, start: int) -> str:
    """The text from ``start`` to the end of the line, without a comment or what closes a bracket."""
    line = source.text[start:].partition("\n")[0]
    return re.split(r"\s+#", line)[0].strip()


def _shown(text: str) -> str:
    """``text`` in quotes, as the author would write it."""
    text = text if len(text) <= 80 else text[:77] + "..."
    if '"' not in text and "\\" not in text:
        return f'`"{text}"`'
    return "`'" + text.replace("'", "''") + "'`"


def _colon(source: SourceFile, at: int, last: tuple[int, int, str] | None) -> Slip:
    span = source.span(at, at + 1)
    if last and "\n" in source.text[last[0] : last[1]]:
        line, _ = source.line_column(last[0])
        if source.line(line + 1).lstrip().startswith("- "):
            first = source.line_starts[line]
            entry = source.line(line + 1).strip()
            start = first + source.line(line + 1).index("-")
            return Slip(
                "RK111",
                f"`{entry}` is indented further than the text before it, and so goes on with that text",
                source.span(start, start + len(entry)),
                expected="entries of one list with the same indentation",
                help=f"give lines {line} and {line + 1} the same indentation",
            )
        return Slip(
            "RK111",
            "a `:` in the second line of a text",
            span,
            help=f"the text begins in line {line}: if a key begins here, give the line the indentation "
            f"of the keys beside it; else {QUOTES}",
        )
    text = _rest(source, last[0]) if last else ""
    return Slip(
        "RK111",
        "a `:` inside a text without quotes",
        span,
        expected="no `:` followed by a blank in a text without quotes",
        help=f"{QUOTES}: {_shown(text)}" if text else QUOTES,
    )


def _indicator(source: SourceFile, at: int) -> Slip:
    sign = source.text[at : at + 1]
    line = source.text[source.text.rfind("\n", 0, at) + 1 : at]
    if re.search(r"\w\[[^\[\]]*\]\s*$", line):
        looked_up = _looked_up(source, at - len(line) + line.rindex("["))
        if looked_up is not None:
            return looked_up
    meaning = _INDICATORS.get(sign, "means nothing")
    text = _rest(source, at)
    shown = "a backtick" if sign == "`" else f"`{sign}`"
    return Slip(
        "RK113",
        f"{shown} at the beginning of a text {meaning} in YAML",
        source.span(at, at + 1),
        help=f"{QUOTES}: {_shown(text)}",
    )


def _flow(source: SourceFile, at: int, opened: int, last: tuple[int, int, str] | None) -> Slip:
    """Inside `{ }` or `[ ]` something else was due."""
    sign = source.text[at : at + 1]
    bracket = source.text[opened : opened + 1]
    if last and sign == ":" and "\n" not in source.text[last[0] : last[1]]:
        text = re.split(r"[,\]}]", _rest(source, last[0]))[0].strip()
        return Slip(
            "RK111",
            "a `:` inside a text without quotes",
            source.span(at, at + 1),
            help=f"{QUOTES}: {_shown(text)}",
        )
    if last and last[2] in ("'", '"') and sign not in ("", "]", "}", ":"):
        return _after_quotes(source, last, at)
    looked_up = _looked_up(source, at) or _looked_up(source, source.text.rfind("[", opened + 1, at))
    if looked_up is not None:
        return looked_up
    if sign in _INDICATORS:
        return _indicator(source, at)
    if bracket not in ("{", "["):
        return _stray(source, at)
    closing = {"{": "}", "[": "]"}[bracket]
    line, _ = source.line_column(at)
    where = "before the file ends" if not sign else f"before `{sign}` in line {line}"
    return Slip(
        "RK131",
        f"the `{bracket}` that opens here is not closed",
        source.span(opened, opened + 1),
        expected=f"`,` or `{closing}` {where}",
        help=f"close it with `{closing}`",
    )


def _looked_up(source: SourceFile, at: int) -> Slip | None:
    """`score[p]`, as other languages look something up."""
    name = re.search(r"[a-z_]\w*$", source.text[max(0, at - 60) : at])
    index = re.match(r"\[\s*([\w ]*?)\s*\]", source.text[at : at + 60])
    if name is None or index is None:
        return None
    return Slip(
        "RK305",
        f"`{name[0]}[...]` is not the way to look something up",
        source.span(at - len(name[0]), at + index.end()),
        help=f"write `{name[0]} of {index[1] or 'p'}`",
    )


def _after_quotes(source: SourceFile, last: tuple[int, int, str], at: int) -> Slip:
    text = _rest(source, last[0]).rstrip("]}")
    shown = "'" + text.replace("'", "''") + "'"
    return Slip(
        "RK113",
        "the text goes on after its closing quote",
        source.span(at, at + max(1, len(_rest(source, at)))),
        help=f"a quote at the beginning of a text must close at its end; {QUOTES}: `{shown}`",
    )


def _escape(source: SourceFile, at: int) -> Slip:
    start = source.text.rfind("\\", 0, at + 1)
    start = at if start < 0 or at - start > 10 else start
    return Slip(
        "RK132",
        f"an escape that YAML does not know: `{source.text[start : start + 2]}`",
        source.span(start, start + 2),
        help="write the text in single quotes, or double the `\\`",
    )


def _no_colon(source: SourceFile, at: int) -> Slip:
    text = _rest(source, at)
    return Slip(
        "RK110",
        f"a line that is neither a key nor a list entry: `{text}`",
        source.span(at, at + max(1, len(text))),
        expected="a key with `:` after it, followed by a blank or a new line",
        help="if the line belongs to the text above, indent it further",
    )


def _stray(source: SourceFile, at: int) -> Slip:
    text = _rest(source, at)
    if text[:1] in ("]", "}"):
        return Slip(
            "RK131",
            f"`{text[0]}` closes nothing that is open",
            source.span(at, at + 1),
            help=f"delete it, or open it; if it belongs to a text, {QUOTES}",
        )
    advice = "give the line the indentation of those it belongs with"
    line, column = source.line_column(at)
    above = next((source.line(n) for n in range(line - 1, 0, -1) if source.line(n).strip()), "")
    indented = above[: len(above) - len(above.lstrip())]
    if above.lstrip().startswith("- ") and text[:2] != "- " and len(indented) == column - 1:
        advice = "the line above begins a list with `- `: either every entry has one, or none"
    return Slip(
        "RK110",
        f"`{text}` does not fit what stands above it" if text else "the file ends too early",
        source.span(at, at + max(1, len(text))),
        expected="a key or a list entry of the same indentation as its neighbours",
        help=advice,
    )


_TOKEN = re.compile(
    r"\s*(?:(?P<name>[a-z][a-z0-9_]*)|(?P<literal>[0-9]*[A-Z][A-Z0-9]*|[0-9]+)"
    r"|(?P<sign>==|!=|<=|>=|//|[<>=|&*%]|(?<=\s)[-+](?=\s))|(?P<other>\.\.|[();]))"
)
_WORDS = frozenset({"of", "in", "not", "and", "or", "where", "then", "else", "if", "by", "from", "with", "at",
                    "most", "least", "beats", "as", "is", "inside", "outside"})  # fmt: skip
_FIRST = re.compile(r"(?:==|!=|<=|>=|<|>|(?:and|or|where|then|else)\b(?=.*(?:==|!=|<|>|\()))\s*\S")


def looks_cut(comment: str) -> bool:
    """Does a comment read like the second half of an expression?

    It does if all of it is made of the language's own tokens, no two plain names or numbers side by
    side, and an operator among them. A sentence has neighbours without an operator.
    """
    body = comment.strip()
    at, operators, operand = 0, 0, bool(_FIRST.match(body))
    if operand:
        operators, operand = 1, False
    while at < len(body):
        found = _TOKEN.match(body, at)
        if not found:
            return False
        at = found.end()
        name = found["name"]
        if found["sign"] is not None:
            operators, operand = operators + 1, False
        elif found["other"] is not None or name in _WORDS:
            operand = found["other"] == ")"
        else:
            if operand:
                return False
            operand = True
    return operators > 0
