"""Play whole games with any computer players; search by sequential halving: kernel code."""

from __future__ import annotations

from foxclover.ai.candidates import best_rated, drop_weaker_half, note_try, pick_candidates
from foxclover.ai.stubs import (
    NO_EXACT_WAY,
    Workspace,
    choose_to_win,
    is_forced,
    look_ahead,
    noisy_argmax,
    priority,
    rate,
    wants_win,
)
from foxclover.core.records import Record, assign
from foxclover.core.rules import CHANCE, ROLL_DUE, next32, seed_rng
from foxclover.kernel.batch import CHOICE_STREAM, Batch, Result, choose, finish, first_seat, make
from foxclover.kernel.stubs import Tables, acting, apply, chance_pending, draw, legal, start

WITH_NET = 2  # a policy beside those of ``kernel.batch``
NEVER = -1  # no round


class PlayerConfig(Record):
    """The parameters of a player with a net."""

    noise: float  # in points, added to ratings
    tries: int  # rollouts of a decision
    prior: float  # rollouts that a rating counts for
    to_win: int  # 1: in the last round winning counts, not points


def list_candidates(workspace: Workspace, seat: int) -> int:
    """Order the rated moves by priority; return how many deserve rollouts."""
    candidates = workspace.candidates
    best = best_rated(candidates)
    for index in range(candidates.count):
        candidates.priorities[index] = priority(workspace, seat, index, best)
    return pick_candidates(candidates)


def try_candidates(
    tables: Tables, workspace: Workspace, seat: int, left: int, number: int, to_win: bool, seed: int
) -> None:
    """Roll out the first moves of the order; rollout n of every move has the same dice."""
    candidates = workspace.candidates
    for at in range(left):
        index = candidates.order[at]
        for _ in range(number):
            seed_rng(workspace.look_rng, seed, candidates.tries[index])
            assign(workspace.ahead, workspace.here)
            apply(tables, workspace.ahead, seat, candidates.moves[index])
            points, won = look_ahead(tables, workspace, seat, to_win)
            note_try(candidates, index, points, won)


def search(
    tables: Tables,
    workspace: Workspace,
    seat: int,
    tries: int,
    prior: float,
    to_win: bool,
    seed: int,
) -> int:
    """Find the best rated move with about ``tries`` rollouts; return its index.

    After a share of the rollouts the weaker half of the moves is dropped, so that most rollouts go
    to moves of similar value.
    """
    left = list_candidates(workspace, seat)
    turns = 0
    while 1 << turns < left:
        turns += 1
    while left > 1:
        try_candidates(tables, workspace, seat, left, max(1, tries // (turns * left)), to_win, seed)
        left = drop_weaker_half(workspace.candidates, left, prior, to_win)
    return workspace.candidates.order[0]


def think(tables: Tables, workspace: Workspace, config: PlayerConfig, seat: int) -> int:
    """Return the index of a player's move in ``workspace.here``: by rating, noisy rating or search.

    Play for the win if the player is configured so and it is time.
    """
    candidates = workspace.candidates
    candidates.count = legal(tables, workspace.here, seat, candidates.moves)
    if is_forced(workspace):
        return 0
    to_win = config.to_win == 1 and wants_win(tables, workspace.here)
    if to_win:
        chosen = choose_to_win(tables, workspace, seat, workspace.choice_rng)
        if chosen != NO_EXACT_WAY:
            return chosen
    best = rate(tables, workspace, seat)
    if config.noise > 0:
        return noisy_argmax(
            candidates.ratings, candidates.count, config.noise, workspace.choice_rng
        )
    if config.tries > 0 and candidates.count > 1:
        seed = next32(workspace.choice_rng)
        return search(tables, workspace, seat, config.tries, config.prior, to_win, seed)
    return best


def play_on(
    tables: Tables, workspace: Workspace, batch: Batch, configs: list[PlayerConfig], until: int
) -> bool:
    """Play on from ``workspace.here`` to the end or to round ``until``; return False if stopped."""
    state = workspace.here
    while not batch.stop:
        if state.round == until:
            return True
        mask = acting(tables, state)
        if mask > 0:
            seat = first_seat(mask)
            if batch.policies[seat] == WITH_NET:
                move = workspace.candidates.moves[think(tables, workspace, configs[seat], seat)]
            else:
                move = choose(
                    tables,
                    state,
                    workspace.ahead,
                    batch.policies[seat],
                    seat,
                    workspace.candidates.moves,
                    workspace.choice_rng,
                )
            make(tables, state, batch, seat, move)
        elif chance_pending(tables, state) > 0:
            if chance_pending(tables, state) == ROLL_DUE:
                assign(workspace.pre_roll_state, state)
            make(tables, state, batch, CHANCE, draw(tables, state, workspace.dice_rng))
        else:
            return True
    return False


def play_with_workspaces(
    tables: Tables,
    workspace: Workspace,
    batch: Batch,
    configs: list[PlayerConfig],
    results: list[Result],
) -> None:
    """Play the games of a batch like ``play_games``, with the same dice and players with nets."""
    batch.made = 0
    batch.played = 0
    while batch.played < batch.count:
        game = batch.played
        seed_rng(workspace.dice_rng, batch.seed, batch.first + game)
        seed_rng(workspace.choice_rng, batch.seed ^ CHOICE_STREAM, batch.first + game)
        batch.logged = 0
        start(tables, workspace.here, batch.players, batch.variant)
        if not play_on(tables, workspace, batch, configs, NEVER):
            return
        finish(tables, workspace.here, batch, results[game])
