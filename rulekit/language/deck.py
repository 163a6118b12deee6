"""The pack: the notation of its cards, how many there are of each, and which are left out."""

from __future__ import annotations

import re

from rulekit.cards import STANDARD_RANKS, STANDARD_SUITS, Face, Suit, usual_suit
from rulekit.diagnostics import Note, Span, nearest
from rulekit.language import syntax as s
from rulekit.language.before_play import settled
from rulekit.language.definitions import Definitions
from rulekit.language.keywords import KEYWORDS
from rulekit.language.tree import Spots, Table
from rulekit.language.vocabulary import BUILT_IN, TYPES
from rulekit.language.world import Scope, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import DeckDef
from rulekit.source.document import Scalar

MOST_CARDS = 512

_RANK = re.compile(r"[0-9]*[A-Z][A-Z0-9]*|[0-9]+")
_EXTRA = re.compile(r"[0-9]*[A-Z][A-Z0-9]*")
_SEAT = re.compile(r"P([1-9]|10)")


class Deck:
    """Reads the `deck` of a file."""

    def __init__(self, world: World, expressions: Definitions) -> None:
        self.world = world
        self.x = expressions
        self.tree = world.tree.deck

    # ------------------------------------------------------------ notation

    def notation(self) -> DeckDef:
        """Ranks, suits and extra cards; they become the world's notation."""
        world, tree = self.world, self.tree
        before = len(world.findings.items)
        world.notation_broken = any(
            item.span is not None and item.span.source is tree.span.source
            and tree.span.start <= item.span.start < tree.span.end
            for item in world.findings.items
        )  # fmt: skip
        if isinstance(tree.parts, Scalar) and tree.parts.text.strip() != "standard":
            help = "write `standard`, or what the pack is made of: `{ranks: 7 8 9, suits: clubs hearts}`"
            self.wrong(f"no deck is called `{tree.parts.text}`", tree.span, help)
        ranks = STANDARD_RANKS if tree.ranks is None else self.ranks(tree.ranks)
        suits = self.suits()
        extras = self.extras(ranks, suits)
        world.ranks = (*ranks, *dict.fromkeys(extras))
        world.plain_ranks = len(ranks)
        world.suits = suits
        world.faces.clear()
        world.most_copies = max([extras.count(name) for name in extras], default=1)
        world.many_copies = tree.copies is not None or len(set(extras)) < len(extras)
        world.max_cards = min(MOST_CARDS, max(1, len(ranks) * len(suits) + len(extras)))
        self.check_faces(ranks, suits)
        world.notation_broken = world.notation_broken or len(world.findings.items) > before
        return DeckDef(ranks, suits, extra=extras)

    def wrong(self, message: str, span: Span, help: str | None, suggestion: str | None = None) -> None:
        if not self.world.reported(span):
            self.world.findings.error("RK424", message, span, help=help, suggestion=suggestion)

    def twice(self, what: str, span: Span, first: Span | None) -> None:
        notes = [Note("first here", first)] if first is not None else []
        self.world.findings.error("RK402", f"{what} stands twice in the pack", span, notes=notes)

    def ranks(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The ranks that can be written, each once."""
        found: dict[str, Span] = {}
        for word, span in zip(words, self.spots(words, self.tree.rank_spots), strict=True):
            if not _RANK.fullmatch(word):
                help = "ranks are capital letters and digits: `7 8 9 10 J Q K A`"
                if ".." in word:
                    help = "write the ranks one by one: `7 8 9 10`"
                elif _RANK.fullmatch(word.upper()):
                    help = f"write `{word.upper()}`"
                self.wrong(f"`{word}` cannot be a rank", span, help)
            elif _SEAT.fullmatch(word):
                self.wrong(
                    f"`{word}` cannot be a rank: in examples it is a seat", span, "choose another name"
                )
            elif word in found:
                self.twice(f"rank `{word}`", span, found[word])
            else:
                found[word] = span
        return tuple(found) or STANDARD_RANKS

    def suits(self) -> tuple[Suit, ...]:
        """The suits that can be used, each name and each letter once."""
        world, tree = self.world, self.tree
        if tree.suits is None:
            return tuple(suit for name in STANDARD_SUITS if (suit := usual_suit(name)))
        names = tuple(name for name, _ in tree.suits)
        found: dict[str, tuple[Suit, Span]] = {}
        for (name, letter), span in zip(tree.suits, self.spots(names, tree.suit_spots), strict=True):
            usual = usual_suit(name)
            same = [at for suit, at in found.values() if suit.letter == letter]
            if name in KEYWORDS or name in BUILT_IN or name in TYPES:
                world.taken("a suit", s.Name(name, span=span), "a word of the language")
            elif name in found:
                self.twice(f"suit `{name}`", span, found[name][1])
            elif letter is None and usual is None:
                near = nearest(name, STANDARD_SUITS, cutoff=0.8)
                help = f"give every suit its letter: `suits: {{{name}: {name[0].upper()}, ...}}`"
                self.wrong(f"suit `{name}` has no letter", span,
                           f"did you mean `{near}`?" if near else help, near)  # fmt: skip
                world.refused.update([near or name])  # as it is called elsewhere
            elif letter is not None and not re.fullmatch("[A-Z]", letter):
                continue  # reported with the structure of the file
            elif same:
                self.twice(f"letter `{letter}`", span, same[0])
            elif letter is None:
                assert usual is not None
                found[name] = usual, span
            else:
                found[name] = Suit(name, letter, usual.color if usual else None), span
        return tuple(suit for suit, _ in found.values())

    def extras(self, ranks: tuple[str, ...], suits: tuple[Suit, ...]) -> tuple[str, ...]:
        """Cards beside ranks and suits, as often as they are named."""
        found: list[str] = []
        words = self.tree.extra
        faces = {rank + suit.letter for rank in ranks for suit in suits}
        for word, span in zip(words, self.spots(words, self.tree.extra_spots), strict=True):
            if word in ranks or word in faces:
                what = "a rank" if word in ranks else "a card"
                help = "give the extra card another name"
                self.wrong(f"`{word}` is {what} of the pack already", span, help)
            elif not _EXTRA.fullmatch(word) or _SEAT.fullmatch(word):
                better = f"write `{word.upper()}`" if _EXTRA.fullmatch(word.upper()) else None
                self.wrong(f"`{word}` cannot be the name of a card", span,
                           better or "names of cards are capital letters and digits: `JOKER`")  # fmt: skip
            else:
                found.append(word)
        return tuple(found)

    def check_faces(self, ranks: tuple[str, ...], suits: tuple[Suit, ...]) -> None:
        """No rank may be spelt like a card."""
        for place, rank in enumerate(ranks):
            for suit in suits:
                if rank[:-1] in ranks and rank[-1:] == suit.letter:
                    spots = self.spots(self.tree.ranks or (), self.tree.rank_spots)
                    span = spots[place] if place < len(spots) else self.tree.span
                    self.wrong(f"`{rank}` is also the `{rank[:-1]}` of {suit.name}", span,
                               "call the rank or the suit's letter otherwise")  # fmt: skip

    def spots(self, words: tuple[str, ...], spots: Spots) -> Spots:
        """Where each of the words stands; if that is not known, the deck."""
        return spots if len(spots) == len(words) else (self.tree.span,) * len(words)

    # ------------------------------------------------------------ what depends on options and players

    def details(self, deck: DeckDef) -> DeckDef:
        """Copies and missing cards, which may read options and the player count."""
        tree, world = self.tree, self.world
        scope = Scope(owner="deck")
        copies = None
        each = len(deck.ranks) * len(deck.suits)
        if tree.copies is not None:
            copies = settled(self.x.number(tree.copies, scope), world, "the pack")
            if isinstance(copies.type, t.Int):
                self.check_copies(copies, copies.type, each, tree.copies.span)
                most = max(1, min(copies.type.high, MOST_CARDS))
                world.most_copies = most
                world.max_cards = min(MOST_CARDS, each * most + len(deck.extra))
        elif each + len(deck.extra) > MOST_CARDS:
            self.too_many(each + len(deck.extra), self.tree.span)
        without = self.without(tree.without, None, scope) if tree.without is not None else ()
        world.gone = frozenset(face for when, faces in without if when is None for face in faces)
        return DeckDef(deck.ranks, deck.suits, copies, tuple(without), deck.extra)

    def check_copies(self, copies: e.Expr, of: t.Int, each: int, span: Span) -> None:
        low = of.low if isinstance(copies, (e.Constant, e.Option)) else of.high
        if low < 1:
            may_be = "is" if isinstance(copies, e.Constant) else "may be"
            self.world.findings.error(
                "RK425", f"the number of copies {may_be} {low}", span,
                expected="1 or more: every card is there at least once",
            )  # fmt: skip
        elif each * of.high + len(self.tree.extra) > MOST_CARDS:
            self.too_many(each * of.high + len(self.tree.extra), span)

    def too_many(self, count: int, span: Span) -> None:
        self.world.findings.error(
            "RK425", f"the pack may have {count:,} cards", span, expected=f"at most {MOST_CARDS}"
        )

    def without(
        self, node: s.Expr | Table, when: e.Expr | None, scope: Scope
    ) -> list[tuple[e.Expr | None, tuple[Face, ...]]]:
        """`without: 2D`, `if C then 2D else empty`, or a table."""
        world = self.world
        if isinstance(node, Table):
            if node.by is None:
                self.x.no_by(node)
                return []
            return self.without_table(node, node.by, when, scope)
        if isinstance(node, s.Cond):
            test = settled(self.x.condition(node.condition, scope), world, "the pack")
            no: e.Expr = e.Not(test, type=t.BOOL)
            if when is not None:
                test = e.And(when, test, type=t.BOOL)
                no = e.And(when, no, type=t.BOOL)
            return self.without(node.yes, test, scope) + self.without(node.no, no, scope)
        if isinstance(node, s.Name) and node.id == "empty":
            return []
        if isinstance(node, s.Literals):
            faces = self.faces(node)
            return [(when, faces)] if faces else []
        found = self.x.expr(node, scope)
        if isinstance(found, e.Cards):
            return [(when, found.faces)]
        if isinstance(found, e.CallDefine) and not found.arguments:
            world.settled[found.define] = None
            return self.without(world.define_trees[found.define][0].body, when, scope)
        if isinstance(found.type, Unknown):
            return []
        world.findings.error(
            "RK505", f"`{node.span.text}` does not say which cards", node.span,
            expected="cards or ranks, perhaps `if C then ... else ...`",
        )  # fmt: skip
        return []

    def without_table(
        self, table: Table, by: s.Expr, when: e.Expr | None, scope: Scope
    ) -> list[tuple[e.Expr | None, tuple[Face, ...]]]:
        """`without` by a table: each row under its own condition."""
        subject = settled(self.x.expr(by, scope), self.world, "the pack")
        found: list[tuple[e.Expr | None, tuple[Face, ...]]] = []
        others: list[e.Expr] = []
        seen: dict[int | bool | None, str] = {}
        for row in table.rows:
            if row.keys is None:
                test: e.Expr = e.Constant(True, type=t.BOOL)
                for other in others:
                    test = e.And(test, e.Not(other, type=t.BOOL), type=t.BOOL)
            else:
                keys = self.x.table_keys(row, subject.type, scope, seen)
                test = e.Constant(False, type=t.BOOL)
                for key in keys:
                    same = e.Same(subject, e.Constant(key, type=subject.type), type=t.BOOL)
                    test = e.Or(test, same, type=t.BOOL)
                others.append(test)
            if when is not None:
                test = e.And(when, test, type=t.BOOL)
            found += self.without(row.value, test, scope)
        if not any(row.keys is None for row in table.rows) and not self.world.reported(table.span):
            self.x.check_total(subject, set(seen), table)
        return found

    def faces(self, node: s.Literals) -> tuple[Face, ...]:
        """The faces that cards or whole ranks name."""
        world = self.world
        found: list[Face] = []
        for word in node.words:
            rank = self.x.rank(word)
            if rank is not None and rank < world.plain_ranks:
                found += [Face(rank, suit) for suit in range(len(world.suits))]
            elif (face := world.face(word)) is not None:
                found.append(face)
            else:
                self.x.unknown_literal(node, word)
        return tuple(found)


__all__ = ["MOST_CARDS", "Deck"]
