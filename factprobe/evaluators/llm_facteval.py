"""Grading by the rules of LLM-facteval, with their flaws, so that results can be compared with published ones.

The rules follow the description of its three evaluation scripts. A reply is right if it contains a right name or a
right name contains it, even within a word; one of several right names is enough. A phrase of abstention counts
anywhere. One oddity is left out: if aliases count, the scripts use those of the object even if the subject is asked
for. For precision, recall and F1, LLM-facteval counts `unparsed` replies (its "irrelevant") as incorrect.

Source: Luo et al., "Systematic Assessment of Factual Knowledge in Large Language Models", Findings of EMNLP 2023.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from functools import cache
from string import punctuation
from typing import Annotated, ClassVar

from msgspec import Meta

from factprobe.config import path_of
from factprobe.errors import ConfigError
from factprobe.evaluators.base import Evaluator, EvaluatorSettings, graded
from factprobe.evaluators.rules.base import Judgment
from factprobe.evaluators.rules.shared import no_response
from factprobe.reading.abstention import refusals_in
from factprobe.reading.names.index import answers_of, asks_object
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.records import Answer, Grade, Question, Response

log = logging.getLogger(__name__)
_PUNCTUATION = str.maketrans("", "", punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_SPLITS = (
    # What NLTK's word_tokenize puts spaces around, sentence by sentence: the full stop that ends one, and all else.
    (re.compile(r"""(?<!\.)\.(?=[]\s)";}*:@'({\[!?«»“”‘’]|>*\Z)"""), " . "),
    (re.compile(r"([:,])(\D|\Z)"), r" \1 \2"),
    (re.compile(r"--|''|\.\.+|[;@#$%&?!*\[\](){}<>\"`«»“”‘’„‒–—―]"), r" \g<0> "),
    (re.compile(r"(?<!\w)'(?!(?:re|ve|ll|[mtsdn])\b)(?=\w)|(?<=[^'\s])(?:'(?:[smd]|ll|re|ve)?|n't)(?!\S)"), r" \g<0> "),
)
_CHOICE_RULES = ("facteval_no_choice", "facteval_choice", "facteval_several_choices")
_MENU = re.compile(r"choices:\s*(.*?)(?:\n\s*\n|\Z)", re.DOTALL | re.IGNORECASE)


class FactevalSettings(EvaluatorSettings, frozen=True, kw_only=True):
    """Settings of LLM-facteval's rules."""

    phrases: str | None = None
    """File with LLM-facteval's phrases of abstention, one a line; by default, factprobe's own are used."""
    aliases: bool = False
    """Count aliases of the object too, as LLM-facteval does for Google-RE, UMLS, CTD and wiki-bio, not T-REx."""
    delimiter: Annotated[str, Meta(min_length=1)] = ","
    """Separator of the choices in a prompt with a paragraph "Choices:"; LLM-facteval has "," for ChatGPT, else "-"."""


class _Facteval(Evaluator):
    """Base class of LLM-facteval's evaluators, which read the unchanged reply and look for abstention first."""

    settings_type: ClassVar[type[EvaluatorSettings]] = FactevalSettings
    settings: FactevalSettings

    def grade(self, question: Question, response: Response) -> Grade:
        """Return the grade of a response, from its text as the model wrote it."""
        if response.failed or response.response is None:
            return graded(question, response, Judgment("failed", no_response.name))
        return graded(question, response, self.judge(question, response.response))

    def judge(self, question: Question, reply: str) -> Judgment:
        """Return the judgment on a reply as the model wrote it."""
        if _abstains(reply, self.settings.phrases):
            return Judgment("abstained", "facteval_abstention")
        return self.compare(question, reply)

    def compare(self, question: Question, reply: str) -> Judgment:
        """Return the judgment on a reply that does not decline."""
        raise NotImplementedError


class FactevalShort(_Facteval):
    """Evaluator of answers in words: right if the reply contains the name of a right answer, or the reverse."""

    def compare(self, question: Question, reply: str) -> Judgment:
        """Return the judgment by the names of the right answers in the reply."""
        reply_text = _bare(reply)
        with_aliases = self.settings.aliases and asks_object(question)
        matched = [
            a.uri for a in answers_of(question) if _matches(reply_text, a.names() if with_aliases else _label(a))
        ]
        if matched:
            return Judgment("correct", "facteval_substring", tuple(sorted(matched)))
        return Judgment("incorrect", "facteval_no_match", wrong=1)


class FactevalBinary(_Facteval):
    """Evaluator of true/false by the word "correct" in the reply or, without it, the word "incorrect"."""

    def compare(self, question: Question, reply: str) -> Judgment:
        """Return the judgment by the label in the reply."""
        words = _tokens(reply.strip().lower())
        side = next((label for label in ("correct", "incorrect") if label in words), None)
        if side is None:
            return Judgment("unparsed", "facteval_irrelevant", wrong=1)
        right = side == question.answers
        return Judgment("correct" if right else "incorrect", "facteval_label", wrong=int(not right))


class FactevalChoices(_Facteval):
    """Evaluator of multiple choice: right if the reply contains the text of the right option and of no other."""

    def compare(self, question: Question, reply: str) -> Judgment:
        """Return the judgment by the options whose texts are in the reply."""
        reply_text = _bare(reply)
        named = sum(_bare(choice) in reply_text for choice in self._choices(question))
        matched = tuple(answer.uri for answer in answers_of(question) if _bare(answer.label) in reply_text)
        if matched and named == 1:
            return Judgment("correct", "facteval_choice", matched)
        return Judgment("incorrect", _CHOICE_RULES[min(named, 2)], wrong=1)

    def _choices(self, question: Question) -> Iterable[str]:
        menu = _MENU.search(question.prompts[-1].content) if question.prompts else None
        if menu is None:
            return question.choices
        return [choice for choice in menu[1].split(self.settings.delimiter) if choice.strip()]


def _label(answer: Answer) -> tuple[str, ...]:
    return (answer.label,)


def _matches(reply_text: str, names: Iterable[str]) -> bool:
    """Return whether a name contains the reply or the reverse; an empty reply matches only an empty name."""
    bare = [_bare(name) for name in names]
    return any(name in reply_text or reply_text in name for name in bare if name) if reply_text else "" in bare


def _bare(text: str) -> str:
    """Return the first line with text, in lower case, without ASCII punctuation and articles."""
    line = text.strip().split("\n", 1)[0].lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", line).split())


def _tokens(text: str) -> list[str]:
    """Return the words of a text, split as NLTK 3.10 does where this affects `correct` and `incorrect`."""
    for pattern, apart in _SPLITS:
        text = pattern.sub(apart, text)
    return text.split()


def _abstains(reply: str, phrases: str | None) -> bool:
    if phrases is None:
        _warn_of_own_phrases()
        return bool(refusals_in(Text(reply)))
    lowered = reply.strip().lower()
    return any(phrase in lowered for phrase in _phrases(phrases))


@cache
def _warn_of_own_phrases() -> None:
    log.warning(
        "LLM-facteval's phrases of abstention do not come with factprobe, its own are used: abstentions may differ; "
        "set compat.settings.phrases= (or evaluator.settings.phrases=) to a copy of unknown_response.txt"
    )


@cache
def _phrases(path: str) -> tuple[str, ...]:
    file = path_of(path)
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        hint = "set phrases in the settings of llm_facteval to a text file with one phrase a line"
        raise ConfigError("the phrases of abstention cannot be read", where=file, hint=hint) from error
    return tuple(line.strip().lower() for line in lines if line.strip())
