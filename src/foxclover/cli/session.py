"""One game at a terminal: asks people, lets computer players move, rolls, and saves after every move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from foxclover import notation
from foxclover.ai import SIMPLE, Agent, agent
from foxclover.ai.files import NetError
from foxclover.canvas import BOLD, FAINT, Canvas, wants_colour
from foxclover.chance import Dice
from foxclover.cli import saves, screen
from foxclover.cli.errors import UserError
from foxclover.cli.seats import Seat
from foxclover.cli.words import move_error
from foxclover.errors import MoveError
from foxclover.game import CHANCE, Move, Position
from foxclover.locale import Say

UNDO = "undo"


class Leave(Exception):
    """The player wants to stop for now."""


@dataclass
class Session:
    """A game that is being played here. ``dice`` is None when they are typed in."""

    header: notation.Header
    position: Position
    seats: Sequence[Seat]
    dice: Dice | None
    file: Path
    say: Say

    def __post_init__(self) -> None:
        self.coloured = wants_colour()
        self.names = [seat.name for seat in self.seats]
        self.agents = [self.computer(seat) if seat.agent else None for seat in self.seats]
        self.commands: dict[str, Callable[[], None]] = {
            "help": self.show_help,
            "?": self.show_help,
            "sheets": self.show_sheets,
            "odds": self.show_odds,
            "quit": self.leave,
        }

    def computer(self, seat: Seat) -> Agent:
        """The computer player of a seat; where its net cannot be used, a weaker one, and the people are told."""
        try:
            return agent(seat.agent, self.position.game)
        except NetError as problem:
            self.show(self.say("cli.play.weaker", name=seat.name, agent=seat.agent, problem=problem, weaker=SIMPLE[-1]))
            return agent(SIMPLE[-1], self.position.game)

    def play(self) -> int:
        """Play to the end, or until the player leaves or the input ends."""
        self.save()
        self.show(self.say("cli.play.welcome"), FAINT)
        try:
            while not self.position.over:
                self.step()
        except Leave:
            self.show(self.say("cli.play.left", command=self.resume_command()))
            return 0
        except (EOFError, KeyboardInterrupt):
            print()
            raise UserError(self.say("cli.play.input_ended", command=self.resume_command())) from None
        self.show_end()
        return 0

    def step(self) -> None:
        """One move: of chance, of a computer player, or of a person."""
        if self.position.chance_due:
            move = self.dice.draw(self.position) if self.dice else self.ask_dice()
            if move:
                self.make(move, "")
            return
        seat = self.position.acting[0]
        computer = self.agents[seat]
        if computer:
            move = computer.choose(self.position, seat)
            self.make(move, self.names[seat])
        elif move := self.ask_move(seat):
            self.make(move, self.names[seat] if len(self.seats) > 1 else "")

    def make(self, move: Move, name: str) -> None:
        """Make a move, save, and tell it."""
        words = move.words(self.say)
        self.position.push_unchecked(move)
        self.save()
        self.show(f"» {name}: {words}" if name else f"» {words}", BOLD if move.seat == CHANCE else "")

    def ask_move(self, seat: int) -> Move | None:
        """Ask a person; None if he takes something back instead."""
        moves = self.position.legal_moves(seat)
        print()
        self.print(screen.draw_table(self.position, self.names, seat, moves, self.say))
        print()
        self.show(self.position.prompt(seat, self.say), BOLD)
        self.print(screen.draw_moves(moves, self.say))
        numbered = {str(number): move for number, move in enumerate(moves, 1)}
        while True:
            text = self.ask(f"{self.names[seat]} > ")
            if text == UNDO:
                self.undo()
                return None
            if text in self.commands:
                self.commands[text]()
            elif text in numbered:
                return numbered[text]
            elif text.isdecimal():
                self.show(self.say("cli.play.no_number", text=text, count=len(moves)))
            elif text:
                try:
                    return self.position.parse(text, seat)
                except MoveError as error:
                    self.show(move_error(error, self.say))

    def ask_dice(self) -> Move | None:
        """Ask what chance did on the real table; None if something is taken back instead."""
        seat = min(self.position.rollers, default=0)
        self.show(self.position.prompt(seat, self.say), BOLD)
        while True:
            text = self.ask(self.say("cli.play.dice_prompt"))
            if text == UNDO:
                self.undo()
                return None
            try:
                if text in self.commands:
                    self.commands[text]()
                elif text:
                    return self.position.parse(text, CHANCE)
            except MoveError as error:
                self.show(move_error(error, self.say))

    def ask(self, prompt: str) -> str:
        """Read a line; from a pipe it is shown as if it had been typed."""
        text = input(prompt).strip().lower()
        if not sys.stdin.isatty():
            print(text)
        return text

    def undo(self) -> None:
        """Take back the last move of a person and what computer players did since; rolled dice stay rolled, typed ones may go."""
        moves = self.position.moves_made
        last = len(moves) - 1
        while last >= 0 and moves[last].seat != CHANCE and self.agents[moves[last].seat]:
            last -= 1
        if last < 0 or (moves[last].seat == CHANCE and self.dice):
            self.show(self.say("cli.play.no_undo"))
            return
        while len(moves) > last:
            taken = self.position.pop()
        self.save()
        self.show(self.say("cli.play.undone", move=taken.words(self.say)))

    def leave(self) -> None:
        """Stop for now."""
        raise Leave

    def show_help(self) -> None:
        """What can be typed, and what the signs mean."""
        self.show(self.say("cli.play.help_text"))
        self.show(self.say(f"{self.position.game.family}.signs"))

    def show_sheets(self) -> None:
        """The sheets of all players."""
        for seat, name in enumerate(self.names):
            self.show(f"\n── {name} ──", BOLD)
            self.print(screen.draw_player(self.position, seat, [], self.say))

    def show_odds(self) -> None:
        """The chances on the next roll of everybody who is in, where the game has an answer."""
        told = False
        for seat, name in enumerate(self.names):
            if lines := self.odds_lines(seat):
                self.show("\n".join([f"── {name} ──", *lines]))
                told = True
        if not told:
            self.show(self.say("cli.play.no_odds"))

    def odds_lines(self, seat: int) -> list[str]:
        """A seat's chances on the next roll; nothing in a game without odds."""
        odds, state = self.position.game.odds, self.position.state
        return odds.next_roll_words(self.position.game.book, state, seat, self.say) if odds else []

    def show_end(self) -> None:
        """The final account."""
        self.show_sheets()
        print()
        self.show(self.say("common.over"), BOLD)
        self.print(screen.draw_result(self.position, self.names, self.say))
        self.show(screen.rating(self.position, self.say))
        self.show(self.say("cli.play.saved", file=self.file), FAINT)
        self.show(self.say("review.offer", command=f"foxclover review {self.file}"), FAINT)
        self.show(self.say("practice.offer", command=f"foxclover practise {self.file}"), FAINT)

    def save(self) -> None:
        """Write the transcript."""
        saves.write(self.file, notation.write(self.header, self.position), self.say)

    def resume_command(self) -> str:
        """What to type to go on."""
        return f"foxclover play --resume {self.file}"

    def show(self, text: str, style: str = "") -> None:
        """Print a text, if there is one."""
        if not text:
            return
        canvas = Canvas()
        for line in text.splitlines():
            canvas.add(line, style)
        self.print(canvas)

    def print(self, canvas: Canvas) -> None:
        """Print a drawing."""
        print(canvas.text(self.coloured))
