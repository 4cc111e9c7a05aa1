"""Self-play of a net by TD(lambda), backpropagation and Adam."""

from __future__ import annotations

from math import sqrt

from foxclover.ai.candidates import best_rated
from foxclover.core.records import Record, floats, ints, one, rows, singles
from foxclover.core.rules import CHANCE, below, seed_rng
from foxclover.games.clever.ai.network import (
    FIRST,
    SCALARS,
    SECOND,
    Activations,
    FeatureLayout,
    Inputs,
    Net,
    Workspace,
    collect,
    count_entries,
    output,
    restart_sums,
    update_sums,
)
from foxclover.games.clever.ai.rating import (
    SCALE,
    WORST,
    draw_noise,
    may_stop,
    noisy_argmax,
    rate,
    rate_moves,
    sum_of_areas,
    uniform,
)
from foxclover.games.clever.rules.moves import ENTRIES, PASS, legal
from foxclover.games.clever.rules.state import AREAS, CELLS, SEATS, Sheet
from foxclover.games.clever.rules.table import acting, apply, chance_pending, draw, score, start
from foxclover.kernel.batch import first_seat


class Learner(Record):
    """The gradient, Adam's moments and the constants of the next step."""

    grads: Net = one(Net)
    means: Net = one(Net)
    squares: Net = one(Net)
    transposed: list[list[float]] = singles(
        SECOND, FIRST
    )  # the net's weights between the hidden layers
    flow: list[float] = singles(FIRST)  # errors flowing back to the first hidden layer
    back: list[float] = singles(SECOND)  # and to the second
    constants: list[float] = singles(5)  # step size, 1 - beta1, 1 - beta2, epsilon, 1 / examples


def learn(
    net: Net,
    feature_layout: FeatureLayout,
    activations: Activations,
    learner: Learner,
    inputs: Inputs,
    target: float,
) -> None:
    """Add the gradient of half the squared error for some inputs."""
    restart_sums(net, feature_layout, activations)
    update_sums(net, feature_layout, activations, inputs)
    error = output(net, activations) - target
    learner.grads.bias[0] += error
    flow_back(net, activations, learner, error)
    flow_in(feature_layout, learner, inputs)


def flow_back(net: Net, activations: Activations, learner: Learner, error: float) -> None:
    """Add the gradients of the upper layers; compute the errors of the first hidden layer."""
    grads = learner.grads
    back = learner.back
    flow = learner.flow
    for i in range(FIRST):
        flow[i] = 0.0
    for j in range(SECOND):
        back[j] = 0.0
        if activations.hidden[j] > 0:
            grads.out[j] += error * activations.hidden[j]
            back[j] = error * net.out[j]
            strength = back[j]
            grads.second[j] += strength
            for i in range(FIRST):
                flow[i] += strength * learner.transposed[j][i]
    for i in range(FIRST):
        strength = activations.sums[i]
        if strength > 0:
            grads.first[i] += flow[i]
            for j in range(SECOND):
                grads.weights[i][j] += strength * back[j]
        else:
            flow[i] = 0.0


def flow_in(feature_layout: FeatureLayout, learner: Learner, inputs: Inputs) -> None:
    """Add the gradients of the rows and scalars of the first hidden layer."""
    grads = learner.grads
    flow = learner.flow
    for slot in range(feature_layout.slots):
        if inputs.codes[slot] > 0:
            row = feature_layout.base[slot] + inputs.codes[slot]
            for i in range(FIRST):
                grads.rows[row][i] += flow[i]
    for scalar in range(SCALARS):
        strength = inputs.scalars[scalar]
        for i in range(FIRST):
            grads.scalars[scalar][i] += strength * flow[i]


def step_net(net: Net, feature_layout: FeatureLayout, learner: Learner) -> None:
    """Take a step of Adam on a whole net; rows without an example stay unchanged."""
    grads = learner.grads
    means = learner.means
    squares = learner.squares
    constants = learner.constants
    for row in range(feature_layout.rows):
        if not is_blank(grads.rows[row]):
            step_row(net.rows[row], grads.rows[row], means.rows[row], squares.rows[row], constants)
    for i in range(FIRST):
        step_row(net.weights[i], grads.weights[i], means.weights[i], squares.weights[i], constants)
    for scalar in range(SCALARS):
        step_row(
            net.scalars[scalar],
            grads.scalars[scalar],
            means.scalars[scalar],
            squares.scalars[scalar],
            constants,
        )
    step_row(net.first, grads.first, means.first, squares.first, constants)
    step_row(net.second, grads.second, means.second, squares.second, constants)
    step_row(net.out, grads.out, means.out, squares.out, constants)
    step_row(net.bias, grads.bias, means.bias, squares.bias, constants)
    transpose(net, learner)


def is_blank(grads: list[float]) -> bool:
    """Return whether no example has touched a row."""
    blank = True
    for i in range(len(grads)):
        blank = blank and grads[i] == 0
    return blank


def step_row(
    weights: list[float],
    grads: list[float],
    means: list[float],
    squares: list[float],
    constants: list[float],
) -> None:
    """Take a step of Adam on a row of weights; clear the gradient."""
    step, mean_rate, square_rate = constants[0], constants[1], constants[2]
    epsilon, share = constants[3], constants[4]
    for i in range(len(weights)):
        gradient = grads[i] * share
        means[i] += mean_rate * (gradient - means[i])
        squares[i] += square_rate * (gradient * gradient - squares[i])
        weights[i] -= step * means[i] / (sqrt(squares[i]) + epsilon)
        grads[i] = 0.0


def transpose(net: Net, learner: Learner) -> None:
    """Copy the weights between the hidden layers in the order of backpropagation."""
    for i in range(FIRST):
        for j in range(SECOND):
            learner.transposed[j][i] = net.weights[i][j]


POSITIONS = 1024  # of a game to learn from, at most
CHOICE_STREAM = 0x300D
LEAST = 9  # entries that a limited area always gets
AVOIDED = 100.0  # points by which a move into a limited area is rated down
NOTHING_KNOWN, GOES_ON, LEFT = range(3)
WEAK_DECISIONS, RANDOM_DECISIONS = 60, 20  # of each player at the beginning of a game, at most
MEDIUM, EASY, RANDOM = 4.5, 9.0, 0.0  # points by which they misjudge moves; 0: moves are random
TWO, THREE = 0.44, 0.78  # of the games with several players, up to here have two, up to here three


class Example(Record):
    """A position after a move."""

    owner: int  # who made the move
    points: int  # of their areas
    ahead: float  # value at their next decision
    # 0 no decision followed, 1 ahead counts together with the end of the game, 2 ahead alone
    # counts
    known: int
    inputs: Inputs = one(Inputs)


class SelfPlay(Record):
    """The settings of self-play, and the game in progress."""

    solo: float  # share of games with one player; the others have two, three or four
    exploration_share: float  # share of games with exploration
    noise: float  # points of noise in such a game
    exploration_points: float  # deviation of the points added to an area's moves
    limited: int  # area that gets no more entries than a number drawn for each game; -1: none
    highest_limit: float  # the highest such number
    trace: float  # lambda of TD(lambda): weight of the end of a game for its beginning
    looks_through: int  # 1: moves are rated with their continuation, as players rate them
    weak: float  # share of games that begin with weak play, then continue at full strength
    weak_left: int  # weak decisions to come in this game
    weak_noise: float  # points by which they misjudge moves
    explores: int  # 1: the game has exploration
    limit: int  # entries that the limited area gets in it
    exploration: list[list[float]] = floats(SEATS, AREAS)  # points added to an area's moves
    count: int  # examples
    examples: list[Example] = rows(Example, POSITIONS)
    latest: list[int] = ints(SEATS)  # example; -1: none yet


def spread(rng: list[int]) -> float:
    """Draw a number with mean 0 and deviation 1."""
    return 2.0 * (uniform(rng) + uniform(rng) + uniform(rng) - 1.5)


def draw_players(solo: float, rng: list[int]) -> int:
    """Draw the number of players of the next game."""
    drawn = uniform(rng)
    if drawn < solo:
        return 1
    share = (drawn - solo) / (1 - solo)
    return 2 if share < TWO else 3 if share < THREE else 4


def entered_area(move: int) -> int:
    """Return the area of a move's entry; -1: none."""
    return move % ENTRIES // CELLS if move < PASS else -1


def avoid(workspace: Workspace, area: int) -> int:
    """Lower the rating of every entry in an area; return the best move."""
    candidates = workspace.candidates
    for index in range(candidates.count):
        if entered_area(candidates.moves[index]) == area:
            candidates.ratings[index] -= AVOIDED
    return best_rated(candidates)


def explore(workspace: Workspace, game: SelfPlay, seat: int) -> int:
    """Choose a move by rating, the bonuses of the areas in this game, and noise."""
    candidates = workspace.candidates
    chosen, highest = 0, WORST
    for index in range(candidates.count):
        rating = candidates.ratings[index] + draw_noise(workspace.choice_rng, game.noise)
        area = entered_area(candidates.moves[index])
        if area >= 0:
            rating += game.exploration[seat][area]
        if rating > highest:
            highest, chosen = rating, index
    return chosen


def note_decision(game: SelfPlay, seat: int, value: float, left: bool) -> None:
    """Record the value of a decision after the latest example of a seat.

    After another move than the best, the end of the game does not count for the example.
    """
    if game.latest[seat] >= 0:
        example = game.examples[game.latest[seat]]
        if example.known == NOTHING_KNOWN or (left and example.known == GOES_ON):
            example.ahead = value
            example.known = LEFT if left else GOES_ON


def note_position(sheet: Sheet, workspace: Workspace, game: SelfPlay, seat: int) -> None:
    """Record the position after a move, if the net rates it."""
    if may_stop(workspace.here, seat) or game.count == POSITIONS:
        return
    example = game.examples[game.count]
    if collect(sheet, workspace.feature_layout, workspace.here, seat, example.inputs):
        example.points = sum_of_areas(workspace.here.seats[seat])
        example.known = NOTHING_KNOWN
        example.owner = seat
        game.latest[seat] = game.count
        game.count += 1


def draw_weakness(game: SelfPlay, players: int, rng: list[int]) -> None:
    """Draw how weakly a game begins, and for how many decisions."""
    game.weak_left = 0
    if uniform(rng) >= game.weak:
        return
    kind = below(rng, 3)
    game.weak_noise = RANDOM if kind == 0 else EASY if kind == 1 else MEDIUM
    game.weak_left = below(rng, (RANDOM_DECISIONS if kind == 0 else WEAK_DECISIONS) * players)


def choose_weakly(workspace: Workspace, game: SelfPlay) -> int:
    """Choose a move as a weak player does."""
    if game.weak_noise > 0:
        return noisy_argmax(
            workspace.candidates.ratings,
            workspace.candidates.count,
            game.weak_noise,
            workspace.choice_rng,
        )
    return below(workspace.choice_rng, workspace.candidates.count)


def begin_game(sheet: Sheet, workspace: Workspace, game: SelfPlay) -> None:
    """Draw how many play, and how."""
    players = draw_players(game.solo, workspace.choice_rng)
    game.explores = 1 if uniform(workspace.choice_rng) < game.exploration_share else 0
    game.limit = LEAST + int((game.highest_limit - LEAST) * uniform(workspace.choice_rng) + 0.5)
    game.count = 0
    if game.weak > 0:
        draw_weakness(game, players, workspace.choice_rng)
    for seat in range(SEATS):
        game.latest[seat] = -1
        for area in range(AREAS):
            game.exploration[seat][area] = 0.0
            if game.explores == 1:
                game.exploration[seat][area] = game.exploration_points * spread(
                    workspace.choice_rng
                )
    start(sheet, workspace.here, players, 0)


def play_and_note(sheet: Sheet, workspace: Workspace, game: SelfPlay) -> None:
    """Play a game to its end and record positions after moves."""
    state = workspace.here
    candidates = workspace.candidates
    while True:
        mask = acting(sheet, state)
        if mask > 0:
            seat = first_seat(mask)
            candidates.count = legal(sheet, state, seat, candidates.moves)
            best = (
                rate(sheet, workspace, seat)
                if game.looks_through == 1
                else rate_moves(sheet, workspace, state, candidates, seat)
            )
            if (
                game.limited >= 0
                and count_entries(sheet, state.seats[seat], game.limited) >= game.limit
            ):
                best = avoid(workspace, game.limited)
            chosen = best
            if game.explores == 1:
                chosen = explore(workspace, game, seat)
            elif game.weak_left > 0 and candidates.count > 1:
                game.weak_left -= 1
                chosen = choose_weakly(workspace, game)
            note_decision(game, seat, candidates.ratings[best], chosen != best)
            apply(sheet, state, seat, candidates.moves[chosen])
            note_position(sheet, workspace, game, seat)
        elif chance_pending(sheet, state) > 0:
            apply(sheet, state, CHANCE, draw(sheet, state, workspace.dice_rng))
        else:
            return


def teach(
    sheet: Sheet, workspace: Workspace, game: SelfPlay, learner: Learner, seed: int, number: int
) -> int:
    """Play a game and add up the gradient of its examples; return their number."""
    seed_rng(workspace.dice_rng, seed, number)
    seed_rng(workspace.choice_rng, seed ^ CHOICE_STREAM, number)
    begin_game(sheet, workspace, game)
    play_and_note(sheet, workspace, game)
    for seat in range(workspace.here.players):
        value = float(score(sheet, workspace.here, seat))
        for n in range(game.count - 1, -1, -1):
            example = game.examples[n]
            if example.owner == seat:
                if example.known == LEFT:
                    value = example.ahead
                elif example.known == GOES_ON:
                    value = (1 - game.trace) * example.ahead + game.trace * value
                learn(
                    workspace.net,
                    workspace.feature_layout,
                    workspace.activations,
                    learner,
                    example.inputs,
                    (value - example.points) / SCALE,
                )
    return game.count
