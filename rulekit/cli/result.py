"""How a game ended, for people."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.cli.output import counted, seat_name, strong, table
from rulekit.cli.words import Words
from rulekit.engine import Outcome


def result(outcome: Outcome, words: Words) -> Iterator[str]:
    """How a game ended: places, scores, and why if it was not played out."""
    if outcome.fault is not None:
        yield strong(f"The game ended in a fault of the rules: {words.text(str(outcome.fault))}")
        for hint in outcome.fault.hints:
            yield f"  {words.text(hint)}"
        return
    if outcome.reason == "limit":
        yield "The game met the limit of decisions and is unfinished."
    elif outcome.reason == "loop":
        rounds = counted(outcome.length, "round")
        yield f"The game comes back to the same position every {rounds}, and is unfinished."
    first = outcome.ranking[0]
    if words.setup.players == 1:
        yield strong(words.say("The game is over."))
    elif len(first) == words.setup.players:
        yield strong(words.say("The game is a draw." if outcome.reason == "played out" else "Nobody wins."))
    elif len(first) == 1:
        yield strong(words.say("{1} wins.", seat_name(first[0])))
    else:
        joint = " and " if words.speech is None else ", "
        yield strong(words.say("{1} win.", joint.join(seat_name(seat) for seat in first)))
    rows, place = [], 1
    for group in outcome.ranking:
        for seat in group:
            score = outcome.scores[seat]
            rows.append(
                (f"{place}.", seat_name(seat), "-" if score is None else score, f"{outcome.payoffs[seat]:+g}")
            )
        place += len(group)
    if words.speech is None:
        yield table(rows, ("place", "seat", "score", "payoff"), right=(2, 3))
        return
    for number, name, scored, payoff in rows:  # columns fit only letters that are one column wide
        yield f"{number} {name}  {words.say('score')} {scored}, {words.say('payoff')} {payoff}"
