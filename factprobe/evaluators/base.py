"""Base class and registry of evaluators."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from itertools import accumulate
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from factprobe.endings import ending_of
from factprobe.evaluators.rules.base import Judgment, Rule, first_judgment
from factprobe.evaluators.rules.shared import SILENT, denies_subject, no_response
from factprobe.question_types import get_kind_or_default
from factprobe.reading.names.index import EntityIndex
from factprobe.reading.reading_base import Reading
from factprobe.reading.structure.markup import cleaned, with_plain_names
from factprobe.records import Grade, Question, Response
from factprobe.registry import Registry

MAX_LENGTH = 40_000
"""Maximum number of characters of a reply that are judged, since some replies never end."""
_MAX_EXPANSION = 18
"""Maximum number of characters that Unicode normalisation (NFKC) makes of one character."""


class EvaluatorSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base class of the settings of an evaluator; it has no fields itself."""


class Evaluator:
    """Grader of the responses to the questions of one relation.

    A subclass defines `rules`, or overrides `judge`.

    Args:
        index: Entities of the relation by name, by which wrong answers are recognised.
        settings: Settings of type `settings_type`; by default, one with its default values.
    """

    settings_type: ClassVar[type[EvaluatorSettings]] = EvaluatorSettings
    reading_type: ClassVar[type[Reading]] = Reading
    """Class of the analysis of a reply that the rules take."""
    opening: ClassVar[tuple[Rule, ...]] = (no_response, *SILENT, denies_subject)
    """Rules that are tried first, such as those for failed and empty responses."""
    rules: ClassVar[tuple[Rule, ...]] = ()
    """Rules for replies that are not empty; the first one that gives a judgment decides."""

    def __init__(self, index: EntityIndex, settings: EvaluatorSettings | None = None) -> None:
        self.index = index
        self.settings = settings if settings is not None else self.settings_type()

    def grade(self, question: Question, response: Response) -> Grade:
        """Return the grade of a response."""
        question = with_plain_names(question)
        whole = cleaned(response.response or "", question)
        reply = _readable(whole)
        reading = self.reading_type(self.index, question, reply, response)
        judgment = first_judgment(self.opening, reading)
        if judgment is None:  # a `judge` of a subclass's own makes its own reading
            own = type(self).judge is not Evaluator.judge
            judgment = self.judge(question, reply) if own else self.decide(reading)
        if reply is not whole:
            judgment = replace(judgment, why=f"{judgment.why}; {_CUT}".removeprefix("; "))
        return graded(question, response, judgment)

    def judge(self, question: Question, reply: str) -> Judgment:
        """Return the judgment on a reply that is not empty, as `cleaned` returns it."""
        return self.decide(self.reading_type(self.index, question, reply))

    def decide(self, reading: Reading) -> Judgment:
        """Return the first judgment that a rule gives on a reply; `unparsed` if no rule gives any."""
        return first_judgment(self.rules, reading) or Judgment("unparsed", "no_rule", why="no rule bears on the reply")


_CUT = f"read: the first and the last {MAX_LENGTH // 2:,} characters"


def _readable(reply: str) -> str:
    """Return a reply, cut to its beginning and end if it is too long or would be after Unicode normalisation."""
    if len(reply) * (1 if reply.isascii() else _MAX_EXPANSION) <= MAX_LENGTH:
        return reply
    ends = [*accumulate(len(unicodedata.normalize("NFKC", character)) for character in reply)]
    half = MAX_LENGTH // 2
    if ends[-1] <= MAX_LENGTH:
        return reply
    return f"{reply[: bisect_right(ends, half)]}\n…\n{reply[bisect_right(ends, ends[-1] - half) :]}"


def graded(question: Question, response: Response, judgment: Judgment) -> Grade:
    """Return the grade for a judgment on a response."""
    if isinstance(question.answers, str):
        hits, right = int(judgment.verdict == "correct"), 1
    else:
        hits, is_set = len(judgment.matched), get_kind_or_default(question.question_type).is_set
        right = len(question.answers) if is_set else max(hits, 1)
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
        judgment.rank,
        judgment.answer,
        judgment.why,
        ending_of(response.finish_reason),
        response.prompts_hash,
        judgment.option,
        probability=judgment.probability,
    )


evaluators: Registry[Evaluator] = Registry("evaluators", "evaluator")
