"""``foxclover verify``: checks that the dice of a game were sealed, every draw of it."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

from foxclover import notation
from foxclover.cli.arguments import add_json, print_json, read_text
from foxclover.cli.parser import Commands
from foxclover.cli.words import move_error
from foxclover.errors import MoveError
from foxclover.locale import Say
from foxclover.seal import SealError, title, verify

WRONG = 1


@dataclass(frozen=True)
class Verdict:
    """What came of it: how many draws were found right, and what is wrong with the first that is not."""

    draws: int
    problem: str = ""


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("verify", run)
    parser.add_argument("file", metavar="FILE", help=say("cli.verify.file"))
    add_json(parser)


def run(args: Namespace, say: Say) -> int:
    """Verify; exit code 1 for a game that is not what was sealed."""
    verdict = judge(sys.stdin.read() if args.file == "-" else read_text(Path(args.file), say), say)
    if args.json:
        print_json({"ok": not verdict.problem, "draws": verdict.draws, "problem": verdict.problem or None})
    elif verdict.problem:
        print(f"foxclover: {args.file}: {verdict.problem}", file=sys.stderr)
    else:
        print(say("cli.verify.fine", count=verdict.draws))
    return WRONG if verdict.problem else 0


def judge(text: str, say: Say) -> Verdict:
    """Check chain, salts and draws of a transcript."""
    try:
        transcript = notation.read(text)
    except MoveError as error:
        return Verdict(0, move_error(error, say))
    except notation.TranscriptError as error:
        return Verdict(0, error.words(say))
    position = transcript.position
    if transcript.sealing is None:
        return Verdict(0, say("cli.verify.not_sealed"))
    code, anchor = transcript.sealing
    try:
        return Verdict(verify(title(code, position.game.key, position.players, position.variant), anchor, position, transcript.seals))
    except SealError as error:
        problem = say(f"cli.verify.{error.problem}", draw=error.draw, expected=error.expected)
        return Verdict(error.draw - 1, say("cli.move.line", line=transcript.lines[error.move], problem=problem))
