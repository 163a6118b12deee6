"""A game told move by move to somebody who may see everything: a bot game, or a record."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.cli.output import faint, seat_name, strong
from rulekit.cli.result import result
from rulekit.cli.words import MANY, Words, is_hand, named_in, place_label
from rulekit.engine import Machine, State
from rulekit.game.game import Game
from rulekit.game.moves import Move
from rulekit.game.notation import Notation
from rulekit.game.view import describe_receipt
from rulekit.players.seats import position
from rulekit.program.types import Int

QUIET = 4  #: so many moves that change nothing else share a line


class Narrator:
    """Tells a game as it goes on. `begin` first, then `moved` after each move, then `ended`."""

    def __init__(self, game: Game, words: Words) -> None:
        self.game = game
        self.words = words
        self.machine: Machine = position(game)[0]
        self.notation = Notation(self.machine.setup)
        self.before: State = position(game)[1]
        self.quiet: list[str] = []
        self.number = 0

    def begin(self) -> Iterator[str]:
        """The first deal."""
        blank = self.machine.blank()
        yield from self._deal(blank, self.before)

    def moved(self, seat: int, move: Move) -> Iterator[str]:
        """Lines for a move just made: perhaps none yet."""
        before, after = self.before, position(self.game)[1]
        self.before = after
        self.number += 1
        self.quiet.append(self.words.text(f"{seat_name(seat)} {move}"))
        news = self._news(before, after, named_in(move))
        dealt = self._is_deal(before, after)
        if news or dealt or len(self.quiet) == QUIET:
            yield self._line(news)
        if dealt:
            yield from self._deal(before, after)

    def ended(self) -> Iterator[str]:
        """What is left to say, and the outcome."""
        if self.quiet:
            yield self._line([])
        outcome = self.game.outcome
        if outcome is not None:
            yield ""
            yield from result(outcome, self.words)

    def _line(self, news: list[str]) -> str:
        first = self.number - len(self.quiet) + 1
        line = f"{first:>5}  {', '.join(self.quiet)}"
        self.quiet = []
        return line + ("   " + "; ".join(news) if news else "")

    # ------------------------------------------------------------ what happened

    def _news(self, before: State, after: State, named: frozenset[str]) -> list[str]:
        """Receipts, state that changed, cards that went somewhere by themselves."""
        news, explained = [], set()
        receipts = []
        link = after.receipts
        while link is not before.receipts and link is not None:
            link, receipt = link
            receipts.append(receipt)
            explained.add((receipt.state, receipt.member))
        for receipt in reversed(receipts):
            news.append(strong(self.words.receipt(describe_receipt(self.notation, receipt))))
        dealt = self._is_deal(before, after)
        for place in self.machine.setup.places[1:]:
            gained = [c for c in after.zones[place.number] if before.place[c] != place.number]
            # The cards of the move itself are news only where they went to somebody: a trick taken.
            known = named if place.member is None else ()
            told = [text for c in gained if (text := self.notation.card(c)) not in known]
            if not told or (dealt and place.member is None) or (dealt and is_hand(self.machine.setup, place)):
                continue
            if place.member is not None or len(told) < len(self.machine.setup.pack) // 2:
                what = " ".join(told) if len(told) <= MANY else self.words.say("{1} cards", str(len(told)))
                where = place_label(self.notation, place, self.words)
                news.append(faint(self.words.say("{1} gets {2}", where, what)))
        if not dealt:
            news += self._changes(before, after, explained)
        return news

    def _changes(
        self,
        before: State,
        after: State,
        explained: set[tuple[str, int | None]],
        fresh: bool = False,
    ) -> Iterator[str]:
        """State of the game's own that has another value than before.

        ``fresh``: after a deal, when scores are told elsewhere and what is back at nothing is no news.
        """
        layout, program = self.machine.layout, self.machine.setup.program
        for cell, (name, member) in enumerate(layout.cell_names):
            definition = program.state.get(name)
            if definition is None or definition.block is not None or (name, member) in explained:
                continue
            old, new = before.cells[cell], after.cells[cell]
            begun = old is None and definition.start is not None  # a START is no news
            if old == new or begun or not self._alive(definition.scope, after):
                continue
            counts = isinstance(definition.type, Int)
            nothing = new is None or new is False or new == () or (counts and new == 0)
            if fresh and (nothing or (counts and member is not None)):
                continue
            label = self.words.named(name, definition)
            if member is not None and definition.per is not None:
                label += f" of {self.notation.member(definition.per, member)}"
            value = self.notation.value(definition.type, new).replace("_", " ")
            yield f"{label}: {self.words.told(value)}"

    def _alive(self, scope: str | None, state: State) -> bool:
        phases = tuple(self.machine.setup.program.phases)
        return scope is None or scope == "play" or any(phases[number] == scope for number in state.running)

    # ------------------------------------------------------------ deals

    def _is_deal(self, before: State, after: State) -> bool:
        """Somebody got two cards or more into the hand that was empty, or all hands grew by several."""
        grown = [
            sum(before.place[card] != place.number for card in after.zones[place.number])
            for place in self.machine.setup.places
            if is_hand(self.machine.setup, place)
        ]
        return sum(count >= 2 for count in grown) >= 2 or (len(grown) == 1 and grown[0] >= 2)

    def _deal(self, before: State, after: State) -> Iterator[str]:
        yield ""
        changes = list(self._changes(before, after, set(), fresh=True))
        scores = self.machine.outcome(after).scores
        if any(scores):
            told = ", ".join(f"{seat_name(n)} {score}" for n, score in enumerate(scores))
            changes.append(f"{self.words.say('score')} {told}")
        yield strong(self.words.say("Deal")) + (": " + ", ".join(changes) if changes else "")
        for place in self.machine.setup.places[1:]:
            cards = after.zones[place.number]
            if is_hand(self.machine.setup, place):
                shown = cards
            elif place.member is None:
                up = place.seen_by == "everyone"
                shown = tuple(c for c in cards if up or (place.seen_by == "face" and after.up[c]))
            else:
                continue
            if shown and (is_hand(self.machine.setup, place) or len(shown) <= MANY):
                cards_text = self.words.text(" ".join(self.notation.cards(shown)))
                yield f"       {place_label(self.notation, place, self.words)}: {cards_text}"
        yield ""
