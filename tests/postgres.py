"""A PostgreSQL server of the tests' own, in a temporary folder, reached by a socket file there."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

USER = "fox"
NOBODY = "postgres"  # who runs it when the tests are run by root, as it refuses to be run by root


def programs() -> Path | None:
    """Return the folder of PostgreSQL's own programs."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    if found:
        return found[-1].parent
    path = shutil.which("initdb")
    return Path(path).resolve().parent if path else None


@dataclass
class Cluster:
    """A running server with any number of databases."""

    folder: Path
    databases: int = 0

    def run(self, program: str, *arguments: str) -> None:
        found = programs()
        assert found
        as_nobody = ["runuser", "-u", NOBODY, "--"] if os.getuid() == 0 else []
        subprocess.run(
            [*as_nobody, str(found / program), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            cwd="/",
        )

    def start(self) -> None:
        options = (
            f"-c listen_addresses= -c unix_socket_directories={self.folder} -c max_connections=200"
            " -c fsync=off"  # processes are killed in tests, the system is not
        )
        self.run(
            "pg_ctl",
            "-D",
            str(self.folder / "data"),
            "-l",
            str(self.folder / "log"),
            "-o",
            options,
            "-w",
            "start",
        )

    def stop(self, mode: str = "fast") -> None:
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop")

    def kill(self) -> None:
        """End all of it as a power cut would."""
        postmaster = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        children = [
            int(pid)
            for pid in Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        ]
        for pid in (postmaster, *children):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        while any(Path(f"/proc/{pid}").exists() for pid in (postmaster, *children)):
            time.sleep(0.02)

    def database(self) -> str:
        """Make a fresh database; return its address."""
        self.databases += 1
        name = f"test{self.databases}"
        self.run("createdb", "-h", str(self.folder), "-U", USER, name)
        return f"postgresql://{USER}@/{name}?host={self.folder}"


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Make, start and end a server."""
    folder = Path(tempfile.mkdtemp(prefix="foxclover-pg-"))
    made = Cluster(folder)
    try:
        if os.getuid() == 0:
            user = pwd.getpwnam(NOBODY)
            os.chown(folder, user.pw_uid, user.pw_gid)
        made.run("initdb", "-D", str(folder / "data"), "-U", USER, "--auth=trust", "--no-sync")
        made.start()
        yield made
        made.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
