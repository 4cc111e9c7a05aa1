"""argparse in the user's language, errors that the user can fix, and shell completion."""

from __future__ import annotations

import argparse
import os
import re
import sys
from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from foxclover.core.game import game_names
from foxclover.locale import LANGUAGES, Translator, system_language

BAD_FILE = 1
USER_ERROR = 2
INTERRUPTED = 130  # as in shells after Ctrl+C: 128 plus the number of the signal


class UserError(Exception):
    """One clear sentence for the user."""

    code = USER_ERROR


class Halted(UserError):
    """Ctrl+C ended a command; the sentence says what is left of it."""

    code = INTERRUPTED


class BadTranscript(UserError):
    """A text that is no transcript, breaks the rules or contains other dice than it names."""

    code = BAD_FILE


ALSO = {"bash": "complete -o bashdefault -F _shtab_foxclover ./play\n"}  # in a source tree
# The errors of argparse, and the keys of our sentences.
COMPLAINTS = {
    r"the following arguments are required: (?P<names>.*)": "cli.error.missing",
    r"unrecognized arguments: (?P<names>.*)": "cli.error.unknown",
    r"argument (?P<names>[^:]*): expected .*argument.*": "cli.error.no_value",
    r"argument (?P<names>[^:]*): invalid choice: (?P<text>'[^']*')"
    r" \(choose from (?P<choices>.*)\)": "cli.error.choice",
    r"argument (?P<names>[^:]*): (?P<text>.*)": "cli.error.value",
}
TYPED = "_FOXCLOVER_COMMAND"  # the variable in which ./play passes on how it was typed
GROUPS = "groups"  # the attribute with the groups of commands
HEADINGS = {"positional arguments": "cli.help.arguments", "options": "cli.help.options"}


def program() -> str:
    """Return the command as it was typed: ``foxclover``, ``./play``, ``python -m foxclover``."""
    as_module = Path(sys.argv[0]).parts[-2:] == ("foxclover", "__main__.py")
    return os.environ.get(TYPED) or ("python -m foxclover" if as_module else "foxclover")


class Parser(argparse.ArgumentParser):
    """A parser in the language of ``translate``."""

    def __init__(self, translate: Translator, **options: Any) -> None:
        super().__init__(
            **options,
            add_help=False,
            allow_abbrev=False,
            formatter_class=partial(Formatter, translate),
        )
        self.translate = translate
        self.add_argument("-h", "--help", action="help", help=translate("cli.help.help"))
        self.add_argument(
            "--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=translate("cli.help.lang")
        )

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Raise for unknown arguments here, so that the error names the command's own help."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return known, unknown

    def error(self, message: str) -> NoReturn:
        """Raise one translated sentence."""
        for pattern, key in COMPLAINTS.items():
            if match := re.fullmatch(pattern, message, re.DOTALL):
                found = match.groupdict()
                if "choices" in found:  # quoted by some versions of argparse
                    found["choices"] = found["choices"].replace("'", "")
                message = self.translate(key, **found)
                break
        raise UserError(f"{message} {self.translate('cli.error.see_help', command=self.prog)}")


class Formatter(argparse.HelpFormatter):
    """Help with translated headings, and commands in groups."""

    def __init__(self, translate: Translator, prog: str) -> None:
        super().__init__(prog, max_help_position=28)
        self.translate = translate

    def start_section(self, heading: str | None) -> None:
        """Start a section under its translated heading."""
        key = HEADINGS.get(heading or "")
        super().start_section(self.translate(key) if key else heading)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        """Return the help of an argument, with its default unless the text names it."""
        if (
            not action.option_strings
            or isinstance(action.default, bool)
            or action.default in (None, "", argparse.SUPPRESS)
            or action.help is None
            or action.help.endswith(")")
        ):
            return action.help
        return self.translate("cli.help.default", text=action.help, value=action.default)

    def _format_action(self, action: argparse.Action) -> str:
        """Format an argument, or the commands group by group."""
        if not isinstance(action, argparse._SubParsersAction):
            return super()._format_action(action)
        rows = {row.dest: row for row in action._get_subactions()}
        parts: list[str] = []
        for group, names in getattr(action, GROUPS).items():
            parts.append(
                f"{'':{self._current_indent}}{self.translate(f'cli.help.group.{group}')}\n"
            )
            self._indent()
            parts += [super(Formatter, self)._format_action(rows[name]) for name in names]
            self._dedent()
        return "".join(parts)

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """Add the usage line."""
        prefix = self.translate("cli.help.usage") if prefix is None else prefix
        super().add_usage(usage, actions, groups, prefix)


def language_of(words: Sequence[str]) -> str:
    """Find the language before parsing, since the parser is translated too."""
    for word, following in pairwise([*words, ""]):
        name, equals, value = word.partition("=")
        chosen = value if equals else following
        if name == "--lang" and chosen in LANGUAGES:
            return chosen
    return system_language()


def add_completion(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument(
        "shell", choices=("bash", "zsh", "fish"), help=translate("cli.completion.shell")
    )


def run_completion(args: Namespace, translate: Translator) -> int:
    """Print the script."""
    import shtab

    from foxclover.cli import build

    parser = build(translate)
    (commands,) = (
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    )
    for command in commands.choices.values():
        for action in command._actions:
            if action.dest == "game":
                action.choices = game_names()
            elif action.type is Path:
                kind = shtab.DIRECTORY if action.metavar == "DIR" else shtab.FILE
                setattr(action, "complete", kind)  # noqa: B010 - argparse does not declare it
    print(shtab.complete(parser, args.shell), ALSO.get(args.shell, ""), sep="\n", end="")
    return 0
