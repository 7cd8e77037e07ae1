"""Files of RefChecker's benchmark: responses of models to questions, with human labels of their claims."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from factprobe.errors import DataError
from factprobe.inputs.base import Record, UnusableError, read_by_id, record_id
from factprobe.inputs.table_formats import Json
from factprobe.inputs.texts import InputText, read_texts, references_of
from factprobe.storage import Problems, check_encodable

_FILE_NAME = re.compile(r"(?P<dataset>[^_]+)_(?P<model>.+)_answers")


class AnnotationFile(NamedTuple):
    """File with one model's responses to one dataset, and human labels of their claims."""

    path: Path
    name: str
    """Path within the benchmark's folder, without the ending."""
    setting: str
    """Name of the file's folder: which context the models had (zero, noisy or accurate)."""
    dataset: str
    model: str
    texts: Sequence[InputText]


class ReferenceSource(NamedTuple):
    """Question with the passages against which replies are checked."""

    question: str
    references: tuple[str, ...]


def read_annotations(folder: Path, problems: Problems) -> Iterator[AnnotationFile]:
    """Yield all annotation files under a folder, sorted by path; report broken records to `problems`.

    Raises:
        DataError: The folder has no annotation files, or the name or the content of a file cannot be read.
    """
    files = [check_encodable(path) for path in sorted(folder.rglob("*.json")) if _FILE_NAME.fullmatch(path.stem)]
    if not files:
        hint = "they are called <dataset>_<model>_answers.json, in a folder for each setting"
        raise DataError("holds none of RefChecker's annotation files", where=folder, hint=hint)
    for path in files:
        match = _FILE_NAME.fullmatch(path.stem)
        assert match is not None, "the pattern matched these files"
        name, texts = path.relative_to(folder).with_suffix("").as_posix(), read_texts(path, problems, annotated=True)
        yield AnnotationFile(path, name, path.parent.name, match["dataset"], match["model"], texts)


def read_sources(path: Path, problems: Problems) -> dict[str, ReferenceSource]:
    """Read questions and passages by `id` from a JSON list or JSON Lines, and report broken records to `problems`.

    Raises:
        DataError: The file cannot be read, or has no questions.
    """
    sources = read_by_id(Json(path, problems).records(), lambda record, _: record_id(record), _source, problems)
    if not sources:
        hint = 'a record is {"id": "...", "question": "...", "reference": "..."}'
        raise DataError("holds no question", where=path, hint=hint)
    return sources


def _source(record: Record, _: str) -> ReferenceSource:
    question = record.get("question", "")
    if record.get("id") is None:
        raise UnusableError("has no id")
    if not isinstance(question, str):
        raise UnusableError("has a question that is no text")
    return ReferenceSource(question, references_of(record))
