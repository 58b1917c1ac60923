"""What a training script's optimizer keeps per parameter, by the name that configs give it."""

from dataclasses import dataclass, replace

from zerogui.accounting.recipe import (
    MASTER_WEIGHTS,
    MIXED_PRECISION_ADAM,
    OptimizerTensor,
    Recipe,
    adam,
)

CUSTOM = "Custom"
LION_FP32 = "Lion with fp32 momentum"

# The formats into which engines cast weights; others (nf4, int8) are left as they were loaded.
FLOATS = ("fp32", "bf16", "fp16")


@dataclass(frozen=True)
class Kind:
    """An optimizer: the ``type`` that a config writes, and its tensors beside a master copy.

    ``also`` lists other types (lower case) that keep the same; ``dtype`` is their storage where it
    does not follow the master copy's.
    """

    type: str
    tensors: tuple[OptimizerTensor, ...]
    also: tuple[str, ...] = ()
    dtype: str | None = None

    def kept(self, dtype: str) -> tuple[OptimizerTensor, ...]:
        """The tensors, in ``dtype`` unless they have a format of their own."""
        return tuple(replace(tensor, dtype=self.dtype or dtype) for tensor in self.tensors)


SGD_TYPES = ("sgd", "musgd")
_MOMENTUM = OptimizerTensor("momentum", "fp32")
ADAM = Kind(
    "AdamW",
    adam(None, "fp32"),
    ("adam", "fusedadam", "cpuadam", "lamb", "muadam", "muadamw", "nadam", "radam"),
)
SGD = Kind("SGD", ())
MOMENTUM = Kind("SGD", (_MOMENTUM,))
LION = Kind("Lion", (_MOMENTUM,), ("fusedlion", "cpulion"))
ADAGRAD = Kind("Adagrad", (OptimizerTensor("sum of squares", "fp32"),))
MUON = Kind(
    "Muon",
    (
        replace(_MOMENTUM, over="matrices"),
        *(replace(tensor, over="rest") for tensor in adam(None, "fp32")),
    ),
)
ADAM_8BIT = Kind(
    "AdamW8bit",
    ADAM.tensors,
    ("adam8bit", "pagedadam8bit", "pagedadamw8bit", "adamw_8bit", "paged_adamw_8bit"),
    "int8-block256",
)
KINDS = (ADAM, SGD, MOMENTUM, LION, ADAGRAD, MUON, ADAM_8BIT)


def kind_named(name: str, momentum: bool) -> Kind | None:
    """The optimizer of type ``name`` (case does not count), or None; SGD may have ``momentum``."""
    low = name.lower()
    if low in SGD_TYPES:
        return MOMENTUM if momentum else SGD
    return next((kind for kind in KINDS if low == kind.type.lower() or low in kind.also), None)


def kind_of(recipe: Recipe) -> Kind | None:
    """The optimizer that keeps the recipe's tensors, their dtypes and a master copy apart."""
    plain = tuple(replace(tensor, dtype="fp32") for tensor in moments(recipe))
    if plain == LION.tensors and recipe.name.startswith(LION.type):
        return LION
    eight = all(tensor.dtype == ADAM_8BIT.dtype for tensor in moments(recipe))
    if plain == ADAM.tensors and eight:
        return ADAM_8BIT
    return next((kind for kind in KINDS if kind.tensors == plain), None)


def moments(recipe: Recipe) -> tuple[OptimizerTensor, ...]:
    """The recipe's optimizer tensors without the master copy."""
    return tuple(tensor for tensor in recipe.optimizer if tensor.name != MASTER_WEIGHTS)


def master(recipe: Recipe) -> str | None:
    """The dtype of the recipe's master copy, None where it has none."""
    return next((t.dtype for t in recipe.optimizer if t.name == MASTER_WEIGHTS), None)


def copied(dtype: str | None) -> tuple[OptimizerTensor, ...]:
    """The master copy in ``dtype``; none for None."""
    return () if dtype is None else (OptimizerTensor(MASTER_WEIGHTS, dtype),)


def stored_in(tensors: tuple[OptimizerTensor, ...], dtype: str) -> tuple[OptimizerTensor, ...]:
    """``tensors`` of a script's own optimizer: plain ones follow its parameters to ``dtype``."""
    return tuple(replace(t, dtype=dtype) if t.dtype in FLOATS else t for t in tensors)


def _bf16(name: str, optimizer: tuple[OptimizerTensor, ...], frozen: str = "bf16") -> Recipe:
    return Recipe(name, "bf16", "bf16", optimizer, frozen)


_COPY = adam("fp32", "fp32")[:1]
# The recipes of the catalogue that an engine's config can lead to.
KNOWN = (
    MIXED_PRECISION_ADAM,
    Recipe("fp32 AdamW", "fp32", "fp32", adam(None, "fp32")),
    _bf16("Pure bf16 AdamW", adam(None, "bf16")),
    _bf16("bf16 with fp32 moments", adam(None, "fp32")),
    _bf16("SGD with momentum", (*_COPY, _MOMENTUM)),
    _bf16("8-bit Adam", adam("fp32", "int8-block256")),
    _bf16("Lion", (*_COPY, replace(_MOMENTUM, dtype="bf16"))),
    _bf16("Muon", (*_COPY, *MUON.tensors)),
    _bf16("QLoRA (nf4 base)", adam("fp32", "fp32"), "nf4-double"),
)


def named(recipe: Recipe, before: Recipe, kind: Kind | None = None) -> Recipe:
    """``recipe`` under the name that it has in the catalogue, or Custom.

    The recipe ``before`` keeps its name where nothing else changes. Lion's fp32 momentum is no
    different from SGD's, so there the ``kind`` tells.
    """
    if kind is LION and recipe.optimizer[-1:] == LION.tensors:
        return replace(recipe, name=LION_FP32)
    if recipe == replace(before, name=recipe.name):
        return before
    frozen = "bf16" if recipe.frozen_weights in FLOATS else recipe.frozen_weights
    bare = replace(recipe, name="", frozen_weights=frozen)
    name = next((known.name for known in KNOWN if replace(known, name="") == bare), CUSTOM)
    return replace(recipe, name=name)
