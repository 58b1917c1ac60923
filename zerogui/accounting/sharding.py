"""How states are partitioned and where they live: the choices beside model and cluster."""

from dataclasses import dataclass

from zerogui.accounting.cluster import MAX_WORKERS
from zerogui.accounting.errors import InputError, shown, within
from zerogui.accounting.model import MAX_ELEMENTS

STAGES = (0, 1, 2, 3)
TIERS = ("device", "host", "nvme")


@dataclass(frozen=True)
class Sharding:
    """How states are partitioned. ``group`` None: all N workers; secondary None: no hpZ."""

    rule: str = "even"
    stage: int = 0
    group: int | None = None
    secondary_group: int | None = None
    persistence_threshold: int = 0
    offload_optimizer: str = "device"
    offload_weights: str = "device"

    def __post_init__(self) -> None:
        within("sharding.stage", self.stage, 0, 3)
        within("sharding.persistence_threshold", self.persistence_threshold, 0, MAX_ELEMENTS)
        for name in ("group", "secondary_group"):
            value = getattr(self, name)
            if value is not None:
                within(f"sharding.{name}", value, 1, MAX_WORKERS)
        for name in ("offload_optimizer", "offload_weights"):
            if getattr(self, name) not in TIERS:
                raise InputError(
                    f"sharding.{name}",
                    f"is {shown(getattr(self, name))}",
                    f"use one of {', '.join(TIERS)}",
                )
