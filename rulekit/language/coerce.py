"""Which type fits where, and the conversions between them: the complete list of section 4."""

from __future__ import annotations

import re

from rulekit.diagnostics import Note, Span
from rulekit.language.one_form import one_form
from rulekit.language.world import UNKNOWN, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.walk import walk_expressions


def strip(of: t.Type) -> t.Type:
    """The type without `or none`."""
    return of.of if isinstance(of, t.Optional) else of


def optional(of: t.Type) -> t.Type:
    """The type, or none. A collection or condition of none is empty or false, so it stays what it is."""
    if isinstance(of, (t.Optional, t.Collection, t.Nothing, Unknown, t.Bool)):
        return of
    return t.Optional(of)


def retyped(x: e.Expr, of: t.Type) -> e.Expr:
    """The same expression with another type."""
    from dataclasses import replace

    return replace(x, type=of)


def is_collection(of: t.Type) -> bool:
    return isinstance(of, t.Collection)


def element(of: t.Type) -> t.Type:
    """What a collection holds; a selection domain holds sets."""
    if isinstance(of, t.SelectionsOf):
        return t.SetOf(of.of)
    if isinstance(of, (t.SetOf, t.SeqOf, t.BagOf)):
        return of.of
    return UNKNOWN


def same_kind(a: t.Type, b: t.Type) -> bool:
    """Values of these types can be equal (numbers of any range, piles of any zone)."""
    a, b = strip(a), strip(b)
    if isinstance(a, (Unknown, t.Nothing)) or isinstance(b, (Unknown, t.Nothing)):
        return True
    if is_collection(a) and is_collection(b):
        return same_kind(element(a), element(b))
    if isinstance(a, t.Int) and isinstance(b, t.Int):
        return True
    if isinstance(a, t.Pile) and isinstance(b, t.Pile):
        return True
    if isinstance(a, t.Key) and isinstance(b, t.Key):
        return True
    return a == b


def join(a: t.Type, b: t.Type) -> t.Type | None:
    """The type of a value that is of one or the other, or None if they have nothing in common."""
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return UNKNOWN
    if isinstance(a, t.Nothing):
        return optional(b)
    if isinstance(b, t.Nothing):
        return optional(a)
    if isinstance(a, t.Optional) or isinstance(b, t.Optional):
        inner = join(strip(a), strip(b))
        return None if inner is None else optional(inner)
    if isinstance(a, t.Int) and isinstance(b, t.Int):
        return t.Int(min(a.low, b.low), max(a.high, b.high))
    if is_collection(a) and is_collection(b):
        if not same_kind(a, b):
            return None
        of = join(element(a), element(b))
        if isinstance(of, Unknown):  # an empty set is of the kind of the other
            of = element(b) if isinstance(element(a), Unknown) else element(a)
        if of is None:
            return None
        if isinstance(a, t.BagOf) and isinstance(b, t.BagOf):
            return t.BagOf(of)
        if isinstance(a, t.SeqOf) and isinstance(b, t.SeqOf):
            return t.SeqOf(of)
        if isinstance(a, t.SelectionsOf) and isinstance(b, t.SelectionsOf):
            return t.SelectionsOf(a.of)
        return t.SetOf(of)
    if isinstance(a, t.Pile) and isinstance(b, t.Pile):
        return a if a == b else t.PILE
    if isinstance(a, t.Key) and isinstance(b, t.Key):
        return a
    return a if a == b else None


def as_cards(x: e.Expr, world: World) -> e.Expr | None:
    """The cards that an expression stands for where cards are needed, or None if it is none."""
    of = x.type
    if isinstance(of, Unknown):
        return x
    if isinstance(strip(of), t.Card):
        return e.One(x, type=t.CARDS, span=x.span)
    if isinstance(strip(of), t.Pile):
        if isinstance(x, e.ZonePile):
            return e.ZoneCards(x.zone, x.index, type=t.SeqOf(t.CARD), span=x.span)
        return e.PileCards(x, type=t.SeqOf(t.CARD), span=x.span)
    if is_collection(of):
        inner = element(of)
        if isinstance(inner, (t.Card, Unknown)):
            return x
        if isinstance(inner, t.Pile):
            if isinstance(x, e.ZonePiles):
                return e.ZoneCards(x.zone, x.index, type=t.CARDS, span=x.span)
            local = world.new_local("it", inner, lasting=False)
            cards = e.PileCards(e.Local(local, type=inner, span=x.span), type=t.SeqOf(t.CARD), span=x.span)
            return e.Collect(x, local, cards, flatten=True, type=t.CARDS, span=x.span)
        if is_collection(inner) and isinstance(element(inner), t.Card):
            local = world.new_local("it", inner, lasting=False)
            each = e.Local(local, type=inner, span=x.span)
            return e.Collect(x, local, each, flatten=True, type=t.CARDS, span=x.span)
    return None


def as_pile(x: e.Expr) -> e.Expr | None:
    """The pile that an expression stands for where a pile is needed."""
    if isinstance(x, e.ZoneCards) and isinstance(x.type, t.SeqOf):
        return e.ZonePile(x.zone, x.index, type=t.Pile(x.zone), span=x.span)
    if isinstance(strip(x.type), (t.Pile, Unknown)):
        return x
    return None


def as_collection(x: e.Expr, world: World) -> e.Expr | None:
    """A collection where one is needed: a single player, card or pile (or none) counts as one."""
    of = x.type
    if is_collection(of) or isinstance(of, Unknown):
        return x
    match strip(of):
        case t.Team():
            return e.TeamPlayers(x, type=t.PLAYERS, span=x.span)
        case t.Pile():
            return as_cards(x, world)
        case t.Player() | t.Card() | t.Suit() | t.Rank() | t.Word():
            return e.One(x, type=t.SetOf(strip(of)), span=x.span)
    return None


def beside_piles(x: e.Expr, other: e.Expr) -> e.Expr | None:
    """A single pile beside a set of piles is that pile, not its cards; None if it is something else."""
    if not isinstance(strip(x.type), t.Pile) or not is_collection(other.type):
        return None
    if not isinstance(element(other.type), t.Pile):
        return None
    return e.One(x, type=t.SetOf(strip(x.type)), span=x.span)


def fit(x: e.Expr, want: t.Type, world: World) -> e.Expr | None:
    """The expression as a ``want``, converted if the language allows it, else None.

    A value that may be none fits where one is needed: none there is a fault of the ruleset when it happens.
    """
    of = x.type
    if isinstance(of, Unknown) or isinstance(want, Unknown):
        return x
    if isinstance(want, t.Optional):
        if isinstance(of, t.Nothing):
            return x
        return fit(x, want.of, world)
    if isinstance(want, t.Collection):
        inner = element(want)
        if isinstance(inner, t.Card):
            return as_cards(x, world)
        found = as_collection(x, world)
        if found is None or isinstance(found.type, Unknown):
            return found
        if isinstance(inner, t.Player) and isinstance(element(found.type), t.Team):
            local = world.new_local("it", t.TEAM, lasting=False)
            each = e.TeamPlayers(e.Local(local, type=t.TEAM), type=t.PLAYERS)
            return e.Collect(found, local, each, flatten=True, type=t.PLAYERS, span=x.span)
        return found if same_kind(element(found.type), inner) else None
    if isinstance(want, t.Pile):
        return as_pile(x)
    if isinstance(want, t.Key):
        return x if orderable(strip(of)) else None
    if isinstance(of, t.Nothing):
        return None
    return x if same_kind(of, want) and not is_collection(of) else None


def orderable(of: t.Type) -> bool:
    """Values of the type come in an order."""
    return isinstance(of, (t.Int, t.Rank, t.Suit, t.Word, t.Key, t.Bool, Unknown))


def in_range(x: e.Expr, of: t.Type) -> bool:
    """The number may lie in the range of the type: it is not surely outside (other values always may)."""
    here, there = strip(x.type), strip(of)
    if not isinstance(here, t.Int) or not isinstance(there, t.Int):
        return True
    return here.low <= there.high and there.low <= here.high


def require(x: e.Expr, want: t.Type, world: World, span: Span | None, what: str | None = None) -> e.Expr:
    """`fit`, or a finding that says both types."""
    found = fit(x, want, world)
    if found is not None:
        return found
    role = f"{what} is" if what else "here stands"
    not_one_of(x, want, world, f"{role} {x.type}, where {want} is needed", span)
    return world.unknown(span)


def not_one_of(
    x: e.Expr, want: t.Type, world: World, message: str, span: Span | None, help: str | None = None
) -> None:
    """Reports a value of another type than ``want``.

    Where it is a set because a state is declared as one (`dealer: players`) that place is shown too; and if
    the state is given one value elsewhere (`dealer = random(players)`) the declaration is told, once.
    """
    single = strip(want)
    notes = []
    if is_collection(x.type) and not is_collection(single):
        for name in _states_in(x, world):
            state = world.state[name]
            if state.type != t.SetOf(single) or state.span is None:
                continue
            if _is_given_one(state.name, state.span.source.text):
                if state.name not in world.told_as_sets:
                    world.told_as_sets.add(state.name)
                    world.findings.error(
                        "RK501", f"`{state.name}` is declared as {state.type}, and used as one", state.span,
                        expected=f"`{state.name}: {_word(single)}`",
                        notes=[Note(f"here {want} is needed", span)] if span else [],
                    )  # fmt: skip
                return
            notes = [Note(f"`{state.name}` is declared here as {state.type}", state.span)]
            break
    world.findings.error("RK501", message, span, expected=str(want), help=help, notes=notes)


def _states_in(x: e.Expr, world: World) -> list[str]:
    """The states that an expression names, or the defines it uses."""
    found: list[str] = []
    for part in walk_expressions(x):
        if isinstance(part, e.StateOf):
            found.append(part.state)
        elif isinstance(part, e.CallDefine) and part.define in world.define_trees:
            span = world.define_trees[part.define][0].span
            line = span.source.text[span.start :].partition("\n")[0]
            found += [word for word in re.findall(r"[a-z]\w*", line) if word in world.state]
    return [name for name in found if name in world.state]


def _is_given_one(name: str, text: str) -> bool:
    """Is the state given a single player, card or the like somewhere in the file?"""
    one = "random|left of|right of|opponent of|partner of|first of|player of|owner of|only|highest|lowest"
    return re.search(rf"\b{name} = ({one})\b", text) is not None


def _word(of: t.Type) -> str:
    """A type as it is written: `a player` is `player`."""
    return str(of).split()[-1]


def surely_some(x: e.Expr, known: frozenset[e.Expr] = frozenset()) -> bool:
    """The collection surely has an element. ``known``: what conditions have told (`AnyOf(X)`: X has one)."""
    if known and one_form(e.AnyOf(x, type=t.BOOL)) in known:
        return True
    match x:
        case e.Players() | e.Teams() | e.Deck() | e.TeamPlayers():
            return True
        case e.Constant(value=tuple() as values):
            return bool(values)
        case e.Collect(domain, flatten=False):
            return surely_some(domain, known) and not isinstance(element(x.type), t.Optional)
        case e.Rounds(domain) | e.Extreme(domain=domain):
            return surely_some(domain, known)
        case e.One(of):
            return not isinstance(of.type, (t.Optional, t.Nothing))
        case e.Union(left, right):
            return surely_some(left, known) or surely_some(right, known)
    return False
