"""A finished game judged, stepped through, practised and played on, on the page."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from browsing import GAMES, PHONE, RAW_KEY, TO_TOUCH, Server, Visitor, findings, spoken
from foxclover import read_position, transcripts
from foxclover.core.game import game
from reviewed import played

Visit = Callable[..., Visitor]
SMALL = {"width": 360, "height": 640}
JUDGED = 600_000  # milliseconds for a review while other tests run
COUNT = re.compile(r"(\d+) / (\d+)")
VERDICT = ".answer[class*=a-]"
SOLVED = ".a-best, .a-good"
# Places of the shown move that are out of sight in the panel of the sheet.
HINTED_BEYOND = """() => {
  const panel = document.querySelector(".sheet-panel").getBoundingClientRect();
  return [...document.querySelectorAll(".sheet-panel .hinted")].map((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    return middle < panel.top || middle > panel.bottom ? one.className : "";
  }).filter(Boolean);
}"""


def written(key: str, players: int = 1, moves: int = 10_000) -> str:
    position = played(game(key), "easy", players, seed=4, moves=moves)
    return transcripts.write(
        transcripts.Header(position.game, ["Ada", "Bo", "Cleo"][:players], "seed 4"), position
    )


def look_at(visitor: Visitor, text: str) -> None:
    """Paste a transcript on the page."""
    visitor.page.goto(f"{visitor.server.address}/look")
    visitor.page.fill("textarea", text)
    visitor.page.click("form button[type=submit]")


def moment(page: Page) -> tuple[int, int]:
    """After how many moves of how many the page shows the game."""
    found = COUNT.search(page.locator(".replay-slider output").inner_text())
    assert found
    return int(found[1]), int(found[2])


def test_a_whole_game_is_played_reviewed_stepped_through_and_practised(
    visit: Visit, server: Server
) -> None:
    ada = visit()
    code = ada.open_game("geht-noch-was")
    page = ada.page
    ada.play_to_the_end()
    page.locator("dialog.result").get_by_role("link", name="Review").click()
    page.wait_for_url(f"**/t/{code}/0")
    expect(page.locator(".curve svg")).to_be_visible(timeout=JUDGED)
    expect(page.locator(".account .sum td")).to_have_text(
        str(server.ask(f"/api/tables/{code}")["scores"][0])
    )
    ada.wait_for(lambda: moment(page)[0], 0)
    last = moment(page)[1]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".log-links [aria-current]")).to_have_count(1)
    page.wait_for_url(f"**/t/{code}/2")
    page.keyboard.press("End")
    page.wait_for_url(f"**/t/{code}/{last}")
    expect(page.locator(".player").first).to_contain_text(
        str(server.ask(f"/api/tables/{code}")["scores"][0])
    )
    page.get_by_role("button", name="Previous move").click()
    page.wait_for_url(f"**/t/{code}/{last - 1}")
    page.locator(".log-links a").nth(5).click()
    page.wait_for_url(f"**/t/{code}/5")
    unit = page.get_by_role("group", name="The chart shows")
    unit.get_by_role("button", name="Chance of winning").click()
    expect(page.locator(".curve text").first).to_have_text("0%")
    page.locator(".worst-one").first.click()
    expect(page.locator(".verdict-line")).to_contain_text(re.compile("inaccuracy|mistake|blunder"))
    expect(page.locator(".compare")).to_contain_text("better:")
    expect(page.locator(".replay-words")).to_contain_text("Better:")  # as the board shows
    page.locator(".compare button").first.click()
    expect(page.locator(".replay-words")).not_to_contain_text("Better:")
    expect(page.locator(".log-links [aria-current] .verdict")).to_contain_text("?")
    step_through_the_line(page)
    touch_the_terms(page)
    page.locator(".review .button.wide").click()
    page.wait_for_url(f"**/t/{code}/mistakes")
    practise_one(ada)
    page.goto(server.address)
    expect(page.get_by_role("link", name="Your mistakes")).to_be_visible()


def touch_the_terms(page: Page) -> None:
    """Touch every term of the review, and see it explained where it is."""
    explained = set()
    for term in page.locator(":is(.review, .verdict-line) details.explained").all():
        term.locator("summary").click()
        expect(term.locator("p")).to_be_visible()
        explained.add(term.locator("p").inner_text())
    assert len(explained) == 7
    heads = page.locator(".review th button.explained")
    expect(heads).to_have_count(5)
    for head, words in zip(heads.all(), ("lost", "rolls", "lost", "end", "luck"), strict=True):
        head.click()
        table = page.locator(".review .hint-line[role=status]", has_text=words)
        expect(table).to_be_visible()
        expect(head).to_have_attribute("aria-expanded", "true")
        head.click()
        expect(head).to_have_attribute("aria-expanded", "false")


def step_through_the_line(page: Page) -> None:
    """Show the best line on the board up to its end, and return to the game."""
    page.get_by_role("button", name="Show best line").click()
    steps = page.locator(".line-steps button")
    expect(steps.first).to_have_attribute("aria-current", "step")
    words = steps.first.locator("span").inner_text()
    expect(page.locator(".replay-words")).to_contain_text(
        f"Best line, 1 of {steps.count()}: {words}"
    )
    for _ in range(steps.count()):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".replay-words")).to_contain_text("points.")
    page.get_by_role("button", name="Close line").click()
    expect(page.locator(".compare")).to_be_visible()


def practise_one(visitor: Visitor) -> None:
    """Try moves until one is judged, then see the answer and go on."""
    page = visitor.page
    expect(page.locator(".answer")).to_contain_text("Find a better move")
    # only a verdict at rest has its class: while the next try is judged there is none
    visitor.touch_until(lambda: page.locator(VERDICT).count() > 0, pause=50)
    if page.locator(SOLVED).count() == 0:
        page.get_by_role("button", name="Show answer").click()
    expect(page.locator(".replay-words")).to_contain_text(
        re.compile("Best move|That is the best move")
    )
    onward = page.locator(".prompt-buttons .button.primary")
    expect(onward).to_be_visible()


class SlowReviewer:
    """Stands between page and server and keeps verdicts back."""

    def __init__(self, visitor: Visitor) -> None:
        self.pages: list[WebSocketRoute] = []
        self.verdicts: list[dict[str, Any]] = []
        visitor.page.route_web_socket("**/ws/*", self.stand_between)

    def stand_between(self, page: WebSocketRoute) -> None:
        def tell(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "verdict":
                self.verdicts.append(message)
            else:
                page.send(text)

        self.pages.append(page)
        page.connect_to_server().on_message(tell)

    def tell(self, kept: dict[str, Any], **changes: object) -> None:
        self.pages[-1].send(json.dumps({**kept, **changes}))


TOUCH_TWICE = """([lit, chance]) => {
  const all = [...document.querySelectorAll(lit)];
  const one = all[Math.floor(chance * all.length)];
  one?.click();
  one?.click();
}"""


def test_the_answer_and_the_last_try_win_over_late_verdicts(visit: Visit) -> None:
    ada = visit()
    page, slow = ada.page, SlowReviewer(ada)
    look_at(ada, written("ganz-schoen-clever"))
    page.wait_for_selector(".worst-one", timeout=JUDGED)
    page.locator(".review .button.wide").click()
    words, solved = page.locator(".replay-words"), page.locator(".review")
    expect(words).to_contain_text("Find a better move")

    def try_twice() -> bool:
        """Touch something twice before the page is drawn again, until that tries a move twice."""
        page.evaluate(TOUCH_TWICE, [TO_TOUCH, ada.chooser.random()])
        page.wait_for_timeout(50)
        return "Rating your move" in words.inner_text()

    ada.wait_for(try_twice, True)
    ada.wait_for(lambda: len(slow.verdicts), 2)
    older, newer = sorted(slow.verdicts, key=lambda verdict: int(verdict["ref"]))
    slow.tell(newer, verdict="better", difference=11.0)
    expect(words).to_contain_text("11.0 points less")
    slow.tell(older, verdict="best", difference=0.0)
    page.wait_for_timeout(200)
    expect(words).to_contain_text("11.0 points less")
    expect(solved).to_contain_text("Solved: 0 of")

    ada.touch_until(lambda: len(slow.verdicts) == 3, pause=50)
    expect(words).to_contain_text("Rating your move")
    page.get_by_role("button", name="Show answer").click()
    expect(words).to_contain_text("Best move")
    slow.tell(slow.verdicts[-1], verdict="best", difference=0.0)
    page.wait_for_timeout(200)
    expect(words).to_contain_text("Best move")
    expect(solved).to_contain_text("Solved: 0 of")


@pytest.mark.parametrize("key", GAMES)
def test_a_pasted_game_fits_a_phone(visit: Visit, key: str) -> None:
    ada = visit(viewport=SMALL, has_touch=True, is_mobile=True)
    look_at(ada, written(key, 2))
    ada.wait_until(
        "Math.abs(document.getElementById('review')?.getBoundingClientRect().top ?? 99) < 1"
    )
    ada.page.wait_for_selector(".worst-one", timeout=JUDGED)
    ada.page.locator(".worst-one").first.tap()
    expect(ada.page.locator(".compare")).to_be_in_viewport()
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
    for worst in ada.page.locator(".worst-one").all():
        worst.tap()
        expect(worst).to_have_attribute("aria-current", "step")
        ada.wait_for(lambda: ada.page.evaluate(HINTED_BEYOND), [])
    for part in (".replay-bar", ".dice-panel", ".sheet-frame", ".replay-buttons .step"):
        box = ada.page.locator(part).first.bounding_box()
        assert box
        assert box["width"] > 0
        assert box["height"] >= 32
    ada.page.get_by_role("button", name="Next move").tap()
    expect(ada.page.locator(".player").nth(1)).to_contain_text("Bo")
    ada.page.locator(".player").nth(1).tap()
    expect(ada.page.locator(".player").nth(1)).to_have_attribute("aria-pressed", "true")


def test_the_buttons_of_an_exercise_are_in_sight_on_a_small_phone(visit: Visit) -> None:
    ada = visit(viewport=PHONE, locale="de-DE")
    look_at(ada, written("geht-noch-was"))
    ada.page.wait_for_selector(".worst-one", timeout=JUDGED)
    ada.page.locator(".review .button.wide").click()
    buttons = ada.page.locator(".replay-bar .prompt-buttons .button")
    most = 0
    for task in ada.page.locator(".tasks .button").all():
        task.click()
        expect(buttons.last).to_have_text("Lösung zeigen")
        most = max(most, buttons.count())
        assert (
            buttons.evaluate_all(
                "(all) => Math.max(...all.map((one) => one.getBoundingClientRect().right))"
            )
            < PHONE["width"]
        )
    assert most > 2


def test_a_link_leads_to_a_moment_that_is_played_on_with_the_same_dice(
    visit: Visit, server: Server
) -> None:
    ada = visit()
    look_at(ada, written("ganz-schoen-clever"))
    ada.page.wait_for_selector(".replay-bar")
    code = ada.page.url.split("/")[-2]
    ada.page.goto(f"{server.address}/t/{code}/20")
    ada.wait_for(lambda: moment(ada.page)[0], 20)
    ada.page.get_by_role("button", name="Play from here").click()
    ada.page.get_by_label("same as in the game").check()
    ada.page.get_by_role("button", name="Play on").click()
    ada.wait_for(lambda: code in ada.page.url, False)
    ada.wait_for(lambda: len(ada.log) in (20, 21), True)  # and what chance does at once
    ada.touch_until(lambda: len(ada.log) >= 24)


def test_a_position_is_shared_as_a_link_that_opens_as_a_table(visit: Visit, server: Server) -> None:
    ada = visit(permissions=["clipboard-read", "clipboard-write"])
    look_at(ada, written("geht-noch-was", 2))
    ada.page.wait_for_selector(".replay-bar")
    ada.page.locator(".log-links a", has_text="Buy a green card").first.click()
    expect(ada.page.locator(".pile.hinted .k-green")).to_be_visible()
    code = ada.page.url.split("/")[-2]
    ada.page.goto(f"{server.address}/t/{code}/30")
    ada.page.get_by_role("button", name="Play from here").click()
    ada.page.get_by_role("button", name="Copy text").click()
    expect(ada.page.get_by_role("button", name="Copied")).to_be_visible()
    text = ada.page.evaluate("navigator.clipboard.readText()")
    assert len(transcripts.read(text).position.moves_made) == 30
    ada.page.get_by_role("button", name="Copy position").click()
    ada.wait_until("navigator.clipboard.readText().then((text) => text.startsWith('geht'))")
    line = ada.page.evaluate("navigator.clipboard.readText()")
    assert read_position(line).state == transcripts.read(text).position.state
    ada.page.get_by_role("button", name="Copy link").click()
    ada.wait_until("navigator.clipboard.readText().then((text) => text.startsWith('http'))")
    link = ada.page.evaluate("navigator.clipboard.readText()")
    bo = visit()
    bo.page.goto(link)
    expect(bo.page.locator(".review-side")).to_contain_text("after 30 moves")
    bo.page.get_by_role("button", name="Play on").click()
    expect(bo.page.locator(".stage .log-side .log li").nth(29)).to_be_attached()
    ada.page.get_by_role("button", name="Copy short link").click()
    ada.wait_until("navigator.clipboard.readText().then((text) => text.includes('round:'))")
    open_position(visit, ada.page.evaluate("navigator.clipboard.readText()"), line)


def open_position(visit: Visit, link: str, line: str) -> None:
    """See a position by its readable link, share it, change and paste it, and play on from it."""
    assert "geht-noch-was_round:" in link
    cleo = visit(
        expected=("status of 400",),
        permissions=["clipboard-read", "clipboard-write"],
        viewport=SMALL,
    )
    cleo.page.goto(link)
    position = read_position(line)
    for seat in range(2):
        player = cleo.page.get_by_role("button", name=f"Player {seat + 1}")
        player.click()
        expect(player).to_have_attribute("aria-pressed", "true")
        expect(player).to_contain_text(str(position.score(seat)))
    expect(cleo.page.locator(".stage .card").first).to_be_visible()
    assert findings(cleo.page) == []
    cleo.page.get_by_role("button", name="Copy link").click()
    cleo.wait_until(f"navigator.clipboard.readText().then((text) => text === {json.dumps(link)})")
    cleo.page.goto(link.replace("round:", "round:9"))  # as edited in the address bar
    expect(cleo.page.locator(".notice")).to_contain_text("table, round: expected a number")
    for leave in (True, False):
        cleo.page.fill("textarea", line)
        cleo.page.get_by_role("button", name="Open", exact=True).click()
        if leave:
            cleo.page.get_by_role("button", name="Open another").click()
    cleo.page.get_by_role("button", name="Play on").click()
    cleo.touch_until(lambda: len(cleo.log) >= 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello", "not a transcript"),
        (transcripts.TITLE[:-1] + "7\ngame: ganz", "Another version"),
        (written("ganz-schoen-clever")[:400] + "\n1: nonsense\n", "damaged"),
        ("x" * 1_100_000, "too long"),
        ("https://example.org/look#damaged", "link is damaged"),
        ("ganz-schoen-clever round:1 phase:rolling /", "table, roll: expected a number"),
    ],
    ids=["not a transcript", "another version", "damaged", "large", "bad link", "bad position"],
)
def test_what_is_no_game_is_told_in_a_sentence(visit: Visit, text: str, words: str) -> None:
    ada = visit(expected=("status of 400",))
    look_at(ada, text)
    expect(ada.page.locator(".notice")).to_contain_text(words)
    assert ada.page.url.endswith("/look")


@pytest.mark.parametrize("language", ["de", "en", "nl"])
def test_reviews_are_told_in_each_language(visit: Visit, language: str) -> None:
    ada = visit(locale=language)
    look_at(ada, written("doppelt-so-clever"))
    ada.page.wait_for_selector(".worst-one", timeout=JUDGED)
    ada.page.locator(".worst-one").first.click()
    ada.page.wait_for_selector(".compare")
    assert not RAW_KEY.findall(spoken(ada.page))
    ada.page.click(".try-again")
    ada.page.wait_for_selector(".dice-choice")
    assert not RAW_KEY.findall(spoken(ada.page))
    ada.page.keyboard.press("Escape")
    ada.page.locator(".review .button.wide").click()
    ada.page.wait_for_selector(".tasks .button")
    ada.page.wait_for_selector(".answer")
    assert not RAW_KEY.findall(spoken(ada.page))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_reviews(visit: Visit, scheme: str) -> None:
    ada = visit(color_scheme=scheme)
    look_at(ada, written("ganz-schoen-clever", 2))
    ada.page.wait_for_selector(".worst-one", timeout=JUDGED)
    ada.page.locator(".worst-one").first.click()
    ada.page.wait_for_selector(".compare")
    assert findings(ada.page, moderate=True) == []
    ada.page.click(".to-line")
    expect(ada.page.locator(".line-bar")).to_be_focused()
    assert findings(ada.page, moderate=True) == []
    ada.page.get_by_role("button", name="Close line").click()
    expect(ada.page.locator(".to-line")).to_be_focused()
    ada.page.click(".try-again")
    ada.page.wait_for_selector(".dice-choice")
    assert findings(ada.page, moderate=True) == []
    ada.page.keyboard.press("Escape")
    ada.page.locator(".review .button.wide").click()
    ada.page.wait_for_selector(".answer")
    assert findings(ada.page, moderate=True) == []
    ada.page.goto(f"{ada.server.address}/look")
    ada.page.wait_for_selector("textarea")
    assert findings(ada.page, moderate=True) == []


def test_the_keyboard_alone_goes_through_a_game(visit: Visit) -> None:
    ada = visit()
    look_at(ada, written("ganz-schoen-clever"))
    page = ada.page
    page.wait_for_selector(".worst-one", timeout=JUDGED)
    for key, wanted in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(f"/{wanted}$"))
    page.locator(".worst-one").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".worst-one").first).to_have_attribute("aria-current", "step")
    page.keyboard.press("Home")  # from the beginning there is enough to run through
    expect(page).to_have_url(re.compile("/0$"))
    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    at = moment(page)[0]
    ada.wait_for(lambda: moment(page)[0] > at + 1, True)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_focused()
    last = page.url
    page.goto(last.rpartition("/")[0])
    page.get_by_role("dialog").get_by_role("link", name="Review", exact=True).click()
    expect(page).to_have_url(last)  # it opens where it was looked at last
