"""Sources of rolls: a seed, a key, the operating system, typed input, a script, another game."""

from __future__ import annotations

import operator
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from hmac import digest
from typing import ClassVar

from foxclover.core.errors import MoveError, Picklable
from foxclover.core.move import Move
from foxclover.core.position import Dice, Position
from foxclover.core.rules import CHANCE, seed_rng

SEEDS = 2**53  # exclusive limit, below which JavaScript numbers hold integers exactly
STREAMS = 2**32  # games per seed
GOLDEN = 0x9E3779B9  # spreads small numbers over 32 bits
UNEVEN = 252  # bytes from here on would favour some faces
FACES = 6


class DrawError(Picklable, ValueError):
    """A draw that does not follow from its secret or key.

    ``draw`` counts draws from 1, ``move`` moves from 0; ``problem`` is one of ``problems``.
    """

    problems: ClassVar[dict[str, str]] = {"roll": "draw {draw} should have been {expected}"}

    def __init__(self, problem: str, draw: int = 0, move: int = -1, expected: str = "") -> None:
        super().__init__(self.problems[problem].format(draw=draw, expected=expected))
        self.problem, self.draw, self.move, self.expected = problem, draw, move, expected


class seeded:  # noqa: N801 - read as a phrase: dice = seeded(7)
    """Reproducible dice: the same seed gives the same game.

    ``stream`` is the number of a game within a batch with one seed.
    """

    def __init__(self, seed: int, stream: int = 0) -> None:
        self.seed = check_seed(seed)
        if not 0 <= stream < STREAMS:
            raise ValueError(
                f"the games of a seed have numbers from 0 to {STREAMS - 1}, not {stream}"
            )
        self.rng = [0, 0, 0, 0]
        seed_rng(self.rng, self.seed, stream)

    def draw(self, position: Position) -> Move:
        """Draw with the generator that all reproducible games share."""
        return position.draw(self.rng)


class system:  # noqa: N801
    """Dice with new, unpredictable randomness from the operating system for every move."""

    def draw(self, position: Position) -> Move:
        """Draw with a generator that is seeded for this move only."""
        return position.draw([secrets.randbits(32) for _ in range(4)])


class keyed:  # noqa: N801 - read as a phrase, like the other dice
    """Dice that are determined by a key.

    Replay a game from its start, since the dice count how often each roll was made.
    """

    def __init__(self, key: bytes) -> None:
        self.key = key
        self._rolled = Counter[str]()

    def draw(self, position: Position) -> Move:
        """Return the chance move that is due."""
        game = position.game
        return position.move(
            CHANCE, game.contract.dice_keys.chance(game.definition, position.state, self)
        )

    def face(self, address: str) -> int:
        """Return the face of the die at an address, from the first unbiased byte of its hashes."""
        block = 0
        while True:
            for byte in digest(self.key, f"{address}#{block}".encode(), "sha256"):
                if byte < UNEVEN:
                    return 1 + byte % FACES
            block += 1

    def rank(self, address: str) -> bytes:
        """Return the sort key of an address in a pseudorandom order, smallest first."""
        return digest(self.key, address.encode(), "sha256")

    def attempt(self, roll: str) -> int:
        """Return how often this roll was made before, and count it."""
        self._rolled[roll] += 1
        return self._rolled[roll] - 1


class typed:  # noqa: N801
    """Real dice: you roll, then enter the results.

    ``ask`` is called until its answer is valid, ``tell`` with the error of each invalid answer.
    """

    def __init__(
        self, ask: Callable[[Position], str], tell: Callable[[MoveError], None] | None = None
    ) -> None:
        self.ask = ask
        self.tell = tell

    def draw(self, position: Position) -> Move:
        """Ask for the roll; raises ``IllegalMove`` if none is due."""
        while True:
            try:
                return position.parse(self.ask(position), CHANCE)
            except MoveError as error:
                if not position.chance_due:
                    raise
                if self.tell:
                    self.tell(error)


class scripted:  # noqa: N801
    """A list of rolls, for tests and worked examples."""

    def __init__(self, texts: Iterable[str]) -> None:
        if isinstance(texts, str):
            raise TypeError(f"scripted takes a list of rolls, such as [{texts!r}], not {texts!r}")
        self.texts: Iterator[str] = iter(texts)

    def draw(self, position: Position) -> Move:
        """Return the next roll of the script; raises ``ValueError`` after the last one."""
        text = next(self.texts, None)
        if text is None:
            raise ValueError("the script has no more rolls")
        return position.parse(text, CHANCE)


class recorded:  # noqa: N801
    """The rolls of another game, each at the same position within the same round.

    A roll that is missing or not legal is drawn from ``otherwise``.
    """

    def __init__(self, script: str, otherwise: Dice) -> None:
        self.texts = dict(line.split(" ", 1) for line in script.splitlines())
        self.otherwise = otherwise
        self.round = self.drawn = 0  # the current round, and the draws in it so far

    def draw(self, position: Position) -> Move:
        """Return the recorded roll of this round and position if it is legal, else another one."""
        if position.state.round != self.round:
            self.round, self.drawn = position.state.round, 0
        self.drawn += 1
        text = self.texts.get(f"{self.round}.{self.drawn}")
        if text is not None:
            try:
                return position.parse(text, CHANCE)
            except MoveError:
                pass
        return self.otherwise.draw(position)


def record(position: Position) -> str:
    """Return the rolls of a game as lines, each with its round and its position in the round."""
    lines, shown, drawn = [], 0, 0
    for before, move in position.history():
        if move.seat == CHANCE:
            shown, drawn = before.round, (drawn if before.round == shown else 0) + 1
            lines.append(f"{shown}.{drawn} {move.text}")
    return "\n".join(lines)


def rolled_again(whole: Position, so_far: Position) -> recorded:
    """Return the rolls of a whole game, advanced to the end of an unfinished one.

    Rolls that are not legal there are replaced by random ones.
    """
    dice = recorded(record(whole), seeded(fresh_seed()))
    list(draw_again(dice, so_far))
    return dice


def draw_again(dice: Dice, position: Position, first: int = 0) -> Iterator[tuple[int, Move, Move]]:
    """Draw every chance move of a game again, from the move with index ``first`` on.

    Yield the index of each, the move drawn and the move made.
    """
    replay = position.game.start_with(position.players, position.setup)
    for index, move in enumerate(position.moves_made):
        if move.seat == CHANCE and index >= first:
            yield index, dice.draw(replay), move
        replay.push_unchecked(move)


def check_seed(seed: int) -> int:
    """Return a seed as an ``int``; raises ``ValueError`` if it is out of range."""
    try:
        number = operator.index(seed)
    except TypeError:
        raise TypeError(f"a seed is a whole number from 0 to {SEEDS - 1}, not {seed!r}") from None
    if not 0 <= number < SEEDS:
        raise ValueError(f"a seed is a whole number from 0 to {SEEDS - 1}, not {number}")
    return number


def game_seed(seed: int, number: int) -> int:
    """Return the seed with which agents are reset before a game.

    Its 64 bits differ between games and between seeds.
    """
    return ((seed % STREAMS) << 32) + (number ^ (seed >> 32) * GOLDEN % STREAMS)


def fresh_seed() -> int:
    """Return a random seed."""
    return secrets.randbits(32)
