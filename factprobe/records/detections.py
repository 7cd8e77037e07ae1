"""Records of hallucination detection: items, detections and human labels."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from factprobe.records.checked_texts import Spans
from factprobe.records.grades import Verdict

HallucinationLabel = Literal["Hallucination", "Not Hallucination"]
"""Labels of SHROOM (SemEval-2024 task 6)."""
HALLUCINATION_LABELS: tuple[HallucinationLabel, ...] = get_args(HallucinationLabel)
HALLUCINATION, NOT_HALLUCINATION = HALLUCINATION_LABELS


SoftSpans = tuple[tuple[int, int, float], ...]
"""Spans of a text with the probability that they are hallucinated: start, end, probability."""


class DetectorItem(Struct, frozen=True, gc=False):
    """Output of a system that may be hallucinated, with its input."""

    id: str
    """Id from the record, or `#` and the number of the record from 1."""
    output: str
    """Output of a system: SHROOM's `hyp`."""
    input: str = ""
    """Input of the system: SHROOM's `src`."""
    target: str = ""
    """Reference output, if known: SHROOM's `tgt`."""
    context: tuple[str, ...] = ()
    """Further passages with which the output has to agree."""
    task: str = ""
    """Task of the system: in SHROOM `DM`, `PG`, `MT` or `TS`."""
    samples: tuple[str, ...] = ()
    """Further outputs for the same input, if stored."""
    span: tuple[int, int] | None = None
    """Span of the output to judge, as in HaDes; None for the whole output."""
    language: str = ""
    """Language code of the output as in the record, such as `EN`."""
    tokens: tuple[str, ...] = ()
    """Tokens of the output as the tokenizer writes them, such as `Ġof`, if stored."""
    logits: tuple[float, ...] = ()
    """Logit of each token, if stored."""
    wants_spans: bool = False
    """True if the task is to mark hallucinated spans, as in Mu-SHROOM."""


class Detection(Struct, frozen=True, omit_defaults=True, gc=False):
    """Verdict of a detector on one item."""

    label: HallucinationLabel | None
    """Verdict; None if the detector could not decide, for the reasons in `reasons`."""
    probability: float | None
    """Probability of `Hallucination`, in [0, 1]; None if unknown."""
    votes: int = 0
    """Number of samples that say `Hallucination`; 0 from detectors without samples."""
    samples: int = 0
    """Number of samples of the model's verdict; 0 from detectors without samples."""
    unparsed: int = 0
    """Number of samples from which no label could be read; they are not counted as votes."""
    tie: bool = False
    """True if exactly half of the votes are for `Hallucination`."""
    reasons: tuple[str, ...] = ()
    """Reasons for the verdict, or errors."""
    spans: Spans = ()
    """Hallucinated spans of the output, from detectors that mark spans."""
    soft_spans: SoftSpans = ()
    """Spans of the output with their probability of `Hallucination`, from detectors that mark spans."""


class SelfCheck(Struct, frozen=True, omit_defaults=True, gc=False):
    """Agreement of a model's answer with further samples of its answer to the same question."""

    question_id: str
    verdict: Verdict
    """Verdict on the answer according to the graph; `disagreement` and `entropy` do not depend on it."""
    samples: int
    """Number of samples that were compared."""
    disagreement: float | None = None
    """Share of the samples with a different answer, in [0, 1]; None without samples, for the reason in `fault`."""
    entropy: float | None = None
    """Semantic entropy of answer and samples, normalised to [0, 1]; None without samples."""
    fault: str = ""
    """Reason why `disagreement` is None."""


class HumanLabel(Struct, frozen=True, gc=False):
    """Human label of one item."""

    label: HallucinationLabel
    probability: float | None = None
    """Share of annotators who say `Hallucination`, in [0, 1]; None if unknown."""
    annotators: tuple[HallucinationLabel, ...] = ()
    """Label of each annotator."""
    spans: Spans | None = None
    """Spans that most annotators have marked; None if spans were not annotated."""
    soft_spans: SoftSpans = ()
    """Spans with the share of annotators who have marked them."""


def label_of(probability: float) -> HallucinationLabel:
    """Return the label for a probability of `Hallucination`; for 0.5 it is `Not Hallucination`."""
    return HALLUCINATION if probability > 0.5 else NOT_HALLUCINATION
