"""Texts to check, with or without claims, in RefChecker's format (a JSON list or JSON Lines) or as plain text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from msgspec import Struct

from factprobe.config import path_of
from factprobe.errors import ConfigError, DataError
from factprobe.inputs.base import Record, UnusableError, is_number, read_by_id, record_id
from factprobe.inputs.table_formats import Json
from factprobe.records import CLAIM_LABELS, Claim, ClaimedText, ClaimLabel, Item, Spans
from factprobe.storage import Problems, open_utf8, to_utf8

TRIPLETS, CLAIMS = "triplets", "claims"
"""Keys of a record's claims: lists of head, relation and tail, or sentences."""
_JSON_LINES = (".jsonl", ".ndjson")
_TRIPLETS_SUFFIX = "_response_kg"
"""Ending of the key of RefChecker's annotated triplets, which begins with the name of the extractor."""

PLAIN_TEXT_ENDINGS = (".txt", ".md")
"""Endings of the names of files that consist of one text."""


class _TextRecords(Json):
    """Input format of texts: JSON Lines or one JSON list."""

    table_hint: ClassVar[str] = 'write texts as [{"response": "..."}], or one text into a file that ends in .txt'


class InputText(Struct, frozen=True, gc=False):
    """Input record with the text parsed from it."""

    record: Record
    item: Item
    claims: tuple[Claim, ...] | None = None
    """Claims in the record; None if it has none."""
    fault: str = ""
    """Reason why claims could not be extracted, if the record has one."""
    people: tuple[ClaimLabel | None, ...] = ()
    """Human label of each claim, None for a claim without one; empty if the record has no labels."""

    @property
    def claimed(self) -> ClaimedText:
        """Text with its claims."""
        return ClaimedText(self.item, self.claims or (), self.fault)


def read_texts(path: Path, problems: Problems, *, annotated: bool = False) -> list[InputText]:
    """Read the texts of a file; report unusable records to `problems`.

    A file whose name ends in `.txt` or `.md` is one text. `annotated` reads only claims with human labels.

    Raises:
        DataError: The file cannot be read, or has no usable text.
    """
    if path.suffix.lower() in PLAIN_TEXT_ENDINGS:
        text = read_plain(path).strip()
        return texts_of([(str(path), {"response": text})] if text else [], problems, path, annotated=annotated)
    return texts_of(_TextRecords(path, problems).records(), problems, path, annotated=annotated)


def read_plain(path: Path) -> str:
    """Read a text file; raise a `DataError` if it is not UTF-8, or cannot be read."""
    with open_utf8(path) as file:
        try:
            return file.read().decode()
        except UnicodeDecodeError as error:
            raise DataError("is not UTF-8", where=path, hint=to_utf8(path.name)) from error


def texts_of(
    records: Iterable[tuple[str, Record]], problems: Problems, where: str | Path, *, annotated: bool = False
) -> list[InputText]:
    """Read the texts of records, given as pairs of place and record; report unusable records to `problems`.

    `annotated` reads only claims with human labels.

    Raises:
        DataError: No record has a usable text.
    """
    all_records = list(records)
    ids = [*_ids([record for _, record in all_records])]
    read = partial(_text, annotated=annotated)
    texts = read_by_id(all_records, lambda _, number: ids[number - 1], read, problems)
    if not texts:
        hint = 'a record is {"response": "...", "reference": "..."}'
        raise DataError("has no text that can be checked", where=where, hint=hint)
    return [*texts.values()]


def _ids(records: Sequence[Any]) -> Iterator[str]:
    """Yield the id of each record, or its number from 1, with `_` in front if another record has that as its id."""
    names = [record.get("id") if isinstance(record, Mapping) else None for record in records]
    ids = ["" if name is None else str(name) for name in names]
    taken = {*ids}
    for number, name in enumerate(ids, 1):
        free = str(number)
        while free in taken:
            free = f"_{free}"
        yield name or free


def writes_list(path: Path, source: Path) -> bool:
    """Return whether to write one JSON list: as in the input `source` if endings are equal, else by the ending."""
    if path.suffix == source.suffix:
        return Json(source, Problems()).is_list()
    return path.suffix.lower() not in _JSON_LINES


def input_path(inputs: tuple[str, ...], setting: str = "input") -> Path:
    """Return the path of a step's only input file or folder; raise a `ConfigError` for none or several."""
    if len(inputs) != 1:
        what = "several files are named" if inputs else "no file is named"
        raise ConfigError(what, where=setting, hint=f"name one: {setting}=examples.json")
    return path_of(inputs[0])


def sibling_path(source: Path, name: str, suffix: str | None = None) -> Path:
    """Return a path in the folder of `source`, with `name` in the file name: `a.checked.json` for `a.json`."""
    return source.parent / f"{source.stem}.{name}{source.suffix if suffix is None else suffix}"


def output_path(output: str | None, default: Path, source: Path) -> Path:
    """Return the path of a step's output: `output` if set, else `default`.

    Raises:
        ConfigError: The path is the input `source`, is a folder or no regular file, or has no ending of JSON.
    """
    path = path_of(output) if output else default
    if os.path.realpath(path) == os.path.realpath(source):
        raise ConfigError("is the input, which would be overwritten", where="output", hint="set another file")
    if path.is_dir():
        raise ConfigError(f"{path} is a folder", where="output", hint=f"output={path / default.name}")
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path} is not a regular file", where="output", hint="set another path")
    if output and path.suffix.lower() not in (*Json.suffixes, default.suffix):
        what = f"{path} has no ending of JSON"
        raise ConfigError(what, where="output", hint=f"name it {path.stem}.json, or {path.stem}.jsonl for JSON Lines")
    return path


def output_folder(output: str | None, what: str) -> Path:
    """Return the folder for a step's output, called `what` in the `ConfigError` if it is unset or no folder."""
    if output is None:
        raise ConfigError("is not set", where="output", hint=f"name a folder for {what}: output=FOLDER")
    path = path_of(output)
    if path.exists() and not path.is_dir():
        raise ConfigError(f"{path} is not a folder", where="output", hint="set another path")
    return path


def _text(record: Any, text_id: str, annotated: bool) -> InputText:
    if not isinstance(record, Mapping):
        raise UnusableError(f"is a {type(record).__name__}, not a mapping")
    response = record.get("response")
    if not isinstance(response, str):
        raise UnusableError("has no response" if response is None else "has a response that is not text")
    question = record.get("question")
    if not isinstance(question, str | None):
        raise UnusableError("has a question that is not text")
    record_id(record)
    item = Item(text_id, response, question or "", references_of(record), retriever_of(record))
    fault = record.get("fault")
    claims, people = _claims(record, annotated)
    return InputText(record, item, claims, fault if isinstance(fault, str) else "", people)


def references_of(record: Record) -> tuple[str, ...]:
    """Return a record's `reference` as passages without blank ones; raise an `UnusableError` for other than texts."""
    value = record.get("reference")
    passages = [value] if isinstance(value, str) else value or []
    if not isinstance(passages, list | tuple) or not all(isinstance(passage, str) for passage in passages):
        raise UnusableError("has a reference that is neither a text nor a list of texts")
    return tuple(passage for passage in passages if passage.strip())


def retriever_of(record: Record) -> str:
    """Return the name of the retriever that found a record's passages; empty if they were given by the user."""
    name = record.get("retriever")
    return name if isinstance(name, str) and record.get("reference") else ""


def _claims(record: Record, annotated: bool) -> tuple[tuple[Claim, ...] | None, tuple[ClaimLabel | None, ...]]:
    """Return the claims in a record, with their human labels."""
    if annotated or (TRIPLETS not in record and CLAIMS not in record):
        by_people = next((value for key, value in record.items() if str(key).endswith(_TRIPLETS_SUFFIX)), None)
        if not isinstance(by_people, list):
            return None, ()
        pairs = [_claim_and_label(label) for label in by_people]
        return tuple(claim for claim, _ in pairs), tuple(label for _, label in pairs)
    keys = [key for key in (TRIPLETS, CLAIMS) if key in record]
    key = next((key for key in keys if record[key]), keys[0])
    if (value := record[key]) is None:
        return None, ()
    if not isinstance(value, list | tuple):
        raise UnusableError(f"has {key} that are not a list")
    details = record.get("details")
    claim_details = details if isinstance(details, list) and len(details) == len(value) else [None] * len(value)
    return tuple(_claim(one, detail) for one, detail in zip(value, claim_details, strict=True)), ()


def _claim(value: Any, detail: Any = None) -> Claim:
    """Return a claim that a file has as a triplet or text, with its spans if they are known."""
    parts = (value,) if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or len(parts) not in (1, 3) or not all(isinstance(p, str) for p in parts):
        raise UnusableError("has a claim that is neither a text nor a list of head, relation and tail")
    if not any(map(str.strip, parts)):
        raise UnusableError("has a claim without a word")
    fields: Mapping[str, Any] = detail if isinstance(detail, Mapping) else {}
    score, uris = fields.get("score", -1), fields.get("uris", ())
    are_three = isinstance(uris, list) and len(uris) == 3 and all(isinstance(uri, str) for uri in uris)
    score = score if is_number(score) and 0 <= score <= 1 else None
    return Claim(tuple(parts), _spans(fields.get("spans")), tuple(uris) if are_three else (), score)


def _claim_and_label(value: Any) -> tuple[Claim, ClaimLabel | None]:
    if not isinstance(value, Mapping):
        raise UnusableError("has an annotated claim that is not a mapping")
    label = value.get("human_label")
    if label is not None and label not in CLAIM_LABELS:
        raise UnusableError(f"has the human label {label!r}, which is none of {', '.join(CLAIM_LABELS)}")
    return _claim(value.get("triplet", value.get("claim"))), label


def _spans(value: Any) -> Spans:
    pairs = value if isinstance(value, list) else []
    pairs = [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2]
    return tuple((start, end) for start, end in pairs if type(start) is int and type(end) is int)
