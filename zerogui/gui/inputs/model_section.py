"""The panel's Model section: title, preset, parameter count and frozen share."""

from dataclasses import replace

from PySide6.QtCore import Qt

from zerogui.accounting.model import MAX_ELEMENTS, Model
from zerogui.accounting.scenario import Scenario
from zerogui.catalog import model_named, models
from zerogui.gui.inputs.choice import Option, SearchChoice
from zerogui.gui.inputs.field_row import FieldRow
from zerogui.gui.inputs.number_box import NumberBox
from zerogui.gui.inputs.section import Section
from zerogui.gui.inputs.steps import step_parameters
from zerogui.gui.inputs.text_box import TextBox
from zerogui.gui.theme import Ink
from zerogui.gui.widgets.caption import Caption
from zerogui.planning import edits
from zerogui.planning.quantities import count_text, format_count, group_digits, parse_count

CUSTOM_COUNT = "Custom count"


def _own_count() -> edits.Edit:
    """The model without its name: from now on a mere count."""

    def change(s: Scenario) -> Scenario:
        return replace(s, model=Model("", s.model.parameters, s.model.frozen_parameters))

    return edits.Edit("Use a custom parameter count", "model", change)


class ModelSection(Section):
    """What is trained, and what the plan is called."""

    def __init__(self) -> None:
        super().__init__("Model")
        self._title = TextBox()
        self._title.setPlaceholderText("Name this plan")
        self._model = SearchChoice("model")
        self._parameters = _count_box()
        self._frozen = _count_box()
        for row in (
            FieldRow("title", "&Title", self._title, "The plan's name, saved with it."),
            FieldRow(
                "model",
                "&Model",
                self._model,
                "A published model with its exact parameter count; type part of its name.",
            ),
            FieldRow(
                "parameters",
                "&Parameters Ψ",
                self._parameters,
                "All elements of the model, frozen ones included; 7.5e9, 7.5B and"
                " 7,500,000,000 mean the same.",
            ),
            FieldRow(
                "frozen",
                "Fro&zen",
                self._frozen,
                "How many of the parameters are not trained: they have weights, but no"
                " gradients and no optimizer states (LoRA).",
            ),
        ):
            self.add_row(row)
        self._card = Caption(ink=Ink.MUTED, delta=-1, wrap=True)
        self._card.setObjectName("model-card")
        self._card.setAccessibleName("Model card")
        self._card.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._card.hide()
        self.add(self._card)
        self._title.committed.connect(lambda text: self.edited.emit(edits.set_title(text)))
        self._model.chosen.connect(self._choose)
        self._parameters.committed.connect(lambda n: self.edited.emit(edits.set_parameters(n)))
        self._frozen.committed.connect(lambda n: self.edited.emit(edits.set_frozen_parameters(n)))

    def inputs(self, scenario: Scenario, unit: str) -> tuple[object, ...]:
        """What the fields show."""
        return (scenario.model, scenario.title)

    def show_scenario(self, scenario: Scenario, unit: str) -> None:
        """Show ``scenario``; no signal."""
        model = scenario.model
        self._model.set_options(_options())
        self._title.set_value(scenario.title)
        self._model.set_value(model.name, model.name)
        self._parameters.set_value(model.parameters)
        self._frozen.set_limits(0, model.parameters)
        self._frozen.set_value(model.frozen_parameters)
        self.rows["parameters"].set_hint(_origin(model))
        self.rows["frozen"].set_hint(_shares(model))

    def show_card(self, card: tuple[str, ...]) -> None:
        """Lines on a model that came from a file; none for a count."""
        self._card.setText("\n".join(card))
        self._card.setVisible(bool(card))

    def _choose(self, name: object) -> None:
        if not name:
            self.edited.emit(_own_count())
            self._parameters.setFocus()
            return
        entry = model_named(str(name))
        self.edited.emit(edits.choose_model(Model(entry.name, entry.parameters)))


def _count_box() -> NumberBox:
    return NumberBox(parse_count, count_text, step_parameters, 0, MAX_ELEMENTS)


def _options() -> list[Option]:
    custom = Option("", CUSTOM_COUNT, "Any parameter count, typed below.")
    return [
        custom,
        *(
            Option(
                entry.name,
                entry.name,
                f"{entry.family}: {group_digits(entry.parameters)} parameters",
                entry.aliases,
            )
            for entry in models()
        ),
    ]


def _origin(model: Model) -> str:
    """Where a count comes from, if it was not typed."""
    if model.tensors is None:
        return ""
    return f"The sum of {group_digits(model.listed)} listed tensors; another count drops the list."


def _shares(model: Model) -> str:
    if not model.frozen_parameters:
        return ""
    return f"{format_count(model.trainable_parameters)} of them are trained."
