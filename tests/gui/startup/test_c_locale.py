"""A start in a terminal without a locale is as quiet as any other."""

import sys
from pathlib import Path

import pytest

from tests.commands import SEED, printed, written
from zerogui.gui.startup.c_locale import leave_c_locale

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there Qt asks for a locale")

BARE: dict[str, str | None] = {"LANG": None, "LC_ALL": None, "LC_CTYPE": None}
NO_COERCION: dict[str, str | None] = {"PYTHONCOERCECLOCALE": "0", "QT_QPA_PLATFORM": "offscreen"}


@pytest.mark.parametrize("changed", [{"LC_ALL": "C"}, {"LC_CTYPE": "POSIX"}, {"LANG": None}])
def test_qt_says_nothing_about_a_missing_locale(
    tmp_path: Path, changed: dict[str, str | None]
) -> None:
    env = BARE | NO_COERCION | changed
    assert printed("render", written(tmp_path, SEED), "-o", tmp_path / "c.svg", env=env) == ""
    assert '"platform": "offscreen"' in printed("--smoke", env=env)


@pytest.mark.parametrize(
    ("environ", "after"),
    [
        ({}, {"LC_CTYPE": "C.UTF-8"}),
        ({"LANG": "C"}, {"LANG": "C", "LC_CTYPE": "C.UTF-8"}),
        ({"LC_ALL": "POSIX"}, {"LC_ALL": "C.UTF-8"}),
        ({"LC_ALL": "", "LANG": "de_DE.UTF-8"}, {"LC_ALL": "", "LANG": "de_DE.UTF-8"}),
        ({"LANG": "de_DE"}, {"LANG": "de_DE"}),
    ],
)
def test_only_the_c_locale_is_left(environ: dict[str, str], after: dict[str, str]) -> None:
    leave_c_locale(environ)
    assert environ == after
