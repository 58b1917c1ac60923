"""The View menu: units, present mode, text size, theme, hatching."""

from operator import methodcaller

from zerogui.gui.commands.command import Command
from zerogui.gui.hatching import is_hatching

# Letters are few: the panel needs nearly all of them, so views have figures.
_VIEWS = (
    ("stages", "&Stages", "Bytes per rank at each ZeRO stage"),
    ("scaling", "S&caling", "Bytes per rank against the number of workers"),
    ("ranks", "&Ranks", "What each rank holds at the stage under discussion"),
    ("compare", "C&ompare", "Pinned plans side by side"),
    ("derivation", "Deri&vation", "The arithmetic of the stage under discussion"),
)
START_KEY = f"Alt+{len(_VIEWS) + 1}"
_THEMES = (
    ("system", "Theme of the s&ystem", "Light or dark as the desktop is"),
    ("light", "&Light theme", "Dark text on light ground"),
    ("dark", "&Dark theme", "Light text on dark ground"),
)

VIEW: tuple[Command, ...] = (
    *(
        Command(
            f"view-{name}", title, tip, "&View", methodcaller("show_view", name), f"Alt+{number}"
        )
        for number, (name, title, tip) in enumerate(_VIEWS, 1)
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
)
