"""Options of a command from environment variables and a TOML file.

The command line wins over a variable, a variable over the file, and the file over the default.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from argparse import SUPPRESS, Action, ArgumentTypeError, BooleanOptionalAction, Namespace
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from foxclover.cli.arguments import read_text
from foxclover.cli.parser import Parser, UserError
from foxclover.locale import Translator, catalogue

PREFIX = "FOXCLOVER_"
FILE = "config"
FLAGS = {"true": True, "yes": True, "on": True, "1": True} | dict.fromkeys(
    ("false", "no", "off", "0"), False
)


def variable(name: str) -> str:
    """Return the environment variable of an option."""
    return PREFIX + name.upper()


class Configuration:
    """The options of a parser, which variables and a file can set too.

    Create it after all options are declared: it adds ``--config``, and takes the defaults out of
    the parser, so that ``complete`` sees which options the command line names. A ``strict``
    configuration raises for unknown variables and entries. ``only`` names the options that are
    meant, if not all are.
    """

    def __init__(
        self, parser: Parser, strict: bool = True, only: Collection[str] | None = None
    ) -> None:
        self.strict = strict
        self.options: dict[str, Action] = {
            action.dest: action
            for action in parser._actions
            if action.option_strings
            and (action.dest != "help" if only is None else action.dest in only)
        }
        self.defaults = {
            name: action.default
            for name, action in self.options.items()
            if action.default is not SUPPRESS
        }
        for name in self.defaults:
            action = self.options[name]
            action.help = parser._get_formatter()._get_help_string(action)
            action.default = None
        parser.add_argument(
            f"--{FILE}", type=Path, metavar="FILE", help=parser.translate("cli.config.file")
        )
        parser.set_defaults(configuration=self)

    @property
    def variables(self) -> list[str]:
        """The names of all variables."""
        return [variable(name) for name in (*self.options, FILE)]

    def complete(
        self, args: Namespace, translate: Translator, environment: Mapping[str, str] = os.environ
    ) -> Translator:
        """Set every option that the command line does not name; return the chosen language."""
        if self.strict:
            found = [name for name in environment if name.startswith(PREFIX)]
            _refuse_unknown(found, self.variables, "", translate)
        named = {
            name: self._from_text(name, text, translate)
            for name in self.options
            if (text := environment.get(variable(name)))
        }
        file = getattr(args, FILE) or environment.get(variable(FILE))
        entries = self._read_file(Path(file), translate) if file else {}
        for name, value in (self.defaults | entries | named).items():
            if getattr(args, name, None) is None:
                setattr(args, name, value)
        return catalogue(args.lang) if hasattr(args, "lang") else translate

    def _from_text(self, name: str, text: str, translate: Translator) -> Any:
        """Read a variable; several values are separated by commas or spaces."""
        action, where = self.options[name], variable(name)
        if isinstance(action, BooleanOptionalAction):
            if text.lower() not in FLAGS:
                raise UserError(f"{where}: {translate('cli.config.no_flag', text=text)}")
            return FLAGS[text.lower()]
        if self._takes_several(name):
            return [
                _read(action, part, where, translate) for part in text.replace(",", " ").split()
            ]
        return _read(action, text, where, translate)

    def _read_file(self, file: Path, translate: Translator) -> dict[str, Any]:
        """Return the options that a file sets; its paths are relative to its folder."""
        try:
            entries = tomllib.loads(read_text(file, translate))
        except tomllib.TOMLDecodeError as error:
            raise UserError(translate("cli.config.no_toml", file=file, problem=error)) from None
        names = {name.replace("_", "-"): name for name in self.options}
        if self.strict:
            _refuse_unknown(entries, names, f"{file}: ", translate)
        values = {
            names[key]: self._from_entry(names[key], entry, f"{file}, {key}", translate)
            for key, entry in entries.items()
            if key in names
        }
        return {
            name: file.parent / value if isinstance(value, Path) else value
            for name, value in values.items()
        }

    def _from_entry(self, name: str, entry: object, where: str, translate: Translator) -> Any:
        action = self.options[name]
        if isinstance(action, BooleanOptionalAction):
            if not isinstance(entry, bool):
                raise UserError(f"{where}: {translate('cli.config.no_flag', text=entry)}")
            return entry
        if self._takes_several(name) and isinstance(entry, list):
            return [_read_entry(action, part, where, translate) for part in entry]
        value = _read_entry(action, entry, where, translate)
        return [value] if self._takes_several(name) else value

    def _takes_several(self, name: str) -> bool:
        return isinstance(self.defaults.get(name), list)


def _read_entry(action: Action, entry: object, where: str, translate: Translator) -> Any:
    if isinstance(entry, bool) or not isinstance(entry, str | int):
        raise UserError(f"{where}: {translate('cli.config.no_text', text=entry)}")
    return _read(action, str(entry), where, translate)


def _read(action: Action, text: str, where: str, translate: Translator) -> Any:
    """Read a value as the command line would."""
    if action.choices is not None and text not in action.choices:
        choices = ", ".join(action.choices)
        why = translate("cli.error.choice", names=where, text=repr(text), choices=choices)
        raise UserError(why)
    try:
        return action.type(text) if callable(action.type) else text
    except ArgumentTypeError as error:
        raise UserError(f"{where}: {error}") from None


def _refuse_unknown(
    found: Iterable[str], known: Iterable[str], where: str, translate: Translator
) -> None:
    names = sorted(known)
    for name in found:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1) or names
            unknown = translate("cli.config.unknown", name=name, names=", ".join(near))
            raise UserError(where + unknown)
