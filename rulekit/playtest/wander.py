"""The random play of checks: a move first, each as likely as the others, then one of its actions.

Were all actions as likely, a bid among hundreds or a selection of cards would all but hide a `pass` or a
`double`, and much of the rules would never be reached.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.engine.chance import below
from rulekit.engine.record import Action


def wander(stream: int, legal: Sequence[Action]) -> tuple[int, int]:
    """The stream after its draws, and the place of an action among those that are legal (at least one)."""
    starts = [
        place for place, action in enumerate(legal) if place == 0 or action.move != legal[place - 1].move
    ]
    stream, which = below(stream, len(starts))
    end = starts[which + 1] if which + 1 < len(starts) else len(legal)
    stream, place = below(stream, end - starts[which])
    return stream, starts[which] + place
