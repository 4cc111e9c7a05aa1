"""``foxclover practise``: repeat the mistakes of a finished game, or play on from a position."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from foxclover import Move, MoveError, transcripts
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
    add_net(parser)


def run_practise(args: Namespace, translate: Translator) -> int:
    """Practise mistakes; with ``--at``, play on from that position or print it."""
    if args.at is None and (args.share or args.same_dice):
        raise UserError(translate("cli.practise.which_moment"))
    transcript = read_finished(args.file, translate)
    if args.at is None:
        return practise(transcript, args.seat, translate)
    made = len(transcript.position.moves_made)
    if args.at >= made:
        raise UserError(translate("cli.practise.no_moment", at=args.at, last=made - 1))
    fresh = str(transcripts.Seed(fresh_seed(), first=args.at))
    if args.share:
        print(share(transcript, args.at, "" if args.same_dice else fresh), end="")
        return 0
    same = f"{transcripts.ROLLS_OF}{args.file.absolute()}"
    return play_on(share(transcript, args.at, same if args.same_dice else fresh), translate)


def play_on(text: str, translate: Translator) -> int:
    """Play a position of a game in the terminal, as a new game."""
    transcript = transcripts.read(text)
    seats = read_seats(transcript.header.players, translate)
    file = saves.new_file(transcript.header.game.key)
    return Session(
        transcript.header, transcript.position, seats, play.dice_of(transcript), file, translate
    ).play()


def practise(transcript: transcripts.Transcript, seat: int | None, translate: Translator) -> int:
    """Ask for a better move in one position after the other."""
    tasks = exercises(transcript.position, review_game(transcript, translate, seat=seat))
    if not tasks:
        print(translate("practice.none"))
        return 0
    practice = Practice(list(moments(transcript.position)), Analyser(transcript.header.game))
    names, solved = transcript.header.players, 0
    print(
        translate("practice.how", show=translate(SHOW), next=translate(NEXT), quit=translate(QUIT))
    )
    try:
        for index, task in enumerate(tasks, start=1):
            title = translate(
                "practice.title",
                number=index,
                count=len(tasks),
                name=names[task.seat],
                round=task.decision.round,
                loss=loss_words(task.decision, task.decision.counted_loss, translate),
            )
            print(f"\n{title}\n")
            solved += ask(task, practice, names, translate)
    except Leave:
        pass
    except (EOFError, KeyboardInterrupt) as error:
        print()
        raise (Halted if isinstance(error, KeyboardInterrupt) else UserError)(
            translate("cli.practise.input_ended", solved=solved, count=len(tasks))
        ) from None
    print(translate("practice.done", solved=solved, count=len(tasks)))
    return 0


def ask(task: Exercise, practice: Practice, names: list[str], translate: Translator) -> bool:
    """Ask for the better move; return whether it was found."""
    moves = task.position.legal_moves(task.seat)
    best = translate("practice.answer", best=task.decision.best.words(translate))
    drawn = screen.draw_decision(task.position, names, task.seat, moves, translate)
    print(drawn.text(wants_colour()))
    words = [translate(word) for word in (SHOW, NEXT, QUIT)]
    editor = move_editor(task.position, task.seat, words, translate)
    while True:
        text = editor.read(f"{names[task.seat]} > ").lower()
        if not sys.stdin.isatty():
            print(text)
        if means(text, QUIT, translate):
            raise Leave
        if means(text, SHOW, translate) or means(text, NEXT, translate):
            print(best)
            return False
        move = find_move(text, task, translate)
        if move is None:
            continue
        answer = practice.answer(task.decision, move)
        difference = loss_words(task.decision, answer.difference, translate)
        print(translate(f"practice.{answer.verdict}", difference=difference))
        if answer.solved:
            if answer.verdict != BEST:
                print(best)
            return True


def means(text: str, word: str, translate: Translator) -> bool:
    """Return whether a text is the word of a key."""
    return uniform(text) in (uniform(translate(word)), uniform(catalogue(FALLBACK)(word)))


def find_move(text: str, task: Exercise, translate: Translator) -> Move | None:
    """Return a move by its number or text; print a sentence and return None for anything else."""
    try:
        return read_move(text, task.position, task.seat, translate) if text else None
    except MoveError as error:
        print(move_error(error, translate))
    return None
