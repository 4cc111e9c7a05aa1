"""Draw a position for the terminal: before a decision, and at the end."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from itertools import count

from foxclover import Move, Position
from foxclover.core.contract import ListedMove, MoveGroup
from foxclover.core.display import BOLD, FAINT, GREEN, TextGrid, coloured
from foxclover.core.ratings import rating_lines, rating_words
from foxclover.locale import Translator

GAP = 3  # columns between moves in a line
COMMON = (80, 24)  # columns and lines of a terminal of unknown size

Row = tuple[str, Sequence[object], str]  # a title, cells and their style


def draw_player(
    position: Position, seat: int, moves: Sequence[Move], translate: Translator
) -> TextGrid:
    """Draw the sheet or tableau of a player, with the targets of moves highlighted."""
    numbers = [move.number for move in moves]
    return position.game.drawing.draw_player(
        position.game.definition, position.state, seat, numbers, translate
    )


def draw_decision(
    position: Position,
    names: Sequence[str],
    seat: int,
    moves: Sequence[Move],
    translate: Translator,
) -> TextGrid:
    """Draw everything a player needs to decide, on one screen.

    These are dice, sheet, other players, prompt and moves. Small terminals get a shorter list of
    moves, and then no other players.
    """
    columns, lines = shutil.get_terminal_size(COMMON)
    game, state = position.game, position.state
    head, view = TextGrid(), position.view()
    shown = translate("common.round", round=view["round"], rounds=view["rounds"])
    head.add(f"── {names[seat]} · {shown} ──", BOLD)
    head.paste(game.drawing.draw_dice(game.definition, state, translate), head.height, 0)
    sheet = draw_player(position, seat, moves, translate)
    others = draw_others(position, names, seat, translate)
    question = TextGrid()
    if moves or seat in position.rollers:
        question.add(position.prompt(seat, translate), BOLD)
    # The last line is for the answer.
    room = lines - 1 - head.height - sheet.height - question.height
    groups = game.drawing.group_moves(
        game.definition, state, seat, [move.number for move in moves], translate
    )
    listed = draw_moves(groups, columns, room - others.height)
    if listed.height + others.height > room:
        others, listed = TextGrid(), draw_moves(groups, columns, room)
    blocks = [block for block in (head, sheet, others, question) if block.height]
    spare = room - others.height - listed.height
    canvas = TextGrid()
    for index, block in enumerate(blocks):
        if 0 < index <= spare:
            canvas.add()
        canvas.paste(block, canvas.height, 0)
    canvas.paste(listed, canvas.height, 0)
    return canvas


def draw_others(
    position: Position, names: Sequence[str], seat: int, translate: Translator
) -> TextGrid:
    """Draw the other players in a line each."""
    others = {other: name for other, name in enumerate(names) if other != seat}
    if not others:
        return TextGrid()
    return position.game.drawing.draw_summaries(
        position.game.definition, position.state, others, translate
    )


def draw_moves(groups: Sequence[MoveGroup], columns: int, room: int) -> TextGrid:
    """Draw the legal moves, numbered and grouped, with as many words as fit."""
    drawn = [
        _list_groups(groups, columns, in_words=True),
        _list_groups(groups, columns, in_words=False),
        _flow_groups(groups, columns),
    ]
    return next((canvas for canvas in drawn if canvas.height <= room), drawn[-1])


def _list_groups(groups: Sequence[MoveGroup], columns: int, in_words: bool) -> TextGrid:
    """Draw every group on its own lines; moves without a heading one below the other."""
    canvas, numbers = TextGrid(), count(1)
    indent = max((len(group.head) + 1 for group in groups if group.head), default=0)
    for group in groups:
        row, column = canvas.height, indent
        if group.head:
            canvas.put(row, 0, group.head, group.style)
        for listed in group.moves:
            pieces = _pieces(next(numbers), listed, in_words or not group.head, columns)
            if column > indent and (not group.head or column + _width(pieces) > columns):
                row, column = canvas.height, indent
            column = _put(canvas, row, column if group.head else 0, pieces) + GAP
    return canvas


def _flow_groups(groups: Sequence[MoveGroup], columns: int) -> TextGrid:
    """Draw all moves in a row, as short as possible."""
    canvas, numbers = TextGrid(), count(1)
    row = column = 0
    for group in groups:
        for index, listed in enumerate(group.moves):
            pieces = list(_pieces(next(numbers), listed, False, columns))
            if group.head and index == 0:
                pieces = [(group.head, group.style), *pieces]
            if column + _width(pieces) > columns:
                row, column = row + 1, 0
            column = _put(canvas, row, column, pieces) + 1
        column += 1
    return canvas


Pieces = Sequence[tuple[str, str]]


def _pieces(number: int, listed: ListedMove, in_words: bool, columns: int) -> Pieces:
    """Return the pieces of a move with their styles."""
    label = (f"{number:>3} ", coloured(GREEN))
    shown = [label, (listed.words, "")]
    if not in_words or _width(shown) > columns:
        return [label, (listed.short, listed.style)]
    typed = f" [{listed.short}]"
    return [*shown, (typed, FAINT)] if _width(shown) + len(typed) <= columns else shown


def _width(pieces: Pieces) -> int:
    return sum(len(text) for text, _ in pieces)


def _put(canvas: TextGrid, row: int, column: int, pieces: Pieces) -> int:
    for text, style in pieces:
        column = canvas.put(row, column, text, style)
    return column


def draw_result(position: Position, names: Sequence[str], translate: Translator) -> TextGrid:
    """Draw the scores: a column for each player, a row for each part.

    Rows and columns are swapped if the players do not fit.
    """
    seats = range(position.players)
    parts = [position.breakdown(seat) for seat in seats]
    rows: list[Row] = [("", names, BOLD)]
    rows += [
        (
            position.game.words.part_words(position.game.definition, name, translate),
            [part[name] for part in parts],
            "",
        )
        for name in parts[0]
    ]
    rows.append((translate("common.total"), [position.score(seat) for seat in seats], BOLD))
    if position.players > 1:
        rows.append((translate("common.place"), position.places(), ""))
    upright = _draw_rows(rows, 1 + len(parts[0]), gap=2)
    if upright.width <= shutil.get_terminal_size().columns:
        return upright
    turned: list[Row] = [("", [title for title, _, _ in rows[1:]], BOLD)]
    turned += [
        (name, [cells[seat] for _, cells, _ in rows[1:]], "") for seat, name in enumerate(names)
    ]
    return _draw_rows(turned, 1, gap=1)


def _draw_rows(rows: Sequence[Row], ruled: int, gap: int) -> TextGrid:
    """Draw rows of a title and cells, with a line before row ``ruled``."""
    canvas = TextGrid()
    left = max(len(title) for title, _, _ in rows) + 2
    widths = [
        max(5, *(len(str(cell)) for cell in cells)) + gap
        for cells in zip(*(cells for _, cells, _ in rows), strict=True)
    ]
    for at, (title, cells, style) in enumerate(rows):
        if at == ruled:
            canvas.add("─" * (left + sum(widths)), FAINT)
        line, column = canvas.height, left
        canvas.put(line, 0, title, style)
        for width, cell in zip(widths, cells, strict=True):
            canvas.put(line, column, f"{cell:>{width}}", style)
            column += width
    return canvas


def tie_lines(position: Position, names: Sequence[str], translate: Translator) -> Iterator[str]:
    """Yield what decided between players with equal points."""
    places, scores = position.places(), [position.score(seat) for seat in range(position.players)]
    for score in sorted({score for score in scores if scores.count(score) > 1}, reverse=True):
        tied = [seat for seat in range(position.players) if scores[seat] == score]
        breaks = {seat: position.game.scoring.tie_break(position.state, seat) for seat in tied}
        yield translate(
            "cli.play.tie" if len({places[seat] for seat in tied}) > 1 else "cli.play.tie_shared",
            names=", ".join(names[seat] for seat in tied),
            points=translate("common.points", count=score),
            what=translate(position.game.scoring.TIE_BREAK),
            values=", ".join(f"{names[seat]} {' '.join(map(str, breaks[seat]))}" for seat in tied),
        )


def rating(position: Position, translate: Translator) -> str:
    """Return the rating of a solo game among all ratings; "" for several players."""
    if position.players > 1:
        return ""
    levels, points = position.game.scoring.ratings(position.game.definition), position.score(0)
    return "\n".join(
        [*rating_words(levels, points, translate), *rating_lines(levels, points, translate)]
    )
