"""Newcomers at the table: they see what is lit, and a single tap never plays a move."""

from __future__ import annotations

import pytest

from browser.conftest import Visit
from browsing import TO_TOUCH, Visitor

SIZES = {
    "small": (360, 640),
    "upright": (390, 844),
    "on its side": (844, 390),
    "tablet": (820, 1180),
    "laptop": (1366, 768),
    "wide": (1920, 1080),
    "widest": (2560, 1440),
}
# What plays a move, or would without the second tap.
CHOICES = (
    "button.die.lit, button.cell.lit, button.card.lit, button.pile.lit, .bonus-button, .zone-button"
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


def newcomer(visit: Visit, size: str) -> Visitor:
    width, height = SIZES[size]
    touch = width < 1000
    return visit(
        viewport={"width": width, "height": height},
        has_touch=touch,
        is_mobile=touch,
        guided=True,
        instant=False,
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["ganz-schoen-clever", "geht-noch-was"])
def test_a_newcomer_finds_all_that_is_lit_and_confirms_each_move(
    visit: Visit, game: str, size: str
) -> None:
    ada = newcomer(visit, size)
    ada.open_game(game, alone=True)
    confirm = ada.page.locator(".button.confirm")
    first_taps = 0

    def tap(among: str) -> bool:
        return ada.touch_something(tap=SIZES[size][0] < 1000, among=among)

    def has_come_to_rest() -> bool:
        return ada.answered and ada.touchable() > 0

    for _ in range(60):
        ada.page.wait_for_timeout(50)
        ada.wait_for(has_come_to_rest, True)
        assert ada.page.evaluate(COVERED, TO_TOUCH) == []
        before = ada.seq
        if not tap(CHOICES):
            tap(TO_TOUCH)
            continue
        first_taps += 1
        ada.page.wait_for_timeout(60)
        assert (ada.seq, ada.unanswered) == (before, set()), "a first tap has played a move"
        if confirm.count() > 0:
            confirm.click()
        else:
            tap(CHOICES)
        if first_taps == 8:
            return
    raise AssertionError(f"only {first_taps} choices in 60 rounds")
