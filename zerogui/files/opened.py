"""What a file other than a scenario brings: a model, settings of an engine; and what goes out."""

from collections.abc import Callable
from dataclasses import dataclass

from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario


@dataclass(frozen=True)
class OpenedModel:
    """A model with exact tensors, and what a reader of its card should know.

    ``family`` is the model type ("llama") or "checkpoint"; ``source`` the path as given; ``tied``
    names tensors that share another's storage and are not counted again; ``assumed`` lists
    defaults taken for keys that the file lacks ("num_key_value_heads = 32"); ``notes`` are
    sentences; ``weights`` is the dtype that most elements have, where the file tells.
    """

    model: Model
    family: str
    source: str
    tied: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    weights: str | None = None


@dataclass(frozen=True)
class EngineSettings:
    """An engine's config: ``apply`` puts its sharding and dtypes onto a scenario.

    It returns the new scenario and notes: what stays as it was ("auto"), what cannot be honoured,
    and how something was read.
    """

    format: str
    source: str
    apply: Callable[[Scenario], tuple[Scenario, tuple[str, ...]]]


@dataclass(frozen=True)
class Export:
    """A file to write: its usual name, its text, and the sentences on what it cannot express."""

    name: str
    text: str
    lost: tuple[str, ...] = ()
