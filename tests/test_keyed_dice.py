"""Keyed dice: fair, and the same for all players with the same key, whatever they choose."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from foxclover import CHANCE, game_names, seeded
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.core.rules import RANDOM
from foxclover.dice.sources import keyed
from test_fair_dice import LIMIT_5, chi_square

KEY = bytes(range(32))
FACES = 600_000


class Noted(keyed):
    """Remembers what was at each address."""

    def __init__(self, key: bytes) -> None:
        super().__init__(key)
        self.seen: dict[str, int | bytes] = {}
        self.asked = Counter[str]()

    def face(self, address: str) -> int:
        self.asked[address] += 1
        self.seen[address] = super().face(address)
        return int(self.seen[address])


def played(key: str, players: int, seed: int, dice: keyed) -> Position:
    position, chooser = game(key).start(players), random.Random(seed)
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
        else:
            seat = chooser.choice(position.acting)
            position.push(chooser.choice(position.legal_moves(seat)))
    return position


@pytest.mark.parametrize(
    ("key", "players"), [(key, players) for key in game_names() for players in game(key).players]
)
def test_the_same_address_shows_the_same_whatever_was_chosen_and_is_used_once(
    key: str, players: int
) -> None:
    notes = [Noted(KEY) for _ in range(4)]
    ends = [played(key, players, seed, note) for seed, note in enumerate(notes)]
    assert len(
        {tuple(move.text for move in end.moves_made if move.seat != CHANCE) for end in ends}
    ) == len(ends), "all chose differently"
    for note in notes:
        assert max(note.asked.values()) == 1, "every die has its own address"
    shared = set.intersection(*(set(note.seen) for note in notes))
    assert len(shared) > 20
    assert all(len({note.seen[address] for note in notes}) == 1 for address in shared)
    firsts = {next(move.text for move in end.moves_made if move.seat == CHANCE) for end in ends}
    assert len(firsts) == 1


@pytest.mark.parametrize("key", game_names())
def test_the_same_choices_give_the_same_game_and_another_key_another_game(key: str) -> None:
    assert played(key, 2, 1, keyed(KEY)) == played(key, 2, 1, keyed(KEY))
    assert played(key, 2, 1, keyed(KEY)) != played(key, 2, 1, keyed(bytes(32)))


def test_a_reroll_differs_from_the_roll_and_is_the_same_for_all_players() -> None:
    def thrown_again() -> list[str]:
        position, dice = game("ganz").start(1), keyed(KEY)
        for _ in range(2):
            position.push(dice.draw(position))
            if "reroll" in [move.text for move in position.legal_moves(0)]:
                position.push_text("reroll", 0)
        return [move.text for move in position.moves_made if move.seat == CHANCE]

    first, second = thrown_again()
    assert first != second
    assert thrown_again() == [first, second]


def test_the_nth_card_of_a_colour_is_the_same_for_all() -> None:
    orders: dict[str, set[tuple[str, ...]]] = {}
    for seed in range(6):
        drawn: dict[str, list[str]] = {}
        position = played("geht", 1, seed, keyed(KEY))
        cards = position.game.definition.cards
        for move in position.moves_made:
            if move.seat == CHANCE and move.text.startswith("card"):
                drawn.setdefault(str(cards[move.number].colour), []).append(move.text)
        for colour, order in drawn.items():
            orders.setdefault(colour, set()).add(tuple(order[:3]))
    assert orders
    for found in orders.values():
        longest = max(found, key=len)
        assert all(order == longest[: len(order)] for order in found)


def test_the_faces_of_keyed_dice_are_fair() -> None:
    dice, faces = keyed(KEY), Counter[int]()
    for number in range(FACES):
        faces[dice.face(f"roll/1/0/1/0/{number}") - 1] += 1
    assert chi_square(faces, 6) < LIMIT_5


def test_the_start_player_is_the_same_for_all_players_and_fair() -> None:
    start_player = Counter[int]()
    for number in range(3_000):
        position = game("ganz").start(3, start_player=RANDOM)
        start_player[int(keyed(number.to_bytes(4, "big")).draw(position).text.split()[1]) - 1] += 1
    assert chi_square(start_player, 3) < 13.9, (
        "with 2 degrees of freedom above this once in a thousand times"
    )


def test_the_examples_of_the_specification() -> None:
    page = (Path(__file__).parents[1] / "docs" / "fair-dice-spec.md").read_text()
    for key in ("ganz", "geht"):
        position = game(key).start(1)
        assert f"`{keyed(KEY).draw(position)}`" in page
        assert keyed(KEY).draw(position) != seeded(1).draw(position)
