"""``foxclover play``: a game in the terminal, new or resumed."""

from __future__ import annotations

import shutil
import sys
import time
from argparse import BooleanOptionalAction, Namespace
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from foxclover import AGENTS, Dice, transcripts
from foxclover.cli import fullscreen, saves
from foxclover.cli.arguments import (
    add_first_player,
    add_game,
    add_json,
    add_net,
    add_traceback,
    check_players,
    chosen_options,
    definition_files,
    find_game,
    find_setup,
    number,
    print_json,
    read_seats,
    read_situation,
    read_transcript,
)
from foxclover.cli.parser import Parser, UserError, program
from foxclover.cli.session import Session, daily_command
from foxclover.core.position_text import is_position
from foxclover.dice import daily
from foxclover.dice.sources import SEEDS, fresh_seed, rolled_again, seeded
from foxclover.locale import Translator
from foxclover.transcripts import Transcript

LONGEST_NUMBER = 6  # digits of a number in the list of saved games, at most
LINKS = ("http://", "https://")
S = TypeVar("S", bound=Session)


def add_play(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    add_game(parser, optional=True)
    add_json(parser)
    add_net(parser)
    add_traceback(parser)
    add_first_player(parser)
    parser.add_argument(
        "--players", metavar="A,B", help=translate("cli.play.players", agents=", ".join(AGENTS))
    )
    parser.add_argument(
        "--seed",
        type=number(translate, 0, SEEDS - 1),
        metavar="N",
        help=translate(
            "cli.help.default",
            text=translate("cli.help.seed"),
            value=translate("cli.help.new_seed"),
        ),
    )
    parser.add_argument("--real-dice", action="store_true", help=translate("cli.play.real_dice"))
    parser.add_argument("--save", type=Path, metavar="FILE", help=translate("cli.play.save"))
    parser.add_argument("--list", action="store_true", help=translate("cli.play.list"))
    add_screen(parser, translate)
    parser.add_argument(
        "--resume", nargs="?", const="", metavar="FILE", help=translate("cli.play.resume")
    )


def add_screen(parser: Parser, translate: Translator) -> None:
    """Declare the arguments of the full-screen mode."""
    parser.add_argument("--screen", action=BooleanOptionalAction, help=translate("cli.play.screen"))
    parser.add_argument(
        "--no-animation", action="store_true", help=translate("cli.play.no_animation")
    )


def run_play(args: Namespace, translate: Translator) -> int:
    """Play, or list the saved games."""
    if args.list:
        return list_saves(translate, args.json)
    make = start_game if args.resume is None else resume
    return play_session(args, translate, partial(make, args, translate))


class StartSession(Protocol):
    """Starts a game, in lines or in the whole terminal."""

    def __call__(self, kind: type[S], /) -> S:
        """Return a session of this kind."""


def play_session(args: Namespace, translate: Translator, start: StartSession) -> int:
    """Play in the whole terminal or in lines; return the exit code."""
    if not chooses_screen(args.screen, translate):
        return start(Session).play()
    from foxclover.cli.fullscreen.app import run
    from foxclover.cli.fullscreen.session import ScreenSession

    session = start(ScreenSession)
    session.motion = session.motion and not args.no_animation
    return run(session)


def chooses_screen(wanted: bool | None, translate: Translator) -> bool:
    """Return whether to play in the whole terminal; by default, where that is possible."""
    if wanted is None:
        return (
            fullscreen.is_possible() and fullscreen.is_large_enough() and fullscreen.is_installed()
        )
    if wanted and not fullscreen.is_possible():
        raise UserError(translate("cli.screen.no_terminal"))
    if wanted and not fullscreen.is_large_enough():
        columns, lines = shutil.get_terminal_size()
        sentence = translate(
            "cli.screen.too_small",
            columns=columns,
            lines=lines,
            least_columns=fullscreen.LEAST_COLUMNS,
            least_lines=fullscreen.LEAST_LINES,
        )
        print(sentence, file=sys.stderr)
        return False
    return wanted


def start_game(args: Namespace, translate: Translator, kind: type[S]) -> S:
    """Set up a new game."""
    game = find_game(args, translate)
    seats = read_seats(
        args.players.split(",") if args.players else [translate("cli.play.you")],
        translate,
        custom=True,
    )
    check_players(game, len(seats), translate)
    if args.real_dice and args.seed is not None:
        raise UserError(translate("cli.play.typed_seed"))
    if args.save and args.save.exists():
        raise UserError(translate("cli.play.exists", file=args.save))
    seed = fresh_seed() if args.seed is None else args.seed
    setup = find_setup(args, game, len(seats), translate)
    named = transcripts.TYPED if args.real_dice else str(transcripts.Seed(seed))
    header = transcripts.Header(game, [str(seat) for seat in seats], named, setup)
    position = game.start_with(len(seats), setup)
    dice = None if args.real_dice else seeded(seed)
    file = args.save or saves.new_file(game.key)
    return kind(header, position, seats, dice, file, translate)


def resume(args: Namespace, translate: Translator, kind: type[S]) -> S:
    """Resume a game where its transcript ends."""
    given = (
        *(args.game, args.players, args.real_dice, args.save, args.first_player),
        args.seed is not None,
    )
    if any(given) or definition_files(args) or chosen_options(args):
        raise UserError(translate("cli.play.resume_alone"))
    if args.resume.startswith(LINKS):
        transcript = read_link(args.resume, translate)
        file = saves.new_file(transcript.header.game.key)
    elif is_position(args.resume) and not Path(args.resume).exists():
        transcript = set_up(args.resume, translate)
        file = saves.new_file(transcript.header.game.key)
    elif args.resume:
        file = find_save(args.resume, translate)
        transcript = read_transcript(file, translate)
    else:
        file, transcript = _last_unfinished(translate)
    if daily.read_dice(transcript.header.dice):
        raise UserError(
            translate("cli.daily.resume", command=daily_command(transcript.header.game.key))
        )
    seats = read_seats(transcript.header.players, translate)
    if transcript.sealing and not transcript.position.over:
        # Only the server has the secrets of provably fair dice; the old file stays as it is.
        old, file = file, saves.new_file(transcript.header.game.key)
        print(translate("cli.play.not_fair", file=old, own=file))
        transcript.header.dice = str(_dice_to_come(transcript))
    return kind(transcript.header, transcript.position, seats, dice_of(transcript), file, translate)


def read_link(link: str, translate: Translator) -> Transcript:
    """Read the game or position in a link; provably fair dice are replaced by others."""
    from foxclover.review.transcripts import NotReplayable, read_for_others, text_in_link

    try:
        text = text_in_link(link)
        if is_position(text):
            return set_up(text, translate)
        transcript = read_for_others(text)
    except NotReplayable:
        raise UserError(translate("cli.play.bad_link")) from None
    if transcript.sealing:
        transcript.header.dice = str(_dice_to_come(transcript))
    return transcript


def set_up(text: str, translate: Translator) -> Transcript:
    """Return a game that starts from a position."""
    position, names = read_situation(text, translate)
    dice = str(transcripts.Seed(fresh_seed()))
    header = transcripts.Header(position.game, names, dice, position.setup)
    return Transcript(header, position)


def _dice_to_come(transcript: Transcript) -> transcripts.Seed:
    """Return a new seed for the rolls to come."""
    return transcripts.Seed(fresh_seed(), first=len(transcript.position.moves_made))


def _last_unfinished(translate: Translator) -> tuple[Path, Transcript]:
    for _, file, transcript in readable_saves(translate):
        if not transcript.position.over:
            return file, transcript
    raise UserError(translate("cli.play.nothing_to_resume", folder=saves.saves_folder()))


def readable_saves(translate: Translator) -> Iterator[tuple[int, Path, Transcript]]:
    """Yield number, file and game of the saved games, the last changed one first.

    Name unreadable ones.
    """
    for index, file in enumerate(saves.newest_first(), start=1):
        try:
            yield index, file, read_transcript(file, translate)
        except UserError as error:
            print(translate("cli.play.left_out", problem=error), file=sys.stderr)


def find_save(text: str, translate: Translator) -> Path:
    """Return a saved game by its file, or by its number in the list."""
    found = saves.newest_first()
    if not text.isdecimal() or Path(text).exists():
        return Path(text)
    if not text.isascii() or len(text) > LONGEST_NUMBER or not 1 <= int(text) <= len(found):
        raise UserError(
            translate("cli.play.no_save", text=text, count=len(found), command=f"{program()} play")
        )
    return found[int(text) - 1]


def list_saves(translate: Translator, as_json: bool = False) -> int:
    """List the saved games, and how to resume one."""
    if as_json:
        print_json([_save_as_data(*save) for save in readable_saves(translate)])
        return 0
    key = "cli.play.list_none"
    for index, file, transcript in readable_saves(translate):
        key, position = "cli.play.list_how", transcript.position
        view = position.view()
        scores = ", ".join(
            f"{seat.partition(':')[0]} {position.score(place)}"
            for place, seat in enumerate(transcript.header.players)
        )
        progress = (
            translate("cli.play.list_over")
            if position.over
            else translate("common.round", round=view["round"], rounds=view["rounds"])
        )
        changed = time.strftime("%Y-%m-%d %H:%M", time.localtime(file.stat().st_mtime))
        print(f"{index:>3}  {changed}  {position.game.name}, {progress}: {scores}")
    print(translate(key, folder=saves.saves_folder(), command=f"{program()} play"))
    return 0


def _save_as_data(index: int, file: Path, transcript: Transcript) -> dict[str, Any]:
    position = transcript.position
    return {
        "number": index,
        "file": str(file),
        "changed": int(file.stat().st_mtime),
        "game": position.game.key,
        "players": transcript.header.players,
        "scores": [position.score(seat) for seat in range(position.players)],
        "round": position.view()["round"],
        "over": position.over,
    }


def dice_of(transcript: Transcript) -> Dice | None:
    """Return the dice of a transcript, after the rolls it contains."""
    named, position = transcript.header.dice, transcript.position
    if named == transcripts.TYPED:
        return None
    if named.startswith(transcripts.ROLLS_OF):
        with suppress(OSError, ValueError):  # a game that is gone or damaged has no rolls left
            whole = transcripts.read(
                Path(named.removeprefix(transcripts.ROLLS_OF)).read_text(encoding="utf-8")
            ).position
            if whole.game is position.game:
                return rolled_again(whole, position)
    followed = transcript.follow_seed()
    return followed.dice if followed else seeded(fresh_seed())
