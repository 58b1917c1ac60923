"""What the scaling view shows: device bytes against workers, one line a stage, exact at each N."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

from zerogui.accounting.capacity import device_peak
from zerogui.accounting.dtype import DTYPES
from zerogui.accounting.holdings import Slice
from zerogui.accounting.scenario import Scenario
from zerogui.planning.chart import FARTHEST_LINE, DeviceLine, chart_model, ticks
from zerogui.planning.quantities import NO_BREAK_SPACE, UNITS, format_bytes, group_digits
from zerogui.planning.report import Report, StageReport

LARGEST = 16_384  # workers; the axis goes on where the scenario has more
# What one picture may cost, in tensors that are cut plainly: about half a second.
WORK = 1_500_000
_GREEDY_WORK = 3  # a tensor that looks for its rank costs about as many
_BLOCK_WORK = 8  # and one in a format with blocks as many of its kind
_DECADES_AT_MOST = 7


@dataclass(frozen=True)
class ScalingLine:
    """One stage: ``peaks[k]`` device bytes of the most loaded rank on ``workers[k]`` workers."""

    stage: int
    label: str
    peaks: tuple[int, ...]
    selected: bool
    exact: bool


@dataclass(frozen=True)
class Crossing:
    """The fewest ``workers`` at which some stages fit, where that is more than the least shown.

    ``marks`` are (stage, device bytes at that N); ``text`` names the stages.
    """

    workers: int
    marks: tuple[tuple[int, int], ...]
    text: str


@dataclass(frozen=True)
class ScalingModel:
    """The whole picture. ``top`` and ``ticks`` are those of the linear axis.

    ``decades`` are (bytes, text) of the logarithmic axis, from below the least value to above
    the largest; ``remarks`` are sentences on what is left out or lies beyond the axis.
    """

    workers: tuple[int, ...]
    current: int
    lines: tuple[ScalingLine, ...]
    crossings: tuple[Crossing, ...]
    device: DeviceLine | None
    top: int
    ticks: tuple[tuple[float, str], ...]
    decades: tuple[tuple[float, str], ...]
    unit: str
    axis_title: str
    remarks: tuple[str, ...]
    description: str

    def exact_at(self, index: int) -> str:
        """Lines of plain text: every stage's exact bytes on ``workers[index]`` workers."""
        number = self.workers[index]
        mark = " (now)" if number == self.current else ""
        rows = [f"N = {group_digits(number)}{mark}"]
        for line in self.lines:
            about = "" if line.exact else f"≈{NO_BREAK_SPACE}"
            verdict = ""
            if self.device is not None:
                fits = line.peaks[index] <= self.device.usable
                verdict = ", fits" if fits else ", does not fit"
            size = f"{group_digits(line.peaks[index])}{NO_BREAK_SPACE}B"
            rows.append(f"{line.label}: {about}{size}{verdict}")
        if self.device is not None:
            usable = group_digits(self.device.usable)
            rows.append(f"Room on the device: {usable}{NO_BREAK_SPACE}B")
        return "\n".join(rows)


def scaling_model(report: Report) -> ScalingModel:
    """The picture of ``report``: powers of two up to 16,384, the present N and the crossings."""
    scenario = report.scenario
    part = Slice.of(scenario)
    crossings, beyond = _crossing_counts(report)
    counts, left_out = _counts(scenario, part, set(crossings.values()))
    lines = tuple(_line(stage, report, part, counts) for stage in report.offered)
    tallest = max((max(line.peaks) for line in lines), default=0)
    device = chart_model(report).device
    if device is not None:
        in_range = 0 <= device.usable <= FARTHEST_LINE * max(tallest, 1)
        device = device._replace(in_range=in_range)
    marks = _crossings(report, crossings, lines, counts, part)
    top = max(tallest, device.usable if device and device.in_range else 0, 1)
    return ScalingModel(
        workers=counts,
        current=scenario.cluster.workers,
        lines=lines,
        crossings=marks,
        device=device,
        top=top,
        ticks=ticks(top, report.unit),
        decades=decades(_positive(lines, device), report.unit),
        unit=report.unit,
        axis_title=_axis_title(report),
        remarks=(*left_out, *beyond),
        description=_description(report, lines, counts, marks),
    )


def _axis_title(report: Report) -> str:
    """Offloaded bytes do not count: the picture is about what the device must hold."""
    offloads = any(line.tier != "device" for stage in report.offered for line in stage.budget.lines)
    where = "on the device, most loaded rank" if offloads else "per rank (the most loaded)"
    return f"{report.unit} {where}, by workers N"


def _step(scenario: Scenario) -> int:
    """N goes over multiples of this: the shard group and the secondary group must divide it."""
    return lcm(scenario.sharding.group or 1, scenario.sharding.secondary_group or 1)


def _largest(scenario: Scenario) -> int:
    return max(LARGEST, scenario.cluster.workers)


def _crossing_counts(report: Report) -> tuple[dict[int, int], list[str]]:
    """The fewest workers by stage where that lies on the axis; sentences where it lies beyond."""
    least, largest = _step(report.scenario), _largest(report.scenario)
    on_axis, beyond = {}, []
    for stage in report.offered:
        fewest = report.answers.fewest_workers.get(stage.stage)
        if fewest is None or fewest <= least:
            continue
        if fewest <= largest:
            on_axis[stage.stage] = fewest
        else:
            number = group_digits(fewest)
            beyond.append(f"{stage.label} fits from N = {number}, beyond this axis.")
    return on_axis, beyond


def _counts(
    scenario: Scenario, part: Slice, wanted: set[int]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The worker counts to show, fewer where a long tensor list makes each of them costly."""
    current, step, largest = scenario.cluster.workers, _step(scenario), _largest(scenario)
    doubled = []
    while step <= largest:
        doubled.append(step)
        step *= 2
    kept = doubled
    room = max(2, WORK // _cost(part))
    if len(doubled) > room:
        kept = [doubled[k * (len(doubled) - 1) // (room - 1)] for k in range(room)]
    counts = tuple(sorted({*kept, *wanted, current}))
    missing = len(doubled) - len(set(counts) & set(doubled))
    if not missing:
        return counts, ()
    tensors = group_digits(sum(t.count for t in (*part.trainable.listed, *part.frozen.listed)))
    return counts, (
        f"{missing} of {len(doubled)} worker counts are left out: at each of them {tensors} tensors"
        " would have to be priced.",
    )


def _cost(part: Slice) -> int:
    """What one N costs, in units of ``WORK``."""
    if part.rule.greedy:
        tensors = _GREEDY_WORK * sum(t.count for t in part.trainable.listed)
    else:
        tensors = len(part.trainable.shapes) + len(part.frozen.shapes)
    recipe = part.recipe
    names = [recipe.weights, recipe.gradients, recipe.frozen_weights, recipe.accumulation]
    names += [t.dtype for t in recipe.optimizer]
    blocks = any(DTYPES[name].width is None for name in names if name is not None)
    partial = any(tensor.over != "all" for tensor in recipe.optimizer)
    return max(tensors, 1) * (_BLOCK_WORK if blocks or partial else 1)


def _line(stage: StageReport, report: Report, part: Slice, counts: tuple[int, ...]) -> ScalingLine:
    known = stage.budget.device_peak

    def peak(workers: int) -> int:
        # Stage 0 replicates everything, whatever N is.
        if stage.stage == 0 or workers == part.workers:
            return known
        return device_peak(part.on(workers), stage.stage)

    selected = stage.stage == report.scenario.sharding.stage
    peaks = tuple(peak(workers) for workers in counts)
    return ScalingLine(stage.stage, stage.label, peaks, selected, stage.exact)


def _crossings(
    report: Report,
    fewest: dict[int, int],
    lines: Sequence[ScalingLine],
    counts: tuple[int, ...],
    part: Slice,
) -> tuple[Crossing, ...]:
    """From few workers to many; stages that begin to fit together share one."""
    shared: dict[tuple[int, bool], list[ScalingLine]] = {}
    for stage, line in zip(report.offered, lines, strict=True):
        if stage.stage in fewest:
            shared.setdefault((fewest[stage.stage], _falls(stage, part)), []).append(line)
    found = []
    for (workers, falls), together in sorted(shared.items(), key=lambda entry: entry[0][0]):
        number, one = group_digits(workers), len(together) == 1
        if falls:
            text = f"fit{'s' if one else ''} from N = {number} on"
        else:
            text = f"first fit{'s' if one else ''} at N = {number}"
        names = ", ".join(line.label for line in together)
        marks = tuple((line.stage, line.peaks[counts.index(workers)]) for line in together)
        found.append(Crossing(workers, marks, f"{names} {text}"))
    return tuple(found)


def _falls(stage: StageReport, part: Slice) -> bool:
    """Whether no larger N can stop fitting again: nothing is padded to N, tensors are cut."""
    padded = any(
        held.tier == "device" and held.layout.grows and (held.copy or part.sharding.group is None)
        for held in stage.budget.lines
    )
    return not padded and not part.rule.greedy


def _positive(lines: Sequence[ScalingLine], device: DeviceLine | None) -> list[int]:
    values = [peak for line in lines for peak in line.peaks if peak > 0]
    if device is not None and device.in_range and device.usable > 0:
        values.append(device.usable)
    return values


def decades(values: Sequence[int], unit: str) -> tuple[tuple[float, str], ...]:
    """Powers of ten of ``unit`` that enclose ``values`` (positive bytes), with their texts.

    Where there are many only every second (third, ...) has a text; the others are left out.
    """
    size = UNITS[unit]
    low, high = min(values, default=size), max(values, default=size)
    first = len(str(low // size)) - 1 if low >= size else -len(str(-(-size // low) - 1))
    last = first + 1
    while 10 ** max(last, 0) * size < high * 10 ** max(-last, 0):
        last += 1
    step = -(-(last - first) // _DECADES_AT_MOST)
    exponents = range(first, last + step, step)
    return tuple((float(10.0**k), _power_text(k)) for k in exponents)


def _power_text(exponent: int) -> str:
    if exponent >= 0:
        return group_digits(10**exponent)
    return f"0.{'0' * (-exponent - 1)}1"


def _description(
    report: Report,
    lines: Sequence[ScalingLine],
    counts: tuple[int, ...],
    crossings: Sequence[Crossing],
) -> str:
    """What the picture says, for those who do not see it."""
    current = report.scenario.cluster.workers
    index, unit = counts.index(current), report.unit
    sizes = ", ".join(
        f"{line.label} {format_bytes(line.peaks[index], unit)}{NO_BREAK_SPACE}{unit}"
        for line in lines
    )
    fits = "".join(f" {crossing.text}." for crossing in crossings)
    return (
        f"{_axis_title(report)} from {group_digits(counts[0])} to"
        f" {group_digits(counts[-1])}. N = {group_digits(current)}: {sizes}.{fits}"
    )
