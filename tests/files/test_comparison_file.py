"""Files with several scenarios: what is written comes back, and what is wrong is named."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.accounting.strategies import scenarios
from tests.planning.plans import FIGURE_1, H100, SEED, on
from zerogui.accounting.errors import InputError
from zerogui.files.comparison import decode, encode, load, save
from zerogui.files.errors import FileError
from zerogui.files.named_scenarios import NamedScenarios
from zerogui.files.scenario import to_plain

PLAIN: dict[str, Any] = {"format": "zerogui/scenario", "version": 1, "model": {"parameters": 8}}


def file(**changes: object) -> bytes:
    whole: dict[str, object] = {"format": "zerogui/comparison", "version": 1, "pins": []}
    return json.dumps({**whole, **changes}).encode()


def pin(name: object = "a", **changes: object) -> dict[str, object]:
    return {"name": name, "scenario": {**PLAIN, **changes}}


def test_what_is_saved_is_opened_again(tmp_path: Path) -> None:
    kept = NamedScenarios((("Now", SEED), ("Später \n„viel“", on(FIGURE_1, H100, 3))), 1)
    path = tmp_path / "two.zerogui.json"
    save(kept, path)
    assert load(path) == kept


def test_the_file_reads_as_the_contract_says() -> None:
    written = encode(NamedScenarios((("Now", SEED),), 0))
    assert json.loads(written) == {
        "format": "zerogui/comparison",
        "version": 1,
        "baseline": 0,
        "pins": [{"name": "Now", "scenario": to_plain(SEED)}],
    }
    assert written.startswith(b'{\n  "format": "zerogui/comparison",\n  "version": 1,\n')
    assert b'\n      "name": "Now",\n      "scenario": {\n        "format"' in written


def test_no_pins_and_no_baseline_are_a_file_too() -> None:
    assert decode(encode(NamedScenarios()), "f") == NamedScenarios()
    assert decode(file(), "f") == NamedScenarios()


@given(st.lists(scenarios(), max_size=4))
def test_any_scenarios_come_back_exactly(plans: list[Any]) -> None:
    kept = NamedScenarios(tuple((str(k), plan) for k, plan in enumerate(plans)))
    assert decode(encode(kept), "f") == kept


WRONG = [
    (b"[]", "the file is a list, which is no comparison; choose another file."),
    (b"{}", 'format is missing; add "format": "zerogui/comparison".'),
    (
        file(format="zerogui/scenario"),
        'format is "zerogui/scenario"; choose a file with "zerogui/comparison".',
    ),
    (file(version=2), "version is 2; this zerogui reads version 1, so use a newer one."),
    (file(version=True), "version is true; this zerogui reads version 1."),
    (
        file(pin=[]),
        "pin is not a field of a comparison; remove it or use format, version, baseline, pins.",
    ),
    (b'{"format": "zerogui/comparison", "version": 1}', 'pins is missing; add "pins": [].'),
    (file(pins={}), "pins is an object; use a list [...]."),
    (file(baseline=0), "baseline is 0; use null."),
    (
        file(pins=[pin(), pin("b")], baseline=-1),
        "baseline is -1; use null or an index from 0 to 1.",
    ),
    (file(baseline=1.0), "baseline is 1.0; use the index of a scenario or null."),
    (file(baseline=False), "baseline is false; use the index of a scenario or null."),
    (file(pins=[7]), 'pins[0] is 7; use an object {"name": ..., "scenario": {...}}.'),
    (file(pins=[{"name": "a"}]), "pins[0].scenario is missing; add a scenario."),
    (file(pins=[{"scenario": PLAIN}]), "pins[0].name is missing; add a name."),
    (file(pins=[pin(5)]), "pins[0].name is 5; use text in quotes."),
    (file(pins=[pin(" ")]), "pins[0].name is empty; write a name."),
    (
        file(pins=[pin("a"), pin("a")]),
        'pins[1].name is "a" again; give each scenario a name of its own.',
    ),
    (
        file(pins=[{"name": "a", "scenario": PLAIN, "note": ""}]),
        "pins[0].note is not a field of a comparison; remove it or use name, scenario.",
    ),
    (
        file(pins=[{"name": "a", "scenario": None}]),
        "pins[0].scenario is null; use an object {...}.",
    ),
    (
        file(pins=[pin("a"), pin("b"), pin("c", cluster={"workers": 0})]),
        "pins[2].scenario.cluster.workers is 0; use a whole number from 1 to 1,048,576.",
    ),
    (
        file(pins=[pin("a", cluster={"workers": 7.5})]),
        "pins[0].scenario.cluster.workers is 7.5; use a whole number with all its digits.",
    ),
    (
        file(pins=[pin("a", recipe={"optimizer": [{"name": "m", "dtype": "fp9"}]})]),
        'pins[0].scenario.recipe.optimizer[0].dtype is "fp9"; use one of ',
    ),
    (
        file(pins=[pin("a", xyzzy="red")]),
        "pins[0].scenario.xyzzy is not a field of a scenario; remove it or use ",
    ),
    (
        file(pins=[pin("a", version=3)]),
        "pins[0].scenario.version is 3; this zerogui reads version 1, so use a newer one.",
    ),
    (
        file(pins=[pin("a", sharding={"group": 3})]),
        "pins[0].scenario.sharding.group is 3, which does not divide the 4 workers; ",
    ),
    (
        b'{"format": "zerogui/comparison", "version": 1, "pins": [], "pins": []}',
        "pins appears twice; keep one of them.",
    ),
    (b"", "is empty; choose another file."),
]


@pytest.mark.parametrize(("data", "sentence"), WRONG, ids=[text[:50] for _, text in WRONG])
def test_a_wrong_file_is_told_by_field_and_remedy(data: bytes, sentence: str) -> None:
    with pytest.raises(FileError) as caught:
        decode(data, "/plans/two.zerogui.json")
    assert str(caught.value).startswith(f"two.zerogui.json: {sentence}")


def test_a_thousand_scenarios_are_enough() -> None:
    pins = [{"name": str(k), "scenario": PLAIN} for k in range(1001)]
    with pytest.raises(FileError, match="pins has 1,001 scenarios; keep at most 1,000"):
        decode(file(pins=pins), "f")
    with pytest.raises(InputError):
        NamedScenarios((("", SEED),))


def test_a_missing_file_and_a_missing_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no such file"):
        load(tmp_path / "none.json")
    with pytest.raises(FileError, match="there is no folder"):
        save(NamedScenarios(), tmp_path / "none" / "two.json")
