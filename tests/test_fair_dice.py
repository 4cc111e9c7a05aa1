"""Provably fair dice: known vectors, fair faces, and every kind of tampering is found."""

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

from foxclover import CHANCE, game_names, transcripts
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.dice import fair as seal
from foxclover.dice.fair import LENGTH, Chain, Roller, SealError, context_of, sealed, verify
from foxclover.locale import catalogue
from foxclover.transcripts import Header, Transcript
from foxclover.transcripts.dice_check import check_dice

ROOT = bytes(range(32))
CONTEXT = context_of("bcdfgh", "ganz-schoen-clever", 2, 0)
VECTORS = {  # as in docs/fair-dice-spec.md
    "last": "0b40d0494b214a67f0a2a4e9760b04d1d350548e730cfd32459328c97a9c5f40",
    "s255": "364ed55b34fe65481631bcb6e33663490dc6c84f28a7c186793375ef1ac553d8",
    "s1": "37e9dc5d64ee8f9ed4d1f6962435e5612423801c20917a5e10472d33d64c9bb8",
    "s0": "275d6974d55d346de76a2b37b72b30426ac031ac53a6f83624a3ce63ab9cae62",
    "next": "0f73e4b3e92d6c853ac1e3a8df6ba3272b1c944379f816d37ccf07a846b422f1",
    "pool": "3b95f796aa5f6be29a59a021463bc4f3e388bddb52dbe6fb3891e034367daa9d",
    "state": "1074b6ca fd22d491 a230f1d5 f4a74578",
    "roll": "y2b3g6o2p1w1",
    "mark": "22e7a0217e3e72d3293b37e3354d60fa",
}
FACES = 600_000
LIMIT_5 = 20.5  # chi-square with 5 degrees of freedom is above this once in a thousand times


def played(key: str, players: int, seed: int = 1) -> Transcript:
    """A whole game with sealed dice, as it is read from its transcript.

    With others at the table, the last seat is a computer player's.
    """
    chooser, started = random.Random(seed), game(key).start(players)
    dice, seals = sealed(context_of("bcdfgh", started.game.key, players, 0), ROOT), {}
    while not started.over:
        if started.chance_due:
            roller = next(iter(started.rollers), None)
            if roller is not None and (roller < players - 1 or players == 1):
                dice.mix(Roller(roller, chooser.randbytes(16)))
            move = dice.draw(started)
            by = dice.happened() or (None if roller is None else Roller(roller))
            seals[len(started.moves_made)] = dice.seal(dice.drawn, by)
            started.push(move)
        else:
            seat = chooser.choice(started.acting)
            started.push(chooser.choice(started.legal_moves(seat)))
    header = Header(
        started.game,
        [f"P{seat}" for seat in range(players)],
        transcripts.sealed_dice("bcdfgh", dice.commitment),
    )
    return transcripts.read(transcripts.write(header, started, seals))


def check(transcript: Transcript) -> int:
    assert transcript.sealing is not None
    code, commitment, _ = transcript.sealing
    position = transcript.position
    context = context_of(
        code, position.game.key, position.players, position.game.pack(position.setup)
    )
    return len(verify(context, commitment, position, transcript.seals))


def test_the_vectors_of_the_specification() -> None:
    last = seal.last_secret(CONTEXT, ROOT, 0)
    chain = Chain(CONTEXT, last)
    assert CONTEXT == b"foxclover/seal/2 bcdfgh ganz-schoen-clever 2 0"
    pool = seal.mix(seal.first_pool(CONTEXT), Roller(1, bytes(range(16))))
    roll = str(game("ganz").start(2).draw(seal.generator(chain.secret(1), pool)))
    following = Chain(CONTEXT, seal.last_secret(CONTEXT, ROOT, 1)).commitment
    found = {
        "last": last.hex(),
        "s255": seal.before(CONTEXT, last).hex(),
        "s1": chain.secret(1).hex(),
        "s0": chain.commitment.hex(),
        "next": following.hex(),
        "pool": pool.hex(),
        "state": " ".join(f"{word:08x}" for word in seal.generator(chain.secret(1), pool)),
        "roll": roll,
        "mark": seal.mark_of(pool, roll, following).hex(),
    }
    assert found == VECTORS
    page = (Path(__file__).parents[1] / "docs" / "fair-dice-spec.md").read_text()
    assert all(value in page for value in (*VECTORS.values(), ROOT.hex(), CONTEXT.decode()))


def test_every_secret_leads_back_to_the_one_before() -> None:
    chain = Chain(CONTEXT, ROOT)
    secret = chain.commitment
    for draw in range(1, LENGTH + 1):
        assert seal.before(CONTEXT, chain.secret(draw)) == secret
        secret = chain.secret(draw)
    assert secret == ROOT


def test_a_chain_that_ends_is_followed_by_one_that_was_committed_to_when_it_began() -> None:
    dice = sealed(CONTEXT, ROOT)
    commitment, before = dice.commitment, b""
    for draw in range(1, 4 * LENGTH + 2):
        found = dice.seal(draw, None)
        first = draw % LENGTH == 1
        assert bool(found.next) == first
        assert seal.before(CONTEXT, found.secret) == (commitment if first else before)
        before, commitment = found.secret, found.next or commitment


@pytest.mark.parametrize("key", game_names())
def test_whole_games_verify_with_any_number_of_players(key: str) -> None:
    for players in game(key).players:
        transcript = played(key, players, seed=players)
        draws = sum(move.seat == CHANCE for move in transcript.position.moves_made)
        assert check(transcript) == draws > 10
        half = transcripts.read(
            transcripts.write(transcript.header, _first_half(transcript.position), transcript.seals)
        )
        assert check(half) < draws, "a game that was broken off verifies as far as it went"


def _first_half(position: Position) -> Position:
    half = position.game.start_with(position.players, position.setup)
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
    transcript.seals[at] = replace(
        transcript.seals[at], roller=replace(roller_of(transcript, at), salt=bytes(16))
    )


def change_seat(transcript: Transcript, at: int) -> None:
    transcript.seals[at] = replace(
        transcript.seals[at], roller=replace(roller_of(transcript, at), seat=1)
    )


def leave_out_salt(transcript: Transcript, at: int) -> None:
    transcript.seals[at] = replace(
        transcript.seals[at], roller=replace(roller_of(transcript, at), salt=b"")
    )


def leave_out_roller(transcript: Transcript, at: int) -> None:
    transcript.seals[at] = replace(transcript.seals[at], roller=None)


def roller_of(transcript: Transcript, at: int) -> Roller:
    roller = transcript.seals[at].roller
    assert roller is not None
    return roller


def use_salt_again(transcript: Transcript, at: int) -> None:
    first = next(seal for seal in transcript.seals.values() if seal.roller and seal.roller.salt)
    transcript.seals[at] = replace(transcript.seals[at], roller=first.roller)


def publish_commitment_late(transcript: Transcript, at: int) -> None:
    transcript.seals[at] = replace(transcript.seals[at], next=bytes(32))


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
    return Position(position.game, [state for state, _ in position.history()][at], position.setup)


TAMPERING = {
    change_secret: "chain",
    change_salt: "roll",
    change_seat: "foreign",
    leave_out_salt: "roll",
    leave_out_roller: "roller",
    use_salt_again: "repeated",
    publish_commitment_late: "next",
    leave_out_seal: "missing",
    leave_out_draw: "chain",
    swap: "chain",
    other_table: "chain",
    other_roll: "roll",
}


@pytest.mark.parametrize("tamper", TAMPERING, ids=lambda tamper: tamper.__name__)
@pytest.mark.parametrize("key", game_names())
def test_tampering_is_found_where_it_was_done(
    key: str, tamper: Callable[[Transcript, int], None]
) -> None:
    transcript = played(key, 2)
    salted = [at for at, seal in transcript.seals.items() if seal.roller and seal.roller.salt]
    # five dice do not fall alike by chance
    at = [at for at in salted if len(transcript.position.moves_made[at].text) > 9][2]
    tamper(transcript, at)
    with pytest.raises(SealError) as raised:
        check(transcript)
    everybody_may_roll = tamper is change_seat and len(_before(transcript.position, at).rollers) > 1
    assert raised.value.problem == ("roll" if everybody_may_roll else TAMPERING[tamper])
    assert raised.value.move == (0 if tamper is other_table else at)


def chi_square(counts: Counter[int], classes: int) -> float:
    expected = counts.total() / classes
    return sum((counts[face] - expected) ** 2 / expected for face in range(classes))


def test_the_faces_of_sealed_rolls_are_fair() -> None:
    position, faces = game("ganz").start(1), Counter[int]()
    pool, secret = seal.first_pool(CONTEXT), ROOT
    for _ in range(FACES // 6):
        secret = seal.before(CONTEXT, secret)
        roll = position.draw(seal.generator(secret, pool)).text
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
    cards, pool, secret = Counter[int](), seal.first_pool(CONTEXT), ROOT
    for _ in range(1_000 * len(possible)):
        secret = seal.before(CONTEXT, secret)
        cards[possible[position.draw(seal.generator(secret, pool)).number]] += 1
    degrees = len(possible) - 1
    assert degrees > 5
    assert chi_square(cards, len(possible)) < degrees + 4 * (2 * degrees) ** 0.5


def test_a_whole_game_is_verified_in_less_than_50_ms() -> None:
    transcript = played("ganz", 4)
    assert min(repeat(lambda: check(transcript), timer=process_time, number=1, repeat=5)) < 0.05


def test_a_transcript_with_damaged_seals_is_refused_with_its_line() -> None:
    transcript = played("ganz", 2)
    text = transcripts.write(transcript.header, transcript.position, transcript.seals)
    assert transcripts.read(text).seals == transcript.seals
    for wrong in (
        "roll 3: " + "0" * 32,
        "roll 1: xyz",
        "seal: 12",
        "roll 1:",
        "seal",
        "salt 1: " + "0" * 32,
    ):
        lines = text.splitlines()
        lines.insert(6, wrong)
        with pytest.raises(transcripts.TranscriptError, match="line 7: a roll is"):
            transcripts.read("\n".join(lines))


SALT_LINE, SECRET_LINE = "roll 1: " + "0" * 32, "seal: " + "0" * 64
BELONGS_TO_NO_DRAW = {
    "a salt and a secret without a draw": ("1: ", [SALT_LINE, SECRET_LINE]),
    "a secret without a draw": ("1: ", [SECRET_LINE]),
    "a salt without a secret": ("1: ", [SALT_LINE]),
    "a second salt": ("roll ", [SALT_LINE]),
    "a second secret": ("roll ", [SALT_LINE, SECRET_LINE]),
    "a salt behind the secret": ("chance:", [SALT_LINE]),
}


@pytest.mark.parametrize("lines", BELONGS_TO_NO_DRAW.values(), ids=BELONGS_TO_NO_DRAW.keys())
def test_a_salt_or_a_secret_that_belongs_to_no_draw_is_refused(
    lines: tuple[str, list[str]],
) -> None:
    before, stray = lines
    transcript = played("ganz", 2)
    text = transcripts.write(transcript.header, transcript.position, transcript.seals).splitlines()
    at = next(number for number, line in enumerate(text) if number > 20 and line.startswith(before))
    with pytest.raises(transcripts.TranscriptError, match="belongs to no draw"):
        transcripts.read("\n".join(text[:at] + stray + text[at:]))
    with pytest.raises(transcripts.TranscriptError, match="belongs to no draw"):
        transcripts.read("\n".join(text + stray))


def test_transcripts_of_the_first_version_are_read_and_prove_nothing() -> None:
    transcript = played("ganz", 2)
    text = transcripts.write(transcript.header, transcript.position)
    old = text.replace("dice: sealed 2 bcdfgh", "dice: sealed bcdfgh").replace(
        "chance:", f"salt 1: {'0' * 32}\n{SECRET_LINE}\nchance:"
    )
    read = transcripts.read(old)
    assert read.position.moves_made == transcript.position.moves_made
    verdict = check_dice(read, catalogue("en"))
    assert verdict is not None
    assert "older version" in verdict.problem
