"""Reading of paragraphs from a text file with blank lines between them, or from records."""

from __future__ import annotations

import re
from pathlib import Path

from factprobe.errors import DataError
from factprobe.inputs.table_formats import Json
from factprobe.inputs.texts import read_plain
from factprobe.storage import Problems

KEY = "text"


def read_paragraphs(path: Path, problems: Problems) -> dict[str, str]:
    """Read paragraphs by their ids, or else their numbers from 1; a file without any raises a `DataError`."""
    if not Json.claims(path, b""):
        texts = re.split(r"\n\s*\n", read_plain(path))
        paragraphs = {str(number): " ".join(text.split()) for number, text in enumerate(filter(str.strip, texts), 1)}
    else:
        paragraphs = {}
        for number, (place, record) in enumerate(Json(path, problems).records(), 1):
            text, given_id = record.get(KEY), record.get("id")
            name = str(number if given_id is None else given_id)
            if not isinstance(text, str) or name in paragraphs:
                is_text = isinstance(text, str)
                problems.add(f"repeats the id {name!r}" if is_text else f"`{KEY}` is missing or not a string", place)
            else:
                paragraphs[name] = " ".join(text.split())
    if not paragraphs:
        raise DataError("holds no paragraphs", where=path, hint=f'a record is {{"{KEY}": "..."}}')
    return paragraphs
