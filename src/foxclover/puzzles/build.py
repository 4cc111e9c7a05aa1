"""Find puzzles in games of computer players and confirm them by whole games.

A decision becomes a puzzle if its best move is clearly ahead of every other one in whole games with
the same dice, if a weaker computer player misses it, and if no similar puzzle was found before.
Short rollouts, which end with a value of the net, select the decisions that deserve whole games.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from foxclover.ai.agents import SearchAgent, SimpleAgent
from foxclover.ai.families import POLICIES, family_of, seat_players
from foxclover.ai.nets import make_thinker, shipped_net
from foxclover.ai.playing import NEVER, PlayerConfig
from foxclover.core.game import Game
from foxclover.core.position import Position
from foxclover.kernel.batch import Batch
from foxclover.puzzles import Option, Puzzle, from_line, themes_of, to_line, write
from foxclover.puzzles.sampling import SOURCES, Decision, Sampler

MOST_MOVES = 6  # that are compared
BATCH = 40  # rollouts of each move between two looks at the result
GAMES = 80  # whole games after each move between two looks at the result
SCREEN = 1.5  # margins that a decision must have in rollouts to deserve whole games
ERRORS = 3.0  # standard errors that the best move must be ahead
DECIDED = 2.0  # standard errors from the screen after which rollouts end
DRAWS = 40  # decisions of a noisy player that its share of solutions is counted in
MISSED = 0.75  # a weaker player that solves less than this share misses the puzzle
SIMILAR = 8  # numbers of the state in which two puzzles must differ
LEAST_SHARE = 0.01  # keeps the estimated ratings finite
# Ratings of the computer players, from which a puzzle's own first rating is estimated.
STRENGTHS = {"greedy": 1000, "easy": 1250, "medium": 1500, "strong": 2100}
PRIOR, PRIOR_WEIGHT = (
    1500.0,
    0.5,
)  # a puzzle's rating before anything is known, as a draw against it
SHARES_OF_PLAYERS = (1, 1, 2, 3)  # numbers of players, taken in turn


class Compared(NamedTuple):
    """A sensible move after its rollouts."""

    number: int
    value: float
    loss: float
    error: float  # of the loss


class Playouts:
    """Play positions to the end, all seats by ``net``."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.instance, self.tables, self.workspace = make_thinker(game, shipped_net(game))
        self.batch = self.instance.new(Batch)
        self.configs = {
            players: self.instance.new(PlayerConfig, players) for players in game.players
        }

    def points(
        self, position: Position, seat: int, move: int, games: range, seed: int
    ) -> list[float]:
        """Return the final points of a seat after its move; a game's number determines its dice."""
        call, workspace = self.instance.call, self.workspace
        configs = self.configs[position.players]
        seat_players(self.game, ["net"] * position.players, self.batch.policies, configs)
        after = position.copy()
        after.push(position.move(seat, move))
        pre_roll, found = after.pre_roll_state or after.state, list[float]()
        for number in games:
            self.instance.set(workspace.here, after.state)
            self.instance.set(workspace.pre_roll_state, pre_roll)
            call("seed_rng", workspace.dice_rng, seed, number)
            call("seed_rng", workspace.choice_rng, seed, number)
            # A cached round is that of the game before; later rounds replace it.
            workspace.no_cache = 1
            call("play_on", self.tables, workspace, self.batch, configs, after.state.round + 1)
            workspace.no_cache = 0
            call("play_on", self.tables, workspace, self.batch, configs, NEVER)
            found.append(float(call("score", self.tables, workspace.here, seat)))
        return found


class Builder:
    """Find the puzzles of a game, in one thread."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.criteria = family_of(game).PUZZLES
        self.sampler, self.playouts = Sampler(game), Playouts(game)
        self.instance, self.tables, self.workspace = make_thinker(game, shipped_net(game))
        self.moves = self.instance.ints(MOST_MOVES)
        self.results = self.instance.floats(2 * MOST_MOVES * BATCH)
        self.greedy = SimpleAgent(game, POLICIES["greedy"], 0)
        self.strong = SearchAgent(
            game, family_of(game).STRENGTHS["strong"]._replace(seconds=0.0), 0
        )
        self.seen: list[tuple[int, ...]] = []

    def search(
        self, first: int = 0, tick: Callable[[int], None] = lambda _: None
    ) -> Iterator[tuple[int, Puzzle]]:
        """Yield puzzles without end, each with the number of the decision it was found at."""
        for number in count(first):
            tick(number)
            found = self.examine(self.decision(number), number)
            if found:
                yield number, found

    def decision(self, number: int) -> Decision:
        """Return a decision by its number: sources and numbers of players take turns."""
        source = SOURCES[number % len(SOURCES)]
        players = SHARES_OF_PLAYERS[number // len(SOURCES) % len(SHARES_OF_PLAYERS)]
        return self.sampler.reach(source, players, self.seed * 1_000_003 + number)

    def examine(self, decision: Decision, number: int) -> Puzzle | None:
        """Return the puzzle of a decision; None if it makes none."""
        position, seat = decision.position, decision.seat
        ratings = self._rate(decision)
        if ratings is None:
            return None
        greedy = self.greedy.choose(position, seat).number
        shares = {name: self._share(name, len(ratings)) for name in ("easy", "medium")}
        numbers = position.legal_numbers(seat)

        def solve(best: int) -> dict[str, float]:
            found = {name: share[numbers.index(best)] for name, share in shares.items()}
            return found | {"greedy": float(greedy == best)}

        if min(solve(numbers[ratings.index(max(ratings))]).values()) >= MISSED:
            return None
        screened = None if self._is_similar(decision) else self._screen(decision, ratings, number)
        if screened is None:
            return None
        best = screened[0]
        solved = solve(best)
        if min(solved.values()) >= MISSED:
            return None
        compared = self._confirm(decision, screened, number)
        if compared is None:
            return None
        self.strong.reset(number)
        solved["strong"] = float(self.strong.choose(position, seat).number == best)
        self.seen.append(fingerprint(decision.position, decision.seat))
        return self._puzzle(decision, compared, estimate_rating(solved))

    def _rate(self, decision: Decision) -> list[float] | None:
        """Return the ratings of all legal moves; None if the best is not clearly ahead by them."""
        position, seat, workspace = decision.position, decision.seat, self.workspace
        self.instance.set(workspace.here, position.state)
        self.instance.set(workspace.pre_roll_state, position.pre_roll_state or position.state)
        if self.instance.call("wants_win", self.tables, workspace.here):
            return None  # points are not what counts
        candidates = workspace.candidates
        candidates.count = self.instance.call(
            "legal", self.tables, workspace.here, seat, candidates.moves
        )
        workspace.rate_all = workspace.no_cache = 1
        self.instance.call("seed_rng", workspace.choice_rng, 0, 0)
        self.instance.call("rate", self.tables, workspace, seat)
        ratings = [float(rating) for rating in candidates.ratings[: candidates.count]]
        best, second = sorted(ratings, reverse=True)[:2]
        # The hardest puzzles are decisions that the net misjudges: half the margin suffices here.
        return ratings if best - second >= self.criteria.margin / 2 else None

    def _share(self, strength: str, legal: int) -> list[float]:
        """Return how often a noisy player makes each of the moves rated last."""
        noise, chosen = family_of(self.game).STRENGTHS[strength].noise, [0] * legal
        ratings, rng = self.workspace.candidates.ratings, self.workspace.choice_rng
        for _ in range(DRAWS):
            chosen[self.instance.call("noisy_argmax", ratings, legal, noise, rng)] += 1
        return [times / DRAWS for times in chosen]

    def _screen(
        self, decision: Decision, ratings: Sequence[float], number: int
    ) -> list[int] | None:
        """Roll out the sensible moves; return them, the best first, if it is far ahead."""
        position, criteria = decision.position, self.criteria
        top, wanted = max(ratings), SCREEN * criteria.margin
        rated = sorted(zip(ratings, position.legal_numbers(decision.seat), strict=True))[::-1]
        moves = [move for rating, move in rated if rating > top - criteria.span][:MOST_MOVES]
        moves = moves if len(moves) > 1 else [move for _, move in rated[:2]]
        self.instance.set(self.workspace.here, position.state)
        points: dict[int, list[float]] = {move: [] for move in moves}
        for made in range(0, criteria.tries, BATCH):
            self._roll_out(decision.seat, moves, made, self.seed ^ number, points)
            compared = compare(points)
            second = compared[1]
            if abs(second.loss - wanted) > DECIDED * second.error:
                break
        return [move.number for move in compared] if second.loss >= wanted else None

    def _confirm(
        self, decision: Decision, moves: Sequence[int], number: int
    ) -> list[Compared] | None:
        """Play whole games after each move; return them if the first one is clearly ahead of all.

        A move that is clearly behind gets no more games.
        """
        best, *rivals = moves
        points: dict[int, list[float]] = {move: [] for move in moves}
        for made in range(GAMES, self.criteria.games + 1, GAMES):
            games = range(made - GAMES, made)
            for move in (best, *rivals):
                points[move] += self.playouts.points(
                    decision.position, decision.seat, move, games, self.seed ^ number
                )
            share = made / self.criteria.games  # of all games that may be played
            compared = {move.number: move for move in compare(points, best)}
            for rival in map(compared.__getitem__, rivals):
                # More games help only if the loss could be clear with the error after all of them.
                if rival.loss + rival.error < self._clear(rival.error * math.sqrt(share)):
                    return None
            rivals = [
                move for move in rivals if compared[move].loss < self._clear(compared[move].error)
            ]
            if not rivals:
                return list(compared.values())
        return None

    def _clear(self, error: float) -> float:
        """Return the loss that is clear with this error: the margin is not reached by chance."""
        return max(self.criteria.margin + error, ERRORS * error)

    def _roll_out(
        self,
        seat: int,
        moves: Sequence[int],
        first: int,
        seed: int,
        points: dict[int, list[float]],
    ) -> None:
        listed, results = self.moves[: len(moves)], self.results[: 2 * len(moves) * BATCH]
        listed[:] = list(moves)
        self.instance.call(
            "compare", self.tables, self.workspace, seat, listed, first, BATCH, seed, results
        )
        for index, move in enumerate(moves):
            points[move] += [float(value) for value in results[index * BATCH : (index + 1) * BATCH]]

    def _is_similar(self, decision: Decision) -> bool:
        own = fingerprint(decision.position, decision.seat)
        return any(differences(own, other) < SIMILAR for other in self.seen)

    def _puzzle(self, decision: Decision, compared: list[Compared], rating: int) -> Puzzle:
        position, seat = decision.position, decision.seat
        options = tuple(
            Option(position.move(seat, move.number), move.value, move.loss, move.error)
            for move in compared
        )
        found = themes_of(self.game).themes(position, seat, options[0].move, options[1].move)
        name = hashlib.sha256(f"{position.text} {seat}".encode()).hexdigest()[:8]
        return Puzzle(name, position, seat, options, tuple(found), rating, decision.source)


def build(
    game: Game, seed: int, wanted: int, path: Path, tick: Callable[[int, int], None]
) -> list[Puzzle]:
    """Find puzzles and write them to a file; continue what an interruption left beside it.

    Call ``tick`` with the numbers of puzzles found and of decisions examined.
    """
    partial = path.with_name(f"{path.name}.partial")
    found: list[Puzzle] = []
    first = 0
    if partial.exists():
        for line in partial.read_text("utf-8").splitlines():
            examined, _, content = line.partition(" ")
            found.append(from_line(content, game))
            first = int(examined) + 1
    builder = Builder(game, seed)
    builder.seen = [fingerprint(puzzle.position, puzzle.seat) for puzzle in found]
    path.parent.mkdir(parents=True, exist_ok=True)
    with partial.open("a", encoding="utf-8") as lines:
        search = builder.search(first, lambda number: tick(len(found), number))
        while len(found) < wanted:
            number, puzzle = next(search)
            found.append(puzzle)
            lines.write(f"{number} {to_line(puzzle)}\n")
            lines.flush()
    write(path, game, found)
    partial.unlink()
    return found


def compare(points: dict[int, list[float]], best: int | None = None) -> list[Compared]:
    """Compare moves by what they have in common with the best one; return that first.

    Number n of every move had the same dice. The best one has the highest mean, unless it is given.
    """
    if best is None:
        best = max(points, key=lambda move: math.fsum(points[move]) / len(points[move]))
    top = math.fsum(points[best]) / len(points[best])
    found = []
    for move, values in points.items():
        losses = [high - value for high, value in zip(points[best], values, strict=False)]
        loss = math.fsum(losses) / len(losses)
        variance = math.fsum((each - loss) ** 2 for each in losses) / (len(losses) - 1)
        found.append(Compared(move, top - loss, loss, math.sqrt(variance / len(losses))))
    return sorted(found, key=lambda move: (move.number != best, move.loss))


def fingerprint(position: Position, seat: int) -> tuple[int, ...]:
    """Return the numbers that make a decision look as it does: the table and the own seat."""
    table = position.state.copy()
    table.seats = [table.seats[seat]]
    return table.values()


def differences(one: Sequence[int], other: Sequence[int]) -> int:
    """Count the numbers in which two states differ."""
    return sum(a != b for a, b in zip(one, other, strict=True))


def estimate_rating(solved: dict[str, float]) -> int:
    """Return the rating at which the computer players would solve a puzzle as often as they did.

    The likeliest value by the logistic curve of Elo ratings, found by bisection.
    """
    low, high = 0.0, 3500.0
    while high - low > 1:
        middle = (low + high) / 2
        surplus = PRIOR_WEIGHT * (0.5 - _chance(PRIOR, middle))
        surplus += sum(
            min(max(share, LEAST_SHARE), 1 - LEAST_SHARE) - _chance(STRENGTHS[name], middle)
            for name, share in solved.items()
        )
        low, high = (low, middle) if surplus > 0 else (middle, high)
    return round(low)


def _chance(player: float, puzzle: float) -> float:
    return float(1 / (1 + 10 ** ((puzzle - player) / 400)))
