"""A whole game played by the engine and by a referee side by side."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from foxclover.core.position import Position
from foxclover.core.rules import CHANCE, RANDOM
from foxclover.dice.sources import seeded

PlayerConfig = Callable[[random.Random, list[str]], str]

FEW_DICE = 2  # rolls of so many are compared outcome by outcome


class Referee(Protocol):
    """What a referee can be asked."""

    def to_act(self) -> frozenset[int] | set[int]:
        """Seats, chance, or nobody."""

    def legal(self, seat: int) -> set[str]:
        """The texts of all legal moves."""

    def chances(self) -> dict[str, int]:
        """What chance may do, with weights."""

    def parts(self, seat: int) -> dict[str, int]:
        """The breakdown of a score."""

    def merits(self) -> list[tuple[int, ...]]:
        """What places go by, seat by seat."""

    def play(self, seat: int, text: str) -> None:
        """Make a move."""


def anything(rng: random.Random, texts: list[str]) -> str:
    return rng.choice(texts)


def draw_beginner(players: int, rng: random.Random) -> int:
    """Any seat, or the lot."""
    return rng.choice([*range(players), RANDOM]) if players > 1 else 0


def play_on(
    position: Position, referee: Referee, config: PlayerConfig, seed: int, rng: random.Random
) -> None:
    """Play to the end by habit, and compare before every move and at the end."""
    dice = seeded(seed)
    while not position.over:
        compare(position, referee)
        seat = rng.choice(sorted(position.to_act))
        if seat == CHANCE:
            compare_chance(position, referee)
            compare_accounts(position, referee)
            move = dice.draw(position)
        else:
            moves = {move.text: move for move in position.legal_moves(seat)}
            move = moves[config(rng, list(moves))]
        position.push_unchecked(move)
        referee.play(seat, move.text)
    compare(position, referee)
    compare_accounts(position, referee)


def compare(position: Position, referee: Referee) -> None:
    """Who is to act, and all they may do."""
    assert position.to_act == referee.to_act()
    for seat in position.acting:
        assert {move.text for move in position.legal_moves(seat)} == referee.legal(seat)


def compare_chance(position: Position, referee: Referee) -> None:
    """Which cards, platters, lots and rolls of few dice are possible, with which weights.

    Of other rolls referees check the dice.
    """
    if (
        position.view()["chance"] == "roll"
        and position.game.contract.features.dice_due(position.state) > FEW_DICE
    ):
        return
    assert {move.text: weight for move, weight in position.chance_moves()} == referee.chances()


def compare_accounts(position: Position, referee: Referee) -> None:
    """Every part of every score, and all places."""
    merits = referee.merits()
    for seat in range(position.players):
        assert position.breakdown(seat) == referee.parts(seat)
        assert position.score(seat) == merits[seat][0]
    assert position.places() == [1 + sum(other > own for other in merits) for own in merits]
