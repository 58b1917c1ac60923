"""A second accounting, written out rank by rank from the table of rules, to compare ours with.

Slow and plain on purpose: one list of buffers for each rank and state, no runs, no shared code.
"""

from collections import Counter
from dataclasses import dataclass

from zerogui.accounting.model import Tensor
from zerogui.accounting.scenario import Scenario

WIDTHS = {"fp32": 4, "bf16": 2, "fp16": 2, "fp8": 1, "int8": 1}


def ceil(n: int, d: int) -> int:
    return (n + d - 1) // d


def price(dtype: str, n: int) -> int:
    """Bytes of one buffer of n elements."""
    if dtype in WIDTHS:
        return WIDTHS[dtype] * n
    half, blocks = ceil(n, 2), ceil(n, 64)
    return {
        "int4": half,
        "int8-block256": n + 4 * ceil(n, 256),
        "nf4-block64": half + 4 * blocks,
        "nf4-double": half + blocks + 4 * ceil(blocks, 256),
    }[dtype]


def size(tensor: Tensor) -> int:
    n = 1
    for length in tensor.shape:
        n *= length
    return n


def covered(tensor: Tensor, over: str) -> int:
    """Elements that an optimizer tensor keeps for one parameter tensor."""
    head = tensor.name.split(".")[-1] in ("embed", "wte", "lm_head")
    matrix = len(tensor.shape) == 2 and not head
    if over == "factors" and len(tensor.shape) >= 2:
        return size(tensor) // tensor.shape[-1] + size(tensor) // tensor.shape[-2]
    keeps = {"all": True, "factors": True, "matrices": matrix, "rest": not matrix}
    return size(tensor) if keeps[over] else 0


@dataclass(frozen=True)
class Held:
    """One state of one rank: its buffers (elements), what it is, and where it lives."""

    state: str
    dtype: str
    tier: str
    buffers: tuple[int, ...]
    sharded: bool
    copy: bool = False

    @property
    def size(self) -> int:
        return sum(price(self.dtype, n) for n in self.buffers)


class Reference:
    """What rank r holds at a stage, for r = 0 .. N-1."""

    def __init__(self, scenario: Scenario, stage: int, workers: int | None = None) -> None:
        self.scenario, self.stage = scenario, stage
        self.rule, self.sharding = scenario.sharding.rule, scenario.sharding
        self.workers = workers or scenario.cluster.workers
        self.group = self.sharding.group or self.workers
        self.trainable = self.part(frozen=False)
        self.frozen = self.part(frozen=True)
        self.owners = self.greedy() if self.rule == "torch-zero1" and stage == 1 else []
        pattern = [self.rank(shard) for shard in range(self.group)]
        self.ranks = [pattern[r % self.group] for r in range(self.workers)]

    def part(self, frozen: bool) -> list[Tensor]:
        """Single tensors of one slice; one flat one where the shapes are not known."""
        model, m = self.scenario.model, self.scenario.cluster.model_parallel
        if model.tensors is None or m > 1:
            total = model.frozen_parameters
            n = ceil(total if frozen else model.parameters - total, m)
            return [Tensor("flat", (n,), frozen)] if n else []
        return [
            Tensor(t.name, t.shape, frozen)
            for t in model.tensors
            for _ in range(t.count)
            if t.frozen == frozen
        ]

    def greedy(self) -> list[int]:
        """Owner of each trainable tensor under torch-zero1."""
        order = sorted(range(len(self.trainable)), key=lambda i: (-size(self.trainable[i]), i))
        load = [0] * self.group
        owners = [0] * len(self.trainable)
        for i in order:
            owners[i] = load.index(min(load))
            load[owners[i]] += size(self.trainable[i])
        return owners

    def aligned(self) -> int:
        total = sum(size(t) for t in self.trainable)
        while total % (2 * self.group):
            total += 1
        return total

    def whole(self, tensors: list[Tensor], role: str) -> list[int]:
        """Buffers of a replicated state."""
        sizes = [size(t) for t in tensors]
        if self.rule == "even":
            return [sum(sizes)]
        flat = role in ("weights", "accumulation") and tensors is self.trainable
        if self.rule == "deepspeed" and self.stage in (1, 2) and flat:
            return [self.aligned()]
        return sizes

    def shard(self, tensors: list[Tensor], role: str, r: int) -> list[int]:
        """Buffers of rank r's part of a partitioned state."""
        g = self.group
        if self.rule == "even":
            total = sum(size(t) for t in tensors)
            return [total // g + (r < total % g)]
        if self.rule == "deepspeed" and self.stage < 3:
            return [self.aligned() // g]
        if self.rule == "deepspeed":
            return [ceil(size(t), g) for t in tensors]
        if self.rule == "torch-zero1":
            return [size(t) for t, owner in zip(tensors, self.owners, strict=True) if owner == r]
        held = []
        for tensor in tensors:
            rows = tensor.shape[0] if tensor.shape else 1
            chunk = ceil(rows, g)
            mine = min(chunk, max(0, rows - r * chunk)) if role == "optimizer" else chunk
            held.append(mine * (size(tensor) // rows) if rows else 0)
        return held

    def partial(self, over: str, r: int) -> list[int]:
        """Buffers of an optimizer tensor that covers some of the elements."""
        counts = [covered(t, over) for t in self.trainable]
        if self.rule == "even":
            share, longer = divmod(sum(counts), self.group)
            return [sum(counts)] if self.stage == 0 else [share + (r < longer)]
        if self.stage == 0:
            return counts
        if self.rule == "torch-zero1":
            return [n for n, owner in zip(counts, self.owners, strict=True) if owner == r]
        mine = sum(self.shard(self.trainable, "optimizer", r))
        whole = sum(size(t) for t in self.trainable)
        return [ceil(mine * sum(counts), whole) if whole else 0]

    def rank(self, r: int) -> list[Held]:
        return [*self.weights(r), *self.gradients(r), *self.optimizer(r)]

    def weights(self, r: int) -> list[Held]:
        recipe, sharding, sharded = self.scenario.recipe, self.sharding, self.stage == 3
        held = []
        for tensors, dtype in (
            (self.trainable, recipe.weights),
            (self.frozen, recipe.frozen_weights),
        ):
            cut = self.shard(tensors, "weights", r) if sharded else self.whole(tensors, "weights")
            tier = sharding.offload_weights if sharded else "device"
            held.append(Held("parameters", dtype, tier, tuple(cut), sharded))
            if self.rule == "deepspeed" and sharded:
                n, h = self.workers, sharding.secondary_group
                small = [size(t) for t in tensors if size(t) <= sharding.persistence_threshold]
                held.append(Held("parameters", dtype, "device", tuple(small), False, True))
                second = [n * ceil(size(t), n) // h for t in tensors] if h else []
                held.append(Held("parameters", dtype, "device", tuple(second), False, True))
        return held

    def gradients(self, r: int) -> list[Held]:
        recipe, tensors = self.scenario.recipe, self.trainable
        if self.stage >= 2:
            dtype = recipe.accumulation or recipe.gradients
            follows = self.rule == "deepspeed" and self.sharding.offload_optimizer != "device"
            cut = tuple(self.shard(tensors, "gradients", r))
            return [Held("gradients", dtype, "host" if follows else "device", cut, True)]
        whole = tuple(self.whole(tensors, "gradients"))
        held = [Held("gradients", recipe.gradients, "device", whole, False)]
        if recipe.accumulation:
            buffer = tuple(self.whole(tensors, "accumulation"))
            held.append(Held("gradients", recipe.accumulation, "device", buffer, False))
        return held

    def optimizer(self, r: int) -> list[Held]:
        recipe, sharded = self.scenario.recipe, self.stage >= 1
        kept = [(t.name, t.dtype, t.over) for t in recipe.optimizer]
        lacks_master = all(name != "master weights" for name, _, _ in kept)
        if self.rule == "deepspeed" and sharded and recipe.weights == "fp32" and lacks_master:
            kept.append(("master weights", "fp32", "all"))
        held = []
        for _, dtype, over in kept:
            if over != "all":
                cut = self.partial(over, r)
            elif sharded:
                cut = self.shard(self.trainable, "optimizer", r)
            else:
                cut = self.whole(self.trainable, "optimizer")
            tier = self.sharding.offload_optimizer if sharded else "device"
            held.append(Held("optimizer", dtype, tier, tuple(cut), sharded))
        return held

    def bytes(self, r: int, **where: str) -> int:
        """Bytes of rank r, of one state or on one tier where given."""
        return sum(
            held.size
            for held in self.ranks[r]
            if all(getattr(held, key) == value for key, value in where.items())
        )

    def elements(self, r: int) -> Counter[tuple[str, str, str, bool]]:
        """Elements of rank r by state, dtype, tier and whether they are copies."""
        found: Counter[tuple[str, str, str, bool]] = Counter()
        for held in self.ranks[r]:
            found[held.state, held.dtype, held.tier, held.copy] += sum(held.buffers)
        return +found

    def peak(self) -> int:
        """The largest device bytes of any rank."""
        return max(self.bytes(r, tier="device") for r in range(self.group))
