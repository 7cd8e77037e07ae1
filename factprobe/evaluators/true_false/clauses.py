"""A reply to a statement in clauses, without those that only ask or that say when the statement would hold."""

from __future__ import annotations

import re
from collections.abc import Set

from factprobe.evaluators.true_false.labels import EITHER, FALSE, LABEL, NOT, WORD_OF, in_labels, said_in, side_of
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.text import normalise

BOTH = Phrases(
    rf"\b(?:{EITHER})(?: (?:{phrases('binary_or')}) | ?/ ?)(?:(?:{phrases('binary_again')}) )?"
    rf"(?:{phrases('binary_turned')})?(?:{EITHER}|{NOT})\b|"
    rf"\b(?:{phrases('binary_between')}) (?:{EITHER}) (?:{phrases('link_and')}) (?:{EITHER})\b"
)
"""Both labels, between which a reply may choose: true or false."""
_CLAUSE = re.compile(
    r"(?<![.!?\n;:])[.!?\n;:]+(?=\s|$|[\"'*)])|,\s|\s[-–—]\s|\n|\(|[—…。！？，；：]|"
    rf"\s(?=(?:{phrases('binary_cuts')})\s)"
)
_SENTENCE = re.compile(r"(?:[^.!?\n;。！？…]|[.!?;](?!\s|$|[\"'*)]))+[.!?;。！？…\n\"')]*")
_ASKED = re.compile(rf"\s*(?:{phrases('binary_asks')})\b", re.IGNORECASE)
_ANSWERS = re.compile(
    rf"^\s*\W*(?:(?P<no>{phrases('binary_answers_no')})|{phrases('binary_answers_yes')})\b", re.IGNORECASE
)
_CHOSEN = re.compile(
    rf"\b(?:{phrases('option_the')}) (?:(?P<first>{phrases('binary_first')})|{phrases('binary_second')})"
    rf"(?: (?:{phrases('binary_one')}))?(?=\W*(?:$|[.!\n]))",
    re.IGNORECASE,
)
_OF_TWO = vocabulary("binary_first", "binary_second")
_IF = Phrases(phrases("binary_if").replace("§", EITHER))
_WOULD = re.compile(phrases("binary_would"))
_NO_WAIT = re.compile(phrases("binary_no_wait"), re.IGNORECASE)
"""The no of a correction, which takes no side."""
_STOPS = frozenset(".!?")
_CUT_OFF = re.compile(rf"(?<=[^.][.!]\s)\s*(?:{phrases('binary_begins')})\s*$", re.IGNORECASE)
"""The beginning of a sentence behind others, which says nothing yet: This is."""
_JOKE = vocabulary("binary_joke")


def marked_clauses(text: str, asked: Set[str]) -> list[tuple[str, str]]:
    """The clauses of a text that may say something of the statement, each with the mark that ends it.

    Args:
        text: the reply.
        asked: the words of the question.
    """
    text = _with_label_meant(text) if asked.isdisjoint(_OF_TWO) else text  # the first of the presidents is no label
    text = text if text[-1:] in _STOPS else _CUT_OFF.sub("", text)
    text = _NO_WAIT.sub(" ", _without_conditions(_without_questions(text)))
    found, start = [], 0
    for mark in _CLAUSE.finditer(text):
        found.append((text[start : mark.start()], mark[0]))
        start = mark.end()
    return [(clause, mark) for clause, mark in [*found, (text[start:], "")] if clause.strip()]


def _with_label_meant(text: str) -> str:
    """The text with the label that its last words point at: Correct or incorrect? The latter."""
    if not any(word in text for word in _OF_TWO):
        return text
    both = BOTH.search(normalise(text))
    turned = both is not None and re.match(FALSE, both[0]) is not None
    return _CHOSEN.sub(lambda found: WORD_OF["correct" if bool(found["first"]) != turned else "incorrect"], text)


def _without_questions(text: str) -> str:
    """The text without the questions in it; one that asks for a mistake turns the yes or no behind it round."""
    if "?" not in text:
        return text
    kept: list[str] = []
    turns = False
    for found in _SENTENCE.finditer(text):
        sentence = found[0]
        clause = normalise(sentence)
        if "?" not in sentence[-4:]:
            kept.append(_turned(sentence) if turns else sentence)
            turns = False
            continue
        said = said_in(clause, frozenset())
        turns = said.sides == {"incorrect"} or not _JOKE.isdisjoint(clause.split())
        if not (said.sides or _ASKED.match(clause) or BOTH.search(clause) or turns):
            kept.append(sentence)
    rest = " ".join(kept)
    return rest if any(c.isalnum() for c in rest) or _ASKED.match(text) or BOTH.search(normalise(text)) else text


def _turned(sentence: str) -> str:
    return _ANSWERS.sub(lambda found: "correct" if found["no"] else "incorrect", sentence, count=1)


def _without_conditions(text: str) -> str:
    """The text with the side that it takes for each sentence that says when the statement would hold."""
    if not _WOULD.search(text):
        return text
    return _SENTENCE.sub(lambda found: f" {side}. " if (side := _supposed(normalise(found[0]))) else found[0], text)


def _supposed(sentence: str) -> str | None:
    """The side of a sentence that says when the statement would be right: If it said 1900, it would be correct."""
    plain = " ".join(in_labels(sentence).split())
    found = _IF.search(plain)
    if not found:
        return None
    named = max(found.start("label"), found.start("called"))
    label = LABEL.search(plain, named if named >= 0 else found.end() - 2)
    if label is None:
        return None
    return "incorrect" if side_of(label) == "correct" else "correct"
