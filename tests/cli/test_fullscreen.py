"""The game in the whole terminal, by keys and mouse, at three sizes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, RichLog, Static

from cli.conftest import Run
from foxclover import CHANCE, transcripts
from foxclover.ai import agent
from foxclover.cli.arguments import read_seats
from foxclover.cli.fullscreen.app import ScreenApp
from foxclover.cli.fullscreen.session import PracticeSession, ScreenSession
from foxclover.cli.fullscreen.widgets import CURSOR_SIGN, Page, SheetPane
from foxclover.cli.practise import Drill
from foxclover.cli.review import review_game
from foxclover.core.game import game, game_names
from foxclover.dice.sources import seeded
from foxclover.locale import catalogue
from foxclover.review.practice import exercises
from reviewed import played

SIZES = {"small": (80, 24), "normal": (100, 30), "large": (140, 45)}
PATIENCE = 60.0  # seconds until something must have happened


class Played:
    """A running app."""

    def __init__(self, app: ScreenApp, session: ScreenSession, pilot: Pilot[int]) -> None:
        self.app = app
        self.session = session
        self.pilot = pilot

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for a condition."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await self.pilot.pause(0.01)
                failure = getattr(self.app, "failure", None)
                if failure:
                    raise failure

    async def asked(self, *kinds: str) -> None:
        """Wait until a person is asked for one of these, or anything."""
        await self.until(
            lambda: self.app.scene and self.app.scene.ask in (kinds or ("move", "roll", "dice"))
        )
        await self.pilot.pause()

    def text(self, name: str) -> str:
        """What a pane shows."""
        return str(self.app.query_one(name, Static).content)

    def log(self, name: str = "#log") -> str:
        """What a log shows."""
        lines = self.app.query_one(name, RichLog).lines
        return " ".join(" ".join(line.text for line in lines).split())

    def sheet(self) -> str:
        """What the sheet shows."""
        return str(self.app.query_one(SheetPane).render())


@asynccontextmanager
async def playing(
    key: str,
    folder: Path,
    size: str = "normal",
    players: tuple[str, ...] = ("Ada", "Bo:greedy"),
    until_round: int = 1,
    typed: bool = False,
    motion: bool = False,
) -> AsyncIterator[Played]:
    """A game on a screen; computer players have played the rounds before."""
    translate, chosen = catalogue("en"), game(key)
    seats = read_seats(players, translate)
    position, dice = chosen.start(len(seats)), seeded(5)
    greedy = agent("greedy", chosen)
    while position.state.round < until_round:
        if position.chance_due:
            position.push(dice.draw(position))
        else:
            position.push(greedy.choose(position, position.acting[0]))
    header = transcripts.Header(chosen, [str(seat) for seat in seats], "typed", position.setup)
    file = folder / "game.txt"
    session = ScreenSession(header, position, seats, None if typed else dice, file, translate)
    session.motion = motion
    app = ScreenApp(session)
    async with app.run_test(size=SIZES[size]) as pilot:
        try:
            yield Played(app, session, pilot)
        finally:
            session.close()


def run_async(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


@pytest.mark.parametrize("key", game_names())
@pytest.mark.parametrize("size", ["normal", "large"])
def test_sheet_moves_rivals_and_log_are_visible_together(
    tmp_path: Path, key: str, size: str
) -> None:
    async def test() -> None:
        async with playing(key, tmp_path, size) as played:
            await played.asked("move")
            assert played.app.scene
            moves = played.app.query_one("#moves", OptionList)
            assert moves.option_count == len(played.app.scene.moves) > 0
            assert played.app.scene.prompt in played.text("#prompt")
            assert "Ada" in played.text("#players")
            assert "Bo" in played.text("#players")
            assert "Round 1 of" in played.text("#title")
            assert "Roll: " in played.log()
            columns, lines = SIZES[size]
            for pane in ("#dice", "#sheet", "#players", "#moves", "#hints", "#log", "#typed"):
                region = played.app.query_one(pane).region
                assert region.height > 0
                assert region.right <= columns
                assert region.bottom <= lines
            sheet = played.app.query_one(SheetPane)
            drawn = played.app.scene.sheets[0]
            assert drawn.width <= sheet.content_size.width
            assert drawn.height <= sheet.content_size.height

    run_async(test())


def test_a_small_terminal_gets_a_sentence_until_it_is_larger(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing("ganz-schoen-clever", tmp_path, "small") as played:
            await played.asked("move")
            assert not played.app.query_one("#game").display
            assert "100×30" in played.text("#small")
            assert "80×24" in played.text("#small")
            await played.pilot.resize_terminal(*SIZES["large"])
            await played.until(lambda: played.app.query_one("#game").display)
            assert not played.app.query_one("#small").display
            await played.pilot.resize_terminal(*SIZES["normal"])
            await played.until(lambda: played.app.size.width == 100)
            assert played.app.query_one("#game").display

    run_async(test())


@pytest.mark.parametrize("key", game_names())
def test_keys_preview_make_and_undo_a_move(tmp_path: Path, key: str) -> None:
    async def test() -> None:
        async with playing(key, tmp_path) as played:
            await played.asked("move")
            scene = played.app.scene
            assert scene
            made = len(played.session.position.moves_made)
            await played.pilot.press("down")
            await played.pilot.pause()
            index = played.app.query_one("#moves", OptionList).highlighted
            assert index is not None
            move = scene.moves[index]
            assert move.words(catalogue("en")) in played.text("#prompt")
            after = scene.preview(move)
            signs = str.maketrans("", "", f" \n›{CURSOR_SIGN}")
            drawn = str(after[0].text(coloured=False))
            assert drawn.translate(signs) == played.sheet().translate(signs)
            await played.pilot.press("tab", "enter")
            await played.until(lambda: len(played.session.position.moves_made) > made)
            assert played.session.position.moves_made[made] == move
            await played.asked()
            await played.pilot.press("u")
            await played.until(lambda: len(played.session.position.moves_made) == made)
            await played.until(lambda: "Undone: " in played.log())

    run_async(test())


def test_the_mouse_previews_and_takes_a_field(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing("ganz-schoen-clever", tmp_path) as played:
            await played.asked("move")
            scene, sheet = played.app.scene, played.app.query_one(SheetPane)
            assert scene
            grid = scene.sheets[0]
            owners: dict[Any, list[Any]] = {}
            for move in scene.moves:
                for box in grid.targets.get(move.number, []):
                    owners.setdefault(box, []).append(move)
            box, (move,) = next(item for item in owners.items() if len(item[1]) == 1)
            place = (2 + box[1] + 1, 1 + box[0])  # border and padding
            await played.pilot.hover(SheetPane, offset=place)
            await played.pilot.pause()
            assert sheet.cursor == box
            assert move.words(catalogue("en")) in played.text("#prompt")
            made = len(played.session.position.moves_made)
            await played.pilot.click(SheetPane, offset=place)
            await played.until(lambda: len(played.session.position.moves_made) > made)
            assert played.session.position.moves_made[made] == move

    run_async(test())


def test_a_field_of_several_moves_leads_to_the_list(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing("ganz-schoen-clever", tmp_path) as played:
            await played.asked("move")
            scene = played.app.scene
            assert scene
            places = [box for boxes in scene.sheets[0].targets.values() for box in boxes]
            box = next(box for box in places if places.count(box) > 1)
            made = len(played.session.position.moves_made)
            await played.pilot.click(SheetPane, offset=(2 + box[1] + 1, 1 + box[0]))
            moves = played.app.query_one("#moves", OptionList)
            await played.until(lambda: moves.has_focus)
            assert len(played.session.position.moves_made) == made

    run_async(test())


def test_hints_rules_and_rivals_sheets_are_a_key_away(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing("doppelt-so-clever", tmp_path, until_round=3) as played:
            await played.asked("roll")
            await played.pilot.press("enter")
            await played.asked("move")
            await played.pilot.press("h")
            await played.until(lambda: "expected points" in played.log("#hints"))
            own = played.sheet()
            await played.pilot.press("v")
            assert played.sheet() != own
            assert played.app.query_one(SheetPane).border_title == "Bo"
            await played.pilot.press("f1")
            await played.until(lambda: isinstance(played.app.screen, Page))
            await played.pilot.press("escape")
            await played.until(lambda: not isinstance(played.app.screen, Page))

    run_async(test())


def test_real_dice_are_typed(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing("ganz-schoen-clever", tmp_path, typed=True) as played:
            await played.asked("dice")
            typed = played.app.query_one("#typed", Input)
            assert typed.has_focus
            await played.pilot.press(*"nonsense", "enter")
            await played.until(lambda: "nonsense" in played.log())
            await played.pilot.press(*"345526", "enter")
            await played.asked("move")
            (roll,) = played.session.position.moves_made
            assert roll.seat == CHANCE

    run_async(test())


@pytest.mark.parametrize("key", game_names())
def test_the_end_shows_the_result_and_the_curve_of_the_review(tmp_path: Path, key: str) -> None:
    last = game(key).start(1).view()["rounds"]

    async def test() -> None:
        async with playing(key, tmp_path, players=("Ada",), until_round=last) as played:
            while True:
                await played.until(
                    lambda: (
                        isinstance(played.app.screen, Page)
                        or (played.app.scene and played.app.scene.ask)
                    )
                )
                if isinstance(played.app.screen, Page):
                    break
                scene = played.app.scene
                assert scene
                if scene.ask == "move":
                    played.app.query_one("#moves", OptionList).focus()
                await played.pilot.press("enter")
                await played.until(lambda shown=scene: played.app.scene is not shown)
            page = played.app.screen
            assert isinstance(page, Page)
            assert str(played.session.position.score(0)) in page.text.plain
            await played.until(lambda: "mistake" in page.text.plain)
            assert "●" in page.text.plain
            saved = transcripts.read((tmp_path / "game.txt").read_text())
            assert saved.position.over

    run_async(test())


def test_leaving_keeps_the_game(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing("geht-noch-was", tmp_path) as played:
            await played.asked()
            await played.pilot.press("q")
            await played.until(lambda: not played.app.is_running)
            assert "The game is saved" in played.session.last_words[-1]

    run_async(test())


def test_without_colours_signs_remain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def test() -> None:
        async with playing("ganz-schoen-clever", tmp_path) as played:
            await played.asked("move")
            assert played.app.no_color
            assert "›" in played.sheet()  # legal fields
            assert played.sheet().count(CURSOR_SIGN) == 1
            sheet = played.app.query_one(SheetPane).render()
            sign = sheet.plain.index(CURSOR_SIGN)
            assert sheet.get_style_at_offset(played.app.console, sign).reverse
            assert " y " in played.text("#dice")  # the letter of a die

    run_async(test())


def test_dice_roll_for_a_moment_unless_motion_is_unwanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shown(motion: bool) -> int:
        frames: list[object] = []
        monkeypatch.setattr(ScreenApp, "show_dice", lambda _, dice: frames.append(dice))
        monkeypatch.setattr("foxclover.cli.fullscreen.session.FRAME_SECONDS", 0.001)

        async def test() -> None:
            async with playing("ganz-schoen-clever", tmp_path, motion=motion) as played:
                await played.asked("move")

        run_async(test())
        return len(frames)

    assert shown(False) == 0
    assert shown(True) > 1


def test_mistakes_are_practised_on_the_sheet() -> None:
    translate = catalogue("en")
    whole = played(game("ganz"), "easy", seed=4)
    header = transcripts.Header(whole.game, ["Ada"], "typed", whole.setup)
    transcript = transcripts.read(transcripts.write(header, whole))
    tasks = exercises(transcript.position, review_game(transcript, translate))[:2]
    session = PracticeSession.of(Drill(transcript, tasks, translate))
    app = ScreenApp(session)

    async def test() -> None:
        async with app.run_test(size=SIZES["normal"]) as pilot:
            shown = Played(app, session, pilot)
            await shown.asked("move")
            assert "Position 1 of 2" in shown.log()
            scene = app.scene
            assert scene
            moves = [str(move) for move in scene.moves]
            session.answer(str(1 + moves.index(str(tasks[0].decision.best))))
            await shown.until(lambda: "Position 2 of 2" in shown.log())
            await shown.asked("move")
            await pilot.press("h")
            await shown.until(lambda: not app.is_running)
            assert session.last_words[-1] == "Solved: 1 of 2."

    run_async(test())


def test_the_daily_challenge_is_played_in_the_whole_terminal_without_hints(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions: list[ScreenSession] = []
    monkeypatch.setattr("foxclover.cli.fullscreen.is_possible", lambda: True)
    monkeypatch.setattr("foxclover.cli.fullscreen.is_large_enough", lambda: True)
    monkeypatch.setattr(
        "foxclover.cli.fullscreen.app.run", lambda session: sessions.append(session) or 0
    )
    assert run("daily", "ganz", "--data", tmp_path, "--screen") == 0
    (session,) = sessions
    session.show_hint()
    assert "hints" in session.last_words[-1].lower()
    assert session.resume_command().endswith("daily ganz-schoen-clever")


def test_a_pipe_is_refused_with_a_sentence(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("play", "ganz", "--screen") == 2
    assert "needs a terminal" in capsys.readouterr().err
