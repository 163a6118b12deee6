"""`rulekit play`: a game at the terminal."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rulekit.cli.loading import (
    SEED,
    bot_names,
    check_language,
    open_record,
    open_ruleset,
    player_count,
    read_settings,
)
from rulekit.cli.output import can_show_signs, clean, echo, seat_name

if TYPE_CHECKING:
    from rulekit.cli.words import Words
    from rulekit.game.game import Game
    from rulekit.players import Bot, Draws


@click.command("play")
@click.argument("name")
@click.option("--players", type=int, help="Number of players; the fewest if not said.")
@click.option(
    "--seats", metavar="SEAT,...", help="Seats that people take: `P1` (the default), `P1,P3`, `all`."
)
@click.option(
    "--bots",
    metavar="BOT,...",
    help="`random`, `greedy` or `search`: one for all other seats, or one for each.",
)
@click.option("--seed", type=SEED, help="Seed of the deal; a new one if not said.")
@click.option(
    "--set", "settings", multiple=True, metavar="OPTION=VALUE", help="Set an option; may be repeated."
)
@click.option("--watch", is_flag=True, help="Nobody plays: watch bots play a whole game.")
@click.option("--resume", metavar="FILE", help="Go on with a game that was saved.")
@click.option("--language", default="en", show_default=True, help="A language that NAME has a catalogue in.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Suits as letters, not as signs.")
def command(
    name: str,
    players: int | None,
    seats: str | None,
    bots: str | None,
    seed: int | None,
    settings: tuple[str, ...],
    watch: bool,
    resume: str | None,
    language: str,
    ascii_only: bool,
) -> int:
    """Play the ruleset NAME (or a file) in the terminal.

    You see what your seat may see, and choose among numbered moves; `help` in the game lists the commands.
    With several people at one screen it is hidden between their turns.
    """
    from rulekit.cli.words import Words
    from rulekit.game.speech import Speech
    from rulekit.players import BOTS, Draws
    from rulekit.players.seats import position

    ruleset = open_ruleset(name, read_settings(settings))
    check_language(ruleset, language)
    if resume is not None:
        if players is not None or seed is not None or settings:
            raise click.UsageError("a game that is resumed has its players, seed and options already")
        game = open_record(resume, ruleset)
    else:
        count = player_count(ruleset, players)
        game = ruleset.new_game(count, secrets.randbits(32) if seed is None else seed)
    people = [] if watch else _people(seats, game.players)
    if watch and seats:
        raise click.UsageError("`--watch` leaves no seats for people: leave out `--seats`")
    names = iter(bot_names(bots, game.players - len(people)))
    table: list[Bot | None] = []
    labels = []
    for seat in range(game.players):
        label = "you" if seat in people and len(people) == 1 else "a person"
        if seat not in people:
            label = next(names)
            table.append(BOTS[label]())
        else:
            table.append(None)
        labels.append(label)
    setup = position(game)[0].setup
    speech = None if language == "en" else Speech(setup, language)
    words = Words(setup, can_show_signs(ascii_only), speech)
    said = (label if label in BOTS else words.say(label) for label in labels)
    labels = [f"{seat_name(seat)} {label}" for seat, label in enumerate(said)]
    echo(f"{words.told(ruleset.title)}: {', '.join(labels)}")
    draws = Draws.for_game(game.seed)
    if not people:
        return _watch(game, [bot for bot in table if bot is not None], words, draws)
    return _play(game, table, words, draws, name)


def _watch(game: Game, bots: Sequence[Bot], words: Words, draws: Draws) -> int:
    """A game between bots, told move by move."""
    from rulekit.cli.narrator import Narrator
    from rulekit.players import bot_move

    narrator = Narrator(game, words)
    for line in narrator.begin():
        echo(line)
    while (seat := game.to_move) is not None:
        move = bot_move(game, bots[seat], draws)
        game.play(move)
        for line in narrator.moved(seat, move):
            echo(line)
    for line in narrator.ended():
        echo(line)
    echo(words.say("seed {1}", str(game.seed)))
    return _ending(game)


def _play(game: Game, table: Sequence[Bot | None], words: Words, draws: Draws, name: str) -> int:
    """A game with people."""
    from rulekit.cli.session import Quit, Session

    session = Session(game, table, words, draws, ask=_ask, say=echo, hide=_hide, rules=name)
    echo(words.say("`help` lists what you can type."))
    try:
        session.run()
    except Quit:
        echo(words.say("you left the game; its seed was {1}", str(game.seed)))
        return 0
    echo(words.say("seed {1}", str(game.seed)))
    return _ending(game)


def _ending(game: Game) -> int:
    outcome = game.outcome
    return int(outcome is not None and outcome.fault is not None)


def _ask(prompt: str) -> str:
    """A line from standard input; EOFError at its end."""
    echo(prompt, nl=False)
    if sys.stdin is None or sys.stdout is None:
        raise EOFError
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        echo()
        raise EOFError
    return line.rstrip("\r\n")


def _hide() -> None:
    """Clears a terminal, with what can be scrolled back to; elsewhere nothing can be hidden."""
    if sys.stdout.isatty():
        click.echo("\033[2J\033[3J\033[H", nl=False)


def _people(text: str | None, players: int) -> list[int]:
    """`P1,P3`, `1,3`, `all`, `none` as seats; raises UsageError."""
    if text is None:
        return [0]
    if text.strip().casefold() == "all":
        return list(range(players))
    found = []
    for part in text.split(","):
        match = re.fullmatch(r"[Pp]?([1-9][0-9]?)", part.strip())
        if match is None or int(match[1]) > players:
            raise click.UsageError(
                f"`{clean(part.strip())}` is no seat of this table: there are P1 to P{players}"
            )
        found.append(int(match[1]) - 1)
    return sorted(set(found))
