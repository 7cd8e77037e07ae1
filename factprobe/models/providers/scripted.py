"""Model that answers by rule, for tests and dry runs."""

from __future__ import annotations

import hashlib
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from factprobe.models.base import Model, ModelSettings, Reply, SameAnswers
from factprobe.records import Question, Request, Usage
from factprobe.text import normalise

Rule = Literal["gold", "wrong", "abstain", "planted", "mixed"]
_ABSTENTION = "I don't know."


class ScriptedSettings(ModelSettings, frozen=True, kw_only=True):
    """Settings of answers by rule."""

    rule: Rule = "mixed"
    """`gold` gives the right answer, or declines if the subject is made up; `wrong` gives a wrong answer; `abstain`
    declines; `planted` gives the wrong answer that the passage before a question states, if any; `mixed` does one of
    the first three, chosen by the question's id."""
    max_concurrency: SameAnswers[Annotated[int, Meta(ge=1)]] = 64


class Scripted(Model):
    """Model that answers questions by rule, and any other request with "I don't know."."""

    settings_type: ClassVar[type[ModelSettings]] = ScriptedSettings
    cached: ClassVar[bool] = False

    async def reply(self, request: Request) -> Reply:
        """Answer a question by rule."""
        text = _by_rule(self.settings.rule, request) if isinstance(request, Question) else _ABSTENTION
        prompt_words = sum(len(message.content.split()) for message in request.prompts)
        return Reply(text, "stop", Usage(prompt_words, len(text.split())))


def _by_rule(rule: Rule, question: Question) -> str:
    if rule == "mixed":
        share = hashlib.blake2b(question.question_id.encode(), digest_size=1).digest()[0] / 256
        rule = "gold" if share < 0.6 else "wrong" if share < 0.85 else "abstain"
    if rule == "abstain" or (rule == "gold" and question.given == "made_up"):
        return _ABSTENTION
    if rule == "planted":
        planted = None if question.context is None else question.context.planted
        if planted is not None and not isinstance(question.answers, str):
            return planted.label
        rule = "gold" if planted is None else "wrong"
    if isinstance(question.answers, str):
        other = "incorrect" if question.answers == "correct" else "correct"
        return question.answers if rule == "gold" else other
    if rule == "gold":  # of several answers with one name, any may be asked for
        answers = question.answers[:1] if question.question_type == "single_answer" else question.answers
        return "\n".join(answer.label for answer in answers)
    right = {normalise(name) for answer in question.answers for name in answer.names()}
    return next((choice for choice in question.choices if normalise(choice) not in right), "Nowhereland")
