"""``foxclover review``: what the decisions of a finished game were worth, and how lucky everybody was."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from foxclover import notation
from foxclover.ai.trials import POINTS_OF_A_WIN
from foxclover.cli.arguments import add_json, number, print_json, read_text
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.cli.progress import Progress
from foxclover.cli.words import move_error
from foxclover.errors import MoveError
from foxclover.game import Game, Position
from foxclover.locale import Say, say_number
from foxclover.net_file import NetError

if TYPE_CHECKING:
    from foxclover.review import Review, SeatReview
    from foxclover.review.account import Decision

WORST = 5  # decisions that are told one by one
LUCKIEST = 3  # rolls, and as many unlucky ones
TOLD = 0.05  # points; less would be told as none


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("review", run)
    parser.add_argument("file", type=Path, metavar="FILE", help=say("cli.review.file"))
    parser.add_argument("--seat", type=number(say, 1), metavar="N", help=say("cli.review.seat"))
    parser.add_argument("--deep", action="store_true", help=say("cli.review.deep"))
    parser.add_argument("--plot", type=Path, metavar="FILE", help=say("cli.review.plot"))
    add_json(parser)


def run(args: Namespace, say: Say) -> int:
    """Judge the game and tell what came of it."""
    transcript = read_finished(args.file, say)
    found = judge(transcript, say, seat=args.seat, deep=args.deep)
    game = transcript.header.game
    if args.json:
        from foxclover.review.report import as_data

        print_json(as_data(found, say))
    else:
        print("\n\n".join("\n".join(seat_lines(seat, game, say)) for seat in found.seats))
    if args.plot:
        plot(found, game, args.plot, say)
    return 0


def read_finished(file: Path, say: Say) -> notation.Transcript:
    """Read the transcript of a finished game, or say in one sentence what is wrong with it."""
    from foxclover.review import transcripts

    try:
        if (
            file.is_file() and file.stat().st_size > 4 * transcripts.LARGEST
        ):  # a character has four bytes at most
            raise transcripts.NotReviewable("large")
        return transcripts.read_finished(read_text(file, say))
    except transcripts.NotReviewable as error:
        raise UserError(say(f"cli.review.{error.reason}", file=file)) from None
    except MoveError as error:
        raise UserError(f"{file}: {move_error(error, say)}") from None
    except notation.TranscriptError as error:
        raise UserError(f"{file}: {error.words(say)}") from None
    except OSError as error:
        raise UserError(say("cli.error.read", file=file, why=error.strerror)) from None


def judge(
    transcript: notation.Transcript, say: Say, *, seat: int | None = None, deep: bool = False
) -> Review:
    """Review a finished game, or one seat of it."""
    players = transcript.header.players
    if seat is not None and seat > len(players):
        raise UserError(say("cli.review.no_seat", seat=seat, count=len(players)))
    return judge_so_far(
        transcript.position, players, None if seat is None else [seat - 1], say, deep=deep
    )


def judge_so_far(
    position: Position,
    names: Sequence[str],
    seats: Sequence[int] | None,
    say: Say,
    *,
    deep: bool = False,
) -> Review:
    """Review some seats, or all, as far as a game goes, while a bar shows how far that is."""
    from foxclover.review import review

    try:
        with Progress(1, say("cli.review.judging")) as bar:
            return review(position, names, seats=seats, deep=deep, tick=bar.advance)
    except NetError as error:
        raise UserError(say("cli.error.net", problem=error)) from None


def plot(found: Review, game: Game, path: Path, say: Say) -> None:
    """Write the curve."""
    from foxclover.review.picture import draw_curve

    try:
        draw_curve(found, game.name, path, say)
    except OSError as error:
        raise UserError(say("cli.error.write", file=path, why=error.strerror)) from None
    except ValueError:
        raise UserError(say("cli.error.picture", file=path)) from None


def seat_lines(seat: SeatReview, game: Game, say: Say) -> Iterator[str]:
    """A seat's review in words."""
    yield say("review.title", name=seat.name, game=game.name, score=_score(seat, say))
    yield from account_lines(seat, say)
    wrong = seat.mistakes()[:WORST]
    yield say("review.worst") if wrong else say("review.no_mistakes")
    for decision in wrong:
        yield say(
            "review.mistake",
            at=decision.at,
            round=decision.round,
            loss=mistake_words(decision, say),
            verdict=say(f"review.class.{decision.verdict}"),
            played=decision.move.words(say),
            best=decision.best.words(say),
        )
    by_luck = sorted(seat.chances, key=lambda chance: -chance.luck)
    lucky, unlucky = (
        [one for one in by_luck if one.luck > 0],
        [one for one in reversed(by_luck) if one.luck < 0],
    )
    for heading, chances in (("review.lucky", lucky), ("review.unlucky", unlucky)):
        if chances:
            yield say(heading)
        for chance in chances[:LUCKIEST]:
            yield say(
                "review.chance",
                at=chance.at,
                round=chance.round,
                luck=say_number(chance.luck, "+.1f", say),
                words=chance.move.words(say),
            )
    yield say("review.areas")
    for part, total in seat.parts.items():
        yield say(
            "review.area",
            area=game.words.part_words(game.book, part, say),
            points=say("common.points", count=total.points),
            loss=say_number(total.loss, ".1f", say),
        )
    yield say("review.rounds")
    for row in seat.rounds:
        luck, loss = say_number(row.luck, "+.1f", say), say_number(row.loss, ".1f", say)
        yield say(
            "review.round", round=row.round, luck=luck, loss=loss, expected=f"{row.expected:.0f}"
        )


def mistake_words(decision: Decision, say: Say) -> str:
    """All that a decision has lost."""
    error = f" ± {say_number(decision.error, '.1f', say)}" if decision.error else ""
    lost = say("review.points_loss", points=f"{say_number(decision.loss, '.1f', say)}{error}")
    if decision.win_loss <= 0:
        return lost
    share = loss_words(decision, decision.judged, say)
    return share if decision.loss < TOLD else f"{lost}, {share}"


def loss_words(decision: Decision, lost: float, say: Say) -> str:
    """Something lost, in what the decision is judged by: points, or where winning is what counted a chance to win."""
    if decision.win_loss > 0:
        return say("review.win_loss", share=say_number(lost / POINTS_OF_A_WIN, ".0%", say))
    return say("review.points_loss", points=say_number(lost, ".1f", say))


def account_lines(seat: SeatReview, say: Say) -> Iterator[str]:
    """How the score came about."""
    made = len(seat.decisions)
    each, best = (
        say_number(seat.loss / max(made, 1), ".2f", say),
        say_number(seat.share_best, ".0%", say),
    )
    lost = say("review.per_decision", count=made, each=each, best=best)
    rows = [
        (say("review.start"), say_number(seat.start, ".1f", say), ""),
        (
            say("review.luck"),
            say_number(seat.luck, "+.1f", say),
            say("review.percentile", share=say_number(seat.percentile, ".0%", say)),
        ),
        (say("review.loss"), say_number(-seat.loss, "+.1f", say), lost),
        (say("review.rest"), say_number(seat.rest, "+.1f", say), ""),
        (say("review.score"), _score(seat, say), ""),
        (say("review.adjusted"), say_number(seat.adjusted, ".1f", say), ""),
    ]
    width = max(len(name) for name, _, _ in rows)
    for name, value, note in rows:
        yield f"  {name:<{width}}  {value:>7}  {note}".rstrip()


def _score(seat: SeatReview, say: Say) -> str:
    """Final points are whole, those to be expected are not."""
    return say_number(round(seat.score, 1), "g", say)
