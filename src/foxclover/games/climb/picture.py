"""Positions of Geht noch was? as pictures, drawn from the layout and view of the page."""

from __future__ import annotations

from collections.abc import Sequence

from foxclover.core.svg import CLOTH, CREAM, FAINT, HEADING, INK, LINE, WHITE, Svg, mix
from foxclover.games.climb.definitions import ClimbDefinition
from foxclover.games.climb.rules.state import State
from foxclover.games.climb.view import (
    ActiveView,
    CardLayout,
    ClimbLayout,
    ClimbView,
    LevelView,
    PlayerView,
    ScoredView,
    TermLayout,
    layout,
    view,
)
from foxclover.locale import Translator

WIDTH, EDGE, GAP = 760, 14, 8
DIE, CARD_WIDE, CARD_HIGH, SMALL = 44, 92, 84, 46
MARK = 20  # luck, black markers
DICE = {"B": "blue", "R": "red", "W": ""}
_LEAF = (
    "M0-1C-1.5-3-6-4.5-6-7.5-6-10-3-10.8-1.3-9.5-.7-9-.3-8.5 0-7.8.3-8.5.7-9 1.3-9.5 3-10.8 6-10 "
    "6-7.5 6-4.5 1.5-3 0-1Z"
)
CLOVER_SHAPE = (
    '<g transform="translate(12 11.5)" fill="currentColor" stroke="none">'
    + "".join(f'<path d="{_LEAF}" transform="rotate({angle})"/>' for angle in (45, 135, 225, 315))
    + "</g>"
)
EQUAL_SIGNS = ("pink", "red", "orange")  # a different sign for each group of equal dice


def draw(definition: ClimbDefinition, state: State, seat: int, translate: Translator) -> Svg:
    """Draw the dice and the tableau of a seat."""
    printed = layout(definition, translate)
    return _Picture(printed, view(definition, state), seat, translate).svg


class _Picture:
    """The picture of one seat, drawn from top to bottom."""

    def __init__(
        self, printed: ClimbLayout, seen: ClimbView, seat: int, translate: Translator
    ) -> None:
        self.printed, self.seen, self.translate = printed, seen, translate
        self.mine: PlayerView = seen["players"][seat]
        self.cards = {card["name"]: card for card in printed["cards"]}
        self.paints = {
            paint["name"]: (paint["colour"], paint["ink"]) for paint in printed["paints"]
        }
        self.paints[""] = (WHITE, INK)
        self.svg = Svg(WIDTH)
        y = self.dice(EDGE + HEADING) + GAP
        for number in reversed(range(len(self.mine["levels"]))):
            y = self.level(number, self.mine["levels"][number], y) + GAP
        self.svg.height = self.markers(y) + EDGE

    def dice(self, y: float) -> float:
        """Draw the dice, or their places before the first roll of a round."""
        high = DIE + 2 * GAP
        self.svg.rect((EDGE, y, WIDTH - 2 * EDGE, high), CLOTH, radius=12)
        faces = [*self.seen["blue"], *self.seen["red"]] or [0] * len(self.printed["dice"])
        x = EDGE + GAP + 4
        for colour, face in zip(self.printed["dice"], faces, strict=True):
            self.svg.die((x, y + GAP), DIE, self.paints[colour], face, colour)
            x += DIE + GAP
        for pile in reversed(self.seen["piles"]):
            x = WIDTH - EDGE - 56 - 78 * self.seen["piles"][::-1].index(pile)
            fill = self.paints[pile["colour"]][0]
            self.svg.rect((x - 18, y + 12, 26, 36), mix(fill, WHITE, 0.15), WHITE, 4)
            count = pile["shuffled"] + len(pile["under"])
            self.svg.text(x + 28, y + high / 2, count, 15, WHITE)
        return y + high

    def level(self, number: int, seen: LevelView, y: float) -> float:
        """Draw a level: its active cards, its factor and its scored cards."""
        svg, room = self.svg, self.printed["room"]
        high = CARD_HIGH + 2 * GAP
        green = mix("#2f8049", WHITE, 0.9 - 0.04 * number)
        wide = room * (CARD_WIDE + GAP) + GAP
        svg.rect((EDGE, y, wide, high), green, mix(green, "#2f8049", 0.3), 12)
        for spot in range(room):
            x = EDGE + GAP + spot * (CARD_WIDE + GAP)
            if spot < len(seen["active"]):
                self.active(seen["active"][spot], x, y + GAP)
            else:
                svg.rect((x, y + GAP, CARD_WIDE, CARD_HIGH), "none", mix(green, "#2f8049", 0.3), 8)
        middle = EDGE + wide + 38
        svg.circle(middle, y + high / 2, 24, "#2f7a45")
        svg.text(middle, y + high / 2, f"×{seen['factor']}", 19, WHITE)
        left = middle + 38
        svg.rect((left, y, WIDTH - EDGE - left, high), green, mix(green, "#2f8049", 0.3), 12)
        self.scored(seen["scored"], left + GAP, y + GAP, WIDTH - EDGE - left - 2 * GAP)
        if seen["points"]:
            svg.text(WIDTH - EDGE - 10, y + high - 12, seen["points"], 15, anchor="end")
        return y + high

    def active(self, seen: ActiveView, x: float, y: float) -> None:
        """Draw an active card with its marker; a ring marks one that the dice fulfil."""
        svg = self.svg
        if seen["met"]:
            svg.rect((x - 3, y - 3, CARD_WIDE + 6, CARD_HIGH + 6), "none", "#c8501a", 10, 3)
        self.card(self.cards[seen["card"]], (x, y, CARD_WIDE, CARD_HIGH))
        if seen["marker"] == "black":
            svg.circle(x + CARD_WIDE - 6, y + 4, 11, INK, WHITE)
        elif seen["marker"] == "luck":
            self.luck(x + CARD_WIDE - 6, y + 4, 11)

    def card(self, card: CardLayout, box: tuple[float, float, float, float]) -> None:
        """Draw a card: its colour, its condition, its name and its points."""
        svg, (x, y, wide, high) = self.svg, box
        colour = self.paints[card["colour"]][0]
        svg.rect(box, mix(colour, WHITE, 0.86), colour, 8, 2)
        svg.rect((x + 1, y + 1, wide - 2, 6), colour, radius=3)
        foot = 16 if high > SMALL else 0
        self.condition(card["terms"], (x + 5, y + 10, wide - 10, high - 14 - foot))
        if foot:
            svg.text(x + 7, y + high - 10, card["points"], 12, anchor="start")
            svg.text(x + wide - 7, y + high - 10, card["name"], 10, FAINT, "end")

    def scored(self, cards: Sequence[ScoredView], x: float, y: float, wide: float) -> None:
        """Draw the scored cards in rows."""
        count = max(int(wide // (SMALL + 5)), 1)
        step = SMALL - 6 if len(cards) <= 2 * count else CARD_HIGH / -(-len(cards) // count)
        for at, scored in enumerate(cards):
            left, top = x + at % count * (SMALL + 5), y + at // count * step
            self.card(self.cards[scored["card"]], (left, top, SMALL, SMALL - 10))
            if scored["times"] > 1:
                self.svg.pill(left + SMALL + 4, top + 4, f"×{scored['times']}", "#c8501a")

    # -- conditions

    def condition(
        self,
        terms: Sequence[Sequence[TermLayout]],
        box: tuple[float, float, float, float],
    ) -> None:
        """Draw a condition with small dice: one row for each alternative, fitted to a box."""
        x, y, wide, high = box
        rows = [[_units(term) for term in row] for row in terms]
        longest = max(sum(row) + 0.3 * (len(row) - 1) for row in rows)
        size = min(wide / longest, high / (1.15 * len(rows)), high * 0.62)
        for number, (row, units) in enumerate(zip(terms, rows, strict=True)):
            middle = y + high * (number + 0.5) / len(rows)
            left = x + (wide - size * (sum(units) + 0.3 * (len(units) - 1))) / 2
            if number:
                self.svg.text(x + 3, middle - high / len(rows) / 2, "/", size * 0.6)
            for index, (term, unit) in enumerate(zip(row, units, strict=True)):
                self.term(term, (left, middle), size, EQUAL_SIGNS[index % len(EQUAL_SIGNS)])
                left += (unit + 0.3) * size

    def term(self, term: TermLayout, place: tuple[float, float], size: float, sign: str) -> None:
        """Draw a term from a point on its left."""
        svg, (x, y), kind = self.svg, place, term["kind"]
        if kind == "sum":
            svg.text(x + size * 0.3, y, "Σ", size * 0.8)
            self.mini((x + size * 0.7, y), size * 0.9, term["dice"])
            svg.text(x + size * 1.75, y, f"≥{term['value']}", size * 0.62, anchor="start")
            return
        if kind == "least" and len(term["dice"]) > 1:
            svg.text(x, y, f"{len(term['dice'])}×", size * 0.7, anchor="start")
            x += size * 1.15
        dice = term["dice"][:1] if kind == "least" else term["dice"]
        for at, die in enumerate(dice):
            up = (len(dice) - 1) / 2 - at if kind == "run" else 0.0
            face = term["value"] if kind in ("exact", "least") else 0
            corner = (x + at * size * (0.72 if kind == "run" else 1.0), y + up * size * 0.28)
            self.mini(corner, size * 0.92, die, face)
            if kind == "equal":
                ink = self.paints[DICE[die]][1]
                svg.sign(sign, corner[0] + size * 0.46, corner[1], size * 0.62, ink)
        if kind == "least":
            svg.text(x + size * 0.98, y, "+", size * 0.8, anchor="start")

    def mini(self, place: tuple[float, float], size: float, die: str, face: int = 0) -> None:
        """Draw a small die; without a face it is blank."""
        svg, (x, y) = self.svg, place
        colour, ink = self.paints[DICE[die[0]]]
        if face:
            svg.die((x, y - size / 2), size, (colour, ink), face)
        else:
            svg.rect((x, y - size / 2, size, size), colour, mix(colour, INK, 0.6), size * 0.2)

    # -- markers

    def luck(self, x: float, y: float, r: float, is_there: bool = True) -> None:
        """Draw a luck marker, or its empty place."""
        self.svg.circle(x, y, r, "#e3f1e6" if is_there else CREAM, "#2f7a45" if is_there else LINE)
        self.svg.icon(CLOVER_SHAPE, x, y, r * 1.6, "#2f7a45" if is_there else LINE)

    def markers(self, y: float) -> float:
        """Draw luck, black markers, the In/Out marker, waiting cards, and the total."""
        svg, mine, x = self.svg, self.mine, EDGE + MARK / 2 + 4
        for n in range(self.printed["clover"]):
            self.luck(x, y + 22, MARK / 2, n < mine["luck"])
            x += MARK + 5
        x += GAP
        for n in range(self.printed["black_markers"]):
            svg.circle(x, y + 22, MARK / 2 - 2, INK if n < mine["black"] else CREAM, FAINT)
            x += MARK + 2
        word = self.translate("climb.in" if mine["in_round"] else "climb.out")
        svg.pill(x + 56, y + 22, word, "#2f7a45" if mine["in_round"] else FAINT)
        x += 72
        for name in mine["waiting"]:
            self.card(self.cards[name], (x, y, SMALL, SMALL - 2))
            x += SMALL + 5
        svg.pill(WIDTH - EDGE, y + 22, f"Σ {mine['total']}", INK)
        return y + 44


def _units(term: TermLayout) -> float:
    """Return the width of a term, in dice."""
    if term["kind"] == "sum":
        return 1.85 + 0.42 * len(f"≥{term['value']}")
    if term["kind"] == "least":
        return 1.55 + (1.15 if len(term["dice"]) > 1 else 0.0)
    if term["kind"] == "run":
        return 1.0 + 0.72 * (len(term["dice"]) - 1)
    return float(len(term["dice"]))
