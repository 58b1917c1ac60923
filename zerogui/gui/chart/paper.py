"""The stage chart as a picture of its own: headings, axis and footer around the bars."""

from enum import Enum
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QPainter

from zerogui import __version__
from zerogui.gui.chart.drawing import draw
from zerogui.gui.chart.geometry import GAP, Fonts, Kind, Picture, lay_out
from zerogui.gui.theme import DARK, LIGHT, Theme
from zerogui.gui.widgets.wrapping import elided, wrapped
from zerogui.planning.chart import ChartModel, chart_model
from zerogui.planning.handout import conditions, heading, sentences
from zerogui.planning.quantities import UNITS
from zerogui.planning.report import Report

WIDTH, HEIGHT = 960, 540  # px of a picture at 1x
MARGIN = 24.0

# On a white page the window's own off-white would show as a box.
PAPER = LIGHT._replace(window="#FFFFFF")
PAPER_THEMES = {"light": PAPER, "dark": DARK}

_DEVICE_SHARE = 0.14  # of the width, at most, for the device's name beside its line
_LEGEND_SHARE = 0.45
_SMALLEST = 6.0  # px


class Align(Enum):
    """Where a text stands in its rectangle, vertically always in the middle."""

    LEFT = Qt.AlignmentFlag.AlignLeft
    RIGHT = Qt.AlignmentFlag.AlignRight
    CENTRE = Qt.AlignmentFlag.AlignHCenter


class Text(NamedTuple):
    """One line in its place; ``ink`` names a colour of the theme, ``upright`` False turns it."""

    text: str
    rect: QRectF
    font: QFont
    ink: str = "text"
    align: Align = Align.LEFT
    upright: bool = True


class Chart(NamedTuple):
    """The chart with its axis, laid out."""

    picture: Picture
    fonts: Fonts
    axis: tuple[Text, ...]


class Sheet(NamedTuple):
    """A whole picture, laid out: draw it with any painter."""

    texts: tuple[Text, ...]
    chart: Chart


def type_of(pixels: float, bold: bool = False) -> QFont:
    """The application's typeface, sized in px so that screen, picture and paper break alike."""
    font = QFont(QGuiApplication.font().family())
    font.setPixelSize(round(pixels))
    font.setBold(bold)
    # A ligature would be copied and searched as another letter than was written.
    font.setFeature(QFont.Tag("liga"), 0)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def chart_fonts(pixels: float) -> Fonts:
    """The chart's type around a base size in px, in the proportions of the screen."""
    return Fonts(
        base=type_of(pixels),
        total=type_of(pixels * 1.25, bold=True),
        bold=type_of(pixels, bold=True),
        small=type_of(pixels * 0.86),
    )


def line_height(font: QFont) -> float:
    """Height of a line, px."""
    return QFontMetricsF(font).height()


def stacked(
    lines: list[str], left: float, top: float, width: float, font: QFont, ink: str = "text"
) -> list[Text]:
    """``lines`` below each other from ``top`` on."""
    height = line_height(font)
    return [
        Text(line, QRectF(left, top + number * height, width, height), font, ink)
        for number, line in enumerate(lines)
    ]


def bottom_of(texts: list[Text], otherwise: float) -> float:
    """Where the last of ``texts`` ends."""
    return texts[-1].rect.bottom() if texts else otherwise


def headings(report: Report, left: float, top: float, width: float, size: float) -> list[Text]:
    """Title, sentence and verdict; ``size`` px is that of the sentence."""
    plain = type_of(size)
    title = heading(report)
    sentence, verdict = sentences(report)
    texts: list[Text] = []
    if title:
        large = type_of(size * 1.3, bold=True)
        texts += stacked(wrapped(title, large, width, 1), left, top, width, large)
        top = bottom_of(texts, top) + 2
    font = plain if title else _on_one_line(sentence, size, width)
    texts += stacked(wrapped(sentence, font, width, 2), left, top, width, font)
    top = bottom_of(texts, top) + 2
    ink = "muted" if title else "text"
    return texts + stacked(wrapped(verdict, plain, width, 2), left, top, width, plain, ink)


def _on_one_line(text: str, size: float, width: float) -> QFont:
    """Bold and as much larger than ``size`` px as one line allows, where it can."""
    for factor in (1.3, 1.2, 1.1):
        font = type_of(size * factor, bold=True)
        if QFontMetricsF(font).horizontalAdvance(text) <= width:
            break
    return font


def lay_out_chart(report: Report, area: QRectF, pixels: float) -> Chart:
    """The chart and its axis inside ``area``, in type of ``pixels`` or of what its columns allow.

    Names that would crowd out the bars are elided; figures never are.
    """
    model = chart_model(report)
    while True:
        fonts = chart_fonts(pixels)
        chart = _lay_out(model, area, fonts)
        slot = chart.picture.plot.width() / len(model.bars)
        if pixels <= _SMALLEST or _widest_label(model, fonts) + GAP <= slot:
            return chart
        pixels -= 1


def _lay_out(model: ChartModel, area: QRectF, fonts: Fonts) -> Chart:
    model = _fitted(model, area.width(), fonts)
    metrics = QFontMetricsF(fonts.small)
    tick_width = max(metrics.horizontalAdvance(text) for _, text in model.ticks)
    turned = metrics.height()
    inner = area.adjusted(turned + tick_width + 3 * GAP, 0, 0, 0)
    picture = lay_out(model, inner, fonts)
    return Chart(picture, fonts, tuple(_axis(model, picture, area, tick_width, fonts.small)))


def _widest_label(model: ChartModel, fonts: Fonts) -> float:
    """The widest text that has to stand in a bar's column, px."""
    return max(
        fonts.size(kind, text)[0]
        for bar in model.bars
        for kind, text in (
            (Kind.TOTAL, bar.figure),
            (Kind.OVER, bar.over or ""),
            (Kind.STAGE_SELECTED, bar.label),
            (Kind.CAPTION, bar.caption),
        )
    )


def _axis(
    model: ChartModel, picture: Picture, area: QRectF, width: float, font: QFont
) -> list[Text]:
    height, plot = line_height(font), picture.plot
    left = area.left() + height + GAP
    texts = []
    for value, text in model.ticks:
        y = plot.bottom() - plot.height() * value * UNITS[model.unit] / model.top
        rect = QRectF(left, y - height / 2, width, height)
        texts.append(Text(text, rect, font, "muted", Align.RIGHT))
    title = QRectF(area.left(), plot.top(), height, plot.height())
    texts.append(Text(model.axis_title, title, font, "muted", Align.CENTRE, upright=False))
    return texts


def _fitted(model: ChartModel, width: float, fonts: Fonts) -> ChartModel:
    device = model.device
    if device is not None:
        name = elided(device.name, fonts.small, width * _DEVICE_SHARE)
        device = device._replace(name=name)
    legend = tuple(
        (role, elided(text, fonts.small, width * _LEGEND_SHARE)) for role, text in model.legend
    )
    return model._replace(device=device, legend=legend)


def lay_out_sheet(report: Report, width: float = WIDTH, height: float = HEIGHT) -> Sheet:
    """A picture of ``width`` × ``height`` px: headings, chart, footer."""
    inner = width - 2 * MARGIN
    texts = headings(report, MARGIN, MARGIN - 6, inner, 15)
    small = type_of(11)
    foot = height - MARGIN + 6 - line_height(small)
    chart_top = bottom_of(texts, MARGIN) + 12
    area = QRectF(MARGIN, chart_top, inner, foot - 12 - chart_top)
    texts += footer(conditions(report), f"zerogui {__version__}", MARGIN, foot, inner, small)
    return Sheet(tuple(texts), lay_out_chart(report, area, 14))


def footer(
    left_text: str, right_text: str, left: float, top: float, width: float, font: QFont
) -> list[Text]:
    """One muted line: what is elided where it is long, and what stands at the right end."""
    right_width = QFontMetricsF(font).horizontalAdvance(right_text) + 1
    room = width - right_width - 2 * MARGIN
    height = line_height(font)
    return [
        Text(elided(left_text, font, room), QRectF(left, top, room, height), font, "muted"),
        Text(
            right_text,
            QRectF(left + width - right_width, top, right_width, height),
            font,
            "muted",
            Align.RIGHT,
        ),
    ]


def paint_sheet(painter: QPainter, sheet: Sheet, theme: Theme) -> None:
    """Everything of ``sheet`` but its ground."""
    paint_chart(painter, sheet.chart, theme)
    paint_texts(painter, sheet.texts, theme)


def paint_chart(painter: QPainter, chart: Chart, theme: Theme) -> None:
    """Bars, labels and axis."""
    draw(painter, chart.picture, chart.fonts, theme)
    paint_texts(painter, chart.axis, theme)


def paint_texts(painter: QPainter, texts: tuple[Text, ...], theme: Theme) -> None:
    """Every text in its own ink."""
    for text in texts:
        painter.setFont(text.font)
        painter.setPen(QColor(getattr(theme, text.ink)))
        flags = int(text.align.value | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip)
        if text.upright:
            painter.drawText(text.rect, flags, text.text)
            continue
        painter.save()
        painter.translate(text.rect.center())
        painter.rotate(-90)
        size = text.rect.size().transposed()
        corner = QPointF(-size.width() / 2, -size.height() / 2)
        painter.drawText(QRectF(corner, size), flags, text.text)
        painter.restore()
