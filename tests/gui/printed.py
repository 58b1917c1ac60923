"""Reads pictures and pages as other programs see them."""

import subprocess
from itertools import combinations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QImage

from zerogui.gui.chart.geometry import Fonts, Kind, Label
from zerogui.gui.chart.paper import Align, Chart, Text

# Metrics round up: rectangles that touch do not overlap.
_TOUCH = 0.5


def text_of(pdf: bytes) -> str:
    """All text of a PDF in reading order, spaces plain."""
    done = subprocess.run(
        ["pdftotext", "-layout", "-", "-"], input=pdf, check=True, capture_output=True, timeout=60
    )
    return done.stdout.decode().replace("\u2009", " ").replace("\u00a0", " ")


def pages_of(pdf: bytes) -> int:
    """How many pages a PDF has."""
    done = subprocess.run(["pdfinfo", "-"], input=pdf, check=True, capture_output=True, timeout=60)
    (line,) = [line for line in done.stdout.decode().splitlines() if line.startswith("Pages:")]
    return int(line.split()[1])


def pixels_of_svg(svg: bytes) -> QImage:
    """An SVG as librsvg draws it."""
    done = subprocess.run(
        ["rsvg-convert", "--format", "png"], input=svg, check=True, capture_output=True, timeout=60
    )
    return QImage.fromData(done.stdout)


def pixels_of_pdf(pdf: bytes) -> QImage:
    """The first page as poppler draws it, at 96 dots an inch."""
    done = subprocess.run(
        ["pdftoppm", "-png", "-r", "96", "-singlefile", "-"],
        input=pdf,
        check=True,
        capture_output=True,
        timeout=60,
    )
    return QImage.fromData(done.stdout)


def share_of(image: QImage, colour: str) -> float:
    """The share of pixels that have ``colour``."""
    small = image.convertToFormat(QImage.Format.Format_RGB32)
    data = bytes(small.constBits())
    wanted = QColor(colour)
    pixel = bytes((wanted.blue(), wanted.green(), wanted.red()))
    found = sum(data[i : i + 3] == pixel for i in range(0, len(data), 4))
    return found / (small.width() * small.height())


def ink_of(text: Text) -> QRectF:
    """Where a text really stands: its width at its place in its rectangle."""
    metrics = QFontMetricsF(text.font)
    width, height = metrics.horizontalAdvance(text.text), metrics.height()
    if not text.upright:
        width, height = height, width
    centre = text.rect.center()
    left = centre.x() - width / 2
    if text.align is Align.LEFT:
        left = text.rect.left()
    elif text.align is Align.RIGHT:
        left = text.rect.right() - width
    return QRectF(left, centre.y() - height / 2, width, height)


def _label_ink(label: Label, fonts: Fonts) -> QRectF:
    width, height = fonts.size(label.kind, label.text)
    centre = label.rect.center()
    left = label.kind in (Kind.LEGEND, Kind.DEVICE)
    start = label.rect.left() if left else centre.x() - width / 2
    return QRectF(start, centre.y() - height / 2, width, height)


def chart_inks(chart: Chart) -> dict[str, QRectF]:
    """Every text of a chart with where it stands, numbered to be told apart."""
    inks = {}
    for number, label in enumerate(chart.picture.labels):
        inks[f"{number} {label.text}"] = _label_ink(label, chart.fonts)
    for number, text in enumerate(chart.axis):
        inks[f"axis {number} {text.text}"] = ink_of(text)
    return inks


def overlapping(inks: dict[str, QRectF]) -> list[tuple[str, str]]:
    """Pairs of texts that stand on each other."""

    def meet(a: QRectF, b: QRectF) -> bool:
        common = a.intersected(b)
        return common.width() > _TOUCH and common.height() > _TOUCH

    return [(a, b) for a, b in combinations(inks, 2) if meet(inks[a], inks[b])]


def outside(inks: dict[str, QRectF], page: QRectF) -> list[str]:
    """Texts that stick out of ``page``."""
    room = page.adjusted(-_TOUCH, -_TOUCH, _TOUCH, _TOUCH)
    return [name for name, ink in inks.items() if not room.contains(ink)]
