"""The File menu: opening, saving, exporting, leaving."""

from operator import methodcaller

from PySide6.QtGui import QKeySequence

from zerogui.catalog.examples import EXAMPLES
from zerogui.gui.commands.command import Command
from zerogui.gui.commands.view import START_KEY

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

FILE: tuple[Command, ...] = (
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
        lambda d: d.show_view("start"),
        START_KEY,
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
        "Export report (PD&F)…",
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
)
