"""Templates of relations, and reading of files with templates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, Self

import msgspec

from factprobe.config import path_of
from factprobe.errors import DataError
from factprobe.question_types import End
from factprobe.records import Relation, Statement
from factprobe.storage import open_utf8

_SPACE_BEFORE_STOP = re.compile(r"\s+([.,;:!?])")


class Template:
    """Sentence of a relation, split at the placeholders of subject and object, each of which it must have once."""

    def __init__(self, relation: Relation, where: str, text: str | None = None) -> None:
        text = relation.template if text is None else text
        self.relation, self.text = relation, text
        symbols = relation.subject_symbol, relation.object_symbol
        for symbol in symbols:
            if text.count(symbol) != 1:
                what = f"has the template {text!r} with {text.count(symbol)} {symbol}" if text else "has no template"
                hint = f"add one with {' and '.join(symbols)} once each, or exclude the relation with relations=[...]"
                raise DataError(f"relation {relation.relation!r} {what}", where=where, hint=hint)
        self._subject_first = text.index(symbols[0]) < text.index(symbols[1])
        first, second = symbols if self._subject_first else symbols[::-1]
        before, rest = text.split(first)
        between, after = rest.split(second)
        self._before, self._between, self._after = (
            _SPACE_BEFORE_STOP.sub(r"\1", part) for part in (before, between, after)
        )

    @classmethod
    def from_statement(cls, statement: Statement) -> Self:
        """Return the template that makes a statement, by splitting it at the spans of subject and object."""
        template = cls.__new__(cls)
        template._subject_first = statement.subject < statement.object
        (start, stop), (begin, end) = sorted((statement.subject, statement.object))
        template._before, template._between = statement.text[:start], statement.text[stop:begin]
        template._after = statement.text[end:] or ("." if statement.text.endswith(".") else "")
        return template

    def fill(self, subject: str, object_: str, blank: End | Literal[""] = "") -> Statement:
        """Fill in a subject and an object, and return the sentence.

        Args:
            subject: Name of the subject, or the blank; it is inserted unchanged.
            object_: Name of the object, or the blank.
            blank: End that the blank replaces.

        Returns:
            The sentence with the spans of both names. If a name at the end has a full stop, no other is added: "in
            Washington, D.C."
        """
        first, second = (subject, object_) if self._subject_first else (object_, subject)
        between = _without_second_stop(first, self._between) if first[-1:] == "." else self._between
        after = _without_second_stop(second, self._after) if second[-1:] == "." else self._after
        lead = f"{self._before}{first}{between}"
        text = f"{lead}{second}{after}"
        start, begin = len(self._before), len(lead)
        first_span, second_span = (start, start + len(first)), (begin, begin + len(second))
        spans = (first_span, second_span) if self._subject_first else (second_span, first_span)
        return Statement(text, *spans, blank)


def templates_of(relation: Relation) -> Iterator[str]:
    """Yield the templates of a relation in which `[X]` for the subject and `[Y]` for the object occur once each."""
    usual = {relation.subject_symbol: "[X]", relation.object_symbol: "[Y]"}
    symbols = re.compile("|".join(map(re.escape, usual)))
    for template in relation.templates or (relation.template,):
        text = symbols.sub(lambda symbol: usual[symbol[0]], template)
        if text.count("[X]") == text.count("[Y]") == 1:
            yield text


def _without_second_stop(name: str, rest: str) -> str:
    """Return the text after a name without the full stop at its start, unless the name ends in an ellipsis."""
    return rest[1:] if rest.startswith(".") and not name.endswith("..") else rest


_HINT = 'write lists of templates by relation: P19: ["[X] was born in [Y].", ...]'


def read_templates(path: str) -> dict[str, tuple[str, ...]]:
    """Read templates by relation from a YAML or JSON file; a relation has a list of templates or a single one.

    Raises:
        DataError: The file cannot be read, or does not contain templates by relation.
        ConfigError: Aliases of YAML expand too far.
    """
    import yaml

    from factprobe.config.yaml_files import from_yaml  # imported late, since reading YAML loads Hydra

    file = path_of(path)
    with open_utf8(file) as opened:
        content = opened.read()
    try:
        loaded = from_yaml(content.decode(), path)
        templates = msgspec.convert(loaded or {}, dict[str, str | tuple[str, ...]])
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, msgspec.ValidationError) as error:
        raise DataError(f"is broken: {' '.join(str(error).split())}", where=file, hint=_HINT) from error
    return {name: (texts,) if isinstance(texts, str) else texts for name, texts in templates.items()}
