"""``foxclover puzzle``: solve puzzles; ``foxclover puzzles``: make them."""

from __future__ import annotations

import random
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from foxclover import MoveError, puzzles
from foxclover.cli import screen
from foxclover.cli.arguments import add_json, file_errors, find_key, number, print_json
from foxclover.cli.line_editor import move_editor
from foxclover.cli.output import Progress, wants_colour
from foxclover.cli.parser import Halted, Parser, UserError
from foxclover.cli.practise import NEXT, QUIT, SHOW, means
from foxclover.cli.reading import move_error, read_move
from foxclover.core.game import Game, game, game_names
from foxclover.core.move import Move
from foxclover.dice.sources import SEEDS
from foxclover.locale import Translator, format_number
from foxclover.puzzles import Puzzle, PuzzleError, PuzzleSet, themes_of

WANTED = 1_000


def add_puzzle(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        default=game_names()[0],
        help=translate("cli.help.game", games=", ".join(game_names())),
    )
    parser.add_argument("--theme", metavar="T", help=translate("cli.puzzle.theme"))
    parser.add_argument("--id", metavar="ID", help=translate("cli.puzzle.id"))
    add_json(parser)


def run_puzzle(args: Namespace, translate: Translator) -> int:
    """Ask for the best move of one puzzle after the other, or print one for programs."""
    chosen = game(find_key(args.game, translate))
    every, found = find_puzzles(chosen, args.theme, args.id, translate)
    random.shuffle(found)
    if args.json:
        print_json(as_data(every[found[0]]))
        return 0
    solved = made = 0
    print(
        translate("practice.how", show=translate(SHOW), next=translate(NEXT), quit=translate(QUIT))
    )
    try:
        for name in found:
            solved += ask(every[name], translate)
            made += 1
    except (EOFError, KeyboardInterrupt) as error:
        print()
        if isinstance(error, KeyboardInterrupt):
            raise Halted(translate("practice.done", solved=solved, count=made)) from None
    print(translate("practice.done", solved=solved, count=made))
    return 0


def find_puzzles(
    chosen: Game, theme: str | None, name: str | None, translate: Translator
) -> tuple[PuzzleSet, list[str]]:
    """Return the puzzles of a game, and the ids of those with a theme or of the named one."""
    try:
        every = puzzles.load(chosen)
    except PuzzleError as error:
        raise UserError(str(error)) from None
    if name is not None:
        if name not in every:
            raise UserError(translate("cli.puzzle.no_id", id=name, game=chosen.name))
        return every, [name]
    themes = themes_of(chosen).THEMES
    if theme is not None and theme not in themes:
        raise UserError(translate("cli.puzzle.no_theme", theme=theme, themes=", ".join(themes)))
    found = [each for each in every if theme is None or theme in every.themes(each)]
    if not found:
        raise UserError(translate("cli.puzzle.none", theme=theme, game=chosen.name))
    return every, found


def as_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle with its solution for programs."""
    return {
        "id": puzzle.id,
        "game": puzzle.position.game.key,
        "position": puzzle.position.text,
        "seat": puzzle.seat,
        "rating": puzzle.rating,
        "themes": list(puzzle.themes),
        "legal": [move.text for move in puzzle.position.legal_moves(puzzle.seat)],
        "options": [
            {
                "move": option.move.text,
                "value": option.value,
                "loss": option.loss,
                "error": option.error,
            }
            for option in puzzle.options
        ],
    }


def ask(puzzle: Puzzle, translate: Translator) -> bool:
    """Ask for the best move once; return whether it was found."""
    position, seat = puzzle.position, puzzle.seat
    names = [translate("server.seat.person", number=index + 1) for index in range(position.players)]
    print(f"\n{translate('puzzle.title', id=puzzle.id, rating=puzzle.rating)}\n")
    moves = position.legal_moves(seat)
    print(screen.draw_decision(position, names, seat, moves, translate).text(wants_colour()))
    words = [translate(word) for word in (SHOW, NEXT, QUIT)]
    editor = move_editor(position, seat, words, translate)
    while True:
        text = editor.read(f"{names[seat]} > ").lower()
        if not sys.stdin.isatty():
            print(text)
        if means(text, QUIT, translate):
            raise EOFError
        if means(text, SHOW, translate) or means(text, NEXT, translate):
            print(translate("puzzle.best", best=puzzle.best.move.words(translate)))
            return False
        try:
            move = read_move(text, position, seat, translate) if text else None
        except MoveError as error:
            print(move_error(error, translate))
            continue
        if move is not None:
            print("\n".join(judge(puzzle, move, translate)))
            return move.number == puzzle.best.move.number


def judge(puzzle: Puzzle, move: Move, translate: Translator) -> list[str]:
    """Return the answer to a move in sentences: the points lost, the best move and why."""
    if move.number == puzzle.best.move.number:
        return [translate("puzzle.solved")]
    option = puzzle.option(move)
    key = "puzzle.lost" if option else "puzzle.lost_more"
    loss = (option or puzzle.options[-1]).loss
    return [
        translate(key, points=format_number(loss, ".1f", translate)),
        translate("puzzle.best", best=puzzle.best.move.words(translate)),
        *puzzles.explain(puzzle, move, translate),
    ]


def add_puzzles(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("action", choices=("build",), help=translate("cli.puzzles.action"))
    parser.add_argument(
        "game", metavar="GAME", help=translate("cli.help.game", games=", ".join(game_names()))
    )
    parser.add_argument(
        "--count",
        type=number(translate, 1, 100_000),
        default=WANTED,
        metavar="N",
        help=translate("cli.puzzles.count"),
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help=translate("cli.puzzles.out"))
    parser.add_argument(
        "--seed",
        type=number(translate, 0, SEEDS - 1),
        default=1,
        metavar="S",
        help=translate("cli.help.seed"),
    )


def run_puzzles(args: Namespace, translate: Translator) -> int:
    """Build puzzles; continue an interrupted build."""
    from foxclover.puzzles.build import build

    chosen = game(find_key(args.game, translate))
    path = args.out or Path(f"puzzles-{chosen.key}.json.gz")
    shown = 0
    with Progress(args.count, translate("cli.puzzles.building", game=chosen.name)) as bar:

        def tick(found: int, _: int) -> None:
            nonlocal shown
            bar.advance(found - shown)
            shown = found

        with file_errors("write", path, translate):
            made = build(chosen, args.seed, args.count, path, tick)
    print(translate("cli.puzzles.done", count=len(made), file=path))
    return 0
