"""The authority over one table: the only place where a game changes.

It uses neither sockets nor the disk.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from copy import copy
from dataclasses import replace

from foxclover import transcripts
from foxclover.core.contract import View
from foxclover.core.errors import AmbiguousMove, MoveError
from foxclover.core.move import LegalMoves, Move
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.dice.fair import Seal
from foxclover.server import games
from foxclover.server.confirmed_time import DAY
from foxclover.server.errors import RefusalError, require
from foxclover.server.limits.rate_limits import Limits
from foxclover.server.protocol.messages import CardOdds
from foxclover.server.stores.store import Event, TableRecord
from foxclover.server.tables.dice import TableDice, is_hidden, roll_due
from foxclover.server.tables.game_log import (
    SALT,
    Decision,
    GameLog,
    Shown,
    UndoCount,
    Views,
    is_salt,
    replayed,
)


class Master:
    """A table replayed from its events, and what may happen next.

    A message that is refused has changed nothing.
    """

    def __init__(self, record: TableRecord) -> None:
        self.record = replace(record, events=[])
        self.game = games.find(record.game)
        self.players = len(record.seats)
        self.dice = TableDice(record)
        self.undos = UndoCount()
        # seq at which a seat's situation, its own moves and ``legal``, last changed
        self.since = [0] * self.players
        try:
            self.setup = self.game.unpack(record.variant)._replace(position=record.start)
            self.log = GameLog(self.game, self.players, self.setup)
            self.position = self.game.start_with(self.players, self.setup)
            if record.start:
                self.log.decision = self._decision()
            self._replay(record.events)
        except (ValueError, IndexError) as error:
            raise RefusalError("damaged_table") from error
        self.legal = [self.position.legal_numbers(seat) for seat in range(self.players)]
        self.since = [self.seq] * self.players
        self.views = Views(self.position, self.log)
        self._see_who_is_to_act()

    def copy(self) -> Master:
        """Return a copy to try something in, before the store has accepted it."""
        twin = copy(self)
        twin.dice, twin.log, twin.undos = self.dice.copy(), self.log.copy(), self.undos.copy()
        twin.since, twin.legal = self.since[:], self.legal[:]
        twin.position = self.position.copy()
        twin.views = Views(twin.position, twin.log, self.views.seen)
        return twin

    def follow(self, events: Sequence[Event]) -> None:
        """Repeat what has happened in another process."""
        rolled = any(event.seat == CHANCE for event in events)
        self._replay(events)
        self._see_what_changed(rolled)

    @property
    def seq(self) -> int:
        """Return the number of events."""
        return self.log.seq

    @property
    def hidden(self) -> bool:
        """Return whether only the player may see the game, while others play the same dice."""
        return is_hidden(self.record)

    @property
    def view(self) -> View:
        """Return the position for a screen, with nothing hidden."""
        return self.views.whole.view

    def playing(self, held: Collection[int]) -> list[int]:
        """Return which of these seats their holder plays, and no computer player instead."""
        return [seat for seat in held if not self.record.seats[seat].computer]

    def is_host(self, held: Collection[int]) -> bool:
        """Return whether the holder of these seats made the table.

        After the host has left, everybody with a seat counts as host.
        """
        hosts = {
            number
            for number, seat in enumerate(self.record.seats)
            if seat.key is not None and seat.key == self.record.host
        }
        return bool(hosts & set(held)) if hosts else bool(held)

    # --- what may happen

    def undoers(self) -> list[int]:
        """Return the seats that may take back their last move."""
        return [] if self.over else [seat for seat in range(self.players) if self._can_undo(seat)]

    def _can_undo(self, seat: int) -> bool:
        """Return whether a seat may take a move back.

        Among several persons a decision is final once all have decided.
        """
        line = self.log.undo_line(seat)
        persons = {held.key for held in self.record.seats if held.key is not None}
        return line is not None and (line >= self.log.final or len(persons) < 2)

    def can_correct(self) -> bool:
        """Return whether the last entered result has not been decided on."""
        entries = self.log.entries
        return self.dice.typed and bool(entries) and entries[-1].seat == CHANCE and not self.over

    @property
    def rollers(self) -> tuple[int, ...]:
        """Return the seats that may roll now.

        The first draw of fair dice waits for a person's salt, even if a computer player starts.
        """
        seats = self.record.seats
        awaits_person = self._rollers and self.dice.awaits_salt
        if not awaits_person or not all(seats[seat].computer for seat in self._rollers):
            return self._rollers
        people = tuple(number for number, seat in enumerate(seats) if not seat.computer)
        return people or tuple(number for number, seat in enumerate(seats) if seat.key is not None)

    def waits_for(self) -> list[int]:
        """Return the seats of people that the game waits for, as everybody knows them."""
        if self.over:
            return []
        seats, decision = self.record.seats, self.log.decision
        due = (*(self.acting if decision is None else decision.undecided), *self.rollers)
        return [seat for seat in sorted(set(due)) if not seats[seat].computer]

    def deadline(self) -> int | None:
        """Return when a computer player acts for those the game waits for, if there is a limit.

        It counts from the first roll on, so that friends have time to join.
        """
        if not self.record.days or not self.seq or not self.waits_for():
            return None
        return self.log.waiting_since(self.record.created) + self.record.days * DAY

    def computer_due(self) -> int | None:
        """Return the seat of a computer player that is to move or roll."""
        seats, rollers = self.record.seats, self.rollers
        rolls = rollers and not self.dice.typed and not self.dice.awaits_salt
        if rolls and all(seats[seat].computer for seat in rollers):
            return rollers[0]
        return next((seat for seat in self.acting if seats[seat].computer), None)

    def legal_moves(self, seat: int) -> LegalMoves:
        """Return the legal moves of a seat."""
        return LegalMoves(self.position, seat, self.legal[seat])

    def decision_of(self, seat: int, seq: int, you: Sequence[int]) -> Position:
        """Return the position that a seat decides on, as far as the seats ``you`` may know it."""
        self._expect(seat, seq)
        return self.shown(you).position.copy()

    def odds(self, seat: int, seq: int, you: Sequence[int]) -> tuple[list[CardOdds], float]:
        """Return a seat's chances on the next roll: of each card in reach, and of failing.

        They depend only on what the seats ``you`` may know.
        """
        decision = self.log.decision
        if decision is not None and seat not in you and decision.seq <= seq <= self.seq:
            seq = self.seq  # what the seat has done since the roll is hidden
        self._expect_current(seat, seq)
        odds, state = self.game.odds, self.shown(you).position.state
        found = odds.next_roll(self.game.definition, state, seat) if odds else None
        if found is None:
            raise RefusalError("no_odds")
        return [
            {"card": card.card, "probability": card.probability} for card in found.cards
        ], found.failing

    def _expect_current(self, seat: int, seq: int) -> None:
        """Refuse what was decided in a situation that has changed for this seat."""
        require(seat < self.players, "not_your_seat")
        # first, so that the last request of a game can be repeated like every other
        require(self.since[seat] <= seq <= self.seq, "stale")
        require(not self.over, "game_over")

    def _expect(self, seat: int, seq: int) -> None:
        self._expect_current(seat, seq)
        require(seat in self.acting, "not_to_act")

    # --- what happens

    def move(self, seat: int, seq: int, wanted: int | str) -> None:
        """Make a legal move, given by its number or text, and the draws that follow from it."""
        self._expect(seat, seq)
        self._push(self._find(seat, wanted))
        self.settle()

    def roll(self, seat: int, seq: int, salt: bytes = b"", pool: bytes = b"") -> None:
        """Roll the dice.

        A person who rolls fair dice sends a salt and the entropy pool that their page has seen.
        """
        self._expect_current(seat, seq)
        require(not self.dice.typed and seat in self.rollers, "no_roll_due")
        if self.dice.fair is not None and not self.record.seats[seat].computer:
            self.dice.expect_salt(salt, pool)
            self._mix(Event(seat, f"{SALT}{salt.hex()}", _now()))
        self._push(self.dice.source.draw(self.position))
        self.settle(rolled=True)

    def enter(self, seat: int, seq: int, text: str) -> None:
        """Enter what real dice or a real card show."""
        self._expect_current(seat, seq)
        require(self.dice.typed and self.position.chance_due, "no_roll_due")
        try:
            move = self.position.parse(text, CHANCE)
        except MoveError:
            raise RefusalError("impossible_entry", text=text) from None
        self._push(move)
        self.settle(rolled=True)

    def correct(self, seat: int, seq: int, most: int = Limits.undos) -> None:
        """Take back the result that was entered last."""
        self._expect_current(seat, seq)
        require(self.can_correct(), "nothing_to_correct")
        self._take_back(CHANCE, most)

    def undo(self, seat: int, seq: int, most: int = Limits.undos) -> None:
        """Take back the seat's last move."""
        self._expect_current(seat, seq)
        require(self._can_undo(seat), "nothing_to_undo")
        self._take_back(seat, most)

    def _take_back(self, seat: int, most: int) -> None:
        self.undos.expect_fewer(seat, most)
        self._add_event(Event(seat, None, _now()))
        self._pop(seat)
        self.settle(rolled=seat == CHANCE)

    def _find(self, seat: int, wanted: int | str) -> Move:
        if isinstance(wanted, int):
            require(wanted in self.legal[seat], "illegal_move", text=wanted)
            return self.position.move(seat, wanted)
        try:
            return self.position.parse(wanted, seat)
        except AmbiguousMove as error:
            raise RefusalError(
                "ambiguous_move", text=wanted, moves=", ".join(error.legal)
            ) from None
        except MoveError:
            raise RefusalError("illegal_move", text=wanted) from None

    def settle(self, rolled: bool = False) -> None:
        """Draw cards and break ties, but leave rolls to players; then see what has changed."""
        position = self.position
        while position.chance_due and not position.rollers and not self.dice.wants_entry(position):
            self._push(self.dice.source.draw(position))
        self._see_what_changed(rolled)

    def _see_what_changed(self, rolled: bool) -> None:
        for seat in range(self.players):
            legal = self.position.legal_numbers(seat)
            if rolled or legal != self.legal[seat]:
                self.legal[seat] = legal
                self.since[seat] = self.seq
        self.views = Views(self.position, self.log, self.views.seen)
        self._see_who_is_to_act()

    def _see_who_is_to_act(self) -> None:
        self.acting = self.position.acting
        self._rollers = self.position.rollers
        self.over = self.position.over

    def _push(self, move: Move) -> None:
        event = Event(move.seat, str(move), _now(), move.number)
        self._add_event(event)
        self._make(move, event.at)

    def _make(self, move: Move, at: int) -> None:
        self.log.add(self.dice.entry(move, self.position, at), move)
        rolled = move.seat == CHANCE and roll_due(self.position)
        self.position.push_unchecked(move)
        if rolled:
            self.log.decision = self._decision()
        if move.seat == CHANCE and not self.dice.typed:
            self.position.forget()  # nothing before a draw can be undone
        self.undos.moved(move.seat, rolled or self.log.decision is None)
        self.log.end_event(self.position)

    def _decision(self) -> Decision | None:
        """Return the decision of several seats on the roll just made, or in the first position.

        Real cards are drawn in front of everybody, so nothing is hidden there.
        """
        position = self.position
        if len(position.acting) < 2 or self.dice.typed:
            return None
        fallen = Position(self.game, position.state, position.setup, position.pre_roll_state)
        return Decision(fallen, len(self.log.entries), self.seq, position.acting)

    def _mix(self, event: Event) -> None:
        self.dice.mix(event)
        self.log.events.append(event)
        self.log.end_event(self.position)

    def _pop(self, seat: int) -> None:
        """Take the last move of a seat back; what other seats have decided since stays."""
        line, decision = self.log.undo_line(seat), self.log.decision
        if line is None:
            raise ValueError("an undo of nothing")
        self.log.remove(line)
        if decision is None:
            self.position.pop()
        else:
            self.position = replayed(decision, self.log.entries[decision.length :])
        self.undos.add(seat)
        self.log.end_event(self.position)

    def _add_event(self, event: Event) -> None:
        self.log.events.append(event)
        if event.seat != CHANCE:
            self.since[event.seat] = self.seq

    def _replay(self, events: Sequence[Event]) -> None:
        for event in events:
            if is_salt(event):
                self._mix(event)
                continue
            self._add_event(event)
            if event.text is None:
                self._pop(event.seat)
                continue
            if event.seat == CHANCE and self.dice.counted:
                self.dice.source.draw(self.position)  # so that the next roll continues from here
            self._make(self._find_again(event, event.text), event.at)

    def _find_again(self, event: Event, text: str) -> Move:
        """Return the move of an event by its number, or by its text if the number has changed."""
        if event.number is not None:
            move = self.position.move(event.seat, event.number)
            if self.position.is_legal(move) and move.text == text:
                return move
        return self.position.parse(text, event.seat)

    # --- what there is to show

    def shown(self, you: Sequence[int]) -> Shown:
        """Return what these seats may know: no decision of others until all have decided."""
        return self.views.of(you)

    def scores(self) -> list[int]:
        """Return the current points of all seats."""
        return [self.position.score(seat) for seat in range(self.players)]

    def transcript(self, names: list[str]) -> str:
        """Return the game so far as text, as far as everybody may know it."""
        position = self.game.start_with(self.players, self.setup)
        seals: dict[int, Seal] = {}
        for line in self.shown(()).lines:
            entry = self.log.entries[line]
            if (seal := self.dice.seal_of(entry)) is not None:
                seals[len(position.moves_made)] = seal
            position.push_unchecked(position.move(entry.seat, entry.number))
        dice = self.dice.header(self.record, self.over)
        return transcripts.write(
            transcripts.Header(self.game, names, dice, position.setup), position, seals
        )


def _now() -> int:
    return int(time.time())
