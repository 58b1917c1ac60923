"""A user who never tires: random deeds in a real window, and what is left of them in memory."""

import ctypes
import gc
import random
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QPixmapCache
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QLineEdit, QWidget
from shiboken6 import Shiboken

from tests.robustness.bad_files import FOLDER
from tests.robustness.examples import ACCELERATE, COMPARISONS, DEEPSPEED, SCENARIOS, model_configs
from zerogui.accounting.cluster import Device
from zerogui.accounting.model import Model
from zerogui.catalog import devices, models, recipes
from zerogui.gui.inputs.field_row import FieldRow
from zerogui.gui.window import MainWindow
from zerogui.planning import edits
from zerogui.planning.edits import Edit
from zerogui.planning.pins import PinStep, baseline_step, move_step, remove_step, rename_step

VIEWS = ("stages", "scaling", "ranks", "compare", "derivation")
ACTIONS = (
    *("theme-light", "theme-dark", "unit-gb", "unit-gib", "exact-bytes", "text-larger"),
    *("text-smaller", "text-normal", "copy-table", "copy-chart", "copy-arithmetic", "pin", "reset"),
    *("present", "copy-selection"),
)
DIALOGS = ("shortcuts", "about", "browse-models", "train-only")
TYPED = (
    "1",
    "4",
    "64",
    "1024",
    "7B",
    "7.5e9",
    "12,288",
    "1e18",
    "1e19",
    "0",
    "-3",
    "abc",
    "",
    "7,5",
)
BOXES = ("parameters", "workers", "title")
LISTS = ("rule", "device", "model")
DTYPES = ("fp32", "bf16", "fp8", "int8-block256", "nf4-double")
BAD = ("nan", "nested-5000-lists", "markup", "group-that-does-not-divide")


class Session:
    """Random deeds with ``seed`` in ``window``; files come from, and go to, ``folder``."""

    def __init__(self, window: MainWindow, folder: Path, seed: int) -> None:
        self.window = window
        self._rng = random.Random(seed)
        self._own = folder / "own.zerogui.json"
        self._files = self._written(folder)
        self._deeds: list[tuple[int, Callable[[], None]]] = [
            (40, self._edit),
            (12, self._undo),
            (8, self._redo),
            (8, self._view),
            (8, self._act),
            (6, self._click),
            (5, self._hover),
            (4, self._type),
            (4, self._choose),
            (3, self._pins),
            (3, self._keys),
            (2, self._open),
            (2, self._resize),
            (1, self._save),
            (1, self._dialog),
        ]

    def tour(self) -> None:
        """Everything once, so that whatever is made on first use has been made."""
        for action in ACTIONS:
            self._trigger(action)
            self._trigger("present") if action == "present" else None
        for view in VIEWS:
            self.window.work.views.show_view(view)
            settle()
        for dialog in DIALOGS:
            self._dialog(dialog)
        for path in self._files:
            self.window.open_file(str(path))
            settle()
        for _ in range(64):
            self.window.controller.dispatch(edits.add_optimizer_tensor())
        for row in self.window.panel.findChildren(FieldRow):
            hint = row.hint()
            row.show_error("made on first use")
            row.clear_error()
            row.set_hint("made on first use")
            row.set_hint(hint)
        for box in self.window.findChildren(QComboBox):
            box.view()  # Qt makes a box's list when it is first wanted
        for _, deed in self._deeds:
            for _ in range(3):
                deed()
                settle()

    def tour_of_text_sizes(self) -> None:
        """Every view in text of every size: Qt keeps the letters of each for a while."""
        self._trigger("text-normal")
        for action, times in (("text-larger", 15), ("text-smaller", 18)):
            for _ in range(times):
                self._trigger(action)
                for view in VIEWS:
                    self.window.work.views.show_view(view)
                    settle()
        self._trigger("text-normal")

    def step(self) -> None:
        """One deed."""
        weights, deeds = zip(*self._deeds, strict=True)
        self._rng.choices(deeds, weights)[0]()
        settle()

    def rest(self) -> None:
        """The state in which a session is compared with itself: the seed, no pins, all at rest."""
        if self.window.panel.isHidden():
            self._trigger("present")
        for action in ("theme-light", "unit-gb", "text-normal", "reset"):
            self._trigger(action)
        while self.window.controller.board.pins.items:
            self.window.controller.change_pins(remove_step(self.window.controller.board.pins, 0))
        if self.window.controller.shown.exact_bytes:
            self._trigger("exact-bytes")
        for view in (*VIEWS, "stages"):
            self.window.work.views.show_view(view)
            settle()
        self.window.resize(1280, 800)
        self.window.work.messages.close_message()
        self.window.panel.clear_errors()
        self.window.statusBar().clearMessage()
        # A copied chart is eight megabytes, and so may be Qt's store of pictures.
        QApplication.clipboard().clear()
        QPixmapCache.clear()
        QTest.qWait(300)
        settle()

    def _written(self, folder: Path) -> list[Path]:
        files = {
            **{f"plan-{n}.zerogui.json": data for n, data in enumerate(SCENARIOS)},
            **{f"pins-{n}.zerogui.json": data for n, data in enumerate(COMPARISONS)},
            **{f"model-{n}.json": data for n, data in enumerate(model_configs()[:6])},
            **{f"ds-{n}.json": data for n, data in enumerate(DEEPSPEED)},
            **{f"fsdp-{n}.yaml": data for n, data in enumerate(ACCELERATE)},
            **{
                f"bad-{name}.zerogui.json": (FOLDER / f"{name}.zerogui.json").read_bytes()
                for name in BAD
            },
        }
        paths = []
        for name, data in files.items():
            paths.append(folder / name)
            paths[-1].write_bytes(data)
        return paths

    def _edit(self) -> None:
        self.window.controller.dispatch(self._an_edit())

    def _an_edit(self) -> Edit:
        rng = self._rng
        scenario = self.window.controller.scenario
        optimizer = max(1, len(scenario.recipe.optimizer))
        power = rng.randrange(12)
        choices: list[Callable[[], Edit]] = [
            lambda: edits.set_workers(rng.choice((1, 2, 6, 8, 64, 1000, 4096, 2**20))),
            lambda: edits.set_parameters(rng.randrange(10**power, 10 ** (power + 1))),
            lambda: edits.set_frozen_parameters(rng.randrange(10**power)),
            lambda: edits.set_stage(rng.randrange(4)),
            lambda: edits.choose_rule(rng.choice(("even", "deepspeed", "fsdp2", "torch-zero1"))),
            lambda: edits.choose_model(_published(rng)),
            lambda: edits.choose_recipe(rng.choice(recipes()).recipe),
            lambda: edits.set_title(rng.choice(("", "a", "a longer title", "<b>x</b>"))),
            lambda: edits.set_workers_per_node(rng.choice((1, 4, 8, 72))),
            lambda: edits.set_model_parallel(rng.choice((1, 2, 8))),
            lambda: edits.set_group(rng.choice((None, 1, 2, 3, 8))),
            lambda: edits.set_secondary_group(rng.choice((None, 2, 8))),
            lambda: edits.set_persistence_threshold(10**power),
            lambda: edits.set_offload_optimizer(rng.choice(("device", "host", "nvme"))),
            lambda: edits.set_offload_weights(rng.choice(("device", "host"))),
            lambda: edits.set_dtype("weights", rng.choice(DTYPES)),
            lambda: edits.set_optimizer_dtype(rng.randrange(optimizer), rng.choice(DTYPES)),
            lambda: edits.add_optimizer_tensor(),
            lambda: edits.remove_optimizer_tensor(rng.randrange(optimizer)),
            lambda: edits.set_memory(10**power),
            lambda: edits.set_reserve(10 ** (power // 2)),
            lambda: edits.choose_device(None),
            lambda: edits.choose_device(_device(rng)),
            lambda: edits.freeze_all_but(rng.choice(("20M", "0.5%", "*.bias", "nothing"))),
        ]
        return rng.choice(choices)()

    def _undo(self) -> None:
        for _ in range(self._rng.choice((1, 1, 1, 3))):
            self._trigger("undo")

    def _redo(self) -> None:
        for _ in range(self._rng.choice((1, 1, 1, 3))):
            self._trigger("redo")

    def _view(self) -> None:
        self.window.work.views.show_view(self._rng.choice(VIEWS))

    def _act(self) -> None:
        self._trigger(self._rng.choice(ACTIONS))

    def _trigger(self, name: str) -> None:
        action = self.window.findChild(QAction, name)
        assert action is not None, name
        action.trigger()

    def _place(self, widget: QWidget) -> QPoint:
        area = widget.rect()
        return QPoint(
            self._rng.randrange(max(1, area.width())), self._rng.randrange(max(1, area.height()))
        )

    def _canvas(self) -> QWidget:
        view: Any = self.window.work.views.view(self.window.work.views.current)
        target = getattr(view, "viewport", None)
        return target() if callable(target) else view

    def _click(self) -> None:
        canvas = self._canvas()
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=self._place(canvas))

    def _hover(self) -> None:
        canvas = self._canvas()
        QTest.mouseMove(canvas, self._place(canvas))

    def _type(self) -> None:
        found = self.window.panel.findChild(QWidget, self._rng.choice(BOXES))
        if found is None or not found.isVisible():
            return
        edit = found if isinstance(found, QLineEdit) else found.findChild(QLineEdit)
        edit.setFocus()
        edit.selectAll()
        QTest.keyClicks(edit, self._rng.choice(TYPED))
        ends = (Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Up)
        QTest.keyClick(edit, self._rng.choice(ends))

    def _choose(self) -> None:
        found = self.window.panel.findChild(QComboBox, self._rng.choice(LISTS))
        if found is not None and found.isVisible():
            found.setFocus()
            QTest.keyClick(found, self._rng.choice((Qt.Key.Key_Down, Qt.Key.Key_Up)))

    def _keys(self) -> None:
        keys = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Tab)
        target = QApplication.focusWidget() or self.window
        QTest.keyClick(target, self._rng.choice((*keys, Qt.Key.Key_2, Qt.Key.Key_Plus)))

    def _pins(self) -> None:
        pins = self.window.controller.board.pins
        count = len(pins.items)
        if count > 12:
            return self.window.controller.change_pins(remove_step(pins, 0))
        if not count:
            return self._trigger("pin")
        at, to = self._rng.randrange(count), self._rng.randrange(count)
        steps: list[Callable[[], PinStep]] = [
            lambda: rename_step(pins, at, self._rng.choice(("a", "<b>", "=1+1", "x" * 300))),
            lambda: move_step(pins, at, to),
            lambda: remove_step(pins, at),
            lambda: baseline_step(pins, self._rng.choice((None, at))),
        ]
        return self.window.controller.change_pins(self._rng.choice(steps)())

    def _open(self) -> None:
        self.window.open_file(str(self._rng.choice(self._files)))

    def _save(self) -> None:
        self.window.save_to(str(self._own))

    def _resize(self) -> None:
        if not self.window.panel.isHidden():
            self.window.resize(self._rng.randrange(960, 1900), self._rng.randrange(600, 1060))

    def _dialog(self, name: str | None = None) -> None:
        if self.window.panel.isHidden():
            return
        self._trigger(name or self._rng.choice(DIALOGS))
        settle()
        for dialog in self.window.findChildren(QDialog):
            if dialog.isVisible():
                QTest.keyClick(dialog, Qt.Key.Key_Escape)


def _published(rng: random.Random) -> Model:
    entry = rng.choice(models())
    return Model(entry.name, entry.parameters)


def _device(rng: random.Random) -> Device:
    entry = rng.choice(devices())
    return Device(entry.name, entry.memory)


def settle() -> None:
    """Let Qt do what is due: events, paints, and what waits to be deleted."""
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def living(window: MainWindow) -> Counter[str]:
    """Live objects of the window and widgets of the application, by type."""
    for box in window.findChildren(QComboBox):
        box.view()  # Qt makes a box's list when it is first wanted
    for edit in window.findChildren(QLineEdit):
        completer = edit.completer()
        if completer is not None:
            completer.popup()  # and so that of what completes a text
    gc.collect()
    settle()
    found: Counter[str] = Counter(type(each).__name__ for each in window.findChildren(QObject))
    found.update(f"widget {type(each).__name__}" for each in QApplication.allWidgets())
    # Not those of Qt's own, which findChildren has just wrapped: a status bar has one now and then.
    timers = [t for t in gc.get_objects() if isinstance(t, QTimer) and Shiboken.createdByPython(t)]
    found["timers of Python"] = len(timers)
    del found["QTimer"]
    return found


def resident() -> int:
    """Bytes of memory that the process holds now; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    gc.collect()
    # What is free goes back to the system first: how full its pages are is chance.
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/status") as file:
        return int(file.read().partition("VmRSS:")[2].split()[0]) * 1024
