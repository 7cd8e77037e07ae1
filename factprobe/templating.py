"""The templates that put a relation in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, Self

from factprobe.errors import DataError
from factprobe.question_types import End
from factprobe.records import Relation, Statement

_SPACE_BEFORE_STOP = re.compile(r"\s+([.,;:!?])")


class Template:
    """A relation's sentence, taken apart where the subject and the object go.

    Raises:
        DataError: it does not hold the subject symbol and the object symbol once each.
    """

    def __init__(self, relation: Relation, where: str, text: str | None = None) -> None:
        text = relation.template if text is None else text
        self.relation, self.text = relation, text
        symbols = relation.subject_symbol, relation.object_symbol
        for symbol in symbols:
            if text.count(symbol) != 1:
                what = f"has the template {text!r} with {text.count(symbol)} {symbol}" if text else "has no template"
                mend = f"give it one with {' and '.join(symbols)} once each, or leave it out with relations=[...]"
                raise DataError(f"relation {relation.relation!r} {what}", where=where, mend=mend)
        self._subject_first = text.index(symbols[0]) < text.index(symbols[1])
        first, second = symbols if self._subject_first else symbols[::-1]
        before, rest = text.split(first)
        between, after = rest.split(second)
        self._before, self._between, self._after = (
            _SPACE_BEFORE_STOP.sub(r"\1", part) for part in (before, between, after)
        )

    @classmethod
    def of(cls, said: Statement) -> Self:
        """The sentence of a statement, with both its names taken out; a last name that ends in a full stop leaves the
        sentence its own."""
        found = cls.__new__(cls)
        found._subject_first = said.subject < said.object
        (start, stop), (begin, end) = sorted((said.subject, said.object))
        found._before, found._between = said.text[:start], said.text[stop:begin]
        found._after = said.text[end:] or ("." if said.text.endswith(".") else "")
        return found

    def fill(self, subject: str, object_: str, blank: End | Literal[""] = "") -> Statement:
        """The sentence about a subject and an object.

        Args:
            subject: its name, or the sign of the blank; it goes in as it is.
            object_: the same of the object.
            blank: the end that the blank stands for.

        Returns:
            The text with the spans of both; a name that ends in a full stop brings that of the sentence: "in
            Washington, D.C."
        """
        first, second = (subject, object_) if self._subject_first else (object_, subject)
        between, after = _behind(first, self._between), _behind(second, self._after)
        start = len(self._before)
        lead = f"{self._before}{first}{between}"
        spans = (start, start + len(first)), (len(lead), len(lead) + len(second))
        return Statement(f"{lead}{second}{after}", *(spans if self._subject_first else spans[::-1]), blank)

    def cloze(self, known: str, gap: End) -> tuple[str, str]:
        """The sentence about one end, before and after the gap where the other goes."""
        if self._subject_first == (gap == "object"):
            return f"{self._before}{known}{self._between}", self._after
        return self._before, f"{self._between}{known}{self._after}"


def templates_of(relation: Relation) -> Iterator[str]:
    """A relation's wordings with `[X]` for the subject and `[Y]` for the object, those that have both once."""
    for template in relation.templates or (relation.template,):
        text = template.replace(relation.subject_symbol, "[X]").replace(relation.object_symbol, "[Y]")
        if text.count("[X]") == text.count("[Y]") == 1:
            yield text


def _behind(name: str, rest: str) -> str:
    """What follows a name, without a full stop that the name has already."""
    ends = name.endswith(".") and not name.endswith("..")
    return rest[1:] if ends and rest.startswith(".") else rest
