"""The words of a text with their parts of speech and the entities that they belong to: by a pipeline of spaCy, or as
far as signs, capitals and values tell."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from factprobe.errors import ModelError, require
from factprobe.reading.language import vocabulary
from factprobe.reading.sentences import sentences
from factprobe.reading.values import values_in
from factprobe.text import normalise

NAME, DATE, NUMBER = "NAME", "DATE", "NUMBER"
"""The kinds of entity that the rules know."""
_NAMES = frozenset(
    {
        NAME,
        "PERSON",
        "PER",
        "NORP",
        "ORG",
        "GPE",
        "LOC",
        "FAC",
        "PRODUCT",
        "EVENT",
        "WORK_OF_ART",
        "LAW",
        "LANGUAGE",
        "MISC",
    }
)
_DATES = frozenset({DATE, "TIME"})
"""What the pipelines of spaCy call the same; it has more exact names."""
_WORD = re.compile(r"\w+(?:['’.-]\w+)*|[^\w\s]")


class TaggedWord(NamedTuple):
    """A word, or a sign, with what is known of it."""

    start: int
    """Its first character."""
    end: int
    """The character behind its last."""
    text: str
    pos: str
    """The part of speech: of a pipeline in the words of Universal Dependencies, of the rules `PUNCT`, `NUM`, `PROPN` or
    `X`."""
    is_stop: bool
    """Whether it stands in any text and says nothing by itself."""
    entity: str
    """The kind of the entity that it belongs to, or nothing."""
    number: int
    """Of that entity in the text, from 1, or 0."""

    @property
    def is_sign(self) -> bool:
        """Whether it has neither letter nor digit."""
        return not any(map(str.isalnum, self.text))

    @property
    def is_name(self) -> bool:
        """Whether it belongs to the name of something."""
        return self.entity in _NAMES

    @property
    def is_date(self) -> bool:
        """Whether it belongs to a date or time."""
        return self.entity in _DATES


Tagger = Callable[[str], list[TaggedWord]]


def tagger(pipeline: str | None, where: str) -> Tagger:
    """What tags texts.

    Args:
        pipeline: of spaCy, by its name or folder; without one it goes by rules.
        where: the setting that names it.

    Raises:
        MissingExtraError: spaCy is not installed.
        ModelError: it cannot load the pipeline.
    """
    if pipeline is None:
        return by_rules
    require("spacy", extra="spacy", where=where, called="spaCy")
    import spacy

    try:
        load = spacy.load(pipeline)
    except Exception as error:  # whatever a package, a folder or a component's own loading can raise
        reason = str(error).partition("\n")[0]
        hint = f"install one (python -m spacy download en_core_web_sm), or name its folder with {where}="
        raise ModelError(f"cannot be loaded: {reason}", where=f"{where}={pipeline}", hint=hint) from error
    return lambda text: list(_by_pipeline(load(text)))


def by_rules(text: str) -> list[TaggedWord]:
    """The words of a text as far as signs, capitals and values tell.

    Entities are dates, numbers, and runs of words with a capital, of which the first of a sentence is one only before
    another; in a text without capitals no name is found.
    """
    found = list(_WORD.finditer(text))
    starts = [word.start() for word in found]

    def starts_in(start: int, end: int) -> list[int]:
        return starts[bisect_left(starts, start) : bisect_left(starts, end)]

    firsts = {place for span in sentences(text) for place in starts_in(*span)[:1]}
    of_value: dict[int, tuple[str, int]] = {}
    for number, value in enumerate(values_in(text), 1):
        kind = DATE if value.year is not None or value.month is not None else NUMBER
        of_value |= dict.fromkeys(starts_in(value.start, value.end), (kind, -number))
    kinds: list[tuple[str, int]] = []
    run = 0
    for at, word in enumerate(found):
        after = found[at + 1][0] if at + 1 < len(found) else ""
        opens = word.start() not in firsts or _is_capital(after)
        if word.start() in of_value:
            kinds.append(of_value[word.start()])
        elif _is_capital(word[0]) and (opens or (kinds and kinds[-1][0] == NAME)):
            run += not (kinds and kinds[-1][0] == NAME)
            kinds.append((NAME, run))
        else:
            kinds.append(("", 0))
    numbers: dict[tuple[str, int], int] = {}
    for of in kinds:
        if of[0]:
            numbers.setdefault(of, len(numbers) + 1)
    return [_ruled(word, of[0], numbers.get(of, 0)) for word, of in zip(found, kinds, strict=True)]


def _is_capital(word: str) -> bool:
    return word[:1].isupper() and normalise(word) not in vocabulary("function")


def _ruled(word: re.Match[str], entity: str, number: int) -> TaggedWord:
    text = word[0]
    if not any(map(str.isalnum, text)):
        pos = "PUNCT"
    else:
        pos = "NUM" if any(map(str.isdigit, text)) else "PROPN" if entity == NAME else "X"
    return TaggedWord(word.start(), word.end(), text, pos, normalise(text) in vocabulary("function"), entity, number)


def _by_pipeline(doc: Any) -> Iterator[TaggedWord]:
    number = 0
    for token in doc:
        if not token.is_space:
            number += token.ent_iob_ == "B"
            of = number if token.ent_type_ else 0
            end = token.idx + len(token.text)
            yield TaggedWord(token.idx, end, token.text, token.pos_ or "X", token.is_stop, token.ent_type_, of)
