"""A real server and a real browser, and a player who knows nothing but what the page lights up."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, WebSocket

from foxclover.core.game import game_names

T = TypeVar("T")
GAMES = game_names()
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
CHROMIUM = "chromium", "chromium-browser", "google-chrome"
# the same without a window around the page, which takes longer to open than the page itself
SHELL = "chromium-headless-shell"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
)
SERVE = """
import sys
import time
from pathlib import Path

real_time, ahead = time.time, float(sys.argv[6])
time.time = lambda: real_time() + ahead

from foxclover.locale import catalogue
from foxclover.server import network
from foxclover.server.limits.rate_limits import Limits
from foxclover.server.http.run import ServerSettings, serve
from foxclover.core.registry import add_search_path

network.network_addresses = lambda: [sys.argv[5]]

# All test visitors share an address and open more tables per minute than a person would.
many = 1_000_000
limits = Limits(
    tables_per_client=many, requests_per_client=many, work_per_client=many, messages=many,
    messages_per_client=many,
)
if sys.argv[4]:
    add_search_path(Path(sys.argv[4]))
settings = ServerSettings(
    "127.0.0.1", int(sys.argv[1]), Path(sys.argv[2]), limits=limits, public=sys.argv[3]
)
serve(settings, catalogue("en"))
"""
# WebAssembly is compiled once: a test ends before optimised code would save time.
UNOPTIMISED = "--js-flags=--liftoff-only"
NETWORK = "127.0.0.2"  # another address of this machine, to stand for the one in its network
RAW_KEY = re.compile(r"\b(page|rules|server|clever|climb|cli|common)\.[a-z_]+[.a-z_0-9]*")
TO_TOUCH = "[data-act]:not([disabled]), button.cell.lit"
FIND_LIT = """([lit, chance]) => {
  const all = [...document.querySelectorAll(lit)].filter((one) => one.checkVisibility());
  // failing on purpose is the last choice
  const wanted = all.filter((one) => !one.matches(".move-fail"));
  const choice = wanted.length > 0 ? wanted : all;
  if (choice.length === 0) return null;
  const one = choice[Math.floor(chance * choice.length)];
  window.clicked = false;
  addEventListener("click", () => { window.clicked = true; }, { capture: true, once: true });
  const look = () => {
    const { x, y, width, height } = one.getBoundingClientRect();
    const middle = [x + width / 2, y + height / 2];
    const hit = document.elementFromPoint(...middle);
    const cover = hit?.closest("dialog, .above") ?? hit;
    return [
      ...middle,
      hit?.closest(lit) ? "" : (cover?.outerHTML.slice(0, 200) ?? "the edge of the window"),
    ];
  };
  one.scrollIntoView({ block: "nearest" });
  const first = look();
  if (!first[2]) return first;
  one.scrollIntoView({ block: "center" });
  return look();
}"""
# what a touch asks for that arrived after the page had changed
EXPLANATION = '<dialog class="dialog why"'
LOADING = '<div class="lost above"'
# The focus must not fall to the body when its element disappears. A press on nothing may do that,
# and Tab after the last element.
FOCUS_FALLS = """(() => {
  let focused = null;
  addEventListener("focusin", ({ target }) => { focused = target; });
  addEventListener("pointerdown", ({ target }) => {
    if (!target.closest("button, a, input, select, textarea, summary, label, [tabindex]")) {
      focused = null;
    }
  });
  addEventListener("keydown", ({ key }) => {
    if (key === "Tab") focused = null;
  });
  const look = () => {
    if (focused !== null && document.activeElement === document.body) {
      console.error(`the focus fell to the body from ${focused.outerHTML.slice(0, 200)}`);
      focused = null;
    }
  };
  new MutationObserver(() => requestAnimationFrame(look))
    .observe(document, { childList: true, subtree: true, attributes: true });
})()"""
# asked for by a touch that arrived after the page had changed
OPEN_HINT = ".tool[aria-pressed=true]:not([disabled])"
# milliseconds until something is taken to fail that a machine with other work may only be slow to
# do
PATIENCE = 180_000
WHOLE_GAME = 900.0  # the same for a game touched to its end, in seconds
# Below the ports that the system gives to outgoing connections: nobody takes one of them while its
# server is away.
PORTS = range(15_000, 32_000)
BLOCKED = "Service Worker registration blocked"  # in tests that are about something else
CHANGING = ("move", "roll", "undo", "enter", "correct")  # requests of a page, see connection.ts
# what a browser reports when a server ends
REFUSED = (
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",
    "WebSocket connection",
)


def free_port() -> int:
    """Return a port that nobody listens at, on this address or another one of this machine."""
    for port in random.SystemRandom().sample(PORTS, 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("0.0.0.0", port))
            return port
    raise AssertionError("all ports are taken")


@dataclass
class Server:
    """The server in a process of its own, so that it can be killed."""

    data: Path
    port: int = 0
    reachable: bool = True  # as if a proxy let others in
    sheets: Path | None = None  # a folder with further games
    ahead: float = 0.0  # seconds that its clock is ahead
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        if self.port == 0:
            self.port = free_port()
        command = [
            sys.executable,
            "-c",
            SERVE,
            str(self.port),
            str(self.data),
            self.address if self.reachable else "",
            str(self.sheets or ""),
            NETWORK,
            str(self.ahead),
        ]
        with (self.data.parent / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        until = time.monotonic() + PATIENCE / 1_000
        while time.monotonic() < until and self.process.poll() is None:
            try:
                self.ask("/api/health")
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError("the server does not answer")

    def ask(self, path: str) -> Any:
        with urllib.request.urlopen(self.address + path, timeout=PATIENCE / 1_000) as answer:
            return json.load(answer)

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process:
            os.kill(self.process.pid, how)
            self.process.wait(timeout=PATIENCE / 1_000)
            self.process = None


class HiddenError(AssertionError):
    """Something is to be touched and lies behind something else."""


class Folder:
    """A folder of files on the plainest of web servers, below another one, as on many hosts."""

    BASE = "fox"

    def __init__(self, root: Path) -> None:
        self.root = root
        self.requests: list[str] = []
        self.http = ThreadingHTTPServer(
            ("127.0.0.1", 0), partial(FolderHandler, self.requests, directory=str(root))
        )
        self.port: int = self.http.server_port
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def site(self) -> Path:
        return self.root / self.BASE

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/{self.BASE}"

    def end(self) -> None:
        self.http.shutdown()
        self.http.server_close()


class FolderHandler(SimpleHTTPRequestHandler):
    def __init__(self, requests: list[str], *args: Any, **kwargs: Any) -> None:
        self.requests = requests
        super().__init__(*args, **kwargs)

    def log_message(self, _: str, *args: Any) -> None:
        self.requests.append(str(args[0]))


@contextmanager
def serving(data: Path, *, reachable: bool = True, sheets: Path | None = None) -> Iterator[Server]:
    """A server that ends with the block."""
    running = Server(data, reachable=reachable, sheets=sheets)
    running.start()
    try:
        yield running
    finally:
        running.end()


def launch(playwright: Playwright, *, whole: bool = True) -> Browser:
    """Debian's Chromium, or another one of the system.

    As people have it, or if possible its shell.
    """
    found = next(filter(None, map(shutil.which, CHROMIUM if whole else (SHELL, *CHROMIUM))), None)
    assert found, "the browser tests need Chromium (on Debian the package chromium)"
    flags = FLAGS if whole else (*FLAGS, UNOPTIMISED)
    return playwright.chromium.launch(executable_path=found, args=list(flags), timeout=PATIENCE)


@dataclass
class Visitor:
    """One person's browser: a context of its own, and what went wrong in it."""

    server: Server | Folder
    context: BrowserContext
    page: Page
    expected: tuple[
        str, ...
    ] = ()  # what a browser reports on its console whatever the page does about it
    faults: list[str] = field(default_factory=list)
    unanswered: set[int] = field(default_factory=set)  # requests that change the game
    requests: int = 0  # how many of them were sent
    due: int = -1  # the state that the last answer promised
    seq: int = -1  # the last state that has come
    chooser: random.Random = field(default_factory=lambda: random.Random(7))

    def note_fault(self, text: str) -> None:
        if not any(words in text for words in self.expected):
            self.faults.append(text)

    def follow_requests(self, opened: WebSocket) -> None:
        """Note what the page asks for over a socket until it is answered."""

        def sent(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] in CHANGING:
                self.requests += 1
                self.unanswered.add(message["ref"])

        def received(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] in ("ack", "refused"):
                self.unanswered.discard(message["ref"])
            if message["type"] == "ack":
                self.due = message["seq"]
            if message["type"] == "state":
                self.seq = message["seq"]

        self.unanswered.clear()  # those of the socket before, which may never be closed
        opened.on("framesent", sent)
        opened.on("framereceived", received)
        opened.on("close", lambda _: self.unanswered.clear())

    @property
    def answered(self) -> bool:
        """Whether a server has answered everything that the page has asked it to change."""
        return not self.unanswered and self.seq >= self.due

    def home(self) -> None:
        self.page.goto(self.server.address)
        self.page.wait_for_selector(".game-card")

    def set_up(self, game: str) -> None:
        """Open the form of a game, with the seats it suggests: oneself and a computer player."""
        self.home()
        self.page.click(f".g-{game} .setup-button")
        self.page.fill("dialog .seat-row input", "Ada")

    def start(self) -> str:
        """Begin the game; returns the table's code."""
        self.page.click("dialog button[type=submit]")
        self.page.wait_for_selector(".stage")
        return self.code

    def open_game(self, game: str, *, alone: bool = False) -> str:
        self.set_up(game)
        if alone:
            self.page.click(".seat-row .round-button")
        return self.start()

    def open_table_of_eight(self) -> str:
        """Geht noch was? with four people at this screen and four computer players."""
        self.set_up("geht-noch-was")
        for kind in ("Player on this device", "Computer") * 3:
            self.page.locator(".add-seats button", has_text=kind).click()
        for place, name in enumerate(("Ada", "Bo", "Christopher", "Dorothea")):
            self.page.locator("dialog .seat-row input").nth(place).fill(name)
        for level in self.page.locator("dialog .seat-row select").all():
            level.select_option("easy")
        return self.start()

    @property
    def code(self) -> str:
        return re.split("[/=]", self.page.url)[-1]

    @property
    def over(self) -> bool:
        return self.page.locator("dialog.result").count() > 0

    def touchable(self) -> int:
        return self.page.locator(TO_TOUCH).count()

    def touch_something(self, *, tap: bool = False, among: str = TO_TOUCH) -> bool:
        """Touch any of the things that are lit, where a person would.

        False if there is nothing to do.
        """
        found = self.page.evaluate(FIND_LIT, [among, self.chooser.random()])
        if found is None:
            self.close_hint()
            return False
        x, y, cover = found
        if cover.startswith(EXPLANATION):
            # the page changed before the last touch, which then asked for an explanation
            self.page.keyboard.press("Escape")
            return False
        if cover.startswith(LOADING):
            return False
        if cover:
            raise HiddenError(f"hidden behind {cover}")
        if tap:
            self.page.touchscreen.tap(x, y)
            self.wait_for_click()
        else:
            self.page.mouse.click(x, y)
        return True

    def close_hint(self) -> None:
        """Close the advice, which on a phone replaces the buttons."""
        self.page.evaluate("(hint) => document.querySelector(hint)?.click()", OPEN_HINT)

    def wait_for_click(self) -> None:
        """Wait until a tap has become a click, unless it took so long that nothing came of it."""
        until = time.monotonic() + 1
        while not self.page.evaluate("window.clicked") and time.monotonic() < until:
            self.page.wait_for_timeout(5)

    def touch_until(
        self,
        done: Callable[[], bool],
        *,
        tap: bool = False,
        among: str = TO_TOUCH,
        pause: int = 0,
    ) -> None:
        """Touch lit elements until a condition holds, with a pause in milliseconds after each.

        The last touch may still be under way then: wait until the page is idle before something
        that it could take away is used, or let ``done`` ask :meth:`asks_with`.
        """
        until = time.monotonic() + WHOLE_GAME
        while not done():
            assert time.monotonic() < until, f"it does not come; the page says: {self.prompt}"
            try:
                touched = self.touch_something(tap=tap, among=among)
            except HiddenError:
                if done():  # what hides it came in the meantime, and is what was waited for
                    return
                raise
            self.page.wait_for_timeout(pause if touched else 15)

    def touch_times(
        self, times: int, then: Callable[[], None] = lambda: None, *, tap: bool = False
    ) -> None:
        """Touch lit elements so many times, unless the game ends, and do something after each.

        In the end the page is idle, and no explanation is open that a late touch asked for.
        """
        until = time.monotonic() + WHOLE_GAME
        while times > 0 and not self.over:
            assert time.monotonic() < until, f"nothing is lit; the page says: {self.prompt}"
            touched = self.touch_something(tap=tap)
            self.page.wait_for_timeout(20)
            if touched:
                times -= 1
                then()
        self.wait_for(lambda: self.over or self.asks_with("body"), True)
        self.close_explanation()

    def close_explanation(self) -> None:
        """Close the explanation that a touch asked for if the page had changed before it."""
        self.wait_for(lambda: self.page.locator(".lost.above").count(), 0)
        if self.page.locator("dialog.why").count() > 0:
            self.page.keyboard.press("Escape")

    def asks_with(self, selector: str) -> bool:
        """Whether the page is idle and asks for input, and shows something at the same time."""
        found: bool = self.page.evaluate(
            "(wanted) => wanted.every((one) => document.querySelector(one) !== null)",
            [TO_TOUCH, selector],
        )
        return found

    def wait_for(self, read: Callable[[], T], wanted: T) -> None:
        """Wait until the page shows the wanted value, else fail with the value it shows."""
        until = time.monotonic() + PATIENCE / 1_000
        while (found := read()) != wanted and time.monotonic() < until:
            self.page.wait_for_timeout(20)
        assert found == wanted, f"it is {found!r}"

    def wait_until(self, expression: str) -> None:
        """Wait for an expression; the page's policy forbids ``wait_for_function``."""
        self.wait_for(lambda: bool(self.page.evaluate(expression)), True)

    def wait_until_idle(self) -> None:
        """Wait until the page asks for input, so its last question is answered."""
        self.wait_for(lambda: self.touchable() > 0, True)

    def play_to_the_end(self, *, tap: bool = False) -> None:
        self.touch_until(lambda: self.over, tap=tap)

    @property
    def prompt(self) -> str:
        return self.page.locator(".prompt-words").inner_text()

    @property
    def log(self) -> list[str]:
        """The game log without the times of its entries."""
        lines = self.page.locator(".log-side .log li")
        return lines.evaluate_all(
            "lines => lines.map((line) => [...line.childNodes]"
            ".filter((part) => part.nodeName !== 'TIME').map((part) => part.textContent)"
            ".join('').trim())"
        )

    def result(self) -> list[int]:
        """The totals of the final scoring, of a game whose seal is whole if it has one."""
        assert not self.page.locator(".seal-alarm").count()
        return [
            int(cell)
            for cell in self.page.locator(
                "dialog.result tr.sum td, dialog.result td.sum"
            ).all_inner_texts()
        ]


def invite(
    browser: Browser,
    server: Server | Folder,
    *,
    expected: tuple[str, ...] = (),
    guided: bool = False,
    instant: bool = True,
    **options: Any,
) -> Visitor:
    """A fresh browser window, of somebody who knows the games unless he is to be guided.

    If ``instant``, a single tap plays a move, which is quicker than to confirm each.
    Whatever it reports as an error, and each request to another origin, is a fault.
    """
    settings: dict[str, Any] = {
        "viewport": DESKTOP,
        "locale": "en-GB",
        "reduced_motion": "reduce",
        "service_workers": "block",
        **options,
    }
    context = browser.new_context(**settings)
    remembered = {"pace": 0, "guided": [] if guided else list(GAMES), "instant": instant}
    context.add_init_script(f"localStorage.foxclover ??= {json.dumps(json.dumps(remembered))}")
    context.add_init_script(FOCUS_FALLS)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    visitor = Visitor(server, context, page, (*expected, BLOCKED))
    page.on("pageerror", lambda error: visitor.note_fault(str(error)))
    page.on(
        "console",
        lambda message: (
            visitor.note_fault(message.text) if message.type in ("error", "warning") else None
        ),
    )
    page.on(
        "request",
        lambda request: (
            visitor.faults.append(request.url) if not at_home(request.url, server) else None
        ),
    )
    page.on(
        "websocket",
        lambda opened: (
            visitor.follow_requests(opened)
            if at_home(opened.url, server)
            else visitor.faults.append(opened.url)
        ),
    )
    return visitor


def at_home(address: str, server: Server | Folder) -> bool:
    """Whether a request stays with the server that served the page."""
    return address.startswith(
        (server.address, server.address.replace("http", "ws", 1), "data:", "blob:")
    )


def spoken(page: Page) -> str:
    """Everything the page says: texts, labels, titles, placeholders."""
    text: str = page.evaluate(
        "() => document.body.innerText + ' ' + "
        "[...document.querySelectorAll('[aria-label], [title], [placeholder]')]"
        ".map((one) => `${one.ariaLabel} ${one.title} ${one.getAttribute('placeholder')}`)"
        ".join(' ')"
    )
    return text


def findings(page: Page, *, moderate: bool = False) -> list[Any]:
    """What axe calls serious or worse, or moderate too, short enough to read in a failure."""
    report = Axe().run(page).response
    assert len(report["passes"]) > 10, "axe did not look"
    return [
        (one["id"], node["html"][:160], node["failureSummary"][-220:])
        for one in report["violations"]
        if one["impact"] in ("serious", "critical") or (moderate and one["impact"] == "moderate")
        for node in one["nodes"][:3]
    ]
