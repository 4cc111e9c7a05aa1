"""One game at a terminal: asks people, lets computer players move, rolls, and saves after every move."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from foxclover import notation
from foxclover.ai import SIMPLE, Agent, adviser, agent
from foxclover.canvas import BOLD, FAINT, Canvas, wants_colour
from foxclover.chance import Dice
from foxclover.cli import saves, screen
from foxclover.cli.errors import UserError
from foxclover.cli.reading import NoSuchNumber, read_chance, read_move, shown_text, uniform
from foxclover.cli.review import judge_so_far, seat_lines
from foxclover.cli.seats import Seat
from foxclover.cli.words import move_error
from foxclover.errors import MoveError
from foxclover.game import CHANCE, Move, Position
from foxclover.locale import Say, say_number, sections
from foxclover.net_file import NetError
from foxclover.ratings import level_lines

HINTS = 5  # moves that a hint compares
ROLL = ("", "1")  # what lets waiting dice fall
ENOUGH = "q"  # ends what is told page by page


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
        self.words = {name: self.say(f"cli.play.word.{name}") for name in commands}
        typed = {self.words[name]: command for name, command in commands.items()}
        self.commands = (
            {"?": self.show_help}
            | commands
            | {uniform(word): command for word, command in typed.items()}
        )
        self.ahead = ""  # what was typed instead of turning a page

    def computer(self, seat: Seat) -> Agent:
        """The computer player of a seat; where its net cannot be used, a weaker one, and the people are told."""
        try:
            return agent(seat.agent, self.position.game)
        except NetError as problem:
            self.show(
                self.say(
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
        self.show(self.say("cli.play.welcome"), FAINT)
        try:
            while not self.position.over:
                self.step()
        except (Leave, EOFError):
            print()
            self.show(self.say("cli.play.left", command=self.resume_command()))
            return 0
        except KeyboardInterrupt:
            print()
            raise UserError(self.say("cli.play.left", command=self.resume_command())) from None
        self.show_end()
        return 0

    def step(self) -> None:
        """One move: of chance, of a computer player, or of a person. Dice wait while there is something to take back."""
        if self.position.chance_due:
            if not self.dice:
                move = self.ask_dice()
            elif self.last_own() is None or self.ask_roll():
                move = self.dice.draw(self.position)
            else:
                return
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
        self.show(
            f"» {name}: {words}" if name else f"» {words}", BOLD if move.seat == CHANCE else ""
        )

    def ask_move(self, seat: int) -> Move | None:
        """Ask a person; None if something is taken back instead."""
        moves = self.position.legal_moves(seat)
        self.show_decision(seat, moves)
        made = len(self.position.moves_made)
        while len(self.position.moves_made) == made:
            text = self.ask(f"{self.names[seat]} > ")
            if not text:
                self.show_decision(seat, moves)
            elif not self.obey(text):
                try:
                    return read_move(text, self.position, seat, self.say)
                except NoSuchNumber:
                    self.show(self.say("cli.play.no_number", text=text, count=len(moves)))
                except MoveError as error:
                    self.show(move_error(error, self.say))
        return None

    def ask_roll(self) -> bool:
        """Let a person look at what was done before chance speaks; False if it was taken back."""
        moves = self.position.moves_made
        made, seat = len(moves), moves[self.last_own() or 0].seat
        self.show_decision(seat, [])
        while len(moves) == made:
            text = self.ask(self.say("cli.play.wait"))
            if text in ROLL:
                return True
            if not self.obey(text):
                self.show(self.say("cli.play.only_roll", text=text))
        return False

    def ask_dice(self) -> Move | None:
        """Ask what chance did on the real table; None if something is taken back instead."""
        seat = min(self.position.rollers, default=0)
        self.show(self.position.prompt(seat, self.say), BOLD)
        made = len(self.position.moves_made)
        while len(self.position.moves_made) == made:
            text = self.ask(self.say("cli.play.dice_prompt"))
            try:
                if text and not self.obey(text):
                    return read_chance(text, self.position, self.say)
            except MoveError as error:
                self.show(move_error(error, self.say))
        return None

    def ask(self, prompt: str) -> str:
        """Read a line; from a pipe it is shown as if it had been typed."""
        if self.ahead:
            text, self.ahead = self.ahead, ""
            print(f"{prompt}{text}")
            return text
        text = input(prompt).strip().lower()
        if not sys.stdin.isatty():
            print(text)
        return text

    def obey(self, text: str) -> bool:
        """Do what a word asks for; False if it is none. Behind "why" may stand what is asked about."""
        word, _, thing = text.partition(" ")
        command = self.commands.get(uniform(text))
        if command:
            command()
        elif self.commands.get(uniform(word)) == self.show_reasons:
            self.show_reasons_about(thing)
        else:
            return False
        return True

    def last_own(self) -> int | None:
        """The place of the last move of a person, if it can be taken back: rolled dice stay rolled, typed ones may go."""
        moves = self.position.moves_made
        last = len(moves) - 1
        while last >= 0 and moves[last].seat != CHANCE and self.agents[moves[last].seat]:
            last -= 1
        return None if last < 0 or (moves[last].seat == CHANCE and self.dice) else last

    def undo(self) -> None:
        """Take back the last move of a person and what computer players did since."""
        last = self.last_own()
        if last is None:
            self.show(self.say("cli.play.no_undo"))
            return
        while len(self.position.moves_made) > last:
            taken = self.position.pop()
        self.save()
        self.show(self.say("cli.play.undone", move=taken.words(self.say)))

    def leave(self) -> None:
        """Stop for now."""
        raise Leave

    def show_decision(self, seat: int, moves: Sequence[Move]) -> None:
        """Everything a person needs to decide."""
        self.print(screen.draw_decision(self.position, self.names, seat, moves, self.say))

    def show_help(self) -> None:
        """What can be typed, and what the signs mean."""
        width = max(map(len, self.words.values())) + 2
        example = f"text.{self.position.game.family}"
        rows = [
            (self.say("cli.play.typed.number"), "number"),
            (self.say("cli.play.typed.text"), example),
            ("Enter", "enter"),
        ]
        rows += [(word, name) for name, word in self.words.items()]
        lines = [
            line
            for word, name in rows
            for line in wrap(f"{word:<{width}}{self.say(f'cli.play.does.{name}')}", width)
        ]
        self.page([*lines, *self.say(f"{self.position.game.family}.signs").splitlines()])

    def show_rules(self) -> None:
        """The rules of the game."""
        lines: list[str] = []
        game = self.position.game
        for section, title, text in sections(
            self.say.language, *(f"rules.{name}" for name in (game.key, game.family))
        ):
            lines += ["", f"── {title} ──", *text.splitlines()]
            if section == "solo":
                lines += level_lines(game.scoring.levels(game.book), None, self.say)
        self.page(lines[1:])

    def show_history(self) -> None:
        """All moves so far, by round."""
        self.page(self.history_lines())

    def history_lines(self) -> Iterator[str]:
        """The moves so far in words, with the rounds between them."""
        shown = 0
        for before, move in self.position.history():
            if before.round != shown:
                shown = before.round
                yield f"── {self.say('common.round', round=shown, rounds=self.position.view()['rounds'])} ──"
            name = "" if move.seat == CHANCE else f"{self.names[move.seat]}: "
            yield f"{name}{move.words(self.say)}"

    def show_sheets(self) -> None:
        """The sheets of all players."""
        drawn = Canvas()
        for seat, name in enumerate(self.names):
            drawn.add(f"── {name} ──", BOLD)
            drawn.paste(screen.draw_player(self.position, seat, [], self.say), drawn.height, 0)
        self.page(drawn.text(self.coloured).splitlines())

    def show_score(self) -> None:
        """The account of everybody as things stand, and what scores how much."""
        drawn = screen.draw_result(self.position, self.names, self.say)
        for seat in self.people():
            drawn.add()
            if len(self.names) > 1:
                drawn.add(f"── {self.names[seat]} ──", BOLD)
            points = self.position.game.drawing.draw_points(
                self.position.game.book, self.position.state, seat, self.say
            )
            drawn.paste(points, drawn.height, 0)
        self.page(drawn.text(self.coloured).splitlines())

    def show_hint(self) -> None:
        """What the strongest computer player thinks of the best moves."""
        seat = next((seat for seat in self.position.acting if not self.agents[seat]), None)
        if seat is None:
            self.show(self.say("cli.play.no_hint"))
            return
        try:
            ranked = adviser("search", self.position.game).rank(self.position, seat)[:HINTS]
        except NetError as error:
            self.show(self.say("cli.error.net", problem=error))
            return
        self.show(self.say("cli.advise.title", player=self.names[seat]))
        for value in ranked:
            text = shown_text(value.move, self.position, self.say)
            expected = say_number(value.expected, "6.1f", self.say)
            difference = say_number(value.expected - ranked[0].expected, "+6.1f", self.say)
            self.show(f"  {expected} {difference}  {value.move.words(self.say)} [{text}]")

    def show_review(self) -> None:
        """What the decisions of the people were worth so far."""
        if not any(move.seat in self.people() for move in self.position.moves_made):
            self.show(self.say("cli.play.no_review"))
            return
        try:
            found = judge_so_far(self.position, self.names, self.people(), self.say)
        except UserError as error:
            self.show(str(error))
            return
        self.page(
            line
            for seat in found.seats
            for text in seat_lines(seat, self.position.game, self.say)
            for line in text.splitlines()
        )

    def people(self) -> list[int]:
        """The seats of persons; all, where only computer players play."""
        return [seat for seat, computer in enumerate(self.agents) if not computer] or list(
            range(len(self.agents))
        )

    def show_reasons(self) -> None:
        """Why whoever is asked cannot do everything; why nobody is, while the dice wait."""
        found = [
            sentence for seat in self.asked() for sentence in self.position.reasons(seat, self.say)
        ]
        self.show("\n".join(dict.fromkeys(found)) or self.say("why.nothing"))

    def show_reasons_about(self, thing: str) -> None:
        """Why whoever is asked cannot use a die, a field or a card."""
        position = self.position
        meant = position.game.words.spell_chance(position.game.book, thing.strip(), self.say)
        answers = [position.reasons_about(seat, meant, self.say) for seat in self.asked()]
        found = [sentence for answer in answers if answer for sentence in answer]
        self.show("\n".join(dict.fromkeys(found)) or self.say("why.unknown"))

    def asked(self) -> list[int]:
        """The seat that is asked now; while the dice wait, all seats of persons."""
        return list(self.position.acting[:1]) or self.people()

    def show_odds(self) -> None:
        """The chances on the next roll of everybody who is in, where the game has an answer."""
        lines = [
            line
            for seat, name in enumerate(self.names)
            if (odds := self.odds_lines(seat))
            for line in [f"── {name} ──", *odds]
        ]
        if lines:
            self.page(lines)
        else:
            self.show(
                self.say("cli.play.no_odds" if self.position.game.odds else "cli.play.never_odds")
            )

    def odds_lines(self, seat: int) -> list[str]:
        """A seat's chances on the next roll; nothing in a game without odds."""
        odds, state = self.position.game.odds, self.position.state
        return odds.next_roll_words(self.position.game.book, state, seat, self.say) if odds else []

    def show_end(self) -> None:
        """The final account."""
        for seat, name in enumerate(self.names):
            self.show(f"── {name} ──", BOLD)
            self.print(screen.draw_player(self.position, seat, [], self.say))
        print()
        self.show(self.say("common.over"), BOLD)
        self.print(screen.draw_result(self.position, self.names, self.say))
        self.show("\n".join(screen.tie_lines(self.position, self.names, self.say)))
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
            for part in wrap(line):
                canvas.add(part, style)
        self.print(canvas)

    def page(self, lines: Iterable[str]) -> None:
        """Print lines; a person at a terminal turns the pages with Enter, or types what is to be done next."""
        height = shutil.get_terminal_size(screen.COMMON).lines - 1
        for number, shown in enumerate(part for line in lines for part in wrap(line)):
            if number and number % height == 0 and sys.stdin.isatty() and sys.stdout.isatty():
                typed = input(self.say("cli.play.more")).strip().lower()
                if typed:
                    self.ahead = "" if typed == ENOUGH else typed
                    return
            print(shown)

    def print(self, canvas: Canvas) -> None:
        """Print a drawing."""
        print(canvas.text(self.coloured))


def wrap(line: str, indent: int = 2) -> list[str]:
    """A line as wide as the terminal, broken between words; drawings fit, and what goes elsewhere stays whole."""
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
