"""Detection by self-consistency: a text is suspect if further replies of the model to its input disagree with it.

Sources: SelfCheckGPT (Manakul, Liusie and Gales 2023, EMNLP); semantic entropy (Farquhar et al. 2024, Nature 630).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import fsum, isfinite
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from factprobe.checkers.base import Checker
from factprobe.claims.base import SentenceClaims
from factprobe.components.base import PartSettings
from factprobe.components.prompts import Prompt, PromptSettings
from factprobe.detectors.answer_clusters import (
    AnswerClusters,
    UncomparableError,
    cluster_answers,
    disagreement,
    semantic_entropy,
)
from factprobe.detectors.base import Detector
from factprobe.evaluators.answered_questions import OPEN_ANSWER
from factprobe.evaluators.grading import Grader
from factprobe.evaluators.rule_errors import RuleErrors
from factprobe.models.base import check_samples_differ
from factprobe.records import (
    Claim,
    ClaimedText,
    ClaimVerdict,
    Detection,
    DetectorItem,
    Item,
    PlainRequest,
    Question,
    Response,
    label_of,
)

_SCORES = {"Entailment": 0.0, "Neutral": 0.5, "Contradiction": 1.0}
"""Contradiction score of a sentence by the verdict on it; a sample that does not mention the sentence scores 0.5."""
_Texts = tuple[str, ...]


class SelfCheckSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the detector by self-consistency."""

    model: dict[str, Any]
    """Model to ask again: `detector.model=openai` names a model; ideally the one that wrote the texts."""
    wording: PromptSettings
    """Prompt; its default is a file of `conf/prompts/`."""
    tasks: dict[str, str] = field(default_factory=dict)
    """Instruction for each task; its default is a file of `conf/prompts/`; other tasks have none."""
    samples: Annotated[int, Meta(ge=1)] = 5
    """Number of replies to sample for an item that has none in its record."""
    measure: Literal["disagreement", "entropy"] = "disagreement"
    """Measure that is the probability: the share of samples that disagree with the text, or the semantic entropy of
    the text and the samples."""
    checker: str | dict[str, Any] | None = None
    """Checker that compares texts sentence by sentence: `nli` or `llm`; by default, the grader of short answers
    compares whole texts."""


class SelfCheckDetector(Detector):
    """Detector that asks for an item's text again several times and measures how much the replies (samples) disagree.

    An item with neither input nor samples, or for which a call or the comparison fails, gets no label and probability.
    """

    settings_type: ClassVar[type[PartSettings]] = SelfCheckSettings
    model_is_optional: ClassVar[bool] = True
    parts: Sequence[Checker] = ()
    """Checker that compares texts, or nothing to use the grader; set by the factory of detectors."""

    def __init__(self, settings: SelfCheckSettings) -> None:
        super().__init__(settings)
        check_samples_differ(settings.samples, settings.model, "detector.samples", "detector.model", 1.0)
        messages, optional = settings.wording.messages, ("context", "task")
        self._prompt = Prompt("messages", messages, ("input",), optional, "detector.wording")

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the detection of each item, from its own samples or from new ones."""
        compare = self._by_checker if self.parts else self._by_grader
        pairs = list(zip(items, self._draw_samples(items), strict=True))
        detections = iter(compare([(item, samples) for item, samples in pairs if isinstance(samples, tuple)]))
        every = []
        for item, samples in pairs:
            detection = _missing_detection(samples) if isinstance(samples, str) else next(detections)
            count = len(item.samples) or self.settings.samples
            if isinstance(samples, tuple) and len(samples) < count:
                blank = f"blank samples left out: {count - len(samples):,} of {count:,}"
                detection = replace(detection, reasons=(*detection.reasons, blank))
            every.append(detection)
        return iter(every)

    def _draw_samples(self, items: Sequence[DetectorItem]) -> list[_Texts | str]:
        """Return the samples of each item, or the reason why it has none."""
        numbers = range(self.settings.samples)
        items_to_ask = [item for item in items if not item.samples and item.input.strip() and item.output.strip()]
        requests = []
        for item in items_to_ask:
            values = {"task": self.settings.tasks.get(item.task, ""), "input": item.input}
            prompt = self._prompt.fill({**values, "context": "\n\n".join(item.context)})
            requests += [PlainRequest(f"{item.id}:{number}", prompt, sample=number) for number in numbers]
        responses = iter(self.ask("samples", requests) if requests else ())
        samples_by_id = {item.id: [next(responses) for _ in numbers] for item in items_to_ask}
        return [_select_samples(item, samples_by_id.get(item.id, ())) for item in items]

    def _by_grader(self, items: Sequence[tuple[DetectorItem, _Texts]]) -> Iterator[Detection]:
        with RuleErrors() as faults:
            answers = AnswerClusters(Grader(None, {"single_answer": OPEN_ANSWER}, None, faults))
            for item, samples in items:
                texts = [Response(item.id, text, "stop", None, None) for text in (item.output, *samples)]
                question = Question(item.id, "single_answer", (), (), "", "", "", bare=item.input)
                try:
                    yield self._detection_of_clusters(answers.clusters(question, texts))
                except UncomparableError as error:
                    yield _missing_detection(str(error))

    def _by_checker(self, items: Sequence[tuple[DetectorItem, _Texts]]) -> Iterator[Detection]:
        pairs, texts = [], []
        for item, samples in items:
            every = (item.output, *samples)
            chosen = permutations(range(len(every)), 2)
            pairs.append([pair for pair in chosen if self.settings.measure == "entropy" or pair[0] == 0])
            texts += [_sentences_as_claims(f"{item.id}:{i}:{j}", every[i], every[j]) for i, j in pairs[-1]]
        verdicts = iter(list(self.parts[0].check(texts)) if texts else ())
        for (_, samples), of_item in zip(items, pairs, strict=True):
            yield self._of_verdicts(len(samples), {pair: next(verdicts) for pair in of_item})

    def _of_verdicts(self, count: int, verdicts: dict[tuple[int, int], tuple[ClaimVerdict, ...]]) -> Detection:
        """Return an item's detection; `verdicts` are on the sentences of one text by another, by pair of texts."""
        unclear = [verdict.why for of_text in verdicts.values() for verdict in of_text if verdict.label is None]
        if unclear:
            return _missing_detection(f"a sentence has no verdict: {unclear[0]}")
        if not all(verdicts.values()):
            return _missing_detection("a text has no sentence to compare")
        scores = {pair: _contradiction_score(of_text) for pair, of_text in verdicts.items()}
        if not all(map(isfinite, scores.values())):
            return _missing_detection("what compares gives no number")
        if self.settings.measure == "entropy":
            entailed = {pair for pair, of_text in verdicts.items() if all(one.label == "Entailment" for one in of_text)}
            same = cluster_answers(range(count + 1), lambda one, other: {(one, other), (other, one)} <= entailed)
            return self._detection_of_clusters(same)
        return _make_detection(fsum(scores.values()) / len(scores), count)

    def _detection_of_clusters(self, clusters: Sequence[int]) -> Detection:
        measure = disagreement if self.settings.measure == "disagreement" else semantic_entropy
        return _make_detection(measure(clusters), len(clusters) - 1)


def _make_detection(probability: float, count: int) -> Detection:
    return Detection(label_of(probability), probability, samples=count, tie=probability == 0.5)


def _select_samples(item: DetectorItem, responses: Sequence[Response]) -> _Texts | str:
    """Return an item's own or drawn samples without blank ones, or the reason why they cannot be compared."""
    if not item.output.strip():
        return "the output is empty"
    if not (item.samples or responses):
        return "there is nothing to ask again: the item has neither an input nor samples"
    if failed := [response.fault for response in responses if response.failed]:
        return f"{len(failed):,} of {len(responses):,} samples failed: there is no reply: {failed[0]}"
    texts = tuple(
        text for text in (item.samples or [response.response or "" for response in responses]) if text.strip()
    )
    return texts or "all samples are empty"


def _missing_detection(reason: str) -> Detection:
    return Detection(None, None, reasons=(reason,))


def _sentences_as_claims(name: str, text: str, reference: str) -> ClaimedText:
    """Return a text with its sentences as claims, and another text as the reference to check them against."""
    [claimed] = SentenceClaims(PartSettings(name="sentences")).extract([Item(name, text, references=(reference,))])
    return claimed if claimed.claims or not text.strip() else ClaimedText(claimed.item, (Claim((text.strip(),)),))


def _contradiction_score(verdicts: Sequence[ClaimVerdict]) -> float:
    """Return the mean contradiction score of sentences, from 0 (all entailed) to 1 (all contradicted).

    Of verdicts with probabilities it is Contradiction / (Contradiction + Entailment), as in SelfCheckGPT with NLI.
    """
    scores = []
    for verdict in verdicts:
        by_label = verdict.probabilities
        both = by_label["Entailment"] + by_label["Contradiction"] if by_label else 0
        scores.append(by_label["Contradiction"] / both if by_label and both else _SCORES[verdict.label or "Neutral"])
    return fsum(scores) / len(scores)
