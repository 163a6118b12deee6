"""Examples: positions, events and what must hold, with every name resolved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from rulekit.cards import Face
from rulekit.diagnostics import Span, nearest
from rulekit.language import syntax as s
from rulekit.language.coerce import element, fit, in_range, is_collection, strip
from rulekit.language.definitions import Definitions
from rulekit.language.layouts import ACCEPTING, LIFTED
from rulekit.language.names import index_type
from rulekit.language.tree import AllowedTree, ExampleTree, GivenTree, RefusedTree
from rulekit.language.world import TRUTHS, Scope, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import Allowed, EventDef, ExampleDef, Given, MoveDef, Placed, Refused, Then


class Rulings:
    """Checks examples. ``moves`` are the game's moves, as far as they could be understood."""

    def __init__(self, world: World, expressions: Definitions, moves: Mapping[str, MoveDef]) -> None:
        self.world = world
        self.x = expressions
        self.moves = moves

    def example(self, tree: ExampleTree) -> ExampleDef:
        """One example, ready to run."""
        low, high = self.world.tree.players
        players = tree.players if tree.players is not None else high
        if not low <= players <= high:
            self.world.findings.error(
                "RK824", f"an example with {players} players", tree.players_span or tree.span,
                expected=f"{low} to {high}" if low < high else f"{low}",
            )  # fmt: skip
            players = max(players, high)
        scope = Scope(seats=players, owner="examples", me=self.world.tree.players == (1, 1))
        given = [g for node in tree.given if (g := self.given(node, scope)) is not None]
        self.check_twice(given, tree)
        events = tuple(self.event(node, scope) for node in tree.events)
        refused = tuple(Refused(self.event(r.event, scope), r.label.text, span=r.span) for r in tree.refused)
        for node in tree.refused:
            self.check_label(node)
        allowed = tuple(self.allowed(node, scope) for node in tree.allowed)
        then = tuple(
            Then(self.x.condition(node, scope), node.span.text, span=node.span) for node in tree.then
        )
        run = None
        if tree.run is not None:
            arguments = self.x.phase_arguments(tree.run.name, tree.run.args, scope)
            run = None if arguments is None else (tree.run.name.id, arguments)
        for place in tree.result:
            for seat, spot in zip(place.seats, place.spots, strict=True):
                self.seat(seat, spot, scope)
        result = tuple(Placed(place.seats, place.score, span=place.span) for place in tree.result)
        tests = tree.events or tree.refused or tree.allowed or tree.then or tree.result
        if not tests and not self.world.findings.has_errors:
            self.world.findings.warning(
                "RK823", "the example says nothing that must hold", tree.span,
                expected="`then`, `allowed`, `refused`, `result` or `when`",
            )  # fmt: skip
        return ExampleDef(
            tree.title.text, tree.players, tuple(self.options(tree)), tuple(given), events, then, allowed,
            refused, run, result, span=tree.title.span,
        )  # fmt: skip

    # ------------------------------------------------------------ parts

    def options(self, tree: ExampleTree) -> Iterable[tuple[str, int | bool]]:
        """Options and their values."""
        for place, (name, text) in enumerate(tree.options):
            span = tree.option_spots[place] if place < len(tree.option_spots) else name.span
            value = self.option(name, text, span)
            if value is not None:
                yield name.id, value

    def option(self, name: s.Name, text: str, span: Span) -> int | bool | None:
        """An option's value as the example writes it."""
        option = self.world.options.get(name.id)
        if option is None:
            if name.id not in self.world.tree.broken and not self.world.reported(name.span):
                near = nearest(name.id, self.world.options)
                self.world.findings.error(
                    "RK401", f"there is no option `{name.id}`", name.span,
                    expected="an option declared under `options`",
                    help=f"did you mean `{near}`?" if near else None, suggestion=near,
                )  # fmt: skip
            return None
        if isinstance(option.type, Unknown):
            return None
        value: int | bool | None = None
        if isinstance(option.type, t.Bool):
            value = {"true": True, "false": False}.get(text)
        elif option.words:
            value = option.words.index(text) if text in option.words else None
        elif re.fullmatch("-?[0-9]{1,10}", text):
            value = int(text)
        if value is None or not option.accepts(value):
            values = option.words or tuple(str(x) for x in option.values)
            if isinstance(option.type, t.Bool):
                values = ("true", "false")
            near = TRUTHS.get(text) if isinstance(option.type, t.Bool) else nearest(text, values)
            numbers = f"a number from {option.type.low} to {option.type.high}" if isinstance(
                option.type, t.Int) else ""  # fmt: skip
            self.world.findings.error(
                "RK405", f"`{text}` is not a value of `{name.id}`", span,
                expected=" or ".join(f"`{word}`" for word in values) or numbers,
                help=f"did you mean `{near}`?" if near else None, suggestion=near,
            )  # fmt: skip
            return None
        return value

    def seat(self, seat: int, span: Span, scope: Scope) -> None:
        if seat >= scope.seats:
            self.x.no_seat(f"P{seat + 1}", span, scope)

    def event(self, node: s.Event, scope: Scope) -> EventDef:
        """What a player does: `P1 play 4S`."""
        self.seat(node.seat, self.word_of(node, 0), scope)
        self.move(node.move)
        move = self.moves.get(node.move.id)
        if move is not None:
            spots = [self.word_of(node, place + 2) for place in range(len(node.values))]
            self.check_values(move, node, spots, scope)
        return EventDef(node.seat, node.move.id, node.values, span=node.span)

    def word_of(self, node: s.Event | s.SeatMove, place: int) -> Span:
        """The place of a word of an event."""
        found = list(re.finditer(r"\S+", node.span.text))
        if place >= len(found):
            return node.span
        return Span(
            node.span.source, node.span.start + found[place].start(), node.span.start + found[place].end()
        )

    def move(self, name: s.Name) -> None:
        if name.id not in self.world.move_trees:
            self.x.no_move(name)

    def check_values(self, move: MoveDef, node: s.Event, spots: list[Span], scope: Scope) -> None:
        """As many values as choices (of several cards as many as you like), each of its kind."""
        choices, words = move.choices, node.values
        if any(isinstance(choice.type, Unknown) for choice in choices) or move.name in self.world.tree.broken:
            return
        wide = [place for place, choice in enumerate(choices) if is_collection(choice.type)]
        if len(words) < len(choices) - len(wide) or (not wide and len(words) > len(choices)):
            self.world.findings.error(
                "RK829", f"move `{move.name}` is given {len(words) or 'no'} value{'s' * (len(words) != 1)}",
                spots[len(choices)] if len(words) > len(choices) else node.span,
                expected=", ".join(f"`{choice.name}`" for choice in choices) or "no values",
            )  # fmt: skip
            return
        for place, (word, span) in enumerate(zip(words, spots, strict=True)):
            kinds = [choice.type for choice in choices]
            if not wide:
                kinds = [choices[place].type]
            self.check_value(word.strip("()"), kinds, span, scope)

    def check_value(self, word: str, kinds: Iterable[t.Type], span: Span, scope: Scope) -> None:
        """A word that names a value of one of these types."""
        kinds = [single(kind) for kind in kinds]
        if word and word != "none" and not any(self.is_value(word, kind, scope) for kind in kinds):
            if all(isinstance(kind, t.Card) for kind in kinds):
                self.no_card(word, span)
                return
            known = [name for kind in kinds for name in self.values(kind, scope)]
            near = nearest(word, known)
            self.world.findings.error(
                "RK829", f"`{word}` is not {' or '.join(dict.fromkeys(str(kind) for kind in kinds))}", span,
                expected=", ".join(f"`{name}`" for name in known[:8]) or None,
                help=f"did you mean `{near}`?" if near else None, suggestion=near,
            )  # fmt: skip

    def is_value(self, word: str, of: t.Type, scope: Scope) -> bool:
        match of:
            case t.Card():
                return self.world.face(word) is not None
            case t.Int(low, high):
                return bool(re.fullmatch("-?[0-9]{1,10}", word)) and low <= int(word) <= high
            case t.Pile():
                return self.is_pile(word.split("-"), scope)
        return word.casefold() in [name.casefold() for name in self.values(of, scope)]

    def is_pile(self, words: list[str], scope: Scope) -> bool:
        """`stock`, `column-3`, `foundation-hearts`, `melds-P2-1`."""
        zone = self.world.zones.get(words[0])
        if zone is None:
            return words[0] in self.world.tree.broken
        if zone.per is not None:
            if len(words) < 2 or words[1] not in self.values(index_type(zone.per), scope):
                return False
            del words[1]
        if zone.kind not in ("piles", "slots"):
            return len(words) == 1
        return len(words) == 2 and words[1].isdigit() and 1 <= int(words[1]) <= zone.count

    def values(self, of: t.Type, scope: Scope) -> tuple[str, ...]:
        """The names of the values of a type."""
        world = self.world
        match of:
            case t.Bool():
                return ("true", "false")
            case t.Player():
                return tuple(f"P{seat + 1}" for seat in range(scope.seats))
            case t.Team():
                return tuple(f"T{team + 1}" for team in range(world.tree.players[1]))
            case t.Suit():
                return world.suit_names()
            case t.Rank():
                return world.ranks
            case t.Word(name):
                return world.words[name]
            case t.Pile():
                return tuple(world.zones)
        return ()

    def allowed(self, node: AllowedTree, scope: Scope) -> Allowed:
        """Exactly these first choices."""
        self.seat(node.event.seat, self.word_of(node.event, 0), scope)
        self.move(node.event.move)
        move = self.moves.get(node.event.move.id)
        if move is not None and not move.choices:
            if node.words and move.name not in self.world.tree.broken:
                self.world.findings.error(
                    "RK829", f"move `{move.name}` has no choices", node.event.span,
                    expected="a move with `choose`",
                )  # fmt: skip
        elif move is not None and not isinstance(move.choices[0].type, Unknown):
            for place, words in enumerate(node.words):
                span = node.spots[place] if place < len(node.spots) else node.event.span
                for word in words.split():
                    self.check_value(word, [move.choices[0].type], span, scope)
        return Allowed(node.event.seat, node.event.move.id, node.words, span=node.span)

    def check_label(self, node: RefusedTree) -> None:
        """The label must be a cascade entry or a condition of the move."""
        entry = self.world.move_trees.get(node.event.move.id)
        if entry is None:
            return
        move = entry[0]
        labels = [x.label.text for choice in move.choices for x in choice.entries if x.label]
        labels += [c.label.text for c in move.conditions]
        labels += [LIFTED, ACCEPTING] if move.layout else []
        if node.label.text not in labels:
            near = nearest(node.label.text, labels)
            self.world.findings.error(
                "RK825", f"move `{move.name.id}` has no rule `{node.label.text}`", node.label.span,
                expected=", ".join(f"`{x}`" for x in labels) or "a labelled rule",
                help=f"did you mean `{near}`?" if near else None, suggestion=near,
            )  # fmt: skip

    # ------------------------------------------------------------ given

    def given(self, tree: GivenTree, scope: Scope) -> Given | None:
        """A place and its cards, or a state and its value."""
        name, world = tree.place_name.id, self.world
        zone, state = world.zones.get(name), world.state.get(name)
        if zone is None and state is None:
            self.no_place(tree.place_name)
            return None
        per = zone.per if zone is not None else state.per if state is not None else None
        index = None
        if per is not None:
            index = self.index(tree, index_type(per), per, scope)
        elif zone is not None and zone.kind in ("piles", "slots"):
            index = self.index(tree, t.Int(1, zone.count), "number", scope)
        elif tree.target is not None and world.said_often("RK418", name, most=1):
            return None
        elif tree.target is not None:
            world.findings.error(
                "RK418", f"`{name}` is one thing, not one of each", tree.target_span or tree.span,
                expected=f"`{name}` alone",
            )  # fmt: skip
            return None
        if index is None and (per is not None or (zone is not None and zone.kind in ("piles", "slots"))):
            return None
        if zone is not None:
            cards = self.given_cards(tree, zone.seen_by == "face")
            return None if cards is None else Given(name, index, cards, span=tree.span)
        assert state is not None
        value = self.given_value(tree, state.type, scope)
        return None if value is None else Given(name, index, None, value, span=tree.span)

    def no_place(self, name: s.Name) -> None:
        """Report a name that is neither a zone nor a state."""
        world = self.world
        if name.id in world.tree.broken or name.id in world.refused or world.reported(name.span):
            return
        if world.said_often("RK401", name.id):
            return
        near = nearest(name.id, [*world.zones, *world.state])
        help = f"did you mean `{near}`?" if near else None
        if name.id in world.options:
            near, help = None, "it is an option: write it under `options:`"
        world.findings.error(
            "RK401", f"there is no zone or state `{name.id}`", name.span, expected="a zone or a state",
            help=help, suggestion=near,
        )  # fmt: skip

    def index(self, tree: GivenTree, of: t.Type, per: str, scope: Scope) -> e.Expr | None:
        """Whose, or the how manieth."""
        span = tree.target_span or tree.span
        if tree.target is None:
            member = self.values(of, scope)[0] if self.values(of, scope) else "1"
            self.world.findings.error(
                "RK404", f"whose `{tree.place_name.id}`?", tree.span, expected=f"`of` and {of}",
                help=f"write `{tree.place_name.id} of {member}`",
            )  # fmt: skip
            return None
        text = tree.target.removeprefix("team of ") if isinstance(of, t.Team) else tree.target
        found = None if " " in text else self.one(tree.target, of, span, scope)
        if found is not None and isinstance(found.type, Unknown):
            return None
        fitted = None if found is None else fit(found, of, self.world)
        base = fitted.player if isinstance(fitted, e.TeamOf) else fitted
        if fitted is None or not isinstance(base, e.Constant) or not in_range(base, of):
            members = ", ".join(f"`{name}`" for name in self.values(of, scope))
            self.world.findings.error(
                "RK501", f"`{tree.place_name.id}` is per {per}, and `{tree.target}` cannot stand here", span,
                expected=members or f"a number {between(of)}",
            )  # fmt: skip
            return None
        return fitted

    def one(self, text: str, of: t.Type, span: Span, scope: Scope) -> e.Expr:
        """One value; for a team also `team of P1`, or a player of it."""
        teams = isinstance(strip(of), t.Team)
        found = self.x.expr(self.text_expr(text.removeprefix("team of ") if teams else text, span), scope, of)
        return (
            e.TeamOf(found, type=t.TEAM, span=span) if teams and isinstance(found.type, t.Player) else found
        )

    def text_expr(self, text: str, span: Span) -> s.Expr:
        """A single word as syntax."""
        if text == "none":
            return s.Nothing(span=span)
        if text in ("true", "false"):
            return s.Truth(text == "true", span=span)
        if text[0] == "-" and text[1:].isdigit():
            return s.Negate(s.Literals((text[1:],), span=span), span=span)
        if text[0].isdigit() or text[0].isupper():
            return s.Literals(tuple(text.split()), span=span)
        return s.Name(text, span=span)

    def spot(self, tree: GivenTree, place: int) -> Span:
        """The place of one of the words that are given."""
        return tree.spots[place] if len(tree.spots) == len(tree.words) else tree.span

    def spots(self, tree: GivenTree) -> Iterable[tuple[str, Span]]:
        """The words that are given, and their places."""
        spots = tree.spots if len(tree.spots) == len(tree.words) else (tree.span,) * len(tree.words)
        return zip(tree.words, spots, strict=True)

    def given_cards(self, tree: GivenTree, faced: bool) -> tuple[tuple[Face, bool | None], ...] | None:
        """`9H up`, bottom first; `empty` gives none."""
        found: list[tuple[Face, bool | None]] = []
        if tree.words == ("empty",):
            return ()
        for place, word in enumerate(tree.words):
            if word in ("up", "down") and found:
                if not faced:
                    self.world.findings.error(
                        "RK826", f"cards in `{tree.place_name.id}` lie neither up nor down",
                        self.spot(tree, place),
                        expected="a zone `seen by face` for `up` and `down`",
                    )  # fmt: skip
                found[-1] = (found[-1][0], word == "up")
                continue
            face = self.world.face(word)
            if face is None or face in self.world.gone:
                self.no_card(word, self.spot(tree, place))
                return None
            found.append((face, None))
        return tuple(found)

    def no_card(self, word: str, span: Span) -> None:
        """Report a word that should be a card."""
        world = self.world
        if world.notation_broken or world.said_often("RK408", word):
            return
        faces = [r + suit.letter for suit in world.suits for r in world.ranks[: world.plain_ranks]]
        near = nearest(word.upper(), [*faces, *world.ranks[world.plain_ranks :]])
        if word.islower():
            near = nearest(word, ["empty"]) if word != "empty" else None
        if near is not None and world.face(near) in world.gone:
            near = None
        help = f"did you mean `{near}`?" if near else None
        letters = [suit.letter for suit in world.suits]
        if word[:-1] in world.ranks and word[-1].isalpha() and word[-1] not in letters:
            near, help = None, f"the suits are {', '.join(f'`{letter}`' for letter in letters)}"
        if word == "none":
            help = "no card at all is `empty`"
        world.findings.error(
            "RK408", f"the pack has no card `{word}`", span,
            expected=f"cards like `{faces[-1]}`" if faces else "cards",
            help=help, suggestion=near,
        )  # fmt: skip

    def given_value(self, tree: GivenTree, of: t.Type, scope: Scope) -> e.Expr | None:
        """The value of a state: one word, or several for a set."""
        if not tree.words:
            if not self.world.reported(tree.span):
                self.world.findings.error(
                    "RK827", f"`{tree.place}` is given no value", tree.span, expected=str(of)
                )
            return None
        if tree.words == ("empty",) and isinstance(of, t.Collection):
            return e.Constant((), type=of, span=tree.span)
        if isinstance(strip(of), t.Team):
            tree = replace(tree, words=(" ".join(tree.words),))
        if len(tree.words) > 1 and not isinstance(of, t.Collection):
            (_, first), *_, (_, last) = self.spots(tree)
            self.world.findings.error(
                "RK827", f"`{tree.place}` is given {len(tree.words)} values", first.to(last), expected=str(of)
            )
            return None
        found: e.Expr | None = None
        for word, span in self.spots(tree):
            part = self.one(word, of, span, scope)
            fitted = fit(part, of, self.world)
            if fitted is None:
                self.world.findings.error(
                    "RK501", f"`{tree.place}` is {of}, and is given {part.type}", span, expected=str(of)
                )
                return None
            if not in_range(fitted, of):
                self.world.findings.error(
                    "RK425", f"`{tree.place}` cannot be {word}", span, expected=f"a number {between(of)}"
                )
                return None
            found = fitted if found is None else e.Union(found, fitted, type=of, span=tree.span)
        return found

    def check_twice(self, given: list[Given], tree: ExampleTree) -> None:
        """A card cannot lie in more places than the pack has copies of it (CON-06)."""
        world = self.world
        seen: dict[Face, list[Given]] = {}
        places = {node.span: node for node in tree.given}
        for place in given:
            for number, (face, _) in enumerate(place.cards or ()):
                others = seen.setdefault(face, [])
                others.append(place)
                if len(others) != world.most_copies + 1:
                    continue
                rank = world.ranks[face.rank]
                text = rank if face.suit is None else rank + world.suits[face.suit].letter
                names = list(dict.fromkeys(g.span.text if g.span is not None else g.name for g in others))
                where = " and ".join(f"`{name}`" for name in names)
                times = (
                    f", {'twice' if len(others) == 2 else f'{len(others)} times'}" if len(names) == 1 else ""
                )
                node = places.get(place.span) if place.span is not None else None
                world.findings.error(
                    "RK828", f"`{text}` lies in {where}{times}",
                    self.card_spot(node, number) if node is not None else place.span,
                    expected="each card in one place" if world.most_copies == 1
                    else f"at most {world.most_copies} of a kind",
                )  # fmt: skip

    def card_spot(self, tree: GivenTree, number: int) -> Span:
        """The place of the card of that number among those given."""
        cards = [span for word, span in self.spots(tree) if word not in ("up", "down")]
        return cards[number] if number < len(cards) else tree.span


def single(of: t.Type) -> t.Type:
    """One of several, without `or none`."""
    while is_collection(of):
        of = element(of)
    return strip(of)


def between(of: t.Type) -> str:
    """A range in words."""
    inner = strip(of)
    return f"from {inner.low} to {inner.high}" if isinstance(inner, t.Int) else "in range"


__all__ = ["Rulings"]
