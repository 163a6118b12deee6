"""Small rulesets written for one test each, and ways to play them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rulekit.diagnostics import Findings
from rulekit.engine import Action, Machine, State, chance
from rulekit.game.loading import Blocks, shipped_blocks
from rulekit.language import compile_ruleset, read_ruleset
from rulekit.program import Program, prepare
from rulekit.program.progress import prove_loops
from rulekit.source.load import open_text
from rulekit.source.variants import load_document

#: Keys in the order in which a file has them, with what stands for those a test leaves out.
KEYS = {
    "rulekit": '"1"',
    "name": "test-game",
    "title": "Test",
    "family": "test",
    "text": "A game for a test.",
    "players": "2",
    "teams": "",
    "options": "",
    "deck": "{ranks: 2 3 4, suits: hearts spades}",
    "words": "",
    "orders": "",
    "card": "",
    "patterns": "",
    "zones": "",
    "state": "",
    "define": "",
    "play": "",
    "phases": "",
    "moves": "",
    "end": "{ranking: highest count(players - it)}",
}


def whole(rules: str) -> str:
    """A whole file from the keys that matter to a test; a key given twice counts as given last."""
    given = {key: f" {value}\n" for key, value in KEYS.items() if value}
    given |= dict(re.findall(r"^(\w+):((?:.*\n)(?:(?!\w).*\n)*)", rules + "\n", re.MULTILINE))
    return "".join(f"{key}:{given[key]}" for key in KEYS if key in given)


def program(rules: str) -> Program:
    """The program of a ruleset, of which only what matters need be given. Checks are not run."""
    findings = Findings()
    opened = open_text(whole(rules))
    document = load_document(opened, findings)
    assert document is not None, [str(found) for found in findings.items]
    blocks = Blocks(opened.shelf, findings)
    tree = read_ruleset(document, findings, blocks, shipped_blocks())
    assert tree is not None, [str(found) for found in findings.items]
    made = compile_ruleset(tree, findings, blocks)
    assert made is not None, [str(found) for found in findings.items]
    return prove_loops(made)


def machine(rules: str, players: int | None = None, phase: str | None = None, **options: Any) -> Machine:
    """A machine for a ruleset, of which only what matters need be given."""
    made = program(rules)
    return Machine(prepare(made, players or made.players[0], options), phase)


def play(m: Machine, s: State, *actions: str) -> State:
    """Plays actions given as text: a move, then a card, a number or a word for each choice."""
    for action in actions:
        m.apply(s, find(m, s, action))
    return s


def find(m: Machine, s: State, text: str) -> Action:
    """The legal action of that text."""
    for action in m.legal(s):
        if written(m, action) == text:
            return action
    raise AssertionError(f"`{text}` is not among {[written(m, action) for action in m.legal(s)]}")


def written(m: Machine, action: Action) -> str:
    """An action as text: `play 4S`, `pass_cards 2C 3C`, `bid 4`."""
    words = [action.move]
    for value, choice in zip(action.values, m.setup.program.moves[action.move].choices, strict=True):
        if str(choice.type) == "a card":
            words.append(m.setup.pack.format_card(value))
        elif str(choice.type) == "a set of cards":
            words.append(m.setup.pack.format_cards(value) or "nothing")
        else:
            words.append(str(value).lower())
    return " ".join(words)


def texts(m: Machine, s: State) -> list[str]:
    """The legal actions as text, in order."""
    return [written(m, action) for action in m.legal(s)]


def zone(m: Machine, s: State, name: str, member: int = 0) -> str:
    """The cards of a zone, or of one member of a family, as they lie."""
    (place,) = m.setup.zone_places[name][member]
    return m.setup.pack.format_cards(s.zones[place])


def state(m: Machine, s: State, name: str, member: int = 0) -> Any:
    """The value of a state variable, or of one member of a family."""
    return s.cells[m.layout.states[name].first + member]


def cards(m: Machine, text: str) -> tuple[int, ...]:
    """The cards that a text such as `4S 10H` names; of equal cards the next copy each time."""
    found: list[int] = []
    for word in text.split():
        face = m.setup.pack.parse_face(word)
        assert face is not None, word
        found.append(next(card for card in m.setup.pack.by_face[face] if card not in found))
    return tuple(found)


def at_random(m: Machine, seed: int = 1, game: int = 0, most: int = 100_000) -> Iterator[State]:
    """The positions of one game of random play: at each decision, and at the end."""
    s = m.start(seed, game)
    stream = chance.streams(seed, game)[1]
    yield s
    for _ in range(most):
        if s.ending is not None:
            return
        legal = m.legal(s)
        stream, pick = chance.below(stream, len(legal))
        m.apply(s, legal[pick])
        yield s
