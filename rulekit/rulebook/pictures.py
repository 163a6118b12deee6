"""Cards as small pictures, drawn here: each shape once as an SVG symbol, each card made of symbols."""

from __future__ import annotations

from html import escape

RED, BLACK = "#b8252c", "#1c1c22"

#: The sign of each suit in a square of 32, drawn for this book.
SHAPES = {
    "spades": "M16 2C13 8 4 13 4 20a6 6 0 0 0 10.5 4.500C14.3 27 13 29 10.5 30h11C19 29 17.7 27 17.5 24.5"
    "A6 6 0 0 0 28 20C28 13 19 8 16 2Z",
    "hearts": "M16 30C13 24 3 18 3 10.500A6.5 6.5 0 0 1 16 8a6.5 6.5 0 0 1 13 2.500C29 18 19 24 16 30Z",
    "diamonds": "M16 2C18.5 7.5 22.5 12.5 26 16c-3.5 3.5-7.5 8.5-10 14-2.5-5.5-6.5-10.5-10-14"
    "C9.5 12.5 13.5 7.5 16 2Z",
    "clubs": "M16 2a6 6 0 0 1 4.8 9.600A6 6 0 1 1 17.6 21c.3 4 1.4 7.5 4.4 9H10c3-1.5 4.1-5 4.4-9"
    "A6 6 0 1 1 11.2 11.6 6 6 0 0 1 16 2Z",
    "coins": "M16 3a13 13 0 1 1 0 26 13 13 0 1 1 0-26Zm0 3.500a9.5 9.5 0 1 0 0 19 9.5 9.5 0 1 0 0-19Z"
    "m0 3 2 4.5 4.5 2-4.5 2-2 4.5-2-4.5-4.5-2 4.5-2Z",
    "cups": "M6 3h20c0 9-3 13-8 14.500V24c3 .5 5 2 6 5H8c1-3 3-4.5 6-5v-6.500C9 16 6 12 6 3Z",
    "swords": "M16 1l3 5v15h5v3h-5v3.500a3 3 0 1 1-6 0V24H8v-3h5V6Z",
    "batons": "M11 3c4-2 8 0 8 4 0 3-1 5-1 9s2 6 2 9c0 4-6 6-8 3-1.5-2.5 1-5 1-10s-4-12-2-15Z",
    "acorns": "M15 2h2v4c6 .5 10 3.5 10 8H5c0-4.5 4-7.5 10-8ZM7 16h18c0 6-4 11-9 14C11 27 7 22 7 16Z",
    "leaves": "M16 1c7 6 11 11 11 16 0 5-4 8-9.5 7.500V31h-3v-6.500C9 25 5 22 5 17 5 12 9 7 16 1Z",
    "bells": "M16 2a3 3 0 0 1 3 3c5 1.5 8 6 8 11v6h2v3H3v-3h2v-6c0-5 3-9.5 8-11a3 3 0 0 1 3-3Zm-3.5 25h7"
    "a3.5 3.5 0 1 1-7 0Z",
}
COLORS = {
    "hearts": RED,
    "diamonds": RED,
    "coins": "#a8740f",
    "cups": "#a03327",
    "swords": "#2b4a7f",
    "batons": "#3c6b2f",
    "acorns": "#6b4a2b",
    "leaves": "#3c6b2f",
    "bells": "#a8740f",
}
OTHER_NAMES = {
    "staves": "batons",
    "wands": "batons",
    "leafs": "leaves",
    "shields": "bells",
    "roses": "hearts",
}


def shape_of(suit: str, names: tuple[str, ...]) -> str | None:
    """The shape of a suit among the suits of its pack: Italian clubs are batons."""
    if suit == "clubs" and "cups" in names:
        return "batons"
    suit = OTHER_NAMES.get(suit, suit)
    return suit if suit in SHAPES else None


class Pictures:
    """The cards of one pack: ``suits`` are letters and names, ``names`` what each face is called."""

    def __init__(self, suits: tuple[tuple[str, str], ...], names: tuple[tuple[str, str], ...]) -> None:
        self.suits = dict(suits)
        self.names = dict(names)
        self.used: dict[str, None] = {}

    def parts(self, face: str) -> tuple[str, str | None]:
        """Rank and suit of a face; no suit for an extra card."""
        for letter, suit in self.suits.items():
            if face.endswith(letter) and len(face) > len(letter):
                return face[: -len(letter)], suit
        return face, None

    def name(self, face: str) -> str:
        return self.names.get(face, face)

    def picture(self, face: str) -> str:
        """A card lying on the table."""
        self.used[face] = None
        return (
            f'<svg class="card" role="img" aria-label="{escape(self.name(face))}" viewBox="0 0 50 70">'
            f'<use href="#card-{escape(face)}"/></svg>'
        )

    def inline(self, face: str) -> str:
        """A card in a line of text: its rank and the sign of its suit."""
        rank, suit = self.parts(face)
        shape = None if suit is None else shape_of(suit, tuple(self.suits.values()))
        label = escape(self.name(face))
        if shape is None:
            return (
                f'<bdi class="chip" role="img" aria-label="{label}">{escape(self.name(face).title())}</bdi>'
            )
        self.used.setdefault(f"suit {shape}", None)
        return (
            f'<bdi class="chip" style="color:{COLORS.get(shape, BLACK)}" role="img" aria-label="{label}">'
            f"{escape(rank)}"
            f'<svg viewBox="0 0 32 32"><use href="#suit-{shape}"/></svg></bdi>'
        )

    def symbols(self) -> str:
        """The shapes and cards that were used, to stand once in the page."""
        names = tuple(self.suits.values())
        shapes: dict[str, None] = {}
        drawn = []
        for used in self.used:
            if used.startswith("suit "):
                shapes[used[5:]] = None
                continue
            rank, suit = self.parts(used)
            shape = None if suit is None else shape_of(suit, names)
            if shape is not None:
                shapes[shape] = None
            drawn.append(self.symbol(used, rank, suit, shape))
        signs = [
            f'<symbol id="suit-{shape}" viewBox="0 0 32 32">'
            f'<path fill="currentColor" fill-rule="evenodd" d="{SHAPES[shape]}"/></symbol>'
            for shape in shapes
        ]
        if not signs and not drawn:
            return ""
        return f'<svg class="symbols" aria-hidden="true">{"".join(signs)}{"".join(drawn)}</svg>'

    def symbol(self, face: str, rank: str, suit: str | None, shape: str | None) -> str:
        """One card: a blank with its rank in the corner and its sign."""
        color = COLORS.get(shape or "", BLACK)
        blank = '<rect x=".75" y=".75" width="48.5" height="68.5" rx="5" fill="#fffdf8" stroke="#8d8878"/>'
        if shape is not None:
            body = (
                f'<text x="5" y="19" font-size="18" textLength="{17 if len(rank) > 1 else 11}" '
                f'lengthAdjust="spacingAndGlyphs">{escape(rank)}</text>'
                f'<use href="#suit-{shape}" x="5" y="22" width="11" height="11"/>'
                f'<use href="#suit-{shape}" x="18" y="36" width="26" height="26"/>'
            )
        else:
            size = min(15.0, 62 / max(len(face), 1))
            middle = f'x="25" y="38" font-size="{size:.1f}" text-anchor="middle"'
            body = f"<text {middle}>{escape(face.title())}</text>"
            if suit is not None:
                body = f'<text x="5" y="19" font-size="18">{escape(rank)}</text>' + (
                    f'<text x="25" y="50" font-size="11" text-anchor="middle">{escape(suit)}</text>'
                )
        return (
            f'<symbol id="card-{escape(face)}" viewBox="0 0 50 70">{blank}'
            f'<g fill="{color}" color="{color}" font-family="Georgia, serif" font-weight="bold">{body}</g>'
            "</symbol>"
        )
