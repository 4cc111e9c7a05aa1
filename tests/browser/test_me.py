"""Oneself without an account.

Games appear by themselves, go along to another device, out, in and away.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from playwright.sync_api import Locator, expect

from browser.conftest import Visit
from browsing import DESKTOP, GAMES, PHONE, findings
from server.test_people import text_of_game

FILLS = """new Set(
  [...document.querySelectorAll(".chart-part")].map((one) => getComputedStyle(one).fill)
).size"""


def files_of_terminal(folder: Path) -> list[Path]:
    files = [folder / f"game-{seed}.txt" for seed in range(12)]
    for seed, file in enumerate(files):
        file.write_text(text_of_game(seed=seed))
    return files


def games_in_table(chart: Locator) -> int:
    last = "rows => rows.map(row => row.lastChild.textContent)"
    return sum(map(int, chart.locator("tbody tr").evaluate_all(last)))


def test_games_of_the_terminal_are_brought_in_and_shown_as_figures(
    visit: Visit, tmp_path: Path
) -> None:
    for view in (PHONE, DESKTOP):
        ada = visit(viewport=view)
        ada.home()
        ada.page.click(".me-link")
        ada.page.wait_for_selector("text=No games yet")
        (tmp_path / "damaged.json").write_text("{")
        ada.page.set_input_files(
            "input[type=file]",
            [str(file) for file in files_of_terminal(tmp_path)] + [str(tmp_path / "damaged.json")],
        )
        ada.page.wait_for_selector("text=Games added: 12")
        ada.page.wait_for_selector("text=neither a transcript")
        expect(ada.page.locator(".me-game")).to_have_count(10)  # more of them on demand
        expect(ada.page.locator(".chart")).to_have_count(3)
        # five areas and the foxes, each in its colour
        ada.wait_for(partial(ada.page.evaluate, FILLS), 6)
        # the picture can be read as a table
        ada.wait_for(partial(games_in_table, ada.page.locator(".chart").first), 12)
        expect(ada.page.locator(".me-rivals:has-text('Records') tr").nth(3)).to_be_attached()
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= view["width"]
        assert findings(ada.page, moderate=True) == []
        ada.page.click(".me-game >> nth=3 >> button:has-text('Replay and review')")
        ada.page.wait_for_selector(".look-back .review")


def test_a_finished_game_appears_and_everything_goes_along_out_and_away(visit: Visit) -> None:
    ada, phone = visit(), visit(viewport=PHONE, expected=("status of 400",))  # a code that is wrong
    ada.home()
    ada.page.click(f".g-{GAMES[0]} .way-alone")
    ada.page.wait_for_selector(".stage")
    ada.play_to_the_end()
    points = ada.result()[0]
    table = ada.open_game(GAMES[0], alone=True)
    ada.page.goto(ada.server.address + "/me")
    ada.page.wait_for_selector(f".me-game:has-text('You {points}')")
    ada.page.wait_for_selector("text=Play 4 more games to see charts")
    expect(ada.page.locator(".chart")).to_have_count(0)
    ada.page.get_by_role("button", name="Settings").click()
    ada.page.locator("dialog").get_by_label("Your name").fill("Ada")
    ada.page.keyboard.press("Escape")
    ada.page.reload()
    expect(ada.page.locator("input[placeholder='Your name']")).to_have_value("Ada")
    ada.page.click("button:has-text('Get a code')")
    code = ada.page.locator(".device-code").inner_text()
    phone.page.goto(phone.server.address + "/me")
    phone.page.fill("input[placeholder='Code of the other device']", "wrong one")
    phone.page.click("button:has-text('Link device')")
    phone.page.wait_for_selector("text=This code is wrong")
    phone.page.fill("input[placeholder='Code of the other device']", code)
    phone.page.click("button:has-text('Link device')")
    number = phone.page.locator(".link-device .device-code").inner_text()
    ada.page.wait_for_selector(f"text=Allow it only if it shows {number}.")
    phone.page.click("button:has-text('Confirm')")
    phone.page.wait_for_selector("text=Now confirm on the other device.")
    expect(phone.page.locator(f".me-game:has-text('{points}')")).to_have_count(0)
    ada.page.click("button:has-text('Allow')")
    phone.page.wait_for_selector(f".me-game:has-text('{points}')")
    expect(ada.page.locator(".me-device")).to_have_count(2)
    expect(phone.page.locator("input[placeholder='Your name']")).to_have_value("Ada")
    phone.home()
    phone.page.click(f".table-row:has-text('{table}')")  # opened on the other device
    phone.touch_times(2)
    phone.page.goto(phone.server.address + "/me")
    with phone.page.expect_download() as saved:
        phone.page.click("button:has-text('Export data')")
    kept = json.loads(Path(saved.value.path()).read_text())
    assert (kept["name"], len(kept["games"]), len(kept["devices"])) == ("Ada", 1, 2)
    phone.page.click("button:has-text('Delete everything')")
    phone.page.click("button:has-text('Really delete everything?')")
    phone.page.wait_for_selector("text=All your data is deleted")
    phone.page.wait_for_selector(".me-game", state="detached")
    phone.home()
    expect(phone.page.locator(".game-card")).not_to_have_count(0)
    expect(phone.page.locator(".table-row")).to_have_count(0)
    ada.page.reload()
    ada.page.wait_for_selector("text=No games yet")


def test_a_device_is_refused_or_removed(visit: Visit) -> None:
    # the status for the code of a rejected device
    ada, phone = visit(), visit(viewport=PHONE, expected=("status of 400",))
    for browser in (ada, phone):
        browser.page.goto(browser.server.address + "/me")
    ada.page.fill("input[placeholder='Your name']", "Ada")
    ada.page.click("button:has-text('Save')")
    for answer in ("Refuse", "Allow"):
        ada.page.click("button:has-text('Get a code')")
        code = ada.page.locator(".device-code").inner_text().replace(" ", "").lower()
        phone.page.goto(phone.server.address + f"/me#{code}")
        phone.page.reload()
        phone.page.click("button:has-text('Link device')")
        phone.page.click("button:has-text('Confirm')")
        ada.page.click(f"button:has-text('{answer}')")
        phone.page.wait_for_selector(
            "text=This code is wrong"
            if answer == "Refuse"
            else "text=this device is linked to you now"
        )
    expect(phone.page.locator("input[placeholder='Your name']")).to_have_value("Ada")
    ada.page.click("button:has-text('Remove')")
    ada.page.click("button:has-text('Really remove?')")
    expect(ada.page.locator(".me-device")).to_have_count(1)
    phone.page.reload()
    phone.page.wait_for_selector("text=No games yet")
    expect(phone.page.locator("input[placeholder='Your name']")).to_have_value("")


def test_the_page_about_oneself_is_fetched_only_when_somebody_goes_there(visit: Visit) -> None:
    ada = visit()
    fetched: list[str] = []
    ada.page.on("response", lambda answer: fetched.append(answer.url))
    ada.home()
    before = [url for url in fetched if "/assets/" in url]
    ada.page.click(".me-link")
    ada.page.wait_for_selector(".me h1")
    assert [url for url in fetched if "/assets/" in url and url not in before]
