"""Playing to win: in the last round a move is as good as the share of possible futures in which it wins.

A future is a row of rolls, which count for everybody. Each rival's round is solved for points and played in all futures. How many of them a
final score wins tells what it is worth, and with that the own round is solved. Then every legal move is carried on in the same futures:
now luck for others' rolls and ties are exact, and so is what the dice do to everybody at once.
"""

from __future__ import annotations

from foxclover.ai.climb.after_round import POINTS, WIN, scored_points
from foxclover.ai.climb.mind import FUTURES, LUCKS, RIVAL, Entrant, Futures, Mind, Solver
from foxclover.ai.climb.rolling import NO_ROUND, candidates, find, out_with, solve
from foxclover.ai.family import NO_EXACT_WAY
from foxclover.climb.moves import FAIL, FULFIL, PAY, STAY, is_met
from foxclover.climb.state import (
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
from foxclover.climb.tableau import black_left, count_active
from foxclover.rng import below, next32, seed_rng

CARD_BITS = 3  # for the number of cards left on a level
POINT = 1 << (CARD_BITS * LEVELS)  # a point in a standing; the rest of the number breaks ties
ROLLING_ON, ASKED, LEAVING = range(3)
NOTHING = -1  # no answer to a roll: he fails


def wants_win(deck: Deck, state: State) -> bool:
    """Is it time to play for the win? Not by the solo rules: their sets and lifted cards are unknown to the futures here."""
    return state.players > 1 and not state.solo and state.round == deck.rounds


# -- futures --------------------------------------------------------------------------------------------------------------


def draw_futures(deck: Deck, futures: Futures, outcome: int, rng: list[int]) -> None:
    """Futures that begin with the roll that lies on the table."""
    for n in range(FUTURES):
        futures.rolls[n][0] = outcome
        for k in range(1, ROLLS_OF_ROUND):
            roll = below(rng, ROLLS)
            futures.rolls[n][k] = (
                deck.blue_outcome[roll // RED_ROLLS] + deck.red_outcome[roll % RED_ROLLS]
            )


def standing_with(mine: Player, gains: list[float], before: float, scored: int) -> int:
    """Points and what breaks ties, the cards left on each level, if those of a mask are scored."""
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
    """The best answer to a roll: where it leads, as ``LUCKS * position + luck``, or NOTHING."""
    marked = solver.masks[i]
    best = NOTHING
    worth = out_with(solver, solver.failed, luck, rolled)
    if luck > 0 and solver.value[i][luck - 1] > worth:
        best = LUCKS * i + luck - 1
        worth = solver.value[i][luck - 1]
    left = luck if marked.bit_count() < deck.black_markers else luck - 1
    if left >= 0:
        spots = candidates(marked, solver.cards)
        for spot in range(SPOTS):
            if spots >> spot & 1 and is_met(deck, outcome, mine.active[spot]):
                child = find(solver, marked | 1 << spot)
                if solver.value[child][left] > worth:
                    best = LUCKS * child + left
                    worth = solver.value[child][left]
    return best


def carry_on(
    deck: Deck, mine: Player, solver: Solver, futures: Futures, entrant: Entrant, n: int
) -> None:
    """Let a player go on in a future and note how he ends."""
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
    stands = standing_with(mine, solver.gains, entrant.points, solver.masks[i])
    note_end(deck, futures, entrant.seat, n, entrant.before + answered, stands, luck)


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
    """A player fails: his cards stay, and another one comes."""
    consolation = 1 if count_active(mine, 0) < deck.room else 0
    stands = standing_with(mine, solver.gains, entrant.points, 0) + consolation
    note_end(deck, futures, entrant.seat, n, rolls, stands, luck)


def note_end(
    deck: Deck, futures: Futures, seat: int, n: int, rolls: int, stands: int, luck: int
) -> None:
    """A player is out after so many rolls of the round."""
    futures.ended[seat][n] = rolls
    futures.standing[seat][n] = stands + POINT * luck
    futures.luck_room[seat][n] = deck.clover - luck


def last_roll(futures: Futures, players: int, n: int) -> int:
    """How many rolls the round has in a future."""
    rolls = 0
    for seat in range(players):
        rolls = max(rolls, futures.ended[seat][n])
    return rolls


def final_standing(futures: Futures, seat: int, n: int, rolls: int) -> int:
    """Points and what breaks ties at the end of a future of so many rolls."""
    return futures.standing[seat][n] + POINT * min(
        futures.luck_room[seat][n], rolls - futures.ended[seat][n]
    )


# -- what winning is worth --------------------------------------------------------------------------------------------------


def imagine_rivals(deck: Deck, mind: Mind, seat: int) -> None:
    """Let all the others play for points in every future, from where they stood when the dice fell."""
    known = mind.known
    rival = mind.solvers[RIVAL]
    entrant = mind.futures.entrant
    for other in range(known.players):
        if other != seat:
            theirs = known.seats[other]
            solve(deck, mind, rival, known, other)
            entrant.seat = other
            entrant.answered = 0
            entrant.before = known.roll
            entrant.position = 0
            entrant.luck = theirs.luck
            entrant.stage = ROLLING_ON if theirs.playing else LEAVING
            entrant.points = scored_points(deck, known, theirs)
            for n in range(FUTURES):
                carry_on(deck, theirs, rival, mind.futures, entrant, n)


def list_rival_scores(futures: Futures, state: State, seat: int, solver: Solver) -> None:
    """What is to be beaten in each future, as if rivals saw no roll but theirs, and how likely they make each roll."""
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
                best = max(best, final_standing(futures, other, n, rolls) // POINT)
        at = n
        while at > 0 and solver.rival_scores[at - 1] > best:
            solver.rival_scores[at] = solver.rival_scores[at - 1]
            at -= 1
        solver.rival_scores[at] = best


def worth_of_future(futures: Futures, players: int, seat: int, n: int) -> float:
    """What the end of a future is worth to a player."""
    rolls = last_roll(futures, players, n)
    mine = final_standing(futures, seat, n, rolls)
    sharers = 1
    for other in range(players):
        if other != seat:
            theirs = final_standing(futures, other, n, rolls)
            if theirs > mine:
                return POINTS * (mine // POINT)
            if theirs == mine:
                sharers += 1
    return WIN / sharers + POINTS * (mine // POINT)


def try_to_win(deck: Deck, mind: Mind, seat: int, move: int) -> float:
    """What a legal move is worth in all futures."""
    state = mind.here
    mine = state.seats[seat]
    solver = mind.solvers[seat]
    entrant = mind.futures.entrant
    entrant.seat = seat
    entrant.answered = 1
    entrant.before = state.roll - 1
    entrant.position = 0
    entrant.luck = mine.luck
    entrant.stage = ASKED
    entrant.points = scored_points(deck, state, mine)
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
            note_failing(deck, mine, solver, mind.futures, entrant, n, state.roll, mine.luck)
        else:
            carry_on(deck, mine, solver, mind.futures, entrant, n)
        total += worth_of_future(mind.futures, state.players, seat, n)
    return total / FUTURES


def choose_to_win(deck: Deck, mind: Mind, seat: int, rng: list[int]) -> int:
    """While rolling the index of the move that wins most often, a few points counting as much as a rare win; else ``NO_EXACT_WAY``."""
    state = mind.here
    if state.seats[seat].stage not in (TO_DECIDE, TO_LEAVE):
        return NO_EXACT_WAY
    solver = mind.solvers[seat]
    seed_rng(mind.look_rng, next32(rng), 0)
    draw_futures(deck, mind.futures, state.outcome, mind.look_rng)
    imagine_rivals(deck, mind, seat)
    list_rival_scores(mind.futures, state, seat, solver)
    solver.to_win = 1
    solve(deck, mind, solver, state, seat)
    solver.to_win = 0
    solver.round = NO_ROUND
    best = 0
    for n in range(mind.trials.count):
        mind.ahead_trials.ratings[n] = try_to_win(deck, mind, seat, mind.trials.moves[n])
        if mind.ahead_trials.ratings[n] > mind.ahead_trials.ratings[best]:
            best = n
    return best
