"""A config's fields as a family reads them: checked, with defaults, and the sizes they give."""

import json
import re
from collections.abc import Mapping

from zerogui.accounting.errors import shown
from zerogui.files.errors import FileError
from zerogui.files.families.description import Family, Field
from zerogui.files.reading import Written, child

LARGEST_NUMBER = 10**18

# Names under which files give the same thing; a family's own name for it comes first.
_SYNONYMS = (
    ("hidden_size", "n_embd", "n_embed", "d_model"),
    ("num_hidden_layers", "n_layer", "num_layers"),
    ("num_attention_heads", "n_head", "num_heads"),
    ("num_key_value_heads", "num_kv_heads", "n_head_kv"),
    ("max_position_embeddings", "n_positions"),
    ("n_routed_experts", "num_local_experts", "num_experts"),
)
_OTHER_NAMES = {name: group for group in _SYNONYMS for name in group}

_FACTORS = re.compile(r"\s*(\*|//|/)\s*")
_ONE_OF_PAIR = re.compile(r"(\w+)\[([01])\]")
_FEED_FORWARD = re.compile(r"(gated-)?[^-]+")

Value = int | None | tuple[int, int] | frozenset[int]


class Values:
    """The fields of ``config``, an object of the file at ``path``, in the terms of ``family``.

    Only what is asked for is read, checked and, where it is missing, noted in ``assumed``. Every
    question may raise FileError, which names the field as the file does.
    """

    def __init__(
        self,
        family: Family,
        features: frozenset[str],
        config: Mapping[str, object],
        source: str,
        path: str = "",
    ) -> None:
        self._family = family
        self._features = features
        self._config = config
        self._source = source
        self._path = path
        self._known: dict[str, Value] = {}
        self.assumed: list[str] = []

    def check(self) -> None:
        """FileError where the family's own rules are broken."""
        for division in self._family.divisible:
            self.size(division)
        for key, allowed in self._family.only.items():
            found = self._config.get(key, allowed)
            if type(found) is not int or found != allowed:
                problem = f"is {told(found)} and only {allowed} is known; {ROUTE}"
                raise self._error(key, problem)

    def size(self, text: str) -> int:
        """The size that ``text`` describes."""
        return sum([self._product(term.strip()) for term in text.split("+")])

    def holds(self, condition: str) -> bool:
        """Whether ``condition`` does; the empty one always."""
        return all(self._holds_one(part) for part in condition.split(" and ")) or not condition

    def indices(self, name: str) -> frozenset[int]:
        """The whole numbers in the list that field ``name`` is."""
        value = self._value(name)
        return value if isinstance(value, frozenset) else frozenset()

    def name_in_file(self, name: str) -> str:
        """The path of field ``name``, under the name that the file has for it."""
        keys = [key for key in _names(name) if key in self._config]
        return child(self._path, keys[0] if keys else name)

    def _holds_one(self, part: str) -> bool:
        if part.startswith("not "):
            return not self._holds_one(part.removeprefix("not "))
        if part.startswith("+"):
            return part[1:] in self._features
        for sign in (" == ", " != "):
            left, found, right = part.partition(sign)
            if found:
                return (self.size(left) == self.size(right)) is (sign == " == ")
        return bool(self._value(part))

    def _product(self, term: str) -> int:
        first, *rest = _FACTORS.split(term)
        result = self._factor(first)
        so_far = first
        for sign, name in zip(rest[::2], rest[1::2], strict=True):
            factor = self._factor(name)
            if sign == "*":
                result *= factor
            elif factor and (sign == "//" or result % factor == 0):
                result //= factor
            else:
                problem = f"is {result:,}, no multiple of {name} ({factor:,}); correct one of them."
                raise self._error(so_far, problem)
            so_far = f"{so_far} {sign} {name}"
        return result

    def _factor(self, name: str) -> int:
        if name.isdecimal():
            return int(name)
        pair = _ONE_OF_PAIR.fullmatch(name)
        value = self._value(pair[1] if pair else name)
        if pair and isinstance(value, tuple):
            value = value[int(pair[2])]
        if isinstance(value, int):
            return value
        raise self._error(name, f"is {told(value)}; use a whole number.")

    def _value(self, name: str) -> Value:
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def _read(self, name: str) -> Value:
        derived = self._family.sizes.get(name)
        if isinstance(derived, str):
            return self.size(derived)
        if derived is not None:
            return self.size(next(size for condition, size in derived if self.holds(condition)))
        declared = self._family.fields[name]
        field = declared if isinstance(declared, Field) else _plain(declared)
        if field.kind == "labels":
            return self._labels(name, field)
        key, found = self._found(name)
        if key is None:
            return self._default(name, field)
        value = self._checked(key, found, field)
        return self.size(field.null) if value is None and field.null else value

    def _found(self, name: str) -> tuple[str | None, object]:
        """The key under which the file gives field ``name``, and its value; (None, None): none."""
        given = [(key, self._config[key]) for key in _names(name) if key in self._config]
        telling = [pair for pair in given if pair[1] is not None] or given[:1]
        for key, value in telling[1:]:
            first, stated = telling[0]
            if type(value) is not type(stated) or value != stated:
                problem = f"is {told(value)} but {first} is {told(stated)}; correct one of them."
                raise self._error(key, problem)
        return telling[0] if telling else (None, None)

    def _default(self, name: str, field: Field) -> Value:
        value = self._checked(name, field.default, field)
        derived = value is None and bool(field.null)
        if derived:
            value = self.size(field.null)
        if not field.quiet:
            stated = value if derived else field.default
            text = "[]" if field.kind == "indices" else json.dumps(stated)
            self.assumed.append(f"{name} = {text}")
        return value

    def _checked(self, key: str, found: object, field: Field) -> Value:
        """``found`` as a value of the field's kind."""
        match field.kind:
            case "flag":
                return self._flag(key, found)
            case "gated":
                return self._gated(key, found)
            case "pair":
                return self._pair(key, found, field)
            case "indices":
                return self._indices(key, found)
            case _:
                return self._nullable(key, found, field)

    def _nullable(self, key: str, found: object, field: Field) -> int | None:
        nullable = field.null or field.default is None
        if found is None and nullable:
            return None
        return self._number(key, found, field.least, " or null" if nullable else "")

    def _number(self, key: str, found: object, least: int, other: str = "") -> int:
        if type(found) is int and least <= found <= LARGEST_NUMBER:
            return found
        size = "a whole number" if type(found) is not int else "a whole number up to 10^18"
        size = size if type(found) is int and found > least else f"a whole number from {least}"
        raise self._error(key, f"is {told(found)}; use {size}{other}.")

    def _flag(self, key: str, found: object) -> int:
        if found is None or type(found) is bool:
            return int(bool(found))
        raise self._error(key, f"is {told(found)}; use true or false.")

    def _gated(self, key: str, found: object) -> int:
        if isinstance(found, str) and _FEED_FORWARD.fullmatch(found):
            return int(found.startswith("gated-"))
        problem = f'is {told(found)}; use an activation such as "relu" or "gated-gelu".'
        raise self._error(key, problem)

    def _pair(self, key: str, found: object, field: Field) -> tuple[int, int]:
        if isinstance(found, list):
            if len(found) != 2:
                problem = f"has {len(found):,} numbers; use one whole number or a list of two."
                raise self._error(key, problem)
            first, second = (
                self._number(f"{key}[{index}]", each, field.least)
                for index, each in enumerate(found)
            )
            return first, second
        both = self._number(key, found, field.least, " or a list of two")
        return both, both

    def _indices(self, key: str, found: object) -> frozenset[int]:
        if found is None:
            return frozenset()
        if not isinstance(found, list):
            raise self._error(key, f"is {told(found)}; use a list of layer numbers.")
        return frozenset(
            self._number(f"{key}[{index}]", each, 0) for index, each in enumerate(found)
        )

    def _labels(self, name: str, field: Field) -> int:
        labels = self._config.get("id2label")
        if isinstance(labels, dict):
            return len(labels)
        if labels is not None:
            raise self._error("id2label", f"is {told(labels)}; use an object of labels.")
        found = self._config.get(name)
        if found is None:
            self.assumed.append(f"{name} = {field.default}")
            found = field.default
        return self._number(name, found, field.least)

    def _error(self, key: str, problem: str) -> FileError:
        path = self.name_in_file(key) if re.fullmatch(r"\w+", key) else child_text(self._path, key)
        return FileError(self._source, f"{path} {problem}")


ROUTE = "open the model's .safetensors file or folder instead."


def child_text(path: str, text: str) -> str:
    """``text``, a field's name with an index or a division, below ``path``."""
    return f"{path}.{text}" if path else text


def told(value: object) -> str:
    """What a file has in a field, in words for a sentence."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return f"{value:,}"
        case str():
            return shown(value)
        case Written() if len(value.text) > 40:
            return f"a number of {len(value.text):,} characters"
        case Written():
            return value.text
        case dict():
            return "an object"
        case _:
            return "a list"


def _names(name: str) -> tuple[str, ...]:
    group = _OTHER_NAMES.get(name, ())
    return (name, *(other for other in group if other != name))


def _plain(default: int) -> Field:
    return Field(default, kind="flag" if isinstance(default, bool) else "number")
