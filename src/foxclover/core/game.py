"""Games: find one by name or file, and start it.

>>> from foxclover.dice.sources import seeded
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
from collections.abc import Iterable
from functools import cache, cached_property
from math import prod
from pathlib import Path
from typing import Any

from foxclover.core.contract import AnyDefinition, AnyState, Bounds, Head, Layout
from foxclover.core.errors import expect_type
from foxclover.core.position import Position
from foxclover.core.position_text import game_of, read_state
from foxclover.core.ratings import RatedScore, rate
from foxclover.core.records import Record
from foxclover.core.registry import GameEntry, find_family, find_key, game_entries, read_head
from foxclover.core.rules import START_PLAYER_UNIT
from foxclover.core.setup import Setup
from foxclover.locale import Translator, catalogue


def game_names() -> list[str]:
    """Return the keys of all games of the registry."""
    return list(game_entries())


def game(name: str, file: str = "") -> Game:
    """Find a game by any unambiguous beginning of its name, or by the path of a data file.

    ``file`` is another sheet or deck for it.
    """
    expect_type(str, name, "game takes the name of a game or the path of a file")
    if name.endswith(".toml"):
        return open_file(name)
    return open_file(file, find_key(name)) if file else _take(find_key(name))


def read_position(text: str) -> Position:
    """Set up a position of any game from a text of ``Position.text``.

    Raises ``PositionError``, or ``UnknownGame`` for a game that the registry has not.
    """
    return game(game_of(text)).read_position(text)


def _take(key: str) -> Game:
    return _open(game_entries()[key])


@cache
def _open(entry: GameEntry) -> Game:
    return Game(entry.head, entry.file.read_bytes())


def open_file(file: str, key: str = "") -> Game:
    """Open a game from a custom file.

    With a key, the file is another sheet or deck for that game, and its header is ignored.
    """
    source = Path(file).read_bytes()
    head = game_entries()[key].head if key else read_head(source, Path(file).stem)
    return Game(head, source, file)


class Game:
    """A game: its family's functions and its definition.

    It never changes, so that copies are the game itself.
    """

    def __init__(self, head: Head, source: bytes, file: str = "") -> None:
        self.file = file  # a custom sheet or deck; empty for games of the package
        self.contract = find_family(head.family)
        self.definition: AnyDefinition = self.contract.definitions.read(head, source)
        self.head = self.definition.head  # its players fit the cards of the definition
        self.key = self.head.key  # on the command line and in transcripts
        self.name = self.head.title  # on the box
        self.family = self.head.family
        self.players = self.head.players  # possible numbers of players
        self.options = self.contract.options  # ways to vary it, which ``start`` takes by name
        self.rules = self.contract.rules
        self.notation = self.contract.notation
        self.words = self.contract.words
        self.scoring = self.contract.scoring
        self.views = self.contract.views
        self.drawing = self.contract.drawing
        self.odds = self.contract.odds
        self.buffers: list[list[int]] = []  # reused for legal moves
        self._starts: dict[tuple[int, Setup], AnyState] = {}  # a fifth of a game's time

    @cached_property
    def digest(self) -> str:
        """The hash that detects changes of a custom file; empty for games of the package."""
        return hashlib.sha256(self.definition.source).hexdigest()[:16] if self.file else ""

    def start(self, players: int = 1, *, start_player: int = 0, **options: bool) -> Position:
        """Set up the game, with options by name.

        ``start_player`` is a seat, or ``RANDOM``. Raises ``ValueError`` for options and numbers of
        players that the game does not have.
        """
        chosen = [name for name, is_chosen in options.items() if is_chosen]
        return self.start_with(players, self.setup(chosen, start_player))

    def start_with(self, players: int, setup: Setup) -> Position:
        """Set up the game as ``start`` does, with a setup of this game.

        Raises ``PositionError``, a ``ValueError``, if the setup has the text of no position.
        """
        self._check(players, setup)
        if setup.position:
            position = self.read_position(setup.position)
            if position.players != players:
                raise ValueError(f"the position has {position.players} players, not {players}")
            return position
        if (players, setup) not in self._starts:
            state = self.rules.State()
            self.rules.start(self.definition.tables, state, players, self.pack(setup))
            self._starts[players, setup] = state
        return Position(self, self._starts[players, setup].copy(players), setup)

    def setup(self, options: Iterable[str] = (), start_player: int = 0) -> Setup:
        """Return a setup of this game; raises ``ValueError`` for unknown options."""
        if isinstance(options, str):
            raise TypeError(f"options are a list of names, such as [{options!r}], not {options!r}")
        known = [option.name for option in self.options]
        chosen = dict.fromkeys(options)
        if unknown := [name for name in chosen if name not in known]:
            raise ValueError(
                f"{self.name} has no option {unknown[0]!r}; it has {', '.join(known) or 'none'}"
            )
        return Setup(tuple(name for name in known if name in chosen), start_player)

    def pack(self, setup: Setup) -> int:
        """Return the number that stored games and the kernel use for a setup."""
        bits = sum(option.bit for option in self.options if option.name in setup.options)
        return bits + START_PLAYER_UNIT * setup.start_player

    def unpack(self, number: int) -> Setup:
        """Return the setup of a stored number; raises ``ValueError`` for unknown options."""
        start_player, bits = divmod(number, START_PLAYER_UNIT)
        if bits & ~sum(option.bit for option in self.options):
            names = ", ".join(option.name for option in self.options) or "none"
            raise ValueError(f"{self.name} has no variant {number}; its options are {names}")
        chosen = tuple(option.name for option in self.options if option.bit & bits)
        return Setup(chosen, start_player)

    def _check(self, players: int, setup: Setup) -> None:
        if players not in self.players:
            least, most = self.players[0], self.players[-1]
            raise ValueError(f"{self.name} is for {least} to {most} players, not {players!r}")
        setup.check(players)

    def read_position(self, text: str) -> Position:
        """Set up the position of a text of ``Position.text``; raises ``PositionError``."""
        state, setup = read_state(self, text)
        return Position(self, state, setup)

    def load(self, text: str) -> Position:
        """Rebuild a position from the text of ``Position.dump``; raises ``ValueError``."""
        data = _read_dump(text, self)
        setup = self.unpack(data["variant"])
        before = None if data["known"] is None else self._state(data["known"], setup)
        return Position(self, self._state(data["state"], setup), setup, before)

    def _state(self, values: object, setup: Setup) -> AnyState:
        state = _load_state(self.rules.State, values, self.contract.bounds)
        self._check(state.players, setup)
        return state

    def layout(self, translate: Translator | None = None) -> Layout:
        """Return everything printed, for a screen, in English unless a catalogue is given."""
        return self.views.layout(self.definition, translate or catalogue("en"))

    def rating(self, points: int) -> RatedScore:
        """Rate a solo score."""
        return rate(self.scoring.ratings(self.definition), points)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Game)
            and (self.key, self.definition.source) == (other.key, other.definition.source)
        )

    def __hash__(self) -> int:
        return hash((self.key, self.definition.source))

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, _: object) -> Game:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return (
            (Game, (self.head, self.definition.source, self.file))
            if self.file
            else (_take, (self.key,))
        )

    def __repr__(self) -> str:
        return f"game({self.key!r}, {self.file!r})" if self.file else f"game({self.key!r})"


def _read_dump(text: str, game: Game) -> dict[str, Any]:
    """Read the entries of a dumped position of a game; raises ``ValueError``."""
    try:
        data = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"this is no position: {error}") from None
    if not isinstance(data, dict) or {"game", "variant", "state", "known"} - set(data):
        raise ValueError(
            "this is no position: game, variant, state or the state before the roll is missing"
        )
    if data["game"] != game.key:
        raise ValueError(f"this is a position of {data['game']}, not of {game.key}")
    if data.get("digest", "") != game.digest:
        kind = game.contract.kind
        raise ValueError(
            f"this is a position with another {kind}, or the {kind} has been changed since"
        )
    if type(data["variant"]) is not int:
        raise ValueError(f"this is no position: a variant is a number, not {data['variant']!r}")
    return data


def _load_state(kind: type[AnyState], values: object, bounds: Bounds) -> AnyState:
    """Rebuild a state from the numbers of ``Record.values``; raises ``ValueError``."""
    if not isinstance(values, list) or not all(type(value) is int for value in values):
        raise ValueError("this is no position: a state is a list of whole numbers")
    ranges = _ranges(kind, bounds)
    if len(values) != len(ranges):
        problem = (
            "numbers are missing" if len(values) < len(ranges) else "there are too many numbers"
        )
        raise ValueError(f"this is no position: {problem}")
    for value, (least, greatest) in zip(values, ranges, strict=True):
        if not least <= value <= greatest:
            raise ValueError(f"this is no position: no state can hold the number {value}")
    return kind.from_values(iter(values))


def _ranges(record: type[Record], bounds: Bounds) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for field, shape in record.shapes.items():
        once = _ranges(shape.record, bounds) if shape.record else [bounds[record][field]]
        found += once * prod(shape.lengths)
    return found
