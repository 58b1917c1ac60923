"""Every command as data: menus and toolbar are built from this one table."""

from operator import methodcaller

from PySide6.QtGui import QKeySequence

from zerogui.catalog.examples import EXAMPLES
from zerogui.gui.command import Command
from zerogui.gui.controller import Shown
from zerogui.gui.hatching import is_hatching


def _undo_title(shown: Shown) -> str:
    return f"&Undo: {shown.undo.replace('&', '&&')}" if shown.undo else "&Undo"


def _redo_title(shown: Shown) -> str:
    return f"&Redo: {shown.redo.replace('&', '&&')}" if shown.redo else "&Redo"


_THEMES = (
    ("system", "Theme of the s&ystem", "Light or dark as the desktop is"),
    ("light", "&Light theme", "Dark text on light ground"),
    ("dark", "&Dark theme", "Light text on dark ground"),
)
_PICTURES = (
    ("png1", "PNG &1x…", "Write the chart as a PNG of 960 × 540 px", ".png", 1),
    ("png2", "PNG &2x…", "Write the chart as a PNG of 1920 × 1080 px", ".png", 2),
    ("png4", "PNG &4x…", "Write the chart as a PNG of 3840 × 2160 px", ".png", 4),
    ("svg", "&SVG…", "Write the chart as vectors, its text as text", ".svg", 1),
    ("pdf", "P&DF…", "Write the chart as vectors, its text as text", ".pdf", 1),
)
_TABLES = (
    ("csv", "&CSV…", "Write the table in plain bytes"),
    ("xlsx", "&XLSX…", "Write the table as a workbook, with formulas where the rule is even"),
    ("markdown", "&Markdown…", "Write the table for a chat or a document"),
    ("html", "&HTML…", "Write the table for a page"),
)
Keys = QKeySequence.StandardKey

COMMANDS: tuple[Command, ...] = (
    Command(
        "open",
        "&Open…",
        "Open a scenario, a model's config.json, a checkpoint or an engine's config",
        "&File",
        lambda d: d.ask_open(),
        Keys.Open,
        "open",
        bar=True,
        label="Open",
    ),
    *(
        Command(
            f"example-{example.name}",
            example.title,
            example.shows,
            "&File",
            methodcaller("open_example", example.name),
            submenu="Open exam&ple",
        )
        for example in EXAMPLES
    ),
    Command(
        "start-page",
        "Start pa&ge",
        "Examples, recent files and the keys that matter, on one page",
        "&File",
        lambda d: d.show_start(),
    ),
    Command(
        "reopen-session",
        "Reopen &last session",
        "Go on with another session that was left with unsaved work; the present one waits",
        "&File",
        lambda d: d.reopen_session(),
    ),
    Command(
        "save-comparison",
        "Save co&mparison…",
        "Save the pinned plans as one file",
        "&File",
        lambda d: d.ask_save_comparison(),
    ),
    Command(
        "open-adapter",
        "Open as a&dapter…",
        "Open a LoRA checkpoint: the present model freezes, the adapter is trained",
        "&File",
        lambda d: d.ask_open_adapter(),
    ),
    Command(
        "save",
        "&Save",
        "Save the scenario to its file",
        "&File",
        lambda d: d.save(),
        Keys.Save,
        "save",
        bar=True,
        label="Save",
    ),
    Command(
        "save-as",
        "Save &as…",
        "Save the scenario to another file",
        "&File",
        lambda d: d.ask_save_as(),
        "Ctrl+Shift+S",
    ),
    Command(
        "export-deepspeed",
        "&DeepSpeed config…",
        "Write the scenario as a DeepSpeed JSON config",
        "&File",
        lambda d: d.export_engine("deepspeed"),
        separate=True,
        submenu="E&xport engine config",
    ),
    Command(
        "export-accelerate",
        "&Accelerate FSDP2 config…",
        "Write the scenario as an Accelerate YAML config",
        "&File",
        lambda d: d.export_engine("accelerate"),
        submenu="E&xport engine config",
    ),
    Command(
        "export-pytorch",
        "&PyTorch fully_shard snippet…",
        "Write the scenario as a few lines of Python",
        "&File",
        lambda d: d.export_engine("pytorch"),
        submenu="E&xport engine config",
    ),
    *(
        Command(
            f"export-chart-{name}",
            title,
            tip,
            "&File",
            methodcaller("export_chart", suffix, scale),
            submenu="Export &chart",
            context=("views",),
        )
        for name, title, tip, suffix, scale in _PICTURES
    ),
    *(
        Command(
            f"export-table-{form}",
            title,
            tip,
            "&File",
            methodcaller("export_table", form),
            submenu="Export &table",
            context=("table",),
        )
        for form, title, tip in _TABLES
    ),
    Command(
        "export-report",
        "Export &report (PDF)…",
        "Write one page with inputs, chart, table and derivation",
        "&File",
        lambda d: d.export_report(),
        "Ctrl+Shift+R",
    ),
    Command(
        "quit",
        "&Quit",
        "Close the window",
        "&File",
        lambda d: d.leave(),
        "Ctrl+Q",
        separate=True,
    ),
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
    Command(
        "unit-gb",
        "Sizes in &GB",
        "Show sizes in GB: 1 GB is 10⁹ bytes",
        "&View",
        lambda d: d.show_unit("GB"),
        bar=True,
        label="GB",
        checked=lambda shown: shown.report.unit == "GB",
        choice="unit",
        separate=True,
    ),
    Command(
        "unit-gib",
        "Sizes in Gi&B",
        "Show sizes in GiB: 1 GiB is 2³⁰ bytes",
        "&View",
        lambda d: d.show_unit("GiB"),
        bar=True,
        label="GiB",
        checked=lambda shown: shown.report.unit == "GiB",
        choice="unit",
    ),
    Command(
        "exact-bytes",
        "&Exact bytes in the table",
        "Show whole bytes in the table",
        "&View",
        lambda d: d.toggle_exact(),
        "Ctrl+B",
        bar=True,
        label="Bytes",
        checked=lambda shown: shown.exact_bytes,
        context=("table",),
    ),
    Command(
        "present",
        "&Present",
        "Fold the inputs away and grow everything for the room; Esc leaves",
        "&View",
        lambda d: d.present(),
        "F5",
        "present",
        bar=True,
        label="Present",
        separate=True,
        other_keys=("F11",),
        context=("views",),
    ),
    Command(
        "text-larger",
        "Larger &text",
        "Make all text larger, chart included",
        "&View",
        lambda d: d.scale_text(1),
        "Ctrl++",
        separate=True,
        other_keys=("Ctrl+=",),
    ),
    Command(
        "text-smaller",
        "S&maller text",
        "Make all text smaller",
        "&View",
        lambda d: d.scale_text(-1),
        "Ctrl+-",
    ),
    Command(
        "text-normal",
        "&Normal text",
        "Text in the system's own size",
        "&View",
        lambda d: d.scale_text(0),
        "Ctrl+0",
    ),
    *(
        Command(
            f"theme-{name}",
            title,
            tip,
            "&View",
            methodcaller("use_theme", name),
            choice="theme",
            separate=name == "system",
        )
        for name, title, tip in _THEMES
    ),
    Command(
        "hatching",
        "&Hatching",
        "Give each state strokes of its own on top of its colour, in pictures too",
        "&View",
        lambda d: d.toggle_hatching(),
        checked=lambda _: is_hatching(),
    ),
    Command(
        "help",
        "zerogui &help",
        "What the numbers mean, where they come from, and how to read each view",
        "&Help",
        lambda d: d.show_help(),
        "Shift+F1",
    ),
    Command(
        "shortcuts",
        "&Shortcuts",
        "All keys on one sheet",
        "&Help",
        lambda d: d.show_shortcuts(),
        "F1",
    ),
    Command(
        "about",
        "&About zerogui",
        "Versions, to copy into a bug report",
        "&Help",
        lambda d: d.show_about(),
    ),
)
