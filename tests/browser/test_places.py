"""Where things stand.

All in sight at once, large enough to touch, and nothing moves because something else changes.
"""

import random
import re
from collections.abc import Callable
from typing import cast

import pytest
from playwright.sync_api import expect

from browsing import DESKTOP, GAMES, PHONE, TO_TOUCH, Visitor
from foxclover import transcripts
from foxclover.core.game import game
from foxclover.dice.sources import seeded
from foxclover.games.climb.view import ClimbView
from foxclover.locale import LANGUAGES

Visit = Callable[..., Visitor]
Size = dict[str, int]
PHONE_390: Size = {"width": 390, "height": 844}
ON_ITS_SIDE: Size = {"width": 844, "height": 390}
LAPTOP: Size = {"width": 1280, "height": 720}
MEASURE = """() => {
  const found = {};
  const note = (name, element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    found[name] = [x, y, width, height].map(Math.round).join(" ");
  };
  // on phones a level without cards is lower: places depend on which levels have some
  const levels = [...document.querySelectorAll(".sheet-panel .level")];
  const full = levels.map((level) => (level.querySelector(".card") ? 1 : 0)).join("");
  for (const one of document.querySelectorAll(
    ".prompt, .dice-panel, .sheet-frame, .belongings, .area, .level, .zone"
  )) {
    note(`${one.className.replace(/ (lit|hinted|with-\\w+)/g, "")} ${
      one.dataset.zone ?? one.ariaLabel ?? ""
    } ${one.closest(".level") ? full : ""}`, one);
  }
  for (const die of document.querySelectorAll(".die[data-die]")) {
    note(`die ${die.dataset.die} in ${die.closest(".tray").className}${
      die.closest(".slot") ? die.closest(".slot").offsetLeft : ""
    }`, die);
  }
  document.querySelectorAll(".sheet-panel .cell").forEach((cell, at) => note(`cell ${at}`, cell));
  return found;
}"""
SEEN = """(parts) => parts.flatMap((part) => [...document.querySelectorAll(part)]
.filter((one) => one.offsetParent !== null).map((one) => {
  const { top, bottom, left, right } = one.getBoundingClientRect();
  const out = top < -0.5 || left < -0.5 || bottom > innerHeight + 0.5 || right > innerWidth + 0.5;
  return out ? `${part} ${top} ${bottom} ${left} ${right}` : "";
})).filter(Boolean)"""

TOO_SMALL = """(lit) => [...document.querySelectorAll(lit)].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const least = one.closest(".track-cells")?.childElementCount === 12 ? 29.5 : 31.5;
  const hit = (away) => document.elementFromPoint(
    x + width / 2, y + height / 2 + away
  )?.closest("button") === one;
  const low = height < 31.5 && !(hit(-15.5) && hit(15.5));  // flat fields have a taller target
  return width < least || low ? `${one.className} ${width} x ${height}` : "";
}).filter(Boolean)"""


def phone(visit: Visit, size: Size = PHONE) -> Visitor:
    return visit(viewport=size, has_touch=True, is_mobile=True)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_moves_through_a_whole_game(visit: Visit, game: str, size: Size) -> None:
    ada = visit(viewport=size)
    ada.open_game(game)
    places: dict[str, str] = {}
    moved: set[str] = set()
    ada.page.locator(".button.roll").click(trial=True)  # everything has come to rest

    def measured_to_the_end() -> bool:
        ada.page.evaluate("document.querySelector('.sheet-panel')?.scrollTo(0, 0)")
        for name, place in ada.page.evaluate(MEASURE).items():
            if places.setdefault(name, place) != place:
                moved.add(f"{name}: {places[name]} -> {place}")
        return ada.over

    ada.touch_until(measured_to_the_end)
    assert len(places) > 15
    assert moved == set()


@pytest.mark.parametrize(
    "size", [PHONE_390, ON_ITS_SIDE, LAPTOP], ids=["upright", "on its side", "laptop"]
)
@pytest.mark.parametrize("game", GAMES)
def test_dice_prompt_and_the_whole_sheet_are_in_sight_together(
    visit: Visit, game: str, size: Size
) -> None:
    ada = visit(viewport=size)
    ada.open_game(game)
    parts = [
        ".prompt",
        ".tray",
        ".goods",
        ".sheet-panel .cell",
        ".level",
        ".player",
        ".round-button",
    ]

    def assert_all_is_in_sight() -> None:
        assert ada.page.evaluate(SEEN, parts) == []

    ada.touch_times(15, assert_all_is_in_sight)


CUT = """() => [...document.querySelectorAll(
  ".player-name, .player-short, .dice-heading, .bonus-button"
)].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return width > 1 && (
    one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1 || height === 0
  );
}).map((one) => one.textContent)"""


@pytest.mark.parametrize(
    ("size", "others"),
    [(PHONE, 0), (ON_ITS_SIDE, 2), (LAPTOP, 6)],
    ids=["upright", "on its side", "laptop"],
)
def test_names_headings_and_bonuses_are_whole(visit: Visit, size: Size, others: int) -> None:
    ada = visit(viewport=size, locale="nl-NL")
    ada.set_up("geht-noch-was")
    for _ in range(others):
        ada.page.click(".add-seats button >> nth=0")
    ada.start()
    seen: set[str] = set()

    def read_until_a_bonus_is_chosen() -> bool:
        seen.update(ada.page.evaluate(CUT))
        return ada.page.locator(".bonus-button").count() > 1

    ada.touch_until(read_until_a_bonus_is_chosen)
    assert seen == set()


@pytest.mark.parametrize("size", [PHONE, ON_ITS_SIDE], ids=["upright", "on its side"])
def test_the_names_of_eight_are_whole(visit: Visit, size: Size) -> None:
    ada = visit(viewport=size)
    ada.open_table_of_eight()
    expect(ada.page.locator(".player")).to_have_count(8)
    assert ada.page.evaluate(CUT) == []


CONDITIONS = """() => [
  ...document.querySelectorAll(".sheet-frame .zone.active .card")
].map((card) => {
  const { left, right, top, bottom } = card.getBoundingClientRect();
  const dice = [...card.querySelectorAll(".mini-die")].map((die) => die.getBoundingClientRect());
  const out = dice.some((die) =>
    die.left < left || die.right > right || die.top < top || die.bottom > bottom
  );
  return [card.title, dice[0].width, out];
}).filter(([, width, out]) => width < 19 || out)"""


@pytest.mark.parametrize(
    "size", [PHONE_390, ON_ITS_SIDE, LAPTOP], ids=["upright", "on its side", "laptop"]
)
def test_the_conditions_of_cards_are_as_large_as_the_cards_allow(visit: Visit, size: Size) -> None:
    ada = visit(viewport=size)
    ada.open_game("geht-noch-was", alone=True)
    expect(ada.page.locator(".zone.active .card")).to_have_count(6)
    assert ada.page.evaluate(CONDITIONS) == []


@pytest.mark.parametrize("game", GAMES)
def test_what_is_to_be_touched_is_large_enough_for_a_finger(visit: Visit, game: str) -> None:
    """32 px; the fields of tracks of twelve 30 px wide."""
    ada = phone(visit, PHONE_390)
    ada.open_game(game)

    def assert_all_is_large() -> None:
        assert ada.page.evaluate(TOO_SMALL, TO_TOUCH) == []

    ada.touch_times(25, assert_all_is_large, tap=True)


FINGER = """() => document.querySelector("dialog[open]") ? [] : [
  ...document.querySelectorAll("button.cell.lit")
].filter((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const hit = (away) => document.elementFromPoint(
    (left + right) / 2, (top + bottom) / 2 + away
  )?.closest(".cell") === one;
  return !hit(-15) || !hit(15);
}).map((one) => one.ariaLabel)"""


@pytest.mark.parametrize("game", ["ganz-schoen-clever", "doppelt-so-clever"])
def test_a_finger_finds_fields_that_are_low_on_a_phone_on_its_side(visit: Visit, game: str) -> None:
    ada = phone(visit, ON_ITS_SIDE)
    ada.open_game(game, alone=True)

    def assert_fingers_hit() -> None:
        assert ada.page.evaluate(FINGER) == []

    ada.touch_times(25, assert_fingers_hit, tap=True)


def test_places_out_of_sight_are_announced_by_an_arrow_that_goes_there(visit: Visit) -> None:
    ada = phone(visit, {"width": 360, "height": 600})
    ada.open_game("doppelt-so-clever", alone=True)
    ada.page.click(".button.roll")
    arrow = ".more-there.below-fold:not([hidden])"
    ada.touch_until(lambda: ada.asks_with(arrow), tap=True, pause=30)
    ada.page.click(arrow)
    ada.wait_until("document.querySelector('.sheet-panel').scrollTop > 0")


@pytest.mark.parametrize("game", GAMES)
def test_wide_screens_show_the_sheets_of_all_with_their_names(visit: Visit, game: str) -> None:
    ada = visit(viewport={"width": 1440, "height": 900})
    ada.set_up(game)
    for _ in range(2):
        ada.page.click(".add-seats button >> nth=0")
    ada.start()
    expect(ada.page.locator(".other")).to_have_count(3)
    expect(ada.page.locator(".sheet-frame .owner")).to_have_text("Ada")
    cut = (
        "() => [...document.querySelectorAll('.fitted-inside')]"
        ".filter((one) => one.scrollHeight > one.clientHeight + 1).length"
    )
    ada.wait_for(lambda: ada.page.evaluate(cut), 0)  # what is fitted is so after the next frame
    other = ada.page.locator(".other").first
    name = other.locator(".other-head span").inner_text()
    other.click()
    expect(ada.page.locator(".sheet-frame .owner")).to_have_text(name)


def bought_until(wanted: str, cards: int = 0) -> str:
    """Return a game of a player who always buys, until a move is legal with so many cards."""
    chosen, dice, chooser = game("geht-noch-was"), seeded(3), random.Random(3)
    position = chosen.start()
    while True:
        if position.over:
            position = chosen.start()
        elif position.chance_due:
            position.roll(dice)
        else:
            moves = [str(move) for move in position.legal_moves(0)]
            ready = any(move.startswith(wanted) for move in moves)
            if ready and len(cast("ClimbView", position.view())["players"][0]["waiting"]) >= cards:
                return transcripts.write(transcripts.Header(chosen, ["Ada"], "system"), position)
            position.push_text(
                chooser.choice([move for move in moves if move.startswith("buy")] or moves), 0
            )


def play_on(visitor: Visitor, transcript: str) -> None:
    visitor.page.goto(f"{visitor.server.address}/look")
    visitor.page.fill("textarea", transcript)
    visitor.page.click("form button[type=submit]")
    visitor.page.locator(".button", has_text=re.compile("Play on|Weiterspielen")).click()


@pytest.mark.parametrize(
    "size",
    [PHONE, PHONE_390, ON_ITS_SIDE, DESKTOP],
    ids=["small", "upright", "on its side", "desktop"],
)
def test_piles_and_the_cards_bought_are_side_by_side_however_many(visit: Visit, size: Size) -> None:
    ada = visit(viewport=size)
    play_on(ada, bought_until("buy", 4))
    ada.page.wait_for_selector(".pile.lit")
    expect(ada.page.locator(".waiting-cards .card")).to_have_count(4)
    covered = """() => [
      ...document.querySelectorAll(".pile, .waiting-cards .card")
    ].filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const corners = [
        [left + 6, top + 6], [right - 6, bottom - 6], [(left + right) / 2, (top + bottom) / 2]
      ];
      return corners.some((corner) => !one.contains(document.elementFromPoint(...corner)));
    }).map((one) => one.outerHTML)"""
    assert ada.page.evaluate(covered) == []


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_choice_to_exchange_a_card_fits_the_prompt(visit: Visit, size: Size) -> None:
    ada = visit(viewport=size, locale="de-DE")
    play_on(ada, bought_until("exchange"))
    ada.page.wait_for_selector(".move-exchange")
    cut = ada.page.locator(".prompt-buttons").evaluate(
        "(row) => row.scrollWidth > row.clientWidth || row.scrollHeight > row.clientHeight"
    )
    assert not cut


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_a_small_phone_in_every_language(visit: Visit, language: str) -> None:
    ada = visit(viewport=PHONE, locale=language)
    beyond = """() => [
      ...document.querySelectorAll("a, button, select, input, h1, h2, p, textarea")
    ].filter((one) => {
      const { left, right, width } = one.getBoundingClientRect();
      return width > 0 && one.checkVisibility() && !one.closest(".sr") && (
        left < 0 || right > innerWidth
      );
    }).map((one) => one.outerHTML.slice(0, 120))"""
    for path, part in {"": ".game-card", "daily": "h1", "me": "h2", "look": "textarea"}.items():
        ada.page.goto(f"{ada.server.address}/{path}")
        ada.page.wait_for_selector(part)
        assert ada.page.evaluate(beyond) == []
