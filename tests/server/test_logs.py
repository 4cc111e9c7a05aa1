"""The server's log.

One JSON object a line whatever complains, faults of clients as notes, addresses only as far as
wanted.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from attacks import PATIENCE, frame, raw_socket, upgrade
from foxclover.cli.serve import LOGGED
from foxclover.server.logs import ADDRESSES, FULL, OFF, SHORT, JsonLines, shown
from postgres import Cluster
from tables import CLIMB, ME, RealServer, limited_server, real_server


def end(server: RealServer) -> list[dict[str, Any]]:
    """Stop a server and return the lines of its log."""
    return [json.loads(line) for line in server.stop().split("\n") if line]


def send(address: str, *content: bytes, code: str = "") -> None:
    """Send something to the server, over a websocket if a table is named, and read to the end."""
    with raw_socket(address) as plain, suppress(ConnectionError):
        if code:
            upgrade(plain, code)
        for one in content:
            plain.sendall(one)
        while plain.recv(65_536):
            pass


def test_errors_of_clients_are_logged_in_one_line(tmp_path: Path) -> None:
    with limited_server(tmp_path, "") as server:
        code, tokens = server.create(ME, game=CLIMB)
        for wrong in (
            frame(1, b"\xff\xfe") * 2,
            b"\x83\x80\0\0\0\0",  # no such frame
            b"\x81\x02hi",  # not masked
            frame(0, b"x"),  # a piece of nothing
            frame(8, b"\x00"),
            b"\x81\xff" + (70_000).to_bytes(8, "big") + bytes(4),  # too long
        ):
            send(server.address, wrong, code=code)
        for wrong in (
            b"NO REQUEST\r\n\r\n",
            (
                b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"
            ),
        ):
            send(server.address, wrong)
        send(
            server.address,
            b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n",
        )
        with server.sit(code, *tokens) as ada:
            ada.play_to("move")
            ada.send({"type": "hint", "ref": 7, "seat": 0, "seq": ada.state["seq"]})
        with server.sit(
            code, *tokens
        ) as ada:  # which ends the hint before anybody has begun to think about it
            ada.send({"type": "hint", "ref": 8, "seat": 0, "seq": ada.state["seq"]})
            lines = end(server)
    assert {line["level"] for line in lines} == {"info"}, lines
    assert {"bad_utf8", "bad_request", "bad_upgrade"} <= {line["event"] for line in lines}
    assert not any("trace" in line for line in lines)


COMPLAIN = """
import gc, logging, sys, threading, warnings
from foxclover.server.logs import log_event, write_to_stderr
write_to_stderr(logging.INFO)
log_event("odd", text="line\\nline\\u2028\\x85\\ud800")
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("psycopg.pool").warning("cannot connect:\\n%s", "twice", exc_info=True)
warnings.warn("deprecated")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()

class Bad:
    def __del__(self):
        raise ValueError("late")

Bad()

async def forgotten():
    pass

forgotten()
gc.collect()
raise RuntimeError("the end\\nof it")
"""


def test_every_line_is_json_whatever_complains() -> None:
    said = subprocess.run(
        [sys.executable, "-c", COMPLAIN],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    lines = [json.loads(line) for line in said.stderr.decode("ascii").splitlines()]
    events = [line["event"] for line in lines]
    assert [event for event in events if " " not in event] == [
        "odd",
        "thread_failed",
        "exception_ignored",
        "crashed",
    ]
    assert any("never awaited" in event for event in events)
    assert any(
        line.get("logger") == "psycopg.pool" and "ZeroDivisionError" in line["trace"]
        for line in lines
    )
    assert len(lines) == 7


@pytest.mark.parametrize(
    ("client", "short"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("2001:db8:1:2::5", "2001:db8:1::/48"),
        ("local", ""),
    ],
)
def test_addresses_are_shortened_or_left_out(client: str, short: str) -> None:
    assert shown(client, SHORT) == short
    assert shown(client, FULL) == client
    assert shown(client, OFF) == ""
    record = logging.makeLogRecord({"msg": "turned_away", "fields": {"client": client}})
    assert json.loads(JsonLines(SHORT).format(record)).get("client", "") == short
    assert "client" not in json.loads(JsonLines(OFF).format(record))


def test_the_command_knows_all_ways_to_log_addresses() -> None:
    assert LOGGED == ADDRESSES


@pytest.mark.parametrize(
    ("option", "logged"),
    [
        ([], "127.0.0.0/24"),
        (["--log-addresses", "off"], None),
        (["--log-addresses", "full"], "127.0.0.1"),
    ],
)
def test_the_operator_says_how_much_of_addresses_is_logged(
    tmp_path: Path, option: list[str], logged: str | None
) -> None:
    with real_server(tmp_path, *option) as server:
        server.create(ME)
        made = next(line for line in end(server) if line["event"] == "table_created")
    assert made.get("client") == logged


def test_without_its_database_a_server_logs_json_and_no_tracebacks(
    tmp_path: Path, cluster: Cluster, database: str
) -> None:
    with limited_server(tmp_path, "", database) as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada:
            ada.play_to("move")
            cluster.stop("immediate")
            try:
                assert ada.until("refused")["reason"] == "store_away"
                assert ada.act("move", move=ada.moves()[0]["id"])["type"] == "refused"
            finally:
                cluster.start()
            until = time.monotonic() + PATIENCE
            while server.client.get("/api/health").status_code != 200:
                assert time.monotonic() < until
                time.sleep(0.1)
        lines = end(server)
    assert {"store_lost", "store_back"} <= {line["event"] for line in lines}
    assert not [line for line in lines if "trace" in line]
