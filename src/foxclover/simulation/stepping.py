"""Games for learning, many side by side, each advanced to the next decision of a seat that nobody plays for.

A lane is one of these games. Actions are counted without gaps: ``Stepper.moves`` tells the move of each, ``Stepper.actions`` the action of
each move.
"""

from __future__ import annotations

from foxclover.accounts import Result, write_result
from foxclover.ai.family import ROLL_DUE, Mind, forget, write_inputs
from foxclover.ai.playing import WITH_NET, Habit, think
from foxclover.kernel.family import (
    SEATS,
    State,
    Tables,
    acting,
    apply,
    chance_pending,
    draw,
    legal,
    observe,
    observe_table,
    score,
    start,
)
from foxclover.playouts import CHANCE, CHOICE_STREAM, MOVES, choose, first_seat
from foxclover.records import Record, assign, ints, rows, shorts, singles, tinies
from foxclover.rng import below, seed_rng

OUTSIDE = -1  # policy of a seat whose moves come from outside
NOBODY = -1
MOST_ACTIONS = 512
MOST_MOVES = 2304  # one more than the highest number of a player's move, at most
FEATURES = 1312  # at most
INPUTS = 192  # of the nets, with what all see; at most
FOR_POINTS, FOR_GAINS, FOR_WINS = range(3)
ALL_DONE = -1


class Stepper(Record):
    """What all lanes share."""

    players: int
    variant: int
    reward: int  # what is rewarded
    shows_inputs: int  # 1: those of the nets are observed, not the features
    stride: int  # a lane whose game is over goes on with the game so many numbers later
    actions_count: int
    thinkers: int  # seats played with a net
    policies: list[int] = ints(SEATS)
    habits: list[Habit] = rows(Habit, SEATS)  # of those who play with a net
    moves: list[int] = shorts(MOST_ACTIONS)
    actions: list[int] = shorts(MOST_MOVES)
    legal: list[int] = ints(MOVES)


class Lane(Record):
    """A game in progress."""

    seed: int
    number: int  # of the game, as in batches: with the seed it fixes the dice
    seat: int  # who is to decide; NOBODY: the game is over
    over: int
    steps: int  # decisions so far
    points: list[int] = ints(SEATS)  # as they were last rewarded
    dice_rng: list[int] = ints(4)
    choice_rng: list[int] = ints(4)


class Seen(Record):
    """What is seen of a lane by the seat that is to decide."""

    legal: int  # how many actions are legal,
    choices: list[int] = shorts(MOVES)  # and which
    rewards: list[float] = singles(SEATS)
    features: list[int] = shorts(FEATURES)
    mask: list[int] = tinies(MOST_ACTIONS)  # 1: the action is legal


class Sight(Record):
    """The same with the eyes of the nets."""

    inputs: list[float] = singles(INPUTS)


def begin_lane(tables: Tables, stepper: Stepper, mind: Mind, lane: Lane, state: State) -> None:
    """Set up a lane's game."""
    if stepper.thinkers > 0:
        forget(mind)
    seed_rng(lane.dice_rng, lane.seed, lane.number)
    seed_rng(lane.choice_rng, lane.seed ^ CHOICE_STREAM, lane.number)
    start(tables, state, stepper.players, stepper.variant)
    lane.over = 0
    lane.steps = 0
    for seat in range(stepper.players):
        lane.points[seat] = score(tables, state, seat)


def think_in_lane(
    tables: Tables, stepper: Stepper, mind: Mind, lane: Lane, state: State, known: State, seat: int
) -> int:
    """The move of a player with a net, drawn from what chance has for this game's players."""
    assign(mind.here, state)
    assign(mind.known, known)
    for n in range(len(lane.choice_rng)):
        mind.choice_rng[n] = lane.choice_rng[n]
    chosen = think(tables, mind, stepper.habits[seat], seat)
    for n in range(len(lane.choice_rng)):
        lane.choice_rng[n] = mind.choice_rng[n]
    return mind.trials.moves[chosen]


def go_on(
    tables: Tables, stepper: Stepper, mind: Mind, lane: Lane, state: State, known: State
) -> None:
    """Play on up to the next decision from outside, or to the end."""
    while True:
        if chance_pending(tables, state) > 0:
            if stepper.thinkers > 0 and chance_pending(tables, state) == ROLL_DUE:
                assign(known, state)
            apply(tables, state, CHANCE, draw(tables, state, lane.dice_rng))
        else:
            mask = acting(tables, state)
            if mask == 0:
                lane.over = 1
                lane.seat = NOBODY
                return
            seat = first_seat(mask)
            policy = stepper.policies[seat]
            if policy == OUTSIDE:
                lane.seat = seat
                return
            if policy == WITH_NET:
                move = think_in_lane(tables, stepper, mind, lane, state, known, seat)
            else:
                move = choose(
                    tables, state, mind.ahead, policy, seat, stepper.legal, lane.choice_rng
                )
            apply(tables, state, seat, move)


def look(
    tables: Tables, stepper: Stepper, mind: Mind, state: State, seat: int, seen: Seen, sight: Sight
) -> None:
    """Write what a seat sees: the features, or what all see and then the inputs of the nets."""
    if stepper.shows_inputs == 0:
        observe(tables, state, seat, seen.features)
        return
    count = observe_table(tables, state, seat, seen.features)
    for n in range(count):
        sight.inputs[n] = float(seen.features[n])
    write_inputs(tables, mind, state, seat, sight.inputs, count)


def show(
    tables: Tables, stepper: Stepper, mind: Mind, lane: Lane, state: State, seen: Seen, sight: Sight
) -> None:
    """Write what the deciding seat sees; at the end what the first seat from outside sees."""
    for n in range(seen.legal):
        seen.mask[seen.choices[n]] = 0
    seat = lane.seat
    seen.legal = 0
    if seat == NOBODY:
        seat = 0
        while stepper.policies[seat] != OUTSIDE:
            seat += 1
    else:
        seen.legal = legal(tables, state, seat, stepper.legal)
        for n in range(seen.legal):
            action = stepper.actions[stepper.legal[n]]
            seen.choices[n] = action
            seen.mask[action] = 1
    look(tables, stepper, mind, state, seat, seen, sight)


def reward(
    tables: Tables, stepper: Stepper, lane: Lane, state: State, seen: Seen, account: Result
) -> None:
    """Write what the step was worth to each seat."""
    if stepper.reward == FOR_GAINS:
        for seat in range(stepper.players):
            points = score(tables, state, seat)
            seen.rewards[seat] = float(points - lane.points[seat])
            lane.points[seat] = points
        return
    for seat in range(stepper.players):
        seen.rewards[seat] = 0.0
    if lane.over == 0:
        return
    write_result(tables, state, account)
    winners = 0
    for seat in range(stepper.players):
        seen.rewards[seat] = float(account.points[seat])
        if account.places[seat] == 1:
            winners += 1
    if stepper.reward == FOR_WINS:
        for seat in range(stepper.players):
            seen.rewards[seat] = 1.0 / winners if account.places[seat] == 1 else 0.0


def begin_lanes(
    tables: Tables,
    stepper: Stepper,
    mind: Mind,
    lanes: list[Lane],
    states: list[State],
    known: list[State],
    seen: list[Seen],
    sights: list[Sight],
) -> None:
    """Set up the games of all lanes."""
    for n in range(len(lanes)):
        begin_lane(tables, stepper, mind, lanes[n], states[n])
        go_on(tables, stepper, mind, lanes[n], states[n], known[n])
        show(tables, stepper, mind, lanes[n], states[n], seen[n], sights[n])
        for seat in range(stepper.players):
            seen[n].rewards[seat] = 0.0


def step_lanes(
    tables: Tables,
    stepper: Stepper,
    mind: Mind,
    lanes: list[Lane],
    states: list[State],
    known: list[State],
    seen: list[Seen],
    sights: list[Sight],
    actions: list[int],
    account: Result,
) -> int:
    """Make an action in every lane; where the game was over the next one begins instead, whatever the action is.

    An illegal action changes nothing anywhere; its lane is returned, else ALL_DONE.
    """
    for n in range(len(lanes)):
        action = actions[n]
        if lanes[n].over == 0 and (
            action < 0 or action >= stepper.actions_count or seen[n].mask[action] == 0
        ):
            return n
    for n in range(len(lanes)):
        lane = lanes[n]
        state = states[n]
        if lane.over == 1:
            lane.number += stepper.stride
            begin_lane(tables, stepper, mind, lane, state)
        else:
            apply(tables, state, lane.seat, stepper.moves[actions[n]])
            lane.steps += 1
        go_on(tables, stepper, mind, lane, state, known[n])
        reward(tables, stepper, lane, state, seen[n], account)
        show(tables, stepper, mind, lane, state, seen[n], sights[n])
    return ALL_DONE


def draw_actions(seen: list[Seen], actions: list[int], rng: list[int]) -> None:
    """Draw a legal action for every lane, all equally likely; 0 where there is none."""
    for n in range(len(seen)):
        actions[n] = 0
        if seen[n].legal > 0:
            actions[n] = seen[n].choices[below(rng, seen[n].legal)]
