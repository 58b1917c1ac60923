"""Freezing a part of a long tensor list as work that may run in a thread."""

from collections.abc import Callable

from zerogui.accounting.scenario import Scenario
from zerogui.planning.edits import Changed, Edit, apply
from zerogui.planning.opening import model_card
from zerogui.planning.work import MANY_OBJECTS, Job, Watch, settle


def freezing_job(
    base: Scenario,
    edit: Edit,
    done: Callable[[Edit], None],
    failed: Callable[[Exception], None],
) -> Job:
    """Applies ``edit`` to ``base`` ahead: the edit that is ``done`` costs nothing there."""

    def work(watch: Watch) -> Edit:
        applied = apply(base, edit)
        model = applied.scenario.model
        model_card(model, None)  # what many tensors add up to is kept with the model
        if len(model.tensors or ()) >= MANY_OBJECTS:
            settle()

        def change(scenario: Scenario) -> Changed:
            if scenario is base:
                return applied.scenario, applied.notes
            return edit.change(scenario)

        return edit._replace(change=change)

    return Job("Freezing tensors", work, done, failed, slot="freeze", optional=True)
