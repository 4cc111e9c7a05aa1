"""argparse in the user's language: help and errors come from the catalogues, and an error is one sentence."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from foxclover.cli.errors import UserError
from foxclover.locale import LANGUAGES, Say, system_language

# How argparse says what is wrong, and the key of our own sentence for it.
COMPLAINTS = {
    r"the following arguments are required: (?P<names>.*)": "cli.error.missing",
    r"unrecognized arguments: (?P<names>.*)": "cli.error.unknown",
    r"argument (?P<names>[^:]*): expected .*argument.*": "cli.error.no_value",
    r"argument (?P<names>[^:]*): invalid choice: (?P<text>'[^']*') \(choose from (?P<choices>.*)\)": "cli.error.choice",
    r"argument (?P<names>[^:]*): (?P<text>.*)": "cli.error.value",
}


class Commands:
    """Where commands add themselves."""

    def __init__(self, say: Say, subparsers: argparse._SubParsersAction[Parser]) -> None:
        self.say = say
        self.subparsers = subparsers

    def add(self, name: str, run: Callable[[argparse.Namespace, Say], int]) -> Parser:
        """Add a command; its help is the text ``cli.NAME.help``."""
        text = self.say(f"cli.{name}.help")
        parser = self.subparsers.add_parser(name, say=self.say, help=text, description=text)
        parser.set_defaults(run=run)
        return parser


class Parser(argparse.ArgumentParser):
    """A parser that speaks the language of ``say``."""

    def __init__(self, say: Say, **options: Any) -> None:
        super().__init__(
            **options,
            add_help=False,
            allow_abbrev=False,
            formatter_class=lambda prog: Formatter(say, prog),
        )
        self.say = say
        self.add_argument("-h", "--help", action="help", help=say("cli.help.help"))
        self.add_argument(
            "--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=say("cli.help.lang")
        )

    def commands(self) -> Commands:
        """Prepare for commands to be added."""
        return Commands(
            self.say,
            self.add_subparsers(
                metavar=self.say("cli.help.command"), title=self.say("cli.help.commands")
            ),
        )

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what a command does not know itself, so that its own help is named."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return known, unknown

    def error(self, message: str) -> NoReturn:
        """Complain in one sentence."""
        for pattern, key in COMPLAINTS.items():
            if match := re.fullmatch(pattern, message, re.DOTALL):
                found = match.groupdict()
                if "choices" in found:  # quoted by some versions of argparse
                    found["choices"] = found["choices"].replace("'", "")
                message = self.say(key, **found)
                break
        raise UserError(f"{message} {self.say('cli.error.see_help', command=self.prog)}")


class Formatter(argparse.HelpFormatter):
    """Help with its own few words translated."""

    def __init__(self, say: Say, prog: str) -> None:
        super().__init__(prog, max_help_position=28)
        self.headings = {
            "positional arguments": say("cli.help.arguments"),
            "options": say("cli.help.options"),
        }
        self.prefix = say("cli.help.usage")
        self.say = say

    def start_section(self, heading: str | None) -> None:
        """Begin a section under its translated heading."""
        super().start_section(self.headings.get(heading, heading) if heading else heading)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        """An argument's help, with what is taken without it where the text itself does not say so."""
        taken = (
            action.option_strings
            and not isinstance(action.default, bool)
            and action.default not in (None, "", argparse.SUPPRESS)
        )
        told = action.help is None or action.help.endswith(")")
        return (
            self.say("cli.help.else", text=action.help, value=action.default)
            if taken and not told
            else action.help
        )

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """Show how the command is called."""
        super().add_usage(usage, actions, groups, self.prefix if prefix is None else prefix)


def language_of(words: Sequence[str]) -> str:
    """Find the language before anything is parsed: the parser itself speaks it."""
    for word, following in zip(words, [*words, ""][1:], strict=True):
        chosen = (
            following
            if word == "--lang"
            else word.removeprefix("--lang=")
            if word.startswith("--lang=")
            else ""
        )
        if chosen in LANGUAGES:
            return chosen
    return system_language()
