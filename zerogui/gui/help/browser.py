"""Shows one help page: local Markdown and pictures, links inside the help, and nothing else."""

from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QImage, QResizeEvent, QTextCursor, QTextDocument, QTextOption
from PySide6.QtWidgets import QFrame, QTextBrowser

from zerogui.gui.help.dressing import dress
from zerogui.gui.help.pages import Target, page_named, picture_file, target_of
from zerogui.gui.theme import GRID, font_scale, scaled_font, text_scale, theme_of

READABLE_WIDTH = 760  # px of a line at the usual text size


class HelpBrowser(QTextBrowser):
    """``followed`` tells of a link inside the help, ``refused`` of one that leads out of it."""

    followed = Signal(object)  # Target
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._target = Target("")
        self.setObjectName("help-text")
        self.setAccessibleName("Help text")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.document().setDocumentMargin(3 * GRID)
        # Theme, text size and width: the page is read again, once for all that changed.
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._read_again)
        self.anchorClicked.connect(self._clicked)
        text_scale.changed.connect(self._again.start)

    @property
    def page(self) -> str:
        """The name of the page that is shown."""
        return self._target.page

    def scrolled(self) -> float:
        """How far down the page its top line is, from 0 to 1."""
        bar = self.verticalScrollBar()
        return bar.value() / bar.maximum() if bar.maximum() else 0.0

    def show_target(self, target: Target, scrolled: float | None = None) -> None:
        """Show ``target``, or the place ``scrolled`` down its page."""
        if target.page != self._target.page:
            self._read(target.page)
        self._target = target
        if scrolled is not None:
            self._scroll(scrolled)
        elif target.anchor:
            self.scrollToAnchor(target.anchor)
        else:
            self.verticalScrollBar().setValue(0)

    def find_next(self, words: str, backward: bool = False) -> bool:
        """Select the next place where ``words`` stand on this page; False where none follows."""
        flag = QTextDocument.FindFlag.FindBackward if backward else QTextDocument.FindFlag(0)
        return self.find(words, flag)

    def to_edge(self, end: bool = False) -> None:
        """Let the next search begin at the top of the page, or at its end."""
        edge = QTextCursor.MoveOperation.End if end else QTextCursor.MoveOperation.Start
        self.moveCursor(edge)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Qt's hook: pictures of resources/screenshots, in the width of the text."""
        link = name if isinstance(name, str) else name.toString()
        path = picture_file(link)
        return self._picture(path) if path is not None else None

    def changeEvent(self, event: QEvent) -> None:
        """Qt's hook: another theme colours the page anew."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._again.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: lines end where the window does, or where they get hard to read."""
        if self._text_width() != self.lineWrapColumnOrWidth():
            self._again.start()
        super().resizeEvent(event)

    def _text_width(self) -> int:
        return min(self.viewport().width(), round(READABLE_WIDTH * font_scale()))

    def _picture(self, path: str) -> QImage:
        picture = QImage(path)
        dots = self.devicePixelRatioF()
        room = round((self._text_width() - 6 * GRID) * dots)
        if picture.width() > room > 0:
            picture = picture.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation)
        picture.setDevicePixelRatio(dots)
        return picture

    def _read(self, name: str) -> None:
        self.setFont(scaled_font())
        self.setLineWrapColumnOrWidth(self._text_width())
        document = self.document()
        document.clear()
        document.setMarkdown(
            page_named(name).text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub
        )
        dress(document, theme_of(self.palette()))
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _read_again(self) -> None:
        if self._target.page:
            scrolled = self.scrolled()
            self._read(self._target.page)
            self._scroll(scrolled)

    def _scroll(self, scrolled: float) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(round(scrolled * bar.maximum()))

    def _clicked(self, url: QUrl) -> None:
        link = url.toString()
        target = target_of(link, self._target.page)
        if target is None:
            self.refused.emit(link)
        else:
            self.followed.emit(target)
