"""Kernel code of the vector game: many games side by side, each advanced to the next decision.

Actions are numbered without gaps: ``Stepper.moves`` maps actions to moves, ``Stepper.actions``
moves to actions.
"""

from __future__ import annotations

from foxclover.ai.playing import WITH_NET, PlayerConfig, think
from foxclover.ai.stubs import Workspace, forget, write_inputs
from foxclover.core.records import Record, assign, ints, one, rows, shorts, singles, tinies
from foxclover.core.rules import (
    CHANCE,
    MAX_ACTION_SPACE,
    MAX_ACTIONS,
    MAX_FEATURES,
    MAX_INPUTS,
    MAX_MOVES,
    MAX_PLAYERS,
    ROLL_DUE,
    below,
    seed_rng,
)
from foxclover.kernel.batch import CHOICE_STREAM, Result, choose, first_seat, write_result
from foxclover.kernel.stubs import (
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

OUTSIDE = -1  # policy of a seat whose actions come from outside
NOBODY = -1
FOR_POINTS, FOR_GAINS, FOR_WINS = range(3)
ALL_DONE = -1


class Stepper(Record):
    """What all games share."""

    players: int
    variant: int
    reward: int  # FOR_POINTS, FOR_GAINS or FOR_WINS
    shows_inputs: int  # 1: the inputs of the nets are observed, not the features
    stride: int  # added to the number of a finished game to get the next one
    actions_count: int
    observer: int  # the seat observed after the end: the first from outside
    thinkers: int  # seats played with a net
    policies: list[int] = ints(MAX_PLAYERS)
    configs: list[PlayerConfig] = rows(PlayerConfig, MAX_PLAYERS)  # of seats played with a net
    moves: list[int] = shorts(MAX_ACTIONS)
    actions: list[int] = shorts(MAX_ACTION_SPACE)
    legal: list[int] = ints(MAX_MOVES)
    result: Result = one(Result)  # of a finished game


class Episode(Record):
    """A game in progress."""

    seed: int
    number: int  # of the game, as in batches: with the seed it fixes the dice
    action: int  # the next one, from outside
    waits: int  # 1: the next step leaves the game as it is
    seat: int  # to decide; NOBODY: the game is over
    over: int
    steps: int  # decisions so far
    points: list[int] = ints(MAX_PLAYERS)  # as they were last rewarded
    dice_rng: list[int] = ints(4)
    choice_rng: list[int] = ints(4)


class Observation(Record):
    """The observation of the deciding seat."""

    legal: int  # the number of legal actions
    choices: list[int] = shorts(MAX_MOVES)  # the legal actions
    rewards: list[float] = singles(MAX_PLAYERS)
    features: list[int] = shorts(MAX_FEATURES)
    mask: list[int] = tinies(MAX_ACTIONS)  # 1: the action is legal


class NetObservation(Record):
    """The observation of a net."""

    inputs: list[float] = singles(MAX_INPUTS)


def start_episode(
    tables: Tables, stepper: Stepper, workspace: Workspace, episode: Episode, state: State
) -> None:
    """Set up a game."""
    if stepper.thinkers > 0:
        forget(workspace)
    seed_rng(episode.dice_rng, episode.seed, episode.number)
    seed_rng(episode.choice_rng, episode.seed ^ CHOICE_STREAM, episode.number)
    start(tables, state, stepper.players, stepper.variant)
    episode.over = 0
    episode.steps = 0
    for seat in range(stepper.players):
        episode.points[seat] = score(tables, state, seat)


def think_in_episode(
    tables: Tables,
    stepper: Stepper,
    workspace: Workspace,
    episode: Episode,
    state: State,
    pre_roll_state: State,
    seat: int,
) -> int:
    """Return the move of a player with a net, with the random numbers of this game."""
    assign(workspace.here, state)
    assign(workspace.pre_roll_state, pre_roll_state)
    for n in range(len(episode.choice_rng)):
        workspace.choice_rng[n] = episode.choice_rng[n]
    chosen = think(tables, workspace, stepper.configs[seat], seat)
    for n in range(len(episode.choice_rng)):
        episode.choice_rng[n] = workspace.choice_rng[n]
    return workspace.candidates.moves[chosen]


def advance(
    tables: Tables,
    stepper: Stepper,
    workspace: Workspace,
    episode: Episode,
    state: State,
    pre_roll_state: State,
) -> None:
    """Play up to the next decision from outside, or to the end."""
    while True:
        if chance_pending(tables, state) > 0:
            if stepper.thinkers > 0 and chance_pending(tables, state) == ROLL_DUE:
                assign(pre_roll_state, state)
            apply(tables, state, CHANCE, draw(tables, state, episode.dice_rng))
        else:
            mask = acting(tables, state)
            if mask == 0:
                episode.over = 1
                episode.seat = NOBODY
                return
            seat = first_seat(mask)
            policy = stepper.policies[seat]
            if policy == OUTSIDE:
                episode.seat = seat
                return
            if policy == WITH_NET:
                move = think_in_episode(
                    tables, stepper, workspace, episode, state, pre_roll_state, seat
                )
            else:
                move = choose(
                    tables, state, workspace.ahead, policy, seat, stepper.legal, episode.choice_rng
                )
            apply(tables, state, seat, move)


def observe_seat(
    tables: Tables,
    stepper: Stepper,
    workspace: Workspace,
    state: State,
    seat: int,
    observation: Observation,
    net_observation: NetObservation,
) -> None:
    """Write the features of a seat, or the shared ones and then the inputs of the nets."""
    if stepper.shows_inputs == 0:
        observe(tables, state, seat, observation.features)
        return
    count = observe_table(tables, state, seat, observation.features)
    for n in range(count):
        net_observation.inputs[n] = float(observation.features[n])
    write_inputs(tables, workspace, state, seat, net_observation.inputs, count)


def write_observation(
    tables: Tables,
    stepper: Stepper,
    workspace: Workspace,
    episode: Episode,
    state: State,
    observation: Observation,
    net_observation: NetObservation,
) -> None:
    """Write the observation of the deciding seat; at the end, of the first seat from outside."""
    for n in range(observation.legal):
        observation.mask[observation.choices[n]] = 0
    seat = episode.seat
    observation.legal = 0
    if seat == NOBODY:
        seat = stepper.observer
    else:
        observation.legal = legal(tables, state, seat, stepper.legal)
        for n in range(observation.legal):
            action = stepper.actions[stepper.legal[n]]
            observation.choices[n] = action
            observation.mask[action] = 1
    observe_seat(tables, stepper, workspace, state, seat, observation, net_observation)


def reward(
    tables: Tables, stepper: Stepper, episode: Episode, state: State, observation: Observation
) -> None:
    """Write the reward of each seat for the last step."""
    if stepper.reward == FOR_GAINS:
        for seat in range(stepper.players):
            points = score(tables, state, seat)
            observation.rewards[seat] = float(points - episode.points[seat])
            episode.points[seat] = points
        return
    for seat in range(stepper.players):
        observation.rewards[seat] = 0.0
    if episode.over == 0:
        return
    write_result(tables, state, stepper.result)
    winners = 0
    for seat in range(stepper.players):
        observation.rewards[seat] = float(stepper.result.points[seat])
        if stepper.result.places[seat] == 1:
            winners += 1
    if stepper.reward == FOR_WINS:
        for seat in range(stepper.players):
            observation.rewards[seat] = 1.0 / winners if stepper.result.places[seat] == 1 else 0.0


def start_episodes(
    tables: Tables,
    stepper: Stepper,
    workspace: Workspace,
    episodes: list[Episode],
    states: list[State],
    pre_roll_states: list[State],
    observations: list[Observation],
    net_observations: list[NetObservation],
) -> None:
    """Set up all games."""
    for n in range(len(episodes)):
        start_episode(tables, stepper, workspace, episodes[n], states[n])
        advance(tables, stepper, workspace, episodes[n], states[n], pre_roll_states[n])
        write_observation(
            tables, stepper, workspace, episodes[n], states[n], observations[n], net_observations[n]
        )
        for seat in range(stepper.players):
            observations[n].rewards[seat] = 0.0


def step_episode(
    tables: Tables,
    stepper: Stepper,
    workspace: Workspace,
    episode: Episode,
    state: State,
    pre_roll_state: State,
    observation: Observation,
    net_observation: NetObservation,
) -> None:
    """Apply the action of a game, or replace a finished game by the next one."""
    if episode.over == 1:
        episode.number += stepper.stride
        start_episode(tables, stepper, workspace, episode, state)
    else:
        apply(tables, state, episode.seat, stepper.moves[episode.action])
        episode.steps += 1
    advance(tables, stepper, workspace, episode, state, pre_roll_state)
    reward(tables, stepper, episode, state, observation)
    write_observation(tables, stepper, workspace, episode, state, observation, net_observation)


def step_episodes(
    tables: Tables,
    stepper: Stepper,
    workspace: Workspace,
    episodes: list[Episode],
    states: list[State],
    pre_roll_states: list[State],
    observations: list[Observation],
    net_observations: list[NetObservation],
) -> int:
    """Apply the action of every game; a finished game is replaced by the next one instead.

    A game that waits stays as it is, with its rewards and its observation. If an action is illegal,
    change nothing and return the index of its game; else ALL_DONE.
    """
    for n in range(len(episodes)):
        action = episodes[n].action
        if (episodes[n].over == 0 and episodes[n].waits == 0) and (
            action < 0 or action >= stepper.actions_count or observations[n].mask[action] == 0
        ):
            return n
    for n in range(len(episodes)):
        if episodes[n].waits == 0:
            step_episode(
                tables,
                stepper,
                workspace,
                episodes[n],
                states[n],
                pre_roll_states[n],
                observations[n],
                net_observations[n],
            )
    return ALL_DONE


def draw_actions(observations: list[Observation], episodes: list[Episode], rng: list[int]) -> None:
    """Draw a legal action for every game, all equally likely; 0 for finished games."""
    for n in range(len(observations)):
        episodes[n].action = 0
        if observations[n].legal > 0:
            episodes[n].action = observations[n].choices[below(rng, observations[n].legal)]
