"""The entry: commands by name, loaded when used, and the guard that lets no traceback through."""

from __future__ import annotations

import gc
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from rulekit.cli.loading import BUG, FOUND, INTERRUPTED, OK, USAGE, BrokenRuleset, unreadable
from rulekit.cli.output import clean, prepare_streams
from rulekit.diagnostics import nearest

#: Every command: its one line of help, in the order in which people meet them.
COMMANDS = {
    "list": "The rulesets that come with rulekit.",
    "show": "What a ruleset offers: players, options, moves, zones, phases, sources.",
    "play": "Play in the terminal, against bots or with others at the same screen.",
    "simulate": "Let bots play many games and count wins, scores and lengths.",
    "validate": "Look for mistakes in rule files.",
    "test": "Run the examples of rule files.",
    "check": "Validate, run the examples, then random games over players and options.",
    "explain": "What an error code means, with a bad and a good example.",
    "new": "Write a starter rule file to begin a game of your own.",
    "fmt": "Write rule files in canonical order and spacing.",
    "expand": "A ruleset in full, with what it extends and its blocks written out.",
    "diff": "What differs between two rulesets, in prose and by id.",
    "rulebook": "The rules of a game as prose, in Markdown or as a page.",
    "replay": "Show a saved game move by move.",
    "schema": "The JSON Schema of rule files, for editors.",
    "lsp": "Serve editors: mistakes as you type, completion, help, renaming.",
}


class ReaderGone(Exception):
    """Whoever read the output has gone (`| head`): no failure."""


class Commands(click.Group):
    """A group whose commands are imported when they are called, so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"rulekit.cli.{cmd_name}_command")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            close = nearest(name, COMMANDS)
            advice = f"did you mean `{close}`?" if close else "`rulekit --help` lists the commands"
            raise click.UsageError(f"no command `{clean(name)}`: {advice}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
        except BrokenPipeError:
            # Click would end with exit code 1.
            raise ReaderGone from None
        return result

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback if rulekit itself fails.")
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=lambda c, _, v: _version(c, v)
)
def cli(debug: bool) -> None:
    """Card games written as YAML rule files: checked, explained and played.

    Exit codes: 0 clean, 1 something was found or failed, 2 wrong usage or unreadable file.
    Results go to standard output, progress to standard error.
    """


def _version(ctx: click.Context, wanted: bool) -> None:
    if wanted:
        from rulekit import __version__

        click.echo(f"rulekit {__version__}")
        ctx.exit()


def run(arguments: Sequence[str]) -> int:
    """Run the command line with these arguments and return the exit code. Prints, and never raises."""
    try:
        result: Any = cli.main(args=list(arguments), prog_name="rulekit", standalone_mode=False)
        return result if isinstance(result, int) else OK
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.UsageError as error:
        _say(error.format_message())
        if error.ctx is not None:
            _say(f"try `{error.ctx.command_path} --help`")
        return USAGE
    except BrokenRuleset as error:
        error.show()
        return USAGE if unreadable(error.found) else FOUND
    except click.ClickException as error:
        _say(error.format_message())
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted")
        return INTERRUPTED
    except (ReaderGone, BrokenPipeError):
        # Nothing more may be written at exit.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        _say(f"the output cannot be written: {error.strerror or error}")
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more at exit
        return FOUND
    except Exception as error:
        if "--debug" in arguments:
            traceback.print_exc()
        kind = type(error).__name__
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{os.path.basename(place.filename)}:{place.lineno}"
        text = clean(str(error).splitlines()[0] if str(error) else "no message")[:200]
        _say(f"this is a bug in rulekit ({kind} at {where}: {text}); please report it, with what you ran")
        if "--debug" not in arguments:
            _say("`rulekit --debug ...` shows more")
        return BUG


def _say(message: str) -> None:
    """A line on standard error, if there is anybody to read it."""
    with suppress(OSError):
        click.echo(f"rulekit: {clean(message, keep_lines=True)}", err=True)


def main() -> None:
    """The program `rulekit`."""
    prepare_streams()
    # A program is a large tree that lives to the end: to search it for garbage again and again costs a tenth.
    gc.set_threshold(100_000, 20, 50)
    sys.exit(run(sys.argv[1:]))
