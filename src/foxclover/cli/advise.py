"""``foxclover advise``: what the strongest computer player thinks of every legal move where a transcript ends."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from foxclover.ai import Adviser, adviser
from foxclover.cli.arguments import add_json, print_json, read_transcript
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.game import Game, Position
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
        raise UserError(say("cli.advise.over" if position.over else "cli.advise.chance", file=args.file))
    player = _adviser(position.game, say)
    advice = {seat: _advice(player, position, seat, say) for seat in position.acting}
    if args.json:
        print_json({"game": position.game.key, "seats": [{"seat": seat + 1, "moves": moves} for seat, moves in advice.items()]})
        return 0
    for seat, moves in advice.items():
        print(say("cli.advise.title", player=transcript.header.players[seat]))
        width = max(len(move["move"]) for move in moves)
        for move in moves:
            expected, difference = say_number(move["expected"], "6.1f", say), say_number(move["difference"], "+6.1f", say)
            error = f"± {say_number(move['se'], '.1f', say)}" if move["se"] else ""
            print(f"  {expected} {error:<6} {difference}  {move['move']:<{width}}  {move['words']}")
    return 0


def _advice(player: Adviser, position: Position, seat: int, say: Say) -> list[dict[str, Any]]:
    ranked = player.rank(position, seat)
    best = ranked[0].expected
    return [
        {
            "move": value.move.text,
            "words": value.move.words(say),
            "expected": round(value.expected, 2),
            "se": round(value.error, 2),
            "difference": round(value.expected - best, 2),
        }
        for value in ranked
    ]


def _adviser(game: Game, say: Say) -> Adviser:
    """The computer player that is asked."""
    try:
        return adviser("search", game)
    except NetError as error:
        raise UserError(say("cli.error.net", problem=error)) from None
