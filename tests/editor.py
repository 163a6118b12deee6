"""An editor for the tests: a real client that starts the real server and talks to it over stdio."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path, to_fs_path

TIMEOUT = 30
CURSOR = "¦"


class Editor:
    """Starts `rulekit lsp`; every method waits for the server's answer.

    A place is told by a piece of text with a `¦` in it: it must stand once in the file without the `¦`.
    """

    def __init__(self, folder: Path, encodings: list[str] | None = None) -> None:
        self.folder = folder
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.messages: list[str] = []
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.news = threading.Condition()
        self.client = LanguageClient("tests", "1")
        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._publish(params))
        self.client.feature(lsp.WINDOW_SHOW_MESSAGE)(lambda params: self.messages.append(params.message))
        self.run(self.client.start_io(sys.executable, "-m", "rulekit", "lsp"))
        self.watched: list[lsp.Registration] = []
        self.client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(
            lambda params: self.watched.extend(params.registrations)
        )
        watching = lsp.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        workspace = lsp.WorkspaceClientCapabilities(did_change_watched_files=watching)
        general = lsp.GeneralClientCapabilities(position_encodings=encodings) if encodings else None
        self.capabilities = self.run(
            self.client.initialize_async(
                lsp.InitializeParams(
                    capabilities=lsp.ClientCapabilities(general=general, workspace=workspace),
                    root_uri=from_fs_path(str(folder)),
                    workspace_folders=[lsp.WorkspaceFolder(from_fs_path(str(folder)) or "", "tests")],
                )
            )
        ).capabilities
        self.client.initialized(lsp.InitializedParams())

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(TIMEOUT)

    def _publish(self, params: lsp.PublishDiagnosticsParams) -> None:
        with self.news:
            self.published[params.uri] = params
            self.news.notify_all()

    def quit(self) -> None:
        self.run(self.client.shutdown_async(None))
        self.client.exit(None)
        self.run(self.client.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(TIMEOUT)
        self.loop.close()

    # ------------------------------------------------------------ files

    def uri(self, name: str) -> str:
        return from_fs_path(str(self.folder / name)) or ""

    def open(self, name: str, text: str | None = None) -> str:
        """Open a file with this text, or with that on the disk."""
        uri = self.uri(name)
        self.texts[uri] = (self.folder / name).read_text("utf-8") if text is None else text
        self.versions[uri] = self.versions.get(uri, 0) + 1
        item = lsp.TextDocumentItem(uri, "yaml", self.versions[uri], self.texts[uri])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return uri

    def type(self, uri: str, text: str) -> None:
        """Replace the whole text."""
        self.texts[uri] = text
        self.versions[uri] += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(uri=uri, version=self.versions[uri]),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))

    def diagnostics(self, uri: str) -> list[lsp.Diagnostic]:
        """Those of the present text, waited for."""
        with self.news:
            ready = self.news.wait_for(
                lambda: uri in self.published and self.published[uri].version == self.versions[uri], TIMEOUT
            )
            assert ready, "no diagnostics came"
            return list(self.published[uri].diagnostics)

    # ------------------------------------------------------------ places

    def place(self, uri: str, mark: str) -> lsp.Position:
        before, _, after = mark.partition(CURSOR)
        text = self.texts[uri]
        assert text.count(before + after) == 1, f"{mark} stands {text.count(before + after)} times"
        return position(text, text.index(before + after) + len(before))

    def at(self, uri: str, mark: str) -> dict[str, Any]:
        return {"text_document": lsp.TextDocumentIdentifier(uri), "position": self.place(uri, mark)}

    def covered(self, uri: str, place: lsp.Range) -> str:
        """The text of a range."""
        text = self.texts.get(uri)
        if text is None:
            text = Path(to_fs_path(uri) or "").read_text("utf-8")
        return text[offset(text, place.start) : offset(text, place.end)]

    # ------------------------------------------------------------ requests

    def hover(self, uri: str, mark: str) -> str:
        found = self.run(self.client.text_document_hover_async(lsp.HoverParams(**self.at(uri, mark))))
        return "" if found is None else found.contents.value

    def complete(self, uri: str, mark: str) -> list[lsp.CompletionItem]:
        params = lsp.CompletionParams(**self.at(uri, mark))
        found = self.run(self.client.text_document_completion_async(params))
        return list(found.items)

    def labels(self, uri: str, mark: str) -> list[str]:
        return [item.label for item in self.complete(uri, mark)]

    def definition(self, uri: str, mark: str) -> list[tuple[str, str]]:
        params = lsp.DefinitionParams(**self.at(uri, mark))
        found = self.run(self.client.text_document_definition_async(params)) or []
        return [(each.uri.rpartition("/")[2], self.line(each)) for each in found]

    def references(self, uri: str, mark: str, *, declared: bool = True) -> list[tuple[str, int]]:
        """File and line, from 1, of each."""
        context = lsp.ReferenceContext(declared)
        params = lsp.ReferenceParams(**self.at(uri, mark), context=context)
        found = self.run(self.client.text_document_references_async(params)) or []
        return [(each.uri.rpartition("/")[2], each.range.start.line + 1) for each in found]

    def rename(self, uri: str, mark: str, new: str) -> dict[str, str]:
        """The text of each file after the renaming."""
        params = lsp.RenameParams(**self.at(uri, mark), new_name=new)
        edit = self.run(self.client.text_document_rename_async(params))
        return {
            name.rpartition("/")[2]: self.applied(name, list(edits))
            for name, edits in (edit.changes or {}).items()
        }

    def symbols(self, uri: str) -> list[lsp.DocumentSymbol]:
        params = lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(uri))
        return list(self.run(self.client.text_document_document_symbol_async(params)) or [])

    def actions(self, uri: str, mark: str) -> list[lsp.CodeAction]:
        place = self.place(uri, mark)
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri), lsp.Range(place, place), lsp.CodeActionContext([])
        )
        return list(self.run(self.client.text_document_code_action_async(params)) or [])

    def line(self, found: lsp.Location) -> str:
        """The text of the line of a location."""
        text = Path(to_fs_path(found.uri) or "").read_text("utf-8")
        return text.split("\n")[found.range.start.line].strip()

    def applied(self, uri: str, edits: list[lsp.TextEdit]) -> str:
        text = self.texts.get(uri) or Path(to_fs_path(uri) or "").read_text("utf-8")
        for edit in sorted(edits, key=lambda e: offset(text, e.range.start), reverse=True):
            start, end = offset(text, edit.range.start), offset(text, edit.range.end)
            text = text[:start] + edit.new_text + text[end:]
        return text


def position(text: str, place: int) -> lsp.Position:
    """In UTF-16, as the protocol has it unless something else is agreed on."""
    line = text.count("\n", 0, place)
    before = text[text.rfind("\n", 0, place) + 1 : place]
    return lsp.Position(line, len(before.encode("utf-16-le")) // 2)


def offset(text: str, place: lsp.Position) -> int:
    lines = text.split("\n")
    units = lines[place.line].encode("utf-16-le")[: 2 * place.character]
    return sum(len(line) + 1 for line in lines[: place.line]) + len(units.decode("utf-16-le"))
