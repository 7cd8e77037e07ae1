"""How long a small step takes beside only loading the libraries that compose its settings; the two take turns."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import record_ratio

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = [sys.executable, "-c", "import hydra, omegaconf, msgspec"]


def timed(command: list[str]) -> tuple[float, float]:
    """Wall-clock and processor seconds of a whole process and those that it starts."""
    before, start = os.times(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    wall, after = time.perf_counter() - start, os.times()
    return wall, sum(after[2:4]) - sum(before[2:4])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="counted runs of each command")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        step = [sys.executable, "run.py", "step=extract", f"output_dir={folder}/output"]
        for command in (step, LIBRARIES):
            timed(command)
        pairs = [(timed(step), timed(LIBRARIES)) for _ in range(options.runs)]
    for name, kind in (("wall clock", 0), ("processor", 1)):
        ours, floor = (statistics.median(pair[side][kind] for pair in pairs) for side in (0, 1))
        ratio = statistics.median(first[kind] / second[kind] for first, second in pairs)
        print(f"{name:10}  step=extract {ours:5.2f} s   libraries {floor:5.2f} s   ratio {ratio:4.2f}")
        record_ratio(f"`step=extract` on the small graph to importing its libraries, {name}", ratio)


if __name__ == "__main__":
    main()
