"""The panel's Recipe section: which tensors training keeps, each with its dtype."""

from dataclasses import replace
from functools import partial
from itertools import pairwise

from PySide6.QtWidgets import QPushButton, QWidget

from zerogui.accounting.dtype import DTYPES
from zerogui.accounting.errors import printable
from zerogui.accounting.recipe import MAX_COMPONENTS, OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.catalog import recipe_named, recipes
from zerogui.gui.inputs.choice import Choice, Option
from zerogui.gui.inputs.field_row import FieldRow
from zerogui.gui.inputs.section import Fold, Section
from zerogui.gui.inputs.text_box import TextBox
from zerogui.gui.widgets.caption import Caption
from zerogui.gui.widgets.icon_button import IconButton
from zerogui.planning import edits
from zerogui.planning.roles import optimizer_roles

IN_PLACE = "in place"
_COVERS = {
    "all": "",
    "matrices": "Covers 2-D tensors only, without embeddings and head.",
    "rest": "Covers what the matrices' optimizer leaves: embeddings, head, vectors.",
    "factors": "Keeps row and column factors of each tensor only.",
}
_DTYPES = tuple(Option(name, name, dtype.arithmetic) for name, dtype in DTYPES.items())


def _own_recipe() -> edits.Edit:
    """The recipe as it is, under the name Custom."""

    def change(s: Scenario) -> Scenario:
        return replace(s, recipe=replace(s.recipe, name=edits.CUSTOM))

    return edits.Edit("Use a custom recipe", "recipe", change)


class RecipeSection(Section):
    """Dtypes by role, the optimizer's tensors one below the other."""

    def __init__(self) -> None:
        super().__init__("Recipe")
        self._recipe = Choice()
        self.add_row(
            FieldRow(
                "recipe",
                "Re&cipe",
                self._recipe,
                "Which tensors training keeps for each parameter, and in which dtype.",
            )
        )
        self._weights = self._dtype_row(
            "weights", "&Weights", "Dtype of the weights used forward and backward.", "parameters"
        )
        self._gradients = self._dtype_row(
            "gradients", "Gr&adients", "Dtype of the gradients.", "gradients"
        )
        self._optimizer_head = Caption("&Optimizer")
        self.add(self._optimizer_head)
        self._optimizer: list[FieldRow] = []
        self._names: list[FieldRow] = []
        self._frozen = self._dtype_row(
            "frozen_weights", "Fro&zen weights", "Dtype of the weights that are not trained.", ""
        )
        self._fold = self.add_fold(
            Fold(
                "recipe-fold",
                "&Buffers and tensors",
                "Accumulation buffer and optimizer tensors.",
                self._fill,
            )
        )
        self._shown_recipe = Recipe()
        self._recipe.chosen.connect(self._choose)

    def _fill(self) -> None:
        self._accumulation = self._accumulation_row()
        self._add = QPushButton("&Add a tensor")
        self._add.setObjectName("optimizer-add")
        self._add.setToolTip("One more optimizer tensor for each trained parameter.")
        self._add.clicked.connect(lambda: self.edited.emit(edits.add_optimizer_tensor()))
        self._fold.add(self._add)
        self._show_folded()
        self._order_tabs()

    def inputs(self, scenario: Scenario, unit: str) -> tuple[object, ...]:
        """What the fields show."""
        return (scenario.recipe, scenario.model.frozen_parameters > 0)

    def show_scenario(self, scenario: Scenario, unit: str) -> None:
        """Show ``scenario``; no signal."""
        recipe = scenario.recipe
        self._recipe.set_options([Option(e.recipe.name, e.recipe.name) for e in recipes()])
        self._recipe.set_value(recipe.name, recipe.name or "Unnamed recipe")
        self.rows["recipe"].set_hint(_explanation(recipe.name))
        self._weights.set_value(recipe.weights)
        self._gradients.set_value(recipe.gradients)
        self._frozen.set_value(recipe.frozen_weights)
        self.rows["frozen_weights"].setVisible(scenario.model.frozen_parameters > 0)
        self._show_optimizer(recipe.optimizer)
        self._fold.set_summary(_summary(recipe))
        self._shown_recipe = recipe
        if self._fold.filled:
            self._show_folded()

    def _show_optimizer(self, tensors: tuple[OptimizerTensor, ...]) -> None:
        if len(self._optimizer) < len(tensors):
            for index in range(len(self._optimizer), len(tensors)):
                self._add_dtype(index)
            self._order_tabs()
        roles = optimizer_roles([tensor.name for tensor in tensors])
        self._optimizer_head.setText("&Optimizer" if tensors else "Optimizer: none")
        for index, row in enumerate(self._optimizer):
            used = index < len(tensors)
            if used:
                tensor = tensors[index]
                row.set_label(printable(tensor.name).replace("&", "&&"), _tensor_tip(tensor))
                row.set_swatch(roles[index])
                row.set_hint(_COVERS[tensor.over])
                _as_choice(row).set_value(tensor.dtype)
            row.setVisible(used)

    def _show_folded(self) -> None:
        recipe = self._shown_recipe
        self._accumulation.set_value(recipe.accumulation)
        self._add.setEnabled(len(recipe.optimizer) < MAX_COMPONENTS)
        if len(self._names) < len(recipe.optimizer):
            for index in range(len(self._names), len(recipe.optimizer)):
                self._add_name(index)
            self._order_tabs()
        for index, name in enumerate(self._names):
            used = index < len(recipe.optimizer)
            if used:
                _as_text(name).set_value(recipe.optimizer[index].name)
            name.setVisible(used)

    # Rows are made once, and hidden when not needed.

    def _add_dtype(self, index: int) -> None:
        """The row of one more optimizer tensor's dtype."""
        choice = Choice()
        choice.set_options(_DTYPES)
        row = FieldRow(
            f"optimizer-{index}",
            "",
            choice,
            "Dtype of this tensor.",
            swatch="further",
        )
        choice.chosen.connect(partial(self._set_optimizer_dtype, index))
        self.insert_row(row, after=self._optimizer[-1] if index else self._optimizer_head)
        self._optimizer.append(row)
        if index == 0:
            self._optimizer_head.setBuddy(choice)

    def _add_name(self, index: int) -> None:
        """The row of one more optimizer tensor's name."""
        text = TextBox()
        name = FieldRow(
            f"optimizer-name-{index}", f"Tensor {index + 1}", text, "This tensor's name."
        )
        remove = IconButton("remove", f"Remove optimizer tensor {index + 1}")
        remove.setObjectName(f"optimizer-remove-{index}")
        name.add_beside(remove)
        text.committed.connect(partial(self._rename, index))
        remove.clicked.connect(partial(self._remove, index))
        self.rows[text.objectName()] = name
        self._fold.insert(name, before=self._add)
        self._names.append(name)

    def _order_tabs(self) -> None:
        """Tab goes as the eye does, though some rows were made last."""
        dtypes = [row.field for row in self._optimizer]
        order: list[QWidget] = [self._gradients, *dtypes, self._frozen, self._fold.head]
        if self._fold.filled:
            names = [w for row in self._names for w in (row.field, *row.findChildren(IconButton))]
            order += [self._accumulation, *names, self._add]
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    def _dtype_row(self, name: str, label: str, tip: str, swatch: str) -> Choice:
        choice = Choice()
        choice.set_options(_DTYPES)
        self.add_row(FieldRow(name, label, choice, tip, swatch=swatch))
        # The entries are dtypes; the signal carries any value.
        choice.chosen.connect(lambda dtype: self.edited.emit(edits.set_dtype(name, dtype)))  # type: ignore[arg-type]
        return choice

    def _accumulation_row(self) -> Choice:
        choice = Choice()
        choice.set_options((Option(None, IN_PLACE, "No buffer of its own."), *_DTYPES))
        tip = (
            "Dtype of the buffer in which gradients add up over micro-batches; in place:"
            " the gradients themselves."
        )
        self.add_row(FieldRow("accumulation", "A&ccumulation", choice, tip), self._fold)
        choice.chosen.connect(
            lambda dtype: self.edited.emit(edits.set_dtype("accumulation", dtype))
        )
        return choice

    def _choose(self, name: object) -> None:
        if name == edits.CUSTOM:
            self.edited.emit(_own_recipe())
        else:
            self.edited.emit(edits.choose_recipe(recipe_named(str(name)).recipe))

    def _set_optimizer_dtype(self, index: int, dtype: str) -> None:
        self.edited.emit(edits.set_optimizer_dtype(index, dtype))

    def _rename(self, index: int, name: str) -> None:
        self.edited.emit(edits.rename_optimizer_tensor(index, name))

    def _remove(self, index: int) -> None:
        self.edited.emit(edits.remove_optimizer_tensor(index))


def _as_choice(row: FieldRow) -> Choice:
    assert isinstance(row.field, Choice)
    return row.field


def _as_text(row: FieldRow) -> TextBox:
    assert isinstance(row.field, TextBox)
    return row.field


def _explanation(name: str) -> str:
    try:
        return recipe_named(name).explanation
    except KeyError:
        return ""


def _tensor_tip(tensor: OptimizerTensor) -> str:
    return f"Dtype of the optimizer's {printable(tensor.name)}, kept for each trained parameter."


def _summary(recipe: Recipe) -> str:
    count = len(recipe.optimizer)
    tensors = "1 optimizer tensor" if count == 1 else f"{count or 'no'} optimizer tensors"
    place = "in place" if recipe.accumulation is None else f"in {recipe.accumulation}"
    return f"Accumulates {place}, {tensors}"
