"""RefChecker's benchmark: the claims of models' responses as people have labelled them, and what was asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from factprobe.errors import DataError
from factprobe.inputs.base import Record, UnusableError, by_id
from factprobe.inputs.tables import Json
from factprobe.inputs.texts import InputText, read_texts, references_of
from factprobe.storage import Problems

_NAME = re.compile(r"(?P<dataset>[^_]+)_(?P<model>.+)_answers")


class Annotated(NamedTuple):
    """A file of one model's responses to one dataset, with the labels that people gave their claims."""

    path: Path
    name: str
    """Its path in the folder of all, without the ending; no two have one name."""
    setting: str
    """What the responses rest on, as its folder is called: zero, noisy or accurate context."""
    dataset: str
    model: str
    texts: Sequence[InputText]


class ReferenceSource(NamedTuple):
    """What was asked, and the passages that a reply is checked against."""

    question: str
    references: tuple[str, ...]


def annotated(folder: Path, problems: Problems) -> Iterator[Annotated]:
    """The annotation files in a folder, at any depth, by their paths; a broken record goes to `problems`.

    Raises:
        DataError: there are none, or one cannot be read.
    """
    files = [path for path in sorted(folder.rglob("*.json")) if _NAME.fullmatch(path.stem)]
    if not files:
        hint = "they are called <dataset>_<model>_answers.json, in a folder for each setting"
        raise DataError("holds none of RefChecker's annotation files", where=folder, hint=hint)
    for path in files:
        found = _NAME.fullmatch(path.stem)
        assert found is not None, "it is one of those files"
        name, texts = path.relative_to(folder).with_suffix("").as_posix(), read_texts(path, problems, annotated=True)
        yield Annotated(path, name, path.parent.name, found["dataset"], found["model"], texts)


def sources(path: Path, problems: Problems) -> dict[str, ReferenceSource]:
    """Question and passages by `id`, from a JSON list or JSON Lines; a broken record goes to `problems`.

    Raises:
        DataError: the file cannot be read, or holds none.
    """
    found = by_id(Json(path, problems).records(), _id, _source, problems)
    if not found:
        hint = 'a record is {"id": "...", "question": "...", "reference": "..."}'
        raise DataError("holds no question", where=path, hint=hint)
    return found


def _id(record: Record, _: int) -> str:
    name = record.get("id")
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise UnusableError("has no id")
    return str(name)


def _source(record: Record, _: str) -> ReferenceSource:
    question = record.get("question", "")
    if not isinstance(question, str):
        raise UnusableError("has a question that is no text")
    return ReferenceSource(question, references_of(record))
