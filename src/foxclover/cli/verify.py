"""``foxclover verify``: checks that the dice of a game were sealed, or those of its day, every draw of it."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from foxclover import daily, notation
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
    day: str = ""  # of a daily challenge
    promise: str = ""


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("verify", run)
    parser.add_argument("file", metavar="FILE", help=say("cli.verify.file"))
    parser.add_argument("--key", type=key_of_day(say), metavar="KEY", help=say("cli.verify.key"))
    add_json(parser)


def run(args: Namespace, say: Say) -> int:
    """Verify; exit code 1 for a game that is not what was sealed."""
    verdict = judge(sys.stdin.read() if args.file == "-" else read_text(Path(args.file), say), say, args.key)
    if args.json:
        print_json({"ok": not verdict.problem, "draws": verdict.draws, "problem": verdict.problem or None})
    elif verdict.problem:
        print(f"foxclover: {args.file}: {verdict.problem}", file=sys.stderr)
    elif verdict.day:
        print(say("cli.verify.day", count=verdict.draws, day=verdict.day, promise=verdict.promise))
    else:
        print(say("cli.verify.fine", count=verdict.draws))
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
        return Verdict(0, move_error(error, say))
    except notation.TranscriptError as error:
        return Verdict(0, error.words(say))
    position = transcript.position
    if (of_day := daily.read_dice(transcript.header.dice)) is not None:
        return _judge_day(transcript, *of_day[:2], key or of_day[2], say)
    if transcript.sealing is None:
        return Verdict(0, say("cli.verify.not_sealed"))
    code, anchor = transcript.sealing
    try:
        return Verdict(verify(title(code, position.game.key, position.players, position.variant), anchor, position, transcript.seals))
    except SealError as error:
        problem = say(f"cli.verify.{error.problem}", draw=error.draw, expected=error.expected)
        return Verdict(error.draw - 1, say("cli.move.line", line=transcript.lines[error.move], problem=problem))


def _judge_day(transcript: notation.Transcript, day: str, promise: str, key: bytes | None, say: Say) -> Verdict:
    if key is None:
        return Verdict(0, say("cli.verify.key_not_told", day=day))
    try:
        return Verdict(daily.verify(promise, key, transcript.position), day=day, promise=promise)
    except daily.NotOfTheDay as error:
        if error.problem == "key":
            return Verdict(0, say("cli.verify.other_key", promise=promise))
        problem = say("cli.verify.day_roll", draw=error.draw, expected=error.expected)
        return Verdict(error.draw - 1, say("cli.move.line", line=transcript.lines[error.move], problem=problem))
