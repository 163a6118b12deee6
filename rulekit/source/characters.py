"""Characters that do not belong in a rule file: unseen ones, odd line ends, look-alike letters.

A rule file is read by people who must be able to trust their eyes. A character that cannot be seen,
that reorders the line, or that YAML takes for a line end and the editor does not, is refused.
"""

from __future__ import annotations

import re
import unicodedata

from rulekit.diagnostics import Findings, SourceFile

# Line ends for YAML or for editors, but not for both.
_LINE_ENDS = re.compile("\r(?!\n)|[\x0b\x0c\x85\u2028\u2029]")
# Controls, halves of surrogate pairs, non-characters, and marks that turn the direction of writing.
_CONTROLS = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
# Blanks other than the common one, and characters without a width.
_UNSEEN = re.compile(
    "[\u00a0\u00ad\u034f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200d\u202f\u205f-\u2065"
    "\u206a-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef]"
)

MOST_REPORTED = 20
"""So many strange characters of a kind are listed; a file of another sort would fill the screen."""

# Letters of other scripts that look like a Latin one. Full-width forms and the like are folded by
# Unicode itself (NFKC); these are not.
_CYRILLIC = "аaсcеeоoрpхxуyіiјjѕsԁdԛqԝwһhӏlүyнhвbкkмmтtгrпnАAВBСCЕEНHІIЈJКKМMОOРPЅSТTХXУYԌGԜW"
_GREEK = "αaοoνvρpτtυuιiκkγyωwεeηnσoχxΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX"
_OTHER = "ıiȷjɑaɡgʏyᴏoᴠvᴡwᴢzᴄcѵvօoսuոnհhցgհh"
_LOOK_ALIKE = {
    pairs[i]: pairs[i + 1] for pairs in (_CYRILLIC, _GREEK, _OTHER) for i in range(0, len(pairs), 2)
}


def check_characters(source: SourceFile, findings: Findings) -> bool:
    """Report characters that are refused anywhere in a file. True if there are none."""
    text = source.text
    if text.isascii() and text.isprintable():
        return True
    clean = True
    for code, pattern, what, advice in (
        ("RK105", _LINE_ENDS, "a line end that not every program sees", "end lines with a line feed"),
        ("RK103", _CONTROLS, "a control character", "delete it"),
    ):
        for count, found in enumerate(pattern.finditer(text)):
            clean = False
            if count == MOST_REPORTED:
                break
            span = source.span(found.start(), found.end())
            findings.error(code, f"{what}: {describe(found.group())}", span, help=advice)
    return clean


def unseen(text: str) -> re.Match[str] | None:
    """The first blank that is not a common blank, or character without a width."""
    return None if text.isascii() else _UNSEEN.search(text)


def control(text: str) -> re.Match[str] | None:
    """The first control character or odd line end, as an escape like `\\0` can make one."""
    return _CONTROLS.search(text) or _LINE_ENDS.search(text)


def foreign(text: str) -> re.Match[str] | None:
    """The first letter or digit that is not one of plain English (`a` to `z`, `0` to `9`)."""
    if text.isascii():
        return None
    for found in re.finditer(r"[^\x00-\x7f]", text):
        if unicodedata.category(found.group())[0] in "LMN":
            return found
    return None


def look_alike(letter: str) -> str | None:
    """The plain letter or digit that ``letter`` looks like, or None."""
    if letter in _LOOK_ALIKE:
        return _LOOK_ALIKE[letter]
    folded = unicodedata.normalize("NFKD", letter)[:1]
    return folded if folded.isascii() and folded.isalnum() else None


def plainly(text: str) -> str | None:
    """``text`` with every look-alike replaced by its plain letter, or None if some have none."""
    if text.isascii():
        return text
    letters = [c if c.isascii() else look_alike(c) for c in text]
    return None if None in letters else "".join(c for c in letters if c)


def describe(character: str) -> str:
    """Code point and name, `U+0441 CYRILLIC SMALL LETTER ES`: what eyes cannot tell."""
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X}" + (f" {name}" if name else "")
