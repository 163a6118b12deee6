"""What is wrong with a text that does not parse, in plain words."""
from __future__ import annotations
from typing import Any
from rulekit.diagnostics import Findings
from rulekit.source.document import Scalar

def too_long(scalar: Scalar, limit: int, findings: Findings) -> None:
    findings.error("RK301", f"this text has {len(scalar.text)} characters", scalar.span)

def too_deep(scalar: Scalar, start: int, limit: int, findings: Findings) -> None:
    findings.error("RK302", f"deeper than {limit}", scalar.at(start, start + 1))

def not_whole(form: str, scalar: Scalar, token: Any, findings: Findings) -> None:
    findings.error("RK303", f"`{token}` not whole", scalar.at(token.start_pos, token.end_pos))

def unexpected(form: str, scalar: Scalar, error: Any, findings: Findings) -> None:
    pos = error.pos_in_stream
    findings.error("RK330", f"unexpected in {form} at {pos}: {scalar.text[pos:pos+20]!r} in {scalar.text!r}", scalar.at(pos, pos + 1))

def no_event(scalar: Scalar, findings: Findings) -> None:
    findings.error("RK360", "no event", scalar.span)

def no_seat_move(scalar: Scalar, findings: Findings) -> None:
    findings.error("RK361", "no seat move", scalar.span)
