"""``foxclover replay``: verifies a transcript move by move and shows what came of it."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from foxclover import notation
from foxclover.canvas import wants_colour
from foxclover.cli import screen
from foxclover.cli.arguments import add_json, print_json, read_text
from foxclover.cli.parser import Commands
from foxclover.cli.words import move_error
from foxclover.errors import MoveError
from foxclover.locale import Say

ILLEGAL = 1


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("replay", run)
    parser.add_argument("file", type=Path, metavar="FILE", help=say("cli.replay.file"))
    add_json(parser)


def run(args: Namespace, say: Say) -> int:
    """Replay; exit code 1 for a transcript that is none or makes an illegal move."""
    text = read_text(args.file, say)
    try:
        transcript = notation.read(text)
        seed = check_rolls(transcript)
    except MoveError as error:
        print(f"foxclover: {args.file}: {move_error(error, say)}", file=sys.stderr)
        return ILLEGAL
    except notation.TranscriptError as error:
        print(f"foxclover: {args.file}: {error.words(say)}", file=sys.stderr)
        return ILLEGAL
    position = transcript.position
    if args.json:
        scores = [
            {"player": name, "score": position.score(seat), "parts": position.breakdown(seat)}
            for seat, name in enumerate(transcript.header.players)
        ]
        head = {
            "game": position.game.key,
            "moves": len(position.moves_made),
            "over": position.over,
            "seed": seed or None,
        }
        print_json({**head, "scores": scores})
        return 0
    names = transcript.header.players
    coloured = wants_colour()
    for seat, name in enumerate(names):
        print(f"── {name} ──\n{screen.draw_player(position, seat, [], say).text(coloured)}\n")
    print(screen.draw_result(position, names, say).text(coloured))
    print(say("cli.replay.fine", count=len(position.moves_made)))
    print(say("cli.replay.seeded", seed=seed) if seed else say("cli.replay.written"))
    if not position.over:
        print(say("cli.replay.unfinished"))
    return 0


def check_rolls(transcript: notation.Transcript) -> str:
    """The seed whose dice all rolls are, "" if the header names none; raises ``TranscriptError`` for the first roll that is not."""
    followed = transcript.follow_seed()
    if followed is None:
        return ""
    if followed.foreign is not None:
        line, roll = (
            transcript.lines[followed.foreign],
            transcript.position.moves_made[followed.foreign],
        )
        raise notation.TranscriptError(
            line, "roll", seed=transcript.header.dice, text=roll.text, drawn=followed.drawn
        )
    return transcript.header.dice
