"""Responses, grades and scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, get_args

from msgspec import Meta, Struct

from factprobe.endings import Ending, ending_of
from factprobe.question_types import QuestionType

Verdict = Literal["correct", "incorrect", "abstained", "unparsed", "failed"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

Side = Literal["correct", "incorrect"]
"""Truth of a true/false statement: `correct` if it is true, `incorrect` if it is false."""

SIDES: dict[str, Side] = {
    **dict.fromkeys(("correct", "true", "yes", "right", "pass", "1", "t", "y"), "correct"),
    **dict.fromkeys(("incorrect", "false", "no", "wrong", "fail", "0", "f", "n"), "incorrect"),
}
"""Words for true and false in input files, with the truth value that they stand for."""

Tokens = Annotated[int, Meta(ge=0, le=2**53)]
"""Token count, limited to integers that JSON readers represent exactly."""
LogProbability = Annotated[float, Meta(le=0.01)]
"""Natural logarithm of a probability; slightly above 0 is allowed, since half precision rounds 1 up."""


class Usage(Struct, frozen=True, gc=False):
    """Number of tokens that a response took."""

    prompt_tokens: Tokens
    completion_tokens: Tokens


class Response(Struct, frozen=True, omit_defaults=True, gc=False):
    """Unchanged response of a model to one request, or the error that occurred."""

    question_id: str
    response: str | None
    finish_reason: str | None
    usage: Usage | None
    error: str | None
    prompts_hash: str = ""
    """Hash of the prompts; if it differs from that of the question now, the wording has changed since."""
    settings_hash: str = ""
    """Hash of the model's settings that change its answers."""
    scores: tuple[float, ...] = ()
    """For a ranked question: log-likelihood (natural logarithm) of each choice, in the order of the choices."""
    logprobs: tuple[float, ...] = ()
    """Log-probability (natural logarithm) of each token of the response, if requested."""
    confidence: float | None = None
    """Confidence of the model in its response, verbalised or a share of samples, in [0, 1]; None if unknown. Input on
    another scale is not used."""

    @property
    def failed(self) -> bool:
        """True if there is no complete reply, but an error, no text, or a reply that was broken off."""
        return self.error is not None or self.response is None or ending_of(self.finish_reason) == "broken"

    @property
    def fault(self) -> str:
        """Reason why there is no complete reply."""
        return self.error or ("neither a reply nor an error" if self.response is None else "the answer was broken off")


class Grade(Struct, frozen=True, omit_defaults=True, gc=False):
    """Verdict on one response, with the answers it matches and the rule that decided."""

    question_id: str
    question_type: QuestionType
    verdict: Verdict
    matched: tuple[str, ...]
    """URIs of the right answers that the response names."""
    true_positives: int
    """Number of right answers that the response gives."""
    false_positives: int
    """Number of wrong answers that the response gives."""
    false_negatives: int
    """Number of right answers that the response lacks."""
    rule: str
    rank: int = 0
    """For a ranked question: rank of the right answer among the choices, 1 for the likeliest; otherwise 0."""
    answer: str = ""
    """Words of the reply that were taken as the answer; empty without any."""
    why: str = ""
    """Explanation of the rule, in a few words."""
    ending: Ending = ""
    """`cut`, `filtered` or `refused` if the reply did not end normally; otherwise empty."""
    prompts_hash: str = ""
    """Hash of the prompts that were answered; if the question has other prompts now, the grade is outdated."""
    option: int = 0
    """For a question with options: number of the chosen option, from 1; 0 if none or several are chosen."""
    planted: bool = False
    """True if the reply gives the planted answer, the wrong one that the passage states."""
    probability: float | None = None
    """Probability that a careful reader calls the response correct, in [0, 1]; None if no model estimates it."""
    confidence: float | None = None
    """Confidence of the model in its response, in [0, 1]; None if unknown."""


class AnswerGrade(Struct, frozen=True, omit_defaults=True, gc=False):
    """Grade of one reply in `step=grade`."""

    id: str
    verdict: Verdict
    rule: str
    matched: tuple[str, ...]
    """Right answers that the reply names."""
    answer: str
    """Words of the reply that were taken as the answer; empty without any."""
    why: str
    """Explanation of the rule, in a few words."""
    system: str = ""
    """System that gave the reply, if the input names it."""
    human: str = ""
    """Human verdict on the reply, if the input has one."""
    probability: float | None = None
    """Probability that a careful reader calls the reply correct, in [0, 1]; None if no model estimates it."""


class Score(Struct, frozen=True, kw_only=True):
    """Row of the score table.

    In a subclass that `metrics.score_table` creates, the columns of all registered metrics follow. A metric is None if
    nothing was counted. Columns in `_low` and `_high` are the ends of its 95 % interval, clustered by subject entity.
    """

    level: str
    """Level of the row: `cell` (one relation and question type), `relation`, `question_type`, `relation_type`,
    `popularity`, `answer_set_size` or `total`."""
    average: Literal["micro", "macro"]
    """`micro` weighs all questions alike, `macro` all relations."""
    kg: str
    generator: str
    model: str
    relation: str
    relation_label: str
    relation_type: str
    question_type: str
    popularity: str
    """Popularity of the subject entity in the graph: `head`, `torso` or `tail`."""
    answer_set_size: str
    """Number of right answers, for questions with a written answer: `1`, `2`, `3-5`, `6-10`, `11+`."""
    questions: int
    """Number of questions with a grade, failed ones included."""
    correct: int
    incorrect: int
    abstained: int
    unparsed: int
    failed: int
    labels: int = 0
    """Number of replies with a human label."""

    if TYPE_CHECKING:

        def __getattr__(self, column: str) -> float | None: ...
