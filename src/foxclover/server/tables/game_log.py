"""The log of a game: what happened, who may know it yet, and how often it was taken back.

Several seats may decide on one roll. Nobody learns of another seat's decision until all have
decided. Each identity, the seats that a connection plays, counts what happens by what it may know.
Its sequence number therefore does not depend on hidden moves, and neither does anything that is
computed from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from foxclover.core.contract import AnyState, View
from foxclover.core.game import Game
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.core.setup import Setup
from foxclover.dice.fair import Roller
from foxclover.locale import catalogue
from foxclover.server.errors import require
from foxclover.server.protocol import encode_once
from foxclover.server.stores.store import Event

Seen = tuple[AnyState, View]
SALT = "salt "  # starts the text of an event that mixes a salt into the entropy pool


class Entry(NamedTuple):
    """A line of the log: a move that was not undone."""

    seat: int
    number: int
    text: str
    at: int
    draw: int = 0  # of fair dice, counted from 1
    roller: Roller | None = None  # of fair dice
    among: tuple[str, ...] = ()  # outcomes of a draw other than a roll, unless they are known


class Step(NamedTuple):
    """An event after the roll."""

    seat: int  # whose move, undo or drawn card it is
    noticed: bool  # by everybody: a salt, or a seat that has decided or takes its decision back


@dataclass(frozen=True)
class Decision:
    """What several seats decide at the same time, from the roll until all have decided."""

    position: Position  # just after the roll
    length: int  # of the log after the roll
    seq: int  # after the roll
    undecided: tuple[int, ...]  # seats, as everybody knows
    steps: tuple[Step, ...] = ()

    @cached_property
    def view(self) -> View:
        """Return the view of the table just after the roll."""
        return self.position.view()

    def after(self, event: Event, position: Position) -> Decision | None:
        """Return the decision after an event that led to a position; none when all have decided."""
        drawing = position.chance_due and not position.rollers
        if not drawing and (
            not position.acting or position.state.phase != self.position.state.phase
        ):
            return None
        undecided = self.undecided if drawing else position.acting
        # A card is drawn for the seat that moved before.
        seat = self.steps[-1].seat if event.seat == CHANCE else event.seat
        step = Step(seat, is_salt(event) or undecided != self.undecided)
        return replace(self, undecided=undecided, steps=(*self.steps, step))

    def seq_for(self, you: Collection[int], at: int) -> int:
        """Return the sequence number that these seats know the table by after ``at`` events."""
        return self.seq + sum(_is_seen(step, you) for step in self.steps[: at - self.seq])

    def seq_meant(self, you: Collection[int], seq: int) -> int:
        """Return how many events there were when these seats last knew the table by a number.

        The result is too large for a number that is still to come.
        """
        known = self.seq
        for meant, step in enumerate(self.steps, start=self.seq):
            known += _is_seen(step, you)
            if known > seq:
                return meant
        return self.seq + len(self.steps) + seq - known


class GameLog:
    """The events of a table, the lines that they leave, and which lines are public."""

    def __init__(self, game: Game, players: int, setup: Setup) -> None:
        self.game, self.players, self.setup = game, players, setup
        self.events: list[Event] = []
        self.entries: list[Entry] = []
        self.decision: Decision | None = None
        self.lengths = [0]  # of the log after each event
        self.public = [0]  # lines that everybody knew after each event, in this order
        self.final = 0  # lines that ended with a decision of several seats, known to all since
        self._sentences: dict[str, list[str]] = {}  # by language

    def copy(self) -> GameLog:
        """Return an independent log."""
        twin = copy(self)
        twin.events, twin.entries = self.events[:], self.entries[:]
        twin.lengths, twin.public = self.lengths[:], self.public[:]
        twin._sentences = {language: lines[:] for language, lines in self._sentences.items()}
        return twin

    @property
    def seq(self) -> int:
        """Return the number of events."""
        return len(self.events)

    def add(self, entry: Entry, move: Move) -> None:
        """Add a line for a move that is about to be made."""
        self.entries.append(entry)
        for language, sentences in self._sentences.items():
            sentences.append(move.words(catalogue(language)))

    def remove(self, line: int) -> None:
        """Remove a line that was undone."""
        self.entries.pop(line)
        for sentences in self._sentences.values():
            sentences.pop(line)
        self.final = min(self.final, len(self.entries))

    def end_event(self, position: Position) -> None:
        """Count the lines after the last event, which led to a position."""
        if self.decision is not None and self.seq > self.decision.seq:
            self.decision = self.decision.after(self.events[-1], position)
            if self.decision is None:
                self.final = len(self.entries)
        length = len(self.entries)
        self.lengths.append(length)
        self.public.append(length if self.decision is None else min(self.decision.length, length))

    def undo_line(self, seat: int) -> int | None:
        """Return the line that a seat may take back.

        It is the last line or, during a decision of several seats, the seat's own last line.
        """
        first = len(self.entries) - 1 if self.decision is None else self.decision.length
        for line in range(len(self.entries) - 1, max(first, 0) - 1, -1):
            if self.entries[line].seat == seat:
                followed = self.entries[line + 1 : line + 2]
                return None if followed and followed[0].seat == CHANCE else line
        return None

    def lines_for(self, you: Collection[int]) -> Sequence[int]:
        """Return the lines that these seats may know."""
        if self.decision is None:
            return range(len(self.entries))
        lines, seat = list(range(self.decision.length)), CHANCE
        for line in range(self.decision.length, len(self.entries)):
            # A card is drawn for the seat that moved before.
            if self.entries[line].seat != CHANCE:
                seat = self.entries[line].seat
            if seat in you:
                lines.append(line)
        return lines

    def known_from(self, seq: int) -> int:
        """Return how many lines that were public at ``seq`` are still in the log."""
        return min(self.public[seq], *self.lengths[seq:]) if 0 <= seq <= self.seq else 0

    def seq_for(self, you: Collection[int], at: int | None = None) -> int:
        """Return the sequence number that these seats know now or after ``at`` events."""
        at = self.seq if at is None else at
        if self.decision is None or at <= self.decision.seq:
            return at
        return self.decision.seq_for(you, at)

    def seq_meant(self, you: Collection[int], seq: int) -> int:
        """Return how many events there were when these seats last knew the table by a number."""
        if self.decision is None or seq < self.decision.seq:
            return seq
        return self.decision.seq_meant(you, seq)

    def last_public_at(self, otherwise: int) -> int:
        """Return the time of the last event that everybody may know of."""
        if not self.events:
            return otherwise
        return self.events[self.seq_meant((), self.seq_for(()) - 1)].at

    def waiting_since(self, otherwise: int) -> int:
        """Return the time since which the game waits for its players.

        What some of them have decided since a common roll is hidden, so that roll counts.
        """
        seq = self.seq if self.decision is None else self.decision.seq
        return self.events[seq - 1].at if seq else otherwise

    def turn_of(self, seat: int) -> int:
        """Return the turn of a seat: how many events there were when another seat acted last.

        What others have decided since a common roll is hidden, so it does not count.
        """
        seq = self.seq if self.decision is None else self.decision.seq
        others = (at for at in range(seq, 0, -1) if self.events[at - 1].seat not in (seat, CHANCE))
        return next(others, 0)

    def acted(self, seat: int, since: int) -> bool:
        """Return whether a seat has done anything since there were so many events."""
        return any(event.seat == seat for event in self.events[since:])

    def last_at(self, seat: int, otherwise: int) -> int:
        """Return the time of the last event of a seat."""
        return next((event.at for event in reversed(self.events) if event.seat == seat), otherwise)

    def sentences(self, language: str) -> list[str]:
        """Return the lines as sentences."""
        if language not in self._sentences:
            translate, game = catalogue(language), self.game
            state = game.start_with(self.players, self.setup).state
            sentences = self._sentences[language] = []
            for seat, number, *_ in self.entries:
                sentences.append(
                    game.words.move_words(game.definition, state, seat, number, translate)
                )
                game.rules.apply(game.definition.tables, state, seat, number)
        return self._sentences[language]


class UndoCount:
    """Count what each seat has taken back since the last roll.

    Where nothing is hidden, a drawn card starts the count again too.
    """

    def __init__(self) -> None:
        self.by_seat = Counter[int]()
        self.corrected = False  # the last move of chance, and no seat has moved since

    def copy(self) -> UndoCount:
        """Return an independent count."""
        twin = copy(self)
        twin.by_seat = self.by_seat.copy()
        return twin

    def expect_fewer(self, seat: int, most: int) -> None:
        """Refuse an undo of a seat that has taken back enough."""
        require(self.by_seat[seat] < most, "too_many_undos")

    def add(self, seat: int) -> None:
        """Count an undo."""
        self.by_seat[seat] += 1
        self.corrected = self.corrected or seat == CHANCE

    def moved(self, seat: int, starts_again: bool) -> None:
        """Note a move; some moves of chance start the count again."""
        if seat != CHANCE:
            self.corrected = False
        elif starts_again and not self.corrected:
            self.by_seat.clear()


@dataclass(frozen=True)
class Shown:
    """What an identity may know of a table: a position, its view and scores, lines of the log."""

    position: Position
    view: View
    scores: list[int]
    lines: Sequence[int]

    @cached_property
    def encoded(self) -> Any:
        """Return the view encoded for a message."""
        return encode_once(self.view)


class Views:
    """A table as each identity may see it, until something changes."""

    def __init__(self, position: Position, log: GameLog, seen: Seen | None = None) -> None:
        self.position = position
        self.log = log
        self.seen = seen  # an earlier state with its view: most of it is the same after a move
        self._shown: dict[tuple[int, ...], Shown] = {}

    @cached_property
    def whole(self) -> Shown:
        """Return the table with nothing hidden."""
        view = self.position.view(self.seen)
        self.seen = self.position.state, view
        return Shown(self.position, view, self._scores(view), range(len(self.log.entries)))

    def of(self, you: Sequence[int]) -> Shown:
        """Return what these seats may know: no decision of others until all have decided."""
        key = tuple(you)
        if key not in self._shown:
            self._shown[key] = self._show(key)
        return self._shown[key]

    def _show(self, you: tuple[int, ...]) -> Shown:
        decision, lines = self.log.decision, self.log.lines_for(you)
        if decision is None or len(lines) == len(self.log.entries):
            return self.whole
        mine = lines[decision.length :]
        position = replayed(decision, [self.log.entries[line] for line in mine])
        view: Any = position.view() if mine else decision.view
        view = view | {"acting": list(self.position.acting)}
        return Shown(position, view, self._scores(view), lines)

    def _scores(self, view: View) -> list[int]:
        return self.position.game.views.totals(view)


def replayed(decision: Decision, entries: Sequence[Entry]) -> Position:
    """Return the position after a roll and some of the moves made since."""
    position = decision.position.copy()
    for entry in entries:
        position.push_unchecked(position.move(entry.seat, entry.number))
    return position


def is_salt(event: Event) -> bool:
    """Return whether an event is a roller's salt."""
    return event.text is not None and event.text.startswith(SALT)


def _is_seen(step: Step, you: Collection[int]) -> bool:
    return step.noticed or step.seat in you
