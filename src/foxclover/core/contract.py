"""What a family of games must give, as typed protocols: everything above the family packages asks for this and for nothing else.

A family's package has a module ``package`` with its ``FAMILY``; mypy compares its modules with the protocols. A game is a family and a
book, read from a data file whose head (``Head``) says what the game is called and which family plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypedDict, TypeVar

from foxclover.colours import Paint
from foxclover.locale import Say
from foxclover.ratings import Level
from foxclover.records import Record

if TYPE_CHECKING:
    from foxclover.canvas import Canvas
    from foxclover.data_file import DataFile

CHANCE = -1  # the seat of its moves
NO_CHANCE, ROLL_DUE = range(2)  # of ``chance_pending``; families have further kinds of chance


class Head(NamedTuple):
    """What a data file says first: which game it is, and whose."""

    key: str  # on the command line and in transcripts
    family: str
    title: str  # on the box
    designer: str
    year: int
    publisher: str
    players: range


class AnyBook(Protocol):
    """A game as read from its file: the tables of the rules and the names for people."""

    @property
    def head(self) -> Head:
        """Which game this is."""

    @property
    def tables(self) -> Record:
        """What the rules need, in integers."""

    @property
    def source(self) -> bytes:
        """The file it was read from."""


class AnyState(Record):
    """What is known of every family's table."""

    players: int
    round: int
    first: int  # the seat that begins
    if TYPE_CHECKING:
        seats: list[Record]  # as many as can play; each family's have fields of their own


class Option(NamedTuple):
    """A way to vary a game, for the whole table."""

    name: str
    bit: int  # of the number that stands for all options chosen
    players: range  # numbers of players that have the choice


class CardOdds(NamedTuple):
    """The chance that the next roll fulfils a card."""

    card: str  # what it is called in the notation
    probability: float


class RollOdds(Protocol):
    """How many of all rolls fulfil something."""

    @property
    def text(self) -> str:
        """What is to be fulfilled, in the notation."""

    @property
    def hits(self) -> int:
        """The rolls that fulfil it."""

    @property
    def of(self) -> int:
        """All rolls."""

    @property
    def probability(self) -> float:
        """The share of the rolls."""


class NextRoll(NamedTuple):
    """A player's chances on the next roll."""

    cards: tuple[CardOdds, ...]
    failing: float


class Feature(NamedTuple):
    """A number that a seat sees of a position: its name and bounds."""

    name: str
    least: int
    most: int


Spelling = tuple[tuple[str, ...], ...]
"""A way to type a move: one of the words of each place after the other. The first words are those that are shown."""


class ListedMove(NamedTuple):
    """A legal move in a list for people."""

    words: str
    short: str  # what can be typed
    style: str  # of that


class MoveGroup(NamedTuple):
    """Legal moves listed together: those of one die behind it, or some without a heading."""

    head: str
    style: str
    moves: list[ListedMove]


class Layout(TypedDict):
    """Everything printed; a family adds its own entries."""

    kind: str  # the family
    game: str
    paints: list[Paint]  # every colour once, those of the dice first
    words: dict[str, str]  # what its colours, bonuses and parts of the score are called, by name
    levels: list[Level]  # how good a score alone is, the best first


class View(TypedDict):
    """A position for a screen; a family adds its own entries."""

    kind: str  # the family
    round: int
    rounds: int
    roll: int  # rolls of this turn or round so far
    chance: str  # what chance is to do: "roll" the dice, something else, or "" for nothing
    acting: list[int]  # seats that may act now
    over: bool
    places: list[int]  # rank of each seat; [] while the game is on


class MoveView(TypedDict):
    """A legal move for a screen; a family adds its own entries."""

    id: int
    text: str
    words: str


class Preview(TypedDict):
    """What a legal move would do, for a screen; a family adds its own entries."""

    id: int
    points: int  # gained at once


BookT = TypeVar("BookT")
TablesT = TypeVar("TablesT")
StateT = TypeVar("StateT", bound=AnyState | Record)
BookIn_contra = TypeVar("BookIn_contra", contravariant=True)
BookOut_co = TypeVar("BookOut_co", covariant=True)
TablesIn_contra = TypeVar("TablesIn_contra", contravariant=True)
StateIn_contra = TypeVar("StateIn_contra", contravariant=True)


class Rules(Protocol[TablesIn_contra, StateT]):
    """Pure functions over the tables of a book and a state."""

    State: type[StateT]
    MOVES: int  # more than the longest list of legal moves
    OUTCOMES: int  # as many as a chance move can have
    ACTION_SPACE: int  # one more than the highest number of a player's move

    def start(self, tables: TablesIn_contra, state: StateT, players: int, variant: int, /) -> None:
        """Begin a game on any state, up to the first decision or move of chance."""

    def acting(self, tables: TablesIn_contra, state: StateT, /) -> int:
        """Mask of the seats that may act now."""

    def legal(self, tables: TablesIn_contra, state: StateT, seat: int, moves: list[int], /) -> int:
        """Write the legal moves of a seat that may act, in a fixed order; return how many."""

    def apply(self, tables: TablesIn_contra, state: StateT, seat: int, move: int, /) -> None:
        """Make a legal move, of a player or of chance (it is not checked), and go on to the next decision."""

    def chance_pending(self, tables: TablesIn_contra, state: StateT, /) -> int:
        """Which chance move is due: ``NO_CHANCE``, ``ROLL_DUE`` or another one."""

    def rollers(self, tables: TablesIn_contra, state: StateT, /) -> int:
        """Mask of the seats that may let the dice fall now."""

    def draw(self, tables: TablesIn_contra, state: StateT, rng: list[int], /) -> int:
        """A chance move, drawn with the right odds."""

    def chance_moves(
        self, tables: TablesIn_contra, state: StateT, moves: list[int], weights: list[int], /
    ) -> int:
        """Write all chance moves with their weights; return how many."""

    def is_chance_move(self, tables: TablesIn_contra, state: StateT, move: int, /) -> bool:
        """Is this a chance move that is due?"""

    def score(self, tables: TablesIn_contra, state: StateT, seat: int, /) -> int:
        """Points of a seat as things stand."""


class Notation(Protocol[BookIn_contra, StateIn_contra]):
    """Moves as short texts, both ways."""

    def move_text(self, book: BookIn_contra, state: StateIn_contra, seat: int, move: int, /) -> str:
        """The canonical text of a legal move."""

    def is_readable(self, text: str, /) -> bool:
        """Could this be a player's move, or the beginning of one?"""

    def parse_chance(self, book: BookIn_contra, state: StateIn_contra, text: str, /) -> int:
        """Read a move of chance; raises ``MoveError``."""


class Hashes(Protocol):
    """A key, and what it makes of addresses."""

    def face(self, address: str, /) -> int:
        """What the die at an address shows."""

    def rank(self, address: str, /) -> bytes:
        """Where something stands in an order that nobody chose."""

    def attempt(self, roll: str, /) -> int:
        """How often a roll has been made before; it counts from now on."""


class Addresses(Protocol[BookIn_contra, StateIn_contra]):
    """Where dice and cards are found, whatever was chosen before."""

    def chance(self, book: BookIn_contra, state: StateIn_contra, hashes: Hashes, /) -> int:
        """The chance move that is due."""


class Words(Protocol[BookIn_contra, StateIn_contra]):
    """What people read."""

    def move_words(
        self, book: BookIn_contra, state: StateIn_contra, seat: int, move: int, say: Say, /
    ) -> str:
        """A legal move as a sentence."""

    def spell(
        self, book: BookIn_contra, state: StateIn_contra, seat: int, move: int, say: Say, /
    ) -> list[Spelling]:
        """The ways to type a legal move in a language, the one that is shown first."""

    def spell_chance(self, book: BookIn_contra, text: str, say: Say, /) -> str:
        """What chance did, typed in a language, in the letters of the notation."""

    def prompt(self, book: BookIn_contra, state: StateIn_contra, seat: int, say: Say, /) -> str:
        """What is expected of a seat now."""

    def part_words(self, book: BookIn_contra, part: str, say: Say, /) -> str:
        """A part of the score by its name."""


class Explaining(Protocol[BookIn_contra, StateIn_contra]):
    """What the rules say to somebody who asks why."""

    def reasons(
        self, book: BookIn_contra, state: StateIn_contra, seat: int, say: Say, /
    ) -> list[str]:
        """Why a seat is not asked, or what it must and cannot do now."""

    def about(
        self, book: BookIn_contra, state: StateIn_contra, seat: int, thing: str, say: Say, /
    ) -> list[str] | None:
        """Why one thing, such as a die, a field or a card of his, cannot be used now; None: there is no such thing."""


class Views(Protocol[BookIn_contra, StateIn_contra]):
    """Typed dictionaries for a screen."""

    def layout(self, book: BookIn_contra, say: Say, /) -> Layout:
        """Everything printed, with its words in a language."""

    def view(
        self,
        book: BookIn_contra,
        state: StateIn_contra,
        seen: tuple[StateIn_contra, View] | None = None,
        /,
    ) -> View:
        """A position; what is as in a state that was ``seen`` may be taken from how that looked."""

    def totals(self, view: View, /) -> list[int]:
        """The points of all seats, as a view tells them."""

    def move_views(
        self,
        book: BookIn_contra,
        state: StateIn_contra,
        seat: int,
        moves: Sequence[int],
        say: Say,
        /,
    ) -> Sequence[MoveView]:
        """Legal moves and what they touch."""

    def preview(
        self, book: BookIn_contra, state: StateIn_contra, seat: int, move: int, /
    ) -> Preview:
        """What a legal move would do."""


class Scoring(Protocol[BookIn_contra, StateIn_contra]):
    """The final account."""

    def breakdown(self, book: BookIn_contra, state: StateIn_contra, seat: int, /) -> dict[str, int]:
        """The parts of a seat's score; they sum to it."""

    def part_of(self, book: BookIn_contra, state: StateIn_contra, seat: int, move: int, /) -> str:
        """The part of the score that a legal move works on; nothing for other moves."""

    def turns_to_come(self, book: BookIn_contra, state: StateIn_contra, seat: int, /) -> int:
        """In how many turns or rounds a player is still to play for himself, the one that is on included."""

    def places(self, book: BookIn_contra, state: StateIn_contra, /) -> list[int]:
        """Rank of each seat: 1 is first, equals share a place."""

    def tie_break(self, state: StateIn_contra, seat: int, /) -> tuple[int, ...]:
        """What decides between equal scores, the higher the better."""

    def levels(self, book: BookIn_contra, /) -> list[Level]:
        """How good a score alone is: the levels of the rulebook, the best first."""

    def tallies(self, state: StateIn_contra, seat: int, /) -> Mapping[str, int]:
        """What else is counted of a seat, by name."""


class Odds(Protocol[BookIn_contra, StateIn_contra]):
    """Exact chances."""

    def next_roll(
        self, book: BookIn_contra, state: StateIn_contra, seat: int, /
    ) -> NextRoll | None:
        """A seat's chances on the next roll; None while it rolls for nothing."""

    def next_roll_words(
        self, book: BookIn_contra, state: StateIn_contra, seat: int, say: Say, /
    ) -> list[str]:
        """The same in a few lines."""

    def condition_odds(self, text: str, /) -> RollOdds:
        """Odds of a condition; raises ``ConditionError``."""

    def any_odds(self, texts: Sequence[str], /) -> RollOdds:
        """Odds that a roll fulfils at least one of some conditions."""

    def say_condition(self, text: str, say: Say, /) -> str:
        """A condition in words."""


class Features(Protocol[BookIn_contra, StateIn_contra]):
    """What learning needs: the numbers that the kernel's ``observe`` writes, by name, and all moves of players."""

    MOST_POINTS: int  # no score lies further from 0

    def name_table(self, book: BookIn_contra, players: int, /) -> Iterable[Feature]:
        """What all see, the first of the features."""

    def name_features(self, book: BookIn_contra, players: int, /) -> list[Feature]:
        """What a seat sees, number by number."""

    def player_moves(self, book: BookIn_contra, players: int, /) -> list[int]:
        """Every move that one of so many players may make in some position, in ascending order."""

    def name_move(self, book: BookIn_contra, move: int, /) -> str:
        """A move as a text that no other move has, in whatever position it is made."""

    def dice_due(self, state: StateIn_contra, /) -> int:
        """How many dice are rolled next."""


class Drawing(Protocol[BookIn_contra, StateIn_contra]):
    """A position drawn with letters."""

    def draw_player(
        self,
        book: BookIn_contra,
        state: StateIn_contra,
        seat: int,
        moves: Sequence[int],
        say: Say,
        /,
    ) -> Canvas:
        """The sheet or tableau of a seat, with what its moves lead to lit up."""

    def draw_summaries(
        self, book: BookIn_contra, state: StateIn_contra, names: Mapping[int, str], say: Say, /
    ) -> Canvas:
        """Some seats in a line each, by name, with heads above the columns."""

    def draw_dice(self, book: BookIn_contra, state: StateIn_contra, say: Say, /) -> Canvas:
        """The dice on the table in a line."""

    def draw_points(
        self, book: BookIn_contra, state: StateIn_contra, seat: int, say: Say, /
    ) -> Canvas:
        """What scores how much, and how far a seat has come."""

    def group_moves(
        self,
        book: BookIn_contra,
        state: StateIn_contra,
        seat: int,
        moves: Sequence[int],
        say: Say,
        /,
    ) -> list[MoveGroup]:
        """Legal moves for a list, in their order."""


class Books(Protocol[BookOut_co]):
    """How data files become books."""

    def read(self, head: Head, source: bytes, /) -> BookOut_co:
        """Read a book; raises ``ValueError`` with a sentence for everything that is wrong."""

    def check(
        self, source: bytes, read_head: Callable[[DataFile], Head], say: Say, /
    ) -> tuple[DataFile, str]:
        """A data file with all that is wrong with it, its head too if it needs one; if nothing is, a sentence says what is in it."""


@dataclass(frozen=True)
class Family(Generic[BookT, TablesT, StateT]):
    """The modules of a family's package, each as its protocol says."""

    name: str
    book_word: str  # what its books are: a "sheet", for example
    headless: bool  # may a book's file have no head, as another book for a game of the shelf?
    books: Books[BookT]
    rules: Rules[TablesT, StateT]
    notation: Notation[BookT, StateT]
    addresses: Addresses[BookT, StateT]
    words: Words[BookT, StateT]
    explaining: Explaining[BookT, StateT]
    views: Views[BookT, StateT]
    scoring: Scoring[BookT, StateT]
    drawing: Drawing[BookT, StateT]
    odds: Odds[BookT, StateT] | None
    features: Features[BookT, StateT]
    options: tuple[Option, ...]


AnyFamily = Family[AnyBook, Record, AnyState]
"""A family seen from above: its functions take what its own rules and books made."""
