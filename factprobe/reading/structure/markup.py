"""Removal of markup from right answers and replies alike, so that they can be compared."""

from __future__ import annotations

import html
import re

from msgspec.structs import replace

from factprobe.reading.answer_leak import own_text
from factprobe.reading.names.index import answers_of
from factprobe.reading.structure.cleaning import clean, final_line
from factprobe.reading.structure.latex import SUBSCRIPT, unboxed, without_latex
from factprobe.reading.tokenisation.tokens import Words, common_keys
from factprobe.reading.values.value_parsing import value_of
from factprobe.records import Answer, Question

_ITEM = re.compile(r"\(?\d{1,2}[.)]\s+([^\d\n]+)")
"""Pattern of the only item of a numbered list, without another number."""
_TABLE = re.compile(
    r"^(?P<head>[^\n|]*\|[^\n]*)\n[ \t]*\|?[ \t]*:?-+:?[ \t]*\|[-|: \t]*\n(?P<rows>(?:[^\n]*\|[^\n]*(?:\n|\Z))+)",
    re.MULTILINE,
)
"""Pattern of a Markdown table with a header row."""
_MARKUP_SIGNS = ("\\", "$", "&", "{", "####")
"""Strings of which a right answer with markup contains at least one."""
_FORMULA = re.compile(r"\s*\$.+\$\s*", re.DOTALL)


def with_plain_names(question: Question) -> Question:
    """Return the question without markup in its right answers and options; unchanged if they have none."""
    answers, choices = answers_of(question), question.choices
    if isinstance(question.answers, str) and not choices:
        return question
    names = "\n".join([*choices, *[name for answer in answers for name in (answer.label, *answer.aliases)]])
    if not any([sign in names for sign in _MARKUP_SIGNS]):  # noqa: C419  # a list takes half the time
        return question
    plain = tuple(
        Answer(answer.uri, plain_name(answer.label), tuple(map(plain_name, answer.aliases))) for answer in answers
    )
    return replace(question, answers=plain or question.answers, choices=tuple(map(plain_name, choices)))


def plain_name(name: str) -> str:
    """Return a right answer without LaTeX, and without the calculation before a final line marked with `####`.

    It is unchanged if nothing would be left.
    """
    text = final_line(name)
    if "\\" in text or "{" in text or _FORMULA.fullmatch(text):
        text = without_latex(unboxed(text))
    return (html.unescape(text) if "&" in text else text).strip() or name


def cleaned(reply: str, question: Question) -> str:
    """Return the answer in a reply, without markup and lead-in; a reply that equals a right answer is unchanged.

    Args:
        reply: Original reply.
        question: Question whose right answers have no markup.
    """
    plain = clean(reply)
    answers = () if question.choices or "|" not in plain else answers_of(question)
    asked = frozenset(Words(own_text(question)).keys) if answers else frozenset()
    if answers and not any(asked.issuperset(Words(name).keys) for answer in answers for name in answer.names()):
        plain = _with_asked_cells(plain, asked, keeps_rows=question.question_type == "multiple_answer")
    if not question.choices and (item := _ITEM.fullmatch(plain)) and value_of(plain) is None:  # 14. Juli
        plain = item[1]
    if plain == reply and "_" not in plain:
        return plain
    names = [name for answer in answers_of(question) for name in answer.names()]
    if "_" in plain and names and not any("_" in name for name in (*names, *question.choices)):  # but NM_5 is a code
        plain = SUBSCRIPT.sub("", plain)
    if (bare := reply.strip()) in names or (bare := plain.rstrip(".!")) in names:
        return bare
    return plain


def _with_asked_cells(text: str, asked: frozenset[str], *, keeps_rows: bool) -> str:
    """Keep of Markdown tables that repeat the question the other columns, a row a line; those that it names, if any."""
    content = asked - common_keys()

    def asked_cells(match: re.Match[str]) -> str:
        lines = match["head"], *match["rows"].strip().split("\n")
        head, *rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
        keys = [[frozenset(Words(cell).keys) for cell in row] for row in rows]
        is_asked = [[cell <= asked and bool(cell & content) for cell in row] for row in keys]
        if not any(map(any, is_asked)):
            return match[0]
        columns = [i for i in range(len(head)) if not any(True in row[i : i + 1] for row in is_asked)]
        columns = [i for i in columns if not content.isdisjoint(Words(head[i]).keys)] or columns
        kept = [row for row, cells in zip(rows, is_asked, strict=True) if keeps_rows or any(cells)]
        return "\n".join(", ".join(row[i] for i in columns if i < len(row)) for row in kept) + "\n"

    return _TABLE.sub(asked_cells, text).strip()
