"""Whoever follows the contributing guide to the letter ends with something that works."""

from pathlib import Path

import pytest

from tests.docs.guide import Step, copy_tree, follow, imported_from, steps, tasks

TASKS = (
    "Add a recipe",
    "Add a device",
    "Add a model family",
    "Add a partition rule",
    "Add a view",
)


def test_the_guide_tells_how_to_add_each_kind_of_thing() -> None:
    assert tuple(tasks()) == TASKS
    for task in TASKS:
        assert steps(task)[-1].told == "Run"


@pytest.mark.parametrize("task", TASKS)
def test_the_steps_work_as_they_stand(task: str, tmp_path: Path) -> None:
    copy_tree(tmp_path)
    assert imported_from(tmp_path).is_relative_to(tmp_path)
    for step in steps(task):
        follow(step, tmp_path)


def test_a_step_that_no_longer_fits_the_code_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\ntwo\none\n", encoding="utf-8")
    for told in (
        "In `a.py`, above the line with `three`, add",
        "In `a.py`, above the line with `one`, add",
        "Make the file `a.py`",
        "Then think of something",
    ):
        with pytest.raises(AssertionError):
            follow(Step(told, "x\n"), tmp_path)
    follow(Step("In `a.py`, below the line with `two`, add", "new\n"), tmp_path)
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == "one\ntwo\nnew\none\n"
