"""Items of a reply that its structure chooses, by marks, shares, or rows about the question's entity."""

from __future__ import annotations

import re

from factprobe.question_types import kind_or_plain
from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.structure.cleaning import HEAD
from factprobe.reading.structure.fields import REASON_KEYS, likeliest, true_answers
from factprobe.records import Question
from factprobe.text import normalise

_YES, _NO = (sorted(vocabulary(name)) for name in ("option_right", "option_wrong"))
_SIGN = re.compile(r"\s*(?:(\[[xX✓✔]\]|[✓✔✅☑👍])|\[[ _]?\]|[☐⬜□✗✘❌✖👎❎])\ufe0f?")
"""Pattern of a box or sign that chooses or rejects an item."""
_SIGN_BEFORE = re.compile(
    rf"(?:^[ \t]*[-*+•])?({_SIGN.pattern})[ \t]*([^\n\[☐☑⬜□✓✔✅✗✘❌✖]*[^\s\[☐☑⬜□✓✔✅✗✘❌✖])", re.MULTILINE
)
_ITEM = re.compile(
    rf"\s*([^\n:=]{{1,80}}?)\s*(?:[:=(–]|\s-\s)\s*"
    rf"(?:(\d+(?:\.\d+)?)\s*%?|({'|'.join(_YES)})|(?:{'|'.join(_NO)}))\s*\)?\s*(?:[,;.\n]+|$)",
    re.IGNORECASE,
)
"""Item of a list with its share, or with a word that calls it right or wrong."""
_ANY_MARK = re.compile(r"[^\w\s.,!?'\"]")  # any sign, item or cell has one
_ROW_END, _CELL_END = re.compile(r"[\n;]"), re.compile(r"[|=:→⇒⟶]|[-=]>")


def chosen_part(text: str, question: Question) -> str:
    """Return the part of a cleaned reply that its structure chooses, or else the whole text."""
    if not _ANY_MARK.search(text):
        return text
    is_in_words = not (question.choices or isinstance(question.answers, str))
    is_share = kind_or_plain(question.question_type).is_set or (
        is_in_words and any(map(str.isdigit, "".join(answer.label for answer in answers_of(question))))
    )
    part = _answer_of_items(text, 1 if is_in_words else 2, is_share=is_share)
    if part != text or not _CELL_END.search(text):
        return part
    asked = question.bare or (question.statement.text if question.statement else "")
    return _answer_of_row(text, f" {normalise(asked)} " if is_in_words else "")


def _answer_of_items(text: str, fewest: int, *, is_share: bool) -> str:
    """Return the chosen or likeliest items of a text that begins with a list of items with marks or shares.

    Args:
        text: Reply without wrapping.
        fewest: Minimum number of items with marks.
        is_share: True if a number beside an item may belong to the answer.
    """
    plain, first = text, _SIGN.search(text)
    if first and not any(map(str.isalnum, text[: first.start()])):
        plain = _SIGN_BEFORE.sub(r"\3\1", text)
    plain = _SIGN.sub(lambda sign: f": {(_YES if sign[1] else _NO)[0]}.", plain) if first else text
    items, at = list[re.Match[str]](), 0
    while at < len(plain) and (item := _ITEM.match(plain, at)):
        items.append(item)
        at = item.end()
    if len(items) < (fewest if first else 2) or (at < len(plain) and plain[at - 1] != "\n"):
        return text
    shares = {item[1]: float(item[2]) for item in items if item[2]}
    if shares:
        return text if is_share else likeliest(shares) or text
    return "\n".join([*true_answers({item[1]: bool(item[3]) for item in items}), plain[at:]]).strip()


def _answer_of_row(text: str, asked: str) -> str:
    """Return the cells after the label in the question, or of the only row that is no explanation, or the text."""
    lines = [line for line in _ROW_END.split(HEAD.sub("", text)) if line.strip()]
    rows = [[cell.strip() for cell in _CELL_END.split(line) if cell.strip()] for line in lines]
    if not all(len(row) > 1 for row in rows) or (len(rows) == 1 and ":" in text):
        return text
    told = [row[1:] for row in rows if row[0].lower() not in REASON_KEYS]
    if len(told) == 1 < len(rows):
        return " ".join(told[0])
    own = [row[i + 1 :] for row in rows for i, cell in enumerate(row[:-1]) if f" {normalise(cell)} " in asked]
    return "; ".join(own[0]) if len(own) == 1 else text
