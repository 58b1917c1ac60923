"""``zerogui render`` draws pictures without a window, and refuses in one line."""

from pathlib import Path

import pytest

from tests.commands import run
from tests.files.models.configs import GPT2, written

PLAN = {"format": "zerogui/scenario", "version": 1, "model": {"parameters": 7_500_000_000}}


@pytest.mark.parametrize(
    ("name", "starts"), [("c.png", b"\x89PNG"), ("c.svg", b"<?xml"), ("c.pdf", b"%PDF")]
)
def test_the_ending_chooses_the_kind_of_picture(tmp_path: Path, name: str, starts: bytes) -> None:
    path = written(tmp_path, "plan.zerogui.json", PLAN)
    done = run("render", path, "-o", str(tmp_path / name))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / name).read_bytes().startswith(starts)
    assert done.stdout == b""


def test_any_file_that_opens_can_be_drawn(tmp_path: Path) -> None:
    path = written(tmp_path, "config.json", GPT2)
    done = run("render", path, "-o", str(tmp_path / "c.svg"), "--unit", "GiB")
    assert done.returncode == 0, done.stderr
    assert "ZeRO-3" in (tmp_path / "c.svg").read_text("utf-8")


def test_states_can_be_hatched(tmp_path: Path) -> None:
    path = written(tmp_path, "plan.zerogui.json", PLAN)
    for name, more in (("plain.svg", ()), ("hatched.svg", ("--hatching",))):
        done = run("render", path, "-o", str(tmp_path / name), *more)
        assert done.returncode == 0, done.stderr
    plain, hatched = ((tmp_path / f"{name}.svg").read_text() for name in ("plain", "hatched"))
    assert hatched.count("<polyline") > plain.count("<polyline") + 50


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        (PLAN, "c.bmp", ".svg"),
        ({"format": "zerogui/scenario", "version": 1}, "c.png", "model"),
        (PLAN, "nowhere/c.png", "c.png"),
    ],
)
def test_what_cannot_be_drawn_gets_one_line_and_no_file(
    tmp_path: Path, content: object, name: str, says: str
) -> None:
    path = written(tmp_path, "plan.zerogui.json", content)
    done = run("render", path, "-o", str(tmp_path / name))
    assert done.returncode == 2
    said = done.stderr.decode()
    assert len(said.splitlines()) == 1
    assert says in said
    assert not (tmp_path / name).exists()
