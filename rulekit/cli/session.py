"""A game at the terminal: people at the screen, bots in the other seats.

A person is shown his own view and nothing else. Where several share the screen it is hidden between them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulekit.cli.happened import Happenings, Table, table_of
from rulekit.cli.output import clean, faint, seat_name, strong
from rulekit.cli.result import result
from rulekit.cli.screen import draw, numbered, question
from rulekit.cli.words import Words, named_in, typed
from rulekit.game.errors import MoveError
from rulekit.game.game import Game
from rulekit.game.moves import Move
from rulekit.game.view import Played
from rulekit.players import Bot, Draws, GreedyBot, bot_move
from rulekit.players.knowledge import Knowledge, knowledge, learned
from rulekit.players.seats import position

#: What can be typed, and what comes of it.
HELP = (
    ("NUMBER or the text of a move", "make it: `2`, `follow 4C`; the cards alone will do if one move fits"),
    ("why MOVE", "is it legal, and by which rule? nothing is played"),
    ("undo", "take back your last move, if nobody has seen new cards since"),
    ("hint", "the move that scores best now, as far as you can know"),
    ("show", "the table again"),
    ("scores", "the score sheet"),
    ("save FILE", "keep the game; `rulekit replay FILE` shows it again"),
    ("help", "this"),
    ("quit", "leave the game"),
)

MEANT = "A word that is also a move of the game is the move; `:undo` is always the command."

COMMANDS = ("why", "undo", "hint", "show", "scores", "save", "help", "quit")
SAME_AS = {
    "exit": "quit",
    "q": "quit",
    "?": "help",
    "h": "help",
    "u": "undo",
    "score": "scores",
    "table": "show",
}


class Quit(Exception):
    """The person has had enough."""


@dataclass(frozen=True)
class Checkpoint:
    """Before a move of a person: how many moves had been made, and what the people knew."""

    seat: int
    moves: int
    known: Mapping[int, Knowledge]


class Session:
    """Runs a game between people and bots.

    ``bots`` holds a bot for each seat, None where a person sits. ``ask`` reads a line for a prompt (raising
    EOFError at the end), ``say`` prints one, ``hide`` clears the screen. ``rules`` is how the rules were
    named on the command line, the name of the ruleset if nothing is said.
    """

    def __init__(
        self,
        game: Game,
        bots: Sequence[Bot | None],
        words: Words,
        draws: Draws,
        ask: Callable[[str], str],
        say: Callable[[str], None],
        hide: Callable[[], None],
        rules: str | None = None,
    ) -> None:
        self.game = game
        self.rules = rules
        self.bots = bots
        self.words = words
        self.draws = draws
        self.ask = ask
        self.say = say
        self.hide = hide
        self.people = [seat for seat, bot in enumerate(bots) if bot is None]
        self.checkpoints: list[Checkpoint] = []
        self.trail: list[Mapping[int, Knowledge]] = []  # what the people knew after each move
        self.tables: list[Mapping[int, Table]] = []  # what they saw then
        self.happenings = Happenings(position(game)[0], words)
        self.before = len(game.history)  # moves made before the session began
        self.told: dict[int, int] = dict.fromkeys(self.people, 0)  # events each person was told of
        self.at_screen: int | None = None
        self.saved: set[str] = set()
        self.note()

    # ------------------------------------------------------------ the game

    def run(self) -> None:
        """Play to the end of the game; raises Quit if a person leaves."""
        while (seat := self.game.to_move) is not None:
            bot = self.bots[seat]
            if bot is not None:
                self.make(bot_move(self.game, bot, self.draws))
            else:
                self.turn(seat)
        if len(self.people) == 1:
            self.news(self.people[0])
        outcome = self.game.outcome
        if outcome is not None:
            self.say("")
            for line in result(outcome, self.words):
                self.say(line)

    def make(self, move: Move) -> None:
        """A move is made, and what people then know is noted."""
        self.game.play(move)
        self.note()

    def note(self) -> None:
        """Remembers what each person knows now."""
        machine, state = position(self.game)
        self.trail.append({seat: knowledge(machine, state, seat) for seat in self.people})
        self.tables.append({seat: table_of(machine, state, seat) for seat in self.people})

    def turn(self, seat: int) -> None:
        """A person's turn, up to a move that is made or taken back."""
        if len(self.people) > 1 and self.at_screen != seat:
            self.hide()
            wait = self.words.say("{1}, your turn. Press Enter when nobody else looks", seat_name(seat))
            self.ask(f"{wait} ")
            self.hide()
        self.at_screen = seat
        self.show(seat)
        while True:
            try:
                line = self.ask(f"{seat_name(seat)}> ")
            except EOFError:
                raise Quit from None
            if self.answer(seat, typed(line)):
                return

    def show(self, seat: int) -> None:
        """What is new, the table, the question and the moves."""
        self.say("")
        self.news(seat)
        view = self.game.view(seat)
        for line in draw(view, self.words):
            self.say(line)
        prompt = self.game.prompt(seat)
        if prompt is not None:
            self.say("")
            for line in question(prompt, self.words):
                self.say(line)
            for line in numbered(prompt.moves, self.words):
                self.say(line)

    def news(self, seat: int) -> None:
        """The moves and the points since the person last looked, as far as he may know them."""
        view, since = self.game.view(seat), self.told[seat]
        told: list[tuple[int, int, str]] = []
        for played in view.history:
            if played.number > since:
                told.append((played.number, 0, self.words.text(str(played)) + self.happened(seat, played)))
        for receipt in view.receipts:
            if receipt.after > since:
                told.append((receipt.after, 1, strong(self.words.receipt(receipt))))
        for _, kind, text in sorted(told, key=lambda one: one[:2]):
            self.say(("    " if kind else "  ") + text)
        if told:
            self.say("")
        self.told[seat] = max([since, *(played.number for played in view.history)])

    def happened(self, seat: int, played: Played) -> str:
        """What else the person saw happen in a move."""
        at = played.number - self.before
        if not 0 < at < len(self.tables):
            return ""
        before, after = self.tables[at - 1][seat], self.tables[at][seat]
        told = self.happenings.told(before, after, named_in(played.move))
        return faint(f"   {told}") if told else ""

    # ------------------------------------------------------------ answers

    def answer(self, seat: int, line: str) -> bool:
        """Does what a person typed; true if the turn is over."""
        if len(line) > 2000:
            self.say("that is too long for a move")
            return False
        moves = self.game.legal_moves()
        if not line:
            if len(moves) == 1:
                return self.play(seat, moves[0])
            self.say(self.words.say("choose a move by its number or its text; `help` tells more"))
            return False
        first, _, rest = line.partition(" ")
        word = first.casefold()
        if not (word.startswith(":") or word not in self.words.setup.program.moves):
            return self.play(seat, line)
        command = SAME_AS.get(word.removeprefix(":"), word.removeprefix(":"))
        if command in COMMANDS:
            return self.command(seat, command, rest.strip())
        if line.isascii() and line.isdigit():
            move = self.by_number(line, moves)
            return move is not None and self.play(seat, move)
        return self.play(seat, self.completed(line, moves))

    def by_number(self, text: str, moves: Sequence[Move]) -> Move | None:
        """The move of that number; says so if there is none."""
        number = int(text) if len(text) < 9 else 0
        if 1 <= number <= len(moves):
            return moves[number - 1]
        many = len(moves) > 1
        there = "there are {1} moves: 1 to {1}" if many else "there is one move: 1"
        self.say(self.words.say(there, str(len(moves))))
        return None

    def completed(self, line: str, moves: Sequence[Move]) -> str:
        """The text of the move that is meant where only its values were typed: `4C`.

        That is the only one legal with them; or, to be told why not, the first that could take them.
        """
        known = self.words.setup.program.moves
        if line.split()[0].casefold() in known:
            return line
        legal: list[str] = []
        readable: list[str] = []
        for name in dict.fromkeys(move.name for move in moves):
            try:
                found = self.game.why(f"{name} {line}")
            except MoveError:
                continue
            (legal if found.legal else readable).append(f"{name} {line}")
        if len(legal) == 1:
            return legal[0]
        return readable[0] if readable and not legal else line

    def play(self, seat: int, move: Move | str) -> bool:
        """Makes a move, or says why it cannot be made."""
        moves, known = len(self.trail), self.trail[-1]
        try:
            self.game.play(move)
        except MoveError as error:
            self.say(self.words.reply(error.message))
            explanation = getattr(error, "explanation", None)
            if explanation is not None and explanation.place:
                self.say(faint("  " + self.words.say("the rule: {1}", explanation.place)))
            return False
        self.note()
        self.checkpoints.append(Checkpoint(seat, moves, known))
        return True

    def command(self, seat: int, command: str, rest: str) -> bool:
        """Does a command; true if the turn is over."""
        match command:
            case "quit":
                raise Quit
            case "help":
                self.help()
            case "show":
                self.show(seat)
            case "scores":
                self.scores(seat)
            case "why":
                self.why(rest)
            case "hint":
                move = bot_move(self.game, GreedyBot(), Draws(len(self.trail)))
                self.say(self.words.say("perhaps {1}", f"`{move.text}`"))
            case "save":
                self.save(rest)
            case "undo":
                return self.undo(seat)
        return False

    def help(self) -> None:
        """What can be typed."""
        for typed_text, meaning in HELP:
            self.say(f"{typed_text:<30} {self.words.say(meaning)}")
        self.say(self.words.say(MEANT))

    def why(self, text: str) -> None:
        """Explains a move without making it."""
        moves = self.game.legal_moves()
        if not text:
            self.say(self.words.say("say which move: `why follow AH`, or its number"))
            return
        move: Move | str | None = self.completed(text, moves)
        if text.isascii() and text.isdigit():
            move = self.by_number(text, moves)
        if move is None:
            return
        try:
            found = self.game.why(move)
        except MoveError as error:
            self.say(self.words.reply(error.message))
            return
        self.say(self.words.reply(found.message))
        if found.text:
            self.say(f"  {self.words.told(found.text.strip())}")
        if found.place:
            self.say(faint("  " + self.words.say("the rule: {1}", found.place)))

    def scores(self, seat: int) -> None:
        """The receipts the person may know."""
        receipts = self.game.view(seat).receipts
        for receipt in receipts:
            self.say(f"  {self.words.receipt(receipt)}")
        if not receipts:
            self.say(self.words.say("nothing has been scored yet"))

    def save(self, path: str) -> None:
        """Writes the record of the game so far; another file is never overwritten."""
        if not path:
            self.say("say where: `save my-game.json`")
            return
        text = self.game.record().text()
        try:
            with Path(path).open("w" if path in self.saved else "x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except FileExistsError:
            self.say(f"`{clean(path)}` exists, and is left as it is; choose another name")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "there can be no such file"
            self.say(f"`{clean(path)}` cannot be written: {reason.lower()}")
        else:
            self.saved.add(path)
            name = self.game.rules.name
            rules = self.rules if self.rules not in (None, name) else None
            by = f" --rules {clean(rules)}" if rules else ""
            self.say(
                f"saved; see it again with `rulekit replay {clean(path)}{by}`, "
                f"go on with `rulekit play {clean(rules or name)} --resume {clean(path)}`"
            )

    def undo(self, seat: int) -> bool:
        """Takes back the person's last move, unless anybody at the screen has learned something since."""
        mine = [place for place, point in enumerate(self.checkpoints) if point.seat == seat]
        if not mine:
            self.say(self.words.say("you have made no move that could be taken back"))
            return False
        point = self.checkpoints[mine[-1]]
        for person in self.people:
            since = [known[person] for known in self.trail[point.moves :]]
            news = learned(point.known[person], since, position(self.game)[0])
            if news:
                if person == seat:
                    told = self.words.say("it cannot be taken back: you have seen {1} since", news)
                else:
                    name = seat_name(person)
                    told = self.words.say("it cannot be taken back: {1} has seen {2} since", name, news)
                self.say(told)
                return False
        while len(self.trail) > point.moves:
            self.game.undo()
            self.trail.pop()
            self.tables.pop()
        del self.checkpoints[mine[-1] :]
        count = len(self.game.history)
        self.told = {person: min(number, count) for person, number in self.told.items()}
        self.say(self.words.say("taken back"))
        return True
