"""What an opened file holds, as short lines of JSON from the process that reads large files."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import FileError
from zerogui.files.named_scenarios import NamedScenarios
from zerogui.files.opened import EngineSettings, OpenedModel
from zerogui.files.opening import Opened
from zerogui.files.reading import Progress
from zerogui.files.scenario import from_plain, to_plain

# Few enough that a line is read within a millisecond or two.
TENSORS_IN_LINE = 500

Line = dict[str, object] | list[list[object]]
Reader = Callable[[], Line]


class BrokenTransferError(Exception):
    """The lines ended, or were none of ours, before everything was said."""


class ReadHereError(Exception):
    """The file holds what cannot be sent; it is small enough to be read on this side."""


def sent(opened: Opened) -> Iterator[str]:
    """The lines that ``received`` makes ``opened`` of again."""
    if isinstance(opened, Scenario):
        yield _line({"is": "scenario"})
        yield from _scenario_lines(opened)
    elif isinstance(opened, NamedScenarios):
        names = [name for name, _ in opened.scenarios]
        yield _line({"is": "comparison", "names": names, "baseline": opened.baseline})
        for _, scenario in opened.scenarios:
            yield from _scenario_lines(scenario)
    elif isinstance(opened, OpenedModel):
        yield _line(
            {
                "is": "model",
                "family": opened.family,
                "source": opened.source,
                "tied": opened.tied,
                "assumed": opened.assumed,
                "notes": opened.notes,
                "weights": opened.weights,
            }
        )
        yield from _model_lines(opened.model)
    elif isinstance(opened, EngineSettings):
        yield _line({"is": "engine"})


def sent_error(error: FileError) -> str:
    """The line that makes ``received`` raise ``error``."""
    return _line({"is": "error", "source": error.source, "sentence": error.sentence})


def sent_progress(done: int, of: int) -> str:
    """The line that makes ``received`` call its progress."""
    return _line({"is": "progress", "done": done, "of": of})


def received(read: Reader, progress: Progress) -> Opened:
    """What was sent. FileError as it was sent; ReadHereError; BrokenTransferError."""
    head = read()
    while isinstance(head, dict) and head.get("is") == "progress":
        progress(int(str(head["done"])), int(str(head["of"])))
        head = read()
    if not isinstance(head, dict):
        raise BrokenTransferError
    match head.get("is"):
        case "error":
            raise FileError(str(head["source"]), str(head["sentence"]))
        case "engine":
            raise ReadHereError
        case "scenario":
            return _scenario(read)
        case "comparison":
            return _comparison(head, read)
        case "model":
            return _opened_model(head, read)
    raise BrokenTransferError


def _line(value: object) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"


def _scenario_lines(scenario: Scenario) -> Iterator[str]:
    """The scenario with a count for a model, then the model."""
    count_only = Model(scenario.model.name, scenario.model.parameters)
    yield _line(to_plain(replace(scenario, model=count_only)))
    yield from _model_lines(scenario.model)


def _model_lines(model: Model) -> Iterator[str]:
    tensors = model.tensors
    yield _line(
        {
            "name": model.name,
            "parameters": model.parameters,
            "frozen": model.frozen_parameters,
            "tensors": None if tensors is None else len(tensors),
        }
    )
    for first in range(0, len(tensors or ()), TENSORS_IN_LINE):
        yield _line((tensors or ())[first : first + TENSORS_IN_LINE])


def _object(read: Reader) -> dict[str, object]:
    found = read()
    if not isinstance(found, dict):
        raise BrokenTransferError
    return found


def _scenario(read: Reader) -> Scenario:
    scenario = from_plain(_object(read), "the reading process")
    return replace(scenario, model=_model(read))


def _model(read: Reader) -> Model:
    head = _object(read)
    name, count = str(head["name"]), head["tensors"]
    parameters, frozen = int(str(head["parameters"])), int(str(head["frozen"]))
    if count is None:
        return Model(name, parameters, frozen)
    tensors: list[Tensor] = []
    shapes: dict[tuple[int, ...], tuple[int, ...]] = {}
    while len(tensors) < int(str(count)):
        rows = read()
        if not isinstance(rows, list):
            raise BrokenTransferError
        for row in rows:
            tensor = Tensor(*row)  # type: ignore[arg-type]  # what a Tensor was sent as
            shape = tuple(tensor.shape)
            tensors.append(tensor._replace(shape=shapes.setdefault(shape, shape)))
    return Model(name, parameters, frozen, tuple(tensors))


def _comparison(head: dict[str, object], read: Reader) -> NamedScenarios:
    names, baseline = head["names"], head["baseline"]
    if not isinstance(names, list):
        raise BrokenTransferError
    scenarios = tuple([(str(name), _scenario(read)) for name in names])
    return NamedScenarios(scenarios, None if baseline is None else int(str(baseline)))


def _opened_model(head: dict[str, object], read: Reader) -> OpenedModel:
    def texts(key: str) -> tuple[str, ...]:
        found = head[key]
        return tuple(map(str, found)) if isinstance(found, list) else ()

    return OpenedModel(
        _model(read),
        str(head["family"]),
        str(head["source"]),
        texts("tied"),
        texts("assumed"),
        texts("notes"),
        None if head["weights"] is None else str(head["weights"]),
    )
