"""``foxclover deck``: checks a deck of Geht noch was? and says what is in it and what is wrong with it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from foxclover.cli.arguments import UNUSABLE, read_bytes, report
from foxclover.cli.parser import Commands
from foxclover.climb.deck_file import COLOUR_NAMES, read_deck
from foxclover.locale import Say


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("deck", run)
    parser.add_argument("file", type=Path, metavar="FILE", help=say("cli.deck.file"))


def run(args: Namespace, say: Say) -> int:
    """List what the checker found; exit code 1 for a deck that cannot be played with."""
    deck = read_deck(read_bytes(args.file, say))
    if not report(args.file, deck.file, say):
        return UNUSABLE
    counts = {name: sum(card.colour == name and not card.start for card in deck.cards) for name in COLOUR_NAMES}
    start = sum(bool(card.start) for card in deck.cards)
    print(say("cli.deck.fine", name=deck.name, cards=len(deck.cards), start=start, **counts))
    return 0
