"""python -m tests.benchmarks.versus_floor: the program and its floors in turn, as ratios.

Runs A B A B …, so that a machine whose speed drifts slows both; prints median and spread.
"""

import compileall
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from tests.test_cli_size import plan

RUNS = int(os.environ.get("RUNS", "9"))
SEED = {"format": "zerogui/scenario", "version": 1, "model": {"parameters": 10**9}}
PYTHON = sys.executable


def started(*arguments: str) -> tuple[float, dict[str, list[float]]]:
    """When the process started, and the JSON line that it printed."""
    start = time.perf_counter()
    done = subprocess.run([PYTHON, *arguments], capture_output=True, check=True, text=True)
    return start, json.loads(done.stdout.splitlines()[-1])


def seconds(*arguments: str) -> float:
    """Wall time of a whole process."""
    start = time.perf_counter()
    subprocess.run([PYTHON, *arguments], capture_output=True, check=True)
    return time.perf_counter() - start


def cpu(*arguments: str) -> float:
    """CPU seconds of a whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([PYTHON, *arguments], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def painted(moment: int, *arguments: str) -> float:
    """Seconds from process start to a moment on its clock."""
    start, line = started(*arguments)
    return float(line["clock"][moment]) - start


def edit_times(*program: str) -> list[float]:
    """Seconds of each edit in a floor or in the window."""
    return started("-m", "tests.benchmarks.floors", *program)[1]["edits"]


def ratio(
    name: str, ours: Callable[[], float], floor: Callable[[], float], target: str = ""
) -> None:
    """Run both in turn and print the ratio of medians with its spread."""
    ours(), floor()  # warm the disk cache
    pairs = [(ours(), floor()) for _ in range(RUNS)]
    ratios = sorted(a / b for a, b in pairs)
    middle = median(a for a, _ in pairs) / median(b for _, b in pairs)
    spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
    print(f"| {name} | {middle:.2f} × | {spread} | {target} |", flush=True)


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that so many percent do not exceed."""
    return sorted(values)[min(len(values) * percent // 100, len(values) - 1)]


def edit(kind: str) -> Callable[[], float]:
    """Measures the median edit of ``kind``: "edits-..." in the window, or "plot"."""
    return lambda: median(edit_times(kind))


def resident(kind: str) -> Callable[[], float]:
    """Measures the resident bytes of a floor or of the window."""
    return lambda: float(started("-m", "tests.benchmarks.floors", kind)[1]["rss"])


def starts() -> None:
    """Rows on the start of the window."""
    floor, smoke = ("-m", "tests.benchmarks.floors"), ("-m", "zerogui", "--smoke")
    plot = lambda: painted(0, *floor, "plot")  # noqa: E731
    ratio("start to table painted", lambda: painted(0, *smoke), plot, "≤ 0.6")
    ratio("start to everything painted", lambda: painted(1, *smoke), plot, "≤ 1.2")
    window = lambda: painted(0, *floor, "window")  # noqa: E731
    ratio("start to table painted, against a bare QMainWindow", lambda: painted(0, *smoke), window)


def edits() -> None:
    """Rows on edits and on memory."""
    ratio("one edit, chart and table painted", edit("edits-count"), edit("plot"), "≤ 2")
    ratio(
        "edit of 405B under fsdp2, against a count",
        edit("edits-405b"),
        edit("edits-count"),
        "≤ 1.3",
    )
    ratio(
        "edit with 100 pins in Compare, against one",
        edit("edits-pins-100"),
        edit("edits-pins-1"),
        "≤ 3",
    )
    ratio("resident memory", resident("edits-count"), resident("plot"), "≤ 1.25")


def reports() -> float:
    """The row on a report; returns CPU seconds of a large one beyond reading its file."""
    with tempfile.TemporaryDirectory() as folder:
        seed = Path(folder) / "seed.zerogui.json"
        seed.write_text(json.dumps(SEED))
        report = ("-m", "zerogui", "report", str(seed))
        nothing = lambda: seconds("-c", "pass")  # noqa: E731
        ratio(
            "report of the seed, against python -c pass", lambda: seconds(*report), nothing, "≤ 8"
        )
        huge = Path(folder) / "huge.zerogui.json"
        huge.write_text(json.dumps(plan("deepspeed", 3)))
        whole = median(cpu("-m", "zerogui", "report", str(huge)) for _ in range(3))
        reading = "from zerogui.files.scenario import load; import sys; load(sys.argv[1])"
        return whole - median(cpu("-c", reading, str(huge)) for _ in range(3))


def main() -> None:
    """Print the table of the README."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # Installed programs come with their bytecode, as the libraries of the floors do.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    compileall.compile_dir("zerogui", quiet=1)
    print("| what | median ratio | spread | target |\n| --- | ---: | --- | ---: |")
    starts()
    edits()
    beyond = reports()
    times = edit_times("edits-count", "410")
    middle, late = median(times) * 1000, percentile(times, 99) * 1000
    print(f"\nAn edit takes {middle:.1f} ms, p99 {late:.1f} ms (target 16).")
    print(f"A report of 100,000 tensors takes {beyond:.2f} s of CPU beyond reading (target 0.5).")


if __name__ == "__main__":
    main()
