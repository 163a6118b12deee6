"""The typed program: plain frozen data that everything else reads."""

from rulekit.program.program import Program
from rulekit.program.setup import BOX, Place, Setup, prepare

__all__ = ["BOX", "Place", "Program", "Setup", "prepare"]
