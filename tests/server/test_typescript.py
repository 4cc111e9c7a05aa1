"""The page's types are those of the server."""

from pathlib import Path

from foxclover.server.protocol.typescript import typescript

CHECKED_IN = Path(__file__).parents[2] / "web" / "src" / "protocol.ts"


def test_the_checked_in_types_are_those_the_server_declares() -> None:
    assert CHECKED_IN.read_text(encoding="utf-8") == typescript(), (
        "generate them again: python -m foxclover.server.protocol.typescript > web/src/protocol.ts"
    )
