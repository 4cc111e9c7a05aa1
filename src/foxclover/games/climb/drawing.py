"""Draw a tableau and the dice of Geht noch was? as text, from the views of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from foxclover.core.contract import ListedMove, MoveGroup
from foxclover.core.display import (
    BOLD,
    FAINT,
    GREEN,
    TARGET,
    UNDERLINED,
    TextGrid,
    coloured,
    filled,
    struck,
)
from foxclover.games.climb.definitions import CARD_COLOURS, DICE_COLOURS, ClimbDefinition
from foxclover.games.climb.rules.state import State
from foxclover.games.climb.text import move_words, spell
from foxclover.games.climb.view import (
    ActiveView,
    CardLayout,
    ClimbLayout,
    ClimbView,
    PlayerView,
    ScoredView,
    move_views,
    view,
)
from foxclover.games.climb.view import layout as layout_of
from foxclover.locale import Translator, shorten

LEGEND = "climb.signs"

MARKERS = {"": " ", "black": "●", "luck": "♣"}
FAIRY = "✦"
ACTIVE_WIDTH = (
    49  # columns for the active cards of a level; longer rows show the numbers of their cards alone
)


def draw_player(
    definition: ClimbDefinition,
    state: State,
    seat: int,
    moves: Sequence[int],
    translate: Translator,
) -> TextGrid:
    """Draw the tableau of a seat."""
    table = view(definition, state)
    grid = draw_tableau(
        layout_of(definition, translate),
        table["players"][seat],
        _status(table, seat, translate),
        translate,
    )
    waiting = table["players"][seat]["waiting"]
    for move in move_views(definition, state, seat, moves, translate):
        places: list[object] = [move["card"]]
        if move["card"] in waiting or move["card"] not in grid.boxes:
            places.append(move["level"])
        grid.targets[move["id"]] = [grid.boxes[place] for place in places if place in grid.boxes]
    return grid


def _status(table: ClimbView, seat: int, translate: Translator) -> str:
    """Return whether a seat is in or out, and whether it is the lucky fairy."""
    inside = translate("climb.in") if table["players"][seat]["in_round"] else translate("climb.out")
    fairy = len(table["players"]) > 1 and table["round"] > 0 and table["fairy"] == seat
    return f"{inside} {FAIRY}" if fairy else inside


def draw_tableau(
    layout: ClimbLayout, player: PlayerView, priority: str, translate: Translator
) -> TextGrid:
    """Draw the strip of one player, highest level first.

    Active cards are on the left, scored ones on the right.
    """
    canvas = TextGrid()
    cards = {card["name"]: card for card in layout["cards"]}
    for number, level in reversed(list(enumerate(player["levels"], 1))):
        row = canvas.height
        canvas.boxes[number - 1] = (
            row,
            0,
            canvas.put(row, 0, f" {number} ×{level['factor']} │", BOLD),
        )
        column = 8
        labels = [_label(cards[active["card"]], translate) for active in level["active"]]
        if sum(map(len, labels)) + 2 * len(labels) > ACTIVE_WIDTH:
            labels = [label.split()[0].center(len(label.split()[0]) + 2) for label in labels]
        for active, label in zip(level["active"], labels, strict=True):
            colour = CARD_COLOURS[cards[active["card"]]["colour"]]
            end = _active(canvas, row, column, label, colour, active)
            canvas.boxes[active["card"]] = (row, column, end - column)
            column = end + 1
        canvas.put(row, 8 + ACTIVE_WIDTH, "│", FAINT)
        column = _scored(canvas, row, 10 + ACTIVE_WIDTH, cards, level["scored"], translate)
        if level["points"]:
            canvas.put(row, column, f"= {level['points']}", BOLD)
    _put_markers(canvas, layout, player, priority, translate)
    if player["waiting"]:
        row = canvas.height
        column = canvas.put(row, 0, f" {translate('cli.draw.waiting')} ")
        for card in (cards[name] for name in player["waiting"]):
            style, label = filled(CARD_COLOURS[card["colour"]]), _label(card, translate)
            canvas.boxes[card["name"]] = (row, column, len(label))
            column = canvas.put(row, column, label, style) + 1
    return canvas


def _put_markers(
    canvas: TextGrid, layout: ClimbLayout, player: PlayerView, priority: str, translate: Translator
) -> None:
    """Append a row with luck, black markers, money, priority and points."""
    row = canvas.height
    column = canvas.put(row, 0, f" {layout['words']['luck']} ")
    column = canvas.put(
        row,
        column,
        "♣" * player["luck"] + "·" * (layout["clover"] - player["luck"]),
        coloured(GREEN),
    )
    column = canvas.put(row, column, f"  {translate('cli.draw.markers')} ")
    column = canvas.put(
        row, column, "●" * player["black"] + "·" * (layout["black_markers"] - player["black"])
    )
    if player["money"]:
        column = canvas.put(row, column, f"  {translate('cli.draw.money')} {player['money']}", BOLD)
    column = canvas.put(row, column, f"  {priority}")
    canvas.put(row, column, f"  Σ {player['total']}", BOLD)


def draw_dice(definition: ClimbDefinition, state: State, translate: Translator) -> TextGrid:
    """Draw the seven dice of the last roll."""
    canvas = TextGrid()
    table = view(definition, state)
    column = 1
    for colour, faces in (("blue", table["blue"]), ("red", table["red"])):
        for face in faces:
            column = canvas.put(0, column, f" {face} ", filled(DICE_COLOURS[colour])) + 1
        column += 2
    return canvas


def draw_summaries(
    definition: ClimbDefinition, state: State, names: Mapping[int, str], translate: Translator
) -> TextGrid:
    """Draw a line for each player: points, luck, cards by level, in or out."""
    canvas = TextGrid()
    table = view(definition, state)
    players = table["players"]
    left = max(map(len, names.values())) + 1
    heads = [
        translate("climb.score.level", level=number + 1)
        for number in range(len(players[0]["levels"]))
    ]
    wide = max(7, *map(len, heads)) + 1
    canvas.put(0, left, f"{'Σ':>4}  {'♣':>2}", FAINT)
    for column, head in enumerate(heads):
        canvas.put(0, left + 9 + wide * column, f"{head:>{wide - 1}}", FAINT)
    for row, (seat, name) in enumerate(names.items(), 1):
        player = players[seat]
        canvas.put(row, 0, name)
        canvas.put(row, left, f"{player['total']:4d}", BOLD)
        canvas.put(row, left + 6, f"{player['luck']:2d}", coloured(GREEN))
        for column, level in enumerate(player["levels"]):
            canvas.put(
                row,
                left + 9 + wide * column,
                f"{len(level['active'])} + {len(level['scored'])}".rjust(wide - 1),
            )
        canvas.put(row, left + 10 + wide * len(heads), _status(table, seat, translate), FAINT)
    return canvas


def draw_points(
    definition: ClimbDefinition, state: State, seat: int, translate: Translator
) -> TextGrid:
    """Draw the points of a scored card on each level, and what else counts."""
    canvas = TextGrid()
    layout, player = layout_of(definition, translate), view(definition, state)["players"][seat]
    left = 2 + max(len(translate(f"climb.points.{colour['name']}")) for colour in layout["colours"])
    for column, _ in enumerate(player["levels"]):
        canvas.put(
            0, left + 9 * column, f"{translate('climb.score.level', level=column + 1):>8}", FAINT
        )
    for row, colour in enumerate(layout["colours"], 1):
        canvas.put(
            row,
            0,
            translate(f"climb.points.{colour['name']}"),
            coloured(CARD_COLOURS[colour["name"]]),
        )
        for column, level in enumerate(player["levels"]):
            canvas.put(row, left + 9 * column, f"{colour['points'] * level['factor']:>8}")
    canvas.add(translate("climb.points.luck", count=player["luck"]))
    if state.solo:
        canvas.add(translate("climb.points.sets", points=layout["set_points"]))
    return canvas


def group_moves(
    definition: ClimbDefinition,
    state: State,
    seat: int,
    moves: Sequence[int],
    translate: Translator,
) -> list[MoveGroup]:
    """List the legal moves one below the other."""
    listed = [
        ListedMove(
            move_words(definition, state, seat, move, translate),
            spell(definition, state, seat, move, translate)[0][0][0],
            FAINT,
        )
        for move in moves
    ]
    return [MoveGroup("", "", listed)]


def _label(card: CardLayout, translate: Translator) -> str:
    colour = _letters(translate)[card["colour"]]
    return f" {colour}{card['name']} {card['condition'].replace(' ', '')} "


def _letters(translate: Translator) -> dict[str, str]:
    """Return the colours of cards, as short as their words allow."""
    return dict(
        zip(
            CARD_COLOURS,
            shorten([translate(f"common.colour.{colour}").lower() for colour in CARD_COLOURS]),
            strict=True,
        )
    )


def _active(
    canvas: TextGrid, row: int, column: int, label: str, colour: str, active: ActiveView
) -> int:
    """Draw a card with its marker.

    A card that can be fulfilled now is highlighted, one out of reach is dark.
    """
    marker = MARKERS[active["marker"]]
    if active["met"] and active["reachable"] and not active["marker"]:
        column = canvas.put(row, column, "›", TARGET)
        return canvas.put(row, column, label, f"{filled(colour)};{UNDERLINED}")
    style = filled(colour) if active["reachable"] or active["marker"] else struck(colour)
    return canvas.put(row, column, f"{marker}{label}", style)


def _scored(
    canvas: TextGrid,
    row: int,
    column: int,
    cards: dict[str, CardLayout],
    scored: list[ScoredView],
    translate: Translator,
) -> int:
    """Draw how many cards of each colour are scored on a level."""
    for colour in CARD_COLOURS:
        if count := sum(
            card["times"] for card in scored if cards[card["card"]]["colour"] == colour
        ):
            column = (
                canvas.put(
                    row,
                    column,
                    f" {count}{_letters(translate)[colour]} ",
                    filled(CARD_COLOURS[colour]),
                )
                + 1
            )
    return column
