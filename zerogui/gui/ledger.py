"""What a window has opened and written, by contents: so that saving loses nobody's work."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import shown_name
from zerogui.planning.work import Job, Watch, without_collecting

if TYPE_CHECKING:
    from zerogui.files.replacing import Changed, Written


class Outcome(NamedTuple):
    """How a save went: ``written``, or else ``changed`` on disk, or refused with a sentence."""

    said: str
    written: "Written | None" = None
    changed: bool = False


class Ledger:
    """Knows which contents are this window's own, and what its files should hold."""

    def __init__(self) -> None:
        self._expected: dict[str, bytes] = {}
        self._own: frozenset[bytes] = frozenset()

    def opened(self, path: str | None, digest: bytes | None) -> None:
        """``path`` was read; it had contents with ``digest``."""
        if path is not None and digest is not None:
            self._expected[os.path.realpath(path)] = digest

    def expected(self, path: str | None) -> bytes | None:
        """The digest of what the file at ``path`` should hold, None where that is not known."""
        return self._expected.get(os.path.realpath(path)) if path is not None else None

    def wrote(self, path: str, digest: bytes) -> None:
        """``path`` was written."""
        self._expected[os.path.realpath(path)] = digest
        self._own |= {digest}

    def saving_job(
        self, scenario: Scenario, path: str, careful: bool, ended: Callable[[Outcome], None]
    ) -> Job:
        """Writes ``scenario`` to ``path``; ``careful``: only where the file is as expected."""
        from zerogui.files.replacing import Changed, replace_file
        from zerogui.files.scenario import encode_within_limit

        def work(watch: Watch) -> "Written | Changed":
            # Looked up when it runs: a save before this one may have ended meanwhile.
            expected = self._expected.get(os.path.realpath(path))
            with without_collecting():
                data = encode_within_limit(scenario, path)
            return replace_file(path, data, expected, self._own, careful)

        def done(result: "Written | Changed") -> None:
            if isinstance(result, Changed):
                ended(Outcome("", changed=True))
            else:
                ended(Outcome(_said(path, result), result))

        return Job(
            f"Saving {shown_name(path)}", work, done, lambda error: ended(Outcome(str(error)))
        )


def _said(path: str, written: "Written") -> str:
    """The note in the status bar."""
    said = f"Saved {shown_name(path)}"
    if written.was_gone:
        return f"{said} again: it had been deleted meanwhile"
    if written.kept is None:
        return said
    instead = ", in place of the oldest one kept" if written.dropped else ""
    return f"{said}; what it held before is kept as {written.kept}{instead}"
