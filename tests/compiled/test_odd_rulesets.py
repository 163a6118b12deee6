"""Small rulesets of odd shapes, side by side in all three engines."""

from __future__ import annotations

import pytest
from lockstep import Lockstep
from programs import program

ODD = {
    "ten players in five teams, 120 cards, chips in millions": """
players: 10
teams: 5
deck: {ranks: 2 3 4 5 6 7 8 9 10 J Q K, suits: clubs diamonds hearts spades, copies: 2,
      extra: JOKER JOKER JOKER JOKER JOKER JOKER JOKER JOKER JOKER JOKER JOKER JOKER JOKER JOKER JOKER
      JOKER JOKER JOKER JOKER JOKER JOKER JOKER JOKER JOKER}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  heap: pile per team seen by everyone
state:
  chips: {is: -2000000..2000000 per player = 1000000, text: C.}
  bid: {is: 0..2000000 per player, text: B.}
  top_of: {is: -2000000..2000000 per team, text: B.}
  dealer: player
play:
  - dealer = random(players)
  - shuffle deck into stock
  - deal 11 to hand
  - for p in players starting dealer: [ask p: [stake, lay]]
  - ask players together: [lay, stake]
  - for t in teams: [top_of of t = max(chips of players of t)]
  - for p in players: [chips of p -= bid of p // 7, bid of p = bid of p * 2 // 2]
  - swap hand of dealer with hand of left of dealer
moves:
  stake: {text: T., choose: {n: 0..800}, if: {it is enough: n % 3 == 1 or n > 700}, do: [bid = n,
        chips -= n]}
  lay: {text: T., choose: {given: 3 from hand}, do: [move given to heap of team of me,
        chips += count(given) * sum(number of (given where number != none))]}
end: {ranking: highest chips}
""",
    "phases in phases, sealed choices, piles that come and go": """
players: 3..6
deck: {ranks: 2 3 4 5 6 7, suits: hearts spades clubs, copies: 2}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  table: up to 4 piles per player seen by everyone
  out: pile seen by everyone
state:
  score: {is: -99..99 per player, text: S.}
  round_no: {is: 0..9, text: R.}
play:
  - shuffle deck into stock
  - deal 5 to hand from stock
  - repeat 2 times:
      - do outer(2)
  - for p in players: [score of p += count(table of p) for piles]
phases:
  outer(int n):
    state:
      seen: {is: 0..40, text: S.}
      lead: {is: player?, text: F.}
    stop when: seen > 14
    do:
      - round_no += 1
      - repeat n times:
          - do inner(round_no)
      - seen += 3
    after:
      - for p in players: [score of p += seen // 4]
  inner(int k):
    state:
      done: {is: players, text: D.}
    stop when: count(done) == count(players) - 1
    do:
      - ask players together: [put, hold]
      - seen += count(done)
      - for p in players - done:
          - ask p: [put, hold]
    after:
      - if count(stock) > 3: [move top of stock to out]
      - lead = lowest((players - done) by count(hand))
      - if lead != none: [score of lead += k]
moves:
  put:
    text: T.
    choose: {card: hand}
    if: {room: count(table) < 4}
    do: [move card to new table, done += me]
  hold:
    text: T.
    do: [score -= 1]
    again: score % 3 == 0 and any(hand where number > 2) and score > -20
end: {ranking: highest score then count(hand)}
""",
    "wild cards, two packs, the best parting": """
players: 2..4
deck: {ranks: 2 3 4 5 6 7 8 9 10 J Q K A, suits: clubs diamonds hearts spades, copies: 2,
      extra: JOKER JOKER}
orders: {row: A 2 3 4 5 6 7 8 9 10 J Q K A}
card:
  wild: rank == JOKER or rank == 2
  worth: {JOKER: 50, 2: 20, A: 15, J Q K: 10, else: pip}
patterns:
  group: {is: 3.. cards same rank, wild: wilds, most_wild: 1}
  run: {is: 3..5 cards same suit consecutive row, wild: wilds, most_wild: 2}
  meld: group or run
define:
  wilds: deck where wild
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  table: up to 8 piles per player seen by everyone
  waste: pile seen by everyone
state: {score: 0..9999 per player}
play:
  - shuffle deck into stock
  - deal 9 to hand from stock
  - repeat 4 times:
      - for p in players: [ask p: [lay, throw], deal 1 to hand of p from stock]
  - for p in players: [score of p += sum(worth of (hand of p outside meld)) at most 300]
moves:
  lay: {text: T., choose: {cards: meld from hand}, if: {room: count(table) < 8},
        do: [move cards to new table], again: true}
  throw: {text: T., choose: {card: hand}, do: [move card to waste]}
end: {ranking: lowest score}
""",
    "one player, one card, a limit": """
players: 1
deck: {ranks: 7, suits: hearts}
zones: {stock: pile seen by nobody, spot: set seen by everyone, hand: set per player seen by owner}
state: {n: 0..3}
play:
  - shuffle deck into stock
  - until n == 3:
      - ask lowest(players by 0): [take, back]
moves:
  take: {text: T., choose: {card: stock | spot}, do: [move card to hand, n += 1]}
  back: {text: T., choose: {card: hand}, do: [move card to stock]}
end: {ranking: highest count(hand), limit: 40}
""",
    "words, sets of words, ranks, faces, piles per suit": """
players: 3
deck: {ranks: 2 3 4 5 6 7 8 9 10 J Q K A, suits: clubs diamonds hearts spades, copies: 2,
      without: 2C 3 AS}
words: {mood: sad calm glad, strain: clubs diamonds hearts spades notrump}
zones:
  stock: pile seen by nobody
  lane: 5 piles seen by face
  home: pile per suit seen by everyone
  hand: set per player seen by others
state:
  moods: {is: mood per player, text: M.}
  call: {is: strain?, text: C.}
  tally: {is: 0..60 per rank, text: T.}
  held: {is: set of strain, text: H.}
  who: {is: players, text: W.}
  kept: {is: cards, text: K.}
  target: {is: card?, text: C.}
  random_seat: player = lowest(players by 0)
  points: {is: -500..500 per player, text: P.}
play:
  - shuffle deck into stock
  - deal 4 to hand from stock
  - for n in 1..5: [move top of stock to lane of n, move top of stock to lane of n,
        flip top of lane of n up]
  - repeat 6 times:
      - for p in players starting random_seat:
          - ask p: [say, shift, name_suit]
      - who = all_highest(players by points)
      - random_seat = random(players)
  - for p in players: [points of p += tally of 5 - tally of Q]
moves:
  say: {text: T., choose: {w: strain where it > (if call == none then clubs else call)}, do: [call = w,
        held += w, points += count(held), moods = next of moods]}
  shift:
    text: T.
    choose: {card: cards of lane where face == up, n: 1..5}
    if: {another: pile of card != lane of n,
          fits: count(lane of n) == 0 or color of card != color of top of lane of n}
    do:
      - target = card
      - tally of rank of card += 1
      - move stacked of card to lane of n
      - kept += card
      - points += number of card - count(kept)
  name_suit:
    text: T.
    choose: {s: suits, m: mood, b: bool}
    if: {not mine: m != moods, some: count(stock) > 2}
    do:
      - moods = m
      - let top_one = top of stock
      - if top_one != none and suit of top_one == s: [points += 5]
        else if b: [points -= 1]
      - move top of stock to home of (if top_one != none then suit of top_one else s)
end: {ranking: highest points then moods}
""",
    "sums, joined patterns, three packs": """
players: 2..3
deck: {ranks: A 2 3 4 5 6 7 8 9 10 J Q K, suits: clubs diamonds hearts spades, copies: 3}
card:
  worth: {A: 1, J Q K: 10, else: pip}
patterns:
  fifteen: 2..4 cards where sum(worth of it) == 15
  pair: 2 cards same rank
  two_pairs: pair with pair
  rows: 3..4 cards consecutive rank
  book: two_pairs or rows
zones: {stock: pile seen by nobody, hand: set per player seen by owner, show: pile seen by everyone}
state: {score: 0..999 per player, k: 0..9999}
play:
  - shuffle deck into stock
  - deal 8 to hand from stock
  - for p in players:
      - score of p += 2 * (count(fifteen from hand of p) at most 50) for fifteens
      - score of p += count(hand of p inside book) for books
  - repeat 3 times:
      - ask players together: [lay, make]
      - k = (count(tail fifteen from show) + 3 * k) % 1000
moves:
  make: {text: T., choose: {cards: fifteen from hand}, do: [move cards to show, score += 15]}
  lay: {text: T., choose: {cards: 1..2 from hand},
        if: {like: every(cards where rank == max(rank of cards))}, do: [move cards to bottom of show,
        score += sum(worth of cards)]}
end: {ranking: highest score}
""",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_rulesets_run_alike(text: str) -> None:
    made = program(text)
    low, high = made.players
    for players in sorted({low, high}):
        lock = Lockstep(made, players)
        for game in range(2):
            lock.play(5, game, most=150)
        assert lock.decisions > 3
