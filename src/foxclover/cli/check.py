"""Commands that check a file: ``replay``, ``verify``, ``deck`` and ``sheet``.

The first two check the moves and the dice of a transcript, the others a definition file.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from foxclover import MoveError, transcripts
from foxclover.cli import screen
from foxclover.cli.arguments import (
    add_json,
    print_json,
    read_bytes,
    read_text,
    read_transcript,
    reader,
    refusing_bad_transcripts,
)
from foxclover.cli.output import wants_colour
from foxclover.cli.parser import BAD_FILE, Parser, UserError, program
from foxclover.cli.reading import move_error
from foxclover.core.contract import AnyFamily, Head
from foxclover.core.data_file import DataFile
from foxclover.core.registry import all_families, check_head, families, find_family
from foxclover.dice import daily
from foxclover.locale import Translator
from foxclover.transcripts.dice_check import (
    DiceCheck,
    Witness,
    WitnessError,
    check_dice,
    read_witness,
)


def add_replay(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.replay.file"))
    add_json(parser)


def run_replay(args: Namespace, translate: Translator) -> int:
    """Replay a transcript and print its result."""
    transcript = read_transcript(args.file, translate)
    with refusing_bad_transcripts(args.file, translate):
        seed = check_rolls(transcript)
    position, names = transcript.position, transcript.header.players
    if args.json:
        scores = [
            {"player": name, "score": position.score(seat), "parts": position.breakdown(seat)}
            for seat, name in enumerate(names)
        ]
        head = {
            "game": position.game.key,
            "moves": len(position.moves_made),
            "over": position.over,
            "seed": seed or None,
        }
        print_json({**head, "scores": scores})
        return 0
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
        raise transcripts.TranscriptError(
            transcript.lines[followed.foreign],
            "roll",
            seed=transcript.header.dice,
            text=transcript.position.moves_made[followed.foreign].text,
            drawn=followed.drawn,
        )
    return transcript.header.dice


def add_verify(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.verify.file"))
    parser.add_argument(
        "--key",
        type=reader(translate, "cli.verify.no_key", read_key),
        metavar="KEY",
        help=translate("cli.verify.key"),
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
    found = verify_dice(read_text(args.file, translate), translate, args.key, witnesses)
    if args.json:
        print_json(
            {
                "ok": not found.problem,
                "draws": found.draws,
                "problem": found.problem or None,
                "remarks": found.remarks,
            }
        )
    elif found.problem:
        print(f"{program()}: {args.file}: {found.problem}", file=sys.stderr)
    else:
        print(found.words(translate))
    return BAD_FILE if found.problem else 0


def read_key(text: str) -> bytes:
    """Read the key of a day; raises ``ValueError``."""
    key = bytes.fromhex(text)
    if len(key) != daily.KEY_BYTES:
        raise ValueError(text)
    return key


def _read_witness(file: Path, translate: Translator) -> Witness:
    try:
        return read_witness(read_text(file, translate))
    except WitnessError:
        raise UserError(translate("cli.verify.no_witness", file=file)) from None


def verify_dice(
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
        0, translate("dice_check.not_fair")
    )


def add_deck(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.deck.file"))
    add_json(parser)


def add_sheet(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.sheet.file"))
    add_json(parser)


def run_definition(args: Namespace, translate: Translator) -> int:
    """Print the content of a definition file, or its errors."""
    source, head = read_bytes(args.file, translate), partial(check_head, stem=args.file.stem)
    family = next(family for family in all_families() if family.kind == args.command)
    file, content = family.definitions.check(source, head, translate)
    if file.errors:
        for other in all_families():
            if other is not family and is_of(other, source, head, translate):
                command = f"{program()} {other.kind}"
                raise UserError(
                    translate(f"cli.data.is_{other.kind}", file=args.file, command=command)
                )
    if args.json:
        findings = [
            {
                "line": finding.line,
                "column": finding.column or None,
                "problem": finding.problem.words(translate),
                "error": finding.error,
            }
            for finding in file.findings
        ]
        print_json({"ok": not file.errors, "summary": content or None, "findings": findings})
        return BAD_FILE if file.errors else 0
    for finding in file.findings:
        place = sys.stderr if finding.error else sys.stdout
        print(f"{args.file}: {finding.words(translate)}", file=place)
    if file.errors:
        problem = translate("cli.data.unusable", file=args.file, count=len(file.errors))
        print(f"{program()}: {problem}", file=sys.stderr)
        return BAD_FILE
    print(content)
    return 0


run_deck = run_sheet = run_definition


def is_of(
    family: AnyFamily, source: bytes, head: Callable[[DataFile], Head], translate: Translator
) -> bool:
    """Return whether a file names a family, or is a definition of it without any error."""
    named = DataFile(source).data.get("family")
    return (
        find_family(named) is family
        if named in families()
        else not family.definitions.check(source, head, translate)[0].errors
    )
