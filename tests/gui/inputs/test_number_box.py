"""The number field: what is typed or pasted means what it says, or comes back with a reason."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from zerogui.gui.inputs.number_box import NumberBox
from zerogui.gui.inputs.steps import step_parameters, step_size, step_threshold, step_workers
from zerogui.planning.quantities import bytes_text, count_text, parse_bytes, parse_count


@pytest.fixture
def counts(window: QWidget) -> NumberBox:
    """A parameter count of 1000."""
    return _in(window, NumberBox(parse_count, count_text, step_parameters, 1, 10**18), 1000)


@pytest.fixture
def workers(window: QWidget) -> NumberBox:
    """Four workers."""
    return _in(window, NumberBox(parse_count, count_text, step_workers, 1, 2**20), 4)


@pytest.fixture
def sizes(window: QWidget) -> NumberBox:
    """80 GB of memory."""
    parse, show = partial(parse_bytes, unit="GB"), partial(bytes_text, unit="GB")
    return _in(window, NumberBox(parse, show, step_size(10**9), 0, 10**18), 80 * 10**9)


def _in(window: QWidget, box: NumberBox, value: int) -> NumberBox:
    layout = window.layout()
    assert layout is not None
    layout.addWidget(box)
    box.set_value(value)
    return box


def _type(box: NumberBox, text: str, end: Qt.Key = Qt.Key.Key_Return) -> None:
    QTest.mouseClick(box.lineEdit(), Qt.MouseButton.LeftButton)
    QTest.keyClick(box, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(box, text)
    QTest.keyClick(box, end)


def _text(box: NumberBox) -> str:
    return box.text().replace("\u2009", " ")


@pytest.mark.parametrize(
    ("typed", "meant", "read_back"),
    [
        ("7000000000", 7_000_000_000, "7 000 000 000"),
        ("7e9", 7_000_000_000, "7 000 000 000"),
        ("7B", 7_000_000_000, "7 000 000 000"),
        ("7.24B", 7_240_000_000, "7 240 000 000"),
        ("7.5G", 7_500_000_000, "7 500 000 000"),
        ("7,000,000,000", 7_000_000_000, "7 000 000 000"),
        ("7 000 000 000", 7_000_000_000, "7 000 000 000"),
        ("7_000", 7000, "7 000"),
        ("1T", 10**12, "1 000 000 000 000"),
        ("1000003", 1_000_003, "1 000 003"),
    ],
)
def test_a_typed_count_means_what_it_says(
    counts: NumberBox, qtbot: QtBot, typed: str, meant: int, read_back: str
) -> None:
    with qtbot.waitSignal(counts.committed) as committed:
        _type(counts, typed)
    assert committed.args == [meant]
    assert counts.value() == meant
    assert _text(counts) == read_back


@pytest.mark.parametrize(
    "pasted", ["7B", "7.0e9", "7\u202f000\u202f000\u202f000", " 7,000,000,000\n"]
)
def test_a_pasted_7B_means_seven_billion(counts: NumberBox, pasted: str) -> None:
    QGuiApplication.clipboard().setText(pasted)
    QTest.mouseClick(counts.lineEdit(), Qt.MouseButton.LeftButton)
    QTest.keyClick(counts, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(counts, Qt.Key.Key_Return)
    assert counts.value() == 7_000_000_000


@pytest.mark.parametrize("typed", ["7,5", "x", "1.5", "7B7", "-3", "1e400", "nan"])
def test_what_cannot_be_read_goes_back_and_is_quoted(
    counts: NumberBox, qtbot: QtBot, typed: str
) -> None:
    taken: list[object] = []
    counts.committed.connect(taken.append)
    with qtbot.waitSignal(counts.rejected) as rejected:
        _type(counts, typed, Qt.Key.Key_Tab)
    assert _text(counts) == "1 000"
    assert counts.value() == 1000
    assert f'"{typed}"' in rejected.args[0]
    assert rejected.args[0].endswith(".")
    assert taken == []


def test_an_emptied_field_goes_back_and_says_that_it_was_empty(
    counts: NumberBox, qtbot: QtBot
) -> None:
    QTest.mouseClick(counts.lineEdit(), Qt.MouseButton.LeftButton)
    QTest.keyClick(counts, Qt.Key.Key_Delete)
    with qtbot.waitSignal(counts.rejected) as rejected:
        QTest.keyClick(counts, Qt.Key.Key_Return)
    assert _text(counts) == "1 000"
    assert "empty" in rejected.args[0]


def test_a_comma_is_never_taken_for_a_decimal_mark(counts: NumberBox, sizes: NumberBox) -> None:
    _type(counts, "1,5")
    assert counts.value() == 1000
    _type(sizes, "1,5")
    assert sizes.value() == 80 * 10**9


def test_a_german_desktop_changes_nothing(counts: NumberBox, sizes: NumberBox) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    try:
        _type(counts, "7.5e9")
        _type(sizes, "85.520809984")
    finally:
        QLocale.setDefault(before)
    assert _text(counts) == "7 500 000 000"
    assert sizes.value() == 85_520_809_984
    assert sizes.text() == "85.520809984"


def test_a_value_beyond_the_limits_is_refused_with_the_limits(
    workers: NumberBox, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(workers.rejected) as low:
        _type(workers, "0")
    assert low.args[0].replace("\u2009", " ") == '"0" is less than 1; write 1 to 1 048 576.'
    with qtbot.waitSignal(workers.rejected) as high:
        _type(workers, "2M")
    assert high.args[0].replace("\u2009", " ") == (
        '"2M" is more than 1 048 576; write 1 to 1 048 576.'
    )
    assert workers.value() == 4


def test_one_signal_for_one_commit_however_the_field_is_left(counts: NumberBox) -> None:
    taken: list[object] = []
    counts.committed.connect(taken.append)
    _type(counts, "150")
    QTest.keyClick(counts, Qt.Key.Key_Return)
    QTest.keyClick(counts, Qt.Key.Key_Tab)
    counts.clearFocus()
    assert taken == [150]


def test_typing_the_same_value_again_is_no_change(counts: NumberBox) -> None:
    taken: list[object] = []
    counts.committed.connect(taken.append)
    _type(counts, "1e3")
    assert taken == []
    assert _text(counts) == "1 000"


def test_nothing_is_said_while_typing(counts: NumberBox) -> None:
    said: list[object] = []
    counts.committed.connect(said.append)
    counts.rejected.connect(said.append)
    QTest.mouseClick(counts.lineEdit(), Qt.MouseButton.LeftButton)
    QTest.keyClicks(counts, "15x")
    assert said == []
    assert counts.text() == "15x"


def test_leaving_the_field_commits(counts: NumberBox) -> None:
    QTest.mouseClick(counts.lineEdit(), Qt.MouseButton.LeftButton)
    QTest.keyClicks(counts, "7B")
    counts.clearFocus()
    assert counts.value() == 7_000_000_000


def test_escape_restores_the_old_value(counts: NumberBox) -> None:
    _type(counts, "7x7", Qt.Key.Key_Escape)
    assert _text(counts) == "1 000"
    QTest.keyClick(counts, Qt.Key.Key_Return)
    assert counts.value() == 1000


def test_a_click_selects_all_so_that_typing_replaces(counts: NumberBox) -> None:
    QTest.mouseClick(counts.lineEdit(), Qt.MouseButton.LeftButton)
    assert counts.lineEdit().selectedText() == counts.text()
    # A second click places the cursor, as in every field.
    QTest.mouseClick(counts.lineEdit(), Qt.MouseButton.LeftButton)
    assert counts.lineEdit().selectedText() == ""


def test_after_return_typing_replaces_the_number(counts: NumberBox) -> None:
    _type(counts, "150")
    QTest.keyClicks(counts, "7B")
    QTest.keyClick(counts, Qt.Key.Key_Return)
    assert counts.value() == 7_000_000_000


def test_setting_a_value_is_silent(counts: NumberBox) -> None:
    said: list[object] = []
    counts.committed.connect(said.append)
    counts.set_value(10**12)
    assert said == []
    assert _text(counts) == "1 000 000 000 000"


def test_a_text_being_typed_survives_a_refresh_with_the_same_value(counts: NumberBox) -> None:
    QTest.mouseClick(counts.lineEdit(), Qt.MouseButton.LeftButton)
    QTest.keyClicks(counts, "75")
    counts.set_value(1000)
    assert counts.text() == "75"
    counts.set_value(2000)
    assert _text(counts) == "2 000"


def test_arrows_change_workers_by_one_and_page_keys_go_to_powers_of_two(
    workers: NumberBox,
) -> None:
    taken: list[object] = []
    workers.committed.connect(taken.append)
    QTest.mouseClick(workers.lineEdit(), Qt.MouseButton.LeftButton)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_PageUp, Qt.Key.Key_PageUp, Qt.Key.Key_Down):
        QTest.keyClick(workers, key)
    assert taken == [5, 8, 16, 15]
    QTest.keyClick(workers, Qt.Key.Key_PageDown)
    QTest.keyClick(workers, Qt.Key.Key_PageDown)
    assert workers.value() == 4
    assert workers.text() == "4"


def test_stepping_stops_at_the_limits(workers: NumberBox) -> None:
    QTest.mouseClick(workers.lineEdit(), Qt.MouseButton.LeftButton)
    for _ in range(6):
        QTest.keyClick(workers, Qt.Key.Key_PageDown)
    assert workers.value() == 1
    workers.set_value(2**20 - 1)
    for _ in range(3):
        QTest.keyClick(workers, Qt.Key.Key_Up)
    assert workers.value() == 2**20


def test_a_step_beyond_the_limit_ends_at_it(counts: NumberBox) -> None:
    counts.set_limits(950, 1050)
    QTest.mouseClick(counts.lineEdit(), Qt.MouseButton.LeftButton)
    QTest.keyClick(counts, Qt.Key.Key_Up)
    assert counts.value() == 1050
    QTest.keyClick(counts, Qt.Key.Key_PageDown)
    assert counts.value() == 1000
    QTest.keyClick(counts, Qt.Key.Key_PageDown)
    assert counts.value() == 950


def test_stepping_starts_from_what_is_typed(workers: NumberBox) -> None:
    QTest.mouseClick(workers.lineEdit(), Qt.MouseButton.LeftButton)
    QTest.keyClicks(workers, "96")
    QTest.keyClick(workers, Qt.Key.Key_Up)
    assert workers.value() == 97


def test_stepping_from_nonsense_says_so_and_changes_nothing(
    workers: NumberBox, qtbot: QtBot
) -> None:
    QTest.mouseClick(workers.lineEdit(), Qt.MouseButton.LeftButton)
    QTest.keyClicks(workers, "9x")
    with qtbot.waitSignal(workers.rejected) as rejected:
        QTest.keyClick(workers, Qt.Key.Key_Up)
    assert '"9x"' in rejected.args[0]
    assert workers.text() == "4"


def test_a_bare_size_is_in_the_unit_shown_and_a_suffix_wins(sizes: NumberBox) -> None:
    _type(sizes, "85.520809984")
    assert sizes.value() == 85_520_809_984
    _type(sizes, "80GiB")
    assert sizes.value() == 80 * 2**30
    assert sizes.text() == "85.89934592"
    _type(sizes, "512 MB")
    assert sizes.text() == "0.512"


def test_switching_the_unit_keeps_the_bytes(sizes: NumberBox) -> None:
    sizes.set_value(80 * 2**30)
    said: list[object] = []
    sizes.committed.connect(said.append)
    parse, show = partial(parse_bytes, unit="GiB"), partial(bytes_text, unit="GiB")
    sizes.set_notation(parse, show, step_size(2**30))
    assert sizes.text() == "80"
    assert said == []
    QTest.mouseClick(sizes.lineEdit(), Qt.MouseButton.LeftButton)
    QTest.keyClick(sizes, Qt.Key.Key_Up)
    assert sizes.value() == 81 * 2**30


@given(st.integers(1, 2**20))
def test_the_worker_pages_visit_powers_of_two_only(workers: int) -> None:
    up, down = step_workers(workers, 1, True), step_workers(workers, -1, True)
    assert up > workers > down
    assert up & (up - 1) == 0
    assert down & (down - 1) == 0 or workers == 1


@given(st.integers(1, 10**18))
def test_a_parameter_step_leaves_two_digits_that_count(value: int) -> None:
    up, down = step_parameters(value, 1, False), step_parameters(value, -1, False)
    assert up > value > down
    for number in (up, down):
        assert len(str(number).rstrip("0")) <= 2
    assert step_parameters(up, -1, False) <= value


@pytest.mark.parametrize(
    ("value", "direction", "large", "then"),
    [
        (7_500_000_000, 1, False, 7_600_000_000),
        (7_240_000_000, 1, False, 7_300_000_000),
        (7_240_000_000, -1, False, 7_200_000_000),
        (1_000_000_000, -1, False, 990_000_000),
        (990_000_000, 1, False, 1_000_000_000),
        (7_500_000_000, 1, True, 8_000_000_000),
        (5, 1, False, 6),
        (0, 1, False, 1),
    ],
)
def test_parameters_step_in_their_second_digit(
    value: int, direction: int, large: bool, then: int
) -> None:
    assert step_parameters(value, direction, large) == then


def test_a_threshold_starts_at_ten_thousand_and_ends_at_nothing() -> None:
    assert step_threshold(0, 1, False) == 10_000
    assert step_threshold(10_000, 1, False) == 11_000
    assert step_threshold(10_000, -1, False) == 0


def test_sizes_step_to_whole_units() -> None:
    step = step_size(10**9)
    assert step(85_520_809_984, 1, False) == 86 * 10**9
    assert step(85_520_809_984, -1, False) == 85 * 10**9
    assert step(85 * 10**9, -1, False) == 84 * 10**9
    assert step(85 * 10**9, 1, True) == 90 * 10**9
