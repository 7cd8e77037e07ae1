"""Wrong answers by each strategy: what the questions give away of their answers, and what it takes to make them."""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from random import Random

import factprobe
from factprobe.config import compose, from_omegaconf
from factprobe.factories import build_generator
from factprobe.kgs import Graph
from factprobe.kgs.summaries import Facts, describe
from factprobe.metrics.leaks import Leak, Leaks

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared" / "data"))
STRATEGIES = ("random", "typed", "near", "popular")
GRAPHS = {
    "T-REx, bundled": ("trex", None),
    "T-REx": ("trex", "lama/TREx"),
    "Google-RE": ("google_re", "lama/Google_RE"),
    "UMLS": ("umls", "umls"),
    "BEAR": ("bear", "bear"),
}
COLUMNS = [
    *(("multi_choices", guess) for guess in ("popularity", "overlap", "length", "likeness", "constant")),
    *(("binary_answer", guess) for guess in ("popularity", "overlap", "length")),
]
TYPES = "generator.question_types=[binary_answer,multi_choices]"
"""Those that have wrong answers."""
SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u", "an", "er", "in")]


def guessed(kg: Graph, strategy: str) -> list[Leak]:
    """What the questions for the objects of a graph give away, with wrong answers by a strategy."""
    sources = {relation: Facts(kg.facts(relation)) for relation in kg.load_relations() if kg.has_facts(relation)}
    summaries = [facts.summary(describe(kg, relation)) for relation, facts in sources.items()]
    settings = from_omegaconf(compose(["generator=template"])).generator
    maker = build_generator({**settings, "negatives": strategy})
    maker.graph = lambda: summaries
    leaks = Leaks(len(summaries))
    for summary, facts in zip(summaries, sources.values(), strict=True):
        for _ in leaks.watch(maker.questions(summary, facts.triplets(summary.relation_info)), summary):
            pass
    return leaks.rows()


def print_leaks() -> None:
    """Prints a row for each graph and strategy: how often each guess is right, in per cent."""
    print(f"| graph | wrong answers | {' | '.join(guess for _, guess in COLUMNS)} |")
    print(f"|---|---|{'---:|' * len(COLUMNS)}")
    for (title, (name, folder)), strategy in product(GRAPHS.items(), STRATEGIES):
        if folder is not None and not (DATA / folder).is_dir():
            continue
        kg = factprobe.load_kg(name, None if folder is None else DATA / folder)
        found = {(leak.question_type, leak.guess): leak for leak in guessed(kg, strategy)}
        rates = [f"{100 * found[key].accuracy.estimate:.1f}{' ▲' if found[key].is_far else ''}" for key in COLUMNS]
        print(f"| {title} | {strategy} | {' | '.join(rates)} |", flush=True)


def names(count: int, rng: Random) -> list[str]:
    """So many names of two or three words."""
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(2, 4))).title() for _ in range(max(count // 20, 50))]
    return [f"{' '.join(rng.choices(words, k=rng.randint(1, 2)))} {rng.choice(SYLLABLES)}{i}" for i in range(count)]


def make_graph(folder: Path, facts: int, *, typed: bool) -> None:
    """A graph in BioLAMA's layout: one relation of so many facts with a tenth as many objects, some in many facts.

    The objects are of forty types; where `typed` is false these are not told, and ten smaller relations have some of
    the objects each.
    """
    rng = Random(0)
    objects = max(facts // 10, 100)
    labels = names(objects, rng)
    linked = [int(objects * rng.random() ** 3) for _ in range(facts)]
    relations = {"P1": linked}
    if not typed:
        relations |= {f"R{n}": [(10 * i + n) % objects for i in range(facts // 100)] for n in range(10)}
    for name, found in relations.items():
        path = folder / "triples_processed" / name / "test.jsonl"
        path.parent.mkdir(parents=True)
        with path.open("w") as file:
            for i, number in enumerate(found):
                fact: dict[str, str | list[str]]
                fact = {"sub_uri": f"S{name}{i - (i % 3 == 1)}", "sub_label": f"Subject {i - (i % 3 == 1)}"}
                fact |= {"obj_uris": [f"O{number}"], "obj_labels": [labels[number]]}
                file.write(json.dumps(fact | ({"obj_types": [f"T{number % 40}"]} if typed else {})) + "\n")
    (folder / "prompts").mkdir()
    lines = [json.dumps({"relation": name, "template": "[X] is linked to [Y] ."}) for name in relations]
    (folder / "prompts" / "manual.jsonl").write_text("\n".join(lines))


def run(*settings: str) -> float:
    """Seconds of processor time that a whole process takes, which hangs less on what else runs than the clock does."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "run.py", "kg=ctd", *settings]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def print_speed(facts: int, runs: int, strategies: list[str], scratch: Path) -> None:
    """Prints what the questions that have wrong answers take with each strategy, as a multiple of random ones; the
    processes take turns."""
    for typed in (True, False):
        data, output = scratch / f"data{typed}", f"output_dir={scratch / f'output{typed}'}"
        make_graph(data, facts, typed=typed)
        run("step=extract", f"kg.data_dir={data}", output)
        told = "types told" if typed else "types by roles"
        times: dict[str, list[float]] = {strategy: [] for strategy in ("random", *strategies)}
        for _, strategy in product(range(runs), times):
            settings = ["step=generate", "relations=[P1]", f"generator.negatives={strategy}", TYPES]
            times[strategy].append(run(*settings, f"kg.data_dir={data}", output))
        for strategy in strategies:
            pairs = zip(times[strategy], times["random"], strict=True)
            ratio = statistics.median(ours / plain for ours, plain in pairs)
            seconds, plain = (statistics.median(times[name]) for name in (strategy, "random"))
            line = f"{facts:>9,} facts, {told:14}  {strategy:8} {seconds:7.1f} s   random {plain:7.1f} s"
            print(f"{line}   ratio {ratio:.2f}", flush=True)
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"the largest of these processes took {megabytes:,.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=100_000, help="in the relation that is timed; 0 leaves it out")
    parser.add_argument("--runs", type=int, default=3, help="of each strategy")
    parser.add_argument("--strategies", nargs="+", default=list(STRATEGIES[1:]), help="those that are timed")
    parser.add_argument("--no-leaks", action="store_true", help="leave out what the questions give away")
    options = parser.parse_args()
    if not options.no_leaks:
        print_leaks()
    if options.facts:
        with tempfile.TemporaryDirectory() as folder:
            print_speed(options.facts, options.runs, options.strategies, Path(folder))


if __name__ == "__main__":
    main()
