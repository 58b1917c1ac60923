"""The real window, as the tests of the window have it."""

from tests.gui.conftest import (  # noqa: F401
    _nothing_stays_on_the_clipboard,
    open_window,
    themes,
    window,
)
