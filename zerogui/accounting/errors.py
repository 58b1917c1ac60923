"""The one error that a wrong input raises, and how text from outside is quoted in it."""

LONGEST_SHOWN = 200


def shown(text: str, limit: int = 60) -> str:
    """``text`` in double quotes on one line: elided to ``limit`` characters, controls escaped."""
    return f'"{printable(text, limit)}"'


def printable(text: str, limit: int = LONGEST_SHOWN) -> str:
    """``text`` for one line on screen: elided, control and invisible characters escaped."""
    text = elided(text, limit)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def elided(text: str, limit: int = LONGEST_SHOWN) -> str:
    """``text`` with an ellipsis for what goes beyond ``limit`` characters."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


class InputError(ValueError):
    """A value that cannot be used; ``str()`` gives one sentence for the user.

    ``field`` is the path in the scenario contract (``"cluster.workers"``), empty for the whole
    input; ``problem`` continues the field's name ("is 0"); ``remedy`` says what to do.
    """

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        self.field = field
        self.problem = problem
        self.remedy = remedy
        subject = f"{field} " if field else ""
        super().__init__(f"{subject}{problem}; {remedy}.")


MAX_NAME = 1000


def within(field: str, value: int, low: int, high: int) -> None:
    """InputError at ``field`` unless low ≤ value ≤ high."""
    if not low <= value <= high:
        raise InputError(field, f"is {value:,}", f"use a whole number from {low:,} to {high:,}")


def check_name(field: str, text: str, *, needed: bool = False) -> None:
    """InputError at ``field`` where a name is too long, or empty although it is ``needed``."""
    if len(text) > MAX_NAME:
        raise InputError(field, f"has {len(text):,} characters", f"use at most {MAX_NAME:,}")
    if needed and not text.strip():
        raise InputError(field, "is empty", "write a name")
