"""What a config's comment says of the bytes that each rank will hold."""

from collections.abc import Sequence
from textwrap import wrap

from zerogui.accounting.budget import budget
from zerogui.accounting.errors import printable
from zerogui.accounting.holdings import Slice
from zerogui.accounting.scenario import Scenario

_WIDTH = 96


def expected_bytes(scenario: Scenario) -> str:
    """Bytes of model states on the fullest rank at the scenario's stage, in words."""
    stage = budget(Slice.of(scenario), scenario.sharding.stage)
    held = stage.held(stage.most_loaded)
    workers = scenario.cluster.workers
    rank = f"on the fullest of {workers:,} ranks" if workers > 1 else "on the one rank"
    text = (
        f"{held.total:,} bytes of model states {rank}: parameters {held.parameters:,},"
        f" gradients {held.gradients:,}, optimizer {held.optimizer:,}"
    )
    if stage.device_peak != held.total:
        text += f"; {stage.device_peak:,} bytes of a rank are on the device"
    return text if stage.exact else f"{text} (approximate)"


def commented(planned: Scenario, written: Scenario, lost: Sequence[str]) -> list[str]:
    """Comment lines (each with its ``#``) above a config that makes ``written`` of ``planned``."""
    sentences = [f"Expected: {expected_bytes(written)}."]
    if planned.title.strip():
        sentences.insert(0, f"Plan: {printable(planned.title.strip())}")
    sentences += [f"Not expressed here: {sentence}" for sentence in lost]
    return [
        line
        for sentence in sentences
        for line in wrap(sentence, _WIDTH, initial_indent="# ", subsequent_indent="#   ")
    ]
