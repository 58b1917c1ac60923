"""YAML as plain values, without what makes it dangerous: aliases, merges, tags, repeated keys."""

import re
from typing import Any

from zerogui.accounting.errors import shown
from zerogui.files.errors import FileError
from zerogui.files.reading import child

# A config has a few kilobytes, and PyYAML takes about a second for a hundred thousand of them.
LARGEST_YAML = 256_000
_LONGEST_NUMBER = 40
_DEEPEST = 100

_PLAIN = {f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "int", "float", "str")}
# Dates, times and binary data are text here: no config has them.
_TEXTS = {f"tag:yaml.org,2002:{kind}" for kind in ("timestamp", "binary", "value", "merge")}
_NUMBERS = {"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"}
_MERGE = "tag:yaml.org,2002:merge"
_STRUCTURES = {"tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}


def parse_yaml(text: str | bytes, source: str) -> object:
    """The value of the one document in ``text``: dict, list, str, int, float, bool or None.

    FileError unless it is well-formed UTF-8 of at most 256 kB with plain tags, and neither an
    alias nor a repeated key; also where PyYAML is not installed.
    """
    try:
        import yaml  # type: ignore[import-untyped]  # it has none
    except ImportError:
        sentence = "needs PyYAML to be read; install it with pip install pyyaml."
        raise FileError(source, sentence) from None
    if len(text) > LARGEST_YAML:
        raise FileError(source, "is larger than 256 kB, which no config is; choose another file.")
    decoded = _decoded(text, source)
    try:
        # PyYAML takes a second for a line of brackets before it notices how deep it is.
        if re.search(rf"([\[{{][\s,]*){{{_DEEPEST}}}", decoded):
            raise FileError(source, "is nested too deeply; choose another file.")
        loader = yaml.SafeLoader(decoded)
        node = loader.get_single_node()
        if node is None:
            raise FileError(source, "is empty; choose another file.")
        return _Reading(loader, source).value(node, "")
    except RecursionError:
        raise FileError(source, "is nested too deeply; choose another file.") from None
    except yaml.YAMLError as error:
        raise FileError(source, _fault(error, decoded)) from None


def _decoded(text: str | bytes, source: str) -> str:
    try:
        return text if isinstance(text, str) else text.decode("utf-8")
    except UnicodeDecodeError:
        raise FileError(source, "is not UTF-8 text; save it as UTF-8.") from None


def _fault(error: Any, text: str) -> str:
    mark = getattr(error, "problem_mark", None)
    line = text.count("\n", 0, getattr(error, "position", 0)) + 1
    where = f"line {line:,}"
    if mark is not None:
        where = f"line {mark.line + 1:,}, column {mark.column + 1:,}"
    what = getattr(error, "problem", None) or "a character that text does not have"
    return f"{where} is not YAML ({shown(str(what))[1:-1]}); correct it there."


class _Reading:
    """Plain values from PyYAML's nodes; an aliased node shows up twice, and is refused."""

    def __init__(self, loader: Any, source: str) -> None:
        self._loader, self._source = loader, source
        self._seen: set[int] = set()

    def value(self, node: Any, path: str) -> object:
        """The plain value of ``node``, which stands at ``path``."""
        where = path or "the file"
        if id(node) in self._seen:
            raise FileError(self._source, f"{where} is an alias (*); write the value out.")
        self._seen.add(id(node))
        if isinstance(node.value, str):
            return self._scalar(node, where)
        if node.tag not in _STRUCTURES:
            raise self._tagged(node, where)
        if isinstance(node.value, list) and node.tag.endswith(":seq"):
            return [self.value(item, f"{path}[{i}]") for i, item in enumerate(node.value)]
        return self._mapping(node, path)

    def _tagged(self, node: Any, where: str) -> FileError:
        return FileError(self._source, f"{where} has the tag {shown(node.tag)}; remove it.")

    def _mapping(self, node: Any, path: str) -> dict[str, object]:
        mapping: dict[str, object] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if not isinstance(key, str):
                where = path or "the file"
                raise FileError(self._source, f"{where} has a key that is no text; correct it.")
            if key_node.tag == _MERGE:
                where = path or "the file"
                raise FileError(self._source, f"{where} has a merge (<<); write its keys out.")
            if key in mapping:
                sentence = f"{child(path, key)} appears twice; keep one of them."
                raise FileError(self._source, sentence)
            mapping[key] = self.value(value_node, child(path, key))
        return mapping

    def _scalar(self, node: Any, where: str) -> object:
        if node.tag in _TEXTS:
            return node.value
        if node.tag not in _PLAIN:
            raise self._tagged(node, where)
        if node.tag in _NUMBERS and len(node.value) > _LONGEST_NUMBER:
            # Its value would take time: 1:1:1 is a number in YAML, of base 60.
            sentence = f"{where} is a number of {len(node.value):,} characters; correct it."
            raise FileError(self._source, sentence)
        try:
            value: object = self._loader.construct_object(node)
        except (ValueError, KeyError, IndexError):
            # Such as !!int in front of a word.
            sentence = f"{where} is {shown(node.value)}, which cannot be read; correct it."
            raise FileError(self._source, sentence) from None
        return value
