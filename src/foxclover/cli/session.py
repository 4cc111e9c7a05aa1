"""A game in the terminal: asks people, moves for computer players, rolls, saves."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from foxclover import CHANCE, Dice, Move, MoveError, Position, transcripts
from foxclover.ai import SIMPLE, Agent, adviser, agent
from foxclover.ai.nets import NetError
from foxclover.cli import saves, screen
from foxclover.cli.arguments import Seat
from foxclover.cli.line_editor import LineEditor
from foxclover.cli.output import wants_colour
from foxclover.cli.parser import Halted, program
from foxclover.cli.reading import (
    move_error,
    read_chance,
    read_move,
    shown_text,
    uniform,
)
from foxclover.cli.review import review_so_far, seat_lines
from foxclover.core.display import BOLD, FAINT, TextGrid
from foxclover.core.ratings import rating_lines
from foxclover.locale import Translator, format_number, sections

HINTS = 5  # moves in a hint
ROLL = ("", "1")  # answers that roll the dice
T = TypeVar("T")
ENOUGH = "q"  # ends a long text


def daily_command(key: str) -> str:
    """Return the command that resumes today's game of the daily challenge."""
    return f"{program()} daily {key}"


class Leave(Exception):
    """The player stops for now."""


@dataclass
class Session:
    """A running game; ``dice`` is None for typed dice.

    A game of the daily challenge has no hints, and its own command resumes it.
    """

    header: transcripts.Header
    position: Position
    seats: Sequence[Seat]
    dice: Dice | None
    file: Path
    translate: Translator
    daily: bool = False

    def __post_init__(self) -> None:
        self.coloured = wants_colour()
        self.names = [seat.name for seat in self.seats]
        self.agents = [self.computer(seat) if seat.agent else None for seat in self.seats]
        commands: dict[str, Callable[[], None]] = {
            "undo": self.undo,
            "hint": self.show_hint,
            "odds": self.show_odds,
            "score": self.show_score,
            "sheets": self.show_sheets,
            "history": self.show_history,
            "review": self.show_review,
            "rules": self.show_rules,
            "help": self.show_help,
            "why": self.show_reasons,
            "quit": self.leave,
        }
        self.words = {name: self.translate(f"cli.play.word.{name}") for name in commands}
        self.commands = {
            "?": self.show_help,
            **commands,
            **{uniform(self.words[name]): command for name, command in commands.items()},
        }
        self.ahead = ""  # typed instead of turning a page
        self.editor = LineEditor(self.completions)

    def computer(self, seat: Seat) -> Agent:
        """Return the computer player of a seat; a weaker one, with a message, without its net."""
        try:
            return agent(seat.agent, self.position.game)
        except NetError as problem:
            self.show(
                self.translate(
                    "cli.play.weaker",
                    name=seat.name,
                    agent=seat.agent,
                    problem=problem,
                    weaker=SIMPLE[-1],
                )
            )
            return agent(SIMPLE[-1], self.position.game)

    def play(self) -> int:
        """Play to the end, or until the player leaves or the input ends."""
        self.save()
        self.show(self.translate("cli.play.welcome"), FAINT)
        try:
            while not self.position.over:
                self.step()
        except (Leave, EOFError, KeyboardInterrupt) as error:
            print()
            sentence = self.translate("cli.play.left", command=self.resume_command())
            if isinstance(error, KeyboardInterrupt):
                raise Halted(sentence) from None
            self.show(sentence)
            return 0
        self.show_end()
        return 0

    def step(self) -> None:
        """Make one move: of chance, of a computer player, or of a person.

        Dice wait for a person who can still take something back.
        """
        if self.position.chance_due:
            if not self.dice:
                move = self.ask_dice()
            elif self.last_own() is None or self.ask_roll():
                move = self.dice.draw(self.position)
            else:
                move = None
            name = ""
        else:
            seat = self.position.acting[0]
            computer = self.agents[seat]
            move = computer.choose(self.position, seat) if computer else self.ask_move(seat)
            name = self.names[seat] if computer or len(self.seats) > 1 else ""
        if move:
            self.make(move, name)

    def make(self, move: Move, name: str) -> None:
        """Make a move, save, and print it."""
        words = move.words(self.translate)
        self.position.push_unchecked(move)
        self.save()
        self.show(
            f"» {name}: {words}" if name else f"» {words}", BOLD if move.seat == CHANCE else ""
        )

    def ask_move(self, seat: int) -> Move | None:
        """Ask a person for a move; return None after an undo."""
        moves = self.position.legal_moves(seat)
        self.show_decision(seat, moves)

        def read(text: str) -> Move | None:
            if text:
                return read_move(text, self.position, seat, self.translate)
            self.show_decision(seat, moves)
            return None

        return self.ask_until(f"{self.names[seat]} > ", read)

    def ask_roll(self) -> bool:
        """Wait for a person before the dice are rolled; return False after an undo."""
        self.show_decision(self.position.moves_made[self.last_own() or 0].seat, [])

        def read(text: str) -> bool | None:
            if text in ROLL:
                return True
            self.show(self.translate("cli.play.only_roll", text=text))
            return None

        return bool(self.ask_until(self.translate("cli.play.wait"), read))

    def ask_dice(self) -> Move | None:
        """Ask for the real dice; return None after an undo."""
        seat = min(self.position.rollers, default=0)
        self.show(self.position.prompt(seat, self.translate), BOLD)
        return self.ask_until(
            self.translate("cli.play.dice_prompt"),
            lambda text: read_chance(text, self.position, self.translate) if text else None,
        )

    def ask_until(self, prompt: str, read: Callable[[str], T | None]) -> T | None:
        """Ask, and obey commands, until a text can be read; return None after an undo."""
        made = len(self.position.moves_made)
        while len(self.position.moves_made) == made:
            text = self.ask(prompt)
            try:
                if not self.obey(text) and (answer := read(text)):
                    return answer
            except MoveError as error:
                self.show(move_error(error, self.translate))
        return None

    def ask(self, prompt: str) -> str:
        """Read a line; print what a pipe sends, like typed text."""
        if self.ahead:
            text, self.ahead = self.ahead, ""
            print(f"{prompt}{text}")
            return text
        text = self.editor.read(prompt).lower()
        if not sys.stdin.isatty():
            print(text)
        return text

    def completions(self) -> list[str]:
        """Return what can be typed now: the moves of the seat to decide, and the commands."""
        moves = [
            shown_text(move, self.position, self.translate)
            for seat in self.position.acting[:1]
            for move in self.position.legal_moves(seat)
        ]
        return [*dict.fromkeys(moves), *self.words.values()]

    def obey(self, text: str) -> bool:
        """Run the command of a word, or "why" with an object; return False for other texts."""
        word, _, thing = text.partition(" ")
        command = self.commands.get(uniform(text))
        if command:
            try:
                command()
            except NetError as error:
                self.show(self.translate("cli.error.net", problem=error))
        elif self.commands.get(uniform(word)) == self.show_reasons:
            self.show_reasons_about(thing)
        else:
            return False
        return True

    def last_own(self) -> int | None:
        """Return the index of the last move of a person, if it can be taken back.

        Rolled dice cannot be taken back, typed ones can.
        """
        moves = self.position.moves_made
        last = len(moves) - 1
        while last >= 0 and moves[last].seat != CHANCE and self.agents[moves[last].seat]:
            last -= 1
        return None if last < 0 or (moves[last].seat == CHANCE and self.dice) else last

    def undo(self) -> None:
        """Take back the last move of a person and the moves of computer players since."""
        last = self.last_own()
        if last is None:
            self.show(self.translate("cli.play.no_undo"))
            return
        while len(self.position.moves_made) > last:
            taken = self.position.pop()
        self.save()
        self.show(self.translate("cli.play.undone", move=taken.words(self.translate)))

    def leave(self) -> None:
        """Stop for now."""
        raise Leave

    def show_decision(self, seat: int, moves: Sequence[Move]) -> None:
        """Print everything a person needs to decide."""
        self.print(screen.draw_decision(self.position, self.names, seat, moves, self.translate))

    def show_help(self) -> None:
        """Print the commands and the meaning of the signs."""
        game, width = self.position.game, max(map(len, self.words.values())) + 2
        rows = [
            (self.translate("cli.play.typed.number"), "cli.play.does.number"),
            (self.translate("cli.play.typed.text"), game.words.EXAMPLE),
            ("Enter", "cli.play.does.enter"),
        ]
        rows += [(word, f"cli.play.does.{name}") for name, word in self.words.items()]
        lines = [
            line
            for word, key in rows
            for line in wrap(f"{word:<{width}}{self.translate(key)}", width)
        ]
        self.page([*lines, *self.translate(game.drawing.LEGEND).splitlines()])

    def show_rules(self) -> None:
        """Print the rules of the game."""
        lines: list[str] = []
        game = self.position.game
        for section, title, text in sections(
            self.translate.language, *(f"rules.{name}" for name in (game.key, game.family))
        ):
            lines += ["", f"── {title} ──", *text.splitlines()]
            if section == "solo":
                lines += rating_lines(game.scoring.ratings(game.definition), None, self.translate)
        self.page(lines[1:])

    def show_history(self) -> None:
        """Print all moves so far, by round."""
        lines, shown, rounds = list[str](), 0, self.position.view()["rounds"]
        for before, move in self.position.history():
            if before.round != shown:
                shown = before.round
                lines.append(f"── {self.translate('common.round', round=shown, rounds=rounds)} ──")
            name = "" if move.seat == CHANCE else f"{self.names[move.seat]}: "
            lines.append(f"{name}{move.words(self.translate)}")
        self.page(lines)

    def show_sheets(self) -> None:
        """Print the sheets of all players."""
        drawn = TextGrid()
        for seat, name in enumerate(self.names):
            drawn.add(f"── {name} ──", BOLD)
            drawn.paste(
                screen.draw_player(self.position, seat, [], self.translate), drawn.height, 0
            )
        self.page(drawn.text(self.coloured).splitlines())

    def show_score(self) -> None:
        """Print the current scores, and what scores how much."""
        drawn = screen.draw_result(self.position, self.names, self.translate)
        for seat in self.people():
            drawn.add()
            if len(self.names) > 1:
                drawn.add(f"── {self.names[seat]} ──", BOLD)
            points = self.position.game.drawing.draw_points(
                self.position.game.definition, self.position.state, seat, self.translate
            )
            drawn.paste(points, drawn.height, 0)
        self.page(drawn.text(self.coloured).splitlines())

    def show_hint(self) -> None:
        """Print the best moves by the strongest computer player."""
        if self.daily:
            self.show(self.translate("cli.daily.no_hint"))
            return
        seat = next((seat for seat in self.position.acting if not self.agents[seat]), None)
        if seat is None:
            self.show(self.translate("cli.play.no_hint"))
            return
        ranked = adviser("search", self.position.game).rank(self.position, seat)[:HINTS]
        self.show(self.translate("cli.advise.title", player=self.names[seat]))
        for value in ranked:
            text = shown_text(value.move, self.position, self.translate)
            expected = format_number(value.expected, "6.1f", self.translate)
            difference = format_number(value.expected - ranked[0].expected, "+6.1f", self.translate)
            self.show(f"  {expected} {difference}  {value.move.words(self.translate)} [{text}]")

    def show_review(self) -> None:
        """Print the review of the people's decisions so far."""
        if not any(move.seat in self.people() for move in self.position.moves_made):
            self.show(self.translate("cli.play.no_review"))
            return
        found = review_so_far(self.position, self.names, self.people(), self.translate)
        self.page(
            line
            for seat in found.seats
            for text in seat_lines(seat, self.position.game, self.translate)
            for line in text.splitlines()
        )

    def people(self) -> list[int]:
        """Return the seats of people; all seats if there are only computer players."""
        return [seat for seat, computer in enumerate(self.agents) if not computer] or list(
            range(len(self.agents))
        )

    def show_reasons(self) -> None:
        """Print why the asked seats cannot do everything."""
        found = [
            sentence
            for seat in self.asked()
            for sentence in self.position.reasons(seat, self.translate)
        ]
        self.show("\n".join(dict.fromkeys(found)) or self.translate("why.nothing"))

    def show_reasons_about(self, thing: str) -> None:
        """Print why the asked seats cannot use a die, a field or a card."""
        position = self.position
        meant = position.game.words.spell_chance(
            position.game.definition, thing.strip(), self.translate
        )
        answers = [position.reasons_about(seat, meant, self.translate) for seat in self.asked()]
        found = [sentence for answer in answers if answer for sentence in answer]
        self.show("\n".join(dict.fromkeys(found)) or self.translate("why.unknown"))

    def asked(self) -> list[int]:
        """Return the seat to decide; all seats of people while the dice wait."""
        return list(self.position.acting[:1]) or self.people()

    def show_odds(self) -> None:
        """Print the odds of the next roll, in games that have them."""
        odds, state = self.position.game.odds, self.position.state
        definition = self.position.game.definition
        lines: list[str] = []
        for seat, name in enumerate(self.names):
            found = odds.next_roll_words(definition, state, seat, self.translate) if odds else []
            lines += [f"── {name} ──", *found] if found else []
        if lines:
            self.page(lines)
        else:
            self.show(self.translate("cli.play.no_odds" if odds else "cli.play.never_odds"))

    def show_end(self) -> None:
        """Print the final result."""
        for seat, name in enumerate(self.names):
            self.show(f"── {name} ──", BOLD)
            self.print(screen.draw_player(self.position, seat, [], self.translate))
        print()
        self.show(self.translate("common.over"), BOLD)
        self.print(screen.draw_result(self.position, self.names, self.translate))
        self.show("\n".join(screen.tie_lines(self.position, self.names, self.translate)))
        self.show(screen.rating(self.position, self.translate))
        self.show(self.translate("cli.play.saved", file=self.file), FAINT)
        self.show(self.translate("review.offer", command=f"{program()} review {self.file}"), FAINT)
        self.show(
            self.translate("practice.offer", command=f"{program()} practise {self.file}"), FAINT
        )

    def save(self) -> None:
        """Write the transcript."""
        saves.write(self.file, transcripts.write(self.header, self.position), self.translate)

    def resume_command(self) -> str:
        """Return the command that resumes the game."""
        if self.daily:
            return daily_command(self.position.game.key)
        return f"{program()} play --resume {self.file}"

    def show(self, text: str, style: str = "") -> None:
        """Print a text, if there is one."""
        if not text:
            return
        drawn = TextGrid()
        for part in (part for line in text.splitlines() for part in wrap(line)):
            drawn.add(part, style)
        self.print(drawn)

    def page(self, lines: Iterable[str]) -> None:
        """Print lines; in a terminal, Enter turns pages, and another answer is the next command."""
        height = shutil.get_terminal_size(screen.COMMON).lines - 1
        for number, shown in enumerate(part for line in lines for part in wrap(line)):
            if number and number % height == 0 and sys.stdin.isatty() and sys.stdout.isatty():
                typed = input(self.translate("cli.play.more")).strip().lower()
                if typed:
                    self.ahead = "" if typed == ENOUGH else typed
                    return
            print(shown)

    def print(self, drawn: TextGrid) -> None:
        """Print a drawing."""
        print(drawn.text(self.coloured))


def wrap(line: str, indent: int = 2) -> list[str]:
    """Return a line wrapped at the width of the terminal; in pipes it stays whole."""
    columns = shutil.get_terminal_size(screen.COMMON).columns
    if not sys.stdout.isatty() or len(line) <= columns or "\x1b" in line:
        return [line]
    return textwrap.wrap(
        line,
        columns,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
