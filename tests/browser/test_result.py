"""The final scoring: it counts up, and nothing in it moves while it does."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.test_places import play_on
from browsing import DESKTOP, Visitor
from foxclover import transcripts
from foxclover.core.game import game
from foxclover.dice.sources import seeded

Visit = Callable[..., Visitor]
Size = dict[str, int]
SMALL: Size = {"width": 360, "height": 640}
WATCH = """() => {
  window.places = {};
  window.shifts = [];
  window.skippable = false;
  new PerformanceObserver((list) => {
    const seen = list.getEntries().filter((entry) =>
      entry.sources.some(({ node }) => node?.parentElement?.closest("dialog.result"))
    );
    window.shifts.push(...seen.map(({ value, sources }) =>
      [value, ...sources.map(({ node }) => node?.parentElement?.outerHTML)]
    ));
  }).observe({ type: "layout-shift" });
  const look = () => {
    window.skippable ||= document.querySelector("dialog.result .skip")
      ?.checkVisibility({ visibilityProperty: true }) ?? false;
    const opening = document.querySelector("dialog.result")?.getAnimations().length > 0;
    document.querySelectorAll(
      opening ? "none" : "dialog.result :is(button, a, th, td, p, h2, details)"
    ).forEach((one, at) => {
      // a button under the mouse rises a little
      if (one.matches(":hover") || one.getAnimations().length > 0) return;
      const { x, y, width, height } = one.getBoundingClientRect();
      const place = [x, y, width, height].map((side) => side.toFixed(1)).join(" ");
      const name = `${at} ${one.localName}`;
      (window.places[name] ??= []).includes(place) || window.places[name].push(place);
    });
    requestAnimationFrame(look);
  };
  look();
}"""
SKIP = """() => {
  window.skipped = [];
  const counted = () =>
    document.querySelector("dialog.result .later .winner") ? "counting" : "done";
  const look = () => {
    const skip = document.querySelector("dialog.result .skip");
    const { x, y, width, height } = skip?.getBoundingClientRect() ?? new DOMRect();
    if (!skip || !document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".skip")) {
      requestAnimationFrame(look);
      return;
    }
    window.skipped.push(counted());
    skip.click();
    requestAnimationFrame(() => window.skipped.push(counted()));
  };
  look();
}"""
TOPS = "all => all.map((one) => one.getBoundingClientRect().y)"
# An earlier result that the next one beats.
WORSE_GAME = """localStorage["foxclover.results"] ??= JSON.stringify({
  "ganz-schoen-clever 1": [["k7m2xq", 1]],
});"""
MOVED = "() => Object.entries(window.places).filter(([, places]) => places.length > 1)"


def nearly_over(key: str, players: int) -> str:
    """Return the transcript of a game in which one decision is left."""
    chosen, positions = game(key), []
    dice, chooser = seeded(5), random.Random(5)
    position = chosen.start(players)
    while not position.over:
        if position.chance_due:
            position.roll(dice)
        else:
            positions.append(position.copy())
            seat = position.acting[0]
            position.push_text(str(chooser.choice(position.legal_moves(seat))), seat)
    return transcripts.write(
        transcripts.Header(chosen, ["Ada", "Bo", "Cy", "Di", "Ed"][:players], "system"),
        positions[-1],
    )


@pytest.mark.parametrize(
    ("key", "players", "size", "locale"),
    [
        ("ganz-schoen-clever", 1, SMALL, "de-DE"),
        ("doppelt-so-clever", 3, SMALL, "en-GB"),
        ("geht-noch-was", 5, DESKTOP, "en-GB"),
        ("ganz-schoen-clever", 4, DESKTOP, "de-DE"),
    ],
    ids=["alone on a phone", "three on a phone", "five", "four"],
)
def test_nothing_moves_after_the_result_has_opened(
    visit: Visit, key: str, players: int, size: Size, locale: str
) -> None:
    ada = visit(viewport=size, locale=locale, reduced_motion="no-preference")
    play_on(ada, nearly_over(key, players))
    ada.page.wait_for_selector(".stage")
    ada.page.evaluate(WATCH)
    ada.touch_until(lambda: ada.over)
    expect(ada.page.locator("dialog.result .winner")).to_be_visible()
    assert ada.page.evaluate("window.skippable")
    assert len(ada.page.evaluate("window.places")) > 15
    assert ada.page.evaluate(MOVED) == []
    assert ada.page.evaluate("window.shifts") == []


def test_the_counting_can_be_skipped(visit: Visit) -> None:
    ada = visit(reduced_motion="no-preference")
    ada.context.add_init_script(WORSE_GAME)
    play_on(ada, nearly_over("ganz-schoen-clever", 1))
    ada.page.wait_for_selector(".stage")
    ada.page.evaluate(WATCH)
    ada.page.evaluate(SKIP)  # the page itself is quicker than we are
    ada.touch_until(lambda: ada.over)
    ada.wait_for(lambda: ada.page.evaluate("window.skipped"), ["counting", "done"])
    expect(ada.page.locator("dialog.result .skip")).to_be_hidden()
    expect(ada.page.locator("dialog.result .winner")).to_be_visible()
    assert ada.page.evaluate(MOVED) == []
    expect(ada.page.locator("dialog.result .record")).to_have_text("New record!")
    expect(ada.page.locator("dialog.result .leaves")).to_be_attached()
    assert actions_of(ada, "dialog.result")[:2] == ["Rematch", "Review"]
    menu = ada.page.locator("dialog.result summary[title=More]")
    menu.click()
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator(".menu-list")).to_have_count(0)
    expect(menu).to_be_focused()
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator(".prompt").get_by_role("button", name="Rematch")).to_be_focused()
    assert actions_of(ada, ".prompt")[:2] == ["Rematch", "Review"]
    ada.page.locator(".prompt").get_by_role("button", name="Final scoring").click()
    expect(ada.page.locator("dialog.result")).to_be_visible()


def actions_of(visitor: Visitor, place: str) -> list[str]:
    """Return the words of the three actions of a finished game, which are side by side."""
    actions = visitor.page.locator(f"{place} .result-actions > *")
    expect(actions).to_have_count(3)
    assert len({round(y) for y in actions.evaluate_all(TOPS)}) == 1
    return [words.strip() for words in actions.all_inner_texts()]
