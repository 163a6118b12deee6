"""What can go wrong at the table: a move, a setting, a record. All are ValueErrors with a code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulekit.game.explain import Explanation
    from rulekit.game.game import Game


class MoveError(ValueError):
    """A move that was not made. The game is as it was before.

    ``near`` are texts of legal moves like the one refused, nearest first.
    """

    code = "RK920"

    def __init__(self, message: str, near: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.near = near

    @property
    def message(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.near)


class InvalidMove(MoveError):
    """The text is no move of this game: an unknown word, no such card, too many or too few values.

    Usually a slip of spelling; `Game.legal_moves` lists the texts that would do.
    """

    code = "RK920"


class IllegalMove(MoveError):
    """The move is against the rules here and now; ``explanation`` says which rule and which cards bind.

    The same text is explained without being played by `Game.why`.
    """

    code = "RK921"

    def __init__(self, explanation: Explanation) -> None:
        super().__init__(explanation.message)
        self.explanation = explanation

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.explanation,)


class AmbiguousMove(MoveError):
    """The text fits several legal moves; ``near`` lists them. Write one of those in full."""

    code = "RK922"


class SettingError(ValueError):
    """A game cannot be set up so: options, number of players, phase, deal or position.

    The message names the nearest right name, or what would be accepted. ``code`` tells them apart.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @property
    def message(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.code, self.message)


class RecordError(ValueError):
    """A record or a snapshot cannot be used. Usually a damaged file, or one made with other rules.

    ``line`` is the line of the file (from 1) and ``move`` the number of the move (from 1), where there is
    one; ``game`` is the game as far as the good moves lead, None if it does not come to a game at all.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        line: int | None = None,
        move: int | None = None,
        game: Game | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.line = line
        self.move = move
        self.game = game

    @property
    def message(self) -> str:
        return str(self.args[0])
