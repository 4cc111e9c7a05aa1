"""The server as a process: killed, stopped, started again, started where it cannot be."""

from __future__ import annotations

import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from attacks import hello, raw_socket, text, upgrade
from tables import (
    CRAMPED,
    FRIEND,
    GANZ,
    HERE,
    ME,
    ROBOT,
    RealServer,
    counting_house,
    cramped_house,
    real_server,
)


def play_until_killed(
    server: RealServer, code: str, tokens: list[str], acknowledged: list[tuple[int, str]]
) -> None:
    """Play as fast as the server answers; note every move it has acknowledged, as seq and text."""
    try:
        with server.sit(code, *tokens) as guest:
            while not guest.state["over"]:
                seat = (guest.state["rollers"] or guest.state["acting"])[0]
                move = random.choice(guest.moves(seat) or [None])
                answer = (
                    guest.act("roll", seat)
                    if move is None
                    else guest.act("move", seat, move=move["id"])
                )
                if answer["type"] == "refused":
                    assert answer["reason"] == "too_fast"
                    time.sleep(0.05)
                    continue
                if move is not None:
                    acknowledged.append((answer["seq"], move["text"]))
                guest.until("state")
    except (WebSocketException, OSError, EOFError):
        return


@pytest.mark.parametrize("kills", [10, 50])
def test_no_acknowledged_move_is_lost_when_the_server_is_killed(tmp_path: Path, kills: int) -> None:
    chance = random.Random(50)
    checked = 0
    tables: list[tuple[str, list[str], list[tuple[int, str]]]] = []
    for _ in range(kills + 1):
        with real_server(tmp_path) as server:
            for code, tokens, acknowledged in tables:
                with server.sit(code, *tokens) as guest:
                    texts = [entry["text"] for entry in guest.log]
                later = iter(texts)
                for seq, text in acknowledged:
                    assert text in later, (
                        f"move {text} acknowledged as {seq} is gone, or not in its order"
                    )
                checked += len(acknowledged)
            tables = [(*server.create(ME, HERE), []) for _ in range(3)]
            players = [
                threading.Thread(target=play_until_killed, args=(server, *table))
                for table in tables
            ]
            for player in players:
                player.start()
            wanted, deadline = chance.randrange(1, 20), time.monotonic() + 60
            while (
                sum(len(acknowledged) for _, _, acknowledged in tables) < wanted
                and time.monotonic() < deadline
            ):
                time.sleep(0.001)
            time.sleep(chance.uniform(0.0, 0.03))
            server.kill()
            for player in players:
                player.join()
    assert checked > kills * 5, "moves were acknowledged between the kills"


def test_a_stopped_server_says_goodbye_and_keeps_the_table(tmp_path: Path) -> None:
    with real_server(tmp_path) as server:
        code, tokens = server.create(ME, options={"seed": 1})
        with server.sit(code, *tokens) as ada:
            ada.play()
            server.process.send_signal(signal.SIGTERM)
            assert ada.until("bye")["reason"] == "stopping"
            with pytest.raises(ConnectionClosed):
                ada.receive()
            seen = ada.log
        output, _ = server.process.communicate(timeout=120)
        assert "saved" in output
        assert server.process.returncode == 0
    with real_server(tmp_path) as server, server.sit(code, *tokens) as ada:
        assert ada.log == seen
        ada.play()


def test_two_people_play_on_after_the_server_was_killed(tmp_path: Path) -> None:
    with real_server(tmp_path) as server:
        code, mine = server.create(ME, FRIEND, ROBOT)
        theirs = server.join(code, name="Bo")
        with server.sit(code, *mine) as ada, server.sit(code, theirs) as bo:
            ada.play()
            bo.until("state")
            server.kill()
            for guest in (ada, bo):
                with pytest.raises(ConnectionClosed):
                    guest.drain()
        seq, log = ada.state["seq"], ada.log
    with (
        real_server(tmp_path) as server,
        server.sit(code, *mine, seq=seq) as ada,
        server.sit(code, theirs, seq=seq) as bo,
    ):
        assert (ada.state["seq"], ada.state["log"]) == (seq, [])
        assert [seat["name"] for seat in bo.state["seats"]][:2] == ["Ada", "Bo"]
        ada.play()
        assert bo.until("state")["log"][0]["index"] == len(log)


def start(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-c",
        "import sys; from foxclover.cli import main; sys.exit(main())",
        "serve",
        "--lang",
        "en",
        *arguments,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_an_address_of_another_machine_is_reported_in_a_sentence(tmp_path: Path) -> None:
    ended = start("--host", "192.0.2.1", "--data", str(tmp_path))
    assert ended.returncode == 2
    assert "This computer does not have the address 192.0.2.1 (" in ended.stderr
    assert "--host" in ended.stderr


def test_a_port_in_use_is_reported_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = start("--port", str(port), "--data", str(tmp_path))
    assert ended.returncode == 2
    assert f"Port {port} on 127.0.0.1 is in use" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_free_port_is_kept_for_the_next_time_if_it_is_still_free(tmp_path: Path) -> None:
    with real_server(tmp_path) as server:
        first = server.address
    with real_server(tmp_path) as server:
        assert server.address == first, "a browser finds its games again only at the same address"
    with (
        socket.create_server(("127.0.0.1", int(first.rstrip("/").rsplit(":")[-1]))),
        real_server(tmp_path) as server,
    ):
        assert server.address != first
    (tmp_path / "port").write_text("nonsense")
    with real_server(tmp_path):
        pass


def test_an_unknown_host_is_reported_in_a_sentence(tmp_path: Path) -> None:
    ended = start("--host", "no.such.host.invalid", "--port", "0", "--data", str(tmp_path))
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr


def test_data_in_use_or_damaged_is_reported_in_a_sentence(tmp_path: Path) -> None:
    with real_server(tmp_path):
        ended = start("--port", "0", "--data", str(tmp_path))
        assert (ended.returncode, "Another server uses" in ended.stderr) == (2, True)
    for file in tmp_path.iterdir():
        file.write_bytes(b"x" * 5000)
    ended = start("--port", "0", "--data", str(tmp_path))
    assert (ended.returncode, "is damaged" in ended.stderr) == (2, True)
    assert "Traceback" not in ended.stderr


def may_mount() -> bool:
    return (
        shutil.which("unshare") is not None
        and subprocess.run([*CRAMPED, "/mnt", "true"], capture_output=True, check=False).returncode
        == 0
    )


@pytest.mark.skipif(
    not may_mount(), reason="a disk of its own needs mount namespaces, which are not allowed here"
)
def test_a_full_disk_is_reported_and_play_continues_when_there_is_room(tmp_path: Path) -> None:
    with cramped_house(tmp_path / "data") as (server, disk):
        code, tokens = server.create(ME, options={"seed": 1})
        with server.sit(code, *tokens) as ada:
            ada.play()
            assert server.client.get("/api/health").status_code == 200
            with suppress(OSError), (disk / "filler").open("wb", buffering=0) as filler:
                while True:
                    filler.write(bytes(4096))
            assert server.client.get("/api/health").status_code == 503
            while (
                answer := ada.act("roll")
                if ada.state["rollers"]
                else ada.act("move", move=ada.moves()[0]["id"])
            )["type"] == "ack":
                ada.until("state")
            assert answer["reason"] == "not_saved"
            before = ada.state
            assert server.client.get("/api/health").status_code == 503
            assert (
                server.client.post("/api/tables", json={"game": GANZ, "seats": [ME]}).json()[
                    "reason"
                ]
                == "store_away"
            )
            (disk / "filler").unlink()
            assert server.client.get("/api/health").status_code == 200
            ada.hello(*tokens)
            assert ada.state["seq"] == before["seq"], "what was refused was not made"
            for _ in range(3):
                ada.play()


def test_a_frame_of_a_megabyte_ends_only_its_own_connection(tmp_path: Path) -> None:
    with real_server(tmp_path) as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada:
            with server.sit(code) as eve:
                eve.send("x" * 2**20)
                with pytest.raises(ConnectionClosed):
                    eve.drain()
            ada.play()
            assert len(ada.log) == 1


def test_the_server_listens_within_a_second_of_its_import(tmp_path: Path) -> None:
    """Seconds of the processor: a busy machine is not the server's fault."""
    program = """
import os, sys, time
from pathlib import Path
began = time.process_time()
from foxclover.server.http.run import ServerSettings, serve
def started(key, **values):
    print(time.process_time() - began, flush=True)
    os._exit(0)
serve(ServerSettings("127.0.0.1", 0, Path(sys.argv[1])), started)
"""
    command = [sys.executable, "-c", program, str(tmp_path)]
    spent = []
    for _ in range(4):  # other programs make the processor slower
        ended = subprocess.run(command, capture_output=True, text=True, check=True)
        spent.append(float(ended.stdout))
        if spent[-1] < 1.0:
            break
    assert min(spent) < 1.0


def test_no_move_and_no_connection_leaves_a_circle_of_objects(tmp_path: Path) -> None:
    counted = tmp_path / "counted"

    def circles() -> int:
        counted.unlink(missing_ok=True)
        server.process.send_signal(signal.SIGUSR1)
        deadline = time.monotonic() + 120
        while not (counted.exists() and counted.read_text()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return int(counted.read_text())

    with counting_house(tmp_path / "data", counted) as server:
        code, tokens = server.create(ME)
        circles()  # what starting leaves
        with server.sit(code, *tokens) as guest:
            for _ in range(30):
                guest.play()
            assert circles() == 0
        with raw_socket(server.address) as hasty:
            upgrade(hasty, code)
            hasty.sendall(text(hello(*tokens)))
        deadline = time.monotonic() + 120
        while server.client.get("/api/health").json()["connections"]:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(1)  # for what comes after a connection is counted out
        assert circles() == 0, "the garbage collector would have to run"
