"""What a family of games must provide, as typed protocols.

All other packages use a family through these protocols alone. A family's package has a module
``family`` with its ``FAMILY``, and mypy compares its modules with the protocols. A game is a family
and a definition. The header of its data file (``Head``) names the game and its family.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypedDict, TypeVar

from foxclover.core.data_file import DataFile
from foxclover.core.display import Swatch, TextGrid
from foxclover.core.ratings import Rating
from foxclover.core.records import Record
from foxclover.core.rules import Rules, StateT
from foxclover.core.setup import Option, Setup
from foxclover.core.svg import Svg
from foxclover.locale import LazyMessage, Translator

if TYPE_CHECKING:
    from foxclover.core.position_text import Section


class Head(NamedTuple):
    """The header of a data file."""

    key: str  # on the command line and in transcripts
    family: str
    title: str  # on the box
    designer: str
    year: int
    publisher: str
    players: range


class AnyDefinition(Protocol):
    """A game as read from its file: tables for the rules, names for people."""

    @property
    def head(self) -> Head:
        """The header."""

    @property
    def tables(self) -> Record:
        """The integers that the rules need."""

    @property
    def source(self) -> bytes:
        """The contents of its file."""


class AnyState(Record):
    """The fields that the states of all families share."""

    players: int
    round: int
    first: int  # the seat that begins
    if TYPE_CHECKING:
        phase: int  # of a round or a turn
        seats: list[Record]  # as many as can play; each family's have fields of their own


class CardOdds(NamedTuple):
    """The chance that the next roll fulfils a card."""

    card: str  # what it is called in the notation
    probability: float


class RollOdds(NamedTuple):
    """How many of all rolls fulfil a condition, written in the notation."""

    text: str
    hits: int
    of: int

    @property
    def probability(self) -> float:
        """The share of all rolls."""
        return self.hits / self.of


class NextRoll(NamedTuple):
    """A player's chances on the next roll."""

    cards: tuple[CardOdds, ...]
    failing: float


class Feature(NamedTuple):
    """A number that a seat observes: its name and bounds."""

    name: str
    least: int
    most: int


Spelling = tuple[tuple[str, ...], ...]
"""A way to type a move: alternative words for each place. The first alternatives are shown."""


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
    """Everything printed; a family adds entries."""

    kind: str  # the family
    game: str
    paints: list[Swatch]  # every colour once, those of the dice first
    words: dict[str, str]  # what its colours, bonuses and parts of the score are called, by name
    levels: list[Rating]  # how good a score alone is, the best first


class View(TypedDict):
    """A position for a screen; a family adds entries."""

    kind: str  # the family
    round: int
    rounds: int
    roll: int  # rolls of this turn or round so far
    chance: str  # what chance is to do: "roll" the dice, something else, or "" for nothing
    acting: list[int]  # seats that may act now
    over: bool
    places: list[int]  # rank of each seat; [] while the game is on


class MoveView(TypedDict):
    """A legal move for a screen; a family adds entries."""

    family: str  # whose entries it has
    id: int
    text: str
    words: str


class Preview(TypedDict):
    """What a legal move would do, for a screen; a family adds entries."""

    family: str  # whose entries it has
    id: int
    points: int  # gained at once


Bounds = Mapping[type[Record], Mapping[str, tuple[int, int]]]
"""The least and the greatest number of each numeric field of records."""

DefinitionT = TypeVar("DefinitionT")
TablesT = TypeVar("TablesT")
D_contra = TypeVar("D_contra", contravariant=True)
D_co = TypeVar("D_co", covariant=True)
S_contra = TypeVar("S_contra", contravariant=True)


class Notation(Protocol[D_contra, S_contra]):
    """Moves as short texts, both ways."""

    def move_text(self, definition: D_contra, state: S_contra, seat: int, move: int, /) -> str:
        """Return the canonical text of a legal move."""

    def is_readable(self, text: str, /) -> bool:
        """Check whether a text could be, or begin, a player's move."""

    def parse_chance(self, definition: D_contra, state: S_contra, text: str, /) -> int:
        """Read a chance move, possible here or not; raises ``UnreadableMove``."""

    def expected_chance(self, definition: D_contra, state: S_contra, /) -> LazyMessage:
        """Describe the outcomes of the chance move due."""


class PositionText(Protocol[D_contra, StateT]):
    """Positions as short texts, both ways."""

    def write(self, definition: D_contra, state: StateT, /) -> list[list[str]]:
        """Return the words of the table, then those of each player."""

    def read(
        self, definition: D_contra, table: Section, players: Sequence[Section], setup: Setup, /
    ) -> StateT:
        """Build a state from its words; raises ``PositionError``."""


class KeyedRandom(Protocol):
    """Random values by key and address."""

    def face(self, address: str, /) -> int:
        """Return the face of the die at an address."""

    def rank(self, address: str, /) -> bytes:
        """Return the sort key of an address in a random order."""

    def attempt(self, roll: str, /) -> int:
        """Count a roll, and return how often it was made before."""


class DiceKeys(Protocol[D_contra, S_contra]):
    """Addresses of dice and cards that do not depend on earlier choices."""

    def chance(self, definition: D_contra, state: S_contra, keyed_random: KeyedRandom, /) -> int:
        """Return the chance move that is due."""


class Words(Protocol[D_contra, S_contra]):
    """Texts for people."""

    EXAMPLE: str  # key of the text that shows a move to type

    def move_words(
        self, definition: D_contra, state: S_contra, seat: int, move: int, translate: Translator, /
    ) -> str:
        """Describe a legal move in a sentence."""

    def spell(
        self, definition: D_contra, state: S_contra, seat: int, move: int, translate: Translator, /
    ) -> list[Spelling]:
        """Return the ways to type a legal move, the one to show first."""

    def spell_chance(self, definition: D_contra, text: str, translate: Translator, /) -> str:
        """Translate a chance move typed in a language to the notation."""

    def prompt(
        self, definition: D_contra, state: S_contra, seat: int, translate: Translator, /
    ) -> str:
        """Describe what is expected of a seat now."""

    def part_words(self, definition: D_contra, part: str, translate: Translator, /) -> str:
        """Name a part of the score."""


class Reasons(Protocol[D_contra, S_contra]):
    """Explanations by the rules."""

    def reasons(
        self, definition: D_contra, state: S_contra, seat: int, translate: Translator, /
    ) -> list[str]:
        """Explain why a seat has no decision, or what it must and cannot do."""

    def about(
        self, definition: D_contra, state: S_contra, seat: int, thing: str, translate: Translator, /
    ) -> list[str] | None:
        """Explain why a seat cannot use a die, field or card now; None if there is none."""


class Views(Protocol[D_contra, S_contra]):
    """Typed dictionaries for a screen."""

    def layout(self, definition: D_contra, translate: Translator, /) -> Layout:
        """Return everything printed, in a language."""

    def view(
        self, definition: D_contra, state: S_contra, seen: tuple[S_contra, View] | None = None, /
    ) -> View:
        """Return a position; parts equal to a ``seen`` state may be shared with its view."""

    def totals(self, view: View, /) -> list[int]:
        """Return the points of all seats in a view."""

    def move_views(
        self,
        definition: D_contra,
        state: S_contra,
        seat: int,
        moves: Sequence[int],
        translate: Translator,
        /,
    ) -> Sequence[MoveView]:
        """Return legal moves with their targets."""

    def preview(self, definition: D_contra, state: S_contra, seat: int, move: int, /) -> Preview:
        """Return what a legal move would do."""


class Scoring(Protocol[D_contra, S_contra]):
    """Scores and their parts."""

    TALLIES: tuple[str, ...]  # what else the kernel counts of a seat, by name
    TIE_BREAK: str  # key of the text that says what decides between equal scores

    def breakdown(self, definition: D_contra, state: S_contra, seat: int, /) -> dict[str, int]:
        """Return the parts of a seat's score; they sum to it."""

    def part_of(self, definition: D_contra, state: S_contra, seat: int, move: int, /) -> str:
        """Return the part of the score that a legal move affects, or an empty text."""

    def turns_to_come(self, definition: D_contra, state: S_contra, seat: int, /) -> int:
        """Return the number of own turns or rounds left, with the current one."""

    def places(self, definition: D_contra, state: S_contra, /) -> list[int]:
        """Return the rank of each seat: 1 is first, equals share a place."""

    def tie_break(self, state: S_contra, seat: int, /) -> tuple[int, ...]:
        """Return what decides between equal scores, higher is better."""

    def ratings(self, definition: D_contra, /) -> list[Rating]:
        """Return the ratings of the rulebook for solo scores, best first."""


class Odds(Protocol[D_contra, S_contra]):
    """Exact probabilities."""

    def next_roll(self, definition: D_contra, state: S_contra, seat: int, /) -> NextRoll | None:
        """Return a seat's chances on the next roll; None if it needs nothing."""

    def next_roll_words(
        self, definition: D_contra, state: S_contra, seat: int, translate: Translator, /
    ) -> list[str]:
        """Describe them in a few lines."""

    def condition_odds(self, text: str, /) -> RollOdds:
        """Return the odds of a condition; raises ``ConditionError``."""

    def any_odds(self, texts: Sequence[str], /) -> RollOdds:
        """Return the odds that a roll fulfils at least one of some conditions."""

    def say_condition(self, text: str, translate: Translator, /) -> str:
        """Describe a condition."""


class Features(Protocol[D_contra, S_contra]):
    """Names of the numbers that the kernel's ``observe`` writes, and all moves of players."""

    def point_bounds(self, definition: D_contra, players: int, /) -> tuple[int, int]:
        """Return bounds of the score of a player, as close as the rules show them."""

    def name_table(self, definition: D_contra, players: int, /) -> Iterable[Feature]:
        """Name what all seats observe, the first of the features."""

    def name_features(self, definition: D_contra, players: int, /) -> list[Feature]:
        """Name what a seat observes, number by number."""

    def player_moves(self, definition: D_contra, players: int, /) -> list[int]:
        """Return every move that a player may ever make, in ascending order."""

    def name_move(self, definition: D_contra, move: int, /) -> str:
        """Return a text for a move that is unique in all positions."""

    def dice_due(self, state: S_contra, /) -> int:
        """Return how many dice are rolled next."""


class Drawing(Protocol[D_contra, S_contra]):
    """Positions drawn with letters."""

    LEGEND: str  # key of the text that explains its signs

    def draw_player(
        self,
        definition: D_contra,
        state: S_contra,
        seat: int,
        moves: Sequence[int],
        translate: Translator,
        /,
    ) -> TextGrid:
        """Draw the sheet or tableau of a seat, with the targets of moves highlighted."""

    def draw_summaries(
        self,
        definition: D_contra,
        state: S_contra,
        names: Mapping[int, str],
        translate: Translator,
        /,
    ) -> TextGrid:
        """Draw a line for each named seat, under column headings."""

    def draw_dice(
        self, definition: D_contra, state: S_contra, translate: Translator, /
    ) -> TextGrid:
        """Draw the dice in a line."""

    def draw_points(
        self, definition: D_contra, state: S_contra, seat: int, translate: Translator, /
    ) -> TextGrid:
        """Draw the scoring table with the progress of a seat."""

    def group_moves(
        self,
        definition: D_contra,
        state: S_contra,
        seat: int,
        moves: Sequence[int],
        translate: Translator,
        /,
    ) -> list[MoveGroup]:
        """Group legal moves for a list, in their order."""


class Pictures(Protocol[D_contra, S_contra]):
    """Drawing as SVG."""

    def draw(
        self, definition: D_contra, state: S_contra, seat: int, translate: Translator, /
    ) -> Svg:
        """Draw the dice and the sheet or tableau of a seat below the line of the title."""


class Definitions(Protocol[D_co]):
    """Reading of data files."""

    def read(self, head: Head, source: bytes, /) -> D_co:
        """Read a definition; raises ``DataError`` with everything wrong."""

    def check(
        self, source: bytes, read_head: Callable[[DataFile], Head], translate: Translator, /
    ) -> tuple[DataFile, str]:
        """Check a data file and its header; return it with a summary if nothing is wrong."""


@dataclass(frozen=True)
class Family(Generic[DefinitionT, TablesT, StateT]):
    """The modules of a family's package, each with its protocol."""

    name: str
    kind: str  # of its definitions: a "sheet", for example
    needs_header: bool  # False: a file without one is another definition for a known game
    definitions: Definitions[DefinitionT]
    rules: Rules[TablesT, StateT]
    bounds: Bounds  # of untrusted states
    notation: Notation[DefinitionT, StateT]
    position_text: PositionText[DefinitionT, StateT]
    dice_keys: DiceKeys[DefinitionT, StateT]
    words: Words[DefinitionT, StateT]
    reasons: Reasons[DefinitionT, StateT]
    views: Views[DefinitionT, StateT]
    scoring: Scoring[DefinitionT, StateT]
    drawing: Drawing[DefinitionT, StateT]
    pictures: Pictures[DefinitionT, StateT]
    odds: Odds[DefinitionT, StateT] | None
    features: Features[DefinitionT, StateT]
    options: tuple[Option, ...]
    page_texts: tuple[str, ...]  # keys of those of its texts that the page shows itself


AnyFamily = Family[AnyDefinition, Record, AnyState]
"""A family as other packages see it."""
