"""How the options chosen change the rules: the sentences that differ from the usual ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulekit.program import Setup
from rulekit.program.setup import prepare
from rulekit.rulebook.document import Block, Heading, Item, Items, texts
from rulekit.rulebook.english import title, words
from rulekit.rulebook.markup import literal


def differences(setup: Setup, write: Callable[[Setup], list[Block]]) -> Iterator[Block]:
    """One item for each option that has not its usual value, with the sentences it brings and takes away."""
    changed = [
        option for option in setup.program.options.values()
        if not option.fixed and setup.options[option.name] != option.start
    ]  # fmt: skip
    if not changed:
        return
    here = sentences(write(setup))
    items = []
    for option in changed:
        try:
            usual = prepare(setup.program, setup.players, {**setup.options, option.name: option.start})
        except ValueError:
            continue  # the usual value does not go with the other options chosen
        there = sentences(write(usual))
        gone = [Item(f"Usually: {text}") for text in there if text not in here]
        new = [Item(f"Here: {text}") for text in here if text not in there]
        value = {"true": "yes", "false": "no"}.get(
            shown := option.format(setup.options[option.name]), literal(words(shown))
        )
        name = title(literal(words(option.name)))
        if gone or new:
            items.append(Item(f"{name}, here {value}:", (*new, *gone)))
        else:
            items.append(Item(f"{name}, here {value}."))
    yield Heading(3, "What differs from the usual rules")
    yield Items(tuple(items))


def sentences(blocks: list[Block]) -> dict[str, None]:
    """The texts of some chapters, each once, in order."""
    return dict.fromkeys(text for text in texts(tuple(blocks)) if text)


__all__ = ["differences"]
