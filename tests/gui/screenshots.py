"""The pictures of the README and the help pages, taken of the real window.

``.venv/bin/python -m tests.gui.screenshots`` writes them all anew into ``resources/screenshots``.
"""

import os
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QDeadlineTimer, QEvent, Qt
from PySide6.QtGui import QCursor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.catalog import model_named
from zerogui.gui.app import make_window
from zerogui.gui.theme import ThemeManager, set_base_type, set_font_scale
from zerogui.gui.window import MainWindow
from zerogui.planning.edits import (
    apply,
    choose_model,
    choose_rule,
    set_offload_optimizer,
    set_stage,
    set_workers,
)
from zerogui.planning.opening import OpenedPlan
from zerogui.planning.pins import pin_step, rename_step
from zerogui.planning.start import seed

FOLDER = Path(__file__).parents[2] / "resources" / "screenshots"
TYPE = ("DejaVu Sans", 9.0)
SIZE = (1280, 800)
PATIENCE = 20_000  # ms until a window that does not paint counts as broken
SLIGHT = 12  # of 255 in a channel: what antialiasing may differ by

Prepare = Callable[[MainWindow], object]


@dataclass(frozen=True)
class Shot:
    """One picture: a plan in a window, and what is done in it before the picture is taken."""

    plan: Scenario
    prepare: Prepare = lambda _: None
    theme: str = "light"
    text: float = 1.0
    size: tuple[int, int] = SIZE


def _plan(*edits: Any) -> Scenario:
    scenario = seed()
    for edit in edits:
        scenario = apply(scenario, edit).scenario
    return scenario


def _model(name: str) -> Any:
    entry = model_named(name)
    return choose_model(Model(entry.name, entry.parameters))


def _view(name: str) -> Prepare:
    return lambda window: window.work.views.show_view(name)


def _compare(window: MainWindow) -> None:
    """Three pins under names of their own beside the present plan."""
    controller = window.controller
    for edit, name in (
        (set_stage(2), "ZeRO-2 on 32"),
        (set_stage(3), "ZeRO-3 on 32"),
        (set_offload_optimizer("host"), "optimizer on host"),
    ):
        controller.dispatch(edit)
        controller.change_pins(pin_step(controller.board.pins, controller.scenario))
        last = len(controller.board.pins.items) - 1
        controller.change_pins(rename_step(controller.board.pins, last, name))
    controller.dispatch(set_offload_optimizer("device"))
    controller.dispatch(set_workers(64))
    window.work.views.show_view("compare")


def _present(window: MainWindow) -> None:
    window.present()
    # The whole screen is of another size everywhere.
    window.showNormal()
    window.resize(*SIZE)


def _explain(window: MainWindow) -> None:
    """A segment under discussion."""
    chart: Any = window.work.views.view("stages")
    for _ in range(3):
        QTest.keyClick(chart, Qt.Key.Key_Up)


LLAMA_70B = _plan(_model("Llama-3 70B"), set_workers(64), set_stage(2))

SHOTS: dict[str, Shot] = {
    "start": Shot(seed()),
    "does-not-fit": Shot(LLAMA_70B),
    "scaling": Shot(
        replace(LLAMA_70B, sharding=replace(LLAMA_70B.sharding, stage=3)), _view("scaling")
    ),
    "ranks": Shot(
        _plan(choose_rule("deepspeed"), set_workers(7), set_stage(2)),
        _view("ranks"),
    ),
    "compare": Shot(_plan(_model("Llama-3 8B"), set_workers(32)), _compare),
    "present": Shot(_plan(_model("Llama-3 8B"), set_workers(64), set_stage(2)), _present),
    "dark": Shot(_plan(_model("Llama-3 8B"), set_workers(8), set_stage(2)), _explain, theme="dark"),
    "large-text": Shot(seed(), text=2.0),
}


@contextmanager
def _same_everywhere(themes: ThemeManager) -> Iterator[None]:
    """One type, no blinking caret, no pointer in the way; afterwards all as it was."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    font, blink, pointer, theme = (
        QApplication.font(),
        app.cursorFlashTime(),
        QCursor.pos(),
        themes.preference,
    )
    set_base_type(*TYPE)
    app.setCursorFlashTime(0)
    QCursor.setPos(QGuiApplication.primaryScreen().geometry().bottomRight())
    try:
        yield
    finally:
        set_font_scale(1.0)
        set_base_type(font.family(), font.pointSizeF())
        app.setCursorFlashTime(blink)
        QCursor.setPos(pointer)
        themes.choose(theme)


def take(name: str, themes: ThemeManager) -> QImage:
    """The picture called ``name``, as it is now."""
    shot = SHOTS[name]
    with _same_everywhere(themes):
        themes.choose(shot.theme)
        set_font_scale(shot.text)
        window = make_window(themes, OpenedPlan(shot.plan, False))
        try:
            window.resize(*shot.size)
            window.show()
            _wait_for(lambda: window.work.views.view("stages") is not None)
            _settle()
            shot.prepare(window)
            _wait_for(lambda: (window.width(), window.height()) == shot.size)
            _settle()
            _forget_the_focus(window)
            return window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        finally:
            window.close_for_good()
            window.deleteLater()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _wait_for(done: Callable[[], bool]) -> None:
    deadline = QDeadlineTimer(PATIENCE)
    while not done():
        assert not deadline.hasExpired(), "the window did not come to rest"
        QTest.qWait(10)


def _settle() -> None:
    """Layouts follow one another through the event loop."""
    for _ in range(5):
        QApplication.processEvents()
        QTest.qWait(5)


def _forget_the_focus(window: MainWindow) -> None:
    """Whether the window has the keyboard is another matter on every screen."""
    window.statusBar().clearMessage()
    focused: QWidget | None = window.focusWidget()
    if focused is not None:
        focused.clearFocus()
    QApplication.processEvents()


def difference(one: QImage, other: QImage) -> float:
    """The share of pixels that differ by more than ``SLIGHT``; 1 where the sizes do."""
    if one.size() != other.size():
        return 1.0
    a, b = _channels(one), _channels(other)
    return float(np.mean(np.max(np.abs(a - b), axis=2) > SLIGHT))


def _channels(image: QImage) -> Any:
    """Rows × columns × red, green, blue."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : plain.width() * 3].reshape(plain.height(), plain.width(), 3).astype(np.int16)


def write(image: QImage, path: Path) -> None:
    """A PNG without filters: for flat areas a quarter smaller than what Qt writes."""
    rows = _channels(image).astype(np.uint8).reshape(image.height(), -1)
    unfiltered = np.hstack([np.zeros((image.height(), 1), np.uint8), rows]).tobytes()
    packer = zlib.compressobj(9, zlib.DEFLATED, 15, 9)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", image.width(), image.height(), 8, 2, 0, 0, 0)),
        (b"IDAT", packer.compress(unfiltered) + packer.flush()),
        (b"IEND", b""),
    )
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in parts:
        check = zlib.crc32(kind + body)
        data += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", check)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def main() -> None:
    """Write all pictures anew."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from zerogui.gui.app import make_application

    themes = ThemeManager(make_application())
    for name in SHOTS:
        path = FOLDER / f"{name}.png"
        write(take(name, themes), path)
        print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
