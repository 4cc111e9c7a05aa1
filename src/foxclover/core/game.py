"""The readable face of all games: a Game is started, a Position tells who may act and takes Moves.

>>> from foxclover.chance import seeded
>>> position = game("ganz").start(players=1)
>>> dice = seeded(7)
>>> while not position.over:
...     if position.chance_due:
...         _ = position.roll(dice)
...     else:
...         position.push(position.legal_moves(0)[0])
>>> position.score(0) == sum(position.breakdown(0).values())
True
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, overload

from foxclover.beginning import BEGINS, LOT
from foxclover.contract import (
    CHANCE,
    AnyBook,
    AnyState,
    Head,
    Layout,
    MoveView,
    Option,
    Preview,
    View,
)
from foxclover.errors import (
    AmbiguousMove,
    IllegalMove,
    MoveError,
    NothingToTakeBack,
    UnknownSeat,
    UnreadableMove,
)
from foxclover.loading import load_state
from foxclover.locale import Phrase, Say, catalogue, one_of, phrase
from foxclover.ratings import Rating, rate
from foxclover.shelf import MOST_PLAYERS, Item, UnknownGame, find_family, find_key, read_head, shelf
from foxclover.snapshot import Snapshot

if TYPE_CHECKING:
    from foxclover.chance import Dice

__all__ = [
    "CHANCE",
    "LOT",
    "AmbiguousMove",
    "Game",
    "IllegalMove",
    "LegalMoves",
    "Move",
    "MoveError",
    "NothingToTakeBack",
    "Position",
    "UnknownGame",
    "UnknownSeat",
    "UnreadableMove",
    "game",
    "games",
]

SEATS_OF_MASK = [
    tuple(seat for seat in range(MOST_PLAYERS) if mask >> seat & 1)
    for mask in range(1 << MOST_PLAYERS)
]


def games() -> list[str]:
    """The keys of all games on the shelf."""
    return list(shelf())


def game(name: str, file: str = "") -> Game:
    """Find a game by any unambiguous beginning of its name, or by the path of a data file; ``file`` is another sheet or deck for it."""
    if name.endswith(".toml"):
        return open_file(name)
    return open_file(file, find_key(name)) if file else _take(find_key(name))


def _take(key: str) -> Game:
    return _open(shelf()[key])


@cache
def _open(item: Item) -> Game:
    return Game(item.head, item.file.read_bytes())


def open_file(file: str, key: str = "") -> Game:
    """A game from a file of one's own, whatever it is called; with a key it is another book for that game, and its head does not count."""
    source = Path(file).read_bytes()
    head = shelf()[key].head if key else read_head(source, Path(file).stem)
    return Game(head, source, file)


class Game:
    """One of the games: what its family gives, and its book. It never changes, so that copies are the game itself."""

    def __init__(self, head: Head, source: bytes, file: str = "") -> None:
        self.file = file  # a sheet or deck of one's own; empty: one of the package
        self.contract = find_family(head.family)
        self.book: AnyBook = self.contract.books.read(head, source)
        self.head = self.book.head  # which knows for how many the book has cards
        self.rules = self.contract.rules
        self.notation = self.contract.notation
        self.words = self.contract.words
        self.scoring = self.contract.scoring
        self.views = self.contract.views
        self.drawing = self.contract.drawing
        self.odds = self.contract.odds
        self.buffers: list[
            list[int]
        ] = []  # that legal moves are written into: each is taken, and put back
        self._starts: dict[
            tuple[int, int], AnyState
        ] = {}  # setting a game up takes as long as a fifth of it

    @property
    def key(self) -> str:
        """What the game is called on the command line and in transcripts."""
        return self.head.key

    @cached_property
    def digest(self) -> str:
        """What tells a changed sheet or deck of one's own from the one that was played with; empty for games of the package."""
        return hashlib.sha256(self.book.source).hexdigest()[:16] if self.file else ""

    @property
    def family(self) -> str:
        """Which family plays it."""
        return self.head.family

    @property
    def name(self) -> str:
        """The title on the box."""
        return self.head.title

    @property
    def players(self) -> range:
        """How many may play."""
        return self.head.players

    @property
    def options(self) -> tuple[Option, ...]:
        """The ways to vary it."""
        return self.contract.options

    def variant(self, names: Iterable[str], begins: int = 0) -> int:
        """The number that stands for some options and for who begins: a seat, or ``LOT``."""
        bits = {option.name: option.bit for option in self.options}
        chosen = dict.fromkeys(names)
        unknown = [name for name in chosen if name not in bits]
        if unknown:
            raise ValueError(
                f"{self.name} has no option {unknown[0]!r}; it has {', '.join(bits) or 'none'}"
            )
        return sum(bits[name] for name in chosen) + BEGINS * begins

    def chosen(self, variant: int) -> list[str]:
        """The names of the options that a number stands for."""
        return [option.name for option in self.options if option.bit & variant]

    def start(self, players: int = 1, variant: int = 0, begins: int = 0) -> Position:
        """Set the game up; ``variant`` stands for the options chosen, and a seat or ``LOT`` begins unless that is part of it already."""
        variant += BEGINS * begins
        self._check(players, variant)
        if (players, variant) not in self._starts:
            state = self.rules.State()
            self.rules.start(self.book.tables, state, players, variant)
            self._starts[players, variant] = state
        return Position(self, self._starts[players, variant].copy(players), variant)

    def _check(self, players: int, variant: int) -> None:
        if players not in self.players:
            raise ValueError(
                f"{self.name} is for {self.players[0]} to {self.players[-1]} players, not {players!r}"
            )
        begins = variant // BEGINS
        if begins and not (players > 1 and (begins == LOT or 0 < begins < players)):
            drawn_or_named = (
                "lot can tell who begins" if begins == LOT else f"seat {begins} can begin"
            )
            raise ValueError(f"no {drawn_or_named} in a game of {players}")
        if variant % BEGINS != sum(option.bit for option in self.options if option.bit & variant):
            raise ValueError(
                f"{self.name} has no variant {variant}; its options are {', '.join(o.name for o in self.options) or 'none'}"
            )

    def load(self, text: str) -> Position:
        """Rebuild a position from what ``Position.dump`` gave; raises ``ValueError`` for what it cannot have given."""
        try:
            data = json.loads(text)
        except (ValueError, TypeError, RecursionError) as error:
            raise ValueError(f"this is no position: {error}") from None
        if not isinstance(data, dict) or {"game", "variant", "state", "known"} - set(data):
            raise ValueError(
                "this is no position: it does not tell game, variant, state and what was known"
            )
        if data["game"] != self.key:
            raise ValueError(f"this is a position of {data['game']}, not of {self.key}")
        if data.get("digest", "") != self.digest:
            raise ValueError(
                f"this is a position with another {self.contract.book_word}, or the {self.contract.book_word} has been changed since"
            )
        if type(data["variant"]) is not int:
            raise ValueError(f"this is no position: a variant is a number, not {data['variant']!r}")
        known = None if data["known"] is None else self._state(data["known"], data["variant"])
        return Position(self, self._state(data["state"], data["variant"]), data["variant"], known)

    def _state(self, values: object, variant: int) -> AnyState:
        state = load_state(self.rules.State, values)
        self._check(state.players, variant)
        return state

    def layout(self, say: Say | None = None) -> Layout:
        """Everything printed, for a screen, with its words in English unless a catalogue is given."""
        return self.views.layout(self.book, say or catalogue("en"))

    def rating(self, points: int) -> Rating:
        """How good a solo score is."""
        return rate(self.scoring.levels(self.book), points)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Game)
            and (self.key, self.book.source) == (other.key, other.book.source)
        )

    def __hash__(self) -> int:
        return hash((self.key, self.book.source))

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, _: object) -> Game:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return (
            (Game, (self.head, self.book.source, self.file)) if self.file else (_take, (self.key,))
        )

    def __repr__(self) -> str:
        return f"game({self.key!r}, {self.file!r})" if self.file else f"game({self.key!r})"


class Move:
    """A move of a player or of chance in a position. ``str`` is its notation; equal moves have the same game, seat, number and text."""

    __slots__ = ("_before", "_game", "_listed", "_text", "number", "seat")

    def __init__(
        self, game: Game, before: Snapshot, seat: int, number: int, listed: bool = False
    ) -> None:
        self.seat = seat
        self.number = number
        self._game = game
        self._before = before
        self._listed = listed  # taken from the legal moves of ``before``, or drawn there
        self._text = ""

    @property
    def _state(self) -> AnyState:
        return self._before.look(self._game)

    @property
    def text(self) -> str:
        """The move in the notation of its game; of a number that is no move there, the number."""
        if not self._text:
            try:
                self._text = self._game.notation.move_text(
                    self._game.book, self._state, self.seat, self.number
                )
            except (LookupError, StopIteration):
                self._text = f"move {self.number}"
        return self._text

    def words(self, say: Say | None = None) -> str:
        """The move as a sentence, in English unless a catalogue is given."""
        return self._game.words.move_words(
            self._game.book, self._state, self.seat, self.number, say or catalogue("en")
        )

    def view(self, say: Say) -> MoveView:
        """The move with its targets, for a screen."""
        return self._game.views.move_views(
            self._game.book, self._state, self.seat, (self.number,), say
        )[0]

    def preview(self) -> Preview:
        """What the move would do, for a screen."""
        return self._game.views.preview(self._game.book, self._state, self.seat, self.number)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Move {self.text!r} of {'chance' if self.seat == CHANCE else f'seat {self.seat}'} in {self._game.key}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        if (self.seat, self.number) != (other.seat, other.number) or self._game != other._game:
            return False
        return (
            self._before is other._before or self.text == other.text
        )  # elsewhere the same number may mean another move

    def __hash__(self) -> int:
        return hash((self._game.key, self.seat, self.number))

    def __reduce__(self) -> tuple[object, ...]:
        return (_move_in, (self._game, self._before.give(self._game), self.seat, self.number))


def _move_in(game: Game, before: AnyState, seat: int, number: int) -> Move:
    """A move in a state."""
    return Move(game, Snapshot(before), seat, number)


class LegalMoves(Sequence[Move]):
    """The legal moves of a seat, made when they are asked for."""

    __slots__ = ("_before", "_game", "_seat", "numbers")

    def __init__(self, position: Position, seat: int, numbers: list[int]) -> None:
        self.numbers = numbers
        self._seat = seat
        self._game, self._before = position.game, position._now

    def _move(self, number: int) -> Move:
        return Move(self._game, self._before, self._seat, number, True)

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...

    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        numbers = self.numbers[index]
        return (
            Move(self._game, self._before, self._seat, numbers, True)
            if isinstance(numbers, int)
            else list(map(self._move, numbers))
        )

    def __iter__(self) -> Iterator[Move]:
        return map(self._move, self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, Move)
            and move.seat == self._seat
            and move.number in self.numbers
            and move == self._move(move.number)
        )

    def views(self, say: Say) -> Sequence[MoveView]:
        """The moves with their targets, for a screen."""
        return self._game.views.move_views(
            self._game.book, self._before.look(self._game), self._seat, self.numbers, say
        )

    def __repr__(self) -> str:
        return f"<LegalMoves of seat {self._seat}: {', '.join(map(str, self))}>"


class Position:
    """A moment of a game, with the moves that led to it. Equality goes by game and state, not by history.

    ``state`` is for reading: whoever has it keeps it as it is, whatever moves are made.
    """

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __init__(
        self, game: Game, state: AnyState, variant: int = 0, known: AnyState | None = None
    ) -> None:
        self.game = game
        self.variant = variant
        self.moves_made: list[Move] = []
        self._stand(Snapshot(state, Snapshot(known) if known else None))

    def _stand(self, now: Snapshot) -> None:
        """Be at a moment of the game; who is to act is asked again and again, so it is found out once."""
        rules, tables = self.game.rules, self.game.book.tables
        self._now = now
        self._state = now.look(self.game)  # for looks that are over before the next move is made
        self._acting = rules.acting(tables, self._state)  # mask of seats
        self._pending = 0 if self._acting else rules.chance_pending(tables, self._state)

    @property
    def state(self) -> AnyState:
        """The table, as the rules see it: to be read, not changed, since earlier states are made again from the moves."""
        return self._now.give(self.game)

    @property
    def known(self) -> AnyState | None:
        """The table when the dice last fell: nobody looks at decisions of the same roll."""
        return self._now.known.give(self.game) if self._now.known else None

    @property
    def players(self) -> int:
        """How many play."""
        return self._state.players

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act now."""
        return SEATS_OF_MASK[self._acting]

    @property
    def rollers(self) -> tuple[int, ...]:
        """The seats that may let the dice fall now."""
        return SEATS_OF_MASK[self.game.rules.rollers(self.game.book.tables, self._state)]

    @property
    def chance_due(self) -> bool:
        """Does the game wait for chance?"""
        return self._pending > 0

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return not self._acting and not self._pending

    @property
    def to_act(self) -> frozenset[int]:
        """Who is to act: a set of seats, ``{CHANCE}``, or nobody when the game is over."""
        return frozenset({CHANCE} if self.chance_due else self.acting)

    def legal_moves(self, seat: int) -> LegalMoves:
        """All legal moves of a seat, in a fixed order; of chance, all outcomes."""
        if seat == CHANCE:
            return LegalMoves(self, seat, self._outcomes()[0])
        numbers = self.legal_numbers(seat)
        if not numbers:  # whoever has some sits at the table
            self._seat(seat)
        return LegalMoves(self, seat, numbers)

    def legal_numbers(self, seat: int) -> list[int]:
        """The legal moves of a seat as plain numbers."""
        if seat < 0 or not self._acting >> seat & 1:
            return []
        rules, buffers = self.game.rules, self.game.buffers
        try:
            buffer = buffers.pop()
        except IndexError:
            buffer = [0] * rules.MOVES
        count = rules.legal(self.game.book.tables, self._state, seat, buffer)
        numbers = buffer[:count]
        buffers.append(buffer)
        return numbers

    def chance_moves(self) -> Iterator[tuple[Move, int]]:
        """The outcomes of the chance move due, with integer weights."""
        numbers, weights = self._outcomes()
        return zip(LegalMoves(self, CHANCE, numbers), weights, strict=True)

    def _outcomes(self) -> tuple[list[int], list[int]]:
        if not self.chance_due:
            return [], []
        rules = self.game.rules
        numbers, weights = [0] * rules.OUTCOMES, [0] * rules.OUTCOMES
        count = rules.chance_moves(self.game.book.tables, self._state, numbers, weights)
        return numbers[:count], weights[:count]

    def draw(self, rng: list[int]) -> Move:
        """A chance move drawn with a generator of ``rng``; raises ``IllegalMove`` when none is due."""
        if not self.chance_due:
            raise IllegalMove("a roll", wanted=self._wanted())
        return Move(
            self.game,
            self._now,
            CHANCE,
            self.game.rules.draw(self.game.book.tables, self._state, rng),
            listed=True,
        )

    def move(self, seat: int, number: int) -> Move:
        """The move of a seat, or of chance, with a number, whether it is legal or not."""
        return Move(self.game, self._now, seat, number)

    def parse(self, text: str, seat: int) -> Move:
        """Read a move: the whole text or any beginning that fits only one. Raises one of the three kinds of ``MoveError``."""
        if seat == CHANCE:
            if not self.chance_due:
                raise IllegalMove(
                    text, wanted=phrase("expected.player" if self.acting else "expected.nothing")
                )
            return self.move(
                CHANCE, self.game.notation.parse_chance(self.game.book, self._state, text)
            )
        wanted = "".join(text.lower().split())
        moves = self.legal_moves(seat)
        texts = [move.text.replace(" ", "") for move in moves]
        if wanted in texts:
            return moves[texts.index(wanted)]
        begun = [
            move
            for move, whole in zip(moves, texts, strict=True)
            if wanted and whole.startswith(wanted)
        ]
        if len(begun) == 1:
            return begun[0]
        if begun:
            raise AmbiguousMove(text, [move.text for move in begun])
        kind = IllegalMove if self.game.notation.is_readable(wanted) else UnreadableMove
        raise kind(text, [move.text for move in moves], None if moves else self._wanted())

    def _wanted(self) -> Phrase:
        if self.over:
            return phrase("expected.nothing")
        return (
            phrase("expected.chance")
            if self.chance_due
            else phrase("expected.players", who=one_of([seat + 1 for seat in self.acting]))
        )

    def is_legal(self, move: Move) -> bool:
        """May this move be made now? One of another position may if it is the same move here."""
        if move.seat == CHANCE:
            listed = self.chance_due and self.game.rules.is_chance_move(
                self.game.book.tables, self._state, move.number
            )
        else:
            listed = move.number in self.legal_numbers(move.seat)
        return listed and move == self.move(move.seat, move.number)

    def push(self, move: Move) -> None:
        """Make a legal move; raises ``IllegalMove`` for any other."""
        try:
            listed_here = (
                move._listed and move._before is self._now
            )  # and need not be looked for again
        except AttributeError:
            raise TypeError(f"push takes a Move, not {move!r}; push_text reads a text") from None
        if not listed_here and not self.is_legal(move):
            raise IllegalMove(move.text, wanted=self._wanted())
        self.push_unchecked(move)

    def push_text(self, text: str, seat: int) -> Move:
        """Read a move and make it."""
        move = self.parse(text, seat)
        self.push_unchecked(move)
        return move

    def roll(self, dice: Dice) -> Move:
        """Let chance make its move by these dice; raises ``IllegalMove`` when none is due."""
        move = dice.draw(self)
        self.push(move)
        return move

    def push_unchecked(self, move: Move) -> None:
        """Make a move WITHOUT checking that it is legal: for moves just taken from ``legal_moves`` or drawn here."""
        self._stand(self._now.push(self.game, move.seat, move.number, len(self.moves_made)))
        self.moves_made.append(move)

    def pop(self) -> Move:
        """Take the last move back and return it; raises ``NothingToTakeBack`` if none was made."""
        if not self._now.earlier:
            raise NothingToTakeBack("no move was made that could be taken back")
        self._stand(self._now.earlier)
        return self.moves_made.pop()

    def forget(self) -> None:
        """Forget the moves made, not what was known when the dice last fell."""
        self.moves_made.clear()
        self._stand(Snapshot(self.state, Snapshot(self.known) if self.known else None))

    def history(self) -> Iterator[tuple[AnyState, Move]]:
        """The moves made so far, each with the state it was made in."""
        return (
            (before.give(self.game), move)
            for before, move in zip(self._now.history(), self.moves_made, strict=True)
        )

    def score(self, seat: int) -> int:
        """Points of a seat as things stand."""
        return self.game.rules.score(self.game.book.tables, self._state, self._seat(seat))

    def breakdown(self, seat: int) -> dict[str, int]:
        """The parts of a seat's score, by name; they sum to it."""
        return self.game.scoring.breakdown(self.game.book, self._state, self._seat(seat))

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise UnknownSeat(f"there is no seat {seat} at a table of {self.players}")
        return seat

    def places(self) -> list[int]:
        """Rank of each seat if the game ended now: 1 is first, equals share a place."""
        return self.game.scoring.places(self.game.book, self._state)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty while the game is on."""
        return (
            tuple(seat for seat, place in enumerate(self.places()) if place == 1)
            if self.over
            else ()
        )

    def prompt(self, seat: int, say: Say) -> str:
        """What is expected of a seat now."""
        return self.game.words.prompt(self.game.book, self._state, self._seat(seat), say)

    def reasons(self, seat: int, say: Say) -> list[str]:
        """Why a seat is not asked, or what it must and cannot do now."""
        return self.game.contract.explaining.reasons(
            self.game.book, self._state, self._seat(seat), say
        )

    def reasons_about(self, seat: int, thing: str, say: Say) -> list[str] | None:
        """Why a seat cannot use a die ``y``, a field ``y3a`` or ``g#5``, a card ``25`` or a level ``#3`` now; None: no such thing."""
        return self.game.contract.explaining.about(
            self.game.book, self._state, self._seat(seat), thing, say
        )

    def view(self, seen: tuple[AnyState, View] | None = None) -> View:
        """The position for a screen; what is as in a state that was ``seen`` is taken from how that looked."""
        return self.game.views.view(self.game.book, self._state, seen)

    def copy(self) -> Position:
        """An independent position with the same history."""
        twin: Position = object.__new__(Position)
        twin.game, twin.variant, twin.moves_made = self.game, self.variant, self.moves_made[:]
        self._now.keep()
        twin._now, twin._state, twin._acting, twin._pending = (
            self._now,
            self._state,
            self._acting,
            self._pending,
        )
        return twin

    __copy__ = copy

    def __reduce__(self) -> tuple[object, ...]:
        first = (*self._now.history(), self._now)[0]
        known = first.known.give(self.game) if first.known else None
        made = [(move.seat, move.number) for move in self.moves_made]
        return (_play, (self.game, first.give(self.game), self.variant, known, made))

    def dump(self) -> str:
        """The position as a line of text, without its history; ``Game.load`` reads it."""
        known = self.known and self.known.values()
        data = {
            "game": self.game.key,
            "variant": self.variant,
            "state": self.state.values(),
            "known": known,
        }
        if self.game.digest:
            data["digest"] = self.game.digest
        return json.dumps(data, separators=(",", ":"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game == other.game and self.state == other.state

    def __str__(self) -> str:
        """The position drawn with letters."""
        say = catalogue("en")
        drawings = [self.game.drawing.draw_dice(self.game.book, self.state, say)]
        drawings += [
            self.game.drawing.draw_player(self.game.book, self.state, seat, (), say)
            for seat in range(self.players)
        ]
        return "\n\n".join(filter(None, (drawing.text(coloured=False) for drawing in drawings)))

    def __repr__(self) -> str:
        seats = (
            f"seat{'s' if len(self.acting) > 1 else ''} {', '.join(map(str, self.acting))} to move"
        )
        due = "over" if self.over else "chance to move" if self.chance_due else seats
        scores = "-".join(str(self.score(seat)) for seat in range(self.players))
        return f"<Position of {self.game.key}: round {self.state.round}, {scores} points, {due}>"


def _play(
    game: Game,
    state: AnyState,
    variant: int,
    known: AnyState | None,
    made: Iterable[tuple[int, int]],
) -> Position:
    """The position that moves lead to."""
    position = Position(game, state, variant, known)
    for seat, number in made:
        position.push_unchecked(position.move(seat, number))
    return position
