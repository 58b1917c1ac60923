"""Settings: what comes back, what is moved aside, and two instances that write at once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerogui.files.errors import FileError
from zerogui.files.settings import Settings, read_settings, save_settings

FULL = Settings(
    recent=("/plans/a.zerogui.json",),
    theme="dark",
    text_percent=130,
    unit="GiB",
    exact_bytes=True,
    view="ranks",
    geometry="AdnQywADAAA=",
    maximised=True,
    panel_width=371,
    table_height=90,
    compare_height=150,
    hatching=True,
)


def test_every_setting_comes_back(tmp_path: Path) -> None:
    path = str(tmp_path / "new" / "settings.json")
    save_settings(FULL, path)
    defaults = Settings()
    assert all(mine != usual for mine, usual in zip(FULL, defaults, strict=True))
    assert read_settings(path) == (FULL, "")


def test_no_settings_are_the_defaults_and_nothing_is_said(tmp_path: Path) -> None:
    assert read_settings(str(tmp_path / "settings.json")) == (Settings(), "")
    assert os.listdir(tmp_path) == []


HEAD = '"format": "zerogui/settings", "version": 1'


@pytest.mark.parametrize(
    ("content", "kept_as"),
    [
        (b"", "settings.corrupt-1.json"),
        (b"{", "settings.corrupt-1.json"),
        (b"\x89PNG\r\n\x1a\n\0\0", "settings.corrupt-1.json"),
        (b"\xff\xfe{\0}\0", "settings.corrupt-1.json"),
        (b"[]", "settings.corrupt-1.json"),
        (b"[" * 100_000, "settings.corrupt-1.json"),
        (b'{"theme": "dark"}', "settings.corrupt-1.json"),
        (b" " * 1_000_001, "settings.corrupt-1.json"),
        (b'{"format": "zerogui/settings", "version": 2, "theme": 7}', "settings.newer-1.json"),
        (f'{{{HEAD}, "recent": 3}}'.encode(), "settings.corrupt-1.json"),
        (f'{{{HEAD}, "recent": [1]}}'.encode(), "settings.corrupt-1.json"),
        (f'{{{HEAD}, "theme": "pink"}}'.encode(), "settings.corrupt-1.json"),
        (f'{{{HEAD}, "theme": "dark", "theme": "light"}}'.encode(), "settings.corrupt-1.json"),
        (f'{{{HEAD}, "exact_bytes": 1}}'.encode(), "settings.corrupt-1.json"),
        (f'{{{HEAD}, "text_percent": true}}'.encode(), "settings.corrupt-1.json"),
        (f'{{{HEAD}, "text_percent": 9000}}'.encode(), "settings.corrupt-1.json"),
        (f'{{{HEAD}, "panel_width": -1}}'.encode(), "settings.corrupt-1.json"),
        (f'{{{HEAD}, "panel_width": 1e3}}'.encode(), "settings.corrupt-1.json"),
    ],
)
def test_settings_that_cannot_be_used_are_moved_aside_and_the_place_is_said(
    tmp_path: Path, content: bytes, kept_as: str
) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    settings, said = read_settings(str(path))
    assert settings == Settings()
    assert str(tmp_path / kept_as) in said
    assert said.startswith("settings.json could not be used")
    assert "\n" not in said
    assert os.listdir(tmp_path) == [kept_as]
    assert (tmp_path / kept_as).read_bytes() == content


def test_a_second_bad_file_gets_another_name(tmp_path: Path) -> None:
    for _ in range(2):
        (tmp_path / "settings.json").write_text("{")
        read_settings(str(tmp_path / "settings.json"))
    assert sorted(os.listdir(tmp_path)) == ["settings.corrupt-1.json", "settings.corrupt-2.json"]


def test_a_folder_in_the_place_of_the_settings_is_moved_aside_too(tmp_path: Path) -> None:
    (tmp_path / "settings.json").mkdir()
    settings, said = read_settings(str(tmp_path / "settings.json"))
    assert settings == Settings()
    assert "settings.corrupt-1.json" in said


def test_what_a_later_version_has_added_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(f'{{{HEAD}, "theme": "dark", "hologram": [1, 2]}}')
    settings, said = read_settings(str(path))
    assert (settings, said) == (Settings(theme="dark"), "")
    save_settings(settings._replace(unit="GiB"), str(path), settings)
    value = json.loads(path.read_text())
    assert (value["hologram"], value["theme"], value["unit"]) == ([1, 2], "dark", "GiB")


def test_two_instances_keep_each_others_changes(tmp_path: Path) -> None:
    path = str(tmp_path / "settings.json")
    save_settings(Settings(), path)
    one = two = Settings()
    save_settings(one._replace(theme="dark").with_recent("/plans/one"), path, one)
    save_settings(two._replace(unit="GiB").with_recent("/plans/two"), path, two)
    merged, _ = read_settings(path)
    assert (merged.theme, merged.unit) == ("dark", "GiB")
    assert merged.recent == ("/plans/two", "/plans/one")


def test_of_one_field_the_last_writer_wins(tmp_path: Path) -> None:
    path = str(tmp_path / "settings.json")
    save_settings(Settings(), path)
    save_settings(Settings(theme="dark"), path, Settings())
    save_settings(Settings(theme="light"), path, Settings())
    assert read_settings(path)[0].theme == "light"


WRITER = """
import sys
from zerogui.files.settings import Settings, save_settings
path, name = sys.argv[1:]
known = Settings()
for k in range(60):
    now = Settings(**{name: k + 1})
    save_settings(now, path, known)
    known = now
"""


def test_writers_at_once_lose_no_field_and_tear_no_file(tmp_path: Path) -> None:
    path = str(tmp_path / "settings.json")
    save_settings(Settings(), path)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, path, name])
        for name in ("panel_width", "table_height")
    ]
    while any(writer.poll() is None for writer in writers):
        assert read_settings(path)[1] == ""
    assert [writer.wait() for writer in writers] == [0, 0]
    last, _ = read_settings(path)
    assert (last.panel_width, last.table_height) == (60, 60)
    assert sorted(os.listdir(tmp_path)) == ["settings.json"]


def test_a_file_in_the_place_of_the_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("")
    path = str(tmp_path / "config" / "settings.json")
    assert read_settings(path)[0] == Settings()
    with pytest.raises(FileError, match=r"^settings\.json: "):
        save_settings(Settings(theme="dark"), path)


def test_what_a_killed_writer_left_is_taken_away(tmp_path: Path) -> None:
    (tmp_path / ".settings.json.0123456789ab").write_text('{"format"')
    save_settings(Settings(), str(tmp_path / "settings.json"))
    assert os.listdir(tmp_path) == ["settings.json"]


@given(st.binary(max_size=200))
def test_no_bytes_make_reading_fail(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.json"
    path.write_bytes(data)
    settings, said = read_settings(str(path))
    assert isinstance(settings, Settings)
    assert said
