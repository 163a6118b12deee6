"""What a file declares: words, pack, options, zones, state; every name once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rulekit.diagnostics import Note, Span, nearest
from rulekit.language import syntax as s
from rulekit.language.coerce import in_range, is_collection, strip
from rulekit.language.definitions import Definitions
from rulekit.language.keywords import KEYWORDS
from rulekit.language.names import index_type
from rulekit.language.spans import word_span
from rulekit.language.tree import FactTree, OptionTree, OrderTree, StateTree, ZoneTree
from rulekit.language.vocabulary import BUILT_IN, TYPES, WORD_TYPES
from rulekit.language.world import TRUTHS, UNKNOWN, It, Scope, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import FieldDef, OptionDef, StateDef, ZoneDef
from rulekit.program.walk import walk_expressions

MOST_PILES = 512
OWNED = ("owner", "others", "team")  #: who sees what somebody has
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
            first, later = world.declared_at[name.id], name.span
            if later.source is first.source and later.start < first.start:
                first, later = later, first
            world.findings.error(
                "RK402", f"`{name.id}` is declared twice", later, help="give one of them another name",
                notes=[Note("declared first here", first)],
            )  # fmt: skip
            world.doubled.add(name.id)
            return False
        world.declared_at[name.id] = name.span
        return True

    def check_words(self) -> None:
        """No word may be spelt like a declared name."""
        world = self.world
        for (home, word), spot in world.word_spots.items():
            declared = world.declared_at.get(word)
            if declared is not None and spot.source is world.tree.span.source:
                world.findings.error(
                    "RK402", f"`{word}`, a word of `{home}`, is also declared as a name", spot,
                    help="give one of them another name", notes=[Note("declared here", declared)],
                )  # fmt: skip

    # ------------------------------------------------------------ words and orders

    def words(self) -> None:
        """Word types and orders of the file."""
        world = self.world
        world.words.update(WORD_TYPES)
        for tree in world.tree.words:
            if self.declare(tree.name, "a word type"):
                spots = tree.spots if len(tree.spots) == len(tree.words) else (tree.span,) * len(tree.words)
                world.words[tree.name.id] = self.own_words(tree.name.id, tree.words, spots)
        for order in world.tree.orders:
            if self.declare(order.name, "an order"):
                world.orders[order.name.id] = tuple(self.order(order))

    def own_words(self, home: str, words: tuple[str, ...], spots: Sequence[Span]) -> tuple[str, ...]:
        """The words of a type, each once, and none that means something else."""
        world = self.world
        found: dict[str, None] = {}
        for word, spot in zip(words, spots, strict=True):
            if word in found:
                if world.said_often("RK402", word):
                    continue
                world.findings.error(
                    "RK402", f"`{word}` stands twice among the words of `{home}`", spot,
                    notes=[Note("first here", world.word_spots[home, word])],
                )  # fmt: skip
                continue
            if not re.fullmatch("[a-z][a-z0-9_]*", word):
                if not world.reported(spot):
                    world.findings.error(
                        "RK424", f"`{word}` cannot be a word", spot,
                        expected="small letters, digits and `_`, with a letter first",
                        help=f"write `{word.lower()}`" if word.lower() != word else None,
                    )  # fmt: skip
            elif word in KEYWORDS or word in BUILT_IN or word == "box":
                world.taken("a word", s.Name(word, span=spot), "a word of the language")
            found[word] = None
            world.word_spots[home, word] = spot
        return tuple(found)

    def order(self, tree: OrderTree) -> Iterable[int]:
        """The ranks of an order; only at its two ends the same one may stand."""
        world = self.world
        seen: dict[str, int] = {}
        spots = tree.spots if len(tree.spots) == len(tree.words) else (tree.span,) * len(tree.words)
        for place, (word, spot) in enumerate(zip(tree.words, spots, strict=True)):
            rank = self.x.rank(word)
            if rank is None:
                if world.notation_broken or world.said_often("RK408", word):
                    continue
                near = nearest(word, world.ranks)
                world.findings.error(
                    "RK408", f"the pack has no rank `{word}`", spot, expected=" ".join(world.ranks),
                    help=f"did you mean `{near}`?" if near else None, suggestion=near,
                )  # fmt: skip
                continue
            if word in seen and (seen[word] != 0 or place != len(tree.words) - 1):
                if world.said_often("RK402", word):
                    continue
                world.findings.error(
                    "RK402", f"`{word}` stands twice in the order", spot,
                    expected="each rank once, or the same at both ends",
                )  # fmt: skip
            seen.setdefault(word, place)
            yield rank

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
                if max(-low, high) > t.LIMIT:
                    self.world.findings.error(
                        "RK519", f"`{node.span.text}` has numbers that are too large", node.span,
                        expected=f"numbers from {-t.LIMIT} to {t.LIMIT}",
                    )  # fmt: skip
                    low, high = max(low, -t.LIMIT), min(high, t.LIMIT)
                of: t.Type = t.Int(low, high)
                return t.Optional(of) if is_optional else of
            case s.WordsType(words, is_optional):
                spots = word_spots(node.span, words)
                numbers = [int(word) for word in words if word.lstrip("-").isdigit()]
                if len(numbers) == len(words):
                    if len(set(numbers)) < len(numbers):
                        twice = next(i for i, number in enumerate(numbers) if number in numbers[:i])
                        self.world.findings.error("RK402", f"`{words[twice]}` stands twice", spots[twice])
                    of = t.Int(min(numbers), max(numbers))
                elif numbers:
                    self.world.findings.error(
                        "RK415", f"`{node.span.text}` mixes words and numbers", node.span,
                        expected="either words or numbers",
                    )  # fmt: skip
                    return UNKNOWN
                else:
                    self.world.words[home] = self.own_words(home, words, spots)
                    of = t.Word(home)
                return t.Optional(of) if is_optional else of
            case s.SetType(element):
                inner = self.named(element)
                if is_collection(inner) or isinstance(inner, t.Bool):
                    self.world.findings.error(
                        "RK415", f"there can be no set of `{element.id}`", element.span,
                        expected="a set of player, team, suit, rank, card, pile or a word type",
                        help=f"write `{element.id}` alone" if is_collection(inner) else None,
                    )  # fmt: skip
                    return UNKNOWN
                return t.SetOf(inner) if not isinstance(inner, Unknown) else UNKNOWN
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
        if name.id in ("int", "number", "integer"):
            near, help = None, "say from where to where: `0..99`"
        if name.id in TRUTHS:
            near = f"bool = {TRUTHS[name.id]}"
            help = f"write `{near}`"
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
            self.x.no_teams(per.span)
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
        if who.id == "team" and self.world.tree.teams is None:
            self.x.no_teams(who.span)
        elif (who.id in ("owner", "others") and per != "player") or (
            who.id == "team" and per not in ("player", "team")
        ):
            self.world.findings.error(
                "RK426", f"`seen by {who.id}` needs somebody whose it is", who.span,
                expected="something declared `per player`",
                help="write `seen by team`" if per == "team" else "declare it `per player`",
            )  # fmt: skip
        return who.id

    def plain(self, node: s.Declaration, kind: str) -> None:
        """Options and fields are neither `per` anything nor hidden."""
        for part, what in ((node.per, "per"), (node.seen_by, "seen by")):
            if part is not None:
                self.world.findings.error(
                    "RK427", f"{kind} cannot be `{what} {part.id}`", part.span,
                    expected="a type, and perhaps a start", help=f"leave out `{what} {part.id}`",
                )  # fmt: skip

    # ------------------------------------------------------------ options

    def option(self, tree: OptionTree) -> None:
        world, name, node = self.world, tree.name.id, tree.declaration
        if not self.declare(tree.name, "an option"):
            return
        self.plain(node, "an option")
        of = self.type(node.type, name)
        if not isinstance(of, (t.Bool, t.Int, t.Word)) and of is not UNKNOWN:
            world.findings.error(
                "RK427", f"an option cannot be {of}", node.type.span,
                expected="a condition, a number or a word",
            )  # fmt: skip
            of = UNKNOWN
        words = world.words[of.name] if isinstance(of, t.Word) else ()
        values: tuple[int | bool, ...] = ()
        if isinstance(node.type, s.WordsType) and isinstance(of, t.Int):
            values = tuple(int(word) for word in node.type.words)
        start = self.option_start(node, of, values)
        world.options[name] = OptionDef(
            name, of, start, words, values, name in {n.id for n in world.tree.fixed},
            start_span=None if node.start is None else node.start.span,
            text=tree.text.text if tree.text else None, span=tree.name.span,
        )  # fmt: skip

    def option_start(self, node: s.Declaration, of: t.Type, values: tuple[int | bool, ...]) -> int | bool:
        """The default of an option: a fixed value of its type."""
        default: int | bool = False if isinstance(of, t.Bool) else 0
        if values:
            default = min(values, key=lambda value: (abs(value), value))
        elif isinstance(of, t.Int):
            default = max(of.low, min(of.high, 0))
        if node.start is None or isinstance(of, Unknown):
            return default
        start = self.x.value(node.start, Scope(owner="options"), of, "the default")
        if isinstance(start.type, Unknown):
            return default
        if not isinstance(start, e.Constant) or not isinstance(start.value, (int, bool)):
            self.world.findings.error(
                "RK427", f"`{node.start.span.text}` is not a fixed value", node.start.span,
                expected="a value that is known from the file alone",
            )  # fmt: skip
            return default
        if (values and start.value not in values) or not in_range(start, of):
            self.world.findings.error(
                "RK425", f"`{node.start.span.text}` is out of range", node.start.span,
                expected=f"a value of `{values_of(node, of, values)}`",
            )  # fmt: skip
            return default
        return start.value

    # ------------------------------------------------------------ zones and state

    def zone(self, tree: ZoneTree) -> None:
        world, name, node = self.world, tree.name.id, tree.declaration
        if not self.declare(tree.name, "a zone"):
            return
        per = self.family(node.per)
        if node.per is not None and per is None:
            world.refused.add(name)  # said once
            return
        seen = self.viewer(node.seen_by, per, zone=True)
        if per is None and seen in OWNED:
            world.refused.add(name)  # said once
            return
        if node.count is not None and not 1 <= node.count <= MOST_PILES:
            spot = word_span(node.span, tuple(node.span.text.split()), str(node.count))
            world.findings.error(
                "RK425", f"`{node.count}` piles are out of range", spot, expected=f"1 to {MOST_PILES}"
            )
        world.zones[name] = ZoneDef(
            name, node.kind, max(1, min(node.count or 1, MOST_PILES)), per, seen,
            text=tree.text.text if tree.text else None, span=tree.name.span,
        )  # fmt: skip

    def zone_fields(self, tree: ZoneTree) -> None:
        """Fields are typed when all zones and words are known."""
        zone = self.world.zones.get(tree.name.id)
        if zone is None or zone.span != tree.name.span:
            return
        if tree.fields and zone.kind not in ("piles", "slots"):
            self.world.findings.error(
                "RK427", f"`{zone.name}` has no slots that could have fields", tree.fields[0].name.span,
                expected="fields of a zone of `N piles` or `up to N piles`",
            )  # fmt: skip
            return
        fields: list[FieldDef] = []
        for field in tree.fields:
            node, name = field.declaration, field.name
            if not self.field_name(name):
                continue
            self.plain(node, "a field")
            of = self.type(node.type, f"{zone.name}.{name.id}")
            start = self.start(node, Scope(owner="zones"), of, name.id) if node.start is not None else None
            fields.append(FieldDef(name.id, of, start, span=name.span))
        self.world.zones[zone.name] = replace(zone, fields=tuple(fields))

    def field_name(self, name: s.Name) -> bool:
        """A field may be called like a field of another zone, and like nothing else."""
        world = self.world
        if name.id in world.field_names:
            return True
        if self.declare(name, "a field"):
            world.field_names.add(name.id)
            return True
        return False

    def state(self, tree: StateTree, scope_name: str | None, block: str | None) -> None:
        """A state variable; its START is read later, when everything is declared."""
        world, name, node = self.world, tree.name.id, tree.declaration
        if not self.declare(tree.name, "a state variable"):
            return
        of = self.type(node.type, name)
        per = self.family(node.per)
        if node.per is not None and per is None:
            world.refused.add(name)  # said once
            return
        seen = self.viewer(node.seen_by, per, zone=False)
        if per is None and seen in OWNED:
            world.refused.add(name)  # said once
            return
        world.state[name] = StateDef(
            name, of, per, seen, scope=scope_name, block=block,
            text=tree.text.text if tree.text else None, span=tree.name.span,
        )  # fmt: skip

    def state_start(self, tree: StateTree, scope: Scope) -> None:
        """The START of a state variable: may read parameters and what is declared before."""
        node = tree.declaration
        state = self.world.state.get(tree.name.id)
        if state is None or state.span != tree.name.span:
            return
        if node.start is None:
            if isinstance(node.type, s.WordsType) and isinstance(state.type, t.Int):
                nearest_to_0 = min((int(word) for word in node.type.words), key=lambda n: (abs(n), n))
                start = e.Constant(nearest_to_0, type=state.type, span=node.type.span)
                self.world.state[state.name] = replace(state, start=start)
            return
        local = None
        if state.per is not None:
            kind = index_type(state.per)
            local = self.world.new_local("it", kind, lasting=False)
            scope = scope.with_it(It(local, kind))
        found = self.start(node, scope, state.type, state.name)
        self.check_earlier(state, found)
        self.world.state[state.name] = replace(state, start=found, start_local=local)

    def start(self, node: s.Declaration, scope: Scope, of: t.Type, name: str) -> e.Expr:
        """A START: a value of the type, not surely outside its range."""
        assert node.start is not None
        found = self.x.value(node.start, scope, of, f"the start of `{name}`")
        if not in_range(found, of):
            self.world.findings.error(
                "RK425", f"`{node.start.span.text}` is out of range", node.start.span,
                expected=f"a value of `{values_of(node, of)}`",
            )  # fmt: skip
        return found

    def check_earlier(self, state: StateDef, start: e.Expr) -> None:
        """A START may not read the state itself, nor what starts after it."""
        world = self.world
        for name in states_read(start, world):
            other = world.state.get(name)
            if other is None or other.span is None or state.span is None or other.block != state.block:
                continue
            if other.scope == state.scope and other.span.start >= state.span.start:
                what = "reads itself" if other.name == state.name else f"reads `{name}`, which starts later"
                world.findings.error(
                    "RK431", f"the start of `{state.name}` {what}", start.span or state.span,
                    expected="state that is declared before", help="declare it above, or leave the start out",
                )  # fmt: skip
                return

    def facts(self, trees: Iterable[FactTree]) -> None:
        for tree in trees:
            if self.declare(tree.name, "a fact"):
                self.world.fact_trees[tree.name.id] = tree


def states_read(x: e.Expr, world: World) -> list[str]:
    """The state variables that an expression reads, through defines and facts too."""
    found: dict[str, None] = {}
    seen: set[str] = set()
    todo = [x]
    while todo:
        for part in walk_expressions(todo.pop()):
            if isinstance(part, e.StateOf):
                found[part.state] = None
            elif isinstance(part, e.CallDefine) and part.define in world.defines and part.define not in seen:
                seen.add(part.define)
                todo.append(world.defines[part.define].body)
            elif isinstance(part, e.FactOf) and part.fact in world.facts and part.fact not in seen:
                seen.add(part.fact)
                todo.append(world.facts[part.fact].body)
    return list(found)


def word_spots(span: Span, words: tuple[str, ...]) -> tuple[Span, ...]:
    """The places of words that stand at a place with `|` between them."""
    found = list(re.finditer(r"[^\s|?]+", span.text))
    if [match[0] for match in found] != list(words):
        return (span,) * len(words)
    return tuple(Span(span.source, span.start + m.start(), span.start + m.end()) for m in found)


__all__ = ["Declarations", "Span"]


def values_of(node: s.Declaration, of: t.Type, values: tuple[int | bool, ...] = ()) -> str:
    """The values of a type, as they are written. A variant that sets the default has the type elsewhere."""
    inner = strip(of)
    if values:
        return " | ".join(str(value) for value in values)
    return f"{inner.low}..{inner.high}" if isinstance(inner, t.Int) else node.type.span.text
