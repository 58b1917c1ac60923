"""Files that hold several scenarios to compare (``*.zerogui.json``): read strictly, like one."""

import os
from textwrap import indent

from zerogui.accounting.errors import InputError
from zerogui.accounting.scenario import Scenario
from zerogui.files.atomic import write_atomically
from zerogui.files.errors import FileError
from zerogui.files.fields import described
from zerogui.files.named_scenarios import NamedScenarios, check_names
from zerogui.files.reading import LARGEST_FILE, child, parse_json, read_bytes
from zerogui.files.scenario import encode as encode_scenario
from zerogui.files.scenario import from_plain as scenario_from_plain

FORMAT = "zerogui/comparison"
VERSION = 1

_FIELDS = ("format", "version", "baseline", "pins")
_PIN_FIELDS = ("name", "scenario")


def load(path: str | os.PathLike[str]) -> NamedScenarios:
    """The scenarios in the file at ``path``. FileError where there are none that can be used."""
    return decode(read_bytes(path), os.fspath(path))


def decode(data: bytes, source: str) -> NamedScenarios:
    """The scenarios that ``data`` holds. FileError (``source``, field) if it holds none."""
    return from_plain(parse_json(data, source), source)


def from_plain(value: object, source: str) -> NamedScenarios:
    """The scenarios that a JSON value spells. FileError (``source``, field) if it spells none."""
    try:
        entries, baseline = _entries(value)
        # The names first: they are cheap to check, and bound what is read.
        check_names([name for name, _ in entries], baseline)
    except InputError as error:
        raise FileError(source, str(error)) from None
    scenarios = [
        (name, _scenario(plain, f"pins[{index}].scenario", source))
        for index, (name, plain) in enumerate(entries)
    ]
    return NamedScenarios(tuple(scenarios), baseline)


def save(scenarios: NamedScenarios, path: str | os.PathLike[str]) -> None:
    """Write ``scenarios`` to ``path``, whole or not at all. FileError where that is impossible."""
    data = encode(scenarios)
    if len(data) > LARGEST_FILE:
        sentence = "would be larger than 64 MB; remove some scenarios."
        raise FileError(os.fspath(path), sentence)
    write_atomically(path, data)


def encode(scenarios: NamedScenarios) -> bytes:
    """The file of ``scenarios``: every field of each, in the contract's order."""
    baseline = "null" if scenarios.baseline is None else str(scenarios.baseline)
    pins = ",\n".join(_encoded(name, scenario) for name, scenario in scenarios.scenarios)
    text = (
        f'{{\n  "format": "{FORMAT}",\n  "version": {VERSION},\n  "baseline": {baseline},\n'
        f'  "pins": [{f"{chr(10)}{pins}{chr(10)}  " if pins else ""}]\n}}\n'
    )
    return text.encode("utf-8", "replace")


def _encoded(name: str, scenario: Scenario) -> str:
    import json

    # JSON text has no line breaks of its own inside quotes, so that lines can be indented.
    body = indent(encode_scenario(scenario).decode().rstrip("\n"), " " * 6).lstrip()
    quoted = json.dumps(name, ensure_ascii=False)
    return f'    {{\n      "name": {quoted},\n      "scenario": {body}\n    }}'


def _entries(value: object) -> tuple[list[tuple[str, object]], int | None]:
    """Names with scenarios yet to be read, and the baseline."""
    if not isinstance(value, dict):
        raise InputError(
            "the file", f"is {described(value)}, which is no comparison", "choose another file"
        )
    _check_header(value)
    _check_fields("", value, _FIELDS)
    baseline = value.get("baseline")
    if baseline is not None and type(baseline) is not int:
        raise InputError(
            "baseline", f"is {described(baseline)}", "use the index of a scenario or null"
        )
    pins = _needed("", value, "pins", '"pins": []')
    if not isinstance(pins, list):
        raise InputError("pins", f"is {described(pins)}", "use a list [...]")
    return [_entry(f"pins[{index}]", pin) for index, pin in enumerate(pins)], baseline


def _check_header(value: dict[str, object]) -> None:
    """Format and version come first: other versions have other fields."""
    found = _needed("", value, "format", f'"format": "{FORMAT}"')
    if found != FORMAT:
        raise InputError("format", f"is {described(found)}", f'choose a file with "{FORMAT}"')
    version = _needed("", value, "version", f'"version": {VERSION}')
    if type(version) is not int or version != VERSION:
        newer = type(version) is int and version > VERSION
        raise InputError(
            "version",
            f"is {described(version)}",
            f"this zerogui reads version {VERSION}" + (", so use a newer one" if newer else ""),
        )


def _entry(path: str, pin: object) -> tuple[str, object]:
    if not isinstance(pin, dict):
        remedy = 'use an object {"name": ..., "scenario": {...}}'
        raise InputError(path, f"is {described(pin)}", remedy)
    _check_fields(path, pin, _PIN_FIELDS)
    name = _needed(path, pin, "name", "a name")
    if not isinstance(name, str):
        raise InputError(child(path, "name"), f"is {described(name)}", "use text in quotes")
    scenario = _needed(path, pin, "scenario", "a scenario")
    if not isinstance(scenario, dict):
        raise InputError(
            child(path, "scenario"), f"is {described(scenario)}", "use an object {...}"
        )
    return name, scenario


def _check_fields(path: str, value: dict[str, object], known: tuple[str, ...]) -> None:
    unknown = next((key for key in value if key not in known), None)
    if unknown is not None:
        raise InputError(
            child(path, unknown),
            "is not a field of a comparison",
            f"remove it or use {', '.join(known)}",
        )


def _needed(path: str, value: dict[str, object], key: str, example: str) -> object:
    if key not in value:
        raise InputError(child(path, key), "is missing", f"add {example}")
    return value[key]


def _scenario(plain: object, path: str, source: str) -> Scenario:
    try:
        return scenario_from_plain(plain, source)
    except FileError as error:
        # The scenario's own sentences start with the field.
        raise FileError(source, f"{path}.{error.sentence}") from None
