"""Notifications are encrypted and signed as the RFCs say, and reach only who they may reach."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from foxclover.server.errors import RefusalError
from foxclover.server.notify import web_push
from foxclover.server.outgoing import NO_ANSWER, Answer, Outgoing, is_public


def test_the_example_of_rfc_8291() -> None:
    decode = web_push.from_base64url
    receiver = web_push.Receiver(
        decode(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        ),
        decode("BTBZMqHH6r4Tts7J_aSIgg"),
    )
    body = web_push.encrypt(
        b"When I grow up, I want to be a watermelon",
        receiver,
        private=decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
        salt=decode("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert web_push.base64url(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6"
        "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4"
        "a-fN"
    )


def test_a_signature_names_the_push_service_and_can_be_checked() -> None:
    private = web_push.new_private_key()
    header = web_push.authorization(
        private, "https://push.example:8443/a/b?c", "mailto:a@b.example", now=1_000
    )
    scheme, _, rest = header.partition(" ")
    fields = dict(part.split("=", 1) for part in rest.split(", "))
    signed, _, signature = fields["t"].rpartition(".")
    claims = json.loads(web_push.from_base64url(signed.split(".")[1]))
    raw = web_push.from_base64url(signature)
    key = ec.EllipticCurvePublicKey.from_encoded_point(
        ec.SECP256R1(), web_push.from_base64url(fields["k"])
    )
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256()))
    assert (scheme, claims["aud"], claims["sub"]) == (
        "vapid",
        "https://push.example:8443",
        "mailto:a@b.example",
    )
    assert 1_000 < claims["exp"] <= 1_000 + 86_400


@pytest.mark.parametrize(
    "address",
    "127.0.0.1 10.0.0.1 172.16.5.4 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 ::1"
    " fe80::1%eth0 fd00::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: ff02::1".split(),
)
def test_addresses_of_private_networks(address: str) -> None:
    assert not is_public(address)


def test_public_addresses() -> None:
    assert all(map(is_public, ("8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8")))


@pytest.mark.parametrize(
    "url",
    [
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evilpush.apple.com.example/x",
        "https://user@fcm.googleapis.com/x",
        "https://push.apple.com@127.0.0.1/x",
        "https://127.0.0.1/x",
        "https://push.example/x",
        "file:///etc/passwd",
        "https://fcm.googleapis.com:99999/x",
        "https://fcm.googleapis.com/\r\nx",
        "https://fcm.googleapis.com/" + "x" * 1_000,
        "",
    ],
)
def test_endpoints_that_are_no_push_service(url: str) -> None:
    with pytest.raises(RefusalError):
        Outgoing().expect_push_service(url)


def test_endpoints_of_browsers() -> None:
    for url in (
        "https://fcm.googleapis.com/fcm/send/x",
        "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://wns2-am3p.notify.windows.com/w/?token=x",
        "https://web.push.apple.com/x",
    ):
        Outgoing().expect_push_service(url)
    Outgoing(["push.example:8443"]).expect_push_service("https://push.example:8443/x")
    with pytest.raises(RefusalError):
        Outgoing(["push.example:8443"]).expect_push_service("https://push.example/x")


def answering(answer: bytes, hosts: list[str] | None = None) -> tuple[Answer, bytes]:
    """Post to a server that answers this; return what came back and what it read."""
    read = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        read.extend(await reader.read(10_000))
        writer.write(answer)
        await writer.drain()
        writer.close()

    async def post() -> Answer:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server:
            outgoing = Outgoing([f"127.0.0.1:{port}"] if hosts is None else hosts)
            return await outgoing.send(f"http://127.0.0.1:{port}/a?b", {"ttl": "60"}, b"body")

    return asyncio.run(post()), bytes(read)


def test_a_request_and_its_answer() -> None:
    found, read = answering(b"HTTP/1.1 503 Busy\r\nRetry-After: 77\r\nContent-Length: 0\r\n\r\n")
    assert found == Answer(503, 77)
    head, _, body = read.partition(b"\r\n\r\n")
    assert head.startswith(b"POST /a?b HTTP/1.1\r\n")
    assert b"ttl: 60" in head
    assert body == b"body"


@pytest.mark.parametrize(
    "answer", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nx: " + b"y" * 200_000]
)
def test_an_answer_that_is_none(answer: bytes) -> None:
    assert answering(answer)[0].status == NO_ANSWER


def test_redirects_are_not_followed() -> None:
    found, _ = answering(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n")
    assert found.status == 302
    assert not found.ok


def test_a_name_that_leads_to_a_private_address_is_not_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert answering(b"HTTP/1.1 200 OK\r\n\r\n", hosts=[]) == (Answer(NO_ANSWER), b"")

    async def resolve(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 443))]

    async def post() -> Answer:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve, raising=False)
        return await Outgoing().send("https://fcm.googleapis.com/x", {}, b"")

    opened: list[Any] = []
    monkeypatch.setattr(asyncio, "open_connection", lambda *args, **_: opened.append(args))
    assert asyncio.run(post()).status == NO_ANSWER
    assert not opened
