"""Playing to win: in the last round a move is as good as the share of possible futures in which it wins.

A future is a row of rolls, which count for everybody. Each rival's round is solved for points and played in all futures. How many of them a
final score wins tells what it is worth, and with that the own round is solved. Then every legal move is carried on in the same futures:
now luck for others' rolls and ties are exact, and so is what the dice do to everybody at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.ai.climb.leaves import CARDS, FAILED, LUCK_NOW, TO_WIN, scored_points
from foxclover.ai.climb.parts import FUTURES, HIGHEST
from foxclover.ai.climb.rating import rate_rolling
from foxclover.ai.climb.rolling import candidates, out_with, solve
from foxclover.climb.layout import black_left, count_active
from foxclover.climb.moves import FAIL, FULFIL, PAY, STAY
from foxclover.climb.piles import bit_of, colour_of, count_bits
from foxclover.climb.state import NO_CARD, PLACES, RED_ROLLS, ROLLS, SLOTS, Deck, Player, State
from foxclover.rng import below, seed_rng

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Ints, Mind, Outlook, Solver

ROLLS_OF_ROUND = 16  # more than there can be
WIN = 100.0  # what a win is worth
POINTS = 0.1  # and a point: it decides where winning does not
POINT = 1 << 15  # a point in a standing; the rest of the number breaks ties
ROLLING_ON, ASKED, LEAVING = range(3)
NOTHING = -1  # no answer to a roll: he fails
LUCKS = 5


def wants_win(deck: Deck, state: State) -> bool:
    """Is it time to play for the win? Not by the solo rules: their sets and lifted cards are unknown to the futures here."""
    return state.players > 1 and not state.solo and state.round == deck.rounds


# -- futures --------------------------------------------------------------------------------------------------------------


def draw_futures(deck: Deck, futures: list[Ints], outcome: int, rng: Ints) -> None:
    """Futures that begin with the roll that lies on the table."""
    for n in range(FUTURES):
        futures[n][0] = outcome
        for k in range(1, ROLLS_OF_ROUND):
            roll = below(rng, ROLLS)
            futures[n][k] = deck.blue_outcome[roll // RED_ROLLS] + deck.red_outcome[roll % RED_ROLLS]


def standing_with(mine: Player, gains: list[float], before: float, scored: int) -> int:
    """Points and what breaks ties, the cards left on each level, if those of a mask are scored."""
    total = POINT * int(before)
    for place in range(PLACES):
        if scored >> place & 1:
            total += POINT * int(gains[place])
        elif mine.active[place] != NO_CARD:
            total += 1 << (3 * (place // SLOTS))
    return total


def answer(deck: Deck, mine: Player, solver: Solver, i: int, luck: int, outcome: int, rolled: int) -> int:
    """The best answer to a roll: where it leads, as ``LUCKS * position + luck``, or NOTHING."""
    mask = solver.masks[i]
    best = NOTHING
    worth = out_with(solver, FAILED, luck, rolled)
    if luck > 0 and solver.value[i][luck - 1] > worth:
        best = LUCKS * i + luck - 1
        worth = solver.value[i][luck - 1]
    left = luck if count_bits(mask) < deck.black_markers else luck - 1
    if left >= 0:
        places = candidates(mask, solver.facts[CARDS])
        for place in range(PLACES):
            if places >> place & 1 and deck.met[outcome][colour_of(mine.active[place])] & bit_of(mine.active[place]):
                child = solver.found[mask | 1 << place]
                if solver.value[child][left] > worth:
                    best = LUCKS * child + left
                    worth = solver.value[child][left]
    return best


def carry_on(
    deck: Deck,
    mine: Player,
    solver: Solver,
    outlook: Outlook,
    seat: int,
    n: int,
    answered: int,
    before: int,
    i: int,
    luck: int,
    stage: int,
    points: float,
) -> None:
    """Let a player go on in a future, ``answered`` rolls of which he has answered, and note how he ends."""
    while stage == ROLLING_ON or (stage == ASKED and solver.roll[i][luck] > solver.stop[i][luck]):
        stage = ASKED
        outcome = outlook.futures[n][answered]
        answered += 1
        leads = answer(deck, mine, solver, i, luck, outcome, before + answered)
        if leads == NOTHING:
            note_failing(deck, mine, solver, outlook, seat, n, before + answered, luck, points)
            return
        i = leads // LUCKS
        luck = leads % LUCKS
    note_end(deck, outlook, seat, n, before + answered, standing_with(mine, solver.gains, points, solver.masks[i]), luck)


def note_failing(
    deck: Deck, mine: Player, solver: Solver, outlook: Outlook, seat: int, n: int, rolls: int, luck: int, points: float
) -> None:
    """A player fails: his cards stay, and another one comes."""
    consolation = 1 if count_active(mine, 0) < deck.room else 0
    note_end(deck, outlook, seat, n, rolls, standing_with(mine, solver.gains, points, 0) + consolation, luck)


def note_end(deck: Deck, outlook: Outlook, seat: int, n: int, rolls: int, stands: int, luck: int) -> None:
    """A player is out after so many rolls of the round."""
    outlook.ended[seat][n] = rolls
    outlook.standing[seat][n] = stands + POINT * luck
    outlook.thirst[seat][n] = deck.clover - luck


def last_roll(outlook: Outlook, players: int, n: int) -> int:
    """How many rolls the round has in a future."""
    rolls = 0
    for seat in range(players):
        rolls = max(rolls, outlook.ended[seat][n])
    return rolls


def final_standing(outlook: Outlook, seat: int, n: int, rolls: int) -> int:
    """Points and what breaks ties at the end of a future of so many rolls."""
    return outlook.standing[seat][n] + POINT * min(outlook.thirst[seat][n], rolls - outlook.ended[seat][n])


# -- what winning is worth --------------------------------------------------------------------------------------------------


def imagine_rivals(deck: Deck, known: State, mind: Mind, seat: int, rival: Solver) -> None:
    """Let all the others play for points in every future."""
    for other in range(known.players):
        if other != seat:
            theirs = known.seats[other]
            solve(deck, known, other, mind.nets, rival, known.roll)
            points = scored_points(deck, known, theirs)
            stage = ROLLING_ON if theirs.playing else LEAVING
            for n in range(FUTURES):
                carry_on(deck, theirs, rival, mind.outlook, other, n, 0, known.roll, 0, rival.facts[LUCK_NOW], stage, points)


def value_scores(outlook: Outlook, state: State, seat: int, solver: Solver) -> None:
    """What each final score is worth against these rivals, as if they saw no roll but theirs, and how likely they make each roll."""
    wins = solver.wins
    for points in range(HIGHEST):
        wins[points] = 0.0
    for roll in range(ROLLS_OF_ROUND):
        solver.others[roll] = 0.0
    for n in range(FUTURES):
        outlook.ended[seat][n] = state.roll
        rolls = last_roll(outlook, state.players, n)
        for roll in range(rolls + 1):
            solver.others[roll] += 1.0 / FUTURES
        best = 0
        for other in range(state.players):
            if other != seat:
                best = max(best, final_standing(outlook, other, n, rolls) // POINT)
        wins[best] += 0.5
        wins[best + 1] += 0.5
    won = 0.0
    for points in range(HIGHEST):
        won += wins[points]
        wins[points] = WIN * won / FUTURES + POINTS * points


def worth_of_future(outlook: Outlook, players: int, seat: int, n: int) -> float:
    """What the end of a future is worth to a player."""
    rolls = last_roll(outlook, players, n)
    mine = final_standing(outlook, seat, n, rolls)
    sharers = 1
    for other in range(players):
        if other != seat:
            theirs = final_standing(outlook, other, n, rolls)
            if theirs > mine:
                return POINTS * (mine // POINT)
            if theirs == mine:
                sharers += 1
    return WIN / sharers + POINTS * (mine // POINT)


def try_to_win(deck: Deck, mind: Mind, state: State, seat: int, solver: Solver, move: int) -> float:
    """What a legal move is worth in all futures."""
    mine = state.seats[seat]
    points = scored_points(deck, state, mine)
    i = 0
    luck = mine.luck
    stage = ASKED
    if move >= FULFIL:
        i = solver.found[mine.marked | 1 << (move - FULFIL)]
        luck -= 1 if black_left(deck, mine) == 0 else 0
    elif move == PAY:
        luck -= 1
    else:
        stage = ROLLING_ON if move == STAY else LEAVING
    total = 0.0
    for n in range(FUTURES):
        if move == FAIL:
            note_failing(deck, mine, solver, mind.outlook, seat, n, state.roll, luck, points)
        else:
            carry_on(deck, mine, solver, mind.outlook, seat, n, 1, state.roll - 1, i, luck, stage, points)
        total += worth_of_future(mind.outlook, state.players, seat, n)
    return total / FUTURES


def choose_to_win(deck: Deck, mind: Mind, state: State, known: State, seat: int, count: int, rival: Solver, seed: int) -> int:
    """The index of the move that wins most often, a few points counting as much as a rare win.

    ``known`` is the table as it was when the dice last fell: nobody looks at decisions of the same roll.
    """
    solver = mind.solvers[seat]
    seed_rng(mind.look_rng, seed, 0)
    draw_futures(deck, mind.outlook.futures, state.outcome, mind.look_rng)
    imagine_rivals(deck, known, mind, seat, rival)
    value_scores(mind.outlook, state, seat, solver)
    solver.facts[TO_WIN] = 1
    rate_rolling(deck, state, seat, mind.nets, solver, mind.moves, count, mind.look_ratings, 0)
    solver.facts[TO_WIN] = 0
    best = 0
    for n in range(count):
        mind.look_ratings[n] = try_to_win(deck, mind, state, seat, solver, mind.moves[n])
        if mind.look_ratings[n] > mind.look_ratings[best]:
            best = n
    return best
