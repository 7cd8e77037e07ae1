"""Language packs: word lists and phrases of each language, one folder of data per language.

A pack's TOML files contain named lists: words, phrases as parts of regular expressions, and tables. Code requests a
list by its name and gets the entries of all packs, so that a language is added by its folder alone. A pack omits lists
that it does not need, and words with another meaning in another language (the German article "die").
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
"""Folder of the packs."""
_ALTERNATIVES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_FIRST = "en"
"""Language of the questions; its phrases are tried first."""


@cache
def packs() -> dict[str, dict[str, Any]]:
    """Return the lists of each language by name, merged from the files of its pack."""
    folders = [folder for folder in FOLDER.iterdir() if folder.is_dir() and not folder.name.startswith("_")]
    return {
        folder.name: {
            name: found
            for file in sorted(folder.glob("*.toml"))
            for name, found in tomllib.loads(file.read_text(encoding="utf-8")).items()
        }
        for folder in sorted(folders, key=lambda folder: (folder.name != _FIRST, folder.name))
    }


def _values_of(name: str) -> list[Any]:
    """Return the values of a named list in all packs that have it; raise a KeyError if none has."""
    values = [lists[name] for lists in packs().values() if name in lists]
    if not values:
        raise KeyError(f"no language pack has a list {name!r}")
    return values


def in_order(name: str) -> tuple[str, ...]:
    """Return the words of a list, in order.

    A pack separates them by white space, or by `|` if any is a phrase; `{is,was} wrong` is two phrases.
    """
    return tuple(dict.fromkeys(word for text in _values_of(name) for word in _split(text)))


def _split(text: str) -> list[str]:
    parts = text.split("|") if "|" in text or "{" in text else text.split()
    return [" ".join(phrase.split()) for part in parts if part.strip() for phrase in _expanded(part)]


def _expanded(phrase: str) -> list[str]:
    """Return a phrase with each of the alternatives that braces enclose."""
    braces = _ALTERNATIVES.search(phrase)
    if braces is None:
        return [phrase]
    before, after = phrase[: braces.start()], phrase[braces.end() :]
    return [one for word in braces[1].split(",") for one in _expanded(before + word.strip() + after)]


@cache
def vocabulary(*names: str) -> frozenset[str]:
    """Return all words of one or more lists."""
    return frozenset(word for name in names for word in in_order(name))


@cache
def phrases(name: str) -> str:
    """Return a list of phrases as alternatives of a regular expression (`a|b`), without a group around them."""
    return "|".join("".join(text.split("\n")) for text in _values_of(name))


def _rows(text: str) -> Iterator[tuple[str, str]]:
    for row in text.replace("\n", ";").split(";"):
        key, _, words = row.partition(" = ")
        if words:
            yield key.strip(), words


@cache
def table(name: str) -> dict[str, tuple[str, ...]]:
    """Return the words for each key of a table, such as the names of each month.

    A pack has it as a TOML table, or as a text of rows `key = words` that semicolons or line ends separate.
    """
    rows: dict[str, list[str]] = {}
    for value in _values_of(name):
        for key, text in value.items() if isinstance(value, dict) else _rows(value):
            rows.setdefault(key, []).extend(_split(text))
    return {key: tuple(dict.fromkeys(words)) for key, words in rows.items()}
