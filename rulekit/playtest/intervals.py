"""Confidence intervals: how sure a figure from so many games is."""

from __future__ import annotations

from functools import cache
from math import sqrt
from statistics import NormalDist


@cache
def z_value(confidence: float) -> float:
    """Standard deviations that hold this share of a normal distribution, both sides: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Interval for a share, by Wilson's score (E. B. Wilson 1927); (0, 1) of no trials.

    It never leaves 0..1 and holds for few trials and for shares near 0 or 1.
    """
    if trials == 0:
        return 0.0, 1.0
    z = z_value(confidence)
    share = successes / trials
    spread = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / spread
    half = z / spread * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    # The ends are exact where rounding would leave them a hair inside or outside.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return low, high


def mean_interval(total: int, squares: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Interval for a mean from a sum and a sum of squares, by normal approximation."""
    if trials == 0:
        return 0.0, 0.0
    mean = total / trials
    half = z_value(confidence) * deviation(total, squares, trials) / sqrt(trials)
    return mean - half, mean + half


def deviation(total: int, squares: int, trials: int) -> float:
    """Sample standard deviation, exactly from whole numbers; 0 of fewer than two trials."""
    if trials < 2:
        return 0.0
    return sqrt((trials * squares - total * total) / (trials * (trials - 1)))
