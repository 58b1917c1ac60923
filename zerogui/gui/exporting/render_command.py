"""``zerogui render``: the stage chart of a file as a picture, without a window."""

import os

from PySide6.QtGui import QFontDatabase, QGuiApplication

from zerogui.files.atomic import write_atomically
from zerogui.files.errors import FileError
from zerogui.gui.chart.paper import PAPER_THEMES
from zerogui.gui.exporting.pictures import SUFFIXES, picture
from zerogui.gui.hatching import set_hatching
from zerogui.gui.startup.c_locale import leave_c_locale
from zerogui.planning.resolve import resolve
from zerogui.planning.start import plan_of


def render(
    path: str,
    output: str,
    unit: str = "GB",
    theme: str = "light",
    scale: int = 1,
    hatching: bool = False,
) -> tuple[str, ...]:
    """Draw the chart of the file at ``path`` into ``output``, whose suffix says how.

    ``theme`` is "light" or "dark"; ``scale`` (1, 2 or 4) counts for PNG only; ``hatching`` gives
    each state its strokes. Returns sentences on how the file was read. FileError where the file
    cannot be read or the picture not be written; ``output`` is then what it was before.
    """
    suffix = os.path.splitext(output)[1].lower()
    if suffix not in SUFFIXES:
        raise FileError(output, "is no picture; choose a name that ends in .png, .svg or .pdf.")
    plan = plan_of(path)
    report = resolve(plan.scenario, unit)
    app = _application()
    if not QFontDatabase.families():
        raise FileError(output, "cannot be drawn without a font; install one, such as DejaVu Sans.")
    set_hatching(hatching)
    write_atomically(output, picture(report, suffix, PAPER_THEMES[theme], scale))
    del app  # it had to live until everything was drawn
    return plan.notes


def _application() -> QGuiApplication:
    """The running application, else one that needs no screen."""
    running = QGuiApplication.instance()
    if isinstance(running, QGuiApplication):
        return running
    leave_c_locale()
    return QGuiApplication(["zerogui", "-platform", "offscreen"])
