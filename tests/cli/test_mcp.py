"""``foxclover mcp`` as a client of the protocol sees it."""

from __future__ import annotations

import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from cli.conftest import Run

Call = Callable[..., Awaitable[tuple[str, bool]]]


def talk(home: Path, conversation: Callable[[Client, Call], Awaitable[None]]) -> None:
    """Start the server as a client does, and talk to it."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "foxclover", "mcp"],
        env={"XDG_DATA_HOME": str(home)},
    )

    async def run() -> None:
        with anyio.fail_after(240):
            async with Client(server) as client:

                async def call(tool: str, **arguments: Any) -> tuple[str, bool]:
                    result = await client.call_tool(tool, arguments)
                    text = result.content[0].text.removeprefix(f"Error executing tool {tool}: ")
                    return text, bool(result.is_error)

                await conversation(client, call)

    anyio.run(run)


def first_move(text: str) -> str:
    return text.split("Legal moves:\n")[1].split(":", maxsplit=1)[0]


def test_a_whole_game_is_played_and_reviewed(home: Path) -> None:
    async def conversation(client: Client, call: Call) -> None:
        listed = (await client.list_tools()).tools
        named = {tool.name: tool.description for tool in listed}
        assert list(named) == "new_game position legal_moves play hint review odds".split()
        assert all(named.values())
        text, failed = await call("new_game", opponents=["greedy"], seat=2, seed=3)
        assert not failed
        assert text.startswith("# Ganz schön clever")
        assert "You are player 2 of 2." in text
        assert (await call("review"))[1]
        text, _ = await call("position")
        moves, _ = await call("legal_moves")
        assert moves in text
        hint, _ = await call("hint")
        assert re.match(r"\S+: \d+\.\d ± \d\.\d points\. ", hint)
        assert hint.split(":")[0] in {line.split(":")[0] for line in moves.splitlines()}
        while "The game is over" not in text:
            text, failed = await call("play", move=first_move(text))
            assert not failed
        points = text.rpartition("player 2: ")[2].strip(".")
        found, failed = await call("review")
        assert not failed
        assert points in found.splitlines()[0]
        text, failed = await call("play", move="reroll")
        assert failed
        assert text == "The game is over: call review or new_game."

    talk(home, conversation)


def test_bad_calls_get_a_sentence_and_change_nothing(home: Path) -> None:
    async def conversation(_: Client, call: Call) -> None:
        for tool in ("position", "legal_moves", "hint", "review", "odds"):
            assert await call(tool) == ("There is no game yet: call new_game.", True)
        before, _ = await call("new_game", game="geht", seed=1)
        position, _ = await call("position")
        assert position in before
        for arguments in (
            {"game": "chess"},
            {"opponents": ["os:system"]},
            {"opponents": ["greedy"] * 8},
            {"seat": 2},
            {"seat": 0},
            {"seed": -1},
        ):
            text, failed = await call("new_game", **arguments)
            assert failed
            assert 20 < len(text) < 200, text
            assert "Error executing" not in text
        text, failed = await call("play", move="nonsense")
        assert failed
        assert "nonsense" in text
        assert await call("position") == (position, False)

    talk(home, conversation)


def test_odds_are_exact(home: Path) -> None:
    async def conversation(_: Client, call: Call) -> None:
        text, failed = await call("odds", conditions=["3*W4+", "W1"])
        assert not failed
        assert text.count("279,936") == 3
        assert (await call("odds", conditions=["?"]))[1]
        await call("new_game", game="geht", seed=1)
        text, failed = await call("odds")
        assert not failed
        assert "%" in text
        await call("new_game", game="ganz", seed=1)
        assert (await call("odds"))[1]

    talk(home, conversation)


def test_without_the_package_one_sentence_says_what_to_install(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    assert run("mcp") == 2
    assert "This needs mcp. Install it with:" in capsys.readouterr().err
