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
    """Text that may be hallucinated, with the input that it was made from."""

    id: str
    """Id from the record, or `#` and the number of the record from 1."""
    output: str
    """Output of a system: SHROOM's `hyp`."""
    input: str = ""
    """Input of the system: SHROOM's `src`."""
    target: str = ""
    """Reference output, if known: SHROOM's `tgt`."""
    context: tuple[str, ...] = ()
    """Further passages that the output has to agree with."""
    task: str = ""
    """Task of the system: in SHROOM `DM`, `PG`, `MT` or `TS`."""
    samples: tuple[str, ...] = ()
    """Further outputs for the same input, if stored."""
    span: tuple[int, int] | None = None
    """Span of the output in question, as in HaDes; None for all of it."""
    language: str = ""
    """Language code of the output as in the record, such as `EN`."""
    tokens: tuple[str, ...] = ()
    """Tokens of the output in the spelling of the tokenizer, if stored."""
    logits: tuple[float, ...] = ()
    """Logit of each token."""
    wants_spans: bool = False
    """True if spans of the output are to be marked, as in Mu-SHROOM."""


class Detection(Struct, frozen=True, omit_defaults=True, gc=False):
    """Verdict of a detector on one item."""

    label: HallucinationLabel | None
    """Verdict; None if there is no clean one, for the reason in `reasons`."""
    probability: float | None
    """Probability of Hallucination, in [0, 1]; None if unknown."""
    votes: int = 0
    """Number of samples that say Hallucination, from detectors that sample."""
    samples: int = 0
    """Number of samples."""
    unparsed: int = 0
    """Number of samples without a clean label; they are not counted as votes."""
    tie: bool = False
    """True if exactly half of the samples vote for Hallucination."""
    reasons: tuple[str, ...] = ()
    """Reasons for the verdict, or errors."""
    spans: Spans = ()
    """Hallucinated spans of the output, from detectors that mark them."""
    soft_spans: SoftSpans = ()
    """Probability of Hallucination of spans, from detectors that mark them."""


class SelfCheck(Struct, frozen=True, omit_defaults=True, gc=False):
    """Agreement of a model's answer with its further answers to the same question."""

    question_id: str
    verdict: Verdict
    """Verdict on the answer by the graph, which the scores do not use."""
    samples: int
    """Number of further replies compared."""
    disagreement: float | None = None
    """Share of the further replies whose answer differs, in [0, 1]; None without further replies, see `fault`."""
    entropy: float | None = None
    """Semantic entropy of all replies, in [0, 1]."""
    fault: str = ""
    """Reason why there is no disagreement."""


class HumanLabel(Struct, frozen=True, gc=False):
    """Human judgment of one item."""

    label: HallucinationLabel
    probability: float | None = None
    """Share of annotators who say Hallucination, in [0, 1]."""
    annotators: tuple[HallucinationLabel, ...] = ()
    """Label of each annotator."""
    spans: Spans | None = None
    """Spans that most annotators mark; None if spans were not annotated."""
    soft_spans: SoftSpans = ()
    """Spans with the share of annotators who mark them."""


def label_of(probability: float) -> HallucinationLabel:
    """Return the label for a probability of Hallucination; 0.5 is Not Hallucination."""
    return HALLUCINATION if probability > 0.5 else NOT_HALLUCINATION
