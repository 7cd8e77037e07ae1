"""How busy factprobe keeps an endpoint that answers after 200 ms, beside lm-eval and bare loops over the same client.

The rate is the endpoint's: the answers, by the time from the first call to the last answer. The clients take turns,
each in a process of its own and with an endpoint of its own, all on the same two cores; the figures are medians.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from figures import record_ratio
from speed import ROOT, make_graph
from stub_server import MODEL, endpoint

DELAY = 0.2
LM_EVAL = "lm-eval[api]==0.4.13"
BARE = Path(__file__).with_name("bare_clients.py")
TASK = """\
task: stub
dataset_path: json
dataset_kwargs: {data_files: {test: %s}}
test_split: test
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
generation_kwargs: {until: ["\\n\\n"], max_gen_toks: 48, do_sample: false}
metric_list: [{metric: exact_match, aggregation: mean, higher_is_better: true}]
"""


class Run(NamedTuple):
    """One run of a client."""

    rate: float
    """Answers a second, from the first call to the last answer, as the endpoint saw them."""
    wall: float
    """Seconds of the whole process."""
    cpu: float
    """Seconds of processor time of the whole process."""


def two_cores() -> None:
    """Keeps this process and those it starts to two cores, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])


def processor_time() -> float:
    times = os.times()
    return times.children_user + times.children_system


def run_client(command: Callable[[str], list[str]], calls: int) -> Run:
    """Runs a client against an endpoint of its own.

    Args:
        command: the client's, for the endpoint's base URL.
        calls: how many it has to make.
    """
    with endpoint(DELAY) as server:
        start, cpu = time.perf_counter(), processor_time()
        done = subprocess.run(
            command(server.url), check=False, capture_output=True, text=True, cwd=ROOT, env=environment()
        )
        wall, cpu = time.perf_counter() - start, processor_time() - cpu
        stats = server.stats()
    if done.returncode or stats.responses != calls:
        sys.exit(f"{stats.responses} of {calls} calls answered\n{done.stdout}{done.stderr}")
    return Run(calls / (stats.last - stats.first), wall, cpu)


def environment() -> dict[str, str]:
    """That of this process, without what would send a client elsewhere than to the stub."""
    without = ("http_proxy", "https_proxy", "all_proxy", "openai_base_url", "openai_api_key")
    kept = {name: value for name, value in os.environ.items() if name.lower() not in without}
    return {**kept, "HF_HUB_OFFLINE": "1", "OPENAI_API_KEY": "none"}


def factprobe(*settings: str) -> list[str]:
    return [sys.executable, "run.py", "model=openai", f"model.model={MODEL}", *settings]


def make_questions(scratch: Path, count: int) -> list[str]:
    """Makes exactly so many questions about a made graph; returns the settings that find them."""
    graph, output = scratch / f"graph{count}", scratch / f"output{count}"
    make_graph(graph, count // 3 + 10)
    settings = [f"kg.data_dir={graph}", f"output_dir={output}"]
    for step in ("extract", "generate"):
        subprocess.run(factprobe(f"step={step}", *settings), check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    file = output / "questions" / "template" / "P1.jsonl"
    with file.open("rb") as lines:
        kept = list(islice(lines, count))
    if len(kept) < count:
        sys.exit(f"{len(kept)} questions were made, not {count}")
    file.write_bytes(b"".join(kept))
    return settings


class Clients:
    """The commands of the clients for the same questions."""

    def __init__(self, scratch: Path, count: int, lm_eval: Path | None) -> None:
        self.scratch, self.lm_eval_python = scratch, lm_eval
        self.settings = make_questions(scratch, count)
        self.output = scratch / f"output{count}"
        self.questions = self.output / "questions" / "template" / "P1.jsonl"

    def factprobe(self, concurrency: int, cache: str) -> Callable[[str], list[str]]:
        def command(url: str) -> list[str]:
            shutil.rmtree(self.output / "responses", ignore_errors=True)
            shutil.rmtree(self.scratch / "cache", ignore_errors=True)
            where = [f"model.base_url={url}", f"cache={cache}", f"cache_dir={self.scratch / 'cache'}"]
            return factprobe("step=answer", *self.settings, *where, f"model.max_concurrency={concurrency}")

        return command

    def bare(self, kind: str, concurrency: int) -> Callable[[str], list[str]]:
        return lambda url: [sys.executable, str(BARE), kind, url, str(concurrency), str(self.questions)]

    def lm_eval(self, concurrency: int) -> Callable[[str], list[str]]:
        """As its documentation sets it for an endpoint without a tokenizer, on a task of the same questions."""
        task, data = self.scratch / "task", self.scratch / "lm_eval.jsonl"
        task.mkdir(exist_ok=True)
        (task / "stub.yaml").write_text(TASK % json.dumps(str(data)))
        with self.questions.open() as file, data.open("w") as rows:
            for line in file:
                text = "\n\n".join(message["content"] for message in json.loads(line)["prompts"])
                rows.write(json.dumps({"question": text, "answer": ""}) + "\n")

        def command(url: str) -> list[str]:
            arguments = f"model={MODEL},base_url={url}/chat/completions,num_concurrent={concurrency}"
            return [
                *(str(self.lm_eval_python), "-m", "lm_eval", "run", "--model", "local-chat-completions"),
                *("--model_args", f"{arguments},tokenized_requests=False,tokenizer_backend=none"),
                *("--tasks", "stub", "--include_path", str(task), "--apply_chat_template"),
            ]

        return command


def lm_eval_python(folder: Path) -> Path:
    """The Python of an environment with lm-eval, made where there is none."""
    python = folder / "bin" / "python"
    if not python.exists():
        print(f"installing {LM_EVAL} into {folder}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", LM_EVAL], check=True)
    return python


def compare(commands: dict[str, Callable[[str], list[str]]], calls: int, concurrency: int, runs: int) -> dict[str, Run]:
    """Lets the clients take turns and prints and returns the medians of each."""
    ideal = concurrency / DELAY
    print(f"\n{calls:,} calls, {concurrency} at once, each answered after {DELAY * 1000:.0f} ms: ideal {ideal:,.0f}/s")
    turns = [{name: run_client(command, calls) for name, command in commands.items()} for _ in range(runs)]
    medians = {}
    for name in commands:
        found = medians[name] = Run(
            *(statistics.median(values) for values in zip(*(t[name] for t in turns), strict=True))
        )
        low, high = min(turn[name].rate for turn in turns), max(turn[name].rate for turn in turns)
        print(
            f"{name:28} {found.rate:7.1f}/s ({low:,.0f} to {high:,.0f})  {found.rate / ideal:6.1%} of the ideal   "
            f"whole process {found.wall:5.1f} s, {found.cpu / calls * 1e6:5.0f} µs of processor a call",
            flush=True,
        )
    return medians


def beside_lm_eval(clients: Clients, questions: int, runs: int) -> None:
    """Prints how factprobe and lm-eval do with 64 calls at once."""
    ours = {"factprobe": clients.factprobe(64, "off"), "factprobe, cache on": clients.factprobe(64, "read")}
    found = compare({**ours, "lm-eval": clients.lm_eval(64)}, questions, 64, runs)
    rate = found["factprobe"].rate / found["lm-eval"].rate
    wall = found["lm-eval"].wall / found["factprobe"].wall
    print(f"factprobe to lm-eval: {rate:.1%} of the rate; lm-eval's whole process takes {wall:.2f} times as long")
    record_ratio("calls a second to lm-eval's, 64 at once", rate, is_cost=False)


def beside_bare_loops(clients: Clients, questions: int, runs: int) -> None:
    """Prints how factprobe and loops over the same clients do with 256 calls at once."""
    found = compare(
        {
            "factprobe": clients.factprobe(256, "off"),
            "factprobe, cache on": clients.factprobe(256, "read"),
            "bare openai, aiohttp": clients.bare("openai", 256),
            "bare openai, own transport": clients.bare("openai_default", 256),
            "bare aiohttp": clients.bare("aiohttp", 256),
        },
        questions,
        256,
        runs,
    )
    ratio = found["factprobe"].rate / found["bare openai, aiohttp"].rate
    print(f"factprobe to the bare loop over the same client: {ratio:.1%}")
    record_ratio("calls a second to a bare loop's over the same client, 256 at once", ratio, is_cost=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=3, help="turns of each client")
    parser.add_argument(
        "--lm-eval",
        type=Path,
        default=os.environ.get("FACTPROBE_LM_EVAL", Path(tempfile.gettempdir()) / "factprobe-lm-eval"),
        help="a virtual environment with lm-eval's api extra; made where there is none (FACTPROBE_LM_EVAL)",
    )
    options = parser.parse_args()
    lm_eval = lm_eval_python(options.lm_eval)
    two_cores()
    print(f"processes at work on this machine before the start: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        clients = Clients(Path(folder), options.questions, lm_eval)
        beside_lm_eval(clients, options.questions, options.runs)
        beside_bare_loops(clients, options.questions, options.runs)


if __name__ == "__main__":
    main()
