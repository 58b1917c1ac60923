"""Pictures of the stage chart: sizes, colours, text, and what other programs see in them."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from tests.commands import FIGURE_1 as FIGURE_1_FIELDS
from tests.commands import SEED as SEED_FIELDS
from tests.commands import written
from tests.gui.printed import (
    chart_inks,
    ink_of,
    outside,
    overlapping,
    pixels_of_pdf,
    pixels_of_svg,
    share_of,
    text_of,
)
from tests.gui.printed_plans import PLANS, TITLED
from zerogui.files.errors import FileError
from zerogui.gui.chart.geometry import Kind
from zerogui.gui.chart.paper import HEIGHT, PAPER_THEMES, WIDTH, lay_out_sheet
from zerogui.gui.exporting.pictures import (
    chart_image,
    chart_mime,
    chart_pdf,
    chart_png,
    chart_svg,
    picture,
)
from zerogui.gui.exporting.render_command import render
from zerogui.gui.theme import Theme
from zerogui.planning.resolve import resolve

pytestmark = pytest.mark.usefixtures("qapp")

REPORT = resolve(TITLED)
THEMES = list(PAPER_THEMES.values())


def shows_the_bars(image: QImage, theme: Theme) -> bool:
    """Whether the big segments of figure 1 are there to be seen."""
    marks = (theme.parameters, theme.gradients, theme.optimizer[0], theme.optimizer[1])
    return all(share_of(image, mark) > 0.005 for mark in marks)


@pytest.mark.parametrize("scale", [1, 2, 4])
def test_a_png_has_the_size_that_its_scale_says(scale: int) -> None:
    image = QImage.fromData(chart_png(REPORT, scale=scale))
    assert (image.width(), image.height()) == (960 * scale, 540 * scale)


@pytest.mark.parametrize("scale", [1, 2, 4])
def test_a_larger_picture_shows_the_same_not_a_part_of_it(scale: int) -> None:
    image = QImage.fromData(chart_png(REPORT, scale=scale))
    small = QImage.fromData(chart_png(REPORT))
    for colour in ("#0072B2", "#C47A00", "#5E1F4E"):
        assert share_of(image, colour) == pytest.approx(share_of(small, colour), rel=0.1)


def test_a_png_says_its_size_in_print_and_what_it_is() -> None:
    image = QImage.fromData(chart_png(REPORT, scale=4))
    assert image.dotsPerMeterX() == pytest.approx(4 * 96 / 0.0254, abs=1)
    assert image.text("Title") == "7.5B on 64 GPUs"


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_every_kind_of_picture_shows_the_bars(theme: Theme) -> None:
    assert shows_the_bars(chart_image(REPORT, theme), theme)
    assert shows_the_bars(pixels_of_svg(chart_svg(REPORT, theme)), theme)
    assert shows_the_bars(pixels_of_pdf(chart_pdf(REPORT, theme)), theme)


def test_pictures_for_paper_are_on_white() -> None:
    assert chart_image(REPORT).pixelColor(2, 2).name() == "#ffffff"
    assert pixels_of_svg(chart_svg(REPORT)).pixelColor(2, 2).name() == "#ffffff"
    assert pixels_of_pdf(chart_pdf(REPORT)).pixelColor(2, 2).name() == "#ffffff"


def test_dark_pictures_are_dark() -> None:
    assert chart_image(REPORT, PAPER_THEMES["dark"]).pixelColor(2, 2).name() == "#15181c"


def test_the_pdf_contains_its_text_as_text() -> None:
    text = text_of(chart_pdf(REPORT))
    for part in (
        "ZeRO-3",
        "7.5B on 64 GPUs",
        "7.5 B parameters on 64 workers, 16 bytes each in mixed-precision Adam",
        "Fits an H100 80GB from ZeRO-1 on; ZeRO-2 leaves 68.9 GB for activations",
        "first moment",
        "over by 34.5 GB",
        "31.41",
        "GB per rank",
        "H100 80GB",
    ):
        assert part in text


def test_the_svg_contains_its_text_as_text_and_no_pixels() -> None:
    root = ElementTree.fromstring(chart_svg(REPORT))
    texts = ["".join(e.itertext()).strip() for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"ZeRO-3", "120.0", "16.64", "first moment", "GB per rank"} <= set(texts)
    assert not list(root.iter("{http://www.w3.org/2000/svg}image"))
    assert root.get("viewBox") == "0 0 960 540"


def test_names_from_files_are_plain_text_in_the_svg() -> None:
    root = ElementTree.fromstring(chart_svg(resolve(PLANS["markup"])))
    title = root.findtext("{http://www.w3.org/2000/svg}title")
    assert title == "<b>&amp;</title><script>\\x07\\u202e"
    assert not [e for e in root.iter() if "script" in str(e.tag)]


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("unit", ["GB", "GiB"])
def test_no_two_texts_overlap_and_none_is_clipped(name: str, unit: str) -> None:
    sheet = lay_out_sheet(resolve(PLANS[name], unit))
    inks = chart_inks(sheet.chart)
    inks |= {f"text {n} {text.text}": ink_of(text) for n, text in enumerate(sheet.texts)}
    assert overlapping(inks) == []
    assert outside(inks, QRectF(0, 0, WIDTH, HEIGHT)) == []


@pytest.mark.parametrize("name", PLANS)
def test_figures_and_captions_are_never_cut(name: str) -> None:
    labels = lay_out_sheet(resolve(PLANS[name])).chart.picture.labels
    kept = [label for label in labels if label.kind not in (Kind.DEVICE, Kind.LEGEND)]
    assert not [label.text for label in kept if "…" in label.text]


def test_a_long_device_name_leaves_what_the_verdict_says_of_it() -> None:
    sheet = lay_out_sheet(resolve(PLANS["long names"]))
    assert any("over by" in text.text for text in sheet.texts)


def test_the_axis_has_its_ticks_beside_the_grid_lines() -> None:
    chart = lay_out_sheet(REPORT).chart
    *ticks, title = chart.axis
    assert [tick.text for tick in ticks] == ["0", "20", "40", "60", "80", "100", "120"]
    assert [tick.rect.center().y() for tick in ticks] == pytest.approx(list(chart.picture.grid))
    assert title.text == "GB per rank"


def test_the_clipboard_offers_pixels_and_vectors_together(qtbot: QtBot) -> None:
    board = QGuiApplication.clipboard()
    board.setMimeData(chart_mime(REPORT))
    held = board.mimeData()
    assert held.hasImage()
    assert {"image/png", "image/svg+xml"} <= set(held.formats())
    png = QImage.fromData(bytes(held.data("image/png").data()))
    assert (png.width(), png.height()) == (1920, 1080)
    assert board.image().size() == png.size()
    assert bytes(held.data("image/svg+xml").data()) == chart_svg(REPORT)


def test_no_text_goes_to_the_clipboard_that_would_be_pasted_instead_of_the_picture() -> None:
    assert not chart_mime(REPORT).hasText()


# zerogui render, without its argument parser.


@pytest.mark.parametrize("name", ["chart.png", "chart.svg", "chart.pdf", "CHART.PNG"])
def test_render_writes_the_picture_that_the_name_says(name: str, tmp_path: Path) -> None:
    plan, output = written(tmp_path, FIGURE_1_FIELDS), tmp_path / name
    assert render(str(plan), str(output)) == ()
    start = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[output.suffix.lower()]
    assert output.read_bytes().startswith(start)
    if start != b"%PDF":  # which holds the time of its making
        assert output.read_bytes() == picture(REPORT, output.suffix.lower())


def test_render_takes_unit_theme_and_scale(tmp_path: Path) -> None:
    plan, output = written(tmp_path, FIGURE_1_FIELDS), tmp_path / "chart.png"
    render(str(plan), str(output), "GiB", "dark", 2)
    image = QImage(str(output))
    assert (image.width(), image.pixelColor(2, 2).name()) == (1920, "#15181c")
    render(str(plan), str(tmp_path / "chart.pdf"), "GiB")
    assert "GiB per rank" in text_of((tmp_path / "chart.pdf").read_bytes())


@pytest.mark.parametrize("name", ["chart.jpg", "chart", ".png", "chart.zerogui.json"])
def test_render_refuses_other_kinds_in_one_sentence(name: str, tmp_path: Path) -> None:
    plan, output = written(tmp_path, SEED_FIELDS), tmp_path / name
    with pytest.raises(FileError) as caught:
        render(str(plan), str(output))
    assert str(caught.value) == (
        f"{name}: is no picture; choose a name that ends in .png, .svg or .pdf."
    )
    assert not output.exists()


def test_render_of_a_wrong_file_writes_nothing(tmp_path: Path) -> None:
    plan, output = written(tmp_path, '"model": {"parameters": -1}'), tmp_path / "chart.png"
    output.write_bytes(b"before")
    with pytest.raises(FileError, match=r"model\.parameters"):
        render(str(plan), str(output))
    assert output.read_bytes() == b"before"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["chart.png", "plan.zerogui.json"]


def test_render_into_a_missing_folder_is_refused(tmp_path: Path) -> None:
    plan = written(tmp_path, SEED_FIELDS)
    with pytest.raises(FileError, match="there is no folder"):
        render(str(plan), str(tmp_path / "none" / "chart.svg"))
