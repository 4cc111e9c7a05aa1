"""What does an export of many games cost, and what do others notice of it?

    python bench/export.py [--games 5000] [--characters 6000]

A person with so many games takes everything out while another address asks for the list of games
again and again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx2

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from foxclover import agent, seeded, transcripts
from foxclover.core.game import game
from foxclover.server.protocol.identifiers import token_key
from foxclover.server.stores.sqlite import SqliteStore
from tables import real_server

TOKEN = "A" * 22
OTHERS = {"X-Forwarded-For": "192.0.2.7"}


def text_of_game(seed: int) -> str:
    """Return a finished game as text."""
    position, dice, player = (
        game("ganz").start(2),
        seeded(seed),
        agent("random", game("ganz"), seed),
    )
    while not position.over:
        if position.chance_due:
            position.roll(dice)
        else:
            position.push(player.choose(position, position.acting[0]))
    return transcripts.write(
        transcripts.Header(position.game, ["Ada", "Bo"], f"seed {seed}"), position
    )


async def fill(folder: Path, games: int, characters: int) -> None:
    """Give a person so many games of so many characters."""
    store = SqliteStore(folder)
    await store.query("INSERT INTO people (id, name, tag, created) VALUES ('p', 'Ada', 'bcdf', 1)")
    await store.query("INSERT INTO devices (key, person) VALUES (?, 'p')", token_key(TOKEN))
    text = text_of_game(1)
    text += "# " + "x" * (characters - len(text))
    body = json.dumps(
        {
            "seat": 0,
            "names": ["Ada", "Bo"],
            "levels": ["", ""],
            "scores": [1, 2],
            "places": [2, 1],
            "parts": {},
        }
    )
    for number in range(games):
        values = ("p", f"import-{number}", 1_000_000 + number, body, text, str(number), len(text))
        await store.query(
            "INSERT INTO results (person, id, at, body, transcript, digest, size) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            *values,
        )
    await store.close()


def peak(process: int) -> int:
    """Return the most memory that a process has had, in megabytes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1024


def main() -> None:
    """Measure one export."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=5_000)
    parser.add_argument("--characters", type=int, default=6_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(fill(Path(folder), args.games, args.characters))
        with real_server(Path(folder)) as server:
            waits: list[float] = []
            done = threading.Event()

            def watch() -> None:
                with httpx2.Client(base_url=server.address, headers=OTHERS, timeout=120) as other:
                    while not done.is_set():
                        began = time.perf_counter()
                        other.get("/api/games")
                        waits.append(time.perf_counter() - began)
                        time.sleep(0.02)

            server.client.get("/api/games")  # the first one takes longer
            before = peak(server.process.pid)
            watcher = threading.Thread(target=watch)
            watcher.start()
            began, size = time.perf_counter(), 0
            with server.client.stream(
                "POST", "/api/me/export", json={"token": TOKEN}, timeout=600
            ) as answer:
                for piece in answer.iter_bytes():
                    size += len(piece)
            took = time.perf_counter() - began
            done.set()
            watcher.join()
            print(
                f"{args.games} games, {size / 1e6:.1f} MB, status {answer.status_code}, "
                f"in {took:.1f} s; "
                f"memory {before} MB before, {peak(server.process.pid)} MB at most; "
                f"others waited {sorted(waits)[len(waits) // 2] * 1000:.0f} ms in the middle, "
                f"{max(waits) * 1000:.0f} ms at most"
            )


if __name__ == "__main__":
    main()
