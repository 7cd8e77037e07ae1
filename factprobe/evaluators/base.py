"""What an evaluator is, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from factprobe.reading.abstention import declines, only_declines
from factprobe.reading.cleaning import clean
from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import EntityIndex
from factprobe.reading.names.tables import find
from factprobe.reading.words import Text, joined
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
    """What `settings` of an evaluator's config may set: nothing; a subclass has more."""


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

    def declines(self, normalised: str, text: Text) -> bool:
        """Whether a reply declines to answer; what stands within a name is no phrase: I Don't Know How She Does It.

        Args:
            normalised: the reply, normalised.
            text: the same reply.
        """
        return declines(normalised) and declines(_without_names(text, self.index))

    @abstractmethod
    def judge(self, question: Question, reply: str) -> Judgment:
        """The judgment on a cleaned reply that is not empty."""


def _readable(reply: str) -> str:
    """The beginning and the end of a reply that is longer than anyone reads."""
    half = LONGEST // 2
    return reply if len(reply) <= LONGEST else f"{reply[:half]}\n…\n{reply[-half:]}"


def _without_names(text: Text, index: EntityIndex) -> str:
    """The words of a text with a sign for each name of the graph, and for each run of words in capitals."""
    words = list(text.words)
    named = [(start, end) for start, end, _ in find(index.tables(), text) if _is_title(text, start, end)]
    for start, end in [*named, *_titles(text)]:
        words[start:end] = ["…"] * (end - start)
    return joined(words)


_LONG_NAME = 4
"""Words of a name that nobody writes by chance."""


def _is_title(text: Text, start: int, end: int) -> bool:
    begins = start == 0 or text.sentences[start - 1] != text.sentences[start]
    return end - start >= _LONG_NAME or (text.capital[end - 1] and (end - start > 1 or not begins))


def _titles(text: Text) -> Iterator[tuple[int, int]]:
    """The runs of words in capitals: Unknown Mortal Orchestra; where all words have capitals, they tell nothing."""
    start = 0
    for i in range(len(text) + 1) if not all(text.capital) else ():
        goes_on = i < len(text) and text.capital[i] and text.words[i] not in _OF_SPEAKER
        if not goes_on or text.mark[i]:
            if i - start > 1 and not only_declines(" ".join(text.words[start:i])):
                yield start, i
            start = i if goes_on else i + 1


_OF_SPEAKER = vocabulary("speaker")


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
        "single_answer": "factprobe.evaluators.single:SingleEvaluator",
        "llm_facteval_binary": "factprobe.evaluators.llm_facteval:FactevalBinary",
        "llm_facteval_choices": "factprobe.evaluators.llm_facteval:FactevalChoices",
        "llm_facteval_short": "factprobe.evaluators.llm_facteval:FactevalShort",
        "multiple_answer": "factprobe.evaluators.lists:MultipleEvaluator",
    },
)
