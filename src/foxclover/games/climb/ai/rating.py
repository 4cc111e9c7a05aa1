"""Rate every legal move by the final points it leads to, look ahead, and review games.

Looking ahead carries a move on to the player's next rolling, which is solved exactly. Only the
cards drawn on the way are random, and they are the same for all moves compared. A review solves a
round once, before its first roll, and weighs every roll exactly.
"""

from __future__ import annotations

from foxclover.ai.candidates import Candidates, best_rated
from foxclover.core.records import assign
from foxclover.core.rules import CHANCE, ROLL_DUE, START_PLAYER_DUE, below, seed_rng
from foxclover.games.climb.ai.after_round import (
    flip,
    improve,
    may_rise,
    prepare_endings,
    rate_ending,
    start_marked,
)
from foxclover.games.climb.ai.buying import rate_bonus, rate_building, rate_buying, rate_exchange
from foxclover.games.climb.ai.rolling import NO_ROUND, find, out_with, solve
from foxclover.games.climb.ai.workspace import RIVAL, Building, Ending, Solver, Workspace
from foxclover.games.climb.rules.moves import (
    BUILD,
    DONE,
    FAIL,
    FULFIL,
    LIFT,
    PAY,
    PUSH,
    SCORE,
    STAY,
    legal,
)
from foxclover.games.climb.rules.state import (
    LEVELS,
    ROLLING,
    SLOTS,
    SPOTS,
    TO_BUILD,
    TO_BUY,
    TO_DECIDE,
    TO_EXCHANGE,
    TO_LEAVE,
    TO_LIFT,
    TO_PLACE,
    TO_PUSH,
    TO_TAKE,
    Deck,
    Player,
    State,
)
from foxclover.games.climb.rules.table import acting, apply, chance_pending, draw, lift
from foxclover.games.climb.rules.tableau import black_left, lay_card, total_points
from foxclover.kernel.batch import first_seat
from foxclover.review.stubs import MEAN_UNKNOWN

WORST = -1e9
IN_TURN = 1e-6  # cards that may wait come after those that may not
CLOSE = 0.4  # points between ways to build that are compared by solving the round
GRAINS = 1 << 20  # of an error of judgement


def is_forced(workspace: Workspace) -> bool:
    """Return False: even a single move is rated.

    The round is solved when its first move is rated, and then kept.
    """
    return False


def forget(workspace: Workspace) -> None:
    """Forget the solved rounds, for another game."""
    for solver in workspace.solvers:
        solver.round = NO_ROUND


def rate(deck: Deck, workspace: Workspace, seat: int) -> int:
    """Rate the legal moves of ``workspace.here`` by expected final points.

    Return the index of the best.
    """
    return rate_thoroughly(
        deck, workspace, workspace.here, seat, workspace.candidates, workspace.choice_rng
    )


def noisy_argmax(ratings: list[float], count: int, noise: float, rng: list[int]) -> int:
    """Return the best move after adding up to ``noise`` points of error to every rating."""
    best, best_rating = 0, 0.0
    for n in range(count):
        error = below(rng, 2 * GRAINS) / GRAINS - 1.0
        rating = ratings[n] + noise * error
        if n == 0 or rating > best_rating:
            best, best_rating = n, rating
    return best


def rate_thoroughly(
    deck: Deck,
    workspace: Workspace,
    state: State,
    seat: int,
    candidates: Candidates,
    rng: list[int],
) -> int:
    """Rate the legal moves of a decision, not of a rollout; return the index of the best.

    Only alone, the round is solved for close ways to build: with more players it gained nothing.
    """
    best = rate_moves(deck, workspace, state, seat, candidates, rng)
    if state.players > 1 or state.seats[seat].stage != TO_BUILD:
        return best
    rate_close_ways(deck, workspace, state, seat, candidates)
    return best_rated(candidates)


def rate_moves(
    deck: Deck,
    workspace: Workspace,
    state: State,
    seat: int,
    candidates: Candidates,
    rng: list[int],
) -> int:
    """Rate the legal moves of any position; return the index of the best."""
    mine = state.seats[seat]
    stage = mine.stage
    if stage in (TO_DECIDE, TO_LEAVE):
        rate_rolling(deck, workspace, state, seat, candidates)
    elif stage == TO_PUSH:
        rate_pushing(deck, workspace, workspace.solvers[seat], state, mine, candidates)
    elif stage == TO_LIFT:
        for n in range(candidates.count):
            assign(workspace.after, state)
            candidates.ratings[n] = rate_lift(
                deck,
                workspace,
                workspace.solvers[seat],
                workspace.after,
                workspace.after.seats[seat],
                candidates.moves[n],
            )
    elif stage == TO_TAKE:
        rate_bonus(deck, workspace, state, mine, candidates, rng)
    elif stage == TO_BUY:
        rate_buying(deck, workspace, state, mine, candidates, rng)
    elif stage == TO_EXCHANGE:
        rate_exchange(deck, workspace, state, mine, candidates, rng)
    else:
        rate_building(deck, workspace, state, mine, candidates)
    return best_rated(candidates)


# -- building


def rate_close_ways(
    deck: Deck, workspace: Workspace, state: State, seat: int, candidates: Candidates
) -> None:
    """Decide between ways to place all cards whose ratings are close, by solving the round.

    Cards that all these ways place on the same level are placed first, without solving.
    """
    building = workspace.building
    close = 1
    while close < building.kept and building.ratings[close] > building.ratings[0] - CLOSE:
        close += 1
    common = False
    for n in range(candidates.count):
        if is_common(building, candidates.moves[n] - BUILD, close):
            candidates.ratings[n] += IN_TURN
            common = True
    if not common:
        solve_ways(deck, workspace, state, seat, candidates, close)


def is_common(building: Building, entry: int, close: int) -> bool:
    """Return whether all close ways place a card on this level."""
    for way in range(close):
        if building.best[way][entry // LEVELS] != entry % LEVELS:
            return False
    return True


def solve_ways(
    deck: Deck, workspace: Workspace, state: State, seat: int, candidates: Candidates, close: int
) -> None:
    """Rate close ways by solving the round that follows; keep all others below them."""
    building = workspace.building
    change = 0.0
    for way in range(close):
        assign(workspace.after, state)
        mine = workspace.after.seats[seat]
        for index in range(mine.waiting_count):
            if building.best[way][index] < deck.build_levels:
                lay_card(mine, mine.waiting[index], building.best[way][index])
        mine.waiting_count = 0
        value = value_of_round(deck, workspace, workspace.after, seat)
        if way == 0:
            change = value - building.ratings[0]
        building.ratings[way] = value
    highest = building.ratings[0]
    for way in range(1, close):
        highest = max(highest, building.ratings[way])
    for n in range(candidates.count):
        entry = candidates.moves[n] - BUILD
        rating = WORST
        for way in range(close):
            if building.best[way][entry // LEVELS] == entry % LEVELS:
                rating = max(rating, building.ratings[way])
        if rating == WORST:
            rating = min(candidates.ratings[n] + change, highest - IN_TURN)
        candidates.ratings[n] = rating


# -- rolling


def is_solved(workspace: Workspace, solver: Solver, state: State, mine: Player) -> bool:
    """Return whether this round is solved already, from here or from before."""
    if workspace.no_cache or solver.round != state.round:
        return False
    if state.roll == 1 and mine.stage == TO_DECIDE and not solver.early:
        return False
    return 0 <= find(solver, mine.marked) < solver.cut


def rate_rolling(
    deck: Deck, workspace: Workspace, state: State, seat: int, candidates: Candidates
) -> None:
    """Rate the moves of the rolling phase by the solved round."""
    mine = state.seats[seat]
    solver = workspace.solvers[seat]
    if not is_solved(workspace, solver, state, mine):
        solve(deck, workspace, solver, state, seat)
    here = find(solver, mine.marked)
    luck = mine.luck
    after_marking = luck - 1 if black_left(deck, mine) == 0 else luck
    for n in range(candidates.count):
        move = candidates.moves[n]
        if move >= FULFIL:
            candidates.ratings[n] = solver.value[find(solver, mine.marked | 1 << (move - FULFIL))][
                after_marking
            ]
        elif move == PAY:
            candidates.ratings[n] = solver.value[here][luck - 1]
        elif move == FAIL:
            candidates.ratings[n] = out_with(solver, solver.failed, luck, state.roll)
        elif move == STAY:
            candidates.ratings[n] = solver.roll[here][luck]
        else:
            candidates.ratings[n] = solver.stop[here][luck]


# -- pushing


def start_pushing(
    deck: Deck, workspace: Workspace, solver: Solver, state: State, mine: Player
) -> None:
    """Set the first ending to all marked cards scored."""
    solver.round = NO_ROUND
    prepare_endings(deck, workspace.net, solver, state, mine)
    start_marked(deck, workspace.net, solver, state, mine, workspace.endings[0])


def rate_pushing(
    deck: Deck,
    workspace: Workspace,
    solver: Solver,
    state: State,
    mine: Player,
    candidates: Candidates,
) -> None:
    """Rate pushing and scoring each marked card by the best way to handle all of them."""
    start_pushing(deck, workspace, solver, state, mine)
    ending = workspace.endings[0]
    luck = mine.luck
    for n in range(candidates.count):
        candidates.ratings[n] = WORST
    for code in range(1 << mine.marked.bit_count()):
        if push_by_code(deck, solver, ending, code):
            rate_ending(deck, workspace.net, solver, ending, luck, luck)
            for n in range(candidates.count):
                pushes = candidates.moves[n] < SCORE
                spot = candidates.moves[n] - PUSH if pushes else candidates.moves[n] - SCORE
                if pushes == bool(ending.pushed >> spot & 1):
                    candidates.ratings[n] = max(
                        candidates.ratings[n],
                        ending.value[luck] - IN_TURN * turn_of(deck, solver, spot, pushes),
                    )
                elif solver.last:
                    candidates.ratings[n] = max(
                        candidates.ratings[n], ending.value[luck] - solver.gains[spot]
                    )


def turn_of(deck: Deck, solver: Solver, spot: int, pushes: bool) -> int:
    """Return when a card is handled: cards to push first, from the top, to make room.

    Cards whose scoring lifts others are last, the easy ones first.
    """
    level = spot // SLOTS
    if pushes:
        return LEVELS - level
    if solver.solo and deck.lifts[level] > 0:
        return LEVELS * (2 + solver.colours[spot]) + level
    return 2 * LEVELS - level


def push_by_code(deck: Deck, solver: Solver, ending: Ending, code: int) -> bool:
    """Push the marked cards of the bits of a code and score the others.

    Return False if there is no room for that.
    """
    for spot in range(len(solver.colours)):
        if ending.marked >> spot & 1:
            if code & 1 != ending.pushed >> spot & 1:
                flip(solver, ending, spot)
            code >>= 1
    for spot in range(len(solver.colours)):
        bit = 1 << spot
        if ending.pushed & bit and not may_rise(
            deck, solver, ending.marked, ending.pushed & ~bit, spot
        ):
            return False
    return True


def rate_lift(
    deck: Deck, workspace: Workspace, solver: Solver, state: State, mine: Player, move: int
) -> float:
    """Rate pushing a scored card (solo rules), with the marked cards handled well afterwards."""
    if move == DONE:
        mine.lifts = 0
    else:
        lift(mine, move - LIFT)
    start_pushing(deck, workspace, solver, state, mine)
    ending = workspace.endings[0]
    while improve(deck, workspace.net, solver, ending):
        pass
    rate_ending(deck, workspace.net, solver, ending, mine.luck, mine.luck)
    return ending.value[mine.luck]


NOT_TRIED = 1e6  # points that keep a move from being tried


def look_ahead(deck: Deck, workspace: Workspace, seat: int, to_win: bool) -> tuple[float, float]:
    """Play on until the player is about to roll, and return the value of rolling.

    The others do as little as possible. The second number, of wins, is unknown here.
    """
    state = workspace.ahead
    while True:
        mask = acting(deck, state)
        if mask > 0:
            mover = seat if mask >> seat & 1 else first_seat(mask)
            apply(deck, state, mover, move_ahead(deck, workspace, state, seat, mover))
        elif chance_pending(deck, state) == ROLL_DUE and state.roll == 0:
            return value_of_round(deck, workspace, state, seat), 0.0
        elif chance_pending(deck, state) > 0:
            apply(deck, state, CHANCE, draw(deck, state, workspace.look_rng))
        else:
            return float(total_points(deck, state, state.seats[seat])), 0.0


def move_ahead(deck: Deck, workspace: Workspace, state: State, seat: int, mover: int) -> int:
    """Return the best-rated move of the player; a rival buys nothing or makes the first move."""
    candidates = workspace.ahead_candidates
    candidates.count = legal(deck, state, mover, candidates.moves)
    if mover == seat:
        best = rate_moves(deck, workspace, state, seat, candidates, workspace.look_rng)
        return candidates.moves[best]
    return DONE if state.seats[mover].stage == TO_BUY else candidates.moves[0]


def value_of_round(deck: Deck, workspace: Workspace, state: State, seat: int) -> float:
    """Return the value of a round that is about to be rolled."""
    solver = workspace.solvers[seat]
    solve(deck, workspace, solver, state, seat)
    solver.round = NO_ROUND  # it may never be played
    return solver.roll[0][solver.luck]


def priority(workspace: Workspace, seat: int, index: int, best: int) -> float:
    """Return the rating of a move, or less if it need not be tried.

    Rolling is exact already, and cards are handled one by one.
    """
    candidates = workspace.candidates
    stage = workspace.here.seats[seat].stage
    exact = stage in (TO_DECIDE, TO_LEAVE, TO_LIFT)
    if (exact and index != best) or card_handled(stage, candidates.moves[index]) != card_handled(
        stage, candidates.moves[best]
    ):
        return candidates.ratings[index] - NOT_TRIED
    return candidates.ratings[index]


def card_handled(stage: int, move: int) -> int:
    """Return the card that a move pushes, scores or builds.

    Cards are handled one by one, and their order matters little.
    """
    if stage == TO_PUSH:
        return (move - PUSH) % SPOTS
    if stage in (TO_BUILD, TO_PLACE):
        return (move - BUILD) // LEVELS
    return 0


def start_rating(workspace: Workspace, remembers: bool) -> None:
    """Do nothing: ratings keep nothing between positions."""


def rate_through(
    deck: Deck, workspace: Workspace, state: State, seat: int, candidates: Candidates
) -> int:
    """Rate the legal moves; their ratings include what may follow."""
    return rate_thoroughly(deck, workspace, state, seat, candidates, workspace.look_rng)


def concerns(deck: Deck, state: State, seat: int) -> bool:
    """Return whether a chance move matters to a seat.

    A roll concerns the players who are in, a card the player who draws it.
    """
    if state.chance == ROLL_DUE:
        return state.seats[seat].playing == 1
    return state.chance != START_PLAYER_DUE and state.draw_seat == seat


def is_at_rest(deck: Deck, state: State, seat: int) -> bool:
    """Return whether a player has failed and waits for the next round."""
    mine = state.seats[seat]
    return state.phase == ROLLING and mine.playing == 0 and mine.marked == 0


def value_at_rest(deck: Deck, workspace: Workspace, state: State, seat: int) -> float:
    """Return the value of the tableau after the round."""
    mine = state.seats[seat]
    solver = workspace.solvers[RIVAL]
    ending = workspace.endings[0]
    start_pushing(deck, workspace, solver, state, mine)
    rate_ending(deck, workspace.net, solver, ending, mine.luck, mine.luck)
    return ending.value[mine.luck]


def known_mean(deck: Deck, workspace: Workspace, seat: int) -> float:
    """Return the value of rolling before a roll, else ``MEAN_UNKNOWN``."""
    state = workspace.here
    if state.chance != ROLL_DUE:
        return MEAN_UNKNOWN
    mine = state.seats[seat]
    solver = workspace.solvers[seat]
    if state.roll == 0 or not is_solved(workspace, solver, state, mine):
        solve(deck, workspace, solver, state, seat)
    return solver.roll[find(solver, mine.marked)][mine.luck]


def is_exact(deck: Deck, state: State, seat: int) -> bool:
    """Return whether ratings are exact: those of the rolling phase are."""
    return state.seats[seat].stage in (TO_DECIDE, TO_LEAVE)


def see_end(
    deck: Deck, workspace: Workspace, seat: int, seed: int, stream: int
) -> tuple[float, float]:
    """Play on to the player's next rolling, which is solved exactly."""
    seed_rng(workspace.look_rng, seed, stream)
    return look_ahead(deck, workspace, seat, False)
