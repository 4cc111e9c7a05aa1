"""Games to learn from.

The target of a tableau is the value of the next rolling, which is solved exactly.
"""

from __future__ import annotations

from foxclover.core.records import Record, assign, floats, ints
from foxclover.core.rules import CHANCE, ROLL_DUE, below, next32, seed_rng
from foxclover.games.climb.ai.rating import look_ahead, noisy_argmax, rate
from foxclover.games.climb.ai.rolling import solve
from foxclover.games.climb.ai.workspace import (
    INPUTS,
    MISS,
    MODES,
    MOST_LEFT,
    ROUNDS_LEFT,
    Workspace,
    clear_row,
    copy_row,
    net_before_rolling,
    overlap,
    write_tableau,
)
from foxclover.games.climb.rules.moves import legal
from foxclover.games.climb.rules.state import LEVELS, ROLLS_OF_ROUND, SEATS, TO_TAKE, Deck, State
from foxclover.games.climb.rules.table import acting, apply, chance_pending, draw, start
from foxclover.games.climb.rules.tableau import total_points
from foxclover.kernel.batch import CHOICE_STREAM, first_seat

# From a net before rolling to the one after the pushing before it.
AFTER_PUSHING = MOST_LEFT + 1
NONE = -1


class Example(Record):
    """A tableau to learn from."""

    net: int  # that is to learn it
    target: float  # points to come
    inputs: list[float] = floats(INPUTS)


class SelfPlay(Record):
    """Games ``first`` to ``first + count - 1`` of a seed, and the examples they give."""

    players: int
    variant: int
    noise: float  # points by which exploring players misjudge moves
    seed: int
    first: int
    count: int
    examples: int  # written so far
    pending: list[int] = ints(SEATS)  # an example whose value is not yet known, or NONE
    explores: list[int] = ints(SEATS)  # 1: in this round
    # How many players made it; roll 0 counts them all.
    rolls: list[list[list[float]]] = floats(MODES, ROUNDS_LEFT, ROLLS_OF_ROUND)


def note_tableau(
    deck: Deck,
    workspace: Workspace,
    state: State,
    seat: int,
    net: int,
    games: SelfPlay,
    example: Example,
) -> None:
    """Write the inputs of a tableau, its net, and its points so far, as a negative target."""
    mine = state.seats[seat]
    write_tableau(deck, state, mine, workspace.tableau)
    copy_row(example.inputs, workspace.tableau.inputs)
    example.net = net
    example.target = float(-total_points(deck, state, mine))
    games.examples += 1


def note_round_before(
    deck: Deck, workspace: Workspace, games: SelfPlay, examples: list[Example]
) -> None:
    """Write the tableau of every player after a round, and choose who explores next.

    The value of a tableau is that of playing on without exploration.
    """
    state = workspace.here
    for seat in range(state.players):
        row = games.examples
        games.explores[seat] = below(workspace.choice_rng, 2)
        note_tableau(
            deck,
            workspace,
            state,
            seat,
            net_before_rolling(deck, state) + AFTER_PUSHING,
            games,
            examples[row],
        )
        if games.explores[seat]:
            seed_rng(workspace.look_rng, next32(workspace.choice_rng), seat)
            assign(workspace.ahead, state)
            value, _ = look_ahead(deck, workspace, seat, False)
            examples[row].target += value
        else:
            games.pending[seat] = row


def value_round(deck: Deck, workspace: Workspace, games: SelfPlay, examples: list[Example]) -> None:
    """Solve a round for every player before its first roll.

    The result is the target of this tableau and of that after the last round.
    """
    state = workspace.here
    for seat in range(state.players):
        solver = workspace.solvers[seat]
        solve(deck, workspace, solver, state, seat)
        value = solver.roll[0][solver.luck]
        if games.pending[seat] != NONE:
            examples[games.pending[seat]].target += value
            games.pending[seat] = NONE
        example = examples[games.examples]
        note_tableau(deck, workspace, state, seat, net_before_rolling(deck, state), games, example)
        for level in range(LEVELS):
            example.inputs[MISS + level] += overlap(deck, state.seats[seat], level, 0)
        example.target += value


def count_rolls(deck: Deck, state: State, games: SelfPlay) -> None:
    """Count the players who make the next roll."""
    left = min(deck.rounds - state.round, MOST_LEFT)
    rolls = games.rolls[state.solo][left]
    for seat in range(state.players):
        rolls[state.roll + 1] += state.seats[seat].playing
        if state.roll == 0:
            rolls[0] += 1.0


def play_to_learn(
    deck: Deck, workspace: Workspace, games: SelfPlay, examples: list[Example]
) -> None:
    """Play one game.

    Write an example for each tableau before rolling and after pushing. A player explores in half of
    the rounds: their ratings are noisy.
    """
    state = workspace.here
    start(deck, state, games.players, games.variant)
    for seat in range(games.players):
        games.pending[seat] = NONE
        games.explores[seat] = below(workspace.choice_rng, 2)
    noted = 1
    while True:
        mask = acting(deck, state)
        if mask > 0:
            seat = first_seat(mask)
            if state.seats[seat].stage == TO_TAKE and noted < state.round:
                noted = state.round
                note_round_before(deck, workspace, games, examples)
            apply(deck, state, seat, move_to_learn(deck, workspace, games, seat))
        elif chance_pending(deck, state) > 0:
            if chance_pending(deck, state) == ROLL_DUE:
                if state.roll == 0:
                    value_round(deck, workspace, games, examples)
                count_rolls(deck, state, games)
            apply(deck, state, CHANCE, draw(deck, state, workspace.dice_rng))
        else:
            return


def move_to_learn(deck: Deck, workspace: Workspace, games: SelfPlay, seat: int) -> int:
    """Return the move of a player, who may explore."""
    candidates = workspace.candidates
    candidates.count = legal(deck, workspace.here, seat, candidates.moves)
    choice = rate(deck, workspace, seat)
    if games.explores[seat]:
        choice = noisy_argmax(
            candidates.ratings, candidates.count, games.noise, workspace.choice_rng
        )
    return candidates.moves[choice]


def play_games_to_learn(
    deck: Deck, workspace: Workspace, games: SelfPlay, examples: list[Example]
) -> None:
    """Play games and write their examples."""
    games.examples = 0
    for mode in range(MODES):
        for left in range(ROUNDS_LEFT):
            clear_row(games.rolls[mode][left])
    for game in range(games.count):
        seed_rng(workspace.dice_rng, games.seed, games.first + game)
        seed_rng(workspace.choice_rng, games.seed ^ CHOICE_STREAM, games.first + game)
        play_to_learn(deck, workspace, games, examples)
