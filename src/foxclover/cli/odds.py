"""``foxclover odds``: the exact chance that a roll of Geht noch was? fulfils a condition, or at least one of several."""

from __future__ import annotations

from argparse import Namespace

from foxclover.cli.arguments import add_json, print_json
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.climb.conditions import ConditionError, parse
from foxclover.climb.odds import Odds, any_odds, condition_odds
from foxclover.climb.words import condition_words
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
