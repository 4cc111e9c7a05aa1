"""``foxclover replay`` and ``verify``: check the moves, or the dice, of a transcript."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from foxclover import transcripts
from foxclover.cli import screen
from foxclover.cli.arguments import (
    add_json,
    print_json,
    read_text,
    read_transcript,
    refusing_bad_transcripts,
)
from foxclover.cli.output import wants_colour
from foxclover.cli.parser import BAD_FILE, Commands, UserError
from foxclover.cli.reading import move_error
from foxclover.core.errors import MoveError
from foxclover.dice import daily
from foxclover.locale import Translator
from foxclover.transcripts.dice_check import (
    DiceCheck,
    Witness,
    WitnessError,
    check_dice,
    read_witness,
)


def add_replay(commands: Commands, translate: Translator) -> None:
    """Declare the command."""
    parser = commands.add("replay", run_replay)
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.replay.file"))
    add_json(parser)


def run_replay(args: Namespace, translate: Translator) -> int:
    """Replay a transcript and print its result."""
    transcript = read_transcript(args.file, translate)
    with refusing_bad_transcripts(args.file, translate):
        seed = check_rolls(transcript)
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
        print(f"── {name} ──\n{screen.draw_player(position, seat, [], translate).text(coloured)}\n")
    print(screen.draw_result(position, names, translate).text(coloured))
    print(translate("cli.replay.fine", count=len(position.moves_made)))
    print(translate("cli.replay.seeded", seed=seed) if seed else translate("cli.replay.written"))
    if not position.over:
        print(translate("cli.replay.unfinished"))
    return 0


def check_rolls(transcript: transcripts.Transcript) -> str:
    """Return the seed that all rolls follow, "" if the header names none.

    Raises ``TranscriptError`` for the first other roll.
    """
    followed = transcript.follow_seed()
    if followed is None:
        return ""
    if followed.foreign is not None:
        line, roll = (
            transcript.lines[followed.foreign],
            transcript.position.moves_made[followed.foreign],
        )
        raise transcripts.TranscriptError(
            line, "roll", seed=transcript.header.dice, text=roll.text, drawn=followed.drawn
        )
    return transcript.header.dice


def add_verify(commands: Commands, translate: Translator) -> None:
    """Declare the command."""
    parser = commands.add("verify", run_verify)
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.verify.file"))
    parser.add_argument(
        "--key", type=key_of_day(translate), metavar="KEY", help=translate("cli.verify.key")
    )
    parser.add_argument(
        "--witness",
        type=Path,
        metavar="FILE",
        action="append",
        default=[],
        help=translate("cli.verify.witness"),
    )
    add_json(parser)


def run_verify(args: Namespace, translate: Translator) -> int:
    """Verify the dice of a game."""
    witnesses = [_read_witness(file, translate) for file in args.witness]
    verdict = judge(read_text(args.file, translate), translate, args.key, witnesses)
    if args.json:
        print_json(
            {
                "ok": not verdict.problem,
                "draws": verdict.draws,
                "problem": verdict.problem or None,
                "remarks": verdict.remarks,
            }
        )
    elif verdict.problem:
        print(f"foxclover: {args.file}: {verdict.problem}", file=sys.stderr)
    else:
        print(verdict.words(translate))
    return BAD_FILE if verdict.problem else 0


def key_of_day(translate: Translator) -> Callable[[str], bytes]:
    """Return a reader of a day's key."""

    def read(text: str) -> bytes:
        try:
            key = bytes.fromhex(text)
        except ValueError:
            key = b""
        if len(key) != daily.KEY_BYTES:
            raise ArgumentTypeError(translate("cli.verify.no_key", text=text))
        return key

    return read


def _read_witness(file: Path, translate: Translator) -> Witness:
    try:
        return read_witness(read_text(file, translate))
    except WitnessError:
        raise UserError(translate("cli.verify.no_witness", file=file)) from None


def judge(
    text: str, translate: Translator, key: bytes | None = None, witnesses: Sequence[Witness] = ()
) -> DiceCheck:
    """Check secrets, salts and draws of a transcript, or the key of its day and its draws."""
    try:
        transcript = transcripts.read(text)
    except MoveError as error:
        # The usual cause is a changed draw before the illegal move: report that.
        lines = text.splitlines()[: (error.line or 1) - 1]
        before = check_dice(
            transcripts.read("\n".join(lines[: transcripts.last_move(lines)])),
            translate,
            key,
            witnesses,
        ) or DiceCheck(0)
        return before if before.problem else DiceCheck(before.draws, move_error(error, translate))
    except transcripts.TranscriptError as error:
        return DiceCheck(0, error.words(translate))
    return check_dice(transcript, translate, key, witnesses) or DiceCheck(
        0, translate("verdict.not_sealed")
    )
