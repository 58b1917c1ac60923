"""A window that is worked for hours: no exception, no warning, nothing that piles up.

50,000 random deeds with ``-m soak``, 2,000 in CI, 200 in a plain run.
"""

import os
from pathlib import Path

import pytest

from tests.gui.conftest import Opener
from tests.robustness.long_session import Session, living, resident

STEPS = 2_000 if os.environ.get("HYPOTHESIS_PROFILE") == "ci" else 200
SOAK_STEPS = 50_000
SETTLED = 1_000  # steps after which nothing may come to stay any more
GROWTH = 0.05  # of memory, after those steps
LATE = 3  # objects that Qt makes on a first use that the tour does not know


def work(open_window: Opener, folder: Path, steps: int) -> None:
    """Tour, ``steps`` random deeds; the window then holds what it held when it had settled."""
    session = Session(open_window(), folder, int(os.environ.get("FUZZ_SEED", "0")))
    session.tour()
    if steps > SETTLED:
        session.tour_of_text_sizes()
    session.rest()
    before, memory, late = living(session.window), 0, LATE
    for number in range(steps):
        session.step()
        if number + 1 == SETTLED < steps:
            session.rest()
            before, memory, late = living(session.window), resident(), 0
    session.rest()
    after = living(session.window)
    assert (after - before).total() <= late, f"more: {after - before}"
    assert not before - after, f"fewer: {before - after}"
    assert resident() < memory * (1 + GROWTH) or not memory


def test_a_long_session_leaves_nothing_behind(open_window: Opener, tmp_path: Path) -> None:
    work(open_window, tmp_path, STEPS)


@pytest.mark.soak
def test_a_very_long_session_leaves_nothing_behind(open_window: Opener, tmp_path: Path) -> None:
    work(open_window, tmp_path, SOAK_STEPS)
