"""Rules for answers in words, one or several. The docstring of a rule completes "The reply …"."""

from __future__ import annotations

from factprobe.evaluators.entities.attempt import AttemptReading
from factprobe.evaluators.rules.base import Judgment, Rule, rule
from factprobe.records import Question


def rules_of(prefix: str, *, wrong: int) -> tuple[Rule, ...]:
    """Return the rules for replies that only decline, attempt no answer, or give an outdated answer.

    Args:
        prefix: Prefix of the rule ids.
        wrong: Number of wrong answers to count for a reply that attempts no answer.
    """

    @rule(f"{prefix}.declines", "abstained", when=lambda reading: not reading.is_attempt)
    def declines(reading: AttemptReading, _: Question) -> Judgment | None:
        """Declines, and attempts no answer."""
        return Judgment("abstained", answer=reading.excerpt, why="declines") if reading.declines else None

    @rule(f"{prefix}.no_answer", "unparsed", when=lambda reading: not reading.is_attempt)
    def gives_no_answer(_: AttemptReading, __: Question) -> Judgment | None:
        """Attempts no answer: repeats the question, asks back, or only talks."""
        return Judgment("unparsed", wrong=wrong, why="repeats the question, asks back or only talks")

    @rule(f"{prefix}.outdated", "incorrect")
    def names_outdated(reading: AttemptReading, question: Question) -> Judgment | None:
        """Commits to answers that are right at another time than that of the question."""
        uris = {answer.uri for answer in question.outdated}
        old = [mention for mention in reading.affirmed if mention.uris & uris] if uris else []
        answer = reading.words(old)
        why = f"gives {answer}, right at another time"
        return Judgment("incorrect", wrong=reading.wrong, answer=answer, why=why) if old else None

    return declines, gives_no_answer, names_outdated
