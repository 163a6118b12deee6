"""What may be typed at a place: keys by the JSON Schema, names by what is declared, words by the grammar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lsprotocol import types as lsp

from rulekit.diagnostics import Findings, SourceFile
from rulekit.game.loading import Blocks
from rulekit.language import grammar
from rulekit.language.tree import BlockTree
from rulekit.lsp.analysis import Analysis
from rulekit.lsp.built_in import KEYWORDS, NAMES
from rulekit.lsp.context import Context, Path, contexts_at, plain_path
from rulekit.lsp.declared import head_of, prose_of
from rulekit.lsp.forms import form_of, key_form
from rulekit.lsp.index import Symbol
from rulekit.lsp.locals_at import locals_at
from rulekit.lsp.meanings import stripped
from rulekit.lsp.positions import Positions
from rulekit.program import types
from rulekit.source.document import Scalar
from rulekit.source.load import shipped_rulesets

Kind = lsp.CompletionItemKind

_KINDS = {
    "state": Kind.Variable, "zone": Kind.Folder, "option": Kind.Constant, "define": Kind.Function,
    "fact": Kind.Property, "field": Kind.Field, "pattern": Kind.Class, "move": Kind.Event,
    "phase": Kind.Method, "block": Kind.Module, "word": Kind.EnumMember, "word type": Kind.Enum,
    "built-in": Kind.Keyword, "slot": Kind.Interface, "need": Kind.Interface, "reason": Kind.Text,
}  # fmt: skip

#: Heads, and what is inserted for each.
_HEADS = {
    "if": "if ", "else if": "else if ", "else": "else:", "for": "for ", "repeat": "repeat ",
    "until": "until ", "ask": "ask ", "offer": "offer ",
}  # fmt: skip


def complete(
    analysis: Analysis, text: str, offset: int, encoding: str = "utf-16"
) -> list[lsp.CompletionItem]:
    """The items for a place of ``text``, in which ``analysis`` knows what is declared: it may be of an
    earlier version of the text."""
    items: dict[str, lsp.CompletionItem] = {}
    positions = Positions(text, encoding)
    for context in contexts_at(text, offset):
        offered = Offers(analysis, context)
        place = positions.range(offset - len(context.word), offset)
        for item in offered.keys() if context.key else offered.values():
            item.text_edit = lsp.TextEdit(place, item.insert_text or item.label)
            items.setdefault(item.label, item)
    return list(items.values())


class Offers:
    """The items for one reading of a place."""

    def __init__(self, analysis: Analysis, context: Context) -> None:
        self.analysis = analysis
        self.declared = analysis.declared
        self.context = context

    # ------------------------------------------------------------ keys

    def keys(self) -> Iterator[lsp.CompletionItem]:
        form, context = key_form(self.context), self.context
        if form == "head":
            if self.slot_type(context.path[:-2]) != "moves":
                yield from self.heads()
        elif form == "slots":
            yield from self.slots()
        elif form == "path":
            yield from self.paths()
        elif form == "options":
            yield from map(item_of, self.of_kind("option"))
        elif form == "given":
            before = context.before.rstrip()
            kinds = ("zone", "state", "field") if not before else ()
            yield from map(item_of, self.of_kind(*kinds))
            if before.endswith(" of"):
                yield from self.seats()
        elif form == "event":
            yield from self.event()
        else:
            yield from self.schema_keys()

    def schema_keys(self) -> Iterator[lsp.CompletionItem]:
        """The keys that the JSON Schema knows here and that are not there yet."""
        properties = self.context.schema.get("properties", {})
        for place, (name, part) in enumerate(properties.items()):
            if name not in self.context.beside:
                yield lsp.CompletionItem(
                    name,
                    kind=Kind.Property,
                    detail=part.get("title"),
                    documentation=_markdown(part.get("description")),
                    insert_text=f"{name}: ",
                    sort_text=f"0{place:03}",
                )

    def heads(self) -> Iterator[lsp.CompletionItem]:
        """Beginnings of compound statements; once one has begun, what its expression may hold."""
        scalar_before = self.context.before
        if scalar_before.strip():
            yield from self.in_language("head")
            return
        for word, insert in _HEADS.items():
            form, meaning = KEYWORDS.get(word, (word, ""))
            yield lsp.CompletionItem(
                word, kind=Kind.Keyword, detail=form, documentation=meaning, insert_text=insert, sort_text="1"
            )
        yield from self.blocks()

    def blocks(self) -> Iterator[lsp.CompletionItem]:
        for name in self.analysis.shelf.blocks():
            if not self.analysis.shelf.is_block(name):
                continue
            tree = self.block_tree(name)
            slots = ", ".join(slot.id for slot, _ in tree.slots) if tree is not None else ""
            yield lsp.CompletionItem(
                name,
                kind=Kind.Module,
                detail=f"a block: {slots}" if slots else "a block",
                documentation=_markdown(prose_of(tree.text) if tree is not None else None),
                insert_text=f"{name}: ",
                sort_text="2",
            )

    def slots(self) -> Iterator[lsp.CompletionItem]:
        """The slots of the block whose use this is."""
        block = self.context.path[-2] if len(self.context.path) > 1 else ""
        for (owner, name), symbol in self.slot_symbols(str(block)).items():
            if owner == block and name not in self.context.beside:
                item = item_of(symbol)
                item.insert_text = f"{name}: "
                yield item

    def slot_symbols(self, block: str) -> dict[tuple[str, str], Symbol]:
        """The slots that the file's blocks have; a block that it does not use yet is read for them."""
        if block in self.declared.blocks:
            return self.declared.slots
        tree = self.block_tree(block)
        slots = tree.slots if tree is not None else ()
        return {
            (block, name.id): Symbol("slot", name.id, name.span, head_of(name, declared.span))
            for name, declared in slots
        }

    def block_tree(self, name: str) -> BlockTree | None:
        """A block, whether the file uses it yet or not."""
        return Blocks(self.analysis.shelf, Findings())(name)

    def paths(self) -> Iterator[lsp.CompletionItem]:
        """Paths of parts that the base has."""
        sections = {
            "options": self.of_kind("option"), "card": self.of_kind("fact"), "zones": self.of_kind("zone"),
            "state": (s for s in self.of_kind("state") if not s.place), "define": self.of_kind("define"),
            "phases": self.declared.phases.values(), "moves": self.declared.moves.values(),
            "patterns": self.declared.patterns.values(),
        }  # fmt: skip
        typed = self.context.before + self.context.word
        for section, symbols in sections.items():
            for symbol in symbols:
                yield self.path(f"{section}.{symbol.name}", symbol)
        for name in self.declared.moves:
            for part in ("do", "if", "choose", "text"):
                if typed.startswith(f"moves.{name}."):
                    yield self.path(f"moves.{name}.{part}", None)
        for name in self.declared.phases:
            for part in ("do", "after", "state", "stop when", "text"):
                if typed.startswith(f"phases.{name}."):
                    yield self.path(f"phases.{name}.{part}", None)

    def path(self, text: str, symbol: Symbol | None) -> lsp.CompletionItem:
        return self.whole(text, Kind.Reference, symbol.head if symbol else None)

    def whole(self, text: str, kind: lsp.CompletionItemKind, detail: str | None = None) -> lsp.CompletionItem:
        """A text of several words, of which the first may stand there already."""
        before = self.context.before
        rest = text[len(before) :] if text.startswith(before) else text
        return lsp.CompletionItem(text, kind=kind, detail=detail, insert_text=rest, filter_text=rest)

    # ------------------------------------------------------------ values

    def values(self) -> Iterator[lsp.CompletionItem]:
        form, context = form_of(self.context), self.context
        enum = context.schema.get("enum")
        if enum:
            yield from (
                lsp.CompletionItem(f'"{value}"', kind=Kind.Value) for value in dict.fromkeys(map(str, enum))
            )
        special: dict[str, Callable[[], Iterable[lsp.CompletionItem]]] = {
            "moves": self.moves, "options": lambda: map(item_of, self.of_kind("option")), "event": self.event,
            "path": self.paths, "ruleset": self.rulesets, "slot value": self.slot_value,
            "value": self.given_value,
        }  # fmt: skip
        if form in special:
            yield from special[form]()
        elif context.schema.get("title") == "a text" and context.before.endswith("{"):
            yield from map(item_of, self.of_kind("option"))
            yield from (item_of(define) for define in self.of_kind("define") if "(" not in define.head[:40])
        elif form:
            yield from self.in_language(form)

    def moves(self) -> Iterator[lsp.CompletionItem]:
        yield from map(item_of, self.declared.moves.values())
        if self.analysis.block is not None:
            yield from map(item_of, self.declared.slots.values())

    def rulesets(self) -> Iterator[lsp.CompletionItem]:
        """What can be extended: files beside this one, and those that come with rulekit."""
        beside = sorted(path.stem for path in self.analysis.path.parent.glob("*.yaml"))
        for name in dict.fromkeys([*beside, *shipped_rulesets()]):
            if name != self.analysis.path.stem:
                yield self.whole(name, Kind.File)

    def slot_value(self) -> Iterator[lsp.CompletionItem]:
        """By the type of the slot: moves, statements, a zone, else an expression."""
        path = self.context.path
        match self.slot_type(path[:-1] if isinstance(path[-1], int) else path):
            case "moves":
                yield from self.moves()
            case "statements":
                yield from self.in_language("statement")
            case "zone":
                yield from map(item_of, self.of_kind("zone"))
            case _:
                yield from self.in_language("key")

    def slot_type(self, path: Path) -> str:
        """The type of the slot at a path that ends with a block and its slot; empty if it is none."""
        block, slot = (str(path[-2]), str(path[-1])) if len(path) > 1 else ("", "")
        symbol = self.slot_symbols(block).get((block, slot))
        return symbol.head.partition(":")[2].split()[0] if symbol else ""

    def given_value(self) -> Iterator[lsp.CompletionItem]:
        """Words and players; cards are written."""
        yield from (item_of(symbol) for symbol in self.declared.words.values())
        yield from self.seats()

    def seats(self) -> Iterator[lsp.CompletionItem]:
        tree = self.analysis.rules.tree
        most = tree.players[1] if tree is not None else 4
        yield from (lsp.CompletionItem(f"P{seat + 1}", kind=Kind.Value) for seat in range(most))

    def event(self) -> Iterator[lsp.CompletionItem]:
        """`P1 play 4S`: a seat, then a move."""
        if not self.context.before.strip():
            yield from self.seats()
        elif len(self.context.before.split()) == 1:
            yield from map(item_of, self.declared.moves.values())

    # ------------------------------------------------------------ the language

    def in_language(self, form: str) -> Iterator[lsp.CompletionItem]:
        """Words that the grammar would take next, and names where it would take a name."""
        before = self.context.before
        nowhere = Scalar(before, SourceFile("", before).span(0, len(before)))
        accepted = grammar.accepted_after(form, before, nowhere)
        words = before.split()
        last = words[-1] if words else ""
        if "NAME" in accepted or "LABEL" in accepted or not accepted:
            yield from self.names(form, before, last, "LABEL" in accepted and "NAME" not in accepted)
        for word in grammar.words_of(accepted):
            shape, meaning = KEYWORDS.get(word, ("", ""))
            yield lsp.CompletionItem(
                word,
                kind=Kind.Keyword,
                detail=shape or None,
                documentation=meaning or None,
                sort_text=f"3{word}",
            )
        if form == "statement" and not before.strip():
            yield from self.heads()

    def names(self, form: str, before: str, last: str, label: bool) -> Iterator[lsp.CompletionItem]:
        """The names that may stand after ``last``."""
        declared = self.declared
        if label or last in ("do", "stop"):
            symbols = declared.phases.values() if last in ("do", "stop") or form == "running" else ()
            yield from map(item_of, symbols)
            yield from map(item_of, declared.reasons.values() if last == "for" else ())
            yield from map(item_of, self.block_slots())
            return
        if last in ("is", "best", "tail", "inside", "outside", "as") or form == "pattern":
            yield from map(item_of, declared.patterns.values())
        if last in ("is", "best", "tail", "inside", "outside", "as"):
            return
        if last == "per":
            yield from _plain(("player", "team", "suit", "rank"), "one for each")
            yield from map(item_of, declared.types.values())
            return
        if last == "by" and form in ("zone", "declaration"):
            viewers = ("everyone", "owner", "others", "team", "nobody")
            yield from _plain((*viewers, "face") if form == "zone" else viewers, "who sees it")
            return
        if form in ("declaration", "slot") and "=" not in before:
            types = ("bool", "player", "team", "suit", "rank", "card", "pile", "players", "cards")
            yield from _plain(
                (*types, "moves", "statements", "zone", "key") if form == "slot" else types, "a type"
            )
            yield from map(item_of, declared.types.values())
            return
        if last in ("same", "different", "consecutive"):
            yield from map(item_of, declared.orders.values())
        if before.rstrip().rpartition("(")[0].endswith("answered"):
            yield from self.moves()
            return
        yield from self.values_in_sight()

    def values_in_sight(self) -> Iterator[lsp.CompletionItem]:
        declared = self.declared
        for name, kind in locals_at(self.context).items():
            yield lsp.CompletionItem(name, kind=Kind.Variable, detail=f"a {kind}", sort_text=f"0{name}")
        yield from map(item_of, self.block_slots())
        here = plain_path(self.context.path)
        for symbol in declared.values.values():
            item = item_of(symbol)
            if (
                symbol.place.startswith("phase")
                and f"`{here[1] if len(here) > 1 else ''}`" not in symbol.place
            ):
                item.sort_text = f"2{symbol.name}"
            yield item
        wanted = self.compared_with()
        for (home, _), symbol in declared.words.items():
            item = item_of(symbol)
            item.sort_text = f"0{symbol.name}" if home == wanted else f"2{symbol.name}"
            yield item
        for symbol in (*declared.fields.values(), *declared.types.values()):
            yield item_of(symbol)
        for name, (form, meaning) in NAMES.items():
            if name not in ("key", "zone", "moves", "statements", "int", "under"):
                yield lsp.CompletionItem(
                    name, kind=Kind.Keyword, detail=form, documentation=meaning, sort_text=f"4{name}"
                )
        compiler = self.analysis.rules.compiler
        yield from _plain(compiler.world.suit_names() if compiler is not None else (), "a suit")

    def compared_with(self) -> str | None:
        """The word type of what stands before the comparison, if one was begun."""
        *_, name, sign = ("", "", *self.context.before.split())
        compiler = self.analysis.rules.compiler
        if sign not in ("==", "!=", "<", "<=", ">", ">=", "=", "in") or compiler is None:
            return None
        entry = compiler.world.state.get(name) or compiler.world.options.get(name)
        of = None if entry is None else stripped(entry.type)
        return of.name if isinstance(of, types.Word) else None

    def block_slots(self) -> list[Symbol]:
        """The slots, where a block is being written."""
        block = self.analysis.block
        return [
            s for (owner, _), s in self.declared.slots.items() if block is not None and owner == block.name.id
        ]

    def of_kind(self, *kinds: str) -> list[Symbol]:
        tables = (self.declared.values, self.declared.fields)
        return [symbol for table in tables for symbol in table.values() if symbol.kind in kinds]


def item_of(symbol: Symbol) -> lsp.CompletionItem:
    """A symbol as something to choose."""
    return lsp.CompletionItem(
        symbol.name,
        kind=_KINDS.get(symbol.kind, Kind.Text),
        detail=f"{symbol.kind} · {symbol.head}"
        if symbol.head and symbol.head != symbol.name
        else symbol.kind,
        documentation=_markdown(symbol.prose),
        sort_text=f"1{symbol.name}",
    )


def _plain(names: Iterable[str], detail: str) -> Iterator[lsp.CompletionItem]:
    return (
        lsp.CompletionItem(name, kind=Kind.Keyword, detail=detail, sort_text=f"1{name}") for name in names
    )


def _markdown(text: str | None) -> lsp.MarkupContent | None:
    return None if not text else lsp.MarkupContent(lsp.MarkupKind.Markdown, text)


__all__ = ["complete", "item_of"]
