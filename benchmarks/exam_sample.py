"""Draws questions of every kind and graph to be read by hand: 155 of them, or 25 with a passage of the source."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import factprobe
from factprobe.config import compose, from_omegaconf
from factprobe.extractors.path_composition import compose_relations, frequent_paths
from factprobe.factories import build_generator
from factprobe.kgs.summaries import Facts, describe
from factprobe.records import Question, RelationSummary, Triplet

SHARED = Path(os.environ.get("FACTPROBE_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
ATLAS = SHARED.parent / "respondent" / "atlas"
COMPOSED = "compositions"
_TRIES = 40


class Kind(NamedTuple):
    """One kind of question about one graph."""

    graph: str
    name: str
    size: int
    settings: dict[str, Any]
    generator: str = "template"


NEAR = {"negatives": "near", "question_types": ["multi_choices"]}
NEGATED = {"negated": True, "question_types": ["binary_answer"]}
IN_WORDS = {"question_types": ["single_answer", "multiple_answer"]}
KINDS = (
    Kind("T-REx", "template", 14, {}),
    Kind("T-REx", "near", 10, NEAR),
    Kind("T-REx", "subject", 4, {"ask": "subject"}),
    Kind("T-REx", "relevance", 14, {"context": "relevance"}),
    Kind("T-REx", "antifactual", 14, {"context": "antifactual"}),
    Kind("T-REx", "irrelevance", 3, {"context": "irrelevance"}),
    Kind("T-REx", COMPOSED, 5, {}),
    Kind("T-REx", "placebo", 2, {}, "placebo"),
    Kind("T-REx, bundled", "template", 4, {}),
    Kind("T-REx, bundled", COMPOSED, 5, {}),
    Kind("T-REx, bundled", "negated", 3, NEGATED),
    Kind("T-REx, bundled", "lists", 4, {"question_types": ["multiple_answer"], "ask": "both"}),
    Kind("Google-RE", "template", 6, {}),
    Kind("Google-RE", "near", 4, NEAR),
    Kind("Google-RE", "subject", 2, {"ask": "subject"}),
    Kind("Google-RE", "relevance", 3, {"context": "relevance"}),
    Kind("BEAR", "template", 10, {}),
    Kind("BEAR", "near", 10, NEAR),
    Kind("BEAR", "second template", 4, {"template": 1}),
    Kind("BEAR", "negated", 3, NEGATED),
    Kind("UMLS", "template", 8, {}),
    Kind("UMLS", "near", 4, NEAR),
    Kind("UMLS", "lists", 4, {"question_types": ["multiple_answer"], "ask": "both"}),
    Kind("atlas", "template", 5, {}),
    Kind("atlas", "near", 3, NEAR),
    Kind("atlas", "negated", 2, NEGATED),
    Kind("atlas", "as of a day", 2, {"as_of": "2011-01-01"}),
    Kind("atlas", "subject", 3, {"ask": "subject"}),
)


@cache
def graph(name: str) -> tuple[dict[str, RelationSummary], dict[str, list[Triplet]]]:
    """Return the relation summaries of a graph and the facts to ask about, by relation."""
    if name == "atlas":
        kg = factprobe.load_kg("csv", source=str(ATLAS / "atlas.csv"), templates=str(ATLAS / "templates.yaml"))
    else:
        folders = {"T-REx": "lama/TREx", "Google-RE": "lama/Google_RE", "BEAR": "bear", "UMLS": "umls"}
        ids = {"T-REx": "trex", "T-REx, bundled": "trex", "Google-RE": "google_re", "BEAR": "bear", "UMLS": "umls"}
        kg = factprobe.load_kg(ids[name], SHARED / folders[name] if name in folders else None)
    summaries, triplets = {}, {}
    for relation in kg.load_relations():
        if kg.has_facts(relation):
            facts = Facts(kg.facts(relation))
            summary = facts.summary(describe(kg, relation), kg.settings.single_share)
            summaries[summary.relation_info.relation] = summary
            triplets[summary.relation_info.relation] = list(facts.triplets(summary.relation_info))
    return summaries, triplets


@cache
def composed(name: str) -> tuple[dict[str, RelationSummary], dict[str, list[Triplet]]]:
    """Return the compositions of a graph, as `compose=auto` makes them."""
    known, _ = graph(name)
    summaries, triplets = {}, {}
    for path, hops in frequent_paths(list(known), known.__getitem__).items():
        made = compose_relations(path, hops, known.__getitem__)
        summaries[path] = made.summary
        triplets[path] = list(made.triplets(made.summary.relation_info))
    return summaries, triplets


def draw(kind: Kind, seed: int) -> Iterator[Question]:
    """Yield questions of one kind: of a relation at random a fact at random, and of its questions one."""
    rng = Random(f"{seed}:{kind.graph}:{kind.name}")
    whole = graph(kind.graph)[0]
    summaries, triplets = composed(kind.graph) if kind.name == COMPOSED else graph(kind.graph)
    settings = from_omegaconf(compose([f"generator={kind.generator}"])).generator
    maker = build_generator({**settings, **kind.settings}, seed)
    maker.graph = whole.values
    every = [name for name in summaries if triplets[name]]
    relations = [*rng.sample(every, len(every)), *rng.choices(every, k=kind.size)]
    for relation in relations[: _TRIES * kind.size]:
        facts = rng.sample(triplets[relation], min(4, len(triplets[relation])))
        made = list(maker.questions(summaries[relation], facts))
        if made:
            yield rng.choice(made)


def sample(seed: int, kinds: Sequence[Kind] = KINDS) -> Iterator[tuple[Kind, Question]]:
    """Yield the questions to read, kind by kind."""
    for kind in kinds:
        for number, question in enumerate(draw(kind, seed)):
            if number == kind.size:
                break
            yield kind, question


def with_evidence(context: str, size: int, seed: int) -> tuple[list[Question], int]:
    """Return questions about T-REx whose passage is a text of the source, and how many were made to find them."""
    rng = Random(f"{seed}:{context}")
    summaries, triplets = graph("T-REx")
    settings = from_omegaconf(compose(["generator=template"])).generator
    maker = build_generator({**settings, "context": context}, seed)
    maker.graph = summaries.values
    found: list[Question] = []
    tried = 0
    while len(found) < size:
        relation = rng.choice(list(summaries))
        questions = list(maker.questions(summaries[relation], [rng.choice(triplets[relation])]))
        if questions:
            tried += 1
            question = rng.choice(questions)
            found += [question] if question.context and question.context.source == "evidence" else []
    return found, tried


def shown(question: Question) -> str:
    """Return a question with what is right and what its passage states in the place of that."""
    right = question.answers if isinstance(question.answers, str) else ", ".join(a.label for a in question.answers)
    planted = question.context.planted if question.context else None
    return f"{question.prompts[-1].content}\n→ {right}{f' [planted: {planted.label}]' if planted else ''}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--evidence", choices=("relevance", "antifactual"), help="25 passages that count as evidence")
    options = parser.parse_args()
    if options.evidence:
        found, tried = with_evidence(options.evidence, 25, options.seed)
        print(f"{len(found)} of {tried} passages are texts of the source\n")
        drawn: Iterator[tuple[str, Question]] = ((options.evidence, question) for question in found)
    else:
        drawn = ((f"{kind.graph}, {kind.name}", question) for kind, question in sample(options.seed))
    for number, (title, question) in enumerate(drawn, 1):
        print(f"## {number} {title}: {question.question_id}\n{shown(question)}\n")


if __name__ == "__main__":
    main()
