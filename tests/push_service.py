"""A push service on loopback: it decrypts what it gets (RFC 8291), checks who sent it (RFC 8292).

It derives keys with the HKDF of ``cryptography``, independently of the code under test.
"""

from __future__ import annotations

import json
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
AUTH = b"sixteen secrets."
Service = TypeVar("Service", bound="PushService")


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class PushService:
    """What it received, and how it answers."""

    port: int = 0
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(CURVE))
    received: list[dict[str, Any]] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)
    answer: Callable[[], tuple[int, dict[str, str]]] = lambda: (201, {})
    seconds: float = 0.0  # until it answers

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, name: str = "a") -> dict[str, str]:
        return {
            "endpoint": f"http://{self.host}/push/{name}",
            "public": encode(self.public),
            "auth": encode(AUTH),
        }

    def wait_for(self, count: int, seconds: float = 20.0) -> list[dict[str, Any]]:
        """Return what was received, once there are so many messages."""
        end = time.monotonic() + seconds
        while len(self.received) < count and time.monotonic() < end:
            time.sleep(0.02)
        assert len(self.received) >= count, f"{len(self.received)} of {count} notices"
        return self.received

    def stays_at(self, count: int, seconds: float = 0.6) -> None:
        """Check that no more messages arrive for a while."""
        time.sleep(seconds)
        assert len(self.received) == count

    def accept(self, headers: Any, body: bytes) -> None:
        self.check_sender(headers["authorization"])
        assert headers["content-encoding"] == "aes128gcm"
        assert int(headers["ttl"]) > 0
        self.topics.append(headers["topic"])
        self.received.append(json.loads(self.decrypt(body)))

    def check_sender(self, header: str) -> None:
        fields = dict(part.split("=", 1) for part in header.removeprefix("vapid ").split(", "))
        signed, _, signature = fields["t"].rpartition(".")
        raw = decode(signature)
        numbers = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode(fields["k"]))
        key.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256()))
        claims = json.loads(decode(signed.split(".")[1]))
        assert claims["aud"] == f"http://{self.host}"
        assert time.time() < claims["exp"] < time.time() + 86_400
        assert claims["sub"].startswith(("mailto:", "https://"))

    def decrypt(self, body: bytes) -> bytes:
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, encrypted = body[21 : 21 + length], body[21 + length :]
        assert len(encrypted) <= size
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)

        def derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
            return HKDF(hashes.SHA256(), length, salt, info).derive(secret)

        shared = self.key.exchange(ec.ECDH(), theirs)
        secret = derive(AUTH, shared, b"WebPush: info\0" + self.public + sender, 32)
        key = derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, encrypted, None).rstrip(b"\0")
        assert padded.endswith(b"\x02")
        return padded[:-1]


@dataclass
class ChatService(PushService):
    """A chat service that takes webhooks: it keeps what it got."""

    def address(self, path: str = "/hook") -> str:
        return f"http://{self.host}{path}"

    def accept(self, headers: Any, body: bytes) -> None:
        is_json = headers["content-type"] == "application/json"
        names = ("authorization", "title", "click")
        self.received.append(
            {name: headers[name] for name in names if name in headers}
            | {"body": json.loads(body) if is_json else body.decode()}
        )


@contextmanager
def push_service() -> Iterator[PushService]:
    with _serving(PushService()) as service:
        yield service


@contextmanager
def chat_service() -> Iterator[ChatService]:
    with _serving(ChatService()) as service:
        yield service


@contextmanager
def _serving(service: Service) -> Iterator[Service]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            service.paths.append(self.path)
            service.methods.append(self.command)
            time.sleep(service.seconds)
            status, headers = service.answer()
            if 200 <= status < 300:
                service.accept(self.headers, body)
            self.send_response(status)
            for name, value in {"content-length": "0", **headers}.items():
                self.send_header(name, value)
            self.end_headers()

        do_PUT = do_POST  # noqa: N815 - the name is given

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
