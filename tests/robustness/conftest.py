"""The real window, as the tests of the window have it."""

from tests.gui.conftest import (  # noqa: F401 (fixtures are found by their names)
    _nothing_stays_on_the_clipboard,
    _what_is_quick_is_done_at_once,
    _windows_close_without_a_question,
    open_window,
    themes,
    window,
)
