"""The pictures of README and help show the window as it is.

Written anew by ``.venv/bin/python -m tests.gui.screenshots``; look at them before committing.
"""

import pytest
from PySide6.QtGui import QImage

from tests.gui.screenshots import FOLDER, SHOTS, difference, take, write
from zerogui.gui.theme import ThemeManager

TOLERANCE = 0.001  # of all pixels
KEPT = FOLDER.parents[1] / ".screenshots"


@pytest.mark.parametrize("name", SHOTS)
def test_the_picture_shows_the_window_as_it_is(themes: ThemeManager, name: str) -> None:
    known = QImage(str(FOLDER / f"{name}.png"))
    assert not known.isNull(), f"{name}.png is missing: python -m tests.gui.screenshots writes it"
    found = take(name, themes)
    unlike = difference(found, known)
    if unlike > TOLERANCE:
        write(found, KEPT / f"{name}.png")
    assert unlike <= TOLERANCE, (
        f"{unlike:.2%} of {name}.png differ; the new picture is {KEPT / name}.png."
        " If it is right, python -m tests.gui.screenshots writes all anew"
    )


def test_every_picture_is_one_of_these_and_small() -> None:
    files = list(FOLDER.iterdir())
    assert {file.name for file in files} == {f"{name}.png" for name in SHOTS}
    assert sum(file.stat().st_size for file in files) < 1_500_000


def test_a_moved_line_is_noticed_and_a_shade_is_not() -> None:
    known = QImage(str(FOLDER / "start.png")).convertToFormat(QImage.Format.Format_RGB32)
    moved = known.copy(0, 1, known.width(), known.height())
    assert difference(known, moved) > TOLERANCE
    assert difference(known, known.copy(0, 0, 10, 10)) == 1.0
    assert difference(known, known) == 0.0
