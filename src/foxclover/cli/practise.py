"""``foxclover practise``: the mistakes of a finished game once more, or any moment of it to play on from."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from foxclover import notation
from foxclover.ai import AGENTS
from foxclover.canvas import wants_colour
from foxclover.chance import fresh_seed
from foxclover.cli import play, saves, screen
from foxclover.cli.arguments import number
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.cli.reading import NoSuchNumber, read_move, uniform
from foxclover.cli.review import judge, loss_words, read_finished
from foxclover.cli.seats import read_seats
from foxclover.cli.session import Session
from foxclover.cli.words import move_error
from foxclover.errors import MoveError
from foxclover.game import Move
from foxclover.locale import FALLBACK, Say, catalogue
from foxclover.review.judge import Judge, moments
from foxclover.review.practice import BEST, Exercise, Practice, exercises, share

SHOW, NEXT, QUIT = "cli.practise.word.show", "cli.practise.word.next", "cli.play.word.quit"
"""What one may type beside moves, by the keys of the words; the English ones are understood everywhere."""


class Leave(Exception):
    """The player has had enough."""


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("practise", run)
    parser.add_argument("file", type=Path, metavar="FILE", help=say("cli.review.file"))
    parser.add_argument("--seat", type=number(say, 1), metavar="N", help=say("cli.review.seat"))
    parser.add_argument("--at", type=number(say, 0), metavar="N", help=say("cli.practise.at"))
    parser.add_argument("--same-dice", action="store_true", help=say("cli.practise.same_dice"))
    parser.add_argument("--share", action="store_true", help=say("cli.practise.share"))


def run(args: Namespace, say: Say) -> int:
    """Practise mistakes; with a moment, play on from there or print it."""
    if args.at is None and (args.share or args.same_dice):
        raise UserError(say("cli.practise.which_moment"))
    transcript = read_finished(args.file, say)
    if args.at is None:
        return practise(transcript, args.seat, say)
    made = len(transcript.position.moves_made)
    if args.at >= made:
        raise UserError(say("cli.practise.no_moment", at=args.at, last=made - 1))
    fresh = str(notation.Seed(fresh_seed(), first=args.at))
    if args.share:
        print(share(transcript, args.at, "" if args.same_dice else fresh), end="")
        return 0
    same = f"{notation.ROLLS_OF}{args.file.absolute()}"
    return play_on(share(transcript, args.at, same if args.same_dice else fresh), say)


def play_on(text: str, say: Say) -> int:
    """Play a moment of a game in the terminal, as a new game."""
    transcript = notation.read(text)
    seats = read_seats(transcript.header.players, AGENTS, say)
    file = saves.new_file(transcript.header.game.key)
    return Session(
        transcript.header, transcript.position, seats, play.dice_of(transcript), file, say
    ).play()


def practise(transcript: notation.Transcript, seat: int | None, say: Say) -> int:
    """Ask for a better move in one position after the other."""
    found = judge(transcript, say, seat=seat)
    tasks = exercises(transcript.position, found)
    if not tasks:
        print(say("practice.none"))
        return 0
    practice, solved = (
        Practice(list(moments(transcript.position)), Judge(transcript.header.game)),
        0,
    )
    print(say("practice.how", show=say(SHOW), next=say(NEXT), quit=say(QUIT)))
    try:
        for index, task in enumerate(tasks, start=1):
            name = transcript.header.players[task.seat]
            loss = loss_words(task.decision, task.decision.judged, say)
            print(
                f"\n{say('practice.title', number=index, count=len(tasks), name=name, round=task.decision.round, loss=loss)}\n"
            )
            solved += ask(task, practice, transcript.header.players, say)
    except Leave:
        pass
    except (EOFError, KeyboardInterrupt):
        print()
        raise UserError(say("cli.practise.input_ended", solved=solved, count=len(tasks))) from None
    print(say("practice.done", solved=solved, count=len(tasks)))
    return 0


def ask(task: Exercise, practice: Practice, names: list[str], say: Say) -> bool:
    """Let a player look for the better move; tell whether it was found."""
    moves = task.position.legal_moves(task.seat)
    coloured = wants_colour()
    print(screen.draw_decision(task.position, names, task.seat, moves, say).text(coloured))
    while True:
        text = input(f"{names[task.seat]} > ").strip().lower()
        if not sys.stdin.isatty():
            print(text)
        if means(text, QUIT, say):
            raise Leave
        if means(text, SHOW, say) or means(text, NEXT, say):
            print(say("practice.answer", best=task.decision.best.words(say)))
            return False
        if move := find_move(text, task, say):
            answer = practice.answer(task.decision, move)
            print(
                say(
                    f"practice.{answer.verdict}",
                    difference=loss_words(task.decision, answer.difference, say),
                )
            )
            if answer.solved:
                if answer.verdict != BEST:
                    print(say("practice.answer", best=task.decision.best.words(say)))
                return True


def means(text: str, word: str, say: Say) -> bool:
    """Is this what the word of a key asks for?"""
    return uniform(text) in (uniform(one(word)) for one in (say, catalogue(FALLBACK)))


def find_move(text: str, task: Exercise, say: Say) -> Move | None:
    """A move by its number in the list or by its text; None, and a sentence, for anything else."""
    try:
        return read_move(text, task.position, task.seat, say) if text else None
    except NoSuchNumber:
        print(say("cli.play.no_number", text=text, count=len(task.position.legal_moves(task.seat))))
    except MoveError as error:
        print(move_error(error, say))
    return None
