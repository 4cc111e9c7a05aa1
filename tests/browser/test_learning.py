"""Learning while playing, what others did, how it ended, and how it feels."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import expect

from browsing import DESKTOP, GAMES, PHONE, TO_TOUCH, WHOLE_GAME, HiddenError, Visitor

Visit = Callable[..., Visitor]
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


SMALL = {"width": 360, "height": 640}
# What can be touched and is hidden behind something else; an arrow announces what
# is outside its container.
COVERED = """(lit) => {
  const arrow = document.querySelector(".more-there:not([hidden])");
  return [...document.querySelectorAll(lit)].flatMap((one) => {
    const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
    const panel = one.closest(".sheet-panel")?.getBoundingClientRect();
    const shown = panel ? Math.min(bottom, panel.bottom) - Math.max(top, panel.top) : height;
    if (shown < height / 2) return arrow ? [] : [`no arrow to ${one.outerHTML.slice(0, 90)}`];
    const middle = panel ? Math.max(top, panel.top) + shown / 2 : top + height / 2;
    const hit = document.elementFromPoint(left + width / 2, middle);
    return one.contains(hit) || hit?.closest(lit) || hit?.closest(".more-there")
      ? [] : [`${one.outerHTML.slice(0, 90)} behind ${hit?.outerHTML.slice(0, 90)}`];
  });
}"""
TARGET = """() => {
  const [target] = document.querySelectorAll("[data-coached]");
  if (!target) return null;
  const box = (one) => one.getBoundingClientRect();
  const [coach, to] = [box(document.querySelector(".coach")), box(target)];
  const apart = to.bottom <= coach.top || to.top >= coach.bottom
    || to.right <= coach.left || to.left >= coach.right;
  const panel = target.closest(".sheet-panel");
  const seen = !panel || (to.bottom > box(panel).top + 8 && to.top < box(panel).bottom - 8);
  return apart && seen;
}"""


@pytest.mark.parametrize("size", [SMALL, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("game", GAMES)
def test_a_first_game_is_guided_through_every_situation_and_can_be_left(
    visit: Visit, game: str, size: dict[str, int]
) -> None:
    ada = visit(viewport=size, guided=True)
    ada.open_game(game)
    coach, told, pointed = ada.page.locator(".coach"), set[str](), 0
    until = time.monotonic() + WHOLE_GAME
    while len(told) < 5:
        assert time.monotonic() < until, f"no more is told than {told}"
        explanations = coach.locator("p").all_inner_texts()
        if explanations and explanations[0] not in told:
            told.update(explanations)
            assert ada.page.evaluate(COVERED, TO_TOUCH) == []
            assert ada.page.evaluate(TARGET) in (True, None)
            pointed += ada.page.locator(".coach[data-points]").count()
        with suppress(HiddenError):  # the next explanation may just have come
            ada.touch_something(among=".coach .primary" if explanations else TO_TOUCH)
        ada.page.wait_for_timeout(20)
    assert pointed >= 3
    ada.close_explanation()
    ada.page.keyboard.press("?")
    ada.page.get_by_role("button", name="Start guide").click()
    expect(coach).to_have_count(1)
    coach.get_by_role("button", name="Skip guide").click()
    expect(coach).to_have_count(0)
    ada.open_game(game)
    expect(coach).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_have_pictures_drawn_from_what_is_printed(visit: Visit, game: str) -> None:
    ada = visit()
    ada.open_game(game, alone=True)
    ada.page.keyboard.press("?")
    expect(ada.page.locator(".rules-picture .cell, .rules-picture .card").nth(5)).to_be_attached()


def test_what_is_touched_and_held_says_what_it_is_and_does_nothing(visit: Visit) -> None:
    ada = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    ada.open_game("ganz-schoen-clever", alone=True)
    finger = ada.context.new_cdp_session(ada.page)
    head = ada.page.locator(".c-orange .area-head")
    head.tap(trial=True)  # it has come to rest, in sight
    box = head.bounding_box()
    assert box is not None
    finger.send(
        "Input.dispatchTouchEvent",
        {"type": "touchStart", "touchPoints": [{"x": box["x"] + 20, "y": box["y"] + 8}]},
    )
    expect(ada.page.locator(".bubble")).to_contain_text("multiply")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_the_last_move_of_the_others_is_marked_on_their_sheets(visit: Visit) -> None:
    ada = visit(viewport={"width": 1440, "height": 900})
    ada.open_game("ganz-schoen-clever")
    ada.touch_until(lambda: ada.page.locator(".other .cell.fresh").count() > 0)


BROKEN_WORDS = """() => [...document.querySelectorAll("dialog.result th")].flatMap((head) => {
  const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode()) {
    for (const word of texts.currentNode.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      if (range.getClientRects().length > 1) broken.push(head.textContent);
    }
  }
  return broken;
})"""


@SIZES
def test_the_result_has_bars_is_kept_and_can_be_shared_as_a_picture(
    visit: Visit, size: dict[str, int]
) -> None:
    ada = visit(viewport=size)
    ada.set_up("geht-noch-was")
    for _ in range(2):
        ada.page.click(".add-seats button >> nth=0")
    ada.start()
    ada.play_to_the_end()
    expect(ada.page.locator("dialog.result .bar").nth(4 * 6 - 1)).to_be_attached()
    assert ada.page.evaluate(
        "document.querySelector('.result-scroll').scrollWidth <= "
        "document.querySelector('.result-scroll').clientWidth"
    )
    assert ada.page.evaluate(BROKEN_WORDS) == []
    expect(ada.page.locator("dialog.result")).to_contain_text("first result")
    with ada.page.expect_download() as download:
        ada.page.click("dialog.result summary[title=More]")
        ada.page.get_by_role("button", name="Picture").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_sounds_and_movement_have_switches_that_are_remembered(visit: Visit) -> None:
    ada = visit(reduced_motion="no-preference")
    ada.open_game("ganz-schoen-clever", alone=True)
    for name in ("Sounds", "Animations"):
        ada.page.get_by_role("button", name="Settings").click()
        switch = ada.page.get_by_role("switch", name=name)
        expect(switch).to_be_checked()
        switch.uncheck()
        ada.page.keyboard.press("Escape")
    ada.page.reload()
    ada.page.click(".button.roll")
    expect(ada.page.locator(".die.lit").first).to_be_visible()
    assert (
        ada.page.evaluate("getComputedStyle(document.querySelector('.die-body')).animationName")
        == "none"
    )


STUBS = """
window.felt = { sounds: 0, shakes: [], shared: [], told: [] };
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...when) {
  window.felt.sounds += 1;
  window.audio = this.context;
  return start.apply(this, when);
};
Object.defineProperty(navigator, "vibrate", { value: (shake) => window.felt.shakes.push(shake) });
Object.defineProperty(navigator, "share", {
  value: async (content) => { window.felt.shared.push(content); },
});
Object.defineProperty(navigator, "canShare", { value: () => true });
window.Notification = class {
  static permission = "granted";
  static async requestPermission() { return "granted"; }
  constructor(title, options) { window.felt.told.push([title, options.body]); }
};
"""
# As on phones, where only the service worker may tell.
PHONE_STUBS = """
window.Notification = class {
  static permission = "granted";
  static async requestPermission() { return "granted"; }
  constructor() { throw new TypeError("Illegal constructor"); }
};
const registration = {
  showNotification: async (title, options) => { window.felt.told.push([title, options.body]); },
};
const worker = {
  controller: null,
  register: async () => { throw new Error("blocked"); },
  getRegistration: async () => registration,
};
Object.defineProperty(navigator, "serviceWorker", { value: worker });
"""


def stubbed(visit: Visit, **options: Any) -> Visitor:
    """A browser that notes what it would let one hear, feel and read."""
    visitor = visit(**options)
    visitor.context.add_init_script(STUBS)
    return visitor


def set_switch(player: Visitor, name: str, on: bool) -> None:
    player.page.get_by_role("button", name="Settings").click()
    player.page.get_by_role("switch", name=name).set_checked(on)
    player.page.keyboard.press("Escape")


@SIZES
def test_dice_are_heard_and_felt_unless_that_is_switched_off(
    visit: Visit, size: dict[str, int]
) -> None:
    ada = stubbed(visit, viewport=size)
    ada.open_game("ganz-schoen-clever", alone=True)
    ada.page.click(".button.roll")
    expect(ada.page.locator(".die.lit").first).to_be_visible()
    ada.wait_until(
        "window.felt.sounds > 0 "
        "&& window.felt.shakes.some((shake) => `${shake}` === '12,30,12,40,18')"
    )
    ada.wait_until("window.audio.state === 'suspended'")  # after a silence
    ada.page.evaluate(
        "window.audio.onstatechange = () => { window.woken ||= window.audio.state === 'running' }"
    )
    ada.touch_until(lambda: ada.page.evaluate("window.woken === true"))
    set_switch(ada, "Sounds", False)
    before = ada.page.evaluate("window.felt")
    ada.touch_times(6)
    assert ada.page.evaluate("window.felt") == before


@pytest.mark.parametrize("stubs", ["", PHONE_STUBS], ids=["desktop", "phone"])
def test_who_looks_elsewhere_is_told_when_it_is_his_turn(visit: Visit, stubs: str) -> None:
    ada = stubbed(visit)
    ada.context.add_init_script(stubs)
    ada.open_game("geht-noch-was")
    called = "window.felt.told.length > 0"
    look_away = "Object.defineProperty(document, 'hidden', { value: true, configurable: true })"
    for wanted in (False, True):
        set_switch(ada, "Notify me", wanted)
        ada.page.evaluate(look_away)
        if not wanted:
            ada.touch_times(20)
        until = time.monotonic() + WHOLE_GAME
        while wanted and not ada.page.evaluate(called) and time.monotonic() < until:
            ada.touch_something()
            ada.page.wait_for_timeout(10)
        assert ada.page.evaluate(called) == wanted
    title, words = ada.page.evaluate("window.felt.told[0]")
    assert title == "Geht noch was?"
    assert words
    expect(ada.page).to_have_title(re.compile("^● "))


@SIZES
def test_the_system_shares_invitations_and_results(visit: Visit, size: dict[str, int]) -> None:
    ada = stubbed(visit, viewport=size)
    ada.home()
    ada.page.click(".g-geht-noch-was .way-friends")
    ada.page.get_by_role("button", name="Share").click()
    link = ada.page.locator("dialog .link-row input").input_value()
    ada.wait_for(
        lambda: ada.page.evaluate("window.felt.shared"), [{"title": "Geht noch was?", "url": link}]
    )
    ada.open_game("geht-noch-was", alone=True)
    ada.play_to_the_end()
    points = ada.result()[0]
    expect(ada.page.locator("dialog.result .big-score")).to_contain_text(f"{points} points")
    ada.page.click("dialog.result summary[title=More]")
    ada.page.get_by_role("button", name="Share").click()
    ada.wait_until("Boolean(window.felt.shared.at(-1)?.text)")
    first, result, *parts, address = ada.page.evaluate("window.felt.shared.at(-1).text").split("\n")
    assert first.startswith("Geht noch was? · ")
    assert result.startswith(f"{points} point")
    assert sum(int(part.split()[-1]) for part in parts) == points
    assert address == f"{ada.server.address}/t/{ada.code}/0"
    ada.page.get_by_role("button", name="Picture").click()
    ada.wait_until("window.felt.shared.at(-1).files?.length")
    assert ada.page.evaluate("window.felt.shared.at(-1).files[0].type") == "image/png"
