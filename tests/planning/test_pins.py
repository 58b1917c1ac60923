"""Pins: names of their own, an order, a baseline, and steps with readable titles."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.planning.plans import FIGURE_1, H100, SEED, on
from zerogui.accounting.cluster import Cluster
from zerogui.accounting.errors import InputError
from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.files.comparison import decode, encode
from zerogui.planning.pins import (
    Pin,
    PinBoard,
    Pins,
    baseline_step,
    move_step,
    pin_step,
    remove_step,
    rename_step,
)


def names(pins: Pins) -> list[str]:
    return [pin.name for pin in pins.items]


def pinned(*wanted: str) -> Pins:
    pins = Pins()
    for name in wanted:
        pins = pins.add(SEED, name)
    return pins


def test_a_pin_is_called_after_its_title_or_its_model_and_workers() -> None:
    titled = replace(SEED, title="Budget of\nspring")
    named = replace(SEED, model=Model("Llama-3 8B", 8_030_261_248), cluster=Cluster(1024))
    pins = Pins().add(titled).add(named).add(SEED)
    assert names(pins) == ["Budget of spring", "Llama-3 8B on 1 024 workers", "1 B on 4 workers"]


def test_a_second_pin_is_told_apart_by_what_differs() -> None:
    at_3 = on(FIGURE_1, None, 3)
    pins = Pins().add(FIGURE_1).add(at_3).add(on(FIGURE_1, H100)).add(FIGURE_1)
    assert names(pins) == [
        "7.5 B on 64 workers",
        "7.5 B on 64 workers, ZeRO-3",
        "7.5 B on 64 workers, H100 80GB",
        "7.5 B on 64 workers (2)",
    ]


def test_the_first_pin_is_the_baseline_and_stays_it() -> None:
    pins = pinned("a", "b")
    assert pins.baseline == 0
    assert pins.compare_with(None).add(SEED).baseline is None


def test_a_taken_name_gets_a_number() -> None:
    assert names(pinned("a", "a", "a")) == ["a", "a (2)", "a (3)"]
    assert names(pinned("a", "b").rename(1, "a")) == ["a", "a (2)"]


@pytest.mark.parametrize("typed", ["", "  ", "b"])
def test_an_empty_or_unchanged_name_changes_nothing(typed: str) -> None:
    pins = pinned("a", "b")
    assert pins.rename(1, typed) is pins


def test_a_very_long_name_is_shortened_and_still_distinct() -> None:
    pins = pinned("x" * 2000, "x" * 2000)
    assert [len(name) for name in names(pins)] == [1000, 1000]
    assert names(pins)[1].endswith(" (2)")


def test_a_moved_baseline_stays_the_baseline() -> None:
    pins = pinned("a", "b", "c").move(0, 2)
    assert names(pins) == ["b", "c", "a"]
    assert pins.baseline == 2
    assert names(pins.move(2, -5)) == ["a", "b", "c"]
    assert names(pins.move(0, 99)) == ["c", "a", "b"]


def test_without_the_baseline_the_first_pin_left_is_it_and_at_last_the_present_plan() -> None:
    pins = pinned("a", "b", "c").compare_with(1)
    assert pins.remove(1).baseline == 0
    assert pins.remove(0).baseline == 0
    assert pins.remove(2).baseline == 1
    assert Pins((Pin("a", SEED),), 0).remove(0) == Pins()


def test_steps_have_readable_titles() -> None:
    pins = pinned("a", "b")
    assert pin_step(Pins(), SEED).title == "Pin “1 B on 4 workers”"
    assert rename_step(pins, 0, "spring").title == "Rename pin to “spring”"
    assert move_step(pins, 1, 0).title == "Move pin “b”"
    assert remove_step(pins, 1).title == "Remove pin “b”"
    assert baseline_step(pins, 1).title == "Compare with “b”"
    assert baseline_step(pins, None).title == "Compare with the present plan"


def test_pins_with_equal_names_or_too_many_are_refused() -> None:
    with pytest.raises(InputError, match=r"pins\[1\].name is \"a\" again"):
        Pins((Pin("a", SEED), Pin("a", FIGURE_1)))
    with pytest.raises(InputError, match="pins has 1,001 scenarios"):
        Pins(tuple(Pin(str(k), SEED) for k in range(1001)))
    with pytest.raises(InputError, match="baseline is 2; use null or an index from 0 to 1"):
        pinned("a", "b").compare_with(2)


def test_a_board_tells_of_changes_only() -> None:
    board, heard = PinBoard(), list[Pins]()
    board.listen(heard.append)
    board.take(pinned("a"))
    board.take(pinned("a"))
    assert heard == [pinned("a")]
    assert board.pins == pinned("a")


PLANS = st.sampled_from([SEED, FIGURE_1, on(SEED, H100, 3), replace(SEED, title="t")])
DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["add", "rename", "move", "remove", "baseline"]),
        st.integers(0, 9),
        st.integers(-3, 12),
        st.text(max_size=5),
        PLANS,
    ),
    max_size=30,
)


def do(pins: Pins, deed: tuple[str, int, int, str, Scenario]) -> Pins:
    what, index, to, text, plan = deed
    if what == "add":
        return pins.add(plan, text)
    if not pins.items:
        return pins
    index %= len(pins.items)
    if what == "rename":
        return pins.rename(index, text)
    if what == "move":
        return pins.move(index, to)
    return pins.remove(index) if what == "remove" else pins.compare_with(index)


@given(DEEDS)
def test_whatever_is_done_names_stay_distinct_the_baseline_exists_and_it_can_be_saved(
    deeds: list[tuple[str, int, int, str, Scenario]],
) -> None:
    pins = Pins()
    for deed in deeds:
        pins = do(pins, deed)
    assert len(set(names(pins))) == len(pins.items)
    assert pins.baseline is None or pins.items[pins.baseline]
    assert Pins.of(decode(encode(pins.stored()), "session")) == pins
