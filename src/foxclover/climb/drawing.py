"""A layout of Geht noch was? and the dice, drawn with letters from the same views the page gets."""

from __future__ import annotations

from collections.abc import Sequence

from foxclover.canvas import BOLD, FAINT, GREEN, TARGET, UNDERLINED, Canvas, filled, inked, struck
from foxclover.climb.deck_file import CARD_COLOURS, DICE_COLOURS
from foxclover.climb.state import State
from foxclover.climb.tables import ClimbBook
from foxclover.climb.view import ActiveView, CardLayout, ClimbLayout, PlayerView, ScoredView, view
from foxclover.climb.view import layout as layout_of
from foxclover.locale import Say

MARKERS = {"": " ", "black": "●", "luck": "♣"}
ACTIVE_WIDTH = 46


def draw_player(book: ClimbBook, state: State, seat: int, moves: Sequence[int], say: Say) -> Canvas:
    """The layout of a seat."""
    return draw_layout(layout_of(book, say), view(book, state)["players"][seat], say)


def draw_layout(layout: ClimbLayout, player: PlayerView, say: Say) -> Canvas:
    """One player's strip, highest level first: active cards on the left, scored ones on the right."""
    canvas = Canvas()
    cards = {card["number"]: card for card in layout["cards"]}
    widest = max([ACTIVE_WIDTH, *(_row_width(cards, level["active"]) for level in player["levels"])])
    for number, level in reversed(list(enumerate(player["levels"], 1))):
        row = canvas.height
        canvas.put(row, 0, f" {number} ×{level['factor']} │", BOLD)
        column = 8
        for active in level["active"]:
            column = _active(canvas, row, column, cards[active["card"]], active) + 1
        canvas.put(row, 8 + widest, "│", FAINT)
        column = 10 + widest
        for scored in level["scored"]:
            column = _scored(canvas, row, column, cards[scored["card"]], scored) + 1
        if level["points"]:
            canvas.put(row, column, f"= {level['points']}", BOLD)
    row = canvas.height
    column = canvas.put(row, 0, f" {layout['words']['luck']} ")
    column = canvas.put(row, column, "♣" * player["luck"] + "·" * (layout["clover"] - player["luck"]), inked(GREEN))
    column = canvas.put(row, column, f"  {say('cli.draw.markers')} ")
    column = canvas.put(row, column, "●" * player["black"] + "·" * (layout["black_markers"] - player["black"]))
    if player["money"]:
        column = canvas.put(row, column, f"  {say('cli.draw.money')} {player['money']}", BOLD)
    column = canvas.put(row, column, f"  {say('climb.in') if player['in_round'] else say('climb.out')}")
    canvas.put(row, column, f"  Σ {player['total']}", BOLD)
    if player["waiting"]:
        row = canvas.height
        column = canvas.put(row, 0, f" {say('cli.draw.waiting')} ")
        for number in player["waiting"]:
            column = canvas.put(row, column, _label(cards[number]), filled(CARD_COLOURS[cards[number]["colour"]])) + 1
    return canvas


def draw_dice(book: ClimbBook, state: State, say: Say) -> Canvas:
    """The seven dice of the last roll."""
    canvas = Canvas()
    column = 1
    table = view(book, state)
    for colour, faces in (("blue", table["blue"]), ("red", table["red"])):
        for face in faces:
            for row, text in enumerate(("┌───┐", f"│{colour[0]} {face}│", "└───┘")):
                canvas.put(row, column, text, filled(DICE_COLOURS[colour]))
            column += 6
        column += 2
    return canvas


def draw_summary(book: ClimbBook, state: State, seat: int, say: Say) -> Canvas:
    """A player in one line: points, luck, cards a level, in or out."""
    canvas = Canvas()
    player = view(book, state)["players"][seat]
    column = canvas.put(0, 0, f"{player['total']:4d}  ", BOLD)
    column = canvas.put(0, column, f"♣{player['luck']}  ", inked(GREEN))
    levels = "  ".join(f"{number}: {len(level['active'])}+{len(level['scored'])}" for number, level in enumerate(player["levels"], 1))
    column = canvas.put(0, column, levels)
    canvas.put(0, column + 2, say("climb.in") if player["in_round"] else say("climb.out"), FAINT)
    return canvas


def _label(card: CardLayout) -> str:
    return f" {card['colour'][0]}{card['number']} {card['condition']} "


def _row_width(cards: dict[int, CardLayout], active: list[ActiveView]) -> int:
    return sum(len(_label(cards[view["card"]])) + 3 for view in active)


def _active(canvas: Canvas, row: int, column: int, card: CardLayout, active: ActiveView) -> int:
    """Draw a card with its marker; one that can be fulfilled now stands out, one out of reach is dark."""
    marker = MARKERS[active["marker"]]
    if active["met"] and active["reachable"] and not active["marker"]:
        column = canvas.put(row, column, "›", TARGET)
        return canvas.put(row, column, _label(card), f"{filled(CARD_COLOURS[card['colour']])};{UNDERLINED}")
    colour = CARD_COLOURS[card["colour"]]
    style = filled(colour) if active["reachable"] or active["marker"] else struck(colour)
    return canvas.put(row, column, f"{marker}{_label(card)}", style)


def _scored(canvas: Canvas, row: int, column: int, card: CardLayout, scored: ScoredView) -> int:
    times = f"×{scored['times']}" if scored["times"] > 1 else ""
    return canvas.put(row, column, f" {card['points']}{times} ", filled(CARD_COLOURS[card["colour"]]))
