"""What a window does with files: open, drop, save, export, and remember the recent ones."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow

from zerogui.accounting.errors import InputError
from zerogui.files import SUFFIX
from zerogui.files.errors import FileError, shown_name
from zerogui.files.settings import Settings, read_settings, save_settings
from zerogui.gui.controller import Controller
from zerogui.gui.inputs.panel import InputPanel
from zerogui.planning.quantities import group_digits
from zerogui.planning.report import NotOffered

if TYPE_CHECKING:
    from PySide6.QtWidgets import QFileDialog

    from zerogui.files.opened import Export
    from zerogui.gui.background import Background
    from zerogui.gui.saving import Saving
    from zerogui.planning.work import Job

SCENARIOS = f"Scenarios (*{SUFFIX})"
OPENED = (
    f"Everything that opens (*{SUFFIX} *.json *.safetensors *.yaml *.yml)",
    SCENARIOS,
    "All files (*)",
)


class FileWindow(QMainWindow):
    """A main window with a controller and a panel; subclasses arrange and display.

    ``closing`` is emitted once when the window really closes, changes saved or not.
    """

    closing = Signal()
    controller: Controller
    panel: InputPanel

    def __init__(self, settings_path: str | None) -> None:
        super().__init__()
        self._settings_path = settings_path
        self._settings, self._settings_note = Settings(), ""
        if settings_path is not None:
            self._settings, self._settings_note = read_settings(settings_path)
        self._kept = True  # until a write fails: that is said once
        self.setAcceptDrops(True)
        # Made when they are first needed: a start has nothing to wait for, and asks nothing.
        self._background: Background | None = None
        self._saving: Saving | None = None
        self._may_close = self._closed = False

    @property
    def background(self) -> "Background":
        """What works beside the window, with its progress in the status bar."""
        if self._background is None:
            from zerogui.gui.background import Background, ProgressLine

            self._background = Background(self)
            self.statusBar().addPermanentWidget(ProgressLine(self._background, self._cancelled))
        return self._background

    def run(self, job: "Job") -> None:
        """Do ``job`` beside the window."""
        self.background.run(job)

    @property
    def saving(self) -> "Saving":
        """The conversation about saving."""
        if self._saving is None:
            from zerogui.gui.saving import Saving

            self._saving = Saving(self, self)
        return self._saving

    # What subclasses provide.

    def error(self, text: str) -> None:
        """Something that could not be done, and what to do."""

    def confirm(self, text: str) -> None:
        """A short note that something worked."""

    def show_recent(self, paths: tuple[str, ...]) -> None:
        """The recently opened files have changed."""

    def opened(self) -> None:
        """A file has been opened: what it holds should be seen."""

    # Opening.

    def ask_open(self) -> None:
        """Let the user choose a file; it opens when chosen."""
        dialog = self.file_dialog("Open", ";;".join(OPENED))
        dialog.fileSelected.connect(self.open_file)
        dialog.open()

    def ask_open_adapter(self) -> None:
        """Let the user choose a checkpoint that is trained on the frozen present model."""
        dialog = self.file_dialog("Open as adapter", "Checkpoints (*.safetensors);;All files (*)")
        dialog.fileSelected.connect(self.open_adapter)
        dialog.open()

    def open_file(self, path: str) -> None:
        """Open whatever is at ``path``; an error leaves everything as it is."""
        self.controller.open(path, self._has_opened)

    def open_adapter(self, path: str) -> None:
        """Open ``path`` as an adapter of the present model."""
        self.controller.open_adapter(path, self._has_opened)

    def open_example(self, name: str) -> None:
        """Open an example as a new plan, which has no file yet."""
        from zerogui.catalog import example_named

        example = example_named(name)
        try:
            path = str(example.path)
        except FileNotFoundError as error:
            self.error(str(error))
            return
        if self.controller.open(path):
            self._show_opened(example.title)

    def _has_opened(self, path: str) -> None:
        self.remember(path)
        self._show_opened(shown_name(path))

    def _show_opened(self, name: str) -> None:
        self.panel.clear_errors()
        self.opened()
        self.confirm(f"Opened {name}")

    def _cancelled(self, said: str) -> None:
        self.confirm(said)

    def remember(self, path: str) -> None:
        """Put ``path`` on top of the recent files; that must never stop the work at hand."""
        self.keep(self._settings.with_recent(path))
        self.show_recent(self._settings.recent)

    def keep(self, settings: Settings) -> None:
        """Remember ``settings`` for the next start."""
        if settings == self._settings:
            return
        before, self._settings = self._settings, settings
        if self._settings_path is None:
            return
        try:
            save_settings(settings, self._settings_path, before)
        except FileError as error:
            if self._kept:
                self.confirm(f"The settings could not be kept: {error}")
            self._kept = False

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A file or folder may be dropped anywhere on the window."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the first file that was dropped."""
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.open_file(paths[0])

    # Saving and exporting.

    def save(self) -> None:
        """Save to the scenario's file, or ask for one; what is being typed counts."""
        self.panel.commit_pending()
        self.saving.save()

    def ask_save_as(self) -> None:
        """Let the user choose where to save."""
        self.panel.commit_pending()
        self.saving.ask_save_as()

    def save_to(self, path: str) -> None:
        """Save the scenario to ``path``."""
        self.saving.save_to(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Qt's hook: unsaved changes ask first, and what is being written is waited for."""
        if self._closes_now():
            event.accept()
        else:
            event.ignore()

    def _closes_now(self) -> bool:
        if self._background is not None and self._background.saving:
            # Only then is it known whether the changes are in a file.
            self._background.idle.connect(self.close, Qt.ConnectionType.SingleShotConnection)
            return False
        if not self._may_close:
            self.panel.commit_pending()
            if self.controller.changed:
                self.saving.ask_before_closing()
                return False
        if self._background is not None:
            self._background.cancel()
        if not self._closed:
            self._closed = True
            self.closing.emit()
        return True

    def close_for_good(self) -> None:
        """Close without a question; the plan's changes need not be in a file."""
        self._may_close = True
        self.close()

    def export_engine(self, form: str) -> None:
        """Write the scenario as an engine's config; what it can't express is said before."""
        from zerogui.planning.exporting import export_text

        self.panel.commit_pending()
        try:
            export = export_text(self.controller.scenario, form)
        except (InputError, FileError) as error:
            self.error(str(error))
            return
        if export.lost:
            self._ask_despite_loss(export)
        else:
            self._ask_where(export)

    def export_chart(self, suffix: str, scale: int = 1) -> None:
        """Write the stage chart as ".png" (``scale`` times 960 × 540 px), ".svg" or ".pdf"."""
        from zerogui.gui.exporting.pictures import picture

        report = self.controller.shown.report
        self._ask_and_write(f"chart{suffix}", lambda path: picture(report, suffix, scale=scale))

    def export_table(self, form: str) -> None:
        """Write the table as "csv", "markdown", "html" or "xlsx"."""
        from zerogui.planning.report_text import render
        from zerogui.planning.workbook import workbook

        report = self.controller.shown.report
        suffix = "md" if form == "markdown" else form

        def made(path: str) -> bytes:
            return workbook(report, path) if form == "xlsx" else render(report, form).encode()

        self._ask_and_write(f"table.{suffix}", made)

    def export_report(self) -> None:
        """Write one page with inputs, chart, table and derivation."""
        import datetime

        from zerogui.gui.exporting.report_pdf import report_pdf

        report = self.controller.shown.report
        today = datetime.date.today()
        self._ask_and_write("report.pdf", lambda path: report_pdf(report, today))

    def ask_save_comparison(self) -> None:
        """Let the user choose where to save the pins."""
        dialog = self.file_dialog("Save the comparison", SCENARIOS, saves=True)
        dialog.setDefaultSuffix(SUFFIX.lstrip("."))
        dialog.fileSelected.connect(self.controller.save_comparison)
        dialog.open()

    def _ask_and_write(self, name: str, made: Callable[[str], bytes]) -> None:
        """Ask where, then make the file's bytes and write them whole or not at all."""
        self.panel.commit_pending()
        dialog = self.file_dialog(f"Export {name}", "All files (*)", saves=True)
        dialog.selectFile(name)
        dialog.fileSelected.connect(lambda path: self._write_bytes(path, made))
        dialog.open()

    def _write_bytes(self, path: str, made: Callable[[str], bytes]) -> None:
        from zerogui.files.atomic import write_atomically

        try:
            write_atomically(path, made(path))
        except FileError as error:
            self.error(str(error))
        else:
            self.confirm(f"Exported {shown_name(path)}")

    def _ask_despite_loss(self, export: "Export") -> None:
        from PySide6.QtWidgets import QMessageBox

        from zerogui.gui.dialogs.standard_buttons import word_buttons

        box = QMessageBox(self)
        box.setObjectName("export-loss")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("Export engine config")
        box.setText(f"{export.name} cannot say everything of this plan:")
        box.setInformativeText("\n".join(f"• {sentence}" for sentence in export.lost))
        box.setStandardButtons(QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Cancel)
        word_buttons(box)
        box.accepted.connect(lambda: self._ask_where(export))
        box.open()

    def _ask_where(self, export: "Export") -> None:
        dialog = self.file_dialog(f"Export {export.name}", "All files (*)", saves=True)
        dialog.selectFile(export.name)
        dialog.fileSelected.connect(lambda path: self._write(export, path))
        dialog.open()

    def _write(self, export: "Export", path: str) -> None:
        from zerogui.planning.exporting import save_export

        try:
            save_export(export, path)
        except FileError as error:
            self.error(str(error))
        else:
            self.confirm(f"Exported {shown_name(path)}{self._expected()}")

    def _expected(self) -> str:
        """What the run that was exported should hold, for formats without comments too."""
        stage = self.controller.shown.report.selected
        if isinstance(stage, NotOffered):
            return ""
        return f"; expect {group_digits(stage.rank.total)} B on the fullest rank"

    def file_dialog(self, title: str, filters: str, *, saves: bool = False) -> "QFileDialog":
        """A dialog in the plan's folder that goes when it is closed; it chooses a file that is
        there, or with ``saves`` where to write."""
        from PySide6.QtWidgets import QFileDialog

        path = self.controller.shown.path
        folder = os.path.dirname(path) if path else os.getcwd()
        dialog = QFileDialog(self, title, folder, filters)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if saves:
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        return dialog
