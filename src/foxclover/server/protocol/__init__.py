"""Messages between page and server, and their JSON encoding.

A server encodes with orjson, the fastest library. A browser has only the standard library.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

IN_BROWSER = sys.platform == "emscripten"
if not IN_BROWSER:
    import orjson


def encode(message: Mapping[str, Any]) -> bytes:
    """Return a message as JSON."""
    if IN_BROWSER:
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    return orjson.dumps(message)


def encode_once(value: Any) -> Any:
    """Return a value, encoded already on a server, that may be part of several messages."""
    return value if IN_BROWSER else orjson.Fragment(orjson.dumps(value))


def decode(text: str | bytes) -> Any:
    """Parse JSON; raises ``ValueError``."""
    return json.loads(text) if IN_BROWSER else orjson.loads(text)
