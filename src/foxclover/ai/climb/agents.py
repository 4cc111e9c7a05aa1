"""Thinking computer players at a table: the nets with numpy alone, and the search once the kernel is compiled."""

from __future__ import annotations

import math
import threading
import time
from functools import cache

from foxclover.ai import Ranked
from foxclover.ai.climb import nets
from foxclover.ai.climb.batch import SAMPLES
from foxclover.ai.climb.leaves import COUNT, CUT, LUCK_NOW
from foxclover.ai.climb.levels import LEVELS
from foxclover.ai.climb.parts import Solver, make_plain_mind
from foxclover.ai.climb.playing import HERE, KNOWN, RIVAL, STATES_TO_WORK_ON
from foxclover.ai.climb.rolling import luck_spent, rolls_answered
from foxclover.ai.halving import halve
from foxclover.ai.levels import Level, in_background
from foxclover.ai.thinking import Thinker
from foxclover.climb.state import ROLL_DUE, TO_DECIDE, TO_LEAVE, Deck, State
from foxclover.game import Game, Move, Position
from foxclover.playouts import CHOICE_STREAM
from foxclover.rng import next32, seed_rng


def make(name: str, game: Game, seed: int | None) -> NetAgent:
    """Return the computer player of a name."""
    level = LEVELS[name]
    return SearchAgent(game, level, seed) if level.seconds else NetAgent(game, level, seed)


class NetAgent(Thinker):
    """Rates every move by the nets; what can be rolled is weighed exactly."""

    def __init__(self, game: Game, level: Level, seed: int | None = None) -> None:
        super().__init__(game, level, seed)
        self.nets = nets.shipped_nets(game.key)
        self.functions = nets.plain_functions()
        self.mind = make_plain_mind(self.nets, SAMPLES)
        self.states = [State() for _ in range(STATES_TO_WORK_ON)]
        self.solved: tuple[int, ...] = ()

    def mistake(self, ratings: list[float]) -> int:
        """The index of the best rating after each was misjudged as the level says."""
        return int(self.functions.waver(self.rng, ratings, len(ratings), self.level.heat))

    def rate(self, position: Position, seat: int) -> list[float]:
        """Expected final points of every legal move; the same position always gives the same."""
        deck, state, mind = position.game.book.tables, position.state, self.mind
        numbers = position.legal_numbers(seat)
        mind.moves[: len(numbers)] = numbers
        seed_rng(mind.choice_rng, CHOICE_STREAM, 0)
        self.states[HERE] = state
        layout = _layout(state, seat)
        known = layout == self.solved and _covers(deck, state, seat, mind.solvers[seat])
        self.functions.rate_here(deck, mind, self.states, seat, len(numbers), int(known))
        self.solved = layout if state.seats[seat].stage in (TO_DECIDE, TO_LEAVE) else ()
        return [float(rating) for rating in mind.ratings[: len(numbers)]]


def _layout(state: State, seat: int) -> tuple[int, ...]:
    """What a round's solution depends on, besides markers and luck."""
    mine = state.seats[seat]
    scored = [cards for row in mine.scored for cards in row]
    return (state.players, state.solo, state.round, seat, *mine.active, *scored, *state.tripled, *state.fourfold, state.shuffled[0])


def _covers(deck: Deck, state: State, seat: int, solver: Solver) -> bool:
    """Does the solver know the place where the player stands, reached by the same number of rolls?"""
    mine = state.seats[seat]
    facts = solver.facts
    if facts[COUNT] == 0 or not 0 <= solver.found[mine.marked] < facts[CUT]:
        return False
    marked = mine.marked.bit_count()
    rolled = rolls_answered(deck, solver, marked, mine.luck)
    return rolled == state.roll - (mine.stage == TO_DECIDE) and mine.luck <= facts[LUCK_NOW] - luck_spent(deck, solver, marked)


class SearchAgent(NetAgent):
    """Carries the best-looking moves on. Until the kernel is compiled, in the background, it is a ``NetAgent``."""

    def __init__(self, game: Game, level: Level, seed: int | None = None) -> None:
        super().__init__(game, level, seed)
        self.books, self.compiled_mind, self.compiled_states = nets.workplace(game, self.nets, SAMPLES)
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
        return moves[self.search(position, seat)]

    def rank(self, position: Position, seat: int) -> list[Ranked]:
        """All legal moves, the best first: those tried out before those that the nets alone have judged."""
        if not self.ready:
            return super().rank(position, seat)
        moves = position.legal_moves(seat)
        best = self.search(position, seat)
        mind = self.compiled_mind
        ranked = []
        for index, move in enumerate(moves):
            count = int(mind["counts"][index])
            expected, error = float(mind["ratings"][index]), 0.0
            if count > 1:
                expected = float(mind["sums"][index]) / count
                error = math.sqrt(max(0.0, float(mind["squares"][index]) / count - expected**2) / (count - 1))
            ranked.append((index == best, count, Ranked(move, expected, error)))
        return [entry for _, _, entry in sorted(ranked, key=lambda value: (-value[0], -value[1], -value[2].expected))]

    def search(self, position: Position, seat: int) -> int:
        """Search for as long as the level allows; return the index of the best move. What was found out stays in the mind."""
        from foxclover.fast import to_array

        started = time.perf_counter()
        functions, level = nets.functions(), self.level
        deck, mind, states = self.books[0], self.compiled_mind, self.compiled_states
        states[HERE] = to_array(position.state)[0]
        seed_rng(mind["choice_rng"], CHOICE_STREAM, 0)
        count = functions.legal(deck, states[HERE], seat, mind["moves"])
        functions.rate_here(deck, mind, states, seat, count, 0)
        mind["counts"] = 0
        seed = next32(self.rng)
        rolling = position.state.seats[seat].stage in (TO_DECIDE, TO_LEAVE)
        known = _when_dice_fell(position) if rolling and level.to_win and functions.wants_win(deck, states[HERE]) else None
        if known is not None:
            states[KNOWN] = to_array(known)[0]
            return int(functions.choose_to_win(deck, mind, states[HERE], states[KNOWN], seat, count, mind["solvers"][RIVAL], seed))

        def try_move(index: int) -> None:
            functions.try_move(deck, mind, states, seat, index, 1, seed)

        def worth(index: int) -> float:
            return float(mind["sums"][index] / mind["counts"][index])

        best = int(functions.search(deck, mind, states, seat, count, 1, seed))
        candidates = mind["counts"].nonzero()[0].tolist()  # where there is a choice, each was tried at least once
        left = level.seconds - (time.perf_counter() - started)
        return halve(candidates, left, try_move, worth)[0] if candidates else best


def _when_dice_fell(position: Position) -> State | None:
    """The table before the last roll, as far as the history tells: nobody looks at decisions of the same roll."""
    twin = position.copy()
    while twin.moves:
        twin.pop()
        if twin.state.chance == ROLL_DUE:
            before: State = twin.state
            return before
    return None


@cache
def warm_up(game: Game) -> threading.Event:
    """Compile the search in the background, or take it from the cache on disk; the event tells when it is ready."""

    def compile_search() -> None:
        from foxclover.fast import to_array

        functions = nets.functions()
        books, mind, states = nets.workplace(game, nets.shipped_nets(game.key), SAMPLES)
        states[HERE] = to_array(game.start(2).state)[0]
        count = functions.legal(books[0], states[HERE], 0, mind["moves"])
        functions.rate_here(books[0], mind, states, 0, count, 0)
        functions.search(books[0], mind, states, 0, count, 1, 0)
        functions.try_move(books[0], mind, states, 0, 0, 0, 0)
        functions.wants_win(books[0], states[HERE])
        functions.choose_to_win(books[0], mind, states[HERE], states[HERE], 0, count, mind["solvers"][RIVAL], 0)

    return in_background(compile_search)
