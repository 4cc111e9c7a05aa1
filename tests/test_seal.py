"""Sealed dice by themselves: known vectors, fair faces, and every kind of tampering found."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from time import process_time
from timeit import repeat

import pytest

from foxclover import CHANCE, game, games, notation, seal
from foxclover.game import Position
from foxclover.notation import Header, Transcript
from foxclover.seal import LENGTH, Chain, Salt, Seal, SealError, sealed, title, verify

LAST = bytes(range(32))
NAME = title("bcdfgh", "ganz-schoen-clever", 2, 0)
VECTORS = {  # as in docs/fair-dice.md
    "s1023": "c083197fdba07e9e38f4ac59917c597bdce055d5cc1f395e8d94f3975b141cc2",
    "s0": "bffd65efce1b2dbcc62d73b0ef6517a1e3f960f77fd27b186186d21141987ee7",
    "s1": "4e90026c195f41545fcf5e91a32d003da15dc76ec2931d7c9c52b0206ab28cc3",
    "cup": "7a07641afaa4c3e841abb31d8b6c8df5670965a0f2a792590620d6adc3b6a99e",
    "state": "8a10708b 4dc3c434 4c377daa 59e5e05a",
    "roll": "y3b5g6o6p1w2",
}
FACES = 600_000
LIMIT_5 = 20.5  # chi-square with 5 degrees of freedom is above this once in a thousand times


def played(key: str, players: int, seed: int = 1) -> Transcript:
    """A whole game with sealed dice, as it is read from its transcript."""
    chooser, started = random.Random(seed), game(key).start(players)
    name = title("bcdfgh", started.game.key, players, 0)
    dice, seals = sealed(name, LAST), {}
    for seat in range(players):
        dice.stir(Salt(seat, chooser.randbytes(16)))
    while not started.over:
        if started.chance_due:
            if started.rollers and chooser.random() < 0.8:  # computer players give no salt
                dice.stir(Salt(started.rollers[0], chooser.randbytes(16)))
            move = dice.draw(started)
            salts = dice.happened()
            seals[len(started.moves_made)] = Seal(dice.secret(dice.drawn), salts)
            started.push(move)
        else:
            seat = chooser.choice(started.acting)
            started.push(chooser.choice(started.legal_moves(seat)))
    header = Header(
        started.game,
        [f"P{seat}" for seat in range(players)],
        notation.sealed_dice("bcdfgh", dice.anchor),
    )
    return notation.read(notation.write(header, started, seals))


def check(transcript: Transcript) -> int:
    assert transcript.sealing is not None
    code, anchor = transcript.sealing
    position = transcript.position
    return verify(
        title(code, position.game.key, position.players, position.variant),
        anchor,
        position,
        transcript.seals,
    )


def test_the_vectors_of_the_specification() -> None:
    chain = Chain(NAME, LAST)
    assert NAME == b"foxclover/seal/1 bcdfgh ganz-schoen-clever 2 0"
    cup = seal.stirred(seal.empty_cup(NAME), Salt(1, bytes(range(16))))
    found = {
        "s1023": seal.before(NAME, LAST).hex(),
        "s0": chain.anchor.hex(),
        "s1": chain.secret(1).hex(),
        "cup": cup.hex(),
        "state": " ".join(f"{word:08x}" for word in seal.generator(chain.secret(1), cup)),
        "roll": str(game("ganz").start(2).draw(seal.generator(chain.secret(1), cup))),
    }
    assert found == VECTORS
    page = (Path(__file__).parents[1] / "docs" / "fair-dice.md").read_text()
    assert all(value in page for value in (*VECTORS.values(), LAST.hex(), NAME.decode()))


def test_every_secret_leads_back_to_the_one_before() -> None:
    chain = Chain(NAME, LAST)
    secret = chain.anchor
    for draw in range(1, LENGTH + 1):
        assert seal.before(NAME, chain.secret(draw)) == secret
        secret = chain.secret(draw)
    assert secret == LAST
    with pytest.raises(SealError):
        chain.secret(LENGTH + 1)


@pytest.mark.parametrize("key", games())
def test_whole_games_verify_with_any_number_of_players(key: str) -> None:
    for players in game(key).players:
        transcript = played(key, players, seed=players)
        draws = sum(move.seat == CHANCE for move in transcript.position.moves_made)
        assert check(transcript) == draws > 10
        half = notation.read(
            notation.write(transcript.header, _first_half(transcript.position), transcript.seals)
        )
        assert check(half) < draws, "a game that was broken off verifies as far as it went"


def _first_half(position: Position) -> Position:
    half = position.game.start(position.players, position.variant)
    for move in position.moves_made[: len(position.moves_made) // 2]:
        half.push(move)
    return half


def draws_of(transcript: Transcript) -> list[int]:
    return [
        index for index, move in enumerate(transcript.position.moves_made) if move.seat == CHANCE
    ]


def change_secret(transcript: Transcript, at: int) -> None:
    transcript.seals[at] = replace(transcript.seals[at], secret=bytes(32))


def change_salt(transcript: Transcript, at: int) -> None:
    transcript.seals[at] = replace(transcript.seals[at], salts=(Salt(0, bytes(16)),))


def leave_out_salts(transcript: Transcript, at: int) -> None:
    transcript.seals[at] = replace(transcript.seals[at], salts=())


def leave_out_seal(transcript: Transcript, at: int) -> None:
    del transcript.seals[at]


def leave_out_draw(transcript: Transcript, at: int) -> None:
    """Every later secret moves up by one draw, as if this one had not been wanted."""
    later = [index for index in draws_of(transcript) if index >= at]
    for index, following in pairwise(later):
        transcript.seals[index] = transcript.seals[following]


def swap(transcript: Transcript, at: int) -> None:
    other = draws_of(transcript)[-1]
    transcript.seals[at], transcript.seals[other] = transcript.seals[other], transcript.seals[at]


def other_table(transcript: Transcript, at: int) -> None:
    transcript.header.dice = transcript.header.dice.replace("bcdfgh", "kmnpqr")


def other_roll(transcript: Transcript, at: int) -> None:
    position = transcript.position
    move = position.moves_made[at]
    position.moves_made[at] = next(
        other for other, _ in _before(position, at).chance_moves() if other != move
    )


def _before(position: Position, at: int) -> Position:
    return Position(position.game, [state for state, _ in position.history()][at], position.variant)


TAMPERING = {
    change_secret: "chain",
    change_salt: "roll",
    leave_out_salts: "roll",
    leave_out_seal: "missing",
    leave_out_draw: "chain",
    swap: "chain",
    other_table: "chain",
    other_roll: "roll",
}


@pytest.mark.parametrize("tamper", TAMPERING, ids=lambda tamper: tamper.__name__)
@pytest.mark.parametrize("key", games())
def test_tampering_is_found_where_it_was_done(
    key: str, tamper: Callable[[Transcript, int], None]
) -> None:
    transcript = played(key, 2)
    rolls = [
        at
        for at in draws_of(transcript)
        if transcript.seals[at].salts and len(transcript.position.moves_made[at].text) > 9
    ]
    at = rolls[2]  # of at least five dice, which do not fall alike by chance
    tamper(transcript, at)
    with pytest.raises(SealError) as raised:
        check(transcript)
    assert raised.value.problem == TAMPERING[tamper]
    assert raised.value.move == (0 if tamper is other_table else at)


def chi_square(counts: Counter[int], classes: int) -> float:
    expected = counts.total() / classes
    return sum((counts[face] - expected) ** 2 / expected for face in range(classes))


def test_the_faces_of_sealed_rolls_are_fair() -> None:
    position, faces = game("ganz").start(1), Counter[int]()
    cup, secret = seal.empty_cup(NAME), LAST
    for _ in range(FACES // 6):
        secret = seal.before(NAME, secret)
        roll = position.draw(seal.generator(secret, cup)).text
        faces.update(int(face) - 1 for face in roll[1::2])
    assert chi_square(faces, 6) < LIMIT_5


def test_the_cards_of_sealed_draws_are_fair() -> None:
    position, chooser = game("geht").start(2), random.Random(1)
    while position.rollers or not position.chance_due:  # to the first card that is drawn
        if position.chance_due:
            position.push(position.draw([chooser.getrandbits(32) for _ in range(4)]))
        else:
            position.push(chooser.choice(position.legal_moves(position.acting[0])))
    possible = {move.number: place for place, (move, _) in enumerate(position.chance_moves())}
    cards, cup, secret = Counter[int](), seal.empty_cup(NAME), LAST
    for _ in range(1_000 * len(possible)):
        secret = seal.before(NAME, secret)
        cards[possible[position.draw(seal.generator(secret, cup)).number]] += 1
    degrees = len(possible) - 1
    assert degrees > 5
    assert chi_square(cards, len(possible)) < degrees + 4 * (2 * degrees) ** 0.5


def test_a_whole_game_is_verified_in_less_than_50_ms() -> None:
    transcript = played("ganz", 4)
    assert min(repeat(lambda: check(transcript), timer=process_time, number=1, repeat=5)) < 0.05


def test_a_transcript_with_damaged_seals_is_refused_with_its_line() -> None:
    transcript = played("ganz", 2)
    text = notation.write(transcript.header, transcript.position, transcript.seals)
    assert notation.read(text).seals == transcript.seals
    for wrong in ("salt 3: " + "0" * 32, "salt 1: xyz", "seal: 12", "salt 1:", "seal"):
        lines = text.splitlines()
        lines.insert(6, wrong)
        with pytest.raises(notation.TranscriptError, match="line 7: a salt is"):
            notation.read("\n".join(lines))
