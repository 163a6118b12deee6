"""`rulekit replay`: a saved game, move by move."""

from __future__ import annotations

import click

from rulekit.cli.loading import open_record, open_ruleset
from rulekit.cli.output import can_show_signs, clean, counted, echo, seat_name


@click.command("replay")
@click.argument("file")
@click.option(
    "--rules", metavar="NAME|FILE", help="The rules to play by, if not those shipped under the name."
)
@click.option("--to", type=click.IntRange(0), metavar="N", help="Stop after N moves.")
@click.option("--anyway", is_flag=True, help="Go on with other rules than the record's; leave out bad moves.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Suits as letters, not as signs.")
def command(file: str, rules: str | None, to: int | None, anyway: bool, ascii_only: bool) -> int:
    """Show the game saved in FILE move by move, with all cards open.

    A record whose rules have changed since, or with a move that cannot be made, is refused, unless
    `--anyway` is given. Exit code 1 if something had to be refused or left out.
    """
    from rulekit.cli.narrator import Narrator
    from rulekit.cli.words import Words
    from rulekit.players.seats import position

    ruleset = open_ruleset(rules) if rules is not None else None
    game = open_record(file, ruleset, strict=not anyway, advice=True)
    for remark in game.remarks:
        echo(f"rulekit: {clean(remark)}", err=True)
    count = len(game.record().moves)
    last = count if to is None else min(to, count)
    game.restart()
    words = Words(position(game)[0].setup, can_show_signs(ascii_only))
    told = f"{counted(game.players, 'player')}, {counted(count, 'move')}, seed {game.seed}"
    echo(f"{clean(game.rules.title)}: {told}")
    narrator = Narrator(game, words)
    for line in narrator.begin():
        echo(line)
    for _ in range(last):
        seat = game.to_move
        move = game.redo()
        if seat is None or move is None:
            break
        for line in narrator.moved(seat, move):
            echo(line)
    for line in narrator.ended():
        echo(line)
    if game.to_move is not None:
        echo(f"{seat_name(game.to_move)} to move; {counted(count - last, 'move')} left in the record")
    return int(bool(game.remarks))
