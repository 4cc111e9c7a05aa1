import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from browsing import GAMES, Server, Visitor
from foxclover import transcripts

Visit = Callable[..., Visitor]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_alone_by_clicks(visit: Visit, server: Server, game: str) -> None:
    ada = visit()
    code = ada.open_game(game, alone=True)
    ada.play_to_the_end()
    table = server.ask(f"/api/tables/{code}")
    assert table["over"]
    assert ada.result() == table["scores"]
    assert ada.page.locator(".winner").inner_text()


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_a_computer_player_and_a_rematch(
    visit: Visit, server: Server, game: str
) -> None:
    ada = visit()
    code = ada.open_game(game)
    ada.play_to_the_end()
    assert ada.result() == server.ask(f"/api/tables/{code}")["scores"]
    ada.page.click("dialog.result summary[title=More]")
    with ada.page.expect_download() as download:
        ada.page.click("dialog a[download]")
    assert "Ada" in download.value.path().read_text(encoding="utf-8")
    ada.page.get_by_role("button", name="Show sheets").click()  # it has the same actions
    ada.page.click(".prompt .button.rematch")
    ada.page.wait_for_url(lambda address: not address.endswith(code))
    ada.page.wait_for_selector(".prompt-words")
    assert not server.ask(f"/api/tables/{ada.code}")["over"]
    assert ada.page.locator(".watching").count() == 0


def test_a_whole_game_with_cards_placed_freely_and_the_solo_rules_for_two(
    visit: Visit, server: Server
) -> None:
    ada = visit()
    ada.set_up("geht-noch-was")
    ada.page.click("dialog details.more summary")
    for option in ada.page.locator("dialog label.check input").all():
        option.check()
    code = ada.start()
    ada.play_to_the_end()
    assert ada.result() == server.ask(f"/api/tables/{code}")["scores"]
    ada.page.click(".result-menu > summary")
    with ada.page.expect_download() as download:
        ada.page.click("dialog a[download]")
    played = transcripts.read(download.value.path().read_text(encoding="utf-8")).position
    assert (played.players, played.setup.options) == (2, ("solo_rules", "free_placement"))


def test_a_whole_game_of_eight_four_of_them_at_one_screen(visit: Visit, server: Server) -> None:
    ada = visit(viewport={"width": 390, "height": 844})
    code = ada.open_table_of_eight()
    expect(ada.page.locator(".player")).to_have_count(8)

    def players_fit() -> bool:
        return all(
            box["height"] >= 28 and box["x"] + box["width"] <= 390
            for box in map(box_of, ada.page.locator(".player").all())
        )

    ada.wait_for(players_fit, True)
    ada.page.set_viewport_size({"width": 1280, "height": 800})
    cut = (
        "names => names.filter((name) => name.scrollWidth > name.clientWidth)"
        ".map((name) => name.innerText)"
    )
    ada.wait_for(lambda: ada.page.locator(".player-name:visible").evaluate_all(cut), [])
    ada.page.set_viewport_size({"width": 390, "height": 844})
    ada.play_to_the_end()
    table = server.ask(f"/api/tables/{code}")
    assert len(table["scores"]) == 8
    assert ada.result() == table["scores"]
    assert sorted(ada.page.locator("dialog.result tbody th").all_inner_texts()) == sorted(
        seat["name"] for seat in table["seats"]
    )
    scroll = ada.page.locator(".result-scroll")
    for width in (390, 600, 820, 1280):
        ada.page.set_viewport_size({"width": width, "height": 844})
        ada.wait_until(f"innerWidth === {width}")
        # all columns are in sight
        ada.wait_for(
            lambda: scroll.evaluate("scroll => scroll.scrollWidth <= scroll.clientWidth"), True
        )
    ada.page.click(".result-menu > summary")
    with ada.page.expect_download() as download:
        ada.page.click("dialog a[download]")
    text = download.value.path().read_text(encoding="utf-8")
    assert re.search(r" \d+b\n", text), "cards of the second copy are drawn"
    assert transcripts.read(text).position.players == 8


def box_of(element: Locator) -> dict[str, float]:
    box = element.bounding_box()
    assert box
    return dict(box)
