"""Retrieval of passages from the user's files by BM25 (Robertson and Zaragoza 2009), with the package `bm25s`."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

from msgspec import Meta

from factprobe.components.base import PartSettings
from factprobe.config import Filled, NotEmpty, paths_of
from factprobe.errors import DataError, require
from factprobe.inputs.table_formats import Json
from factprobe.inputs.texts import read_plain
from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.sentences import pieces
from factprobe.reading.tokenisation.tokens import key_of as key
from factprobe.reading.tokenisation.words import words_in
from factprobe.records import ClaimedText
from factprobe.retrievers.base import Retriever
from factprobe.storage import Problems
from factprobe.text import normalise

if TYPE_CHECKING:
    from bm25s import BM25

_EMPTY_LINES = re.compile(r"\n\s*\n")


class Bm25Settings(PartSettings, frozen=True, kw_only=True):
    """Settings of the BM25 retriever."""

    passages: tuple[Filled, ...] | NotEmpty
    """Files, e.g. `texts/*.txt`: text with empty lines between passages, JSON Lines, or a JSON list of records."""
    column: Filled = "text"
    """Key of the passage in a record."""
    count: Annotated[int, Meta(ge=1)] = 3
    """Maximum number of passages for a text."""
    passage_length: Annotated[int, Meta(ge=1)] = 1000
    """Maximum length of a passage in characters; longer texts are split, between sentences if possible."""


class _PassageIndex(NamedTuple):
    passages: list[str]
    scores: BM25


class Bm25Retriever(Retriever):
    """Retriever of the passages with the best BM25 scores for a text and its question.

    Words are compared by their stems, without function words. Passages of equal score are in the order of the files.

    Raises:
        MissingExtraError: bm25s is not installed.
    """

    settings_type: ClassVar[type[PartSettings]] = Bm25Settings
    settings: Bm25Settings

    def __init__(self, settings: Bm25Settings) -> None:
        require("bm25s", extra="retrieval", where=f"retriever={settings.name}")
        super().__init__(settings)

    def retrieve(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[str, ...]]:
        """Yield the passages with the best scores for each text and its question."""
        import numpy as np

        passages, index = self._passage_index
        for text in texts:
            query = [
                stem for stem in _stem_words(f"{text.item.question} {text.item.response}") if stem in index.vocab_dict
            ]
            if not query:  # an empty query would match everything
                yield ()
                continue
            scores = index.get_scores(query)
            matches = np.flatnonzero(scores > 0)
            best = matches[np.argsort(-scores[matches], kind="stable")][: self.settings.count]
            yield tuple(passages[i] for i in best)

    @cached_property
    def _passage_index(self) -> _PassageIndex:
        from bm25s import BM25

        names, length = self.settings.passages, self.settings.passage_length
        paths = [path for name in ((names,) if isinstance(names, str) else names) for path in paths_of(name)]
        self.files = paths
        parts = (part for path in paths for text in self._read_texts(path) for part in pieces(text, length))
        passages = (" ".join(part.split()) for part in parts)
        words = {passage: stems for passage in passages if (stems := _stem_words(passage))}
        if not words:
            hint = "give texts, or records that have one under retriever.column"
            raise DataError("holds no passages", where=" ".join(map(str, paths)), hint=hint)
        logging.getLogger("bm25s").setLevel(logging.WARNING)  # it logs its progress
        index = BM25()
        index.index(list(words.values()), show_progress=False)
        return _PassageIndex(list(words), index)

    def _read_texts(self, path: Path) -> Iterator[str]:
        """Yield the texts of a file, which are not yet split into passages of limited length."""
        if not Json.claims(path, b""):
            yield from _EMPTY_LINES.split(read_plain(path))
            return
        problems = self.problems or Problems()
        for where, record in Json(path, problems).records():
            text: Any = record.get(self.settings.column)
            if isinstance(text, str):
                yield text
            else:
                problems.add(f"has no text under {self.settings.column!r}", where)


def _stem_words(text: str) -> list[str]:
    """Return the stems of a text's words, without function words."""
    empty = vocabulary("function")
    return [key(word) for word in words_in(normalise(text)) if word not in empty]
