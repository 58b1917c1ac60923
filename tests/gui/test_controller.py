"""The controller without any window: one edit in, one report out to every view."""

import gc
import json
from collections.abc import Callable
from pathlib import Path
from weakref import ref

from zerogui.accounting.scenario import Scenario
from zerogui.gui.controller import Controller
from zerogui.gui.shown import Shown
from zerogui.planning.edits import (
    set_frozen_parameters,
    set_group,
    set_parameters,
    set_stage,
    set_workers,
)
from zerogui.planning.history import MOST_STEPS
from zerogui.planning.opening import OpenedPlan
from zerogui.planning.start import seed


class Notebook:
    """A view and a message port that write down what they are told."""

    def __init__(self) -> None:
        self.shown: list[Shown] = []
        self.notes: list[tuple[str, str]] = []

    def display(self, shown: Shown) -> None:
        self.shown.append(shown)

    def info(self, text: str) -> None:
        self.notes.append(("info", text))

    def error(self, text: str) -> None:
        self.notes.append(("error", text))

    def field_error(self, key: str, text: str) -> None:
        self.notes.append((key, text))

    def confirm(self, text: str) -> None:
        self.notes.append(("confirm", text))

    def clear(self) -> None:
        self.notes.append(("clear", ""))

    @property
    def totals(self) -> list[int]:
        return [stage.rank.total for stage in self.shown[-1].report.offered]


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def started(scenario: Scenario | None = None) -> tuple[Controller, Notebook, Clock]:
    notebook, clock = Notebook(), Clock()
    controller = Controller(OpenedPlan(scenario or seed(), False), notebook, clock=clock)
    controller.attach(notebook)
    return controller, notebook, clock


def test_a_view_shows_the_seed_as_soon_as_it_is_attached() -> None:
    _, notebook, _ = started()
    assert notebook.totals == [16 * 10**9, 7 * 10**9, 5_500_000_000, 4 * 10**9]


def test_one_edit_reaches_every_view_once() -> None:
    controller, first, _ = started()
    second = Notebook()
    controller.attach(second)
    controller.dispatch(set_workers(8))
    assert len(first.shown) == len(second.shown) == 2
    assert first.shown[-1] is second.shown[-1]
    assert first.totals == [16 * 10**9, 5_500_000_000, 3_750_000_000, 2 * 10**9]


def test_a_refused_edit_is_said_at_its_field_and_changes_nothing() -> None:
    controller, notebook, _ = started()
    assert not controller.dispatch(set_frozen_parameters(2 * 10**9))
    key, sentence = notebook.notes[-1]
    assert "frozen" in key
    assert "2,000,000,000" in sentence
    assert sentence.endswith(".")
    assert notebook.totals[0] == 16 * 10**9
    assert notebook.shown[-1].undo is None


def test_undo_and_redo_walk_through_named_steps() -> None:
    controller, notebook, clock = started()
    controller.dispatch(set_workers(8))
    clock.now += 10
    controller.dispatch(set_parameters(2 * 10**9))
    assert notebook.shown[-1].undo == "Change parameters to 2\u00a0B"
    controller.undo()
    assert notebook.totals[0] == 16 * 10**9
    controller.undo()
    assert notebook.totals[3] == 4 * 10**9
    assert notebook.shown[-1].undo is None
    controller.redo()
    assert notebook.totals[3] == 2 * 10**9


def test_a_value_being_turned_is_one_step_and_a_later_change_another() -> None:
    controller, notebook, clock = started()
    for workers in (5, 6, 7):
        controller.dispatch(set_workers(workers))
        clock.now += 0.2
    clock.now += 5
    controller.dispatch(set_workers(8))
    controller.undo()
    assert notebook.shown[-1].report.scenario.cluster.workers == 7
    controller.undo()
    assert notebook.shown[-1].report.scenario.cluster.workers == 4


def test_values_that_come_faster_than_frames_are_shown_once_and_the_last_one_wins() -> None:
    notebook, clock = Notebook(), Clock()
    frames: list[Callable[[], None]] = []
    plan = OpenedPlan(seed(), False)
    controller = Controller(plan, notebook, clock=clock, at_next_frame=frames.append)
    controller.attach(notebook)
    clock.now = 5.0
    for workers in range(5, 105):
        controller.dispatch(set_workers(workers))
        clock.now += 0.0001
    # The first value at once, all others at the next frame.
    assert [shown.report.scenario.cluster.workers for shown in notebook.shown] == [4, 5]
    assert len(frames) == 1
    frames[0]()
    assert [shown.report.scenario.cluster.workers for shown in notebook.shown] == [4, 5, 104]
    # 16 B × ⌈10^9 / 104⌉ = 16 × 9,615,385.
    assert notebook.totals[3] == 153_846_160
    controller.undo()
    assert notebook.shown[-1].report.scenario.cluster.workers == 4


def test_what_waits_for_a_frame_is_there_as_soon_as_it_is_asked_for() -> None:
    notebook, clock = Notebook(), Clock()
    frames: list[Callable[[], None]] = []
    plan = OpenedPlan(seed(), False)
    controller = Controller(plan, notebook, clock=clock, at_next_frame=frames.append)
    controller.attach(notebook)
    for workers in (5, 6, 7):
        controller.dispatch(set_workers(workers))
    assert controller.shown.report.scenario.cluster.workers == 7
    assert notebook.shown[-1] is controller.shown
    # Another input does not wait for anything.
    controller.dispatch(set_workers(8))
    controller.dispatch(set_stage(3))
    assert notebook.shown[-1].report.scenario.cluster.workers == 8
    assert notebook.shown[-1].report.scenario.sharding.stage == 3


def test_workers_that_the_group_does_not_divide_reset_it_and_say_so() -> None:
    controller, notebook, _ = started()
    controller.dispatch(set_workers(8))
    controller.dispatch(set_group(4))
    controller.dispatch(set_workers(6))
    assert notebook.shown[-1].report.scenario.sharding.group is None
    assert notebook.notes[-1][0] == "info"


def test_saving_and_opening_keep_every_input(tmp_path: Path) -> None:
    controller, notebook, _ = started()
    controller.dispatch(set_parameters(7 * 10**9))
    controller.dispatch(set_stage(2))
    assert notebook.shown[-1].changed
    path = str(tmp_path / "plan.zerogui.json")
    assert controller.save(path)
    assert not notebook.shown[-1].changed
    other, seen, _ = started()
    assert other.open(path)
    assert seen.shown[-1].report.scenario == controller.scenario
    assert seen.shown[-1].undo == "Open plan.zerogui.json"
    other.undo()
    assert seen.totals[0] == 16 * 10**9


def test_a_file_that_cannot_be_opened_or_saved_changes_nothing(tmp_path: Path) -> None:
    controller, notebook, _ = started()
    assert not controller.open(str(tmp_path / "missing.zerogui.json"))
    assert notebook.notes[-1][1].startswith("missing.zerogui.json: ")
    assert not controller.save(str(tmp_path / "no folder" / "plan.zerogui.json"))
    assert notebook.notes[-1][0] == "error"
    assert notebook.shown[-1].path is None


def test_the_unit_changes_sentences_but_no_byte() -> None:
    controller, notebook, _ = started()
    controller.set_unit("GiB")
    assert "GiB" in notebook.shown[-1].report.verdict
    assert notebook.totals[0] == 16 * 10**9
    assert notebook.shown[-1].undo is None


def test_a_model_that_no_undo_can_bring_back_is_forgotten(tmp_path: Path) -> None:
    config = {"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 4, "vocab_size": 100}
    (tmp_path / "config.json").write_text(json.dumps({**config, "n_positions": 32}))
    controller, notebook, clock = started()
    assert controller.open(str(tmp_path / "config.json"))
    opened = ref(controller.scenario.model)
    assert any("gpt2" in line for line in notebook.shown[-1].card)
    controller.dispatch(set_parameters(10**9))
    controller.undo()
    assert any("gpt2" in line for line in notebook.shown[-1].card)
    notebook.shown.clear()
    for n in range(MOST_STEPS + 1):
        clock.now += 10.0
        controller.dispatch(set_parameters(10**9 + n))
    assert controller.open(str(tmp_path / "config.json"))
    del notebook.shown[:-1]
    gc.collect()
    assert opened() is None
