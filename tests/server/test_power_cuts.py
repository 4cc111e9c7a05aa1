"""A small game on SQLite, cut at every write.

Whatever was acknowledged before is there when the store is opened again.
"""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

import pytest

from foxclover.server.stores.sqlite import SqliteStore
from foxclover.server.stores.store import Event, TableRecord
from tables import ME, committing_at_once, traced_house

MOVES = 12
HEAD = struct.Struct("=qqqq")
CREATED = re.compile(rb'"table":"(\w+)"')
ACKNOWLEDGED = re.compile(rb'"type":"ack","ref":\d+,"seq":(\d+)')


class Kind(IntEnum):
    """What was done, as writes.c numbers it."""

    WRITE = 0
    CUT = 1
    SYNC = 2
    REMOVE = 3
    SEND = 4


@dataclass(frozen=True)
class Step:
    kind: Kind
    offset: int
    name: str
    data: bytes

    def apply(self, files: dict[str, bytearray], size: int | None = None) -> None:
        """Change files as this step did, or as far as so many bytes of it did."""
        if self.kind == Kind.REMOVE:
            files.pop(self.name, None)
            return
        content = files.setdefault(self.name, bytearray())
        data = self.data[:size]
        end = self.offset + len(data)
        content.extend(bytes(max(0, end - len(content))))
        if self.kind == Kind.WRITE:
            content[self.offset : end] = data
        else:
            del content[self.offset :]


@dataclass
class Disk:
    """Files as the system shows them, and as far as they are known to be on the disk itself."""

    shown: dict[str, bytearray] = field(default_factory=dict)
    kept: dict[str, bytearray] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)  # that are found after a power cut
    open: list[Step] = field(default_factory=list)  # that may or may not be on the disk

    def do(self, step: Step) -> None:
        if step.kind != Kind.SYNC:
            step.apply(self.shown)
            self.open.append(step)
        elif step.name:
            for done in (done for done in self.open if done.name == step.name):
                done.apply(self.kept)
            self.open = [done for done in self.open if done.name != step.name]
        else:
            self.names = set(self.shown)
            self.kept = {name: content for name, content in self.kept.items() if name in self.names}
            self.open = [done for done in self.open if done.name in self.names]

    def killed(self, step: Step) -> Iterator[tuple[str, dict[str, bytearray]]]:
        """What is there if the process ends before a step, or in the middle of a write."""
        yield "killed", self.shown
        if step.kind == Kind.WRITE and len(step.data) > 1:
            torn = deepcopy(self.shown)
            step.apply(torn, len(step.data) // 2)
            yield "torn", torn

    def without_power(self, chance: random.Random) -> Iterator[tuple[str, dict[str, bytearray]]]:
        """What is there if the power fails now: of what is not synced nothing, or anything."""
        yield "nothing more", {name: self.kept.get(name, bytearray()) for name in self.names}
        some = deepcopy(self.kept)
        for step in self.open:
            if chance.random() < 0.5:
                step.apply(some)
        yield "some more", some


def steps(trace: bytes) -> Iterator[Step]:
    at = 0
    while at < len(trace):
        kind, offset, name, size = HEAD.unpack_from(trace, at)
        at += HEAD.size
        yield Step(
            Kind(kind), offset, trace[at : at + name].decode(), trace[at + name : at + name + size]
        )
        at += name + size


def opened(files: dict[str, bytearray], folder: Path, code: str) -> TableRecord | None:
    """What a store finds in these files."""
    folder.mkdir(mode=0o700)
    for name, content in files.items():
        if not name.endswith("-shm"):  # created again by the first connection
            (folder / name).write_bytes(content)

    async def load() -> TableRecord | None:
        store = SqliteStore(folder)
        try:
            await store.ping()
            return await store.load(code)
        finally:
            await store.close()

    try:
        with committing_at_once():
            return asyncio.run(load())
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def preload(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What writes down everything that a server does to its files."""
    built = tmp_path_factory.mktemp("preload") / "writes.so"
    source = Path(__file__).with_name("writes.c")
    subprocess.run(
        [sys.executable, "-m", "ziglang", "cc", "-shared", "-fPIC", "-o", str(built), str(source)],
        check=True,
    )
    return built


def play_small_game(data: Path, preload: Path) -> tuple[str, list[Step], list[Event]]:
    """Play until some checkpoints have been made and the server is closed.

    Return the table, what was done, and the events in the end.
    """
    with traced_house(data, str(preload)) as server:
        code, tokens = server.create(ME, options={"seed": 1})
        with server.sit(code, *tokens) as ada:
            for _ in range(MOVES):
                ada.play()
        server.process.terminate()
        server.process.wait(timeout=60)
    done = list(steps(Path(f"{data}.trace").read_bytes()))
    found = opened(
        {file.name: bytearray(file.read_bytes()) for file in data.iterdir()},
        data.with_name("end"),
        code,
    )
    assert found is not None
    return code, done, found.events


@pytest.mark.skipif(sys.platform != "linux", reason="what is preloaded is written for Linux")
def test_a_game_cut_at_any_write_keeps_every_acknowledged_move(
    tmp_path: Path, preload: Path
) -> None:
    code, done, events = play_small_game(tmp_path.resolve() / "data", preload)
    disk, chance = Disk(), random.Random(1)
    acknowledged, created, cuts = 0, False, 0
    seen: set[tuple[int, int]] = set()

    def check(how: str, files: dict[str, bytearray], number: int) -> int:
        same = (
            hash(tuple(sorted((name, bytes(content)) for name, content in files.items()))),
            acknowledged,
        )
        if same in seen:
            return 0
        seen.add(same)
        found = opened(files, tmp_path / "cut", code)
        kept = found.events if found is not None else []
        assert found is not None or not created, f"{how} at step {number}: the table is gone"
        assert len(kept) >= acknowledged, (
            f"{how} at step {number}: {acknowledged} acknowledged, {len(kept)} kept"
        )
        assert kept == events[: len(kept)], f"{how} at step {number}: other moves"
        return 1

    for number, step in enumerate(done):
        if step.kind == Kind.SEND:
            created = created or any(
                match[1].decode() == code for match in CREATED.finditer(step.data)
            )
            acknowledged = max(
                [acknowledged, *(int(match[1]) for match in ACKNOWLEDGED.finditer(step.data))]
            )
            continue
        for how, files in (*disk.killed(step), *disk.without_power(chance)):
            cuts += check(how, files, number)
        disk.do(step)
    for how, files in (("killed", disk.shown), *disk.without_power(chance)):
        cuts += check(how, files, len(done))
    assert acknowledged == len(events)
    assert sum(step.kind == Kind.WRITE and step.name == "foxclover.sqlite" for step in done) > 10, (
        "checkpoints were cut, too"
    )
    assert cuts > 100
