"""Whether a reply says behind its label the opposite of it: incorrect, Paris is the capital of France."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import compress

from factprobe.evaluators.true_false.stated import Clause, Stated, clauses_in, form, stated
from factprobe.evaluators.true_false.telling import says, written
from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.reading.words import Text, name_words
from factprobe.records import Statement
from factprobe.text import join_initials, normalise

_BE = "|".join(in_order("telling_is"))
_VERSION = re.compile(
    rf"\b(?:{phrases('telling_version')})[\s:,]*(?:(?:{phrases('binary_head')})\W+)?"
    rf"(?:[\"“](?P<said>[^\"“”\n]*)[\"”](?!\s+(?:{_BE})\b))?",
    re.IGNORECASE,
)
"""What introduces the statement as it ought to be, with that where it is quoted."""
_INITIAL = re.compile(r"\b([A-Z]{1,3})\.(?=\s+[A-Z])")
_CITED = vocabulary("telling_cited")
_NOT = re.compile(phrases("telling_not"), re.IGNORECASE)
_IS = re.compile(rf"\s+(?P<is>{_BE})\s+(?=\w)", re.IGNORECASE)
_CONTRAST = re.compile(rf",\s+(?:(?:{phrases('link_and')})\s+)?(?:{phrases('binary_bare_not')})\s[^,.;:!?\n]*")
"""The denial of something else behind what is said."""
_STOP = re.compile(r"(?<=[.!?])[\"'”]*\s+|\n+")
_NAME = re.compile(r"\b(?:[A-Z][\w'’.-]*\w(?: [A-Z][\w'’.-]*\w)*|\d[\d.,]*\b)")
"""What may be a name or a value."""
_THE = Phrases(rf"^(?:{'|'.join(in_order('telling_the'))})\b")


def behind(reply: str, label: str, *, is_last: bool) -> str:
    """What a reply says behind its label; nothing where a colon follows, for then the label is of what it introduces.

    Args:
        reply: the cleaned reply.
        label: the clause that has the label.
        is_last: whether it is a conclusion, so that the last such clause is meant.
    """
    at = (reply.rfind if is_last else reply.find)(label) if label else -1
    rest = reply[at + len(label) :].lstrip(" \"'”*)") if at >= 0 else ""
    return "" if rest[:1] == ":" else _VERSION.sub(lambda found: f". {found['said'] or ''}. ", rest).lstrip(" .,;!\n")


def before(whole: str, answer: str) -> str:
    """The sentences of a response before the one that introduces its answer; empty where it is not found.

    Args:
        whole: the response as it came.
        answer: what is left of it when it is cleaned.
    """
    lead = whole[: max(whole.rfind(answer), 0)]
    return "".join(_STOP.split(lead)[:-1])


def affirming(statement: Stated, rest: str) -> str:
    """The clause of what stands behind a label that says what the statement says; empty where none does."""
    text = Text(_INITIAL.sub(r"\1", join_initials(_CONTRAST.sub("", rest))))
    if not {*map(form, text.words)}.issuperset(statement.words[2:]):
        return ""
    again = normalise(statement.text)
    for sentence in _STOP.split(text.source):
        if normalise(sentence) == again:
            return sentence
    ways = [statement, *_turned(statement.text)]
    return next((written(clause) for clause in _told(text) if any(says(way, clause) for way in ways)), "")


def denying(statement: Stated, rest: str) -> str:
    """The clause of what stands behind a label that denies what the statement says, without what denies."""
    if not _NOT.search(rest) or affirming(statement, rest):
        return ""
    return affirming(statement, _NOT.sub("", rest))


def putting_another(statement: Statement, rest: str) -> str:
    """The clause behind a label that says what the statement says, but for the name at one of its ends."""
    whole, words = stated(statement.text), {*map(form, Text(rest).words)}
    if affirming(whole, rest):
        return ""
    for start, end in (statement.subject, statement.object):
        shown = statement.text[start:end]
        if words.issuperset({*whole.words}.difference(map(form, name_words(shown)))):
            for sentence in _STOP.split(rest):
                if found := next((other[0] for other in _others(sentence, whole, shown)), ""):
                    return found
    return ""


def _others(sentence: str, whole: Stated, shown: str) -> Iterator[re.Match[str]]:
    """The names in a sentence that says with the shown one in their place what the statement says."""
    for other in _NAME.finditer(sentence):
        own = {*map(form, name_words(other[0]))} - _common()
        told = f"{sentence[: other.start()]}{shown}{sentence[other.end() :]}"
        if own and own.isdisjoint(whole.words) and affirming(whole, told):
            yield other


@cache
def _common() -> frozenset[str]:
    """The words with a capital that name nothing."""
    return frozenset(map(form, vocabulary("function", "subject_pronoun")))


def _told(text: Text) -> Iterator[Clause]:
    """The clauses of a text without those that cite: the original sentence is: ..."""
    for clause in clauses_in(text):
        first = clause.places[0]
        is_led = first and ":" in text.mark[first]
        lead = text.sentences[first - 1] if is_led else -1
        if not is_led or _CITED.isdisjoint(compress(text.words, map(lead.__eq__, text.sentences))):
            yield clause


def _turned(text: str) -> Iterator[Stated]:
    """What a statement says that only one thing is, with that before it: the capital of France is Paris."""
    found = _IS.search(text)
    if found:
        before, after = text[: found.start()], text[found.end() :].rstrip(" .")
        if _THE.search(before.casefold()) or _THE.search(after.casefold()):
            yield stated(f"{after} {found['is']} {before}")
