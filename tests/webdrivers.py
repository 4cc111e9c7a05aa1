"""Windows of Firefox and WebKit, driven by the W3C protocols that they have themselves.

Firefox speaks WebDriver BiDi over a socket. WebKitGTK has a driver that speaks classic WebDriver
over HTTP, and needs a display: Xvfb if there is none.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from browsing import PATIENCE, free_port

FIREFOX = "firefox-esr", "firefox"
DRIVER = "WebKitWebDriver"
MINI_BROWSERS = (
    "/usr/lib/*/webkitgtk-6.0/MiniBrowser",
    "/usr/lib/*/webkit2gtk-4.1/MiniBrowser",
    "/usr/libexec/webkit*/MiniBrowser",
)
SIZE = {"width": 1280, "height": 800}
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
# what a test changes in a fresh profile of Firefox
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.accept_languages": "en-GB",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "ui.prefersReducedMotion": 1,
}
# Its best compiler takes a minute for Python's main loop; on two cores all others wait for it.
FOR_WEBKIT = {"GDK_BACKEND": "x11", "LANG": "C.UTF-8", "JSC_useOMGJIT": "0"}
# WebKit's driver reports no errors of a page: each document collects its own
COLLECT_ERRORS = """
if (!window.collected) {
  window.collected = [];
  addEventListener("error", (event) => window.collected.push(String(event.message)));
  addEventListener("unhandledrejection", (event) => window.collected.push(String(event.reason)));
}
"""


class Window(ABC):
    """A window of a browser with a fresh profile."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    @abstractmethod
    def goto(self, address: str) -> None:
        """Open an address and wait until it is loaded."""

    @abstractmethod
    def reload(self) -> None:
        """Load the page again."""

    @abstractmethod
    def evaluate(self, function: str, *arguments: Any) -> Any:
        """Call a JavaScript function, wait for its promise and return its value."""

    @abstractmethod
    def click(self, x: float, y: float) -> None:
        """Press and release the mouse at a point of the window."""


def press(x: float, y: float) -> list[dict[str, Any]]:
    """Return the actions of a click, the same in both protocols."""
    actions = [
        {"type": "pointerMove", "x": round(x), "y": round(y)},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return [{"type": "pointer", "id": "mouse", "actions": actions}]


class Firefox(Window):
    def __init__(self, socket: ClientConnection) -> None:
        super().__init__()
        self.socket, self.numbers = socket, count()
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        (context,) = self.send("browsingContext.getTree")["contexts"]
        self.context = context["context"]
        self.send("browsingContext.setViewport", context=self.context, viewport=SIZE)

    def send(self, method: str, **parameters: Any) -> Any:
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=PATIENCE / 1_000))
            if message["type"] == "event":
                entry = message["params"]
                if entry["level"] == "error" and entry["source"].get("context") == self.context:
                    self.faults.append(entry["text"])
            elif message["id"] == number:
                assert message["type"] == "success", message
                return message["result"]

    def goto(self, address: str) -> None:
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def reload(self) -> None:
        self.send("browsingContext.reload", context=self.context, wait="complete")

    def evaluate(self, function: str, *arguments: Any) -> Any:
        given = ", ".join(map(json.dumps, arguments))
        answer = self.send(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({function})({given})) ?? 'null')()",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])

    def click(self, x: float, y: float) -> None:
        self.send("input.performActions", context=self.context, actions=press(x, y))


class WebKit(Window):
    def __init__(self, port: int, binary: str) -> None:
        super().__init__()
        self.address = f"http://127.0.0.1:{port}/session"
        options = {"binary": binary, "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        session = self.send("POST", "", {"capabilities": wanted})["sessionId"]
        self.address += f"/{session}"
        self.send("POST", "/timeouts", {"script": PATIENCE, "pageLoad": PATIENCE})
        self.send("POST", "/window/rect", SIZE)

    def send(self, method: str, path: str, body: Any = None) -> Any:
        request = urllib.request.Request(
            self.address + path,
            None if body is None else json.dumps(body).encode(),
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE / 1_000) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def goto(self, address: str) -> None:
        self.collect()
        self.send("POST", "/url", {"url": address})
        self.collect()

    def reload(self) -> None:
        self.collect()
        self.send("POST", "/refresh", {})
        self.collect()

    def collect(self) -> None:
        """Move the errors of this document to ``faults``, and listen for further ones."""
        self.faults += self.evaluate(
            f"() => {{ {COLLECT_ERRORS} return window.collected.splice(0); }}"
        )

    def evaluate(self, function: str, *arguments: Any) -> Any:
        script = f"""
          const done = arguments[arguments.length - 1];
          Promise.resolve()
            .then(() => ({function})(...arguments[0]))
            .then((value) => done({{ value }}), (error) => done({{ error: String(error) }}));
        """
        body = {"script": script, "args": [arguments]}
        answer = self.send("POST", "/execute/async", body)
        assert "error" not in answer, answer["error"]
        return answer.get("value")

    def click(self, x: float, y: float) -> None:
        self.send("POST", "/actions", {"actions": press(x, y)})


@contextmanager
def open_firefox() -> Iterator[Window]:
    """Start Firefox; skip the test where it is missing."""
    found = next(filter(None, map(shutil.which, FIREFOX)), None)
    if not found:
        pytest.skip("Firefox is not installed (on Debian the package firefox-esr)")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
        Path(profile, "user.js").write_text("\n".join(lines), encoding="utf-8")
        log = Path(profile, "firefox.log")
        command = [found, "--headless", "--no-remote", "--profile", profile]
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, "--remote-debugging-port", "0"], stdout=output, stderr=output
            )
        try:
            address = wait_for(lambda: LISTENING.search(log.read_text(encoding="utf-8")))[1]
            with connect(f"{address}/session", max_size=None) as socket:
                window = Firefox(socket)
                yield window
                window.send("browser.close")
        finally:
            end(process)


@contextmanager
def open_webkit() -> Iterator[Window]:
    """Start WebKitGTK's driver and browser; skip the test where they are missing."""
    binary = next((str(f) for name in MINI_BROWSERS for f in Path("/").glob(name[1:])), None)
    if not shutil.which(DRIVER) or not binary:
        pytest.skip("WebKitGTK is not installed (on Debian the package webkit2gtk-driver)")
    with a_display() as display:
        port = free_port()
        surroundings = {**os.environ, **FOR_WEBKIT, "DISPLAY": display}
        process = subprocess.Popen(
            [DRIVER, f"--port={port}"],
            env=surroundings,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(lambda: answers(port))
            window = WebKit(port, binary)
            yield window
            window.collect()
            window.send("DELETE", "")
        finally:
            end(process)


@contextmanager
def a_display() -> Iterator[str]:
    """Start an X server without a screen."""
    if not shutil.which("Xvfb"):
        pytest.skip("WebKitGTK needs a display (on Debian the package xvfb)")
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout
    try:
        yield f":{process.stdout.readline().strip()}"
    finally:
        end(process)
        process.stdout.close()


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/status") as answer:
            return bool(json.load(answer)["value"]["ready"])
    except OSError:
        return False


def wait_for(read: Any) -> Any:
    """Return the first true value that ``read`` returns."""
    until = time.monotonic() + PATIENCE / 1_000
    while not (found := read()):
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.02)
    return found


def end(process: subprocess.Popen[Any]) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
