"""Positions of the Clever games as pictures, drawn from the layout and view of the page."""

from __future__ import annotations

from collections.abc import Mapping

from foxclover.core.svg import (
    CLOTH,
    CREAM,
    FAINT,
    HEADING,
    INK,
    LINE,
    SILVER,
    WHITE,
    Svg,
    mix,
)
from foxclover.games.clever.area_kind import CIRCLED, CROSSED
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.rules.state import State
from foxclover.games.clever.view import (
    AreaLayout,
    CellLayout,
    CleverLayout,
    CleverView,
    SheetView,
    layout,
    view,
)
from foxclover.locale import Translator

WIDTH, EDGE, GAP = 760, 14, 8
DIE, ROW, HEAD, FOOT, BADGE = 44, 44, 26, 30, 22
LABEL = 104  # of a track
ICONS: Mapping[str, str] = {  # of bonuses, those of the page
    "reroll": '<path d="M19.5 8.5A8.3 8.3 0 1 0 20.3 13M20.5 3.5v5.2h-5.2"/>',
    "return": '<path d="M5 10.5h9.5a5 5 0 0 1 0 10H9M9.5 5.5l-5 5 5 5"/>',
    "extra": '<path d="M4 12.5h8M8 8.5v8M16 8.2l3-2.2v13"/>',
    "fox": '<g transform="translate(12 12) scale(0.36)" stroke="none">'
    '<path d="M-30-30C-20-27-12-22-8-16H8C12-22 20-27 30-30 33-16 32-6 28 2 24 14 12 24 0 31-12 24'
    '-24 14-28 2-32-6-33-16-30-30Z" fill="#e2692c"/>'
    '<path d="M-28 2C-18-1-7 6-3 17L0 31C-12 24-24 14-28 2ZM28 2C18-1 7 6 3 17L0 31C12 24 24 14 28 '
    '2Z" fill="#fff6e8"/><path d="M-5 23C-3 21 3 21 5 23 5 27 2 30 0 31-2 30-5 27-5 23Z" '
    'fill="#2b1a12"/><circle cx="-12" cy="2" r="3.4" fill="#2b1a12"/>'
    '<circle cx="12" cy="2" r="3.4" fill="#2b1a12"/></g>',
}
STEPS = {"rising": "<", "falling": "≥", "any": ""}


def draw(definition: CleverDefinition, state: State, seat: int, translate: Translator) -> Svg:
    """Draw the dice and the sheet of a seat."""
    return _Picture(layout(definition, translate), view(definition, state), seat).svg


class _Picture:
    """The picture of one seat, drawn from top to bottom."""

    def __init__(self, printed: CleverLayout, seen: CleverView, seat: int) -> None:
        self.printed, self.seen = printed, seen
        self.sheet: SheetView = seen["sheets"][seat]
        self.paints = {
            paint["name"]: (paint["colour"], paint["ink"]) for paint in printed["paints"]
        }
        self.svg = Svg(WIDTH)
        self.row = float(ROW)  # height of a row of the grid that is drawn
        y = self.dice(EDGE + HEADING)
        y = self.actions(y + GAP)
        grids = [index for index, area in enumerate(printed["areas"]) if area["kind"] == "grid"]
        if grids:
            y = self.grids(grids, y + GAP)
        for index, area in enumerate(printed["areas"]):
            if area["kind"] == "track":
                y = self.track(index, area, y + GAP)
        self.svg.height = self.total(y + GAP) + EDGE

    # -- dice and actions

    def dice(self, y: float) -> float:
        """Draw the available dice, and those on the dice fields and on the platter."""
        svg, high = self.svg, DIE + 2 * GAP
        places = ("hand", "field", "platter")
        wide = (WIDTH - 2 * EDGE - 2 * GAP) / 3
        on_fields = self.seen["fields"]
        for n, place in enumerate(places):
            x = EDGE + n * (wide + GAP)
            fill = {"hand": CLOTH, "field": mix(LINE, WHITE, 0.4), "platter": SILVER}[place]
            svg.rect((x, y, wide, high), fill, radius=12)
            dice = [die for die, seen in enumerate(self.seen["dice"]) if seen["lies"] == place]
            if place == "field" and (max(on_fields) >= 0 or not dice):
                dice = on_fields
            step = min(DIE + GAP, (wide - 2 * GAP) / max(len(dice), 1))
            size = min(DIE, step - 3)
            for at, die in enumerate(dice):
                corner = (x + GAP + at * step, y + (high - size) / 2)
                if die >= 0:
                    self.die(corner, size, die)
                else:
                    svg.rect((*corner, size, size), "none", FAINT, 9)
                    svg.text(corner[0] + size / 2, corner[1] + size / 2, at + 1, 16, FAINT)
        return y + high

    def die(self, corner: tuple[float, float], size: float, die: int) -> None:
        """Draw a die."""
        name = self.printed["dice"][die]["name"]
        self.svg.die(corner, size, self.paints[name], self.seen["dice"][die]["face"], name)

    def actions(self, y: float) -> float:
        """Draw the action tracks: used, unlocked and locked fields."""
        svg, tracks = self.svg, self.printed["actions"]
        wide = (WIDTH - 2 * EDGE - GAP * (len(tracks) - 1)) / max(len(tracks), 1)
        for n, (track, seen) in enumerate(zip(tracks, self.sheet["actions"], strict=True)):
            x = EDGE + n * (wide + GAP)
            svg.rect((x, y, wide, 32), CREAM, LINE, 16)
            svg.icon(ICONS[track["name"]], x + 20, y + 16, 20)
            step = min(26.0, (wide - 96) / track["length"])
            for field in range(track["length"]):
                at, r = x + 46 + field * step, min(9.5, step / 2 - 1.5)
                unlocked = field < seen["unlocked"]
                svg.circle(at, y + 16, r, "#c8501a" if unlocked else WHITE, FAINT)
                if field < seen["used"]:
                    svg.circle(at, y + 16, r, CREAM, FAINT)
                    svg.cross(at, y + 16, r * 0.7, INK, 2)
            svg.text(x + wide - 16, y + 16, seen["unlocked"] - seen["used"], 15, anchor="end")
            if track["end_bonus"]:
                self.badge(track["end_bonus"], x + wide - 44, y + 16, seen["won"])
        return y + (32 if tracks else 0)

    def badge(self, name: str, x: float, y: float, won: bool = False) -> None:
        """Draw a bonus; a ring marks it as won."""
        svg = self.svg
        if won:
            svg.circle(x, y, BADGE * 0.72, WHITE, "#2f8049")
        if name in ICONS:
            if name != "fox":
                svg.circle(x, y, BADGE / 2, WHITE, LINE)
            svg.icon(ICONS[name], x, y, BADGE * (1.05 if name == "fox" else 0.75))
            return
        colour, _, gives = name.partition(" ")
        fill, ink = self.paints.get(colour, ("#5a5a5a", WHITE))
        svg.rect((x - BADGE / 2, y - BADGE / 2, BADGE, BADGE), fill, mix(fill, INK, 0.3), 5)
        svg.text(x, y, {"x": "×", "": "?"}.get(gives, gives), 14, ink)

    # -- areas

    def panel(self, box: tuple[float, float, float, float], name: str) -> None:
        """Draw the background of an area."""
        self.svg.rect(box, self.tint(name, 0.84), self.tint(name, 0.35), 10)

    def tint(self, name: str, share: float) -> str:
        """Return the colour of an area with a share of white."""
        colour = self.paints[name][0]
        return mix(colour, WHITE if name != "white" else FAINT, share)

    def heading(self, name: str, x: float, y: float) -> None:
        """Write the name of an area behind its sign."""
        dark = mix(self.paints[name][0], INK, 0.15)
        self.svg.sign(name, x + 8, y, 15, dark)
        word = self.printed["words"].get(name, name)
        self.svg.text(x + 20, y, word[:1].upper() + word[1:], 13, mix(dark, INK, 0.5), "start")

    def grids(self, indices: list[int], y: float) -> float:
        """Draw the grids side by side."""
        areas = [self.printed["areas"][index] for index in indices]
        unit = (WIDTH - 2 * EDGE - GAP * (len(areas) - 1)) / sum(a["columns"] + 1 for a in areas)
        x, rows = float(EDGE), max(area["rows"] for area in areas)
        high = HEAD + rows * ROW + 2 * FOOT
        for index, area in zip(indices, areas, strict=True):
            wide = unit * (area["columns"] + 1)
            self.row = ROW * rows / area["rows"]
            self.panel((x, y, wide, high), area["name"])
            self.heading(area["name"], x + 8, y + 14)
            points = self.sheet["points"][index]
            self.svg.pill(x + wide - 8, y + 14, points, *self.paints[area["name"]])
            self.grid(index, area, (x + 10, y + HEAD), (wide - 20) / (area["columns"] + 0.9))
            x += wide + GAP
        return y + high

    def grid(self, index: int, area: AreaLayout, corner: tuple[float, float], unit: float) -> None:
        """Draw the fields of a grid, and the bonuses and points of its lines."""
        svg, (left, top) = self.svg, corner
        for cell, printed in enumerate(area["cells"]):
            box = (left + printed["column"] * unit, top + printed["row"] * self.row)
            self.field(index, area, cell, (*box, unit - 4, self.row - 4), str(printed["number"]))
        for row, column in area["printed"]:
            svg.cross(
                left + (column + 0.5) * unit - 2, top + (row + 0.5) * self.row - 2, 6, FAINT, 1.5
            )
        right, below = left + (area["columns"] + 0.42) * unit, top + area["rows"] * self.row + 13
        for line, won in zip(area["lines"], self.sheet["won"][index], strict=False):
            first = area["cells"][line["cells"][0]]
            at = {
                "row": (right, top + (first["row"] + 0.5) * self.row - 2),
                "column": (left + (first["column"] + 0.5) * unit - 2, below),
                "diagonal": (right, below),
            }[line["side"]]
            self.badge(line["bonus"], *at, won)
        for row, name in enumerate(area["row_names"]):
            svg.sign(name, left - 3, top + (row + 0.5) * self.row - 2, 11, self.paints[name][0])
        self.points(index, area, corner, unit)

    def points(
        self, index: int, area: AreaLayout, corner: tuple[float, float], unit: float
    ) -> None:
        """Write what the groups of a grid score."""
        svg, (left, top), groups = self.svg, corner, area["groups"]
        marks = self.sheet["marks"][index]
        below = top + area["rows"] * self.row + FOOT + 10
        counts = [sum(marks[cell] == CROSSED for cell in group["cells"]) for group in groups]
        if len(groups) == 1:
            scale = groups[0]["points"][1:]
            step = unit * (area["columns"] + 0.9) / len(scale)
            for at, points in enumerate(scale, start=1):
                x = left + (at - 0.5) * step
                if at == counts[0]:
                    svg.rect((x - step / 2, below - 10, step, 20), self.paints[area["name"]][0])
                ink = self.paints[area["name"]][1] if at == counts[0] else INK
                svg.text(x, below, points, min(12, step * 0.55), ink)
            return
        for group, count in zip(groups, counts, strict=True):
            cells = [area["cells"][cell] for cell in group["cells"]]
            points = group["points"][count]
            if len({cell["row"] for cell in cells}) == 1:
                x, y = left + area["columns"] * unit + 2, top + cells[0]["row"] * self.row + 8
                svg.text(x, y, points, 11, INK if points else FAINT, "start")
            else:
                x = left + (cells[0]["column"] + 0.5) * unit - 2
                svg.text(x, below, group["points"][-1], 13, INK if points else FAINT)

    def track(self, index: int, area: AreaLayout, y: float) -> float:
        """Draw the fields of a track in a row."""
        svg, name = self.svg, area["name"]
        scale = area["groups"][0]["points"][1:] if area["groups"] else []
        above = 18 if scale else 6
        high = above + ROW + FOOT
        self.panel((EDGE, y, WIDTH - 2 * EDGE, high), name)
        self.heading(name, EDGE + 8, y + high / 2 - 14)
        points = str(self.sheet["points"][index])
        svg.pill(EDGE + 26 + len(points) * 9, y + high / 2 + 12, points, *self.paints[name])
        unit = (WIDTH - 2 * EDGE - LABEL - 6) / len(area["cells"])
        for cell, printed in enumerate(area["cells"]):
            x = EDGE + LABEL + cell * unit
            if scale:
                svg.text(x + unit / 2 - 2, y + 10, scale[cell], 11)
            box = (x, y + above, unit - 4, ROW - 4)
            self.field(index, area, cell, box, _requirement(area, cell, printed))
            if area["scoring"] == "pairs" and cell % 2 == 0 and cell + 1 < len(area["cells"]):
                svg.text(x + unit - 2, y + above + ROW / 2 - 2, "−", 15)
            if printed["bonus"]:
                won = self.sheet["won"][index][cell]
                self.badge(printed["bonus"], x + unit / 2 - 2, y + above + ROW + 11, won)
        return y + high

    def field(
        self,
        index: int,
        area: AreaLayout,
        cell: int,
        box: tuple[float, float, float, float],
        text: str,
    ) -> None:
        """Draw a field with its requirement, circle, cross or number."""
        svg, name = self.svg, area["name"]
        mark, number = self.sheet["marks"][index][cell], self.sheet["written"][index][cell]
        x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
        svg.rect(box, self.tint(name, 0.5) if mark == CROSSED else CREAM, self.tint(name, 0.2))
        if mark == CROSSED and number and not area["cells"][cell]["minimum"]:
            svg.text(x, y, number, 18, "#1f2f66")
            return
        svg.text(x, y, text, 16 if len(text) < 3 else 13, FAINT if mark == CROSSED else INK)
        if mark >= CIRCLED and area["circles"]:
            svg.circle(x, y, 15, "none", "#1f2f66")
        if mark == CROSSED:
            svg.cross(x, y, 13)

    def total(self, y: float) -> float:
        """Write the points of all areas, of the foxes, and their sum."""
        svg, x = self.svg, float(EDGE)
        for area, points in zip(self.printed["areas"], self.sheet["points"], strict=True):
            svg.rect(
                (x, y, 74, 30), self.tint(area["name"], 0.84), self.tint(area["name"], 0.35), 15
            )
            svg.sign(area["name"], x + 18, y + 15, 16, mix(self.paints[area["name"]][0], INK, 0.15))
            svg.text(x + 50, y + 15, points, 15)
            x += 74 + GAP
        svg.rect((x, y, 112, 30), CREAM, LINE, 15)
        svg.icon(ICONS["fox"], x + 20, y + 15, 24)
        svg.text(x + 72, y + 15, f"{self.sheet['foxes']} → {self.sheet['fox_points']}", 14)
        heap = self.sheet["heap"]
        for at, name in enumerate(heap):
            self.badge(name, x + 132 + at * (BADGE + 5), y + 15)
        svg.pill(WIDTH - EDGE, y + 15, f"Σ {self.sheet['total']}", INK)
        return y + 30


def _requirement(area: AreaLayout, cell: int, printed: CellLayout) -> str:
    """Return the text of an open field of a track, as on the page."""
    if printed["minimum"]:
        return f"≥{printed['minimum']}"
    if printed["factor"] > 1:
        return f"×{printed['factor']}"
    if printed["bonus_minimum"]:
        return f"{printed['bonus_minimum']}+"
    return STEPS[area["order"]] if cell else ""
