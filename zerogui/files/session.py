"""A session: all that makes the next start look like the last moment, as one JSON file."""

import json
import os
from dataclasses import dataclass, field, replace

from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.files import comparison, scenario
from zerogui.files.aside import check_header
from zerogui.files.errors import FileError
from zerogui.files.fields import described
from zerogui.files.named_scenarios import NamedScenarios
from zerogui.files.reading import LARGEST_FILE, parse_json, read_bytes

FORMAT = "zerogui/session"
VERSION = 1
_MODEL_FIELDS = ("family", "source", "tied", "assumed")
_FIELDS = (
    *("format", "version", "unsaved", "path", "digest", "view", "origin"),
    *("scenario", "saved", "pins"),
)
_LONGEST_PATH = 4096


@dataclass(frozen=True)
class ModelSource:
    """Where the scenario's model came from: see ``files.opened.OpenedModel``."""

    family: str
    source: str
    tied: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Session:
    """``scenario`` as it is; ``saved`` as its file (or the start) had it; the ``pins``.

    ``path`` is the scenario's file, None for none, ``digest`` that of the contents it should have,
    in hexadecimal ("" for unknown); ``view`` the one in front, "" for the first.
    """

    scenario: Scenario
    saved: Scenario
    pins: NamedScenarios = field(default_factory=NamedScenarios)
    path: str | None = None
    view: str = ""
    origin: ModelSource | None = None
    digest: str = ""

    @property
    def unsaved(self) -> bool:
        """Whether it holds work that is in no other file."""
        return self.scenario != self.saved or bool(self.pins.scenarios)


class Encoder:
    """Turns sessions into files; a model that was in the last one is not spelled out again."""

    def __init__(self) -> None:
        self._models: list[tuple[Model, str]] = []

    def encode(self, session: Session) -> bytes:
        """The file of ``session``."""
        pins = session.pins
        scenarios = [session.scenario, session.saved, *(each for _, each in pins.scenarios)]
        self._models = self._spelled(scenarios)
        origin = session.origin
        head = {
            "format": FORMAT,
            "version": VERSION,
            # Among the first bytes: whoever looks for unsaved work need not read it all.
            "unsaved": session.unsaved,
            # A name that is no text would come back as another file's.
            "path": session.path if _is_text(session.path) else None,
            "digest": session.digest,
            "view": session.view,
            "origin": origin and {name: getattr(origin, name) for name in _MODEL_FIELDS},
        }
        saved = "null" if session.saved == session.scenario else self._text(session.saved)
        named = ",\n".join(
            f'{{"name": {_json(name)}, "scenario": {self._text(each)}}}'
            for name, each in pins.scenarios
        )
        held = (
            f'{{"format": "{comparison.FORMAT}", "version": {comparison.VERSION},'
            f' "baseline": {_json(pins.baseline)}, "pins": [{named}]}}'
        )
        text = (
            f'{_json(head)[:-1]},\n"scenario": {self._text(session.scenario)},\n'
            f'"saved": {saved},\n"pins": {held}}}\n'
        )
        return text.encode("utf-8", "replace")

    def _spelled(self, scenarios: list[Scenario]) -> list[tuple[Model, str]]:
        known = {id(model): text for model, text in self._models}
        models = {id(each.model): each.model for each in scenarios}
        return [
            (model, known.get(key) or scenario.encode_model(model)) for key, model in models.items()
        ]

    def _text(self, value: Scenario) -> str:
        model = next(text for known, text in self._models if known is value.model)
        plain = scenario.to_plain(replace(value, model=Model()))
        del plain["model"]
        return f'{_json(plain)[:-1]}, "model": {model}}}'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _is_text(path: str | None) -> bool:
    return path is not None and path == path.encode("utf-8", "replace").decode("utf-8")


def read(path: str) -> Session:
    """The session in the file at ``path``. FileError where there is none that can be used."""
    return decode(read_bytes(path), path)


def decode(data: bytes, source: str) -> Session:
    """The session that ``data`` holds. FileError (``source``, field) if it holds none."""
    value = check_header(parse_json(data, source), source, FORMAT, VERSION)
    unknown = next((key for key in value if key not in _FIELDS), None)
    if unknown is not None:
        raise FileError(source, f"{described(unknown)} is no field of a session.")
    path = value.get("path")
    if path is not None:
        path = _text(path, "path", source)
    present = scenario.from_plain(value.get("scenario"), source)
    saved = value.get("saved")
    pins = comparison.from_plain(value.get("pins"), source)
    one = _OneModel()
    return Session(
        one.of(present),
        one.of(present if saved is None else scenario.from_plain(saved, source)),
        replace(pins, scenarios=tuple((name, one.of(each)) for name, each in pins.scenarios)),
        path,
        _text(value.get("view"), "view", source),
        _origin(value.get("origin"), source),
        _digest(value.get("digest", ""), source),
    )


class _OneModel:
    """Equal models become the same one: comparing and counting long lists twice would be felt."""

    def __init__(self) -> None:
        self._known: dict[Model, Model] = {}

    def of(self, value: Scenario) -> Scenario:
        """``value`` with the first model that equals its own."""
        if value.model.tensors is None:
            return value
        return replace(value, model=self._known.setdefault(value.model, value.model))


def _text(value: object, field: str, source: str) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_PATH or "\0" in value:
        raise FileError(source, f"{field} is {described(value)}, which is no text for it.")
    return value


def _digest(value: object, source: str) -> str:
    text = _text(value, "digest", source)
    if len(text) > 128 or len(text) % 2 or not set(text) <= set("0123456789abcdef"):
        raise FileError(source, f"digest is {described(value)}, which is no digest.")
    return text


def _origin(value: object, source: str) -> ModelSource | None:
    if value is None:
        return None
    if not isinstance(value, dict) or sorted(value) != sorted(_MODEL_FIELDS):
        raise FileError(source, f"origin is {described(value)}, which tells no model's source.")
    lists = [value["tied"], value["assumed"]]
    for each in lists:
        if not isinstance(each, list) or not all(isinstance(text, str) for text in each):
            raise FileError(source, "origin.tied and origin.assumed are no lists of texts.")
    family, origin = (_text(value[name], f"origin.{name}", source) for name in _MODEL_FIELDS[:2])
    return ModelSource(family, origin, tuple(lists[0]), tuple(lists[1]))


def has_unsaved(path: str) -> bool:
    """Whether the session at ``path`` says that it holds unsaved work; yes where it is unclear."""
    try:
        with open(path, "rb") as file:
            return b'"unsaved": false' not in file.read(200)
    except OSError:
        return os.path.lexists(path)


def check_size(data: bytes, source: str) -> None:
    """FileError for a session that could not be read again."""
    if len(data) > LARGEST_FILE:
        raise FileError(source, "would be larger than 64 MB; remove some pins.")
