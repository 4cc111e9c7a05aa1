"""``foxclover review``, ``advise`` and ``odds``: the value of decisions and the odds of rolls."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover import Game, Position, Ranked, adviser, transcripts
from foxclover.ai.candidates import POINTS_OF_A_WIN
from foxclover.cli.arguments import (
    add_json,
    add_net,
    file_errors,
    number,
    print_json,
    read_situation,
    read_text,
    refusing_bad_transcripts,
)
from foxclover.cli.output import Progress
from foxclover.cli.parser import Parser, UserError
from foxclover.cli.reading import shown_text
from foxclover.core.contract import Odds, RollOdds
from foxclover.core.errors import ConditionError, quote
from foxclover.core.registry import all_families
from foxclover.locale import Translator, format_number

if TYPE_CHECKING:
    from foxclover.review import Review, SeatReview
    from foxclover.review.schema import Decision

WORST = 5  # decisions listed one by one
LUCKIEST = 3  # rolls, and as many unlucky ones
SHOWN = 0.05  # points; less would be printed as 0.0


def add_review(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.review.file"))
    parser.add_argument(
        "--seat", type=number(translate, 1), metavar="N", help=translate("cli.review.seat")
    )
    parser.add_argument("--deep", action="store_true", help=translate("cli.review.deep"))
    parser.add_argument("--plot", type=Path, metavar="FILE", help=translate("cli.review.plot"))
    add_net(parser)
    add_json(parser)


def run_review(args: Namespace, translate: Translator) -> int:
    """Review a game, and print the result."""
    transcript = read_finished(args.file, translate)
    found = review_game(transcript, translate, seat=args.seat, deep=args.deep)
    game = transcript.header.game
    if args.json:
        from foxclover.review.schema import as_data

        print_json(as_data(found, translate))
    else:
        print("\n\n".join("\n".join(seat_lines(seat, game, translate)) for seat in found.seats))
    if args.plot:
        plot(found, game.name, args.plot, translate)
    return 0


def read_finished(file: Path, translate: Translator) -> transcripts.Transcript:
    """Read the transcript of a finished game, or raise one sentence with its error."""
    from foxclover.review import transcripts

    try:
        with file_errors("read", file, translate), refusing_bad_transcripts(file, translate):
            # A character has four bytes at most.
            if file.is_file() and file.stat().st_size > 4 * transcripts.LARGEST:
                raise transcripts.NotReplayable("large")
            return transcripts.read_finished(read_text(file, translate))
    except transcripts.NotReplayable as error:
        raise UserError(translate(f"cli.review.{error.reason}", file=file)) from None


def review_game(
    transcript: transcripts.Transcript,
    translate: Translator,
    *,
    seat: int | None = None,
    deep: bool = False,
) -> Review:
    """Review a finished game, or one seat of it, counted from 1."""
    players = transcript.header.players
    if seat is not None and seat > len(players):
        raise UserError(translate("cli.review.no_seat", seat=seat, count=len(players)))
    seats = None if seat is None else [seat - 1]
    return review_so_far(transcript.position, players, seats, translate, deep=deep)


def review_so_far(
    position: Position,
    names: Sequence[str],
    seats: Sequence[int] | None,
    translate: Translator,
    *,
    deep: bool = False,
) -> Review:
    """Review some seats, or all, of a game so far, with a progress bar; raises ``NetError``."""
    from foxclover.review import review

    with Progress(1, translate("cli.review.judging")) as bar:
        return review(position, names, seats=seats, deep=deep, tick=bar.advance)


def plot(review: Review, title: str, path: Path, translate: Translator) -> None:
    """Draw the curve of a review as a picture."""
    try:
        with file_errors("write", path, translate):
            draw_curve(review, title, path, translate)
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
    lucky = [chance for chance in by_luck if chance.dice_luck > 0]
    unlucky = [chance for chance in reversed(by_luck) if chance.dice_luck < 0]
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
        yield translate(
            "review.round",
            round=row.round,
            luck=format_number(row.dice_luck, "+.1f", translate),
            loss=format_number(row.loss, ".1f", translate),
            expected=f"{row.expected:.0f}",
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
    return share if decision.loss < SHOWN else f"{lost}, {share}"


def loss_words(decision: Decision, lost: float, translate: Translator) -> str:
    """Return a loss as text: points, or a share of the chance to win where that counted."""
    if decision.win_loss > 0:
        return translate(
            "review.win_loss", share=format_number(lost / POINTS_OF_A_WIN, ".0%", translate)
        )
    return translate("review.points_loss", points=format_number(lost, ".1f", translate))


def account_lines(seat: SeatReview, translate: Translator) -> Iterator[str]:
    """Yield how the score is composed."""
    lost = translate(
        "review.per_decision",
        count=len(seat.decisions),
        each=format_number(seat.loss / max(len(seat.decisions), 1), ".2f", translate),
        best=format_number(seat.share_best, ".0%", translate),
    )
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


def add_advise(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("file", metavar="FILE|POSITION", help=translate("cli.advise.file"))
    add_net(parser)
    add_json(parser)


def run_advise(args: Namespace, translate: Translator) -> int:
    """Rank the moves of every player to act."""
    position, names = read_situation(args.file, translate)
    if not position.acting:
        raise UserError(
            translate(
                "cli.advise.over" if position.over else "cli.advise.chance", file=quote(args.file)
            )
        )
    player = adviser("search", position.game)
    advice = {seat: player.rank(position, seat) for seat in position.acting}
    if args.json:
        seats = [
            {"seat": seat + 1, "moves": _moves_as_data(ranked, translate)}
            for seat, ranked in advice.items()
        ]
        print_json({"game": position.game.key, "seats": seats})
        return 0
    for seat, ranked in advice.items():
        print(translate("cli.advise.title", player=names[seat]))
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


def add_odds(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument(
        "conditions", nargs="+", metavar="CONDITION", help=translate("cli.odds.condition")
    )
    add_json(parser)


def run_odds(args: Namespace, translate: Translator) -> int:
    """Print the odds of each condition and, if there are several, of at least one of them."""
    if args.json:
        family_odds, _ = find_odds(args.conditions, translate)
        any_of_them = family_odds.any_odds(args.conditions)
        print_json(
            {
                "condition": any_of_them.text,
                "hits": any_of_them.hits,
                "of": any_of_them.of,
                "probability": any_of_them.probability,
            }
        )
        return 0
    print("\n".join(odds_lines(args.conditions, translate)))
    return 0


def odds_lines(conditions: Sequence[str], translate: Translator) -> Iterator[str]:
    """Yield the odds of each condition and, if there are several, of at least one of them."""
    family_odds, found = find_odds(conditions, translate)
    for odds in found:
        words = family_odds.say_condition(odds.text, translate)
        chance = _chance(odds, translate)
        yield translate("cli.odds.line", condition=odds.text, words=words, chance=chance)
    if len(found) > 1:
        chance = _chance(family_odds.any_odds(conditions), translate)
        yield translate("cli.odds.any", chance=chance)


def find_odds(
    conditions: Sequence[str], translate: Translator
) -> tuple[Odds[Any, Any], list[RollOdds]]:
    """Return the family that has odds, and the odds of conditions; raise one sentence."""
    family_odds = next(family.odds for family in all_families() if family.odds)
    found = []
    for text in conditions:
        try:
            found.append(family_odds.condition_odds(text))
        except ConditionError as error:
            expected = error.wanted.words(translate)
            raise UserError(
                translate(
                    "cli.odds.error", text=quote(text), column=error.column, expected=expected
                )
            ) from None
    return family_odds, found


def _chance(odds: RollOdds, translate: Translator) -> str:
    return translate(
        "cli.odds.chance",
        percent=format_number(100 * odds.probability, ".2f", translate),
        hits=format_number(odds.hits, ",", translate),
        of=format_number(odds.of, ",", translate),
    )
