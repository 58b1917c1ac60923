"""A plan as a session keeps it, and the plan that a session brings back."""

from zerogui.accounting.scenario import Scenario
from zerogui.files.session import ModelSource, Session
from zerogui.planning.opening import OpenedPlan, Origin
from zerogui.planning.pins import Pins


def session_of(
    scenario: Scenario,
    saved: Scenario,
    pins: Pins,
    path: str | None,
    view: str,
    origin: Origin | None,
    digest: bytes | None = None,
) -> Session:
    """The present moment; ``saved`` is what the file at ``path`` (or the start) holds.

    ``digest`` is that of the contents which the file should have, where that is known.
    """
    source = None
    if origin is not None:
        source = ModelSource(origin.family, origin.source, origin.tied, origin.assumed)
    known = digest.hex() if digest is not None else ""
    return Session(scenario, saved, pins.stored(), path, view, source, known)


def plan_of_session(session: Session, notes: tuple[str, ...] = ()) -> OpenedPlan:
    """The plan that ``session`` had, unsaved changes included."""
    source = session.origin
    origin = None
    if source is not None:
        origin = Origin(source.family, source.source, source.tied, source.assumed)
    return OpenedPlan(
        session.scenario,
        session.path is not None,
        notes,
        origin,
        Pins.of(session.pins),
        session.saved,
        digest=bytes.fromhex(session.digest) if session.digest else None,
    )
