"""The hardware: how many workers and GPUs, and what one device holds."""

from dataclasses import dataclass

from zerogui.accounting.errors import check_name, within

MAX_WORKERS = 2**20
MAX_BYTES = 10**18


@dataclass(frozen=True)
class Cluster:
    """N data-parallel ``workers`` × M ``model_parallel`` = GPUs, ``workers_per_node`` to a node."""

    workers: int = 4
    workers_per_node: int = 8
    model_parallel: int = 1

    def __post_init__(self) -> None:
        within("cluster.workers", self.workers, 1, MAX_WORKERS)
        within("cluster.workers_per_node", self.workers_per_node, 1, MAX_WORKERS)
        within("cluster.model_parallel", self.model_parallel, 1, MAX_WORKERS)


@dataclass(frozen=True)
class Device:
    """An accelerator: ``memory`` bytes, of which ``reserve`` are kept for residual states."""

    name: str
    memory: int
    reserve: int = 0

    def __post_init__(self) -> None:
        within("device.memory", self.memory, 0, MAX_BYTES)
        within("device.reserve", self.reserve, 0, MAX_BYTES)
        check_name("device.name", self.name)

    @property
    def usable(self) -> int:
        """Bytes left for model states; negative where the reserve exceeds the memory."""
        return self.memory - self.reserve
