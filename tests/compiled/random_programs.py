"""Random rule files, valid by construction: packs of 1 to 128 cards, now and then of many more; conditions,
keys, statements."""

from __future__ import annotations

from hypothesis import strategies as st

RANKS = [str(n) for n in range(2, 11)] + ["J", "Q", "K", "A", *(f"X{n}" for n in range(1, 20))]
SUITS = ["clubs", "diamonds", "hearts", "spades"]
COMPARE = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])


@st.composite
def rule_files(draw: st.DrawFn) -> str:
    """A whole game: some zones, some state, a loop in which players move cards until a counter is full."""
    ranks = RANKS[: draw(st.integers(1, len(RANKS)))]
    suits = SUITS[: draw(st.integers(1, 4))]
    faces = len(ranks) * len(suits)
    if draw(st.integers(0, 7)):
        copies, most = draw(st.integers(1, max(1, min(2, 128 // faces)))), 128
    else:  # so many cards that a byte does not number them
        copies, most = draw(st.integers(-(-256 // faces), max(-(-256 // faces), 8))), 420
    if faces * copies > most:
        ranks = ranks[: max(1, most // (len(suits) * copies))]
    make = Writer(draw, ranks, suits)
    players = draw(st.integers(1, 4))
    rounds = draw(st.integers(1, 12))
    hand = draw(st.integers(0, max(0, len(ranks) * len(suits) * copies // (players + 1))))
    conditions = [make.condition("it", 2) for _ in range(draw(st.integers(0, 2)))]
    entries = "\n".join(
        [f"        - entry {n}: {make.cards(2)} where {condition}" for n, condition in enumerate(conditions)]
        + ["        - any card: hand"]
    )
    again = draw(st.sampled_from(["", f"    again: {make.condition('top of heap', 1)} and a < 5\n"]))
    return f"""
players: {players}
deck: {{ranks: {" ".join(ranks)}, suits: {" ".join(suits)}, copies: {copies}}}
patterns: {{one: 1 card, pair: 2 cards same rank}}
zones:
  stock: pile seen by nobody
  heap: pile seen by everyone
  spot: set seen by everyone
  hand: set per player seen by owner
state:
  turn: 0..999
  a: -99..99
  b: bool
  mark: suit?
  who: player = 0
  level: rank
  kept: set of player
play:
  - shuffle deck into stock
  - deal {hand} to hand from stock
  - until turn >= {rounds}:
      - turn += 1
      - {make.statement(2)}
      - {make.statement(1)}
{make.loop()}
      - for p in players:
          - if any(hand of p): [ask p: [lay, skip]]
            else: [ask p: [skip]]
moves:
  lay:
    text: Lay a card.
    choose:
      card:
{entries}
{again}    do:
      - move card to {draw(st.sampled_from(["heap", "spot", "bottom of heap", "hand of left of me"]))}
      - {make.statement(2, me=True)}
  skip: {{text: Do nothing., do: [{make.statement(1, me=True)}]}}
end: {{ranking: highest count(hand of it) + {make.number(2)}}}
""".replace("who: player = 0", "who: player?")


class Writer:
    """Writes random parts of rules. ``depth`` bounds how deep they are nested."""

    def __init__(self, draw: st.DrawFn, ranks: list[str], suits: list[str]) -> None:
        self.draw, self.ranks, self.suits = draw, ranks, suits

    def pick(self, *texts: str) -> str:
        return self.draw(st.sampled_from(texts))

    def small(self) -> int:
        return self.draw(st.integers(0, 9))

    def cards(self, depth: int) -> str:
        """A set of cards."""
        plain = self.pick("hand of left of who", "spot", "deck", "heap", "stock", "hand of who")
        if depth == 0:
            return plain
        one, other = self.cards(depth - 1), self.cards(0)
        return self.pick(
            plain,
            f"({one} | {other})",
            f"({one} - {other})",
            f"({one} where {self.condition('it', depth - 1)})",
        )

    def card(self, depth: int) -> str:
        cards = self.cards(depth)
        return self.pick(
            "top of heap",
            "bottom of heap",
            f"only({cards})",
            f"highest({cards} by {self.key('it', depth)})",
            f"lowest({cards} by {self.key('it', depth)})",
        )

    def key(self, it: str, depth: int) -> str:
        one = self.pick(f"rank of {it}", f"suit of {it} == mark then rank of {it}", f"number of {it}")
        return one if depth == 0 else self.pick(one, f"{self.condition(it, 0)} then {one}")

    def number(self, depth: int, it: str | None = None) -> str:
        plain = self.pick(str(self.small()), "a", "turn", str(-self.small()))
        if it is not None:
            plain = self.pick("a", f"count(hand of {it})", "turn")
        if depth == 0:
            return plain
        cards = self.cards(depth - 1)
        return self.pick(
            plain,
            f"count({cards})",
            f"(sum(number of {cards}) at most 50)",
            f"({plain} + {self.number(depth - 1)} at most 60)",
            f"(count({cards}) * 3 at most 40)",
            f"({plain} // 3)",
            f"({plain} % 4)",
            f"(if {self.condition('top of heap', 0)} then {plain} else {self.small()})",
        )

    def condition(self, it: str, depth: int) -> str:
        compare = self.draw(COMPARE)
        plain = self.pick(
            f"rank of {it} == {self.pick(*self.ranks)}",
            f"suit of {it} == {self.pick(*self.suits)}",
            f"suit of {it} == mark",
            f"rank of {it} {compare} rank of top of heap",
            f"rank of {it} {compare} level",
            f"color of {it} == color of top of heap",
            f"{it} in spot",
            f"a {compare} {self.small()}",
            "b",
            "who == none",
        )
        if depth == 0:
            return plain
        one, other = self.condition(it, depth - 1), self.condition(it, 0)
        return self.pick(
            plain,
            f"not ({one})",
            f"({one} and {other})",
            f"({one} or {other})",
            f"({self.number(depth - 1)} {compare} {self.number(0)})",
            f"any({self.cards(depth - 1)})",
            f"({self.card(depth - 1)} == {it})",
            f"every(players where count(hand of it) {compare} {self.small()})",
        )

    def loop(self) -> str:
        """A loop, in which now and then all are asked; lines of the list that is played each turn."""
        low, step = self.draw(st.integers(-3, 9)), self.draw(st.integers(1, 200))
        high = self.pick("a", "turn", "600", str(low + self.draw(st.integers(-1, 300))))
        some = self.pick("", f" where it % {self.small() + 2} == 1")
        ask = "for p in players: [ask p: [skip]]"
        plain, cards = self.statement(0), self.cards(1)
        return self.pick(
            "",
            f"      - for n in {low}..{high}{some}: [a = n % 90, {{if n % {step} == 0: [{ask}]}}]",
            f"      - let some = ({low}..{high}{some})\n      - {ask}\n      - a = count(some) % 90",
            f"      - for c in {cards}: [a = number of c at most 90, {{if c in spot: [{plain}, {ask}]}}]",
            f"      - for s in suits where it != mark: [mark = s, {ask}]",
            f"      - let parts = {cards} inside one\n      - {ask}\n      - a = count(parts) at most 90",
            f"      - for part in {cards} inside one: [{plain}, {{if count(part) > turn: [{ask}]}}]",
            f"      - for two in pair from hand of who: [a = (a + count(two)) % 90, {plain}]",
            f"      - a = count(pair from {cards}) at most 90",
        )

    def statement(self, depth: int, me: bool = False) -> str:
        plain = self.pick(
            f"a = ({self.number(depth)}) at least -90 at most 90",
            f"b = {self.condition('top of heap', depth)}",
            f"mark = suit of {self.card(0)}",
            f"who = owner of {self.card(depth)}",
            "level = next of level",
            "who = random(players)",
            f"mark = suit of {self.card(1)}",
            f"kept = players where count(hand of it) > {self.small()}",
            "shuffle heap",
            "move spot to heap",
            f"move ({self.cards(depth)}) to spot",
            "move heap to spot",
            "deal 1 at most count(stock) to spot from stock",
        )
        if depth == 0:
            return plain
        inner = self.statement(0, me)
        return self.pick(
            plain,
            "{"
            + f"if {self.condition('top of heap', depth - 1)}: [{inner}], else: [{self.statement(0, me)}]"
            + "}",
            "{" + f"for q in kept: [{inner}]" + "}",
            "{" + f"repeat {self.small() % 3 + 1} times: [{inner}]" + "}",
        )
