"""What the full-screen mode shows at one time, and text grids as Rich texts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from rich.style import Style
from rich.text import Text

from foxclover import Move, Position
from foxclover.cli import screen
from foxclover.core.display import (
    BOLD,
    DARK,
    FAINT,
    GREEN,
    RED,
    UNDERLINED,
    WHITE,
    TextGrid,
    filled,
    foreground_on,
    nearest_terminal_colour,
    readable_colour,
)
from foxclover.locale import Translator, shorten

Cell = tuple[int, int]
"""Row and column in a grid."""


@dataclass(frozen=True)
class Scene:
    """A position as the player of a seat sees it; ``ask`` is "move", "roll", "dice" or nothing."""

    position: Position
    names: Sequence[str]
    seat: int
    translate: Translator
    moves: Sequence[Move] = ()
    ask: str = ""
    prompt: str = ""
    sheets: Sequence[TextGrid] = field(default_factory=list)
    dice: TextGrid = field(default_factory=TextGrid)

    @property
    def title(self) -> str:
        """The game and the round."""
        view = self.position.view()
        rounds = self.translate("common.round", round=view["round"], rounds=view["rounds"])
        shown = self.translate("common.over") if self.position.over else rounds
        return f"{self.position.game.name} · {shown}"

    def labels(self, palette: Mapping[int, str]) -> list[Text]:
        """Return the moves for a list: number, die, words and what can be typed."""
        game = self.position.game
        groups = game.drawing.group_moves(
            game.definition,
            self.position.state,
            self.seat,
            [move.number for move in self.moves],
            self.translate,
        )
        found: list[Text] = []
        width = max((len(group.head) for group in groups), default=0)
        for group in groups:
            for listed in group.moves:
                label = Text(f"{len(found) + 1:>2} ", "bold")
                label.append(f"{group.head:<{width}}", to_style(group.style, palette))
                label.append(f" {listed.words} ")
                label.append(listed.short, "dim")
                found.append(label)
        return found

    def preview(self, move: Move) -> tuple[TextGrid, set[Cell], int]:
        """Return the sheet after a move, the cells that it changes, and the points it brings."""
        game, twin = self.position.game, self.position.copy()
        twin.push(move)
        before = screen.draw_player(self.position, self.seat, [], self.translate)
        after = screen.draw_player(twin, self.seat, [], self.translate)
        shown, changed = TextGrid(), set[Cell]()
        shown.paste(self.sheets[self.seat], 0, 0)  # with the targets of the other moves
        for row, cells in enumerate(after.rows):
            old = before.rows[row] if row < before.height else []
            for column, (sign, style) in enumerate(cells):
                if old[column : column + 1] != [(sign, style)]:
                    shown.put(row, column, sign, style)
                    changed.add((row, column))
            for column in range(len(cells), len(old)):
                shown.put(row, column, " ")
        effect = game.views.preview(game.definition, self.position.state, self.seat, move.number)
        return shown, changed, effect["points"]

    def players(self, shown: int, width: int, palette: Mapping[int, str]) -> Text:
        """Return all players with their points; ``shown`` is the seat whose sheet is visible."""
        text, game = Text(), self.position.game
        layout = game.views.layout(game.definition, self.translate)
        colours = {paint["name"]: filled(paint["colour"]) for paint in layout["paints"]}
        for seat, name in enumerate(self.names):
            sign = "▸" if seat in self.position.acting else " "
            total = str(self.position.score(seat))
            room = max(1, width - len(total) - 3)
            text.append(
                f"{sign}{name[:room]:<{room}} ", "bold underline" if seat == shown else "bold"
            )
            text.append(f"{total}\n", "bold")
            parts = self.position.breakdown(seat)
            words = [game.words.part_words(game.definition, part, self.translate) for part in parts]
            column, shorter = 0, words if width > 40 else shorten([word.lower() for word in words])
            for part, word, points in zip(parts, shorter, parts.values(), strict=True):
                if not points and part not in colours:
                    continue
                chip = f" {word} {points} "
                if column and column + len(chip) > width:
                    text.append("\n")
                    column = 0
                text.append(chip, to_style(colours.get(part, ""), palette))
                text.append(" ")
                column += len(chip) + 1
            text.append("\n\n")
        return text


def draw_scene(
    position: Position,
    names: Sequence[str],
    seat: int,
    translate: Translator,
    moves: Sequence[Move] = (),
    ask: str = "",
    prompt: str = "",
) -> Scene:
    """Draw a position; done by the thread of the game, so that nothing changes meanwhile."""
    game, twin = position.game, position.copy()
    sheets = [
        screen.draw_player(twin, other, moves if other == seat else [], translate)
        for other in range(position.players)
    ]
    dice = game.drawing.draw_dice(game.definition, twin.state, translate)
    return Scene(twin, names, seat, translate, moves, ask, prompt, sheets, dice)


def palette_of(position: Position, translate: Translator) -> dict[int, str]:
    """Return the exact colours of a game by their nearest colour of a terminal."""
    layout = position.game.views.layout(position.game.definition, translate)
    colours = [paint["colour"] for paint in layout["paints"]]
    exact = [RED, GREEN, DARK, WHITE, *colours]
    exact += [foreground_on(colour) for colour in colours]
    shades = [readable_colour(colour) for colour in (*colours, RED, GREEN)]
    return {nearest_terminal_colour(colour): colour for colour in [*shades, *exact]}


def to_style(code: str, palette: Mapping[int, str]) -> Style:
    """Return an ANSI code of a grid as a style of Rich."""
    parts = iter(code.split(";") if code else [])
    found = Style()
    for part in parts:
        if part in ("38", "48"):
            next(parts)
            number = int(next(parts))
            colour = palette.get(number, f"color({number})")
            found += Style(color=colour) if part == "38" else Style(bgcolor=colour)
        else:
            found += Style(
                bold=part == BOLD or None,
                dim=part == FAINT or None,
                underline=part == UNDERLINED or None,
            )
    return found


def to_text(
    grid: TextGrid,
    palette: Mapping[int, str],
    marked: Collection[Cell] = (),
    style: str = "bold",
) -> Text:
    """Return a grid as a text of Rich, with some cells in another style."""
    text = Text(no_wrap=True)
    highlight = Style.parse(style)
    for row, cells in enumerate(grid.rows):
        for column, (sign, code) in enumerate(cells):
            shown = to_style(code, palette)
            text.append(sign, shown + highlight if (row, column) in marked else shown)
        text.append("\n")
    return text
