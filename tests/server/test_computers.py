"""Computer players at a table: at their pace, in their own processes, and never in the way."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from foxclover.ai.nets import NetError
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.server.thinking.computer_players import OPPONENT, WORK, ComputerPlayers, Thinkers
from foxclover.server.thinking.tasks import OPPONENTS, Valued
from pool_breaking import answer_unreadably, think_until_it_breaks
from tables import CLIMB, GANZ, HERE, ME, ROBOT, Guest, RealServer, ServerContext, real_server


def play_until_it_moves(guest: Guest) -> None:
    """Play on, as seat 0, until the computer in seat 1 has made a move."""
    while not any(entry["seat"] == 1 for entry in guest.log):
        if guest.moves() or 0 in guest.state["rollers"]:
            guest.play()
        else:
            guest.until("state")


@pytest.mark.parametrize("level", OPPONENTS)
def test_every_level_plays(server: ServerContext, level: str) -> None:
    code, tokens = server.create(ME, {"kind": "computer", "level": level})
    with server.sit(code, *tokens) as ada:
        play_until_it_moves(ada)


def test_computers_move_at_the_pace_of_the_table(server: ServerContext) -> None:
    code, tokens = server.create(ROBOT, ME, pace=300, options={"seed": 5})
    began, steps = time.monotonic(), 0
    with server.sit(code, *tokens) as ada:
        while not ada.moves(1):
            ada.until("state")
            steps += 1
            assert time.monotonic() - began >= 0.3 * steps
    assert steps >= 2, "a roll and a move at least"


def test_a_computer_that_begins_rolls_by_itself_with_plain_dice(
    server: ServerContext,
) -> None:
    code, tokens = server.create(ROBOT, ME, options={"seed": 5})
    with server.sit(code, *tokens) as ada:
        assert ada.state["rollers"] == [0]
        assert ada.reason("roll", seat=0) == "not_your_seat"
        while not ada.moves(1):
            ada.until("state")
        assert {entry["seat"] for entry in ada.log} == {-1, 0}


def test_the_fairy_of_a_round_rolls_person_or_computer_in_or_out(server: ServerContext) -> None:
    code, tokens = server.create(ME, {"kind": "computer", "level": "greedy"}, game=CLIMB)
    with server.sit(code, *tokens) as ada:
        rolled_when_out = refused = 0
        while not ada.state["over"] and not (rolled_when_out and refused):
            view = ada.state["view"]
            if view["chance"] == "roll":
                assert ada.state["rollers"] == [view["fairy"]]
                if view["fairy"] == 0:
                    rolled_when_out += not view["players"][0]["in_round"]
                    assert ada.state["prompts"] == [{"seat": 0, "words": "Roll the dice."}]
                else:
                    assert ada.reason("roll") in ("no_roll_due", "stale")
                    refused += 1
            leave = [move for move in ada.moves() if move["kind"] in ("out", "fail")]
            if leave:
                ada.act("move", move=leave[0]["id"])
                ada.until("state")
            elif ada.moves() or 0 in ada.state["rollers"]:
                ada.play()
            else:
                ada.until("state")
        assert rolled_when_out
        assert refused


def test_a_hint_that_fails_is_refused_and_the_table_goes_on(
    server: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def rank(_: ComputerPlayers, position: Position, seat: int, client: str) -> list[Valued]:
        raise RuntimeError("a fault in an adviser")

    monkeypatch.setattr(ComputerPlayers, "rank", rank)
    code, tokens = server.create(ME)
    with server.sit(code, *tokens) as ada:
        ada.play()
        assert ada.reason("hint") == "internal"
        ada.play()


def test_people_and_computers_act_at_the_same_time(server: ServerContext) -> None:
    code, tokens = server.create(ME, HERE, ROBOT, pace=150, options={"seed": 5})
    with server.sit(code, *tokens) as both:
        while both.state["acting"] != [1, 2]:
            both.play(0)
        time.sleep(0.1)
        both.play(1)
        while both.log[-1]["seat"] != 2:
            both.until("state")


def test_an_undo_while_a_computer_thinks_is_kept(server: ServerContext) -> None:
    code, tokens = server.create(ME, ROBOT, pace=2_000, options={"seed": 5})
    with server.sit(code, *tokens) as ada:
        while ada.state["acting"] != [1]:
            ada.play()
        last = ada.log[-1]["text"]
        assert ada.act("undo")["type"] == "ack"
        ada.until("state")
        assert ada.state["acting"] == [0]
        time.sleep(2.5)
        assert ada.ask("ping")["type"] == "pong"
        assert not [message for message in ada.others if message["type"] == "state"], "nobody moved"
        assert ada.act("move", text=last)["type"] == "ack"


def test_hints_are_ranked_or_refused(
    server: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ranked(
        _: ComputerPlayers, position: Position, seat: int, client: str
    ) -> list[Valued]:
        # As of players to win, the best need not be the one with most points; equal ones keep their
        # order.
        return [
            Valued(number, float(index % 2), 0.5)
            for index, number in enumerate(reversed(position.legal_numbers(seat)))
        ]

    monkeypatch.setattr(ComputerPlayers, "rank", ranked)
    code, tokens = server.create(ME, HERE)
    with server.sit(code, tokens[0]) as ada:
        assert ada.reason("hint") == "not_to_act"
        assert ada.reason("hint", seat=1) == "not_your_seat"
        ada.play()
        assert ada.reason("hint", seq=0) == "stale"
        hint = ada.act("hint")
        assert [move["move"] for move in hint["moves"]] == [
            move["id"] for move in reversed(ada.moves())
        ]
        assert hint["moves"][0] == {
            "move": ada.moves()[-1]["id"],
            "text": ada.moves()[-1]["text"],
            "words": ada.moves()[-1]["words"],
            "expected": 0.0,
            "error": 0.5,
            "loss": 0.0,
        }


def test_a_player_without_its_net_is_replaced_by_a_simpler_player(
    server: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    think = ComputerPlayers.choose

    async def choose(
        players: ComputerPlayers, level: str, position: Position, seat: int, table: str
    ) -> int:
        if level == "strong":
            raise NetError("the net is damaged")
        return await think(players, level, position, seat, table)

    async def rank(_: ComputerPlayers, position: Position, seat: int, client: str) -> list[Valued]:
        raise NetError("the net is damaged")

    monkeypatch.setattr(ComputerPlayers, "choose", choose)
    monkeypatch.setattr(ComputerPlayers, "rank", rank)
    code, tokens = server.create({"kind": "computer", "level": "strong"}, ME, options={"seed": 5})
    with server.sit(code, *tokens, language="de") as ada:
        received = ada.until("refused")
        assert (received["ref"], received["reason"]) == (-1, "weaker_player")
        assert ada.state["seats"][0]["level"] == "greedy"
        while not ada.moves(1):
            ada.until("state")
        assert ada.reason("hint", seat=1) == "no_advisor"


def test_odds_of_the_next_roll(server: ServerContext) -> None:
    code, tokens = server.create(ME, HERE, game=CLIMB)
    with server.sit(code, *tokens) as both:
        odds = both.act("odds")
        hits = {
            card["name"]: card["hits"]
            for card in server.client.get(f"/api/games/{CLIMB}/layout").json()["cards"]
        }
        assert odds["cards"]
        for card in odds["cards"]:
            assert card["probability"] == pytest.approx(hits[card["card"]] / 279_936)
        assert 0 < odds["fail"] < 1 - max(card["probability"] for card in odds["cards"])


def test_a_worker_that_dies_is_replaced() -> None:
    async def think() -> int:
        players = ComputerPlayers()
        position = game(GANZ).start(2)
        position.push_text("y1b2g3o4p5w6", -1)
        await players.choose("random", position, 0)
        for worker in players._thinkers[False]._pool._processes.values():
            os.kill(worker.pid or 0, signal.SIGKILL)
        try:
            return await players.choose("random", position, 0)
        finally:
            players.close()

    assert asyncio.run(think()) >= 0


def test_a_broken_pool_is_replaced_and_waiting_calls_are_answered(
    tmp_path: Path,
) -> None:
    async def think() -> list[object]:
        thinkers = Thinkers(1)
        try:
            mark = tmp_path / "begun"
            answers = await asyncio.gather(
                thinkers.think("", WORK, answer_unreadably, mark),
                thinkers.think("table", OPPONENT, think_until_it_breaks, mark),
                return_exceptions=True,
            )
            with pytest.raises(BrokenProcessPool):  # who breaks it every time is given up
                await thinkers.think("table", OPPONENT, os._exit, 1)
            return [*answers, await thinkers.think("", WORK, os.getpid)]
        finally:
            thinkers.close()

    broken, thought, process = asyncio.run(think())
    assert isinstance(broken, BrokenProcessPool)
    assert thought == "thought"
    assert process != os.getpid()


def workers(server: RealServer) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == server.process.pid:
            found.append(int(status.parent.name))
    return found


@pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="there is no list of processes to look at"
)
def test_workers_end_with_a_killed_server(tmp_path: Path) -> None:
    with real_server(tmp_path) as server:
        code, tokens = server.create(ME, ROBOT)
        with server.sit(code, *tokens) as ada:
            play_until_it_moves(ada)
            children = workers(server)
            assert children
            server.kill()
        deadline = time.monotonic() + 120
        while any(Path(f"/proc/{child}").exists() for child in children):
            assert time.monotonic() < deadline, "a worker lives on"
            time.sleep(0.05)
