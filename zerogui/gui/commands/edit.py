"""The Edit menu: steps back and forth, the model, copying, pinning."""

from PySide6.QtGui import QKeySequence

from zerogui.gui.commands.command import Command
from zerogui.gui.shown import Shown

Keys = QKeySequence.StandardKey


def _undo_title(shown: Shown) -> str:
    return f"&Undo: {shown.undo.replace('&', '&&')}" if shown.undo else "&Undo"


def _redo_title(shown: Shown) -> str:
    return f"&Redo: {shown.redo.replace('&', '&&')}" if shown.redo else "&Redo"


EDIT: tuple[Command, ...] = (
    Command(
        "undo",
        "&Undo",
        "Take the last step back",
        "&Edit",
        lambda d: d.undo(),
        Keys.Undo,
        "undo",
        bar=True,
        label="Undo",
        enabled=lambda shown: shown.undo is not None,
        title_of=_undo_title,
        separate=True,
    ),
    Command(
        "redo",
        "&Redo",
        "Take again the step that was undone",
        "&Edit",
        lambda d: d.redo(),
        "Ctrl+Shift+Z",
        "redo",
        bar=True,
        label="Redo",
        enabled=lambda shown: shown.redo is not None,
        title_of=_redo_title,
    ),
    Command(
        "browse-models",
        "&Browse models…",
        "Choose a published model from a searchable list",
        "&Edit",
        lambda d: d.browse_models(),
        "Ctrl+M",
        separate=True,
    ),
    Command(
        "train-only",
        "&Freeze all but…",
        "Train only a count, a share, or the tensors that name patterns choose",
        "&Edit",
        lambda d: d.ask_train_only(),
    ),
    Command(
        "copy-table",
        "Copy &table",
        "Copy the whole table for a spreadsheet (exact bytes) or a chat (Markdown)",
        "&Edit",
        lambda d: d.copy_table(),
        "Ctrl+Shift+C",
        "copy-table",
        bar=True,
        label="Copy table",
        separate=True,
        context=("table",),
    ),
    Command(
        "copy-chart",
        "Copy c&hart",
        "Copy the chart as a picture (PNG and SVG)",
        "&Edit",
        lambda d: d.copy_chart(),
        "Ctrl+Shift+P",
        "copy-chart",
        bar=True,
        label="Copy chart",
        context=("views",),
    ),
    Command(
        "pin",
        "&Pin",
        "Keep the present plan for comparing",
        "&Edit",
        lambda d: d.pin(),
        "Ctrl+D",
        "pin",
        bar=True,
        label="Pin",
        context=("views",),
    ),
    Command(
        "copy-selection",
        "Copy s&election",
        "Copy the chosen cells of the table with their headings",
        "&Edit",
        lambda d: d.copy_selection(),
        context=("table",),
    ),
    Command(
        "copy-arithmetic",
        "Copy &arithmetic",
        "Copy the line of arithmetic of the selected stage",
        "&Edit",
        lambda d: d.copy_arithmetic(),
    ),
    Command(
        "reset",
        "Reset to &defaults",
        "Back to 1 B parameters on 4 workers",
        "&Edit",
        lambda d: d.reset(),
        icon="reset",
        separate=True,
    ),
)
