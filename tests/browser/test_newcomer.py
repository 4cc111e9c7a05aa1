"""Newcomers at the table: they see what is lit, and a single tap never plays a move."""

from __future__ import annotations

import pytest

from browser.conftest import Visit
from browsing import GAMES, TO_TOUCH, Visitor

SIZES = {
    "small": (360, 640),
    "upright": (390, 844),
    "on its side": (844, 390),
    "tablet": (820, 1180),
    "laptop": (1366, 768),
    "wide": (1920, 1080),
    "widest": (2560, 1440),
}
LOCALES = {"de": "de-DE", "en": "en-GB", "nl": "nl-NL"}
# What plays a move, or would without the second tap.
CHOICES = ", ".join(
    (
        *("button.die.lit", "button.cell.lit", "button.card.lit", "button.pile.lit"),
        *(".bonus-button", ".zone-button", ".number-button"),
        *(".move-reroll:not([disabled])", ".move-exchange:not([disabled])"),
    )
)
COVERED = """(lit) => {
  if (document.querySelector("dialog[open]")) return [];
  const panel = document.querySelector(".sheet-panel").getBoundingClientRect();
  const arrows = [".more-there.above", ".more-there.below-fold"]
    .map((arrow) => document.querySelector(`${arrow}:not([hidden])`));
  return [...document.querySelectorAll(lit)].filter((one) => one.checkVisibility())
    .map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      if (one.closest(".sheet-panel")) {
        if (y < panel.top) return arrows[0] ? "" : `${one.className} above`;
        if (y > panel.bottom) return arrows[1] ? "" : `${one.className} below`;
      }
      const hit = document.elementFromPoint(x, y);
      // A card above its level, or an arrow that leads on, is no cover.
      return hit && (one.contains(hit) || hit.closest(lit) || hit.closest(".more-there"))
        ? "" : `${one.className} behind ${hit?.outerHTML.slice(0, 120)}`;
    }).filter(Boolean);
}"""
# Words that are cut off, parts that stick out of their panel, small texts in the prompt, and tools
# without a label where there is room for it.
CROWDED = """() => {
  const found = [];
  const words = document.querySelector(".prompt-words");
  // A long chain of bonuses may need to be scrolled.
  const isLong = words.closest(".choosing") && words.textContent.length > 75;
  if (!isLong && words.scrollHeight > words.clientHeight + 2) {
    found.push(`cut: ${words.textContent}`);
  }
  const parts = ".belongings > *, .tray-note, .prompt button, .prompt-note, .top-bar button";
  for (const one of document.querySelectorAll(parts)) {
    if (!one.checkVisibility() || one.closest(".hints, .heap, .numbers")) continue;
    const panel = one.closest(".tray, .dice-panel, .prompt, .top-bar").getBoundingClientRect();
    const { left, right, top, bottom } = one.getBoundingClientRect();
    // A note that the words leave no line is hidden.
    if (!one.matches(".prompt-note") && (top < panel.top - 1 || bottom > panel.bottom + 1) ||
      left < panel.left - 1 || right > panel.right + 1 || one.scrollWidth > one.clientWidth + 1 &&
      !one.matches(".prompt-note")) found.push(`out: ${one.outerHTML.slice(0, 120)}`);
  }
  for (const one of document.querySelectorAll(".prompt *")) {
    const says = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const { width } = one.getBoundingClientRect();
    if (says && width > 1 && !one.closest(".bonus") &&
      parseFloat(getComputedStyle(one).fontSize) < 16) {
      found.push(`small: ${one.outerHTML.slice(0, 120)}`);
    }
  }
  const hasRoom = innerHeight >= (innerWidth > innerHeight ? 390 : 820);
  for (const label of document.querySelectorAll(".tool-label")) {
    if (hasRoom && label.getBoundingClientRect().width < 10) found.push(label.outerHTML);
  }
  return found;
}"""
# On large screens no text of the table is smaller than the log.
SMALL = """() => {
  const size = (one) => parseFloat(getComputedStyle(one).fontSize);
  const log = size(document.querySelector(".log-side .log"));
  const parts = ".table :is(.prompt, .dice-panel, .sheet-frame, .players) *";
  return [...document.querySelectorAll(parts)]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1 &&
      !one.closest(".bonus, .factor-number, .condition, .die-letter, .fitted, .sr") &&
      [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) &&
      size(one) < log - 0.1)
    .map((one) => `${size(one)} ${one.outerHTML.slice(0, 120)}`);
}"""
# Opens a dialog and returns what has moved after it was painted first.
SHIFTS = """async (opener) => {
  const frame = () => new Promise(requestAnimationFrame);
  const shifts = [];
  const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
  observer.observe({ type: "layout-shift" });
  document.querySelector(opener).click();
  while (!document.querySelector("dialog[open]")) await frame();
  await frame();
  const painted = performance.now();
  await frame();
  await new Promise((resolve) => setTimeout(resolve, 500));
  shifts.push(...observer.takeRecords());
  observer.disconnect();
  return shifts.filter(({ startTime }) => startTime > painted).map(
    ({ value, sources }) => `${value} ${sources.map(({ node }) => node?.outerHTML?.slice(0, 100))}`
  );
}"""
SETTINGS = ".top-buttons > .round-button:last-child"
DIALOGS = (
    ".seal",
    ".prompt-tools .tool:first-child",  # why
    ".top-buttons > .round-button",  # the rules
    SETTINGS,
    "dialog .invite .button:last-child",  # who is playing, from the settings
)
LOG = ".only-narrow .round-button"


def newcomer(visit: Visit, size: str, language: str) -> Visitor:
    width, height = SIZES[size]
    touch = width < 1000
    return visit(
        viewport={"width": width, "height": height},
        has_touch=touch,
        is_mobile=touch,
        locale=LOCALES[language],
        guided=True,
        instant=False,
    )


def assert_dialogs_stand_still(ada: Visitor) -> None:
    log = (LOG,) if ada.page.locator(LOG).is_visible() else ()
    words = ada.page.locator(".prompt-texts")
    for opener in (*log, *DIALOGS):
        before = ada.seq, words.inner_text()
        shifts = ada.page.evaluate(SHIFTS, opener)
        # Others play on behind it; the page shows their moves one after the other.
        assert shifts == [] or (ada.seq, words.inner_text()) != before, opener
        if opener != SETTINGS:
            ada.page.keyboard.press("Escape")
            ada.wait_for(lambda: ada.page.locator("dialog").count(), 0)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_finds_all_that_is_lit_and_confirms_each_move(
    visit: Visit, game: str, language: str, size: str
) -> None:
    ada = newcomer(visit, size, language)
    ada.open_game(game)
    confirm = ada.page.locator(".button.confirm")
    chosen = ada.page.locator(".stage [aria-pressed=true]:not(.tool), .stage :is(.confirm, .asked)")
    first_taps = 0
    coach = ada.page.locator(".coach p")
    welcome = coach.inner_text()

    def tap(among: str) -> bool:
        return ada.touch_something(tap=SIZES[size][0] < 1000, among=among)

    def has_come_to_rest() -> bool:
        return ada.answered and ada.touchable() > 0

    for _ in range(120):
        ada.page.wait_for_timeout(50)
        ada.wait_for(has_come_to_rest, True)
        ada.wait_for(lambda: ada.page.evaluate(COVERED, TO_TOUCH), [])  # arrows follow a change
        assert ada.page.evaluate(CROWDED) == []
        if SIZES[size][0] >= 1920:
            assert ada.page.evaluate(SMALL) == []
        is_first, before = chosen.count() == 0, ada.requests
        if not tap(CHOICES):
            tap(TO_TOUCH)
            continue
        ada.page.wait_for_timeout(60)
        if is_first:
            first_taps += 1
            assert ada.requests == before, "a first tap has played a move"
        # A tap on what was chosen already makes the move: its button goes with the answer.
        if ada.requests == before and confirm.count() > 0:
            assert ada.page.evaluate(CROWDED) == []
            confirm.click()
        if first_taps == 8:
            ada.wait_for(has_come_to_rest, True)
            ada.page.wait_for_timeout(500)
            # Nobody has pressed "Got it": the guide keeps up with the player.
            assert welcome not in coach.all_inner_texts()
            assert_dialogs_stand_still(ada)
            return
    raise AssertionError(f"only {first_taps} choices in 120 rounds")
