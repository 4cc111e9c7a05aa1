"""Games to learn from: a layout is worth what the rolling that comes next is worth, which is solved exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.ai.climb.inputs import LUCK, LUCKS, MISS, add_layout, net_before_rolling, overlap
from foxclover.ai.climb.leaves import LUCK_NOW
from foxclover.ai.climb.playing import AHEAD, BLANK, HERE, SCRATCH, rate_here, waver
from foxclover.ai.climb.rolling import solve
from foxclover.ai.climb.search import look_ahead
from foxclover.climb.layout import total_points
from foxclover.climb.moves import legal
from foxclover.climb.rules import acting, apply, chance_pending, draw, score, start
from foxclover.climb.state import CHANCE, LEVELS, ROLL_DUE, TO_TAKE, Deck, State
from foxclover.playouts import CHOICE_STREAM, first_seat
from foxclover.records import assign
from foxclover.rng import below, next32, seed_rng

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Ints, Mind, Notebook

AFTER_PUSHING = 5  # from a net before rolling to the one after the pushing that came before


def note_layout(deck: Deck, state: State, seat: int, net: int, book: Notebook, row: int) -> None:
    """Write down the inputs of a layout, the net it belongs to and the points it has so far (to be taken off its worth)."""
    mine = state.seats[seat]
    add_layout(deck, state, mine, book.unit, book.inputs[row])
    book.inputs[row][LUCK + min(mine.luck, LUCKS - 1)] += 1.0
    book.kinds[row] = net
    book.targets[row] = -total_points(deck, state, mine)


def note_round_before(deck: Deck, mind: Mind, states: list[State], book: Notebook, row: int) -> int:
    """A new round: write down everybody's layout, and decide who will waver; his is worth what he would reach if he did not."""
    state = states[HERE]
    for seat in range(state.players):
        book.wild[seat] = below(mind.choice_rng, 2)
        note_layout(deck, state, seat, net_before_rolling(deck, state) + AFTER_PUSHING, book, row)
        if book.wild[seat]:
            seed_rng(mind.look_rng, next32(mind.choice_rng), seat)
            assign(states[AHEAD], states[HERE])
            book.targets[row] += look_ahead(deck, mind, states[AHEAD], states[SCRATCH], seat)
        else:
            book.open_rows[seat] = row
        row += 1
    return row


def value_round(deck: Deck, state: State, mind: Mind, book: Notebook, row: int) -> int:
    """Before the first roll of a round: solve it for everybody; that is what his layout, and the one after the last round, are worth."""
    for seat in range(state.players):
        solver = mind.solvers[seat]
        solve(deck, state, seat, mind.nets, solver, 0)
        worth = solver.roll[0][solver.facts[LUCK_NOW]]
        if book.open_rows[seat] >= 0:
            book.targets[book.open_rows[seat]] += worth
            book.open_rows[seat] = -1
        note_layout(deck, state, seat, net_before_rolling(deck, state), book, row)
        for level in range(LEVELS):
            book.inputs[row][MISS + level] += overlap(deck, state.seats[seat], level, 0)
        book.targets[row] += worth
        row += 1
    return row


def count_rolls(deck: Deck, state: State, book: Notebook) -> None:
    """Count who makes the coming roll."""
    left = min(deck.rounds - state.round, LUCKS - 1)
    for seat in range(state.players):
        book.rolls[state.solo][left][state.roll + 1] += state.seats[seat].playing
        if state.roll == 0:
            book.rolls[state.solo][left][0] += 1.0


def play_lesson(deck: Deck, mind: Mind, states: list[State], variant: int, players: int, heat: float, book: Notebook, row: int) -> int:
    """Play one game; write a row for each layout about to roll and for each layout after pushing. Return the next free row.

    In half of his rounds a player mistakes what moves are worth.
    """
    state = states[HERE]
    assign(states[HERE], states[BLANK])
    start(deck, state, players, variant)
    for seat in range(players):
        book.open_rows[seat] = -1
        book.wild[seat] = below(mind.choice_rng, 2)
    noted = 1
    while True:
        mask = acting(deck, state)
        if mask > 0:
            seat = first_seat(mask)
            if state.seats[seat].stage == TO_TAKE and noted < state.round:
                noted = state.round
                row = note_round_before(deck, mind, states, book, row)
            count = legal(deck, state, seat, mind.moves)
            choice = rate_here(deck, mind, states, seat, count, 1)
            if book.wild[seat]:
                choice = waver(mind.choice_rng, mind.ratings, count, heat)
            apply(deck, state, seat, mind.moves[choice])
        elif chance_pending(deck, state) > 0:
            if chance_pending(deck, state) == ROLL_DUE:
                if state.roll == 0:
                    row = value_round(deck, state, mind, book, row)
                count_rolls(deck, state, book)
            apply(deck, state, CHANCE, draw(deck, state, mind.dice_rng))
        else:
            return row


def play_lessons(
    books: list[Deck],
    mind: Mind,
    states: list[State],
    players: int,
    variant: int,
    heat: float,
    seed: int,
    first: int,
    count: int,
    book: Notebook,
    scores: list[Ints],
) -> int:
    """Play games and write down what they teach; return the number of rows."""
    row = 0
    for game in range(count):
        seed_rng(mind.dice_rng, seed, first + game)
        seed_rng(mind.choice_rng, seed ^ CHOICE_STREAM, first + game)
        row = play_lesson(books[0], mind, states, variant, players, heat, book, row)
        for seat in range(players):
            scores[game][seat] = score(books[0], states[HERE], seat)
    return row
