"""What strategies that know no answer get from the grader, by exam and question type, with and without a graph.

Chance is the share of the more frequent side or letter, one divided by the number of options or names, or the share of
a relation's most frequent answer. Printed are the strategies above it, with 99.9 % intervals clustered by subject, as
some hundred are compared; those whose whole interval is above chance are marked.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.evaluators.gaming import STRATEGIES, Asked, asked_of_people, chance, exam, rate

DATA = Path(os.environ.get("FACTPROBE_DATA", Path(__file__).parents[2] / "shared" / "data"))
GRAPHS = ("trex", "google_re", "bear", "umls")


def suites(graphs: list[str], limit: int, people: int) -> Iterator[tuple[str, list[Asked]]]:
    """Yield the questions of each exam and type, with a graph and without, and those that people answered."""
    for name in graphs:
        for kind, asked in exam(name, limit).items():
            yield f"{name}, {kind}", asked
            yield f"{name}, {kind}, no graph", [one._replace(summary=None) for one in asked]
    for file in sorted((DATA / "humans").glob("*.jsonl")):
        yield f"{file.stem}, first half", asked_of_people(file, 12)[:people]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="*", default=GRAPHS)
    parser.add_argument("--limit", type=int, default=8, help="facts of a relation")
    parser.add_argument("--people", type=int, default=200, help="questions of each file")
    given = parser.parse_args()
    for name, asked in suites(given.graphs, given.limit, given.people):
        by_chance = chance(asked)
        print(f"{name}: {len(asked):,} questions, chance {by_chance:.1%}", flush=True)
        for strategy, reply in STRATEGIES.items():
            found = rate(asked, reply)
            if found.estimate > by_chance:
                mark = "ABOVE" if found.low > by_chance else ""
                print(f"  {strategy:30}{found.estimate:7.1%} ({found.low:.1%} to {found.high:.1%}) {mark}", flush=True)


if __name__ == "__main__":
    main()
