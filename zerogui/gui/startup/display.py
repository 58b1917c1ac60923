"""Whether the environment names a display at all: what every start asks before it loads Qt."""

import sys
from collections.abc import Mapping

NUMBERS = "print the numbers with: zerogui report FILE"
NO_DISPLAY = (
    "there is no display to open a window on; start it from a desktop session (over ssh: ssh -X),"
    f" or {NUMBERS}"
)


def no_display(environ: Mapping[str, str]) -> str | None:
    """Why no window can open, as far as the environment tells; None where it does not tell."""
    if not sys.platform.startswith("linux") or environ.get("QT_QPA_PLATFORM"):
        return None
    if environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"):
        return None
    return NO_DISPLAY
