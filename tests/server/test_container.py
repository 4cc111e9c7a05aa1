"""The container is built on packages of Debian, and a game is played in its root file system."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tables import ME, ROBOT, RealServer

ROOT = Path(__file__).parents[2]
TOOLS = ("mmdebstrap", "buildah")
PACKAGES = "python3,python3-venv,ca-certificates"
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
VOLUME = "/home/fox/data"
MINUTE = 60
PAUSE = 0.1  # between moves, within the server's limits
READ_ONLY = """
mount --make-rprivate /
mount --bind "$0" "$0"
mount --bind "$1" "$0$2"
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
mount -t tmpfs tmpfs "$0/tmp"
mount -o remount,bind,ro "$0"
root=$0; user=$3; shift 3
exec chroot --userspec="$user" --groups= "$root" "$@"
"""
"""Runs a command in a root file system that only its volume and /tmp can be written in."""


def run(*command: str, seconds: float = MINUTE) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def need_tools() -> None:
    """Install what builds images, or skip with the reason."""
    if os.getuid() != 0:
        pytest.skip("only root can mount the container's root file system")
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        with_apt = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]
        installed = shutil.which("apt-get") and subprocess.run(
            with_apt, capture_output=True, timeout=5 * MINUTE, check=False
        )
        if not installed or installed.returncode:
            pytest.skip(f"{' and '.join(missing)} cannot be installed here")


@dataclass
class Image:
    """The built image: its root file system and its configuration."""

    root: Path
    config: dict[str, Any]

    @property
    def variables(self) -> list[str]:
        return list(self.config["Env"])

    @property
    def user(self) -> str:
        """The ids of the user and the group that the image names."""
        (found,) = (
            line.split(":")
            for line in (self.root / "etc/passwd").read_text().splitlines()
            if line.startswith(f"{self.config['User']}:")
        )
        return f"{found[2]}:{found[3]}"

    def command(self, data: Path, words: Sequence[str], *variables: str) -> list[str]:
        """Return the command that runs words of the image as a container would."""
        inside = ["env", "-i", *self.variables, *variables, *words]
        script = ["sh", "-ec", READ_ONLY, str(self.root), str(data), VOLUME, self.user]
        return ["unshare", "--mount", *script, *inside]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """Build a base from packages of Debian, and the image on it."""
    need_tools()
    folder = tmp_path_factory.mktemp("container")
    places = ["--root", f"{folder}/images", "--runroot", f"{folder}/run"]
    buildah = ["buildah", *places, "--storage-driver", "vfs"]
    release = re.search(r"VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text())
    base = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={PACKAGES}"]
    run(*base, release[1] if release else "stable", f"{folder}/base.tar", seconds=8 * MINUTE)

    made = run(*buildah, "from", "scratch").strip()
    run(*buildah, "add", "--quiet", made, f"{folder}/base.tar", "/", seconds=3 * MINUTE)
    # The certificates and the package index are those of this machine.
    run(*buildah, "copy", "--quiet", made, CERTIFICATES, CERTIFICATES)
    trusted = [f"--env={name}={CERTIFICATES}" for name in ("NODE_EXTRA_CA_CERTS", "PIP_CERT")]
    run(*buildah, "config", *trusted, made)
    run(*buildah, "commit", "--quiet", made, "base", seconds=3 * MINUTE)

    clone = folder / "clone"
    files = run("git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard").splitlines()
    for file in files:
        if (ROOT / file).is_file():
            (clone / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, clone / file)
    build = ["build", "--isolation=chroot", "--format=docker", "--build-arg=BASE=localhost/base"]
    recipe = ["--file", str(clone / "docs/server/Containerfile"), "--tag", "foxclover"]
    run(*buildah, *build, *recipe, str(clone), seconds=25 * MINUTE)

    config = json.loads(run(*buildah, "inspect", "--type=image", "foxclover"))["Docker"]["config"]
    container = run(*buildah, "from", "localhost/foxclover", seconds=3 * MINUTE).strip()
    try:
        yield Image(Path(run(*buildah, "mount", container).strip()), config)
    finally:
        run(*buildah, "umount", container)
        shutil.rmtree(folder)


@pytest.fixture
def volume(image: Image, tmp_path: Path) -> Path:
    """Make a volume as an engine does: with the owner and the mode of the image's folder."""
    folder, like = tmp_path / "volume", (image.root / VOLUME.lstrip("/")).stat()
    folder.mkdir(mode=like.st_mode & 0o777)
    os.chown(folder, like.st_uid, like.st_gid)
    return folder


@contextmanager
def container(image: Image, data: Path, port: int) -> Iterator[RealServer]:
    command = image.command(data, image.config["Entrypoint"], f"FOXCLOVER_PORT={port}")
    said = data.with_suffix(".log").open("w+")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True)
    assert process.stdout is not None
    try:
        address = f"http://127.0.0.1:{port}/"
        line = process.stdout.readline()
        assert address in line, line + data.with_suffix(".log").read_text()
        with httpx2.Client(base_url=address, trust_env=False) as client:
            yield RealServer(client, process, address)
    finally:
        process.terminate()
        process.communicate(timeout=MINUTE)
        said.close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def health(image: Image, data: Path, port: int) -> int:
    """Return the exit code of the image's own health check."""
    kind, *words = image.config["Healthcheck"]["Test"]
    assert kind == "CMD"
    command = image.command(data, words, f"FOXCLOVER_PORT={port}")
    return subprocess.run(command, capture_output=True, timeout=MINUTE, check=False).returncode


def test_a_game_is_played_in_the_container_and_outlives_it(image: Image, volume: Path) -> None:
    port = free_port()
    assert health(image, volume, port) != 0, "nothing listens yet"
    with container(image, volume, port) as server:
        assert "<html" in server.client.get("/").text, "the page was built"
        assert health(image, volume, port) == 0
        code, tokens = server.create(ME, ROBOT, pace=0)
        with server.sit(code, *tokens) as ada:
            while not ada.state["over"]:
                if 0 in ada.state["rollers"] or ada.moves(0):
                    ada.play()
                    time.sleep(PAUSE)
                else:
                    ada.until("state")
            seen = ada.log
        assert len(seen) > 50
    assert (volume / "foxclover.sqlite").is_file()
    with container(image, volume, port) as server, server.sit(code, *tokens) as ada:
        assert ada.log == seen


def test_the_container_has_no_rights_and_can_write_to_its_volume_only(
    image: Image, volume: Path
) -> None:
    with container(image, volume, free_port()) as server:
        process = Path(f"/proc/{server.process.pid}")
        status = dict(
            line.split(":\t", 1) for line in (process / "status").read_text().splitlines()
        )
        assert set(status["Uid"].split()) == {"10001"}
        assert int(status["CapEff"], 16) == int(status["CapPrm"], 16) == 0
        assert status["Groups"].split() in ([], ["10001"])
        mounts = [line.split() for line in (process / "mountinfo").read_text().splitlines()]
        options = {mount[4]: mount[5].split(",") for mount in mounts}
        assert "ro" in options["/"]
        assert "rw" in options[VOLUME]
    owners = {path.stat().st_uid for path in volume.rglob("*")}
    assert owners == {10001}


def test_the_image_declares_its_volume_its_port_and_a_patient_health_check(image: Image) -> None:
    assert list(image.config["Volumes"]) == [VOLUME]
    assert list(image.config["ExposedPorts"]) == ["8000/tcp"]
    assert f"FOXCLOVER_DATA={VOLUME}" in image.variables
    assert image.config["Healthcheck"]["StartPeriod"] == MINUTE * 1_000_000_000
    writable = run("find", str(image.root / "opt/foxclover"), "-uid", "10001")
    assert writable == "", "the server cannot change its own code"
