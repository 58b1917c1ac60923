"""Commands that bring a view to the front, and those that choose the theme."""

from operator import methodcaller

from zerogui.gui.command import Command

# Letters are few: the panel needs nearly all of them, so views have figures.
_VIEWS = (
    ("stages", "&Stages", "Bytes per rank at each ZeRO stage"),
    ("scaling", "S&caling", "Bytes per rank against the number of workers"),
    ("ranks", "&Ranks", "What each rank holds at the stage under discussion"),
    ("compare", "C&ompare", "Pinned plans side by side"),
    ("derivation", "Deri&vation", "The arithmetic of the stage under discussion"),
)
_THEMES = (
    ("system", "Theme of the s&ystem", "Light or dark as the desktop is"),
    ("light", "&Light theme", "Dark text on light ground"),
    ("dark", "&Dark theme", "Light text on dark ground"),
)
START_KEY = f"Alt+{len(_VIEWS) + 1}"

VIEWS: tuple[Command, ...] = tuple(
    Command(f"view-{name}", title, tip, "&View", methodcaller("show_view", name), f"Alt+{number}")
    for number, (name, title, tip) in enumerate(_VIEWS, 1)
)
THEMES: tuple[Command, ...] = tuple(
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
)
