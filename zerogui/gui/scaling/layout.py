"""Lays out the scaling picture for a size and a type; pure but for font metrics."""

from PySide6.QtCore import QPointF, QRectF

from zerogui.gui.chart.geometry import Fonts
from zerogui.gui.scaling.geometry import (
    Curve,
    Kind,
    Mark,
    Picture,
    Scales,
    scales,
    size_of,
    y_ticks,
)
from zerogui.gui.scaling.labels import place_ends, place_inside, place_ticks
from zerogui.planning.scaling import ScalingModel


def lay_out(model: ScalingModel, area: QRectF, fonts: Fonts, log: bool) -> Picture | None:
    """Everything in its place inside ``area``; None where that is too small for any line."""
    placed = scales(model, area, fonts, log)
    if placed.plot.height() < 2 * size_of(Kind.TICK, "0", fonts)[1] or placed.plot.width() < 80:
        return None
    curves = tuple(_curve(model, k, placed) for k in range(len(model.lines)))
    device = model.device
    device_y = placed.y(device.usable) if device is not None and device.in_range else None
    unit = size_of(Kind.STAGE, "0", fonts)[1] / 4
    labels = place_ticks(model, placed, area, fonts)
    labels += place_ends(model, placed, area, fonts)
    rings, leaders, inside = place_inside(model, placed, fonts, curves, device_y)
    return Picture(
        plot=placed.plot,
        unit=unit,
        grid=tuple(placed.y(value) for value, _ in y_ticks(model, log)),
        curves=curves,
        device_y=device_y,
        current_x=placed.x(model.current),
        rings=rings,
        leaders=leaders,
        labels=(*labels, *inside),
        columns=tuple(placed.x(workers) for workers in model.workers),
    )


def _curve(model: ScalingModel, index: int, placed: Scales) -> Curve:
    line = model.lines[index]
    limit = model.device.usable if model.device is not None else None
    marks = tuple(
        Mark(QPointF(placed.x(workers), placed.y(peak)), limit is None or peak <= limit)
        for workers, peak in zip(model.workers, line.peaks, strict=True)
    )
    return Curve(line.stage, line.selected, marks)
