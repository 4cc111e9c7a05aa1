"""Encrypt notifications for a browser (RFC 8291) and sign requests to its push service (RFC 8292).

The push service delivers a message without being able to read it.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD_SIZE = 4_096  # one record holds every message
SALT_BYTES = 16
AUTH_BYTES = 16
LAST_RECORD = b"\x02"
VALID_SECONDS = 12 * 3_600  # of a signature; push services accept at most a day


class Receiver(NamedTuple):
    """The keys of a browser's subscription."""

    public: bytes  # an uncompressed point
    auth: bytes


def base64url(data: bytes) -> str:
    """Return base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """Return the bytes of base64url, with or without padding."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def new_private_key() -> bytes:
    """Return a random private key."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return number.to_bytes(32, "big")


def public_key(private: bytes) -> bytes:
    """Return the public key of a private key."""
    return _point(_private(private).public_key())


def is_point(public: bytes) -> bool:
    """Return whether this is a public key of the curve."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, public)
    except ValueError:
        return False
    return True


def encrypt(
    plain: bytes, receiver: Receiver, private: bytes | None = None, salt: bytes | None = None
) -> bytes:
    """Return the body of a push request; key and salt are new for each message."""
    sender = _private(private or new_private_key())
    salt = salt or secrets.token_bytes(SALT_BYTES)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, receiver.public)
    ours = _point(sender.public_key())
    key, nonce = content_key(
        sender.exchange(ec.ECDH(), theirs), receiver.auth, receiver.public, ours, salt
    )
    head = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(key).encrypt(nonce, plain + LAST_RECORD, None)


def content_key(
    shared: bytes, auth: bytes, receiver: bytes, sender: bytes, salt: bytes
) -> tuple[bytes, bytes]:
    """Return the key and the nonce of a message."""
    secret = _derive(auth, shared, b"WebPush: info\x00" + receiver + sender, 32)
    return (
        _derive(salt, secret, b"Content-Encoding: aes128gcm\x00", 16),
        _derive(salt, secret, b"Content-Encoding: nonce\x00", 12),
    )


def authorization(private: bytes, endpoint: str, contact: str, now: float) -> str:
    """Return the header that proves to a push service who sends, the same one for an hour."""
    parts = urlsplit(endpoint)
    hour = int(now) // 3_600 * 3_600
    return _signed(private, f"{parts.scheme}://{parts.netloc}", contact, hour + VALID_SECONDS)


@lru_cache(maxsize=100)
def _signed(private: bytes, service: str, contact: str, until: int) -> str:
    claims = {"aud": service, "exp": until, "sub": contact}
    signed = ".".join(
        base64url(json.dumps(part, separators=(",", ":")).encode())
        for part in ({"typ": "JWT", "alg": "ES256"}, claims)
    )
    r, s = decode_dss_signature(_private(private).sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={signed}.{signature}, k={base64url(public_key(private))}"


def _private(key: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(key, "big"), CURVE)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """Return a key of at most 32 bytes (HKDF, RFC 5869)."""
    return hmac.digest(hmac.digest(salt, secret, sha256), info + b"\x01", sha256)[:length]
