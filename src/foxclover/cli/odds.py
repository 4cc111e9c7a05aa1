"""``foxclover odds``: the exact chance that a roll fulfils a condition, or one of several."""

from __future__ import annotations

from argparse import Namespace

from foxclover.cli.arguments import add_json, print_json
from foxclover.cli.parser import Commands, UserError
from foxclover.core.contract import RollOdds
from foxclover.core.errors import ConditionError, quote
from foxclover.core.registry import all_families
from foxclover.locale import Translator, format_number


def add_odds(commands: Commands, translate: Translator) -> None:
    """Declare the command."""
    parser = commands.add("odds", run)
    parser.add_argument(
        "conditions", nargs="+", metavar="CONDITION", help=translate("cli.odds.condition")
    )
    add_json(parser)


def run(args: Namespace, translate: Translator) -> int:
    """Print the odds of each condition and, if there are several, of at least one of them."""
    known = next(family.odds for family in all_families() if family.odds)
    found = []
    for text in args.conditions:
        try:
            found.append(known.condition_odds(text))
        except ConditionError as error:
            raise UserError(
                translate(
                    "cli.odds.error",
                    text=quote(text),
                    column=error.column,
                    expected=error.wanted.words(translate),
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
            translate(
                "cli.odds.line",
                condition=odds.text,
                words=known.say_condition(odds.text, translate),
                chance=_chance(odds, translate),
            )
        )
    if len(found) > 1:
        print(translate("cli.odds.any", chance=_chance(together, translate)))
    return 0


def _chance(odds: RollOdds, translate: Translator) -> str:
    hits, of = (format_number(count, ",", translate) for count in (odds.hits, odds.of))
    return translate(
        "cli.odds.chance",
        percent=format_number(100 * odds.probability, ".2f", translate),
        hits=hits,
        of=of,
    )
