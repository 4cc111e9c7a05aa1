"""What was known when the dice last fell reaches the workers.

Strong players play to win through the server as they do in the library.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from foxclover.ai import agent, agents
from foxclover.ai.agents import SearchAgent
from foxclover.ai.stubs import NO_EXACT_WAY
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.dice.sources import seeded
from foxclover.games.climb.rules.state import TO_DECIDE, TO_LEAVE, State
from foxclover.server.thinking import tasks as thinking
from tables import CLIMB

DECISIONS = 20
SEED = 7


def decisions() -> Iterator[tuple[Position, int]]:
    """Decisions on a roll of the last round between at least two moves."""
    chosen = game(CLIMB)
    player = agent("greedy", chosen, SEED)
    for seed in range(100):
        position, dice = chosen.start(2), seeded(seed)
        while not position.over:
            if position.chance_due:
                position.roll(dice)
                continue
            seat = position.acting[-1]
            on_roll = position.state.seats[seat].stage in (TO_DECIDE, TO_LEAVE)
            if (
                position.state.round == chosen.definition.tables.rounds
                and on_roll
                and len(position.legal_moves(seat)) > 1
            ):
                yield position, seat
            position.push(player.choose(position, seat))


def test_strong_players_play_to_win_through_the_worker_as_in_the_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(agents, "fresh_seed", lambda: SEED)
    ways: list[int] = []

    def watch(player: SearchAgent) -> None:
        call = player.instance.call

        def watched(entry: str, *arguments: object) -> object:
            answer = call(entry, *arguments)
            if entry == "choose_to_win":
                ways.append(answer)
            return answer

        monkeypatch.setattr(player.instance, "call", watched)

    told_apart = 0
    for (position, seat), _ in zip(decisions(), range(DECISIONS), strict=False):
        thinking._agent.cache_clear()
        through_worker, here = thinking._agent("strong", CLIMB), agent("strong", game(CLIMB))
        watch(through_worker)
        watch(here)
        assert (
            thinking.choose("strong", CLIMB, position.dump(), seat)
            == here.choose(position, seat).number
        )
        assert (
            through_worker.instance.read(State, through_worker.workspace.pre_roll_state)
            == position.pre_roll_state
        )
        told_apart += position.pre_roll_state != position.state
    assert len(ways) == 2 * DECISIONS
    assert NO_EXACT_WAY not in ways
    assert told_apart == DECISIONS
    thinking._agent.cache_clear()
