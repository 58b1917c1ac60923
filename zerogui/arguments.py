"""The arguments of the command line: what each command takes, and the words of its help."""

import argparse
import os
from collections.abc import Sequence
from typing import NoReturn

from zerogui import __version__
from zerogui.accounting.errors import printable

_WRONG_INPUT = 2  # as argparse has it
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
        self.exit(_WRONG_INPUT, f"{self.prog}: {printable(message)}; see {self.prog} --help.\n")


def report_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """``file``, ``format``, ``unit`` and ``output`` of ``zerogui report``."""
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
    return chosen


def render_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """Of ``zerogui render``: ``file``, ``output``, ``unit``, ``theme``, ``hatching``, ``scale``."""
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
    return parser.parse_args(arguments)


def window_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """``file``, ``smoke`` and ``diagnose`` of the window."""
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
    return parser.parse_args(arguments)
