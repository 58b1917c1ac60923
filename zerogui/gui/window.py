"""The main window: panel at the left, work area at the right, commands above."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QApplication, QFrame

from zerogui.accounting.errors import printable
from zerogui.files.errors import FileError, file_name
from zerogui.files.settings import Settings
from zerogui.gui.actions import Actions
from zerogui.gui.controller import FRAME, Controller
from zerogui.gui.file_window import FileWindow
from zerogui.gui.hatching import is_hatching, set_hatching
from zerogui.gui.inputs.panel import WIDTH, InputPanel
from zerogui.gui.presenting import Presenting
from zerogui.gui.session.keeper import SessionKeeper, SessionStart
from zerogui.gui.session.layout_memory import LayoutMemory
from zerogui.gui.shown import Shown
from zerogui.gui.theme import GRID, Theme, ThemeManager, font_scale, set_font_scale, text_scale
from zerogui.gui.widgets.icons import BAR_SIZE
from zerogui.gui.widgets.plain_text import displayed
from zerogui.gui.widgets.splits import PanelSplit
from zerogui.gui.widgets.steady_scroll import SteadyScroll
from zerogui.gui.work_area import WorkArea
from zerogui.planning.edits import Edit, replace_all, set_stage
from zerogui.planning.opening import OpenedPlan
from zerogui.planning.start import seed
from zerogui.planning.walking import next_stage

LEAST_WORK = 400  # px that the work area keeps
REST_DELAY = 50  # ms after the chart is made: nobody unfolds anything before it is painted
CONFIRM_TIME = 4000  # ms that a short note stays in the status bar


class MainWindow(FileWindow):
    """Shows one scenario; does what the commands ask for."""

    def __init__(
        self,
        plan: OpenedPlan,
        themes: ThemeManager,
        path: str | None = None,
        settings_path: str | None = None,
    ) -> None:
        super().__init__(settings_path)
        self._last_key = "cluster.workers"
        # One timer for all frames: single shots leave one behind.
        self._frame = QTimer(self, singleShot=True, interval=round(FRAME * 1000))
        self.keeper: SessionKeeper | None = None
        self._themes = themes
        self.panel = InputPanel()
        self._use_settings(self._settings)
        self.controller = Controller(
            plan,
            self,
            path,
            self._settings.unit,
            at_next_frame=lambda _settle: self._frame.start(),
            runner=self.run,
        )
        self._frame.timeout.connect(self.controller.settle)
        self.work = WorkArea(self.controller.board)
        self._actions = Actions(self, self)
        self._actions[f"theme-{themes.preference}"].setChecked(True)
        themes.changed.connect(self._follow_theme)
        if self._settings.exact_bytes:
            self.controller.set_exact_bytes(True)
        self._arrange()
        self._actions.fill_context("table", self.work.table)
        self._actions.fill_context("views", self.work.views)
        self._presenting = self._make_presenting()
        self.panel.edited.connect(self._edit)
        self.work.edited.connect(self._edit)
        self.work.views.asked.connect(lambda run: run(self))
        self.work.table.copied.connect(self.confirm)
        self.work.views.copied.connect(self.confirm)
        self.work.views.pins_changed.connect(self.controller.change_pins)
        self.controller.attach(self)
        self._actions.use_first_icons(themes.theme)
        self.show_recent(self._settings.recent)
        if path is not None:
            self.remember(path)
            if self.work.views.current == "start":
                self.opened()
        notes = (*plan.notes, *filter(None, (self._settings_note,)))
        if notes:
            self.info(" ".join(notes))

    def _arrange(self) -> None:
        # Large text on a small screen needs more height than there is.
        scroll = SteadyScroll()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.work.scroll_in(scroll)
        scroll.setMinimumWidth(LEAST_WORK)
        split = PanelSplit(self.panel, scroll, WIDTH)
        self.setCentralWidget(split)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().messageChanged.connect(self.work.show_note)
        # Once the bars have their new type: until then they would be laid out for the old one.
        text_scale.changed.connect(self._refit_bars, Qt.ConnectionType.QueuedConnection)
        self._fit_bars()
        self.setMinimumSize(960, 600)
        self.resize(self._first_size())
        self._layout = LayoutMemory(self, split, self.work.split, self.work.views)
        self._layout.restore(self._settings)
        self._layout.settled.connect(self._keep_layout)

    def _fit_bars(self) -> None:
        """Toolbar and status bar grow with the text; neither does by itself."""
        side = round(BAR_SIZE * font_scale())
        self._actions.toolbar.setIconSize(QSize(side, side))
        height = QFontMetrics(QApplication.font()).height()
        self.statusBar().setMinimumHeight(height + GRID // 2)

    def _refit_bars(self) -> None:
        self._fit_bars()
        layout = self._actions.toolbar.layout()
        if layout is not None:
            layout.invalidate()

    @staticmethod
    def _first_size() -> QSize:
        screen = QGuiApplication.primaryScreen().availableGeometry()
        return QSize(min(1280, screen.width()), min(800, screen.height()))

    def _keep_layout(self) -> None:
        self.keep(self._layout.settings(self._settings))

    def complete(self) -> None:
        """Make what the first paint did without: the chart, folded rows, icons of menus."""
        self.work.views.build()
        QTimer.singleShot(REST_DELAY, self, self._complete_rest)

    def _complete_rest(self) -> None:
        QApplication.clipboard().dataChanged.connect(self._note_copy)
        self.panel.complete()
        self._actions.use_icons(self._themes.theme)

    def display(self, shown: Shown) -> None:
        """Every view shows ``shown``."""
        self.panel.display(shown.report.scenario, shown.report.unit, shown.card)
        self.work.display(shown)
        self._actions.display(shown)
        name = printable(file_name(shown.path)) if shown.path else "Untitled"
        # Qt reads one [*] as the place of the mark, and two as the text itself.
        name = name.replace("[*]", "[*][*]")
        self.setWindowTitle(f"{name}[*] – zerogui")
        self.setWindowModified(shown.changed)

    def _use_settings(self, settings: Settings) -> None:
        if self._settings_path is not None:
            self._themes.choose(settings.theme)
            set_font_scale(settings.text_percent / 100)
            set_hatching(settings.hatching)

    def _make_presenting(self) -> Presenting:
        hidden = (self.panel, self.menuBar(), self._actions.toolbar, self.statusBar())
        keys: dict[str, Callable[[], object]] = {
            "Left": lambda: self._walk(-1),
            "Right": lambda: self._walk(1),
            "Up": lambda: self.work.views.walk(-1),
            "Down": lambda: self.work.views.walk(1),
            "+": lambda: self.panel.turn(self._last_key, 1),
            "-": lambda: self.panel.turn(self._last_key, -1),
        }
        for stage in range(4):
            keys[str(stage)] = partial(self._edit, set_stage(stage))
        presenting = Presenting(self, hidden, keys)
        presenting.changed.connect(self.work.set_presenting)
        presenting.changed.connect(self._layout.hold)
        return presenting

    def _edit(self, edit: Edit) -> None:
        if edit.key != "sharding.stage":
            self._last_key = edit.key
            self.work.set_turned(self.panel.label(edit.key))
        self.controller.dispatch(edit)

    def _walk(self, step: int) -> None:
        walk_plans = getattr(self.work.views.view(self.work.views.current), "walk_plans", None)
        if walk_plans is not None and walk_plans(step):
            return
        edit = next_stage(self.controller.shown.report, step)
        if edit is not None:
            self._edit(edit)

    def _follow_theme(self, theme: Theme) -> None:
        self._actions.use_icons(theme)

    def keep_session(self, start: SessionStart) -> None:
        """From now on the session is kept."""
        if start.restored is not None and start.restored.view:
            self.work.views.show_view(start.restored.view)
        keeper = SessionKeeper(self, self.controller, start, self.work.views.current)
        keeper.trouble.connect(self.error)
        self.work.views.changed.connect(keeper.view_changed)
        self.work.views.built.connect(keeper.watch_out)
        self.controller.attach(keeper)
        self.keeper = keeper

    def closeEvent(self, event: QCloseEvent) -> None:
        """Qt's hook: a window that goes leaves the session behind for the next start."""
        super().closeEvent(event)
        if event.isAccepted():
            self._keep_layout()
            if self.keeper is not None:
                self.keeper.close()

    # Messages: how the controller speaks to the user.

    def info(self, text: str) -> None:
        """What happened besides, in the message bar."""
        self.work.messages.show_message(text, "info")

    def error(self, text: str) -> None:
        """What could not be done, in the message bar."""
        self.work.messages.show_message(text, "error")

    def field_error(self, key: str, text: str) -> None:
        """Under the field; in the message bar where the panel has no such field."""
        if not self.panel.show_error(key, text):
            self.error(text)

    def confirm(self, text: str) -> None:
        """A short note in the status bar."""
        self.statusBar().showMessage(displayed(text), CONFIRM_TIME)

    def _note_copy(self) -> None:
        """Whatever was copied is confirmed; who knows what it was says so right afterwards."""
        # Not every platform tells whose clipboard it is; others copy while we are not in front.
        if QApplication.clipboard().ownsClipboard() or QApplication.activeWindow() is not None:
            self.confirm("Copied to the clipboard")

    def clear(self) -> None:
        """What the message bar says is about another state of the plan."""
        self.work.messages.close_message()

    def show_recent(self, paths: tuple[str, ...]) -> None:
        """The menu of recent files."""
        self._actions.show_recent(paths, self.open_file)
        self.work.recent.show(paths)

    def opened(self) -> None:
        """What was opened is seen among the views, not on the start page."""
        self.work.views.leave("start")

    def show_view(self, name: str) -> None:
        """Bring the view ``name`` to the front."""
        self.work.views.show_view(name)

    # Deeds: what the commands ask for, files apart.

    def pin(self) -> None:
        """Keep the present plan for comparing."""
        self.panel.commit_pending()
        self.controller.pin()

    def copy_chart(self) -> None:
        """Put the stage chart on the clipboard as a picture."""
        from zerogui.gui.exporting.pictures import chart_mime

        QApplication.clipboard().setMimeData(chart_mime(self.controller.shown.report))
        self.confirm("Copied the chart")

    def browse_models(self) -> None:
        """Show the searchable list of models."""
        from zerogui.gui.dialogs.model_browser import ModelBrowser

        browser = ModelBrowser(self)
        browser.edited.connect(self._edit)
        browser.edited.connect(self.opened)
        browser.open()

    def ask_train_only(self) -> None:
        """Ask what stays trainable."""
        from zerogui.gui.dialogs.train_only import TrainOnly

        controller = self.controller
        TrainOnly(controller.scenario, controller.dispatch, self.run, self).open()

    def reopen_session(self) -> None:
        """Go on with another session that has unsaved work."""
        try:
            reopened = self.keeper is not None and self.keeper.reopen()
        except FileError as error:
            self.error(str(error))
        else:
            self.panel.clear_errors()
            self.confirm("Reopened the session" if reopened else "No other session is waiting")

    def undo(self) -> None:
        """Take the last step back."""
        self.controller.undo()

    def redo(self) -> None:
        """Take it again."""
        self.controller.redo()

    def copy_table(self) -> None:
        """Put the table on the clipboard; what is being typed counts."""
        self.panel.commit_pending()
        self.work.table.copy_all()

    def copy_selection(self) -> None:
        """Put the chosen cells on the clipboard."""
        self.work.table.copy_selection()

    def copy_arithmetic(self) -> None:
        """Put the line of arithmetic on the clipboard."""
        QApplication.clipboard().setText(self.work.worked_out())
        self.confirm("Copied the arithmetic")

    def show_unit(self, unit: str) -> None:
        """Show sizes in "GB" or "GiB"."""
        self.controller.set_unit(unit)
        self.keep(self._settings._replace(unit=unit))

    def toggle_exact(self) -> None:
        """Switch the table between the unit and whole bytes."""
        exact = not self.controller.shown.exact_bytes
        self.controller.set_exact_bytes(exact)
        self.keep(self._settings._replace(exact_bytes=exact))

    def use_theme(self, name: str) -> None:
        """Use theme "system", "light" or "dark"."""
        self._themes.choose(name)
        self.keep(self._settings._replace(theme=name))

    def toggle_hatching(self) -> None:
        """Hatch the states, or leave them plain."""
        set_hatching(not is_hatching())
        self.keep(self._settings._replace(hatching=is_hatching()))

    def present(self) -> None:
        """Enter or leave present mode."""
        self.panel.commit_pending()
        self.work.views.leave("start")
        self._presenting.toggle()

    def scale_text(self, steps: int) -> None:
        """Larger (1) or smaller (-1) text; 0 is the system's own size."""
        percent = round(self._presenting.scale * 100)
        self._presenting.set_scale((percent + 10 * steps) / 100 if steps else 1.0)
        percent = round(self._presenting.scale * 100)
        self.keep(self._settings._replace(text_percent=percent))
        self.confirm(f"Text at {percent} %")

    def show_help(self) -> None:
        """Show the help, offline."""
        from zerogui.gui.help.window import show_help

        show_help(self, self.scale_text)

    def show_shortcuts(self) -> None:
        """Show the sheet of shortcuts."""
        from zerogui.gui.dialogs.about import Shortcuts

        Shortcuts(self).open()

    def show_about(self) -> None:
        """Show versions."""
        from zerogui.gui.dialogs.about import About

        About(self).open()

    def reset(self) -> None:
        """Back to the scenario of the first start, as one step."""
        self.controller.dispatch(replace_all(seed(), "Reset to defaults"))

    def leave(self) -> None:
        """Close the window."""
        self.close()
