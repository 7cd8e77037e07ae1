"""The words of languages: one pack a language, each a folder of data beside this module.

A pack's TOML files hold lists by name: words, phrases as parts of regular expressions, and tables. Code asks for a list
by its name and gets what all packs have under it, so that a language is added by its folder alone. A pack leaves out
what it has not, and words that mean something else in a sentence of another language: the German article "die".
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
"""Where the packs lie."""
_FIRST = "en"
"""The language of the questions, whose phrases are tried before the others'."""


@cache
def packs() -> dict[str, dict[str, Any]]:
    """The lists of each language by their names; what lies in several files of a pack is one."""
    folders = [folder for folder in FOLDER.iterdir() if folder.is_dir() and not folder.name.startswith("_")]
    return {
        folder.name: {
            name: found
            for file in sorted(folder.glob("*.toml"))
            for name, found in tomllib.loads(file.read_text(encoding="utf-8")).items()
        }
        for folder in sorted(folders, key=lambda folder: (folder.name != _FIRST, folder.name))
    }


def _of_all(name: str) -> list[Any]:
    """What each pack that has a list has in it."""
    found = [lists[name] for lists in packs().values() if name in lists]
    if not found:
        raise KeyError(f"no language pack has a list {name!r}")
    return found


def in_order(name: str) -> tuple[str, ...]:
    """The words of one list in their order: parted by white space, or by "|" where some are of several words."""
    return tuple(dict.fromkeys(word for text in _of_all(name) for word in _split(text)))


def _split(text: str) -> list[str]:
    parts = text.split("|") if "|" in text else text.split()
    return [part.strip() for part in parts if part.strip()]


@cache
def vocabulary(*names: str) -> frozenset[str]:
    """The words of one or several lists."""
    return frozenset(word for name in names for word in in_order(name))


@cache
def phrases(name: str) -> str:
    """A list of phrases as the alternatives of a regular expression, without a bracket around them."""
    return "|".join("".join(text.split("\n")) for text in _of_all(name))


def _rows(text: str) -> Iterator[tuple[str, str]]:
    for row in text.replace("\n", ";").split(";"):
        key, _, words = row.partition(" = ")
        if words:
            yield key.strip(), words


@cache
def table(name: str) -> dict[str, tuple[str, ...]]:
    """Return the words for each thing of a table: for each month its names.

    A pack has it as a TOML table, or as rows `key = words` with semicolons or line ends between them.
    """
    rows: dict[str, list[str]] = {}
    for found in _of_all(name):
        for key, text in found.items() if isinstance(found, dict) else _rows(found):
            rows.setdefault(key, []).extend(_split(text))
    return {key: tuple(dict.fromkeys(words)) for key, words in rows.items()}
