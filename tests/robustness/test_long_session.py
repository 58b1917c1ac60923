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
SETTLED = 1_000  # steps after which memory has to stay
GROWTH = 0.05


def work(open_window: Opener, folder: Path, steps: int) -> None:
    """Tour, ``steps`` random deeds, and the window holds what it held after the tour."""
    session = Session(open_window(), folder, int(os.environ.get("FUZZ_SEED", "0")))
    session.tour()
    session.rest()
    before = living(session.window)
    settled = 0
    for number in range(steps):
        session.step()
        if number + 1 == SETTLED:
            session.rest()
            settled = resident()
    session.rest()
    after = living(session.window)
    assert after == before, f"more: {after - before}, fewer: {before - after}"
    if settled:
        assert resident() < settled * (1 + GROWTH)


def test_a_long_session_leaves_nothing_behind(open_window: Opener, tmp_path: Path) -> None:
    work(open_window, tmp_path, STEPS)


@pytest.mark.soak
def test_a_very_long_session_leaves_nothing_behind(open_window: Opener, tmp_path: Path) -> None:
    work(open_window, tmp_path, SOAK_STEPS)
