"""Starting the window from the command line, and where it cannot start."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands import FIGURE_1, printed, refusal, written

NO_DISPLAY = dict.fromkeys(("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
@pytest.mark.parametrize("arguments", [[], ["--smoke"]])
def test_without_a_display_the_window_says_so_in_one_sentence(arguments: list[str]) -> None:
    said = refusal(*arguments, env=NO_DISPLAY)
    assert said.startswith("zerogui: there is no display")
    assert "zerogui report" in said


def smoke(*arguments: str | Path) -> Any:
    (line,) = printed("--smoke", *arguments, env={"QT_QPA_PLATFORM": "offscreen"}).splitlines()
    return json.loads(line)


def test_a_smoke_start_paints_the_seed_and_leaves() -> None:
    told = smoke()
    assert list(told["total_bytes"].values()) == [
        16_000_000_000,
        7_000_000_000,
        5_500_000_000,
        4_000_000_000,
    ]
    assert told["platform"] == "offscreen"
    timings = [value for name, value in told.items() if name.endswith("_ms")]
    assert len(timings) >= 2
    assert all(type(value) is int and value >= 0 for value in timings)


def test_a_smoke_start_with_a_file_paints_what_is_in_it(tmp_path: Path) -> None:
    assert smoke(written(tmp_path, FIGURE_1))["total_bytes"] == {
        "DDP": 120_000_000_000,
        "ZeRO-1": 31_406_250_000,
        "ZeRO-2": 16_640_625_000,
        "ZeRO-3": 1_875_000_000,
    }


def test_a_start_with_a_wrong_file_opens_no_window(tmp_path: Path) -> None:
    path = written(tmp_path, '"model": {"parameters": true}')
    for arguments in (["--smoke", path], [path], ["--smoke", tmp_path / "none.json"]):
        said = refusal(*arguments, env={"QT_QPA_PLATFORM": "offscreen"})
        assert "model.parameters is true" in said or "there is no such file" in said
