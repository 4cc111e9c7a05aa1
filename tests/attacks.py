"""What one address can do to a server.

Each of these goes on until it is cut off or has had a few hundred tries.
"""

from __future__ import annotations

import base64
import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from websockets.sync.client import ClientConnection, connect

from foxclover.server.protocol.messages import PROTOCOL

PATIENCE = 20.0
TRIES = 100


@dataclass(frozen=True)
class Target:
    """A table of Geht noch was? under attack, a seat of the attacker and their address."""

    address: str
    code: str
    token: str
    client: str

    @property
    def headers(self) -> dict[str, str]:
        """Headers as a proxy on this machine adds them for another client."""
        return {"x-forwarded-for": self.client}

    def client_of_http(self) -> httpx2.Client:
        return httpx2.Client(
            base_url=self.address, headers=self.headers, trust_env=False, verify=False
        )

    def visit(self) -> ClientConnection:
        return connect(
            f"ws{self.address.removeprefix('http')}ws/{self.code}",
            additional_headers=self.headers,
            proxy=None,
        )


@contextmanager
def raw_socket(address: str, room: int = 0) -> Iterator[socket.socket]:
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    with socket.socket() as plain:
        if room:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        plain.settimeout(PATIENCE)
        plain.connect((host, int(port)))
        yield plain


def frame(opcode: int, content: bytes = b"") -> bytes:
    """A whole message as a client must send it, masked with zeros."""
    length = (
        bytes([0x80 | len(content)])
        if len(content) < 126
        else bytes([0x80 | 126]) + len(content).to_bytes(2, "big")
    )
    return bytes([0x80 | opcode]) + length + bytes(4) + content


def text(message: dict[str, Any]) -> bytes:
    return frame(1, json.dumps(message).encode())


def upgrade(plain: socket.socket, code: str, client: str = "127.0.0.1") -> None:
    key = base64.b64encode(os.urandom(16)).decode()
    head = (
        f"GET /ws/{code} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: {client}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
    )
    plain.sendall(f"{head}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    assert b" 101 " in plain.recv(1000)


def hello(*tokens: str) -> dict[str, Any]:
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "tokens": list(tokens),
        "language": "en",
        "seq": -1,
    }


def hellos(target: Target) -> None:
    with target.visit() as wire:
        for _ in range(TRIES):
            wire.send(json.dumps(hello()))
            wire.recv(timeout=PATIENCE)


def rubbish(target: Target) -> None:
    with target.visit() as wire:
        for _ in range(TRIES):
            wire.send("[" * 4000)
            wire.recv(timeout=PATIENCE)


def read(wire: ClientConnection, *types: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(wire.recv(timeout=PATIENCE))
        if message["type"] in types:
            return message


def questions(target: Target, kind: str) -> None:
    """Ask from a seat again and again, whatever is answered."""
    with target.visit() as wire:
        wire.send(json.dumps(hello(target.token)))
        seq = read(wire, "state")["seq"]
        for ref in range(TRIES):
            wire.send(json.dumps({"type": kind, "ref": ref, "seq": seq, "seat": 0}))
            read(wire, kind, "refused")


def odds(target: Target) -> None:
    questions(target, "odds")


def hints(target: Target) -> None:
    questions(target, "hint")


def moves_and_undos(target: Target) -> None:
    """Move and take it back, as often as allowed."""
    with target.visit() as wire:
        wire.send(json.dumps(hello(target.token)))
        state = read(wire, "state")
        for ref in range(TRIES):
            request: dict[str, Any] = {"type": "roll", "salt": f"{ref:032x}"}
            if state["undo"]:
                request = {"type": "undo"}
            elif state["moves"]:
                request = {"type": "move", "move": state["moves"][0]["moves"][0]["id"]}
            wire.send(json.dumps({"ref": ref, "seq": state["seq"], "seat": 0, **request}))
            if read(wire, "ack", "refused")["type"] == "ack":
                state = read(wire, "state")


def transcripts(target: Target) -> None:
    with target.client_of_http() as visitor:
        for _ in range(5):
            visitor.get(f"api/tables/{target.code}/transcript")


def tables(target: Target) -> None:
    """Open as many as allowed, and connect to all of them."""
    request = {"game": "geht-noch-was", "seats": [{"kind": "me"}]}
    with ExitStack() as opened, target.client_of_http() as visitor:
        for _ in range(30):
            made = visitor.post("api/tables", json=request)
            if made.status_code == 201:
                plain = opened.enter_context(raw_socket(target.address))
                upgrade(plain, made.json()["table"], target.client)
                plain.sendall(text(hello(made.json()["seats"][0]["token"])))


def watchers(target: Target) -> None:
    with ExitStack() as opened:
        for _ in range(40):
            plain = opened.enter_context(raw_socket(target.address))
            upgrade(plain, target.code, target.client)
            plain.sendall(text(hello()))


def half_requests(target: Target) -> None:
    with ExitStack() as opened:
        for _ in range(50):
            plain = opened.enter_context(raw_socket(target.address))
            plain.sendall(f"GET /ws/{target.code} HTTP/1.1\r\nHost: 127.0.0.1\r\n".encode())


def pings(target: Target) -> None:
    with raw_socket(target.address) as plain:
        upgrade(plain, target.code, target.client)
        plain.sendall(frame(9, b"x") * 1000)


def flood(target: Target, frames: bytes) -> None:
    """Send frames as fast as the server takes them, and read nothing."""
    with raw_socket(target.address) as plain:
        upgrade(plain, target.code, target.client)
        for _ in range(TRIES):
            plain.sendall(frames)


def pongs(target: Target) -> None:
    """Answer pings that were never sent."""
    flood(target, frame(10) * 10_000)


def fragments(target: Target) -> None:
    """Begin a message and never end it."""
    flood(target, bytes([0x01, 0x80]) + bytes(4) + (bytes([0x00, 0x80]) + bytes(4)) * 10_000)


def small_texts(target: Target) -> None:
    """Send messages that say nothing, without waiting for answers."""
    flood(target, frame(1, b"{}") * 10_000)


def no_json(target: Target) -> None:
    flood(target, frame(1, b"[" * 4_000) * 100)


def chunks(target: Target) -> None:
    """Send a body in chunks of one byte."""
    with raw_socket(target.address) as plain:
        head = (
            "POST /api/transcripts HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"X-Forwarded-For: {target.client}\r\n"
        )
        plain.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        for _ in range(TRIES):
            plain.sendall(b"1\r\n[\r\n" * 10_000)


def pipelined_requests(target: Target) -> None:
    """Ask again and again without waiting for answers."""
    with raw_socket(target.address) as plain:
        request = (
            "GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"X-Forwarded-For: {target.client}\r\n\r\n"
        )
        for _ in range(TRIES):
            plain.sendall(request.encode() * 100)


def device_of(target: Target) -> str:
    """The secret of a device of the attacker, always the same."""
    return (target.client.replace(".", "-") + "x" * 22)[:22]


def imports(target: Target) -> None:
    """Bring in the same finished games, and texts that are none."""
    transcript = (Path(__file__).parent / "golden" / "geht-noch-was-3.txt").read_text(
        encoding="utf-8"
    )
    games = [{"transcript": transcript}] * 10 + [{"transcript": "x" * 20_000}] * 10
    with target.client_of_http() as visitor:
        for _ in range(5):
            visitor.post(
                "api/me/import", json={"token": device_of(target), "games": games}, timeout=PATIENCE
            )


def exports(target: Target) -> None:
    imports(target)
    with target.client_of_http() as visitor:
        for _ in range(TRIES):
            visitor.post("api/me/export", json={"token": device_of(target)}, timeout=PATIENCE)


def deaf_sockets(target: Target) -> None:
    """Ask for much and read nothing."""
    with raw_socket(target.address, room=4096) as plain:
        upgrade(plain, target.code, target.client)
        plain.sendall(text(hello()))
        for ref in range(10 * TRIES):
            plain.sendall(text({"type": "language", "ref": ref, "language": "de"}))


ATTACKS: list[Callable[[Target], None]] = [
    hellos,
    rubbish,
    odds,
    hints,
    moves_and_undos,
    transcripts,
    tables,
    watchers,
    half_requests,
    pings,
    pongs,
    fragments,
    small_texts,
    no_json,
    chunks,
    pipelined_requests,
    imports,
    exports,
    deaf_sockets,
]
