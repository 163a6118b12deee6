"""Random syntax trees, whole ones, and random texts that look a little like the language."""

from __future__ import annotations

from hypothesis import strategies as st

from rulekit.diagnostics import SourceFile
from rulekit.language import syntax as s
from rulekit.language.keywords import KEYWORDS, OPERATORS

NOWHERE = SourceFile("nowhere", "").span(0, 0)

_words = st.one_of(
    st.sampled_from(
        ["hand", "p", "it", "trick", "score", "top", "left", "up", "cards", "times", "per", "orb"]
    ),
    st.from_regex(r"[a-z][a-z0-9_]{0,7}", fullmatch=True),
)
names = _words.filter(lambda word: word not in KEYWORDS).map(lambda word: s.Name(word, span=NOWHERE))
labels = st.one_of(_words, st.sampled_from(sorted(KEYWORDS))).filter(
    lambda word: word not in ("none", "true", "false")
)
label_names = labels.map(lambda word: s.Name(word, span=NOWHERE))
literals = st.one_of(
    st.from_regex(r"[0-9]{0,2}[A-Z][A-Z0-9]{0,2}", fullmatch=True),
    st.from_regex(r"[0-9]{1,4}", fullmatch=True),
)


def _some(items: st.SearchStrategy, low: int, high: int) -> st.SearchStrategy:
    return st.lists(items, min_size=low, max_size=high).map(tuple)


_leaves = st.one_of(
    names,
    st.builds(s.Literals, _some(literals, 1, 3), span=st.just(NOWHERE)),
    st.just(s.Nothing(span=NOWHERE)),
    st.booleans().map(lambda value: s.Truth(value, span=NOWHERE)),
)


def _grown(inner: st.SearchStrategy) -> st.SearchStrategy:
    def node(kind, *parts, **named):
        return st.builds(kind, *parts, **named, span=st.just(NOWHERE))

    keys = st.one_of(inner, node(s.Key, _some(inner, 2, 3)))
    arguments = _some(st.one_of(inner, node(s.By, inner, keys)), 0, 3)
    pattern = node(s.PatternRef, names, arguments)
    return st.one_of(
        node(s.Of, names, inner),
        node(s.Call, names, arguments),
        node(s.Negate, inner),
        node(s.Not, inner),
        node(s.Logic, st.sampled_from(["or", "and"]), inner, inner),
        node(s.Compare, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), inner, inner),
        node(s.In, inner, inner, st.booleans()),
        node(s.Arith, st.sampled_from(["+", "-", "|", "&", "*", "//", "%"]), inner, inner),
        node(s.Clip, st.sampled_from(["at most", "at least"]), inner, inner),
        node(s.Range, inner, st.one_of(st.none(), inner)),
        node(s.From, inner, inner),
        node(s.Starting, inner, inner),
        node(s.Where, inner, inner),
        node(s.Cond, inner, inner, inner),
        node(s.Is, inner, pattern),
        node(s.Beats, inner, inner, pattern),
        node(s.Qualified, st.sampled_from(["best", "tail"]), pattern, inner),
        node(s.Outside, inner, pattern),
        node(s.Inside, inner, pattern),
    )


expressions = st.recursive(_leaves, _grown, max_leaves=12)


def _node(kind, *parts, **named) -> st.SearchStrategy:
    return st.builds(kind, *parts, **named, span=st.just(NOWHERE))


keys = st.one_of(expressions, _node(s.Key, _some(expressions, 2, 3)))
_arguments = _some(st.one_of(expressions, _node(s.By, expressions, keys)), 0, 2)
pattern_names = _node(s.PatternRef, names, _arguments)
places = _node(s.Place, names, st.one_of(st.none(), expressions))
_becauses = _node(s.Because, label_names, st.one_of(st.none(), expressions))
_counts = expressions.filter(lambda tree: not (isinstance(tree, s.Name) and tree.id == "all"))
calls = _node(s.Do, label_names, _arguments)

statements = st.one_of(
    _node(s.Assign, places, st.sampled_from(["=", "+=", "-="]), expressions, st.one_of(st.none(), _becauses)),
    _node(s.Let, names, expressions),
    _node(s.LetNew, names, places),
    _node(s.Move, expressions, expressions),
    _node(s.Move, expressions, places, st.just(True)),
    _node(
        s.Deal,
        st.one_of(st.none(), _counts),
        places,
        st.one_of(st.none(), places),
        st.one_of(st.none(), expressions),
    ),
    _node(s.Shuffle, expressions, st.one_of(st.none(), places)),
    _node(s.Swap, expressions, expressions),
    _node(s.Flip, expressions, st.booleans()),
    _node(s.Reveal, expressions, expressions),
    calls,
    _node(s.Stop, label_names),
)

heads = st.one_of(
    _node(s.IfHead, expressions),
    _node(s.ElseIfHead, expressions),
    _node(s.ElseHead),
    _node(s.ForHead, names, expressions),
    _node(s.RepeatHead, expressions),
    _node(s.UntilHead, expressions),
    _node(s.AskHead, expressions, st.one_of(st.none(), expressions)),
    _node(s.AskHead, expressions, together=st.just(True)),
    _node(s.OfferHead, expressions),
    _node(s.UseHead, names),
)

_type_names = names.filter(lambda name: name.id != "set")
_whole = st.integers(-(10**6), 10**6)
_word = st.one_of(_type_names.map(lambda name: name.id), st.integers(-99, 99).map(str), literals)
named_types = _node(s.NamedType, _type_names, st.booleans())
types = st.one_of(
    named_types,
    _node(s.SetType, names),
    _node(s.RangeType, _whole, _whole, st.booleans()),
    _node(s.WordsType, _some(_word, 2, 4), st.booleans()),
)
_maybe_name = st.one_of(st.none(), names)
_maybe_expression = st.one_of(st.none(), expressions)
declarations = _node(s.Declaration, types, _maybe_name, _maybe_name, _maybe_expression)
slots = _node(s.SlotDeclaration, named_types, _maybe_name, _maybe_expression)
zones = st.one_of(
    _node(s.ZoneDeclaration, st.sampled_from(["set", "pile"]), st.none(), _maybe_name, names),
    _node(s.ZoneDeclaration, st.sampled_from(["piles", "slots"]), st.integers(0, 99), _maybe_name, names),
)
signatures = _node(s.Signature, label_names, _some(_node(s.Parameter, named_types, names), 0, 3))
rankings = _node(s.Ranking, st.booleans(), keys)

_part_names = names.filter(lambda name: name.id not in ("card", "cards", "maximal"))
_part_patterns = _node(s.PatternRef, _part_names, _arguments)
_pattern_counts = st.one_of(
    st.integers(0, 13).map(lambda low: s.Count(low, low, span=NOWHERE)),
    _node(s.Count, st.integers(0, 13), st.one_of(st.none(), st.integers(0, 13))),
)
_constraints = _some(
    st.one_of(
        _node(s.Constraint, st.sampled_from(["same", "different", "consecutive"]), fact=names),
        _node(s.Constraint, st.sampled_from(["each", "where"]), condition=expressions),
    ),
    0,
    3,
)
_parts = st.one_of(
    _node(s.CardsPattern, _pattern_counts, _constraints, st.booleans()),
    _node(s.RepeatedPattern, _pattern_counts, _part_patterns, _constraints),
    _node(s.NamedPattern, _part_patterns),
)
_joined = st.one_of(_parts, _node(s.WithPattern, _some(_parts, 2, 3)))
patterns = st.one_of(_joined, _node(s.OrPattern, _some(_joined, 2, 3)))

TREES = {
    "expression": expressions,
    "key": keys,
    "statement": statements,
    "head": heads,
    "declaration": declarations,
    "slot": slots,
    "zone": zones,
    "signature": signatures,
    "ranking": rankings,
    "call": calls,
    "place": places,
    "pattern": patterns,
}
"""A strategy for each kind of text; `parser.parse_KIND` reads it, `formatter.format_KIND` writes it."""

_SCRAPS = [
    *KEYWORDS,
    *OPERATORS,
    *(
        "hand",
        "score",
        "p",
        "it",
        "QS",
        "10H",
        "7",
        "up",
        "times",
        "cards",
        "per",
        "seen by owner",
        "set",
        "pile",
    ),
    *(
        "(",
        ")",
        ";",
        ",",
        "=",
        "==",
        "+",
        "-",
        "*",
        "//",
        "|",
        "&",
        "..",
        "<",
        "!",
        "&&",
        "?",
        ":",
        ".",
        "[",
        "]",
    ),
    *('"', "'", "#", "$", "{", "}", "\\", "é", "Hand", "10h", "1.5", "_x", "\n", "\t"),
]
scrap_texts = st.lists(st.sampled_from(_SCRAPS), max_size=12).flatmap(
    lambda words: st.sampled_from([" ".join(words), "".join(words)])
)
texts = st.one_of(scrap_texts, st.text(max_size=30))
