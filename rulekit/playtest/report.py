"""What a simulation found, as data and as JSON (documented in docs/json.md)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulekit.playtest.intervals import deviation, mean_interval, wilson
from rulekit.playtest.tally import Fault, Tally, average, middle

VERSION = 1  #: of the JSON form; raised when a key changes its meaning or goes


@dataclass(frozen=True)
class SeatReport:
    """One seat. ``share`` is its wins among all games, ``interval`` its 95% interval (Wilson).

    ``shared`` counts games in which it shared the first place with another side. Scores are those of
    games that did not end in a fault; ``score_interval`` is the 95% interval of their mean.
    """

    seat: int
    bot: str
    wins: int
    share: float
    interval: tuple[float, float]
    shared: int
    score_mean: float
    score_interval: tuple[float, float]
    score_deviation: float
    score_lowest: int | None
    score_highest: int | None


@dataclass(frozen=True)
class Spread:
    """Mean, median, least and most of whole numbers."""

    mean: float
    median: float
    least: int
    most: int


@dataclass(frozen=True)
class Ending:
    """How many games ended for this reason."""

    reason: str
    games: int
    share: float


@dataclass(frozen=True)
class Report:
    """A batch of games of one table.

    ``asked`` games were wanted, ``games`` were played (fewer if ``interrupted``). ``decided`` had one
    winning side, ``tied`` a shared first place. ``fair_share`` of the decided games would fall to each
    seat if all were alike; ``uneven`` lists the seats for which this is not believable: each with an
    interval so wide that all seats of a fair game lie inside theirs in 95% of batches.
    ``length`` is decisions a game, ``choices`` legal moves a decision, ``forced`` the share of decisions
    with a single one. ``engine`` played (`wasm`, `python`, `reference`; the figures do not depend on it), and
    ``note`` says why no faster one did.
    """

    ruleset: str
    fingerprint: str
    players: int
    options: Mapping[str, str]
    seed: int | str
    asked: int
    games: int
    interrupted: bool
    seats: tuple[SeatReport, ...]
    decided: int
    tied: int
    fair_share: float
    uneven: tuple[int, ...]
    length: Spread
    choices: Spread
    forced: float
    endings: tuple[Ending, ...]
    faults: tuple[Fault, ...]
    engine: str = "reference"
    note: str | None = None

    @property
    def faulty(self) -> int:
        """How many games ended in a fault."""
        return sum(ending.games for ending in self.endings if ending.reason == "fault")

    def to_json(self) -> dict[str, Any]:
        """The report as plain data; seats are named P1, P2 ..."""
        return {
            "kind": "simulation",
            "version": VERSION,
            "ruleset": self.ruleset,
            "hash": self.fingerprint,
            "players": self.players,
            "options": dict(self.options),
            "seed": self.seed,
            "engine": self.engine,
            "games": {
                "asked": self.asked,
                "played": self.games,
                "decided": self.decided,
                "tied": self.tied,
                "interrupted": self.interrupted,
            },
            "seats": [_seat_json(seat) for seat in self.seats],
            "balance": {
                "fair_share": _rounded(self.fair_share),
                "uneven": [f"P{seat + 1}" for seat in self.uneven],
            },
            "decisions": _spread_json(self.length),
            "choices": {**_spread_json(self.choices), "forced": _rounded(self.forced)},
            "endings": [
                {"reason": e.reason, "games": e.games, "share": _rounded(e.share)} for e in self.endings
            ],
            "faults": [{"game": fault.game, "text": fault.text} for fault in self.faults],
        }

    def json_text(self) -> str:
        """`to_json` as text: same report, same bytes."""
        return json.dumps(self.to_json(), indent=2, ensure_ascii=True)


def _seat_json(seat: SeatReport) -> dict[str, Any]:
    return {
        "seat": f"P{seat.seat + 1}",
        "bot": seat.bot,
        "wins": seat.wins,
        "share": _rounded(seat.share),
        "interval": [_rounded(end) for end in seat.interval],
        "shared": seat.shared,
        "score": {
            "mean": _rounded(seat.score_mean),
            "interval": [_rounded(end) for end in seat.score_interval],
            "deviation": _rounded(seat.score_deviation),
            "lowest": seat.score_lowest,
            "highest": seat.score_highest,
        },
    }


def _spread_json(spread: Spread) -> dict[str, Any]:
    return {
        "mean": _rounded(spread.mean),
        "median": spread.median,
        "least": spread.least,
        "most": spread.most,
    }


def _rounded(value: float) -> float:
    """Six places: enough for any number of games, and free of the last bits of floating point."""
    return round(value, 6)


def summarise(
    tally: Tally,
    *,
    ruleset: str,
    fingerprint: str,
    teams: int,
    options: Mapping[str, str],
    seed: int | str,
    asked: int,
    bots: Sequence[str],
    interrupted: bool = False,
    engine: str = "reference",
    note: str | None = None,
) -> Report:
    """The report of a tally. ``teams`` is how many sides there are (0: every seat for itself)."""
    players = len(tally.seats)
    games = tally.games
    seats = tuple(
        SeatReport(
            seat=number,
            bot=bot,
            wins=seat.wins,
            share=seat.wins / games if games else 0.0,
            interval=wilson(seat.wins, games),
            shared=seat.shared,
            score_mean=seat.total / seat.scored if seat.scored else 0.0,
            score_interval=mean_interval(seat.total, seat.squares, seat.scored),
            score_deviation=deviation(seat.total, seat.squares, seat.scored),
            score_lowest=seat.lowest,
            score_highest=seat.highest,
        )
        for number, (seat, bot) in enumerate(zip(tally.seats, bots, strict=True))
    )
    fair = 1 / (teams or players)
    # Bonferroni: with n seats, each interval is wide enough for 95% to hold of all of them at once.
    # Two sides are one comparison, for the one's wins are the other's losses.
    comparisons = 1 if (teams or players) == 2 else teams or players
    uneven = []
    for number, seat in enumerate(tally.seats):
        low, high = wilson(seat.wins, tally.decided, 1 - 0.05 / comparisons)
        if players > 1 and not low <= fair <= high:
            uneven.append(number)
    return Report(
        ruleset=ruleset,
        fingerprint=fingerprint,
        players=players,
        options=dict(options),
        seed=seed,
        asked=asked,
        games=games,
        interrupted=interrupted,
        seats=seats,
        decided=tally.decided,
        tied=tally.tied,
        fair_share=fair,
        uneven=tuple(uneven),
        length=_spread(tally.lengths),
        choices=_spread(tally.choices),
        forced=tally.choices[1] / tally.choices.total() if tally.choices else 0.0,
        endings=tuple(
            Ending(reason, count, count / games)
            for reason, count in sorted(tally.endings.items(), key=lambda item: (-item[1], item[0]))
        ),
        faults=tuple(tally.faults),
        engine=engine,
        note=note,
    )


def _spread(counts: Counter[int]) -> Spread:
    if not counts:
        return Spread(0.0, 0.0, 0, 0)
    return Spread(average(counts), middle(counts), min(counts), max(counts))
