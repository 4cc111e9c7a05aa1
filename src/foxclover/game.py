"""The readable face of all games: a Game is started, a Position tells who may act and takes Moves.

>>> from foxclover.chance import seeded
>>> position = game("ganz").start(players=1)
>>> dice = seeded(7)
>>> while not position.over:
...     seat = min(position.to_act)
...     position.push(dice.draw(position) if seat == CHANCE else position.legal_moves(seat)[0])
>>> position.score(0) == sum(position.breakdown(0).values())
True
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntFlag
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from foxclover.errors import AmbiguousMove, IllegalMove, MoveError, UnreadableMove
from foxclover.locale import Say, catalogue
from foxclover.records import Record

__all__ = [
    "CHANCE",
    "GAMES",
    "AmbiguousMove",
    "Game",
    "IllegalMove",
    "Move",
    "MoveError",
    "Position",
    "UnknownGame",
    "UnreadableMove",
    "Variant",
    "game",
]

CHANCE = -1
GAMES = {"ganz-schoen-clever": "clever", "doppelt-so-clever": "clever", "geht-noch-was": "climb"}
STANDARD_DECK = "standard"


class Variant(IntFlag):
    """Options of Geht noch was? for the whole table."""

    NONE = 0
    SOLO_RULES = 1
    FREE_PLACEMENT = 2


class UnknownGame(ValueError):
    """No game, or more than one, begins like this."""


def game(name: str, deck: str = STANDARD_DECK) -> Game:
    """Find a game by any unambiguous beginning of its name; ``deck`` names a deck file for the game that has one."""
    found = [key for key in GAMES if key.startswith(name.strip().lower())]
    if len(found) != 1:
        raise UnknownGame(f"{name!r} is no game; the games are {', '.join(GAMES)}")
    return _open(found[0], deck)


@cache
def _open(key: str, deck: str) -> Game:
    return Game(key, GAMES[key], deck)


class Game:
    """One of the games: the functions of its rules package bound to its book."""

    def __init__(self, key: str, package: str, deck: str) -> None:
        self.key = key
        self.package = package
        self.deck = deck
        self.players = range(1, 5)
        self.book: Any = self._part("books").load(deck if package == "climb" else key)
        self.rules = self._part("rules")
        self.notation = self._part("notation")
        self.words = self._part("words")
        self.scoring = self._part("scoring")
        self.views = self._part("view")

    def _part(self, name: str) -> ModuleType:
        return import_module(f"foxclover.{self.package}.{name}")

    @property
    def name(self) -> str:
        """The title on the box."""
        title: str = self.book.name
        return title

    def start(self, players: int = 1, variant: int = 0) -> Position:
        """Set the game up."""
        if players not in self.players:
            raise ValueError(f"{self.name} is for {self.players[0]} to {self.players[-1]} players, not {players}")
        state = self.rules.State()
        self.rules.start(self.book.tables, state, players, int(variant))
        return Position(self, state, Variant(variant))

    def load(self, text: str) -> Position:
        """Rebuild a position from what ``Position.dump`` gave."""
        data = json.loads(text)
        if data["game"] != self.key:
            raise ValueError(f"this is a position of {data['game']}, not of {self.key}")
        return Position(self, self.rules.State.from_values(iter(data["state"])), Variant(data["variant"]))

    def layout(self) -> Any:
        """Everything printed, for a screen."""
        return self.views.layout(self.book)

    def __repr__(self) -> str:
        return f"game({self.key!r})"


@dataclass(frozen=True)
class Move:
    """A move of a player or of chance. ``str`` is its notation; equal moves have the same seat and number."""

    seat: int
    number: int
    text: str = field(compare=False)
    _game: Game = field(compare=False, repr=False)
    _before: Record = field(compare=False, repr=False)

    def __str__(self) -> str:
        return self.text

    def words(self, say: Say | None = None) -> str:
        """The move as a sentence, in English unless a catalogue is given."""
        sentence: str = self._game.words.move_words(self._game.book, self._before, self.seat, self.number, say or catalogue("en"))
        return sentence

    def view(self, say: Say) -> Any:
        """The move with its targets, for a screen."""
        return self._game.views.move_view(self._game.book, self._before, self.seat, self.number, say)


class Position:
    """A moment of a game, with the moves that led to it. Equality and hash go by game and state, not by history."""

    def __init__(self, game: Game, state: Record, variant: Variant = Variant.NONE) -> None:
        self.game = game
        self.state: Any = state
        self.variant = variant
        self.moves: list[Move] = []
        self._before: list[Record] = []

    @property
    def players(self) -> int:
        """How many play."""
        count: int = self.state.players
        return count

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act now."""
        mask: int = self.game.rules.acting(self.game.book.tables, self.state)
        return tuple(seat for seat in range(self.players) if mask >> seat & 1)

    @property
    def chance_due(self) -> bool:
        """Does the game wait for chance?"""
        return bool(self.game.rules.chance_pending(self.game.book.tables, self.state)) and not self.acting

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return not self.acting and not self.chance_due

    @property
    def to_act(self) -> frozenset[int]:
        """Who is to act: a set of seats, ``{CHANCE}``, or nobody when the game is over."""
        return frozenset({CHANCE} if self.chance_due else self.acting)

    def legal_moves(self, seat: int) -> list[Move]:
        """All legal moves of a seat, in a fixed order; of chance, all outcomes."""
        if seat == CHANCE:
            return [move for move, _ in self.chance_moves()]
        return [self._move(seat, number) for number in self.legal_numbers(seat)]

    def legal_numbers(self, seat: int) -> list[int]:
        """The legal moves of a seat as plain numbers."""
        if seat not in self.acting:
            return []
        buffer = [0] * self.game.rules.MOVES
        count = self.game.rules.legal(self.game.book.tables, self.state, seat, buffer)
        return buffer[:count]

    def chance_moves(self) -> Iterator[tuple[Move, int]]:
        """The outcomes of the chance move due, with integer weights."""
        if self.chance_due:
            numbers = [0] * self.game.rules.OUTCOMES
            weights = [0] * self.game.rules.OUTCOMES
            count = self.game.rules.chance_moves(self.game.book.tables, self.state, numbers, weights)
            for number, weight in zip(numbers[:count], weights[:count], strict=True):
                yield self._move(CHANCE, number), weight

    def draw(self, rng: list[int]) -> Move:
        """A chance move drawn with a generator of ``rng``."""
        return self._move(CHANCE, self.game.rules.draw(self.game.book.tables, self.state, rng))

    def _move(self, seat: int, number: int) -> Move:
        text = self.game.notation.move_text(self.game.book, self.state, seat, number)
        return Move(seat, number, text, self.game, self.state)

    def parse(self, text: str, seat: int) -> Move:
        """Read a move: the whole text or any beginning that fits only one. Raises one of the three kinds of ``MoveError``."""
        if seat == CHANCE:
            if not self.chance_due:
                raise IllegalMove(text, expected="a move of a player" if self.acting else "nothing: the game is over")
            return self._move(CHANCE, self._parse_chance(text))
        wanted = "".join(text.lower().split())
        moves = self.legal_moves(seat)
        texts = [move.text.replace(" ", "") for move in moves]
        if wanted in texts:
            return moves[texts.index(wanted)]
        begun = [move for move, whole in zip(moves, texts, strict=True) if wanted and whole.startswith(wanted)]
        if len(begun) == 1:
            return begun[0]
        if begun:
            raise AmbiguousMove(text, [move.text for move in begun])
        kind = IllegalMove if self.game.notation.is_readable(wanted) else UnreadableMove
        raise kind(text, [move.text for move in moves], "" if moves else self._expected())

    def _parse_chance(self, text: str) -> int:
        try:
            number: int = self.game.notation.parse_chance(self.game.book, self.state, text)
        except MoveError:
            raise
        except ValueError as error:
            raise IllegalMove(text, expected=str(error)) from None
        return number

    def _expected(self) -> str:
        if self.over:
            return "nothing: the game is over"
        return "a move of chance" if self.chance_due else "a move of seat " + " or ".join(str(seat + 1) for seat in self.acting)

    def push(self, move: Move) -> None:
        """Make a legal move; raises ``IllegalMove`` for any other."""
        legal = self._is_chance_move(move.number) if move.seat == CHANCE else move.number in self.legal_numbers(move.seat)
        if not legal:
            raise IllegalMove(move.text, expected=self._expected())
        self.push_unchecked(move)

    def _is_chance_move(self, number: int) -> bool:
        return self.chance_due and bool(self.game.rules.is_chance_move(self.game.book.tables, self.state, number))

    def push_text(self, text: str, seat: int) -> Move:
        """Read a move and make it."""
        move = self.parse(text, seat)
        self.push_unchecked(move)
        return move

    def push_unchecked(self, move: Move) -> None:
        """Make a move WITHOUT checking that it is legal: for moves just taken from ``legal_moves`` or drawn here."""
        state = self.state.copy()
        self.game.rules.apply(self.game.book.tables, state, move.seat, move.number)
        self.moves.append(move)
        self._before.append(self.state)
        self.state = state

    def pop(self) -> Move:
        """Take the last move back and return it."""
        self.state = self._before.pop()
        return self.moves.pop()

    def history(self) -> Iterator[tuple[Any, Move]]:
        """The moves made so far, each with the state it was made in."""
        return zip(self._before, self.moves, strict=True)

    def score(self, seat: int) -> int:
        """Points of a seat as things stand."""
        points: int = self.game.rules.score(self.game.book.tables, self.state, seat)
        return points

    def breakdown(self, seat: int) -> dict[str, int]:
        """The parts of a seat's score, by name; they sum to it."""
        parts: dict[str, int] = self.game.scoring.breakdown(self.game.book, self.state, seat)
        return parts

    def places(self) -> list[int]:
        """Rank of each seat if the game ended now: 1 is first, equals share a place."""
        ranks: list[int] = self.game.scoring.places(self.game.book, self.state)
        return ranks

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty while the game is on."""
        return tuple(seat for seat, place in enumerate(self.places()) if place == 1) if self.over else ()

    def prompt(self, seat: int, say: Say) -> str:
        """What is expected of a seat now."""
        sentence: str = self.game.words.prompt(self.game.book, self.state, seat, say)
        return sentence

    def view(self) -> Any:
        """The position for a screen."""
        return self.game.views.view(self.game.book, self.state)

    def copy(self) -> Position:
        """An independent position with the same history."""
        twin = Position(self.game, self.state, self.variant)
        twin.moves = self.moves[:]
        twin._before = self._before[:]
        return twin

    def dump(self) -> str:
        """The position as a line of text, without its history; ``Game.load`` reads it."""
        return json.dumps({"game": self.game.key, "variant": int(self.variant), "state": self.state.values()}, separators=(",", ":"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game is other.game and bool(self.state == other.state)

    def __hash__(self) -> int:
        return hash((self.game.key, self.state))

    def __repr__(self) -> str:
        return f"<Position of {self.game.key}, {self.players} players, {len(self.moves)} moves made>"
