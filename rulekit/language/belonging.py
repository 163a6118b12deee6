"""To whom a bare name belongs, read off the declarations: what decides "whose `hand`?" without types.

A name declared per player belongs to the nearest element that is a player, a fact to the nearest card,
and so on. The checker knows this by types; whoever rewrites syntax (`substitute`) asks here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulekit.language import syntax as s
from rulekit.language.tree import BlockTree, DefineTree, RulesetTree, Table
from rulekit.language.vocabulary import CARD_FACTS, EXTREMES, PLACES, SEATS, WORD_TYPES

FAMILIES = {"player": "players", "team": "teams", "suit": "suits", "rank": "ranks"}
"""What a declaration is per, and the set of all of them. Of a word type both are its name."""

_ELEMENTS = {"players": "player", "cards": "card", "teams": "team", "suits": "suit", "ranks": "rank"}
_FACT_KINDS = {
    "suit": "suit", "rank": "rank", "color": "color", "owner": "player", "player": "player",
    "pile": "pile", "face": "face", "number": "number", "pip": "number",
}  # fmt: skip


class Belonging:
    """The declarations of a game and of the blocks it uses, asked about bare names."""

    def __init__(self, tree: RulesetTree, blocks: Iterable[BlockTree]) -> None:
        self.zones = {zone.name.id: zone.declaration for zone in tree.zones}
        self.states = {state.name.id: state.declaration for state in tree.state}
        self.states.update({x.name.id: x.declaration for phase in tree.phases for x in phase.state})
        self.defines: dict[str, DefineTree] = {define.signature.name.id: define for define in tree.defines}
        self.facts = {fact.name.id: fact.body for fact in tree.facts}
        self.fields = {field.name.id for zone in tree.zones for field in zone.fields}
        self.words = {words.name.id: words.words for words in tree.words}
        options = {option.name.id: option.declaration for option in tree.options}
        self.game_names = {
            *self.zones, *self.states, *self.defines, *self.facts, *self.words, *options,
            *(pattern.signature.name.id for pattern in tree.patterns), *(x.name.id for x in tree.orders),
        }  # fmt: skip
        """What the game itself declares; a block's state or define of such a name gives way to it."""
        for block in blocks:
            brought = [*block.state, *(x for phase in block.phases for x in phase.state)]
            for state in brought:
                if state.name.id not in self.game_names:
                    self.states.setdefault(state.name.id, state.declaration)
            for define in block.defines:
                if define.signature.name.id not in self.game_names:
                    self.defines.setdefault(define.signature.name.id, define)
        typed = [*self.states.values(), *options.values()]
        own_words = [word for x in typed if isinstance(x.type, s.WordsType) for word in x.type.words]
        suits = [name for name, _ in tree.deck.suits or ()] or ["clubs", "diamonds", "hearts", "spades"]
        self.all_words = {
            *suits, *own_words,
            *(word for words in (*self.words.values(), *WORD_TYPES.values()) for word in words),
        }  # fmt: skip
        self.taken = {*self.game_names, *self.states, *self.defines, *self.all_words}
        """Names that no local of the game may have."""
        self._open: list[str] = []

    def per(self, name: str) -> str | None:
        """What a zone or state variable is declared per."""
        declared = self.zones.get(name) or self.states.get(name)
        return declared.per.id if declared is not None and declared.per is not None else None

    def homes(self, name: str) -> frozenset[str]:
        """The kinds of element that a bare name may belong to; none if it needs no owner."""
        per = self.per(name)
        if per is not None:
            return frozenset((per, "player") if per == "team" else (per,))
        if name in self.facts:
            return frozenset(("card",))
        if name in self.taken:
            return frozenset()
        if name in CARD_FACTS:
            return frozenset(("card", "suit") if name == "color" else ("card",))
        if name in SEATS or name == "team":
            return frozenset(("player",))
        if name in self.fields or name == "index":
            return frozenset(("pile",))
        return frozenset()

    def whole(self, name: str) -> str | None:
        """The set over which a zone per something is a family: `players` for `hand`."""
        per = self.per(name) if name in self.zones else None
        return None if per is None else FAMILIES.get(per, per)

    # ------------------------------------------------------------ kinds of elements

    def kind(self, node: s.Expr, locals: Mapping[str, str | None]) -> str | None:
        """What `it` is in `node where ...`, or what `node` is if it is one thing; None if unknown."""
        match node:
            case s.Name(id):
                return locals[id] if id in locals else self._kind_of_name(id)
            case s.Of(s.Name(id), target):
                return self._kind_of_lookup(id, target, locals)
            case s.Call(s.Name(id), args):
                if id in ("only", "random", *EXTREMES) and len(args) == 1:
                    domain = args[0].domain if isinstance(args[0], s.By) else args[0]
                    return self.kind(domain, locals)
                return self._kind_of_define(id)
            case s.Where(domain, _):
                return self.kind(domain, locals)
            case s.Starting():
                return "player"
            case s.Range():
                return "number"
            case s.From() | s.Inside():
                return "selection"
            case s.Outside(left, _):
                return self.kind(left, locals)
            case s.Qualified():
                return "card"
            case s.Arith("|" | "&" | "-"):
                link: s.Expr = node
                while isinstance(link, s.Arith):  # may be a long chain
                    if (found := self.kind(link.right, locals)) is not None:
                        return found
                    link = link.left
                return self.kind(link, locals)
            case s.Cond(_, yes, no):
                return self.kind(yes, locals) or self.kind(no, locals)
        return None

    def _kind_of_name(self, name: str) -> str | None:
        if name in self.zones:
            return "card" if self.zones[name].kind in ("set", "pile") else "pile"
        if name in self.states:
            return _kind_of_type(self.states[name].type)
        if name in self.defines:
            return self._kind_of_define(name)
        if name in self.facts:
            return self._kind_of_fact(name)
        if name in self.words:
            return name
        if name in ("deck", "box"):
            return "card"
        if name == "me" or name in SEATS:
            return "player"
        return _ELEMENTS.get(name) or _FACT_KINDS.get(name)

    def _kind_of_lookup(self, name: str, target: s.Expr, locals: Mapping[str, str | None]) -> str | None:
        if name in self.zones or name in self.states or name in self.facts:
            return self._kind_of_name(name)
        if name in PLACES:
            return self.kind(target, locals)
        if name in ("cards", "stacked"):
            return "card"
        if name == "team":
            return "team"
        if name == "players" or name in SEATS:
            return "player"
        return _FACT_KINDS.get(name)

    def _kind_of_fact(self, name: str) -> str | None:
        body = self.facts[name]
        return None if isinstance(body, Table) else self._guarded(f"card.{name}", body)

    def _kind_of_define(self, name: str) -> str | None:
        define = self.defines.get(name)
        if define is None:
            return None
        bodies = [x.value for x in define.body.rows] if isinstance(define.body, Table) else [define.body]
        parameters = {x.name.id: kind_of_name(x.type.name.id) for x in define.signature.parameters}
        return next((kind for x in bodies if (kind := self._guarded(name, x, parameters))), None)

    def _guarded(self, name: str, body: s.Expr, locals: Mapping[str, str | None] | None = None) -> str | None:
        if name in self._open:
            return None
        self._open.append(name)
        found = self.kind(body, locals or {})
        self._open.pop()
        return found


def kind_of_name(type: str) -> str:
    """The kind of thing that the name of a type says; of a set its elements."""
    return _ELEMENTS.get(type, type)


def _kind_of_type(type: s.TypeRef) -> str | None:
    match type:
        case s.NamedType(name):
            return kind_of_name(name.id)
        case s.SetType(element):
            return element.id
        case s.RangeType():
            return "number"
    return "word"
