"""Result of stages 1 and 2: mentions of a text."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from factprobe.reading.values.value import Value


class Mention(Struct, frozen=True, gc=False):
    """Mention of an entity, value or unknown name in a text."""

    start: int
    end: int
    """Span in characters; the end is exclusive."""
    uris: tuple[str, ...] = ()
    """Candidate entities, in the order of the graph; several for an ambiguous name, none for an unknown one."""
    kind: Literal["name", "surname", "pronoun", "value", "unknown"] = "name"
    """Type: nouns like "the singer" are pronouns, `unknown` is a capitalised name that the graph lacks.

    A surname that the graph has as a name of its own (Mozart) is a `name`.
    """
    name: str = ""
    """Name of the antecedent, for pronouns, surnames and nouns."""
    value: Value | None = None
    """Date or number, for mentions of values."""
