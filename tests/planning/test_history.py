"""Undo and redo as a user meets them."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from zerogui.accounting.cluster import Cluster
from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.planning import edits
from zerogui.planning.edits import apply
from zerogui.planning.history import History

SEED = Scenario("", Model("1B", 1_000_000_000))


def workers(n: int) -> Scenario:
    return replace(SEED, cluster=Cluster(n))


def turn(history: History, *numbers: int) -> None:
    """Turn the number of workers, as with the wheel."""
    for n in numbers:
        edit = edits.set_workers(n)
        history.push(edit, apply(history.present, edit).scenario, merge=True)


def test_there_is_nothing_to_undo_at_first() -> None:
    history = History(SEED)
    assert history.present == SEED
    assert history.undo_title is None
    assert history.redo_title is None
    assert history.undo_title is None
    assert history.redo_title is None
    assert history.undo() is None
    assert history.redo() is None
    assert history.present == SEED


def test_a_step_is_taken_back_and_again_under_its_name() -> None:
    history = History(SEED)
    history.push(edits.set_workers(128), workers(128))
    assert history.present == workers(128)
    assert history.undo_title == "Change workers to 128"
    assert history.undo() == "Change workers to 128"
    assert history.present == SEED
    assert history.redo_title == "Change workers to 128"
    assert history.redo() == "Change workers to 128"
    assert history.present == workers(128)
    assert history.redo_title is None


def test_a_new_step_after_an_undo_drops_what_was_undone() -> None:
    history = History(SEED)
    history.push(edits.set_workers(8), workers(8))
    history.undo()
    history.push(edits.set_workers(16), workers(16))
    assert history.redo_title is None
    history.undo()
    assert history.present == SEED


def test_an_edit_that_changes_nothing_is_no_step_and_keeps_redo() -> None:
    history = History(SEED)
    history.push(edits.set_workers(8), workers(8))
    history.undo()
    history.push(edits.set_workers(4), workers(4))
    assert history.undo_title is None
    assert history.redo_title is not None


def test_two_typed_values_are_two_steps() -> None:
    history = History(SEED)
    history.push(edits.set_workers(8), workers(8))
    history.push(edits.set_workers(16), workers(16))
    history.undo()
    assert history.present == workers(8)


def test_a_value_being_turned_is_one_step_named_after_where_it_ended() -> None:
    history = History(SEED)
    turn(history, 5, 6, 7)
    assert history.undo() == "Change workers to 7"
    assert history.present == SEED
    assert history.undo_title is None
    history.redo()
    assert history.present == workers(7)


def test_turning_another_value_is_another_step() -> None:
    history = History(SEED)
    turn(history, 5, 6)
    edit = edits.set_model_parallel(2)
    history.push(edit, apply(history.present, edit).scenario, merge=True)
    history.undo()
    assert history.present == workers(6)


def test_turning_on_after_an_undo_is_a_step_of_its_own() -> None:
    history = History(SEED)
    turn(history, 5)
    edit = edits.set_workers(16)
    history.push(edit, workers(16))
    history.undo()
    turn(history, 6, 7)
    history.undo()
    assert history.present == workers(5)
    history.redo()
    turn(history, 8)
    history.undo()
    assert history.present == workers(7)


def test_a_value_turned_back_to_where_it_began_leaves_no_step() -> None:
    history = History(SEED)
    history.push(edits.set_stage(1), replace(SEED, sharding=replace(SEED.sharding, stage=1)))
    turn(history, 5, 4)
    assert history.undo_title == "Change stage to 1"
    turn(history, 5)
    assert history.undo() == "Change workers to 5"
    assert history.undo() == "Change stage to 1"


def test_a_value_turned_back_does_not_join_the_step_before_it() -> None:
    history = History(SEED)
    history.push(edits.set_workers(8), workers(8))
    history.push(edits.set_stage(1), replace(workers(8), sharding=replace(SEED.sharding, stage=1)))
    history.undo()
    turn(history, 9, 8, 7)
    history.undo()
    assert history.present == workers(8)


@given(st.lists(st.integers(1, 4) | st.sampled_from(["undo", "redo"]), max_size=30))
def test_undoing_everything_leads_back_to_the_start_and_redoing_to_the_end(
    actions: list[int | str],
) -> None:
    history = History(SEED)
    for action in actions:
        if isinstance(action, int):
            history.push(edits.set_workers(action), workers(action), merge=action % 2 == 0)
        elif action == "undo":
            assert history.undo_title == history.undo()
        else:
            assert history.redo_title == history.redo()
    while history.redo():
        pass
    end = history.present
    titles = []
    while history.undo_title is not None:
        titles.append(history.undo())
    assert history.present == SEED
    assert [history.redo() for _ in titles] == titles[::-1]
    assert history.present == end


def test_only_the_last_thousand_steps_are_kept() -> None:
    history = History(SEED)
    for n in range(5, 1505):
        edit = edits.set_workers(n)
        history.push(edit, apply(history.present, edit).scenario)
    taken = 0
    while history.undo() is not None:
        taken += 1
    assert taken == 1000
    assert history.present.cluster.workers == 504
