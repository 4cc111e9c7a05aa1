"""Read positions and moves of Geht noch was? by name, with types.

``Board(position)`` is a snapshot: it stays as it was when moves are made. Cards are named as in the
notation ("35", in a second copy "35b"), levels run from 1 (bottom) to 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple, cast

from foxclover.core.errors import IllegalMove
from foxclover.core.game import Game
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.games.climb.conditions import ROLLS
from foxclover.games.climb.definitions import ClimbDefinition
from foxclover.games.climb.notation import MoveKind, bonus_of
from foxclover.games.climb.rules.state import State, colour_of
from foxclover.games.climb.text import Reason, Stage
from foxclover.games.climb.view import (
    COLOUR_KEYS,
    ClimbMoveView,
    Colour,
    ColourOrNone,
    LevelView,
    Marker,
    Phase,
    PlayerView,
    move_views,
    preview,
    view,
)
from foxclover.locale import catalogue

LISTED = 20  # legal moves in an error, at most


class Card(NamedTuple):
    """A task card as printed."""

    name: str
    colour: Colour
    points: int
    cost: int
    condition: str  # in the notation of decks
    probability: float  # that a roll fulfils it


class ActiveCard(NamedTuple):
    """A card on a level of a tableau."""

    card: Card
    marker: Marker  # "", "black" or "luck"
    is_reachable: bool  # its level may be the next one fulfilled
    is_met: bool  # the dice on the table fulfil it, and the player decides about them


class ScoredCard(NamedTuple):
    """A scored card beside a level."""

    card: Card
    times: int  # 1, or 3 or 4 with a multiplier marker


class Pile(NamedTuple):
    """A pile of cards."""

    colour: Colour
    shuffled: int  # cards in unknown order
    under: tuple[Card, ...]  # known cards below them, next one first

    @property
    def size(self) -> int:
        """The number of its cards."""
        return self.shuffled + len(self.under)


class Draw(NamedTuple):
    """A card that is about to be drawn."""

    seat: int
    colour: Colour
    reason: Reason


class Bonus(NamedTuple):
    """A bonus of a round."""

    luck: int
    card: ColourOrNone


@dataclass(frozen=True)
class Level:
    """A level of a tableau."""

    number: int
    factor: int
    active: tuple[ActiveCard, ...]
    scored: tuple[ScoredCard, ...]
    points: int
    room: int  # for more active cards


@dataclass(frozen=True)
class Tableau:
    """A player's tableau."""

    seat: int
    stage: Stage
    in_round: bool  # the marker shows IN
    luck: int
    black: int  # black markers not on a card
    levels: tuple[Level, ...]  # bottom first
    waiting: tuple[Card, ...]  # beside the clover
    offered: Card | None  # just bought, may be exchanged
    income: int  # what the scored cards would earn now
    money: int
    purchases: int  # left in this round
    lifts: int  # solo rules: pushes of scored cards left
    total: int

    @property
    def active(self) -> tuple[ActiveCard, ...]:
        """The active cards of all levels, bottom first."""
        return tuple(card for level in self.levels for card in level.active)

    @property
    def next_cards(self) -> tuple[ActiveCard, ...]:
        """The cards that the next roll may fulfil."""
        return tuple(card for card in self.active if card.is_reachable)


@dataclass(frozen=True)
class Choice:
    """A legal move, and what it does."""

    move: Move
    kind: MoveKind
    card: Card | None
    level: int  # of the card after the move; 0: none
    colour: ColourOrNone  # of the card, or of the pile bought from
    bonus: Bonus | None  # of the round that is taken
    _board: Board = field(repr=False, compare=False)

    @cached_property
    def points(self) -> int:
        """Points gained at once."""
        board, move = self._board, self.move
        return preview(board.definition, board.state, move.seat, move.number)["points"]


class Board:
    """A position of Geht noch was?; raises ``ValueError`` for one of another family."""

    def __init__(self, position: Position) -> None:
        self.game: Game = position.game
        if not isinstance(position.game.definition, ClimbDefinition):
            raise ValueError(f"{position.game.name} is not played with task cards")
        self.definition: ClimbDefinition = position.game.definition
        self.state: State = cast(State, position.state)
        self._position = position.copy()  # stays here when moves are made
        seen = view(self.definition, self.state)
        self.round, self.rounds = seen["round"], seen["rounds"]
        self.phase: Phase = seen["phase"]
        self.fairy = seen["fairy"]  # seat
        self.solo_rules = seen["solo_rules"]
        self.acting = tuple(seen["acting"])
        self.roll = seen["roll"]  # rolls of this round so far
        self.blue, self.red = tuple(seen["blue"]), tuple(seen["red"])  # dice in rising order
        self.supply = seen["supply"]  # luck markers
        self.multipliers = seen["multipliers"]  # markers in the supply
        self._seen = seen

    @cached_property
    def draw(self) -> Draw | None:
        """The card that is about to be drawn."""
        draw = self._seen["draw"]
        return Draw(draw["seat"], draw["colour"], draw["reason"]) if draw else None

    @cached_property
    def piles(self) -> Mapping[Colour, Pile]:
        """The three piles by colour."""
        return {
            pile["colour"]: Pile(
                pile["colour"], pile["shuffled"], tuple(map(self.card, pile["under"]))
            )
            for pile in self._seen["piles"]
        }

    @cached_property
    def tableaus(self) -> tuple[Tableau, ...]:
        """The tableaus of all seats."""
        return tuple(self._tableau(seat, seen) for seat, seen in enumerate(self._seen["players"]))

    @cached_property
    def bonuses(self) -> tuple[Bonus, ...]:
        """The bonuses of this round."""
        count = self.definition.tables.options[self.round - 1] if self.round else 0
        return tuple(self._bonus(option) for option in range(count))

    def card(self, name: str) -> Card:
        """Return what is printed on a card."""
        return _card(self.definition, name)

    def choices(self, seat: int) -> list[Choice]:
        """Return the legal moves of a seat with what they do."""
        moves = self._position.legal_moves(seat)
        seen = move_views(self.definition, self.state, seat, moves.numbers, catalogue("en"))
        return [self._choice(move, facts) for move, facts in zip(moves, seen, strict=True)]

    def read(self, move: Move) -> Choice:
        """Return what a legal move of this position does; raises ``IllegalMove``."""
        moves = self._position.legal_moves(move.seat)
        if move.seat == CHANCE or move not in moves:
            raise IllegalMove(move.text, [legal.text for legal in moves[:LISTED]])
        here = moves[moves.numbers.index(move.number)]
        numbers = (move.number,)
        seen = move_views(self.definition, self.state, move.seat, numbers, catalogue("en"))
        return self._choice(here, seen[0])

    def _choice(self, move: Move, seen: ClimbMoveView) -> Choice:
        return Choice(
            move,
            seen["kind"],
            self.card(seen["card"]) if seen["card"] else None,
            seen["level"] + 1,
            seen["colour"],
            self._bonus(seen["option"]) if seen["option"] >= 0 else None,
            self,
        )

    def _bonus(self, option: int) -> Bonus:
        luck, colour = bonus_of(self.definition, self.round, option)
        return Bonus(luck, next((name for name in COLOUR_KEYS if name == colour), ""))

    def _tableau(self, seat: int, seen: PlayerView) -> Tableau:
        return Tableau(
            seat=seat,
            stage=seen["stage"],
            in_round=seen["in_round"],
            luck=seen["luck"],
            black=seen["black"],
            levels=tuple(
                self._level(number, level) for number, level in enumerate(seen["levels"], start=1)
            ),
            waiting=tuple(map(self.card, seen["waiting"])),
            offered=self.card(seen["offered"]) if seen["offered"] else None,
            income=seen["income"],
            money=seen["money"],
            purchases=seen["purchases"],
            lifts=seen["lifts"],
            total=seen["total"],
        )

    def _level(self, number: int, seen: LevelView) -> Level:
        return Level(
            number,
            seen["factor"],
            tuple(
                ActiveCard(self.card(card["card"]), card["marker"], card["reachable"], card["met"])
                for card in seen["active"]
            ),
            tuple(ScoredCard(self.card(card["card"]), card["times"]) for card in seen["scored"]),
            seen["points"],
            self.definition.tables.room - len(seen["active"]),
        )

    def __repr__(self) -> str:
        return f"<Board of {self.game.key}: round {self.round}, {self.phase}>"


@lru_cache(1_024)
def _card(definition: ClimbDefinition, name: str) -> Card:
    code = definition.code_of[name]
    colour = colour_of(code)
    return Card(
        name,
        COLOUR_KEYS[colour],
        definition.tables.points[colour],
        definition.tables.cost[colour],
        definition.printed(code).text,
        definition.tables.hits[code] / ROLLS,
    )
