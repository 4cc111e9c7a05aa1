"""Messages as they go over the wire: by the quickest encoder there is, which a browser does not have."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

if sys.platform == "emscripten":  # in a browser

    def encode(message: Mapping[str, Any]) -> bytes:
        """Return a message as the page takes it."""
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()

    def encode_once(value: Any) -> Any:
        """Return something as it may stand in several messages."""
        return value

    def decode(text: str | bytes) -> Any:
        """Read what the page sent; raises ``ValueError``."""
        return json.loads(text)

else:
    import orjson

    def encode(message: Mapping[str, Any]) -> bytes:
        """Return a message as it goes over the wire."""
        return orjson.dumps(message)

    def encode_once(value: Any) -> Any:
        """Return something as it may stand in several messages."""
        return orjson.Fragment(orjson.dumps(value))

    def decode(text: str | bytes) -> Any:
        """Read what came over the wire; raises ``ValueError``."""
        return orjson.loads(text)
