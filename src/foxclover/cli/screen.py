"""A position as a person at a terminal sees it: what is printed before a decision, and at the end."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from foxclover.canvas import BOLD, FAINT, GREEN, Canvas, inked
from foxclover.game import Move, Position
from foxclover.locale import Say
from foxclover.ratings import level_lines, rating_words

GAP = 3  # columns between two columns of moves


def draw_player(position: Position, seat: int, moves: Sequence[Move], say: Say) -> Canvas:
    """The sheet or layout of one player, with the places his moves lead to."""
    numbers = [move.number for move in moves]
    return position.game.drawing.draw_player(position.game.book, position.state, seat, numbers, say)


def draw_table(position: Position, names: Sequence[str], seat: int, moves: Sequence[Move], say: Say) -> Canvas:
    """Everything one player needs to decide: the round, the dice, his sheet, the others in a line each."""
    canvas = Canvas()
    view = position.view()
    canvas.add(f"── {names[seat]} · {say('common.round', round=view['round'], rounds=view['rounds'])} ──", BOLD)
    dice = position.game.drawing.draw_dice(position.game.book, position.state, say)
    for part in (dice, draw_player(position, seat, moves, say)):
        if part.height:
            canvas.add()
            canvas.paste(part, canvas.height, 0)
    others = [other for other in range(position.players) if other != seat]
    if others:
        canvas.add()
        canvas.paste(draw_summaries(position, names, others, say), canvas.height, 0)
    return canvas


def draw_summaries(position: Position, names: Sequence[str], seats: Sequence[int], say: Say) -> Canvas:
    """Players in a line each."""
    canvas = Canvas()
    width = max(len(names[seat]) for seat in seats)
    for seat in seats:
        row = canvas.height
        canvas.put(row, 0, names[seat])
        canvas.paste(position.game.drawing.draw_summary(position.game.book, position.state, seat, say), row, width + 1)
    return canvas


def draw_moves(moves: Sequence[Move], say: Say) -> Canvas:
    """The legal moves, numbered, in as many columns as the terminal has room for."""
    canvas = Canvas()
    shown = [(f"{number:>3} ", move.words(say), f" [{move}]") for number, move in enumerate(moves, 1)]
    width = max(sum(map(len, parts)) for parts in shown) + GAP
    columns = max(1, min(shutil.get_terminal_size().columns // width, -(-len(shown) // 8)))
    rows = -(-len(shown) // columns)
    for index, (number, words, text) in enumerate(shown):
        row, column = index % rows, index // rows * width
        column = canvas.put(row, column, number, inked(GREEN))
        column = canvas.put(row, column, words)
        canvas.put(row, column, text, FAINT)
    return canvas


def draw_result(position: Position, names: Sequence[str], say: Say) -> Canvas:
    """The final account: a column for each player, a row for each part of the score."""
    canvas = Canvas()
    parts = [position.breakdown(seat) for seat in range(position.players)]
    titles = {name: position.game.words.part_words(position.game.book, name, say) for name in parts[0]}
    left = max(map(len, [*titles.values(), say("common.total"), say("common.place")])) + 2
    widths = [max(len(name), 5) + 2 for name in names]

    def row(title: str, cells: Sequence[object], style: str = "") -> None:
        line = canvas.height
        canvas.put(line, 0, title, style)
        column = left
        for width, cell in zip(widths, cells, strict=True):
            canvas.put(line, column, f"{cell:>{width}}", style)
            column += width

    row("", names, BOLD)
    for name, title in titles.items():
        row(title, [part[name] for part in parts])
    canvas.add("─" * (left + sum(widths)), FAINT)
    row(say("common.total"), [position.score(seat) for seat in range(position.players)], BOLD)
    if position.players > 1:
        row(say("common.place"), position.places())
    return canvas


def rating(position: Position, say: Say) -> str:
    """How good a solo game was, among all levels; nothing for several players."""
    if position.players > 1:
        return ""
    levels, points = position.game.scoring.levels(position.game.book), position.score(0)
    return "\n".join([*rating_words(levels, points, say), *level_lines(levels, points, say)])
