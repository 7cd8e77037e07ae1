"""A reply to a statement behind a passage, without what it says of the passage: that this is wrong is no verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factprobe.evaluators.true_false.labels import EITHER, Said, said_in
from factprobe.reading.language import phrases
from factprobe.text import normalise


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_NOUN = rf"\b(?:{phrases('passage_noun')})\b"
_PASSAGE = rf"\b(?:{phrases('passage_the')})\s+(?:\w+\s+){{0,2}}?{_NOUN}"
_OPENING = rf"\W*(?:(?:{phrases('passage_opening')})\b\W*)*"
_SUBJECT = _compiled(
    rf"{_OPENING}(?P<subject>(?:(?:\w+\s+){{1,5}}?(?:{phrases('passage_in')})\s+)?(?P<passage>{_PASSAGE})"
    rf"(?:['’]s(?:\s+\w+){{1,3}}?)?(?:\s+(?:{phrases('passage_behind')}))?)(?=\W|$)"
)
"""The passage, or something in it, at the beginning of a clause."""
_JUDGED = _compiled(rf"\s+(?:(?:{phrases('passage_verb')})\b)")
_WRONGLY = _compiled(rf"\s+(?:\w+\s+)?(?:{phrases('passage_wrongly')})\b")
_THAT = _compiled(rf"\b(?:{phrases('passage_that')})\b")
_STATEMENT = _compiled(rf"\b(?:{phrases('passage_statement')})\b")
_WHICH = _compiled(rf"\W*(?:{phrases('passage_which')})\b")
_IT = _compiled(rf"\W*(?:{phrases('passage_it')})\b")
_OPPOSES = _compiled(rf"\W*(?:{phrases('passage_opposes')})\b")
_ADJECTIVE = _compiled(rf"\b(?:{EITHER})\s+(?={_NOUN})")
_FAULT_IN = _compiled(rf"\b(?:{phrases('passage_fault')})\s+in\s+(?={_PASSAGE})")
_SENTENCE = re.compile(r"(?:[^.!?;:\n…]|[.!?;:](?!\s|$|[\"'”’)*]))+")
_CLAUSE = _compiled(rf",\s|\s[-–—]+\s|—|\(|\s(?=(?:{phrases('passage_cuts')})\s)")


def without_passage(text: str, names: str) -> str:
    """A text without what it judges of the passage, whose name stays in its place: something was said before the rest.

    Args:
        text: the reply.
        names: the same with letters for the signs in names, so that they part nothing.
    """
    cut = [(start, end, text[at:stop]) for start, end, at, stop in _judged(names)]
    for start, end, passage in reversed(cut):
        text = f"{text[:start]}{passage}{text[end:]}"
    return _FAULT_IN.sub("", _ADJECTIVE.sub("", text))


def _judged(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Where something is said of the passage: from where to where, and the words for the passage, which may be none."""
    for sentence in _SENTENCE.finditer(text):
        told: re.Match[str] | None = None
        """The clause before, which tells what the passage says."""
        at = 0
        for start, end in _clauses(text, *sentence.span()):
            clause = text[start:end]
            subject = _SUBJECT.match(clause)
            if _STATEMENT.search(clause):
                told = None
            elif subject:
                told = subject
                at = start
                if _is_judgment(clause, subject.end()):
                    yield at + subject.start("subject"), end, *_passage(subject, at)
                    told = None
            elif told is not None and (sides := _said_of_told(clause, told.string).sides):
                is_aside = told.end() == len(told.string)  # the passage, which is wrong, says
                if "incorrect" in sides:
                    yield at + told.start("subject"), sentence.end() if is_aside else end, *_passage(told, at)
                else:
                    yield start, end, start, start
                if is_aside:
                    break
                told = None


def _passage(subject: re.Match[str], at: int) -> tuple[int, int]:
    return at + subject.start("passage"), at + subject.end("passage")


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for mark in _CLAUSE.finditer(text, start, end):
        yield start, mark.start()
        start = mark.end() if mark[0].strip() else mark.start()
    yield start, end


def _is_judgment(clause: str, behind: int) -> bool:
    """Whether a clause about the passage judges it.

    Args:
        clause: the passage is its subject.
        behind: where the words for the passage end.
    """
    if _WRONGLY.match(clause, behind):
        return True
    if not _JUDGED.match(clause, behind):
        return False
    that = _THAT.search(clause, behind)
    return bool(said_in(normalise(clause[behind : that.start() if that else len(clause)]), frozenset()).sides)


def _said_of_told(clause: str, told: str) -> Said:
    """What a clause says of what the passage tells in the clause before it."""
    takes_up = _WHICH.match(clause) or (_OPPOSES.match(told) and _IT.match(clause))
    return said_in(normalise(clause), frozenset()) if takes_up else Said()
