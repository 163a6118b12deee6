"""`rulekit lsp`: help for editors."""

from __future__ import annotations

import os
import signal
import sys

import click

from rulekit.cli.loading import INTERRUPTED
from rulekit.cli.output import echo


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Speak on standard input and output, as is done anyway.")
def command(stdio: bool) -> int:
    """Serve editors: the Language Server Protocol on standard input and output.

    An editor starts it; see the page on editors. It needs the extra `lsp`: pip install 'rulekit[lsp]'.
    """
    try:
        from rulekit.lsp.server import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise click.UsageError(
            f"the language server needs `{error.name}`: pip install 'rulekit[lsp]'"
        ) from None
    if sys.stdin is not None and sys.stdin.isatty():
        echo("waiting for an editor on standard input; Ctrl-C ends", err=True)
        # The thread that reads standard input would keep the process alive until the next line.
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    serve()
    return 0
