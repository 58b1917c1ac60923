"""What the views show at one moment, and what the controller asks of views and of messages."""

from typing import NamedTuple, Protocol

from zerogui.planning.report import Report


class Shown(NamedTuple):
    """All that the views show at one moment.

    ``exact_bytes``: the table shows whole bytes instead of the unit; ``path``: the scenario's
    file; ``changed``: it differs from that file (or from the start); ``undo`` and ``redo``: the
    names of the steps, None where there is none; ``card`` has lines on an opened model.
    """

    report: Report
    exact_bytes: bool
    path: str | None
    changed: bool
    undo: str | None
    redo: str | None
    card: tuple[str, ...] = ()


class View(Protocol):
    """Anything that shows a report."""

    def display(self, shown: Shown) -> None:
        """Show ``shown``, without emitting anything."""


class Messages(Protocol):
    """How the controller speaks to the user."""

    def info(self, text: str) -> None:
        """Something that happened besides what was asked for."""

    def error(self, text: str) -> None:
        """Something that could not be done, and what to do."""

    def field_error(self, key: str, text: str) -> None:
        """What is wrong with the field ``key``."""

    def confirm(self, text: str) -> None:
        """A short note that something worked."""

    def clear(self) -> None:
        """What was said before is about another state of the plan."""
