"""Sessions as files: what comes back, what is refused, and how little is written."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import FileError
from zerogui.files.named_scenarios import NamedScenarios
from zerogui.files.session import Encoder, ModelSource, Session, decode, has_unsaved, read

TENSORS = (Tensor("wte", (100, 8)), Tensor("h.{i}.w", (8, 8), True, 12))
PLAN = Scenario(
    title="Meeting",
    model=Model.of("toy", TENSORS),
    cluster=Cluster(workers=64),
    device=Device("H100 80GB", 85520809984),
)
FULL = Session(
    PLAN,
    replace(PLAN, title="Before"),
    NamedScenarios((("first", Scenario()), ("second", PLAN)), 1),
    "/plans/meeting.zerogui.json",
    "compare",
    ModelSource("llama", "/models/config.json", ("lm_head.weight",), ("rope = 1",)),
    "00ff",
)


def test_every_part_of_a_session_comes_back() -> None:
    assert decode(Encoder().encode(FULL), "session.json") == FULL


def test_equal_models_come_back_as_one() -> None:
    back = decode(Encoder().encode(FULL), "session.json")
    assert back.saved.model is back.scenario.model
    assert back.pins.scenarios[1][1].model is back.scenario.model


def test_an_encoder_spells_the_second_session_right_too() -> None:
    encoder = Encoder()
    encoder.encode(FULL)
    changed = replace(FULL, scenario=replace(PLAN, model=Model("7B", 7 * 10**9)))
    assert decode(encoder.encode(changed), "session.json") == changed
    assert decode(encoder.encode(FULL), "session.json") == FULL


@given(st.text(), st.text(max_size=100), st.integers(1, 2**20), st.integers(0, 10**18))
def test_any_plan_comes_back(title: str, view: str, workers: int, parameters: int) -> None:
    spelled = title.encode("utf-8", "replace").decode()[:1000]
    plan = Scenario(spelled, Model("", parameters), cluster=Cluster(workers=workers))
    session = Session(plan, Scenario(), view=view.replace("\0", ""))
    assert decode(Encoder().encode(session), "session.json") == session


def test_half_a_character_does_not_cost_the_session() -> None:
    odd = Session(replace(PLAN, title="a\ud800b"), PLAN)
    assert decode(Encoder().encode(odd), "session.json").scenario.title == "a?b"


def test_a_path_that_is_no_text_comes_back_as_no_path() -> None:
    odd = replace(FULL, path="/plans/\udcff.zerogui.json")
    assert decode(Encoder().encode(odd), "session.json").path is None


@pytest.mark.parametrize(
    ("session", "unsaved"),
    [
        (Session(PLAN, PLAN), False),
        (Session(PLAN, Scenario()), True),
        (Session(PLAN, PLAN, NamedScenarios((("pin", PLAN),))), True),
        (Session(PLAN, PLAN, path="/x" * 400), False),
    ],
)
def test_unsaved_work_is_told_without_reading_it_all(
    tmp_path: Path, session: Session, unsaved: bool
) -> None:
    path = tmp_path / "session.json"
    path.write_bytes(Encoder().encode(session))
    assert has_unsaved(str(path)) is unsaved
    path.write_bytes(b"\0\1\2")
    assert has_unsaved(str(path))


def spoiled(**changes: object) -> bytes:
    value = json.loads(Encoder().encode(FULL))
    value.update(changes)
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"\0\1", "NUL"),
        (b"{}", "format"),
        (b"[]", "no object"),
        (b"[" * 100_000, "nested too deeply"),
        (spoiled(version=2), "version 2"),
        (spoiled(version="1"), "version"),
        (spoiled(format="zerogui/scenario"), "format"),
        (spoiled(extra=1), "extra"),
        (spoiled(path=7), "path"),
        (spoiled(path="a\0b"), "path"),
        (spoiled(view=None), "view"),
        (spoiled(digest=None), "digest"),
        (spoiled(digest="0"), "digest"),
        (spoiled(digest="0F"), "digest"),
        (spoiled(digest="00" * 65), "digest"),
        (spoiled(scenario=None), "session.json"),
        (spoiled(saved=[]), "session.json"),
        (spoiled(pins={}), "format"),
        (spoiled(origin="llama"), "origin"),
        (spoiled(origin={"family": "x", "source": 1, "tied": [], "assumed": []}), "origin.source"),
        (spoiled(origin={"family": "x", "source": "", "tied": 1, "assumed": []}), "origin.tied"),
        (Encoder().encode(FULL)[:-20], "JSON"),
    ],
)
def test_a_wrong_session_is_refused_in_one_sentence(data: bytes, says: str) -> None:
    with pytest.raises(FileError) as caught:
        decode(data, "session.json")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    with path.open("wb") as file:
        file.truncate(10**10)
    with pytest.raises(FileError, match="64 MB"):
        read(str(path))
