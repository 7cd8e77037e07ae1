"""Claims by the graph alone: how many sentences about facts are judged as they should be, and how fast.

Each set has as many sentences with a right object as with a wrong one of the same relation, worded by one source: the
graph's own templates, the wordings below, the templates of LAMA and BEAR. A right one is to be entailed, a wrong one
contradicted; where another object may be true too, since the relation has several and is not known to be complete, it
is to be neutral. Last come sentences that people wrote about facts, LAMA's evidences; most of them name both ends of
the fact and say something else. With `--embedder` only how well relations are linked by embeddings: see `linking.py`.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from linking import linking

from factprobe.checkers.graph import GraphChecker, GraphCheckerSettings
from factprobe.claims.facts import GraphFacts, facts_of
from factprobe.claims.graph import GraphClaims
from factprobe.extractors.triplets import summed_up
from factprobe.kgs import kgs
from factprobe.models.embedders import embedder_named
from factprobe.parts.base import PartSettings
from factprobe.records import Item, RelationSummary

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared/data"))
SENTENCES = 500
TIMED = 5000
"""Those that are timed; of the small graph some come again, with another object."""
EVIDENCES = 400
"""Sentences of each relation, at most."""
WORDINGS = {
    "P36": ("The capital city of [X] is [Y].", "[X]'s capital is [Y].", "[Y] is [X]'s capital."),
    "P1376": ("[X] is the capital city of [Y].", "The capital of [Y] is [X].", "[X], the capital of [Y], is old."),
    "P19": ("[X] was born in [Y].", "[X]'s birthplace is [Y].", "[Y] is where [X] was born."),
    "P20": ("[X] died in [Y].", "[X] died in the city of [Y].", "The place of death of [X] was [Y]."),
    "P30": ("[X] is in [Y].", "[X] is located in [Y].", "[X] is on the continent of [Y]."),
    "P103": ("[X]'s native language was [Y].", "[X] was a native speaker of [Y].", "[X]'s mother tongue was [Y]."),
    "P159": ("[X] is headquartered in [Y].", "[X] has its headquarters in [Y].", "[X] is based in [Y]."),
    "P176": ("[X] is made by [Y].", "[Y] manufactures [X].", "[X] is produced by [Y]."),
    "P178": ("[Y] developed [X].", "[Y] is the developer of [X].", "[X] is software developed by [Y]."),
    "P138": ("[X] is named after [Y].", "[X] was named in honour of [Y].", "[Y] gave [X] its name."),
    "P17": ("[X] is in [Y].", "[X] is located in [Y].", "[X] is a place in [Y]."),
    "P364": ("The original language of [X] is [Y].", "[X] was first made in [Y].", "[X] is a film in [Y]."),
    "P37": ("The official language of [X] is [Y].", "[Y] is official in [X].", "[X]'s official languages include [Y]."),
    "P47": ("[X] borders [Y].", "[X] shares a border with [Y].", "[X] and [Y] are neighbours."),
    "P527": ("[Y] is part of [X].", "[Y] belongs to [X].", "[X] consists of [Y] and others."),
    "P101": ("[X]'s field of work was [Y].", "[X] worked in [Y].", "[X] is known for work in [Y]."),
}
"""Ways in which people say the relations of kgs/trex, which the graph does not have."""

Templates = Mapping[str, Sequence[str]]


class Sentence(NamedTuple):
    """A sentence about a fact, or about none."""

    text: str
    relation: str
    is_right: bool


def read(folder: Path) -> Callable[[], Iterator[RelationSummary]]:
    """The relations of a graph in LAMA's layout."""

    def summaries() -> Iterator[RelationSummary]:
        kg = kgs.get("trex")(folder, "trex")
        return (summed_up(kg, relation) for relation in kg.load_relations() if kg.has_facts(relation))

    return summaries


def sentences(
    facts: GraphFacts, summaries: Iterable[RelationSummary], templates: Templates, seed: int = 0
) -> Iterator[Sentence]:
    """Facts in turn from all relations, each in one of the wordings, every other one with a wrong object."""
    rng = Random(seed)
    worded = [summary for summary in summaries if summary.relation_info.relation in templates]
    every = [(summary, fact) for summary in worded for fact in summary.facts()]
    rng.shuffle(every)
    for number, (summary, (subject, right)) in enumerate(every):
        relation = summary.relation_info.relation
        template = rng.choice(templates[relation])
        others = [] if number % 2 == 0 else wrong(facts, summary, subject)
        object_ = rng.choice(others) if others else right
        text = template.replace("[X]", facts.label(subject)).replace("[Y]", facts.label(object_))
        yield Sentence(text, relation, object_ == right)


def wrong(facts: GraphFacts, summary: RelationSummary, subject: str) -> list[str]:
    """The objects of a relation that a subject has not, under whatever name."""
    names = {name for uri in (subject, *summary.partners(subject, "subject")) for name in facts.entities[uri].names()}
    relation = summary.relation_info.relation
    return [
        entity.uri
        for entity in summary.entities("object")
        if names.isdisjoint(entity.names()) and not facts.holds(relation, entity.uri, subject)
    ]


class Judged(NamedTuple):
    """What is said of some sentences."""

    labels: list[str]
    """The worst of each one's claims; `no claim` of one without."""
    claims: int
    seconds: float
    """Of processor time, when each sentence is read for the first time; without the making of the index."""


def judged(graph: Callable[[], Iterable[RelationSummary]], texts: Sequence[str]) -> Judged:
    extractor = GraphClaims(PartSettings(name="graph"))
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    extractor.graph = checker.graph = graph
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    facts_of(graph).mentions("")  # the index is made with the first text
    start = time.process_time()
    found = list(checker.check(list(extractor.extract(items))))
    seconds = time.process_time() - start
    worst = ("Contradiction", "Neutral", "Entailment")
    labels = [
        next((label for label in worst if any(one.label == label for one in verdicts)), "no claim")
        for verdicts in found
    ]
    return Judged(labels, sum(map(len, found)), seconds)


def expected(sentence: Sentence, facts: GraphFacts) -> str:
    """What is to be said of a sentence."""
    if sentence.is_right:
        return "Entailment"
    relation = facts.relations[sentence.relation]
    return "Contradiction" if relation.type in ("1-1", "N-1") or relation.complete is True else "Neutral"


def accuracy(name: str, folder: Path, templates: Templates, *, show: bool) -> None:
    """A row of the table, and with `show` what went wrong."""
    graph = read(folder)
    facts = facts_of(graph)
    texts = list(islice(sentences(facts, graph(), templates), SENTENCES))
    found = judged(graph, [one.text for one in texts])
    wanted = [expected(one, facts) for one in texts]
    met = [label == want for label, want in zip(found.labels, wanted, strict=True)]
    right = [ok for ok, one in zip(met, texts, strict=True) if one.is_right]
    false = [ok for ok, one in zip(met, texts, strict=True) if not one.is_right]
    shares = "".join(f"{100 * sum(some) / len(some):8.1f}" for some in (met, right, false))
    print(f"{name:34}{len(texts):10,}{shares}{100 * found.labels.count('no claim') / len(texts):10.1f}")
    for one, label, want in zip(texts, found.labels, wanted, strict=True):
        if show and label != want:
            print(f"    {one.relation}: {one.text} -> {label}, not {want}")


def speed(name: str, folder: Path, templates: Templates) -> None:
    """How long the index takes, and how many claims are found and checked in a second."""
    graph = read(folder)
    summaries = list(graph())
    start = time.process_time()
    facts = GraphFacts(summaries)
    facts.mentions("")
    index = time.process_time() - start
    rounds = (sentences(facts, summaries, templates, seed) for seed in count())
    texts = [one.text for one in islice(chain.from_iterable(rounds), TIMED)]
    gc.collect()
    gc.freeze()  # what the benchmark holds is no work of the reading
    found = judged(graph, texts)
    print(f"{name:34}{len(facts.entities):10,}{index:8.2f} s{len(texts):12,}{found.claims / found.seconds:12,.0f} /s")


def evidences(folder: Path, read_some: int) -> None:
    """How many of people's sentences about a fact name both ends, of how many its claim is found, and some to read."""
    graph = read(folder)
    facts = facts_of(graph)
    extractor, checker = GraphClaims(PartSettings(name="graph")), GraphChecker(GraphCheckerSettings(name="graph"))
    extractor.graph = checker.graph = graph
    print(
        f"\n{'':8}{'sentences':>10}{'both':>7}{'told':>6}{'claims':>8}{'entailed':>10}{'neutral':>9}{'contradicted':>14}"
    )
    total: Counter[str] = Counter()
    read_by_eye: list[str] = []
    for relation in facts.relations:
        counts: Counter[str] = Counter()
        for subject, object_, text in islice(_evidences(folder / f"{relation}.jsonl"), EVIDENCES):
            named = {uri for mention in facts.mentions(text) for uri in mention.uris}
            claimed = list(extractor.extract([Item("1", text)]))
            [verdicts] = checker.check(claimed)
            counts["sentences"] += 1
            counts["both"] += {subject, object_} <= named
            rests_on = {fact.uris for one in verdicts if one.label == "Entailment" for fact in one.facts}
            counts["told"] += (subject, relation, object_) in rests_on
            counts.update(["claims"] * len(verdicts))
            counts.update(str(one.label) for one in verdicts)
            read_by_eye += [
                f"    {verdict.label}: {' | '.join(claim.parts)}: {text}"
                for claim, verdict in zip(claimed[0].claims, verdicts, strict=True)
            ]
        print(_row(relation, counts))
        total.update(counts)
    print(_row("all", total))
    print(f"{100 * total['Entailment'] / total['claims']:.1f} % of the claims are facts of the graph")
    print(*Random(7).sample(read_by_eye, min(read_some, len(read_by_eye))), sep="\n")


def _row(name: str, counts: Counter[str]) -> str:
    labels = counts["Entailment"], counts["Neutral"], counts["Contradiction"]
    return (
        f"{name:8}{counts['sentences']:10,}{counts['both']:7,}{counts['told']:6,}{counts['claims']:8,}"
        f"{labels[0]:10,}{labels[1]:9,}{labels[2]:14,}"
    )


def _evidences(path: Path) -> Iterator[tuple[str, str, str]]:
    """Subject, object and the first sentence of each fact that has one."""
    for line in path.read_text(encoding="utf-8").splitlines():
        fact = json.loads(line)
        for evidence in fact["evidences"][:1]:
            text = evidence["masked_sentence"].replace("[MASK]", evidence["obj_surface"])
            yield fact["sub_uri"], fact["obj_uri"], text


def wordings_of(path: Path) -> dict[str, list[str]]:
    """The templates of LAMA's relations, or of BEAR's."""
    if path.suffix == ".jsonl":
        every = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return {one["relation"]: [one["template"].replace(" .", ".")] for one in every}
    return {name: one["templates"] for name, one in json.loads(path.read_text(encoding="utf-8")).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="the sentences that are not judged as they should be")
    parser.add_argument("--read", type=int, default=0, help="how many claims of the evidences are shown, to be read")
    parser.add_argument("--embedder", help="how well relations are linked by its embeddings, e.g. minilm; nothing else")
    given = parser.parse_args()
    bundled, full = ROOT / "kgs/trex", DATA / "lama/TREx"
    lama, bear = full / "relations.jsonl", DATA / "bear/metadata_relations.json"
    if given.embedder:
        linking([*read(full)()], DATA, [wordings_of(bear), WORDINGS], embedder_named(given.embedder), show=given.show)
        return
    print(f"{'in % as it should be':34}{'sentences':>10}{'all':>8}{'right':>8}{'wrong':>8}{'no claim':>10}")
    rows: list[tuple[str, Path, Templates]] = [
        ("T-REx, bundled: its templates", bundled, wordings_of(bundled / "relations.jsonl")),
        ("T-REx, bundled: other wordings", bundled, WORDINGS),
    ]
    if full.is_dir():
        own = wordings_of(lama)
        rows += [
            ("T-REx, bundled: LAMA's templates", bundled, own),
            ("T-REx, bundled: BEAR's templates", bundled, wordings_of(bear)),
            ("T-REx: its templates", full, own),
            ("T-REx: BEAR's templates", full, wordings_of(bear)),
        ]
    for name, folder, templates in rows:
        accuracy(name, folder, templates, show=given.show)
    print(f"\n{'on one core':34}{'entities':>10}{'index':>10}{'sentences':>12}{'claims':>15}")
    for name, folder, templates in (rows[0], rows[1], *rows[4:5]):
        speed(name, folder, templates)
    if full.is_dir():
        evidences(full, given.read)


if __name__ == "__main__":
    main()
