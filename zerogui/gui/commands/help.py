"""The Help menu: the help itself, all keys, and versions."""

from zerogui.gui.commands.command import Command

HELP: tuple[Command, ...] = (
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
