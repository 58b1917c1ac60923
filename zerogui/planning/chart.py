"""What the stage chart shows: bars, segments, labels, the device line and the ticks."""

from typing import NamedTuple

from zerogui.accounting.errors import printable
from zerogui.accounting.scenario import Scenario
from zerogui.planning.quantities import (
    NO_BREAK_SPACE,
    UNITS,
    format_bytes,
    group_digits,
    rounded,
)
from zerogui.planning.report import NotOffered, Report, StageReport
from zerogui.planning.sentences import device_name

# A device line farther up than this many times the tallest bar would flatten every bar.
FARTHEST_LINE = 3
_TICKS_AT_MOST = 6


class Segment(NamedTuple):
    """One component in a bar: ``bytes`` high, coloured by ``role``, with its figure and formula."""

    role: str
    state: str
    name: str
    bytes: int
    figure: str
    formula: str
    on_device: bool = True


class Bar(NamedTuple):
    """One stage. ``over`` says by how much it does not fit; ``reason`` why it is not offered."""

    stage: int
    label: str
    caption: str
    segments: tuple[Segment, ...]
    total: int
    figure: str
    over: str | None
    elsewhere: str | None
    reason: str | None
    selected: bool

    @property
    def short_caption(self) -> str:
        """What is partitioned, in the paper's symbols, where there is no room for words."""
        return ("baseline", "P_os", "P_os+g", "P_os+g+p")[self.stage]


class DeviceLine(NamedTuple):
    """The bytes that model states may take; ``in_range`` False where the line lies too far up."""

    usable: int
    name: str
    size: str
    in_range: bool


class ChartModel(NamedTuple):
    """The whole chart; ``top`` is the largest byte value on the axis (without label room)."""

    bars: tuple[Bar, ...]
    device: DeviceLine | None
    top: int
    ticks: tuple[tuple[float, str], ...]
    unit: str
    axis_title: str
    legend: tuple[tuple[str, str], ...]
    description: str


def chart_model(report: Report) -> ChartModel:
    """The chart of ``report`` in its unit."""
    unit = report.unit
    tallest = max((stage.rank.total for stage in report.offered), default=0)
    line = _device_line(report.scenario, tallest, unit)
    top = max(tallest, line.usable if line and line.in_range else 0) or UNITS[unit]
    return ChartModel(
        bars=tuple(_bar(stage, report) for stage in report.stages),
        device=line,
        top=top,
        ticks=ticks(top, unit),
        unit=unit,
        axis_title=f"{unit} per rank",
        legend=_legend(report),
        description=f"{report.title}. {report.verdict}.",
    )


def _bar(stage: StageReport | NotOffered, report: Report) -> Bar:
    selected = stage.stage == report.scenario.sharding.stage
    if isinstance(stage, NotOffered):
        return Bar(
            stage.stage, stage.label, stage.caption, (), 0, "", None, None, stage.reason, selected
        )
    unit = report.unit
    figure = chart_figure(stage.rank.total, unit)
    over = None
    if stage.free is not None and stage.free < 0:
        over = f"over by {chart_figure(-stage.free, unit, 3)}{NO_BREAK_SPACE}{unit}"
    away = stage.rank.total - stage.tiers["device"]
    elsewhere = f"{chart_figure(away, unit, 3)}{NO_BREAK_SPACE}{unit} off device" if away else None
    return Bar(
        stage=stage.stage,
        label=stage.label,
        caption=stage.caption,
        segments=tuple(
            Segment(
                line.role,
                line.state,
                line.name,
                line.bytes,
                chart_figure(line.bytes, unit),
                line.shown_formula,
                line.tier == "device",
            )
            # What is off the device stands on top, clear of the device's line.
            for line in sorted(stage.components, key=lambda line: line.tier != "device")
        ),
        total=stage.rank.total,
        figure=figure if stage.exact else f"≈{NO_BREAK_SPACE}{figure}",
        over=over,
        elsewhere=elsewhere,
        reason=None,
        selected=selected,
    )


def chart_figure(n: int, unit: str, digits: int = 4) -> str:
    """``n`` bytes in at most ``digits`` significant digits, the whole part rounded too."""
    whole = n // UNITS[unit]
    beyond = len(str(whole)) - digits
    if beyond <= 0:
        return format_bytes(n, unit, digits)
    scale = 10**beyond
    return group_digits(rounded(n, UNITS[unit] * scale) * scale)


def _device_line(scenario: Scenario, tallest: int, unit: str) -> DeviceLine | None:
    device = scenario.device
    if device is None:
        return None
    size = format_bytes(device.memory, unit, 3)
    if device.reserve:
        size += f" − {format_bytes(device.reserve, unit, 3)}"
    size += f"{NO_BREAK_SPACE}{unit}"
    in_range = 0 <= device.usable <= FARTHEST_LINE * max(tallest, 1)
    return DeviceLine(device.usable, device_name(device), size, in_range)


def _legend(report: Report) -> tuple[tuple[str, str], ...]:
    """(role, name) of every component that some stage has, in stacking order."""
    names: dict[str, list[str]] = {}
    for stage in report.offered:
        for line in stage.components:
            known = names.setdefault(line.role, [])
            if line.name not in known:
                known.append(line.name)
    shown = {"parameters": "parameters", "gradients": "gradients"}
    entries = []
    for role in ("parameters", "gradients", "master", "first", "second", "further"):
        if role in names:
            entries.append((role, shown.get(role) or printable(", ".join(names[role]), 40)))
    return tuple(entries)


def ticks(top: int, unit: str) -> tuple[tuple[float, str], ...]:
    """Round values from 0 to ``top`` bytes with their texts, positions in ``unit``."""
    size = UNITS[unit]
    exponent = len(str(top // size)) if top >= size else -len(str(size // top))
    # The smallest step of 1, 2 or 5 times a power of ten that needs few enough ticks.
    for power in range(exponent - 3, exponent + 2):
        for factor in (1, 2, 5):
            numerator, denominator = factor * 10 ** max(power, 0), 10 ** max(-power, 0)
            count = top * denominator // (numerator * size)
            if count <= _TICKS_AT_MOST:
                return tuple(
                    (k * numerator / denominator, _tick_text(k * factor, power))
                    for k in range(count + 1)
                )
    return ((0.0, "0"),)


def _tick_text(digits: int, power: int) -> str:
    if power >= 0 or digits == 0:
        return group_digits(digits * 10 ** max(power, 0))
    whole, rest = divmod(digits, 10**-power)
    fraction = f"{rest:0{-power}d}".rstrip("0")
    return f"{group_digits(whole)}.{fraction}" if fraction else group_digits(whole)
