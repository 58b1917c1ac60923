"""The plans that the tests of planning speak about, and how they read a text."""

from dataclasses import replace

from hypothesis import strategies as st

from tests.accounting.scenes import plan
from tests.accounting.strategies import scenarios
from zerogui.accounting.cluster import Device
from zerogui.accounting.scenario import Scenario

H100 = Device("H100 80GB", 85_520_809_984)  # nvidia-smi: 81559 MiB
CARD = "Card"

# 16.0, 7.0, 5.5, 4.0 GB.
SEED = plan(1_000_000_000)
# ZeRO paper Figure 1: 120, 31.40625, 16.640625, 1.875 GB.
FIGURE_1 = plan(7_500_000_000, workers=64, stage=2)


def on(scenario: Scenario, device: Device | int | None, stage: int | None = None) -> Scenario:
    """``scenario`` on ``device`` (or a card of so many bytes), at ``stage``."""
    if isinstance(device, int):
        device = Device(CARD, device)
    if stage is None:
        return replace(scenario, device=device)
    return replace(scenario, device=device, sharding=replace(scenario.sharding, stage=stage))


def plain(text: str) -> str:
    """``text`` with ordinary spaces for thin and no-break ones."""
    return text.replace("\u2009", " ").replace("\u00a0", " ")


CARDS = st.builds(Device, st.sampled_from(["", "H100"]), st.integers(0, 20_000), st.integers(0, 99))


def planned(devices: st.SearchStrategy[Device | None]) -> st.SearchStrategy[Scenario]:
    """Small random scenarios of all rules and stages, offered or not."""
    return st.builds(on, scenarios(), devices, st.integers(0, 3))
