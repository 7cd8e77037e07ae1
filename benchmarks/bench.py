"""Runs the benchmarks of speed, and compares their ratios with those of the last release.

Each benchmark prints its own figures. The ratios, with date, version and machine, are written to `benchmarks/last.json`
and, with `--write`, as a table to docs/speed.md; `--release` keeps them as those of this version. A ratio that is 20 %
worse than that of the last release is named at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from figures import FILE

import factprobe

HERE = Path(__file__).resolve().parent
LAST, RELEASES = HERE / "last.json", HERE / "releases.json"
SPEED = HERE.parent / "docs" / "speed.md"
BENCHMARKS = ("speed", "startup", "endpoint", "grading", "open_answers", "scale", "rdf", "umls")
WORSE = 1.2
"""Factor by which a ratio may be worse than that of the last release before it is named."""
START, END = "<!-- ratios: written by benchmarks/bench.py -->\n", "<!-- end of the ratios -->\n"


def machine() -> str:
    """Return the processor, the number of cores and the version of Python."""
    info = Path("/proc/cpuinfo")
    names = [line for line in info.read_text().splitlines() if line.startswith("model name")] if info.exists() else []
    processor = names[0].partition(":")[2].strip() if names else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}"


def measure(names: list[str], arguments: dict[str, list[str]]) -> list[dict[str, Any]]:
    """Run benchmarks one after the other; return their ratios."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figures.jsonl"
        for name in names:
            print(f"\n== {name}", flush=True)
            command = [sys.executable, str(HERE / f"{name}.py"), *arguments.get(name, [])]
            subprocess.run(command, check=True, env={**os.environ, FILE: str(file)})
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def slower(ratios: list[dict[str, Any]], before: dict[str, float]) -> list[str]:
    """Return a line for each ratio that is clearly worse than it was."""
    lines = []
    for found in ratios:
        known = before.get(found["name"])
        if known and (found["ratio"] / known if found["is_cost"] else known / found["ratio"]) >= WORSE:
            lines.append(f"{found['name']}: {found['ratio']:.2f}, {known:.2f} before")
    return lines


def table(content: dict[str, Any]) -> str:
    """Return the ratios as Markdown."""
    rows = [f"| {found['name']} | {found['ratio']:.2f} |" for found in content["ratios"]]
    said = f"Version {content['version']}, {content['date']}, {content['machine']}:"
    return "\n".join([said, "", "| ratio | |", "|---|---:|", *rows]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"some of: {', '.join(BENCHMARKS)}; by default all")
    parser.add_argument("--quick", action="store_true", help="fewer runs, and no more than 100,000 facts")
    parser.add_argument("--write", action="store_true", help="put the table into docs/speed.md")
    parser.add_argument("--release", action="store_true", help="keep the ratios as those of this version")
    options = parser.parse_args()
    if unknown := set(options.names) - set(BENCHMARKS):
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    quick = {
        "speed": ["--runs", "3", "--largest", "100000"],
        "endpoint": ["--runs", "1"],
        "grading": ["--runs", "1", "--asked", "5000"],
        "open_answers": ["--runs", "1"],
        "scale": ["--facts", "0", "--triples", "0", "--questions", "20000", "--replies", "20000"],
        "rdf": ["--triples", "1000000"],
    }
    ratios = measure(options.names or [*BENCHMARKS], quick if options.quick else {})
    today = datetime.now(tz=UTC).date().isoformat()
    content = {"version": factprobe.__version__, "date": today, "machine": machine(), "ratios": ratios}
    LAST.write_text(json.dumps(content, indent=1) + "\n")
    releases: dict[str, dict[str, float]] = json.loads(RELEASES.read_text()) if RELEASES.exists() else {}
    before = [*releases.values()][-1] if releases else {}
    lines = slower(ratios, before)
    print("\n== slower than the last release by 20 % or more:" if lines else "\n== nothing is slower by 20 % or more")
    print("\n".join(lines))
    if options.release:
        releases[factprobe.__version__] = {**releases.get(factprobe.__version__, {}), **_by_name(ratios)}
        RELEASES.write_text(json.dumps(releases, indent=1) + "\n")
    if options.write:
        text = SPEED.read_text(encoding="utf-8")
        head, _, rest = text.partition(START)
        SPEED.write_text(f"{head}{START}{table(content)}{END}{rest.partition(END)[2]}", encoding="utf-8")


def _by_name(ratios: list[dict[str, Any]]) -> dict[str, float]:
    return {found["name"]: found["ratio"] for found in ratios}


if __name__ == "__main__":
    main()
