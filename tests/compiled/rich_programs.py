"""Random rule files of many forms: patterns, selections, bags, words, faces, slots, phases, sealed asks.

`random_programs` writes games that the checker does not refuse, and that hypothesis can make smaller. These
are of more kinds, come from a number, and some are refused.
"""

from __future__ import annotations

from random import Random

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = ["clubs", "diamonds", "hearts", "spades"]
PATTERNS = ["pair", "run", "sumset", "mixed", "odd"]
COMPARE = ["==", "!=", "<", "<=", ">", ">="]


class Writer:
    """Writes random parts of rules. ``depth`` bounds how deep they are nested.

    ``it``  what `it` is, the innermost last;  ``known``  locals with their kinds;  ``me``  a move is written
    """

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.it: list[str] = []
        self.known: list[tuple[str, str]] = []
        self.me = False
        self.names = 0

    def pick(self, *texts: str) -> str:
        return self.random.choice(texts)

    def upto(self, most: int) -> int:
        return self.random.randint(0, most)

    def locals(self, *kinds: str) -> list[str]:
        return [name for name, kind in self.known if kind in kinds]

    def is_it(self, kind: str) -> bool:
        return bool(self.it) and self.it[-1] == kind

    # ------------------------------------------------------------ who and which

    def player(self, depth: int = 0) -> str:
        found = ["dealer", "left of dealer", "right of dealer", "lowest(players by 0)"]
        found += ["me", "left of me"] if self.me else []
        found += ["it"] * 3 if self.is_it("player") else []
        found += self.locals("player")
        return f"left of {self.player(depth - 1)}" if depth and not self.upto(3) else self.pick(*found)

    def players(self, depth: int = 0) -> str:
        plain = self.pick("players", "marked", f"(players - {self.player()})", f"(marked | {self.player()})")
        if not depth:
            return plain
        return self.pick(
            plain,
            f"({self.players(depth - 1)} where {self.about('player', depth - 1)})",
            f"({plain} {self.pick('|', '&', '-')} {self.players(depth - 1)})",
            f"({plain} starting {self.player()})",
            f"{self.pick('all_highest', 'all_lowest')}({plain} by {self.key('player', depth - 1)})",
        )

    def zone(self) -> str:
        lanes, suit = f"lane of {1 + self.upto(2)}", self.pick(*SUITS)
        hands = f"hand of {self.player()}", f"hand of {self.players()}"
        places = "stock", "heap", "spot", "cards of lane", "face_up", "home of suits"
        return self.pick(
            *places, *hands, lanes, f"home of {suit}", f"cards of table of {self.player()}", "kept", "deck"
        )

    def cards(self, depth: int = 0) -> str:
        plain = self.pick(self.zone(), self.zone(), *self.locals("cards"))
        if not depth:
            return plain
        return self.pick(
            plain,
            f"({self.cards(depth - 1)} where {self.about('card', depth - 1)})",
            f"({plain} {self.pick('|', '&', '-')} {self.cards(depth - 1)})",
            f"{self.pick('all_highest', 'all_lowest')}({plain} by {self.key('card', depth - 1)})",
            f"({self.few()} outside {self.pick('pair', 'run', 'sumset')})",
            f"cards of {self.selection()}",
            f"(if {self.condition(depth - 1)} then ({plain} | kept) else ({self.cards()} & deck))",
        )

    def few(self) -> str:
        """Cards that are not many."""
        hand = f"hand of {self.player()}"
        some = f"({hand} where {self.about('card', 0)})"
        return self.pick(hand, some, "(spot where rank == 3)", f"home of {self.pick(*SUITS)}")

    def selection(self) -> str:
        return f"({self.pick('2', '1..2', '0..2', '3', '2..3', *PATTERNS)} from {self.few()})"

    def card(self, depth: int = 0) -> str:
        """A card or none."""
        plain = ["top of stock", "bottom of heap", "top of heap", "last_card", "first of heap"]
        plain += self.locals("card", "card or none")
        if depth:
            cards = self.cards(depth - 1)
            plain += [
                f"{self.pick('highest', 'lowest')}({cards} by {self.key('card', depth - 1)})",
                f"only({cards})",
                f"last of {self.pick('stock', 'heap')}",
            ]
        return self.pick(*plain)

    def certain(self) -> str:
        """A card, or nothing."""
        found = self.locals("card") + ["it"] * 3 * self.is_it("card")
        return self.pick(*found) if found else ""

    # ------------------------------------------------------------ numbers, keys, conditions

    def number(self, depth: int = 0) -> str:
        found = ["a", "turn", str(self.upto(9)), f"score of {self.player()}", "count(players)"]
        found += [f"tally of {self.pick(*RANKS[:4])}", *self.locals("number")]
        if card := self.certain():
            facts = "number", "worth", "points", "tally of rank"
            found += [f"{fact} of {card}" for fact in facts]
        if self.it:
            of_it = {
                "player": ["score of it", "count(hand of it)", "score"],
                "number": ["it"] * 3,
                "set": ["count(it)", "sum(number of it)"] * 2,
            }
            found += of_it.get(self.it[-1], [])
        plain = self.pick(*found)
        if not depth:
            return plain
        inner, cards = self.number(depth - 1), self.cards(depth - 1)
        return self.pick(
            plain,
            f"count({cards})",
            f"count({self.selection()})",
            f"sum({self.pick('number', 'worth', 'points')} of {cards})",
            f"({inner} {self.pick('+', '-', 'at most', 'at least')} {plain})",
            f"({inner} * {self.upto(8) - 3} % 91)",
            f"({inner} // {1 + self.upto(3)})",
            f"(if {self.condition(depth - 1)} then {inner} else {plain})",
            f"count({self.players(depth - 1)})",
            f"{self.pick('max', 'min')}(score of players)",
            f"count({self.pick('1..12', '-3..40', '0..300')} where {self.about('number', depth - 1)})",
            f"count(suit of {cards})",
            f"sum(score of {self.players(depth - 1)})",
            f"count(cards of lane where {self.about('card', depth - 1)})",
            f"mix({plain}; {self.card()})",
        )

    def key(self, kind: str, depth: int) -> str:
        self.it.append(kind)
        keys = {
            "card": ["rank", "suit", "number", "suit == trump then rank", "worth then suit", "strength"],
            "player": ["score", "count(hand)", "it == dealer then score"],
        }
        found = self.pick(*keys[kind], self.number(min(depth, 1)))
        found += "" if self.upto(6) else f" then {self.condition()}"
        self.it.pop()
        return found

    def about(self, kind: str, depth: int) -> str:
        """A condition about `it`."""
        self.it.append(kind)
        found = self.condition(depth)
        self.it.pop()
        return found

    def condition(self, depth: int = 0) -> str:
        compare = self.pick(*COMPARE)
        found = ["b", "trump == none", "mood == calm", "call > clubs", "not b", f"last_card in {self.zone()}"]
        found += [f"{self.number()} {compare} {self.number()}", f"{self.player()} in marked"]
        if card := self.certain():
            found += [
                f"suit of {card} == trump",
                f"rank of {card} {compare} {self.pick('3', '4', 'level')}",
                f"{card} in {self.zone()}",
                f"owner of {card} == {self.player()}",
                f"player of {card} == {self.player()}",
                f"color of {card} == red",
                f"wild of {card}",
                f"pile of {card} == stock",
            ]
        if self.it:
            of_it = {
                "player": [f"score {compare} 4", "it == dealer", "any(hand of it)"],
                "number": [f"it % 3 {compare} {self.upto(2)}", f"it {compare} a"],
                "set": [f"count(it) {compare} 2", "it is pair", "it is run", "it is mixed"],
            }
            found += of_it.get(self.it[-1], []) * 2
        plain = self.pick(*found)
        if not depth:
            return plain
        cards, few = self.cards(depth - 1), self.few()
        return self.pick(
            plain,
            f"not ({self.condition(depth - 1)})",
            f"({self.condition(depth - 1)} {self.pick('and', 'or')} {plain})",
            f"({self.number(depth - 1)} {compare} {self.number()})",
            f"any({cards})",
            f"every({self.cards()} where {self.about('card', depth - 1)})",
            f"({few}) is {self.pick(*PATTERNS)}",
            f"({cards}) in ({self.cards()})",
            f"({self.card(depth - 1)} {self.pick('==', '!=')} {self.card()})",
            f"any({self.selection()} where {self.about('set', depth - 1)})",
            f"(best ranked from {few} {compare} best ranked from {self.few()})",
            f"(({self.cards()}) == ({cards}))",
            f"({few} beats {self.few()} as ranked)",
        )

    # ------------------------------------------------------------ statements

    def bounded(self, number: str, low: int = -90, high: int = 90) -> str:
        return f"({number}) at least {low} at most {high}"

    def statements(self, depth: int, most: int = 3) -> str:
        kept = len(self.known)
        made = [self.statement(depth) for _ in range(1 + self.upto(most - 1))]
        del self.known[kept:]
        return ", ".join(made)

    def statement(self, depth: int) -> str:
        return self.compound(depth) if depth and self.upto(1) else self.plain()

    def plain(self) -> str:
        hand, cards = f"hand of {self.player()}", self.cards(1)
        return self.pick(
            f"a = {self.bounded(self.number(2))}",
            f"b = {self.condition(2)}",
            f"trump = suit of {self.card(1)}",
            f"last_card = {self.card(2)}",
            f"kept = {self.cards(2)}",
            f"marked = {self.players(2)}",
            f"score of {self.player(1)} = {self.bounded(self.number(2))}",
            f"move {cards} to {self.place()}",
            f"move {self.pick('top of stock', 'bottom of heap', 'top of heap')} to {self.place()}",
            f"shuffle {self.pick('stock', 'heap')}",
            f"dealer = {self.pick('random(players)', self.player(1))}",
            f"a = random({self.pick('1..6', '0..90', '-40..40', '0..300 where it < 80')})",
            f"deal 2 at most count(stock) to {self.pick('spot', 'heap', 'face_up')} from stock",
            f"flip (face_up where {self.about('card', 0)}) {self.pick('up', 'down')}",
            f"reveal ({cards}) to {self.pick('everyone', self.player())}",
            f"mood = {self.pick('next of mood', 'sad', 'glad')}",
            f"tally of {self.pick(*RANKS[:4])} = {self.bounded(self.number(1), 0, 60)}",
            f"call = {self.pick('hearts', 'notrump', 'clubs')}",
            f"swap {cards} with {cards}",
            f"swap ({hand} where rank == 3) with ({hand} where rank == 3)",
            "swap top of stock with bottom of stock",
            f"move top of stock to new table of {self.player()}",
        )

    def compound(self, depth: int) -> str:
        self.names += 1
        name = f"v{self.names}"
        choice = self.upto(7)
        if choice == 0:
            kind = self.pick("number", "cards", "card or none", "player")
            made = {
                "number": self.number,
                "cards": self.cards,
                "card or none": self.card,
                "player": self.player,
            }
            text = f"let {name} = {made[kind](1)}"
            self.known.append((name, kind))
            return text
        if choice == 1:
            then, other = self.statements(depth - 1), self.statements(depth - 1)
            return f"{{if {self.condition(2)}: [{then}], else: [{other}]}}"
        if choice == 2:
            return f"{{repeat {self.bounded(self.number(1), 0, 4)} times: [{self.statements(depth - 1)}]}}"
        if choice == 3 and not self.me:
            return f"{{ask {self.player()}: [lay, pass]}}"
        if choice == 4 and not self.me:
            return f"{{ask {self.players(1)} together: [lay, pick_set, pass]}}"
        kind, many = self.random.choice(
            [
                ("card", f"({self.cards(1)})"),
                ("player", self.players(1)),
                ("number", self.pick("1..7", "-2..5", "0..300", "0..count(stock)")),
                ("cards", self.selection()),
            ]
        )
        self.known.append((name, kind))
        body = self.plain() if many == "0..300" else self.statements(depth - 1)
        self.known.remove((name, kind))
        return f"{{for {name} in {many}: [{body}]}}"

    def place(self) -> str:
        plain = "heap", "spot", "stock", "bottom of stock", "bottom of heap", "face_up"
        homes = f"home of {self.pick(*SUITS)}", f"lane of {1 + self.upto(2)}"
        return self.pick(*plain, *homes, f"hand of {self.player()}")

    # ------------------------------------------------------------ the whole

    def moves(self) -> str:
        self.me = True
        first, fits = self.about("card", 1), self.condition(1)
        self.known.append(("card", "card"))
        lay = f"{self.statements(1, 2)}, move card to {self.pick('heap', 'spot', 'bottom of heap')}"
        self.known[:] = [("cards", "cards")]
        allowed, picked = self.condition(1), self.statements(1, 2)
        self.known[:] = [("n", "number"), ("p", "player")]
        named, done = self.condition(1), self.statements(1, 1)
        self.known.clear()
        again = self.pick("", f", again: turn < 3 and {self.condition()}")
        self.me = False
        sets = self.pick("1..2", "2", *PATTERNS)
        return f"""
  lay:
    text: Lay a card.
    choose: {{card: [{{first ones: (hand where {first})}}, {{any card: hand}}]}}
    if: {{it fits: {fits}}}
    do: [{lay}]{again.replace(", again", chr(10) + "    again")}
  pick_set:
    text: Lay cards.
    choose: {{cards: {sets} from hand}}
    if: {{it fits: {allowed}}}
    do: [{picked}, move cards to {self.pick("heap", "spot", "lane of 2")}]
  name_one:
    text: Name a number and somebody.
    choose: {{n: 1..{self.pick("5", "12", "300")}, p: players where it != dealer}}
    if: {{it fits: {named}}}
    do: [{done}]
  pass: {{text: Do nothing., do: []}}
"""

    def file(self) -> str:
        """A whole game: zones and state of all kinds, some rounds of phases in phases, four moves."""
        ranks = RANKS[: 4 + self.upto(9)]
        copies, players = self.pick("1", "1", "2", "3"), 1 + self.upto(4)
        hand = 1 + self.upto(min(4, len(ranks) * 4 // (players + 2) - 1))
        order = " ".join(ranks)
        suited = self.pick("same suit ", "")
        return f"""
players: {players}
deck: {{ranks: {order}, suits: {" ".join(SUITS)}, copies: {copies}}}
words: {{temper: sad calm glad, strain: clubs diamonds hearts spades notrump}}
orders: {{row: {order} {ranks[0]}}}
card:
  points: {{{ranks[0]}: 3, red: 1, else: 0}}
  worth: {{{ranks[-1]}: 11, else: number}}
  wild: rank == {ranks[1]}
  strength: suit == trump then rank
patterns:
  pair: 2 cards same rank
  run: 3..4 cards {suited}consecutive row
  sumset: 2..3 cards where sum(worth of it) == {5 + self.upto(10)}
  mixed: pair with 1 cards each color of it == red
  odd: {{is: 2..3 cards same suit, wild: deck where wild, most_wild: 1}}
  ranked:
    - one: 1 cards
    - two: pair
    - three: 3 cards same suit
zones:
  stock: pile seen by nobody
  heap: pile seen by everyone
  spot: set seen by everyone
  lane: 3 piles seen by everyone
  face_up: set seen by face
  home: pile per suit seen by everyone
  table: up to 3 piles per player seen by everyone
  hand: set per player seen by owner
state:
  turn: 0..999
  a: -99..99
  b: bool
  trump: suit?
  level: rank
  mood: temper
  call: strain
  dealer: player = lowest(players by 0)
  marked: players
  kept: cards
  last_card: card?
  score: {{is: -99..99 per player}}
  tally: {{is: 0..60 per rank}}
define:
  mix(int x; card? c): if c == none then x % 7 else number of c + x % 5
play:
  - shuffle deck into stock
  - deal {hand} to hand from stock
  - until turn >= {1 + self.upto(3)}:
      - turn += 1
      - do part(turn)
      - for p in players: [ask p: [lay, pick_set, name_one, pass]]
  - a = {self.bounded(self.number(2))}
phases:
  part(int k):
    state: {{inner_turn: 0..99}}
    stop when: inner_turn > 2 and {self.condition(1)}
    do:
      - inner_turn += 1
      - do deeper
      - inner_turn += 1
    after: [{self.statements(1, 1)}]
  deeper: {{do: [{self.statements(2, 4)}], after: [{self.statements(2)}]}}
moves:{self.moves()}
end: {{ranking: highest score then count(hand), limit: 60}}
"""
