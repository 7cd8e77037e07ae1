"""Relation linking by embeddings: which relation of a graph is meant by words that none of its wordings fits.

Claims in words of templates that the graph does not have, BEAR's for T-REx and each of BEAR's own three in turn, and in
words that language models wrote, those of RefChecker's triplets. A right claim is a fact in words of its relation. The
others are facts in words of another relation, which the graph may have or not: between things of the same kinds (of
kin), or of any. Since the graph has the fact, each of these that is linked is a false entailment. Only what the
wordings leave counts. Relations with even numbers are for a look; those with odd ones measure what was chosen by it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from factprobe.checkers.linking import TripletLinker
from factprobe.checkers.nearest import THRESHOLD, RelationEmbeddings
from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.reader import ClaimReader
from factprobe.kgs import kgs
from factprobe.kgs.summaries import summarise_relation
from factprobe.models.embedders import Embedder
from factprobe.records import Claim, RelationSummary

THRESHOLDS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)
RIGHT, KIN, OTHERS, OF_MODELS = 6, 2, 1, 3
"""Facts that each relation's words are put to: its own, those of kin, those of others; and those of a model's words."""
_KIN = 2
"""Objects that two relations have in common, by which they are of kin."""
_INFIX = re.compile(r"\[([XY])\] (.+?) (?:the )?\[[XY]\]\.?")
_OWNED = re.compile(r"\[([XY])\]'s (.+?) (?:is|was) (?:the )?\[[XY]\]\.?")
_OF = re.compile(r"The (.+?) of \[([XY])\] (?:is|was) (?:the )?\[[XY]\]\.?")

Words = Mapping[str, bool]
"""For a relation, each with whether the head is the subject."""


class Stated(NamedTuple):
    """A claim whose words say a relation."""

    claim: Claim
    relation: str
    """Which they say; empty where nobody knows."""
    kind: str


class Linked(NamedTuple):
    """A claim that no wording fits, and what it is taken for."""

    stated: Stated
    relation: str
    similarity: float


def words_of(templates: Iterable[str]) -> dict[str, bool]:
    """What a triplet has for its relation where a template is the sentence, as far as that is one phrase."""
    found = {}
    for template in templates:
        if of := _OF.fullmatch(template.strip()):
            found[of[1]] = of[2] == "X"
        elif other := _OWNED.fullmatch(template.strip()) or _INFIX.fullmatch(template.strip()):
            found[other[2]] = other[1] == "X"
    return found


def stated(facts: GraphFacts, summaries: Sequence[RelationSummary], words: Mapping[str, Words]) -> Iterator[Stated]:
    """Claims in words of relations, put to facts of their own, of relations of kin and of any other."""
    rng = Random(1)
    of = {one.relation_info.relation: [*one.facts()] for one in summaries}
    objects = {relation: {facts.label(object_) for _, object_ in found} for relation, found in of.items()}
    for relation, said in words.items():
        for text, subject_first in said.items():
            for other, found in of.items():
                is_kin = other != relation and len(objects.get(relation, set()) & objects[other]) >= _KIN
                kind, count = ("right", RIGHT) if other == relation else ("kin", KIN) if is_kin else ("others", OTHERS)
                for fact in rng.sample(found, min(count, len(found))):
                    if kind == "right" or relation not in of or not facts.holds(relation, *fact):
                        yield Stated(_claim(facts, fact, text, subject_first=subject_first), relation, kind)


def of_models(facts: GraphFacts, summaries: Sequence[RelationSummary], folder: Path) -> Iterator[Stated]:
    """What language models wrote for relations in the triplets of RefChecker's annotations, put to facts at random."""
    rng = Random(1)
    every = [fact for one in summaries for fact in one.facts()]
    records = (one for path in sorted(folder.glob("*/*.json")) for one in json.loads(path.read_text(encoding="utf-8")))
    triplets = (one["triplet"] for record in records for one in record.get("claude2_response_kg") or ())
    for text in dict.fromkeys(str(triplet[1]).strip("\"' ") for triplet in triplets if len(triplet) == 3):
        for fact in rng.sample(every, OF_MODELS):
            yield Stated(_claim(facts, fact, text, subject_first=True), "", "models")


def _claim(facts: GraphFacts, fact: tuple[str, str], text: str, *, subject_first: bool) -> Claim:
    head, tail = fact if subject_first else fact[::-1]
    return Claim((facts.label(head), text, facts.label(tail)))


def linked(reader: ClaimReader, embedder: Embedder, every: Sequence[Stated]) -> tuple[list[Linked], Counter[str]]:
    """What claims are taken for that no wording fits, however little alike; and how many of each kind there are, and of
    those with a wording how many."""
    nearest = RelationEmbeddings(reader.facts.relations, embedder, -1.0)
    linker = TripletLinker(reader, nearest)
    unworded = [list(linker.unlinked_phrases([one.claim])) for one in every]
    nearest.read(one for found in unworded for one in found)
    counts: Counter[str] = Counter()
    links = []
    for one, left in zip(every, unworded, strict=True):
        counts[one.kind] += 1
        counts[f"{one.kind} worded"] += not left
        near = next((r.near for readings, _ in linker.link(one.claim) for r in readings if r.near), None)
        if near is not None:
            links.append(Linked(one, near.relation, near.similarity))
    return links, counts


def row(name: str, links: Sequence[Linked], counts: Counter[str], threshold: float) -> str:
    """How many of what the wordings leave is linked at a threshold."""
    taken = [one for one in links if one.similarity >= threshold]
    right = sum(one.stated.relation == one.relation for one in taken)
    left = {kind: counts[kind] - counts[f"{kind} worded"] for kind in ("right", "kin", "others")}
    wrong = {kind: sum(one.stated.kind == kind for one in taken) for kind in ("kin", "others")}
    shares = "".join(f"{left[kind]:9,}{_percent(wrong[kind], left[kind]):>8}" for kind in ("kin", "others"))
    return (
        f"{name:28}{threshold:6.2f}{counts['right']:8,}{_percent(counts['right worded'], counts['right']):>8}"
        f"{left['right']:7,}{_percent(right, left['right']):>8}{shares}{_percent(right, len(taken)):>11}"
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


class Tally:
    """Links of some graphs, by halves of the relations."""

    def __init__(self) -> None:
        self.links: dict[bool, list[Linked]] = {False: [], True: []}
        self.counts: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}

    def add(self, summaries: Sequence[RelationSummary], words: Mapping[str, Words], embedder: Embedder) -> None:
        facts = GraphFacts(summaries)
        every = list(stated(facts, summaries, words))
        for is_odd in (False, True):
            half = [one for one in every if int(one.relation[1:]) % 2 == is_odd]
            links, counts = linked(ClaimReader(facts), embedder, half)
            self.links[is_odd] += links
            self.counts[is_odd] += counts

    def show(self, name: str) -> None:
        for threshold in THRESHOLDS:
            print(row(f"{name}, even", self.links[False], self.counts[False], threshold))
        print(row(f"{name}, odd", self.links[True], self.counts[True], THRESHOLD))


def bear_without(
    folder: Path, labels: Mapping[str, str], left_out: int
) -> tuple[list[RelationSummary], dict[str, Words]]:
    """BEAR with Wikidata's labels, where LAMA has them, and two of its three templates; and what the third says."""
    kg = kgs.get("bear")(folder, "bear")
    summaries: list[RelationSummary] = []
    words: dict[str, Words] = {}
    for relation in kg.load_relations():
        if not kg.has_facts(relation):
            continue
        kept = list(relation.templates)
        out = kept.pop(left_out)
        words[relation.relation] = words_of([out])
        changed = replace(relation, label=labels.get(relation.relation, ""), template=kept[0], templates=tuple(kept))
        summaries.append(replace(summarise_relation(kg, relation), relation_info=changed))
    return summaries, words


def linking(
    trex: Sequence[RelationSummary],
    data: Path,
    templates: Iterable[Mapping[str, Sequence[str]]],
    embedder: Embedder,
    *,
    show: bool,
) -> None:
    """The tables, and with `show` what the words of models are taken for.

    Args:
        trex: the relations of T-REx.
        data: the folder of all data.
        templates: for T-REx, that it does not have.
        embedder: gives the embeddings.
        show: whether to.
    """
    print(
        f"\n{'linked by embeddings, in %':28}{'least':>6}{'right':>8}{'worded':>8}{'left':>7}{'linked':>8}"
        f"{'kin':>9}{'linked':>8}{'others':>9}{'linked':>8}{'precision':>11}"
    )
    names = {one.relation_info.relation: one.relation_info.label for one in trex}
    words: dict[str, dict[str, bool]] = {}
    for some in templates:
        for relation, texts in some.items():
            words.setdefault(relation, {}).update(words_of(texts))
    of_trex, of_bear = Tally(), Tally()
    of_trex.add(trex, words, embedder)
    of_trex.show("T-REx")
    for left_out in range(3):
        of_bear.add(*bear_without(data / "bear", names, left_out), embedder)
    of_bear.show("BEAR")
    facts = GraphFacts(trex)
    links, counts = linked(ClaimReader(facts), embedder, list(of_models(facts, trex, data / "refchecker")))
    taken = [one for one in links if one.similarity >= THRESHOLD]
    left = counts["models"] - counts["models worded"]
    print(f"{left:,} facts of T-REx in words of models that no wording fits: {_percent(len(taken), left)} % linked")
    for one in taken if show else ():
        print(f"    {' | '.join(one.stated.claim.parts)} -> {names[one.relation]} {one.similarity:.2f}")
