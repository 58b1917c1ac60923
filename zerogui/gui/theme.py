"""Colours, palettes and type sizes: the one place that says how the application looks."""

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

GRID = 8  # px; distances are multiples of it, or its half

MIN_SCALE, MAX_SCALE = 0.75, 2.5
_BASE_SIZE = "zeroguiBasePointSize"
STYLED = "zeroguiStyled"  # the application's property: it has STYLE
STYLE = "Fusion"


class Theme(NamedTuple):
    """Every colour by its role, as ``#RRGGBB``.

    ``optimizer`` holds master weights, first moment, second moment and all further tensors (drawn
    with an outline); ``over`` marks what does not fit, and errors; ``edge`` is a field's border.
    """

    name: str
    dark: bool
    window: str
    panel: str
    field: str
    button: str
    edge: str
    text: str
    muted: str
    disabled: str
    rule: str
    accent: str
    on_accent: str
    parameters: str
    gradients: str
    optimizer: tuple[str, str, str, str]
    padding: str
    over: str
    tip: str

    @property
    def marks(self) -> tuple[str, str, str, str, str]:
        """The first five marks of a chart: they must be told apart in every kind of vision."""
        return (self.parameters, self.gradients, *self.optimizer[:3])

    def colour(self, role: str) -> str:
        """The colour of a component's role: a state, or which optimizer tensor it is."""
        order = ("master", "first", "second", "further")
        if role in order:
            return self.optimizer[order.index(role)]
        return self.parameters if role == "parameters" else self.gradients


LIGHT = Theme(
    name="light",
    dark=False,
    window="#FAFBFC",
    panel="#F1F3F5",
    field="#FFFFFF",
    button="#FFFFFF",
    edge="#848D97",
    text="#1B1F24",
    muted="#57606A",
    disabled="#8C959F",
    rule="#D5DAE0",
    accent="#0B5CAD",
    on_accent="#FFFFFF",
    parameters="#0072B2",
    gradients="#C47A00",
    optimizer=("#5E1F4E", "#97417F", "#C473A8", "#DBA6C8"),
    padding="#848D97",
    over="#B93A0A",
    tip="#FFFFFF",
)

DARK = Theme(
    name="dark",
    dark=True,
    window="#15181C",
    panel="#1D2126",
    field="#14171B",
    button="#262C33",
    edge="#6B7683",
    text="#E8EBEF",
    muted="#9AA4B0",
    disabled="#69737E",
    rule="#343B44",
    accent="#58A6FF",
    on_accent="#0D1117",
    parameters="#3A9BDC",
    gradients="#F0B429",
    optimizer=("#9A4A86", "#C77DB4", "#E7B3D8", "#F3D7EA"),
    padding="#7D8894",
    over="#F97316",
    tip="#2A3038",
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


class Ink(Enum):
    """Palette roles under the names of this application, so that painted widgets follow a theme."""

    TEXT = QPalette.ColorRole.WindowText
    MUTED = QPalette.ColorRole.PlaceholderText
    RULE = QPalette.ColorRole.Mid
    ACCENT = QPalette.ColorRole.Link
    OVER = QPalette.ColorRole.BrightText
    PANEL = QPalette.ColorRole.AlternateBase


def palette_of(theme: Theme) -> QPalette:
    """The application's palette for ``theme``."""
    role = QPalette.ColorRole
    palette = QPalette(QColor(theme.button), QColor(theme.window))
    for where, colour in (
        (role.Window, theme.window),
        (role.WindowText, theme.text),
        (role.Base, theme.field),
        (role.AlternateBase, theme.panel),
        (role.Text, theme.text),
        (role.PlaceholderText, theme.muted),
        (role.Button, theme.button),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.over),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Accent, theme.accent),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.ToolTipBase, theme.tip),
        (role.ToolTipText, theme.text),
        (role.Mid, theme.rule),
        (role.Dark, theme.edge),
    ):
        palette.setColor(where, QColor(colour))
    off = QPalette.ColorGroup.Disabled
    for where in (role.WindowText, role.Text, role.ButtonText, role.PlaceholderText):
        palette.setColor(off, where, QColor(theme.disabled))
    palette.setColor(off, role.Highlight, QColor(theme.rule))
    palette.setColor(off, role.HighlightedText, QColor(theme.muted))
    return palette


def _field_palette(theme: Theme) -> QPalette:
    """The palette of input fields: Fusion draws a field's border a shade darker than Window."""
    palette = palette_of(theme)
    palette.setColor(QPalette.ColorRole.Window, QColor(theme.edge).lighter(140))
    return palette


def theme_of(palette: QPalette) -> Theme:
    """The theme that ``palette`` belongs to; painted widgets ask this of their own palette."""
    # The active group: a disabled widget's own text colour says nothing of the theme.
    text = palette.color(QPalette.ColorGroup.Active, QPalette.ColorRole.Text)
    return DARK if text.lightness() > 127 else LIGHT


def system_theme(app: QApplication) -> Theme:
    """What the system asks for; light where it says nothing."""
    return DARK if app.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Fusion with the theme's palettes, for the whole application."""
    # Asking which style there is would load all that styles know.
    if not app.property(STYLED):
        app.setStyle(STYLE)
        app.setProperty(STYLED, True)
    QApplication.setPalette(palette_of(theme))
    for kind in ("QAbstractSpinBox", "QComboBox", "QLineEdit", "QPushButton"):
        _set_palette(_field_palette(theme), kind)
    bar = palette_of(theme)
    bar.setColor(QPalette.ColorRole.Button, QColor(theme.rule))  # a white handle is hard to see
    _set_palette(bar, "QScrollBar")


def _set_palette(palette: QPalette, kind: str) -> None:
    """``palette`` for one class of widgets; PySide6's stub asks for bytes, the call for a str."""
    QApplication.setPalette(palette, kind)  # type: ignore[arg-type]


def _base_point_size() -> float:
    """The system's own type size in points, remembered at the first question."""
    app = QApplication.instance()
    if app is None:
        return 9.0
    known = app.property(_BASE_SIZE)
    if isinstance(known, float):
        return known
    size = QApplication.font().pointSizeF()
    size = size if size > 0 else 9.0  # a font given in pixels has no point size
    app.setProperty(_BASE_SIZE, size)
    return size


def set_base_type(family: str, points: float) -> None:
    """Take this type instead of the system's own, for pictures that are the same everywhere."""
    QApplication.setFont(QFont(family, round(points)))
    app = QApplication.instance()
    if app is not None:
        app.setProperty(_BASE_SIZE, float(points))
    text_scale.changed.emit()


def font_scale() -> float:
    """How much larger than the system's size the application's text is."""
    base = _base_point_size()
    size = QApplication.font().pointSizeF()
    return size / base if size > 0 else 1.0


class _TextScale(QObject):
    """Tells of another text size: Qt tells only widgets without a size of their own."""

    changed = Signal()


text_scale = _TextScale()


def set_font_scale(scale: float) -> None:
    """Scale all text; kept within 0.75 to 2.5. ``text_scale.changed`` follows."""
    font = QApplication.font()
    font.setPointSizeF(_base_point_size() * min(max(scale, MIN_SCALE), MAX_SCALE))
    QApplication.setFont(font)
    text_scale.changed.emit()


def scaled_font(delta_pt: float = 0.0, bold: bool = False) -> QFont:
    """The application's font, ``delta_pt`` points larger (at 100 %), with tabular figures."""
    size = (_base_point_size() + delta_pt) * font_scale()
    return QFont(_font(QApplication.font().toString(), size, bold))


@lru_cache(maxsize=64)
def _font(application: str, size: float, bold: bool) -> QFont:
    """The application's font in another size; painting asks for the same few again and again."""
    font = QFont()
    font.fromString(application)
    font.setPointSizeF(size)
    font.setBold(bold)
    return tabular(font)


def tabular(font: QFont) -> QFont:
    """``font`` with figures of equal width, where the typeface has them."""
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


class ThemeManager(QObject):
    """Which theme is on: "system" follows the desktop, "light" and "dark" stay.

    ``changed`` tells views that keep colours of their own (the chart); widgets that paint with
    their palette need no telling.
    """

    changed = Signal(object)  # Theme

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._preference = "system"
        self.theme = system_theme(app)
        apply_theme(app, self.theme)
        app.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def preference(self) -> str:
        """ "system", "light" or "dark"."""
        return self._preference

    def choose(self, preference: str) -> None:
        """Follow the system, or keep one theme. ValueError for another word."""
        if preference != "system" and preference not in THEMES:
            raise ValueError(f"no theme is called {preference!r}")
        self._preference = preference
        hints = self._app.styleHints()
        # Window frames follow where the platform can; others ignore it.
        if preference == "system":
            hints.unsetColorScheme()
        else:
            dark = THEMES[preference].dark
            hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
        self._use(THEMES.get(preference) or system_theme(self._app))

    def _follow_system(self) -> None:
        if self._preference == "system":
            self._use(system_theme(self._app))

    def _use(self, theme: Theme) -> None:
        apply_theme(self._app, theme)
        if theme is not self.theme:
            self.theme = theme
            self.changed.emit(theme)
