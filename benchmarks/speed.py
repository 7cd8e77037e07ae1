"""Speed of extract and generate against a bare loop, growth with the number of facts, and the start of the command.

With `FACTPROBE_PEER`, the folder of a checkout of LLM-facteval, its two steps take turns with ours.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import record_ratio

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared" / "data")) / "lama" / "TREx"

BARE_LOOP = """
import json, sys
size = int(sys.argv[1])
for path in sys.argv[3:]:
    with open(path, encoding="utf-8") as file:
        for line in file:
            json.loads(line)
with open(sys.argv[2], "wb") as file:
    block = b"x" * 65536
    while size > 0:
        size -= file.write(block[:size])
"""


def timed(command: list[str]) -> float:
    """Wall-clock seconds of a whole process."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    return time.perf_counter() - start


def processor() -> float:
    """Seconds of processor time that all processes have taken which this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def median(command: list[str], runs: int) -> float:
    """The median of several runs after one that is not counted."""
    timed(command)
    return statistics.median(timed(command) for _ in range(runs))


def factprobe(*settings: str) -> list[str]:
    return [sys.executable, "run.py", "model=scripted", *settings]


def lines_under(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.jsonl"))


def bytes_under(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.json*"))


def step_ratio(step: str, data: Path, output: Path, reads: list[Path], writes: Path, runs: int) -> None:
    """Prints a step's time as a multiple of the bare loop over the same bytes, and that in one process; they take
    turns."""
    command = factprobe(f"step={step}", f"kg.data_dir={data}", f"output_dir={output}")
    timed(command)
    size = bytes_under(writes)
    bare = [sys.executable, "-c", BARE_LOOP, str(size), str(output / "bare"), *map(str, reads)]
    timed(bare)
    alone = [*command, "workers=1"]
    turns = [(timed(command), timed(alone), timed(bare)) for _ in range(runs)]
    ours, single, floor = (statistics.median(times) for times in zip(*turns, strict=True))
    ratio = statistics.median(first / last for first, _, last in turns)
    print(f"{step:9} {ours:7.2f} s   bare loop {floor:6.2f} s   ratio {ratio:5.1f}   ({size / 1e6:.0f} MB written)")
    print(f"{step:9} {single:7.2f} s   with workers=1")
    record_ratio(f"`step={step}` to a bare loop over the same files", ratio)


def peer_ratio(step: str, data: Path, output: Path, peer: Path, runs: int) -> None:
    """Print the time of LLM-facteval's step as a multiple of ours, with two workers and with one; they take turns."""
    theirs = {"extract": ["extract"], "generate": ["question_generate", "--generator", "template", "--force"]}[step]
    tuples = output / "peer" / "tuples"
    command = [sys.executable, str(peer / "run_certlm.py"), "--step", *theirs, "--kg", "trex", f"--data-dir={data}"]
    command += [f"--output-dir={output / 'peer'}", *([f"--gen-input-dir={tuples}"] if step == "generate" else [])]
    ours = factprobe(f"step={step}", f"kg.data_dir={data}", f"output_dir={output}")
    for workers in (2, 1):
        pair = [*ours, f"workers={workers}"], [*command, f"--num-workers={workers}"]
        turns = [(timed(pair[0]), timed(pair[1])) for _ in range(runs + 1)][1:]
        ratio = statistics.median(last / first for first, last in turns)
        mine, peers = (statistics.median(times) for times in zip(*turns, strict=True))
        print(f"{step:9} {mine:7.2f} s   LLM-facteval {peers:6.2f} s   {ratio:.2f} times as long, workers={workers}")
        record_ratio(f"LLM-facteval's `{step}` to ours, workers={workers}", ratio, is_cost=False)


def make_graph(folder: Path, facts: int) -> None:
    """A LAMA graph of one N-M relation: a tenth as many objects as facts, two objects for every third subject."""
    folder.mkdir(parents=True)
    relation = {"relation": "P1", "template": "[X] is linked to [Y] .", "label": "linked to", "type": "N-M"}
    (folder / "relations.jsonl").write_text(json.dumps(relation) + "\n")
    objects = max(facts // 10, 10)
    with (folder / "P1.jsonl").open("w") as file:
        for i in range(facts):
            subject = i - (i % 3 == 1)
            fact = {"sub_uri": f"S{subject}", "sub_label": f"Subject {subject}"}
            fact |= {"obj_uri": f"O{i * 7919 % objects}", "obj_label": f"Object {i * 7919 % objects}"}
            file.write(json.dumps(fact) + "\n")


def growth(largest: int, scratch: Path) -> None:
    """Prints how the time grows with ten times the facts in one relation."""
    size = 1_000
    before: dict[str, float] = {}
    while size <= largest:
        graph, output = scratch / f"graph{size}", scratch / f"output{size}"
        make_graph(graph, size)
        for step in ("extract", "generate"):
            settings = [f"step={step}", f"kg.data_dir={graph}", f"output_dir={output}"]
            runs = 3 if size < 1_000_000 else 1
            began = processor()
            seconds = statistics.median(timed(factprobe(*settings)) for _ in range(runs))
            used = (processor() - began) / runs
            times = f"   {seconds / before[step]:5.1f} times the one before" if step in before else ""
            if step == "generate":
                times += f"   {lines_under(output / 'questions') / used:,.0f} questions a second of processor time"
            print(f"{step:9} {size:>9,} facts   {seconds:7.2f} s{times}", flush=True)
            if step in before:
                record_ratio(f"`step={step}` with {size:,} facts to a tenth of them", seconds / before[step])
            before[step] = seconds
        size *= 10
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"the largest of these processes took {megabytes:,.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="counted runs of each command")
    parser.add_argument("--largest", type=int, default=1_000_000, help="facts in the largest relation")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        data = DATA
        if not data.is_dir():
            data = scratch / "graph"
            make_graph(data, 16_000)
        print(f"data: {'LAMA T-REx' if data == DATA else 'a made graph of 16,000 facts'}")
        output = scratch / "output"
        described = [json.loads(line)["relation"] for line in (data / "relations.jsonl").read_text().splitlines()]
        sources = [data / "relations.jsonl", *(data / f"{name}.jsonl" for name in described)]
        reads = [path for path in sources if path.exists()]
        step_ratio("extract", data, output, reads, output / "triplets", options.runs)
        triplets = [path for path in sorted((output / "triplets").glob("*.json*")) if path.name != "summary.json"]
        step_ratio("generate", data, output, triplets, output / "questions", options.runs)
        if data == DATA and (peer := os.environ.get("FACTPROBE_PEER")):
            for step in ("extract", "generate"):
                peer_ratio(step, data, output, Path(peer), options.runs)
        start, bare = (
            median([sys.executable, "run.py", "--help"], options.runs),
            median([sys.executable, "-c", ""], options.runs),
        )
        print(f"--help    {start:7.2f} s   bare python {bare:6.2f} s   ratio {start / bare:5.1f}")
        record_ratio("`--help` to a bare Python", start / bare)
        growth(options.largest, scratch)


if __name__ == "__main__":
    main()
