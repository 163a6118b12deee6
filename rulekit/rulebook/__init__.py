"""The rules of a game as a person would want to read them, written from the typed program."""

from rulekit.rulebook.chapters import rulebook
from rulekit.rulebook.document import Book, Box, CardRow, Heading, Items, Paragraph, Table
from rulekit.rulebook.html import to_html
from rulekit.rulebook.markdown import to_markdown

__all__ = [
    "Book",
    "Box",
    "CardRow",
    "Heading",
    "Items",
    "Paragraph",
    "Table",
    "rulebook",
    "to_html",
    "to_markdown",
]
