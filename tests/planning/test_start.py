"""What a first start shows, and what a start with a file."""

from pathlib import Path

import pytest

from zerogui.accounting.cluster import Device
from zerogui.files.errors import FileError
from zerogui.planning.resolve import resolve
from zerogui.planning.start import seed, starting_plan

MINIMAL = '{"format": "zerogui/scenario", "version": 1, "model": {"parameters": 7500000000}}'


def test_the_first_start_shows_a_billion_parameters_on_4_workers_with_an_h100() -> None:
    start = seed()
    assert start.model.parameters == 1_000_000_000
    assert start.model.frozen_parameters == 0
    assert start.model.tensors is None
    assert start.cluster.workers == 4
    assert start.cluster.model_parallel == 1
    assert start.recipe.name == "Mixed-precision Adam"
    assert start.sharding.rule == "even"
    # nvidia-smi says 81559 MiB.
    assert start.device == Device("H100 80GB", 81_559 * 2**20, 0)


def test_the_first_start_reads_16_7_5_and_a_half_and_4_gigabytes() -> None:
    totals = [stage.rank.total for stage in resolve(seed()).offered]
    assert totals == [16_000_000_000, 7_000_000_000, 5_500_000_000, 4_000_000_000]


def test_a_start_without_a_file_is_the_first_start() -> None:
    assert starting_plan(None).scenario == seed()


def test_a_start_with_a_file_shows_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "plan.zerogui.json"
    path.write_text(MINIMAL, encoding="utf-8")
    start = starting_plan(str(path)).scenario
    assert start.model.parameters == 7_500_000_000
    assert start.cluster.workers == 4
    assert start.device is None


@pytest.mark.parametrize("text", [None, "", "hello", MINIMAL.replace("7500000000", "7.5e9")])
def test_a_start_with_a_wrong_file_says_so_and_shows_nothing_else(
    tmp_path: Path, text: str | None
) -> None:
    path = tmp_path / "plan.zerogui.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=r"^plan\.zerogui\.json: "):
        starting_plan(str(path))
