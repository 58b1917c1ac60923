"""A process that saves a plan and its session without end, until it is killed.

``python -m tests.robustness.endless_saver FILE STATE FIRST``: each version counts one up from FIRST
and is told on stdout once it is saved.
"""

import itertools
import sys

from tests.robustness.versions import version
from zerogui.accounting.scenario import Scenario
from zerogui.files.scenario import save
from zerogui.files.session import Session
from zerogui.files.session_folder import SessionFolder


def main(path: str, state: str, first: str) -> None:
    """Save for ever."""
    own = SessionFolder(state).begin(restore=True).own
    own.proven()
    print("ready", flush=True)
    for number in itertools.count(int(first)):
        plan = version(number)
        own.write(Session(plan, Scenario(), path=path))
        print(f"session {number}", flush=True)
        save(plan, path)
        print(f"file {number}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
