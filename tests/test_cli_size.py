"""A hundred thousand tensors on 16,384 workers go through one report in bounded memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

TENSORS, WORKERS = 100_000, 16_384
LIMIT = 300 * 10**6


def plan(rule: str, stage: int) -> dict[str, object]:
    # Distinct shapes: nothing can be grouped.
    tensors = [
        {"name": f"layers.{k}.weight", "shape": [1 + k % 5003, 1 + k % 2999]}
        for k in range(TENSORS)
    ]
    return {
        "format": "zerogui/scenario",
        "version": 1,
        "model": {"tensors": tensors},
        "cluster": {"workers": WORKERS},
        "sharding": {"rule": rule, "stage": stage},
        "device": {"name": "H100 80GB", "memory": 85_520_809_984},
    }


# What the report prints of itself: its own peak, not that of the tests around it.
MEASURED = (
    "import sys; from zerogui.cli import main; status = main();"
    " lines = open('/proc/self/status').read().splitlines();"
    " print(next(l.split()[1] for l in lines if l.startswith('VmHWM')), file=sys.stderr);"
    " sys.exit(status)"
)


@pytest.mark.parametrize(
    ("rule", "stage"), [("even", 3), ("deepspeed", 3), ("fsdp2", 3), ("torch-zero1", 1)]
)
def test_a_huge_tensor_list_is_reported_in_less_than_300_mb(
    tmp_path: Path, rule: str, stage: int
) -> None:
    path = tmp_path / "huge.zerogui.json"
    path.write_text(json.dumps(plan(rule, stage)))
    command = [sys.executable, "-c", MEASURED, "report", str(path), "--format", "json"]
    done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    report = json.loads(done.stdout)
    found = report["stages"][stage]
    assert found["exact"] is True
    assert sum(run["count"] for run in found["ranks"]) == WORKERS
    peak = int(done.stderr.split()[-1]) * 1024
    assert 10**7 < peak < LIMIT
