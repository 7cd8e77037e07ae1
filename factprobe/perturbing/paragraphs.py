"""Paragraphs of raw text: a text file with blank lines between them, or records with a text."""

from __future__ import annotations

import re
from pathlib import Path

from factprobe.errors import DataError
from factprobe.inputs.table_formats import Json
from factprobe.storage import Problems, open_utf8, to_utf8

KEY = "text"


def read_paragraphs(path: Path, problems: Problems) -> dict[str, str]:
    """Read the paragraphs of a file, by id or by number from 1.

    Raises:
        DataError: The file cannot be read, or has no paragraphs.
    """
    if path.suffix not in Json.suffixes:
        with open_utf8(path) as file:
            try:
                texts = re.split(r"\n\s*\n", file.read().decode().replace("\r\n", "\n"))
            except UnicodeDecodeError as error:
                raise DataError("is not UTF-8", where=path, hint=to_utf8(path.name)) from error
        found = {str(number): " ".join(text.split()) for number, text in enumerate(filter(str.strip, texts), 1)}
    else:
        found = {}
        for number, (place, record) in enumerate(Json(path, problems).records(), 1):
            text, name = record.get(KEY), str(record.get("id", number))
            if not isinstance(text, str) or name in found:
                what = f"has no {KEY} that is one" if not isinstance(text, str) else f"has the id {name!r} of another"
                problems.add(what, place)
            else:
                found[name] = " ".join(text.split())
    if not found:
        raise DataError("holds no paragraphs", where=path, hint=f'a record is {{"{KEY}": "..."}}')
    return found
