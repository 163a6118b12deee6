"""What a file declares: words, pack, options, zones, state; every name once."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.diagnostics import Note, Span, nearest
from rulekit.language import syntax as s
from rulekit.language.coerce import fit
from rulekit.language.definitions import Definitions
from rulekit.language.keywords import KEYWORDS
from rulekit.language.names import index_type
from rulekit.language.tree import FactTree, OptionTree, StateTree, ZoneTree
from rulekit.language.vocabulary import BUILT_IN, TYPES, WORD_TYPES
from rulekit.language.world import UNKNOWN, It, Scope, World
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import FieldDef, OptionDef, StateDef, ZoneDef

VIEWERS = ("everyone", "owner", "others", "team", "nobody", "face")
FAMILIES = ("player", "team", "suit", "rank")


class Declarations:
    """Builds the declarations of a world from its tree."""

    def __init__(self, world: World, expressions: Definitions) -> None:
        self.world = world
        self.x = expressions

    # ------------------------------------------------------------ names

    def declare(self, name: s.Name, kind: str) -> bool:
        """Note a name; report it if it already means something."""
        world = self.world
        if name.id in KEYWORDS or name.id in BUILT_IN or name.id in TYPES:
            world.taken(kind, name, "a word of the language")
            return False
        if name.id == "box":
            world.taken(kind, name, "the zone where all cards start")
            return False
        if name.id in world.suit_names():
            world.taken(kind, name, "the name of a suit")
            return False
        if name.id in world.declared_at:
            first = world.declared_at[name.id]
            world.findings.error(
                "RK402", f"`{name.id}` is declared twice", name.span, help="give one of them another name",
                notes=[Note("declared first here", first)],
            )  # fmt: skip
            return False
        world.declared_at[name.id] = name.span
        return True

    def check_words(self) -> None:
        """No word may be spelt like a declared name."""
        world = self.world
        for home, words in world.words.items():
            for word in words:
                if word in world.declared_at and home in world.declared_at:
                    world.findings.error(
                        "RK402", f"`{word}`, a word of `{home}`, is also a name declared in this file",
                        world.declared_at[home], help="give one of them another name",
                        notes=[Note("declared here", world.declared_at[word])],
                    )  # fmt: skip

    # ------------------------------------------------------------ words and orders

    def words(self) -> None:
        world = self.world
        world.words.update(WORD_TYPES)
        for tree in world.tree.words:
            self.declare(tree.name, "a word type")
            world.words[tree.name.id] = tree.words
        for order in world.tree.orders:
            self.declare(order.name, "an order")
            ranks: list[int] = []
            for word in order.words:
                rank = self.x.rank(word)
                if rank is None:
                    self.x.unknown_literal(s.Literals((word,), span=order.span), word)
                else:
                    ranks.append(rank)
            world.orders[order.name.id] = tuple(ranks)

    # ------------------------------------------------------------ types

    def type(self, node: s.TypeRef, home: str) -> t.Type:
        """The type that a declaration names; ``home`` names a word type of its own."""
        match node:
            case s.RangeType(low, high, is_optional):
                if low > high:
                    self.world.findings.error(
                        "RK425", f"the range `{node.span.text}` is empty", node.span,
                        expected="the smaller number first", suggestion=f"{high}..{low}",
                    )  # fmt: skip
                    low, high = high, low
                of: t.Type = t.Int(low, high)
                return t.Optional(of) if is_optional else of
            case s.WordsType(words, is_optional):
                if all(word.lstrip("-").isdigit() for word in words):
                    numbers = [int(word) for word in words]
                    of = t.Int(min(numbers), max(numbers))
                else:
                    for word in words:
                        if words.count(word) > 1:
                            self.world.findings.error("RK402", f"`{word}` stands twice", node.span)
                            break
                    self.world.words[home] = words
                    of = t.Word(home)
                return t.Optional(of) if is_optional else of
            case s.SetType(element):
                inner = self.named(element)
                return t.SetOf(inner)
            case s.NamedType(name, is_optional):
                of = self.named(name)
                if is_optional and not isinstance(of, t.Collection):
                    return t.Optional(of) if of is not UNKNOWN else UNKNOWN
                return of
        return UNKNOWN

    def named(self, name: s.Name) -> t.Type:
        simple: dict[str, t.Type] = {
            "bool": t.BOOL, "player": t.PLAYER, "team": t.TEAM, "suit": t.SUIT, "rank": t.RANK,
            "card": t.CARD, "pile": t.PILE, "players": t.PLAYERS, "cards": t.CARDS,
        }  # fmt: skip
        if name.id in simple:
            return simple[name.id]
        if name.id in self.world.words:
            return t.Word(name.id)
        near = nearest(name.id, [*simple, *self.world.words])
        help = f"did you mean `{near}`?" if near else None
        if name.id == "int":
            help = "say from where to where: `0..99`"
        self.world.findings.error(
            "RK415", f"there is no type `{name.id}`", name.span,
            expected="a range such as `0..99`, " + ", ".join(f"`{x}`" for x in simple) + ", or a word type",
            help=help, suggestion=near,
        )  # fmt: skip
        return UNKNOWN

    def family(self, per: s.Name | None) -> str | None:
        """What a declaration is `per`."""
        if per is None:
            return None
        if per.id == "team" and self.world.tree.teams is None:
            self.world.findings.error(
                "RK419", "this game has no teams", per.span, help="declare `teams:` above `options`"
            )
            return None
        if per.id in FAMILIES or per.id in self.world.words:
            return per.id
        near = nearest(per.id, [*FAMILIES, *self.world.words])
        self.world.findings.error(
            "RK415", f"there can be nothing per `{per.id}`", per.span,
            expected="player, team, suit, rank or a word type",
            help=f"did you mean `{near}`?" if near else None, suggestion=near,
        )  # fmt: skip
        return None

    def viewer(self, who: s.Name | None, per: str | None, *, zone: bool) -> str:
        if who is None:
            return "everyone"
        allowed = VIEWERS if zone else VIEWERS[:-1]
        if who.id not in allowed:
            near = nearest(who.id, allowed)
            self.world.findings.error(
                "RK426", f"`{who.id}` is nobody who could see it", who.span,
                expected=", ".join(f"`{v}`" for v in allowed),
                help=f"did you mean `{near}`?" if near else None, suggestion=near,
            )  # fmt: skip
            return "everyone"
        nobodys = who.id in ("owner", "others") and per != "player"
        if nobodys or (who.id == "team" and per not in ("player", "team")):
            self.world.findings.error(
                "RK426", f"`seen by {who.id}` needs somebody whose it is", who.span,
                help="declare it `per player`",
            )  # fmt: skip
        return who.id

    # ------------------------------------------------------------ options

    def option(self, tree: OptionTree) -> None:
        world, name = self.world, tree.name.id
        self.declare(tree.name, "an option")
        of = self.type(tree.declaration.type, name)
        fixed = name in {n.id for n in world.tree.fixed}
        node = tree.declaration.type
        words = world.words.get(name, ()) if isinstance(of, t.Word) else ()
        if isinstance(of, t.Word) and of.name != name:
            words = world.words[of.name]
        values: tuple[int | bool, ...] = ()
        if isinstance(node, s.WordsType) and isinstance(of, t.Int):
            values = tuple(int(word) for word in node.words)
        if not isinstance(of, (t.Bool, t.Int, t.Word)) and of is not UNKNOWN:
            world.findings.error(
                "RK427", f"an option cannot be {of}", tree.declaration.span,
                expected="a condition, a number or a word",
            )  # fmt: skip
            of = UNKNOWN
        start: int | bool = False if isinstance(of, t.Bool) else 0
        if isinstance(of, t.Int):
            start = max(of.low, min(of.high, 0))
        if tree.declaration.start is not None:
            found = self.x.expr(tree.declaration.start, Scope(owner="options"), of)
            found = fit(found, of, world) or self.wrong_start(tree.declaration.start, found, of)
            if isinstance(found, e.Constant) and isinstance(found.value, (int, bool)):
                start = found.value
                if (values and start not in values) or (
                    isinstance(of, t.Int) and not of.low <= start <= of.high
                ):
                    world.findings.error(
                        "RK425", f"`{tree.declaration.start.span.text}` is not a value of `{name}`",
                        tree.declaration.start.span, expected=f"`{tree.declaration.type.span.text}`",
                    )  # fmt: skip
            elif not isinstance(found.type, type(UNKNOWN)):
                world.findings.error(
                    "RK427", "the default of an option is a fixed value", tree.declaration.start.span
                )
        world.options[name] = OptionDef(
            name, of, start, words, values, fixed,
            text=tree.text.text if tree.text else None, span=tree.name.span,
        )  # fmt: skip

    def wrong_start(self, node: s.Expr, found: e.Expr, of: t.Type) -> e.Expr:
        self.world.findings.error(
            "RK501", f"`{node.span.text}` is {found.type}, and {of} is declared", node.span, expected=str(of)
        )
        return self.world.unknown(node.span)

    # ------------------------------------------------------------ zones and state

    def zone(self, tree: ZoneTree) -> None:
        world, name, node = self.world, tree.name.id, tree.declaration
        self.declare(tree.name, "a zone")
        per = self.family(node.per)
        seen = self.viewer(node.seen_by, per, zone=True)
        if node.count is not None and not 1 <= node.count <= 512:
            world.findings.error(
                "RK425", f"`{node.count}` piles are out of range", node.span, expected="1 to 512"
            )
        world.zones[name] = ZoneDef(
            name, node.kind, node.count or 1, per, seen,
            text=tree.text.text if tree.text else None, span=tree.name.span,
        )  # fmt: skip

    def zone_fields(self, tree: ZoneTree) -> None:
        """Fields are typed when all zones and words are known."""
        from dataclasses import replace

        fields: list[FieldDef] = []
        for field in tree.fields:
            of = self.type(field.declaration.type, f"{tree.name.id}.{field.name.id}")
            start = None
            if field.declaration.start is not None:
                start = self.x.value(field.declaration.start, Scope(owner="zones"), of)
            fields.append(FieldDef(field.name.id, of, start, span=field.name.span))
        if fields:
            name = tree.name.id
            self.world.zones[name] = replace(self.world.zones[name], fields=tuple(fields))

    def state(self, tree: StateTree, scope_name: str | None, block: str | None) -> None:
        """A state variable; its START is read later, when everything is declared."""
        world, name, node = self.world, tree.name.id, tree.declaration
        self.declare(tree.name, "a state variable")
        of = self.type(node.type, name)
        per = self.family(node.per)
        seen = self.viewer(node.seen_by, per, zone=False)
        world.state[name] = StateDef(
            name, of, per, seen, scope=scope_name, block=block,
            text=tree.text.text if tree.text else None, span=tree.name.span,
        )  # fmt: skip

    def state_start(self, tree: StateTree, scope: Scope) -> None:
        """The START of a state variable: may read parameters and what is declared before."""
        from dataclasses import replace

        node = tree.declaration.start
        state = self.world.state[tree.name.id]
        if node is None:
            return
        local = None
        if state.per is not None:
            kind = index_type(state.per)
            local = self.world.new_local("it", kind, lasting=False)
            scope = scope.with_it(It(local, kind))
        found = self.x.value(node, scope, state.type, f"the start of `{state.name}`")
        self.world.state[state.name] = replace(state, start=found, start_local=local)

    def facts(self, trees: Iterable[FactTree]) -> None:
        for tree in trees:
            if self.declare(tree.name, "a fact"):
                self.world.fact_trees[tree.name.id] = tree


__all__ = ["Declarations", "Span"]
