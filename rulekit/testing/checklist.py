"""One checklist that every ruleset should pass, run over random games at all kinds of tables.

Most of it holds by construction for whatever validates; it is tested all the same, for the file as much as
for rulekit. What it cannot know is what the game should be: that is for the examples.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from rulekit.diagnostics import RulesetError
from rulekit.diagnostics.render import render_text
from rulekit.engine.chance import below, streams
from rulekit.game.errors import MoveError
from rulekit.game.game import Game
from rulekit.game.record import Record
from rulekit.game.ruleset import Ruleset, load
from rulekit.playtest.options import covering
from rulekit.playtest.trial import Trial
from rulekit.testing.secrets import told, unseen, with_cards_exchanged

GAMES = 12  #: random games, unless told otherwise
STOPS = 3  #: positions in each at which the list is gone through
LONGEST = 60  #: moves before the last of them, at most
MOST = 1_000  #: decisions of a game that is played to its end


@dataclass(frozen=True)
class ItemResult:
    """An item of the list: its claim, at how many positions it was tried, what went wrong if it failed."""

    claim: str
    tried: int
    failure: str | None = None

    @property
    def passed(self) -> bool:
        return self.failure is None

    def __str__(self) -> str:
        mark = "ok    " if self.passed else "FAILED"
        return f"{mark}  {self.claim}" + (f": {self.failure}" if self.failure else "")


@dataclass(frozen=True)
class Checklist:
    """What came of the list for one ruleset."""

    ruleset: str
    items: tuple[ItemResult, ...]

    @property
    def passed(self) -> bool:
        return all(item.passed for item in self.items)

    def __str__(self) -> str:
        return "\n".join([self.ruleset, *(f"  {item}" for item in self.items)])


class ChecklistFailed(AssertionError):
    """A ruleset does not pass. ``checklist`` says in what."""

    def __init__(self, checklist: Checklist) -> None:
        self.checklist = checklist
        super().__init__(str(checklist))


def check_ruleset(
    source: Ruleset | str | os.PathLike[str], games: int = GAMES, seed: int = 0, *, strict: bool = True
) -> Checklist:
    """Goes through the checklist for a ruleset by name, path or text.

    ``games`` random games are played at tables that cover all players and pairs of options, the same every
    time for a ``seed``. Raises ChecklistFailed, an AssertionError, unless all holds; with ``strict`` off the
    list is returned in any case.
    """
    checklist = _check(source, games, seed)
    if strict and not checklist.passed:
        raise ChecklistFailed(checklist)
    return checklist


def _check(source: Ruleset | str | os.PathLike[str], games: int, seed: int) -> Checklist:
    try:
        rules = source if isinstance(source, Ruleset) else load(source)
    except RulesetError as error:
        failure = "\n" + render_text(error.diagnostics)
        return Checklist(str(source), (ItemResult("the file has no errors", 1, failure),))
    items = [ItemResult("the file has no errors", 1), *_tried_out(rules, games, seed)]
    tried = dict.fromkeys(ITEMS, 0)
    failures: dict[str, str] = {}
    for number in range(games):
        for position in _positions(rules, number, seed):
            for claim, item in ITEMS.items():
                if claim not in failures:
                    tried[claim] += 1
                    wrong = _failure(item, position)
                    if wrong is not None:
                        failures[claim] = f"{wrong}, {position}"
    items += [ItemResult(claim, tried[claim], failures.get(claim)) for claim in ITEMS]
    return Checklist(rules.name, tuple(items))


def _tried_out(rules: Ruleset, games: int, seed: int) -> list[ItemResult]:
    """Examples, and whole random games."""
    examples = rules.play_examples()
    failed = [example.diagnostics for example in examples if not example.passed]
    trial = Trial(rules.program, covering(rules.program), seed)
    for number in range(games):
        trial.play(number, MOST)
    broken = next((problem for problem in trial.problems if problem.kind != "cards"), None)
    astray = next((problem for problem in trial.problems if problem.kind == "cards"), None)
    return [
        ItemResult(
            "the examples hold", len(examples), "\n" + "\n".join(map(render_text, failed)) if failed else None
        ),
        ItemResult("every card is always in one place", games, astray.text if astray else None),
        ItemResult(
            "the rules never break down",
            games,
            f"{broken.text} (game {broken.game} of seed {broken.seed})" if broken else None,
        ),
    ]


@dataclass
class _Position:
    """A game some way into, and numbers to choose by."""

    game: Game
    made: tuple[str, ...]
    stream: int

    def remade(self) -> Game:
        """The same game played once more from its beginning: no copy."""
        game = self.game
        again = game.rules.with_options(game.options).new_game(game.players, game.seed)
        for move in self.made:
            again.play(move)
        return again

    def draw(self, size: int) -> int:
        """A number below ``size``."""
        self.stream, drawn = below(self.stream, size)
        return drawn

    def __str__(self) -> str:
        options = ", ".join(f"{k}={v}" for k, v in self.game.options.items())
        table = f"{self.game.players} players" + (f", {options}" if options else "")
        return f"after {len(self.made)} moves of seed {self.game.seed}, {table}"


def _positions(rules: Ruleset, number: int, seed: int) -> list[_Position]:
    """Some positions of a random game, the first one among them."""
    tables = covering(rules.program)
    table = tables[number % len(tables)]
    chosen = Ruleset(rules.program, table.options)
    game = chosen.new_game(table.players, seed + number)
    position = _Position(game, (), streams(seed, number)[1])
    found = []
    stops = sorted([0, *(position.draw(LONGEST) for _ in range(STOPS - 1))])
    for stop in stops:
        while len(position.made) < stop and not game.is_over:
            moves = game.legal_moves()
            move = moves[position.draw(len(moves))]
            game.play(move)
            position.made += (move.text,)
        found.append(_Position(game.copy(), position.made, position.stream))
    return found


def _failure(item: Callable[[_Position], str | None], position: _Position) -> str | None:
    kept = position.game.copy()
    try:
        return item(_Position(kept, position.made, position.stream))
    except Exception as error:  # whatever it is, it is a failure of this item
        return f"{type(error).__name__}: {error}"


# ---------------------------------------------------------------- the items


def _somebody_may_move(position: _Position) -> str | None:
    game = position.game
    moves = game.legal_moves()
    if bool(moves) == game.is_over:
        return "there is a legal move and the game is over" if moves else "nobody may move"
    if game.is_over and game.outcome is not None and game.outcome.reason == "fault":
        return str(game.outcome.fault)
    others = [seat for seat in range(game.players) if seat != game.to_move and game.legal_moves(seat)]
    return f"P{others[0] + 1} may move out of turn" if others else None


def _an_end_ranks_all(position: _Position) -> str | None:
    game = position.game
    if game.outcome is None:
        return None
    ranked = sorted(seat for group in game.outcome.ranking for seat in group)
    return None if ranked == list(range(game.players)) else f"the ranking is {game.outcome.ranking}"


def _texts_name_moves(position: _Position) -> str | None:
    game = position.game
    moves = game.legal_moves()
    if len({move.text.casefold() for move in moves}) != len(moves):
        return "two legal moves have one text"
    for _ in range(min(4, len(moves))):
        move = moves[position.draw(len(moves))]
        for text in (move.text, move.text.lower(), move.text.upper()):
            found = game.why(text)
            if not found.legal or found.move != move.text:
                return f"`{text}` is read as `{found.move}`"
    return None


def _copies_are_equal(position: _Position) -> str | None:
    game = position.remade()
    before, twin = game.fingerprint, game.copy()
    if twin.fingerprint != before:
        return "a copy is another position"
    if twin.legal_moves() != game.legal_moves():
        return "a copy has other legal moves"
    moves = game.legal_moves()
    if moves:
        move = moves[position.draw(len(moves))]
        twin.play(move)
        if game.fingerprint != before:
            return f"`{move}` in a copy changed the game"
        game.play(move)
        if game.fingerprint != twin.fingerprint:
            return f"`{move}` leads a copy elsewhere"
    return None


def _records_replay(position: _Position) -> str | None:
    game = position.game
    again = game.rules.replay(Record.parse(game.record().text()))
    if again.fingerprint != game.fingerprint:
        return "played again, the record leads elsewhere"
    return None if again.receipts == game.receipts else "played again, the score sheet is another"


def _snapshots_restore(position: _Position) -> str | None:
    game = position.game
    again = game.rules.restore(game.snapshot())
    if again.fingerprint != game.fingerprint or again.legal_moves() != game.legal_moves():
        return "a snapshot restores another position"
    return None


def _undo_takes_back(position: _Position) -> str | None:
    game = position.game
    before = game.fingerprint
    moves = game.legal_moves()
    if not moves:
        return None
    move = moves[position.draw(len(moves))]
    game.play(move)
    after = game.fingerprint
    game.undo()
    if game.fingerprint != before:
        return f"`{move}` taken back leads elsewhere"
    game.redo()
    return None if game.fingerprint == after else f"`{move}` made again leads elsewhere"


def _refusals_change_nothing(position: _Position) -> str | None:
    game = position.game
    before = game.fingerprint
    cards = game._machine.setup.pack.format_cards(range(len(game._machine.setup.pack))).split()
    for name in game.rules.moves:
        text = f"{name} {cards[position.draw(len(cards))]}"
        try:
            if game.why(text).legal:
                continue
            game.play(text)
        except MoveError:
            if game.fingerprint != before:
                return f"`{text}` is refused and changed the game"
        else:
            return f"`{text}` is refused and was made"
    return None


def _nothing_leaks(position: _Position) -> str | None:
    game = position.game
    first = position.draw(game.players)
    for turn in range(min(game.players, 3)):
        seat = (first + turn) % game.players
        hidden = unseen(game, seat)
        if len(hidden) < 2:
            continue
        one = hidden[position.draw(len(hidden))]
        other = hidden[position.draw(len(hidden))]
        if one != other and told(with_cards_exchanged(game, one, other), seat) != told(game, seat):
            faces = game._machine.setup.pack.format_cards((one, other)).replace(" ", " and ")
            return f"P{seat + 1} can tell which of {faces} lies where, and sees neither"
    return None


def _actions_are_numbered(position: _Position) -> str | None:
    game = position.game
    space = game.rules.actions(game.players)
    rows = sorted(space.encode(action.move, action.values) for action in game._state.legal)
    if any(not 0 <= number < space.size for row in rows for number in row):
        return f"a number is not below {space.size}"
    if any(following[: len(row)] == row for row, following in pairwise(rows)):
        return "two legal moves have one number, or one begins like the other"
    return None


#: The claims, and how each is tried at a position of its own.
ITEMS: dict[str, Callable[[_Position], str | None]] = {
    "somebody may move, or the game is over": _somebody_may_move,
    "an end ranks every seat": _an_end_ranks_all,
    "every legal move has a text of its own": _texts_name_moves,
    "a copy is equal, and a game of its own": _copies_are_equal,
    "a record played again leads to the same position": _records_replay,
    "a snapshot restores the position": _snapshots_restore,
    "a move taken back and made again changes nothing": _undo_takes_back,
    "a refused move changes nothing": _refusals_change_nothing,
    "nobody is told of cards he does not see": _nothing_leaks,
    "every legal move has a number of its own": _actions_are_numbered,
}
