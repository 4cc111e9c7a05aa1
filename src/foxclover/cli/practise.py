"""``foxclover practise``: repeat the mistakes of a finished game, or play on from a position."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from foxclover import MoveError, transcripts
from foxclover.cli import play, saves, screen
from foxclover.cli.arguments import add_net, number, read_seats
from foxclover.cli.line_editor import move_editor
from foxclover.cli.output import wants_colour
from foxclover.cli.parser import Halted, Parser, UserError
from foxclover.cli.reading import move_error, read_move, uniform
from foxclover.cli.review import loss_words, read_finished, review_game
from foxclover.cli.session import Leave, Session
from foxclover.dice.sources import fresh_seed
from foxclover.locale import FALLBACK, Translator, catalogue
from foxclover.review.analyser import Analyser, moments
from foxclover.review.practice import Exercise, Practice, exercises, share
from foxclover.review.schema import BEST

S = TypeVar("S", bound=Session)
# Keys of the words for commands; the English words work in all languages.
SHOW, NEXT, QUIT = "cli.practise.word.show", "cli.practise.word.next", "cli.play.word.quit"


def add_practise(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.review.file"))
    parser.add_argument(
        "--seat", type=number(translate, 1), metavar="N", help=translate("cli.review.seat")
    )
    parser.add_argument(
        "--at", type=number(translate, 0), metavar="N", help=translate("cli.practise.at")
    )
    parser.add_argument(
        "--same-dice", action="store_true", help=translate("cli.practise.same_dice")
    )
    parser.add_argument("--share", action="store_true", help=translate("cli.practise.share"))
    play.add_screen(parser, translate)
    add_net(parser)


def run_practise(args: Namespace, translate: Translator) -> int:
    """Practise mistakes; with ``--at``, play on from that position or print it."""
    if args.at is None and (args.share or args.same_dice):
        raise UserError(translate("cli.practise.which_moment"))
    transcript = read_finished(args.file, translate)
    if args.at is None:
        return practise(transcript, args, translate)
    made = len(transcript.position.moves_made)
    if args.at >= made:
        raise UserError(translate("cli.practise.no_moment", at=args.at, last=made - 1))
    fresh = str(transcripts.Seed(fresh_seed(), first=args.at))
    if args.share:
        print(share(transcript, args.at, "" if args.same_dice else fresh), end="")
        return 0
    same = f"{transcripts.ROLLS_OF}{args.file.absolute()}"
    text = share(transcript, args.at, same if args.same_dice else fresh)
    return play_on(text, args, translate)


def play_on(text: str, args: Namespace, translate: Translator) -> int:
    """Play a position of a game in the terminal, as a new game."""
    transcript = transcripts.read(text)
    seats = read_seats(transcript.header.players, translate)
    file = saves.new_file(transcript.header.game.key)

    def start(kind: type[S]) -> S:
        dice = play.dice_of(transcript)
        return kind(transcript.header, transcript.position, seats, dice, file, translate)

    return play.play_session(args, translate, start)


def practise(transcript: transcripts.Transcript, args: Namespace, translate: Translator) -> int:
    """Ask for a better move in one position after the other."""
    tasks = exercises(transcript.position, review_game(transcript, translate, seat=args.seat))
    if not tasks:
        print(translate("practice.none"))
        return 0
    drill = Drill(transcript, tasks, translate)
    if play.chooses_screen(args.screen, translate):
        from foxclover.cli.fullscreen.app import run
        from foxclover.cli.fullscreen.session import PracticeSession

        return run(PracticeSession.of(drill))
    print(drill.instructions())
    try:
        drill.go_through(Lines(drill))
    except (EOFError, KeyboardInterrupt) as error:
        print()
        raise (Halted if isinstance(error, KeyboardInterrupt) else UserError)(
            translate("cli.practise.input_ended", solved=drill.solved, count=len(tasks))
        ) from None
    return 0


class Desk(Protocol):
    """Where you practise: in lines, or in the whole terminal."""

    def present(self, task: Exercise) -> None:
        """Show the position of an exercise."""

    def read_answer(self, task: Exercise) -> str:
        """Read a move or a word."""

    def show(self, text: str, /) -> None:
        """Show a sentence."""


class Drill:
    """All exercises of a game, one after the other."""

    def __init__(
        self,
        transcript: transcripts.Transcript,
        tasks: Sequence[Exercise],
        translate: Translator,
    ) -> None:
        self.transcript, self.tasks, self.translate = transcript, tasks, translate
        self.names = transcript.header.players
        self.practice = Practice(
            list(moments(transcript.position)), Analyser(transcript.header.game)
        )
        self.solved = 0

    def instructions(self) -> str:
        """Return what can be typed."""
        show, following, leave = map(self.translate, (SHOW, NEXT, QUIT))
        return self.translate("practice.how", show=show, next=following, quit=leave)

    def go_through(self, desk: Desk) -> None:
        """Ask for a better move in each exercise, until the player leaves."""
        for index, task in enumerate(self.tasks, start=1):
            title = self.translate(
                "practice.title",
                number=index,
                count=len(self.tasks),
                name=self.names[task.seat],
                round=task.decision.round,
                loss=loss_words(task.decision, task.decision.counted_loss, self.translate),
            )
            desk.show(f"\n{title}\n")
            desk.present(task)
            try:
                self.solved += self.ask(task, desk)
            except Leave:
                break
        desk.show(self.translate("practice.done", solved=self.solved, count=len(self.tasks)))

    def ask(self, task: Exercise, desk: Desk) -> bool:
        """Ask for the better move; return whether it was found."""
        translate = self.translate
        best = translate("practice.answer", best=task.decision.best.words(translate))
        while True:
            text = desk.read_answer(task)
            if means(text, QUIT, translate):
                raise Leave
            if means(text, SHOW, translate) or means(text, NEXT, translate):
                desk.show(best)
                return False
            try:
                move = read_move(text, task.position, task.seat, translate) if text else None
            except MoveError as error:
                desk.show(move_error(error, translate))
                continue
            if move is None:
                continue
            answer = self.practice.answer(task.decision, move)
            difference = loss_words(task.decision, answer.difference, translate)
            desk.show(translate(f"practice.{answer.verdict}", difference=difference))
            if answer.solved:
                if answer.verdict != BEST:
                    desk.show(best)
                return True


class Lines:
    """Exercises in lines, with completion of moves."""

    def __init__(self, drill: Drill) -> None:
        self.drill = drill

    def present(self, task: Exercise) -> None:
        """Print the position."""
        names, translate = self.drill.names, self.drill.translate
        moves = task.position.legal_moves(task.seat)
        drawn = screen.draw_decision(task.position, names, task.seat, moves, translate)
        print(drawn.text(wants_colour()))
        words = [translate(word) for word in (SHOW, NEXT, QUIT)]
        self.editor = move_editor(task.position, task.seat, words, translate)

    def read_answer(self, task: Exercise) -> str:
        """Read a line."""
        text = self.editor.read(f"{self.drill.names[task.seat]} > ").lower()
        if not sys.stdin.isatty():
            print(text)
        return text

    def show(self, text: str, /) -> None:
        """Print a sentence."""
        print(text)


def means(text: str, word: str, translate: Translator) -> bool:
    """Return whether a text is the word of a key."""
    return uniform(text) in (uniform(translate(word)), uniform(catalogue(FALLBACK)(word)))
