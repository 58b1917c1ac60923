"""The stage under discussion: four segments, those that the rule lacks greyed with the reason."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from zerogui.gui.theme import GRID, theme_of

_RADIUS = 3.0


class Segment(QAbstractButton):
    """One stage. ``place`` is -1 at the left end, 1 at the right end, 0 between."""

    def __init__(self, text: str, place: int) -> None:
        super().__init__()
        self._place = place
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As high as the fields around it."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 2 * GRID, metrics.height() + 9)

    def minimumSizeHint(self) -> QSize:
        """Narrow where it must be."""
        hint = self.sizeHint()
        return QSize(hint.width() - GRID, hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Filled with the accent where chosen, with the rule's colour where chosen but greyed."""
        theme = theme_of(self.palette())
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5 if self._place == 1 else 0.5, -0.5)
        fill, ink = theme.field, theme.text
        if self.isChecked():
            fill, ink = theme.accent, theme.on_accent
        elif self.underMouse() and self.isEnabled():
            fill = theme.rule
        if not self.isEnabled():
            fill, ink = (theme.rule if self.isChecked() else theme.panel), theme.disabled
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.edge), 1))
        painter.setBrush(QColor(fill))
        painter.drawPath(_outline(area, self._place))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ring = theme.on_accent if self.isChecked() else theme.accent
            painter.setPen(QPen(QColor(ring), 1))
            painter.drawRoundedRect(area.adjusted(2.5, 2.5, -2.5, -2.5), 2, 2)
        painter.setPen(QColor(ink))
        font = self.font()
        font.setBold(self.isChecked())
        painter.setFont(font)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()


def _outline(area: QRectF, place: int) -> QPainterPath:
    """A rectangle, rounded at an outer end."""
    path = QPainterPath()
    if place == 0:
        path.addRect(area)
        return path
    path.addRoundedRect(area, _RADIUS, _RADIUS)
    square = QPainterPath()
    half = area.width() / 2
    square.addRect(area.adjusted(half, 0, 0, 0) if place < 0 else area.adjusted(0, 0, -half, 0))
    return path.united(square).simplified()


class StageChoice(QWidget):
    """Stages 0 to 3 side by side; arrow keys move between those that are offered."""

    chosen = Signal(object)  # int: the stage that the user chose
    settled = Signal()

    def __init__(self, names: Sequence[str]) -> None:
        """``names`` are read out to those who do not see the digits ("ZeRO-2")."""
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._group = QButtonGroup(self)
        self._stage = 0
        for stage, name in enumerate(names):
            segment = Segment(str(stage), (-1, 0, 0, 1)[stage])
            segment.setObjectName(f"stage-{stage}")
            segment.setAccessibleName(name)
            self._group.addButton(segment, stage)
            row.addWidget(segment, 1)
        self._group.button(0).setChecked(True)
        self._let_tab_in()
        self._group.idClicked.connect(self._clicked)

    def value(self) -> int:
        """The stage shown."""
        return self._stage

    def set_value(self, stage: int) -> None:
        """Show ``stage``; no signal."""
        self._stage = stage
        self._group.button(stage).setChecked(True)
        self._let_tab_in()

    def set_offered(self, tips: Sequence[str], reasons: Sequence[str | None]) -> None:
        """Grey the stages with a reason, which becomes their tooltip; the others get ``tips``."""
        for stage, (tip, reason) in enumerate(zip(tips, reasons, strict=True)):
            button = self._group.button(stage)
            button.setEnabled(reason is None)
            button.setToolTip(tip if reason is None else f"Not offered: {reason}.")
            button.setAccessibleDescription(button.toolTip())
        self._let_tab_in()

    def _let_tab_in(self) -> None:
        """Tab stops at the stage shown; a greyed one (from a file) leaves that to a neighbour."""
        buttons = self._group.buttons()
        usable = [b for b in buttons if b.isEnabled()] or buttons
        stop = next((b for b in usable if b.isChecked()), usable[0])
        for button in buttons:
            here = button is stop
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if here else Qt.FocusPolicy.ClickFocus)
        self.setFocusProxy(stop)

    def _clicked(self, stage: int) -> None:
        self.settled.emit()
        if stage != self._stage:
            self._stage = stage
            self.chosen.emit(stage)
