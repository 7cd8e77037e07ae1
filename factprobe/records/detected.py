"""The records of the hallucination detectors: what is looked at, what a detector says of it, and what people say."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from factprobe.records.checked import Spans
from factprobe.records.graded import Verdict

HallucinationLabel = Literal["Hallucination", "Not Hallucination"]
"""The labels of SHROOM (SemEval-2024 task 6)."""
HALLUCINATION_LABELS: tuple[HallucinationLabel, ...] = get_args(HallucinationLabel)
HALLUCINATION, NOT_HALLUCINATION = HALLUCINATION_LABELS


SoftSpans = tuple[tuple[int, int, float], ...]
"""Spans of a text with the probability that they are hallucinated: start, end, probability."""


class DetectorItem(Struct, frozen=True, gc=False):
    """A text that may be hallucinated, with what it was made from."""

    id: str
    """As its record has it, or `#` and its number from 1."""
    output: str
    """What a system wrote: SHROOM's `hyp`."""
    input: str = ""
    """What it was given: SHROOM's `src`."""
    target: str = ""
    """What it should have written, where that is known: SHROOM's `tgt`."""
    context: tuple[str, ...] = ()
    """Passages that the output is to keep to, besides."""
    task: str = ""
    """What the system was to do: in SHROOM `DM`, `PG`, `MT` or `TS`."""
    samples: tuple[str, ...] = ()
    """What it wrote when it was asked again, where that is stored."""
    span: tuple[int, int] | None = None
    """The characters of the output that are in question, as in HaDes; None for all of it."""
    language: str = ""
    """Language of the output as its record has it, such as `EN`."""
    tokens: tuple[str, ...] = ()
    """Tokens of the output in the spelling of the tokenizer, where they are stored."""
    logits: tuple[float, ...] = ()
    """Logit of each token."""
    wants_spans: bool = False
    """Whether spans of the output are to be marked, as in Mu-SHROOM."""


class Detection(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a detector says of one item."""

    label: HallucinationLabel | None
    """None where it has no clean verdict; `reasons` say why."""
    probability: float | None
    """Of Hallucination, in [0, 1]; None where it has none."""
    votes: int = 0
    """The samples that say Hallucination, of a detector that takes some."""
    samples: int = 0
    """How many there are."""
    unparsed: int = 0
    """Those of them without a clean label, which count as no vote."""
    tie: bool = False
    """Whether just half of the samples vote for Hallucination."""
    reasons: tuple[str, ...] = ()
    """What it gives for its verdict, or what is wrong."""
    spans: Spans = ()
    """What is hallucinated in the output, of a detector that tells."""
    soft_spans: SoftSpans = ()
    """Probability of Hallucination of spans, of a detector that marks some."""


class SelfChecked(Struct, frozen=True, omit_defaults=True, gc=False):
    """How far a model says the same when it is asked a question again."""

    question_id: str
    verdict: Verdict
    """Of its answer, by the graph; the scores know nothing of it."""
    samples: int
    """How many further replies the answer is compared with."""
    disagreement: float | None = None
    """The share of these that give another answer, in [0, 1]; None where there is none, and `fault` says why."""
    entropy: float | None = None
    """The semantic entropy of all replies, in [0, 1]."""
    fault: str = ""


class HumanLabel(Struct, frozen=True, gc=False):
    """What people say of one item."""

    label: HallucinationLabel
    probability: float | None = None
    """The share of annotators who say Hallucination, in [0, 1]."""
    annotators: tuple[HallucinationLabel, ...] = ()
    """What each of them says."""
    spans: Spans | None = None
    """Spans that most annotators mark; None where none were asked for."""
    soft_spans: SoftSpans = ()
    """Spans with the share of annotators who mark them."""


def label_of(probability: float) -> HallucinationLabel:
    """The label that goes with a probability of Hallucination: that of the larger side, at a tie Not Hallucination."""
    return HALLUCINATION if probability > 0.5 else NOT_HALLUCINATION
