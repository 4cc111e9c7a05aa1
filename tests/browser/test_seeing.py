"""See before you choose: previews, hints and odds."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, WebSocketRoute, expect

from browsing import DESKTOP, PHONE, TO_TOUCH, Visitor

Visit = Callable[..., Visitor]
SEED = "4711"


def practice(visitor: Visitor, game: str) -> None:
    """Alone, with dice that always fall the same way."""
    visitor.set_up(game)
    visitor.page.click(".seat-row .round-button")
    visitor.page.click("summary")
    visitor.page.fill("input[inputmode=numeric]", SEED)
    visitor.start()
    visitor.page.click(".button.roll")
    expect(visitor.page.locator("button.die.lit").first).to_be_visible()


def test_pointing_at_a_die_tells_what_it_would_do(visit: Visit) -> None:
    ada = visit()
    practice(ada, "ganz-schoen-clever")
    orange = ada.page.locator('.tray.hand [data-die="3"]')
    face = orange.get_attribute("aria-label")
    orange.hover()
    expect(ada.page.locator(".prompt-words")).to_contain_text("points")
    expect(ada.page.locator(".c-orange .ghost")).to_have_text((face or "")[-1])
    lower = [int((label or "")[-1]) < int((face or "")[-1]) for label in labels(ada)]
    expect(ada.page.locator(".die.leaving")).to_have_count(sum(lower))
    ada.page.mouse.move(2, 2)
    expect(ada.page.locator(".ghost")).to_have_count(0)


def labels(visitor: Visitor) -> list[str | None]:
    return [
        die.get_attribute("aria-label") for die in visitor.page.locator(".tray.hand .die").all()
    ]


def test_the_first_touch_of_a_finger_shows_and_the_second_one_plays(visit: Visit) -> None:
    ada = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    practice(ada, "ganz-schoen-clever")
    orange = ada.page.locator('.tray.hand [data-die="3"]')
    orange.tap()
    expect(ada.page.locator(".prompt-words")).to_contain_text("Orange")
    expect(ada.page.locator(".c-orange .ghost")).to_have_count(1)
    assert ada.page.locator(".c-orange .cell.written").count() == 0
    orange.tap()
    expect(ada.page.locator(".c-orange .cell.written")).to_have_count(1)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_hint_marks_its_place_closes_by_its_button_and_plays_at_the_second_touch(
    visit: Visit, size: dict[str, int]
) -> None:
    ada = visit(viewport=size)
    practice(ada, "ganz-schoen-clever")
    hint = ada.page.get_by_role("button", name="Hint")
    hint.click()
    moves = ada.page.locator(".hint-move")
    expect(moves.first).to_be_visible()
    expect(ada.page.locator(".sheet-frame .hinted")).to_have_count(1)
    box, sheet = (
        ada.page.locator(".hints").bounding_box(),
        ada.page.locator(".sheet-frame").bounding_box(),
    )
    assert box is not None
    assert sheet is not None
    assert box["y"] >= sheet["y"] + sheet["height"] or box["x"] + box["width"] <= sheet["x"]
    hint.click()
    expect(ada.page.locator(".hints")).to_have_count(0)
    hint.click()
    moves.first.click()
    expect(ada.page.locator(".hint-move[aria-pressed=true]")).to_have_count(1)
    assert ada.page.locator(".cell.fresh").count() == 0
    moves.first.click()
    expect(ada.page.locator(".hints")).to_have_count(0)
    assert ada.page.locator("[role=alert]").count() == 0


def test_asking_twice_for_a_hint_is_no_error(visit: Visit) -> None:
    ada = visit()
    practice(ada, "doppelt-so-clever")
    for _ in range(5):
        ada.page.keyboard.press("h")
    ada.page.wait_for_timeout(500)
    assert ada.page.locator("[role=alert]").count() == 0


def test_a_refused_reroll_leaves_no_roll_behind(visit: Visit) -> None:
    ada = visit()
    sent: list[str] = []

    def move_otherwise(page_side: WebSocketRoute) -> None:
        """Refuse the reroll: another screen of the same seat was quicker and took a die."""
        server_side = page_side.connect_to_server()
        uses: list[int] = []

        def answer(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "state":
                uses[:] = [
                    move["id"]
                    for own in message["moves"]
                    for move in own["moves"]
                    if move["kind"] == "use"
                ]
            page_side.send(text)

        def ask(text: str | bytes) -> None:
            message = json.loads(text)
            sent.append(message["type"])
            if message["type"] == "move":
                page_side.send(
                    json.dumps(
                        {
                            "type": "refused",
                            "ref": message["ref"],
                            "seq": message["seq"],
                            "reason": "stale",
                            "words": "",
                        }
                    )
                )
                message["move"] = uses[0]
            server_side.send(json.dumps(message))

        server_side.on_message(answer)
        page_side.on_message(ask)

    ada.page.route_web_socket(lambda _: True, move_otherwise)
    practice(ada, "ganz-schoen-clever")
    ada.page.click(".move-reroll")
    entries = ada.page.locator(".log-side .log li")
    expect(entries).to_have_count(2)
    ada.page.click(".button.roll")
    expect(entries).to_have_count(3)
    assert sent.count("roll") == 2


def test_ratings_that_can_be_no_points_put_moves_in_order_and_are_not_shown(visit: Visit) -> None:
    ada = visit()

    def rate_badly(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def answer(text: str | bytes) -> None:
            message = json.loads(text)
            for place, move in enumerate(message["moves"] if message["type"] == "hint" else []):
                move["expected"], move["error"], move["loss"] = -7.7 - place, 0.4, float(place)
            page_side.send(json.dumps(message))

        server_side.on_message(answer)

    ada.page.route_web_socket(lambda _: True, rate_badly)
    practice(ada, "doppelt-so-clever")
    ada.page.keyboard.press("h")
    hints = ada.page.locator(".hints")
    expect(hints.locator(".hint-move").nth(1)).to_be_visible()
    told = hints.inner_text()
    assert "best" in told
    assert not re.search(r"[−-]?\d+\.\d", told), told


# What the page says in German is longest, and what it says in Dutch is nearly as long.
CROWDED = """() => [...document.querySelectorAll(
  ".top-bar button, .prompt button, .players button, .tray h3"
)].filter((one) => {
  const panel = one.closest(".top-bar, .prompt, .players, .dice-panel").getBoundingClientRect();
  const { left, right, top, bottom, width } = one.getBoundingClientRect();
  const outside = left < panel.left - 1 || right > panel.right + 1 ||
    top < panel.top - 1 || bottom > panel.bottom + 1;
  return width > 1 && (
    outside || one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1
  );
}).map((one) => one.outerHTML.slice(0, 160))"""


@pytest.mark.parametrize(
    ("game", "language"), [("geht-noch-was", "de-DE"), ("doppelt-so-clever", "nl-NL")]
)
def test_long_words_stay_inside_their_buttons_on_every_screen(
    visit: Visit, game: str, language: str
) -> None:
    ada = visit(locale=language)
    ada.set_up(game)
    ada.start()
    ada.page.click(".button.roll")
    expect(ada.page.locator(".prompt-buttons .button").nth(1)).to_be_visible()
    for width, height in ((320, 640), (360, 740), (844, 390), (1280, 720), (1440, 900)):
        ada.page.set_viewport_size({"width": width, "height": height})
        ada.wait_for(lambda: ada.page.evaluate(CROWDED), [])
        ada.wait_until(f"document.documentElement.scrollWidth <= {width}")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_odds_tell_of_the_next_roll_and_points_and_chance_stay_apart(
    visit: Visit, size: dict[str, int]
) -> None:
    ada = visit(viewport=size)
    ada.open_game("geht-noch-was", alone=True)
    ada.page.get_by_role("switch", name="Chances").check()
    ada.touch_until(lambda: ada.asks_with(".chance"), pause=250)
    expect(ada.page.locator(".fail-odds")).to_contain_text("next roll")
    assert ada.page.evaluate(
        "[...document.querySelectorAll('.dice-panel > *')]"
        ".every((one) => one.scrollWidth <= one.clientWidth)"
    )
    foot = ada.page.locator(".card-foot:has(.chance)").first
    points, shown = foot.locator("b").first.bounding_box(), foot.locator(".chance").bounding_box()
    assert points is not None
    assert shown is not None
    assert points["x"] + points["width"] + 2 <= shown["x"]


def test_to_fail_on_purpose_is_asked_once_more(visit: Visit) -> None:
    ada = visit()
    ada.open_game("geht-noch-was", alone=True)
    fail = ada.page.locator(".move-fail")
    # together with something else that can be done
    other = f":is({TO_TOUCH}):not(.move-fail)"
    ada.touch_until(
        lambda: ada.asks_with(f"body:has(.move-fail:not([disabled])):has({other})"), pause=30
    )
    fail.click()
    expect(fail).to_contain_text("on purpose?")
    fail.click()
    expect(fail).to_have_count(0)


def touch_in_peace(visitor: Visitor, place: Locator) -> None:
    """Touch something after having looked at it, as people do."""
    visitor.page.wait_for_timeout(700)
    place.click()


def test_odds_of_another_position_are_never_shown(visit: Visit) -> None:
    ada, late, seqs = visit(), list[str](), list[int]()

    def hold_odds_back(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            told = json.loads(message)
            if told["type"] == "state":
                seqs.append(told["seq"])
            if told["type"] == "odds" and len(answered) > 0:
                late.append(str(message))
            else:
                page_side.send(message)

        server_side.on_message(pass_on)
        sides.append(page_side)

    answered: list[str] = []
    sides: list[WebSocketRoute] = []
    ada.page.route_web_socket(lambda _: True, hold_odds_back)
    ada.open_game("geht-noch-was", alone=True)
    ada.page.locator(".dice-head .switch input").check()
    shown = ada.page.locator(".fail-odds")
    ada.touch_until(
        lambda: ada.asks_with("body:has(.fail-odds:not(:empty)) .button.roll:not([disabled])"),
        pause=250,
    )
    answered.append(shown.inner_text())  # what comes from now on is late
    ada.page.click(".button.roll")
    expect(ada.page.locator(".button.roll")).to_have_count(0)
    expect(shown).to_have_text("")

    def odds_of_now_are_late() -> bool:
        if len(late) < 2 or json.loads(late[-1])["seq"] != seqs[-1]:
            return False
        return ada.asks_with("body")  # nothing under way makes them those of another position

    ada.touch_until(odds_of_now_are_late, pause=250)
    sides[-1].send(late[0])
    ada.page.locator(".log-side .log li").first.evaluate("() => new Promise(requestAnimationFrame)")
    assert shown.inner_text() == ""
    sides[-1].send(late[-1])
    expect(shown).to_contain_text("next roll")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_card_that_cannot_be_used_says_why_when_it_is_touched(
    visit: Visit, size: dict[str, int]
) -> None:
    ada = visit(viewport=size)
    ada.open_game("geht-noch-was", alone=True)
    ada.page.click(".button.roll")
    expect(ada.page.locator(".move-fail")).to_be_visible()
    touch_in_peace(ada, ada.page.locator(".level .card:not(button)").first)
    expect(ada.page.locator(".reasons")).to_contain_text(
        "the first card of a round must be on level 1"
    )
    ada.page.keyboard.press("Escape")
    ada.page.get_by_role("button", name="Why?").click()
    expect(ada.page.locator(".reasons")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_field_that_cannot_be_filled_says_why_when_it_is_touched(
    visit: Visit, size: dict[str, int]
) -> None:
    ada = visit(viewport=size)
    ada.open_game("doppelt-so-clever", alone=True)
    ada.page.click(".button.roll")
    expect(ada.page.locator("button.cell.lit").first).to_be_visible()
    touch_in_peace(ada, ada.page.locator(".area.c-pink span.cell").last)
    expect(ada.page.locator(".reasons")).to_contain_text(
        "Fill the fields of pink from the left: the next one is field 1."
    )


def test_a_level_that_takes_no_card_now_says_why_when_it_is_touched(visit: Visit) -> None:
    ada = visit(viewport=PHONE)
    ada.open_game("geht-noch-was", alone=True)
    refused = ada.page.locator(".levels:has(.zone.lit) .zone.active:not(.lit) .card-space")
    ada.touch_until(lambda: refused.count() > 0, pause=30)
    touch_in_peace(ada, refused.first)
    expect(ada.page.locator(".reasons")).to_be_visible()


def test_the_lot_is_drawn_with_a_button_and_tells_who_begins(visit: Visit) -> None:
    ada = visit(viewport=PHONE)
    ada.set_up("ganz-schoen-clever")
    ada.page.click("summary")
    ada.page.get_by_label("Start player").select_option("Random")
    ada.start()
    ada.page.get_by_role("button", name="Draw start player").click()
    ada.wait_for(lambda: any("is the start player" in line for line in ada.log), True)


def test_the_lucky_fairy_is_named_beside_the_cards(visit: Visit) -> None:
    ada = visit(viewport=PHONE)
    ada.set_up("geht-noch-was")
    ada.page.click("summary")
    ada.page.get_by_label("Start player").select_option(index=1)
    ada.start()
    expect(ada.page.locator(".sheet-head .fairy").first).to_contain_text("Lucky fairy: Easy")
