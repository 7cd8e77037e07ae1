"""Train the extraction of claims by the graph: the cues of common relations and the weights of the features.

Cues come from the sentences of T-REx that state a fact (`learn_cues` in `factprobe/claims/by_graph/wordings.py`). The
weights are those of a logistic regression over T-REx and Google-RE. Only facts of subjects in the training half count;
see `is_training`. The file is the same whenever it is made again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.reader import ClaimReader
from factprobe.claims.by_graph.scoring import features
from factprobe.claims.by_graph.sentence import Sentence
from factprobe.claims.by_graph.wordings import LearnedRelation, learn_cues
from factprobe.kgs import kgs
from factprobe.kgs.summaries import summarise_relation
from factprobe.records import RelationSummary

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared/data")) / "lama"
PACK = ROOT / "factprobe/reading/language/en/relation_cues.json"
PER_FACT = 3
"""Sentences of a fact that are read."""
_MIN_CUES = 10
"""Minimum number of cues of a relation in the file; others are left to what graphs have of sentences."""
_PENALTY = 1.0
_ROUNDS = 4
_TREX, _GOOGLE = (1.0, 3.0), (2.5, 3.5)
"""Weights of right and of wrong pairs; Google-RE has fewer pairs, and of T-REx many are right by chance."""
_MISFIT = -2.0
"""Weight of a mention that does not fit the relation: such pairs are hardly ever facts, so that none is trained on."""


class Stated(NamedTuple):
    """A text that states a fact."""

    subject: str
    relation: str
    object: str
    text: str


def is_training(subject: str) -> bool:
    """Return whether the facts of a subject are for training; those of all others are for tests."""
    return hashlib.md5(subject.encode(), usedforsecurity=False).digest()[0] % 2 == 0


def trex_sentences(folder: Path, relations: Iterable[str], per_fact: int = PER_FACT) -> Iterator[Stated]:
    """Yield different sentences of each fact of T-REx, the object in its place."""
    for relation in relations:
        path = folder / f"{relation}.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            fact = json.loads(line)
            texts = [one["masked_sentence"].replace("[MASK]", one["obj_surface"]) for one in fact["evidences"]]
            for text in list(dict.fromkeys(texts))[:per_fact]:
                yield Stated(fact["sub_uri"], relation, fact["obj_uri"], text)


def google_sentences(folder: Path, relations: Iterable[str]) -> Iterator[Stated]:
    """Yield the snippets of Google-RE that most raters say to state the fact."""
    for relation in relations:
        path = folder / f"{relation}_test.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            fact = json.loads(line)
            agreed = sum(one["judgment"] == "yes" for one in fact["judgments"])
            if 2 * agreed > len(fact["judgments"]):
                yield Stated(fact["sub"], relation, fact["obj"], fact["evidences"][0]["snippet"])


def read(adapter: str, folder: Path) -> Callable[[], Iterator[RelationSummary]]:
    """Return the relations of a graph in LAMA's layout."""

    def summaries() -> Iterator[RelationSummary]:
        kg = kgs.get(adapter)(folder, adapter)
        return (summarise_relation(kg, relation) for relation in kg.load_relations() if kg.has_facts(relation))

    return summaries


class Example(NamedTuple):
    """The candidates of a pair by one relation, and whether it is a fact."""

    values: list[dict[str, float]]
    """Features of each cue."""
    is_right: bool
    weight: float


def examples(
    reader: ClaimReader, sentences: Iterable[Sentence], relations: Collection[str], right: float, wrong: float
) -> Iterator[Example]:
    """Yield the candidates by some relations that the graph can judge, with the weights of right and wrong ones."""
    for sentence in sentences:
        found: dict[tuple[int, str, int], list[dict[str, float]]] = defaultdict(list)
        for pair in reader.candidates(sentence):
            if pair.cue.relation in relations and not pair.has_misfit:
                found[pair.subject, pair.cue.relation, pair.object].append(features(sentence, pair))
        for (subject, relation, object_), cues in found.items():
            verdict = judge(reader.facts, sentence, subject, relation, object_)
            if verdict is not None:
                yield Example(cues, verdict, right if verdict else wrong)


def judge(facts: GraphFacts, sentence: Sentence, subject: int, relation: str, object_: int) -> bool | None:
    """Return whether a pair is a fact; None where the graph has nothing of the subject by the relation."""
    from factprobe.reading.values.value_parsing import value_of

    value = sentence.mentions[object_].value
    verdict: bool | None = None
    for uri in sentence.mentions[subject].uris:
        held = facts.summaries[relation].partners(uri, "subject")
        if held:
            verdict = bool(verdict)
        if value is not None:
            known = [one for one in (value_of(facts.label(other)) for other in held) if one is not None]
            verdict = verdict or (any(value.year == one.year for one in known) if known else verdict)
        elif any(other in held for other in sentence.mentions[object_].uris):
            return True
    return verdict


def fit(some: Sequence[Example]) -> dict[str, float]:
    """Return the weights of a logistic regression.

    That a fact is right does not say which of several cues expresses it: of these the one counts that the weights of
    the round before prefer (multiple-instance learning).
    """
    import numpy as np
    from scipy.optimize import minimize

    names = list(some[0].values[0])
    every = np.array([[*values.values()] for one in some for values in one.values], float)
    sizes = [len(one.values) for one in some]
    bounds = np.cumsum([0, *sizes])
    label = np.array([1.0 if one.is_right else -1.0 for one in some])
    weight = np.array([one.weight for one in some])
    bounds_of_weights = [(_MISFIT, _MISFIT) if name == "misfit" else (None, None) for name in names]
    best = bounds[:-1]
    found = np.zeros(len(names))
    for _ in range(_ROUNDS):
        values = every[best]

        def loss(weights: Any, values: Any = values) -> tuple[float, Any]:
            margin = label * (values @ weights)
            slope = -label * weight / (1 + np.exp(np.clip(margin, -30, 30)))
            total = float((weight * np.logaddexp(0, -margin)).sum()) + _PENALTY * float(weights @ weights) / 2
            return total, values.T @ slope + _PENALTY * weights

        found = minimize(loss, found, jac=True, method="L-BFGS-B", bounds=bounds_of_weights).x
        score = every @ found
        best = np.array(
            [start + score[start : start + size].argmax() for start, size in zip(bounds, sizes, strict=False)]
        )
    return {name: round(float(one), 3) + 0.0 for name, one in zip(names, found, strict=True)}


def train(without: Collection[str] = ()) -> tuple[list[LearnedRelation], dict[str, float]]:
    """Return cues and weights that are learned without some relations."""
    graphs = read("trex", DATA / "TREx"), read("google_re", DATA / "Google_RE")
    trex, google = (GraphFacts(replace(one, sentences=()) for one in graph()) for graph in graphs)
    relations = [one for one in trex.relations if one not in without]
    texts: tuple[dict[str, None], dict[str, None]] = ({}, {})
    for one in trex_sentences(DATA / "TREx", relations):
        if is_training(one.subject):
            texts[hashlib.md5(one.subject.encode(), usedforsecurity=False).digest()[1] % 2][one.text] = None
    bare = ClaimReader(trex, (), {})
    folds = [[*chain.from_iterable(map(bare.sentences, some))] for some in texts]

    some: list[Example] = []
    for here, other in (folds, folds[::-1]):
        reader = ClaimReader(trex, learn_cues(trex, other, relations), {})
        some += examples(reader, here, relations, *_TREX)
    cues = learn_cues(trex, chain(*folds), relations)
    snippets = [one for one in google_sentences(DATA / "Google_RE", google.relations) if is_training(one.subject)]
    reader = ClaimReader(google, cues, {})
    sentences = chain.from_iterable(map(reader.sentences, dict.fromkeys(one.text for one in snippets)))
    return cues, fit([*some, *examples(reader, sentences, google.relations, *_GOOGLE)])


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    cues, weights = train()
    lines = ",\n".join(msgspec.json.encode(one).decode() for one in cues if len(one.cues) >= _MIN_CUES)
    text = f'{{"weights": {json.dumps(weights)},\n"relations": [\n{lines}\n]}}\n'
    PACK.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
