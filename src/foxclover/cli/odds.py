"""``foxclover odds``: the exact chance that a roll of Geht noch was? fulfils a condition, or at least one of several."""

from __future__ import annotations

from argparse import Namespace

from foxclover.cli.arguments import add_json, print_json
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.contract import RollOdds
from foxclover.errors import ConditionError, quote
from foxclover.locale import Say, say_number
from foxclover.shelf import all_families


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("odds", run)
    parser.add_argument(
        "conditions", nargs="+", metavar="CONDITION", help=say("cli.odds.condition")
    )
    add_json(parser)


def run(args: Namespace, say: Say) -> int:
    """Tell the odds of each condition and, if there are several, of at least one of them."""
    known = next(family.odds for family in all_families() if family.odds)
    found = []
    for text in args.conditions:
        try:
            found.append(known.condition_odds(text))
        except ConditionError as error:
            raise UserError(
                say(
                    "cli.odds.error",
                    text=quote(text),
                    column=error.column,
                    expected=error.wanted.words(say),
                )
            ) from None
    together = known.any_odds(args.conditions)
    if args.json:
        print_json(
            {
                "condition": together.text,
                "hits": together.hits,
                "of": together.of,
                "probability": together.probability,
            }
        )
        return 0
    for odds in found:
        print(
            say(
                "cli.odds.line",
                condition=odds.text,
                words=known.say_condition(odds.text, say),
                chance=_chance(odds, say),
            )
        )
    if len(found) > 1:
        print(say("cli.odds.any", chance=_chance(together, say)))
    return 0


def _chance(odds: RollOdds, say: Say) -> str:
    hits, of = (say_number(count, ",", say) for count in (odds.hits, odds.of))
    return say(
        "cli.odds.chance", percent=say_number(100 * odds.probability, ".2f", say), hits=hits, of=of
    )
