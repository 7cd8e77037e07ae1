"""Quality of questions, measured before a model is asked: variety, similarity to templates, repetitions, leaks."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import blake2b
from random import Random
from statistics import fmean, median_low

from msgspec import Struct

from factprobe.errors import require
from factprobe.metrics.breakdowns.base import TableSpec, headers
from factprobe.metrics.breakdowns.question_pairs import right_answer_key
from factprobe.metrics.statistics.reservoir import Reservoir
from factprobe.question_types import End, QuestionType
from factprobe.reading.answer_leak import giveaway, own_text
from factprobe.records import Question, RelationSummary
from factprobe.templating import Template
from factprobe.text import normalise, one_line

MAX_COMPARED_QUESTIONS = 200
"""Maximum number of questions for self-BLEU, which takes quadratic time."""

BLANK = "____"
"""Placeholder for the asked-for name in questions without a statement."""

Similarity = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""Function from pairs of texts to the similarity of each pair, at most 1."""


class QuestionQuality(Struct, frozen=True):
    """Quality of the questions of one generator and type."""

    kg: str
    generator: str
    question_type: QuestionType
    questions: int
    words: int
    """Median number of words, between `shortest` and `longest`; without instructions, options and context."""
    shortest: int
    longest: int
    self_bleu: float | None
    """Similarity of the questions to each other, in [0, 1]; lower is more varied. None for a single question."""
    similarity: float | None
    """Similarity of the wording to the relation's template, at most 1; None if not measured."""
    repeated: int
    """Number of questions with the same text and options as an earlier one."""
    ambiguous: int
    """Number of repeated questions with another right answer than the earlier one."""
    leaks: int
    """Number of questions whose text contains a right answer."""
    leaks_by_subject: int
    """Number of questions whose subject's name contains a right answer, as in "Bank of England"."""
    model: str = ""


class QualityTable(TableSpec):
    """Table of the quality of questions by generator and type."""

    title = "Quality of the questions"
    note = (
        "Statistics of the questions' own text, without instructions, options and context. Self-BLEU: similarity to "
        "each other. Template: similarity to the relation's template. Leaks: the question contains a right answer."
    )
    of_models = False
    heads = headers(
        "question_type questions words self_bleu similarity repeated ambiguous leaks leaks_by_subject",
        self_bleu="self-BLEU",
        similarity="template",
        leaks_by_subject="in the name",
    )
    main = "self_bleu"


def reference(question: Question, template: Template, summary: RelationSummary) -> str:
    """Return the relation's template filled for a question; without a statement, with a blank for the answer."""
    if question.statement is not None:
        return template.fill(question.statement.at("subject"), question.statement.at("object")).text
    ends: dict[End, str] = {"subject": question.subject_uri, "object": question.object_uri}
    labels = {end: entity.label for end, uri in ends.items() if (entity := summary.entity(uri, end))}
    labels[question.sought] = BLANK
    return template.fill(labels.get("subject", BLANK), labels.get("object", BLANK)).text


def self_bleu(texts: Sequence[str]) -> float | None:
    """Return self-BLEU, the mean BLEU of each text against all others, in [0, 1]; lower is more varied.

    The definition is that of Zhu et al. 2018, *Texygen*, SIGIR, section 2.2, with sacrebleu's BLEU-4 of single
    sentences (effective order). The result is None for fewer than two texts.
    """
    require("sacrebleu", extra="quality", where="step=quality")
    if len(texts) < 2:
        return None
    from sacrebleu.metrics.bleu import BLEU

    bleu, scores = BLEU(effective_order=True), dict[str, float]()
    for at, text in enumerate(texts):
        if text not in scores:
            scores[text] = bleu.sentence_score(text, [*texts[:at], *texts[at + 1 :]]).score
    return fmean(scores[text] for text in texts) / 100


class QualityAccumulator:
    """Accumulator of the quality of questions of one generator and type; compares `sample` with their template."""

    def __init__(self, sample: int, rng: Random) -> None:
        self._lengths = array("l")
        self._right_by_question: dict[int, int] = {}
        self._repeated = self._ambiguous = 0
        self._leaks: Counter[str] = Counter()
        self._texts: Reservoir[str] = Reservoir(MAX_COMPARED_QUESTIONS, rng)
        self._pairs: Reservoir[tuple[str, str]] = Reservoir(sample, rng)

    def add(self, question: Question, reference: str) -> None:
        """Add one question; `reference` is the filled template of its fact, or empty."""
        text = one_line(own_text(question))
        self._lengths.append(len(text.split()))
        self._leaks[question.giveaway or giveaway(question)] += 1
        self._texts.add(text)
        if reference:
            self._pairs.add((text, one_line(reference)))
        content = _hash_texts(normalise(text), *sorted(map(normalise, question.choices)))
        right = _hash_texts(*right_answer_key(question))
        before = self._right_by_question.setdefault(content, right)
        if len(self._lengths) > len(self._right_by_question) + self._repeated:  # no new entry: the question is repeated
            self._repeated += 1
            self._ambiguous += before != right

    def row(self, kg: str, generator: str, question_type: QuestionType, compare: Similarity | None) -> QuestionQuality:
        """Return the quality of the questions added, at least one; without `compare`, similarity is not measured."""
        pairs = self._pairs.items
        return QuestionQuality(
            kg,
            generator,
            question_type,
            questions=len(self._lengths),
            words=median_low(self._lengths),
            shortest=min(self._lengths),
            longest=max(self._lengths),
            self_bleu=self_bleu(self._texts.items),
            similarity=fmean(compare(pairs)) if compare and pairs else None,
            repeated=self._repeated,
            ambiguous=self._ambiguous,
            leaks=self._leaks["words"] + self._leaks["subject"],
            leaks_by_subject=self._leaks["subject"],
        )


def _hash_texts(*parts: str) -> int:
    return int.from_bytes(blake2b("\0".join(parts).encode(errors="surrogatepass"), digest_size=8).digest(), "big")
