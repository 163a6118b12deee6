"""`rulekit lsp`: the protocol, and when a file is looked at.

A change is looked at after a short pause, in a thread of its own, so that requests are answered meanwhile; a
newer change makes an older one void. Requests are about the text as it is at that moment.
"""

from __future__ import annotations

import asyncio
import functools
import gc
import logging
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from rulekit import __version__
from rulekit.formatting import format_opened
from rulekit.lsp.analysis import Analysis
from rulekit.lsp.answers import Answers
from rulekit.lsp.completion import complete
from rulekit.lsp.desk import Desk
from rulekit.lsp.fixes import fixes
from rulekit.lsp.hover import hover
from rulekit.lsp.outline import outline
from rulekit.lsp.positions import Positions
from rulekit.lsp.rename import Refused, renamable, rename
from rulekit.source.load import Opened

PAUSE = 0.15
"""Seconds without a change after which a file is looked at."""

_KEYS = re.compile(r"^(rulekit|block|extends|players|deck|zones|play|phases|moves)\s*:", re.MULTILINE)
_LOG = logging.getLogger(__name__)
T = TypeVar("T")


class RulesServer(LanguageServer):
    """The server, with the files it knows."""

    def __init__(self) -> None:
        super().__init__("rulekit", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.desk = Desk()
        self.worker = ThreadPoolExecutor(1, "rulekit-check")
        self.waiting: dict[Path, asyncio.Task[None]] = {}
        self.uris: dict[Path, str] = {}

    @property
    def answers(self) -> Answers:
        """In the terms of this client."""
        encoding = self.workspace.position_encoding
        return Answers(str(getattr(encoding, "value", encoding)), self.uris)

    # ------------------------------------------------------------ files

    def took(self, uri: str, version: int | None, pause: float) -> None:
        """A file was opened or changed: look at it and at those that read it."""
        path = path_of(uri)
        self.uris[path] = uri
        readers = self.desk.readers(path)
        self.desk.put(path, self.workspace.get_text_document(uri).source, version or 0)
        for each in [path, *readers]:
            self.look_at(each, pause)

    def look_at(self, path: Path, pause: float) -> None:
        """Look at a file after a pause; an earlier look that still waits is given up."""
        earlier = self.waiting.pop(path, None)
        if earlier is not None:
            earlier.cancel()
        task = asyncio.get_running_loop().create_task(self._look(path, pause))
        self.waiting[path] = task
        task.add_done_callback(lambda done: self.waiting.get(path) is done and self.waiting.pop(path))

    async def _look(self, path: Path, pause: float) -> None:
        await asyncio.sleep(pause)
        file = self.desk.files.get(path)
        if file is None:
            return
        loop = asyncio.get_running_loop()
        edited = self.desk.edited()
        found = await loop.run_in_executor(self.worker, looked_at, file.text, path, edited)
        now = self.desk.files.get(path)
        if now is not file:
            return  # changed or closed meanwhile
        if isinstance(found, Analysis):
            self.desk.keep(found)
            told = found.diagnostics if is_rule_file(file.text) else []
            shown = [self.answers.diagnostic(found, finding) for finding in told]
        else:
            shown = [found]
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(self.answers.uri(path), shown, version=file.version)
        )

    # ------------------------------------------------------------ places

    def place(self, params: Any) -> tuple[Analysis, int] | None:
        """What is known of the file of a request, and the character that it is about."""
        analysis = self.desk.analysis(path_of(params.text_document.uri))
        if analysis is None:
            return None
        return analysis, self.positions(analysis.text).offset(params.position)

    def positions(self, text: str) -> Positions:
        return self.answers.positions(text)


def is_rule_file(text: str) -> bool:
    """Does a YAML file look like one of rulekit's, and not like some other program's?"""
    keys = set(_KEYS.findall(text))
    return bool(keys & {"rulekit", "block", "extends"}) or len(keys) > 2


def looked_at(text: str, path: Path, edited: dict[Path, str]) -> Analysis | lsp.Diagnostic:
    """All about a file; if looking at it fails, a diagnostic that says so."""
    try:
        found = Analysis(text, path, edited)
        _ = found.diagnostics
    except Exception as error:
        _LOG.exception("looking at %s failed", path)
        place = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 1))
        message = f"this is a bug in rulekit ({type(error).__name__}); please report it, with this file"
        return lsp.Diagnostic(place, message, severity=lsp.DiagnosticSeverity.Error, source="rulekit")
    return found


def path_of(uri: str) -> Path:
    """The file of an address; what is no file has its address for a name."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path) if path else Path(uri.replace("/", "_"))


def answering(handler: Callable[[RulesServer, Any], T]) -> Callable[[RulesServer, Any], T | None]:
    """A request that fails answers nothing, and the failure is logged; a refusal is an answer."""

    @functools.wraps(handler)
    def answer(server: RulesServer, params: Any) -> T | None:
        try:
            return handler(server, params)
        except Refused as reason:
            raise JsonRpcException(str(reason), lsp.LSPErrorCodes.RequestFailed) from None
        except Exception:
            _LOG.exception("%s failed", handler.__name__)
            return None

    return answer


def make_server() -> RulesServer:
    """A server with all its features."""
    server = RulesServer()
    for method, handler, options in FEATURES:
        server.feature(method, options)(functools.partial(handler, server))
    return server


# ---------------------------------------------------------------- files


async def started(server: RulesServer, params: lsp.InitializedParams) -> None:
    """Ask to be told of rule files that change on the disk, if the client can do that."""
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is None or not watching.dynamic_registration:
        return
    options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*.yaml")])
    wish = lsp.Registration("rule-files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    await server.client_register_capability_async(lsp.RegistrationParams([wish]))


def opened(server: RulesServer, params: lsp.DidOpenTextDocumentParams) -> None:
    server.desk.folders = tuple(path_of(uri) for uri in server.workspace.folders)
    server.took(params.text_document.uri, params.text_document.version, 0)


def changed(server: RulesServer, params: lsp.DidChangeTextDocumentParams) -> None:
    server.took(params.text_document.uri, params.text_document.version, PAUSE)


def saved(server: RulesServer, params: lsp.DidSaveTextDocumentParams) -> None:
    path = path_of(params.text_document.uri)
    for reader in server.desk.readers(path):
        server.desk.forget(reader)
        server.look_at(reader, 0)


def closed(server: RulesServer, params: lsp.DidCloseTextDocumentParams) -> None:
    path = path_of(params.text_document.uri)
    server.desk.close(path)
    server.uris.pop(path, None)
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))


def files_changed(server: RulesServer, params: lsp.DidChangeWatchedFilesParams) -> None:
    for change in params.changes:
        path = path_of(change.uri)
        readers = server.desk.readers(path)
        server.desk.forget(path)
        for reader in readers:
            server.look_at(reader, PAUSE)


# ---------------------------------------------------------------- requests


@answering
def on_hover(server: RulesServer, params: lsp.HoverParams) -> lsp.Hover | None:
    here = server.place(params)
    found = hover(*here) if here is not None else None
    if here is None or found is None:
        return None
    span, text = found
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(content, server.positions(here[0].text).range(span.start, span.end))


@answering
def on_completion(server: RulesServer, params: lsp.CompletionParams) -> lsp.CompletionList:
    path = path_of(params.text_document.uri)
    text, known = server.desk.text(path), server.desk.last(path)
    if text is None or known is None:
        return lsp.CompletionList(False, [])
    items = complete(known, text, server.positions(text).offset(params.position), server.answers.encoding)
    return lsp.CompletionList(False, items)


@answering
def on_definition(server: RulesServer, params: lsp.DefinitionParams) -> list[lsp.Location] | None:
    here = server.place(params)
    mention = here[0].index.at(here[0].source.name, here[1]) if here is not None else None
    if here is None or mention is None or mention.symbol.span is None:
        return None
    return [server.answers.location(here[0], mention.symbol.span)]


@answering
def on_references(server: RulesServer, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
    here = server.place(params)
    mention = here[0].index.at(here[0].source.name, here[1]) if here is not None else None
    if here is None or mention is None:
        return None
    found = []
    for path, mentions in server.desk.mentions(here[0], mention.symbol).items():
        for one in mentions:
            if params.context.include_declaration or not one.declares:
                place = server.positions(one.span.source.text).range(one.span.start, one.span.end)
                found.append(lsp.Location(server.answers.uri(path), place))
    return found


@answering
def on_highlight(
    server: RulesServer, params: lsp.DocumentHighlightParams
) -> list[lsp.DocumentHighlight] | None:
    here = server.place(params)
    mention = here[0].index.at(here[0].source.name, here[1]) if here is not None else None
    if here is None or mention is None:
        return None
    positions = server.positions(here[0].text)
    return [
        lsp.DocumentHighlight(positions.range(one.span.start, one.span.end))
        for one in here[0].index.of(mention.symbol)
        if one.span.file == here[0].source.name
    ]


@answering
def on_prepare_rename(server: RulesServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    here = server.place(params)
    if here is None:
        return None
    span = renamable(*here).span
    return server.positions(here[0].text).range(span.start, span.end)


@answering
def on_rename(server: RulesServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    here = server.place(params)
    if here is None:
        return None
    changes: dict[str, list[lsp.TextEdit]] = {}
    for path, edits in rename(server.desk, here[0], here[1], params.new_name).items():
        positions = server.positions(server.desk.text(path) or "")
        changes[server.answers.uri(path)] = [
            lsp.TextEdit(positions.range(start, end), text) for (start, end), text in edits.items()
        ]
    return lsp.WorkspaceEdit(changes=changes)


@answering
def on_symbols(server: RulesServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    known = server.desk.analysis(path_of(params.text_document.uri))
    if known is None or known.document is None:
        return []
    return outline(known.document, server.positions(known.text))


@answering
def on_code_action(server: RulesServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    known = server.desk.analysis(path_of(params.text_document.uri))
    if known is None:
        return []
    positions = server.positions(known.text)
    start, end = positions.offset(params.range.start), positions.offset(params.range.end)
    found = []
    for finding in known.diagnostics:
        span = finding.span
        if span is None or span.file != known.source.name or span.start > end or span.end < start:
            continue
        for fix in fixes(known, finding):
            edit = lsp.TextEdit(positions.range(fix.span.start, fix.span.end), fix.text)
            found.append(
                lsp.CodeAction(
                    fix.title,
                    kind=lsp.CodeActionKind.QuickFix,
                    diagnostics=[server.answers.diagnostic(known, finding)],
                    edit=lsp.WorkspaceEdit(changes={params.text_document.uri: [edit]}),
                    is_preferred=fix.sure,
                )
            )
    return found


@answering
def on_formatting(server: RulesServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
    """Edits of whole lines, so that the cursor stays where it is; none for a file with mistakes."""
    path = path_of(params.text_document.uri)
    known = server.desk.analysis(path)
    if known is None:
        return None
    _, text = format_opened(Opened(known.source, known.shelf))
    if text is None:
        return None
    positions = server.positions(known.text)
    before, after = known.text.splitlines(keepends=True), text.splitlines(keepends=True)
    places = [0, *accumulate(map(len, before))]
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [
        lsp.TextEdit(positions.range(places[start], places[end]), "".join(after[first:last]))
        for kind, start, end, first, last in changes
        if kind != "equal"
    ]


FEATURES: tuple[tuple[str, Callable[[RulesServer, Any], Any], Any], ...] = (
    (lsp.INITIALIZED, started, None),
    (lsp.TEXT_DOCUMENT_DID_OPEN, opened, None),
    (lsp.TEXT_DOCUMENT_DID_CHANGE, changed, None),
    (lsp.TEXT_DOCUMENT_DID_SAVE, saved, None),
    (lsp.TEXT_DOCUMENT_DID_CLOSE, closed, None),
    (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, files_changed, None),
    (lsp.TEXT_DOCUMENT_HOVER, on_hover, None),
    (
        lsp.TEXT_DOCUMENT_COMPLETION,
        on_completion,
        lsp.CompletionOptions(trigger_characters=[" ", "(", "[", "{", ".", "\n"]),
    ),
    (lsp.TEXT_DOCUMENT_DEFINITION, on_definition, None),
    (lsp.TEXT_DOCUMENT_REFERENCES, on_references, None),
    (lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, on_highlight, None),
    (lsp.TEXT_DOCUMENT_PREPARE_RENAME, on_prepare_rename, None),
    (lsp.TEXT_DOCUMENT_RENAME, on_rename, lsp.RenameOptions(prepare_provider=True)),
    (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, on_symbols, None),
    (lsp.TEXT_DOCUMENT_FORMATTING, on_formatting, None),
    (
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        on_code_action,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
    ),
)


def serve() -> None:
    """Speak the protocol on standard input and output until the client is done."""
    logging.basicConfig(level=logging.WARNING)
    # Each look at a file makes a hundred thousand objects, most of which live as long as the file does not
    # change: to search them all for garbage again and again would take a third of the time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)
    make_server().start_io()


__all__ = ["PAUSE", "RulesServer", "make_server", "serve"]
