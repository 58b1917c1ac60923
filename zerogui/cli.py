"""The command line: opens the window, or prints a report without loading any of Qt."""

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zerogui.accounting.errors import printable
from zerogui.files.errors import FileError

if TYPE_CHECKING:
    from zerogui.planning.report import Report

WRONG_INPUT = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program with ``argv`` (default: the process's own); returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        if arguments[:1] == ["report"]:
            return _report(arguments[1:])
        if arguments[:1] == ["render"]:
            return _render(arguments[1:])
        if arguments[:1] == ["--read-apart"] and len(arguments) == 2:
            from zerogui.files.apart import main as read_apart

            return read_apart(arguments[1])
        return _window(arguments)
    except FileError as error:
        print(f"zerogui: {error}", file=sys.stderr)
        return WRONG_INPUT
    except BrokenPipeError:
        # The reader has seen enough (zerogui report ... | head).
        _drop_stdout()
        return 0


def main_window() -> int:
    """Entry point of the desktop program."""
    return main()


def _report(arguments: list[str]) -> int:
    from zerogui.arguments import report_arguments

    chosen = report_arguments(arguments)

    from zerogui.planning.resolve import resolve
    from zerogui.planning.start import plan_of

    # One short run that frees nothing on the way: collecting garbage would only cost time.
    gc.disable()
    plan = plan_of(chosen.file)
    report = resolve(plan.scenario, chosen.unit)
    _put(report, chosen.format, chosen.output)
    assumed = plan.origin.assumed if plan.origin is not None else ()
    _note((*plan.notes, f"assumed {', '.join(assumed)}") if assumed else plan.notes)
    return 0


def _put(report: "Report", form: str, output: str | None) -> None:
    """Print ``report``, or write it to ``output`` whole or not at all."""
    if form == "xlsx" and output is not None:
        from zerogui.planning.workbook import workbook

        data = workbook(report, output)
    else:
        from zerogui.planning.report_text import render

        text = render(report, form)
        if output is None:
            _write(text)
            return
        data = text.encode("utf-8", "replace")
    from zerogui.files.atomic import write_atomically

    write_atomically(output, data)


def _note(notes: Sequence[str]) -> None:
    for note in notes:
        print(f"zerogui: {printable(note, 1000)}", file=sys.stderr)


def _render(arguments: list[str]) -> int:
    from zerogui.arguments import render_arguments

    chosen = render_arguments(arguments)
    try:
        from zerogui.gui.exporting.render_command import render
    except ImportError as error:
        return _library_missing(error)
    look = (chosen.theme, chosen.scale, chosen.hatching)
    _note(render(chosen.file, chosen.output, chosen.unit, *look))
    return 0


def _write(text: str) -> None:
    """UTF-8 whatever the locale says: the texts hold ·, × and thin spaces."""
    if sys.stdout is None:
        raise FileError("standard output", "is closed; write to a file or a terminal.")
    data = memoryview(text.encode("utf-8", "replace"))
    try:
        sys.stdout.flush()
        # An unbuffered stream may take less than it is given.
        while data:
            data = data[sys.stdout.buffer.write(data) :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _drop_stdout()
        why = error.strerror or "unknown error"
        raise FileError("standard output", f"cannot be written ({why}).") from None


def _drop_stdout() -> None:
    """Whatever is still buffered goes nowhere, so that leaving does not fail over it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _window(arguments: list[str]) -> int:
    file, smoke = None, arguments == ["--smoke"]
    # Most starts say nothing, and a parser would have to be loaded to hear that.
    if arguments and not smoke:
        from zerogui.arguments import window_arguments

        chosen = window_arguments(arguments)
        if chosen.diagnose:
            from zerogui.gui.startup.diagnose import diagnose

            return diagnose(_write)
        file, smoke = chosen.file, chosen.smoke

    # A start makes much and drops little: garbage is collected again once the window stands.
    gc.disable()
    from zerogui.gui.startup.display import no_display
    from zerogui.planning.start import starting_plan

    # A large file opens in the window, with its progress; what is wrong with it is said there.
    later = file if not smoke and _is_large(file) else None
    at_once = None if later is not None else file
    plan = starting_plan(at_once)
    problem = no_display(os.environ)
    if problem is not None:
        return _no_window(problem)
    try:
        from zerogui.gui.app import run
    except ImportError as error:
        return _library_missing(error)
    return run(plan, at_once, smoke=smoke, later=later)


def _is_large(path: str | None) -> bool:
    """Whether reading ``path`` would keep its user waiting for a window."""
    try:
        if path is None or not (os.path.isdir(path) or os.path.getsize(path) > 10**6):
            return False
    except (OSError, ValueError):
        return False
    from zerogui.files.apart import SMALL, bytes_to_decode

    return bytes_to_decode(path) > SMALL


def _library_missing(error: ImportError) -> int:
    from zerogui.gui.startup.first_run import missing_library

    return _no_window(missing_library(error, os.environ))


def _no_window(problem: str) -> int:
    print(f"zerogui: {problem}", file=sys.stderr)
    return WRONG_INPUT
