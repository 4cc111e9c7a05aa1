"""The master by itself.

Whatever happens at a table, its log replays to the same table, and nobody misses a line.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

import pytest

from foxclover.core.game import game_names
from foxclover.core.rules import CHANCE
from foxclover.locale import catalogue
from foxclover.server.errors import RefusalError
from foxclover.server.protocol import encode
from foxclover.server.stores.store import SeatRecord, TableRecord
from foxclover.server.tables import render
from foxclover.server.tables.master import Master
from foxclover.server.tables.seating import NOBODY
from tables import CLIMB, GANZ

STEPS = 120


def table(game: str, players: int, variant: int = 0, seed: int | None = 6) -> Master:
    seats = [SeatRecord(f"Player {seat}", key=bytes([seat])) for seat in range(players)]
    return Master(TableRecord("bcdfgh", game, variant, seed, 0, 0, seats, "invitation"))


def step(master: Master, chance: random.Random) -> None:
    """Do something that is allowed: roll, move, or now and then undo."""
    undoable = master.undoers()
    if undoable and chance.random() < 0.3:
        master.undo(undoable[0], master.seq)
    elif master.rollers:
        master.roll(chance.choice(master.rollers), master.seq, chance.randbytes(16))
    else:
        seat = chance.choice(master.position.acting)
        master.move(seat, master.seq, chance.choice(master.position.legal_numbers(seat)))


def lines(master: Master, language: str, start: int) -> list[object]:
    return list(render.StateRenderer(master, start, {}, NOBODY).state([0], language)["log"])


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("game", game_names())
def test_the_events_replay_to_the_same_table_and_every_catch_up_is_complete(
    game: str, players: int
) -> None:
    master, chance = (
        table(game, players, variant=3 if game == CLIMB and players == 3 else 0),
        random.Random(players),
    )
    seen = [lines(master, "de", 0)]  # what a player knew at each seq
    known_at = [0]
    while len(known_at) < STEPS and not master.over:
        step(master, chance)
        seen.append(lines(master, "de", 0))
        known_at.append(master.seq)
    again = Master(replace(master.record, events=master.log.events))
    assert (again.position, again.log.entries, again.legal) == (
        master.position,
        master.log.entries,
        master.legal,
    )
    assert again.log.sentences("de") == master.log.sentences("de")
    for seq, log in zip(known_at, seen, strict=True):
        start = master.log.known_from(seq)
        assert log[:start] + lines(master, "de", start) == seen[-1]
    step_on = random.Random(1), random.Random(1)
    for _ in range(5):
        if not master.over:
            step(master, step_on[0])
            step(again, step_on[1])
    assert master.position == again.position, "the seeded dice go on where they were"


@pytest.mark.parametrize("game", game_names())
def test_a_refusal_has_changed_nothing(game: str) -> None:
    master, chance = table(game, 2), random.Random(4)
    for _ in range(60):
        if master.over:
            break
        before = master.position, master.seq, list(master.log.entries), list(master.since)
        for seat in range(4):
            for attempt in (
                lambda seat=seat: master.move(seat, master.seq, 10**9),
                lambda seat=seat: master.move(seat, master.seq, "?"),
                lambda seat=seat: master.move(seat, -1, 0),
                lambda seat=seat: master.roll(seat, master.seq + 1),
                lambda seat=seat: master.undo(seat, master.seq + 1),
            ):
                with pytest.raises(RefusalError):
                    attempt()
        assert (master.position, master.seq, master.log.entries, master.since) == before
        step(master, chance)


@pytest.mark.parametrize("game", game_names())
def test_a_request_that_is_sent_again_is_stale_and_changes_nothing(game: str) -> None:
    """A page repeats what was not acknowledged before its connection was lost."""
    master, chance = table(game, 2), random.Random(5)
    while not master.over:
        seq = master.seq
        if (undoers := master.undoers()) and chance.random() < 0.2:
            request = partial(master.undo, undoers[0], seq)
        elif master.rollers:
            request = partial(master.roll, master.rollers[0], seq, b"s" * 16)
        else:
            seat = chance.choice(master.acting)
            request = partial(master.move, seat, seq, chance.choice(master.legal[seat]))
        request()
        after = master.position.copy(), list(master.log.events)
        with pytest.raises(RefusalError) as refusal:
            request()
        assert refusal.value.reason == "stale"
        assert (master.position, master.log.events) == after


def test_dice_without_a_seed_differ_from_table_to_table() -> None:
    rolls = set()
    for _ in range(20):
        master = table(GANZ, 1, seed=None)
        master.roll(0, 0)
        rolls.add(master.log.entries[0].text)
    assert len(rolls) > 10


def test_nothing_sent_before_a_roll_depends_on_the_seed() -> None:
    """The same position of two practice games with different seeds looks the same to everybody."""
    for game in game_names():
        received = [
            render.StateRenderer(table(game, 2, seed=seed), 0, {}, NOBODY).state([0, 1], "en")
            for seed in (1, 2)
        ]
        assert encode(received[0]) == encode(received[1])


def test_headlines_name_the_players_to_act() -> None:
    translate = catalogue("en")
    master = table(GANZ, 2)
    assert render.StateRenderer(master, 0, {}, NOBODY).state([1], "en")["headline"] == translate(
        "server.headline.roll", name="Player 0"
    )
    master.roll(0, 0)
    assert render.StateRenderer(master, 0, {}, NOBODY).state([1], "en")["headline"] == translate(
        "server.headline.wait", names="Player 0"
    )
    seats = [SeatRecord(""), *master.record.seats[1:]]
    master.record = replace(master.record, seats=seats)
    assert render.StateRenderer(master, 0, {}, NOBODY).state([1], "en")["headline"] == translate(
        "server.headline.open", number=1
    )


def test_what_is_thought_about_carries_what_was_known_when_the_dice_fell() -> None:
    """Hide decisions on the same roll from players who decide later, in worker processes too."""
    master, chance = table(CLIMB, 3), random.Random(2)
    while True:
        before = master.position.state
        if master.rollers:
            master.roll(master.rollers[0], master.seq)
            if master.position.acting == (0, 1, 2):
                fallen = master.position.state
                break
        else:
            step(master, chance)
    master.move(0, master.seq, master.position.legal_numbers(0)[0])
    for replayed in (
        master,
        Master(replace(master.record, events=master.log.events)),
        master.copy(),
    ):
        dumped = replayed.decision_of(1, replayed.seq, [1]).dump()
        assert replayed.game.load(dumped).pre_roll_state == before
        assert replayed.game.load(dumped).state == fallen, "nor is it in what is sent there"


def test_undecided_seats_are_shown_the_same_after_a_restart() -> None:
    for seed in range(6):
        master, chance = table(CLIMB, 3, seed=seed), random.Random(seed)
        for _ in range(40):
            if master.over:
                break
            step(master, chance)
            again = Master(replace(master.record, events=master.log.events))
            for you in ((), (0,), (1,), (2,), (0, 1), (1, 2)):
                shown, restarted = master.shown(you), again.shown(you)
                assert (shown.view, shown.scores, list(shown.lines)) == (
                    restarted.view,
                    restarted.scores,
                    list(restarted.lines),
                )
                for seat in set(you) & set(master.position.acting):
                    assert shown.position.legal_numbers(seat) == master.legal[seat], (
                        "what others did is nothing to this decision"
                    )


def test_a_decision_is_taken_back_whatever_others_have_decided_meanwhile() -> None:
    """Else a seat whose undo is refused would know that another one has begun to decide."""
    master, chance = table(CLIMB, 3), random.Random(2)
    while master.log.decision is None:
        step(master, chance)
    first = master.position.legal_numbers(0)[0]
    master.move(0, master.seq, first)
    master.move(1, master.seq, master.position.legal_numbers(1)[0])
    assert 0 in master.undoers()
    seen = master.shown((1,)).view
    master.undo(0, master.seq)
    assert [entry.seat for entry in master.log.entries[master.log.public[-1] :]] == [1]
    assert master.shown((1,)).view == seen
    assert first in master.legal[0]
    again = Master(replace(master.record, events=master.log.events))
    assert again.position == master.position
    assert again.log.sentences("de") == master.log.sentences("de")


@pytest.mark.parametrize("persons", [1, 2])
def test_the_last_to_decide_cannot_decide_again_after_seeing_the_others(persons: int) -> None:
    """A person who plays all seats has seen everything anyway and may take the decision back."""
    master, chance = table(CLIMB, 2), random.Random(2)
    master.record = replace(
        master.record,
        seats=[
            replace(held, key=bytes([seat % persons]))
            for seat, held in enumerate(master.record.seats)
        ],
    )
    while master.log.decision is None:
        step(master, chance)
    last = CHANCE
    while master.log.decision is not None:
        last = master.acting[-1]
        master.move(last, master.seq, master.position.legal_numbers(last)[0])
    if persons == 1:
        master.undo(last, master.seq)
        return
    assert last not in master.undoers()
    with pytest.raises(RefusalError, match="nothing_to_undo"):
        master.undo(last, master.seq)
