"""``foxclover advise``: what the strongest computer player thinks of every legal move where a transcript ends."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from foxclover.ai import Adviser, Ranked, adviser
from foxclover.cli.arguments import add_json, print_json, read_transcript
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.cli.reading import shown_text
from foxclover.game import Game
from foxclover.locale import Say, say_number
from foxclover.net_file import NetError


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("advise", run)
    parser.add_argument("file", type=Path, metavar="TRANSCRIPT", help=say("cli.advise.file"))
    add_json(parser)


def run(args: Namespace, say: Say) -> int:
    """Rank the moves of every player who may act."""
    transcript = read_transcript(args.file, say)
    position = transcript.position
    if not position.acting:
        raise UserError(
            say("cli.advise.over" if position.over else "cli.advise.chance", file=args.file)
        )
    player = _adviser(position.game, say)
    advice = {seat: player.rank(position, seat) for seat in position.acting}
    if args.json:
        seats = [
            {"seat": seat + 1, "moves": _as_data(ranked, say)} for seat, ranked in advice.items()
        ]
        print_json({"game": position.game.key, "seats": seats})
        return 0
    for seat, ranked in advice.items():
        print(say("cli.advise.title", player=transcript.header.players[seat]))
        texts = [shown_text(value.move, position, say) for value in ranked]
        width = max(map(len, texts))
        for value, text in zip(ranked, texts, strict=True):
            expected = say_number(value.expected, "6.1f", say)
            error = f"± {say_number(value.error, '.1f', say)}" if value.error else ""
            difference = say_number(value.expected - ranked[0].expected, "+6.1f", say)
            print(f"  {expected} {error:<6} {difference}  {text:<{width}}  {value.move.words(say)}")
    return 0


def _as_data(ranked: list[Ranked], say: Say) -> list[dict[str, Any]]:
    return [
        {
            "move": value.move.text,
            "words": value.move.words(say),
            "expected": round(value.expected, 2),
            "se": round(value.error, 2),
            "difference": round(value.expected - ranked[0].expected, 2),
        }
        for value in ranked
    ]


def _adviser(game: Game, say: Say) -> Adviser:
    """The computer player that is asked."""
    try:
        return adviser("search", game)
    except NetError as error:
        raise UserError(say("cli.error.net", problem=error)) from None
