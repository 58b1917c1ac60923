"""Icons by meaning, drawn from resources/icons and recoloured for the theme."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QImage, QPainter, QPixmap

from zerogui.catalog.resources import resource_path
from zerogui.gui.theme import Theme

BAR_SIZE = 20  # px at ratio 1, of a toolbar
Mode = QIcon.Mode
MODES = (Mode.Normal, Mode.Disabled)
SIZES = (16, BAR_SIZE, 24, 32, 40, 50)


def icon(
    name: str, theme: Theme, sizes: tuple[int, ...] = SIZES, modes: tuple[Mode, ...] = MODES
) -> QIcon:
    """The icon of that meaning in the theme's text colour (muted where disabled).

    ``sizes``: in px at ratio 1; each is drawn from the SVG. An icon without a file is empty: a
    missing picture must not keep a command from working. ``modes``: those that will be seen.
    """
    ratio = max((screen.devicePixelRatio() for screen in QGuiApplication.screens()), default=1.0)
    return _icon(name, theme, sizes, modes, ratio)


def pixmap(name: str, colour: str, size: int, ratio: float = 1.0) -> QPixmap:
    """One icon as a square of ``size`` px in ``colour``, sharp at the device pixel ratio."""
    return _pixmap(name, colour, size, ratio)


@lru_cache(maxsize=256)
def _icon(
    name: str, theme: Theme, sizes: tuple[int, ...], modes: tuple[Mode, ...], ratio: float
) -> QIcon:
    result = QIcon()
    if _drawing(name) is None:
        return result
    for mode in modes:
        colour = theme.disabled if mode is Mode.Disabled else theme.text
        for size in sizes:
            result.addPixmap(_pixmap(name, colour, size, ratio), mode)
    return result


@lru_cache(maxsize=512)
def _pixmap(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    drawing = _drawing(name)
    if drawing is None:
        return QPixmap()
    from PySide6.QtSvg import QSvgRenderer  # lazily: a start without icons needs no SVG

    image = QImage(QSize(size, size) * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer = QSvgRenderer(QByteArray(drawing.replace("currentColor", colour).encode()))
    renderer.render(painter, QRectF(0, 0, image.width(), image.height()))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return QPixmap.fromImage(image)


@lru_cache(maxsize=64)
def _drawing(name: str) -> str | None:
    """The SVG text, or None where there is no such file."""
    try:
        return resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")
    except OSError:
        return None
