"""Thinking computer players at a table: the net with numpy alone, and the search once the kernel is compiled."""

from __future__ import annotations

import math
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

from foxclover.ai import Ranked
from foxclover.ai.clever import nets
from foxclover.ai.clever.inputs import SCALARS, collect
from foxclover.ai.clever.levels import LEVELS
from foxclover.ai.clever.playing import choose_with_errors
from foxclover.ai.clever.policy import HERE, SCALE, WORST, is_dominated, may_stop
from foxclover.ai.clever.search import DECISIONS, ENDLESS, PRIOR, is_last_round
from foxclover.ai.halving import halve
from foxclover.ai.levels import Level, in_background
from foxclover.ai.parts import Net
from foxclover.ai.thinking import Thinker
from foxclover.clever.areas import total_points
from foxclover.clever.moves import DONE
from foxclover.clever.rules import apply
from foxclover.clever.state import State
from foxclover.game import Game, Move, Position
from foxclover.rng import next32

if TYPE_CHECKING:
    import numpy as np

ROLLOUTS = 8  # of a move between two looks at the clock


def make(name: str, game: Game, seed: int | None) -> NetAgent:
    """Return the computer player of a name."""
    level = LEVELS[name]
    return SearchAgent(game, level, seed) if level.seconds else NetAgent(game, level, seed)


class NetAgent(Thinker):
    """Rates every move by the net's view of the position after it."""

    def __init__(self, game: Game, level: Level, seed: int | None = None) -> None:
        super().__init__(game, level, seed)
        self.net = nets.shipped_net(game)
        self.judge = Judge(game, self.net)

    def rate(self, position: Position, seat: int) -> list[float]:
        """Expected final points of every legal move that no other one plainly beats."""
        return self.judge.rate(position.state, seat, position.legal_numbers(seat))

    def rate_all(self, position: Position, seat: int) -> list[float]:
        """Expected final points of every legal move."""
        return self.judge.rate(position.state, seat, position.legal_numbers(seat), every=True)

    def mistake(self, ratings: list[float]) -> int:
        """The index of the best rating after each was misjudged as the level says."""
        return choose_with_errors(ratings, len(ratings), self.level.heat, self.rng)


class Judge:
    """The net in CPython, with numpy alone. Its numbers are those of the kernel but for rounding, below 0.01 points."""

    def __init__(self, game: Game, net: Net) -> None:
        import numpy as np

        plan = nets.plan_of(game)
        self.sheet = game.book.tables
        self.net = net
        self.base = plan.base
        self.plan: Any = plan._replace(**{name: getattr(plan, name).tolist() for name in plan._fields[2:]})
        self.rows = np.concatenate([net.rows, np.zeros_like(net.rows[:1])])  # the last row adds nothing

    def rate(self, state: State, seat: int, moves: list[int], every: bool = False) -> list[float]:
        """Expected final points after each of the legal moves; those that others plainly beat count only if ``every`` one is wanted."""
        import numpy as np

        ratings = [WORST] * len(moves)
        asked: list[int] = []
        points: list[int] = []
        codes: list[list[int]] = []
        values: list[list[float]] = []
        for index, move in enumerate(moves):
            if not every and is_dominated(self.sheet, moves, len(moves), index):
                continue
            after = state.copy()
            apply(self.sheet, after, seat, move)
            while may_stop(after, seat):
                apply(self.sheet, after, seat, DONE)
            inputs, scalars = [0] * self.plan.slots, [0.0] * SCALARS
            if collect(self.sheet, self.plan, after, seat, inputs, scalars):
                asked.append(index)
                codes.append(inputs)
                values.append(scalars)
                points.append(sum(after.seats[seat].points))
            else:
                ratings[index] = float(total_points(after.seats[seat]))
        if asked:
            expected = self.look(np.array(codes), np.array(values, np.float32))
            for index, sure, rest in zip(asked, points, expected.tolist(), strict=True):
                ratings[index] = sure + rest
        return ratings

    def look(self, codes: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """What the net expects beyond the points of the areas."""
        import numpy as np

        net = self.net
        rows = np.where(codes > 0, self.base + codes, -1)
        first = np.maximum(self.rows[rows].sum(axis=1) + values @ net.scalars + net.first, 0)
        second = np.maximum(first @ net.weights + net.second, 0)
        result: np.ndarray[Any, Any] = SCALE * (second @ net.out + net.bias[0])
        return result


class SearchAgent(NetAgent):
    """Plays the best-looking moves on with the net. Until the kernel is compiled, in the background, it is a ``NetAgent``."""

    def __init__(self, game: Game, level: Level, seed: int | None = None) -> None:
        super().__init__(game, level, seed)
        self.books, self.mind, self.states = nets.workplace(game, self.net)
        warm_up(game)

    @property
    def ready(self) -> bool:
        """Is the kernel compiled?"""
        return warm_up(self.game).is_set()

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move."""
        moves = position.legal_moves(seat)
        if len(moves) == 1 or not self.ready:
            return super().choose(position, seat)
        number = self.mind.candidates[self.search(position, seat)[0]]
        return next(move for move in moves if move.number == number)

    def rank(self, position: Position, seat: int) -> list[Ranked]:
        """All legal moves, the best first: those tried out before those that the net alone has judged."""
        if not self.ready:
            return super().rank(position, seat)
        judged = super().rank(position, seat)
        mind = self.mind
        tried: dict[int, tuple[float, float]] = {}
        for place in self.search(position, seat):
            count = int(mind.counts[place])
            if count > 1:
                mean = float(mind.sums[place]) / count
                spread = math.sqrt(max(0.0, float(mind.squares[place]) / count - mean**2) / (count - 1))
                expected = (PRIOR * float(mind.promise[place]) + float(mind.sums[place])) / (PRIOR + count)
                error = spread * count / (PRIOR + count)
                tried[int(mind.candidates[place])] = expected, error
        first = {value.move.number: value for value in judged}
        best = [Ranked(first[number].move, *found) for number, found in tried.items()]
        return best + [value for value in judged if value.move.number not in tried]

    def search(self, position: Position, seat: int) -> list[int]:
        """Search for as long as the level allows; return the places of the tried moves in the mind, the best first."""
        from foxclover.fast import to_array

        functions = nets.functions()
        sheet, mind, states = self.books[0], self.mind, self.states
        states[HERE] = to_array(position.state)[0]
        to_win = self.level.to_win and is_last_round(self.game.book.tables, position.state)
        decisions = ENDLESS if to_win else DECISIONS
        seed = next32(self.rng)

        def try_move(place: int) -> None:
            functions.try_move(sheet, mind, states, seat, place, ROLLOUTS, seed, decisions)

        def worth(place: int) -> float:
            return float(functions.worth(mind, place, to_win))

        tried = functions.list_candidates(sheet, mind, states, seat)
        return halve(list(range(tried)), self.level.seconds, try_move, worth)


@cache
def warm_up(game: Game) -> threading.Event:
    """Compile the search in the background, or take it from the cache on disk; the event tells when it is ready."""

    def compile_search() -> None:
        from foxclover.fast import to_array

        books, mind, states = nets.workplace(game, nets.shipped_net(game))
        states[HERE] = to_array(game.start().state)[0]
        functions = nets.functions()
        functions.list_candidates(books[0], mind, states, 0)
        functions.try_move(books[0], mind, states, 0, 0, 0, 0, DECISIONS)
        functions.worth(mind, 0, False)

    return in_background(compile_search)
