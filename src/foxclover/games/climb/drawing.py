"""A tableau of Geht noch was? and the dice, drawn with letters from the same views the page gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from foxclover.canvas import BOLD, FAINT, GREEN, TARGET, UNDERLINED, Canvas, filled, inked, struck
from foxclover.climb.deck_file import CARD_COLOURS, DICE_COLOURS
from foxclover.climb.state import State
from foxclover.climb.tables import ClimbBook
from foxclover.climb.view import (
    ActiveView,
    CardLayout,
    ClimbLayout,
    ClimbView,
    PlayerView,
    ScoredView,
    view,
)
from foxclover.climb.view import layout as layout_of
from foxclover.climb.words import move_words, spell
from foxclover.contract import ListedMove, MoveGroup
from foxclover.locale import Say, shorten

MARKERS = {"": " ", "black": "●", "luck": "♣"}
FAIRY = "✦"
ACTIVE_WIDTH = (
    49  # columns for the active cards of a level; longer rows show the numbers of their cards alone
)


def draw_player(book: ClimbBook, state: State, seat: int, moves: Sequence[int], say: Say) -> Canvas:
    """The tableau of a seat."""
    table = view(book, state)
    return draw_tableau(
        layout_of(book, say), table["players"][seat], _standing(table, seat, say), say
    )


def _standing(table: ClimbView, seat: int, say: Say) -> str:
    """Whether a seat is in, and whether it is the fairy that fixes the order among several."""
    inside = say("climb.in") if table["players"][seat]["in_round"] else say("climb.out")
    fairy = len(table["players"]) > 1 and table["round"] > 0 and table["fairy"] == seat
    return f"{inside} {FAIRY}" if fairy else inside


def draw_tableau(layout: ClimbLayout, player: PlayerView, standing: str, say: Say) -> Canvas:
    """One player's strip, highest level first: active cards on the left, scored ones on the right."""
    canvas = Canvas()
    cards = {card["name"]: card for card in layout["cards"]}
    for number, level in reversed(list(enumerate(player["levels"], 1))):
        row = canvas.height
        canvas.put(row, 0, f" {number} ×{level['factor']} │", BOLD)
        column = 8
        labels = [_label(cards[active["card"]], say) for active in level["active"]]
        if sum(map(len, labels)) + 2 * len(labels) > ACTIVE_WIDTH:
            labels = [label.split()[0].center(len(label.split()[0]) + 2) for label in labels]
        for active, label in zip(level["active"], labels, strict=True):
            column = (
                _active(
                    canvas,
                    row,
                    column,
                    label,
                    CARD_COLOURS[cards[active["card"]]["colour"]],
                    active,
                )
                + 1
            )
        canvas.put(row, 8 + ACTIVE_WIDTH, "│", FAINT)
        column = _scored(canvas, row, 10 + ACTIVE_WIDTH, cards, level["scored"], say)
        if level["points"]:
            canvas.put(row, column, f"= {level['points']}", BOLD)
    row = canvas.height
    column = canvas.put(row, 0, f" {layout['words']['luck']} ")
    column = canvas.put(
        row, column, "♣" * player["luck"] + "·" * (layout["clover"] - player["luck"]), inked(GREEN)
    )
    column = canvas.put(row, column, f"  {say('cli.draw.markers')} ")
    column = canvas.put(
        row, column, "●" * player["black"] + "·" * (layout["black_markers"] - player["black"])
    )
    if player["money"]:
        column = canvas.put(row, column, f"  {say('cli.draw.money')} {player['money']}", BOLD)
    column = canvas.put(row, column, f"  {standing}")
    canvas.put(row, column, f"  Σ {player['total']}", BOLD)
    if player["waiting"]:
        row = canvas.height
        column = canvas.put(row, 0, f" {say('cli.draw.waiting')} ")
        for name in player["waiting"]:
            column = (
                canvas.put(
                    row,
                    column,
                    _label(cards[name], say),
                    filled(CARD_COLOURS[cards[name]["colour"]]),
                )
                + 1
            )
    return canvas


def draw_dice(book: ClimbBook, state: State, say: Say) -> Canvas:
    """The seven dice of the last roll."""
    canvas = Canvas()
    table = view(book, state)
    column = 1
    for colour, faces in (("blue", table["blue"]), ("red", table["red"])):
        for face in faces:
            column = canvas.put(0, column, f" {face} ", filled(DICE_COLOURS[colour])) + 1
        column += 2
    return canvas


def draw_summaries(book: ClimbBook, state: State, names: Mapping[int, str], say: Say) -> Canvas:
    """Players in a line each: points, luck, cards not yet scored and scored by level, in or out."""
    canvas = Canvas()
    table = view(book, state)
    players = table["players"]
    left = max(map(len, names.values())) + 1
    heads = [
        say("climb.score.level", level=number + 1) for number in range(len(players[0]["levels"]))
    ]
    wide = max(7, *map(len, heads)) + 1
    canvas.put(0, left, f"{'Σ':>4}  {'♣':>2}", FAINT)
    for column, head in enumerate(heads):
        canvas.put(0, left + 9 + wide * column, f"{head:>{wide - 1}}", FAINT)
    for row, (seat, name) in enumerate(names.items(), 1):
        player = players[seat]
        canvas.put(row, 0, name)
        canvas.put(row, left, f"{player['total']:4d}", BOLD)
        canvas.put(row, left + 6, f"{player['luck']:2d}", inked(GREEN))
        for column, level in enumerate(player["levels"]):
            canvas.put(
                row,
                left + 9 + wide * column,
                f"{len(level['active'])} + {len(level['scored'])}".rjust(wide - 1),
            )
        canvas.put(row, left + 10 + wide * len(heads), _standing(table, seat, say), FAINT)
    return canvas


def draw_points(book: ClimbBook, state: State, seat: int, say: Say) -> Canvas:
    """What a scored card is worth on each level, and what else counts."""
    canvas = Canvas()
    layout, player = layout_of(book, say), view(book, state)["players"][seat]
    left = 2 + max(len(say(f"climb.points.{colour['name']}")) for colour in layout["colours"])
    for column, _ in enumerate(player["levels"]):
        canvas.put(0, left + 9 * column, f"{say('climb.score.level', level=column + 1):>8}", FAINT)
    for row, colour in enumerate(layout["colours"], 1):
        canvas.put(
            row, 0, say(f"climb.points.{colour['name']}"), inked(CARD_COLOURS[colour["name"]])
        )
        for column, level in enumerate(player["levels"]):
            canvas.put(row, left + 9 * column, f"{colour['points'] * level['factor']:>8}")
    canvas.add(say("climb.points.luck", count=player["luck"]))
    if state.solo:
        canvas.add(say("climb.points.sets", points=layout["set_points"]))
    return canvas


def group_moves(
    book: ClimbBook, state: State, seat: int, moves: Sequence[int], say: Say
) -> list[MoveGroup]:
    """The legal moves one below the other."""
    listed = [
        ListedMove(
            move_words(book, state, seat, move, say),
            spell(book, state, seat, move, say)[0][0][0],
            FAINT,
        )
        for move in moves
    ]
    return [MoveGroup("", "", listed)]


def _label(card: CardLayout, say: Say) -> str:
    return f" {_letters(say)[card['colour']]}{card['name']} {card['condition'].replace(' ', '')} "


def _letters(say: Say) -> dict[str, str]:
    """The colours of cards, as short as their words allow."""
    return dict(
        zip(
            CARD_COLOURS,
            shorten([say(f"common.colour.{colour}") for colour in CARD_COLOURS]),
            strict=True,
        )
    )


def _active(
    canvas: Canvas, row: int, column: int, label: str, colour: str, active: ActiveView
) -> int:
    """Draw a card with its marker; one that can be fulfilled now stands out, one out of reach is dark."""
    marker = MARKERS[active["marker"]]
    if active["met"] and active["reachable"] and not active["marker"]:
        column = canvas.put(row, column, "›", TARGET)
        return canvas.put(row, column, label, f"{filled(colour)};{UNDERLINED}")
    style = filled(colour) if active["reachable"] or active["marker"] else struck(colour)
    return canvas.put(row, column, f"{marker}{label}", style)


def _scored(
    canvas: Canvas,
    row: int,
    column: int,
    cards: dict[str, CardLayout],
    scored: list[ScoredView],
    say: Say,
) -> int:
    """Draw how many cards of each colour are scored on a level."""
    for colour in CARD_COLOURS:
        if count := sum(one["times"] for one in scored if cards[one["card"]]["colour"] == colour):
            column = (
                canvas.put(
                    row, column, f" {count}{_letters(say)[colour]} ", filled(CARD_COLOURS[colour])
                )
                + 1
            )
    return column
