"""The command line: opens the window, or prints a report without loading any of Qt."""

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from zerogui import __version__
from zerogui.accounting.errors import printable
from zerogui.files.errors import FileError

if TYPE_CHECKING:
    from zerogui.planning.report import Report

WRONG_INPUT = 2
REPORT_FORMATS = ("text", "json", "csv", "tsv", "markdown", "html", "xlsx")
UNITS = ("GB", "GiB")
FILES = (
    "a scenario or a comparison (*.zerogui.json), a model's config.json, a .safetensors checkpoint"
    " or its folder, a DeepSpeed config, or an Accelerate FSDP config"
)
EPILOG = """\
commands:
  zerogui report FILE          print what every rank stores (zerogui report --help)
  zerogui render FILE -o OUT   draw the stage chart as .png, .svg or .pdf
"""


def _plain_help(prog: str) -> argparse.HelpFormatter:
    """Left to itself the formatter loads shutil, and compressors with it, for each argument."""
    try:
        columns = os.get_terminal_size().columns
    except (OSError, ValueError):
        columns = 80
    return argparse.RawDescriptionHelpFormatter(prog, width=max(columns, 40) - 2)


class _OneLineParser(argparse.ArgumentParser):
    """Wrong arguments get one line on stderr, like every other wrong input."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(prog, description=description, epilog=epilog, formatter_class=_plain_help)

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_INPUT, f"{self.prog}: {printable(message)}; see {self.prog} --help.\n")


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
    parser = _OneLineParser("zerogui report", description="Print what every rank stores.")
    parser.add_argument("file", metavar="FILE", help=FILES)
    parser.add_argument(
        "--format", choices=REPORT_FORMATS, default="text", help="default: %(default)s"
    )
    parser.add_argument(
        "--unit",
        choices=UNITS,
        default="GB",
        help="GB is 10^9 bytes, GiB is 2^30 (default: %(default)s); csv, tsv and xlsx carry plain"
        " bytes",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="write to this file instead; xlsx needs it"
    )
    chosen = parser.parse_args(arguments)
    if chosen.format == "xlsx" and chosen.output is None:
        parser.error("a workbook goes to a file: add -o OUT.xlsx")

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
    parser = _OneLineParser("zerogui render", description="Draw the stage chart without a window.")
    parser.add_argument("file", metavar="FILE", help=FILES)
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="ends in .png, .svg or .pdf"
    )
    parser.add_argument("--unit", choices=UNITS, default="GB", help="default: %(default)s")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--hatching", action="store_true", help="each state has strokes of its own")
    parser.add_argument(
        "--scale",
        type=int,
        choices=(1, 2, 4),
        default=1,
        help="of a PNG: 960 × 540 px times this",
    )
    chosen = parser.parse_args(arguments)
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
    parser = _OneLineParser(
        "zerogui",
        description="What every rank of a data-parallel training run stores, byte by byte.",
        epilog=EPILOG,
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help=FILES)
    parser.add_argument("--version", action="version", version=f"zerogui {__version__}")
    parser.add_argument(
        "--smoke",
        action="store_true",
        help="open the window, paint it fully, print one line of JSON with timings, and leave",
    )
    parser.add_argument(
        "--diagnose",
        action="store_true",
        help="print versions, libraries, screens, fonts and paths for a bug report, and leave",
    )
    chosen = parser.parse_args(arguments)
    if chosen.diagnose:
        from zerogui.gui.startup.diagnose import diagnose

        return diagnose(_write)

    # A start makes much and drops little: garbage is collected again once the window stands.
    gc.disable()
    from zerogui.gui.startup.display import no_display
    from zerogui.planning.start import starting_plan

    # A large file opens in the window, with its progress; what is wrong with it is said there.
    later = chosen.file if not chosen.smoke and _is_large(chosen.file) else None
    at_once = None if later is not None else chosen.file
    plan = starting_plan(at_once)
    problem = no_display(os.environ)
    if problem is not None:
        return _no_window(problem)
    try:
        from zerogui.gui.app import run
    except ImportError as error:
        return _library_missing(error)
    return run(plan, at_once, smoke=chosen.smoke, later=later)


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
