"""The game of the line mode, played in a thread; the app shows it and sends what is typed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, Protocol

from foxclover import CHANCE, Move
from foxclover.ai.nets import NetError
from foxclover.cli import screen
from foxclover.cli.arguments import Seat
from foxclover.cli.fullscreen.scene import Scene, draw_scene
from foxclover.cli.practise import SHOW, Drill
from foxclover.cli.review import review_so_far
from foxclover.cli.session import Leave, Session
from foxclover.core.display import TextGrid

if TYPE_CHECKING:
    from foxclover.review import Review
    from foxclover.review.practice import Exercise

FRAMES, FRAME_SECONDS = 8, 0.06  # of rolling dice


class Stage(Protocol):
    """What a session shows itself on; every method may be called from another thread."""

    def show_scene(self, scene: Scene) -> None:
        """Show a position."""

    def show_dice(self, dice: TextGrid) -> None:
        """Show dice that are still rolling."""

    def show_line(self, text: str, hint: bool) -> None:
        """Add a line to the log, or to the hints."""

    def show_page(self, title: str, text: TextGrid) -> None:
        """Show a long text until it is closed."""

    def show_review(self, review: Review) -> None:
        """Show the review of the finished game."""


def wants_motion() -> bool:
    """Return whether dice may roll visibly: not with NO_MOTION."""
    return not os.environ.get("NO_MOTION")


class ScreenSession(Session):
    """A session without lines: it waits for answers from a stage."""

    def __post_init__(self) -> None:
        self.stage: Stage | None = None
        self.motion = wants_motion()
        self.answers = SimpleQueue[str]()
        self.closing = Event()
        self.early: list[str] = []  # before there was a stage
        self.hinting = False
        self.last_words: list[str] = []  # for the terminal, when the screen is closed
        super().__post_init__()
        self.coloured = False  # pages are plain text

    def play_on(self, stage: Stage) -> int:
        """Play to the end on a stage; then wait until it is closed."""
        self.stage = stage
        for text in self.early:
            stage.show_line(text, False)
        code = self.play()
        while self.position.over and not self.closing.is_set():
            text = self.answers.get()
            if text and not self.closing.is_set():
                self.obey(text)
        return code

    def answer(self, text: str) -> None:
        """Send what was typed or clicked."""
        self.answers.put(text)

    def close(self) -> None:
        """End the game for now, also while a computer player thinks."""
        self.closing.set()
        self.answers.put("")

    # -- what the line mode asks and prints

    def step(self) -> None:
        """Make one move, unless the player has left."""
        if self.closing.is_set():
            raise Leave
        super().step()

    def ask(self, prompt: str) -> str:  # noqa: ARG002 - the scene has one
        """Wait for an answer of the stage."""
        text = self.answers.get()
        if self.closing.is_set():
            raise Leave
        return text.strip().lower()

    def ask_dice(self) -> Move | None:
        """Ask for the real dice; return None after an undo."""
        seat = min(self.position.rollers, default=0)
        self._show(self._watcher(), [], "dice", self.position.prompt(seat, self.translate))
        return super().ask_dice()

    def show_decision(self, seat: int, moves: Sequence[Move]) -> None:
        """Show everything a person needs to decide."""
        self._show(
            seat, moves, "move" if moves else "roll", self.position.prompt(seat, self.translate)
        )

    def make(self, move: Move, name: str) -> None:
        """Make a move, save, and show it; dice roll for a moment."""
        if move.seat == CHANCE and self.dice and self.position.view()["chance"] == "roll":
            self._roll()
        super().make(move, name)
        self._show(self._watcher(), [], "", "")

    def show(self, text: str, style: str = "") -> None:  # noqa: ARG002 - a log is plain
        """Add a text to the log, or to the hints."""
        for line in text.splitlines():
            self.last_words = [*self.last_words[-1:], line]
            if self.stage:
                self.stage.show_line(line, self.hinting)
            else:
                self.early.append(line)

    def print(self, drawn: TextGrid) -> None:
        """Show a drawing as a page."""
        if self.stage:
            self.stage.show_page("", drawn)

    def page(self, lines: Iterable[str]) -> None:
        """Show a long text as a page."""
        drawn = TextGrid()
        for line in lines:
            drawn.add(line)
        self.print(drawn)

    def show_hint(self) -> None:
        """Show the best moves in the pane of hints."""
        self.hinting = True
        try:
            super().show_hint()
        finally:
            self.hinting = False

    def show_score(self) -> None:
        """Show the scores and the point tables of the people."""
        drawn = screen.draw_result(self.position, self.names, self.translate)
        game = self.position.game
        for seat in self.people():
            drawn.add()
            points = game.drawing.draw_points(
                game.definition, self.position.state, seat, self.translate
            )
            drawn.paste(points, drawn.height, 0)
        self.print(drawn)

    def show_end(self) -> None:
        """Show the result, then the review with its curve."""
        self._show(self._watcher(), [], "", self.translate("common.over"))
        drawn = screen.draw_result(self.position, self.names, self.translate)
        lines = [*screen.tie_lines(self.position, self.names, self.translate)]
        lines += screen.rating(self.position, self.translate).splitlines()
        for line in ["", *lines]:
            drawn.add(line)
        if self.stage:
            self.stage.show_page(self.translate("common.over"), drawn)
        self.show(self.translate("cli.play.saved", file=self.file))
        try:
            found = review_so_far(self.position, self.names, self.people(), self.translate)
        except NetError as error:
            self.show(self.translate("cli.error.net", problem=error))
            return
        if self.stage and not self.closing.is_set():
            self.stage.show_review(found)

    def _watcher(self) -> int:
        """Return the seat whose sheet is shown while nobody is asked."""
        return next(
            (seat for seat in self.position.acting if seat in self.people()), self.people()[0]
        )

    def _show(self, seat: int, moves: Sequence[Move], ask: str, prompt: str) -> None:
        if self.stage:
            self.stage.show_scene(
                draw_scene(self.position, self.names, seat, self.translate, moves, ask, prompt)
            )

    def _roll(self) -> None:
        """Show random faces for a moment."""
        if not self.motion or not self.stage:
            return
        game = self.position.game
        for _ in range(FRAMES):
            twin = self.position.copy()
            twin.push_unchecked(twin.draw([secrets.randbits(32) for _ in range(4)]))
            self.stage.show_dice(
                game.drawing.draw_dice(game.definition, twin.state, self.translate)
            )
            if self.closing.wait(FRAME_SECONDS):
                return


class PracticeSession(ScreenSession):
    """Exercises of a finished game: each answer is rated, nothing is saved."""

    drill: Drill

    @classmethod
    def of(cls, drill: Drill) -> PracticeSession:
        """Return a session of some exercises."""
        header, position = drill.transcript.header, drill.tasks[0].position
        seats = [Seat(name) for name in header.players]
        session = cls(header, position, seats, None, Path(), drill.translate)
        session.drill = drill
        return session

    def play(self) -> int:
        """Go through the exercises."""
        self.show(self.drill.instructions())
        self.drill.go_through(self)
        return 0

    def present(self, task: Exercise) -> None:
        """Take the position of an exercise; ``read_answer`` shows it."""
        self.position = task.position

    def read_answer(self, task: Exercise) -> str:
        """Show the position and wait for a move; the key of hints shows the answer."""
        prompt = self.position.prompt(task.seat, self.translate)
        self._show(task.seat, self.position.legal_moves(task.seat), "move", prompt)
        text = self.ask("")
        return self.translate(SHOW) if text == "hint" else text
