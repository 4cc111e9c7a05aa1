"""Messages between page and server, and their JSON encoding.

A server encodes with orjson, the fastest library. A browser has only the standard library.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

if sys.platform == "emscripten":  # in a browser

    def encode(message: Mapping[str, Any]) -> bytes:
        """Return a message as JSON."""
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()

    def encode_once(value: Any) -> Any:
        """Return a value that may be part of several messages."""
        return value

    def decode(text: str | bytes) -> Any:
        """Parse JSON; raises ``ValueError``."""
        return json.loads(text)

else:
    import orjson

    def encode(message: Mapping[str, Any]) -> bytes:
        """Return a message as JSON."""
        return orjson.dumps(message)

    def encode_once(value: Any) -> Any:
        """Return a value, encoded already, that may be part of several messages."""
        return orjson.Fragment(orjson.dumps(value))

    def decode(text: str | bytes) -> Any:
        """Parse JSON; raises ``ValueError``."""
        return orjson.loads(text)
