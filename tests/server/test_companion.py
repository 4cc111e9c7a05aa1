"""The companion for real dice.

Everything that falls is entered by people, and can be corrected until a player decides on it.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from foxclover import CHANCE, game_names, transcripts
from foxclover.locale import LANGUAGES
from foxclover.server.errors import RefusalError
from foxclover.server.stores.store import SeatRecord, TableRecord
from foxclover.server.tables import render
from foxclover.server.tables.dice import TYPED_DICE
from foxclover.server.tables.master import Master
from foxclover.server.tables.seating import NOBODY
from tables import CLIMB, FRIEND, GANZ, HERE, ME, ROBOT, context

ROLL = "324165"


def companion(game: str, players: int) -> Master:
    seats = [SeatRecord(f"Player {seat}", key=bytes([seat])) for seat in range(players)]
    return Master(TableRecord("bcdfgh", game, 0, None, 0, 0, seats, "invitation", dice=TYPED_DICE))


def entries(master: Master) -> list[str]:
    return [str(move) for move in master.position.legal_moves(CHANCE)]


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("players", [1, 3])
def test_whole_games_are_entered_corrected_and_replay_the_same(game: str, players: int) -> None:
    master, chance, corrected = companion(game, players), random.Random(players), 0
    while not master.over:
        if master.position.chance_due:
            wanted = render.StateRenderer(master, 0, {}, NOBODY).state([0], "en")["entry"]
            assert wanted is not None
            assert wanted["kind"] == "roll" or wanted["outcomes"] == entries(master)
            master.enter(chance.randrange(players), master.seq, chance.choice(entries(master)))
            if master.can_correct() and chance.random() < 0.3:
                master.correct(0, master.seq)
                assert master.position.chance_due
                corrected += 1
                master.enter(0, master.seq, chance.choice(entries(master)))
        else:
            seat = chance.choice(master.position.acting)
            master.move(seat, master.seq, chance.choice(master.legal[seat]))
    assert corrected > 2
    again = Master(replace(master.record, events=master.log.events))
    assert (again.position, again.log.entries, again.log.lengths, again.log.public) == (
        master.position,
        master.log.entries,
        master.log.lengths,
        master.log.public,
    )
    assert transcripts.read(master.transcript(["P"] * players)).position == master.position


def test_an_entry_that_a_player_has_decided_on_cannot_be_corrected() -> None:
    master = companion(GANZ, 2)
    with pytest.raises(RefusalError, match="nothing_to_correct"):
        master.correct(0, 0)
    master.enter(1, 0, ROLL)
    assert master.can_correct()
    master.move(0, master.seq, master.legal[0][0])
    assert not master.can_correct()
    with pytest.raises(RefusalError, match="nothing_to_correct"):
        master.correct(0, master.seq)
    master.undo(0, master.seq)
    assert master.can_correct(), "nobody has decided on it any more"
    master.correct(1, master.seq)
    master.enter(0, master.seq, "111111")
    assert [entry.text for entry in master.log.entries] == ["y1b1g1o1p1w1"]


def test_corrections_have_an_end() -> None:
    master = companion(GANZ, 1)
    for _ in range(5):
        master.enter(0, master.seq, ROLL)
        master.correct(0, master.seq, most=5)
    master.enter(0, master.seq, ROLL)
    with pytest.raises(RefusalError, match="too_many_undos"):
        master.correct(0, master.seq, most=5)


def test_the_same_roll_entered_on_two_phones_falls_once() -> None:
    master = companion(GANZ, 2)
    master.enter(0, 0, ROLL)
    with pytest.raises(RefusalError, match="stale"):
        master.enter(1, 0, ROLL)


@pytest.mark.parametrize("language", LANGUAGES)
def test_impossible_faces_are_refused_with_a_sentence_and_nothing_is_lost(
    tmp_path: Path, language: str
) -> None:
    with context(tmp_path) as server:
        code, tokens = server.create(ME, HERE, options={"typed_dice": True})
        with server.sit(code, *tokens, language=language) as ada:
            for wrong in (
                "",
                "12345",
                "1234567",
                "123450",
                "y7b2g4o1p6w5",
                "y1y1g4o1p6w5",
                "hello",
                "=ybo",
                "card 35",
            ):
                answer = ada.act("enter", text=wrong)
                assert answer["reason"] == "impossible_entry", wrong
                assert wrong in answer["words"]
                assert "{" not in answer["words"]
            assert ada.reason("roll") == "no_roll_due"
            assert ada.act("enter", text="y3b2g4o1p6w5")["type"] == "ack"


def test_tables_of_other_dice_take_no_entries(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada:
            assert ada.reason("enter", text=ROLL) == "no_roll_due"
            assert ada.reason("correct") == "nothing_to_correct"
            assert (ada.state["entry"], ada.state["correct"], ada.state["typed_dice"]) == (
                None,
                False,
                False,
            )
        refused = server.client.post(
            "/api/tables",
            json={"game": GANZ, "seats": [ME], "options": {"typed_dice": True, "seed": 1}},
        )
        assert refused.json()["reason"] == "bad_message"


def test_players_on_their_own_phones_enter_correct_and_ask_for_hints(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, (mine,) = server.create(ME, FRIEND, game=CLIMB, options={"typed_dice": True})
        theirs = server.join(code)
        with (
            server.sit(code, mine) as ada,
            server.sit(code, theirs) as bo,
            server.sit(code) as watcher,
        ):
            assert watcher.state["entry"] is None, "who watches enters nothing"
            while not (ada.state["entry"] and ada.state["entry"]["kind"] == "roll"):
                seat = ada.state["acting"][0] if ada.state["acting"] else 0
                guest = (ada, bo)[seat]
                if guest.state["entry"]:
                    guest.act("enter", text=guest.state["entry"]["outcomes"][0])
                else:
                    guest.act("move", seat, move=guest.moves(seat)[0]["id"])
                for one in (ada, bo):
                    one.ask("ping")
            assert bo.act("enter", seat=1, text="B1336 R225")["type"] == "ack"
            ada.ask("ping")
            assert ada.state["correct"]
            assert ada.act("correct")["type"] == "ack"
            ada.until("state")
            assert ada.act("enter", text="B6666 R666")["type"] == "ack"
            ada.until("state")
            assert ada.act("odds")["type"] == "odds"
        with server.sit(code, mine) as ada:
            assert ada.log[-1]["text"] == "B6666 R666"
            assert ada.state["sealing"] is None


def test_computer_players_wait_for_real_dice_and_a_rematch_has_them_too(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, (token,) = server.create(ME, ROBOT, options={"typed_dice": True})
        with server.sit(code, token) as ada:
            chooser = random.Random(1)
            while not ada.state["over"]:
                if ada.state["entry"]:
                    dice = sum(die["lies"] == "hand" for die in ada.state["view"]["dice"])
                    text = ada.state["entry"]["outcomes"][:1] or [
                        "".join(chooser.choice("123456") for _ in range(dice))
                    ]
                    assert ada.act("enter", text=text[0])["type"] == "ack"
                    ada.until("state")
                elif ada.moves(0):
                    ada.play()
                else:
                    ada.until("state")
            ada.ask("rematch")
            successor = ada.until("rematch")["table"]
        with server.sit(successor, token) as ada:
            assert ada.state["typed_dice"]
            assert ada.state["sealing"] is None


def test_a_random_start_player_is_entered_like_every_draw(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, tokens = server.create(ME, HERE, options={"typed_dice": True, "begins": -1})
        with server.sit(code, *tokens) as ada:
            assert ada.state["entry"] == {"kind": "lot", "outcomes": ["begins 1", "begins 2"]}
            assert ada.act("enter", text="begins 2")["type"] == "ack"
            ada.until("state")
            assert ada.state["entry"]["kind"] == "roll"
            assert ada.act("enter", text=ROLL)["type"] == "ack"
            ada.until("state")
            assert ada.state["acting"] == [1]
