"""The authority over one table: the only place where a game changes. It knows no sockets and no disk."""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from foxclover import daily, notation
from foxclover.addressed import addressed
from foxclover.chance import CHANCE, Dice, recorded, seeded, system
from foxclover.contract import ROLL_DUE, AnyState, View
from foxclover.game import AmbiguousMove, LegalMoves, Move, MoveError, Position
from foxclover.locale import catalogue
from foxclover.seal import Salt, Seal, sealed, title
from foxclover.server import games
from foxclover.server.encoding import encode_once
from foxclover.server.errors import RefusalError
from foxclover.server.limits import Limits
from foxclover.server.protocol import CardOdds
from foxclover.server.store import Event, TableRecord

TYPED_DICE = "typed"
SALT = "salt "  # begins the text of an event that puts a salt into the cup


class Entry(NamedTuple):
    """A line of the log: a move that stands."""

    seat: int
    number: int
    text: str
    at: int
    draw: int = 0  # of sealed dice, counted from 1
    salts: tuple[Salt, ...] = ()  # stirred in before this draw and after the one before
    among: tuple[
        str, ...
    ] = ()  # what a draw could be that is no roll; left out where draws before it tell


@dataclass(frozen=True)
class Shown:
    """What somebody may know of a table: a position, how it looks and counts, and the lines of the log."""

    position: Position
    view: View
    scores: list[int]
    lines: Sequence[int]  # of the whole log

    @cached_property
    def encoded(self) -> Any:
        """The view as it goes into a message."""
        return encode_once(self.view)


@dataclass(frozen=True)
class Decision:
    """Several seats decide on one roll at the same time: where that began."""

    position: Position
    length: int  # of the log

    @cached_property
    def view(self) -> View:
        """How the table looked then."""
        return self.position.view()


def sealed_dice(record: TableRecord) -> sealed | None:
    """Return the dice of a table where nothing has been drawn yet, if they are sealed."""
    if record.seal is None or record.day:
        return None
    return sealed(title(record.code, record.game, len(record.seats), record.variant), record.seal)


class Master:
    """A table replayed from its events, and what may happen next. A refused message has changed nothing."""

    def __init__(self, record: TableRecord) -> None:
        self.record = replace(record, events=[])
        self.game = games.find(record.game)
        self.sealed = sealed_dice(record)
        self.players = len(record.seats)
        self.typed = record.dice == TYPED_DICE
        self.practice = (
            record.seed is not None or record.origin != ""
        )  # counts for nothing: dice are known, or it was taken over
        self.follows_dice = (
            self.practice or record.day != ""
        )  # the next roll depends on how far the dice have been rolled
        plain: Dice = system() if record.seed is None else seeded(record.seed)
        if record.day and record.seal is not None:
            plain = addressed(record.seal)
        self.dice: Dice = self.sealed or (
            recorded(record.script, plain) if record.script else plain
        )
        self.events: list[Event] = []
        self.log: list[Entry] = []  # the events less what was undone
        self.lengths = [0]  # of the log after each event
        self.certain = [
            0
        ]  # lines of the log that everybody knew after each event, and in this order
        self.since = (
            [0] * self.players
        )  # seq at which a seat's situation, its own moves and ``legal``, last changed
        self.words: dict[str, list[str]] = {}  # the log in the languages spoken at the table
        self.decision: Decision | None = None
        self.left: list[list[int]] = []  # what is left of things drawn from, such as piles
        self.undos = 0  # since the last move of chance
        self.corrected = (
            False  # whether the last move of chance was taken back and nobody has moved since
        )
        self._shown: dict[tuple[int, ...], Shown] = {}
        self._all: Shown | None = None
        self._seen: tuple[AnyState, View] | None = (
            None  # the last state of which a view was made: most of it is the same after a move
        )
        try:
            self.position = self.game.start(self.players, record.variant)
            self._replay(record.events)
        except (ValueError, IndexError) as error:
            raise RefusalError("damaged_table") from error
        self.legal = [self.position.legal_numbers(seat) for seat in range(self.players)]
        self.since = [self.seq] * self.players
        self._see_who_is_to_act()

    def copy(self) -> Master:
        """Return a twin in which something may happen before it is certain that it has."""
        twin = object.__new__(Master)
        twin.__dict__.update(self.__dict__)
        twin.events, twin.log = self.events[:], self.log[:]
        twin.lengths, twin.certain = self.lengths[:], self.certain[:]
        twin.since, twin.legal = self.since[:], self.legal[:]
        twin.position = self.position.copy()
        if self.follows_dice:
            twin.dice = deepcopy(self.dice)
        if self.sealed is not None:
            twin.dice = twin.sealed = self.sealed.copy()
        twin.words = {language: sentences[:] for language, sentences in self.words.items()}
        twin._shown, twin._all = {}, None
        return twin

    def follow(self, events: Sequence[Event]) -> None:
        """Let happen here what has happened elsewhere."""
        rolled = any(event.seat == CHANCE for event in events)
        self._replay(events)
        self._see_what_changed(rolled)

    @property
    def seq(self) -> int:
        """How many events there were."""
        return len(self.events)

    @property
    def hidden(self) -> bool:
        """Whether nobody but the player may see the game yet, because others play with the same dice."""
        return self.record.day != "" and _now() < daily.closes(self.record.day)

    @property
    def view(self) -> View:
        """The position for a screen, with nothing hidden."""
        return self._everything().view

    # --- what may happen ----------------------------------------------------------------------------------------------

    def undoer(self) -> int:
        """Return the seat whose move was the last thing that happened; ``CHANCE`` if there is nothing to undo."""
        return self.log[-1].seat if self.log and not self.over else CHANCE

    def computer_due(self) -> int | None:
        """Return a computer player's seat that is to move or roll."""
        seats = self.record.seats
        if not self.typed and self.rollers and all(seats[seat].computer for seat in self.rollers):
            return self.rollers[0]
        return next((seat for seat in self.acting if seats[seat].computer), None)

    def legal_moves(self, seat: int) -> LegalMoves:
        """Return the legal moves of a seat, which are known."""
        return LegalMoves(self.position, seat, self.legal[seat])

    def decision_of(self, seat: int, seq: int) -> Position:
        """Return the position for a seat that has something to decide, to think about."""
        self._expect(seat, seq)
        return self.position.copy()

    def odds(self, seat: int, seq: int) -> tuple[list[CardOdds], float]:
        """Return the chances of a seat on the next roll: each card in reach, and failing."""
        self._expect_current(seat, seq)
        found = (
            self.game.odds.next_roll(self.game.book, self.position.state, seat)
            if self.game.odds
            else None
        )
        if found is None:
            raise RefusalError("no_odds")
        return [
            {"card": card.card, "probability": card.probability} for card in found.cards
        ], found.failing

    # --- what happens -------------------------------------------------------------------------------------------------

    def move(self, seat: int, seq: int, wanted: int | str) -> None:
        """Make a legal move, named by its number or its text, and whatever chance does at once because of it."""
        self._expect(seat, seq)
        self._push(self._find(seat, wanted))
        self._settle()

    def without_salt(self, seats: Sequence[int]) -> list[int]:
        """Return which of these seats have not put a salt into the cup yet."""
        return (
            []
            if self.sealed is None or self.over
            else [seat for seat in seats if seat not in self.sealed.stirrers]
        )

    def stir(self, seats: Sequence[int], salt: bytes) -> None:
        """Put a page's salt into the cup, for each of its seats that has not given one yet."""
        for seat in self.without_salt(seats):
            self._stir(Event(seat, f"{SALT}{salt.hex()}", _now()))

    def roll(self, seat: int, seq: int, salt: bytes = b"") -> None:
        """Let the dice fall, after the salt of whoever rolls."""
        self._expect_current(seat, seq)
        if self.typed or seat not in self.rollers:
            raise RefusalError("no_roll_due")
        if self.sealed is not None and salt:
            self._stir(Event(seat, f"{SALT}{salt.hex()}", _now()))
        self._push(self.dice.draw(self.position))
        self._settle(rolled=True)

    def enter(self, seat: int, seq: int, text: str) -> None:
        """Let real dice show, or a real card be, what somebody at the table has read off them."""
        self._expect_current(seat, seq)
        if not self.typed or not self.position.chance_due:
            raise RefusalError("no_roll_due")
        try:
            move = self.position.parse(text, CHANCE)
        except MoveError:
            raise RefusalError("impossible_entry", text=text) from None
        self._push(move)
        self._settle(rolled=True)

    def can_correct(self) -> bool:
        """Whether what was entered last has not been decided on."""
        return self.typed and bool(self.log) and self.log[-1].seat == CHANCE and not self.over

    def correct(self, seat: int, seq: int, most: int = Limits.undos) -> None:
        """Take back what was entered last."""
        self._expect_current(seat, seq)
        if not self.can_correct():
            raise RefusalError("nothing_to_correct")
        if self.undos >= most:
            raise RefusalError("too_many_undos")
        self._happened(Event(CHANCE, None, _now()))
        self._pop()
        self._settle(rolled=True)

    def undo(self, seat: int, seq: int, most: int = Limits.undos) -> None:
        """Take back the seat's last move."""
        self._expect_current(seat, seq)
        if self.undoer() != seat:
            raise RefusalError("nothing_to_undo")
        if self.undos >= most:
            raise RefusalError("too_many_undos")
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
        if seat not in self.acting:
            raise RefusalError("not_to_act")

    def _find(self, seat: int, wanted: int | str) -> Move:
        if isinstance(wanted, int):
            if wanted not in self.legal[seat]:
                raise RefusalError("illegal_move", text=wanted)
            return self.position.move(seat, wanted)
        try:
            return self.position.parse(wanted, seat)
        except AmbiguousMove as error:
            raise RefusalError(
                "ambiguous_move", text=wanted, moves=", ".join(error.legal)
            ) from None
        except MoveError:
            raise RefusalError("illegal_move", text=wanted) from None

    def _settle(self, rolled: bool = False) -> None:
        """Let chance draw cards and break ties (dice wait to be rolled), then see whose situation is another one now."""
        while self.position.chance_due and not self.position.rollers and not self._wants_entry():
            self._push(self.dice.draw(self.position))
        self._see_what_changed(rolled)

    def _wants_entry(self) -> bool:
        """Whether people have to tell what came up; the only card there is they need not."""
        return self.typed and len(self.position.legal_moves(CHANCE)) > 1

    def _see_what_changed(self, rolled: bool) -> None:
        for seat in range(self.players):
            legal = self.position.legal_numbers(seat)
            if rolled or legal != self.legal[seat]:
                self.legal[seat] = legal
                self.since[seat] = self.seq
        self._shown, self._all = {}, None
        self._see_who_is_to_act()

    def _see_who_is_to_act(self) -> None:
        self.acting = self.position.acting
        self.rollers = self.position.rollers
        self.over = self.position.over

    def _push(self, move: Move) -> None:
        event = Event(move.seat, str(move), _now(), move.number)
        self._happened(event)
        self._enter(move, event.at)

    def _enter(self, move: Move, at: int) -> None:
        """Make a move. What happened before a move of chance can never be undone, so it need not be remembered."""
        for language, sentences in self.words.items():
            sentences.append(move.words(catalogue(language)))
        self.log.append(self._entry(move, at))
        rolled = (
            move.seat == CHANCE
            and self.game.rules.chance_pending(self.game.book.tables, self.position.state)
            == ROLL_DUE
        )
        self.position.push_unchecked(move)
        if rolled:
            together = len(self.position.acting) > 1
            fallen = Position(self.game, self.position.state, self.position.variant)
            self.decision = Decision(fallen, len(self.log)) if together else None
        if move.seat != CHANCE:
            self.corrected = False
        elif not self.typed:
            self.position.forget()
        if move.seat == CHANCE and not self.corrected:
            self.undos = 0
        self._count_lines()

    def _entry(self, move: Move, at: int) -> Entry:
        if self.sealed is None or move.seat != CHANCE:
            return Entry(move.seat, move.number, str(move), at)
        salts = self.sealed.happened()
        return Entry(
            move.seat, move.number, str(move), at, self.sealed.drawn, salts, self._among(move)
        )

    def _among(self, move: Move) -> tuple[str, ...]:
        """What a draw could be, so that pages can count it out: nothing for rolls, and for a pile that is known from the draws before."""
        if self.game.rules.chance_pending(self.game.book.tables, self.position.state) == ROLL_DUE:
            return ()
        outcomes = self.position.legal_moves(CHANCE)
        numbers = [outcome.number for outcome in outcomes]
        told = () if numbers in self.left else tuple(map(str, outcomes))
        rest = [number for number in numbers if number != move.number]
        self.left = [other for other in self.left if not set(other) & set(numbers)] + [rest]
        return told

    def _stir(self, event: Event) -> None:
        """Let a salt fall into the cup; it changes nobody's situation."""
        if self.sealed is None or event.text is None:
            raise ValueError("a salt at a table whose dice are not sealed")
        self.sealed.stir(Salt(event.seat, bytes.fromhex(event.text.removeprefix(SALT))))
        self.events.append(event)
        self._count_lines()

    def _pop(self) -> None:
        self.position.pop()
        if self.log.pop().seat == CHANCE:
            self.corrected, self.decision = True, None
        for sentences in self.words.values():
            sentences.pop()
        self.undos += 1
        self._count_lines()

    def _happened(self, event: Event) -> None:
        self.events.append(event)
        if event.seat != CHANCE:
            self.since[event.seat] = self.seq

    def _count_lines(self) -> None:
        self.lengths.append(len(self.log))
        self.certain.append(
            len(self.log) if self.decision is None else min(self.decision.length, len(self.log))
        )

    def _replay(self, events: Sequence[Event]) -> None:
        """Let things happen again, as they stand in the log."""
        for event in events:
            if event.text is not None and event.text.startswith(SALT):
                self._stir(event)
                continue
            self._happened(event)
            if event.text is None:
                self._pop()
                continue
            if event.seat == CHANCE and self.follows_dice:
                self.dice.draw(
                    self.position
                )  # so that the next roll goes on where the last one ended
            self._enter(self._find_again(event), event.at)

    def _find_again(self, event: Event) -> Move:
        """Return the move of an event: by its number if that still means the same, else by its text."""
        assert event.text is not None
        if event.number is not None:
            move = self.position.move(event.seat, event.number)
            if self.position.is_legal(move) and move.text == event.text:
                return move
        return self.position.parse(event.text, event.seat)

    # --- what there is to tell ----------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """Points of all seats as things stand."""
        return [self.position.score(seat) for seat in range(self.players)]

    def last_act(self, seat: int) -> int:
        """Return when a seat was last seen to do something, or when the table was opened."""
        return next(
            (event.at for event in reversed(self.events) if event.seat == seat), self.record.created
        )

    def log_from(self, seq: int) -> int:
        """Return how much of the log that was known to anybody at ``seq`` still stands."""
        return min(self.certain[seq], *self.lengths[seq:]) if 0 <= seq <= self.seq else 0

    def shown(self, you: Sequence[int]) -> Shown:
        """Return what the holder of these seats may know. Who has yet to decide on a roll, or only watches, hears nothing of the others."""
        key = tuple(you)
        if key not in self._shown:
            self._shown[key] = self._show(key)
        return self._shown[key]

    def _show(self, you: tuple[int, ...]) -> Shown:
        acting = self.acting
        if self.decision is None or not acting or (you and not set(you) & set(acting)):
            return self._everything()
        then = self.decision.view
        if then.get("phase") != self.view.get("phase"):
            return self._everything()  # all have decided
        known = list(range(self.decision.length))
        mine = False
        for line in range(self.decision.length, len(self.log)):
            seat = self.log[line].seat
            mine = (
                mine if seat == CHANCE else seat in you
            )  # a card is drawn for whoever moved before
            if mine:
                known.append(line)
        if len(known) == len(self.log):
            return self._everything()
        position = self.decision.position.copy()
        for line in known[self.decision.length :]:
            entry = self.log[line]
            position.push_unchecked(position.move(entry.seat, entry.number))
        view: Any = (position.view() if position.moves_made else then) | {"acting": list(acting)}
        return Shown(position, view, self.game.views.totals(view), known)

    def _everything(self) -> Shown:
        if self._all is None:
            view = self.position.view(self._seen)
            self._seen = self.position.state, view
            self._all = Shown(
                self.position, view, self.game.views.totals(view), range(len(self.log))
            )
        return self._all

    def sentences(self, language: str) -> list[str]:
        """Return the log in words."""
        if language not in self.words:
            say, rules, book = catalogue(language), self.game.rules, self.game.book
            state = self.game.start(self.players, self.record.variant).state
            self.words[language] = []
            for entry in self.log:
                self.words[language].append(
                    self.game.words.move_words(book, state, entry.seat, entry.number, say)
                )
                rules.apply(book.tables, state, entry.seat, entry.number)
        return self.words[language]

    def transcript(self, names: list[str]) -> str:
        """Return the game so far as text, as far as everybody may know it; a seed is told when there is nothing left to foresee."""
        position = self.game.start(self.players, self.record.variant)
        seals: dict[int, Seal] = {}
        for line in self.shown(()).lines:
            entry = self.log[line]
            if (seal := self.seal_of(entry)) is not None:
                seals[len(position.moves_made)] = seal
            position.push_unchecked(position.move(entry.seat, entry.number))
        return notation.write(
            notation.Header(self.game, names, self._dice_words(), position.variant), position, seals
        )

    def _dice_words(self) -> str:
        if self.record.day and self.record.seal is not None:
            return daily.dice_words(self.record.day, self.record.seal, told=not self.hidden)
        if self.sealed is not None:
            return notation.sealed_dice(self.record.code, self.sealed.anchor)
        return (
            f"seed {self.record.seed}"
            if self.over and self.record.seed is not None
            else notation.TYPED
        )

    def seal_of(self, entry: Entry) -> Seal | None:
        """Return what is published with a draw."""
        return (
            Seal(self.sealed.secret(entry.draw), entry.salts)
            if self.sealed is not None and entry.draw
            else None
        )


def _now() -> int:
    return int(time.time())
