"""The panel's Cluster section: workers, GPUs per node, model parallel degree."""

from zerogui.accounting.cluster import MAX_WORKERS, Cluster
from zerogui.accounting.scenario import Scenario
from zerogui.gui.inputs.field_row import FieldRow
from zerogui.gui.inputs.number_box import NumberBox
from zerogui.gui.inputs.section import Section
from zerogui.gui.inputs.steps import step_workers
from zerogui.gui.theme import Ink
from zerogui.gui.widgets.caption import Caption
from zerogui.gui.widgets.stack import Stack
from zerogui.planning import edits
from zerogui.planning.quantities import count_text, group_digits, parse_count


class ClusterSection(Section):
    """How many GPUs there are, and how they are used."""

    def __init__(self) -> None:
        super().__init__("Cluster")
        self._workers = _small_box()
        self._per_node = _small_box()
        self._model_parallel = _small_box()
        for row in (
            FieldRow(
                "workers",
                "Workers &N",
                self._workers,
                "Data-parallel degree: how many copies of the model train together; Page Up"
                " and Page Down go to the next power of two.",
            ),
            FieldRow(
                "workers_per_node",
                "GP&Us per node",
                self._per_node,
                "How many GPUs share one host, whose memory takes what is offloaded.",
            ),
            FieldRow(
                "model_parallel",
                "Model paralle&l M",
                self._model_parallel,
                "Tensor times pipeline degree: into how many slices each copy of the model"
                " is cut before data parallelism.",
            ),
        ):
            self.add_row(row)
        self._product = Caption(ink=Ink.MUTED, delta=-1, wrap=True)
        self._product.setObjectName("gpus")
        self.add(Stack((self._product,), 0))
        self._workers.committed.connect(lambda n: self.edited.emit(edits.set_workers(n)))
        self._per_node.committed.connect(lambda n: self.edited.emit(edits.set_workers_per_node(n)))
        self._model_parallel.committed.connect(
            lambda n: self.edited.emit(edits.set_model_parallel(n))
        )

    def inputs(self, scenario: Scenario, unit: str) -> tuple[object, ...]:
        """What the fields show."""
        return (scenario.cluster,)

    def show_scenario(self, scenario: Scenario, unit: str) -> None:
        """Show ``scenario``; no signal."""
        cluster = scenario.cluster
        self._workers.set_value(cluster.workers)
        self._per_node.set_value(cluster.workers_per_node)
        self._model_parallel.set_value(cluster.model_parallel)
        self._product.setText(gpus_line(cluster))


def gpus_line(cluster: Cluster) -> str:
    """ "N × M = 32 GPUs on 4 nodes", and how full the last node is if it is not."""
    gpus = cluster.workers * cluster.model_parallel
    nodes, rest = divmod(gpus, cluster.workers_per_node)
    nodes += rest > 0
    text = f"N × M = {_counted(gpus, 'GPU')} on {_counted(nodes, 'node')}"
    if rest and nodes > 1:
        text += f", the last with {group_digits(rest)}"
    return text


def _counted(n: int, noun: str) -> str:
    return f"{group_digits(n)} {noun}{'' if n == 1 else 's'}"


def _small_box() -> NumberBox:
    return NumberBox(parse_count, count_text, step_workers, 1, MAX_WORKERS)
