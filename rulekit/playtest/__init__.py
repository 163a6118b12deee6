"""Trying rules out: simulations, checks, coverage."""

from rulekit.playtest.check import CheckReport, check
from rulekit.playtest.report import Report
from rulekit.playtest.simulate import simulate

__all__ = ["CheckReport", "Report", "check", "simulate"]
