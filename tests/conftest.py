"""What every test stands on: no screen, no settings of the user, nothing left open."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# A slow machine is no failure: only wrong results are.
for _profile, _examples in (("quick", 20), ("default", 200), ("ci", 2000)):
    settings.register_profile(
        _profile,
        max_examples=_examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# Set on import, before any test module can ask for a folder; mkdtemp makes it private, as Qt wants
# the runtime folder to be.
_HOME = tempfile.mkdtemp(prefix="zerogui-tests-")
for _name in ("CONFIG", "STATE", "CACHE", "DATA", "RUNTIME"):
    _folder = os.path.join(_HOME, _name.lower())
    os.mkdir(_folder, 0o700)
    os.environ["XDG_RUNTIME_DIR" if _name == "RUNTIME" else f"XDG_{_name}_HOME"] = _folder


def pytest_unconfigure() -> None:
    """Takes the session's folders away."""
    shutil.rmtree(_HOME, ignore_errors=True)


def _open_windows() -> list[Any]:
    """Visible top-level widgets; none where no test has made an application yet."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    core = sys.modules.get("PySide6.QtCore")
    if widgets is None or core is None or widgets.QApplication.instance() is None:
        return []
    core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete)
    return [widget for widget in widgets.QApplication.topLevelWidgets() if widget.isVisible()]


@pytest.fixture(autouse=True)
def _nothing_stays_open() -> Iterator[None]:
    """Fails a test that leaves a window open (``qtbot.addWidget`` closes its own)."""
    before = _open_windows()
    yield
    left = [new for new in _open_windows() if not any(new is old for old in before)]
    for widget in left:
        widget.close()  # so that the next test is judged by itself
        widget.deleteLater()
    assert not left, f"still open after the test: {left}"
