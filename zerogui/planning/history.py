"""Undo and redo over frozen states: scenarios, or plans with their pins."""

from typing import Generic, NamedTuple, TypeVar

from zerogui.planning.edits import Edit

# Kept for undo: a window that stays open for days must not remember every digit that was turned.
MOST_STEPS = 1000

State = TypeVar("State")


class _Step(NamedTuple, Generic[State]):
    """From ``before`` to ``after`` by an edit called ``title``."""

    title: str
    key: str
    before: State
    after: State


class History(Generic[State]):
    """The state as it is now, and the last thousand steps that led here or can be taken again."""

    def __init__(self, state: State) -> None:
        self._present = state
        self._done: list[_Step[State]] = []
        self._undone: list[_Step[State]] = []
        self._may_merge = False

    @property
    def present(self) -> State:
        """The state as it is now."""
        return self._present

    @property
    def undo_title(self) -> str | None:
        """What ``undo`` would take back, None for nothing."""
        return self._done[-1].title if self._done else None

    @property
    def redo_title(self) -> str | None:
        """What ``redo`` would take again, None for nothing."""
        return self._undone[-1].title if self._undone else None

    def push(self, edit: Edit, state: State, merge: bool = False) -> None:
        """``edit`` has led to ``state``; nothing where that changes nothing.

        With ``merge`` the step becomes one with the previous one if that was pushed just before
        under the same key: a value being turned.
        """
        if state == self._present:
            return
        before = self._present
        if merge and self._may_merge and self._done[-1].key == edit.key:
            before = self._done.pop().before
        self._present = state
        self._undone.clear()
        # Turned back to where it began: no step is left, nor may the next join an earlier one.
        self._may_merge = state != before
        if self._may_merge:
            self._done.append(_Step(edit.title, edit.key, before, state))
            del self._done[:-MOST_STEPS]

    def undo(self) -> str | None:
        """Take the last step back; its title, None where there is none."""
        if not self._done:
            return None
        step = self._done.pop()
        self._undone.append(step)
        self._present = step.before
        self._may_merge = False
        return step.title

    def redo(self) -> str | None:
        """Take the step again that was taken back last; its title, None where there is none."""
        if not self._undone:
            return None
        step = self._undone.pop()
        self._done.append(step)
        self._present = step.after
        self._may_merge = False
        return step.title
