"""How moves, deals and shuffles change what is known about how many cards lie where."""

from __future__ import annotations

from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.bounds import Known, Range, Size, clip
from rulekit.program.learn import Estimator
from rulekit.program.origins import target_zones
from rulekit.program.uses import Uses
from rulekit.program.walk import walk_expressions


def carry(
    estimator: Estimator, uses: Uses, known: Known, cards: e.Expr, to: s.CardPlace, count: Size
) -> None:
    """`move CARDS to PLACE`."""
    program = estimator.program
    origin = uses.origins.of(cards)
    targets = target_zones(to, program)
    whole = _whole_zone(cards)
    if whole is not None and whole not in targets and whole in known.zones:
        known.zones[whole] = Range(0, 0)
    else:
        sources = tuple(known.zones) if origin is None else origin
        # A local may name cards that have been moved since: then nothing surely leaves.
        direct = origin is not None and len(origin) == 1 and not _names_local(cards)
        for zone in sources:
            if zone in known.zones and not (zone in targets and _single(zone, estimator)):
                now = known.zones[zone]
                leaves = count.low if direct and _single(zone, estimator) else 0
                known.zones[zone] = Range(max(0, now.low - count.high), max(0, now.high - leaves))
    for zone in targets:
        if origin == frozenset({zone}) and _single(zone, estimator):
            continue
        sure = len(targets) == 1 and isinstance(to, s.ZonePlace) and to.index is None
        stays = origin is None or zone in origin
        _add(estimator, known, zone, Range(count.low if sure and not stays else 0, count.high))


def deal(estimator: Estimator, known: Known, stmt: s.Deal) -> Range | None:
    """`deal N to ZONE`: how many cards it takes in all; None: more than there are."""
    count, total, have = needed(estimator, known, stmt)
    if total.low > have.high:
        return None
    match stmt.source:
        case s.ZonePlace(zone, index) if zone in known.zones:
            leaves = total.low if index is None else 0
            known.zones[zone] = Range(max(0, have.low - total.high), max(0, have.high - leaves))
    each = Range(0, total.high)
    if isinstance(stmt.to, s.PilePlace):
        of = stmt.to.pile.type
        for zone in [of.zone] if isinstance(of, t.Pile) and of.zone else list(known.zones):
            _add(estimator, known, zone, each)
        return total
    if stmt.players is None:
        if stmt.to.index is None:
            each = total
    elif _everybody(stmt.players):
        each = count if stmt.count is not None else _shares(total, estimator.table.players)
    elif stmt.count is not None:
        each = Range(0, count.high)
    for target in target_zones(stmt.to, estimator.program):
        _add(estimator, known, target, each)
    return total


def needed(estimator: Estimator, known: Known, stmt: s.Deal) -> tuple[Range, Range, Range]:
    """How many cards each gets, how many that is in all, and how many there are."""
    have = Range(0, estimator.table.cards.high)
    match stmt.source:
        case s.ZonePlace(zone):
            have = known.zones.get(zone, have)
    if stmt.count is None:
        return Range(0, have.high), have, have
    count = estimator.number(stmt.count, known)
    count = Range(max(0, count.low), max(0, count.high))
    if stmt.players is None:
        return count, count, have
    players = estimator.size(stmt.players, known)
    return count, Range(clip(count.low * players.low), clip(count.high * players.high)), have


def shuffle(estimator: Estimator, uses: Uses, known: Known, stmt: s.Shuffle) -> None:
    """`shuffle CARDS into ZONE`."""
    if stmt.cards is None:
        return
    if isinstance(stmt.cards, e.Deck):
        for zone in known.zones:
            known.zones[zone] = Range(0, 0)
        if stmt.into.zone in known.zones:
            all_cards = estimator.table.cards
            single = stmt.into.index is None
            known.zones[stmt.into.zone] = all_cards if single else Range(0, all_cards.high)
        return
    carry(estimator, uses, known, stmt.cards, stmt.into, estimator.size(stmt.cards, known))


def _add(estimator: Estimator, known: Known, zone: str, count: Range) -> None:
    if zone in known.zones:
        now, most = known.zones[zone], estimator.table.cards.high
        known.zones[zone] = Range(min(now.low + count.low, most), min(now.high + count.high, most))


def _single(zone: str, estimator: Estimator) -> bool:
    found = estimator.program.zones.get(zone)
    return found is None or (found.per is None and found.kind in ("set", "pile"))


def _whole_zone(cards: e.Expr) -> str | None:
    """The zone of which these are all the cards."""
    match cards:
        case e.ZoneCards(zone, None) | e.FamilyCards(zone) | e.PileCards(e.ZonePile(zone, None)):
            return zone
    return None


def _names_local(cards: e.Expr) -> bool:
    return any(isinstance(part, e.Local) for part in walk_expressions(cards))


def _shares(total: Range, players: Range) -> Range:
    """How many cards each player gets when all are dealt out."""
    return Range(total.low // max(1, players.high), -(-total.high // max(1, players.low)))


def _everybody(players: e.Expr) -> bool:
    match players:
        case e.Players() | e.Rounds(e.Players()):
            return True
    return False
