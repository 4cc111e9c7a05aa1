"""Positions as short texts that people can read and edit.

A text is the name of a game and words ``name:value``, first those of the table, then behind each
``/`` those of a player. ``docs/notation.md`` explains it. Blanks, line breaks and ``_`` separate
words, so that a text fits into a link.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from foxclover.core.contract import AnyState
from foxclover.core.errors import Picklable, expect_type, quote
from foxclover.core.rules import MAX_MOVES, RANDOM, START_PLAYER_DUE
from foxclover.core.setup import DEFAULT_SETUP, Setup
from foxclover.locale import FALLBACK, LazyMessage, Translator, catalogue, lazy_message

if TYPE_CHECKING:
    from foxclover.core.game import Game

SECTION = "/"
LONGEST = 20_000  # characters of a text
EXAMPLE = "ganz-schoen-clever"
OPTIONS, FIRST, DIGEST = "options", "first", "digest"  # words of every game


_BEGINNING = re.compile(r"[\s_]*[a-z0-9-]+[\s_]+[a-z0-9]+:\S", re.IGNORECASE)


class PositionError(Picklable, ValueError):
    """A text that is no position: where it is wrong, and why."""

    def __init__(self, problem: LazyMessage, seat: int | None = None, word: str = "") -> None:
        self.problem = problem
        self.seat = seat  # None: at the table
        self.word = word  # "": the whole section
        super().__init__(self.words(catalogue(FALLBACK)))

    def words(self, translate: Translator) -> str:
        """Describe the error in a sentence."""
        problem = self.problem.words(translate)
        where = (
            translate("position.table")
            if self.seat is None
            else translate("position.player", seat=self.seat + 1)
        )
        if self.word:
            return translate("position.in_word", where=where, word=self.word, problem=problem)
        return translate("position.in_section", where=where, problem=problem)


class Section:
    """The words of a section: each is read once, and what is left over is refused."""

    def __init__(self, text: str, seat: int | None = None) -> None:
        self.seat = seat
        self.values: dict[str, str] = {}
        self._known: list[str] = []
        for word in text.split():
            name, colon, value = word.partition(":")
            if not (name and colon and value):
                raise self.error("", lazy_message("position.word", text=quote(word)))
            if name in self.values:
                raise self.error(name, lazy_message("position.twice"))
            self.values[name] = value

    def error(self, name: str, problem: LazyMessage) -> PositionError:
        """Return the error of a word, or of the whole section."""
        return PositionError(problem, self.seat, name)

    def take(self, name: str, default: str = "") -> str:
        """Return the value of a word."""
        self._known.append(name)
        return self.values.pop(name, default)

    def items(self, name: str) -> list[str]:
        """Return the values of a word with several."""
        value = self.take(name)
        return value.split(",") if value else []

    def number(self, name: str, least: int, most: int, default: int) -> int:
        """Return the number of a word."""
        return self.as_number(name, self.take(name, str(default)), least, most)

    def as_number(self, name: str, text: str, least: int, most: int) -> int:
        """Read a number in a word."""
        if not re.fullmatch(r"-?[0-9]{1,6}", text) or not least <= int(text) <= most:
            problem = lazy_message("position.number", least=least, most=most, text=quote(text))
            raise self.error(name, problem)
        return int(text)

    def choice(self, name: str, options: Mapping[str, int], default: str = "") -> int:
        """Return what the value of a word means."""
        return self.as_choice(name, self.take(name, default), options)

    def as_choice(self, name: str, text: str, options: Mapping[str, int]) -> int:
        """Read one of several words."""
        if text not in options:
            names = ", ".join(filter(None, options))
            raise self.error(name, lazy_message("position.choice", names=names, text=quote(text)))
        return options[text]

    def finish(self) -> None:
        """Refuse words that nobody has read."""
        for name in self.values:
            names = ", ".join(self._known)
            raise self.error("", lazy_message("position.unknown", name=quote(name), names=names))


def write_position(game: Game, state: AnyState, setup: Setup) -> str:
    """Return a position as text."""
    table, *players = game.contract.position_text.write(game.definition, state)
    if setup.options:
        table.append(f"{OPTIONS}:{','.join(setup.options).replace('_', '-')}")
    if state.first:
        table.append(f"{FIRST}:{state.first + 1}")
    if game.digest:
        table.append(f"{DIGEST}:{game.digest}")
    return " ".join([game.key, *table, *(" ".join((SECTION, *words)) for words in players)])


def is_position(text: str) -> bool:
    """Return whether a text begins as a position does: with the name of a game, and a word."""
    return _BEGINNING.match(text) is not None


def game_of(text: str) -> str:
    """Return the name of the game that a text begins with; raises ``PositionError``."""
    expect_type(str, text, "a position is read from a text")
    found = re.match(r"[\s_]*([a-z0-9-]+)(?=[\s_]|$)", text.lower())
    if found is None or len(text) > LONGEST:
        raise PositionError(lazy_message("position.start", example=EXAMPLE))
    return found[1]


def read_state(game: Game, text: str) -> tuple[AnyState, Setup]:
    """Read a position of a game; raises ``PositionError``."""
    key = game_of(text)
    if not game.key.startswith(key):
        raise PositionError(lazy_message("position.game", text=quote(key), game=game.key))
    table_text, *player_texts = re.sub(r"[\s_]+", " ", text.lower()).split(SECTION)
    table = Section(table_text.strip().partition(" ")[2])
    players = [Section(part, seat) for seat, part in enumerate(player_texts)]
    if len(players) not in game.players:
        raise table.error(
            "",
            lazy_message(
                "position.players",
                game=game.name,
                least=game.players[0],
                most=game.players[-1],
                count=len(players),
            ),
        )
    setup = _read_setup(game, table, len(players))
    state = game.contract.position_text.read(game.definition, table, players, setup)
    for words in (table, *players):
        words.finish()
    _check_moves(game, state, table, players)
    if game.rules.chance_pending(game.definition.tables, state) == START_PLAYER_DUE:
        setup = setup._replace(start_player=RANDOM)
    return state, setup._replace(position=write_position(game, state, setup))


def _read_setup(game: Game, table: Section, players: int) -> Setup:
    if table.take(DIGEST) != game.digest:
        raise table.error(DIGEST, lazy_message("position.digest", kind=game.contract.kind))
    known = {option.name.replace("_", "-"): option.name for option in game.options}
    chosen = table.items(OPTIONS)
    for name in chosen:
        if name not in known:
            names = ", ".join(known) or "-"
            problem = lazy_message("position.choice", names=names, text=quote(name))
            raise table.error(OPTIONS, problem)
    options = game.setup(known[name] for name in chosen).options if chosen else ()
    return DEFAULT_SETUP._replace(
        options=options, start_player=table.number(FIRST, 1, players, 1) - 1
    )


def _check_moves(game: Game, state: AnyState, table: Section, players: Sequence[Section]) -> None:
    """Refuse positions in which no seat can act, though the game is not over."""
    tables, rules = game.definition.tables, game.rules
    acting = rules.acting(tables, state)
    for seat, words in enumerate(players):
        moves = [0] * MAX_MOVES
        if acting >> seat & 1 and not rules.legal(tables, state, seat, moves):
            raise words.error("stage", lazy_message("position.no_move"))
    if acting or rules.chance_pending(tables, state):
        return
    if not game.views.view(game.definition, state)["over"]:
        raise table.error("", lazy_message("position.nobody"))


def join(name: str, values: Collection[object]) -> list[str]:
    """Return a word with several values, or nothing if there are none."""
    return [f"{name}:{','.join(map(str, values))}"] if values else []


def word(name: str, value: object, default: object = 0) -> list[str]:
    """Return a word, or nothing for the default."""
    return [] if value == default else [f"{name}:{value}"]
