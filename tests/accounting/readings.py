"""How the sources of published.json counted, cell by cell, in terms of our accounting.

Each reading gives bytes (or, for cells in bytes per parameter, a quotient). What a source counts
beside model states is added by hand here and said in a comment; all else comes out of a budget.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tests.accounting.cells import Cell
from tests.accounting.scenes import at, keeps, plan
from zerogui.accounting.budget import StageBudget
from zerogui.accounting.capacity import largest_model
from zerogui.accounting.dtype import DTYPES
from zerogui.accounting.holdings import Slice
from zerogui.accounting.recipe import MIXED_PRECISION_ADAM, Recipe, adam

# Divisible by all workers and block sizes of these cells, so that quotients are exact.
MANY = 2**20
ADAM = adam("fp32", "fp32")
MOMENTS = adam(None, "fp32")
Amount = int | Fraction


def mean(found: StageBudget) -> Fraction:
    """Bytes of a rank where the source splits elements too."""
    return Fraction(found.cluster_total, found.workers)


def scenario_of(cell: Cell) -> Fraction:
    """Ψ, N, stage and the paper's 2 + 2 + 12, or 2 + 2 + 4 + 12 with fp32 accumulation."""
    inputs = cell["inputs"]
    widths = list(inputs["bytes_per_param"].values())
    recipe = {
        (2, 2, 12): MIXED_PRECISION_ADAM,
        (2, 2, 4, 12): Recipe(optimizer=ADAM, accumulation="fp32"),
    }[tuple(widths)]
    found = at(
        plan(inputs["parameters"], workers=inputs["workers"], recipe=recipe), inputs["stage"]
    )
    return mean(found)


def largest(cell: Cell) -> int:
    inputs = cell["inputs"]
    part = Slice.of(plan(1, workers=inputs["workers"], m=inputs["mp_degree"]))
    answer = largest_model(part, inputs["stage"], inputs["device_bytes"])
    assert answer.value is not None
    return answer.value


# --- DeepSpeed's estimator -----------------------------------------------------------------------
# DeepSpeed docs/code-docs/source/memory.rst: 18 bytes per parameter are 2 (fp16 weights) + 4 (fp32
# weights) + 4 (gradients, counted in fp32 although the fp32 ones live only during the step) + 8
# (momentum and variance). So its recipe is fp16 weights, fp32 gradients, Adam with master weights.
ESTIMATOR = Recipe(weights="fp16", gradients="fp32", optimizer=ADAM)
BUFFER = Fraction(3, 2)  # additional_buffer_factor: the source's own margin, no model state


def estimator_budget(cell: Cell, parameters: int) -> StageBudget:
    inputs = cell["inputs"]
    gpus = inputs.get("gpus_per_node", inputs.get("workers"))
    return at(
        plan(
            parameters,
            "deepspeed",
            gpus,
            recipe=ESTIMATOR,
            per_node=gpus,
            offload_optimizer="host" if inputs.get("offload_optimizer") else "device",
            offload_weights="host" if inputs.get("offload_param") else "device",
        ),
        inputs["stage"],
    )


def loading(parameters: int, gpus: int) -> int:
    """PyTorch builds the model in fp32 in each process of a node before training starts."""
    return (
        at(plan(parameters, workers=gpus, recipe=keeps(weights="fp32")), 0)
        .states["parameters"]
        .total(gpus)
    )


def gathered_layer(parameters: int) -> int:
    """Transient: the largest layer's fp16 weights, gathered, and its fp16 gradients."""
    return 2 * DTYPES["fp16"].bytes(parameters)


def estimated(cell: Cell, more: int = 0) -> Amount:
    """One cell of the estimator, with ``more`` elements than the printed inputs say."""
    inputs = cell["inputs"]
    parameters = inputs["parameters"] + more
    layer = inputs.get("largest_layer_params", 0) + more
    gpus, stage = inputs["gpus_per_node"], inputs["stage"]
    found = estimator_budget(cell, parameters)
    host = found.node("host", gpus)
    if "-gpu" in cell["id"]:
        device = found.device_peak
        if stage == 3:
            return device + gathered_layer(layer)
        # Stage 2 without offload, code before commit f4cb866c2: also the fp16 gradients of a
        # whole backward, which live only until they are reduced.
        return device if host else device + DTYPES["fp16"].bytes(parameters)
    if stage == 3 and inputs["zero_init"]:
        # Without offload one fp32 layer in each process while the weights are handed out.
        return BUFFER * (host or loading(layer, gpus))
    return BUFFER * max(loading(parameters, gpus), host)


def worked_example(cell: Cell) -> int:
    """memory.rst's t5-large on 4 GPUs: the layer, no offload, both offloads, optimizer only."""
    case = cell["id"].removeprefix("ds-t5-large-")
    offloads = {"largest": (True, True), "case1": (False, False), "case2": (True, True)}
    optimizer, weights = offloads.get(case, (True, False))
    inputs = {**cell["inputs"], "offload_optimizer": optimizer, "offload_param": weights}
    found = estimator_budget({"inputs": inputs}, inputs["parameters"])
    return found.device_peak + gathered_layer(inputs["largest_layer_params"])


# --- Bytes per parameter, and states of one rank -------------------------------------------------
def per_parameter(recipe: Recipe, *states: str, workers: int = 1, stage: int = 0) -> Fraction:
    held = at(plan(MANY, workers=workers, recipe=recipe), stage).held(0)
    wanted = states or ("parameters", "gradients", "optimizer")
    return Fraction(sum(getattr(held, state) for state in wanted), MANY)


def megatron(cell: Cell) -> Fraction:
    """Megatron's distributed optimizer is ZeRO-1; it shards an fp32 copy of fp16 gradients."""
    inputs = cell["inputs"]
    dtypes = inputs["param_dtype"], inputs["grad_dtype"]
    optimizer = {
        ("fp16", "fp16"): keeps("fp32", "fp32", "fp32", "fp32").optimizer,
        ("bf16", "fp32"): ADAM,
        ("fp32", "fp32"): MOMENTS,
    }[dtypes]
    recipe = Recipe(weights=dtypes[0], gradients=dtypes[1], optimizer=optimizer)
    return per_parameter(recipe, workers=inputs["workers"], stage=1)


def states(count: int, recipe: Recipe, *names: str) -> int:
    """Bytes of some states of an unsharded model."""
    held = at(plan(count, workers=1, recipe=recipe), 0).held(0)
    return sum(getattr(held, state) for state in names)


def optimizer_of(billions: str, *dtypes: str) -> Callable[[Any], int]:
    count = int(Decimal(billions) * 10**9)
    return lambda _: states(count, keeps(*dtypes), "optimizer")


def saved(billions: str) -> Callable[[Any], int]:
    """8-bit Optimizers, Table 1: two fp32 moments less two of one byte each."""
    count = int(Decimal(billions) * 10**9)
    return lambda _: (
        states(count, keeps("fp32", "fp32"), "optimizer")
        - states(count, keeps("int8", "int8"), "optimizer")
    )


def text(stage: int, billions: str, workers: int, *names: str) -> Callable[[Any], int]:
    """The paper's sentences: some states of a rank under 2 + 2 + 12."""
    count = int(Decimal(billions) * 10**9)

    def read(_: Any) -> int:
        held = at(plan(count, workers=workers), stage).held(0)
        return sum(getattr(held, state) for state in names or ("total",))

    return read


def lomo(recipe: Recipe, *names: str) -> Callable[[Cell], int]:
    return lambda cell: states(cell["inputs"]["parameters"], recipe, *names)


# Hugging Face's estimator weighs a loaded module: beside the weights two int64 buffers of 512
# positions, 8,192 bytes, which it scales with the dtype; training with Adam is four times that.
BERT_BUFFERS = 8_192
ALL = ("parameters", "gradients", "optimizer")


def weighed(dtype: str, scale: int, *optimizer: str) -> Callable[[Cell], int]:
    recipe = keeps(*optimizer, weights=dtype, gradients=dtype)
    names = ALL if optimizer else ALL[:1]
    times = 4 if optimizer else 1
    return lambda cell: (
        states(cell["inputs"]["parameters"], recipe, *names) + times * BERT_BUFFERS // scale
    )


BERT_EMBEDDING = 28_996 * 768  # bert-base-cased: vocabulary × hidden size
ACCUMULATING = Recipe(optimizer=ADAM, accumulation="fp32")
MIXED = MIXED_PRECISION_ADAM

Reading = Callable[[Cell], Amount]

BY_ID: dict[str, Reading] = {
    # ZeRO paper 3.1, 1 and DeepSpeed's ZeRO tutorial
    "zero-text-0": text(0, "1.5", 1),
    "zero-text-1": text(0, "1.5", 1, "parameters"),
    "zero-text-4": text(0, "1000", 1),
    "zero-text-5": text(3, "1000", 1024),
    "zero-text-6": text(0, "1.5", 1, "optimizer"),
    "zero-text-7": text(1, "1.5", 8, "optimizer"),
    # LOMO Table 1: LLaMA-7B in fp16; its SGD keeps an fp32 copy of the weights and nothing else
    "lomo-t1-params": lomo(MIXED, "parameters"),
    "lomo-t1-adamw_grads": lomo(MIXED, "gradients"),
    "lomo-t1-adamw_optim": lomo(MIXED, "optimizer"),
    "lomo-t1-sgd_optim": lomo(keeps("fp32"), "optimizer"),
    "lomo-t1-adamw-states": lomo(MIXED, *ALL),
    # Hugging Face Accelerate, bert-base-cased
    "accelerate-bert-0": weighed("fp32", 1),
    "accelerate-bert-1": weighed("fp32", 1),
    "accelerate-bert-2": weighed("fp16", 2),
    "accelerate-bert-3": weighed("fp32", 1, "fp32", "fp32"),
    "accelerate-bert-4": weighed("fp16", 2, "fp16", "fp16"),
    "accelerate-bert-5": lambda _: states(BERT_EMBEDDING, keeps(weights="fp32"), "parameters"),
    "accelerate-bert-6": weighed("int8", 4),
    # 8-bit Optimizers: the paper leaves out the block scales, so its 8-bit states are plain int8
    "bnb-0": optimizer_of("1", "fp32"),
    "bnb-1": optimizer_of("1", "fp32", "fp32"),
    "bnb-2": optimizer_of("1", "int8"),
    "bnb-3": optimizer_of("1", "int8", "int8"),
    "bnb-4": optimizer_of("1.5", "fp32", "fp32"),
    "bnb-5": optimizer_of("11", "fp32", "fp32"),
    "bnb-6": saved("1.5"),
    "bnb-7": saved("0.355"),
    "bnb-8": saved("0.125"),
    "bnb-9": saved("0.35"),
    # ... and the program counts them, in blocks of 256
    "bnb-code-2state": lambda _: per_parameter(
        keeps("int8-block256", "int8-block256"), "optimizer"
    ),
    "bnb-code-1state": lambda _: per_parameter(keeps("int8-block256"), "optimizer"),
    # Bytes per parameter, as different sources count them
    "bpp-0": lambda _: per_parameter(Recipe(gradients="fp32", optimizer=ADAM)),
    "bpp-1": lambda _: per_parameter(keeps("fp32", weights="fp32", gradients="fp32")),
    "bpp-2": lambda _: per_parameter(
        Recipe(weights="fp32", optimizer=MOMENTS), "parameters", "optimizer"
    ),
    "bpp-3": lambda _: per_parameter(ACCUMULATING),
    "bpp-4": lambda _: per_parameter(ACCUMULATING),
    "bpp-5": lambda _: per_parameter(MIXED),
    "bpp-6": lambda _: per_parameter(ESTIMATOR),
    "bpp-7": lambda _: per_parameter(ACCUMULATING),
    "bpp-8": lambda _: per_parameter(keeps("bf16", "bf16")),
    # Current code of the estimator: the fp16 gradients too are counted in parts, 2·P/N
    **{
        f"ds-t5-3b-z2-{kind}-off0-gpu-currentcode": lambda cell: (
            estimator_budget(cell, cell["inputs"]["parameters"]).device_peak
            + Fraction(
                DTYPES["fp16"].bytes(cell["inputs"]["parameters"]), cell["inputs"]["gpus_per_node"]
            )
        )
        for kind in ("live", "cold")
    },
    **{f"ds-t5-large-{case}": worked_example for case in ("largest", "case1", "case2", "case3")},
}

BY_GROUP: dict[str, Reading] = {
    "seed": scenario_of,
    "zero-fig1": scenario_of,
    "zero-table1": scenario_of,
    "zero-table2": largest,
    "deepspeed-estimator": estimated,
    "ultrascale": scenario_of,
    "megatron-bytes": megatron,
}


def reading(cell: Cell) -> Reading | None:
    """How our accounting gives this cell; None where it speaks of something else."""
    return BY_ID.get(cell["id"]) or BY_GROUP.get(cell["group"])
