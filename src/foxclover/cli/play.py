"""``foxclover play``: a game in the terminal, new or resumed."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from foxclover import daily, notation
from foxclover.ai import AGENTS
from foxclover.chance import Dice, fresh_seed, rolled_again, seeded
from foxclover.cli import saves
from foxclover.cli.arguments import (
    SEEDS,
    add_begins,
    add_game,
    check_players,
    find_game,
    find_variant,
    number,
    option_names,
    own_books,
    read_transcript,
)
from foxclover.cli.daily import resume_command
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.cli.seats import Seat, read_seats
from foxclover.cli.session import Session
from foxclover.locale import Say

LONGEST_NUMBER = 6  # digits of a number in the list of saved games
LINKS = ("http://", "https://")


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("play", run)
    add_game(parser, optional=True)
    add_begins(parser)
    parser.add_argument(
        "--players", metavar="A,B", help=say("cli.play.players", agents=", ".join(AGENTS))
    )
    parser.add_argument(
        "--seed",
        type=number(say, 0, SEEDS - 1),
        metavar="N",
        help=say("cli.help.else", text=say("cli.help.seed"), value=say("cli.help.new_seed")),
    )
    parser.add_argument("--dice", choices=(notation.TYPED,), help=say("cli.play.dice"))
    parser.add_argument("--save", type=Path, metavar="FILE", help=say("cli.play.save"))
    parser.add_argument("--list", action="store_true", help=say("cli.play.list"))
    parser.add_argument(
        "--resume", nargs="?", const="", metavar="FILE", help=say("cli.play.resume")
    )


def run(args: Namespace, say: Say) -> int:
    """Play, or list the saved games."""
    if args.list:
        return list_saves(say)
    session = begin(args, say) if args.resume is None else resume(args, say)
    return session.play()


def begin(args: Namespace, say: Say) -> Session:
    """Set up a new game."""
    game = find_game(args, say)
    seats = read_seats(
        args.players.split(",") if args.players else [say("cli.play.you")], AGENTS, say, own=True
    )
    check_players(game, len(seats), say)
    if args.dice and args.seed is not None:
        raise UserError(say("cli.play.typed_seed"))
    if args.save and args.save.exists():
        raise UserError(say("cli.play.exists", file=args.save))
    seed = fresh_seed() if args.seed is None else args.seed
    variant = find_variant(args, game, len(seats), say)
    header = notation.Header(
        game, [str(seat) for seat in seats], args.dice or str(notation.Seed(seed)), variant
    )
    dice = None if args.dice else seeded(seed)
    return Session(
        header,
        game.start(len(seats), header.variant),
        seats,
        dice,
        args.save or saves.new_file(game.key),
        say,
    )


def resume(args: Namespace, say: Say) -> Session:
    """Go on where a transcript ends."""
    chosen = own_books(args) or any(getattr(args, name) for name in option_names())
    if (
        chosen
        or args.game
        or args.players
        or args.dice
        or args.save
        or args.begins
        or args.seed is not None
    ):
        raise UserError(say("cli.play.resume_alone"))
    if args.resume.startswith(LINKS):
        transcript = read_link(args.resume, say)
        file = saves.new_file(transcript.header.game.key)
    elif args.resume:
        file = find_save(args.resume, say)
        transcript = read_transcript(file, say)
    else:
        file, transcript = _last_unfinished(say)
    if daily.read_dice(transcript.header.dice):
        raise UserError(say("cli.daily.resume", command=resume_command(transcript.header.game.key)))
    seats = read_seats(transcript.header.players, AGENTS, say)
    if transcript.sealing and not transcript.position.over:
        return _go_on_unsealed(transcript, seats, file, say)
    return Session(transcript.header, transcript.position, seats, dice_of(transcript), file, say)


def read_link(link: str, say: Say) -> notation.Transcript:
    """The position in a link, with its game so far; sealed dice stay with their server."""
    from foxclover.review.transcripts import NotReplayable, read_for_others, text_in_link

    try:
        transcript = read_for_others(text_in_link(link))
    except NotReplayable:
        raise UserError(say("cli.play.bad_link")) from None
    if transcript.sealing:
        transcript.header.dice = str(_dice_to_come(transcript))
    return transcript


def _dice_to_come(transcript: notation.Transcript) -> notation.Seed:
    """Fresh dice for what is still to come."""
    return notation.Seed(fresh_seed(), first=len(transcript.position.moves_made))


def _go_on_unsealed(
    transcript: notation.Transcript, seats: list[Seat], file: Path, say: Say
) -> Session:
    """Only the server has the secrets to come: go on with other dice in a file of its own, and leave the sealed one as it is."""
    position, seed = transcript.position, _dice_to_come(transcript)
    own = saves.new_file(position.game.key)
    print(say("cli.play.unsealed", file=file, own=own))
    return Session(
        replace(transcript.header, dice=str(seed)), position, seats, seeded(seed.number), own, say
    )


def _last_unfinished(say: Say) -> tuple[Path, notation.Transcript]:
    for file, transcript in readable_saves(say):
        if not transcript.position.over:
            return file, transcript
    raise UserError(say("cli.play.nothing_to_resume", folder=saves.saves_folder()))


def readable_saves(say: Say) -> Iterator[tuple[Path, notation.Transcript]]:
    """The saved games, the one touched last first; those that cannot be read are told."""
    for file in saves.newest_first():
        try:
            yield file, read_transcript(file, say)
        except UserError as error:
            print(say("cli.play.left_out", problem=error), file=sys.stderr)


def find_save(text: str, say: Say) -> Path:
    """A saved game by its file, or by its number in the list."""
    found = saves.newest_first()
    if not text.isdecimal() or Path(text).exists():
        return Path(text)
    if not text.isascii() or len(text) > LONGEST_NUMBER or not 1 <= int(text) <= len(found):
        raise UserError(say("cli.play.no_save", text=text, count=len(found)))
    return found[int(text) - 1]


def list_saves(say: Say) -> int:
    """Tell which games are saved, how far they are, and how to go on with one."""
    numbers = {file: number for number, file in enumerate(saves.newest_first(), 1)}
    shown = 0
    for file, transcript in readable_saves(say):
        position = transcript.position
        view, shown = position.view(), shown + 1
        scores = ", ".join(
            f"{seat.partition(':')[0]} {position.score(place)}"
            for place, seat in enumerate(transcript.header.players)
        )
        how_far = (
            say("cli.play.list_over")
            if position.over
            else say("common.round", round=view["round"], rounds=view["rounds"])
        )
        touched = time.strftime("%Y-%m-%d %H:%M", time.localtime(file.stat().st_mtime))
        print(f"{numbers[file]:>3}  {touched}  {position.game.name}, {how_far}: {scores}")
    print(
        say("cli.play.list_how", folder=saves.saves_folder())
        if shown
        else say("cli.play.list_none", folder=saves.saves_folder())
    )
    return 0


def dice_of(transcript: notation.Transcript) -> Dice | None:
    """The dice of a transcript, as far rolled as it goes."""
    named, position = transcript.header.dice, transcript.position
    if named == notation.TYPED:
        return None
    if named.startswith(notation.ROLLS_OF):
        with suppress(OSError, ValueError):  # a game that is gone or damaged has no rolls left
            whole = notation.read(
                Path(named.removeprefix(notation.ROLLS_OF)).read_text(encoding="utf-8")
            ).position
            if whole.game is position.game:
                return rolled_again(whole, position)
    followed = transcript.follow_seed()
    return followed.dice if followed else seeded(fresh_seed())
