"""What a model family is made of: the words in which the families are described.

Sizes and conditions are short texts over the names of a config's fields, read by ``values``:

- a size is a sum of products: ``"num_attention_heads * head_dim"``, ``"n_positions + 2"``; ``/``
  divides and wants no remainder, ``//`` rounds down, ``image_size[0]`` is one of a pair;
- a condition is ``"attention_bias"``, ``"not attention_bias"``, ``"a == b"`` or ``"a != b"``,
  several of them joined by ``and``; ``"+pooler"`` asks whether the head has that feature.

In names ``{i}`` is the layer's index and ``{j}`` the index of an ``each``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

LayerSet = Literal["all", "first", "sparse", "dense"]
Kind = Literal["number", "flag", "gated", "pair", "labels", "indices"]


@dataclass(frozen=True)
class Field:
    """A field of the config with its default.

    A number is at least ``least`` and, where ``nullable``, may be null, which stands for the size
    ``null`` or, where that is empty, for itself. A ``quiet`` field is one that the family's
    configuration does not declare but its modules heed: its absence assumes nothing.
    """

    default: int | str | None
    nullable: bool = False
    null: str = ""
    least: int = 1
    kind: Kind = "number"
    quiet: bool = False


Fields = dict[str, int | Field]
"""Fields by name; a default by itself makes a number from 1 or a flag."""


def optional(null: str = "", default: int | None = None, least: int = 1) -> Field:
    """A number that may be null, which stands for the size ``null`` or for itself."""
    return Field(default, nullable=True, null=null, least=least)


KEY_VALUE_HEADS = optional("num_attention_heads")
HEAD_DIM = optional("hidden_size / num_attention_heads")
UNDECLARED_HEAD_DIM = replace(HEAD_DIM, quiet=True)
LABELS = Field(2, nullable=True, null="2", least=0, kind="labels")

Size = str | tuple[tuple[str, str], ...]
"""A size, or (condition, size) pairs of which the first that holds counts ("" always holds)."""


@dataclass(frozen=True)
class Row:
    """One parameter of the model or of each layer in ``layers``: a name and its dimensions.

    It is there only ``when`` the condition holds, and shares another's storage where ``tied`` holds
    ("" always). ``each`` repeats it that many times.
    """

    name: str
    dims: tuple[str, ...]
    when: tuple[str, ...] = ()
    layers: LayerSet = "all"
    each: str = ""
    tied: str | None = None


Rows = tuple[Row, ...]


@dataclass(frozen=True)
class Sparse:
    """Which layers have experts: from index ``first``, every ``step``-th, those in ``dense`` not.

    With ``experts`` zero there are none.
    """

    first: str = ""
    step: str = ""
    dense: str = ""
    experts: str = ""


@dataclass(frozen=True)
class Layers:
    """Layers of equal or, with ``sparse``, of two kinds; ``name`` holds ``{i}``."""

    name: str
    count: str
    rows: Rows
    sparse: Sparse | None = None


@dataclass(frozen=True)
class Head:
    """What a class of the family puts onto the body, whose names then begin with ``prefix``."""

    rows: Rows = ()
    prefix: str | None = None
    features: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Family:
    """A model type: fields with their defaults, sizes derived from them, and parameters.

    ``classes`` are the names that its classes begin with and ``heads`` what they end with;
    ``prefix`` is the body's name below a head. ``divisible`` are divisions that must come out even
    although no shape follows from them; ``only`` the values of fields that are read no other way.
    """

    name: str
    classes: tuple[str, ...]
    fields: Fields
    body: tuple[Rows | Layers, ...]
    heads: Mapping[str, Head]
    sizes: Mapping[str, Size] = field(default_factory=dict)
    default_head: str = "ForCausalLM"
    prefix: str = "model."
    divisible: tuple[str, ...] = ()
    only: Mapping[str, int | str] = field(default_factory=dict)


def rows(*groups: Rows) -> Rows:
    """All rows of ``groups``, in order."""
    return tuple(row for group in groups for row in group)


def tensor(name: str, *dims: str) -> Rows:
    """One parameter by itself."""
    return (Row(name, dims),)


def embedding(name: str, count: str, size: str) -> Rows:
    """A table of ``count`` vectors."""
    return tensor(f"{name}.weight", count, size)


def linear(name: str, out: str, into: str, *, bias: str | bool = False) -> Rows:
    """A weight [out, in]; with a bias always (True), never (False) or under a condition."""
    return rows(tensor(f"{name}.weight", out, into), _bias(name, out, bias))


def transposed(name: str, into: str, out: str) -> Rows:
    """A weight [in, out] and a bias, as GPT-2 keeps them."""
    return rows(tensor(f"{name}.weight", into, out), tensor(f"{name}.bias", out))


def norm(name: str, size: str) -> Rows:
    """A norm with a weight only."""
    return tensor(f"{name}.weight", size)


def layer_norm(name: str, size: str) -> Rows:
    """A norm with weight and bias."""
    return rows(tensor(f"{name}.weight", size), tensor(f"{name}.bias", size))


def when(condition: str, *groups: Rows) -> Rows:
    """``groups``, present only where ``condition`` holds too."""
    return tuple(replace(row, when=(*row.when, condition)) for row in rows(*groups))


def on(layers: LayerSet, *groups: Rows) -> Rows:
    """``groups``, present only in those layers."""
    return tuple(replace(row, layers=layers) for row in rows(*groups))


def each(count: str, *groups: Rows) -> Rows:
    """``groups``, ``count`` times."""
    return tuple(replace(row, each=count) for row in rows(*groups))


def tied(condition: str, *groups: Rows) -> Rows:
    """``groups``, which share another parameter's storage where ``condition`` holds."""
    return tuple(replace(row, tied=condition) for row in rows(*groups))


def _bias(name: str, size: str, bias: str | bool) -> Rows:
    if bias is False:
        return ()
    one = tensor(f"{name}.bias", size)
    return one if bias is True else when(bias, one)


TIED_EMBEDDINGS = "tie_word_embeddings"


def decoder_heads(
    hidden: str = "hidden_size", *, bias: bool = False, language: str = "ForCausalLM"
) -> dict[str, Head]:
    """What every decoder has: a language model, the bare body and a classifier of texts."""
    words = rows(
        tied(TIED_EMBEDDINGS, linear("lm_head", "vocab_size", hidden)),
        tensor("lm_head.bias", "vocab_size") if bias else (),
    )
    return {
        language: Head(words),
        "Model": Head(prefix=""),
        "ForSequenceClassification": Head(linear("score", "num_labels", hidden)),
    }


def token_head(name: str = "score", hidden: str = "hidden_size") -> dict[str, Head]:
    """A classifier of tokens, whose layer is called ``name``."""
    return {"ForTokenClassification": Head(linear(name, "num_labels", hidden, bias=True))}


def answer_head(hidden: str = "hidden_size", prefix: str | None = None) -> dict[str, Head]:
    """Start and end of an answer."""
    return {"ForQuestionAnswering": Head(linear("qa_outputs", "2", hidden, bias=True), prefix)}
