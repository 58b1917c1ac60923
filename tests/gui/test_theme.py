"""The look: colours can be read and told apart, fields have edges, text scales as one."""

from collections.abc import Iterator
from itertools import combinations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QImage, QPalette
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.hands import in_front
from zerogui.gui.inputs.number_box import NumberBox
from zerogui.gui.inputs.steps import step_workers
from zerogui.gui.theme import (
    DARK,
    LIGHT,
    Ink,
    Theme,
    ThemeManager,
    apply_theme,
    font_scale,
    scaled_font,
    set_font_scale,
    system_theme,
    theme_of,
)
from zerogui.gui.widgets import icons
from zerogui.gui.widgets.caption import Caption
from zerogui.gui.widgets.icon_button import IconButton
from zerogui.planning.quantities import count_text, parse_count

Rgb = tuple[float, float, float]

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
VISIONS = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def _linear(colour: str) -> Rgb:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return red, green, blue


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio of two colours."""
    dark, bright = sorted((_luminance(one), _luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def lab(colour: str, vision: str) -> Rgb:
    """CIE L*a*b* (D65) of a colour as someone with that vision sees it."""
    seen = _linear(colour)
    red, green, blue = (
        min(max(sum(f * part for f, part in zip(row, seen, strict=True)), 0.0), 1.0)
        for row in VISIONS[vision]
    )
    xyz = (
        (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047,
        0.2126729 * red + 0.7151522 * green + 0.0721750 * blue,
        (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883,
    )
    x, y, z = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, vision: str) -> float:
    """CIE76 difference of two colours."""
    pairs = zip(lab(one, vision), lab(other, vision), strict=True)
    return sum((a - b) ** 2 for a, b in pairs) ** 0.5


def test_the_yardsticks_agree_with_known_values() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    assert lab("#FFFFFF", "normal") == pytest.approx((100, 0, 0), abs=0.1)
    assert lab("#FF0000", "normal") == pytest.approx((53.24, 80.09, 67.20), abs=0.1)
    # Red and green of equal strength lie far apart, but not for a deutan.
    assert distance("#C00000", "#608000", "deutan") < 0.5 * distance("#C00000", "#608000", "normal")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
@pytest.mark.parametrize("ground", ["window", "panel", "field", "button", "tip"])
def test_every_text_can_be_read_on_every_ground(theme: Theme, ground: str) -> None:
    for role in ("text", "muted", "accent", "over"):
        ratio = contrast(getattr(theme, role), getattr(theme, ground))
        assert ratio >= 4.5, f"{role} on {ground}: {ratio:.2f}"
    assert contrast(theme.on_accent, theme.accent) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_every_mark_and_edge_stands_out(theme: Theme) -> None:
    for mark in (*theme.marks, theme.over, theme.padding):
        assert contrast(mark, theme.window) >= 3, mark
    for ground in (theme.panel, theme.field):
        assert contrast(theme.edge, ground) >= 3
        assert contrast(theme.accent, ground) >= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
@pytest.mark.parametrize("vision", VISIONS)
def test_any_two_marks_are_told_apart_in_every_vision(theme: Theme, vision: str) -> None:
    for one, other in combinations(theme.marks, 2):
        found = distance(one, other, vision)
        assert found >= 15, f"{one} and {other} in {vision}: {found:.1f}"


def test_every_optimizer_tensor_has_a_colour() -> None:
    assert LIGHT.colour("master") == "#5E1F4E"
    assert LIGHT.colour("further") == "#DBA6C8"
    assert LIGHT.colour("gradients") == "#C47A00"


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    """The application, light and unscaled again afterwards."""
    set_font_scale(1.0)
    yield qapp
    set_font_scale(1.0)
    apply_theme(qapp, LIGHT)


def _settle(app: QApplication) -> None:
    app.processEvents()
    app.processEvents()


def _number_box() -> NumberBox:
    return NumberBox(parse_count, count_text, step_workers, 1, 2**20)


def _edge_of(picture: QImage, field: QWidget, ground: str) -> str:
    """The colour in the middle of the field's upper edge: the strongest of its first rows."""
    middle, top = field.geometry().center().x(), field.geometry().top()
    rows = [picture.pixelColor(middle, top + row).name() for row in range(3)]
    return max(rows, key=lambda colour: contrast(colour, ground))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_fields_have_a_visible_edge_and_a_focus_ring(
    qtbot: QtBot, app: QApplication, theme: Theme
) -> None:
    apply_theme(app, theme)
    window = QWidget()
    qtbot.addWidget(window)
    window.setBackgroundRole(Ink.PANEL.value)
    window.setAutoFillBackground(True)
    layout = QVBoxLayout(window)
    fields = [QLineEdit("first"), QLineEdit("second"), QComboBox(), _number_box()]
    for field in fields:
        layout.addWidget(field)
    window.resize(200, 200)
    window.show()
    in_front(qtbot, window)
    fields[0].setFocus()
    _settle(app)
    picture = window.grab().toImage()
    assert picture.pixelColor(2, 2).name() == theme.panel.lower()
    for field in fields[1:]:
        assert contrast(_edge_of(picture, field, theme.panel), theme.panel) >= 2.9
    ring = _edge_of(picture, fields[0], theme.panel)
    assert contrast(ring, theme.panel) >= 3
    assert distance(ring, theme.accent, "normal") < 25
    assert distance(ring, theme.edge, "normal") > 15


def test_a_theme_is_switched_live(qtbot: QtBot, app: QApplication) -> None:
    manager = ThemeManager(app)
    heard: list[Theme] = []
    manager.changed.connect(heard.append)
    label, button = Caption("text", ink=Ink.MUTED), IconButton("close", "Close")
    for widget in (label, button):
        qtbot.addWidget(widget)
    manager.choose("dark")
    _settle(app)
    assert heard == [DARK]
    assert theme_of(label.palette()) is DARK
    assert label.palette().color(label.foregroundRole()).name() == DARK.muted.lower()
    assert _inks(button.icon().pixmap(48, 48).toImage()) == {DARK.text.lower()}
    manager.choose("light")
    _settle(app)
    assert heard == [DARK, LIGHT]
    assert app.palette().color(QPalette.ColorRole.Window).name() == LIGHT.window.lower()
    assert _inks(button.icon().pixmap(48, 48).toImage()) == {LIGHT.text.lower()}


def test_a_disabled_widget_keeps_its_theme(qtbot: QtBot, app: QApplication) -> None:
    label = QLabel("off")
    qtbot.addWidget(label)
    label.setEnabled(False)
    for theme in (DARK, LIGHT):
        apply_theme(app, theme)
        _settle(app)
        assert theme_of(label.palette()) is theme


def test_the_system_theme_is_light_where_the_system_says_nothing(app: QApplication) -> None:
    assert app.styleHints().colorScheme() == Qt.ColorScheme.Unknown
    assert system_theme(app) is LIGHT
    manager = ThemeManager(app)
    assert manager.preference == "system"
    assert manager.theme is LIGHT
    with pytest.raises(ValueError, match="sepia"):
        manager.choose("sepia")


def test_text_scales_as_one_and_comes_back(qtbot: QtBot, app: QApplication) -> None:
    caption, plain = Caption("big", delta=4, bold=True), QLabel("plain")
    for widget in (caption, plain):
        qtbot.addWidget(widget)
    base = plain.font().pointSizeF()
    set_font_scale(1.5)
    _settle(app)
    assert plain.font().pointSizeF() == pytest.approx(1.5 * base)
    assert caption.font().pointSizeF() == pytest.approx(1.5 * (base + 4))
    assert caption.font().bold()
    assert font_scale() == pytest.approx(1.5)
    set_font_scale(9)
    assert font_scale() == pytest.approx(2.5)
    set_font_scale(1)
    _settle(app)
    assert caption.font().pointSizeF() == pytest.approx(base + 4)


def test_figures_are_tabular(app: QApplication) -> None:
    assert scaled_font().featureValue(QFont.Tag("tnum")) == 1


def _inks(picture: QImage) -> set[str]:
    """The colours of all opaque pixels."""
    return {
        picture.pixelColor(x, y).name()
        for x in range(picture.width())
        for y in range(picture.height())
        if picture.pixelColor(x, y).alpha() == 255
    }


def test_an_icon_takes_the_colour_asked_for_and_is_sharp_on_a_dense_screen(
    app: QApplication,
) -> None:
    plain = icons.pixmap("warning", "#ff0000", 24)
    dense = icons.pixmap("warning", "#ff0000", 24, 2.0)
    assert plain.width() == 24
    assert dense.width() == 48
    assert dense.devicePixelRatio() == 2.0
    assert _inks(dense.toImage()) == {QColor("#ff0000").name()}


def test_a_disabled_command_has_a_paler_icon(app: QApplication) -> None:
    icon = icons.icon("undo", LIGHT)
    assert _inks(icon.pixmap(24, 24).toImage()) == {LIGHT.text.lower()}
    pale = icon.pixmap(QSize(24, 24), QIcon.Mode.Disabled)
    assert _inks(pale.toImage()) == {LIGHT.disabled.lower()}


def test_a_missing_icon_is_empty_and_nothing_breaks(app: QApplication) -> None:
    assert icons.icon("no-such-icon", LIGHT).isNull()
    assert icons.pixmap("no-such-icon", "#000000", 16).isNull()
