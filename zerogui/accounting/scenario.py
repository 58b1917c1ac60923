"""The frozen input of everything: model, recipe, cluster, sharding and device."""

from dataclasses import dataclass, field

from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.errors import InputError, check_name
from zerogui.accounting.model import Model
from zerogui.accounting.recipe import MIXED_PRECISION_ADAM, Recipe
from zerogui.accounting.rules import rule_named
from zerogui.accounting.sharding import Sharding


@dataclass(frozen=True)
class Scenario:
    """One plan, complete and valid by itself. Raises InputError for groups that do not divide N."""

    title: str = ""
    model: Model = field(default_factory=lambda: Model(parameters=10**9))
    recipe: Recipe = MIXED_PRECISION_ADAM
    cluster: Cluster = field(default_factory=Cluster)
    sharding: Sharding = field(default_factory=Sharding)
    device: Device | None = None

    def __post_init__(self) -> None:
        rule_named(self.sharding.rule).check(self.sharding)
        check_name("title", self.title)
        for name in ("group", "secondary_group"):
            value = getattr(self.sharding, name)
            if value is not None and self.cluster.workers % value:
                raise InputError(
                    f"sharding.{name}",
                    f"is {value:,}, which does not divide the {self.cluster.workers:,} workers",
                    "use a divisor or null",
                )

    @property
    def group(self) -> int:
        """G, the size of one shard group."""
        return self.sharding.group or self.cluster.workers
