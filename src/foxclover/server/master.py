"""The authority over one table: the only place where a game changes. It knows no sockets and no disk."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from foxclover import notation
from foxclover.chance import CHANCE, Dice, seeded, system
from foxclover.climb.odds import position_odds
from foxclover.game import AmbiguousMove, Move, MoveError, Position
from foxclover.locale import catalogue
from foxclover.server import games
from foxclover.server.errors import RefusalError
from foxclover.server.protocol import CardOdds, View
from foxclover.server.store import Event, TableRecord


@dataclass(frozen=True)
class Entry:
    """A line of the log: a move that stands."""

    seat: int
    number: int
    text: str
    at: int


class Master:
    """A table replayed from its events, and what may happen next. A refused message has changed nothing."""

    def __init__(self, record: TableRecord) -> None:
        self.record = replace(record, events=[])
        self.game = games.find(record.game)
        self.dice: Dice = system() if record.seed is None else seeded(record.seed)
        self.events: list[Event] = []
        self.log: list[Entry] = []  # the events less what was undone
        self.lengths = [0]  # of the log after each event
        self.since = [0] * self.players  # seq at which a seat's situation, its own moves and ``legal``, last changed
        self.words: dict[str, list[str]] = {}  # the log in the languages spoken at the table
        try:
            self.position = self.game.start(self.players, record.variant)
            for event in record.events:
                self._replay(event)
        except (ValueError, IndexError) as error:
            raise RefusalError("damaged_table") from error
        self.view: View = self.position.view()
        self.legal = [self.position.legal_numbers(seat) for seat in range(self.players)]
        self.since = [self.seq] * self.players

    @property
    def seq(self) -> int:
        """How many events there were."""
        return len(self.events)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.record.seats)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.view["over"]

    # --- what may happen ----------------------------------------------------------------------------------------------

    def rollers(self) -> list[int]:
        """Seats that may let the dice fall now: the active player where there is one, else everybody who is still in."""
        if self.view["chance"] != "roll":
            return []
        if self.view["kind"] == "clever":
            return [self.view["active"]]
        return [seat for seat, player in enumerate(self.view["players"]) if player["in_round"]]

    def can_undo(self, seat: int) -> bool:
        """Whether the last thing that happened was a move of this seat."""
        return bool(self.log) and self.log[-1].seat == seat and not self.over

    def computer_due(self) -> int | None:
        """Return a computer player's seat that is to move or roll."""
        computers = [seat for seat in self.position.acting if self.record.seats[seat].computer]
        rollers = self.rollers()
        if rollers and all(self.record.seats[seat].computer for seat in rollers):
            computers = rollers
        return computers[0] if computers else None

    def decision(self, seat: int, seq: int) -> Position:
        """Return the position for a seat that has something to decide, to think about."""
        self._expect(seat, seq)
        return self.position.copy()

    def odds(self, seat: int, seq: int) -> tuple[list[CardOdds], float]:
        """Return the chances of a seat on the next roll: each card in reach, and failing."""
        self._expect_current(seat, seq)
        if self.view["kind"] != "climb" or self.view["phase"] != "rolling" or not self.view["players"][seat]["in_round"]:
            raise RefusalError("no_odds")
        found = position_odds(self.game.book, self.position.state, seat)
        return [{"card": card.number, "probability": card.odds.probability} for card in found.cards], found.fail.probability

    # --- what happens -------------------------------------------------------------------------------------------------

    def move(self, seat: int, seq: int, wanted: int | str) -> None:
        """Make a legal move, named by its number or its text, and whatever chance does at once because of it."""
        self._expect(seat, seq)
        self._push(self._find(seat, wanted))
        self._settle()

    def roll(self, seat: int, seq: int) -> None:
        """Let the dice fall."""
        self._expect_current(seat, seq)
        if seat not in self.rollers():
            raise RefusalError("no_roll_due")
        self._push(self.dice.draw(self.position))
        self._settle(rolled=True)

    def undo(self, seat: int, seq: int) -> None:
        """Take back the seat's last move."""
        self._expect_current(seat, seq)
        if not self.can_undo(seat):
            raise RefusalError("nothing_to_undo")
        self._happened(Event(seat, None, _now()))
        self._pop()
        self._settle()

    def _expect_current(self, seat: int, seq: int) -> None:
        """Refuse what was decided in a situation that has changed for this seat."""
        if seat >= self.players:
            raise RefusalError("not_your_seat")
        if self.over:
            raise RefusalError("game_over")
        if not self.since[seat] <= seq <= self.seq:
            raise RefusalError("stale")

    def _expect(self, seat: int, seq: int) -> None:
        self._expect_current(seat, seq)
        if seat not in self.position.acting:
            raise RefusalError("not_to_act")

    def _find(self, seat: int, wanted: int | str) -> Move:
        if isinstance(wanted, int):
            for move in self.position.legal_moves(seat):
                if move.number == wanted:
                    return move
            raise RefusalError("illegal_move", text=wanted)
        try:
            return self.position.parse(wanted, seat)
        except AmbiguousMove as error:
            raise RefusalError("ambiguous_move", text=wanted, moves=", ".join(error.legal)) from None
        except MoveError:
            raise RefusalError("illegal_move", text=wanted) from None

    def _settle(self, rolled: bool = False) -> None:
        """Let chance draw cards and break ties (dice wait to be rolled), then see whose situation is another one now."""
        self.view = self.position.view()
        while self.position.chance_due and not self.rollers():
            self._push(self.dice.draw(self.position))
            self.view = self.position.view()
        for seat in range(self.players):
            legal = self.position.legal_numbers(seat)
            if rolled or legal != self.legal[seat]:
                self.legal[seat] = legal
                self.since[seat] = self.seq

    def _push(self, move: Move) -> None:
        event = Event(move.seat, str(move), _now())
        self._happened(event)
        self._enter(move, event.at)

    def _enter(self, move: Move, at: int) -> None:
        """Make a move. What happened before a move of chance can never be undone, so it need not be remembered."""
        for language, sentences in self.words.items():
            sentences.append(move.words(catalogue(language)))
        self.log.append(Entry(move.seat, move.number, str(move), at))
        self.position.push_unchecked(move)
        if move.seat == CHANCE:
            self.position = Position(self.game, self.position.state, self.position.variant)
        self.lengths[-1] = len(self.log)

    def _pop(self) -> None:
        self.position.pop()
        self.log.pop()
        for sentences in self.words.values():
            sentences.pop()
        self.lengths[-1] = len(self.log)

    def _happened(self, event: Event) -> None:
        self.events.append(event)
        self.lengths.append(len(self.log))
        if event.seat != CHANCE:
            self.since[event.seat] = self.seq

    def _replay(self, event: Event) -> None:
        """Let something happen again, as it stands in the log."""
        self._happened(event)
        if event.text is None:
            self._pop()
            return
        if event.seat == CHANCE and self.record.seed is not None:
            self.dice.draw(self.position)  # so that the next roll goes on where the last one ended
        self._enter(self.position.parse(event.text, event.seat), event.at)

    # --- what there is to tell ----------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """Points of all seats as things stand."""
        return [self.position.score(seat) for seat in range(self.players)]

    def log_from(self, seq: int) -> int:
        """Return how much of the log that was known at ``seq`` still stands."""
        return min(self.lengths[seq:]) if 0 <= seq <= self.seq else 0

    def sentences(self, language: str) -> list[str]:
        """Return the log in words."""
        if language not in self.words:
            say, rules, book = catalogue(language), self.game.rules, self.game.book
            state = self.game.start(self.players, self.record.variant).state
            self.words[language] = []
            for entry in self.log:
                self.words[language].append(self.game.words.move_words(book, state, entry.seat, entry.number, say))
                rules.apply(book.tables, state, entry.seat, entry.number)
        return self.words[language]

    def transcript(self, names: list[str]) -> str:
        """Return the game so far as text; a seed is told when there is nothing left to foresee."""
        position = self.game.start(self.players, self.record.variant)
        for entry in self.log:
            position.push_text(entry.text, entry.seat)
        dice = f"seed {self.record.seed}" if self.over and self.record.seed is not None else notation.TYPED
        return notation.write(notation.Header(self.game, names, dice, position.variant), position)


def _now() -> int:
    return int(time.time())
