"""Play to win: rate a move by the share of possible futures in which it wins.

A future is a row of rolls for all players in the last round. Each rival's round is solved for
points and played in all futures. The futures that a final score wins give its value, and with these
values the player's own round is solved. Then every legal move is played on in the same futures. So
luck for the rolls of others, ties, and the effect of one roll on all players are exact.
"""

from __future__ import annotations

from foxclover.ai.candidates import best_rated
from foxclover.ai.stubs import NO_EXACT_WAY
from foxclover.core.rules import below, next32, seed_rng
from foxclover.games.climb.ai.after_round import POINTS, WIN, scored_points
from foxclover.games.climb.ai.rolling import NO_ROUND, find, open_cards, out_with, solve
from foxclover.games.climb.ai.workspace import (
    FUTURES,
    LUCKS,
    RIVAL,
    Entrant,
    Futures,
    Solver,
    Workspace,
)
from foxclover.games.climb.rules.moves import FAIL, FULFIL, PAY, STAY
from foxclover.games.climb.rules.state import (
    LEVELS,
    NO_CARD,
    RED_ROLLS,
    ROLLS,
    ROLLS_OF_ROUND,
    SLOTS,
    SPOTS,
    TO_DECIDE,
    TO_LEAVE,
    Deck,
    Player,
    State,
)
from foxclover.games.climb.rules.tableau import black_left, count_active, is_met

CARD_BITS = 3  # for the number of cards left on a level
POINT = 1 << (CARD_BITS * LEVELS)  # a point in a final score; the rest of the number breaks ties
ROLLING_ON, ASKED, LEAVING = range(3)
NOTHING = -1  # no answer to a roll: the player fails


def wants_win(deck: Deck, state: State) -> bool:
    """Return whether to play for the win.

    Not under the solo rules: the futures here know no sets and no lifted cards.
    """
    return state.players > 1 and not state.solo and state.round == deck.rounds


# -- futures


def draw_futures(deck: Deck, futures: Futures, outcome: int, rng: list[int]) -> None:
    """Draw futures that begin with the roll on the table."""
    for n in range(FUTURES):
        futures.rolls[n][0] = outcome
        for k in range(1, ROLLS_OF_ROUND):
            roll = below(rng, ROLLS)
            futures.rolls[n][k] = (
                deck.blue_outcome[roll // RED_ROLLS] + deck.red_outcome[roll % RED_ROLLS]
            )


def score_with(mine: Player, gains: list[float], before: float, scored: int) -> int:
    """Return the points and the tie break with the cards of a mask scored.

    The active cards of each level break ties.
    """
    total = POINT * int(before)
    for spot in range(SPOTS):
        if scored >> spot & 1:
            total += POINT * int(gains[spot])
        elif mine.active[spot] != NO_CARD:
            total += 1 << (CARD_BITS * (spot // SLOTS))
    return total


def answer(
    deck: Deck, mine: Player, solver: Solver, i: int, luck: int, outcome: int, rolled: int
) -> int:
    """Return the best answer to a roll as ``LUCKS * position + luck``, or ``NOTHING``."""
    marked = solver.masks[i]
    best, value = NOTHING, out_with(solver, solver.failed, luck, rolled)
    if luck > 0 and solver.value[i][luck - 1] > value:
        best, value = LUCKS * i + luck - 1, solver.value[i][luck - 1]
    left = luck if marked.bit_count() < deck.black_markers else luck - 1
    if left >= 0:
        spots = open_cards(marked, solver.cards)
        for spot in range(SPOTS):
            if spots >> spot & 1 and is_met(deck, outcome, mine.active[spot]):
                child = find(solver, marked | 1 << spot)
                if solver.value[child][left] > value:
                    best, value = LUCKS * child + left, solver.value[child][left]
    return best


def carry_on(
    deck: Deck, mine: Player, solver: Solver, futures: Futures, entrant: Entrant, n: int
) -> None:
    """Play a player's round on in a future and note how it ends."""
    i = entrant.position
    luck = entrant.luck
    stage = entrant.stage
    answered = entrant.answered
    while stage == ROLLING_ON or (stage == ASKED and solver.roll[i][luck] > solver.stop[i][luck]):
        stage = ASKED
        outcome = futures.rolls[n][answered]
        answered += 1
        leads = answer(deck, mine, solver, i, luck, outcome, entrant.before + answered)
        if leads == NOTHING:
            note_failing(deck, mine, solver, futures, entrant, n, entrant.before + answered, luck)
            return
        i = leads // LUCKS
        luck = leads % LUCKS
    result = score_with(mine, solver.gains, entrant.points, solver.masks[i])
    note_end(deck, futures, entrant.seat, n, entrant.before + answered, result, luck)


def note_failing(
    deck: Deck,
    mine: Player,
    solver: Solver,
    futures: Futures,
    entrant: Entrant,
    n: int,
    rolls: int,
    luck: int,
) -> None:
    """Note that a player fails: their cards stay, and a new one is added."""
    consolation = 1 if count_active(mine, 0) < deck.room else 0
    kept = score_with(mine, solver.gains, entrant.points, 0)
    note_end(deck, futures, entrant.seat, n, rolls, kept + consolation, luck)


def note_end(
    deck: Deck, futures: Futures, seat: int, n: int, rolls: int, result: int, luck: int
) -> None:
    """Note that a player is out after some rolls of the round."""
    futures.ended[seat][n] = rolls
    futures.final_score[seat][n] = result + POINT * luck
    futures.luck_room[seat][n] = deck.clover - luck


def last_roll(futures: Futures, players: int, n: int) -> int:
    """Return how many rolls the round has in a future."""
    rolls = 0
    for seat in range(players):
        rolls = max(rolls, futures.ended[seat][n])
    return rolls


def final_score_in(futures: Futures, seat: int, n: int, rolls: int) -> int:
    """Return the points and the tie break at the end of a future with some rolls."""
    return futures.final_score[seat][n] + POINT * min(
        futures.luck_room[seat][n], rolls - futures.ended[seat][n]
    )


# -- the value of winning


def enter_futures(deck: Deck, entrant: Entrant, state: State, seat: int, answered: int) -> None:
    """Start a player's futures after the roll on the table, which they have answered or not."""
    entrant.seat = seat
    entrant.answered = answered
    entrant.before = state.roll - answered
    entrant.position = 0
    entrant.luck = state.seats[seat].luck
    entrant.stage = ASKED
    entrant.points = scored_points(deck, state, state.seats[seat])


def imagine_rivals(deck: Deck, workspace: Workspace, seat: int) -> None:
    """Play all rivals for points in every future, from their positions before the roll."""
    known = workspace.pre_roll_state
    rival = workspace.solvers[RIVAL]
    entrant = workspace.futures.entrant
    for other in range(known.players):
        if other != seat:
            theirs = known.seats[other]
            solve(deck, workspace, rival, known, other)
            enter_futures(deck, entrant, known, other, 0)
            entrant.stage = ROLLING_ON if theirs.playing else LEAVING
            for n in range(FUTURES):
                carry_on(deck, theirs, rival, workspace.futures, entrant, n)


def list_rival_scores(futures: Futures, state: State, seat: int, solver: Solver) -> None:
    """List the scores to beat in each future, and how likely rivals make each roll.

    Rivals answer only the rolls they make themselves.
    """
    for roll in range(ROLLS_OF_ROUND):
        solver.others[roll] = 0.0
    for n in range(FUTURES):
        futures.ended[seat][n] = state.roll
        rolls = last_roll(futures, state.players, n)
        for roll in range(
            min(rolls + 1, ROLLS_OF_ROUND)
        ):  # where it is not known how the dice fell, one roll may count twice
            solver.others[roll] += 1.0 / FUTURES
        best = 0
        for other in range(state.players):
            if other != seat:
                best = max(best, final_score_in(futures, other, n, rolls) // POINT)
        at = n
        while at > 0 and solver.rival_scores[at - 1] > best:
            solver.rival_scores[at] = solver.rival_scores[at - 1]
            at -= 1
        solver.rival_scores[at] = best


def value_of_future(futures: Futures, players: int, seat: int, n: int) -> float:
    """Return the value of the end of a future to a player."""
    rolls = last_roll(futures, players, n)
    mine = final_score_in(futures, seat, n, rolls)
    sharers = 1
    for other in range(players):
        if other != seat:
            theirs = final_score_in(futures, other, n, rolls)
            if theirs > mine:
                return POINTS * (mine // POINT)
            if theirs == mine:
                sharers += 1
    return WIN / sharers + POINTS * (mine // POINT)


def try_to_win(deck: Deck, workspace: Workspace, seat: int, move: int) -> float:
    """Return the value of a legal move over all futures."""
    state = workspace.here
    mine = state.seats[seat]
    solver = workspace.solvers[seat]
    entrant = workspace.futures.entrant
    enter_futures(deck, entrant, state, seat, 1)
    if move >= FULFIL:
        entrant.position = find(solver, mine.marked | 1 << (move - FULFIL))
        entrant.luck -= 1 if black_left(deck, mine) == 0 else 0
    elif move == PAY:
        entrant.luck -= 1
    else:
        entrant.stage = ROLLING_ON if move == STAY else LEAVING
    total = 0.0
    for n in range(FUTURES):
        if move == FAIL:
            note_failing(deck, mine, solver, workspace.futures, entrant, n, state.roll, mine.luck)
        else:
            carry_on(deck, mine, solver, workspace.futures, entrant, n)
        total += value_of_future(workspace.futures, state.players, seat, n)
    return total / FUTURES


def choose_to_win(deck: Deck, workspace: Workspace, seat: int, rng: list[int]) -> int:
    """Return the index of the move that wins most often, or ``NO_EXACT_WAY``.

    Only the rolling phase is solved. A few points count as much as a rare win.
    """
    state = workspace.here
    if state.seats[seat].stage not in (TO_DECIDE, TO_LEAVE):
        return NO_EXACT_WAY
    solver = workspace.solvers[seat]
    seed_rng(workspace.look_rng, next32(rng), 0)
    draw_futures(deck, workspace.futures, state.outcome, workspace.look_rng)
    imagine_rivals(deck, workspace, seat)
    list_rival_scores(workspace.futures, state, seat, solver)
    solver.to_win = 1
    solve(deck, workspace, solver, state, seat)
    solver.to_win = 0
    solver.round = NO_ROUND
    candidates = workspace.ahead_candidates
    candidates.count = workspace.candidates.count
    for n in range(candidates.count):
        candidates.ratings[n] = try_to_win(deck, workspace, seat, workspace.candidates.moves[n])
    return best_rated(candidates)
