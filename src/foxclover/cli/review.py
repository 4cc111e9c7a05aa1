"""``foxclover review`` and ``advise``: judge the decisions of a game, or the next one."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover import transcripts
from foxclover.ai import Adviser, Ranked, adviser
from foxclover.ai.candidates import POINTS_OF_A_WIN
from foxclover.ai.net_file import NetError
from foxclover.cli.arguments import (
    add_json,
    number,
    print_json,
    read_text,
    read_transcript,
    refusing_bad_transcripts,
)
from foxclover.cli.output import Progress
from foxclover.cli.parser import Commands, UserError
from foxclover.cli.reading import shown_text
from foxclover.core.game import Game
from foxclover.core.position import Position
from foxclover.locale import Translator, format_number

if TYPE_CHECKING:
    from foxclover.review import Review, SeatReview
    from foxclover.review.schema import Decision

WORST = 5  # decisions listed one by one
LUCKIEST = 3  # rolls, and as many unlucky ones
TOLD = 0.05  # points; less would be printed as 0.0


def add_review(commands: Commands, translate: Translator) -> None:
    """Declare the command."""
    parser = commands.add("review", run_review)
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.review.file"))
    parser.add_argument(
        "--seat", type=number(translate, 1), metavar="N", help=translate("cli.review.seat")
    )
    parser.add_argument("--deep", action="store_true", help=translate("cli.review.deep"))
    parser.add_argument("--plot", type=Path, metavar="FILE", help=translate("cli.review.plot"))
    add_json(parser)


def run_review(args: Namespace, translate: Translator) -> int:
    """Review a game, and print the result."""
    transcript = read_finished(args.file, translate)
    found = judge(transcript, translate, seat=args.seat, deep=args.deep)
    game = transcript.header.game
    if args.json:
        from foxclover.review.schema import as_data

        print_json(as_data(found, translate))
    else:
        print("\n\n".join("\n".join(seat_lines(seat, game, translate)) for seat in found.seats))
    if args.plot:
        plot(found, game, args.plot, translate)
    return 0


def read_finished(file: Path, translate: Translator) -> transcripts.Transcript:
    """Read the transcript of a finished game, or raise one sentence with its error."""
    from foxclover.review import transcripts

    try:
        if (
            file.is_file() and file.stat().st_size > 4 * transcripts.LARGEST
        ):  # a character has four bytes at most
            raise transcripts.NotReviewable("large")
        with refusing_bad_transcripts(file, translate):
            return transcripts.read_finished(read_text(file, translate))
    except transcripts.NotReviewable as error:
        raise UserError(translate(f"cli.review.{error.reason}", file=file)) from None
    except OSError as error:
        raise UserError(translate("cli.error.read", file=file, why=error.strerror)) from None


def judge(
    transcript: transcripts.Transcript,
    translate: Translator,
    *,
    seat: int | None = None,
    deep: bool = False,
) -> Review:
    """Review a finished game, or one seat of it."""
    players = transcript.header.players
    if seat is not None and seat > len(players):
        raise UserError(translate("cli.review.no_seat", seat=seat, count=len(players)))
    return judge_so_far(
        transcript.position, players, None if seat is None else [seat - 1], translate, deep=deep
    )


def judge_so_far(
    position: Position,
    names: Sequence[str],
    seats: Sequence[int] | None,
    translate: Translator,
    *,
    deep: bool = False,
) -> Review:
    """Review some seats, or all, of a game so far, with a progress bar."""
    from foxclover.review import review

    try:
        with Progress(1, translate("cli.review.judging")) as bar:
            return review(position, names, seats=seats, deep=deep, tick=bar.advance)
    except NetError as error:
        raise UserError(translate("cli.error.net", problem=error)) from None


def plot(found: Review, game: Game, path: Path, translate: Translator) -> None:
    """Write the curve as a picture."""
    try:
        draw_curve(found, game.name, path, translate)
    except OSError as error:
        raise UserError(translate("cli.error.write", file=path, why=error.strerror)) from None
    except ValueError:
        raise UserError(translate("cli.error.picture", file=path)) from None


def draw_curve(review: Review, title: str, path: Path, translate: Translator) -> None:
    """Draw expected final points over the game and, with several players, chances to win.

    Dots mark mistakes, larger dots larger ones. Raise ``OSError`` or ``ValueError``.
    """
    from matplotlib.figure import Figure

    several = review.players > 1
    figure = Figure(figsize=(9, 7 if several else 4.5), layout="constrained")
    panels = figure.subplots(2 if several else 1, 1, squeeze=False)[:, 0]
    for seat in review.seats:
        times, expected, winning = zip(*seat.curve, strict=True)
        (line,) = panels[0].plot(times, expected, label=seat.name)
        wrong = seat.mistakes()
        panels[0].scatter(
            [decision.at + 1 for decision in wrong],
            [decision.expected for decision in wrong],
            [10 + 6 * decision.loss for decision in wrong],
            color=line.get_color(),
        )
        if several:
            panels[1].plot(times, [100 * share for share in winning], color=line.get_color())
    panels[0].set_title(title)
    panels[0].set_ylabel(translate("review.axis.points"))
    panels[0].legend(frameon=False)
    if several:
        panels[1].set_ylabel(translate("review.axis.winning"))
        panels[1].set_ylim(0, 100)
    panels[-1].set_xlabel(translate("review.axis.moves"))
    for panel in panels:
        panel.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)


def seat_lines(seat: SeatReview, game: Game, translate: Translator) -> Iterator[str]:
    """Yield the review of a seat as text."""
    yield translate("review.title", name=seat.name, game=game.name, score=_score(seat, translate))
    yield from account_lines(seat, translate)
    wrong = seat.mistakes()[:WORST]
    yield translate("review.worst") if wrong else translate("review.no_mistakes")
    for decision in wrong:
        yield translate(
            "review.mistake",
            at=decision.at,
            round=decision.round,
            loss=mistake_words(decision, translate),
            verdict=translate(f"review.class.{decision.verdict}"),
            played=decision.move.words(translate),
            best=decision.best.words(translate),
        )
    by_luck = sorted(seat.chances, key=lambda chance: -chance.dice_luck)
    lucky, unlucky = (
        [one for one in by_luck if one.dice_luck > 0],
        [one for one in reversed(by_luck) if one.dice_luck < 0],
    )
    for heading, chances in (("review.lucky", lucky), ("review.unlucky", unlucky)):
        if chances:
            yield translate(heading)
        for chance in chances[:LUCKIEST]:
            yield translate(
                "review.chance",
                at=chance.at,
                round=chance.round,
                luck=format_number(chance.dice_luck, "+.1f", translate),
                words=chance.move.words(translate),
            )
    yield translate("review.areas")
    for total in seat.parts:
        yield translate(
            "review.area",
            area=game.words.part_words(game.definition, total.part, translate),
            points=translate("common.points", count=total.points),
            loss=format_number(total.loss, ".1f", translate),
        )
    yield translate("review.rounds")
    for row in seat.rounds:
        luck, loss = (
            format_number(row.dice_luck, "+.1f", translate),
            format_number(row.loss, ".1f", translate),
        )
        yield translate(
            "review.round", round=row.round, luck=luck, loss=loss, expected=f"{row.expected:.0f}"
        )


def mistake_words(decision: Decision, translate: Translator) -> str:
    """Return the loss of a decision as text."""
    error = f" ± {format_number(decision.error, '.1f', translate)}" if decision.error else ""
    lost = translate(
        "review.points_loss", points=f"{format_number(decision.loss, '.1f', translate)}{error}"
    )
    if decision.win_loss <= 0:
        return lost
    share = loss_words(decision, decision.counted_loss, translate)
    return share if decision.loss < TOLD else f"{lost}, {share}"


def loss_words(decision: Decision, lost: float, translate: Translator) -> str:
    """Return a loss as text: points, or a share of the chance to win where that counted."""
    if decision.win_loss > 0:
        return translate(
            "review.win_loss", share=format_number(lost / POINTS_OF_A_WIN, ".0%", translate)
        )
    return translate("review.points_loss", points=format_number(lost, ".1f", translate))


def account_lines(seat: SeatReview, translate: Translator) -> Iterator[str]:
    """Yield how the score is composed."""
    made = len(seat.decisions)
    each, best = (
        format_number(seat.loss / max(made, 1), ".2f", translate),
        format_number(seat.share_best, ".0%", translate),
    )
    lost = translate("review.per_decision", count=made, each=each, best=best)
    rows = [
        (translate("review.start"), format_number(seat.start, ".1f", translate), ""),
        (
            translate("review.luck"),
            format_number(seat.dice_luck, "+.1f", translate),
            translate("review.percentile", share=format_number(seat.percentile, ".0%", translate)),
        ),
        (translate("review.loss"), format_number(-seat.loss, "+.1f", translate), lost),
        (translate("review.rest"), format_number(seat.rest, "+.1f", translate), ""),
        (translate("review.score"), _score(seat, translate), ""),
        (translate("review.adjusted"), format_number(seat.adjusted, ".1f", translate), ""),
    ]
    width = max(len(name) for name, _, _ in rows)
    for name, value, note in rows:
        yield f"  {name:<{width}}  {value:>7}  {note}".rstrip()


def _score(seat: SeatReview, translate: Translator) -> str:
    """Return the score: a whole number at the end, else an expected value."""
    return format_number(round(seat.score, 1), "g", translate)


def add_advise(commands: Commands, translate: Translator) -> None:
    """Declare the command."""
    parser = commands.add("advise", run_advise)
    parser.add_argument("file", type=Path, metavar="TRANSCRIPT", help=translate("cli.advise.file"))
    add_json(parser)


def run_advise(args: Namespace, translate: Translator) -> int:
    """Rank the moves of every player to act."""
    transcript = read_transcript(args.file, translate)
    position = transcript.position
    if not position.acting:
        raise UserError(
            translate("cli.advise.over" if position.over else "cli.advise.chance", file=args.file)
        )
    player = _adviser(position.game, translate)
    advice = {seat: player.rank(position, seat) for seat in position.acting}
    if args.json:
        seats = [
            {"seat": seat + 1, "moves": _moves_as_data(ranked, translate)}
            for seat, ranked in advice.items()
        ]
        print_json({"game": position.game.key, "seats": seats})
        return 0
    for seat, ranked in advice.items():
        print(translate("cli.advise.title", player=transcript.header.players[seat]))
        texts = [shown_text(value.move, position, translate) for value in ranked]
        width = max(map(len, texts))
        for value, text in zip(ranked, texts, strict=True):
            expected = format_number(value.expected, "6.1f", translate)
            error = f"± {format_number(value.error, '.1f', translate)}" if value.error else ""
            difference = format_number(value.expected - ranked[0].expected, "+6.1f", translate)
            words = value.move.words(translate)
            print(f"  {expected} {error:<6} {difference}  {text:<{width}}  {words}")
    return 0


def _moves_as_data(ranked: list[Ranked], translate: Translator) -> list[dict[str, Any]]:
    return [
        {
            "move": value.move.text,
            "words": value.move.words(translate),
            "expected": round(value.expected, 2),
            "se": round(value.error, 2),
            "difference": round(value.expected - ranked[0].expected, 2),
        }
        for value in ranked
    ]


def _adviser(game: Game, translate: Translator) -> Adviser:
    """Return the computer player to ask."""
    try:
        return adviser("search", game)
    except NetError as error:
        raise UserError(translate("cli.error.net", problem=error)) from None
