"""``foxclover completion``: a script that lets a shell complete commands, options and games."""

from __future__ import annotations

import argparse
from argparse import Namespace

from foxclover.cli.parser import Commands
from foxclover.game import games
from foxclover.locale import Say

BASH = """_foxclover() {{
  local words="{commands}"
  case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  [ "$COMP_CWORD" = 1 ] && words="{commands}"
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
  [ "${{#COMPREPLY[@]}}" = 0 ] && COMPREPLY=($(compgen -f -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -F _foxclover foxclover ./play
"""
ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("completion", run)
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help=say("cli.completion.shell"))


def run(args: Namespace, say: Say) -> int:
    """Print the script."""
    from foxclover.cli import build

    subparsers = next(
        action for action in build(say)._actions if isinstance(action, argparse._SubParsersAction)
    )
    words = {name: _words(parser) for name, parser in subparsers.choices.items()}
    if args.shell == "fish":
        print(f"complete -c foxclover -f -n __fish_use_subcommand -a '{' '.join(words)}'")
        for name, found in words.items():
            print(
                f"complete -c foxclover -n '__fish_seen_subcommand_from {name}' -a '{' '.join(found)}'"
            )
        return 0
    cases = "\n".join(f'    {name}) words="{" ".join(found)}" ;;' for name, found in words.items())
    print(
        (ZSH if args.shell == "zsh" else "") + BASH.format(commands=" ".join(words), cases=cases),
        end="",
    )
    return 0


def _words(parser: argparse.ArgumentParser) -> list[str]:
    """What may follow a command."""
    options = [
        option
        for action in parser._actions
        for option in action.option_strings
        if option.startswith("--")
    ]
    named = any(action.dest == "game" for action in parser._actions)
    return [*options, *(games() if named else [])]
