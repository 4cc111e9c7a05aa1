"""``foxclover odds``: the exact chance that a roll of Geht noch was? fulfils a condition, or at least one of several."""

from __future__ import annotations

from argparse import Namespace

from foxclover.cli.arguments import add_json, print_json
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.climb.conditions import ConditionError, parse
from foxclover.climb.odds import Odds, any_odds, condition_odds, position_odds, position_stakes
from foxclover.climb.state import ROLLING
from foxclover.climb.words import card_words, condition_words
from foxclover.game import Position
from foxclover.locale import Say


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("odds", run)
    parser.add_argument("conditions", nargs="+", metavar="CONDITION", help=say("cli.odds.condition"))
    add_json(parser)


def run(args: Namespace, say: Say) -> int:
    """Tell the odds of each condition and, if there are several, of at least one of them."""
    found = [_read(text, say) for text in args.conditions]
    together = any_odds(args.conditions)
    if args.json:
        print_json({"condition": together.text, "hits": together.hits, "of": together.of, "probability": together.probability})
        return 0
    for odds in found:
        print(say("cli.odds.line", condition=odds.text, words=condition_words(parse(odds.text), say), chance=_chance(odds, say)))
    if len(found) > 1:
        print(say("cli.odds.any", chance=_chance(together, say)))
    return 0


def _read(text: str, say: Say) -> Odds:
    try:
        return condition_odds(text)
    except ConditionError as error:
        raise UserError(say("cli.odds.error", text=text, column=error.column, expected=error.expected)) from None


def _chance(odds: Odds, say: Say) -> str:
    return say("cli.odds.chance", percent=f"{100 * odds.probability:.2f}", hits=f"{odds.hits:,}", of=f"{odds.of:,}")


def position_lines(position: Position, seat: int, say: Say) -> list[str]:
    """The odds of a player's next roll, one line each; none while he is not rolling, or in a game without odds."""
    state = position.state
    if position.game.package != "climb" or state.phase != ROLLING or not state.seats[seat].playing:
        return []
    book = position.game.book
    odds = position_odds(book, state, seat)
    lines = [
        say("cli.odds.card", level=card.level, card=card_words(book, book.code_of[card.number], say), percent=_percent(card.odds))
        for card in odds.cards
    ]
    lines.append(say("cli.odds.fail", percent=_percent(odds.fail)))
    if state.roll:
        stakes = position_stakes(book, state, seat)
        lines.append(say("cli.odds.stakes", stay=f"{stakes.stay:.1f}", leave=f"{stakes.leave:.1f}"))
    return lines


def _percent(odds: Odds) -> str:
    return f"{100 * odds.probability:.1f}"
