"""Thinking computer players of Geht noch was? at a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from foxclover import ai
from foxclover.ai import nets
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import seeded
from foxclover.games.climb.rules.state import (
    FREE_PLACEMENT,
    PUSHING,
    SOLO_RULES,
    TO_DECIDE,
    TO_LEAVE,
)

GAME = game("geht-noch-was")


def play(position: Position, name: str, rounds: int) -> None:
    """Let one computer player serve all seats, as far as a round; every move must be legal."""
    player = ai.agent(name, GAME, seed=1)
    dice = seeded(5)
    while not position.over and position.state.round <= rounds:
        seat = min(position.to_act)
        position.push(dice.draw(position) if seat == CHANCE else player.choose(position, seat))


@pytest.mark.parametrize(
    ("players", "variant"),
    [(1, 0), (2, 0), (3, SOLO_RULES), (4, FREE_PLACEMENT)],
)
def test_plays_legal_moves_with_any_number_of_players(players: int, variant: int) -> None:
    position = GAME.start_with(players, GAME.unpack(variant))
    play(position, "net", rounds=2)
    assert position.state.round == 3
    assert all(position.score(seat) > 0 for seat in range(players))


def test_plays_a_game_to_its_end() -> None:
    position = GAME.start(1)
    play(position, "net", rounds=5)
    assert position.over
    assert position.score(0) > 30


def test_ranks_every_legal_move_best_first_and_chooses_the_first() -> None:
    position = GAME.start(2)
    player = ai.adviser("net", GAME, seed=1)
    dice = seeded(8)
    asked = set()
    while position.state.round < 3:
        seat = min(position.to_act)
        if seat == CHANCE:
            position.push(dice.draw(position))
            continue
        ranked = player.rank(position, seat)
        assert {entry.move for entry in ranked} == set(position.legal_moves(seat))
        assert [entry.expected for entry in ranked] == sorted(
            (entry.expected for entry in ranked), reverse=True
        )
        assert ranked[0].move == player.choose(position, seat)
        assert all(-5 < entry.expected < 300 for entry in ranked)
        assert {entry.error for entry in ranked} == {nets.value_error(GAME, position.state, seat)}
        asked.add(position.state.seats[seat].stage)
        position.push(ranked[0].move)
    assert len(asked) > 4


def test_thinks_the_same_whatever_it_was_asked_before() -> None:
    position = GAME.start(2)
    used = ai.adviser("net", GAME, seed=1)
    dice = seeded(3)
    compared = 0
    while position.state.round < 2:
        seat = min(position.to_act)
        if seat == CHANCE:
            position.push(dice.draw(position))
            continue
        ranked = used.rank(position, seat)
        if position.state.seats[seat].stage == TO_LEAVE:
            fresh = ai.adviser("net", GAME, seed=1).rank(position, seat)
            assert ranked == fresh
            compared += 1
        position.push(ranked[0].move)
    assert compared > 2


def test_easy_makes_mistakes_that_net_does_not() -> None:
    easy, net = ai.adviser("easy", GAME, seed=2), ai.adviser("net", GAME, seed=2)
    position = GAME.start(1)
    dice = seeded(4)
    different = 0
    while position.state.phase != PUSHING and position.state.round < 2:
        if position.chance_due:
            position.push(dice.draw(position))
            continue
        choices = {str(easy.choose(position, 0)) for _ in range(20)}
        best = net.choose(position, 0)
        different += choices != {str(best)}
        position.push(best)
    assert different > 0


def test_damaged_and_foreign_nets_are_refused_in_one_sentence(tmp_path: Path) -> None:
    whole = nets.shipped(GAME).read_bytes()
    damaged = tmp_path / "damaged.net"
    damaged.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(nets.NetError, match="is damaged"):
        nets.load(damaged, GAME)
    foreign = tmp_path / "foreign.net"
    nets.write_net(foreign, GAME.key, 99, {})
    with pytest.raises(nets.NetError, match="version 99"):
        nets.load(foreign, GAME)
    with pytest.raises(nets.NetError, match="cannot be read"):
        nets.load(tmp_path / "none.net", GAME)


def test_nets_survive_being_written(tmp_path: Path) -> None:
    shipped = nets.shipped_net(GAME)
    nets.save(tmp_path / "copy.net", GAME, shipped)
    kept = nets.load(tmp_path / "copy.net", GAME)
    assert kept.keys() == shipped.keys()
    assert all((kept[name] == array).all() for name, array in shipped.items())


def test_a_searching_player_ignores_what_others_decide_on_the_same_roll() -> None:
    others, dice = ai.agent("greedy", GAME, seed=1), seeded(6)
    searching = ai.adviser("strong", GAME, seed=1)
    compared = 0
    position = GAME.start(2)
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
            continue
        seat = position.acting[0]
        move = others.choose(position, seat)
        if (
            position.state.round == 5
            and position.state.seats[0].stage == position.state.seats[1].stage == TO_DECIDE
        ):
            kept = searching.rng[:]  # type: ignore[attr-defined]
            before = searching.choose(position, 1)
            later = position.copy()
            later.push(others.choose(position, 0))
            searching.rng[:] = kept  # type: ignore[attr-defined]
            if not later.chance_due:
                assert searching.choose(later, 1) == before
                compared += 1
        position.push(move)
    assert compared > 0
