"""One ruleset in parts, of which a test changes what it is about; and what the checker says of it.

Only reading and checking: what can be proven about a program that is right is left to `rulekit.checks`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from rulekit.diagnostics import Diagnostic, Findings
from rulekit.game.loading import Blocks, shipped_blocks
from rulekit.language import compile_ruleset, read_ruleset
from rulekit.program import Program
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.source.load import open_text
from rulekit.source.variants import load_document

#: Keys in the order of a file. A part is the text after `key:`, or if it has several lines what stands below.
PARTS = {
    "players": "2",
    "teams": "",
    "options": """
        opt: x_word | y_word = x_word
        num: 0..5 = 3
        yes_no: bool""",
    "requires": "",
    "deck": "standard",
    "words": "",
    "orders": "",
    "card": """
        points: {A: 11, 10: 10, else: 0}
        strength: suit == trump then rank
        wild: rank == 8""",
    "patterns": "",
    "zones": """
        stock: pile seen by nobody
        hand: set per player seen by owner
        trick: pile seen by everyone
        won: set per player seen by nobody
        column: {is: 7 piles seen by face, has: {total: 0..99}}
        melds: up to 4 piles per player seen by everyone
        foundation: pile per suit seen by everyone""",
    "state": """
        score: 0..999 per player
        dealer: player
        trump: suit
        led: suit?
        best_card: card?
        n: 0..99
        d: -3..3
        flag: bool
        who: players
        seen: cards
        anyone: player?
        place: pile?
        word: a_word | b_word
        maybe: 0..9?""",
    "define": "",
    "play": "[n = 1]",
    "phases": """
        round(player p; int k):
          state: {here: 0..9 = k, mine: player = p}
          stop when: here > 3
          do: [here += 1]
        plain: [n += 1]""",
    "moves": """
        lead: {text: Lead any card., choose: {card: hand}, do: [move card to trick]}
        follow:
          text: Follow suit if you can.
          choose:
            card:
              - follow suit: hand where suit == trump
              - any card: hand
          if: {it is open: flag}
          do: [move card to trick]
        leave: {text: Leave it., do: []}""",
    "end": "{ranking: highest score}",
    "examples": "",
}


def game(**parts: str) -> str:
    """A rule file with these parts instead of the usual ones; an empty part is left out."""
    lines = ['rulekit: "1"', "name: test-game", "title: Test"]
    for key, value in {**PARTS, **parts}.items():
        text = textwrap.dedent(value).strip("\n")
        if "\n" in value:
            lines += [f"{key}:", textwrap.indent(text, "  ")]
        elif text:
            lines.append(f"{key}: {text}")
    return "\n".join(lines) + "\n"


def also(part: str, *lines: str) -> str:
    """A part of the game with further lines."""
    return textwrap.dedent(PARTS[part]).rstrip("\n") + "".join(f"\n{line}" for line in lines)


def check(text: str) -> tuple[Program | None, list[Diagnostic]]:
    """The program of a rule file if there is one, and the findings."""
    findings = Findings()
    opened = open_text(text)
    document = load_document(opened, findings)
    if document is None:
        return None, findings.sorted()
    blocks = Blocks(opened.shelf, findings)
    tree = read_ruleset(document, findings, blocks, shipped_blocks())
    program = compile_ruleset(tree, findings, blocks) if tree is not None else None
    return program, findings.sorted()


def program(**parts: str) -> Program:
    """The program of a game that must be right."""
    made, found = check(game(**parts))
    assert found == [], [f"{item}: {item.help}" for item in found]
    assert made is not None
    return made


def typed(expression: str, **parts: str) -> e.Expr:
    """An expression as a define's body; it must be right."""
    return (
        program(**{**parts, "define": f'\n{parts.get("define", "")}\nvalue: "{expression}"\n'})
        .defines["value"]
        .body
    )


def kind(expression: str, **parts: str) -> str:
    """What messages call the type of an expression."""
    return str(typed(expression, **parts).type)


def nodes(x: e.Expr, of: type[e.Expr]) -> list[e.Expr]:
    """All parts of an expression that are of this kind."""
    from rulekit.program.walk import walk_expressions

    return [part for part in walk_expressions(x) if isinstance(part, of)]


@dataclass(frozen=True)
class Broken:
    """A fault in one part of the game: what must be said of it, and nothing else."""

    part: str
    text: str
    code: str
    underlined: str
    message: str
    suggestion: str | None = None

    def __str__(self) -> str:
        return f"{self.code}-{self.text.strip()[:40]}"

    def verify(self, **parts: str) -> None:
        _, found = check(game(**{**parts, self.part: self.text}))
        assert [(item.code, item.span and item.span.text, item.message) for item in found] == [
            (self.code, self.underlined, self.message)
        ]
        assert found[0].suggestion == self.suggestion


def expressions(rows: Iterable[tuple[str, ...]]) -> list[Broken]:
    """Faults in an expression: the expression, code, underlined text, message, perhaps a suggestion."""
    return [Broken("define", f'\nvalue: "{row[0]}"\n', *row[1:]) for row in rows]


def statements(rows: Iterable[tuple[str, ...]]) -> list[Broken]:
    """Faults in a statement, or in a list of them (which begins with a dash)."""
    return [
        Broken("play", f"\n{row[0] if row[0].startswith('-') else '- ' + row[0]}\n", *row[1:]) for row in rows
    ]


def is_known(of: t.Type) -> bool:
    """The type says what it is of; of an empty set nothing needs to be known."""
    return "thing" not in str(of)
