"""What the words of the language mean, for people: a form and a sentence for each."""

from __future__ import annotations

from rulekit.lsp.index import Symbol

#: Name: form and meaning.
NAMES: dict[str, tuple[str, str]] = {
    # facts of cards
    "suit": ("suit of CARD", "The suit printed on a card."),
    "rank": ("rank of CARD", "The rank printed on a card."),
    "color": ("color of CARD, color of SUIT", "`red` or `black`."),
    "number": ("number of CARD", "The place of the card's rank in the pack, 1 for the lowest."),
    "pip": ("pip of CARD", "1 for an ace, 2 to 10 as printed, none for courts."),
    "owner": ("owner of CARD", "The player whose zone the card lies in, else none."),
    "player": ("player of CARD", "Who last moved the card by a move of his own, else none."),
    "pile": ("pile of CARD", "The pile the card lies in, none in a set."),
    "face": ("face of CARD", "`up` or `down`."),
    # seats
    "left": ("left of PLAYER", "The next player clockwise."),
    "right": ("right of PLAYER", "The next player counter-clockwise."),
    "across": ("across of PLAYER", "The player who sits opposite."),
    "partner": ("partner of PLAYER", "The other player of a team of two."),
    "opponent": ("opponent of PLAYER", "With two players the other one."),
    "team": ("team of PLAYER", "The team a player belongs to."),
    # places
    "top": ("top of PILE", "The card placed last, or none."),
    "bottom": ("bottom of PILE", "The lowest card, or none."),
    "first": ("first of SEQUENCE", "The first element, or none."),
    "last": ("last of SEQUENCE", "The last element, or none."),
    "cards": ("cards of PILES", "All their cards."),
    "stacked": ("stacked of CARD", "The card and all that lies on it in its pile."),
    "index": ("index of PILE", "The pile's number, or whose it is."),
    "under": ("under", "In a layout's `on`: the card that is being covered."),
    "next": ("next of RANK, next of WORD", "The next higher; after the highest the lowest."),
    "other": ("other of WORD, other of TEAM", "The other one of two."),
    # functions
    "count": ("count(X)", "How many there are."),
    "any": ("any(X)", "Is there one? Of conditions: does one hold?"),
    "every": ("every(X where C)", "Does the condition hold for all?"),
    "only": ("only(X)", "The single element, else none."),
    "sum": ("sum(NUMBERS)", "The sum, 0 for none at all."),
    "min": ("min(X)", "The least; none if there is nothing."),
    "max": ("max(X)", "The greatest; none if there is nothing."),
    "highest": ("highest(X by KEY)", "The element with the greatest key; of equal ones the first."),
    "lowest": ("lowest(X by KEY)", "The element with the least key; of equal ones the first."),
    "all_highest": ("all_highest(X by KEY)", "All elements that are level with the greatest key."),
    "all_lowest": ("all_lowest(X by KEY)", "All elements that are level with the least key."),
    "answered": (
        "answered(MOVE; ...)",
        "Was one of these the last move made at an ask of this list?",
    ),
    "random": ("random(X)", "One of them, by chance; only as the whole right side of an assignment."),
    # constants
    "players": ("players, players of TEAM", "All players, or those of a team."),
    "teams": ("teams", "All teams."),
    "deck": ("deck", "Every card of the pack."),
    "suits": ("suits", "All suits, low to high."),
    "ranks": ("ranks", "All ranks, low to high."),
    "empty": ("empty", "The set that holds nothing."),
    "everyone": ("seen by everyone, to everyone", "All who sit at the table."),
    "nobody": ("seen by nobody", "Nobody sees it."),
    "all": ("deal all to ...", "As many as there are."),
    "me": ("me", "The player who is asked."),
    "it": ("it", "The element of the nearest `where`, `by`, fact or `each`."),
    "box": ("box", "Where every card starts: a zone that always exists and that nobody sees."),
    # types
    "bool": ("bool", "`true` or `false`; in an expression the set of both."),
    "int": ("int", "A whole number, as a parameter or a slot."),
    "card": ("card", "One card."),
    "key": ("key", "Values compared one after the other, as in `suit == trump then rank`."),
    "zone": ("zone", "A place where cards lie, as a slot of a block."),
    "moves": ("moves", "A list of moves, as a slot of a block."),
    "statements": ("statements", "A list of statements, as a slot of a block."),
}

#: Words that join expressions or begin sentences.
KEYWORDS: dict[str, tuple[str, str]] = {
    "if": ("if C then A else B", "One of two values; or, as a statement, `if C:` and a list."),
    "then": ("A then B", "After `if`: the value if it holds. In a key: compared next, if level so far."),
    "else": ("else", "What holds otherwise."),
    "where": ("X where C", "Those of X for which C holds; in C they are `it`."),
    "or": ("A or B", "At least one of the two holds."),
    "and": ("A and B", "Both hold."),
    "not": ("not A", "A does not hold."),
    "in": ("X in Y", "Is X among Y? For a set: are all of X in Y?"),
    "is": ("X is PATTERN", "Are these cards, all together, an instance of the pattern?"),
    "beats": ("A beats B as PATTERN", "Is A the higher instance?"),
    "as": ("A beats B as PATTERN", "By which pattern they are compared."),
    "best": ("best PATTERN from X", "How strong the strongest instance is, a key."),
    "tail": ("tail PATTERN from PILE", "The longest end of the pile that is an instance."),
    "from": ("3 from X, PATTERN from X", "All sets of so many, or all instances inside X."),
    "outside": ("X outside PATTERN", "The cards left over by the best arrangement."),
    "inside": ("X inside PATTERN", "The sets by which most can be covered."),
    "starting": ("X starting PLAYER", "Round the table, clockwise from there."),
    "of": ("NAME of X", "The one way to look something up."),
    "by": ("highest(X by KEY)", "What is compared."),
    "none": ("none", "There is no value."),
    "true": ("true", "It holds."),
    "false": ("false", "It does not hold."),
    "at most": ("X at most N", "The smaller of the two numbers."),
    "at least": ("X at least N", "The larger of the two numbers."),
    "let": ("let NAME = X", "A local that the statements after it may read."),
    "move": ("move CARDS to PLACE", "Cards change their place."),
    "deal": ("deal N to PLACE [from PILE] [starting P]", "Cards are dealt round, one at a time."),
    "shuffle": ("shuffle PILE, shuffle CARDS into PILE", "The order becomes random."),
    "swap": ("swap A with B", "Equal numbers of cards change places."),
    "flip": ("flip CARDS up, flip CARDS down", "Cards are turned in a zone seen by face."),
    "reveal": ("reveal X to WHO", "Shows cards, or a hidden value."),
    "do": ("do PHASE(A; B)", "Runs a phase."),
    "stop": ("stop PHASE", "Leaves a phase that is running."),
    "new": ("to new ZONE", "Claims a free slot."),
    "to": ("to PLACE", "Where it goes, or who is shown it."),
    "into": ("shuffle X into PILE", "Where the shuffled cards go."),
    "with": ("swap A with B, for REASON with CARDS", "What belongs to it."),
    "for": ("for x in X:, ask P for Q:", "Once for each; or on whose behalf."),
    "repeat": ("repeat N times:", "So many times."),
    "until": ("until C:", "Again and again; C is tested first."),
    "ask": ("ask P: [MOVES]", "P makes one legal move of the list."),
    "offer": ("offer PLAYERS: [MOVES]", "Asked in order; the first to accept ends it."),
    "per": ("per player|team|suit|rank|WORDS", "One for each of them."),
    "seen by": ("seen by WHO", "Who sees it: `everyone owner others team nobody`, for zones also `face`."),
}


def built_in(name: str) -> Symbol | None:
    """A word of the language as a symbol, None if it is none."""
    known = NAMES.get(name)
    return None if known is None else Symbol("built-in", name, None, known[0], "", known[1])


def keyword(name: str) -> Symbol | None:
    """A word that joins or begins something, None if it is none."""
    known = KEYWORDS.get(name)
    return None if known is None else Symbol("keyword", name, None, known[0], "", known[1])
