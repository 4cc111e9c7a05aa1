"""Games to learn from: a tableau is worth what the rolling that comes next is worth, which is solved exactly."""

from __future__ import annotations

from foxclover.ai.climb.inputs import overlap, write_tableau
from foxclover.ai.climb.mind import Mind
from foxclover.ai.climb.network import (
    INPUTS,
    MISS,
    MODES,
    MOST_LEFT,
    ROUNDS_LEFT,
    net_before_rolling,
)
from foxclover.ai.climb.rating import misjudge, rate
from foxclover.ai.climb.rolling import solve
from foxclover.ai.climb.search import look_ahead
from foxclover.ai.climb.vectors import copy_row
from foxclover.climb.moves import legal
from foxclover.climb.rules import acting, apply, chance_pending, draw, start
from foxclover.climb.state import (
    CHANCE,
    LEVELS,
    ROLL_DUE,
    ROLLS_OF_ROUND,
    SEATS,
    TO_TAKE,
    Deck,
    State,
)
from foxclover.climb.tableau import total_points
from foxclover.playouts import CHOICE_STREAM, first_seat
from foxclover.records import Record, assign, floats, ints
from foxclover.rng import below, next32, seed_rng

AFTER_PUSHING = (
    MOST_LEFT + 1
)  # from a net before rolling to the one after the pushing that came before
NONE = -1


class Example(Record):
    """A tableau to learn from."""

    net: int  # that is to learn it
    target: float  # points to come
    inputs: list[float] = floats(INPUTS)


class SelfPlay(Record):
    """Games ``first`` to ``first + count - 1`` of a seed, and what is noted on the way."""

    players: int
    variant: int
    heat: float  # points by which who wavers misjudges moves
    seed: int
    first: int
    count: int
    examples: int  # written so far
    pending: list[int] = ints(SEATS)  # an example whose worth is not yet known, or NONE
    wavers: list[int] = ints(SEATS)  # 1: in this round
    rolls: list[list[list[float]]] = floats(
        MODES, ROUNDS_LEFT, ROLLS_OF_ROUND
    )  # how many players made it; roll 0 counts them all


def note_tableau(
    deck: Deck, mind: Mind, state: State, seat: int, net: int, games: SelfPlay, example: Example
) -> None:
    """Write down the inputs of a tableau, the net it belongs to and the points it has so far (to be taken off its worth)."""
    mine = state.seats[seat]
    write_tableau(deck, state, mine, mind.tableau)
    copy_row(example.inputs, mind.tableau.inputs)
    example.net = net
    example.target = float(-total_points(deck, state, mine))
    games.examples += 1


def note_round_before(deck: Deck, mind: Mind, games: SelfPlay, examples: list[Example]) -> None:
    """A new round: write down everybody's tableau, and decide who will waver; his is worth what he would reach if he did not."""
    state = mind.here
    for seat in range(state.players):
        row = games.examples
        games.wavers[seat] = below(mind.choice_rng, 2)
        note_tableau(
            deck,
            mind,
            state,
            seat,
            net_before_rolling(deck, state) + AFTER_PUSHING,
            games,
            examples[row],
        )
        if games.wavers[seat]:
            seed_rng(mind.look_rng, next32(mind.choice_rng), seat)
            assign(mind.ahead, state)
            worth, _ = look_ahead(deck, mind, seat, False)
            examples[row].target += worth
        else:
            games.pending[seat] = row


def value_round(deck: Deck, mind: Mind, games: SelfPlay, examples: list[Example]) -> None:
    """Before the first roll of a round: solve it for everybody; that is what his tableau, and the one after the last round, are worth."""
    state = mind.here
    for seat in range(state.players):
        solver = mind.solvers[seat]
        solve(deck, mind, solver, state, seat)
        worth = solver.roll[0][solver.luck]
        if games.pending[seat] != NONE:
            examples[games.pending[seat]].target += worth
            games.pending[seat] = NONE
        example = examples[games.examples]
        note_tableau(deck, mind, state, seat, net_before_rolling(deck, state), games, example)
        for level in range(LEVELS):
            example.inputs[MISS + level] += overlap(deck, state.seats[seat], level, 0)
        example.target += worth


def count_rolls(deck: Deck, state: State, games: SelfPlay) -> None:
    """Count who makes the coming roll."""
    left = min(deck.rounds - state.round, MOST_LEFT)
    rolls = games.rolls[state.solo][left]
    for seat in range(state.players):
        rolls[state.roll + 1] += state.seats[seat].playing
        if state.roll == 0:
            rolls[0] += 1.0


def play_to_learn(deck: Deck, mind: Mind, games: SelfPlay, examples: list[Example]) -> None:
    """Play one game; write an example for each tableau about to roll and for each tableau after pushing.

    In half of his rounds a player mistakes what moves are worth.
    """
    state = mind.here
    start(deck, state, games.players, games.variant)
    for seat in range(games.players):
        games.pending[seat] = NONE
        games.wavers[seat] = below(mind.choice_rng, 2)
    noted = 1
    while True:
        mask = acting(deck, state)
        if mask > 0:
            seat = first_seat(mask)
            if state.seats[seat].stage == TO_TAKE and noted < state.round:
                noted = state.round
                note_round_before(deck, mind, games, examples)
            move = move_to_learn(deck, mind, games, seat)
            apply(deck, state, seat, move)
        elif chance_pending(deck, state) > 0:
            if chance_pending(deck, state) == ROLL_DUE:
                if state.roll == 0:
                    value_round(deck, mind, games, examples)
                count_rolls(deck, state, games)
            apply(deck, state, CHANCE, draw(deck, state, mind.dice_rng))
        else:
            return


def move_to_learn(deck: Deck, mind: Mind, games: SelfPlay, seat: int) -> int:
    """The move of a player, who may waver."""
    trials = mind.trials
    trials.count = legal(deck, mind.here, seat, trials.moves)
    choice = rate(deck, mind, seat)
    if games.wavers[seat]:
        choice = misjudge(trials.ratings, trials.count, games.heat, mind.choice_rng)
    return trials.moves[choice]


def begin_notes(games: SelfPlay) -> None:
    """Nothing is noted yet."""
    games.examples = 0
    for mode in range(MODES):
        for left in range(ROUNDS_LEFT):
            for roll in range(ROLLS_OF_ROUND):
                games.rolls[mode][left][roll] = 0.0


def play_games_to_learn(deck: Deck, mind: Mind, games: SelfPlay, examples: list[Example]) -> None:
    """Play games and write down what they teach."""
    begin_notes(games)
    for game in range(games.count):
        seed_rng(mind.dice_rng, games.seed, games.first + game)
        seed_rng(mind.choice_rng, games.seed ^ CHOICE_STREAM, games.first + game)
        play_to_learn(deck, mind, games, examples)
