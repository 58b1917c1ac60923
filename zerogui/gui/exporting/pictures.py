"""The stage chart as PNG, SVG, PDF and on the clipboard."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QMimeData, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from zerogui import __version__
from zerogui.gui.chart.paper import (
    HEIGHT,
    PAPER,
    WIDTH,
    lay_out_sheet,
    paint_sheet,
)
from zerogui.gui.theme import Theme
from zerogui.planning.handout import heading
from zerogui.planning.report import Report

SUFFIXES = (".png", ".svg", ".pdf")
DOTS = 96  # px to an inch of everything that is laid out here
_PDF_DOTS = 1200
_CLIPBOARD_SCALE = 2


def chart_image(report: Report, theme: Theme = PAPER, scale: int = 1) -> QImage:
    """The picture as 960 × 540 px times ``scale``."""
    image = QImage(WIDTH * scale, HEIGHT * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    _paint_whole(QPainter(image), report, theme)
    image.setText("Title", document_title(report))
    image.setText("Software", f"zerogui {__version__}")
    return image


def _paint_whole(painter: QPainter, report: Report, theme: Theme) -> None:
    """The picture on its ground, and with that the painter is done."""
    painter.fillRect(QRectF(0, 0, WIDTH, HEIGHT), QColor(theme.window))
    paint_sheet(painter, lay_out_sheet(report), theme)
    painter.end()


def chart_png(report: Report, theme: Theme = PAPER, scale: int = 1) -> bytes:
    """A PNG file of ``chart_image``."""
    image = chart_image(report, theme, scale)
    # Programs that respect it show 1x, 2x and 4x at one size.
    image.setDotsPerMeterX(round(DOTS * scale / 0.0254))
    image.setDotsPerMeterY(round(DOTS * scale / 0.0254))
    data = QByteArray()
    buffer = _opened(data)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return _bytes(data)


def chart_svg(report: Report, theme: Theme = PAPER) -> bytes:
    """An SVG file, its text as text."""
    data = QByteArray()
    buffer = _opened(data)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setSize(QSizeF(WIDTH, HEIGHT).toSize())
    generator.setViewBox(QRectF(0, 0, WIDTH, HEIGHT))
    generator.setResolution(DOTS)
    generator.setTitle(document_title(report))
    generator.setDescription(report.verdict)
    _paint_whole(QPainter(generator), report, theme)
    buffer.close()
    return _bytes(data)


def chart_pdf(report: Report, theme: Theme = PAPER) -> bytes:
    """A PDF file of one page in the picture's own size: vectors, and text as text."""
    data = QByteArray()
    buffer = _opened(data)
    size = QPageSize(QSizeF(WIDTH / DOTS, HEIGHT / DOTS), QPageSize.Unit.Inch)
    writer = pdf_writer(buffer, size, document_title(report))
    _paint_whole(pdf_painter(writer), report, theme)
    buffer.close()
    return _bytes(data)


def chart_mime(report: Report, theme: Theme = PAPER) -> QMimeData:
    """For the clipboard: pixels at 2x for most programs, SVG for those that take it."""
    mime = QMimeData()
    mime.setImageData(chart_image(report, theme, _CLIPBOARD_SCALE))
    mime.setData("image/png", QByteArray(chart_png(report, theme, _CLIPBOARD_SCALE)))
    mime.setData("image/svg+xml", QByteArray(chart_svg(report, theme)))
    return mime


def picture(report: Report, suffix: str, theme: Theme = PAPER, scale: int = 1) -> bytes:
    """The file for ``suffix``, one of SUFFIXES; ``scale`` counts for PNG only."""
    if suffix == ".png":
        return chart_png(report, theme, scale)
    return chart_svg(report, theme) if suffix == ".svg" else chart_pdf(report, theme)


def document_title(report: Report) -> str:
    """What a file calls itself: the plan's title, else the sentence."""
    return heading(report) or report.title


def pdf_writer(buffer: QBuffer, size: QPageSize, title: str) -> QPdfWriter:
    """A writer of pages without margins."""
    writer = QPdfWriter(buffer)
    writer.setPageSize(size)
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(_PDF_DOTS)
    writer.setTitle(title)
    writer.setCreator(f"zerogui {__version__}")
    return writer


def pdf_painter(writer: QPdfWriter) -> QPainter:
    """A painter that works in px of 1/96 inch."""
    painter = QPainter(writer)
    painter.scale(_PDF_DOTS / DOTS, _PDF_DOTS / DOTS)
    return painter


def _opened(data: QByteArray) -> QBuffer:
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer


def _bytes(data: QByteArray) -> bytes:
    return bytes(data.data())
