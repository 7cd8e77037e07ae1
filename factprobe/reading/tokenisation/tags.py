"""Part-of-speech and entity tags of words, from a spaCy pipeline or from rules on punctuation, capitals and values."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from factprobe.errors import ModelError, require
from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.sentences import sentences
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import values_in
from factprobe.text import normalise

NAME, DATE, NUMBER = "NAME", "DATE", "NUMBER"
"""Types of entity that the rules recognise: names, dates and times, other numbers."""
_NAME_TYPES = frozenset(f"{NAME} PERSON PER NORP ORG GPE LOC FAC PRODUCT EVENT WORK_OF_ART LAW LANGUAGE MISC".split())
_DATE_TYPES = frozenset({DATE, "TIME"})
"""spaCy's types of dates and times."""
_WORD = re.compile(r"\w+(?:['’.-]\w+)*|[^\w\s]")


class TaggedWord(NamedTuple):
    """Word or punctuation mark with its tags."""

    start: int
    """Index of the first character."""
    end: int
    """Index after the last character."""
    text: str
    pos: str
    """Part of speech: any Universal Dependencies tag from a pipeline, `PUNCT`, `NUM`, `PROPN` or `X` from the rules."""
    is_stop: bool
    """True if the word is a stop word."""
    entity: str
    """Type of the entity to which the word belongs; empty if there is none."""
    number: int
    """Number of the word's entity in the text, from 1; 0 if there is none."""

    @property
    def is_sign(self) -> bool:
        """True if the word has neither letters nor digits."""
        return not any(map(str.isalnum, self.text))

    @property
    def is_name(self) -> bool:
        """True if the word belongs to a name."""
        return self.entity in _NAME_TYPES

    @property
    def is_date(self) -> bool:
        """True if the word belongs to a date or time."""
        return self.entity in _DATE_TYPES


Tagger = Callable[[str], list[TaggedWord]]


def tagger(pipeline: str | None, where: str) -> Tagger:
    """Return the tagger: a spaCy pipeline if one is named, else the rules.

    Args:
        pipeline: Name or folder of a spaCy pipeline; None for the rules.
        where: Setting that names the pipeline, for error messages.

    Raises:
        MissingExtraError: spaCy is not installed.
        ModelError: The pipeline cannot be loaded.
    """
    if pipeline is None:
        return by_rules
    require("spacy", extra="spacy", where=where, called="spaCy")
    import spacy

    try:
        load = spacy.load(pipeline)
    except Exception as error:  # a package, folder or component may raise anything
        reason = str(error).partition("\n")[0]
        hint = f"install one (python -m spacy download en_core_web_sm), or name its folder with {where}="
        raise ModelError(f"cannot be loaded: {reason}", where=f"{where}={pipeline}", hint=hint) from error
    return lambda text: list(_by_pipeline(load(text)))


def by_rules(text: str) -> list[TaggedWord]:
    """Tag the words of a text by punctuation, capitals and values.

    Entities are dates, numbers, and runs of capitalised words, as names. The first word of a sentence is part of a name
    only if the next word is capitalised too. In a text without capitals no name is found.
    """
    words = list(_WORD.finditer(text))
    starts = [word.start() for word in words]

    def starts_in(start: int, end: int) -> list[int]:
        return starts[bisect_left(starts, start) : bisect_left(starts, end)]

    first_words = {place for span in sentences(text) for place in starts_in(*span)[:1]}
    value_at = {place: value for value in values_in(text) for place in starts_in(value.start, value.end)}
    tagged: list[TaggedWord] = []
    number = 0
    last: Value | str | None = None
    for word, after in zip(words, [*(following[0] for following in words[1:]), ""], strict=False):
        text, value = word[0], value_at.get(word.start())
        may_begin = last == NAME or word.start() not in first_words or _is_capital(after)
        entity = value or (NAME if may_begin and _is_capital(text) else None)
        number += entity not in (None, last)
        last = entity
        kind = (NUMBER if value.is_number() else DATE) if value else NAME if entity else ""
        pos = "NUM" if any(map(str.isdigit, text)) else "PROPN" if kind == NAME else "X"
        pos = pos if any(map(str.isalnum, text)) else "PUNCT"
        is_stop = normalise(text) in vocabulary("function")
        tagged.append(TaggedWord(*word.span(), text, pos, is_stop, kind, number if kind else 0))
    return tagged


def _is_capital(word: str) -> bool:
    return word[:1].isupper() and normalise(word) not in vocabulary("function")


def _by_pipeline(doc: Any) -> Iterator[TaggedWord]:
    number = 0
    for token in doc:
        if not token.is_space:
            number += token.ent_iob_ == "B"
            entity = number if token.ent_type_ else 0
            end = token.idx + len(token.text)
            yield TaggedWord(token.idx, end, token.text, token.pos_ or "X", token.is_stop, token.ent_type_, entity)
