"""A config's fields as a family reads them: checked, with defaults, and the sizes they give."""

import json
import re
from collections.abc import Mapping

from zerogui.files.errors import FileError
from zerogui.files.fields import described
from zerogui.files.models.families.description import Family, Field, Kind
from zerogui.files.models.families.kinds import UnfitError, Value, fitting
from zerogui.files.reading import child

ROUTE = "open the model's .safetensors file or folder instead."

# Names under which files give the same thing; a family's own name for it comes first.
_SYNONYMS = (
    ("hidden_size", "n_embd", "n_embed", "d_model"),
    ("num_hidden_layers", "n_layer", "num_layers"),
    ("num_attention_heads", "n_head", "num_heads"),
    ("num_key_value_heads", "num_kv_heads", "n_head_kv"),
    ("max_position_embeddings", "n_positions"),
    ("n_routed_experts", "num_local_experts", "num_experts"),
)
_GROUPS = {name: group for group in _SYNONYMS for name in group}

_FACTORS = re.compile(r"\s*(\*|//|/)\s*")
_ONE_OF_PAIR = re.compile(r"(\w+)\[([01])\]")


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
        """FileError where the config breaks the family's own rules."""
        for key, allowed in self._family.only.items():
            found = self._config.get(key, allowed)
            if type(found) is not type(allowed) or found != allowed:
                known = f"is {described(found)} and only {described(allowed)} is known"
                raise self.error(key, f"{known}; {ROUTE}")
        for division in self._family.divisible:
            self.size(division)

    def size(self, text: str) -> int:
        """The size that ``text`` describes."""
        return sum([self._product(term.strip()) for term in text.split("+")])

    def holds(self, condition: str) -> bool:
        """Whether ``condition`` does; the empty one always."""
        return not condition or all(self._holds_one(part) for part in condition.split(" and "))

    def indices(self, name: str) -> frozenset[int]:
        """The whole numbers in the list that field ``name`` is."""
        value = self._value(name)
        return value if isinstance(value, frozenset) else frozenset()

    def largest(self) -> tuple[str, int]:
        """The field with the largest number of those that were read, and that number."""
        numbers = {
            name: max(value) if isinstance(value, tuple) else value
            for name, value in self._known.items()
            if name in self._family.fields and isinstance(value, int | tuple)
        }
        return max(numbers.items(), key=lambda item: item[1])

    def error(self, name: str, problem: str) -> FileError:
        """What is wrong with field ``name``, which is called as the file has it."""
        key = next((key for key in _names(name) if key in self._config), name)
        return FileError(self._source, f"{child(self._path, key)} {problem}")

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
        first, *others = _FACTORS.split(term)
        result = self._factor(first)
        for sign, name in zip(others[::2], others[1::2], strict=True):
            factor = self._factor(name)
            if sign == "*":
                result *= factor
            elif sign == "//" or result % factor == 0:
                result //= factor
            else:
                whole = f"is {result:,}, which is no multiple of {name} ({factor:,})"
                raise self.error(first, f"{whole}; correct one of them.")
        return result

    def _factor(self, name: str) -> int:
        if name.isdecimal():
            return int(name)
        pair = _ONE_OF_PAIR.fullmatch(name)
        value = self._value(pair[1] if pair else name)
        if pair and isinstance(value, tuple):
            return value[int(pair[2])]
        assert isinstance(value, int), name
        return value

    def _value(self, name: str) -> Value:
        if name not in self._known:
            derived = self._family.sizes.get(name)
            self._known[name] = self._read(name) if derived is None else self._derive(derived)
        return self._known[name]

    def _derive(self, size: str | tuple[tuple[str, str], ...]) -> int:
        if isinstance(size, str):
            return self.size(size)
        return self.size(next(text for condition, text in size if self.holds(condition)))

    def _read(self, name: str) -> Value:
        declared = self._family.fields[name]
        kind: Kind = "flag" if isinstance(declared, bool) else "number"
        field = declared if isinstance(declared, Field) else Field(declared, kind=kind)
        key, found = self._found(name, field)
        try:
            value = fitting(field.default if key is None else found, field)
        except UnfitError as error:
            spaced = "" if str(error).startswith("[") else " "
            path = child(self._path, key or name)
            raise FileError(self._source, f"{path}{spaced}{error}") from None
        if value is None and field.null:
            value = found = self.size(field.null)
        if key is None and not field.quiet:
            self.assumed.append(f"{name} = {json.dumps(found)}")
        return value

    def _found(self, name: str, field: Field) -> tuple[str | None, object]:
        """The key under which the file has field ``name`` and what it has; or None, the default."""
        labels = self._config.get("id2label")
        if field.kind == "labels" and labels is not None:
            if not isinstance(labels, dict):
                raise self.error("id2label", f"is {described(labels)}; use an object of labels.")
            return "id2label", len(labels)
        given = [(key, self._config[key]) for key in _names(name) if key in self._config]
        telling = [(key, value) for key, value in given if value is not None] or given
        for key, value in telling[1:]:
            first, stated = telling[0]
            if type(value) is not type(stated) or value != stated:
                differing = f"is {described(value)} but {first} is {described(stated)}"
                raise self.error(key, f"{differing}; correct one of them.")
        return telling[0] if telling else (None, field.default)


def _names(name: str) -> tuple[str, ...]:
    """The names that a file may have for a field, the family's own first."""
    return (name, *(other for other in _GROUPS.get(name, ()) if other != name))
