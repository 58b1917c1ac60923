"""``zerogui --diagnose``: what goes into a bug report, also where no window opens."""

from importlib.metadata import version
from pathlib import Path

import pytest

from tests.commands import printed
from zerogui import __version__

HOMES = ("XDG_CONFIG_HOME", "XDG_STATE_HOME")


def rows(folder: Path, **variables: str | None) -> dict[str, str]:
    for name in HOMES:
        (folder / name).mkdir(exist_ok=True)
        variables[name] = str(folder / name)
    lines = printed("--diagnose", env=variables).splitlines()
    return {name: text.strip() for name, _, text in (line.partition(":") for line in lines)}


def test_versions_screen_fonts_libraries_and_paths_are_told(tmp_path: Path) -> None:
    told = rows(tmp_path, QT_QPA_PLATFORM="offscreen")
    assert told["zerogui"] == __version__
    for name in ("PySide6-Essentials", "pyqtgraph", "numpy", "msgspec", "XlsxWriter"):
        assert told[name] == version(name)
    assert told["platform plugin"] == "offscreen"
    assert "offscreen" in told["platforms available"].split(", ")
    assert "px" in told["screen"]
    assert "scale 1" in told["screen"]
    assert "pt" in told["font"]
    settings = tmp_path / "XDG_CONFIG_HOME" / "zerogui" / "settings.json"
    assert told["settings"] == f"{settings} (not there yet)"
    log = tmp_path / "XDG_STATE_HOME" / "zerogui" / "crash.log"
    assert told["crash log"] == f"{log} (not there yet)"


def test_what_is_in_the_users_files_is_not_told(tmp_path: Path) -> None:
    settings = tmp_path / "XDG_CONFIG_HOME" / "zerogui" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"recent": ["/home/jo/secret-plan.zerogui.json"]}')
    told = rows(tmp_path, QT_QPA_PLATFORM="offscreen")
    assert told["settings"] == f"{settings} (exists)"
    assert "secret" not in str(told)


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"QT_QPA_PLATFORM": "bogus"}, '"bogus", which is no platform'),
        ({"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":4077"}, "no display answers"),
    ],
    ids=["a platform that is none", "a display that is none"],
)
def test_where_qt_cannot_start_the_rest_is_told_with_the_reason(
    tmp_path: Path, variables: dict[str, str | None], reason: str
) -> None:
    told = rows(tmp_path, **variables)
    assert told["zerogui"] == __version__
    assert told["window"].startswith("none: ")
    assert reason in told["window"]
    assert "platform plugin" not in told


def test_without_any_display_the_rest_is_told(tmp_path: Path) -> None:
    nothing = dict.fromkeys(("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    told = rows(tmp_path, **nothing)
    assert "there is no display" in told["window"]
    assert "settings" in told
