"""Chat messages with placeholders, and the templates that put a relation in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from factprobe.errors import ConfigError, DataError
from factprobe.records import Message, Relation

_PLACEHOLDER = re.compile(r"\{(statement|choices)\}")
_SPACE_BEFORE_STOP = re.compile(r"\s+([.,;:!?])")


class Prompt:
    """The chat messages of one question type.

    `{statement}` and `{choices}` are replaced in one pass, so braces in a label, or any others in the wording, stay.

    Raises:
        ConfigError: a placeholder that the question type needs is missing.
    """

    def __init__(self, name: str, messages: Sequence[Message], needs: Sequence[str]) -> None:
        self._messages = [(message, _PLACEHOLDER.split(message.content)) for message in messages]
        used = {part for _, parts in self._messages for part in parts[1::2]}
        for missing in sorted({*needs} - used):
            raise ConfigError(
                f"the prompt has no {{{missing}}}",
                where=f"generator.prompts.{name}",
                mend=f"put {{{missing}}} into one of its messages",
            )

    def fill(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """The messages with the placeholders replaced."""
        return tuple(
            message
            if len(parts) == 1
            else Message(message.role, "".join(values[part] if i % 2 else part for i, part in enumerate(parts)))
            for message, parts in self._messages
        )


class Template:
    """A relation's sentence, taken apart where the subject and the object go.

    Raises:
        DataError: it does not hold the subject symbol and the object symbol once each.
    """

    def __init__(self, relation: Relation, where: str, text: str | None = None) -> None:
        text = relation.template if text is None else text
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

    def fill(self, subject: str, object_: str) -> str:
        """The sentence about a subject and an object; their names go in as they are."""
        first, second = (subject, object_) if self._subject_first else (object_, subject)
        return f"{self._before}{first}{self._between}{second}{self._after}"

    def cloze(self, known: str, gap: Literal["object", "subject"]) -> tuple[str, str]:
        """The sentence about one end, before and after the gap where the other goes."""
        if self._subject_first == (gap == "object"):
            return f"{self._before}{known}{self._between}", self._after
        return self._before, f"{self._between}{known}{self._after}"
