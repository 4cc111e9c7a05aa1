"""``foxclover verify``: checks that the dice of a game were sealed, or those of its day, every draw of it."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path

from foxclover import daily, notation
from foxclover.cli.arguments import add_json, print_json, read_text
from foxclover.cli.parser import Commands
from foxclover.cli.words import move_error
from foxclover.errors import MoveError
from foxclover.locale import Say
from foxclover.verdict import Verdict, judge_dice

WRONG = 1


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("verify", run)
    parser.add_argument("file", type=Path, metavar="FILE", help=say("cli.verify.file"))
    parser.add_argument("--key", type=key_of_day(say), metavar="KEY", help=say("cli.verify.key"))
    add_json(parser)


def run(args: Namespace, say: Say) -> int:
    """Verify; exit code 1 for a game that is not what was sealed."""
    verdict = judge(read_text(args.file, say), say, args.key)
    if args.json:
        print_json(
            {"ok": not verdict.problem, "draws": verdict.draws, "problem": verdict.problem or None}
        )
    elif verdict.problem:
        print(f"foxclover: {args.file}: {verdict.problem}", file=sys.stderr)
    else:
        print(verdict.words(say))
    return WRONG if verdict.problem else 0


def key_of_day(say: Say) -> Callable[[str], bytes]:
    """Return what reads the key of a day from the command line."""

    def read(text: str) -> bytes:
        try:
            key = bytes.fromhex(text)
        except ValueError:
            key = b""
        if len(key) != daily.KEY_BYTES:
            raise ArgumentTypeError(say("cli.verify.no_key", text=text))
        return key

    return read


def judge(text: str, say: Say, key: bytes | None = None) -> Verdict:
    """Check chain, salts and draws of a transcript, or the key of its day and its draws."""
    try:
        transcript = notation.read(text)
    except MoveError as error:
        # A draw that was changed is why, more often than not, and comes first.
        played = notation.read("\n".join(text.splitlines()[: (error.line or 1) - 1]))
        before = judge_dice(played, say, key) or Verdict(0)
        return before if before.problem else Verdict(before.draws, move_error(error, say))
    except notation.TranscriptError as error:
        return Verdict(0, error.words(say))
    return judge_dice(transcript, say, key) or Verdict(0, say("verdict.not_sealed"))
