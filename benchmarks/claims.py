"""Claims by the graph alone: how many are found, how many are right, and how fast.

1. Sentences about facts, as many with a right object as with a wrong one of the same relation, in the words of the
   graph's own templates, of the wordings below, or of the templates of LAMA and BEAR. A right one is to be entailed, a
   wrong one contradicted, or neutral where the relation may have more objects.
2. Google-RE: of the snippets that raters say to state a fact, the share whose claim is found (recall), and of the
   claims of that relation the share that is right (precision). A claim counts for the precision where the graph has an
   object of the subject; one with another object is wrong.
3. T-REx: of the sentences that name both ends of their fact the share whose claim is found. Of all claims in them, the
   share that the graph has (facts), and the share of those of which the graph has an object of the subject (local).
   `--left-out` trains anew without a third of the relations, three times, and measures on these: with cues that are
   learned from the sentences of other subjects (evidences), as from a graph that brings some, and without.

Cues and weights are learned from one half of the subjects (`train_claims.py`); 2 and 3 are on the other. With
`--embedder` only how well relations are linked by embeddings: see `linking.py`.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from json import loads
from pathlib import Path
from random import Random
from typing import NamedTuple

from linking import linking
from msgspec.structs import replace
from train_claims import DATA as LAMA
from train_claims import ROOT, Stated, google_sentences, is_training, judge, read, train, trex_sentences

from factprobe.checkers.graph import GraphChecker, GraphCheckerSettings
from factprobe.claims.by_graph.fact_index import GraphFacts, facts_of
from factprobe.claims.by_graph.reader import THRESHOLD, ClaimReader, GraphClaims, GraphClaimSettings, reader_of
from factprobe.kgs.summaries import MAX_SENTENCES as SENTENCES_OF_RELATION
from factprobe.models.embedders import get_embedder
from factprobe.records import Item, RelationSummary

DATA = LAMA.parent
SENTENCES = 500
TIMED = 5000
"""Those that are timed; of the small graph some come again, with another object."""
EVIDENCES = 400
"""Facts of each relation of T-REx whose first sentence is read."""
FOLDS = 3
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


def sentences(
    facts: GraphFacts, summaries: Iterable[RelationSummary], templates: Templates, seed: int = 0
) -> Iterator[Sentence]:
    """Yield facts in turn from all relations, each in one of the wordings, every other one with a wrong object."""
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
    """Return the objects of a relation that a subject has not, under whatever name."""
    names = {name for uri in (subject, *summary.partners(subject, "subject")) for name in facts.entities[uri].names()}
    relation = summary.relation_info.relation
    return [
        entity.uri
        for entity in summary.entities("object")
        if names.isdisjoint(entity.names()) and not facts.holds(relation, entity.uri, subject)
    ]


class Judged(NamedTuple):
    """Verdicts on some sentences."""

    labels: list[str]
    """The worst of each one's claims; `no claim` of one without."""
    claims: int
    seconds: float
    """Processor time, when each sentence is read for the first time; without the making of the index."""


def judged(graph: Callable[[], Iterable[RelationSummary]], texts: Sequence[str]) -> Judged:
    """Return what extractor and checker make of texts."""
    extractor = GraphClaims(GraphClaimSettings(name="graph"))
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    extractor.graph = checker.graph = graph
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    list(reader_of(graph).claims("Nobody was here."))  # the index is made with the first text
    facts_of(graph).names_in("")
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
    """Return the verdict that a sentence should have."""
    if sentence.is_right:
        return "Entailment"
    relation = facts.relations[sentence.relation]
    return "Contradiction" if relation.type in ("1-1", "N-1") or relation.complete is True else "Neutral"


def accuracy(name: str, folder: Path, templates: Templates, *, show: bool) -> None:
    """Print a row of the table, and with `show` what went wrong."""
    graph = read("trex", folder)
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
    """Print how long the index takes, and how many claims are found and checked in a second."""
    graph = read("trex", folder)
    summaries = list(graph())
    start = time.process_time()
    facts = GraphFacts(summaries)
    facts.names_in("")
    index = time.process_time() - start
    rounds = (sentences(facts, summaries, templates, seed) for seed in count())
    texts = [one.text for one in islice(chain.from_iterable(rounds), TIMED)]
    gc.collect()
    gc.freeze()  # what the benchmark holds is no work of the reading
    found = judged(graph, texts)
    print(f"{name:34}{len(facts.entities):10,}{index:8.2f} s{len(texts):12,}{found.claims / found.seconds:12,.0f} /s")


class Told(NamedTuple):
    """A claim in a text that states a fact."""

    relation: str
    is_fact: bool | None
    """None where the graph has no object of the subject."""
    is_told: bool
    """Whether it is the fact that the text states."""


def told(reader: ClaimReader, one: Stated) -> list[Told]:
    """Return the claims that a text asserts."""
    found = []
    for sentence in reader.sentences(one.text):
        for pair in reader.selected(sentence, THRESHOLD):
            if reader.status(sentence, pair) == "affirmed":
                relation = pair.cue.relation
                verdict = judge(reader.facts, sentence, pair.subject, relation, pair.object)
                is_subject = one.subject in sentence.mentions[pair.subject].uris
                is_object = one.object in sentence.mentions[pair.object].uris or relation in reader.facts.value_types
                found.append(
                    Told(relation, verdict, bool(verdict) and is_subject and is_object and relation == one.relation)
                )
    return found


def google(folder: Path) -> None:
    """Print recall, precision and speed on the snippets of Google-RE."""
    facts = GraphFacts(read("google_re", folder)())
    print(f"\n{'Google-RE, in %':34}{'snippets':>10}{'recall':>8}{'precision':>11}{'snippets/s':>12}")
    for relation in facts.relations:
        reader = ClaimReader(facts)
        stated = [one for one in google_sentences(folder, [relation]) if not is_training(one.subject)]
        list(reader.claims(stated[0].text))
        start = time.process_time()
        found = [told(reader, one) for one in stated]
        seconds = time.process_time() - start
        judgements = [one.is_fact for some in found for one in some if one.relation == relation]
        right, false = judgements.count(True), judgements.count(False)
        recall = 100 * sum(any(one.is_told for one in some) for some in found) / len(stated)
        precision, rate = 100 * right / (right + false), len(stated) / seconds
        print(f"{relation:34}{len(stated):10,}{recall:8.1f}{precision:11.1f}{rate:12,.0f}")


def trex(folder: Path, reader: ClaimReader, relations: Collection[str], *, only_tests: bool) -> Counter[object]:
    """Return how many of T-REx's sentences yield their claim ("told" of "both"), and how many claims are right."""
    counts: Counter[object] = Counter()
    for relation in relations:
        for one in islice(trex_sentences(folder, [relation], 1), EVIDENCES):
            if only_tests and is_training(one.subject):
                continue
            named = {uri for name in reader.facts.names_in(one.text) for uri in name.uris}
            found = [claim for claim in told(reader, one) if claim.relation in relations]
            counts["both"] += one.subject in named and one.object in named
            counts["told"] += any(claim.is_told for claim in found)
            counts.update(claim.is_fact for claim in found)
    return counts


def print_trex(name: str, counts: Counter[object]) -> None:
    """Print a row of T-REx."""
    claims = counts[True] + counts[False] + counts[None]
    print(
        f"{name:34}{counts['both']:10,}{counts['told']:8,}{100 * counts['told'] / counts['both']:8.1f}{claims:8,}"
        f"{100 * counts[True] / claims:8.1f}{100 * counts[True] / (counts[True] + counts[False]):8.1f}"
    )


def evidences(folder: Path, *, left_out: bool) -> None:
    """Print the rows of T-REx."""
    summaries = [replace(one, sentences=()) for one in read("trex", folder)()]  # the shipped cues alone
    facts = GraphFacts(summaries)
    print(f"\n{'T-REx, in %':34}{'both':>10}{'told':>8}{'%':>8}{'claims':>8}{'facts':>8}{'local':>8}")
    for name, only_tests in (("subjects of the other half", True), ("all subjects", False)):
        print_trex(name, trex(folder, ClaimReader(facts), facts.relations, only_tests=only_tests))
    totals: defaultdict[str, Counter[object]] = defaultdict(Counter)
    for rest in range(FOLDS) if left_out else ():
        some = [one for number, one in enumerate(facts.relations) if number % FOLDS == rest]
        cues, weights = train(some)
        for name in ("with evidences", "without"):
            known = {one: _evidences(folder, one) for one in some} if name != "without" else {}
            graph = GraphFacts(replace(one, sentences=known.get(one.relation_info.relation, ())) for one in summaries)
            reader = ClaimReader(graph, cues, weights)
            counts = trex(folder, reader, some, only_tests=True)
            print_trex(f"left out {rest + 1}/{FOLDS}, {name}", counts)
            totals[name].update(counts)
    for name, counts in totals.items():
        print_trex(f"left out, all, {name}", counts)


def _evidences(folder: Path, relation: str) -> tuple[str, ...]:
    """Return what a graph has of a relation's sentences, but for subjects that are measured on."""
    texts = (one.text for one in trex_sentences(folder, [relation], 1) if is_training(one.subject))
    return tuple(islice(texts, SENTENCES_OF_RELATION))


def wordings_of(path: Path) -> dict[str, list[str]]:
    """Return the templates of LAMA's relations, or of BEAR's."""
    if path.suffix == ".jsonl":
        every = [loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return {one["relation"]: [one["template"].replace(" .", ".")] for one in every}
    return {name: one["templates"] for name, one in loads(path.read_text(encoding="utf-8")).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="the sentences that are not judged as they should be")
    parser.add_argument(
        "--left-out", action="store_true", help="train without a third of the relations and measure on them"
    )
    parser.add_argument("--embedder", help="how well relations are linked by its embeddings, e.g. minilm; nothing else")
    given = parser.parse_args()
    bundled, full = ROOT / "kgs/trex", LAMA / "TREx"
    lama, bear = full / "relations.jsonl", DATA / "bear/metadata_relations.json"
    if given.embedder:
        summaries = [*read("trex", full)()]
        linking(summaries, DATA, [wordings_of(bear), WORDINGS], get_embedder(given.embedder), show=given.show)
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
        google(LAMA / "Google_RE")
        evidences(full, left_out=given.left_out)


if __name__ == "__main__":
    main()
