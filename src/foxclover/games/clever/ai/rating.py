"""Rate the moves of a Clever game: by the net, by rollouts, and for reviews."""

from __future__ import annotations

from math import log

from foxclover.ai.candidates import Candidates, best_rated
from foxclover.ai.stubs import NO_EXACT_WAY
from foxclover.core.records import assign
from foxclover.core.rules import CHANCE, START_PLAYER_DUE, next32, seed_rng
from foxclover.games.clever.ai.network import (
    SCALARS,
    Workspace,
    cache_slot,
    clear_cache,
    collect,
    is_cached,
    output,
    restart_sums,
    update_sums,
)
from foxclover.games.clever.rules.moves import DONE, ENTRIES, PASS, PLACE, legal, total_points
from foxclover.games.clever.rules.state import (
    ADDING,
    AREAS,
    CELLS,
    CHOOSING,
    CLOSED,
    GRID,
    PASSIVE,
    RETURNING,
    SEATS,
    TAKING,
    Player,
    Sheet,
    State,
)
from foxclover.games.clever.rules.table import acting, apply, chance_pending, draw, is_ahead
from foxclover.kernel.batch import first_seat
from foxclover.review.stubs import MEAN_UNKNOWN


def write_inputs(
    sheet: Sheet, workspace: Workspace, state: State, seat: int, inputs: list[float], at: int
) -> None:
    """Write the codes and the scalars of a player, from index ``at`` on."""
    collect(sheet, workspace.feature_layout, state, seat, workspace.inputs)
    for slot in range(workspace.feature_layout.slots):
        inputs[at + slot] = float(workspace.inputs.codes[slot])
    at += workspace.feature_layout.slots
    for n in range(SCALARS):
        inputs[at + n] = workspace.inputs.scalars[n]


SCALE = 25.0  # points in an output of 1
WORST = -1e9
UNKNOWN = -2e9  # no value yet


def may_stop(state: State, seat: int) -> bool:
    """Return whether a player may only return dice, add extra dice or stop."""
    mine = state.seats[seat]
    return mine.heaped == 0 and (mine.stage == ADDING or mine.stage == RETURNING)


def sum_of_areas(mine: Player) -> int:
    """Return the points of all areas."""
    points = 0
    for area in range(AREAS):
        points += mine.points[area]
    return points


def value_of(sheet: Sheet, workspace: Workspace, state: State, seat: int) -> float:
    """Return the expected final points of a player right after their move."""
    mine = state.seats[seat]
    if not collect(sheet, workspace.feature_layout, state, seat, workspace.inputs):
        return float(total_points(mine))
    return sum_of_areas(mine) + SCALE * ask_net(workspace)


def ask_net(workspace: Workspace) -> float:
    """Evaluate ``workspace.inputs``, or take the value from the cache."""
    eval_cache = workspace.eval_cache
    at = cache_slot(workspace.feature_layout, workspace.inputs) if eval_cache.in_use == 1 else 0
    if eval_cache.in_use == 1 and is_cached(
        workspace.feature_layout, eval_cache, at, workspace.inputs
    ):
        return eval_cache.entries[at].output
    update_sums(workspace.net, workspace.feature_layout, workspace.activations, workspace.inputs)
    value = float(output(workspace.net, workspace.activations))
    if eval_cache.in_use == 1:
        found = eval_cache.entries[at]
        found.time = eval_cache.time
        found.output = value
        assign(found.inputs, workspace.inputs)
    return value


def is_dominated(sheet: Sheet, moves: list[int], count: int, index: int) -> bool:
    """Return whether a bonus's free number is neither the lowest nor the highest one."""
    move = moves[index]
    if move < PLACE or move >= PASS or index == 0 or index + 1 == count:
        return False
    if sheet.kind[move % ENTRIES // CELLS] == GRID:
        return False
    return moves[index - 1] == move - 1 and moves[index + 1] == move + 1


def start_rating(workspace: Workspace, caches: bool) -> None:
    """Reset the net's sums; use the cache from now on, or not."""
    restart_sums(workspace.net, workspace.feature_layout, workspace.activations)
    clear_cache(workspace.eval_cache, caches)


def rate_moves(
    sheet: Sheet, workspace: Workspace, state: State, candidates: Candidates, seat: int
) -> int:
    """Rate the legal moves in a position; return the best.

    A move after which the player may stop is rated as if they stopped.
    """
    start_rating(workspace, False)
    return rate_as_last(sheet, workspace, state, candidates, seat, UNKNOWN)


def rate_as_last(
    sheet: Sheet,
    workspace: Workspace,
    state: State,
    candidates: Candidates,
    seat: int,
    stopping: float,
) -> int:
    """Rate moves as ``rate_moves`` does, without resetting the net's sums.

    The value of stopping may be known.
    """
    for index in range(candidates.count):
        candidates.ratings[index] = WORST
        if stopping != UNKNOWN and candidates.moves[index] == DONE:
            candidates.ratings[index] = stopping
        elif workspace.rate_all == 1 or not is_dominated(
            sheet, candidates.moves, candidates.count, index
        ):
            assign(workspace.after, state)
            apply(sheet, workspace.after, seat, candidates.moves[index])
            while may_stop(workspace.after, seat):
                apply(sheet, workspace.after, seat, DONE)
            candidates.ratings[index] = value_of(sheet, workspace, workspace.after, seat)
    return best_rated(candidates)


def rate_through(
    sheet: Sheet, workspace: Workspace, state: State, seat: int, candidates: Candidates
) -> int:
    """Rate the legal moves, each with the net's best continuation; return the best.

    A continuation ends at the player's next roll or when others are to act. The sums are not reset.
    """
    for index in range(candidates.count):
        candidates.ratings[index] = WORST
        if workspace.rate_all == 1 or not is_dominated(
            sheet, candidates.moves, candidates.count, index
        ):
            assign(workspace.further, state)
            apply(sheet, workspace.further, seat, candidates.moves[index])
            candidates.ratings[index] = go_further(sheet, workspace, seat)
    return best_rated(candidates)


def go_further(sheet: Sheet, workspace: Workspace, seat: int) -> float:
    """Return the value of the best continuation from ``workspace.further``."""
    state = workspace.further
    candidates = workspace.further_candidates
    stopping = UNKNOWN
    while state.seats[seat].stage != CLOSED:
        candidates.count = legal(sheet, state, seat, candidates.moves)
        best = 0
        if candidates.count > 1:
            best = rate_as_last(
                sheet,
                workspace,
                state,
                candidates,
                seat,
                stopping if may_stop(state, seat) else UNKNOWN,
            )
            stopping = candidates.ratings[best]
        elif not may_stop(state, seat):
            stopping = UNKNOWN
        apply(sheet, state, seat, candidates.moves[best])
    return value_of(sheet, workspace, state, seat) if stopping == UNKNOWN else stopping


def rate(sheet: Sheet, workspace: Workspace, seat: int) -> int:
    """Rate the legal moves in ``workspace.here``; return the best."""
    start_rating(workspace, False)
    return rate_through(sheet, workspace, workspace.here, seat, workspace.candidates)


def forget(workspace: Workspace) -> None:
    """Do nothing: no state is kept between decisions."""


def is_forced(workspace: Workspace) -> bool:
    """Return whether there is a single move, which needs no rating."""
    return workspace.candidates.count == 1


def uniform(rng: list[int]) -> float:
    """Draw a number between 0 and 1, both excluded."""
    return (next32(rng) + 0.5) / 4294967296.0


def draw_noise(rng: list[int], noise: float) -> float:
    """Draw the noise of a rating, in points.

    Of moves with equal ratings, each has the highest noise equally often.
    """
    return -noise * log(-log(uniform(rng)))


def noisy_argmax(ratings: list[float], count: int, noise: float, rng: list[int]) -> int:
    """Choose the best move by ratings with noise, as a person misjudges them."""
    chosen, highest = 0, WORST
    for index in range(count):
        rating = ratings[index] + draw_noise(rng, noise)
        if rating > highest:
            highest, chosen = rating, index
    return chosen


def share_of_win(sheet: Sheet, state: State, seat: int) -> float:
    """Return 1 for the winner of a finished game, a part of 1 for each of several, else 0."""
    sharers = 1
    for other in range(state.players):
        if other != seat:
            if is_ahead(sheet, state, other, seat):
                return 0.0
            if not is_ahead(sheet, state, seat, other):
                sharers += 1
    return 1.0 / sharers


def wants_win(sheet: Sheet, state: State) -> bool:
    """Return whether players play for the win: in the last round, with several players."""
    return state.players > 1 and state.round == sheet.rounds[state.players]


def choose_to_win(sheet: Sheet, workspace: Workspace, seat: int, rng: list[int]) -> int:
    """Return ``NO_EXACT_WAY``: only rollouts show which move wins."""
    return NO_EXACT_WAY


def priority(workspace: Workspace, seat: int, index: int, best: int) -> float:
    """Return the rating: every move may be tried beside the best."""
    return workspace.candidates.ratings[index]


def chooses_die(mine: Player) -> bool:
    """Return whether a player chooses among new dice, with no bonus or action left open."""
    return mine.heaped == 0 and (mine.stage == CHOOSING or mine.stage == TAKING)


def look_ahead(sheet: Sheet, workspace: Workspace, seat: int, to_win: bool) -> tuple[float, float]:
    """Play on from ``workspace.ahead`` to the player's next choice of a die, or to the end.

    Return the player's points, expected or final, and their share of the win. With ``to_win`` play
    to the end of the game. A choice is looked through; moves after it continue as it was rated.
    """
    state = workspace.ahead
    candidates = workspace.ahead_candidates
    start_rating(workspace, False)
    while True:
        mask = acting(sheet, state)
        if mask > 0:
            mover = first_seat(mask)
            candidates.count = legal(sheet, state, mover, candidates.moves)
            best = 0
            if candidates.count > 1:
                if not chooses_die(state.seats[mover]):
                    best = rate_as_last(sheet, workspace, state, candidates, mover, UNKNOWN)
                else:
                    best = rate_through(sheet, workspace, state, mover, candidates)
                    if mover == seat and not to_win:
                        return candidates.ratings[best], 0.0
            apply(sheet, state, mover, candidates.moves[best])
        elif chance_pending(sheet, state) > 0:
            apply(sheet, state, CHANCE, draw(sheet, state, workspace.look_rng))
        else:
            return float(total_points(state.seats[seat])), share_of_win(
                sheet, state, seat
            ) if to_win else 0.0


SEED_BITS = 32  # the number of a turn is above them


def move_ahead(sheet: Sheet, workspace: Workspace, state: State, seat: int, mover: int) -> int:
    """Return the net's move."""
    candidates = workspace.ahead_candidates
    candidates.count = legal(sheet, state, mover, candidates.moves)
    best = 0
    if candidates.count > 1:
        best = rate_as_last(sheet, workspace, state, candidates, mover, UNKNOWN)
    return candidates.moves[best]


def concerns(sheet: Sheet, state: State, seat: int) -> bool:
    """Return whether a chance move is dice luck: every roll is, the start player is not."""
    return state.chance != START_PLAYER_DUE


def is_at_rest(sheet: Sheet, state: State, seat: int) -> bool:
    """Return False: the net rates positions right after a player's move only."""
    return False


def value_at_rest(sheet: Sheet, workspace: Workspace, state: State, seat: int) -> float:
    """Return the points on the sheet."""
    return float(total_points(state.seats[seat]))


def known_mean(sheet: Sheet, workspace: Workspace, seat: int) -> float:
    """Return ``MEAN_UNKNOWN``: nothing is solved exactly."""
    return MEAN_UNKNOWN


def is_exact(sheet: Sheet, state: State, seat: int) -> bool:
    """Return False: nothing is solved exactly."""
    return False


def see_end(
    sheet: Sheet, workspace: Workspace, seat: int, seed: int, stream: int
) -> tuple[float, float]:
    """Play on by the net to the end of the game; return points and share of the win.

    Every turn has its own dice, so that a turn of another length does not shift later ones.
    """
    state = workspace.ahead
    start_rating(workspace, False)
    seed_rng(workspace.look_rng, seed, stream)
    turn = 0
    while True:
        mask = acting(sheet, state)
        if mask > 0:
            mover = first_seat(mask)
            apply(sheet, state, mover, move_ahead(sheet, workspace, state, seat, mover))
        elif chance_pending(sheet, state) > 0:
            now = (state.round * SEATS + state.active) * 2 + (1 if state.phase == PASSIVE else 0)
            if now != turn:
                turn = now
                seed_rng(workspace.look_rng, seed ^ now << SEED_BITS, stream)
            apply(sheet, state, CHANCE, draw(sheet, state, workspace.look_rng))
        else:
            return float(total_points(state.seats[seat])), share_of_win(sheet, state, seat)
