"""Every decoder of the program with valid examples of what it reads, for the fuzzers.

A decoder of a new format is one line in ``DECODERS``.
"""

import gc
import io
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache, partial

import zerogui.planning.start
from tests.files.models.safetensors_files import entry, file_of
from tests.robustness.examples import (
    ACCELERATE,
    ADAPTER,
    COMPARISONS,
    DEEPSPEED,
    HEADERS,
    INDEX,
    LISTED,
    PATTERNS,
    SCENARIOS,
    SETTINGS,
    TEXTS,
    model_configs,
)
from zerogui.accounting.errors import InputError
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.scenario import Scenario
from zerogui.files import scenario, session
from zerogui.files.errors import FileError
from zerogui.files.session import Session
from zerogui.files.settings import read_settings
from zerogui.planning.freezing import train_only
from zerogui.planning.opening import OpenedPlan, model_card
from zerogui.planning.quantities import parse_bytes, parse_count
from zerogui.planning.report_text import render
from zerogui.planning.resolve import resolve

# What a decoder may raise; anything else is a fault of the program.
DECLARED = (FileError, InputError)


@dataclass(frozen=True)
class Decoder:
    """``read`` takes what is outside as bytes; ``examples`` are in order as they are."""

    name: str
    examples: Callable[[], Iterable[bytes]]
    read: Callable[[bytes], object]


@cache
def _folder() -> str:
    """A folder for this process; pytest's own home folder of the session holds it."""
    return tempfile.mkdtemp(dir=os.environ["XDG_CACHE_HOME"])


def _written(name: str, data: bytes) -> str:
    path = os.path.join(_folder(), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    return path


def opened(name: str, data: bytes) -> OpenedPlan:
    """What the window starts with on a file of this name, and everything that is shown of it."""
    plan = zerogui.planning.start.starting_plan(_written(name, data))
    show(plan)
    return plan


def show(plan: OpenedPlan) -> None:
    """Resolve the plan and its pins, and print what a report and a card say."""
    present = plan.scenario
    for each in {present: None, **_pinned(plan)}:
        render(resolve(each, "GiB"), "json")
    render(resolve(present), "text")
    model_card(present.model, plan.origin)


def _pinned(plan: OpenedPlan) -> dict[Scenario, None]:
    items = () if plan.pins is None else plan.pins.items
    return {pin.scenario: None for pin in items[:5]}


def _index(data: bytes) -> object:
    """An index beside two shards that are in order."""
    for number in (1, 2):
        header = {f"w{number}": entry("F32", [2, 3], 0, 24)}
        _written(f"sharded/model-0000{number}-of-00002.safetensors", file_of(header, 24))
    return opened("sharded/model.safetensors.index.json", data)


def _adapter(data: bytes) -> object:
    """A checkpoint onto a model that has a tensor list of its own."""
    from zerogui.planning.opening import found_in, put_adapter_onto

    model = Model.of("base", (Tensor("layers.{i}.w", (4, 4), count=3), Tensor("w1", (3,))))
    found = found_in(_written("lora.safetensors", data))
    plan = put_adapter_onto(Scenario(model=model), found)
    show(plan)
    return plan


def _number(data: bytes) -> object:
    """A text pasted into the number boxes."""
    text = data.decode("utf-8", "replace")
    for parse in (parse_count, partial(parse_bytes, unit="GB"), partial(parse_bytes, unit="GiB")):
        try:
            value = parse(text)
        except InputError as error:
            _check_sentence(str(error))
        else:
            assert type(value) is int
            assert 0 <= value <= 10**18
    return None


def _patterns(data: bytes) -> object:
    """A text typed into "Freeze all but"."""
    return train_only(LISTED, data.decode("utf-8", "replace"))


def _command_line(data: bytes) -> object:
    """Arguments of ``zerogui report``, separated by line ends."""
    from zerogui.cli import main

    words = data.decode("utf-8", "surrogateescape").split("\n")
    said = io.StringIO()
    try:
        with redirect_stderr(said), redirect_stdout(io.TextIOWrapper(io.BytesIO())):
            status = main(["report", *words])
    except SystemExit as leaving:
        status = leaving.code
    finally:
        gc.enable()  # a report is a short run that does not collect garbage
    assert status in (0, 2)
    if status == 2:
        assert len(said.getvalue().splitlines()) == 1
    return status


def _check_sentence(text: str) -> None:
    """One line of what can be printed, short enough to be read."""
    assert text.endswith((".", "?")), text
    assert text.isprintable(), text
    assert len(text) < 2000, text


def check_refusal(error: Exception) -> None:
    """What a refusal says to the user is one sentence in plain characters."""
    _check_sentence(str(error))


def _settings(data: bytes) -> object:
    settings, note = read_settings(_written("settings.json", data))
    for name in os.listdir(_folder()):
        if name.startswith("settings."):
            os.unlink(os.path.join(_folder(), name))  # moved aside or not
    if note:
        _check_sentence(note)
    return settings


def _session(data: bytes) -> object:
    found = session.decode(data, "session.json")
    show(OpenedPlan(found.scenario, True))
    return found


def _sessions() -> list[bytes]:
    """The examples of scenarios as sessions, with and without unsaved work."""
    plans = [scenario.decode(data, "plan.zerogui.json") for data in SCENARIOS]
    saved = [*plans[1:], plans[0]]
    pairs = [*zip(plans, saved, strict=True), (plans[0], plans[0])]
    encoder = session.Encoder()
    return [encoder.encode(Session(now, then, path="/tmp/a", view="ranks")) for now, then in pairs]


def _file(name: str) -> Callable[[bytes], object]:
    return partial(opened, name)


DECODERS = (
    Decoder("scenario", lambda: SCENARIOS, _file("plan.zerogui.json")),
    Decoder("comparison", lambda: COMPARISONS, _file("pins.zerogui.json")),
    Decoder("model config", model_configs, _file("model/config.json")),
    Decoder("DeepSpeed", lambda: DEEPSPEED, _file("ds_config.json")),
    Decoder("Accelerate", lambda: ACCELERATE, _file("fsdp.yaml")),
    Decoder("checkpoint", lambda: HEADERS, _file("model.safetensors")),
    Decoder("index", lambda: INDEX, _index),
    Decoder("adapter", lambda: ADAPTER, _adapter),
    Decoder("settings", lambda: SETTINGS, _settings),
    Decoder("session", _sessions, _session),
    Decoder("number", lambda: TEXTS, _number),
    Decoder("patterns", lambda: PATTERNS, _patterns),
    Decoder(
        "command line", lambda: (b"plan.json\n--unit\nGiB", b"--format\ncsv\nx"), _command_line
    ),
)

DECODER = {decoder.name: decoder for decoder in DECODERS}
