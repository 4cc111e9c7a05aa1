"""The app: panes around the sheet, keys, and the thread of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.containers import Container, Horizontal
from textual.geometry import Size
from textual.theme import Theme
from textual.widgets import Footer, Input, OptionList, RichLog, Static
from textual.widgets.option_list import Option

from foxclover.cli.fullscreen import LEAST_COLUMNS, LEAST_LINES
from foxclover.cli.fullscreen.curve import draw_curve
from foxclover.cli.fullscreen.scene import Scene, palette_of, to_text
from foxclover.cli.fullscreen.session import ScreenSession
from foxclover.cli.fullscreen.widgets import Page, SheetPane
from foxclover.core.display import TextGrid

if TYPE_CHECKING:
    from collections.abc import Callable

    from foxclover.review import Review

CURVE_LINES = 12
THEME = Theme(
    name="foxclover",
    primary="#2f8049",
    secondary="#d9622b",
    accent="#f2c335",
    background="#2c241b",
    surface="#2c241b",
    panel="#3a3025",
    foreground="#fff6e8",
    dark=True,
)
COMMANDS = {"u": "undo", "h": "hint", "w": "why", "o": "odds", "p": "score", "r": "review"}
PAGES = {"l": "history", "f1": "rules", "question_mark": "help"}
HIDDEN = ("odds", "review", "history")  # not in the footer: it is short


class ScreenApp(App[int]):
    """The game in the whole terminal."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, session: ScreenSession) -> None:
        super().__init__()
        self.session = session
        self.say = session.translate
        self.palette = palette_of(session.position, self.say)
        self.scene: Scene | None = None
        self.tallest = 10  # rows of a sheet so far: the panes below stay where they are
        self.register_theme(THEME)
        self.theme = THEME.name

    def compose(self) -> ComposeResult:
        """Create the panes."""
        yield Static(id="title")
        with Container(id="game"):
            yield Static(id="dice")
            with Horizontal(id="middle"):
                yield SheetPane(self.palette)
                yield Static(id="players")
            yield Static(id="prompt")
            with Horizontal(id="bottom"):
                yield OptionList(id="moves", compact=True)
                yield RichLog(id="hints", wrap=True, min_width=10)
                yield RichLog(id="log", wrap=True, min_width=10)
            yield Input(id="typed", compact=True)
        yield Static(id="small")
        yield Footer()

    def on_mount(self) -> None:
        """Name the panes and start the game."""
        for key, name in {**COMMANDS, **PAGES}.items():
            text = self.session.words[name]
            self.bind(key, f"command('{name}')", description=text, show=name not in HIDDEN)
        self.bind("v", "next_seat", description=self.say("cli.screen.view"))
        self.bind("t", "type", description=self.say("cli.screen.type"))
        self.bind("q", "leave", description=self.session.words["quit"])
        self.bind("ctrl+q,ctrl+c", "leave", description="", show=False)
        self.bind("enter", "roll", description="", show=False)
        for pane in ("dice", "sheet", "players", "moves", "hints", "log"):
            self.query_one(f"#{pane}").border_title = self.say(f"cli.screen.{pane}")
        self.query_one("#typed", Input).placeholder = self.say("cli.screen.placeholder")
        self.query_one("#hints").can_focus = False
        self.fit(self.size)
        self.run_game()

    def on_unmount(self) -> None:
        """End the thread of the game, however the app ended."""
        self.session.close()

    @work(thread=True, exit_on_error=False)
    def run_game(self) -> None:
        """Play in a thread; close the app when the game is left or fails."""
        try:
            code = self.session.play_on(self)
        except BaseException as error:  # raised again when the app is closed
            self.failure: BaseException | None = error
            code = 1
        else:
            self.failure = None
        self._later(lambda: self.exit(code))

    # -- the stage of the session; these methods are called by its thread

    def _later(self, action: Callable[[], Any]) -> None:
        """Run an action in the thread of the app, if it still runs."""
        if self.is_running:
            self.call_later(action)  # does not wait: the app may be waiting for the thread

    def show_scene(self, scene: Scene) -> None:
        """Show a position."""
        self._later(lambda: self._set_scene(scene))

    def show_dice(self, dice: TextGrid) -> None:
        """Show dice that are still rolling."""
        self._later(lambda: self._set_dice(dice))

    def show_line(self, text: str, hint: bool) -> None:
        """Add a line to the log, or to the hints."""
        self._later(lambda: self.query_one("#hints" if hint else "#log", RichLog).write(text))

    def show_page(self, title: str, text: TextGrid) -> None:
        """Show a long text until it is closed."""
        self._later(lambda: self.push_screen(Page(title, to_text(text, self.palette), self.say)))

    def show_review(self, review: Review) -> None:
        """Show the curve below the result, or on a page of its own."""
        self._later(lambda: self._add_review(review))

    def _add_review(self, review: Review) -> None:
        curve = draw_curve(review, min(self.size.width - 12, 100), CURVE_LINES, self.say)
        text = to_text(curve, self.palette)
        if isinstance(self.screen, Page):
            self.screen.add(text)
        else:
            self.push_screen(Page(self.say("common.over"), text, self.say))

    def _set_scene(self, scene: Scene) -> None:
        self.scene = scene
        self.query_one("#title", Static).update(f" {scene.title}")
        self._set_dice(scene.dice)
        self.query_one(SheetPane).set_scene(scene)
        self.tallest = max(self.tallest, *(sheet.height for sheet in scene.sheets))
        self.query_one("#middle").styles.height = self.tallest + 2
        self._show_players()
        moves = self.query_one("#moves", OptionList)
        moves.clear_options()
        moves.add_options([Option(label) for label in scene.labels(self.palette)])
        hints = self.query_one("#hints", RichLog)
        hints.clear()
        if scene.ask == "move":
            hints.write(Text(self.say("cli.screen.hint_key"), "dim"))
        typed = self.query_one("#typed", Input)
        if scene.ask == "dice":
            typed.focus()
        elif typed.has_focus or self.focused is None or scene.ask == "roll":
            self.query_one(SheetPane).focus()
        enter = f" {self.say('cli.screen.roll')}" if scene.ask == "roll" else ""
        self._set_prompt(f"{scene.prompt}{enter}")
        if scene.moves:
            moves.highlighted = 0

    def _set_prompt(self, text: str) -> None:
        name = self.scene.names[self.scene.seat] if self.scene and text else ""
        self.query_one("#prompt", Static).update(Text.assemble((f" {name}  ", "bold"), text))

    def _set_dice(self, dice: TextGrid) -> None:
        self.query_one("#dice", Static).update(to_text(dice, self.palette))

    def _show_players(self) -> None:
        if self.scene:
            pane, sheet = self.query_one("#players", Static), self.query_one(SheetPane)
            width = max(pane.content_size.width, 14)
            pane.update(self.scene.players(sheet.shown, width, self.palette))
            sheet.border_title = self.scene.names[sheet.shown]

    # -- keys, mouse and size

    def on_resize(self, event: events.Resize) -> None:
        """Fit the panes to a new size."""
        self.fit(event.size)
        self.call_after_refresh(self._show_players)

    def fit(self, size: Size) -> None:
        """Show a sentence instead of the game in a terminal that is too small."""
        small = size.width < LEAST_COLUMNS or size.height < LEAST_LINES
        self.set_class(small, "small")
        found = {"columns": size.width, "lines": size.height}
        needed = {"least_columns": LEAST_COLUMNS, "least_lines": LEAST_LINES}
        self.query_one("#small", Static).update(self.say("cli.screen.small", **found, **needed))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Preview a move."""
        if not self.scene or event.option_index >= len(self.scene.moves):
            return
        points = self.query_one(SheetPane).preview(event.option_index)
        self._show_players()
        move = self.scene.moves[event.option_index]
        gain = f" ({self.say('common.points', count=points)})" if points else ""
        self._set_prompt(f"{self.scene.prompt}: {move.words(self.say)}{gain}")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Make a move."""
        self._make(event.option_index)

    def on_sheet_pane_chosen(self, event: SheetPane.Chosen) -> None:
        """Highlight the moves of a field; make the only one when it is taken."""
        moves = self.query_one("#moves", OptionList)
        if not event.moves:
            if event.taken:
                self.action_roll()
            return
        if moves.highlighted not in event.moves:
            moves.highlighted = event.moves[0]
        if event.taken and len(event.moves) == 1:
            self._make(event.moves[0])
        elif event.taken:
            moves.focus()
            self.notify(self.say("cli.screen.several", count=len(event.moves)))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Send what was typed: a move, the dice, or a command."""
        event.input.value = ""
        self.session.answer(event.value)
        if not self.scene or self.scene.ask != "dice":
            self.query_one(SheetPane).focus()

    def _make(self, index: int) -> None:
        if self.scene and self.scene.ask == "move":
            self.scene = None  # one move only
            self.session.answer(str(index + 1))

    def action_command(self, name: str) -> None:
        """Run a command of the line mode."""
        if self.scene and (self.scene.ask or self.scene.position.over):
            self.session.answer(name)

    def action_roll(self) -> None:
        """Roll the dice."""
        if self.scene and self.scene.ask == "roll":
            self.session.answer("")

    def action_next_seat(self) -> None:
        """Show the sheet of the next player."""
        self.query_one(SheetPane).next_seat()
        self._show_players()

    def action_type(self) -> None:
        """Go to the line for typed moves and commands."""
        self.query_one("#typed", Input).focus()

    def action_leave(self) -> None:
        """Leave the game, which is saved."""
        self.session.close()


def run(session: ScreenSession) -> int:
    """Play a session in the whole terminal; print its last words when it is closed."""
    app = ScreenApp(session)
    code = app.run()
    failure = getattr(app, "failure", None)
    if failure:
        raise failure
    print("\n".join(session.last_words[-1:]))
    return code or 0
