"""The reference engine: plain and readable; what it does is what the language means."""

from rulekit.engine.coverage import Coverage
from rulekit.engine.fault import Fault, FaultError
from rulekit.engine.machine import Machine
from rulekit.engine.record import (
    Action,
    Decision,
    Ending,
    Event,
    IllegalAction,
    Outcome,
    Receipt,
    Refusal,
)
from rulekit.engine.state import State
from rulekit.engine.view import HIDDEN, PlaceView, View

__all__ = [
    "HIDDEN",
    "Action",
    "Coverage",
    "Decision",
    "Ending",
    "Event",
    "Fault",
    "FaultError",
    "IllegalAction",
    "Machine",
    "Outcome",
    "PlaceView",
    "Receipt",
    "Refusal",
    "State",
    "View",
]
