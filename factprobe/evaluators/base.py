"""What an evaluator is, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from msgspec import Struct

from factprobe.evaluators.mentions import EntityIndex
from factprobe.evaluators.reading import clean
from factprobe.records import Grade, Question, Response, Verdict
from factprobe.registry import Registry

LONGEST = 40_000
"""Characters of a cleaned reply that are judged: some models never end, and the time to read them would not either."""


class Judgment(Struct, frozen=True, gc=False):
    """A verdict, the rule that decided it, the right answers that were named and how many wrong ones."""

    verdict: Verdict
    rule: str
    matched: tuple[str, ...] = ()
    wrong: int = 0


class EvaluatorSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `settings` of a `conf/evaluator/<name>.yaml` may set; a subclass has more."""


class Evaluator(ABC):
    """Grades the responses to the questions of one relation.

    Args:
        index: the relation's entities; what the graph knows tells a wrong answer from a part of a name.
        settings: of the subclass's `settings_type`; by default its defaults.
    """

    settings_type: ClassVar[type[EvaluatorSettings]] = EvaluatorSettings

    def __init__(self, index: EntityIndex, settings: EvaluatorSettings | None = None) -> None:
        self.index = index
        self.settings = settings if settings is not None else self.settings_type()

    def grade(self, question: Question, response: Response) -> Grade:
        """The grade of one response."""
        if response.error is not None or response.response is None:
            return graded(question, Judgment("failed", "no_response"))
        reply = _readable(clean(response.response))
        return graded(question, self.judge(question, reply) if reply else Judgment("unparsed", "empty"))

    @abstractmethod
    def judge(self, question: Question, reply: str) -> Judgment:
        """The judgment on a cleaned reply that is not empty."""


def _readable(reply: str) -> str:
    """The beginning and the end of a reply that is longer than anyone reads."""
    half = LONGEST // 2
    return reply if len(reply) <= LONGEST else f"{reply[:half]}\n…\n{reply[-half:]}"


def graded(question: Question, judgment: Judgment) -> Grade:
    """The grade that a judgment is on a question."""
    right = 1 if isinstance(question.answers, str) else len(question.answers)
    hits = int(judgment.verdict == "correct") if isinstance(question.answers, str) else len(judgment.matched)
    missed = 0 if judgment.verdict == "failed" else right - hits
    return Grade(
        question.question_id,
        question.question_type,
        judgment.verdict,
        judgment.matched,
        hits,
        judgment.wrong,
        missed,
        judgment.rule,
    )


evaluators: Registry[Evaluator] = Registry(
    "evaluators",
    "evaluator",
    {
        "binary_answer": "factprobe.evaluators.binary:BinaryEvaluator",
        "multi_choices": "factprobe.evaluators.choices:ChoicesEvaluator",
        "single_answer": "factprobe.evaluators.short:SingleEvaluator",
        "llm_facteval_binary": "factprobe.evaluators.llm_facteval:FactevalBinary",
        "llm_facteval_choices": "factprobe.evaluators.llm_facteval:FactevalChoices",
        "llm_facteval_short": "factprobe.evaluators.llm_facteval:FactevalShort",
        "multiple_answer": "factprobe.evaluators.lists:MultipleEvaluator",
    },
)
