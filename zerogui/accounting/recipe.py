"""What training keeps per parameter: weights, gradients, optimizer tensors, with dtypes."""

from dataclasses import dataclass, field

from zerogui.accounting.dtype import dtype_named
from zerogui.accounting.errors import InputError, check_name, shown

MASTER_WEIGHTS = "master weights"
COVERAGES = ("all", "matrices", "rest", "factors")
MAX_COMPONENTS = 64


@dataclass(frozen=True)
class OptimizerTensor:
    """One optimizer tensor of a recipe; ``over`` names the parameters that it covers.

    ``all``; ``matrices``: 2-D tensors that are no embedding or head (Muon's momentum); ``rest``:
    all others; ``factors``: row and column factors (Adafactor's second moment).
    """

    name: str
    dtype: str
    over: str = "all"


@dataclass(frozen=True)
class Recipe:
    """Dtypes by role. ``accumulation`` None means that gradients accumulate in place."""

    name: str = ""
    weights: str = "bf16"
    gradients: str = "bf16"
    optimizer: tuple[OptimizerTensor, ...] = field(default=())
    frozen_weights: str = "bf16"
    accumulation: str | None = None

    def __post_init__(self) -> None:
        for role in ("weights", "gradients", "frozen_weights"):
            dtype_named(getattr(self, role), f"recipe.{role}")
        if self.accumulation is not None:
            dtype_named(self.accumulation, "recipe.accumulation")
        if len(self.optimizer) > MAX_COMPONENTS:
            raise InputError(
                "recipe.optimizer",
                f"has {len(self.optimizer):,} tensors",
                f"keep at most {MAX_COMPONENTS}",
            )
        seen: set[str] = set()
        for index, tensor in enumerate(self.optimizer):
            path = f"recipe.optimizer[{index}]"
            dtype_named(tensor.dtype, f"{path}.dtype")
            if tensor.over not in COVERAGES:
                raise InputError(
                    f"{path}.over", f"is {shown(tensor.over)}", f"use one of {', '.join(COVERAGES)}"
                )
            check_name(f"{path}.name", tensor.name, needed=True)
            if tensor.name in seen:
                raise InputError(
                    f"{path}.name",
                    f"is {shown(tensor.name)} again",
                    "give each tensor a name of its own",
                )
            seen.add(tensor.name)


def adam(master: str | None, moments: str) -> tuple[OptimizerTensor, ...]:
    """Adam's optimizer tensors: a master copy (if any) and two moments."""
    kept = (OptimizerTensor(MASTER_WEIGHTS, master),) if master else ()
    return (
        *kept,
        OptimizerTensor("first moment", moments),
        OptimizerTensor("second moment", moments),
    )


# ZeRO paper section 3.1: 2 + 2 + K with K = 12.
MIXED_PRECISION_ADAM = Recipe("Mixed-precision Adam", "bf16", "bf16", adam("fp32", "fp32"))
