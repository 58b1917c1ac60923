"""Plans that tell their version in every part, so that a mixture of two is noticed."""

from zerogui.accounting.cluster import Cluster
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.scenario import Scenario


def version(number: int) -> Scenario:
    """Version ``number``: some hundred kilobytes, of another length each time."""
    names = (f"version.{number}.{k}" for k in range(800 + 37 * (number % 20)))
    model = Model.of(f"v{number}", tuple(Tensor(name, (number, 2)) for name in names))
    return Scenario(f"version {number}", model, cluster=Cluster(workers=number))


def number_of(plan: Scenario) -> int:
    """Which version ``plan`` is; it fails unless all of it is."""
    number = plan.cluster.workers
    assert plan == version(number)
    return number
