"""What comes of it: responses, grades and scores."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from factprobe.endings import Ending, ending_of
from factprobe.question_types import QuestionType

Verdict = Literal["correct", "incorrect", "abstained", "unparsed", "failed"]
VERDICTS: tuple[Verdict, ...] = ("correct", "incorrect", "abstained", "unparsed", "failed")

Side = Literal["correct", "incorrect"]
"""Of a statement: that it is true, or that it is false."""

SIDES: dict[str, Side] = {
    **dict.fromkeys(("correct", "true", "yes", "right", "pass", "1", "t", "y"), "correct"),
    **dict.fromkeys(("incorrect", "false", "no", "wrong", "fail", "0", "f", "n"), "incorrect"),
}
"""How files from elsewhere say that something is right or wrong."""

Tokens = Annotated[int, Meta(ge=0, le=2**53)]
"""A count that every program can read and sum up."""


class Usage(Struct, frozen=True, gc=False):
    """The tokens that a response took."""

    prompt_tokens: Tokens
    completion_tokens: Tokens


class Response(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a model returned for one request, as it came, or the error that stands in its place."""

    question_id: str
    response: str | None
    finish_reason: str | None
    usage: Usage | None
    error: str | None
    prompts_hash: str = ""
    """Of the prompts: an answer to another wording is no answer to this question."""
    settings_hash: str = ""
    """Of the model's settings that change its answers."""
    scores: tuple[float, ...] = ()
    """For a ranked question: the log-likelihood (natural logarithm) of each choice, in the order of the choices."""
    logprobs: tuple[float, ...] = ()
    """The log-probability (natural logarithm) of each token of the response, where they were asked for."""

    @property
    def failed(self) -> bool:
        """Whether it is no answer: an error, nothing, or what a fault broke off."""
        return self.error is not None or self.response is None or ending_of(self.finish_reason) == "broken"

    @property
    def fault(self) -> str:
        """Why it is no answer, where it is none."""
        return self.error or ("neither a reply nor an error" if self.response is None else "the answer was broken off")


class Grade(Struct, frozen=True, omit_defaults=True, gc=False):
    """One response's verdict, what it matched, and the rule that decided."""

    question_id: str
    question_type: QuestionType
    verdict: Verdict
    matched: tuple[str, ...]
    """URIs of the right answers that the response names."""
    true_positives: int
    false_positives: int
    false_negatives: int
    rule: str
    rank: int = 0
    """For a ranked question: the place of the right answer among the choices, 1 for the likeliest; else 0."""
    answer: str = ""
    """The words of the reply that were taken for the answer, as it has them; empty where none were."""
    why: str = ""
    """What the rule saw, in a few words, for people to read."""
    ending: Ending = ""
    """`cut`, `filtered` or `refused` where the reply did not end by itself."""
    prompts_hash: str = ""
    """Of the prompts that were answered, as in the response: a question that is worded anew has no grade yet."""
    option: int = 0
    """For a question with options: the number of the one that is chosen, from 1; 0 where none is, or none alone."""
    planted: bool = False
    """Whether an incorrect reply gives the wrong answer that the passage before the question states."""
    probability: float | None = None
    """How probable it is that a careful reader calls the response correct, from 0 to 1; None where no model says."""


class AnswerGrade(Struct, frozen=True, omit_defaults=True, gc=False):
    """The grade of one reply of `step=grade`, by the id that its input gives it."""

    id: str
    verdict: Verdict
    rule: str
    matched: tuple[str, ...]
    """The right answers that the reply names."""
    answer: str
    """The words of the reply that were taken for the answer, as it has them; empty where none were."""
    why: str
    """What the rule saw, in a few words."""
    system: str = ""
    """Who replied, where the input tells."""
    human: str = ""
    """What people say of the reply, where the input tells."""
    probability: float | None = None
    """How probable it is that a careful reader calls the reply correct, from 0 to 1; None where no model says."""


class Score(Struct, frozen=True, kw_only=True):
    """One row of the score table.

    The columns of counts are followed by those of the metrics that have always been there, named here for whoever
    reads rows; any other registered metric has its own behind them, in a subclass that `metrics.scores` makes. They are
    None where nothing was counted; `_low` and `_high` are the ends of 95 % intervals that take the questions about one
    subject entity as alike. What each is, its range and direction: `factprobe.metrics`.
    """

    level: str
    """What the row sums over: `cell` is one relation and question type; then `relation`, `question_type`,
    `relation_type`, `popularity`, `answer_set_size` and `total`."""
    average: Literal["micro", "macro"]
    """Micro counts every question alike, macro every relation."""
    kg: str
    generator: str
    model: str
    relation: str
    relation_label: str
    relation_type: str
    question_type: str
    popularity: str
    """Of the subject entity in the graph: `head`, `torso` or `tail`."""
    answer_set_size: str
    """How many right answers a question has whose answer is written: `1`, `2`, `3-5`, `6-10`, `11+`."""
    questions: int
    """Those that have a grade, the failed ones included."""
    correct: int
    incorrect: int
    abstained: int
    unparsed: int
    failed: int
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    precision: float | None
    precision_low: float | None
    precision_high: float | None
    recall: float | None
    recall_low: float | None
    recall_high: float | None
    f1: float | None
    f1_low: float | None
    f1_high: float | None
    guess_corrected_accuracy: float | None
    guess_corrected_accuracy_low: float | None
    guess_corrected_accuracy_high: float | None
    guess_corrected_precision: float | None
    guess_corrected_precision_low: float | None
    guess_corrected_precision_high: float | None
    exact_set_accuracy: float | None
    exact_set_accuracy_low: float | None
    exact_set_accuracy_high: float | None
    set_precision: float | None
    set_precision_low: float | None
    set_precision_high: float | None
    set_recall: float | None
    set_recall_low: float | None
    set_recall_high: float | None
    set_f1: float | None
    set_f1_low: float | None
    set_f1_high: float | None
    mrr: float | None
    mrr_low: float | None
    mrr_high: float | None
    precision_at_5: float | None
    precision_at_5_low: float | None
    precision_at_5_high: float | None
    precision_at_10: float | None
    precision_at_10_low: float | None
    precision_at_10_high: float | None
    coverage: float | None
    coverage_low: float | None
    coverage_high: float | None
    abstention_rate: float | None
    abstention_rate_low: float | None
    abstention_rate_high: float | None
    invalid_rate: float | None
    invalid_rate_low: float | None
    invalid_rate_high: float | None
